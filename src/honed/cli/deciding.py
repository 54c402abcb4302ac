"""What the owner decides: pin, archive, config."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, Namespace
from functools import partial

from honed.cli.command import Command, Output, here_of, skill_arguments, typed_text
from honed.config import SETTINGS, setting_of, typed
from honed.errors import UsageError
from honed.memory import Memory
from honed.skills.model import Skill
from honed.store.place import Place


def _place(memory: Memory, options: Namespace) -> Place:
    return memory.named(options.project, here_of(options))


def _say_state(output: Output, skill: Skill, said: str) -> int:
    state = "archived" if skill.archived else skill.state
    output.json({"slug": skill.slug, "id": skill.id, "state": state, "pinned": skill.pinned})
    output.text(f"{skill.slug}: {said}.")
    return 0


def _pin(options: Namespace, output: Output, *, pinned: bool) -> int:
    with Memory.open(options.home, existing=True) as memory:
        skill = memory.pin(options.slug, _place(memory, options), pinned=pinned)
    return _say_state(output, skill, "pinned; it will not fade" if pinned else "no longer pinned")


def _archive(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        skill = memory.archive(options.slug, _place(memory, options), archived=True)
        held = memory.quarantined(skill)
    way = f"honed packs release {skill.slug}" if held else "honed restore"
    return _say_state(output, skill, f"{'in quarantine' if held else 'archived'}; `{way}` brings it back")


def _config_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("get", "set", "list"))
    parser.add_argument("key", nargs="?", metavar="KEY")
    parser.add_argument("value", nargs="?", metavar="VALUE", type=typed_text)


def _config(options: Namespace, output: Output) -> int:
    given = sum(word is not None for word in (options.key, options.value))
    if given != {"get": 1, "set": 2, "list": 0}[options.action]:
        raise UsageError("honed config get KEY | set KEY VALUE | list")
    if options.key is not None:
        setting_of(options.key)  # a wrong name is said before a home is made for it
    if options.action == "set":
        value = typed(options.key, options.value)
        with Memory.open(options.home) as memory:
            memory.configure(options.key, value)
            return _say_setting(output, options.key, memory.config[options.key])
    config = Memory.settings(options.home)
    if options.action == "get":
        return _say_setting(output, options.key, config[options.key])
    output.json({setting.key: config[setting.key] for setting in SETTINGS})
    for setting in SETTINGS:
        output.text(f"{setting.key} = {shown(config[setting.key])}\n    {setting.help}")
    return 0


def _say_setting(output: Output, key: str, value: object) -> int:
    output.json({key: value})
    output.text(f"{key} = {shown(value)}")
    return 0


def shown(value: object) -> str:
    """A setting's value as one would type it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, list):
        return str(value) or "(none)"
    if all(isinstance(item, str) for item in value):
        return os.pathsep.join(value) or "(none)"
    return json.dumps(value)


COMMANDS = {
    "pin": Command(
        partial(_pin, pinned=True),
        skill_arguments,
        description="Keep a skill from fading.",
        example="honed pin round-cart-totals",
    ),
    "unpin": Command(
        partial(_pin, pinned=False),
        skill_arguments,
        description="Let a pinned skill fade again.",
        example="honed unpin round-cart-totals",
    ),
    "archive": Command(
        _archive,
        skill_arguments,
        description="Put a skill out of use: it is kept, and neither recalled nor found.",
        example="honed archive round-cart-totals",
    ),
    "config": Command(
        _config,
        _config_arguments,
        description="Show or change settings. Those that widen what agents are given are kept in the ledger.",
        example="honed config set deliver proven   # only what two later sessions confirmed",
    ),
}
