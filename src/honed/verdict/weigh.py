"""What a change weighs: code, documentation, formatting, or scratch.

Only code makes an earlier pass stale.  The rules are tables; where they cannot tell, it is code.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from honed.sessions.model import FileChange

Weight = Literal["code", "documentation", "formatting", "scratch"]

DOCUMENTATION_SUFFIXES = frozenset(
    ".md .mdx .markdown .rst .adoc .asciidoc .txt .org .tex .pdf .png .jpg .jpeg .gif .webp .ico".split()
)
DOCUMENTATION_NAMES = re.compile(
    r"(?i)^(readme|changelog|changes|history|license|licence|copying|notice|authors|contributors|contributing"
    r"|code_of_conduct|security|todo|news)(\.[a-z]+)?$"
)
# Text files that steer builds or tests although they look like prose.
CODE_NAMES = re.compile(
    r"(?i)^(cmakelists\.txt|.*requirements.*\.txt|constraints.*\.txt|robots\.txt|meson_options\.txt)$"
)
ARTEFACT_SUFFIXES = frozenset(
    (
        ".log .out .tmp .bak .orig .rej .swp .pid .lcov .prof .patch .diff .exe .dll .so .dylib .o"
        " .obj .a .lib .class .jar .pyc .pyo .whl .wasm .gz .tgz .zip .tar .xz .zst .7z .db .sqlite .coverage"
    ).split()
)
BUILD_FOLDERS = re.compile(
    r"(?:^|/)(?:node_modules|__pycache__|\.git|\.venv|venv|\.tox|\.nox|\.pytest_cache|\.mypy_cache|\.next|\.turbo"
    r"|coverage|htmlcov|dist|target/(?:debug|release))/"
)

SCRATCH_PATHS = re.compile(
    r"(?i)^(?:/private)?/(?:tmp|var/tmp|var/folders|dev|proc)(?:/|$)"
    r"|^(?:~|/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)[\\/]\.(?:claude|codex|gemini|copilot|cursor|config|cache|local|npm)(?:[\\/]|$)"
    r"|^[A-Za-z]:[\\/](?:Users[\\/][^\\/]+[\\/]AppData[\\/]Local[\\/])?Temp[\\/]"
    r"|[\\/]scratchpad[\\/]"
    r"|^\$(?:\{?TMPDIR\}?|\{?TEMP\}?|\(mktemp)"
)

LINE_COMMENTS: dict[str, tuple[str, ...]] = {
    suffix: marks
    for suffixes, marks in (
        (".py .pyi .rb .sh .bash .zsh .pl .r .jl .ex .exs .yaml .yml .toml .tf .nix", ("#",)),
        (
            ".js .jsx .ts .tsx .mjs .cjs .go .rs .c .h .cc .cpp .hpp .java .kt .swift .cs .scala .dart .php"
            " .zig",
            ("//",),
        ),
        (".sql .lua .hs .elm", ("--",)),
        (".lisp .clj .el .asm", (";",)),
    )
    for suffix in suffixes.split()
}
INDENTATION_MATTERS = frozenset(".py .pyi .yaml .yml .nim .hs .elm .fs .coffee .pug .sass .haml".split())


def suffix_of(path: str) -> str:
    """The lower-case suffix with its dot, or empty."""
    name = name_of(path)
    dot = name.rfind(".")
    return name[dot:].lower() if dot > 0 else ""


def name_of(path: str) -> str:
    """The last component, whichever slash is used."""
    return path.replace("\\", "/").rpartition("/")[2]


@lru_cache(maxsize=1024)
def weigh_path(path: str) -> Weight:
    """What a change of this file weighs when its content is not known."""
    if SCRATCH_PATHS.search(path) or BUILD_FOLDERS.search(path):
        return "scratch"
    name, suffix = name_of(path), suffix_of(path)
    if suffix in ARTEFACT_SUFFIXES or suffix[1:].isdigit():
        return "scratch"
    if CODE_NAMES.match(name):
        return "code"
    if suffix in DOCUMENTATION_SUFFIXES or DOCUMENTATION_NAMES.match(name):
        return "documentation"
    return "code"


def weigh(change: FileChange) -> Weight:
    """What this change weighs: by its path, then by its content where that is known."""
    weight = weigh_path(change.path)
    if weight != "code" or change.action != "update" or not change.hunks:
        return weight
    suffix = suffix_of(change.path)
    if all(_same_code(hunk.old, hunk.new, suffix) for hunk in change.hunks):
        return "formatting"
    return "code"


def _same_code(old: str, new: str, suffix: str) -> bool:
    """Whether two stretches differ in comments and white space only.

    Conservative: a language whose comment mark is not in the table never counts as the same, and a
    comment that steers tools (``noqa``, ``nolint``, ``type:``, build tags, pragmas) is code.
    """
    marks = LINE_COMMENTS.get(suffix)
    if marks is None:
        return False
    commented = any(mark in old or mark in new for mark in (*marks, "/*"))
    if not commented and "".join(old.split()) != "".join(new.split()):
        return False  # Without a comment all that is no white space is code (fast).
    ours, theirs = _code_lines(old, marks), _code_lines(new, marks)
    if suffix in INDENTATION_MATTERS:
        return [line.rstrip() for line in ours] == [line.rstrip() for line in theirs]
    if _inked(ours) != _inked(theirs):
        return False  # Most changes end here: what follows looks at every string.
    return _evened_all(ours) == _evened_all(theirs)


_DIRECTIVE = re.compile(
    r"(?i)noqa|nolint|type:\s*ignore|pragma|pylint|eslint|ts-(?:ignore|expect|nocheck)|go:|\+build|nosec|fmt:|coding[:=]"
    r"|frozen_string_literal|^#!|@ts-|prettier-ignore|istanbul|c8 |v8 |skip|doctest|>>>"
)


def _code_lines(text: str, marks: tuple[str, ...]) -> list[str]:
    """The lines that are neither empty nor nothing but a comment."""
    if marks == ("//",) and "/*" in text:
        text = _BLOCK_COMMENT.sub(lambda block: block[0] if _DIRECTIVE.search(block[0]) else "", text)
    return [
        line
        for line in text.splitlines()
        if (stripped := line.strip()) and (not stripped.startswith(marks) or _DIRECTIVE.search(stripped))
    ]


def _inked(lines: list[str]) -> str:
    """All that is no white space."""
    return "".join("".join(lines).split())


def _evened_all(lines: list[str]) -> str:
    return " ".join(_evened(line.strip()) for line in lines)


_STRING = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`)")


_BLOCK_COMMENT = re.compile(r"(?m)^[ \t]*/\*(?:.|\n)*?\*/[ \t]*$")
"""A comment that has its lines for itself: ``/*`` may also stand in a string."""


def _evened(line: str) -> str:
    """The line with runs of white space as one blank, but for those inside of strings."""
    parts = _STRING.split(line)
    return "".join(part if n % 2 else re.sub(r"\s+", " ", part) for n, part in enumerate(parts))
