"""How the voices about one test command are put together: ``weigh``.

Three are heard: the exit status, the runner's own count, and its words.  The rules stand in order in
``_RULES``; the first that applies decides.  Contradictions are read pessimistically.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from honed.verdict.filters import View
from honed.verdict.model import Authority, Counts, RunResult
from honed.verdict.runners import EXITS, SCRIPT, Call, Rules
from honed.verdict.sightings import Sighted
from honed.verdict.status import Said
from honed.verdict.summaries import Reading, read
from honed.verdict.summaries_model import Grammar

_WATCHING = re.compile(r"Waiting for file changes|Watch Usage|press h to show help|Watching for file changes")
"""Words of runners that wait for the next change when all is done."""

_TELLING_TASKS = frozenset("pnpm yarn bun make just mise task turbo nx lerna rake composer deno".split())
"""Task runners whose last line says so when a step failed; npm says nothing."""


@dataclass(frozen=True, slots=True)
class Step:
    """One shell step as ``interpret`` was given it."""

    sighted: Sighted
    exit_code: int | None
    text: str
    ran: bool
    truncated: bool
    rules: Rules


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is known of one test command."""

    call: Call
    view: View
    said: Said
    reading: Reading
    notes: Reading
    text: str
    step: Step
    tests: int
    rounds: int | None = 1
    """How often it ran, ``None`` in a loop of unknown length."""

    @property
    def passed(self) -> int:
        return self.reading.counts.passed or 0


def weigh(base: RunResult, scene: Scene) -> RunResult:
    """The voices put together; the first rule that applies decides."""
    for rule in _RULES:
        result = rule(base, scene)
        if result is not None:
            return result
    return replace(base, reason=scene.said.why or "nothing says how it ended")


def _missing(base: RunResult, scene: Scene) -> RunResult | None:
    """The runner never started: no such program, script, module."""
    if scene.passed or scene.reading.failures:
        return None
    hit = scene.notes.found.get("missing") or scene.reading.found.get("missing")
    if hit is not None and _concerns(hit.word, scene):
        if scene.said.state != "passed" or scene.reading.counted == 0:
            if scene.said.state == "passed" and not scene.call.trusted:
                return None
            if scene.said.state != "passed":
                return replace(base, outcome="nothing", reason=f"runner missing: {hit.text}")
    if scene.said.state == "failed" and scene.said.code in (126, 127) and not scene.reading.hits:
        return replace(base, outcome="nothing", reason=EXITS[scene.said.code].reason)
    return None


def _concerns(word: str, scene: Scene) -> bool:
    """Whether a message that names ``word`` is about this command."""
    if not word:
        return True
    bare = word.rstrip(":").replace("\\", "/").rsplit("/", 1)[-1].lower()
    words = {part.replace("\\", "/").rsplit("/", 1)[-1].lower() for part in _spelled(scene)}
    if bare in words:
        return True
    return scene.call.runner.kind != "runner" and scene.tests == 1 and scene.said.state != "passed"


def _spelled(scene: Scene) -> Iterable[str]:
    call = scene.call
    yield from call.argv
    yield from call.target.split()
    yield call.runner.name
    for sighting in scene.step.sighted.tests:
        if sighting.call is call:
            yield from sighting.command.simple.argv


def _interrupted(base: RunResult, scene: Scene) -> RunResult | None:
    if scene.reading.failures == 0 and (scene.reading.first("stopped") or scene.said.code == 130):
        return replace(base, reason="it was interrupted")
    return None


def _shown_failure(base: RunResult, scene: Scene) -> RunResult | None:
    """The output shows a failure, whatever the status says."""
    reading, said = scene.reading, scene.said
    authority: Authority = "both" if said.state == "failed" else "summary"
    if reading.failures:
        reason = numbers(reading.counts)
        if said.state == "passed":
            reason += ", though the exit status says success"
        return replace(base, outcome="fail", reason=reason, authority=authority)
    clean_count = reading.counted > 0 and scene.passed > 0
    crash = reading.first("crash")
    if crash is not None and not (clean_count and said.state == "passed"):
        return replace(base, outcome="fail", reason=f"the run broke down: {crash}", authority=authority)
    final = next((hit.text for hit in reading.hits if hit.kind == "bad" and hit.level > 2), None)
    if final is not None and not (clean_count and said.state == "passed"):
        return replace(base, outcome="fail", reason=f"the run failed: {final}", authority=authority)
    bad = reading.first("bad")
    if bad is not None and not (clean_count and not _counts_alone(reading)):
        return replace(base, outcome="fail", reason=f"the output shows a failure: {bad}", authority=authority)
    step = _failed_step(scene)
    if step is not None:
        return replace(
            base, outcome="fail", reason=f"the output shows a failure: {step}", authority=authority
        )
    return None


