"""What single programs write: one function for each kind of command line, one table of programs."""

from __future__ import annotations

import re
from collections.abc import Callable

from honed.verdict import launchers
from honed.verdict.fixers import FIXING_PROGRAMS, add_fixes
from honed.verdict.git_writes import add_patched, git
from honed.verdict.script_writes import written_files
from honed.verdict.writing import Call, How

Writer = Callable[[Call], None]

_CODE_OPTIONS = {
    "python": ("-c",),
    "node": ("-e", "--eval", "-p", "--print"),
    "bun": ("-e", "--eval"),
    "deno": ("eval",),
    "ruby": ("-e",),
    "perl": ("-e", "-E"),
    "php": ("-r",),
}
_INTERPRETERS = frozenset({"python", "php", "ruby", "node"})
_PATCH_HEADER = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* (Move) to: (.+)$", re.MULTILINE)
_PERL_IN_PLACE = re.compile(r"-[0-9a-zA-Z]*i")
_TAKES_CODE = re.compile(r"-[0-9a-zA-Z]*[eE]\Z")


def add_writes(call: Call, *, tasks: bool) -> None:
    """Adds what the command writes.  ``tasks``: its first word may be the name of a task."""
    if call.argv[:2] == ("python", "-m") and len(call.argv) > 2:
        call = _behind(call, 2)
    name = launchers.program(call.argv[0])
    if name in _INTERPRETERS and len(call.argv) > 2 and launchers.program(call.argv[1]) in _KNOWN:
        # `python manage.py makemigrations`, `php vendor/bin/pint --dirty`
        call, name = _behind(call, 1), launchers.program(call.argv[1])
    if name not in _KNOWN and not tasks:
        call, name = _behind_proxy(call, name)
    writer = _WRITERS.get(name)
    if writer is not None:
        writer(call)
    add_fixes(call, name, tasks=tasks, known=name in _KNOWN)


def _behind_proxy(call: Call, name: str) -> tuple[Call, str]:
    """``rtk git commit``: the command behind a word that only passes it on."""
    if len(call.argv) > 2:
        for unwrapped in launchers.proxied(call.argv):
            inner = launchers.program(unwrapped.argv[0]) if unwrapped.argv else ""
            if inner in _KNOWN:
                return Call(call.simple, unwrapped.argv, call.place, call.at, call.out), inner
    return call, name


def _behind(call: Call, count: int) -> Call:
    return Call(call.simple, call.argv[count:], call.place, call.at, call.out)


def _sed(call: Call) -> None:
    if not any(
        option[:2] == "-i" or "--in-place" in option or _clustered(option, "i") for option in call.options()
    ):
        return
    files = call.operands(frozenset({"-e", "-f", "--expression", "--file", "-l"}))
    scripted = call.options() & {"-e", "-f", "--expression", "--file"}
    # BSD: `sed -i '' script file`
    files = [index for index in files if call.argv[index]]
    call.add_files(files if scripted else files[1:], "in_place", needed=True)


def _clustered(option: str, letter: str) -> bool:
    """Whether a letter is among short options: ``-Ei``."""
    return option[:1] == "-" and option[1:2].isalpha() and letter in option[1:].partition("e")[0]


def _perl(call: Call) -> None:
    in_place = any(_PERL_IN_PLACE.match(option) for option in call.options())
    if not in_place:
        _code(call)
        return
    takes = frozenset(word for word in call.argv if _TAKES_CODE.match(word))
    call.add_files(call.operands(takes), "in_place", needed=True)


def _awk(call: Call) -> None:
    argv = call.argv
    if "inplace" in argv or "-iinplace" in argv or "--include=inplace" in argv:
        files = call.operands(frozenset({"-i", "-v", "-f", "-F", "--include"}))
        call.add_files(files if "-f" in argv else files[1:], "in_place", needed=True)


def _code(call: Call) -> None:
    """An interpreter with its program on the command line or in a here-document."""
    argv = call.argv
    name = launchers.program(argv[0])
    takes = _CODE_OPTIONS.get(name, ("-c", "-e"))
    code: str | None = None
    arguments: tuple[str, ...] = ()
    for at, word in enumerate(argv[1:], 1):
        if at + 1 < len(argv) and (word in takes or (name in ("perl", "ruby") and _TAKES_CODE.match(word))):
            code, arguments = argv[at + 1], argv[at + 2 :]
            break
        if word[:1] != "-" or word == "-":
            if word == "-":
                code, arguments = call.body(), argv[at + 1 :]
            break
    else:
        code = call.body()
    if not code:
        return
    for name_in_code in written_files(code, tuple(word for word in arguments if word != "--")):
        path = None if name_in_code is None else call.place.path(name_in_code)
        call.add(path, "script")


