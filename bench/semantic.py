"""Finding by meaning, on the labelled sets: words alone, with the model, the model alone; and the costs.

``HONED_RETRIEVAL`` names the folder of the sets (``bench.peers.sets``).  Needs the extra ``semantic``, or
another model by ``--model`` (a value of the setting ``semantic.model``).  Weights were tuned on ``dev``.

    HONED_RETRIEVAL=... python -m bench.semantic [dev|test] [--sets skills,conv] [--model bundled]
    HONED_RETRIEVAL=... python -m bench.semantic --quiet [dev|test]
    HONED_RETRIEVAL=... python -m bench.semantic --cost [--sizes 1000,10000,100000]
"""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from bench.filling import fill, place_of
from bench.machine import heading
from bench.peers.measures import DEPTH, mean, percentile, rank_of
from bench.peers.sets import Labelled, Query, load, timeline
from bench.recall_speed import GROUP, set_texts
from bench.retrieval import CURVE, EVERYTHING, Filled, drafts, figures, porter, sessions
from honed.embedding.choice import chosen
from honed.embedding.providers import model_of
from honed.embedding.vectors import packed
from honed.home import DATABASE
from honed.meaning import embed
from honed.memory import Memory
from honed.recall.recall import recall, search
from honed.recall.semantic import Sense
from honed.store.reading import Reader, open_readonly
from honed.store.sqlite import SqliteStore
from honed.store.vectors import mark_of

SETS = ("skills", "crosslingual/translated", "crosslingual/pack", "repair/frag", "conv")
ASKED = 300
STRANGERS = ("repair/frag", "conv")
"""Memories of which requests about skills are unrelated, and the other way round."""
_PEAK = """
import json, resource, subprocess, sys
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def say(**message):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n"); server.stdin.flush()
    return json.loads(server.stdout.readline()) if "id" in message else None
say(id=1, method="initialize", params={"protocolVersion": "2025-06-18", "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"}})
say(method="notifications/initialized")
for number in range(2, 12):
    say(id=number, method="tools/call", params={"name": "memory_search", "arguments": {"query": sys.argv[1]}})
with open(f"/proc/{server.pid}/status") as file:
    print(next(line.split()[1] for line in file if line.startswith("VmRSS")))
server.stdin.close(); server.wait()
"""


@dataclass(slots=True)
class Asked:
    """The ranks of the right answers by words, by words and model, and by the model alone."""

    words: dict[Query, int | None] = field(default_factory=dict)
    meant: dict[Query, int | None] = field(default_factory=dict)
    alone: dict[Query, int | None] = field(default_factory=dict)


def asked(labelled: Labelled, home: str, model: str) -> tuple[Asked, float]:
    """Keep the documents of a set and ask each query when what came before it is there and nothing else;
    also CPU milliseconds of making a vector."""
    found, sense, told = Asked(), Sense(model_of(model)), sessions(labelled)
    spent, made = 0.0, 0
    for documents, queries in timeline(labelled):
        fill(home, drafts(replace(labelled, documents=tuple(documents))), sessions=told)
        began = time.process_time()
        with SqliteStore.open(home) as store:
            made += embed(store, model).made
        spent += time.process_time() - began
        with open_readonly(home) as reader:
            _ask(reader, queries, sense, found)
    return found, 1000 * spent / max(1, made)


def _ask(reader: Reader, queries: Sequence[Query], sense: Sense, found: Asked) -> None:
    slugs = {int(str(n)): str(slug) for n, slug in reader.rows("SELECT n, slug FROM skills")}
    within: dict[int, list[int]] = {scope: [] for scope in reader.every_scope()}
    for n, scope in reader.rows("SELECT n, scope FROM skill_index"):
        within[int(str(scope))].append(int(str(n)))
    for query in queries:
        place = place_of(query.group)
        for using, ranks in ((None, found.words), (sense, found.meant)):
            hits = search(reader, query.text, place, limit=DEPTH, sense=using).hits
            ranks[query] = rank_of([hit.slug for hit in hits], query.relevant)
        scopes = reader.scopes(reader.project(place) if place else None)
        near = sense.near(reader, scopes, query.text)
        cosines = near.cosines([n for scope in scopes for n in within[scope]]) if near is not None else {}
        nearest = sorted((-cosine, slugs[n]) for n, cosine in cosines.items())
        found.alone[query] = rank_of([slug for _, slug in nearest], query.relevant)


