"""How the runners of Go, Rust, Zig, Swift and the C family sum up.

Sources: the tools' own output (go 1.19 to 1.24, gotestsum 1.12, ginkgo 2, cargo 1.60 to 1.95,
cargo-nextest 0.9, CMake 3, GoogleTest 1.12, Catch2 2 and 3, meson 1, bazel 7, Xcode 15, swift 6).
"""

from __future__ import annotations

from honed.verdict.summaries_model import Grammar, count, labels, pairs, said

GO = Grammar(
    "go",
    (
        said("empty", "[no tests to run]", r"ok\s+\S+\s.*\[no tests to run\]"),
        count("ok  ", r"ok\s+\S+\s+(?:\(cached\)|[\d.]+s)(?:\s|$)", level=1, one="passed"),
        said("empty", "[no test files]", r"\?\s+\S+\s+\[no test files\]"),
        said("empty", "no tests to run", r"testing: warning: no tests to run"),
        said(
            "crash", "[build failed]|[setup failed]", r"FAIL\s+\S+(?: \[\S+\])?\s+\[(?:build|setup) failed\]"
        ),
        count("FAIL", r"FAIL\s+\S+\s+(?:\(cached\)|[\d.]+s)", level=1, one="failed"),
        said("bad", "FAIL", r"FAIL$"),
        count("--- PASS: ", r"--- PASS: ", one="passed"),
        count("--- SKIP: ", r"--- SKIP: ", one="skipped"),
        count("--- FAIL: ", r"--- FAIL: ", one="failed"),
        said("crash", "panic: ", r"panic: "),
        said(
            "crash", "fatal error: ", r"fatal error: (?:all goroutines|concurrent map|stack overflow|runtime)"
        ),
        said("missing", "go.mod file not found|cannot find main module", r"go: "),
        said(
            "missing",
            "toolchain not available|requires cgo",
            r"go: .*(?:toolchain not available"
            r"|requires cgo)",
        ),
        said("empty", "no packages to test|matched no packages", r"(?:go: warning: |no packages to test)"),
        said("usage", "directory not found|no Go files in", r"(?:stat |package \S+|no Go files in)"),
        said("usage", "flag provided but not defined", r"flag provided but not defined: "),
    ),
    failing=("FAIL\texample.com/a/b\t0.012s", "--- FAIL: TestA (0.00s)", "FAIL"),
    always="FAIL\texample.com/a/b\t0.012s",
    passing=("ok  \texample.com/a/b\t0.012s", "?   \texample.com/a/c\t[no test files]"),
    names=(
        r"(?m)^(?:\[[^\]\n]{1,40}\] )?[ \t]*--- FAIL: (?P<n>\S+)",
        r"(?m)^(?:\[[^\]\n]{1,40}\] )?FAIL[ \t]+(?P<n>\S+)(?: \[\S+\])?[ \t]+\[(?:build|setup) failed\]",
    ),
    parts=True,
    fails_last=True,
)

GO_JSON = Grammar(
    "go json",
    (
        count('"Action":"pass"', r'\{(?=.*"Test":").*"Action":"pass"', one="passed"),
        count('"Action":"pass"', r'\{.*"Action":"pass"', level=1, one="passed"),
        count('"Action":"fail"', r'\{(?=.*"Test":").*"Action":"fail"', one="failed"),
        count('"Action":"fail"', r'\{.*"Action":"fail"', level=1, one="failed"),
        count('"Action":"skip"', r'\{(?=.*"Test":").*"Action":"skip"', one="skipped"),
    ),
    failing=('{"Action":"fail","Package":"m/a","Test":"TestX","Elapsed":0}',),
    passing=('{"Action":"pass","Package":"m/a","Test":"TestX","Elapsed":0}',),
    names=(r'(?m)^\{[^\n]{0,300}"Action":"fail"[^\n]{0,300}"Test":"(?P<n>[^"\n]+)"',),
    parts=True,
)

GOTESTSUM = Grammar(
    "gotestsum",
    (
        pairs("DONE ", r"DONE (?:\d+ runs?, )?\d+ tests?(?:, \d+ \w+){0,4} in [\d.]+s", level=3),
        count("✓  ", r"✓[ \t]+\S+ \((?:cached|[\d.]+\w+)", level=1, one="passed"),
        count("✖  ", r"✖[ \t]+\S+(?: \(|$)", level=1, one="failed"),
        said("empty", "∅  ", r"∅[ \t]+\S+"),
        count("=== FAIL: ", r"=== FAIL: \S+ ", one="failed"),
        said("crash", "=== Errors", r"=== Errors"),
    ),
    failing=("DONE 3 tests, 1 failure in 0.2s",),
    passing=("DONE 3 tests in 0.2s",),
    names=(r"(?m)^=== FAIL: \S+ (?P<n>\S+)",),
)

