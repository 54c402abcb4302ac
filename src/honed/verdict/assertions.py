"""Assertions in a stretch of a test, whatever its language, and how much each of them demands.

Not a parser: names and shapes that the usual frameworks share are read from text that may begin or end in the
middle of a statement.  ``tamper_rules`` holds the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from honed.verdict import tamper_rules as rules

TEXT_LIMIT = 200_000
"""Characters of one side of a stretch that are read."""
STATEMENT_LIMIT = 3000


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion.  ``strength`` is one of those in ``tamper_rules``; ``operands`` are what it speaks of.

    ``text`` has its white space squeezed; ``name`` is the matcher.
    """

    text: str
    strength: int
    name: str
    operands: tuple[str, ...] = ()


def assertions(lines: tuple[str, ...], language: str) -> list[Assertion]:
    """The assertions in ``lines``, in order; comments are passed over."""
    text = "\n".join(code_lines(lines, language))[:TEXT_LIMIT]
    if not rules.ANY_ASSERTION.search(text) and not (language == "go" and "if " in text):
        return []
    found: list[Assertion] = []
    taken = 0
    for match in rules.STARTS.finditer(text):
        if match.start() < taken:
            continue
        kind = match.lastgroup or ""
        read = _READERS[kind](text, match, language)
        if read is not None:
            assertion, taken = read
            found.append(assertion)
    if not found and language == "go":
        return list(_go_conditions(text))
    return found


_GO_IF = re.compile(r"^[ \t]*(?:\}[ \t]*else[ \t]+)?if[ \t]+(.+?)[ \t]*\{[ \t]*$", re.M)


def _go_conditions(text: str) -> Iterator[Assertion]:
    """The conditions of a Go test whose ``t.Fatal`` stands on a line that did not change."""
    for match in _GO_IF.finditer(text):
        said = match.group(1).rpartition(";")[2].strip()
        yield Assertion(
            f"if {squeeze(said)}", _strength_of_complaint(said), CONDITION, _operands_of_condition(said)
        )


CONDITION = "if"
"""The name of an assertion that is but the condition of one."""


def code_lines(lines: tuple[str, ...], language: str) -> Iterator[str]:
    """The lines without those that are nothing but a comment."""
    marks = rules.COMMENTS.get(language, ("#", "//"))
    in_block = False
    for line in lines:
        stripped = line.strip()
        if in_block:
            in_block = "*/" not in stripped
            continue
        if "/*" in marks and stripped.startswith("/*"):
            in_block = "*/" not in stripped
            continue
        if stripped.startswith(marks) and not stripped.startswith(rules.NO_COMMENT.get(language, ("\0",))):
            continue
        yield line


def related(old: Assertion, new: Assertion) -> bool:
    """Whether both speak of the same thing: something that ``old`` compares stands in ``new``."""
    if old.name in rules.RAISING and new.name in rules.RAISING:
        return True
    if old.text[:1] == "." == new.text[:1]:
        return True
    if any(_stands_in(operand, new.text) for operand in old.operands if _IDENTIFIER.search(operand)):
        return True
    return new.strength <= rules.TRUE and any(
        _is_part_of(old_one, new_one) for old_one in old.operands for new_one in new.operands
    )


def _is_part_of(part: str, whole: str) -> bool:
    """Whether ``part`` is a member of ``whole``: ``post.slug`` of ``post``."""
    whole = whole.strip()
    return bool(_IDENTIFIER.match(whole)) and part.strip().startswith(
        (whole + ".", whole + "[", whole + "(", whole + "->", whole + "?.")
    )


def less_of_the_same(old: Assertion, new: Assertion) -> bool:
    """Whether ``new``, which took the place of ``old``, speaks of nothing else and demands less."""
    if new.strength >= old.strength or (
        new.strength > rules.TRUE and not "".join(new.operands[:1]).startswith(("len(", "count("))
    ):
        return False
    ours = {word for operand in new.operands[:1] for word in _WORDS.findall(operand)} - _WRAPPERS
    return bool(ours) and ours <= set(_WORDS.findall(old.text))


