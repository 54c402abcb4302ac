"""What in a pack's text would harm whoever does what it says: findings, each with the line it stands in.

Not a proof of harmlessness, and no reason to trust what has none: a pack's text is data until its owner
approves it.  A finding keeps a skill from being given at all until its owner has looked.  What is hidden
(``packs.hidden``) is decoded and looked at like the rest; an order to a model counts where it is hidden, or
where it asks for silence before the user.  Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from honed.packs.hidden import Hidden, hidden
from honed.packs.scan_guards import GUARDS
from honed.packs.scan_rules import NEGATED, RULES, UNSEEN

_JOINT = "\x0b"
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
    for kind, pattern in (*_COMPILED, *_COMPILED_UNSEEN):
        match = pattern.search(one.text)
        if match and not _is_known(match[0]):
            yield Finding(kind, file, one.line, one.how, _shown(_line_of(one.text, match)))


def _visible(text: str, file: str) -> Iterator[Finding]:
    folded = _joined_lines(text)
    for kind, pattern in _COMPILED:
        for match in pattern.finditer(folded):
            if _is_known(match[0]) or _is_spoken_of(kind, folded, match):
                continue
            yield Finding(
                kind, file, _line_number(folded, match.start()), "", _shown(_line_of(folded, match))
            )


def _joined_lines(text: str) -> str:
    """Lines that a backslash continues are one to a shell; a vertical tab stays in each place, for
    counting."""
    return re.sub(r"[ \t]*\\\r?\n[ \t]*", f" {_JOINT}", text.replace(_JOINT, " "))


def _line_number(text: str, at: int) -> int:
    return text.count("\n", 0, at) + text.count(_JOINT, 0, at) + 1


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
    start = text.rfind("\n", 0, match.start()) + 1
    before = text[start : match.start()].strip("`\"' ")
    if _NOT.search(before):
        return True
    if kind != "order":
        return False
    around = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
    line = _line_of(text, match)
    at = match.start() - start
    opened = len(_QUOTES.findall(line[:at])) % 2 == 1
    return opened or bool(_QUOTES.search(around)) or line.lstrip().startswith((">", "|"))


def _line_of(text: str, match: re.Match[str]) -> str:
    start = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    return text[start : end if end >= 0 else len(text)]


def _shown(text: str) -> str:
    return text.replace(_JOINT, " ").strip()[:SHOWN]
