"""What is left of a runner's output behind ``| tail``, ``| grep -v ok``, ``> file``.

The question is never what a filter printed but what it would have printed: "had a test failed, would we
see it?".  So every filter becomes a small predicate on lines, and the lines a failing run always prints
(``Grammar.failing``) are sent through it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from honed.verdict.launchers import program, unwrap
from honed.verdict.shell_tree import Redirect, Simple

_LIMIT = 400
_NESTED = re.compile(r"\([^()]*[+*][^()]*\)[+*{]|[+*}][+*]")
_ODD_SET = re.compile(r"\[[^\]]*(?:\[|--|&&|~~|\|\|)")
"""Sets that Python will read in another way one day."""

_CLASSES = {
    "[:space:]": r"\s",
    "[:blank:]": r" \t",
    "[:digit:]": "0-9",
    "[:alpha:]": "A-Za-z",
    "[:alnum:]": "A-Za-z0-9",
    "[:upper:]": "A-Z",
    "[:lower:]": "a-z",
    "[:punct:]": r"!-/:-@\[-`{-~",
}
_KEEPERS = frozenset("cat tee nl ts strip-ansi ansifilter sponge pv less more bat unbuffer col expand fold "
"iconv"
                     " dos2unix tr out-string tee-object out-host write-host cut-ansi".split())  # fmt: skip
_GREPS = frozenset("grep egrep fgrep zgrep rg ripgrep ag ack findstr select-string sls ggrep".split())
_GREP_VALUES = frozenset("-A -B -C -m -e -f -g -t -T --max-count --after-context --before-context --context "
"--regexp"
                         " --glob --type --color --colour --label".split())  # fmt: skip

_LONG_OPTIONS = {
    "--invert-match": "v",
    "--count": "c",
    "--ignore-case": "i",
    "--quiet": "q",
    "--silent": "q",
    "--fixed-strings": "F",
    "--extended-regexp": "E",
    "--perl-regexp": "P",
    "--word-regexp": "w",
    "--line-regexp": "x",
    "--files-with-matches": "l",
}


@dataclass(frozen=True, slots=True)
class Grep:
    """One grep-like stage: which lines it lets through."""

    patterns: tuple[re.Pattern[str], ...]
    inverted: bool = False

    def keeps(self, line: str) -> bool:
        """Whether the line comes out at the other end."""
        return any(pattern.search(line) for pattern in self.patterns) != self.inverted


@dataclass(frozen=True, slots=True)
class View:
    """What of the output reaches the reader.

    ``greps`` in order; ``head``/``tail`` the smallest window in lines, ``None`` without one; ``counted``:
    the output is the number of lines; ``opaque``: some stage prints what it likes; ``hidden``: nothing of it
    is shown; ``file`` where it went instead.
    """

    greps: tuple[Grep, ...] = ()
    head: int | None = None
    tail: int | None = None
    counted: bool = False
    opaque: bool = False
    hidden: bool = False
    file: str | None = None

    @property
    def plain(self) -> bool:
        """Nothing stands between the runner and the reader."""
        return (
            not (self.greps or self.opaque or self.counted or self.hidden) and self.head is self.tail is None
        )

    def keeps(self, line: str) -> bool:
        """Whether a line of this form comes through all the greps."""
        return all(grep.keeps(line) for grep in self.greps)

    def keeps_any(self, lines: Iterable[str]) -> bool:
        """Whether one of the lines comes through."""
        return any(self.keeps(line) for line in lines)


PLAIN = View()


def view(filters: Iterable[Simple], redirects: Iterable[Redirect] = ()) -> View:
    """What the stages behind a command, and its redirections, leave of its output."""
    greps: list[Grep] = []
    head: int | None = None
    tail: int | None = None
    counted = opaque = False
    file = _file(redirects)
    hidden = file is not None
    for stage in filters:
        argv = unwrap(stage.argv).argv
        if not argv:
            continue
        name = program(argv[0])
        into = _file(stage.redirects)
        if into is not None:
            hidden, file = True, into
        if name in ("tail", "head", "select-object"):
            first, last = _window(name, argv)
            head = first if head is None else head if first is None else min(head, first)
            tail = last if tail is None else tail if last is None else min(tail, last)
        elif name in _GREPS:
            grep, counts, quiet = _grep(name, argv)
            counted, hidden = counted or counts, hidden or quiet
            if grep is None:
                opaque = True
            else:
                greps.append(grep)
        elif name == "sed" and (match := _sed_window(argv)):
            head = match if head is None else min(head, match)
        elif name == "wc":
            counted = True
        elif name in ("out-null",):
            hidden = True
        elif (
            name not in _KEEPERS and not (name == "sed" and _sed_keeps(argv)) and name not in ("sort", "uniq")
        ):
            opaque = True
    return View(tuple(greps), head, tail, counted, opaque, hidden, file)


def _file(redirects: Iterable[Redirect]) -> str | None:
    """Where standard output goes, if not to the reader."""
    for redirect in redirects:
        if redirect.operator in (">", ">>", ">|", "&>", "&>>") and redirect.fd in (None, 1):
            if not redirect.target.startswith("&") and redirect.target not in (
                "/dev/stderr",
                "/dev/tty",
                "&2",
            ):
                return redirect.target
    return None


def _window(name: str, argv: tuple[str, ...]) -> tuple[int | None, int | None]:
    """(lines from the start, lines from the end) of ``head``, ``tail``, ``Select-Object``."""
    words = argv[1:]
    number: int | None = None
    for index, word in enumerate(words):
        low = word.lower()
        following = words[index + 1] if index + 1 < len(words) else ""
        if name == "select-object":
            if low in ("-first", "-last") and following.isdigit():
                return (int(following), None) if low == "-first" else (None, int(following))
            continue
        match = re.fullmatch(r"-(?:n|-lines=?)?([+-]?)(\d{1,9})", word)
        if match is None and word in ("-n", "--lines"):
            match = re.fullmatch(r"([+-]?)(\d{1,9})", following)
        if match is not None:
            if match.group(1) == "+" and name == "tail":
                return None, None
            number = int(match.group(2))
            if match.group(1) == "-" and name == "head":
                return 1_000_000, None
        elif word.startswith("-c"):
            number = 3
    if name == "select-object":
        return None, None
    number = 10 if number is None else number
    return (number, None) if name == "head" else (None, number)


def _sed_window(argv: tuple[str, ...]) -> int | None:
    """``sed -n '1,80p'`` is ``head -80``."""
    match = re.fullmatch(r"1,(\d{1,7})p", argv[2]) if len(argv) > 2 and argv[1] == "-n" else None
    return int(match.group(1)) if match else None


def _sed_keeps(argv: tuple[str, ...]) -> bool:
    """``sed 's/a/b/'`` rewrites lines but prints them all."""
    return not any(
        word in ("-n", "--quiet", "--silent") or re.search(r"(?:^|[;\d$/])[dq]\b", word) for word in argv[1:]
    )


def _grep(name: str, argv: tuple[str, ...]) -> tuple[Grep | None, bool, bool]:
    """The predicate of a grep-like command; whether it prints a number; whether it prints nothing."""
    patterns: list[str] = []
    operands: list[str] = []
    letters = ""
    words = list(argv[1:])
    if name in ("select-string", "sls"):
        return _select_string(words), False, any(word.lower() == "-quiet" for word in words)
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == "--":
            operands += words[index:]
            break
        if name == "findstr" and word.startswith("/"):
            low = word.lower()
            letters += "i" if low == "/i" else "v" if low == "/v" else "F" if low == "/l" else ""
            if low.startswith("/c:"):
                patterns.append(word[3:])
            continue
        if word[:1] != "-" or len(word) == 1:
            operands.append(word)
            continue
        option, equals, value = word.partition("=")
        if option in ("-e", "--regexp"):
            patterns.append(value if equals else words[index] if index < len(words) else "")
            index += 0 if equals else 1
        elif option in _GREP_VALUES and not equals:
            index += 1
        elif word.startswith("--"):
            letters += _LONG_OPTIONS.get(option, "")
        elif re.fullmatch(r"-[A-Za-z]*[ABCm]\d+", word):
            letters += word[1:].rstrip("0123456789")[:-1]
        else:
            letters += word[1:]
            if letters.endswith("e") and index < len(words):
                patterns.append(words[index])
                index += 1
            elif letters[-1:] in ("A", "B", "C", "m"):
                index += 1
    if not patterns and operands:
        patterns.append(operands.pop(0))
    extended = name in ("egrep", "rg", "ripgrep", "ag", "ack") or "E" in letters or "P" in letters
    fixed = name in ("fgrep",) or "F" in letters
    if name == "findstr" and not any(word.lower().startswith("/c:") for word in words):
        patterns = [part for pattern in patterns for part in pattern.split()]
    compiled = [_compile(pattern, letters, extended=extended, fixed=fixed) for pattern in patterns]
    counts, quiet = "c" in letters, "q" in letters or "l" in letters
    if not compiled or any(pattern is None for pattern in compiled):
        return None, counts, quiet
    return Grep(tuple(pattern for pattern in compiled if pattern), "v" in letters), counts, quiet


def _select_string(words: list[str]) -> Grep | None:
    given = [word for word in words if not word.startswith("-")]
    inverted = any(word.lower() == "-notmatch" for word in words)
    simple = any(word.lower() == "-simplematch" for word in words)
    parts = [
        part.strip().strip("'\"")
        for word in given[:1]
        for part in (word.split(",") if "," in word else [word])
    ]
    compiled = [_compile(part, "i", extended=True, fixed=simple) for part in parts if part]
    if not compiled or any(pattern is None for pattern in compiled):
        return None
    return Grep(tuple(pattern for pattern in compiled if pattern), inverted)


def _compile(pattern: str, letters: str, *, extended: bool, fixed: bool) -> re.Pattern[str] | None:
    """A grep pattern as one of Python's; ``None`` for what is too wild to try."""
    if len(pattern) > _LIMIT or "$(" in pattern or "\n" in pattern:
        return None
    text = re.escape(pattern) if fixed else _translated(pattern, extended=extended)
    if "w" in letters:
        text = rf"\b(?:{text})\b"
    if "x" in letters:
        text = rf"\A(?:{text})\Z"
    if not fixed and (_NESTED.search(text) or _ODD_SET.search(text)):
        return None
    try:
        return re.compile(text, re.IGNORECASE if "i" in letters else 0)
    except (re.error, OverflowError, RecursionError):
        return None


def _translated(pattern: str, *, extended: bool) -> str:
    for name, inside in _CLASSES.items():
        pattern = pattern.replace(name, inside)
    pattern = pattern.replace(r"\<", r"\b").replace(r"\>", r"\b")
    if extended:
        return pattern
    return re.sub(r"\\([|+?(){}])|([|+?(){}])", lambda m: m.group(1) or "\\" + m.group(2), pattern)
