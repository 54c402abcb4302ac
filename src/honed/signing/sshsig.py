"""Signatures of OpenSSH (``ssh-keygen -Y sign``): what they say and whether they hold.

The format is OpenSSH's ``PROTOCOL.sshsig``; what a hardware key signs, with the byte of flags and the counter
that it adds, is ``PROTOCOL.u2f``.  Read strictly: there is one way to write a signature, so one that was
changed in any bit is another one, and holds nothing.  On the hot path.
"""

from __future__ import annotations

from honed.signing.curves import ed25519_holds, p256_holds
from honed.signing.digests import sha256, sha512

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAGIC = b"SSHSIG"
ED25519 = "ssh-ed25519"
SK_ED25519 = "sk-ssh-ed25519@openssh.com"
SK_ECDSA = "sk-ecdsa-sha2-nistp256@openssh.com"
TOUCHED = 0x01
"""The flag by which a hardware key says that somebody touched it for this signature."""
_CURVE = b"nistp256"
_HASHES = {b"sha512": sha512, b"sha256": sha256}


class SignatureError(Exception):
    """Why a signature does not hold, in words."""


class Signature:
    """One signature, read: by which ``public`` key (its blob), for which ``namespace``."""

    __slots__ = ("_hash", "_reserved", "_signature", "kind", "namespace", "public")

    def __init__(self, blob: bytes) -> None:
        """Read one; raises ``SignatureError`` for what is none, or not written in the one way."""
        if blob[:10] != MAGIC + b"\x00\x00\x00\x01":
            raise SignatureError("it is no signature of OpenSSH's first version")
        rest = _Reader(blob[10:])
        self.public, namespace, self._reserved = rest.string(), rest.string(), rest.string()
        self._hash, self._signature = rest.string(), rest.string()
        rest.end()
        self.kind = kind_of(self.public)
        try:
            self.namespace = namespace.decode("ascii")
        except UnicodeDecodeError:
            raise SignatureError("its namespace is no plain text") from None
        if self._hash not in _HASHES:
            raise SignatureError("its digest is neither SHA-512 nor SHA-256")

    def check(self, message: bytes) -> None:
        """Make sure that it is that of ``message`` by its own key, touched where the key is hardware.

        Raises ``SignatureError``.
        """
        digest = _HASHES[self._hash](message).digest()
        parts = (self.namespace.encode("ascii"), self._reserved, self._hash, digest)
        told = MAGIC + b"".join(_string(part) for part in parts)
        read = _Reader(self._signature)
        if read.string() != self.kind.encode("ascii"):
            raise SignatureError("it is of another kind than its key")
        _CHECKS[self.kind](self.public, read, told)


def kind_of(public: bytes) -> str:
    """The kind of a key; raises ``SignatureError`` for one that proves no owner here."""
    name = _Reader(public).string()
    kind = next((kind for kind in _CHECKS if kind.encode("ascii") == name), "")
    if not kind:
        raise SignatureError("its key is none that shows a touch or a passphrase")
    return kind


def fingerprint(public: bytes) -> str:
    """``SHA256:`` and the digest of a key, as ``ssh-keygen -l`` writes it."""
    from binascii import b2a_base64

    return "SHA256:" + b2a_base64(sha256(public).digest(), newline=False).rstrip(b"=").decode("ascii")


class _Reader:
    """Reads the fields of SSH's wire format (RFC 4251, section 5)."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        found = self._data[self._at : self._at + count]
        if len(found) != count:
            raise SignatureError("it ends too early")
        self._at += count
        return found

    def string(self) -> bytes:
        return self.take(int.from_bytes(self.take(4), "big"))

    def number(self) -> int:
        """A whole number above 0, written in as few bytes as it has."""
        raw = self.string()
        if not raw or raw[0] & 0x80 or (raw[0] == 0 and (len(raw) < 2 or not raw[1] & 0x80)):
            raise SignatureError("a number in it is not written as numbers are")
        return int.from_bytes(raw, "big")

    def end(self) -> None:
        if self._at != len(self._data):
            raise SignatureError("something follows it")


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _with_flags(application: bytes, read: _Reader, told: bytes) -> bytes:
    """What a hardware key signed, which says itself whether it was touched (``PROTOCOL.u2f``)."""
    flags, counter = read.take(1), read.take(4)
    read.end()
    if not flags[0] & TOUCHED:
        raise SignatureError("the hardware key was not touched for it")
    return sha256(application).digest() + flags + counter + sha256(told).digest()


def _check_ed25519(public: bytes, read: _Reader, told: bytes) -> None:
    key = _Reader(public)
    key.string()
    point = key.string()
    key.end()
    raw = read.string()
    read.end()
    _hold(ed25519_holds(point, raw, told))


def _check_sk_ed25519(public: bytes, read: _Reader, told: bytes) -> None:
    key = _Reader(public)
    key.string()
    point, application = key.string(), key.string()
    key.end()
    raw = read.string()
    _hold(ed25519_holds(point, raw, _with_flags(application, read, told)))


def _check_sk_ecdsa(public: bytes, read: _Reader, told: bytes) -> None:
    key = _Reader(public)
    key.string()
    curve, point, application = key.string(), key.string(), key.string()
    key.end()
    if curve != _CURVE:
        raise SignatureError("its key is of another curve")
    pair = _Reader(read.string())
    r, s = pair.number(), pair.number()
    pair.end()
    _hold(p256_holds(point, r, s, _with_flags(application, read, told)))


def _hold(holds: bool) -> None:
    if not holds:
        raise SignatureError("it is not that of this text by this key")


_CHECKS: dict[str, Callable[[bytes, _Reader, bytes], None]] = {
    ED25519: _check_ed25519,
    SK_ED25519: _check_sk_ed25519,
    SK_ECDSA: _check_sk_ecdsa,
}
"""Kinds of keys that can show an owner: a passphrase key of honed's own, and hardware keys."""
