"""What one shell step says about the tests: ``interpret(command, exit code, output)``.

Three voices are heard, each by its own room: the exit status (``status.deduce``), the status that the line
itself prints (``status.echoes``), and the runner's own summary (``summaries.read``).  ``voices.weigh`` is
the one place where they are put together.
"""

from __future__ import annotations

import re
from dataclasses import replace

from honed.verdict import status, summaries
from honed.verdict.bystanders import LINTERS, only_shows
from honed.verdict.causes import causes_of
from honed.verdict.checks import check_of, covers, same_check
from honed.verdict.launchers import program
from honed.verdict.model import Counts, RunOutcome, RunResult
from honed.verdict.runners import DEFAULT, Rules
from honed.verdict.scene import Scene, Step, numbers
from honed.verdict.shell_tree import Command
from honed.verdict.sightings import Sighting, sight, spoken, view_of
from honed.verdict.status import Said
from honed.verdict.summaries import NOTHING_READ, Reading, clean, failing_names
from honed.verdict.visibility import lets_failures_through
from honed.verdict.voices import weigh

__all__ = ["DEFAULT", "Rules", "covers", "interpret", "is_test_command", "same_check"]

NOT_A_TEST = RunResult("not_a_test", "no test command and no runner's summary")

MAX_TESTS = 24
"""Test commands of one line that are judged: the first and the last half of them."""

_TOKENS = re.compile(r"[A-Za-z0-9_]+")
_HINTS = ("test", "spec", "check", "pass", "fail", "jest", "mocha", "verify", "e2e")
_RUN_HOOKS = ("commit", "push", "merge", "rebase", "cherry-pick", "revert", "pull", "hook", " am")
"""What of git may run hooks, and so tests."""
_COUNTING_WORDS = (
    "pass",
    "fail",
    "Pass",
    "Fail",
    "PASS",
    "FAIL",
    "ok  ",
    "OK (",
    "Ran ",
    "DONE ",
    "Ok:  ",
    "Tests=",
    "uccess",
)
_CLIENT_NOTES = re.compile(
    r"(?m)^(?:\(Bash completed with no output\)|Shell cwd was reset to [^\n]*"
    r"|<(?:shellId: \S+ completed|exited) with exit code -?\d+>|Command exited with code \d+)$"
)
"""What Claude Code, Copilot and Pi write below an output, or for an empty one."""

