"""Which folders an owner's patterns cover."""

from __future__ import annotations

import os

import pytest

from honed.config import Config
from honed.errors import UsageError
from honed.excluding import covered


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
