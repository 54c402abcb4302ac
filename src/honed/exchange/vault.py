"""A vault: a folder with one Markdown file a skill, and a manifest that says which files are honed's.

Only own files are replaced or removed, and only while nobody has edited them.  A file is written beside
its place and renamed into it; the manifest first says what is about to be written, so an export that was
interrupted still knows its own files.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from honed.errors import RefusedError, UnavailableError, UsageError
from honed.exchange.notes import note_text, parse_note
from honed.ledger.drafts import content_hash, draft_body, draft_of
from honed.ledger.ids import slugify
from honed.ledger.model import TEXTS, Recorded
from honed.ledger.rows import EvidenceRow, ProjectRow
from honed.ledger.weights import PLACE_WORKED
from honed.skills.model import Skill
from honed.store.base import SkillFilter, Store

MANIFEST = ".honed-vault.json"
GLOBAL = "global"
"""The folder of skills that hold everywhere."""
EXPORTED = ("candidate", "proven", "suspended")
LEFT_OUT = (
    "approvals (they are this home's owner's)",
    "the ledger's chain and the times of recording",
    "skills that were withdrawn or forgotten",
    "verdicts of tasks, transcripts that were read, settings",
    "old texts of a skill over 256 KB in all (named in its history)",
)
"""What no vault holds, said in every manifest."""
OLD_TEXTS = 256 * 1024
"""Bytes of the older texts of one skill that its history holds, the newest first."""

_WINDOWS = frozenset("con prn aux nul".split()) | {f"{name}{n}" for name in ("com", "lpt") for n in range(10)}


@dataclass(slots=True)
class Exported:
    """What an export did, in files; ``refused`` are paths that were left alone, with the reason."""

    new: int = 0
    changed: int = 0
    same: int = 0
    removed: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a vault says of itself: digests of the files that honed wrote (several while an export is
    under way), and the projects they belong to, by id."""

    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    projects: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


def export_vault(store: Store, folder: str, project: str | None = None) -> Exported:
    """Write every live skill to ``folder``; nothing that is not honed's is touched.

    With ``project`` (an id) only its skills and those of projects linked to it; then what an export of
    other projects wrote there is left as it is, too.  Raises ``UsageError`` if ``folder`` is a file,
    ``RefusedError`` if it holds files and is no vault, ``UnavailableError`` if it cannot be written.
    """
    base = Path(folder).expanduser()
    if base.exists() and not base.is_dir():
        raise UsageError(f"{base}: is a file; name a folder")
    done = Exported()
    try:
        _refuse_others(base)
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        there = read_manifest(base)
        with store.moment():
            projects = {row.id: row for row in store.projects()}
            folders = _folders(projects)
            scopes = None if project is None else store.scopes(project)[:-1]
            files = _files(store, projects, folders, scopes)
        named = _named(projects, folders, scopes)
        others: Mapping[str, tuple[str, ...]] = {}
        if scopes is not None:
            others = _of_others(there, {folders[scope] for scope in scopes if scope in folders})
            named = {**there.projects, **named}
        before = {path: digests for path, digests in there.files.items() if path not in others}
        planned = {path: {*before.get(path, ()), file.digest} for path, file in files.items()}
        _write(base / MANIFEST, _manifest_bytes({**others, **before, **planned}, named))
        kept = {path: _publish(base, path, file, before.get(path, ()), done) for path, file in files.items()}
        for path in sorted(set(before) - set(files)):
            _prune(base, path, before[path], done)
        final = {path: {digest} for path, digest in kept.items() if digest}
        _write(base / MANIFEST, _manifest_bytes({**others, **final}, named))
    except OSError as error:
        where = error.filename2 or error.filename or base
        raise UnavailableError(
            f"{where}: {(error.strerror or str(error)).lower()}; the export is not complete, run it again"
        ) from error
    return done


