"""How the Python runners sum up.

Sources: the runners' own terminal output (pytest 7 to 9, unittest of 3.8 to 3.13, Django 3 to 5,
behave 1.2 and 1.3, Robot Framework 6 and 7, tox 3 and 4, nox).
"""

from __future__ import annotations

from honed.verdict.summaries_model import Grammar, count, pairs, said

_PYTEST_WORDS = (
    r"(?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|reruns?|rerun"
    r"|subtests? passed|subtests? failed|snapshots? \w+)"
)

PYTEST = Grammar(
    "pytest",
    (
        said("empty", "no tests ran in", r"=*\s*no tests ran in \d"),
        said("empty", " collected in ", r"=*\s*(?:no|\d+(?:/\d+)?) tests? collected .*in \d"),
        pairs(
            "passed|failed|skipped|deselected| error|xfailed|warning",
            rf"=*\s*\d+ {_PYTEST_WORDS}(?:, \d+ {_PYTEST_WORDS}){{0,10}} in \d[\d.:]*\s?(?:s\b|seconds)",
        ),
        count("passed", r"(?P<p>\d+) passed$"),
        count("failed", r"(?P<f>\d+) failed$"),
        count("skipped|xfailed", r"(?P<s>\d+) (?:skipped|xfailed)$"),
        count("error", r"(?P<e>\d+) errors?$"),
        said("bad", "FAILED", r"FAILED [^\s:]+\.py(?:::|\b)"),
        said("bad", " FAILED", r"[^\s:]+\.py::.+ FAILED(?:\s+\[\s*\d+%\])?$"),
        said("crash", "ERROR ", r"ERROR (?:collecting )?[^\s:]+\.py(?:::|\b)"),
        said("bad", "%]", r"(?:\S+\.py )?[.sxXR]*[FE][.sxXRFE]*\s*\[\s*\d+%\]$"),
        said("crash", "INTERNALERROR>", r"INTERNALERROR>"),
        said("crash", "during collection", r"!+ (?:Interrupted: )?\d+ errors? during collection"),
        said("crash", "while loading conftest", r"ImportError while loading conftest"),
        said(
            "crash", "Required test coverage", r"(?:ERROR: |FAIL )?Required test coverage of .* not reached"
        ),
        said("crash", "Coverage failure:", r"(?:ERROR: )?Coverage failure:"),
        said("stopped", "KeyboardInterrupt", r"!+ (?:_pytest\.\S+: )?KeyboardInterrupt"),
        said("usage", "ERROR: ", r"ERROR: (?:file or directory not found|not found: |usage:)"),
        said(
            "usage", "error: unrecognized arguments|error: argument", r"\S+: error: (?:unrecognized|argument)"
        ),
        said("usage", "found no collectors for", r"ERROR: found no collectors for"),
        said("usage", "ERROR: no tests ran", r"ERROR: no tests ran"),
    ),
    failing=("1 failed, 2 passed in 0.12s", "FAILED tests/test_a.py::test_b - AssertionError"),
    passing=("3 passed in 0.12s", "tests/test_a.py ..     [100%]"),
    names=(
        r"(?m)^(?:\[[^\]\n]{1,40}\] )?(?:FAILED|ERROR) (?P<n>[^\s:]+\.py(?:::[^\n]{1,300}?)?)"
        r"(?: - [^\n]*)?[ \t]*$",
        r"(?m)^(?P<n>[^\s:]+\.py::\S[^\n]{0,300}?) (?:FAILED|ERROR)(?:[ \t]+\[[ \t]*\d+%\])?[ \t]*$",
    ),
)

