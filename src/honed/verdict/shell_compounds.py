"""Groups, conditionals, loops, ``case`` and ``[[``: what a keyword begins.

Each reader stands behind its keyword and gives the node, redirections included.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from honed.verdict.shell_lexer import CLOSING, EXPRESSION_LIMIT
from honed.verdict.shell_tree import (
    NOTHING_EXPANDS,
    Background,
    Chain,
    CompoundKind,
    Group,
    Node,
    Part,
    Substitution,
)

if TYPE_CHECKING:
    from honed.verdict.shell_parser import Parser

_LOOP_WORDS = re.compile(r"in(?=[ \t\n;]|$)")
_REGEX_OPERAND = re.compile(r"(?:[^ \t\n()'\"\\]|\\.|\"[^\"]*\"|'[^']*'|\((?:[^()\n]|\([^()\n]*\))*\))+")
_TEST_OPERATOR = re.compile(r"&&|\|\|")


def group(parser: Parser) -> Node:
    """``{``, behind the brace."""
    return Group(parser.body("}"), False, parser.redirects([]))


def subshell(parser: Parser) -> Node:
    """``(``, behind the parenthesis: a subshell, or the arithmetic of ``((...))``."""
    end = parser.arithmetic_end(parser.at - 1)
    if end >= 0:
        expression = parser.text[parser.at + 1 : end - 2]
        parser.at = end
        return parser.finished("arithmetic", (), words=(expression,), expands=frozenset({0}))
    return Group(parser.body(")"), True, parser.redirects([]))


def timed(parser: Parser) -> Node:
    """``time`` in front of a group: it changes nothing for us."""
    parser.blanks()
    if parser.text.startswith("-p", parser.at):
        parser.at += 2
        parser.blanks()
    return parser.command()


def coprocess(parser: Parser) -> Node:
    """``coproc``: started in the background."""
    parser.blanks()
    return Background(parser.command())


def conditional(parser: Parser) -> Node:
    """``if``, behind the word, to the end of ``fi``."""
    parts: list[Part] = []
    while True:
        parts.append(Part("condition", parser.body("then")))
        node = parser.sequence() or Chain(())
        parts.append(Part("body", node))
        match = CLOSING.match(parser.text, parser.at)
        closing = match.group() if match else ""
        parser.at += len(closing)
        if closing == "elif":
            continue
        if closing == "else":
            parts.append(Part("else", parser.body("fi")))
        elif closing != "fi":
            parser.fail("'fi' is missing")
        return parser.finished("if", tuple(parts))


def while_loop(parser: Parser) -> Node:
    """``while``, behind the word."""
    return _conditioned(parser, "while")


def until_loop(parser: Parser) -> Node:
    """``until``, behind the word."""
    return _conditioned(parser, "until")


def _conditioned(parser: Parser, kind: CompoundKind) -> Node:
    condition = parser.body("do")
    return parser.finished(kind, (Part("condition", condition), Part("body", parser.body("done"))))


def for_loop(parser: Parser) -> Node:
    """``for``, behind the word, also ``for ((...))``."""
    return _over_words(parser, "for")


def selection(parser: Parser) -> Node:
    """``select``, behind the word."""
    return _over_words(parser, "select")


def _over_words(parser: Parser, kind: CompoundKind) -> Node:
    parser.blanks()
    words: tuple[str, ...] | None = None
    expanding: frozenset[int] = NOTHING_EXPANDS
    substitutions: list[Substitution] = []
    header = parser.arithmetic_end(parser.at)
    if header >= 0:
        name, words, expanding = "", (parser.text[parser.at : header],), frozenset({0})
        parser.at = header
    else:
        name = parser.word() or parser.fail("a loop has no variable")
        parser.blank_lines()
        match = _LOOP_WORDS.match(parser.text, parser.at)
        if match:
            parser.at = match.end()
            words, expanding = _words(parser, substitutions)
    parser.blank_lines()
    if parser.text.startswith(";", parser.at):
        parser.at += 1
        parser.blank_lines()
    if parser.text.startswith("{", parser.at):
        parser.at += 1
        body = parser.body("}")
    else:
        parser.expect("do")
        body = parser.body("done")
    parts = (Part("body", body),)
    return parser.finished(
        kind, parts, name=name, words=words, expands=expanding, substitutions=substitutions
    )


def _words(parser: Parser, substitutions: list[Substitution]) -> tuple[tuple[str, ...], frozenset[int]]:
    words: list[str] = []
    expanding: set[int] = set()
    while True:
        parser.blanks()
        word = None if parser.text.startswith("#", parser.at) else parser.word()
        if word is None:
            return tuple(words), frozenset(expanding)
        if parser.expands:
            expanding.add(len(words))
            substitutions += parser.substitutions(len(words))
        words.append(word)


def case(parser: Parser) -> Node:
    """``case``, behind the word."""
    parser.blanks()
    subject = parser.word() or ""
    expanding = frozenset({0}) if parser.expands else NOTHING_EXPANDS
    substitutions = parser.substitutions(0)
    parser.blank_lines()
    if not _LOOP_WORDS.match(parser.text, parser.at):
        parser.fail("'in' is missing")
    parser.at += 2
    parts: list[Part] = []
    while True:
        parser.blank_lines()
        match = CLOSING.match(parser.text, parser.at)
        if match and match.group() == "esac":
            parser.at = match.end()
            break
        patterns = _patterns(parser)
        node = parser.sequence() or Chain(())
        match = CLOSING.match(parser.text, parser.at)
        ending = match.group() if match and match.group()[0] == ";" else ""
        parser.at += len(ending)
        parts.append(Part("body", node, patterns, ending))
        if not ending:
            parser.expect("esac")
            break
    return parser.finished(
        "case", tuple(parts), words=(subject,), expands=expanding, substitutions=substitutions
    )


def _patterns(parser: Parser) -> str:
    if parser.text.startswith("(", parser.at):
        parser.at += 1
    patterns: list[str] = []
    while True:
        parser.blank_lines()
        pattern = parser.word()
        if pattern is None:
            parser.fail("a pattern is missing")
        patterns.append(pattern)
        parser.blanks()
        char = parser.text[parser.at : parser.at + 1]
        parser.at += 1
        if char == ")":
            return "|".join(patterns)
        if char != "|":
            parser.fail("')' is missing behind a pattern")


def function(parser: Parser) -> Node:
    """``function``, behind the word."""
    parser.blanks()
    return parser.function(parser.word() or parser.fail("a function has no name"))


def test(parser: Parser) -> Node:
    """``[[``, behind the brackets."""
    words: list[str] = []
    expanding: set[int] = set()
    substitutions: list[Substitution] = []
    text = parser.text
    while True:
        parser.blank_lines()
        if parser.at >= parser.end:
            parser.fail("[[ is not closed")
        if words and words[-1] == "=~":
            match = _REGEX_OPERAND.match(text, parser.at, parser.at + EXPRESSION_LIMIT)
            if match:
                if "$" in match.group():
                    expanding.add(len(words))
                words.append(match.group())
                parser.at = match.end()
                continue
        word = parser.word()
        if word is None:
            match = _TEST_OPERATOR.match(text, parser.at)
            operator = match.group() if match else text[parser.at]
            parser.at += len(operator)
            words.append(operator)
            continue
        if word == "]]" and not parser.quoted:
            return parser.finished(
                "test", (), words=tuple(words), expands=frozenset(expanding), substitutions=substitutions
            )
        if parser.expands:
            expanding.add(len(words))
            substitutions += parser.substitutions(len(words))
        words.append(word)


READERS: dict[str, Callable[[Parser], Node]] = {
    "if": conditional,
    "for": for_loop,
    "while": while_loop,
    "until": until_loop,
    "case": case,
    "select": selection,
    "function": function,
    "coproc": coprocess,
    "time": timed,
    "[[": test,
    "{": group,
    "(": subshell,
}
