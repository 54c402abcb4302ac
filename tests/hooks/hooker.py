"""One of several clients' hooks that start at once: fires before an edit for each session it is told.

``python hooker.py HOME PROJECT``: for each line of standard input, a session's id, one line: how many answers
the hook gave.  The hook is the very function that the command runs, in a process of its own.
"""

from __future__ import annotations

import functools
import sys
from pathlib import Path

from honed.hooks import entry


def main(home: str, project: str) -> None:
    """Fire once for each line, and say how often something was said."""
    file = str(Path(project, "shop", "cart.py"))
    for line in sys.stdin:
        said: list[str] = []
        payload = {
            "session_id": line.strip(),
            "cwd": project,
            "tool_name": "Edit",
            "tool_input": {"file_path": file},
        }

        def say(text: str, said: list[str] = said) -> bool:
            said.append(text)
            return True

        entry.answered("pre-tool", "claude_code", home, functools.partial(dict, payload), say)
        sys.stdout.write(f"{len(said)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
