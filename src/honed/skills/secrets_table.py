"""What tokens look like: one row a family, read by ``secret_spans``.

Sources: each provider's public documentation of its token format, and the rule *families* that
public scanners agree on.  Lengths are lower bounds on purpose: a token clipped by a terminal is
still a secret.  Imports nothing: a hook may load it.
"""

# ---- Tokens with a prefix of their own -------------------------------------------------------
#
# One row a family: kind, prefixes (literal), body (regular expression that follows a prefix), and
# what the body must be beyond that:
#   "sure"   the prefix and the shape are enough
#   "mixed"  the body must look generated, because words and identifiers begin like this too
#   "strict" as "sure", and nothing of base64 may stand directly before the prefix
_A = "[A-Za-z0-9]"
_W = "[A-Za-z0-9_-]"
_H = "[0-9a-f]"
_X = "[0-9a-fA-F]"
_B = "[A-Za-z0-9+/_=-]"

FAMILIES = (
    ("aws-key-id", ("AKIA", "ASIA", "ABIA", "ACCA"), r"[A-Z0-9]{16}(?![A-Za-z0-9])", "sure"),
    ("aws-bedrock-key", ("ABSKQmVkcm9ja0FQSUtleS", "bedrock-api-key-"), rf"{_B}{{20,}}", "sure"),
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), rf"{_A}{{20,255}}", "sure"),
    ("github-token", ("github_pat_",), r"[A-Za-z0-9_]{22,255}", "sure"),
    (
        "gitlab-token",
        tuple(f"gl{what}-" for what in "pat dt rt rtr cbt ptt ft imt agent oas soat ffct wt".split()),
        r"[A-Za-z0-9_.-]{16,300}",
        "sure",
    ),
    ("gitlab-token", ("GR1348941",), rf"{_W}{{16,}}", "sure"),
    (
        "slack-token",
        ("xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxd-"),
        r"[A-Za-z0-9%./+=-]{10,}",
        "sure",
    ),
    ("slack-token", ("xapp-", "xwfp-"), rf"{_W}{{10,}}", "sure"),
    ("stripe-key", ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_"), rf"{_A}{{10,250}}", "mixed"),
    ("webhook-secret", ("whsec_",), r"[A-Za-z0-9+/=]{16,}", "mixed"),
    ("npm-token", ("npm_",), rf"{_A}{{30,}}", "mixed"),
    ("pypi-token", ("pypi-AgE", "pypi-"), rf"{_W}{{32,}}", "mixed"),
    ("huggingface-token", ("hf_", "api_org_"), rf"{_A}{{24,}}", "mixed"),
    ("anthropic-key", ("sk-ant-",), rf"{_W}{{10,}}", "mixed"),
    ("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"), rf"{_W}{{16,}}", "mixed"),
    ("openrouter-key", ("sk-or-v1-", "sk-or-"), rf"{_W}{{16,}}", "mixed"),
    ("api-key", ("sk-lf-", "pk-lf-", "sk-"), rf"{_W}{{16,}}", "mixed"),
    ("groq-key", ("gsk_",), rf"{_A}{{20,}}", "mixed"),
    ("xai-key", ("xai-",), rf"{_A}{{20,}}", "mixed"),
    ("perplexity-key", ("pplx-",), rf"{_A}{{20,}}", "mixed"),
    ("replicate-token", ("r8_",), rf"{_A}{{20,}}", "mixed"),
    ("google-api-key", ("AIza",), rf"{_W}{{30,}}", "sure"),
    ("google-oauth", ("ya29.",), r"[A-Za-z0-9_.-]{20,}", "sure"),
    ("google-oauth", ("GOCSPX-",), rf"{_W}{{20,}}", "sure"),
    ("google-oauth", ("1//",), rf"0{_W}{{24,}}", "sure"),
    ("sendgrid-key", ("SG.",), rf"{_W}{{16,}}\.{_W}{{16,}}", "sure"),
    ("twilio-key", ("SK",), rf"{_H}{{32}}(?![A-Za-z0-9])", "strict"),
    ("mailgun-key", ("key-",), rf"{_H}{{32}}(?![A-Za-z0-9])", "sure"),
    ("mailgun-key", ("pubkey-",), rf"{_H}{{32}}(?![A-Za-z0-9])", "sure"),
    ("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), rf"{_H}{{20,}}", "sure"),
    ("heroku-key", ("HRKU-",), rf"{_W}{{30,}}", "sure"),
    (
        "new-relic-key",
        ("NRAK-", "NRAA-", "NRII-", "NRIQ-", "NRRA-", "NRSP-", "NRBR-"),
        rf"{_W}{{16,}}",
        "sure",
    ),
    ("new-relic-key", ("NRJS-",), rf"{_H}{{19}}", "sure"),
    ("datadog-key", ("ddapp_", "ddpat_"), rf"{_A}{{20,}}", "mixed"),
    ("cloudflare-token", ("v1.",), rf"0-{_H}{{24}}-{_H}{{60,}}", "sure"),
    ("cloudflare-token", ("cfut_", "cfat_", "cfk_"), rf"{_W}{{30,}}", "mixed"),
    ("vault-token", ("hvs.", "hvb.", "hvr."), rf"{_W}{{20,}}", "sure"),
    ("databricks-token", ("dapi", "dkea"), rf"{_H}{{32}}(?:-[0-9])?(?![A-Za-z0-9])", "sure"),
    ("shopify-token", ("shpat_", "shpss_", "shpca_", "shppa_", "shptka_"), rf"{_X}{{24,}}", "sure"),
    ("square-token", ("sq0atp-", "sq0csp-", "sq0idp-", "sq0ats-"), rf"{_W}{{20,}}", "sure"),
    ("square-token", ("EAAA",), rf"{_W}{{56,}}", "strict"),
    ("facebook-token", ("EAACEdEose0cBA", "EAAB", "EAAC", "EAAM", "EAAG"), rf"{_A}{{80,}}", "strict"),
    ("linear-key", ("lin_api_", "lin_oauth_"), rf"{_A}{{20,}}", "sure"),
    ("notion-token", ("ntn_",), rf"{_A}{{30,}}", "mixed"),
    ("notion-token", ("secret_",), rf"{_A}{{40,50}}(?![A-Za-z0-9_])", "mixed"),
    ("atlassian-token", ("ATATT3", "ATCTT3", "ATBB", "ATSTT3"), r"[A-Za-z0-9_=-]{24,}", "strict"),
    (
        "doppler-token",
        ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.said."),
        r"[A-Za-z0-9_.-]{20,}",
        "mixed",
    ),
    ("age-key", ("AGE-SECRET-KEY-1", "AGE-PLUGIN-"), r"[A-Z0-9-]{30,}", "sure"),
    ("jwt", ("eyJ",), rf"{_W}{{8,}}\.{_W}{{8,}}(?:\.{_W}*)?(?:\.{_W}*){{0,2}}", "strict"),
    (
        "discord-token",
        ("MT", "Mj", "Mz", "MD", "ND", "NT", "Nj", "Nz", "OD", "OT", "NZ"),
        r"[A-Za-z0-9_-]{20,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{26,40}(?![\w.-])",
        "sure",
    ),
    ("sonar-token", ("sqp_", "squ_", "sqa_"), rf"{_H}{{40}}(?![A-Za-z0-9])", "sure"),
    ("posthog-key", ("phx_", "phs_", "pha_", "phr_"), rf"{_A}{{30,}}", "mixed"),
    ("amazon-token", ("amzn1.", "amzn.mws."), r"[A-Za-z0-9.-]{32,}", "mixed"),
    ("together-key", ("tgp_v1_",), rf"{_W}{{30,}}", "mixed"),
    ("cerebras-key", ("csk-",), rf"{_A}{{30,}}", "mixed"),
    ("defined-key", ("dnkey-",), rf"{_W}{{40,}}", "mixed"),
    ("docker-token", ("dckr_pat_", "dckr_oat_"), rf"{_W}{{20,}}", "sure"),
    ("postman-key", ("PMAK-",), rf"{_X}{{24}}-{_X}{{30,}}", "sure"),
    ("grafana-token", ("glsa_", "glc_"), r"[A-Za-z0-9+/=_]{24,}", "mixed"),
    ("grafana-token", ("eyJrIjoi",), r"[A-Za-z0-9+/=]{40,}", "strict"),
    ("sentry-token", ("sntrys_", "sntryu_", "sntrya_"), r"[A-Za-z0-9+/=_.-]{30,}", "sure"),
    (
        "planetscale-token",
        ("pscale_tkn_", "pscale_pw_", "pscale_oauth_", "pscale_app_secret_"),
        r"[A-Za-z0-9_.=-]{20,}",
        "sure",
    ),
    ("supabase-key", ("sbp_", "sb_secret_"), rf"{_W}{{20,}}", "mixed"),
    ("flyio-token", ("fo1_", "fm1r_", "fm1a_", "fm2_"), r"[A-Za-z0-9+/=_,-]{30,}", "mixed"),
    ("netlify-token", ("nfp_", "nfc_", "nfo_"), rf"{_A}{{30,}}", "mixed"),
    ("vercel-token", ("vcp_", "vci_", "vca_", "vcr_", "vck_"), rf"{_A}{{24,}}", "mixed"),
    ("vercel-token", ("vercel_blob_rw_",), r"[A-Za-z0-9_]{20,}", "mixed"),
    ("render-key", ("rnd_",), rf"{_A}{{24,}}", "mixed"),
    ("railway-token", ("rw_Fe26.",), r"[A-Za-z0-9*_.~-]{20,}", "sure"),
    ("pulumi-token", ("pul-",), rf"{_H}{{40}}", "sure"),
    ("rubygems-key", ("rubygems_",), rf"{_H}{{40,}}", "sure"),
    ("crates-token", ("cio",), rf"{_A}{{32}}(?![A-Za-z0-9])", "mixed"),
    ("nuget-key", ("oy2",), r"[a-z0-9]{43}(?![A-Za-z0-9])", "strict"),
    ("artifactory-key", ("AKCp", "cmVmd"), rf"{_A}{{50,}}", "strict"),
    ("clojars-token", ("CLOJARS_",), r"[a-z0-9]{60}", "sure"),
    ("figma-token", ("figd_", "figo_", "figu_", "figoh_", "figor_"), rf"{_W}{{30,}}", "sure"),
    (
        "hubspot-token",
        ("pat-na1-", "pat-eu1-", "pat-na2-", "pat-ap1-"),
        rf"{_X}{{8}}-{_X}{{4}}-{_X}{{4}}-{_X}{{4}}-{_X}{{12}}",
        "sure",
    ),
    ("airtable-token", ("pat",), rf"{_A}{{14}}\.{_H}{{64}}", "sure"),
    ("typeform-token", ("tfp_",), r"[A-Za-z0-9_.=-]{40,}", "mixed"),
    ("contentful-token", ("CFPAT-",), rf"{_W}{{40,}}", "sure"),
    (
        "dynatrace-token",
        ("dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."),
        r"[A-Za-z0-9]{8,}\.[A-Za-z0-9]{40,}",
        "sure",
    ),
    ("buildkite-token", ("bkua_", "bkaj_", "bkct_", "bkpt_"), rf"{_A}{{30,}}", "sure"),
    ("circleci-token", ("CCIPAT_", "CCIPRJ_"), rf"{_A}{{10,}}_{_H}{{30,}}", "sure"),
    (
        "launchdarkly-key",
        ("sdk-", "mob-", "api-"),
        rf"{_X}{{8}}-{_X}{{4}}-{_X}{{4}}-{_X}{{4}}-{_X}{{12}}",
        "sure",
    ),
    ("mapbox-token", ("sk.", "tk."), rf"eyJ{_W}{{20,}}\.{_W}{{16,}}", "sure"),
    ("brevo-key", ("xkeysib-", "xsmtpsib-"), rf"{_H}{{40,}}(?:-{_A}{{8,}})?", "sure"),
    (
        "plaid-token",
        ("access-sandbox-", "access-development-", "access-production-"),
        rf"{_X}{{8}}-{_X}{{4}}-{_X}{{4}}-{_X}{{4}}-{_X}{{12}}",
        "sure",
    ),
    ("dropbox-token", ("sl.u.", "sl."), rf"[A-Z]{_W}{{60,}}", "sure"),
    ("tailscale-key", ("tskey-",), rf"[a-z]{{0,12}}-?{_A}{{8,}}-{_A}{{16,}}", "sure"),
    ("1password-token", ("ops_eyJ",), r"[A-Za-z0-9+/=_-]{60,}", "sure"),
    (
        "1password-key",
        ("A3-",),
        r"[A-Z0-9]{6}-[A-Z0-9]{6,11}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?:-[A-Z0-9]{5})?",
        "sure",
    ),
    ("alibaba-key-id", ("LTAI",), rf"{_A}{{12,24}}(?![A-Za-z0-9])", "strict"),
    ("tencent-key-id", ("AKID",), rf"{_A}{{32}}(?![A-Za-z0-9])", "strict"),
    ("yandex-key", ("AQVN", "y0_Ag", "y0__"), r"[A-Za-z0-9_.=-]{30,}", "strict"),
    ("yandex-key", ("t1.",), r"9eu[A-Za-z0-9_.=-]{30,}", "sure"),
    ("langsmith-key", ("lsv2_pt_", "lsv2_sk_", "ls__"), r"[A-Za-z0-9_]{30,}", "mixed"),
    ("pinecone-key", ("pcsk_",), r"[A-Za-z0-9_]{40,}", "sure"),
    ("resend-key", ("re_",), rf"{_A}{{8}}_{_A}{{20,}}", "mixed"),
    ("neon-key", ("napi_",), r"[a-z0-9]{40,}", "sure"),
    ("browser-cloud-key", ("bb_live_", "bb_test_"), rf"{_W}{{20,}}", "mixed"),
    ("tavily-key", ("tvly-",), rf"{_W}{{20,}}", "mixed"),
    ("firecrawl-key", ("fc-",), rf"{_H}{{32}}(?![A-Za-z0-9])", "sure"),
    ("fireworks-key", ("fw_",), rf"{_A}{{22,}}", "mixed"),
    ("nvidia-key", ("nvapi-",), rf"{_W}{{40,}}", "sure"),
    ("deepgram-key", ("dg_",), rf"{_A}{{32,}}", "mixed"),
    ("e2b-key", ("e2b_",), rf"{_H}{{32,}}", "sure"),
    ("modal-key", ("ak-", "as-"), rf"{_A}{{22}}(?![A-Za-z0-9])", "mixed"),
    (
        "payment-key",
        ("rzp_live_", "rzp_test_", "duffel_live_", "duffel_test_", "shippo_live_", "shippo_test_"),
        rf"{_W}{{14,}}",
        "mixed",
    ),
    ("payment-key", ("FLWSECK-", "FLWSECK_TEST-", "EZAK", "EZTK"), r"[A-Za-z0-9-]{12,}", "strict"),
    (
        "paypal-token",
        ("access_token$production$", "access_token$sandbox$"),
        rf"{_A}{{10,}}\${_H}{{20,}}",
        "sure",
    ),
    ("adobe-secret", ("p8e-", "p8-"), rf"{_X}{{32}}", "sure"),
    ("service-token", ("sgp_",), rf"(?:[A-Za-z0-9]{{8,}}_)?{_H}{{40}}", "sure"),
    (
        "service-token",
        ("fio-u-", "rdme_", "pnu_", "aio_", "sm_aat_", "sm_pat_", "s-s4t2ud-", "u-s4t2ud-"),
        rf"{_W}{{20,}}",
        "mixed",
    ),
    (
        "service-token",
        ("tk-us-", "ico-", "API-", "sha256~", "ubi_", "nrm_", "waka_"),
        rf"{_W}{{24,}}",
        "mixed",
    ),
    ("service-token", ("sec_", "whsk_", "shsec_", "hcaik_"), rf"{_A}{{24,}}", "mixed"),
    ("snyk-token", ("snyk_uat.", "snyk_sat."), r"[A-Za-z0-9_.-]{30,}", "sure"),
    ("elastic-key", ("essu_", "essp_"), r"[A-Za-z0-9+/=_-]{30,}", "mixed"),
    ("unkey-key", ("unkey_",), rf"{_A}{{20,}}", "mixed"),
    ("prefect-key", ("pnu_", "pnb_"), rf"{_A}{{30,}}", "mixed"),
)

