"""What a session and a sub-agent are given when they begin.

In this order: the owner's approved rules, then as far as ``start.tokens`` has room: how the project is
checked, its strongest titles, what is new.  The room is small at first, for only the check pays for itself
(docs/simulated.md); a title says what a request's note says anyway.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

import os
import time
from binascii import crc32

from honed.hooks.giving import (
    LEAST,
    NOTE_TOKENS,
    NOTHING,
    SESSION_TOKENS,
    Given,
    joined,
    of_note,
    reading,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from honed.agents.wire import Fired
    from honed.hooks.giving import Dial
    from honed.hooks.spool import Past
    from honed.store.reading import Reader

START_TOKENS = 400
"""Approved rules, and what faded; of the rest the owner says how much (``start.tokens``)."""
_RULES, _TITLES, _NEW = 12, 6, 3
NEW_DAYS = 7
"""How long something that was learned is new."""
OPENED = "#opening"
"""By what a session remembers the text with which it began; a resumed one has it still."""


def session_start(home: str, fired: Fired, past: Past) -> Given:
    """At a session's start; after a compaction the active note instead, once more."""
    if fired.source == "compact" and any("#" not in one for one in past.active):
        return _again(home, past.active, past)
    return reading(home, lambda reader, deliverable: _opening(reader, fired, past, deliverable))


def subagent_start(home: str, fired: Fired, past: Past) -> Given:
    """At a sub-agent's start: what its task was found to need, else the owner's rules."""
    if past.waiting:
        return _again(home, past.waiting, past)
    if past.given:
        return NOTHING
    from honed.store.place import locate

    def look(reader: Reader, _: Dial) -> Given:
        project = reader.project(locate(os.path.abspath(fired.cwd)))
        return _rules(reader, project, past, min(START_TOKENS, SESSION_TOKENS - past.spent))

    return reading(home, look)


def _again(home: str, ids: Mapping[str, int], past: Past) -> Given:
    """A note of skills that were chosen before."""
    from honed.recall.hits import Hit
    from honed.recall.note import compose

    left = min(NOTE_TOKENS, SESSION_TOKENS - past.spent)

    def look(reader: Reader, deliverable: Dial) -> Given:
        wanted = [one for one in ids if "#" not in one]
        hits = [Hit(facts, 1.0, False) for facts in reader.by_ids(wanted) if deliverable(facts)]
        note = compose(hits, left) if hits and left >= LEAST else None
        if note is None:
            return NOTHING
        return of_note(note, hits)

    return reading(home, look)


def _opening(reader: Reader, fired: Fired, past: Past, deliverable: Dial) -> Given:
    from honed.store.place import locate

    project = reader.project(locate(os.path.abspath(fired.cwd)))
    left = min(START_TOKENS, SESSION_TOKENS - past.spent)
    rules = _rules(reader, project, past, left)
    if project is None:
        return rules
    known = _known(reader, project, deliverable, min(left - rules.tokens, deliverable.start))
    known = joined(
        _meanwhile(reader, project, deliverable.now, left - rules.tokens - known.tokens - 1), known
    )
    mark = crc32(known.text.encode("utf-8", "surrogatepass"))
    if not known.text or past.given.get(OPENED) == mark:
        return rules
    return joined(rules, Given(known.text, known.tokens, {**known.ids, OPENED: mark}))


def _rules(reader: Reader, project: str | None, past: Past, left: int) -> Given:
    """The owner's approved rules that the session was not given yet."""
    from honed.recall.hits import Hit, grade_of
    from honed.recall.note import compose

    known = reader.approved_rules(project, _RULES)
    rules = [facts for facts in known if grade_of(facts) == "guidance"]
    fresh = [Hit(facts, 1.0, False) for facts in rules if past.given.get(facts.id) != facts.version]
    note = compose(fresh, left) if fresh and left >= LEAST else None
    if note is None:
        return NOTHING
    given = of_note(note, fresh)
    given.always = given
    return given


def _meanwhile(reader: Reader, project: str, now: str, left: int) -> Given:
    """What faded while nobody worked with this memory for long."""
    from honed.recall.note import framed
    from honed.skills.tokens import estimate
    from honed.store.absence import archived_meanwhile

    last, gone = archived_meanwhile(reader, project, now)
    line = (
        f"Since {last[:10]} nothing was recorded here; meanwhile {gone} skill{'s' if gone > 1 else ''} of"
        " this project faded. `honed decay` names them, `honed restore SLUG` brings one back."
    )
    text = framed([line], "", "reference")
    return Given(text, estimate(text), {}) if gone and estimate(text) <= left else NOTHING


def _known(reader: Reader, project: str, deliverable: Dial, left: int) -> Given:
    """How the project is checked, its strongest titles, and what was learned in the last days."""
    from honed.recall.note import sections_note
    from honed.recall.usual import HEADING, lines, mark_of

    if left <= 0:
        return NOTHING
    checks = lines(reader, project, deliverable.deliver)
    told: set[str] = set()
    sections = (
        (HEADING, [(line, "reference") for line in checks]),
        (
            "honed knows of this project, and gives the whole when a request fits:",
            _titles(reader, project, deliverable, told),
        ),
        (f"New in the last {NEW_DAYS} days:", _news(reader, project, deliverable, told)),
    )
    shown = sections_note(sections, left)
    if shown is None:
        return NOTHING
    return Given(shown.text, shown.tokens, {mark_of(project): 1} if HEADING in shown.text else {})


def _titles(reader: Reader, project: str, deliverable: Dial, told: set[str]) -> Iterator[tuple[str, str]]:
    """The strongest skills, whose ids are ``told`` then, a line each with its grade; no line twice."""
    from honed.recall.note import title_line
    from honed.store.strongest import of_project

    known = [facts for facts in of_project(reader, project, 4 * _TITLES) if deliverable(facts)][:_TITLES]
    told.update(facts.id for facts in known)
    yield from dict.fromkeys(title_line(facts) for facts in known)


def _news(reader: Reader, project: str, deliverable: Dial, told: set[str]) -> Iterator[tuple[str, str]]:
    """What was learned in the last days and is not ``told`` yet, a line each with its grade."""
    from honed.recall.hits import grade_of
    from honed.recall.safe import quoted
    from honed.skills.tokens import clip
    from honed.store.strongest import newest

    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - NEW_DAYS * 86400))
    fresh = [facts for facts in newest(reader, project, since, _TITLES + _NEW) if facts.id not in told]
    for facts in [one for one in fresh if deliverable(one)][:_NEW]:
        yield f"- {quoted(clip(facts.title, 45))} ({facts.learned_at[:10]})", grade_of(facts)
