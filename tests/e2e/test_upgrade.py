"""honed is installed, upgraded and deleted, while the real clients go on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from honed.sessions.text import note_ids
from tests.agents.test_wheel import install, wheel
from tests.e2e.model import Edits, Runs, Says, Script, Turn
from tests.e2e.test_live import BROKEN, CLIENTS, FIX, FIXED, SIMILAR, learns, session
from tests.e2e.world import World
from tests.hooks.conftest import wait_for_absorber

LESSONS = (
    ("freeze-clock", "Freeze the session clock", "The session clock drifts unless frozen_time is used."),
    ("rotate-keys", "Rotate the signing keys", "The signing keys are rotated by keys.py alone."),
)
ASKED = ("The session clock drifts: freeze the session clock.", "Rotate the signing keys of today.")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same honed as two versions."""
    base = tmp_path_factory.mktemp("wheels")
    return [wheel(base, version) for version in ("7.0.0", "8.0.0")]


@pytest.fixture
def environment(world: World, wheels: list[Path], tmp_path: Path) -> Path:
    """Where the user has the older version, and starts it from."""
    folder = tmp_path / "environment"
    install(folder, wheels[0])
    world.program = [str(folder / "bin" / "honed")]
    return folder


def wired(world: World) -> dict[Path, bytes]:
    """What is in the clients' files about hooks and servers."""
    paths = (".claude/settings.json", ".codex/config.toml", ".codex/hooks.json", ".codex/rules/honed.rules")
    return {world.user / path: (world.user / path).read_bytes() for path in paths}


def _delete(environment: Path) -> None:
    """At once, though a hook may be writing into it."""
    gone = environment.rename(environment.with_name("gone"))
    shutil.rmtree(gone, ignore_errors=True)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_upgrade_keeps_what_the_client_calls_and_a_deleted_environment_costs_silence(
    world: World, environment: Path, wheels: list[Path], client: str
) -> None:
    world.honed("init")
    learns(world, client)
    before = wired(world)
    install(environment, wheels[1])
    world.honed("init")  # by the newer one
    assert wired(world) == before
    assert note_ids(session(world, client, SIMILAR, Script(FIX)).heard()[0])
    wait_for_absorber(world.home)
    world.break_again()
    _delete(environment)
    done = session(world, client, SIMILAR, Script(FIX))
    assert not any("<honed-note" in text for text in done.heard())
    assert len(done.heard()) == len(FIX)


def test_a_session_outlives_an_upgrade_and_the_end_of_honed_s_environment_under_it(
    world: World, environment: Path, wheels: list[Path]
) -> None:
    world.honed("init", "claude-code")
    learns(world, "claude")
    for slug, title, body in LESSONS:
        world.honed("write", slug, "--kind", "lesson", "--title", title, "--body", body)
    turns: list[Turn] = [
        Says("One."),
        Says("Two."),
        Runs("true"),
        Edits("calc.py", BROKEN, FIXED),
        Runs("false"),
    ]
    done = world.claude_dialog(
        [SIMILAR, *ASKED],
        Script([*turns, Says("Three.")]),
        {
            SIMILAR: lambda: install(environment, wheels[1]),
            ASKED[0]: lambda: _delete(environment),
        },
    )
    heard = done.heard()
    assert len(heard) == len(turns) + 1, "nothing was blocked, and nothing went round"
    assert note_ids(heard[0])
    assert "frozen_time" in heard[1], "the newer one answers in the same session"
    assert "keys.py" not in heard[-1]
    assert (world.project / "calc.py").read_text(encoding="utf-8").count(FIXED) == 1
    # What waited when honed went away is read by the honed that comes back.
    install(environment, wheels[1])
    assert note_ids(world.claude(SIMILAR, Script([Says("Hm.")])).heard()[0])
    wait_for_absorber(world.home)
