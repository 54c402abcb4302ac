"""Where what was found stands after masking, and which of it is looked at again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills.redact import redact
from honed.skills.secret_masks import apart, masked, moved, near, shifted, torn

SPANS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 12), st.sampled_from(["jwt", "secret", "github-token"])).map(
        lambda made: (made[0], made[0] + made[1], made[2])
    ),
    min_size=1,
    max_size=6,
)
TEXT = "".join(chr(0x4E00 + at) for at in range(80))
"""Each character of it once, so that its place in another text is known."""


@given(SPANS, st.lists(st.integers(0, 79), unique=True).map(sorted))
def test_what_no_mask_stands_for_is_found_where_it_stands_now(
    spans: list[tuple[int, int, str]], places: list[int]
) -> None:
    text, cuts = masked(TEXT, list(spans))
    free = [at for at in places if not any(start <= at < end for start, end, _ in spans)]
    assert [text[at] for at in shifted(places, cuts)] == [TEXT[at] for at in free]
    assert near([(at, at + 80) for at in places], cuts, 200) == shifted(places, cuts)
    assert [text[begin:end] for begin, end, _ in moved([], cuts)] == [
        f"[redacted:{kind}]" for *_, kind in cuts
    ]


@given(SPANS, SPANS)
def test_only_what_touches_no_mask_is_apart(
    spans: list[tuple[int, int, str]], others: list[tuple[int, int, str]]
) -> None:
    _, cuts = masked(TEXT, list(spans))
    assert apart(others, cuts) == [
        (start, end, kind)
        for start, end, kind in others
        if not any(first < end and start < last for first, last, _ in spans)
    ]


def test_masks_are_followed_through_a_second_masking() -> None:
    text, cuts = masked("aa SECRET bb OTHER cc", [(3, 9, "jwt")])
    masks = moved([], cuts)
    again, cuts = masked(text, [(text.index("OTHER"), text.index("OTHER") + 5, "secret")])
    assert [again[begin:end] for begin, end, _ in moved(masks, cuts)] == [
        "[redacted:jwt]",
        "[redacted:secret]",
    ]


def test_a_name_that_begins_within_a_mask_is_torn() -> None:
    text = "xxSERVICE_KEY=1 and my_key"
    _, cuts = masked(text, [(0, 9, "private-key")])
    assert torn(text, [text.index("KEY"), text.index("key")], cuts) == [text.index("KEY")]


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        # A block that breaks off takes the first half of a name with it.
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow1bAzKx\nSERVICE_KEY=Zt7Qm2Lx9Vb4Nc8Wd1Kf\n", "Zt7Qm2Lx9"),
        # A token that nothing parts from the name behind it.
        ("AKIAZT7QM2LX9VB4NC8W and ghp_Zt7Qm2Lx9Vb4Nc8Wd1Kfpassword='hunter2-xyz9'", "hunter2-xyz9"),
        # What a mask says of itself comes after what the names in the text say.
        ("token=ghp_Zt7Qm2Lx9Vb4Nc8Wd1Kf -> 401password='d0f*f2e91'", "d0f*f2e91"),
        # What a directive, a quote of the shell or a type in between says, beside a mask.
        ("login --key=ghp_" + "Zt7Qm2Lx9V" * 6 + " ENV TOKEN x9Zk7aQ2Lm4V", "x9Zk7aQ2Lm4V"),
        ("export DB_PASS = $'hunter2-xyz9'", "hunter2-xyz9"),
        ("token: AKIAZT7QM2LX9VB4NC8W=7e350f185b1cd696c1", "7e350f185b1cd696c1"),
        ("user: admin, pwd: winter-2024-Snow", "winter-2024-Snow"),
    ],
)
def test_a_value_beside_a_token_or_a_block_is_masked_too(text: str, gone: str) -> None:
    once = redact(text)
    assert gone not in once
    assert redact(once) == once


def test_a_mask_that_a_later_one_takes_in_is_gone() -> None:
    _, cuts = masked(TEXT, [(10, 40, "secret")])
    assert moved([(2, 6, "jwt"), (15, 20, "jwt"), (35, 45, "jwt"), (50, 54, "jwt")], cuts) == [
        (2, 6, "jwt"),
        (10, 27, "secret"),
        (37, 41, "jwt"),
    ]
