"""The heads outside the database bear that the power goes, and that writers come in any order."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from honed.store.files import HEAD
from honed.store.heads import SLOT, advance_head, read_heads, replace_heads


def test_heads_come_back_as_they_were_kept(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert read_heads(home) is None
    replace_heads(home, {"rp_a": (3, "x"), "rp_b": (0, "")})
    assert read_heads(home) == {"rp_a": (3, "x"), "rp_b": (0, "")}
    advance_head(home, "rp_a", 4, "y")
    advance_head(home, "rp_a", 2, "late")
    advance_head(home, "rp_c", 1, "z")
    assert read_heads(home) == {"rp_a": (4, "y"), "rp_b": (0, ""), "rp_c": (1, "z")}
    replace_heads(home, {"rp_a": (1, "w")})
    assert read_heads(home) == {"rp_a": (1, "w")}


def test_the_file_never_changes_its_length_while_work_goes_on(tmp_path: Path) -> None:
    home = str(tmp_path)
    replace_heads(home, {"rp_a": (0, "")})
    for seq in range(1, 300):
        advance_head(home, "rp_a", seq, "f" * 64)
        assert os.stat(tmp_path / HEAD).st_size == 2 * SLOT
    assert read_heads(home) == {"rp_a": (299, "f" * 64)}


def test_more_chains_than_a_slot_holds_make_it_longer(tmp_path: Path) -> None:
    home = str(tmp_path)
    replace_heads(home, {})
    for number in range(400):
        advance_head(home, f"rp_{number:030}", 7, "f" * 64)
    assert len(read_heads(home) or {}) == 400
    assert os.stat(tmp_path / HEAD).st_size > 2 * SLOT


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2 * SLOT - 1), st.integers(1, 600), st.integers(1, 6))
def test_wherever_a_write_was_torn_the_head_is_one_of_the_last_two(at: int, size: int, writes: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        replace_heads(home, {"rp_a": (0, "")})
        for seq in range(1, writes + 1):
            advance_head(home, "rp_a", seq, str(seq) * 64)
        path = Path(home, HEAD)
        data = bytearray(path.read_bytes())
        end = min(at + size, SLOT * (at // SLOT) + SLOT)
        data[at:end] = b"\0" * (end - at)
        path.write_bytes(data)
        heads = read_heads(home)
        assert heads is not None
        assert heads["rp_a"][0] >= writes - 1
