"""The steady part of a text: what stays the same when the same thing happens again.

Numbers and counters, times, dates, hashes, UUIDs, temporary and home folders, ports, durations,
addresses and positions in files are replaced by placeholders.  ``steady`` keeps case and is read by
people (error signatures); ``normalise`` also folds case and is compared by machines (fingerprints).
Both are idempotent.  A hook may load it (docs/decisions/0004).
"""

from honed.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

# One row a kind of volatile text: name of the placeholder, pattern.  Earlier rows win.
# No quantified group contains another unbounded quantifier: matching is linear.
_ROWS = (
    # Numbers that say *which*, not how many: a status, an error code, the version of a tool.
    (
        "kept",
        r"\b(?:https?|status|code|errno|error|exit|signal|rfc|cwe|node|nodejs|python|ruby|java|go|php"
        r"|postgres|postgresql|mysql|ubuntu|debian|es|c\+\+|react|vue|angular|django|rails|swift|gcc"
        r"|clang|jdk|typescript|tls|ipv|utf|oauth|line-length)"
        r"(?: code| status|[/=: -])? ?[0-9]{1,4}(?:\.[0-9]{1,3}){0,2}\b(?![.:][0-9])",
    ),
    ("uuid", r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    (
        "date",
        r"\b[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}"
        r"(?:[T ]?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?(?:Z\b|[+-][0-9]{2}:?[0-9]{2}\b))?)?"
        r"|\b[0-9]{8}T[0-9]{4,6}Z?\b",
    ),
    ("date", r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? [0-9]{1,2} [a-z]{3,9} [0-9]{4}\b"),
    ("time", r"(?<![\w:.])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]+)?(?: ?[ap]m)?(?![\w:])"),
    ("addr", r"\b0x[0-9a-f]{5,16}\b"),
    ("hash", r"\b(?:sha(?:1|224|256|384|512)|md5|blake2b)[:-][0-9a-z+/=]{16,}"),
    ("hash", r"\b(?=[a-f]{0,63}[0-9])(?=[0-9]{0,63}[a-f])[0-9a-f]{7,64}\b"),
    (
        "tmp",
        r"(?:(?:/private)?/var/folders/|(?:/private)?/(?:var/)?tmp/|\$TMPDIR/|%TEMP%\\"
        r"|(?<!\w)[a-z]:\\+users\\+[^\\\s]{1,64}\\+appdata\\+local\\+temp\\+)[^\s'\"`:,;)\]}>]*",
    ),
    (
        "home",
        r"(?:(?<![\w.~])/(?:home|users)/[\w.@-]{1,64}|(?<![\w.~/])/root(?=/)"
        r"|(?<!\w)[a-z]:\\+users\\+[^\\\s]{1,64})",
    ),
    ("ip", r"(?<![\w.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w.])"),
    (
        "span",
        r"(?<![\w.])[0-9]+(?:[.,][0-9]+)? ?"
        r"(?:ms|µs|us|ns|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?)\b"
        r"(?: ?[0-9]+(?:\.[0-9]+)? ?(?:ms|s|secs?|seconds?|m|mins?|minutes?)\b)*",
    ),
    ("place", r"(?<=[\w)\]]):[0-9]+(?::[0-9]+)?(?![\w.])"),
    (
        "number",
        r"(?<![\w<])(?:v(?=[0-9]+\.)|[-+])?[0-9]+(?:[.,_][0-9]+)*(?:e[+-]?[0-9]+)?"
        r"(?= ?(?:[kmgt]i?b|bytes|%)|\b)(?![0-9])",
    ),
)
_SHOWN = {
    "uuid": "<id>",
    "date": "<time>",
    "time": "<time>",
    "addr": "<addr>",
    "hash": "<hash>",
    "tmp": "<tmp>",
    "home": "~",
    "ip": "<ip>",
    "span": "<time>",
    "place": ":<n>",
    "number": "<n>",
}
_VOLATILE = "(?i)" + "|".join(f"(?P<{name}_{i}>{pattern})" for i, (name, pattern) in enumerate(_ROWS))
_TELL = r"(?i)[0-9]|-[a-f]{4}-|/(?:tmp|home|users|root|var)/|\$TMPDIR/|%TEMP%\\|:\\+users\\"
"""Something that every volatile part holds: a text without it is spared the search for them, a hundred times
as long."""
_ESCAPES = r"\x1b(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)|[@-Z\\-_])"
_SPACE = r"\s+"


def plain(text: str) -> str:
    """``text`` without terminal escapes (colours, cursor moves, titles, links)."""
    return compiled(_ESCAPES).sub("", text).replace("\x1b", "") if "\x1b" in text else text


def _shown(match: "re.Match[str]") -> str:
    name = (match.lastgroup or "").partition("_")[0]
    return _SHOWN.get(name, match.group())


def steady(text: str) -> str:
    """``text`` on one line, without terminal escapes, volatile parts replaced by placeholders."""
    text = compiled(_SPACE).sub(" ", plain(text)).strip()
    if not compiled(_TELL).search(text):
        return text
    # A replacement can lay another volatile part bare; each round leaves fewer digits, so this ends.
    volatile = compiled(_VOLATILE)
    while (shown := volatile.sub(_shown, text)) != text:
        text = shown
    return text


def normalise(text: str) -> str:
    """``steady`` with case folded: equal for texts that differ in volatile parts, case and space."""
    return steady(text.casefold())


def fingerprint(parts: "Iterable[str]") -> str:
    """32 hex digits over the normalised ``parts`` in their order: the same for the same work."""
    import hashlib

    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(normalise(part).encode("utf-8", "surrogatepass"))
        digest.update(b"\x1f")
    return digest.hexdigest()
