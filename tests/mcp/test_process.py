"""The process: what stands on its streams, how it ends, and how it lives beside others."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from honed.mcp import streams
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from honed.store.backups import backups
from tests.doors.telling import environment, process
from tests.mcp.speaking import COMMAND, READY, Talk, answers, call, hello, line, request, started
from tests.store.past import build, fixtures

ENDS_WITHIN = 20
"""Seconds: a bound against hanging on a busy machine; how long it takes is for ``bench/mcp.py``."""
MADE = ("Use make", "By hand")
TITLES = ("Корзина округляется", "カートの合計 ✓", "totals 🛒", "set ⟦x⟧")


def note(number: object, title: str = "Use make") -> dict[str, str]:
    """A lesson unlike the others."""
    words = " ".join(f"word{number}x{at}" for at in range(12))
    return {"slug": f"note-{number}", "title": f"{title} {number}", "body": words}


def big(number: int) -> dict[str, object]:
    """A note that takes room."""
    body = "\n".join(f"{number} {at} {'lorem' * 40}" for at in range(40))
    return {"slug": f"note-{number}", "title": f"Note {number}", "body": body, "force": True}


@pytest.fixture
def running(home: Path, shop: Path) -> Iterator[subprocess.Popen[bytes]]:
    with started(home, shop) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(line(hello()) + line(READY))
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == "hello"
        yield server
        server.kill()


def test_it_ends_well_when_its_input_does(running: subprocess.Popen[bytes]) -> None:
    assert running.stdin is not None
    running.stdin.close()
    assert running.wait(ENDS_WITHIN) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_ends_well_on_a_signal(running: subprocess.Popen[bytes], number: int) -> None:
    running.send_signal(number)
    assert running.wait(ENDS_WITHIN) == 0


def test_it_ends_well_when_its_input_was_over_at_the_start(home: Path, shop: Path) -> None:
    done = process("mcp", cwd=shop, env={"HONED_HOME": str(home)})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not home.exists()


def test_it_ends_well_when_a_stream_is_closed(home: Path, shop: Path) -> None:
    command = " ".join(f"'{word}'" for word in COMMAND)
    for closed in ("<&-", ">&-", "2>&-"):
        done = subprocess.run(
            ["/bin/sh", "-c", f"exec {command} {closed}"],
            cwd=shop,
            env=environment({"HONED_HOME": str(home)}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ENDS_WITHIN,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, b""), closed


def test_it_ends_when_its_parent_is_gone_and_its_input_stays_open(home: Path, shop: Path) -> None:
    """The parent dies; somebody else still holds both ends of the pipes."""
    told, tell = os.pipe()
    given, give = os.pipe()
    child = f"subprocess.Popen({COMMAND!r}, stdin={given}, stdout={tell})"
    program = f"import subprocess, sys; child = {child}; sys.stdin.read()"
    parent = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=shop,
        env=environment({"HONED_HOME": str(home)}),
        stdin=subprocess.PIPE,
        pass_fds=(given, tell),
    )
    os.close(tell)
    os.write(give, line(hello()))
    assert b'"hello"' in os.read(told, 65536)
    parent.kill()
    parent.wait()
    assert parent.stdin is not None
    parent.stdin.close()
    # Its output is over only when it is.
    assert os.read(told, 65536) == b""
    for descriptor in (told, given, give):
        os.close(descriptor)


def test_it_ends_on_a_signal_while_a_call_waits_for_a_lock(
    running: subprocess.Popen[bytes], home: Path, shop: Path
) -> None:
    with Memory.open(str(home)) as memory:
        memory.write("a-rule", draft_from_manual("rule", "A rule", body="Text."), cwd=str(shop))
        store = memory._store._connection
        store.execute("BEGIN IMMEDIATE")
        assert running.stdin is not None
        running.stdin.write(line(call(1, "memory_write", **note(1))))
        running.stdin.flush()
        running.send_signal(signal.SIGTERM)
        assert running.wait(ENDS_WITHIN) == 0
        store.execute("ROLLBACK")
        assert len(memory.every_skill()) == 1


def test_standard_output_is_protocol_whatever_prints(home: Path, shop: Path) -> None:
    program = (
        "import sys, os\n"
        "from honed.mcp import keeping, streams\n"
        "def bad(call):\n"
        "    print('stray')\n"
        "    sys.stdout.write('more\\n'); os.write(1, b'raw\\n'); os.system('echo child')\n"
        "    raise ZeroDivisionError('inside')\n"
        "keeping.ANSWERS['memory_pin'] = bad\n"
        "sys.exit(streams.serve(os.environ['HONED_HOME'], os.getcwd()))\n"
    )
    many = [call(at, "memory_write", **note(at, TITLES[at % 4])) for at in range(10)]
    messages = [hello(), READY, request("l", "tools/list"), *many, call(10, "memory_pin", slug="x")]
    messages += [call(at, "memory_list") for at in range(11, 20)]
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=shop,
        env=environment({"HONED_HOME": str(home)}),
        input=b"".join(map(line, messages)),
        capture_output=True,
        check=True,
        timeout=60,
    )
    told = {one["id"]: one["result"] for one in map(json.loads, done.stdout.splitlines())}
    assert set(told) == {"hello", "l", *range(20)}
    assert [number for number in range(20) if told[number]["isError"]] == [10]
    assert "ZeroDivisionError" in told[10]["content"][0]["text"]
    assert "inside" not in told[10]["content"][0]["text"]
    assert all(title in told[19]["content"][0]["text"] for title in TITLES)
    for word in (b"stray", b"more", b"raw", b"child"):
        assert word in done.stderr


def test_every_locale_is_answered_in_ascii_and_loses_nothing(home: Path, shop: Path) -> None:
    narrow = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    written = [call(at, "memory_write", **note(at, title)) for at, title in enumerate(TITLES)]
    read = [call(f"get{at}", "memory_get", slug=f"note-{at}") for at in range(4)]
    told = answers(home, shop, [hello(), READY, *written, call("all", "memory_list"), *read], narrow)
    for at, title in enumerate(TITLES):
        assert title in told[f"get{at}"]["result"]["structuredContent"]["text"]
        assert title in told["all"]["result"]["content"][0]["text"]


def test_garbage_on_the_stream_is_answered_and_the_rest_served(home: Path, shop: Path) -> None:
    stream = b"\n".join([b"", b"   ", b"garbage", b"\xff\xfe\x00", b"\0", line(request(1, "ping")).strip()])
    done = process("mcp", cwd=shop, env={"HONED_HOME": str(home)}, given=stream)
    told = [json.loads(one) for one in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [one["id"] for one in told] == [None, None, None, 1]


@pytest.mark.parametrize("oldest", [False, True])
def test_servers_that_start_together_on_a_new_home_all_serve(home: Path, shop: Path, oldest: bool) -> None:
    """Also beside the command line, and on a home that is to be migrated: nobody shuts anybody out."""
    if oldest:
        build(str(home), fixtures()[1])
    told: dict[int, dict[Any, Any]] = {}

    def serve(number: int) -> None:
        calls = [call("write", "memory_write", **note(number)), call("read", "memory_search", query="word")]
        told[number] = answers(home, shop, [hello(), READY, *calls])

    servers = [threading.Thread(target=serve, args=(number,)) for number in range(6)]
    for server in servers:
        server.start()
    typed = process("write", "by-hand", "--kind", "rule", "--title", "By hand", "--body", "Ask first.",
                    cwd=shop, env={"HONED_HOME": str(home)})  # fmt: skip
    for server in servers:
        server.join()
    assert typed.returncode == 0, typed.stderr
    assert [told[at][name]["result"]["isError"] for at in range(6) for name in ("write", "read")] == [
        False
    ] * 12
    with Memory.open(str(home)) as memory:
        assert len([skill for skill in memory.every_skill() if skill.draft.title.startswith(MADE)]) == 7
        assert memory.verify() == ()
    assert len(backups(str(home))) == oldest


def test_a_server_whose_files_are_deleted_goes_on_answering_and_hooks_hear_nothing(
    home: Path, shop: Path, tmp_path: Path
) -> None:
    source = tmp_path / "environment" / "src"
    shutil.copytree(Path(streams.__file__).parents[2], source, ignore=shutil.ignore_patterns("__pycache__"))
    with started(home, shop, {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(line(hello()))
        server.stdin.flush()
        assert b'"hello"' in server.stdout.readline()
        shutil.rmtree(source.parent)
        asked = call(1, "hook", event="pre-tool", command="pytest")
        server.stdin.write(b"".join(map(line, (asked, call(2, "memory_list"), request(3, "ping")))))
        server.stdin.flush()
        told = [json.loads(server.stdout.readline()) for _ in range(3)]
        assert told[0]["result"] == {"content": [{"type": "text", "text": "{}"}], "isError": False}
        assert told[1]["error"] == {"code": -32603, "message": "honed failed: ModuleNotFoundError"}
        assert told[2]["result"] == {}
        server.stdin.close()
        assert server.wait(ENDS_WITHIN) == 0


def test_an_idle_server_holds_no_lock(running: subprocess.Popen[bytes]) -> None:
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(line(call(1, "memory_write", **note(1))) + line(call(2, "memory_list")))
    running.stdin.flush()
    for _ in range(2):
        running.stdout.readline()
    opened = {os.readlink(f"/proc/{running.pid}/fd/{one}") for one in os.listdir(f"/proc/{running.pid}/fd")}
    assert not [path for path in opened if "honed.db" in path]


def test_a_full_disk_is_an_error_and_what_was_kept_is_what_was_said(home: Path, shop: Path) -> None:
    """The limit on file sizes stands in for the end of the disk."""
    Talk(home, shop).calls("memory_write", **note("first"))
    size = max(path.stat().st_size for path in home.rglob("*") if path.is_file())
    many = [call(at, "memory_write", **big(at)) for at in range(12)]

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10_000, size + 10_000))

    done = subprocess.run(
        COMMAND,
        cwd=shop,
        env=environment({"HONED_HOME": str(home)}),
        input=b"".join(map(line, [hello(), READY, *many])),
        capture_output=True,
        check=True,
        timeout=60,
        preexec_fn=limit,
    )
    told = {one["id"]: one["result"] for one in map(json.loads, done.stdout.splitlines())}
    failed = [told[at]["content"][0]["text"] for at in range(12) if told[at]["isError"]]
    assert failed
    assert all(text.startswith("Memory is unavailable") for text in failed)
    kept = {f"note-{at}" for at in range(12) if not told[at]["isError"]}
    with Memory.open(str(home)) as memory:
        assert {skill.slug for skill in memory.every_skill()} == kept | {"note-first"}


def test_a_client_that_stops_listening_ends_it(home: Path, shop: Path) -> None:
    with started(home, shop) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdout.close()
        server.stdin.write(line(hello()))
        server.stdin.flush()
        assert server.wait(ENDS_WITHIN) == 0
        server.stdin.close()


def test_starting_loads_nothing_of_memory(home: Path, shop: Path) -> None:
    program = (
        "import sys, os\n"
        "from honed.mcp import streams\n"
        "streams.serve(os.environ['HONED_HOME'], os.getcwd())\n"
        "sys.stderr.write(' '.join(sys.modules))\n"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, {str(Path(streams.__file__).parents[2])!r})\n{program}",
        ],
        cwd=shop,
        env=environment({"HONED_HOME": str(home)}),
        input=line(hello()) + line(READY) + line(request(1, "tools/list")),
        capture_output=True,
        check=True,
        timeout=60,
    )
    loaded = set(done.stderr.decode().split())
    assert len(done.stdout.splitlines()) == 2
    assert not loaded & {
        "sqlite3",
        "dataclasses",
        "typing",
        "pathlib",
        "subprocess",
        "asyncio",
        "socket",
        "honed.memory",
    }


def test_a_recall_loads_nothing_that_only_writing_needs(home: Path, shop: Path) -> None:
    Talk(home, shop).calls("memory_write", **note(1))
    program = (
        "import sys, os\n"
        "from honed.mcp import streams\n"
        "streams.serve(os.environ['HONED_HOME'], os.getcwd())\n"
        "sys.stderr.write(' '.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=shop,
        env=environment({"HONED_HOME": str(home)}),
        input=line(hello()) + line(READY) + line(call(1, "memory_recall", query="word1x1 word1x2 word1x3")),
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert b'"isError":false' in done.stdout
    assert not set(done.stderr.decode().split()) & {
        "honed.memory",
        "honed.skills.manual",
        "honed.ledger.events",
    }
