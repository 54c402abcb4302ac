"""How commands start, fail and print: fast, quiet, and in whatever encoding there is."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from honed._version import __version__
from honed.cli.run import TABLE, command_of, overview, parser_of
from tests.doors.conftest import Honed
from tests.doors.telling import environment, process

NAMES = [name for name, _, _ in TABLE]
ISSUE = (
    "backfill judge recall search learn write show list stats verify rebuild backup restore-backup export"
    " import doctor config forget scrub pin unpin archive restore undo projects duplicates index merge demo"
).split()
TITLE = "Починить 規則 🎉 \u27e6x\u27e7"
NARROW = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252", "PYTHONCOERCECLOCALE": "0"}


def test_every_command_that_was_promised_is_there() -> None:
    assert set(ISSUE) <= set(NAMES)
    assert all(f"\n  {name} " in overview() for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_every_command_has_an_example_that_it_takes(name: str, honed: Honed) -> None:
    answer = honed(name, "--help")
    command = command_of(name)
    assert answer.code == 0
    assert "example:\n" in answer.out
    assert "--json" in answer.out
    assert "--home" in answer.out
    assert command.example.startswith(f"honed {name}")
    words = shlex.split(command.example.replace("\\\n", " "), comments=True)
    assert parser_of(name, command).parse_args(words[2:]) is not None


def test_the_version_is_said_without_loading_anything_else(tmp_path: Path) -> None:
    program = (
        "import sys; sys.argv = ['honed', '--version']; before = set(sys.modules)\n"
        "from honed.__main__ import main; code = main()\n"
        "print(sorted(set(sys.modules) - before), code)"
    )
    argv = [sys.executable, "-c", program]
    done = subprocess.run(argv, cwd=tmp_path, env=environment({}), capture_output=True, check=True, text=True)
    version, loaded = done.stdout.splitlines()
    assert version == f"honed {__version__}"
    assert loaded == "['__future__', 'honed', 'honed.__main__', 'honed._version'] 0"


@pytest.mark.parametrize("words", [("recall", "x"), ("search", "x")])
def test_a_recall_loads_what_a_recall_needs_and_nothing_else(
    words: tuple[str, ...], tmp_path: Path, honed: Honed
) -> None:
    honed("write", "a-rule", "--kind", "rule", "--title", "Never push", "--body", "x", "--scope", "global")
    program = (
        "import sys; from honed.cli.run import run; code = run(sys.argv[1:])\n"
        "print(' '.join(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    home = os.environ["HONED_HOME"]
    argv = [sys.executable, "-S", "-c", program, *words, "--home", home, "--json"]
    done = subprocess.run(argv, cwd=tmp_path, env=environment({}), capture_output=True, check=True, text=True)
    loaded = set(done.stderr.split())
    assert not loaded & {
        "yaml",
        "dataclasses",
        "typing",
        "pathlib",
        "hashlib",
        "subprocess",
        "tempfile",
        "shutil",
        "honed.memory",
        "honed.absorb",
        "honed.sessions.reading",
        "honed.skills.redact",
        "honed.store.sqlite",
        "honed.cli.learning",
        "honed.cli.writing",
    }


def test_a_command_that_is_none_is_refused_with_the_nearest(honed: Honed) -> None:
    assert "did you mean `honed recall`?" in honed("recal").err
    for words in ((), ("--what",), ("zzz",), ("recall",), ("list", "--what"), ("list", "extra")):
        answer = honed(*words)
        assert (answer.code, answer.out) == (2, "")
        assert "honed --help" in answer.err or "--help`" in answer.err
    assert honed("zzz", "--json").json["code"] == 2


@pytest.mark.parametrize("name", ["packs", "projects", "config", "duplicates", "schedule", "experiment"])
def test_who_leaves_out_what_to_do_is_told_what_there_is(name: str, honed: Honed) -> None:
    answer = honed(name)
    assert answer.code == 2
    assert re.search(r"required: \w+(\|\w+)+", answer.err)


def test_help_and_version_are_found_by_their_words(honed: Honed) -> None:
    assert honed("help", "recall").out == honed("recall", "--help").out != ""
    assert honed("help").out == honed("--help").out != ""
    assert honed("version").out == honed("--version").out != ""
    unknown = honed("help", "recal")
    assert (unknown.code, "did you mean `honed recall`?" in unknown.err) == (2, True)
    assert "required: status" in honed("hooks").err


def test_an_unknown_project_is_named_as_it_was_typed(honed: Honed) -> None:
    honed("write", "one", "--kind", "rule", "--title", "Ask", "--body", "Ask.")
    for words in (("list", "--project", "nosuch"), ("projects", "split", "nosuch")):
        assert "honed: project nosuch: there is no such folder" in honed(*words).err


def test_options_that_every_command_takes_may_stand_before_it(honed: Honed, tmp_path: Path) -> None:
    assert honed("--json", "--home", str(tmp_path / "h"), "doctor").json["ok"] is True


def test_the_home_is_named_by_option_before_environment(honed: Honed, tmp_path: Path, home: Path) -> None:
    honed(
        "write", "a-rule", "--kind", "rule", "--title", "T", "--body", "x", "--home", str(tmp_path / "other")
    )
    assert (tmp_path / "other" / "honed.db").exists()
    assert not home.exists()
    honed("write", "a-rule", "--kind", "rule", "--title", "T", "--body", "x")
    assert (home / "honed.db").exists()


def test_a_reader_that_goes_early_is_no_error(tmp_path: Path, home: Path, honed: Honed) -> None:
    notes = tmp_path / "n"
    notes.mkdir()
    for number in range(600):
        (notes / f"{number}.md").write_text(f"# {number} {'x' * 180}", encoding="utf-8")
    honed("import", str(notes))
    argv = [sys.executable, "-m", "honed", "list", "-n", "600", "--home", str(home), "--all"]
    with subprocess.Popen(
        argv, cwd=tmp_path, env=environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.read(1)  # more than a pipe holds is still to come
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


EVERYTHING = """
import json, sys
from honed.cli.run import run
title, vault, *_ = sys.argv[1:]
for words in json.loads(sys.stdin.buffer.read()):
    code = run([title if word == "TITLE" else vault if word == "VAULT" else word for word in words])
    print("\\ncode", code, *words)
    sys.stdout.flush()
