"""What the tamper detectors look at: the files of a task at its end, and what was moved, added or taken away in all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from honed.sessions.model import Request, Step
from honed.verdict import tamper_rules as rules
from honed.verdict.assertions import Assertion, assertions, code_lines, squeeze
from honed.verdict.model import Tampering, TamperingKind
from honed.verdict.standing import FileStory, Stretch, standing
from honed.verdict.test_files import Role, language_of, role_of, words_of

DIFF_LINES = 12
CHANGES_READ = 400
"""Files of a task that are looked at."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of a test file with what can be read in it.

    ``lost`` and ``gained`` are the assertions (and tests) that the task as a whole has fewer or more of:
    what was only moved is in neither.
    """

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


@dataclass(slots=True)
class Scene:
    """A whole task.  The counters say by how much it has more (or, below zero, less) of each text."""

    requests: tuple[Request, ...]
    steps: tuple[Step, ...]
    stories: tuple[FileStory, ...]
    pieces: list[Piece] = field(default_factory=list)
    assertion_balance: Counter[str] = field(default_factory=Counter)
    test_balance: Counter[str] = field(default_factory=Counter)
    line_balance: Counter[str] = field(default_factory=Counter)
    gone: frozenset[str] = frozenset()
    gone_strings: str = ""
    source_changed: bool = False

    def lost(self, piece: Piece) -> list[Assertion]:
        """The assertions that stood in ``piece`` and stand nowhere now."""
        return _unmatched(piece.old, piece.new, self.assertion_balance, below=True)

    def gained(self, piece: Piece) -> list[Assertion]:
        """The assertions in ``piece`` that stood nowhere before."""
        return _unmatched(piece.new, piece.old, self.assertion_balance, below=False)

    def lost_tests(self, piece: Piece) -> list[str]:
        """The tests that were declared in ``piece`` and are declared nowhere now."""
        return [
            n for n in dict.fromkeys(piece.old_tests) if n not in piece.new_tests and self.test_balance[n] < 0
        ]

    def gained_tests(self, piece: Piece) -> list[str]:
        """The tests declared in ``piece`` that were declared nowhere before."""
        return [
            n for n in dict.fromkeys(piece.new_tests) if n not in piece.old_tests and self.test_balance[n] > 0
        ]


def _unmatched(
    ours: tuple[Assertion, ...], theirs: tuple[Assertion, ...], balance: Counter[str], *, below: bool
) -> list[Assertion]:
    left = Counter(assertion.text for assertion in theirs)
    found = []
    for assertion in ours:
        if left[assertion.text] > 0:
            left[assertion.text] -= 1
        elif (balance[assertion.text] < 0) if below else (balance[assertion.text] > 0):
            found.append(assertion)
    return found


def scene_of(steps: tuple[Step, ...], requests: tuple[Request, ...], root: str | None) -> Scene:
    """Everything the detectors need, from the steps of a task in the order in which they ended."""
    stories = standing(steps, root)[:CHANGES_READ]
    scene = Scene(requests, steps, stories)
    sources: list[FileStory] = []
    for story in stories:
        role = role_of(story.path)
        before = role_of(story.old_path) if story.old_path else role
        if role in ("test", "support", "mixed") or before == "test":
            scene.pieces += _pieces(story, role if role != "source" else "test")
        if role in ("source", "mixed"):
            sources.append(story)
        if (role in ("source", "mixed", "gate") and story.fate != "created") or role == "source":
            scene.source_changed = True
    for piece in scene.pieces:
        for assertion in piece.old:
            scene.assertion_balance[assertion.text] -= 1
        for assertion in piece.new:
            scene.assertion_balance[assertion.text] += 1
        for name in piece.old_tests:
            scene.test_balance[name] -= 1
        for name in piece.new_tests:
            scene.test_balance[name] += 1
        scene.line_balance.subtract(squeeze(line) for line in piece.stretch.old)
        scene.line_balance.update(squeeze(line) for line in piece.stretch.new)
    scene.gone, scene.gone_strings = _gone(sources)
    return scene


def _pieces(story: FileStory, role: Role) -> Iterator[Piece]:
    language = language_of(story.path) or language_of(story.old_path or "")
    for stretch in story.stretches:
        yield Piece(
            story,
            role,
            language,
            stretch,
            tuple(assertions(stretch.old, language)),
            tuple(assertions(stretch.new, language)),
            tuple(declared(stretch.old, language)),
            tuple(declared(stretch.new, language)),
        )


def declared(lines: Iterable[str], language: str) -> Iterator[str]:
    """The names (or titles) of the tests that ``lines`` declare, in order."""
    pattern = rules.DECLARED.get(language)
    if pattern is None:
        return
    for match in pattern.finditer("\n".join(code_lines(tuple(lines), language))):
        yield next((text for text in match.groupdict().values() if text), "")


# -- what the code itself no longer has ------------------------------------------------------------------

_DEFINED = re.compile(
    r"\b(?:def|class|func|fn|fun|function|const|let|var|type|struct|enum|interface|trait|val|object|record|namespace|module|defp?|defmodule"
    r"|macro_rules!|sub|static|public|private|protected|async|export)\s+(?:\([^)]*\)\s*)?(\w+)|^\s*['\"]?([A-Za-z_][\w-]*)['\"]?\s*[:=](?!=)"
    r"|['\"](--?[\w-]+)['\"]|['\"](/[\w/{}:-]+)['\"]|^\s*(?:[\w<>\[\],.?*&]+\s+)+(\w+)\s*\(|^\s*(\w+)\s*(?:\([^)]*\)\s*)?,?\s*$|(?:\.|->)(\w+)\s*=(?!=)"
    r"|\b(?:import|from|use|require)\b.*?(\w+)['\";]*\s*$",
    re.M,
)
_STRING = re.compile(r"(['\"`])((?:\\.|(?!\1)[^\\\n]){4,200})\1")
_TOO_COMMON = frozenset(
    "self this return none true false null test name value data result item items key type id import from class def function const async await"
    " public private static void string int bool list dict path file error err ctx the for and not with else case default".split()
)


def _gone(sources: list[FileStory]) -> tuple[frozenset[str], str]:
    """Names that the code defined and no longer does, and the text of the strings it no longer holds."""
    old: set[str] = set()
    new_words: set[str] = set()
    old_text, new_text = [], []
    for story in sources:
        if story.fate == "deleted":
            old |= words_of(story.path.rpartition("/")[2].partition(".")[0])
            old.add(story.path.rpartition("/")[2].partition(".")[0])
        for stretch in story.stretches:
            before, after = "\n".join(stretch.old), "\n".join(stretch.new)
            old_text.append(before)
            new_text.append(after)
            for match in _DEFINED.finditer(before):
                old.update(group for group in match.groups() if group)
            new_words.update(re.findall(r"[\w-]+", after))
    kept = "\n".join(new_text)
    gone = frozenset(name for name in old if len(name) > 2 and name not in new_words) - _TOO_COMMON
    strings = {match.group(2) for match in _STRING.finditer("\n".join(old_text))}
    return gone, "\n".join(text for text in strings if text not in kept)


def speaks_of_gone(scene: Scene, text: str) -> bool:
    """Whether ``text`` names something that the task took out of the code."""
    if not scene.gone and not scene.gone_strings:
        return False
    if any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in scene.gone):
        return True
    return any(match.group(2) in scene.gone_strings for match in _STRING.finditer(text))


def tampering(
    kind: TamperingKind, story: FileStory, detail: str, stretch: Stretch | None = None, *, diff: str = ""
) -> Tampering:
    """A finding in ``story``, shown by ``stretch``."""
    step, line = story.step_id, story.line
    if stretch is not None:
        step, line = stretch.step_id or step, stretch.line or line
        diff = diff or shown(stretch)
    return Tampering(kind, story.path, detail, diff, step or None, line or None)


def shown(stretch: Stretch) -> str:
    """The stretch as a short diff."""
    old = [f"-{line}" for line in stretch.old if squeeze(line)]
    new = [f"+{line}" for line in stretch.new if squeeze(line)]
    room = DIFF_LINES // 2
    if len(old) + len(new) > DIFF_LINES:
        old = old[: max(room, DIFF_LINES - len(new))]
        new = new[: DIFF_LINES - len(old)]
    return "\n".join(line[:200] for line in (*old, *new))
