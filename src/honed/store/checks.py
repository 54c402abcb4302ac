"""In which sessions which check passed: what a project's usual checks are told from (``skills.usual``).

On the hot path (docs/decisions/0004): one statement, over the last changed skills of one project.
"""

from __future__ import annotations

import json

from honed.skills.usual import Proof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from honed.store.reading import Reader

LAST_SKILLS = 64
"""Skills that are looked at; how a project was checked long ago says little."""

_PROOFS = f"""
WITH recent AS (
  SELECT s.id, s.session, s.learned_at,
    (SELECT json_extract(p.body, '$.draft.check') FROM payloads p WHERE p.n = s.text) AS passed
  FROM skills s INDEXED BY skills_updated
  WHERE s.project = ? AND s.origin = 'derived' AND s.taint = '' AND s.archived = 0
    AND s.state IN (SELECT value FROM json_each(?))
  ORDER BY s.updated_at DESC, s.id DESC LIMIT {LAST_SKILLS}
)
SELECT passed, session, learned_at FROM recent
UNION ALL
SELECT r.passed, e.session, e.at FROM recent r JOIN skill_evidence e ON e.skill = r.id WHERE e.counts > 0
"""

LAST_FOR_RECIPES = 2000
"""Skills among which recipes are looked for: a project of a hundred thousand is not read to its end."""

_FORMS = f"""
WITH recent AS (
  SELECT s.title, s.text, s.kind, s.origin, s.taint, s.archived, s.state, s.updated_at
  FROM skills s INDEXED BY skills_updated
  WHERE s.project = ? ORDER BY s.updated_at DESC, s.id DESC LIMIT {LAST_FOR_RECIPES}
)
SELECT s.title FROM recent s
WHERE s.kind = 'recipe' AND s.origin = 'derived' AND s.taint = '' AND s.archived = 0
  AND s.state IN (SELECT value FROM json_each(?))
  AND (SELECT json_extract(p.body, '$.draft.check') FROM payloads p WHERE p.n = s.text) != ''
GROUP BY s.title ORDER BY max(s.updated_at) DESC, s.title LIMIT ?
"""


def recipe_titles(reader: Reader, project: str, states: Sequence[str], limit: int) -> list[str]:
    """The titles of the last recipes of ``project`` that say how its tests are run, sentences of honed's own.
    Raises as ``proofs``."""
    rows = reader.rows(_FORMS, (project, json.dumps(states), limit))
    return [str(title) for (title,) in rows]


def proofs(reader: Reader, project: str, states: Sequence[str]) -> list[Proof]:
    """The sessions that verified skills of ``project`` (or of one that is linked to it) that are in one of
    ``states``, each with the check that passed.

    A skill says it of the session that taught it, and of each that confirmed it later.  Raises
    ``UnavailableError`` when memory cannot be read.
    """
    wanted = json.dumps(states)
    rows = [row for name in reader.linked(project) for row in reader.rows(_PROOFS, (name, wanted))]
    return [Proof(str(check or ""), str(session), str(at)) for check, session, at in rows]