# ---- Tokens known by their whole shape -------------------------------------------------------
#
# kind, literal that must occur somewhere in the text (``secret_hints`` looks for it), expression with group
# ``secret``.
_WHOLE = (
    ("firebase-key", ":APA91b", r"(?<![\w-])(?P<secret>[\w-]{8,40}:APA91b[\w-]{60,200})"),
    ("maxmind-key", "_mmk", r"(?<![\w-])(?P<secret>[A-Za-z0-9]{6}_[A-Za-z0-9]{20,40}_mmk)(?!\w)"),
    ("telegram-token", ":AA", r"(?<![A-Za-z0-9])(?:bot)?(?P<secret>[0-9]{8,10}:AA[\w-]{30,})"),
    ("azure-secret", "Q~", r"(?<![\w.~-])(?P<secret>[\w.~-]{3}[0-9]Q~[\w.~-]{31,34})(?![\w~-])"),
    ("terraform-token", ".atlasv1.", r"(?<![\w.])(?P<secret>[A-Za-z0-9]{10,20}\.atlasv1\.[\w-]{40,})"),
    ("mailchimp-key", "-us", r"(?<!\w)(?P<secret>[0-9a-f]{32}-us[0-9]{1,2})(?!\w)"),
    ("new-relic-key", "NRAL", r"(?<!\w)(?P<secret>[0-9a-f]{32,40}(?:FFFF)?NRAL)(?!\w)"),
)

# Tokens that run on from a word and a dash or underscore (`my_AKIA...`): kind, beginnings, what follows.
# Only some: each beginning is looked for by a pair of letters that has to be rare (``secret_hints``), of some
# with the sign before them, and what is looked for in every text costs every text.
_BEHIND_A_SIGN = (
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"[A-Za-z0-9]{20,130}"),
    ("github-token", ("github_pat_",), r"[A-Za-z0-9_]{22,120}"),
    ("gitlab-token", ("glpat-",), r"[A-Za-z0-9_.-]{16,120}"),
)
_RARE_ANYWHERE = (
    ("aws-key-id", ("AKIA", "ASIA"), r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("google-api-key", ("AIza",), r"[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
)
SHAPES: tuple[tuple[str, str, str], ...] = _WHOLE + tuple(
    (kind, sign + begin, f"(?<={sign or '[-_]'})(?P<secret>{begin}{body})")
    for signs, rows in (("-_", _BEHIND_A_SIGN), (("",), _RARE_ANYWHERE))
    for kind, begins, body in rows
    for begin in begins
    for sign in signs
)
