"""The form of a command that works here after others failed, and what it needs first.

Learned only where the failure spoke of the environment (a missing program, module, folder, option,
permission) and a run that truly passed came after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from honed.skills.model import Draft, Pitfall
from honed.skills.normal import fingerprint
from honed.skills.signatures import Signature
from honed.skills.trail import ENVIRONMENT, FORM_LIMIT, Attempt, Setup

LOOK_AHEAD = 12
"""Attempts after a failed form in which the working one is looked for."""
MOST = 2
"""Recipes of one task."""
FORM_IS_WRONG = frozenset({"command not found", "missing script", "unknown option", "wrong folder"})
"""Kinds of errors that another form ends, whatever was made ready meanwhile."""
PERMISSION = frozenset({"EPERM", "EACCES", "permission denied"})


_MACHINE = re.compile(r"/installs/|/\.cache/|(?<!\w)PATH=|/(?:tmp|Temp|scratchpad)/(?!go-build|gocache)")
# Commands other than tests whose form is worth knowing.
_CHECKS = re.compile(
    r"(?i)lint|check|tsc\b|format|fmt|\bbuild|vet\b|clippy|ruff|mypy|pyright|prettier|biome"
    r"|compile|generate|migrat"
)


@dataclass(frozen=True, slots=True)
class Remedy:
    """A failed form, why it failed, the form that passed, and what was done first (perhaps nothing)."""

    bad: str
    signature: Signature
    good: Attempt
    first: tuple[str, ...]

    @property
    def same_form(self) -> bool:
        """Whether the very same command passed later."""
        return self.bad == self.good.form


def remedies(attempts: Sequence[Attempt], setups: Sequence[Setup]) -> list[Remedy]:
    """Each failed form of a command with the first form of it that passed."""
    found: dict[tuple[str, str], Remedy] = {}
    for index, attempt in enumerate(attempts):
        error = attempt.signature
        if not attempt.failed or error is None or error.transient or error.kind not in ENVIRONMENT:
            continue
        later = attempts[index + 1 : index + 1 + LOOK_AHEAD]
        good = _passing(attempt, later)
        if good is None or not _tellable(attempt.form) or not _tellable(good.form):
            continue
        if error.kind in PERMISSION and attempt.form != good.form and not _names_its_program(attempt):
            continue  # A right was missing: that may be given tomorrow, and says nothing of the form.
        first = _first(attempt, later, setups, good)
        found.setdefault((attempt.form, good.form), Remedy(attempt.form, error, good, first))
    return list(found.values())


def _first(
    failed: Attempt, later: Sequence[Attempt], setups: Sequence[Setup], good: Attempt
) -> tuple[str, ...]:
    """What was made ready before the same error was gone."""
    # That another form failed otherwise does not say that the error was gone.
    same = (a for a in later if _does_the_same(failed, a) and (a.form == failed.form or a.passed))
    over = next((a for a in same if a.signature != failed.signature), good)
    between = [setup.command for setup in setups if failed.at < setup.at <= over.at]
    return tuple(dict.fromkeys(c for c in between if c not in good.form and c != failed.form))


def _tellable(form: str) -> bool:
    """A short line of one command that means the same on another machine."""
    return 0 < len(form) <= FORM_LIMIT and "\n" not in form and not _MACHINE.search(form)


def _passing(failed: Attempt, later: Sequence[Attempt]) -> Attempt | None:
    for attempt in later:
        if attempt.passed and _does_the_same(failed, attempt):
            return attempt
    return None


def _names_its_program(attempt: Attempt) -> bool:
    """Whether what may not be done is running the form's own program (``./gradlew: Permission denied``)."""
    told = attempt.signature.text if attempt.signature is not None else ""
    program = next((word for word in attempt.form.split() if "=" not in word), "")
    return "/" in program and program.rpartition("/")[2] in told


def _does_the_same(failed: Attempt, attempt: Attempt) -> bool:
    """Whether both run the same tool; a program that was not found is recognised by its name in the form."""
    if failed.run is not None and attempt.run is not None:
        return failed.core == attempt.core or failed.core in attempt.form.split()
    if failed.run is not None or attempt.run is not None or not _CHECKS.search(failed.form):
        return False
    return failed.core == attempt.core and failed.form.split()[-1:] == attempt.form.split()[-1:]


def recipes(attempts: Sequence[Attempt], setups: Sequence[Setup], *, task: str) -> list[Draft]:
    """The recipes of one verified task, at most ``MOST``."""
    drafts: dict[str, Draft] = {}
    for remedy in remedies(attempts, setups):
        draft = _draft(remedy, task)
        if draft is not None:
            drafts.setdefault(draft.fingerprint, draft)
    return list(drafts.values())[:MOST]


def _draft(remedy: Remedy, task: str) -> Draft | None:
    form, error = remedy.good.form, remedy.signature.text
    what = "Run the tests" if remedy.good.run is not None else f"Run {remedy.good.core}"
    if not remedy.same_form:
        title = f"{what} with `{form}`"
        needed = () if remedy.signature.kind in FORM_IS_WRONG else remedy.first[:3]
        steps = (*(f"First run `{command}`" for command in needed), f"Use `{form}`")
        resolution = f"Use `{form}`"
        trigger = f"{what} here; `{remedy.bad}` fails: {error}"
    elif remedy.first:
        title = f"Run `{remedy.first[-1]}` before `{form}`"
        steps = (*(f"First run `{command}`" for command in remedy.first[:3]), f"Then run `{form}`")
        resolution = f"Run `{remedy.first[-1]}` first"
        trigger = f"{what} here; `{form}` fails: {error}"
    elif remedy.signature.kind in PERMISSION:
        title = f"Run `{form}` outside the sandbox"
        steps = (f"Ask for permission to run `{form}` outside the sandbox; inside it fails",)
        resolution = "Run it outside the sandbox (ask for permission); nothing else has to change"
        trigger = f"{what} here; `{form}` fails: {error}"
    else:
        return None
    check = remedy.good.run.result.check or "" if remedy.good.run is not None else ""
    return Draft(
        kind="recipe",
        title=title,
        trigger=trigger,
        steps=steps,
        check=form if check else "",
        pitfalls=(Pitfall(signature=error, resolution=resolution, command=remedy.bad),),
        outcome=f"`{form}` passed" + _counts(remedy.good),
        fingerprint=fingerprint(("recipe", form, resolution, remedy.signature.kind)),
        source_task=task,
        authority=(remedy.good.run.result.authority or "") if remedy.good.run is not None else "exit",
    )


def _counts(attempt: Attempt) -> str:
    passed = attempt.run.result.counts.passed if attempt.run is not None else None
    return f": {passed} tests" if passed else ""
