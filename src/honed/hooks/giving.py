"""What each event is given: one function per event, from what fired and what the session had so far.

Budgets are those of docs/design.md.  Each function only reads; it raises what the store raises.
On the hot path (docs/decisions/0004): what one event alone needs is imported in its function.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from honed.agents.wire import Fired
    from honed.hooks.spool import Past
    from honed.store.reading import Facts, Reader

SESSION_TOKENS = 3000
"""All that a session is given."""
NOTE_TOKENS = 600
START_TOKENS = 400
TOOL_TOKENS = 150
TOOL_TIMES = 5
"""How often before tools, and how often after failed ones, a session is told something."""
LEAST = 60
"""Fewer tokens left are not worth a note."""
_RULES, _TITLES = 12, 6
_OUTPUT_LIMIT = 64 * 1024
"""Characters of a tool's output that are looked at."""


class Given:
    """What a hook says: ``text`` (empty: nothing), its ``tokens``, the skills in it by version.

    ``silently``: nothing is said now, but the next sub-agent is to be given these skills.
    """

    __slots__ = ("ids", "silently", "text", "tokens")

    def __init__(self, text: str, tokens: int, ids: Mapping[str, int], *, silently: bool = False) -> None:
        self.text = text
        self.tokens = tokens
        self.ids = ids
        self.silently = silently


NOTHING = Given("", 0, {})


class Dial:
    """What the owner lets through ``now``: called with a skill, and his setting ``deliver``."""

    __slots__ = ("deliver", "now")

    def __init__(self, deliver: str, now: str) -> None:
        self.deliver = deliver
        self.now = now

    def __call__(self, facts: Facts) -> bool:
        from honed.recall.hits import Hit, withheld_reason

        return not withheld_reason(Hit(facts, 1.0, False, ()), self.deliver, self.now)


def prompt(home: str, fired: Fired, past: Past) -> Given:
    """The note for what the user asked."""
    return _note(home, fired, past, fired.prompt, past.given)


def _note(home: str, fired: Fired, past: Past, text: str, known: Mapping[str, int]) -> Given:
    from honed.asking import recall

    left = min(NOTE_TOKENS, SESSION_TOKENS - past.spent)
    if left < LEAST or not text.strip():
        return NOTHING
    found = recall(home, text, cwd=fired.cwd, given=known, most=left, upgrade=False)
    if found.note is None:
        return NOTHING
    told = {hit.id: hit.facts.version for hit in found.hits}
    return Given(found.note, found.tokens, {**told, **found.besides})


def pre_tool(home: str, fired: Fired, past: Past) -> Given:
    """Before a tool: the note of a sub-agent's task, else what is known of exactly this command or file."""
    if fired.task:
        given = _note(home, fired, past, fired.task, {})
        takes_text = bool(fired.wire.task_input)
        return Given(given.text, given.tokens, given.ids, silently=not takes_text) if given.ids else NOTHING
    if past.counts.get("pre-tool", 0) >= TOOL_TIMES or not (fired.command or fired.paths):
        return NOTHING
    from honed.hooks.matching import before_command, before_edit

    def look(reader: Reader, deliverable: Dial) -> Given:
        matching = before_command if fired.command else before_edit
        return _lines(matching(reader, fired), past, deliverable)

    return _reading(home, look)


