"""What Codex's shell tools were given and what they gave back, as text.

Four generations are told apart by their form, never by a version (measured on rollouts of 0.46 to 0.171):

* ``shell`` (``command`` is an argument list) answers with JSON ``{"output", "metadata": {"exit_code"}}``, or
  with a plain sentence when the sandbox stopped it.
* ``shell_command`` (``command`` is a line) answers ``Exit code: N`` and ``Output:``.
* ``exec_command`` (``cmd``) answers ``Process exited with code N`` or ``Process running with session ID N``;
  ``write_stdin`` polls answer in the same form.
* code mode prints JSON objects with ``exit_code``, ``output`` and, while it runs, ``session_id``.

Pure functions; nothing here raises on any JSON value.
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from typing import Any

from honed.sessions.fields import array, maybe, obj, string, whole
from honed.sessions.model import StepStatus
from honed.sessions.source import Json

SHELL_WRAPPERS = re.compile(
    r"(?:.*[/\\])?(?:bash|sh|zsh|dash|ksh|fish|pwsh|powershell|cmd)(?:\.exe)?\Z", re.IGNORECASE
)
SCRIPT_FLAGS = frozenset({"-lc", "-c", "-ic", "-lic", "-command", "-c:", "/c", "/s/c"})

HEADER = re.compile(
    r"(?:Command: |Chunk ID: |Wall time:? |Original token count: |Total output lines: |Exit code: |Output:"
    r"|Warning: truncated output|Process (?:exited with code|running with session ID) |Duration: )"
)
_EXIT = re.compile(r"(?:Process exited with code|Exit code:) (-?\d{1,10})\s*\Z")
_SESSION = re.compile(r"Process running with session ID (\d+)\s*\Z")
_SANDBOX_CODE = re.compile(r".{0,80}sandbox denied exec error, exit code: (-?\d{1,10})")
_OMITTED = re.compile(
    r"…\d+ (?:tokens|chars|characters|lines) truncated…|\[\.\.\. omitted \d+ (?:of \d+ )?lines"
)

PLAIN_ANSWERS: tuple[tuple[re.Pattern[str], StepStatus], ...] = tuple(
    (re.compile(r"\s*(?:" + opening + ")", re.DOTALL), status)  # type: ignore[misc]
    for opening, status in (
        (r"(?:failed in sandbox: )?(?:sandbox error: )?command was killed by a signal", "interrupted"),
        (r"(?:failed in sandbox: )?(?:sandbox error: )?command timed out", "interrupted"),
        (r"aborted by user", "interrupted"),
        (r"(?:exec[_ ]?command |command |patch |action )?(?:was )?rejected (?:by|due)", "rejected"),
        (r"This action was rejected|patch rejected|approval policy is|approval required", "rejected"),
        (r"(?:exec_command failed|execution error|failed in sandbox)\b.*?\bRejected\(", "rejected"),
        (r"Rejected\(|[\w ]{1,40} blocked by \w+ hook|blocked by \w* ?hook", "rejected"),
        (r"failed in sandbox|sandbox error", "never_ran"),
        (r"exec_command failed|execution error|failed to parse|write_stdin failed", "never_ran"),
        (r"unsupported (?:call|tool|custom)|missing field|[Uu]nknown (?:tool|process)", "never_ran"),
        (r"\w+ must be at (?:least|most) \d+\Z", "never_ran"),
        (r"apply_patch verification failed|[Ii]nvalid patch|[Ff]ailed to find expected lines", "failed"),
    )
)
"""How an answer without a head begins, and how such a call ended.  Asked in this order.  Always the
beginning: further on stands what the tool printed, which may say anything."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from a call, whatever its form.

    ``session`` is the process that goes on; ``status`` is set where the answer says more than its exit
    code does (rejected, killed, never ran).
    """

    text: str = ""
    exit_code: int | None = None
    session: str | None = None
    status: StepStatus | None = None
    truncated: bool = False


def script_of(command: Any) -> str:
    """The command line a person would recognise: ``["bash", "-lc", "make test"]`` is ``make test``."""
    if isinstance(command, str):
        return command
    words = [word for word in array(command) if isinstance(word, str)]
    if len(words) >= 3 and SHELL_WRAPPERS.match(words[0]):
        for at, word in enumerate(words[1:-1], 1):
            if word.lower() in SCRIPT_FLAGS:
                return words[-1] if at == len(words) - 2 else " ".join(words[at + 1 :])
    return shlex.join(words)


def argument_object(arguments: Any) -> Json:
    """The arguments of a call, which come as JSON text or as an object."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return {}
    return obj(arguments)


def command_of(arguments: Json) -> tuple[str, str | None]:
    """Command line and working directory of a shell call of any generation."""
    command = arguments.get("cmd")
    if command is None:
        command = arguments.get("command")
    folder = maybe(arguments.get("workdir")) or maybe(arguments.get("working_directory"))
    return script_of(command), folder or folder_of(arguments.get("cwd"))


def folder_of(value: Any) -> str | None:
    """A path out of a ``cwd`` field, which newer clients write as a ``file://`` address."""
    path = maybe(value)
    if path is not None and path.startswith("file://"):
        path = path[len("file://") :]
        if re.match(r"/[A-Za-z]:", path):
            path = path[1:]
        if "%" in path:
            from urllib.parse import unquote

            path = unquote(path)
    return path or None


def output_text(output: Any) -> str:
    """The text of an output: a string, a list of content items, or ``{"content": ...}``."""
    if isinstance(output, str):
        return output
    if isinstance(output, dict):
        return output_text(output.get("content"))
    return "\n".join(text for text in output_items(output) if text)