_EXIT_NOTES = ("with exit code ", "exited with code ")
_OTHER_NOTES = ("Shell cwd was reset to", "(Bash completed with no output)")
_READS_A_LOG = re.compile(r"\.(?:log|txt|out|output)\b|/tmp/|tool-results|/tasks/|(?i:\\temp\\)")
_SPEAKING_HOOKS = ("bun", "pytest", "go", "jest", "vitest", "mocha", "playwright", "unittest", "rspec")
_HOOK_STARTS = re.compile(r"(?m)^(?:\$ |> ).*\b(?:test|jest|vitest|pytest|mocha|rspec)\b|^bun test v")
_WRAPPER_WINDOW = 16_000
"""How much of the end of an unknown program's output is searched for a summary, in characters."""


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
    shows = only_shows(command)
    if shows and not _READS_A_LOG.search(command):
        return NOT_A_TEST
    text = clean(output)
    if (shows or not _may_run_tests(command, rules)) and not _may_count(text):
        return NOT_A_TEST
    text = _without_notes(text)
    sighted = sight(command, text, rules, cwd)
    if not sighted.tests:
        return _unnamed(Step(sighted, exit_code, text, ran, truncated, rules))
    step = Step(sighted, exit_code, text, ran, truncated, rules)
    judged = sighted.tests
    if len(judged) > MAX_TESTS:
        judged = judged[: MAX_TESTS // 2] + judged[-MAX_TESTS // 2 :]
    results = [_judge(step, sighting) for sighting in judged]
    told = _combined([result for result in results if result.outcome != "not_a_test"])
    last = sighted.tests[-1].index
    return told if told is NOT_A_TEST or told.order == last else replace(told, order=last)


def _without_notes(text: str) -> str:
    """The text without the lines that clients put below an output."""
    if ("exit" in text and any(note in text for note in _EXIT_NOTES)) or any(
        note in text for note in _OTHER_NOTES
    ):
        return _CLIENT_NOTES.sub("", text)
    return text


def is_test_command(command: str, rules: Rules = DEFAULT) -> bool:
    """Whether a command line runs tests (and does not only list, collect or explain them)."""
    sighted = sight(command, "", rules, None)
    return any(sighting.call.inert is None and sighting.call.named for sighting in sighted.tests)


def _may_run_tests(command: str, rules: Rules) -> bool:
    """Cheap: may a command of the line run tests, as far as its words tell?"""
    lowered = command.lower()
    if any(hint in lowered for hint in _HINTS) or ".t " in lowered + " ":
        return True
    if "git" in lowered and any(word in lowered for word in _RUN_HOOKS):
        return True
    return not rules.vocabulary.isdisjoint(_TOKENS.findall(lowered))


def _may_count(text: str) -> bool:
    """Whether one of the words stands in the text without which nobody counts tests."""
    for word in _COUNTING_WORDS:  # noqa: SIM110 - most texts are asked, and this is twice as fast.
        if word in text:
            return True
    return False


# -- one test command ------------------------------------------------------------------------------


def _judge(step: Step, sighting: Sighting) -> RunResult:
    """The outcome of one test command of the line."""
    call, rules = sighting.call, step.rules
    check = check_of(sighting.command.simple, call, sighting.directory)
    base = RunResult("unknown", "", call.runner.name, check, selection=call.selection, order=sighting.index)
    if call.inert is not None:
        return replace(base, outcome="nothing", reason=f"{call.inert}: it runs no test")
    if not step.ran:
        return replace(base, reason="it never ran: the step was refused or cancelled")
    stretch = step.text[sighting.start : sighting.end]
    reading = summaries.read(stretch, _grammars(step, sighting), rules.book)
    if not reading.hits and len(step.sighted.tests) == 1:
        names = ("own words",) if sighting.view.opaque else rules.distinct
        # Only a count of theirs is believed, so most texts need no second look.
        tail = stretch[-_WRAPPER_WINDOW:]
        telling = call.runner.grammars and (_may_count(tail) or "skip" in tail)
        if telling and summaries.read(tail, names, rules.book, only_counts=True).counted:
            other = summaries.read(stretch, names, rules.book)
            reading = other if other.counted else reading
    notes = NOTHING_READ
    if not (reading.counts.passed and call.runner.kind == "runner" and call.runner.grammars):
        notes = summaries.read(stretch, ("missing", "steps"), rules.book)
    said = _said(step, sighting, bool(reading.hits or not stretch.strip()))
    name = call.runner.name
    if reading.grammars and call.runner.kind != "runner":
        name = reading.grammars[0]
    base = RunResult("unknown", "", name, check, reading.counts, None, call.selection, order=sighting.index)
    tests = step.sighted.tests
    sharing = sum(1 for one in tests if one.start == sighting.start and one.call.runner is call.runner)
    scene = Scene(
        call,
        sighting.view,
        said,
        reading,
        notes,
        stretch,
        step,
        len(tests),
        sharing,
        sighting.rounds,
        sighting.tool_before,
    )
    result = weigh(base, scene)
    if sighting.elsewhere and result.outcome not in ("not_a_test", "nothing"):
        aside = replace(result, outcome="unknown", reason=sighting.elsewhere, authority=None)
        return _with_names(aside, scene, None)
    if result.outcome == "fail":
        return _with_names(result, scene, reading.counts.failed or 1)
    return result


def _with_names(result: RunResult, scene: Scene, failed: int | None) -> RunResult:
    """The result with the names of what failed and why; ``failed`` as in ``causes_of``."""
    grammars = (
        scene.reading.grammars or _spoke(scene.reading) or scene.step.rules.grammars_of(scene.call.runner)
    )
    names = failing_names(scene.text, grammars, scene.step.rules.book)
    return replace(result, failing=names, causes=causes_of(scene.text, failed))


def _grammars(step: Step, sighting: Sighting) -> tuple[str, ...]:
    """The grammars to read by: a task's are all but those of the runners that share its stretch."""
    names = step.rules.grammars_of(sighting.call.runner)
    if sighting.call.runner.kind == "runner" or len(step.sighted.tests) == 1:
        return names
    taken = {
        step.rules.grammars_of(other.call.runner)[0]
        for other in step.sighted.tests
        if other.start == sighting.start and other.call.runner.kind == "runner" and other.call.runner.grammars
    }
    return tuple(name for name in names if name not in taken) if taken else names


def _spoke(reading: Reading) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hit.grammar for hit in reading.hits))


