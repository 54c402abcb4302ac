"""Codex's rules: lines of honed's in a file of such lines, put in and taken out; every other byte stays.

A rule forbids an agent a command by its first words (``codex execpolicy check`` says what a file forbids).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

HEADER = "# Of honed: what is yours alone, not an agent's. `honed uninstall` takes these lines away."
_RULES = (
    'prefix_rule(pattern=["honed", ',
    'prefix_rule(pattern=[["honed", ',
    'prefix_rule(pattern=[["python", "python3"], "-m", "honed", ',
)
"""How honed's lines begin; the first is how an older one wrote them."""
WHY = "This command is the owner's alone: ask them to run it."


def rules(denied: Sequence[str], spellings: Sequence[Sequence[str]]) -> list[str]:
    """The lines that forbid the commands ``denied`` of honed's, however it is started (``shim.spellings``);
    none for none.  A list in a pattern holds the words of which one may stand there."""
    programs = [[name for name, *more in spellings if not more]]
    modules = [[name for name, *more in spellings if more], "-m", "honed"]
    found = [
        f"prefix_rule(pattern={json.dumps([*start, *words.split()])}, "
        f'decision="forbidden", justification={json.dumps(WHY)})'
        for words in denied
        for start in (programs, modules)
    ]
    return [HEADER, *found] if found else []


def put(text: str, lines: Sequence[str]) -> str:
    """``text`` with ``lines`` at its end, and no other lines of honed's; as it is where it has just these."""
    if own(text) == list(lines):
        return text
    rest = take(text)
    newline = "\r\n" if "\r\n" in rest else "\n"
    block = newline.join(lines)
    if rest and not rest.endswith("\n"):
        return rest + (newline + block if block else "")
    return rest + (block + newline if block else "")


def take(text: str) -> str:
    """``text`` without honed's lines."""
    lines = text.splitlines(keepends=True)
    kept = "".join(line for line in lines if not _is_own(line))
    open_end = bool(lines) and _is_own(lines[-1]) and not lines[-1].endswith("\n")
    if not open_end:
        return kept
    return kept.removesuffix("\r\n" if "\r\n" in kept[:-2] else "\n")


def own(text: str) -> list[str]:
    """Honed's lines in ``text``."""
    return [line.rstrip("\r\n") for line in text.splitlines(keepends=True) if _is_own(line)]


def _is_own(line: str) -> bool:
    return line.startswith(_RULES) or line.rstrip("\r\n") == HEADER
