"""How the runners of the rarer languages sum up, what task runners say of a failed step, and what
every shell says of a program that does not exist.

Sources: the tools' own output (Test::Harness 3, Pester 4 and 5, busted 2, clojure.test, kaocha,
testthat 3, Julia 1, hspec, tasty, HUnit, cabal 3, stack 2, Alcotest, OUnit, Foundry, terraform,
OPA; npm 6 to 11, pnpm 7 to 10, yarn 1 and 4, bun, turbo, nx, lerna, GNU make, just, task, mise, rake,
husky, pre-commit; bash, zsh, dash, fish, PowerShell, cmd in their usual languages).
"""

from __future__ import annotations

from honed.verdict.summaries_model import Grammar, Line, count, labels, pairs, said

PROVE = Grammar(
    "prove",
    (
        said("empty", "Result: NOTESTS", r"Result: NOTESTS$"),
        said("good", "Result: PASS", r"Result: PASS$"),
        said("bad", "Result: FAIL", r"Result: FAIL$", level=3),
        count("Files=", r"Files=\d+, Tests=(?P<t>\d+),", level=3),
        said("bad", "Failed ", r"Failed \d+/\d+ subtests"),
        said("good", "All tests successful.", r"All tests successful\.$"),
    ),
    failing=("Result: FAIL",),
    passing=("Result: PASS", "All tests successful."),
    names=(r"(?m)^(?P<n>\S+)[ \t]+\(Wstat: (?!0 )",),
)

PESTER = Grammar(
    "pester",
    (labels("Tests Passed: ", r"Tests Passed: \d+,? Failed: \d+(?:,? \w+:? \d+){0,4}"),),
    failing=("Tests Passed: 2, Failed: 1, Skipped: 0",),
    passing=("Tests Passed: 3, Failed: 0, Skipped: 0",),
    names=(r"(?m)^[ \t]*\[-\] (?P<n>[^\n]{1,200}?) [\d.]+m?s(?: \(|$)",),
)

BUSTED = Grammar(
    "busted",
    (pairs(" successes / | success / ", r"\d+ success(?:es)? / \d+ failures? / \d+ errors? / \d+ pending"),),
    failing=("0 successes / 1 failure / 0 errors / 0 pending : 0.1 seconds",),
    passing=("2 successes / 0 failures / 0 errors / 0 pending : 0.1 seconds",),
    names=(r"(?m)^Failure -> (?P<n>[^\n]{1,200})$",),
)

CLOJURE = Grammar(
    "clojure.test",
    (
        count(" failures, | failure, ", r"(?P<f>\d+) failures?, (?P<e>\d+) errors?\.?$"),
        count(" assertions.", r"Ran (?P<t>\d+) tests? containing \d+ assertions?\."),
        pairs(" assertions, ", r"\d+ tests?, \d+ assertions?, (?:\d+ \w+, )?\d+ failures?\.?$"),
    ),
    failing=("1 failures, 0 errors.",),
    passing=("Ran 3 tests containing 5 assertions.", "0 failures, 0 errors."),
    names=(r"(?m)^(?:FAIL|ERROR) in \(?(?P<n>[^)\n]{1,200})\)",),
)

TESTTHAT = Grammar(
    "testthat",
    (
        count("[ FAIL ", r"\[ FAIL (?P<f>\d+) \| WARN \d+ \| SKIP (?P<s>\d+) \| PASS (?P<p>\d+) \]"),
        said("good", "Status: OK", r"Status: OK$"),
        said("bad", "Status: ", r"Status: .*\bERROR", level=3),
        said("good", "Status: ", r"Status: \d+ (?:WARNING|NOTE)"),
    ),
    failing=("[ FAIL 1 | WARN 0 | SKIP 0 | PASS 2 ]", "Status: 1 ERROR"),
    passing=("[ FAIL 0 | WARN 0 | SKIP 0 | PASS 3 ]", "Status: OK"),
    names=(r"(?m)^(?:── )?(?:Failure|Error) \((?P<n>[^)\n]{1,200})\)",),
)

JULIA = Grammar(
    "julia",
    (
        pairs("Some tests did not pass: ", r"(?:ERROR: LoadError: |ERROR: )?Some tests did not pass: .*"),
        # Written out, for the cue holds the mark that else stands between cues.
        Line("count", ("| ",), r"\S.{0,100}\|[ \t]+(?P<p>\d+)[ \t]+(?P<t>\d+)(?:[ \t]+[\d.]+m?s)?$"),
        said("good", " tests passed", r"Testing \S+ tests passed"),
        said("bad", "errored during testing", r"ERROR: Package \S+ errored during testing", level=3),
    ),
    failing=("ERROR: LoadError: Some tests did not pass: 2 passed, 1 failed, 0 errored, 0 broken.",),
    passing=("     Testing Toy tests passed ",),
    names=(r"(?m)^(?P<n>\S[^\n:]{0,150}): (?:Test Failed|Error During Test) at ",),
    distinct=False,
)

