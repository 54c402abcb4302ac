"""What is added can be taken out again, and nothing else moves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.agents.json_text import Path, add, get, parse, remove
from honed.errors import UsageError

WRITTEN = [
    '{"a": 1}',
    '{\n  "a": [1, 2],\n  "b": {"c": null}\n}\n',
    '{\r\n\t"a": [\r\n\t\t"x"\r\n\t]\r\n}',
    '\ufeff{\n    "ключ": "зн\\u0430чение",\n    "a": []}\n\n',
    '{"a" : [ 1,2 ] ,"b":{ } }',
    "{ }",
    "[]",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_a_member_goes_in_and_out_again(text: str) -> None:
    path: Path = (0,) if text == "[]" else ("honed",)
    new = add(text, path, {"command": ["x"], "n": 1})
    assert get(parse(new), path) == {"command": ["x"], "n": 1}
    back = remove(new, path)
    assert back == text or json.loads(back.lstrip("\ufeff")) in ({}, [])


def test_a_new_entry_takes_on_the_file_s_own_indentation_and_line_ends() -> None:
    assert (
        add('{\r\n\t"a": 1\r\n}', ("b",), {"c": 2}) == '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}'
    )


def test_what_is_missing_on_the_way_is_made() -> None:
    new = add('{"x": 1}', ("hooks", "Stop", 0), {"hooks": []})
    assert parse(new) == {"x": 1, "hooks": {"Stop": [{"hooks": []}]}}


def test_the_first_of_two_goes_without_the_second() -> None:
    assert remove('{\n  "a": 1,\n  "b": 2\n}', ("a",)) == '{\n  "b": 2\n}'
    assert remove("[1, 2, 3]", (1,)) == "[1, 3]"


@pytest.mark.parametrize(
    "text", ["", "{", "{'a': 1}", '{"a": 1,}', "// note\n{}", '{"a": 1, "a": 2}', "[" * 10_000]
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        add(text, ("b",), 1)


@pytest.mark.parametrize(
    ("text", "path"), [('{"a": 7}', ("a", "b")), ("[]", ("a",)), ('{"a": {}}', ("a", 0))]
)
def test_nothing_is_put_where_something_else_stands(text: str, path: Path) -> None:
    with pytest.raises(UsageError):
        add(text, path, 1)


_KEYS = st.text(max_size=4)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(
    st.dictionaries(_KEYS, _JSON, min_size=1, max_size=4),
    _JSON,
    st.sampled_from([None, 1, 2, "\t"]),
    st.booleans(),
)
def test_any_object_gets_its_bytes_back(
    value: dict[str, Any], new: object, indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    if "new key" in value:
        return
    changed = add(text, ("new key",), new)
    assert parse(changed) == {**value, "new key": new}
    assert list(json.loads(changed))[:-1] == list(value)
    assert remove(changed, ("new key",)) == text