def output_items(output: Any) -> list[str]:
    """Each text item of an output, empty ones too: in code mode each is one thing the script printed."""
    if isinstance(output, str):
        return [output]
    return [string(obj(item).get("text")) for item in array(output) if obj(item).get("type") != "input_image"]


def answer_of(output: Any) -> Answer:
    """Read the output of a direct call (not of a code-mode script)."""
    if isinstance(output, dict) and "content" in output:
        plain = answer_of(output.get("content"))
        if output.get("success") is False and plain.exit_code is None and plain.status is None:
            return Answer(plain.text, None, None, "failed", plain.truncated)
        return plain
    text = output_text(output)
    if text.startswith("{"):
        printed = printed_answer(text)
        if printed is not None:
            return printed
    if HEADER.match(text):
        return _headed(text)
    return plain_answer(text)


_USUAL_HEAD = re.compile(
    r"(?:Chunk ID: \w+\n)?(?:Exit code: (-?\d{1,10})\n)?Wall time: [\d.]+ seconds\n"
    r"(?:Process exited with code (-?\d{1,10})\n|Process running with session ID (\d+)\n)?"
    r"(?:Original token count: \d+\n)?(Total output lines: \d+\n)?Output:\n"
)
"""The head in the order in which clients write it, as one pattern: nearly every answer has it."""


def _headed(text: str) -> Answer:
    """An answer that begins with lines of facts, closed by ``Output:``; a patch may have two such heads."""
    code: int | None = None
    session: str | None = None
    truncated = False
    while code is None and session is None:
        if usual := _USUAL_HEAD.match(text):
            text = text[usual.end() :]
            written = usual[1] or usual[2]
            code, session = (int(written) if written else None), usual[3]
            truncated = truncated or usual[4] is not None
        else:
            head, text = _cut_head(text)
            for line in head:
                if match := _EXIT.match(line):
                    code = int(match[1])
                elif match := _SESSION.match(line):
                    session = match[1]
                elif line.startswith(("Total output lines", "Warning: truncated")):
                    truncated = True
        if not text.startswith(("Exit code: ", "Wall time: ")):
            break
    status: StepStatus | None = None
    if code is None and session is None:
        status = plain_answer(text).status
    elif code in _KILLED and _TIMED_OUT.search(text[:200]):
        status = "interrupted"
    return Answer(text, code, session, status, truncated or is_clipped(text))


_KILLED = frozenset({124, 130, 137, 143, -1})
_TIMED_OUT = re.compile(r"command timed out after|aborted by user|killed by a signal")


def _cut_head(text: str) -> tuple[list[str], str]:
    """The head's lines and what follows.  A ``Command:`` line may itself hold line breaks."""
    if text.startswith("Command: "):
        for mark in ("\nChunk ID: ", "\nWall time: "):
            at = text.find(mark)
            if at >= 0:
                text = text[at + 1 :]
                break
    lines: list[str] = []
    while len(lines) < 12:
        line, newline, rest = text.partition("\n")
        if not HEADER.match(line):
            break
        lines.append(line)
        text = rest
        if line.rstrip() == "Output:" or not newline:
            break
    return lines, text


def plain_answer(text: str) -> Answer:
    """An answer without a head: an error of the client, or the output of a tool that is no shell."""
    if match := _SANDBOX_CODE.match(text):
        return Answer(text, int(match[1]), None, None, is_clipped(text))
    for pattern, status in PLAIN_ANSWERS:
        if pattern.match(text):
            return Answer(text, None, None, status)
    return Answer(text, truncated=is_clipped(text))


def printed_answer(text: str) -> Answer | None:
    """The answer in a JSON object that a tool or a script printed, ``None`` if it is no such object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return answer_in(value)


def answer_in(value: Any) -> Answer | None:
    """The answer that a JSON object holds, in the forms of ``shell`` and of code mode."""
    found = obj(value)
    if found.get("status") == "fulfilled":
        found = obj(found.get("value"))
    elif found.get("status") == "rejected" and "reason" in found:
        reason = found["reason"]
        text = reason if isinstance(reason, str) else string(obj(reason).get("message")) or json.dumps(reason)
        return Answer(text, None, None, plain_answer(text).status or "failed")
    metadata = obj(found.get("metadata"))
    code = whole(found.get("exit_code", metadata.get("exit_code")))
    session = found.get("session_id")
    if isinstance(session, bool) or not isinstance(session, int | str):
        session = None
    known = code is not None or session is not None or "chunk_id" in found or metadata
    if "output" not in found or not known:
        return None
    text = string(found.get("output"))
    timed_out = code in _KILLED and _TIMED_OUT.search(text[:200])
    status: StepStatus | None = "interrupted" if timed_out else None
    running = str(session) if session is not None and code is None else None
    return Answer(text, code, running, status, is_clipped(text))


def is_clipped(text: str) -> bool:
    """Whether the client left something out of this output."""
    if text.startswith(("Warning: truncated output", "Total output lines: ")):
        return True
    return ("truncated…" in text or "[... omitted " in text) and _OMITTED.search(text) is not None


def status_of(code: int | None, said: StepStatus | None, default: StepStatus) -> StepStatus:
    """How a call ended: what was said beats the exit code, the exit code beats ``default``."""
    if said is not None:
        return said
    if code is None:
        return default
    if code == -1:
        return "interrupted"
    return "ok" if code == 0 else "failed"
