"""What is known: the draft that compiling a task gives, and the skill it becomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

Kind = Literal["procedure", "rule", "lesson", "recipe", "recap"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Origin = Literal["owner", "agent", "imported", "derived"]
Scope = Literal["project", "global"]
State = Literal["candidate", "proven", "suspended", "withdrawn", "archived", "deleted"]

TITLE_LIMIT = 200
"""Characters."""
SLUG_LIMIT = 80
"""Characters."""
BODY_LIMIT = 64 * 1024
"""Bytes of UTF-8."""
SKILL_TOKEN_LIMIT = 1200
"""A compiled skill stays under this many tokens (see ``skills.tokens``)."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where in a file the work was: the enclosing symbol, and a line of unchanged context."""

    symbol: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file the skill is about, relative to the project's root, '/'-separated."""

    path: str
    anchors: tuple[Anchor, ...] = ()
    role: Literal["changed", "created", "deleted", "read", "test"] = "changed"


@dataclass(frozen=True, slots=True)
class Pitfall:
    """What went wrong on the way and what resolved it.

    ``signature`` is a normalised error (see ``skills.signatures``): volatile parts removed, so the
    same error met again is the same string.  ``resolution`` is a short line naming files or commands.
    """

    signature: str
    resolution: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A skill that is about to be learned; redaction has already run over every text in it.

    ``fingerprint`` is equal for the same work done twice: a digest of the normalised content
    (volatile text removed).  ``source_task`` is the task it was compiled from, empty for text
    written by hand.
    """

    kind: Kind
    title: str
    trigger: str
    steps: tuple[str, ...] = ()
    files: tuple[FileRef, ...] = ()
    check: str = ""
    pitfalls: tuple[Pitfall, ...] = ()
    outcome: str = ""
    body: str = ""
    aliases: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    scope: Scope = "project"
    agent: str = ""
    ttl_days: int | None = None
    origin: Origin = "derived"
    fingerprint: str = ""
    source_task: str = ""
    fail_to_pass: bool = False
    authority: str = ""
    """"exit", "summary" or "both" for what is learned from a verified task."""
    taint: str = ""
    """What its session had read from outside before (``skills.outside.told``), empty for nothing."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill as the fold sees it now.

    ``confirmed`` and ``failed`` count sessions whose evidence is not void.  Times are ISO-8601 UTC.
    """

    id: str
    project: str
    slug: str
    draft: Draft
    state: State = "candidate"
    pinned: bool = False
    archived: bool = False
    approved_hash: str = ""
    """The content hash that is approved; in the fold, of a signed approval, with a space and its key behind
    it: where nothing is signed any more such an approval is none (``store.answering``)."""
    learned_at: str = ""
    updated_at: str = ""
    last_verified_at: str = ""
    version: int = 1
    sessions: tuple[str, ...] = ()
    confirmed: int = 0
    failed: int = 0
    client: str = ""
    exit_proofs: int = 0
    """Confirmations known by exit status."""
    session: str = ""
    """The one that it was learned from, or in which an agent wrote it."""
    content_hash: str = ""
    """What an approval is bound to: a digest of every field that a client may be given."""
    fades_at: str = ""
    """When it fades, empty for never (pinned, the owner's rules)."""
    archives_at: str = ""
    muted: tuple[str, ...] = ()
    """Projects in which agents asked to be given it no more, until the owner looks."""
    waiting: int = 0
    """Texts that wait beside this one (see ``ledger.in_use``)."""
    uses: tuple[str, ...] = ()
    """Requests under which it was applied and verified, the newest first (``skills.uses``)."""
    extra: dict[str, object] = field(default_factory=dict)
    """Unknown front-matter keys of an imported file, kept verbatim."""
