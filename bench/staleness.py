"""Whether notes whose places are gone are withheld or flagged, and valid ones left alone.

Repositories are made up from a seed: modules of functions in one of six languages, and a skill for one of
them, its anchors made of a hunk as compiling makes them.  Then one change is made, and the skill recalled.

    python -m bench.staleness [--repositories 40] [--seed 1]
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.filling import AT
from bench.machine import heading
from bench.texts import Texts
from honed.ledger import events, ids
from honed.recall.recall import recall
from honed.sessions.model import Hunk
from honed.skills.anchors import anchor
from honed.skills.model import Draft, FileRef
from honed.store.place import Place
from honed.store.reading import open_readonly
from honed.store.sqlite import SqliteStore

FUNCTIONS = 4
SKILL = ids.random_id("sk_", bytes(10))
SHAPES = {
    ".py": (
        "def {name}(value, scale=1):\n    part = value * {number}\n"
        "    total = part + scale\n    return total\n"
    ),
    ".ts": (
        "export function {name}(value: number, scale = 1): number {{\n  const part = value * {number};\n"
        "  const total = part + scale;\n  return total;\n}}\n"
    ),
    ".go": (
        "func {name}(value int, scale int) int {{\n\tpart := value * {number}\n"
        "\tvar total = part + scale\n\treturn total\n}}\n"
    ),
    ".rs": (
        "pub fn {name}(value: i64, scale: i64) -> i64 {{\n    let part = value * {number};\n"
        "    let total = part + scale;\n    total\n}}\n"
    ),
    ".java": (
        "    public static int {name}(value_t value, int scale) {{\n        int part = value * {number};\n"
        "        int total = part + scale;\n        return total;\n    }}\n"
    ),
    ".cpp": (
        "int Cart::{name}(value_t value, int scale) {{\n  int part = value * {number};\n"
        "  int total = part + scale;\n  return total;\n}}\n"
    ),
}


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository, the file and function that its skill is about, and a request that finds the skill."""

    root: Path
    path: str
    name: str
    ending: str
    request: str

    @property
    def file(self) -> Path:
        """The file on the disk."""
        return self.root / self.path

    @property
    def text(self) -> str:
        """What stands in the file."""
        return self.file.read_text(encoding="utf-8")

    def edit(self, old: str, new: str) -> None:
        """Change the file's text; it must hold ``old``."""
        text = self.text
        assert old in text, (old, text)
        self.file.write_text(text.replace(old, new), encoding="utf-8", newline="")


def made(root: Path, home: str, rng: random.Random, texts: Texts) -> Repository:
    """A new repository with one skill in the memory at ``home``."""
    ending = rng.choice(list(SHAPES))
    words = texts.words(12)
    names = [f"{words[n]}_{words[n + 1]}_{n}" for n in range(FUNCTIONS)]
    path = f"src/{words[4]}/{words[5]}{ending}"
    for file in (path, f"src/{words[4]}/other_{words[6]}{ending}", f"src/{words[7]}_x/{words[8]}{ending}"):
        marks = names if file == path else [f"{words[9]}_{n}_{file[-4]}" for n in range(FUNCTIONS)]
        _put(
            root / file,
            "\n\n".join(SHAPES[ending].format(name=name, number=n) for n, name in enumerate(marks)),
        )
    name = names[rng.randrange(FUNCTIONS)]
    function = SHAPES[ending].format(name=name, number=names.index(name)).splitlines()
    old, new = "\n".join([*function[:1], "  before()", *function[2:]]), "\n".join(function)
    title = f"Make {name} round half up in {words[5]}"
    place = anchor(Hunk(old=old, new=new), path)
    what = Draft(
        "procedure",
        title,
        title,
        steps=(f"In `{path}`: change `{name}`",),
        files=(FileRef(path, (place,)),),
        symbols=(name,),
        fingerprint=title,
        source_task="tk_made",
        authority="exit",
    )
    with SqliteStore.open(home) as store:
        project = store.ensure_project(Place(str(root), str(root)), AT)
        learned = events.learned(events.Occasion("codex", "s0", title, AT), SKILL, project, "made", what)
        assert store.append([learned])[0].status == "written"
    return Repository(root, path, name, ending, f"{title} in {path}")


