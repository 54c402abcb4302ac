"""Curves as small SVG pictures whose text can be compared line by line.

python -m bench.pictures        # writes docs/pictures/strength.svg and docs/pictures/models.svg
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 20, 50
COLOURS = ("#0b6e4f", "#c8553d", "#3d5a80", "#8f6bb3", "#b08900", "#777777", "#111111")
TICKS = 5


@dataclass(frozen=True, slots=True)
class Line:
    """A named curve."""

    name: str
    points: Sequence[tuple[float, float]]


def chart(lines: Sequence[Line], across: str, up: str, marks: Sequence[tuple[float, str]] = ()) -> str:
    """The lines as SVG; ``marks`` are heights with a name.  Both axes begin at 0."""
    most_x = max(x for line in lines for x, _ in line.points)
    most_y = max(y for line in lines for _, y in line.points)
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(x: float, y: float) -> str:
        return f"{LEFT + wide * x / most_x:.1f},{TOP + high * (1 - y / most_y):.1f}"

    told = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<path d="M{place(0, most_y)} L{place(0, 0)} L{place(most_x, 0)}" fill="none" stroke="#444"/>',
    ]
    for step in range(TICKS + 1):
        x, y = most_x * step / TICKS, most_y * step / TICKS
        right, down = LEFT + wide * step / TICKS, TOP + high * (1 - step / TICKS)
        told.append(f'<text x="{right:.1f}" y="{TOP + high + 16}" text-anchor="middle">{_number(x)}</text>')
        told.append(f'<text x="{LEFT - 6}" y="{down + 4:.1f}" text-anchor="end">{_number(y)}</text>')
    told.append(
        f'<text x="{LEFT + wide / 2:.1f}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>'
    )
    turned = f"translate(16 {TOP + high / 2:.1f}) rotate(-90)"
    told.append(f'<text transform="{turned}" text-anchor="middle">{escape(up)}</text>')
    for level, name in marks:
        start, end = place(0, level), place(most_x, level)
        told.append(f'<path d="M{start} L{end}" stroke="#999" stroke-dasharray="4 4" fill="none"/>')
        told.append(f'<text x="{LEFT + 6}" y="{float(start.split(",")[1]) - 4:.1f}">{escape(name)}</text>')
    for number, line in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(place(x, y) for x, y in line.points)
        told.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        height = TOP + 14 + 20 * number
        told.append(
            f'<rect x="{WIDTH - RIGHT + 12}" y="{height - 8}" width="14" height="4" fill="{colour}"/>'
        )
        told.append(f'<text x="{WIDTH - RIGHT + 32}" y="{height}">{escape(line.name)}</text>')
    return "\n".join([*told, "</svg>", ""])


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def main() -> None:
    """Write the pictures of docs/strength.md that need no data."""
    from bench.curves import pictures

    folder = Path(__file__).resolve().parents[1] / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (folder / f"{name}.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
