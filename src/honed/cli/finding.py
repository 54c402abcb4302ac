"""Commands that find: ``recall`` and ``search``.  They load what a recall needs and nothing else."""

from __future__ import annotations

from honed import asking
from honed.cli.command import Command, Output, here_of, project_argument, typed_text
from honed.home import default_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from honed.recall.hits import Hit
    from honed.recall.recall import Recalled

NEW_HERE = (
    "Nothing was learned in this project yet; `--project NAME` looks into another one "
    "(`honed projects list`)."
)
NOTHING = "Nothing fits well enough to be said unasked."
MOST = 50
"""The most hits that are asked for at once."""
MODEL_SECONDS = 30.0
"""How long a model may take to load; the bundled one takes about one second."""
NEAREST = 3
"""Hits below the bar that ``--explain`` shows where nothing is above it."""


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST:
        raise ValueError(text)
    return number


_count.__name__ = f"number from 1 to {MOST}"


def _query_arguments(parser: ArgumentParser, limit: int) -> None:
    parser.add_argument(
        "query",
        nargs="+",
        metavar="QUERY",
        type=typed_text,
        help="what the agent would be asked, in any words, in quotes or not",
    )
    parser.add_argument(
        "-n",
        type=_count,
        default=limit,
        dest="limit",
        metavar="N",
        help=f"at most so many skills ({limit})",
    )
    project_argument(parser)
    parser.add_argument(
        "--lexical", action="store_true", help="by words only, without the model of `semantic.model`"
    )


def _recall_arguments(parser: ArgumentParser) -> None:
    _query_arguments(parser, 5)
    parser.add_argument("--explain", action="store_true", help="say how each score came about")


def _recall(options: Namespace, output: Output) -> int:
    found = asking.recall(
        options.home or default_home(),
        " ".join(options.query),
        cwd=here_of(options),
        project=options.project,
        limit=options.limit,
        explain=options.explain,
        everywhere=options.project is None,
        patience=_patience(options),
    )
    nearest = _nearest(options) if options.explain and not found.hits else ()
    output.json(
        {
            "note": found.note,
            "tokens": found.tokens,
            "mode": found.mode,
            "hits": [_hit_json(hit) for hit in found.hits],
            "withheld": [{"slug": slug, "reason": reason} for slug, reason in found.withheld],
            **({"below": [_hit_json(hit) for hit in nearest]} if nearest else {}),
        }
    )
    output.text(found.note or ("Nothing is given now." if found.withheld else NOTHING))
    if options.explain:
        names = _typed_names(options, (*found.hits, *nearest))
        _explain(found.hits, names, output)
        if nearest:
            output.text("\nNearest to it, below the bar and not given:")
            _explain(nearest, names, output)
        _say_withheld(found, output)
    elif found.note is None:
        _say_withheld(found, output)
    if found.note is None and not found.withheld:
        _say_if_new_here(options, output)
    return 0


def _say_if_new_here(options: Namespace, output: Output) -> None:
    """Who finds nothing in a repository of which nothing is known may look for what was learned elsewhere."""
    if output.as_json or options.project is not None:
        return
    from honed.store.place import locate
    from honed.store.reading import open_readonly

    with open_readonly(options.home or default_home()) as reader:
        place = locate(here_of(options))
        project = reader.project(place)
        if (
            place.git_dir
            and not (project and reader.size(reader.scopes(project)))
            and reader.size(reader.every_scope())
        ):
            output.text(NEW_HERE)


def _say_withheld(found: Recalled, output: Output) -> None:
    from honed.recall.safe import code

    for slug, reason in found.withheld:
        output.text(f"Not given: {code(slug)} ({reason})")


def _nearest(options: Namespace) -> Sequence[Hit]:
    """What comes nearest where nothing is given: the owner who asks why deserves an answer."""
    return [hit for hit in _searched(options, limit=NEAREST, explain=True).hits if hit.weak]


def _searched(options: Namespace, *, limit: int, explain: bool = False, recaps: bool = False) -> Recalled:
    return asking.search(
        options.home or default_home(),
        " ".join(options.query),
        cwd=here_of(options),
        project=options.project,
        limit=limit,
        explain=explain,
        recaps=recaps,
        everywhere=options.project is None,
        patience=_patience(options),
    )


def _patience(options: Namespace) -> float | None:
    return None if options.lexical else MODEL_SECONDS


def _typed_names(options: Namespace, hits: Sequence[Hit]) -> dict[str, str]:
    """By id what can be typed here for each skill: its slug, and in a folder that is no project, where all
    projects were looked at, `project/slug`."""
    found = {hit.id: hit.slug for hit in hits}
    if not hits or options.project is not None:
        return found
    from honed.store.naming import project_names
    from honed.store.place import locate
    from honed.store.reading import open_readonly

    with open_readonly(options.home or default_home()) as reader:
        if reader.project(locate(here_of(options))) is not None:
            return found
        names = project_names(reader)
    for hit in hits:
        where = names.get(hit.facts.project, "")
        found[hit.id] = f"{where}/{hit.slug}" if where else hit.slug
    return found


def _explain(hits: Sequence[Hit], names: Mapping[str, str], output: Output) -> None:
    from honed.recall.safe import name_told

    for hit in hits:
        output.text(f"\n{name_told(names[hit.id])}  {hit.score:.3f}  [{hit.state}, {hit.grade}]")
        for line in hit.why:
            output.text(f"    {line}")


def _hit_json(hit: Hit) -> dict[str, object]:
    return {
        "slug": hit.slug,
        "id": hit.id,
        "title": hit.title,
        "kind": hit.kind,
        "score": round(hit.score, 4),
        "weak": hit.weak,
        "state": hit.state,
        "grade": hit.grade,
        "why": list(hit.why),
    }


def _search_arguments(parser: ArgumentParser) -> None:
    _query_arguments(parser, 10)
    parser.add_argument("--recaps", action="store_true", help="session recaps too")


def _search(options: Namespace, output: Output) -> int:
    found = _searched(options, limit=options.limit, recaps=options.recaps)
    output.json({"note": found.note, "mode": found.mode, "hits": [_hit_json(hit) for hit in found.hits]})
    if found.note:
        output.text(found.note)
    names = _typed_names(options, found.hits)
    for hit in found.hits:
        weak = " (weak)" if hit.weak else ""
        output.text(f"{hit.score:.2f}{weak}  {names[hit.id]}  [{hit.kind}, {hit.state}]  {hit.title}")
    if not found.hits and not found.note:
        output.text("Nothing found.")
        _say_if_new_here(options, output)
    return 0


COMMANDS = {
    "recall": Command(
        _recall,
        _recall_arguments,
        description=(
            "The note that an agent in this folder would be given for a request, or that nothing fits."
        ),
        example='honed recall "the login test is flaky" --explain   # and how each score came about',
    ),
    "search": Command(
        _search,
        _search_arguments,
        description="Everything that matches in this project and everywhere. Faint hits are marked weak.",
        example='honed search "rounding" -n 3',
    ),
}
