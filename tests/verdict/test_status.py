"""Whose exit status is it: a table of the plain forms, and random scripts held against a real bash."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from honed.verdict.changes import shell_writes
from honed.verdict.shell import Command, Script, commands, parse
from honed.verdict.status import Echo, Said, State, deduce, echoes


def parsed(text: str, name: str = "T") -> tuple[Script, Command]:
    """The script, and the command in it that has ``name`` among its words."""
    script = parse(text)
    return script, next(c for c in commands(script) if name in c.simple.argv)


def said(text: str, exit_code: int | None) -> Said:
    script, command = parsed(text)
    return deduce(script, command, exit_code)


PLAIN = [
    # (line, status of the line, what it says of T, T's own code)
    ("T", 0, "passed", 0),
    ("T", 1, "failed", 1),
    ("T", None, "unknown", None),
    ("T", -1, "failed", -1),
    ("T", 256, "failed", 256),
    ("T -q 2>&1", 0, "passed", 0),
    ("A=1 T > log 2>&1", 3, "failed", 3),
    ("time T", 2, "failed", 2),
    ("timeout 60 T", 124, "failed", 124),
    ("timeout -k 5 60 T", 0, "passed", 0),
    ("sudo -u me nice -n 5 T", 0, "passed", 0),
    ("uv run --with x T", 1, "failed", 1),
    ("docker compose exec -T web T", 1, "failed", 1),
    # Pipes
    ("T | tail", 0, "unknown", None),
    ("T | tail", 1, "unknown", None),
    ("T | tee log", 0, "unknown", None),
    ("a | T", 0, "passed", 0),
    ("a | T", 1, "failed", 1),
    ("set -o pipefail; T | tail", 0, "passed", 0),
    ("set -o pipefail; T | tail", 1, "unknown", None),
    ("set -euo pipefail\nT | tee log", 0, "passed", 0),
    ("T | tail; set -o pipefail", 0, "unknown", None),
    ("(set -o pipefail; a); T | tail", 0, "unknown", None),
    ("bash -o pipefail -c 'T | tail'", 0, "passed", 0),
    ("bash -eo pipefail -c 'T | tail; echo'", 0, "passed", 0),
    ("set -o pipefail; bash -c 'T | tail'", 0, "unknown", None),
    ("T | tail; exit ${PIPESTATUS[0]}", 0, "passed", 0),
    ("T | tail; exit ${PIPESTATUS[0]}", 2, "failed", 2),
    ("T | tail; exit ${PIPESTATUS[1]}", 0, "unknown", None),
    ("T | tee log; rc=${PIPESTATUS[0]}; cat log; exit $rc", 2, "failed", 2),
    ("T | tail; test ${PIPESTATUS[0]} -eq 0", 0, "passed", 0),
    ("T | tail; echo ${PIPESTATUS[0]}", 0, "unknown", None),
    # Chains
    ("a && T", 0, "passed", 0),
    ("a && T", 1, "unknown", None),
    ("T && a", 0, "passed", 0),
    ("T && a", 1, "unknown", None),
    ("cd x && T", 0, "passed", 0),
    ("cd x && T", 1, "unknown", None),
    ("cd x && T", 5, "failed", 5),
    ("cd x && a && T && b", 0, "passed", 0),
    ("T || true", 0, "unknown", None),
    ("T || a", 1, "failed", None),
    ("T || exit 1", 0, "passed", 0),
    ("T || exit 1", 1, "failed", None),
    ("a || T", 1, "failed", 1),
    ("a || T", 0, "unknown", None),
    ("T && a || b", 0, "unknown", None),
    ("T && echo ok || echo bad", 0, "unknown", None),
    ("T; a", 0, "unknown", None),
    ("a; T", 0, "passed", 0),
    ("a\nT", 1, "failed", 1),
    ("a\n\nT # last", 1, "failed", 1),
    ("T; echo $?", 0, "unknown", None),
    ("T; exit $?", 0, "passed", 0),
    ("T; exit $?", 7, "failed", 7),
    ("T; rc=$?; cat log; exit $rc", 7, "failed", 7),
    ("rc=0; T || rc=$?; echo; exit $rc", 0, "passed", 0),
    ("rc=0; T || rc=$?; echo; exit $rc", 3, "failed", 3),
    ("T; rc=$?; [ $rc -eq 0 ] || exit 1", 1, "failed", None),
    ("T; rc=$?; if [ $rc -ne 0 ]; then exit $rc; fi", 0, "passed", 0),
    ("T; [[ $? -eq 0 ]]", 0, "passed", 0),
    ("T; (( $? == 0 ))", 0, "passed", 0),
    ("set -e; T; echo done", 0, "passed", 0),
    ("set -e; T; echo done", 1, "failed", 1),
    ("set -e; T || true; echo done", 0, "unknown", None),
    ("set -e; set +e; T; echo done", 0, "unknown", None),
    ("set -e\ncd x\nT\na", 0, "passed", 0),
    ("! T", 0, "failed", None),
    ("! T", 1, "passed", 0),
    ("exit 0; T", 0, "not_run", None),
    ("T; exit 0", 0, "unknown", None),
    ("false && T", 1, "not_run", None),
    ("true || T", 0, "not_run", None),
    # Background
    ("T &", 0, "unknown", None),
    ("T & wait", 0, "unknown", None),
    ("T & wait $!", 0, "passed", 0),
    ("T & pid=$!; a; wait $pid", 3, "failed", 3),
    ("a & T", 1, "failed", 1),
    # Groups, conditions, loops
    ("(T)", 1, "failed", 1),
    ("{ T; }", 0, "passed", 0),
    ("(cd x && T) && echo", 0, "passed", 0),
    ("(T; a)", 0, "unknown", None),
    ("{ a; T; } > log 2>&1", 0, "passed", 0),
    ("{ T; } | cat", 0, "unknown", None),
    ("if T; then echo ok; else echo bad; exit 1; fi", 0, "passed", 0),
    ("if T; then echo ok; else echo bad; exit 1; fi", 1, "failed", None),
    ("if T; then echo ok; fi", 0, "unknown", None),
    ("if ! T; then exit 1; fi", 0, "passed", 0),
    ("if a; then T; fi", 0, "unknown", None),
    ("if a; then T; fi", 1, "failed", 1),
    ("for i in 1 2; do T || exit 1; done", 0, "passed", 0),
    ("for i in 1 2; do T; done", 0, "unknown", None),
    ("for i in 1; do T; done", 0, "passed", 0),
    ("for i in $x; do T || exit 1; done", 1, "failed", None),
    ("set -e; for i in 1 2 3; do T; done", 0, "passed", 0),
    ("false; for i in 1; do [ $? -eq 0 ]; done && T", 1, "not_run", None),
    ("for i in 1 2; do bash -c 'continue; T' || exit 1; done", 0, "passed", 0),
    ("for i in $x; do T; done", 0, "unknown", None),
    ("while a; do T || exit 1; done", 0, "unknown", None),
    ("case $x in a) T;; *) T;; esac", 0, "unknown", None),
    ("f() { T; }; f", 0, "passed", 0),
    ("f() { T; }; f", 1, "failed", 1),
    ("f() { T; return 0; }; f", 0, "unknown", None),
    ("f() { T || return 1; a; }; f && b", 0, "passed", 0),
    ("f() { T; }", 0, "not_run", None),
    # Substitutions and other shells
    ("out=$(T)", 0, "passed", 0),
    ("out=$(T)", 2, "failed", 2),
    ('out=$(T 2>&1); rc=$?; echo "$out" | tail; exit $rc', 0, "passed", 0),
    ('out=$(T 2>&1); rc=$?; echo "$out" | tail; exit $rc', 4, "failed", 4),
    ("out=$(T) || exit 9", 9, "failed", None),
    ("out=$(T) && echo", 0, "passed", 0),
    ("out=$(T); echo $out", 0, "unknown", None),
    ("echo $(T)", 0, "unknown", None),
    ("export out=$(T)", 0, "unknown", None),
    ("out=$(T | tail)", 0, "unknown", None),
    ("bash -lc 'cd x && T'", 0, "passed", 0),
    ("bash -lc 'cd x && T 2>&1 | tail'", 0, "unknown", None),
    ("eval 'T; a'", 0, "unknown", None),
    ("eval 'set -e'; T; a", 0, "passed", 0),
    ("timeout 9 bash -c 'T'", 0, "passed", 0),
    ("timeout 9 bash -c 'T'", 124, "unknown", None),
    ("exec T", 1, "failed", 1),
    ("exec T; a", 1, "failed", 1),
    ("git ls-files | xargs T", 0, "passed", 0),
    ("git ls-files | xargs T", 123, "failed", None),
    ("git ls-files | xargs -r T", 0, "unknown", None),
    ("docker run -d img T", 0, "unknown", None),
    ("watch T", 0, "unknown", None),
    ("find . -exec T {} \\;", 0, "unknown", None),
    ("trap 'exit 0' EXIT; T", 0, "unknown", None),
    ("trap 'rm -f x' EXIT; T", 0, "passed", 0),
    ("echo 'not closed; T", 0, "unknown", None),
    # Windows
    ("cd C:\\x; T", 0, "passed", 0),
    ("cd C:\\x; T; Get-Item y", 0, "unknown", None),
    ("T 2>&1 | Select-Object -Last 5", 0, "unknown", None),
    ("T | Select-Object -Last 5; exit $LASTEXITCODE", 0, "passed", 0),
    ("T | Select-Object -Last 5; exit $LASTEXITCODE", 1, "failed", 1),
    ("cd /d C:\\x && T", 0, "passed", 0),
    ("cd /d C:\\x & T & a", 0, "unknown", None),
]


@pytest.mark.parametrize(("text", "exit_code", "state", "code"), PLAIN)
def test_a_status_says(text: str, exit_code: int | None, state: str, code: int | None) -> None:
    if "not closed" in text:
        script = parse(text)
        assert script.unparsed
        assert not commands(script)
        return
    answer = said(text, exit_code)
    assert (answer.state, answer.code) == (state, code), answer


@pytest.mark.parametrize(
    ("text", "exit_code", "why"),
    [
        ("T | tail -5", 0, "its status is lost in the pipe into tail"),
        ("T &", 0, "it runs in the background"),
        ("a && T", 1, "it may not have run"),
        ("T; a", 0, "the status is that of another command"),
        ("T", None, "no exit status is known"),
        ("true; T && false", 0, "the line cannot end with status 0"),
    ],
)
def test_what_is_unclear_is_explained(text: str, exit_code: int | None, why: str) -> None:
    assert said(text, exit_code).why == why


def test_nothing_is_deduced_from_what_could_not_be_read() -> None:
    script = parse("T\necho 'open")
    (command,) = commands(script)
    answer = deduce(script, command, 0)
    assert answer.state == "unknown"
    assert "single quote" in answer.why


def test_an_assignment_is_no_program() -> None:
    script = parse("x=1; T")
    assert deduce(script, commands(script)[0], 0).state == "unknown"


def test_a_script_with_too_many_ways_is_unknown() -> None:
    text = "; ".join(f"v{i}=$?; a{i}" for i in range(100)) + "; T; exit $v50"
    assert said(text, 0).state == "unknown"


def marks(text: str, state: State) -> Echo:
    return Echo(text, "", False, state, state)


def code(before: str, after: str = "", *, if_other: State = "failed") -> Echo:
    return Echo(before, after, True, "passed", if_other)


def test_scripts_nested_as_deep_as_they_may_be_are_followed() -> None:
    text = "T"
    for _ in range(4):
        for _ in range(30):
            text = f"( {text} )"
        text = "bash -c " + shlex.quote(text)
        script = parse(text)
        for command in commands(script):
            deduce(script, command, 0)
            shell_writes(text, cwd=None)
    calls = "; ".join(f"f{i}() {{ {'( ' * 35}f{i + 1}{' )' * 35}; }}" for i in range(9))
    script = parse(calls + "; f0 && T")
    assert deduce(script, commands(script)[-1], 1).state == "unknown"


ECHOES = [
    ('T; echo "EXIT: $?"', [code("EXIT: ")]),
    ("T | tail; echo EXIT=$?", []),
    ("T | tail; echo ${PIPESTATUS[0]}", [code("")]),
    ("T | tail; echo pipestatus=${pipestatus[1]} done", [code("pipestatus=", " done")]),
    ("cd x && T; rc=$?; cat l; echo rc=$rc", [code("rc=", if_other="unknown")]),
    ("T; printf 'code %d\\n' $?", [code("code ")]),
    ("T && echo fine || echo broken", [marks("fine", "passed"), marks("broken", "failed")]),
    ("if T; then echo yes; else echo no; fi", [marks("yes", "passed"), marks("no", "failed")]),
    ('cd C:\\x; T 2>&1 | Select-Object -Last 5; "exit=$LASTEXITCODE"', [code("exit=")]),
    ('cd C:\\x; T; echo "exit=$LASTEXITCODE"; Get-Item y', [code("exit=")]),
    ("echo start; T; echo end", []),
    ("T; echo one $? two $?", []),
]


@pytest.mark.parametrize(("text", "expected"), ECHOES)
def test_what_the_line_prints_speaks_of_the_command(text: str, expected: list[Echo]) -> None:
    script, command = parsed(text)
    assert list(echoes(script, command)) == expected


# Against a real bash.  The commands are n1, n2, ...: each says that it ran and ends with the chosen code.

NAMES = [f"n{i}" for i in range(1, 13)]
RUNS = "#"
"""Stands for the next command in the templates."""

SIMPLE = [RUNS] * 30 + [
    "true", "false", ":", "v=$?", "exit", "exit $?", "exit $v", "exit 3", "echo $?", "[ $? -eq 0 ]",
    '[ "$v" -ne 0 ]', "[[ $? != 0 ]]", "(( v ))", "(( v == 0 ))", "set -e", "set +e", "set -o pipefail",
    "set -eo pipefail", "wait", "wait $!", "p=$!", "wait $p", "break", "continue", "return 2", "export w=$?",
    "v=${PIPESTATUS[0]}", "exit ${PIPESTATUS[0]}", "v=3", "cd /nonexistent", "trap 'echo bye' EXIT",
    "! #", "x=1 #", "timeout 5 #", "command #", "exec #", "time #", "env A=1 #", "echo a | xargs -n1 #", "f",
]  # fmt: skip


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, inner)
    three = st.tuples(inner, inner, inner)
    joined = st.tuples(
        inner, st.sampled_from([" && ", " && ", " || ", "; ", "; ", "\n", " & ", " | "]), inner
    )
    return st.one_of(
        joined.map("".join),
        joined.map("".join),
        joined.map("".join),
        inner.map("( {} )".format),
        inner.map("{{ {}; }}".format),
        two.map(lambda t: "if {}; then {}; fi".format(*t)),
        three.map(lambda t: "if {}; then {}; else {}; fi".format(*t)),
        inner.map("for i in 1 2; do {}; done".format),
        inner.map("for i in $v; do {}; done".format),
        inner.map("k=0; while [ $((k++)) -lt 2 ]; do {}; done".format),
        two.map(lambda t: "case $v in 0) {};; *) {};; esac".format(*t)),
        inner.map("f() {{ {}; }}".format),
        inner.map("v=$({})".format),
        inner.map(lambda text: "bash -c '{}'".format(text.replace("'", ""))),
        inner.map(lambda text: "eval '{}'".format(text.replace("'", ""))),
    )


LINES = st.recursive(st.sampled_from(SIMPLE), _nested, max_leaves=9)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the commands n1, n2, ... in it."""
    folder = tmp_path_factory.mktemp("workshop")
    for name in NAMES:
        file = folder / name
        file.write_text(
            f"#!/bin/sh\necho {name} >> {folder}/log\nread c < {folder}/{name}.code\nexit $c\n",
            encoding="utf-8",
        )
        file.chmod(0o755)
    return folder


