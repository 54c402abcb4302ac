"""The families that are looked at while tuning.  Each makes a repository and its tasks from a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log
from pathlib import Path
from random import Random
from typing import TypeAlias

from bench.simulated.world import Task, Trouble, World

THINGS = (
    "invoice voucher parcel ticket ledger booking refund shipment coupon quote receipt badge roster tariff"
    " locker permit survey beacon digest folder"
).split()
ASPECTS = (
    "rounding expiry currency weight priority discount locale deadline quantity barcode address summary"
    " grouping ordering limit prefix"
).split()
SIZE, SPREAD, LARGEST = 2000, 1.34, 40_000
"""Characters of a file: log-normal with this median, so 4.9 KB in the mean, as what agents read in real
sessions (docs/simulated.md)."""
FIRMS = "acme nordwind bluebird stellar harbor pinecone meridian lantern quarry willow".split()
ASKS = (
    "The {aspect} of a {thing} is wrong, please fix it.",
    "Fix the {thing}: its {aspect} comes out wrong.",
    "Customers say the {thing} {aspect} is off by one. Mend it.",
    "We get complaints about {aspect} on every {thing}; please repair that.",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A repository, the tasks that teach and those that test; ``older`` is the state that the stale arm was
    trained on, with its own training."""

    family: str
    world: World
    training: tuple[Task, ...]
    tests: tuple[Task, ...]
    older: World
    older_training: tuple[Task, ...]


Family: TypeAlias = Callable[[Random, Path], Case]

WRONG = {
    "pytest": "ModuleNotFoundError: No module named '{firm}'\n",
    "python -m pytest": "/usr/bin/python: No module named pytest\n",
    "npm test": 'npm error Missing script: "test"\n',
    "make test": "make: *** No rule to make target 'test'.  Stop.\n",
}


def rest(random: Random, name: str) -> str:
    """The rest of a source file: functions that no task is about."""
    size = min(LARGEST, random.lognormvariate(log(SIZE), SPREAD))
    one = f"def {name}_part_{{n}}() -> int:\n    return {{n}}\n\n\n"
    return "".join(one.format(n=n) for n in range(int(size / len(one))))


def modules(random: Random, firm: str, count: int = 14) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Files of a package with one thing each, and ``(thing, aspect)`` pairs of them in their order."""
    pairs = list(zip(random.sample(THINGS, count), random.sample(ASPECTS, count), strict=True))
    files = {
        f"{firm}/{thing}.py": (
            f'"""The {thing} of {firm}."""\n\n\ndef {thing}_{aspect}(value: int) -> int:\n'
            f'    """The {aspect} of one {thing}."""\n    return value\n\n\n' + rest(random, thing)
        )
        for thing, aspect in pairs
    }
    files |= {
        f"tests/test_{thing}.py": f"from {firm}.{thing} import *\n\n\ndef test_{thing}() -> None:\n    ...\n"
        for thing, _ in pairs
    }
    files["pyproject.toml"] = f'[project]\nname = "{firm}"\n'
    files["README.md"] = f"# {firm}\n\nInternal tools of {firm}.\n"
    return files, pairs


def asked(random: Random, thing: str, aspect: str) -> str:
    return random.choice(ASKS).format(thing=thing, aspect=aspect)


def wrong_forms(firm: str) -> dict[str, str]:
    return {form: text.format(firm=firm) for form, text in WRONG.items()}


def _split(tasks: list[Task]) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
    return tuple(tasks[:3]), tuple(tasks[3:7])


def _renamed(path: str) -> str:
    """The name that a file had in the older state."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/old_{name}" if folder and not folder.startswith("test") else path


def _older(world: World, folder: Path, forms: tuple[str, ...]) -> World:
    """The same repository before files were renamed and commands changed; its documents say so."""
    command = world.trouble.command if world.trouble else ""
    before = f"make old-{command.split()[-1]}" if command else ""

    def then(text: str) -> str:
        text = text.replace(f"`{world.forms[0]}`", f"`{forms[0]}`")
        return text.replace(f"`{command}`", f"`{before}`") if command else text

    return World(
        folder,
        {_renamed(path): then(text) for path, text in world.files.items()},
        forms,
        {form: text for form, text in world.wrong.items() if form not in forms},
        Trouble(world.trouble.error, before, world.trouble.always) if world.trouble else None,
        world.unlinked,
        world.language,
    )


