"""The grammar of a POSIX-like shell: lists, pipelines, compound commands.

After the grammar in POSIX.1-2024, "Shell Command Language" 2.10, with what bash and zsh add to it.
"""

from __future__ import annotations

import re

from honed.verdict.shell_compounds import READERS
from honed.verdict.shell_lexer import CLOSING, Lexer, UnreadableError
from honed.verdict.shell_tree import (
    IN_REDIRECT,
    NOTHING_EXPANDS,
    Background,
    Chain,
    Compound,
    CompoundKind,
    Node,
    Part,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Substitution,
)

_REDIRECT = re.compile(r"(?:(\d+)|\{\w+\})?(<<<|<<-?|<>|<&|>>|>&|>\||<(?!\()|>(?!\()|(?<!\d)&>>?)")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=")
_KEYWORD = re.compile(r"(?:if|for|while|until|case|select|function|coproc|\[\[|\{)(?=[ \t\n;(]|$)|\(")
_TIMED = re.compile(r"time(?=[ \t]+(?:-p[ \t]+)?[({])")
_SEPARATOR = re.compile(r"&&|\|\||;;|;&|;|\n|&")
_PLAIN_WORD = re.compile(r"[ \t]*([^ \t\n'\"\\$`|&;<>()#0-9{][^ \t\n'\"\\$`|&;<>()]*+)(?=[ \t\n|&;)]|\Z)")
"""A word that is just what it looks like: most are, and one pattern reads them (fast)."""
_STARTS_REDIRECT = frozenset("<>&0123456789{")
_ENDS_COMMAND = frozenset("\n;|)")


