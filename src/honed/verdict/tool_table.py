"""Programs whose subcommand may stand behind options: ``git -C dir status``, ``npm --prefix ui test``.

Sources: each program's own ``--help`` or manual page.
"""

from __future__ import annotations

from dataclasses import dataclass

_NONE: frozenset[str] = frozenset()
_PNPM = "--filter -F --workspace-concurrency --reporter --loglevel --filter-prod --test-pattern --shell-mode"


@dataclass(frozen=True, slots=True)
class Tool:
    """Options of a program that stand in front of its subcommand and do not change what it is.

    ``values`` take the next word with them; ``cwd`` also say where it runs; ``words`` are subcommands
    that only choose where (``yarn workspace NAME``), with the number of words they take.  ``anywhere``: the
    options may stand behind the subcommand, too.
    """

    values: frozenset[str] = _NONE
    cwd: frozenset[str] = _NONE
    words: tuple[tuple[str, int], ...] = ()
    anywhere: bool = False
    keeps: frozenset[str] = _NONE
    """Options that are what the program does: they stay, and so does everything behind them."""


def _tool(
    values: str = "",
    cwd: str = "",
    keeps: str = "",
    *,
    words: tuple[tuple[str, int], ...] = (),
    anywhere: bool = False,
) -> Tool:
    directories = frozenset(cwd.split())
    return Tool(
        directories | frozenset(values.split()), directories, words, anywhere, frozenset(keeps.split())
    )


_VERSION = "--version -V --help -h"
TOOLS: dict[str, Tool] = {
    "make": _tool(
        "-f --file --makefile -I -o -W -j --jobs",
        "-C --directory",
        _VERSION + " -n --dry-run -v -p -q",
        anywhere=True,
    ),
    "ninja": _tool("-f -j -k -l -d -w", "-C", _VERSION + " -t -n", anywhere=True),
    "npm": _tool(
        "-w --workspace --loglevel --registry --cache --userconfig", "--prefix -C", _VERSION + " -v"
    ),
    "pnpm": _tool(_PNPM, "-C --dir", _VERSION + " -v"),
    "yarn": _tool("--registry --mode", "--cwd", _VERSION + " -v", words=(("workspace", 1),)),
    "bun": _tool(
        "-r --preload --env-file -c --config --filter -F", "--cwd", _VERSION + " -v -e --eval -p --print"
    ),
    "deno": _tool("-L --log-level", "", _VERSION),
    "git": _tool(
        "-c --git-dir --work-tree --namespace --exec-path --config-env", "-C", "--version --help -h"
    ),
    "go": _tool("", "-C", "-h"),
    "cargo": _tool("--color --config -Z", "-C", _VERSION + " --list"),
    "just": _tool(
        "-f --justfile --set --dotenv-path --shell",
        "-d --working-directory",
        _VERSION + " -l --list -n --dry-run --summary",
    ),
    "task": _tool(
        "-t --taskfile -o --output -C --concurrency",
        "-d --dir",
        _VERSION + " -l --list -a --list-all -n --dry",
    ),
    "mise": _tool("-E --env -j --jobs", "-C --cd", "--version --help -h"),
    "poetry": _tool("-P --project", "-C --directory", _VERSION),
    "uv": _tool("--project --config-file --cache-dir --color -p --python", "--directory", _VERSION),
    "terraform": _tool("", "-chdir", _VERSION),
    "flutter": _tool("-d --device-id", "", "--version --help -h"),
    "php": _tool("-d -c -z --define --php-ini", "", "-v --version -r -l -i -m -h --help"),
    "ruby": _tool("-I -r -C -E", "", "-v --version -e -c -h --help"),
}
