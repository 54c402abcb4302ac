"""How much of a model's context a text takes, by one documented rule.

A token is four bytes of UTF-8, rounded up.  English prose and code have about four characters a
token, Cyrillic about two, CJK a little over one, an emoji is one: four bytes fit all of them well
enough for a budget, and need no tokenizer.  Loaded by hooks: imports nothing (docs/decisions/0004).
"""

BYTES_PER_TOKEN = 4
ELLIPSIS = "…"


def estimate(text: str) -> int:
    """Tokens of ``text``: UTF-8 bytes / 4, rounded up; 0 for the empty string."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // BYTES_PER_TOKEN)


def clip_code(text: str, tokens: int) -> str:
    """As ``clip``, but what stands in back-ticks is whole or gone: it ends before the one that has no room.

    For lines that honed makes itself, in which back-ticks come in pairs: half a command is another command.
    """
    kept = clip(text, tokens)
    if kept == text or not kept.count("`") % 2:
        return kept
    return kept[: kept.rindex("`")].rstrip(" \n\t,;:-(") + ELLIPSIS


def clip(text: str, tokens: int) -> str:
    """``text`` cut to at most ``tokens`` tokens, at a word's end where one is near, with an ellipsis.

    A text that fits comes back unchanged; a budget of nothing gives the empty string.
    """
    if estimate(text) <= tokens:
        return text
    if tokens <= 0:
        return ""
    room = tokens * BYTES_PER_TOKEN - len(ELLIPSIS.encode("utf-8"))
    kept = text.encode("utf-8", "surrogatepass")[:room].decode("utf-8", "ignore")
    # A word's end in the last third is worth the words it costs; in a long unbroken text it is not.
    end = max(kept.rfind(" "), kept.rfind("\n"))
    if end > len(kept) * 2 // 3:
        kept = kept[:end]
    return kept.rstrip(" \n\t,;:-") + ELLIPSIS