HASKELL = Grammar(
    "haskell",
    (
        count("tests passed (", r"All (?P<p>\d+) tests passed \([\d.]+s\)"),
        count("tests failed (", r"(?P<f>\d+) out of (?P<t>\d+) tests failed \([\d.]+s\)"),
        labels("Cases: ", r"(?:FAILED: )?Cases: \d+[ \t]+Tried: \d+[ \t]+Errors: \d+[ \t]+Failures: \d+"),
        count("+++ OK, passed ", r"\+\+\+ OK, passed \d+ tests", level=1, one="passed"),
        count("*** Failed! ", r"\*\*\* Failed! ", level=1, one="failed"),
        count(" test suites (", r"(?P<p>\d+) of (?P<t>\d+) test suites \(.*\) passed\.$", level=1),
        said("bad", "Test suite ", r"Test suite (?:\S+: FAIL|failure for package)", level=3),
        said("good", "Test suite ", r"Test suite \S+(?:: PASS| passed)"),
        said("bad", "Tests failed for", r"Error: .*Tests failed for", level=3),
    ),
    failing=("1 out of 3 tests failed (0.01s)", "Test suite spec: FAIL"),
    passing=("All 3 tests passed (0.01s)", "Test suite spec: PASS"),
)

OCAML = Grammar(
    "ocaml",
    (
        count("Test Successful in", r"Test Successful in .* (?P<p>\d+) tests? run"),
        count("failure! in |failures! in ", r"(?P<f>\d+) failures?! in .* \d+ tests? run"),
        count("Ran: ", r"Ran: (?P<t>\d+) tests in: "),
        labels("FAILED: Cases: ", r"FAILED: Cases: \d+ Tried: \d+ Errors: \d+ Failures: \d+", level=3),
    ),
    failing=("1 failure! in 0.001s. 3 tests run.",),
    passing=("Test Successful in 0.001s. 3 tests run.",),
)

CHAIN = Grammar(
    "foundry",
    (
        pairs("Suite result: ", r"Suite result: (?:ok|FAILED)\. \d+ passed; \d+ failed; \d+ skipped"),
        pairs(
            "tests passed, ", r"Ran \d+ test suites? .*: \d+ tests passed, \d+ failed, \d+ skipped", level=3
        ),
        pairs("Success! |Failure! ", r"(?:Success|Failure)! \d+ passed, \d+ failed(?:, \d+ skipped)?\."),
        pairs(" exceptions", r"\d+ tests?, \d+ passed, \d+ warnings?, \d+ failures?, \d+ exceptions?"),
        count("PASS: ", r"PASS: (?P<p>\d+)/(?P<t>\d+)$"),
        count("FAIL: ", r"FAIL: (?P<f>\d+)/\d+$"),
        said("bad", "TEST RUN FAILED", r"TEST RUN FAILED", level=3),
        said("good", "TEST RUN PASSED", r"TEST RUN PASSED"),
    ),
    failing=("Suite result: FAILED. 2 passed; 1 failed; 0 skipped", "Failure! 2 passed, 1 failed."),
    passing=("Suite result: ok. 3 passed; 0 failed; 0 skipped", "Success! 3 passed, 0 failed."),
    names=(r"(?m)^\[FAIL[^\]\n]{0,200}\] (?P<n>\w+)\(",),
)

LOOSE = Grammar(
    "own words",
    (
        pairs(
            "passed",
            r"(?:\W{0,4}\s*)?(?:\w[\w ]{0,30}: )?(?:\d+/)?\d+ passed\b\W{1,4}(?:and )?\d+ failed\b.{0,80}$",
        ),
        labels(
            "assed: |ASS: |ass: |assed=|assed ",
            r".{0,40}\b[Pp](?:assed|ass|ASSED|ASS)[ \t]?[:= ][ \t]?\d+\W{1,6}[ \t]*[Ff](?:ailed|ail|AILED"
            r"|AIL)[ \t]?[:= ][ \t]?\d+",
        ),
        count(
            "assed:|PASSED:|PASS:", r"(?:.{0,10}\b)?(?:Tests? )?(?:[Pp]assed|PASSED|PASS):[ \t]+(?P<p>\d+)$"
        ),
        count(
            "ailed:|FAILED:|FAIL:", r"(?:.{0,10}\b)?(?:Tests? )?(?:[Ff]ailed|FAILED|FAIL):[ \t]+(?P<f>\d+)$"
        ),
        count(
            " passed| passing| PASSED| ok| OK",
            r"(?:\W{0,4}[ \t]*)?(?P<p>\d+)/(?P<t>\d+) (?:tests? )?(?:passed|passing|PASSED|ok|OK)\b.{0,40}$",
        ),
        said(
            "good",
            "ll tests passed|LL TESTS PASSED",
            r"(?:\W{0,4}[ \t]*)?(?:All|ALL) (?:tests|TESTS) (?:passed|PASSED)",
        ),
    ),
    failing=("2 passed, 1 failed", "Failed: 1"),
    passing=("3 passed, 0 failed", "Passed: 3"),
    distinct=False,
    yields=True,
)

