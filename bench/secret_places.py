"""Where secrets stand in life: settings, logs, requests, histories, traces; and secrets that are such a
place."""

from __future__ import annotations

import base64
import json
import random
import re
import textwrap
from collections.abc import Callable

from bench.secret_values import ALNUM, B64, HEX, LOWER, UPPER, URL64, Family, some

HOSTS = (
    "db.internal.example",
    "api.example.com",
    "10.2.0.17:5432",
    "cache.example.net:6379",
    "localhost:5432",
)

# @N the name, @n the same in small letters, @o as an option, @Q and @V name and value in JSON, @v the value,
# @d a digit.
NAMED = (
    "# production\nexport @N=@v\nexport LOG_LEVEL=debug",
    '@N="@v"',
    "@N='@v' npm run deploy -- --stage prod",
    "docker run --rm -e @N=@v -p 8080:8080 registry.example.com/app:1.@d.0",
    "env:\n  - name: @N\n    value: @V\n  - name: PORT\n    value: '8080'",
    '{"region": "eu-west-1", @Q: @V, "timeout": 30}',
    '{\n  @Q: @V,\n  "debug": true\n}',
    "@n: @v\nretries: 3",
    "2026-05-0@dT10:22:1@dZ DEBUG config loaded @N=@v env=prod",
    "[INFO] starting with {'@N': '@v', 'host': 'a'}",
    "   12  cd app\n   13  export @N=@v\n   14  make release",
    ": 17000000@d1:0;@N=@v ./deploy.sh --force",
    'client = Client(@n="@v", timeout=10)',
    "const @n = '@v';\nmodule.exports = { @n };",
    "+  @N: '@v',\n-  @N: process.env.@n,",
    "[credentials]\n@n = @v\n",
    "KeyError: bad config\n  File \"app.py\", line 1@d, in load\n    cfg['@N'] = '@v'",
    "gh secret set @N --body '@v' --repo acme/app",
    "heroku config:set @N=@v -a acme-prod",
    'resource "x" "y" {\n  @n = "@v"\n}',
    '<add key="@N" value="@v" />',
    "ENV @N @v\nRUN make",
    'Set-Item Env:@N "@v"',
    '$env:@n = "@v"',
    "curl -s 'https://api.example.com/v1/items?limit=5&@n=@v'",
    "Error: request failed: POST https://api.example.com/?@n=@v -> 401",
    "./cli login --@o @v --region eu",
    "./cli login --@o=@v",
    "| @N | `@v` | set in CI |",
    '{\\"@N\\": \\"@v\\", \\"a\\": 1}',
)
ALONE = (
    "here is the token you need: @v (please rotate it later)",
    "I used `@v` and it worked.",
    "curl -H 'Authorization: Bearer @v' https://api.example.com/v1/me",
    "> authorization: token @v\n> accept: */*",
    '{"headers": {"X-Api-Key": "@v"}}',
    "FAILED tests/test_api.py::test_auth - AssertionError: assert '@v' == None",
    "TypeError: cannot parse @v\n    at parse (/app/src/auth.js:1@d:12)",
    "git remote add origin https://x-access-token:@v@github.com/acme/app.git",
    "ok. echo @v | docker login -u acme --password-stdin registry.example.com",
    "token=@v&grant_type=refresh_token&scope=all",
    "WARN  [auth] rejected credentials @v from 10.0.0.@d",
)


def _filled(rng: random.Random, place: str, name: str, value: str) -> str:
    small = name.lower().replace("-", "_").replace("/", "").replace(":", "")
    parts = {
        "@N": name,
        "@n": small,
        "@o": small.replace("_", "-"),
        "@Q": json.dumps(name),
        "@V": json.dumps(value),
        "@v": value,
        "@d": str(rng.randrange(10)),
    }
    return re.sub("@[NnoQVvd](?![a-z])", lambda found: parts[found[0]], place)


