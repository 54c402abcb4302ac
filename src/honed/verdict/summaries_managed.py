"""How the runners of Ruby, PHP, the JVM, .NET, the BEAM and Dart sum up.

Sources: the runners' own output (RSpec 3, minitest 5, PHPUnit 8 to 11, Pest 2 and 3, Surefire 2 and 3,
Gradle 6 to 8, sbt 1, dotnet 6 to 10 in several languages, ExUnit 1.10 to 1.20, EUnit, Flutter 3).
"""

from __future__ import annotations

from honed.verdict.summaries_model import Grammar, count, labels, pairs, said

RSPEC = Grammar(
    "rspec",
    (
        pairs("example", r"\d+ examples?, \d+ failures?(?:, \d+ \w+){0,3}"),
        said("crash", "occurred while loading", r"An error occurred while loading"),
        said("empty", "No examples found.", r"No examples found\."),
    ),
    failing=("3 examples, 1 failure", "rspec ./spec/a_spec.rb:3 # x"),
    passing=("3 examples, 0 failures",),
    names=(r"(?m)^rspec (?P<n>\./[^\n]{1,200}?)[ \t]*$",),
)

MINITEST = Grammar(
    "minitest",
    (
        pairs(
            " assertions, ", r"\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors(?:, \d+ \w+){0,3}"
        ),
        said("bad", "rails aborted!|rake aborted!", r"(?:rails|rake) aborted!", level=3),
        said("missing", "Don't know how to build task", r"Don't know how to build task"),
    ),
    failing=("3 runs, 3 assertions, 1 failures, 0 errors, 0 skips",),
    passing=("3 runs, 3 assertions, 0 failures, 0 errors, 0 skips",),
    names=(
        r"(?m)^[ \t]*\d+\) (?:Failure|Error):\n(?P<n>[^\n]{1,200}?)(?: \[[^\]\n]+\])?:$",
        r"(?m)^(?:bin/)?rails test (?P<n>\S+)$",
    ),
)

PHPUNIT = Grammar(
    "phpunit",
    (
        count("OK (", r"OK \((?P<p>\d+) tests?, \d+ assertions?\)"),
        labels("Tests: ", r"Tests: \d+, Assertions: \d+.*\.$"),
        pairs("Tests: ", r"Tests:\s+(?:\d+ \w+, ){0,5}\d+ \w+ \(\d+ assertions?\)"),
        said("empty", "No tests executed!", r"No tests executed!"),
        said("empty", "No tests found", r"(?:INFO\s+|WARN\s+)?No tests found"),
        said("bad", "FAILURES!|ERRORS!", r"(?:FAILURES|ERRORS)!$", level=3),
        said("usage", "Cannot open file|not found.", r'(?:Cannot open file|Test file) "[^"]*"'),
        said("crash", "PHP Fatal error", r"PHP Fatal error"),
    ),
    failing=(
        "Tests: 4, Assertions: 2, Failures: 1.",
        "FAILURES!",
        "ERRORS!",
        "  Tests:    1 failed, 2 passed (3 assertions)",
    ),
    passing=("OK (2 tests, 2 assertions)", "  Tests:    3 passed (3 assertions)"),
    names=(
        r"(?m)^\d+\) (?P<n>[\w\\]+::\S[^\n]{0,150})$",
        r"(?m)^[ \t]*(?:⨯|FAILED)[ \t]+(?P<n>[^\n]{1,200}?)(?:[ \t]+[\d.]+s)?[ \t]*$",
    ),
)

