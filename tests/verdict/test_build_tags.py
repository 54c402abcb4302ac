"""Which Go files a run did not compile."""

from __future__ import annotations

import pytest

from honed.verdict.build_tags import given_tags, tags_of


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("//go:build integration\n\npackage x", {"integration"}),
        ("// Copyright\n\n//go:build e2e && linux\n\npackage x", {"e2e"}),
        ("     1\u2192//go:build integration\n     2\u2192\n", {"integration"}),
        ("1\t//go:build slow\n2\t\n3\tpackage x", {"slow"}),
        ("//go:build linux\n\npackage x", set()),
        ("//go:build !integration\n\npackage x", set()),
        ("//go:build a || b\n\npackage x", set()),
        ("//go:build go1.21\n\npackage x", set()),
        ("package x\n", set()),
    ],
)
def test_the_tags_a_file_needs_stand_in_front_of_its_package(text: str, tags: set[str]) -> None:
    assert tags_of(text) == tags


@pytest.mark.parametrize(
    ("command", "output", "tags"),
    [
        ("go test ./...", "", set()),
        ("go test -tags integration ./...", "", {"integration"}),
        ("go test -tags=integration,e2e -v ./...", "", {"integration", "e2e"}),
        ("go test -tags 'a b' ./...", "", {"a", "b"}),
        ("GOFLAGS=-tags=e2e go test ./...", "", {"e2e"}),
        ("mise run test", "[test] $ go test ./...", set()),
        ("mise run test", "[test] $ go test -tags=integration ./...", {"integration"}),
        ("make test", "ok  \tx\t0.1s", None),
    ],
)
def test_the_tags_a_run_was_given_stand_in_its_command(
    command: str, output: str, tags: set[str] | None
) -> None:
    assert given_tags(command, output) == tags
