"""What a call is, and the one place where it becomes an answer: errors are told, never an empty result.

Only the module of the tool that was called is loaded, so a recall does not wait for what writes.  Every text
that nobody approved stands in the frame that a note has, with nothing in it that could leave the frame.
"""

from __future__ import annotations

from importlib import import_module

from honed.errors import (
    DuplicateError,
    FaultError,
    HonedError,
    NotFoundError,
    RefusedError,
    UnavailableError,
    UsageError,
)
from honed.recall.safe import one_line, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Answer = dict[str, object]

MODULES: Mapping[str, str] = {
    "memory_recall": "finding",
    "memory_search": "finding",
    "memory_get": "keeping",
    "memory_list": "keeping",
    "memory_learn": "keeping",
    "memory_write": "keeping",
    "memory_update": "keeping",
    "memory_reinforce": "keeping",
    "memory_pin": "keeping",
    "memory_checkpoint": "keeping",
}
"""Which module of this package has the tool in its ``ANSWERS``."""


class Call:
    """A call: where memory is, where the agent stands, who it is, in which session, and what it gave."""

    __slots__ = ("client", "cwd", "given", "home", "session")

    def __init__(self, home: str, cwd: str, client: str, session: str, given: Mapping[str, Any]) -> None:
        self.home = home
        self.cwd = cwd
        self.client = client
        self.session = session
        self.given = given


def told(name: str, call: Call) -> tuple[Answer, bool]:
    """The answer of tool ``name``, and whether it is an error; never raises."""
    try:
        answers: Mapping[str, Callable[[Call], Answer]]
        answers = import_module(f"honed.mcp.{MODULES[name]}").ANSWERS
        return answers[name](call), False
    except DuplicateError as error:
        return {"text": _duplicate(error)}, True
    except HonedError as error:
        return {"text": f"{_word(error)}: {quoted(str(error))}"}, True
    except Exception as error:  # whatever it is, the connection lives on
        return {"text": f"Failed: {FaultError.of(error)}"}, True


def nothing_yet(call: Call) -> Answer:
    """The answer where nothing was ever kept."""
    return {"text": f"Nothing was ever kept at {one_line(call.home)}: memory is new.", "found": 0}


def _word(error: HonedError) -> str:
    words = (
        (UnavailableError, "Memory is unavailable (this does not mean that nothing is known)"),
        (RefusedError, "Refused"),
        (NotFoundError, "Not found"),
        (UsageError, "Wrong call"),
    )
    return next((word for kind, word in words if isinstance(error, kind)), "Failed")


def _duplicate(error: DuplicateError) -> str:
    """What the memory says of a duplicate quotes the other's title, which is no text to be given so."""
    return (
        f"Refused: it says nearly the same as the skill {quoted(error.slug)}, or that slug holds another "
        "text. Read it by memory_get; change it by memory_update if an agent wrote it; or give another slug, "
        "and force to keep both."
    )
