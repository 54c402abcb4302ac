"""What is the owner's alone stays so: rights of files, folders and files that are kept out, private words."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.masking import negatives
from honed.demo.scribe import Scribe
from honed.hooks import spool
from honed.mcp.answers import Call, told
from tests.doors.conftest import Honed
from tests.doors.telling import GREEN, RED, claude, codex, files_below, fixes, process, write
from tests.packs.making import folder, skill


@pytest.mark.skipif(os.name != "posix", reason="rights of files are POSIX")
def test_nothing_that_honed_writes_can_be_read_by_others(tmp_path: Path, shop: Path) -> None:
    home = tmp_path / "home"
    env = {"HONED_HOME": str(home)}
    path = write(tmp_path / "t" / "a.jsonl", fixes(claude(shop)))
    payload = {"session_id": "s", "cwd": str(shop), "prompt": "The total of the order is off"}
    pack = folder(tmp_path / "pack", {"SKILL.md": skill()})
    before = os.umask(0)
    try:
        for words, given in (
            (("backfill", str(path)), b""),
            (("write", "x", "--kind", "rule", "--title", "T", "--body", "b"), b""),
            (("config", "set", "note.tokens", "500"), b""),
            (("packs", "add", str(pack)), b""),
            (("hook", "prompt", "--agent", "claude_code"), json.dumps(payload).encode()),
            (("hook", "prompt", "--agent", "claude_code"), b"{bad"),
            (("backup",), b""),
            (("export", str(tmp_path / "vault")), b""),
            (("forget", "x", "--purge"), b""),
            (("index", "repair"), b""),
        ):
            done = process(*words, cwd=shop, env=env, given=given)
            assert done.returncode == 0, (words, done.stderr)
    finally:
        os.umask(before)
    seen = [home, tmp_path / "vault", *home.rglob("*"), *(tmp_path / "vault").rglob("*")]
    assert {"honed.db", "config.json", "s.jsonl", "tombstone.key"} <= {file.name for file in seen}
    open_to_others = [str(file) for file in seen if stat.S_IMODE(file.lstat().st_mode) & 0o077]
    assert open_to_others == []


def test_the_journal_is_its_owners_too_while_it_is_open(honed: Honed, home: Path) -> None:
    import contextlib
    import sqlite3

    honed("write", "x", "--kind", "rule", "--title", "T", "--body", "b")
    before = os.umask(0)
    try:
        with contextlib.closing(sqlite3.connect(home / "honed.db", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM events").fetchone()
            honed("write", "y", "--kind", "rule", "--title", "Other", "--body", "Another text")
            wal = home / "honed.db-wal"
            assert wal.stat().st_size > 0
            for file in home.rglob("*"):
                assert not stat.S_IMODE(file.stat().st_mode) & 0o077, file
    finally:
        os.umask(before)


@pytest.mark.parametrize("kept_out", ["shop/secret", "shop/secret/keys.py", "*/secret"])
def test_a_task_that_read_or_changed_what_is_kept_out_is_not_stored(
    honed: Honed, home: Path, shop: Path, tmp_path: Path, kept_out: str
) -> None:
    pattern = kept_out if kept_out.startswith("*") else str(shop / kept_out)
    honed("config", "set", "exclude", pattern)
    scribe = claude(shop)
    scribe.asks("The total of the order is off by one cent, please fix it")
    scribe.runs("pytest -q", "E  ValueError: quixotic\n1 failed", 1)
    scribe.edits("shop/secret/keys.py", "def quixotic(x):\n    pass", "def quixotic(x):\n    return 1")
    scribe.runs("pytest -q", GREEN)
    figures = honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json
    assert (figures["learned"], figures["private"]) == (0, 1)
    assert not [file for file, data in files_below(home) if b"quixotic" in data]


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("cat shop/secret/keys.py", "def quixotic(): pass"),
        ("cd shop/secret && cat keys.py", "def quixotic(): pass"),
        ("wc -l < {shop}/shop/secret/keys.py", "3"),
        ("python3 './shop/secret/keys.py'", "ValueError: quixotic"),
        ("git -C shop/secret log -1", "quixotic"),
        ("pytest -q shop/secret/test_keys.py", "FAILED shop/secret/test_keys.py::test_quixotic"),
        ("grep -rn foo .", "./shop/secret/keys.py:1:def quixotic(): pass"),
        ("grep -r foo .", "./shop/secret/keys.py:def quixotic(): pass"),
        ("git diff", "--- a/shop/secret/keys.py\n+++ b/shop/secret/keys.py\n+def quixotic(): pass"),
        ("cd shop && grep -rh foo secret", "def quixotic(): pass"),
        ("cd shop && ls secret", "quixotic.py"),
        ("cd shop && python secret/keys.py", "quixotic"),
        ("cd shop && grep -rn foo .", "secret/keys.py:1:def quixotic(): pass"),
    ],
)
def test_a_task_whose_commands_name_what_is_kept_out_is_not_stored(
    command: str, printed: str, honed: Honed, home: Path, shop: Path, tmp_path: Path
) -> None:
    honed("config", "set", "exclude", str(shop / "shop" / "secret"))
    scribe = claude(shop)
    scribe.asks("The total of the order is off by one cent, please fix it")
    scribe.runs(command.format(shop=shop), printed)
    scribe.edits("shop/total.py", "def total(x):\n    return x", "def total(x):\n    return round_half_up(x)")
    scribe.runs("pytest -q", GREEN)
    figures = honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json
    assert (figures["learned"], figures["private"]) == (0, 1)
    assert not [file for file, data in files_below(home) if b"quixotic" in data]


@pytest.mark.parametrize("command", ["cat quixotic.pem", "openssl x509 -in quixotic.pem"])
def test_a_file_that_is_kept_out_by_its_kind_is_known_without_a_folder_before_it(
    command: str, honed: Honed, shop: Path, tmp_path: Path
) -> None:
    honed("config", "set", "exclude", "**/*.pem")
    scribe = fixes(claude(shop))
    scribe.runs(command, "a key")
    figures = honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json
    assert (figures["learned"], figures["private"]) == (0, 1)


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("{shop}/secret", "cat secret/*"),
        ("{shop}/secret", "cat sec*/keys.py"),
        ("{shop}/secret", "cat */keys.py"),
        ("{shop}/secret", "cat ?ecret/key[rs].py"),
        ("{shop}/secret", "for f in s*/*; do cat $f; done"),
        ("{shop}/secret/keys.py", "cat secret/*"),
        ("{shop}/secret/keys.py", "cd secret && cat *.py"),
        ("**/*.pem", "cat certs/*"),
        ("**/*.pem", "head -3 certs/server.*"),
        (".env", "cat .e*"),
        ("secret", "cat s*/*.py"),
        ("{shop}/secret", "find secret | xargs cat"),
        ("{shop}/secret", "find secret -type f -exec cat {{}} +"),
        ("{shop}/secret", "ls secret | xargs -I{{}} cat secret/{{}}"),
        ("{shop}/secret", "git ls-files secret | xargs cat"),
        ("/gone/secret", "cat /gone/s*/x"),
    ],
)
def test_a_word_that_stands_for_several_paths_names_what_is_kept_out_among_them(
    pattern: str, command: str, honed: Honed, home: Path, shop: Path, tmp_path: Path
) -> None:
    files = {"secret/keys.py": "x", "certs/server.pem": "x", ".env": "x", "src/total.py": "x"}
    folder(shop, files)
    honed("config", "set", "exclude", pattern.format(shop=shop))
    scribe = fixes(claude(shop))
    scribe.runs(command.format(), "quixotic")
    figures = honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json
    assert (figures["learned"], figures["private"]) == (0, 1)
    assert not [file for file, data in files_below(home) if b"quixotic" in data]


@pytest.mark.parametrize(
    "command",
    [
        "cat src/*",
        "cat *",
        "ls *",
        "black src/*.py",
        "grep -n 'a.*b' src/total.py",
        "cat certs/*.crt",
        "rm -f dist/*",
    ],
)
def test_a_word_that_stands_for_other_paths_keeps_nothing_out(
    command: str, honed: Honed, shop: Path, tmp_path: Path
) -> None:
    folder(shop, {"certs/server.pem": "x", ".env": "x", "src/total.py": "x", "a.py": "x"})
    honed("config", "set", "exclude", os.pathsep.join((".env", "**/*.pem", str(shop / "secret"))))
    scribe = fixes(claude(shop))
    scribe.runs(command, "x")
    assert honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json["learned"]


@pytest.mark.parametrize(
    ("command", "edited"),
    [
        ("cat linked/keys.py", "shop/total.py"),
        ("cat keys.py", "shop/total.py"),
        ("cat by-another/keys.py", "shop/total.py"),
        ("cat linked/../vault/keys.py", "shop/total.py"),
        ("cd linked && cat keys.py", "shop/total.py"),
        ("head -3 {shop}/linked/keys.py", "shop/total.py"),
        ("true", "linked/keys.py"),
        ("cat .env", "shop/total.py"),
    ],
)
def test_what_a_link_in_the_project_leads_to_is_kept_out_too(
    command: str, edited: str, honed: Honed, home: Path, shop: Path, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "keys.py").write_text("def quixotic(): pass\n", encoding="utf-8")
    (tmp_path / "same").symlink_to(vault)
    (shop / ".env").write_text("QUIXOTIC=1\n", encoding="utf-8")
    (shop / "linked").symlink_to(vault)
    (shop / "keys.py").symlink_to("linked/keys.py")
    (shop / "by-another").symlink_to("linked")
    honed("config", "set", "exclude", os.pathsep.join((str(tmp_path / "same"), ".env")))
    scribe = claude(shop)
    scribe.asks("The total of the order is off by one cent, please fix it")
    scribe.runs(command.format(shop=shop), "def quixotic(): pass")
    scribe.edits(edited, "def total(x):\n    return x", "def total(x):\n    return quixotic(x)")
    scribe.runs("pytest -q", GREEN)
    figures = honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json
    assert (figures["learned"], figures["private"]) == (0, 1)
    assert not [file for file, data in files_below(home) if b"quixotic" in data]


def test_links_elsewhere_are_not_looked_at_and_a_ring_of_links_ends(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    """A path of a transcript may name another machine; a project may hold links that lead back."""
    vault = tmp_path / "vault"
    vault.mkdir()
    (tmp_path / "elsewhere").symlink_to(vault)
    (shop / "ring").symlink_to("ring")
    (shop / "deep").symlink_to("deep/deep")
    honed("config", "set", "exclude", str(vault))
    scribe = fixes(claude(shop))
    scribe.runs(f"ls {tmp_path}/elsewhere/x ring/ring deep/deep/x \0 ./total.py", "x")
    assert honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json["learned"]


def test_words_of_a_message_are_no_paths_that_are_kept_out(honed: Honed, shop: Path, tmp_path: Path) -> None:
    honed("config", "set", "exclude", str(shop / "secret"))
    scribe = fixes(claude(shop))
    scribe.runs("git commit -qam 'Keep the secret order'", "")
    scribe.runs("pytest -q -k secret", "secret: 3 passed in 0.1s")
    assert honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json["learned"]


def test_a_project_that_is_kept_out_takes_nothing_in_by_any_door(
    honed: Honed, home: Path, shop: Path, tmp_path: Path
) -> None:
    honed("write", "wide", "--kind", "rule", "--scope", "global", "--title", "T", "--body", "b")
    honed("config", "set", "exclude", str(shop))
    notes = folder(tmp_path / "notes", {"a.md": "# quixotic"})
    pack = folder(tmp_path / "pack", {"SKILL.md": skill("quixotic")})
    assert honed("import", str(notes)).code == 3
    assert honed("packs", "add", str(pack)).code == 3
    assert honed("write", "a", "--kind", "rule", "--title", "quixotic", "--body", "b").code == 3
    call = Call(str(home), str(shop), "codex", "s", {"slug": "a", "title": "quixotic", "body": "b"})
    assert told("memory_write", call)[1]
    for tool, given in (
        ("memory_reinforce", {"note": "quixotic"}),
        ("memory_reinforce", {"mute": True, "note": "quixotic"}),
        ("memory_update", {"body": "quixotic", "reason": "quixotic"}),
    ):
        answer, failed = told(tool, Call(str(home), str(shop), "codex", "s", {"slug": "wide", **given}))
        assert failed, tool
        assert str(answer["text"]).startswith("Refused"), tool
    assert honed("mute", "wide", "--reason", "quixotic").code == 3
    assert not [file for file, data in files_below(home) if b"quixotic" in data]


def test_a_folder_that_is_kept_out_takes_nothing_in_within_its_project_or_behind_a_link(
    honed: Honed, home: Path, shop: Path, tmp_path: Path
) -> None:
    (shop / "secret" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(shop / "secret")
    honed("config", "set", "exclude", str(shop / "secret"))
    for where in (shop / "secret", shop / "secret" / "deep", tmp_path / "link"):
        done = honed("write", "a", "--kind", "rule", "--title", "quixotic", "--body", "b", cwd=where)
        assert (done.code, "kept out" in done.err) == (3, True), where
    assert honed("write", "a", "--kind", "rule", "--title", "T", "--body", "b").code == 0
    assert not [file for file, data in files_below(home) if b"quixotic" in data]


def test_hooks_in_a_folder_that_is_kept_out_leave_the_session_s_id_and_no_text(
    honed: Honed, home: Path, shop: Path
) -> None:
    told = ("--title", "The total of the order", "--trigger", "The total of the order is off by a cent")
    honed("write", "wide", "--kind", "rule", "--scope", "global", *told, "--body", "Round half up.")
    honed("config", "set", "exclude", str(shop))
    for event, given in (
        ("session-start", {"source": "startup"}),
        ("prompt", {"prompt": "The total of the order is off by a cent, quixotic"}),
        ("tool-failed", {"tool_name": "Bash", "error": "ValueError: the total of the order is quixotic"}),
        ("pre-tool", {"tool_name": "Bash", "tool_input": {"command": "pytest quixotic"}}),
        ("subagent-start", {"agent_id": "a", "prompt": "quixotic"}),
        ("pre-compact", {"custom_instructions": "quixotic"}),
        ("stop", {"last_assistant_message": "quixotic"}),
    ):
        payload = {"session_id": "quaint-session", "cwd": str(shop), **given}
        process(
            *("hook", event, "--agent", "claude_code"),
            cwd=shop,
            env={"HONED_HOME": str(home)},
            given=json.dumps(payload).encode(),
        )
    everything = list(files_below(home))
    assert [file for file, data in everything if b"quaint-session" in data or "quaint-session" in file.name]
    assert not [file for file, data in everything if b"quixotic" in data]


def test_private_words_of_a_request_a_note_and_a_pack_are_nowhere(
    honed: Honed, home: Path, shop: Path, tmp_path: Path
) -> None:
    said = "<private>quixotic</private>"
    scribe = fixes(claude(shop), "total")
    scribe.asks(f"Also rename it {said}")
    honed("backfill", str(write(tmp_path / "a.jsonl", scribe)))
    honed(
        "import",
        str(folder(tmp_path / "notes", {"a.md": f"---\nx-{said}: {said}\n---\n# N {said}\n\n{said}"})),
    )
    honed(
        "packs", "add", str(folder(tmp_path / "pack", {"SKILL.md": skill("p", f"D {said}", f"# P {said}")}))
    )
    honed("write", "w", "--kind", "rule", "--title", f"T {said}", "--body", f"b {said}")
    call = Call(str(home), str(shop), "codex", "s", {"slug": "m", "title": f"M {said}", "body": f"b {said}"})
    assert not told("memory_write", call)[1]
    honed("export", str(tmp_path / "vault"))
    honed("backup")
    assert len(honed("list", "--json").json) >= 4
    found = [
        file for base in (home, tmp_path / "vault") for file, data in files_below(base) if b"quixotic" in data
    ]
    assert found == []


def test_nothing_private_or_secret_names_a_note_a_text_of_a_pack_a_project_or_a_licence(
    honed: Honed, home: Path, tmp_path: Path
) -> None:
    said, key = "<private>quixotic</private>", "ghp_Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4gH6"
    lines = f"---\nname: {said}\nproject: p {said}\n---\nx"
    long = f"# {'w ' * 92}{key}\n"
    notes = {"a.md": lines, "b.md": f"---\nname: {key}\nproject: {key}\n---\ny", "c.md": long}
    texts = {
        "SKILL.md": skill(key, "D").replace("license: MIT", f"license: {key} {said}"),
        "references/a.md": "<private>\n# quixotic plan\nquixotic\n</private>\nwords",
        "references/b.md": long,
    }
    honed("import", str(folder(tmp_path / "notes", notes)))
    honed("packs", "add", str(folder(tmp_path / "pack", texts)))
    assert len(honed("list", "--all", "--json").json) == 6
    honed("export", str(tmp_path / "vault"))
    found = [
        (file, word)
        for base in (home, tmp_path / "vault")
        for file, data in files_below(base)
        for word in (b"quixotic", b"ab3de5")
        if word in data.lower()
    ]
    assert found == []


@pytest.mark.parametrize("client", [claude, codex])
@pytest.mark.parametrize(
    "private",
    [
        "<private>\nThe total of the quixotic order is off by one cent, fix quixotic rounding\n</private>",
        "<private>one.\n\n# quixotic\n\nquixotic. Fix quixotic.\n- quixotic\n</private>",
        "&lt;private&gt;quixotic\nquixotic&lt;/private&gt;",
        "\\u003cprivate\\u003equixotic\nquixotic\\u003c/private\\u003e",
        "< Private >\nquixotic\n</ private >",
    ],
)
def test_of_a_private_span_no_line_is_kept_whatever_is_read_of_it(
    client: Callable[[Path], Scribe], private: str, honed: Honed, home: Path, shop: Path, tmp_path: Path
) -> None:
    scribe = client(shop)
    scribe.asks(f"Please look.\n{private}\nThanks")
    scribe.runs(f"pytest -q # {private}", f"E  ValueError: {private}\n{RED}", 1)
    scribe.edits(
        "shop/total.py",
        f"# {private}\ndef total(x):\n    return x",
        f"# {private}\ndef total(x):\n    return 1",
    )
    scribe.runs("pytest -q", f"{private}\n{GREEN}")
    assert honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json["learned"]
    notes = {"a.md": f"{private}\n\nrest", "b.md": f"---\nname: b\n---\n# N\n\n{private}\nrest\n"}
    honed("import", str(folder(tmp_path / "notes", notes)))
    honed("packs", "add", str(folder(tmp_path / "pack", {"SKILL.md": skill("p", "D", f"{private}\n# P")})))
    assert len(honed("list", "--json").json) >= 4
    assert [file for file, data in files_below(home) if b"quixotic" in data] == []


def test_what_a_program_prints_of_a_tag_that_nothing_closes_hides_no_run(
    honed: Honed, shop: Path, tmp_path: Path
) -> None:
    scribe = claude(shop)
    scribe.asks("The total of the order is off by one cent, please fix it")
    scribe.runs("pytest -q", f"the page says <private>\n{RED}", 1)
    scribe.edits("shop/total.py", "def total(x):\n    return x", "def total(x):\n    return round_half_up(x)")
    scribe.runs("pytest -q", f"the page says <private>\n{GREEN}")
    assert honed("backfill", str(write(tmp_path / "a.jsonl", scribe)), "--json").json["learned"]


def test_what_only_looks_like_a_secret_is_stored_word_for_word(honed: Honed) -> None:
    lines = [case.text for case in negatives() if not case.held and case.text.isprintable()]
    assert len(lines) > 150
    for at in range(0, len(lines), 150):
        body = "\n".join(line.strip() for line in lines[at : at + 150] if line.strip())
        title = ("--kind", "lesson", "--title", f"Part {at}", "--body", body, "--force")
        assert honed("write", f"part-{at}", *title).code == 0
        assert honed("show", f"part-{at}", "--json").json["body"] == body


def test_what_went_wrong_is_kept_without_a_secret_that_its_words_hold(
    home: Path, shop: Path, tmp_path: Path
) -> None:
    key = "ghp_" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"
    process("list", cwd=shop, env={"HONED_HOME": str(home)})
    process(
        "write", "x", "--kind", "rule", "--title", "T", "--body", "b", cwd=shop, env={"HONED_HOME": str(home)}
    )
    (home / "config.json").write_text(json.dumps({"note.tokens": key}), encoding="utf-8")
    payload = {"session_id": "s", "cwd": str(shop), "prompt": "The total of the order is off"}
    words = ("hook", "prompt", "--agent", "claude_code")
    done = process(*words, cwd=shop, env={"HONED_HOME": str(home)}, given=json.dumps(payload).encode())
    assert done.returncode == 0
    last = spool.last(str(home), "s")
    assert (last["r"], key in str(last)) == ("failed", False)
    del tmp_path
