"""Skills as they come from real work in size and shape, made up from a seed.

Measured on what a backfill of some 160 real tasks taught: a draft of about 1.7 kB as JSON, 22 exact
things (paths, symbols, commands, errors) each, words that follow Zipf's law.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate

from honed.ledger import events, ids
from honed.ledger.model import NewEvent
from honed.skills.model import Anchor, Draft, FileRef, Pitfall

_VERBS = "add fix round sort cache retry parse split merge drop rename guard batch stream index check".split()
_NOUNS = (
    "cart total order stock price user session token queue worker page table column row cell header footer"
    " field form route handler request response retry timeout cursor buffer parser lexer node edge graph path"
    " folder file line record batch chunk frame packet socket signal event timer clock date zone locale"
    " currency report invoice ledger"
).split()
_PLAIN = (
    "the a of to in and is when after before with without for from by on not only first last each".split()
)
_ONSETS = "b br c cl d dr f fl g gr h j k l m n p pl pr qu r s sk sl st t tr v w z".split()
_RIMES = "a an ar e el en er i in ir o ol on or u un ur ax ex ix ox ade ine ote ume".split()
_ERRORS = "ValueError TypeError KeyError AssertionError TimeoutError OSError LookupError IndexError".split()


class Texts:
    """An endless supply of drafts; the same seed gives the same ones.

    ``stream`` draws otherwise from the words of the same seed.
    """

    def __init__(self, seed: int = 1, stream: int | None = None) -> None:
        self._random = random.Random(seed)
        rare = {
            self._random.choice(_ONSETS) + self._random.choice(_RIMES) + self._random.choice(_ONSETS)
            + self._random.choice(_RIMES)
            for _ in range(9000)
        }  # fmt: skip
        self._words = [*_NOUNS, *sorted(rare)]
        self._weights = list(accumulate(1.0 / (place + 3) for place in range(len(self._words))))
        if stream is not None:
            self._random.seed(stream)

    def words(self, count: int) -> list[str]:
        """Words of a sentence, without the small ones."""
        return self._random.choices(self._words, cum_weights=self._weights, k=count)

    def sentence(self, count: int) -> str:
        """So many words, about a third of them small ones."""
        words = self.words(count)
        for place in range(0, count, 3):
            words[place] = self._random.choice(_PLAIN)
        return " ".join(words)

    def draft(self, number: int) -> Draft:
        """One procedure; ``number`` makes it unlike all others."""
        pick = self._random
        names = self.words(6)
        paths = [f"src/{names[i]}/{names[i + 1]}_{names[i + 2]}.py" for i in range(3)]
        symbols = tuple(f"{names[i].title()}{names[i + 1].title()}.{names[i + 2]}_{i}" for i in range(3))
        files = tuple(
            FileRef(path, (Anchor(symbol, f"    return self.{pick.choice(names)}"),))
            for path, symbol in zip(paths, symbols, strict=True)
        )
        test = FileRef(f"tests/test_{names[0]}_{names[2]}.py", role="test")
        check = f"uv run pytest tests/test_{names[0]}_{names[2]}.py -q"
        steps = [
            f"Edit `{path}` (in `{symbol}`): {self.sentence(12)}"
            for path, symbol in zip(paths, symbols, strict=True)
        ]
        title = f"{pick.choice(_VERBS).title()} {' '.join(self.words(4))} in {names[0]} {number}"
        error = f"{pick.choice(_ERRORS)}: {' '.join(self.words(4))}"
        return Draft(
            "procedure",
            title,
            f"{self.sentence(14)} {number}",
            steps=(*steps, self.sentence(10), f"Run `{check}`"),
            files=(*files, test),
            check=check,
            pitfalls=(Pitfall(error, f"Edit `{paths[0]}`: {self.sentence(6)}", check),),
            outcome=self.sentence(8),
            aliases=(self.sentence(8),),
            symbols=symbols,
            fingerprint=f"{number:032x}",
            source_task=f"tk_{names[0]}{number}",
            fail_to_pass=True,
            authority="exit",
        )


def project_ids(count: int) -> list[str]:
    """Ids of so many projects, always the same ones."""
    return [ids.random_id("pr_", number.to_bytes(10, "big")) for number in range(count)]


def learnings(count: int, *, first: int = 0, projects: int = 20, seed: int = 1) -> Iterator[NewEvent]:
    """So many skills to learn, numbered from ``first``, spread over projects, each of its own session."""
    texts = Texts(seed)
    homes = project_ids(projects)
    for number in range(first, first + count):
        what = texts.draft(number)
        moment = f"2026-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}T10:00:00Z"
        occasion = events.Occasion("claude_code", f"session-{number:08d}", f"record-{number:08d}", moment)
        skill = ids.skill_id(occasion.session, occasion.record, what.kind)
        slug = ids.slugify(what.title)
        yield events.learned(occasion, skill, homes[number % projects], slug, what)
