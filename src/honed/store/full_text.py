"""Are the full texts sound, and does ``skill_fts`` hold what ``skill_words`` says?  Checked on copies.

SQLite's own check of a full text is an INSERT: on the database it would take the write lock for as long as
it runs, and a store opened for reading could not run it at all.  The copy is in the TEMP schema of the same
connection, so it is of the same moment as what the caller reads.
"""

from __future__ import annotations

import sqlite3

from honed.store.connection import is_passing
from honed.store.scripts import expected_schema
from honed.store.segments import segments_fault, totals

SHADOWS = {"skill_fts": ("data", "idx", "docsize", "config"), "skill_exact": ("data", "idx", "config")}
"""The tables in which each full text lies."""


def full_text_fault(connection: sqlite3.Connection, table: str) -> str:
    """What is wrong with a full text, empty if nothing is; inside the caller's transaction."""
    (readonly,) = connection.execute("PRAGMA query_only").fetchone()
    connection.execute("PRAGMA query_only = OFF")
    connection.execute("SAVEPOINT full_text")
    try:
        return _fault(connection, table)
    finally:
        connection.execute("ROLLBACK TO full_text")
        connection.execute("RELEASE full_text")
        connection.execute(f"PRAGMA query_only = {readonly}")


def _fault(connection: sqlite3.Connection, table: str) -> str:
    definition = expected_schema()[table].replace(table, "temp.checked", 1)
    try:
        wrong = segments_fault(connection, table)
        if wrong:
            return wrong
        connection.execute("CREATE TEMP VIEW checked_words AS SELECT * FROM main.skill_words")
        connection.execute(definition.replace("'skill_words'", "'checked_words'"))
        for shadow in SHADOWS[table]:
            connection.execute(f"DELETE FROM temp.checked_{shadow}")
            connection.execute(f"INSERT INTO temp.checked_{shadow} SELECT * FROM main.{table}_{shadow}")
        connection.execute("INSERT INTO temp.checked (checked, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError as error:
        if is_passing(error):
            raise
        return str(error)
    return ""


def totals_fault(connection: sqlite3.Connection) -> str:
    """What is wrong with what ``skill_exact`` counts, empty if nothing is.

    It keeps no rows, so SQLite's own check has nothing to compare its counts with.
    """
    there = connection.execute("SELECT count(DISTINCT doc), count(*) FROM skill_entities").fetchone()
    try:
        counted = totals(connection, "skill_exact")
    except (IndexError, TypeError):
        return "what it counts cannot be read"
    return "" if [*there] == (counted or [0, 0]) else f"it counts {counted}, and {[*there]} are there"
