"""What one shell step says about the tests: ``interpret(command, exit code, output)``.

Three voices are heard, each by its own room: the exit status (``status.deduce``), the status that the line
itself prints (``status.echoes``), and the runner's own summary (``summaries.read``).  ``_weigh`` is the one
place where they are put together; contradictions are read pessimistically.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from honed.verdict import status, summaries
from honed.verdict.checks import check_of, covers, same_check
from honed.verdict.filters import View
from honed.verdict.model import Authority, Counts, RunOutcome, RunResult
from honed.verdict.runners import DEFAULT, EXITS, Call, Rules
from honed.verdict.shell_tree import Command
from honed.verdict.sightings import Sighted, Sighting, sight, spoken, view_of
from honed.verdict.status import Said
from honed.verdict.summaries import Reading, clean, failing_names

__all__ = ["DEFAULT", "Rules", "covers", "interpret", "is_test_command", "same_check"]

NOT_A_TEST = RunResult("not_a_test", "no test command and no runner's summary")

_TOKENS = re.compile(r"[A-Za-z0-9_]+")
_HINTS = ("test", "spec", "check", "pass", "fail", "jest", "mocha", "verify", "e2e")
_NEGATIVE = ("bad", "crash")


def interpret(
    command: str,
    exit_code: int | None,
    output: str,
    *,
    ran: bool = True,
    truncated: bool = False,
    rules: Rules = DEFAULT,
    cwd: str | None = None,
) -> RunResult:
    """What a shell step proves.  Pure, never raises.

    ``exit_code`` of the whole line (``None``: not known); ``ran`` false for a step that was refused or
    cancelled; ``truncated``: the client cut the output; ``cwd`` the directory the line started in, to
    say in ``check`` where the tests ran.
    """
    text = clean(output)
    if not _worth_a_look(command, text, rules):
        return NOT_A_TEST
    sighted = sight(command, text, rules, cwd)
    if not sighted.tests:
        return _unnamed(sighted, exit_code, text, ran, rules)
    step = _Step(sighted, exit_code, text, ran, truncated, rules)
    results = [_judge(step, sighting) for sighting in sighted.tests]
    return _combined([result for result in results if result.outcome != "not_a_test"])


def is_test_command(command: str, rules: Rules = DEFAULT) -> bool:
    """Whether a command line runs tests (and does not only list, collect or explain them)."""
    sighted = sight(command, "", rules, None)
    return any(sighting.call.inert is None and sighting.call.named for sighting in sighted.tests)


def _worth_a_look(command: str, text: str, rules: Rules) -> bool:
    """Cheap: does any word of the command or any cue of a summary occur?"""
    lowered = command.lower()
    if any(hint in lowered for hint in _HINTS) or ".t " in lowered + " ":
        return True
    if not rules.vocabulary.isdisjoint(_TOKENS.findall(lowered)):
        return True
    return any(cue in text for cue in rules.book.index(rules.distinct))


@dataclass(frozen=True, slots=True)
class _Step:
    sighted: Sighted
    exit_code: int | None
    text: str
    ran: bool
    truncated: bool
    rules: Rules


# -- one test command ------------------------------------------------------------------------------


def _judge(step: _Step, sighting: Sighting) -> RunResult:
    """The outcome of one test command of the line."""
    call, rules = sighting.call, step.rules
    check = check_of(sighting.command.simple, call, sighting.directory)
    base = RunResult("unknown", "", call.runner.name, check, selection=call.selection)
    if call.inert is not None:
        return replace(base, outcome="nothing", reason=f"{call.inert}: it runs no test")
    if not step.ran:
        return replace(base, reason="it never ran: the step was refused or cancelled")
    stretch = step.text[sighting.start : sighting.end]
    reading = summaries.read(stretch, rules.grammars_of(call.runner), rules.book)
    if not reading.counted and call.runner.kind == "runner" and call.runner.grammars:
        reading = _richer(reading, summaries.read(stretch, rules.distinct, rules.book))
    notes = summaries.read(stretch, ("missing", "steps"), rules.book)
    said = _said(step, sighting)
    if reading.grammars and call.runner.kind != "runner":
        base = replace(base, runner=reading.grammars[0])
    base = replace(base, counts=reading.counts)
    scene = _Scene(call, sighting.view, said, reading, notes, stretch, step, len(step.sighted.tests))
    result = _weigh(base, scene)
    if sighting.elsewhere and result.outcome not in ("not_a_test", "nothing"):
        return replace(result, outcome="unknown", reason=sighting.elsewhere, authority=None)
    if result.outcome == "fail":
        names = failing_names(stretch, reading.grammars or _spoke(reading), rules.book)
        result = replace(result, failing=names)
    return result


def _spoke(reading: Reading) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hit.grammar for hit in reading.hits))


def _richer(own: Reading, other: Reading) -> Reading:
    """A known runner behind a proxy may sum up in another runner's words, but only if these count."""
    return other if other.counted and not own.hits else own


