"""Taking notes in: a vault, any folder of Markdown, or one file.

What a file says of its own proof is kept and weighs nothing here.  A note is known again by the id that an
export gave it, else by the place where it was found, else by its text; so importing twice changes nothing,
and an edited file is a new version: of the owner's own text where that is what its id names, else an imported
one; approved is neither.  Notes are kept some dozens at a time, each lot whole or not at all.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from honed.errors import HonedError, NotFoundError, UnavailableError, UsageError
from honed.exchange.notes import TEXTS_TOTAL, Note, parse_note
from honed.exchange.vault import Manifest, is_as_exported, read_manifest
from honed.home import DATABASE
from honed.ledger import events, ids
from honed.ledger.drafts import content_hash
from honed.ledger.model import NewEvent
from honed.ledger.rows import ProjectRow
from honed.packs.scan import KINDS, scan
from honed.skills.manual import redacted
from honed.skills.model import BODY_LIMIT, Draft, Skill
from honed.skills.redact import Redactor
from honed.store import files
from honed.store.aliases import PROJECT
from honed.store.backups import write_backup
from honed.store.base import SkillFilter, Store
from honed.store.place import Place, name_of

FILE_LIMIT = BODY_LIMIT + TEXTS_TOTAL
"""Bytes of a file: a body and what an export may put before it."""
SUFFIXES = (".md", ".markdown")
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
LOT = 48
"""Notes that are kept in one transaction."""
EVERY_STATE = ("candidate", "proven", "suspended", "withdrawn")
ACTOR = "import"


@dataclass(slots=True)
class Imported:
    """What an import did, in notes; ``refused`` are files that were not taken, with the reason.

    ``own`` are slugs of the owner's own texts that were changed: the ids in the files are of this home.
    ``unpinned`` are notes that call themselves pinned and are not as an export of honed's wrote them: to pin
    is the owner's alone, and anybody may write such a line.
    ``unplaced`` are names of projects to which notes went and of which no folder or remote is known here:
    nobody is given those until somebody says which folder is meant.
    """

    new: int = 0
    same: int = 0
    changed: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    unpinned: list[str] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A note that is about to be kept: its events, the first of which decides."""

    file: str
    note: Note
    what: str
    events: tuple[NewEvent, ...]


