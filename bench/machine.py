"""The line that says on what a figure was measured."""

from __future__ import annotations

import datetime
import os
import platform
import sqlite3

from honed import __version__


def heading(what: str) -> str:
    """``what`` with date, machine and versions, as the first line of every table."""
    return (
        f"{what}\n{machine()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, honed {__version__}"
    )


def machine() -> str:
    """Today's date (UTC), and what the machine is."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"{today}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
