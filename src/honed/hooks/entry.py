"""The one entry that every hook command starts: payload on standard input, the client's answer on standard
output, exit status 0 whatever happens.

What goes wrong ends in an empty answer and one line in the spool, which ``honed doctor`` shows.  On the
hot path (docs/decisions/0004): nothing is imported that this one event does not need.
"""

from __future__ import annotations

import os
import sys
import time

from honed import patterns
from honed.agents.wire import LONGEST_CONTEXT, WIRES, Fired, answer
from honed.errors import HonedError, NotFoundError, OutdatedError
from honed.home import is_within
from honed.hooks import spool
from honed.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from honed.agents.wire import Wire
    from honed.hooks.giving import Given
    from honed.hooks.spool import Past

STDIN_LIMIT = 1024 * 1024
"""Bytes of a payload; a longer one is not looked at."""
NOTIFY = "notify"
"""The event of a client without hooks: what it says is the last argument, not on standard input."""
ENDINGS = ("stop", "subagent-stop", "session-end", NOTIFY)
"""Events after which the transcript is read."""
UNWELL = "#unwell"
"""By what a session's lines remember that its user was told that memory is unavailable."""


class _SkippedError(Exception):
    """Not a case for a hook; the message says why."""


class _BadPayloadError(Exception):
    """What came on standard input is no payload; the message says why."""


def main(argv: Sequence[str], home: str = "") -> int:
    """Run one hook: ``EVENT --agent NAME [--home DIR]``, for ``notify`` with the client's JSON behind it.
    Returns 0, whatever happens.

    ``home`` is the memory's folder where the caller knows it (the shim does).
    """
    event, agent, home = _arguments(argv, home)
    if home:
        patterns.use(home)
    answered(event, agent, home, (lambda: _notified(argv)) if event == NOTIFY else _payload, _print)
    if home:
        patterns.keep(home)
    return 0


def answered(
    event: str, agent: str, home: str, payload: Callable[[], Mapping[str, object]], say: Callable[[str], bool]
) -> None:
    """Answer one hook, and leave one line in the spool.  Never raises.

    ``payload`` gives what the client says, or raises; ``say`` takes the answer, if there is one, and returns
    whether it arrived.
    """
    started = time.time()
    line: dict[str, object] = {"t": int(started), "e": event, "a": agent}
    session, text, claimed = "", "", None
    try:
        wire = WIRES.get(agent)
        if wire is None or not (event in wire.names or (event == NOTIFY and wire.notifies)):
            raise _BadPayloadError(f"{agent or 'no agent'} has no hook {event or '(none named)'}")
        fired = _fired(wire, event, payload())
        session = fired.session
        text, claimed = _answered(home, fired, line, started)
    except _SkippedError as reason:
        line.update(r="skipped", w=str(reason))
    except NotFoundError:
        line.update(r="quiet", w="nothing has been learned yet")
    except OutdatedError:
        line.update(r="failed", w=_brought_up(home, event))
    except (HonedError, _BadPayloadError) as error:
        line.update(r="failed", w=_told(error))
        text = _unhealthy(home, session, event, error)
        if text:
            line["ids"] = {UNWELL: 1}
    except BaseException as error:
        line.update(r="failed", w=_place_of(error))
    if text and not say(text):
        if claimed:
            spool.take_back(claimed)
            claimed = None
        _unsaid(line, "failed", "the client closed its end before the answer")
    line["m"] = _milliseconds(started)
    if home and not claimed:
        spool.append(home, session, line)


def _milliseconds(started: float) -> int:
    return int((time.time() - started) * 1000)


def _unsaid(line: dict[str, object], result: str, why: str) -> None:
    """Have ``line`` tell of nothing given."""
    for name in ("ids", "how", "n", "sum", "x"):
        line.pop(name, None)
    line.update(r=result, w=why)


def _brought_up(home: str, event: str) -> str:
    """See that a memory of an older honed is brought up to date, behind the client; says so for the spool."""
    told = "the memory is of an older honed"
    if event not in ("session-start", "prompt"):
        return told
    from honed.hooks.starting import start_worker

    try:
        return f"{told}; {start_worker(home)}"
    except OSError:
        return f"{told}, and nothing can be written"


def _told(error: Exception) -> str:
    """What went wrong, for the spool: a file's name or a setting in it may hold a secret."""
    from honed.skills.redact import redact

    return redact(str(error))[:400]


