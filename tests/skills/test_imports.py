"""What a hook may load stays small: masking, signatures and tokens need no more than ``re``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import honed

HEAVY = {"dataclasses", "typing", "pathlib", "hashlib", "subprocess", "inspect", "ast", "json"}


@pytest.mark.parametrize("module", ["tokens", "normal", "signatures", "redact"])
def test_a_module_of_the_hot_path_loads_nothing_heavy(module: str) -> None:
    source = str(Path(honed.__file__).parent.parent)
    program = f"import sys; sys.path.insert(0, {source!r}); import honed.skills.{module}"
    program += "; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    assert HEAVY & set(done.stdout.split()) == set()
