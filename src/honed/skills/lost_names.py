"""Whether the name by which a runner is told what to run is still declared: of tox, nox, cargo, poe, task,
gradle and Maven.  Each looks into the one file that declares such names, and takes for there what that file
may make up itself (factors, includes, workspaces).  Imported only where a check names one of them; on the hot
path (docs/decisions/0004), so without ``re``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Read = Callable[[str], str | None]
    There = Callable[[str], bool]

_APART = str.maketrans(dict.fromkeys("[](){},:=\"'`\n", " "))


def lost_name(words: list[str], folder: str, read: Read, there: There) -> str:
    """What the command ``words``, run in ``folder``, names that is declared no more; empty for nothing."""
    looks = _LOOKS.get(words[0].rpartition("/")[2])
    return (
        looks(words[1:], f"{folder.rstrip('/')}/" if folder and folder != "." else "", read, there)
        if looks
        else ""
    )


def _given(words: list[str], *options: str) -> Iterator[str]:
    """The values of options, apart or behind a sign of equality, each of a list."""
    for at, word in enumerate(words):
        if word == "--":
            return
        name, _, value = word.partition("=")
        if name in options:
            value = value or (words[at + 1] if at + 1 < len(words) else "")
            yield from (one for one in value.strip("'\"").replace(",", " ").split() if one)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.translate(_APART).split())


def _keys(text: str) -> frozenset[str]:
    """What stands before a sign of equality or a colon in a line, and the last names of sections."""
    found = set()
    for line in text.splitlines():
        key = line.strip().partition("=")[0].partition(":")[0].strip()
        found.add(key.strip("[]\"' ").rpartition(".")[2].strip("\"'"))
    return frozenset(found)


def _first(folder: str, names: str, read: Read) -> tuple[str, str]:
    for name in names.split():
        text = read(folder + name)
        if text is not None:
            return name, text
    return "", ""


def _tox(words: list[str], folder: str, read: Read, _: There) -> str:
    name, text = _first(folder, "tox.ini tox.toml setup.cfg pyproject.toml", read)
    if "tox" not in text or "-c" in words or "env" not in text:
        return ""
    declared = _words(text.replace("testenv:", " "))
    factors = frozenset(factor for word in declared for factor in word.split("-"))
    for env in _given(words, "-e"):
        made_up = "-" in env or env.startswith("py")
        if env in declared or env == "ALL" or f"{env.rstrip('0123456789')}{{" in text:
            continue
        if not made_up or not all(
            factor in factors or factor.startswith("py") or f"{factor.rstrip('0123456789')}{{" in text
            for factor in env.split("-")
        ):
            return f"{name} has no environment `{env}` any more"
    return ""


def _nox(words: list[str], folder: str, read: Read, _: There) -> str:
    text = read(f"{folder}noxfile.py")
    if not text or "-f" in words:
        return ""
    declared = _words(text)
    for session in _given(words, "-s", "--session", "--sessions"):
        name = session.partition("(")[0]
        base, _dash, version = name.rpartition("-")
        if name not in declared and not (base in declared and version[:1].isdigit()):
            return f"noxfile.py has no session `{name}` any more"
    return ""


def _cargo(words: list[str], folder: str, read: Read, there: There) -> str:
    text = read(f"{folder}Cargo.toml")
    if not text or "--manifest-path" in words or any(word.startswith("+") for word in words[:1]):
        return ""
    single = "[workspace]" not in text and not any(word in words for word in ("-p", "--package"))
    if not single or "[package]" not in text:
        return ""
    keys = _keys(text)
    for feature in _given(words, "--features", "-F"):
        if "/" not in feature and feature not in keys:
            return f"Cargo.toml has no feature `{feature}` any more"
    for test in _given(words, "--test"):
        found = there(f"{folder}tests/{test}.rs") or there(f"{folder}tests/{test}") or test in _words(text)
        if not found and "*" not in test:
            return f"`tests/{test}.rs` is gone"
    return ""


def _poe(words: list[str], folder: str, read: Read, _: There) -> str:
    text = read(f"{folder}pyproject.toml")
    if (
        not text
        or "[tool.poe.tasks" not in text
        or "include" in text
        or not words
        or words[0].startswith("-")
    ):
        return ""
    return "" if words[0] in _keys(text) else f"pyproject.toml has no task `{words[0]}` any more"


def _task(words: list[str], folder: str, read: Read, _: There) -> str:
    name, text = _first(folder, "Taskfile.yml Taskfile.yaml taskfile.yml Taskfile.dist.yml", read)
    if not text or "includes:" in text or not words or words[0].startswith("-") or ":" in words[0]:
        return ""
    if "=" in words[0] or words[0] in _keys(text) or "*" in text:
        return ""
    return f"{name} has no task `{words[0]}` any more"


def _gradle(words: list[str], folder: str, read: Read, _: There) -> str:
    name, text = _first(folder, "settings.gradle settings.gradle.kts", read)
    if not text or "include" not in text or "-p" in words:
        return ""
    declared = frozenset(text.replace(":", " ").translate(_APART).split())
    for word in words:
        modules = word.strip("'\"").split(":")[:-1] if not word.startswith("-") else []
        lost = [module for module in modules if module and module not in declared]
        if lost and "." not in word:
            return f"{name} has no module `{lost[0]}` any more"
    return ""


def _maven(words: list[str], folder: str, read: Read, there: There) -> str:
    if read(f"{folder}pom.xml") is None or "-f" in words:
        return ""
    for module in _given(words, "-pl", "--projects"):
        if module[:1] not in ":!+-?" and not there(folder + module):
            return f"the module `{module}` is gone"
    return ""


_LOOKS: dict[str, Callable[[list[str], str, Read, There], str]] = {
    "tox": _tox,
    "nox": _nox,
    "cargo": _cargo,
    "poe": _poe,
    "task": _task,
    "gradle": _gradle,
    "gradlew": _gradle,
    "mvn": _maven,
    "mvnw": _maven,
}
