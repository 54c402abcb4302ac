"""Words of the index that hold one character, for scripts that are kept as pairs of characters."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from honed.store.reading import Reader

_UNSPACED_FROM = "\u0e00"
"""Where such scripts begin: the words of others, which come before, are not walked through."""


def pairs_with(reader: Reader, scopes: Sequence[int], character: str, limit: int) -> list[str]:
    """The pairs of characters with ``character`` in them that most skills of ``scopes`` have, the most
    frequent first, at most ``limit``."""
    having: dict[str, int] = {}
    for scope in scopes:
        prefix = f"{scope}_"
        rows = reader.rows(
            "SELECT substr(term, ?1), max(doc) FROM skill_vocab WHERE term >= ?2 AND term < ?3"
            " AND length(term) = ?1 + 1 AND instr(term, ?4) GROUP BY term ORDER BY 2 DESC, 1 LIMIT ?5",
            (len(prefix) + 1, prefix + _UNSPACED_FROM, f"{scope}`", character, limit),
        )
        for pair, skills in rows:
            having[str(pair)] = having.get(str(pair), 0) + int(str(skills))
    return sorted(having, key=lambda pair: (-having[pair], pair))[:limit]
