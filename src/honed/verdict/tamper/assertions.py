"""Assertions in a stretch of a test, whatever its language, and how much each of them demands.

Not a parser: names and shapes that the usual frameworks share are read from text that may begin or end in the
middle of a statement.  ``assertion_words`` holds the tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from honed.verdict.tamper import assertion_words as words
from honed.verdict.tamper.source_text import (
    closing,
    end_of_statement,
    masked,
    split_top,
    squeeze,
)

TEXT_LIMIT = 200_000
"""Characters of one side of a stretch that are read."""
CONDITION = "if"
"""The name of an assertion of which only the condition is seen."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion.  ``strength`` is one of ``assertion_words``'; ``operands`` are what it speaks of.

    ``text`` has its white space squeezed; ``name`` is the matcher, bare.
    """

    text: str
    strength: int
    name: str
    operands: tuple[str, ...] = ()


def assertions_in(code: str, language: str) -> list[Assertion]:
    """The assertions in a text without comments, in order."""
    text = code[:TEXT_LIMIT]
    if not words.ANY_ASSERTION.search(text) and not (language == "go" and "if " in text):
        return []
    found: list[Assertion] = []
    taken = 0
    for match in _starts(text, language):
        if match.start() < taken:
            continue
        read = _READERS[match.lastgroup or ""](text, match, language)
        if read is not None:
            assertion, taken = read
            found.append(assertion)
    if not found and language == "go":
        return list(_go_conditions(text))
    return found


def _starts(text: str, language: str) -> Iterator[re.Match[str]]:
    """Where assertions begin.

    ``STARTS`` is dear at every letter, so it is tried only in lines that hold one of ``words.CUES``, up to
    the end of the next line that is not empty: there the bracket may stand.
    """
    if language == "clojure":  # Its tables of cases go over as many lines as they like.
        yield from words.STARTS.finditer(text)
        return
    lines: set[int] = set()
    for cue in words.CUES:
        at = text.find(cue)
        while at >= 0:
            lines.add(text.rfind("\n", 0, at) + 1)
            end = text.find("\n", at)
            at = text.find(cue, end) if end >= 0 else -1
    for start in sorted(lines):
        line = _LINE.search(text, start)
        assert line is not None
        for match in words.STARTS.finditer(text, start, line.end()):
            if match.start() >= line.start():
                break
            yield match


_LINE = re.compile(r"\n\s*[^\n]*|\Z")
"""The end of a line, with the next one that is not empty."""


# -- one reader for each way to write an assertion -----------------------------------------------

_Read = tuple[Assertion, int] | None
"""An assertion and where it ends."""


def _call(text: str, match: re.Match[str], language: str) -> _Read:
    """``assertEqual(a, b)``, ``assert.Equal(t, a, b)``, ``assert_eq!(a, b)``, ``EXPECT_EQ(a, b)``."""
    opening = text.find("(", match.start(), match.end() + 1)
    if opening < 0:
        return None
    end = closing(text, opening)
    arguments = [argument.strip() for argument in split_top(text[opening + 1 : end])]
    if language == "go" and arguments[0] in ("t", "s.T()", "tb"):
        arguments = arguments[1:]
    called = match.group("call")
    name = "snapshot" if words.RECORDING.match(called) else matcher_name(called)
    strength, operands = _demand(name, arguments)
    return Assertion(squeeze(text[match.start() : end + 1]), strength, name, operands), end + 1


def _demand(name: str, arguments: list[str]) -> tuple[int, tuple[str, ...]]:
    """The strength and the operands of ``name(arguments)``."""
    strength = words.strength_of(name)
    operands = tuple(arguments[:3])
    if strength == words.TRUE and arguments:
        return strength_of_condition(arguments[0], strength), operands_of_condition(arguments[0])
    if strength == words.EXACT:
        if len(operands) > 1 and operands[0] == operands[1]:
            strength = words.VACUOUS
        elif any(argument in words.PLAIN_VALUES for argument in operands[:2]):
            strength = words.TRUE
        elif any(words.COUNTED.match(masked(argument)) for argument in operands[:2]):
            strength = words.COUNT
    if name in words.RAISING:
        strength = _strength_of_raising(arguments, strength)
    return strength, operands


def _statement(text: str, match: re.Match[str], language: str) -> _Read:
    """``assert a == b, "message"``."""
    end = end_of_statement(text, match.end())
    condition = text[match.end() : end]
    if language not in ("elixir", "ruby"):
        condition = split_top(condition)[0]
    said = squeeze(text[match.start("statement") : end])
    strength = strength_of_condition(condition, words.TRUE)
    return Assertion(said, strength, "assert", operands_of_condition(condition)), end


def _words(text: str, match: re.Match[str], _: str) -> _Read:
    """Ruby's ``assert_equal a, b`` and Kotlin's ``a shouldBe b``: no brackets."""
    end = end_of_statement(text, match.end())
    word = match.group("words").strip()
    name = matcher_name(word)
    if word.startswith("should"):
        start = text.rfind("\n", 0, match.start()) + 1
        expected = text[match.end() : end].strip()
        strength = words.strength_of(name, words.EXACT)
        if word.startswith("shouldNot"):
            strength = words.PRESENT if expected in words.PLAIN_VALUES else words.PARTIAL
        return Assertion(
            squeeze(text[start:end]), strength, name, (text[start : match.start()].strip(), expected)
        ), end
    arguments = [part.strip() for part in split_top(text[match.end() : end])]
    strength, operands = _demand(name, arguments)
    return Assertion(squeeze(text[match.start() : end]), strength, name, operands), end


def _fluent(text: str, match: re.Match[str], language: str) -> _Read:
    """``expect(a).toBe(b)``, ``assertThat(a).isEqualTo(b)``, ``expect(a).to eq(b)``, ``a.Should().Be(b)``."""
    opening = match.end() - 1
    end = closing(text, opening)
    start = match.start()
    subject = text[opening + 1 : end].strip()
    if match.group().startswith("."):
        start = text.rfind("\n", 0, start) + 1
        subject = text[start : match.start()].strip()
    chain, stop = _chain(text, end + 1, language)
    subjects = tuple(part.strip() for part in split_top(subject)[:2])
    if match.group().startswith(".Should") and match.group() != ".Should(":  # Shouldly's a.ShouldBe(b)
        chain, stop = [(match.group().strip(".("), text[opening + 1 : end])], end + 1
    if chain:
        return _with_chain(text[start:stop], subjects, chain), stop
    said = squeeze(text[start : end + 1])
    if len(subjects) == 2:  # Dart's expect(actual, matcher)
        name = matcher_name(re.split(r"[(\s]", subjects[1])[0])
        return Assertion(said, words.strength_of(name, words.EXACT), name, subjects), end + 1
    if "assert" in match.group().lower():
        return None
    if language == "swift":  # Swift Testing's #expect(a == b)
        strength = strength_of_condition(subject, words.TRUE)
        return Assertion(said, strength, "expect", operands_of_condition(subject)), end + 1
    return Assertion(said, words.TRUE, "expect", subjects), end + 1


def _with_chain(said: str, subjects: tuple[str, ...], chain: list[tuple[str, str]]) -> Assertion:
    named = [(name, given) for name, given in chain if name not in words.LINKS | words.NEGATIONS]
    name, given = max(named or [("be", "")], key=lambda link: words.strength_of(matcher_name(link[0]), -1))
    name, expected = matcher_name(name), squeeze(given)
    subject = subjects[0] if subjects else ""
    negated = any(link in words.NEGATIONS for link, _ in chain)
    strength = _strength_of_chain(name, subject, expected, negated=negated)
    return Assertion(squeeze(said), strength, name, (*subjects, expected) if expected else subjects)


def _strength_of_chain(name: str, subject: str, expected: str, *, negated: bool) -> int:
    strength = words.strength_of(name)
    raising = name in words.RAISING
    if subject in words.PLAIN_VALUES and not raising:
        return words.VACUOUS
    if negated:
        return words.PRESENT if raising or name in words.NULLS else words.NEGATED.get(strength, strength)
    if raising:
        return _strength_of_raising([expected] if expected else [], strength)
    if strength == words.TRUE or (strength == words.EXACT and expected in words.PLAIN_VALUES):
        return strength_of_condition(subject, words.TRUE)
    if words.WILDCARD.match(expected):
        return words.PRESENT
    if strength == words.EXACT and words.COUNTED.match(masked(subject)):
        return words.COUNT
    return words.VACUOUS if strength == words.EXACT and expected == squeeze(subject) != "" else strength


def _orphan(text: str, match: re.Match[str], language: str) -> _Read:
    """A matcher on a line of its own, whose subject stands in front of it, unchanged."""
    chain, stop = _chain(text, match.start(), language)
    return (_with_chain(text[match.start() : stop], ("",), chain), stop) if chain else None


def _chained(text: str, match: re.Match[str], _: str) -> _Read:
    """supertest's ``request(app).get("/").expect(200)``."""
    opening = match.end() - 1
    end = closing(text, opening)
    operands = tuple(part.strip() for part in split_top(text[opening + 1 : end])[:3])
    return Assertion(squeeze(text[match.start() : end + 1]), words.EXACT, "supertest", operands), end + 1


