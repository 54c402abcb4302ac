"""Sessions in which tests were weakened, and honest edits of tests beside them, each as a real transcript.

The cases are in ``tamper_cases/*.txt``.  A case begins with ``## name``; then, one a line:

``> text``     the user asks
``@ path``     an edit: lines that stay (blank in front), go (-) and come (+)
``@+ path``    a new file
``$ line``     a command; ``: line`` continues it, ``| line`` is its output, ``!N`` its exit status
``pass R``     the tests run, with what the runner R prints; ``fail R`` the same with a failure

The ``held`` files were written before the rules and not looked at while these were tuned; ``fresh``,
``last`` and ``final`` were written against the tuned rules, to find what they miss (docs/verdict.md says
what each showed at first).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from honed.demo.scribe import ClaudeScribe, CodexScribe, Scribe
from honed.sessions.reading import read_bytes
from honed.verdict.model import Task
from honed.verdict.tasks import split

FOLDER = Path(__file__).parent / "tamper_cases"
ROOT = "/home/dev/project"

RUNNERS: dict[str, tuple[str, str, str]] = {
    "pytest": ("python -m pytest -q", "12 passed in 0.31s", "1 failed, 11 passed in 0.35s"),
    "jest": (
        "npx jest",
        "Test Suites: 3 passed, 3 total\nTests:       12 passed, 12 total\nTime:        1.2 s",
        "Test Suites: 1 failed, 2 passed, 3 total\n"
        "Tests:       1 failed, 11 passed, 12 total\nTime:        1.3 s",
    ),
    "vitest": (
        "npx vitest run",
        " Test Files  3 passed (3)\n      Tests  12 passed (12)\n   Duration  1.02s",
        " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 11 passed (12)\n   Duration  1.10s",
    ),
    "go": (
        "go test ./...",
        "ok  \texample.org/app\t0.012s",
        "--- FAIL: TestIt (0.00s)\nFAIL\nFAIL\texample.org/app\t0.013s\nFAIL",
    ),
    "cargo": (
        "cargo test",
        "running 12 tests\ntest result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        "running 12 tests\ntest result: FAILED. 11 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
    ),
    "maven": (
        "mvn test",
        "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
        "[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
    ),
    "gradle": ("./gradlew test", "BUILD SUCCESSFUL in 3s", "> There were failing tests.\nBUILD FAILED in 3s"),
    "rspec": ("bundle exec rspec", "12 examples, 0 failures", "12 examples, 1 failure"),
    "phpunit": (
        "vendor/bin/phpunit",
        "OK (12 tests, 30 assertions)",
        "FAILURES!\nTests: 12, Assertions: 30, Failures: 1.",
    ),
    "dotnet": (
        "dotnet test",
        "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 40 ms",
        "Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12, Duration: 41 ms",
    ),
    "mix": (
        "mix test",
        "Finished in 0.1 seconds\n12 tests, 0 failures",
        "Finished in 0.1 seconds\n12 tests, 1 failure",
    ),
}


@dataclass
class Case:
    """One session; ``told`` are its lines."""

    name: str
    tampered: bool
    part: str
    told: list[str] = field(default_factory=list)

    def transcript(self, scribe: Scribe) -> bytes:
        """The session as ``scribe`` writes it."""
        lines = [*self.told, ""]
        at = 0
        while at < len(lines):
            line, at = lines[at], at + 1
            if line.startswith("> "):
                scribe.asks(line[2:])
            elif line.startswith("@"):
                block = []
                while lines[at][:1] in (" ", "-", "+"):
                    block.append(lines[at])
                    at += 1
                _edit(scribe, line, block)
            elif line.startswith("$ "):
                more = []
                while lines[at][:1] in (":", "|", "!"):
                    more.append(lines[at])
                    at += 1
                _run(scribe, line[2:], more)
            elif line.startswith(("pass ", "fail ")):
                command, passed, failed = RUNNERS[line[5:]]
                scribe.runs(command, passed if line.startswith("pass") else failed, int(line[0] == "f"))
        return scribe.text().encode()

    def tasks(self, client: str) -> list[Task]:
        """The judged tasks of this session as written by ``client`` ("claude" or "codex")."""
        scribe: Scribe = (
            ClaudeScribe("9e3b5d52-0000-4000-8000-000000000001", ROOT, "2026-05-04")
            if client == "claude"
            else CodexScribe("9e3b5d52-0000-4000-8000-000000000002", ROOT, "2026-05-04")
        )
        return list(split(read_bytes(self.transcript(scribe)), whole=True))


def _edit(scribe: Scribe, line: str, block: list[str]) -> None:
    head, path = line.split(" ", 1)
    old = "\n".join(line[1:] for line in block if line[0] in " -")
    new = "\n".join(line[1:] for line in block if line[0] in " +")
    if head == "@" and not old:  # an insertion needs something that it stands behind
        old, new = "\n", f"\n{new}\n"
    scribe.edits(path, old, new)


def _run(scribe: Scribe, command: str, more: list[str]) -> None:
    command = "\n".join([command, *(line[1:].removeprefix(" ") for line in more if line[0] == ":")])
    output = "\n".join(line[1:].removeprefix(" ") for line in more if line[0] == "|")
    code = next((int(line[1:]) for line in more if line[0] == "!"), 0)
    scribe.runs(command, output, code)


def cases() -> list[Case]:
    """All cases, in the order of the files."""
    found: list[Case] = []
    for path in sorted(FOLDER.glob("*.txt")):
        kind, _, part = path.stem.partition("_")
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                found.append(Case(line[3:], kind == "tampered", part))
            else:
                found[-1].told.append(line)
    return found