def _pem(kind: str, lines: int) -> Callable[[random.Random], tuple[str, str]]:
    def made(rng: random.Random) -> tuple[str, str]:
        body = "\n".join(textwrap.wrap(some(rng, B64, 64 * lines - 2), 64)) + "=="
        text = f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"
        way = rng.randrange(4)
        if way == 0:
            return text, body
        if way == 1:
            return json.dumps({"type": "service_account", "private_key": text + "\n", "id": "a"}), body
        if way == 2:
            return textwrap.indent("tls.key: |\n" + textwrap.indent(text, "  "), "  "), body
        return f"cat > key.pem <<'EOF'\n{text}\nEOF\nchmod 600 key.pem", body

    return made


def _url(rng: random.Random) -> tuple[str, str]:
    scheme = rng.choice(
        [
            "postgres",
            "postgresql+asyncpg",
            "mysql",
            "mongodb+srv",
            "redis",
            "amqp",
            "https",
            "mssql",
            "clickhouse",
        ]
    )
    value = some(rng, ALNUM, rng.choice([12, 16, 24]))
    user = rng.choice(["app", "root", "svc_billing", "" if scheme == "redis" else "admin"])
    url = f"{scheme}://{user}:{value}@{rng.choice(HOSTS)}/app?sslmode=require"
    forms = (
        f"DATABASE_URL={url}",
        f"sqlalchemy.exc.OperationalError: could not connect to {url}",
        f'{{"dsn": "{url}"}}',
        f"psql '{url}' -c 'select 1'",
        f"dsn: {url}",
    )
    return rng.choice(forms), value


def _basic(rng: random.Random) -> tuple[str, str]:
    value = base64.b64encode(f"{some(rng, LOWER, 6)}:{some(rng, ALNUM, 18)}".encode()).decode()
    forms = (
        f"Authorization: Basic {value}",
        f"curl -H 'authorization: basic {value}' https://x.example",
        f'{{"Authorization": "Basic {value}"}}',
    )
    return rng.choice(forms), value


def _bearer(rng: random.Random) -> tuple[str, str]:
    value = some(rng, URL64, rng.choice([32, 40, 64]))
    forms = (
        f"Authorization: Bearer {value}",
        f'curl -H "Authorization: Bearer {value}" https://x.example/v1',
        f"headers={{'Authorization': 'Bearer {value}'}}",
        f"X-Auth-Token: {value}",
        f"Private-Token: {value}",
    )
    return rng.choice(forms), value


def _cookie(rng: random.Random) -> tuple[str, str]:
    value = some(rng, URL64, 43)
    forms = (
        f"Set-Cookie: session={value}; Path=/; HttpOnly",
        f"Cookie: theme=dark; sessionid={value}",
        f"curl -b 'connect.sid={value}' https://x.example",
    )
    return rng.choice(forms), value


def _netrc(rng: random.Random) -> tuple[str, str]:
    value = some(rng, ALNUM, 20)
    return rng.choice(
        (
            f"machine api.example.com\n  login deploy\n  password {value}",
            f"machine git.example.com login bot password {value}",
        )
    ), value


def _docker_auth(rng: random.Random) -> tuple[str, str]:
    value = base64.b64encode(f"user:{some(rng, ALNUM, 24)}".encode()).decode()
    return f'{{"auths": {{"registry.example.com": {{"auth": "{value}"}}}}}}', value


def _pgpass(rng: random.Random) -> tuple[str, str]:
    value = some(rng, ALNUM, 18)
    return f"# ~/.pgpass\ndb.example.com:5432:app:svc:{value}", value


def _connection(rng: random.Random) -> tuple[str, str]:
    value = some(rng, ALNUM, 22)
    forms = (
        f"Server=tcp:db.example.net,1433;Database=app;User ID=svc;Password={value};Encrypt=true;",
        f"Endpoint=sb://x.example.net/;SharedAccessKeyName=Root;SharedAccessKey={some(rng, B64, 43)}=",
        (
            f"DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={some(rng, B64, 86)}==;En"
            f"dpointSuffix=core.windows.net"
        ),
        f"jdbc:postgresql://db.example.com/app?user=svc&password={value}",
        f"host=db.example.com user=svc password={value} dbname=app",
    )
    text = rng.choice(forms)
    for mark in ("SharedAccessKey=", "AccountKey="):
        if mark in text:
            return text, text.partition(mark)[2].partition(";")[0]
    return text, value


