"""What a recall reads of a skill, as plain slotted classes; on the hot path (docs/decisions/0004)."""

from __future__ import annotations

from honed.quick_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOWHERE = "-"
"""In ``skills.muted``: no project (as ``ledger.fold.NOWHERE``, which no hook loads)."""
FACTS = (
    "n id project slug kind state pinned approved content_hash origin taint title trigger_text draft"
    " version confirmed failed exit_proofs learned_at verified_at fades_at archives_at muted"
).split()
"""The columns of ``Facts``, in the order of its row."""
TEXTS = "head head_stem body_stem keys uses occasions places talk".split()
"""The first columns of ``Indexed``."""


class Counted:
    """In how many skills of a scope a word stands, per field."""

    __slots__ = ("body_stem", "head", "head_stem", "keys", "uses")

    def __init__(self) -> None:
        self.head = self.head_stem = self.body_stem = self.keys = self.uses = 0

    @property
    def most(self) -> int:
        """The field that has it most often: at most the number of skills that have it at all."""
        return max(self.head, self.head_stem, self.body_stem, self.keys, self.uses)


class Indexed:
    """The words of one skill, by field, and what orders it among near-equals.

    ``fades`` and ``archives`` are days as ``julianday`` counts them, ``None`` for a skill that stays.
    """

    __slots__ = (
        "approved", "archives", "body_stem", "body_words", "confirmed", "fades", "failed", "head",
        "head_stem", "id", "keys", "kind", "n", "occasions", "pinned", "places", "project", "session",
        "state", "talk", "uses",
    )  # fmt: skip

    def __init__(self, row: Sequence[object]) -> None:
        texts, rest = [str(value) for value in row[: len(TEXTS)]], row[len(TEXTS) :]
        self.head, self.head_stem, self.body_stem, self.keys, self.uses, self.occasions, *texts = texts
        self.places, self.talk = texts
        body_words, n, skill_id, project, kind, state, pinned, approved, content_hash = rest[:9]
        self.confirmed, self.failed, self.session = int(str(rest[9])), int(str(rest[10])), str(rest[11])
        self.fades, self.archives = (None if day is None else float(str(day)) for day in rest[12:])
        self.body_words = int(str(body_words))
        self.n = int(str(n))
        self.id = str(skill_id)
        self.project = str(project)
        self.kind = str(kind)
        self.state = str(state)
        self.pinned = bool(pinned)
        self.approved = bool(approved) and str(approved).partition(" ")[0] == content_hash


class Facts:
    """What is known of one skill: columns of ``skills``, ``draft``, its text as canonical JSON, and whether
    it is ``muted`` where the reader stands (see ``Reader.project``)."""

    __slots__ = (*FACTS, "_told")

    n: int
    id: str
    project: str
    slug: str
    kind: str
    state: str
    pinned: int
    approved: str
    content_hash: str
    origin: str
    taint: str
    title: str
    trigger_text: str
    draft: str
    version: int
    confirmed: int
    failed: int
    exit_proofs: int
    learned_at: str
    verified_at: str
    fades_at: str
    archives_at: str
    muted: bool

    def __init__(self, row: Sequence[object], here: str = "") -> None:
        for name, value in zip(FACTS, row, strict=True):
            setattr(self, name, value)
        self.muted = bool(self.muted) and (bool(self.project) or here in str(self.muted).split())
        self._told: Mapping[str, object] | None = None

    @property
    def told(self) -> Mapping[str, object]:
        """The fields of ``draft``, decoded when they are first asked for; none of a text that is no draft."""
        if self._told is None:
            try:
                value = loads(self.draft)
            except (ValueError, RecursionError):
                value = None
            self._told = value if isinstance(value, dict) else {}
        return self._told
