"""Homes of every past schema version, kept as text and built again.

``python -m tests.store.past`` writes the fixture of the present version: the rows of every plain table of a
home with something in each of them.  A version that was released keeps its fixture for good; the full text is
filled by that version's own triggers when its rows are put in.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
from itertools import count
from pathlib import Path

from honed.home import APPLICATION_ID
from honed.ledger import events
from honed.ledger.drafts import content_hash
from honed.ledger.model import NewEvent
from honed.store.base import Source
from honed.store.connection import database_path
from honed.store.files import KEY, create_private
from honed.store.heads import read_heads, replace_heads
from honed.store.scripts import migrations, run_script
from honed.store.sqlite import SqliteStore
from tests.store.making import (
    CART,
    OTHER_PROJECT,
    PROJECT,
    Clock,
    draft,
    evidence,
    learned,
    look,
    occasion,
)

FOLDER = Path(__file__).parent / "fixtures"
INDEX = ("skill_index", "skill_exact", "index_scopes")
"""Tables whose rows change with the rules of the index, which have a version of their own."""


def fixtures() -> dict[int, Path]:
    """The fixture of each version."""
    return {int(path.stem): path for path in sorted(FOLDER.glob("*.json"))}


class Counted:
    """Random bytes that are the same every time."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def __call__(self, size: int) -> bytes:
        return next(self._numbers).to_bytes(size, "little")


def furnish(home: str) -> None:
    """A home with something in every table, the same every time."""
    clock, hand = Clock(), Counted()
    with SqliteStore.open(home, clock=clock, entropy=hand) as store:
        seen = [("path", "/w/shop"), ("git", "/w/shop/.git"), ("remote", "forge.example/shop")]
        store.append([events.project_seen(PROJECT, "shop", seen, hand(16), "2026-03-01T09:00:00Z")])
        store.append([events.project_seen(OTHER_PROJECT, "stock", [("path", "/w/stock")], hand(16))])
        store.append([events.project_split(OTHER_PROJECT, "path", "/w/old", hand(16))])
        names = [f"part {number}" for number in range(18)]
        told = [learned(), *(learned(draft(name), slug=name, session=name) for name in names)]
        skills = [result.subject for result in store.append(told)]
        store.append(
            [evidence(skills[0], "s1", 2), evidence(skills[0], "s2", 3), evidence(skills[1], "s1", 4)]
        )
        store.append([events.revised(skills[2], draft("other words"), hand(16), reason="better")])
        store.append([events.approved(skills[0], content_hash(CART), "procedure", hand(16))])
        acts: list[NewEvent] = [
            events.by_hand("pinned", skills[1], hand(16)),
            events.by_hand("archived", skills[3], hand(16)),
            events.by_hand("forgotten", skills[4], hand(16)),
            events.configured("deliver", "approved", hand(16)),
            events.judged(
                occasion("s0", "x"), "tk_a", PROJECT, "verified", "passed", seen_to=4, check="pytest"
            ),
            events.withdrawn(occasion("s0", "w", 5), skills[5], "tk_b", "the last run failed"),
        ]
        clock.at += 3600
        store.append(acts)
        store.erase(skills[6])
        store.save_source(Source("/t/a.jsonl", "codex", "s0", 10, 20, 5, 2, 1, "aa", "1"))


def rows_of(home: str) -> dict[str, object]:
    """The rows of every plain table by name, blobs in hexadecimal."""
    kept: dict[str, object] = {}
    tables = look(
        home,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        " AND name NOT LIKE 'skill_fts%' AND name NOT LIKE 'skill_exact%' ORDER BY name",
    )
    for (table,) in tables:
        columns = [str(row[1]) for row in look(home, f"PRAGMA table_info({table})")]
        found = sorted(look(home, f"SELECT * FROM {table}"), key=repr)
        rows = [[{"hex": v.hex()} if isinstance(v, bytes) else v for v in row] for row in found]
        kept[str(table)] = {"columns": columns, "rows": rows}
    words = look(home, "SELECT doc, group_concat(term, ' ') FROM skill_entities GROUP BY doc")
    kept["skill_exact"] = {"columns": ["rowid", "value"], "rows": [list(row) for row in words]}
    return kept


def written(home: str) -> dict[str, object]:
    """A fixture: the rows, the key and the heads of a home."""
    (version,) = look(home, "PRAGMA user_version")[0]
    key = Path(home, KEY).read_bytes().hex()
    return {"schema": version, "key": key, "heads": read_heads(home), "tables": rows_of(home)}


def build(home: str, fixture: Path) -> int:
    """Make a home of a past version from its fixture; returns the version."""
    value = json.loads(fixture.read_text(encoding="utf-8"))
    os.makedirs(home, mode=0o700)
    create_private(os.path.join(home, KEY))
    Path(home, KEY).write_bytes(bytes.fromhex(value["key"]))
    replace_heads(home, {name: (seq, digest) for name, (seq, digest) in value["heads"].items()})
    connection = sqlite3.connect(database_path(home), isolation_level=None)
    try:
        for version, path in migrations():
            if version <= value["schema"]:
                run_script(connection, path)
        # The triggers of the index count up in index_scopes, whose rows say already what they come to.
        for table, there in sorted(value["tables"].items(), key=lambda item: item[0] == "index_scopes"):
            marks = ", ".join("?" * len(there["columns"]))
            statement = f"INSERT INTO {table} ({', '.join(there['columns'])}) VALUES ({marks})"
            for row in there["rows"]:
                connection.execute(
                    statement, [bytes.fromhex(v["hex"]) if isinstance(v, dict) else v for v in row]
                )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {value['schema']}")
    finally:
        connection.close()
    return int(value["schema"])


def main() -> None:
    """Write the fixture of the present version."""
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "home")
        furnish(home)
        value = written(home)
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{migrations()[-1][0]:04d}.json"
    path.write_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
