"""What is written is read back, whatever it is; what cannot be read is named with its line."""

from __future__ import annotations

import contextlib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from honed.errors import UsageError
from honed.exchange import frontmatter

TEXTS = st.text(st.characters(min_codepoint=0, max_codepoint=0xD7FF), max_size=40) | st.sampled_from(
    [
        "yes",
        "null",
        "~",
        "1",
        "0x1f",
        "1e3",
        "- a",
        "a: b",
        "#x",
        "[x",
        "{",
        "*a",
        "&a",
        "!x",
        "| x",
        "a\nb",
        "\ufeff",
    ]
)
SCALARS = TEXTS | st.booleans() | st.none() | st.integers(-(10**12), 10**12)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def read(front: str) -> dict[str, object]:
    return {entry.key: frontmatter.plain(entry.node) for entry in frontmatter.parse(front)}


@given(st.dictionaries(TEXTS.filter(bool), VALUES, max_size=5))
def test_what_is_written_is_read_back(values: dict[str, object]) -> None:
    assert read(frontmatter.emit(values)) == values


@given(st.dictionaries(TEXTS.filter(bool), VALUES, max_size=5))
def test_any_yaml_library_reads_what_is_written(values: dict[str, object]) -> None:
    assert yaml.safe_load(frontmatter.emit(values) or "{}") == values


@given(st.dictionaries(TEXTS.filter(bool), VALUES, max_size=5))
def test_the_text_of_each_key_is_all_of_the_text(values: dict[str, object]) -> None:
    front = frontmatter.emit(values)
    assert "".join(f"{entry.block}\n" for entry in frontmatter.parse(front)) == front


@given(st.text(max_size=60))
def test_no_text_makes_reading_fail_but_with_a_word_of_ours(front: str) -> None:
    with contextlib.suppress(UsageError):
        frontmatter.parse(front)


def test_comments_stay_with_the_key_they_stand_above() -> None:
    entries = frontmatter.parse(
        "a: 1\n# about b\nb: |\n  # no comment\n  x\nc: 'two\n\n  lines'\n# at the end\n"
    )
    assert [entry.block for entry in entries] == [
        "a: 1",
        "# about b\nb: |\n  # no comment\n  x",
        "c: 'two\n\n  lines'\n# at the end",
    ]


def test_a_mapping_in_braces_has_its_keys_written_anew() -> None:
    entries = frontmatter.parse("{title: x, nested: {b: [1, no]}}")
    assert [entry.block for entry in entries] == ["title: x", 'nested:\n  b:\n  - 1\n  - "no"']


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("title: [unclosed\n", "line"),
        ("a: 1\na: 2\n", "line 3: 'a' stands there twice"),
        ("a: &x 1\n", "line 2: YAML anchors"),
        ("b: 1\na: *x\n", "line 3: YAML anchors"),
        ("just words\n", "line 2: the front matter must hold"),
        ("- a\n- b\n", "line 2: the front matter must hold"),
        ("a: 1\n\tb: 2\n", "line 3"),
        ("a: 1\nb: \x07\n", "line 3: the front matter holds the control character '\\x07'"),
        ("? [x, y]\n: 1\n", "line 2: a key must be one text"),
        ("a: " + "[" * 5000, "front matter"),
        ("a: " + "[" * 40 + "]" * 40, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(front: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(front)
    assert said in str(caught.value)


def test_times_and_fractions_stay_the_text_they_are() -> None:
    entries = frontmatter.parse("at: 2026-05-04T09:00:00Z\nn: 1.50\nday: 2026-05-04\noct: 010\n")
    assert [frontmatter.plain(entry.node) for entry in entries] == [
        "2026-05-04T09:00:00Z",
        "1.50",
        "2026-05-04",
        "010",
    ]


WORDS = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0x2FF, exclude_categories=["C", "Z"]), min_size=1
)
LINES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)


@given(
    st.sampled_from("aZé9(`@%"), LINES, LINES, st.lists(LINES, max_size=3), st.sampled_from(["\n", "\r\n"])
)
def test_a_description_with_an_unquoted_colon_is_taken_whole_and_nothing_beside_it_changes(
    start: str, before: str, after: str, more: list[str], end: str
) -> None:
    lines = [f"name: deploy{end}", f"description: {start}{before}: {after}{end}"]
    lines += [f"  {line}{end}" for line in more]
    lines += [f"# whose{end}", f"license: MIT{end}"]
    entries = {entry.key: entry for entry in frontmatter.parse("".join(lines))}
    told = " ".join([f"{start}{before}: {after}", *more])
    assert {key: frontmatter.plain(entry.node) for key, entry in entries.items()} == {
        "name": "deploy",
        "description": told,
        "license": "MIT",
    }
    assert yaml.safe_load(entries["description"].block) == {"description": told}
    assert entries["license"].line == len(lines) + 1


@pytest.mark.parametrize(
    ("front", "told"),
    [
        ("description: Use when: a test fails\n", "Use when: a test fails"),
        ("description: Use it for these:\n", "Use it for these:"),
        ("description: Use it\n  for such things as: a, b\n", "Use it for such things as: a, b"),
        ("description: Steps: 1. read\n\n  2. write: twice\n", "Steps: 1. read 2. write: twice"),
        ('description: Say "no": it\'s fine # really\n', 'Say "no": it\'s fine # really'),
        ("description: `make`: how\n", "`make`: how"),
        ("description: @team asks\n", "@team asks"),
    ],
)
def test_what_clients_take_for_one_text_is_one(front: str, told: str) -> None:
    assert read(f"name: x\n{front}pinned: true\n") == {"name": "x", "description": told, "pinned": True}


@pytest.mark.parametrize(
    "front",
    [
        'description: "Use when: x\n',
        "description: [a: b\n",
        "description: Use when: x\n\tand: y\n",
        "description: Use when: x\n more\nlost: [\n",
        "description: Use when: x\nno key here\n",
        "description: &x Use when: y\n",
        "description: *x: y\n",
        "metadata: x\n  author: y\n",
        "metadata:\n  note: a: b\n",
    ],
)
def test_what_is_broken_is_still_refused(front: str) -> None:
    with pytest.raises(UsageError):
        read(front)
