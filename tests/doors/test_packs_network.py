"""Packs that come over the network: by TLS on this machine, with a certificate that is made for it."""

from __future__ import annotations

import datetime
import ipaddress
import os
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from honed.packs import git
from tests.doors.conftest import Honed
from tests.packs.making import skill


@dataclass(slots=True)
class Server:
    """A server that gives one repository: its ``address``, the ``certificate``, and what was ``asked``."""

    address: str
    certificate: Path
    repository: Path
    asked: list[tuple[str, str]] = field(default_factory=list)


def made_certificate(folder: Path) -> Path:
    """A certificate of 127.0.0.1 with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(here, False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        made.public_bytes(Encoding.PEM)
        + key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    )
    return file


def a_repository(folder: Path) -> Path:
    """A repository with one skill."""
    (folder / "pdf").mkdir(parents=True)
    (folder / "pdf" / "SKILL.md").write_text(skill("pdf", "Fill in PDF forms."), encoding="utf-8")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "A skill")):
        name = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
        subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)
    return folder


def handler_of(server: Server) -> type[BaseHTTPRequestHandler]:
    """What answers: the repository by git's own program, and paths that redirect or ask for a password."""

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            server.asked.append((self.path, self.headers.get("Authorization", "")))
            if path.startswith(("/open", "/away", "/secret")):
                self.send_response(401 if path.startswith("/secret") else 302)
                if path.startswith("/secret"):
                    self.send_header("WWW-Authenticate", 'Basic realm="packs"')
                elif path.startswith("/open"):
                    self.send_header("Location", self.path.replace("/open", "http://127.0.0.1:1", 1))
                else:
                    self.send_header("Location", self.path.replace("/away", "/repo", 1))
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self._by_git(path, query)

        def do_POST(self) -> None:
            self.do_GET()

        def _by_git(self, path: str, query: str) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            done = subprocess.run(
                ["git", "http-backend"],
                input=body,
                capture_output=True,
                check=False,
                env={
                    "PATH": os.environ["PATH"],
                    "GIT_PROJECT_ROOT": str(server.repository.parent),
                    "GIT_HTTP_EXPORT_ALL": "1",
                    "REQUEST_METHOD": self.command,
                    "PATH_INFO": path,
                    "QUERY_STRING": query,
                    "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                    "CONTENT_LENGTH": str(len(body)),
                    "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                },
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1) for line in head.decode("ascii").split("\r\n") if ": " in line)
            self.send_response(int(fields.pop("Status", "200 OK").split()[0]))
            for name, value in fields.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Answers


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    served = Server("", made_certificate(tmp_path), a_repository(tmp_path / "served" / "repo"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(served.certificate)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler_of(served)) as listening:
        listening.socket = context.wrap_socket(listening.socket, server_side=True)
        served.address = f"https://127.0.0.1:{listening.server_address[1]}"
        for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("GIT_SSL_CAINFO", str(served.certificate))
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        try:
            yield served
        finally:
            listening.shutdown()
            thread.join()


def test_a_repository_comes_over_tls_pinned_to_its_commit(honed: Honed, server: Server) -> None:
    done = honed("packs", "add", f"{server.address}/repo/.git", "--name", "pdf", "--json")
    assert done.code == 0, done.err
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=server.repository, check=True, capture_output=True, text=True
    )
    assert done.json["commit"] == head.stdout.strip()
    assert [row["slug"] for row in done.json["skills"]] == ["pdf"]
    assert honed("packs", "update", "--json").json[0]["skills"][0]["what"] == "same"
    assert {given for _, given in server.asked} == {""}


def test_a_certificate_that_nobody_vouches_for_is_not_believed(
    honed: Honed, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GIT_SSL_CAINFO")
    monkeypatch.setenv("GIT_SSL_NO_VERIFY", "1")
    done = honed("packs", "add", f"{server.address}/repo/.git", "--name", "pdf")
    assert (done.code, "certificate" in done.err.lower()) == (5, True)
    assert server.asked == []


@pytest.mark.parametrize("path", ["open", "secret"])
def test_no_redirect_leaves_tls_and_nobody_is_asked_for_a_password(
    honed: Honed, server: Server, path: str
) -> None:
    done = honed("packs", "add", f"{server.address}/{path}/.git", "--name", "pdf")
    assert (done.code, done.err.count("\n")) == (5, 1)
    assert honed("list", "--all", "--json").json == []
    assert {given for _, given in server.asked} == {""}


def test_a_repository_that_moved_is_followed_within_tls(honed: Honed, server: Server) -> None:
    assert honed("packs", "add", f"{server.address}/away/.git", "--name", "pdf").code == 0


def test_a_repository_that_is_too_large_or_too_slow_is_not_taken(
    honed: Honed, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    (server.repository / "blob.bin").write_bytes(os.urandom(400_000))
    name = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
    for words in (("add", "."), ("commit", "-qm", "Large")):
        subprocess.run(["git", *name, *words], cwd=server.repository, check=True, capture_output=True)
    with monkeypatch.context() as small:
        small.setattr(git, "REPOSITORY", 100_000)
        done = honed("packs", "add", f"{server.address}/repo/.git", "--name", "pdf")
        assert (done.code, "nothing was taken" in done.err) == (3, True), done.err
    with monkeypatch.context() as hasty:
        hasty.setattr(git, "FETCH_SECONDS", 0)
        done = honed("packs", "add", f"{server.address}/repo/.git", "--name", "pdf")
        assert (done.code, "nothing within 0 seconds" in done.err) == (5, True)
    assert honed("packs", "list", "--json").json == []
