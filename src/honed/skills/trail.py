"""The commands of a task as attempts: which form failed how, which passed, what stood between.

Recipes ("this form works here") and pitfalls ("this error, that remedy") are both read from it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from honed.sessions.model import Step
from honed.skills.places import relative, shortened
from honed.skills.signatures import Signature, signature
from honed.verdict import shell
from honed.verdict.changes import only_reads
from honed.verdict.launchers import unwrap
from honed.verdict.model import Run, Task
from honed.verdict.unwrapping import program

FORM_LIMIT = 160
"""Characters of a command that is worth telling as a form."""
FAILED = frozenset({"fail", "nothing", "unknown"})
PASSED = frozenset({"pass", "weak"})

# Kinds of signatures that speak of the environment or the form of the command, not of the code.
ENVIRONMENT = frozenset(
    """
    EPERM EACCES ECONNREFUSED engine ERR_PNPM_VERIFY_DEPS_BEFORE_RUN ERR_PNPM_UNSUPPORTED_ENGINE EBADENGINE
    ELOOP EROFS
    """.split()
) | {
    "command not found",
    "missing module",
    "unknown option",
    "missing script",
    "wrong folder",
    "permission denied",
}

# Commands that make an environment ready.  Matched on the command without its launchers.
_SETUP = re.compile(
    "|".join(
        rf"(?:{row})"
        for row in (
            r"(?:npm|pnpm|yarn|bun) (?:i|ci|install|add|link|rebuild|approve-builds)\b",
            r"(?:npm|pnpm|yarn|bun) (?:run )?\S*(?:generate|codegen|prepare|bootstrap|setup)",
            r"(?:npm|pnpm|yarn|bun) (?:run )?(?:build:(?:types|deps|packages)|compile)",
            r"yarn$",
            r"(?:pip3?|uv pip|pipx) install\b",
            r"python3? -m (?:pip install|venv|ensurepip|playwright install)\b",
            r"uv (?:sync|add|venv|lock)\b",
            r"(?:poetry|pipenv|pdm|hatch) (?:install|add|lock|sync)\b",
            r"go (?:mod (?:tidy|download|vendor)|get|install|generate|work sync)\b",
            r"cargo (?:add|fetch|install|update|generate)\b",
            r"(?:bundle|composer|gem) (?:install|require|dump-autoload)\b",
            r"mix (?:deps\.get|ecto\.\w+|setup)",
            r"(?:flutter|dart) (?:pub \w+|run build_runner)",
            r"dotnet restore|swift package resolve",
            r"docker(?: compose|-compose) (?:up|start|build|pull)\b",
            r"docker (?:start|run|pull|build)\b",
            r"(?:systemctl|service|brew services|pg_ctl|pg_ctlcluster|redis-server|mongod)\b",
            r"(?:brew|apt|apt-get|dnf|yum|apk|pacman|choco|winget|scoop) (?:install|add|-S)\b",
            r"(?:mise|asdf|rustup|nvm|fnm|volta|pyenv|corepack|nix-env) "
            r"(?:install|use|add|i|trust|enable|prepare|component|toolchain|default|local|global)\b",
            r"(?:npx )?(?:playwright|prisma|puppeteer) (?:install|generate|migrate)\b",
            r"(?:alembic|flask db) (?:upgrade|revision|migrate)\b",
            r"(?:rails|rake) db:\w+",
            r"(?:django-admin|python3? manage\.py) (?:migrate|makemigrations|collectstatic)\b",
            r"(?:make|just|task|mise run) \S*(?:gen|proto|setup|bootstrap|deps|install|migrate|fixtures)",
            r"(?:protoc|mockgen|wire)\b|(?:buf|sqlc|templ) generate",
            r"git (?:submodule update|lfs pull)",
        )
    )
)
_INLINE = re.compile(r"(?:^|\s)(?:-e|-c|-p|--eval|-)(?:\s|$)|<<")
# Written in front of a command in the same line: they belong to its form.
_PREPARES = frozenset(
    {"source", ".", "nvm", "fnm", "conda", "mamba", "mise", "asdf", "pyenv", "eval", "workon", "cd"}
)
_NO_ACTS = frozenset("git cd echo export sleep kill mkdir touch rm mv cp curl wget which".split())
"""Programs whose running says nothing of what an error took: they read, tidy up or prepare anything."""
_TOOLS = frozenset(
    """
    pytest tox nox mypy pyright ruff black flake8 pylint isort coverage go cargo rustc clippy-driver npm
    pnpm yarn bun node deno tsc tsx eslint prettier biome oxlint oxfmt vitest jest mocha ava playwright
    cypress vite webpack next astro turbo nx make cmake ninja meson bazel gradle gradlew mvn mvnw dotnet
    swift xcodebuild flutter dart mix elixir rebar3 bundle rspec rake rubocop phpunit composer php
    golangci-lint gofmt goimports staticcheck just task mise terraform helm docker kubectl python python3 uv
    poetry pdm hatch pre-commit alembic prisma wrangler protoc buf sqlc stack cabal zig ctest
    """.split()
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One command that builds, checks or tests: its form, and how it went.

    ``form`` is what one would type to do the same (directory and preparing commands in front, no
    selection of tests, no pipes); ``core`` the tool that did the work; ``signature`` of what went wrong.
    """

    step: Step
    form: str
    core: str
    failed: bool
    passed: bool
    signature: Signature | None
    run: Run | None = None

    @property
    def at(self) -> int:
        """Ordinal of its start."""
        return self.step.started


