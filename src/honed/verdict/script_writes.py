"""What one-liners and here-document scripts write: ``open(p, "w")``, ``writeFileSync`` and their like.

Only calls that can be seen in the text are found; what a script computes is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

CODE_LIMIT = 200_000
"""Characters of a script that are looked at."""

_ARGUMENT = re.compile(
    r"\s*(?:(?:pathlib\.)?(?:Path|File|URL)\(\s*)?"
    r"(?:[rbu]{0,2}(['\"`])((?:(?!\1)[^\\\n]|\\.)*)\1|(?:sys\.argv|process\.argv|ARGV)\[(\d+)\]|([A-Za-z_$][\w$]*))"
    r"(?P<after>\s*[-+/%.]\s*[\w'\"(])?"
)
_ASSIGNED = re.compile(
    r"(?:^|[;\n{(]|\b(?:const|let|var|my)\s)\s*\$?(\w+)\s*=\s*(?:(?:pathlib\.)?Path\(\s*)?"
    r"(?:r?(['\"])([^'\"\n]{1,400})\2|(?:sys\.argv|process\.argv|ARGV)\[(\d+)\])\s*\)?\s*(?=[;\n)]|$)"
)
_LOOPED = re.compile(r"\bfor\s+(?:const\s+|let\s+)?\(?(\w+)\s+(?:in|of)\s+[\[(]([^\])]{1,4000})[\])]")
_QUOTED = re.compile(r"(['\"])([^'\"\n]{1,400})\1")

# Calls whose first argument is the file.
_WRITES = re.compile(
    r"\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|outputFile(?:Sync)?|createWriteStream|Bun\.write"
    r"|writeTextFile(?:Sync)?|unlinkSync|rmSync|truncateSync|file_put_contents|File\.write|IO\.write"
    r"|os\.(?:remove|unlink|truncate)|shutil\.rmtree|FileUtils\.rm\w*)\s*\("
)
# Calls whose second argument is the file that is written.
_WRITES_SECOND = re.compile(
    r"\b(?:copyFile(?:Sync)?|rename(?:Sync)?|os\.(?:rename|replace)|shutil\.(?:copy\w*|move)|FileUtils\.(?:cp|mv))\s*\("
)
# Opened for writing: the mode stands behind the file.
_OPENS = re.compile(r"\b(?:File\.|io\.|codecs\.)?open\s*\(|\bopenSync\s*\(")
_MODE = re.compile(
    r"\s*,\s*(?:mode\s*=\s*|encoding\s*=\s*['\"][\w-]+['\"]\s*,\s*mode\s*=\s*)?['\"]([rwax+bt]{1,3})['\"]"
)
_PERL_MODE = re.compile(r"\s*(?:my\s+)?\$?\w+\s*,\s*['\"]\+?[<>]")
_PERL_OPENS = re.compile(r"\bopen\s*\(?\s*(?:my\s+)?\$?\w+\s*,\s*['\"]\+?>{1,2}(?::\w+)*['\"]\s*,")
# Methods of the file: ``Path("x").write_text(...)``, ``p.open("w")``.
_METHOD = re.compile(
    r"\.(?:write_text|write_bytes|unlink|touch)\s*\(|\.open\s*\(\s*(?:mode\s*=\s*)?['\"][wax][bt+]{0,2}['\"]\s*[,)]"
)
_OWNER = re.compile(r"(?:Path\(\s*(?:r?(['\"])([^'\"\n]*)\1|(\w+))\s*\)|(\w+))\Z")
_MODULES = frozenset({"File", "IO", "io", "codecs", "os", "gzip"})
_INPLACE = re.compile(r"\binplace\s*=\s*(?:True|1)")
_QUICK = re.compile(r"open|[wW]rite|rename|unlink|remove|copy|move|rm|truncate|put_contents|inplace|touch")


def written_files(code: str, arguments: tuple[str, ...] = ()) -> Iterator[str | None]:
    """The files that a script in Python, JavaScript, Ruby, Perl or PHP writes, as it names them.

    ``arguments`` are the script's own (``sys.argv[1:]``).  ``None`` stands for a file that the text
    does not name.  Each is given once.
    """
    code = code[:CODE_LIMIT]
    if not _QUICK.search(code):
        return
    names = _names(code, arguments)
    seen: set[str | None] = set()
    for name in _found(code, names, arguments):
        if name not in seen:
            seen.add(name)
            yield name


def _names(code: str, arguments: tuple[str, ...]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for match in _ASSIGNED.finditer(code):
        name, _, text, index = match.groups()
        value = _argument(index, arguments) if index else text
        if value:
            names.setdefault(name, []).append(value)
    for match in _LOOPED.finditer(code):
        names.setdefault(match.group(1), []).extend(text for _, text in _QUOTED.findall(match.group(2)))
    return names


def _argument(index: str, arguments: tuple[str, ...]) -> str | None:
    at = int(index) - 1
    return arguments[at] if 0 <= at < len(arguments) else None


def _found(code: str, names: dict[str, list[str]], arguments: tuple[str, ...]) -> Iterator[str | None]:
    for match in _WRITES.finditer(code):
        yield from _files(code, match.end(), names, arguments)
    for match in _WRITES_SECOND.finditer(code):
        comma = code.find(",", match.end(), match.end() + 300)
        yield from _files(code, comma + 1, names, arguments) if comma >= 0 else (None,)
    for match in _OPENS.finditer(code):
        if _PERL_MODE.match(code, match.end()):
            continue
        argument = _ARGUMENT.match(code, match.end())
        end = argument.end() if argument else match.end()
        close = code.find(")", end, end + 300)
        mode = _MODE.match(code, end) or _MODE.search(code, end, max(end, close))
        if mode and set(mode.group(1)) & set("wax+"):
            yield from _files(code, match.end(), names, arguments)
    for match in _PERL_OPENS.finditer(code):
        yield from _files(code, match.end(), names, arguments)
    for match in _METHOD.finditer(code):
        owner = _OWNER.search(code, max(0, match.start() - 300), match.start())
        if owner is None:
            yield None
            continue
        _, text, wrapped, plain = owner.groups()
        if plain in _MODULES:
            continue
        yield from (text,) if text else names.get(wrapped or plain, (None,))
    if _INPLACE.search(code):
        yield None


def _files(
    code: str, at: int, names: dict[str, list[str]], arguments: tuple[str, ...]
) -> Iterator[str | None]:
    """The values of the argument that begins at ``at``."""
    match = _ARGUMENT.match(code, at)
    if match is None or match["after"]:
        yield None
        return
    quote, text, index, name = match.groups()[:4]
    if index:
        yield _argument(index, arguments)
    elif name:
        yield from names.get(name.lstrip("$"), (None,))
    else:
        yield None if quote == "`" and "${" in text else text
