"""From a verified task to what is worth telling the next session: drafts, or why there are none.

Deterministic and pure.  Lessons and places, not patches to replay: the change itself stays in the
repository.  The rules are in docs/design.md ("The words") and in the rooms named in the imports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from honed.skills import anchors
from honed.skills.manual import redacted
from honed.skills.model import SKILL_TOKEN_LIMIT, Draft, Pitfall
from honed.skills.naming import Name, named
from honed.skills.normal import fingerprint
from honed.skills.pitfalls import pitfalls
from honed.skills.places import relative, shortened
from honed.skills.recipes import recipes
from honed.skills.recurring import Sighting, sightings
from honed.skills.render import markdown
from honed.skills.steps import file_refs, step_lines, symbols
from honed.skills.tokens import clip, clip_code, estimate
from honed.skills.trail import Setup, acts, attempts, placed, setups
from honed.skills.work import FileWork, changed_code, net_work
from honed.verdict.model import Run, Task

MOST_REQUESTS = 3
MOST_FILES = 12
"""Above these a task still gives recipes and pitfalls, but no procedure (design.md, The words)."""

_LESSON_TITLE = 45
"""Tokens."""
_CHECK = 100
"""Tokens of a check in a skill that has no room; a longer one is left out, half of it is another command."""
_THROW_AWAY = re.compile(r"scratchpad|(?<![\w=])/(?:private/)?tmp/|[/\\]Temp[/\\]")

Redact: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a task taught: at most one procedure, recipes, a lesson; ``refused`` says why no procedure."""

    drafts: tuple[Draft, ...] = ()
    refused: str = ""
    seen: tuple[Sighting, ...] = ()
    """The errors that it met and got rid of (see ``skills.recurring``)."""


def compile_task(
    task: Task, *, root: str | None = None, redactor: Redact = str, earlier: Sequence[str] = ()
) -> Compiled:
    """What ``task`` taught.

    ``root`` is the folder of the project (the session's own where not known); ``redactor`` is run over
    every text; ``earlier`` are the texts of the session's requests before this task, oldest first: they
    speak where the task's own say no more than "yes, do that".  An empty one stands behind those whose
    work was done in a task of their own.
    """
    if task.verdict.kind != "verified":
        return Compiled(refused=f"{task.verdict.kind}: {task.verdict.reason}")
    if task.session.kind not in ("main", "team"):
        return Compiled(refused=f"a {task.session.kind} session is part of another one's work")
    tried, made = attempts(task, root), setups(task, root)
    works = net_work(task, root)
    found = list(recipes(tried, made, task=task.id))
    edits = _edits(task, works, root)
    warnings = pitfalls(tried, made, works, edits)
    name = named(task, works, earlier) if works else Name("", "", False)
    refused = _refusal(task, works, warnings, name)
    if not refused:
        found.insert(0, _procedure(task, root, works, made, warnings, name))
    elif name.said and (warnings := _companions(warnings, found)):
        found.append(_lesson(task, root, works, warnings, name))
    told = tuple(_fitted(redacted(draft, redactor)) for draft in found)
    return Compiled(told, refused, _seen(sightings(tried, made, works, edits, acts(task, root)), redactor))


def _seen(found: Sequence[Sighting], redactor: Redact) -> tuple[Sighting, ...]:
    return tuple(
        Sighting(
            redactor(one.signature),
            redactor(one.command),
            redactor(one.remedy),
            tuple(redactor(path) for path in one.files),
        )
        for one in found
    )


def _companions(warnings: Sequence[Pitfall], found: Sequence[Draft]) -> tuple[Pitfall, ...]:
    """The pitfalls that no recipe tells already."""
    told = {pitfall.signature for draft in found for pitfall in draft.pitfalls}
    return tuple(warning for warning in warnings if warning.signature not in told)


def _refusal(task: Task, works: Sequence[FileWork], warnings: Sequence[Pitfall], name: Name) -> str:
    """Why ``task`` gives no procedure, or empty."""
    code = changed_code(works)
    if not code:
        return "no file of the project was left changed"
    if len(task.requests) > MOST_REQUESTS:
        return f"{len(task.requests)} requests in one task: too much for one procedure"
    if len(code) > MOST_FILES:
        return f"{len(code)} changed files: too much for one procedure"
    nameless = not symbols(code) and not any(any(anchors.names_changed(work.hunks)) for work in code)
    if nameless and not warnings and not name.said:
        return "a small change that nobody named: the repository shows it by itself"
    return ""


def _edits(task: Task, works: Sequence[FileWork], root: str | None) -> list[tuple[int, str]]:
    """(ordinal, path) of each change of a file that stayed changed."""
    kept = {work.path for work in works}
    found = []
    for change in task.changes:
        if change.weight == "code" and change.via in ("tool", "shell"):
            for file in change.files:
                path = relative(file.path, cwd=task.session.cwd, root=root)
                if path in kept:
                    found.append((change.at, path or ""))
    return found


# -- the procedure -----------------------------------------------------------------------------------


