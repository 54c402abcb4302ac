"""Test runners of Go, Rust, Zig, Swift and the C family.  Sources: each tool's help and documentation."""

from __future__ import annotations

from honed.verdict.runners_model import Exit, runner

_NO_TESTS = Exit("nothing", "no tests were found")

_GO_VALUES = (
    "-C -o -tags -ldflags -gcflags -mod -modfile -overlay -p -exec -coverprofile -covermode -coverpkg"
    " -memprofile -cpuprofile -blockprofile -outputdir -benchtime -shuffle -vet -parallel -cpu -fuzztime"
)
_GO_NOISE = (
    "-v -x -race -json -failfast -cover -count=* -timeout=* -benchmem -a -parallel=* -cpu=* -p=* -v=*"
    " -test.v -trimpath -coverprofile=* -covermode=* -coverpkg=* -shuffle=* -benchtime=* -fullpath"
)

ROWS = (
    runner(
        "go",
        "go test",
        "go|go json|gotestsum",
        lists="-c -list -n -h -help",
        narrows="-run -skip -bench -fuzz --run",
        flags="-short",
        values=_GO_VALUES,
        noise=_GO_NOISE,
        noise_values="-count -timeout -parallel -cpu -p -coverprofile -covermode -coverpkg -benchtime "
        "-shuffle"
        " -cpuprofile -memprofile",
        recursive=True,
    ),
    runner(
        "gotestsum",
        "gotestsum | richgo test | gotest | gotestdox",
        "gotestsum|go|go json",
        lists="--watch-help",
        narrows="-run -skip --packages",
        flags="-short",
        values="-f --format --junitfile --jsonfile --rerun-fails-max-failures " + _GO_VALUES,
        noise=_GO_NOISE + " --format=* --junitfile=* --jsonfile=* --no-color --hide-summary=* --rerun-fails*",
        noise_values="-f --format --junitfile --jsonfile -count -timeout",
        recursive=True,
    ),
    runner(
        "ginkgo",
        "ginkgo run/watch | ginkgo",
        "ginkgo|go",
        lists="build bootstrap generate labels outline version help --dry-run",
        narrows="--focus --skip --focus-file --skip-file --label-filter -focus -skip",
        values="--procs --timeout --output-dir --junit-report --tags",
        noise="-r -v -vv -p --race --trace --fail-fast --no-color --cover --randomize-all --keep-going "
        "--procs=*",
    ),
    runner(
        "cargo",
        "cargo test/t | cross test | cargo careful/miri test | cargo insta/hack/llvm-cov test | cargo "
        "llvm-cov/tarpaulin",
        "cargo|nextest",
        lists="--no-run --list report clean show-env",
        narrows="-p --package --test --bin --example --bench --exclude --skip",
        flags="--lib --bins --doc --tests --examples --ignored --exact",
        values="--features -F --manifest-path --target --target-dir --profile -Z --config --message-format"
        " --test-threads -j --jobs --color",
        noise="-q --quiet -v -vv --verbose --offline --locked --frozen --no-fail-fast --nocapture "
        "--no-capture"
        " --show-output --color=* --test-threads=* --release -r --message-format=* --jobs=* --html "
        "--summary-only",
        noise_values="--color --test-threads -j --jobs --message-format",
        recursive=True,
    ),
    runner(
        "nextest",
        "cargo nextest run/r | cargo llvm-cov nextest | cargo-nextest",
        "nextest|cargo",
        lists="--no-run list show-config archive self",
        narrows="-p --package --test --bin --example --exclude -E --filterset --filter-expr --partition",
        flags="--lib --bins --tests --ignored --run-ignored=only",
        values="--features -F --manifest-path --target --cargo-profile --profile -P --run-ignored "
        "--archive-file",
        noise="-q --quiet -v --verbose --offline --locked --no-fail-fast --nocapture --no-capture --release "
        "-r"
        " --color=* --retries=* --status-level=* --final-status-level=* --fail-fast --success-output=*",
        noise_values="--color --retries -j --test-threads --status-level --final-status-level "
        "--failure-output",
        exits={4: _NO_TESTS},
        recursive=True,
    ),
    runner(
        "ctest",
        "ctest | cmake --build *test/check",
        "ctest|gtest|catch2",
        lists="-N --show-only --print-labels",
        narrows="-R --tests-regex -E --exclude-regex -L --label-regex -LE --label-exclude -I "
        "--tests-information",
        flags="--rerun-failed",
        values="-C --build-config --timeout --resource-spec-file -S -D -T -M --build --target",
        noise="-V -VV --verbose --output-on-failure -Q --quiet --progress --stop-on-failure -j* --no-tests=* "
        "--schedule-random",
        noise_values="-j --parallel -O --output-log --output-junit --repeat --test-dir=*",
        operands=False,
    ),
    runner(
        "meson",
        "meson test | ninja test/check/meson-test",
        "meson|ctest|gtest",
        lists="--list",
        narrows="--suite --no-suite",
        values="-C --wrapper --setup --repeat -t",
        noise="-v --verbose -q --print-errorlogs --no-rebuild --num-processes=*",
        noise_values="-j --num-processes",
    ),
    runner(
        "bazel",
        "bazel/bazelisk/blaze/buck2/buck/plz/please/pants test/coverage | pants *test",
        "bazel|pytest|go|gtest",
        lists="--build_tests_only-help --nobuild",
        narrows="--test_filter --test_tag_filters --test_lang_filters --test_arg",
        values="--config -c --compilation_mode --jobs",
        noise="--test_output=* --keep_going -k --cache_test_results=* --test_summary=* --color=* --curses=* "
        "--nocache_test_results",
        exits={4: _NO_TESTS, 8: Exit("unknown", "the run was interrupted")},
    ),
    runner(
        "swift",
        "swift test | swift-test",
        "swift",
        lists="--list-tests -l list --show-codecov-path",
        narrows="--filter --skip -s --specifier --test-product",
        values="--package-path -c --configuration --scratch-path --build-path --num-workers -Xswiftc",
        noise="--parallel --quiet -q -v --verbose --enable-code-coverage --no-parallel",
        operands=False,
    ),
    runner(
        "xcodebuild",
        "xcodebuild *test/test-without-building | fastlane test/tests/scan | xctest",
        "swift",
        lists="-list -showdestinations -showsdks -version -dry-run -enumerate-tests",
        narrows="-only-testing -skip-testing -testPlan -only-testing:* -skip-testing:*",
        values="-scheme -project -workspace -destination -configuration -sdk -derivedDataPath "
        "-resultBundlePath",
        noise="-quiet -verbose",
        noise_values="-derivedDataPath -resultBundlePath",
        operands=False,
        exits={65: Exit("fail", "the build or the tests failed")},
    ),
    runner(
        "zig",
        "zig test | zig build *test",
        "zig",
        narrows="--test-filter",
        values="-O -target -M",
        noise="--summary -fsummary",
        silent=True,
    ),
    runner(
        "foundry",
        "forge test/coverage",
        "foundry",
        lists="--list -l",
        narrows="--match-test --mt --match-contract --mc --match-path --mp --no-match-test --nmt",
        noise="-v -vv -vvv -vvvv -vvvvv",
    ),
    runner("terraform", "terraform/tofu test", "foundry", narrows="-filter", noise="-verbose -no-color"),
    runner(
        "opa",
        "opa test | conftest verify | helm unittest | helm test | ct install | kuttl test | chainsaw test",
        "foundry|jest|own words",
    ),
    runner(
        "platformio",
        "pio/platformio test | west twister | nimble test | dub test | raco test | gleam test | roc test "
        "| crystal spec | elm-test | spago test | odin test | v test | nim test | gprbuild test | alr test",
        "",
    ),
)
