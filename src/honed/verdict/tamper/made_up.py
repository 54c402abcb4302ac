"""Results that are made up: the very thing a test asserts on is replaced by something that returns the"
" answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from honed.verdict.model import Tampering
from honed.verdict.tamper.scene import Piece, Scene, declared, tampering
from honed.verdict.test_files import role_of

LANGUAGES = frozenset({"python", "javascript", "ruby", "php", "java"})

_MOCKED = re.compile(
    r"(?:monkeypatch\.setattr|mocker\.patch(?:\.object)?|(?:mock\.)?patch(?:\.object)?|jest\.spyOn|vi\.spyOn"
    r"|sinon\.stub|stub|allow|spyOn|when)\s*\(\s*(?:['\"](?P<dotted>[\w./]+)['\"]"
    r"|(?P<owner>[\w.]+)\s*,\s*:?['\"]?(?P<name>\w+)['\"]?|(?P<call>[\w.]+)\s*\()"
    r"|\b(?P<assigned>[\w.]+)\s*=\s*(?:lambda\b[^\n]*|jest\.fn\(|vi\.fn\(|(?:mock\.)?(?:Magic)?Mock\("
    r"|\([^)\n]*\)\s*=>\s*)|\ballow\(\w+\)\.to receive\(:(?P<received>\w+)\)"
)
_FAKED_MODULE = re.compile(
    r"\b(?:jest|vi)\.mock\(\s*['\"](?P<module>[^'\"]+)['\"]\s*,\s*(?:async\s*)?\([^)]{0,200}\)\s*=>\s*\(?\{(?P<body>[^}]{0,2000})"
)
_COMMON = frozenset("error fetch request response client login order print write query event state".split())
_SURROUNDINGS = re.compile(
    r"\(\s*(?:console|process|window|document|global\w*|time|datetime|os|sys|logg\w+|Math|Date|requests|axios)\b"
)
"""What any test may replace: it is not the code's own."""
_ORIGINAL = re.compile(r"requireActual|importActual|importOriginal")
_IMPORTED = re.compile(
    r"\bimport\s+(?:\{\s*)?([\w, ]+?)(?:\s*\}|\s*$|\s+from)|const\s*\{\s*([\w, ]+)\}\s*=\s*require", re.M
)


def mocked_results(scene: Scene) -> Iterator[Tampering]:
    """A mock of what an old test asserts on, or a stand-in of the same name in the test itself."""
    for piece in scene.pieces:
        if piece.story.fate == "created" or piece.language not in LANGUAGES:
            continue
        detail = _made_up(scene, piece)
        if detail:
            yield tampering("result_mocked", piece.story, detail, piece.stretch)


def _made_up(scene: Scene, piece: Piece) -> str:
    mocked = list(_mocked_names(piece.new_text))
    before = set(_mocked_names(piece.old_text)) if mocked else set()
    for name in mocked:
        if name not in before and _is_tested(scene, piece, name):
            return f"{name}, which the test asserts on, is replaced by a mock"
    if replaced := _mocked_for_all(scene, piece):
        return f"{replaced} of the changed code is replaced by a mock for every test"
    if scene.failed_before(piece.stretch.line) and (call := _fixed_fixture(piece)):
        return f"the fixture no longer asks {call}, it returns the answer"
    if _fakes_itself(piece):
        return "the module that is tested is replaced by a mock"
    shadow = _shadowed(piece)
    return f"{shadow} is no longer imported but defined in the test itself" if shadow else ""


_GIVES = re.compile(r"^[ \t]*(?:return|yield)[ \t]+(?P<what>[^\n]+?);?[ \t]*$", re.M)
_CALLED = re.compile(r"(?<![\w.])(?:[a-z_]\w*\.)*(?P<name>[a-z_]\w*)\s*\(")
_FIXED = re.compile(
    r"^(?:[A-Z][\w.]*\(\s*)?(?:[-+]?\d[\w.]*|[rbf]?(?:\"[^\"\n]*\"|'[^'\n]*')|\[[^()]*\]|\{[^()]*\}"
    r"|True|False|true|false|None|null|nil)\s*\)?$"
)
_EMPTY = re.compile(r"^(?:\[\s*\]|\{\s*\}|None|null|nil|''|\"\")$")
_FIXTURE = re.compile(r"@(?:\w+\.)?fixture\b|\bbeforeE(?:ach|very)\b|\blet!?\(|\bsubject\b")
_MAKES = re.compile(
    r"(?i)^(?:make|build|create|load|read|open|new|get_?(?:client|app|session)|factory|fake|dict|list)"
)


