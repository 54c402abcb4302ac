"""Fuzzes what reads what others wrote: the shell reader, the summary parsers, the readers, every hook.

``python -m bench.fuzz KIND [--seconds 600] [--seed 1] [--engine atheris]`` runs for that much CPU
time and prints how many inputs it tried, the slowest, and the first input that made anything raise.  Inputs
are made by gluing and damaging pieces of real forms, so that they get past the first token.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable

from bench import fuzz_trust
from bench.hooks_fuzz import one_hook
from bench.machine import heading
from honed.demo.stories import STORIES
from honed.errors import HonedError
from honed.sessions.reading import read_bytes
from honed.verdict import changes, shell, status
from honed.verdict.interpret import interpret
from honed.verdict.tasks import split

SHELL = [
    *(
        "pytest -q",
        "npm test",
        "go test ./...",
        "cargo test",
        "cd x",
        "FOO=1",
        "env A=b",
        "timeout 5",
        "sudo",
    ),
    *("bash -lc '", '"', "'", "$(", ")", "`", "{", "}", "(", ")", "&&", "||", "|", ";", "&", "!", ">", ">>"),
    *("2>&1", "<<EOF\n", "EOF\n", "<<<", "if ", "then ", "fi", "for x in a b; do ", "done", "while "),
    *(
        "case x in a) ",
        ";;",
        "esac",
        "\n",
        "| tail -3",
        "| head",
        "| grep -v ok",
        "| tee f",
        "echo $?",
        "exit 1",
    ),
    *(
        "set -o pipefail",
        "true",
        "false",
        "\\",
        "#",
        "\t",
        "\u00e9",
        "\U0001f600",
        "$x",
        "${x:-y}",
        "[[ a ]]",
    ),
    *("${PIPESTATUS[0]}", "git commit -m", "sed -i s/a/b/ f", "xargs", "function f() ", "f() {"),
    *("docker exec c sh -c", "powershell -Command", "cmd /c", "%PATH%", "$null"),
]
OUTPUT = [
    *("12 passed in 0.80s", "1 failed, 2 passed", "no tests ran", "Ran 3 tests", "OK", "FAILED (failures=1)"),
    *("ok  \tpkg\t0.1s", "--- FAIL: T", "FAIL", "PASS", "Tests: 1 failed, 3 passed, 4 total", "# pass 3"),
    "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
    *("Test Files  2 passed (2)", "     Tests  5 passed (5)", "# fail 0", "\u2139 pass 3", "13 passing (3s)"),
    *(
        "1 failing",
        "3 pass",
        "0 fail",
        "Ran 3 tests across 1 files.",
        "BUILD SUCCESSFUL",
        "100% tests passed",
    ),
    *("Tests run: 3, Failures: 0, Errors: 0", "error: could not compile", "collected 0 items", "ELIFECYCLE"),
    *("5 skipped in 0.01s", "npm ERR!", "make: *** [test] Error 1", "1..3", "ok 1 - a", "not ok 2 - b"),
    *(
        "\x1b[32m",
        "\x1b[0m",
        "\r",
        "\r\n",
        "INTERNALERROR>",
        "panic: x",
        "command not found",
        "=====",
        "0",
        "-1",
    ),
    *("No module named pytest", "...F..s", "9" * 30),
]


def glued(pieces: list[str], source: random.Random, joins: str) -> str:
    """A text of up to 30 pieces, damaged in up to three places."""
    text = "".join(source.choice(pieces) + source.choice(joins) for _ in range(source.randint(0, 30)))
    for _ in range(source.randint(0, 3)):
        if text:
            at = source.randrange(len(text))
            text = (
                text[:at]
                + source.choice(("", "\x00", "\ufffd", "(", "'", '"', text[at : at + 9] * 3))
                + text[at + 1 :]
            )
    return text


def one_shell(source: random.Random) -> tuple[object, Callable[[], object]]:
    """A command line, and what reads it."""
    text, code = glued(SHELL, source, "  \n;"), source.choice((None, 0, 1, 2, 127))

    def look() -> None:
        script = shell.parse(text)
        for command in shell.commands(script)[:40]:
            status.deduce(script, command, code)
        changes.shell_writes(text, cwd="/w")

    return (text, code), look


def one_summary(source: random.Random) -> tuple[object, Callable[[], object]]:
    """A command and an output, and what judges them."""
    command = glued(SHELL[:4] + SHELL[26:40], source, "  ")
    output, code = glued(OUTPUT, source, "\n\n "), source.choice((None, 0, 1))
    return (command, code, output), lambda: interpret(command, code, output)


def one_transcript(source: random.Random) -> tuple[object, Callable[[], object]]:
    """A damaged transcript, and what reads and judges it."""
    lines = source.choice(STORIES)[1]("/w/shop").text().splitlines()
    for _ in range(source.randint(1, 6)):
        at = source.randrange(len(lines))
        lines[at] = _damaged(lines[at], source)
    data = "\n".join(lines).encode("utf-8", "replace")
    return data, lambda: list(split(read_bytes(data)))


def _damaged(line: str, source: random.Random) -> str:
    how = source.randrange(5)
    if how == 0:
        return line[: source.randrange(len(line) + 1)]
    if how == 1:
        return ""
    try:
        value = json.loads(line)
    except ValueError:
        return line
    spot = value
    while isinstance(spot, dict) and spot:
        key = source.choice(list(spot))
        if not isinstance(spot[key], dict) or source.random() < 0.3:
            spot[key] = source.choice(
                (None, 7, "x", [], {}, [{"type": 3}], True, {"content": [None]}, "\ud800")
            )
            break
        spot = spot[key]
    return json.dumps(value)


KINDS = {
    "shell": one_shell,
    "summaries": one_summary,
    "transcripts": one_transcript,
    "hooks": one_hook,
    **fuzz_trust.KINDS,
}


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz")
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=("chance", "atheris"), default="chance")
    options = parser.parse_args()
    if options.engine == "atheris":
        argv = [sys.executable, "-m", "bench.fuzz_atheris", options.kind, str(options.seconds)]
        sys.exit(subprocess.run(argv, check=False).returncode)  # in a process that has loaded nothing yet
    source, tried, slowest, worst = random.Random(options.seed), 0, 0.0, ""
    started = time.process_time()
    while time.process_time() - started < options.seconds:
        given, look = KINDS[options.kind](source)
        before = time.process_time()
        try:
            look()
        except HonedError:
            pass
        except Exception as error:
            sys.exit(f"seed {options.seed}, input {tried}: {error!r}\n{given!r}")
        took = time.process_time() - before
        if took > slowest:
            slowest, worst = took, repr(given)[:300]
        tried += 1
    print(
        heading(f"Fuzz of {options.kind}: {tried} inputs in {options.seconds:.0f} CPU s, seed {options.seed}")
    )
    print(f"  nothing raised; slowest {slowest * 1e3:.0f} ms: {worst}")


if __name__ == "__main__":
    main()