def _said(step: _Step, sighting: Sighting) -> Said:
    """The status of one command: deduced from the line's, or printed by the line itself."""
    each = sighting.command
    printed = spoken(step.sighted.script, each, step.text)
    if printed is not None:
        return printed
    if not sighting.own_status:
        return Said("unknown", None, "its status is not given back")
    if step.exit_code is None:
        return Said("unknown", None, "no exit status is known")
    said = status.deduce(step.sighted.script, each, step.exit_code)
    if said.state == "unknown" and step.exit_code and not each.filters and sighting.only_preparation_before:
        if "o such file or directory" not in step.text[:400]:
            return Said("failed", step.exit_code, "nothing else in the line is likely to have failed")
    return said


@dataclass(frozen=True, slots=True)
class _Scene:
    """All that is known of one test command."""

    call: Call
    view: View
    said: Said
    reading: Reading
    notes: Reading
    text: str
    step: _Step
    tests: int

    @property
    def passed(self) -> int:
        return self.reading.counts.passed or 0


def _weigh(base: RunResult, scene: _Scene) -> RunResult:
    """The voices put together; the first rule that applies decides."""
    for rule in (_missing, _interrupted, _shown_failure, _refused, _ended_badly, _ended_well, _unclear):
        result = rule(base, scene)
        if result is not None:
            return result
    return replace(base, reason=scene.said.why or "nothing says how it ended")


def _missing(base: RunResult, scene: _Scene) -> RunResult | None:
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


def _concerns(word: str, scene: _Scene) -> bool:
    """Whether a message that names ``word`` is about this command."""
    if not word:
        return True
    bare = word.rstrip(":").replace("\\", "/").rsplit("/", 1)[-1].lower()
    words = {part.replace("\\", "/").rsplit("/", 1)[-1].lower() for part in _spelled(scene)}
    if bare in words:
        return True
    return scene.call.runner.kind != "runner" and scene.tests == 1 and scene.said.state != "passed"


def _spelled(scene: _Scene) -> Iterable[str]:
    call = scene.call
    yield from call.argv
    yield from call.target.split()
    yield call.runner.name
    for sighting in scene.step.sighted.tests:
        if sighting.call is call:
            yield from sighting.command.simple.argv


def _interrupted(base: RunResult, scene: _Scene) -> RunResult | None:
    if scene.reading.failures == 0 and (scene.reading.first("stopped") or scene.said.code == 130):
        return replace(base, reason="it was interrupted")
    return None


def _shown_failure(base: RunResult, scene: _Scene) -> RunResult | None:
    """The output shows a failure, whatever the status says."""
    reading, said = scene.reading, scene.said
    authority: Authority = "both" if said.state == "failed" else "summary"
    if reading.failures:
        reason = _numbers(reading.counts)
        if said.state == "passed":
            reason += ", though the exit status says success"
        return replace(base, outcome="fail", reason=reason, authority=authority)
    clean_count = reading.counted > 0 and scene.passed > 0
    crash = reading.first("crash")
    if crash is not None and not (clean_count and said.state == "passed"):
        return replace(base, outcome="fail", reason=f"the run broke down: {crash}", authority=authority)
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


def _failed_step(scene: _Scene) -> str | None:
    """The line by which a task runner says that this very step failed."""
    if scene.call.runner.kind == "runner" and scene.call.runner.grammars:
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