def _complaint(text: str, match: re.Match[str], _: str) -> _Read:
    """Go's ``t.Fatalf(...)``: it asserts that the ``if`` above it is not so."""
    end = closing(text, text.find("(", match.start()))
    line_start = max(0, text.rfind("\n", 0, match.start()))
    above = text[text.rfind("\n", 0, line_start) + 1 : line_start].strip()
    condition = re.match(r"(?:\}\s*else\s+)?if\s+(.*?)\s*\{$", above)
    said = condition.group(1).rpartition(";")[2].strip() if condition else ""
    whole = squeeze(f"{said} {text[match.start() : end + 1]}")
    return Assertion(whole, _strength_of_complaint(said), "fail", operands_of_condition(said)), end + 1


_LISP_HEADS: dict[str, int] = {
    **dict.fromkeys(("=", "==", "identical?", "thrown-with-msg?"), words.EXACT),
    **dict.fromkeys(("some?", "not", "seq", "map?", "string?", "coll?", "instance?"), words.PRESENT),
    **dict.fromkeys(("true?", "boolean"), words.TRUE),
}


def _lisp(text: str, match: re.Match[str], _: str) -> _Read:
    """Clojure's ``(is (= a b))``."""
    opening = match.end() - 1
    end = closing(text, opening)
    inner = squeeze(text[opening + 1 : end])
    head, _blank, rest = inner.partition(" ")
    operands = tuple(part for part in (rest, *re.split(r" (?=[(\w])", rest)) if part)[:6]
    return Assertion(f"(is ({inner}))", _LISP_HEADS.get(head, words.PARTIAL), head, operands), end + 1


