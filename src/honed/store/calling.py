"""Calls of a model, counted by who makes them before they are made.

A host may take every variable away, or run honed's hooks inside the very call; so what bounds the calls is
kept here, under the write lock, and nowhere else.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from honed.ledger.canonical import format_instant, parse_instant

PATIENCE = 600
"""Seconds after which a call that never ended is over: who made it is gone."""
KEEP = 400
"""Rows that stay; a day has fewer that count."""
COUNTED = ("running", "done", "failed")
_COLUMNS = "n, at, ended, state, why, tokens"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a model, or the refusal of one: ``state`` is running, done, failed, refused (a bound of the
    day) or nested (another one was running, or had just ended), ``why`` says more.  ``tokens`` count for the
    day.  Times are ISO-8601 UTC; ``ended`` is empty while it runs."""

    n: int
    at: str
    ended: str
    state: str
    why: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most calls and tokens of a day (UTC), and for how many seconds after one no other is begun."""

    calls: int
    tokens: int
    grace: int = 0


class Calling:
    """What a store keeps of the calls of a model; ``SqliteStore`` is one."""

    _connection: sqlite3.Connection
    _now: Callable[[], str]
    _reading: Callable[[], contextlib.AbstractContextManager[None]]
    _writing: Callable[[], contextlib.AbstractContextManager[None]]

    def begin_call(self, bounds: Bounds, tokens: int) -> Call:
        """Count a call of about ``tokens``, before it is made; or refuse it.

        Returns a ``Call`` whose state is running, or the refusal; both are on disk then.
        """
        with self._writing():
            now = self._now()
            refusal = _refusal(self._connection, bounds, tokens, now)
            state, why = refusal or ("running", "")
            call = Call(0, now, now if refusal else "", state, why, 0 if refusal else tokens)
            added = self._connection.execute(
                "INSERT INTO model_calls (at, ended, state, why, tokens) VALUES (?, ?, ?, ?, ?)",
                (call.at, call.ended, call.state, call.why, call.tokens),
            )
            number = added.lastrowid or 0
            self._connection.execute("DELETE FROM model_calls WHERE n <= ?", (number - KEEP,))
        return Call(number, call.at, call.ended, call.state, call.why, call.tokens)

    def end_call(self, number: int, *, tokens: int, failure: str = "", answered: Sequence[str] = ()) -> None:
        """Say how a call ended: what it took, why it came to nothing (empty: it did not), and about which
        skills the model ``answered``: none where no answer came, and those may be asked about again."""
        with self._writing():
            now = self._now()
            self._connection.execute(
                "UPDATE model_calls SET ended = ?, state = ?, why = ?, tokens = ? WHERE n = ?",
                (now, "failed" if failure else "done", failure, tokens, number),
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO model_asked (skill, at) VALUES (?, ?)",
                [(skill, now) for skill in answered],
            )

    def refuse_nested(self, grace: int) -> Call | None:
        """Note that another start was tried while a call runs, or within ``grace`` seconds after one."""
        with self._reading():
            if _nested(self._connection, grace, self._now()) is None:
                return None
        call = self.begin_call(Bounds(0, 0, grace), 0)
        return call if call.state == "nested" else None

    def calls(self, since: str = "") -> tuple[Call, ...]:
        """The calls and refusals from ``since`` on, the last one first."""
        with self._reading():
            rows = self._connection.execute(
                f"SELECT {_COLUMNS} FROM model_calls WHERE at >= ? ORDER BY n DESC", (since,)
            ).fetchall()
        return tuple(Call(*row) for row in rows)

    def calls_today(self) -> tuple[Call, ...]:
        """Those of the day (UTC), the last one first."""
        return self.calls(self._now()[:10])

    def asked_for(self, skills: Sequence[str]) -> Iterator[str]:
        """Those of ``skills`` about which a model answered already, or that have a text of one."""
        with self._reading():
            for skill in skills:
                known = self._connection.execute(
                    "SELECT 1 FROM model_asked WHERE skill = ? UNION ALL"
                    " SELECT 1 FROM events WHERE subject = ? AND actor = 'model' LIMIT 1",
                    (skill, skill),
                ).fetchone()
                if known:
                    yield skill


def _refusal(connection: sqlite3.Connection, bounds: Bounds, tokens: int, now: str) -> tuple[str, str] | None:
    nested = _nested(connection, bounds.grace, now)
    if nested:
        return "nested", nested
    places = ", ".join("?" * len(COUNTED))
    calls, spent = connection.execute(
        f"SELECT count(*), coalesce(sum(tokens), 0) FROM model_calls WHERE at >= ? AND state IN ({places})",
        (now[:10], *COUNTED),
    ).fetchone()
    if calls >= bounds.calls:
        return "refused", f"the day's {bounds.calls} calls are used up (models.calls)"
    if spent + tokens > bounds.tokens:
        left = max(0, bounds.tokens - spent)
        return "refused", f"{tokens} tokens are more than the {left} that the day has left (models.tokens)"
    return None


def _nested(connection: sqlite3.Connection, grace: int, now: str) -> str | None:
    """Why no call may begin now, or ``None``: one runs, or ended a moment ago."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM model_calls WHERE state IN ('running', 'done', 'failed') ORDER BY n DESC"
    ).fetchone()
    if row is None:
        return None
    last = Call(*row)
    if not last.ended and last.at > _before(now, PATIENCE):
        return f"a call was running, begun at {last.at}"
    if last.ended and grace and last.ended > _before(now, grace):
        return f"a call had ended a moment before, at {last.ended}"
    return None


def _before(now: str, seconds: int) -> str:
    return format_instant(parse_instant(now) - timedelta(seconds=seconds))
