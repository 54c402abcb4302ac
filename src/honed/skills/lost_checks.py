"""Whether a check can still be run: the script, target, folder or test file that it names may be gone.

A check that is not there any more says nothing of a skill, and an agent that runs it loses a turn.  What
cannot be told (a binary, an include, a name with a variable) is taken to be there; so is everything in a
folder that holds nothing of the kind, for that may be another checkout.  Pure but for ``read`` and
``there``, which look into the project; on the hot path (docs/decisions/0004), so without ``re``.
"""

from __future__ import annotations

from honed.quick_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], str | None]
    There = Callable[[str], bool]

_SCRIPTS = {
    "npm": "package.json",
    "pnpm": "package.json",
    "yarn": "package.json",
    "bun": "package.json",
    "composer": "composer.json",
}
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_NAMING = frozenset("tox nox cargo poe task gradle gradlew mvn mvnw".split())
"""Programs that are told by names what to run (``skills.lost_names``)."""
_WRAPPERS = frozenset("uv poetry pipenv pdm rye".split())
_QUIET = frozenset("-s -S --silent -q --quiet --if-present -k -B --no-print-directory --no-bail".split())
"""Options without a value that change nothing of what is run."""
_FOLDERS = frozenset("--prefix --dir --cwd -C".split())
"""Options that name the folder of a ``package.json``."""
_UNTELLING = "$*?[{~<>`\\"
"""A word with one of these names nothing that can be looked up."""
_MADE = frozenset("dist build out target bin lib node_modules coverage tmp generated".split())
"""Folders of what a build makes, which a fresh checkout has not yet."""
_WRITING = frozenset("> >> -o --out --output --outfile --outFile --report".split())
"""What stands before a file that a command writes."""
_APART = str.maketrans(dict.fromkeys("()[]:,=.@\"'", " "))
_SUFFIXES = (
    ".py .js .jsx .ts .tsx .mjs .cjs .rb .php .java .kt .rs .ex .exs .sh .bats .lua .clj .R .jl .dart .swift"
    " .cpp .cc"
).split()


def lost_check(check: str, read: Read, there: There) -> str:
    """What of ``check`` is gone, in words for a note; empty where it can be run as far as can be told.

    ``read`` gives the text of a file of the project by its path (``None`` where there is none that can
    be read, an empty text for one that cannot be read), ``there`` says whether a path exists.  Never raises.
    """
    words = check.split()
    folder = ""
    if len(words) > 3 and words[0] == "cd" and words[2] == "&&":
        folder, words = words[1].strip("'\""), words[3:]
        if folder.startswith(("/", "..", "~")) or folder[1:2] == ":":
            return ""
        if _telling(folder) and not there(folder):
            return f"the folder `{folder}` is gone"
    if not _telling(folder):
        return ""
    while words and "=" in words[0] and not words[0].startswith(("-", "=")):
        words = words[1:]
    if len(words) > 2 and words[0] in _WRAPPERS and words[1] == "run":
        words = words[2:]
    if not words or "&&" in words:
        return ""
    program = words[0].rpartition("/")[2]
    if program in _SCRIPTS:
        return _lost_script(words, folder, read)
    if program in ("make", "gmake"):
        return _lost_target(words, folder, _MAKEFILES, read)
    if program == "just":
        return _lost_target(words, folder, _JUSTFILES, read)
    if program in _NAMING and all(map(_telling, words)):
        from honed.skills.lost_names import lost_name  # most checks name none

        if lost := lost_name(words, folder, read, there):
            return lost
    return _lost_path(words, folder, read, there)


def _telling(word: str) -> bool:
    return not any(mark in word for mark in _UNTELLING)


def _below(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}" if folder and folder != "." else name


