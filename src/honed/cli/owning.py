"""``honed owner``: how approvals are protected, and by which key."""

from __future__ import annotations

import base64
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from typing import TextIO

from honed.cli.command import Command, Output
from honed.counted import several
from honed.errors import RefusedError, UsageError
from honed.memory import Memory
from honed.owning import WAS_SIGNED
from honed.presence import (
    GRADE,
    PROTECTS,
    PROTECTS_NOT,
    SIGNED,
    SIGNED_PROTECTS,
    SIGNED_PROTECTS_NOT,
    answer,
    at_terminal,
    secret,
)
from honed.signing import pins
from honed.signing.approvals import Approvals
from honed.signing.keys import HARDWARE, Signer, new_passphrase_key, passphrase_key, ssh_signer
from honed.signing.pins import Pin
from honed.signing.sshsig import fingerprint
from honed.store.base import SkillFilter


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=sorted(_ACTS),
        help="status: which grade is on; init: have approvals signed; sign: sign anew what is approved; "
        "rotate: another key, which the old one signs; reset: end signing, where the key is lost",
    )
    key = parser.add_mutually_exclusive_group()
    key.add_argument(
        "--ssh-key",
        metavar="FILE",
        help="a hardware key of OpenSSH (`ssh-keygen -t ed25519-sk`), to be touched",
    )
    key.add_argument(
        "--passphrase",
        action="store_true",
        help="a key of honed's own, behind a passphrase that is typed each time",
    )


def _owner(options: Namespace, output: Output) -> int:
    if options.action in ("init", "rotate"):
        if not (options.ssh_key or options.passphrase):
            raise UsageError(f"owner {options.action} needs --ssh-key FILE or --passphrase")
    elif options.ssh_key or options.passphrase:
        raise UsageError(f"owner {options.action} takes no key: it is the one that is pinned")
    if options.action == "status":
        return _status(options, output)
    screen = sys.stderr if output.as_json else sys.stdout
    at_terminal(f"honed owner {options.action}", screen, os.environ)
    with Memory.open(options.home) as memory:
        return _ACTS[options.action](memory, options, output, screen)


def signer_of(memory: Memory, screen: TextIO) -> Signer | None:
    """The owner's key, ready to sign, ``None`` where approvals are not signed.

    Raises ``RefusedError`` where what is pinned cannot be believed, or another passphrase is typed.
    """
    approvals = memory.approvals()
    if not approvals.signed:
        return None
    if approvals.pin is None or approvals.why:
        raise RefusedError(f"{approvals.why}; `honed owner status` says what to do")
    if approvals.pin.grade == HARDWARE:
        screen.write("Touch your hardware key.\n")
        screen.flush()
        return ssh_signer(approvals.pin.file)
    return passphrase_key(approvals.pin.owner, secret("Passphrase: ", screen))


def _new_signer(options: Namespace, screen: TextIO, owner: str) -> Signer:
    if options.ssh_key:
        signer = ssh_signer(options.ssh_key)
        screen.write("Touch your hardware key.\n")
        screen.flush()
        return signer
    if os.path.lexists(pins.key_path(owner)):
        return passphrase_key(owner, secret("Passphrase: ", screen))
    typed = secret("A passphrase, which you will type for each approval: ", screen)
    if secret("Once more: ", screen) != typed:
        raise RefusedError("the two are not the same; nothing was changed")
    return new_passphrase_key(owner, typed, os.urandom)


def _init(memory: Memory, options: Namespace, output: Output, screen: TextIO) -> int:
    owner = memory.owner_in_charge() or memory.new_owner()
    pin = memory.own(owner, _new_signer(options, screen, owner))
    _say_pinned(output, pin)
    output.text("What you approved before is not signed: `honed review --all` goes through it once more.")
    return 0


def _sign(memory: Memory, _: Namespace, output: Output, screen: TextIO) -> int:
    signer = signer_of(memory, screen)
    if signer is None:
        raise RefusedError("approvals are not signed here (`honed owner init`)")
    ready = memory.signed_with(signer, ())
    memory.keep(ready)
    count = len(ready.manifest.lines)
    output.json({"approved": count, "counter": ready.manifest.counter})
    output.text(f"Signed: {several(count, 'text')}.")
    return 0