def filled_with(labelled: Labelled, home: str, model: str) -> tuple[Filled, Sense]:
    """A set in a memory with vectors."""
    fill(home, drafts(labelled))
    with SqliteStore.open(home) as store:
        embed(store, model)
    return Filled(labelled, home), Sense(model_of(model))


def show_quality(folder: Path, split: str, names: Sequence[str], model: str, made: Path) -> None:
    """Print hit@1 / hit@5 / MRR@10 of each set, by language where it has several."""
    columns = ("words", "words and model", "model alone", "FTS5, porter")
    print(f"  {'set':34}" + "".join(f"{column:>24}" for column in columns) + f"{'CPU ms to embed':>18}")
    for labelled in load(folder, names, split, None):
        home = str(made / labelled.name.replace("/", "-"))
        found, cost = asked(labelled, home, model)
        plain = dict(zip(labelled.queries, porter(Filled(labelled, home)), strict=True))
        for part, group in groupby(labelled.queries, key=lambda query: query.part):
            queries = list(group)
            ranks = (
                [by[query] for query in queries] for by in (found.words, found.meant, found.alone, plain)
            )
            told = "".join(f"{figures(one):>24}" for one in ranks)
            print(f"  {f'{part} ({len(queries)})':34}{told}{cost:>18.1f}", flush=True)


def show_quiet(folder: Path, split: str, model: str, made: Path) -> None:
    """Print how often unrelated requests are told something, and related ones (right answer among the first
    three of the search) the right skill, by bar: with the model and without."""
    print("unrelated requests told something / related ones told the right skill, by bar")
    print(f"  {'memory':14}{'requests':28}{'':8}" + "".join(f"{bar:>16}" for bar in CURVE))
    every = [query for one in load(folder, SETS, split, None) for query in one.queries]
    for labelled in load(folder, ("skills", *STRANGERS), split, None):
        filled, sense = filled_with(labelled, str(made / labelled.name.replace("/", "-")), model)
        groups = sorted({document.group for document in labelled.documents})
        own = {query.part for query in labelled.queries}
        if labelled.name == "skills":
            own |= {query.part for query in every if query.part.startswith("crosslingual")}
        for part, group in groupby(every, key=lambda query: query.part):
            queries = list(group)
            queries = random.Random(7).sample(queries, min(ASKED, len(queries)))
            for name, using in (("words", None), ("model", sense)):
                if part in own:
                    chances, kind = _right(filled, queries, using), "right"
                else:
                    chances, kind = _told(filled, queries, groups, using), "told"
                shares = "".join(f"{_share(chances, bar):>16}" for bar in CURVE)
                print(f"  {labelled.name:14}{part:28}{name:8}{shares}  {kind} of {len(chances)}", flush=True)


def _share(chances: Sequence[float], bar: float) -> str:
    return f"{mean([chance >= bar for chance in chances]):.3f}"


def _told(
    filled: Filled, queries: Sequence[Query], groups: Sequence[str], sense: Sense | None
) -> list[float]:
    rng, chances = random.Random(11), []
    with open_readonly(filled.home) as reader:
        for query in queries:
            place = place_of(rng.choice(groups))
            hits = recall(reader, query.text, place, limit=1, bar=0.0, sense=sense).hits
            chances.append(hits[0].score if hits else 0.0)
    return chances


def _right(filled: Filled, queries: Sequence[Query], sense: Sense | None) -> list[float]:
    order, found = filled.order, []
    with open_readonly(filled.home) as reader:
        for query in queries:
            hits = search(reader, query.text, place_of(query.group), limit=EVERYTHING, sense=sense).hits
            first = [hit for hit in hits if order[hit.slug] < query.order][:3]
            if right := [hit.score for hit in first if hit.slug in query.relevant]:
                found.append(max(right))
    return found


