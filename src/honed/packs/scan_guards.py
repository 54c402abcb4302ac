"""More of what the scan of a pack looks for: what takes away the guards of whoever does it (an agent's
confirmations, hooks, certificates), and rarer spellings of the other kinds.  Every expression is bounded."""

from __future__ import annotations

from honed.packs.scan_rules import DROPS, FETCH, HOMES, NETWORK, OWN_HOSTS, SECRETS, SHELL

_WHO = (
    r"(?:whoami|hostname|id|history|git config (?:--get )?user\.\w{1,60}|git remote\b[^)`\n]{0,20}|ip addr"
    r"|ifconfig)"
)
_ELSEWHERE = rf"https?://(?!{OWN_HOSTS})"
_CATCHERS = (
    r"(?:webhook\.site|requestbin\.\w{1,60}|pipedream\.net|interact\.sh|oast\.\w{1,60}|burpcollaborator\.net"
    r"|beeceptor\.com|requestcatcher\.com|dnslog\.\w{1,60}|ceye\.io)"
)
_AGENTS = r"\b(?:claude|codex|gemini|qwen|cursor-agent|copilot|opencode|aider|amp|goose)\b"
_RISKY = (
    r"(?:push|delet|remov|deploy|install|merg|publish|releas|overwrit|force|rm\b|run(?:ning)? (?:any|all"
    r"|these|"
    r"the following|shell|commands?)|execut|upload|send|download)"
)

