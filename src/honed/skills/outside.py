"""What an agent read in a task that is not the owner's own text: the web, tools of others, dependencies.

A text that was written after such a reading may say what the reading told the agent to say (a page, an issue,
the README of a package).  So a task with one is *tainted*, with the step that says so, and what it teaches is
never told as honed's own words.  A table of readers; pure.  Sources: the clients' lists of tools (see
``sessions``) and each program's own manual page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from honed.sessions.model import Request, Step
from honed.verdict.launchers import unwrap
from honed.verdict.model import Task
from honed.verdict.shell import parsed
from honed.verdict.unwrapping import program


@dataclass(frozen=True, slots=True)
class Outside:
    """One reading from outside: what ``kind`` (a word of ``KINDS``), the ``step`` (a request's id for an
    attachment), and ``what`` was read, as far as it is known."""

    kind: str
    step: str
    what: str


KINDS: Mapping[str, str] = {
    "web": "a page or a search of the web",
    "tool": "a tool of an MCP server",
    "issue": "an issue, a pull request or another text of a forge",
    "download": "what was fetched over the network",
    "dependency": "a file of a dependency",
    "attachment": "an attachment of a request",
    "pack": "a text of a pack or a plugin",
    "agent": "what another agent told, of which is not known what it had read",
    "skill": "a skill that is tainted itself",
    "note": "a text of an agent's or an import's that nobody approved",
}
"""Why a task is tainted, in words."""

_OWN_SERVER = re.compile(r"(?:honed|ide|plugin_honed_\w+|honed_memory_\w+)$")
"""MCP servers that tell nothing from outside: honed's own memory (framed, with grades), and the editor."""
_NEVER_RAN = ("rejected", "never_ran")

# Files of others

_OTHERS_FOLDERS = (
    "node_modules bower_components jspm_packages .pnpm-store .yarn site-packages dist-packages vendor"
    " third_party third-party 3rdparty Pods Carthage .cargo/registry .cargo/git .rustup/toolchains"
    " pkg/mod .m2/repository .gradle/caches .ivy2 .nuget/packages .gem gems .bundle .pub-cache deps/hex"
)
_PLUGIN_FOLDERS = (
    ".claude/plugins .codex/plugins .cursor/extensions .vscode/extensions"
    " .opencode/plugins .gemini/extensions"
)


def _below(folders: str) -> re.Pattern[str]:
    names = "|".join(re.escape(name).replace("/", r"[/\\]") for name in folders.split())
    return re.compile(rf"(?:^|[/\\])(?:{names})[/\\]")


_OTHERS = _below(f"{_OTHERS_FOLDERS} {_PLUGIN_FOLDERS}")
_PLUGINS = _below(_PLUGIN_FOLDERS)
_FOUND_LINE = re.compile(r"^([^\s:]{2,300}):(?:\d+[:\-])?", re.MULTILINE)
"""A line of a search: file, number, text."""

# Programs

