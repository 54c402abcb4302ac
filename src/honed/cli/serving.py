"""The command that serves: mcp."""

from __future__ import annotations

from honed.cli.command import Command, Output
from honed.home import default_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def _mcp(options: Namespace, _output: Output) -> int:
    import os

    from honed.mcp.streams import serve

    try:
        folder = os.getcwd()
    except OSError:
        folder = os.path.sep  # it was deleted: no project, and no reason not to serve
    return serve(os.path.abspath(options.home or default_home()), folder)


COMMANDS = {
    "mcp": Command(
        _mcp,
        description=(
            "Serve memory to an agent over standard input and output (MCP). Clients start it by themselves "
            "once `honed init` has wired them."
        ),
        example="honed mcp",
    ),
}
