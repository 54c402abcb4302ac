"""The shape of a command line: what ``shell.parse`` gives.

A tree of frozen values.  Words are unquoted: ``argv`` holds what the program would receive, except
that expansions stand as they were written (``$x``, ``$(...)``) and their indexes are in ``expands``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Dialect = Literal["bash", "powershell", "cmd"]
CompoundKind = Literal[
    "if", "for", "while", "until", "case", "select", "function", "try", "test", "arithmetic"
]

NOTHING_EXPANDS: frozenset[int] = frozenset()

IN_ASSIGNMENT = -1
IN_REDIRECT = -2
"""Where a substitution stands when it is no argument (``Substitution.where``)."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirection.  ``target`` is the unquoted word behind the operator (a here-document's
    delimiter); ``body`` the text of a here-document or here-string, else ``None``.

    ``fd`` is the number in front (``2>``), ``None`` for the operator's own default.  ``expands``
    says that the target holds an expansion, or that a here-document's body is expanded.
    """

    operator: str
    target: str
    fd: int | None = None
    body: str | None = None
    expands: bool = False


@dataclass(frozen=True, slots=True)
class Substitution:
    """A script inside a word: ``$(...)``, backticks, ``<(...)``, ``>(...)``.

    ``where`` is the index in ``argv`` of the word it stands in, or ``IN_ASSIGNMENT``/``IN_REDIRECT``.
    """

    where: int
    script: Script
    opening: Literal["$(", "`", "<(", ">("] = "$("


@dataclass(frozen=True, slots=True)
class Simple:
    """A simple command.  ``text`` is its source, without here-document bodies.

    ``inner`` is the script it hands to another shell (``bash -c``, ``eval``, ``bash <<EOF``,
    ``docker exec x sh -c``, ``cmd /c`` ...), parsed, when that text is static.
    """

    argv: tuple[str, ...]
    assignments: tuple[tuple[str, str], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    text: str = ""
    expands: frozenset[int] = NOTHING_EXPANDS
    substitutions: tuple[Substitution, ...] = ()
    inner: Script | None = None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Two or more stages, or a single negated one."""

    stages: tuple[Node, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """Items joined by ``&&``, ``||``, ``;``, newline (``"\\n"``) or ``&``.

    Each item is (operator in front of it, node); the first operator is empty.  What ``&`` sends to
    the background is a ``Background`` node, and the operator in front of its successor is ``&``.
    ``&&`` and ``||`` bind stronger than the others and equally strong, from left to right.
    """

    items: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Background:
    """What stands before a ``&``: started, not waited for."""

    body: Node


@dataclass(frozen=True, slots=True)
class Group:
    """``{ ...; }`` or, with ``subshell``, ``( ... )``."""

    body: Node
    subshell: bool
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a compound command.

    ``role``: ``condition``, ``body`` (follows its condition in ``if``), ``else``; in ``case`` each
    arm is a ``body`` whose ``label`` holds its patterns (``a|b``) and whose ``then`` its terminator.
    """

    role: Literal["condition", "body", "else"]
    node: Node
    label: str = ""
    then: str = ""


@dataclass(frozen=True, slots=True)
class Compound:
    """``if``, loops, ``case``, a function's definition, ``[[ ... ]]`` ("test"), ``((...))``.

    ``name`` is the function's or loop variable's name; ``words`` the words of ``for x in WORDS``
    (``None``: ``"$@"``), the subject of ``case``, or the words between ``[[`` and ``]]``.
    """

    kind: CompoundKind
    parts: tuple[Part, ...] = ()
    name: str = ""
    words: tuple[str, ...] | None = None
    expands: frozenset[int] = NOTHING_EXPANDS
    redirects: tuple[Redirect, ...] = ()
    substitutions: tuple[Substitution, ...] = ()


Node: TypeAlias = Simple | Pipeline | Chain | Background | Group | Compound


@dataclass(frozen=True, slots=True)
class Script:
    """A parsed command line.

    ``root`` is ``None`` when there is nothing to run.  ``options`` are shell options that are on from
    the start (``bash -eo pipefail -c``): "errexit", "pipefail", "nounset".  ``unparsed`` says why
    the text (or the rest of it) could not be parsed; ``root`` then holds what came before, and
    nobody may conclude anything from it but that these words were there.  ``asks_pipes``: ``PIPESTATUS`` is
    spoken of somewhere in the text.
    """

    root: Node | None
    options: frozenset[str] = frozenset()
    unparsed: str | None = None
    dialect: Dialect = "bash"
    asks_pipes: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command where it stands.

    ``path`` leads to it from the script's root (indexes into ``shell.children``).  ``stage_index`` of
    ``stage_count`` is its place in the nearest pipeline that it is part of (0 of 1 without one).
    ``filters`` are the commands its standard output goes through, nearest first, outer pipelines included.
    ``redirects`` are its own and those of the groups around it.
    """

    simple: Simple
    path: tuple[int, ...]
    in_substitution: bool = False
    stage_index: int = 0
    stage_count: int = 1
    filters: tuple[Simple, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    background: bool = False
    dialect: Dialect = "bash"
