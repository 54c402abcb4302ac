"""A vault: a folder with one Markdown file a skill, and a manifest that says which files are honed's.

Only own files are replaced or removed, and only while nobody has edited them.  Files are published by
writing beside them and renaming.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from honed.errors import HonedError, NotFoundError, UnavailableError, UsageError
from honed.exchange.notes import Note, note_text, parse_note
from honed.ledger.fold import EvidenceRow, ProjectRow
from honed.ledger.ids import slugify
from honed.memory import Memory
from honed.skills.model import Skill

MANIFEST = ".honed-vault.json"
NOTE_LIMIT = 64 * 1024
"""Bytes; docs/design.md, Limits."""
SUFFIXES = (".md", ".markdown")


@dataclass(slots=True)
class Exported:
    """What an export did."""

    written: int = 0
    same: int = 0
    removed: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Imported:
    """What an import did, or would do."""

    new: int = 0
    same: int = 0
    changed: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)


def export_vault(memory: Memory, folder: str) -> Exported:
    """Write every live skill to ``folder``; nothing that is not honed's is touched.

    Raises ``UsageError`` if ``folder`` is a file, ``UnavailableError`` if it cannot be written.
    """
    base = Path(folder).expanduser()
    if base.exists() and not base.is_dir():
        raise UsageError(f"{base}: is a file; name a folder")
    done = Exported()
    try:
        base.mkdir(parents=True, exist_ok=True)
        before = _manifest(base)
        projects = {row.id: row for row in memory.projects()}
        files = _files(memory, projects)
        kept = {path: _publish(base, path, text, before, done) for path, text in files.items()}
        for path in sorted(set(before) - set(files)):
            _prune(base, path, before[path], done)
        _write(base / MANIFEST, _manifest_text({p: d for p, d in kept.items() if d}, projects))
    except OSError as error:
        raise UnavailableError(
            f"{error.filename or base}: {error.strerror}; the export is not complete"
        ) from error
    return done


def _files(memory: Memory, projects: dict[str, ProjectRow]) -> dict[str, str]:
    """Path in the vault -> text, for every live skill, in a fixed order."""
    files: dict[str, str] = {}
    folders = _folders(projects)
    for skill in sorted(memory.every_skill(), key=lambda skill: (skill.learned_at, skill.id)):
        project = projects.get(skill.project)
        path = f"{folders.get(skill.project, 'global')}/{_file_name(skill)}.md"
        if path.lower() in (other.lower() for other in files):
            path = f"{path[:-3]}-{skill.id[3:9]}.md"
        evidence = [_evidence(row) for row in memory.evidence(skill.id)]
        files[path] = note_text(skill, project.name if project else "", evidence)
    return files


def _file_name(skill: Skill) -> str:
    return slugify(skill.slug)


def _folders(projects: dict[str, ProjectRow]) -> dict[str, str]:
    names: dict[str, str] = {}
    for row in sorted(projects.values(), key=lambda row: (row.seen, row.id)):
        name = slugify(row.name, "project")
        taken = {*names.values(), "global"}
        names[row.id] = f"{name}-{row.id[3:9]}" if name in taken else name
    return names


def _evidence(row: EvidenceRow) -> dict[str, object]:
    told = {"at": row.at, "kind": row.kind, "session": row.session, "authority": row.authority}
    return {key: value for key, value in told.items() if value}


def _publish(base: Path, path: str, text: str, before: dict[str, str], done: Exported) -> str:
    """Write one file; returns its digest, or "" when a user's file stands in its place."""
    target, data = base / path, text.encode("utf-8")
    digest = _digest(data)
    if target.exists():
        found = _digest(target.read_bytes()) if target.is_file() else ""
        if found == digest:
            done.same += 1
            return digest
        if path not in before:
            done.refused.append((str(target), "it is not honed's; move it away or export elsewhere"))
            return ""
        if found != before[path]:
            done.refused.append((str(target), "it was edited since the last export; import it first"))
            return before[path]
    target.parent.mkdir(parents=True, exist_ok=True)
    _write(target, text)
    done.written += 1
    return digest


