"""Cursor's agent transcripts: JSON lines ``{role, message{content[text|tool_use]}}``.

They hold no results, no times, no ids, no directory.  So every step has the status ``unknown`` and its
edits count as changes that may have happened; a run of tests proves nothing here.  What the user typed
stands in ``<user_query>``, beside files and pages that Cursor attached.  Sessions that honed captured
through Cursor's hooks are in its own format (``native``) and hold all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from honed.sessions.calls import (
    Outcome,
    Place,
    Tool,
    begin,
    finish,
    first_of,
    replaced,
    session_end,
    written,
)
from honed.sessions.codex_patch import changes_of_patch
from honed.sessions.fields import array, maybe, obj, string, texts
from honed.sessions.model import Event, FileChange, SessionStart
from honed.sessions.prompts import Said, requests
from honed.sessions.source import Json, Record

if TYPE_CHECKING:
    from honed.sessions.reading import Context


def _path(arguments: Json) -> str:
    return first_of(arguments, "path", "file_path", "target_file", "target_notebook")


def _replace(arguments: Json) -> tuple[FileChange, ...]:
    path = _path(arguments)
    edit = (first_of(arguments, "old_string", "old_str"), first_of(arguments, "new_string", "new_str"))
    return (replaced(path, [edit]),) if path else ()


def _write(arguments: Json) -> tuple[FileChange, ...]:
    path, content = _path(arguments), first_of(arguments, "contents", "content", "code_edit")
    return (written(path, content, new=False),) if path else ()


def _delete(arguments: Json) -> tuple[FileChange, ...]:
    path = _path(arguments)
    return (FileChange(path, "delete"),) if path else ()


def _patch(arguments: Json) -> tuple[FileChange, ...]:
    return changes_of_patch(first_of(arguments, "patch", "input"))


SHELL = Tool("shell", command="command", cwd="working_directory", background="is_background")
REPLACE = Tool("edit", changes=_replace)
WRITE = Tool("edit", changes=_write)
DELETE = Tool("edit", changes=_delete)
READ = Tool("read", reads=("path", "target_file", "file_path"))
SEARCH = Tool("search", query=("query", "pattern", "glob_pattern", "path", "target_directory"))
AGENT = Tool("agent", query=("prompt",))
PLAN = Tool("plan")
TOOLS = {
    "shell": SHELL,
    "run_terminal_cmd": SHELL,
    "run_terminal_command": SHELL,
    "strreplace": REPLACE,
    "search_replace": REPLACE,
    "editnotebook": REPLACE,
    "edit_notebook": REPLACE,
    "write": WRITE,
    "edit_file": WRITE,
    "delete": DELETE,
    "delete_file": DELETE,
    "applypatch": Tool("edit", changes=_patch),
    "apply_patch": Tool("edit", changes=_patch),
    "read": READ,
    "read_file": READ,
    "grep": SEARCH,
    "grep_search": SEARCH,
    "glob": SEARCH,
    "file_search": SEARCH,
    "glob_file_search": SEARCH,
    "semanticsearch": SEARCH,
    "codebase_search": SEARCH,
    "ls": SEARCH,
    "list_dir": SEARCH,
    "websearch": Tool("web", query=("search_term", "query")),
    "web_search": Tool("web", query=("search_term", "query")),
    "webfetch": Tool("web", query=("url",)),
    "task": AGENT,
    "subagent": AGENT,
    "todowrite": PLAN,
    "todo_write": PLAN,
    "askquestion": PLAN,
    "switchmode": PLAN,
    "create_plan": PLAN,
}
MCP = Tool("mcp")
OTHER = Tool("other")

ATTACHED = re.compile(
    r"<(external_links|attached_files|open_and_recently_viewed_files|user_info|git_status|rules"
    r"|project_layout|agent_skills|additional_data|linter_errors|terminal_files_information)\b[^>]*>"
    r".*?</\1>",
    re.DOTALL,
)
"""What Cursor puts beside the user's words."""

_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def recognises(head: Sequence[Json]) -> bool:
    """Whether every record is bare ``{role, message{content}}``, as Cursor's agent writes."""
    return bool(head) and all(
        set(record) == {"role", "message"}
        and record["role"] in ("user", "assistant")
        and isinstance(obj(record["message"]).get("content"), list | str)
        for record in head
    )


def read(records: Iterator[Record], context: Context) -> Iterator[Event]:
    """The events of the session.  The id is the UUID in the file's name: the content has none."""
    named = _UUID.search(context.name)
    start = SessionStart(named[0] if named else context.name.removesuffix(".jsonl") or "cursor", "cursor")
    yield start
    ordinals = count(context.first_ordinal)
    for record in records:
        content = obj(record.value.get("message")).get("content")
        identity = f"{start.id}:{record.line}"
        if record.value.get("role") == "user":
            said = Said(identity, _typed(texts(content)), record.line, record.offset, heard=texts(content))
            yield from requests(said, ordinals)
            continue
        calls = []
        for number, part in enumerate(map(obj, array(content))):
            if part.get("type") == "tool_use":
                name = string(part.get("name"))
                arguments = part.get("input")
                given = {"input": arguments} if isinstance(arguments, str) else obj(arguments)
                tool = TOOLS.get(name.lower(), MCP if "mcp" in name.lower() else OTHER)
                place = Place(next(ordinals), record.line)
                calls.append(begin(maybe(part.get("id")) or f"{identity}:{number}", name, tool, given, place))
        for call in calls:
            yield finish(call, Outcome("unknown"), next(ordinals))
    yield session_end(context.tally)


def _typed(text: str) -> str:
    queries = _QUERY.findall(text)
    return "\n\n".join(queries) if queries else ATTACHED.sub("", text)