class Parser(Lexer):
    """Reads scripts at its place in the text.

    ``simples`` collects the commands that were read, so that scripts inside their arguments can be
    parsed once the here-documents are known.
    """

    __slots__ = ("items", "simples")

    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, depth)
        self.simples: list[Simple] = []
        self.items: list[tuple[str, Node]] = []

    def script(self) -> Script:
        """The whole text.  What came before the fault is in ``root``."""
        reason = None
        try:
            self.sequence_into(self.items)
            if self.at < self.end:
                self.fail(f"unexpected {self.text[self.at : self.at + 8].split()[0]!r}")
        except UnreadableError as fault:
            reason = str(fault)
        self._read_expanded_heredocs()
        asks_pipes = "PIPESTATUS" in self.text or "pipestatus" in self.text
        return Script(chained(self.items), unparsed=reason, asks_pipes=asks_pipes)

    def enclosed_script(self) -> Node | None:
        return self.sequence()

    def script_of(self, text: str) -> Script:
        inner = Parser(text, self.depth)
        inner.descend()
        script = inner.script()
        self.simples.extend(inner.simples)
        return script

    def sequence(self) -> Node | None:
        """Commands up to what closes them: ``)``, ``done``, ``;;`` or the end."""
        items: list[tuple[str, Node]] = []
        self.sequence_into(items)
        return chained(items)

    def sequence_into(self, items: list[tuple[str, Node]]) -> None:
        operator, begins = "", 0
        text = self.text
        while True:
            self.blank_lines()
            if self.at >= self.end or CLOSING.match(text, self.at):
                if operator in ("&&", "||"):
                    self.fail(f"nothing follows {operator}")
                return
            items.append((operator, self.pipeline()))
            self.blanks()
            if text.startswith("#", self.at):
                self.comment()
            match = _SEPARATOR.match(text, self.at)
            if not match:
                return
            operator = match.group()
            if operator in (";;", ";&"):
                return
            if operator == "&":
                joined = chained([("", items[begins][1]), *items[begins + 1 :]])
                assert joined is not None
                items[begins:] = [(items[begins][0], Background(joined))]
            if operator == "\n":
                self.newline()
            else:
                self.at = match.end()
            if operator not in ("&&", "||"):
                begins = len(items)

    def pipeline(self) -> Node:
        text, negated = self.text, False
        while text.startswith("!", self.at) and text[self.at + 1 : self.at + 2] in (" ", "\t", "\n"):
            negated = not negated
            self.at += 1
            self.blanks()
        if negated and (self.at >= self.end or text[self.at] in "\n;#"):
            return Pipeline((Chain(()),), True)  # a lone `!`
        # Elsewhere than in front of a pipeline `time` is a program.
        timed = _TIMED.match(text, self.at)
        if timed:
            self.at = timed.end()
        stages = [READERS["time"](self) if timed else self.command()]
        while True:
            self.blanks()
            if not text.startswith("|", self.at) or text.startswith("||", self.at):
                break
            self.at += 2 if text.startswith("|&", self.at) else 1
            self.blank_lines()
            stages.append(self.command())
        return stages[0] if len(stages) == 1 and not negated else Pipeline(tuple(stages), negated)

    def command(self) -> Node:
        match = _KEYWORD.match(self.text, self.at)
        if not match:
            return self.simple()
        self.at = match.end()
        self.descend()
        node = READERS[match.group()](self)
        self.depth -= 1
        return node

    # Simple commands

    def simple(self) -> Node:
        text, start = self.text, self.at
        argv: list[str] = []
        expanding: list[int] = []
        assignments: list[tuple[str, str]] = []
        redirects: list[Redirect] = []
        substitutions: list[Substitution] = []
        while True:
            plain = _PLAIN_WORD.match(text, self.at)
            if plain and (argv or "=" not in plain[1]):
                argv.append(plain[1])
                self.at = plain.end()
                continue
            self.blanks()
            char = text[self.at] if self.at < self.end else "\n"
            if char in _ENDS_COMMAND or char == "#":
                break
            if char in _STARTS_REDIRECT:
                match = _REDIRECT.match(text, self.at)
                if match:
                    redirects.append(self.redirect(match, substitutions))
                    continue
                if char == "&":
                    break
            if not argv:
                match = _ASSIGNMENT.match(text, self.at)
                if match:
                    assignments.append(self._assignment(match.group(), substitutions))
                    continue
            word = self.word()
            if word is None:
                if char == "(" and len(argv) == 1 and not assignments and not redirects:
                    return self.function(argv[0])
                self.fail(f"unexpected {char!r}")
            if self.expands:
                expanding.append(len(argv))
                if self.found:
                    substitutions += self.substitutions(len(argv))
            argv.append(word)
        if self.at == start:
            self.fail(f"unexpected {text[start : start + 2]!r}")
        simple = Simple(
            tuple(argv),
            tuple(assignments),
            tuple(redirects),
            text[start : self.at].rstrip(" \t"),
            frozenset(expanding) if expanding else NOTHING_EXPANDS,
            tuple(substitutions),
        )
        self.simples.append(simple)
        return simple

    def _assignment(self, name: str, substitutions: list[Substitution]) -> tuple[str, str]:
        start = self.at
        self.at += len(name)
        if self.text.startswith("(", self.at):
            # Read from its name on, so that the lexer sees that this is an array.
            self.at = start
            value = (self.word() or "")[len(name) :]
        else:
            value = self.word() or ""
        substitutions += self.substitutions()
        return name.rstrip("=").rstrip("+"), value

    def redirect(self, match: re.Match[str], substitutions: list[Substitution]) -> Redirect:
        descriptor, operator = match.groups()
        self.at = match.end()
        self.blanks()
        target = self.word()
        if target is None:
            self.fail(f"nothing follows {operator}")
        body = target if operator == "<<<" else None
        fd = int(descriptor) if descriptor else None
        if operator in ("<<", "<<-"):
            redirect = Redirect(operator, target, fd, body, not self.quoted)
            self.pending.append((redirect, operator == "<<-"))
            return redirect
        if self.found:
            substitutions += self.substitutions(IN_REDIRECT)
        return Redirect(operator, target, fd, body, self.expands)

    def redirects(self, substitutions: list[Substitution]) -> tuple[Redirect, ...]:
        """Those behind a compound command."""
        found: list[Redirect] = []
        while True:
            self.blanks()
            match = _REDIRECT.match(self.text, self.at)
            if not match:
                return tuple(found)
            found.append(self.redirect(match, substitutions))

    def _read_expanded_heredocs(self) -> None:
        for index in range(len(self.simples)):
            simple = self.simples[index]
            for redirect in simple.redirects:
                body = redirect.body
                if body and redirect.expands and redirect.operator != "<<<" and ("$(" in body or "`" in body):
                    scripts = self._scripts_in(body)
                    # As with the body itself: the command was finished before its here-document came.
                    object.__setattr__(simple, "substitutions", simple.substitutions + scripts)

    def _scripts_in(self, body: str) -> tuple[Substitution, ...]:
        reader = Parser('"' + re.sub(r'(?<!\\)"', r"\"", body) + '"', self.depth)
        try:
            reader.word()
        except UnreadableError:
            return ()
        self.simples.extend(reader.simples)
        return tuple(reader.substitutions(IN_REDIRECT))

    # What compound commands are made of

    def expect(self, word: str) -> None:
        self.blank_lines()
        match = CLOSING.match(self.text, self.at)
        if not match or match.group() != word:
            self.fail(f"{word!r} is missing")
        self.at = match.end()

    def body(self, closing: str) -> Node:
        node = self.sequence()
        self.expect(closing)
        return node if node is not None else Chain(())

    def finished(self, kind: CompoundKind, parts: tuple[Part, ...], **more: object) -> Compound:
        substitutions: list[Substitution] = [*more.pop("substitutions", ())]  # type: ignore[misc]
        redirects = self.redirects(substitutions)
        return Compound(kind, parts, redirects=redirects, substitutions=tuple(substitutions), **more)  # type: ignore[arg-type]

    def function(self, name: str) -> Node:
        self.blanks()
        if self.text.startswith("(", self.at):
            self.at += 1
            self.blanks()
            self.expect(")")
        self.blank_lines()
        self.descend()
        body = self.command()
        self.depth -= 1
        return Compound("function", (Part("body", body),), name=name)


def chained(items: list[tuple[str, Node]]) -> Node | None:
    """The items as one node; ``None`` if there are none."""
    if len(items) == 1:
        return items[0][1]
    return Chain(tuple(items)) if items else None
