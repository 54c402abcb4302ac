"""Stems of words, and the language they are in.

English has a stemmer of honed's own (``skills.english``), with the same stems.  The others are those of the
``snowballstemmer`` distribution, one language at a time: its own ``__init__`` loads all sixty, which costs a
hook more than the rest of a recall.  Where the distribution is not there a word of them is its own stem,
in the index and in the query alike.
"""

from __future__ import annotations

import os
import sys

from honed.skills.stopwords import BY_LANGUAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CLASSES = {
    "ru": ("russian_stemmer", "RussianStemmer"),
    "de": ("german_stemmer", "GermanStemmer"),
    "fr": ("french_stemmer", "FrenchStemmer"),
    "es": ("spanish_stemmer", "SpanishStemmer"),
    "pt": ("portuguese_stemmer", "PortugueseStemmer"),
}
_PACKAGE = "_honed_snowball"
_CACHE_LIMIT = 50_000
"""Words remembered per language; a backfill sees the same words again and again."""

_stemmers: dict[str, Callable[[str], str]] = {}
_stems: dict[str, dict[str, str]] = {}


def language_of(words: Iterable[str]) -> str:
    """The language code of folded ``words``: by script, then by votes of the stop words.

    Only a clear vote leaves English: a language needs two votes and more than English has,
    because a short query of code words says nothing either way.
    """
    votes = dict.fromkeys(BY_LANGUAGE, 0)
    cyrillic = latin = 0
    for word in words:
        if "\u0400" <= word[:1] <= "\u04ff":
            cyrillic += 1
            continue
        latin += 1
        for language, stops in BY_LANGUAGE.items():
            if word in stops:
                votes[language] += 1
    if cyrillic > latin:
        return "ru"
    best = max(votes, key=lambda language: (votes[language], language == "en"))
    return best if votes[best] >= 2 and votes[best] > votes["en"] else "en"


def stem(word: str, language: str) -> str:
    """The stem of a lower-case ``word``.  Words with anything but letters are their own stem."""
    if "\u0400" <= word[:1] <= "\u04ff":
        language = "ru"
    elif language == "ru":
        language = "en"
    known = _stems.setdefault(language, {})
    found = known.get(word)
    if found is None:
        found = _stemmer(language)(word) if len(word) > 2 and word.isalpha() else word
        if len(known) < _CACHE_LIMIT:
            known[word] = found
    return found


def _stemmer(language: str) -> Callable[[str], str]:
    if language not in _stemmers:
        _stemmers[language] = _load(language)
    return _stemmers[language]


def _load(language: str) -> Callable[[str], str]:
    if language == "en":
        from honed.skills.english import stem as english

        return english
    module, name = _CLASSES[language]
    if _PACKAGE not in sys.modules:
        folder = _folder()
        if not folder:
            return str
        package = type(sys)(_PACKAGE)
        package.__path__ = [folder]
        sys.modules[_PACKAGE] = package
    try:
        loaded = __import__(f"{_PACKAGE}.{module}", fromlist=[name])
        stem_word: Callable[[str], str] = getattr(loaded, name)().stemWord
    except (ImportError, AttributeError):
        return str
    return stem_word


def _folder() -> str:
    """Where the distribution lies; beside honed first, because a hook may run without site-packages."""
    beside = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for root in (beside, *filter(os.path.isabs, sys.path)):  # never the working directory
        folder = os.path.join(root, "snowballstemmer")
        if os.path.isfile(os.path.join(folder, "english_stemmer.py")):
            return folder
    return ""
