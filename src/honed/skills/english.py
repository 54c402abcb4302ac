"""English stems by the Porter2 algorithm, as Snowball 3.1 has it (https://snowballstem.org).

The same stems as those of the ``snowballstemmer`` distribution, at a fifth of the cost: that loads tables
of hundreds of objects and walks each word character by character, and a hook is a fresh process that stems
a dozen words.  A test holds the two side by side.  Pure; on the hot path (docs/decisions/0004).
"""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_NO_SHORT_END = frozenset("aeiouwxyY")
_WHOLE = {
    **{word: word for word in ("andes", "atlas", "bias", "cosmos", "howe", "news", "sky")},
    "early": "earli", "gently": "gentl", "idly": "idl", "only": "onli", "singly": "singl", "skies": "sky",
    "skis": "ski", "ugly": "ugli",
}  # fmt: skip
"""Words with a stem of their own."""
_BEGINNINGS = ("univers", "commun", "arsen", "emerg", "gener", "inter", "later", "organ", "past")
"""After these the first region begins, wherever the vowels are."""
_KEEPS_EED = frozenset(("succ", "proc", "exc"))
_KEEPS_ING = frozenset(("even", "cann", "inn", "earr", "herr", "out"))
_DOUBLES = frozenset("bb dd ff gg mm nn pp rr tt".split())
_LI = frozenset("cdeghkmnrt")
_SECOND = {
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize",
    "ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al",
    "alli": "al", "fulness": "ful", "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive",
    "biliti": "ble", "bli": "ble", "fulli": "ful", "lessli": "less", "ogist": "og", "ogi": "og", "li": "",
}  # fmt: skip
_THIRD = {
    "tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "",
    "ness": "", "ative": "",
}  # fmt: skip
_FOURTH = dict.fromkeys(
    "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split(), ""
)


def stem(word: str) -> str:
    """The stem of a lower-case ``word``."""
    if word in _WHOLE:
        return _WHOLE[word]
    if len(word) < 3:
        return word
    word = _with_consonant_y(word.removeprefix("'"))
    first, second = _regions(word)
    word = _fifth(_fourth(_later(_first(word, first), first, second), second), first, second)
    return word.replace("Y", "y")


def _with_consonant_y(word: str) -> str:
    """Each y that is a consonant (at the beginning, after a vowel) written large."""
    if "y" not in word:
        return word
    letters = list(word)
    for at, letter in enumerate(letters):
        if letter == "y" and (at == 0 or letters[at - 1] in _VOWELS):
            letters[at] = "Y"
    return "".join(letters)


def _regions(word: str) -> tuple[int, int]:
    """Where the two regions begin: each behind the first consonant that follows a vowel."""
    begin = next((len(one) for one in _BEGINNINGS if word.startswith(one)), -1)
    first = begin if begin >= 0 else _behind(word, 0)
    return first, _behind(word, first)


def _behind(word: str, at: int) -> int:
    size = len(word)
    while at < size and word[at] not in _VOWELS:
        at += 1
    while at < size and word[at] in _VOWELS:
        at += 1
    return min(at + 1, size)


def _has_vowel(text: str) -> bool:
    return not _VOWELS.isdisjoint(text)


def _is_short(word: str) -> bool:
    """Whether ``word`` ends in a short syllable."""
    if word.endswith("past"):
        return True
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] not in _VOWELS
    return len(word) > 2 and word[-1] not in _NO_SHORT_END and word[-2] in _VOWELS and word[-3] not in _VOWELS


def _ending(word: str, endings: dict[str, str], longest: int) -> str:
    """The longest of ``endings`` that ``word`` has; empty where it has none."""
    for size in range(min(longest, len(word)), 0, -1):
        if word[-size:] in endings:
            return word[-size:]
    return ""


def _first(word: str, region: int) -> str:
    """Plurals, and the endings of verbs."""
    for mark in ("'s'", "'s", "'"):
        if word.endswith(mark):
            word = word[: -len(mark)]
            break
    word = _verb(_singular(word), region)
    if word[-1:] in ("y", "Y") and len(word) > 2 and word[-2] not in _VOWELS:
        return f"{word[:-1]}i"
    return word


def _singular(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _verb(word: str, region: int) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return f"{rest}ee" if len(rest) >= region and rest not in _KEEPS_EED else word
    for ending in ("edly", "ed", "ingly", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            break
    else:
        return word
    if ending == "ing":
        if rest in _KEEPS_ING:
            return word
        if len(rest) == 2 and rest[1] == "y" and rest[0] not in _VOWELS:
            return f"{rest[0]}ie"
    if not _has_vowel(rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return f"{rest}e"
    if rest[-2:] in _DOUBLES:
        return rest if len(rest) == 3 and rest[0] in "aeo" else rest[:-1]
    return f"{rest}e" if len(rest) == region and _is_short(rest) else rest


def _later(word: str, first: int, second: int) -> str:
    """Endings that make one kind of word of another."""
    ending = _ending(word, _SECOND, 7)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= first:
        fits = {"ogi": rest.endswith("l"), "li": rest[-1:] in _LI}.get(ending, True)
        word = rest + _SECOND[ending] if fits else word
    ending = _ending(word, _THIRD, 7)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) >= (second if ending == "ative" else first):
        word = rest + _THIRD[ending]
    return word


def _fourth(word: str, region: int) -> str:
    ending = _ending(word, _FOURTH, 5)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < region or (ending == "ion" and rest[-1:] not in ("s", "t")):
        return word
    return rest


def _fifth(word: str, first: int, second: int) -> str:
    rest = word[:-1]
    if word.endswith("e") and (len(rest) >= second or (len(rest) >= first and not _is_short(rest))):
        return rest
    if word.endswith("ll") and len(rest) >= second:
        return rest
    return word
