"""What of a refactoring makes a note outdated, in eight languages, and what of a change leaves it valid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from honed.recall.ground import Looks, ground_of
from honed.sessions.model import Hunk
from honed.skills.anchors import anchor
from honed.skills.model import Anchor

PYTHON = """\
import money


def round_total(items, scale=1):
    part = sum(items)
    return money.half_up(part, scale)


def after(b):
    round_total(b)
    return round_total(b)
"""
TYPESCRIPT = """\
import { halfUp } from "./money";

export function roundTotal(items: number[], scale = 1): number {
  const part = items.reduce((a, b) => a + b, 0);
  return halfUp(part, scale);
}

export function after(b: number[]) {
  if (roundTotal(b) > 3) {
    return 1;
  }
  roundTotal(b, () => {
    done();
  });
}
"""
GO = """\
package cart

func (c *Cart) RoundTotal(items []int, scale int) int {
\tpart := sum(items)
\treturn halfUp(part, scale)
}

func after(c *Cart, b []int) int {
\tif c.RoundTotal(b, 1) > 3 {
\t\treturn 1
\t}
\treturn c.RoundTotal(b, 2)
}
"""
RUST = """\
impl Cart {
    pub fn round_total(&self, items: &[u32], scale: u32) -> u32 {
        let part = items.iter().sum();
        half_up(part, scale)
    }
}

fn after(c: &Cart, b: &[u32]) -> u32 {
    match c.round_total(b, 2) {
        _ => 1,
    }
}
"""
JAVA = """\
public class Cart {
    public int roundTotal(List<Integer> items, int scale) throws IOException {
        int part = sum(items);
        return halfUp(part, scale);
    }

    public int after(List<Integer> b) {
        if (roundTotal(b, 1) > 3) {
            return 1;
        }
        return this.roundTotal(b, 2);
    }
}
"""
CPP = """\
#include "cart.h"

int Cart::roundTotal(const std::vector<int>& items, int scale) {
  int part = sum(items);
  return halfUp(part, scale);
}

int after(Cart& c, const std::vector<int>& b) {
  while (c.roundTotal(b, 1) > 3) {
    return 1;
  }
}
"""
SQL = """\
CREATE TABLE users (
  id INTEGER PRIMARY KEY
);

CREATE TABLE shop.totals (
  amount NUMERIC(10, 2) NOT NULL
);

INSERT INTO shop.totals VALUES (1);
"""
YAML = """\
jobs:
  lint:
    runs-on: ubuntu
  tests:
    timeout: 10
  publish:
    needs: [lint, tests]
