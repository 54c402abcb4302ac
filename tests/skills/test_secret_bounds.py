"""The bounds on redaction, over a corpus that was written without a look at its tables
(``bench.masking``)."""

from __future__ import annotations

import pytest

from bench.masking import changed, figures, leaks, negatives, positives
from bench.secret_alikes import ALIKES
from bench.secret_places import WHOLE
from bench.secret_values import FAMILIES
from honed.skills.redact import redact


def test_the_corpus_is_as_large_as_it_says() -> None:
    assert len(FAMILIES) + len(WHOLE) >= 40
    assert sum(1 for _ in positives()) >= 1000
    assert sum(1 for _ in negatives()) >= 5000
    assert len(ALIKES) >= 40


@pytest.mark.parametrize("held", [False, True])
def test_redaction_finds_what_the_public_rule_families_name_and_leaves_what_looks_like_it(held: bool) -> None:
    seen = figures(held=held)
    assert seen.recall >= 0.98
    assert seen.false <= 0.001


def test_redacting_the_corpus_twice_changes_nothing() -> None:
    for case in (*list(positives())[::5], *list(negatives())[::25]):
        once = redact(case.text)
        assert redact(once) == once, case.family


def test_a_secret_is_masked_alike_alone_and_in_the_middle_of_a_long_text() -> None:
    before = "The order of the pages is kept as it was.\n" * 80 + "\n"
    behind = "\n\n" + "Each of them says what it holds.\n" * 80
    for case in list(positives())[::3]:
        assert redact(before + case.text + behind) == before + redact(case.text) + behind, case.family


@pytest.mark.parametrize("apart", ["", "\n" * 3, "\n" + "It went well.\n" * 200])
def test_what_a_mask_lays_bare_is_masked_wherever_it_stands(apart: str) -> None:
    header = "token=ghp_" + "a1B2c3D4e5" * 22
    bare = f"curl -H '{header} {'x' * 80}' -u joe:Zt7Qm2Lx9Vb4"
    assert "Zt7Qm2Lx9Vb4" not in redact(f"{header}\n{apart}{bare}\n{apart}{header}")


def test_a_leak_and_a_false_alarm_would_be_seen() -> None:
    case = next(iter(positives()))
    assert leaks(type(case)("none", f"x {'k' * 4}Zq81 and nothing", "kkkkZq81", held=False))
    assert changed(case)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("gh secret set API_TOKEN --body 'Zt7Qm2Lx9Vb4Nc8Wd1Kf'", "Zt7Qm2Lx9Vb4Nc8Wd1Kf"),
        ('Set-Item Env:API_TOKEN "Zt7Qm2Lx9Vb4Nc8Wd1Kf"', "Zt7Qm2Lx9Vb4Nc8Wd1Kf"),
        ("| API_TOKEN | `Zt7Qm2Lx9Vb4Nc8Wd1Kf` | CI |", "Zt7Qm2Lx9Vb4Nc8Wd1Kf"),
        ("export AZURE_DEVOPS_EXT_PAT=jpeimkkmyvkekow3s2tr3b409war34s4ejxxohrmy4a2255umklg", "jpeimkkm"),
        ("machine a.example\n  login bot\n  password SsV0Jr55iD9NXWDLEB1w", "SsV0Jr55iD9NXWDLEB1w"),
        ("mongosh --host db -u svc -p cS7mQDh2LEbuxhuU", "cS7mQDh2LEbuxhuU"),
        ("    client-key-data: " + "LS0tLS1CRUdJTi" * 8, "LS0tLS1CRUdJTiLS0t"),
        ("  VAULT_TOKEN: 's.s2YmjR3GJ9n0gcX1jvf81d5x'", "s2YmjR3GJ9n0gcX1jvf81d5x"),
        ("I used `squ_" + "9e548ef0" * 5 + "` and it worked.", "9e548ef09e548ef0"),
    ],
)
def test_places_that_the_first_reading_missed(text: str, gone: str) -> None:
    assert gone not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "| token | `tokenizer_v2` | the word |",
        'gh secret set API_TOKEN --body "$API_TOKEN"',
        "path = settings.app_path.resolve2",
        "token = config.getCredentialStore2.readToken",
    ],
)
def test_and_what_only_looks_like_them(text: str) -> None:
    assert redact(text) == text
