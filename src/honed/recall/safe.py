"""Stored text on its way into a model's context: one line, visible, and unable to leave its frame.

What cannot be seen (control characters, terminal escapes, bidirectional and zero-width marks, tags, other
separators) is written out as an escape.  What could open or close an element, with whatever look-alike
of ``<`` or of honed's own mark, is broken.
"""

from __future__ import annotations

from honed.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

MARK = "honed-note"
"""The element that frames a note; ``sessions.text`` knows it by this name."""

_HIDDEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    # The selector that makes a picture of a sign shows as nothing behind anything else.
    "|(?<![\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u27ff\u2801-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff])"
    "\ufe0f(?!(?<=[0-9#*]\ufe0f)\u20e3)"
)
_SPACE = r"[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+"
_BRACKETS = (
    "<\u02c2\u2039\u2329\u276c\u276e\u2770\u27e8\u29fc\u3008\u1438\u16b2\ufe64\uff1c\u27ea\u300a\U0001d236"
)
_SLASH = "/\\\\\u2044\u2215\uff0f"
_PLAIN = (
    # What honed writes for what changes from run to run (``skills.normal``), and the arguments of a type.
    "<(?:n|id|ip|tmp|time|hash|addr)>"
    "|(?<=[A-Za-z0-9_])<(?:[A-Z]|[A-Z][A-Za-z0-9]{0,40}?[a-z][A-Za-z0-9]{0,40}|string|number|boolean|str|int"
    "|bool|float|u8|u32|u64|usize|i32|i64|any|unknown|void)(?=[>,<\\[])"
)
"""Where ``<`` can begin no element that anybody reads as one: it stays, so that code can be read."""
_TAG = (
    f"(?!{_PLAIN})"
    f"[{_BRACKETS}](?=[!?]|[|\uff5c][^\\W\\d]|[{_SLASH}]?[^\\W\\d]|\\s*[{_SLASH}]?\\s*[^\\W\\d][^<>]{{0,200}}[>\u203a\uff1e])"
)
_ENTITY = r"(?i)&(?=(?:lt|#0*60|#x0*3c)\b)"
_ALIKE = str.maketrans(
    dict(zip("\u04bb\u0570\u029c", "hhh", strict=True))
    | dict(zip("\u043e\u03bf\u0585\u1d0f\u00f8\u0275", "oooooo", strict=True))
    | dict(zip("\u0578\u057c\u0274\u043f", "nnnn", strict=True))
    | dict(zip("\u0435\u0451\u03b5\u1d07\u0454", "eeeee", strict=True))
    | dict(zip("\u0501\u217e\u1d05", "ddd", strict=True))
    | dict(zip("\u0442\u03c4\u1d1b", "ttt", strict=True))
)
"""Letters of other scripts that look like those of the mark."""
_OWN_MARK = r"(?i)honed[\W_]{0,6}note"


def one_line(text: str) -> str:
    """``text`` on one line in which everything can be seen and nothing marks up.

    The look of plain code stays: ``<`` is changed only where it could begin an element.
    """
    plain = text.isascii()
    if plain and text.isprintable():
        text = " ".join(text.split())
    else:
        text = compiled(_HIDDEN).sub(_escaped, text.replace("\r\n", "\n"))
        text = compiled(_SPACE).sub(" ", text).strip()
    if "&" in text:
        text = compiled(_ENTITY).sub("&amp;", text)
    if "<" in text or not plain:
        text = compiled(_TAG).sub(_broken, text)
    return text if plain and "honed" not in text.lower() else _unmarked(text)


def quoted(text: str) -> str:
    """``one_line`` between double quotes; those inside become single ones."""
    return '"' + one_line(text).replace('"', "'") + '"'


def code(text: str) -> str:
    """``one_line`` between back-ticks; those inside become single quotes."""
    return "`" + one_line(text).replace("`", "'") + "`"


def name_told(name: str) -> str:
    """A name as it is typed; between back-ticks where more is in it than letters, digits, signs of paths, or
    letters that show as nothing."""
    plain = compiled(r"[\w./@+-]{1,200}").fullmatch(name) and one_line(name) == name
    return name if plain else code(name)


