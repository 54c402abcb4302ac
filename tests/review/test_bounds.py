"""No host can make honed call a model twice, and by default nothing calls one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from honed.agents.shim import command
from honed.cli.run import run
from honed.config import Config
from honed.hooks import spool
from honed.hooks.starting import enqueue
from honed.memory import Memory
from honed.review.distill import GRACE, TRIES, distill
from honed.store.calling import PATIENCE, Bounds
from honed.store.sqlite import SqliteStore
from tests.hooks.conftest import Shop, wait_for_absorber
from tests.review.conftest import Asking, Program, procedures

REQUEST = "Print the tax below the subtotal of the receipt."
SOURCE = str(Path(__file__).parents[2] / "src")
ENOUGH = Bounds(10, 10_000)


def _wait(shop: Shop) -> None:
    """Until the absorber and what it started have come to an end."""
    wait_for_absorber(shop.home)
    for _ in range(600):
        running = subprocess.run(
            ["pgrep", "-f", f"honed.hooks.worker.*{shop.home}"], capture_output=True, check=False
        )
        if running.returncode:
            return
        subprocess.run(["sleep", "0.05"], check=True)
    raise AssertionError("the worker did not end")


def _doctor(shop: Shop, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    capsys.readouterr()
    run(["doctor", "--json", "--home", str(shop.home)])
    return {row["name"]: row["detail"] for row in json.loads(capsys.readouterr().out)["checks"]}


def test_by_default_a_whole_session_calls_no_model_and_opens_no_connection(
    shop: Shop, tmp_path: Path
) -> None:
    fake = Program(tmp_path / "bin")
    (tmp_path / "bin" / "codex").symlink_to(fake.path)
    path = shop.session("quiet", REQUEST, "receipt.py")
    call: dict[str, object] = {
        "tool_name": "Bash",
        "tool_input": {"command": "pytest"},
        "error": "Exit code 1\nno",
    }
    events: list[tuple[str, dict[str, object]]] = [("session-start", {"source": "startup"})]
    events += [("prompt", {"prompt": f"{REQUEST} {number}"}) for number in range(3)]
    events += [("pre-tool", call), ("tool-failed", call)] * 3
    events += [("stop", {}), ("stop", {}), ("session-end", {})]
    environment = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
    for event, payload in events:
        whole = {"session_id": "quiet", "cwd": str(shop.project), "transcript_path": str(path), **payload}
        subprocess.run(
            ["/bin/sh", "-c", command(str(shop.home), event, "claude_code")],
            input=json.dumps(whole).encode(),
            env=environment,
            check=True,
            capture_output=True,
        )
    _wait(shop)
    assert "receipt" in json.dumps([skill.draft.title for skill in procedures(shop).values()]).lower()
    assert fake.calls == []
    # Learning, once more, in a process that can open no connection.
    enqueue(str(shop.home), str(shop.session("again", REQUEST + " Twice.", "total.py")))
    line = (
        "import sys, socket; socket.socket = socket.create_connection = None\n"
        "from honed.hooks.worker import main; sys.exit(main(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", line, shop.home], env={"PYTHONPATH": SOURCE}, check=True)
    assert shop.lines("absorber")[-1]["r"] == "noted"
    with Memory.open(str(shop.home), readonly=True) as memory:
        assert memory.model_calls() == ()


def test_a_host_that_runs_our_hooks_inside_the_call_starts_no_second_one(
    shop: Shop, program: Asking, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shop.session("loud", REQUEST, "receipt.py")
    payload = json.dumps({"session_id": "nested", "cwd": str(shop.project), "transcript_path": str(path)})
    lines = [command(str(shop.home), event, "claude_code") for event in ("stop", "session-end")]
    then = (
        "clean = {k: v for k, v in os.environ.items() if 'HONED' not in k}\n"
        f"for line in {lines!r}:\n"
        f"    subprocess.run(['/bin/sh', '-c', line], input={payload.encode()!r}, env=clean)"
    )
    model = program(then)
    with Memory.open(str(shop.home)) as memory:
        memory.configure("models.distill", True)
    shop.fire("stop", transcript_path=str(path))
    _wait(shop)
    for _ in range(100):  # the nested hooks are handed on in the background
        if "nested" in _doctor(shop, capsys)["model"]:
            break
        subprocess.run(["sleep", "0.1"], check=True)
    _wait(shop)
    assert len(model.calls) == 1
    told = _doctor(shop, capsys)["model"]
    assert "a nested start was refused" in told or "nested starts were refused" in told
    assert any("distilled by a model" in str(line.get("w")) for line in shop.lines("absorber"))
    assert model.calls[0]["cwd"] == str(shop.home / "model")


def test_in_the_background_a_model_that_keeps_failing_is_left_alone_until_the_next_day(
    shop: Shop, program: Asking
) -> None:
    model, now = program("sys.exit(9)"), [1_800_000_000.0]

    def reason(store: SqliteStore, config: Config, *, background: bool = True) -> str:
        now[0] += GRACE + 1
        ((_, why),) = distill(store, config, str, entropy=os.urandom, background=background).skipped
        return why

    with SqliteStore.open(str(shop.home), clock=lambda: now[0]) as store:
        config = Config.load(str(shop.home), store.settings())
        assert all("ended with status 9" in reason(store, config) for _ in range(TRIES))
        assert reason(store, config) == f"put off until tomorrow: the last {TRIES} calls failed"
        assert "ended with status 9" in reason(store, config, background=False)
        now[0] += 86400
        assert "ended with status 9" in reason(store, config)
    assert len(model.calls) == TRIES + 2


def test_switched_off_the_absorber_asks_nobody(shop: Shop, program: Asking) -> None:
    model = program("")
    shop.fire("stop", transcript_path=str(shop.session("s", REQUEST, "receipt.py")))
    _wait(shop)
    assert model.calls == []


@pytest.mark.parametrize("event", ["session-start", "prompt", "pre-tool", "stop", "session-end"])
def test_a_session_in_honed_s_own_folder_is_given_nothing_and_teaches_nothing(shop: Shop, event: str) -> None:
    folder = shop.home / "model"
    folder.mkdir()
    path = shop.session("own", REQUEST, "receipt.py")
    told = shop.fire(event, cwd=str(folder), prompt="The cart total is off.", transcript_path=str(path))
    assert told == {}
    last = spool.last(str(shop.home), "s1")
    while event in ("stop", "session-end") and not last:  # handed on in the background
        last = spool.last(str(shop.home), "s1")
    assert last["r"] == "skipped"
    assert not (shop.home / "queue").exists()


def test_calls_are_counted_before_they_are_made_whoever_dies(tmp_path: Path) -> None:
    now = [1_790_000_000.0]

    def store() -> SqliteStore:
        return SqliteStore.open(str(tmp_path / "home"), clock=lambda: now[0])

    with store() as first, store() as second:
        begun = first.begin_call(ENOUGH, 100)
        assert begun.state == "running"
        assert second.begin_call(ENOUGH, 100).state == "nested"
        assert second.refuse_nested(0) is not None
        now[0] += PATIENCE + 1  # whoever made the first one is gone
        assert second.refuse_nested(0) is None
        later = second.begin_call(ENOUGH, 100)
        assert later.state == "running"
        second.end_call(later.n, tokens=40, answered=["sk_a"])
        assert first.begin_call(Bounds(10, 10_000, grace=30), 1).state == "nested"
        now[0] += 31
        assert first.begin_call(Bounds(2, 10_000, grace=30), 1).why.startswith("the day's 2 calls")
        assert first.begin_call(Bounds(9, 141, grace=30), 2).why.startswith("2 tokens are more than the 1")
        assert [call.state for call in first.calls_today()] == [
            *("refused", "refused", "nested", "done", "nested", "nested", "running")
        ]
        now[0] += 86400
        assert first.calls_today() == ()
        assert first.begin_call(Bounds(1, 10), 10).state == "running"
        assert list(first.asked_for(["sk_a", "sk_b"])) == ["sk_a"]


def test_of_many_that_start_at_once_one_gets_through(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    SqliteStore.open(home).close()
    line = (
        "import sys; from honed.store.sqlite import SqliteStore; from honed.store.calling import Bounds\n"
        "with SqliteStore.open(sys.argv[1]) as store:\n"
        "    print(store.begin_call(Bounds(99, 9999), 1).state)"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", line, home],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": SOURCE},
            encoding="utf-8",
        )
        for _ in range(6)
    ]
    states = sorted(process.communicate()[0].strip() for process in started)
    assert states == ["nested"] * 5 + ["running"]
