"""How a call of Claude Code ended: status, exit code and what the agent saw.

Claude Code records no exit code for a command that it does not flag: ``is_error`` false means 0, or a code
that the client itself explains (``returnCodeInterpretation``: grep, diff, find and test answering 1).  A
flagged command begins with ``Exit code N``.  Everything else is told in words; ``ENDINGS`` lists them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from honed.sessions.fields import array, obj, string, texts, whole
from honed.sessions.model import StepKind, StepStatus
from honed.sessions.source import Json

NO_OUTPUT = ("(Bash completed with no output)", "(PowerShell completed with no output)")
PERSISTED = "<persisted-output>"
OPENING = 400
"""Characters in which a client says how a call ended."""

ENDINGS: tuple[tuple[str, StepStatus], ...] = (
    (r"The user doesn't want to ", "rejected"),
    (r"User rejected tool use", "rejected"),
    (r"(?:Error: )?Permission (?:to use|for this action|to read|to write|to edit)\b", "rejected"),
    (r"Claude requested permissions? to ", "rejected"),
    (r"[^\n]*\brequires? approval\b", "rejected"),
    (r"This Bash command contains multiple operations", "rejected"),
    (r"[^\n]*\bwas blocked\. For security", "rejected"),
    (r"Blocked: ", "rejected"),
    (r"[^\n]*\bPreToolUse[^\n]*\b(?:hook error|hook blocked|denied|blocking error)", "rejected"),
    (r"Execution stopped by PreToolUse hook", "rejected"),
    (r"(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call)", "never_ran"),
    (r"<tool_use_error>(?:InputValidationError|Error: No such tool|Unknown skill|Skill )", "never_ran"),
    (r"(?:<tool_use_error>)?(?:Error: )?No such tool available", "never_ran"),
    (r"MCP error -32602", "never_ran"),
    (r"Working directory [^\n]* was deleted", "never_ran"),
    (r"\[Request interrupted by user", "interrupted"),
    (r"(?:<error>|Error: )?Command was aborted before completion", "interrupted"),
    (r"Exit code \d+\n(?:[^\n]*\n)?Command timed out after ", "interrupted"),
    (r"Command timed out after ", "interrupted"),
)
"""Opening words of a flagged result and what they say of the call.  The first that fits decides; none does:
failed."""

_ENDINGS = tuple((re.compile(pattern), status) for pattern, status in ENDINGS)
_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (-?\d+)(?:\n|$)")
_CUT = re.compile(
    r"\[\d[\d,.]{0,20} ?[KM]?B? ?(?:lines|characters|chars|bytes|tokens)? (?:truncated|omitted)"
)
_SAID = "the user said:\n"
_AFTER_SAID = "\n\nNote: The user's next message"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended; the fields are those of ``Step``."""

    status: StepStatus
    exit_code: int | None
    output: str
    truncated: bool


def outcome_of(kind: StepKind, block: Json, record: Json) -> Outcome:
    """The outcome told by a ``tool_result`` block and the user record that holds it."""
    text = texts(block.get("content"))
    result = obj(record.get("toolUseResult"))
    shell = kind == "shell"
    truncated = PERSISTED in text[:OPENING] or (
        ("truncated" in text or "omitted" in text) and _CUT.search(text) is not None
    )
    if block.get("is_error") is True:
        return _flagged(shell, text, record, truncated)
    if result.get("interrupted") is True:
        return Outcome("interrupted", None, text, truncated)
    if not shell:
        return Outcome("ok", None, text, truncated)
    if text in NO_OUTPUT:
        text = ""
    stated = _stated_code(result)
    if stated is None:
        stated = 1 if string(result.get("returnCodeInterpretation")) else 0
        return Outcome("ok", stated, text, truncated)
    return Outcome("ok" if stated == 0 else "failed", stated, text, truncated)


def _flagged(shell: bool, text: str, record: Json, truncated: bool) -> Outcome:
    status = _ending(text, record)
    code = None
    if shell:
        found = _EXIT_CODE.match(text)
        if found:
            code, text = _code(found.group(1)), text[found.end() :]
        elif status == "failed":
            code = _stated_code(obj(record.get("toolUseResult")))
    return Outcome(status, code, text, truncated)


def _ending(text: str, record: Json) -> StepStatus:
    opening = text[:OPENING].lstrip()
    for pattern, status in _ENDINGS:
        if pattern.match(opening):
            return status
    if string(record.get("toolDenialKind")):
        return "rejected"
    refused = obj(record.get("permissionDecision")).get("decision") == "reject"
    return "rejected" if refused else "failed"


def _stated_code(result: Json) -> int | None:
    code = whole(result.get("exitCode"))
    return code if code is not None else whole(result.get("exit_code"))


def _code(digits: str) -> int | None:
    return int(digits) if len(digits) <= 11 else None


def words_of_refusal(block: Json) -> str:
    """What the user said instead when refusing a call; "" when nothing, or when it was no refusal."""
    if block.get("is_error") is not True:
        return ""
    text = texts(block.get("content"))
    if not text.startswith("The user doesn't want to "):
        return ""
    return text.partition(_SAID)[2].partition(_AFTER_SAID)[0].strip()


def file_text(result: Any) -> str | None:
    """The content of a ``Read`` without the line numbers that the agent sees; ``None`` if not recorded."""
    content = obj(obj(result).get("file")).get("content")
    return content if isinstance(content, str) else None


def image_count(content: Any) -> int:
    """How many pictures and documents (a PDF) a message's content holds."""
    return sum(1 for part in array(content) if obj(part).get("type") in ("image", "document"))
