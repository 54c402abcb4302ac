"""How the tests are run here: a project's answer to requests that ask just that (``recall.asked``).

On the hot path (docs/decisions/0004): loaded only for such a request, and at a session's start.
"""

from __future__ import annotations

from honed.recall.note import Note, framed
from honed.recall.safe import code, quoted
from honed.skills.tokens import estimate
from honed.skills.usual import usual_checks
from honed.store.checks import proofs, recipe_titles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from honed.skills.usual import Usual
    from honed.store.reading import Reader

STATES: Mapping[str, Sequence[str]] = {"verified": ("candidate", "proven"), "proven": ("proven",)}
"""From which skills the checks are told, by the owner's dial; approving a skill approves no sum of many."""
MOST = 3
"""Checks that are named."""
MOST_RECIPES = 2
"""Recipes that are named: what the command needs here."""
_ONE_COMMAND = 2
"""Back-ticks of a title that names one command."""
HEADING = "How this project is checked, from the runs that verified changes in it:"


def lines(reader: Reader, project: str, deliver: str) -> list[str]:
    """The usual checks of ``project`` in a line each, made safe for a frame; none where none is known, or
    the owner's dial ``deliver`` lets none through.  After them what recipes say beyond those commands."""
    known = usual_checks(proofs(reader, project, STATES.get(deliver, ())))
    shown = ([one for one in known if one.whole] or known)[:MOST]
    told = [f"- {_line(one)}" for one in shown]
    forms = recipe_titles(reader, project, STATES.get(deliver, ()), MOST_RECIPES) if shown else []
    said = {code(_as_run(one)) for one in shown}
    return told + [f"- Learned on the way: {quoted(form)}" for form in forms if not _is_said(form, said)]


def _is_said(form: str, said: set[str]) -> bool:
    """Whether a recipe's title names one command only, which is told already."""
    return form.count("`") == _ONE_COMMAND and any(command in form for command in said)


def _line(usual: Usual) -> str:
    part = "" if usual.whole else "; these are some of the tests, no run of all was seen"
    seen = f"{usual.sessions} sessions" if usual.sessions > 1 else "one session"
    return f"{code(_as_run(usual))} (passed in {seen}, last {usual.last[:10]}{part})"


def _as_run(usual: Usual) -> str:
    """The command from the project's root, so that it can be run as it stands."""
    if not usual.folder:
        return usual.command
    folder = f'"{usual.folder}"' if " " in usual.folder else usual.folder
    return f"cd {folder} && {usual.command}"


def mark_of(project: str) -> str:
    """By what a session remembers that it was told the usual checks of ``project``."""
    return f"{project}#checks"


def answer(reader: Reader, project: str, budget: int, deliver: str) -> Note | None:
    """What a request is given that asks: the usual checks of ``project`` within ``budget`` tokens.

    Its ids are the mark of the checks, no skill's.  ``None`` where there are no ``lines``, or not even the
    first fits.
    """
    kept = lines(reader, project, deliver)
    while kept and estimate(framed([HEADING, *kept], "", "reference")) > budget:
        kept.pop()
    if not kept:
        return None
    text = framed([HEADING, *kept], "", "reference")
    return Note(text, estimate(text), (mark_of(project),))