class Intake:
    """Takes notes into one store.  ``entropy`` gives so many random bytes."""

    def __init__(self, store: Store, redactor: Redactor, entropy: Callable[[int], bytes]) -> None:
        self._store = store
        self._redactor = redactor
        self._entropy = entropy
        self._waiting: list[_Waiting] = []
        self._by_id: dict[str, Skill] = {}
        self._by_place: dict[tuple[str, str], Skill] = {}  # by project and path of the file
        self._by_text: dict[tuple[str, str], Skill] = {}
        self._folders: dict[str, str] = {}
        self._projects: dict[str, str] = {}
        self._placeless: set[str] = set()  # projects that nothing but their name is known of
        self._exported: Mapping[str, tuple[str, ...]] = {}

    def take(self, path: str, *, at: Place) -> Imported:
        """Take in what ``path`` holds.  Notes that name no project belong to the project of ``at``.

        A file that cannot be read or understood is refused with the reason; the others go on.  Raises
        ``NotFoundError``, and what the store raises.
        """
        base = Path(path).expanduser()
        if not base.exists():
            raise NotFoundError(f"{base}: no such file or folder")
        for skill in self._store.skills(SkillFilter(archived=None, states=EVERY_STATE)):
            self._know(skill)
        manifest = read_manifest(base) if base.is_dir() else Manifest()
        self._exported = manifest.files
        self._know_projects(manifest)
        done = Imported()
        for file in _notes(base, done):
            try:
                note = _read(file, base, self._redactor)
                if note.id not in self._by_id:
                    _refuse_harmful(file, note)
                self._consider(note, file, base, at, done)
            except UnavailableError:
                raise
            except HonedError as error:
                done.refused.append((str(file), str(error)))
            if len(self._waiting) >= LOT:
                self._keep(done)
        self._keep(done)
        done.refused.sort()
        done.unplaced.sort()
        return done

    # -- what is known -----------------------------------------------------------------------------

    def _know(self, skill: Skill) -> None:
        self._by_id[skill.id] = skill
        self._by_text[skill.project, skill.content_hash] = skill
        place = skill.extra.get("file")
        if isinstance(place, str):
            self._by_place[skill.project, place] = skill

    def _know_projects(self, manifest: Manifest) -> None:
        """Take over the projects that a vault declares; those that are here under another id stay these."""
        known = self._store.projects()
        here = {row.id for row in known}
        self._projects = {row.name: row.id for row in reversed(known)}
        self._placeless = {row.id for row in known if not row.aliases}
        new = []
        for key, declared in manifest.projects.items():
            name = str(declared.get("name", ""))
            # A vault links projects of its own; never one that is here: that is the owner's to say.
            aliases = [
                (kind, value)
                for kind, value in _aliases(declared.get("aliases"))
                if kind != PROJECT or (value in manifest.projects and value not in here)
            ]
            project = next((row.id for row in known if row.id == key or _is_same(row, aliases)), "")
            if not project and ids.subject_kind(key) == "project":
                project = key
                seen = str(declared.get("seen", ""))
                new.append(events.project_seen(project, name, aliases, self._entropy(16), seen))
            self._folders[str(declared.get("folder", ""))] = project
            self._projects.setdefault(name, project)
        if new:
            self._store.append(new)

    def _project_of(self, note: Note, within: str, at: Place) -> str:
        """The project a note belongs to: by name, the folder of the vault deciding among equals, then the
        place where the notes are taken in."""
        if note.draft.scope == "global":
            return ""
        if not note.project:
            return self._store.ensure_project(at)
        folder = self._folders.get(within.partition("/")[0], "")
        if folder and self._name_of(folder) == note.project:
            return folder
        if note.project == name_of(at) and (here := self._store.ensure_project(at)):
            return here
        if note.project not in self._projects:
            project = ids.random_id("pr_", self._entropy(10))
            self._store.append([events.project_seen(project, note.project, (), self._entropy(16))])
            self._projects[note.project] = project
            self._placeless.add(project)
        return self._projects[note.project]

    def _name_of(self, project: str) -> str:
        return next((row.name for row in self._store.projects() if row.id == project), "")

    # -- one note ----------------------------------------------------------------------------------

    def _consider(self, note: Note, file: Path, base: Path, at: Place, done: Imported) -> None:
        within = file.relative_to(base).as_posix() if file != base else file.name
        project = self._project_of(note, within, at)
        if project in self._placeless and note.project not in done.unplaced:
            done.unplaced.append(note.project)
        place = str(file.resolve())
        draft = replace(note.draft, scope="project" if project else "global")
        if self._is_known(self._known(note, project, place, content_hash(draft)), draft):
            done.same += 1
            return
        draft = redacted(draft, self._redactor)
        text = content_hash(draft)
        known = self._known(note, project, place, text)
        if self._is_known(known, draft):
            done.same += 1
            return
        if known is not None:
            if note.id and known.draft.origin == "owner":
                # The file is one of this home's own: its owner edited it, and it stays theirs.
                draft = replace(draft, origin="owner")
                done.own.append(known.slug)
            event = events.revised(known.id, draft, self._entropy(16), reason=f"imported from {within}")
            self._know(replace(known, draft=draft, content_hash=text))
            self._waiting.append(_Waiting(str(file), note, "changed", (event,)))
            return
        skill_id = note.id or ids.random_id("sk_", self._entropy(10))
        extra = note.extra(place)
        first = events.written(
            skill_id, project, note.slug, draft, self._entropy(16), actor=ACTOR, extra=extra
        )
        pinned = note.pinned and is_as_exported(file, self._exported.get(within, ()))
        if note.pinned and not pinned:
            done.unpinned.append(note.slug)
        wanted = (("pinned", pinned), ("archived", note.archived))
        decisions = [kind for kind, is_so in wanted if is_so]
        more = [
            events.by_hand(kind, skill_id, self._entropy(16), actor=ACTOR)  # type: ignore[arg-type]
            for kind in decisions
        ]
        self._know(Skill(skill_id, project, note.slug, draft, content_hash=text, extra=extra))
        self._waiting.append(_Waiting(str(file), note, "new", (first, *more)))

    def _known(self, note: Note, project: str, place: str, text: str) -> Skill | None:
        """The skill that a note is a text of: by its id, else its place, else the text itself."""
        if note.id:
            return self._by_id.get(note.id)
        return self._by_place.get((project, place)) or self._by_text.get((project, text))

    @staticmethod
    def _is_known(known: Skill | None, draft: Draft) -> bool:
        return known is not None and known.content_hash == content_hash(draft)

    def _keep(self, done: Imported) -> None:
        """Write the waiting lot; what the ledger refuses (a text that was forgotten here) is refused."""
        waiting, self._waiting = self._waiting, []
        results = iter(self._store.append([event for one in waiting for event in one.events], same_text=True))
        for one in waiting:
            outcomes = [next(results) for _ in one.events]
            if outcomes[0].status == "refused":
                reason = f"{outcomes[0].reason}; it is not taken in again"
                done.refused.append((one.file, reason))
            else:
                setattr(done, one.what, getattr(done, one.what) + 1)


