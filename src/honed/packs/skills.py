"""The skills in a pack: every folder that holds a ``SKILL.md``, and what becomes of its files.

The text of ``SKILL.md`` is the body of a procedure, its description kept whole is the trigger; other texts
(in ``references/``, or beside it) are lessons of their own.  Everything else is told by path and digest only:
scripts are never kept and never run.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from honed.errors import RefusedError, UsageError
from honed.exchange.notes import Note, parse_note
from honed.packs.files import FILE, Budget, Entry, Refused, content, digest, is_archive
from honed.packs.nested import look_into
from honed.packs.scan import Finding, scan
from honed.sessions.private import without_private
from honed.skills.model import BODY_LIMIT, TITLE_LIMIT, Draft

SKILL = "SKILL.md"
MOST_SKILLS = 200
MOST_FILES = 500
"""Files of one skill."""
TRIGGER = 8 * 1024
"""Bytes of a description."""
SCRIPT = 256 * 1024
"""Bytes of a script that are looked at."""
_TEXTS = (".md", ".markdown", ".txt", ".rst", ".mdx")
_SCRIPTS = (
    ".sh .bash .zsh .fish .py .js .mjs .cjs .ts .rb .pl .php .ps1 .psm1 .bat .cmd .command .lua .go .rs "
    ".java .swift .applescript .scpt .vbs"
).split()
_SPEC = ("references", "scripts", "assets")
_TOP_TEXTS = frozenset(
    "readme changelog license licence contributing security code_of_conduct notice".split()
)
_LISTED = 60
"""Files that are not kept are named in a skill's text up to so many."""
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reference:
    """A text that belongs to a skill: its path in the pack and the lesson that it becomes."""

    path: str
    draft: Draft


@dataclass(frozen=True, slots=True)
class PackSkill:
    """One skill of a pack.

    ``folder`` is its path in the pack ("" for the pack itself), ``hash`` a sha256 over all of its files,
    ``scripts`` and ``others`` are the paths of what is not kept, ``licence`` what its front matter says.
    """

    folder: str
    slug: str
    draft: Draft
    hash: str
    references: tuple[Reference, ...] = ()
    scripts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    licence: str = ""
    findings: tuple[Finding, ...] = ()


def folders(files: Mapping[str, Entry]) -> dict[str, list[Entry]]:
    """The skills' folders with the entries of each; a file belongs to the nearest one above it.

    Raises ``RefusedError`` for more than ``MOST_SKILLS``.
    """
    found: dict[str, list[Entry]] = {
        path[: -len(SKILL)].rstrip("/"): [] for path in sorted(files) if path.rpartition("/")[2] == SKILL
    }
    if len(found) > MOST_SKILLS:
        raise RefusedError(
            f"{len(found)} skills; a pack has at most {MOST_SKILLS}: add a folder of it by itself"
        )
    for path in sorted(files):
        above = path
        while above:
            above = above.rpartition("/")[0]
            if above in found:
                if above or _is_of_top(path):
                    found[above].append(files[path])
                break
    return found


def _is_of_top(path: str) -> bool:
    """Where the whole repository is a skill, what lies in other folders is its own business."""
    first, slash, _ = path.partition("/")
    return not slash or first in _SPEC


def read_skill(
    folder: str, entries: Iterable[Entry], fallback: str, budget: Budget, redactor: Callable[[str], str]
) -> PackSkill:
    """One skill.  ``fallback`` is its name where neither file nor folder has one; ``redactor`` is run over
    what is cut or made a name of, the texts are the caller's to redact.

    Raises ``UsageError`` for what makes this skill unusable, ``RefusedError`` for what refuses the pack.
    """
    listed = list(entries)
    if len(listed) > MOST_FILES:
        raise UsageError(f"{len(listed)} files; a skill has at most {MOST_FILES}")
    kept: dict[str, str] = {}
    scripts: list[str] = []
    others: list[str] = []
    findings: list[Finding] = []
    digests: dict[str, str] = {}
    for entry in listed:
        data = content(entry, budget, FILE)
        within = entry.path[len(folder) + 1 :] if folder else entry.path
        findings += scan(within, entry.path)  # the skill's text names it
        digests[within] = hashlib.sha256(data).hexdigest()
        look_into(entry.path, data, budget)
        sort = _sort(within, data)
        if sort == "text":
            kept[within] = _text(entry.path, data)
            findings += scan(kept[within], entry.path)
        elif sort == "script":
            scripts.append(within)
            if not is_archive(data):
                findings += scan(data[:SCRIPT].decode("utf-8", "replace"), entry.path)
        else:
            others.append(within)
    name = folder.rpartition("/")[2] or fallback
    made = _made(folder, name, kept, scripts, others, digests, redactor)
    return replace(made, findings=tuple(findings))


def _sort(within: str, data: bytes) -> str:
    low = within.lower()
    if within == SKILL:
        return "text"
    if low.startswith("scripts/") or low.endswith(tuple(_SCRIPTS)) or data.startswith(b"#!"):
        return "script"
    stem = low.rpartition("/")[2].partition(".")[0]
    readable = low.endswith(_TEXTS) and not low.startswith("assets/") and b"\x00" not in data
    return "text" if readable and stem not in _TOP_TEXTS else "other"


def _text(path: str, data: bytes) -> str:
    if len(data) > BODY_LIMIT:
        raise UsageError(f"{path}: over {BODY_LIMIT} bytes; a text of a pack has at most that many")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: byte {error.start} is not UTF-8") from error
    if "\x00" in text:
        raise UsageError(f"{path}: holds NUL characters; not a text")
    return text


