"""What the scripted agent takes from a note: nothing but what stands in its lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TITLE = re.compile(r'^- "(?P<title>.*?)" \(')
_CODE = re.compile(r"`([^`\n]+)`")
_PITFALL = re.compile(r"Pitfall: `(?P<error>[^`]*)`(?: from `(?P<bad>[^`]*)`)?: (?P<what>.*)")
_CHECK = re.compile(r"^\s+Check: `(?P<check>[^`]+)`")
_USUAL = re.compile(r"^\s*- `(?P<check>[^`]+)`")
_FIRST = re.compile(r"(?:First run|^\s+\d*\.? ?Run) `(?P<command>[^`]+)`|Run `(?P<other>[^`]+)` first")
_FILE = re.compile(r"^[\w./-]+\.\w{1,5}$")
_SMALL = frozenset(
    "the and for with when that this from into are was has have its they them their then too not but all our"
    " one please after again wrong should does did make sure can you".split()
)


def words_of(text: str) -> list[str]:
    """The words of a request, or of an error, that are worth searching for."""
    found = [word.lower() for word in re.findall(r"[A-Za-z_]{3,}", text)]
    return list(dict.fromkeys(word for word in found if word not in _SMALL))


@dataclass(slots=True)
class Advice:
    """What notes said so far: ``checks`` (forms of the tests), commands to run ``first``, files to change
    ``too``, what to run ``instead`` of a command, and the files of each title."""

    checks: dict[str, None] = field(default_factory=dict)
    first: dict[str, None] = field(default_factory=dict)
    too: dict[str, None] = field(default_factory=dict)
    instead: dict[str, str] = field(default_factory=dict)
    named: list[tuple[str, str]] = field(default_factory=list)
    doubted: set[str] = field(default_factory=set)

    def take(self, note: str) -> None:
        """Read a note line by line."""
        title = ""
        for line in note.splitlines():
            told = _TITLE.match(line)
            if told:
                title = told["title"]
                continue
            if check := _CHECK.match(line) or _USUAL.match(line):
                self.checks.setdefault(check["check"])
            elif pitfall := _PITFALL.search(line):
                self._pitfall(pitfall["bad"] or "", pitfall["what"])
            elif first := _FIRST.search(line):
                self.first.setdefault(first["command"] or first["other"])
            else:
                files = [code for code in _CODE.findall(line) if _FILE.match(code) and "/" in code]
                self.named += [(title, path) for path in files]

    def _pitfall(self, bad: str, what: str) -> None:
        codes = _CODE.findall(what)
        if what.startswith("Change"):
            self.too.update(dict.fromkeys(codes))
        elif what.startswith("Run") and what.rstrip().endswith("first") and codes:
            self.first.setdefault(codes[0])
        elif what.startswith("Use") and codes:
            if bad and codes[0] not in self.doubted:
                self.instead[bad] = codes[0]
            self.checks.setdefault(codes[0])

    def doubt(self, command: str) -> None:
        """A command that a note named does not work here: nothing is replaced by it any more."""
        self.instead = {bad: good for bad, good in self.instead.items() if good != command}
        self.doubted.add(command)

    def trusted(self, request: str) -> list[str]:
        """Files whose title shares two words with the request."""
        asked = set(words_of(request))
        return list(
            dict.fromkeys(path for title, path in self.named if len(asked & set(words_of(title))) >= 2)
        )

    def files(self) -> list[str]:
        """All files that notes named."""
        return list(dict.fromkeys(path for _, path in self.named))