def _copies(how: How) -> Writer:
    """``cp``, ``mv``, ``ln``, ``install``: the last operand, or what ``-t`` names."""

    def add(call: Call) -> None:
        values = frozenset(
            {"-t", "--target-directory", "-m", "--mode", "-o", "-g", "-S", "--suffix", "-e", "--exclude"}
        )
        files = call.operands(values)
        for at, word in enumerate(call.argv[:-1]):
            if word in ("-t", "--target-directory"):
                files.append(at + 1)
        if len(files) < 2:
            return
        sources, target = files[:-1], files[-1]
        if how == "move":
            call.add_files(sources, "delete")
        directory = call.argv[target].endswith("/") or call.argv[target] in (".", "..") or len(sources) > 1
        for path in call.paths(target):
            if path is None or not directory:
                call.add(path, how, call.argv[sources[0]])
                continue
            for source in sources:
                base = call.argv[source].rstrip("/").rsplit("/", 1)[-1]
                inside = call.argv[0] == "rsync" and call.argv[source].endswith("/")
                known = base not in ("", ".", "..") and not call.expands(source) and not inside
                call.add(f"{path.rstrip('/')}/{base}" if known else path, how, call.argv[source])

    return add


def _operands(how: How, *values: str) -> Writer:
    """All operands are written."""
    takes = frozenset(values)

    def add(call: Call) -> None:
        call.add_files(call.operands(takes), how, needed=how == "delete")

    return add


def _tee(call: Call) -> None:
    body = call.body()
    call.add_files(
        [i for i in call.operands() if call.argv[i] != "/dev/null"], "heredoc" if body else "redirect", body
    )


def _touch(call: Call) -> None:
    call.add_files(
        call.operands(frozenset({"-d", "-t", "-r", "--date", "--reference"})), "redirect", "", certain=False
    )


def _dd(call: Call) -> None:
    for index, word in enumerate(call.argv):
        if word.startswith("of=") and word != "of=/dev/null":
            for path in call.place.paths(word[3:], expands=call.expands(index)):
                call.add(path, "redirect")


def _downloads(*options: str) -> Writer:
    """The file behind ``-o``."""

    def add(call: Call) -> None:
        for index, word in enumerate(call.argv[:-1]):
            if word in options and call.argv[index + 1] not in ("-", "/dev/null"):
                for path in call.paths(index + 1):
                    call.add(path, "copy")

    return add


def _unpacks(call: Call) -> None:
    name, options = launchers.program(call.argv[0]), call.options()
    first = call.argv[1] if len(call.argv) > 1 else ""
    if name in ("tar", "bsdtar"):
        extracts = any("x" in option for option in options if option[:2] != "--") or "--extract" in options
        if not extracts and not (first[:1] != "-" and "x" in first):
            return
    elif options & {"-l", "-t", "-p", "-c", "--list", "-Z", "-v"}:
        return
    target = next((i + 1 for i, word in enumerate(call.argv[:-1]) if word in ("-C", "-d", "--directory")), 0)
    call.add_files([target] if target else [], "copy", needed=True)


def _patch(call: Call) -> None:
    if call.options() & {"--dry-run", "-C", "--check"}:
        return
    files = call.operands(frozenset({"-p", "-i", "--input", "-d", "-o", "--strip"}))
    if files:
        call.add_files(files[:1], "patch", call.body())
    else:
        add_patched(call, call.body(), "patch")


def _apply_patch(call: Call) -> None:
    """The patch format of Codex: ``*** Update File: path``."""
    text = call.body() or (call.argv[1] if len(call.argv) > 1 else "")
    named = [
        (match.group(1) or "Move", match.group(2) or match.group(4)) for match in _PATCH_HEADER.finditer(text)
    ]
    for action, file in named:
        path = call.place.path(file.strip())
        call.add(path, "delete" if action == "Delete" else "patch", text)
    if not named:
        call.add(None, "patch", text or None)


def _editor(call: Call) -> None:
    """``ed``, ``ex`` and ``vim`` in scripts."""
    if launchers.program(call.argv[0]) in ("vim", "vi", "nvim") and not call.options() & {
        "-es",
        "-e",
        "-c",
        "-s",
    }:
        return
    call.add_files(call.operands(frozenset({"-c", "-S", "-u", "--cmd"})), "in_place", certain=False)