GINKGO = Grammar(
    "ginkgo",
    (
        pairs(
            "SUCCESS! -- |FAIL! -- ",
            r"(?:SUCCESS|FAIL)! -- \d+ Passed \| \d+ Failed(?: \| \d+ \w+){0,3}",
        ),
        said("empty", "Ran 0 of ", r"Ran 0 of \d+ Specs"),
        said(
            "bad",
            "Test Suite Failed|There were failures",
            r"(?:Test Suite Failed|There were failures)",
            level=3,
        ),
        said("good", "Test Suite Passed", r"Test Suite Passed"),
    ),
    failing=("FAIL! -- 2 Passed | 1 Failed | 0 Pending | 0 Skipped", "Test Suite Failed"),
    passing=("SUCCESS! -- 3 Passed | 0 Failed | 0 Pending | 0 Skipped",),
    names=(r"(?m)^[ \t]*\[(?:Fail|FAIL|Panic!|PANICKED!)\] (?P<n>[^\n]{1,200})$",),
    parts=True,
)

CARGO = Grammar(
    "cargo",
    (
        pairs("test result: ", r"test result: (?:ok|FAILED)\. \d+ passed; \d+ failed; \d+ ignored"),
        said(
            "bad",
            "test failed, to rerun|target failed|targets failed",
            r"error: (?:test failed, to rerun|\d+ targets? failed)",
            level=3,
        ),
        said("bad", "... FAILED", r"test .{1,200} \.\.\. FAILED"),
        said("crash", "could not compile", r"error: could not compile"),
        said("crash", "error[E", r"error\[E\d+\]"),
        said("crash", "(signal: ", r".*process didn't exit successfully: .*\(signal: "),
        said("missing", "could not find `Cargo.toml`", r"error: could not find `Cargo\.toml`"),
        said(
            "missing",
            "no such command: `|no such subcommand",
            r"error: no such (?:command: `(?P<w>\S+)`|subcommand)",
        ),
        said(
            "missing", "is not installed|could not choose a version of cargo", r"error: (?:toolchain|rustup)"
        ),
        said("usage", "error: no ", r"error: no (?:test|bin|example|bench|library) targets?"),
        said("usage", "did not match any packages", r"error: package(?: ID)? specification"),
        said(
            "usage",
            "error: unexpected argument|error: Unrecognized option",
            r"error: (?:unexpected|Unrecognized)",
        ),
    ),
    failing=(
        "test result: FAILED. 2 passed; 1 failed; 0 ignored;",
        "error: test failed, to rerun pass `--lib`",
    ),
    passing=("test result: ok. 3 passed; 0 failed; 0 ignored;",),
    names=(
        r"(?m)^test (?P<n>\S[^\n]{0,200}?) \.\.\. FAILED",
        r"(?m)^error: could not compile (?P<n>`[^`\n]+`)",
    ),
    parts=True,
    fails_last=True,
)

NEXTEST = Grammar(
    "nextest",
    (
        pairs("Summary [", r"Summary \[\s*[\d.]+s\]\s+\d+(?:/\d+)? tests? run: .*"),
        said("empty", "no tests to run", r"error: no tests to run"),
        said("bad", "test run failed", r"error: test run failed", level=3),
        said("bad", "FAIL [|TIMEOUT [|ABORT [|SIGSEGV [", r"(?:TRY \d+ )?(?:FAIL|TIMEOUT|ABORT|SIG\w+) \["),
        *(line for line in CARGO.lines if line.kind in ("crash", "missing", "usage")),
    ),
    failing=("     Summary [   0.005s] 3 tests run: 2 passed, 1 failed, 0 skipped", "error: test run failed"),
    passing=("     Summary [   0.005s] 3 tests run: 3 passed, 0 skipped",),
    names=(
        r"(?m)^[ \t]+(?:FAIL|TIMEOUT|ABORT|SIG\w+) \[[^\]\n]*\][ \t]+(?:\([ \t]*\d+/\d+\) )?"
        r"(?P<n>[^\n]{1,200})$",
    ),
)