_READERS = frozenset(
    "cat bat less more head tail sed awk grep egrep fgrep rg ag ack jq yq xxd strings nl diff get-content gc"
    " type select-string sls".split()
)
"""Programs that show what is in files."""
_SEARCHERS = frozenset("grep egrep fgrep rg ag ack".split())
"""Of those, the ones whose first word is no file; a folder is read with all that is in it."""
_FETCHERS = frozenset(
    "curl wget http https xh aria2c lynx w3m links elinks httpie fetch iwr irm invoke-webrequest"
    " invoke-restmethod yt-dlp scp sftp rsync ftp".split()
)
_FILE_COPIERS = frozenset("scp sftp rsync".split())
"""Of those, the ones that copy between folders too; an address has a colon."""
_FORGES = frozenset("gh glab hub tea".split())
_NO_TEXT = frozenset(
    "number url state isDraft id mergeable mergeStateStatus statusCheckRollup headRefName baseRefName"
    " createdAt updatedAt closedAt mergedAt headRefOid additions deletions changedFiles reviewDecision"
    " nameWithOwner name owner defaultBranchRef visibility".split()
)
"""Fields that `gh --json` gives and nobody writes freely."""
_FORGE_TEXTS: Mapping[str, frozenset[str]] = {
    "issue": frozenset("view list status".split()),
    "pr": frozenset("view list status diff".split()),
    "mr": frozenset("view list diff".split()),
    "release": frozenset({"view", "list"}),
    "gist": frozenset({"view", "list", "clone"}),
    "discussion": frozenset({"view", "list"}),
    "search": frozenset("issues prs code commits repos".split()),
    "repo": frozenset({"view", "clone"}),
}
_ASKING: Mapping[str, frozenset[str]] = {
    "npm": frozenset("view info show v search docs".split()),
    "pnpm": frozenset("view info show".split()),
    "yarn": frozenset({"info"}),
    "cargo": frozenset({"search", "info"}),
    "gem": frozenset({"search", "info", "contents"}),
    "pip": frozenset({"search", "index"}),
    "brew": frozenset({"info", "search", "desc"}),
    "composer": frozenset({"show", "search"}),
    "go": frozenset({"doc"}),
}
"""Programs that show what others wrote of a package, by their first word."""
_HERE = re.compile(
    r"^(?:https?://)?(?:[\w.-]*@)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|10(?:\.\d+){3}|192\.168(?:\.\d+){2}"
    r"|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[?::1?\]?|host\.docker\.internal"
    r"|[\w-]+\.(?:localhost|local|test|internal))(?:[:/?#]|$)",
    re.IGNORECASE,
)
"""Addresses of this machine and its own network."""
_ADDRESS = re.compile(r"https?://\S+|^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/|$)", re.IGNORECASE)


def outside_reads(task: Task) -> Iterator[Outside]:
    """What the agent read from outside in ``task``, in order."""
    for request in task.requests:
        yield from _attached(request)
    seen = any(step.actor == "subagent" for step in task.steps)
    for step in task.steps:
        if step.kind == "agent" and not seen and step.output.strip() and step.status not in _NEVER_RAN:
            yield Outside("agent", step.id, step.tool)
        elif step.status not in _NEVER_RAN and step.actor in ("agent", "subagent"):
            found = _BY_KIND.get(step.kind)
            yield from found(step) if found is not None else ()


def taint_of(task: Task) -> str:
    """Why a task is tainted, as a draft keeps it (see ``told``), empty for no reason."""
    first = next(outside_reads(task), None)
    return told(first) if first is not None else ""


def told(one: Outside) -> str:
    """A reading in one line: kind, step, and what was read."""
    return " ".join(part for part in (one.kind, one.step, " ".join(one.what.split())[:120]) if part)


def in_words(taint: str) -> str:
    """What ``told`` says, for people."""
    kind, _, rest = taint.partition(" ")
    step, _, what = rest.partition(" ")
    return (
        f"{KINDS.get(kind, kind)}{f' ({what})' if what else ''}, in step {step}"
        if rest
        else KINDS.get(kind, kind)
    )


def _attached(request: Request) -> Iterator[Outside]:
    if request.images:
        yield Outside("attachment", request.id, f"{request.images} image{'s' if request.images > 1 else ''}")


def _web(step: Step) -> Iterator[Outside]:
    if not _HERE.match(step.query.strip()):
        yield Outside("web", step.id, step.query or step.tool)


def _mcp(step: Step) -> Iterator[Outside]:
    server = re.split(r"__|[./:]", re.sub(r"^mcp_{1,2}", "", step.tool))[0]
    if not _OWN_SERVER.match(server):
        yield Outside("tool", step.id, step.tool)


def _skill(step: Step) -> Iterator[Outside]:
    # A name with a colon is one of a plugin; those without are the owner's or the project's own.
    if ":" in step.query.strip("/ "):
        yield Outside("pack", step.id, step.query)


