"""Signatures in OpenSSH's format: hardware keys that were touched, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from honed.errors import RefusedError
from honed.signing.keys import ssh_signer, unarmored
from honed.signing.sshsig import Signature, SignatureError, fingerprint, kind_of
from tests.signing.making import Make, ecdsa_token, ed25519_token

MESSAGE, NAME = b"approved\n", "honed-approvals"
TOKENS = [ed25519_token, ecdsa_token]
needs_ssh = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="no ssh-keygen here")


@pytest.mark.parametrize("make", TOKENS)
@pytest.mark.parametrize("digest", ["sha512", "sha256"])
def test_a_touched_hardware_key_holds(make: Make, digest: str) -> None:
    token = make()
    for _ in range(12):  # numbers of every length
        Signature(token.signature(MESSAGE, NAME, digest=digest)).check(MESSAGE)


@pytest.mark.parametrize("make", TOKENS)
@pytest.mark.parametrize("flags", [0x00, 0x04, 0x80, 0xFE])
def test_a_hardware_key_that_was_not_touched_does_not_hold(make: Make, flags: int) -> None:
    signature = Signature(make().signature(MESSAGE, NAME, flags=flags))
    with pytest.raises(SignatureError, match="not touched"):
        signature.check(MESSAGE)


@pytest.mark.parametrize("make", TOKENS)
def test_flags_that_were_changed_afterwards_do_not_hold(make: Make) -> None:
    blob = bytearray(make().signature(MESSAGE, NAME, flags=0))
    blob[-5] = 1
    with pytest.raises(SignatureError, match="not that of this text"):
        Signature(bytes(blob)).check(MESSAGE)


@pytest.mark.parametrize("make", TOKENS)
def test_another_text_or_application_does_not_hold(make: Make) -> None:
    token = make()
    with pytest.raises(SignatureError):
        Signature(token.signature(MESSAGE, NAME)).check(b"other")
    with pytest.raises(SignatureError):
        Signature(token.signature(MESSAGE, NAME, application=b"ssh:other")).check(MESSAGE)


@pytest.mark.parametrize("make", TOKENS)
def test_no_byte_of_a_signature_can_be_changed_added_or_left_out(make: Make) -> None:
    blob = make().signature(MESSAGE, NAME)

    def holds(changed: bytes) -> bool:
        try:
            read = Signature(changed)
            read.check(MESSAGE)
        except SignatureError:
            return False
        return read.public == Signature(blob).public and read.namespace == NAME

    assert holds(blob)
    for at in range(0, len(blob), 3):
        flipped = blob[:at] + bytes([blob[at] ^ 1]) + blob[at + 1 :]
        assert not any(map(holds, (flipped, blob[:at] + blob[at + 1 :], blob[:at]))), at
    with pytest.raises(SignatureError):
        Signature(blob + b"\0")


def test_a_key_that_shows_no_owner_is_none() -> None:
    with pytest.raises(SignatureError, match="shows a touch"):
        kind_of(b"\0\0\0\7ssh-rsa")


@needs_ssh
def test_a_signature_of_the_real_ssh_keygen_is_read_and_its_fingerprint_the_same(tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    command = ["ssh-keygen", "-Y", "sign", "-n", NAME, "-f", str(key)]
    done = subprocess.run(command, input=MESSAGE, capture_output=True, check=True)
    signature = Signature(unarmored(done.stdout))
    signature.check(MESSAGE)
    with pytest.raises(SignatureError):
        signature.check(MESSAGE + b"x")
    told = subprocess.run(["ssh-keygen", "-l", "-f", f"{key}.pub"], capture_output=True, check=True)
    assert fingerprint(signature.public) == told.stdout.decode().split()[1]
    assert signature.namespace == NAME


@needs_ssh
@pytest.mark.parametrize("make", TOKENS)
def test_the_real_ssh_keygen_believes_the_signatures_of_these_tests(make: Make, tmp_path: Path) -> None:
    import base64

    token = make()
    public = base64.b64encode(token.public).decode()
    (tmp_path / "allowed").write_text(f"me {token.kind} {public}\n", encoding="utf-8")
    armored = base64.encodebytes(token.signature(MESSAGE, NAME)).decode()
    text = f"-----BEGIN SSH SIGNATURE-----\n{armored}-----END SSH SIGNATURE-----\n"
    (tmp_path / "sig").write_text(text, encoding="utf-8")
    command = ["ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", "me", "-n", NAME, "-s", "sig"]
    done = subprocess.run(command, input=MESSAGE, capture_output=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr


@needs_ssh
def test_a_key_without_a_touch_is_refused_and_the_reason_told(tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    with pytest.raises(RefusedError, match="whoever has your shell signs with it"):
        ssh_signer(str(key))


def test_a_hardware_key_signs_through_ssh_keygen(tmp_path: Path) -> None:
    import base64
    import sys

    token = ed25519_token()
    armored = base64.encodebytes(token.signature(MESSAGE, NAME)).decode()
    program = tmp_path / "ssh-keygen"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nassert sys.argv[1:5] == ['-Y', 'sign', '-n', {NAME!r}], sys.argv\n"
        f"assert sys.stdin.buffer.read() == {MESSAGE!r}\n"
        f"print('''-----BEGIN SSH SIGNATURE-----\n{armored}-----END SSH SIGNATURE-----''')\n",
        encoding="utf-8",
    )
    program.chmod(0o700)
    public = base64.b64encode(token.public).decode()
    (tmp_path / "id.pub").write_text(f"{token.kind} {public} me@here\n", encoding="utf-8")
    signer = ssh_signer(str(tmp_path / "id"), program=str(program))
    assert signer.sign(MESSAGE, NAME) == token.signature(MESSAGE, NAME)
    assert (signer.public, signer.file) == (token.public, str(tmp_path / "id"))