def _made(
    folder: str,
    name: str,
    kept: Mapping[str, str],
    scripts: list[str],
    others: list[str],
    digests: Mapping[str, str],
    redactor: Callable[[str], str],
) -> PackSkill:
    path = f"{folder}/{SKILL}" if folder else SKILL
    try:
        note = parse_note(kept[SKILL], name, redactor)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    trigger = note.draft.trigger
    if len(trigger.encode("utf-8")) > TRIGGER:
        raise UsageError(f"{path}: the description has over {TRIGGER} bytes")
    texts = {within: text for within, text in kept.items() if within != SKILL and text.strip()}
    references = tuple(_references(folder, texts, note, redactor))
    body = note.draft.body.rstrip() + _told_files(kept, scripts, others, digests)
    if len(body.encode("utf-8")) > BODY_LIMIT:
        raise UsageError(f"{path}: over {BODY_LIMIT} bytes")
    # Of the front matter a pack has a name, a title, a description and a licence; it pins, checks and rules
    # over nothing.
    draft = Draft("procedure", note.draft.title, trigger, body=body, origin="imported")
    return PackSkill(
        folder,
        note.slug,
        draft,
        digest(digests),
        references,
        tuple(scripts),
        tuple(others),
        _licence_line(note.unknown.get("license", note.unknown.get("licence", ""))),
    )


def _references(
    folder: str, texts: Mapping[str, str], note: Note, redactor: Callable[[str], str]
) -> Iterator[Reference]:
    for within, text in texts.items():
        heading = _HEADING.search(without_private(text))
        about = heading[1] if heading else within.rpartition("/")[2]
        title = redactor(f"{note.draft.title}: {about}")[:TITLE_LIMIT]
        draft = Draft("lesson", title, "", body=text, tags=(note.slug,), origin="imported")
        yield Reference(f"{folder}/{within}" if folder else within, draft)


def _told_files(
    kept: Mapping[str, str], scripts: list[str], others: list[str], digests: Mapping[str, str]
) -> str:
    """What a reader of the text must know of its other files; with a digest each, an approval covers them."""
    lines = [f"- {path}: kept as a text of its own" for path in kept if path != SKILL]
    lines += [f"- {path}: a script, sha256 {digests[path][:16]}; not kept, never run" for path in scripts]
    lines += [f"- {path}: sha256 {digests[path][:16]}; not kept" for path in others]
    if not lines:
        return "\n"
    more = [f"- and {len(lines) - _LISTED} more"] if len(lines) > _LISTED else []
    return "\n\n## Files of this skill\n\n" + "\n".join([*lines[:_LISTED], *more]) + "\n"


def _licence_line(block: str) -> str:
    return block.partition(":")[2].strip().strip("\"'")[:80] if block else ""


_LICENCES = (
    ("Apache-2.0", r"Apache License\s+Version 2\.0"),
    ("MIT", r"\bMIT License\b|Permission is hereby granted, free of charge, to any person"),
    ("AGPL-3.0", r"GNU AFFERO GENERAL PUBLIC LICENSE"),
    ("LGPL", r"GNU LESSER GENERAL PUBLIC LICENSE"),
    ("GPL-3.0", r"GNU GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GPL-2.0", r"GNU GENERAL PUBLIC LICENSE\s+Version 2"),
    ("MPL-2.0", r"Mozilla Public License Version 2\.0"),
    ("BSD-3-Clause", r"Redistribution and use in source(?s:.){0,2000}Neither the name"),
    ("BSD-2-Clause", r"Redistribution and use in source"),
    ("ISC", r"Permission to use, copy, modify, and(?:/or)? distribute this software"),
    ("CC0-1.0", r"CC0 1\.0 Universal"),
    ("CC-BY-4.0", r"Attribution 4\.0 International"),
    ("Unlicense", r"This is free and unencumbered software"),
)


def licence_of(files: Mapping[str, Entry], budget: Budget) -> str:
    """The licence of a pack by its LICENSE file: its SPDX name, "other" for an unknown one, "" for none."""
    wanted = re.compile(r"(?i)(?:licen[sc]e|copying)(?:[.-](?:md|txt|mit|apache))?")
    for path in sorted(files):
        if "/" not in path and wanted.fullmatch(path):
            text = content(files[path], budget)[:20_000].decode("utf-8", "replace")
            flat = " ".join(text.split())
            return next((name for name, pattern in _LICENCES if re.search(pattern, flat)), "other")
    return ""


def taken(
    files: Mapping[str, Entry],
    refused: list[Refused],
    name: str,
    budget: Budget,
    redactor: Callable[[str], str] = str,
) -> tuple[list[PackSkill], list[Refused]]:
    """Every skill of a pack that can be used, and why not the others.

    A skill of whose files one was refused is refused whole: half of a skill is another one.
    """
    skills: list[PackSkill] = []
    bad: list[Refused] = []
    for folder, entries in folders(files).items():
        spoilt = next((one for one in refused if _is_below(one.path, folder)), None)
        if spoilt is not None:
            bad.append(Refused(folder or SKILL, f"not taken, for {spoilt.path} is part of it"))
            continue
        try:
            skills.append(read_skill(folder, entries, name, budget, redactor))
        except UsageError as error:
            path = f"{folder}/{SKILL}" if folder else SKILL
            bad.append(Refused(path, str(error).removeprefix(f"{path}: ")))
    return skills, bad


def _is_below(path: str, folder: str) -> bool:
    if folder:
        return path.startswith(f"{folder}/")
    return not path.startswith("/") and ".." not in path.split("/") and _is_of_top(path)


def in_scope(skill: PackSkill, scope: str) -> PackSkill:
    """The skill as one of the project, or one that holds everywhere."""
    if scope == "project":
        return skill
    references = tuple(replace(one, draft=replace(one.draft, scope="global")) for one in skill.references)
    return replace(skill, draft=replace(skill.draft, scope="global"), references=references)
