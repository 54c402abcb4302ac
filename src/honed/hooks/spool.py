"""What hooks did, one line each, in a file per session: ``<home>/spool/<session>.jsonl``.

A hook never takes the database's write lock.  It appends one line of at most 4 KB here (``O_APPEND``, so
hooks that run at once do not mix their lines), and reads the file's tail to know what the session was
given already.  A line holds numbers, ids and honed's own words, never text of a payload, so there is
nothing in it to redact.  This works while the database is locked, read-only or broken; where nothing can
be written at all the hook goes on without.  On the hot path (docs/decisions/0004).

    {"t": 1777886400, "e": "prompt", "a": "codex", "r": "gave", "n": 210, "sum": 540, "ids": {"sk_x": 1}}

``t`` epoch seconds, ``e`` event, ``a`` agent, ``r`` what came of it (``RESULTS``), ``w`` why in words,
``n`` tokens given, ``sum`` tokens given in the session so far, ``ids`` skills by version, ``how`` grade and
score of each (``r0.81``), ``g`` the sub-agent, ``m`` milliseconds, ``c`` which
call of an MCP server it was, ``x`` the arm of an experiment (``holding``).  Lines of ``gave`` and ``held``
become receipts (``honed.receipts``); they are written before anything is said (``claim``).
"""

from __future__ import annotations

import os

from honed.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from honed.hooks.giving import Given

FOLDER = "spool"
RESULTS = ("quiet", "gave", "held", "noted", "skipped", "failed")
"""``quiet`` nothing to say, ``gave`` text given, ``held`` text chosen and held back by the experiment,
``noted`` something remembered for a later hook, ``skipped`` not a case for a hook (and why), ``failed``
something is wrong (and what)."""
LOST = "lost"
"""In place of ``gave`` and ``held``, as long as they, in a line of what was not said (``take_back``)."""
LINE_LIMIT = 4096
"""Bytes of one line."""
TASK = "task"
"""In place of a sub-agent's id: what was put into its task before it began."""
TAIL_LIMIT = 256 * 1024
"""Bytes of a session's file that are read."""
_SPEAKING = (b'"gave"', b'"held"', b'"noted"')
"""What a line holds of which a session's ``Past`` consists; most are of hooks that had nothing to say."""
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


class Past:
    """What a session was given so far, as far as one (sub-)agent's context still holds it.

    ``given`` are skills by version; since a compaction they count as not given.  ``active`` are those of
    the last note; ``spent`` tokens of the whole session; ``counts`` how often each event gave something;
    ``waiting`` the skills that the next sub-agent is to be given; ``arm`` of the experiment, -1 where
    something was given before there was one, ``None`` where nothing is said.  What was held back counts as
    given: so both arms go on alike.  ``end`` is how many bytes of the file were there when it was read.
    """

    __slots__ = ("active", "arm", "counts", "end", "given", "spent", "waiting")

    def __init__(self) -> None:
        self.given: dict[str, int] = {}
        self.active: dict[str, int] = {}
        self.waiting: dict[str, int] = {}
        self.counts: dict[str, int] = {}
        self.spent = self.end = 0
        self.arm: int | None = None

    def remember(self, given: Given) -> None:
        """From now on ``given`` was given."""
        self.spent += given.tokens
        self.given |= given.ids


def path_of(home: str, session: str) -> str:
    """Where the lines of a session are; whatever its id holds, it is a file of the spool folder."""
    return os.path.join(home, FOLDER, name_of(session) + ".jsonl")


def name_of(session: str) -> str:
    """A session's id as its file is named, and receipts name it."""
    return session if 0 < len(session) <= 80 and _SAFE.issuperset(session) else _spelled(session)


def _spelled(session: str) -> str:
    if not session:
        return "none"
    from binascii import crc32

    raw = session.encode("utf-8", "surrogatepass")
    return f"x{raw[:24].hex()}-{len(raw)}-{crc32(raw):08x}"


def append(home: str, session: str, line: Mapping[str, object]) -> bool:
    """Add one line; ``False`` where nothing can be written.  Never raises."""
    try:
        handle = _open(home, path_of(home, session), os.O_WRONLY)
        try:
            os.write(handle, _text(line))
        finally:
            os.close(handle)
    except OSError:
        return False
    return True


def _text(line: Mapping[str, object]) -> bytes:
    text = dumps(line)
    if len(text) >= LINE_LIMIT:
        text = dumps({key: value for key, value in line.items() if key not in ("ids", "how", "w")})
    return text.encode("ascii") + b"\n"


def _open(home: str, path: str, how: int) -> int:
    """A spool file to append to, with its folder where ``home`` is there.  Raises ``OSError``."""
    flags = how | os.O_APPEND | os.O_CREAT | _PLAIN
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        if not os.path.isdir(home):
            raise
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)  # another hook may have been first
        return os.open(path, flags, 0o600)


def past(home: str, session: str, subagent: str = "") -> Past:
    """What ``session`` was given, seen from its sub-agent ``subagent`` (empty: from itself)."""
    found = Past()
    data, found.end = _tail(path_of(home, session))
    for line in read_lines(data, _SPEAKING):
        _add(found, line, subagent)
    return found


