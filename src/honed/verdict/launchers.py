"""Programs that only start another program, and how to take them off.

``unwrap(("env", "A=1", "timeout", "60", "uv", "run", "pytest"))`` gives ``argv=("pytest",)``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """A command without the programs that only start it.

    ``argv`` what is run in the end, spelled as in the command except that ``python -u -m mod`` is
    ``python -m mod`` and options of npm, pnpm, make, git, ... in front of the subcommand are gone;
    ``prefix`` all words that were taken off, in order;
    ``env`` the variables set on the way (name, value); ``cwd_shift`` the directory it runs in,
    relative to the shell's (``make -C sub``); ``container`` it runs in another file system.
    ``script``: a text that a shell is given to run (``bash -c TEXT``), with its ``dialect`` and the
    shell's ``options``; ``argv`` is then the shell's.
    ``own_status``: the exit status of the whole is that of ``argv`` (not so for ``docker run -d``).
    """

    argv: tuple[str, ...]
    prefix: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    cwd_shift: str | None = None
    container: bool = False
    script: str | None = None
    dialect: str = "bash"
    options: frozenset[str] = frozenset()
    own_status: bool = True


def unwrap(argv: tuple[str, ...]) -> Unwrapped:
    """``argv`` without launchers.  Never raises; an unknown program is given back as it is."""
    return Unwrapped(argv)


def program(word: str) -> str:
    """The name by which tables know a program: ``/usr/bin/python3.12`` -> ``python3.12``, ``Go.EXE`` -> ``go``."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1].lower()
    for suffix in (".exe", ".cmd", ".bat", ".ps1"):
        name = name.removesuffix(suffix)
    return name