def tool_failed(home: str, fired: Fired, past: Past) -> Given:
    """After a tool that failed: what resolved exactly this error before."""
    times = past.counts.get("tool-failed", 0) + past.counts.get("post-tool", 0)
    if times >= TOOL_TIMES or not fired.output.strip():
        return NOTHING
    from honed.hooks.matching import after_failure

    output = fired.output
    if len(output) > _OUTPUT_LIMIT:
        output = output[: _OUTPUT_LIMIT // 2] + "\n" + output[-_OUTPUT_LIMIT // 2 :]

    def look(reader: Reader, deliverable: Dial) -> Given:
        return _lines(after_failure(reader, fired, output), past, deliverable)

    return _reading(home, look)


def post_tool(home: str, fired: Fired, past: Past) -> Given:
    """After a tool, for clients that tell of a failure in no other way."""
    if not (fired.wire.failing_output and fired.command):
        return NOTHING
    return tool_failed(home, fired, past)


def _lines(found: Sequence[tuple[Facts, Sequence[str]]], past: Past, deliverable: Dial) -> Given:
    """The first skill of which something was not said yet, in a frame, cut to its budget."""
    from honed.recall.note import short_note

    left = min(TOOL_TOKENS, SESSION_TOKENS - past.spent)
    said: set[str] = set()
    for facts, lines in found:
        mark = f"{facts.id}#tool"
        if facts.version in (past.given.get(facts.id), past.given.get(mark)):
            said.update(lines)
            continue
        fresh = [line for line in lines if line not in said]
        if not fresh or left < LEAST or not deliverable(facts):
            continue
        note = short_note(facts, fresh, left)
        if note is not None:
            return Given(note.text, note.tokens, {mark: facts.version})
    return NOTHING


def session_start(home: str, fired: Fired, past: Past) -> Given:
    """At a session's start: the owner's approved rules first, then how this project is checked, and its
    strongest titles.

    After a compaction the active note instead, once more.
    """
    if fired.source == "compact" and any("#" not in one for one in past.active):
        return _again(home, past.active, past)
    return _reading(home, lambda reader, deliverable: _opening(reader, fired, past, deliverable))


def subagent_start(home: str, fired: Fired, past: Past) -> Given:
    """At a sub-agent's start: what its task was found to need, else the owner's rules."""
    if past.waiting:
        return _again(home, past.waiting, past)
    if past.given:
        return NOTHING
    return _reading(home, lambda reader, deliverable: _opening(reader, fired, past, deliverable, titles=0))


def _again(home: str, ids: Mapping[str, int], past: Past) -> Given:
    """A note of skills that were chosen before."""
    from honed.recall.hits import Hit
    from honed.recall.note import compose

    left = min(NOTE_TOKENS, SESSION_TOKENS - past.spent)

    def look(reader: Reader, deliverable: Dial) -> Given:
        wanted = [one for one in ids if "#" not in one]
        hits = [Hit(facts, 1.0, False, ()) for facts in reader.by_ids(wanted) if deliverable(facts)]
        note = compose(hits, left) if hits and left >= LEAST else None
        if note is None:
            return NOTHING
        versions = {hit.id: hit.facts.version for hit in hits if hit.id in note.ids}
        return Given(note.text, note.tokens, versions)

    return _reading(home, look)


def _opening(
    reader: Reader,
    fired: Fired,
    past: Past,
    deliverable: Dial,
    *,
    titles: int = _TITLES,
) -> Given:
    from honed.recall.hits import Hit, grade_of
    from honed.recall.note import compose, titles_note
    from honed.recall.usual import HEADING, lines, mark_of
    from honed.store.place import locate

    left = min(START_TOKENS, SESSION_TOKENS - past.spent)
    if left < LEAST:
        return NOTHING
    project = reader.project(locate(os.path.abspath(fired.cwd)))
    rules = [facts for facts in reader.rules(project, _RULES) if grade_of(facts) == "guidance"]
    told = [Hit(facts, 1.0, False, ()) for facts in rules if past.given.get(facts.id) != facts.version]
    note = compose(told, left) if told else None
    ids = {hit.id: hit.facts.version for hit in told if note is not None and hit.id in note.ids}
    texts = [note.text] if note is not None else []
    spent = note.tokens if note is not None else 0
    if project is None or not titles or left - spent < LEAST:
        return Given("\n".join(texts), spent, ids) if texts else NOTHING
    known = [facts for facts in reader.strongest(project, 4 * titles) if deliverable(facts)]
    checks = lines(reader, project, deliverable.deliver)
    shown = titles_note(known[:titles], left - spent, [HEADING, *checks] if checks else [])
    if shown is not None:
        texts.append(shown.text)
        spent += shown.tokens
        ids |= {mark_of(project): 1} if checks else {}
    return Given("\n".join(texts), spent, ids) if texts else NOTHING


def _reading(home: str, look: Callable[[Reader, Dial], Given]) -> Given:
    """What ``look`` finds in the memory, given what the owner lets through."""
    import time

    from honed.config import Config
    from honed.store.reading import open_readonly

    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    with open_readonly(home) as reader:
        deliver = str(Config.load(home, reader.settings())["deliver"])
        return look(reader, Dial(deliver, now))


BY_EVENT: Mapping[str, Callable[[str, Fired, Past], Given]] = {
    "session-start": session_start,
    "prompt": prompt,
    "pre-tool": pre_tool,
    "post-tool": post_tool,
    "tool-failed": tool_failed,
    "subagent-start": subagent_start,
}
"""Events that may say something.  The others only remember, or start the absorber."""
