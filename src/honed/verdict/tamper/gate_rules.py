"""Tables for what starts and bounds tests: thresholds, commands, statuses, lists of what is left out."""

from __future__ import annotations

import re

_NUMBER = r"(\d+(?:\.\d+)?)"


def _key(pattern: str) -> re.Pattern[str]:
    return re.compile(f"(?i){pattern}{_NUMBER}")


THRESHOLDS: tuple[tuple[re.Pattern[str], bool], ...] = (
    (_key(r"--(?:cov-)?fail-under(?:-\w+)?[= ]"), True),
    (_key(r"\bfail[_-]under\s*[=:]\s*['\"]?"), True),
    (_key(r"\bminimum_coverage(?:_by_file)?\s*\(?[^\d\n]{0,12}"), True),
    (_key(r"--(?:coverage-?threshold|check-coverage|min-coverage|threshold)[= ]"), True),
    (_key(r"--(?:lines|branches|functions|statements|min|coverage\.thresholds\.\w+)[= ]"), True),
    (_key(r"<minimum>\s*"), True),
    (_key(r"\bminimum(?:\.set\(|\s*=\s*)\s*['\"]?"), True),
    (
        _key(
            r"(?:\bCoverageThreshold|\bMinCoverage|/p:Threshold|<Threshold>|\bcoverage_?min\w*|\bmin_?cov\w*"
            r"|\bcoverage_?threshold\w*)\s*[=:>]?\s*['\"]?"
        ),
        True,
    ),
    (re.compile(rf"(?i)\btarget:\s*['\"]?{_NUMBER}\s*%"), True),
    (_key(r"\b(?:break|mutation_?score|minMsi|min-msi|minCoveredMsi)['\"]?\s*[=:]\s*"), True),
    (_key(r"\bmin(?:imum)?[_-]?(?:score|accuracy|pass_?rate)\w*\s*[=:]\s*"), True),
    (_key(r"--max-warnings[= ]"), False),
    (_key(r"\bmax[_-](?:complexity|failures|errors|flakes)['\"]?\s*[=:]\s*"), False),
    (re.compile(rf"(?i)\bthreshold:\s*['\"]?{_NUMBER}\s*%"), False),
)
"""(key with its number, whether a lower number is weaker)."""
COVERAGE_THRESHOLDS = tuple(
    _key(rf"['\"]?\b{key}['\"]?\s*:\s*") for key in ("branches", "functions", "lines", "statements")
)
"""The same in the files of ``COVERAGE_FILE`` only."""
COVERAGE_FILE = re.compile(r"(?i)jest|vitest|vite|nyc|c8|package\.json|karma|stryker|cov|ava|deno|bunfig")
KEPT_WHEN_GONE = re.compile(
    r"(?i)fail[_-]under|coverageThreshold|minimum_coverage|check-coverage|--max-warnings"
    r"|--coverage-?threshold"
    r"|jacocoTestCoverageVerification"
)
"""Keys whose removal is a lowering too."""

