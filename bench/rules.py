"""Rules written by hand, asked for in other words: how many requests are told theirs, and how many are told
another one, in memories of 5 and of 10 rules, by words and (where the extra ``semantic`` is there) with it.

    python -m bench.rules [--model auto]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.filling import fill, place_of
from bench.machine import heading
from honed.embedding.choice import chosen
from honed.embedding.providers import model_of
from honed.meaning import embed
from honed.recall.bar import BAR
from honed.recall.recall import recall
from honed.recall.semantic import Sense
from honed.skills.model import Draft
from honed.store.reading import open_readonly
from honed.store.sqlite import SqliteStore

_RULES = """
Money is kept in cents: Amounts are whole numbers of cents in every table. Format them at the edge.
add a column for the invoice amount; the total is shown with three decimals; store the price of an item

Migrations never drop a column at once: First stop writing it, then drop it a release later. Replicas lag.
remove the unused column from orders; write a migration for the new status; clean up old database fields

Public endpoints are versioned: Every route begins with the version of the API. Old ones stay for a year.
add a route for exporting reports; rename a field in the API response; deprecate the search endpoint

Secrets come from the vault: No key or password stands in a file of the repository. Read them at start.
where do I put the stripe key; connect to the database in staging; the worker needs a password

Tests freeze the clock: Time is passed in, never read in the middle. Fixtures freeze it at noon.
the expiry test fails around midnight; write a test for trials that run out; this test is flaky on fridays

Images are built with bake: Use docker buildx bake. Plain docker build misses the arguments.
build the docker image; the container misses its build arguments; add a service to the compose file

Background jobs are idempotent: Celery tasks may run twice. Check before writing.
add a celery task that sends the invoice; customers got the email twice; retry the import when it fails

Feature flags live in flags.yaml: New behaviour is behind a flag. It is off by default.
turn the new checkout on for ten percent; where do our feature flags live; hide the beta page

Branches are named after tickets: Take the number of the ticket. Then a few short words.
start a branch for the login bug; open a pull request for the ticket; what should the branch be called

Logs carry no personal data: Mask names and addresses before logging. Support asks by the id alone.
log the customer who failed to pay; add debug output to the signup; print the request of the webhook

Colours come from tokens: No hex value stands in a component. The design team owns the tokens file.
make the button a darker blue; add a dark theme; style the error banner

Strings are translated by key: Texts of the interface are keys in the locale files. English is written first.
change the text of the empty state; add a German version of the dialog; fix the typo on the home page

Errors are told by type: Raise a subclass of ShopError with a code. The handler makes the answer of it.
return a 404 when the cart is gone; raise an exception for a bad voucher; what does the handler do with errors

Queries are paged: No list is returned whole. Use the cursor of the repository layer.
list all orders of a customer; the admin table loads too slowly; return every product in one response

Dependencies are pinned and reviewed: A new package needs a line in DEPENDENCIES.md. Renovate raises versions.
install a library for pdf files; upgrade django; can we use this npm package

Releases are cut on tuesdays: The tag is made by the release script after the smoke test. Nobody tags by hand.
tag the new version; when can we ship the fix; prepare the changelog for the release

Frontend state lives in the store: Components keep what is open or closed. Fetching is done by the store.
fetch the profile in the component; the cart count is wrong after a reload; share the filter between two pages

Terraform is applied by the pipeline: Plan on your machine, apply in CI. The state is locked for people.
create a bucket for uploads; add a queue to staging; run terraform apply

Emails are sent by the outbox: Write the message to the outbox in the same transaction. A worker sends it.
send a mail when the order is shipped; the welcome message was lost; notify the customer about a refund

Performance is measured before it is improved: Attach a profile to the pull request. Guesses are turned away.
make the report faster; this query is slow; optimize the start of the app
"""


def _read() -> Iterator[tuple[str, str, list[str]]]:
    for block in _RULES.strip().split("\n\n"):
        told, requests = block.split("\n")
        title, _, text = told.partition(": ")
        yield title, text, requests.split("; ")


RULES = tuple(_read())
"""Title, text, and three requests in other words to whom the rule says something."""
SIZES = (5, 10)


def memories(size: int) -> Iterator[Sequence[int]]:
    """The rules in memories of ``size``, by their places."""
    for start in range(0, len(RULES), size):
        yield range(start, start + size)


def told(made: Path, size: int, model: str) -> tuple[int, int, int]:
    """How many requests of a memory's own rules are told theirs; how many of the other rules are told
    anything, and how many those are."""
    right = wrong = asked = 0
    for number, kept in enumerate(memories(size)):
        home = str(made / f"{size}-{number}{'-model' if model else ''}")
        fill(home, ((f"rule-{place}", "shop", _draft(place)) for place in kept))
        if model:
            with SqliteStore.open(home) as store:
                embed(store, model)
        sense = Sense(model_of(model)) if model else None
        with open_readonly(home) as reader:
            for place, (_, _, requests) in enumerate(RULES):
                for text in requests:
                    hits = recall(reader, text, place_of("shop"), sense=sense).hits
                    if place in kept:
                        right += f"rule-{place}" in [hit.slug for hit in hits]
                    else:
                        asked += 1
                        wrong += bool(hits)
    return right, wrong, asked


def _draft(place: int) -> Draft:
    title, body, _ = RULES[place]
    return Draft("rule", title, "", body=body, origin="owner", fingerprint=f"rule-{place}")


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="auto", help="a value of the setting semantic.model")
    model = chosen(parser.parse_args().model)
    requests = sum(len(requests) for _, _, requests in RULES)
    print(
        heading(f"Rules asked for in other words, {len(RULES)} rules, {requests} requests, at the bar {BAR}")
    )
    with tempfile.TemporaryDirectory() as made:
        for name in ("", model) if model else ("",):
            for size in SIZES:
                right, wrong, asked = told(Path(made), size, name)
                print(
                    f"  {name or 'words':10} memories of {size:2}: told theirs {right} of {requests}, "
                    f"others told something {wrong} of {asked}"
                )


if __name__ == "__main__":
    main()
