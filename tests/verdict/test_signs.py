"""Evidence beyond tests: named, shown, never proof."""

from __future__ import annotations

import pytest

from honed.verdict.model import Sign
from honed.verdict.signs import kind_of
from tests.verdict.telling import Told


def signs(told: Told) -> list[tuple[str, str]]:
    """Kinds and outcomes of the last task's signs."""
    found: tuple[Sign, ...] = told.tasks()[-1].signs
    return [(sign.kind, sign.outcome) for sign in found]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("mypy src", "types"),
        ("npx tsc --noEmit", "types"),
        ("cargo check --all", "types"),
        ("npm run typecheck", "types"),
        ("pnpm run check-types", "types"),
        ("uv run ruff check .", "lint"),
        ("golangci-lint run", "lint"),
        ("mise run lint", "lint"),
        ("npm run lint:fix", "lint"),
        ("cargo clippy", "lint"),
        ("go build ./...", "build"),
        ("make build", "build"),
        ("yarn build", "build"),
        ("cmake --build out", "build"),
        ("kubectl apply -f x.yml", "deploy"),
        ("kubectl rollout status deploy/x", "health"),
        ("git push origin main", "push"),
        ("gh pr merge 3 --squash", "push"),
        ("git revert HEAD", "revert"),
        ("pytest -q", None),
        ("git status", None),
        ("go test ./...", None),
        ("make test", None),
        ("", None),
    ],
)
def test_a_command_gives_the_sign_its_words_say(command: str, kind: str | None) -> None:
    assert kind_of(tuple(command.split())) == kind


def test_signs_are_shown_and_prove_nothing() -> None:
    told = Told().asked().changes().shell("mypy src && ruff check .", "Success").shell("git push", "ok")
    assert signs(told) == [("types", "pass"), ("lint", "pass"), ("push", "pass")]
    assert told.kind() == "none"


def test_a_sign_is_only_as_sure_as_its_status() -> None:
    told = Told().asked().changes().shell("mypy src | tail -1", "Success").shell("tsc", "error TS2345", 2)
    assert signs(told) == [("types", "unknown"), ("types", "fail")]


def test_a_health_check_counts_only_where_the_user_spoke_of_it() -> None:
    look = "curl -f https://shop.example/health"
    assert signs(Told().asked("fix the cart").shell(look, "ok")) == []
    assert signs(Told().asked("deploy it and check the health endpoint").shell(look, "ok")) == [
        ("health", "pass")
    ]
