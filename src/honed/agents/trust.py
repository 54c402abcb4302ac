"""Which of honed's hooks Codex runs: those that its user trusted.

Codex keeps in ``config.toml`` a table ``[hooks.state."<hooks.json>:<event>:<group>:<number>"]`` with the hash
of each hook that was trusted, and runs no other one.  The hash is that of the hook's canonical JSON (measured
on the binary, docs/clients.md).  Trust is the user's act: honed reads it, and takes it away with its hooks.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping

from honed.agents import json_text, plugin, toml_text
from honed.agents.clients import Client, is_own, path_of, text_of
from honed.agents.entries import entries
from honed.agents.wire import WIRES
from honed.errors import UsageError

DEFAULT_TIMEOUT = 600
STATE = ("hooks", "state")


def untrusted_hooks(client: Client, environ: Mapping[str, str]) -> int:
    """How many of honed's hooks the client does not run because nobody trusted them."""
    known = _known(client, environ)
    return sum(known.get(key) != wanted for key, wanted in _wanted(client, environ))


def untrusted_of_plugin(client: Client, environ: Mapping[str, str], name: str) -> int:
    """The same of the hooks that the plugin ``name`` brings.

    Of those the hash covers the whole plugin too, so a trust is not held against it: one that an update made
    void is asked for by the client.
    """
    known = _known(client, environ)
    if not client.trust or not name:
        return 0
    keys = (
        f"{name}:{plugin.CODEX_HOOKS}:{_snake(event)}:0:0" for event in WIRES[client.agent].names.values()
    )
    return sum(not isinstance(known.get(key), str) for key in keys)


def own_trust(client: Client, environ: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The tables in which trust in honed's hooks is kept."""
    known = _known(client, environ)
    return [(*STATE, key) for key, wanted in _wanted(client, environ) if known.get(key) == wanted]


def _known(client: Client, environ: Mapping[str, str]) -> dict[str, object]:
    """The hash that was trusted, by the hook's key."""
    if not client.trust:
        return {}
    with contextlib.suppress(OSError, UsageError, UnicodeError):
        state = json_text.get(toml_text.parse(text_of(path_of(client, client.files[0], environ))), STATE)
        if isinstance(state, dict):
            return {key: json_text.get(value, ("trusted_hash",)) for key, value in state.items()}
    return {}


def _wanted(client: Client, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Key and hash of each hook of honed's, for a client that asks for trust."""
    if not client.trust:
        return
    path = path_of(client, client.files[1], environ)
    try:
        value = json_text.parse(text_of(path))
    except (OSError, UsageError, UnicodeError):
        return
    names = WIRES[client.agent].names.values()
    for where, entry in entries(value):
        if not (is_own(where, entry) and where[:1] == ("hooks",) and isinstance(entry, dict)):
            continue
        _, event, group, _, number = where
        if event in names:
            matcher = json_text.get(value, ("hooks", event, group, "matcher"))
            digest = hook_hash(str(event), entry, matcher if isinstance(matcher, str) else None)
            yield f"{path}:{_snake(str(event))}:{group}:{number}", digest


def hook_hash(event: str, handler: Mapping[str, object], matcher: str | None) -> str:
    """The hash under which Codex remembers that a hook was trusted."""
    default = 1 if event in ("SessionEnd", "Interrupt") else DEFAULT_TIMEOUT
    known = {key: handler[key] for key in ("statusMessage", "additionalContextLimit") if key in handler}
    plain: dict[str, object] = {
        "async": bool(handler.get("async", False)),
        "command": handler.get("command"),
        "timeout": handler.get("timeout", default),
        "type": "command",
        **known,
    }
    whole: dict[str, object] = {"event_name": _snake(event), "hooks": [plain]}
    if matcher is not None and event not in ("Stop", "UserPromptSubmit"):
        whole["matcher"] = matcher
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def _snake(name: str) -> str:
    return "".join(
        f"_{char.lower()}" if char.isupper() and at else char.lower() for at, char in enumerate(name)
    )
