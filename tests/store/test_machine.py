"""Two homes of one owner, used in any order: store and a simple model of it always agree.

Appends of every kind, crashes, rebuilds, backups put back, erasures and merges.  The model keeps, for each
home, which events it knows, and works out by itself what they come to.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, field

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from honed.ledger import events, ids
from honed.ledger.drafts import content_hash
from honed.ledger.model import NewEvent
from honed.skills.model import Draft
from honed.store.base import SkillFilter
from honed.store.sqlite import SqliteStore
from tests.store.making import PROJECT, Clock

EVERY = SkillFilter(archived=None, states=("candidate", "proven", "suspended", "withdrawn"))
HOMES = st.sampled_from([0, 1])
NAMES = st.sampled_from(["cart", "stock", "price"])
SESSIONS = st.sampled_from(["s0", "s1"])
LATER = st.sampled_from(["s5", "s6", "s7"])


def text(name: str) -> Draft:
    steps = (f"look at {name}",)
    return Draft("procedure", f"Mend the {name}", f"{name} is off", steps=steps, fingerprint=name)


def moment(number: int) -> str:
    """A time; a greater number is later."""
    return f"2026-03-01T{number // 3600:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z"


@dataclass
class Told:
    """One event as the model sees it."""

    kind: str
    skill: str
    at: int
    name: str = ""
    session: str = ""


@dataclass
class Home:
    """One home: where it is, what it knows, and which texts its own key keeps away."""

    path: str
    store: SqliteStore
    known: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)
    kept_away: dict[str, set[str]] = field(default_factory=dict)
    copies: list[tuple[str, set[str], set[str]]] = field(default_factory=list)


class TwoHomes(RuleBasedStateMachine):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp(prefix="honed-machine-")
        self.told: dict[str, Told] = {}
        self.count = 1000
        self.moves = 0
        self.homes: list[Home] = []

    @initialize()
    def begin(self) -> None:
        for number in range(2):
            path = os.path.join(self.folder, f"home{number}")
            self.homes.append(Home(path, SqliteStore.open(path, clock=Clock())))

    def teardown(self) -> None:
        for home in self.homes:
            home.store.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # What the model works out

    def of(self, home: Home, skill: str, *kinds: str) -> list[Told]:
        """The events of these kinds that a home knows of a skill, in order, as far as not erased."""
        found = [
            self.told[key]
            for key in home.known - home.erased
            if self.told[key].skill == skill and self.told[key].kind in kinds
        ]
        return sorted(found, key=lambda told: told.at)

    def skills_of(self, home: Home) -> dict[str, tuple[str, bool, bool, int, str]]:
        """Of each live skill: title, pinned, archived, confirmations, state."""
        found = {}
        for skill in {self.told[key].skill for key in home.known} - {""}:
            texts = self.of(home, skill, "learned", "revised")
            if not texts or self.of(home, skill, "forgotten"):
                continue
            pins = self.of(home, skill, "pinned", "unpinned")
            shelf = self.of(home, skill, "archived", "restored")
            proofs = {told.session for told in self.of(home, skill, "evidence")}
            found[skill] = (
                text(texts[-1].name).title,
                bool(pins) and pins[-1].kind == "pinned",
                bool(shelf) and shelf[-1].kind == "archived",
                len(proofs),
                "proven" if len(proofs) >= 2 else "candidate",
            )
        return found

    def name_of(self, home: Home, skill: str) -> str:
        return self.of(home, skill, "learned", "revised")[-1].name

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

    # What happens

    @rule(number=HOMES, name=NAMES, session=SESSIONS)
    def learn(self, number: int, name: str, session: str) -> None:
        home = self.homes[number]
        skill = ids.skill_id(session, name, "procedure")
        occasion = events.Occasion("codex", session, name, moment(1 + ord(name[0])))
        event = events.learned(occasion, skill, PROJECT, name, text(name))
        known = event.id in home.known
        forgotten = bool(self.of(home, skill, "forgotten"))
        twins = [s for s in self.skills_of(home) if s != skill and self.name_of(home, s) == name]
        away = any(name in names for names in home.kept_away.values())
        status = self.tell(home, event, Told("learned", skill, 1 + ord(name[0]), name, session))
        wanted = "existed" if known else "refused" if forgotten or twins or away else "written"
        assert status == wanted, (status, wanted)

    @rule(number=HOMES, name=NAMES, which=st.integers(0, 9))
    def revise(self, number: int, name: str, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            at = self.next()
            event = events.revised(skill, text(name), os.urandom(16), at=moment(at))
            assert self.tell(home, event, Told("revised", skill, at, name)) == "written"

    @rule(
        number=HOMES,
        kind=st.sampled_from(["pinned", "unpinned", "archived", "restored"]),
        which=st.integers(0, 9),
    )
    def decide(self, number: int, kind: str, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            at = self.next()
            event = events.by_hand(kind, skill, os.urandom(16), at=moment(at))  # type: ignore[arg-type]
            assert self.tell(home, event, Told(kind, skill, at)) == "written"

    @rule(number=HOMES, session=LATER, which=st.integers(0, 9))
    def prove(self, number: int, session: str, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            occasion = events.Occasion("codex", session, skill, moment(900))
            event = events.evidence(occasion, skill, "test_passed", applied=True, authority="exit")
            self.tell(home, event, Told("evidence", skill, 900, session=session))

    @rule(number=HOMES, which=st.integers(0, 9))
    def approve(self, number: int, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            at = self.next()
            shown = content_hash(text(self.name_of(home, skill)))
            event = events.approved(skill, shown, "procedure", os.urandom(16), at=moment(at))
            assert self.tell(home, event, Told("approved", skill, at)) == "written"
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

    @rule(number=HOMES, which=st.integers(0, 9))
    def forget(self, number: int, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            at = self.next()
            names = {told.name for told in self.of(home, skill, "learned", "revised")}
            event = events.by_hand("forgotten", skill, os.urandom(16), at=moment(at))
            assert self.tell(home, event, Told("forgotten", skill, at)) == "written"
            home.kept_away[event.id] = names

    @rule(number=HOMES, which=st.integers(0, 9))
    def erase(self, number: int, which: int) -> None:
        home = self.homes[number]
        for skill in self.one_of(home, which):
            names = {told.name for told in self.of(home, skill, "learned", "revised")}
            home.erased |= {key for key in home.known if self.told[key].skill == skill}
            home.store.erase(skill)
            for event in home.store.skill_events(skill):
                if event.entry.kind in ("forgotten", "erased"):
                    self.told[event.entry.id] = Told(event.entry.kind, skill, self.next())
                    home.known.add(event.entry.id)
                    if event.entry.kind == "forgotten":
                        home.kept_away[event.entry.id] = names

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
        home.path, home.store = path, SqliteStore.open(path, clock=Clock())

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

    @rule(number=HOMES)
    def put_back(self, number: int) -> None:
        home = self.homes[number]
        if home.copies and os.path.exists(home.copies[-1][0]):
            path, known, erased = home.copies[-1]
            home.store.restore_backup(path)
            # What was taken out since stays out; of what the copy does not know there is nothing to take out.
            subjects = {self.told[key].skill for key in known}
            gone = {
                key
                for key in home.known
                if self.told[key].kind in ("forgotten", "erased") and self.told[key].skill in subjects
            }
            home.known, home.erased = known | gone, erased | (home.erased & known)
            there = {str(row[0]) for row in home.store._connection.execute("SELECT id FROM events")}
            home.kept_away = {key: names for key, names in home.kept_away.items() if key in there}
            home.known &= there

    @rule(number=HOMES)
    def merge(self, number: int) -> None:
        home, other = self.homes[number], self.homes[1 - number]
        home.store.merge(other.path)
        home.known |= other.known
        home.erased |= other.erased
        again = home.store.merge(other.path)
        assert again.events == {}

    def one_of(self, home: Home, which: int) -> list[str]:
        """One live skill of a home, if it has any."""
        live = sorted(self.skills_of(home))
        return [live[which % len(live)]] if live else []

    # What always holds

    @invariant()
    def store_and_model_agree(self) -> None:
        for home in self.homes:
            found = {
                skill.id: (skill.draft.title, skill.pinned, skill.archived, skill.confirmed, skill.state)
                for skill in home.store.skills(EVERY)
            }
            assert found == self.skills_of(home)

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