CTEST = Grammar(
    "ctest",
    (
        count("tests passed", r"\d+% tests passed, (?P<f>\d+) tests? failed out of (?P<t>\d+)"),
        count("tests passed out of", r"\d+% tests passed out of (?P<t>\d+)"),
        said("empty", "No tests were found!!!", r"No tests were found!!!"),
        said("bad", "The following tests FAILED:", r"The following tests FAILED:", level=3),
        said("bad", "Errors while running CTest", r"Errors while running CTest", level=3),
        said("usage", "Failed to change working directory", r"Failed to change working directory"),
        said("empty", "No test configuration file found!", r"\*+No test configuration file found!"),
    ),
    failing=("50% tests passed, 1 tests failed out of 2", "Errors while running CTest"),
    passing=("100% tests passed, 0 tests failed out of 2",),
    names=(r"(?m)^[ \t]*\d+ - (?P<n>\S[^\n]{0,200}?) \((?:Failed|Timeout|SEGFAULT|Not Run|[A-Z][\w ]*)\)",),
)

GTEST = Grammar(
    "gtest",
    (
        count("[  PASSED  ] ", r"\[  PASSED  \] (?P<p>\d+) tests?"),
        count("[  FAILED  ] ", r"\[  FAILED  \] (?P<f>\d+) tests?"),
        count("[  SKIPPED ] ", r"\[  SKIPPED \] (?P<s>\d+) tests?"),
        said("bad", "[  FAILED  ] ", r"\[  FAILED  \] \S"),
    ),
    failing=("[  FAILED  ] 1 test, listed below:",),
    passing=("[  PASSED  ] 2 tests.",),
    names=(r"(?m)^\[  FAILED  \] (?P<n>[^\s(,]+\.[^\s(,]+)",),
)

CATCH = Grammar(
    "catch2",
    (
        count(
            "All tests passed (",
            r"All tests passed \(\d+ assertions? in (?P<p>\d+) test cases?\)",
            whole=True,
        ),
        pairs("test cases:", r"(?:\[doctest\] )?test cases:[ \t]+\d+ \|.*"),
        said("empty", "No tests ran", r"No tests ran"),
        said("empty", "No test cases matched", r"No test cases matched"),
        said("good", "No errors detected", r"\*\*\* No errors detected"),
        count(
            " detected in the test module",
            r"\*\*\* (?P<f>\d+) failures? (?:is|are) detected in the test module",
        ),
        labels(
            "Tested: ", r"\[====\] Synthesis: Tested: \d+ \| Passing: \d+ \| Failing: \d+ \| Crashing: \d+"
        ),
        count("%: Checks: ", r"\d+%: Checks: (?P<t>\d+), Failures: (?P<f>\d+), Errors: (?P<e>\d+)"),
        count("test(s)", r"\[  PASSED  \] (?P<p>\d+) test\(s\)"),
        count("test(s)", r"\[  FAILED  \] (?P<f>\d+) test\(s\)"),
        count("tests ", r"tests[ \t]+\d+[ \t]+(?P<t>\d+)[ \t]+\d+[ \t]+(?P<f>\d+)[ \t]+\d+$"),
    ),
    failing=("test cases: 3 | 2 passed | 1 failed",),
    passing=("All tests passed (5 assertions in 3 test cases)", "test cases: 3 | 3 passed"),
)

AUTOMAKE = Grammar(
    "automake",
    (
        count("# PASS: ", r"# PASS:\s+(?P<p>\d+)$"),
        count("# FAIL: |# XPASS: ", r"# (?:FAIL|XPASS):\s+(?P<f>\d+)$"),
        count("# ERROR: ", r"# ERROR:\s+(?P<e>\d+)$"),
        count("# SKIP: |# XFAIL: ", r"# (?:SKIP|XFAIL):\s+(?P<s>\d+)$"),
    ),
    failing=("# FAIL:  1",),
    passing=("# PASS:  3",),
    names=(r"(?m)^(?:FAIL|ERROR|XPASS): (?P<n>\S[^\n]{0,150})$",),
    parts=True,
)

