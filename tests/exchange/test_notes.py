"""One file, one skill: what each key means, and what becomes of keys and files of other tools."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.errors import UsageError
from honed.exchange.notes import Note, note_text, parse_note
from honed.skills.model import Draft, FileRef, Pitfall, Skill
from honed.skills.redact import Redactor

SKILL_ID = "sk_mqjkw24bs6ycrlea"


def written(draft: Draft, **more: object) -> Note:
    """A draft written as a file and read again."""
    skill = Skill(SKILL_ID, "pr_x", "a-slug", draft, learned_at="2026-05-04T09:00:00.000Z", **more)  # type: ignore[arg-type]
    return parse_note(note_text(skill, "shop", [], []), "other")


LINES = st.text(st.characters(max_codepoint=0xD7FF, exclude_characters="\n\x00"), max_size=30)
BODIES = st.text(st.characters(max_codepoint=0xD7FF, exclude_characters="\x00"), max_size=200)


@given(
    title=LINES.filter(str.strip), trigger=LINES, steps=st.lists(LINES.filter(bool), max_size=4), body=BODIES
)
def test_a_skill_written_and_read_is_the_same_text(
    title: str, trigger: str, steps: list[str], body: str
) -> None:
    draft = Draft("procedure", title, trigger, steps=tuple(steps), body=body)
    note = written(draft)
    assert (note.draft.title, note.draft.trigger, note.draft.steps, note.draft.body) == (
        title,
        trigger,
        tuple(steps),
        body,
    )


def test_every_field_survives() -> None:
    draft = Draft(
        kind="recipe",
        title="Run: the # tests",
        trigger="yes",
        steps=("a\nb",),
        files=(FileRef("a.py", role="test"),),
        check="pytest -k 'a: b'",
        pitfalls=(Pitfall("E: x", "do y", "cmd"),),
        outcome="12 passed",
        aliases=("no",),
        symbols=("f",),
        tags=("1", "b"),
        scope="global",
        agent="claude",
        ttl_days=30,
        body="---\nnot: front\n---\n",
        origin="imported",
    )
    note = written(draft, pinned=True, archived=True)
    assert note.draft == draft
    assert (note.id, note.slug, note.project, note.pinned, note.archived) == (
        SKILL_ID,
        "a-slug",
        "shop",
        True,
        True,
    )


def test_a_note_without_front_matter_has_its_heading_for_a_title() -> None:
    note = parse_note("```\n# no heading\n```\n\n# Deploy by hand ##\n\ntext", "deploy note")
    assert (note.slug, note.draft.title, note.draft.kind) == ("deploy-note", "Deploy by hand", "lesson")
    assert note.draft.body.startswith("```")


def test_a_note_without_heading_has_its_name_for_a_title() -> None:
    assert parse_note("just text", "My note").draft.title == "My note"


def test_a_skill_file_of_an_agent_is_read_by_the_same_rule() -> None:
    text = (
        "---\nname: pdf-forms\ndescription: >\n  Fill in forms,\n  and merge.\nlicense: MIT\n---\n# PDF forms"
    )
    note = parse_note(text, "folder")
    assert (note.slug, note.draft.title, note.draft.trigger) == (
        "pdf-forms",
        "PDF forms",
        "Fill in forms, and merge.",
    )
    assert note.unknown == {"license": "license: MIT"}


def test_keys_of_other_tools_are_kept_as_they_stand() -> None:
    front = (
        "# mine\nid: 20240101\ncssclass: 'wide' # yes\nscope: {deep: [1, 2]}\nfiles: {a: 1}\nttl_days: soon\n"
    )
    note = parse_note(f"---\n{front}title: T\n---\nbody", "n")
    assert "\n".join(note.unknown.values()) + "\n" == front
    skill = Skill(SKILL_ID, "", "n", note.draft, extra=note.extra("n.md"))
    again = parse_note(note_text(skill, "", [], []), "n")
    assert again.unknown == note.unknown
    assert again.draft == note.draft


def test_what_a_file_says_of_its_proof_is_declared_and_nothing_else() -> None:
    note = parse_note("---\norigin: owner\nstate: proven\nevidence:\n- kind: owner_confirmed\n---\nx", "n")
    assert note.draft.origin == "imported"
    assert note.declared == {"origin": "owner", "state": "proven", "evidence": [{"kind": "owner_confirmed"}]}


def test_declared_evidence_goes_before_what_is_seen_here() -> None:
    extra: dict[str, object] = {"declared": {"evidence": [{"kind": "a"}], "learned": "then"}}
    skill = Skill(SKILL_ID, "", "n", Draft("lesson", "T", ""), learned_at="now", extra=extra)
    note = parse_note(note_text(skill, "", [{"kind": "b"}], [{"what": "pinned"}]), "n")
    assert note.declared["evidence"] == [{"kind": "a"}, {"kind": "b"}]
    assert note.declared["learned"] == "then"


def test_secrets_in_keys_of_other_tools_are_masked_and_the_file_can_still_be_read() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = f"---\ntoken: {secret}\nnested:\n  url: https://me:{secret}@example.com/x\ntitle: T\n---\nx"
    note = parse_note(text, "n", Redactor({}))
    assert secret not in str(note)
    skill = Skill(SKILL_ID, "", "n", note.draft, extra=note.extra("n.md"))
    assert set(parse_note(note_text(skill, "", [], []), "n").unknown) == {"token", "nested"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\ntitle: x\nno end", "line 1: the front matter does not end"),
        ("---\ntitle: [x\n---\n", "line"),
        ("---\na: b\nkind: poem\n---\n", "line 3: kind 'poem' is none of procedure"),
        ("---\ntitle: [a]\n---\n", "line 2: title must be one text"),
        (f"---\ntitle: {'x' * 201}\n---\n", "line 2: title has 201 characters"),
        ("---\nhoned-id: tk_1\n---\n", "line 2: honed-id is not the id of a skill"),
        ("x" * 70_000, "over 65536 bytes"),
    ],
)
def test_a_file_that_cannot_be_taken_says_why(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_note(text, "n")
    assert said in str(caught.value)


def test_a_long_heading_is_cut_and_stays_whole_in_the_body() -> None:
    note = parse_note(f"# {'x' * 300}\n", "n")
    assert len(note.draft.title) == 200
    assert "x" * 300 in note.draft.body


def test_windows_line_ends_are_read() -> None:
    note = parse_note("\ufeff---\r\ntitle: T\r\ntags: a, b\r\n---\r\n\r\nbody\r\n", "n")
    assert (note.draft.title, note.draft.tags, note.draft.body) == ("T", ("a", "b"), "body\r\n")
