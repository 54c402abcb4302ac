"""What went wrong, as a line that is the same when it goes wrong again.

``signature`` finds the decisive line of a tool's output by a table of error shapes, takes out what
is volatile (paths in front, positions, numbers, times) and says whether the cause is a passing one:
a lost network or a full disk must never become "this command does not work here".
Sources of the shapes: the manuals and the printed output of the tools named in the rows.
Imports ``re`` and ``normal`` alone: a hook recalls by signature (docs/decisions/0004).
"""

from honed.patterns import compiled
from honed.skills.normal import plain, steady

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

TEXT_LIMIT = 200
"""Characters of a signature's text."""
HEAD, TAIL = 6000, 14000
"""Characters of an output that are looked at: errors of compilers stand first, of programs last."""


class Signature:
    """An error met: ``text`` (normalised), ``kind`` (exception type or code), ``transient``."""

    __slots__ = ("kind", "text", "transient")

    def __init__(self, text: str, kind: str, transient: bool) -> None:
        self.text = text
        self.kind = kind
        self.transient = transient

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and (self.text, self.kind) == (other.text, other.kind)

    def __hash__(self) -> int:
        return hash((self.text, self.kind))

    def __repr__(self) -> str:
        return f"Signature({self.text!r}, {self.kind!r}, transient={self.transient})"


# A passing cause, wherever it stands in the decisive line.  A refused connection to this very
# machine is none: a service has to be started, and that is worth knowing.
_PASSING_CODES = (
    "ECONNRESET ETIMEDOUT ESOCKETTIMEDOUT EAI_AGAIN ENETUNREACH EHOSTUNREACH ENOSPC EMFILE ENOMEM EBUSY"
)
_PASSING_WORDS = r"""
could not resolve host,temporary failure in name resolution,network is unreachable,no route to host
name or service not known,nodename nor servname,connection (?:reset|timed out|closed|aborted),broken pipe
tls handshake,ssl(?:eoferror|error),certificate (?:verify|has expired),i/o timeout,read timed? ?out
timed? ?out,\w*\.?Timeout(?:Error|Expired|Exception),deadline exceeded,context canceled,rate.?limit
too many requests,quota,overloaded,service unavailable,bad gateway,gateway time,internal server error
no space left,not enough space on the disk,access is denied,disk (?:is )?full,disk quota
out of memory,oom-?kill,heap out of memory
cannot allocate memory,resource temporarily unavailable,text file busy,database is locked,index\.lock
another git process,requires approval,permission to use,was (?:denied|rejected) by,doesn't want to
user (?:rejected|denied|declined),interrupted,cancell?ed,killed,sigkill,sigterm,flak[ey],try again later
(?:HTTP|status)(?: code)?[ /:=]*(?:408|425|429|5[0-9]{2})
"""
_PASSING = "|".join(_PASSING_CODES.split() + _PASSING_WORDS.strip().replace("\n", ",").split(","))
_PASSING = rf"(?i)\b(?:{_PASSING})\b"
_REFUSED = r"(?i)\b(?:ECONNREFUSED|connection refused|ENOTFOUND|failed to connect|couldn't connect)\b"
_HERE = r"(?i)localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0|\.sock\b|docker daemon"

_ERROR_NAME = (
    r"(?:[A-Za-z_][\w.]{0,60}\.)?[A-Z]\w{0,60}"
    r"(?:Error|Exception|Exit|Interrupt|Failure|Failed|NotFound|Fault|Timeout)"
)

_ERRNO = "|".join(
    """
    ENOENT EACCES EPERM EEXIST ENOTDIR EISDIR ENOTEMPTY EADDRINUSE ECONNREFUSED ECONNRESET ETIMEDOUT EPIPE
    EINVAL EMFILE ENOSPC EXDEV ELOOP EROFS ENOTFOUND EAI_AGAIN ERESOLVE EBADENGINE EUSAGE
    EJSONPARSE ETARGET EINTEGRITY EBUSY
    """.split()
)

