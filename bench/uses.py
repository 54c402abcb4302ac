"""What past uses are worth: the same requests cold, and after earlier requests for each skill were verified.

Every earlier request goes through the ledger as a session's evidence does (``events.evidence`` with what
``skills.uses`` makes of the request), and honed derives the rest.  ``test``: prompts of the split dev are the
earlier ones, those of test are asked.  ``dev``: half of the dev prompts are earlier than the other half.
``HONED_RETRIEVAL`` names the folder of the sets (``bench.peers.sets``).

    HONED_RETRIEVAL=... python -m bench.uses [dev|test] [--uses 0,1,2,4]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.filling import fill
from bench.machine import heading
from bench.peers.sets import Labelled, Query, load
from bench.retrieval import answered, drafts, figures
from honed.ledger import events
from honed.skills.uses import use_of
from honed.store.base import SkillFilter
from honed.store.sqlite import SqliteStore

SET = "skills"
AT = "2026-02-{:02d}T00:00:00Z"


def parts(folder: Path, split: str) -> tuple[Labelled, list[Query]]:
    """The set with the queries that are asked, and the earlier ones."""
    dev = load(folder, [SET], "dev", None)[0]
    if split == "test":
        return load(folder, [SET], "test", None)[0], list(dev.queries)
    first = [query for query in dev.queries if hashlib.sha256(query.name.encode()).digest()[0] % 2]
    rest = tuple(query for query in dev.queries if query not in first)
    return replace(dev, queries=rest), first


def use(home: str, earlier: Sequence[Query], most: int) -> int:
    """Record up to ``most`` of the ``earlier`` requests of each skill as uses; how many skills have any."""
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
    return len(asked)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("split", nargs="?", choices=("dev", "test"), default="dev")
    parser.add_argument("--uses", default="0,1,2,4")
    options = parser.parse_args()
    labelled, earlier = parts(Path(os.environ["HONED_RETRIEVAL"]), options.split)
    print(heading(f"{SET}, split {options.split}, after verified uses: hit@1 / hit@5 / MRR@10"))
    known = {query.relevant[0] for query in earlier}
    met = sum(not known.isdisjoint(query.relevant) for query in labelled.queries)
    print(f"{len(labelled.queries)} queries; of {met} the skill has an earlier request")
    for most in map(int, options.uses.split(",")):
        with tempfile.TemporaryDirectory() as home:
            fill(home, drafts(labelled))
            skills = use(home, earlier, most) if most else 0
            told = figures([one.rank for one in answered(home, labelled.queries)])
            print(f"  {most} uses ({skills} skills){told:>26}", flush=True)


if __name__ == "__main__":
    main()
