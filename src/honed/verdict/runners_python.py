"""Python's test runners.  Sources: each runner's ``--help`` and documented exit codes."""

from __future__ import annotations

from honed.verdict.runners_model import Exit, runner

_NO_TESTS = Exit("nothing", "no tests were collected")
_USAGE = Exit("nothing", "the runner refused its arguments: no test ran")

_PYTEST_EXITS = {
    2: Exit("fail", "the run was cut short (collection errors or an interrupt)"),
    3: Exit("fail", "the runner crashed"),
    4: _USAGE,
    5: _NO_TESTS,
}

ROWS = (
    runner(
        "pytest",
        "pytest | py.test | ptw | pytest-watch | hatch test | rye test | uv test",
        "pytest",
        lists="-V --collect-only --co --fixtures --funcargs --fixtures-per-test --markers --setup-plan"
        " --cache-show --trace-config-only",
        narrows="-k -m --deselect --ignore --ignore-glob --testmon-datafile --splits --group --shard-id",
        flags="--lf --last-failed --sw --stepwise --testmon --picked --runfailed --sw-skip",
        values="-p -c -o --rootdir --confcutdir --import-mode --override-ini --basetemp --junitxml "
        "--junit-xml"
        " --ds --reruns --timeout --random-order-seed --html --log-file",
        noise="-q -qq -qqq -v -vv -vvv --verbose --quiet -s -x -l --showlocals --exitfirst --no-header"
        " --no-summary -rA -ra -rf -rs -rfE -rN -rxX -rP --color* --tb* --cov* --no-cov* --durations*"
        " --capture* --maxfail* --ff --failed-first --nf --cache-clear --show-capture* --disable-warnings"
        " --disable-pytest-warnings -n* --dist* --strict* --verbosity* --numprocesses* --full-trace"
        " --junitxml* --junit-xml* --html* --self-contained-html --forked -W* --pdb --benchmark-disable",
        noise_values="--tb --color --maxfail -n -r -W --durations --numprocesses --dist --junitxml"
        " --junit-xml --html --log-cli-level --verbosity --capture",
        exits=_PYTEST_EXITS,
        recursive=True,
    ),
    runner(
        "unittest",
        "python -m unittest | unit2 | trial | nose2 | nosetests | green | python setup.py test",
        "unittest|pytest",
        narrows="-k -p --pattern",
        values="-s --start-directory -t --top-level-directory",
        noise="-v --verbose -q --quiet -f --failfast -c --catch -b --buffer --locals",
        exits={5: _NO_TESTS},
    ),
    runner(
        "doctest",
        "python -m doctest",
        "doctest",
        noise="-v -f --fail-fast",
        values="-o --option",
        silent=True,
    ),
    runner(
        "django",
        "python manage.py test | manage.py test | django-admin test | python -m django test"
        " | python runtests.py | runtests.py",
        "unittest|pytest",
        narrows="-k --tag --exclude-tag -p --pattern",
        values="--settings --pythonpath -t --top-level-directory --testrunner",
        noise="--noinput --no-input --keepdb -v -v2 -v0 --failfast --parallel* --traceback --no-color"
        " --force-color --timing --buffer --shuffle --debug-mode --verbosity*",
        noise_values="-v --verbosity --parallel",
    ),
    runner(
        "behave",
        "behave | python manage.py behave | lettuce | radish | aloe",
        "behave",
        lists="--dry-run -d --steps-catalog --tags-help --lang-list",
        narrows="-t --tags -n --name -i --include -e --exclude",
        values="-D --define -o --outfile --junit-directory --stage",
        noise="--no-color --color* --no-capture -q --quiet -v --verbose --stop -k --no-skipped "
        "--show-timings",
        noise_values="-f --format",
    ),
    runner(
        "robot",
        "robot | pabot | rebot | python -m robot",
        "robot",
        lists="--dryrun",
        narrows="-t --test -s --suite -i --include -e --exclude --task",
        values="-v --variable -V --variablefile -d --outputdir -o --output -l --log -r --report -P -x -L",
        exits={
            252: _USAGE,
            253: Exit("unknown", "the run was stopped by the user"),
            255: Exit("fail", "the runner crashed"),
        },
    ),
    runner(
        "tox",
        "tox | python -m tox | tox run/run-parallel/r/p",
        "",
        lists="-l --listenvs -a --listenvs-all --showconfig --devenv --notest -n list config devenv l c d",
        narrows="-e -f -m --skip-env",
        values="-c --conf --workdir -x",
        noise="-q -v -vv -r --recreate --parallel* -p -o --skip-missing-interpreters",
        noise_values="-p --parallel",
        exits={254: _USAGE},
    ),
    runner(
        "nox",
        "nox | python -m nox",
        "",
        lists="-l --list --list-sessions --install-only",
        narrows="-s -e --session --sessions -k --keywords -t --tags -p --python --pythons",
        values="-f --noxfile --envdir",
        noise="-r -R -N --reuse-existing-virtualenvs --no-install -v --verbose -x --stop-on-first-error"
        " --no-color --nocolor --forcecolor --error-on-missing-interpreters",
        exits={3: _USAGE},
    ),
    runner("sqlfluff-test", "dbt test/build", "own words|steps", narrows="-s --select -m --models --exclude"),
    runner("molecule", "molecule test/verify", "steps", narrows="-s --scenario-name"),
)
