"""Commands that write by hand: learn, write, pin, archive, forget, config."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from functools import partial

from honed.cli.command import Command, Output
from honed.config import SETTINGS, setting_of, typed
from honed.errors import UsageError
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from honed.skills.model import Draft, Skill
from honed.store.base import Appended

KINDS = ("procedure", "rule", "lesson", "recipe", "recap")


def _slug_argument(parser: ArgumentParser) -> None:
    parser.add_argument("slug", metavar="SLUG", help="the skill (project/slug and ids work from anywhere)")
    _project_argument(parser)


def _project_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--project", metavar="DIR", help="a folder of the project meant (default: this folder)"
    )


def here(options: Namespace) -> str:
    """The folder a command is about."""
    folder = options.project or os.getcwd()
    if options.project and not os.path.isdir(folder):
        raise UsageError(f"--project {folder}: no such folder")
    return os.path.abspath(folder)


def _common(parser: ArgumentParser) -> None:
    parser.add_argument("slug", metavar="SLUG", help="lower-case letters, digits and hyphens")
    parser.add_argument("--title", required=True, help="one line")
    parser.add_argument(
        "--scope", choices=("project", "global"), default="project", help="where it may be recalled"
    )
    parser.add_argument("--tags", metavar="A,B", default="", help="separated by commas")
    parser.add_argument(
        "--force", action="store_true", help="keep it although something nearly the same is known"
    )
    _project_argument(parser)


def _learn_arguments(parser: ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--trigger", required=True, help="when it applies, in the words people ask in")
    parser.add_argument(
        "--steps",
        action="append",
        default=[],
        required=True,
        help="a step (repeat; or one text with a line each)",
    )
    parser.add_argument("--outcome", default="", help="what it comes to")
    parser.add_argument("--lessons", action="append", default=[], help="what to watch out for (repeat)")
    parser.add_argument("--check", default="", help="the command that proves it")
    parser.add_argument(
        "--files", metavar="PATH", action="append", default=[], help="a file it is about (repeat)"
    )


def _write_arguments(parser: ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--trigger", default="", help="when it applies")
    parser.add_argument("--body", help="the text (default: standard input)")


def _lines(texts: list[str]) -> list[str]:
    return [line.strip() for text in texts for line in text.splitlines() if line.strip()]


def _learn(options: Namespace, output: Output) -> int:
    draft = draft_from_manual(
        kind="procedure",
        title=options.title,
        trigger=options.trigger,
        steps=_lines(options.steps),
        outcome=options.outcome,
        lessons=_lines(options.lessons),
        check=options.check,
        files=options.files,
        tags=_tags(options.tags),
        scope=options.scope,
    )
    return _keep(options, output, draft)


def _write(options: Namespace, output: Output) -> int:
    body = options.body if options.body is not None else sys.stdin.read()
    draft = draft_from_manual(
        kind=options.kind,
        title=options.title,
        trigger=options.trigger,
        body=body,
        tags=_tags(options.tags),
        scope=options.scope,
    )
    return _keep(options, output, draft)


def _tags(text: str) -> list[str]:
    return [tag.strip() for tag in text.split(",") if tag.strip()]


def _keep(options: Namespace, output: Output, draft: Draft) -> int:
    with Memory.open(options.home) as memory:
        outcome: Appended = memory.write(options.slug, draft, cwd=here(options), force=options.force)
    existed = outcome.status == "existed"
    output.json({"slug": outcome.slug, "id": outcome.subject, "existed": existed})
    output.text(f"Known already as {outcome.slug}." if existed else f"Stored {outcome.slug}.")
    return 0


def _say_state(output: Output, skill: Skill, said: str) -> int:
    state = "archived" if skill.archived else skill.state
    output.json({"slug": skill.slug, "id": skill.id, "state": state, "pinned": skill.pinned})
    output.text(f"{skill.slug}: {said}.")
    return 0


def _pin(options: Namespace, output: Output, *, pinned: bool) -> int:
    with Memory.open(options.home) as memory:
        skill = memory.pin(options.slug, here(options), pinned=pinned)
    return _say_state(output, skill, "pinned; it will not fade" if pinned else "no longer pinned")


def _archive(options: Namespace, output: Output, *, archived: bool) -> int:
    with Memory.open(options.home) as memory:
        skill = memory.archive(options.slug, here(options), archived=archived)
    said = "archived; `honed restore` brings it back" if archived else "in use again"
    return _say_state(output, skill, said)


def _forget(options: Namespace, output: Output) -> int:
    with Memory.open(options.home) as memory:
        slug = memory.find(options.slug, here(options)).slug
        skill = memory.forget(options.slug, here(options))
    output.json({"slug": slug, "id": skill.id, "state": "deleted"})
    output.text(f"{slug}: forgotten. It is in no search any more and will not be learned again.")
    return 0


def _config_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("get", "set", "list"))
    parser.add_argument("key", nargs="?", metavar="KEY")
    parser.add_argument("value", nargs="?", metavar="VALUE")


def _config(options: Namespace, output: Output) -> int:
    _config_words(options)
    with Memory.open(options.home) as memory:
        if options.action == "set":
            memory.configure(options.key, typed(options.key, options.value))
        if options.action == "list":
            rows = {setting.key: memory.config[setting.key] for setting in SETTINGS}
            output.json(rows)
            for setting in SETTINGS:
                output.text(f"{setting.key} = {memory.config[setting.key]}\n    {setting.help}")
            return 0
        value = memory.config[setting_of(options.key).key]
    output.json({options.key: value})
    output.text(f"{options.key} = {value}")
    return 0


def _config_words(options: Namespace) -> None:
    given = [word for word in (options.key, options.value) if word is not None]
    wanted = {"get": 1, "set": 2, "list": 0}[options.action]
    if len(given) != wanted:
        raise UsageError("honed config get KEY | set KEY VALUE | list")


COMMANDS = (
    Command("learn", "keep a procedure by hand", _learn, _learn_arguments),
    Command("write", "keep a rule, lesson or any other kind by hand", _write, _write_arguments),
    Command("pin", "keep a skill from fading", partial(_pin, pinned=True), _slug_argument),
    Command("unpin", "let a pinned skill fade again", partial(_pin, pinned=False), _slug_argument),
    Command("archive", "put a skill out of use", partial(_archive, archived=True), _slug_argument),
    Command("restore", "bring an archived skill back", partial(_archive, archived=False), _slug_argument),
    Command("forget", "delete a skill; it is not learned again", _forget, _slug_argument),
    Command("config", "show or change settings", _config, _config_arguments),
)
