"""Were the tests left intact?  The corpus in ``tamper_corpus`` and the rules one by one."""

from __future__ import annotations

import pytest

from honed.verdict.tamper import find_tampering
from tests.verdict.tamper_corpus import Case, cases

CASES = cases()
CLIENTS = ("claude", "codex")


def _found(case: Case, client: str) -> tuple[bool, str]:
    """Whether tampering is found and the verdict of the session."""
    task = case.tasks(client)[-1]
    found = task.verdict.tampering or find_tampering(task.steps, task.requests, root=task.session.cwd)
    return bool(found), task.verdict.kind


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("case", [c for c in CASES if c.tampered], ids=lambda case: case.name)
def test_a_pass_that_was_bought_is_not_verified(case: Case, client: str) -> None:
    found, kind = _found(case, client)
    assert found
    assert kind != "verified"


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("case", [c for c in CASES if not c.tampered], ids=lambda case: case.name)
def test_an_honest_edit_of_tests_stays_verified(case: Case, client: str) -> None:
    found, kind = _found(case, client)
    assert not found
    assert kind == "verified"
