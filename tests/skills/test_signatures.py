"""The same error met again is the same line; what passes by itself is marked as such."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.skills.signatures import TEXT_LIMIT, Signature, is_transient, signature

TRACEBACK = 'Traceback (most recent call last):\n  File "/home/u/a.py", line 3, in <module>\n    run()\n'
CASES = [
    (TRACEBACK + "ValueError: bad row 17\n", "ValueError: bad row <n>", "ValueError"),
    (
        TRACEBACK + "shop.errors.OutOfStock: no more of 12\n",
        "shop.errors.OutOfStock: no more of <n>",
        "OutOfStock",
    ),
    (
        TRACEBACK
        + "KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\n"
        + TRACEBACK
        + "RuntimeError: no config\n",
        "RuntimeError: no config",
        "RuntimeError",
    ),
    (
        TRACEBACK + "ModuleNotFoundError: No module named 'numpy'",
        "ModuleNotFoundError: No module named 'numpy'",
        "missing module",
    ),
    ("/usr/bin/python3: No module named pytest", "No module named pytest", "missing module"),
    (
        "Error: Cannot find module './dist/cli.js'\nRequire stack:",
        "Cannot find module './dist/cli.js'",
        "missing module",
    ),
    ("bash: line 1: pytest: command not found", "command not found: pytest", "command not found"),
    ("zsh: command not found: uv", "command not found: uv", "command not found"),
    ("sh: 1: jest: not found", "command not found: jest", "command not found"),
    (
        "'rg' is not recognized as an internal or external command",
        "command not found: rg",
        "command not found",
    ),
    ("error[E0308]: mismatched types\n --> src/a.rs:3:5", "error[E0308]: mismatched types", "E0308"),
    (
        "src/a.ts(12,5): error TS2345: Argument of type 'A' is wrong.",
        "TS2345: Argument of type 'A' is wrong",
        "TS2345",
    ),
    (
        'src/x.py:12: error: Name "y" is not defined  [name-defined]',
        'Name "y" is not defined [name-defined]',
        "name-defined",
    ),
    ("a/b.py:1:1: F401 [*] `os` imported but unused", "F401 [*] `os` imported but unused", "F401"),
    (
        "/p/a.js\n  12:5  error  'x' is never used  no-unused-vars\n",
        "'x' is never used no-unused-vars",
        "no-unused-vars",
    ),
    ("./a.go:12:5: undefined: foo", "undefined: foo", "compile"),
    (
        "a.go:1:2: Error return value is not checked (errcheck)",
        "Error return value is not checked (errcheck)",
        "errcheck",
    ),
    (
        "--- FAIL: TestA (0.00s)\n    a_test.go:12: want 3, got 4\nFAIL",
        "TestA (<time>) a_test.go:12: want <n>, got <n>",
        "test",
    ),
    (
        "panic: runtime error: index out of range [3] with length 2",
        "panic: runtime error: index out of range [<n>] with length <n>",
        "panic",
    ),
    ("E       AssertionError: assert 3 == 4\n", "AssertionError: assert <n> == <n>", "AssertionError"),
    ("E       assert total == 4\n", "assert total == <n>", "AssertionError"),
    (
        "TypeError: x is not a function\n    at Object.<anonymous> (/a/b.js:1:2)",
        "TypeError: x is not a function",
        "TypeError",
    ),
    (
        "Error: ENOENT: no such file or directory, open '/home/u/x/package.json'",
        "ENOENT: no such file or directory, open 'package.json'",
        "ENOENT",
    ),
    ('npm ERR! Missing script: "tst"', 'Missing script: "tst"', "missing script"),
    ("make: *** No rule to make target 'foo'.  Stop.", "No rule to make target 'foo'", "missing script"),
    ("make: *** [Makefile:12: test] Error 2", "make: *** [Makefile:<n>: test] Error 2", "make"),
    ("pytest: error: unrecognized arguments: --foo", "unrecognized arguments: --foo", "unknown option"),
    (
        "go: go.mod file not found in current directory",
        "go.mod file not found in current directory",
        "wrong folder",
    ),
    (
        "ERROR: file or directory not found: tests/x.py",
        "ERROR: file or directory not found: tests/x.py",
        "wrong folder",
    ),
    ("thread 'a' panicked at src/a.rs:3:5:\nassertion failed: ok\n", "assertion failed: ok", "panic"),
    ("● cart › rounds\n\n    expect(received).toBe(expected)", "cart › rounds", "test"),
    (
        "listen EPERM: operation not permitted 0.0.0.0:3000",
        "listen EPERM: operation not permitted <ip>:<n>",
        "EPERM",
    ),
    ("fatal: not a git repository", "not a git repository", "git"),
    ("undefined reference to `foo'", "undefined reference to `foo'", "link"),
]


@pytest.mark.parametrize(("output", "text", "kind"), CASES)
def test_the_decisive_line_is_found_and_steadied(output: str, text: str, kind: str) -> None:
    found = signature(output, 1)
    assert found == Signature(text, kind, False)
    assert found is not None
    assert not found.transient


@pytest.mark.parametrize(
    "output",
    [
        "curl: (6) Could not resolve host: example.org",
        "Error: connect ECONNRESET 10.1.2.3:443",
        "requests.exceptions.ConnectionError: Temporary failure in name resolution",
        "HTTP 429 Too Many Requests",
        "request failed with status code 503",
        "OSError: [Errno 28] No space left on device",
        "sqlite3.OperationalError: database is locked",
        "subprocess.TimeoutExpired: Command 'x' timed out after 5 seconds",
        "fatal: Unable to create '/w/.git/index.lock': File exists.",
        "This command requires approval",
        "Killed",
        "dial tcp 10.0.0.1:443: connect: connection refused",
    ],
)
def test_what_passes_by_itself_is_transient(output: str) -> None:
    found = signature(output, 1)
    assert found is not None
    assert found.transient


@pytest.mark.parametrize(
    "line",
    [
        "connect ECONNREFUSED 127.0.0.1:5432",
        "could not connect to server: connection refused (localhost:5432)",
        "ModuleNotFoundError: No module named 'x'",
        "listen EPERM: operation not permitted",
    ],
)
def test_a_service_of_this_machine_that_does_not_run_is_worth_knowing(line: str) -> None:
    assert not is_transient(line)


def test_a_command_that_succeeded_has_no_signature() -> None:
    assert signature("ValueError: printed by a passing program", 0) is None
    assert signature("all fine", 1) is None
    assert signature("", None) is None


def test_the_same_error_elsewhere_has_the_same_signature() -> None:
    one = signature("/home/ann/shop/src/cart.ts(10,2): error TS2304: Cannot find name 'total'.", 2)
    two = signature("src/other.ts(311,40): error TS2304: Cannot find name 'total'.", None)
    assert one == two


@given(st.text(), st.none() | st.integers(-1, 255))
def test_any_output_is_taken_and_the_text_stays_short(output: str, code: int | None) -> None:
    found = signature("Error: " + output, code)
    assert found is None or len(found.text) <= TEXT_LIMIT
