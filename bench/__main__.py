"""``make bench``: every benchmark that runs on what is at hand, each with its own heading.

Labelled sets and real transcripts stay outside; name them by HONED_TRANSCRIPTS and HONED_RETRIEVAL.
"""

from __future__ import annotations

import os

from bench import cost


def main() -> None:
    """Run them one after the other."""
    cost.start()
    cost.backfill()
    if os.environ.get("HONED_TRANSCRIPTS"):
        from bench import pairs, verdicts

        verdicts.main()
        pairs.main()


if __name__ == "__main__":
    main()
