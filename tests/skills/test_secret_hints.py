"""One pass finds what looking for each word by itself would find."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from honed.skills import secret_places, secret_words
from honed.skills.secret_hints import looked

GATES = {row[0] for row in (*secret_places.PLACES, *secret_places.ENDINGS)}
WORDS = sorted({*GATES, *secret_words.ASCII_HINTS})
pieces = st.sampled_from([*WORDS, *(word[:-1] for word in WORDS), "x", "=", "_", "p", "k", "\n", "é"])


@given(st.lists(pieces, max_size=12).map(" ".join) | st.text(alphabet="abkpqguvs_ ", max_size=60))
@settings(max_examples=300)
def test_gates_and_names_are_those_of_a_search_for_each_word(text: str) -> None:
    names, gates = looked(text)
    assert gates == {gate for gate in GATES if gate in text}
    wanted = {at for word in secret_words.ASCII_HINTS for at in range(len(text)) if text.startswith(word, at)}
    assert set(names) == wanted


@given(
    st.sampled_from(WORDS), st.sampled_from(["", "db", "my_", "x-"]), st.sampled_from(["", "s", "_2", ":"])
)
def test_a_word_is_found_within_another(word: str, before: str, after: str) -> None:
    names, gates = looked(f"{before}{word}{after}")
    if word in GATES:
        assert word in gates
    if word in secret_words.ASCII_HINTS:
        assert any(at <= len(before) for at in names)
