"""How long a recall takes as memory grows, in process and with the database opened for it.

Texts are generated (``bench.texts``: Zipf law, sizes measured on real skills).  With ``HONED_RETRIEVAL`` set,
``--texts NAME`` takes those of a labelled set instead; with ``HONED_TRANSCRIPTS`` set, ``--texts sessions``
takes the skills that the transcripts of that folder teach, and what their users asked.  Both are repeated
until there are enough.  With ``--peers`` skillmem keeps the same texts and answers the same requests, up to
10,000 of them (BM25, no model, warm, by its own storage room).

    python -m bench.recall_speed [--sizes 1000,10000] [--texts repair/frag|sessions] [--rounds 300] [--peers]
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from bench.filling import fill, place_of
from bench.machine import heading
from bench.peers.environments import SKILLMEM, default_cache, prepared
from bench.peers.measures import percentile
from bench.peers.sets import load
from bench.peers.worker import Worker
from bench.retrieval import drafts
from bench.texts import Texts
from honed.errors import HonedError
from honed.memory import Memory
from honed.recall.recall import recall
from honed.sessions.model import Request
from honed.sessions.reading import read
from honed.skills.model import Draft
from honed.store.reading import open_readonly
from honed.transcripts import given_paths, in_order

GROUP = "speed"
PEER_LIMIT, PEER_BATCH, PEER_DEPTH = 10_000, 500, 5
"""Texts that skillmem keeps at most, how many at once, and how many hits it is asked for."""
BOUND_MS = 5
"""p95 in process at 1,000 skills (docs/design.md)."""
_KNOWN = 200
"""Skills whose files and errors requests name."""


def skills(count: int, seed: int = 1) -> Iterator[tuple[str, str, Draft]]:
    """``count`` skills of about the size that compiling gives."""
    texts = Texts(seed)
    for number in range(count):
        yield f"s{number}", GROUP, texts.draft(number)


def requests(count: int) -> list[str]:
    """Requests as people type them: short, long, with a path, with an error, about nothing known."""
    known = [draft for _, _, draft in skills(_KNOWN)]
    texts, rng = Texts(1, stream=2), random.Random(2)
    made = []
    for number in range(count):
        draft = rng.choice(known)
        kinds = (
            texts.sentence(8),
            texts.sentence(20),
            f"why is {draft.files[0].path} {texts.sentence(6)}",
            f"{texts.sentence(10)}\n{draft.pitfalls[0].signature}",
            "please run the tests again and commit",
        )
        made.append(kinds[number % len(kinds)])
    return made


def set_texts(name: str, count: int) -> tuple[Iterator[tuple[str, str, Draft]], list[str]]:
    """The texts of a labelled set, repeated up to ``count``, and its requests of the dev split."""
    labelled = load(Path(os.environ["HONED_RETRIEVAL"]), [name], "dev", None)[0]
    texts = itertools.cycle(list(drafts(labelled)))
    repeated = ((f"s{number}", GROUP, next(texts)[2]) for number in range(count))
    return repeated, [query.text for query in labelled.queries]


def session_texts(count: int) -> tuple[Iterator[tuple[str, str, Draft]], list[str]]:
    """What real sessions teach, repeated up to ``count``, and all requests in them, in a seeded order."""
    found = in_order(given_paths([os.environ["HONED_TRANSCRIPTS"]]))
    with tempfile.TemporaryDirectory() as home, Memory.open(home) as memory:
        for _ in memory.absorb(found):
            pass
        taught = [replace(skill.draft, scope="project") for skill in memory.every_skill()]
    texts = itertools.cycle(taught)
    repeated = (
        (f"s{number}", GROUP, replace(next(texts), fingerprint=f"f{number}")) for number in range(count)
    )
    asked = [text for item in found for text in asked_in(item.path)]
    random.Random(3).shuffle(asked)
    return repeated, asked


def asked_in(path: Path) -> list[str]:
    """What was asked in a session; nothing where its transcript cannot be read."""
    try:
        with path.open("rb") as file:
            events = list(read(file, name=path.name))
    except HonedError:
        return []
    return [event.text for event in events if isinstance(event, Request) and event.text.strip()]


def measured(home: str, asked: list[str]) -> dict[str, tuple[list[float], list[float]]]:
    """Wall and CPU milliseconds of each request, with an open reader and with one of its own."""
    place = place_of(GROUP)
    times: dict[str, tuple[list[float], list[float]]] = {}
    with open_readonly(home) as reader:
        recall(reader, asked[0], place)

        def opened(text: str) -> None:
            with open_readonly(home) as own:
                recall(own, text, place)

        ways: dict[str, Callable[[str], object]] = {
            "in process": lambda text: recall(reader, text, place),
            "opening memory": opened,
        }
        for name, way in ways.items():
            times[name] = ([], [])
            for text in asked:
                wall, processor = time.perf_counter(), time.process_time()
                way(text)
                times[name][0].append(1000 * (time.perf_counter() - wall))
                times[name][1].append(1000 * (time.process_time() - processor))
    return times


def peer(
    folder: str, texts: list[tuple[str, str, Draft]], asked: list[str]
) -> tuple[list[float], list[float]]:
    """Wall and CPU milliseconds of each request in skillmem's own process."""
    queries = [{"text": text, "group": GROUP} for text in asked]
    with Worker(SKILLMEM.module, Path(folder), prepared(SKILLMEM, default_cache())) as worker:
        for start in range(0, len(texts), PEER_BATCH):
            batch = texts[start : start + PEER_BATCH]
            worker.ask("keep", documents=[_document(key, draft) for key, _, draft in batch])
        found = worker.ask("find", queries=queries, limit=PEER_DEPTH)
    return [1000 * one["wall"] for one in found], [1000 * one["cpu"] for one in found]


