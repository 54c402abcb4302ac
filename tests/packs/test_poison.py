"""Attacks on the memory come in as in life, and no door hands their words on as honed's or the owner's.

A part of ``bench.poison``, which runs all of them.
"""

from __future__ import annotations

import pytest

from bench.poison import WAYS, keep_honest, run
from bench.poison_texts import attacks, honest
from honed.packs.scan import scan
from honed.recall import note
from honed.recall.safe import one_line

EVERY = 16


def test_the_corpora_are_as_large_as_they_say() -> None:
    assert len(list(attacks())) >= 300
    assert len({attack.mark for attack in attacks()}) == len(list(attacks()))
    assert len(set(honest())) >= 300


@pytest.mark.parametrize("way", sorted(WAYS))
def test_no_attack_is_given_outside_quotes_and_frame_or_as_guidance(way: str) -> None:
    chosen = list(attacks())[::EVERY]
    done = run(way, chosen)
    seen = done.seen
    assert done.learned >= len(chosen)
    assert seen.given > len(chosen)
    assert seen.marks, "no attack reached any door, so nothing was tried"
    assert (seen.outside, seen.spoken, seen.guided, seen.unseen) == ([], [], [], [])


def test_what_is_held_is_given_by_no_door() -> None:
    chosen = [attack for attack in attacks() if attack.kind in ("dropper", "hidden")][::8]
    done = run("packs", chosen)
    assert done.held == len(chosen)
    assert done.seen.marks == set()


def test_a_frame_that_quotes_less_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(note, "own", one_line)
    done = run("sessions", list(attacks())[3 :: 2 * EVERY])
    assert done.seen.spoken


def test_every_dropper_and_every_hidden_order_is_found() -> None:
    missed = [a for a in attacks() if a.kind in ("dropper", "hidden") and not scan(a.text, "SKILL.md")]
    assert missed == []


def test_honest_texts_come_in_whole_and_are_not_held() -> None:
    texts = list(honest())
    held = [text for text in texts if scan(text, "SKILL.md")]
    assert len(held) <= len(texts) // 100
    kept = keep_honest(texts[::6])
    assert (kept.whole, kept.held) == (kept.texts, 0)
