"""Who signs: a hardware key through ``ssh-keygen``, or a key of honed's own behind a passphrase.

Only what shows that somebody was there counts: a hardware key that was touched, a passphrase that was typed.
Any other SSH key signs for whoever has the owner's shell, an agent too.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from honed.errors import NotFoundError, RefusedError, UnavailableError, UsageError
from honed.signing.digests import sha512
from honed.signing.pins import folder, key_path
from honed.signing.sshsig import ED25519, MAGIC, SK_ECDSA, SK_ED25519
from honed.store.files import reason_of, write_whole

HARDWARE, PASSPHRASE = "hardware key", "passphrase"
SHORTEST = 10
"""Characters of a passphrase."""
SCRYPT = {"n": 2**16, "r": 8, "p": 1}
"""RFC 7914; about a quarter of a second and 64 MB."""
_NEEDS = "signing with a passphrase needs the package `cryptography`: pip install 'honed[sign]'"
_SSH_SECONDS = 120
"""How long a hardware key is waited for."""


@dataclass(frozen=True, slots=True)
class Signer:
    """A key that signs: its ``public`` blob, its ``grade`` in words, ``sign(message, namespace)`` that gives
    the blob of an OpenSSH signature, the ``file`` of a hardware key.

    Signing raises ``RefusedError`` and ``UnavailableError``.
    """

    public: bytes
    grade: str
    sign: Callable[[bytes, str], bytes]
    file: str = ""


def ssh_signer(path: str, *, program: str = "ssh-keygen") -> Signer:
    """The hardware key whose file (or ``.pub`` file) is ``path``.

    Raises ``NotFoundError``, ``UsageError`` for what is no key, ``RefusedError`` for a key of another kind.
    """
    plain = os.path.expanduser(path)
    name = plain if plain.endswith(".pub") else f"{plain}.pub"
    try:
        with open(name, encoding="utf-8") as file:
            kind, blob = file.read().split()[:2]
            public = base64.b64decode(blob, validate=True)
    except FileNotFoundError as error:
        raise NotFoundError(
            f"{name}: no such file; name the key that `ssh-keygen -t ed25519-sk` made"
        ) from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} is no public key of OpenSSH") from error
    if kind not in (SK_ED25519, SK_ECDSA):
        raise RefusedError(
            f"{name} is a key of the kind {kind}: whoever has your shell signs with it, an agent too, so it "
            "would protect no better than the grade *present*, which stays on. Take a hardware key "
            "(`ssh-keygen -t ed25519-sk`), or `honed owner init --passphrase`"
        )

    def sign(message: bytes, namespace: str) -> bytes:
        command = [program, "-Y", "sign", "-n", namespace, "-f", name.removesuffix(".pub")]
        try:
            # What it asks for (a touch, a PIN) goes to the terminal.
            done = subprocess.run(
                command, input=message, stdout=subprocess.PIPE, timeout=_SSH_SECONDS, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise RefusedError("the hardware key was not touched in time; nothing was changed") from error
        except OSError as error:
            raise UnavailableError(f"{program} cannot be started: {reason_of(error)}") from error
        if done.returncode:
            raise RefusedError(f"{program} did not sign (status {done.returncode}); nothing was changed")
        return unarmored(done.stdout)

    return Signer(public, HARDWARE, sign, name.removesuffix(".pub"))


def unarmored(text: bytes) -> bytes:
    """The blob of a signature as ``ssh-keygen`` prints it.  Raises ``UnavailableError``."""
    lines = [line for line in text.decode("ascii", "replace").splitlines() if line.strip()]
    if len(lines) < 3 or "BEGIN SSH SIGNATURE" not in lines[0] or "END SSH SIGNATURE" not in lines[-1]:
        raise UnavailableError("ssh-keygen printed no signature")
    return base64.b64decode("".join(lines[1:-1]))


# A passphrase


def new_passphrase_key(owner: str, passphrase: str, entropy: Callable[[int], bytes]) -> Signer:
    """Make a key for an owner and keep it, encrypted by the passphrase, beside the pins.

    Raises ``UsageError`` for a passphrase that is too short, ``UnavailableError`` without ``cryptography``.
    """
    if len(passphrase) < SHORTEST:
        raise UsageError(f"a passphrase has at least {SHORTEST} characters")
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    except ImportError as error:
        raise UnavailableError(_NEEDS) from error
    seed, salt, nonce = entropy(32), entropy(16), entropy(12)
    public = _blob(Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw())
    box = ChaCha20Poly1305(_derived(passphrase, salt, SCRYPT)).encrypt(nonce, seed, public)
    kept = {
        "version": 1,
        "kdf": {"name": "scrypt", **SCRYPT, "salt": salt.hex()},
        "cipher": {"name": "chacha20-poly1305", "nonce": nonce.hex(), "box": box.hex()},
        "public": public.hex(),
    }
    os.makedirs(folder(), mode=0o700, exist_ok=True)
    write_whole(key_path(owner), json.dumps(kept, indent=2).encode("ascii"))
    return _signer(seed, public)


def passphrase_key(owner: str, passphrase: str) -> Signer:
    """The kept key of an owner.

    Raises ``RefusedError`` for another passphrase, ``UnavailableError`` where there is no such key.
    """
    where = key_path(owner)
    try:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    except ImportError as error:
        raise UnavailableError(_NEEDS) from error
    try:
        with open(where, encoding="ascii") as file:
            kept = json.load(file)
        kdf, cipher, public = kept["kdf"], kept["cipher"], bytes.fromhex(kept["public"])
        costs = {name: int(kdf[name]) for name in SCRYPT}
        key = _derived(passphrase, bytes.fromhex(kdf["salt"]), costs)
        nonce, box = bytes.fromhex(cipher["nonce"]), bytes.fromhex(cipher["box"])
    except OSError as error:
        raise UnavailableError(f"{where} cannot be read: {reason_of(error)}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UnavailableError(f"{where} is not whole") from error
    try:
        return _signer(ChaCha20Poly1305(key).decrypt(nonce, box, public), public)
    except InvalidTag as error:
        raise RefusedError("that is not the passphrase; nothing was changed") from error


def _derived(passphrase: str, salt: bytes, costs: dict[str, int]) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=32, **costs).derive(passphrase.encode("utf-8"))


def _signer(seed: bytes, public: bytes) -> Signer:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(seed)

    def sign(message: bytes, namespace: str) -> bytes:
        fields = (namespace.encode("ascii"), b"", b"sha512")
        told = MAGIC + b"".join(map(_string, (*fields, sha512(message).digest())))
        signature = _string(ED25519.encode("ascii")) + _string(key.sign(told))
        return MAGIC + b"\x00\x00\x00\x01" + b"".join(map(_string, (public, *fields, signature)))

    return Signer(public, PASSPHRASE, sign)


def _blob(point: bytes) -> bytes:
    return _string(ED25519.encode("ascii")) + _string(point)


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data