def _interaction(text: str, match: re.Match[str], _: str) -> _Read:
    """Spock's ``1 * mail.send(owner)``."""
    end = end_of_statement(text, match.end())
    called = text[match.end() : end].strip()
    return Assertion(squeeze(text[match.start() : end]), words.EXACT, "interaction", (called,)), end


def _mocked(text: str, match: re.Match[str], _: str) -> _Read:
    """PHPUnit's ``$mail->expects($this->once())->method('send')``: how often, and with what."""
    end = text.find(";", match.end())
    end = len(text) if end < 0 else end
    said = squeeze(text[match.start() : end])
    strength = words.PRESENT if words.ANY_NUMBER_OF_TIMES.search(said) else words.EXACT
    return Assertion(said, strength, "expects", (re.split(r"->|\.", match.group())[0],)), end


_GO_IF = re.compile(r"^[ \t]*(?:\}[ \t]*else[ \t]+)?if[ \t]+(.+?)[ \t]*\{[ \t]*$", re.M)


def _go_conditions(text: str) -> Iterator[Assertion]:
    """The conditions of a Go test whose ``t.Fatal`` stands on a line that did not change."""
    for match in _GO_IF.finditer(text):
        said = match.group(1).rpartition(";")[2].strip()
        strength = _strength_of_complaint(said)
        yield Assertion(f"if {squeeze(said)}", strength, CONDITION, operands_of_condition(said))