"""


class Case:
    """A file, the line of its symbol, and how a formatter or an owner would write that line otherwise."""

    def __init__(self, path: str, text: str, name: str, laid_out: tuple[str, str], signed: str) -> None:
        self.path, self.text, self.name, self.laid_out, self.signed = path, text, name, laid_out, signed
        self.line = next(line for line in text.splitlines() if name in line)
        rest = text[text.index(self.line) :].splitlines()
        deep = len(self.line) - len(self.line.lstrip())
        end = 1
        while rest[end].startswith(" " * (deep + 1)) or rest[end].startswith("\t"):
            end += 1
        end += rest[end].strip() in ("}", ");")
        self.whole = "".join(f"{line}\n" for line in rest[:end])
        self.mark = {".py": "#", ".yaml": "#", ".sql": "--"}.get(Path(path).suffix, "//")


CASES = {
    "python": Case(
        "src/cart.py", PYTHON, "round_total",
        ("(items, scale=1):", "(\n    items,\n    scale = 1,\n):"), "(items, currency, scale=1):",
    ),
    "typescript": Case(
        "src/cart.ts", TYPESCRIPT, "roundTotal",
        ("(items: number[], scale = 1)", "(\n  items: number[],\n  scale = 1,\n)"),
        "(items: number[], currency: string)",
    ),
    "go": Case(
        "cart/cart.go", GO, "RoundTotal",
        ("(items []int, scale int)", "(\n\titems []int,\n\tscale int,\n)"), "(ctx Context, items []int)",
    ),
    "rust": Case(
        "src/cart.rs", RUST, "round_total",
        ("(&self, items: &[u32], scale: u32)", "(\n  &self,\n  items: &[u32],\n  scale: u32,\n)"),
        "(&mut self, items: &[u32])",
    ),
    "java": Case(
        "src/shop/Cart.java", JAVA, "roundTotal",
        (" throws IOException {", "\n            throws IOException\n    {"), " {",
    ),
    "c++": Case("src/cart.cpp", CPP, "roundTotal", (" {", "\n{"), " const {"),
    "sql": Case(
        "db/schema.sql", SQL, "shop.totals",
        ("CREATE TABLE shop.totals (", "create table shop.totals\n("), "",
    ),
    "yaml": Case(
        "ci/deploy.yaml", YAML, "tests",
        ("  tests:\n    timeout", "      tests:\n        timeout"), "",
    ),
}  # fmt: skip


def _renamed(case: Case) -> str:
    return case.text.replace(case.line, case.line.replace(case.name, f"un{case.name}"))


def _signed(case: Case) -> str:
    return case.text.replace(case.line, case.line.replace(case.laid_out[0], case.signed))


def _out(case: Case) -> str:
    return "".join(f"{case.mark} {line}\n" for line in case.whole.splitlines())


OUTDATED: dict[str, Callable[[Case], str]] = {
    "renamed, and called by its old name still": _renamed,
    "renamed everywhere": lambda case: case.text.replace(case.name, f"un{case.name}"),
    "deleted, and called still": lambda case: case.text.replace(case.whole, ""),
    "commented out": lambda case: case.text.replace(case.whole, _out(case)),
}
VALID: dict[str, Callable[[Case], str | bytes]] = {
    "nothing": lambda case: case.text,
    "another body": lambda case: case.text.replace("half", "quarter").replace("10", "12"),
    "another layout": lambda case: case.text.replace(*case.laid_out),
    "another order": lambda case: f"{case.text.replace(case.whole, '')}\n{case.whole}",
    "tabs": lambda case: case.text.replace("    ", "\t").replace("  ", "\t"),
    "a remark above": lambda case: case.text.replace(case.line, f"{case.mark} rounds\n{case.line}"),
    "a remark behind": lambda case: case.text.replace(case.line, f"{case.line}  {case.mark} rounds"),
    "line ends of Windows": lambda case: case.text.replace("\n", "\r\n"),
    "line ends of old": lambda case: case.text.replace("\n", "\r"),
    "UTF-16": lambda case: case.text.encode("utf-16"),
    "a mark of UTF-8": lambda case: case.text.encode("utf-8-sig"),
    "Latin-1": lambda case: f"{case.text}{case.mark} é\n".encode("latin-1"),
}
SEEN: dict[str, Callable[[Case], Hunk]] = {
    "by a heading": lambda case: Hunk("old = 1", "new = 1", case.line.strip()),
    "in the edit": lambda case: Hunk(case.whole.replace("half", "full"), case.whole),
    "with another signature": lambda case: Hunk(_was(case), case.whole),
}


def _was(case: Case) -> str:
    return case.whole.replace("(", "(first, ", 1) if "(" in case.line else case.whole.replace("10", "9")


def ground(root: Path, path: str, text: str | bytes, *anchors: Anchor) -> str:
    """What is said of a file of the anchors that reads ``text`` now."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    places = [{"symbol": one.symbol, "context": one.context} for one in anchors]
    found = ground_of(str(root), {"files": [{"path": path, "role": "changed", "anchors": places}]}, Looks())
    return found.gone or found.warning


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("change", OUTDATED)
@pytest.mark.parametrize("language", CASES)
def test_a_symbol_that_its_file_defines_no_more_is_gone(
    language: str, change: str, seen: str, tmp_path: Path
) -> None:
    case = CASES[language]
    place = anchor(SEEN[seen](case), case.path)
    text = OUTDATED[change](case)
    assert text != case.text
    assert ground(tmp_path, case.path, text, place), place


@pytest.mark.parametrize("language", [name for name, case in CASES.items() if case.signed])
def test_another_signature_is_told(language: str, tmp_path: Path) -> None:
    case = CASES[language]
    assert _signed(case) != case.text
    for seen in SEEN.values():
        assert ground(tmp_path, case.path, _signed(case), anchor(seen(case), case.path))


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("change", VALID)
@pytest.mark.parametrize("language", CASES)
def test_what_changes_no_meaning_of_a_place_leaves_it_valid(
    language: str, change: str, seen: str, tmp_path: Path
) -> None:
    case = CASES[language]
    place = anchor(SEEN[seen](case), case.path)
    assert ground(tmp_path, case.path, VALID[change](case), place) == "", place


