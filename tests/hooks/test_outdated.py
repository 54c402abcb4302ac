"""A memory of an older honed: a hook says nothing, and what it starts brings the memory up to date."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from honed.agents.shim import write_shim
from honed.hooks.starting import WORKER
from honed.store.reading import SCHEMA_VERSION
from tests.hooks.conftest import Shop
from tests.hooks.test_imports import COSTLY, SOURCE, SPY
from tests.store.past import build, fixtures

EVENTS = ("prompt", "session-start", "pre-tool", "tool-failed")


@pytest.fixture
def older(tmp_path: Path) -> Shop:
    """A shop whose memory the oldest honed wrote."""
    shop = Shop(tmp_path)
    build(str(shop.home), fixtures()[min(fixtures())])
    write_shim(str(shop.home))
    return shop


def version_of(shop: Shop) -> int:
    connection = sqlite3.connect(shop.home / "honed.db")
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


CALL: dict[str, Any] = {
    "prompt": "Fix the rounding of the cart total in src/cart.py.",
    "source": "startup",
    "tool_name": "Bash",
    "tool_input": {"command": "pytest"},
    "error": "Exit code 1\nValueError: x",
}


@pytest.mark.parametrize("event", ["pre-tool", "tool-failed"])
def test_a_hook_before_or_after_a_tool_leaves_it_as_it_is(older: Shop, event: str) -> None:
    assert older.fire(event, **CALL) == {}
    (line,) = older.lines()
    assert line["r"] == "failed"
    assert line["w"] == "the memory is of an older honed"
    assert version_of(older) == min(fixtures())


@pytest.mark.parametrize("event", ["prompt", "session-start"])
def test_at_a_session_s_start_and_a_request_it_is_brought_up_to_date_behind_the_client(
    older: Shop, event: str
) -> None:
    assert older.fire(event, **CALL) == {}, "neither the model nor the user is told"
    assert str(older.lines()[0]["w"]).startswith("the memory is of an older honed; the absorber")
    for _ in range(900):
        if version_of(older) == SCHEMA_VERSION:
            break
        time.sleep(0.05)
    assert version_of(older) == SCHEMA_VERSION
    older.fire(event, **CALL)
    assert older.lines()[-1]["r"] in ("quiet", "gave")


def test_a_worker_with_nothing_to_absorb_brings_it_up_to_date(older: Shop) -> None:
    argv = [sys.executable, "-I", "-S", "-c", WORKER, str(older.home), *sys.path]
    subprocess.run(argv, check=True, timeout=60)
    assert version_of(older) == SCHEMA_VERSION


@pytest.mark.parametrize("event", EVENTS)
def test_seeing_that_it_is_older_loads_nothing_that_a_reading_hook_does_not(older: Shop, event: str) -> None:
    spy = SPY.format(source=SOURCE, home=str(older.home))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", spy, event, "--agent", "claude-code"],
        input=json.dumps({"session_id": "s", "cwd": str(older.project), **CALL}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    loaded = done.stderr.split()
    assert "honed.store.reading" in loaded
    assert not {"honed.store.migrate", "honed.store.connection", "honed.skills.redact"} & set(loaded)
    assert not [name for name in loaded if name.partition(".")[0] in COSTLY]