def _put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _move(repository: Repository, new: str) -> None:
    target = repository.root / new
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(repository.file, target)


def _function(repository: Repository) -> str:
    return next(part for part in repository.text.split("\n\n") if repository.name in part)


def _to_another_file(repository: Repository) -> None:
    part = _function(repository)
    repository.edit(part, f"# moved\n# {repository.name} lives in shared{repository.ending} now\n")
    _put(repository.root / f"src/shared{repository.ending}", part)


def _remarks(repository: Repository) -> str:
    mark = "#" if repository.ending == ".py" else "//"
    return "\n".join(f"{mark} {line}" for line in _function(repository).splitlines())


def _shape(repository: Repository, new: str) -> None:
    repository.edit(f"{repository.name}(value", f"{repository.name}({new}, value")


OUTDATED: dict[str, Callable[[Repository], None]] = {
    "file renamed": lambda one: _move(one, one.path.replace(one.ending, f"_core{one.ending}")),
    "file moved to another folder": lambda one: _move(one, f"lib/{one.path.rpartition('/')[2]}"),
    "file deleted": lambda one: one.file.unlink(),
    "function renamed": lambda one: one.edit(one.name, f"renewed_{one.name}"),
    "function deleted": lambda one: one.edit(_function(one), ""),
    "function moved to another file": _to_another_file,
    "signature changed": lambda one: _shape(one, "currency"),
    "function commented out": lambda one: one.edit(_function(one), _remarks(one)),
}
VALID: dict[str, Callable[[Repository], None]] = {
    "nothing": lambda _: None,
    "function's body changed": lambda one: one.edit("total = part + scale", "total = part - scale"),
    "another function added": lambda one: one.edit(_function(one), f"{_function(one)}\n\n# more\n"),
    "a comment put before it": lambda one: one.edit(_function(one), f"# once more\n{_function(one)}"),
    "another file deleted": lambda one: next((one.root / "src").glob("*/other_*")).unlink(),
    "laid out otherwise": lambda one: one.edit(f"{one.name}(", f"{one.name}(\n    "),
    "line ends of Windows": lambda one: one.edit("\n", "\r\n"),
    "another order": lambda one: one.edit(
        one.text, f"{one.text.replace(_function(one), '')}\n\n{_function(one)}"
    ),
    "a call of it added elsewhere": lambda one: _put(one.root / "src/use.py", f"{one.name}(1)\n"),
}


def outcome(repository: Repository, home: str) -> str:
    """``withheld``, ``flagged`` or ``given``."""
    with open_readonly(home) as reader:
        found = recall(reader, repository.request, Place(str(repository.root), str(repository.root)), bar=0.0)
    if found.note is None:
        return "withheld" if any(reason.startswith("outdated") for _, reason in found.withheld) else "silent"
    return "flagged" if "Outdated in part" in found.note else "given"


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repositories", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(heading(f"Staleness, {options.repositories} repositories a change: withheld / flagged / given"))
    rng, texts = random.Random(options.seed), Texts(options.seed)
    sums: dict[bool, dict[str, int]] = {True: defaultdict(int), False: defaultdict(int)}
    for stale, changes in ((True, OUTDATED), (False, VALID)):
        for name, change in changes.items():
            counted: dict[str, int] = defaultdict(int)
            for _ in range(options.repositories):
                with tempfile.TemporaryDirectory() as folder:
                    home = str(Path(folder, "home"))
                    repository = made(Path(folder, "repo"), home, rng, texts)
                    change(repository)
                    what = outcome(repository, home)
                    counted[what] += 1
                    sums[stale][what] += 1
            row = " / ".join(str(counted[what]) for what in ("withheld", "flagged", "given"))
            print(f"  {'outdated' if stale else 'valid':10}{name:36}{row}", flush=True)
    for stale, name in (
        (True, "outdated notes withheld or flagged"),
        (False, "valid notes withheld or flagged"),
    ):
        told = sums[stale]
        print(f"  {name}: {told['withheld'] + told['flagged']} of {sum(told.values())}")


if __name__ == "__main__":
    main()
