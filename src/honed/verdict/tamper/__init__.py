"""Were the tests left intact?  What was done in a task to make them demand less.

``find_tampering`` is all that the judge needs.  ``standing`` says what of a task's changes stands at its
end, ``scene`` what was moved, added and taken away in all; each detector reads the scene and yields
findings; ``asked`` drops those that the user asked for.  The rules, and what cannot be told, are in
docs/verdict.md.
"""

from honed.verdict.tamper.find import find_tampering

__all__ = ["find_tampering"]
