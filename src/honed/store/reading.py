"""What a recall reads: one read-only connection and its few indexed queries.

On the hot path (docs/decisions/0004).  Nothing found is an empty answer; memory that cannot be read is
``UnavailableError`` (``DamagedError`` for a damaged file), and no memory at all ``NotFoundError``.
"""

from __future__ import annotations

import os

from honed.errors import NotFoundError, OutdatedError, UnavailableError
from honed.home import APPLICATION_ID, DATABASE
from honed.quick_json import loads
from honed.store.aliases import kin, resolve_project
from honed.store.engine import sqlite3
from honed.store.exact import kind_of, match_of, quoted, words_of_value
from honed.store.found import FACTS, NOWHERE, TEXTS, Counted, Facts, Indexed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence, Sized
    from typing import TypeVar

    from honed.signing.approvals import Approvals
    from honed.store.place import Place

    Answer = TypeVar("Answer")

BUSY_SECONDS = 0.25
"""How long a read waits for a lock.  With a write-ahead log it waits only while a crash is repaired."""
SCHEMA_VERSION = 16
"""The schema that these queries are right for; another one may mean something else by them."""
COUNTED = ("head", "head_stem", "body_stem", "keys", "uses")
"""The fields in which words are counted."""
NEW_READ = 64
"""Skills that the kept counts do not hold yet, and that a recall counts in itself."""
GLOBAL = ""
"""``skills.project`` of a skill that holds everywhere."""

COLUMNS = ", ".join(FACTS).replace(
    "draft", "(SELECT json_extract(body, '$.draft') FROM payloads p WHERE p.n = skills.text)"
)
_FIELDS = ", ".join(COUNTED)
_DRAFT = FACTS.index("draft")
IN_USE = "archived = 0 AND state IN ('candidate', 'proven')"
_GATE = "n id project kind state pinned approved content_hash confirmed failed session".split()
_TIMES = "julianday(s.fades_at), julianday(s.archives_at)"


