"""Verification by honed's own arithmetic, held against a library."""

from __future__ import annotations

import os

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from honed.signing.curves import L, N, ed25519_holds, p256_holds

SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
"""RFC 8032, section 7.1, test 1."""


def test_the_first_test_of_the_rfc_holds() -> None:
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    public = key.public_key().public_bytes_raw()
    assert public.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert ed25519_holds(public, key.sign(b""), b"")


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200), st.integers(0, 511))
def test_a_signature_holds_and_with_any_bit_changed_does_not(seed: bytes, message: bytes, bit: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = key.public_key().public_bytes_raw(), key.sign(message)
    assert ed25519_holds(public, signature, message)
    changed = bytearray(signature)
    changed[bit // 8] ^= 1 << bit % 8
    assert not ed25519_holds(public, bytes(changed), message)
    assert not ed25519_holds(public, signature, message + b"\0")


def test_a_second_way_to_write_the_same_signature_does_not_hold() -> None:
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    public, signature = key.public_key().public_bytes_raw(), key.sign(b"x")
    larger = int.from_bytes(signature[32:], "little") + L
    assert not ed25519_holds(public, signature[:32] + larger.to_bytes(32, "little"), b"x")


@pytest.mark.parametrize("size", [0, 31, 33])
def test_what_is_no_key_or_no_signature_does_not_hold(size: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    public, signature = key.public_key().public_bytes_raw(), key.sign(b"x")
    assert not ed25519_holds(bytes(size), signature, b"x")
    assert not ed25519_holds(public, bytes(size), b"x")
    assert not ed25519_holds(b"\xff" * 32, signature, b"x")
    assert not p256_holds(bytes(size), 1, 1, b"x")


def test_p256_agrees_with_the_library() -> None:
    for _ in range(40):
        key = ec.generate_private_key(ec.SECP256R1())
        public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        message = os.urandom(50)
        r, s = decode_dss_signature(key.sign(message, ec.ECDSA(hashes.SHA256())))
        assert p256_holds(public, r, s, message)
        assert not p256_holds(public, r ^ 1, s, message)
        assert not p256_holds(public, r, s ^ 1, message)
        assert not p256_holds(public, r, s, message + b"\0")
        assert not p256_holds(public, r, s + N, message)
        assert not p256_holds(public[:-1] + bytes([public[-1] ^ 1]), r, s, message)
