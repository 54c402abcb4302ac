"""How the voices about one test command are put together: ``weigh``.

Three are heard: the exit status, the runner's own count, and its words.  The rules stand in order in
``_RULES``; the first that applies decides.  Contradictions are read pessimistically.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from honed.verdict.model import Authority, RunResult
from honed.verdict.runner_names import names_tests
from honed.verdict.runners import EXITS, SCRIPT, Call
from honed.verdict.scene import Scene, numbers
from honed.verdict.visibility import (
    complete,
    counted_lines,
    counts_alone,
    others_may_be_hidden,
    shows_only_failures,
    would_show_failure,
)

_WATCHING = re.compile(r"Waiting for file changes|Watch Usage|press h to show help|Watching for file changes")
"""Words of runners that wait for the next change when all is done."""


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
    if hit is not None and scene.said.state != "passed" and _concerns(hit.word, scene):
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
    if crash is not None and scene.tool_before and said.state != "failed":
        if not clean_count:
            return replace(base, reason=f"it or a build in front of it broke down: {crash}")
    elif crash is not None and not (clean_count and said.state == "passed"):
        return replace(base, outcome="fail", reason=f"the run broke down: {crash}", authority=authority)
    final = next((hit.text for hit in reading.hits if hit.kind == "bad" and hit.level > 2), None)
    if final is not None and not (clean_count and said.state == "passed"):
        return replace(base, outcome="fail", reason=f"the run failed: {final}", authority=authority)
    bad = reading.first("bad")
    if bad is not None and not (clean_count and not counts_alone(reading)):
        return replace(base, outcome="fail", reason=f"the output shows a failure: {bad}", authority=authority)
    step = _failed_step(scene)
    if step is not None:
        return replace(
            base, outcome="fail", reason=f"the output shows a failure: {step}", authority=authority
        )
    return None


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
            if hit.word in names and not _of_another_target(hit.word, call):
                return hit.text
        elif scene.said.state != "passed" and not (scene.passed and scene.reading.counted):
            return hit.text
    return None


def _of_another_target(word: str, call: Call) -> bool:
    """Whether a failed step is one of several targets, and not the one that tests (``make lint test``)."""
    return " " in call.target and word in call.target.split(" ") and not names_tests(word)


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
    if line is None or others_may_be_hidden(scene):
        return None
    return replace(base, outcome="nothing", reason=f"no test ran: {line}")


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
    broken = scene.notes.found.get("step_failed")
    if broken is not None and not scene.reading.counted and _of_another_target(broken.word, call):
        return replace(base, reason=f"it was not reached: {broken.text}")
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
        return _silent(base, scene) or replace(base, outcome="pass", reason="exit status 0", authority="exit")
    if call.runner is SCRIPT and call.named:
        return replace(base, reason="a test file was run, but no runner said anything")
    if not scene.view.plain or scene.step.truncated:
        return replace(base, reason="a gate passed, but no test runner was seen in it")
    return replace(base, outcome="not_a_test", reason="a task that printed no runner's summary")


_IDLE = re.compile(
    r"(?mi)^\s*(?:make(?:\[\d+\])?: (?:Nothing to be done for|[`'\u2018]?.*['\u2019]? is up to date)"
    r"|(?:>\s*)?echo\b.*\bno tests?\b"
    r"|no tests?(?: (?:yet|here|specified|defined|to run|configured))?[.!]?\s*$)"
)
"""What a target prints that has nothing to do."""


def _silent(base: RunResult, scene: Scene) -> RunResult | None:
    """A wrapper that did nothing is no run of tests, whatever its status."""
    idle = _IDLE.search(scene.text)
    if idle:
        return replace(base, outcome="nothing", reason=f"no test ran: {idle[0].strip()}")
    optional = any("--if-present" in test.command.simple.argv for test in scene.step.sighted.tests)
    if optional and scene.view.plain and not scene.text.strip():
        return replace(base, reason="it printed nothing: there may be no such script")
    return None


def _unclear(base: RunResult, scene: Scene) -> RunResult | None:
    """The status belongs to somebody else: only what is printed speaks."""
    view, reading = scene.view, scene.reading
    if view.counted:
        return counted_lines(base, scene)
    if scene.passed and not view.counted:
        if complete(scene):
            told = f"{numbers(reading.counts)} by its own summary"
            return replace(base, outcome="weak", reason=told, authority="summary" if scene.rounds else None)
        return replace(base, reason="its summary is only partly visible")
    good = reading.first("good") or (scene.notes.first("good") if scene.call.runner.kind == "task" else None)
    if good and would_show_failure(scene):
        return replace(base, outcome="weak", reason=f"it said {good!r}")
    if scene.step.exit_code is not None and shows_only_failures(scene):
        return replace(base, outcome="weak", reason="what would show failures shows none")
    if not scene.call.trusted and not reading.hits and view.plain and not scene.step.truncated:
        return replace(base, outcome="not_a_test", reason="a script without a word about tests")
    return None


_RULES = (_missing, _interrupted, _shown_failure, _refused, _ended_badly, _ended_well, _unclear)
