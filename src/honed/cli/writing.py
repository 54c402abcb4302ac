"""Commands that write by hand: learn and write."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import BinaryIO

from honed.caller import Author
from honed.cli.command import Command, Output, here_of, project_argument, typed_text
from honed.errors import RefusedError, UsageError
from honed.memory import Memory
from honed.presence import agent_of, answer, at_terminal
from honed.skills.manual import draft_from_manual
from honed.skills.model import BODY_LIMIT, KINDS, Draft, Skill


def _common(parser: ArgumentParser) -> None:
    parser.add_argument(
        "slug", metavar="SLUG", type=typed_text, help="lower-case letters and digits joined by hyphens"
    )
    parser.add_argument("--title", type=typed_text, required=True, help="one line")
    parser.add_argument(
        "--scope", choices=("project", "global"), default="project", help="where it may be recalled"
    )
    parser.add_argument("--tags", metavar="A,B", type=typed_text, default="", help="separated by commas")
    parser.add_argument(
        "--ttl", type=_days, metavar="DAYS", help="so many days after which it fades and is out of use"
    )
    parser.add_argument(
        "--force", action="store_true", help="keep it although something nearly the same is known"
    )
    parser.add_argument(
        "--again", action="store_true", help="keep it although it was forgotten; asks you, on a terminal"
    )
    project_argument(parser)


def _days(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


_days.__name__ = "whole number of days from 1"


def _several(parser: ArgumentParser, name: str, text: str, *, needed: bool = False) -> None:
    parser.add_argument(
        name, metavar="TEXT", type=typed_text, action="append", default=[], required=needed, help=text
    )


def _learn_arguments(parser: ArgumentParser) -> None:
    _common(parser)
    parser.add_argument(
        "--trigger", type=typed_text, required=True, help="when it applies, in the words people ask in"
    )
    _several(parser, "--steps", "a step (repeat; or one text with a line each)", needed=True)
    parser.add_argument("--outcome", type=typed_text, default="", help="what it comes to")
    _several(parser, "--lessons", "what to watch out for (repeat)")
    parser.add_argument("--check", type=typed_text, default="", help="the command that proves it")
    _several(parser, "--files", "a file it is about, from the project's root (repeat)")


def _write_arguments(parser: ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--trigger", type=typed_text, default="", help="when it applies")
    parser.add_argument("--body", type=typed_text, help="the text (default: standard input)")


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
        ttl_days=options.ttl,
    )
    return _keep(options, output, draft)


def _write(options: Namespace, output: Output) -> int:
    body = options.body if options.body is not None else _standard_input()
    if not body.strip():
        raise UsageError("there is no text: give --body, or write it to standard input")
    draft = draft_from_manual(
        kind=options.kind,
        title=options.title,
        trigger=options.trigger,
        body=body,
        tags=_tags(options.tags),
        scope=options.scope,
        ttl_days=options.ttl,
    )
    return _keep(options, output, draft)


def _standard_input() -> str:
    """What is on standard input, as UTF-8 whatever the locale says."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("no text: give it by --body, or on standard input (honed write ... < file)")
    return text_of(sys.stdin.buffer, "body")


def text_of(stream: BinaryIO, where: str) -> str:
    """The body that is read from a stream, as UTF-8; ``where`` it comes from is said of what is none.

    Raises ``UsageError``.
    """
    data = stream.read(BODY_LIMIT + 1)
    if len(data) > BODY_LIMIT:
        raise UsageError(f"{where}: over {BODY_LIMIT} bytes; keep the rest in a file and name it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: byte {error.start} is not UTF-8; save the text as UTF-8") from error


def _tags(text: str) -> list[str]:
    return [tag.strip() for tag in text.split(",") if tag.strip()]


def _keep(options: Namespace, output: Output, draft: Draft) -> int:
    here = here_of(options)
    if options.again:
        _confirm_again(output)
    agent = agent_of(os.environ)
    with Memory.open(options.home) as memory:
        place = memory.named(options.project, here)
        if agent:
            # What an agent types is the agent's, by whichever door: its owner is shown so before approving.
            draft = replace(draft, origin="agent")
            author = Author(agent, time.strftime("cli-%Y-%m-%d", time.gmtime()))
            outcome = memory.caller(author, place).write(options.slug, draft, force=options.force)
        else:
            outcome = memory.write(options.slug, draft, cwd=place, force=options.force, again=options.again)
        skill = memory.find(outcome.subject, place)
        existed = outcome.status == "existed"
        differing, told = memory.already(outcome, draft, place) if existed else ((), f"Stored {skill.slug}.")
    output.json(
        {
            "slug": skill.slug,
            "id": skill.id,
            "existed": existed,
            "scope": skill.draft.scope,
            "state": "archived" if skill.archived else skill.state,
            "differs": list(differing),
        }
    )
    output.text(told)
    if not existed:
        output.text(
            "It is an agent's text: others are given it as data, until its owner approves it."
            if agent
            else f"Agents are given it as data, not as your word, until you approve it: {_approving(skill)}"
        )
    if skill.draft.scope != draft.scope and not existed:
        output.text(f"It holds everywhere: {place.cwd} is no project.")
    return 0


def _confirm_again(output: Output) -> None:
    """Make sure that the owner wants a forgotten text back.  Raises ``RefusedError``."""
    screen = sys.stderr if output.as_json else sys.stdout
    at_terminal("--again", screen, os.environ)
    if answer("Type again to keep this text although it was forgotten: ", screen) != "again":
        raise RefusedError("nothing was kept")


def _approving(skill: Skill) -> str:
    """The command that makes a text guidance, and what comes of it."""
    then = ", and then it opens every session." if skill.draft.kind == "rule" else ""
    return f"`honed trust {skill.slug}`{then}"


COMMANDS = {
    "learn": Command(
        _learn,
        _learn_arguments,
        description=(
            "Keep a procedure by hand. The same text again is no second record; a text that says nearly "
            "the same as another one is refused (exit 3) and the other one named, unless --force."
        ),
        example=(
            'honed learn bump-version --title "Release a version" --trigger "release, bump the version" \\\n'
            '    --steps "edit src/_version.py" --steps "make changelog" --check "make test"'
        ),
    ),
    "write": Command(
        _write,
        _write_arguments,
        description="Keep a rule, a lesson or any other kind by hand; the text is --body or standard input.",
        example='honed write no-force-push --kind rule --title "Never force-push main" --body "Ask first."',
    ),
}
