"""The kinds of ``bench.fuzz``, driven by atheris: what reached new code is tried further.

``python -m bench.fuzz KIND --engine atheris`` starts it.  It needs the package ``atheris``, which is none of
the project's: install it into an environment of its own beside honed's dependencies.  Inputs are made by the
same functions as ever, with the bytes that atheris gives in the place of chance.
"""

from __future__ import annotations

import os
import random
import sys
import time

import atheris  # type: ignore[import-untyped]

with atheris.instrument_imports(include=["honed"]):
    from bench import fuzz
    from honed.errors import HonedError


class Fed(random.Random):
    """Chance that is bytes: whatever is drawn is taken from them, and zero once they are used up."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data, self._at = data, 0

    def getrandbits(self, k: int, /) -> int:
        """The next ``k`` bits."""
        size = (k + 7) // 8
        piece = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(piece, "little") & ((1 << k) - 1)

    def random(self) -> float:
        """A number below 1, of the next two bytes."""
        return self.getrandbits(16) / 65536


def main(kind: str, seconds: float) -> None:
    """Fuzz for that much CPU time; prints how many inputs it tried, ends with 1 at the first that raised."""
    made, tried, slowest = fuzz.KINDS[kind], 0, 0.0
    started = time.process_time()

    def one(data: bytes) -> None:
        nonlocal tried, slowest
        given, look = made(Fed(data))
        before = time.process_time()
        if before - started > seconds:
            print(f"{kind}, by atheris: {tried} inputs in {seconds:.0f} CPU s; nothing raised")
            print(f"slowest {slowest:.2f} s")
            sys.stdout.flush()
            os._exit(0)
        try:
            look()
        except HonedError:
            pass
        except Exception as error:
            print(f"input {tried}: {error!r}\n{given!r}")
            sys.stdout.flush()
            os._exit(1)
        tried += 1
        slowest = max(slowest, time.process_time() - before)

    atheris.Setup(
        [sys.argv[0], "-max_len=4096", "-len_control=0", "-timeout=60", "-rss_limit_mb=4096", "-verbosity=0"],
        one,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
