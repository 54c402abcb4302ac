"""What git commands do to the work tree: nothing, other content, or back to what was committed.

After the manual pages of git 2.4x.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from honed.verdict.shell_tree import Chain, Script, Simple
from honed.verdict.writing import Call

_FILE_NAME = re.compile(r"[^/]*\.[A-Za-z]\w{0,9}\Z|.*/[^/]*\.\w{1,10}\Z|\.{1,2}\Z|\./|\.\./|.*/\Z|:/|:\(")
_HEAD = frozenset({"HEAD", "@"})
_PATCHED = re.compile(r"^\+\+\+ (?:b/)?([^\t\n]+)", re.MULTILINE)
_SAFE_APPLY = frozenset({"--check", "--stat", "--numstat", "--summary", "--cached"})
_ENDINGS = frozenset({"--abort", "--quit"})


def git(call: Call) -> None:
    """Adds what ``git SUBCOMMAND`` writes."""
    if len(call.argv) > 1:
        handler = _SUBCOMMANDS.get(call.argv[1])
        if handler is not None:
            handler(call)


def _behind_dashes(call: Call) -> tuple[list[int], list[int]]:
    """Operands in front of ``--`` and those behind it."""
    dashes = call.argv.index("--") if "--" in call.argv else len(call.argv)
    operands = call.operands(begin=2)
    return [i for i in operands if i < dashes], [i for i in operands if i > dashes]


def _checkout(call: Call) -> None:
    options = call.options()
    if options & {"-b", "-B", "--orphan", "-h", "--help", "-t", "--track"}:
        return
    before, files = _behind_dashes(call)
    if options & {"--ours", "--theirs", "--merge", "-m", "--conflict"}:
        call.add_files(before + files, "git_tree", "checkout")
        return
    source = before
    if "--" not in call.argv and before and (len(before) > 1 or _is_file(call, before[0])):
        # `git checkout HEAD file`, `git checkout file`
        source = [] if _is_file(call, before[0]) else before[:1]
        files = before[len(source) :]
    if files:
        committed = not source or call.argv[source[0]] in _HEAD
        call.add_files(files, "git_restore" if committed else "git_tree", "checkout")
    elif "-p" in options or "--patch" in options:
        call.add(None, "git_restore", "checkout", certain=False)
    elif source:
        call.add(None, "git_tree", "checkout", certain=call.argv[source[0]] not in _HEAD)


def _is_file(call: Call, index: int) -> bool:
    word = call.argv[index]
    return bool(_FILE_NAME.match(word)) and not word.startswith(("origin/", "upstream/", "HEAD"))


def _switch(call: Call) -> None:
    if not call.options() & {"-c", "-C", "--create", "--orphan"}:
        call.add(None, "git_tree", "switch")


def _restore(call: Call) -> None:
    options = call.options()
    index_only = options & {"--staged", "-S"} and not options & {"--worktree", "-W", "-SW", "-WS"}
    if index_only:
        return
    source = ""
    for at, word in enumerate(call.argv):
        if word.startswith("--source="):
            source = word.partition("=")[2]
        elif word in ("-s", "--source") and at + 1 < len(call.argv):
            source = call.argv[at + 1]
    files = call.operands(frozenset({"-s", "--source"}), 2)
    call.add_files(
        files, "git_tree" if source and source not in _HEAD else "git_restore", "restore", needed=True
    )


def _stash(call: Call) -> None:
    action = call.argv[2] if len(call.argv) > 2 and call.argv[2][:1] != "-" else "push"
    if action in ("push", "save"):
        _, files = _behind_dashes(call)
        named = call.operands(frozenset({"-m", "--message"}), 3) if action == "push" and not files else []
        call.add_files(files or named, "git_restore", "stash", needed=True)
    elif action in ("pop", "apply"):
        call.add(None, "git_restore", f"stash {action}")
    elif action == "branch":
        call.add(None, "git_tree", "stash branch")


def _reset(call: Call) -> None:
    options = call.options()
    if options & {"--hard", "--merge", "--keep"}:
        before, _ = _behind_dashes(call)
        committed = not before or call.argv[before[0]] in _HEAD
        mode = next(option for option in ("--hard", "--merge", "--keep") if option in options)
        call.add(None, "git_restore" if committed else "git_tree", f"reset {mode}")


def _brings(call: Call) -> None:
    """merge, rebase, pull, revert, cherry-pick, am."""
    name, options = call.argv[1], call.options()
    ending = options & _ENDINGS
    if ending:
        call.add(None, "git_restore", f"{name} {min(ending)}")
    elif not options & {"--help", "-h"}:
        call.add(None, "git_tree", name, certain=False)


def _apply(call: Call) -> None:
    if call.options() & _SAFE_APPLY and "--index" not in call.options():
        return
    add_patched(call, call.body(), "apply")


def add_patched(call: Call, patch: str | None, name: str) -> None:
    """The files that a unified diff names; without its text an unknown one."""
    files = [file for file in _PATCHED.findall(patch or "") if file != "/dev/null"]
    for file in dict.fromkeys(files):
        call.add(call.place.path(file), "patch", patch)
    if not files:
        call.add(None, "patch", name)


def _clean(call: Call) -> None:
    options = call.options()
    if any("f" in option for option in options if option[:2] != "--") or "--force" in options:
        if not any("n" in option for option in options if option[:2] != "--") and "--dry-run" not in options:
            call.add_files(
                call.operands(frozenset({"-e", "--exclude"}), 2), "git_restore", "clean", needed=True
            )


def _move(call: Call) -> None:
    files = call.operands(begin=2)
    if len(files) >= 2 and not call.options() & {"-n", "--dry-run"}:
        call.add_files(files[:-1], "delete")
        call.add_files(files[-1:], "move", call.argv[files[0]])


def _remove(call: Call) -> None:
    if not call.options() & {"--cached", "-n", "--dry-run"}:
        call.add_files(call.operands(begin=2), "delete")


def _add(call: Call) -> None:
    if not call.options() & {"-n", "--dry-run"}:
        call.add_files(call.operands(begin=2), "git_commit", needed=True)


def _commit(call: Call) -> None:
    if "--dry-run" not in call.options():
        call.add(None, "git_commit", _message(call))


def _message(call: Call) -> str:
    """The commit message; empty when it is written elsewhere (an editor, a file, ``--amend``)."""
    paragraphs: list[str] = []
    argv = call.argv
    for at, word in enumerate(argv):
        if word.startswith("--message="):
            paragraphs.append(_text(call, at, word.partition("=")[2]))
        elif word.startswith("-m") and len(word) > 2:
            paragraphs.append(_text(call, at, word[2:]))
        elif at + 1 < len(argv) and (word == "--message" or re.fullmatch(r"-[a-zA-Z]*m", word)):
            paragraphs.append(_text(call, at + 1, argv[at + 1]))
        elif at + 1 < len(argv) and word in ("-F", "--file") and argv[at + 1] in ("-", "/dev/stdin"):
            paragraphs.append(call.body() or "")
    return "\n\n".join(text.strip("\n") for text in paragraphs if text)


def _text(call: Call, index: int, word: str) -> str:
    """A word's text; for ``"$(cat <<'EOF' ...)"`` that of the here-document."""
    if not call.expands(index):
        return word
    for substitution in call.simple.substitutions:
        if substitution.where == index + call.offset:
            body = _printed(substitution.script)
            if body is not None:
                return body
    return word


