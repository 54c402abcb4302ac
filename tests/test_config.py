"""Which folders an owner's patterns cover."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.config import Config
from honed.errors import UsageError
from honed.excluding import covered, may_cover


@pytest.mark.parametrize(
    ("folder", "pattern", "expected"),
    [
        ("/home/me/secret", "/home/me/secret", True),
        ("/home/me/secret/deep/er", "/home/me/secret", True),
        ("/home/me/secret/", "/home/me/secret/", True),
        ("/home/me/secrets", "/home/me/secret", False),
        ("/home/me", "/home/me/secret", False),
        ("/home/me/work/acme/api", "/home/me/work/*", True),
        ("/home/me/work", "/home/me/work/*", False),
        ("/srv/app/vendor/lib", "vendor", True),
        ("/srv/app/vendored", "vendor", False),
        ("/srv/app/client-x/y", "client-*", True),
        (os.path.expanduser("~/private/x"), "~/private", True),
        ("C:\\work\\secret", "C:\\work\\secret", True),
        ("", "/home", False),
    ],
)
def test_a_pattern_covers_a_folder_and_what_is_below_it(folder: str, pattern: str, expected: bool) -> None:
    assert covered(folder, [pattern]) is expected


def test_no_pattern_covers_nothing() -> None:
    assert covered("/home/me", []) is False


def test_what_is_set_to_its_default_is_not_kept() -> None:
    config = Config("/nowhere", {}).changed("note.tokens", "300")
    assert config.values == {"note.tokens": 300}
    assert config.changed("note.tokens", 600).values == {}


def test_a_setting_from_a_newer_ledger_is_passed_over() -> None:
    assert Config.load("/nowhere", {"from.the.future": 1, "deliver": "proven"}).values == {
        "deliver": "proven"
    }


def test_a_wrong_value_leaves_the_settings_as_they_were() -> None:
    config = Config("/nowhere", {})
    with pytest.raises(UsageError):
        config.changed("deliver", "everything")
    assert config["deliver"] == "verified"


NAMES = st.text("ab.*?", min_size=1, max_size=4)


@given(st.lists(NAMES, min_size=1, max_size=3), st.lists(st.text("ab.", min_size=1, max_size=3), min_size=1))
def test_what_a_shell_makes_of_a_word_and_a_pattern_covers_is_known_by_the_two(
    word: list[str], path: list[str]
) -> None:
    hidden = any(name[0] == "." and sign[0] in "*?" for name, sign in zip(path, word, strict=False))
    made = len(word) == len(path) and all(map(fnmatchcase, path, word)) and not hidden
    whole, shell = f"/{'/'.join(path)}", f"/{'/'.join(word)}"
    if made:
        assert may_cover(shell, [whole])
        assert may_cover(shell, [os.path.dirname(whole) or "/"]) or len(path) == 1
        assert may_cover(shell, ["*/" + path[-1]])
    assert may_cover(whole, [whole])
    if len(word) < len(path):
        assert not may_cover(shell, [whole])
    elif len(word) == len(path):
        assert may_cover(shell, [whole]) == made
