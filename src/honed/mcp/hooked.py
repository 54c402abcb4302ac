"""Hooks that ask the server, in place of starting a process, where clients can (``agents.clients.ASKED``).

What is asked for is no tool of the list (``tools.TOOLS``): a client's model never sees it, its hooks may call
it.  The answer is the hook's own, by the code that a hook command runs, with the same receipt.
"""

from __future__ import annotations

from honed.hooks.entry import answered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

EVENTS = ("pre-tool",)
"""What may be asked for."""
NOTHING = "{}"


def answer(home: str, given: Mapping[str, object]) -> str:
    """What the hook that asks with ``given`` is answered; an empty object where there is nothing to say.

    Never raises."""
    event = given.get("event")
    if event not in EVENTS:
        return NOTHING
    payload = {key: value for key, value in given.items() if key not in ("event", "command")}
    payload.update(tool_name="Bash", tool_input={"command": given.get("command")})
    said: list[str] = []

    def take(text: str) -> bool:
        said.append(text)
        return True

    answered(str(event), "claude_code", home, lambda: payload, take)
    return "".join(said) or NOTHING
