"""One pass finds what looking for each word by itself would find."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from honed.skills import secret_words
from honed.skills.secret_hints import GATES, NAMES, PAIRS, STOPS, WORDS, as_bytes, looked, pair_of

ALIKE = ({"_pw", "pwd"}, {"mysql", "sqlcmd"})
"""``_pwd`` is one name, by whichever of its words it is found; ``mysqlcmd`` is no command."""
PLAIN = {word + end for word, *ends in secret_words.PLAIN_ENDINGS for end in ends}
_STOP = f"(?:[{''.join(f'{re.escape(signs[0])}-{re.escape(signs[-1])}' for signs in STOPS)}]|\\Z)"
pieces = st.sampled_from(
    [
        *WORDS,
        *(word[:-1] for word in WORDS),
        *(word[1:] for word in WORDS),
        *PLAIN,
        "x",
        "=",
        "_",
        "p",
        "k",
        "\n",
        "é",
    ]
)


def _places(word: str, text: str) -> set[int]:
    """Where a word stands, but where it only begins an ordinary one."""
    ends = [end for first, *ends in secret_words.PLAIN_ENDINGS if first == word for end in ends]
    plain = [re.compile(rf"{word}{end}{_STOP}") for end in ends]
    found = (at for at in range(len(text)) if text.startswith(word, at))
    return {at for at in found if not any(pattern.match(text, at) for pattern in plain)}


def test_every_word_is_known_by_a_pair_and_every_pair_is_of_use() -> None:
    assert {word[pair_of(word) :][:2] for word in WORDS} == set(PAIRS)


def test_no_two_words_are_known_by_one_pair_where_both_may_stand_and_neither_holds_the_other() -> None:
    for one in WORDS:
        for other in WORDS:
            apart = pair_of(other) - pair_of(one)
            first = dict(enumerate(one))
            second = {at - apart: letter for at, letter in enumerate(other)}
            if all(first[at] == second[at] for at in first.keys() & second.keys()):
                within = first.keys() <= second.keys() or second.keys() <= first.keys()
                known = one[pair_of(one) :][:2] == other[pair_of(other) :][:2]
                assert within or not known or {one, other} in ALIKE, (one, other)


@given(st.lists(pieces, max_size=12).map(" ".join) | st.text(alphabet="abkpqguvs_ ", max_size=60))
@settings(max_examples=300)
def test_gates_and_names_are_those_of_a_search_for_each_word(text: str) -> None:
    names, gates = looked(text, as_bytes(text))
    assert {gate: set(places) for gate, places in gates.items()} == {
        gate: found for gate in GATES if (found := _places(gate, text))
    }
    assert set(names) == {at for word in NAMES for at in _places(word, text)}


@given(
    st.sampled_from(WORDS), st.sampled_from(["", "db", "my_", "x-"]), st.sampled_from(["", "s", "_2", ":"])
)
def test_a_word_is_found_within_another(word: str, before: str, after: str) -> None:
    text = f"{before}{word}{after}"
    names, gates = looked(text, as_bytes(text))
    if word in GATES and word + after not in PLAIN:
        assert word in gates
    if word in NAMES and word + after not in PLAIN:
        assert any(at <= len(before) for at in names)


@given(st.lists(st.sampled_from([*WORDS, *(word[1:] for word in WORDS), *PLAIN, *"_ -xw"]), max_size=6))
@settings(max_examples=300)
def test_no_name_is_hidden_by_what_stands_beside_it(parts: list[str]) -> None:
    text = "".join(parts)
    names, _ = looked(text, as_bytes(text))
    for word in NAMES:
        for at in _places(word, text):
            assert any(abs(at - other) <= 1 for other in names), (word, at)
