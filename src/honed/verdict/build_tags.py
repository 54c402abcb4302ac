"""Go's build tags: which files a test run did not compile, so that it says nothing of them.

``//go:build integration`` in front of a package keeps the file out of ``go test ./...``; a change of it is
proven by a run with ``-tags integration`` only.  Source: https://pkg.go.dev/cmd/go#hdr-Build_constraints.
"""

from __future__ import annotations

import re

_LINE = re.compile(r"(?m)^(?:[ \t]*\d+(?:\u2192|\t|: ?))?//go:build[ \t]+(?P<wanted>[^\n]+)$")
_WORD = re.compile(r"[\w.]+")
_OF_THE_MACHINE = frozenset(
    (
        "aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1"
        " windows unix 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x"
        " wasm cgo gc gccgo race msan asan purego"
    ).split()
)
_RUN = re.compile(r"\b(?:go[ \t]+test|gotestsum|ginkgo)\b[^\n|;&]*")
_GIVEN = re.compile(r"-tags(?:=|[ \t]+)(?:'([^'\n]*)'|\"([^\"\n]*)\"|([\w,.]+))")
_HEAD = 4000
"""Characters of a file in which the line is looked for: it stands before the package clause."""


def tags_of(text: str) -> frozenset[str]:
    """The tags without which the file that begins with ``text`` is not built.

    Empty for a file that is always built, for one that depends on the machine only, and where the
    condition is more than a list of tags that must all be given.  ``text`` may have line numbers.
    """
    head = text[:_HEAD]
    match = _LINE.search(head) if "//go:build" in head else None
    if match is None or "||" in match["wanted"] or "!" in match["wanted"]:
        return frozenset()
    words = frozenset(_WORD.findall(match["wanted"]))
    return frozenset(word for word in words - _OF_THE_MACHINE if not word.startswith("go1"))


def given_tags(command: str, output: str) -> frozenset[str] | None:
    """The tags that a run was given, ``None`` where the command that ran cannot be seen.

    A wrapper (``make test``) is known by the command that it prints.
    """
    seen = _RUN.findall(command) or _RUN.findall(output[:2000])
    if not seen:
        return None
    found = [given for text in (command, *seen) for quoted in _GIVEN.findall(text) for given in quoted]
    return frozenset(word for given in found for word in re.split(r"[ ,]+", given) if word)
