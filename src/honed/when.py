"""When a task happened, by the clock of its client."""

from __future__ import annotations

import re

from honed.verdict.model import Task

_DAY, _HOUR = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d"
_ISO = re.compile(rf"^({_DAY}T{_HOUR})(?:\.\d+)?(?:Z|\+00:00)?$")


def when(task: Task) -> str:
    """The latest sound time stamp in ``task``, ISO-8601 UTC; empty (now) if there is none."""
    stamps = [step.at for step in task.steps] + [request.at for request in task.requests]
    sound = [match[1] + "Z" for stamp in stamps if stamp and (match := _ISO.match(stamp))]
    return max(sound, default="")
