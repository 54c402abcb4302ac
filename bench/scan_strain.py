"""``python -m bench.scan_strain [SEED] [TRIES]``: what a pack's scan costs on texts that are made to cost.

Each expression by itself reads fragments of its own words and of what its quantifiers run over, repeated to
8, 16, 32 and 64 KB; the fragment that costs it most is reported, with how much longer four times the text
takes than a linear reader would.  Then the whole scan reads the worst of them.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable, Iterator

from honed.packs import hidden, scan
from honed.packs.scan_guards import GUARDS
from honed.packs.scan_rules import NEGATED, RULES, UNSEEN

SIZES = (8192, 16384, 32768, 65536)
_BETWEEN = (
    *" |\t|  | \t |\n|\n |; |&&|.|-|--x |a=b |'|\"|$(|`|(|<|@|/|w |\\|%41|A| -x |x".split("|"),
    "|",
    "| ",
)


def expressions() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every expression that a scan uses, by name."""
    for name, rows in (("rule", RULES), ("guard", GUARDS), ("unseen", UNSEEN), ("not", (("", NEGATED),))):
        for number, (kind, pattern) in enumerate(rows):
            yield f"{name} {number} {kind}", re.compile(pattern)
    for name, found in vars(hidden).items():
        if isinstance(found, re.Pattern):
            yield f"hidden {name}", found


def fragments(source: random.Random, pattern: str, tries: int) -> Iterator[str]:
    """Pieces to repeat: words of the expression with something between them."""
    plain = re.sub(r"\\[bswdSWD]", " ", pattern)
    words = re.findall(r"(?<![\\\w])[A-Za-z][A-Za-z_.-]{1,20}", plain) or ["a"]
    yield from (piece for piece in _BETWEEN if piece)
    for word in source.sample(words, min(8, len(words))):
        yield from (word + between for between in source.sample(_BETWEEN, 6))
    for _ in range(tries):
        yield "".join(
            source.choice(words) + source.choice(_BETWEEN) for _ in range(source.randint(1, 4))
        ) + source.choice(_BETWEEN) * source.randint(0, 8)


def seconds(read: Callable[[str], object], fragment: str, size: int) -> float:
    """CPU seconds of reading ``size`` characters of a fragment repeated."""
    text = (fragment * (size // len(fragment) + 1))[:size]
    start = time.process_time()
    read(text)
    return time.process_time() - start


def main() -> None:
    """Print what costs more than a tenth of a second for 64 KB, and whatever is not linear."""
    source = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    tries = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    worst: list[tuple[float, str]] = []
    for name, expression in expressions():

        def read(text: str, expression: re.Pattern[str] = expression) -> None:
            for _ in expression.finditer(text):
                pass

        _, fragment = max(
            (seconds(read, one, 2048), one) for one in fragments(source, expression.pattern, tries)
        )
        took = [seconds(read, fragment, size) for size in SIZES]
        worst.append((took[-1], fragment))
        steep = took[-1] / max(4 * took[1], 1e-3)
        if took[-1] > 0.1 or steep > 1.5:
            print(
                name, [round(one * 1000, 1) for one in took], "ms; to linear", round(steep, 2), repr(fragment)
            )
    print("the whole scan:")
    for _, fragment in sorted(worst, reverse=True)[:12]:
        took = [seconds(lambda text: scan.scan(text, "SKILL.md"), fragment, size) for size in SIZES]
        print(" ", [round(one * 1000) for one in took], "ms", repr(fragment))


if __name__ == "__main__":
    main()
