"""``python -m bench.masking [--show]``: how many made-up secrets redaction finds, and what it masks by
mistake; and what masking costs, also over real sessions where ``HONED_TRANSCRIPTS`` names their folder.

The corpus was written from public rule families without a look at honed's tables; a third of it
(``held``) is reported as figures only, so that nobody tunes on it.
"""

from __future__ import annotations

import base64
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

from bench.secret_alikes import ALIKES
from bench.secret_places import WHOLE, placed
from bench.secret_values import FAMILIES
from honed.skills.redact import redact

SEED = 4711
EACH = 18
"""Secrets of a family."""
LINES = 72
"""Lines of a sort of look-alikes."""
_PIECE = 12
SHORTEST, LONGEST, OF_FILE = 64, 20_000, 300_000
"""Characters of a text of a real session that is timed, at least and at most; and of all of one file."""
TOGETHER = 40
"""Lines of the corpus that are timed in one text."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text with the ``secret`` that must not stay (empty: all of it must); ``held`` is not looked at."""

    family: str
    text: str
    secret: str
    held: bool


def positives() -> Iterator[Case]:
    """Every secret in its place."""
    for number, family in enumerate(FAMILIES):
        rng = random.Random(f"{SEED}-{family.name}")
        for at in range(EACH):
            text, secret = placed(rng, family, number * 7 + at)
            yield Case(family.name, text, secret, held=at % 3 == 2)
    for name, made in WHOLE:
        rng = random.Random(f"{SEED}-{name}")
        for at in range(EACH):
            text, secret = made(rng)
            yield Case(name, text, secret, held=at % 3 == 2)


def negatives() -> Iterator[Case]:
    """Every line that is no secret."""
    for name, made in ALIKES:
        rng = random.Random(f"{SEED}-{name}")
        for at in range(LINES):
            yield Case(name, made(rng), "", held=at % 3 == 2)


def leaks(case: Case) -> bool:
    """Whether a part of the secret stays: any of its pieces of 12 characters, its first 8 left out."""
    told = redact(case.text)
    # Of the address of a webhook the last part is the secret; the service may be told.
    secret = case.secret.rpartition("/")[2] if case.secret.startswith("https://") else case.secret
    bodies = [line.strip() for line in secret.split("\n")]
    for body in bodies:
        if len(body) <= _PIECE + 8:
            if body in told:
                return True
            continue
        pieces = (body[at : at + _PIECE] for at in range(8, len(body) - _PIECE + 1))
        if any(piece in told for piece in pieces):
            return True
    return False