# kind (a group of the expression, or a literal after "="), which match decides, expression.
# Group ``text`` is the signature, else the whole match.  The first row that matches wins: what
# kept the tool from running at all stands before what it then found wrong.
ROWS = (
    ("=command not found", "first", r"command not found: (?P<name>(?=[^\s]*[A-Za-z])[\w./+-]+)"),
    (
        "=command not found",
        "first",
        r"(?<=[:\s\"'`‘])(?P<name>(?=[\w./+-]*[A-Za-z])[\w./+-]+)[\"'’]?: (?:command )?not found",
    ),
    ("=command not found", "first", r"[\"'`‘](?P<name>[\w./+-]+)[\"'`’] is not recognized as"),
    ("=command not found", "first", r"The term [\"'`‘](?P<name>[^\"'`’\n]{1,60})[\"'`’] is not recognized"),
    ("=command not found", "first", r"exec: \"?(?P<name>[\w./+-]+)\"?: executable file not found"),
    ("=command not found", "first", r"env: [\"'`‘]?(?P<name>[\w.+-]+)[\"'`’]?: No such file or directory"),
    ("=missing module", "last", r"(?P<text>ModuleNotFoundError: No module named [\"'][\w.-]+[\"'])"),
    ("=missing module", "first", r"(?P<text>No module named [\"']?[\w.-]+[\"']?)"),
    ("=missing module", "first", r"(?P<text>Cannot find (?:module|package) [\"'][^\"'\n]{1,120}[\"'])"),
    ("=missing module", "first", r"(?P<text>no required module provides package [^\s;:]{1,120})"),
    ("=missing module", "first", r"(?P<text>cannot find package \"[^\"\n]{1,120}\")"),
    ("=missing module", "first", r"(?P<text>package [\w./-]{1,120} is not in (?:std|GOROOT))"),
    ("=missing module", "first", r"(?P<text>cannot load such file -- [^\s(]{1,120})"),
    (
        "=missing module",
        "first",
        r"(?P<text>(?:Failed|Could not|Unable) to resolve (?:import |module "
        r"|path )?[\"'][^\"'\n]{1,120}[\"'])",
    ),
    (
        "=unknown option",
        "first",
        r"(?P<text>(?:unrecognized arguments?|no such option|unknown (?:option|flag|argument"
        r"|shorthand flag)|flag provided but not defined|invalid option|unexpected argument)\b[^\n]{0,80})",
    ),
    (
        "=missing script",
        "first",
        r"(?P<text>(?:Missing script|Script not found|Unknown script)[: ]+\"?[\w:./-]{1,80}\"?)",
    ),
    ("=missing script", "first", r"(?P<text>No rule to make target [\"'`‘][^\"'’\n]{1,80}[\"'’])"),
    (
        "=missing script",
        "first",
        r"(?P<text>no (?:such (?:command|subcommand)|tasks?)[: ]+[\"'`]?[\w:./-]{1,80}[\"'`]?(?: found)?)",
    ),
    ("=missing script", "first", r"(?P<text>Unknown command:? [\"'`]?[\w:./-]{1,80}[\"'`]?)"),
    ("=wrong folder", "first", r"(?P<text>go\.mod file not found[^\n;]{0,60})"),
    ("=wrong folder", "first", r"(?P<text>could not find `?Cargo\.toml`?)"),
    ("=wrong folder", "first", r"(?P<text>ERROR: (?:file or directory )?not found: [^\n]{1,120})"),
    (
        "=wrong folder",
        "first",
        r"(?P<text>cannot find main module|\"\./\.\.\.\" matched no packages"
        r"|does not contain (?:main module|package)[^\n]*)",
    ),
    (
        "=wrong folder",
        "first",
        r"(?P<text>No (?:package\.json|pyproject\.toml|Makefile|build file)\b[^\n]{0,60})",
    ),
    (
        "=engine",
        "first",
        r"(?P<text>(?:Unsupported engine|The engine \"[\w]+\" is incompatible"
        r"|Unsupported environment)[^\n]{0,120})",
    ),
    (
        "=engine",
        "first",
        r"(?P<text>requires? (?:at least )?(?:Node(?:\.js)?|Python|Go|Rust|Java"
        r"|Ruby)[ >=^v]*[0-9][\w.]*[^\n]{0,60})",
    ),
    ("code", "first", r"(?P<text>error\[(?P<code>E[0-9]{4})\]: [^\n]+)"),
    ("code", "first", r"error (?P<text>(?P<code>TS[0-9]{3,5}): [^\n]+)"),
    ("code", "first", r"error (?P<text>(?P<code>(?:CS|MSB|NU|FS|BC)[0-9]{4}): [^\n]+)"),
    (
        "code",
        "first",
        r"(?m)^[^\s:]{1,200}\.pyi?:[0-9]+(?::[0-9]+)?: error: (?P<text>[^\n]+?\["
        r"(?P<code>[a-z][a-z-]+)\])\s*$",
    ),
    ("code", "first", r"(?m)^[^\s:]{1,200}:[0-9]+:[0-9]+: (?P<text>(?P<code>[A-Z]{1,4}[0-9]{2,4}) [^\n]+)"),
    (
        "code",
        "first",
        r"(?m)^\s+[0-9]+:[0-9]+\s+error\s+(?P<text>[^\n]+?\s\s(?P<code>@?[\w-]+(?:/[\w-]+)*))\s*$",
    ),
    (
        "code",
        "first",
        r"(?m)^[^\s:]{1,200}\.go:[0-9]+:[0-9]+: (?P<text>[^\n]+ \((?P<code>[a-z]{3,20})\))\s*$",
    ),
    (
        "=EPERM",
        "first",
        r"(?<!\S)(?P<text>(?:(?:open|mkdir|unlink|chmod|write|bind"
        r"|rename) )?(?!EPERM)[^\s:]{1,200}: operation not permitted)",
    ),
    ("=panic", "first", r"(?m)^(?P<text>panic: [^\n]+)"),
    ("=panic", "first", r"thread '[^'\n]{1,120}'[^\n]{0,20} panicked at [^\n]+\n?(?P<text>[^\n]+)"),
    (
        "=compile",
        "first",
        r"(?m)^\S{1,200}\.(?:go|c|cc|cpp|h|hpp|m|swift|java|kt|rs|zig|scala"
        r"|dart):[0-9]+(?::[0-9]+)?: (?:fatal )?(?:error: )?(?P<text>(?!warning)[^\n]+)",
    ),
    ("=link", "first", r"(?P<text>undefined reference to [^\n]+|ld: [^\n]+|linker command failed[^\n]*)"),
    ("=compile", "first", r"(?m)^e: [^\n]*?\.kts?:[^\s]* (?P<text>[^\n]+)"),
    ("name", "first", r"(?m)^E\s+(?P<text>(?P<name>" + _ERROR_NAME + r")\b[^\n]*)"),
    ("=AssertionError", "first", r"(?m)^E\s+(?P<text>assert [^\n]+)"),
    (
        "name",
        "last",
        r"Traceback \(most recent call last\):\n(?:[ \t|+][^\n]*\n"
        r"|\n)+(?P<text>(?P<name>[A-Za-z_][\w.]*)(?::[^\n]*)?)",
    ),
    ("name", "first", r"\*\* \((?P<text>(?P<name>[A-Z][\w.]+)\) [^\n]+)"),
    ("name", "last", r"(?m)^(?:\w+: )?(?P<text>(?P<name>" + _ERROR_NAME + r")(?: \[\w+\])?(?::[^\n]*)?)$"),
    ("=EPERM", "first", r"(?P<text>(?:[a-z]+ )?E(?:PERM|ACCES): [^\n]+)"),
    ("code", "first", r"(?P<text>\b(?P<code>" + _ERRNO + r")\b[^\n]*)"),
    ("=test", "first", r"(?m)^\s*--- FAIL: (?P<text>\w[^\n]*(?:\n\s+\S+\.go:[0-9]+: [^\n]+)?)"),
    ("=test", "first", r"(?m)^\s*● (?P<text>[^\n]+ › [^\n]+)"),
    ("=test", "first", r"(?m)^\s*(?:FAIL|✗|×|❯)\s+(?P<text>\S+\.(?:test|spec)\.\w+[^\n]*)"),
    ("=test", "first", r"(?m)^(?:FAILED|FAIL:) (?P<text>[^\n]+)"),
    ("=test", "first", r"(?m)^\s*(?:not ok [0-9]+|[0-9]+\)) (?P<text>[^\n]+)"),
    ("code", "first", r"npm (?:ERR!|error) (?P<text>code (?P<code>E?[A-Z0-9_]+))"),
    ("code", "first", r"(?P<text>(?P<code>ERR_PNPM_(?!RECURSIVE)\w+)[^\n]*)"),
    (
        "=permission denied",
        "first",
        r"(?P<text>(?:[^\n:]{0,80}: )?(?:Permission denied|Operation not permitted)[^\n]{0,60})",
    ),
    (
        "=git",
        "first",
        r"(?m)^(?:fatal: |error: (?=pathspec|failed to push|your local|could not apply))(?P<text>[^\n]+)",
    ),
    ("=HTTP", "first", r"(?P<text>(?:HTTP(?:/[0-9.]+)?|status(?: code)?)[ :=]*[45][0-9]{2}[^\n]{0,60})"),
    (
        "=error",
        "first",
        r"(?mi)^(?:\S{1,60}: )?(?:error|fatal error|fatal|failed)(?:\[\w+\])?: (?P<text>[^\n]+)",
    ),
    ("=error", "first", r"(?m)^\s*(?:✘|✖|⨯|Error:|ERROR)\s*\]?:? ?(?P<text>[^\n]+)"),
    ("code", "first", r"(?P<text>(?P<code>ELIFECYCLE|ERR_PNPM_RECURSIVE\w+)[^\n]*)"),
    ("=make", "last", r"(?m)^(?P<text>make(?:\[[0-9]+\])?: \*\*\* [^\n]+)"),
    ("=no such file", "first", r"(?P<text>[^\n:]{0,100}: No such file or directory)"),
)
_PLACES = r"(?:(?<=[\s'\"(])|^)(?:[A-Za-z]:)?[\w.@~-]*(?:[/\\][\w.@~+-]+){2,}(?=[\s'\"):,]|$)"


