"""``make bench``: what honed costs here and, where HONED_TRANSCRIPTS names real transcripts, what it makes of
them.  Every other benchmark is a module of its own: ``docs/benchmarks.md`` names the commands.
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
