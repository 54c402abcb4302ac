"""PowerShell and cmd, as far as agents use them: chains, pipes, blocks, here-strings.

After "about_Parsing", "about_Operators" and "about_Quoting_Rules" of PowerShell 7, and the help of cmd.exe.
"""

from __future__ import annotations

import re

from honed.verdict.shell_lexer import DEPTH_LIMIT, UnreadableError
from honed.verdict.shell_tree import (
    IN_ASSIGNMENT,
    NOTHING_EXPANDS,
    Background,
    Chain,
    Compound,
    CompoundKind,
    Dialect,
    Node,
    Part,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Substitution,
)

_SPACE = re.compile(r"(?:[ \t]|`\n|<#.*?#>)+", re.DOTALL)
_PLAIN = re.compile(r"[^\s'\"`$(){}@;|&<>]+")
_HERE_STRING = re.compile(r"@(['\"])[ \t]*\n(.*?)\n\1@", re.DOTALL)
_SINGLE = re.compile(r"'((?:[^']|'')*+)'")
_DOUBLE = re.compile(r'"((?:[^"`]|`.|"")*+)"', re.DOTALL)
_VARIABLE = re.compile(r"\$(?:\{[^}\n]*\}|[\w:?$^]+)")
_REDIRECT = re.compile(r"(?:([1-6*])?(>>?)(&[12])?|<)")
_SEPARATOR = re.compile(r"&&|\|\||;|\n|&")
_ASSIGNED = re.compile(r"\$([\w:]+)[ \t]*[-+*/]?=(?!=)[ \t]*")
_KEYWORD = re.compile(
    r"(if|foreach|for|while|do|switch|try|function|filter|begin|process|end)\b(?=\s*[({]|\s+\w)", re.I
)
_CONTINUES = re.compile(r"\s*(elseif|else|catch|finally|while|until)\b(?:\s*\[[^\]]*\])?", re.I)
_KINDS: dict[str, CompoundKind] = {
    "if": "if",
    "switch": "case",
    "try": "try",
    "function": "function",
    "filter": "function",
    "while": "while",
}
_PAIRS = {"(": ")", "{": "}"}
_IN_PAIR = re.compile(r"[^(){}'\"`@#<]+")
_EXPRESSION = re.compile(r"['\"$(@\[\d-]")

_CMD_PLAIN = re.compile(r"[^\s\"^&|<>()]+")
_CMD_SEPARATOR = re.compile(r"&&|\|\||&|\n")
_CMD_REDIRECT = re.compile(r"(\d)?(>>?|<)(&\d)?")


