"""One command for all that recall is measured by: the labelled sets by parts of the score, past uses, the
bar, staleness, and the peers in the same run; the tables go into ``docs/benchmarks.md`` with date, machine
and versions.

``HONED_RETRIEVAL`` names the folder of the labelled sets.  Peers are installed from PyPI, each into an
environment of its own (``bench.peers``).

    HONED_RETRIEVAL=... python -m bench.recall_all [--into docs/benchmarks.md] [--without-peers]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from bench.docs import DOCS
from bench.peers.page import with_section

RUNS: dict[str, tuple[tuple[str, ...], ...]] = {
    "Parts of the score": (("bench.retrieval", "dev"), ("bench.retrieval", "test")),
    "Past uses": (("bench.uses", "test"),),
    "The bar": (("bench.curve", "dev", "--svg", str(DOCS / "bar.svg")), ("bench.curve", "test")),
    "Staleness": (("bench.staleness",),),
}
"""Section of the page, and the modules with their arguments that fill it."""


def said(arguments: tuple[str, ...]) -> str:
    """What a benchmark prints, as a block of Markdown.  Raises ``CalledProcessError`` where it fails."""
    print(" ".join(arguments), file=sys.stderr, flush=True)
    done = subprocess.run([sys.executable, "-m", *arguments], stdout=subprocess.PIPE, check=True)
    text = done.stdout.decode("utf-8").strip("\n")
    return f"`python -m {' '.join(arguments[:2])}`\n\n```text\n{text}\n```\n"


def main() -> int:
    """Entry point; what ``bench.peers`` returns, 0 without it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=DOCS / "benchmarks.md")
    parser.add_argument("--without-peers", action="store_true")
    options = parser.parse_args()
    for name, runs in RUNS.items():
        text = "\n".join(said(arguments) for arguments in runs)
        page = options.into.read_text(encoding="utf-8") if options.into.exists() else "# Benchmarks\n"
        options.into.write_text(with_section(page, name, text), encoding="utf-8")
    if options.without_peers:
        return 0
    peers = [sys.executable, "-m", "bench.peers", "--parts", "retrieve", "--into", str(options.into)]
    return subprocess.run(peers, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
