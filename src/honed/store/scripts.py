"""The schema as SQL files: cut into statements, and what a sound database's schema reads like."""

from __future__ import annotations

import functools
import os
import sqlite3
from collections.abc import Iterator, Mapping

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema")


def migrations(folder: str = SCHEMA) -> list[tuple[int, str]]:
    """``(version, path)`` of each migration in order: the files ``NNNN.sql``."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(".sql"))
    return [(int(name[:-4]), os.path.join(folder, name)) for name in names]


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: ``executescript`` would commit between them."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
    if any(line.strip() and not line.strip().startswith("--") for line in pending.splitlines()):
        raise ValueError(f"a migration ends inside a statement: {pending.strip()[:80]!r}")


def run_script(connection: sqlite3.Connection, path: str) -> None:
    """Execute a script inside the caller's transaction."""
    with open(path, encoding="utf-8") as file:
        for statement in statements(file.read()):
            connection.execute(statement)


def schema_of(connection: sqlite3.Connection) -> dict[str, str]:
    """The definition of every table, index, view and trigger by name, in the order they were made.

    Without what SQLite makes by itself, and the shadow tables of the full texts.
    """
    found = connection.execute(
        "SELECT name, sql FROM sqlite_master"
        " WHERE sql IS NOT NULL AND name NOT LIKE 'skill_fts_%' AND name NOT LIKE 'skill_exact_%'"
        " ORDER BY rowid"
    )
    return {str(name): str(sql) for name, sql in found}


@functools.cache
def expected_schema() -> Mapping[str, str]:
    """``schema_of`` a database on which all migrations ran and nothing else."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for _, path in migrations():
            run_script(connection, path)
        return schema_of(connection)
    finally:
        connection.close()
