"""Is this the value of a secret?  Judges a name and a value; knows no context.

Imports ``re`` and its words alone: a hook may load it.
"""

import re

from honed.skills import secret_words as known

_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
_PARTS = re.compile(r"[^A-Za-z0-9]+")
_LETTERS_OR_DIGITS = re.compile(r"[A-Za-z]+|[0-9]+")
_TECHNICAL = re.compile(r"(?<![A-Za-z0-9])(?i:" + known.TECHNICAL + r")(?![0-9])")
_TURNS = re.compile(r"(?:[A-Za-z]*+[0-9]++){5}[A-Za-z]")
"""Letters and digits that take turns so often that no technical word explains it."""
_NUMBERED = re.compile(r"[A-Za-z]{1,7}[0-9]")
_LONG_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6}", re.IGNORECASE)
_REFERENCE = re.compile(
    r"""(?x)
      \$(?:(?:env|global|script|using):)?[A-Za-z_]\w*$ | \$[({\[] | %\w+%$ | @[\w.]+@$
    | [:@?&*~][A-Za-z_]\w*$ | !{1,2}[A-Za-z][\w:]+$
    | [&*]?(?:[A-Za-z_]\w*(?:\.|::|->|\?\.|\[["'`]?|\]))+[A-Za-z_\w]*["'`]?\]?\)?$     # a.b, a->b, a["b"]
    | [A-Za-z_&*!][\w.:>-]*\(  | new\b | await\b | lambda\b | function\b                # a call
    | (?:env|vault|ssm|file|secret|ref|keychain|keyring|gcp|aws|azure|op|arn|sops|credential|cmd|exec)[:/]
    | ENC\[ | \{ | \[ | \( | < | \\?\(
    """
)
_SIGNS = re.compile(r"[$%@:?&*~!.>[\](){<\\/\u2026#]")
"""Without one of these a value refers to nothing (``_REFERENCE``) unless it begins with a word of code."""
_WORDS_OF_CODE = ("new", "await", "lambda", "function")
_PATHLIKE = re.compile(r"(?:[A-Za-z]:\\|\.{0,2}/|~/|[a-z][a-z0-9+.-]{1,15}://)")
_FILENAME = re.compile(
    r"(?i)[\w./-]+\.(?:pem|json|jsonc|ya?ml|txt|key|env|crt|cer|pub|toml|ini|cfg|conf|py|tsx?|jsx?|mjs|go|rs|java|kt|rb"
    r"|php|cs|sh|md|html?|xml|sql|log|gpg|asc|age|csv|lock|p12|pfx|jks|svg|png|com|net|org|io|dev|local|internal)$"
)
_SYMBOL = re.compile(r"[!@#$%^&*+~?]")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
_DIGEST = re.compile(r"(?:sha[0-9]{1,3}|md5|blake2b)[:-]")
_WHEN = re.compile(
    r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?:$|[T ])|[0-9]{1,2}:[0-9]{2}|[0-9]+(?:\.[0-9]+)+[a-z]?[0-9]*$"
)
_VERSION = re.compile(r"v?[0-9]+(?:\.[0-9]+){1,3}(?:[-+.][\w.]+)?$")
_NUMBER = re.compile(r"[-+]?[0-9][0-9.,_]*(?:[a-z%]{1,3})?$")


def name_words(name: str) -> list[str]:
    """The words of an identifier, folded: split at separators and at humps."""
    return [word.lower() for word in _HUMPS.findall(name)]


def _compound(word: str) -> str:
    if word in known.PASSWORD_WORDS or word.endswith(known.PASSWORD_ENDINGS):
        return "password"
    if word in known.TOKEN_WORDS or word.endswith(known.TOKEN_ENDINGS):
        return "token"
    return ""


def name_strength(name: str) -> str:
    """What ``name`` says of its value: "password", "token" (must look generated) or ""."""
    words = name_words(name)
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in known.HARMLESS_SUFFIXES):
        words.pop()
    if not words:
        return ""
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last == "key":
        return "token" if before in known.KEY_QUALIFIERS else ""
    if last == "phrase" and before == "pass":
        return "password"
    if last in ("word", "code") and before == "pass":
        return "password"
    if last == "token" and before in known.OTHER_TOKENS:
        return ""
    if last in ("pin", "pw", "geheim", "clave", "chave") and len(words) == 1 and name.lower() != last:
        return ""
    strength = _compound(last)
    if not strength and before:
        strength = _compound(before + last) if last in ("secret", "string") else ""
    return strength


