"""A simulated benchmark: a scripted agent on generated repositories, with honed and without.

See docs/simulated.md.
"""