class Reader:
    """One moment of memory, read only.  Use as a context manager."""

    __slots__ = ("_approvals", "_connection", "_here", "_home", "_unsigned")

    def __init__(self, connection: sqlite3.Connection, home: str = "") -> None:
        self._connection = connection
        self._home = home
        self._here = NOWHERE
        self._approvals: Approvals | None = None
        self._unsigned = False

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()

    def _ask(self, read: Callable[..., Answer], *values: object) -> Answer:
        """What ``read`` says of the database for these values, its errors in honed's words."""
        try:
            return read(self._connection, *values)
        except sqlite3.Error as error:
            raise explained(self._home, error) from error

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """The rows that a statement of this room gives.  Raises ``UnavailableError``."""
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise explained(self._home, error) from error

    def _numbers(self, statement: str, values: Sequence[object]) -> list[int]:
        """The row numbers that a statement gives, as one text: of thousands that is half the work of rows."""
        ((text,),) = self.rows(f"SELECT json_group_array(rowid) FROM ({statement})", values)
        return loads(str(text))  # type: ignore[return-value]

    def facts_in(self, rows: Iterable[Sequence[object]]) -> list[Facts]:
        """What is known of the skills in rows of ``COLUMNS``."""
        found = []
        for row in rows:
            facts = Facts(row, self._here)
            if row[_DRAFT] is None:
                # Never to be passed over: a skill that cannot be read is not one that does not fit.
                from honed.store.connection import damaged

                raise damaged(self._home, f"the text of {facts.id} is gone")
            if facts.approved and not self._is_approved(facts):
                facts.approved = ""
            found.append(facts)
        return found

    def _is_approved(self, facts: Facts) -> bool:
        """Whether an approval that a row claims holds: where approvals are signed, the signature says."""
        from honed.signing.binding import bound  # only what claims to be approved pays for it

        binding = bound(facts.approved, facts.kind, facts.content_hash, facts.told)
        facts.approved = binding[0]
        if not facts.approved or not self._holds(facts, binding):
            return False
        # What is given is the text that was approved, not what another column says of it.
        facts.title, facts.trigger_text = (str(facts.told.get(name, "")) for name in ("title", "trigger"))
        return True

    def _holds(self, facts: Facts, binding: tuple[str, str]) -> bool:
        key = binding[1]
        if self._unsigned:
            return not key
        if self._approvals is None:
            from honed.signing.pins import SETTING, is_signed

            rows = self.rows("SELECT key, value FROM settings WHERE key LIKE ?", (f"{SETTING}%",))
            keys = {str(name)[len(SETTING) :]: loads(str(value)) for name, value in rows}
            if not is_signed(self._home, keys):
                self._unsigned = True
                return not key  # it was signed, and nothing here says any more that approvals are
            from honed.signing.approvals import Approvals

            self._approvals = Approvals(self._home, keys)
        return self._approvals.holds(facts.project, facts.slug, facts.id, facts.kind, binding)

    def project(self, place: Place) -> str | None:
        """The id of the project a place belongs to, ``None`` for an unknown one.  The reader stands there."""
        found = self._ask(resolve_project, place)
        self._here = found or NOWHERE
        return found

    def named(self, name: str, here: str) -> Place:
        """The place that a folder, or the name or id of a project, means (see ``naming``)."""
        from honed.store.naming import named_place  # no hook asks for it

        return self._ask(named_place, name, here)

    def linked(self, project: str | None) -> tuple[str, ...]:
        """A project and those linked to it; none where there is none."""
        return self._ask(kin, project) if project else ()

    def _names(self, project: str | None) -> tuple[str, ...]:
        """The projects whose skills hold in a project, ``GLOBAL`` last."""
        return (*self.linked(project), GLOBAL)

    def settings(self) -> dict[str, object]:
        """The owner's settings that are events, by key; what is kept of packs is none for a hook."""
        told = "SELECT key, value FROM settings WHERE key NOT GLOB 'pack:*'"
        return {str(key): loads(str(value)) for key, value in self.rows(told)}

    def scopes(self, project: str | None) -> tuple[int, ...]:
        """The numbers under which the index keeps what holds in the project, the global skills too."""
        names = self._names(project)
        rows = self.rows(f"SELECT n FROM index_scopes WHERE project IN ({_marks(names)}) ORDER BY n", names)
        return tuple(int(str(n)) for (n,) in rows)

    def every_scope(self) -> tuple[int, ...]:
        """The numbers of all projects and of the global skills."""
        return tuple(int(str(n)) for (n,) in self.rows("SELECT n FROM index_scopes ORDER BY n"))

    def size(self, scopes: Sequence[int]) -> int:
        """How many skills the index holds in ``scopes``."""
        rows = self.rows(f"SELECT skills FROM index_scopes WHERE n IN ({_marks(scopes)})", scopes)
        return sum(int(str(skills)) for (skills,) in rows)

    def count(self, scopes: Sequence[int], words: Iterable[str]) -> dict[str, Counted]:
        """In how many skills of ``scopes`` each of ``words`` stands, by field."""
        found = {word: Counted() for word in words}
        for scope in scopes:
            kept = self._kept_counts(scope, found)
            terms = [f"{scope}_{word}" for word in found if word not in kept]
            rows = self.rows(f"SELECT term, col, doc FROM skill_vocab WHERE term IN ({_marks(terms)})", terms)
            for term, column, documents in rows:
                counted, name = found[str(term).partition("_")[2]], str(column)
                setattr(counted, name, getattr(counted, name) + int(str(documents)))
        return found

    def _kept_counts(self, scope: int, found: dict[str, Counted]) -> set[str]:
        """Add to ``found`` what is kept of its words (``counting``), and what was not counted in yet; returns
        for which words.  None while so much is new that counting afresh is less work."""
        rows = self.rows(
            f"SELECT word, {_FIELDS} FROM word_counts WHERE scope = ? AND word IN ({_marks(found)})",
            (scope, *found),
        )
        if not rows:
            return set()
        new = self.rows(
            f"SELECT {_FIELDS} FROM skill_index INDEXED BY skill_index_scope"
            " WHERE scope = ?1 AND n > (SELECT counted FROM index_scopes WHERE n = ?1) LIMIT ?2",
            (scope, NEW_READ + 1),
        )
        if len(new) > NEW_READ:
            return set()
        kept = {str(word) for word, *_ in rows}
        for word, *counts in rows:
            counted = found[str(word)]
            for name, count in zip(COUNTED, counts, strict=True):
                setattr(counted, name, getattr(counted, name) + int(str(count)))
        for texts in new:
            for name, text in zip(COUNTED, texts, strict=True):
                for word in kept.intersection(str(text).split(" ")):
                    setattr(found[word], name, getattr(found[word], name) + 1)
        return kept

    def having(self, scopes: Sequence[int], fields: Sequence[tuple[str, str]]) -> list[int]:
        """The row numbers of skills of ``scopes`` that have one of the ``(field, word)`` pairs."""
        match = " OR ".join(
            f"{field} : {quoted(f'{scope}_{word}')}" for field, word in fields for scope in scopes
        )
        return self._numbers("SELECT rowid FROM skill_fts WHERE skill_fts MATCH ?", (match,))

    def exact(self, scopes: Sequence[int], kinds: Sequence[str], value: str, limit: int) -> list[int]:
        """The row numbers of skills that have an entity of one of ``kinds``, in a scope the ``limit`` that
        proved themselves most."""
        found: list[int] = []
        for scope in scopes:
            rows = self.rows(
                "SELECT term, doc FROM skill_entities WHERE term >= ? AND term < ? LIMIT ?",
                (*words_of_value(scope, value), limit + 1),
            )
            if len(rows) <= limit:
                found += [int(str(n)) for word, n in rows if kind_of(str(word)) in kinds]
                continue
            from honed.store.strongest import naming  # few things are known to so many

            found += self.proved((scope,), self._ask(naming, scope, kinds, value), limit)
        return found

    def proved(self, scopes: Sequence[int], rows: Sequence[int], limit: int) -> list[int]:
        """Of row numbers of skills of ``scopes`` the ``limit`` that proved themselves most often and last."""
        if len(rows) <= limit:
            return list(rows)
        from honed.store.strongest import among  # as above

        return self._ask(among, scopes, rows, limit)

    def naming(self, scopes: Sequence[int], kind: str, value: str, limit: int) -> list[int]:
        """The row numbers of at most ``limit`` skills of ``scopes`` that have this very entity."""
        match = match_of(scopes, kind, value)
        return self._numbers(
            "SELECT rowid FROM skill_exact WHERE skill_exact MATCH ? LIMIT ?", (match, limit)
        )

    def longest(self, rows: Sequence[int], count: int) -> list[int]:
        """Of these row numbers the ``count`` with the longest bodies; ties by the skill's id."""
        found = self.rows(
            "SELECT i.n FROM skill_index i JOIN skills s ON s.n = i.n"
            " WHERE i.n IN (SELECT value FROM json_each(?)) ORDER BY i.body_words DESC, s.id LIMIT ?",
            (f"[{','.join(map(str, rows))}]", count),
        )
        return [n for (n,) in found]  # type: ignore[misc]

    def longest_of_many(self, scopes: Sequence[int], rows: Iterable[int], count: int) -> list[int]:
        """``longest`` of row numbers of ``scopes`` that are too many to look up.  Ties by what they say, then
        by id."""
        from honed.store.longest import longest  # few requests are so common

        found = self._ask(longest, scopes, frozenset(rows), count)
        return found if len(found) <= count else self.longest(found, count)

    def indexed(self, rows: Sequence[int]) -> list[Indexed]:
        """The words of the skills with these row numbers."""
        texts, columns = ", ".join(f"i.{name}" for name in TEXTS), ", ".join(f"s.{name}" for name in _GATE)
        return [
            Indexed(row)
            for row in self.rows(
                f"SELECT {texts}, i.body_words, {columns}, {_TIMES}"
                f" FROM skill_index i JOIN skills s ON s.n = i.n WHERE i.n IN ({_marks(rows)})",
                rows,
            )
        ]

    def in_order(self, sessions: Sequence[str], limit: int) -> list[tuple[str, int]]:
        """``(session, row number)`` of at most ``limit`` skills that were learned in one of ``sessions``, as
        they were learned."""
        rows = self.rows(
            "SELECT session, n FROM skills INDEXED BY skills_session"
            f" WHERE session IN ({_marks(sessions)}) AND session <> ''"
            " ORDER BY session, learned_at, id LIMIT ?",
            (*sessions, limit),
        )
        return [(str(session), int(str(n))) for session, n in rows]

    def approved_rules(self, project: str | None, limit: int) -> list[Facts]:
        """Rules in force in the project and everywhere that the owner approved, the first learned first."""
        found = []
        for name in self._names(project):
            found += self.rows(
                f"SELECT {COLUMNS} FROM skills INDEXED BY skills_rules"
                f" WHERE project = ? AND kind = 'rule' AND approved <> '' AND {IN_USE}"
                " ORDER BY learned_at, id LIMIT ?",
                (name, limit),
            )
        return self.facts_in(found)

    def by_ids(self, ids: Sequence[str]) -> list[Facts]:
        """Skills in use with these ids, in the order of ``ids``."""
        statement = f"SELECT {COLUMNS} FROM skills WHERE id IN ({_marks(ids)}) AND {IN_USE}"
        found = {facts.id: facts for facts in self.facts_in(self.rows(statement, ids))}
        return [found[one] for one in ids if one in found]

    def facts(self, rows: Sequence[int]) -> dict[int, Facts]:
        """What is known of the skills with these row numbers."""
        statement = f"SELECT {COLUMNS} FROM skills WHERE n IN ({_marks(rows)})"
        return {facts.n: facts for facts in self.facts_in(self.rows(statement, rows))}


