"""Errors and codes in a text, in one spelling for a line that was pasted and one that was learned from.

On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

from honed.patterns import compiled
from honed.skills.normal import plain, steady
from honed.skills.words import cut

VALUE_LIMIT = 120
"""Characters of a value."""

_ERROR_ENDS = ("Error", "Exception", "Warning", "Panic", "Fault", "Failure", "Interrupt", "Timeout")
_ERROR_TYPE = rf"(?<![A-Za-z0-9])([A-Z][A-Za-z0-9]*(?:{'|'.join(_ERROR_ENDS)}))\b"
_ERROR_LINE = (
    r"(?i)\b(?:error|fatal|panic(?:ked)?|failed|exception|cannot|undefined|not found|denied|refused|no such"
    r"|timed out|out of (?:bounds|range|memory)|segmentation fault|could not|unable to|ошибка|fehler"
    r"|erreur|erro)\b|\bERR!|错误|失败|失敗|エラー|오류|실패"
)
_SAID = r"(?i)(?<![\w-])(?:error|fatal|err)(?:[:!]+\s+| (?=[A-Z]{0,8}\d{2}))"
"""What a signature leaves out in front of the message."""
_MISSING = r"(?:\A|[\s:])([\w./+-]+): (?:command )?not found\s*\Z"
_FOLDERS = r"(?:\b[A-Za-z]:)?(?:[\w.@+~-]*[\\/])+(?=[\w.@+-])"
_NAMED_CODE = r"\b(ERR_[A-Z0-9_]+|E[A-Z]{4,12}|SIG[A-Z]{3,5})\b"
"""The only one of the codes in which no digit need stand."""
_CODES = (
    (r"(?i)\b(?:HTTP(?:/[\d.]+)?|status(?: code)?|response)[ :=]{1,2}([1-5]\d\d)\b", "http {}"),
    (
        r"(?i)\b([45]\d\d) (?:error|not found|forbidden|bad gateway|unauthorized|internal)",
        "http {}",
    ),
    (
        r"(?i)\b(?:exit(?:ed)?(?: with)?(?: code| status)?|returncode)[ :=]{1,2}(\d{1,3})\b",
        "exit {}",
    ),
    (
        r"\b((?:E|TS|CS|SC|LNK|MSB|NU|CA|NETSDK|AADSTS|ORA-|CVE-\d{4}-|PL[CERW]|RUF|SIM|DJ)\d{3,6})\b",
        "{}",
    ),
    (r"\b([A-Z]{1,3}\d{3,4})\b", "{}"),
    (r"\b((?:e|ts)\d{4})\b", "{}"),
    (_NAMED_CODE, "{}"),
    (r"(?i)\bRFC ?(\d{3,5})\b", "rfc {}"),
    (r"(?i)\bSQLSTATE[\[ :=]{1,2}(\w{5})\b", "sqlstate {}"),
    (r"(?i)\b(?:errno|winerror)[ :=]{1,2}(-?\d{1,5})\b", "errno {}"),
    (r"(?i)\b(0x[8c][0-9a-f]{7})\b", "{}"),  # an HRESULT or NTSTATUS of Windows that says what failed
)
_NOT_ERRNO = frozenset(
    "error errors empty enable enabled exists every event events expected either ensure".split()
)


def error_values(text: str) -> list[str]:
    """What an error message is looked up by: its type, and the whole line without volatile parts."""
    found: list[str] = []
    for line in plain(text).splitlines()[:200]:
        start = None
        if any(end in line for end in _ERROR_ENDS):
            types = [match.group(1) for match in compiled(_ERROR_TYPE).finditer(line)]
            found += [name.lower() for name in types]
            start = compiled(_ERROR_TYPE).search(line)
        if start and ":" in line[start.end() : start.end() + 1]:
            found.append(error_key(line[start.start(1) :]))
        elif compiled(_ERROR_LINE).search(line) and 12 <= len(line.strip()) <= 300:
            found.append(error_key(line))
            if said := compiled(_SAID).search(line):
                found.append(error_key(line[said.end() :]))
            if missing := compiled(_MISSING).search(line):
                found.append(error_key(f"command not found: {missing.group(1)}"))
    return list(dict.fromkeys(value for value in found if value))


def decisive_lines(text: str) -> list[str]:
    """Of a long text the first two and the last two lines with an error of a named type, else such with any
    error: looking at each takes long, and these are where the cause stands."""
    lines = text.splitlines()
    found = [line for line in lines if any(f"{end}:" in line for end in _ERROR_ENDS)]
    found = found or [line for line in lines if compiled(_ERROR_LINE).search(line)]
    return found if len(found) <= 4 else [*found[:2], *found[-2:]]


def error_key(line: str) -> str:
    """One spelling of an error line: words only, numbers and what changes (``normal.steady``) as ``0``,
    folders and the time in front dropped.  The same of a line and of the signature learned from it."""
    line = steady(compiled(_FOLDERS).sub("", line[:400]))
    line = compiled(_FOLDERS).sub("", compiled(r"\A\W*<time>[\W\d]*").sub("", line))  # a home is written ~\
    line = compiled(r"<(?:id|time|addr|hash|ip|n)>|0x[0-9a-f]+|\d+").sub("0", line.lower())
    return " ".join(word.whole for word in cut(line))[:VALUE_LIMIT]


def code_values(text: str) -> list[str]:
    """Codes of compilers, linters, HTTP, processes and standards, in lower case."""
    found = []
    numbered = any(char.isdigit() for char in text)
    for pattern, form in _CODES:
        if not numbered and pattern is not _NAMED_CODE:
            continue
        for match in compiled(pattern).finditer(text):
            value = match.group(1).lower()
            if value not in _NOT_ERRNO:
                found.append(form.format(value))
    return list(dict.fromkeys(found))
