"""Signs beyond tests: type checks, builds, linters, deployments, commits, pushes, reverts.

They are named and shown, and never make a proof: none of them says that the program does what was asked.
A revert is the one that speaks against.  One table, one interpreter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from honed.sessions.model import Request, Step
from honed.verdict import launchers, shell
from honed.verdict.changes import only_reads
from honed.verdict.model import Sign, SignKind
from honed.verdict.status import deduce

SCRIPT_RUNNERS = frozenset(
    {"npm", "pnpm", "yarn", "bun", "make", "just", "task", "mise", "deno", "composer", "rake"}
)
"""Programs whose targets are judged by their names."""

TARGETS: tuple[tuple[SignKind, re.Pattern[str]], ...] = (
    ("types", re.compile(r"^(?:check[:-]?)?(?:type-?s?-?(?:check)?s?|tsc|mypy|pyright)$")),
    ("lint", re.compile(r"^(?:lint|eslint|ruff|clippy|vet|stylelint|markdownlint)(?:[:-][\w-]+)*$")),
    ("build", re.compile(r"^(?:build|compile|bundle|dist|package)(?:[:-][\w-]+)*$")),
    ("deploy", re.compile(r"^(?:deploy|release|publish)(?:[:-][\w-]+)*$")),
)
"""What a target's name says it does."""

PROGRAMS: dict[str, tuple[tuple[SignKind, tuple[str, ...]], ...]] = {
    "mypy": (("types", ()),),
    "pyright": (("types", ()),),
    "basedpyright": (("types", ()),),
    "ty": (("types", ("check",)),),
    "tsc": (("types", ()),),
    "vue-tsc": (("types", ()),),
    "flow": (("types", ("check",)),),
    "phpstan": (("types", ()),),
    "psalm": (("types", ()),),
    "srb": (("types", ("tc",)),),
    "ruff": (("lint", ("check",)),),
    "flake8": (("lint", ()),),
    "pylint": (("lint", ()),),
    "eslint": (("lint", ()),),
    "biome": (("lint", ("check",)), ("lint", ("lint",)), ("lint", ("ci",))),
    "oxlint": (("lint", ()),),
    "stylelint": (("lint", ()),),
    "shellcheck": (("lint", ()),),
    "golangci-lint": (("lint", ("run",)),),
    "rubocop": (("lint", ()),),
    "markdownlint": (("lint", ()),),
    "markdownlint-cli2": (("lint", ()),),
    "go": (("build", ("build",)), ("build", ("install",)), ("lint", ("vet",))),
    "cargo": (("build", ("build",)), ("types", ("check",)), ("lint", ("clippy",))),
    "cmake": (("build", ("--build",)),),
    "ninja": (("build", ()),),
    "vite": (("build", ("build",)),),
    "next": (("build", ("build",)), ("lint", ("lint",))),
    "webpack": (("build", ()),),
    "rollup": (("build", ()),),
    "esbuild": (("build", ()),),
    "docker": (("build", ("build",)), ("build", ("compose", "build"))),
    "dotnet": (("build", ("build",)), ("deploy", ("publish",))),
    "swift": (("build", ("build",)),),
    "mix": (("build", ("compile",)), ("lint", ("credo",)), ("types", ("dialyzer",))),
    "flutter": (("build", ("build",)), ("lint", ("analyze",))),
    "dart": (("lint", ("analyze",)), ("build", ("compile",))),
    "mvn": (("build", ("compile",)), ("build", ("package",))),
    "gradle": (("build", ("assemble",)), ("build", ("compileJava",))),
    "gradlew": (("build", ("assemble",)), ("build", ("compileJava",))),
    "kubectl": (("deploy", ("apply",)), ("health", ("rollout", "status"))),
    "terraform": (("deploy", ("apply",)),),
    "helm": (("deploy", ("upgrade",)), ("deploy", ("install",))),
    "fly": (("deploy", ("deploy",)), ("health", ("status",))),
    "flyctl": (("deploy", ("deploy",)), ("health", ("status",))),
    "vercel": (("deploy", ("deploy",)), ("deploy", ("--prod",))),
    "netlify": (("deploy", ("deploy",)),),
    "wrangler": (("deploy", ("deploy",)), ("deploy", ("publish",))),
    "curl": (("health", ()),),
    "wget": (("health", ()),),
    "http": (("health", ()),),
    "git": (("push", ("push",)), ("revert", ("revert",))),
    "gh": (
        ("push", ("pr", "merge")),
        ("push", ("pr", "create")),
        ("push", ("pr", "edit")),
        ("push", ("pr", "ready")),
    ),
    "glab": (("push", ("mr", "merge")), ("push", ("mr", "create")), ("push", ("mr", "update"))),
}
"""Program -> kinds by the words that follow it (options in between are passed over)."""

NAMED_ONLY = frozenset({"deploy", "health"})
"""Signs only where the user asked for them: else a ``curl`` is just a look."""

_ASKED = re.compile(
    r"(?i)\b(?:deploy\w*|roll ?out|release|publish|ship it|health|status (?:page|endpoint)|staging|production"
    r"|smoke|curl|endpoint)\b|\u0437\u0430\u0434\u0435\u043f\u043b\u043e\w*|\u0432\u044b\u043a\u0430\u0442\w*"
    r"|d\u00e9ploie\w*|bereitstell\w*|despliega\w*"
)
_FORGES = frozenset({"git", "gh", "glab"})
_HINTS = ({*PROGRAMS, *SCRIPT_RUNNERS} - _FORGES) | {"push", "revert", "pr", "mr"}
"""Words of which one is in every line that gives a sign; most calls of git and its like only look."""
_WORDS = re.compile(r"[\w-]+")


def signs_of(step: Step, requests: Sequence[Request]) -> tuple[Sign, ...]:
    """The signs one shell step gives; ``requests`` are what the user has asked for in this task."""
    command = step.command
    if (
        step.kind != "shell"
        or not command
        or step.status in ("rejected", "never_ran")
        or only_reads(command)
        or _HINTS.isdisjoint(_WORDS.findall(command))
    ):
        return ()
    return tuple(_found(step, command, requests))


def _found(step: Step, text: str, requests: Sequence[Request]) -> Iterator[Sign]:
    script, commands = shell.parsed(text)
    asked = False
    for command in commands:
        kind = kind_of(command.simple.argv)
        if kind is None:
            continue
        if kind in NAMED_ONLY:
            asked = asked or any(_ASKED.search(request.text) for request in requests)
            if not asked:
                continue
        said = deduce(script, command, step.exit_code)
        outcome = {"passed": "pass", "failed": "fail"}.get(said.state, "unknown")
        if said.state != "not_run":
            yield Sign(kind, outcome, step.id, step.line, command.simple.text[:200])  # type: ignore[arg-type]


@lru_cache(maxsize=1024)
def kind_of(argv: tuple[str, ...]) -> SignKind | None:
    """What kind of sign a command is, if it is one."""
    words = launchers.unwrap(argv).argv
    if not words:
        return None
    name = launchers.program(words[0])
    rest = tuple(word for word in words[1:] if not word.startswith("-") or word in ("--build", "--prod"))
    if name in SCRIPT_RUNNERS:
        return _target_kind(rest)
    for kind, following in PROGRAMS.get(name, ()):
        if rest[: len(following)] == following:
            return kind
    return None


def _target_kind(rest: tuple[str, ...]) -> SignKind | None:
    target = next((word for word in rest if word not in ("run", "exec", "task", "workspace", "-w")), "")
    return next((kind for kind, names in TARGETS if names.match(target)), None)
