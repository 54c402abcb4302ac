"""What each event is given: one function per event, from what fired and what the session had so far.

Budgets are those of docs/design.md.  Each function only reads; it raises what the store raises.
On the hot path (docs/decisions/0004): what one event alone needs is imported in its function.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from honed.agents.wire import Fired
    from honed.config import Config
    from honed.hooks.spool import Past
    from honed.recall.hits import Hit
    from honed.recall.note import Note
    from honed.store.found import Facts
    from honed.store.reading import Reader

SESSION_TOKENS = 3000
"""All that a session is given."""
NOTE_TOKENS = 600
TOOL_TOKENS = 150
TOOL_TIMES = 5
"""How often before tools, and how often after failed ones, a session is told something."""
LEAST = 60
"""Fewer tokens left are not worth a note."""
_LESSONS = 6
"""Texts of a skill that is called by its name."""
_AFTER = ("tool-failed", "post-tool")
_OUTPUT_LIMIT = 64 * 1024
"""Characters of a tool's output that are looked at."""


class Given:
    """What a hook says: ``text`` (empty: nothing), its ``tokens``, the skills in it by version.

    ``how`` is the grade of each and how probable it was that it fits, for the receipt (``how_chosen``).
    ``silently``: nothing is said now, but the next sub-agent is to be given these skills.  ``always`` is the
    part that no experiment holds back: the owner's rules, and reminders.
    """

    __slots__ = ("always", "how", "ids", "silently", "text", "tokens")

    def __init__(
        self,
        text: str,
        tokens: int,
        ids: Mapping[str, int],
        how: Mapping[str, str] | None = None,
        *,
        silently: bool = False,
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.ids = ids
        self.how = how or {}
        self.silently = silently
        self.always: Given | None = None


NOTHING = Given("", 0, {})


class Dial:
    """What the owner lets through ``now``: called with a skill, his setting ``deliver``, and ``start``, the
    tokens of a session's start."""

    __slots__ = ("deliver", "now", "start")

    def __init__(self, config: Config, now: str) -> None:
        self.deliver = str(config["deliver"])
        self.start = int(str(config["start.tokens"]))
        self.now = now

    def __call__(self, facts: Facts) -> bool:
        from honed.recall.hits import Hit, withheld_reason

        return not withheld_reason(Hit(facts, 1.0, False), self.deliver, self.now)


def joined(*parts: Given) -> Given:
    """Several texts as one."""
    whole = _put_together(parts)
    kept = [part.always for part in parts if part.text and part.always]
    whole.always = _put_together(kept) if kept else None
    return whole


def _put_together(parts: Sequence[Given]) -> Given:
    said = [part for part in parts if part.text]
    ids: dict[str, int] = {}
    how: dict[str, str] = {}
    for part in said:
        ids |= part.ids
        how |= part.how
    return Given("\n".join(part.text for part in said), sum(part.tokens for part in said), ids, how)


def of_note(note: Note, hits: Iterable[Hit]) -> Given:
    """A note as what is given: those of ``hits`` that are told in it."""
    told = [hit for hit in hits if hit.id in note.ids]
    return Given(
        note.text,
        note.tokens,
        {hit.id: hit.facts.version for hit in told},
        {hit.id: how_chosen(hit.grade) for hit in told},
    )


def how_chosen(grade: str, score: float | None = None) -> str:
    """As a line of the spool says it: ``r0.81`` for a reference, ``g`` for guidance that matches exactly."""
    return grade[:1] if score is None else f"{grade[:1]}{score:.2f}"


def prompt(home: str, fired: Fired, past: Past) -> Given:
    """The note for what the user asked; before it what is known of a skill that they called by name, and
    after it what resolved an error that the last tool's line hid."""
    called = _of_skill(home, fired, past, NOTE_TOKENS // 2) if fired.skill else NOTHING
    past.remember(called)
    note = _note(home, fired, past, fired.prompt, past.given)
    past.remember(note)
    return joined(called, note, _hidden(home, fired, past))


def _hidden(home: str, fired: Fired, past: Past) -> Given:
    """What resolved an error that a tool's line hid, for clients that then tell of no failure."""
    if fired.subagent or fired.wire.failing_output or not fired.transcripts:
        return NOTHING
    from honed.hooks.hidden import hidden_failure

    output = hidden_failure(fired.transcripts[0])
    return _after_failure(home, fired, past, output) if output else NOTHING


def _of_skill(home: str, fired: Fired, past: Past, most: int) -> Given:
    """What is known of the client's skill that is called."""
    from honed.hooks.matching import of_skill
    from honed.recall.hits import Hit
    from honed.recall.note import compose

    left = min(most, SESSION_TOKENS - past.spent)
    if left < LEAST:
        return NOTHING

    def look(reader: Reader, deliverable: Dial) -> Given:
        fresh = [one for one in of_skill(reader, fired) if past.given.get(one.id) != one.version]
        hits = [Hit(one, 1.0, False) for one in fresh if deliverable(one)]
        note = compose(hits[:_LESSONS], left) if hits else None
        return NOTHING if note is None else of_note(note, hits)

    return reading(home, look)


def _note(home: str, fired: Fired, past: Past, text: str, known: Mapping[str, int]) -> Given:
    from honed.asking import recall

    left = min(NOTE_TOKENS, SESSION_TOKENS - past.spent)
    if left < LEAST or not text.strip():
        return NOTHING
    found = recall(home, text, cwd=fired.cwd, given=known, most=left, upgrade=False)
    if found.note is None:
        return NOTHING
    told = {hit.id: hit.facts.version for hit in found.hits}
    how = {hit.id: how_chosen(hit.grade, hit.score) for hit in found.hits}
    return Given(found.note, found.tokens, {**told, **found.besides}, how)


def pre_tool(home: str, fired: Fired, past: Past) -> Given:
    """Before a tool: the note of a sub-agent's task, else what is known of exactly this command, file or
    skill, else what resolved an error that the last tool's line hid."""
    if fired.task:
        given = _note(home, fired, past, fired.task, {})
        takes_text = bool(fired.wire.task_input)
        silently = not takes_text
        return (
            Given(given.text, given.tokens, given.ids, given.how, silently=silently) if given.ids else NOTHING
        )
    if past.counts.get("pre-tool", 0) >= TOOL_TIMES:
        return NOTHING
    if fired.skill:
        return _of_skill(home, fired, past, TOOL_TOKENS)
    if not (fired.command or fired.paths):
        return NOTHING
    from honed.hooks.matching import before_command, before_edit

    def look(reader: Reader, deliverable: Dial) -> Given:
        if fired.command:
            return _lines(before_command(reader, fired), past, deliverable)
        return _lines(before_edit(reader, fired, past.given, deliverable.deliver), past, deliverable)

    given = reading(home, look)
    return given if given.text else _hidden(home, fired, past)


def tool_failed(home: str, fired: Fired, past: Past) -> Given:
    """After a tool that failed: what resolved exactly this error before, else what to do instead of a command
    that went wrong here before."""
    times = past.counts.get("tool-failed", 0) + past.counts.get("post-tool", 0)
    if times >= TOOL_TIMES:
        return NOTHING
    return _after_failure(home, fired, past, fired.output)


def _after_failure(home: str, fired: Fired, past: Past, output: str) -> Given:
    from honed.hooks.matching import after_failure, before_command

    if len(output) > _OUTPUT_LIMIT:
        output = output[: _OUTPUT_LIMIT // 2] + "\n" + output[-_OUTPUT_LIMIT // 2 :]

    def look(reader: Reader, deliverable: Dial) -> Given:
        found = after_failure(reader, fired, output) if output.strip() else ()
        given = _lines(found, past, deliverable)
        if given.text or fired.event not in _AFTER or not fired.command:
            return given
        return _lines(before_command(reader, fired), past, deliverable)

    return reading(home, look)


def post_tool(home: str, fired: Fired, past: Past) -> Given:
    """After a tool, for clients that tell of a failure in no other way: of one that went well too, what to do
    instead of a command that went wrong here before."""
    if not (fired.wire.failing_output and fired.command):
        return NOTHING
    return tool_failed(home, fired, past)


def _lines(found: Sequence[tuple[Facts, Sequence[str]]], past: Past, deliverable: Dial) -> Given:
    """The first skill of which something was not said yet, in a frame, cut to its budget."""
    from honed.recall.hits import grade_of
    from honed.recall.note import short_note

    left = min(TOOL_TOKENS, SESSION_TOKENS - past.spent)
    told = {
        facts.id
        for facts, _ in found
        if facts.version in (past.given.get(facts.id), past.given.get(f"{facts.id}#tool"))
    }
    # Also of one that stands behind another here: what its note said is said.
    said = {line for facts, lines in found if facts.id in told for line in lines}
    for facts, lines in found:
        mark = f"{facts.id}#tool"
        if facts.id in told:
            continue
        fresh = [line for line in lines if line not in said]
        if not fresh or left < LEAST or not deliverable(facts):
            continue
        note = short_note(facts, fresh, left)
        if note is not None:
            return Given(
                note.text, note.tokens, {mark: facts.version}, {facts.id: how_chosen(grade_of(facts))}
            )
    return NOTHING


def reading(home: str, look: Callable[[Reader, Dial], Given]) -> Given:
    """What ``look`` finds in the memory, given what the owner lets through."""
    import time

    from honed.config import Config
    from honed.store.reading import open_readonly

    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    with open_readonly(home) as reader:
        return look(reader, Dial(Config.load(home, reader.settings()), now))


def session_start(home: str, fired: Fired, past: Past) -> Given:
    """See ``opening``."""
    from honed.hooks import opening

    return opening.session_start(home, fired, past)


def subagent_start(home: str, fired: Fired, past: Past) -> Given:
    """See ``opening``."""
    from honed.hooks import opening

    return opening.subagent_start(home, fired, past)


BY_EVENT: Mapping[str, Callable[[str, Fired, Past], Given]] = {
    "session-start": session_start,
    "prompt": prompt,
    "pre-tool": pre_tool,
    "post-tool": post_tool,
    "tool-failed": tool_failed,
    "subagent-start": subagent_start,
}
"""Events that may say something.  The others only remember, or start the absorber."""
