"""One home, used by any door in any order, with crashes between: model and store agree.

A text is one word that no other text has, so what is found, masked or gone is told by it.
"""

from __future__ import annotations

import copy
import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from honed.ledger.masking import MASK
from honed.memory import Memory
from tests.doors.telling import a_shop, claude, fixes, write
from tests.store.doors import EVERY, THE_OWNER_S, Doors, lesson, told

DOORS = st.sampled_from(EVERY)
OWNER = st.sampled_from(THE_OWNER_S)
SLUGS = st.sampled_from(["alpha", "beta", "gamma", "delta"])
WHICH = st.integers(0, 9)
LETTERS = "bcdfghjklmnpqrstvwxz"


@dataclass
class Note:
    """A skill as the model sees it; ``words`` are those of its texts, ``used`` the number of the present one.

    What a session taught has no word of ours.
    """

    slug: str
    title: str
    words: list[str]
    used: int = 0
    agents: bool = False
    pinned: bool = False
    archived: bool = False


@dataclass
class State:
    """What is known: skills by id."""

    notes: dict[str, Note] = field(default_factory=dict)

    def slugs(self) -> set[str]:
        """All slugs that are taken."""
        return {note.slug for note in self.notes.values()}


class AnyDoor(RuleBasedStateMachine):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp(prefix="honed-doors-")
        self.count = 0
        self.now = State()
        self.backups: list[tuple[str, State]] = []
        self.forgotten: set[str] = set()
        self.gone: set[str] = set()
        self.doors = Doors(os.path.join(self.folder, "home0"), str(a_shop(Path(self.folder))))

    @initialize(slug=SLUGS, door=DOORS)
    def begin(self, slug: str, door: str) -> None:
        self.write(slug, door)

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def word(self) -> str:
        """A new word, of letters that no other text of honed's has in this order."""
        self.count += 1
        return f"zq{LETTERS[self.count // 20]}{LETTERS[self.count % 20]}xv"

    def path(self, name: str) -> str:
        """A new path outside the home."""
        self.count += 1
        return os.path.join(self.folder, f"{name}{self.count}")

    def one_of(self, which: int) -> list[tuple[str, Note]]:
        """One of the skills, if there are any."""
        there = list(self.now.notes.items())
        return [there[which % len(there)]] if there else []

    # Writing

    @rule(slug=SLUGS, door=DOORS)
    def write(self, slug: str, door: str) -> None:
        word = self.word()
        skill = self.doors.write(door, slug, word, taken=slug in self.now.slugs())
        if skill:
            self.now.notes[skill] = Note(slug, told(word)[0], [word], agents=door == "agent")
        elif door == "agent":
            self.proposed(next(note for note in self.now.notes.values() if note.slug == slug), word)

    @rule(which=WHICH)
    def an_agent_changes_a_text(self, which: int) -> None:
        for _, note in self.one_of(which):
            word = self.word()
            assert self.doors.update(note.slug, word) == (not note.archived)
            if note.agents and not note.archived:
                note.title = told(word)[0]
                note.words.append(word)
                note.used = len(note.words) - 1
            self.proposed(note, word)

    @staticmethod
    def proposed(note: Note, word: str) -> None:
        """An agent's text of what is not an agent's waits beside it."""
        if not note.agents and not note.archived and note.words:
            note.words.append(word)

    @rule(name=st.sampled_from(["total", "discount"]), door=OWNER)
    def a_session_teaches(self, name: str, door: str) -> None:
        session = f"5b0e1c1e-0001-4d0e-8a11-00000000000{len(name) % 10}"
        path = Path(self.folder, f"{name}.jsonl")
        write(path, fixes(claude(Path(self.doors.shop), session), name))
        before = self.seen()
        self.doors.absorb(door, str(path))
        after = self.seen()
        assert {skill: after[skill] for skill in before} == before
        assert not after.keys() & self.forgotten
        for skill in after.keys() - before.keys():
            self.now.notes[skill] = Note(after[skill][0], after[skill][1], [])
        self.doors.absorb("facade", str(path))
        assert self.seen() == after

    # Deciding

    @rule(what=st.sampled_from(["pin", "unpin", "archive", "restore"]), which=WHICH, door=OWNER)
    def decide(self, what: str, which: int, door: str) -> None:
        for skill, note in self.one_of(which):
            self.doors.decide(door, what, skill)
            if what.endswith("pin"):
                note.pinned = what == "pin"
            else:
                note.archived = what == "archive"

    @rule(what=st.sampled_from(["pin", "archive"]), which=WHICH, one=OWNER, other=OWNER)
    def change_and_undo(self, what: str, which: int, one: str, other: str) -> None:
        for skill, note in self.one_of(which):
            if not (note.pinned if what == "pin" else note.archived):
                self.doors.decide(one, what, skill)
                self.doors.decide(other, "undo", skill)

    @rule(which=WHICH, number=WHICH, door=OWNER)
    def have_an_older_text_again(self, which: int, number: int, door: str) -> None:
        for skill, note in self.one_of(which):
            if note.words and MASK not in note.words:
                wanted = note.words[number % len(note.words)]
                self.doors.version(door, skill, number % len(note.words) + 1)
                if wanted != note.words[note.used]:
                    note.words.append(wanted)
                    note.used = len(note.words) - 1
                note.title = told(wanted)[0]

    # Taking away

    @rule(which=WHICH, door=OWNER, what=st.sampled_from(["forget", "purge"]))
    def forget(self, which: int, door: str, what: str) -> None:
        for skill, note in self.one_of(which):
            self.doors.decide(door, what, skill)
            del self.now.notes[skill]
            self.forgotten.add(skill)
            for word in {*note.words} - {MASK}:
                assert self.doors.found("facade", word) & {note.slug} == set()
                if what == "purge":
                    self.gone.add(word)
                    assert self.doors.holding(word) == []

    @rule(which=WHICH, number=WHICH, door=OWNER)
    def scrub(self, which: int, number: int, door: str) -> None:
        for _, note in self.one_of(which):
            for word in sorted({*note.words} - {MASK})[number % 3 :][:1]:
                self.doors.scrub(door, word)
                self.gone.add(word)
                self.mask(self.now, word)
                assert self.doors.holding(word) == []

    def mask(self, state: State, word: str) -> None:
        """Nothing but the word goes; a slug that came with it is made anew."""
        with Memory.open(self.doors.home, readonly=True) as memory:
            slugs = {skill.id: skill.slug for skill in memory.every_skill()}
        for skill, note in state.notes.items():
            if word in note.words:
                note.title = note.title.replace(word, MASK)
                note.words = [MASK if one == word else one for one in note.words]
                note.slug = slugs.get(skill, note.slug)

    # Keeping

    @rule(door=OWNER)
    def rebuild(self, door: str) -> None:
        self.doors.keep(door, "rebuild")

    @rule(door=OWNER)
    def back_up(self, door: str) -> None:
        path = self.path("copy")
        self.doors.keep(door, "backup", path)
        self.backups.append((path, copy.deepcopy(self.now)))

    @rule(which=WHICH, door=OWNER)
    def put_a_backup_back(self, which: int, door: str) -> None:
        """What was taken away since stays away."""
        if self.backups:
            path, then = self.backups[which % len(self.backups)]
            self.doors.keep(door, "restore-backup", path)
            self.now = copy.deepcopy(then)
            for skill in self.forgotten & self.now.notes.keys():
                del self.now.notes[skill]
            for word in self.gone:
                self.mask(self.now, word)

    @rule(door=OWNER, other=OWNER)
    def export_and_import(self, door: str, other: str) -> None:
        """Into the same home it changes nothing; into an empty one, and out again, it is the same."""
        first, second = self.path("vault"), self.path("vault")
        self.doors.keep(door, "export", first)
        assert self.doors.take_in(other, first) == {"new": 0, "same": len(self.now.notes), "changed": 0}
        empty = Doors(self.path("empty"), self.doors.shop)
        assert empty.take_in(other, first) == {"new": len(self.now.notes), "same": 0, "changed": 0}
        empty.keep(door, "export", second)
        assert files_below(first) == files_below(second)

    # Dying

    @rule(slug=SLUGS)
    def crash(self, slug: str) -> None:
        """What lies in the files while a memory is open is all that there is."""
        word, home = self.word(), self.path("home")
        with self.doors.memory() as memory:
            if slug not in self.now.slugs():
                kept = memory.write(slug, lesson(word), cwd=self.doors.shop, force=True)
                self.now.notes[kept.subject] = Note(slug, told(word)[0], [word])
            shutil.copytree(self.doors.home, home)
        self.doors.home = home

    @rule(slug=SLUGS, after=st.floats(0.02, 0.6))
    def killed(self, slug: str, after: float) -> None:
        """It is there or it is not."""
        word, before = self.word(), self.seen()
        if slug not in self.now.slugs():
            self.doors.killed_while_writing(slug, word, after)
            new = {skill: seen for skill, seen in self.seen().items() if skill not in before}
            assert len(new) <= 1
            for skill, seen in new.items():
                assert seen == (slug, told(word)[0], False, False)
                self.now.notes[skill] = Note(slug, told(word)[0], [word])

    # What always holds

    def seen(self) -> dict[str, tuple[str, str, bool, bool]]:
        """Of each skill: slug, title, whether pinned, whether archived."""
        with Memory.open(self.doors.home, readonly=True) as memory:
            return {
                skill.id: (skill.slug, skill.draft.title, skill.pinned, skill.archived)
                for skill in memory.every_skill()
            }

    @invariant()
    def model_and_store_agree(self) -> None:
        if os.path.exists(self.doors.home):
            notes = self.now.notes.items()
            assert self.seen() == {s: (n.slug, n.title, n.pinned, n.archived) for s, n in notes}
            with Memory.open(self.doors.home, readonly=True) as memory:
                assert memory.verify(strict=True) == ()

    @rule(which=WHICH, door=DOORS)
    def look(self, which: int, door: str) -> None:
        """Every door shows what is in use, and finds it by its words."""
        used = {note.slug for note in self.now.notes.values() if not note.archived}
        assert self.doors.listed(door) == used
        for _, note in self.one_of(which):
            for word in {*note.words} - {MASK}:
                found = self.doors.found(door, f"{word}a {word}b {word}")
                assert found & {note.slug} == ({note.slug} & used if word == note.words[note.used] else set())


def files_below(folder: str) -> dict[str, bytes]:
    """The bytes of every file by its path."""
    below = [path for path in sorted(Path(folder).rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in below}


TestAnyDoor = AnyDoor.TestCase
TestAnyDoor.settings = settings(
    max_examples=10,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
