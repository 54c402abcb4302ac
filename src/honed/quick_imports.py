"""Modules of honed found by the shortest way, for a process that is gone after milliseconds.

A hook loads some fifty modules, and Python's own search (which folders, which endings, which kind of file)
costs it more than their code.  Here a module is the file of its name in the folder of its package, and what
Python compiled of it is read where Python itself keeps it, by Python's own rule: it is taken if it is of a
source of this very size and time.  Everything else (a source that is newer or was never compiled, another
kind of module) goes the ordinary way.  On the hot path (docs/decisions/0004 and 0008).
"""

from __future__ import annotations

import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

PACKAGE = "honed"
SIZE_LIMIT = 64 * 1024
"""Bytes of compiled code that are read; a larger file goes the ordinary way."""
_HEAD = 16
"""Bytes before the code: a mark of the version, four of flags, time and size of the source (PEP 552)."""
_WORD = 0xFFFFFFFF


def use() -> None:
    """From now on find honed's modules so."""
    sys.meta_path.insert(0, _Finder)


class _Loader(SourceFileLoader):
    """Loads what is compiled already, and all else as Python does."""

    def __init__(self, name: str, path: str, cached: str, head: bytes) -> None:
        self.name = name
        self.path = path
        self._cached = cached
        self._head = head

    def create_module(self, _: ModuleSpec) -> None:
        """As Python does."""

    def exec_module(self, module: ModuleType) -> None:
        code = _read(self._cached)
        if code[:_HEAD] == self._head:
            exec(loads(memoryview(code)[_HEAD:]), module.__dict__)
        else:
            super().exec_module(module)


class _Finder:
    """Stands before Python's own finders, for the modules below ``PACKAGE``."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, _: object = None) -> ModuleSpec | None:
        """Where a module is; ``None`` where it is none of these, or another finder has to look for it."""
        if path is None or not name.startswith(f"{PACKAGE}."):
            return None
        folder, last = path[0], name[name.rindex(".") + 1 :]
        try:
            return _spec(name, folder, last)
        except OSError:
            pass
        inside = f"{folder}{os.sep}{last}"
        try:
            spec = _spec(name, inside, "__init__")
        except OSError:
            return None
        spec.submodule_search_locations = [inside]
        return spec


def _spec(name: str, folder: str, file: str) -> ModuleSpec:
    """The module in ``file`` (without its ending).  Raises ``OSError`` where there is none."""
    path = f"{folder}{os.sep}{file}.py"
    status = os.stat(path)
    time, size = int(status.st_mtime) & _WORD, status.st_size & _WORD
    head = MAGIC_NUMBER + bytes(4) + time.to_bytes(4, "little") + size.to_bytes(4, "little")
    cached = f"{folder}{os.sep}__pycache__{os.sep}{file}.{sys.implementation.cache_tag}.pyc"
    spec = ModuleSpec(name, _Loader(name, path, cached, head), origin=path)
    spec.has_location = True
    spec.cached = cached
    return spec


def _read(path: str) -> bytes:
    """A file's bytes; nothing of one that cannot be read, or that is larger than ``SIZE_LIMIT``."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return b""
    try:
        data = os.read(handle, SIZE_LIMIT)
    except OSError:
        return b""
    finally:
        os.close(handle)
    return data if len(data) < SIZE_LIMIT else b""