def _refused(base: RunResult, scene: _Scene) -> RunResult | None:
    """The runner said that there was nothing to run."""
    reading, said = scene.reading, scene.said
    if scene.passed:
        return None
    line = reading.first("empty") or scene.notes.first("empty")
    if line is None and said.state != "passed":
        line = reading.first("usage")
    only_skipped = bool(reading.counts.skipped) and not reading.first("good") and not reading.failures
    if line is None and (reading.counted or only_skipped):
        if scene.view.head is not None or scene.view.tail is not None:
            if not _complete(scene):
                return None
        skipped = reading.counts.skipped or 0
        line = "all tests were skipped" if skipped else "it counted no test"
    if line is None:
        return None
    if scene.view.tail is not None and reading.found.get("empty") and _many_parts(scene):
        return None
    if said.state == "failed" and reading.first("bad"):
        return None
    return replace(base, outcome="nothing", reason=f"no test ran: {line}")


def _many_parts(scene: _Scene) -> bool:
    """Whether lines that the filter cut away may have told of other packages."""
    grammar = scene.reading.found["empty"].grammar
    parts = scene.step.rules.book.grammars[grammar].parts
    return parts and scene.text.count("\n") >= (scene.view.tail or 0) - 1


def _ended_badly(base: RunResult, scene: _Scene) -> RunResult | None:
    said, call = scene.said, scene.call
    if said.state == "not_run":
        return replace(base, reason="it was not reached: " + (said.why or "an earlier command failed"))
    if said.state != "failed":
        return None
    special = call.runner.exits.get(said.code or 0) if not scene.reading.counted else None
    special = special or EXITS.get(said.code or 0)
    if special is not None and said.code is not None:
        authority: Authority | None = "exit" if special.outcome == "fail" else None
        return replace(base, outcome=special.outcome, reason=special.reason, authority=authority)
    if not call.trusted and not scene.reading.counted:
        return replace(base, outcome="not_a_test", reason="a script that failed without a word about tests")
    code = "" if said.code is None else f" {said.code}"
    reason = f"exit status{code}" + (f", though {_numbers(scene.reading.counts)}" if scene.passed else "")
    return replace(base, outcome="fail", reason=reason, authority="exit")


def _ended_well(base: RunResult, scene: _Scene) -> RunResult | None:
    said, reading, call = scene.said, scene.reading, scene.call
    if said.state != "passed":
        return None
    if scene.passed:
        return replace(base, outcome="pass", reason=_numbers(reading.counts), authority="both")
    if reading.first("good"):
        return replace(base, outcome="pass", reason=reading.first("good") or "", authority="both")
    if call.trusted:
        return replace(base, outcome="pass", reason="exit status 0", authority="exit")
    if call.runner.kind == "script" and call.named:
        return replace(base, reason="a test file was run, but no runner said anything")
    return replace(base, outcome="not_a_test", reason="a task that printed no runner's summary")


def _unclear(base: RunResult, scene: _Scene) -> RunResult | None:
    """The status belongs to somebody else: only what is printed speaks."""
    view, reading = scene.view, scene.reading
    if view.counted:
        return _counted_lines(base, scene)
    if scene.passed and not view.counted:
        if _complete(scene):
            return replace(
                base,
                outcome="weak",
                reason=f"{_numbers(reading.counts)} by its own summary",
                authority="summary",
            )
        return replace(base, reason="its summary is only partly visible")
    good = reading.first("good") or (scene.notes.first("good") if scene.call.runner.kind == "task" else None)
    if good and not scene.passed and _would_show_failure(scene):
        return replace(base, outcome="weak", reason=f"it said {good!r}")
    if view.greps and not view.hidden and _would_show_failure(scene) and not view.opaque:
        passing = _samples(scene, passing=True)
        silent = not scene.text.strip() or "completed with no output" in scene.text[:60]
        if scene.step.exit_code is not None and silent and not (view.keeps_any(passing) and passing):
            return replace(base, outcome="weak", reason="a filter that would show failures shows none")
    if not scene.call.trusted and not reading.hits:
        return replace(base, outcome="not_a_test", reason="a script without a word about tests")
    return None