def signature(output: str, exit_code: int | None) -> Signature | None:
    """The normalised error of ``output``, or ``None`` where it shows none.

    ``exit_code`` 0 means that nothing went wrong; ``None`` that it is not known (the caller knows
    by other means that it did).
    """
    if exit_code == 0 or not output.strip():
        return None
    text = plain(output)
    if len(text) > HEAD + TAIL:
        text = f"{text[:HEAD]}\n{text[-TAIL:]}"
    for kind, pick, row in ROWS:
        pattern = compiled(row)
        match = pattern.search(text)
        if match and pick == "last":
            *_, match = pattern.finditer(text)
        if match:
            return _signature(match, kind, text)
    return _passing_only(text)


def _signature(match: "re.Match[str]", kind: str, text: str) -> Signature:
    groups = match.groupdict()
    line = groups.get("text") or match.group()
    if kind.startswith("="):
        named = kind[1:]
        if named == "command not found":
            line = f"command not found: {groups['name']}"
    else:
        named = (groups[kind] or "").rpartition(".")[2]
    around = text[max(0, match.start() - 200) : match.end() + 200]
    return Signature(
        _readable(line), named, is_transient(around if named in ("error", "make", "code") else line)
    )


def _readable(line: str) -> str:
    """One line, without volatile parts; of a long absolute path only the file's name stays."""
    line = line.replace("127.0.0.1", "localhost").replace("[::1]", "localhost")
    line = compiled(_PLACES).sub(lambda place: _file_name(place.group()), line)
    return steady(line)[:TEXT_LIMIT].rstrip(" .,:;-")


def _file_name(path: str) -> str:
    """The last part of an absolute path that is a name and no hash or number."""
    if not (path.startswith(("/", "~")) or path[1:2] == ":"):
        return path
    parts = [part for part in compiled(r"[/\\]").split(path) if part]
    named = [part for part in parts[1:] if sum(c.isdigit() for c in part) < 3 and len(part) > 2]
    return named[-1] if named else parts[-1]


def is_transient(line: str) -> bool:
    """Whether ``line`` tells of something that passes: network, limits, a full disk, a refused prompt."""
    if compiled(_REFUSED).search(line):
        return not compiled(_HERE).search(line)
    return bool(compiled(_PASSING).search(line) or _elsewhere(line))


def _elsewhere(text: str) -> "re.Match[str] | None":
    """Where something passing is told in another language."""
    from honed.skills.passing import PASSING  # most errors are in English

    return compiled(PASSING).search(text)


def _passing_only(text: str) -> Signature | None:
    match = compiled(_PASSING).search(text) or compiled(_REFUSED).search(text) or _elsewhere(text)
    if match is None:
        return None
    start = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    line = text[start : end if end >= 0 else len(text)]
    return Signature(_readable(line), match.group().lower(), is_transient(line))
