"""What a sentence of a request does, and which one a title is made of."""

from __future__ import annotations

import pytest

from honed.skills.naming import title_of_request
from honed.skills.sayings import saying

SAID = [
    ("Add coupon codes to the checkout", "order"),
    ("can you please round the cart total?", "order"),
    ("I just want you to define a role for one worker", "order"),
    ("we can simplify the linting setup with ultralint", "order"),
    ("do not render the raw transcript of a session", "order"),
    ("the cart total does not match the invoice", "order"),
    ("I keep getting role not found errors", "report"),
    ("we still have weird gaps in the Summary tab", "report"),
    ("I see the totals twice on the invoice page", "report"),
    ("let's round the cart totals, what do you think?", "order"),
    ("previously the prompt was black, that seems to be gone now?", "report"),
    ("review the exporter of invoices", "look"),
    ("/code-review medium the commit with rounding", "look"),
    ("I see roles being configured by my settings", "nothing"),
    ("let's fix the ending next, what would you propose?", "nothing"),
    ("In terms of usability and of telemetry for as many users as possible", "nothing"),
    ("why do we re-export these settings", "nothing"),
    ("How much effort would it be to ask agents for protected paths?", "nothing"),
    ("do we also want to check for trailing slashes?", "nothing"),
    ("it means nothing changed in the public commands, right?", "nothing"),
    ("the docs mention a hook for this, can we change this?", "nothing"),
    ("I told you that I was going to run the review myself", "nothing"),
    ("we ran the exporter over night", "nothing"),
    ("If it doesn't find any bugs, commit your progress and we can move forward", "nothing"),
    ("there are merge conflicts, let's deal with that first", "nothing"),
    ("yes, do it", "nothing"),
    ("go on", "nothing"),
    ("", "nothing"),
]


@pytest.mark.parametrize(("sentence", "kind"), SAID)
def test_a_sentence_orders_reports_looks_or_names_nothing(sentence: str, kind: str) -> None:
    assert saying(sentence) == kind


TITLES = [
    (
        "What if a tag comes in between? Let's cover tags of the target in a test.",
        "Cover tags of the target in a test",
    ),
    (
        "Review the exporter of invoices. Ensure the version is kept in the transcript.",
        "Ensure the version is kept in the transcript",
    ),
    ("I keep getting role not found errors", "Role not found errors"),
    ("do we also want to check for trailing slashes?", ""),
    ("no public port '22/tcp' published for 13d7e7277f4e\nFAIL shop/syncer 11.023s\nFAIL", ""),
    (
        "--- FAIL: TestCart (0.01s)\nFAIL shop/cart 0.5s\nRound the total before comparing carts",
        "Round the total before comparing carts",
    ),
    (
        "the export fails:\n"
        + "step done in the nightly run of exports\n" * 60
        + "Use the other queue for nightly exports",
        "The export fails",
    ),
]


@pytest.mark.parametrize(("text", "title"), TITLES)
def test_a_title_is_made_of_what_was_asked_or_reported(text: str, title: str) -> None:
    assert title_of_request(text) == title
