"""What a command that edits in place puts in the place of what, as far as its text says.

``sed -i 's/a/b/'``, ``perl -pi -e``, ``text.replace("a", "b")`` in a one-liner or here-document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from honed.verdict import shell

COMMAND_LIMIT = 100_000
"""Characters of a command that are looked at."""

_SUBSTITUTE = re.compile(
    r"(?:^|[\s'\";{}0-9,$/])s([/|#,!@~%])((?:\\.|(?!\1)[^\n\\]){1,2000})\1((?:\\.|(?!\1)[^\n\\]){0,2000})\1"
)
_DELETE_LINES = re.compile(
    r"['\";\s]/((?:\\.|[^/\n\\]){1,500})/(?:,\s*/(?:\\.|[^/\n\\]){0,200}/|,\+\d+)?\s*d\b"
)
_STRING = r"(?:[rbuf]{0,2}(\"\"\"|'''|`|\"|')((?:\\.|(?!\%d)[^\\]){0,4000}?)\%d)"
_REPLACED = re.compile(
    r"(?:\.replace(?:All)?|\.sub|\.gsub!?|str_replace|re\.sub)\s*\(\s*"
    + _STRING % (1, 1)
    + r"\s*,\s*"
    + _STRING % (3, 3)
)
_NAMED = re.compile(r"(?:^|[\n;])\s*(\w+)\s*=\s*" + _STRING % (2, 2))
_REPLACED_NAMES = re.compile(r"\.replace(?:All)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*[,)]")
_ESCAPE = re.compile(r"\\(.)", re.S)
_ESCAPED = {"n": "\n", "t": "\t"}


def replacements(command: str) -> Iterator[tuple[str, str]]:
    """Pairs of (text that goes, text that comes instead); of a pattern its text without escapes."""
    seen: set[tuple[str, str]] = set()
    for text in _scripts(command[:COMMAND_LIMIT]):
        for pair in _pairs(text):
            if pair not in seen and pair[0] != pair[1]:
                seen.add(pair)
                yield pair


def _scripts(command: str) -> Iterator[str]:
    """The arguments and here-documents of a command, unquoted; the command itself if it cannot be parsed."""
    script, commands = shell.parsed(command)
    if script.unparsed is not None:
        yield command
        return
    for found in commands:
        yield " ".join(found.simple.argv)
        for redirect in found.redirects:
            if redirect.body:
                yield redirect.body


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    if re.match(r"(?:g?sed|perl|ruby)\b", text):
        for match in _SUBSTITUTE.finditer(text):
            yield _plain(match.group(2)), _plain(match.group(3))
        for match in _DELETE_LINES.finditer(text):
            yield _plain(match.group(1)), ""
    if "replace" in text or "sub" in text:
        for match in _REPLACED.finditer(text):
            yield _plain(match.group(2)), _plain(match.group(4))
        names = {match.group(1): _plain(match.group(3)) for match in _NAMED.finditer(text)}
        for match in _REPLACED_NAMES.finditer(text):
            old, new = names.get(match.group(1)), names.get(match.group(2))
            if old is not None and new is not None:
                yield old, new


def is_append(command: str, path: str) -> bool:
    """Whether the command adds to the end of ``path`` (``>>``, ``tee -a``)."""
    name = re.escape(path.rpartition("/")[2])
    return bool(re.search(r"(?:>>|\btee\s+(?:-a|--append))\s*['\"]?[^\s'\"]*" + name, command))


def _plain(pattern: str) -> str:
    text = _ESCAPE.sub(lambda match: _ESCAPED.get(match.group(1), match.group(1)), pattern)
    return text.removeprefix("^").removesuffix("$")
