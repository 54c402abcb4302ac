"""Detectors for configuration, scripts and CI: thresholds lowered, failures ignored, tests left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from honed.verdict.model import Tampering
from honed.verdict.tamper import gate_rules as rules
from honed.verdict.tamper.scene import Scene, tampering
from honed.verdict.tamper.source_text import squeeze
from honed.verdict.tamper.standing import FileStory
from honed.verdict.tamper.stretches import Stretch
from honed.verdict.test_files import role_of


def weakened_gates(scene: Scene) -> Iterator[Tampering]:
    """What the files that start and bound the tests ask for less of."""
    gates = [story for story in scene.stories if role_of(story.path) == "gate"]
    tested = any(rules.TESTING.search(line) for story in gates for s in story.stretches for line in s.new)
    for story in gates:
        if story.fate == "deleted" or story.path.startswith(("/", "~")):
            continue
        if story.fate == "changed" and not story.unseen:
            yield from _thresholds(story)
        for stretch in story.stretches:
            if story.fate == "changed" and not story.unseen:
                yield from _silenced(story, stretch)
            yield from _narrowed(scene, story, stretch, tested=tested)


def _added(stretch: Stretch) -> list[str]:
    """The lines that come, without comments and what only moved."""
    old = Counter(squeeze(line) for line in stretch.old)
    return [line for line in _active(stretch.new) if old[squeeze(line)] <= 0]


def _active(lines: tuple[str, ...]) -> Iterator[str]:
    return (line for line in lines if not line.lstrip().startswith(("#", "//", "<!--", ";")))


# -- thresholds ----------------------------------------------------------------------------------


def _thresholds(story: FileStory) -> Iterator[Tampering]:
    old = "\n".join(line for s in story.stretches for line in _active(s.old))
    new = "\n".join(line for s in story.stretches for line in _active(s.new))
    more = rules.COVERAGE_THRESHOLDS if rules.COVERAGE_FILE.search(story.path) else ()
    for pattern, lower_is_weaker in (*rules.THRESHOLDS, *((pattern, True) for pattern in more)):
        pairs = zip(pattern.finditer(old), pattern.finditer(new), strict=False)
        for first, second in ((float(a.group(1)), b) for a, b in pairs):
            value = float(second.group(1))
            if value != first and (value < first) == lower_is_weaker:
                detail = f"{first:g} became {value:g}: {squeeze(second.group())}"
                yield tampering("threshold_lowered", story, detail, _holding(story, pattern))
                return
    for before, after in zip(old.split("\n"), new.split("\n"), strict=False):
        if _lower_coverage(before, after):
            detail = f"`{squeeze(before)[:80]}` became `{squeeze(after)[:80]}`"
            yield tampering("threshold_lowered", story, detail, story.stretches[0])
            return
    gone = rules.KEPT_WHEN_GONE.search(old)
    if gone and not rules.KEPT_WHEN_GONE.search(new):
        where = _holding(story, rules.KEPT_WHEN_GONE)
        yield tampering("threshold_lowered", story, f"{gone.group()} was taken out", where)


def _lower_coverage(old: str, new: str) -> bool:
    """Whether two lines about coverage are the same but for one number, which is lower."""
    if "cover" not in old.lower() or rules.PLAIN_NUMBER.sub("#", old) != rules.PLAIN_NUMBER.sub("#", new):
        return False
    pairs = zip(rules.PLAIN_NUMBER.findall(old), rules.PLAIN_NUMBER.findall(new), strict=True)
    different = [(float(a), float(b)) for a, b in pairs if a != b]
    return len(different) == 1 and different[0][1] < different[0][0] > 10


def _holding(story: FileStory, pattern: re.Pattern[str]) -> Stretch | None:
    return next((s for s in story.stretches if pattern.search("\n".join((*s.old, *s.new)))), None)


# -- failures that are ignored -------------------------------------------------------------------


def _silenced(story: FileStory, stretch: Stretch) -> Iterator[Tampering]:
    for line in _added(stretch):
        plain = squeeze(line)[:100]
        if _ignores_status(story, stretch, line):
            yield tampering("failure_ignored", story, f"a failure is ignored: `{plain}`", stretch)
            return
        for what, pattern in rules.SILENT_KEYS:
            if pattern.search(line) and not (_is_yaml(story) and _is_harmless(stretch, line)):
                yield tampering("failure_ignored", story, f"{what}: `{plain}`", stretch)
                return


def _ignores_status(story: FileStory, stretch: Stretch, line: str) -> bool:
    """Whether a command whose failure counted before is run so that it no longer does."""
    was = [other for other in stretch.old if rules.TESTING.search(other) or rules.CHECKING.search(other)]
    if not was or not (rules.TESTING.search(line) or rules.CHECKING.search(line)):
        return False
    dash = next((p for name, p in rules.SILENT_LINE.items() if story.path.lower().endswith(name)), None)
    patterns = (*rules.SILENCED, *((dash,) if dash else ()))
    if any(pattern.search(other) for pattern in patterns for other in was):
        return False
    if not any(pattern.search(line) for pattern in patterns):
        return False
    kinds = (rules.TESTING, rules.CHECKING)
    ran = {match.group() for other in was for kind in kinds if (match := kind.search(other))}
    return any(command in line for command in ran)


def _is_yaml(story: FileStory) -> bool:
    return story.path.endswith((".yml", ".yaml"))


def _is_makefile(story: FileStory) -> bool:
    return story.path.lower().endswith(("makefile", ".mk"))


_ITEM = re.compile(r"\s*- ")


def _is_harmless(stretch: Stretch, line: str) -> bool:
    """Whether the step of CI around ``line`` is new, or has nothing to do with tests."""
    at = stretch.new.index(line)
    start = at
    while start > 0 and not _ITEM.match(stretch.new[start]):
        start -= 1
    end = at + 1
    while end < len(stretch.new) and not _ITEM.match(stretch.new[end]):
        end += 1
    own = "\n".join(stretch.new[start:end])
    if _ITEM.match(stretch.new[start]):
        return start != at or not rules.TESTING.search(own)
    around = "\n".join((*stretch.above[-3:], own))
    if rules.TESTING.search(around):
        return False
    long = len([line for line in stretch.new if line.strip()]) > 6 and not stretch.old
    return long or bool(rules.HARMLESS_STEP.search(around))


# -- tests that are left out ---------------------------------------------------------------------


def _narrowed(scene: Scene, story: FileStory, stretch: Stretch, *, tested: bool) -> Iterator[Tampering]:
    added = _added(stretch)
    for line in added:
        if (
            _narrows(scene, stretch, line)
            or _deselects(scene, stretch, line)
            or _leaves_out(scene, story, stretch, line)
        ):
            detail = f"tests are left out: `{squeeze(line)[:100]}`"
            yield tampering("tests_narrowed", story, detail, stretch)
            return
    gone = [line for line in _active(stretch.old) if rules.TESTING.search(line)]
    if story.fate == "created" or not gone:
        return
    dropped = next((part for line in gone if (part := _dropped_part(stretch, line))), "")
    if dropped:
        detail = f"the test command no longer runs `{dropped[:80]}`"
        yield tampering("tests_narrowed", story, detail, stretch)
        return
    idle = [line for line in added if rules.DOES_NOTHING.search(line)]
    runs = any(rules.TESTING.search(line) for line in added)
    if any(rules.TEST_KEY.search(line) for line in idle) or (idle and _is_makefile(story) and not runs):
        detail = f"the test command does nothing now: `{squeeze(idle[0])[:80]}`"
        yield tampering("tests_narrowed", story, detail, stretch)
    elif not tested and not runs and _ran(story, gone):
        yield tampering(
            "tests_narrowed", story, f"tests are no longer run: `{squeeze(gone[0])[:80]}`", stretch
        )


def _dropped_part(stretch: Stretch, line: str) -> str:
    """The part of a chain of test commands that is run nowhere any more; empty if there is none."""
    key = rules.TEST_KEY.match(line)
    if key is None or not any(other.startswith(key.group()) for other in stretch.new):
        return ""
    now = squeeze("\n".join(stretch.new))
    parts = rules.CHAINED.split(line[key.end() :].strip(" '\","))
    left = next(other for other in stretch.new if other.startswith(key.group()))
    if len(parts) <= len(rules.CHAINED.split(left[key.end() :])):
        return ""
    for part in parts:
        plain = squeeze(part)
        if plain and plain not in now and rules.TESTS_SOMETHING.search(plain):
            if not rules.NOT_A_TEST.search(plain) and plain.split(" ")[0] not in now:
                return plain
    return ""


def _ran(story: FileStory, gone: list[str]) -> bool:
    """Whether a lost line was a command: a step of CI, a line of a Makefile."""
    if _is_yaml(story):
        return any(not re.search(r"\b(?:uses|name):", line) for line in gone)
    return _is_makefile(story) and any(line.startswith("\t") for line in gone)


def _narrows(scene: Scene, stretch: Stretch, line: str) -> bool:
    """Whether a test command got an option, or a path, that leaves tests out."""
    fresh = _fresh(scene)
    for option in _IGNORED.finditer(line):
        if any(path.startswith(option.group(1)) for path in fresh):
            line = line.replace(option.group(), "")
    was = [other for other in stretch.old if rules.TESTING.search(other)]
    if not was or not rules.TESTING.search(line):
        return False
    before = sum(len(rules.NARROWING.findall(other)) for other in was)
    if len(rules.NARROWING.findall(line)) > before:
        return True
    if len(was) != 1 or len(stretch.new) > 1:
        return False
    known = was[0].strip().rstrip("\",'")
    if any(not rules.WHOLE.match(path) for path in rules.SELECTED.findall(f" {known}")):
        return False  # It ran a part already: another path is more, not less.
    tail = line.strip()[len(known) :] if line.strip().startswith(known) else ""
    return any(not rules.WHOLE.match(path) for path in rules.SELECTED.findall(f" {tail}"))


_DESELECTING = re.compile(r"\baddopts\b.*-[km][ =]\\?['\"]?\s*\\?['\"]?(?:not\s+(\w+))")


def _deselects(scene: Scene, stretch: Stretch, line: str) -> bool:
    """Whether pytest is told to leave out tests by name or mark, which were run until now."""
    match = _DESELECTING.search(line)
    if match is None or any(_DESELECTING.search(other) for other in stretch.old):
        return False
    return not any(f"mark.{match.group(1)}" in piece.new_text for piece in scene.pieces)


_IGNORED = re.compile(r"\s--ignore[= ]['\"]?([\w./-]+)['\"]?")


def _fresh(scene: Scene) -> list[str]:
    """The files that were made or moved: leaving them out takes nothing away that ran before."""
    return [story.path for story in scene.stories if story.fate == "created" or story.old_path]


def _leaves_out(scene: Scene, story: FileStory, stretch: Stretch, line: str) -> bool:
    """Whether a list of what is left out names a test file that was there before."""
    key = rules.LEFT_OUT.search(line)
    if not key and re.match(r"\s*['\"<-]", line):
        before = "\n".join((*stretch.above[-4:], *stretch.new[: stretch.new.index(line)]))
        key = rules.LEFT_OUT.search(before)
    if not key or rules.NOT_OF_TESTS.search(story.path + "".join(stretch.above[-2:]) + line):
        return False
    was = "\n".join(stretch.old)
    fresh = _fresh(scene)
    if rules.LEFT_OUT_OF_TESTS.search(key.group()) and any(
        not rules.EVERYTHING.search(name) and name not in was and name.strip("/<>*") not in " ".join(fresh)
        for name in rules.QUOTED.findall(line)
        if name not in key.string[key.start() - 1 : key.end() + 1]
    ):
        return True
    for name in (match.group() for match in rules.TEST_FILE_NAMED.finditer(line)):
        bare = name.split("::")[0].strip("*/")
        known = name in was or rules.EVERYTHING.search(name)
        if not known and not any(bare and bare in path for path in fresh):
            return True
    return False