@pytest.mark.parametrize(
    ("path", "symbol", "context", "text"),
    [
        ("ci.yml", "test", "test:", "jobs:\n  unittest:\n    a: 1\n"),
        ("app.ts", "Cart", "class Cart {", "class Basket extends Cart {\n}\n"),
        ("app.ts", "load", "load(url) {", "load(url, function () {\n});\n"),
        ("app.py", "load", "def load(url):", "@load\ndef other():\n    load()\n"),
        ("app.go", "Load", "func Load(url string) {", "func Other() {\n\tfor x := range Load(u) {\n\t}\n}\n"),
        ("app.java", "load", "int load(int x) {", "class A {\n  int b() {\n    return load(1);\n  }\n}\n"),
        ("app.cpp", "Cart", "class Cart {", "class Basket : public Cart {\n};\n"),
    ],
)
def test_a_name_that_is_used_only_is_not_defined(
    path: str, symbol: str, context: str, text: str, tmp_path: Path
) -> None:
    assert ground(tmp_path, path, text, Anchor(symbol, context))


@pytest.mark.parametrize(
    ("path", "symbol", "context", "text"),
    [
        ("a.css", ".btn", ".btn{", ".btn {\n  color: red;\n}\n"),
        ("a.toml", "tool.ruff", "[tool.ruff]", "[ tool.ruff ]\nline = 1\n"),
        ("a.json", "scripts", '"scripts": {', '{"a": 1,\n  "scripts":\n  {\n  }\n}\n'),
        ("a.py", "LIMIT", "LIMIT = 3", "LIMIT=3\n"),
        ("a.js", "t", "const t = x('a')", 'const t = x("a");\n'),
        ("a.rb", "load", "", "def self.load(url)  # :nodoc:\n  self.load(url)\nend\n"),
        ("a.h", "name", "", "const char *name() const {\n}\n"),
        ("a.rs", "Shown", "impl Display for Shown {", "impl Display for Shown\n{\n}\n"),
        (
            "a.py",
            "load",
            f"def load({'long_name, ' * 12})",
            f"def load({'long_name, ' * 12}last):\n    pass\n",
        ),
    ],
)
def test_another_layout_of_other_files_is_no_change(
    path: str, symbol: str, context: str, text: str, tmp_path: Path
) -> None:
    assert ground(tmp_path, path, text, Anchor(symbol, context[:120])) == ""


@pytest.mark.parametrize(
    "name", ["load", "load_all_that_the_shop_has_in_stock_and_all_that_was_ordered_for_it_again"]
)
def test_a_heading_that_git_cut_is_no_other_signature(name: str, tmp_path: Path) -> None:
    line = f"def {name}(of_the_first_shelf: list[str], of_the_second_shelf: list[str], most: int = 5):"
    place = anchor(Hunk("    a = 1", "    a = 2", line[:80]), "a.py")
    assert ground(tmp_path, "a.py", f"{line}\n    a = 2\n", place) == "", place
    renamed = line.replace(name, f"un{name}")
    assert bool(ground(tmp_path, "a.py", f"{renamed}\n    a = 2\n", place)) is (name == "load")


def test_a_remark_is_no_place() -> None:
    assert anchor(Hunk("# sums it up\na = 1", "# sums it up\na = 2"), "a.py") == Anchor()
    assert anchor(Hunk("a = 1", "a = 2", "# sums it up"), "a.py") == Anchor()
    assert anchor(Hunk("a", "b", "# How to run it"), "README.md").context == "# How to run it"


def test_a_file_of_two_skills_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def load():\n    pass\n", encoding="utf-8")
    looks = Looks()
    before = looks.files
    for symbol in ("load", "save"):
        draft = {"files": [{"path": "a.py", "anchors": [{"symbol": symbol}]}]}
        assert bool(ground_of(str(tmp_path), draft, looks).gone) is (symbol == "save")
    assert looks.files == before - 1
