"""What users of memory tools have reported as broken, held against the commands that honed installs."""

from __future__ import annotations

import json
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from honed import patterns
from honed.agents.shim import FOLDER, LAUNCHER, command, write_shim
from honed.agents.wire import WIRES
from honed.hooks import spool
from honed.hooks.starting import QUEUE
from honed.memory import Memory
from honed.sessions.text import note_ids
from honed.skills.manual import draft_from_manual
from honed.skills.tokens import estimate
from honed.store.base import SkillFilter
from tests.e2e.model import text
from tests.hooks.conftest import ENVIRONMENT, Shop, wait_for_absorber
from tests.hooks.test_imports import SOURCE
from tests.sessions.build_claude import SESSION, Transcript, foreground

SIMILAR = "The cart total is off by a fraction of a cent again. Fix the rounding."
HEAVY = set("onnxruntime torch numpy mcp fastapi sqlalchemy fastembed uvicorn httpx pydantic".split())
PAIRS = [(event, agent) for agent, wire in WIRES.items() for event in wire.names]


# Optional packages are on no quick path


@pytest.mark.parametrize("line", ["-m honed --version", "-m honed recall x --lexical", "HOOK"])
def test_no_quick_path_loads_an_optional_package(learned: Shop, line: str, tmp_path: Path) -> None:
    there = tmp_path / "optional"
    for name in sorted(HEAVY):
        (there / name).mkdir(parents=True)
        (there / name / "__init__.py").write_text("raise SystemExit('loaded')\n", encoding="utf-8")
    launcher = learned.home / FOLDER / LAUNCHER
    told = launcher.read_text("utf-8").replace("sys.path += [", f"sys.path += [{str(there)!r}, ")
    launcher.write_text(told, encoding="utf-8")
    hook = f"-I -S {launcher} prompt --agent claude-code"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *line.replace("HOOK", hook).split()],
        input=json.dumps({"session_id": "s", "cwd": str(learned.project), "prompt": SIMILAR}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=learned.project,
        env=ENVIRONMENT | {"PYTHONPATH": f"{SOURCE}:{there}", "HONED_HOME": str(learned.home)},
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "honed" in loaded
    assert not HEAVY & loaded
    assert done.stdout


# Giants in memory


def test_giants_make_no_injection_large_and_push_nothing_small_out(learned: Shop) -> None:
    with Memory.open(str(learned.home)) as memory:
        for number, word in enumerate("apple birch cedar dates elder fig grape hazel".split()):
            body = f"The session test clock of the {word}. " + f"{word} line {number} says little. " * 1800
            giant = draft_from_manual("lesson", f"Session test clock {word}", body=body, origin="owner")
            memory.write(f"giant-{number}", giant, cwd=str(learned.project), force=True)
        small = draft_from_manual(
            "lesson",
            "Freeze the session test clock with the fixture frozen_time",
            body="Use the fixture frozen_time; the session test clock drifts otherwise.",
            origin="owner",
        )
        memory.write("small", small, cwd=str(learned.project), force=True)
    start = learned.told("session-start", source="startup")
    told = learned.told("prompt", prompt="session test clock")
    assert 0 < len(start) + len(told) <= 8000
    assert estimate(told) <= 600
    assert "frozen_time" in told
    assert "honed show" in told


# Who is back after long is told what faded, and has it back by one command


@pytest.mark.parametrize(("days", "archived"), [(60, 0), (200, 25), (400, 25)])
def test_who_is_back_is_told_by_the_hook_how_much_faded_and_pinned_ones_stay(
    shop: Shop, days: int, archived: int
) -> None:
    long_ago = time.time() - days * 86_400
    with Memory.open(str(shop.home), clock=lambda: long_ago) as memory:
        for at in range(30):
            draft = draft_from_manual("lesson", f"Lesson number {at} of the till", body=f"Till {at} first.")
            memory.write(f"till-{at}", draft, cwd=str(shop.project), force=True)
            if at < 5:
                memory.pin(f"till-{at}", str(shop.project), pinned=True)
    told = shop.told("session-start", source="startup")
    assert (f"{archived} skills of this project faded" in told) == (archived > 0)
    with Memory.open(str(shop.home)) as memory:
        gone = [one.slug for one in memory.faded() if one.archived]
        assert len(gone) == archived
        assert not {f"till-{at}" for at in range(5)} & set(gone)
        for slug in gone:
            memory.archive(slug, str(shop.project), archived=False)
        assert not any(one.archived for one in memory.faded())
        assert len(memory.skills(SkillFilter())) == 30
    assert "faded" not in shop.told("session-start", source="startup", session_id="s2")


# The work of a sub-agent is told twice


def test_what_parent_and_sub_agent_tell_is_learned_once(shop: Shop) -> None:
    folder = shop.base / "live"
    below = folder / SESSION / "subagents"
    below.mkdir(parents=True)
    parent = folder / f"{SESSION}.jsonl"
    request = Transcript(cwd=str(shop.project)).user("Round the totals of the order half up")
    parent.write_bytes(foreground(request, "a1").data())
    inner = Transcript("a1-file", cwd=str(shop.project), isSidechain=True, agentId="a1")
    inner.clock = 2  # it begins after the call that starts it
    inner.user("do the part").edit("e1", f"{shop.project}/shop/total.py", "    return x", "    return 1")
    (below / "agent-a1.jsonl").write_bytes(inner.bash("b1", "pytest -q", "12 passed in 0.50s").data())
    ids = {"session_id": SESSION, "agent_id": "a1", "agent_type": "general-purpose"}
    paths = {"transcript_path": str(parent), "agent_transcript_path": str(below / "agent-a1.jsonl")}
    for event, payload in (("subagent-stop", {**ids, **paths}), ("stop", paths)):
        assert shop.fire(event, **{"session_id": SESSION, **payload}) == {}
        shop.wait()
    with Memory.open(str(shop.home), readonly=True) as memory:
        (skill,) = memory.skills(SkillFilter(kinds=("procedure",)))
        assert memory.evidence(skill.id) == ()
    assert shop.payloads().count("run by sub-agent a1") == 1, "the verdict says whose run it was"


@pytest.mark.parametrize("agent", list(WIRES))
@pytest.mark.parametrize("there", [b"", b'{"type": "user", "mess', b"\xff\xfe\0", None])
def test_a_sub_agent_s_transcript_that_is_missing_or_half_written_leaves_no_record(
    learned: Shop, agent: str, there: bytes | None
) -> None:
    parent, inner = learned.base / "live" / "p.jsonl", learned.base / "live" / "p" / "agent-a1.jsonl"
    inner.parent.mkdir(parents=True)
    for path in (parent, inner):
        if there is not None:
            path.write_bytes(there)
    before = learned.payloads()
    paths = {"transcript_path": str(parent), "agent_transcript_path": str(inner)}
    assert learned.fire("subagent-stop", agent, agent_id="a1", **paths) == {}
    assert learned.fire("stop", agent, **paths) == {}
    wait_for_absorber(learned.home, idle=True)
    assert learned.payloads() == before
    assert not [line for line in learned.lines("absorber") if line["r"] == "failed"]


# A full disk: nothing is said to be kept that is not, and nobody is held up


def _without_room() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize(("event", "agent"), PAIRS)
def test_on_a_full_disk_every_hook_ends_well_and_keeps_no_half_of_anything(
    learned: Shop, event: str, agent: str
) -> None:
    path = learned.session("full", "Make the receipt print the tax below the subtotal.", "shop/receipt.py")
    payload = {"session_id": "s", "cwd": str(learned.project), "prompt": SIMILAR}
    payload["transcript_path"] = str(path)
    done = subprocess.run(
        ["/bin/sh", "-c", command(str(learned.home), event, agent)],
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=learned.project,
        env=ENVIRONMENT,
        preexec_fn=_without_room,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    if event == "prompt":
        assert note_ids(text(json.loads(done.stdout))), "what can be read is given all the same"
    leftovers = [one for one in learned.home.rglob("*") if one.name.endswith(".new")]
    assert not leftovers
    assert not spool.lines(spool.path_of(str(learned.home), "s"))


def test_what_could_not_be_queued_is_learned_when_there_is_room_again(learned: Shop) -> None:
    path = learned.session("full", "Make the receipt print the tax below the subtotal.", "shop/receipt.py")
    payload = {"session_id": "full", "cwd": str(learned.project), "transcript_path": str(path)}
    subprocess.run(
        [sys.executable, "-I", "-S", learned.home / FOLDER / LAUNCHER, "stop", "--agent", "claude-code"],
        input=json.dumps(payload).encode(),
        env=ENVIRONMENT,
        preexec_fn=_without_room,
        check=True,
    )
    later = learned.session("later", "Print the address on the invoice.", "shop/invoice.py")
    learned.fire("stop", session_id="later", transcript_path=str(later))
    learned.wait()
    assert not list((learned.home / QUEUE).iterdir())
    told = learned.told("prompt", prompt="The receipt must print the tax below the subtotal", session_id="n")
    assert "shop/receipt.py" in told


# A home that is missing, or in which nothing can be made


def test_a_home_that_is_gone_is_not_made_again_by_a_hook(learned: Shop) -> None:
    line = command(str(learned.home), "prompt", "claude_code")
    launcher = (learned.home / FOLDER / LAUNCHER).read_text("utf-8")
    shutil.rmtree(learned.home)
    for program in (["/bin/sh", "-c", line], [sys.executable, "-I", "-S", "-c", launcher, "stop"]):
        done = subprocess.run(program, input=b"{}", capture_output=True, env=ENVIRONMENT, check=False)
        assert (done.returncode, done.stdout) == (0, b"")
    assert not learned.home.exists()


@pytest.mark.parametrize("taken", [spool.FOLDER, patterns.FOLDER, QUEUE, "absorber.lock"])
def test_where_nothing_can_be_made_what_can_be_read_is_given(learned: Shop, taken: str) -> None:
    place = learned.home / taken
    shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    if taken == "absorber.lock":
        place.mkdir()
    else:
        place.write_bytes(b"a file in its place")
    path = learned.session("s", "Make the receipt print the tax.", "shop/receipt.py")
    assert note_ids(learned.told("prompt", prompt=SIMILAR))
    assert learned.fire("stop", transcript_path=str(path)) == {}
    assert learned.fire("session-end", transcript_path=str(path)) == {}


# Project folders of any name


@pytest.mark.parametrize(
    "name",
    ["two words", "it's", 'q"uote', "$(touch pwned)", "new\nline", "back\\slash", "é 你好 Привет", "%s{x}"],
)
def test_a_project_of_any_name_is_learned_from_and_given_its_note(tmp_path: Path, name: str) -> None:
    shop = Shop(tmp_path)
    shop.project = tmp_path / name
    (shop.project / ".git").mkdir(parents=True)
    (shop.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    write_shim(str(shop.home))
    path = shop.session("any", "Make the receipt print the tax below the subtotal.", "shop/receipt.py")
    assert shop.fire("stop", transcript_path=str(path)) == {}
    shop.wait()
    told = shop.told("prompt", prompt="The receipt must print the tax below the subtotal", session_id="n")
    assert "shop/receipt.py" in told
    file = {"file_path": str(shop.project / "shop" / "receipt.py")}
    assert "uv run pytest" in shop.told("pre-tool", session_id="m", tool_name="Edit", tool_input=file)
    assert not list(tmp_path.rglob("pwned"))


# Two versions of honed at once


def test_a_hook_of_an_older_version_leaves_a_newer_memory_alone_and_says_so(learned: Shop) -> None:
    path = learned.home / "honed.db"
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 999")
    newer.commit()
    newer.close()
    session = learned.session("s", "Make the receipt print the tax.", "shop/receipt.py")
    answer = learned.fire("session-start", source="startup")
    assert list(answer) == ["systemMessage"]
    assert learned.fire("prompt", prompt=SIMILAR) == {}
    assert learned.lines()[-1]["r"] == "failed"
    learned.fire("stop", transcript_path=str(session))
    again = sqlite3.connect(path)
    assert again.execute("PRAGMA user_version").fetchone() == (999,)
    again.close()


def test_lines_of_another_version_in_the_spool_are_read_for_what_they_say(learned: Shop) -> None:
    told = learned.told("prompt", prompt=SIMILAR, session_id="first")
    (skill,) = note_ids(told)
    lines: list[object] = [
        {"e": "prompt", "r": "gave", "n": "many", "ids": {skill: 1, "sk_x": "1"}, "new": [1]},
        {"e": 7, "r": ["gave"], "ids": [skill]},
        {"e": "an event of tomorrow", "r": "gave", "n": 10, "sum": 2.5},
        ["gave"],
        "gave",
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines) + '{"r": "gave", "n'
    learned.spool_file("s1").write_text(text, encoding="utf-8")
    assert learned.fire("prompt", prompt=SIMILAR) == {}, "it was given"