def _prune(base: Path, path: str, digest: str, done: Exported) -> None:
    target = base / path
    if not _inside(base, target) or not target.is_file():
        return
    if _digest(target.read_bytes()) != digest:
        done.refused.append((str(target), "its skill is gone, but the file was edited; delete it yourself"))
        return
    target.unlink()
    done.removed += 1


def _write(target: Path, text: str) -> None:
    temporary = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _inside(base: Path, target: Path) -> bool:
    return target.resolve().is_relative_to(base.resolve())


def _manifest_text(files: dict[str, str], projects: dict[str, ProjectRow]) -> str:
    named = {
        row.id: {
            "name": row.name,
            "seen": row.seen,
            "aliases": [[alias.kind, alias.value] for alias in row.aliases if alias.state != "split"],
        }
        for row in projects.values()
    }
    return json.dumps({"honed": 1, "files": files, "projects": named}, indent=1, sort_keys=True) + "\n"


def _read_manifest(base: Path) -> dict[str, object]:
    path = base / MANIFEST
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise UsageError(
            f"{path}: not JSON ({error}); delete it, then nothing here counts as honed's"
        ) from error
    return value if isinstance(value, dict) else {}


def _manifest(base: Path) -> dict[str, str]:
    files = _read_manifest(base).get("files")
    return {str(k): str(v) for k, v in files.items()} if isinstance(files, dict) else {}


# Import


def import_vault(memory: Memory, path: str, *, cwd: str, dry_run: bool = False) -> Imported:
    """Read a vault, any folder of Markdown notes, or one file.

    A file that cannot be read or understood is refused with the reason; the others go on.  Notes that name
    no project belong to the project of ``cwd``.  Raises ``NotFoundError``.
    """
    base = Path(path).expanduser()
    if not base.exists():
        raise NotFoundError(f"{base}: no such file or folder")
    done = Imported()
    if base.is_dir() and not dry_run:
        memory.know_projects(_declared_projects(base))
    for file in _notes(base):
        try:
            note = _read(file, base)
            what = memory.take_note(note, cwd=cwd, dry_run=dry_run)
        except UnavailableError:
            raise
        except HonedError as error:
            done.refused.append((str(file), str(error)))
        else:
            setattr(done, what, getattr(done, what) + 1)
    return done


def _notes(base: Path) -> Iterator[Path]:
    if not base.is_dir():
        yield base
        return
    for folder, folders, files in os.walk(base):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        yield from (Path(folder, name) for name in sorted(files) if Path(name).suffix.lower() in SUFFIXES)


def _read(file: Path, base: Path) -> Note:
    if base.is_dir() and not _inside(base, file):
        raise UsageError("a link that leads out of the folder")
    try:
        data = file.read_bytes() if file.is_file() else None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}") from error
    if data is None:
        raise UsageError("not a regular file")
    if len(data) > NOTE_LIMIT:
        raise UsageError(f"{len(data)} bytes; a note has at most {NOTE_LIMIT}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"not UTF-8 (byte {error.start}); save it as UTF-8") from error
    if "\x00" in text:
        raise UsageError("holds NUL characters; not a text")
    if not text.strip():
        raise UsageError("empty")
    return parse_note(text, file.parent.name if file.name == "SKILL.md" else file.stem)


def _declared_projects(base: Path) -> list[tuple[str, str, str, list[tuple[str, str]]]]:
    """``(id, name, seen, aliases)`` of the projects in a vault's manifest."""
    projects = _read_manifest(base).get("projects")
    rows = []
    for key, value in projects.items() if isinstance(projects, dict) else ():
        if not isinstance(value, dict) or not str(key).startswith("pr_"):
            continue
        aliases = value.get("aliases")
        pairs = [(str(p[0]), str(p[1])) for p in aliases if len(p) == 2] if isinstance(aliases, list) else []
        rows.append((str(key), str(value.get("name", "")), str(value.get("seen", "")), pairs))
    return rows
