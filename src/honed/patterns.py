"""Patterns compiled when a text first needs them, and kept from process to process.

A hook is a fresh process, and compiling its patterns cost it more than everything that it reads.  So what
``re`` made of a pattern is kept in a file of the home (``<home>/cache``), and the next process builds the
pattern of it at once, without ``re``.  The file is made by one interpreter for itself: its name says which,
and what does not fit is compiled anew.  On the hot path (docs/decisions/0004 and 0008).
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

FOLDER = "cache"
NAME = "patterns"
"""How the file's name begins that hooks share."""
SIZE_LIMIT = 8 * 1024 * 1024
"""Bytes of the file that are read."""
COUNT_LIMIT = 2000
"""Patterns that are kept; honed has fewer."""

_COMPILED: dict[str, re.Pattern[str]] = {}
_kept: dict[str, bytes] = {}
"""By pattern what the engine is given for it, marshalled: a process needs few of the codes that it reads."""
_fresh: dict[str, bytes] = {}
_listening: list[str] = []
"""The home whose file is used, once there is one: in a process of one thread."""


def compiled(pattern: str) -> re.Pattern[str]:
    """``pattern`` as ``re`` compiles it, once per process; flags stand in it (``(?i)``).

    Only for patterns that stand in the source: they may be kept in a file.
    """
    found = _COMPILED.get(pattern)
    if found is None:
        found = _COMPILED[pattern] = built(pattern, pattern) or _compiled_anew(pattern)
    return found


def use(home: str, name: str = NAME) -> None:
    """From now on build patterns of what the home ``home`` has kept.  A file that does not fit is none.

    ``name`` begins the file's: who needs many more than a hook has one of his own.
    """
    _listening.append(home)
    try:
        with open(path_of(home, name), "rb", 0) as file:
            kept = marshal.loads(file.read(SIZE_LIMIT))
    except (OSError, ValueError, EOFError, TypeError):
        return
    if isinstance(kept, dict):
        _kept.update(kept)


def keep(home: str, name: str = NAME) -> bool:
    """Keep what this process had to compile, for the next one; ``True`` if there was anything and it is
    kept.  Never raises."""
    if not _fresh or len(_kept) >= COUNT_LIMIT:
        return False
    path = path_of(home, name)
    temporary = f"{path}.{os.getpid()}.new"
    _kept.update(_fresh)
    _fresh.clear()
    try:
        if os.path.isdir(home):
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(marshal.dumps(_kept))
        os.replace(temporary, path)
    except (OSError, ValueError):
        _remove(temporary)
        return False
    return True


def path_of(home: str, name: str = NAME) -> str:
    """The file of this very interpreter."""
    return os.path.join(home, FOLDER, f"{name}-{sys.implementation.cache_tag}-{sys.hexversion:08x}")


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def built(key: str, pattern: str) -> re.Pattern[str] | None:
    """The pattern of what was kept, ``None`` where that is nothing or nothing that this interpreter takes:
    it checks the code before it runs it."""
    code = _kept.get(key)
    if code is None:
        return None
    try:
        made: re.Pattern[str] = __import__("_sre").compile(*marshal.loads(code))
    except (ImportError, AttributeError, TypeError, ValueError, EOFError, RuntimeError, OverflowError):
        del _kept[key]
        return None
    return made if made.pattern == pattern else None


def _compiled_anew(pattern: str) -> re.Pattern[str]:
    """``re.compile``; in a process that keeps patterns, what it hands to the engine is written down."""
    import re

    compiler = getattr(re, "_compiler", None)
    if not _listening or not hasattr(compiler, "_sre"):
        return re.compile(pattern)
    assert compiler is not None
    return listened_to(compiler, pattern, lambda: compiler.compile(pattern))


def is_keeping() -> bool:
    """Whether this process keeps patterns (``use``)."""
    return bool(_listening)


def listened_to(compiler: Any, key: str, compile_it: Callable[[], re.Pattern[str]]) -> re.Pattern[str]:
    """What ``compile_it`` gives; what it hands to the ``compiler``'s engine is written down under ``key``."""
    engine = compiler._sre
    compiler._sre = _Listener(engine, key)
    try:
        return compile_it()
    finally:
        compiler._sre = engine


class _Listener:
    """The engine of ``re``, and under which key what it is given is written down."""

    __slots__ = ("_engine", "_key")

    def __init__(self, engine: object, key: str) -> None:
        self._engine = engine
        self._key = key

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def compile(self, text: str, flags: int, numbers: list[int], *rest: object) -> object:
        """What ``_sre.compile`` gives; its arguments are remembered as plain numbers."""
        code: Any = (text, int(flags), [int(number) for number in numbers], *rest)
        _fresh[self._key] = marshal.dumps(code)
        build: Callable[..., object] = getattr(self._engine, "compile")  # noqa: B009
        return build(text, flags, numbers, *rest)
