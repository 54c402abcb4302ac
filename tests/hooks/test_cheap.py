"""What a hook need not pay twice: compiled patterns are kept, JSON is read without its package."""

from __future__ import annotations

import json
import math
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed import patterns, quick_json
from tests.hooks.conftest import Shop
from tests.hooks.test_imports import SOURCE

SIMILAR = "The cart total is off by a fraction of a cent again. Fix the rounding."
PATTERNS = [
    r"(?i)\b(?P<first>[a-z]+)-(?P<second>\d{2,4})\b",
    "[\u0300-\u036f\u4e00-\u9fff\U0001f000-\U0001faff]+",
    r"(?m)^\s*(?:\$|%)\s+(\S.*)$",
    r"(a)|(b)\1?",
    r"(?<!\w)x*+(?=y)",
]
EVERY = """
import json, re, sys
sys.path.append({source!r})
from honed import patterns
patterns.use({home!r})
built = [patterns.compiled(text) for text in json.loads(sys.argv[1])]
print(json.dumps([built == [re.compile(one.pattern) for one in built], patterns.keep({home!r})]))
"""


def _process(home: Path, texts: list[str]) -> tuple[bool, bool]:
    """A fresh process: whether its patterns are those of ``re``, and whether it had to keep any."""
    code = EVERY.format(source=SOURCE, home=str(home))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, json.dumps(texts)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    same, kept = json.loads(done.stdout)
    return same, kept


def test_the_next_process_builds_the_same_patterns_from_what_was_kept(tmp_path: Path) -> None:
    assert _process(tmp_path, PATTERNS) == (True, True)
    assert _process(tmp_path, PATTERNS) == (True, False)


def test_what_is_new_is_added_to_what_was_kept(tmp_path: Path) -> None:
    _process(tmp_path, PATTERNS[:2])
    assert _process(tmp_path, PATTERNS) == (True, True)
    assert _process(tmp_path, PATTERNS) == (True, False)