def _said(step: Step, sighting: Sighting, ran: bool) -> Said:
    """The status of one command: deduced from the line's, or printed by the line itself.

    A failing line that only changes the directory, exports, and then tests is believed to have failed
    in the tests if the runner was heard (``ran``).
    """
    each = sighting.command
    printed = spoken(step.sighted.script, each, step.text) if step.sighted.prints else None
    if printed is not None:
        return printed
    if not sighting.own_status:
        return Said("unknown", None, "its status is not given back")
    if step.exit_code is None:
        return Said("unknown", None, "no exit status is known")
    said = status.deduce(step.sighted.script, each, step.exit_code)
    if said.state == "unknown" and step.exit_code and not each.filters and sighting.only_preparation_before:
        if ran and "o such file or directory" not in step.text[:400]:
            return Said("failed", step.exit_code, "nothing else in the line is likely to have failed")
    return said


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
        causes=tuple(dict.fromkeys(message for result in results for message in result.causes))
        if all(result.causes for result in results)
        else (),
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


def _unnamed(step: Step) -> RunResult:
    """Hooks, gates, scripts: a run only if a complete counted summary of a known runner is in the output."""
    sighted, rules, exit_code = step.sighted, step.rules, step.exit_code
    if not step.ran or not (sighted.others or sighted.reads_files):
        return NOT_A_TEST
    if not _may_count(step.text):
        return _hook(step)
    text = step.text[-_WRAPPER_WINDOW:]
    reading = summaries.read(text, rules.distinct, rules.book, only_counts=True)
    if not reading.counted or not (reading.counts.passed or reading.failures):
        return _hook(step)
    failing = failing_names(text, reading.grammars, rules.book) if reading.failures else ()
    runner, told = reading.grammars[0], numbers(reading.counts)
    if not sighted.others:
        return replace(
            NOT_A_TEST,
            reason="summary read from a file",
            runner=runner,
            counts=reading.counts,
            failing=failing,
        )
    command = next((each for each in sighted.others if not _only_checks(each)), sighted.others[-1])
    base = RunResult("unknown", told, runner, _wrapper_check(command), reading.counts, failing=failing)
    said = Said("unknown", None, "")
    if exit_code is not None:
        said = status.deduce(sighted.script, command, exit_code)
    broken = summaries.read(text, ("steps",), rules.book).first("step_failed")
    if reading.failures:
        return replace(base, outcome="fail", authority="both" if said.state == "failed" else "summary")
    if said.state == "failed" or (broken and said.state != "passed"):
        reason = f"it failed, though {told}" + (f": {broken}" if broken else "")
        return replace(base, outcome="fail", reason=reason, authority="exit")
    if said.state == "passed":
        return replace(base, outcome="pass", authority="both")
    view = view_of(command)
    whole = all(lets_failures_through(view, rules.book.grammars[name]) for name in reading.grammars)
    if said.state == "unknown" and whole and not (view.opaque or view.counted or view.head):
        return replace(base, outcome="weak", reason=f"{told} by its own summary", authority="summary")
    return replace(base, reason="its summary is only partly visible")


def _only_checks(each: Command) -> bool:
    return bool(each.simple.argv) and program(each.simple.argv[0]) in LINTERS


def _hook(step: Step) -> RunResult:
    """A commit whose hook ran tests, though the summary is cut off."""
    if not any(_is_git(each) for each in step.sighted.others):
        return NOT_A_TEST
    if step.exit_code:
        reading = summaries.read(step.text, _SPEAKING_HOOKS, step.rules.book)
        line = reading.first("bad") or reading.first("crash")
        if line is not None:
            spoke = _spoke(reading)
            names = failing_names(step.text, spoke, step.rules.book)
            reason = f"a commit hook showed a failure: {line}"
            return RunResult("fail", reason, spoke[0], authority="both", failing=names)
    if step.truncated and _HOOK_STARTS.search(step.text):
        return RunResult("unknown", "a commit hook ran tests, but its output was cut")
    return NOT_A_TEST


def _is_git(each: Command) -> bool:
    return "git" in each.simple.argv[:2]


def _wrapper_check(command: Command) -> str | None:
    """The command as it is known again; a commit is none, for nobody runs it as a check."""
    argv = command.simple.argv
    if not argv or _is_git(command):
        return None
    return " ".join(argv)[:300]