def _read(step: Step) -> Iterator[Outside]:
    for path in step.reads:
        if _OTHERS.search(path):
            yield _file(step, path)


def _search(step: Step) -> Iterator[Outside]:
    yield from _read(step)
    yield from _shown(step)


def _shown(step: Step) -> Iterator[Outside]:
    """Lines of others' files in what a search printed."""
    for found in _FOUND_LINE.finditer(step.output):
        if _OTHERS.search(found[1]):
            yield _file(step, found[1])
            return


def _file(step: Step, path: str) -> Outside:
    return Outside("pack" if _PLUGINS.search(path) else "dependency", step.id, path)


def _shell(step: Step) -> Iterator[Outside]:
    _, commands = parsed(step.command or "")
    for command in commands:
        argv = unwrap(command.simple.argv).argv
        if argv:
            name = program(argv[0])
            found = _of_program(name, argv[1:])
            if found is not None:
                yield Outside(found[0], step.id, found[1])
            elif name in _READERS or (name == "git" and "grep" in argv[1:3]):
                yield from _read_by(step, name, argv[1:])


def _read_by(step: Step, name: str, words: tuple[str, ...]) -> Iterator[Outside]:
    plain = [word for word in words if not word.startswith(("-", "!"))]
    if name in _SEARCHERS:
        # The first word is what is looked for, unless an option names it.
        plain = plain[0 if {"-e", "-f"} & set(words) else 1 :]
    for word in plain:
        if "*" not in word and _OTHERS.search(word if name not in _SEARCHERS else f"{word}/"):
            yield _file(step, word)
            return
    yield from _shown(step)


def _of_program(name: str, words: tuple[str, ...]) -> tuple[str, str] | None:
    """The kind of reading that a program does, and of what."""
    if name in _FETCHERS:
        return _fetched(name, words)
    if name in _FORGES:
        return _of_forge(name, words)
    plain = [word for word in words if not word.startswith("-")]
    first = plain[0] if plain else ""
    if name == "git" and first in ("clone", "submodule"):
        return ("download", " ".join(plain[:3])) if first == "clone" or "update" in plain else None
    return ("download", f"{name} {' '.join(plain[:2])}") if first in _ASKING.get(name, ()) else None


def _fetched(name: str, words: tuple[str, ...]) -> tuple[str, str] | None:
    if name in _FILE_COPIERS:
        far = next((word for word in words if re.match(r"^[\w.@-]{2,}:", word)), "")
        return ("download", far) if far else None
    addresses = [word for word in words if _ADDRESS.search(word)]
    if any(not _HERE.match(word) for word in addresses):
        return "web", next(word for word in addresses if not _HERE.match(word))
    here = any(_HERE.match(word) for word in words)
    if here or {"--version", "--help", "-V", "-h"} & set(words) or not words:
        return None
    # An address in a variable or a file may be any.
    return "web", " ".join(words)


def _of_forge(name: str, words: tuple[str, ...]) -> tuple[str, str] | None:
    plain = [word for word in words if not word.startswith("-")]
    if plain[:1] == ["api"]:
        return "issue", f"{name} {' '.join(plain[:2])}"
    if len(plain) < 2 or plain[1] not in _FORGE_TEXTS.get(plain[0], ()):
        return None
    fields = next((words[at + 1] for at, word in enumerate(words[:-1]) if word == "--json"), "")
    if fields and set(fields.split(",")) <= _NO_TEXT:
        return None
    return "issue", f"{name} {' '.join(plain[:3])}"


_BY_KIND: Mapping[str, Callable[[Step], Iterator[Outside]]] = {
    "web": _web,
    "mcp": _mcp,
    "skill": _skill,
    "read": _read,
    "search": _search,
    "shell": _shell,
}
"""What a step of each kind may have read.  Which tool of which client is of which kind is in ``sessions``."""