def _rotate(memory: Memory, options: Namespace, output: Output, screen: TextIO) -> int:
    old = signer_of(memory, screen)
    if old is None:
        raise RefusedError("approvals are not signed here (`honed owner init`)")
    # The old key signs now, before another one is behind the same file.
    fresh = memory.new_owner()
    new = _new_signer(options, screen, fresh)
    pin = memory.rotate(old, new)
    if options.passphrase:
        os.replace(pins.key_path(fresh), pins.key_path(pin.owner))
    elif old.grade != HARDWARE:
        os.unlink(pins.key_path(pin.owner))
    _say_pinned(output, pin)
    return 0


def _reset(memory: Memory, _: Namespace, output: Output, screen: TextIO) -> int:
    if not memory.approvals().signed:
        raise RefusedError("approvals are not signed here; there is nothing to end")
    screen.write(
        "Every approval is taken back, and approvals are no longer signed until `honed owner init`.\n"
    )
    if answer("Type reset to go on; anything else leaves it: ", screen) != "reset":
        output.note("honed: nothing was changed")
        return 3
    count = memory.disown()
    output.json({"taken_back": count})
    output.text(f"{several(count, 'approval')} taken back. Grade: {GRADE}.")
    return 0


def _say_pinned(output: Output, pin: Pin) -> None:
    name = fingerprint(base64.b64decode(pin.public))
    output.json({"grade": SIGNED, "by": pin.grade, "fingerprint": name, "pinned": pins.path()})
    output.text(f"Approvals are signed by your {pin.grade} ({name}), pinned in {pins.path()}.")


def _status(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, readonly=True) as memory:
        skills = memory.skills(SkillFilter())
        approved, waiting = sum(bool(skill.approved_hash) for skill in skills), len(memory.waiting(skills))
        deliver = str(memory.config["deliver"])
        approvals = memory.approvals()
        was_signed = [] if approvals.signed else memory.signed_before()
    grade = SIGNED if approvals.signed else GRADE
    protects, not_protects = (
        (SIGNED_PROTECTS, SIGNED_PROTECTS_NOT) if approvals.signed else (PROTECTS, PROTECTS_NOT)
    )
    told = {
        "grade": grade,
        "approved": approved,
        "waiting": waiting,
        "deliver": deliver,
        "protects": list(protects),
        "protects_not": list(not_protects),
        "was_signed": [skill.slug for skill in was_signed],
    }
    output.json(told | _key_json(approvals))
    output.text(_grade(approvals))
    if was_signed:
        names = ", ".join(skill.slug for skill in was_signed)
        output.text(
            f"LOOK: {several(len(was_signed), 'text')} ({names}) {WAS_SIGNED}. If you did not end signing "
            "yourself, somebody else did: `honed verify` compares with what is written down."
        )
    output.text(f"{several(approved, 'text')} approved; {waiting} waiting (`honed review --all`).")
    output.text(f"Agents are given what is {deliver} (`honed config get deliver`).")
    for head, lines in (("It protects you from", protects), ("It does not protect you from", not_protects)):
        output.text(f"\n{head}:")
        for line in lines:
            output.text(f"  - {line}")
    return 0


def _key_json(approvals: Approvals) -> dict[str, object]:
    if not approvals.signed:
        return {}
    pin = approvals.pin
    name = fingerprint(base64.b64decode(pin.public)) if pin else ""
    return {
        "by": pin.grade if pin else "",
        "fingerprint": name,
        "pinned": pins.path(),
        "broken": approvals.why,
    }


def _grade(approvals: Approvals) -> str:
    if not approvals.signed:
        return f"Grade: {GRADE}. You approve on a terminal, by typing; nothing is signed."
    if approvals.why or approvals.pin is None:
        return (
            f"Grade: {SIGNED}, and NOTHING HOLDS: {approvals.why}. Nothing is guidance until that is mended: "
            "put the file back, pin the same key again (`honed owner init`), or end it (`honed owner reset`)."
        )
    name = fingerprint(base64.b64decode(approvals.pin.public))
    return f"Grade: {SIGNED}, by your {approvals.pin.grade} ({name}), pinned in {pins.path()}."


_ACTS: Mapping[str, Callable[[Memory, Namespace, Output, TextIO], int]] = {
    "init": _init,
    "reset": _reset,
    "rotate": _rotate,
    "sign": _sign,
    "status": lambda *_: 0,
}

COMMANDS = {
    "owner": Command(
        _owner,
        _arguments,
        description=(
            "How your approval is protected: which grade is on, what it stops and what it does not; and to "
            "have approvals signed, by a hardware key that you touch or a passphrase that you type each time."
        ),
        example="honed owner status",
    ),
}
