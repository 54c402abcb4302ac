"""Code mode: which of the printed lines of a program belongs to which of its calls?

``bind`` goes by the program's ``text(...)`` calls where their number is that of the printed items, else by
the order of both.  Where neither tells, every call gets the whole text and no exit code: a text may belong
to another call, an exit code may not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from honed.sessions.codex_program import MAX_RUNS
from honed.sessions.codex_script import Script
from honed.sessions.codex_shell import Answer, answer_in, is_clipped, printed_answer
from honed.sessions.fields import string, whole


def bind(script: Script, items: Sequence[str]) -> list[Answer]:
    """For each call of ``script`` what was printed of it; see the module's words on what cannot be told."""
    calls = script.calls
    shown: list[Answer | None] = [None] * len(calls)
    if len(script.prints) == len(items) and any(printed.calls for printed in script.prints):
        for item, printed in zip(items, script.prints, strict=True):
            indexes = printed.calls or (range(1) if len(calls) == 1 else ())
            values = _parts(item, len(indexes))
            for index, value in zip(indexes, values, strict=True):
                answer = _printed(value, printed.source if len(indexes) == 1 else "")
                shown[index] = _merge(shown[index], answer)
    else:
        values = _parts(items[0], len(calls)) if len(items) == 1 else list(items)
        if len(values) == len(calls):
            shown = [_printed(value, "") for value in values]
        elif len(calls) == 1:
            for item in items:
                shown[0] = _merge(shown[0], _printed(item, ""))
        else:
            whole_text = "\n".join(items)
            shown = [Answer(whole_text, truncated=is_clipped(whole_text))] * len(calls)
    return [answer or Answer() for answer in shown]


def _parts(item: str, count: int) -> list[Any]:
    """The results in one printed item: a JSON list or object of ``count`` of them, else the item for each."""
    if count > 1:
        value = _json(item) or _documents(item)
        listed = list(value.values()) if isinstance(value, dict) else value
        if isinstance(listed, list) and len(listed) == count and all(isinstance(v, dict) for v in listed):
            return listed
    return [item] * count


def _documents(text: str) -> list[Any]:
    """The JSON objects in a text that is nothing but such objects, one behind the other."""
    found: list[Any] = []
    at = 0
    while text.startswith("{", at) and len(found) < MAX_RUNS:
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        found.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    return found if at >= len(text) else []


def _json(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _printed(item: Any, source: str) -> Answer:
    """One printed item as an answer: a JSON object with an exit code, or plain text.

    ``source`` is the argument of the ``text(...)`` that printed it, if it shows this one result.
    """
    output_only = ".output" in source and "exit_code" not in source  # JSON in it is the command's own
    value = _json(item) if isinstance(item, str) and not output_only else item
    if isinstance(value, dict):
        answer = answer_in(value)
        if answer is not None:
            return answer
        field = _CODE_FIELD.search(source)
        code = whole(value.get(field[1] if field else "exit_code"))
        text = string(value.get("output")) or (item if isinstance(item, str) else json.dumps(item))
        return Answer(text, code, None, None, is_clipped(text))
    text = item if isinstance(item, str) else json.dumps(item)
    clipped = None if output_only else _CLIPPED_RESULT.match(text)
    if clipped:
        answer = printed_answer(text[clipped.start(1) : clipped.end(1)] + '"}')
        if answer is not None:
            shown = text[clipped.end(1) :].replace("\\n", "\n")
            return Answer(shown, answer.exit_code, answer.session, answer.status, True)
    code = _code_in(text, source)
    running = _SESSION_WORD.search(text[:200]) if code is None and "session_id" in source else None
    return Answer(text, code, running[1] if running else None, None, is_clipped(text))


_CLIPPED_RESULT = re.compile(
    r"(?:Warning: truncated[^\n]*\n)?(?:Total output lines: [^\n]*\n)?\s*"
    r"(\{(?:\"\w{1,40}\":(?:\"[^\"\\]{0,200}\"|[\w.+-]{1,40}),){0,9}\"output\":\")"
)
"""A printed result whose output was cut in the middle, so that it is no JSON any more; its head still is."""

_DECODER = json.JSONDecoder()

_CODE_FIELD = re.compile(r"([\w$]+)\s*:\s*[\w$.\[\]?]+\.exit_code\b")
_SESSION_WORD = re.compile(r"\bsession(?:[_ ]?id)?\W{1,3}(\d+)\b", re.IGNORECASE)
_CODE_WORD = re.compile(
    r"[^\n]{0,40}?exit(?:[_ ]?code|[_ ]?status|ed with code)?\s*[:=]?\s*(-?\d+)\b", re.IGNORECASE
)


def _code_in(text: str, source: str) -> int | None:
    """The exit code in a line that the program composed itself: ``text(`exit ${r.exit_code}\\n...`)``."""
    at = source.find("exit_code")
    if at < 0:
        return None
    output_at = source.find(".output")
    if output_at < 0 or at < output_at:
        first = text.lstrip()[:80]
        match = _CODE_WORD.match(first) or re.match(r"\[?(-?\d+)\]?(?:\s|\Z)", first)
    else:
        last = text.rstrip().rpartition("\n")[2][-80:]
        match = _CODE_WORD.match(last) or re.fullmatch(r"\s*\[?(-?\d+)\]?\s*", last)
    return int(match[1]) if match else None


def _merge(before: Answer | None, after: Answer) -> Answer:
    if before is None:
        return after
    text = "\n".join(part for part in (before.text, after.text) if part)
    code = after.exit_code if after.exit_code is not None else before.exit_code
    session = None if code is not None else after.session or before.session
    return Answer(text, code, session, after.status or before.status, before.truncated or after.truncated)