"""


@pytest.mark.parametrize("env", [NARROW, {"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii:strict"}])
def test_any_title_is_printed_in_any_encoding(
    env: dict[str, str], tmp_path: Path, shop: Path, home: Path
) -> None:
    vault = tmp_path / "v"
    commands = [
        ["learn", "a-skill", "--title", "TITLE", "--trigger", "TITLE", "--steps", "TITLE", "--tags", "TITLE"],
        ["show", "a-skill", "--history"],
        ["show", "a-skill", "--json"],
        ["list"],
        ["search", "TITLE"],
        ["recall", "TITLE", "--explain"],
        ["recall", "TITLE", "--json"],
        ["stats"],
        ["verify"],
        ["rebuild"],
        ["doctor"],
        ["pin", "a-skill"],
        ["unpin", "a-skill"],
        ["config", "list"],
        ["export", "VAULT"],
        ["import", "VAULT"],
        ["backup"],
        ["archive", "a-skill"],
        ["restore", "a-skill"],
        ["undo", "a-skill"],
        ["undo", "a-skill"],
        ["restore", "a-skill", "1"],
        ["duplicates", "list"],
        ["index", "check"],
        ["index", "repair"],
        ["projects", "list"],
        ["scrub", "TITLE", "--literal", "--dry-run"],
        ["forget", "a-skill", "--purge"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING, TITLE, str(vault)],
        cwd=shop,
        env=environment({**env, "HONED_HOME": str(home)}),
        input=json.dumps(commands).encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    codes = [
        line.split()[1:3]
        for line in done.stdout.decode("ascii", "replace").splitlines()
        if line[:5] == "code "
    ]
    assert codes == [["0", words[0]] for words in commands]
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    assert told[0]["title"] == TITLE
    assert told[1]["note"]
    assert TITLE in (vault / "shop" / "a-skill.md").read_text(encoding="utf-8")


def test_the_demo_prints_in_any_encoding(tmp_path: Path) -> None:
    done = process("demo", cwd=tmp_path, env=NARROW)
    assert (done.returncode, done.stderr) == (0, b"")


def test_paths_that_the_locale_cannot_say_are_read(tmp_path: Path, shop: Path, home: Path) -> None:
    notes = tmp_path / "заметки"
    notes.mkdir()
    (notes / "правило.md").write_text("# Правило\nне пушить", encoding="utf-8")
    done = process("import", str(notes), "--home", str(home), "--json", cwd=shop, env=NARROW)
    assert (done.returncode, done.stderr) == (0, b"")
    done = process("list", "--json", "--home", str(home), cwd=shop, env=NARROW)
    assert [row["title"] for row in json.loads(done.stdout)] == ["Правило"]


def test_what_a_transcript_says_cannot_steer_the_terminal(honed: Honed, tmp_path: Path) -> None:
    note = tmp_path / "n.md"
    note.write_text('---\ntitle: "a\\e]0;owned\\a"\n---\nbody \x1b[2J', encoding="utf-8")
    assert honed("import", str(note)).code == 0
    for words in (("list",), ("show", "n"), ("search", "owned body")):
        assert "\x1b" not in honed(*words).out
        assert "\x07" not in honed(*words).out


@pytest.mark.parametrize("words", [("recall", "x"), ("list",)])
def test_a_folder_that_was_deleted_under_us_is_said(
    words: tuple[str, ...], tmp_path: Path, honed: Honed, home: Path
) -> None:
    honed("write", "a-rule", "--kind", "rule", "--title", "T", "--body", "x")
    gone = tmp_path / "gone"
    gone.mkdir()
    program = (
        "import os, sys; from honed.cli.run import run\n"
        f"os.rmdir({str(gone)!r})\n"
        "sys.exit(run(sys.argv[2:] + ['--home', sys.argv[1]]))"
    )
    argv = [sys.executable, "-c", program, str(home), *words]
    done = subprocess.run(argv, cwd=gone, env=environment({}), capture_output=True, check=False)
    assert (done.returncode, b"this folder was deleted" in done.stderr) == (2, True)
    assert b"Traceback" not in done.stderr