MAVEN = Grammar(
    "maven",
    (
        count(
            "Tests run: ",
            r"(?:\[\w+\]\s+)?Tests run: (?P<t>\d+), Failures: (?P<f>\d+), Errors: (?P<e>\d+), Skipped: "
            r"(?P<s>\d+)(?!.*(?:Time elapsed|-- in))",
            level=3,
        ),
        count(
            "Tests run: ",
            r"(?:\[\w+\]\s+)?Tests run: (?P<t>\d+), Failures: (?P<f>\d+), Errors: (?P<e>\d+)(?:, Skipped: "
            r"(?P<s>\d+))?",
            level=2,
        ),
        count("Tests run: ", r"Tests run: (?P<t>\d+),\s+Failures: (?P<f>\d+)"),
        count("OK (", r"OK \((?P<p>\d+) tests?\)"),
        count(" tests successful", r"\[\s*(?P<p>\d+) tests successful"),
        count(" tests failed", r"\[\s*(?P<f>\d+) tests failed"),
        count(" tests skipped", r"\[\s*(?P<s>\d+) tests skipped"),
        said(
            "empty",
            "No tests to run.|Tests are skipped.",
            r"(?:\[\w+\]\s+)?(?:No tests to run\.|Tests are skipped\.)",
        ),
        said(
            "empty",
            "No tests were executed|No tests matching",
            r"(?:\[\w+\]\s+)?.*No tests (?:were executed|matching)",
        ),
        said(
            "bad",
            "There are test failures|BUILD FAILURE",
            r"(?:\[\w+\]\s+)?(?:.*There are test failures|BUILD FAILURE)",
            level=3,
        ),
        said("good", "BUILD SUCCESS", r"(?:\[\w+\]\s+)?BUILD SUCCESS$"),
        said("crash", "COMPILATION ERROR", r"(?:\[\w+\]\s+)?COMPILATION ERROR"),
        said("missing", "there is no POM in this directory", r".*there is no POM in this directory"),
    ),
    failing=("Tests run: 3, Failures: 1, Errors: 0, Skipped: 0", "[INFO] BUILD FAILURE"),
    passing=("Tests run: 3, Failures: 0, Errors: 0, Skipped: 0", "[INFO] BUILD SUCCESS"),
    names=(r"(?m)^\[ERROR\][ \t]+(?P<n>[\w.$]+[.#]\w+)(?::\d+| --|[ \t]+Time elapsed)",),
    parts=True,
)

GRADLE = Grammar(
    "gradle",
    (
        pairs(" tests completed| test completed", r"\d+ tests? completed(?:, \d+ \w+){0,3}"),
        labels(
            "Tests: succeeded ",
            r"Tests: succeeded \d+, failed \d+, canceled \d+, ignored \d+, pending \d+",
            level=3,
        ),
        labels(
            "Total ", r"(?:Passed|Failed): Total \d+, Failed \d+, Errors \d+, Passed \d+(?:, \w+ \d+){0,3}"
        ),
        said("bad", "There were failing tests", r".*There were failing tests", level=3),
        said("bad", "FAILED", r"> Task \S*[tT]est\S* FAILED"),
        said("empty", "NO-SOURCE", r"> Task \S*[tT]est\S* NO-SOURCE"),
        said("bad", " FAILED", r".{1,200} > .{1,200} FAILED$"),
        count(" PASSED", r".{1,200} > .{1,200} PASSED$", level=1, one="passed"),
        said(
            "crash",
            "Compilation failed|compileTestKotlin|compilation failed",
            r".*(?:Compilation failed|compilation failed)",
        ),
        said("bad", "BUILD FAILED", r"BUILD FAILED", level=3),
        said("good", "BUILD SUCCESSFUL", r"BUILD SUCCESSFUL"),
        said("empty", "No tests found for given includes", r".*No tests found for given includes"),
        said(
            "empty",
            "No tests were executed|No tests to run for",
            r"(?:\[\w+\] )?No tests (?:were executed|to run for)",
        ),
        said("bad", "TESTS FAILED ***|TEST FAILED ***", r"(?:\[\w+\] )?\*\*\* \d+ TESTS? FAILED", level=3),
        said("good", "All tests passed.", r"(?:\[\w+\] )?All tests passed\.$"),
        said(
            "missing",
            "Unable to access jarfile|JAVA_HOME is not set|Could not determine java version",
            r".*(?:jarfile|JAVA_HOME|java version)",
        ),
        said(
            "usage",
            "not found in root project|not found in project",
            r".*(?:Task '[^']+' not found|Cannot locate tasks)",
        ),
    ),
    failing=("3 tests completed, 1 failed", "BUILD FAILED in 2s", "> Task :test FAILED"),
    passing=("BUILD SUCCESSFUL in 2s", "[info] Passed: Total 3, Failed 0, Errors 0, Passed 3"),
    names=(
        r"(?m)^(?P<n>\w[^\n]{0,200}? > [^\n]{1,200}?) FAILED$",
        r"(?m)^\[(?:info|error)\] - (?P<n>[^\n]{1,200}) \*\*\* FAILED \*\*\*",
    ),
)

