"""A user with a home, a project and real clients, all in a temporary folder and without a network."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.model import Model, Script, playing

CACHE = Path(
    os.environ.get("HONED_CLIENTS")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "honed-clients")
)
"""Where ``make clients`` puts the real clients (tests/e2e/package.json)."""
SOURCE = Path(__file__).parents[2] / "src"
SYSTEM_PATH = f"/usr/local/bin:/usr/bin:/bin:{CACHE / 'node_modules' / '.bin'}"

CALC = "def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a * b\n"
TESTS = """\
import unittest

import calc


class Sums(unittest.TestCase):
    def test_adding_two_numbers(self):
        self.assertEqual(calc.add(2, 3), 5)

    def test_multiplying_two_numbers(self):
        self.assertEqual(calc.mul(2, 3), 6)
"""
CHECK = "python3 -m unittest test_calc"


@dataclass
class Done:
    """How a client's run ended, and what the model heard."""

    code: int
    out: str
    err: str
    model: Model

    def heard(self) -> list[str]:
        """The requests of the main conversation; the run must have gone well."""
        assert self.code == 0, f"{self.out[-2000:]}\n{self.err[-2000:]}"
        return self.model.heard()


def program(name: str) -> Path:
    """A client's program."""
    return CACHE / "node_modules" / ".bin" / name


def _asked(number: int, method: str, params: dict[str, object]) -> dict[str, object]:
    return {"id": number, "method": method, "params": params}


