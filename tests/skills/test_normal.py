"""What happens again reads the same: volatile text goes, meaning stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.patterns import compiled
from honed.skills import normal
from honed.skills.normal import fingerprint, normalise, plain, steady

STEADY = [
    ("Undo is possible; 37 restore points are kept.", "Undo is possible; <n> restore points are kept."),
    ("ran 15 tests in 0.51s", "ran <n> tests in <time>"),
    ("finished after 1m 23s", "finished after <time>"),
    ("p95 = 12.400 ms", "p95 = <time>"),
    ("2026-05-04T10:00:00.123Z done", "<time> done"),
    ("at 2026-05-04 09:05", "at <time>"),
    ("Tue, 4 May 2026", "<time>"),
    ("took 20260910T140203Z", "took <time>"),
    ("from 09:05:31 to 09:44", "from <time> to <time>"),
    ("src/app.py:12:5: error", "src/app.py:<n>: error"),
    ('File "app.py", line 33, in run', 'File "app.py", line <n>, in run'),
    ("connect 127.0.0.1:5432", "connect <ip>:<n>"),
    ("localhost:3000 refused", "localhost:<n> refused"),
    ("at 0xc000012345", "at <addr>"),
    ("Merged as 673a08f2", "Merged as <hash>"),
    ("sha256:2cbb865a634c8143991ac5aa24135a79", "<hash>"),
    ("id 550e8400-e29b-41d4-a716-446655440000", "id <id>"),
    ("no such file: /tmp/pytest-of-me/x1/a.toml", "no such file: <tmp>"),
    ("/var/folders/xy/T/build.1/out", "<tmp>"),
    (r"C:\Users\Bob\AppData\Local\Temp\x\y", "<tmp>"),
    ("/home/bob/shop/a.py", "~/shop/a.py"),
    ("/Users/bob/shop/a.py", "~/shop/a.py"),
    (r"C:\Users\Bob\shop", r"~\shop"),
    ("release v1.12.0", "release <n>"),
    ("goroutine 17 [running]", "goroutine <n> [running]"),
    ("used 12 MB, 50%", "used <n> MB, <n>%"),
    ("\x1b[31mFAIL\x1b[0m  a\n b", "FAIL a b"),
]


@pytest.mark.parametrize(("text", "expected"), STEADY)
def test_volatile_text_becomes_a_placeholder(text: str, expected: str) -> None:
    assert steady(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "error[E0308]: mismatched types",
        "TS2345: Argument",
        "python3 -m pytest tests/test_2fa.py",
        "HTTP 404",
        "status code 500",
        "exit code 137",
        "use Node 22",
        "Python 3.11",
        "encode as utf-8",
        "the facade of the cabbage",
    ],
)
def test_numbers_that_name_something_stay(text: str) -> None:
    assert steady(text) == text


def test_the_same_sentence_with_another_counter_has_the_same_fingerprint() -> None:
    sentence = "Undo is possible from the menu; {} restore points are kept right now."
    assert len({fingerprint([sentence.format(n)]) for n in (37, 15, 11, 8, 42)}) == 1


def test_white_space_and_letter_case_do_not_make_another_text() -> None:
    assert fingerprint(["Round the  cart total\n"]) == fingerprint(["round The cart total"])


def test_a_fingerprint_tells_parts_and_words_apart() -> None:
    prints = {fingerprint(parts) for parts in (["a b"], ["a", "b"], ["b", "a"], ["a", "b", ""], [])}
    assert len(prints) == 5


def test_terminal_escapes_are_taken_out_whole() -> None:
    assert plain("\x1b]8;;https://x.example\x07link\x1b]8;;\x07 \x1b[1;32mok\x1b[K\x1b[0m") == "link ok"


PIECES = st.sampled_from(
    [
        "12",
        "0.5s",
        ":",
        "a/b.py",
        " ",
        "0xdeadbeef",
        "673a08f2",
        "/tmp/x",
        "/home/u",
        "v1.2.3",
        "<n>",
        "-",
        ".",
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=8).map("".join)))
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert steady(steady(text)) == steady(text)


_PIECES = st.sampled_from(
    [
        *("see /tmp/a1", "/home/ann/x", "/USERS/bo", "/root/y", "$TMPDIR/z", "%TEMP%\\q"),
        *("c:\\users\\bo\\x", "abcdefab-abcd-abcd-abcd-abcdefabcdef", "deadbeef", "node", "md5:", "http"),
        *("in ", "5 s", "8", ":", "v1.2"),
    ]
)


@given(st.lists(_PIECES | st.text(max_size=6), max_size=8))
def test_what_is_spared_the_search_holds_nothing_volatile(pieces: list[str]) -> None:
    text = normal.plain("".join(pieces)).replace("\n", " ")
    told = compiled(normal._TELL).search(text)
    assert told or not compiled(normal._VOLATILE).search(text)
