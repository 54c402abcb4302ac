"""What the index stores of a skill: words, stems, and exact entities.

``skills.words`` cuts, ``skills.stemming`` stems, ``skills.entities`` finds paths, symbols, commands,
errors and codes.  A query goes through the same functions (``recall.query``), so what was stored can
be found.
"""

from __future__ import annotations

from honed.skills.entities import entities_of_skill, phrase_of
from honed.skills.stemming import language_of, stem
from honed.skills.stopwords import BY_LANGUAGE
from honed.skills.words import Word, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TIMES = "×"
"""Follows a count in ``IndexEntry.body_stem``; no word has it (it is no letter or digit)."""
BETWEEN = " | "
"""Stands between two past uses in ``IndexEntry.uses``, and two occasions; no word is spelled so."""
PLACES_KEPT = 12
"""Changed files of a skill that are kept as its places."""
KEY_LIMIT = 400
"""Words of files, symbols, check and signatures that are kept."""
_HAN = (("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003ffff"))


class IndexEntry:
    """What the index stores of one skill: words separated by single spaces, and exact entities.

    ``body_stem`` has each stem once, followed by ``3×`` if it stands there three times, the most
    frequent first; ``body_words`` counts the body's words.  ``uses`` has the stems of each past use,
    ``occasions`` those of each phrase of title and trigger, ``BETWEEN`` two of them.  ``places`` are the
    paths that it changed, a line each, ``talk`` who says it
    (``skills.talk``).  ``entities`` are ``(kind, value)`` pairs without repeats, in a
    fixed order.
    """

    __slots__ = (
        "body_stem", "body_words", "entities", "head", "head_stem", "keys", "occasions", "places", "talk",
        "uses",
    )  # fmt: skip

    def __init__(
        self,
        head: str,
        head_stem: str,
        body_stem: str,
        keys: str,
        body_words: int,
        entities: tuple[tuple[str, str], ...],
        uses: str = "",
        occasions: str = "",
        places: str = "",
        talk: str = "",
    ) -> None:
        self.head = head
        self.head_stem = head_stem
        self.body_stem = body_stem
        self.keys = keys
        self.body_words = body_words
        self.entities = entities
        self.uses = uses
        self.occasions = occasions
        self.places = places
        self.talk = talk


def plain(text: str) -> list[str]:
    """All words of ``text``, compounds whole and in parts, as the unstemmed fields store them."""
    found: list[str] = []
    for word in cut(text):
        found.append(word.whole)
        found += word.parts
    return found


def stemmed(words: Iterable[Word], language: str) -> list[str]:
    """The stems of ``words``: of the parts of a compound, and its whole as it is."""
    found: list[str] = []
    for word in words:
        if word.parts or word.unspaced:
            found.append(word.whole)
            found += [stem(part, language) for part in word.parts]
        else:
            found.append(stem(word.whole, language))
    return found


def language(words: Iterable[Word]) -> str:
    """The language code of a text that was cut into ``words``."""
    return language_of(word.whole for word in words if not word.unspaced)


def is_stop(word: str, language: str) -> bool:
    """Whether a folded word carries no topic in ``language`` (or in English, which code mixes in)."""
    if "\u0400" <= word[:1] <= "\u04ff":
        language = "ru"
    return word in BY_LANGUAGE[language] or word in BY_LANGUAGE["en"]


def index_entry(
    title: str,
    trigger: str,
    aliases: Sequence[str],
    body_lines: Sequence[str],
    files: Sequence[str],
    check: str,
    symbols: Sequence[str],
    signatures: Sequence[str],
    failing: Sequence[str] = (),
    about: Sequence[str] = (),
    subjects: Sequence[tuple[str, str]] = (),
    changed: Sequence[str] = (),
    talk: str = "",
) -> IndexEntry:
    """What the index stores of a skill.

    In: its title and trigger, the requests it answered (``aliases``), its text line by line, the
    paths it is about ('/'-separated, relative), its test command, symbols, normalised errors, the
    commands that went wrong (``failing``), texts that stand for such keys (``about``), more
    entities (``subjects``), which of the paths it ``changed``, and who
    says it (``talk``).
    """
    head = [list(cut(text)) for text in (title, trigger, *aliases)]
    body = [list(cut(line)) for line in body_lines]
    head_words = [word for words in head for word in words]
    body_words = [word for words in body for word in words]
    head_language = language(head_words)
    body_language = language(body_words)
    body_stems = _with_english(body_words, body_language)
    keys = [word for text in (*files, *symbols, check, *signatures) for word in plain(text)]
    keys += _as_keys(about)
    return IndexEntry(
        head=" ".join(_stored(head_words)),
        head_stem=" ".join(_with_english(head_words, head_language)),
        body_stem=_counted(body_stems),
        keys=" ".join(keys[:KEY_LIMIT]),
        body_words=len(body_stems),
        entities=entities_of_skill(
            title, trigger, aliases, body_lines, files, check, symbols, signatures, failing, subjects
        ),
        occasions=BETWEEN.join(_occasions(title, trigger)),
        places="\n".join(sorted(set(changed))[:PLACES_KEPT]),
        talk=talk,
    )


