"""The shell reader: words, structure, commands where they stand."""

from __future__ import annotations

import subprocess
import sys
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.verdict import shell
from honed.verdict.shell import (
    Background,
    Chain,
    Compound,
    Group,
    Node,
    Pipeline,
    Simple,
    commands,
    parse,
)


def shape(node: Node | None) -> str:
    """A node in one line: what is piped, chained and grouped, by the first words."""
    if node is None:
        return "-"
    if isinstance(node, Simple):
        return node.argv[0] if node.argv else "=".join(node.assignments[0]) if node.assignments else ">"
    if isinstance(node, Pipeline):
        return ("!" if node.negated else "") + "|".join(shape(stage) for stage in node.stages)
    if isinstance(node, Chain):
        return "".join(operator.replace("\n", ";") + shape(item) for operator, item in node.items)
    if isinstance(node, Background):
        return f"bg({shape(node.body)})"
    if isinstance(node, Group):
        return ("(%s)" if node.subshell else "{%s}") % shape(node.body)
    parts = " ".join(f"{part.role[0]}:{shape(part.node)}" for part in node.parts)
    return f"<{node.kind} {parts}>".replace(" >", ">")


SHAPES = [
    ("a", "a"),
    ("", "-"),
    ("# only a comment", "-"),
    ("a b c", "a"),
    ("a; b", "a;b"),
    ("a\nb\n\n\nc", "a;b;c"),
    ("a && b || c", "a&&b||c"),
    ("a &&\n  b", "a&&b"),
    ("a \\\n  b", "a"),
    ("a | b | c", "a|b|c"),
    ("a |\n b", "a|b"),
    ("a |& b", "a|b"),
    ("! a | b", "!a|b"),
    ("! a", "!a"),
    ("! ! a", "a"),
    ("a & b", "bg(a)&b"),
    ("a && b & c", "bg(a&&b)&c"),
    ("a; b && c & d", "a;bg(b&&c)&d"),
    ("a &", "bg(a)"),
    ("(a; b) && c", "(a;b)&&c"),
    ("{ a; b; } | c", "{a;b}|c"),
    ("(cd x && a) > f", "(cd&&a)"),
    ("if a; then b; fi", "<if c:a b:b>"),
    ("if a; then b; elif c; then d; else e; fi", "<if c:a b:b c:c b:d e:e>"),
    ("if a\nthen b\nfi && c", "<if c:a b:b>&&c"),
    ("for i in 1 2; do a; b; done", "<for b:a;b>"),
    ("for i; do a; done", "<for b:a>"),
    ("for ((i=0;i<3;i++)); do a; done", "<for b:a>"),
    ("while a; do b; done | c", "<while c:a b:b>|c"),
    ("until a\ndo\nb\ndone", "<until c:a b:b>"),
    ("case $x in a|b) c;; (d) e;; *) f;; esac", "<case b:c b:e b:f>"),
    ("f() { a; }; f", "<function b:{a}>;f"),
    ("function f { a; }", "<function b:{a}>"),
    ("f() (a)", "<function b:(a)>"),
    ("[[ -f x && y == z ]] && a", "<test>&&a"),
    ("[[ $a =~ ^(x|y)+$ ]] || b", "<test>||b"),
    ("(( i++ )); a", "<arithmetic>;a"),
    ("((a); (b))", "((a);(b))"),
    ("time { a; }", "{a}"),
    ("time a", "time"),
    ("A=1 B=2 a", "a"),
    ("A=1", "A=1"),
    ("> f", ">"),
    ("a 2>&1 | b", "a|b"),
    ("a &> f; b", "a;b"),
    ("cat <<EOF | b\nx; y\nEOF\nc", "cat|b;c"),
    ("cat <<A <<B\n1\nA\n2\nB\nc", "cat;c"),
    ("cat <<A; b <<B && c\n1\nA\n2\nB\nd", "cat;b&&c;d"),
    ("a # b\nc", "a;c"),
    ("a#b", "a#b"),
    ("echo done; fi_x", "echo;fi_x"),
    ("a\r\nb", "a;b"),
]


@pytest.mark.parametrize(("text", "expected"), SHAPES)
def test_structure_is_read(text: str, expected: str) -> None:
    script = parse(text)
    assert script.unparsed is None
    assert shape(script.root) == expected


