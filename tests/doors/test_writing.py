"""``learn`` and ``write``: kept once, refused with a reason, whatever is typed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.doors.conftest import Honed
from tests.doors.telling import RED, a_shop, claude, files_below, fixes, process, write

ROUND = ("--title", "Round cart totals half up", "--trigger", "the total is off by one cent")
STEPS = (
    "--steps",
    "use Decimal in shop/cart.py",
    "--steps",
    "quantize to two places",
    "--check",
    "pytest -q",
)


def test_what_is_learned_is_recalled(honed: Honed) -> None:
    told = honed("learn", "round-totals", *ROUND, *STEPS, "--json")
    assert (told.code, told.json["slug"], told.json["existed"]) == (0, "round-totals", False)
    note = honed("recall", "the total is off by one cent", "--json").json
    assert [hit["slug"] for hit in note["hits"]] == ["round-totals"]
    assert "quantize to two places" in note["note"]


def test_the_same_text_again_is_no_second_record(honed: Honed) -> None:
    first = honed("learn", "round-totals", *ROUND, *STEPS, "--json").json
    title = ("--title", "  round CART totals   half up ", *ROUND[2:])
    for slug, words in (("round-totals", ROUND), ("other-name", ROUND), ("third", title)):
        told = honed("learn", slug, *words, *STEPS, "--json").json
        assert (told["id"], told["slug"], told["existed"]) == (first["id"], "round-totals", True)
    assert len(honed("list", "--json").json) == 1


def test_what_is_known_already_is_told_as_it_is(honed: Honed) -> None:
    honed("learn", "round-totals", *ROUND, *STEPS)
    assert honed("learn", "round-totals", *ROUND, *STEPS).out == (
        "Known already as round-totals; nothing was written.\n"
    )
    words = ("--title", "  round CART totals   half up ", *ROUND[2:], *STEPS, "--tags", "money")
    told = honed("learn", "round-totals", *words)
    assert "differs in title, tags, and was left as it is" in told.out
    assert honed("learn", "round-totals", *words, "--json").json["differs"] == ["title", "tags"]
    honed("archive", "round-totals")
    told = honed("learn", "round-totals", *ROUND, *STEPS)
    assert "It is archived, so nobody is given it: `honed restore round-totals` brings it back." in told.out
    assert honed("learn", "round-totals", *ROUND, *STEPS, "--json").json["state"] == "archived"
    honed("write", "round-totals", "--kind", "rule", "--title", "Other", "--body", "y")
    refused = honed("write", "round-totals", "--kind", "rule", "--title", "Other", "--body", "y")
    assert (refused.code, "and is archived" in refused.err) == (3, True)


def test_what_holds_everywhere_is_known_in_a_project_too(honed: Honed) -> None:
    words = ("--kind", "rule", "--title", "Never ship on Fridays", "--body", "x")
    first = honed("write", "no-fridays", *words, "--scope", "global", "--json").json
    again = honed("write", "no-fridays", *words, "--json").json
    assert (again["id"], again["existed"], again["scope"]) == (first["id"], True, "global")
    assert "which holds everywhere" in honed("write", "no-fridays", *words).out


def test_a_withdrawn_text_is_said_to_be_out_of_use(honed: Honed, shop: Path, tmp_path: Path) -> None:
    told = fixes(claude(shop))
    path = str(write(tmp_path / "a.jsonl", told))
    honed("backfill", path)
    slug = honed("list", "--kind", "procedure", "--json").json[0]["slug"]
    told.edits("shop/total.py", "x", "y")
    told.runs("pytest -q", RED, 1)
    write(tmp_path / "a.jsonl", told)
    honed("backfill", path)
    assert honed("list", "--state", "withdrawn", "--json").json[0]["slug"] == slug
    assert honed("restore", slug, "--json").json["state"] == "candidate"


def test_a_refusal_names_what_stands_in_the_way(honed: Honed) -> None:
    honed("learn", "round-totals", *ROUND, *STEPS)
    honed("forget", "round-totals")
    for more in ((), ("--force",)):
        refused = honed("learn", "other-name", *ROUND, *STEPS, *more, "--json")
        assert refused.code == 3
        assert "this text was forgotten (it was round-totals)" in refused.json["error"]


def test_a_text_that_says_nearly_the_same_is_refused_and_the_other_named(honed: Honed) -> None:
    honed("learn", "round-totals", *ROUND, *STEPS)
    words = ("--title", "Round all cart totals half up", *ROUND[2:], *STEPS)
    refused = honed("learn", "round-up", *words, "--json")
    assert (refused.code, refused.json["code"], refused.json["slug"]) == (3, 3, "round-totals")
    assert "nearly the same as round-totals" in refused.json["error"]
    assert honed("learn", "round-up", *words, "--force").code == 0
    assert len(honed("list", "--json").json) == 2


def test_a_slug_that_holds_another_text_is_refused(honed: Honed) -> None:
    honed("learn", "round-totals", *ROUND, *STEPS)
    words = ("--kind", "rule", "--title", "Never ship on Fridays", "--body", "Wait for Monday.")
    for more in ((), ("--force",)):
        refused = honed("write", "round-totals", *words, *more, "--json")
        assert (refused.code, "the slug holds another text" in refused.json["error"]) == (3, True)
    assert honed("show", "round-totals", "--json").json["title"] == "Round cart totals half up"


def test_a_forgotten_text_is_not_kept_again(honed: Honed) -> None:
    honed("learn", "round-totals", *ROUND, *STEPS)
    honed("forget", "round-totals")
    refused = honed("learn", "round-totals", *ROUND, *STEPS, "--json")
    assert (refused.code, "forgotten" in refused.json["error"]) == (3, True)
    assert honed("list", "--json").json == []


def test_a_global_text_is_found_in_every_project(honed: Honed, tmp_path: Path) -> None:
    honed(
        "write",
        "no-fridays",
        "--kind",
        "rule",
        "--title",
        "Never ship on Fridays",
        "--body",
        "x",
        "--scope",
        "global",
    )
    other = a_shop(tmp_path, "other")
    assert honed("search", "ship on Fridays", "--json", cwd=other).json["hits"][0]["slug"] == "no-fridays"


def test_a_text_written_where_there_is_no_project_holds_everywhere_and_says_so(
    honed: Honed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    words = ("--kind", "rule", "--title", "Never ship on Fridays", "--body", "x")
    answer = honed("write", "no-fridays", *words, cwd=tmp_path)
    assert "It holds everywhere" in answer.out
    assert honed("show", "no-fridays", "--json").json["scope"] == "global"


def test_the_body_is_read_from_standard_input(shop: Path, home: Path) -> None:
    words = ("write", "rule-one", "--kind", "rule", "--title", "Правило 規則 🎉", "--home", str(home))
    done = process(
        *words, cwd=shop, given="\ufeffne délie pas\n".encode(), env={"LC_ALL": "C", "PYTHONUTF8": "0"}
    )
    assert done.returncode == 0, done.stderr
    shown = process("show", "rule-one", "--home", str(home), "--json", cwd=shop).stdout
    assert rb"\u041f\u0440\u0430\u0432\u0438\u043b\u043e" in shown
    assert rb"d\u00e9lie" in shown


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"caf\xe9", b"byte 3 is not UTF-8"),
        (b"x" * 70_000, b"over 65536 bytes"),
        (b"a\x00b", b"control characters"),
        (b"bell \x07", b"control characters"),
    ],
)
def test_a_body_that_is_no_text_is_refused(shop: Path, home: Path, given: bytes, said: bytes) -> None:
    words = ("write", "a-rule", "--kind", "rule", "--title", "T", "--home", str(home), "--json")
    done = process(*words, cwd=shop, given=given)
    assert (done.returncode, said in done.stderr) == (2, True)
    assert b'"code": 2' in done.stdout
    assert not home.exists()


@pytest.mark.parametrize(
    "slug", ["Upper", "a b", "../../etc", "a/b", "-x", "", "a_b", "a" * 81, "x\ny", "$(id)"]
)
def test_a_slug_that_is_none_is_refused_with_one_that_is(honed: Honed, slug: str) -> None:
    answer = honed("learn", *ROUND, *STEPS, "--json", "--", slug)
    assert answer.code == 2
    assert "slug" in answer.json["error"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--title", "x" * 201), "title: 201 characters"),
        (("--title", "a\x1b[31mb"), "control characters"),
        (("--title", " "), "title: empty"),
        (("--files", "/etc/passwd"), "not inside the project"),
        (("--files", "../x"), "not inside the project"),
        (("--steps", "x" * 2001), "2001 characters"),
        (("--tags", ",".join("abcdefghijklmnopqrstuvw")), "tags: 23 given"),
    ],
)
def test_a_text_beyond_its_limits_is_refused(
    honed: Honed, home: Path, words: tuple[str, ...], said: str
) -> None:
    answer = honed("learn", "round-totals", *ROUND, *STEPS, *words, "--json")
    assert (answer.code, said in answer.json["error"]) == (2, True)
    assert not home.exists()


def test_an_argument_that_is_no_text_is_refused(shop: Path, home: Path) -> None:
    words = (
        b"write",
        b"a-rule",
        b"--kind",
        b"rule",
        b"--title",
        b"caf\xe9",
        b"--body",
        b"x",
        b"--home",
        bytes(home),
    )
    done = process(*words, cwd=shop)
    assert (done.returncode, b"is not UTF-8" in done.stderr) == (2, True)
    assert not home.exists()


def test_secrets_typed_by_hand_are_masked(honed: Honed, home: Path) -> None:
    key = "ghp_" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"
    told = honed(
        "write", "token", "--kind", "lesson", "--title", f"Use {key}", "--body", f"export TOKEN={key}"
    )
    assert told.code == 0
    assert all(key.encode() not in data for _, data in files_below(home))


def test_nothing_is_kept_where_nothing_is_given_or_where_the_owner_keeps_a_folder_out(
    honed: Honed, shop: Path
) -> None:
    empty = honed("write", "empty", "--kind", "rule", "--title", "Empty", "--body", "  ")
    assert (empty.code, "no text" in empty.err) == (2, True)
    assert honed("export", "").code == 2
    honed("config", "set", "exclude", str(shop.parent))
    kept_out = honed("write", "a-rule", "--kind", "rule", "--title", "A rule", "--body", "Do.", cwd=shop)
    assert (kept_out.code, "kept out" in kept_out.err) == (3, True)
    assert honed("list", "--json").json == []


def test_the_first_example_of_the_readme_works_in_an_empty_memory(honed: Honed) -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    block = re.search(r"With nothing learned yet.*?```sh\n(.*?)```", text, re.DOTALL)
    assert block is not None
    kept, asked, other = (shlex.split(line, comments=True)[1:] for line in block[1].strip().splitlines())
    assert honed(*kept).code == 0
    assert honed(*asked, "--json").json["hits"][0]["slug"] == kept[1]
    assert honed(*other, "--json").json["note"] is None