STEPS = Grammar(
    "steps",
    (
        said(
            "step_failed",
            'error: script "',
            r'error: script "(?P<w>[^"]+)" (?:exited with code|was terminated by)',
        ),
        said("step_failed", "Lifecycle script", r"Lifecycle script `(?P<w>[^`]+)` failed"),
        said("step_failed", "Test failed.", r".*Test failed\.\s+See above for more details"),
        said("step_failed", "ELIFECYCLE", r"(?:npm (?:ERR!|error) code |\W{0,3}\s?)ELIFECYCLE(?P<w>)"),
        said(
            "step_failed",
            "ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL",
            r".*ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\]?\s+\S+ (?P<w>[\w:.-]+):",
        ),
        said(
            "step_failed", "error Command failed with exit code", r"error Command failed with exit code \d+"
        ),
        said("step_failed", "ERROR  run failed", r"ERROR\s+run failed: command\s+exited"),
        said("step_failed", "Failed:   ", r"Failed:\s+\S+#(?P<w>[\w:.-]+)"),
        said("step_failed", "Ran target ", r"NX\s+Ran target (?P<w>[\w:.-]+) for .*(?<!successfully)$"),
        said("good", "Successfully ran target", r"NX\s+Successfully ran target"),
        said(
            "step_failed",
            "***",
            r"\S*make(?:\[\d+\])?: \*\*\* \[(?:[^\]:]*:\d+: )?(?P<w>[^\]]+)\] (?:Error|Fehler|Erreur"
            r"|Ошибка|エラー|错误|Помилка|Błąd) \d+",
        ),
        said("step_failed", "ERROR task failed", r"(?:\[(?P<w>[^\]]+)\] )?(?:mise )?ERROR task failed"),
        said("step_failed", "error: Recipe `", r"error: Recipe `(?P<w>[^`]+)` failed"),
        said("step_failed", "Failed to run task", r'task: Failed to run task "(?P<w>[^"]+)"'),
        said(
            "step_failed",
            "script failed (code|hook failed (code",
            r"husky - \S+ (?:script|hook) (?:failed|exited)",
        ),
        said("step_failed", "rake aborted!", r"rake aborted!"),
        said("step_failed", " returned with error code", r"Script .* returned with error code \d+"),
        said("empty", "no test specified", r".*Error: no test specified"),
        said("good", "Finished in ", r"Finished in [\d.]+\s?m?s$"),
    ),
    failing=(
        "[test] ERROR task failed",
        'error: script "test" exited with code 1',
        " ELIFECYCLE  Test failed. See above for more details.",
        "make: *** [Makefile:2: test] Error 1",
        "error: Recipe `test` failed on line 2 with exit code 1",
    ),
    passing=("Finished in 1.2s",),
    distinct=False,
)

_SHELL = (
    r"(?:(?:/\S*/)?(?:ba|z|da|k|a|fi)?sh(?:\.exe)?(?:\[\d+\])?:(?: line)? ?(?:\d+:)? ?|zsh:\d+: |-?bash: "
    r"|env: |xargs: )?"
)

