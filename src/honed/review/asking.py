"""Asking a model: a program of the owner's (prompt on its standard input), or an endpoint like OpenAI's.

Both give an ``Answer`` or raise ``AskError``.  Bounded in time and size; nothing is asked twice.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from honed.config import Config
from honed.errors import HonedError
from honed.skills.tokens import estimate

SECONDS = 180
"""The longest that an answer is waited for."""
ANSWER_LIMIT = 256 * 1024
"""Bytes of an answer that are read."""
ENDING = 10
"""Seconds that a program has to end in, once it has said what it had to say."""
FOLDER = "model"
"""Of the home: where a program is started, so that what it keeps of a folder is kept of one of honed's."""


class AskError(HonedError):
    """The model gave no answer; the message says why, and holds no text of the prompt."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said, and the tokens that it took: as it says itself, else estimated."""

    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Model:
    """Which model is asked: a ``command`` (argument list), else ``url`` and ``name`` with the key that the
    variable ``key`` holds; neither means none."""

    command: tuple[str, ...] = ()
    url: str = ""
    name: str = ""
    key: str = ""

    @classmethod
    def of(cls, config: Config) -> Model:
        """The one that the owner set."""
        words = config["models.command"]
        command = tuple(str(word) for word in words) if isinstance(words, list) else ()
        url, name, key = (str(config[f"models.{part}"]) for part in ("url", "name", "key"))
        return cls(command) if command else cls((), url, name, key)

    def __bool__(self) -> bool:
        return bool(self.command or self.url)

    def __str__(self) -> str:
        return " ".join(self.command) if self.command else f"{self.name or 'the model'} at {self.url}"

    def ask(self, prompt: str, home: str, environ: Mapping[str, str]) -> Answer:
        """Ask once.  Raises ``AskError``."""
        if self.command:
            return _ask_program(self.command, prompt, home, environ)
        return _ask_endpoint(self, prompt, environ)


def _ask_program(command: Sequence[str], prompt: str, home: str, environ: Mapping[str, str]) -> Answer:
    folder = Path(home, FOLDER)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=dict(environ),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise AskError(
            f"{command[0]} cannot be started: {getattr(error, 'strerror', '') or error}"
        ) from error
    said: list[bytes] = []
    # What a program starts may hold its output open for ever; so nobody waits for the end of it in front.
    talk = threading.Thread(target=_talk, args=(process, prompt, said), daemon=True)
    talk.start()
    talk.join(SECONDS)
    status = _ended(process)
    out = b"".join(said)
    if status is None:
        raise AskError(f"{command[0]} gave no answer within {SECONDS} seconds")
    if status:
        raise AskError(f"{command[0]} ended with status {status}")
    text = out.decode("utf-8", "replace")
    return Answer(text, estimate(prompt) + estimate(text))


def _talk(process: subprocess.Popen[bytes], prompt: str, said: list[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError):  # it need not read what it is told
        process.stdin.write(prompt.encode("utf-8", "replace"))
        process.stdin.close()
    with process.stdout:
        said.append(process.stdout.read(ANSWER_LIMIT))
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(ENDING)


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    """The status of a program that ended by itself; any other is ended with what it started: no status."""
    status = process.poll()
    if status is None:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
    return status


def _ask_endpoint(model: Model, prompt: str, environ: Mapping[str, str]) -> Answer:
    """https://platform.openai.com/docs/api-reference/chat: one message, not streamed."""
    from honed.posting import post

    body = {"model": model.name, "messages": [{"role": "user", "content": prompt}], "stream": False}
    key = environ.get(model.key, "") if model.key else ""
    url = f"{model.url.rstrip('/')}/chat/completions"
    try:
        value = json.loads(post(url, body, key=key, seconds=SECONDS, limit=ANSWER_LIMIT + 1))
        text = value["choices"][0]["message"]["content"]
    except OSError as error:
        raise AskError(f"{model.url} gave no answer: {getattr(error, 'reason', '') or error}") from error
    except (ValueError, LookupError, TypeError) as error:
        raise AskError(f"{model.url} answered otherwise than an OpenAI-compatible endpoint does") from error
    usage = value.get("usage")
    spent = usage.get("total_tokens") if isinstance(usage, dict) else None
    text = text if isinstance(text, str) else ""
    return Answer(text, spent if isinstance(spent, int) and spent > 0 else estimate(prompt) + estimate(text))