@dataclass(frozen=True, slots=True)
class Setup:
    """A command that made the environment ready and succeeded."""

    command: str
    at: int


def attempts(task: Task, root: str | None) -> tuple[Attempt, ...]:
    """What was tried in ``task``, in the order in which it was started."""
    runs = {run.step_id: run for run in task.runs if run.result.outcome != "not_a_test"}
    found = []
    for step in sorted(task.steps, key=lambda step: step.started):
        if step.kind != "shell" or not step.command or step.status in ("rejected", "never_ran", "running"):
            continue
        attempt = _attempt(step, runs.get(step.id), task, root)
        if attempt is not None:
            found.append(attempt)
    return tuple(found)


def _attempt(step: Step, run: Run | None, task: Task, root: str | None) -> Attempt | None:
    command = step.command or ""
    form, core = _form(command, run)
    form = placed(form, step, task, root)
    if run is None and (core not in _TOOLS or _INLINE.search(form) or len(form) > FORM_LIMIT):
        return None
    outcome = run.result.outcome if run else ""
    bad_status = step.status == "failed" or step.exit_code not in (0, None)
    failed = outcome in FAILED if run else bad_status
    passed = outcome in PASSED if run else (step.status == "ok" and step.exit_code in (0, None))
    found = signature(step.output, None) if failed else None
    return Attempt(
        step=step,
        form=shortened(form, cwd=task.session.cwd, root=root),
        core=(run.result.runner or core) if run else core,
        failed=failed,
        passed=passed,
        signature=found,
        run=run,
    )


def placed(form: str, step: Step, task: Task, root: str | None) -> str:
    """``form`` with the folder it ran in, when that is not the project's own and the line does not say."""
    if not form or form.startswith("cd ") or " cd " in form:
        return form
    folder = relative((step.cwd or "") + "/.", cwd=task.session.cwd, root=root) if step.cwd else None
    return f"cd {folder} && {form}" if folder and folder != "." else form


def _form(command: str, run: Run | None) -> tuple[str, str]:
    """(how one would type it again, the program that does the work)."""
    commands = shell.commands(shell.parse(command))
    if not commands:
        return "", ""
    index = run.result.order if run and run.result.order is not None else _main(commands)
    index = min(index, len(commands) - 1)
    simple = commands[index].simple
    core = program(unwrap(simple.argv).argv[0]) if simple.argv and unwrap(simple.argv).argv else ""
    before = [each.simple for each in commands[:index] if each.simple.argv]
    prepares = [s.text for s in before if program(s.argv[0]) in _PREPARES and not s.text.startswith("cd ")]
    exports = [s.text for s in before if s.argv[0] == "export" and "=" in s.text and len(s.text) < 120]
    if run and not run.result.check:
        return "", core
    if run and run.result.check:
        main = generic(run.result.check, run.result.selection)
    else:
        main = _bare(simple.text)
        folders = [s.text for s in before if s.argv[0] == "cd" and len(s.argv) == 2]
        main = " && ".join([*folders[-1:], main])
    return " && ".join([*exports, *prepares, main]), core


