"""Which approvals hold: all of them at the grade *present*, at the grade *signed* those that were signed.

The grade is *signed* as soon as one of three things says so: the pin outside honed's home, the owner's key in
the settings of the ledger, a manifest in the home.  Where they do not agree nothing holds: whoever takes one
of them away makes no text guidance by it.  A text is then held against the manifest by what it is: the
digest of the text that is given, not the one that a row of the database says (``binding``).  On the hot path.
"""

from __future__ import annotations

import os

from honed.signing.manifest import Manifest, line_of
from honed.signing.pins import MANIFEST, Pin, PinError, pin_of
from honed.signing.sshsig import SignatureError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Approvals:
    """What a home's signature covers.  ``why`` says why nothing holds, empty where the signature does."""

    __slots__ = ("_lines", "manifest", "pin", "signed", "why")

    def __init__(self, home: str, keys: Mapping[str, object]) -> None:
        """Look; ``keys`` are those that the ledger knows, by owner."""
        self.signed = True
        self.why = ""
        self.manifest: Manifest | None = None
        self.pin: Pin | None = None
        self._lines: frozenset[str] = frozenset()
        try:
            data = _bytes_of(os.path.join(home, MANIFEST))
            self.pin = pin_of(home)
            if self.pin is None and not keys and data is None:
                self.signed = False
                return
            self._believe(data, keys)
        except (SignatureError, PinError) as error:
            self.why = str(error)

    def _believe(self, data: bytes | None, keys: Mapping[str, object]) -> None:
        pin = self.pin
        if pin is None:
            raise PinError("the owner's key is pinned nowhere, and approvals here are signed")
        told = keys.get(pin.owner)
        if not isinstance(told, dict) or told.get("public") != pin.public:
            raise PinError("the owner's key in the ledger is not the one that is pinned")
        if data is None:
            if pin.counter:
                raise SignatureError("the signed manifest is gone")
            return  # nothing was signed yet
        try:
            manifest = Manifest(data)
        except SignatureError as error:
            raise SignatureError(f"the signed manifest does not hold: {error}") from None
        from binascii import b2a_base64

        if b2a_base64(manifest.public, newline=False).decode("ascii") != pin.public:
            raise SignatureError("the manifest is signed by another key than the one that is pinned")
        if manifest.owner != pin.owner:
            raise SignatureError("the manifest is another owner's")
        if manifest.counter < pin.counter:
            raise SignatureError(
                f"the manifest is an older one (its counter is {manifest.counter}; {pin.counter} was signed)"
            )
        self.manifest = manifest
        self._lines = manifest.lines.difference(pin.taken_back)

    def holds(self, project: str, slug: str, skill: str, kind: str, bound: tuple[str, str]) -> bool:
        """Whether an approval holds that is ``bound`` to a digest and names its key (``binding.bound``)."""
        digest, key = bound
        if not self.signed:
            return bool(digest) and not key  # one that was signed is none where nothing is any more
        return bool(digest) and self.covers(line_of(project, slug, skill, kind, digest))

    def covers(self, line: str) -> bool:
        """Whether a line of the manifest (see ``line_of``) is signed; every one where nothing has to be."""
        return not self.signed or line in self._lines


def _bytes_of(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PinError(f"{path} cannot be read ({error.strerror})") from error