def run(folder: Path, text: str, codes: dict[str, int]) -> tuple[int, list[str], str]:
    """Status, names of the commands that ran, and complaints of the shell."""
    log = folder / "log"
    log.write_text("", encoding="utf-8")
    for name, code in codes.items():
        (folder / f"{name}.code").write_text(f"{code}\n", encoding="utf-8")
    with subprocess.Popen(
        ["bash", "-c", text],
        env={"PATH": f"{folder}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            # Both streams end only when everything in the background has ended, too.
            _, complaints = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            assume(False)
    status = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return status, log.read_text(encoding="utf-8").split(), complaints.decode()


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
@given(LINES, st.lists(st.sampled_from([0, 0, 0, 1, 2, 7]), min_size=len(NAMES), max_size=len(NAMES)))
def test_nothing_is_said_that_bash_does_not_do(workshop: Path, line: str, numbers: list[int]) -> None:
    assume(0 < line.count(RUNS) <= len(NAMES))
    pieces = line.split(RUNS)
    text = "".join(piece + name for piece, name in zip(pieces, [*NAMES[: len(pieces) - 1], ""], strict=True))
    codes = dict(zip(NAMES, numbers, strict=True))
    status, log, complaints = run(workshop, text, codes)
    assume("syntax error" not in complaints)
    script = parse(text)
    assert script.unparsed is None
    for command in commands(script):
        name = next((word for word in command.simple.argv if word in codes), None)
        if name is None:
            continue
        really = "not_run" if name not in log else "failed" if codes[name] else "passed"
        answer = deduce(script, command, status)
        assert answer.state in ("unknown", really), (text, codes, status, log, name)
        if answer.state == "failed":
            assert answer.code in (None, codes[name]), (text, codes, status, name)