def _lost_script(words: list[str], folder: str, read: Read) -> str:
    """A script of ``package.json`` or ``composer.json``."""
    name, rest = "", [word for word in words[1:] if word not in _QUIET]
    if len(rest) > 2 and rest[0] in _FOLDERS and _telling(rest[1]) and not rest[1].startswith(("/", "..")):
        folder, rest = _below(folder, rest[1].strip("'\"").removeprefix("./")), rest[2:]
    if rest[:1] and rest[0] in ("run", "run-script") and len(rest) > 1:
        name = rest[1]
    elif rest[:1] and rest[0] in ("t", "test") and words[0] != "bun":
        name = "test"
    elif rest[:1] and ":" in rest[0] and words[0] in ("yarn", "pnpm", "bun") and "/" not in rest[0]:
        name = rest[0]  # no binary is named so
    if not name or name.startswith("-") or not _telling(name):
        return ""
    file = _SCRIPTS[words[0]]
    text = read(_below(folder, file))
    if text is None:
        return f"there is no {file} in `{folder}` any more" if folder else ""
    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return ""
    scripts = value.get("scripts") if isinstance(value, dict) else None
    if isinstance(scripts, dict) and name in scripts:
        return ""
    if file == "composer.json" and not isinstance(scripts, dict):
        return ""
    return f"{file} has no script `{name}` any more"


def _lost_target(words: list[str], folder: str, files: tuple[str, ...], read: Read) -> str:
    """A target of a Makefile or a recipe of a justfile."""
    targets: list[str] = []
    rest = iter(words[1:])
    for word in rest:
        if word in ("-C", "--directory"):
            folder = _below(folder, next(rest, ""))
        elif word in _QUIET or (word[:2] == "-j" and word[2:].isdigit()):
            continue
        elif word.startswith("-"):
            return ""
        elif "=" not in word:
            targets.append(word)
    if not targets or not all(map(_telling, targets)) or not _telling(folder):
        return ""
    texts = [(file, text) for file in files if (text := read(_below(folder, file))) is not None]
    if not texts:
        return (
            f"there is no {files[-1] if files is _MAKEFILES else files[0]} in `{folder}` any more"
            if folder
            else ""
        )
    file, text = texts[0]
    if not text.strip():
        return ""
    declared: set[str] = set()
    for line in text.splitlines():
        if line.startswith(("include", "-include", "sinclude", "import", "mod ", "%")):
            return ""
        head, colon, _ = line.partition(":")
        if colon and not line.startswith(("\t", "#")):
            if "$" in head or "%" in head:
                return ""
            declared.update(head.lstrip("@").split()[:1] if files is _JUSTFILES else head.split())
    lost = [target for target in targets[: 1 if files is _JUSTFILES else None] if target not in declared]
    return f"{file} has no target `{lost[0]}` any more" if lost else ""


def _lost_path(words: list[str], folder: str, read: Read, there: There) -> str:
    """A test file, a script, or a module that the command names, or a test in such a file."""
    for at, word in enumerate(words):
        path, _, test = word.strip("'\"").partition("::")
        path = path.removesuffix("/...").removeprefix("./")
        if words[at - 1] == "-m" and at and (lost := _lost_module(path, folder, there)):
            return lost
        if word.startswith(("-", "/")) or not path or not _telling(path) or ":" in path or ".." in path:
            continue
        named = path.endswith(tuple(_SUFFIXES)) if "/" in path or at else False
        script = at == 0 and word.startswith("./")
        if not named and not script:
            continue
        whole, home = _below(folder, path), _below(folder, path.partition("/")[0]) if "/" in path else folder
        # In a checkout its topmost folder may be gone as a whole; a folder of little else may be another's.
        if there(whole) and test and path.endswith(".py") and (lost := _lost_test(read(whole), test)):
            return f"`{path}` has no {lost} any more"
        if there(whole) or (at and words[at - 1] in _WRITING):
            continue
        if (home and there(home)) or (path.partition("/")[0] not in _MADE and there(".git")):
            return f"`{path}` is gone"
    return ""


def _lost_test(text: str | None, test: str) -> str:
    """The class, or the function of no class, that a file of pytest defines no more.  A method may be
    inherited."""
    name, _, method = test.partition("[")[0].partition("::")
    if not text or not name.isidentifier() or "import *" in text:
        return ""
    words = frozenset(text.translate(_APART).split())
    return "" if name in words else f"class `{name}`" if method else f"test `{name}`"


def _lost_module(module: str, folder: str, there: There) -> str:
    """A module of the project's own that ``-m`` names."""
    top, dot, rest = module.partition(".")
    path = _below(folder, f"{top}/{rest.replace('.', '/')}")
    if not dot or not module.replace(".", "").isidentifier() or not there(_below(folder, top)):
        return ""
    return "" if there(path) or there(f"{path}.py") else f"the module `{module}` is gone"
