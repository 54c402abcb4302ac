"""What the detectors look at: a task's files at its end, and what was moved, added or taken away in all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from honed.sessions.model import Request, Step
from honed.verdict.model import Tampering, TamperingKind
from honed.verdict.tamper import test_marks as marks
from honed.verdict.tamper.assertions import Assertion, assertions_in
from honed.verdict.tamper.source_text import code_lines, squeeze
from honed.verdict.tamper.standing import FileStory, Writes, standing
from honed.verdict.tamper.stretches import Stretch
from honed.verdict.test_files import Role, language_of, role_of, words_of

DIFF_LINES = 12
FILES_READ = 400
"""Files of a task that are looked at."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of a test file with what can be read in it."""

    story: FileStory
    role: Role
    language: str
    stretch: Stretch
    old: tuple[Assertion, ...]
    new: tuple[Assertion, ...]
    old_tests: tuple[str, ...]
    new_tests: tuple[str, ...]

    @property
    def old_text(self) -> str:
        """The text before the task."""
        return "\n".join(self.stretch.old)

    @property
    def new_text(self) -> str:
        """The text after it."""
        return "\n".join(self.stretch.new)


@dataclass(frozen=True, slots=True)
class _Sum:
    """What a piece has lost and gained, measured against the whole task."""

    lost: list[Assertion]
    gained: list[Assertion]
    lost_tests: list[str]
    gained_tests: list[str]


@dataclass(slots=True)
class Scene:
    """A whole task.  The balances say by how much it has more (or, below zero, less) of each text.

    ``sources`` are the files of code that changed.  ``source_changed`` says whether anything but tests and
    their records was changed.
    """

    requests: tuple[Request, ...]
    steps: tuple[Step, ...]
    stories: tuple[FileStory, ...]
    pieces: list[Piece] = field(default_factory=list)
    assertion_balance: Counter[str] = field(default_factory=Counter)
    test_balance: Counter[str] = field(default_factory=Counter)
    sources: tuple[FileStory, ...] = ()
    source_changed: bool = False
    new_test_words: list[frozenset[str]] = field(default_factory=list)
    _sums: dict[int, _Sum] = field(default_factory=dict)
    _lost_words: tuple[frozenset[str], str] | None = None
    _line_balance: Counter[str] | None = None

    @property
    def line_balance(self) -> Counter[str]:
        """The balance of whole lines, white space squeezed; counted when first asked for."""
        if self._line_balance is None:
            self._line_balance = Counter()
            for piece in self.pieces:
                self._line_balance.subtract(squeeze(line) for line in piece.stretch.old)
                self._line_balance.update(squeeze(line) for line in piece.stretch.new)
        return self._line_balance

    @property
    def gone(self) -> frozenset[str]:
        """The names that the code defined and no longer does."""
        return self._words()[0]

    @property
    def gone_strings(self) -> str:
        """The text of strings that the code no longer holds."""
        return self._words()[1]

    def _words(self) -> tuple[frozenset[str], str]:
        if self._lost_words is None:
            self._lost_words = _gone(self.sources)
        return self._lost_words

    @property
    def became_random(self) -> bool:
        """Whether the code now makes a value that differs each time (an id) where it made a fixed one."""
        return any(
            _RANDOM.search("\n".join(stretch.new)) and not _RANDOM.search("\n".join(stretch.old))
            for story in self.sources
            if story.fate == "changed"
            for stretch in story.stretches
        )

    def lost(self, piece: Piece) -> list[Assertion]:
        """The assertions that stood in ``piece`` and stand nowhere now."""
        return self._sums[id(piece)].lost

    def gained(self, piece: Piece) -> list[Assertion]:
        """The assertions in ``piece`` that stood nowhere before."""
        return self._sums[id(piece)].gained

    def lost_tests(self, piece: Piece) -> list[str]:
        """The tests that were declared in ``piece`` and are declared nowhere now."""
        return self._sums[id(piece)].lost_tests

    def gained_tests(self, piece: Piece) -> list[str]:
        """The tests declared in ``piece`` that were declared nowhere before."""
        return self._sums[id(piece)].gained_tests

    def sum_up(self) -> None:
        """Weigh all pieces against each other; to be called once, when they are complete."""
        for piece in self.pieces:
            self.assertion_balance.subtract(assertion.text for assertion in piece.old)
            self.assertion_balance.update(assertion.text for assertion in piece.new)
            self.test_balance.subtract(piece.old_tests)
            self.test_balance.update(piece.new_tests)
        for piece in self.pieces:
            self._sums[id(piece)] = self._sum(piece)
            self.new_test_words += [words_of(name) for name in self.gained_tests(piece)]

    def _sum(self, piece: Piece) -> _Sum:
        asserted, tested = self.assertion_balance, self.test_balance
        gone = dict.fromkeys(piece.old_tests)
        made = dict.fromkeys(piece.new_tests)
        return _Sum(
            [a for a in _unmatched(piece.old, piece.new) if asserted[a.text] < 0],
            [a for a in _unmatched(piece.new, piece.old) if asserted[a.text] > 0],
            [name for name in gone if name not in made and tested[name] < 0],
            [name for name in made if name not in gone and tested[name] > 0],
        )

    def beside(self, piece: Piece) -> list[Piece]:
        """The other pieces of the same file."""
        return [other for other in self.pieces if other.story.path == piece.story.path and other is not piece]

    def together(self, piece: Piece) -> list[Piece]:
        """This piece and those of the same file that the same calls changed."""
        return [piece, *(p for p in self.beside(piece) if p.stretch.steps & piece.stretch.steps)]

    def failed_before(self, line: int) -> bool:
        """Whether a command failed before ``line`` of the transcript."""
        return any(
            step.kind == "shell"
            and step.line < line
            and (step.status == "failed" or step.exit_code not in (None, 0))
            for step in self.steps
        )