_WORDS = re.compile(r"[A-Za-z_]\w*")
_WRAPPERS = frozenset("len count list str set sorted dict tuple bool int t self not await".split())


def covers(new: Assertion, old: Assertion) -> bool:
    """Whether ``new`` compares the whole of which ``old`` compared a part: ``p`` for ``p.x``."""
    if new.strength < rules.EXACT:
        return False
    roots = {re.split(r"[.\[(]", operand.strip())[0] for operand in old.operands}
    own = {operand.strip() for operand in new.operands}
    return any(root in own for root in roots if len(root) > 0 and _IDENTIFIER.search(root))


_IDENTIFIER = re.compile(r"[A-Za-z_$]\w*(?![\w'\"])")
_LITERAL = re.compile(
    r"""^(?:[rbuf]?(['"`]).*\1|[+-]?(?:0[xX][\da-fA-F_]+|\.?\d[\d._]*(?:e[+-]?\d+)?[a-zA-Z]{0,3}\d*)|true|false|True|False|None|nil|null"""
    r"""|undefined|\[\]|\{\}|\(\))$""",
    re.S,
)
_UNWRAPPING = re.compile(
    r"(?:\.(?:unwrap|clone|as_str|to_string|to_owned|ok|get|toString|value|length|size|count|await|sort|trim|strip|items|keys|first)\b"
    r"(?:\(\))?|[!?]+)$"
)


def _stands_in(operand: str, text: str) -> bool:
    operand = operand.strip()
    if _LITERAL.match(operand):
        return False
    for _ in range(3):
        if len(operand) > 0 and re.search(r"(?<![\w.])" + re.escape(operand) + r"(?!\w)", text):
            return True
        shorter = _UNWRAPPING.sub("", operand)
        wrapped = _WRAPPED.match(operand)
        if shorter == operand and wrapped:
            shorter = wrapped.group(1)
        if shorter == operand or not _IDENTIFIER.search(shorter):
            return False
        operand = shorter
    return False


_WRAPPED = re.compile(
    r"^(?:await |not |!|list|len|str|set|sorted|dict|tuple|String|JSON\.stringify|new Set|&|\*)\s*\(?(.*?)\)?$"
)


# -- one reader for each way to write an assertion ------------------------------------------------------


def _call(text: str, match: re.Match[str], language: str) -> tuple[Assertion, int] | None:
    """``assertEqual(a, b)``, ``assert.Equal(t, a, b)``, ``assert_eq!(a, b)``, ``EXPECT_EQ(a, b)``."""
    opening = text.find("(", match.start(), match.end() + 1)
    if opening < 0:
        return None
    end = closing(text, opening)
    arguments = split_top(text[opening + 1 : end], ",")
    name = matcher_name(match.group("call"))
    return _made(text, match.start(), end + 1, name, arguments, language), end + 1


def _made(text: str, start: int, end: int, name: str, arguments: list[str], language: str) -> Assertion:
    squeezed = squeeze(text[start:end])
    if language == "go" and arguments[:1] and arguments[0].strip() in ("t", "s.T()", "tb"):
        arguments = arguments[1:]
    strength = rules.strength_of(name)
    if strength == rules.TRUE and arguments:
        strength = _strength_of_condition(arguments[0], strength)
        operands = _operands_of_condition(arguments[0])
    else:
        operands = tuple(argument.strip() for argument in arguments[:3])
        if strength == rules.EXACT and any(_plain_value(argument) for argument in operands[:2]):
            strength = rules.TRUE
        elif strength == rules.EXACT and any(rules.COUNTED.match(argument) for argument in operands[:2]):
            strength = rules.COUNT
    if name in rules.RAISING:
        strength = _strength_of_raising(arguments, strength)
    return Assertion(squeezed, strength, name, operands)


def _plain_value(argument: str) -> bool:
    return argument.strip() in rules.PLAIN_VALUES