MISSING = Grammar(
    "missing",
    (
        said(
            "missing",
            "command not found|ommande introuvable|efehl nicht gefunden|ommando nicht gefunden|оманда не "
            "найдена"
            "|rden no encontrada|omando não encontrado|未找到命令"
            "|コマンドが見つかりません|comando non trovato",
            rf"{_SHELL}(?:command not found: )?(?P<w>[^\s:,]+)(?:$|: ?(?:command not found|[^\s].*))",
        ),
        said("missing", ": not found", rf"{_SHELL}(?P<w>[^\s:]+): not found$"),
        said("missing", "fish: Unknown command", r"fish: Unknown command:? '?(?P<w>[^\s']+)"),
        said(
            "missing",
            "No such file or directory",
            rf"{_SHELL}(?P<w>\S+): (?:cannot execute: )?No such file or directory$",
        ),
        said("missing", "can't open file", r".*: can't open file '(?P<w>[^']+)': \[Errno 2\]"),
        said(
            "missing",
            "cannot execute|ermission denied",
            rf"{_SHELL}(?P<w>\S+): (?:cannot execute|[Pp]ermission denied)",
        ),
        said("missing", "No module named ", r"\S*python[\d.]*(?:\.exe)?: No module named (?P<w>[\w.]+)"),
        said(
            "missing",
            "is not recognized|nicht als Name|wurde nicht gefunden|n'est pas reconnu|не является "
            "внутренней|не распознано",
            r"(?:The term )?\W?(?P<w>[^\s'\"»”]{1,200})\W? ?:? ?(?:is not recognized|Die Benennung|Der Befehl"
            r"|Le terme|n'est pas reconnu|не является|Имя|.*wurde nicht)",
        ),
        said("missing", "Missing script: ", r"(?:npm (?:ERR!|error) )?Missing script: \"?(?P<w>[^\"\s]+)"),
        said("missing", "missing script: ", r"npm ERR! missing script: (?P<w>\S+)"),
        said("missing", "ERR_PNPM_NO_SCRIPT", r".*ERR_PNPM_NO_SCRIPT\w*\W+Missing script: (?P<w>\S+)"),
        said("missing", "Script not found ", r'error: Script not found "(?P<w>[^"]+)"'),
        said(
            "missing",
            'Command "',
            r'(?:.*ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\W+|error )?Command "(?P<w>[^"]+)" not found',
        ),
        said(
            "missing",
            "No package.json|ENOENT",
            r".*(?:No package\.json|ERR_PNPM_NO_IMPORTER_MANIFEST|code ENOENT|npm (?:ERR!|error) enoent)",
        ),
        said(
            "missing",
            "UNSUPPORTED_ENGINE|EBADENGINE|is incompatible with this module",
            r"(?:.*ERR_PNPM_UNSUPPORTED_ENGINE|npm (?:ERR!|error) code EBADENGINE"
            r"|error .* is incompatible with this module)",
        ),
        said("missing", "ERR_PNPM_", r".*ERR_PNPM_(?!RECURSIVE_|LIFECYCLE)[A-Z_]+"),
        said("missing", "No projects matched the filters", r"No projects matched the filters"),
        said(
            "missing",
            "could not determine executable to run|code E404",
            r"npm (?:ERR!|error) (?:could not determine|code E404)",
        ),
        said(
            "missing",
            "No rule to make target",
            r"\S*make(?:\[\d+\])?: \*\*\* No rule to make target [`'](?P<w>[^']+)'",
        ),
        said(
            "missing",
            "no targets specified and no makefile",
            r"make: \*\*\* No targets specified and no makefile",
        ),
        said(
            "missing",
            "unrecognized subcommand|unknown command",
            r"(?:error: |Error: )?(?:unrecognized subcommand|unknown command:?) [\"'`]?(?P<w>[^\"'`\s]+)",
        ),
        said(
            "missing",
            "ustfile does not contain recipe|ustfile found",
            r"(?:error: )?(?:Justfile does not contain recipe `(?P<w>[^`]+)`|No justfile found)",
        ),
        said("missing", "no task ", r"(?:mise )?ERROR no task (?P<w>\S+) found"),
        said("missing", "does not exist", r'task: Task "(?P<w>[^"]+)" does not exist'),
        said("missing", "Failed to spawn: ", r"error: Failed to spawn: `(?P<w>[^`]+)`"),
        said("missing", "Command not found: ", r"Command not found: (?P<w>\S+)"),
        said(
            "missing",
            "bundler: command not found|bundler: failed to load",
            r"bundler: (?:command not found: |failed to load command: )(?P<w>\S+)",
        ),
        said(
            "missing",
            "Could not find gem|Bundler could not find|Could not locate Gemfile",
            r".*(?:Could not find (?:gem|\S+ in)|Bundler could not|Could not locate Gemfile)",
        ),
        said(
            "missing",
            "Cannot connect to the Docker daemon|docker daemon running",
            r".*(?:Cannot connect to the Docker daemon|docker daemon running)",
        ),
        said(
            "missing",
            "No such container|is not running",
            r"(?:Error(?: response from daemon)?: (?:No such container: )?|service \"|no such service: )"
            r"(?P<w>)",
        ),
        said("missing", "pyenv: ", r"pyenv: (?P<w>\S+): command not found"),
        said("missing", "pyenv: version `", r"pyenv: version `"),
        said(
            "missing", "No version is set|no version set", r".*(?:No version is set for|no version set for)"
        ),
    ),
    distinct=False,
)

GRAMMARS = (PROVE, PESTER, BUSTED, CLOJURE, TESTTHAT, JULIA, HASKELL, OCAML, CHAIN, LOOSE, STEPS, MISSING)
