"""Three families of another kind, written before the last tuning and scored after it (docs/simulated.md).

A dependency is raised and the lock file has to follow; tests need a service that is not up; a setting is read
in two languages.  Words, layouts and runners are others than those of the tuned families.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from pathlib import Path
from random import Random

from bench.simulated.families import LARGEST, SIZE, SPREAD, Case, Family, case
from bench.simulated.world import Task, Trouble, World

HOUSES = "tidewater oakhurst larkspur cobalt foxglove marlin".split()
PARTS = (
    "gateway scheduler notifier importer renderer archiver planner dispatcher collector reporter indexer"
    " translator uploader formatter watcher limiter"
).split()
LIBRARIES = (
    "lodash undici zod pino fastify kysely luxon sharp winston dotenv express commander chalk semver ws yargs"
).split()
KEYS = (
    "retries timeout region bucket quota threads interval verbosity prefix locale budget window depth tier"
    " channel horizon"
).split()
RAISES = (
    "Raise {library} in the {part} to the next major version.",
    "The {part} still has an old {library} with a hole in it; take the current one.",
    "Bump {library} for the {part}, then make the build green.",
)
REPAIRS = (
    "When the {part} restarts it forgets its {key}. It should not.",
    "{key} of the {part} is ignored since the last release; find out why and mend it.",
    "Make the {part} respect a {key} of zero.",
)
RENAMES = (
    "Call the {part}'s setting {key} by a better name, everywhere.",
    "The {key} that the {part} reads has a misleading name, rename it.",
    "Rename {key} in the {part}; nobody understands it.",
)


def _filler(random: Random, line: str) -> str:
    size = min(LARGEST, random.lognormvariate(log(SIZE), SPREAD))
    return "".join(line.format(n=n) for n in range(int(size / len(line))))


def _document(random: Random, said: str) -> str:
    lines = [f"Guideline {n}: keep it plain.\n" for n in range(random.randint(30, 90))]
    lines.insert(random.randrange(len(lines)), said)
    return "".join(lines)


def lock(random: Random, folder: Path) -> Case:
    """A dependency is raised in one package; the lock file of all packages has to be made anew."""
    house = random.choice(HOUSES)
    pairs = list(zip(random.sample(PARTS, 12), random.sample(LIBRARIES, 12), strict=True))
    files = {
        "package.json": f'{{"name": "{house}", "private": true}}\n',
        "pnpm-lock.yaml": "lockfileVersion: 9\n",
    }
    for part, library in pairs:
        files[f"packages/{part}/package.json"] = (
            f'{{\n  "name": "@{house}/{part}",\n  "dependencies": {{ "{library}": "^4.0.0" }}\n}}\n'
        )
        files[f"packages/{part}/src/index.js"] = f"import '{library}'\n" + _filler(
            random, f"export const {part}{{n}} = {{n}}\n"
        )
        files[f"packages/{part}/test/{part}.test.js"] = f"test('{part}', () => {{}})\n"
    command, working = "pnpm install --lockfile-only", random.choice(("pnpm -r test", "pnpm run test"))
    files["docs/packages.md"] = _document(random, f"After any change: `{command}`. Tests: `{working}`.\n")
    files["packages/palette/src/colours.js"] = "export function colours() {\n  return []\n}\n"
    stranger = Task(
        "Sort the colours of the palette by hue.", "packages/palette/src/colours.js", stranger=True
    )
    tasks = [
        Task(
            random.choice(RAISES).format(library=library, part=part),
            f"packages/{part}/package.json",
            upset=True,
        )
        for part, library in pairs
    ]
    error = "ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with frozen-lockfile: the lock file is not up to date"
    wrong = {"npm test": 'npm error Missing script: "test"\n'}
    trouble = Trouble(error, command, always=False)
    world = World(folder / house, files, (working,), wrong, trouble, language="javascript")
    return case("lock file", world, tasks, stranger, folder, "yarn test")


def service(random: Random, folder: Path) -> Case:
    """Tests need a service; what shows is a connection that was refused."""
    house = random.choice(HOUSES)
    pairs = list(zip(random.sample(PARTS, 12), random.sample(KEYS, 12), strict=True))
    files = {"pyproject.toml": f'[tool.poetry]\nname = "{house}"\n', "README.md": f"# {house}\n"}
    for part, key in pairs:
        files[f"src/{house}/workers/{part}.py"] = (
            f"class {part.capitalize()}:\n    def {key}(self) -> int:\n        return 1\n\n"
            + _filler(random, f"{part.upper()}_{{n}} = {{n}}\n")
        )
        files[f"tests/workers/test_{part}.py"] = f"def test_{part}() -> None:\n    ...\n"
    store, port = random.choice((("db", 5432), ("cache", 6379), ("queue", 5672)))
    command = f"docker compose up -d --wait {store}"
    files["docs/running.md"] = _document(random, f"The tests talk to {store}: `{command}`.\n")
    files["compose.yaml"] = f"services:\n  {store}:\n    image: {house}/{store}\n"
    files[f"src/{house}/pages/imprint.py"] = "def imprint() -> str:\n    return ''\n"
    stranger = Task(
        "Put the new postal address on the imprint.", f"src/{house}/pages/imprint.py", stranger=True
    )
    tasks = [
        Task(random.choice(REPAIRS).format(part=part, key=key), f"src/{house}/workers/{part}.py")
        for part, key in pairs
    ]
    error = f"ConnectionRefusedError: [Errno 111] Connect call failed ('127.0.0.1', {port})"
    wrong = {
        "pytest": f"ModuleNotFoundError: No module named '{house}'\n",
        "python -m pytest": "/usr/bin/python: No module named pytest\n",
        "make test": "make: *** No rule to make target 'test'.  Stop.\n",
    }
    trouble = Trouble(error, command, always=True)
    world = World(folder / house, files, ("poetry run pytest",), wrong, trouble)
    return case("service", world, tasks, stranger, folder, "nox -s tests")


def setting(random: Random, folder: Path) -> Case:
    """A setting has one name in the program and in the chart that deploys it, in another language."""
    house = random.choice(HOUSES)
    pairs = list(zip(random.sample(PARTS, 12), random.sample(KEYS, 12), strict=True))
    chart = f"deploy/{random.choice(('values.yaml', 'settings.tf', 'stack.json'))}"
    files = {
        "pyproject.toml": f'[project]\nname = "{house}"\n',
        chart: _filler(random, "# row {n}\n") + "x: 1\n",
    }
    for part, key in pairs:
        files[f"{house}/{part}/options.py"] = (
            f"def options_of_{part}() -> dict[str, int]:\n    return {{'{key}': 1}}\n\n"
            + _filler(random, f"{part}_{{n}} = {{n}}\n")
        )
        files[f"tests/{part}/test_options.py"] = f"def test_{part}() -> None:\n    ...\n"
    files["Makefile"] = _filler(random, "target{n}:\n\techo {n}\n") + "test:\n\ttox\n"
    files[f"{house}/greeting/text.py"] = "def greeting() -> str:\n    return 'hello'\n"
    stranger = Task(
        "Greet people in the evening with good evening.", f"{house}/greeting/text.py", stranger=True
    )
    tasks = [
        Task(random.choice(RENAMES).format(part=part, key=key), f"{house}/{part}/options.py", chart)
        for part, key in pairs
    ]
    unlinked = "KeyError: the deployed settings and the program disagree"
    world = World(folder / house, files, ("make test",), {}, unlinked=unlinked)
    return case("setting", world, tasks, stranger, folder, "make check")


UNSEEN: Mapping[str, Family] = {"lock file": lock, "service": service, "setting": setting}