def _refuse_others(base: Path) -> None:
    """Raises ``RefusedError`` for a folder of somebody's files; hidden ones (``.git``) make none."""
    if not base.exists() or os.path.lexists(base / MANIFEST):
        return
    if any(not name.startswith(".") for name in os.listdir(base)):
        raise RefusedError(
            f"{base}: holds files and is no export of honed's; nothing was written. Name a new or an empty "
            f"folder, as {base / 'honed'}"
        )


def is_as_exported(file: Path, digests: Sequence[str]) -> bool:
    """Whether a file of a vault is one that an export wrote, by the ``digests`` in its manifest."""
    return bool(digests) and _digest(file.read_bytes()) in digests


# What is written


@dataclass(frozen=True, slots=True)
class _File:
    """What a skill's file is to hold."""

    skill: Skill
    data: bytes

    @property
    def digest(self) -> str:
        return _digest(self.data)


def _of_others(there: Manifest, ours: set[str]) -> dict[str, tuple[str, ...]]:
    """The files of a vault that lie in none of our folders."""
    return {path: digests for path, digests in there.files.items() if path.partition("/")[0] not in ours}


def _files(
    store: Store,
    projects: Mapping[str, ProjectRow],
    folders: Mapping[str, str],
    scopes: Sequence[str] | None,
) -> dict[str, _File]:
    """What each path of the vault is to hold, for every live skill (of the scopes), in a fixed order."""
    files: dict[str, _File] = {}
    taken = set[str]()
    found = store.skills(SkillFilter(archived=None, states=EXPORTED))
    # Every path is given out, so that a file's name does not hang on what is exported with it.
    for skill in sorted(found, key=lambda skill: (skill.learned_at, skill.id)):
        project = projects.get(skill.project)
        path = f"{folders.get(skill.project, GLOBAL)}/{_file_name(skill.slug)}.md"
        if path.lower() in taken:
            path = f"{path[:-3]}-{skill.id[3:9]}.md"
        taken.add(path.lower())
        if scopes is not None and skill.project not in scopes:
            continue
        evidence = [_evidence(row) for row in store.evidence(skill.id) if row.kind != PLACE_WORKED]
        history = _history(store.skill_events(skill.id))
        text = note_text(skill, project.name if project else "", evidence, history)
        files[path] = _File(skill, text.encode("utf-8"))
    return files


def _file_name(slug: str) -> str:
    name = slugify(slug)
    return f"{name}-skill" if name in _WINDOWS else name


def _folders(projects: Mapping[str, ProjectRow]) -> dict[str, str]:
    """The folder of each project, by id; the one seen first has its plain name."""
    folders: dict[str, str] = {}
    taken = {GLOBAL}
    for row in sorted(projects.values(), key=lambda row: (row.seen, row.id)):
        name = _file_name(slugify(row.name, "project"))
        folder = f"{name}-{row.id[3:9]}" if name in taken else name
        taken.add(folder)
        folders[row.id] = folder
    return folders


def _evidence(row: EvidenceRow) -> dict[str, object]:
    told = {
        "at": row.at,
        "kind": row.kind,
        "counted": row.counts,
        "authority": row.authority,
        "session": row.session,
        "why": row.why,
    }
    return {key: value for key, value in told.items() if value != ""}


def _history(recorded: tuple[Recorded, ...]) -> list[dict[str, object]]:
    """What was decided about a skill here, with the texts that it had before.

    What taking it in from a file wrote is no history of it, but for a text that another one replaced.
    """
    texts = [event for event in recorded if event.entry.kind in TEXTS and event.body]
    room, kept = OLD_TEXTS, set[str]()
    for event in reversed(texts[:-1]):
        room -= len(json.dumps(event.body))
        if room >= 0:
            kept.add(event.entry.id)
    told = []
    for event in recorded:
        entry = event.entry
        if entry.kind == "evidence" or (entry.actor == "import" and event not in texts[:-1]):
            continue
        if entry.kind == "learned" and event is texts[-1]:
            continue  # `learned` says when; the text is the file's own
        row: dict[str, object] = {"at": entry.at, "what": entry.kind, "by": entry.actor}
        if event in texts[:-1]:
            old = draft_body(draft_of((event.body or {}).get("draft")))
            row |= {"text": old} if entry.id in kept else {"left_out": "its text"}
        told.append(row)
    return told


