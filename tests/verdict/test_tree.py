"""The work tree as states."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from honed.sessions.model import Hunk
from honed.verdict.tree import WILD, WorkTree, differing, is_inverse

OLD_NEW = (Hunk("a = 1", "a = 2"),)
NEW_OLD = (Hunk("a = 2", "a = 1"),)


def test_an_edit_gives_a_new_state() -> None:
    tree = WorkTree()
    before = tree.state
    tree.edit("a.py", 1, OLD_NEW)
    assert tree.state != before
    assert differing(before, tree.state) == ("a.py",)


def test_an_edit_that_puts_back_what_the_last_one_took_restores_the_state() -> None:
    tree = WorkTree()
    tree.edit("b.py", 1)
    before = tree.state
    tree.edit("a.py", 2, OLD_NEW)
    tree.edit("a.py", 3, NEW_OLD)
    assert tree.state == before


def test_an_edit_of_unknown_content_is_never_an_inverse() -> None:
    assert not is_inverse((), ())
    assert not is_inverse((Hunk("", ""),), (Hunk("", ""),))
    assert is_inverse(OLD_NEW, NEW_OLD)


def test_a_checkout_of_a_file_brings_back_what_was_committed() -> None:
    tree = WorkTree()
    tree.edit("a.py", 1)
    tree.commit()
    tested = tree.state
    tree.edit("a.py", 2)
    tree.restore("a.py", 3)
    assert tree.state == tested


def test_a_checkout_also_takes_back_what_was_edited_before_the_test_and_never_committed() -> None:
    tree = WorkTree()
    tree.edit("a.py", 1)
    tested = tree.state
    tree.edit("a.py", 2)
    tree.restore("a.py", 3)
    assert tree.state != tested


def test_a_stash_that_comes_back_is_the_state_of_before() -> None:
    tree = WorkTree()
    tree.edit("a.py", 1)
    before = tree.state
    tree.stash(2)
    assert tree.state == frozenset()
    tree.unstash(3)
    assert tree.state == before


def test_a_stash_that_nobody_saw_go_is_an_unknown_change() -> None:
    tree = WorkTree()
    tree.unstash(1)
    assert differing(frozenset(), tree.state) == (WILD,)


def test_a_run_in_the_background_is_asked_for_the_state_of_its_start() -> None:
    tree = WorkTree()
    tree.edit("a.py", 2)
    at_start = tree.state
    tree.edit("a.py", 6)
    assert tree.state_at(5) == at_start
    assert tree.state_at(7) == tree.state
    assert tree.state_at(1) == frozenset()


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.integers(0, 3)), max_size=30))
def test_edits_taken_back_in_reverse_order_leave_no_trace(edits: list[tuple[str, int, int]]) -> None:
    tree = WorkTree()
    told = [(name, (Hunk(f"{name}{old}", f"{name}{new}!"),)) for name, old, new in edits]
    at = 0
    for name, hunks in told:
        at += 1
        # An edit that happens to undo its predecessor is an undo: skip those, they are tested above.
        tree.edit(name, at, (*hunks, Hunk(str(at), str(-at))))
    for number, (name, hunks) in reversed(list(enumerate(told, 1))):
        at += 1
        back = tuple(Hunk(hunk.new, hunk.old) for hunk in (*hunks, Hunk(str(number), str(-number))))
        tree.edit(name, at, back)
    assert tree.state == frozenset()


def test_a_file_that_was_made_and_deleted_leaves_no_trace() -> None:
    tree = WorkTree()
    tree.edit("b.py", 1)
    before = tree.state
    tree.create("a.py", 2)
    tree.edit("a.py", 3, OLD_NEW)
    tree.delete("a.py", 4)
    assert tree.state == before


def test_a_file_that_was_committed_is_missed_when_it_is_deleted() -> None:
    tree = WorkTree()
    tree.create("a.py", 1)
    tree.commit()
    before = tree.state
    tree.delete("a.py", 2)
    assert tree.state != before
