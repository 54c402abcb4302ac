"""One command for all that recall is measured by: the labelled sets by parts of the score, past uses, the
bar, staleness, how quiet it is with the model, and in one table honed with and without it, the peers, plain
full text and plain dense retrieval with the same model.  All goes into ``docs/benchmarks.md`` with date,
machine and versions.

``HONED_RETRIEVAL`` names the folder of the labelled sets; with ``HONED_TRANSCRIPTS`` the bar is held against
real requests too.  The peers and the model are installed from PyPI, each into an environment of its own
(``bench.peers``), and what each came to is kept between runs.  The first run takes an hour on two cores,
later ones a third of that (``--sections`` runs a part of it).

    HONED_RETRIEVAL=... PYTHONPATH=src python -m bench.recall_all [--into PAGE] [--without-peers]
        [--sections "The bar,Staleness"]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from bench.docs import DOCS
from bench.peers.environments import MODEL, MissingError, default_cache, prepared
from bench.peers.page import with_section

RUNS: dict[str, tuple[tuple[str, ...], ...]] = {
    "Parts of the score": (("bench.retrieval", "dev"), ("bench.retrieval", "test")),
    "Past uses": (("bench.uses", "test"),),
    "The bar": (("bench.curve", "dev", "--svg", str(DOCS / "bar.svg")), ("bench.curve", "test")),
    "Staleness": (("bench.staleness",),),
    "Quiet by meaning": (("bench.semantic", "test", "--quiet"),),
}
"""Section of the page, and the modules with their arguments that fill it."""
OF_MODEL = "bench.semantic"
"""Runs in the environment of the model."""


def said(arguments: tuple[str, ...]) -> str:
    """What a benchmark prints, as a block of Markdown.

    Raises ``CalledProcessError`` where it fails, and ``MissingError`` where the model cannot be installed.
    """
    print(" ".join(arguments), file=sys.stderr, flush=True)
    python = prepared(MODEL, default_cache()) if arguments[0] == OF_MODEL else sys.executable
    done = subprocess.run([python, "-m", *arguments], stdout=subprocess.PIPE, check=True, env=_environment())
    text = done.stdout.decode("utf-8").strip("\n")
    asked = " ".join(arguments).replace(f"{DOCS.parent}{os.sep}", "")
    return f"`python -m {asked}`\n\n```text\n{text}\n```\n"


def _environment() -> dict[str, str]:
    paths = os.pathsep.join((str(DOCS.parent / "src"), str(DOCS.parent)))
    return os.environ | {"PYTHONPATH": paths}


def main() -> int:
    """Entry point; 1 when something could not be installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=DOCS / "benchmarks.md")
    parser.add_argument("--without-peers", action="store_true")
    parser.add_argument("--sections", default=",".join(RUNS), help="only these, separated by commas")
    options = parser.parse_args()
    missing = 0
    for name in options.sections.split(","):
        try:
            text = "\n".join(said(arguments) for arguments in RUNS[name])
        except MissingError as error:
            print(error, file=sys.stderr)
            missing = 1
            continue
        page = options.into.read_text(encoding="utf-8") if options.into.exists() else "# Benchmarks\n"
        options.into.write_text(with_section(page, name, text), encoding="utf-8")
    if options.without_peers:
        return missing
    peers = [sys.executable, "-m", "bench.peers", "--parts", "retrieve", "--into", str(options.into)]
    return max(missing, subprocess.run(peers, check=False, env=_environment()).returncode)


if __name__ == "__main__":
    raise SystemExit(main())
