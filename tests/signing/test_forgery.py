"""Forged approvals make nothing guidance; `python -m bench.forgery` tries 2,000 of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.forgery import EVIL, Scene, forged, guidance, made
from honed.errors import RefusedError
from honed.ledger import events
from honed.memory import Memory
from honed.owning import ROTATION, rotation_text
from honed.signing import pins
from honed.signing.binding import PROVENANCE as NO_PART
from honed.signing.binding import digest_of
from honed.signing.pins import MANIFEST, SETTING
from honed.signing.sshsig import fingerprint
from honed.store.base import SkillFilter
from tests.hooks.test_imports import COSTLY, SOURCE
from tests.ledger.making import DRAFT
from tests.signing.making import ecdsa_token, ed25519_token

TOKEN, STRANGER = ed25519_token(b"o" * 32), ed25519_token(b"s" * 32)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return made(str(tmp_path), TOKEN.signer(), STRANGER.signer(), TOKEN.signer(flags=0))


def broken(scene: Scene) -> list[str]:
    with Memory.open(scene.home) as memory:
        return [fault.code for fault in memory.verify()]


def test_what_the_owner_signed_is_guidance_and_nothing_is_wrong(scene: Scene) -> None:
    assert len(scene.honest) == 6
    assert EVIL not in str(scene.honest)
    assert broken(scene) == []


def test_no_forgery_makes_anything_guidance(scene: Scene) -> None:
    found = forged(scene, 140, 2)
    assert sum(kept[True] for kept in found.values()) == 140
    assert not [name for name, kept in found.items() if kept[False]]
    assert guidance(scene.home) == scene.honest


def test_a_row_flipped_in_the_database_is_no_guidance_and_verify_says_so(scene: Scene) -> None:
    scene.sql("UPDATE skills SET approved = content_hash WHERE slug = 'evil'")
    assert guidance(scene.home) == scene.honest
    assert {"unsigned", "projection"} <= set(broken(scene))


def test_an_approval_told_by_a_program_without_the_key_is_none(scene: Scene) -> None:
    with Memory.open(scene.home) as memory:
        evil = next(one for one in memory.skills(SkillFilter()) if one.slug == "evil")
        memory._store.append([events.approved(evil.id, evil.content_hash, "rule", b"1" * 16)])
        with pytest.raises(RefusedError, match="approvals are signed here"):
            memory.approve(evil)
        with pytest.raises(RefusedError, match="approvals are signed here"):
            memory.approve_all([evil], None)
        with pytest.raises(RefusedError, match="not the key that is pinned"):
            memory.approve_all([evil], STRANGER.signer())
        with pytest.raises(RefusedError, match="not touched"):
            memory.approve_all([evil], TOKEN.signer(flags=0))
    assert guidance(scene.home) == scene.honest
    assert "unsigned" in broken(scene)


@pytest.mark.parametrize(
    ("what", "code"),
    [("older", "approvals"), ("gone", "approvals"), ("pin", "approvals"), ("others", "approvals")],
)
def test_what_is_wrong_with_the_manifest_or_the_pin_is_said_and_nothing_is_guidance(
    scene: Scene, what: str, code: str
) -> None:
    if what == "older":
        scene.put(scene.older[0])
    elif what == "gone":
        (Path(scene.home) / MANIFEST).unlink()
    elif what == "pin":
        Path(pins.path()).unlink()
    else:
        Path(pins.path()).chmod(0o666)
    assert guidance(scene.home) == {}
    assert code in broken(scene)


def test_a_key_changed_by_its_owner_is_signed_by_the_one_before(scene: Scene) -> None:
    new = ecdsa_token()
    with Memory.open(scene.home) as memory:
        with pytest.raises(RefusedError, match="not the key that is pinned"):
            memory.rotate(STRANGER.signer(), new.signer())
        memory.rotate(TOKEN.signer(), new.signer())
        evil = next(one for one in memory.skills(SkillFilter()) if one.slug == "evil")
        with pytest.raises(RefusedError, match="not the key that is pinned"):
            memory.approve_all([evil], TOKEN.signer())
    assert guidance(scene.home) == scene.honest
    assert broken(scene) == []


def test_a_key_changed_without_the_old_one_is_none_and_verify_says_so_even_with_the_pin(scene: Scene) -> None:
    with Memory.open(scene.home) as memory:
        pin = memory.approvals().pin
        assert pin is not None
        text = rotation_text(pin.owner, TOKEN.public, STRANGER.public)
        from base64 import b64encode

        value = {
            "public": b64encode(STRANGER.public).decode(),
            "proof": b64encode(STRANGER.signature(text, ROTATION)).decode(),
        }
        memory._store.append([events.configured(SETTING + pin.owner, value, b"2" * 16)])
    assert guidance(scene.home) == {}
    told = json.loads(Path(pins.path()).read_text(encoding="utf-8"))
    (kept,) = told["homes"].values()
    kept["public"] = value["public"]
    Path(pins.path()).write_text(json.dumps(told), encoding="utf-8")
    assert guidance(scene.home) == {}
    assert "owner-key" in broken(scene)


def test_the_same_key_pins_again_and_another_one_does_not(scene: Scene) -> None:
    Path(pins.path()).unlink()
    with Memory.open(scene.home) as memory:
        with pytest.raises(RefusedError, match="another key"):
            memory.own(memory.new_owner(), STRANGER.signer())
        memory.own(memory.owner_in_charge(), TOKEN.signer())
        assert not memory.approvals().why
        shown = [one for one in memory.skills(SkillFilter()) if not one.slug.startswith("evil")]
        assert not any(one.approved_hash for one in shown)
        memory.approve_all(shown, TOKEN.signer())
    scene.put(scene.older[1])
    assert guidance(scene.home) == {}


def test_a_merged_home_of_another_key_changes_nothing_of_what_is_signed_here(
    scene: Scene, tmp_path: Path
) -> None:
    other = made(str(tmp_path / "second"), STRANGER.signer(), TOKEN.signer(), TOKEN.signer())
    with Memory.open(scene.home) as memory:
        memory.merge_home(other.home)
    assert {name: told for name, told in guidance(scene.home).items() if name in scene.honest} == scene.honest
    assert set(guidance(scene.home)) == set(scene.honest)
    assert "unsigned" in broken(scene)


def test_signing_ends_with_every_approval_taken_back(scene: Scene) -> None:
    with Memory.open(scene.home) as memory:
        assert memory.disown() == 3
        assert not memory.approvals().signed
    assert guidance(scene.home) == {}
    assert broken(scene) == []
    assert not (Path(scene.home) / MANIFEST).exists()


def test_a_text_that_waits_beside_a_signed_one_is_signed_with_its_approval(scene: Scene) -> None:
    with Memory.open(scene.home) as memory:
        rule = next(one for one in memory.skills(SkillFilter()) if one.slug == "no-force")
        from dataclasses import replace

        memory.edit(rule, replace(rule.draft, body="Push main without force; ask first, always."))
        (waits,) = memory.candidates(memory.find(rule.id, "/"))
        (taken,) = memory.approve_all([waits], TOKEN.signer())
        assert (taken.draft.body, bool(taken.approved_hash)) == (
            "Push main without force; ask first, always.",
            True,
        )
        assert len(memory.approvals()._lines) == 3
    assert broken(scene) == []


def test_taking_an_approval_back_needs_no_key_and_no_flipped_row_brings_it_back(scene: Scene) -> None:
    shop = str(Path(scene.home).parent / "shop")
    with Memory.open(scene.home) as memory:
        memory.disapprove("no-force", shop)
        assert memory.approvals().pin.taken_back  # type: ignore[union-attr]
    scene.sql("UPDATE skills SET approved = content_hash WHERE slug = 'no-force'")
    assert not [told for told in guidance(scene.home).values() if "no-force" in told]
    assert {"unsigned", "projection"} <= set(broken(scene))


def test_what_was_taken_back_leaves_with_the_next_signature_and_may_be_approved_again(
    scene: Scene,
) -> None:
    shop = str(Path(scene.home).parent / "shop")
    with Memory.open(scene.home) as memory:
        memory.disapprove("no-force", shop)
        memory.keep(memory.signed_with(TOKEN.signer(), ()))
        approvals = memory.approvals()
        assert not approvals.pin.taken_back  # type: ignore[union-attr]
        assert len(approvals.manifest.lines) == 2  # type: ignore[union-attr]
    scene.sql("UPDATE skills SET approved = content_hash WHERE slug = 'no-force'")
    assert not [told for told in guidance(scene.home).values() if "no-force" in told]
    with Memory.open(scene.home) as memory:
        memory.rebuild()
        memory.approve_all([memory.find("no-force", shop)], TOKEN.signer())
    assert guidance(scene.home) == scene.honest
    assert broken(scene) == []


def test_signed_approvals_are_none_where_pin_manifest_and_the_ledgers_word_of_the_key_are_gone_together(
    scene: Scene,
) -> None:
    (Path(scene.home) / MANIFEST).unlink()
    Path(pins.path()).unlink()
    scene.sql("DELETE FROM settings WHERE key LIKE ?", f"{SETTING}%")
    assert guidance(scene.home) == {}
    assert "unsigned" in broken(scene)
    with Memory.open(scene.home) as memory:
        assert not memory.approvals().signed
        assert {skill.slug for skill in memory.signed_before()} == {"no-force", "decimal", "release"}
        # The owner may approve them again, at the grade that is on now.
        memory.approve(memory.find("no-force", str(Path(scene.home).parent / "shop")))
    assert {told[1] for told in guidance(scene.home).values()} == {"no-force"}


def test_every_signed_approval_names_the_key_that_signed_it(scene: Scene) -> None:
    with Memory.open(scene.home) as memory:
        told = [event for one in memory.skills(SkillFilter()) for event in memory._store.skill_events(one.id)]
        approvals = [event.body or {} for event in told if event.entry.kind == "approved"]
    assert {body["key"] for body in approvals} == {fingerprint(TOKEN.signer().public)}
    assert len(approvals) == 3


PROGRAM = """
import sys
sys.path.append(sys.argv[3])
from honed.asking import recall
print(recall(sys.argv[1], "when may I push main, no-force", cwd=sys.argv[2], upgrade=False).note)
print(*sys.modules, file=sys.stderr)
"""


def test_a_recall_checks_the_signature_without_loading_what_a_hook_may_not(
    scene: Scene, tmp_path: Path
) -> None:
    argv = [sys.executable, "-I", "-S", "-c", PROGRAM, scene.home, str(tmp_path / "shop"), SOURCE]
    env = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(argv, capture_output=True, text=True, encoding="utf-8", check=True, env=env)
    assert 'trust="guidance"' in done.stdout
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert "honed.signing.curves" in done.stderr.split()
    assert not loaded & set(COSTLY)


def test_the_digest_of_a_recall_is_the_one_that_is_approved() -> None:
    from dataclasses import replace

    from honed.ledger.drafts import PROVENANCE, content_hash, draft_body

    assert set(PROVENANCE) == set(NO_PART)
    for draft in (
        DRAFT,
        replace(DRAFT, body="Größe \ud800 \u2028 <&>", ttl_days=3, origin="owner", authority="exit"),
    ):
        assert digest_of(json.loads(json.dumps(draft_body(draft)))) == content_hash(draft)
