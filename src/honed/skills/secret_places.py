"""Where secrets stand: headers, links and commands, read by ``secret_spans``.

Sources: the manuals of the commands and the documentation of the services named in the rows.
Every quantifier is bounded.  Imports nothing: a hook may load it.
"""

# anchor (lower case; where to look: the expression is tried at each place of it in the lower-cased text, see
# ``secret_hints``), kind, expression whose group ``secret`` is masked, check:
#   "any"     whatever stands there, unless it is a placeholder or a variable
#   "given"   as "any", and no path or call
#   "mixed"   must look generated
#   "strong"  judged like the value of a password
#   "base64"  decodes to user:password;   "cookie" each value of the header by itself
_CMD = r"[^\n|;&]{0,300}?\s"
_VAL = r"[\"']?(?P<secret>[^\s\"'-][^\s\"']{2,200})"

_WORDS = r"[\"']?\s{0,3}(?:[:=]|is)\s{0,3}[\"']?(?P<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])"

PLACES = (
    (
        "hooks.slack",
        "webhook",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<secret>[\w/-]{10,200})",
        "any",
    ),
    ("/webhooks/", "webhook", r"/webhooks/[0-9]{6,20}/(?P<secret>[\w-]{20,200})", "any"),
    (
        "webhook.office",
        "webhook",
        r"webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{20,400})",
        "any",
    ),
    ("/webhook/", "webhook", r"/webhook/(?P<secret>[\w@-]{20,200}(?:/[\w@-]{8,100}){0,5})", "mixed"),
    ("hooks.zapier", "webhook", r"hooks\.zapier\.com/hooks/catch/(?P<secret>[\w/-]{8,200})", "any"),
    (
        "hooks/",
        "webhook",
        r"hooks/(?:incoming/|v[0-9]/)?(?P<secret>[A-Za-z0-9_-]{24,200})(?![\w.])",
        "mixed",
    ),
    ("sig=", "signature", r"(?<=[?&;])sig=(?P<secret>[A-Za-z0-9%+/=_-]{16,400})", "any"),
    ("signature=", "signature", r"(?<=[?&;, ])signature=(?P<secret>[A-Za-z0-9%+/=_-]{16,400})", "any"),
    (
        "x-amz-",
        "signature",
        r"x-amz-(?:signature|credential|security-token)=(?P<secret>[A-Za-z0-9%+/=_-]{16,2000})",
        "any",
    ),
    (
        "x-goog-",
        "signature",
        r"x-goog-(?:signature|credential)=(?P<secret>[A-Za-z0-9%+/=_.@-]{16,2000})",
        "any",
    ),
    (
        "basic ",
        "authorization",
        r"\bbasic\s{1,3}(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![\w+/=])",
        "base64",
    ),
    (
        "bearer",
        "authorization",
        r"\bbearer[\s:\"'=]{1,4}(?P<secret>[A-Za-z0-9._~+/-]{8,4000}=*)",
        "mixed",
    ),
    (
        "authorization",
        "authorization",
        r"authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?"
        r"(?:(?!basic|bearer)[a-z][a-z0-9-]{1,20}[ =]\s{0,2}(?:token=)?)?"
        r"[\"']?(?P<secret>[A-Za-z0-9._~+/:-]{12,4000}=*)",
        "mixed",
    ),
    (
        "cookie",
        "cookie",
        r"cookie2?[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?P<secret>[^\r\n\"']{4,4096})",
        "cookie",
    ),
    ("--cookie", "cookie", r"--cookie[ =][\"']?(?P<secret>[^\s\"']{4,2000})", "cookie"),
    (
        "curl ",
        "cookie",
        r"\bcurl\b" + _CMD + r"-b\s[\"']?(?P<secret>[^\s\"'=]{1,60}=[^\n\"']{4,2000})",
        "cookie",
    ),
    (
        "curl ",
        "password",
        r"\bcurl\b"
        + _CMD
        + r"(?:-u|--user|--proxy-user|-U)[ =]?\s{0,2}[\"']?[^\s:\"'$]{1,100}:(?P<secret>[^\s\"'@]{3,200})",
        "given",
    ),
    (
        "--auth",
        "password",
        r"--auth[ =][\"']?[^\s:\"'$]{1,100}:(?P<secret>[^\s\"'@]{3,200})",
        "given",
    ),
    ("mysql", "password", r"\bmysql(?:dump|admin|import)?\b" + _CMD + r"-p" + _VAL, "given"),
    (
        "mongo",
        "password",
        r"\bmongo(?:sh|dump|restore|export|import)?\b" + _CMD + r"-p\s{1,3}" + _VAL,
        "given",
    ),
    ("sqlcmd", "password", r"\bsqlcmd\b" + _CMD + r"-P\s{0,3}" + _VAL, "given"),
    ("cqlsh", "password", r"\bcqlsh\b" + _CMD + r"-p\s{1,3}" + _VAL, "given"),
    (
        "client-key-data",
        "private-key",
        r"client-key-data[\"']?\s{0,3}:\s{0,3}[\"']?(?P<secret>[A-Za-z0-9+/=]{40,10000})",
        "any",
    ),
    ("mariadb", "password", r"\bmariadb(?:-dump|-admin)?\b" + _CMD + r"-p" + _VAL, "given"),
    (" login ", "password", r"\slogin\b" + _CMD + r"-p[ =]?\s{0,2}" + _VAL, "strong"),
    (
        "login ",
        "password",
        r"\blogin\s\S{1,100}\s{1,8}password\s{1,3}(?P<secret>\S{3,200})",
        "given",
    ),
    ("redis-cli", "password", r"\bredis-cli\b" + _CMD + r"-a\s{1,3}" + _VAL, "given"),
    (
        "ldap",
        "password",
        r"\bldap(?:search|modify|add|delete|whoami|passwd)\b" + _CMD + r"-w\s{1,3}" + _VAL,
        "given",
    ),
    (
        "smb",
        "password",
        r"\bsmb(?:client|map|get)\b" + _CMD + r"-U\s{1,3}[\"']?[^\s%\"']{1,100}%(?P<secret>[^\s\"']{3,200})",
        "given",
    ),
    ("sshpass ", "password", r"\bsshpass\s{1,3}-p\s{0,3}" + _VAL, "given"),
    (
        "htpasswd ",
        "password",
        r"\bhtpasswd\s(?:-[A-Za-z]{1,8}\s){1,4}[^\s-]\S{0,100}\s\S{1,64}\s" + _VAL,
        "given",
    ),
    (" pass:", "password", r"(?<=pass|ssin|sout)\spass:(?P<secret>[^\s\"']{3,200})", "given"),
    ("password '", "password", r"(?<=with |pted )password\s'(?P<secret>[^'\n]{3,200})'", "given"),
    ('password "', "password", r"(?<=with |pted )password\s\"(?P<secret>[^\"\n]{3,200})\"", "given"),
    (
        "password for",
        "password",
        r"password for\s[^\n=]{1,80}=\s{0,3}(?:password\()?[\"'](?P<secret>[^\"'\n]{3,200})[\"']",
        "given",
    ),
    (
        "identified ",
        "password",
        r"\bidentified\s(?:with\s\S{1,60}\s)?by\s(?:password\s)?[\"'](?P<secret>[^\"'\n]{3,200})[\"']",
        "given",
    ),
    (
        "net user ",
        "password",
        r"\bnet user\s[^\s/]{1,64}\s(?P<secret>[^\s/*]\S{3,100})",
        "strong",
    ),
    (
        "to-securestring",
        "password",
        r"to-securestring\s{1,3}(?:-string\s{1,3})?[\"'](?P<secret>[^\"'\n]{3,200})[\"']",
        "given",
    ),
    (":5432:", "password", r":5432:[\w*-]{1,64}:[\w*-]{1,64}:(?P<secret>[^\s:]{4,100})", "given"),
    ("mnemonic", "recovery-phrase", r"mnemonic(?:[ _-]?(?:phrase|words?))?" + _WORDS, "any"),
    (
        "phrase",
        "recovery-phrase",
        r"(?<=seed[ _-]|very[ _-]|cret[ _-]|ckup[ _-])phrase" + _WORDS,
        "any",
    ),
    (
        "private-lines",
        "private-key",
        r"private-lines:\s{0,3}[0-9]{1,3}\s{0,3}\n(?P<secret>(?:[A-Za-z0-9+/=]{4,80}\n?){1,80})",
        "any",
    ),
)

# The same, for expressions that end with their anchor: sought in the text before it.
ENDINGS = (
    (
        "--password-stdin",
        "password",
        r"\becho\s{1,3}(?:-n\s{1,3})?[\"']?(?P<secret>[^\s\"'|`]{4,200})[\"']?\s{0,3}\|[^\n]{0,200}--password-stdin",
        "given",
    ),
    (
        "chpasswd",
        "password",
        r"\becho\s{1,3}[\"']?[\w.-]{1,64}:(?P<secret>[^\s\"'|`]{3,200})[\"']?\s{0,3}\|[^\n]{0,40}chpasswd",
        "given",
    ),
    (
        "sudo -s",
        "password",
        r"\becho\s{1,3}[\"']?(?P<secret>[^\s\"'|`]{4,200})[\"']?\s{0,3}\|\s{0,3}sudo\s-S\b",
        "given",
    ),
)
