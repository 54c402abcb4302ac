"""The short way to honed's modules gives what Python's own way gives, and the newest source always."""

from __future__ import annotations

import importlib.util
import json
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from honed import quick_imports
from honed.agents.shim import FOLDER, LAUNCHER
from tests.hooks.conftest import Shop

TOLD = """
import json, sys
sys.path.insert(0, {folder!r})
from honed import quick_imports
if {quick}:
    quick_imports.use()
from {module} import {name}
found = sys.modules[{module!r}]
spec = found.__spec__
print(json.dumps([
    str({name}), found.__name__, found.__package__, found.__file__, found.__cached__, spec.origin,
    spec.parent,
    list(getattr(found, "__path__", ())), spec.has_location, spec.loader.get_source({module!r}),
    type(spec.loader).__module__,
]))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of the same name with a module ``word`` and, in a package of its own, ``inner.word``."""
    folder = tmp_path / "honed"
    (folder / "inner").mkdir(parents=True)
    shutil.copy(quick_imports.__file__, folder)
    for name in ("__init__.py", "inner/__init__.py"):
        (folder / name).write_text("WORD = 'package'\n", encoding="utf-8")
    for name in ("word.py", "inner/word.py"):
        (folder / name).write_text("WORD = 'first'\n", encoding="utf-8")
    return folder


def _told(
    package: Path, module: str = "honed.word", *, quick: bool = True, name: str = "WORD"
) -> list[object]:
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            TOLD.format(folder=str(package.parent), quick=quick, module=module, name=name),
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    told: list[object] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize("module", ["honed.word", "honed.inner", "honed.inner.word"])
def test_a_module_is_what_it_is_by_the_ordinary_way(package: Path, module: str) -> None:
    *ordinary, finder = _told(package, module, quick=False)
    assert finder == "_frozen_importlib_external"
    for _ in range(2):  # not compiled yet, and compiled
        assert _told(package, module) == [*ordinary, "honed.quick_imports"]


def test_what_the_short_way_compiled_is_kept(package: Path) -> None:
    cached = Path(importlib.util.cache_from_source(str(package / "word.py")))
    assert not cached.exists()
    assert _told(package)[0] == "first"
    assert cached.exists()


def test_compiled_code_is_run_without_its_source_being_read(package: Path) -> None:
    source = package / "word.py"
    at = source.stat()
    _told(package)
    source.write_text("WORD = 'FIRST'\n", encoding="utf-8")
    os.utime(source, ns=(at.st_atime_ns, at.st_mtime_ns))  # by Python's own rule it is the same
    assert _told(package)[0] == _told(package, quick=False)[0] == "first"


@pytest.mark.parametrize("seconds", [0, 5])
def test_a_source_that_changed_is_compiled_again(package: Path, seconds: int) -> None:
    source = package / "word.py"
    at = source.stat().st_mtime
    _told(package)
    source.write_text("WORD = 'later'\n" if seconds else "WORD = 'of another size'\n", encoding="utf-8")
    os.utime(source, (at, at + seconds))
    assert _told(package)[0] == ("later" if seconds else "of another size")


def test_code_that_is_marked_by_a_hash_goes_the_ordinary_way(package: Path) -> None:
    source = package / "word.py"
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    py_compile.compile(str(source), invalidation_mode=mode, doraise=True)
    at = source.stat()
    source.write_text("WORD = 'later'\n", encoding="utf-8")
    os.utime(source, ns=(at.st_atime_ns, at.st_mtime_ns))
    assert _told(package)[0] == "later"


def test_large_code_goes_the_ordinary_way(package: Path) -> None:
    text = "x" * quick_imports.SIZE_LIMIT
    (package / "word.py").write_text(f"WORD = len({text!r})\nTEXT = {text!r}\n", encoding="utf-8")
    for _ in range(2):
        assert _told(package)[0] == str(quick_imports.SIZE_LIMIT)


def test_what_is_no_module_is_none(package: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as error:
        _told(package, "honed.nothing")
    assert "ModuleNotFoundError: No module named 'honed.nothing'" in error.value.stderr


def test_a_hook_takes_the_short_way(learned: Shop) -> None:
    """As ``hook.py`` starts it, without the end of the process."""
    launcher = learned.home / FOLDER / LAUNCHER
    code = (
        "import os, sys; os._exit = lambda status: None;"
        "sys.argv = ['-', 'prompt', '--agent', 'claude-code'];"
        f"exec(open({str(launcher)!r}, encoding='utf-8').read());"
        "print(*(type(one.__loader__).__module__ for name, one in sys.modules.items()"
        " if name.startswith('honed.') and name != 'honed.quick_imports'), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        input=json.dumps({"session_id": "s", "cwd": str(learned.project), "prompt": "the cart total is off"}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert set(done.stderr.split()) == {"honed.quick_imports"}