TESTING = re.compile(
    r"\b(?:pytest|py\.test|unittest|nose2?|tox|nox|trial|behave|jest|vitest|mocha|ava|karma|playwright test"
    r"|cypress run|jasmine|node --test|bun test|deno test|deno task test|go test|gotestsum|ginkgo"
    r"|cargo (?:\+\w+ )?(?:test|nextest|llvm-cov|tarpaulin)|rspec|rails test|rake(?: test| spec)?|minitest"
    r"|phpunit"
    r"|pest|artisan test|paratest|codecept|mvnw?|gradlew?|sbt|dotnet test|vstest|ctest|mix test"
    r"|rebar3 (?:ct|eunit)|bats|prove|busted|flutter test|dart test|swift test|xcodebuild|bazel test"
    r"|lein test"
    r"|stack test|cabal test|zig build test|manage\.py test|run[_-]?tests?(?:\.\w+)?|tests?\.sh|check\.sh"
    r"|(?:npm|pnpm|yarn|bun|turbo|nx|lerna|make|just|task|mise|hatch|poetry|pdm|uv|composer|rush)\b[^\n"
    r"|;&]{0,40}?"
    r"\b(?:test|tests|check|spec|verify|ci|t)\b)(?![\w.])|\./test\b|\$\(?(?:PYTEST|GO|CARGO|TEST\w*|NPM)\)?"
)
"""A command that runs tests."""
CHECKING = re.compile(
    r"\b(?:ruff|mypy|pyright|flake8|pylint|eslint|tsc|biome|clippy|golangci-lint|go vet|staticcheck|rubocop"
    r"|phpstan|psalm|credo|dialyzer|shellcheck|lint|typecheck|type-check)\b"
)
"""A command that checks something else."""
SILENCED: tuple[re.Pattern[str], ...] = (
    re.compile(
        r"(?:\|\||;)\s*(?:true|:|exit 0|echo\b[^|;&\n]*|/bin/true|printf\b[^|;&\n]*|return 0)\s*"
        r"(?:['\",)\]\\]|\||#|$)"
    ),
    re.compile(r"\|\|\s*\(?\s*(?:exit 0|true|echo\b)|(?:&&|;)\s*exit 0\b"),
    re.compile(
        r"--passWithNoTests|--pass-with-no-tests|--exit-zero|--no-fail\b|--allow-no-tests|--if-present"
        r"|--suppress-no-test-exit-code|--suppress-tests-failed-exit-code|--ignore-failures"
        r"|--failure-exit-code[= ]0"
        r"|-Dmaven\.test\.(?:failure\.ignore|skip)(?:=true)?|-DskipTests(?!=false)"
    ),
)
"""What makes a command succeed whatever its tests say."""
SILENT_LINE = {
    "makefile": re.compile(r"^\t@?-\s*\S"),
    "tox.ini": re.compile(r"^(?:commands\s*=)?\s*-\s*\S"),
}
"""Files in which a dash in front of a command ignores its status."""
SILENT_KEYS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a failing step does not fail the job",
        re.compile(r"(?i)^\s*-?\s*continue-on-error\s*:\s*(?:true|['\"]true|\$\{\{\s*true)"),
    ),
    ("a failing job does not fail the pipeline", re.compile(r"(?i)^\s*allow_failure\s*:\s*true")),
    (
        "a failing step does not fail the build",
        re.compile(r"(?i)^\s*(?:continueOnError|soft_fail)\s*[:=]?\s*true|failOnError\s*=\s*false"),
    ),
    ("the step never runs", re.compile(r"(?i)^\s*-?\s*if\s*:\s*(?:\$\{\{\s*)?false\b|^\s*when\s*:\s*never")),
    (
        "failures of tests are ignored by the build",
        re.compile(
            r"(?i)testFailureIgnore>\s*true|ignoreFailures\s*=\s*true|<(?:skipTests"
            r"|maven\.test\.skip)>\s*true"
            r"|maven\.test\.failure\.ignore>?\s*=?\s*true|failIfNoTests>\s*false|\btest\.enabled\s*=\s*false"
            r"|\bpassWithNoTests['\"]?\s*:\s*true|allowNoTests"
        ),
    ),
    ("the script no longer stops at a failure", re.compile(r"^\s*set\s+\+(?:e\b|o\s+(?:errexit|pipefail))")),
    ("the script always ends with success", re.compile(r"^\s*exit\s+0\s*$|^\s*trap\s+['\"]exit 0['\"]")),
    (
        "strictness is switched off",
        re.compile(
            r"(?i)^\s*(?:xfail_strict|strict)\s*=\s*false|--no-strict\b"
            r"|\bfailOn(?:Warning|Risky|Incomplete|Skipped|Deprecation|Notice|EmptyTestSuite)\s*=\s*['\"]false"
        ),
    ),
)
HARMLESS_STEP = re.compile(
    r"(?i)codecov|coveralls|upload|artifact|cache|deploy|publish|notify|slack|comment|docs?\b|badge|report"
    r"|nightly|experimental|benchmark|sonar|release|download|audit"
)
"""A step of CI that may fail without a word about the tests."""

