"""Only the secret is masked, the sentence survives, and what merely looks like one stays."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills.redact import Redactor, known_values, redact
from tests.skills.secret_corpus import LOOKALIKES, NAMED_VALUES, TOKENS, pem, positives, token

POSITIVES = list(positives())
FAMILIES = sorted({family for family, _, _ in POSITIVES})


def test_the_corpus_is_wide_enough_to_mean_something() -> None:
    assert len(TOKENS) + len(NAMED_VALUES) >= 40
    assert len(POSITIVES) >= 600
    assert len(LOOKALIKES) >= 300


@pytest.mark.parametrize("family", FAMILIES)
def test_no_secret_of_this_family_survives_in_any_context(family: str) -> None:
    kept = [text for name, text, secret in POSITIVES if name == family and secret in redact(text)]
    assert kept == []


def test_what_stands_around_a_secret_survives() -> None:
    rng = random.Random(3)
    key = token("ghp_{A:36}", rng)
    text = f"deploy fails with {key}, see app/settings.py and run `pytest -q` again"
    assert redact(text) == (
        "deploy fails with [redacted:github-token], see app/settings.py and run `pytest -q` again"
    )


BEHIND_A_WORD = (
    "ghp_{A:36}",
    "ghs_{A:36}",
    "github_pat_{A:22}_{A:59}",
    "glpat-{A:20}",
    "AKIA{U:16}",
    "ASIA{U:16}",
    "AIza{A:35}",
)


@pytest.mark.parametrize("shape", BEHIND_A_WORD)
@pytest.mark.parametrize("before", ["x-", "my_", "CI2-", "db_prod_", "X-Old-", "a--", "k__"])
def test_a_known_token_that_runs_on_from_a_word_and_a_sign_is_masked(shape: str, before: str) -> None:
    key = token(shape, random.Random(f"{shape}{before}"))
    for text in (f"{before}{key}", f"see {before}{key} here", f"/tmp/{before}{key}.txt", f'"{before}{key}",'):
        told = redact(text)
        assert key[-12:] not in told, told
        assert told.startswith(text.partition(key)[0].rstrip("-_"))


@pytest.mark.parametrize("shape", ["AKIA{U:16}", "ASIA{U:16}", "AIza{A:35}"])
@pytest.mark.parametrize("before", ["/", "+", "s3://bucket/", "keys/my_", "a+", "https://x.test/"])
def test_a_key_of_a_cloud_right_behind_a_slash_or_plus_is_masked(shape: str, before: str) -> None:
    key = token(shape, random.Random(f"{shape}{before}"))
    assert key not in redact(f"{before}{key}")
    assert key not in redact(f"open {before}{key}/x")


@pytest.mark.parametrize(
    "text",
    [
        "test_ghp_tokens_are_refused_by_the_reader",
        "my_AKIA_handler and x-akia-key",
        "the-gho_st_in_the_shell",
        "pre-AKIAABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "is_sk_live_or_not, disk_live_migration_of_a_machine",
        "re-AIzation_of_the_plan",
        "box-xoxb-not-a-token",
        "use_glpat-prefix",
    ],
)
def test_a_word_that_only_begins_like_a_token_behind_a_sign_stays(text: str) -> None:
    assert redact(text) == text


def test_a_url_keeps_its_user_host_and_database() -> None:
    text = "DATABASE_URL=postgres://admin:Winter99!x@10.0.0.5:5432/prod"
    assert redact(text) == "DATABASE_URL=postgres://admin:[redacted:password]@10.0.0.5:5432/prod"


def test_a_key_block_goes_whole_and_the_text_behind_it_stays() -> None:
    text = f"before\n{pem(random.Random(4))}\nafter"
    assert redact(text) == "before\n[redacted:private-key]\nafter"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <private>the plan</private> b", "a [redacted:private] b"),
        ("a <PRIVATE reason='x'>one\ntwo</Private> b", "a [redacted:private] b"),
        ("a <private>one <private>two</private> three</private> b", "a [redacted:private] b"),
        ("a <private>never closed", "a [redacted:private]"),
        ("a</private> b", "a</private> b"),
        ("use <private-registry> here", "use <private-registry> here"),
    ],
)
def test_private_spans_go_whole(text: str, expected: str) -> None:
    assert redact(text) == expected


@pytest.mark.parametrize("line", LOOKALIKES)
def test_a_line_that_only_looks_like_a_secret_stays_word_for_word(line: str) -> None:
    assert redact(line) == line


def test_secret_values_of_the_environment_are_masked_wherever_they_stand() -> None:
    environment = {
        "SHOP_PASSPHRASE": "otter-42-lantern",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": "/home/bob",
        "LANG": "en_US.UTF-8",
        "HOSTNAME": "build-agent-17.internal",
        "GIT_COMMIT": "0123456789abcdef0123456789abcdef01234567",
        "API_TOKEN": "changeme-later",
        "SHORT_TOKEN": "a1b2c3",
        "SESSION_ID": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "PASSWORD_FILE": "/run/secrets/db_password",
        "SERVICE_URL": "https://api.example.org/v1/items",
    }
    assert known_values(environment) == ("otter-42-lantern",)
    redactor = Redactor(environment)
    assert redactor("ssh said: otter-42-lantern is wrong") == "ssh said: [redacted:environment] is wrong"
    assert redactor("0123456789abcdef0123456789abcdef01234567 in /home/bob") == (
        "0123456789abcdef0123456789abcdef01234567 in /home/bob"
    )


def test_two_secrets_of_one_line_are_masked_each() -> None:
    rng = random.Random(5)
    one, two = token("xoxb-{D:12}-{D:12}-{A:24}", rng), token("AKIA{U:16}", rng)
    assert redact(f"{one} and {two}.") == "[redacted:slack-token] and [redacted:aws-key-id]."


def test_secrets_of_one_corpus_are_found_by_no_single_rule() -> None:
    kinds: defaultdict[str, int] = defaultdict(int)
    for _, text, _ in POSITIVES:
        for part in redact(text).split("[redacted:")[1:]:
            kinds[part.partition("]")[0]] += 1
    assert len(kinds) >= 40


SNIPPETS = st.sampled_from(
    [text for _, text, _ in POSITIVES[::7]]
    + LOOKALIKES[::5]
    + [
        "password",
        "=",
        ":",
        " is ",
        '"',
        "'",
        "\\n",
        "<private>",
        "</private>",
        "[redacted:x]",
        "://u:",
        "@h",
        "\n",
    ]
)


@given(st.lists(st.one_of(SNIPPETS, st.text(max_size=12)), max_size=6).map("".join))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    assert isinstance(redact(text, known=("twelve-chars-9",)), str)


@given(
    st.lists(
        st.sampled_from("task risk-based disk-cache key runner token password commit the is a of".split())
    )
)
def test_plain_words_stay(words: list[str]) -> None:
    text = " ".join(words)
    assert redact(text) == text