def _raising(text: str, match: re.Match[str], _: str) -> _Read:
    """``pytest.raises(E, match=...)``, ``#[should_panic(expected = "...")]``."""
    if match.group().startswith("#["):
        end = text.find("]", match.start()) + 1 or len(text)
        said = squeeze(text[match.start() : end])
        return Assertion(said, words.PARTIAL + ("expected" in said), "raises"), end
    opening = text.find("(", match.start())
    end = closing(text, opening)
    arguments = [part.strip() for part in split_top(text[opening + 1 : end])]
    strength = _strength_of_raising(arguments, words.PARTIAL)
    return Assertion(
        squeeze(text[match.start() : end + 1]), strength, "raises", tuple(arguments[:1])
    ), end + 1


_READERS: dict[str, Callable[[str, re.Match[str], str], _Read]] = {
    "fluent": _fluent,
    "raising": _raising,
    "lisp": _lisp,
    "interaction": _interaction,
    "mocked": _mocked,
    "call": _call,
    "statement": _statement,
    "words": _words,
    "orphan": _orphan,
    "chained": _chained,
    "complaint": _complaint,
}

_LINK = re.compile(r"\s*(?:\?\.|\.|->|!\.)\s*(\w+)\s*(\(|\{)?")
_RUBY_LINK = re.compile(r"\s*\.?(to_not|not_to|to|should_not|should)\b[ (]+(\w+[?!]?)")


def _chain(text: str, at: int, language: str) -> tuple[list[tuple[str, str]], int]:
    """The links behind the subject: (name, what is in its brackets), and where they end."""
    ruby = _RUBY_LINK.match(text, at) if language == "ruby" else None
    if ruby:
        end = end_of_statement(text, ruby.start(2))
        return [(ruby.group(1), ""), (ruby.group(2), text[ruby.end(2) : end].strip("() "))], end
    links: list[tuple[str, str]] = []
    while len(links) <= 12 and (match := _LINK.match(text, at)):
        name, bracket = match.groups()
        at, given = match.end(), ""
        if bracket:
            end = closing(text, at - 1)
            given, at = text[at:end], end + 1
        links.append((name, given))
    return links, at


# -- how much it demands -------------------------------------------------------------------------


def strength_of_condition(condition: str, otherwise: int) -> int:
    """How much ``assert condition`` demands; ``otherwise`` if it is no comparison."""
    condition = squeeze(condition)
    if words.ALWAYS_TRUE.search(condition) or re.match(r"^(.{1,200}?) ?={2,3} ?\1$", condition):
        return words.VACUOUS
    plain = masked(condition)
    strength = next((strength for pattern, strength in words.CONDITIONS if pattern.search(plain)), otherwise)
    if strength == words.EXACT and words.PLAIN_COMPARISON.search(condition):
        return words.TRUE
    if strength == words.EXACT and words.LENGTH_COMPARISON.search(plain):
        return words.COUNT
    return strength


def operands_of_condition(condition: str) -> tuple[str, ...]:
    """What ``condition`` compares, at most six."""
    condition = squeeze(condition)
    parts, start = [], 0
    for match in words.OPERATORS.finditer(masked(condition)):
        parts.append(condition[start : match.start()])
        start = match.end()
    parts.append(condition[start:])
    bare = (part.strip().removeprefix("not ").removeprefix("!").strip() for part in parts)
    return tuple(part for part in bare if part)[:6]


def _strength_of_complaint(condition: str) -> int:
    """How much it demands that this (the opposite of what is asserted) is not so."""
    if not condition:
        return words.EXACT
    return next((strength for pattern, strength in words.COMPLAINTS if pattern.search(condition)), words.TRUE)


def _strength_of_raising(arguments: list[str], strength: int) -> int:
    wanted = arguments[0].strip() if arguments else ""
    if not wanted:
        return words.TRUE
    told_apart = any(argument.startswith("match") for argument in arguments[1:])
    if words.ANY_ERROR.match(wanted):
        return words.TRUE if told_apart else words.PRESENT
    return strength + told_apart


def matcher_name(word: str) -> str:
    """The bare matcher: ``self.assertEqual`` -> equal, ``assert_eq!`` -> eq, ``XCTAssertNil`` -> nil."""
    last = re.split(r"\.|->|::", word.strip().rstrip("(!? "))[-1]
    bare = last.replace("_", "").lower()
    for prefix in words.PREFIXES:
        if bare.startswith(prefix) and len(bare) > len(prefix):
            return bare[len(prefix) :]
    return bare
