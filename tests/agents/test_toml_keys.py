"""One key goes in and out; every byte outside its line stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.agents.toml_keys import put_key, take_key
from honed.agents.toml_text import parse, put, take
from honed.errors import UsageError
from tests.agents.test_toml_text import TABLE, VALUES, WRITTEN

NOTIFY, FLAG = ("notify",), ("features", "codex_hooks")
WORDS: list[str] = ["/home/a b/bin/honed-hook", "notify"]
MARK = "put in by honed"
MORE = [
    "[features]",
    "[features]\n",
    "[features] # mine\nweb = true\n\n[tui]\nx = 1\n",
    "features.web = true\n\n[tui]\nx = 1\n",
    'a = 1\nfeatures."web" = true',
    "[features.inner]\nx = 1\n",
    "# about tui\n[tui]\nx = 1\n",
    "#:schema x\n\n# about tui\n[tui]\nx = 1\n",
    "\ufeffa = 1\n",
    "\ufeff[tui]\nx = 1\n",
    '[x]\nnotify = ["mine"]\n',
    '[[features]]\ncodex_hooks = false\n[tui]\n"notify" = 1\n',
]


@pytest.mark.parametrize("text", WRITTEN + MORE)
def test_a_key_of_no_table_goes_in_and_out_again(text: str) -> None:
    new = put_key(text, NOTIFY, WORDS)
    assert parse(new) == {**parse(text), "notify": WORDS}
    assert put_key(new, NOTIFY, WORDS) == new
    assert take_key(new, NOTIFY) == text


@pytest.mark.parametrize("text", WRITTEN + MORE[:-1])
def test_a_key_of_a_table_goes_in_and_out_again(text: str) -> None:
    new = put_key(text, FLAG, True, MARK)
    assert parse(new)["features"]["codex_hooks"] is True  # type: ignore[index]
    assert put_key(new, FLAG, True, MARK) == new
    assert take_key(new, FLAG, MARK) == text


@pytest.mark.parametrize("text", WRITTEN + MORE[:-1])
def test_a_table_and_keys_go_in_and_out_together(text: str) -> None:
    new = put_key(put_key(put(text, TABLE, VALUES), NOTIFY, WORDS), FLAG, True, MARK)
    assert take(take_key(take_key(new, FLAG, MARK), NOTIFY), TABLE) == text


def test_a_key_stands_before_the_first_table_and_below_what_is_said_there() -> None:
    text = '# mine\nmodel = "x" # so\n\n# of tui\n[tui]\na = 1\n'
    new = put_key(text, NOTIFY, ["p"])
    assert new == '# mine\nmodel = "x" # so\nnotify = ["p"]\n\n# of tui\n[tui]\na = 1\n'


def test_a_key_over_several_lines_is_written_anew_in_its_place() -> None:
    text = 'a = 1\nnotify = [\n  "old", # ]\n]\nb = 2\n'
    assert put_key(text, NOTIFY, ["new"]) == 'a = 1\nnotify = ["new"]\nb = 2\n'


def test_a_key_of_a_user_s_own_stays_and_so_does_what_came_to_the_table() -> None:
    assert take_key("[features]\ncodex_hooks = true\n", FLAG, MARK) == "[features]\ncodex_hooks = true\n"
    text = put_key("", FLAG, True, MARK) + "web = true\n"
    assert take_key(text, FLAG, MARK) == "[features]\nweb = true\n"


@pytest.mark.parametrize(
    "text", ["features = {web = true}\n", "[[features]]\nx = 1\n", "features = 1\n", "a ="]
)
def test_a_form_that_cannot_be_added_to_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        put_key(text, FLAG, True, MARK)


_LINES = st.sampled_from(
    [
        "",
        "# c",
        "a{} = 1",
        "b{} = [\n 1, # ]\n]",
        "[t{}]",
        "[[l]]",
        "features.f{} = true",
        's{} = """\n[x]\n"""',
    ]
)


@given(st.lists(_LINES, max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_whatever_stands_there_each_byte_comes_back(lines: list[str], newline: str, ended: bool) -> None:
    text = newline.join(line.format(at) for at, line in enumerate(lines)).replace("\r", "")
    text = text.replace("\n", newline) + (newline if ended else "")
    try:
        parse(text)
    except UsageError:
        return
    for path, value, mark in ((NOTIFY, WORDS, ""), (FLAG, True, MARK)):
        try:
            new = put_key(text, path, value, mark)
        except UsageError:
            assert path == FLAG
            continue
        assert take_key(new, path, mark) == text
