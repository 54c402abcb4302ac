"""What honed puts into a TOML file of a client (Codex's): its server, and what a version without hooks needs.

The server and the program are known by what they start, the flag by the comment behind it: a flag starts
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from honed.agents import json_text, shim, toml_keys, toml_text
from honed.agents.clients import FLAG, NOTIFY, SERVER, is_own
from honed.agents.json_text import Path
from honed.errors import UsageError

TABLE = ("mcp_servers", SERVER)
MARK = "put in by honed"
_MARKS: Mapping[tuple[str, ...], str] = {FLAG: MARK, NOTIFY: ""}


def with_own(text: str, table: Mapping[str, str | list[str]], keys: Mapping[Path, bool | list[str]]) -> str:
    """``text`` with the server's ``table`` (without one where that is empty) and ``keys``; other keys of
    honed's go.  A key that is somebody else's stays as it is.

    Raises ``UsageError`` where the text is none, or what is wanted cannot be added.
    """
    for path in _MARKS:
        if path not in keys:
            text = _without_key(text, path)
    text = _with_table(text, table) if table else _without_table(text)
    for path, mark in _MARKS.items():
        there = json_text.get(toml_text.parse(text), path)
        if path in keys and (there is None or _is_own_key(text, path)):
            text = toml_keys.put_key(text, path, keys[path], mark)
    return text


def without_own(text: str) -> str:
    """``text`` without what is honed's.  Raises ``UsageError`` where that cannot be taken out."""
    for path in _MARKS:
        text = _without_key(text, path)
    return _without_table(text)


def has_own(text: str) -> bool:
    """Whether anything in a TOML text is honed's."""
    return _has_own_table(text) or any(_is_own_key(text, path) for path in _MARKS)


def notifier(text: str) -> tuple[bool, bool]:
    """Whether a TOML text names a program that is started after each turn, and whether that is honed's."""
    return json_text.get(toml_text.parse(text), NOTIFY) is not None, _is_own_key(text, NOTIFY)


def _is_own_key(text: str, path: tuple[str, ...]) -> bool:
    if path == NOTIFY:
        return shim.is_own_notifier(json_text.get(toml_text.parse(text), path))
    return toml_keys.take_key(text, path, _MARKS[path]) != text


def _without_key(text: str, path: tuple[str, ...]) -> str:
    return toml_keys.take_key(text, path, _MARKS[path]) if _is_own_key(text, path) else text


def _with_table(text: str, values: Mapping[str, str | list[str]]) -> str:
    if json_text.get(toml_text.parse(text), TABLE) is not None and not _has_own_table(text):
        raise UsageError(f"{'.'.join(TABLE)} is something else already")
    return toml_text.put(text, TABLE, values)


def _without_table(text: str) -> str:
    left = toml_text.take(text, TABLE) if _has_own_table(text) else text
    if _has_own_table(left):
        raise UsageError(
            f"{'.'.join(TABLE)} is written in a form that cannot be taken out (an inline table?)"
        )
    return left


def _has_own_table(text: str) -> bool:
    """Whether a TOML text registers honed's server."""
    value = json_text.get(toml_text.parse(text), TABLE)
    return value is not None and is_own(TABLE, value)