def _statement(text: str, match: re.Match[str], language: str) -> tuple[Assertion, int] | None:
    """``assert a == b, "message"``."""
    start = match.end()
    end = _end_of_statement(text, start)
    condition = split_top(text[start:end], ",")[0] if language != "elixir" else text[start:end]
    if language == "ruby":
        condition = text[start:end]
    strength = _strength_of_condition(condition, rules.TRUE)
    return (
        Assertion(
            squeeze(text[match.start("statement") : end]),
            strength,
            "assert",
            _operands_of_condition(condition),
        ),
        end,
    )


def _words(text: str, match: re.Match[str], language: str) -> tuple[Assertion, int] | None:
    """Ruby's ``assert_equal a, b`` and Kotlin's ``a shouldBe b``: no brackets."""
    line_start = text.rfind("\n", 0, match.start()) + 1
    end = _end_of_statement(text, match.end())
    word = match.group("words").strip()
    name = matcher_name(word)
    if word.startswith(("should", "shouldNot")):
        operands: tuple[str, ...] = (
            text[line_start : match.start()].strip(),
            text[match.end() : end].strip(),
        )
        start = line_start
    else:
        operands = tuple(part.strip() for part in split_top(text[match.end() : end], ",")[:3])
        start = match.start()
    strength = rules.strength_of(name)
    if strength == rules.TRUE and operands:
        strength = _strength_of_condition(operands[0], strength)
    return Assertion(squeeze(text[start:end]), strength, name, operands), end


def _fluent(text: str, match: re.Match[str], language: str) -> tuple[Assertion, int] | None:
    """``expect(a).toBe(b)``, ``assertThat(a).isEqualTo(b)``, ``expect(a).to eq(b)``, ``a.Should().Be(b)``."""
    opening = match.end() - 1
    end = closing(text, opening)
    subject = text[opening + 1 : end].strip()
    chain, stop = _chain(text, end + 1, language)
    subjects = tuple(part.strip() for part in split_top(subject, ",")[:2])
    if not chain:
        if len(subjects) == 2:  # Dart's expect(actual, matcher)
            name = matcher_name(re.split(r"[(\s]", subjects[1])[0])
            strength = rules.strength_of(name, rules.EXACT)
            return Assertion(squeeze(text[match.start() : end + 1]), strength, name, subjects), end + 1
        if "assert" in match.group("fluent").lower():
            return None
        return Assertion(squeeze(text[match.start() : end + 1]), rules.TRUE, "expect", subjects), end + 1
    return _with_chain(text, match.start(), stop, subjects, chain), stop


def _with_chain(
    text: str, start: int, stop: int, subjects: tuple[str, ...], chain: list[tuple[str, str]]
) -> Assertion:
    negated = any(name in rules.NEGATIONS for name, _ in chain)
    named = [
        (name, given) for name, given in chain if name not in rules.LINKS and name not in rules.NEGATIONS
    ]
    name, given = named[-1] if named else ("be", "")
    for wanted, what in named:
        if rules.strength_of(matcher_name(wanted), -1) > rules.strength_of(matcher_name(name), -1):
            name, given = wanted, what
    plain = matcher_name(name)
    strength = rules.strength_of(plain)
    expected = squeeze(given)
    subject = subjects[0] if subjects else ""
    if negated:
        strength = rules.NEGATED.get(strength, strength)
    elif (strength == rules.EXACT and expected in rules.PLAIN_VALUES) or strength == rules.TRUE:
        strength = _strength_of_condition(subject, rules.TRUE)
    elif rules.WILDCARD.match(expected):
        strength = rules.PRESENT
    elif strength == rules.EXACT and expected and expected == squeeze(subject):
        strength = rules.VACUOUS
    if strength == rules.EXACT and rules.COUNTED.match(subject):
        strength = rules.COUNT
    if plain in rules.RAISING and not negated:
        strength = _strength_of_raising([given] if given.strip() else [], strength)
    if subject in rules.PLAIN_VALUES and plain not in rules.RAISING:
        strength = rules.VACUOUS
    return Assertion(
        squeeze(text[start:stop]), strength, plain, (*subjects, expected) if expected else subjects
    )