def _fixed_fixture(piece: Piece) -> str:
    """What a fixture called for its value, if it returns a literal now; empty otherwise."""
    stretch = piece.stretch
    around = "\n".join((*stretch.above[-4:], piece.old_text))
    before, after = _GIVES.findall(piece.old_text), _GIVES.findall(piece.new_text)
    fixture = piece.story.path.endswith("conftest.py") or _FIXTURE.search(around) is not None
    if len(before) != 1 or len(after) != 1 or not fixture or not _FIXED.match(after[0]):
        return ""
    called = _CALLED.match(before[0])
    if not called or (_MAKES.match(called["name"]) and not _EMPTY.match(after[0])):
        return ""
    return called["name"]


_AUTOUSE = re.compile(r"autouse\s*=\s*True|\bbeforeEach\b|\bbefore\(:each\)|\bsetupFiles\b")
_ATTRIBUTE = re.compile(r"(?:setattr|patch)\(\s*['\"](?:[\w.]+\.)?(?P<module>\w+)\.(?P<name>\w+)['\"]")


def _mocked_for_all(scene: Scene, piece: Piece) -> str:
    """What of the changed code set-up now replaces for every test; empty if nothing."""
    if piece.role != "support" or not _AUTOUSE.search(piece.new_text):
        return ""
    changed = {
        story.path.rpartition("/")[2].partition(".")[0]
        for story in scene.stories
        if role_of(story.path) == "source"
    }
    before = piece.old_text
    found = (match for match in _ATTRIBUTE.finditer(piece.new_text) if match["name"] not in before)
    return next((match["name"] for match in found if match["module"] in changed), "")


def _mocked_names(text: str) -> Iterator[str]:
    for match in _MOCKED.finditer(text):
        named = match["dotted"] or match["name"] or match["call"] or match["assigned"] or match["received"]
        if named:
            yield re.split(r"[./]", named)[-1]
    for match in _FAKED_MODULE.finditer(text):
        yield from re.findall(r"(\w+)\s*:", match["body"])


def _is_tested(scene: Scene, piece: Piece, name: str) -> bool:
    """Whether an old test asserts on what ``name`` returns."""
    fresh = scene.gained_tests(piece)
    if len(name) < 3 or any(name in test for test in fresh):
        return False
    if name == re.sub(r"(?i)^test_|[._-](?:test|spec)$", "", _stem(piece)):
        return True
    named = len(name) > 4 and name not in _COMMON and not _SURROUNDINGS.search(piece.new_text)
    if named and any(_speaks_of(name, request.text) for request in scene.requests):
        return re.search(r"return|=>|lambda", piece.new_text) is not None
    context = "\n".join((*piece.stretch.above, piece.old_text, piece.new_text, *piece.stretch.below))
    called = re.search(
        rf"(?:assert|expect|eq|Equal|should)[^\n]*(?<!\w){re.escape(name)}\s*\("
        rf"|\b(\w+)\s*=\s*(?:await\s+)?(?:\w+\.)?{re.escape(name)}\s*\(",
        context,
    )
    if called:
        result = called.group(1)
        return result is None or bool(re.search(rf"(?:assert|expect)[^\n]*\b{re.escape(result)}\b", context))
    above = [test for line in piece.stretch.above for test in declared((line,), piece.language)]
    tests = [test for test in (*piece.old_tests, *piece.new_tests, *above) if test not in fresh]
    return any(re.sub(r"(?i)^test_?", "", test).lower().startswith(name.lower()) for test in tests)


def _speaks_of(name: str, text: str) -> bool:
    """Whether a request names this piece of code: a plain word may be anything (``vscode``)."""
    word = re.escape(name)
    if re.search(rf"`{word}\b|\b{word}(?:`|\(|\.\w)", text):
        return True
    return re.search(r"_|[a-z][A-Z]", name) is not None and re.search(rf"\b{word}\b", text) is not None


def _stem(piece: Piece) -> str:
    return piece.story.path.rpartition("/")[2].rpartition(".")[0]


def _fakes_itself(piece: Piece) -> bool:
    """Whether the whole module by whose name the test file goes is faked (JavaScript)."""
    if _FAKED_MODULE.search(piece.old_text):
        return False
    stem = re.sub(r"[._-](?:test|spec)$", "", _stem(piece))
    for match in _FAKED_MODULE.finditer(piece.new_text):
        own = match["module"].startswith(".") and match["module"].rpartition("/")[2].partition(".")[0] == stem
        if own and not _ORIGINAL.search(match.group()):
            return True
    return False


def _shadowed(piece: Piece) -> str | None:
    """A name that was imported and is now defined in the test."""
    for name in _imported(piece.old_text) - _imported(piece.new_text):
        stand_in = (
            rf"\bdef {name}\b|\bfunction {name}\b"
            rf"|\b(?:const |let |var )?{name} = (?:lambda|\(|jest|vi\.|async|Mock|MagicMock)"
        )
        if len(name) > 2 and re.search(stand_in, piece.new_text):
            return name
    return None


def _imported(text: str) -> set[str]:
    groups = (group for match in _IMPORTED.finditer(text) for group in match.groups() if group)
    return {name.strip() for group in groups for name in group.split(",") if name.strip().isidentifier()}