WORDS = [
    ("a 'b c' \"d e\"", ("a", "b c", "d e")),
    ("a 'it'\\''s'", ("a", "it's")),
    (r"a \$x b\ c \\", ("a", "$x", "b c", "\\")),
    (r'a "\$x \n \" \\"', ("a", '$x \\n " \\')),
    (r"a $'x\ty\'z\x41'", ("a", "x\ty'zA")),
    ("a b#c #d", ("a", "b#c")),
    ("a ''", ("a", "")),
    ("a x''y", ("a", "xy")),
    ('a $x "$y z"', ("a", "$x", "$y z")),
    ("a $(b c) `d`", ("a", "$(b c)", "`d`")),
    ("a ${x:-'}'} b", ("a", "${x:-'}'}", "b")),
    ('a "${x:-it\'s}" b', ("a", "${x:-it's}", "b")),
    ("a $((1 + (2*3))) b", ("a", "$((1 + (2*3)))", "b")),
    ("a @(b|c) *.go {d,e}", ("a", "@(b|c)", "*.go", "{d,e}")),
    ("rg 'a && b | c; d'", ("rg", "a && b | c; d")),
    ("a \\\nb", ("a", "b")),
    ("a 2>&1 b >f c", ("a", "b", "c")),
    ("a $", ("a", "$")),
    ("a =b x=1", ("a", "=b", "x=1")),
]


@pytest.mark.parametrize(("text", "argv"), WORDS)
def test_words_are_unquoted(text: str, argv: tuple[str, ...]) -> None:
    (command,) = (c for c in commands(parse(text)) if not c.in_substitution)
    assert command.simple.argv == argv


def test_the_words_with_expansions_are_known() -> None:
    (command,) = commands(parse("a $x '$y' \"z $w\" \\$v $?"))
    assert command.simple.expands == {1, 3, 5}


def test_a_here_document_belongs_to_its_redirection() -> None:
    (command,) = commands(parse("cat > f.py <<'EOF'\nimport os; os.system('pytest')\nEOF\n"))
    write, document = command.simple.redirects
    assert (write.operator, write.target) == (">", "f.py")
    assert document.body == "import os; os.system('pytest')\n"
    assert not document.expands


def test_a_here_document_with_dash_loses_its_tabs() -> None:
    (command,) = commands(parse("cat <<-E\n\t\tx\n\tE\n"))
    assert command.simple.redirects[0].body == "x\n"


def test_commands_in_an_expanded_here_document_run() -> None:
    found = commands(parse('cat <<EOF\n$(git log) it\'s "fine"\nEOF'))
    assert [c.simple.argv for c in found] == [("git", "log"), ("cat",)]
    assert found[0].in_substitution


def test_a_here_document_inside_a_substitution_is_read() -> None:
    script = parse("git commit -m \"$(cat <<'EOF'\nfix: it's (not) done\n\npytest\nEOF\n)\" && git push")
    assert [c.simple.argv[0] for c in commands(script)] == ["cat", "git", "git"]
    assert commands(script)[0].simple.redirects[0].body == "fix: it's (not) done\n\npytest\n"


def test_a_here_document_may_end_at_the_parenthesis() -> None:
    script = parse('a "$(cat <<EOF\nx\nEOF)" && b')
    assert script.unparsed is None
    assert [c.simple.argv[0] for c in commands(script)] == ["cat", "a", "b"]


def test_the_commands_of_a_pipeline_know_their_place() -> None:
    first, second, third = commands(parse("go test ./... 2>&1 | grep -v ok | head -20"))
    assert (first.stage_index, first.stage_count) == (0, 3)
    assert [f.argv[0] for f in first.filters] == ["grep", "head"]
    assert [f.argv[0] for f in second.filters] == ["head"]
    assert (third.stage_index, third.filters) == (2, ())


def test_filters_reach_out_of_groups_and_shells() -> None:
    found = {c.simple.argv[0]: c for c in commands(parse("bash -lc 'cd x && (pytest | cat)' 2>&1 | tail -5"))}
    assert [f.argv[0] for f in found["pytest"].filters] == ["cat", "tail"]
    assert [f.argv[0] for f in found["cd"].filters] == ["tail"]


def test_the_redirections_of_a_group_are_those_of_its_commands() -> None:
    found = commands(parse("{ pytest; } > log 2>&1"))
    assert [r.target for r in found[0].redirects] == ["log", "1"]


@pytest.mark.parametrize(
    "text",
    [
        "bash -lc 'cd x && pytest -q'",
        'sh -c "cd x && pytest -q"',
        "eval 'cd x && pytest -q'",
        "wsl.exe -d Ubuntu -- bash -lc 'cd x && pytest -q'",
        "docker exec -it web sh -c 'cd x && pytest -q'",
        "docker compose -f dev.yml run --rm web bash -c 'cd x && pytest -q'",
        "timeout 60 bash -c 'cd x && pytest -q'",
        "bash <<'EOF'\ncd x && pytest -q\nEOF",
        "sudo -u me env A=1 bash -ec 'cd x && pytest -q'",
        "bash -c \"bash -c 'cd x && pytest -q'\"",
        "nix-shell --run 'cd x && pytest -q'",
        "ssh host 'cd x && pytest -q'",
        "su me -c 'cd x && pytest -q'",
        "cmd /c 'cd x && pytest -q'",
        "pwsh -NoProfile -Command 'cd x; pytest -q'",
    ],
)
def test_a_script_for_another_shell_stands_for_the_command(text: str) -> None:
    assert [c.simple.argv for c in commands(parse(text))] == [("cd", "x"), ("pytest", "-q")]


