"""What the index holds of a text, and what a query finds in it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.skills.entities import (
    code_values,
    command_values,
    entities_of_text,
    error_key,
    error_values,
    path_suffixes,
    symbol_values,
)
from honed.skills.stemming import language_of, stem
from honed.skills.terms import IndexEntry, count_at, index_entry, plain, repeated, stemmed
from honed.skills.words import WORD_LIMIT, cut, fold


def words(text: str) -> list[str]:
    return [word.whole for word in cut(text)]


def entry(title: str = "", trigger: str = "", body: str = "", **typed: list[str]) -> IndexEntry:
    return index_entry(
        title,
        trigger,
        typed.get("aliases", []),
        body.splitlines(),
        typed.get("files", []),
        " && ".join(typed.get("check", [])),
        typed.get("symbols", []),
        typed.get("signatures", []),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Start the two-phase commit", ["start", "the", "twophase", "two", "phase", "commit"]),
        ("It's the owner's job", ["it", "the", "owner", "job"]),
        ("don\u2019t panic", ["dont", "panic"]),
        ("RFC 9110 section 8.3", ["rfc", "9110", "section", "8.3", "8"]),
        ("v3.11.4", ["3.11.4", "3.11", "3"]),
        ("3 MB/s when cold", ["3", "mb", "s", "when", "cold"]),
        (r"src\shop\cart.py", ["src", "shop", "cart.py", "cart", "py"]),
        ("a=b", ["a", "b"]),
        ("list[int]", ["list", "int"]),
        ("50%", ["50"]),
        ("C++ and C# on .NET", ["c++", "cpp", "and", "c#", "csharp", "on", ".net", "dotnet"]),
        ("roundHalf", ["roundhalf", "round", "half"]),
        ("round_half round-half RoundHalf", ["roundhalf", "round", "half"] * 3),
        ("HTTPServer2", ["httpserver2", "http", "server2"]),
        ("os.path.join", ["os.path.join", "os", "path", "join"]),
        ("__init__", ["init"]),
        ("sha256 utf8 E0308", ["sha256", "utf8", "e0308"]),
        ("Caf\u00e9 na\u00efve \u00dcbergr\u00f6\u00dfe", ["cafe", "naive", "ubergrosse"]),
        ("\u0401\u043b\u043a\u0430 \u0439\u043e\u0433", ["\u0435\u043b\u043a\u0430", "\u0439\u043e\u0433"]),
        ("\uff26\uff49\uff58", ["fix"]),
        (
            "\u7c7b\u578b\u4e0d\u5339\u914d",
            ["\u7c7b\u578b", "\u578b\u4e0d", "\u4e0d\u5339", "\u5339\u914d"],
        ),
        ("\u9501", ["\u9501"]),
        ("\ud14c\uc2a4\ud2b8\ub97c", ["\ud14c\uc2a4", "\uc2a4\ud2b8", "\ud2b8\ub97c"]),
        ("\u30c6\u30b9\u30c8", ["\u30c6\u30b9", "\u30b9\u30c8"]),
        ("pytest\u3092\u5b9f\u884c", ["pytest", "\u3092\u5b9f", "\u5b9f\u884c"]),
        ("emoji \u2705 in title", ["emoji", "\u2705", "in", "title"]),
        ("", []),
        ("(((", []),
        ('"', []),
        ("*", []),
    ],
)
def test_a_text_is_cut_into_folded_words(text: str, expected: list[str]) -> None:
    assert plain(text) == expected


def test_a_word_is_cut_off_at_its_limit() -> None:
    assert words("x" * 300) == ["x" * WORD_LIMIT]


def test_a_random_looking_string_stays_one_word() -> None:
    assert plain("aGVsbG8gd29ybGQ0aGVsbG8gd29ybGQ0") == ["agvsbg8gd29ybgq0agvsbg8gd29ybgq0"]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "rounding", "rounded"),
        ("ru", "тестирование", "тестирования"),
        ("de", "fehler", "fehlern"),
        ("fr", "dependances", "dependance"),
        ("es", "pruebas", "prueba"),
        ("pt", "testes", "teste"),
    ],
)
def test_forms_of_a_word_have_one_stem(language: str, one: str, other: str) -> None:
    assert stem(one, language) == stem(other, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("why does the login test fail on the server", "en"),
        ("почему падает тест", "ru"),
        ("warum schl\u00e4gt der Test auf dem Server fehl", "de"),
        ("pourquoi le test de connexion est en \u00e9chec", "fr"),
        ("por qu\u00e9 falla la prueba de los usuarios", "es"),
        ("porque o teste n\u00e3o passa em produ\u00e7\u00e3o com os dados", "pt"),
        ("deploy checkout kubernetes", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_told_by_script_and_stop_words(text: str, language: str) -> None:
    assert language_of(words(text)) == language


def times_in(counted: str, stem: str) -> int:
    at = counted.find(f" {stem} ")
    return count_at(counted, at + len(stem) + 2) if at >= 0 else 0


def test_a_german_note_is_found_by_its_english_terms_too() -> None:
    found = entry(body="Wenn die deployments auf dem Server nicht starten, ist das Volume voll").body_stem
    assert times_in(f" {found} ", "deploy") == 1


def test_a_body_counts_its_stems_and_the_most_frequent_stand_first() -> None:
    found = entry(body="round the cart\nrounding carts, rounded").body_stem
    assert found.startswith("round 3\u00d7 cart 2\u00d7")
    assert [times_in(f" {found} ", word) for word in ("round", "cart", "the", "tax")] == [3, 2, 1, 0]
    assert times_in(repeated(found), "round") == 3
    assert times_in(repeated(found), "the") == 0


def test_a_count_is_never_taken_for_a_word() -> None:
    assert "3\u00d7" not in plain("we need 3\u00d7 the room")


@pytest.mark.parametrize(
    ("path", "suffixes"),
    [
        ("src/shop/cart.py", ["cart.py", "shop/cart.py", "src/shop/cart.py"]),
        (r"C:\Work\Shop\Cart.cs", ["cart.cs", "shop/cart.cs", "work/shop/cart.cs"]),
        ("/a/b/c/d/e.go", ["e.go", "d/e.go", "c/d/e.go", "b/c/d/e.go"]),
        ("./Makefile", ["makefile"]),
        ("", []),
    ],
)
def test_a_path_is_known_by_its_suffixes(path: str, suffixes: list[str]) -> None:
    assert [value for _, value in path_suffixes(path)] == suffixes


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("CartTotal.round_half", ["carttotal.roundhalf", "roundhalf"]),
        ("roundHalf()", ["roundhalf"]),
        ("shop::Cart#total", ["shop.cart.total", "total"]),
        ("...", []),
    ],
)
def test_a_symbol_is_known_in_every_spelling(name: str, values: list[str]) -> None:
    assert symbol_values(name) == values


@pytest.mark.parametrize(
    ("command", "expected", "never"),
    [
        ("uv run pytest -q tests/cart", {"uv run pytest", "pytest"}, set()),
        ("cd web && npm run test:unit -- --watch", {"npm run test:unit", "test:unit"}, {"cd", "cd web"}),
        ("PYTHONPATH=. python3 -m pytest", {"pytest"}, {"pythonpath=."}),
        ("timeout 60 ./scripts/check.sh | tail -5", {"check.sh"}, {"60"}),
        ("docker compose up -d && go test ./...", {"docker compose up", "go test"}, set()),
        ("cargo test --workspace", {"cargo", "cargo test"}, {"--workspace"}),
        ("", set(), set()),
    ],
)
def test_a_command_is_known_by_its_first_words(command: str, expected: set[str], never: set[str]) -> None:
    found = set(command_values(command))
    assert expected <= found
    assert not never & found


def test_an_error_is_known_by_its_type_and_by_its_line_without_what_changes() -> None:
    one = error_values("/srv/a/cart.py:12: ValueError: total 41 is not in [3, 7]")
    other = error_values("ValueError: total 9 is not in [8, 2]")
    assert one == other
    assert one[0] == "valueerror"
    assert error_key("ERROR 0x7f3a: no room") == error_key("error 0x11: no room")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("error[E0308]: mismatched types", "e0308"),
        ("src/a.ts(3,1): error TS2345: bad", "ts2345"),
        ("the API answers with HTTP 404", "http 404"),
        ("status: 503", "http 503"),
        ("exited with code 137", "exit 137"),
        ("connect ECONNREFUSED 127.0.0.1", "econnrefused"),
        ("ERR_MODULE_NOT_FOUND", "err_module_not_found"),
        ("F401 unused import", "f401"),
        ("RFC 9110", "rfc 9110"),
    ],
)
def test_codes_of_tools_are_recognised(text: str, code: str) -> None:
    assert code in code_values(text)


def test_prose_names_no_codes() -> None:
    assert code_values("ERROR: ENSURE that EVERY test passes") == []


def test_a_request_names_paths_files_commands_and_symbols() -> None:
    text = r"why does `npm run lint` fail for roundHalf in src\shop\cart.py and money.ts? See https://x.example/a/b.py"
    found = set(entities_of_text(text))
    assert {
        ("path", "shop/cart.py"),
        ("file", "money.ts"),
        ("command", "npm run lint"),
        ("symbol", "roundhalf"),
    } <= found
    assert ("file", "b.py") not in found


def test_what_a_body_happens_to_name_is_no_command_or_symbol_of_the_skill() -> None:
    found = entry("Title", body="run `npm run lint`, see roundHalf and docs/a.md", symbols=["Cart.total"])
    kinds = {kind for kind, _ in found.entities}
    assert ("symbol", "cart.total") in found.entities
    assert ("path", "docs/a.md") in found.entities
    assert ("symbol", "roundhalf") not in found.entities
    assert "command" not in kinds


texts = st.text(max_size=200) | st.text(
    alphabet="aZ9_-./\\'\"` :=()[]{}<>*+#@%&|;\u00e9\u4e00\u0430\ud55c\u2705\n", max_size=200
)


@given(texts)
@settings(max_examples=150, deadline=None)
def test_every_text_can_be_indexed_and_its_own_words_are_in_the_index(text: str) -> None:
    found = index_entry(text, text, [text], text.splitlines(), [text], text, [text], [text])
    head, keys = set(found.head.split(" ")), found.keys.split(" ")
    for word in cut(text):
        assert word.whole in head
        assert not any(char.isspace() for part in (word.whole, *word.parts) for char in part)
        assert word.whole
        assert len(word.whole) <= WORD_LIMIT
    assert set(stemmed(list(cut(text)), "en")) <= {*found.head_stem.split(" "), *head} | {*keys}
    assert (
        found.entities
        == index_entry(text, text, [text], text.splitlines(), [text], text, [text], [text]).entities
    )
    assert len(set(found.entities)) == len(found.entities)


@given(st.text(max_size=100))
@settings(max_examples=100, deadline=None)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