def _counts_alone(reading: Reading) -> bool:
    """Whether the count is one of units (packages), which a failing package would not be in."""
    return all(hit.level == 1 for hit in reading.hits if hit.kind == "count")


def _failed_step(scene: Scene) -> str | None:
    """The line by which a task runner says that this very step failed."""
    call, reading = scene.call, scene.reading
    if (call.runner.kind == "runner" and call.runner.grammars) or not (call.trusted or reading.hits):
        return None
    if not scene.passed and (
        reading.first("empty") or reading.first("usage") or scene.notes.first("missing")
    ):
        return None
    for hit in scene.notes.hits + scene.reading.hits:
        if hit.kind != "step_failed":
            continue
        if hit.word:
            names = {part for word in _spelled(scene) for part in (word, word.rsplit("/", 1)[-1])}
            if hit.word in names:
                return hit.text
        elif scene.said.state != "passed" and not (scene.passed and scene.reading.counted):
            return hit.text
    return None


def _refused(base: RunResult, scene: Scene) -> RunResult | None:
    """The runner said that there was nothing to run."""
    reading, said = scene.reading, scene.said
    if scene.passed or (said.state == "failed" and reading.first("bad")):
        return None
    line = reading.first("empty") or scene.notes.first("empty")
    if line is None and said.state != "passed":
        line = reading.first("usage")
    only_skipped = bool(reading.counts.skipped) and not reading.first("good") and not reading.failures
    if line is None and (reading.counted or only_skipped):
        line = "all tests were skipped" if reading.counts.skipped else "it counted no test"
    if line is None or _others_may_be_hidden(scene):
        return None
    return replace(base, outcome="nothing", reason=f"no test ran: {line}")


def _others_may_be_hidden(scene: Scene) -> bool:
    """Whether filters may have cut away lines that told of tests that did run."""
    view, book = scene.view, scene.step.rules.book
    if view.plain or scene.said.state == "passed":
        return False
    grammars = [book.grammars[name] for name in dict.fromkeys(hit.grammar for hit in scene.reading.hits)]
    if view.greps and any(not view.keeps_any(grammar.passing[:1]) for grammar in grammars):
        return True
    lines = scene.text.rstrip("\n").count("\n") + 1
    cut = (view.head is not None and lines >= view.head) or (view.tail is not None and lines >= view.tail)
    # What a gate kept in a file may be shown in part.
    cut = cut or (scene.call.runner.kind == "task" and view.tail is not None)
    return (cut or view.opaque) and any(grammar.parts for grammar in grammars)


def _ended_badly(base: RunResult, scene: Scene) -> RunResult | None:
    said, call = scene.said, scene.call
    if said.state == "not_run":
        return replace(base, reason="it was not reached: " + (said.why or "an earlier command failed"))
    if said.state != "failed":
        return None
    if scene.passed and said.code in (124, 130, 137, 143) and _WATCHING.search(scene.text):
        reason = f"{numbers(scene.reading.counts)} by its own summary, then it waited for changes"
        return replace(base, outcome="weak", reason=reason, authority="summary")
    special = call.runner.exits.get(said.code or 0) if not scene.reading.counted else None
    special = special or EXITS.get(said.code or 0)
    if special is not None and said.code is not None:
        authority: Authority | None = "exit" if special.outcome == "fail" else None
        return replace(base, outcome=special.outcome, reason=special.reason, authority=authority)
    if not call.trusted and not scene.reading.counted and call.runner.kind == "task":
        return replace(base, reason="the gate failed, and no test runner was seen in it")
    if not call.trusted and not scene.reading.counted and call.runner is not SCRIPT:
        return replace(base, outcome="not_a_test", reason="a script that failed without a word about tests")
    code = "" if said.code is None else f" {said.code}"
    reason = f"exit status{code}" + (f", though {numbers(scene.reading.counts)}" if scene.passed else "")
    return replace(base, outcome="fail", reason=reason, authority="exit")


