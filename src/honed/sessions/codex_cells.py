"""One code-mode program while it runs: its calls, what it printed so far, and how it ended."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from honed.sessions.codex_bind import bind
from honed.sessions.codex_script import Script, ScriptCall, read_script
from honed.sessions.codex_shell import Answer, output_items, plain_answer
from honed.sessions.codex_tools import Call
from honed.sessions.model import StepStatus

_HEAD = re.compile(
    r"Script (?P<how>completed|failed|terminated|running with cell ID (?P<cell>[^\s]+))[^\n]*\n?"
    r"(?:Wall time[^\n]*\n?)?(?:(?:Output|Error|Script error):[^\n]*\n?)?"
)
_ERROR_MARK = re.compile(r"\A\s*(?:Script error|Error|Uncaught \w*):?\s*")
SOURCE_LIMIT = 400_000
"""Characters of a program that are read; longer ones are data."""

Result = tuple[Call, Answer, StepStatus | None]


class Cell:
    """A program between its call and its last output."""

    __slots__ = ("_extra", "_how", "_items", "at", "calls", "id", "line", "script")

    def __init__(self, call_id: str, line: int, at: str | None, source: str) -> None:
        self.id = call_id
        self.line = line
        self.at = at
        self.script: Script = read_script(source[:SOURCE_LIMIT])
        self.calls: list[Call] = []
        self._extra: list[Call] = []
        self._items: list[str] = []
        self._how = "aborted"

    @property
    def steps_expected(self) -> int:
        """How many steps the program's own text shows: its calls without the polls."""
        return sum(call.tool != "write_stdin" for call in self.script.calls)

    def add(self, call: Call) -> None:
        """A call that the client recorded and the program's text does not show."""
        self._extra.append(call)

    def untold(self, kind: str, wanted: str) -> Call | None:
        """The first call of ``kind`` that fits a record of ``wanted`` (a command, paths, a tool's name)."""
        waiting = [call for call in self.calls if call.told is None and call.tool != "write_stdin"]
        if kind == "edit":
            edits = [call for call in waiting if call.kind == "edit"]
            named = [call for call in edits if any(_same_file(c.path, wanted) for c in call.changes)]
            return next(iter(named or [call for call in edits if not call.changes]), None)
        if kind == "shell":
            shells = [call for call in waiting if call.kind == "shell"]
            same = [call for call in shells if (call.command or "").strip() == wanted.strip()]
            return next(iter(same or [call for call in shells if not call.command]), None)
        fits = (
            call for call in waiting if call.kind == kind and (kind == "web" or _same_tool(call.tool, wanted))
        )
        return next(fits, None)

    def take(self, output: Any) -> str | None:
        """Take an output of the program; the cell's id while it runs on, ``None`` when it has ended."""
        items = output_items(output)
        head = _HEAD.match(items[0]) if items else None
        if head is None:
            self._items += items
            return None
        rest = items[0][head.end() :]
        self._items += ([rest] if rest.strip() else []) + items[1:]
        if head["cell"]:
            return head["cell"]
        self._how = head["how"]
        return None

    def results(self) -> list[Result]:
        """Each call with what came back of it, and how it ended where only the program's end tells that."""
        found: list[Result] = []
        if self._how == "completed":
            for call, answer in zip(self.calls, self._bound(), strict=True):
                if not self._replaced(call):
                    found.append((call, answer, None))
        else:
            found = self._broken_off()
        found += [(call, Answer(), None) for call in self._extra]
        return found

    def _bound(self) -> list[Answer]:
        """What was printed of each call; a poll of an unwritten process belongs to the call before it."""
        answers = bind(self.script, self._items)
        shells = -1
        for index, (call, written) in enumerate(zip(self.calls, self.script.calls, strict=True)):
            if call.tool == "write_stdin" and not call.session:
                if shells >= 0:
                    answers[shells] = _later(answers[shells], answers[index])
            elif call.kind == "shell" and _fits(written, self.script.calls, index):
                shells = index
        return answers

    def _replaced(self, call: Call) -> bool:
        """Whether ``call`` is a poll within the program, or a pattern whose real calls were recorded."""
        if call.tool == "write_stdin":
            return not call.session
        if call.told is not None or not any(extra.kind == call.kind for extra in self._extra):
            return False
        return call.kind == "shell" and "${" in (call.command or "${")

    def _broken_off(self) -> list[Result]:
        """The program failed or was stopped: calls before the one that failed came back, later ones not."""
        text = "\n".join(item for item in self._items if item)
        error = _ERROR_MARK.sub("", self._items[-1] if self._items else "")
        calls = [call for call in self.calls if call.tool != "write_stdin" or call.session]
        said = plain_answer(error).status
        if self._how != "failed":
            default: StepStatus = (
                "interrupted" if self._how != "aborted" or said == "interrupted" else "unknown"
            )
            said = said or default
            return [(call, Answer(text, status=None if call.told else said), default) for call in calls]
        shown = self._shown_before_the_end()
        culprit = _culprit(calls, error, shown)
        found: list[Result] = []
        for index, call in enumerate(calls):
            if call.told is not None:
                found.append((call, Answer(), None))
            elif id(call) in shown and index != culprit:
                found.append((call, shown[id(call)], None))
            elif culprit is None:
                found.append((call, Answer(text), "unknown"))
            elif index < culprit:
                found.append((call, Answer(), "unknown" if call.kind == "shell" else "ok"))
            elif index == culprit:
                found.append((call, Answer(text, status=said or "failed"), "failed"))
            else:
                found.append((call, Answer(), "never_ran"))
        return found

    def _shown_before_the_end(self) -> dict[int, Answer]:
        """What a program that failed had printed of its calls before (by identity of the call)."""
        printed = len(self._items) - 1
        prints = self.script.prints[:printed]
        if printed < 1 or len(prints) < printed or not any(item.calls for item in prints):
            return {}
        answers = bind(replace(self.script, prints=prints), self._items[:printed])
        return {id(call): a for call, a in zip(self.calls, answers, strict=True) if a != Answer()}

    def unfinished(self) -> list[Call]:
        """The calls of a program that never came back."""
        return [call for call in (*self.calls, *self._extra) if call.tool != "write_stdin"]


