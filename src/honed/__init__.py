"""honed: procedural memory for coding agents."""

from honed._version import __version__

__all__ = ["__version__"]
