"""What texts mean, as vectors of a model: optional, and nothing else of honed needs it.

``model`` says what a model is, ``providers`` opens one by the owner's setting, ``vectors`` packs and
compares.  numpy and models are imported here alone, when the first text is to be embedded; no hook comes by.
"""
