"""Where in a file the work was: definitions, enclosing symbols, the names that came and went.

One table of definition shapes serves all languages: a line that matches none has no symbol, which
costs an anchor and nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from honed.sessions.model import Hunk
from honed.skills.model import Anchor

LINE_LIMIT = 120
"""Characters of a context line."""
_HEADING_BYTES = 77
"""From here on git may have cut a heading: it gives 80 bytes of a line, and no half character."""
_MODIFIERS = (
    r"(?:export |default |declare |public |private |protected |internal |static |final "
    r"|abstract |async |override |open |sealed |virtual |pub(?:\([\w: ]+\))? "
    r"|const |unsafe |extern(?: \"C\")? |inline |suspend |data )*"
)
_NAME = r"(?P<name>[A-Za-z_$][\w$]*[?!]?)"
_STATEMENTS = (
    "if|for|foreach|while|until|unless|loop|do|switch|select|match|case|when|catch|try|else|elif|return|yield"
    "|with|using|await|new|throw|raise|assert|guard|go|goto|defer|del|not|and|or|in|namespace|function"
)
_SHAPES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^\s*{_MODIFIERS}(?:def|fn|fun|func|function\*?|defp|sub|proc"
        rf"|macro_rules!)\s+(?:self\.)?(?:\([^)]*\)\s*)?{_NAME}",
        rf"^\s*{_MODIFIERS}(?:class|struct|interface|trait|enum|protocol|module|defmodule|namespace"
        rf"|record|object|union)\s+{_NAME}",
        rf"^\s*{_MODIFIERS}type\s+{_NAME}\s*(?:<[^>]*>)?\s*(?:=|struct|interface|func|\[|map)",
        rf"^\s*impl(?:<[^>]*>)?\s+(?:[\w:<>, ]+\s+for\s+)?{_NAME}",
        rf"^\s*(?:export )?(?:default )?(?:const|let|var)\s+{_NAME}\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\("
        rf"|function|[\w$]+\s*=>|memo|forwardRef|useCallback|React\.)",
        r"^\s*(?:test|it|describe|context|scenario|Describe|It"
        r"|Context)(?:\.\w+)*\(\s*[\"'`](?P<name>[^\"'`\n]{3,100})[\"'`]",
        r"^\s*t\.Run\(\s*\"(?P<name>[^\"\n]{3,100})\"",
        # Java, C#, C and C++: a type before the name, perhaps the class that it is of.
        rf"^\s*{_MODIFIERS}(?!(?:{_STATEMENTS})\b)"
        rf"(?:<[\w ,&?]{{1,60}}>\s+)?[A-Za-z_][\w:.]{{0,80}}(?:<[\w:<>,.?&*\[\] ]{{1,80}}>)?"
        r"[\[\]*& ]{0,6}[\s*&]"
        rf"(?:[A-Za-z_]\w{{0,60}}::){{0,4}}{_NAME}"
        rf"\([^;={{}}]{{0,400}}\)[^;={{}}()]{{0,80}}\{{\s*$",
        rf"^\s+{_MODIFIERS}(?!if\b|for\b|while\b|switch\b|catch\b|return\b|else\b|with\b|await\b"
        rf"|match\b){_NAME}\s*(?:<[^>]*>)?\([^;=]*\)\s*(?::\s*[^={{;]+)?\{{\s*$",
        r"(?i)^\s*create\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:table|view|index|function|policy"
        r"|type)\s+(?:if\s+not\s+exists\s+)?\"?(?P<name>[\w.]+)",
    )
)
# What names a place in files that define nothing.
_PLACE_SHAPES = (
    (
        (".yaml", ".yml", "makefile", ".mk", "justfile"),
        re.compile(
            r"^ {0,4}"
            r"(?P<name>[A-Za-z][\w.-]*):(?:\s|$)"
        ),
    ),
    ((".toml", ".ini", ".cfg", ".conf"), re.compile(r"^\[+(?P<name>[\w.\"-]+)\]+\s*$")),
    ((".css", ".scss", ".less"), re.compile(r"^\s{0,4}(?P<name>[.#&@]?[\w-]+)[^{;]*\{\s*$")),
    ((".json", ".jsonc"), re.compile(r"^\s{0,4}\"(?P<name>[\w./-]+)\"\s*:\s*[\[{]")),
    ((".py", ".pyi"), re.compile(r"^(?P<name>[A-Z_][A-Z0-9_]+)\s*(?::[^=]+)?=")),
)

_WORDS = re.compile(r"--[a-z][\w-]{2,}|[A-Za-z_$][\w$]*(?:-[a-z][\w]*)*")
_COMMENTS = re.compile(r"^\s*(?:#(?!!|\[)|//|/?\*|--\s|;;|<!--)")
# Strings of several words and comments behind code tell nothing of names.
_PROSE = re.compile(
    r"([\"'`])(?:(?!\1)[^\\\n]|\\.){0,300}?\s(?:(?!\1)[^\\\n]|\\.){0,300}?\1|(?:\s//|\s#\s"
    r"|\s--\s)[^\n]*$|>[^<>{}]*<"
)
_COMMON = frozenset(
    """
    self this cls return const let var function def class import from export default if else elif for while
    in of not and or is none null nil true false undefined async await new try except catch finally raise
    throw with as pass break continue switch case func fn pub mut use mod struct enum impl trait type
    interface extends implements string str int bool float number any void object list dict map set tuple
    array error err ctx args kwargs key value name data item items result results res req response request
    index len print println fmt log logger console assert require expect describe it test should equal
    equals nil package public private protected static final get put post id path file files text line lines
    char byte bytes time date start end first last next prev size count total value values options opts
    config props state ref div span button classname style the that this then when what which have has are
    was will into only also same make uses used using because since note todo see all each any one two
    default to be by on at an
    """.split()
)


def definition(line: str) -> str:
    """The name that ``line`` defines, or empty."""
    for shape in _SHAPES:
        match = shape.match(line)
        if match:
            return match.group("name")
    return ""


def place_name(line: str, path: str) -> str:
    """The name of a section, key, selector or constant that ``line`` opens in such a file, or empty."""
    return _place(line, path)[0]


def _place(line: str, path: str) -> tuple[str, str]:
    """The name of the place that ``line`` opens, and the line without the value behind it."""
    for endings, shape in _PLACE_SHAPES:
        match = shape.match(line) if path.lower().endswith(endings) else None
        if match:
            return match.group("name").strip('"'), match.group().strip()
    return "", ""


def definitions(text: str) -> list[str]:
    """The names that ``text`` defines, in order, each once."""
    found = (definition(line) for line in text.splitlines())
    return list(dict.fromkeys(name for name in found if name))


def anchor(hunk: Hunk, path: str = "") -> Anchor:
    """Where ``hunk`` of the file ``path`` is: the symbol around it and the line that names it, else a line of
    unchanged code near it, as far as known."""
    shared = [line for line in _shared_lines(hunk, path) if not _is_comment(line, path)]
    heading = _whole_words(hunk.heading.strip())
    symbol = definition(hunk.heading)
    symbol = symbol if symbol in heading else ""
    context = heading if len(heading) > 3 else ""
    if _is_comment(context, path):
        context = ""
    if not symbol:
        # The name that is there afterwards: by another one nobody finds the place again.
        after = {name: line for line in reversed(hunk.new.splitlines()) if (name := definition(line))}
        before = [name for line in hunk.old.splitlines()[:3] if (name := definition(line))]
        symbol = next((name for name in before if name in after), "") or (
            next(reversed(after)) if before and after else ""
        )
        if symbol:
            context = after[symbol].strip()
    if not symbol:
        line = next((line for line in shared if definition(line)), "")
        symbol, context = definition(line), line.strip() or context
    if not context and shared:
        context = shared[0].strip()
    if not symbol and context:
        symbol, opening = _place(context, path)
        context = opening or context
    return Anchor(symbol=symbol[:LINE_LIMIT], context=context[:LINE_LIMIT])


def _whole_words(heading: str) -> str:
    """A heading without its last word where git may have cut it amid one."""
    cut = len(heading.encode("utf-8", "surrogatepass")) >= _HEADING_BYTES
    return heading.rpartition(" ")[0] if cut else heading


def _is_comment(line: str, path: str) -> bool:
    """Whether a line is a remark, which says nothing of where code stands; ``#`` opens a heading in prose."""
    return bool(_COMMENTS.match(line)) and not path.lower().endswith((".md", ".mdx", ".rst", ".txt", ".adoc"))