def _unmatched(ours: tuple[Assertion, ...], theirs: tuple[Assertion, ...]) -> Iterator[Assertion]:
    left = Counter(assertion.text for assertion in theirs)
    for assertion in ours:
        left[assertion.text] -= 1
        if left[assertion.text] < 0:
            yield assertion


def scene_of(
    steps: tuple[Step, ...], requests: tuple[Request, ...], root: str | None, writes: Writes
) -> Scene:
    """Everything the detectors need, from the steps of a task in the order in which they ended."""
    scene = Scene(requests, steps, standing(steps, root, writes)[:FILES_READ])
    sources: list[FileStory] = []
    tests: list[tuple[FileStory, Role]] = []
    for story in scene.stories:
        role = role_of(story.path)
        was_test = bool(story.old_path) and role_of(story.old_path or "") == "test"
        if role in ("test", "support", "mixed") or was_test:
            tests.append((story, role if role != "source" else "test"))
        if role in ("source", "mixed"):
            sources.append(story)
        if role in ("source", "mixed", "gate") and (role == "source" or story.fate != "created"):
            scene.source_changed = True
    # What a new file asserts matters where an old one may have lost it; most tasks only add.
    old = any(stretch.old for story, _ in tests for stretch in story.stretches)
    for story, role in tests:
        scene.pieces += _pieces(story, role, read_new=old)
    scene.sum_up()
    scene.sources = tuple(sources)
    return scene


_RANDOM = re.compile(r"(?i)uuid|\brandom|\bsecrets\.|nanoid|\bulid|SecureRandom|randomBytes|\brand\(")


def _pieces(story: FileStory, role: Role, *, read_new: bool) -> Iterator[Piece]:
    language = language_of(story.path) or language_of(story.old_path or "")
    for stretch in story.stretches:
        old, new = ("\n".join(code_lines(lines, language)) for lines in (stretch.old, stretch.new))
        yield Piece(
            story,
            role,
            language,
            stretch,
            tuple(assertions_in(old, language)),
            tuple(assertions_in(new, language)) if read_new else (),
            tuple(_declared_in(old, language)),
            tuple(_declared_in(new, language)),
        )


def declared(lines: Iterable[str], language: str) -> Iterator[str]:
    """The names (or titles) of the tests that ``lines`` declare, in order."""
    return _declared_in("\n".join(code_lines(lines, language)), language)


def _declared_in(code: str, language: str) -> Iterator[str]:
    pattern = marks.DECLARED.get(language)
    for match in pattern.finditer(code) if pattern else ():
        yield next((text for text in match.groupdict().values() if text), "")


# -- what the code itself no longer has ----------------------------------------------------------

