"""Who speaks in a ``user`` record of Claude Code, and what was typed while the agent worked.

A record of type ``user`` may hold a person's words, a tool's result, a slash command, a ``!`` command, an
expansion, a reminder, a summary, another agent's message or a notice of background work.  Only the first is a
request.  What is typed while the agent works goes through a queue whose operations are recorded; up to 2.1.90
a prompt that the agent took from the queue in the middle of a turn is recorded nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from honed.sessions.fields import array, obj, string
from honed.sessions.source import Json, Record
from honed.sessions.text import element, user_text

CLIENT_COMMANDS = frozenset(
    """
    add-dir agents app bashes branch btw bug chrome clear color compact config context copy cost desktop diff
    doctor effort exit export extra-usage fast feedback files focus fork heapdump help hooks ide install
    install-github-app install-slack-app keybindings login logout mcp memory migrate-installer mobile model
    new output-style passes permissions plan plugin plugins privacy-settings quit rate-limit-options
    release-notes reload-plugins remote-control remote-env rename reset resume rewind checkpoint undo sandbox
    session settings skills stats status statusline stickers stop tag tasks teleport terminal-setup theme
    think-back think-back-play thinking-back todos tui upgrade usage version vim voice web-setup
    """.split()
)
"""Slash commands that the client answers by itself: nobody asked the agent for anything."""
PROMPTING_WITH_TEXT = frozenset({"plan"})
"""Those of them that become a request when something is said after them."""

INJECTED_MARKS = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSynthetic")
"""Fields that are true on a record which the client wrote by itself."""
ATTACHMENTS_SINCE = [2, 1, 91]
"""The version since which attachments are recorded, and with them the prompts taken in mid-turn."""
QUEUE_LIMIT = 100
"""Texts followed in the queue at once."""

TextKind = Literal["words", "notice", "interrupt", "shell", "shell_output", "command", "injected"]
"""What a user record's text is; ``injected`` covers everything else that no person wrote."""

OPENINGS: tuple[tuple[str, TextKind], ...] = (
    ("<task-notification", "notice"),
    ("[Request interrupted by user", "interrupt"),
    ("<bash-input>", "shell"),
    ("<bash-stdout>", "shell_output"),
    ("<bash-stderr>", "shell_output"),
    ("<command-name>", "command"),
    ("<command-message>", "command"),
)


def kind_of_text(text: str) -> TextKind:
    """What ``text``, the whole of a user record, is."""
    opening = text[:80].lstrip()
    if opening[:1] in "<[":
        for mark, kind in OPENINGS:
            if opening.startswith(mark):
                return kind
    return "words" if user_text(text) else "injected"


def is_injected(record: Json) -> bool:
    """Whether the client itself marks a user record (or a queued prompt) as not typed by a person."""
    if any(record.get(mark) is True for mark in INJECTED_MARKS) or record.get("promptSource") == "system":
        return True
    origin = obj(record.get("origin")).get("kind")
    return isinstance(origin, str) and origin != "human"


def words_of(content: Any) -> str:
    """What a person wrote in a message's content: its parts, without what was put beside them."""
    if isinstance(content, str):
        return user_text(content)
    parts = (part if isinstance(part, str) else string(obj(part).get("text")) for part in array(content))
    return "\n".join(words for words in map(user_text, parts) if words)


def slash_command(text: str) -> tuple[str, str] | None:
    """``(/name, arguments)`` of a slash command that asks the agent for something, else ``None``."""
    name = (element(text, "command-name") or "").removeprefix("/")
    if not name:
        return None
    arguments = user_text(element(text, "command-args") or "")
    if name in CLIENT_COMMANDS and not (arguments and name in PROMPTING_WITH_TEXT):
        return None
    return f"/{name}", arguments


def shell_input(text: str) -> str:
    """The command line that a person ran with ``!``."""
    return element(text, "bash-input") or ""


def shell_output(text: str) -> str:
    """What that command printed, both streams."""
    parts = (element(text, "bash-stdout"), element(text, "bash-stderr"))
    return "\n".join(part for part in parts if part)


def _attaches(version: Any) -> bool:
    numbers = [int(part) for part in string(version).split(".") if part.isdecimal() and len(part) < 9]
    return numbers >= ATTACHMENTS_SINCE


@dataclass(slots=True)
class Typed:
    """One text in the queue, with the record in which it was put there."""

    text: str
    record: Record


@dataclass(slots=True)
class TypingQueue:
    """Follows ``queue-operation`` records.

    ``dequeue`` hands the oldest text to a new turn and ``remove`` to the running one; both are recorded
    again as a user record or an attachment, except by the versions that know no attachments: they say
    nothing more of a text removed.  ``popAll`` gives the texts back to the person's keyboard.
    """

    waiting: list[Typed] = field(default_factory=list)
    taken: list[Typed] = field(default_factory=list)
    recorded: int = 0
    """Texts that were recorded again before the queue said that they had left it."""

    def operate(self, record: Record) -> None:
        """Follow one ``queue-operation``."""
        operation = record.value.get("operation")
        content = string(record.value.get("content"))
        if operation == "enqueue":
            if content and not content.startswith('{"task_id"'):
                self.waiting.append(Typed(content.strip(), record))
                del self.waiting[:-QUEUE_LIMIT]
        elif operation == "popAll":
            self.waiting.clear()
        elif operation in ("dequeue", "remove"):
            left = self._leave(content.strip())
            if left is None or operation != "remove" or not self._asks(left.text):
                return
            self.taken.append(left)

    def arrived(self, text: str) -> None:
        """A text was recorded as a request or a notice: it is not to be expected again."""
        text = text.strip()
        for place, typed in enumerate(self.waiting):
            if typed.text == text:
                del self.waiting[place]
                self.recorded += 1
                return

    def due(self, version: Any) -> list[Typed]:
        """The texts taken from the queue that ``version`` records nowhere else; each is told once."""
        due, self.taken = self.taken, []
        return due if due and not _attaches(version) else []

    def _leave(self, content: str) -> Typed | None:
        if content:
            for place, typed in enumerate(self.waiting):
                if typed.text == content:
                    return self.waiting.pop(place)
        if content or self.recorded:
            self.recorded = max(0, self.recorded - 1)
            return None
        return self.waiting.pop(0) if self.waiting else None

    @staticmethod
    def _asks(text: str) -> bool:
        return not text.startswith("/") and kind_of_text(text) == "words"
