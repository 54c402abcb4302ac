"""Secrets as their makers publish their form, made up at random: nothing here was ever in force.

Written from the public rule families of secret scanners (gitleaks, trufflehog, detect-secrets, vendors' pages
on the form of their keys), without a look at honed's own tables.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
HEX = "0123456789abcdef"
ALNUM = LOWER + UPPER + DIGITS
URL64 = ALNUM + "-_"
B64 = ALNUM + "+/"


@dataclass(frozen=True, slots=True)
class Family:
    """One sort of secret: how it is ``made``, and the ``names`` under which people keep it.

    ``alone`` says that its form betrays it, so that it counts in a sentence too; else it needs its name.
    """

    name: str
    made: Callable[[random.Random], str]
    names: tuple[str, ...]
    alone: bool = True


def some(rng: random.Random, letters: str, number: int) -> str:
    """So many random letters."""
    return "".join(rng.choice(letters) for _ in range(number))


def _uuid(rng: random.Random) -> str:
    return "-".join(some(rng, HEX, n) for n in (8, 4, 4, 4, 12))


def _jwt(rng: random.Random) -> str:
    def part(value: Mapping[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head = {"alg": rng.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"}
    body = {"sub": some(rng, DIGITS, 9), "iat": rng.randrange(1_600_000_000, 1_900_000_000), "scope": "read"}
    return f"{part(head)}.{part(body)}.{some(rng, URL64, rng.choice([43, 86, 342]))}"


def _password(rng: random.Random) -> str:
    words = ["Winter", "coffee", "Tiger", "blue", "Harbor", "maple", "Rocket", "stone", "Velvet", "north"]
    ways: list[Callable[[], str]] = [
        lambda: rng.choice(words) + rng.choice(words) + some(rng, DIGITS, 3) + rng.choice("!$%&*"),
        lambda: some(rng, ALNUM, 12) + rng.choice("!#%*") + some(rng, ALNUM, 4),
        lambda: some(rng, ALNUM, 20),
        lambda: f"{rng.choice(words)}-{rng.choice(words)}-{some(rng, DIGITS, 4)}",
        lambda: "".join(rng.choice("aA1!b2B?cC3") for _ in range(14)),
    ]
    return rng.choice(ways)()


def _mixed(number: int, letters: str = ALNUM) -> Callable[[random.Random], str]:
    return lambda rng: some(rng, letters, number)


def _form(prefix: str, letters: str, number: int, suffix: str = "") -> Callable[[random.Random], str]:
    return lambda rng: prefix + some(rng, letters, number) + suffix


def _one(*ways: Callable[[random.Random], str]) -> Callable[[random.Random], str]:
    return lambda rng: rng.choice(ways)(rng)


def _slack(rng: random.Random) -> str:
    kind = rng.choice(["xoxb", "xoxp", "xoxa-2", "xoxr"])
    return f"{kind}-{some(rng, DIGITS, 12)}-{some(rng, DIGITS, 12)}-{some(rng, ALNUM, 24)}"


def _discord(rng: random.Random) -> str:
    # The first part is the bot's number in base64.
    number = base64.b64encode((rng.choice("123456789") + some(rng, DIGITS, 17)).encode()).decode().rstrip("=")
    return f"{number}.{some(rng, URL64, 6)}.{some(rng, URL64, 27)}"


FAMILIES: tuple[Family, ...] = (
    Family(
        "aws-key-id",
        _one(_form("AKIA", UPPER + "234567", 16), _form("ASIA", UPPER + "234567", 16)),
        ("AWS_ACCESS_KEY_ID", "accessKeyId"),
    ),
    Family(
        "aws-secret",
        _mixed(40, B64),
        ("AWS_SECRET_ACCESS_KEY", "aws_secret_access_key", "secretAccessKey"),
        False,
    ),
    Family(
        "aws-session",
        lambda rng: "IQoJb3JpZ2luX2Vj" + some(rng, B64, 300),
        ("AWS_SESSION_TOKEN", "aws_session_token"),
        False,
    ),
    Family("github-pat", _form("ghp_", ALNUM, 36), ("GITHUB_TOKEN", "GH_TOKEN")),
    Family(
        "github-fine",
        lambda rng: f"github_pat_{some(rng, ALNUM, 22)}_{some(rng, ALNUM, 59)}",
        ("GITHUB_TOKEN", "GH_PAT"),
    ),
    Family(
        "github-other",
        _one(*(_form(p, ALNUM, 36) for p in ("gho_", "ghu_", "ghs_", "ghr_"))),
        ("GITHUB_TOKEN", "token"),
    ),
    Family(
        "gitlab",
        _one(
            _form("glpat-", URL64, 20),
            _form("glrt-", URL64, 20),
            _form("gldt-", URL64, 20),
            _form("glptt-", HEX, 40),
        ),
        ("GITLAB_TOKEN", "CI_JOB_TOKEN"),
    ),
    Family("slack-token", _slack, ("SLACK_BOT_TOKEN", "slack_token")),
    Family(
        "slack-app",
        lambda rng: f"xapp-1-A{some(rng, UPPER + DIGITS, 10)}-{some(rng, DIGITS, 13)}-{some(rng, HEX, 64)}",
        ("SLACK_APP_TOKEN",),
    ),
    Family(
        "slack-hook",
        lambda rng: (
            f"https://hooks.slack.com/services/T{some(rng, UPPER + DIGITS, 10)}/B"
            f"{some(rng, UPPER + DIGITS, 10)}/{some(rng, ALNUM, 24)}"
        ),
        ("SLACK_WEBHOOK_URL",),
    ),
    Family(
        "stripe",
        _one(
            *(_form(p, ALNUM, 24) for p in ("sk_live_", "rk_live_", "sk_test_")), _form("sk_live_", ALNUM, 99)
        ),
        ("STRIPE_SECRET_KEY", "stripe_key"),
    ),
    Family("stripe-hook", _form("whsec_", ALNUM, 32), ("STRIPE_WEBHOOK_SECRET",)),
    Family("google-api", _form("AIza", URL64, 35), ("GOOGLE_API_KEY", "GEMINI_API_KEY", "apiKey")),
    Family("google-oauth", _form("GOCSPX-", URL64, 28), ("GOOGLE_CLIENT_SECRET", "client_secret")),
    Family(
        "google-access", lambda rng: "ya29.a0" + some(rng, URL64, 120), ("access_token", "GOOGLE_OAUTH_TOKEN")
    ),
    Family(
        "openai",
        _one(
            lambda r: f"sk-{some(r, ALNUM, 20)}T3BlbkFJ{some(r, ALNUM, 20)}",
            lambda r: f"sk-proj-{some(r, URL64, 74)}T3BlbkFJ{some(r, URL64, 74)}",
            _form("sk-proj-", ALNUM, 48),
            _form("sk-svcacct-", ALNUM, 60),
        ),
        ("OPENAI_API_KEY", "api_key"),
    ),
    Family(
        "anthropic",
        _one(
            _form("sk-ant-api03-", URL64, 93, "AA"),
            _form("sk-ant-admin01-", URL64, 93, "AA"),
            _form("sk-ant-oat01-", URL64, 93, "AA"),
        ),
        ("ANTHROPIC_API_KEY", "x-api-key"),
    ),
    Family("huggingface", _form("hf_", LOWER + UPPER, 34), ("HF_TOKEN", "HUGGINGFACE_HUB_TOKEN")),
    Family("npm", _form("npm_", ALNUM, 36), ("NPM_TOKEN", "//registry.npmjs.org/:_authToken")),
    Family("npm-legacy", _uuid, ("//registry.npmjs.org/:_authToken", "_authToken"), False),
    Family("pypi", _form("pypi-AgEIcHlwaS5vcmc", URL64, 150), ("PYPI_TOKEN", "TWINE_PASSWORD")),
    Family("rubygems", _form("rubygems_", HEX, 48), ("GEM_HOST_API_KEY",)),
    Family(
        "docker",
        _one(_form("dckr_pat_", URL64, 27), _form("dckr_oat_", URL64, 32)),
        ("DOCKER_PASSWORD", "DOCKERHUB_TOKEN"),
    ),
    Family("twilio", _form("SK", HEX, 32), ("TWILIO_API_KEY",)),
    Family("twilio-auth", _mixed(32, HEX), ("TWILIO_AUTH_TOKEN", "auth_token"), False),
    Family(
        "sendgrid", lambda rng: f"SG.{some(rng, URL64, 22)}.{some(rng, URL64, 43)}", ("SENDGRID_API_KEY",)
    ),
    Family("mailgun", _form("key-", HEX, 32), ("MAILGUN_API_KEY",)),
    Family("mailchimp", lambda rng: f"{some(rng, HEX, 32)}-us{rng.randrange(1, 22)}", ("MAILCHIMP_API_KEY",)),
    Family(
        "telegram",
        lambda rng: f"{some(rng, '123456789', 1)}{some(rng, DIGITS, 9)}:AA{some(rng, URL64, 33)}",
        ("TELEGRAM_BOT_TOKEN",),
    ),
    Family("discord", _discord, ("DISCORD_TOKEN", "DISCORD_BOT_TOKEN")),
    Family(
        "discord-hook",
        lambda rng: f"https://discord.com/api/webhooks/{some(rng, DIGITS, 18)}/{some(rng, URL64, 68)}",
        ("DISCORD_WEBHOOK",),
    ),
    Family("heroku", lambda rng: f"HRKU-{_uuid(rng)}", ("HEROKU_API_KEY",)),
    Family("heroku-uuid", _uuid, ("HEROKU_API_KEY",), False),
    Family(
        "digitalocean",
        _one(*(_form(p, HEX, 64) for p in ("dop_v1_", "doo_v1_", "dor_v1_"))),
        ("DIGITALOCEAN_TOKEN", "DO_API_TOKEN"),
    ),
    Family(
        "shopify",
        _one(*(_form(p, HEX, 32) for p in ("shpat_", "shpss_", "shpca_", "shppa_"))),
        ("SHOPIFY_ACCESS_TOKEN",),
    ),
    Family(
        "square",
        _one(_form("sq0atp-", URL64, 22), _form("sq0csp-", URL64, 43), _form("EAAAE", URL64, 59)),
        ("SQUARE_ACCESS_TOKEN",),
    ),
    Family(
        "braintree",
        lambda rng: f"access_token$production${some(rng, LOWER + DIGITS, 16)}${some(rng, HEX, 32)}",
        ("BRAINTREE_TOKEN",),
    ),
    Family(
        "atlassian",
        lambda rng: f"ATATT3xFfGF0{some(rng, URL64, 171)}={some(rng, HEX.upper(), 8)}",
        ("JIRA_API_TOKEN", "ATLASSIAN_TOKEN"),
    ),
    Family("linear", _form("lin_api_", ALNUM, 40), ("LINEAR_API_KEY",)),
    Family(
        "notion",
        _one(_form("secret_", ALNUM, 43), lambda r: f"ntn_{some(r, DIGITS, 11)}{some(r, ALNUM, 35)}"),
        ("NOTION_TOKEN", "NOTION_API_KEY"),
    ),
    Family("figma", _form("figd_", URL64, 40), ("FIGMA_TOKEN",)),
    Family("databricks", _form("dapi", HEX, 32), ("DATABRICKS_TOKEN",)),
    Family(
        "vault",
        _one(_form("hvs.", URL64, 92), _form("hvb.", URL64, 140), _form("s.", ALNUM, 24)),
        ("VAULT_TOKEN",),
    ),
    Family(
        "terraform",
        lambda rng: f"{some(rng, ALNUM, 14)}.atlasv1.{some(rng, URL64, 67)}",
        ("TF_TOKEN_app_terraform_io", "TFE_TOKEN"),
    ),
    Family(
        "azure-storage", lambda rng: some(rng, B64, 86) + "==", ("AccountKey", "AZURE_STORAGE_KEY"), False
    ),
    Family(
        "azure-client",
        lambda rng: f"{some(rng, ALNUM, 3)}8Q~{some(rng, URL64, 34)}",
        ("AZURE_CLIENT_SECRET",),
    ),
    Family("azure-devops", _mixed(52, LOWER + DIGITS), ("AZURE_DEVOPS_EXT_PAT", "SYSTEM_ACCESSTOKEN"), False),
    Family("jwt", _jwt, ("ID_TOKEN", "access_token", "SUPABASE_SERVICE_ROLE_KEY")),
    Family("age", _form("AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58), ("SOPS_AGE_KEY",)),
    Family(
        "grafana",
        _one(lambda r: f"glsa_{some(r, ALNUM, 32)}_{some(r, HEX, 8)}", _form("glc_", ALNUM, 60)),
        ("GRAFANA_TOKEN",),
    ),
    Family("newrelic", _form("NRAK-", UPPER + DIGITS, 27), ("NEW_RELIC_API_KEY",)),
    Family("datadog", _mixed(32, HEX), ("DD_API_KEY", "DATADOG_API_KEY"), False),
    Family(
        "sentry",
        lambda rng: f"sntrys_eyJ{some(rng, ALNUM, 120)}_{some(rng, URL64, 43)}",
        ("SENTRY_AUTH_TOKEN",),
    ),
    Family(
        "posthog", _one(_form("phx_", ALNUM, 43), _form("phs_", ALNUM, 43)), ("POSTHOG_PERSONAL_API_KEY",)
    ),
    Family("cloudflare", _mixed(40, URL64), ("CLOUDFLARE_API_TOKEN", "CF_API_TOKEN"), False),
    Family("netlify", _form("nfp_", ALNUM, 40), ("NETLIFY_AUTH_TOKEN",)),
    Family("doppler", _form("dp.pt.", ALNUM, 43), ("DOPPLER_TOKEN",)),
    Family("pulumi", _form("pul-", HEX, 40), ("PULUMI_ACCESS_TOKEN",)),
    Family("supabase", _form("sbp_", HEX, 40), ("SUPABASE_ACCESS_TOKEN",)),
    Family(
        "planetscale",
        _one(_form("pscale_tkn_", URL64, 43), _form("pscale_pw_", URL64, 43)),
        ("PLANETSCALE_SERVICE_TOKEN",),
    ),
    Family("airtable", lambda rng: f"pat{some(rng, ALNUM, 14)}.{some(rng, HEX, 64)}", ("AIRTABLE_API_KEY",)),
    Family("postman", lambda rng: f"PMAK-{some(rng, HEX, 24)}-{some(rng, HEX, 34)}", ("POSTMAN_API_KEY",)),
    Family("circleci", lambda rng: f"CCIPAT_{some(rng, ALNUM, 22)}_{some(rng, HEX, 40)}", ("CIRCLE_TOKEN",)),
    Family("buildkite", _form("bkua_", HEX, 40), ("BUILDKITE_API_TOKEN",)),
    Family("jfrog", _form("AKCp", ALNUM, 69), ("JFROG_API_KEY", "ARTIFACTORY_API_KEY")),
    Family("sonar", _one(_form("sqp_", HEX, 40), _form("squ_", HEX, 40)), ("SONAR_TOKEN",)),
    Family("replicate", _form("r8_", ALNUM, 37), ("REPLICATE_API_TOKEN",)),
    Family("groq", _form("gsk_", ALNUM, 52), ("GROQ_API_KEY",)),
    Family("xai", _form("xai-", ALNUM, 80), ("XAI_API_KEY",)),
    Family("perplexity", _form("pplx-", ALNUM, 48), ("PERPLEXITY_API_KEY",)),
    Family("openrouter", _form("sk-or-v1-", HEX, 64), ("OPENROUTER_API_KEY",)),
    Family(
        "langsmith", lambda rng: f"lsv2_pt_{some(rng, HEX, 32)}_{some(rng, HEX, 10)}", ("LANGSMITH_API_KEY",)
    ),
    Family(
        "tailscale",
        lambda rng: f"tskey-auth-{some(rng, ALNUM, 12)}CNTRL-{some(rng, ALNUM, 32)}",
        ("TS_AUTHKEY",),
    ),
    Family("nuget", _form("oy2", LOWER + DIGITS, 43), ("NUGET_API_KEY",)),
    Family("plaid", lambda rng: f"access-production-{_uuid(rng)}", ("PLAID_ACCESS_TOKEN",)),
    Family("brevo", lambda rng: f"xkeysib-{some(rng, HEX, 64)}-{some(rng, ALNUM, 16)}", ("BREVO_API_KEY",)),
    Family(
        "firebase",
        lambda rng: f"AAAA{some(rng, URL64, 7)}:APA91b{some(rng, URL64, 134)}",
        ("FCM_SERVER_KEY",),
    ),
    Family("totp", _mixed(32, UPPER + "234567"), ("TOTP_SECRET", "MFA_SECRET"), False),
    Family("rails", _mixed(32, HEX), ("RAILS_MASTER_KEY", "SECRET_KEY_BASE"), False),
    Family(
        "django",
        lambda rng: some(rng, LOWER + DIGITS + "!@#$%^&*(-_=+)", 50),
        ("DJANGO_SECRET_KEY", "SECRET_KEY"),
        False,
    ),
    Family(
        "password",
        _password,
        ("DB_PASSWORD", "password", "MYSQL_ROOT_PASSWORD", "PGPASSWORD", "smtp_password", "adminPassword"),
        False,
    ),
    Family(
        "generic-key",
        _mixed(32, ALNUM),
        ("API_KEY", "apiKey", "client_secret", "ENCRYPTION_KEY", "JWT_SECRET", "signing_secret", "X-Api-Key"),
        False,
    ),
    Family(
        "generic-hex",
        _mixed(64, HEX),
        ("SESSION_SECRET", "secret_key", "WEBHOOK_SECRET", "HMAC_KEY", "private_key"),
        False,
    ),
)
"""The sorts of secrets that are one word."""
