"""No setting is accepted and then ignored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from honed.config import BY_KEY
from honed.memory import Memory
from tests.doors.conftest import Honed
from tests.doors.telling import claude, fixes, write

ROWS = '[{"name": "mytest", "command": "mytest run", "passed": "(?P<p>\\\\d+) good, (?P<f>\\\\d+) bad"}]'
RULE = ("--kind", "rule", "--title", "Round half up", "--body", "Round half up. " + "Use Decimal here. " * 40)
What = Callable[[Honed, Path, Path], object]


def given(honed: Honed, _shop: Path, _tmp: Path) -> object:
    honed("write", "round", *RULE, "--force")
    return honed("recall", "round half up, always use decimal", "--json").json["hits"] != []


def given_at_length(honed: Honed, _shop: Path, _tmp: Path) -> object:
    honed("write", "round", *RULE, "--force")
    return honed("recall", "round half up, always use decimal", "--json").json["tokens"]


def judged(honed: Honed, shop: Path, tmp: Path) -> object:
    told = claude(shop)
    told.asks("Round the total")
    told.edits("shop/total.py", "return x", "return round(x)")
    told.runs("mytest run", "7 good, 0 bad")
    return honed("judge", str(write(tmp / "a.jsonl", told))).lines[0]["verdict"]


def learned(honed: Honed, shop: Path, tmp: Path) -> object:
    return honed("backfill", str(write(tmp / "a.jsonl", fixes(claude(shop)))), "--json").json["learned"]


def asked(*keys: str) -> What:
    """What would be asked of a model, as far as ``keys`` of the answer say it."""

    def what(honed: Honed, shop: Path, tmp: Path) -> object:
        learned(honed, shop, tmp)
        honed("config", "set", "models.url", "http://127.0.0.1:9/v1")
        told = honed("distill", "--dry-run", "--json").json
        return [told[key] for key in keys]

    return what


def spent(honed: Honed, shop: Path, tmp: Path) -> object:
    learned(honed, shop, tmp)
    honed("config", "set", "models.command", "true")
    return honed("distill", "--json").json["calls"]


def background(honed: Honed, _shop: Path, _tmp: Path) -> object:
    honed("config", "set", "models.name", "small")  # a home is there then
    return honed("models", "status", "--json").json["distill"]


def meant(honed: Honed, _shop: Path, _tmp: Path) -> object:
    honed("write", "round", *RULE, "--force")
    return next(
        check["detail"] for check in honed("doctor", "--json").json["checks"] if check["name"] == "meaning"
    )


GOVERNS: dict[str, tuple[str, What]] = {
    "deliver": ("proven", given),
    "recall.bar": ("1", given),
    "note.tokens": ("100", given_at_length),
    "runners": (ROWS, judged),
    "semantic.model": ("openai:http://127.0.0.1:1/v1", meant),
    "exclude": ("*/shop", learned),
    "models.command": ("other-model -p", asked("model")),
    "models.name": ("small", asked("model")),
    "models.languages": ("Russian", asked("prompt")),
    "models.calls": ("0", spent),
    "models.tokens": ("10", spent),
    "models.distill": ("on", background),
}
"""Of each setting another value, and what it changes."""
ELSEWHERE = ("start.", "remind.", "experiment.", "models.url", "models.key")
"""Settings that only hooks or an endpoint have a use for; their own tests hold them."""


def test_every_setting_is_tried() -> None:
    assert {key for key in BY_KEY if not key.startswith(ELSEWHERE)} == set(GOVERNS)


@pytest.mark.parametrize("key", GOVERNS)
def test_a_setting_changes_what_it_governs(key: str, honed: Honed, shop: Path, tmp_path: Path) -> None:
    value, what = GOVERNS[key]
    before = honed("--home", str(tmp_path / "other"), "config", "get", key, "--json").json
    plain = what(honed, shop, tmp_path)
    assert honed("config", "set", key, value, "--home", str(tmp_path / "changed")).code == 0
    changed = honed("--home", str(tmp_path / "changed"), "config", "get", key, "--json").json
    assert changed != before

    def there(*words: str) -> object:
        return honed(*words, "--home", str(tmp_path / "changed"))

    assert what(there, shop, tmp_path) != plain  # type: ignore[arg-type]


def test_a_key_that_is_none_is_reported_with_the_nearest(honed: Honed, home: Path) -> None:
    home.mkdir()
    (home / "config.json").write_text('{"recal.bar": 0.7}', encoding="utf-8")
    for words in (("config", "list"), ("doctor",)):
        answer = honed(*words)
        assert "did you mean 'recall.bar'?" in answer.out + answer.err


def test_a_switch_is_shown_as_it_is_typed(honed: Honed) -> None:
    assert "remind.search = on" in honed("config", "set", "remind.search", "yes").out
    assert "remind.search = on" in honed("config", "list").out
    assert "remind.search = off" in honed("config", "set", "remind.search", "off").out


def test_a_setting_without_a_value_says_none_where_they_are_listed(honed: Honed) -> None:
    told = [line.rstrip() for line in honed("config", "list").out.splitlines()]
    assert "models.url = (none)" in told
    assert not [line for line in told if line.endswith("=")]


THE_OWNERS = {
    "deliver": "what may be given at all",
    "exclude": "of what nothing is stored",
    "runners": "what counts as a test that passed, and so what is learned as verified",
    "semantic.model": "where texts and requests may be sent",
    "models.command": "which program is started",
    "models.url": "where texts are sent",
    "models.name": "what is asked there",
    "models.key": "which variable of the environment is sent there",
    "models.languages": "what a model is asked to write into texts",
    "models.distill": "whether it is asked unasked",
    "models.calls": "how much that may cost",
    "models.tokens": "how much that may cost",
}
"""Settings that widen what is believed, given, stored, sent or spent, and what each widens."""
ANYBODYS = {
    "recall.bar": "how much is given; what is data stays data",
    "note.tokens": "how long a note is, within a bound",
    "start.tokens": "how long a start is, within a bound",
    "experiment.share": "how often nothing is given",
    "remind.search": "whether one fixed sentence of honed's own is told",
    "remind.words": "when it is told; the words themselves never are",
    "remind.servers": "what the user, not the model, is warned of",
}
"""Settings that widen nothing, and why: they are in a file that any program of the user may write."""


def test_every_setting_is_known_to_widen_something_or_nothing() -> None:
    assert set(THE_OWNERS) | set(ANYBODYS) == set(BY_KEY)
    assert {key for key, setting in BY_KEY.items() if setting.owner} == set(THE_OWNERS)


@pytest.mark.parametrize("key", THE_OWNERS)
def test_no_file_sets_what_widens_trust_and_the_owners_command_writes_an_event(
    key: str, honed: Honed, home: Path
) -> None:
    home.mkdir()
    (home / "config.json").write_text(json.dumps({key: BY_KEY[key].default}), encoding="utf-8")
    answer = honed("config", "list")
    assert (answer.code, f"honed config set {key} VALUE" in answer.err) == (5, True)
    (home / "config.json").unlink()
    value = {"semantic.model": "none", "models.url": "https://127.0.0.1:1/v1"}.get(
        key, GOVERNS.get(key, ("OTHER",))[0]
    )
    assert honed("config", "set", key, value).code == 0
    assert not (home / "config.json").exists()
    with Memory.open(str(home)) as memory:
        told = memory._store.skill_events("settings")
    assert [(event.entry.actor, (event.body or {}).get("key")) for event in told] == [("owner", key)]


def test_an_agent_may_not_set_any_of_them(honed: Honed, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    answer = honed("config", "set", "runners", ROWS)
    assert (answer.code, home.exists()) == (3, False)
