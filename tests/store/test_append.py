"""What is appended is there, once; what is refused says why; what fails leaves nothing."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from honed.errors import UnavailableError, UsageError
from honed.ledger import events, ids
from honed.ledger.drafts import content_hash
from honed.ledger.model import NewEvent
from honed.skills.model import FileRef
from honed.store.base import Source
from honed.store.sqlite import SqliteStore
from tests.store.making import (
    CART,
    OTHER_PROJECT,
    PROJECT,
    Clock,
    draft,
    evidence,
    found_by_word,
    hand,
    keep,
    learned,
    look,
    occasion,
)


def test_a_learned_skill_can_be_read_found_and_traced(store: SqliteStore, home: str) -> None:
    (result,) = keep(store, learned())
    skill = store.skill(result.subject)
    assert skill is not None
    assert (skill.slug, skill.project, skill.draft, skill.state) == (
        "round-the-cart",
        PROJECT,
        CART,
        "candidate",
    )
    assert (skill.sessions, skill.client) == (("s0",), "claude_code")
    assert skill.content_hash == content_hash(CART)
    assert found_by_word(home, "cart") == ["round-the-cart"]
    (history,) = store.skill_events(skill.id)
    assert (history.entry.kind, history.entry.seq, history.entry.at) == (
        "learned",
        1,
        "2026-03-01T10:00:00.000Z",
    )


def test_the_same_event_again_changes_nothing(store: SqliteStore, home: str) -> None:
    first = keep(store, learned())[0]
    before = look(home, "SELECT * FROM events")
    again = store.append([learned(), learned()])
    assert [(a.status, a.slug, a.subject) for a in again] == [
        ("existed", "round-the-cart", first.subject)
    ] * 2
    assert look(home, "SELECT * FROM events") == before


def test_evidence_moves_the_state_and_leaves_the_index_alone(store: SqliteStore, home: str) -> None:
    (result,) = keep(store, learned())
    before = look(home, "SELECT * FROM skill_index")
    keep(store, evidence(result.subject, "s1", 2), evidence(result.subject, "s2", 3))
    skill = store.skill(result.subject)
    assert skill is not None
    assert (skill.state, skill.confirmed, skill.exit_proofs) == ("proven", 2, 2)
    assert skill.sessions == ("s0", "s1", "s2")
    assert [row.counts for row in store.evidence(skill.id)] == [1, 1]
    assert look(home, "SELECT * FROM skill_index") == before


def test_a_new_text_is_found_by_its_new_words_only(store: SqliteStore, home: str) -> None:
    (result,) = keep(store, learned())
    keep(
        store,
        events.revised(
            result.subject, replace(CART, title="Price of the basket", trigger=""), os.urandom(16)
        ),
    )
    assert found_by_word(home, "basket") == ["round-the-cart"]
    assert found_by_word(home, "cent") == []
    assert [event.entry.kind for event in store.skill_events(result.subject)] == ["learned", "revised"]


def test_slugs_are_unique_within_a_project(store: SqliteStore) -> None:
    names = [learned(draft(name), slug="Mend It!") for name in ("a", "b", "c")]
    assert [result.slug for result in keep(store, *names)] == ["mend-it", "mend-it-2", "mend-it-3"]
    elsewhere = keep(store, learned(draft("d"), slug="mend-it", project=OTHER_PROJECT))
    assert elsewhere[0].slug == "mend-it"


def test_many_of_one_title_still_get_slugs_of_their_own(store: SqliteStore) -> None:
    results = keep(store, *(learned(draft(f"n{number}"), slug="fix") for number in range(60)))
    assert len({result.slug for result in results}) == 60


def test_the_slug_of_a_forgotten_skill_is_free_again(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    keep(store, hand("forgotten", result.subject))
    assert keep(store, learned(draft("other")))[0].slug == "round-the-cart"


def test_a_slug_that_must_be_exact_is_refused_with_its_holder(store: SqliteStore) -> None:
    (first,) = keep(store, learned())
    (second,) = store.append([learned(draft("other"))], exact_slug=True)
    assert (second.status, second.collides_with, second.slug) == ("refused", first.subject, "round-the-cart")


def test_the_same_text_is_refused_with_the_skill_that_has_it(store: SqliteStore) -> None:
    (first,) = keep(store, learned())
    (second,) = store.append([learned(session="s9")])
    assert (second.status, second.collides_with, second.slug) == ("refused", first.subject, "round-the-cart")
    assert "same text" in second.reason
    assert len(store.skills()) == 1
    assert store.append([learned(session="s9")], same_text=True)[0].status == "written"


def test_the_same_text_in_another_project_is_another_skill(store: SqliteStore) -> None:
    keep(store, learned(), learned(project=OTHER_PROJECT, session="s9"))
    assert sorted(skill.project for skill in store.skills()) == sorted([PROJECT, OTHER_PROJECT])


def test_a_refusal_does_not_hold_up_the_rest(store: SqliteStore) -> None:
    keep(store, learned())
    verdict = events.judged(occasion(), "tk_a", PROJECT, "verified", "passed", seen_to=3)
    results = store.append([verdict, learned(session="s9"), learned(draft("new"), session="s9")])
    assert [result.status for result in results] == ["written", "refused", "written"]
    assert store.task("tk_a") is not None


def test_a_forgotten_skill_is_gone_from_search_at_once(store: SqliteStore, home: str) -> None:
    (result,) = keep(store, learned())
    keep(store, hand("forgotten", result.subject))
    assert found_by_word(home, "cart") == []
    assert look(home, "SELECT count(*) FROM skill_entities") == [(0,)]
    assert store.skills() == ()
    tombstone = store.skill(result.subject)
    assert tombstone is not None
    assert (tombstone.state, tombstone.draft.title) == ("deleted", "")


def test_a_forgotten_text_is_not_learned_again_from_anywhere(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    keep(store, events.revised(result.subject, draft("second text"), os.urandom(16)))
    keep(store, hand("forgotten", result.subject))
    for what in (CART, draft("second text"), replace(CART, fingerprint="")):
        for project in (PROJECT, OTHER_PROJECT):
            (again,) = store.append([learned(what, project=project, session="s7")], same_text=True)
            assert (again.status, again.collides_with) == ("refused", result.subject)
    more = store.append([evidence(result.subject, "s1"), hand("pinned", result.subject)])
    assert [(m.status, m.reason) for m in more] == [("refused", "was forgotten")] * 2


def test_tombstones_hold_no_fingerprint_that_a_guess_could_be_tested_on(
    store: SqliteStore, home: str
) -> None:
    (result,) = keep(store, learned())
    keep(store, hand("forgotten", result.subject))
    rows = look(home, "SELECT fingerprint FROM tombstones")
    assert len(rows) == 2
    assert not {(CART.fingerprint,), (content_hash(CART),)} & set(rows)


def test_an_erased_text_is_gone_and_the_tombstone_stays(store: SqliteStore, home: str) -> None:
    (result,) = keep(store, learned())
    ids_ = [event.entry.id for event in store.skill_events(result.subject)]
    keep(store, hand("forgotten", result.subject), events.erased(result.subject, ids_))
    assert store.skill_events(result.subject)[0].body is None
    assert not any("cent" in str(row) for row in look(home, "SELECT body FROM payloads"))
    assert store.append([learned(session="s7")])[0].status == "refused"
    assert store.verify(strict=True) == ()


def test_only_texts_of_the_subject_itself_can_be_erased(store: SqliteStore) -> None:
    one, two = keep(store, learned(), learned(draft("other")))
    with pytest.raises(UsageError, match="nothing was erased"):
        store.append([events.erased(one.subject, [two.id])])
    assert store.skill_events(two.subject)[0].body is not None


def test_an_approval_of_a_text_that_changed_meanwhile_is_refused(store: SqliteStore) -> None:
    (result,) = keep(store, learned())
    shown = content_hash(CART)
    keep(store, events.revised(result.subject, draft("changed"), os.urandom(16)))
    (late,) = store.append([events.approved(result.subject, shown, "procedure", os.urandom(16))])
    assert (late.status, late.reason) == ("refused", "the text is no longer the one that was shown")
    now = content_hash(draft("changed"))
    keep(store, events.approved(result.subject, now, "procedure", os.urandom(16)))
    skill = store.skill(result.subject)
    assert skill is not None
    assert skill.approved_hash == now


def test_evidence_for_a_skill_that_is_not_there_is_refused(store: SqliteStore) -> None:
    (result,) = store.append([evidence("sk_zzzzzzzzzzzzzzzz", "s1")])
    assert (result.status, result.reason) == ("refused", "there is no such skill")


def test_archived_and_withdrawn_skills_are_not_in_the_index(store: SqliteStore, home: str) -> None:
    (result,) = keep(store, learned())
    keep(store, hand("archived", result.subject))
    assert found_by_word(home, "cart") == []
    keep(store, hand("restored", result.subject))
    assert found_by_word(home, "cart") == ["round-the-cart"]
    keep(store, events.withdrawn(occasion("s0", "w", 5), result.subject, "tk_a", "the last run failed"))
    skill = store.skill(result.subject)
    assert skill is not None
    assert skill.state == "candidate"  # restored by the owner after that
    keep(store, events.by_hand("withdrawn", result.subject, os.urandom(16)))
    assert found_by_word(home, "cart") == []


BAD = [
    NewEvent("ev_x", "learned", "tk_not_a_skill", {}, ""),
    NewEvent("ev_x", "judged", "sk_not_a_task", {}, ""),
    NewEvent("ev_x", "configured", "anything", {}, ""),
    NewEvent("", "pinned", "sk_a", {}, ""),
    NewEvent("ev_x", "pinned", "sk_a", {}, "", actor="a\0b"),
    NewEvent("ev_x", "learned", "sk_a", {"draft": {1, 2}}, ""),
    NewEvent("ev_x", "learned", "sk_a", {"draft": float("nan")}, ""),
    NewEvent("ev_x", "learned", "sk_a", {"draft": {"body": "x" * 1_100_000}}, ""),
    NewEvent("ev_x", "learned", "sk_a", {}, "yesterday"),
]


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_a_malformed_event_is_refused_and_nothing_of_its_call_is_kept(
    bad: NewEvent, store: SqliteStore
) -> None:
    with pytest.raises(UsageError):
        store.append([learned(), bad])
    assert store.stats().events == 0
    keep(store, learned())


def test_an_interrupt_in_the_middle_leaves_nothing(home: str, clock: Clock) -> None:
    calls = 0

    def stops(size: int) -> bytes:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise KeyboardInterrupt
        return os.urandom(size)

    with SqliteStore.open(home, clock=clock) as first:
        keep(first, learned())
    with SqliteStore.open(home, clock=clock, entropy=stops) as store:
        with pytest.raises(KeyboardInterrupt):
            store.append([learned(draft(name)) for name in "abcdef"])
        calls = 0
        assert len(store.skills()) == 1
        keep(store, learned(draft("after")))
        assert store.verify(strict=True) == ()


def test_a_clock_that_jumps_back_never_takes_the_ledger_back(
    store: SqliteStore, clock: Clock, home: str
) -> None:
    (result,) = keep(store, learned(), hand("pinned", ids.skill_id("s0", "cart", "procedure")))[:1]
    clock.at -= 86_400
    keep(store, hand("unpinned", result.subject))
    stamps = [row for (row,) in look(home, "SELECT recorded_at FROM events ORDER BY seq")]
    assert stamps == sorted(stamps, key=str)
    assert store.now() == stamps[-1]
    skill = store.skill(result.subject)
    assert skill is not None
    assert not skill.pinned  # the later word holds although the clock said otherwise
    assert store.verify() == ()


NASTY = "x\ud800y\0z\u2028\x1b[31m'; DROP TABLE events; --"


def test_nasty_text_is_kept_verbatim_and_breaks_nothing(store: SqliteStore, home: str) -> None:
    what = replace(
        CART, title=NASTY, trigger=NASTY, body=NASTY, check=NASTY, files=(FileRef(NASTY),), fingerprint=NASTY
    )
    (result,) = keep(store, learned(what, slug=NASTY, session="s\ud800"))
    skill = store.skill(result.subject)
    assert skill is not None
    assert skill.draft == what
    assert look(home, "SELECT title FROM skills") == [
        (NASTY.replace("\ud800", "\ufffd").replace("\0", "\ufffd"),)
    ]
    assert store.by_fingerprint(PROJECT, NASTY) == skill
    assert store.find_slug(result.slug) == skill
    keep(store, hand("forgotten", result.subject))
    assert store.append([learned(what, session="s2")])[0].status == "refused"
    assert store.verify(strict=True) == ()


def test_a_source_is_saved_with_its_events_or_not_at_all(store: SqliteStore) -> None:
    source = Source("/t/a.jsonl", "codex", "s0", 10, 20, 5, 2, 7, "digest", "1")
    with pytest.raises(UsageError):
        store.append([NewEvent("ev_x", "learned", "tk_a", {}, "")], source=source)
    assert store.source(source.path) is None
    store.append([learned()], source=source)
    assert store.source(source.path) == source
    store.save_source(replace(source, offset=9))
    assert store.source(source.path) == replace(source, offset=9)


def test_the_home_and_its_files_are_the_user_s_alone(store: SqliteStore, home: str) -> None:
    keep(store, learned())
    store.backup()
    assert (os.stat(home).st_mode & 0o777) == 0o700
    for path in Path(home).rglob("*"):
        assert os.stat(path).st_mode & 0o077 == 0, path


def test_a_store_opened_for_reading_refuses_to_write(store: SqliteStore, home: str) -> None:
    keep(store, learned())
    with SqliteStore.open(home, readonly=True) as reader:
        assert len(reader.skills()) == 1
        with pytest.raises(UnavailableError, match="for reading only"):
            reader.append([learned(draft("x"))])
        assert reader.verify(strict=True) == ()