def test_a_script_that_is_only_a_variable_is_not_guessed() -> None:
    assert [c.simple.argv for c in commands(parse('eval "$command"'))] == [("eval", "$command")]
    assert [c.simple.argv for c in commands(parse('eval "$(mise activate bash)"'))] == [
        ("mise", "activate", "bash"),
        ("eval", "$(mise activate bash)"),
    ]


def test_substitutions_run_before_their_command() -> None:
    found = commands(parse('out=$(pytest -q | tail) x="$(a "$(b)")" c <(d)'))
    assert [(c.simple.argv[0], c.in_substitution) for c in found] == [
        ("pytest", True),
        ("tail", True),
        ("b", True),
        ("a", True),
        ("d", True),
        ("c", False),
    ]


def test_background_commands_are_marked() -> None:
    assert [c.background for c in commands(parse("a && b & c"))] == [True, True, False]


POWERSHELL = [
    (
        "cd C:\\repo; go test ./... 2>&1 | Select-Object -Last 20",
        [("cd", "C:\\repo"), ("go", "test", "./...")],
    ),
    ("$env:CI='1'; npm test; exit $LASTEXITCODE", [("npm", "test"), ("exit", "$LASTEXITCODE")]),
    ('& "C:\\Program Files\\go.exe" test; Get-Item x', [("C:\\Program Files\\go.exe", "test")]),
    ("$body = @'\nit's | a; table\n'@\nSet-Content -Path a -Value $body", [("Set-Content", "-Path", "a")]),
    ("if ($LASTEXITCODE -ne 0) { exit 1 } else { go test }", [("exit", "1"), ("go", "test")]),
    ("Get-ChildItem | ForEach-Object { go vet $_ }", [("Get-ChildItem",), ("go", "vet", "$_")]),
    (
        "Invoke-Pester -Path ./x `\n  -Output Minimal",
        [("Invoke-Pester", "-Path", "./x", "-Output", "Minimal")],
    ),
    ("try { npm test } catch { Write-Host bad }", [("npm", "test"), ("Write-Host", "bad")]),
]


@pytest.mark.parametrize(("text", "expected"), POWERSHELL)
def test_powershell_is_recognised_and_read(text: str, expected: list[tuple[str, ...]]) -> None:
    script = parse(text)
    assert (script.dialect, script.unparsed) == ("powershell", None)
    found = [c.simple.argv for c in commands(script) if c.simple.argv]
    for argv in expected:
        assert any(each[: len(argv)] == argv for each in found), found


def test_a_value_of_powershell_is_no_command() -> None:
    script = parse("$x = 'pytest'; \"pytest\"; Get-Item $x")
    assert [c.simple.argv[0] for c in commands(script) if c.simple.argv] == ["Get-Item"]


def test_cmd_is_recognised_and_read() -> None:
    script = parse('cd /d C:\\repo && set CI=1 & npm test | find "ok"')
    assert script.dialect == "cmd"
    assert [c.simple.argv[0] for c in commands(script)] == ["cd", "set", "npm", "find"]


def test_paths_of_git_bash_are_no_sign_of_cmd() -> None:
    assert parse("cd /d/repo && git log --format=%h%x09%s; go test").dialect == "bash"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("echo 'a", "single quote"),
        ('echo "a', "double quote"),
        ("a && ", "nothing follows &&"),
        ("if a; then b", "'fi' is missing"),
        ("(a", "')' is missing"),
        ("a $(b", "not closed"),
        ("for i in 1; do a", "'done' is missing"),
        ("a )", "unexpected"),
        ("{ " * 100 + "a", "deep"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, reason: str) -> None:
    script = parse(text)
    assert script.unparsed is not None
    assert reason in script.unparsed


def test_what_came_before_a_fault_is_kept() -> None:
    script = parse("pytest -q\necho 'open")
    assert script.unparsed
    assert [c.simple.argv for c in commands(script)] == [("pytest", "-q")]


# Properties

