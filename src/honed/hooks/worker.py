"""What the hooks at an end start: takes the absorber's turn, loads it cheaply, and lets it work."""

from __future__ import annotations

import os

from honed.hooks.lock import take_soon
from honed.hooks.starting import LOCK

KEPT = "absorber"
"""How the file of its patterns is called: a hook needs a few of them, and shall not read all."""


def main(home: str) -> int:
    """Work off the queue of ``home`` (``absorber``); returns the exit code.

    The turn is taken before anything is loaded: where another one is at work, which looks at the queue before
    it goes, this costs a bare interpreter; and while this one loads, hooks start no other.
    """
    if os.name == "posix":
        os.nice(10)
    handle = take_soon(os.path.join(home, LOCK))
    if handle is None:
        return 0
    from importlib import import_module

    from honed import patterns
    from honed.hooks.loading import kept_patterns

    patterns.use(home, KEPT)
    with kept_patterns():
        from honed.hooks import absorber
        from honed.sessions import reading

        import_module(f"honed.sessions.{reading.LINE_READERS[0]}")  # it is asked about every transcript
    try:
        return absorber.main(home, handle)
    finally:
        patterns.keep(home, KEPT)