def _culprit(calls: list[Call], error: str, shown: dict[int, Answer]) -> int | None:
    """Which call made the program fail, by what the error says; ``shown`` holds those that came back."""
    if len(calls) == 1:
        return 0
    if "apply_patch" in error or "patch" in error[:80]:
        edits = [index for index, call in enumerate(calls) if call.kind == "edit"]
        named = [i for i in edits if any(change.path in error for change in calls[i].changes)]
        return next(iter(named or edits), None)
    if error.startswith(("exec_command failed", "Rejected(")):
        shells = [i for i, call in enumerate(calls) if call.kind == "shell" and id(call) not in shown]
        named = [i for i in shells if "`" in error and (calls[i].command or "`") in error]
        return next(iter(named or shells), None)
    return None


def _fits(written: ScriptCall, calls: tuple[ScriptCall, ...], index: int) -> bool:
    """Whether a later poll without a written process can be of this call: it keeps its result."""
    later = [call for call in calls[index + 1 :] if call.tool == "write_stdin"]
    names = {name for call in later for name in (*call.held_in, *call.listed_in)}
    return not names or bool(names.intersection((*written.held_in, *written.listed_in))) or len(calls) == 2


def _later(before: Answer, after: Answer) -> Answer:
    text = "".join(part for part in (before.text, after.text) if part)
    code = after.exit_code if after.exit_code is not None else before.exit_code
    session = None if code is not None else after.session or before.session
    return Answer(text, code, session, after.status or before.status, before.truncated or after.truncated)


def _same_file(path: str, wanted: str) -> bool:
    return path in wanted or any(word.endswith("/" + path) for word in wanted.split())


def _same_tool(tool: str, wanted: str) -> bool:
    plain = re.sub(r"\W+|_+", "", wanted).lower()
    return re.sub(r"\W+|_+", "", tool).lower() == plain
