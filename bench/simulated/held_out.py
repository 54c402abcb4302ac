"""The family that is never looked at while tuning: a service in a folder of its own, in another language."""

from __future__ import annotations

from pathlib import Path
from random import Random

from bench.simulated.families import ASPECTS, FIRMS, THINGS, Case, asked, case, rest
from bench.simulated.world import Task, Trouble, World


def held_out(random: Random, folder: Path) -> Case:
    """Tests run in the service's folder only, and only after its packages were installed there."""
    firm = random.choice(FIRMS)
    service = f"services/{random.choice(('api', 'web', 'worker', 'mail'))}"
    pairs = list(zip(random.sample(THINGS, 14), random.sample(ASPECTS, 14), strict=True))
    files = {
        f"{service}/src/{thing}.js": (
            f"// The {thing} of {firm}.\nexport function {thing}_{aspect}(value) {{\n  return value\n}}\n"
            + rest(random, thing)
        )
        for thing, aspect in pairs
    }
    files |= {f"{service}/test/{thing}.test.js": f"test('{thing}', () => {{}})\n" for thing, _ in pairs}
    files[f"{service}/package.json"] = '{"scripts": {"test": "jest"}}\n'
    install, working = f"cd {service} && npm ci", f"cd {service} && npm test"
    files["docs/services.md"] = (
        "".join(f"Rule {n}.\n" for n in range(60)) + f"First `{install}`, then `{working}`.\n"
    )
    files["README.md"] = f"# {firm}\n"
    stranger = Task(
        "Add one more case to the holiday calendars and keep it sorted.",
        f"{service}/src/holiday.js",
        stranger=True,
    )
    files[stranger.target] = "// Holiday calendars.\nexport function calendars() {\n  return 0\n}\n"
    tasks = [Task(asked(random, thing, aspect), f"{service}/src/{thing}.js") for thing, aspect in pairs]
    wrong = {
        "npm test": 'npm error Missing script: "test"\n',
        "make test": "make: *** No rule to make target 'test'.  Stop.\n",
    }
    trouble = Trouble("sh: 1: jest: not found", install, always=True)
    world = World(folder / firm, files, (working,), wrong, trouble, language="javascript")
    return case("held out", world, tasks, stranger, folder, f"cd {service} && yarn test")
