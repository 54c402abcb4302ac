"""From a wheel to a silent farewell: install, wire, run, upgrade, delete the environment."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.agents.conftest import handlers

ROOT = Path(__file__).parents[2]
PROMPT = "The nightly export of invoices hangs again, please fix the export of invoices"


def wheel(base: Path, version: str) -> Path:
    """A wheel of this source that calls itself ``version``."""
    source = base / f"source-{version}"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (source / "src/honed/_version.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--wheel-dir", str(base), str(source)], check=True)
    (made,) = base.glob(f"honed-{version}-*.whl")
    return made


def install(environment: Path, package: Path) -> None:
    """Install a wheel; what it needs is lent by the environment of the tests."""
    python = environment / "bin" / "python"
    if not environment.exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
        lent = {
            str(Path(found.origin).parents[1])
            for name in ("yaml", "snowballstemmer")
            if (found := find_spec(name)) and found.origin
        }
        (packages,) = environment.glob("lib/python*/site-packages")
        (packages / "lent.pth").write_text("\n".join(sorted(lent)) + "\n", encoding="utf-8")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*pip, "--force-reinstall", "--disable-pip-version-check", str(package)], check=True)


class Machine:
    """A user with a project, Claude Code's files, and an environment into which honed is installed."""

    def __init__(self, base: Path) -> None:
        self.user, self.shop, self.environment = base / "user", base / "shop", base / "environment"
        (self.user / ".claude").mkdir(parents=True)
        (self.shop / ".git").mkdir(parents=True)
        (self.shop / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        self.settings = self.user / ".claude/settings.json"

    def run(self, argv: list[str], given: str = "") -> subprocess.CompletedProcess[str]:
        """Run something as the user does."""
        return subprocess.run(
            argv,
            input=given,
            cwd=self.shop,
            env={"HOME": str(self.user), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    def honed(self, *words: str) -> str:
        """Run the installed command; what it prints."""
        done = self.run([str(self.environment / "bin/honed"), *words])
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    def hook(self, session: str) -> subprocess.CompletedProcess[str]:
        """What Claude Code runs at a prompt."""
        (command,) = [
            handler["command"] for event, handler in handlers(self.settings) if event == "UserPromptSubmit"
        ]
        payload = {"session_id": session, "prompt": PROMPT, "cwd": str(self.shop)}
        return self.run(["/bin/sh", "-c", str(command)], json.dumps(payload))

    def answers(self, session: str) -> bool:
        """Whether the hook gives the note; it must end well."""
        done = self.hook(session)
        assert (done.returncode, done.stderr) == (0, "")
        return "<honed-note" in done.stdout


def test_from_a_wheel_over_an_upgrade_to_a_deleted_environment(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    install(machine.environment, wheel(tmp_path, "7.0.0"))
    told = {
        "--title": "Fix the nightly export of invoices",
        "--trigger": "the nightly export of invoices hangs",
        "--steps": "close the cursor in export.py",
        "--outcome": "the export of invoices ends",
    }
    machine.honed("learn", "export-invoices", *(word for pair in told.items() for word in pair))
    machine.honed("init", "claude-code")
    wired = {path: path.read_bytes() for path in machine.user.rglob("*.json") if "share" not in path.parts}
    assert machine.answers("first")

    install(machine.environment, wheel(tmp_path, "8.0.0"))
    assert machine.honed("--version") == "honed 8.0.0\n"
    assert machine.answers("second")
    machine.honed("init", "claude-code")
    assert {path: path.read_bytes() for path in wired} == wired
    assert machine.answers("third")
    assert json.loads(machine.honed("doctor", "--json"))["ok"]

    shutil.rmtree(machine.environment)
    done = machine.hook("fourth")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    server = json.loads((machine.user / ".claude.json").read_bytes())["mcpServers"]["honed"]
    done = machine.run([server["command"], *server["args"]])
    assert (done.returncode, done.stdout) == (1, "")
    assert "install honed again" in done.stderr

    install(machine.environment, tmp_path / next(tmp_path.glob("honed-8*.whl")).name)
    assert machine.answers("fifth"), "the same place again: nothing else is needed"
