"""Loading modules whose patterns were compiled by a process before.

Half of what loading the absorber's modules took was compiling the patterns that stand in them.  They are kept
as those of hooks are (``honed.patterns``), in a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from honed import patterns


@contextmanager
def kept_patterns() -> Iterator[None]:
    """While this lasts ``re.compile`` builds of what is kept.

    For importing only: then every pattern is one of the source.  One that is made of a text from outside must
    not come into a file.
    """
    import re

    compiler: Any = getattr(re, "_compiler", None)
    if not patterns.is_keeping() or not hasattr(compiler, "_sre"):
        yield
        return
    own = compiler.compile

    def build(pattern: Any, flags: int = 0) -> re.Pattern[str]:
        def anew() -> re.Pattern[str]:
            made: re.Pattern[str] = own(pattern, flags)
            return made

        if not isinstance(pattern, str):
            return anew()
        key = f"{int(flags)} {pattern}"
        return patterns.built(key, pattern) or patterns.listened_to(compiler, key, anew)

    compiler.compile = build
    try:
        yield
    finally:
        compiler.compile = own
