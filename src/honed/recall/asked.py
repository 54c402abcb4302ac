"""Which requests ask how the tests are run here.

"Run the tests" is said of every project, so its words find no skill; and no single skill knows what many
sessions showed.  So such a request is recognised as a whole and answered with the usual checks
(``recall.usual``).  On the hot path (docs/decisions/0004): every request comes by here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ASKED_LIMIT = 600
"""Characters of a request that may ask for this; a longer one is about something else."""
_UNKNOWN = 2
"""Words besides that a question may have: "how do I run the backend tests"."""

_NOUNS = frozenset(
    """
    test tests testing testsuite suite specs checks unittest unittests tester testen testsuite testlauf
    essais pruebas teste testes тест тесты тестов тестами
    """.split()
)
_VERBS = frozenset(
    """
    run running rerun execute executing start launch invoke do command commands verify
    aus ausführen ausfuehren führe fuehre führt laufen starte starten befehl
    lancer lance lancez exécuter exécute commande ejecutar ejecuta ejecuto correr corre comando
    rodar rode executar execute запустить запусти запускать прогнать прогони прогнать команда
    """.split()
)
_HOW = frozenset("how wie comment cómo como как".split())
_ASKING = _HOW | frozenset("what which where was welcher welche quelle cuál qual какой".split())
_AROUND = frozenset(
    """
    a again all and any are before can check codebase commit committing correct could directory does e2e
    entire everything exactly first folder for from full get green here hello hey hi i if in integration is it
    just know let lets local locally machine make me my need normal normally now of ok okay on once one our
    package pass passes passing please project proper quick quickly really repo repository right s see should
    so still sure tell thanks that the them then there these they thing this to unit us use used usual usually
    way we whole whether with would you your
    alle bitte der die das den dem man ich wir hier im in projekt mal noch einmal kann mit man
    les tests je on peut ici dans ce projet le la de du des faire s'il vous plaît tous toutes
    los las el aquí en este proyecto se las por favor todas todos puedo
    os as aqui neste projeto eu por favor todos todas faço
    здесь в этом проекте мне я можно все пожалуйста нужно
    """.split()
)
_KNOWN = _NOUNS | _VERBS | _ASKING | _AROUND
_RUNS = frozenset("run execute start launch get invoke suite".split())
_HOW_FAR = 6
"""Words between "how" and what it asks for."""
_ENDS = (".", "!", "?", ";", ":", "\u2026")
_MARKS = ".,!?;\u00bf\u00a1:\u2026\"'`()[]*_<>"


def asks(text: str) -> bool:
    """Whether a request asks how the tests are run, or to run them, and nothing else.

    A question may stand among other sentences, an order is the whole request: in "fix the rounding and
    run the tests" the work is another one.  Cheap: most requests of a hook come by here.
    """
    if len(text) > ASKED_LIMIT or _NOUNS.isdisjoint(_plain(word) for word in text.split()):
        return False
    sentences = _sentences(text)
    if len(sentences) == 1 and _is_about(sentences[0], _VERBS):
        return True
    return any(_is_about(words, _ASKING) or _is_how(words) for words in sentences)


def _sentences(text: str) -> list[list[str]]:
    """The words of each sentence, in lower case and without marks."""
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        for word in line.split():
            if plain := _plain(word):
                found[-1].append(plain)
            if word.endswith(_ENDS):
                found.append([])
        found.append([])
    return [words for words in found if words]


def _plain(word: str) -> str:
    return word.lower().strip(_MARKS).removesuffix("'s").removesuffix("\u2019s")


def _is_about(sentence: Sequence[str], said: frozenset[str]) -> bool:
    """Whether nothing but running tests is spoken of, with one of the words ``said``."""
    words = set(sentence)
    return bool(words & _NOUNS and words & said and words & (_VERBS | _HOW)) and words <= _KNOWN


def _is_how(sentence: Sequence[str]) -> bool:
    """Whether it asks how to run tests, or for the command, with few words besides."""
    words = set(sentence)
    if words.isdisjoint(_NOUNS) or len(words - _KNOWN) > _UNKNOWN:
        return False
    return any(_asks_how(word, sentence[at + 1 : at + 1 + _HOW_FAR]) for at, word in enumerate(sentence))


def _asks_how(word: str, following: Sequence[str]) -> bool:
    if word == "how":
        end = next((at for at, one in enumerate(following) if one in _RUNS), 0)
        return end > 0 and _KNOWN.issuperset(following[:end])
    if word in ("what", "which"):
        return "command" in following or "way" in following
    return word in ("test", "check") and following[:1] == ["command"]
