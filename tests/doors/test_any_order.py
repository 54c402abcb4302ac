"""Any operations in any order through any door: what honed lists is what a simple model says.

The owner at the command line, an agent over MCP, another program over the facade, and processes that die in
the middle; two folders that are linked and taken apart.  The model keeps of each skill what was done to it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from honed.cli.run import run
from honed.errors import DuplicateError, RefusedError
from honed.memory import Memory
from honed.skills.manual import draft_from_manual
from tests.doors.telling import a_shop
from tests.mcp.speaking import Talk, call

TEXTS = (
    ("Round cart totals half up", "Use Decimal in the cart."),
    ("Never ship on Fridays", "Wait for Monday morning."),
    ("Migrations run before workers start", "Stop the queue first."),
    ("Tag every release", "Signed, and pushed by hand."),
    ("Fixtures are made anew by the seed script", "Delete the old rows."),
)
"""Title and body; no two are nearly the same."""
FOLDERS = st.integers(0, 1)
WORDS = st.integers(0, len(TEXTS) - 1)
SLUGS = st.sampled_from(["one", "two", "three", "four"])
WHICH = st.integers(0, 7)


@dataclass
class Known:
    """A skill as the model sees it: what was done to it, in order."""

    id: str
    project: int
    slug: str
    agents: bool
    done: list[tuple[str, int]] = field(default_factory=list)

    def now(self, upto: int | None = None) -> tuple[int, bool, bool]:
        """Text, whether it is pinned, whether archived; before ``upto`` of what was done."""
        said = {"text": -1, "pinned": 0, "archived": 0}
        said.update(self.done[:upto])
        return said["text"], bool(said["pinned"]), bool(said["archived"])

    @property
    def texts(self) -> list[int]:
        """Every text it had, in order."""
        return [value for what, value in self.done if what == "text"]


class _Death(BaseException):
    """A process that dies."""


class Doors(RuleBasedStateMachine):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(prefix="honed-doors-"))
        self.home = self.base / "home"
        self.known: list[Known] = []
        self.gone: set[int] = set()
        self.linked = False

    @initialize()
    def begin(self) -> None:
        self.folders = [a_shop(self.base, name) for name in ("shop", "spare")]
        for number, folder in enumerate(self.folders):
            title = f"Seed of folder {'xyz'[number] * 9}"
            self.honed(number, "write", f"seed-{number}", "--kind", "rule", "--title", title, "--body", title)
            assert folder.is_dir()

    def teardown(self) -> None:
        with Memory.open(str(self.home)) as memory:
            assert memory.verify(strict=True) == ()
        shutil.rmtree(self.base)

    # Doors

    def honed(self, folder: int, *words: str) -> tuple[int, Any]:
        """A command of the owner's in a folder: the exit code, and what it said."""
        out = io.StringIO()
        before = os.getcwd()
        os.chdir(self.folders[folder])
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                code = run([*words, "--json", "--home", str(self.home)])
        finally:
            os.chdir(before)
        return code, json.loads(out.getvalue())

    def asks(self, folder: int, tool: str, **arguments: object) -> Any:
        """A call of an agent's in a folder."""
        talk = Talk(self.home, self.folders[folder])
        return talk.says(call(1, tool, **arguments))["result"]

    # The model

    def project(self, folder: int) -> int:
        return 0 if self.linked else folder

    def scopes(self, folder: int) -> set[int]:
        return {0, 1} if self.linked else {folder}

    def seen(self, folder: int) -> list[Known]:
        return [one for one in self.known if one.project in self.scopes(folder)]

    def one_of(self, which: int) -> Iterator[Known]:
        if self.known:
            yield self.known[which % len(self.known)]

    def expected(self, folder: int, slug: str, text: int) -> tuple[str, str]:
        """What becomes of a text that somebody keeps: the word for it, and the skill in its way."""
        if text in self.gone:
            return "refused", ""
        same = [one.id for one in self.seen(folder) if one.now()[0] == text]
        if same:
            return "existed", same[0] if len(same) == 1 else ""
        taken = [one for one in self.known if one.project == self.project(folder) and one.slug == slug]
        return ("refused", taken[0].id) if taken else ("new", "")

    def keep(
        self, folder: int, slug: str, text: int, agents: bool, told: Callable[[], tuple[str, str]]
    ) -> None:
        word, other = self.expected(folder, slug, text)
        said, skill = told()
        assert said == word, (said, word)
        if word == "existed":
            assert not other or skill == other
        if word == "new":
            self.known.append(Known(skill, self.project(folder), slug, agents, [("text", text)]))

    # What is done

    @rule(folder=FOLDERS, slug=SLUGS, text=WORDS)
    def the_owner_writes(self, folder: int, slug: str, text: int) -> None:
        def told() -> tuple[str, str]:
            title, body = TEXTS[text]
            code, said = self.honed(
                folder, "write", slug, "--kind", "lesson", "--title", title, "--body", body
            )
            assert code in (0, 3)
            return ("refused", "") if code else ("existed" if said["existed"] else "new", said["id"])

        self.keep(folder, slug, text, False, told)

    @rule(folder=FOLDERS, slug=SLUGS, text=WORDS)
    def an_agent_writes(self, folder: int, slug: str, text: int) -> None:
        # Of what is the owner's it would be a proposal: `tests/store/test_any_door.py` tells of those.
        if any(one.slug == slug and not one.agents for one in self.known):
            return

        def told() -> tuple[str, str]:
            title, body = TEXTS[text]
            result = self.asks(folder, "memory_write", slug=slug, title=title, body=body)
            if result["isError"]:
                return "refused", ""
            said = result["structuredContent"]
            return "existed" if said["existed"] else "new", said["id"]

        self.keep(folder, slug, text, True, told)

    @rule(folder=FOLDERS, slug=SLUGS, text=WORDS)
    def a_program_writes(self, folder: int, slug: str, text: int) -> None:
        def told() -> tuple[str, str]:
            title, body = TEXTS[text]
            with Memory.open(str(self.home)) as memory:
                draft = draft_from_manual("lesson", title, body=body)
                try:
                    done = memory.write(slug, draft, cwd=str(self.folders[folder]))
                except (DuplicateError, RefusedError):
                    return "refused", ""
            return "existed" if done.status == "existed" else "new", done.subject

        self.keep(folder, slug, text, False, told)

    @rule(folder=FOLDERS, slug=SLUGS, text=WORDS, after=st.integers(0, 2))
    def a_writer_dies(self, folder: int, slug: str, text: int, after: int) -> None:
        left = iter(range(after))

        def dies(count: int) -> bytes:
            # The third is drawn inside the transaction.
            if next(left, None) is None:
                raise _Death
            return os.urandom(count)

        title, body = TEXTS[text]
        draft = draft_from_manual("lesson", title, body=body)
        ends = contextlib.suppress(_Death, DuplicateError, RefusedError)
        with ends, Memory.open(str(self.home), entropy=dies) as memory:
            known = memory.write(slug, draft, cwd=str(self.folders[folder]))
            assert known.status == "existed"

    @rule(which=WHICH, what=st.sampled_from(["pin", "unpin", "archive", "restore"]))
    def the_owner_decides(self, which: int, what: str) -> None:
        for one in self.one_of(which):
            assert self.honed(one.project, what, one.id)[0] == 0
            name, value = {"pin": ("pinned", 1), "unpin": ("pinned", 0), "archive": ("archived", 1)}.get(
                what, ("archived", 0)
            )
            if one.now()[1 if name == "pinned" else 2] != bool(value):
                one.done.append((name, value))

    @rule(which=WHICH, text=WORDS)
    def an_agent_changes(self, which: int, text: int) -> None:
        for one in [one for one in self.one_of(which) if one.agents]:
            title, body = TEXTS[text]
            result = self.asks(one.project, "memory_update", slug=one.id, reason="x", title=title, body=body)
            now, _, archived = one.now()
            refused = archived or (text in self.gone and text != now)
            assert result["isError"] == refused
            if not refused and text != now:
                one.done.append(("text", text))

    @rule(which=WHICH, number=st.integers(1, 4))
    def the_owner_takes_an_older_text(self, which: int, number: int) -> None:
        for one in self.one_of(which):
            code, said = self.honed(one.project, "restore", one.id, str(number))
            if number > len(one.texts):
                assert code == 4
                continue
            text = one.texts[number - 1]
            refused = text in self.gone and text != one.now()[0]
            assert code == (3 if refused else 0)
            if not refused and text != one.now()[0]:
                assert said["changed"]
                one.done.append(("text", text))

    @rule(which=WHICH)
    def the_owner_undoes(self, which: int) -> None:
        for one in self.one_of(which):
            code, _ = self.honed(one.project, "undo", one.id)
            now, before = one.now(), one.now(-1)
            if len(one.done) == 1 or (now[0] != before[0] and before[0] in self.gone):
                assert code == 3
                continue
            assert code == 0
            place = next(place for place in range(3) if now[place] != before[place])
            one.done.append((("text", "pinned", "archived")[place], int(before[place])))

    @rule(which=WHICH, purge=st.booleans())
    def the_owner_forgets(self, which: int, purge: bool) -> None:
        for one in self.one_of(which):
            code, _ = self.honed(one.project, "forget", one.id, *(["--purge"] if purge else []))
            assert code == 0
            self.known.remove(one)
            self.gone |= set(one.texts)

    @rule()
    def folders_are_linked_or_taken_apart(self) -> None:
        words = ("split", str(self.folders[1])) if self.linked else ("link", *map(str, self.folders))
        assert self.honed(0, "projects", *words)[0] == 0
        self.linked = not self.linked

    @rule(what=st.sampled_from([("rebuild",), ("index", "repair"), ("backup",), ("verify", "--strict")]))
    def the_memory_is_tended(self, what: tuple[str, ...]) -> None:
        assert self.honed(0, *what)[0] == 0

    # What must hold

    @invariant()
    def every_folder_lists_what_the_model_says(self) -> None:
        for folder in range(2) if hasattr(self, "folders") else ():
            rows = [
                *self.honed(folder, "list")[1],
                *self.honed(folder, "list", "--state", "archived")[1],
            ]
            listed = {(row["id"], row["slug"], row["title"], row["pinned"], row["archived"]) for row in rows}
            wanted = {(one.id, one.slug, TEXTS[one.now()[0]][0], *one.now()[1:]) for one in self.seen(folder)}
            assert {row for row in listed if not row[1].startswith("seed-")} == wanted

    @invariant()
    def what_is_found_is_what_is_in_use(self) -> None:
        for folder in range(2) if hasattr(self, "folders") else ():
            for text, (title, _) in enumerate(TEXTS):
                hits = self.honed(folder, "search", title)[1]["hits"]
                found = {hit["id"] for hit in hits if hit["title"] == title}
                assert found == {
                    one.id for one in self.seen(folder) if one.now()[0] == text and not one.now()[2]
                }


TestDoors = Doors.TestCase
TestDoors.settings = settings(
    max_examples=10, stateful_step_count=18, suppress_health_check=list(HealthCheck), deadline=None
)
