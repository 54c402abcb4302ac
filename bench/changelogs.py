"""Streams of real work from the changelogs that Debian's packages install.

Many projects tell in their changelog, with the date, which files each change touched: as GNU's do
(``* src/a.c, src/b.h (name): What.``, GNU coding standards, "Style of Change Logs") or as ``git log --stat``.
Debian ships them in /usr/share/doc/PACKAGE.  ``HONED_CHANGELOGS`` names a folder laid out like that one; on a
Debian 12 machine with the packages of ``DEV`` and ``TEST`` it is /usr/share/doc itself.  Nothing of them is
kept in this project.

The streams were taken by rule and not by look: all changelogs of the packages that stood on one machine which
parse into 150 pieces or more.  A package is for tuning if the first eight hexadecimal digits of its name's
SHA-256 are a number that 3 divides.

A change is a piece of work if it touched 1 to 12 source files (more teach no procedure, docs/design.md).
Tests, documentation, build files, translations and the changelog itself do not count, as in labelled sets of
bug fixes.  Of each project the last 500 changes are taken, and none of a project with fewer than 150.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from bench.streams import Piece, Stream

DEV = (
    "binutils/bfd/ChangeLog.gz",
    "binutils/changelog.gz",
    "binutils/gas/ChangeLog.gz",
    "cscope/changelog.gz",
    "dirmngr/changelog.gz",
    "fontconfig/changelog.gz",
    "freeglut3-dev/changelog.gz",
    "grep/changelog.gz",
    "libbsd0/changelog.gz",
    "libgdbm-compat4/changelog.gz",
    "libtk8.6/changelog.gz",
    "libxslt1-dev/changelog.gz",
    "login/changelog.gz",
    "make/changelog.gz",
    "pinentry-curses/changelog.gz",
    "wget/changelog.gz",
)
"""Whose results may be looked at and tuned on."""
TEST = (
    "bc/changelog.gz",
    "coreutils/changelog.gz",
    "findutils/changelog.gz",
    "gcc-12-base/C++/changelog.gz",
    "gcc-12-base/gcc/changelog.gz",
    "gcc-12-base/gomp/changelog.gz",
    "gcc-12-base/itm/changelog.gz",
    "gettext/changelog.gz",
    "groff-base/changelog.gz",
    "libdatrie1/changelog.gz",
    "libfreetype-dev/changelog.gz",
    "libgcrypt20/changelog.gz",
    "libgmp-dev/changelog.gz",
    "libgstreamer1.0-0/changelog.gz",
    "libharfbuzz0b/changelog.gz",
    "libhogweed6/changelog.gz",
    "liblzma-dev/changelog.gz",
    "libsource-highlight-common/changelog.gz",
    "libtcl8.6/changelog.gz",
    "libthai-data/changelog.gz",
    "libtiff6/changelog.gz",
    "man-db/ChangeLog-2013.gz",
    "man-db/changelog.gz",
    "strace/changelog.gz",
    "tar/changelog.1.gz",
    "tar/changelog.gz",
)
"""Held back: scored once, when everything was chosen."""

MOST_FILES = 12
LAST = 500
FEWEST = 150
STEP = 0.001
"""Days between changes of one day."""
SOURCES = frozenset(
    "c cc cpp cxx h hh hpp hxx inl y l s asm m py rb pl pm tcl sh js java go rs vala el"
    " scm awk gperf rl".split()
)
NOT_SOURCE = re.compile(r"(^|/)(tests?|testsuite|t|docs?|po|examples?|contrib|debian|m4)/")
MONTHS = {
    name: place + 1 for place, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())
}
ISO = re.compile(r"^(\d{4})-(\d\d)-(\d\d)\b")
WORDS = re.compile(r"^[A-Z][a-z]{2}\w* +([A-Z][a-z]{2})\w* +(\d{1,2}),? .*?\b((?:19|20)\d\d)\b")
"""``Mon Dec 17 13:10:01 CET 2007  Name``."""
COMMIT = re.compile(r"^commit [0-9a-f]{40}")
DATED = re.compile(r"^\s*(?:Author)?Date:\s+(.*)$")
STAT = re.compile(r"^ (?:\.\.\./)?([^\s|]+) +\| +\d+")
STAR = re.compile(r"^\s+\* ")
A_FILE = re.compile(r"^[\w.+/-]+\.(\w+)$")


def streams(folder: Path, names: tuple[str, ...]) -> tuple[list[Stream], list[str]]:
    """The streams of these changelogs (paths below ``folder``), and the names of those that are not there."""
    found, missing = [], []
    for name in names:
        path = folder / name
        if path.is_file():
            found.append(stream(name, text_of(path)))
        else:
            missing.append(name)
    return found, missing


def text_of(path: Path) -> str:
    """A changelog, packed or not."""
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8", "replace")


def stream(name: str, text: str) -> Stream:
    """The last changes that a changelog tells of, the earliest first; ``at`` is in days since the first.

    Each needs all earlier ones that touched one of its files.  Of changes of one day each comes a moment
    (``STEP``) after the one before it.
    """
    changes = [
        (day, files)
        for day, files in (told_by_git if COMMIT.search(text, 0, 200) else told_by_hand)(text)
        if 1 <= len(files) <= MOST_FILES
    ]
    changes.reverse()
    changes.sort(key=lambda change: change[0])
    changes = changes[-LAST:]
    pieces: list[Piece] = []
    of_file: dict[str, set[str]] = {}
    first, before, same = changes[0][0] if changes else date.min, date.min, 0
    for place, (day, files) in enumerate(changes):
        same, before = (same + 1 if day == before else 0), day
        needs = frozenset().union(*(of_file.get(file, ()) for file in files))
        pieces.append(Piece(f"{place}", files, needs, (day - first).days + same * STEP))
        for file in files:
            of_file.setdefault(file, set()).add(f"{place}")
    return Stream(name.removesuffix(".gz").removesuffix("/changelog"), tuple(pieces), STEP)


def told_by_hand(text: str) -> Iterator[tuple[date, frozenset[str]]]:
    """Day and source files of each change of a GNU changelog: a block between blank lines, under its day."""
    day: date | None = None
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        told = _heading(line)
        if line.strip() and not told:
            block.append(line)
            continue
        if day and block:
            yield day, _starred(block)
        block, day = [], told or day


def _heading(line: str) -> date | None:
    iso, words = ISO.match(line), WORDS.match(line)
    try:
        if iso:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if words and words[1] in MONTHS:
            return date(int(words[3]), MONTHS[words[1]], int(words[2]))
    except ValueError:
        return None
    return None


def _starred(block: list[str]) -> frozenset[str]:
    """The source files of items like ``* a.c (f), b.c: What.``, whose names may go over several lines."""
    items: list[str] = []
    for line in block:
        if STAR.match(line):
            items.append(line.strip()[2:])
        elif items:
            items[-1] += " " + line.strip()
    names: set[str] = set()
    for item in items:
        before = re.sub(r"\([^)]*\)|\[[^\]]*\]|<[^>]*>", " ", item).split(":", 1)[0]
        for word in re.split(r"[\s,]+", before):
            if not A_FILE.match(word):
                break
            names.add(word)
    return frozenset(name for name in names if is_source(name))


def told_by_git(text: str) -> Iterator[tuple[date, frozenset[str]]]:
    """Day and source files of each commit of a ``git log --stat``."""
    day: date | None = None
    files: set[str] = set()
    for line in [*text.splitlines(), "commit " + "0" * 40]:
        dated, counted = DATED.match(line), STAT.match(line)
        if COMMIT.match(line):
            if day:
                yield day, frozenset(files)
            day, files = None, set()
        elif dated and day is None:
            day = _heading(dated[1])
        elif counted and is_source(counted[1]):
            files.add("/".join(counted[1].split("/")[-2:]))


def is_source(name: str) -> bool:
    """Whether a file is source by its name: neither a test, nor text, nor of the build."""
    ending = A_FILE.match(name)
    return ending is not None and ending[1].lower() in SOURCES and not NOT_SOURCE.search(name)
