"""How the JavaScript runners sum up, and TAP, which several of them speak.

Sources: the runners' own output (jest 27 to 30, vitest 0.3x to 4, mocha 8 to 12, node:test of 18 to 24,
ava 4 to 6, bun 1, deno 1 and 2, Playwright 1.3x to 1.5x, Cypress 12 to 14, karma 6, jasmine 4 and 5).
"""

from __future__ import annotations

from honed.verdict.summaries_model import Grammar, count, labels, pairs, said

_SOURCE = r"\S+\.(?:[cm]?[jt]sx?|vue|svelte)\b"

JEST = Grammar(
    "jest",
    (
        pairs("Tests: ", r"Tests:\s+(?:\d+ \w+, ){0,5}\d+ total"),
        pairs("Test Suites: ", r"Test Suites:\s+(?:\d+ \w+, ){0,5}\d+ (?:of \d+ )?total", level=1),
        said("empty", "No tests found", r"No tests found, exiting with code \d"),
        said("empty", "No tests found related to", r"No tests found related to files"),
        said("crash", "Test suite failed to run", r"● Test suite failed to run"),
        said("crash", "coverage threshold for", r"Jest: .*coverage threshold for .* not met"),
        said("bad", "FAIL ", rf"FAIL\s+(?:\S+ )?{_SOURCE}"),
        said(
            "usage", "Unrecognized CLI Parameter|Validation Error", r"● (?:Unrecognized CLI|Validation Error)"
        ),
        labels('"numTotalTests":', r'\{"numFailedTestSuites":\d+'),
        count(
            '"numFailedTests":', r'\{.*?"numFailedTests":(?P<f>\d+).*?"numPassedTests":(?P<p>\d+)', level=1
        ),
    ),
    alone=("Test Suites: 1 failed, 1 passed, 2 total",),
    failing=("Tests:       1 failed, 2 passed, 3 total", "FAIL src/a.test.js", "  ● suite › name"),
    passing=("Tests:       3 passed, 3 total", "PASS src/a.test.js"),
    names=(
        r"(?m)^[ \t]*● (?P<n>[^\n]{1,200} › [^\n]{1,200})$",
        r"(?m)^[ \t]*✕ (?P<n>[^\n]{1,200}?)(?: \(\d+ m?s\))?$",
    ),
)

VITEST = Grammar(
    "vitest",
    (
        pairs("Tests  ", r"Tests\s{2,}(?:\d+ \w+(?: \| )?){1,6}\s*\(\d+\)"),
        pairs("Test Files  ", r"Test Files\s{2,}(?:\d+ \w+(?: \| )?){1,6}\s*\(\d+\)", level=1),
        pairs("Errors  ", r"(?:Type )?Errors\s{2,}\d+ errors?$", level=1),
        said("empty", "Tests  ", r"Tests\s{2,}no tests"),
        said("empty", "Test Files  ", r"Test Files\s{2,}no tests"),
        said("empty", "No test files found", r"No test files found, exiting with code \d"),
        said("empty", "No projects matched", r"(?:Error: )?No projects matched"),
        said("bad", "FAIL  ", rf"FAIL\s+(?:\|[^|]+\|\s)?{_SOURCE}"),
        said("crash", "coverage for ", r"ERROR: Coverage for .* does not meet"),
        said("crash", "Startup Error", r"⎯+ Startup Error"),
    ),
    alone=(" Test Files  1 failed | 1 passed (2)", "     Errors  1 error"),
    failing=(
        "      Tests  1 failed | 2 passed (3)",
        " Test Files  1 failed (1)",
        " FAIL  a.test.ts > suite > name",
    ),
    passing=("      Tests  3 passed (3)", " Test Files  1 passed (1)"),
    names=(rf"(?m)^[ \t]*FAIL[ \t]+(?P<n>(?:\|[^|\n]+\|[ \t])?{_SOURCE}[^\n]{{0,300}}?)[ \t]*$",),
)

MOCHA = Grammar(
    "mocha",
    (
        count(" passing", r"(?:✔ |✓ )?(?P<p>\d+) passing(?: \([\d.]+[ \t]?\w+\))?$"),
        count(" failing", r"(?:✖ |✗ )?(?P<f>\d+) failing$"),
        count(" pending", r"(?P<s>\d+) pending$"),
        said(
            "usage",
            "No test files found",
            r"(?:Error|Warning): (?:No test files found|Cannot find any files matching)",
        ),
        said("bad", " test failed.| tests failed.", r"\d+ tests? failed\.$"),
    ),
    failing=("  1 failing", "  1) suite name:"),
    passing=("  3 passing (12ms)",),
    names=(r"(?m)^ {4,20}\d{1,4}\) (?P<n>[^\n]{1,200}?):?$",),
)

