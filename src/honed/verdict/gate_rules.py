"""Tables for the tamper check of what starts the tests: thresholds, commands, exit statuses, lists of files left out."""

from __future__ import annotations

import re

# -- thresholds: (key, lower is weaker).  The number is the first one behind the key -----------------------

THRESHOLDS: tuple[tuple[re.Pattern[str], bool], ...] = (
    (re.compile(r"(?i)--cov-fail-under[= ](\d+(?:\.\d+)?)"), True),
    (re.compile(r"(?i)\bfail[_-]under\s*[=:]\s*['\"]?(\d+(?:\.\d+)?)"), True),
    (re.compile(r"(?i)\bminimum_coverage(?:_by_file)?\s*\(?[^\d\n]{0,12}(\d+(?:\.\d+)?)"), True),
    (
        re.compile(
            r"(?i)--(?:coverage-?threshold|check-coverage|min-coverage|fail-under(?:-\w+)?|threshold)[= ](\d+(?:\.\d+)?)"
        ),
        True,
    ),
    (
        re.compile(
            r"(?i)--(?:lines|branches|functions|statements|min|coverage\.thresholds\.\w+)[= ](\d+(?:\.\d+)?)"
        ),
        True,
    ),
    (re.compile(r"(?i)['\"]?\b(branches)['\"]?\s*:\s*(\d+(?:\.\d+)?)"), True),
    (re.compile(r"(?i)['\"]?\b(functions)['\"]?\s*:\s*(\d+(?:\.\d+)?)"), True),
    (re.compile(r"(?i)['\"]?\b(lines)['\"]?\s*:\s*(\d+(?:\.\d+)?)"), True),
    (re.compile(r"(?i)['\"]?\b(statements)['\"]?\s*:\s*(\d+(?:\.\d+)?)"), True),
    (re.compile(r"(?i)<minimum>\s*(\d+(?:\.\d+)?)"), True),
    (re.compile(r"(?i)\bminimum(?:\.set\(|\s*=\s*)\s*['\"]?(\d+(?:\.\d+)?)"), True),
    (
        re.compile(
            r"(?i)\b(?:CoverageThreshold|MinCoverage|/p:Threshold|<Threshold>|coverage_?min\w*|min_?cov\w*|coverage_?threshold\w*)\s*[=:>]?\s*['\"]?(\d+(?:\.\d+)?)"
        ),
        True,
    ),
    (re.compile(r"(?i)\btarget:\s*['\"]?(\d+(?:\.\d+)?)\s*%"), True),
    (
        re.compile(
            r"(?i)\b(?:break|mutation_?score|minMsi|min-msi|minCoveredMsi)['\"]?\s*[=:]\s*(\d+(?:\.\d+)?)"
        ),
        True,
    ),
    (re.compile(r"(?i)\bmin(?:imum)?[_-]?(?:score|accuracy|pass_?rate)\w*\s*[=:]\s*(\d+(?:\.\d+)?)"), True),
    (re.compile(r"(?i)--max-warnings[= ](\d+)"), False),
    (re.compile(r"(?i)\bmax[_-](?:complexity|failures|errors|flakes|retries)['\"]?\s*[=:]\s*(\d+)"), False),
    (re.compile(r"(?i)\bthreshold:\s*['\"]?(\d+(?:\.\d+)?)\s*%"), False),
)
KEPT_WHEN_GONE = re.compile(
    r"(?i)fail[_-]under|coverageThreshold|minimum_coverage|check-coverage|--max-warnings|--coverage-?threshold|jacocoTestCoverageVerification"
)
"""Keys whose removal is a lowering too."""
COVERAGE_FILE = re.compile(r"(?i)jest|vitest|vite|nyc|c8|package\.json|karma|stryker|cov|ava|deno|bunfig")
"""Only there ``lines: 80`` is a threshold."""

# -- commands that run tests or checks ---------------------------------------------------------------------