class PowerShell:
    """A place in a PowerShell text.  ``expands`` and ``found`` describe the word read last."""

    dialect: Dialect = "powershell"
    separator = _SEPARATOR

    __slots__ = ("at", "depth", "end", "expands", "found", "text")

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.end = len(text)
        self.at = 0
        self.depth = depth
        self.expands = False
        self.found: list[Script] = []

    def script(self) -> Script:
        """The whole text."""
        items: list[tuple[str, Node]] = []
        reason = None
        try:
            if self.depth > DEPTH_LIMIT:
                raise UnreadableError(f"nested more than {DEPTH_LIMIT} deep")
            self._list(items)
        except UnreadableError as fault:
            reason = str(fault)
        root = items[0][1] if len(items) == 1 else Chain(tuple(items)) if items else None
        return Script(root, unparsed=reason, dialect=self.dialect)

    def blanks(self) -> None:
        match = _SPACE.match(self.text, self.at)
        if match:
            self.at = match.end()

    def comment(self) -> None:
        if self.text.startswith("#", self.at):
            end = self.text.find("\n", self.at)
            self.at = self.end if end < 0 else end

    def _list(self, items: list[tuple[str, Node]]) -> None:
        operator = ""
        while True:
            while True:
                self.blanks()
                self.comment()
                if self.at >= self.end or self.text[self.at] not in ";\n":
                    break
                operator = operator or self.text[self.at]
                self.at += 1
            if self.at >= self.end:
                return
            items.append((operator if items else "", self.pipeline()))
            self.blanks()
            self.comment()
            match = self.separator.match(self.text, self.at)
            if not match:
                if self.at < self.end:
                    raise UnreadableError(f"unexpected {self.text[self.at]!r}")
                return
            operator = match.group()
            self.at = match.end()
            if operator == "&" and self.dialect == "powershell":
                items[-1] = (items[-1][0], Background(items[-1][1]))

    def pipeline(self) -> Node:
        stages = [self.command()]
        while True:
            self.blanks()
            if not self.text.startswith("|", self.at) or self.text.startswith("||", self.at):
                return stages[0] if len(stages) == 1 else Pipeline(tuple(stages))
            self.at += 1
            while self.at < self.end and self.text[self.at] in " \t\n":
                self.at += 1
            stages.append(self.command())

    def command(self) -> Node:
        match = _KEYWORD.match(self.text, self.at)
        return self._compound(match) if match else self.simple()

    def simple(self) -> Node:
        start = self.at
        assignments: list[tuple[str, str]] = []
        while match := _ASSIGNED.match(self.text, self.at):
            assignments.append((match.group(1), ""))
            self.at = match.end()
        expression = bool(_EXPRESSION.match(self.text, self.at))
        if self.text.startswith("&", self.at):
            self.at += 1
            self.blanks()
        words, redirects, expanding, substitutions = self.words()
        if self.at == start:
            raise UnreadableError(f"unexpected {self.text[start : start + 1]!r}")
        if expression:
            # A value, not a command: "text", $x.Length, (Get-Item y).
            if assignments:
                assignments[-1] = (assignments[-1][0], " ".join(words))
            substitutions = [Substitution(IN_ASSIGNMENT, s.script) for s in substitutions]
            words, expanding = [], []
        return Simple(
            tuple(words),
            tuple(assignments),
            tuple(redirects),
            self.text[start : self.at].rstrip(),
            frozenset(expanding) if expanding else NOTHING_EXPANDS,
            tuple(substitutions),
        )

    def words(self) -> tuple[list[str], list[Redirect], list[int], list[Substitution]]:
        """The words and redirections up to the end of the command."""
        words: list[str] = []
        redirects: list[Redirect] = []
        expanding: list[int] = []
        substitutions: list[Substitution] = []
        while True:
            self.blanks()
            self.comment()
            if self.at >= self.end or self.text[self.at] in "\n;|&":
                return words, redirects, expanding, substitutions
            match = self._redirection()
            if match:
                redirects.append(self._redirect(match))
                continue
            word = self.word()
            if word is None:
                return words, redirects, expanding, substitutions
            if self.expands:
                expanding.append(len(words))
            substitutions += [Substitution(len(words), script) for script in self.found]
            words.append(word)

    def _redirection(self) -> re.Match[str] | None:
        return _REDIRECT.match(self.text, self.at)

    def _redirect(self, match: re.Match[str]) -> Redirect:
        fd, operator, duplicate = match.groups()
        self.at = match.end()
        number = int(fd) if fd and fd != "*" else None
        if duplicate:
            return Redirect(">&", duplicate[1:], number)
        self.blanks()
        target = self.word() or ""
        return Redirect(operator or "<", target, number, None, self.expands)

    def word(self) -> str | None:
        """The word that begins here, unquoted."""
        start, pieces = self.at, []
        self.expands, self.found = False, []
        while self.at < self.end:
            piece = self._piece(self.text[self.at])
            if piece is None:
                break
            pieces.append(piece)
        return "".join(pieces) if self.at > start else None

    def _piece(self, char: str) -> str | None:
        text = self.text
        if char == "@":
            match = _HERE_STRING.match(text, self.at)
            if match:
                self.at = match.end()
                return match.group(2)
            self.at += 1
            return "@"
        if char == "'" and (match := _SINGLE.match(text, self.at)):
            self.at = match.end()
            return match.group(1).replace("''", "'")
        if char == '"' and (match := _DOUBLE.match(text, self.at)):
            self.at = match.end()
            self.expands = self.expands or "$" in match.group(1)
            return match.group(1).replace('""', '"').replace('`"', '"')
        if char in "'\"":
            raise UnreadableError("a quote is not closed")
        if char == "`":
            self.at += 2
            return text[self.at - 1 : self.at]
        if char == "$":
            match = _VARIABLE.match(text, self.at)
            self.at = match.end() if match else self.at + 1
            self.expands = True
            return match.group() if match else "$"
        if char in "({":
            return self._enclosed(char)
        match = _PLAIN.match(text, self.at)
        if match:
            self.at = match.end()
            return match.group()
        return None

    def _enclosed(self, opening: str) -> str:
        inner = self.between(opening)
        found = self.found
        found.append(type(self)(inner, self.depth + 1).script())
        self.expands = True
        return opening + inner + _PAIRS[opening]

    def between(self, opening: str) -> str:
        """The text between the bracket at this place and the one that closes it."""
        text, begin, depth = self.text, self.at + 1, 0
        while self.at < self.end:
            match = _IN_PAIR.match(text, self.at)
            if match:
                self.at = match.end()
                continue
            char = text[self.at]
            if char in "({":
                depth += 1
                self.at += 1
            elif char in ")}":
                depth -= 1
                self.at += 1
                if not depth:
                    return text[begin : self.at - 1]
            elif char in "'\"@" and (
                quoted := (_HERE_STRING if char == "@" else _SINGLE if char == "'" else _DOUBLE).match(
                    text, self.at
                )
            ):
                self.at = quoted.end()
            elif char == "`":
                self.at += 2
            elif char == "#" and text[self.at - 1].isspace():
                self.comment()
            else:
                self.at += 1
        raise UnreadableError(f"{opening} is not closed")

    def _block(self, role: str) -> Part:
        inner = self.between(self.text[self.at])
        node = type(self)(inner, self.depth + 1).script().root or Chain(())
        return Part("condition" if role == "(" else "else" if role == "else" else "body", node)

    def _compound(self, keyword: re.Match[str]) -> Node:
        word = keyword.group(1).lower()
        self.at = keyword.end()
        parts: list[Part] = []
        name = ""
        if word in ("function", "filter"):
            self.blanks()
            name = self.word() or ""
        role = "body"
        while True:
            while self.at < self.end and self.text[self.at].isspace():
                self.at += 1
            if self.text.startswith("(", self.at):
                parts.append(self._block("("))
            elif self.text.startswith("{", self.at):
                parts.append(self._block(role))
                match = _CONTINUES.match(self.text, self.at)
                if not match:
                    return Compound(_KINDS.get(word, "for"), tuple(parts), name=name)
                role = "else" if match.group(1).lower() in ("else", "catch") else "body"
                self.at = match.end()
            elif word == "do" and parts:
                return Compound("while", tuple(parts))
            else:
                raise UnreadableError(f"{keyword.group()} has no block")


