"""What the scan of a pack looks for, as expressions over a text in which every run of white space is one
(``scan.Folded``).  Every quantifier is bounded, so a scan is linear in its text."""

from __future__ import annotations

FETCH = r"(?:\b(?:curl|wget|fetch|aria2c|http|https|xh|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b)"
SHELL = (
    r"(?:(?:/(?:usr/)?bin/)?(?:env\s(?:-\S{1,120}\s|\w{1,60}=\S{0,120}\s){0,8})?(?:(?:ba|z|da|k|fi|a)?sh|python"
    r"[\d.]{0,8}|perl|ruby|node|bun|php|osascript|pwsh|"
    r"powershell(?:\.exe)?|iex|Invoke-Expression|source|xargs\s(?:-\S{1,120}\s){0,8}(?:ba|z)?sh)\b)"
)
_LAUNCH = r"(?:sudo\s(?:-\S{1,120}\s){0,8}|doas\s|command\s|exec\s|nohup\s|\w{1,60}=\S{0,120}\s){0,8}"
SECRETS = (
    r"(?:~|\$HOME|\$\{HOME\}|/root|/home/\w{1,60}|%USERPROFILE%|\.)?/?\.(?:ssh\b|aws\b|gnupg|net"
    r"rc|npmrc|pypirc|docker/config|kube/config|git-credentials|"
    r"config/gh|config/gcloud|claude\.json|claude/\S{0,40}credential|codex/auth|env(?:\.\w{1,60})?\b)"
    r"|\bid_(?:rsa|ed25519|ecdsa)\b|/etc/(?:shadow|passwd)\b|\bkeychain\b|\bcredentials\.json\b|\b"
    r"Login Data\b|\bcookies\.sqlite\b"
    r"|\bwallet\.dat\b"
)
_ENVIRONMENT = (
    r"(?:\$\(\s?(?:env|printenv|set)\b|`\s?(?:env|printenv)\b|\b(?:env|printenv)\s?\||os\.envi"
    r"ron\b|process\.env\b(?!\.))"
)
NETWORK = (
    r"(?:\b(?:curl|wget|nc|ncat|netcat|socat|scp|sftp|rsync|ftp|telnet|http|xh|iwr|irm|Invoke-"
    r"WebRequest|Invoke-RestMethod)\b)"
)
_UPLOAD = (
    r"(?:\s-(?:d|F|T)\s|\s--(?:data\S{0,120}|form|upload-file|post-file|post-data|body-file|json)\b|-Bod"
    r"y\b|-InFile\b|-Method\sPost|"
    r"\brequests\.(?:post|put)\b|\burlopen\b|\bfetch\(|\baxios\.post\b|/dev/tcp/)"
)
DROPS = (
    r"(?:webhook\.site|requestbin\.\w{1,60}|pipedream\.net|interact\.sh|oast\.\w{1,60}|burpcollaborator\.net"
    r"|ngrok(?:-free)?\.\w{1,60}|"
    r"discord(?:app)?\.com/api/webhooks|hooks\.slack\.com/services|transfer\.sh|file\.io|0x0\.st|p"
    r"aste\.rs|termbin\.com|"
    r"api\.telegram\.org/bot|beeceptor\.com|requestcatcher\.com|dnslog\.\w{1,60}|ceye\.io)"
)
HOMES = r"(?:~|\$HOME|\$\{HOME\}|/root|/home/\w{1,60})/\."
_LATER = (
    HOMES
    + r"(?:ssh/authorized_keys|ssh/config|claude/settings\S{0,120}|claude/CLAUDE\.md|codex/config\S{0,120}"
    r"|codex/AGENTS\.md|cursor/mcp\.json|gemini/settings\S{0,120}|gitconfig|config/autostart/\S{0,120}|npmrc)"
    r"|\.git/hooks/\w[\w-]{0,60}|/etc/(?:cron\S{0,120}|profile\S{0,120}|ld\.so\.preload|sudoers\S{0,120}|systemd/\S{0,120})"
    r"|\bLaunchAgents/"
)
_STARTS = HOMES + r"(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|config/fish/\S{0,120})"
_FOREIGN = (
    r"(?:https?://|/tmp/|/var/tmp|/dev/shm|\.cache/|\bcurl\b|\bwget\b|\bnc\b|base64|\bLD_PRELOAD"
    r"\b|\bPROMPT_COMMAND\b"
    r"|\balias\s(?:sudo|git|ssh|ls|cd|npm|curl)\b)"
)
_KEYS = (
    r"(?:ANTHROPIC_API_KEY|OPENAI_API_KEY|GITHUB_TOKEN|GH_TOKEN|AWS_SECRET_ACCESS_KEY|AWS_SESSIO"
    r"N_TOKEN|NPM_TOKEN"
    r"|GEMINI_API_KEY|GOOGLE_API_KEY|HF_TOKEN|DATABASE_URL|SSH_AUTH_SOCK)"
)
OWN_HOSTS = (
    r"(?:(?:[\w-]{1,80}\.){0,8}(?:anthropic\.com|openai\.com|github\.com|githubusercontent\.com|npmjs\.or"
    r"g|amazonaws\.com"
    r"|gitlab\.com|googleapis\.com|huggingface\.co)|localhost|127\.0\.0\.1|\$)"
)
_HELD = (
    r"(?:gh auth token|aws configure get|op read|security find-generic-password|git credential fill"
    r"|gcloud auth print-access-token|vault kv get|pass show)"
)
_WORDS_AWAY = r"(?:\W{1,8}\w{1,60}){0,4}\W{0,8}$"
NEGATED = (
    r"(?:\b(?:never|do not|don'?t|must not|mustn'?t|should not|shouldn'?t)\s(?:ever\s|just\s|"
    r"blindly\s|simply\s)?"
    r"(?:run|pipe|use|execute|paste|type|call|do|trust|install|copy|write|send|add|let|allow|fol"
    r"low|tell|show|ask"
    r"|mention|ignore|put|upload|post|delete)\b"
    r"|\b(?:avoid|refuses?|rejects?|instead of|rather than|beware of|forbids?|prohibits?|disallo"
    r"ws?|blocks?|denies|flags?"
    r"|detects?|attack(?:er|s|ers)?|injections?|malicious|dangerous|unsafe|insecure|suspicious)\b)"
    + _WORDS_AWAY
)
"""What stands before a thing that a text warns of, within a few words of it."""
RULES: tuple[tuple[str, str], ...] = (
    ("pipe", rf"{FETCH}[^\n|;]{{0,400}}\|\s?(?:[^\n|;]{{1,200}}\|\s?){{0,4}}{_LAUNCH}{SHELL}"),
    ("pipe", rf"{SHELL}\s(?:-\S{{1,120}}\s){{0,3}}(?:<\s?\(|[\"']?\$\(|[\"']?`)\s?{FETCH}"),
    ("pipe", rf"(?:\beval|\bexec|\bsource|(?<!\S)\.)\s[\"']?(?:\$\(|`|<\()\s?{FETCH}"),
    (
        "pipe",
        rf"\b(?:base64|base32|xxd|openssl\s(?:enc|base64)|uudecode|gunzip|zcat|rev|tr)\b[^\n|;]"
        rf"{{0,200}}\|\s?(?:[^\n|;]{{1,200}}\|\s?){{0,3}}{_LAUNCH}{SHELL}(?!\s\S{{1,120}}\.\w{{1,60}}\s(?:-|\S{{1,120}}"
        rf"\.))",
    ),
    (
        "pipe",
        rf"{SHELL}\s(?:-\S{{1,120}}\s){{0,2}}[\"']?(?:\$\(|`)[^\n)`]{{0,300}}\b(?:base64|xxd|openssl)\b",
    ),
    (
        "pipe",
        r"\b(?:exec|eval)\s?\(\s?(?:compile\s?\(\s?)?(?:__import__\([\"'](?:base64|zlib|codecs|url"
        r"lib\S{0,120})|base64\.|zlib\.|codecs\.|bytes\.fromhex|atob\(|Buffer\.from|requests\.get|urllib"
        r")",
    ),
    (
        "pipe",
        rf"{FETCH}[^\n;&|]{{0,300}}(?:-o|-O|--output|>|-OutFile)\s?(?P<file>[^\s;&|]{{1,120}})[^\n"
        rf"]{{0,80}}(?:;|&&|\n)\s?(?:[^\n]{{0,120}}(?:;|&&|\n)\s?)?{_LAUNCH}(?:chmod\s(?:\+x|[0-7]"
        rf"{{0,6}}[1357][0-7]{{0,60}})\s|(?:ba|z)?sh\s)[^\n]{{0,10}}?(?P=file)",
    ),
    (
        "pipe",
        r"(?i)\b(?:iex|Invoke-Expression)\b[^\n]{0,40}(?:\(|\s)(?:iwr|irm|New-Object\s(?:System\."
        r")?Net\.WebClient|Invoke-WebRequest|Invoke-RestMethod|\[System\.Text)",
    ),
    (
        "pipe",
        r"(?i)\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,80}\s-e(?:nc(?:odedcommand)?)?\s[A-Za-z0-9+/"
        r"=]{16,4000}",
    ),
    (
        "pipe",
        rf"\b(?:nc|ncat|netcat|socat)\b[^\n|;]{{0,120}}(?:\s-e\s|\s-c\s|EXEC:|\|\s?{SHELL})|/dev/t"
        rf"cp/[^\s/]{{1,80}}/\d{{1,8}}",
    ),
    ("send", rf"(?:{SECRETS})[^\n]{{0,200}}\|[^\n]{{0,120}}(?:{NETWORK})"),
    (
        "send",
        rf"(?:{NETWORK})(?=[^\n]{{0,300}}(?:\s-(?:d|F|T)\s?|--data\S{{0,120}}|--form|--upload-file|--post-"
        rf"file|@|<\s|scp|rsync|sftp))[^\n]{{0,300}}(?:@|<\s?|\$\(cat\s|`cat\s|\s)(?:{SECRETS})",
    ),
    (
        "send",
        rf"\b(?:scp|rsync|sftp)\b[^\n]{{0,120}}(?:{SECRETS})[^\n]{{0,120}}\s\S{{1,120}}@?[\w.-]{{1,80}}:",
    ),
    (
        "send",
        rf"(?:{_ENVIRONMENT})[^\n]{{0,200}}(?:{NETWORK}|{DROPS})|(?:{NETWORK})(?:(?=[^\n]"
        rf"{{0,300}}(?:{_UPLOAD}|\?\S{{0,120}}=))[^\n]{{0,300}}(?:{_ENVIRONMENT}))",
    ),
    (
        "send",
        r"(?:requests\.(?:post|put|get)|urlopen|fetch|axios\.\w{1,60}|http\.request)\s?\([^\n]{0,300}(?"
        r":os\.environ\b(?!\.get|\[)|process\.env\b(?![.\[])|open\([\"'][^\"'\n]{0,80}(?:\.ssh|\.a"
        r"ws|\.env|id_rsa))",
    ),
    (
        "send",
        rf"(?:{SECRETS}|\bAPI[_ ]?KEYS?\b|\bsecrets?\b|\btokens?\b|\bcredentials?\b|\bconversation"
        rf"\b|\bchat history\b|\bsource code\b)[^\n]{{0,200}}{DROPS}|{DROPS}[^\n]{{0,200}}(?:"
        rf"{SECRETS}|\bcredentials?\b)",
    ),
    ("send", r"\b(?:dig|nslookup|host|ping)\b[^\n]{0,80}(?:\$\(|`)[^\n]{0,120}(?:\)|`)\.[\w.-]{1,80}"),
    (
        "send",
        r"(?i)\b(?:upload|send|post|exfiltrate|forward|transmit|e-?mail|leak|copy|submit|report|in"
        r"clude|append|attach)\b[^.\n]{0,80}\b(?:contents? of|your|the (?:user'?s?|owner'?s?|full)"
        r"|all|any)\b[^.\n]{0,60}(?:\.env\b|\.ssh\b|\.aws\b|private keys?|credentials|environment "
        r"variables|api keys?|passwords?|secrets|tokens|conversation)[^.\n]{0,60}\b(?:to|as)\b[^."
        r"\n]{0,40}(?:https?://|\b[\w-]{1,80}\.(?:com|net|io|invalid|example|site|xyz|dev)\b|\S{1,120}@\S{1,120}|re"
        r"mote|server|endpoint|url parameter|query)",
    ),
    (
        "send",
        r"!\[[^\]\n]{0,120}\]\(https?://[^)\s]{0,200}[?&][\w-]{1,40}=(?:\{|\$\{|<|\[|%7B)[^)\n]"
        r"{0,80}(?:secret|key|token|data|history|conversation|content|env|password|context)[^)\n]"
        r"{0,80}\)",
    ),
    (
        "stay",
        rf"(?:>>?|\btee\b(?:\s-a)?|\bsed\s-i\S{{0,120}}\s[^\n]{{0,80}}|\bcp\b[^\n]{{0,120}}|\bln\s-s\S{{0,120}}["
        rf"^\n]{{0,120}}|\bcurl\b[^\n]{{0,120}}-o)\s?[\"']?(?:{_LATER})",
    ),
    (
        "stay",
        r"(?:\(\s?crontab\s-l[^\n]{0,120}|\becho\b[^\n]{0,200})\|\s?crontab\s-(?!l)|\bschtasks\b"
        r"[^\n]{0,40}/create|\bsystemctl\b[^\n]{0,30}\benable\b[^\n]{0,80}(?:/tmp|\.cache)",
    ),
    (
        "destroy",
        r"\brm\s-[a-zA-Z]{0,60}[rR][a-zA-Z]{0,60}\s(?:-\S{1,120}\s){0,8}[\"']?(?:/(?:\s|$|\*|[\"'])|~(?:/?(?:\s|$|"
        r"\*))|\$HOME(?:/?(?:\s|$|\*|[\"'])))|--no-preserve-root|:\(\)\s?\{\s?:\|:&\s?\}|\bmkfs\."
        r"\w{1,60}\s/dev/|\bdd\b[^\n]{0,80}\bof=/dev/(?:sd|nvme|hd|disk)",
    ),
    (
        "destroy",
        r"\bchmod\s(?:-R\s)?[0-7]?777\s(?:/(?:\s|$)|~|/etc|/usr)|\bspctl\s--master-disable|\bx"
        r"attr\s-[a-z]{0,60}d[a-z]{0,60}\scom\.apple\.quarantine|\bsetenforce\s0|\bufw\sdisable|Set-MpPr"
        r"eference\b[^\n]{0,60}Disable",
    ),
    (
        "pipe",
        rf"{FETCH}[^\n;&|]{{0,300}}?/(?P<name>[\w.-]{{1,80}}+)[^\n;&|]{{0,80}}+(?:;|&&|\n)\s?"
        rf"(?:[^\n]{{0,120}}(?:;|&&|\n)\s?)?{_LAUNCH}(?:(?:ba|z|da)?sh|python[\d.]{{0,60}}|node|perl|\.)[ /]"
        rf"(?:\./)?(?P=name)",
    ),
    (
        "pipe",
        r"\b(?:exec|eval)\s?\([^\n]{0,100}(?:requests|urllib|urlopen|httpx|aiohttp|https?:)\b|\bnode"
        r"\s-e\b[^\n]{0,300}"
        r"\b(?:eval|Function|child_process)\b",
    ),
    (
        "pipe",
        r"\b(?:npx|npm|pnpm|yarn|pip3?|uv|uvx|pipx|gem|cargo|go)\b(?!\s(?:notice|ERR|WARN|http|ping)\b)"
        r"[^\n]{0,160}(?:\s|=|@|\+)http://(?!localhost|127\.|(?:[\w-]{1,80}\.){0,3}example\.(?:com|org|net)\b)\S",
    ),
    (
        "pipe",
        r"(?i)\bcertutil\b[^\n]{0,60}-urlcache|\bmshta\s\S{0,4}https?:|\bbitsadmin\b[^\n]{0,60}/transfer|"
        r"\bregsvr32\b[^\n]{0,60}/i:http|\brundll32\b[^\n]{0,60}javascript:|\bsh\s-i\b[^\n]{0,80}\|"
        r"\s?(?:nc|ncat|socat)\b",
    ),
    (
        "send",
        rf"{NETWORK}[^\n]{{0,300}}(?:\$\(|`)(?:[^\n)`$]|\$(?!\()){{0,80}}(?:{SECRETS}|{_HELD})|"
        rf"{_HELD}[^\n]{{0,120}}\|[^\n]{{0,80}}{NETWORK}|"
        rf"\b(?:tar|zip|7z)\b[^\n]{{0,80}}(?:{SECRETS})[^\n]{{0,80}}\|[^\n]{{0,40}}{NETWORK}",
    ),
    (
        "send",
        rf"{NETWORK}(?=[^\n]{{0,400}}\$\{{?{_KEYS}\b)(?=[^\n]{{0,400}}https?://(?!{OWN_HOSTS}))[^\n"
        rf"]{{0,400}}",
    ),
    (
        "send",
        r"(?i)\b(?:upload|send|post|exfiltrate|forward|transmit|report|mail)\b[^.\n]{0,60}\b(?:conve"
        r"rsation|chat history"
        r"|transcripts?|private keys?|ssh keys?|credentials|environment variables|api keys?|secrets|"
        r"source code)\b[^\n]{0,60}"
        r"\bto\b\s\S{0,20}https?://(?!localhost|127\.)|"
        rf"\b(?:read|open|cat|take)\b[^.\n]{{0,60}}(?:{SECRETS})[^\n]{{0,160}}https?://(?!localhost|"
        rf"127\.)",
    ),
    (
        "stay",
        rf"(?:{_FOREIGN}[^\n]{{0,200}}(?:>>?|\btee\b(?:\s-a)?)\s?[\"']?{_STARTS}|"
        rf"\bcp\b[^\n]{{0,120}}{_STARTS}|\bcurl\b[^\n]{{0,200}}(?:-o|>)\s?[\"']?{_STARTS})",
    ),
    (
        "stay",
        r"\bgit\sconfig\s--(?:global|system)\s(?:core\.(?:hooksPath|sshCommand|fsmonitor)|url\.["
        r"\"']?http:|credential\.helper"
        r"\s[\"']?!)|(?m:^\s?)alias\s(?:sudo|git|ssh|npm|curl|ls|cd)=[\"']?[^\"'\s]{0,40}(?:/tmp|h"
        r"ttps?:|curl|\.cache)",
    ),
    (
        "order",
        r"(?i)\b(?:do not|don'?t|never|must not|mustn'?t|should not|may not)\s(?:ever\s)?(?:mentio"
        r"n|reveal|disclose|show|report|tell)"
        r"\b[^.\n]{0,40}\b(?:this (?:line|instruction|step|note|skill|section|command|comment)|the"
        r"se (?:instructions|lines|steps))\b",
    ),
    (
        "order",
        r"(?i)\bwithout\s(?:telling|informing|notifying|alerting)\s(?:the\s)?(?:user|owner|huma"
        r"n|developer|anyone)\b",
    ),
    (
        "order",
        r"(?i)\b(?:do not|don'?t|never)\s(?:ever\s)?(?:tell|inform|notify|alert)\s(?:the\s)?(?"
        r":user|owner|human|developer|anyone)\s(?:about (?:this|it|these)|of this|that you (?:did"
        r"|have|ran|sent|added|changed))\b",
    ),
    (
        "order",
        r"(?i)\b(?:keep|hide|conceal)\s(?:this|it|that|these)\b[^.\n]{0,20}\bfrom\s(?:the\s)?(?:u"
        r"ser|owner|human)\b|"
        r"\b(?:do not|don'?t|never)\slet\s(?:the\s)?(?:user|owner|human)\s(?:know|see|notice|fin"
        r"d out)\b|"
        r"\b(?:not|never)\s(?:mention|reveal|disclose)\s(?:this|it|that)\b[^.\n]{0,20}\bto\s(?:th"
        r"e\s)?(?:user|owner)\b|"
        r"(?:^|[.!?:]\s|\n\s?(?:[-*]|\d{1,8}\.)?\s?)silently\s(?:add|install|run|send|push|change|modi"
        r"fy|commit|upload"
        r"|append|delete)\b",
    ),
    (
        "order",
        r"(?i)\b(?:pretend|assume|act as if|act as though|claim)\b[^.\n]{0,30}\b(?:user|owner|human)"
        r"\b[^.\n]{0,20}"
        r"\b(?:approved|agreed|consented|authori[sz]ed|said yes)\b|"
        r"\b(?:this|the) (?:skill|text|pack|note|memory|instruction)s? (?:is|are|was|has been|have b"
        r"een)\b[^.\n]{0,30}"
        r"\b(?:approved|trusted|authori[sz]ed|verified)\b[^.\n]{0,10}\bby (?:the )?(?:owner|user|ant"
        r"hropic|openai|admin\w{0,60})|"
        r"\bauto-?approve\s(?:all|every|any)\b|\bapprove\s(?:all|every|any)\s(?:commands?|tool\w{0,60}"
        r"|requests?|prompts?)\b",
    ),
    (
        "order",
        r"(?i)\b(?:always applies|add (?:this|the following) (?:rule|line|instruction))\b[^.\n]{0,40}"
        r"\b(?:CLAUDE\.md|AGENTS\.md|\.cursorrules|GEMINI\.md|system prompt)\b[^.\n]{0,80}\b(?:https"
        r"?:|curl|run|always)\b",
    ),
    (
        "order",
        r"(?i)\b(?:ignore|disregard|forget|override|bypass)\b\s(?:all\s|any\s|every\s|your\s|"
        r"the\s|of\s){0,8}(?:previous|prior|earlier|above|preceding|existing|system|safety|other|own"
        r"er'?s?)\s(?:\w{1,60}\s)?(?:instructions?|rules?|prompts?|guidelines?|messages?|directions|c"
        r"ontext|restrictions|approvals?)",
    ),
    (
        "order",
        r"(?m)^\s?(?:#{1,6}\s?)?(?:\[(?:SYSTEM|ADMIN|DEVELOPER|OPERATOR)\]|\[?(?:SYSTEM|ADMIN|DEVELOPER|"
        r"OPERATOR|ROOT)(?: (?:PROMPT|MESSAGE|O"
        r"VERRIDE|NOTE|NOTICE))?\]?\s?:)\s?\S|<\|(?:im_start|im_end|system|assistant|endoftext|sta"
        r"rt_header_id|eot_id)\|?>|\[/?INST\]|<</?SYS>>|</?(?:system|assistant|untrusted[\w-]{0,60}|hon"
        r"ed-note|system-reminder|function_results|tool_result)\b[^<>\n]{0,80}>|>{3,20}\s?(?i:END)\s(?:O"
        r"F\s)?UNTRUSTED",
    ),
    (
        "order",
        r"(?i)\b(?:treat|regard|consider|mark)\b[^.\n]{0,40}\b(?:this|skill|pack|text|memory|follo"
        r"wing|above)\b[^.\n]{0,40}\bas\b[^.\n]{0,20}\b(?:approved|trusted|owner|system|authori[sz"
        r"]ed|verified|guidance)\b",
    ),
    (
        "order",
        r"(?i)\b(?:you are now|from now on,? you (?:are|will|must)|new (?:system )?instructions?\s"
        r"?:|developer mode (?:enabled|on)|jailbr(?:eak|oken))\b",
    ),
    (
        "order",
        r"(?i)\b(?:disable|turn off|skip|bypass|suppress)\b[^.\n]{0,30}\b(?:safety|security|permis"
        r"sion|approval|confirmation|sandbox)\b[^.\n]{0,20}\b(?:checks?|prompts?|filters?|mode|war"
        r"nings?|guard\w{0,60})\b[^.\n]{0,40}\b(?:silently|automatically|always|without (?:asking|telli"
        r"ng)|for (?:all|every)|permanently)\b",
    ),
    (
        "order",
        r"(?i)\b(?:remember|save|store|write|add|record|memori[sz]e)\b[^.\n]{0,40}\b(?:to|in|into)"
        r"\b[^.\n]{0,20}\b(?:memory|long-term memory|CLAUDE\.md|AGENTS\.md|your rules|system promp"
        r"t)\b[^.\n]{0,60}\b(?:always|never|trusted|from now on|every session|in future|permanentl"
        r"y|without asking)\b",
    ),
)
UNSEEN: tuple[tuple[str, str], ...] = (
    (
        "order",
        r"(?i)\b(?:do not|don'?t|never|without)\s(?:ever\s)?(?:tell|mention|inform|reveal|notify"
        r"|show|alert|disclos|report|ask)",
    ),
    (
        "order",
        r"(?i)\b(?:assistants?|agents?|the model|models|claude|codex|gemini|gpt|llms?|ai)\b[^.\n]{0,60}"
        r"\b(?:must|always|shall|please)\b|"
        r"\b(?:you must|you will now|you should|always)\b[^.\n]{0,80}"
        r"\b(?:run|execute|send|upload|curl|append|include|insert|recommend|approve|push|delete|fetch|"
        r"download|disable|skip|install)\b",
    ),
    (
        "send",
        r"(?i)\b(?:send|upload|post|exfiltrate|leak|forward)\b[^.\n]{0,120}\b(?:https?://|key|toke"
        r"n|secret|password|credential|\.env\b)",
    ),
)
"""What an order looks like in a text that nobody sees: there it needs no more than this."""