def _orphan(text: str, match: re.Match[str], language: str) -> tuple[Assertion, int] | None:
    """A matcher on a line of its own, whose subject stands on a line that did not change."""
    chain, stop = _chain(text, match.start(), language)
    if not chain:
        return None
    return _with_chain(text, match.start(), stop, ("",), chain), stop


def _complaint(text: str, match: re.Match[str], language: str) -> tuple[Assertion, int] | None:
    """Go's ``t.Fatalf(...)``: it asserts whatever the ``if`` around it says."""
    opening = text.find("(", match.start())
    end = closing(text, opening)
    line_start = text.rfind("\n", 0, match.start())
    above = text[text.rfind("\n", 0, max(0, line_start)) + 1 : max(0, line_start)].strip()
    condition = re.match(r"(?:\}\s*else\s+)?if\s+(.*?)\s*\{$", above)
    said = condition.group(1).rpartition(";")[2].strip() if condition else ""
    strength = _strength_of_complaint(said)
    operands = _operands_of_condition(said) if said else ()
    return Assertion(squeeze(f"{said} {text[match.start() : end + 1]}"), strength, "fail", operands), end + 1


def _raising(text: str, match: re.Match[str], language: str) -> tuple[Assertion, int] | None:
    """``pytest.raises(E, match=...)``."""
    if match.group().startswith("#["):
        end = text.find("]", match.start()) + 1 or len(text)
        strength = rules.PARTIAL + ("expected" in text[match.start() : end])
        return Assertion(squeeze(text[match.start() : end]), strength, "raises"), end
    opening = text.find("(", match.start())
    end = closing(text, opening)
    arguments = split_top(text[opening + 1 : end], ",")
    strength = _strength_of_raising(arguments, rules.PARTIAL)
    return Assertion(
        squeeze(text[match.start() : end + 1]), strength, "raises", tuple(arguments[:1])
    ), end + 1


_READERS = {
    "fluent": _fluent,
    "raising": _raising,
    "call": _call,
    "statement": _statement,
    "words": _words,
    "orphan": _orphan,
    "complaint": _complaint,
}


# -- conditions ----------------------------------------------------------------------------------------


def _strength_of_condition(condition: str, otherwise: int) -> int:
    """How much ``assert condition`` demands."""
    condition = squeeze(condition)
    if rules.ALWAYS_TRUE.search(condition) or re.match(r"^(.{1,200}?) ?={2,3} ?\1$", condition):
        return rules.VACUOUS
    masked = _masked(condition)
    for pattern, strength in rules.CONDITIONS:
        if pattern.search(masked):
            if strength == rules.EXACT and rules.PLAIN_COMPARISON.search(condition):
                return rules.TRUE
            if strength == rules.EXACT and rules.LENGTH_COMPARISON.search(masked):
                return rules.COUNT
            return strength
    return otherwise


def _operands_of_condition(condition: str) -> tuple[str, ...]:
    condition = squeeze(condition)
    parts, start = [], 0
    for match in rules.OPERATORS.finditer(_masked(condition)):
        parts.append(condition[start : match.start()])
        start = match.end()
    parts.append(condition[start:])
    return tuple(
        part.strip().removeprefix("not ").removeprefix("!").strip() for part in parts if part.strip()
    )[:6]


def _masked(text: str) -> str:
    """``text`` with what stands in brackets and strings blotted out, at the same places."""
    out, depth, start = list(text), 0, 0
    for match in _TOKENS.finditer(text):
        token = match.group()
        if token in _BRACKETS:
            if depth == 0:
                start = match.end()
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                out[start : match.start()] = "\0" * (match.start() - start)
        elif depth == 0 and len(token) > 2:
            out[match.start() + 1 : match.end() - 1] = "\0" * (len(token) - 2)
    return "".join(out)


def _strength_of_complaint(condition: str) -> int:
    """How much it demands that this (the opposite of what is asserted) is not so."""
    if not condition:
        return rules.EXACT
    return next((strength for pattern, strength in rules.COMPLAINTS if pattern.search(condition)), rules.TRUE)


