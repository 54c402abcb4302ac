"""Secrets and look-alikes for the redaction tests, generated: no literal here is a credential.

Each family is a shape (a tiny pattern language below) with the contexts in which people really
leave such a thing.  ``positives`` and ``LOOKALIKES`` are deterministic.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Iterator

ALNUM = string.ascii_letters + string.digits
SETS = {
    "A": ALNUM,
    "W": ALNUM + "-_",
    "H": "0123456789abcdef",
    "U": string.ascii_uppercase + string.digits,
    "L": string.ascii_lowercase + string.digits,
    "D": string.digits,
    "B": ALNUM + "+/",
}


def token(shape: str, rng: random.Random) -> str:
    """``shape`` with each ``{X:n}`` replaced by n characters of set X; the rest is literal."""
    out, rest = "", shape
    while "{" in rest:
        literal, _, rest = rest.partition("{")
        field, _, rest = rest.partition("}")
        name, _, count = field.partition(":")
        body = "".join(rng.choice(SETS[name]) for _ in range(int(count)))
        # Real tokens of these lengths have a digit and both cases; short samples may miss one.
        if name in "AWB" and len(body) > 8:
            body = body[:3] + "7" + body[4:6] + "qK" + body[8:]
        if name in "LH" and len(body) > 8:
            body = body[:3] + "7b2" + body[6:]
        out += literal + body
    return out + rest


# family, shape
TOKENS = [
    ("aws access key", "AKIA{U:16}"),
    ("aws session key", "ASIA{U:16}"),
    ("github classic", "ghp_{A:36}"),
    ("github oauth", "gho_{A:36}"),
    ("github app", "ghs_{A:36}"),
    ("github fine-grained", "github_pat_{A:22}_{A:59}"),
    ("gitlab", "glpat-{W:20}"),
    ("gitlab runner", "glrt-{W:20}"),
    ("slack bot", "xoxb-{D:12}-{D:12}-{A:24}"),
    ("slack user", "xoxp-{D:12}-{D:12}-{D:12}-{H:32}"),
    ("slack app", "xapp-1-{U:11}-{D:13}-{H:64}"),
    ("stripe live", "sk_live_{A:24}"),
    ("stripe restricted", "rk_live_{A:24}"),
    ("stripe test", "sk_test_{A:24}"),
    ("webhook signing", "whsec_{A:32}"),
    ("npm", "npm_{A:36}"),
    ("pypi", "pypi-AgEIcHlwaS5vcmc{W:80}"),
    ("hugging face", "hf_{A:34}"),
    ("openai", "sk-{A:48}"),
    ("openai project", "sk-proj-{W:48}"),
    ("anthropic", "sk-ant-api03-{W:93}AA"),
    ("openrouter", "sk-or-v1-{H:64}"),
    ("groq", "gsk_{A:52}"),
    ("replicate", "r8_{A:37}"),
    ("google api", "AIza{W:35}"),
    ("google oauth token", "ya29.{W:60}"),
    ("google client secret", "GOCSPX-{W:28}"),
    ("azure client secret", "{A:3}8Q~{W:34}"),
    ("telegram bot", "{D:10}:AA{W:33}"),
    ("discord bot", "MTA{A:21}.G{A:5}.{W:38}"),
    ("sendgrid", "SG.{W:22}.{W:43}"),
    ("twilio api key", "SK{H:32}"),
    ("mailgun", "key-{H:32}"),
    ("mailchimp", "{H:32}-us12"),
    ("digitalocean", "dop_v1_{H:64}"),
    ("new relic", "NRAK-{U:27}"),
    ("vault service", "hvs.{W:90}"),
    ("terraform cloud", "{A:14}.atlasv1.{W:67}"),
    ("databricks", "dapi{H:32}"),
    ("shopify", "shpat_{H:32}"),
    ("square", "sq0atp-{W:22}"),
    ("linear", "lin_api_{A:40}"),
    ("notion", "ntn_{A:46}"),
    ("notion old", "secret_{A:43}"),
    ("atlassian", "ATATT3xFfGF0{W:180}"),
    ("doppler", "dp.pt.{A:43}"),
    ("age", "AGE-SECRET-KEY-1{U:58}"),
    ("docker hub", "dckr_pat_{W:27}"),
    ("postman", "PMAK-{H:24}-{H:34}"),
    ("grafana", "glsa_{A:32}_{H:8}"),
    ("sentry", "sntrys_{A:60}"),
    ("planetscale", "pscale_tkn_{W:43}"),
    ("supabase", "sbp_{H:40}"),
    ("netlify", "nfp_{A:36}"),
    ("pulumi", "pul-{H:40}"),
    ("rubygems", "rubygems_{H:48}"),
    ("figma", "figd_{W:40}"),
    ("hubspot", "pat-na1-{H:8}-{H:4}-{H:4}-{H:4}-{H:12}"),
    ("airtable", "pat{A:14}.{H:64}"),
    ("dynatrace", "dt0c01.{U:24}.{U:64}"),
    ("buildkite", "bkua_{H:40}"),
    ("brevo", "xkeysib-{H:64}-{A:16}"),
    ("tailscale", "tskey-auth-{A:12}CNTRL-{A:32}"),
    ("alibaba", "LTAI{A:20}"),
    ("langsmith", "lsv2_pt_{H:32}_{H:10}"),
    ("pinecone", "pcsk_{A:50}"),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJ{A:40}.{W:43}"),
]
TOKEN_CONTEXTS = [
    "export SERVICE_TOKEN={}",
    "SERVICE_KEY={}",
    '{{"id": 7, "value": "{}"}}',
    "value: {}",
    "use `{}` for the sandbox, then rotate it",
    "2026-05-04 10:00:00 DEBUG auth: sending {} to upstream",
    "curl -H 'Authorization: Bearer {}' https://api.example/v1/items",
    "client = Client('{}')",
    "git clone https://oauth2:{}@git.example/acme/shop.git",
    "the log says {}, which should not be there.",
    "+    token: {}",
    "--token={} --verbose",
    "line one\\nfound {}\\nline three",
]

# Values without a shape of their own: the name says what they are.
NAMED_VALUES = {
    "aws secret": "{B:40}",
    "hex 32": "{H:32}",
    "hex 40": "{H:40}",
    "uuid": "{H:8}-{H:4}-{H:4}-{H:4}-{H:12}",
    "base64 44": "{B:43}=",
    "alnum 24": "{A:24}",
    "alnum 16": "{A:16}",
}
NAMED_CONTEXTS = [
    "AWS_SECRET_ACCESS_KEY={}",
    "aws_secret_access_key = {}",
    "DD_API_KEY={}",
    'DATADOG_APP_KEY: "{}"',
    "HEROKU_API_KEY={}",
    "CLOUDFLARE_API_TOKEN={}",
    '"client_secret": "{}",',
    '{{"clientSecret":"{}"}}',
    "const apiKey = '{}';",
    'api_key: str = "{}"',
    "TWILIO_AUTH_TOKEN={}",
    "//registry.npmjs.example/:_authToken={}",
    "SECRET_KEY_BASE={}",
    "  secret_key: {}",
    "config.accessToken = `{}`",
    'os.environ["SESSION_SECRET"] = "{}"',
    "--api-key {} --region eu",
    "--client-secret={}",
    "GET /v1/items?access_token={}&page=2",
    "X-Api-Key: {}",
    "AccountKey={};EndpointSuffix=core.example",
    "private_key = '{}'",
    "- name: JWT_SECRET\n  value: {}",
    '{{"name": "API_TOKEN", "value": "{}"}}',
    '<add key="ApiSecret" value="{}" />',
    "ENV NPM_TOKEN {}",
    "spring.security.client-secret={}",
    "define('AUTH_KEY', '{}');",
    '\\"apiKey\\": \\"{}\\"',
    "the api key is {}",
    "encryption_key => '{}'",
    'apiToken := "{}"',
]
PASSWORDS = [
    "hunter2",
    "S3cret!Pass",
    "p@ssw0rd99",
    "Tr0ub4dor&3",
    "winter-2024-Snow",
    "zxcv1234",
    "kJ8#mQ2$vL",
]
PASSWORD_CONTEXTS = [
    "password={}",
    "DB_PASSWORD={}",
    "password: {}",
    '"password": "{}",',
    "PGPASSWORD={} psql -h db.example -U app",
    "postgres://admin:{}@10.0.0.5:5432/prod",
    "redis://:{}@cache.internal:6379/0",
    "mongodb+srv://app:{}@cluster0.example/test?retryWrites=true",
    "--password {} --host db",
    "--password='{}'",
    "the password is {}",
    "user: admin, pwd: {}",
    "my passwort lautet {}",
    "contraseña: {}",
    "пароль: {}",
    "密码：{}",
    "パスワード: {}",
    "mot de passe : mdp={}",
    "senha = '{}'",
    "Server=db;User Id=sa;Password={};Database=shop",
    "jdbc:postgresql://db.example/shop?user=app&password={}",
    "<password>{}</password>",
    "curl -u admin:{} https://api.example/",
    "machine api.example login bob password {}",
    "sshpass -p {} ssh root@host.example",
    "mysql -u root -p{} shop",
    "docker login -u bob -p {} registry.example",
    "redis-cli -a {} ping",
    "ALTER USER app WITH PASSWORD '{}';",
    "CREATE USER app IDENTIFIED BY '{}';",
    'client.setPassword("{}")',
    "  - POSTGRES_PASSWORD={}",
    "$env:DB_PASS = '{}'",
    "ansible_become_pass: {}",
    "kubectl create secret generic db --from-literal=password={}",
    'password = "{}"  # staging',
    "openssl pkcs12 -in a.p12 -passin pass:{}",
    "wget --password={} https://files.example/a",
    "if password == '{}':",
    "echo {} | docker login --username bob --password-stdin",
]


def pem(rng: random.Random, what: str = "RSA PRIVATE KEY", joint: str = "\n", end: bool = True) -> str:
    """A private key block; ``end`` False leaves its last line out, as a clipped output does."""
    lines = [token("{B:64}", rng) for _ in range(4)]
    block = [f"-----BEGIN {what}-----", *lines] + ([f"-----END {what}-----"] if end else [])
    return joint.join(block)


def positives(seed: int = 1) -> Iterator[tuple[str, str, str]]:
    """(family, text, the secret in it) of every family in several contexts."""
    rng = random.Random(seed)
    for family, shape in TOKENS:
        for context in rng.sample(TOKEN_CONTEXTS, 6):
            secret = token(shape, rng)
            yield family, context.format(secret), secret
    for context in NAMED_CONTEXTS:
        for family in rng.sample(sorted(NAMED_VALUES), 4):
            secret = token(NAMED_VALUES[family], rng)
            yield f"{family} by name", context.format(secret), secret
    for context in PASSWORD_CONTEXTS:
        for password in rng.sample(PASSWORDS, 3):
            if ("&" in password and "&" in context) or ("@" in password and "://" in context):
                continue
            yield "password", context.format(password), password
    for what in ("RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"):
        for joint in ("\n", "\\n"):
            for end in (True, False):
                block = pem(rng, what, joint, end)
                yield "pem", f'key: "{block}"', block.split(joint)[2]
    credential = base64.b64encode(b"bob:" + token("{A:12}", rng).encode()).decode()
    yield "basic header", f"Authorization: Basic {credential}", credential
    yield "docker config", f'{{"auths": {{"r.example": {{"auth": "{credential}"}}}}}}', credential
    for cookie in ("session", "sid", "__Host-auth", "connect.sid"):
        secret = token("{A:32}", rng)
        yield "cookie", f"Cookie: theme=dark; {cookie}={secret}; lang=en", secret
        yield "set-cookie", f"< Set-Cookie: {cookie}={secret}; Path=/; HttpOnly", secret
    for url in (
        "https://hooks.slack.com/services/T{U:8}/B{U:8}/{A:24}",
        "https://discord.com/api/webhooks/{D:18}/{W:68}",
        "https://acme.webhook.office.com/webhookb2/{H:8}-{H:4}@{H:8}/IncomingWebhook/{H:32}/{H:8}",
        "https://hooks.zapier.com/hooks/catch/{D:7}/{L:7}",
    ):
        link = token(url, rng)
        yield "webhook", f"SLACK={link}", link.rsplit("/", 1)[1]
    yield "sentry dsn", "dsn: https://" + (dsn := token("{H:32}", rng)) + "@o1.ingest.sentry.example/42", dsn
    sas = token("{A:40}%2B{A:4}%3D", rng)
    yield "sas", f"https://acct.blob.example/c?sv=2023-01-01&se=2026-01-01&sig={sas}&sp=r", sas
    phrase = "ripple anchor velvet summer orbit dinner fossil guitar hollow island jacket kernel"
    yield "recovery phrase", f"mnemonic: {phrase}", phrase


_HEX = random.Random(9)
_DIGEST = "".join(_HEX.choice("0123456789abcdef") for _ in range(64))
_B64 = base64.b64encode(bytes(_HEX.randrange(256) for _ in range(64))).decode()
_UUID = f"{_DIGEST[:8]}-{_DIGEST[8:12]}-4{_DIGEST[13:16]}-a{_DIGEST[17:20]}-{_DIGEST[20:32]}"

LOOKALIKES = [
    f"Merged as {_DIGEST[:8]} (full id {_DIGEST[:40]}).",
    f"content_hash: sha256:{_DIGEST}",
    f"session {_UUID} ran from 09:05:31 to 09:44:02",
    f"image: registry.example/app@sha256:{_DIGEST}",
    f'"integrity": "sha512-{_B64}",',
    f'resolved "https://registry.example/left-pad/-/left-pad-1.3.0.tgz#{_DIGEST[:40]}"',
    f"commit {_DIGEST[:40]}",
    f"index {_DIGEST[:7]}..{_DIGEST[7:14]} 100644",
    f'etag: W/"{_DIGEST[:32]}"',
    f"data:image/png;base64,iVBORw0KGgo{_B64}",
    f"go.sum: example.org/mod v1.2.3 h1:{_B64[:43]}=",
    f"trace_id={_DIGEST[:32]} span_id={_DIGEST[:16]}",
    f"request-id: {_UUID}",
    f"Idempotency-Key: {_UUID}",
    f"cache_key: build-{_DIGEST[:12]}-linux",
    f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{_B64[:43]} bob@laptop",
    f"-----BEGIN CERTIFICATE-----\n{_B64}\n-----END CERTIFICATE-----",
    f"-----BEGIN PUBLIC KEY-----\n{_B64}\n-----END PUBLIC KEY-----",
    f"fingerprint SHA256:{_B64[:43]}",
    f'public_key = "{_B64}"',
    f"ARG BUILD_SHA={_DIGEST[:40]}",
    f"Downloading https://files.example/packages/{_DIGEST[:2]}/{_DIGEST[2:4]}/{_DIGEST[4:60]}/demo"
    f"-1.0-py3-none-any.whl",
    f"nonce: {_DIGEST[:24]}",
    f"docker run -d --name web {_DIGEST[:12]}",
    f"seed=0x{_DIGEST[:16].upper()}",
    f"/nix/store/{_DIGEST[:32]}-python3-3.11.9/bin/python3",
    *"""\
