"""Rules written by hand: no files and no commands, a title and a few sentences, in a small memory."""

from __future__ import annotations

import pytest

from honed.recall.recall import recall
from honed.skills.model import Draft
from tests.recall.making import LATER, SHOP, Shelf

RULES = {
    "bake": (
        "Images are built with bake",
        "Use docker buildx bake. Plain docker build misses the arguments.",
    ),
    "jobs": ("Background jobs are idempotent", "Celery tasks may run twice. Check before writing."),
    "flags": ("Feature flags live in flags.yaml", "New behaviour is behind a flag. It is off by default."),
    "branch": ("Branches are named after tickets", "Take the number of the ticket. Then a few short words."),
}


def told(shelf: Shelf, request: str) -> list[str]:
    shelf.keep(
        {
            slug: Draft("rule", title, "", body=body, origin="owner", fingerprint=slug)
            for slug, (title, body) in RULES.items()
        }
    )
    with shelf.reader() as reader:
        return [hit.slug for hit in recall(reader, request, SHOP, now=LATER).hits]


@pytest.mark.parametrize(
    ("request_text", "slug"),
    [
        ("build the docker image", "bake"),
        ("add a celery task that sends the invoice", "jobs"),
        ("where do our feature flags live", "flags"),
        ("start a branch for the ticket", "branch"),
    ],
)
def test_a_rule_is_told_to_who_asks_for_its_matter_in_other_words(
    shelf: Shelf, request_text: str, slug: str
) -> None:
    assert told(shelf, request_text) == [slug]


@pytest.mark.parametrize(
    "request_text",
    [
        "draw an icon for the app",
        "run the job again",
        "rename the variable x to count",
        "the picture is blurry",
        "write a parser for invoices",
    ],
)
def test_who_asks_for_something_else_is_told_no_rule(shelf: Shelf, request_text: str) -> None:
    assert told(shelf, request_text) == []