def scrambled(value: str) -> bool:
    """Whether ``value`` looks generated: no words, no identifier, no version."""
    if _TURNS.match(value):
        return True
    plain = value.isascii()
    for part in _PARTS.split(value if plain else _TECHNICAL.sub("-", value)):
        # In ASCII a technical word stands at the beginning of a part only, where looking costs little.
        if plain and _NUMBERED.match(part) and (word := _TECHNICAL.match(part)):
            part = part[word.end() :]
        size = len(part)
        if size < 6 or part.isdigit():
            continue
        groups = _LETTERS_OR_DIGITS.findall(part)
        if len(groups) >= 3 or (len(groups) == 2 and (size >= 16 or (size >= 8 and groups[0].isdigit()))):
            return True
        if len(groups) == 1 and size >= 12 and _unreadable(part):
            return True
        if len(groups) == 2 and size >= 8 and _unreadable(groups[0]):
            return True
    return _varied(value)


def _unreadable(letters: str) -> bool:
    humps = _HUMPS.findall(letters)
    if len(letters) >= 8 and len(humps) > 1 and len(letters) / len(humps) < 2.6:
        return True
    vowels = sum(letters.count(vowel) for vowel in "aeiouyAEIOUY")
    return len(letters) >= 12 and (vowels * 6 < len(letters) or bool(_LONG_CONSONANTS.search(letters)))


def _varied(value: str) -> bool:
    """Four sorts of characters in a short unbroken text: ``aB3$kL9#``."""
    if len(value) < 8 or " " in value or not _SYMBOL.search(value, 0, len(value) - 1):
        return False
    sorts = (
        any(c.isdigit() for c in value)
        + any("a" <= c <= "z" for c in value)
        + any("A" <= c <= "Z" for c in value)
    )
    return sorts >= 2


def is_placeholder(value: str) -> bool:
    """Whether ``value`` stands for a secret without being one."""
    if is_monotone(value):
        return True
    low = value.lower()
    for mark in known.PLACEHOLDERS:  # `any` takes twice as long
        if mark in low:
            return True
    for within, marks in known.PLACEHOLDERS_BY_WORD:
        if within in low and any(mark in low for mark in marks):
            return True
    if not _SIGNS.search(value):
        return value.startswith(_WORDS_OF_CODE) and bool(_REFERENCE.match(value)) and not _generated(value)
    if any(mark in low for mark in known.PLACEHOLDER_SIGNS):
        return True
    return bool(_REFERENCE.match(value)) and not _generated(value)


def is_monotone(value: str) -> bool:
    """Whether ``value`` has two different characters or less."""
    first, second, third = value[:1], value[1:2], value[2:3]
    return not (first != second != third != first and third) and len(set(value)) <= 2


def _generated(value: str) -> bool:
    """Whether a text that begins like an expression of a language is none: a part of it is one long run in
    which letters and digits take turns, or it is long and made of every sort of character."""
    if len(value) < 24 or " " in value or value[0] in "$[{<" or value[-1] == ")":
        return False
    if any(len(part) >= 20 and len(_LETTERS_OR_DIGITS.findall(part)) >= 6 for part in value.split(".")):
        return value.isascii() and not _TECHNICAL.search(value) and "(" not in value
    symbols = {char for char in value if char in "!@#$%^&*(-_=+)"}
    digits = sum(char.isdigit() for char in value)
    return len(value) >= 32 and len(symbols) >= 5 and digits >= 4 and not set(value) & set("\"'`,;:/.[]{}<>")


def is_place(value: str) -> bool:
    """Whether ``value`` is a path, a file name, an address, a time or a version."""
    if "." in value and _FILENAME.match(value):
        return True
    first = value[:1]
    if first in "vsmb" or first.isdigit():
        if _WHEN.match(value) or _VERSION.match(value) or _DIGEST.match(value):
            return True
    if "/" not in value and "\\" not in value:
        return False
    return bool(_PATHLIKE.match(value)) and not any(
        len(part) >= 12 and scrambled(part) for part in re.split(r"[/\\]", value)
    )


def is_secret(value: str, strength: str) -> bool:
    """Whether ``value``, given to a name of that ``strength``, is a secret.

    "given": somebody typed it where a password goes, words count too.  "password": a digit or a
    symbol makes it one.  "token": it must look generated.  "any": all but placeholders.
    """
    if len(value) < 3 or value.startswith("[redacted") or is_placeholder(value):
        return False
    if strength == "any":
        return True
    if is_place(value):
        return False
    if strength == "given":
        return True
    if " " in value:
        return False
    if strength == "token":
        return bool(_UUID.match(value)) or (len(value) >= 8 and scrambled(value))
    return _is_password(value)


def _is_password(value: str) -> bool:
    if _UUID.match(value) or scrambled(value):
        return True
    if value.replace("-", "").replace(" ", "").isdigit():
        return len(value) >= 6
    if len(value) < 5 or _NUMBER.match(value):
        return False
    words = name_words(value)
    if any(_compound(word) for word in words):
        # ``newPassword2`` is another variable; ``P@ssword1`` is not.
        return any(c in "!@#$%^&*+~" for c in value[:-1])
    rest = _TECHNICAL.sub("", value)
    letters = any(c.isalpha() for c in rest)
    return letters and (any(c.isdigit() for c in rest) or any(c in "!@#$%^&*+~" for c in rest[:-1]))