def open_readonly(home: str) -> Reader:
    """Open the memory in ``home`` for reading; it is never made or changed.

    Raises ``NotFoundError`` where there is none yet, ``UnavailableError`` where it cannot be read, and of
    that ``OutdatedError`` for the schema of an older honed.
    """
    path = os.path.join(os.path.abspath(home), DATABASE)
    try:
        # Looked at, never opened: closing a file drops every POSIX lock this process has on it, also those
        # of a store that is open here, and another process would take the database apart under it.
        size = os.stat(path).st_size
    except FileNotFoundError:
        size = 0
    except OSError as error:
        raise UnavailableError(f"cannot read {path}: {error.strerror}") from error
    if not size:
        from honed.store.connection import missing  # only a failed read pays for it

        raise missing(home)  # a beginning, or a loss where there was one
    if not os.access(path, os.R_OK):
        raise UnavailableError(f"cannot read {path}: permission denied")
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    if os.name == "nt":
        escaped = "/" + escaped.replace("\\", "/")
    # Without a journal none is missed, and where no shared-memory file can be made the rest is read as it is.
    fixed = f"file:{escaped}?mode=ro&immutable=1"
    if not os.path.exists(f"{path}-wal") and not os.access(os.path.dirname(path), os.W_OK):
        return _opened(home, fixed)
    try:
        return _opened(home, f"file:{escaped}?mode=ro")
    except UnavailableError as error:
        journal = f"{path}-wal"
        # SQLITE_IOERR, _FULL, _CANTOPEN: it could make or lengthen no file, for the disk is full.
        wants_room = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF in (10, 13, 14)
        if not wants_room or (os.path.exists(journal) and os.path.getsize(journal)):
            raise
    return _opened(home, fixed)


def _opened(home: str, address: str) -> Reader:
    try:
        connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    except sqlite3.Error as error:
        raise explained(home, error) from error
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")  # all reads see one moment
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version != SCHEMA_VERSION:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if application == APPLICATION_ID and 0 < version < SCHEMA_VERSION:
                raise OutdatedError.of(os.path.join(os.path.abspath(home), DATABASE), version)
            from honed.store.migrate import refuse  # only a refused read pays

            refuse(connection, home)
        connection.execute("SELECT 1 FROM skill_index LIMIT 1")
    except sqlite3.Error as error:
        connection.close()
        raise explained(home, error) from error
    except (NotFoundError, UnavailableError):
        connection.close()
        raise
    return Reader(connection, home)


def explained(home: str, error: sqlite3.Error) -> UnavailableError:
    """The error of ours that says what is wrong with the memory in ``home``."""
    from honed.store.connection import explain  # only a failed read pays for it

    return explain(home, error) or UnavailableError(
        f"memory at {home} could not be read ({error}); `honed doctor` says what is wrong"
    )


def _marks(rows: Sized) -> str:
    return ", ".join("?" * len(rows))