_CODE = r"`[^`\n]*`"
_ITEM = r"(?:`[^`\n]*`|\"[^\"\n]*\")"
_LIST = rf"{_ITEM}(?:, {_ITEM})*(?: and \d+ more)?"
_USED = rf"(?:use {_LIST}(?: instead of {_LIST})?|remove {_LIST})"
_DOING = rf"(?:add {_LIST}|change {_LIST}(?: \({_USED}\))?|{_USED})"
_FILE = r"[\w./@-]{1,120}"
_PLACE = (
    rf"{_CODE} is gone|{_CODE} is now {_CODE}|{_CODE} is no longer in {_CODE}"
    rf"|{_CODE} in {_CODE} reads otherwise now"
)
_SENTENCES = "|".join(
    (
        # Steps and what resolved a pitfall (``skills.steps``, ``pitfalls``, ``recipes``).
        rf"(?:First run|Then run|Run|Use|Delete|Edit) {_CODE}(?: first)?",
        rf"(?:Also change|Update) {_CODE}(?:, {_CODE})*",
        rf"Rename {_CODE} to {_CODE}|Create {_CODE}(?: with {_LIST})?",
        rf"In {_CODE}: {_DOING}(?:; {_DOING})*|Add tests to {_CODE}: {_LIST}",
        rf"Change {_CODE}(?: and {_CODE})*(?: too)?",
        r"Run it outside the sandbox \(ask for permission\)(?:; nothing else has to change)?",
        rf"Ask for permission to run {_CODE} outside the sandbox; inside it fails",
        # What is gone (``skills.lost_checks``, ``recall.ground``).
        rf"(?:outdated: )?(?:{_PLACE})(?:; (?:{_PLACE}))*(?:; and \d+ more)?|the folder {_CODE} is gone",
        rf"there is no {_FILE} in {_CODE} any more|{_FILE} has no (?:script|target) {_CODE} any more",
        # Why something is withheld (``recall.hits``).
        r"given earlier in this session|muted by an agent until the owner looks|no room left in the note"
        r"|about another thing, of which it knows only the place"
        r"|suspended: its own check failed last|faded: not verified for a long time"
        r"|not (?:approved, and only approved|proven, and only proven or approved) skills are delivered",
        rf"has the title of {_CODE}, which fits better",
    )
)
"""Every sentence that honed makes of typed fields.  Whatever breaks out of its quotation makes another one,
which is none of these."""


def own(text: str) -> str:
    """A sentence of honed's own on one line; quoted whole where it is none that honed makes: then something
    in it has closed its back-ticks, it was cut, or somebody else wrote it."""
    mine = text.isprintable() and compiled(_SENTENCES).fullmatch(text)
    return one_line(text) if mine else quoted(text)


def visible(text: str) -> tuple[str, int]:
    """``text`` with every character told, and how many of them had to be written as an escape.

    For whoever decides on it: lines stay lines; a tab, a space that is none of the keyboard's and whatever
    shows as nothing is an escape, also where ``one_line`` may leave it out.
    """
    hidden = compiled(_HIDDEN)
    told, escaped = list[str](), 0
    for char in text:
        if char in "\n " or (char.isprintable() and char != "\ufe0f" and not hidden.match(char)):
            told.append(char)
        else:
            told.append(_escape(char))
            escaped += 1
    return "".join(told), escaped


def _escaped(match: re.Match[str]) -> str:
    return _escape(match.group())


def _escape(char: str) -> str:
    number = ord(char)
    return (
        f"\\x{number:02x}"
        if number < 0x100
        else f"\\u{number:04x}"
        if number < 0x10000
        else f"\\U{number:08x}"
    )


def _broken(match: re.Match[str]) -> str:
    return "&lt;" if match.group() == "<" else _escaped(match)


def _unmarked(text: str) -> str:
    """``text`` in which honed's own mark does not stand, in whatever letters it was spelled."""
    plain = text
    if not text.isascii():
        import unicodedata

        folded = [unicodedata.normalize("NFKC", char) for char in text]
        plain = "".join(new if len(new) == 1 else old for old, new in zip(text, folded, strict=True))
        plain = (
            plain.lower().translate(_ALIKE) if len(plain.lower()) == len(text) else plain.translate(_ALIKE)
        )
    found = list(compiled(_OWN_MARK).finditer(plain))
    for match in reversed(found):
        text = f"{text[: match.start()]}honed note{text[match.end() :]}"
    return text