class Claim:
    """A line that was written before what it tells of was said: ``first`` whether nobody stands before us.

    ``at`` is where its ``text`` begins in the file; negative where nothing could be written.
    """

    __slots__ = ("at", "first", "path", "text")

    def __init__(self, path: str, text: bytes) -> None:
        self.path = path
        self.text = text
        self.at = -1
        self.first = True


def claim(home: str, session: str, since: Past, subagent: str, line: Mapping[str, object]) -> Claim:
    """Add ``line``, of what is to be given, and see who is the first to say it.  Never raises.

    Clients run the hooks of several tool calls at once, and each of them finds the same to say.  So each
    writes down first that it says it, then looks whether all of it stands before its line, in what came
    since ``since`` was read.  Appending is one step, so all see one order, and one of them is the first.  A
    hook that dies between its line and its answer loses a note; nobody says one twice.
    """
    made = Claim(path_of(home, session), _text(line))
    try:
        handle = _open(home, made.path, os.O_RDWR)
        try:
            os.write(handle, made.text)
            made.at = os.lseek(handle, 0, os.SEEK_CUR) - len(made.text)
            begin = since.end if since.end <= made.at else 0  # else the file was cut meanwhile
            begin = max(begin, made.at - TAIL_LIMIT)
            os.lseek(handle, begin, os.SEEK_SET)
            data = os.read(handle, made.at - begin) if begin < made.at else b""
        finally:
            os.close(handle)
    except OSError:
        return made
    meanwhile, ids = Past(), _ids(line)
    for other in read_lines(data, _SPEAKING):
        _add(meanwhile, other, subagent)
    made.first = not ids or any(meanwhile.given.get(one) != version for one, version in ids.items())
    return made


def take_back(made: Claim) -> None:
    """Say in a line that what it tells of was not said.  Never raises."""
    if made.at < 0:
        return
    try:
        handle = os.open(made.path, os.O_RDWR | _PLAIN)  # one that appends would write at the end
        try:
            os.lseek(handle, made.at, os.SEEK_SET)
            if os.read(handle, len(made.text)) == made.text:
                word = max(made.text.find(b'"r":"%s"' % one) for one in (b"gave", b"held"))
                os.lseek(handle, made.at + word + len(b'"r":"'), os.SEEK_SET)
                os.write(handle, LOST.encode())
        finally:
            os.close(handle)
    except OSError:
        pass


def _add(found: Past, line: Mapping[str, object], subagent: str) -> None:
    tokens, total = line.get("n"), line.get("sum")
    found.spent += tokens if isinstance(tokens, int) else 0
    if isinstance(total, int):
        found.spent = max(found.spent, total)
    event, result = str(line.get("e")), line.get("r")
    ids = _ids(line)
    arm = line.get("x", -1)
    if result in ("gave", "held") and isinstance(arm, int) and arm in (-1, 0, 1) and found.arm is None:
        found.arm = int(arm)
    if result in ("gave", "held"):
        if line.get("g") != TASK:
            found.counts[event] = found.counts.get(event, 0) + 1
        if event == "subagent-start":
            found.waiting = {}
        if line.get("g", "") == subagent:
            found.given.update(ids)
            if event in ("prompt", "session-start"):
                # Marks with a "#" are of no skill: nothing that a compaction could take away.
                skills = {one: version for one, version in ids.items() if "#" not in one}
                found.active = skills or found.active
    elif result == "noted" and event == "pre-compact":
        if line.get("g", "") == subagent:
            found.given = {}
    elif result == "noted" and event == "pre-tool":
        found.waiting = ids


def _ids(line: Mapping[str, object]) -> dict[str, int]:
    ids = line.get("ids")
    pairs = ids.items() if isinstance(ids, dict) else ()
    return {key: version for key, version in pairs if isinstance(version, int)}


def last(home: str, session: str) -> dict[str, object]:
    """The last line of a session; empty where there is none."""
    found = lines(path_of(home, session), limit=2 * LINE_LIMIT)
    return found[-1] if found else {}


def lines(path: str, holding: tuple[bytes, ...] = (b"",), limit: int = TAIL_LIMIT) -> list[dict[str, object]]:
    """What hooks did: the lines in the last ``limit`` bytes of a spool file that hold one of ``holding``,
    without those that were taken back."""
    return [line for line in read_lines(_tail(path, limit)[0], holding) if line.get("r") != LOST]


def read_lines(data: bytes, holding: tuple[bytes, ...] = (b"",)) -> list[dict[str, object]]:
    """The lines of ``data`` that hold one of ``holding``; what is no line of ours is passed over."""
    found = []
    for line in data.split(b"\n"):
        if not line or not any(part in line for part in holding):
            continue
        try:
            value = loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _tail(path: str, limit: int = TAIL_LIMIT) -> tuple[bytes, int]:
    """The whole lines among the last ``limit`` bytes of a file, and its size; nothing of one that cannot be
    read."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > limit:
                file.seek(size - limit)
                file.readline()
            return file.read(limit), size
    except OSError:
        return b"", 0


def cut(path: str) -> None:
    """Leave of a spool file the end that is read, and its time.  Raises ``OSError``; then it is as it was."""
    status, kept = os.stat(path), _tail(path)[0]
    if not kept:
        return
    temporary = f"{path}.{os.getpid()}.new"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(kept)
        os.utime(temporary, ns=(status.st_atime_ns, status.st_mtime_ns))
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
