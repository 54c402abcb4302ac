"""What filters let us see of a run: would a failure have shown?

``| tail -5`` shows an end, ``| grep passed`` some lines, ``| head -20`` a beginning.  A summary that came
through counts as whole only if every way in which the runner tells of a failure would have come
through as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from honed.verdict.filters import View
from honed.verdict.model import RunResult
from honed.verdict.scene import Scene
from honed.verdict.summaries import Reading, read
from honed.verdict.summaries_model import Grammar

_TELLING_TASKS = frozenset("pnpm yarn bun make just mise task turbo nx lerna rake composer deno".split())
"""Task runners whose last line says so when a step failed; npm says nothing."""


def shows_only_failures(scene: Scene) -> bool:
    """Whether the filters drop what passes, would show what fails, and showed nothing of it.

    The same holds of the end of a run that always ends with its failures (``go test ./... | tail -5``).
    Only for runners of which every failing run prints one certain line.
    """
    view, grammar = scene.view, _certain(scene)
    if grammar is None or not view.keeps(grammar.always) or not would_show_failure(scene):
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


def counted_lines(base: RunResult, scene: Scene) -> RunResult | None:
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
        told = "a line tells" if count == 1 else f"{count} lines tell"
        return replace(base, outcome="fail", reason=f"{told} of a failure", authority="summary")
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


def would_show_failure(scene: Scene) -> bool:
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


def complete(scene: Scene) -> bool:
    """Whether the counted summary is the whole of it: nothing that failed could have been hidden."""
    view, reading, book = scene.view, scene.reading, scene.step.rules.book
    if reading.counted < scene.sharing * (scene.rounds or 1):
        return False
    if scene.step.truncated and counts_alone(reading):
        return False
    grammars = [book.grammars[name] for name in reading.grammars]
    lines = scene.text.rstrip("\n").count("\n") + 1
    one_line = any(hit.complete and hit.kind == "count" and hit.level > 1 for hit in reading.hits)
    if view.opaque:
        return one_line or reading.counts.failed is not None
    if not _lets_failures_through(scene):
        return False
    if view.head is not None and lines >= view.head:
        return one_line and not any(grammar.parts for grammar in grammars)
    if view.tail is not None and lines >= view.tail:
        if not _tells_of_all(scene, grammars):
            return False
        if any(grammar.failures_first for grammar in grammars):
            return _nothing_cut_above(scene)
        if "tap" in reading.grammars and counts_alone(reading):
            return False
    return True


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


def counts_alone(reading: Reading) -> bool:
    """Whether the count is one of units (packages), which a failing package would not be in."""
    return all(hit.level == 1 for hit in reading.hits if hit.kind == "count")


def others_may_be_hidden(scene: Scene) -> bool:
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
