"""What a command line shows of what others wrote: the programs that fetch, and those that read files.

A table of programs; pure.  Sources: each program's own manual page.  ``outside`` says what comes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from honed.sessions.model import Step
from honed.skills.others import joined, kind_of, named
from honed.skills.outside_copies import Copies
from honed.verdict.launchers import unwrap
from honed.verdict.shell import Command, parsed
from honed.verdict.unwrapping import program

_FOUND_LINE = re.compile(r"^([^\s:]{2,300}):(?:\d+[:\-])?", re.MULTILINE)
"""A line of a search: file, number, text."""

# Programs

_READERS = frozenset(
    "cat bat less more head tail sed awk grep egrep fgrep rg ag ack jq yq xxd strings nl diff get-content gc"
    " type select-string sls".split()
)
"""Programs that show what is in files."""
_TAKES_FILES = _READERS | frozenset("ls tree find fd du wc stat cp mv tar zip open source".split())
"""Programs whose words are files and folders, whatever they do with them."""
_SEARCHERS = frozenset("grep egrep fgrep rg ag ack".split())
"""Of those, the ones whose first word is no file; a folder is read with all that is in it."""
_FETCHERS = frozenset(
    "curl wget http https xh aria2c lynx w3m links elinks httpie fetch iwr irm invoke-webrequest"
    " invoke-restmethod yt-dlp scp sftp rsync ftp".split()
)
_INTERPRETERS = frozenset("python python3 node ruby perl php deno bun tsx ts-node".split())
_FETCHES = re.compile(
    r"\b(?:requests|httpx|aiohttp|urllib\d?|urlopen|urlretrieve|fetch|axios|got|https?\.(?:get|request)|Net::HTTP"
    r"|open-uri|URI\.open|LWP|HTTParty|Faraday|file_get_contents|curl(?:_init|_exec)?)\b"
)
_OPENS = re.compile(
    r"\b(?:open|read_text|read_bytes|readFile(?:Sync)?|readlines?|File\.read|IO\.read|file_get_contents|slurp)\b"
)
"""What a program that is handed to an interpreter on the command line says where it fetches, and where it
reads a file."""
_TRACKERS = frozenset("jira acli linear".split())
_FILE_COPIERS = frozenset("scp sftp rsync".split())
"""Of those, the ones that copy between folders too; an address has a colon."""
_MOVES = frozenset("cd pushd chdir set-location sl".split())
_FINDERS = frozenset("find fd fdfind".split())
_SHOWS = frozenset("show diff blame cat-file log".split())
_LISTS = frozenset("ls-files ls-tree grep add rm mv diff show log blame archive".split())
"""Commands of git whose words are files and folders."""
_FORGES = frozenset("gh glab hub tea".split())
_NO_TEXT = frozenset(
    "number url state isDraft id mergeable mergeStateStatus statusCheckRollup headRefName baseRefName"
    " createdAt updatedAt closedAt mergedAt headRefOid additions deletions changedFiles reviewDecision"
    " nameWithOwner name owner defaultBranchRef visibility".split()
)
"""Fields that `gh --json` gives and nobody writes freely."""
_FORGE_TEXTS: Mapping[str, frozenset[str]] = {
    "issue": frozenset("view list status".split()),
    "pr": frozenset("view list status diff checkout".split()),
    "mr": frozenset("view list diff checkout".split()),
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


def is_here(address: str) -> bool:
    """Whether an address is one of this machine or its own network."""
    return _HERE.match(address) is not None


def others_shown(output: str, root: str = "") -> Iterator[tuple[str, str]]:
    """The first line of another's file in what a search printed."""
    for found in _FOUND_LINE.finditer(output):
        kind = kind_of(found[1], root)
        if kind:
            yield kind, found[1]
            return


def named_by(line: str) -> tuple[set[str], set[str]]:
    """The paths that a command line names, and the folders that it goes to by ``cd``, from where it starts.

    Named is a word with a slash or a dot in it, and any word that is given to a program which takes files.
    """
    here, words, folders = "", set[str](), {""}
    for command in parsed(line)[1]:
        argv = unwrap(command.simple.argv).argv
        name = program(argv[0]) if argv else ""
        if name in _MOVES:
            here = joined(here, next((word for word in argv[1:] if word[:1] != "-"), ""))
            folders.add(here)
        if command.simple.argv and program(command.simple.argv[0]) in _FINDERS:
            name, argv = "find", command.simple.argv  # and not what it starts of each
        told = (*argv[1:], *(redirect.target for redirect in command.redirects))
        plain = [word for word in told if word[:1] != "-" and not re.search(r"\s", word)]
        files = name in _TAKES_FILES or (name == "git" and plain[:1] and plain[0] in _LISTS)
        words |= {joined(here, word) for word in plain if files or re.search(r"[/.*?\[]", word)}
    return words, folders


