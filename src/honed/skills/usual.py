"""How a project is usually checked, told by the checks of its verified skills.

A check often names one test only.  What narrows it is taken off, so that runs of the same form count
together; shown is the form as it was run most, never one that was not run, unless only parts of it were.
Pure, and light enough for a hook (docs/decisions/0004).
"""

from __future__ import annotations

from honed.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CHECK_LIMIT = 400
"""Characters of a check; a longer one is a script of its own."""

_WORD = r"""(?:[^\s"']|"[^"]*"|'[^']*')+"""
_FOLDER = r"""cd\s+((?:[^\s"']|"[^"]*"|'[^']*')+)\s*&&\s*"""
_SETTING = r"\w+=\S*$"
_SELECTS = frozenset(
    """
    -k -t -run --run --grep -g --testNamePattern --test-name-pattern -testNamePattern --testPathPattern
    --testPathPatterns --tests --test -only-testing
    """.split()
)
"""Options that choose tests; with a value of their own or after ``=``."""
_BARE = frozenset(("--test", "--tests"))
"""Those of ``_SELECTS`` that some runners also take without a value."""
_LOUDNESS = r"-{1,2}(?:q+|v+|s|x|quiet|verbose|short|no-header|tb=\w+|count=\d+)$"
_SOURCE = (
    r"::|\.(?:pyi?|[cm]?[jt]sx?|vue|svelte|go|rs|rb|java|kts?|cs|fs|php|dart|swift|exs?|scala|cpp|cc"
    r"|feature)$"
)
_TEST_PATH = r"(?i)(?:^|/)(?:tests?|specs?|__tests__|e2e)/[^.]|[._/-](?:test|spec|cy)s?\.[a-z]+$|^test_"
_WHOLE_PATH = r"(?i)(?:\./)?(?:tests?|specs?)/$|\.{1,2}/?$|\.{3}$|\./\.{3}$"
_WHOLE_NAME = r"(?:tests?|specs?)$"
"""A folder without its slash, after a runner that takes folders; elsewhere it is a command or a target."""
_TAKES_FOLDERS = r"(?:py\.?test|unittest|rspec|phpunit|jest|vitest|mocha|ava|prove)$"
_INTERPRETER = r"(?:python|node|ruby|perl|php|bash|sh|deno|bun|julia|Rscript)[\d.]*$"


class Proof:
    """A session in which a check passed after the last change: the ``check``, whose ``session``, and when
    (``at``, ISO-8601 UTC)."""

    __slots__ = ("at", "check", "session")

    def __init__(self, check: str, session: str, at: str) -> None:
        self.check = check
        self.session = session
        self.at = at


class Usual:
    """A usual check: ``command`` to be run in ``folder`` (relative to the project's root; empty for the root
    itself), how many ``sessions`` it verified, when the ``last`` of them (ISO-8601 UTC), and ``whole``:
    false where only parts of it were ever run, of which ``command`` is the last."""

    __slots__ = ("command", "folder", "last", "sessions", "whole")

    def __init__(self, command: str, folder: str, sessions: int, last: str, whole: bool) -> None:
        self.command = command
        self.folder = folder
        self.sessions = sessions
        self.last = last
        self.whole = whole


def usual_checks(proofs: Iterable[Proof]) -> tuple[Usual, ...]:
    """The checks that ``proofs`` show, those of the most sessions first, then the last ones.

    What says nothing on another day (a check that is empty, of several lines or too long) is left out.
    """
    groups: dict[tuple[str, str], list[tuple[Proof, str, bool]]] = {}
    for proof in proofs:
        if not proof.check or len(proof.check) > CHECK_LIMIT or "\n" in proof.check:
            continue
        folder, command = placed(proof.check)
        form, whole = general(command)
        groups.setdefault((folder, form), []).append((proof, command, whole))
    found = [_usual(folder, group) for (folder, _), group in groups.items()]
    return tuple(sorted(sorted(found, key=lambda u: (u.last, u.command), reverse=True), key=_order))


def _order(usual: Usual) -> tuple[int, bool]:
    return -usual.sessions, not usual.whole


def _usual(folder: str, group: Sequence[tuple[Proof, str, bool]]) -> Usual:
    last = max(group, key=lambda one: (one[0].at, one[1]))
    spelled: dict[str, set[str]] = {}
    for proof, command, whole in group:
        if whole:
            spelled.setdefault(command, set()).add(proof.session)
    command = max(sorted(spelled), key=lambda text: (len(spelled[text]), -len(text)), default="")
    sessions = len({proof.session for proof, _, _ in group})
    return Usual(command or last[1], folder, sessions, last[0].at, bool(command))


def placed(check: str) -> tuple[str, str]:
    """``check`` as (folder, command): ``cd api && make test`` is run in ``api``."""
    match = compiled(_FOLDER).match(check)
    if match is None:
        return "", check.strip()
    return match[1].strip("\"'").rstrip("/"), check[match.end() :].strip()


def general(command: str) -> tuple[str, bool]:
    """``command`` without what narrows it or makes it louder, and whether nothing narrowed it."""
    parts, whole = [], True
    for part in command.split(" && "):
        form, unchanged = _general(compiled(_WORD).findall(part))
        parts.append(form)
        whole = whole and unchanged
    return " && ".join(parts), whole


def _general(words: Sequence[str]) -> tuple[str, bool]:
    start = next((at for at, word in enumerate(words) if not compiled(_SETTING).match(word)), len(words))
    said = words[start:]
    go = said[:2] == ["go", "test"] or said[-1:] == ["./..."]
    kept: list[str] = []
    whole, value = True, False
    for word in said:
        if value:
            value = False
            continue
        option = word.strip("\"'").partition("=")[0]
        if option in _SELECTS and not (option in _BARE and word is said[-1]):
            whole, value = False, "=" not in word
        elif kept and (narrows := _narrows(word.strip("\"'"), kept[-1], go)) is not None:
            whole = whole and not narrows
        elif not compiled(_LOUDNESS).match(word):
            kept.append(word)
    while kept and kept[-1] == "--":
        kept.pop()
    if not kept or (len(kept) == 1 and compiled(_INTERPRETER).match(kept[0])):
        return " ".join(said), True
    return " ".join([*kept, "./..."] if go else kept), whole


def _narrows(word: str, before: str, go: bool) -> bool | None:
    """Whether a word chooses some tests (true) or says that all are meant (false); ``None`` for any other."""
    if word.startswith("-"):
        return None
    if compiled(_WHOLE_PATH).match(word) or (
        compiled(_WHOLE_NAME).match(word) and compiled(_TAKES_FOLDERS).search(before)
    ):
        return False
    if compiled(_SOURCE).search(word) or compiled(_TEST_PATH).search(word) or (go and word.startswith("./")):
        return True
    return None