def _older_tasks(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    return tuple(
        Task(
            task.request,
            _renamed(task.target),
            _renamed(task.companion) if task.companion else "",
            task.upset,
        )
        for task in tasks
    )


def case(family: str, world: World, tasks: list[Task], stranger: Task, folder: Path, old_form: str) -> Case:
    """A case of three training tasks, four siblings and a stranger."""
    training, tests = _split(tasks)
    older = _older(world, folder / "older" / world.folder.name, (old_form,))
    return Case(family, world, training, (*tests, stranger), older, _older_tasks(training))


def stranger_in(files: dict[str, str], random: Random, firm: str) -> Task:
    """A task about a corner of the repository that no training touches."""
    what = random.choice(("telemetry sampling", "keyboard shortcuts", "holiday calendars", "audit exports"))
    head, tail = what.split()
    path = f"{firm}/extras/{head}.py"
    text = f'"""{what.capitalize()} of {firm}."""\n\n\ndef {tail}() -> int:\n    return 0\n\n\n'
    files[path] = text + rest(random, tail)
    files[f"tests/test_{head}.py"] = "def test_it() -> None:\n    ...\n"
    return Task(f"Add one more case to the {what} and keep it sorted.", path, stranger=True)


def form(random: Random, folder: Path) -> Case:
    """Only one form of the test command works."""
    firm = random.choice(FIRMS)
    files, pairs = modules(random, firm)
    working = random.choice(("uv run --all-extras pytest", "hatch run pytest", "pdm run pytest"))
    files["docs/develop.md"] = (
        "".join(f"Line {n} about style.\n" for n in range(60)) + f"Tests: `{working}`\n"
    )
    stranger = stranger_in(files, random, firm)
    tasks = [Task(asked(random, thing, aspect), f"{firm}/{thing}.py") for thing, aspect in pairs]
    world = World(folder / firm, files, (working,), wrong_forms(firm))
    return case("form", world, tasks, stranger, folder, "tox run -e py")


def before(random: Random, folder: Path) -> Case:
    """A command has to be run before any test."""
    firm = random.choice(FIRMS)
    files, pairs = modules(random, firm)
    command = random.choice(("make generate", "make proto", "make codegen"))
    module = random.choice(("schema_pb", "gen_models", "bindings"))
    files["docs/build.md"] = "".join(f"Note {n} on builds.\n" for n in range(60)) + f"Needs `{command}`.\n"
    files["Makefile"] = "".join(f"step{n}:\n\techo {n}\n" for n in range(20))
    trouble = Trouble(f"ModuleNotFoundError: No module named '{firm}.{module}'", command, always=True)
    stranger = stranger_in(files, random, firm)
    tasks = [Task(asked(random, thing, aspect), f"{firm}/{thing}.py") for thing, aspect in pairs]
    world = World(folder / firm, files, ("pytest",), {}, trouble)
    return case("before", world, tasks, stranger, folder, "pytest")


def companion(random: Random, folder: Path) -> Case:
    """A second file has to be changed with the first."""
    firm = random.choice(FIRMS)
    files, pairs = modules(random, firm)
    other = f"{firm}/{random.choice(('registry', 'catalog', 'manifest'))}.py"
    files[other] = "ENTRIES = {}\n\n\ndef entries() -> dict[str, int]:\n    return ENTRIES\n" + "# row\n" * 40
    stranger = stranger_in(files, random, firm)
    tasks = [Task(asked(random, thing, aspect), f"{firm}/{thing}.py", other) for thing, aspect in pairs]
    unlinked = f"LookupError: revision of {random.choice(('handlers', 'columns', 'exports'))} is out of step"
    world = World(folder / firm, files, ("pytest",), {}, unlinked=unlinked)
    return case("companion", world, tasks, stranger, folder, "python -m pytest")


PEOPLE = {
    "shopping basket": "tote", "login page": "gatekeeper", "weekly newsletter": "dispatch",
    "search box": "locator", "sales dashboard": "panorama", "password reset": "credential",
    "profile photo": "raster", "list price": "valuation",
}  # fmt: skip
WISHES = (
    (
        "Customers lose their {word} after a while, please fix it.",
        "The {word} of our customers is lost after a while.",
    ),
    (
        "The {word} shows the wrong thing on Mondays; repair it.",
        "On Mondays the {word} shows wrong things again.",
    ),
    ("The {word} is slow for big customers, make it lazy.", "Make the {word} fast for big customers too."),
)
"""What a training asks, and the same in other words."""
OTHER_WISHES = (
    "Make the {word} remember the last choice.",
    "People want the {word} to be sorted; add that.",
    "The {word} breaks when nobody is signed in. Mend it.",
)


def place(random: Random, folder: Path) -> Case:
    """What people call the thing is not what the code calls it."""
    firm = random.choice(FIRMS)
    files, _ = modules(random, firm)
    word = random.choice(sorted(PEOPLE))
    path = f"{firm}/core/{PEOPLE[word]}.py"
    files[path] = (
        f'"""{PEOPLE[word].capitalize()}."""\n\n\ndef {PEOPLE[word]}_state() -> int:\n    return 0\n'
    )
    stranger = stranger_in(files, random, firm)
    wishes = [first for first, _ in WISHES] + [other for _, other in WISHES] + [random.choice(OTHER_WISHES)]
    tasks = [Task(wish.format(word=word), path) for wish in wishes]
    world = World(folder / firm, files, ("pytest",), {})
    return case("place", world, tasks, stranger, folder, "python -m pytest")


def error(random: Random, folder: Path) -> Case:
    """An error with the same end each time, which shows nowhere near what ends it."""
    firm = random.choice(FIRMS)
    files, pairs = modules(random, firm)
    tool = random.choice(("reindex", "rehash", "relink"))
    command = f"make {tool}"
    files[f"docs/{tool}.md"] = "".join(f"Line {n}.\n" for n in range(60)) + f"After a change: `{command}`.\n"
    trouble = Trouble(f"RuntimeError: fixture digest mismatch, {tool} pending", command, always=False)
    stranger = stranger_in(files, random, firm)
    tasks = [Task(asked(random, thing, aspect), f"{firm}/{thing}.py", upset=True) for thing, aspect in pairs]
    world = World(folder / firm, files, ("pytest",), {}, trouble)
    return case("error", world, tasks, stranger, folder, "python -m pytest")


FAMILIES: Mapping[str, Family] = {
    "form": form, "before": before, "companion": companion, "place": place, "error": error,
}  # fmt: skip
