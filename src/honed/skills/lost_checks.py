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
_UNTELLING = "$*?[{~<>`\\"
"""A word with one of these names nothing that can be looked up."""
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
    while words and "=" in words[0] and not words[0].startswith(("-", "=")):
        words = words[1:]
    if not words or not _telling(folder) or "&&" in words:
        return ""
    program = words[0].rpartition("/")[2]
    if program in _SCRIPTS:
        return _lost_script(words, folder, read)
    if program in ("make", "gmake"):
        return _lost_target(words, folder, _MAKEFILES, read)
    if program == "just":
        return _lost_target(words, folder, _JUSTFILES, read)
    return _lost_path(words, folder, there)


def _telling(word: str) -> bool:
    return not any(mark in word for mark in _UNTELLING)


def _below(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}" if folder and folder != "." else name


def _lost_script(words: list[str], folder: str, read: Read) -> str:
    """A script of ``package.json`` or ``composer.json``."""
    name, rest = "", words[1:]
    if rest[:1] and rest[0] in ("run", "run-script") and len(rest) > 1:
        name = rest[1]
    elif rest[:1] and rest[0] in ("t", "test") and words[0] != "bun":
        name = "test"
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


def _lost_path(words: list[str], folder: str, there: There) -> str:
    """A test file, or a script, that the command names."""
    for at, word in enumerate(words):
        path = word.partition("::")[0].strip("'\"").removesuffix("/...").removeprefix("./")
        if word.startswith(("-", "/")) or not path or not _telling(path) or ":" in path or ".." in path:
            continue
        named = path.endswith(tuple(_SUFFIXES)) if "/" in path or at else False
        script = at == 0 and word.startswith("./")
        home = _below(folder, path.partition("/")[0]) if "/" in path else folder
        if (named or script) and home and there(home) and not there(_below(folder, path)):
            return f"`{path}` is gone"
    return ""