UNITTEST = Grammar(
    "unittest",
    (
        count("Ran ", r"Ran (?P<t>\d+) tests? in [\d.]+\s?s"),
        count(
            "FAILED (",
            r"FAILED \((?=.*(?:failures|errors)=)(?:failures=(?P<f>\d+))?(?:, )?(?:errors=(?P<e>\d+))?"
            r"(?:, )?(?:skipped=(?P<s>\d+))?",
        ),
        said("bad", "FAILED (", r"FAILED \(", level=3),
        count("OK (", r"OK \((?=skipped=|expected failures=)(?:skipped=(?P<s>\d+))?.*\)$"),
        said("good", "OK", r"OK$"),
        said("empty", "NO TESTS RAN", r"NO TESTS RAN"),
        said("empty", "Found 0 test(s)", r"Found 0 test\(s\)"),
        said("bad", "FAIL: |ERROR: ", r"(?:FAIL|ERROR): \w+ \([\w.]+\)"),
        said("bad", "... FAIL|... ERROR", r".{1,300}\.\.\. (?:FAIL|ERROR)$"),
        said("usage", "Start directory is not importable", r"ImportError: Start directory is not importable"),
        said("crash", "SystemCheckError", r"(?:django\.\S+|SystemCheckError)"),
        said("stopped", "KeyboardInterrupt", r"KeyboardInterrupt$"),
    ),
    failing=("FAILED (failures=1)", "FAIL: test_a (tests.T.test_a)"),
    passing=("Ran 2 tests in 0.001s", "OK"),
    names=(r"(?m)^(?:FAIL|ERROR): (?P<n>\w+ \([\w.]+\))",),
)

DOCTEST = Grammar(
    "doctest",
    (
        count("***Test Failed***", r"\*\*\*Test Failed\*\*\* (?P<f>\d+) failure"),
        count(" passed", r"(?P<p>\d+) passed(?: and (?P<f>\d+) failed)?\.$"),
        count(" passed and ", r"(?P<p>\d+) tests? passed and (?P<f>\d+) failed"),
        said("good", "Test passed.", r"Test passed\.$"),
        said("bad", "Failed example:", r"Failed example:$"),
    ),
    failing=("***Test Failed*** 1 failures.",),
    passing=("2 passed and 0 failed.",),
    names=(r'(?m)^File "(?P<n>[^"\n]+", line \d+)',),
    distinct=False,
)

BEHAVE = Grammar(
    "behave",
    (
        pairs(" scenario", r"\d+ scenarios? passed(?:, \d+ \w+){1,5}"),
        pairs(" feature", r"\d+ features? passed(?:, \d+ \w+){1,5}", level=1),
        said("bad", "Failing scenarios:|Errored scenarios:", r"(?:Failing|Errored) scenarios:"),
        said("usage", "No steps directory|ConfigError", r"(?:No steps directory|ConfigError)"),
    ),
    failing=("0 features passed, 1 failed, 0 skipped", "0 scenarios passed, 1 failed, 0 skipped"),
    passing=("1 scenario passed, 0 failed, 0 skipped",),
    names=(r"(?m)^  (?P<n>\S+\.feature:\d+  [^\n]{1,200})$",),
)

ROBOT = Grammar(
    "robot",
    (
        pairs(" passed, ", r"\d+ tests?, \d+ passed, \d+ failed(?:, \d+ skipped)?"),
        pairs("tests total", r"\d+ (?:critical )?tests?(?: total)?, \d+ passed, \d+ failed"),
        said("usage", "[ ERROR ]", r"\[ ERROR \] "),
    ),
    failing=("2 tests, 1 passed, 1 failed",),
    passing=("2 tests, 2 passed, 0 failed",),
    names=(r"(?m)^(?P<n>\S[^|\n]{0,70}?)[ \t]*\| FAIL \|$",),
)

TOX = Grammar(
    "tox",
    (
        said("step_failed", ": FAIL", r"(?P<w>[\w.{},-]+): (?:FAIL(?: code \d+)?(?: |$)|exit \d+ \()"),
        said("bad", "evaluation failed :(", r"evaluation failed :\(", level=3),
        said("good", "congratulations :)", r"congratulations :\)"),
        said("usage", "provided environments not found", r"ROOT: HandledError\| provided environments"),
        said(
            "missing",
            "could not find python interpreter",
            r"(?:ERROR|.*skipped because could not find python)",
        ),
        said("bad", "nox > Session ", r"nox > Session (?P<w>\S+) failed", level=3),
        said("good", "nox > Session ", r"nox > Session \S+ was successful"),
        said("usage", "nox > Sessions not found", r"nox > Sessions not found"),
        said("empty", "nox > Session ", r"nox > Session \S+ skipped"),
    ),
    failing=("  py311: FAIL code 1 (0.3 seconds)", "nox > Session tests failed."),
    passing=("  congratulations :) (0.7 seconds)", "nox > Session tests was successful."),
    distinct=False,
)

GRAMMARS = (PYTEST, UNITTEST, DOCTEST, BEHAVE, ROBOT, TOX)
