"""The ways in which `bench.mutations` changes a home behind honed's back: one function a kind.

Each is given a copied home and a source of chance, and says what it did; "" where it could do nothing.
"""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from honed.ledger.chain import GENESIS, commitment, header_hash
from honed.store import files
from honed.store.connection import database_path
from honed.store.recorded import links

APART = {
    "sources": None,
    "migrations": {"applied_at", "by_version"},
    "vectors_gone": None,
    "index_scopes": {"counted", "surveyed"},
}
"""Tables, or columns of them, that hold neither decisions nor projections, and change no answer."""
IDLE_ROWS = ("sources", "index_scopes", "vectors_gone")
"""Tables in which a row too many changes no answer."""
PAGE = 4096

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of change: applied to a copied home; says what it did, empty if it could do nothing."""

    name: str
    change: Callable[[str, random.Random], str]


def tables(connection: sqlite3.Connection) -> list[str]:
    """Every table that holds rows of its own: all but the virtual ones."""
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    )
    return [str(name) for (name,) in found]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]


@contextlib.contextmanager
def opened(home: str) -> Iterator[sqlite3.Connection]:
    """The database of a home as SQLite gives it to anybody."""
    connection = sqlite3.connect(database_path(home), isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def _pick(connection: sqlite3.Connection, chance: random.Random) -> tuple[str, str, list[Row]]:
    """A table with rows, a column of it, and two rows (maybe the same)."""
    while True:
        table = chance.choice(tables(connection))
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        if rows:
            return table, chance.choice(_columns(connection, table)), chance.choices(rows, k=2)


def _where(connection: sqlite3.Connection, table: str) -> str:
    return " AND ".join(f"{column} IS ?" for column in _columns(connection, table))


def _other(value: object, chance: random.Random) -> object:
    """A value like this one, and not it."""
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 1000))
    if isinstance(value, bytes):
        changed = bytearray(value or b"\0")
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        return bytes(changed)
    text = str(value)
    at = chance.randrange(len(text) + 1)
    return chance.choice((text[:at] + chance.choice("axz059 ") + text[at:], text[:-1] if text else "x", ""))


def _mark(table: str, column: str = "") -> str:
    """The word in front of a change that `verify` does not watch."""
    columns = APART.get(table, set())
    return "apart " if columns is None or column in columns else ""


def _short(row: Sequence[object]) -> str:
    return f"{row[:2]!r:.60}"


def _value(home: str, chance: random.Random) -> str:
    with opened(home) as connection:
        table, column, (row, _) = _pick(connection, chance)
        value = _other(row[_columns(connection, table).index(column)], chance)
        try:
            connection.execute(
                f"UPDATE {table} SET {column} = ? WHERE {_where(connection, table)}", (value, *row)
            )
        except sqlite3.IntegrityError:
            return ""
        return f"{_mark(table, column)}{table}.{column} of {_short(row)} is now {value!r:.60}"


def _exchange(home: str, chance: random.Random) -> str:
    """Two rows of a table exchange what they have in one column."""
    with opened(home) as connection:
        table, column, (one, two) = _pick(connection, chance)
        place = _columns(connection, table).index(column)
        if one[place] == two[place]:
            return ""
        where = _where(connection, table)
        try:
            connection.execute("BEGIN")
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (two[place], *one))
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (one[place], *two))
            connection.execute("COMMIT")
        except sqlite3.IntegrityError:
            return ""
        return f"{_mark(table, column)}{table}.{column} of {_short(one)} and {_short(two)} exchanged"


def _lost(home: str, chance: random.Random) -> str:
    with opened(home) as connection:
        table, _, (row, _) = _pick(connection, chance)
        connection.execute(f"DELETE FROM {table} WHERE {_where(connection, table)}", row)
        return f"{_mark(table)}a row of {table} deleted: {_short(row)}"


def _invented(home: str, chance: random.Random) -> str:
    """A row like another one, with another key."""
    with opened(home) as connection:
        table, _, (row, _) = _pick(connection, chance)
        keys = [int(info[5]) > 0 for info in connection.execute(f"PRAGMA table_info({table})")]
        made = [_other(value, chance) if key else value for value, key in zip(row, keys, strict=True)]
        try:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(made))})", made)
        except sqlite3.IntegrityError:
            return ""
        return f"{'apart ' if table in IDLE_ROWS else ''}a row of {table} invented: {_short(made)}"


def _emptied(home: str, chance: random.Random) -> str:
    with opened(home) as connection:
        table, _, _ = _pick(connection, chance)
        connection.execute(f"DELETE FROM {table}")
        return f"{_mark(table)}{table} emptied"


def _dropped(home: str, chance: random.Random) -> str:
    with opened(home) as connection:
        found = connection.execute(
            "SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'skill_fts_%'"
            " AND name NOT LIKE 'skill_exact_%'"
        ).fetchall()
        sort, name = chance.choice(found)
        connection.execute(f"DROP {sort} {name}")
        return f"{sort} {name} dropped"


def _chain(home: str, chance: random.Random) -> str:
    """Events taken away, exchanged, or given another text, and the chain made anew over it all."""
    with opened(home) as connection:
        chains: dict[str, list[tuple[int, object]]] = {}
        numbers = [int(n) for (n,) in connection.execute("SELECT n FROM events ORDER BY replica, seq")]
        known = list(zip(numbers, links(connection), strict=True))
        for n, (entry, _) in known:
            chains.setdefault(entry.replica, []).append((n, entry))
        replica = chance.choice(sorted(chains))
        there = [n for n, _ in chains[replica]]
        how = chance.choice(("truncated", "dropped", "exchanged", "rewritten"))
        at = chance.randrange(len(there))
        gone = there[at:] if how == "truncated" else [there[at]] if how == "dropped" else []
        for n in gone:
            connection.execute("DELETE FROM payloads WHERE n = ?", (n,))
            connection.execute("DELETE FROM events WHERE n = ?", (n,))
        if how == "exchanged":
            if at == 0:
                return ""
            there[at - 1], there[at] = there[at], there[at - 1]
        if how == "rewritten":
            connection.execute("UPDATE payloads SET body = replace(body, 'e', 'a') WHERE n = ?", (there[at],))
        _seal(connection, [n for n in there if n not in gone])
        return f"chain of {replica} {how} at {at + 1} of {len(there)} and made anew"


def _seal(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    connection.execute("UPDATE events SET seq = -n WHERE n IN (SELECT n FROM events)")
    previous = GENESIS
    every = {entry.id: (entry, payload) for entry, payload in links(connection)}
    for seq, n in enumerate(numbers, 1):
        (key,) = connection.execute("SELECT id FROM events WHERE n = ?", (n,)).fetchone()
        entry, payload = every[key]
        sealed = commitment(payload.salt, payload.body) if payload else entry.commitment
        fields = {name: getattr(entry, name) for name in entry.__slots__}
        entry = type(entry)(**{**fields, "seq": seq, "commitment": sealed})
        previous = header_hash(entry, previous)
        connection.execute(
            "UPDATE events SET seq = ?, commitment = ?, hash = ? WHERE n = ?",
            (seq, bytes.fromhex(sealed), bytes.fromhex(previous), n),
        )
    # The events of the other chains get their places back.
    for (n,) in connection.execute("SELECT n FROM events WHERE seq < 0 ORDER BY n").fetchall():
        connection.execute(
            "UPDATE events SET seq ="
            " (SELECT count(*) FROM events o WHERE o.replica = events.replica AND o.n <= events.n)"
            " WHERE n = ?",
            (n,),
        )


def _bytes(home: str, chance: random.Random) -> str:
    """One byte of the file."""
    with open(database_path(home), "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        at = chance.randrange(size)
        file.seek(at)
        value = file.read(1)[0] ^ (1 << chance.randrange(8))
        file.seek(at)
        file.write(bytes([value]))
    return f"byte {at} of {size} flipped"


def _pages(home: str, chance: random.Random) -> str:
    """A page lost, or two exchanged."""
    with open(database_path(home), "r+b") as file:
        pages = file.seek(0, os.SEEK_END) // PAGE
        one, two = chance.sample(range(pages), 2)
        file.seek(one * PAGE)
        content = file.read(PAGE)
        file.seek(two * PAGE)
        other = file.read(PAGE)
        zeroed = chance.random() < 0.5
        file.seek(one * PAGE)
        file.write(bytes(PAGE) if zeroed else other)
        if not zeroed:
            file.seek(two * PAGE)
            file.write(content)
    return f"page {one} of {pages} {'zeroed' if zeroed else f'exchanged with {two}'}"


def _cut(home: str, chance: random.Random) -> str:
    size = os.path.getsize(database_path(home))
    left = chance.randrange(size)
    os.truncate(database_path(home), left)
    return f"file cut from {size} to {left}"


def _beside(home: str, chance: random.Random) -> str:
    """The files outside the database."""
    name = chance.choice((files.HEAD, files.KEY))
    path = os.path.join(home, name)
    how = chance.choice(("gone", "empty", "flipped"))
    if how == "gone":
        os.unlink(path)
    elif how == "empty":
        os.truncate(path, 0)
    else:
        with open(path, "rb") as file:
            data = bytearray(file.read())
        # In each slot of the head: one of them alone is what a power cut may leave.
        for start in range(0, len(data), max(len(data) // 2, 1) if name == files.HEAD else len(data)):
            at = start + chance.randrange(24 if name == files.HEAD else len(data))
            data[at] ^= 1 << chance.randrange(7)
        with open(path, "wb") as file:
            file.write(data)
    return f"{name} {how}"


KINDS = (
    Kind("another value", _value),
    Kind("values exchanged", _exchange),
    Kind("row deleted", _lost),
    Kind("row invented", _invented),
    Kind("table emptied", _emptied),
    Kind("schema dropped", _dropped),
    Kind("chain made anew", _chain),
    Kind("byte flipped", _bytes),
    Kind("page lost or exchanged", _pages),
    Kind("file cut", _cut),
    Kind("head or key", _beside),
)
SHARES = (40, 12, 12, 10, 3, 3, 6, 8, 3, 1, 2)