def _procedure(
    task: Task,
    root: str | None,
    works: tuple[FileWork, ...],
    made: Sequence[Setup],
    warnings: tuple[Pitfall, ...],
    name: Name,
) -> Draft:
    run = deciding_run(task)
    check = _check(task, root)
    return Draft(
        kind="procedure",
        title=name.title,
        trigger=name.trigger,
        steps=step_lines(works, made, run.started if run else 1 << 60),
        files=file_refs(works),
        check=check,
        pitfalls=warnings,
        outcome=_outcome(task, run, _as_typed(task, run, root) or check),
        symbols=symbols(works),
        fingerprint=_fingerprint(works, check),
        source_task=task.id,
        fail_to_pass=task.verdict.fail_to_pass,
        authority=task.verdict.authority or "",
    )


def _check(task: Task, root: str | None) -> str:
    """The check as one would type it in the project's root; one that runs a throw-away script is none."""
    check = task.verdict.check or ""
    step = next((step for step in task.steps if step.id == task.verdict.step_id), None)
    if step is not None:
        check = placed(check, step, task, root)
    check = shortened(check, cwd=task.session.cwd, root=root)
    return "" if _THROW_AWAY.search(check) else check


def _lesson(
    task: Task,
    root: str | None,
    works: tuple[FileWork, ...],
    warnings: tuple[Pitfall, ...],
    name: Name,
) -> Draft:
    """The pitfalls of a task that is too large for a procedure."""
    named = [work for work in works if any(f"`{work.path}`" in warning.resolution for warning in warnings)]
    return Draft(
        kind="lesson",
        title=_lesson_title(name.title, warnings[0].resolution),
        trigger=clip(f"{name.trigger} [{warnings[0].signature}]", 160),
        files=file_refs(named),
        pitfalls=warnings,
        check=_check(task, root),
        outcome=_outcome(task, deciding_run(task), ""),
        fingerprint=fingerprint(("lesson", *(f"{w.signature}|{w.resolution}" for w in warnings))),
        source_task=task.id,
        fail_to_pass=task.verdict.fail_to_pass,
        authority=task.verdict.authority or "",
    )


def _lesson_title(work: str, resolution: str) -> str:
    """What to do with what work, where both have room."""
    both = f"{work}: {resolution[:1].lower()}{resolution[1:]}"
    return both if estimate(both) <= _LESSON_TITLE else clip_code(resolution, _LESSON_TITLE)


def deciding_run(task: Task) -> Run | None:
    """The run that the verdict rests on."""
    found = [run for run in task.runs if run.step_id == task.verdict.step_id]
    return found[-1] if found else None


def _as_typed(task: Task, run: Run | None, root: str | None) -> str:
    """The deciding command as it was typed, where it is one short plain command."""
    command = run.command.strip() if run is not None else ""
    if not command or len(command) > 100 or re.search(r"[|;<>\n]|&&|EOF", command):
        return ""
    typed = shortened(command, cwd=task.session.cwd, root=root)
    return "" if _THROW_AWAY.search(typed) else typed


def _outcome(task: Task, run: Run | None, command: str) -> str:
    if run is None:
        return ""
    counts = run.result.counts
    parts = []
    if counts.passed:
        parts.append(f"{counts.passed} passed")
    if counts.skipped:
        parts.append(f"{counts.skipped} skipped")
    said = f"`{command}`: " if command else ""
    text = said + (", ".join(parts) or "passed")
    if task.verdict.fail_to_pass:
        text += "; it failed before the change"
    if task.verdict.authority == "summary":
        text += " (by the runner's own summary)"
    return text


def _fingerprint(works: Iterable[FileWork], check: str) -> str:
    """Same files, same check, same names that came: the same work, whatever it was called."""
    code = sorted(changed_code(works), key=lambda work: work.path)
    names = sorted({name for work in code for name in anchors.names_changed(work.hunks)[0]})
    return fingerprint(("procedure", *(work.path for work in code), check, *names))


# -- size ---------------------------------------------------------------------------------------------


def _fitted(draft: Draft) -> Draft:
    """``draft`` under ``SKILL_TOKEN_LIMIT``: what says least goes first."""
    cuts: tuple[Callable[[Draft], Draft], ...] = (
        lambda d: replace(d, steps=tuple(clip_code(step, 60) for step in d.steps)),
        lambda d: replace(d, files=tuple(replace(f, anchors=f.anchors[:1]) for f in d.files)),
        lambda d: replace(d, files=d.files[:MOST_FILES]),
        lambda d: replace(d, pitfalls=d.pitfalls[:2]),
        lambda d: replace(d, steps=tuple(clip_code(step, 30) for step in d.steps)),
        lambda d: replace(d, trigger=clip(d.trigger, 60), steps=d.steps[:MOST_FILES]),
        lambda d: replace(
            d,
            check=d.check if estimate(d.check) <= _CHECK else "",
            outcome=clip_code(d.outcome, 60),
            steps=d.steps[:6],
            files=d.files[:6],
        ),
    )
    for cut in cuts:
        if estimate(markdown(draft)) <= SKILL_TOKEN_LIMIT:
            break
        draft = cut(draft)
    return draft
