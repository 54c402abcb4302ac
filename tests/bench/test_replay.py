"""The replay of forgetting, on small streams whose outcome is known."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench import changelogs
from bench.curves import pictures
from bench.forgetting import ABLATIONS, MODELS, Known, by_uses, honed_strength, last_used
from bench.pictures import Line, chart
from bench.replay import BUDGETS, replayed
from bench.streams import Piece, Stream, generated_stream

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"


def stream(*pieces: tuple[str, str]) -> Stream:
    """Pieces by key and file; each needs the earlier ones of its file."""
    told: list[Piece] = []
    for key, file in pieces:
        needs = frozenset(piece.key for piece in told if file in piece.files)
        told.append(Piece(key, frozenset({file}), needs, float(len(told))))
    return Stream("small", tuple(told))


def test_with_room_for_all_everything_needed_is_there() -> None:
    curve = replayed(generated_stream(3, pieces=60), honed_strength(0), 1.0, (1.0,))
    assert set(curve.retained[0]) == {1.0}


def test_what_was_of_use_outlives_what_was_not() -> None:
    told = stream(("a1", "a"), ("a2", "a"), ("b", "b"), ("c", "c"), ("a3", "a"))
    # Room for two: a1 was of use, so c pushes b or a2 out, not a1.
    (shares,) = replayed(told, honed_strength(0), 1.0, (0.4,)).retained
    assert shares == (1.0, 0.5)


def test_the_area_is_that_under_the_curve() -> None:
    curve = replayed(generated_stream(4, pieces=60), by_uses(last_used)(0), 1.0)
    assert 0 < curve.area < 1 - BUDGETS[0] / 2
    assert curve.area <= curve.helped
    assert len(curve.retained) == len(BUDGETS)


@pytest.mark.parametrize("model", [*MODELS, *ABLATIONS], ids=lambda model: model.name)
def test_a_model_forgets_first_what_was_used_least_lately(model: object) -> None:
    remembered = model.make(model.settings[0])  # type: ignore[attr-defined]
    used = Known(0.0, [80.0], {"file": 80.0}, [80.0])
    assert remembered(used, 100.0) > remembered(Known(0.0, worked={"file": 0.0}), 100.0)


def test_the_picture_of_the_curve_is_the_one_that_the_code_draws() -> None:
    """If this fails after a change of the curve: ``python -m bench.pictures``."""
    assert (PICTURES / "strength.svg").read_text(encoding="utf-8") == pictures()["strength"]


def test_a_picture_is_whole_xml_whatever_a_line_is_called() -> None:
    root = ElementTree.fromstring(chart([Line("<&>", [(0, 0), (1, 1)])], "a", "b", ((0.5, "half"),)))
    assert "<&>" in [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_changelog_told_by_hand_gives_days_and_source_files_of_each_change() -> None:
    told = changelogs.stream(
        "small",
        """2021-03-02  A. Person  <a@example.org>

\tparser: accept a trailing comma.
\t* src/parse.c (item, list): Accept it.
\t* tests/list.c, NEWS: Likewise.

Mon Mar  1 13:10:01 CET 2021  A. Person  <a@example.org>

\t* src/scan.c (next),
\tsrc/parse.c: Use the new
\ttable: faster.
\t* ChangeLog: Start.

\t* doc/manual.texi: Say so.
""",
    )
    first, second = told.pieces
    assert first.files == {"src/scan.c", "src/parse.c"}
    assert second.files == {"src/parse.c"}
    assert second.needs == {first.key}
    assert (first.at, second.at) == (0.0, 1.0)


def test_a_changelog_told_by_git_gives_the_same() -> None:
    commit = "commit {0}\nAuthor: A\nDate:   Mon Mar {1} 10:00:00 2021 +0100\n\n    Do it.\n\n {2} | 4 +++-\n"
    text = commit.format("b" * 40, 9, "src/a.c") + "\n" + commit.format("a" * 40, 1, "src/a.c")
    first, second = changelogs.stream("small", text).pieces
    assert second.needs == {first.key}
    assert (first.at, second.at) == (0.0, 8.0)
