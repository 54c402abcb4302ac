"""Tests that run no more or cannot fail any more: skipped, not singled out, their failures swallowed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from honed.verdict.model import Tampering
from honed.verdict.tamper import silencing
from honed.verdict.tamper import test_marks as marks
from honed.verdict.tamper.scene import Piece, Scene, declared, tampering
from honed.verdict.tamper.source_text import code_lines, squeeze
from honed.verdict.test_files import words_of

_Table = dict[str, re.Pattern[str]]


def skipped_tests(scene: Scene) -> Iterator[Tampering]:
    """Skip, expected-failure and "only" marks put on tests that were there before."""
    skips, onlys = _balance(scene, marks.SKIPPED), _balance(scene, marks.ONLY)
    if not (skips or onlys):
        return
    for piece in scene.pieces:
        if piece.story.fate == "created":
            continue
        line = _marked(scene, piece, marks.SKIPPED, skips) if skips else None
        if line:
            yield tampering("test_skipped", piece.story, f"skipped: `{line.strip()[:100]}`", piece.stretch)
        line = _marked(scene, piece, marks.ONLY, onlys) if onlys else None
        if line:
            detail = f"the other tests no longer run: `{line.strip()[:100]}`"
            yield tampering("tests_narrowed", piece.story, detail, piece.stretch)


def _marks(lines: tuple[str, ...], piece: Piece, table: _Table) -> list[str]:
    pattern = table.get(piece.language)
    text = "\n".join(lines).lower() if pattern else ""
    if pattern is None or not any(cue in text for cue in marks.MARK_CUES[piece.language]):
        return []
    return [line for line in code_lines(lines, piece.language) if pattern.search(line)]


def _balance(scene: Scene, table: _Table) -> Counter[str]:
    """The marks of which there are more than before."""
    balance: Counter[str] = Counter()
    for piece in scene.pieces:
        balance.update(squeeze(line) for line in _marks(piece.stretch.new, piece, table))
        balance.subtract(squeeze(line) for line in _marks(piece.stretch.old, piece, table))
    return +balance


def _marked(scene: Scene, piece: Piece, table: _Table, balance: Counter[str]) -> str | None:
    """An added line that switches off a test which was there before."""
    new = _marks(piece.stretch.new, piece, table)
    if len(new) <= len(_marks(piece.stretch.old, piece, table)) or _no_more_than_before(scene, piece, table):
        return None
    for line in new:
        if balance[squeeze(line)] <= 0 or ".add_marker" in line:
            continue
        at = piece.stretch.new.index(line)
        around = "\n".join(piece.stretch.new[max(0, at - 2) : at + 3])
        if marks.CONDITIONAL.search(around) and not marks.ALWAYS.search(around):
            continue
        if piece.language == "rust" and (not _ATTRIBUTE.search(line) or _gates_new_feature(scene, piece, at)):
            continue
        if any(words_of(name) and words_of(name) <= words_of(line) for name in scene.lost_tests(piece)):
            return line
        if not _in_new_test(scene, piece, at) and not _in_new_helper(piece, at):
            return line
    return None


_ATTRIBUTE = re.compile(r"#!?\[")


def _no_more_than_before(scene: Scene, piece: Piece, table: _Table) -> bool:
    """Whether the file as a whole has no more marks than it had: they were put another way."""
    others = scene.beside(piece)
    more = sum(
        len(_marks(p.stretch.new, p, table)) - len(_marks(p.stretch.old, p, table)) for p in (piece, *others)
    )
    return more <= 0 and bool(others)


_DEFINES = re.compile(r"^(\s*)(?:async )?(?:def|function|func|fn|sub|private|const) (\w+)")
_EVERY_TEST = re.compile(r"(?i)autouse|set_?up|before|TestMain|usefixtures")


def _in_new_helper(piece: Piece, at: int) -> bool:
    """Whether line ``at`` stands in a function that is new and that no test calls unless it is told to."""
    lines = piece.stretch.new
    depth = len(lines[at]) - len(lines[at].lstrip())
    for start in range(at - 1, -1, -1):
        match = _DEFINES.match(lines[start])
        if match and len(match.group(1)) < depth:
            above = "\n".join(lines[max(0, start - 3) : start + 1])
            return match.group(2) not in piece.old_text and not _EVERY_TEST.search(above)
    return False


_FEATURE = re.compile(r"feature\s*=\s*\"([\w-]+)\"")


def _gates_new_feature(scene: Scene, piece: Piece, at: int) -> bool:
    """Whether ``#[cfg(feature = ...)]`` guards no test, or a feature that the task made."""
    named = _FEATURE.search(piece.stretch.new[at])
    if named is None:
        return False
    text = "\n".join((*piece.stretch.new[at : at + 4], *piece.stretch.below[:3]))
    whole_file = "#![" in piece.stretch.new[at]
    if not whole_file and not re.search(r"#\[\s*(?:\w+::)*test\b", text):
        return True
    own = sum(named.group(1) in line for line in piece.stretch.new)
    return (
        sum(named.group(1) in line for story in scene.stories for s in story.stretches for line in s.new)
        > own
    )


