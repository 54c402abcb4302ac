"""Tests that are no longer run: deleted, commented out, put out of action, out of a runner's reach."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from honed.verdict.model import Tampering
from honed.verdict.tamper import test_marks as marks
from honed.verdict.tamper.asked import speaks_of_deleting
from honed.verdict.tamper.assertions import Assertion
from honed.verdict.tamper.scene import Piece, Scene, declared, speaks_of_gone, tampering
from honed.verdict.tamper.source_text import UNCOMMENT, code_lines, squeeze
from honed.verdict.tamper.standing import FileStory
from honed.verdict.test_files import SCRATCH, is_collected, role_of, words_of

NAMES_READ = 50
"""Tests lost in one place that are looked at one by one."""


def lost_tests(scene: Scene) -> Iterator[Tampering]:
    """Tests deleted, and rows of their tables."""
    for piece in scene.pieces:
        if piece.story.fate != "changed":
            continue
        lost = scene.lost_tests(piece)[:NAMES_READ]
        renamed = [name for name in lost if _renamed(scene, name)]
        missing = [name for name in lost if name not in renamed and not _still_there(scene, piece, name)]
        if missing and not _retold(scene, piece, len(missing), len(renamed)):
            yield tampering("test_deleted", piece.story, f"deleted: {', '.join(missing[:3])}", piece.stretch)
        elif not piece.old_tests and _lost_rows(scene, piece):
            row = squeeze(next(line for line in piece.stretch.old if line.strip()))
            yield tampering("test_deleted", piece.story, f"case deleted: `{row[:80]}`", piece.stretch)


def _renamed(scene: Scene, name: str) -> bool:
    """Whether a new test goes by much the same name."""
    words = words_of(name)
    shared = max((len(words & added) for added in scene.new_test_words), default=0)
    return shared >= 2 or (shared > 0 and shared * 2 >= len(words))


def _still_there(scene: Scene, piece: Piece, name: str) -> bool:
    """Whether a test that is declared no more was moved, or went with what it tested."""
    body = _body(piece, name)
    if speaks_of_gone(scene, f"{name} {body}") or _disguise(piece, name):
        return True
    lines = [squeeze(line) for line in body.split("\n")[1:] if len(squeeze(line)) > 8]
    moved = [line for line in lines if scene.line_balance[line] >= 0]
    return len(lines) > 1 and len(moved) * 2 > len(lines)


def _retold(scene: Scene, piece: Piece, missing: int, renamed: int) -> bool:
    """Whether other tests took the place of the ``missing`` ones: as many of them, or one with a table.

    ``renamed`` of the new tests stand for others.
    """
    if len(scene.gained_tests(piece)) - renamed >= missing:
        return True
    together = scene.together(piece)
    gained = [name for other in together for name in scene.gained_tests(other)]
    tables = sum(
        len(marks.CASES.findall(p.new_text)) - len(marks.CASES.findall(p.old_text)) for p in together
    )
    if tables > 0 and (gained or piece.new_tests):
        return True
    if sum(_rows(p.stretch.new) - _rows(p.stretch.old) for p in scene.beside(piece)) >= missing:
        return True
    balance = sum(len(scene.gained(other)) - len(scene.lost(other)) for other in together)
    return bool(gained) and balance >= 0


def _rows(lines: tuple[str, ...]) -> int:
    return sum(bool(marks.ROW.match(line)) for line in lines)


def _lost_rows(scene: Scene, piece: Piece) -> bool:
    """Whether cases were taken out of a table after something failed, and nobody spoke of taking out."""
    rows = [line for line in piece.stretch.old if line.strip()]
    if piece.role != "test" or not rows or any(line.strip() for line in piece.stretch.new):
        return False
    if not all(marks.ROW.match(line) and scene.line_balance[squeeze(line)] < 0 for line in rows):
        return False
    above = piece.stretch.above
    in_table = (
        marks.CASES.search("\n".join(above))
        or marks.ROW.match("".join(above[-1:]))
        or re.match(r"\s*(?:\[\w+\(|#\[|pytest\.param)", rows[0])
    )
    gained = sum(_rows(other.stretch.new) - _rows(other.stretch.old) for other in scene.beside(piece))
    return (
        bool(in_table)
        and gained < len(rows)
        and scene.failed_before(piece.stretch.line)
        and not speaks_of_deleting(scene.requests)
        and not speaks_of_gone(scene, "\n".join(rows))
    )


def _body(piece: Piece, name: str) -> str:
    """The old lines of a test: from its declaration to the next one."""
    lines = piece.stretch.old
    start = next((at for at, line in enumerate(lines) if name in line), 0)
    for end in range(start + 1, len(lines)):
        if any(True for _ in declared(lines[end : end + 1], piece.language)):
            return "\n".join(lines[start:end])
    return "\n".join(lines[start:])


# -- out of action -------------------------------------------------------------------------------


def disabled_tests(scene: Scene) -> Iterator[Tampering]:
    """Tests that are still there to be read, and no longer run."""
    for piece in scene.pieces:
        if piece.story.fate != "created":
            for detail in _ways_out(scene, piece):
                yield tampering("test_disabled", piece.story, detail, piece.stretch)


def _ways_out(scene: Scene, piece: Piece) -> Iterator[str]:
    for name in scene.lost_tests(piece)[:NAMES_READ]:
        found = _disguise(piece, name)
        if found:
            yield f"{name} became {found}, which no runner collects"
    renamed = _uncollected_class(piece)
    if renamed:
        yield f"{renamed} is no class that a runner collects"
    if _unmarked(piece):
        yield "the mark that makes it a test was taken off"
    hidden = _hidden(scene, piece)
    if hidden:
        yield f"commented out: {hidden}"
    elif _blocked_out(piece):
        yield "a block around tests is commented out or never runs"
    elif _returns_early(piece):
        yield "the test returns before it asserts anything"


def _disguise(piece: Piece, name: str) -> str | None:
    """The function as which a test lives on that no runner will call."""
    bare = re.sub(r"(?i)^test_?", "", name)
    if len(bare) < 2:
        return None
    for found in _functions(piece.new_text):
        for core in (name, bare):
            if found.lower().endswith(core.lower()) and marks.DISGUISE.match(found[: -len(core)]):
                if found not in piece.new_tests:
                    return found
    return None


@lru_cache(maxsize=16)
def _functions(text: str) -> tuple[str, ...]:
    """The names of everything that ``text`` defines or calls with a title."""
    found = (next(filter(None, match.groupdict().values()), "") for match in marks.FUNCTIONS.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name))


def _uncollected_class(piece: Piece) -> str | None:
    """A class of tests (Python) that was renamed so that it is none."""
    if piece.language != "python":
        return None
    old = [
        match.group(1)[4:]
        for match in marks.CLASSES.finditer(piece.old_text)
        if match.group(1).startswith("Test")
    ]
    for match in marks.CLASSES.finditer(piece.new_text):
        name, bases = match.group(1), match.group(2) or ""
        if (
            not name.startswith("Test")
            and "TestCase" not in bases
            and any(was and name.endswith(was) for was in old)
        ):
            return name
    return None


def _unmarked(piece: Piece) -> bool:
    mark, skipped = marks.DECLARING_MARK.get(piece.language), marks.SKIPPED.get(piece.language)
    if mark is None or skipped is None or piece.old_tests or piece.new_tests:
        return False
    gone = sum(bool(mark.match(line)) for line in piece.stretch.old)
    return gone > sum(bool(mark.match(line) or skipped.search(line)) for line in piece.stretch.new)


def _comments(piece: Piece) -> list[str]:
    """The added comments of some length, each without its mark."""
    code = Counter(code_lines(piece.stretch.new, piece.language))
    found = []
    for line in piece.stretch.new:
        if code[line] > 0:
            code[line] -= 1
        else:
            found.append(squeeze(UNCOMMENT.sub("", line)))
    return [comment for comment in found if len(comment) > 6]


def in_comments(piece: Piece, assertion: Assertion) -> bool:
    """Whether the assertion is a comment now."""
    return any(comment in assertion.text or assertion.text in comment for comment in _comments(piece))


def _hidden(scene: Scene, piece: Piece) -> str:
    """An assertion or a test that was code and is a comment now."""
    was = {squeeze(line) for line in code_lines(piece.stretch.old, piece.language)}
    every = _comments(piece)
    comments = [comment for comment in every if comment in was]
    for assertion in scene.lost(piece) if every else ():
        if any(assertion.text in comment for comment in every):
            return assertion.text[:80]
        if any(comment in assertion.text for comment in comments):
            return assertion.text[:80]
    for name in scene.lost_tests(piece) if comments else ():
        if any(name in comment for comment in comments):
            return name
    return ""


def _blocked_out(piece: Piece) -> bool:
    if piece.role != "test":
        return False
    never = len(marks.NEVER.findall(piece.new_text))
    if never and never > len(marks.NEVER.findall(piece.old_text)):
        return True
    pattern = marks.BLOCK_OPENED.get(piece.language)
    lines = [line for line in piece.stretch.new if line.strip()]
    if pattern is None or piece.stretch.old or len(lines) > 2:
        return False
    return sum(bool(pattern.match(line)) for line in lines) == 1


def _returns_early(piece: Piece) -> bool:
    lines = [line for line in piece.stretch.new if line.strip()]
    if piece.role == "support" or piece.stretch.old or not lines or len(lines) > 2:
        return False
    inside = any(re.search(r"\bif\b|=>|function|def ", line) for line in lines)
    return bool(marks.EARLY_RETURN.match(lines[-1])) and not inside


# -- whole files ---------------------------------------------------------------------------------


def lost_files(scene: Scene) -> Iterator[Tampering]:
    """Test files deleted, or moved to where no runner looks."""
    for story in scene.stories:
        was = story.old_path
        if was and is_collected(was) and not is_collected(story.path):
            if role_of(story.path) != "mixed" and not SCRATCH.search(was):
                yield tampering(
                    "test_disabled", story, f"{was} became {story.path}, which no runner collects"
                )
        elif story.fate == "deleted" and not _may_go(scene, story):
            yield tampering("test_deleted", story, "the test file was deleted", *story.stretches[:1])


_CACHE = re.compile(
    r"(?i)__pycache__|node_modules|\.pytest_cache|coverage"
    r"|(?:^|/)(?:dist|build|out|output|results?|reports?|screenshots?|logs?|tmp|temp|target|\.[\w-]+)(?:/|$)"
)
_TEST_FOLDER = re.compile(r"(?i)(?:^|/)(?:tests?|specs?|__tests__|e2e)(?:/[\w-]+)*$")


def _may_go(scene: Scene, story: FileStory) -> bool:
    """Whether a deleted file is no loss: no tests of the project, moved, or gone with what it tested."""
    path = story.path
    name = path.rpartition("/")[2]
    if "." not in name:
        seen = re.compile(re.escape(path) + r"/\S*(?:test|spec)")
        if not _TEST_FOLDER.search(path) or not any(seen.search(step.output) for step in scene.steps):
            return True
    elif not is_collected(path):
        return True
    if _CACHE.search(path) or path.startswith(("/", "~", "$")) or SCRATCH.search(path):
        return True
    stem = name.partition(".")[0]
    if any(_took_its_place(scene, other, words_of(stem)) for other in scene.stories if other is not story):
        return True
    if speaks_of_gone(scene, " ".join((stem, *(line for s in story.stretches for line in s.old)))):
        return True
    if words_of(stem) & {word for gone in scene.gone for word in words_of(gone)}:
        return True
    names = [name for piece in scene.pieces if piece.story is story for name in piece.old_tests]
    return bool(names) and all(scene.test_balance[name] >= 0 for name in names)


def _took_its_place(scene: Scene, other: FileStory, words: frozenset[str]) -> bool:
    """Whether ``other`` explains that a test file of these words is gone: its source, or its successor."""
    if not words & words_of(other.path.rpartition("/")[2].partition(".")[0]):
        return False
    if other.fate == "deleted":
        return role_of(other.path) in ("source", "mixed")
    if not is_collected(other.path):
        return False
    return (
        other.fate == "created" or other.unseen or any(p.new_tests for p in scene.pieces if p.story is other)
    )