def shell_reads(step: Step, root: str, copies: Copies) -> Iterator[tuple[str, str]]:
    """What the commands of a shell step read that others wrote: the kind of reading, and of what.

    What they copy of others' files is added to ``copies``, and found in it when it is read.

    Where ``cd`` went is followed from one command to the next, out of a subshell too: a reading too many
    costs a reference its grade, one too few would make a stranger's words a reference.
    """
    _, commands = parsed(step.command or "")
    here = step.cwd or root
    looked_for = ""
    for command in commands:
        whole = unwrap(command.simple.argv)
        name = program(whole.argv[0]) if whole.argv else ""
        words = whole.argv[1:]
        if name in _MOVES:
            here = joined(here, next((word for word in words if word[:1] != "-"), ""))
            continue
        looked_for = looked_for or _looked_for(command, here, root)
        copies.add(name, words, here, root)
        found = _of_program(name, words) or _of_code(name, words, command, root)
        fed = (redirect.target for redirect in command.redirects if redirect.operator == "<")
        found = found or copies.printed(name, (*words, *fed), here, root)
        for redirect in command.redirects:
            if redirect.operator == "<" and not found:
                found = named(redirect.target, here, root) or copies.among((redirect.target,), here)
        if not found and name == "git":
            found = _of_git(words, joined(here, whole.cwd_shift or ""), root)
        if found is not None:
            yield found
        elif name in _READERS or (name == "git" and "grep" in words[:2]):
            shown = _read_by(step, name, words, here, root, looked_for)
            first = next(shown, None) or copies.among(words, here)
            if first is not None:
                yield first


def _looked_for(command: Command, here: str, root: str) -> str:
    """The folder of others in which a command looks for files, for the next one to read."""
    words = command.simple.argv
    if not words or program(words[0]) not in _FINDERS:
        return ""
    for word in words[1:]:
        if word[:1] in ("-", "(", "!"):
            break
        if named(f"{word}/", here, root):
            return word
    return ""


def _read_by(
    step: Step, name: str, words: tuple[str, ...], here: str, root: str, looked_for: str
) -> Iterator[tuple[str, str]]:
    plain = [word for word in words if not word.startswith(("-", "!"))]
    if name in _SEARCHERS:
        # The first word is what is looked for, unless an option names it.
        plain = plain[0 if {"-e", "-f"} & set(words) else 1 :]
    inside = kind_of(f"{here}/", root)
    found = (inside, here) if inside and plain else None
    for word in plain:
        if found is None and "*" not in word:
            found = named(word if name not in _SEARCHERS else f"{word}/", here, root)
    if found is None and looked_for:
        found = named(f"{looked_for}/", here, root)
    if found is not None:
        yield found
    else:
        yield from others_shown(step.output, root)


def _of_code(name: str, words: tuple[str, ...], command: Command, root: str) -> tuple[str, str] | None:
    """What a program reads that an interpreter is handed on the command line."""
    if name not in _INTERPRETERS:
        return None
    parts = [word for word in words if re.search(r"[\s(;]", word)]
    code = "\n".join((*parts, *(redirect.body or "" for redirect in command.redirects)))
    far = next((url for url in re.findall(r"https?://[^\s'\"`)<>]+", code) if not is_here(url)), "")
    if far and _FETCHES.search(code):
        return "web", far
    kind = kind_of(code, root) if _OPENS.search(code) else ""
    return (kind, name) if kind else None


def _of_git(words: tuple[str, ...], here: str, root: str) -> tuple[str, str] | None:
    """A file of others' as git has it: ``git show HEAD:vendor/x``, or any in a repository among theirs."""
    plain = [word for word in words if not word.startswith("-")]
    if not plain or plain[0] not in _SHOWS:
        return None
    inside = kind_of(f"{here}/", root)
    if inside:
        return inside, here
    if plain[0] == "log":
        return None
    paths = (word.partition(":")[2] or word for word in plain[1:])
    return next((found for path in paths if (found := named(path, here, root))), None)


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
    if name in _TRACKERS and plain:
        return "issue", f"{name} {' '.join(plain[:3])}"
    return ("download", f"{name} {' '.join(plain[:2])}") if first in _ASKING.get(name, ()) else None


def _fetched(name: str, words: tuple[str, ...]) -> tuple[str, str] | None:
    if name in _FILE_COPIERS:
        far = next((word for word in words if re.match(r"^[\w.@-]{2,}:", word)), "")
        return ("download", far) if far else None
    addresses = [word for word in words if _ADDRESS.search(word)]
    if any(not is_here(word) for word in addresses):
        return "web", next(word for word in addresses if not is_here(word))
    here = any(is_here(word) for word in words)
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
