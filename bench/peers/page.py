"""Tables in Markdown, and a page whose sections are replaced one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1) -> str:
    """A Markdown table; the first ``words`` columns are aligned to the left, figures to the right."""
    cells = [tuple(head), *(tuple(row) for row in rows)]
    widths = [max(3, *(len(row[place]) for row in cells)) for place in range(len(head))]

    def line(row: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if place >= words else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        return f"| {' | '.join(padded)} |"

    rule = "|".join(
        "-" * (width + 1) + (":" if place >= words else "-") for place, width in enumerate(widths)
    )
    return "\n".join([line(cells[0]), f"|{rule}|", *(line(row) for row in cells[1:])])


def with_section(page: str, heading: str, text: str) -> str:
    """``page`` with the section ``## heading`` holding ``text``: replaced where it stands, else put last."""
    section = f"## {heading}\n\n{text.strip()}\n"
    found = re.search(rf"(?ms)^## {re.escape(heading)}\n.*?(?=^## |\Z)", page)
    if found is None:
        return f"{page.rstrip()}\n\n{section}" if page.strip() else section
    rest = page[found.end() :]
    return page[: found.start()] + section + ("\n" + rest if rest else "")
