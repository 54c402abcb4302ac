"""`verify` finds what was changed behind honed's back: the short form of ``bench.mutations``."""

from __future__ import annotations

from bench.mutations import run


def test_no_change_of_a_row_a_page_or_a_chain_goes_unseen() -> None:
    outcomes, missed = run(60, seed=4)
    assert missed == []
    assert sum(counted["found"] for counted in outcomes.values()) > 30
