"""What in a pack's text would harm whoever does what it says: findings, each with the line it stands in.

Not a proof of harmlessness, and no reason to trust what has none: a pack's text is data until its owner
approves it.  A finding keeps a skill from being given at all until its owner has looked.  What is hidden
(``packs.hidden``) is decoded and looked at like the rest; an order to a model counts where it is hidden, or
where it asks for silence before the user.  Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from honed.packs.hidden import Hidden, hidden
from honed.packs.scan_guards import GUARDS
from honed.packs.scan_rules import NEGATED, RULES, UNSEEN

_GAP = re.compile(r"(?:\s|\\\r?\n){2,}|\\\r?\n|[^\S ]")
_CONTINUED = re.compile(r"\\\r?\n")
NEAR = 1000
"""Characters of its line before a finding that are looked at for a warning or a quotation."""
SHOWN = 160
"""Characters of a finding's own line that are shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found: ``kind`` is one of ``KINDS``; ``file`` and 1-based ``line`` say where; ``how`` how it
    was hidden (empty: it was not); ``excerpt`` what it says, decoded."""

    kind: str
    file: str
    line: int
    how: str
    excerpt: str

    @property
    def told(self) -> str:
        """In words, without the text itself."""
        where = f"{self.file}, line {self.line}"
        return f"{KINDS[self.kind]} ({where}{', hidden in ' + self.how if self.how else ''})"


KINDS = {
    "pipe": "hands what comes from elsewhere to a shell or an interpreter",
    "send": "sends files, keys or the environment elsewhere",
    "stay": "writes where it is run again later, or to where keys and agents' settings are",
    "destroy": "deletes or opens up far more than its own files",
    "unguard": "turns off what guards you: an agent's confirmations, hooks, certificates",
    "order": "orders a model about behind its user's back",
    "hidden": "hides text from whoever reads it",
}

_COMPILED_UNSEEN = tuple((kind, re.compile(pattern)) for kind, pattern in UNSEEN)
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in (*RULES, *GUARDS))
_INSTALLERS = {
    "astral.sh": ("/uv",),
    "bun.sh": ("/install",),
    "chatgpt.com": ("/codex/install",),
    "claude.ai": ("/install",),
    "deno.land": ("/install",),
    "fly.io": ("/install",),
    "fnm.vercel.app": ("/install",),
    "get.docker.com": ("",),
    "get.k3s.io": ("",),
    "get.pnpm.io": ("/",),
    "get.sdkman.io": ("",),
    "install.python-poetry.org": ("",),
    "mise.run": ("",),
    "nixos.org": ("/nix/install",),
    "pyenv.run": ("",),
    "raw.githubusercontent.com": (
        "/Homebrew/install/",
        "/nvm-sh/nvm/",
        "/pyenv/pyenv-installer/",
        "/helm/helm/",
    ),
    "rustwasm.github.io": ("/wasm-pack/installer",),
    "sh.rustup.rs": ("",),
    "starship.rs": ("/install",),
    "www.npmjs.com": ("/install.sh",),
}
"""Installers that their makers publish in this very form: to repeat them is no finding.  By host, what the
path begins with."""
_ADDRESS = re.compile(r"(https?)://([^\s/?#]*)(\S*)")
_COMMIT = re.compile(r"/[0-9a-f]{7,64}/")
_ADDRESS_END = "\"'`)];|,"
_QUOTES = re.compile(r"[\"'`\u201c\u201d\u2018\u00ab]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in which every run of white space is one space, or one line end where it holds one: no padding
    keeps two words apart, and no expression has to try how much of it is whose.  Lines that a backslash
    continues are one, as they are to a shell.  ``ends`` are where each run ends, ``lines`` in which line."""

    text: str
    ends: tuple[int, ...]
    lines: tuple[int, ...]

    def line(self, at: int) -> int:
        """The 1-based line, in the text as it was, of what stands at ``at``."""
        before = bisect_right(self.ends, at)
        return self.lines[before - 1] if before else 1


def folded(text: str) -> Folded:
    """A text as the rules read it."""
    pieces: list[str] = []
    ends: list[int] = []
    lines: list[int] = []
    done = size = 0
    line = 1
    for gap in _GAP.finditer(text):
        kept = text[done : gap.start()]
        line += gap[0].count("\n")
        size += len(kept) + 1
        pieces += (kept, "\n" if "\n" in _CONTINUED.sub("", gap[0]) else " ")
        ends.append(size)
        lines.append(line)
        done = gap.end()
    pieces.append(text[done:])
    return Folded("".join(pieces), tuple(ends), tuple(lines))


def scan(text: str, file: str) -> list[Finding]:
    """What is found in one text, in the order of its lines; each kind once a line."""
    found = list(_visible(text, file))
    for one in hidden(text):
        inner = list(_within(one, file))
        if not inner and one.alone:
            inner = [Finding("hidden", file, one.line, one.how, _shown(one.text))]
        found += inner
    kept: dict[tuple[str, int, str], Finding] = {}
    for finding in found:
        kept.setdefault((finding.kind, finding.line, finding.how), finding)
    return sorted(kept.values(), key=lambda finding: (finding.line, finding.kind))


def _within(one: Hidden, file: str) -> Iterator[Finding]:
    text = folded(one.text).text
    for kind, pattern in (*_COMPILED, *_COMPILED_UNSEEN):
        match = pattern.search(text)
        if match and not _is_known(match[0]):
            yield Finding(kind, file, one.line, one.how, _shown(_line_of(text, match)))


def _visible(text: str, file: str) -> Iterator[Finding]:
    look = folded(text)
    for kind, pattern in _COMPILED:
        for match in pattern.finditer(look.text):
            if _is_known(match[0]) or _is_spoken_of(kind, look.text, match):
                continue
            yield Finding(kind, file, look.line(match.start()), "", _shown(_line_of(look.text, match)))


def _is_known(matched: str) -> bool:
    addresses = [match.groups() for match in _ADDRESS.finditer(matched)]
    return bool(addresses) and all(_is_installer(*parts) for parts in addresses)


def _is_installer(scheme: str, host: str, path: str) -> bool:
    """Whether an address is one of ``_INSTALLERS``, by its whole host: what only begins like one is another.

    Below a repository's own address GitHub also serves commits of its forks, by their ids.
    """
    begins = _INSTALLERS.get(host.rstrip(_ADDRESS_END), ())
    leads_away = ".." in path or _COMMIT.search(path)
    return scheme == "https" and not leads_away and path.startswith(begins)


_NOT = re.compile(NEGATED, re.IGNORECASE)


def _is_spoken_of(kind: str, text: str, match: re.Match[str]) -> bool:
    """Whether a visible text warns of the thing, or cites it, and does not ask for it.

    Whoever writes a warning only to get through is given as data all the same.
    """
    start = max(text.rfind("\n", 0, match.start()) + 1, match.start() - NEAR)
    before = text[start : match.start()].strip("`\"' ")
    if _NOT.search(before):
        return True
    if kind != "order":
        return False
    around = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
    opened = len(_QUOTES.findall(text, start, match.start())) % 2 == 1
    begin = text.rfind("\n", 0, match.start()) + 1
    return opened or bool(_QUOTES.search(around)) or text.startswith((">", "|", " >", " |"), begin)


def _line_of(text: str, match: re.Match[str]) -> str:
    start = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    return text[start : end if end >= 0 else len(text)]


def _shown(text: str) -> str:
    return text.strip()[:SHOWN]