def _is_same(row: ProjectRow, aliases: list[tuple[str, str]]) -> bool:
    """Whether a project that is known here is the declared one: the same remote, or the same folder where
    neither says that it is of another remote."""
    mine: Mapping[str, set[str]] = {
        kind: {alias.value for alias in row.aliases if alias.kind == kind and alias.state != "split"}
        for kind in ("remote", "git", "path")
    }
    theirs = {kind: {value for other, value in aliases if other == kind} for kind in mine}
    if mine["remote"] and theirs["remote"]:
        return bool(mine["remote"] & theirs["remote"])
    return any(mine[kind] & theirs[kind] for kind in ("git", "path"))


def _aliases(value: object) -> list[tuple[str, str]]:
    pairs = value if isinstance(value, list) else []
    return [(str(p[0]), str(p[1])) for p in pairs if isinstance(p, list) and len(p) == 2]


# Files


def _notes(base: Path, done: Imported) -> Iterator[Path]:
    """The Markdown files at or below ``base`` in a fixed order; folders that cannot be read are refused."""
    if not base.is_dir():
        yield base
        return

    def refuse(error: OSError) -> None:
        done.refused.append((str(error.filename), f"cannot be read: {(error.strerror or '').lower()}"))

    for folder, folders, names in os.walk(base, onerror=refuse):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in SKIPPED_FOLDERS)
        yield from (Path(folder, name) for name in sorted(names) if name.lower().endswith(SUFFIXES))


def _refuse_harmful(file: Path, note: Note) -> None:
    """Skills that others publish come in by ``honed packs``, which can hold one in quarantine; what would be
    held there is not taken in here.  Raises ``UsageError``."""
    if file.name.upper() != "SKILL.MD":
        return
    found = scan(f"{note.draft.title}\n{note.draft.trigger}\n{note.draft.body}", file.name)
    if found:
        told = "; ".join(dict.fromkeys(KINDS[one.kind] for one in found))
        raise UsageError(f"it {told}; `honed packs add` takes it in and keeps it in quarantine")


def _read(file: Path, base: Path, redactor: Redactor) -> Note:
    if base.is_dir() and not file.resolve().is_relative_to(base.resolve()):
        raise UsageError("a link that leads out of the folder")
    try:
        if not file.is_file():
            raise UsageError("not a regular file")
        with file.open("rb") as stream:
            data = stream.read(FILE_LIMIT + 1)
    except OSError as error:
        raise UsageError(f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    if len(data) > FILE_LIMIT:
        raise UsageError(f"over {FILE_LIMIT} bytes; cut it into several notes")
    if data.startswith(b"SQLite format 3\x00"):
        raise UsageError("a database; let the program that wrote it export its notes as Markdown")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"byte {error.start} is not UTF-8; save it as UTF-8") from error
    if "\x00" in text:
        raise UsageError("holds NUL characters; not a text")
    if not text.strip():
        raise UsageError("empty")
    return parse_note(text, file.parent.name if file.name.upper() == "SKILL.MD" else file.stem, redactor)


@contextlib.contextmanager
def on_a_copy(home: str) -> Iterator[str]:
    """A throw-away home that holds what ``home`` holds, for finding out what an import would do."""
    with tempfile.TemporaryDirectory(prefix="honed-try-") as copy:
        if os.path.lexists(os.path.join(home, DATABASE)):
            write_backup(home, "", os.path.join(copy, DATABASE))
            for name in (files.KEY, files.OTHER_KEYS, files.HEAD, "config.json"):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copy(os.path.join(home, name), copy)
        yield copy
