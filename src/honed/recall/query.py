"""What a request asks for: words, their stems, and the exact things it names."""

from __future__ import annotations

from honed.skills.entities import entities_of_text, phrase_of
from honed.skills.failures import decisive_lines, error_values
from honed.skills.stemming import stem
from honed.skills.terms import is_stop, language
from honed.skills.topics import topic_of
from honed.skills.words import Word, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    _Kept = tuple[str, tuple[str, ...]]
    """A word, and its parts where it is a compound."""

TEXT_LIMIT = 1000
"""Characters of a request that are looked at: its beginning and its end."""
TERM_LIMIT = 24
"""Distinct words of a request that are looked up."""
ENTITY_LIMIT = 16
PASTE_LIMIT = 20_000
"""Characters in between that are searched for errors alone."""
_TAIL = 250
_LAST_TERMS = 6


class Term:
    """A word of the request as it stands (``word``) and its ``stems``: in the language of the request,
    and in English where that is another one.  ``marked`` says that it stands in backticks, ``within`` are the
    compounds that it is a part of, where it stands nowhere else; a compound has ``parts``.  ``is_foreign``
    says that it is of another language, and of no English, or asked beside it."""

    __slots__ = ("is_foreign", "marked", "parts", "stems", "within", "word")

    def __init__(
        self,
        word: str,
        stems: tuple[str, ...],
        within: tuple[str, ...] = (),
        parts: tuple[str, ...] = (),
    ) -> None:
        self.word = word
        self.stems = stems
        self.within = within
        self.parts = parts
        self.marked = False
        self.is_foreign = False

    def __repr__(self) -> str:
        return f"Term({self.word!r}, {self.stems!r})"


class Query:
    """An analysed request.

    ``terms`` are its distinct words without stop words (all of them if it has no others);
    ``entities`` the exact things it names as ``(kind, value)``; ``phrase`` the whole request in one
    spelling; ``length`` its words, stop words and all; ``is_path`` whether it is nothing but a path,
    ``is_translated`` whether English was put in for words of another language.
    """

    __slots__ = ("entities", "is_path", "is_translated", "language", "length", "phrase", "terms", "text")

    def __init__(
        self,
        text: str,
        language: str,
        length: int,
        terms: tuple[Term, ...],
        entities: tuple[tuple[str, str], ...],
        phrase: str,
    ) -> None:
        self.text = text
        self.language = language
        self.length = length
        self.terms = terms
        self.entities = entities
        self.phrase = phrase
        self.is_translated = False
        stripped = text.strip()
        self.is_path = len(stripped.split()) == 1 and ("/" in stripped or "\\" in stripped)

    def asking(self, terms: Sequence[Term]) -> Query:
        """The same request, translated to ``terms``."""
        query = Query(self.text, self.language, self.length, tuple(terms), self.entities, self.phrase)
        query.is_translated = True
        return query


def analyse(text: str) -> Query:
    """The request ``text`` as a ``Query``.  Every text is legal; one without words has no terms."""
    between = text[TEXT_LIMIT - _TAIL : -_TAIL][:PASTE_LIMIT] if len(text) > TEXT_LIMIT else ""
    if between:
        text = f"{text[: TEXT_LIMIT - _TAIL]}\n{text[-_TAIL:]}"
    words = list(cut(text))
    spoken = language(words)
    terms = _terms(words, spoken, keep_stops=False) or _terms(words, spoken, keep_stops=True)
    if "`" in text:
        marked = {part for word in cut(" ".join(text.split("`")[1::2])) for part in (word.whole, *word.parts)}
        for term in terms:
            term.marked = term.word in marked
    phrase = phrase_of(words)
    entities = _first(entities_of_text(text), ENTITY_LIMIT)
    entities += [("error", line) for line in _errors_in(between)]
    if topic := topic_of(words, spoken):
        entities.insert(0, ("topic", topic))
    if phrase:
        entities.insert(0, ("phrase", phrase))
    return Query(text, spoken, len(words), tuple(terms), tuple(entities), phrase)


def _errors_in(between: str) -> list[str]:
    """The error lines of what is pasted between the beginning and the end that are looked at: the cause
    stands among its output."""
    lines = error_values("\n".join(decisive_lines(between))) if between else []
    return [line for line in lines if " " in line]


def _first(entities: Iterable[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """The first ``count`` that differ; what comes after them is not even looked for."""
    found: dict[tuple[str, str], None] = {}
    for entity in entities:
        found[entity] = None
        if len(found) == count:
            break
    return list(found)


def _terms(words: Sequence[Word], spoken: str, *, keep_stops: bool) -> list[Term]:
    found: dict[str, tuple[str, ...]] = {}
    within: dict[str, set[str]] = {}
    pairs: dict[str, tuple[str, ...]] = {}
    named = _names(words)
    for word in words:
        if word.unspaced:
            pairs[word.whole] = ()
            continue
        for part in (word.whole, *word.parts):
            if part not in found and (keep_stops or part in named or not is_stop(part, spoken)):
                found[part] = word.parts if part == word.whole else ()
            if word.parts:
                within.setdefault(part, set()).add(word.whole)
            else:
                within[part] = {part}
    kept = _limited(list(found.items()))
    # A sentence of Chinese is dozens of pairs; the few spaced words in it are names, and say the most.
    kept += _limited(list(pairs.items()), TERM_LIMIT - len(kept))
    return [
        Term(word, _stems(word, spoken, whole=bool(parts)), _compounds(word, within.get(word, ())), parts)
        for word, parts in kept
    ]


def _names(words: Sequence[Word]) -> set[str]:
    """The words that stand alone in Chinese, Japanese or Korean text: "Go" there is a language, no verb."""
    if not any(word.unspaced for word in words):
        return set()
    spaced = [False, *(not word.unspaced for word in words), False]
    return {
        word.whole
        for at, word in enumerate(words, 1)
        if spaced[at] and not spaced[at - 1] and not spaced[at + 1]
    }


def _compounds(part: str, within: Iterable[str]) -> tuple[str, ...]:
    """Those of ``within`` that hold ``part``, where it is none of them itself."""
    return () if part in within else tuple(sorted(within))


def _stems(word: str, spoken: str, *, whole: bool) -> tuple[str, ...]:
    if whole:
        return (word,)  # a compound is not inflected; its parts are
    return tuple(dict.fromkeys((stem(word, spoken), stem(word, "en"))))


def _limited(words: list[_Kept], limit: int = TERM_LIMIT) -> list[_Kept]:
    """The first and the last words: a pasted log in the middle is worth the least."""
    if len(words) <= limit:
        return words
    last = min(_LAST_TERMS, limit // 4)
    return words[: limit - last] + words[len(words) - last :]