def _in_new_test(scene: Scene, piece: Piece, at: int) -> bool:
    """Whether line ``at`` of the new text stands in (or just above) a test that did not exist before."""
    lines, fresh = piece.stretch.new, set(scene.gained_tests(piece))
    reach = marks.LINES_OF_DECLARATION.get(piece.language, 1) - 1
    for end in range(at, min(len(lines), at + 6)):
        names = list(declared(lines[max(0, end - reach) : end + 1], piece.language))
        if names and (end == at or all(_DECORATES.match(line) for line in lines[at:end])):
            return names[-1] in fresh
    for start in range(at, -1, -1):
        names = list(declared(lines[max(0, start - reach) : start + 1], piece.language))
        if names:
            return names[-1] in fresh
    return False


_DECORATES = re.compile(r"^\s*(?:@|#\[|\[|reason=|\)|//|#|\*|\"|'|$)")


# -- failures that are swallowed -----------------------------------------------------------------


def swallowed_failures(scene: Scene) -> Iterator[Tampering]:
    """Assertions whose failure is caught, and set-up that makes failures disappear."""
    for piece in scene.pieces:
        if piece.story.fate != "created":
            what = _swallows(scene, piece)
            if what:
                yield tampering("failure_ignored", piece.story, what, piece.stretch)
        if _fakes(piece.new_text) and not _fakes(piece.old_text):
            what = "comparisons are replaced by something that always holds"
            yield tampering("failure_ignored", piece.story, what, piece.stretch)
        if piece.role == "support" or _sets_up(piece.story.path + piece.new_text):
            yield from _support(scene, piece)


def _fakes(text: str) -> bool:
    return any(pattern.search(text) for pattern in silencing.FAKED)


_SET_UP = ("conftest", "setup", "helper", "testmain")


def _sets_up(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _SET_UP)


def _swallows(scene: Scene, piece: Piece) -> str:
    if not silencing.CATCHES.search(piece.new_text):
        return ""
    for what, pattern in silencing.SWALLOWED:
        found = list(pattern.finditer(piece.new_text))
        if len(found) > len(pattern.findall(piece.old_text)):
            if any(_guards_assertion(scene, piece, match) for match in found):
                return what
    return ""


def _guards_assertion(scene: Scene, piece: Piece, match: re.Match[str]) -> bool:
    """Whether what is caught here is the failure of an assertion that was there before."""
    text, fresh = piece.new_text, scene.gained_tests(piece)
    if "AssertionError" in match.group() or "runCatching" in match.group():
        return not fresh or bool(piece.old)
    start = max((m.start() for m in re.finditer(r"\b(?:try|begin)\b", text[: match.start()])), default=-1)
    if start < 0:
        start = max(text.rfind(";", 0, match.start()), text.rfind("\n\n", 0, match.start()), 0)
    region = text[start : match.start()]
    if not silencing.ASSERTING.search(region):
        return False
    return not fresh or any(squeeze(old.text)[:60] in squeeze(region) for old in piece.old)


def _support(scene: Scene, piece: Piece) -> Iterator[Tampering]:
    added = "\n".join(code_lines(piece.stretch.new, piece.language))
    for kind, what, cues, pattern in silencing.SUPPORT_RULES:
        found = pattern.findall(added) if any(cue in added for cue in cues) else []
        if not found or len(found) <= len(pattern.findall(piece.old_text)):
            continue
        if kind in ("test_skipped", "tests_narrowed") and silencing.GUARDED.search(added):
            continue
        if piece.story.fate == "created" and piece.language != "python":
            continue
        if piece.language == "elixir" and _tags_new_tests(scene, added):
            continue
        yield tampering(kind, piece.story, what, piece.stretch)  # type: ignore[arg-type]


def _tags_new_tests(scene: Scene, added: str) -> bool:
    """Whether a tag that is left out by default was put on tests in the same task."""
    tags = re.findall(r":(\w+)", added[added.find("exclude:") + 8 :])
    new = "\n".join(piece.new_text for piece in scene.pieces)
    return any(re.search(rf"tag\s+:?{tag}\b", new) for tag in tags)