use a risk-based review and the task-runner; see disk-cache-invalidation-policy-v2
def hash_password(password: str) -> str: ...
run `pytest tests/test_token_refresh.py::test_password_reset_token_expires -q`
bench run 4 took 20260910T140203Z, p95 = 12.400 ms
password: string
password: str = Field(min_length=8)
password?: string;
password: z.string().min(8),
token: Optional[str] = None
token: string | null
password=os.environ["DB_PASSWORD"]
password = os.getenv("DB_PASSWORD")
const token = process.env.GITHUB_TOKEN;
apiKey: process.env.OPENAI_API_KEY!,
--token $TOKEN
--token "$GITHUB_TOKEN"
--password-file /run/secrets/db_password
token: ${{ secrets.GITHUB_TOKEN }}
GH_TOKEN: ${{ github.token }}
password: ${DB_PASSWORD}
password: {{ vault_db_password }}
password = var.db_password
password = data.aws_secretsmanager_secret_version.db.secret_string
password = random_password.db.result
password = user.password
self.password = password
this.token = token;
token = create_access_token(user.id)
token = jwt.encode(payload, key, algorithm="HS256")
secret = base64.b64decode(encoded)
const secret = await getSecret(name);
let password = prompt("Password: ");
password = getpass.getpass("Password: ")
password := r.FormValue("password")
if password != confirm_password:
if token is None:
return secret == other.secret
assert token.expires_at > now
"password": "Password must be at least 8 characters",
"password": "Passwort",
"password_hint": "At least 12 characters, one digit",
label: 'Password',
type="password" name="password" placeholder="Enter your password"
<input type="password" id="password">
<label for="token">Token</label>
password is required
the password must be changed every 90 days
password reset email was sent
Passwords are hashed with sha256 and a salt
password_hash = bcrypt.hashpw(raw, bcrypt.gensalt())
password_changed_at: 2024-05-04T10:00:00Z
token_type: bearer
token_url: https://auth.example/oauth/token
tokenUrl = "https://auth.example/oauth2/v2.0/token"
token_count=18234
max_tokens: 4096
max_tokens=8192, temperature=0.2
prompt tokens: 1523, completion tokens: 298
"input_tokens": 48213, "output_tokens": 1021
next_page_token: page2
pad_token = "<pad>"
eos_token_id=50256
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
tokens = text.split()
token: 12
Unexpected token '<', "<!DOCTYPE "... is not valid JSON
SyntaxError: Unexpected token } in JSON at position 142
error: expected one of `.`, `;`, found token `}`
secretName: db-credentials
secretKeyRef: {name: db, key: password}
secret: my-app-secret
name: registry-credentials
kubectl get secret db-credentials -o yaml
secretsmanager:GetSecretValue
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-a1b2c3
vault kv get secret/data/prod/db
api_key: required
API_KEY=your-api-key-here
API_KEY=<your key>
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ANTHROPIC_API_KEY=
password: ""
password: ********
password = "changeme"
password: null
password: true
PASS: TestLogin (0.02s)
PASS src/auth/login.test.ts
# pass 12
# fail 0
pass: 5, fail: 0
pass = passes + 1
--- PASS: TestTokenRefresh2 (0.00s)
auth: jwt
auth: oauth2
authentication: basic
authMethod: "token"
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
Authorization: see docs
"Authorization": `Bearer ${token}`
headers: { Authorization: "Bearer " + token }
basic authentication is enabled
Basic understanding of the module is required
the bearer of good news
Cookie: theme=dark; lang=en
set-cookie: locale=en; Path=/
cookie = SimpleCookie()
cookies: { secure: true, sameSite: "lax" }
key: value
key: "ctrl+shift+p"
primary_key=True
sort_key: created_at
foreign_key: users.id
partition_key = "tenant#42"
cacheKey: `user:${id}`
key={item.id}
keyboard: qwerty
monkeypatch.setenv("TOKEN", "")
monkeypatch.setattr(auth, "token", None)
keywords = ["auth", "token", "secret"]
for key, value in items:
ssh-keygen -t ed25519 -C "bob@laptop"
ssh -i ~/.ssh/id_ed25519 host.example
cat ~/.aws/credentials
credentials: include
credentials: 'same-origin'
withCredentials: true
fetch(url, {credentials: "same-origin"})
credential_source: environment
https://example.org:8080/path@v2
https://user@example.org/repo.git
git@github.com:acme/shop.git
ssh://git@github.com/acme/shop.git
git+https://github.com/acme/shop.git@v1.2.3
postgres://localhost:5432/test
postgres://user:password@localhost:5432/test
postgres://$USER:$PASSWORD@localhost/test
postgres://admin:***@10.0.0.5/prod
redis://localhost:6379/0
npm install @scope/pkg@1.2.3
pip install honed==0.1.0
npm_config_registry=https://registry.example
npm_package_version=1.2.3
npm_lifecycle_event=test
hf_hub_download(repo_id="bert-base-uncased")
hf_transfer_enabled
glob_pattern = "**/*.py"
sk-learn-compatible-estimators
sk_test_mode = True
pk_columns
key-value-store-abstraction-layer
api-gateway-integration-tests-runner-v2
pat-a-cake
sdk-release-notes-for-the-next-version
re_compile_patterns_once_per_process
sec_edgar_filings_downloader_v2_client
ls__output
rnd_seed = 42
fc-cache -fv
as-of-2024-01-01
ak-47
xai-explainability-methods-overview
secret_santa_assignment_generator_service
secret_manager_client
bot_permissions_check
SKIP: test_login
SKIPPED [1] tests/test_auth.py:33: needs network
MTU 1500
NDEBUG is defined
ODBC driver 17
AIzawa
EAAAA
eyJ
eyJust a word
A3-size paper
SG.com
shared-key-exchange-protocol
test_secret_rotation_2_keys
test_api_key_is_rejected[expired-2]
tests/auth/test_token.py::TestToken::test_secret_key_rotation PASSED
src/secrets/table.py
from secrets import token_hex
import { createSecretKey } from "node:crypto";
secrets.token_urlsafe(32)
Secrets Manager
GET /api/v1/tokens/42 200 12ms
POST /oauth/token HTTP/1.1
grant_type=refresh_token
response_type=token
client_id=web-app
scope=read:user
csrf_token: ok
passthrough: true
passenger_count = 3
compass: north
bypass: false
overpass-api
the passage of time
encompasses 12 modules
PWD=/home/bob/shop
OLDPWD=/home/bob
pwd: /work/main
cd "$(pwd)"
authority: issuer
author: Bob <bob@example.org>
authored-by: 2 people
authenticate(request)
signature: (a: int, b: str) -> bool
function signature changed
sig = inspect.signature(f)
?sig=v2
version: 1.2.3
python_requires = ">=3.11"
node: v22.11.0
ISO-8859-1
UTF-8
x86_64-unknown-linux-gnu
aarch64-apple-darwin
claude-opus-4-20250514
gpt-4o-mini-2024-07-18
anthropic/claude-3-5-sonnet-20241022
text-embedding-3-large
us-east-1
eu-central-1a
ami-0abcdef1234567890
i-0abcdef1234567890
vpc-0a1b2c3d4e5f67890
subnet-0a1b2c3d
s3://bucket/prefix/part-00001-of-00032.parquet
gs://bucket/models/v2
msg_01XFDUDYJgAACzvnptvVoYEL
toolu_01A09q90qw90lq917835lq9
req_011CSHoEeqs5C35K2UUqR7Fy
run_2f1b6d3e
proc_macro2 v1.0.86
serde_json = "1.0.128"
"@types/node": "^22.7.5"
error[E0308]: mismatched types
TS2345: Argument of type 'string' is not assignable
CVE-2024-12345
RFC 7519
PR #1234 fixes #1201
10.0.0.5:5432
fe80::1ff:fe23:4567:890a
00:1A:2B:3C:4D:5E
+1 555 0100
4111 1111
2026-05-04T10:00:00.123456Z
1714816800
0x7ffee4c0a9d8
#ff8800
rgba(12, 34, 56, 0.5)
M12.5 8.25L4 16.75
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
abcdefghijklmnopqrstuvwxyz
0123456789
lorem ipsum dolor sit amet
CamelCaseIdentifierWithManyHumps
snake_case_identifier_with_many_words_in_it
SCREAMING_SNAKE_CASE_CONSTANT_NAME
getUserAccessTokenForClientApplication
test_password_validation_rejects_short_passwords
TestPasswordResetTokenExpiresAfter24Hours
the api key is stored in the keychain
the token is invalid
the secret is in the vault
your password is safe with us
a token is four bytes of UTF-8
password to access the server
API keys are rotated by the platform team
set the token to expire after 15m
password: at least 8 characters
pwd | grep main
token => token.trim()
(token) => fetch(url)
token -> user mapping
token:user pairs
token, err := auth.Login(ctx)
secret, ok := os.LookupEnv("SECRET")
password, salt = split(line)
foo(password, token)
login(username, password)
print("token", token)
log.info("password", extra)
{"token": "string", "secret": "string"}
{"password": {"type": "string", "format": "password"}}
"secret": {"description": "client secret"}
password VARCHAR(255) NOT NULL
token TEXT UNIQUE
ALTER TABLE users ADD COLUMN password_digest text
CREATE USER app WITH PASSWORD :'pw';
WHERE token = $1
WHERE token = ?
SET password = %s
VALUES (@token, @secret)
password: *default_password
password: !vault |
password: !Ref DbPassword
password: op://vault/db/password
password: ENC[AES256_GCM,data:abc]
passwordRef: db-password
password_policy: strict
password-manager integration
apikey.go:12: undefined: Key
token.go:88:2: missing return
secret_test.go
tokens.py
README: set API_TOKEN before running
export TOKEN=$(gh auth token)
TOKEN=`cat token.txt`
read -s PASSWORD
unset AWS_SECRET_ACCESS_KEY
echo $PASSWORD
[redacted:password]
password=[redacted:password]
<private-ish>
private_key_path: ~/.ssh/id_rsa
private_key: /etc/ssl/private/server.pem
key_file = server.key
ssl_certificate_key /etc/nginx/server.key;
sshPrivateKeySecretRef
kty: RSA, alg: RS256
algorithm = "HS256"
hmac-sha256
aes-256-gcm
""".splitlines(),
]
