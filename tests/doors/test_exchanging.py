"""``honed export`` and ``honed import``: figures, exit codes, and nothing done on trial."""

from __future__ import annotations

from pathlib import Path

from tests.doors.conftest import Honed
from tests.doors.telling import a_shop, claude, files_below, fixes, write


def test_what_was_learned_goes_out_and_in_elsewhere(honed: Honed, shop: Path, tmp_path: Path) -> None:
    honed("backfill", str(write(tmp_path / "a.jsonl", fixes(claude(shop)))))
    told = honed("export", str(tmp_path / "v"), "--json").json
    assert told == {
        "folder": str(tmp_path / "v"),
        "new": 1,
        "same": 0,
        "changed": 0,
        "removed": 0,
        "refused": [],
    }
    other = str(tmp_path / "other")
    tried = honed("import", str(tmp_path / "v"), "--dry-run", "--home", other, "--json")
    assert (tried.code, tried.json["new"], tried.json["dry_run"], Path(other).exists()) == (0, 1, True, False)
    done = honed("import", str(tmp_path / "v"), "--home", other, "--json")
    assert (done.code, done.json["new"], done.json["refused"]) == (0, 1, [])
    again = honed("import", str(tmp_path / "v"), "--home", other, "--json").json
    assert (again["new"], again["same"], again["changed"]) == (0, 1, 0)
    slug = honed("list", "--json").json[0]["slug"]
    shown = honed("show", slug, "--home", other, "--json").json
    assert (shown["origin"], shown["state"], shown["check"]) == ("imported", "candidate", "pytest")
    honed("export", str(tmp_path / "w"), "--home", other)
    first, second = (
        {file.relative_to(base): data for file, data in files_below(base)}
        for base in (tmp_path / "v", tmp_path / "w")
    )
    assert first == second


