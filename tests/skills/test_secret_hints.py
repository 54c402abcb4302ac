"""One pass finds what looking for each word by itself would find."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from honed.skills import secret_places, secret_words
from honed.skills.secret_hints import looked

GATES = {row[0] for row in (*secret_places.PLACES, *secret_places.ENDINGS)}
WORDS = sorted({*GATES, *secret_words.ASCII_HINTS})
PLAIN = {word + end for word, *ends in secret_words.PLAIN_ENDINGS for end in ends}
pieces = st.sampled_from([*WORDS, *(word[:-1] for word in WORDS), *PLAIN, "x", "=", "_", "p", "k", "\n", "é"])


def _places(word: str, text: str) -> set[int]:
    """Where a word stands, but where it only begins an ordinary one."""
    ends = [end for first, *ends in secret_words.PLAIN_ENDINGS if first == word for end in ends]
    plain = [re.compile(rf"{word}{end}(?![\w.-])") for end in ends]
    found = (at for at in range(len(text)) if text.startswith(word, at))
    return {at for at in found if not any(pattern.match(text, at) for pattern in plain)}


@given(st.lists(pieces, max_size=12).map(" ".join) | st.text(alphabet="abkpqguvs_ ", max_size=60))
@settings(max_examples=300)
def test_gates_and_names_are_those_of_a_search_for_each_word(text: str) -> None:
    names, gates = looked(text)
    assert {gate: set(places) for gate, places in gates.items()} == {
        gate: found for gate in GATES if (found := _places(gate, text))
    }
    assert set(names) == {at for word in secret_words.ASCII_HINTS for at in _places(word, text)}


@given(
    st.sampled_from(WORDS), st.sampled_from(["", "db", "my_", "x-"]), st.sampled_from(["", "s", "_2", ":"])
)
def test_a_word_is_found_within_another(word: str, before: str, after: str) -> None:
    names, gates = looked(f"{before}{word}{after}")
    if word in GATES and word + after not in PLAIN:
        assert word in gates
    if word in secret_words.ASCII_HINTS and word + after not in PLAIN:
        assert any(at <= len(before) for at in names)