CYPRESS = Grammar(
    "cypress",
    (
        count("Passing: ", r"(?:│[ \t]*)?Passing:[ \t]+(?P<p>\d+)"),
        count("Failing: ", r"(?:│[ \t]*)?Failing:[ \t]+(?P<f>\d+)"),
        count("Pending: ", r"(?:│[ \t]*)?Pending:[ \t]+(?P<s>\d+)"),
        said("bad", " failed (", r"(?:✖[ \t]+)?\d+ of \d+ failed \(\d+%\)", level=3),
        said("good", "All specs passed!", r"(?:✔[ \t]+)?All specs passed!"),
        said("empty", "Can't run because no spec files", r"Can't run because no spec files"),
        said(
            "missing", "Cypress executable not found|Cypress App is missing", r".*(?:No version of|Cypress)"
        ),
    ),
    failing=("    ✖  1 of 2 failed (50%)    00:12", "  │ Failing:      1   │"),
    passing=("    ✔  All specs passed!    00:12",),
)

NODE = Grammar(
    "node:test",
    (
        count(" pass ", r"\S{1,4} pass (?P<p>\d+)(?: -->)?$"),
        count(" fail ", r"\S{1,4} fail (?P<f>\d+)(?: -->)?$"),
        count(" cancelled ", r"\S{1,4} cancelled (?P<e>\d+)(?: -->)?$"),
        count(" skipped ", r"\S{1,4} skipped (?P<s>\d+)(?: -->)?$"),
        count(" todo ", r"\S{1,4} todo (?P<s>\d+)(?: -->)?$"),
        said("bad", "failing tests:", r"✖ failing tests:$", level=3),
        said("usage", "Could not find '", r"Could not find '"),
        said("crash", "code: 'ERR_TEST_FAILURE'", r"code: 'ERR_TEST_FAILURE'"),
    ),
    failing=("# fail 1", "ℹ fail 1", "not ok 1 - name", "✖ name (1.2ms)"),
    passing=("# pass 3", "ℹ pass 3", "ok 1 - name"),
    names=(
        r"(?m)^[ \t]*not ok \d+ - (?P<n>[^\n#]{1,200}?)(?: # time=\S+)?[ \t]*$",
        r"(?m)^[ \t]*✖ (?P<n>(?!failing tests:)[^\n]{1,200}?) \([\d.]+m?s\)$",
    ),
)

TAP = Grammar(
    "tap",
    (
        said("empty", "1..0", r"1\.\.0(?:\s+#.*)?$"),
        count("ok ", r"ok \d+\b.*# (?:skip|SKIP|TODO|todo)\b", level=1, one="skipped"),
        count("not ok ", r"not ok \d+\b.*# (?:TODO|todo|SKIP|skip)\b", level=1, one="skipped"),
        count("not ok ", r"not ok \d+\b", level=1, one="failed"),
        count("ok ", r"ok \d+\b", level=1, one="passed"),
        said("crash", "Bail out!", r"Bail out!"),
        said("crash", "# Looks like your test exited with", r"# Looks like your test exited with"),
        said("bad", "# Looks like you failed", r"# Looks like you failed \d+", level=3),
        said("bad", "# Looks like you planned", r"# Looks like you planned \d+ tests? but ran", level=3),
        count("tests, ", r"(?P<t>\d+) tests?, (?P<f>\d+) failures?(?:, (?P<s>\d+) skipped)?$"),
        labels("# { total:", r"# \{ total: \d+"),
        pairs("Asserts:", r"Asserts:\s+\d+ pass\s+\d+ fail\s+\d+ of \d+ complete"),
        said("usage", "does not exist", r'Error: Test file "[^"]*" does not exist'),
    ),
    failing=("not ok 2 - name", "not ok 1 name"),
    passing=("ok 1 - name", "1..3"),
    names=(r"(?m)^[ \t]*not ok \d+ (?:- )?(?P<n>[^\n#]{1,200}?)[ \t]*$",),
    distinct=False,
    parts=True,
    yields=True,
)

AVA = Grammar(
    "ava",
    (
        count(" passed", r"(?P<p>\d+) tests? passed$"),
        count(" failed", r"(?P<f>\d+) (?:tests?|hooks?) failed$"),
        count(" skipped| todo", r"(?P<s>\d+) tests? (?:skipped|todo)$"),
        count(
            " uncaught exception| unhandled rejection",
            r"(?P<e>\d+) (?:uncaught exceptions?|unhandled rejections?)$",
        ),
        said("empty", "No tests found in", r"✘ No tests found in"),
        said("empty", "find any matching tests", r"✘ Couldn.t find any (?:matching tests|files)"),
        said("usage", "did not match the filters", r"✘ Based on your configuration"),
    ),
    failing=("  1 test failed",),
    passing=("  2 tests passed",),
    names=(r"(?m)^[ \t]*✘ \[fail\]: (?P<n>[^\n]{1,200})$",),
    distinct=False,
)