def test_a_skill_that_was_imported_is_not_learned_a_second_time(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    path = write(tmp_path / "a.jsonl", fixes(claude(shop)))
    honed("backfill", str(path))
    honed("export", str(tmp_path / "v"))
    other = str(tmp_path / "other")
    honed("import", str(tmp_path / "v"), "--home", other)
    figures = honed("backfill", str(path), "--home", other, "--json").json
    assert (figures["learned"], figures["revised"]) == (0, 0)
    assert len(honed("list", "--home", other, "--json").json) == 1


def test_a_file_that_is_refused_is_named_and_the_exit_code_says_so(honed: Honed, tmp_path: Path) -> None:
    (tmp_path / "n").mkdir()
    (tmp_path / "n" / "good.md").write_text("# Good", encoding="utf-8")
    (tmp_path / "n" / "bad.md").write_bytes(b"\xff\xfe")
    answer = honed("import", str(tmp_path / "n"), "--json")
    assert (answer.code, answer.json["new"]) == (3, 1)
    assert answer.json["refused"] == [
        {"path": str(tmp_path / "n" / "bad.md"), "reason": "byte 0 is not UTF-8; save it as UTF-8"}
    ]
    assert "1 new, 0 changed, 0 the same, 1 refused." not in honed("import", str(tmp_path / "n")).out
    assert "Refused: " in honed("import", str(tmp_path / "n")).out


def test_the_database_of_another_memory_is_said_to_be_one(honed: Honed, home: Path) -> None:
    honed("write", "one", "--kind", "lesson", "--title", "Round half up", "--body", "Always.")
    (reason,) = (row["reason"] for row in honed("import", str(home / "honed.db"), "--json").json["refused"])
    assert reason == "a database; let the program that wrote it export its notes as Markdown"


def a_note(folder: Path, name: str, project: str) -> None:
    folder.mkdir(exist_ok=True)
    front = f"---\nname: {name}\nproject: {project}\n---\n"
    text = f"{front}# Restart the {name} worker\n\nRun `ctl restart {name}`.\n"
    (folder / f"{name}.md").write_text(text, encoding="utf-8")


def test_notes_of_the_project_that_one_stands_in_are_its_own(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    a_note(tmp_path / "n", "mail", shop.name)
    told = honed("import", str(tmp_path / "n"), "--json").json
    assert (told["new"], told["unplaced"]) == (1, [])
    assert "ctl restart mail" in honed("recall", "restart the mail worker").out


def test_notes_of_two_projects_of_one_name_go_to_the_one_that_one_stands_in(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    twin = a_shop(tmp_path / "elsewhere", shop.name)
    for folder in (shop, twin):
        honed("write", "one", "--kind", "lesson", "--title", f"Of {folder}", "--body", "It is.", cwd=folder)
    a_note(tmp_path / "n", "mail", shop.name)
    honed("import", str(tmp_path / "n"), cwd=twin)
    assert [row["slug"] for row in honed("list", "--json", cwd=twin).json] == ["mail", "one"]
    assert [row["slug"] for row in honed("list", "--json").json] == ["one"]


def test_notes_of_a_project_without_a_folder_are_told_with_the_way_to_one(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    a_note(tmp_path / "n", "mail", "post office")
    assert honed("import", str(tmp_path / "n"), "--dry-run", "--json").json["unplaced"] == ["post office"]
    for _ in range(2):  # as long as it is so
        assert "`honed projects link 'post office' FOLDER`" in honed("import", str(tmp_path / "n")).out
    assert honed("projects", "link", "post office", str(shop)).code == 0
    assert "ctl restart mail" in honed("recall", "restart the mail worker").out
    assert honed("import", str(tmp_path / "n"), "--json").json["unplaced"] == []


def test_an_edited_file_stops_no_export_and_is_named(honed: Honed, tmp_path: Path) -> None:
    for slug, title in (("one", "Round half up"), ("two", "Retry uploads")):
        honed("write", slug, "--kind", "lesson", "--title", title, "--body", title)
    honed("export", str(tmp_path / "v"))
    edited = tmp_path / "v" / "shop" / "one.md"
    edited.write_text("mine", encoding="utf-8")
    honed("pin", "two")
    answer = honed("export", str(tmp_path / "v"), "--json")
    assert (answer.code, answer.json["changed"]) == (3, 1)
    assert [row["path"] for row in answer.json["refused"]] == [str(edited)]
    assert edited.read_text(encoding="utf-8") == "mine"


def test_wrong_places_have_their_exit_codes(honed: Honed, tmp_path: Path) -> None:
    honed("write", "one", "--kind", "lesson", "--title", "T", "--body", "x")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert honed("import", str(tmp_path / "none")).code == 4
    assert honed("export", str(tmp_path / "file")).code == 2
    assert honed("export", str(tmp_path / "file" / "below")).code in (2, 5)
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / ".honed-vault.json").write_text("{", encoding="utf-8")
    answer = honed("export", str(tmp_path / "v"))
    assert (answer.code, "not JSON" in answer.err) == (2, True)


def test_one_project_is_exported_without_a_word_of_another(honed: Honed, tmp_path: Path) -> None:
    other = a_shop(tmp_path, "other")
    words = ("--kind", "rule", "--title", "Round half up", "--body", "Use Decimal.")
    honed("write", "round", *words)
    honed("write", "round", *words, cwd=other)
    honed(
        "write", "everywhere", "--kind", "rule", "--title", "Never push", "--body", "x", "--scope", "global"
    )
    vault = tmp_path / "v"
    done = honed("export", str(vault), "--project", "other", "--json")
    assert (done.code, done.json["new"]) == (0, 1)
    text = b"".join(data for _, data in files_below(vault)).decode()
    assert "shop" not in text
    assert "Never push" not in text
    assert honed("export", str(vault), "--project", "nobody").code == 4
    assert honed("export", str(vault), "--project", str(a_shop(tmp_path, "unseen"))).code == 4
    # Into the same folder, what is there of others stays; a whole export and one of a part give one vault.
    assert honed("export", str(vault), "--project", ".", "--json").json["removed"] == 0
    whole = tmp_path / "w"
    honed("export", str(whole))
    both = {path.relative_to(vault): data for path, data in files_below(vault) if path.suffix == ".md"}
    assert both == {
        path.relative_to(whole): data
        for path, data in files_below(whole)
        if path.suffix == ".md" and path.parent.name != "global"
    }
    honed("forget", "round", cwd=other)
    assert honed("export", str(vault), "--project", ".", "--json").json["removed"] == 0
    assert honed("export", str(vault), "--project", "other", "--json").json["removed"] == 1
    assert [path.parent.name for path, _ in files_below(vault) if path.suffix == ".md"] == ["shop"]


def test_the_ledger_of_another_home_is_taken_in_once(honed: Honed, tmp_path: Path) -> None:
    there = str(tmp_path / "laptop")
    words = ("--kind", "rule", "--title", "Round half up", "--body", "Use Decimal.")
    honed("write", "here", "--kind", "rule", "--title", "Never push", "--body", "x")
    honed("write", "round", *words, "--home", there)
    honed("write", "gone", "--kind", "rule", "--title", "Tag releases", "--body", "y", "--home", there)
    honed("forget", "gone", "--home", there)
    done = honed("merge", there, "--json")
    assert (done.code, done.json["skills"], len(done.json["chains"])) == (0, 2, 1)
    assert Path(done.json["backup"]).is_file()
    assert {row["slug"] for row in honed("list", "--all", "--json").json} == {"here", "round"}
    assert honed("write", "gone", "--kind", "rule", "--title", "Tag releases", "--body", "y").code == 3
    assert honed("merge", there, "--json").json["events"] == 0
    assert (
        honed("merge", honed("backup", "--home", there, "--json").json["path"], "--json").json["events"] == 0
    )
    assert honed("verify", "--strict").code == 0
    # Both homes saw the shop for the first time, each as a project of its own; it is one.
    assert len(done.json["linked"]) == 1
    assert {row["slug"] for row in honed("list", "--json").json} == {"here", "round"}
    assert honed("recall", "round half up, use decimal", "--json").json["hits"]
    (split,) = done.json["linked"]
    assert honed("projects", "split", split[1]).code == 0
    assert honed("merge", there, "--json").json["linked"] == []
    assert [row["slug"] for row in honed("list", "--json").json] == ["here"]


def test_what_is_no_ledger_is_not_taken_in(honed: Honed, tmp_path: Path) -> None:
    honed("write", "here", "--kind", "rule", "--title", "Never push", "--body", "x")
    (tmp_path / "x.db").write_bytes(b"no database" * 999)
    assert honed("merge", str(tmp_path / "x.db")).code == 5
    assert honed("merge", str(tmp_path / "nothing")).code == 4
    assert [row["slug"] for row in honed("list", "--json").json] == ["here"]