class World:
    """One user; ``honed`` runs the command line, ``claude`` and ``codex`` a session of a real client."""

    def __init__(self, base: Path) -> None:
        self.user = base / "user"
        self.project = base / "project"
        self.home = self.user / ".local" / "share" / "honed"
        self.program = [sys.executable, "-m", "honed"]
        """How the user starts honed: from the source, as long as nothing else is installed."""
        for folder in (self.user / ".claude", self.user / ".codex", self.project):
            folder.mkdir(parents=True)
        (self.project / "calc.py").write_text(CALC, encoding="utf-8")
        (self.project / "test_calc.py").write_text(TESTS, encoding="utf-8")
        (self.project / ".gitignore").write_text("__pycache__/\n", encoding="utf-8")
        for words in (
            ("init", "-q", "-b", "main"),
            ("add", "."),
            ("-c", "user.name=dev", "-c", "user.email=dev@example.invalid", "commit", "-q", "-m", "begin"),
        ):
            subprocess.run(["git", *words], cwd=self.project, env=self.environment(), check=True)
        self._write_claude_state()

    def _write_claude_state(self) -> None:
        """What Claude Code knows of a user who has begun to use it."""
        state = {
            "hasCompletedOnboarding": True,
            "bypassPermissionsModeAccepted": True,
            "autoUpdates": False,
            "customApiKeyResponses": {"approved": ["no-key-at-all"], "rejected": []},
            "projects": {str(self.project): {"hasTrustDialogAccepted": True, "allowedTools": []}},
        }
        (self.user / ".claude.json").write_text(json.dumps(state, indent=2), encoding="utf-8")

    def environment(self, **more: str) -> dict[str, str]:
        """The user's environment; nothing of ours leaks in."""
        return {
            "HOME": str(self.user),
            "PATH": SYSTEM_PATH,
            "LANG": "C.UTF-8",
            "SHELL": "/bin/bash",
            "TERM": "dumb",
            "USER": "dev",
            "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "NO_PROXY": "127.0.0.1,localhost",
            **more,
        }

    def honed(self, *words: str, model: Model | None = None) -> dict[str, object]:
        """One command of honed's, as its user runs it; the JSON that it prints.

        A client that it starts talks to ``model``.
        """
        clients = {} if model is None else self._claude_environment(model)
        source = {"PYTHONPATH": str(SOURCE)} if self.program[0] == sys.executable else {}
        done = subprocess.run(
            [*self.program, *words, "--json"],
            cwd=self.project,
            env={**self.environment(**source), **clients},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        found = json.loads(done.stdout)
        return found if isinstance(found, dict) else {"rows": found}

    def break_again(self) -> None:
        """Put the project back to how it was at first."""
        (self.project / "calc.py").write_text(CALC, encoding="utf-8")

    def claude(self, prompt: str, script: Script, *more: str, asks: bool = False) -> Done:
        """One headless session of Claude Code; where it ``asks`` for consent, nobody gives any."""
        with playing(script, self.project) as model:
            words = ["-p", prompt, "--output-format", "json", *more]
            words += [] if asks else ["--dangerously-skip-permissions"]
            return self._run([str(program("claude")), *words], self._claude_environment(model), model)

    def claude_dialog(
        self, prompts: Sequence[str], script: Script, then: Mapping[str, Callable[[], object]] | None = None
    ) -> Done:
        """One session of Claude Code with several prompts, each sent when the last one is answered.

        ``then`` is what happens meanwhile, behind the answer to a prompt.
        """
        words = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        with playing(script, self.project) as model:
            client = subprocess.Popen(
                [str(program("claude")), *words, "--dangerously-skip-permissions"],
                cwd=self.project,
                env=self._claude_environment(model),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
            assert client.stdin is not None
            assert client.stdout is not None
            heard = []
            try:
                for prompt in prompts:
                    message = {"type": "user", "message": {"role": "user", "content": prompt}}
                    client.stdin.write(json.dumps(message) + "\n")
                    client.stdin.flush()
                    for line in client.stdout:
                        heard.append(line)
                        if json.loads(line).get("type") == "result":
                            break
                    if then and prompt in then:
                        then[prompt]()
                client.stdin.close()
                heard += list(client.stdout)
            finally:
                code = client.wait(timeout=60)
                client.stdout.close()
            return Done(code, "".join(heard), "", model)

    def _claude_environment(self, model: Model) -> dict[str, str]:
        return self.environment(
            ANTHROPIC_BASE_URL=model.address,
            ANTHROPIC_API_KEY="no-key-at-all",
            IS_SANDBOX="1",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1",
            DISABLE_TELEMETRY="1",
            DISABLE_ERROR_REPORTING="1",
        )

    def codex(self, prompt: str, script: Script, *more: str, trusted: bool = True) -> Done:
        """One headless session of Codex; ``trusted`` stands for the owner's trust in the hooks."""
        with playing(script, self.project) as model:
            provider = (
                f'model_providers.mock={{name="mock", base_url="{model.address}/v1", wire_api="responses",'
                ' env_key="MOCK_KEY", request_max_retries=1, stream_max_retries=1, supports_websockets=false}'
            )
            settings = (
                'model="gpt-5.5"',
                'model_provider="mock"',
                'approval_policy="never"',
                'sandbox_mode="danger-full-access"',
                "check_for_update_on_startup=false",
                "analytics.enabled=false",
                "features.enable_request_compression=false",
                provider,
                f'projects={{"{self.project}"={{trust_level="trusted"}}}}',
            )
            words = ["exec", "--json", *(["--dangerously-bypass-hook-trust"] if trusted else [])]
            words += [word for setting in settings for word in ("-c", setting)]
            return self._run(
                [str(program("codex")), *words, *more, prompt],
                self.environment(MOCK_KEY="no-key-at-all"),
                model,
            )

    def codex_hooks(self) -> list[dict[str, Any]]:
        """The hooks that Codex knows of here, as its owner would be asked to trust them; it must like all."""
        asked = [
            _asked(1, "initialize", {"clientInfo": {"name": "t", "title": "t", "version": "1"}}),
            {"method": "initialized"},
            _asked(2, "hooks/list", {"cwds": [str(self.project)]}),
        ]
        with subprocess.Popen(
            [str(program("codex")), "app-server"],
            cwd=self.project,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        ) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write("".join(json.dumps(one) + "\n" for one in asked))
            server.stdin.flush()
            answer = next(one for one in map(json.loads, server.stdout) if one.get("id") == 2)
            server.kill()
        (told,) = answer["result"]["data"]
        assert (told["warnings"], told["errors"]) == ([], [])
        hooks: list[dict[str, Any]] = told["hooks"]
        return hooks

    def trusts_codex_hooks(self) -> None:
        """The owner accepts all of them: what Codex then keeps."""
        tables = [
            f'\n[hooks.state."{hook["key"]}"]\ntrusted_hash = "{hook["currentHash"]}"\n'
            for hook in self.codex_hooks()
        ]
        with (self.user / ".codex" / "config.toml").open("a", encoding="utf-8") as file:
            file.write("".join(tables))

    def _run(self, argv: Sequence[str], environment: dict[str, str], model: Model) -> Done:
        client = subprocess.Popen(
            argv,
            cwd=self.project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            out, err = client.communicate(timeout=180)
        except subprocess.TimeoutExpired:
            os.killpg(client.pid, signal.SIGKILL)
            out, err = client.communicate()
        return Done(client.returncode, out, err, model)
