"""What looks like a secret and is none: digests, ids, lock files, packed code, images, placeholders,
words."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable

from bench.secret_values import ALNUM, B64, DIGITS, HEX, LOWER, UPPER, URL64, some

Made = Callable[[random.Random], str]
PACKAGES = (
    "left-pad",
    "@types/node",
    "lodash",
    "react-dom",
    "requests",
    "urllib3",
    "serde_json",
    "golang.org/x/net",
    "rails",
)
WORDS = ("token", "secret", "password", "key", "auth", "session", "credential", "cookie")


def _uuid(r: random.Random) -> str:
    return "-".join(some(r, HEX, n) for n in (8, 4, 4, 4, 12))


def _version(r: random.Random) -> str:
    return f"{r.randrange(9)}.{r.randrange(30)}.{r.randrange(30)}"


def _css(r: random.Random) -> str:
    return "".join(
        f".{some(r, LOWER, 4)}_{some(r, ALNUM, 5)}{{color:#{some(r, HEX, 6)};margin:{r.randrange(40)}px}}"
        for _ in range(6)
    )


def _minified(r: random.Random) -> str:
    a, b, c, word = (some(r, LOWER, n) for n in (1, 1, 1, 5))
    return (
        f'!function({a},{b}){{var {c}={{token:1,key:"{word}"}};for(var t in {a})'
        f"t.key===13&&{b}.push({a}[t].secret?{c}.token:void 0);return {a}.auth=function(e)"
        f"{{return e&&e.password.length>8}},{b}({r.randrange(900)})}}(window,document);"
    )


def _code(r: random.Random) -> str:
    w, n = r.choice(WORDS), some(r, LOWER, 6)
    forms = (
        f"    {w} = get_{w}(request.headers)",
        f"    def reset_{w}(self, {w}: str, *, {n}: int = {r.randrange(90)}) -> None:",
        f"const {w} = process.env.{w.upper()}_{n.upper()};",
        f'{w} = os.environ["{w.upper()}"]',
        f"if (!{w} || {w}.length < 12) throw new Error('{w} is too short');",
        f"        self.{w}_{n} = {w}s.get(user.id)",
        f"public {w.title()}Manager(final {w.title()}Store {w}Store) {{ this.{w}Store = {w}Store; }}",
        f"{w}: ${{{{ secrets.{w.upper()}_{n.upper()} }}}}",
        f"  {w}Ref: {{ name: app-{n}, key: {w} }}",
        f"max_{w}s = {r.randrange(9000)}",
        f"assert {w}.startswith('{n[:3]}')",
        f"type {w.title()} = {{ id: string; {w}: string; expiresAt: Date }};",
        f"CREATE TABLE {w}s (id uuid PRIMARY KEY, {w}_hash text NOT NULL, created_at timestamptz);",
        f"{w}_validator = validators.{w.title()}Validator(min_length=12)",
        f"return await this.{w}Service.rotate{w.title()}(user.{w}Id, {{ force: true }});",
        f'let {w} = std::env::var("{w.upper()}_{n.upper()}").expect("{w} is not set");',
        f"{w}, err := store.Get{w.title()}(ctx, {n})",
        f'<input type="{w}" name="{w}" placeholder="your {w}" autocomplete="current-{w}">',
        f"from app.{w}s import {w.title()}Repository, hash_{w}",
        f"it('refuses a {w} that has expired', async () => {{",
        f'{w}="$(vault kv get -field={w} secret/{n})"',
        f"export {w.upper()}=$({n} print-{w})",
        f"{w}: str = Field(..., description='The {w} of the user')",
        f'logger.info("{w} rotated for %s", user_id)',
    )
    return r.choice(forms)


def _placeholder(r: random.Random) -> str:
    w = r.choice(("API_KEY", "TOKEN", "DB_PASSWORD", "CLIENT_SECRET", "SECRET_KEY"))
    value = r.choice(
        (
            "your-api-key-here",
            "changeme",
            "<your-token>",
            "xxxxxxxxxxxxxxxx",
            "REPLACE_ME",
            "${TOKEN}",
            "$TOKEN",
            "***",
            "********",
            "todo",
            "example",
            "{{ token }}",
            "%TOKEN%",
            "None",
            "null",
            "undefined",
            "true",
            "",
            "''",
            "...",
            "[redacted]",
            "REDACTED",
            "your_password",
            "<password>",
            "$(cat token.txt)",
            "op://vault/item/field",
            "INSERT_KEY_HERE",
            "dummy",
            "placeholder",
        )
    )
    return r.choice(
        (f"{w}={value}", f"export {w}={value}", f"  {w.lower()}: {value}", f'{w.lower()} = "{value}"')
    )


def _prose(r: random.Random) -> str:
    w = r.choice(WORDS)
    forms = (
        f"The {w} must be at least {r.randrange(8, 20)} characters long and hold a digit.",
        f"Rotate the {w} every 90 days; see docs/{w}s.md for the steps.",
        f"error: the {w} for user {some(r, LOWER, 6)} is expired, please log in again",
        f"401 Unauthorized: invalid {w}",
        f"fix({w}): do not log the {w} when the request fails (#{r.randrange(9000)})",
        f"Where is the {w} validated? In `src/auth/{w}.ts`, by `verify{w.title()}`.",
        f"{r.randrange(100)} {w}s migrated, {r.randrange(9)} skipped",
        f"## {w.title()} handling\n",
        f"- {w}: who may see it, and for how long",
        "password123 is a bad password, and so is letmein; the check refuses both",
        f"usage: app --{w} {w.upper()} [--{w}-file PATH]",
        f"tokens used: {r.randrange(90_000)} (input {r.randrange(80_000)}, output {r.randrange(9_000)})",
        f"Basic usage: run `app {w} list`. Bearer of bad news: it is slow.",
        f"API key rotation, secret scanning and {w} storage are the three parts of it.",
    )
    return r.choice(forms)


ALIKES: tuple[tuple[str, Made], ...] = (
    ("commit", lambda r: f"commit {some(r, HEX, 40)}"),
    ("oneline", lambda r: f"{some(r, HEX, 7)} Fix the {some(r, LOWER, 6)} of {some(r, LOWER, 5)}"),
    ("tree", lambda r: f"100644 blob {some(r, HEX, 40)}\tsrc/{some(r, LOWER, 6)}.py"),
    ("diff-index", lambda r: f"index {some(r, HEX, 10)}..{some(r, HEX, 10)} 100644"),
    ("sha256", lambda r: f"{some(r, HEX, 64)}  dist/app-{_version(r)}.tar.gz"),
    ("md5", lambda r: f"MD5 ({some(r, LOWER, 5)}.iso) = {some(r, HEX, 32)}"),
    ("npm-lock", lambda r: f'      "integrity": "sha512-{some(r, B64, 86)}==",'),
    (
        "npm-resolved",
        lambda r: (
            f'      "resolved": "https://registry.npmjs.org/{r.choice(PACKAGES)}/-/a-{_version(r)}.tgz",'
        ),
    ),
    (
        "yarn-lock",
        lambda r: f'  resolved "https://registry.yarnpkg.com/a/-/a-{_version(r)}.tgz#{some(r, HEX, 40)}"',
    ),
    ("pnpm-lock", lambda r: f"    resolution: {{integrity: sha512-{some(r, B64, 86)}==}}"),
    ("pip-hash", lambda r: f"    --hash=sha256:{some(r, HEX, 64)} \\"),
    ("poetry-lock", lambda r: f'    {{file = "a-{_version(r)}.whl", hash = "sha256:{some(r, HEX, 64)}"}},'),
    ("cargo-lock", lambda r: f'checksum = "{some(r, HEX, 64)}"'),
    ("go-sum", lambda r: f"golang.org/x/net v{_version(r)} h1:{some(r, B64, 43)}="),
    ("gem-lock", lambda r: f"    rails ({_version(r)}) sha256={some(r, HEX, 64)}"),
    ("composer", lambda r: f'            "reference": "{some(r, HEX, 40)}"'),
    ("image", lambda r: f"FROM python:3.11-slim@sha256:{some(r, HEX, 64)}"),
    ("image-log", lambda r: f" => => sha256:{some(r, HEX, 64)} {r.randrange(90)}.1MB / 88.1MB"),
    ("container", lambda r: f'{some(r, HEX, 12)}   postgres:16   "docker-entrypoint.s…"   Up 3 hours'),
    (
        "pod",
        lambda r: (
            f"api-{some(r, LOWER + DIGITS, 10)}-{some(r, LOWER + DIGITS, 5)}   1/1   Running   0  "
            f" {r.randrange(9)}d"
        ),
    ),
    ("uuid-json", lambda r: f'{{"id": "{_uuid(r)}", "user_id": "{_uuid(r)}", "n": {r.randrange(900)}}}'),
    (
        "uuid-log",
        lambda r: (
            f"2026-05-04T10:00:{r.randrange(10, 59)}Z INFO request_id={_uuid(r)} trace_id="
            f"{some(r, HEX, 32)} span_id={some(r, HEX, 16)} 200"
        ),
    ),
    ("uuid-path", lambda r: f"GET /v1/users/{_uuid(r)}/orders/{_uuid(r)} 200 {r.randrange(90)}ms"),
    ("objectid", lambda r: f'{{ "_id": ObjectId("{some(r, HEX, 24)}"), "v": 0 }}'),
    ("ulid", lambda r: f"event 01{some(r, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)} stored"),
    ("etag", lambda r: f'ETag: W/"{some(r, HEX, 32)}"'),
    ("etag64", lambda r: f'etag: "{some(r, B64, 27)}="'),
    ("change-id", lambda r: f"Change-Id: I{some(r, HEX, 40)}"),
    ("ssh-public", lambda r: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{some(r, B64, 43)} bob@laptop"),
    ("ssh-print", lambda r: f"256 SHA256:{some(r, B64, 43)} bob@laptop (ED25519)"),
    ("known-hosts", lambda r: f"github.com ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{some(r, B64, 320)}="),
    (
        "certificate",
        lambda r: (
            "-----BEGIN CERTIFICATE-----\nMII"
            + "\n".join(some(r, B64, 64) for _ in range(8))
            + "\n-----END CERTIFICATE-----"
        ),
    ),
    (
        "public-key",
        lambda r: (
            "-----BEGIN PUBLIC KEY-----\nMIIB"
            + "\n".join(some(r, B64, 64) for _ in range(4))
            + "\n-----END PUBLIC KEY-----"
        ),
    ),
    (
        "fingerprint",
        lambda r: "SHA1 Fingerprint=" + ":".join(some(r, "0123456789ABCDEF", 2) for _ in range(20)),
    ),
    (
        "jwks",
        lambda r: (
            f'{{"kty":"RSA","e":"AQAB","use":"sig","kid":"{some(r, HEX, 16)}","n":"{some(r, URL64, 342)}"}}'
        ),
    ),
    ("png", lambda r: f'<img src="data:image/png;base64,iVBORw0KGgo{some(r, B64, 300)}==" alt="logo">'),
    ("svg-data", lambda r: f"background:url(data:image/svg+xml;base64,PHN2Zy{some(r, B64, 160)})"),
    ("font", lambda r: f"src:url(data:font/woff2;base64,d09GMgABAAAAA{some(r, B64, 300)}) format('woff2')"),
    ("base64-line", lambda r: some(r, B64, 76)),
    ("base64-text", lambda r: base64.b64encode(("hello " * r.randrange(4, 12)).encode()).decode()),
    (
        "source-map",
        lambda r: (
            '"mappings":"'
            + ";".join("".join(some(r, "ACEGIKQSUWgkqc", 4) + "," for _ in range(5)) for _ in range(6))
            + '"'
        ),
    ),
    ("map-url", lambda r: f"//# sourceMappingURL=main.{some(r, HEX, 20)}.js.map"),
    (
        "chunk",
        lambda r: f"dist/assets/index-{some(r, URL64, 8)}.js   {r.randrange(900)}.12 kB │ gzip: 44.10 kB",
    ),
    ("minified", _minified),
    ("css", _css),
    ("code", _code),
    ("code2", _code),
    ("code3", _code),
    ("placeholder", _placeholder),
    ("placeholder2", _placeholder),
    ("prose", _prose),
    ("prose2", _prose),
    ("address", lambda r: f'  File "a.py", line {r.randrange(900)}: <Foo object at 0x7f{some(r, HEX, 10)}>'),
    (
        "core",
        lambda r: (
            f"#{r.randrange(20)} 0x0000{some(r, HEX, 12)} in main (argc=1, argv=0x7ffc"
            f"{some(r, HEX, 8)}) at main.c:{r.randrange(900)}"
        ),
    ),
    (
        "hexdump",
        lambda r: (
            f"{some(r, HEX, 8)}  " + " ".join(some(r, HEX, 2) for _ in range(16)) + "  |................|"
        ),
    ),
    ("colour", lambda r: f"  --accent: #{some(r, HEX, 6)}; --shadow: #{some(r, HEX, 8)};"),
    (
        "temp",
        lambda r: (
            f"/tmp/pytest-of-bob/pytest-{r.randrange(90)}/test_{some(r, LOWER, 8)}0/"
            f"{some(r, LOWER + DIGITS, 8)}"
        ),
    ),
    (
        "arn",
        lambda r: (
            f"arn:aws:secretsmanager:eu-west-1:{some(r, DIGITS, 12)}:secret:prod/db-{some(r, ALNUM, 6)}"
        ),
    ),
    ("s3", lambda r: f"s3://acme-artifacts/builds/{some(r, HEX, 40)}/app.tar.gz"),
    (
        "url-slug",
        lambda r: (
            f"https://example.com/blog/{'-'.join(some(r, LOWER, 6) for _ in range(6))}?utm_source="
            f"mail&page={r.randrange(9)}"
        ),
    ),
    ("url-id", lambda r: f"https://docs.google.com/document/d/1{some(r, URL64, 43)}/edit"),
    ("action", lambda r: f"      - uses: actions/checkout@{some(r, HEX, 40)} # v4"),
    (
        "stamp",
        lambda r: (
            f"{r.randrange(1_600_000_000_000, 1_900_000_000_000)} {some(r, DIGITS, 19)} {some(r, DIGITS, 10)}"
        ),
    ),
    ("numbers", lambda r: " ".join(some(r, DIGITS, r.randrange(3, 12)) for _ in range(8))),
    ("float", lambda r: f"loss: 0.{some(r, DIGITS, 16)} - accuracy: 0.{some(r, DIGITS, 16)}"),
    ("weights", lambda r: "[" + ", ".join(f"-0.{some(r, DIGITS, 8)}" for _ in range(8)) + "]"),
    (
        "plist",
        lambda r: (
            f"\t\t{some(r, HEX.upper(), 24)} /* AppDelegate.m in Sources */ = {{isa = PBXBuildFile"
            f"; fileRef = {some(r, HEX.upper(), 24)}; }};"
        ),
    ),
    ("guid", lambda r: f'Project("{{{_uuid(r).upper()}}}") = "App", "App.csproj", "{{{_uuid(r).upper()}}}"'),
    (
        "tf-state",
        lambda r: f'"lineage": "{_uuid(r)}", "serial": {r.randrange(90)}, "id": "sg-{some(r, HEX, 17)}"',
    ),
    ("instance", lambda r: f"i-{some(r, HEX, 17)}  ami-{some(r, HEX, 17)}  vpc-{some(r, HEX, 17)}  running"),
    ("migration", lambda r: f"revision = '{some(r, HEX, 12)}'\ndown_revision = '{some(r, HEX, 12)}'"),
    (
        "snapshot",
        lambda r: (
            f'exports[`renders {some(r, LOWER, 6)} 1`] = `"<div class=\\"{some(r, LOWER, 4)}__'
            f'{some(r, ALNUM, 5)}\\">"`;'
        ),
    ),
    (
        "emotion",
        lambda r: (
            f'<div class="css-{some(r, LOWER + DIGITS, 7)} sc-{some(r, ALNUM, 6)} {some(r, ALNUM, 6)}">'
        ),
    ),
    ("camel", lambda r: "".join(w.title() for w in r.sample(WORDS, 4)) + "FactoryBeanPostProcessor.create"),
    ("constant", lambda r: "_".join(w.upper() for w in r.sample(WORDS, 3)) + f" = {r.randrange(900)}"),
    ("test-name", lambda r: "tests/test_auth.py::test_" + "_".join(r.sample(WORDS, 4)) + " PASSED"),
    (
        "keyboard",
        lambda r: (
            f"if (event.key === 'Enter' && event.keyCode === {r.randrange(99)}) submit(form."
            f"{some(r, LOWER, 5)});"
        ),
    ),
    ("sorting", lambda r: f"rows.sort(key=lambda row: row.{some(r, LOWER, 6)}, reverse=True)"),
    (
        "react-key",
        lambda r: f"<Row key={{`{some(r, LOWER, 4)}-${{index}}`}} token={{theme.{some(r, LOWER, 5)}}} />",
    ),
    ("cache-key", lambda r: f"cache key: linux-node-{some(r, HEX, 64)}"),
    (
        "primary",
        lambda r: (
            f"id = Column(Integer, primary_key=True); foreign_key=ForeignKey('users.{some(r, LOWER, 5)}')"
        ),
    ),
    ("crypto-hash", lambda r: f"expect(hash).toBe('{some(r, HEX, 64)}')"),
    (
        "bcrypt-note",
        lambda r: f"hashed with bcrypt, cost {r.randrange(10, 14)}; see PasswordHasher in hasher.py",
    ),
    ("nonce", lambda r: f"git rev-parse HEAD\n{some(r, HEX, 40)}"),
    ("ansi", lambda r: f"\x1b[32m✓\x1b[0m {some(r, LOWER, 5)} \x1b[2m({r.randrange(90)}ms)\x1b[22m"),
    (
        "base58",
        lambda r: f"CID: Qm{some(r, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 44)}",
    ),
    ("sequence", lambda r: f">seq{r.randrange(90)}\n{some(r, 'ACGT', 70)}"),
    (
        "serial",
        lambda r: f"Serial: {some(r, UPPER + DIGITS, 12)}  Model: {some(r, UPPER, 2)}-{some(r, DIGITS, 4)}",
    ),
)
"""Sorts of lines that are no secret; all of each must stay."""