_PASSED = r"(?:Passed|erfolgreich|bestanden|réussite|réussi|пройдено|успешно|superado|correcto|成功)"
_FAILED = r"(?:Failed|Fehler|fehlgeschlagen|échec|не пройдено|сбой|con error|失败|失敗)"
_SKIPPED = r"(?:Skipped|übersprungen|ignorée?\(?s?\)?|пропущено|omitido|跳过|スキップ)"

DOTNET = Grammar(
    "dotnet",
    (
        count(
            "Failed: |Fehler: |chec : |не пройдено |con error|失败|失敗",
            rf"\S[^:]{{2,40}}!\s*[-:]?[^:]{{0,4}}\s*{_FAILED}\s*:?\s+(?P<f>\d+),\s+{_PASSED}\s*:?\s+"
            rf"(?P<p>\d+),\s+{_SKIPPED}\s*:?\s+(?P<s>\d+)",
        ),
        labels(
            "Test summary: ", r"Test summary: total: \d+, failed: \d+, succeeded: \d+, skipped: \d+", level=3
        ),
        said(
            "bad",
            "Test Run Failed.|Test run summary: Failed",
            r"Test (?:Run Failed\.|run summary: Failed)",
            level=3,
        ),
        said(
            "good",
            "Test Run Successful.|Test run summary: Passed",
            r"Test (?:Run Successful\.|run summary: Passed)",
        ),
        said(
            "empty",
            "No test is available in|No test matches",
            r"(?:.*warning : )?No test (?:is available in|matches)",
        ),
        said("empty", "Test run summary: Zero tests ran", r"Test run summary: Zero tests ran"),
        said("crash", "error CS|error FS|error BC", r".*: error (?:CS|FS|BC)\d+"),
        said("crash", "Build FAILED.|Fehler beim Erstellen", r"(?:Build FAILED\.|Fehler beim Erstellen)"),
        said("missing", "MSB1003|No .NET SDKs were found", r".*(?:MSB1003|No \.NET SDKs were found)"),
        said("missing", "MSB1009", r".*MSB1009"),
    ),
    failing=("Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3", "Test Run Failed."),
    passing=("Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3",),
    names=(
        r"(?m)^[ \t]+(?:Failed|Fehler|Nicht bestanden|Échec) (?P<n>[\w.]+\.[^\n]{1,200}?) \[[^\]\n]+\]$",
        r"(?m)^[ \t]*failed (?P<n>\S[^\n]{0,200}?) \([\d.]+m?s",
    ),
    parts=True,
)

DOTNET_LABELS = Grammar(
    "dotnet labels",
    (
        count(
            "Passed: |Bestanden: |Réussi",
            r"(?:Passed|Bestanden|Réussi\(?s?\)?|Пройдено)\s*: (?P<p>\d+)$",
            level=1,
        ),
        count(
            "Failed: |Nicht bestanden: |échec",
            r"(?:Failed|Nicht bestanden|Échec|Не пройдено)\s*: (?P<f>\d+)$",
            level=1,
        ),
        count("succeeded: ", r"succeeded: (?P<p>\d+)$", level=1),
        count("failed: ", r"failed: (?P<f>\d+)$", level=1),
    ),
    failing=("Failed: 1",),
    passing=("Passed: 3",),
    distinct=False,
)

