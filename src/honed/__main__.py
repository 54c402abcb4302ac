"""``honed`` and ``python -m honed``.  ``--version`` answers before anything else is imported."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; returns the exit code (docs/contract.md)."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from honed._version import __version__

        print(f"honed {__version__}")
        return 0
    from honed.cli.run import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