def changed(case: Case) -> bool:
    """Whether redaction took something out of a text that holds no secret."""
    return redact(case.text) != case.text


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of one part of the corpus."""

    secrets: int
    found: int
    lines: int
    masked: int

    @property
    def recall(self) -> float:
        """The share of secrets that are gone."""
        return self.found / max(1, self.secrets)

    @property
    def false(self) -> float:
        """The share of look-alikes that were changed."""
        return self.masked / max(1, self.lines)


def figures(*, held: bool) -> Figures:
    """The figures of the held part, or of the other."""
    good = [case for case in positives() if case.held == held]
    bad = [case for case in negatives() if case.held == held]
    return Figures(
        len(good), sum(not leaks(case) for case in good), len(bad), sum(changed(case) for case in bad)
    )


AROUND = ("prose", "code", "log", "test run", "look-alikes")
"""What a secret stands amid, in turn."""


def amid(cases: Iterable[Case], timed: Mapping[str, Sequence[str]]) -> list[Case]:
    """Each of ``cases`` as a reader of sessions meets it: between the lines of a KB of something else."""
    around = {kind: cycle(_cut(timed[kind], 1000)) for kind in AROUND}
    told = []
    for number, case in enumerate(cases):
        text = next(around[AROUND[number % len(AROUND)]])
        at = text.find("\n", len(text) // 2) + 1
        told.append(replace(case, text=f"{text[:at]}{case.text}\n{text[at:]}"))
    return told


def kinds() -> dict[str, list[str]]:
    """Texts to time, by what they are: this project's own pages and code, what runs print, data, and the two
    halves of the corpus, each by itself and both shuffled, in pieces of some KB each."""
    rng = random.Random(SEED)
    root = Path(__file__).resolve().parent.parent
    hits = [case.text for case in positives()]
    prose = _pieces(sorted((root / "docs").rglob("*.md")))
    alikes = [case.text for case in negatives()]
    corpus = rng.sample(hits + alikes, len(hits) + len(alikes))
    beside = zip(_cut(prose, 1000), hits, strict=False)

    def lines(made: Callable[[], str]) -> list[str]:
        return ["\n".join(made() for _ in range(80)) for _ in range(30)]

    return {
        "prose": prose,
        "code": _pieces(sorted((root / "src").rglob("*.py"))),
        "JSON": [json.dumps({"role": "user", "content": [{"type": "text", "text": text}]}) for text in prose],
        "log": lines(
            lambda: (
                f"2026-11-{rng.randint(10, 30)}T12:{rng.randint(10, 59)}:01Z INFO [job-{rng.randint(1, 9)}] "
                f"request id={rng.getrandbits(64):x} GET /api/v1/items/{rng.randint(1, 9999)} 200"
            )
        ),
        "test run": lines(
            lambda: (
                f"tests/test_module_{rng.randint(1, 99)}.py::test_a_thing_works[{rng.randint(1, 99)}] PASSED"
            )
        ),
        "digests": lines(lambda: f"{rng.getrandbits(160):040x} refs/heads/feature-{rng.randint(1, 99)}"),
        "base64": lines(lambda: base64.b64encode(rng.randbytes(57)).decode("ascii")),
        "look-alikes": _joined(alikes, TOGETHER),
        "the whole corpus": _joined(corpus, TOGETHER),
        "a secret in 8 KB": [f"{text}\n{hit}\n" for text, hit in zip(prose, hits, strict=False)],
        "a secret in each KB": _joined([f"{text}\n{hit}\n" for text, hit in beside], 8),
        "nothing but secrets": _joined(hits, TOGETHER),
    }


def real(folder: str) -> list[str]:
    """What sessions hold: the texts of ``SHORTEST`` characters and more in the lines of their files, of each
    file the first ``OF_FILE``."""
    found = []
    for file in sorted(Path(folder).rglob("*.jsonl")):
        left = OF_FILE
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                texts = [text for text in _strings(json.loads(line)) if len(text) >= SHORTEST]
            except ValueError:
                continue
            found += [text[:LONGEST] for text in texts]
            left -= sum(map(len, texts))
            if left <= 0:
                break
    return found


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _pieces(files: list[Path]) -> list[str]:
    return _cut((file.read_text(encoding="utf-8") for file in files), 8000)


def _cut(texts: Iterable[str], size: int) -> list[str]:
    return [text[at : at + size] for text in texts for at in range(0, len(text), size)]


def _joined(texts: list[str], number: int) -> list[str]:
    return ["\n".join(texts[at : at + number]) for at in range(0, len(texts), number)]


def cost(texts: list[str]) -> float:
    """CPU microseconds per KB, the best of five rounds."""
    size = sum(len(text.encode()) for text in texts)
    return min(_timed(texts) for _ in range(5)) * 1e6 / (size / 1024)


def _timed(texts: list[str]) -> float:
    start = time.process_time()
    for text in texts:
        redact(text)
    return time.process_time() - start


def main() -> None:
    """Print the figures, and of the part that may be looked at what went wrong."""
    for held in (False, True):
        seen = figures(held=held)
        name = "held" if held else "open"
        print(
            f"{name}: recall {seen.recall:.4f} ({seen.found} of {seen.secrets}), false "
            f"{seen.false:.5f} ({seen.masked} of {seen.lines})"
        )
    timed = kinds()
    found = amid(positives(), timed)
    for held in (False, True):
        part = [case for case in found if case.held == held]
        gone = sum(not leaks(case) for case in part)
        name = "held" if held else "open"
        print(f"{name}, amid a KB each: recall {gone / len(part):.4f} ({gone} of {len(part)})")
    timed["the corpus, each secret amid a KB"] = [case.text for case in found]
    print(f"{len(FAMILIES) + len(WHOLE)} families; CPU us per KB:")
    if folder := os.environ.get("HONED_TRANSCRIPTS"):
        texts = real(folder)
        timed[f"real sessions ({len(texts)} texts, {sum(map(len, texts)) / 2**20:.0f} MB)"] = texts
    for kind, texts in timed.items():
        print(f"  {kind}: {cost(texts):.1f}")
    missed = [case for case in positives() if not case.held and leaks(case)]
    masked = [case for case in negatives() if not case.held and changed(case)]
    print("missed", Counter(case.family for case in missed))
    print("masked", Counter(case.family for case in masked))
    if "--show" in sys.argv:
        for case in missed:
            print(f"- {case.family}: {redact(case.text)[:300]!r}")
        for case in masked:
            print(f"+ {case.family}: {case.text[:200]!r} -> {redact(case.text)[:200]!r}")


if __name__ == "__main__":
    main()
