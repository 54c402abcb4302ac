"""What went wrong on the way and what resolved it.

Told are errors of the environment with their remedy, and failures that a change *elsewhere* resolved:
"that test breaks when you do this, and here is the other file to touch".  A slip in the line just
written, an assertion of a test written first, and what passes by itself teach nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from honed.skills.model import Pitfall
from honed.skills.recipes import FORM_IS_WRONG, PERMISSION, Remedy, remedies
from honed.skills.signatures import Signature
from honed.skills.trail import ENVIRONMENT, Attempt, Setup
from honed.skills.work import FileWork

MOST = 4
"""Pitfalls of one skill."""
_NAMED_FILES = 2
_UNSPECIFIC = frozenset(
    {"ELIFECYCLE", "make", "error", "ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL", "ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL"}
)
_BARE = re.compile(
    r"(?:AssertionError(?: \[\w+\])?:? ?)?(?:$|assert(?:ion)?\b.{0,40}(?:failed)?$|expect(?:ed)?\b"
    r"|Expected values|\S+:<n>$)"
)
_SLIPS = frozenset({"compile", "SyntaxError", "IndentationError", "NameError", "error", "code", "make"})


def pitfalls(
    attempts: Sequence[Attempt],
    setups: Sequence[Setup],
    works: Sequence[FileWork],
    edits: Sequence[tuple[int, str]],
) -> tuple[Pitfall, ...]:
    """The pitfalls of one task.  ``edits`` are (ordinal, path) of each change of a file that "
    "stayed changed."""
    found: dict[str, Pitfall] = {}
    for remedy in remedies(attempts, setups):
        told = resolution_of(remedy)
        if told:
            found.setdefault(remedy.signature.text, Pitfall(remedy.signature.text, told, remedy.bad))
    for index, attempt in enumerate(attempts):
        if attempt.run is None or not attempt.failed or attempt.signature is None:
            continue
        if not attempt.signature.transient and attempt.signature.kind not in ENVIRONMENT:
            resolution = _companion(attempt, attempts[index + 1 :], works, edits)
            text = _said(attempt)
            if resolution and text:
                found.setdefault(text, Pitfall(text, resolution, attempt.form))
    return tuple(found.values())[:MOST]


def resolution_of(remedy: Remedy) -> str:
    """What a remedy comes to, in one line; empty where it teaches nothing."""
    if remedy.first and (remedy.same_form or remedy.signature.kind not in FORM_IS_WRONG):
        return f"Run `{remedy.first[-1]}` first"
    if not remedy.same_form:
        return f"Use `{remedy.good.form}`"
    if remedy.signature.kind in PERMISSION:
        return "Run it outside the sandbox (ask for permission)"
    return ""


def is_specific(error: Signature) -> bool:
    """Whether an error names what is wrong: no slip, no wrapper's last word, no bare assertion."""
    return error.kind not in _SLIPS and error.kind not in _UNSPECIFIC and not _BARE.match(error.text)


def _companion(
    failed: Attempt, later: Sequence[Attempt], works: Sequence[FileWork], edits: Sequence[tuple[int, str]]
) -> str:
    """What was changed elsewhere between the failure and its end; empty when that is not the story."""
    end = next(
        (a for a in later if a.run is not None and a.core == failed.core and not _again(a, failed)), None
    )
    if end is None or not end.passed:
        return ""
    before = {path for at, path in edits if at < failed.at}
    between = list(dict.fromkeys(path for at, path in edits if failed.at < at < end.at))
    by_path = {work.path: work for work in works}
    fresh = [path for path in between if path not in before and path in by_path]
    if not before or not fresh or len(fresh) > 4:
        return ""
    if all(by_path[path].is_test for path in before if path in by_path):
        return ""  # The tests came first and were meant to fail.
    if _is_slip(failed.signature) and not any(by_path[path].is_test for path in fresh):
        return ""
    return "Change " + " and ".join(f"`{path}`" for path in fresh[:_NAMED_FILES]) + " too"


def _said(attempt: Attempt) -> str:
    """What failed, in words that name it: a bare assertion or a wrapper's last word gives way to the test."""
    error = attempt.signature
    if error is not None and error.kind not in _UNSPECIFIC and not _BARE.match(error.text):
        return error.text
    failing = attempt.run.result.failing if attempt.run is not None else ()
    return failing[0][:160] if failing else ""


def _again(attempt: Attempt, failed: Attempt) -> bool:
    return attempt.failed and attempt.signature == failed.signature


def _is_slip(error: Signature | None) -> bool:
    return error is not None and error.kind in _SLIPS
