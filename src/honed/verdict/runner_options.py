"""The arguments of a test command, sorted: what lists, what narrows, what is noise."""

from __future__ import annotations

from dataclasses import dataclass, field

from honed.verdict.runners_model import Runner

_BENCHMARKS_ONLY = frozenset({"^$", "XXX", "^XXX$", "NONE", "^NONE$", "xxx", "^a^", "-", "^-$", "none"})
"""What one gives to Go's ``-run`` to run no test but benchmarks."""


@dataclass(slots=True)
class Arguments:
    """``words`` are all but the noise; ``inert`` the first word that keeps tests from running."""

    inert: str | None = None
    words: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    narrowing: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)


def sort_arguments(row: Runner, argv: tuple[str, ...], at: int, targets: frozenset[str]) -> Arguments:
    """Sort the arguments from ``at`` on; ``targets`` are operands that were taken already."""
    sorted_ = Arguments(next((word for word in argv[1:at] if word in row.lists), None))
    index = at
    while index < len(argv):
        taken = _sort_one(sorted_, row, argv[index], argv[index + 1 : index + 2], targets)
        index += taken
    while sorted_.words and sorted_.words[-1] == "--":
        sorted_.words.pop()
    return sorted_


def _sort_one(
    found: Arguments, row: Runner, word: str, following: tuple[str, ...], targets: frozenset[str]
) -> int:
    """Put one argument where it belongs; how many words it took."""
    option, equals, value = word.partition("=")
    if row.name == "pester":
        option = option.lower()
    if word == "--":
        found.words.append(word)
    elif option in row.lists and (word[:1] == "-" or not found.paths):
        found.inert = found.inert or option
        found.words.append(word)
    elif word[:1] != "-" or len(word) == 1:
        found.words.append(word)
        assigns = "=" in word and "[" not in word and "/" not in word
        if row.operands and word not in targets and not assigns:
            found.paths.append(word)
    elif option in row.narrow_flags:
        found.words.append(word)
        found.narrowing.append(word)
    elif option in row.noise_values and not equals:
        return 1 + len(following)
    elif is_noise(word, row):
        pass
    elif option in row.narrows or (option in row.values and not equals and following):
        taken = () if equals else following
        value = value if equals else "".join(following)
        found.words += [word, *taken]
        (found.narrowing if option in row.narrows else found.options).append(f"{option} {value}")
        if option == "-run" and value in _BENCHMARKS_ONLY:
            found.inert = found.inert or f"-run {value}"
        return 1 + len(taken)
    else:
        found.words.append(word)
        found.options.append(word)
    return 1


def is_noise(word: str, row: Runner) -> bool:
    """Whether an option changes neither what is run nor how it ends."""
    return any(word == one or (one[-1] == "*" and word.startswith(one[:-1])) for one in row.noise)