def _counted_lines(base: RunResult, scene: _Scene) -> RunResult | None:
    """``| grep -c FAIL``: the output is how many lines told of a failure."""
    numbers = re.findall(r"(?m)^\s*(\d{1,7})\s*$", scene.text)
    failing = _samples(scene, passing=False)
    if len(numbers) != 1 or not scene.view.greps or not scene.view.keeps_any(failing):
        return None
    if scene.view.keeps_any(_samples(scene, passing=True)):
        return None
    if int(numbers[0]) == 0:
        return replace(base, outcome="weak", reason="no line of its output tells of a failure")
    return replace(base, outcome="fail", reason=f"{numbers[0]} lines tell of a failure", authority="summary")


def _samples(scene: _Scene, *, passing: bool) -> Sequence[str]:
    book, rules = scene.step.rules.book, scene.step.rules
    names: Iterable[str] = scene.reading.grammars or rules.grammars_of(scene.call.runner)
    if scene.call.runner.kind == "task" and not scene.reading.grammars:
        names = (*(("go",) if not passing else ()), "steps") if not passing else ("go", "jest", "pytest")
    elif scene.call.runner.kind == "task" and not passing:
        names = (*names, "steps")
    return [
        line for name in names for line in getattr(book.grammars[name], "passing" if passing else "failing")
    ]


def _would_show_failure(scene: _Scene) -> bool:
    """Whether a failing run would have left a line that the filters let through."""
    view = scene.view
    if view.opaque or view.hidden or view.counted:
        return False
    if view.greps and not view.keeps_any(_samples(scene, passing=False)):
        return False
    return not (view.head is not None and scene.text.rstrip("\n").count("\n") + 1 >= view.head)


def _complete(scene: _Scene) -> bool:
    """Whether the counted summary is the whole of it: nothing that failed could have been hidden."""
    view, reading, book = scene.view, scene.reading, scene.step.rules.book
    needed = sum(1 for other in scene.step.sighted.tests if other.call.runner is scene.call.runner)
    same = [o for o in scene.step.sighted.tests if o.call.runner is scene.call.runner and o.end > 0]
    shared = [o for o in same if scene.text is not None and o.start == same[0].start]
    if scene.tests > 1 and len(shared) == needed and reading.counted < needed:
        return False
    if scene.step.truncated and _counts_alone(reading):
        return False
    grammars = [book.grammars[name] for name in reading.grammars]
    lines = scene.text.rstrip("\n").count("\n") + 1
    one_line = any(
        hit.kind == "count"
        and hit.counts.passed is not None
        and hit.counts.failed is not None
        and hit.level > 1
        for hit in reading.hits
    )
    if view.opaque:
        return one_line or _shows(reading, "failed")
    if view.greps and not one_line and not _would_show_failure(replace(scene, view=replace(view, head=None))):
        return False
    if view.head is not None and lines >= view.head:
        return one_line and not any(grammar.parts for grammar in grammars)
    if view.tail is not None and lines >= view.tail:
        if any(grammar.failures_first for grammar in grammars):
            return _lines_above(scene) >= 2
        if "tap" in reading.grammars and _counts_alone(reading):
            return False
    return True


def _shows(reading: Reading, slot: str) -> bool:
    return getattr(reading.counts, slot) is not None


def _lines_above(scene: _Scene) -> int:
    """Lines that are visible above the count of what passed."""
    first = next((hit.at for hit in scene.reading.hits if hit.kind == "count" and hit.counts.passed), 0)
    return scene.text[:first].count("\n")


def _numbers(counts: Counts) -> str:
    parts = (
        (counts.passed, "passed"),
        (counts.failed, "failed"),
        (counts.errors, "errors"),
        (counts.skipped, "skipped"),
    )
    return ", ".join(
        f"{number} {word}" for number, word in parts if number or (word == "passed" and number is not None)
    )


# -- the whole line --------------------------------------------------------------------------------

_RANK: dict[RunOutcome, int] = {"fail": 0, "weak": 1, "pass": 2, "unknown": 3, "nothing": 4, "not_a_test": 5}