def _ended_well(base: RunResult, scene: Scene) -> RunResult | None:
    said, reading, call = scene.said, scene.reading, scene.call
    if said.state != "passed":
        return None
    if scene.passed:
        return replace(base, outcome="pass", reason=numbers(reading.counts), authority="both")
    if reading.first("good"):
        return replace(base, outcome="pass", reason=reading.first("good") or "", authority="both")
    if call.trusted:
        return replace(base, outcome="pass", reason="exit status 0", authority="exit")
    if call.runner is SCRIPT and call.named:
        return replace(base, reason="a test file was run, but no runner said anything")
    if not scene.view.plain or scene.step.truncated:
        return replace(base, reason="a gate passed, but no test runner was seen in it")
    return replace(base, outcome="not_a_test", reason="a task that printed no runner's summary")


def _unclear(base: RunResult, scene: Scene) -> RunResult | None:
    """The status belongs to somebody else: only what is printed speaks."""
    view, reading = scene.view, scene.reading
    if view.counted:
        return _counted_lines(base, scene)
    if scene.passed and not view.counted:
        if _complete(scene):
            told = f"{numbers(reading.counts)} by its own summary"
            return replace(base, outcome="weak", reason=told, authority="summary" if scene.rounds else None)
        return replace(base, reason="its summary is only partly visible")
    good = reading.first("good") or (scene.notes.first("good") if scene.call.runner.kind == "task" else None)
    if good and _would_show_failure(scene):
        return replace(base, outcome="weak", reason=f"it said {good!r}")
    if scene.step.exit_code is not None and _shows_only_failures(scene):
        return replace(base, outcome="weak", reason="what would show failures shows none")
    if not scene.call.trusted and not reading.hits and view.plain and not scene.step.truncated:
        return replace(base, outcome="not_a_test", reason="a script without a word about tests")
    return None


def _shows_only_failures(scene: Scene) -> bool:
    """Whether the filters drop what passes, would show what fails, and showed nothing of it.

    The same holds of the end of a run that always ends with its failures (``go test ./... | tail -5``).
    Only for runners of which every failing run prints one certain line.
    """
    view, grammar = scene.view, _certain(scene)
    if grammar is None or not view.keeps(grammar.always) or not _would_show_failure(scene):
        return False
    told = {hit.at for hit in scene.reading.hits if hit.kind in ("empty", "count")}
    lines = [line for line in scene.text.split("\n") if line.strip()]
    if view.greps:
        return not view.keeps_any(grammar.passing[:1]) and len(lines) <= len(told)
    return grammar.fails_last and view.tail is not None and bool(told) and len(lines) <= len(told)


def _certain(scene: Scene) -> Grammar | None:
    """The grammar whose failing runs all print one certain line, if it is the one that is spoken here."""
    rules = scene.step.rules
    if scene.call.runner.kind == "runner" and scene.call.runner.grammars:
        grammar = rules.book.grammars[scene.call.runner.grammars[0]]
    else:
        whole = read(scene.step.text, rules.all_grammars, rules.book)
        spoken = list(dict.fromkeys(hit.grammar for hit in whole.hits))
        if len(spoken) != 1:
            return None
        grammar = rules.book.grammars[spoken[0]]
    return grammar if grammar.always else None


def _counted_lines(base: RunResult, scene: Scene) -> RunResult | None:
    """``| grep -c FAIL``: the output is how many lines told of a failure."""
    numbers_shown = re.findall(r"(?m)^\s*(\d{1,7})\s*$", scene.text)
    view = scene.view
    if len(numbers_shown) != 1 or not view.greps or not view.keeps_any(_samples(scene, passing=False)):
        return None
    if view.keeps_any(_samples(scene, passing=True)):
        return None
    count = int(numbers_shown[0])
    if count and any(pattern.flags & re.IGNORECASE for grep in view.greps for pattern in grep.patterns):
        return None
    if count:
        return replace(base, outcome="fail", reason=f"{count} lines tell of a failure", authority="summary")
    grammar = _certain(scene)
    if grammar is not None and scene.view.keeps(grammar.always):
        return replace(base, outcome="weak", reason="no line of its output tells of a failure")
    return replace(base, reason="no line tells of a failure, but not every failing run prints one")