# Files


def _publish(base: Path, path: str, file: _File, before: tuple[str, ...], done: Exported) -> str:
    """Write one file; returns the digest under which it is honed's, or "" where it is a user's."""
    target = base / path
    if not _inside(base, target.parent):
        done.refused.append((str(target), "its folder is a link that leads out of the vault"))
        return ""
    if os.path.lexists(target):
        there = target.read_bytes() if target.is_file() and not target.is_symlink() else b""
        if there == file.data:
            done.same += 1
            return file.digest
        if not before:
            done.refused.append((str(target), "it is not honed's; move it away or export elsewhere"))
            return ""
        if _digest(there) not in before and not _was_taken_in(there, file.skill):
            done.refused.append((str(target), "it was edited since the last export; import it first"))
            return before[0]
        done.changed += 1
    else:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        done.new += 1
    _write(target, file.data)
    return file.digest


def _was_taken_in(there: bytes, skill: Skill) -> bool:
    """Whether an edited file says nothing that its skill does not: then writing it anew loses nothing."""
    try:
        note = parse_note(there.decode("utf-8"), skill.slug)
    except (UnicodeDecodeError, UsageError):
        return False
    known = skill.extra.get("front")
    return (note.id, content_hash(note.draft), dict(note.unknown)) == (
        skill.id,
        skill.content_hash,
        known or {},
    )


def _prune(base: Path, path: str, before: tuple[str, ...], done: Exported) -> None:
    target = base / path
    if not _inside(base, target) or not target.is_file() or target.is_symlink():
        return
    if _digest(target.read_bytes()) not in before:
        done.refused.append((str(target), "its skill is gone, but the file was edited; delete it yourself"))
        return
    target.unlink()
    done.removed += 1


def _write(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".honed-{os.getpid()}.new")
    try:
        # Its owner's alone, as the memory is; a vault that is to be shared is shared by its owner.
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
        with open(handle, "wb") as file:
            file.write(data)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _inside(base: Path, target: Path) -> bool:
    return target.resolve().is_relative_to(base.resolve())


# The manifest


def _named(
    projects: Mapping[str, ProjectRow], folders: Mapping[str, str], scopes: Sequence[str] | None
) -> dict[str, Mapping[str, object]]:
    """What a manifest says of the projects (among ``scopes``), by id."""
    return {
        row.id: {
            "name": row.name,
            "folder": folders[row.id],
            "seen": row.seen,
            "aliases": [[alias.kind, alias.value] for alias in row.aliases if alias.state != "split"],
        }
        for row in projects.values()
        if scopes is None or row.id in scopes
    }


def _manifest_bytes(
    files: Mapping[str, set[str] | tuple[str, ...]], named: Mapping[str, Mapping[str, object]]
) -> bytes:
    digests = {path: sorted(values) for path, values in files.items()}
    value = {
        "honed": 1,
        "files": {path: found[0] if len(found) == 1 else found for path, found in digests.items()},
        "projects": named,
        "left_out": LEFT_OUT,
    }
    return f"{json.dumps(value, indent=1, sort_keys=True)}\n".encode("ascii")


def read_manifest(base: Path) -> Manifest:
    """The manifest of a vault, an empty one where there is none.  Raises ``UsageError``."""
    path = base / MANIFEST
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Manifest()
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{path}: not JSON ({error}); delete it, then nothing here counts as honed's"
        ) from error
    files, projects = (value.get(key) if isinstance(value, dict) else None for key in ("files", "projects"))
    return Manifest(
        {
            str(path): tuple(map(str, found)) if isinstance(found, list) else (str(found),)
            for path, found in (files.items() if isinstance(files, dict) else ())
        },
        {
            str(key): row
            for key, row in (projects.items() if isinstance(projects, dict) else ())
            if isinstance(row, dict)
        },
    )