@pytest.mark.parametrize("damage", ["", "half", "noise", "number", "other", "code", "longer", "cut", "older"])
def test_a_file_of_patterns_that_does_not_fit_is_made_anew(tmp_path: Path, damage: str) -> None:
    import marshal

    _process(tmp_path, PATTERNS)
    path = Path(patterns.path_of(str(tmp_path)))
    whole = path.read_bytes()
    kept = marshal.loads(whole)
    codes = {text: marshal.loads(kept[text]) for text in PATTERNS}
    other = dict.fromkeys(PATTERNS, kept[PATTERNS[0]])
    wrong = {text: marshal.dumps((text, 0, [10**6] * 9, *codes[text][3:])) for text in PATTERNS}
    told = {
        "": b"",
        "half": whole[: len(whole) // 2],
        "noise": bytes(range(256)) * 4,
        "number": marshal.dumps(7),
        "other": marshal.dumps(other),
        "code": marshal.dumps(wrong),
        "longer": marshal.dumps({text: marshal.dumps((*codes[text], 1)) for text in PATTERNS}),
        "cut": marshal.dumps({text: kept[text][:-1] for text in PATTERNS}),
        "older": marshal.dumps(codes),
    }
    path.write_bytes(told[damage])
    assert _process(tmp_path, PATTERNS) == (True, True)
    assert _process(tmp_path, PATTERNS) == (True, False)


def test_a_home_that_is_not_there_or_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    assert _process(tmp_path / "none", PATTERNS) == (True, False)
    assert not (tmp_path / "none").exists()
    (tmp_path / patterns.FOLDER).write_text("a file in its place", encoding="utf-8")
    assert _process(tmp_path, PATTERNS) == (True, False)


def test_a_pattern_that_is_wrong_is_refused_as_ever() -> None:
    with pytest.raises(re.error):
        patterns.compiled("(")


def test_the_second_hook_compiles_nothing_and_keeps_no_text_of_a_payload(learned: Shop) -> None:
    secret = "token-6-zebra-Quagga_platypus.py"
    for number in range(2):
        assert learned.told("prompt", prompt=SIMILAR, session_id=f"a{number}")
        assert learned.fire("prompt", prompt=f"look at {secret}", session_id=f"b{number}") == {}
    (file,) = (learned.home / patterns.FOLDER).iterdir()
    assert not (file.stat().st_mode & 0o077)
    before = file.read_bytes(), file.stat().st_mtime_ns
    assert learned.told("prompt", prompt=SIMILAR, session_id="c")
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert b"zebra" not in before[0]


def test_a_recall_loads_neither_re_nor_json_nor_dates(learned: Shop) -> None:
    spy = (
        f"import sys; sys.path.append({SOURCE!r}); from honed.hooks.entry import main;"
        f" main(['prompt', '--agent', 'claude-code'], {str(learned.home)!r});"
        " print(*sys.modules, file=sys.stderr)"
    )
    for number in range(2):
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", spy],
            input=json.dumps({"session_id": f"s{number}", "cwd": str(learned.project), "prompt": SIMILAR}),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        assert "shop/cart.py" in done.stdout
    if sys.implementation.name == "cpython":
        assert {"re", "enum", "json", "datetime"}.isdisjoint(done.stderr.split())


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(_VALUES, st.sampled_from(["", " ", "\n\t\r "]))
def test_json_is_read_and_written_as_the_package_does(value: object, blank: str) -> None:
    text = quick_json.dumps(value)
    assert text.isascii()
    assert text == json.dumps(value, separators=(",", ":"))
    assert quick_json.loads(f"{blank}{text}{blank}") == value


@given(st.text(max_size=40) | st.text(alphabet='{}[]",:0123456789.eE+-ntf \\u', max_size=20))
def test_what_is_no_json_for_the_package_is_none_here(text: str) -> None:
    try:
        wanted = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            quick_json.loads(text)
        return
    assert repr(quick_json.loads(text)) == repr(wanted)


_BROKEN = (
    "import sys; sys.path.append(sys.argv[1])\n"
    "from honed.quick_json import loads\n"
    "for line in sys.stdin.read().split():\n"
    "    try:\n"
    "        print(ascii(loads(bytes.fromhex(line).decode())))\n"
    "    except ValueError:\n"
    "        print('ValueError')\n"
    "assert 'json' not in sys.modules\n"
)


def test_broken_json_is_an_error_where_the_package_was_never_loaded() -> None:
    """The C scanner takes its error from a loaded ``json.decoder``, and a hook loads none."""
    chance = random.Random(7)
    good = '{"a": [1, -2.5e3, "x\\u00e9\\n", null, true], "b": {"c": {}, "d": []}, "e": "text"}'
    texts = ["{bad", "{", '{"a": 1,}', "{'a': 1}", "[1,]", "[1 2]", '"a', '{"a" 1}', '{"a": }', "tru", "\\"]
    for _ in range(1500):
        letters = list(good)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(letters))
            letters[at : at + chance.randint(0, 3)] = chance.choices(
                "{}[]\",:0x\\ '\n", k=chance.randint(0, 2)
            )
        texts.append("".join(letters))
    wanted = []
    for text in texts:
        try:
            wanted.append(ascii(json.loads(text)))
        except ValueError:
            wanted.append("ValueError")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _BROKEN, SOURCE],
        input="\n".join(text.encode().hex() for text in texts).encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("ascii").splitlines() == wanted
    assert {"ValueError"} < set(wanted)


def test_numbers_that_are_none_are_read_as_the_package_reads_them() -> None:
    found = quick_json.loads("[NaN, Infinity, -Infinity]")
    assert isinstance(found, list)
    assert math.isnan(found[0])
    assert found[1:] == [math.inf, -math.inf]


def test_json_that_is_nested_too_deeply_is_an_error_and_no_crash() -> None:
    with pytest.raises(RecursionError):
        quick_json.loads("[" * 200_000)


def test_without_its_c_functions_json_does_it() -> None:
    code = (
        "import sys; sys.modules['_json'] = None; sys.path.append(sys.argv[1]);"
        'from honed import quick_json as q; print(q.dumps(q.loads(\' {"a": [1, "é", null]} \')))'
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, SOURCE], capture_output=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.strip() == b'{"a":[1,"\\u00e9",null]}'
