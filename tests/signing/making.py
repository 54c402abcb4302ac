"""Keys and signatures for tests: hardware keys made of software; ssh-keygen makes none without a token."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from honed.signing.keys import HARDWARE, Signer
from honed.signing.sshsig import MAGIC, SK_ECDSA, SK_ED25519, TOUCHED

APPLICATION = b"ssh:"


def string(data: bytes) -> bytes:
    """SSH's wire format of a text (RFC 4251)."""
    return len(data).to_bytes(4, "big") + data


def number(value: int) -> bytes:
    """SSH's wire format of a whole number."""
    return string(value.to_bytes(value.bit_length() // 8 + 1, "big"))


Make: TypeAlias = "Callable[[], Token]"


@dataclass(frozen=True, slots=True)
class Token:
    """A hardware key: ``answers`` what it signs with, given what the authenticator is to sign."""

    kind: str
    public: bytes
    answers: Callable[[bytes], bytes]

    def signature(
        self,
        message: bytes,
        namespace: str,
        *,
        flags: int = TOUCHED,
        digest: str = "sha512",
        counter: int = 7,
        application: bytes = APPLICATION,
    ) -> bytes:
        """The blob of an OpenSSH signature, as this key would make it."""
        told = MAGIC + b"".join(
            map(string, (namespace.encode(), b"", digest.encode(), hashlib.new(digest, message).digest()))
        )
        added = bytes([flags]) + counter.to_bytes(4, "big")
        raw = self.answers(hashlib.sha256(application).digest() + added + hashlib.sha256(told).digest())
        whole = string(self.kind.encode()) + string(raw) + added
        parts = (self.public, namespace.encode(), b"", digest.encode(), whole)
        return MAGIC + (1).to_bytes(4, "big") + b"".join(map(string, parts))

    def signer(self, flags: int = TOUCHED) -> Signer:
        """As honed is given one."""
        return Signer(self.public, HARDWARE, lambda message, name: self.signature(message, name, flags=flags))


def ed25519_token(seed: bytes | None = None) -> Token:
    """A key of the kind ``sk-ssh-ed25519``."""
    key = Ed25519PrivateKey.from_private_bytes(seed or os.urandom(32))
    point = key.public_key().public_bytes_raw()
    public = b"".join(map(string, (SK_ED25519.encode(), point, APPLICATION)))
    return Token(SK_ED25519, public, key.sign)


def ecdsa_token() -> Token:
    """A key of the kind ``sk-ecdsa-sha2-nistp256``."""
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    public = b"".join(map(string, (SK_ECDSA.encode(), b"nistp256", point, APPLICATION)))

    def answers(told: bytes) -> bytes:
        r, s = decode_dss_signature(key.sign(told, ec.ECDSA(hashes.SHA256())))
        return number(r) + number(s)

    return Token(SK_ECDSA, public, answers)
