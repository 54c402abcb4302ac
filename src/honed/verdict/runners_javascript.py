"""JavaScript's test runners.  Sources: each runner's ``--help`` and documented exit codes."""

from __future__ import annotations

from honed.verdict.runners_model import runner

_JEST = {
    "lists": "--listTests --showConfig --clearCache --init -v",
    "narrows": "-t --testNamePattern --testPathPattern --testPathPatterns --selectProjects --ignoreProjects"
    " --changedSince --shard --testPathIgnorePatterns --runTestsByPath --findRelatedTests",
    "flags": "-o --onlyChanged --onlyFailures -f --lastCommit",
    "values": "-c --config --rootDir --env --testEnvironment --setupFilesAfterEnv --reporters --outputFile"
    " --testTimeout --maxWorkers -w --seed",
    "noise": "--ci --silent --verbose --no-color --colors --color --forceExit --detectOpenHandles"
    " --runInBand -i"
    " --bail* -b --no-cache --coverage* --collectCoverage* --watchAll=false --watch=false --no-watch"
    " --logHeapUsage --json --expand --maxWorkers=* --passWithNoTests --errorOnDeprecated --no-coverage"
    " --reporters=* --silent=* --verbose=* --coverage=*",
    "noise_values": "--maxWorkers -w",
}

ROWS = (
    runner(
        "jest",
        "jest | react-scripts test | craco test | vue-cli-service test:unit | jest-cli | stencil test"
        " | react-app-rewired test | kcd-scripts test | wp-scripts test-unit-js | aegir test | tsdx test",
        "jest",
        **_JEST,  # type: ignore[arg-type]
    ),
    runner(
        "vitest",
        "vitest run/related/watch/dev | vitest",
        "vitest|node:test|tap|jest",
        lists="list init -v bench",
        narrows="-t --testNamePattern --project --shard --exclude --changed --dir",
        values="-c --config -r --root --environment --mode --outputFile --reporter --pool --testTimeout"
        " --maxWorkers --minWorkers --browser",
        noise="--silent* --reporter=* --no-color --color --coverage* --coverage.* --bail* --run --ui "
        "--watch=false"
        " --no-watch --passWithNoTests --no-file-parallelism --no-isolate --hideSkippedTests --no-coverage"
        " --pool=* --logHeapUsage --dangerouslyIgnoreUnhandledErrors=false",
        noise_values="--reporter",
    ),
    runner(
        "mocha",
        "mocha | electron-mocha | mochapack | vscode-test | _mocha | ts-mocha",
        "mocha|node:test|tap",
        lists="-V --list-files --dry-run --list-interfaces --list-reporters",
        narrows="-g --grep -f --fgrep --ignore --exclude --spec --label --run",
        flags="-i --invert --forbid-only",
        values="-r --require --import --loader --config --package --opts --timeout -t --file --extension "
        "--ui "
        "-u",
        noise="--exit --no-color --color --colors -c -C --bail -b --parallel -p --check-leaks --recursive"
        " --full-trace --inline-diffs --no-exit --reporter=* --timeout=* --retries=*",
        noise_values="-R --reporter --timeout -t --retries -O --reporter-option --reporter-options -j --jobs "
        "-s "
        "--slow",
    ),
    runner(
        "node:test",
        "node --test | tsx --test | node --experimental-test | ts-node --test",
        "node:test|tap",
        narrows="--test-name-pattern --test-skip-pattern --test-shard",
        flags="--test-only",
        values="-r --require --import --loader --experimental-loader -C --conditions --env-file --tsconfig",
        noise="--test-reporter=* --test-concurrency=* --test-timeout=* --experimental-* --no-warnings"
        " --enable-source-maps --trace-warnings --test-force-exit --test-isolation=*",
        noise_values="--test-reporter --test-reporter-destination --test-concurrency --test-timeout",
    ),
    runner(
        "ava",
        "ava",
        "ava|tap|node:test",
        narrows="-m --match",
        values="--config -T --timeout --node-arguments -c --concurrency",
        noise="-v --verbose -t --tap -s --serial --fail-fast --color --no-color --update-snapshots -u",
        noise_values="-T --timeout -c --concurrency",
    ),
    runner(
        "bun",
        "bun test",
        "bun|own words",
        narrows="-t --test-name-pattern --path-ignore-patterns",
        flags="--only --todo",
        values="--preload -r --timeout --rerun-each --bail --reporter-outfile --config -c --env-file",
        noise="--coverage* --bail* --timeout=* --silent --dots --only-failures --reporter=* --no-color "
        "--smol",
        noise_values="--timeout --reporter --coverage-reporter --coverage-dir",
    ),
    runner(
        "deno",
        "deno test",
        "deno|tap",
        lists="--no-run",
        narrows="--filter --ignore",
        values="-c --config --import-map --reporter --junit-path --env-file --seed",
        noise="-q --quiet --parallel --fail-fast* --trace-leaks --coverage* --no-check --check --reload -r -A"
        " --allow-* --unstable* --shuffle --reporter=*",
        noise_values="--reporter",
    ),
    runner(
        "playwright",
        "playwright test | playwright-test | pwt | cypress-playwright",
        "playwright|node:test",
        lists="--list",
        narrows="-g --grep --grep-invert --project --shard --only-changed --test-list",
        flags="--last-failed",
        values="-c --config --output --trace --global-timeout --tsconfig --name",
        noise="--reporter=* --workers=* --headed --quiet --retries=* --timeout=* --trace=* --max-failures=* "
        "-x"
        " --forbid-only --pass-with-no-tests --ui --debug --update-snapshots=none",
        noise_values="--reporter --workers -j --retries --timeout --max-failures",
    ),
    runner(
        "cypress",
        "cypress run | cypress-parallel",
        "cypress|mocha",
        lists="verify info cache",
        narrows="-s --spec --group --tag",
        values="-b --browser -C --config-file -c --config -e --env -P --project -k --key --ci-build-id",
        noise="--headless --headed -q --quiet --reporter=* --no-exit --record",
        noise_values="-r --reporter -o --reporter-options -p --port",
        operands=False,
    ),
    runner("karma", "karma start/run", "karma|mocha", noise="--single-run --no-auto-watch --browsers=*"),
    runner(
        "jasmine", "jasmine | jasmine-ts | jasmine-browser-runner runSpecs", "karma|mocha", narrows="--filter"
    ),
    runner(
        "angular",
        "ng test/e2e/t",
        "karma|jest|vitest|mocha|playwright|cypress",
        noise="--watch=false --no-watch --browsers=* --no-progress --code-coverage",
        narrows="--include --project",
    ),
    runner(
        "tap",
        "tap | tape | tap-run | uvu | zora | wtr | web-test-runner | testcafe | taiko | lab | qunit | "
        "wdio run | intern | storybook test | test-storybook | nightwatch | codeceptjs run | detox test",
        "tap|node:test|mocha|jest|ava|own words",
    ),
    runner(
        "hardhat",
        "hardhat test | truffle test | anchor test | ape test | brownie test",
        "mocha|foundry|pytest",
    ),
    runner("newman", "newman run | k6 run | artillery run | hurl --test", "own words"),
)
