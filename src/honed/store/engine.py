"""SQLite, loaded with as little of Python as it needs.

``_sqlite3`` has the classes that ``sqlite3`` gives, without the dates of the package around it.  While it
loads it asks ``functools`` for ``lru_cache``, and ``functools`` loads ``collections``, ``operator``
and more, of which a hook needs nothing: 2.8 ms of a process of 30.  So where nobody has loaded
``functools`` yet, a stand-in gives it the cache, which is the same type of the C library.  On the hot path
(docs/decisions/0008).
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3 as sqlite3
    from collections.abc import Callable
    from types import ModuleType

_NAME = "functools"


def _loaded() -> ModuleType:
    if _NAME in sys.modules:
        return _plain()
    try:
        from _functools import _lru_cache_wrapper as wrapper  # type: ignore[import-not-found]
    except ImportError:
        return _plain()

    def lru_cache(size: int) -> Callable[[object], object]:
        return lambda of: wrapper(of, size, False, tuple)

    stand_in = type(sys)(_NAME)
    setattr(stand_in, lru_cache.__name__, lru_cache)
    sys.modules[_NAME] = stand_in
    try:
        return _plain()
    finally:
        if sys.modules.get(_NAME) is stand_in:
            del sys.modules[_NAME]


def _plain() -> ModuleType:
    try:
        return __import__("_sqlite3")
    except ImportError:
        return __import__("sqlite3")


if not TYPE_CHECKING:
    sqlite3 = _loaded()
