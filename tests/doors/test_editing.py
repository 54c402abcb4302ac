"""``edit``: another text by the owner's hand, with the old one in its history."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from honed.caller import Author
from honed.errors import RefusedError
from honed.memory import Memory
from honed.owner import denied_commands
from honed.skills.manual import draft_from_manual
from honed.store.base import SkillFilter
from tests.doors.conftest import Honed
from tests.doors.telling import claude, fixes, process, write
from tests.doors.terminal import at_terminal

RULE = ("--kind", "rule", "--title", "Never force-push main", "--body", "Push without force.")


def editor(tmp_path: Path, program: str) -> str:
    """An editor that does to the file what ``program`` says of its ``text``."""
    path = tmp_path / "editor.py"
    path.write_text(
        f"import pathlib, sys\nfile = pathlib.Path(sys.argv[1])\ntext = file.read_text('utf-8')\n{program}\n"
        "file.write_text(text, 'utf-8')\n",
        encoding="utf-8",
    )
    return f"{sys.executable} {path}"


def test_a_refused_text_names_the_command_that_changes_what_is_there(honed: Honed) -> None:
    honed("write", "no-force", *RULE)
    words = (
        "write",
        "no-force",
        "--kind",
        "rule",
        "--title",
        "Never force",
        "--body",
        "Ask first.",
        "--force",
    )
    refused = honed(*words)
    assert (refused.code, "`honed edit no-force`" in refused.err) == (3, True)
    assert honed("edit", "no-force", "--body", "Ask first.", "--title", "Never force", "--json").json[
        "changed"
    ]
    shown = honed("show", "no-force", "--json").json
    assert (shown["title"], shown["body"], shown["version"], shown["origin"]) == (
        "Never force",
        "Ask first.",
        2,
        "owner",
    )


def test_an_edit_is_in_the_history_and_is_undone_and_restored(honed: Honed) -> None:
    honed("write", "no-force", *RULE)
    honed("edit", "no-force", "--body", "Ask first.", "--reason", "too short")
    versions = honed("show", "no-force", "--history", "--json").json["versions"]
    assert [(one["actor"], one["reason"]) for one in versions] == [("owner", ""), ("owner", "too short")]
    assert "-body: Push without force.\n+body: Ask first." in versions[1]["diff"]
    honed("undo", "no-force")
    assert honed("show", "no-force", "--json").json["body"] == "Push without force."
    honed("restore", "no-force", "2")
    assert honed("show", "no-force", "--json").json["body"] == "Ask first."
    assert honed("recall", "may I force-push main", "--json").json["note"].count("Ask first.") == 1


def test_an_edit_of_an_approved_text_waits_beside_it_and_undoing_it_drops_it(
    honed: Honed, home: Path, shop: Path
) -> None:
    honed("write", "no-force", *RULE)
    at_terminal("trust", "no-force", cwd=shop, typed=("approve\n",), env={"HONED_HOME": str(home)})
    title = honed("show", "no-force", "--json").json["title"]
    told = honed("edit", "no-force", "--title", "Other")
    assert "Kept beside no-force, whose approved text stays in use: `honed trust no-force`" in told.out
    shown = honed("show", "no-force", "--json").json
    assert (shown["title"], shown["approved"], shown["waiting"]) == (title, True, 1)
    honed("undo", "no-force")
    shown = honed("show", "no-force", "--json").json
    assert (shown["title"], shown["approved"], shown["waiting"]) == (title, True, 0)


def test_the_text_comes_from_a_file_or_standard_input(honed: Honed, home: Path, tmp_path: Path) -> None:
    honed("write", "no-force", *RULE)
    (tmp_path / "text.md").write_text("\ufeffFrom a file.\n", encoding="utf-8")
    honed("edit", "no-force", "--file", str(tmp_path / "text.md"))
    assert honed("show", "no-force", "--json").json["body"] == "From a file."
    words = ("edit", "no-force", "--file", "-")
    process(*words, cwd=tmp_path, env={"HONED_HOME": str(home)}, given="Zurück.\n".encode())
    assert honed("show", "no-force", "--json").json["body"] == "Zurück."


def test_a_text_that_is_too_long_is_said_to_be_so_wherever_a_letter_of_it_is_cut(
    honed: Honed, tmp_path: Path
) -> None:
    honed("write", "no-force", *RULE)
    for begin in ("", "a"):
        (tmp_path / "text.md").write_text(begin + "ж" * 40_000, encoding="utf-8")
        refused = honed("edit", "no-force", "--file", str(tmp_path / "text.md"))
        assert (refused.code, "over 65536 bytes" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("--title", " "), 2, "title: empty"),
        (("--file", "nowhere"), 2, "no such file"),
        (("--body", "a\x07b"), 2, "control characters"),
        (("--body", "x" * 70_000), 2, "at most"),
        ((), 2, "name a field"),
    ],
)
def test_what_is_no_text_is_refused_and_nothing_changes(
    honed: Honed, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, why: str
) -> None:
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    honed("write", "no-force", *RULE)
    told = honed("edit", "no-force", *words)
    assert (told.code, why in told.err) == (code, True)
    assert honed("show", "no-force", "--json").json["version"] == 1


def test_the_same_text_is_no_new_version(honed: Honed) -> None:
    honed("write", "no-force", *RULE)
    told = honed("edit", "no-force", "--body", "Push without force.")
    assert "says that already" in told.out
    assert honed("show", "no-force", "--json").json["version"] == 1


def test_an_editor_is_given_all_of_it(honed: Honed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (
        "--title",
        "Release",
        "--trigger",
        "release it",
        "--steps",
        "bump: the version",
        "--steps",
        "tag",
    )
    honed(
        "learn",
        "release",
        *words,
        "--check",
        "make test",
        "--files",
        "src/v.py",
        "--tags",
        "a,b",
        "--ttl",
        "9",
    )
    monkeypatch.setenv("EDITOR", editor(tmp_path, "pass"))
    assert honed("edit", "release", "--json").json["changed"] is False
    program = "text = text.replace('bump: the version', 'bump it').replace('make test', 'make all') + 'More.'"
    monkeypatch.setenv("VISUAL", editor(tmp_path, program))
    assert honed("edit", "release", "--json").json["changed"] is True
    shown = honed("show", "release", "--json").json
    assert (shown["steps"], shown["check"], shown["body"]) == (["bump it", "tag"], "make all", "More.")
    assert (shown["tags"], shown["ttl_days"], shown["files"]) == (["a", "b"], 9, [{"path": "src/v.py"}])


@pytest.mark.parametrize(
    ("program", "code", "why"),
    [
        ("sys.exit(1)", 3, "ended with status 1"),
        ("text = text.replace('title: ', 'title: x' * 400)", 2, "Your text: "),
        ("text = text.replace('kind: rule', 'kind: rule\\ntopic: x')", 2, "topic: no field of a skill"),
        ("text = '---\\nbroken'", 2, "Your text: "),
    ],
)
def test_what_an_editor_leaves_and_nobody_understands_is_kept_for_its_owner(
    honed: Honed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, code: int, why: str
) -> None:
    honed("write", "no-force", *RULE)
    monkeypatch.setenv("EDITOR", editor(tmp_path, program))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    told = honed("edit", "no-force")
    assert (told.code, why in told.err) == (code, True)
    assert Path(told.err.partition("Your text: ")[2].strip()).is_file()
    assert honed("show", "no-force", "--json").json["version"] == 1


def test_what_the_owner_edits_is_the_owner_s_and_no_agent_changes_it(
    honed: Honed, home: Path, shop: Path
) -> None:
    with Memory.open(str(home)) as memory:
        caller = memory.caller(Author("codex", "s1"), str(shop))
        caller.write("tabs", draft_from_manual("lesson", "Use tabs", body="Use tabs.", origin="agent"))
    told = honed("edit", "tabs", "--body", "Use spaces.").out
    assert "It is your own text from now on (it was an agent's)." in told
    with Memory.open(str(home)) as memory:
        caller = memory.caller(Author("codex", "s1"), str(shop))
        other = draft_from_manual("lesson", "x", body="y")
        assert caller.revise(caller.find("tabs"), other, "z") == "proposed"
        assert caller.find("tabs").draft.body == "Use spaces."
    assert "edit" in denied_commands()


def test_an_edited_procedure_no_longer_says_that_its_text_was_proved(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    honed("backfill", str(write(tmp_path / "a.jsonl", fixes(claude(shop)))))
    slug = honed("list", "--kind", "procedure", "--json").json[0]["slug"]
    assert honed("show", slug, "--json").json["fail_to_pass"] is True
    honed("edit", slug, "--title", "Round half up in the total")
    shown = honed("show", slug, "--json").json
    assert (shown["origin"], "fail_to_pass" in shown, shown["files"][0]["path"]) == (
        "owner",
        False,
        "shop/total.py",
    )
    again = honed("backfill", str(tmp_path / "a.jsonl"), "--json").json
    assert again["learned"] == 0
    assert honed("show", slug, "--json").json["title"] == "Round half up in the total"


def test_a_text_that_changed_while_it_was_edited_is_not_written_over(honed: Honed, home: Path) -> None:
    honed("write", "no-force", *RULE)
    with Memory.open(str(home)) as memory:
        (shown,) = memory.skills(SkillFilter())
        memory.edit(shown, draft_from_manual("rule", "Meanwhile", body="x"))
        with pytest.raises(RefusedError, match="changed meanwhile"):
            memory.edit(shown, draft_from_manual("rule", "Late", body="y"))


def test_the_owner_s_text_edited_in_a_vault_stays_the_owner_s(honed: Honed, tmp_path: Path) -> None:
    honed("write", "no-force", *RULE)
    honed("export", str(tmp_path / "vault"))
    (file,) = (tmp_path / "vault").rglob("no-force*.md")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("Push without force.", "Ask me first."), encoding="utf-8")
    told = honed("import", str(tmp_path / "vault"))
    assert "Your own texts that changed stay yours: no-force." in told.out
    shown = honed("show", "no-force", "--json").json
    assert (shown["origin"], shown["body"].strip(), shown["version"]) == ("owner", "Ask me first.", 2)