def _printed(script: Script) -> str | None:
    """What a script that only prints a static text prints."""
    node = script.root
    if isinstance(node, Chain) and len(node.items) == 1:
        node = node.items[0][1]
    if not isinstance(node, Simple) or not node.argv:
        return None
    for redirect in node.redirects:
        if redirect.body is not None:
            return redirect.body
    if node.argv[0] in ("echo", "printf") and len(node.argv) > 1 and not node.expands:
        return node.argv[-1].replace("\\n", "\n")
    return None


def _bisects(call: Call) -> None:
    if len(call.argv) > 2 and call.argv[2] not in ("log", "view", "help", "terms"):
        call.add(None, "git_tree", "bisect")


def _modules(call: Call) -> None:
    if len(call.argv) > 2 and call.argv[2] in ("update", "add", "deinit"):
        call.add(None, "git_tree", "submodule")


_SUBCOMMANDS: dict[str, Callable[[Call], None]] = {
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "stash": _stash,
    "reset": _reset,
    "merge": _brings,
    "rebase": _brings,
    "pull": _brings,
    "revert": _brings,
    "cherry-pick": _brings,
    "am": _brings,
    "apply": _apply,
    "clean": _clean,
    "mv": _move,
    "rm": _remove,
    "add": _add,
    "stage": _add,
    "commit": _commit,
    "bisect": _bisects,
    "submodule": _modules,
    "sparse-checkout": _modules,
    "checkout-index": _switch,
}
