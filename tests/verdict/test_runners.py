"""Which commands run tests."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.errors import UsageError
from honed.verdict.interpret import DEFAULT, interpret, is_test_command
from honed.verdict.runner_names import names_tests, promises_tests
from honed.verdict.runners import recognise

TESTS = """
pytest
pytest -q tests/
python3.12 -m pytest -x
.venv/bin/pytest
.venv/bin/python -m pytest tests
py -m pytest
uv run --with pytest pytest -q
uvx pytest
poetry run pytest
pdm run pytest
hatch test
hatch run test
rye test
pixi run test
conda run -n env pytest
coverage run -m pytest
python -m coverage run -m pytest
python -m unittest discover -s tests
python -m doctest a.py
python manage.py test app
./manage.py test
python -m django test
tox -e py312
nox -s tests
behave
robot tests/
go test ./...
go test -run TestX ./pkg
GOFLAGS=-mod=mod go test ./...
env GOCACHE=/tmp/x go test ./...
gotestsum -- ./...
ginkgo -r
cargo test
cargo t
cargo +nightly test
cargo nextest run
cargo llvm-cov
npx jest
npx --yes jest@29 src
node node_modules/.bin/jest
node node_modules/mocha/bin/mocha.js out/test
./node_modules/.bin/vitest run
yarn jest
pnpm vitest run
pnpm exec vitest run
bunx vitest
npx tsx --test test/a.ts
node --test
node --import tsx --test test/
node --experimental-strip-types --test a.test.ts
bun test
deno test -A
npx playwright test
npx cypress run
ng test
npx ava
npx karma start
npm test
npm t
npm run test:unit
npm run unit
npm run e2e
npm --prefix web test
npm test --workspace @a/b -- --grep x
npm -w packages/a run test
pnpm test
pnpm -r test
pnpm --filter x run test
pnpm -C web test
yarn test
yarn workspace a test
yarn workspaces foreach -A run test
bun run test
turbo run test
npx turbo test --filter=web
npx nx test app
npx nx run-many -t test
lerna run test
node --run test
pnpm node --run check
corepack pnpm run test
fnm exec --using=24 -- corepack pnpm run test
make test
make -C sub check
make -j4 test-unit
just test
mise run test:ci
mise run //apps/api:test:unit
mise exec -- uv run pytest
task test
rake spec
ninja -C build test
bazel test //...
ctest --test-dir build
cmake --build build --target test
meson test -C build
swift test
xcodebuild -scheme App test
mvn -q verify
./mvnw clean test
./gradlew :app:testDebugUnitTest
gradle check
sbt test
lein test
clojure -X:test
dotnet test
bundle exec rspec
bin/rails test
php artisan test
vendor/bin/phpunit
./vendor/bin/pest
composer test
flutter test
dart test
mix test
rebar3 eunit
stack test
cabal test
dune runtest
zig build test
prove -lr t
perl t/a.t
bats tests/
busted
R CMD check pkg
Rscript -e "testthat::test_dir('tests')"
julia --project -e 'using Pkg; Pkg.test()'
forge test
pwsh -NoProfile -Command "Invoke-Pester ./tests"
bash run_tests.sh
./scripts/test-install.sh --keep
./test.sh
sh tests/run.sh
timeout 60 pytest
time pytest
nice -n 5 pytest
sudo -E pytest
xvfb-run -a pytest
docker run --rm img pytest
docker compose exec web pytest
docker-compose run --rm web npm test
ssh host 'cd app && pytest'
wsl -e bash -lc "go test ./..."
bash -lc "cd web && npm test"
nix develop -c pytest
rtk go test ./...
rtk test bun run test
find . -name '*.bats' -exec bats {} +
ls tests | xargs pytest
if pytest; then echo ok; fi
pytest $(git ls-files tests)
[ -f x ] && npm test
FOO=$(cat x) pytest
""".strip().split("\n")

NO_TESTS = """
ls tests
cat tests/test_a.py
grep -rn pytest .
rg "go test" -n
echo pytest
printf 'npm test'
git commit -m 'add pytest'
git commit -m "$(cat <<'EOF'\\nrun npm test\\nEOF\\n)"
git log --grep test
gh pr create --body "npm test"
pip install pytest
uv add --dev pytest
npm install -D jest
brew install bats-core
cargo install cargo-nextest
which pytest
man pytest
pytest --version
pytest --help
pytest --collect-only
pytest --co -q
pytest --fixtures
python -m pytest --version
jest --listTests
vitest --version
vitest list
mocha --version
playwright test --list
playwright install
cypress open
go test -c ./pkg
go test -list . ./...
go vet ./...
go build ./...
cargo test --no-run
cargo test -- --list
cargo check
cargo clippy
cargo nextest list
tox -l
nox --list
behave --dry-run
make -n test
make --dry-run test
make
make build
just --list
npm run build
npm run typecheck
npm run check:types
npm run lint
npm run build:test
npm run seed-test-data
npm ci
yarn check
pnpm install
bun install
bun run build
node --check a.js
node script.js --test
tsc --noEmit
ruff check .
mypy tests
eslint test
prettier --check test
ctest -N
mvn package -DskipTests
gradle tasks
gradle build
dotnet build
dotnet test --list-tests
phpunit --list-tests
mix compile
mix format --check-formatted
terraform validate
docker build -t test .
docker logs test
python setup.py build
python tests_data.py
python -c 'import pytest'
python - <<'EOF'\\nimport pytest\\nEOF
test -f a && echo yes
[ -d tests ]
mkdir -p tests
rm -rf tests/tmp
touch test.sh
chmod +x run_tests.sh
cp a tests/b
vim test.sh
sed -n 1,20p run_tests.sh
code tests
curl http://localhost/test
kill %1
sleep 5
codex exec 'run the tests'
claude -p 'npm test'
"""
NO_TESTS_LIST = [line.replace("\\n", "\n") for line in NO_TESTS.strip().split("\n")]


@pytest.mark.parametrize("command", TESTS)
def test_it_runs_tests(command: str) -> None:
    assert is_test_command(command)


@pytest.mark.parametrize("command", NO_TESTS_LIST)
def test_it_runs_none(command: str) -> None:
    assert not is_test_command(command)


@pytest.mark.parametrize(
    ("command", "selection"),
    [
        ("pytest", ()),
        ("pytest -q tests/a.py::test_x", ("tests/a.py::test_x",)),
        ("pytest -k 'a and b' -m slow tests", ("tests", "-k a and b", "-m slow")),
        ("pytest -n 4 --tb short -p no:cacheprovider", ()),
        ("pytest --lf", ("--lf",)),
        ("go test ./... -count=1 -timeout 60s", ("./...",)),
        ("go test -run TestX ./a", ("./a", "-run TestX")),
        ("go test -run=TestX ./a", ("./a", "-run TestX")),
        ("cargo test -p core parser:: -- --nocapture", ("parser::", "-p core")),
        ("cargo test --lib", ("--lib",)),
        ("npx jest src/a.test.ts -t 'adds two'", ("src/a.test.ts", "-t adds two")),
        ("npx vitest run src/a.test.ts --reporter=dot", ("src/a.test.ts",)),
        ("npm test", ()),
        ("npm test -- src/a.test.ts --coverage", ("src/a.test.ts",)),
        ("npm test -- --grep 'x y'", ("--grep x y",)),
        ("pnpm --filter api test", ()),
        ("make test VERBOSE=1", ()),
        ("mise run test:integration -- -run TestResume", ("-run TestResume",)),
        ("mvn -q test -Dtest=FooTest", ("-Dtest FooTest",)),
        ("./gradlew test --tests 'com.x.*'", ("--tests com.x.*",)),
        ("ctest --test-dir build -R foo", ("-R foo",)),
        ("bundle exec rspec spec/a_spec.rb:12 -e adds", ("spec/a_spec.rb:12", "-e adds")),
        ("mix test test/a_test.exs:12 --only slow", ("test/a_test.exs:12", "--only slow")),
        ("dotnet test --filter Name~X -c Release", ("--filter Name~X",)),
        ("playwright test a.spec.ts -g in --project x", ("a.spec.ts", "-g in", "--project x")),
        ("deno test --filter adds", ("--filter adds",)),
        ("python -m unittest tests.test_a -v", ("tests.test_a",)),
    ],
)  # fmt: skip
def test_what_narrows_a_run_is_its_selection(command: str, selection: tuple[str, ...]) -> None:
    assert interpret(command, 0, "").selection == selection


@pytest.mark.parametrize(
    "name",
    [
        "test",
        "tests",
        "test:unit",
        "run-tests",
        "test_e2e",
        "testDebugUnitTest",
        "check",
        "ci",
        "e2e",
        "unit",
    ],
)
def test_a_name_says_that_it_tests(name: str) -> None:
    assert names_tests(name)


@pytest.mark.parametrize(
    "name",
    "build lint test:types check-format build:test seed-test-data test-data latest contest attest".split(),
)
def test_a_name_does_not_say_that_it_tests(name: str) -> None:
    assert not names_tests(name)


def test_a_gate_may_be_anything_but_a_test_is_a_test() -> None:
    assert promises_tests("test:e2e")
    assert names_tests("check")
    assert not promises_tests("check")


def test_a_user_adds_a_runner_in_a_row() -> None:
    row = {
        "name": "mytest",
        "command": "mytest run",
        "passed": r"(?P<p>\d+) good, (?P<f>\d+) bad",
        "empty": "nothing to do",
        "lists": ["--plan"],
        "narrows": ["--only"],
    }
    rules = DEFAULT.with_rows([row])
    assert interpret("mytest run", 0, "3 good, 0 bad").outcome == "not_a_test"
    result = interpret("mytest run a --only x", 0, "3 good, 0 bad", rules=rules)
    assert (result.outcome, result.runner, result.counts.passed) == ("pass", "mytest", 3)
    assert result.selection == ("a", "--only x")
    assert interpret("mytest run | tail -1", 0, "2 good, 1 bad", rules=rules).outcome == "fail"
    assert interpret("mytest run", 0, "nothing to do", rules=rules).outcome == "nothing"
    assert interpret("mytest run --plan", 0, "", rules=rules).outcome == "nothing"
    assert interpret("pytest -q", 0, "2 passed in 0.1s", rules=rules).outcome == "pass"


@pytest.mark.parametrize(
    "row", [{}, {"name": "x"}, {"name": "", "command": "x"}, {"name": "x", "command": "x", "passed": "("}]
)
def test_a_row_that_cannot_be_used_is_refused(row: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        DEFAULT.with_rows([row])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from("\n".join(TESTS).split()) | st.text(max_size=8), max_size=6).map(tuple))
def test_no_words_break_the_table(argv: tuple[str, ...]) -> None:
    call = recognise(argv)
    assert call is None or call.argv == argv or call.argv == argv[-len(call.argv) :]