def _main(commands: Sequence[shell.Command]) -> int:
    """The command of a line that does its work: the last known tool, else the last of all."""
    for index in range(len(commands) - 1, -1, -1):
        argv = unwrap(commands[index].simple.argv).argv
        if argv and program(argv[0]) in _TOOLS and commands[index].stage_index == 0:
            return index
    return len(commands) - 1


def _bare(text: str) -> str:
    """``text`` without redirections."""
    return re.sub(r"(?:\s+\d?>{1,2}(?:&\d|\s*\S+))+$", "", text.strip())


def generic(check: str, selection: Sequence[str]) -> str:
    """``check`` without what narrows it to single tests: the form for any of them."""
    head, joint, last = check.rpartition(" && ")
    words = last.split() if "'" in last or '"' in last else _split(last)
    dropped = {word for part in selection for word in (part, *part.split()) if _narrows(part)}
    quoted = {shlex.quote(word) for word in dropped}
    kept = [word for word in words if word not in dropped and word not in quoted]
    # A pattern of several words was split with its quotes; what is left of it goes with its option.
    text = " ".join(kept)
    text = re.sub(
        r"\s+(?:-k|-run|-t|--grep|--testNamePattern"
        r"|--test-name-pattern|-testNamePattern)(?:[= ].*)?$",
        "",
        text,
    )
    if re.match(r"(?:\S+=\S+ )*(?:\S+ )*go test\b", text) and not re.search(r"\s\.?/|\s\.\s*$|\.\.\.", text):
        text += " ./..."
    return f"{head}{joint}{text}".strip()


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _narrows(part: str) -> bool:
    return not part.endswith("...") and part.rstrip("/") not in (
        "tests",
        "test",
        ".",
        "spec",
        "src",
        "./tests",
        "./test",
    )


def setups(task: Task, root: str | None) -> tuple[Setup, ...]:
    """The commands that made the environment ready, in order, as one would type them again."""
    found = []
    for step in sorted(task.steps, key=lambda step: step.started):
        if step.kind != "shell" or not step.command or step.status != "ok" or step.exit_code not in (0, None):
            continue
        folder = ""
        for each in shell.commands(shell.parse(step.command)):
            argv = each.simple.argv
            if not argv or each.in_substitution:
                continue
            if argv[0] == "cd":
                folder = each.simple.text if len(argv) == 2 else ""
                continue
            inner = " ".join(unwrap(argv).argv)
            text = _bare(each.simple.text)
            if len(text) < 200 and "\n" not in text and (_SETUP.match(inner) or _SETUP.match(" ".join(argv))):
                form = placed(f"{folder} && {text}" if folder else text, step, task, root)
                found.append(Setup(shortened(form, cwd=task.session.cwd, root=root), step.started))
    return tuple(found)


def acts(task: Task, root: str | None) -> tuple[tuple[int, str], ...]:
    """(ordinal, command) of each line of one command that worked, tests nothing and does more than read, as
    one would type it again."""
    tests = {run.step_id for run in task.runs}
    found = []
    for step in sorted(task.steps, key=lambda step: step.started):
        line = step.command or ""
        if step.kind != "shell" or step.id in tests or step.status != "ok" or step.exit_code not in (0, None):
            continue
        if not line or len(line) > FORM_LIMIT or only_reads(line) or _INLINE.search(line):
            continue
        commands = [one for one in shell.commands(shell.parse(line)) if one.simple.argv]
        if len(commands) == 1 and program(commands[0].simple.argv[0]) not in _NO_ACTS:
            form = placed(_bare(commands[0].simple.text), step, task, root)
            found.append((step.started, shortened(form, cwd=task.session.cwd, root=root)))
    return tuple(found)
