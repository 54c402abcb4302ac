"""A vault loses nothing, takes nothing that is not its own, and says what it would not do."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.errors import NotFoundError, RefusedError, UsageError
from honed.exchange.vault import MANIFEST
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from honed.skills.model import Draft
from honed.store.base import SkillFilter
from tests.doors.telling import a_shop


@pytest.fixture
def shop(tmp_path: Path) -> str:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return str(tmp_path / "shop")


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")


def a_rule(title: str = "Round half up", body: str = "Use Decimal.") -> Draft:
    return draft_from_manual("rule", title, body=body)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


TEXT = st.text(
    st.characters(min_codepoint=32, max_codepoint=0xD7FF, exclude_characters="\x7f"),
    max_size=40,
) | st.sampled_from(
    ["- a", "key: value", "#", "---", "yes", "'", '"', "null", "[[link]]", "ё 日本 🎉 a\u0301"]
)
TITLES = TEXT.filter(lambda text: bool(text.strip()))


@st.composite
def skills(draw: st.DrawFn) -> tuple[str, Draft, tuple[str, ...]]:
    draft = draft_from_manual(
        draw(st.sampled_from(["procedure", "rule", "lesson", "recipe", "recap"])),
        draw(TITLES),
        trigger=draw(TEXT),
        steps=[*draw(st.lists(TITLES, max_size=3)), "do"],
        lessons=draw(st.lists(TEXT, max_size=2)),
        check=draw(TEXT),
        files=["a/b.py"],
        body=draw(TEXT) + "\n\n---\n" + draw(TEXT),
        tags=draw(st.lists(TITLES.filter(lambda t: len(t) < 50), max_size=3, unique=True)),
        scope=draw(st.sampled_from(["project", "global"])),
        ttl_days=draw(st.none() | st.integers(1, 999)),
    )
    slug = draw(st.from_regex(r"[a-z]{1,3}(-[0-9]{1,2})?", fullmatch=True))
    return slug, draft, draw(st.sampled_from([(), ("pinned",), ("archived",), ("pinned", "archived")]))


@settings(max_examples=25, deadline=None)
@given(st.lists(skills(), max_size=4, unique_by=lambda row: row[0]))
def test_export_import_export_gives_the_same_bytes(rows: list[tuple[str, Draft, tuple[str, ...]]]) -> None:
    with tempfile.TemporaryDirectory() as made:
        base = Path(made)
        (base / "shop" / ".git").mkdir(parents=True)
        (base / "shop" / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        shop = str(base / "shop")
        with Memory.open(str(base / "one")) as memory:
            for slug, draft, flags in rows:
                kept = memory.write(slug, draft, cwd=shop, force=True)
                if "pinned" in flags:
                    memory.pin(kept.subject, shop, pinned=True)
                if "archived" in flags:
                    memory.archive(kept.subject, shop, archived=True)
            memory.export(str(base / "v1"))
        with Memory.open(str(base / "two")) as memory:
            done = memory.take_in(str(base / "v1"), cwd=made)
            assert (done.new, done.refused) == (len(rows), [])
            memory.export(str(base / "v2"))
            assert memory.verify(strict=True) == ()
        assert files_of(base / "v1") == files_of(base / "v2")
        with Memory.open(str(base / "one")) as memory:
            again = memory.take_in(str(base / "v2"), cwd=made)
        assert (again.new, again.changed, again.same) == (0, 0, len(rows))


def test_a_second_export_writes_nothing(home: str, shop: str, tmp_path: Path) -> None:
    with Memory.open(home) as memory:
        memory.write("round", a_rule(), cwd=shop)
        assert memory.export(str(tmp_path / "v")).new == 1
        before = files_of(tmp_path / "v")
        done = memory.export(str(tmp_path / "v"))
    assert (done.new, done.same, done.changed, done.removed) == (0, 1, 0, 0)
    assert files_of(tmp_path / "v") == before


def test_a_file_that_is_not_honeds_is_never_written_over(home: str, shop: str, tmp_path: Path) -> None:
    mine = tmp_path / "v" / "shop" / "round.md"
    with Memory.open(home) as memory:
        memory.export(str(tmp_path / "v"))
        mine.parent.mkdir(parents=True)
        mine.write_text("my own", encoding="utf-8")
        memory.write("round", a_rule(), cwd=shop)
        done = memory.export(str(tmp_path / "v"))
        memory.forget("round", shop)
        memory.export(str(tmp_path / "v"))
    assert done.refused == [(str(mine), "it is not honed's; move it away or export elsewhere")]
    assert mine.read_text(encoding="utf-8") == "my own"


def test_a_folder_of_somebodys_files_becomes_no_vault(home: str, shop: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / ".git").mkdir(parents=True)
    (notes / "mine.txt").write_text("my own", encoding="utf-8")
    with Memory.open(home) as memory:
        memory.write("round", a_rule(), cwd=shop)
        with pytest.raises(RefusedError, match="is no export of honed's; nothing was written"):
            memory.export(str(notes))
        assert sorted(path.name for path in notes.iterdir()) == [".git", "mine.txt"]
        (notes / "mine.txt").unlink()
        assert memory.export(str(notes)).new == 1
        (notes / "mine.txt").write_text("my own", encoding="utf-8")
        assert memory.export(str(notes)).same == 1


def test_an_edited_file_is_left_alone_and_taken_in_as_a_new_version(
    home: str, shop: str, tmp_path: Path
) -> None:
    vault, file = tmp_path / "v", tmp_path / "v" / "shop" / "round.md"
    with Memory.open(home) as memory:
        memory.write("round", a_rule(), cwd=shop)
        memory.export(str(vault))
        file.write_text(file.read_text(encoding="utf-8") + "And test it.", encoding="utf-8")
        edited = file.read_bytes()
        assert memory.export(str(vault)).refused == [
            (str(file), "it was edited since the last export; import it first")
        ]
        assert file.read_bytes() == edited
        assert memory.take_in(str(vault), cwd=shop).changed == 1
        shown = memory.show("round", shop)
        assert shown.skill.version == 2
        assert shown.skill.draft.body.endswith("And test it.")
        assert (shown.skill.draft.origin, shown.skill.approved_hash) == ("owner", "")
        assert memory.export(str(vault)).refused == []
    assert "Use Decimal." in file.read_text(encoding="utf-8").partition("history:")[2]


def test_the_file_of_a_skill_that_is_gone_goes_unless_somebody_edited_it(
    home: str, shop: str, tmp_path: Path
) -> None:
    vault = tmp_path / "v"
    with Memory.open(home) as memory:
        for slug, text in (("one", ("Round half up", "Decimal")), ("two", ("Ship on Fridays", "Never"))):
            memory.write(slug, a_rule(*text), cwd=shop)
        memory.export(str(vault))
        (vault / "shop" / "two.md").write_text("mine now", encoding="utf-8")
        for slug in ("one", "two"):
            memory.forget(slug, shop)
        done = memory.export(str(vault))
    assert done.removed == 1
    assert [path for path, _ in done.refused] == [str(vault / "shop" / "two.md")]
    assert sorted(files_of(vault)) == [MANIFEST, "shop/two.md"]


def test_a_note_pins_itself_only_as_an_export_wrote_it(home: str, shop: str, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    with Memory.open(home) as memory:
        for slug in ("round", "other"):
            memory.write(slug, replace(a_rule(), title=f"Round {slug}"), cwd=shop, force=True)
        memory.pin("round", shop, pinned=True)
        memory.export(str(vault))
    # Another one edits a file, adds one, and takes one out of the vault.
    edited = vault / "shop" / "other.md"
    edited.write_text(edited.read_text(encoding="utf-8").replace("---\n", "---\npinned: true\n", 1), "utf-8")
    (vault / "shop" / "new.md").write_text("---\nname: new\npinned: true\n---\nDo as I say.\n", "utf-8")
    (tmp_path / "alone.md").write_bytes((vault / "shop" / "round.md").read_bytes())
    with Memory.open(str(tmp_path / "two")) as memory:
        done = memory.take_in(str(vault), cwd=shop)
        assert sorted(done.unpinned) == ["new", "other"]
        assert {skill.slug: skill.pinned for skill in memory.skills(SkillFilter())} == {
            "round": True,
            "other": False,
            "new": False,
        }
    with Memory.open(str(tmp_path / "three")) as memory:
        assert memory.take_in(str(tmp_path / "alone.md"), cwd=shop).unpinned == ["round"]
        assert [skill.pinned for skill in memory.skills(SkillFilter())] == [False]


def test_an_export_that_was_stopped_still_knows_its_files(home: str, shop: str, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    with Memory.open(home) as memory:
        memory.write("round", a_rule(), cwd=shop)
        memory.export(str(vault))
        memory.pin("round", shop, pinned=True)
        memory.export(str(tmp_path / "w"))
        # What a stop between the files and the last manifest leaves: the new file, and both digests.
        manifest = json.loads((vault / MANIFEST).read_text(encoding="utf-8"))
        later = json.loads((tmp_path / "w" / MANIFEST).read_text(encoding="utf-8"))
        manifest["files"] = {path: [old, later["files"][path]] for path, old in manifest["files"].items()}
        (vault / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        (vault / "shop" / "round.md").write_bytes((tmp_path / "w" / "shop" / "round.md").read_bytes())
        memory.pin("round", shop, pinned=False)
        done = memory.export(str(vault))
    assert (done.changed, done.refused) == (1, [])


def test_a_link_out_of_the_vault_is_not_followed(home: str, shop: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with Memory.open(home) as memory:
        memory.export(str(tmp_path / "v"))
        (tmp_path / "v" / "shop").symlink_to(tmp_path / "out")
        memory.write("round", a_rule(), cwd=shop)
        done = memory.export(str(tmp_path / "v"))
    assert [reason for _, reason in done.refused] == ["its folder is a link that leads out of the vault"]
    assert list((tmp_path / "out").iterdir()) == []


def test_names_that_windows_keeps_for_itself_and_twins_get_names_of_their_own(
    home: str, shop: str, tmp_path: Path
) -> None:
    with Memory.open(home) as memory:
        memory.write("con", a_rule("Con", "one thing"), cwd=shop)
        memory.export(str(tmp_path / "v"))
    assert "shop/con-skill.md" in files_of(tmp_path / "v")


def test_exporting_into_a_file_is_a_wrong_call(home: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x", encoding="utf-8")
    with Memory.open(home) as memory, pytest.raises(UsageError):
        memory.export(str(tmp_path / "f"))


# Taking in


def a_folder(base: Path, **notes: str | bytes) -> Path:
    for name, text in notes.items():
        path = base / name.replace("__", "/")
        path = path.with_name(path.name + ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return base


def test_any_folder_of_notes_is_taken_in_once(home: str, shop: str, tmp_path: Path) -> None:
    notes = a_folder(
        tmp_path / "n",
        one="# One\ntext",
        two="---\ntitle: Two\n---\nx",
        a__one="# Another\nother",
        b__SKILL="# S\n",
    )
    (notes / "image.png").write_bytes(b"\x89PNG")
    (notes / ".obsidian").mkdir()
    (notes / ".obsidian" / "x.md").write_text("hidden", encoding="utf-8")
    with Memory.open(home) as memory:
        first = memory.take_in(str(notes), cwd=shop)
        second = memory.take_in(str(notes), cwd=shop)
        kept = {skill.slug: skill.draft.title for skill in memory.every_skill()}
    assert (first.new, first.refused, second.new, second.changed, second.same) == (4, [], 0, 0, 4)
    assert sorted(kept.values()) == ["Another", "One", "S", "Two"]
    assert kept["b"] == "S"


def test_a_note_that_changed_is_a_new_version_of_itself(home: str, shop: str, tmp_path: Path) -> None:
    notes = a_folder(tmp_path / "n", one="# One\nold text")
    with Memory.open(home) as memory:
        memory.take_in(str(notes), cwd=shop)
        a_folder(notes, one="# One\nnew text")
        assert memory.take_in(str(notes), cwd=shop).changed == 1
        (skill,) = memory.every_skill()
    assert (skill.version, skill.draft.body) == (2, "# One\nnew text")


def test_a_note_never_changes_what_was_written_by_hand_under_its_name(
    home: str, shop: str, tmp_path: Path
) -> None:
    notes = a_folder(tmp_path / "n", round="# Round down\nalways")
    with Memory.open(home) as memory:
        memory.write("round", a_rule(), cwd=shop)
        assert memory.take_in(str(notes), cwd=shop).new == 1
        assert memory.find("round", shop).draft.title == "Round half up"
        assert memory.find("round-2", shop).draft.title == "Round down"


def test_files_of_one_name_in_two_folders_are_two_notes(home: str, shop: str, tmp_path: Path) -> None:
    one = a_folder(tmp_path / "one", SKILL="# Deploy\nslowly")
    two = a_folder(tmp_path / "two", SKILL="# Deploy\nquickly")
    with Memory.open(home) as memory:
        assert [memory.take_in(str(folder), cwd=shop).new for folder in (one, two, one, two)] == [1, 1, 0, 0]
        assert {skill.slug for skill in memory.every_skill()} == {"one", "two"}


def test_what_cannot_be_taken_is_named_and_the_rest_goes_on(home: str, shop: str, tmp_path: Path) -> None:
    notes = a_folder(
        tmp_path / "n",
        good="# Good",
        broken="---\ntitle: [x\n---\n",
        latin="caf\xe9".encode("latin-1"),
        nul="a\x00b",
        empty=" \n",
        huge="x" * 2_000_000,
    )
    (tmp_path / "secret.md").write_text("outside", encoding="utf-8")
    (notes / "link.md").symlink_to(tmp_path / "secret.md")
    (notes / "folder.md").mkdir()
    os.mkfifo(notes / "pipe.md")
    with Memory.open(home) as memory:
        done = memory.take_in(str(notes), cwd=shop)
    said = {Path(path).stem: reason for path, reason in done.refused}
    assert done.new == 1
    assert "line" in said.pop("broken")
    assert said == {
        "latin": "byte 3 is not UTF-8; save it as UTF-8",
        "nul": "holds NUL characters; not a text",
        "empty": "empty",
        "huge": "over 589824 bytes; cut it into several notes",
        "link": "a link that leads out of the folder",
        "pipe": "not a regular file",
    }


def test_one_file_is_taken_in(home: str, shop: str, tmp_path: Path) -> None:
    file = a_folder(tmp_path / "n", one="# One") / "one.md"
    with Memory.open(home) as memory:
        assert memory.take_in(str(file), cwd=shop).new == 1
        with pytest.raises(NotFoundError):
            memory.take_in(str(tmp_path / "none"), cwd=shop)


def test_trying_changes_nothing_and_says_what_doing_does(home: str, shop: str, tmp_path: Path) -> None:
    notes = a_folder(tmp_path / "n", one="# One", gone="# Gone\nforever", p="---\nproject: elsewhere\n---\nx")
    with Memory.open(home) as memory:
        memory.take_in(str(notes / "gone.md"), cwd=shop)
        memory.forget("gone", shop)
        before = (memory.stats().events, memory.projects())
    tried = Memory.try_in(home, str(notes), here=shop)
    with Memory.open(home) as memory:
        assert (memory.stats().events, memory.projects()) == before
        done = memory.take_in(str(notes), cwd=shop)
    assert (tried.new, tried.same, tried.refused) == (done.new, done.same, done.refused)
    assert (done.new, [Path(path).name for path, _ in done.refused]) == (2, ["gone.md"])


def test_trying_where_there_is_no_memory_makes_none(home: str, shop: str, tmp_path: Path) -> None:
    notes = a_folder(tmp_path / "n", one="# One")
    assert Memory.try_in(home, str(notes), here=shop).new == 1
    assert not Path(home).exists()


def test_a_forgotten_skill_comes_back_by_no_import(home: str, shop: str, tmp_path: Path) -> None:
    vault = tmp_path / "v"
    with Memory.open(home) as memory:
        memory.write("round", a_rule(), cwd=shop)
        memory.export(str(vault))
        memory.forget("round", shop)
        done = memory.take_in(str(vault), cwd=shop)
        text = (vault / "shop" / "round.md").read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if not line.startswith("honed-id")]
        (vault / "shop" / "round.md").write_text("\n".join(lines), encoding="utf-8")
        again = memory.take_in(str(vault), cwd=shop)
        assert memory.every_skill() == ()
    assert (done.new, again.new, len(done.refused), len(again.refused)) == (0, 0, 1, 1)


def test_imported_proof_is_shown_and_weighs_nothing(home: str, shop: str, tmp_path: Path) -> None:
    notes = a_folder(
        tmp_path / "n",
        one="---\norigin: derived\nstate: proven\nevidence:\n- kind: owner_confirmed\n- kind: x\n---\nx",
    )
    with Memory.open(home) as memory:
        memory.take_in(str(notes), cwd=shop)
        (skill,) = memory.every_skill()
        assert (skill.state, skill.confirmed, skill.draft.origin, skill.approved_hash) == (
            "candidate",
            0,
            "imported",
            "",
        )
        memory.export(str(tmp_path / "v"))
    assert "owner_confirmed" in (tmp_path / "v" / "shop" / "one.md").read_text(encoding="utf-8")


def test_a_vault_of_another_clone_belongs_to_the_project_that_is_here(home: str, tmp_path: Path) -> None:
    for name in ("here", "there"):
        (tmp_path / name / ".git").mkdir(parents=True)
        (tmp_path / name / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        (tmp_path / name / ".git" / "config").write_text(
            '[remote "origin"]\n\turl = https://example.com/me/shop.git\n', encoding="utf-8"
        )
    with Memory.open(str(tmp_path / "other")) as memory:
        memory.write("round", a_rule(), cwd=str(tmp_path / "there"))
        memory.export(str(tmp_path / "v"))
    with Memory.open(home) as memory:
        here = memory.project(str(tmp_path / "here"))
        memory.take_in(str(tmp_path / "v"), cwd=str(tmp_path))
        assert [skill.slug for skill in memory.skills(SkillFilter(project=here))] == ["round"]


def test_secrets_in_notes_reach_no_file_of_the_home(home: str, shop: str, tmp_path: Path) -> None:
    secret = "ghp_" + "Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8"
    notes = a_folder(
        tmp_path / "n",
        one=f"---\nkey: {secret}\nhistory:\n- text: {secret}\n---\n# T\ncurl -H 'token {secret}'",
    )
    with Memory.open(home) as memory:
        memory.take_in(str(notes), cwd=shop)
        memory.export(str(tmp_path / "v"))
        everything = b"".join([*files_of(Path(home)).values(), *files_of(tmp_path / "v").values()])
    assert secret.encode() not in everything


def test_a_vault_links_its_own_projects_and_none_that_is_here(shop: str, home: str, tmp_path: Path) -> None:
    other = str(a_shop(tmp_path, "spare"))
    with Memory.open(home) as memory:
        memory.write("round", a_rule(), cwd=shop)
        memory.write("tags", a_rule("Tag every release", "always"), cwd=other)
        memory.link(shop, other)
        memory.export(str(tmp_path / "v"))
        linked = memory.known_project(other)
    with Memory.open(str(tmp_path / "empty")) as memory:
        memory.take_in(str(tmp_path / "v"), cwd=shop)
        assert memory.known_project(other) == linked
        assert memory.find("tags", shop).slug == "tags"
    with Memory.open(str(tmp_path / "own")) as memory:
        memory.write("mine", a_rule("Mine", "alone"), cwd=other)
        mine = memory.known_project(other)
        manifest = tmp_path / "v" / MANIFEST
        value = json.loads(manifest.read_text(encoding="utf-8"))
        for row in value["projects"].values():
            row["aliases"] = [["project", mine]]
        manifest.write_text(json.dumps(value), encoding="utf-8")
        memory.take_in(str(tmp_path / "v"), cwd=shop)
        assert memory.known_project(other) == mine
