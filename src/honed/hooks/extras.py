"""What an owner may switch on besides: a reminder to look things up, a warning of a missing MCP server.

Settings ``remind.search``, ``remind.words`` and ``remind.servers`` (docs/hooks.md); all are off at first,
and then a hook does not load this module.
"""

from __future__ import annotations

import os

from honed.config import Config
from honed.quick_json import loads
from honed.skills.tokens import estimate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from honed.agents.wire import Fired

REMINDED = "#search"
"""By what a session remembers that it was reminded."""
REMINDER = (
    "This may depend on what has changed since your training: look it up (web, documentation, the installed "
    "version) before you claim it. A reminder that the owner switched on in honed."
)
REMINDER_TOKENS = estimate(REMINDER)
WORDS = (
    # English
    "latest", "newest", "nowadays", "today", "yesterday", "tomorrow", "recent", "recently", "upcoming",
    "outdated", "deprecated", "price", "prices", "pricing", "news", "up to date", "as of", "this week",
    "this month", "this year", "right now", "current version", "still supported", "end of life",
    "release date", "changelog", "which version", "what version",
    # Russian
    "последн*", "новейш*", "свеж*", "актуальн*", "сегодня", "вчера", "завтра", "недавн*", "сейчас", "цена",
    "цены", "новост*", "устарел*", "на данный момент", "в этом году", "на этой неделе", "какая версия",
)  # fmt: skip
"""What makes a request time-sensitive: a word or a phrase; ``*`` stands for any ending."""
_CONFIG_LIMIT = 8 * 1024 * 1024


def is_time_sensitive(text: str, more: Iterable[str] = ()) -> bool:
    """Whether ``text`` asks for something that changes with time, by ``WORDS`` and the owner's ``more``."""
    plain = f" {_plain(text)} "
    return any(
        f" {_plain(word)}{'' if word.endswith('*') else ' '}" in plain for word in (*WORDS, *more) if word
    )


def _plain(text: str) -> str:
    return " ".join("".join(char if char.isalnum() else " " for char in text.lower()).split())


def reminder(home: str, fired: Fired) -> str:
    """The reminder for a request, empty where none is wanted."""
    config = Config.load(home, {})
    more = config["remind.words"]
    wanted = bool(config["remind.search"]) and isinstance(more, list)
    return REMINDER if wanted and isinstance(more, list) and is_time_sensitive(fired.prompt, more) else ""


def missing_servers(home: str, fired: Fired, environ: Mapping[str, str]) -> list[str]:
    """The MCP servers of the owner's baseline that the client's own files do not name."""
    wanted = Config.load(home, {})["remind.servers"]
    if not isinstance(wanted, list) or not wanted:
        return []
    known = set(_SERVERS[fired.wire.agent](fired.cwd, environ))
    return [name for name in wanted if name not in known]


def _claude_servers(cwd: str, environ: Mapping[str, str]) -> Iterator[str]:
    folder = environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~")
    state = _json(os.path.join(folder, ".claude.json"))
    projects = state.get("projects")
    here = projects.get(cwd) if isinstance(projects, dict) else None
    for values in (state, here, _json(os.path.join(cwd, ".mcp.json"))):
        servers = values.get("mcpServers") if isinstance(values, dict) else None
        yield from servers if isinstance(servers, dict) else ()


def _codex_servers(cwd: str, environ: Mapping[str, str]) -> Iterator[str]:
    folder = environ.get("CODEX_HOME") or os.path.expanduser("~/.codex")
    for path in (os.path.join(folder, "config.toml"), os.path.join(cwd, ".codex", "config.toml")):
        for line in _text(path).splitlines():
            head = line.strip()
            if head.startswith("[mcp_servers."):
                name = head.removeprefix("[mcp_servers.").partition("]")[0]
                yield name.split(name[0])[1] if name[:1] in ('"', "'") else name.partition(".")[0].strip()


_SERVERS = {"claude_code": _claude_servers, "codex": _codex_servers}


def _json(path: str) -> Mapping[str, object]:
    try:
        value = loads(_text(path))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_CONFIG_LIMIT).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
