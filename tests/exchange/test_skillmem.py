"""What another memory's ``export-all`` wrote comes in as what it is: skills with steps, rules, facts, recaps.

The files are made here, in the shape that skillmem 0.13.0 gives them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from honed.exchange.notes import Note, note_text, parse_note
from honed.exchange.skillmem import steps_of
from honed.memory import Memory
from honed.skills.model import Draft, Skill
from honed.skills.redact import Redactor

TRIGGER = "the nightly importer hangs on 'lock held by pid'"
STEPS = """1. look who holds it with lsof
2. kill the stale pid
   and wait for it to end
3. run make import-check"""


def a_body(
    trigger: str = TRIGGER,
    steps: str = STEPS,
    outcome: str = "success",
    lessons: str = "never delete the lock while the pid lives",
) -> str:
    parts = [f"**trigger:** {trigger}", f"**steps:** {steps}", f"**outcome:** {outcome}"]
    return "\n".join([*parts, f"**lessons:** {lessons}"] if lessons else parts)


def an_export(
    body: str, kind: str = "skill", title: str = "Free a stuck import: lock", **more: object
) -> str:
    """A file as ``skillmem export-all`` writes it; ``more`` are keys that it has besides."""
    front: dict[str, object] = {
        "name": "stuck-import",
        "description": title,
        "metadata": {
            "node_type": "memory",
            "type": kind,
            "originSessionId": None,
            "origin": more.pop("origin", "agent"),
            "owner_seal": False,
        },
        "exported_at": "2026-05-05T08:00:00Z",
        "created_at": 1777885200,
        "updated_at": 1777885300,
        **{key: more.pop(key) for key in ("project", "tags", "topics", "agent", "ttl_days") if key in more},
        "freshness_until": None,
        "visibility": "public",
        "strength": 1.15,
        "pinned": False,
        **more,
        "access_count": 4,
        "confirmed_count": 3,
        "failure_count": 0,
        "last_accessed_at": None,
        "last_decayed_at": None,
    }
    return f"---\n{yaml.safe_dump(front, allow_unicode=True, sort_keys=False)}---\n\n{body}\n"


def read(text: str) -> Note:
    return parse_note(text, "stuck-import")


def test_a_learned_skill_of_skillmem_becomes_a_procedure_with_its_fields() -> None:
    note = read(
        an_export(a_body(), project="billing", tags=["lock", "importer"], agent="claude-code", ttl_days=90)
    )
    assert note.draft == Draft(
        kind="procedure",
        title="Free a stuck import: lock",
        trigger=TRIGGER,
        steps=(
            "look who holds it with lsof",
            "kill the stale pid\n   and wait for it to end",
            "run make import-check",
        ),
        outcome="success",
        body="- never delete the lock while the pid lives",
        tags=("lock", "importer"),
        ttl_days=90,
        origin="imported",
    )
    assert (note.slug, note.project) == ("stuck-import", "billing")
    assert note.declared == {
        "origin": "agent",
        "client": "claude-code",
        "learned": "2026-05-04T09:00:00.000Z",
    }
    assert {"metadata", "created_at", "strength", "confirmed_count"} <= note.unknown.keys()


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("run make schema", ["run make schema"]),
        ("- open vault\n- rotate\n\n- redeploy", ["open vault", "rotate", "redeploy"]),
        ("1) do this 2) do that 3) done", ["do this", "do that", "done"]),
        ("look at 2) of the list, then 7) of it", ["look at 2) of the list, then 7) of it"]),
        ("edit the model, then the view; don't commit; run pytest", None),
        ("for f in *; do wc $f; done", ["for f in *; do wc $f; done"]),
        ("psql -c 'select 1; select 2'", ["psql -c 'select 1; select 2'"]),
        ("stop it\nmove it\n  to /srv\nstart it", ["stop it", "move it\n  to /srv", "start it"]),
        ("First of all:\n1. stop it\n   - the worker\n   - the web\n2. start it", None),
        ("1. run\n```sh\n- not a step\n2. nor this\n```\n2. look", None),
        ("Step 1: stop it\nStep 2: start it", ["stop it", "start it"]),
        ("- [ ] stop it\n- [x] start it", ["stop it", "start it"]),
        ("rename a -> b -> c", ["rename a -> b -> c"]),
        ("", []),
    ],
)
def test_each_step_that_is_listed_is_one(text: str, steps: Sequence[str] | None) -> None:
    known = {
        "edit": ["edit the model, then the view", "don't commit", "run pytest"],
        "First": ["First of all:", "stop it\n   - the worker\n   - the web", "start it"],
        "1.": ["run\n```sh\n- not a step\n2. nor this\n```", "look"],
    }
    assert list(steps_of(text)) == (known[text.split()[0]] if steps is None else steps)


def test_steps_that_are_said_to_have_failed_stay_text() -> None:
    note = read(an_export(a_body(outcome="failure")))
    assert (note.draft.kind, note.draft.trigger, note.draft.steps) == ("lesson", TRIGGER, ())
    assert note.draft.body == a_body(outcome="failure").partition("\n")[2]


def test_what_is_too_much_for_a_field_stays_in_the_text() -> None:
    many = "\n".join(f"{number}. step {number}" for number in range(1, 60))
    long = "word " * 500
    note = read(an_export(a_body(trigger=long, steps=many), title="t" * 250))
    assert (note.draft.kind, note.draft.steps, len(note.draft.title)) == ("lesson", (), 200)
    for kept in ("t" * 250, long.strip(), "59. step 59", "**outcome:** success", "never delete"):
        assert kept in note.draft.body
    told = read(an_export(a_body(outcome="success\n\nLater: the lock moved.", lessons="- one\n- two")))
    assert told.draft.outcome == "success"
    assert told.draft.body == "Later: the lock moved.\n\n- one\n- two"


@pytest.mark.parametrize(
    ("kind", "origin", "becomes"),
    [
        ("feedback", "agent", "rule"),
        ("user", "owner", "lesson"),
        ("reference", "agent", "lesson"),
        ("project", "agent", "lesson"),
        ("document", "imported", "lesson"),
        ("note", "agent", "lesson"),
        ("note", "derived", "recap"),
        ("skill", "agent", "lesson"),
    ],
)
def test_other_notes_of_skillmem_keep_their_text_under_their_title(
    kind: str, origin: str, becomes: str
) -> None:
    body = "# A heading\n\nThe test database listens on 5544. See [[other]]."
    note = read(an_export(body, kind, "Port of the test database", origin=origin))
    draft = note.draft
    assert (draft.kind, draft.title, draft.trigger) == (becomes, "Port of the test database", "")
    assert (draft.body, draft.origin) == (body, "imported")


def test_a_skill_out_of_a_pack_belongs_where_it_is_taken_in() -> None:
    note = read(an_export("Use it so.", project="pack:shop", agent="import:shop", tags=["untrusted-origin"]))
    assert (note.project, note.draft.tags, note.draft.agent) == ("", ("untrusted-origin", "pack:shop"), "")
    assert note.declared["client"] == "import:shop"


def test_what_was_archived_there_is_archived_and_what_was_pinned_asks_its_owner() -> None:
    note = read(an_export(a_body(), lifecycle="archived", pinned=True))
    assert (note.archived, note.pinned) == (True, True)


def test_a_secret_that_a_split_would_cut_is_masked_before() -> None:
    key = (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq\nc3VwZXJzZWNyZXQ\n-----END RSA PRIVATE KEY-----"
    )
    note = parse_note(an_export(a_body(steps=f"put it there\n{key}\nrestart")), "x", Redactor())
    assert "c3VwZXJzZWNyZXQ" not in repr(note.draft)


def test_a_note_of_another_memory_in_nearly_that_shape_is_read_as_it_stands() -> None:
    text = an_export(a_body())
    told = read("\n".join(line for line in text.split("\n") if not line.startswith("exported_at")))
    assert (told.draft.kind, told.draft.trigger) == ("lesson", "Free a stuck import: lock")
    assert told.draft.body == f"{a_body()}\n"


def test_a_skill_of_skillmem_goes_out_and_in_again_the_same() -> None:
    note = read(an_export(a_body(), agent="codex", topics=["ops"]))
    skill = Skill("sk_mqjkw24bs6ycrlea", "pr_x", note.slug, note.draft, extra=note.extra("x.md"))
    again = read(note_text(skill, "", [], []))
    assert (again.draft, again.unknown, again.declared) == (note.draft, note.unknown, note.declared)


def test_what_came_from_skillmem_is_recalled_by_its_own_words_as_data(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (tmp_path / "X" / "skill").mkdir(parents=True)
    file = tmp_path / "X" / "skill" / "stuck-import.md"
    file.write_text(an_export(a_body(), confirmed=9), encoding="utf-8")
    with Memory.open(str(tmp_path / "home")) as memory:
        done = memory.take_in(str(tmp_path / "X"), cwd=str(shop))
        assert (done.new, done.refused) == (1, [])
        file.write_text(an_export(a_body(), confirmed=9).replace("05-05T", "05-06T"), encoding="utf-8")
        assert memory.take_in(str(tmp_path / "X"), cwd=str(shop)).same == 1
        found = memory.recall("why does the nightly importer hang, lock held by pid?", cwd=str(shop))
        assert found.note is not None
        assert 'trust="data"' in found.note
        for step in ("look who holds it with lsof", "run make import-check"):
            assert step in found.note
        assert "**" not in found.note
        skill = memory.show("stuck-import", str(shop)).skill
        assert (skill.state, skill.confirmed, skill.approved_hash) == ("candidate", 0, "")


PIECES = st.lists(
    st.sampled_from(
        [
            "1. ",
            "2) ",
            "- ",
            "\n",
            "\n",
            "  ",
            "; ",
            "```\n",
            "**outcome:** ",
            "**lessons:** ",
            "-> ",
            "Step 3: ",
        ]
    )
    | st.from_regex(r"[a-z]{3,8} ", fullmatch=True),
    max_size=25,
).map("".join)


@given(
    trigger=PIECES,
    steps=PIECES,
    lessons=PIECES,
    outcome=st.sampled_from(["success", "failure", "partial\nso"]),
)
def test_no_word_of_a_skill_is_lost(trigger: str, steps: str, lessons: str, outcome: str) -> None:
    draft = read(an_export(a_body(trigger, steps, outcome, lessons))).draft
    told = " ".join((draft.trigger, *draft.steps, draft.outcome, draft.body))
    marks = {"trigger", "steps", "outcome", "lessons", "step"}
    words = set(re.findall(r"[a-z]{3,}", f"{trigger} {steps} {outcome} {lessons}".lower())) - marks
    assert words <= set(re.findall(r"[a-z]{3,}", told.lower()))