BUN = Grammar(
    "bun",
    (
        count(" pass", r"(?P<p>\d+) pass$"),
        count(" fail", r"(?P<f>\d+) fail$"),
        count(" skip", r"(?P<s>\d+) skip$"),
        count(" todo", r"(?P<s>\d+) todo$"),
        count(" error", r"(?P<e>\d+) errors?$"),
        said("good", "Ran ", r"Ran \d+ tests? across \d+ files?"),
        said("empty", "Ran 0 tests", r"Ran 0 tests"),
        said("empty", "No tests found!", r"(?:error: )?No tests found!"),
        said(
            "usage",
            "did not match any test files",
            r"(?:error: )?The following filters did not match any test files",
        ),
        said("crash", "# Unhandled error between tests", r"# Unhandled error between tests"),
    ),
    failing=(" 1 fail", "(fail) suite > name [0.2ms]"),
    passing=(" 3 pass",),
    names=(
        r"(?m)^\(fail\) (?P<n>[^\n]{1,200}?)(?: \[[\d.]+m?s\])?$",
        r"(?m)^✗ (?P<n>[^\n]{1,200}?) \[[\d.]+m?s\]$",
    ),
)

DENO = Grammar(
    "deno",
    (
        pairs(" passed", r"(?:ok|FAILED) \| \d+ passed(?: \(\d+ steps?\))? \| \d+ failed.*"),
        said("empty", "No test modules found", r"error: No test modules found"),
    ),
    failing=("FAILED | 2 passed | 1 failed (3ms)",),
    passing=("ok | 3 passed | 0 failed (3ms)",),
    names=(r"(?m)^(?P<n>\S[^\n]{0,200}?) \.\.\. FAILED",),
)

PLAYWRIGHT = Grammar(
    "playwright",
    (
        count(" passed (", r"(?P<p>\d+) passed \([\d.]+\w{1,2}\)$"),
        count(" failed", r"(?P<f>\d+) failed$"),
        count(" flaky", r"(?P<p>\d+) flaky$"),
        count(" skipped", r"(?P<s>\d+) skipped$"),
        count(" did not run", r"(?P<s>\d+) did not run$"),
        count(" interrupted", r"(?P<f>\d+) interrupted$"),
        said("empty", "No tests found", r"Error: No tests found"),
        said("bad", " › ", r"\d+\) .+ › .+ ─{3,}$"),
        said("empty", "Total: ", r"Total: \d+ tests? in \d+ files?$"),
    ),
    failing=("  1 failed", "    a.spec.ts:3:5 › suite › name ─────────────"),
    passing=("  3 passed (1.2s)",),
    names=(
        r"(?m)^[ \t]{2,6}\d+\) (?P<n>[^\n]{1,300}? › [^\n]{1,300}?)[ ─]*$",
        r"(?m)^ {4}(?P<n>\[[\w -]{1,40}\] › [^\n]{1,300}?)[ ─]*$",
    ),
    failures_first=True,
)

KARMA = Grammar(
    "karma",
    (
        count("Executed ", r"(?:.{0,80}: )?Executed (?P<p>\d+) of \d+ (?:\(skipped (?P<s>\d+)\) )?SUCCESS"),
        count("Executed ", r"(?:.{0,80}: )?Executed (?P<t>\d+) of \d+ .{0,30}?\((?P<f>\d+) FAILED\)"),
        count("Executed 0 of 0", r"(?:.{0,80}: )?Executed (?P<p>0) of 0"),
        pairs("specs, |spec, ", r"\d+ specs?, \d+ failures?(?:, \d+ pending specs?)?"),
        said("good", "TOTAL: ", r"TOTAL: \d+ SUCCESS$"),
        said("bad", "TOTAL: ", r"TOTAL: \d+ FAILED"),
    ),
    failing=("Chrome 1: Executed 3 of 3 (1 FAILED) (0.1 secs / 0.0 secs)", "3 specs, 1 failure"),
    passing=("Chrome 1: Executed 3 of 3 SUCCESS (0.1 secs / 0.0 secs)", "3 specs, 0 failures"),
    names=(r"(?m)^(?:[^\n]{0,60}\) )(?P<n>[^\n]{1,200}) FAILED$",),
)

GRAMMARS = (JEST, VITEST, MOCHA, CYPRESS, NODE, BUN, DENO, PLAYWRIGHT, KARMA, AVA, TAP)