def show_cost(sizes: Sequence[int], model: str, made: Path) -> None:
    """Print what vectors cost, in CPU milliseconds, bytes and memory: loading, making, keeping, asking."""
    began = time.process_time()
    sense = Sense(model_of(model))
    print(f"  loading the model: {1000 * (time.process_time() - began):.0f} CPU ms")
    columns = ("words p50", "p95", "model p50", "p95", "CPU ms made", "bytes a vector", "first asked")
    print(f"  {'skills':>8}" + "".join(f"{column:>16}" for column in columns))
    for size in sizes:
        home = str(made / str(size))
        texts, asked = set_texts("repair/frag", size)
        fill(home, ((key, group, replace(draft, fingerprint=key)) for key, group, draft in texts))
        before = _used(home)
        began = time.process_time()
        count = _embedded(home, model)
        cost = 1000 * (time.process_time() - began) / count
        room = (_used(home) - before) / size
        with open_readonly(home) as reader:
            first = _cpu_milliseconds(lambda: recall(reader, asked[0], place_of(GROUP), sense=sense))  # noqa: B023
            times = [_times(home, asked[:ASKED], one) for one in (None, sense)]
        row = (*times[0], *times[1], cost, room, first)
        print(f"  {size:>8}" + "".join(f"{value:>16.1f}" for value in row), flush=True)
        for name in ("none", model):
            print(
                f"           MCP server, semantic.model {name}: {_resident(home, name, asked[0])} MB resident"
            )
        sense = Sense(model_of(model))


def _used(home: str) -> int:
    """Bytes of the database's pages that are not free."""
    with closing(sqlite3.connect(os.path.join(home, DATABASE))) as connection:
        (pages,), (free,), (size,) = (
            connection.execute(f"PRAGMA {name}").fetchone()
            for name in ("page_count", "freelist_count", "page_size")
        )
    return int(pages - free) * int(size)


def _embedded(home: str, model: str) -> int:
    """Make vectors, each text's once; returns how many texts there were."""
    known: dict[str, bytes] = {}
    mark = mark_of(model_of(model).mark)
    with SqliteStore.open(home) as store:
        for batch in store.vectors_wanting(mark):
            fresh = [one.text for one in batch if one.text not in known]
            if fresh:
                known.update(zip(fresh, packed(model_of(model).embed(fresh, "passage")), strict=True))
            store.save_vectors(mark, [(one, known[one.text]) for one in batch])
    return len(known)


def _times(home: str, asked: Sequence[str], sense: Sense | None) -> tuple[float, float]:
    with open_readonly(home) as reader:
        times = [
            _cpu_milliseconds(lambda: recall(reader, text, place_of(GROUP), sense=sense))  # noqa: B023
            for text in asked
        ]
    return percentile(times, 0.5), percentile(times, 0.95)


def _cpu_milliseconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return 1000 * (time.process_time() - began)


def _resident(home: str, model: str, query: str) -> int:
    """Megabytes that an MCP server of ``home`` holds after ten searches."""
    with Memory.open(home) as memory:
        memory.configure("semantic.model", model)
    command = [sys.executable, "-m", "honed", "mcp", "--home", home]
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, query, *command], capture_output=True, encoding="utf-8", check=True
    )
    return int(done.stdout) // 1024


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("split", nargs="?", choices=("dev", "test"), default="dev")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--model", default="auto")
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--quiet", action="store_true", help="the curve of the bar instead of the ranks")
    parser.add_argument("--cost", action="store_true", help="time, room and memory instead of the ranks")
    options = parser.parse_args()
    model = chosen(options.model)
    if not model:
        parser.error("no model: pip install 'honed[semantic]', or name one by --model")
    folder = Path(os.environ["HONED_RETRIEVAL"])
    print(heading(f"Finding by meaning, {model}, split {options.split}: hit@1 / hit@5 / MRR@10"))
    print(f"load {' '.join(f'{one:.1f}' for one in os.getloadavg())}")
    with tempfile.TemporaryDirectory() as made:
        if options.cost:
            show_cost([int(size) for size in options.sizes.split(",")], model, Path(made))
        elif options.quiet:
            show_quiet(folder, options.split, model, Path(made))
        else:
            show_quality(folder, options.split, options.sets.split(","), model, Path(made))


if __name__ == "__main__":
    main()