EXUNIT = Grammar(
    "exunit",
    (
        pairs(
            " tests, | test, | doctest",
            r"(?:\d+ (?:doctests?|properties|property|features?), ){0,3}\d+ tests?, \d+ failures?(?:, \d+ "
            r"(?:skipped|excluded|invalid|warnings?)){0,3}(?: \(.*)?$",
        ),
        said(
            "empty",
            "All tests have been excluded|There are no tests to run",
            r"(?:All tests have been excluded|There are no tests to run)",
        ),
        said("usage", "did not match any directory/file", r"Paths given to .* did not match"),
        said("crash", "== Compilation error", r"== Compilation error"),
        said(
            "crash",
            "** (",
            r"\*\* \((?:CompileError|SyntaxError|TokenMissingError|MismatchedDelimiterError|Mix\.Error)\)",
        ),
        said("missing", "Could not find a Mix.Project", r"\*\* \(Mix(?:\.NoProjectError)?\) .*"),
        count("All ", r"All (?P<p>\d+) tests? passed\.$"),
        labels("Failed: ", r"Failed: \d+\.\s+Skipped: \d+\.\s+Passed: \d+\."),
        count("Failed ", r"Failed (?P<f>\d+) tests?\. (?:Skipped (?P<s>\d+).*?\. )?Passed (?P<p>\d+) tests?"),
        count("Test passed.", r"Test passed\.$", one="passed"),
    ),
    failing=("3 tests, 1 failure",),
    passing=("3 tests, 0 failures",),
    names=(r"(?m)^[ \t]+\d+\) (?P<n>(?:test|doctest|property) [^\n]{1,200} \([\w.]+\))$",),
)

EXUNIT_RESULT = Grammar(
    "exunit result",
    (
        count("Result: ", r"Result: (?P<p>\d+)/(?P<t>\d+) passed(?:, (?P<s>\d+) excluded)?"),
        count("Result: ", r"Result: (?P<p>\d+) passed(?:, (?P<s>\d+) (?:excluded|skipped))?", whole=True),
        count("Failed: ", r"Failed: (?P<f>\d+) tests?$", level=1),
    ),
    failing=("Result: 2/3 passed",),
    passing=("Result: 3 passed",),
    names=EXUNIT.names,
)

FLUTTER = Grammar(
    "flutter",
    (
        count(": All tests passed!", r"\d+:\d+ \+(?P<p>\d+)(?: ~(?P<s>\d+))?: All tests passed!"),
        count(
            ": Some tests failed.", r"\d+:\d+ \+(?P<p>\d+)(?: ~(?P<s>\d+))? -(?P<f>\d+): Some tests failed\."
        ),
        said(
            "empty",
            "No tests ran.|No tests match|All tests skipped.",
            r".*(?:No tests ran\.|No tests match|All tests skipped\.)",
        ),
        count(" tests passed| test passed", r"🎉 (?P<p>\d+) tests? passed(?:, (?P<s>\d+) skipped)?\."),
        count(" failed", r"(?:::error::)?(?P<p>\d+) tests? passed, (?P<f>\d+) failed"),
        said("good", "All tests passed!", r"All tests passed!$"),
        said("bad", "Some tests failed.", r"Some tests failed\.$", level=3),
        said("bad", " [E]", r"\d+:\d+ \+\d+(?: ~\d+)? -\d+: .* \[E\]$"),
        said("crash", "Failed to load", r".*: Failed to load \""),
        said("usage", 'Test directory "', r'Test directory "[^"]*" (?:not found|does not)'),
    ),
    failing=("00:05 +12 -1: Some tests failed.", "00:03 +2 -1: test/a_test.dart: adds [E]"),
    passing=("00:05 +12: All tests passed!",),
    names=(r"(?m)^\d+:\d+ \+\d+(?: ~\d+)? -\d+: (?P<n>[^\n]{1,300}) \[E\]$",),
)

GRAMMARS = (RSPEC, MINITEST, PHPUNIT, MAVEN, GRADLE, DOTNET, DOTNET_LABELS, EXUNIT, EXUNIT_RESULT, FLUTTER)
