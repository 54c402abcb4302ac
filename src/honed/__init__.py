"""honed: procedural memory for coding agents."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from honed._version import __version__

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    """The version, for who asks: a hook does not."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from honed._version import __version__

    return __version__
