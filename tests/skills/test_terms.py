"""What the index holds of a text, and what a query finds in it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.skills.entities import command_values, entities_of_text, path_suffixes, symbol_values
from honed.skills.failures import code_values, error_key, error_values
from honed.skills.signatures import signature
from honed.skills.stemming import language_of, stem
from honed.skills.terms import IndexEntry, count_at, index_entry, plain, repeated, stemmed
from honed.skills.words import WORD_LIMIT, cut, fold


def words(text: str) -> list[str]:
    return [word.whole for word in cut(text)]


def words_and_parts(text: str) -> set[str]:
    return {part for word in cut(text) for part in (word.whole, *word.parts)}


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
        ("con\u00adfigu\u00adration \ufeffre\u2060try", ["configuration", "retry"]),
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
        (r"App\Models\Cart->total", ["app.models.cart.total", "total"]),
        ("Basket<Vec<Item>>::new", ["basket.new", "new"]),
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
        ("git -C web commit -m x", {"git commit"}, {"git web"}),
        ("npm --prefix web run build", {"npm run build"}, {"npm web"}),
        ("docker compose -f a.yml up -d", {"docker compose up"}, {"docker compose a.yml"}),
        ("kubectl -n prod get pods", {"kubectl get"}, {"kubectl prod"}),
        ("cargo +nightly test", {"cargo test"}, set()),
        (r"C:\venv\Scripts\pytest.exe -q", {"pytest"}, {"pytest.exe"}),
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
        ("SQLSTATE[42P01]: Undefined table", "sqlstate 42p01"),
        ("OSError: [Errno 13] Permission denied", "errno 13"),
        ("failed with 0x80070005", "0x80070005"),
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


@pytest.mark.parametrize(
    "text",
    [
        "file:///home/me/shop/src/cart/totals.py",
        "file:///C:/shop/src/cart/totals.py",
        "vscode://file/home/me/shop/src/cart/totals.py:3:1",
        "https://forge.example/o/shop/blob/main/src/cart/totals.py#L3-L9",
        r"\\server\share\src\cart\totals.py",
        r'{"file": "C:\\shop\\src\\cart\\totals.py"}',
        "src//cart//totals.py",
        "\u4fee\u6539src/cart/totals.py\u4e2d\u7684\u95ee\u9898",
        "src/cart/totals.py\ub97c \uace0\uccd0\uc918",
        "\u0e41\u0e01\u0e49src/cart/totals.py\u0e14\u0e49\u0e27\u0e22",
        '  File "/home/me/shop/src/cart/totals.py", line 12, in total',
        "at total (src/cart/totals.py:12:3)",
        "`src/cart/totals.py`",
        "@src/cart/totals.py please",
    ],
)
def test_a_path_is_seen_however_it_is_pasted(text: str) -> None:
    assert ("path", "src/cart/totals.py") in set(entities_of_text(text))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("fix .eslintrc.json", ("file", ".eslintrc.json")),
        ("it reads `.env` first", ("file", ".env")),
        ("bump go.mod", ("file", "go.mod")),
        ("\u4fee\u6539totals.py\u7684\u95ee\u9898", ("file", "totals.py")),
        ("src/\u6d4b\u8bd5.py", ("path", "src/\u6d4b\u8bd5.py")),
        ("app/(shop)/page.tsx", ("path", "(shop)/page.tsx")),
        ("@shop/cart/index.ts", ("path", "@shop/cart/index.ts")),
        ("app/$item.tsx", ("path", "app/$item.tsx")),
        ("\u5728roundHalf\u51fd\u6570", ("symbol", "roundhalf")),
        ("why is HTTPServer slow", ("symbol", "httpserver")),
        ("Basket<Item>::total", ("symbol", "basket.total")),
        ("(*Basket).Total", ("symbol", "basket.total")),
        ("Basket.total is off", ("symbol", "basket.total")),
        (
            "\u0440\u0430\u0441\u0447\u0451\u0442\u0421\u0443\u043c\u043c\u044b",
            ("symbol", "\u0440\u0430\u0441\u0447\u0451\u0442\u0441\u0443\u043c\u043c\u044b"),
        ),
        ("./gradlew build fails", ("command", "gradlew build")),
        ("docker-compose up hangs", ("command", "docker-compose up")),
        (r".venv\Scripts\pytest.exe says no", ("command", "pytest")),
    ],
)
def test_what_a_request_names_is_seen_in_every_spelling(text: str, named: tuple[str, str]) -> None:
    assert named in set(entities_of_text(text))


def test_a_path_in_backticks_and_a_file_name_with_humps_are_no_symbols() -> None:
    kinds = {kind for kind, _ in entities_of_text("`src/cart/totals.py` and CMakeLists.txt")}
    assert "symbol" not in kinds


def test_a_letter_case_inside_a_word_parts_it_in_any_alphabet() -> None:
    assert words_and_parts("gr\u00f6\u00dfeBerechnen") == {"grosseberechnen", "grosse", "berechnen"}


@pytest.mark.parametrize(
    ("met", "again"),
    [
        ("RuntimeError: took 312 ms for job 9f8e7d6c5b4a", "RuntimeError: took 7 s for job 1a2b3c4d5e6f"),
        ("AssertionError: assert 3 == 4", "E   AssertionError: assert 17 == 20"),
        ("error: commit a1b2c3d4e5f6 failed to apply", "error: commit 99aa0bccddee failed to apply"),
        (
            "error: object 550e8400-e29b-41d4-a716-446655440000 not found",
            "error: object 6ba7b810-9dad-11d1-80b4-00c04fd430c8 not found",
        ),
        (
            "Error: ENOENT: no such file or directory, open '/home/a/x.json'",
            "Error: ENOENT: no such file or directory, open 'C:\\Users\\b\\x.json'",
        ),
        ("OSError: cannot read '/tmp/x7/cart.json'", "OSError: cannot read '/tmp/y/cart.json'"),
        (
            "src/a.ts(3,4): error TS2345: Argument of type 'x'",
            "src/b.ts(17,2): error TS2345: Argument of type 'x'",
        ),
        ("fatal: not a git repository: .git", "fatal: not a git repository: .git"),
        ("bash: foo: command not found", "/bin/sh: 1: foo: not found"),
        ("npm ERR! code ELIFECYCLE", "npm ERR! code ELIFECYCLE"),
        (
            "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds: the len is 3 but it is 99",
            "thread 'main' panicked at src/lib.rs:14:25:\nindex out of bounds: the len is 5 but it is 7",
        ),
        ("TypeError: bad operand", "\x1b[31mTypeError: bad operand\x1b[0m"),
    ],
)
def test_an_error_that_was_learned_from_is_known_in_one_that_is_pasted(met: str, again: str) -> None:
    learned = signature(met, 1)
    assert learned is not None
    stored = {error_key(learned.text), *error_values(learned.text)}
    assert any(" " in value for value in stored & set(error_values(again)))


def test_a_time_in_front_of_an_error_line_is_no_part_of_it() -> None:
    line = "ERROR connection to 10.0.0.9:5432 refused after 2ms"
    assert error_values(f"2026-05-07T10:44:12Z {line}") == error_values(line)


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