MESON = Grammar(
    "meson",
    (
        count("Ok:  ", r"Ok:[ \t]+(?P<p>\d+)$"),
        count("Fail:  ", r"(?<!Expected )Fail:[ \t]+(?P<f>\d+)$"),
        count("Timeout:  ", r"Timeout:[ \t]+(?P<e>\d+)$"),
        count("Unexpected Pass:  ", r"Unexpected Pass:[ \t]+(?P<f>\d+)$"),
        count("Skipped:  ", r"Skipped:[ \t]+(?P<s>\d+)$"),
        said("empty", "No tests defined.|No suitable tests defined", r"No (?:suitable )?tests defined"),
    ),
    failing=("Fail:               1   ",),
    passing=("Ok:                 2   ",),
    names=(r"(?m)^[ \t]*\d+/\d+ (?P<n>\S[^\n]{0,100}?)[ \t]+(?:FAIL|TIMEOUT|ERROR)[ \t]",),
)

BAZEL = Grammar(
    "bazel",
    (
        count("out of ", r"Executed \d+ out of \d+ tests?: (?P<p>\d+) tests? pass(?:es)?\.?$"),
        pairs("out of ", r"Executed \d+ out of \d+ tests?: .*"),
        count("PASSED in ", r"(?:@?//\S+)[ \t]+(?:\(cached\) )?PASSED in ", level=1, one="passed"),
        count(
            "FAILED",
            r"(?:@?//\S+)[ \t]+(?:\(cached\) )?(?:FAILED|TIMEOUT|NO STATUS|FAILED TO BUILD)",
            level=1,
            one="failed",
        ),
        said("empty", "No test targets were found", r"(?:ERROR: |INFO: )?No test targets were found"),
        said("crash", "Build did NOT complete successfully", r"(?:ERROR|FAILED): Build did NOT"),
        said("bad", "Tests failed.|tests failed", r"(?:INFO: )?Build completed, \d+ tests? FAILED", level=3),
    ),
    failing=("//a:b_test   FAILED in 0.3s", "Executed 1 out of 1 test: 1 fails locally."),
    passing=("Executed 1 out of 1 test: 1 test passes.",),
    names=(r"(?m)^(?P<n>@?//\S+)[ \t]+(?:\(cached\) )?(?:FAILED|TIMEOUT|NO STATUS)",),
)

SWIFT = Grammar(
    "swift",
    (
        count(
            "Executed ",
            r"Executed (?P<t>\d+) tests?, with (?:(?P<s>\d+) tests? skipped and )?(?P<f>\d+) failures?",
        ),
        count("Test run with ", r"\W{0,3}[ \t]*Test run with (?P<p>\d+) tests?.* passed after"),
        count(
            "Test run with ", r"\W{0,3}[ \t]*Test run with \d+ tests?.* failed after .* with (?P<f>\d+) issue"
        ),
        said(
            "bad", "** TEST FAILED **|Testing failed:", r"(?:\*\* TEST FAILED \*\*|Testing failed:)", level=3
        ),
        said("good", "** TEST SUCCEEDED **", r"\*\* TEST SUCCEEDED \*\*"),
        said("crash", "** BUILD FAILED **|TEST BUILD FAILED", r"\*\* (?:TEST )?BUILD FAILED \*\*"),
        said("crash", "error: fatalError|error: emit-module command failed", r"error: "),
        said("missing", "Could not find Package.swift", r"error: Could not find Package\.swift"),
    ),
    failing=("Executed 3 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds", "** TEST FAILED **"),
    passing=("Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds",),
    names=(
        r"(?m)error: -\[(?P<n>[^\]\n]+)\] :",
        r"(?m)^Test Case '(?P<n>[^'\n]+)' failed",
        r"(?m)^\W{0,3}[ \t]*Test (?P<n>\S[^\n]{0,150}?) failed after",
    ),
)

ZIG = Grammar(
    "zig",
    (
        count(
            "tests passed",
            r"Build Summary: (?:[^;]{1,60}; ){1,4}?(?P<p>\d+)/(?P<t>\d+) tests passed"
            r"(?:; (?P<s>\d+) skipped)?(?:; (?P<f>\d+) failed)?",
        ),
        count("All ", r"All (?P<p>\d+) tests? passed\.$"),
        pairs(" passed; ", r"\d+ passed; \d+ skipped(?:; \d+ failed)?\.?$"),
        said(
            "bad", "the following test command failed", r"error: the following test command failed", level=3
        ),
    ),
    failing=("1 passed; 0 skipped; 1 failed.", "error: the following test command failed with exit code 1:"),
    passing=("All 3 tests passed.",),
)

GRAMMARS = (
    GOTESTSUM,
    GINKGO,
    GO,
    GO_JSON,
    NEXTEST,
    CARGO,
    CTEST,
    GTEST,
    CATCH,
    AUTOMAKE,
    MESON,
    BAZEL,
    SWIFT,
    ZIG,
)