PIECES = st.sampled_from(
    [
        "a",
        "b ",
        "$(",
        "`",
        "'",
        '"',
        "\\",
        "(",
        ")",
        "{",
        "}",
        "[[",
        "]]",
        "((",
        "))",
        "if ",
        "then ",
        "fi",
        "for x in ",
        "do ",
        "done",
        "case x in ",
        "esac",
        ";;",
        "|",
        "||",
        "&",
        "&&",
        ";",
        "\n",
        "<<E\n",
        "E\n",
        ">",
        "<",
        "2>&1",
        "$",
        "${",
        "x=",
        "=(",
        "#",
        " ",
        "while ",
        "function f ",
        "f()",
        "time ",
        "! ",
        "@(",
        "<(",
        "Get-Item ",
        "$env:A=",
        "@'\n",
        "\n'@",
        "\r\n",
        "é",
        "\x00",
        "bash -c '",
        "eval ",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=80))
def test_every_text_is_read_without_an_exception(text: str) -> None:
    script = parse(text)
    for command in commands(script):
        assert shell.node_at(script, command.path) is command.simple


QUOTED_WORDS = st.lists(
    st.lists(
        st.sampled_from(
            [
                "a",
                "b-1",
                "'c d'",
                '"e f"',
                "\\ ",
                '"\\""',
                "''",
                "'it'\\''s'",
                "\\\\",
                '"\\\\"',
                "$'g\\n'",
                "=",
                "#",
                "%",
                "./",
                '"\\x"',
                "^",
                ":",
                ",",
            ]
        ),
        min_size=1,
        max_size=5,
    ).map("".join),
    min_size=1,
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(QUOTED_WORDS)
def test_words_are_those_that_bash_passes_on(words: list[str]) -> None:
    text = " ".join(["printf '%s\\0'", "x" + words[0], *words[1:]])
    run = subprocess.run(["bash", "-c", text], capture_output=True, check=True)
    (command,) = commands(parse(text))
    # A program gets the words behind the format.
    assert [word.encode() for word in command.simple.argv[2:]] == run.stdout.split(b"\0")[:-1]


SIMPLE = st.sampled_from(
    [
        "a b",
        "c 'd e' \"$f\"",
        "g $(h) `i`",
        "x=1",
        "j >k 2>&1",
        "cat <<E\n$(l) 'm\nE\n",
        "[[ -n $x && ( a < b ) ]]",
        "((n++))",
        "{ o; }",
        "# p\nq",
        "r \\\n s",
    ]
)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        *(joined.map(operator.join) for operator in ("; ", " && ", " || ", " | ", "\n", " & ")),
        inner.map("({0}\n)".format),
        inner.map("{{ {0}\n}}".format),
        joined.map(lambda two: f"if {two[0]}\nthen {two[1]}\nfi"),
        inner.map("for i in 1 '2 3'; do {0}\ndone".format),
        inner.map("case $x in a|b) {0}\n;; *) y;; esac".format),
        inner.map("f() {{ {0}\n}}".format),
        inner.map("! {0}".format),
        inner.map('z "$({0}\n)"'.format),
    )


@settings(max_examples=80, deadline=None)
@given(st.recursive(SIMPLE, _compound, max_leaves=8))
def test_what_bash_accepts_is_read(text: str) -> None:
    checked = subprocess.run(["bash", "-n", "-c", text], capture_output=True)
    if checked.returncode == 0 and not checked.stderr:
        assert parse(text).unparsed is None


UNITS = [
    "a b c; ",
    "a | ",
    "$((",
    "((",
    "'",
    '"',
    "${",
    "$(",
    "a $(b) ",
    "{ ",
    "if a; then b; fi;",
    "<<A\n",
    "cat <<A\nx\nA\n",
    "a=(",
    "@(",
    "[[ a ",
    "case x in a) ",
    "a&",
    "((#'\n))\n",
    "bash -c 'a' ",
    "`a`",
    "`\\`",
    "Get-Item x;",
    "@'\n",
    "x=(a) ",
]


def _calls(text: str) -> int:
    """How many calls it takes to read a text: time without a clock."""
    count = 0

    def profile(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        commands(parse(text))
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("unit", UNITS)
def test_reading_takes_work_in_proportion_to_the_text(unit: str) -> None:
    few, many = _calls(unit * 100), _calls(unit * 800)
    assert many <= 10 * few + 2000


def test_a_megabyte_is_read() -> None:
    script = parse("echo 'x' | cat; " * 65_000)
    assert script.unparsed is None
    assert isinstance(script.root, Chain)
    assert len(script.root.items) == 65_000


def test_a_compound_keeps_what_it_loops_over() -> None:
    script = parse('for f in a.go "b c" $x; do gofmt -w $f; done')
    assert isinstance(script.root, Compound)
    assert script.root.name == "f"
    assert script.root.words == ("a.go", "b c", "$x")
    assert script.root.expands == {2}