class Cmd(PowerShell):
    """A place in a line for cmd.exe: only double quotes quote, ``^`` escapes, ``&`` is a chain."""

    dialect: Dialect = "cmd"
    separator = _CMD_SEPARATOR

    __slots__ = ()

    def command(self) -> Node:
        return self.simple()

    def simple(self) -> Node:
        start = self.at
        if self.text.startswith("@", self.at):
            self.at += 1
        words, redirects, expanding, substitutions = self.words()
        if self.at == start:
            raise UnreadableError(f"unexpected {self.text[start : start + 1]!r}")
        return Simple(
            tuple(words),
            (),
            tuple(redirects),
            self.text[start : self.at].rstrip(),
            frozenset(expanding),
            tuple(substitutions),
        )

    def _redirection(self) -> re.Match[str] | None:
        return _CMD_REDIRECT.match(self.text, self.at)

    def _piece(self, char: str) -> str | None:
        if char == '"':
            close = self.text.find('"', self.at + 1)
            close = self.end if close < 0 else close
            piece = self.text[self.at + 1 : close]
            self.at = close + 1
        elif char == "^":
            self.at += 2
            piece = self.text[self.at - 1 : self.at].strip("\n")
        elif char in "()":
            self.at += 1
            piece = char
        else:
            match = _CMD_PLAIN.match(self.text, self.at)
            if not match:
                return None
            self.at = match.end()
            piece = match.group()
        self.expands = self.expands or "%" in piece
        return piece

    def comment(self) -> None:
        """``rem`` is a command here and harms nobody."""
