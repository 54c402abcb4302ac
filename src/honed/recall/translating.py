"""A request in another language, asked in English too.

Each word that the glossary knows becomes one term that English, or the word itself, may answer.  Chinese,
Japanese and Korean are cut at known words; what is left of them in pairs that nobody has is counted once for
two characters, not for each.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

from honed.patterns import compiled
from honed.recall.query import TERM_LIMIT, Query, Term
from honed.skills.stemming import stem
from honed.skills.words import UNSPACED_RUN, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honed.store.reading import Reader


MOST_PAIRS = 8
"""Pairs of characters that answer a request of one character."""


def translated(query: Query, reader: Reader, scopes: Sequence[int]) -> Query:
    """``query`` with English for the foreign words in it, where ``scopes`` do not know those themselves."""
    runs = [fold(run) for run in compiled(UNSPACED_RUN).findall(query.text)]
    spaced = [term for term in query.terms if not _is_unspaced(term.word)]
    if not runs and query.language == "en" and all(term.word.isascii() for term in spaced):
        return query
    if not spaced and [len(run) for run in runs] == [1]:
        return query.asking([_of_character(runs[0], reader, scopes)])
    known = {
        word for word, counted in reader.count(scopes, sorted(_foreign(query.terms))).items() if counted.most
    }
    terms: dict[str, Term] = {}
    for term in [*_of_words(spaced, query.language, known), *_of_runs(runs, known)]:
        terms.setdefault(term.word, term)
    return query.asking(list(terms.values())[:TERM_LIMIT])


def _of_character(character: str, reader: Reader, scopes: Sequence[int]) -> Term:
    """The term for a request of one character: any pair with it answers, for texts are kept in pairs."""
    from honed.glossary import parts
    from honed.store.characters import pairs_with  # few requests are so short

    english = [word for _, _, meant in parts(character) for phrase in meant for word in phrase.split("-")]
    stems = [
        character,
        *pairs_with(reader, scopes, character, MOST_PAIRS),
        *(stem(word, "en") for word in english),
    ]
    term = Term(character, tuple(dict.fromkeys(stems)))
    term.is_foreign = not english
    return term


def _is_unspaced(word: str) -> bool:
    return compiled(UNSPACED_RUN).fullmatch(word) is not None


def _foreign(terms: Iterable[Term]) -> set[str]:
    return {text for term in terms for text in (term.word, *term.stems)}


def _of_words(terms: Iterable[Term], language: str, known: set[str]) -> Iterable[Term]:
    from honed.glossary import SPACED, meanings

    for term in terms:
        spoken = "ru" if "\u0400" <= term.word[:1] <= "\u04ff" else language
        english = meanings(term.word, spoken) if spoken in SPACED else ()
        yield from _meant(english, term.stems)
        if not english or term.word in known:
            # Latin letters in a Russian request are a name, which English texts would have too.
            term.is_foreign = spoken in SPACED and not (language == "ru" and term.word.isascii())
            yield term


def _of_runs(runs: Iterable[str], known: set[str]) -> Iterable[Term]:
    from honed.glossary import parts

    for run in runs:
        done = 0
        for start, end, english in parts(run):
            yield from _pairs(run[done:start], known)
            yield from _meant(english, (run[start : start + 2],))
            if english:
                yield from _of_pairs(pair for pair in _all_pairs(run[start:end]) if pair in known)
            done = end
        yield from _pairs(run[done:], known)


def _pairs(rest: str, known: set[str]) -> Iterable[Term]:
    pairs = _all_pairs(rest)
    if not any(pair in known for pair in pairs):
        pairs = pairs[::2]
    return _of_pairs(pairs)


def _of_pairs(pairs: Iterable[str]) -> Iterable[Term]:
    for pair in pairs:
        term = Term(pair, (pair,))
        term.is_foreign = True
        yield term


def _all_pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _meant(english: Sequence[str], own: Sequence[str]) -> Iterable[Term]:
    """The terms for a foreign word with these meanings, any of which answers it; of a phrase that comes
    first every word has to be answered."""
    if english:
        others = [stem(word, "en") for phrase in english[1:] for word in phrase.split("-")]
        for word in english[0].split("-"):
            yield Term(word, tuple(dict.fromkeys([stem(word, "en"), *own, *others])))
