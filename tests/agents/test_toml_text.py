"""One table goes in and out; comments, order and strings that look like tables stay."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.agents.toml_text import parse, put, take
from honed.errors import UsageError

TABLE = ("mcp_servers", "honed")
VALUES: dict[str, str | list[str]] = {"command": '/home/a b/"é"', "args": ["mcp"]}
WRITTEN = [
    "",
    "# only a comment\n",
    'model = "x"   # keep this\n\n[mcp_servers.other] # me\ncommand = "y"\n[mcp_servers.other.env]\nA = 1\n',
    'a = """\n[mcp_servers.honed]\ncommand = "not a table"\n"""\n',
    "a = '''\n[mcp_servers.honed]\n'''''\nb = [\n  [1, 2], # ]\n  [3],\n]\n",
    '[[list]]\nx = 1\n\n[[list]]\nx = "a # b"\n\n\n',
    "no_newline_at_the_end = true",
    "a = 1\r\n\r\n[b]\r\nc = 2\r\n",
    "a = 1\r\nb = 2\n\n\n",
    "a = 1\n\r\nb = 2\r\n",
    "a = 1\r\nb = 2\n\r\n\n# the end",
    '[mcp_servers]\n[mcp_servers."a.b"]\ncommand = "z"\n# a last word\n',
]


@pytest.mark.parametrize("text", WRITTEN)
def test_the_table_goes_in_and_out_again(text: str) -> None:
    new = put(text, TABLE, VALUES)
    assert new.startswith(text)
    assert parse(new)["mcp_servers"]["honed"] == VALUES  # type: ignore[index]
    assert put(new, TABLE, VALUES) == new
    assert take(new, TABLE) == text


def test_a_table_in_the_middle_is_changed_in_its_place() -> None:
    text = '[mcp_servers.honed]\ncommand = "old"\n\n# about b\n[b]\nc = 1\n'
    new = put(text, TABLE, VALUES)
    assert new.index("mcp_servers") < new.index("# about b\n[b]\nc = 1\n")
    assert take(new, TABLE) == "\n# about b\n[b]\nc = 1\n"


def test_tables_below_it_go_with_it() -> None:
    text = '[a]\nb = 1\n\n[mcp_servers.honed]\ncommand = "x"\n\n[mcp_servers.honed.env]\nK = "v"\n\n[z]\n'
    assert take(text, TABLE) == "[a]\nb = 1\n\n[z]\n"


MINE = """\
[mcp_servers.honed]   # mine too
# slow disk
startup_timeout_sec = 60
args = [
  "old", # ]
]
command = "old"
env = { A = "1" }

[mcp_servers.honed.tools.memory_write]
approval_mode = "approve"

[b]
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_else_stands_in_the_table_stays(newline: str) -> None:
    """Its user puts time limits there, and Codex which tools may be called without asking."""
    text = MINE.replace("\n", newline)
    new = put(text, TABLE, VALUES)
    own = 'command = "/home/a b/\\"\\u00e9\\""\nargs = ["mcp"]\n'
    gone = 'args = [\n  "old", # ]\n]\ncommand = "old"\n'
    changed = MINE.replace(gone, "").replace("# mine too\n", f"# mine too\n{own}")
    assert new == changed.replace("\n", newline)
    assert put(new, TABLE, VALUES) == new
    assert take(new, TABLE) == newline.join(["", "[b]", ""])


def test_a_table_that_says_the_same_is_left_as_it_is_written() -> None:
    text = f"mcp_servers.honed = {{command = 'x', args = ['mcp'], enabled = false}}{chr(10)}"
    assert put(text, TABLE, {"command": "x", "args": ["mcp"]}) == text


def test_tables_below_it_go_with_it_wherever_the_client_put_them() -> None:
    text = "[mcp_servers.honed]\na = 1\n\n[z]\nb = 2\n\n[mcp_servers.honed.tools.x]\nc = 3\n"
    assert take(text, TABLE) == "\n[z]\nb = 2\n"


@pytest.mark.parametrize(
    "text",
    [
        "a = ",
        "[a]\n[a]\n",
        'mcp_servers = {other = {command = "x"}}\n',
        'mcp_servers.honed.command = "x"\n',
        "mcp_servers = 7\n",
    ],
)
def test_what_cannot_be_added_to_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        put(text, TABLE, VALUES)


_NAME = st.text("abc_-1", min_size=1, max_size=4)
_VALUE = st.sampled_from(
    [
        '"x"',
        "'''\n[no.table]\n'''",
        '"""a\\"\n[[x]] # """',
        "[1,\n [2],\n]",
        "{a = 1}",
        "true",
        '"]["',
        "1 # c",
    ]
)


@given(st.lists(st.tuples(_NAME, _NAME, _VALUE), max_size=6, unique_by=lambda row: row[0]), st.booleans())
def test_any_text_gets_its_bytes_back(rows: list[tuple[str, str, str]], arrays: bool) -> None:
    brackets = ("[[", "]]") if arrays else ("[", "]")
    text = "".join(f"{brackets[0]}{table}{brackets[1]}\n{key} = {value}\n" for table, key, value in rows)
    tomllib.loads(text)
    new = put(text, TABLE, VALUES)
    assert new.startswith(text)
    assert take(new, TABLE) == text