def _document(key: str, draft: Draft) -> dict[str, str]:
    pitfalls = (line for one in draft.pitfalls for line in (one.signature, one.resolution))
    text = "\n".join([*draft.steps, *pitfalls, draft.outcome, draft.body])
    return {"key": key, "group": GROUP, "title": draft.title, "description": draft.trigger, "text": text}


def _show(size: int, name: str, times: tuple[list[float], list[float]], rest: str = "") -> None:
    parts = [percentile(values, part) for values in times for part in (0.5, 0.95)]
    print(f"  {size:>8} {name:16}" + "".join(f"{part:>12.2f}" for part in parts) + rest)


def texts_of(name: str, size: int, rounds: int) -> tuple[Iterator[tuple[str, str, Draft]], list[str]]:
    """The texts to keep and the requests to ask, by the name given with ``--texts``."""
    if not name:
        return skills(size), requests(rounds)
    return session_texts(size) if name == "sessions" else set_texts(name, size)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--texts", default="")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--peers", action="store_true", help="skillmem beside it, from PyPI")
    options = parser.parse_args()
    print(
        heading(f"Recall, one project, {options.texts or 'generated'} texts (p95 at 1,000: <= {BOUND_MS} ms)")
    )
    columns = ("p50 ms", "p95 ms", "CPU p50", "CPU p95", "KB a skill", "ms to keep")
    print(f"  {'skills':>8} {'':16}" + "".join(f"{column:>12}" for column in columns))
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as home:
            stream, asked = texts_of(options.texts, size, options.rounds)
            beside = options.peers and size <= PEER_LIMIT
            texts = list(stream) if beside else stream
            began = time.process_time()
            fill(home, texts)
            kept = 1000 * (time.process_time() - began) / size
            space = os.path.getsize(os.path.join(home, "honed.db")) / size / 1024
            for name, times in measured(home, asked[: options.rounds]).items():
                _show(size, name, times, f"{space:>12.2f}{kept:>12.2f}")
            if isinstance(texts, list):
                _show(size, SKILLMEM.requirement, peer(home, texts, asked[: options.rounds]))


if __name__ == "__main__":
    main()
