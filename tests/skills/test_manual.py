"""What is written by hand is taken as it is, or refused with a word on what to do."""

from __future__ import annotations

import pytest

from honed.errors import UsageError
from honed.skills.manual import completed, draft_from_manual, redacted
from honed.skills.model import BODY_LIMIT, Draft, FileRef, Pitfall
from honed.skills.render import markdown


def test_a_procedure_by_hand_has_all_its_parts() -> None:
    draft = draft_from_manual(
        "procedure",
        "  Release a version ",
        trigger="when a release is due",
        steps=["bump VERSION", "tag it"],
        outcome="the tag is pushed",
        lessons=["never on a Friday"],
        check="make release-check",
        files=["./VERSION", "tests/test_version.py"],
        tags=["release", "release"],
    )
    assert draft.title == "Release a version"
    assert draft.body == "- never on a Friday"
    assert draft.files == (FileRef("VERSION"), FileRef("tests/test_version.py", role="test"))
    assert draft.tags == ("release",)
    assert (draft.origin, draft.scope) == ("owner", "project")
    assert draft.fingerprint


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"kind": "poem"}, "kind"),
        ({"title": " "}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"title": "a\x07b"}, "control"),
        ({"scope": "galaxy"}, "scope"),
        ({"steps": ()}, "steps"),
        ({"steps": ("",)}, "step"),
        ({"steps": ("x",) * 51}, "steps"),
        ({"body": "x" * (BODY_LIMIT + 1)}, "body"),
        ({"body": "a\x00b"}, "body"),
        ({"files": ("/etc/passwd",)}, "file"),
        ({"files": ("../up.py",)}, "file"),
        ({"files": ("C:\\x.py",)}, "file"),
        ({"ttl_days": 0}, "ttl"),
        ({"trigger": "x" * 2001}, "trigger"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_name(change: dict[str, object], word: str) -> None:
    given: dict[str, object] = {"kind": "procedure", "title": "t", "steps": ("s",), **change}
    with pytest.raises(UsageError, match=word):
        draft_from_manual(given.pop("kind"), given.pop("title"), **given)  # type: ignore[arg-type]


def test_a_step_is_kept_without_the_number_that_it_was_written_with() -> None:
    steps = ["1. run make migrate", "2) 3. is no number", "- tag it", "10 retries at most", "-x stays"]
    draft = draft_from_manual("procedure", "Release", steps=steps)
    assert draft.steps == ("run make migrate", "3. is no number", "tag it", "10 retries at most", "-x stays")


def test_the_same_text_has_the_same_fingerprint_up_to_case_space_and_counters() -> None:
    one = draft_from_manual("rule", "Keep 3 backups", body="of the  store")
    two = draft_from_manual("rule", "keep 12 backups", body="of the store")
    other = draft_from_manual("lesson", "Keep 3 backups", body="of the store")
    assert one.fingerprint == two.fingerprint != other.fingerprint


def test_every_text_of_a_draft_is_redacted() -> None:
    secret = "hush"
    draft = Draft(
        "procedure",
        f"t {secret}",
        f"g {secret}",
        steps=(f"s {secret}",),
        files=(FileRef(f"{secret}.py"),),
        check=f"c {secret}",
        pitfalls=(Pitfall(secret, secret, secret),),
        outcome=secret,
        body=secret,
        aliases=(secret,),
        symbols=(secret,),
        tags=(secret,),
    )
    clean = redacted(draft, lambda text: text.replace(secret, "[redacted]"))
    assert secret not in repr(clean)
    assert clean == completed(clean)


def test_a_draft_reads_as_markdown() -> None:
    draft = Draft(
        "procedure",
        "Round totals",
        "the total is off",
        steps=("Edit `cart.py`",),
        files=(FileRef("cart.py"), FileRef("tests/a.py", role="test")),
        check="pytest",
        pitfalls=(Pitfall("KeyError: 'x'", "Change `b.py` too", "pytest"),),
        outcome="3 passed",
        body="More.",
    )
    assert markdown(draft) == (
        "# Round totals\n\n**When:** the total is off\n\n## Steps\n\n1. Edit `cart.py`\n\n"
        "## Files\n\n- `cart.py`\n- `tests/a.py` (test)\n\n**Check:** `pytest`\n\n"
        "## Pitfalls\n\n- `KeyError: 'x'` (from `pytest`): Change `b.py` too\n\n**Outcome:** 3 "
        "passed\n\nMore.\n"
    )
