"""Where a text comes from, as ``honed show`` tells it."""

from __future__ import annotations

from pathlib import Path

from tests.doors.conftest import Honed
from tests.doors.telling import claude, write
from tests.test_taint import PAGE, works


def test_every_record_says_where_it_comes_from(honed: Honed, shop: Path, tmp_path: Path) -> None:
    honed("backfill", str(write(tmp_path / "a.jsonl", works(claude(shop), "total", reading=PAGE))))
    slug = honed("list", "--kind", "procedure", "--json").json[0]["slug"]
    told = honed("show", slug, "--json").json["provenance"]
    assert (told["origin"], told["client"], bool(told["session"]), told["project"]) == (
        "derived", "claude_code", True, "shop",
    )  # fmt: skip
    assert told["task"].startswith("tk_")
    assert told["taint"].startswith(
        "a page or a search of the web (https://example.com/how-to-round), in step "
    )
    assert "Before it the agent had read a page" in honed("show", slug).out
    honed("write", "mine", "--title", "Mine", "--body", "Text.", "--kind", "rule")
    told = honed("show", "mine", "--json").json["provenance"]
    assert (told["origin"], told["session"], told["taint"]) == ("owner", "", "")
