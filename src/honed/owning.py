"""What the owner's signature covers; the half of ``Memory`` that signs.

One order of writing, so that a crash at any moment leaves less approved and never more: the ledger, then the
manifest, then the counter of the pin.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from honed.errors import RefusedError, UnavailableError, UsageError
from honed.ledger import events, ids
from honed.ledger.model import Fault, Recorded
from honed.signing import pins
from honed.signing.approvals import Approvals
from honed.signing.keys import Signer
from honed.signing.manifest import NAMESPACE, Manifest, line_of, signed, text_of
from honed.signing.pins import MANIFEST, SETTING, Pin, PinError
from honed.signing.sshsig import Signature, SignatureError, fingerprint
from honed.skills.model import Skill
from honed.store.answering import line_of_skill
from honed.store.base import SkillFilter
from honed.store.files import reason_of, write_whole
from honed.store.sqlite import SqliteStore

ROTATION = "honed-owner-key"
"""The namespace of the signature by which an old key says which one takes its place."""
WAS_SIGNED = (
    "approved by a signature, and pin, manifest and the owner's key in the ledger are all gone: given as "
    "data until approved again"
)
"""What is said where nothing tells any more that approvals are signed, but the approvals themselves."""
_ANY = SkillFilter(archived=None, states=("candidate", "proven", "suspended", "withdrawn"))


@dataclass(frozen=True, slots=True)
class Ready:
    """A manifest that is signed and not kept yet."""

    data: bytes
    manifest: Manifest


class Owning:
    """Signs approvals; ``Memory`` is one."""

    home: str
    _store: SqliteStore
    _entropy: Callable[[int], bytes]
    _approve: Callable[[Skill, str], None]

    def approvals(self) -> Approvals:
        """Which approvals hold, and why none does."""
        return self._store.approvals()

    def signed_before(self) -> list[Skill]:
        """The texts whose approval was signed, whether or not anything is signed any more."""
        found = map(self._store.skill, self._store.signed_before())
        return [skill for skill in found if skill is not None]

    def new_owner(self) -> str:
        """An id for an owner who is about to sign."""
        return "ow_" + ids.random_id("rp_", self._entropy(15))[3:]

    def owner_in_charge(self) -> str:
        """The id of the owner who signs here, as the pin or the ledger says; empty where nobody does."""
        pin = self.approvals().pin
        return pin.owner if pin is not None else next(iter(self._store.owner_keys()), "")

    def own(self, owner: str, signer: Signer) -> Pin:
        """Have approvals signed from now on by ``signer``: it signs an empty manifest, and its key is pinned.

        What was approved before was not signed: its approval is taken back, the owner gives it once more.
        The same key again, where the pin was lost, pins it again.  Raises ``RefusedError`` where another key
        is in charge, or the signature shows no touch.
        """
        told = self._store.owner_keys()
        public = base64.b64encode(signer.public).decode("ascii")
        mine = [name for name, key in told.items() if isinstance(key, dict) and key.get("public") == public]
        if told and not mine:
            raise RefusedError(
                "approvals here are signed by another key already: `honed owner rotate` changes it"
            )
        owner = mine[0] if mine else owner
        counter = max(self._counter(), self._kept_counter()) + 1
        ready = self._signed(signer, owner, counter, ())
        taken_back = [
            events.by_hand("unapproved", skill, self._entropy(16))
            for skill in self._store.claimed_approvals()
        ]
        if not told:
            taken_back.append(events.configured(SETTING + owner, {"public": public}, self._entropy(16)))
        self._store.append(taken_back)
        first = self._first_key(owner) or public
        pin = Pin(owner, public, counter, signer.grade, first=first, file=signer.file)
        self._keep(ready, pin)
        return pin

    def signed_with(self, signer: Signer, new: Sequence[Skill]) -> Ready:
        """A manifest of what is approved and signed already, and of ``new``; nothing is kept by it.

        Raises ``RefusedError`` where nothing that is signed holds, and for another key than the pinned one.
        """
        approvals = self.approvals()
        pin = approvals.pin
        if approvals.why or pin is None:
            raise RefusedError(
                f"{approvals.why or 'approvals are not signed here'}; `honed doctor` says more"
            )
        if base64.b64encode(signer.public).decode("ascii") != pin.public:
            raise RefusedError("that is not the key that is pinned; nothing was changed")
        kept = [line_of_skill(skill) for skill in self._store.skills(_ANY) if skill.approved_hash]
        replaced = {skill.id for skill in new}
        kept = [line for line in kept if line.split(" ")[2] not in replaced]
        return self._signed(signer, pin.owner, self._counter() + 1, [*kept, *map(line_of_shown, new)])

    def approve_all(self, shown: Sequence[Skill], signer: Signer | None) -> list[Skill]:
        """Approve texts as they were ``shown``; where approvals are signed, ``signer`` signs them at once.

        Only for a door at which the owner is known to be (``honed.presence``).  Raises ``RefusedError`` for a
        text that changed meanwhile, and without a signer where one is needed.
        """
        ready = self.signed_with(signer, shown) if signer is not None and shown else None
        if ready is None and shown and self.approvals().signed:
            raise RefusedError("approvals are signed here; nothing was approved")
        key = fingerprint(signer.public) if ready is not None and signer is not None else ""
        for skill in shown:
            self._approve(skill, key)
        if ready is not None:
            self.keep(ready)
        return [self._store.skill(skill.id) or skill for skill in shown]

    def _take_back(self, skill: Skill) -> None:
        """Have a signed approval hold no more, whatever a row says later; that needs no key.

        It is pinned beside the counter until the next signature, which leaves the text out.
        """
        pin, line = self.approvals().pin, line_of_skill(skill)
        if pin is not None and line not in pin.taken_back:
            pin.taken_back.append(line)
            self._write_pins(pin)

    def keep(self, ready: Ready) -> None:
        """Put a manifest in force.  Raises ``RefusedError`` where another one came meanwhile."""
        pin = self.approvals().pin
        if pin is None or ready.manifest.counter != self._counter() + 1:
            raise RefusedError("something else was signed meanwhile; do it again")
        counter = ready.manifest.counter
        self._keep(ready, Pin(pin.owner, pin.public, counter, pin.grade, first=pin.first, file=pin.file))

    def rotate(self, old: Signer, new: Signer) -> Pin:
        """Have another key sign from now on: the old one says so, the new one signs all that is approved.

        Raises ``RefusedError`` where nothing that is signed holds, and for another key than the pinned.
        """
        whole = self.signed_with(old, ()).manifest
        pin = self.approvals().pin
        if pin is None or old.public == new.public:
            raise RefusedError("that is the key that signs already; nothing was changed")
        proof = old.sign(rotation_text(pin.owner, old.public, new.public), ROTATION)
        _hold(proof, rotation_text(pin.owner, old.public, new.public), ROTATION, old.public)
        ready = self._signed(new, pin.owner, self._counter() + 1, whole.lines)
        public = base64.b64encode(new.public).decode("ascii")
        value = {
            "public": public,
            "before": pin.public,
            "proof": base64.b64encode(proof).decode("ascii"),
        }
        self._store.append([events.configured(SETTING + pin.owner, value, self._entropy(16))])
        counter = ready.manifest.counter
        after = Pin(pin.owner, public, counter, new.grade, first=pin.first, file=new.file)
        self._keep(ready, after)
        return after

    def disown(self) -> int:
        """End signing where the key is lost: every approval is taken back, pin and manifest are deleted.

        Returns how many approvals went.  Only for a door at which the owner is known to be.
        """
        claimed = self._store.claimed_approvals()
        told = [events.by_hand("unapproved", skill, self._entropy(16)) for skill in claimed]
        told += [
            events.configured(SETTING + owner, None, self._entropy(16)) for owner in self._store.owner_keys()
        ]
        self._store.append(told)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.home, MANIFEST))
        self._write_pins(None)
        return len(claimed)

    # -- keeping ------------------------------------------------------------------------------------

    def _counter(self) -> int:
        approvals = self.approvals()
        seen = [one.counter for one in (approvals.pin, approvals.manifest) if one is not None]
        return max(seen, default=0)

    def _kept_counter(self) -> int:
        """The counter of the manifest in the home, where its signature holds, whoever is pinned."""
        try:
            with open(os.path.join(self.home, MANIFEST), "rb") as file:
                return Manifest(file.read()).counter
        except (OSError, SignatureError):
            return 0

    def _signed(
        self, signer: Signer, owner: str, counter: int, lines: Sequence[str] | frozenset[str]
    ) -> Ready:
        text = text_of(owner, counter, lines)
        data = signed(text, signer.sign(text, NAMESPACE))
        try:
            manifest = Manifest(data)
        except SignatureError as error:
            raise RefusedError(f"the signature does not hold: {error}; nothing was changed") from error
        if manifest.public != signer.public:
            raise RefusedError("another key signed; nothing was changed")
        return Ready(data, manifest)

    def _keep(self, ready: Ready, pin: Pin) -> None:
        try:
            write_whole(os.path.join(self.home, MANIFEST), ready.data)
        except OSError as error:
            raise UnavailableError(f"{MANIFEST} cannot be written: {reason_of(error)}") from error
        self._write_pins(pin)

    def _write_pins(self, pin: Pin | None) -> None:
        where = pins.path()
        try:
            known = pins.all_pins()
            key = os.path.realpath(self.home)
            known.pop(key, None)
            if pin is not None:
                known[key] = pin.body()
            os.makedirs(pins.folder(), mode=0o700, exist_ok=True)
            write_whole(where, json.dumps({"homes": known}, indent=2, sort_keys=True).encode("utf-8") + b"\n")
        except PinError as error:
            raise UnavailableError(str(error)) from error
        except OSError as error:
            raise UnavailableError(f"{where} cannot be written: {reason_of(error)}") from error

    def _first_key(self, owner: str) -> str:
        told = (event.body or {} for event in self._store.skill_events(events.SETTINGS))
        keys = [body.get("value") for body in told if body.get("key") == SETTING + owner]
        found = [key for key in keys if isinstance(key, dict)]
        return str(found[0].get("public")) if found else ""


def line_of_shown(skill: Skill) -> str:
    """What the manifest says of a text as it was shown (one that waits has a digest of its own)."""
    return line_of(skill.project, skill.slug, skill.id, skill.draft.kind, skill.content_hash)


def rotation_text(owner: str, old: bytes, new: bytes) -> bytes:
    """What the old key signs when another one takes its place."""
    told = f"honed owner key 1\nowner {owner}\nfrom {fingerprint(old)}\nto {fingerprint(new)}\n"
    return told.encode("ascii")


def broken_keys(history: Sequence[Recorded], pin: Pin | None) -> list[str]:
    """What is wrong with the owner's keys as the ledger tells of them: each must be signed by the one before.

    ``history`` are the events of the settings in the fold's order.  Owners before the one that is pinned
    (their key was lost, and they began anew) are no part of it.
    """
    if pin is None:
        return []
    told = [event.body or {} for event in history if event.entry.kind == "configured"]
    keys = [body.get("value") for body in told if body.get("key") == SETTING + pin.owner]
    mine = [key for key in keys if isinstance(key, dict)]
    if not mine:
        return ["the ledger does not know the owner's key that is pinned"]
    faults = [] if mine[0].get("public") == pin.first else ["the first key is not the one that was pinned"]
    for before, key in pairwise(mine):
        try:
            old, new = base64.b64decode(str(before["public"])), base64.b64decode(str(key["public"]))
            text = rotation_text(pin.owner, old, new)
            _hold(base64.b64decode(str(key.get("proof", ""))), text, ROTATION, old)
        except (SignatureError, RefusedError, UsageError, ValueError, KeyError):
            faults.append("the key was changed without the signature of the one before it")
    return faults


def approval_faults(store: SqliteStore) -> list[Fault]:
    """What is wrong with signed approvals: nothing where none is or was signed."""
    approvals = store.approvals()
    if not approvals.signed:
        before = len(store.signed_before())
        texts = f"{before} text{'' if before == 1 else 's'}"
        return [Fault("unsigned", pins.path(), f"{texts} {WAS_SIGNED}")] if before else []
    faults = [Fault("approvals", MANIFEST, f"{approvals.why}: nothing is guidance")] if approvals.why else []
    history = store.skill_events(events.SETTINGS)
    faults += [Fault("owner-key", pins.path(), said) for said in broken_keys(history, approvals.pin)]
    if not approvals.why:
        for skill_id in store.claimed_approvals():
            skill = store.skill(skill_id)
            if skill is not None and not skill.approved_hash:
                detail = "is approved in the database and not by the owner's signature: it is given as data"
                faults.append(Fault("unsigned", f"skill {skill.slug}, {skill.id}", detail))
    return faults


def _hold(blob: bytes, text: bytes, namespace: str, public: bytes) -> None:
    try:
        signature = Signature(blob)
        signature.check(text)
    except SignatureError as error:
        raise RefusedError(f"the signature does not hold: {error}; nothing was changed") from error
    if signature.namespace != namespace or signature.public != public:
        raise RefusedError("the signature is of another key, or for another purpose; nothing was changed")
