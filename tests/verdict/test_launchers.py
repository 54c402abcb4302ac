"""Launchers: what is run in the end, where, and whose status comes back."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.verdict.launcher_table import ROWS
from honed.verdict.launchers import program, proxied, starts_another, unwrap
from honed.verdict.tool_table import TOOLS

COMMANDS = [
    ("pytest -q", "pytest -q"),
    ("env A=1 B=2 pytest", "pytest"),
    ("env -i -u X A=1 pytest", "pytest"),
    ("sudo pytest", "pytest"),
    ("sudo -u me -E A=1 pytest", "pytest"),
    ("nice -n 5 pytest", "pytest"),
    ("nice pytest", "pytest"),
    ("time pytest", "pytest"),
    ("/usr/bin/time -v -o t pytest", "pytest"),
    ("timeout 60 pytest", "pytest"),
    ("timeout -k 5 --signal=KILL 60s pytest", "pytest"),
    ("gtimeout 60 go test", "go test"),
    ("command pytest", "pytest"),
    ("exec pytest", "pytest"),
    ("nohup pytest", "pytest"),
    ("stdbuf -oL -eL pytest", "pytest"),
    ("xvfb-run -a -s '-screen 0' pytest", "pytest"),
    ("caffeinate -i go test", "go test"),
    ("flock /tmp/l go test", "go test"),
    ("strace -f -o log go test", "go test"),
    ("script -q /dev/null pytest -q", "pytest -q"),
    ("xargs -n 1 -I {} pytest {}", "pytest {}"),
    ("xargs -r0 pytest", "pytest"),
    ("find . -name x -exec pytest {} ;", "pytest {}"),
    # Python
    ("uv run pytest -q", "pytest -q"),
    ("uv run --with x --python 3.12 pytest", "pytest"),
    ("uv run -- pytest -q", "pytest -q"),
    ("uv run -m pytest x", "python -m pytest x"),
    ("uv run manage.py test", "python manage.py test"),
    ("uv --directory d run pytest", "pytest"),
    ("uvx pytest@8.1 -q", "pytest -q"),
    ("uvx --from x --with y pytest", "pytest"),
    ("uv tool run ruff check", "ruff check"),
    ("pipx run black .", "black ."),
    ("poetry run pytest", "pytest"),
    ("poetry -C d run pytest", "pytest"),
    ("pipenv run pytest", "pytest"),
    ("pdm run -p d pytest", "pytest"),
    ("hatch run pytest", "pytest"),
    ("hatch -e test run pytest", "pytest"),
    ("rye run pytest", "pytest"),
    ("pixi run -e dev pytest", "pytest"),
    ("conda run -n env --no-capture-output pytest", "pytest"),
    ("micromamba run -n env pytest", "pytest"),
    ("coverage run -m pytest -q", "python -m pytest -q"),
    ("coverage run --source=x --branch -m pytest -q", "python -m pytest -q"),
    ("coverage run manage.py test", "python manage.py test"),
    ("python -m pytest -q", "python -m pytest -q"),
    ("python3.12 -m pytest -x", "python -m pytest -x"),
    ("python -Wd -X dev -u -m pytest", "python -m pytest"),
    ("python -W error -bb -m pytest", "python -m pytest"),
    ("python -um pytest", "python -m pytest"),
    ("./venv/bin/python -mpytest x", "python -m pytest x"),
    ("py -3.11 -m pytest", "python -m pytest"),
    ("python3 -u script.py -m x", "python script.py -m x"),
    ("python -m coverage run -m pytest -q", "python -m pytest -q"),
    ("python -m uv run pytest", "pytest"),
    ("python -c 'import pytest'", "python -c 'import pytest'"),
    # JavaScript
    ("npx vitest run", "vitest run"),
    ("npx -y jest@29 --ci", "jest --ci"),
    ("npx --package=x -- jest", "jest"),
    ("npx @scope/tool@1 x", "@scope/tool x"),
    ("bunx --bun vitest", "vitest"),
    ("pnpm exec vitest run", "vitest run"),
    ("pnpm --filter x exec vitest", "vitest"),
    ("pnpm dlx cypress run", "cypress run"),
    ("yarn exec jest", "jest"),
    ("yarn dlx jest", "jest"),
    ("npm exec -- vitest run", "vitest run"),
    ("npm exec vitest run", "vitest run"),
    ("bun x vitest", "vitest"),
    ("corepack pnpm test", "pnpm test"),
    ("corepack enable", "corepack enable"),
    ("fnm exec --using=24 -- corepack pnpm exec vitest run a", "vitest run a"),
    ("nvm exec 18 npm test", "npm test"),
    ("nvm exec npm test", "npm test"),
    ("volta run --node 20 npm test", "npm test"),
    ("cross-env CI=1 jest", "jest"),
    ("env-cmd -f .env jest", "jest"),
    ("dotenv -e .env -- jest", "jest"),
    ("dotenv -- pytest", "pytest"),
    ("dotenvx run -f .env -- jest", "jest"),
    ("nyc --reporter=text mocha", "mocha"),
    ("nyc report", "nyc report"),
    ("c8 -r text node --test", "node --test"),
    ("node --flag node_modules/.bin/jest a", "jest a"),
    ("node --experimental-vm-modules ./node_modules/jest/bin/jest.js a", "jest a"),
    ("node node_modules/mocha/bin/mocha.js x", "mocha x"),
    ("node --test a.js", "node --test a.js"),
    ("node script.js", "node script.js"),
    # Containers and remote
    ("docker run img pytest", "pytest"),
    ("docker run --rm -it -v a:b -w /app --env=A=1 img:1 pytest -q", "pytest -q"),
    ("docker run img", "docker run img"),
    ("docker run --entrypoint pytest img -q", "pytest -q"),
    ("docker exec -it -u me web pytest", "pytest"),
    ("docker container exec web pytest", "pytest"),
    ("docker compose -f a.yml --profile x exec -T web pytest", "pytest"),
    ("docker-compose run --rm -e A=1 web pytest", "pytest"),
    ("podman run --rm img go test", "go test"),
    ("kubectl exec pod -n dev -c app -- pytest", "pytest"),
    ("kubectl -n dev exec deploy/x -it -- pytest", "pytest"),
    ("docker ps", "docker ps"),
    ("docker compose up -d", "docker compose up -d"),
    # Versions and secrets
    ("bundle exec rspec", "rspec"),
    ("composer exec phpunit", "phpunit"),
    ("mise exec -- pytest", "pytest"),
    ("mise x node@20 -- npm test", "npm test"),
    ("asdf exec mix test", "mix test"),
    ("rbenv exec rspec", "rspec"),
    ("direnv exec . go test", "go test"),
    ("nix develop -c go test", "go test"),
    ("nix develop .#ci --command go test", "go test"),
    ("nix shell nixpkgs#go -c go test", "go test"),
    ("devbox run -- go test", "go test"),
    ("op run --env-file=.env -- pytest", "pytest"),
    ("doppler run -- pytest", "pytest"),
    ("doppler run -p x -c dev -- npm test", "npm test"),
    ("aws-vault exec dev -- pytest", "pytest"),
    ("wsl -d Ubuntu -e pytest", "pytest"),
    ("wsl.exe -- pytest", "pytest"),
    ("wsl pytest", "pytest"),
    # Tools whose subcommand stands behind options
    ("make -C sub -j8 test", "make test"),
    ("make test -C sub", "make test"),
    ("make -j test", "make test"),
    ("make -n test", "make -n test"),
    ("ninja -C build test", "ninja test"),
    ("npm --prefix ui test -- run", "npm test -- run"),
    ("npm --workspace packages/worker test", "npm test"),
    ("npm -w a run test", "npm run test"),
    ("pnpm --filter @a/b test", "pnpm test"),
    ("pnpm -C web -r test", "pnpm test"),
    ("yarn --cwd web test", "yarn test"),
    ("yarn workspace a test", "yarn test"),
    ("git -C x -c a=b status", "git status"),
    ("go -C sub test ./...", "go test ./..."),
    ("cargo +nightly test", "cargo test"),
    ("just -f x/justfile test", "just test"),
    ("php -d memory_limit=-1 vendor/bin/phpunit", "php vendor/bin/phpunit"),
    ("npm --version", "npm --version"),
    ("sudo -u me env A=1 timeout 60 nice uv run --with x npx jest", "jest"),
    # No launchers
    ("command -v go", "command -v go"),
    ("sudo -l", "sudo -l"),
    ("uv sync", "uv sync"),
    ("poetry install", "poetry install"),
    ("timeout 60", "timeout 60"),
    ("env", "env"),
    ("unknown --flag pytest", "unknown --flag pytest"),
]


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_launchers_are_taken_off(command: str, expected: str) -> None:
    assert unwrap(tuple(shlex.split(command))).argv == tuple(shlex.split(expected))


SCRIPTS = [
    ("bash -c 'a; b'", "a; b", "bash", set()),
    ("bash -lc 'a; b'", "a; b", "bash", set()),
    ("bash -euo pipefail -c a", "a", "bash", {"errexit", "nounset", "pipefail"}),
    ("bash --norc -o pipefail -ec a x y", "a", "bash", {"errexit", "pipefail"}),
    ("/bin/zsh -lc a", "a", "bash", set()),
    ("eval a b", "a b", "bash", set()),
    ("su me -c a", "a", "bash", set()),
    ("npx -c 'jest a'", "jest a", "bash", set()),
    ("nix-shell -p go --run 'go test'", "go test", "bash", set()),
    ("mise x -c 'go test'", "go test", "bash", set()),
    ("script -qec a /dev/null", "a", "bash", set()),
    ("script -q -c a log", "a", "bash", set()),
    ("flock /tmp/l -c a", "a", "bash", set()),
    ("docker exec x sh -c a", "a", "bash", set()),
    ("wsl -e bash -lc a", "a", "bash", set()),
    ("cmd /c npm test", "npm test", "cmd", set()),
    ("cmd.exe /d /s /c 'npm test'", "npm test", "cmd", set()),
    ("powershell -NoProfile -ExecutionPolicy Bypass -Command 'a; b'", "a; b", "powershell", set()),
    ("pwsh -c a", "a", "powershell", set()),
    ("bash script.sh", None, "bash", set()),
    ("bash -n -c a", None, "bash", set()),
    ("pwsh script.ps1", None, "bash", set()),
]


@pytest.mark.parametrize(("command", "script", "dialect", "options"), SCRIPTS)
def test_scripts_for_other_shells_are_found(
    command: str, script: str | None, dialect: str, options: set[str]
) -> None:
    unwrapped = unwrap(tuple(shlex.split(command)))
    assert (unwrapped.script, unwrapped.dialect) == (script, dialect)
    assert unwrapped.options == options


def test_a_script_file_of_powershell_is_the_command() -> None:
    assert unwrap(("pwsh", "-NoProfile", "-File", "t.ps1", "-x")).argv == ("t.ps1", "-x")


@pytest.mark.parametrize(
    ("command", "directory"),
    [
        ("make -C sub test", "sub"),
        ("npm --prefix ui test", "ui"),
        ("pnpm -C web exec vitest", "web"),
        ("git -C ../x status", "../x"),
        ("git --git-dir=.git -C x status", "x"),
        ("uv run --directory d make -C e test", "d/e"),
        ("poetry -C /abs run pytest", "/abs"),
        ("env -C d pytest", "d"),
        ("npx jest", None),
    ],
)
def test_the_directory_it_runs_in_is_known(command: str, directory: str | None) -> None:
    assert unwrap(tuple(shlex.split(command))).cwd_shift == directory


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("timeout 60 pytest", "own"),
        ("xargs pytest", "translated"),
        ("xargs -r pytest", "idle"),
        ("xargs timeout 9 pytest", "translated"),
        ("parallel pytest", "idle"),
        ("docker run -d img pytest", "hidden"),
        ("docker exec web xargs pytest", "translated"),
        ("find . -exec pytest {} ;", "hidden"),
        ("watch -n 5 pytest", "hidden"),
    ],
)
def test_whose_status_comes_back_is_known(command: str, status: str) -> None:
    assert unwrap(tuple(shlex.split(command))).status == status


def test_what_was_taken_off_and_set_is_kept() -> None:
    unwrapped = unwrap(("env", "A=1", "docker", "run", "--rm", "img", "pixi", "run", "test", "-q"))
    assert unwrapped.argv == ("test", "-q")
    assert unwrapped.prefix == ("env", "A=1", "docker", "run", "--rm", "img", "pixi", "run")
    assert unwrapped.env == (("A", "1"),)
    assert unwrapped.container
    assert unwrapped.tasks


def test_a_proxy_is_looked_through_word_by_word() -> None:
    candidates = [each.argv for each in proxied(("rtk", "test", "bun", "run", "test"))]
    assert candidates == [("test", "bun", "run", "test"), ("bun", "run", "test")]
    assert next(proxied(("yarn", "npx", "jest"))).argv == ("jest",)


@pytest.mark.parametrize("command", ["which go", "echo go test", "rg npm test", "./x go test", "man git"])
def test_words_that_are_data_are_no_proxied_command(command: str) -> None:
    assert not list(proxied(tuple(command.split())))


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("go", "go"),
        ("/usr/bin/python3.12", "python3.12"),
        ("Go.EXE", "go"),
        (".\\gradlew.bat", "gradlew"),
        ("./x.sh", "x.sh"),
    ],
)
def test_a_program_is_known_by_its_last_name(word: str, name: str) -> None:
    assert program(word) == name


WORDS = st.sampled_from(
    [
        *sorted(
            {word for row in ROWS for word in row.words} | set(TOOLS) | {"bash", "pwsh", "python3", "node"}
        ),
        *(
            "-c",
            "-m",
            "--",
            "-x",
            "--with",
            "A=1",
            "pytest",
            "60",
            ".",
            "-lc",
            "{}",
            ";",
            "",
            "-",
            "--flag=v",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=9).map(tuple))
def test_unwrapping_never_fails_and_invents_no_words(argv: tuple[str, ...]) -> None:
    unwrapped = unwrap(argv)
    if unwrapped.script is None:
        text = " ".join(argv).lower()
        assert all(word.lower() in text or word in ("python", "-m") for word in unwrapped.argv)
    # Nothing is left to take off.
    if unwrapped.script is None:
        assert unwrap(unwrapped.argv).argv == unwrapped.argv
    if argv and unwrapped.argv != argv:
        assert starts_another(argv[0])
