"""What a hook may load (docs/decisions/0004): a cheap part of the standard library and honed's own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hooks.conftest import Shop

SOURCE = str(Path(__file__).parents[2] / "src")
COSTLY = (
    "dataclasses typing pathlib hashlib subprocess argparse logging asyncio socket ssl urllib http inspect"
    " email random tempfile shutil threading concurrent yaml onnxruntime torch numpy mcp fastapi sqlalchemy"
).split()
SPY = """
import sys
before = set(sys.modules)
sys.path.append({source!r})
from honed.hooks.entry import main
main(sys.argv[1:], {home!r})
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("prompt", {"prompt": "The cart total is off by a fraction of a cent again. Fix the rounding."}),
        ("session-start", {"source": "startup"}),
        ("pre-tool", {"tool_name": "Bash", "tool_input": {"command": "pytest"}}),
        ("tool-failed", {"error": "ModuleNotFoundError: No module named 'babel'", "tool_name": "Bash"}),
        ("subagent-start", {"agent_id": "a"}),
        ("pre-compact", {}),
        ("stop", {}),
    ],
)
def test_a_hook_loads_nothing_costly(learned: Shop, event: str, payload: dict[str, object]) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            SPY.format(source=SOURCE, home=str(learned.home)),
            event,
            "--agent",
            "claude-code",
        ],
        input=json.dumps({"session_id": "s", "cwd": str(learned.project), **payload}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    loaded = done.stderr.split()
    assert "honed.hooks.entry" in loaded
    assert not [name for name in loaded if name.partition(".")[0] in COSTLY]
