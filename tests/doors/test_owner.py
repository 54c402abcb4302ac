"""``honed owner``: approvals that are signed, by a passphrase typed on a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.doors.conftest import Honed
from tests.doors.telling import process
from tests.doors.terminal import Told, at_terminal

RULE = ("--kind", "rule", "--title", "Never force-push main", "--body", "Push main without force, ask first.")
ASKED = "may I force-push main"
WORDS = "correct horse battery\n"
Terminal = Callable[..., Told]


@pytest.fixture
def terminal(home: Path, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    config = str(tmp_path / "config")
    monkeypatch.setenv("XDG_CONFIG_HOME", config)

    def call(*words: str, typed: tuple[str, ...] = ()) -> Told:
        env = {"HONED_HOME": str(home), "XDG_CONFIG_HOME": config}
        return at_terminal(*words, cwd=shop, typed=typed, env=env)

    return call


def trust_of(honed: Honed) -> str:
    note = str(honed("recall", ASKED, "--json").json["note"])
    return note.partition('trust="')[2].partition('"')[0]


def test_approvals_are_signed_by_a_passphrase_typed_each_time(
    honed: Honed, terminal: Terminal, tmp_path: Path
) -> None:
    honed("write", "no-force", *RULE)
    terminal("trust", "no-force", typed=("approve\n",))
    assert trust_of(honed) == "guidance"
    told = terminal("owner", "init", "--passphrase", typed=(WORDS, WORDS))
    assert (told.code, "Approvals are signed by your passphrase (SHA256:" in told.screen) == (0, True)
    assert WORDS.strip() not in told.screen
    assert trust_of(honed) == "data"  # what was approved before is approved once more
    wrong = terminal("trust", "no-force", typed=("approve\n", "another one, no\n"))
    assert (wrong.code, "that is not the passphrase" in wrong.screen) == (3, True)
    assert trust_of(honed) == "data"
    told = terminal("review", "--json", typed=("approve\n", WORDS))
    assert json.loads(told.screen.splitlines()[-1])[0] == {
        "slug": "no-force", "approved": True, "by": "owner", "signed": True,
    }  # fmt: skip
    assert trust_of(honed) == "guidance"
    status = honed("owner", "status", "--json").json
    assert (status["grade"], status["by"], status["broken"]) == ("signed", "passphrase", "")
    for kept in (tmp_path / "config" / "honed").iterdir():
        assert kept.stat().st_mode & 0o077 == 0
    assert honed("verify", "--json").json["ok"] is True


def test_a_replaced_manifest_is_said_by_status_verify_and_doctor(
    honed: Honed, terminal: Terminal, home: Path
) -> None:
    honed("write", "no-force", *RULE)
    terminal("owner", "init", "--passphrase", typed=(WORDS, WORDS))
    first = (home / "approvals.signed").read_bytes()
    terminal("trust", "no-force", typed=("approve\n", WORDS))
    (home / "approvals.signed").write_bytes(first)
    assert trust_of(honed) == "data"
    assert "NOTHING HOLDS: the manifest is an older one" in honed("owner", "status").out
    assert honed("verify", "--json").json["ok"] is False
    (check,) = [one for one in honed("doctor", "--json").json["checks"] if one["name"] == "approvals"]
    assert (check["status"], "older one" in check["detail"]) == ("broken", True)
    told = terminal("owner", "reset", typed=("reset\n",))
    assert (told.code, "1 approval taken back" in told.screen) == (0, True)
    assert honed("verify", "--json").json["ok"] is True
    assert honed("owner", "status", "--json").json["grade"] == "present"


def test_the_key_is_changed_by_the_old_passphrase_and_the_new_one(honed: Honed, terminal: Terminal) -> None:
    honed("write", "no-force", *RULE)
    terminal("owner", "init", "--passphrase", typed=(WORDS, WORDS))
    terminal("trust", "no-force", typed=("approve\n", WORDS))
    other = "staple of another kind\n"
    told = terminal("owner", "rotate", "--passphrase", typed=(WORDS, other, other))
    assert told.code == 0, told.screen
    assert trust_of(honed) == "guidance"
    terminal("untrust", "no-force")
    assert trust_of(honed) == "data"
    assert terminal("owner", "sign", typed=(WORDS,)).code == 3
    assert "Signed: 0 texts" in terminal("owner", "sign", typed=(other,)).screen


@pytest.mark.parametrize("what", ["init", "sign", "rotate", "reset"])
def test_without_a_terminal_no_key_is_made_changed_or_used(
    honed: Honed, home: Path, shop: Path, tmp_path: Path, what: str
) -> None:
    honed("write", "no-force", *RULE)
    env = {"HONED_HOME": str(home), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    more = ("--passphrase",) if what in ("init", "rotate") else ()
    done = process("owner", what, *more, cwd=shop, env=env, given=WORDS.encode() * 2)
    assert (done.returncode, b"the owner's alone" in done.stderr) == (3, True)
    assert not (tmp_path / "config").exists()


def test_a_short_passphrase_and_two_that_differ_are_refused(terminal: Terminal, honed: Honed) -> None:
    honed("write", "no-force", *RULE)
    assert (
        "at least 10 characters"
        in terminal("owner", "init", "--passphrase", typed=("short\n", "short\n")).screen
    )
    assert terminal("owner", "init", "--passphrase", typed=(WORDS, "x" + WORDS)).code == 3
    assert honed("owner", "init").code == 2
    assert honed("owner", "status", "--json").json["grade"] == "present"
