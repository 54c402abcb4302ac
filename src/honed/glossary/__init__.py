"""What words of programming and operations are called in English, for requests in another language.

Memories are mostly English (code, commands and agents are), requests are not.  A glossary by hand of common
terms, one module a language, loaded when a request is in it.  Pure data and text search: a hook may use it
(docs/decisions/0004).  A module's ``WORDS`` holds entries ``foreign words : English words ;`` with foreign
words folded as ``skills.words`` folds them, and ``-`` between the words of an English phrase; an entry
without English words are words that carry no topic.
"""

from __future__ import annotations

from honed.skills.stemming import stem
from honed.skills.words import WORD_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SPACED = ("ru", "de", "fr", "es", "pt")
"""Languages with a glossary that write spaces between words, by the codes of ``skills.stemming``."""
MOST_MEANINGS = 3
"""English words that one foreign word is looked up as."""
LONG = 6
"""Letters from which on a stem may differ in its last one: endings that no stemmer takes off."""
PART, JOINTS = 4, ("", "s", "n", "en", "er")
"""Letters of a part of a German compound, and what may stand between two of them."""
ELIDED, VOWELS = "dljmnst", "aeiouh"
"""What is left of a French word before an apostrophe, and with what the next one begins."""
_HANGUL, _KANA = ("\uac00", "\ud7af"), ("\u3040", "\u30ff")

_texts: dict[str, str] = {}
_entries: dict[str, tuple[dict[str, str], int]] = {}


def meanings(word: str, language: str) -> tuple[str, ...]:
    """The English words for a folded ``word`` of a language in ``SPACED``, whatever its ending; none where
    the glossary has none.  Of a German word that is made of two which it has, a phrase."""
    found = _of_word(word, language)
    if not found and language == "fr" and word[:1] in ELIDED and word[1:2] in VOWELS:
        found = _of_word(word[1:], "fr")  # "l'equipe" is cut as one word
    return found or (_of_compound(word) if language == "de" and len(word) >= 2 * LONG else ())


def _of_word(word: str, language: str) -> tuple[str, ...]:
    root, text = stem(word, language), _text(language)
    # Some stems are no beginning of their word (French "application"), so the word itself comes first.
    found = _found(text, f"{word} ", language, WORD_LIMIT) or _found(text, root, language, len(root))
    if not found and language == "ru":
        from honed.glossary.ru_verbs import others

        told = (_found(text, other, language, len(other)) for other in others(root))
        found = next((english for english in told if english), ())
    if not found and len(root) >= LONG:
        found = _found(text, root[:-1], language, len(root) + 1)
    return found


def _of_compound(word: str) -> tuple[str, ...]:
    for at in range(PART, len(word) - PART + 1):
        if end := _of_word(word[at:], "de"):
            begins = (word[:at].removesuffix(joint) for joint in JOINTS if word[:at].endswith(joint))
            told = (_of_word(begin, "de") for begin in begins if len(begin) >= PART)
            if begin := next((english for english in told if english), ()):
                return (f"{begin[0]}-{end[0]}",)
    return ()


def _found(text: str, root: str, language: str, most: int) -> tuple[str, ...]:
    """The English words of the first entry with a word that begins with ``root`` and whose stem has at most
    ``most`` letters."""
    at = text.find(f" {root}") if root.strip() else -1
    while at >= 0:
        known = text[at + 1 : text.find(" ", at + 1)]
        told, end = text.find(":", at), text.find(";", at)
        # Behind the colon it is an English word that begins likewise.
        if told < end and len(stem(known, language)) <= most:
            return tuple(text[told + 1 : end].split()[:MOST_MEANINGS])
        at = text.find(f" {root}", at + 1)
    return ()


def parts(run: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The known words of a folded ``run`` of Chinese, Japanese or Korean, from left to right: those that
    leave the fewest letters over, and of these the fewest.  ``(start, end, English words)``; words without a
    topic have no English words."""
    entries, longest = _entries_of(_language_of(run))
    # From each place to the end: letters left over and words, and the length of the word that begins there.
    best = [(0, 0, 0)] * (len(run) + 1)
    for at in range(len(run) - 1, -1, -1):
        left, words, _ = best[at + 1]
        found = (left + 1, words, 0)
        for length in range(min(longest, len(run) - at), 0, -1):
            if run[at : at + length] in entries:
                left, words, _ = best[at + length]
                if (left, words + 1) < found[:2]:
                    found = (left, words + 1, length)
        best[at] = found
    at = 0
    while at < len(run):
        length = best[at][2]
        if length:
            english = entries[run[at : at + length]].split()
            yield at, at + length, tuple(english[:MOST_MEANINGS])
        at += length or 1


def _language_of(run: str) -> str:
    for language, (first, last) in (("ko", _HANGUL), ("ja", _KANA)):
        if any(first <= letter <= last for letter in run):
            return language
    return "zh"


def _text(language: str) -> str:
    if language not in _texts:
        # Without importlib's package, which a hook would load for this alone.
        words: str = __import__(f"honed.glossary.{language}", fromlist=("WORDS",)).WORDS
        _texts[language] = words.replace("\n", " ")
    return _texts[language]


def _entries_of(language: str) -> tuple[dict[str, str], int]:
    if language not in _entries:
        found: dict[str, str] = {}
        # Japanese writes Chinese words too; its own come first.
        for one in (language, "zh") if language == "ja" else (language,):
            for entry in _text(one).split(";"):
                foreign, _, english = entry.partition(":")
                for word in foreign.split():
                    found.setdefault(word, english)  # a request has a few of thousands: split then
        _entries[language] = found, max(map(len, found), default=0)
    return _entries[language]