def _arguments(argv: Sequence[str], home: str) -> tuple[str, str, str]:
    """Event, agent and home; what cannot be understood is left empty."""
    words = list(argv)
    named = {"--agent": "", "--home": home}
    event = ""
    while words:
        word = words.pop(0)
        option, _, value = word.partition("=")
        if option in named:
            named[option] = value or (words.pop(0) if words and "=" not in word else "")
        elif not word.startswith("-") and not event:
            event = word
    if not named["--home"]:
        from honed.home import default_home

        named["--home"] = default_home()
    return event[:40], named["--agent"].replace("-", "_")[:40], os.path.abspath(named["--home"])


def _payload() -> Mapping[str, object]:
    raw = _read()
    if len(raw) > STDIN_LIMIT:
        raise _SkippedError(f"a payload of more than {STDIN_LIMIT} bytes")
    try:
        payload = loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise _BadPayloadError("the payload is no JSON") from error
    if not isinstance(payload, dict):
        raise _BadPayloadError("the payload is no JSON object")
    return payload


def _notified(argv: Sequence[str]) -> Mapping[str, object]:
    """The payload of a client's ``notify`` program."""
    from honed.hooks.rollouts import payload

    try:
        told = payload(argv, os.environ)
    except (ValueError, RecursionError) as error:
        raise _BadPayloadError("the payload is no JSON object") from error
    if not told:
        raise _SkippedError("not the end of a turn")
    return told


def _fired(wire: Wire, event: str, payload: Mapping[str, object]) -> Fired:
    fired = Fired(wire, event, payload)
    if not os.path.isabs(fired.cwd) or "\0" in fired.cwd:
        fired.cwd = _folder()
    return fired


def _read() -> bytes:
    """Standard input, at most a little more than ``STDIN_LIMIT`` bytes of it."""
    pieces, size = [], 0
    while size <= STDIN_LIMIT:
        piece = os.read(0, 65536)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.sep


def _answered(
    home: str, fired: Fired, line: dict[str, object], started: float
) -> tuple[str, spool.Claim | None]:
    """What is printed for ``fired``; says in ``line`` what came of it, and returns its claim if it stands in
    the spool already."""
    if fired.subagent:
        line["g"] = fired.subagent[:80]
    if is_within(fired.cwd, home):
        # A client that was asked to distill: it is given nothing, and nothing is learned of it.
        raise _SkippedError("a session in honed's own folder")
    if fired.event in ENDINGS:
        from honed.hooks.starting import start_absorber

        line.update(r="quiet", w=start_absorber(home, fired.transcripts))
        return "", None
    if fired.event == "pre-compact":
        line["r"] = "noted"
        return "", None
    subagent = str(line.get("g", ""))
    past = spool.past(home, fired.session, subagent)
    spent, told = past.spent, _for_the_user(home, fired)
    besides = {"systemMessage": told} if told else {}
    given = _given(home, fired, past)
    if not given.text:
        line["r"] = "quiet"
        return dumps(besides) if told else "", None
    line["ids"] = dict(given.ids)
    if given.how:
        line["how"] = dict(given.how)
    if given.silently:
        line["r"] = "noted"
        return "", None
    if fired.task:
        line["g"] = spool.TASK
    line.update(r="gave", n=given.tokens, sum=spent + given.tokens)
    given = _drawn(home, fired.session, past, line, given)
    text = dumps({**answer(fired, given.text[:LONGEST_CONTEXT]), **besides}) if given.text else ""
    text = text or (dumps(besides) if told else "")
    if fired.task:  # tasks are sub-agents' own
        return text, None
    line["m"] = _milliseconds(started)
    claimed = spool.claim(home, fired.session, past, subagent, line)
    if claimed.first:
        return text, claimed
    spool.take_back(claimed)
    _unsaid(line, "quiet", "another hook said it at the same time")
    return dumps(besides) if told else "", None


def _drawn(home: str, session: str, past: Past, line: dict[str, object], given: Given) -> Given:
    """What of ``given`` is given: all of it, unless the lot of an experiment holds it back from the session.

    Then ``line`` says what was chosen as if it were given, and what is never held back is left.
    """
    if past.arm not in (0, 1) and not _is_set(home, b'"experiment.'):
        return given
    from honed.hooks import holding
    from honed.hooks.giving import NOTHING

    arm, kept = holding.arm_of(home, session, past), given.always or NOTHING
    if arm is None:
        return given
    line["x"] = arm if given.tokens > kept.tokens else holding.NEITHER
    if line["x"] != holding.HELD:
        return given
    if not kept.text:
        line.update(r="held", w="held back by the experiment")
        return kept
    rest = {one: version for one, version in given.ids.items() if one not in kept.ids}
    how = {one: value for one, value in given.how.items() if one not in kept.how}
    apart = {**line, "r": "held", "ids": rest, "how": how, "n": given.tokens - kept.tokens}
    claimed = spool.claim(home, session, past, str(line.get("g", "")), apart)
    if not claimed.first:
        spool.take_back(claimed)
    line.update(ids=dict(kept.ids), how=dict(kept.how), n=kept.tokens, x=holding.NEITHER)
    return kept


