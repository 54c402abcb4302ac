"""What the hooks at an end start: loads the absorber, cheaply, and lets it work."""

from __future__ import annotations

from importlib import import_module

from honed import patterns
from honed.hooks.loading import kept_patterns

KEPT = "absorber"
"""How the file of its patterns is called: a hook needs a few of them, and shall not read all."""


def main(home: str) -> int:
    """Work off the queue of ``home`` (``absorber``); returns the exit code."""
    patterns.use(home, KEPT)
    with kept_patterns():
        from honed.hooks import absorber
        from honed.sessions import reading

        import_module(f"honed.sessions.{reading.LINE_READERS[0]}")  # it is asked about every transcript
    try:
        return absorber.main(home)
    finally:
        patterns.keep(home, KEPT)