def _sas(rng: random.Random) -> tuple[str, str]:
    value = some(rng, ALNUM, 42)
    url = f"https://acme.blob.core.windows.net/data/a.csv?sv=2024-05-04&se=2026-12-01T00%3A00%3A00Z&sp=r&sig={value}%3D"
    return f"azcopy copy '{url}' .", value


def _presigned(rng: random.Random) -> tuple[str, str]:
    value = some(rng, HEX, 64)
    return (
        f"https://acme.s3.amazonaws.com/a.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600&X-Amz-Signature={value}",
        value,
    )


def _flag(rng: random.Random) -> tuple[str, str]:
    value = some(rng, ALNUM, 16)
    forms = (
        f"mysql -u root -p{value} app < dump.sql",
        f"mysqldump --user=svc --password={value} app",
        f"redis-cli -h cache -a {value} ping",
        f"sshpass -p '{value}' ssh deploy@host.example",
        f"curl -u deploy:{value} https://repo.example.com/up",
        f"mongosh --host db -u svc -p {value}",
        f"docker login -u acme -p {value} registry.example.com",
        f"ldapsearch -x -D cn=svc -w {value} -b dc=x",
    )
    return rng.choice(forms), value


def _kube(rng: random.Random) -> tuple[str, str]:
    value = base64.b64encode(some(rng, ALNUM, 24).encode()).decode()
    return f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: {value}\n", value


def _otp(rng: random.Random) -> tuple[str, str]:
    value = some(rng, UPPER + "234567", 32)
    return f"otpauth://totp/Acme:bob@example.com?secret={value}&issuer=Acme", value


def _putty(rng: random.Random) -> tuple[str, str]:
    body = "\n".join(some(rng, B64, 64) for _ in range(4))
    return (
        (
            f"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 4\n{body}\nPriv"
            f"ate-MAC: {some(rng, HEX, 64)}"
        ),
        body,
    )


def _kubeconfig(rng: random.Random) -> tuple[str, str]:
    value = some(rng, B64, 400)
    return f"users:\n- name: admin\n  user:\n    client-key-data: {value}\n", value


WHOLE: tuple[tuple[str, Callable[[random.Random], tuple[str, str]]], ...] = (
    ("pem-rsa", _pem("RSA PRIVATE KEY", 12)),
    ("pem-pkcs8", _pem("PRIVATE KEY", 12)),
    ("pem-ec", _pem("EC PRIVATE KEY", 3)),
    ("pem-openssh", _pem("OPENSSH PRIVATE KEY", 6)),
    ("pem-encrypted", _pem("ENCRYPTED PRIVATE KEY", 12)),
    ("pgp-private", _pem("PGP PRIVATE KEY BLOCK", 14)),
    ("url-password", _url),
    ("basic", _basic),
    ("bearer", _bearer),
    ("cookie", _cookie),
    ("netrc", _netrc),
    ("docker-auth", _docker_auth),
    ("pgpass", _pgpass),
    ("connection", _connection),
    ("azure-sas", _sas),
    ("presigned", _presigned),
    ("flag", _flag),
    ("kube-secret", _kube),
    ("otpauth", _otp),
    ("putty", _putty),
    ("kubeconfig", _kubeconfig),
)
"""Sorts of secrets that are known by where they stand; each gives its text and the part that must not
stay."""


def placed(rng: random.Random, family: Family, at: int) -> tuple[str, str]:
    """A secret of ``family`` in the place number ``at``, and the secret itself."""
    value = family.made(rng)
    name = rng.choice(family.names)
    places = NAMED + ALONE if family.alone else NAMED
    return _filled(rng, places[at % len(places)], name, value), value