TESTING = re.compile(
    r"\b(?:pytest|py\.test|unittest|nose2?|tox|nox|trial|behave|jest|vitest|mocha|ava|karma|playwright test|cypress run|jasmine|node --test|bun test|deno test|deno task test"
    r"|go test|gotestsum|ginkgo|cargo (?:\+\w+ )?(?:test|nextest|llvm-cov|tarpaulin)|rspec|rails test|rake(?: test| spec)?|minitest|phpunit|pest|artisan test|paratest|codecept"
    r"|mvnw?|gradlew?|sbt|dotnet test|vstest|ctest|mix test|rebar3 (?:ct|eunit)|bats|prove|busted|flutter test|dart test|swift test|xcodebuild|bazel test|lein test|stack test|cabal test|zig build test"
    r"|(?:npm|pnpm|yarn|bun|turbo|nx|lerna|make|just|task|mise|hatch|poetry|pdm|uv|composer|rush)\b[^\n|;&]{0,40}?\b(?:test|tests|check|spec|verify|ci|t)\b"
    r"|manage\.py test|run[_-]?tests?(?:\.\w+)?|tests?\.sh|check\.sh)\b|\./test\b|\$\(?(?:PYTEST|GO|CARGO|TEST\w*|NPM)\)?"
)
CHECKING = re.compile(
    r"\b(?:ruff|mypy|pyright|flake8|pylint|eslint|tsc|biome|clippy|golangci-lint|go vet|staticcheck|rubocop|phpstan|psalm|credo|dialyzer|shellcheck|lint|typecheck|type-check)\b"
)
SILENCED: tuple[re.Pattern[str], ...] = (
    re.compile(
        r"(?:\|\||;)\s*(?:true|:|exit 0|echo\b[^|;&\n]*|/bin/true|printf\b[^|;&\n]*|return 0)\s*(?:['\",)\]\\]|\||#|$)"
    ),
    re.compile(r"\|\|\s*\(?\s*(?:exit 0|true|echo\b)"),
    re.compile(
        r"--passWithNoTests|--pass-with-no-tests|--exit-zero|--no-fail\b|--allow-no-tests|--if-present|--suppress-no-test-exit-code|--suppress-tests-failed-exit-code|--ignore-failures|-Dmaven\.test\.(?:failure\.ignore|skip)(?:=true)?|-DskipTests(?!=false)|-fae?\b.*ignore|--no-error-on-unmatched-pattern|--failure-exit-code[= ]0"
    ),
    re.compile(r"&&\s*exit 0\b|;\s*exit 0\b"),
)
SILENT_KEYS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a failing step does not fail the job",
        re.compile(r"^\s*-?\s*continue-on-error\s*:\s*(?:true|['\"]true|\$\{\{\s*true)", re.I),
    ),
    ("a failing job does not fail the pipeline", re.compile(r"^\s*allow_failure\s*:\s*true", re.I)),
    (
        "a failing step does not fail the build",
        re.compile(
            r"^\s*(?:continueOnError|soft_fail|failOnError\s*=\s*false|ignoreExitValue)\s*[:=]?\s*(?:true|false)?",
            re.I,
        ),
    ),
    (
        "the step never runs",
        re.compile(r"^\s*-?\s*if\s*:\s*(?:\$\{\{\s*)?false\b|^\s*when\s*:\s*never", re.I),
    ),
    (
        "failures of tests are ignored by the build",
        re.compile(
            r"testFailureIgnore>\s*true|ignoreFailures\s*=\s*true|<skipTests>\s*true|<maven\.test\.skip>\s*true|maven\.test\.failure\.ignore>?\s*=?\s*true|failIfNoTests>\s*false|useJUnit.*enabled\s*=\s*false|\btest\.enabled\s*=\s*false|\bpassWithNoTests['\"]?\s*:\s*true|allowNoTests",
            re.I,
        ),
    ),
    (
        "the script no longer stops at a failure",
        re.compile(r"^\s*set\s+\+e\b|^\s*set\s+\+o\s+(?:errexit|pipefail)"),
    ),
    ("the script always ends with success", re.compile(r"^\s*exit\s+0\s*$|^\s*trap\s+['\"]exit 0['\"]")),
    (
        "strictness is switched off",
        re.compile(r"^\s*(?:xfail_strict|strict)\s*=\s*false|--no-strict\b", re.I),
    ),
)
HARMLESS_STEP = re.compile(
    r"(?i)codecov|coveralls|upload|artifact|cache|deploy|publish|notify|slack|comment|docs?\b|badge|report|nightly|experimental|benchmark|sonar|release|download|audit"
)
NARROWING = re.compile(
    r"(?:^|[\s'\"\[,=])(?:-k[ =]['\"]?\s*(?:\\?['\"])?not\b|-m[ =]['\"]?\s*(?:\\?['\"])?not\b|--deselect|--ignore(?:-glob)?[= ]|--exclude[= ]|--skip[= ]|-skip[= ]|--testPathIgnorePatterns|--exclude-tag|--exclude-group"
    r"|--tag[= ]~|-t ~|--grep\b.*(?:--invert|-i\b)|--invert\b|-Dtest=!|-x test\b|-E [^\n]*|--exclude-regex|--filter[= ]['\"]?(?:!|\w*!=|FullyQualifiedName!|\"not )|--testPathPattern[= ]|--testNamePattern|--lib\b|--last-failed|--lf\b|--changedSince|--onlyChanged|--findRelatedTests)"
)
LEFT_OUT = re.compile(
    r"testPathIgnorePatterns|modulePathIgnorePatterns|collect_ignore(?:_glob)?|norecursedirs|\bexclude\b|\bexcludes\b|<exclude>|excludeTestsMatching|excludeTags|excludedGroups|filter_out|--ignore(?:-glob)?\b|--deselect|addopts"
    r"|test_ignore_filters|exclude_pattern|\bignore\b|skipTests|\bspecIgnore|testIgnore|excludeSpecPattern|excludeTestFiles|\bskip\b|DISABLED"
)
TEST_FILE_NAMED = re.compile(
    r"[\w/*.-]*(?:test_[\w*-]+\.py(?:::[\w:\[\]]+)?|[\w*-]+_test\.(?:py|go|exs|rb|dart|ts)|[\w*.-]+\.(?:test|spec)\.[cm]?[jt]sx?|[\w*-]+_spec\.rb|[\w*]+Tests?\.(?:java|kt|php|cs|swift)|\*\*/[\w*]*Tests?\b[\w*.]*|[\w./]*\btests?/[\w*/-]+|::test_\w+)"
)
EVERYTHING = re.compile(
    r"^\**/?\*?(?:\.?(?:test|spec))?\.?\*?$|node_modules|dist\b|build\b|e2e|\.venv|vendor|fixtures?|__pycache__|\.git\b|worktree|examples?|benchmarks?|tmp|snapshots?|helpers?|utils?|mocks?|integration|setup"
)
"""What is left out everywhere: it takes no unit test away."""
TEST_KEY = re.compile(
    r"^\s*['\"]?(?:test|tests|check|verify|ci|test:\w+|test-\w+|pretest|posttest)['\"]?\s*[:=]"
)
DOES_NOTHING = re.compile(
    r"[:=]\s*['\"]?(?:echo\b|true\b|:(?:\s|['\"])|exit 0|printf\b|node -e\b|sleep\b)|^\t@?(?:echo|true|:|exit 0)\b"
)