def _samples(scene: Scene, *, passing: bool) -> Sequence[str]:
    """Lines that a run of this runner prints when it passes or fails; of a task, what usual ones print."""
    rules = scene.step.rules
    names: Iterable[str] = scene.reading.grammars or rules.grammars_of(scene.call.runner)[:1]
    if scene.call.runner.kind != "runner" and not scene.reading.grammars:
        names = ("go", "jest", "vitest", "pytest", "mocha")
    grammars = [rules.book.grammars[name] for name in names]
    return [line for grammar in grammars for line in (grammar.passing if passing else grammar.failing)]


def _would_show_failure(scene: Scene) -> bool:
    """Whether a failing run would have left a line that the filters let through."""
    view = scene.view
    if view.opaque or view.hidden or view.counted or not _lets_failures_through(scene):
        return False
    return not (view.head is not None and scene.text.rstrip("\n").count("\n") + 1 >= view.head)


def _lets_failures_through(scene: Scene) -> bool:
    """Whether the greps keep the failing form of each summary that was read (or might have been)."""
    view, book = scene.view, scene.step.rules.book
    if not view.greps:
        return True
    if not scene.reading.grammars:
        return view.keeps_any(_samples(scene, passing=False))
    return all(lets_failures_through(view, book.grammars[name]) for name in scene.reading.grammars)


def lets_failures_through(view: View, grammar: Grammar) -> bool:
    """Whether the greps keep every form in which this runner tells of a failure."""
    return all(view.keeps(line) for line in (*grammar.failing[:1], *grammar.alone))


def _complete(scene: Scene) -> bool:
    """Whether the counted summary is the whole of it: nothing that failed could have been hidden."""
    view, reading, book = scene.view, scene.reading, scene.step.rules.book
    needed = sum(1 for other in scene.step.sighted.tests if other.call.runner is scene.call.runner)
    same = [o for o in scene.step.sighted.tests if o.call.runner is scene.call.runner and o.end > 0]
    shared = [o for o in same if scene.text is not None and o.start == same[0].start]
    if scene.tests > 1 and len(shared) == needed and reading.counted < needed:
        return False
    if reading.counted < (scene.rounds or 1):
        return False
    if scene.step.truncated and _counts_alone(reading):
        return False
    grammars = [book.grammars[name] for name in reading.grammars]
    lines = scene.text.rstrip("\n").count("\n") + 1
    one_line = any(hit.complete and hit.kind == "count" and hit.level > 1 for hit in reading.hits)
    if view.opaque:
        return one_line or _shows(reading, "failed")
    if not _lets_failures_through(scene):
        return False
    if view.head is not None and lines >= view.head:
        return one_line and not any(grammar.parts for grammar in grammars)
    if view.tail is not None and lines >= view.tail:
        if not _tells_of_all(scene, grammars):
            return False
        if any(grammar.failures_first for grammar in grammars):
            return _nothing_cut_above(scene)
        if "tap" in reading.grammars and _counts_alone(reading):
            return False
    return True


def _shows(reading: Reading, slot: str) -> bool:
    return getattr(reading.counts, slot) is not None


def _tells_of_all(scene: Scene, grammars: Sequence[Grammar]) -> bool:
    """Whether what is visible at the end of an output stands for all that is cut off above it."""
    reading = scene.reading
    if scene.call.runner.kind == "task" and scene.call.runner.name in _TELLING_TASKS:
        return True
    for grammar in grammars:
        own = [hit for hit in reading.hits if hit.grammar == grammar.name]
        if grammar.alone and not any(hit.kind == "count" and hit.level == 1 for hit in own):
            return False
        final = grammar.fails_last or any(hit.kind == "good" for hit in own)
        if grammar.parts and not final:
            return False
    return True


def _nothing_cut_above(scene: Scene) -> bool:
    """Whether the lines above the counts are visible and no list of failing tests reaches into them."""
    first = next((hit.at for hit in scene.reading.hits if hit.kind == "count"), 0)
    above = [line.strip() for line in scene.text[:first].split("\n") if line.strip()]
    return bool(above) and not above[-1].endswith("───")


def numbers(counts: Counts) -> str:
    parts = (
        (counts.passed, "passed"),
        (counts.failed, "failed"),
        (counts.errors, "errors"),
        (counts.skipped, "skipped"),
    )
    return ", ".join(
        f"{number} {word}" for number, word in parts if number or (word == "passed" and number is not None)
    )


_RULES = (_missing, _interrupted, _shown_failure, _refused, _ended_badly, _ended_well, _unclear)
