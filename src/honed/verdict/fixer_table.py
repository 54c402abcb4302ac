"""Formatters, fixers, generators and package managers: which calls change files, and which only look.

One row each.  Sources: each program's ``--help``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Fixer:
    """One program that rewrites files.

    ``words`` the program and its subcommand.  It writes if one of ``needs`` is given (or none is
    needed) and none of ``unless``.  ``values`` take the next word with them, so that it is no file.
    """

    words: tuple[str, ...]
    how: Literal["formatter", "generator", "install"] = "formatter"
    needs: frozenset[str] = _NONE
    unless: frozenset[str] = _NONE
    values: frozenset[str] = _NONE
    files: bool = True
    """Operands are the files (or directories) that it changes."""


def _fixers(
    names: str,
    needs: str = "",
    unless: str = "",
    *,
    values: str = "",
    how: Literal["formatter", "generator", "install"] = "formatter",
    files: bool = True,
) -> list[Fixer]:
    spellings: list[tuple[str, ...]] = [()]
    for alternatives in names.split():
        spellings = [(*before, word) for before in spellings for word in alternatives.split("|")]
    sets = (frozenset(needs.split()), frozenset(unless.split()), frozenset(values.split()))
    return [Fixer(spelling, how, *sets, files) for spelling in spellings]


def _generators(names: str, unless: str = "") -> list[Fixer]:
    return _fixers(names, "", unless, how="generator", files=False)


def _installs(names: str, unless: str = "") -> list[Fixer]:
    return _fixers(names, "", unless, how="install", files=False)


_LOOKS = "--check --diff --dry-run --help --version -h"
_BLACK = "-l --line-length -t --target-version --config --include --exclude --extend-exclude -W --workers"
_NODE = (
    "--config -c --ignore-path --parser --ext --rulesdir --ignore-pattern --format -f --rule --max-warnings"
)

ROWS: tuple[Fixer, ...] = tuple(
    row
    for rows in (
        # Go
        _fixers(
            "gofmt|goimports|gofumpt|gci|golines", "-w --write", "-l -d", values="-r -local -cpuprofile -m"
        ),
        _fixers("gofmt|goimports|gofumpt", "-w -lw -wl", values="-r -local"),
        _fixers("gci write"),
        _fixers("go fmt|fix", unless="-n -diff"),
        _fixers("golangci-lint run", "--fix", values="-c --config -E -D --timeout --build-tags"),
        _fixers("golangci-lint fmt", unless="--diff -d"),
        # Python
        _fixers("black|blue", unless=_LOOKS, values=_BLACK + " -c --code"),
        _fixers(
            "isort", unless=_LOOKS + " -c --check-only", values="-l --profile --settings-path --sp -p --src"
        ),
        _fixers(
            "ruff", "--fix --fix-only", values="--select --ignore --config --extend-select --target-version"
        ),
        _fixers(
            "ruff check",
            "--fix --fix-only --add-noqa",
            "--diff",
            values="--select --ignore --config --extend-select",
        ),
        _fixers("ruff format", unless=_LOOKS, values="--config --line-length --target-version"),
        _fixers(
            "autopep8|yapf|autoflake|docformatter|unify",
            "-i --in-place --in_place -ir -ri",
            values="--style --max-line-length",
        ),
        _fixers("pyupgrade|add-trailing-comma|reorder-python-imports|flynt|ssort|pycln"),
        _fixers("djlint", "--reformat"),
        # JavaScript
        _fixers("prettier|prettierd", "--write -w", values=_NODE),
        _fixers(
            "eslint|eslint_d|stylelint|tslint|xo|standard|ts-standard|semistandard|oxlint",
            "--fix",
            "--fix-dry-run",
            values=_NODE,
        ),
        _fixers("next|ng|nuxi|vue-cli-service|react-scripts lint", "--fix", files=False),
        _fixers(
            "biome|rome check|format|lint",
            "--write --apply --fix --apply-unsafe",
            values="--config-path --max-diagnostics",
        ),
        _fixers("dprint|oxfmt fmt", files=True),
        _fixers("oxfmt", unless="--check --list-different"),
        _fixers("deno fmt", unless="--check"),
        _fixers("deno lint", "--fix"),
        _fixers("markdownlint|markdownlint-cli2", "--fix", values="-c --config"),
        _fixers("nx format:write|fix|migrate", files=False),
        _fixers("sort-package-json|syncpack", unless="--check"),
        # Rust, C, Zig
        _fixers("cargo fmt", unless="--check", files=False),
        _fixers("cargo fix", files=False),
        _fixers("cargo clippy", "--fix", files=False),
        _fixers("rustfmt", unless="--check", values="--edition --config --config-path"),
        _fixers("clang-format", "-i", "--dry-run -n", values="--style -style"),
        _fixers("clang-tidy", "--fix -fix --fix-errors", values="-p"),
        _fixers("cmake-format|gersemi", "-i --in-place"),
        _fixers("zig fmt", unless="--check"),
        # JVM, .NET, Swift, mobile
        _fixers("ktlint", "-F --format"),
        _fixers("google-java-format", "-i -r --replace"),
        _fixers("dotnet format", unless="--verify-no-changes", files=False),
        _fixers("swiftformat", unless="--lint --dryrun", values="--config --rules"),
        _fixers("swiftlint", "--fix --autocorrect"),
        _fixers("swift-format format", "-i --in-place"),
        _fixers("scalafmt", unless="--test --check --list"),
        _fixers("dart format", unless="--output=none --output=show", values="-o --output -l --line-length"),
        _fixers("dart fix", "--apply", files=False),
        _fixers("flutter format"),
        # Ruby, PHP, Elixir, functional
        _fixers(
            "rubocop",
            "-a -A --auto-correct --autocorrect --auto-correct-all --autocorrect-all --fix-layout -x",
        ),
        _fixers("standardrb|erblint", "--fix --autocorrect"),
        _fixers("php-cs-fixer fix", unless="--dry-run", values="--config --rules"),
        _fixers("phpcbf", values="--standard"),
        _fixers("pint", unless="--test", values="--config --preset"),
        _fixers("rector process", unless="--dry-run -n", values="-c --config"),
        _fixers("mix format", unless="--check-formatted --dry-run"),
        _fixers("ocamlformat|stylish-haskell|fourmolu|ormolu|brittany", "-i --inplace --mode=inplace"),
        _fixers("dune fmt|promote", files=False),
        _fixers("elm-format", unless="--validate"),
        _fixers("cljfmt|standard-clj fix"),
        _fixers("stylua", unless="--check"),
        # Others
        _fixers("terraform|tofu fmt", unless="-check --check -diff"),
        _fixers("shfmt", "-w --write", values="-i --indent -ln"),
        _fixers("buf format", "-w --write"),
        _fixers("just --fmt", files=False),
        _fixers("taplo fmt|format", unless="--check"),
        _fixers(
            "yamlfmt|nixfmt|alejandra|treefmt|nixpkgs-fmt", unless="--check -lint -dry --fail-on-change --ci"
        ),
        _fixers("sqlfluff fix|format"),
        _fixers("typos", "-w --write-changes"),
        _fixers("codespell", "-w --write-changes"),
        _fixers("trunk fmt", files=False),
        _fixers("trunk check", "--fix -y", files=False),
        _fixers("pre-commit|prek run", files=False),
        _fixers("lint-staged|lefthook", files=False),
        _fixers(
            "jscodeshift|ast-grep|comby|codemod", "-U --update-all -i --in-place -t --transform", "-d --dry"
        ),
        _fixers("nix fmt", unless="--check", files=False),
        # Generators
        _generators("go generate", "-n"),
        _generators(
            "protoc|mockgen|wire|stringer|sqlc|openapi-generator|openapi-generator-cli|graphql-codegen|swagger-codegen"
        ),
        _generators("buf|sqlc|templ|prisma|ent|oapi-codegen generate", "--dry-run"),
        _generators("prisma migrate|db|format"),
        _generators("alembic revision"),
        _generators(
            "manage.py|django-admin makemigrations|startapp|startproject|squashmigrations",
            "--check --dry-run",
        ),
        _generators("rails|bin/rails generate|g|new"),
        _generators("ng|nest|plop generate|g|new"),
        _generators("dotnet new"),
        _generators("cargo new|init"),
        _generators("flutter create"),
        _generators("npm|pnpm|yarn|bun init|create"),
        _generators("uv|poetry|hatch|pdm init|new"),
        _generators("dart|flutter run build_runner"),
        _generators("cargo insta", "test"),
        _generators("drizzle-kit generate|push"),
        _generators("typeorm migration:generate|migration:create"),
        _generators("shadcn add|init"),
        # Package managers
        _installs(
            "npm|pnpm install|i|ci|add|remove|uninstall|rm|un|update|up|upgrade|dedupe|link|audit",
            "--dry-run",
        ),
        _installs("npm install-clean|install-test|it|cit|prune|version"),
        _installs("yarn|bun install|add|remove|upgrade|up|link|update|dedupe", "--dry-run"),
        _installs(
            "pip|pip3|pip3.11|pip3.12|pip3.13|pipx|conda|mamba|micromamba install|uninstall|update|remove",
            "--dry-run",
        ),
        _installs("uv add|remove|sync|lock|venv", "--dry-run --check"),
        _installs("uv pip install|uninstall|sync|compile", "--dry-run"),
        _installs(
            "poetry|pdm|pipenv|rye|pixi|hatch add|remove|install|update|lock|sync|uninstall",
            "--dry-run --check",
        ),
        _installs("cargo add|remove|rm|update|install|vendor", "--dry-run"),
        _installs("go get|install|work"),
        _installs("go mod tidy|download|vendor|edit|init", "-diff"),
        _installs("bundle|bundler install|add|update|remove|lock"),
        _installs(
            "gem|brew|apt|apt-get|dnf|yum|apk|pacman|snap|choco|winget|scoop"
            " install|uninstall|remove|upgrade|add|-S"
        ),
        _installs("composer install|require|update|remove|dump-autoload", "--dry-run"),
        _installs("mix deps.get|deps.update|deps.clean"),
        _installs("dotnet add|restore|remove"),
        _installs("flutter|dart pub", "deps"),
        _installs("pod|carthage install|update|bootstrap"),
        _installs("swift package"),
        _installs("mise|rtx|asdf install|use|upgrade|plugin"),
        _installs("nix flake"),
        _installs("terraform|tofu init"),
        _installs("playwright|cypress install"),
        _installs("rustup|nvm|fnm|volta install|update|target|component"),
        _installs("corepack enable|prepare|use"),
    )
    for row in rows
)

TASK_RUNNERS: dict[str, tuple[str, ...]] = {
    "make": (),
    "gmake": (),
    "just": (),
    "task": (),
    "rake": (),
    "poe": (),
    "inv": (),
    "invoke": (),
    "ninja": (),
    "gradle": (),
    "gradlew": (),
    "mvn": (),
    "mvnw": (),
    "sbt": (),
    "mise": ("run", "r", "tasks"),
    "npm": ("run", "run-script"),
    "pnpm": ("run", ""),
    "yarn": ("run", ""),
    "bun": ("run",),
    "deno": ("task",),
    "nox": ("-s", "--session", "--sessions"),
    "tox": ("-e",),
    "hatch": ("fmt",),
    "turbo": ("run", ""),
    "nx": ("run", "run-many", ""),
    "moon": ("run",),
    "composer": ("run", "run-script", ""),
    "bazel": ("run",),
    "lerna": ("run",),
    "rush": ("",),
}
"""Programs that run named tasks, with the subcommands behind which the name stands ("": none needed)."""

FIXING_TASK = re.compile(
    r"(?:^|[:_./-])(?:fmt|format|formatting|fix|fixall|prettify|prettier|autofix|autoformat|reformat|tidy|gazelle"
    r"|spotlessApply|ktlintFormat|scalafmtAll|spotless:apply|update-goldens|write)(?:$|[:_/-])",
    re.IGNORECASE,
)
GENERATING_TASK = re.compile(
    r"(?:^|[:_./-])(?:gen|generate|codegen|proto|protos|protobuf|mocks?|migrations?|makemigrations|snapshots?)(?:$|[:_/-])",
    re.IGNORECASE,
)
LOOKING_TASK = re.compile(
    r"(?:^|[:_./-])(?:check|verify|lint-only|dry|dry-run|diff|test|ci|list)(?:$|[:_/-])", re.IGNORECASE
)

SNAPSHOT_FLAGS = frozenset(
    {
        "--updateSnapshot",
        "--update-snapshots",
        "--update-snapshot",
        "--update-goldens",
        "--update-golden",
        "--snapshot-update",
        "--inline-snapshot=fix",
        "-update-golden",
        "-test.update-golden",
    }
)
"""Options of test runners that write what they should compare with."""

SNAPSHOT_SHORT_FLAGS = frozenset({"-u", "-update", "--update", "-update=true", "--accept"})
"""The same, where the program is one of ``SNAPSHOT_RUNNERS``."""

SNAPSHOT_RUNNERS = frozenset({"jest", "vitest", "playwright", "ava", "react-scripts", "tap", "flutter"})
SNAPSHOT_TEST_RUNNERS = frozenset({"go", "bun", "npm", "pnpm", "yarn", "deno", "cargo"})
"""Programs that are test runners with the word ``test``."""

SNAPSHOT_VARIABLE = re.compile(
    r"(?:UPDATE|OVERWRITE|ACCEPT|REGEN)\w*(?:SNAP|GOLD|EXPECT|FIXTURE|BASELINE)|INSTA_UPDATE|SNAPSHOT_UPDATE"
)
"""Environment variables that tell a test to do so."""