def _given(home: str, fired: Fired, past: Past) -> Given:
    from honed.hooks.giving import BY_EVENT, joined

    if fired.event == "prompt":
        _refuse_machine_made(fired)
    reminded = _reminded(home, fired, past)
    try:
        given = BY_EVENT[fired.event](home, fired, past)
    except NotFoundError:
        if not reminded.text:
            raise
        return reminded
    return joined(given, reminded) if reminded.text else given


def _reminded(home: str, fired: Fired, past: Past) -> Given:
    """The reminder to look things up, once a session, where the owner switched it on."""
    from honed.hooks.giving import NOTHING, SESSION_TOKENS, Given

    if fired.event != "prompt" or not _is_set(home, b'"remind.'):
        return NOTHING
    from honed.hooks.extras import REMINDED, REMINDER_TOKENS, reminder

    if REMINDED in past.given or past.spent + REMINDER_TOKENS > SESSION_TOKENS:
        return NOTHING
    text = reminder(home, fired)
    given = Given(text, REMINDER_TOKENS, {REMINDED: 1}) if text else NOTHING
    given.always = given if text else None
    past.remember(given)
    return given


def _is_set(home: str, key: bytes) -> bool:
    """Whether the settings' file names a key that begins so; what is not switched on is not even loaded."""
    try:
        with open(os.path.join(home, "config.json"), "rb", 0) as file:
            return key in file.read(STDIN_LIMIT)
    except OSError:
        return False


def _for_the_user(home: str, fired: Fired) -> str:
    """What the user, not the model, is told at a session's start: what is wrong with honed, and which of
    their MCP servers is missing."""
    if fired.event != "session-start" or fired.source not in ("", "startup", "resume"):
        return ""
    told = []
    last = spool.last(home, "absorber")
    if last.get("r") == "failed":
        told.append(f"honed: learning stopped ({last.get('w')}). `honed doctor` says more.")
    if _is_set(home, b'"remind.'):
        from honed.hooks.extras import missing_servers

        missing = missing_servers(home, fired, os.environ)
        if missing:
            told.append(f"honed: MCP servers of your baseline are not set up here: {', '.join(missing)}.")
    return " ".join(" ".join(one.split())[:400] for one in told)


def _refuse_machine_made(fired: Fired) -> None:
    """Only what a person asked is a request; clients fire the event for their own messages too."""
    if fired.subagent:
        raise _SkippedError("a prompt inside a sub-agent is no request")
    if "<" in fired.prompt or fired.prompt.lstrip().startswith(
        ("[", "Caveat:", "This session is", "Stop hook")
    ):
        from honed.sessions.text import user_text

        fired.prompt = user_text(fired.prompt)
    if not fired.prompt.strip():
        raise _SkippedError("nobody asked for anything")


def _unhealthy(home: str, session: str, event: str, error: Exception) -> str:
    """One line for the user of a memory that cannot be read, once a session: at its start or at a request.

    At a request nothing is told where it could not be remembered that it was.
    """
    if isinstance(error, _BadPayloadError) or event not in ("session-start", "prompt"):
        return ""
    if event == "prompt":
        if not os.access(home, os.W_OK):
            return ""
        if spool.lines(spool.path_of(home, session), (UNWELL.encode(),)):
            return ""
    message = " ".join(str(error).split())[:200].rstrip(".;")
    return dumps({"systemMessage": f"honed: memory unavailable: {message}. `honed doctor` says more."})


def _place_of(error: BaseException) -> str:
    """Which error and where, without its message: that may hold text of the payload."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        name = os.path.basename(trace.tb_frame.f_code.co_filename)
        place, trace = f"{name}:{trace.tb_lineno}", trace.tb_next
    return f"{type(error).__name__} at {place}"


def _print(text: str) -> bool:
    """Write the answer at once; ``False`` where nobody takes it."""
    data = text.encode("ascii", "replace") + b"\n"
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