def _occasions(title: str, trigger: str) -> list[str]:
    """The stems of each phrase of a title and a trigger; of one that is a whole sentence, none."""
    from honed.skills.occasions import MOST_OCCASIONS, MOST_WORDS, phrases  # a hook writes no index

    found: dict[str, None] = {}
    for phrase in (title, *phrases(trigger)):
        stems = list(_telling_stems(list(cut(phrase))))
        if 0 < len(stems) <= MOST_WORDS:
            found[" ".join(sorted(stems))] = None
    return list(found)[:MOST_OCCASIONS]


def with_uses(entry: IndexEntry, uses: Iterable[str]) -> IndexEntry:
    """``entry`` of a skill that was used for the requests ``uses``: their words, and each of them whole."""
    cut_uses = [list(cut(text)) for text in uses]
    phrases = [("phrase", phrase) for words in cut_uses if (phrase := phrase_of(words))]
    return IndexEntry(
        entry.head,
        entry.head_stem,
        entry.body_stem,
        entry.keys,
        entry.body_words,
        tuple(dict.fromkeys((*entry.entities, *phrases))),
        BETWEEN.join(stems for words in cut_uses if (stems := " ".join(_telling_stems(words)))),
        entry.occasions,
        entry.places,
        entry.talk,
    )


def _telling_stems(words: list[Word]) -> Iterable[str]:
    """The stems of the words that carry a topic, each once: how many there are says how long a use is."""
    spoken = language(words)
    found: dict[str, None] = {}
    for word in words:
        for part in (word.whole,) if word.unspaced else (word.whole, *word.parts):
            if word.unspaced or not is_stop(part, spoken):
                compound = part == word.whole and bool(word.parts)
                found.update(
                    dict.fromkeys((part,) if compound or word.unspaced else _both_stems(part, spoken))
                )
    return found


def _both_stems(word: str, spoken: str) -> tuple[str, str]:
    return stem(word, spoken), stem(word, "en")


def _as_keys(texts: Iterable[str]) -> Iterator[str]:
    """The words of ``texts`` that carry a topic, as they stand and as stems: keys are not stemmed, and of a
    text without typed fields no other spelling is known."""
    for text in texts:
        spoken = language(cut(text))
        for word in dict.fromkeys(plain(text)):
            if not is_stop(word, spoken):
                yield from dict.fromkeys((word, stem(word, spoken)))


def _with_english(words: list[Word], spoken: str) -> list[str]:
    """Stems, single characters of Chinese too; beside another Latin language the English ones, because
    code and its terms are English in every text."""
    found = stemmed(words, spoken)
    if spoken not in ("en", "ru"):
        known = set(found)
        found += [one for one in stemmed(words, "en") if one not in known]
    found += [char for word in words if _is_han_pair(word) for char in word.whole]
    return found


def _counted(stems: list[str]) -> str:
    times: dict[str, int] = {}
    for one in stems:
        times[one] = times.get(one, 0) + 1
    ordered = sorted(times.items(), key=lambda item: -item[1])
    return " ".join(one if count == 1 else f"{one} {count}{TIMES}" for one, count in ordered)


def repeated(body_stem: str) -> str:
    """The part of ``IndexEntry.body_stem`` that holds the repeated stems, between two spaces."""
    return f" {body_stem[: body_stem.rfind(TIMES) + 1]} "


def count_at(counted: str, place: int) -> int:
    """The count that stands at ``place`` of a body, right after a stem; 1 where none does."""
    following = counted[place : counted.find(" ", place)]
    return int(following[:-1]) if following[-1:] == TIMES and following[:-1].isdigit() else 1


def _stored(words: Iterable[Word]) -> Iterator[str]:
    for word in words:
        yield word.whole
        yield from word.parts
        if _is_han_pair(word):
            yield from word.whole  # one character may be a whole word in Chinese and Japanese


def _is_han_pair(word: Word) -> bool:
    return word.unspaced and len(word.whole) == 2 and any(low <= word.whole[0] <= high for low, high in _HAN)
