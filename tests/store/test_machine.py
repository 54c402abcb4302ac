"""Two homes of one owner, used in any order: store and a simple model of it always agree.

Appends of every kind, undoing and older versions, crashes, rebuilds, backups put back, erasures, scrubs and
merges.  The model (``tests.store.model``) keeps, for each home, which events it knows, and works out by
itself what they come to.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from honed.errors import RefusedError
from honed.ledger import events, ids
from honed.ledger.drafts import content_hash
from honed.ledger.events import REPLACES
from honed.ledger.masking import MASK
from honed.ledger.model import NewEvent
from honed.store.base import SkillFilter
from honed.store.sqlite import SqliteStore
from tests.store.making import PROJECT
from tests.store.model import BEGIN, TEXTS, Home, Told, moment, text

EVERY = SkillFilter(archived=None, states=("candidate", "proven", "suspended", "withdrawn"))
HOMES = st.sampled_from([0, 1])
NAMES = st.sampled_from(["cart", "stock", "price"])
SESSIONS = st.sampled_from(["s0", "s1"])
LATER = st.sampled_from(["s5", "s6", "s7"])
WHICH = st.integers(0, 9)


class TwoHomes(RuleBasedStateMachine):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp(prefix="honed-machine-")
        self.told: dict[str, Told] = {}
        self.count = 1000
        self.moves = 0
        self.homes: list[Home] = []

    def clock(self) -> float:
        return BEGIN.timestamp() + self.count

    @initialize()
    def begin(self) -> None:
        for number in range(2):
            path = os.path.join(self.folder, f"home{number}")
            self.homes.append(Home(path, SqliteStore.open(path, clock=self.clock), self.told))

    def teardown(self) -> None:
        for home in self.homes:
            home.store.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tell(self, home: Home, event: NewEvent, told: Told) -> str:
        (result,) = home.store.append([event])
        if result.status == "written":
            self.told.setdefault(event.id, told)
            home.known.add(event.id)
        assert (result.status == "existed") == (event.id in home.known and result.status != "written")
        return result.status

    def next(self) -> int:
        self.count += 1
        return self.count

    def one_of(self, home: Home, which: int) -> list[str]:
        """One live skill of a home, if it has any."""
        live = sorted(home.skills())
        return [live[which % len(live)]] if live else []

    # What happens

    @rule(number=HOMES, name=NAMES, session=SESSIONS)
    def learn(self, number: int, name: str, session: str) -> None:
        home = self.homes[number]
        skill = ids.skill_id(session, name, "procedure")
        occasion = events.Occasion("codex", session, name, moment(1 + ord(name[0])))
        event = events.learned(occasion, skill, PROJECT, name, text(name))
        known = event.id in home.known
        forgotten = bool(home.of(skill, "forgotten"))
        twins = [s for s in home.skills() if s != skill and home.name_of(s) == name]
        stopped = forgotten or twins or home.keeps_away(name)
        status = self.tell(home, event, Told("learned", skill, 1 + ord(name[0]), name, session))
        wanted = "existed" if known else "refused" if stopped else "written"
        assert status == wanted, (status, wanted)

    @rule(number=HOMES, name=NAMES, which=WHICH)
    def revise(self, number: int, name: str, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            at = self.next()
            event = events.revised(skill, text(name), os.urandom(16), at=moment(at))
            status = self.tell(home, event, Told("revised", skill, at, name))
            assert status == ("refused" if home.keeps_away(name) else "written")

    @rule(number=HOMES, which=WHICH, version=WHICH)
    def take_an_older_version(self, number: int, which: int, version: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            self.next()
            texts = home.of(skill, *TEXTS)
            wanted = texts[version % len(texts)].name
            before, kept = home.name_of(skill), home.is_kept(skill)
            result = home.store.restore_version(skill, version % len(texts) + 1)
            if wanted == before:
                assert result is None
            else:
                assert result is not None
                assert result.status == ("refused" if home.keeps_away(wanted) else "written")
            home.hear(skill)
            found = home.store.skill(skill)
            assert found is not None
            if result is None or (result.status == "written" and not kept):
                assert found.draft.title == text(wanted).title

    @rule(number=HOMES, kind=st.sampled_from(["pinned", "unpinned", "archived", "restored"]), which=WHICH)
    def decide(self, number: int, kind: str, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            at = self.next()
            event = events.by_hand(kind, skill, os.urandom(16), at=moment(at))  # type: ignore[arg-type]
            assert self.tell(home, event, Told(kind, skill, at)) == "written"

    @rule(number=HOMES, what=st.sampled_from(["pinned", "archived", "cart", "stock"]), which=WHICH)
    def change_and_undo(self, number: int, what: str, which: int) -> None:
        """What was not so before is again not so afterwards."""
        home = self.homes[number]
        for skill in self.one_of(home, which):
            before = home.skills()[skill]
            if what in ("pinned", "archived"):
                self.decide(number, what, which)
            else:
                self.revise(number, what, which)
            self.next()
            if home.skills()[skill] != before and home.store.undo(skill).status == "written":
                home.hear(skill)
                assert home.skills()[skill] == before

    @rule(number=HOMES, which=WHICH)
    def undo(self, number: int, which: int) -> None:
        """Whatever it comes to, told twice it takes itself back."""
        home = self.homes[number]
        for skill in self.one_of(home, which):
            before = home.skills()[skill]
            try:
                self.next()
                first = home.store.undo(skill)
                home.hear(skill)
                self.next()
                second = home.store.undo(skill)
                home.hear(skill)
            except RefusedError:
                continue
            if (first.status, second.status) == ("written", "written"):
                assert home.skills()[skill] == before

    @rule(number=HOMES, session=LATER, which=WHICH)
    def prove(self, number: int, session: str, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            occasion = events.Occasion("codex", session, skill, moment(900))
            event = events.evidence(occasion, skill, "test_passed", applied=True, authority="exit")
            self.tell(home, event, Told("evidence", skill, 900, session=session))

    @rule(number=HOMES, which=WHICH)
    def approve(self, number: int, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            at, seen = self.next(), home.store.skill(skill)
            assert seen is not None
            shown = content_hash(seen.draft)
            event = events.approved(skill, shown, "procedure", os.urandom(16), at=moment(at))
            name = home.name_of(skill)
            assert self.tell(home, event, Told("approved", skill, at, name)) == "written"
            found = home.store.skill(skill)
            assert found is not None
            assert found.approved_hash == shown

    @rule(number=HOMES, value=st.integers(0, 3))
    def tell_of_others(self, number: int, value: int) -> None:
        """Settings, verdicts and projects, which are no skills."""
        home, at = self.homes[number], self.next()
        occasion = events.Occasion("codex", f"v{at}", "r", moment(at))
        for event in (
            events.configured("deliver", value, os.urandom(16), at=moment(at)),
            events.judged(occasion, f"tk_t{value}", PROJECT, "verified", "passed", seen_to=at),
            events.project_seen(PROJECT, "shop", [("path", f"/w/{value}")], os.urandom(16), moment(at)),
        ):
            self.tell(home, event, Told(event.kind, "", at))
        assert home.store.settings() == {"deliver": value}

    @rule(number=HOMES, which=WHICH)
    def forget(self, number: int, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            at, names = self.next(), home.names(skill)
            event = events.by_hand("forgotten", skill, os.urandom(16), at=moment(at))
            assert self.tell(home, event, Told("forgotten", skill, at)) == "written"
            home.kept_away[event.id] = names

    @rule(number=HOMES, which=WHICH)
    def erase(self, number: int, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            self.next()
            names = home.names(skill)
            home.erased |= {key for key in home.known if self.told[key].skill == skill}
            home.store.erase(skill)
            for key in home.hear(skill):
                if self.told[key].kind == "forgotten":
                    home.kept_away[key] = names

    @rule(number=HOMES, which=WHICH)
    def scrub_a_text(self, number: int, which: int) -> None:
        """It is gone, and does not come back."""
        home = self.homes[number]
        for name in {home.name_of(skill) for skill in self.one_of(home, which)} - {MASK}:
            self.scrub(number, name)
            for session in ("s0", "s1"):
                self.learn(number, name, session)

    @rule(number=HOMES, name=NAMES)
    def scrub(self, number: int, name: str) -> None:
        """The text is masked wherever it stood, and nothing else changes."""
        home = self.homes[number]
        self.next()
        before = home.skills()
        home.store.scrub(re.compile(name))
        for skill in {self.told[key].skill for key in home.known} - {""}:
            had = [told for told in home.of(skill, *TEXTS) if told.name == name]
            new = home.hear(skill)
            if had:
                home.scrubbed.setdefault(skill, set()).add(name)
            for event in home.store.skill_events(skill):
                again = event.entry.id in new and event.body is not None and REPLACES in event.body
                if again and event.entry.kind in TEXTS:
                    home.kept_away[event.entry.id] = {name}
        masked = {skill: (title.replace(name, MASK), *rest) for skill, (title, *rest) in before.items()}
        assert home.skills() == masked

    @rule(number=HOMES)
    def crash(self, number: int) -> None:
        """What lies in the files while the store is open is all that there is."""
        home = self.homes[number]
        self.moves += 1
        path = os.path.join(self.folder, f"home{number}-{self.moves}")
        shutil.copytree(home.path, path)
        home.store.close()
        home.copies = [
            (os.path.join(path, os.path.relpath(copy, home.path)), known, erased)
            for copy, known, erased in home.copies
        ]
        home.path, home.store = path, SqliteStore.open(path, clock=self.clock)

    @rule(number=HOMES, anew=st.booleans())
    def rebuild(self, number: int, anew: bool) -> None:
        home = self.homes[number]
        before = home.store.skills(EVERY)
        assert home.store.rebuild(anew=anew) == home.store.stats().events
        assert home.store.skills(EVERY) == before

    @rule(number=HOMES)
    def back_up(self, number: int) -> None:
        home = self.homes[number]
        self.moves += 1
        path = home.store.backup(os.path.join(self.folder, f"copy{self.moves}.db"))
        home.copies.append((path, set(home.known), set(home.erased)))

    @rule(number=HOMES, which=WHICH)
    def put_back(self, number: int, which: int) -> None:
        """What was taken out since stays out; it is known of even where the copy knows nothing of it."""
        home = self.homes[number]
        copies = [one for one in home.copies if os.path.exists(one[0])]
        if copies:
            self.next()
            path, known, erased = copies[which % len(copies)]
            home.store.restore_backup(path)
            there = {str(row[0]) for row in home.store._connection.execute("SELECT id FROM events")}
            assert known <= there
            assert there <= known | home.known
            assert home.kept_away.keys() <= there
            home.known, home.erased = there, erased | home.erased

    @rule(number=HOMES)
    def merge(self, number: int) -> None:
        home, other = self.homes[number], self.homes[1 - number]
        home.store.merge(other.path)
        home.known |= other.known
        home.erased |= other.erased
        again = home.store.merge(other.path)
        assert again.events == {}

    # What always holds

    @invariant()
    def store_and_model_agree(self) -> None:
        for home in self.homes:
            found = {
                skill.id: (skill.draft.title, skill.pinned, skill.archived, skill.confirmed, skill.state)
                for skill in home.store.skills(EVERY)
            }
            assert found == home.skills()

    @invariant()
    def both_verify(self) -> None:
        for home in self.homes:
            assert home.store.verify() == ()


TestTwoHomes = TwoHomes.TestCase
TestTwoHomes.settings = settings(
    max_examples=12,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