def _strength_of_raising(arguments: list[str], strength: int) -> int:
    wanted = arguments[0].strip() if arguments else ""
    if not wanted:
        return rules.TRUE
    if rules.ANY_ERROR.match(wanted):
        return rules.PRESENT if len(arguments) == 1 else rules.TRUE
    return (
        strength + 1 if any(argument.strip().startswith("match") for argument in arguments[1:]) else strength
    )


# -- text ------------------------------------------------------------------------------------------------


def matcher_name(word: str) -> str:
    """The bare matcher: ``self.assertEqual`` -> equal, ``assert_eq!`` -> eq, ``XCTAssertNil`` -> nil."""
    last = re.split(r"\.|->|::", word.strip().rstrip("(!? "))[-1]
    bare = last.replace("_", "").lower()
    for prefix in rules.PREFIXES:
        if bare.startswith(prefix) and len(bare) > len(prefix):
            return bare[len(prefix) :]
    return bare


def squeeze(text: str) -> str:
    """White space made one blank, none inside brackets' edges, no comma before a closing bracket."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"(?<=[(\[{]) | (?=[)\]}.])", "", text)
    return re.sub(r",(?=[)\]}])", "", text)


_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_TOKENS = re.compile(
    r"\"\"\"|'''|\"(?:\\.|[^\"\\\n])*\"|(?<![\w])'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[()\[\]{}]"
)


def closing(text: str, opening: int) -> int:
    """Where the bracket at ``opening`` is closed, or where the text (or the limit) ends."""
    depth = 0
    stop = min(len(text), opening + STATEMENT_LIMIT)
    for match in _TOKENS.finditer(text, opening, stop):
        token = match.group()
        if token in _BRACKETS:
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                return match.start()
    return stop


def split_top(text: str, separator: str) -> list[str]:
    """``text`` split at separators that stand in no bracket and no string."""
    parts, depth, start, at = [], 0, 0, 0
    scanner = re.compile(_TOKENS.pattern + "|" + re.escape(separator))
    for match in scanner.finditer(text):
        token = match.group()
        at = match.start()
        if token in _BRACKETS:
            depth += 1
        elif token in ")]}":
            depth -= 1
        elif token == separator and depth == 0:
            parts.append(text[start:at])
            start = match.end()
    parts.append(text[start:])
    return [part for part in parts if part.strip()] or [""]


def _end_of_statement(text: str, start: int) -> int:
    """The end of the line, or of the brackets that it leaves open."""
    depth = 0
    scanner = re.compile(_TOKENS.pattern + r"|\n|;|\s#\s")
    for match in scanner.finditer(text, start, min(len(text), start + STATEMENT_LIMIT)):
        token = match.group()
        if token in _BRACKETS:
            depth += 1
        elif token in ")]}":
            depth -= 1
            if depth < 0:
                return match.start()
        elif depth <= 0 and (token in ("\n", ";") or token.strip() == "#"):
            if token == "\n" and text[match.start() - 1 : match.start()] == "\\":
                continue
            return match.start()
    return min(len(text), start + STATEMENT_LIMIT)


_LINK = re.compile(r"\s*(?:\?\.|\.|->|!\.)\s*(\w+)\s*(\(|\{)?")
_RUBY_LINK = re.compile(r"\s*\.?(to_not|not_to|to|should_not|should)\b[ (]+(\w+[?!]?)")


def _chain(text: str, at: int, language: str) -> tuple[list[tuple[str, str]], int]:
    """The links behind the subject: (name, what is in its brackets), and where they end."""
    if language == "ruby":
        ruby = _RUBY_LINK.match(text, at)
        if ruby:
            end = _end_of_statement(text, ruby.start(2))
            given = text[ruby.end(2) : end].strip()
            links = [(ruby.group(1), ""), (ruby.group(2), given.strip("() "))]
            return links, end
    links = []
    while match := _LINK.match(text, at):
        name, bracket = match.groups()
        at = match.end()
        given = ""
        if bracket:
            end = closing(text, at - 1)
            given, at = text[at:end], end + 1
        links.append((name, given))
        if len(links) > 12:
            break
    return links, at