def _needs(how: How, *flags: str, skip: int = 0) -> Writer:
    """Operands are written if one of the flags is given; ``skip`` operands are no files."""
    needed = frozenset(flags)

    def add(call: Call) -> None:
        if not needed or call.options() & needed:
            call.add_files(call.operands()[skip:], how, needed=True)

    return add


def _github(call: Call) -> None:
    if call.argv[1:3] == ("pr", "checkout"):
        call.add(None, "git_tree", "pr checkout")


def _cmdlet(how: How, *named: str, position: int = 0, content: int | None = None) -> Writer:
    """A PowerShell cmdlet: the file behind one of its parameters, or at a position."""
    parameters = frozenset(named)

    def add(call: Call) -> None:
        values = {word.lower(): index + 1 for index, word in enumerate(call.argv[:-1]) if word[:1] == "-"}
        given = [index for word, index in values.items() if word in parameters]
        switches = {
            "-force",
            "-recurse",
            "-nonewline",
            "-append",
            "-passthru",
            "-verbose",
            "-whatif",
            "-noclobber",
        }
        taken = {index for word, index in values.items() if word not in switches}
        free = [i for i in range(1, len(call.argv)) if call.argv[i][:1] != "-" and i not in taken]
        files = given or free[position : position + 1]
        text = None
        if content is not None:
            at = values.get("-value") or (free[content] if len(free) > content else 0)
            text = call.argv[at] if at and not call.expands(at) else None
        if not any(word.lower() == "-whatif" for word in call.argv):
            call.add_files(files, how, text, needed=True)

    return add


def _renames(call: Call) -> None:
    _cmdlet("delete", "-path", "-literalpath")(call)
    _cmdlet("move", "-destination", "-newname", position=1)(call)


_WRITERS: dict[str, Writer] = {
    "git": git,
    "gh": _github,
    "sed": _sed,
    "gsed": _sed,
    "perl": _perl,
    "awk": _awk,
    "gawk": _awk,
    "python": _code,
    "node": _code,
    "bun": _code,
    "deno": _code,
    "ruby": _code,
    "php": _code,
    "cp": _copies("copy"),
    "ln": _copies("copy"),
    "install": _copies("copy"),
    "rsync": _copies("copy"),
    "scp": _copies("copy"),
    "mv": _copies("move"),
    "rm": _operands("delete"),
    "unlink": _operands("delete"),
    "shred": _operands("delete", "-n", "-s"),
    "rmdir": _operands("delete"),
    "trash": _operands("delete"),
    "tee": _tee,
    "sponge": _tee,
    "touch": _touch,
    "truncate": _operands("in_place", "-s", "--size", "-r"),
    "dd": _dd,
    "curl": _downloads("-o", "--output"),
    "wget": _downloads("-O", "--output-document"),
    "tar": _unpacks,
    "bsdtar": _unpacks,
    "unzip": _unpacks,
    "gunzip": _unpacks,
    "patch": _patch,
    "apply_patch": _apply_patch,
    "applypatch": _apply_patch,
    "ed": _editor,
    "ex": _editor,
    "vim": _editor,
    "vi": _editor,
    "nvim": _editor,
    "yq": _needs("in_place", "-i", "--inplace", "--in-place", skip=1),
    "sd": _operands("in_place", "-n", "-f"),
    "dos2unix": _operands("in_place"),
    "unix2dos": _operands("in_place"),
    "set-content": _cmdlet("redirect", "-path", "-literalpath", content=1),
    "add-content": _cmdlet("redirect", "-path", "-literalpath", content=1),
    "clear-content": _cmdlet("redirect", "-path", "-literalpath"),
    "out-file": _cmdlet("redirect", "-filepath", "-literalpath", "-path"),
    "tee-object": _cmdlet("redirect", "-filepath"),
    "new-item": _cmdlet("redirect", "-path", content=9),
    "remove-item": _cmdlet("delete", "-path", "-literalpath"),
    "copy-item": _cmdlet("copy", "-destination", position=1),
    "move-item": _renames,
    "rename-item": _renames,
    "del": _operands("delete"),
    "erase": _operands("delete"),
    "ri": _operands("delete"),
    "copy": _copies("copy"),
    "move": _copies("move"),
    "ren": _copies("move"),
}


_KNOWN = frozenset(_WRITERS) | FIXING_PROGRAMS
