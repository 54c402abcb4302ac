"""Words of a POSIX-like shell: quotes, expansions, here-documents.

One pass from left to right; no character is looked at more often than the nesting is deep, and the nesting is
bounded.  The rules are those of bash's manual, chapter "Shell Syntax" and "Expansions".
"""

from __future__ import annotations

import re
from typing import NoReturn

from honed.verdict.shell_tree import IN_ASSIGNMENT, Node, Redirect, Script, Substitution

DEPTH_LIMIT = 40
"""How deep substitutions, groups and compounds may nest."""

EXPRESSION_LIMIT = 4096
"""Characters that ``((...))`` or an extended glob may have: to find their ends one looks ahead."""

_PLAIN = re.compile(r"[^ \t\n'\"\\$`|&;<>()]+")
_IN_DOUBLE_QUOTES = re.compile(r'[^"\\$`]+')
_IN_BRACES = re.compile(r"[^}{'\"\\$`]+")
_IN_PARENS = re.compile(r"[^()'\"\\`]+")
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!\-]")
_BLANK = re.compile(r"(?:[ \t]|\\\n)+")
_ASSIGNED_ARRAY = re.compile(r"[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=\Z")
_BACKTICKS = re.compile(r"`((?:[^`\\]++|\\.)*+)`", re.DOTALL)
_QUOTED = re.compile(
    r"\$'(?:[^'\\]++|\\.)*+'|'[^']*+'|\"(?:[^\"\\]++|\\.)*+\"|`(?:[^`\\]++|\\.)*+`", re.DOTALL
)
_ENDS_WORD = frozenset(" \t\n|&;)")
CLOSING = re.compile(r"(?:then|do|done|fi|else|elif|esac|\})(?=[ \t\n;&|()<>]|$)|;;&?|;&|\)")
"""What ends a list of commands and belongs to what is around it."""

_ANSI_C = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|[0-7]{1,3}|.)", re.DOTALL)
_ANSI_C_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


class UnreadableError(Exception):
    """The text is no sentence of this shell; ``args[0]`` says why.  Never leaves ``shell.parse``."""