NARROWING = re.compile(
    r"(?:^|[\s'\"\[,=|])(?:-[km][ =]['\"]?\s*(?:\\?['\"])?not\b|--deselect|--ignore(?:-glob)?[= ]"
    r"|--exclude[= ]"
    r"|--skip[= ]|-skip[= ]|--testPathIgnorePatterns|--exclude-(?:tag|group|regex)|--tag[= ]~|-t ~"
    r"|--grep\b.*(?:--invert|-i\b)|--invert\b|-Dtest=!|-x test\b|--filter[= ]['\"]?(?:!|\w*!="
    r"|FullyQualifiedName!|\"not )"
    r"|--testPathPattern[= ]|--testNamePattern|--last-failed|--lf\b|--changedSince|--onlyChanged"
    r"|--findRelatedTests|grep -v\b(?!.*(?:vendor|node_modules|mock|generated|third_party)))"
)
"""An option that leaves tests out."""
SELECTED = re.compile(
    r"(?<=\s)(?:\./)?(?!\./\.\.\.)[\w.*-]+/[\w/.*-]+|(?<=\s)[\w/-]+\.(?:test|spec)\.\w+|(?<=\s)test_\w+\.py"
)
"""A path given to a test command."""
WHOLE = re.compile(r"^(?:\./)?(?:tests?|src|spec|__tests__|packages|apps|lib|\.\.\.)/?(?:\*.*)?$")
"""A path that selects everything."""
LEFT_OUT = re.compile(
    r"testPathIgnorePatterns|modulePathIgnorePatterns|collect_ignore(?:_glob)?|norecursedirs|\bexclude[sd]?\b"
    r"|<exclude>|excludeTestsMatching|excludeTags|excludedGroups|filter_out|--ignore(?:-glob)?\b|--deselect"
    r"|addopts|test_ignore_filters|exclude_pattern|\bignore\b|\bspecIgnore|testIgnore|excludeSpecPattern"
    r"|excludeTestFiles|\bskip\b"
)
"""A key behind which stands what is left out."""
LEFT_OUT_OF_TESTS = re.compile(
    r"testPathIgnorePatterns|collect_ignore|testIgnore|specIgnore|excludeSpecPattern"
)
"""A key behind which nothing but tests can stand."""
QUOTED = re.compile(r"['\"]([^'\"\n]+)['\"]")
PLAIN_NUMBER = re.compile(r"(?<![\w$.])\d+(?:\.\d+)?(?![\w.])")
CHAINED = re.compile(r"\s*(?:&&|;|\|\||&)\s*")
TESTS_SOMETHING = re.compile(r"(?i)test|spec|check|verify|assert|e2e|jest|mocha|cypress|playwright")
NOT_A_TEST = re.compile(
    rf"(?i)\b(?:format|fmt|prettier|style|types?|build|compile|audit)\b|{CHECKING.pattern}"
)
NOT_OF_TESTS = re.compile(r"omit|tsconfig|mypy|ruff|lint|coverage(?!Thr)")
"""Near it the list belongs to something else."""
TEST_FILE_NAMED = re.compile(
    r"[\w/*.-]*(?:test_[\w*-]+\.py(?:::[\w:\[\]]+)?|[\w*-]+_test\.(?:py|go|exs|rb|dart|ts)"
    r"|[\w*.-]+\.(?:test|spec)\.[cm]?[jt]sx?|[\w*-]+_spec\.rb|[\w*]+Tests?\.(?:java|kt|php|cs|swift|class)"
    r"|\*\*/[\w*]*Tests?\b[\w*.]*|[\w./]*\btests?/[\w*/-]+|::test_\w+)"
)
EVERYTHING = re.compile(
    r"^\**/?\*?(?:\.?(?:test|spec))?\.?\*?$|\*\.\w+\.(?:test|spec)\.|node_modules|dist\b|build\b|e2e|\.venv"
    r"|vendor"
    r"|fixtures?|__pycache__|\.git\b|worktree|examples?|benchmarks?|tmp|snapshots?|helpers?|utils?/|mocks?"
    r"|integration|setup"
)
"""What is left out everywhere: it takes no unit test away."""
TEST_KEY = re.compile(r"^\s*['\"]?(?:test|tests|check|verify|ci|test[:-]\w+|pretest|posttest)['\"]?\s*[:=]")
DOES_NOTHING = re.compile(
    r"[:=]\s*['\"]?(?:echo\b|true\b|:(?:\s|['\"])|exit 0|printf\b|node -e\b|sleep\b)|^\t@?(?:echo|true|:"
    r"|exit 0)\b"
)

SNAPSHOTS_RENEWED = re.compile(
    r"\b(?:jest|vitest|react-scripts test|bun test)\b[^\n|;&]*\s(?:-u\b|--update(?:Snapshot)?s?\b)"
    r"|--snapshot-update|--update-snapshots?\b|--updateSnapshot|--inline-snapshot[= ](?:fix|update)"
    r"|--force-regen"
    r"|\bcargo\s+insta\s+(?:accept|review|test\b[^\n]*--accept)|\bINSTA_UPDATE=(?:always|1|force)"
    r"|\bINSTA_FORCE_UPDATE|\bUPDATE_(?:SNAPSHOTS?|EXPECT\w*|GOLDENS?\w*|BASELINES?)=\w+|\bTRYBUILD=overwrite"
    r"|\bgo test\b[^\n|;&]*\s-(?:args\s+-)?-?(?:update\w*|golden\w*)\b"
    r"|\b(?:npm|yarn|pnpm) (?:run )?test\b[^\n|;&]* (?:-u\b|--update\w*)"
)
"""A command that writes what the tests compare with anew."""
RENEWAL_MARKS = ("-u", "golden", "insta", "inline-snapshot", "--force-regen", "INSTA_", "UPDATE_", "TRYBUILD")
"""One of them is in every text that it finds."""
SNAPSHOTS_UPDATED = re.compile(
    r"(?i)snapshots?:?\s+\d+ (?:updated|removed)|\d+ snapshots? (?:was |were )?(?:updated|accepted|removed"
    r"|obsolete)"
    r"|updated \d+ snapshot|accept(?:ed|ing)\b|overwritten|wrote|re-?generated"
)
SNAPSHOT_SUMMARY = re.compile(r"(?i)snapshots?\b.*\b(?:updated|written|passed|total|generated|unused)")