GUARDS: tuple[tuple[str, str], ...] = (
    (
        "unguard",
        rf"{_AGENTS}[^\n|;&]{{0,160}}\s(?:--dangerously-skip-permissions|--dangerously-bypass-\S{{1,120}}|--yolo"
        rf"|--full-auto"
        r"|--allow-all-tools|--yes-always|--permission-mode[ =]bypassPermissions|--approval-mode[ =]yolo"
        r"|--ask-for-approval[ =]never|--sandbox[ =]danger-full-access)(?![\w-])",
    ),
    (
        "unguard",
        r"(?:\"defaultMode\"\s?:\s?\"bypassPermissions\"|\bapproval_policy\s?=\s?\"never\""
        r"|\bsandbox_mode\s?=\s?"
        r"\"danger-full-access\"|\"(?:bypassPermissionsModeAccepted"
        r"|skipDangerousModePermissionPrompt)\"\s?:\s?true"
        r"|\"allow\"\s?:\s?\[\s?\"Bash(?:\(\*(?::\*)?\))?\"\s?\])",
    ),
    (
        "unguard",
        r"(?i)\b(?:do not|don'?t|never|without)\s(?:ever\s)?(?:stop(?:ping)? "
        r"to\s)?ask(?:ing)?\b[^.\n]{0,30}"
        r"\b(?:confirmation|permission|approval|consent)\b[^.\n]{0,60}\b" + _RISKY,
    ),
    (
        "unguard",
        r"(?i)\b(?:push|delet|deploy|install|merg|publish|overwrit|execut|run|upload|commit)\w{0,60}\b[^.\n]{0,60}"
        r"\b(?:without|do not|don'?t|never)\s(?:ever\s)?(?:ask(?:ing)?|wait(?:ing)?)\s(?:(?:the user"
        r"|me|us|anyone)\s)?"
        r"for\s(?:any\s|the\s)?(?:user'?s?\s|owner'?s?\s)?(?:confirmation|permission|approval"
        r"|consent)\b",
    ),
    ("unguard", r"\bgit\s(?:-\S{1,120}\s\S{1,120}\s)?push\b[^\n|;&]{0,120}\s--no-verify\b"),
    ("unguard", r"(?i)\balways\b[^.\n]{0,60}\s--no-verify\b"),
    (
        "unguard",
        r"\bgit\sconfig\b[^\n;&|]{0,40}\bcore\.(?:hooksPath|fsmonitor|sshCommand)[ =]{1,80}[\"']?(?:/|~"
        r"|\$HOME|\$\{HOME\}"
        r"|%|[A-Za-z]:|\.\./|https?:|[^\n]{0,60}\bcurl\b)|\bHUSKY=0\sgit\spush\b",
    ),
    (
        "unguard",
        r"\b(?:export\s|set\s|setx\s|\$env:)(?:NODE_TLS_REJECT_UNAUTHORIZED[ =]{1,80}[\"']?0"
        r"|GIT_SSL_NO_VERIFY[ =]{1,80}[\"']?"
        r"(?:1|true)|PYTHONHTTPSVERIFY[ =]{1,80}[\"']?0)|\bgit\sconfig\s--(?:global"
        r"|system)\shttp\.sslVerify\s[\"']?"
        r"(?:false|0)|\b(?:npm|yarn|pnpm)\s(?:config\sset|set)\sstrict-ssl[ =]{1,80}[\"']?false"
        r"|\bpip3?\sconfig\sset\s"
        r"global\.trusted-host\b",
    ),
    (
        "unguard",
        rf"{FETCH}[^\n|;&]{{0,200}}\s(?:-[A-Za-z]{{0,6}}k[A-Za-z]{{0,6}}|--insecure"
        rf"|--no-check-certificate)\s(?=[^\n|;&]"
        rf"{{0,200}}{_ELSEWHERE}(?!\[|10\.|192\.168\.|172\.))[^\n]{{0,300}}(?:\||\s-o\s|\s-O\b|>|&&)",
    ),
    (
        "destroy",
        r"\bchmod\s(?:-\S{1,120}\s){0,8}(?:[0-7]?777|a\+rwx|ugo\+rwx|o\+w)\s(?:-\S{1,120}\s){0,8}[\"']?(?:/(?:\s|$|etc"
        r"|usr|var|home|root|"
        r"opt|bin)|~|\$HOME|\$\{HOME\}|\.(?:\s|$)|\*|\.(?:ssh|git|aws|env)\b)",
    ),
    ("destroy", r"\bchmod\s(?:-\S{1,120}\s){0,8}-\w{0,60}R\w{0,60}\s(?:[0-7]?777|a\+rwx|ugo\+rwx)\b"),
    (
        "stay",
        r"\bgh\s(?:ssh-key|gpg-key)\sadd\b|\bgh\sapi\b[^\n]{0,60}\buser/keys\b|\bssh-copy-id\b[^\n]{0,80}@"
        r"|\b(?:install|mv|dd|tee|cat|printf|echo|curl|wget)\b[^\n]{0,160}\bauthorized_keys\b",
    ),
    (
        "stay",
        rf"\bcrontab\s(?:-u\s\S{{1,120}}\s)?[\"']?(?:/tmp|/var/tmp|/dev/shm|{HOMES}|<\()|\bcrontab\s-\s?<<"
        r"|\|\s?at\s(?:now|\d)|\bsystemctl\b[^\n]{0,40}--user[^\n]{0,40}\benable\b[^\n]{0,80}"
        rf"|(?:>>?|\btee\b|\bcp\b[^\n]{{0,80}}|\bmv\b[^\n]{{0,80}}"
        rf"|-o)\s?[\"']?{HOMES}config/(?:systemd/user|autostart)/"
        r"|\blaunchctl\s(?:load|bootstrap|submit)\b",
    ),
    (
        "stay",
        r"(?i)\b(?:Register-ScheduledTask|New-ScheduledTaskTrigger)\b|\breg(?:\.exe)?\sadd\b[^\n]{0,80}"
        r"\\CurrentVersion\\Run|\b(?:New|Set)-ItemProperty\b[^\n]{0,120}\\CurrentVersion\\Run",
    ),
    (
        "pipe",
        rf"(?:{SHELL}|\bsource\b|(?<!\S)\.)\s(?:-\S{{1,120}}\s){{0,3}}(?:/dev/stdin\s?)?<<<\s?[\"']?(?:\$\("
        rf"|`)\s?{FETCH}",
    ),
    (
        "pipe",
        r"(?i)\[scriptblock\]::Create\([^\n]{0,80}(?:irm|iwr|Invoke-\w{1,60}|DownloadString)"
        r"|\.DownloadString\([^\n]{0,200}\|"
        r"\s?iex\b|\biex\s?\(\s?\(?\s?(?:&\s?)?(?:curl|wget)\b|\bdeno\s(?:run"
        r"|install)\b[^\n]{0,60}\s(?:-A|--allow-all"
        r"|--allow-run)\b[^\n]{0,60}https?://",
    ),
    (
        "pipe",
        rf"{FETCH}[^\n|;]{{0,400}}\|\s?(?:[^\n|;]{{1,200}}\|\s?){{0,4}}xargs\b[^\n]{{0,60}}\b(?:ba|z"
        rf"|da)?sh\b",
    ),
    (
        "send",
        rf"{NETWORK}(?=[^\n]{{0,300}}{_ELSEWHERE})[^\n]{{0,300}}(?:\$\(|`)\s?{_WHO}",
    ),
    (
        "send",
        rf"{NETWORK}[^\n]{{0,200}}{_CATCHERS}|\b(?:requests\.\w{{1,60}}|urlopen|fetch"
        rf"|axios\.\w{{1,60}})\([^\n]{{0,60}}{_CATCHERS}",
    ),
    (
        "send",
        rf"{NETWORK}[^\n]{{0,200}}(?:\s|=)[\"']?@[^\n]{{0,160}}{DROPS}"
        rf"|{NETWORK}[^\n]{{0,200}}{DROPS}[^\n]{{0,120}}"
        r"(?:\s|=)[\"']?@(?!\w{1,60}\.json\b)\S",
    ),
    (
        "send",
        r"\b(?:dig|nslookup|host|drill|resolvectl query|getent hosts)\b[^\n]{0,80}\$\{?\w{1,60}\}?"
        r"(?:\.[\w-]{1,60}){1,6}\.\w{2,20}"
        r"|\bsocket\.(?:gethostbyname|getaddrinfo)\([^\n]{0,120}(?:environ|open\(|b64encode|hex\()",
    ),
    (
        "pipe",
        rf"{FETCH}[^\n;&|]{{0,200}}\s-[A-Za-z]{{1,8}}[oO]\s?(?P<file>[^\s;&|]{{1,120}})\s[^\n]{{0,200}}?(?:;|&&|\n)"
        r"\s?(?:sudo\s)?chmod\s(?:\+x|[ugoa]{1,4}\+\w{0,2}x|[0-7]{0,1}[0-7][1357][0-7])\s(?P=file)",
    ),
    ("pipe", r"\bperl\b[^\n]{0,80}\beval\b[^\n]{0,60}\bget\b[^\n]{0,8}https?:"),
    (
        "send",
        rf"\b(?:tar|zip|7z)\b[^\n|]{{0,80}}(?:{SECRETS})[^\n|]{{0,80}}\|\s?ssh\s"
        rf"|\bgh\sgist\screate\b[^\n]{{0,80}}(?:{SECRETS})"
        r"|(?<![\w-])history\s?\|\s?(?:[^\n|]{1,80}\|\s?){0,3}(?:curl|nc|ncat|wget)\b"
        rf"|https?://[^\s\"'`]{{1,200}}\$\([^\n)]{{0,80}}(?:{SECRETS})",
    ),
    (
        "send",
        rf"(?i:\b(?:read|open|cat|load|print)\b)[^.\n]{{0,60}}(?:{SECRETS})[^.\n]{{0,80}}\b(?i:in|into|to)\s(?i:your|the)"
        r"\s(?i:answer|reply|response|output|message|summary|commit|pull request|comment)\b",
    ),
    (
        "order",
        rf"(?i:\b(?:fetch|load|download|read|get|open|retrieve)\b)[^.\n]{{0,60}}{_ELSEWHERE}[^\s]{{1,200}}[^.\n]{{0,40}}"
        r"\b(?i:and|then)\s(?:\w{1,20}\s){0,2}?(?i:follow|obey|execute|carry out)\s(?:\w{1,20}\s){0,2}?"
        r"(?i:instructions?|commands?|orders|them|it)\b",
    ),
)
"""Kind and expression, like ``scan_rules.RULES``."""
