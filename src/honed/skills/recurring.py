"""Errors that come again: what resolved one in several sessions, as a recipe that the error recalls.

One session's repair of an error may be a slip mended; where two sessions met the same error, in tasks that
were verified, and did the same about it, that is worth telling whoever meets it next.  Pure: what other
sessions saw is passed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from honed.skills.model import Draft, Pitfall
from honed.skills.normal import fingerprint
from honed.skills.pitfalls import is_specific, resolution_of
from honed.skills.recipes import remedies
from honed.skills.signatures import Signature
from honed.skills.tokens import clip_code
from honed.skills.trail import Attempt, Setup
from honed.skills.work import FileWork

SESSIONS = 2
"""So many sessions must have met an error and resolved it alike."""
MOST_SEEN = 8
"""Sightings of one task that are kept."""
MOST = 2
"""Recipes of one task that come from errors seen again."""
_TITLE = 45
"""Tokens."""
MOST_FILES = 3
"""More files that were changed until an error was gone say nothing of what it took."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """An error that a verified task met and got rid of: its ``signature``, the ``command`` that showed it (as
    one would type it), what was done about it in words (``remedy``, empty where only files were changed) and
    the ``files`` that were changed until it was gone."""

    signature: str
    command: str
    remedy: str
    files: tuple[str, ...] = ()


def sightings(
    attempts: Sequence[Attempt],
    setups: Sequence[Setup],
    works: Sequence[FileWork],
    edits: Sequence[tuple[int, str]],
    acts: Sequence[tuple[int, str]] = (),
) -> tuple[Sighting, ...]:
    """The errors of one verified task that were gone later.  ``edits`` as in ``pitfalls``; ``acts`` are
    (ordinal, command) of what was run, worked, and did not only read.

    What passes by itself is none, nor a slip in the line just written, nor a bare assertion.
    """
    found: dict[str, Sighting] = {}
    for remedy in remedies(attempts, setups):
        told = resolution_of(remedy)
        if told:
            found.setdefault(remedy.signature.text, Sighting(remedy.signature.text, remedy.bad, told))
    code = {work.path for work in works if not work.is_test and not work.is_document}
    for index, attempt in enumerate(attempts):
        error = attempt.signature
        if not attempt.failed or error is None or error.transient or not is_specific(error):
            continue
        end = next((one for one in attempts[index + 1 :] if _is_gone(error, attempt, one)), None)
        if end is None:
            continue
        between = dict.fromkeys(path for at, path in edits if attempt.at < at < end.at and path in code)
        ran = dict.fromkeys(command for at, command in acts if attempt.at < at < end.at)
        if not between and len(ran) == 1:
            told = f"Run `{next(iter(ran))}` first"
            found.setdefault(error.text, Sighting(error.text, attempt.form, told))
        before = {path for at, path in edits if at < attempt.at and path in code}
        fresh = tuple(path for path in between if path not in before)
        # Where nothing was changed before, the error is what was asked for, and no companion of a change.
        if before and 0 < len(fresh) <= MOST_FILES:
            found.setdefault(error.text, Sighting(error.text, attempt.form, "", fresh))
    return tuple(found.values())[:MOST_SEEN]


def _is_gone(error: Signature, failed: Attempt, later: Attempt) -> bool:
    """Whether the same tool ran again and passed."""
    return later.passed and later.core == failed.core and later.signature != error


def recurring(
    seen: Sequence[Sighting], before: Mapping[str, Sequence[tuple[str, Sighting]]], *, session: str, task: str
) -> list[Draft]:
    """Recipes for the errors in ``seen`` that other sessions resolved alike.

    ``before`` has for each signature who saw it before: pairs of session and sighting.  At most ``MOST``.
    """
    found = []
    for one in seen:
        others = {name: sighting for name, sighting in before.get(one.signature, ()) if name != session}
        resolution = _common(one, list(others.values()))
        if len(others) + 1 >= SESSIONS and resolution:
            found.append(_draft(one, resolution, task))
    return found[:MOST]


def _common(one: Sighting, others: Sequence[Sighting]) -> str:
    """What was done about it here and in at least one other session; empty where they differ."""
    if one.remedy:
        return one.remedy if any(other.remedy == one.remedy for other in others) else ""
    counts = Counter(path for other in others for path in set(other.files) & set(one.files))
    both = [path for path in one.files if counts[path]]
    return "Change " + " and ".join(f"`{path}`" for path in both) if both else ""


def _draft(one: Sighting, resolution: str, task: str) -> Draft:
    return Draft(
        kind="recipe",
        title=clip_code(f"`{one.signature}`: {resolution[0].lower()}{resolution[1:]}", _TITLE),
        trigger=f"`{one.command}` fails: {one.signature}",
        steps=(resolution,),
        # Its command is named only where another one is told: it is the error that recalls the rest.
        pitfalls=(Pitfall(one.signature, resolution, one.command if resolution.startswith("Use ") else ""),),
        outcome="the error was gone in each session that did so, and its tests passed",
        fingerprint=fingerprint(("error", one.signature, resolution)),
        source_task=task,
        authority="exit",
    )