class Lexer:
    """A place in a text, and the words that begin there.

    ``quoted``, ``expands`` and ``found`` describe the word read last.  ``pending`` are the
    here-documents whose bodies begin after the next newline.
    """

    __slots__ = ("at", "depth", "end", "expands", "found", "pending", "quoted", "text")

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.end = len(text)
        self.at = 0
        self.depth = depth
        self.quoted = False
        self.expands = False
        self.found: list[tuple[Script, str]] = []
        self.pending: list[tuple[Redirect, bool]] = []

    # The grammar stands below the words, and words contain scripts: the parser says how.
    def enclosed_script(self) -> Node | None:
        """The script up to, not including, the ``)`` that ends it."""
        raise NotImplementedError

    def script_of(self, text: str) -> Script:
        """The script that ``text`` holds (backticks, expanded here-documents)."""
        raise NotImplementedError

    def fail(self, reason: str) -> NoReturn:
        line = self.text.count("\n", 0, self.at) + 1
        raise UnreadableError(f"{reason} in line {line}")

    def descend(self) -> None:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            self.fail(f"nested more than {DEPTH_LIMIT} deep")

    def blanks(self) -> None:
        """Skip spaces, tabs and continued line ends."""
        at = self.at
        if at < self.end and self.text[at] in " \t\\" and (match := _BLANK.match(self.text, at)):
            self.at = match.end()

    def comment(self) -> None:
        """Skip to the end of the line."""
        end = self.text.find("\n", self.at)
        self.at = self.end if end < 0 else end

    def blank_lines(self) -> None:
        """Skip blanks, newlines (with the here-documents behind them) and comments."""
        text = self.text
        while self.at < self.end:
            char = text[self.at]
            if char == "\n":
                self.newline()
            elif char in " \t":
                self.at += 1
            elif char == "#":
                self.comment()
            elif char == "\\" and text.startswith("\\\n", self.at):
                self.at += 2
            else:
                return

    def newline(self) -> None:
        self.at += 1
        if self.pending:
            pending, self.pending = self.pending, []
            for redirect, strips_tabs in pending:
                # The redirect stands in a finished command, its text only comes now.
                object.__setattr__(redirect, "body", self._heredoc_body(redirect.target, strips_tabs))

    def _heredoc_body(self, delimiter: str, strips_tabs: bool) -> str:
        text, start = self.text, self.at
        lines: list[str] = []
        while start < self.end:
            stop = text.find("\n", start)
            stop = self.end if stop < 0 else stop
            line = text[start:stop]
            if strips_tabs:
                line = line.lstrip("\t")
            if line == delimiter:
                self.at = min(stop + 1, self.end)
                return "".join(lines)
            # `$(cat <<EOF ... EOF)` is not what the manual allows, but bash takes it.
            if self.depth and line.startswith(delimiter) and line[len(delimiter) :].lstrip()[:1] == ")":
                self.at = start + text[start:stop].index(")")
                return "".join(lines)
            lines.append(line + "\n")
            start = stop + 1
        self.at = self.end
        return "".join(lines)

    def word(self) -> str | None:
        """The word that begins here, unquoted; ``None`` if none does."""
        text, start = self.text, self.at
        self.quoted = self.expands = False
        if self.found:
            self.found = []
        match = _PLAIN.match(text, start)
        if match:
            self.at = match.end()
            if self.at == self.end or text[self.at] in _ENDS_WORD:
                return match.group()
            pieces = [match.group()]
        else:
            pieces = []
        while self.at < self.end:
            piece = self._piece(text[self.at], pieces, start)
            if piece is None:
                break
            pieces.append(piece)
            match = _PLAIN.match(text, self.at)
            if match:
                self.at = match.end()
                pieces.append(match.group())
        return "".join(pieces) if self.at > start else None

    def _piece(self, char: str, pieces: list[str], start: int) -> str | None:
        """The piece of a word that begins with a special character; ``None`` where the word ends."""
        if char == "'":
            return self._single_quoted()
        if char == '"':
            return self._double_quoted()
        if char == "\\":
            return self._escaped()
        if char == "$":
            return self._dollar(in_quotes=False)
        if char == "`":
            return self._backticks()
        if char == "(":
            return self._paren_in_word(pieces, start)
        if char in "<>" and self.text.startswith("(", self.at + 1):
            self.at += 1
            return self._substitution(f"{char}(")
        return None

    def _single_quoted(self) -> str:
        close = self.text.find("'", self.at + 1)
        if close < 0:
            self.fail("a single quote is not closed")
        piece = self.text[self.at + 1 : close]
        self.at = close + 1
        self.quoted = True
        return piece

    def _escaped(self) -> str:
        following = self.text[self.at + 1 : self.at + 2]
        self.at += 1 + len(following)
        if following == "\n":
            return ""
        self.quoted = True
        return following or "\\"

    def _double_quoted(self) -> str:
        text, pieces = self.text, []
        self.at += 1
        self.quoted = True
        while True:
            match = _IN_DOUBLE_QUOTES.match(text, self.at)
            if match:
                pieces.append(match.group())
                self.at = match.end()
            if self.at >= self.end:
                self.fail("a double quote is not closed")
            char = text[self.at]
            if char == '"':
                self.at += 1
                return "".join(pieces)
            if char == "\\":
                following = text[self.at + 1 : self.at + 2]
                self.at += 2
                if following != "\n":
                    pieces.append(following if following and following in '"$`\\' else "\\" + following)
            elif char == "$":
                pieces.append(self._dollar(in_quotes=True))
            else:
                pieces.append(self._backticks())

    def _dollar(self, *, in_quotes: bool) -> str:
        text, start = self.text, self.at
        self.at += 1
        following = text[self.at : self.at + 1]
        if following == "(":
            close = self.arithmetic_end(self.at)
            if close >= 0:
                self.at = close
                self.expands = True
                return text[start:close]
            return self._substitution("$(", start)
        if following == "{":
            self._braced(in_quotes=in_quotes)
            self.expands = True
            return text[start : self.at]
        if following == "'" and not in_quotes:
            return self._ansi_c_quoted()
        if following == '"' and not in_quotes:
            return self._double_quoted()
        match = _NAME.match(text, self.at)
        if match:
            self.at = match.end()
            self.expands = True
            return text[start : self.at]
        return "$"

    def _substitution(self, opening: str, start: int | None = None) -> str:
        """``$(``, ``<(`` or ``>(``, standing on the parenthesis."""
        begin = self.at - 1 if start is None else start
        quoted, found, self.found = self.quoted, self.found, []
        self.at += 1
        self.descend()
        root = self.enclosed_script()
        if not self.text.startswith(")", self.at):
            self.fail(f"{opening} is not closed")
        self.at += 1
        self.depth -= 1
        self.quoted, self.expands = quoted, True
        self.found = found
        found.append((Script(root), opening))
        return self.text[begin : self.at]

    def _backticks(self) -> str:
        match = _BACKTICKS.match(self.text, self.at)
        if not match:
            self.fail("a backtick is not closed")
        self.at = match.end()
        self.expands = True
        found, self.found = self.found, []
        found.append((self.script_of(re.sub(r"\\([`\\$])", r"\1", match.group(1))), "`"))
        self.found = found
        return match.group()

    def _braced(self, *, in_quotes: bool) -> None:
        """``${...}``, standing on the brace.  In double quotes a single quote is a letter in it."""
        text, open_braces = self.text, 0
        self.descend()
        while self.at < self.end:
            match = _IN_BRACES.match(text, self.at)
            if match:
                self.at = match.end()
                continue
            char = text[self.at]
            if char == "{":
                open_braces += 1
                self.at += 1
            elif char == "}":
                open_braces -= 1
                self.at += 1
                if not open_braces:
                    self.depth -= 1
                    return
            elif char == "$":
                self._dollar(in_quotes=in_quotes)
            elif char == '"':
                self._double_quoted()
            elif char == "`":
                self._backticks()
            elif char == "\\":
                self.at += 2
            elif in_quotes:
                self.at += 1
            else:
                self._single_quoted()
        self.fail("${ is not closed")

    def _ansi_c_quoted(self) -> str:
        at = self.at + 1
        while at < self.end and self.text[at] != "'":
            at += 2 if self.text[at] == "\\" else 1
        if at >= self.end:
            self.fail("$' is not closed")
        piece = _ANSI_C.sub(_ansi_c_letter, self.text[self.at + 1 : at])
        self.at = at + 1
        self.quoted = True
        return piece

    def _paren_in_word(self, pieces: list[str], start: int) -> str | None:
        """``a=(x y)``, ``@(a|b)`` and zsh's ``*(.)`` go on with the word; elsewhere ``(`` ends it."""
        if not pieces:
            return None
        before = self.text[self.at - 1]
        if before == "=" and _ASSIGNED_ARRAY.fullmatch(self.text, start, self.at):
            return self._array()
        if before in "?*+@!":
            close = self.balanced_end(self.at)
            if close >= 0:
                piece = self.text[self.at : close]
                self.at = close
                return piece
        return None

    def _array(self) -> str:
        """``(x y z)`` behind ``name=``; its words' expansions are the word's."""
        start, expands, found = self.at, self.expands, self.found
        self.found = []
        self.at += 1
        self.descend()
        while True:
            self.blank_lines()
            if self.text.startswith(")", self.at):
                break
            if self.word() is None:
                self.fail("an array is not closed")
            expands = expands or self.expands
            found.extend(self.found)
        self.at += 1
        self.depth -= 1
        self.expands, self.found = expands, found
        return self.text[start : self.at]

    def balanced_end(self, at: int) -> int:
        """The place behind the ``)`` that closes the ``(`` at ``at``; -1 if none does within the limit."""
        text, depth, end = self.text, 0, min(self.end, at + EXPRESSION_LIMIT)
        while at < end:
            match = _IN_PARENS.match(text, at)
            if match:
                at = match.end()
                continue
            char = text[at]
            if char == "(":
                depth += 1
            elif char == ")":
                depth -= 1
                if not depth:
                    return at + 1
            elif char == "\\":
                at += 1
            else:
                begin = at - 1 if char == "'" and text[at - 1] == "$" else at
                quoted = _QUOTED.match(text, begin, end)
                if not quoted:
                    return -1
                at = quoted.end() - 1
            at += 1
        return -1

    def arithmetic_end(self, at: int) -> int:
        """The place behind ``((...))`` that begins at ``at``; -1 if this is a subshell in a subshell."""
        text = self.text
        if not text.startswith("((", at):
            return -1
        inner = self.balanced_end(at + 1)
        return inner + 1 if inner >= 0 and text.startswith(")", inner) else -1

    def substitutions(self, where: int = IN_ASSIGNMENT) -> list[Substitution]:
        """The scripts found in the word read last, as standing at ``where``."""
        return [Substitution(where, script, opening) for script, opening in self.found]  # type: ignore[arg-type]


def _ansi_c_letter(match: re.Match[str]) -> str:
    escape = match.group(1)
    if escape[0] in "xu" and len(escape) > 1:
        return chr(int(escape[1:], 16))
    if escape[0] in "01234567":
        return chr(int(escape, 8))
    return _ANSI_C_LETTERS.get(escape, escape if escape in "\\'\"?" else "\\" + escape)