_DEFINED = re.compile(
    r"\b(?:def|class|func|fn|fun|function|const|let|var|type|struct|enum|interface|trait|val|object|record"
    r"|namespace|module|defp?|defmodule|macro_rules!|sub|static|public|private|protected|async|export)\s+"
    r"(?:\([^)\n]*\)\s*)?(\w+)"
    r"|^\s*['\"]?([A-Za-z_][\w-]*)['\"]?\s*[:=](?!=)|['\"](--?[\w-]+)['\"]|['\"](/[\w/{}:-]+)['\"]"
    r"|^[ \t]*(?:[\w<>\[\],.?*&]+[ \t]+)+(\w+)[ \t]*\(|^[ \t]*(\w+)[ \t]*(?:\([^)\n]*\)[ \t]*)?,?[ \t]*$"
    r"|(?:\.|->)(\w+)\s*=(?!=)|\b(?:import|from|use|require)\b[^\n]{0,300}?(\w+)['\";]*[ \t]*$",
    re.M,
)
_STRING = re.compile(r"(['\"`])((?:\\.|(?!\1)[^\\\n]){4,200})\1")
_TOO_COMMON = frozenset(
    "self this return none true false null test name value data result item items key type id import from"
    " class def"
    " function const async await public private static void string int bool list dict path file error err"
    " ctx the"
    " for and not with else case default".split()
)
SOURCE_READ = 100_000
"""Characters of each side of the changed code that are looked at."""


def _gone(sources: tuple[FileStory, ...]) -> tuple[frozenset[str], str]:
    """Names that the code defined and no longer does, and the text of the strings it no longer holds."""
    names: set[str] = set()
    for story in sources:
        if story.fate == "deleted":
            stem = story.path.rpartition("/")[2].partition(".")[0]
            names |= {stem, *words_of(stem)}
    old = "\n".join(line for story in sources for s in story.stretches for line in s.old)[:SOURCE_READ]
    new = "\n".join(line for story in sources for s in story.stretches for line in s.new)[:SOURCE_READ]
    for stretch in (stretch for story in sources for stretch in story.stretches):
        names |= _undefined(stretch)
    kept = set(re.findall(r"[\w-]+", new))
    gone = frozenset(name for name in names if len(name) > 2 and name not in kept) - _TOO_COMMON
    strings = {match.group(2) for match in _STRING.finditer(old)}
    return gone, "\n".join(text for text in strings if text not in new)


def _undefined(stretch: Stretch) -> set[str]:
    """The names that a stretch defined and no longer does, unless as many others stand in their place."""
    old, new = _definitions(stretch.old), _definitions(stretch.new)
    return old - new if len(new - old) < len(old - new) else set()


def _definitions(lines: tuple[str, ...]) -> set[str]:
    text = "\n".join(lines)[:SOURCE_READ]
    return {group for match in _DEFINED.finditer(text) for group in match.groups() if group} - _TOO_COMMON


def speaks_of_gone(scene: Scene, text: str) -> bool:
    """Whether ``text`` names something that the task took out of the code."""
    if scene.gone and not scene.gone.isdisjoint(re.findall(r"[\w-]+|/[\w/{}:-]+", text)):
        return True
    return bool(scene.gone_strings) and any(
        match.group(2) in scene.gone_strings for match in _STRING.finditer(text)
    )


# -- findings ------------------------------------------------------------------------------------


def tampering(
    kind: TamperingKind, story: FileStory, detail: str, stretch: Stretch | None = None
) -> Tampering:
    """A finding in ``story``, shown by ``stretch``."""
    if stretch is None:
        return Tampering(kind, story.path, detail, "", story.step_id or None, story.line or None)
    step, line = stretch.step_id or story.step_id, stretch.line or story.line
    return Tampering(kind, story.path, detail, shown(stretch), step or None, line or None)


def shown(stretch: Stretch) -> str:
    """The stretch as a short diff."""
    old = [f"-{line}" for line in stretch.old if line.strip()]
    new = [f"+{line}" for line in stretch.new if line.strip()]
    if len(old) + len(new) > DIFF_LINES:
        old = old[: max(DIFF_LINES // 2, DIFF_LINES - len(new))]
        new = new[: DIFF_LINES - len(old)]
    return "\n".join(line[:200] for line in (*old, *new))
