"""Why a skill was found: each part of its score in words."""

from __future__ import annotations

from honed.recall.bar import COINCIDENCE, MOST_BACKING
from honed.recall.exact import strongest
from honed.recall.scored import (
    BODY_STEM,
    EXACT_POWER,
    EXACT_WORTH,
    HEAD,
    HEAD_STEM,
    KEYS,
    MIX,
    OCCASION_WORTH,
    USE_WORTH,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from honed.recall.lexical import Scores
    from honed.recall.scored import Scored

_PLACES = {
    HEAD: "title, trigger and aliases",
    HEAD_STEM: "the same, by word stems",
    BODY_STEM: "steps and text",
    KEYS: "files, symbols, check and errors",
}
_KINDS = {
    "phrase": "the same request",
    "topic": "the same topic, in stems:",
    "path": "names the path",
    "file": "names the file",
    "symbol": "names the symbol",
    "command": "names the command",
    "error": "names the error",
    "code": "names the code",
}
_MOST_WORDS = 12


def short_reasons(scored: Scored) -> tuple[str, ...]:
    """One or two lines: the exact things in common and the words that matched."""
    lines = [f"{_KINDS[match.kind]} {match.value}" for match in strongest(scored.matches)[:3]]
    if scored.words:
        lines.append("words: " + ", ".join(scored.words[:_MOST_WORDS]))
    elif scored.cosine or scored.use_cosine:
        lines.append(f"means about the same (cosine {max(scored.cosine, scored.use_cosine):.2f})")
    return tuple(lines)


def reasons(
    scored: Scored, scores: Scores, probability: float, standing: float, *, coincidence: bool
) -> tuple[str, ...]:
    """Every part of the score, so that it can be worked out again by hand (docs/recall.md).

    ``coincidence`` says that what is in common is too little to be more, which caps the probability.
    """
    lines = [
        f"{_PLACES[field]}: {share:.3f} x {MIX[field]:.2f}"
        for field, share in scored.shares.items()
        if share > 0
    ]
    lines += [f"{_KINDS[match.kind]} {match.value}: {match.worth:.2f}" for match in strongest(scored.matches)]
    if scored.exact > 0:
        lines.append(f"exact things together: {EXACT_WORTH} x {scored.exact:.3f}^{EXACT_POWER}")
    if scored.use > 0:
        lines.append(f"like requests that it was used for: {scored.use:.3f} x {USE_WORTH}")
    if scored.occasion > 0:
        lines.append(f"phrases of its title and trigger: {scored.occasion:.3f} x {OCCASION_WORTH}")
    if scored.use_cosine:
        lines.append(
            f"meaning: cosine {scored.cosine:.2f}, of the likest request that it was used for"
            f" {scored.use_cosine:.2f}, whose words count three quarters then: adds {scored.nearness:.3f}"
        )
    elif scored.cosine:
        lines.append(f"meaning: cosine {scored.cosine:.2f} adds {scored.nearness:.3f}")
    words = ", ".join(scored.words[:_MOST_WORDS]) or "none"
    lines.append(
        f"words found: {words} ({scored.covered:.0%} of what the request says; {scored.telling:g} that not"
        " any request may hold, a compound and its parts as one)"
    )
    several = "" if scores.skills == 1 else "s"
    lines.append(
        f"fit {scored.fit:.3f}; the request says {scores.weight:.1f} (its words, by how rare each is here,"
        f" over {scores.skills} skill{several} in scope), {scores.unknown:.0%} of it unknown here; the"
        f" text has {scored.indexed.body_words} words{_backing(scored)}: probability {probability:.3f}"
    )
    if coincidence:
        lines.append(f"what is in common may be a coincidence: at most {COINCIDENCE}")
    if round(scored.apart, 3):
        lines.append(f"before what says less of the request: {scored.apart:+.3f} for words that few have")
    if scored.reach:
        lines.append(f"before what changed less: {scored.reach:+.3f} for the number of its files")
    if round(scored.company, 3):
        lines.append(
            f"in the order: {scored.company:+.3f} for what else fits, about its files or of its session"
        )
    if scored.behind:
        lines.append(f"after those before it about the same files: {-scored.behind:+.3f}")
    if round(standing, 2):
        lines.append(f"among near-equals: {standing:+.2f} for state, strength, place and pins")
    return tuple(lines)


def _backing(scored: Scored) -> str:
    """What else moves the probability, of what changed files or is talk."""
    kind = "it changed files" if scored.indexed.places else "it is talk" if scored.indexed.talk else ""
    return f", {kind}, and the others about that add {min(MOST_BACKING, scored.backing):.3f}" if kind else ""
