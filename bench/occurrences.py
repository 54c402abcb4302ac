"""How often something must have been done before the next time gets help with it.

Families of tasks, generated: each is the same kind of work on one file, asked for in other words each time.
Before each occurrence the request is asked of the memory as a hook does; the first one that is given what an
earlier one taught is counted.  Each occurrence is then a session in which the tests pass after the change.

    python -m bench.occurrences
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from bench.machine import heading
from honed import transcripts
from honed.asking import recall
from honed.demo.scribe import ClaudeScribe
from honed.memory import Memory

FAMILIES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("shop/cart.py", "uv run pytest", (
        "Round the cart totals half up, they are off by a cent",
        "The cart total is wrong by one cent again, fix the rounding",
        "Cart rounding: totals for three items come out a cent short",
        "Customers see a cart total that is a cent too low",
        "Fix how the cart rounds its totals",
    )),
    ("shop/codes.py", "uv run pytest tests/test_codes.py", (
        "Reject discount codes with a lower case letter",
        "Discount codes: accept a dash in them",
        "A discount code with trailing blanks is refused, trim it",
        "Validate the length of discount codes",
        "Discount codes must not start with a digit",
    )),
    ("shop/receipt.py", "uv run pytest", (
        "Print the tax line on the receipt below the subtotal",
        "The receipt leaves out the tax of free items",
        "Receipt: show the shop's tax number under the tax line",
        "Align the amounts of the receipt to the right",
        "Long names break the lines of the receipt",
    )),
    ("api/orders.go", "go test ./api/...", (
        "Return 404 for an order that does not exist",
        "The orders endpoint answers 500 for an unknown order id",
        "List orders by date in the orders endpoint",
        "Orders endpoint: page the list by fifty",
        "The orders endpoint leaks the customer's mail address",
    )),
    ("web/search.ts", "npx vitest run", (
        "Debounce the search box of the shop page",
        "The search box sends a request for each letter",
        "Search box: keep the last query when going back",
        "Clear the search box with the escape key",
        "The search box forgets its focus after a reload",
    )),
)  # fmt: skip
"""A file, its check, and requests."""
PASSED = {"uv": "12 passed in 0.58s", "go": "ok  \tshop/api\t0.012s", "npx": " Tests  12 passed (12)"}
NEVER = 9
"""In place of an occurrence: none was given anything."""


def first_helped(folder: Path, number: int, deliver: str) -> int:
    """The first occurrence (from 1) of a family that is given something."""
    file, check, requests = FAMILIES[number]
    home, project = str(folder / "home"), folder / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    with Memory.open(home) as memory:
        memory.configure("deliver", deliver)
    for occurrence, request in enumerate(requests, 1):
        told = recall(home, request, cwd=str(project))
        if told.hits:
            return occurrence
        day = f"2026-11-{occurrence:02d}"  # evidence of the same second as what taught it is not later
        scribe = ClaudeScribe(f"0000000{occurrence}-0000-4000-8000-000000000000", str(project), day)
        scribe.asks(request)
        scribe.edits(file, f"old line {occurrence}", f"new line {occurrence} of {Path(file).stem}()")
        scribe.runs(check, PASSED[check.split()[0]])
        path = folder / f"{occurrence}.jsonl"
        path.write_text(scribe.text(), encoding="utf-8")
        with Memory.open(home) as memory:
            for _ in memory.absorb(transcripts.in_order([path])):
                pass
    return NEVER


def main() -> None:
    """Run it."""
    print(heading("The first occurrence of a task that is given what an earlier one taught"))
    for deliver in ("verified", "proven"):
        counted: Counter[int] = Counter()
        for number in range(len(FAMILIES)):
            with tempfile.TemporaryDirectory() as made:
                counted[first_helped(Path(made), number, deliver)] += 1
        shown = ", ".join(
            f"{count} at {'none of five' if at == NEVER else f'the {at}.'}"
            for at, count in sorted(counted.items())
        )
        print(f"  deliver {deliver:9} {len(FAMILIES)} families: {shown}")


if __name__ == "__main__":
    main()