def _combined(results: list[RunResult]) -> RunResult:
    """One result for the line: any failure fails it; what is not known makes a pass weak."""
    if not results:
        return NOT_A_TEST
    if len(results) == 1:
        return results[0]
    failed = [result for result in results if result.outcome == "fail"]
    good = [result for result in results if result.outcome in ("pass", "weak")]
    unclear = [result for result in results if result.outcome == "unknown"]
    if failed:
        return _joined(failed)
    if good:
        whole = _joined(good)
        if unclear:
            reason = f"{whole.reason}; of {unclear[0].check!r} nothing is known ({unclear[0].reason})"
            if any(not _is_aside(result) for result in unclear):
                return replace(whole, outcome="weak", reason=reason, authority=None)
            return replace(whole, reason=reason)
        return whole
    return min(results, key=lambda result: _RANK[result.outcome])


def _is_aside(result: RunResult) -> bool:
    """A run on another tree or one meant to fail takes nothing from the others."""
    return result.reason.startswith(("it ran on another tree", "it is a check", "it is announced"))


def _joined(results: list[RunResult]) -> RunResult:
    """Several results of one kind as one: checks in order, the weakest outcome, the least authority."""
    first = min(results, key=lambda result: _RANK[result.outcome])
    checks = list(dict.fromkeys(result.check for result in results if result.check))
    reasons = list(dict.fromkeys(result.reason for result in results))
    authorities = {result.authority for result in results}
    shared = len({id(result.counts) for result in results}) == 1
    counts = first.counts if shared else _total([result.counts for result in results])
    return replace(
        first,
        reason="; ".join(reasons),
        check=" && ".join(checks) or None,
        counts=counts,
        authority=first.authority
        if len(authorities) == 1
        else ("summary" if "summary" in authorities else "exit"),
        selection=tuple(dict.fromkeys(word for result in results for word in result.selection)),
        failing=tuple(dict.fromkeys(name for result in results for name in result.failing))[:20],
    )


def _total(counts: list[Counts]) -> Counts:
    if len({(c.passed, c.failed, c.skipped, c.errors) for c in counts}) == 1:
        return counts[0]

    def add(values: list[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    return Counts(
        add([c.passed for c in counts]),
        add([c.failed for c in counts]),
        add([c.skipped for c in counts]),
        add([c.errors for c in counts]),
    )


# -- commands outside the table ----------------------------------------------------------------------


def _unnamed(sighted: Sighted, exit_code: int | None, text: str, ran: bool, rules: Rules) -> RunResult:
    """Hooks, gates, scripts: a run only if a complete counted summary of a known runner is in the output."""
    if not ran:
        return NOT_A_TEST
    reading = summaries.read(text, rules.distinct, rules.book)
    if not reading.counted or not (reading.counts.passed or reading.failures):
        return NOT_A_TEST
    if not sighted.others:
        if not sighted.reads_files:
            return NOT_A_TEST
        return replace(
            NOT_A_TEST, reason="summary read from a file", runner=reading.grammars[0], counts=reading.counts,
            failing=failing_names(text, reading.grammars, rules.book) if reading.failures else (),
        )  # fmt: skip
    command = sighted.others[-1]
    check = _wrapper_check(command)
    base = RunResult("unknown", "", reading.grammars[0], check, reading.counts)
    view = view_of(command)
    said = (
        status.deduce(sighted.script, command, exit_code)
        if exit_code is not None
        else Said("unknown", None, "")
    )
    if reading.failures:
        authority: Authority = "both" if said.state == "failed" else "summary"
        names = failing_names(text, reading.grammars, rules.book)
        return replace(
            base, outcome="fail", reason=_numbers(reading.counts), authority=authority, failing=names
        )
    if said.state == "failed":
        reason = f"it failed, though {_numbers(reading.counts)}"
        return replace(base, outcome="fail", reason=reason, authority="exit")
    if said.state == "passed":
        return replace(base, outcome="pass", reason=_numbers(reading.counts), authority="both")
    if said.state == "unknown" and not (view.opaque or view.counted or view.head):
        return replace(
            base, outcome="weak", reason=f"{_numbers(reading.counts)} by its own summary", authority="summary"
        )
    return replace(base, reason="its summary is only partly visible")


def _wrapper_check(command: Command) -> str | None:
    """The command as it is known again; a commit is none, for nobody runs it as a check."""
    argv = command.simple.argv
    if not argv or argv[0] == "git" or "git" in argv[:2]:
        return None
    return " ".join(argv)[:300]
