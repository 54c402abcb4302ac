"""``honed edit``: the owner gives a skill another text, by options or in an editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import replace

from honed.cli.command import Command, Output, here_of, project_argument, slug_argument, typed_text
from honed.cli.writing import text_of
from honed.errors import RefusedError, UsageError
from honed.exchange import frontmatter
from honed.exchange.notes import parse_note
from honed.ledger.drafts import draft_body
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from honed.skills.model import KINDS, Draft, Skill

FRONT = "tags ttl_days aliases steps files check symbols pitfalls outcome".split()
"""Fields that an editor shows under their own names, as a vault does (``exchange.notes``)."""
EDITORS = ("sensible-editor", "nano", "vi")
"""Asked for where the environment names none."""


def _arguments(parser: ArgumentParser) -> None:
    slug_argument(parser)
    parser.add_argument("--title", type=typed_text, help="another title")
    parser.add_argument("--trigger", type=typed_text, help="when it applies")
    parser.add_argument("--kind", choices=KINDS, help="another kind")
    text = parser.add_mutually_exclusive_group()
    text.add_argument("--body", type=typed_text, help="another text")
    text.add_argument("--file", metavar="PATH", help="a file with the text; - is standard input")
    parser.add_argument(
        "--steps", metavar="TEXT", type=typed_text, action="append", help="a step (repeat): all there are"
    )
    parser.add_argument("--check", type=typed_text, help="the command that proves it")
    parser.add_argument("--tags", metavar="A,B", type=typed_text, help="separated by commas: all there are")
    parser.add_argument("--reason", type=typed_text, default="", help="why; the history shows it")
    project_argument(parser)


def _edit(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        before = memory.find(options.slug, memory.named(options.project, here_of(options)))
    # The memory is let go while somebody types; what changed meanwhile is not written over.
    given = _given(options)
    draft = _changed(before.draft, given) if given else _in_an_editor(before)
    with Memory.open(options.home, existing=True) as memory:
        after, changed = memory.edit(before, draft, options.reason)
    output.json(
        {
            "slug": after.slug,
            "id": after.id,
            "version": after.version,
            "changed": changed,
            "approved": bool(after.approved_hash),
            "waiting": after.waiting,
        }
    )
    _say(output, before, after, changed)
    return 0


def _say(output: Output, before: Skill, after: Skill, changed: bool) -> None:
    if changed and after.content_hash == before.content_hash:
        output.text(
            f"Kept beside {after.slug}, whose approved text stays in use: "
            f"`honed trust {after.slug}` shows the new one and brings it into use; "
            f"`honed undo {after.slug}` drops it."
        )
        return
    if not changed:
        output.text(f"{after.slug} says that already; nothing was changed.")
        return
    output.text(f"{after.slug}: version {after.version}; `honed undo {after.slug}` takes it back.")
    if before.draft.origin != "owner":
        was = {"agent": "an agent's", "imported": "imported", "derived": "learned from sessions"}
        output.text(f"It is your own text from now on (it was {was[before.draft.origin]}).")
    if after.approved_hash:
        output.text("You approved this text before, so it is guidance again.")


def _given(options: Namespace) -> dict[str, object]:
    """The fields that options name, by their names in ``draft_from_manual``."""
    given = {name: getattr(options, name) for name in ("title", "trigger", "kind", "body", "steps", "check")}
    if options.file is not None:
        given["body"] = _text_of(options.file)
    if options.tags is not None:
        given["tags"] = [tag.strip() for tag in options.tags.split(",") if tag.strip()]
    return {name: value for name, value in given.items() if value is not None}


def _text_of(path: str) -> str:
    """The text in a file, or on standard input.  Raises ``UsageError``."""
    where = f"--file {path}"
    try:
        if path == "-":
            text = text_of(sys.stdin.buffer, where)
        else:
            with open(os.path.expanduser(path), "rb") as stream:
                text = text_of(stream, where)
    except OSError as error:
        raise UsageError(f"{where}: {(error.strerror or str(error)).lower()}") from error
    if not text.strip():
        raise UsageError(f"{where}: there is no text in it")
    return text


def _changed(draft: Draft, given: Mapping[str, object]) -> Draft:
    """``draft`` with the ``given`` fields, which are held to what hand-written texts are held to."""
    whole = {name: getattr(draft, name) for name in ("kind", "title", "trigger", "body", "steps", "check")}
    checked = draft_from_manual(**{**whole, "tags": draft.tags, **given})
    changed: dict[str, object] = {name: getattr(checked, name) for name in given}
    return replace(draft, **changed)  # type: ignore[arg-type]


# In an editor


def _in_an_editor(skill: Skill) -> Draft:
    """What the owner makes of a skill's text in an editor.

    Raises ``UsageError`` where there is none, or for a text that cannot be understood, which is kept and
    named then; ``RefusedError`` where the editor fails.
    """
    command = _editor(os.environ)
    folder = tempfile.mkdtemp(prefix="honed-edit-")
    path = os.path.join(folder, f"{skill.slug}.md")
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(_as_file(skill.draft))
    try:
        status = subprocess.run([*command, path], check=False).returncode
    except OSError as error:
        shutil.rmtree(folder)
        raise UsageError(f"the editor {command[0]} cannot be started: {error.strerror}") from error
    if status:
        raise RefusedError(f"the editor ended with status {status}; nothing was changed. Your text: {path}")
    try:
        with open(path, encoding="utf-8") as file:
            draft = _read_back(file.read(), skill)
    except UnicodeDecodeError as error:
        raise UsageError(f"the text is not UTF-8; nothing was changed. Your text: {path}") from error
    except UsageError as error:
        raise UsageError(f"{error}; nothing was changed. Your text: {path}") from error
    shutil.rmtree(folder)
    return draft


def _editor(environ: Mapping[str, str]) -> list[str]:
    named = environ.get("VISUAL") or environ.get("EDITOR")
    if named:
        return shlex.split(named)
    found = next((name for name in EDITORS if shutil.which(name)), "")
    if found and sys.stdin is not None and sys.stdin.isatty():
        return [found]
    raise UsageError("nothing to change: name a field (--body, --file, --title ...), or set $EDITOR")


def _as_file(draft: Draft) -> str:
    body = draft_body(draft)
    front = {"title": draft.title, "description": draft.trigger, "kind": draft.kind}
    front |= {name: body[name] for name in FRONT if name in body}  # type: ignore[misc]
    return f"---\n{frontmatter.emit(front)}---\n\n{draft.body}\n"


def _read_back(text: str, skill: Skill) -> Draft:
    if not (text.startswith("---\n") and "\n---" in text[4:]):
        raise UsageError("the fields between two lines of three dashes are gone")
    note = parse_note(text, skill.slug)
    if note.unknown:
        raise UsageError(f"{', '.join(note.unknown)}: no field of a skill, or not written as one")
    body = note.draft.body.strip()
    given = {
        "kind": note.draft.kind,
        "title": note.draft.title,
        "trigger": note.draft.trigger,
        "body": body,
        "steps": note.draft.steps,
        "check": note.draft.check,
        "tags": note.draft.tags,
    }
    return replace(_changed(note.draft, given), agent=skill.draft.agent)


COMMANDS = {
    "edit": Command(
        _edit,
        _arguments,
        description=(
            "Give a skill another text: the fields that you name, or all of it in $VISUAL or $EDITOR. The "
            "old text stays in its history (`honed show SLUG --history`), `honed undo` takes the change "
            "back. Beside a text that you approved the new one waits until you approve it too."
        ),
        example='honed edit no-force-push --body "Push main without force; ask first."',
    ),
}
