"""Test runners of Ruby, PHP, the JVM, .NET, the BEAM, Dart and the rarer languages.

Sources: each tool's help and documentation.
"""

from __future__ import annotations

from honed.verdict.runners_model import Exit, runner

_NO_TESTS = Exit("nothing", "no tests were found")

ROWS = (
    runner(
        "rspec",
        "rspec | spring rspec | parallel_rspec | guard rspec | turbo_tests | shellspec | crystal spec",
        "rspec",
        lists="--dry-run -v --init",
        narrows="-e --example -E --example-matches -t --tag -P --pattern --exclude-pattern",
        flags="--only-failures --next-failure -n",
        values="-I -r --require -O --options --seed --order -f --format -o --out",
        noise="--color --force-color --no-color --fail-fast* -b --backtrace -p --profile* --format=* "
        "--order=*"
        " -fd -fp --no-profile -w --warnings",
        noise_values="-f --format --order --seed -o --out",
        recursive=True,
    ),
    runner(
        "minitest",
        "rails test/test:all/test:system | ruby bin/rails test | spring rails test | m | parallel_test | "
        "rails t",
        "minitest|rspec",
        narrows="-n --name -e --exclude -i --include",
        values="-s --seed --environment",
        noise="-v --verbose -d --defer-output -b --backtrace -f --fail-fast -c --color -p --pride",
        noise_values="-s --seed -e",
    ),
    runner(
        "phpunit",
        "phpunit | simple-phpunit | pest | paratest | php artisan test | artisan test | sail test/artisan"
        " | codecept run | phpspec run | php bin/phpunit | behat | kahlan | atoum | php vendor/bin/phpunit",
        "phpunit|rspec|tap|behave",
        lists="--list-tests --list-suites --list-groups --list-tests-xml --check-version "
        "--generate-configuration",
        narrows="--filter --group --exclude-group --testsuite --exclude-testsuite --test-suffix --tags "
        "--name",
        flags="--dirty --retry",
        values="-c --configuration --bootstrap --cache-directory --env -d",
        noise="--colors* --testdox --stop-on-failure --stop-on-error --no-coverage --coverage* -v --verbose "
        "--debug"
        " --no-progress --no-output --compact --parallel --bail --ci --profile --teamcity",
        noise_values="--coverage-html --coverage-clover --log-junit --processes -p",
    ),
    runner(
        "maven",
        "mvn/mvnw/mvnd "
        "*test/verify/integration-test/install/surefire:test/failsafe:integration-test/failsafe:verify",
        "maven",
        lists="-v --show-version-only -DskipTests -DskipTests=true -Dmaven.test.skip=true -Dmaven.test.skip"
        " help:effective-pom dependency:tree -DskipITs=all",
        narrows="-pl --projects -Dtest -Dit.test -Dgroups -Dsurefire.includes",
        values="-f --file -s --settings -P --activate-profiles -T --threads -rf",
        noise="-q --quiet -B --batch-mode -ntp --no-transfer-progress -o --offline -U -e -X -am --also-make "
        "-fae"
        " -ff -T* -DtrimStackTrace=false -Dstyle.color=* --fail-at-end -Dsurefire.useFile=false",
        noise_values="-T --threads -l --log-file",
        operands=False,
    ),
    runner(
        "gradle",
        "gradle/gradlew *~test/check/connectedCheck",
        "gradle|maven",
        lists="--dry-run -m tasks -v --help --status",
        narrows="--tests -x --exclude-task",
        values="-p --project-dir -b --build-file -c -I -P -D",
        noise="--no-daemon --daemon -q --quiet -i --info -s --stacktrace --console=* --rerun-tasks --continue"
        " --parallel --build-cache --no-build-cache --offline --warning-mode=* --configuration-cache"
        " --no-configuration-cache -S -d --debug --rerun --scan --no-scan",
        noise_values="--console --warning-mode --max-workers",
        operands=False,
        silent=True,
    ),
    runner(
        "sbt",
        "sbt *~test | mill *~test | bloop test | scala-cli test | scala test",
        "gradle|maven",
        noise="-no-colors -Dsbt.color=*",
        operands=False,
    ),
    runner(
        "ant",
        "ant test/check | bb test | clj/clojure -X:test/-M:test/-T:test | lein test/midje/kaocha/eftest | "
        "boot test | kaocha",
        "clojure.test|maven|gradle",
        narrows=":only",
    ),
    runner(
        "dotnet",
        "dotnet test | dotnet vstest | vstest.console | nunit3-console | xunit.console | dotnet watch test",
        "dotnet|dotnet labels",
        lists="-t --list-tests",
        narrows="--filter -f --framework --treenode-filter --test-modules",
        values="-c --configuration -r --runtime -s --settings -l --logger -a --arch --results-directory "
        "--collect"
        " -v --verbosity --project --solution -p",
        noise="--no-build --no-restore --nologo --blame* -v:* --verbosity:* -l:* --logger:* --collect:* "
        "--tl:*",
        noise_values="-v --verbosity -l --logger --results-directory --collect",
    ),
    runner(
        "mix",
        "mix test | mix test.* | mix do *test | mix coveralls | mix espec",
        "exunit|exunit result",
        narrows="--only --exclude --include --partitions --max-failures",
        flags="--failed --stale",
        values="--seed --formatter --max-cases",
        noise="--trace --color --no-color --cover --slowest --force --no-start --no-compile "
        "--warnings-as-errors"
        " --seed=* --max-failures=*",
        noise_values="--seed --slowest --formatter --max-failures --max-cases",
        exits={1: Exit("fail", "the tests could not be run")},
        recursive=True,
    ),
    runner(
        "rebar3",
        "rebar3 eunit/ct/proper/as *test | rebar3 *eunit/ct | erlang.mk tests | make eunit",
        "exunit",
        narrows="--module --suite --case --dir --app -m",
    ),
    runner(
        "flutter",
        "flutter test | dart test | dart run *test | melos *test | pub run *test | very_good test | "
        "patrol test",
        "flutter",
        narrows="-n --name -N --plain-name -t --tags -x --exclude-tags --shard-index --total-shards",
        values="-d --device-id --dart-define -p --platform --flavor --reporter -r --timeout -j --concurrency",
        noise="--reporter=* --coverage --no-pub --update-goldens=false --no-color --color --machine "
        "--fail-fast"
        " --concurrency=*",
        noise_values="-r --reporter -j --concurrency --timeout",
        exits={79: _NO_TESTS},
        recursive=True,
    ),
    runner(
        "R",
        "R CMD check | Rscript -e *~test | Rscript *~test | R -e *~test | R --slave -e *~test",
        "testthat|own words",
        noise="--no-manual --as-cran --no-build-vignettes",
    ),
    runner(
        "julia",
        "julia *~test | julia -e *~test",
        "julia",
        values="--project -J -t -e",
        noise="--project* --color=* --startup-file=* --code-coverage* -O* --check-bounds=*",
    ),
    runner(
        "haskell",
        "stack test | cabal test/new-test/v2-test | stack build --test | hspec",
        "haskell|rspec",
        lists="--no-run-tests",
        narrows="--test-arguments --ta -m --match",
        noise="--test-show-details=* --fast -v0 -v1 --enable-coverage",
    ),
    runner(
        "dune",
        "dune test/runtest | dune build *@runtest/@test | opam exec dune test | esy test",
        "ocaml",
        noise="-f --force --no-buffer",
        silent=True,
    ),
    runner(
        "bats",
        "bats",
        "tap",
        lists="-c --count -v",
        narrows="-f --filter --filter-tags --filter-status",
        values="-F --formatter -j --jobs -o --output",
        noise="-t --tap -p --pretty -r --recursive -T --timing -x --trace --print-output-on-failure "
        "--verbose-run",
        noise_values="-F --formatter -j --jobs",
    ),
    runner(
        "prove",
        "prove | yath test | yath | build test | dzil test",
        "prove|tap",
        lists="-D --dry -V",
        values="-I -e --exec -P -j --jobs -a --archive --state",
        noise="-v --verbose -l --lib -b --blib -r --recurse -q -Q --color --nocolor -w -f -lv -lr -vr -lvr "
        "-rl "
        "-j*",
        noise_values="-j --jobs",
    ),
    runner(
        "busted",
        "busted | luarocks test | vusted | lust | resty-busted",
        "busted|tap",
        lists="-l --list",
        narrows="-t --tags --exclude-tags --filter --name",
        noise="-v --verbose -c --coverage --no-auto-insulate",
        noise_values="-o --output",
    ),
    runner(
        "pester",
        "invoke-pester | pester",
        "pester|own words",
        narrows="-testname -fullnamefilter -tag -tagfilter -excludetag -excludetagfilter",
        values="-path -script -configuration -outputfile -outputformat",
        noise="-passthru -ci -enableexit",
        noise_values="-output -show",
    ),
    runner(
        "shunit2",
        "shunit2 | roundup | bashunit | bash_unit | cram | prysk | tush | zunit | expect",
        "",
    ),
)