def _shared_lines(hunk: Hunk, path: str) -> list[str]:
    """Lines that the hunk holds without changing them (some clients give context inside)."""
    new = set(hunk.new.splitlines())
    shared = (line for line in hunk.old.splitlines() if line in new)
    return [line for line in shared if len(line.strip()) > 8 or place_name(line, path)]


def names_changed(hunks: Iterable[Hunk]) -> tuple[list[str], list[str]]:
    """(names that came, names that went) over all ``hunks`` together, most telling first.

    What an earlier hunk brought and a later one took away is in neither.
    """
    came: Counter[str] = Counter()
    seen: dict[str, int] = {}
    for hunk in hunks:
        for sign, text in ((1, hunk.new), (-1, hunk.old)):
            for word in _telling(text):
                came[word] += sign
                seen.setdefault(word, len(seen))
    added = [word for word in came if came[word] > 0]
    gone = [word for word in came if came[word] < 0]
    return sorted(added, key=lambda w: (-weight(w), seen[w])), sorted(
        gone, key=lambda w: (-weight(w), seen[w])
    )


def _telling(text: str) -> Iterable[str]:
    for line in text.splitlines():
        if not _COMMENTS.match(line):
            for word in _WORDS.findall(_PROSE.sub(" ", line)):
                if len(word) > 3 and word.lower() not in _COMMON:
                    yield word


def weight(word: str) -> int:
    """Compound names and options say more than single words."""
    compound = "_" in word.strip("_") or bool(re.search(r"[a-z][A-Z]", word))
    return 2 * word.startswith("--") + 2 * compound + (word[:1].isupper() and not word.isupper())


def taken_back(hunks: Iterable[Hunk]) -> bool:
    """Whether all ``hunks`` together leave every line as it was."""
    lines: Counter[str] = Counter()
    for hunk in hunks:
        lines.update(hunk.new.splitlines())
        lines.subtract(hunk.old.splitlines())
    return not any(lines.values())
