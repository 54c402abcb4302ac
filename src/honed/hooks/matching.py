"""Exact matches for single tool calls: this command went wrong before, this file has a check, this error
was resolved.  On the hot path (docs/decisions/0004)."""

from __future__ import annotations

import os

from honed.recall.note import check_line, pitfall_line
from honed.recall.safe import code
from honed.skills.entities import path_suffixes, pitfall_key
from honed.skills.failures import error_key
from honed.skills.words import cut
from honed.store.place import locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from honed.agents.wire import Fired
    from honed.store.found import Facts
    from honed.store.reading import Reader

    Found = Sequence[tuple[Facts, Sequence[str]]]

LIMIT = 32
"""Skills that are looked at: of more those that proved themselves."""
_FILES = ("path", "file")
_SEPARATORS = ("&&", "||", ";", "|", "\n")
_SEGMENTS, _WORDS = 8, 10
_ELSEWHERE = "Change "
"""How a resolution begins that says nothing against running the command."""


def before_command(reader: Reader, fired: Fired) -> Found:
    """Skills that know how a command of this line went wrong, with what to do instead."""
    said = _commands(fired.command)

    def lines(draft: Mapping[str, object], _: Facts) -> list[str]:
        return [
            pitfall_line(pitfall)
            for pitfall in _pitfalls(draft)
            if pitfall_key(str(pitfall.get("command") or "")) in said
            and not str(pitfall.get("resolution")).startswith(_ELSEWHERE)
        ]

    return _found(reader, fired, ("pitfall",), said, lines)


def before_edit(reader: Reader, fired: Fired, given: Container[str] = (), deliver: str = "verified") -> Found:
    """Skills that changed this very file, with their check and their pitfalls.

    ``given`` is what the session was given already: a check that it began with is not told again.
    """
    place = locate(os.path.abspath(fired.cwd))
    told = _told_at_the_start(reader, reader.project(place) or "", given, deliver)
    named = {_relative(path, place.root or place.cwd, fired.cwd) for path in fired.paths}
    keys = [path_suffixes(path)[-1][1] for path in named if path]

    def lines(draft: Mapping[str, object], facts: Facts) -> list[str]:
        files = draft.get("files")
        paths = (
            {file.get("path") for file in files if isinstance(file, dict)} if isinstance(files, list) else ()
        )
        if not named.intersection(paths):
            return []
        check = [] if code(str(draft.get("check") or "")) in told else _check_lines(draft, facts)
        return [*check, *(pitfall_line(pitfall) for pitfall in _pitfalls(draft)[:2])]

    return _found(reader, fired, _FILES, keys, lines)


def _check_lines(draft: Mapping[str, object], facts: Facts) -> list[str]:
    """The check of a skill; of one that honed did not learn itself, whose word it is and what came of it."""
    if facts.origin == "derived":
        return list(check_line(draft))
    times = facts.confirmed
    seen = f"passed here in {times} session{'' if times == 1 else 's'}" if times else "not seen to pass here"
    whose = {"imported": "imported", "agent": "an agent's word"}.get(facts.origin, "")
    said = ", ".join(word for word in (whose, seen) if word)
    return [f"{line} ({said})" for line in check_line(draft, seen=False)]


def _told_at_the_start(reader: Reader, project: str, given: Container[str], deliver: str) -> str:
    """The project's usual checks as the session was told them, in one text; empty if it was not."""
    from honed.recall import usual

    if not project or usual.mark_of(project) not in given:
        return ""
    return "\n".join(usual.lines(reader, project, deliver))


def after_failure(reader: Reader, fired: Fired, output: str) -> Found:
    """Skills that met this error before, with what resolved it."""
    from honed.skills.signatures import signature

    error = signature(output, None)
    if error is None or error.transient:
        return ()

    def lines(draft: Mapping[str, object], _: Facts) -> list[str]:
        return [
            pitfall_line(pitfall) for pitfall in _pitfalls(draft) if pitfall.get("signature") == error.text
        ]

    return _found(reader, fired, ("error",), [error_key(error.text)], lines)


def of_skill(reader: Reader, fired: Fired) -> Sequence[Facts]:
    """What is tagged ``skill-<name>`` with the name of the client's skill that is called.

    The tag is a compound word, so the index knows it as one; no other text is looked at.
    """
    wanted = skill_tags(fired.skill)
    words = [word.whole for tag in wanted for word in cut(tag)][:2]
    scopes = reader.scopes(reader.project(locate(os.path.abspath(fired.cwd))))
    rows = reader.having(scopes, [("body_stem", word) for word in words]) if words else []
    known = reader.facts(reader.proved(scopes, rows, LIMIT)).values() if rows else ()
    tagged = [one for one in known if wanted.intersection(_tags(one.told))]
    return sorted(tagged, key=lambda one: (-one.confirmed, one.id))


def skill_tags(name: str) -> set[str]:
    """The tags that a text about a client's skill has; a plugin's skill is known without its plugin too."""
    spelled = (
        "-".join("".join(c if c.isalnum() else " " for c in part.lower()).split())
        for part in (name, name.rpartition(":")[2])
    )
    return {f"skill-{one}" for one in spelled if one}


def _tags(draft: Mapping[str, object]) -> set[str]:
    value = draft.get("tags")
    return {tag.lower() for tag in value if isinstance(tag, str)} if isinstance(value, list) else set()


def _found(
    reader: Reader,
    fired: Fired,
    kinds: Sequence[str],
    keys: Iterable[str],
    lines: Callable[[Mapping[str, object], Facts], Sequence[str]],
) -> Found:
    """Skills of the project and the global ones that have one of ``keys`` as one of ``kinds``, the strongest
    first, with what ``lines`` makes of their drafts.  Of too many those of the first keys."""
    scopes = reader.scopes(reader.project(locate(os.path.abspath(fired.cwd))))
    rows: dict[int, None] = {}
    for key in dict.fromkeys(keys):
        fresh = [n for n in reader.exact(scopes, kinds, key, LIMIT) if n not in rows]
        rows |= dict.fromkeys(reader.proved(scopes, fresh, LIMIT - len(rows)))
        if len(rows) >= LIMIT:
            break
    if not rows:
        return ()
    facts = sorted(reader.facts(list(rows)).values(), key=lambda one: (-one.confirmed, one.id))
    told = [(one, lines(one.told, one)) for one in facts]
    return [(one, said) for one, said in told if said]


def _commands(line: str) -> list[str]:
    """The commands of a shell line as pitfalls name them: each whole, and without its last words."""
    for separator in _SEPARATORS:
        line = line.replace(separator, "\0")
    found: dict[str, None] = {}
    for segment in line.split("\0")[:_SEGMENTS]:
        words = segment.split()[:_WORDS]
        for count in range(len(words), 0, -1):
            # A program's name alone says little, unless nothing but options follow it.
            if count > 1 or all(word.startswith("-") for word in words[1:]):
                found.setdefault(pitfall_key(" ".join(words[:count])))
    return list(found)


def _relative(path: str, root: str, cwd: str) -> str:
    """``path`` below ``root``, '/'-separated; empty for one that is not there."""
    whole = os.path.normpath(os.path.join(cwd, path))
    for base in (root, cwd):
        if base and whole.startswith(base.rstrip("/\\") + os.sep):
            return whole[len(base.rstrip("/\\")) + 1 :].replace(os.sep, "/")
    return ""


def _pitfalls(draft: Mapping[str, object]) -> list[Mapping[str, object]]:
    value = draft.get("pitfalls")
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
