"""What past uses are worth: the same requests cold, and after earlier requests for each skill were verified.

Every earlier request goes through the ledger as a session's evidence does (``events.evidence`` with what
``skills.uses`` makes of the request), and honed derives the rest.  Two forms:

*folds*: the queries of a split in five parts, each asked when the uses of every skill are prompts of it that
are not in that part: of both splits for ``test``, of dev alone for ``dev``, so that tuning sees nothing of
test.  So a skill that is asked for has uses wherever the set knows other prompts of it; those that have as
many as were asked for are shown for themselves too.  No query meets itself or its own text among the uses.

*earlier*: prompts of dev alone are the uses (of one half of them, for ``dev``).  A skill of which those hold
no prompt then has none while its rivals have some.

``HONED_RETRIEVAL`` names the folder of the sets (``bench.peers.sets``).

    HONED_RETRIEVAL=... python -m bench.uses [dev|test] [--uses 0,1,2,4] [--form folds,earlier] [--model NAME]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.filling import fill
from bench.machine import heading
from bench.peers.measures import DEPTH, rank_of
from bench.peers.sets import Labelled, Query, load
from bench.retrieval import drafts, figures
from honed.embedding.providers import model_of
from honed.ledger import events
from honed.meaning import embed
from honed.recall.recall import search
from honed.recall.semantic import Sense
from honed.skills.uses import use_of
from honed.store.base import SkillFilter
from honed.store.reading import open_readonly
from honed.store.sqlite import SqliteStore

SET = "skills"
AT = "2026-02-{:02d}T00:00:00Z"
FOLDS = 5
FORMS = ("folds", "earlier")
Part = tuple[Sequence[Query], Sequence[Query]]
"""Queries that are asked together, and the earlier ones."""


def parts(folder: Path, split: str, form: str) -> tuple[Labelled, list[Part]]:
    """The set, and which of its queries are asked after which earlier ones."""
    dev = load(folder, [SET], "dev", None)[0]
    asked = load(folder, [SET], "test", None)[0] if split == "test" else dev
    if form == "folds":
        known = [*dev.queries, *asked.queries] if split == "test" else list(dev.queries)
        return asked, list(_folds(list(asked.queries), known))
    if split == "test":
        return asked, [(asked.queries, dev.queries)]
    first = [query for query in dev.queries if hashlib.sha256(query.name.encode()).digest()[0] % 2]
    rest = tuple(query for query in dev.queries if query not in first)
    return replace(dev, queries=rest), [(rest, first)]


def _folds(asked: list[Query], known: Sequence[Query]) -> Iterator[Part]:
    random.Random(3).shuffle(asked)
    for start in range(FOLDS):
        fold = asked[start::FOLDS]
        names, texts = {query.name for query in fold}, {query.text for query in fold}
        others = [query for query in known if query.name not in names and query.text not in texts]
        random.Random(9).shuffle(others)
        yield fold, others


def use(home: str, earlier: Sequence[Query], most: int) -> dict[str, int]:
    """Record up to ``most`` of the ``earlier`` requests of each skill as uses; how many each skill has."""
    asked: dict[str, list[str]] = defaultdict(list)
    for query in earlier:
        if len(asked[query.relevant[0]]) < most:
            asked[query.relevant[0]].append(query.text)
    with SqliteStore.open(home) as store:
        ids = {skill.slug: skill.id for skill in store.skills(SkillFilter())}
        for key, texts in asked.items():
            for number, text in enumerate(texts, 1):
                session = f"{key}-{number}"
                occasion = events.Occasion("claude_code", session, session, AT.format(number))
                (written,) = store.append(
                    [
                        events.evidence(
                            occasion,
                            ids[key],
                            "test_passed",
                            applied=True,
                            authority="exit",
                            request=use_of([text]),
                        )
                    ]
                )
                assert written.status == "written", written
    return {key: len(texts) for key, texts in asked.items()}


def after(cold: str, parts: Sequence[Part], most: int, model: str) -> list[tuple[int | None, int]]:
    """The rank of each query of ``parts`` in a copy of the home ``cold`` after ``most`` uses of each skill,
    and how many of these the right skill has; found by meaning too where a ``model`` is named."""
    found = []
    for asked, earlier in parts:
        with tempfile.TemporaryDirectory() as home:
            shutil.copytree(cold, home, dirs_exist_ok=True)
            uses = use(home, earlier, most) if most else {}
            for query, rank in zip(asked, _ranks(home, asked, model), strict=True):
                found.append((rank, max(uses.get(key, 0) for key in query.relevant)))
    return found


def _ranks(home: str, asked: Sequence[Query], model: str) -> list[int | None]:
    sense = None
    if model:
        with SqliteStore.open(home) as store:
            embed(store, model)
        sense = Sense(model_of(model))
    with open_readonly(home) as reader:
        return [
            rank_of(
                [hit.slug for hit in search(reader, query.text, None, limit=DEPTH, sense=sense).hits],
                query.relevant,
            )
            for query in asked
        ]


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("split", nargs="?", choices=("dev", "test"), default="dev")
    parser.add_argument("--uses", default="0,1,2,4")
    parser.add_argument("--form", default=",".join(FORMS))
    parser.add_argument("--model", default="", help="find by meaning too: a value of semantic.model")
    options = parser.parse_args()
    folder = Path(os.environ["HONED_RETRIEVAL"])
    meant = f" by words and {options.model}," if options.model else ""
    print(heading(f"{SET}, split {options.split},{meant} after verified uses: hit@1 / hit@5 / MRR@10"))
    for form in options.form.split(","):
        labelled, asked = parts(folder, options.split, form)
        print(
            f"\n{form}: {len(labelled.queries)} queries | those whose skill has that many uses | the others"
        )
        with tempfile.TemporaryDirectory() as cold:
            fill(cold, drafts(labelled))
            if options.model:
                with SqliteStore.open(cold) as store:
                    embed(store, options.model)
            for most in map(int, options.uses.split(",")):
                found = after(cold, asked, most, options.model)
                having = [rank for rank, uses in found if uses >= most]
                others = [rank for rank, uses in found if uses < most]
                told = figures([rank for rank, _ in found])
                if others:
                    told += f" | {len(having)}: {figures(having)} | {len(others)}: {figures(others)}"
                print(f"  {most} uses  {told}", flush=True)


if __name__ == "__main__":
    main()
