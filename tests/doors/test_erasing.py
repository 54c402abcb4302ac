"""``forget``, ``scrub``: what is taken away is gone from everything, and the ledger says that it was."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from honed.caller import Author
from honed.errors import RefusedError
from honed.mcp.tools import TOOLS
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from tests.doors.conftest import Honed
from tests.doors.telling import environment, files_below, process
from tests.packs.making import folder, skill

WORD = "zorblequux"
RULE = (
    "--kind",
    "rule",
    "--title",
    f"Never say {WORD} aloud",
    "--body",
    f"{WORD} is the name of a customer.",
)
OTHER = ("--kind", "rule", "--title", "Round half up", "--body", "Use Decimal.")


def holding(home: Path, word: str = WORD) -> list[str]:
    """The files below the home in which a word is."""
    return [str(path) for path, data in files_below(home) if word.encode() in data]


def test_what_is_forgotten_is_gone_from_every_search_and_purging_takes_the_bytes(
    honed: Honed, home: Path, tmp_path: Path
) -> None:
    honed("write", "never-say", *RULE)
    honed("backup")
    vault = tmp_path / "v"
    honed("export", str(vault))
    honed("forget", "never-say")
    for words in (("recall", WORD), ("search", WORD), ("search", f"never say {WORD}", "--recaps")):
        assert honed(*words, "--json").json["hits"] == []
    assert honed("rebuild").code == 0
    assert honed("index", "repair").code == 0
    assert honed("search", WORD, "--json").json["hits"] == []
    assert holding(home)
    done = honed("forget", "never-say", "--purge", "--json")
    assert (done.code, done.json["state"], done.json["left"]) == (0, "deleted", [])
    assert done.json["rewritten"]
    assert holding(home) == []
    refused = honed("import", str(vault), "--json")
    assert (refused.code, refused.json["new"]) == (3, 0)
    assert holding(home) == []
    assert honed("verify", "--strict").code == 0


def test_one_step_purges_too_and_says_what_it_did(honed: Honed, home: Path) -> None:
    honed("write", "never-say", *RULE)
    answer = honed("forget", "never-say", "--purge")
    assert answer.code == 0
    assert "in no file of honed's home any more" in answer.out
    assert holding(home) == []
    assert honed("forget", "nobody", "--purge").code == 4


def test_a_skill_of_another_project_is_not_purged_by_its_slug(honed: Honed, tmp_path: Path) -> None:
    honed("write", "never-say", *RULE)
    honed("forget", "never-say")
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    assert honed("forget", "never-say", "--purge", cwd=other).code == 4


def test_a_dry_run_counts_and_nothing_goes_without_a_yes(honed: Honed, home: Path) -> None:
    honed("write", "never-say", *RULE)
    honed("write", "round", *OTHER)
    would = honed("scrub", WORD, "--dry-run", "--json")
    assert (would.code, would.json["texts"], len(would.json["skills"])) == (0, 1, 1)
    refused = honed("scrub", WORD, "--json")
    assert refused.code == 3
    assert "1 text of the ledger would be erased; 1 skill would be told again" in refused.json["error"]
    assert "run it again with --yes" in refused.json["error"]
    assert honed("show", "never-say", "--json").json["title"] == f"Never say {WORD} aloud"
    done = honed("scrub", WORD, "--yes", "--json")
    assert (done.code, done.json["texts"], done.json["left"]) == (0, 1, [])
    assert holding(home) == []
    assert honed("show", "round").code == 0
    assert honed("verify", "--strict").code == 0
    assert honed("scrub", WORD, "--yes", "--json").json["texts"] == 0


def test_what_was_erased_is_told_in_plain_words(honed: Honed) -> None:
    honed("write", "never-say", *RULE)
    told = honed("scrub", WORD, "--yes").out
    assert "1 text of the ledger is erased; 1 skill is told again without the match." in told


def test_the_name_of_a_pack_that_was_removed_is_scrubbed_with_the_rest(
    honed: Honed, home: Path, tmp_path: Path
) -> None:
    pack = folder(tmp_path / "quixotic", {"quixotic/SKILL.md": skill("quixotic")})
    assert honed("packs", "add", str(pack), "--name", "quixotic").code == 0
    refused = honed("scrub", "quixotic", "--yes")
    assert (refused.code, "honed packs rm quixotic" in refused.err) == (3, True)
    assert honed("packs", "rm", "quixotic").code == 0
    assert honed("scrub", "quixotic", "--yes").code == 0
    assert [file for file, data in files_below(home) if b"quixotic" in data] == []
    assert honed("verify").code == 0


def test_an_error_that_was_seen_is_scrubbed_though_no_skill_tells_of_it(honed: Honed, home: Path) -> None:
    honed("write", "x", *OTHER)
    with contextlib.closing(sqlite3.connect(home / "honed.db")) as connection, connection:
        connection.execute(
            "INSERT INTO sightings (project, task, session, at, signature, command, remedy, files)"
            " VALUES ('pr_a', 'ta_a', 's', '2026-05-04T10:00:00Z', 'ValueError: quixotic', '', '', '')"
        )
    dry = honed("scrub", "quixotic", "--dry-run", "--json")
    assert (dry.code, dry.json["texts"], dry.json["seen"]) == (0, 0, 1)
    assert honed("scrub", "quixotic", "--yes").code == 0
    assert holding(home, "quixotic") == []


def test_what_stands_in_the_id_of_a_session_is_said_to_be_left_each_time(
    honed: Honed, home: Path, shop: Path
) -> None:
    honed("write", "x", *OTHER)
    honed("reinforce", "x", "--evidence", "self_report", "--id", "quixotic:1")
    payload = {"session_id": "s-quixotic", "cwd": str(shop), "prompt": "Round half up"}
    env = {"HONED_HOME": str(home)}
    process("hook", "prompt", "--agent", "claude_code", cwd=shop, env=env, given=json.dumps(payload).encode())
    assert [path.name for path in (home / "spool").iterdir()] == ["s-quixotic.jsonl"]
    for _ in range(2):
        done = honed("scrub", "quixotic", "--yes", "--json")
        assert (done.code, [Path(one["path"]).name for one in done.json["left"]]) == (3, ["honed.db"])
        assert list((home / "spool").iterdir()) == []


def test_a_pattern_is_a_text_or_an_expression_in_any_case(honed: Honed, home: Path) -> None:
    honed("write", "never-say", *RULE)
    assert honed("scrub", "z.r[bl]+equux", "--literal", "--dry-run", "--json").json["texts"] == 0
    assert honed("scrub", "Z.R[BL]+EQUUX", "--dry-run", "--json").json["texts"] == 0
    assert honed("scrub", "Z.R[BL]+EQUUX", "--ignore-case", "--yes", "--json").json["texts"] == 1
    assert holding(home) == []


def test_a_pattern_from_standard_input_is_in_no_shell_s_history(honed: Honed, shop: Path, home: Path) -> None:
    honed("write", "never-say", *RULE)
    words = ("scrub", "-", "--literal", "--yes", "--home", str(home))
    done = process(*words, cwd=shop, given=f"{WORD}\n".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert holding(home) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("(",), "no regular expression"),
        ((".*",), "matches the empty text"),
        (("x", "--dry-run", "--yes"), "give one of them"),
    ],
)
def test_a_wrong_pattern_says_why(words: tuple[str, ...], why: str, honed: Honed) -> None:
    honed("write", "never-say", *RULE)
    answer = honed("scrub", *words, "--json")
    assert (answer.code, why in answer.json["error"]) == (2, True)


def test_where_there_is_no_memory_nothing_is_scrubbed_and_none_is_made(honed: Honed, home: Path) -> None:
    assert honed("scrub", WORD, "--yes").code == 4
    assert honed("forget", "x", "--purge").code == 4
    assert not home.exists()


def test_a_file_of_the_owner_s_that_still_holds_it_is_named(honed: Honed, home: Path) -> None:
    honed("write", "never-say", *RULE)
    (home / "notes.txt").write_text(f"ask {WORD}", encoding="utf-8")
    done = honed("scrub", WORD, "--yes", "--json")
    assert (done.code, [row["path"] for row in done.json["left"]]) == (3, [str(home / "notes.txt")])
    assert holding(home) == [str(home / "notes.txt")]


@pytest.mark.parametrize(("answer", "code"), [(b"yes\n", 0), (b"no\n", 3), (b"\n", 3)])
def test_whoever_sits_there_is_asked(answer: bytes, code: int, honed: Honed, home: Path, shop: Path) -> None:
    honed("write", "never-say", *RULE)
    ours, theirs = pty.openpty()
    argv = [sys.executable, "-m", "honed", "scrub", WORD, "--home", str(home)]
    os.write(ours, answer)
    done = subprocess.run(
        argv, cwd=shop, env=environment({}), stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, check=False
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == code
    assert bool(holding(home)) == (code != 0)


def test_no_agent_is_offered_to_take_anything_away() -> None:
    told = " ".join(f"{tool.name} {' '.join(tool.takes)}" for tool in TOOLS)
    assert not [word for word in ("scrub", "purge", "forget", "erase", "delete") if word in told]


def test_no_agent_brings_a_forgotten_text_back_by_changing_its_own(
    honed: Honed, home: Path, shop: Path
) -> None:
    honed("write", "never-say", *RULE)
    honed("forget", "never-say")
    with Memory.open(str(home)) as memory:
        caller = memory.caller(Author("codex", "s1"), str(shop))
        mine = caller.find(caller.write("mine", draft_from_manual("rule", "Mine", body="x")).subject)
        again = draft_from_manual("rule", RULE[3], body=RULE[5])
        with pytest.raises(RefusedError, match="forgotten"):
            caller.revise(mine, again, "better")
        assert caller.find("mine").draft.body == "x"
