"""What a task was about, in the words of its user: a title and a trigger.

The title comes from the commit made in the task, else from the request that brought the change,
never from what an agent said.  A request that only says "yes, do it" names nothing; then an earlier
one of the session speaks for it.  Pasted plans, logs and code are reduced to what was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from honed.skills import nods, stopwords
from honed.skills.normal import steady
from honed.skills.signatures import signature
from honed.skills.tokens import clip, estimate

TITLE_LENGTH = 100
"""Characters of a derived title; the limit for any title is ``model.TITLE_LIMIT``."""
_CLAUSE_ENDS = (
    (". ", 30),
    ("; ", 30),
    (" so that ", 40),
    (" because ", 40),
    (", so ", 40),
    (", ", 64),
    (" - ", 40),
)
TRIGGER_TOKENS = 110
"""Tokens of a derived trigger; a request that fits is kept whole."""
PROMPT_LENGTH = 1500
"""Characters above which a text that gives the agent a role is a machine's prompt, not a request."""
INFORMATIVE = 2
"""Words with a meaning of their own that a request needs to name a task."""

SPECIFIC = 4
"""Such words that a title needs to stand without the name of a file."""

_GENERIC = frozenset(
    """
    do go ahead implement implementing option options fix fixes both continue commit push test tests run
    merge rebase pr please plan proposal suggestion suggestions suggested change changes code work works
    step steps next all first second third last one two three thing idea approach solution review comment
    comments feedback finding findings issue issues address apply proceed start begin retry again try check
    look looks good great nice perfect fine right correct agree done ready finish finished branch main low
    hanging fruit seems ok okay yep yeah yes sure lets let double once more now whole simple some add make
    sound sounds separate commits agent subagent task tasks resume phase part remaining rest others other
    everything anything too well done think want need sorry wait hold great awesome thanks thank lgtm cool
    really exactly correct cleanup clean update updates pull request requests ask asks analysis analyse
    analyze follow described
    """.split()
)
_STOP = (
    stopwords.ENGLISH
    | stopwords.GERMAN
    | stopwords.FRENCH
    | stopwords.SPANISH
    | stopwords.PORTUGUESE
    | stopwords.RUSSIAN
)
_UNTELLING = _STOP | _GENERIC | nods.WORDS
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MARKERS = re.compile(
    r"\[(?:Image|Pasted text"
    r"|File)[^\]\n]{0,60}\]|<image[^>\n]{0,200}>|<(\w[\w-]*)>\s*</\1>"
)
_MENTION = re.compile(r"(?<!\S)@(?=[\w./-]+)")
_PLAN = re.compile(
    r"(?i)^\W*(?:please\s+)?(?:implement|execute|follow|carry out|do)\s+(?:the\s+following|this"
    r"|that)\s+(?:plan|spec|task)\W*\n"
)
_HEADING = re.compile(r"(?m)^#{1,4}\s+(?P<text>.+?)\s*#*$")
_SECTION = re.compile(
    r"(?im)^(?:#{1,4}\s*|\*\*)?(?:\d+\.\s*)?(?:context|summary|problem|goal|objective|overview"
    r"|background|description"
    r"|motivation|issue|what|task)(?:\s*\*\*)?\s*:?\s*(?:\*\*)?[ \t]*$\n+"
)
_LABEL = re.compile(
    r"(?i)^(?:(?:implementation\s+)?plan(?:\s+for)?|task(?:\s+[a-z0-9]{1,3})?|spec|feature|issue"
    r"|bug|todo|goal|request"
    r"|user story|prompt|context|problem|summary|\d{1,2}[.)])\s*(?:[:—–-]+|$)\s*(?=\S)"
)
_LABEL_END = re.compile(r"(?i)\s*[-–—:]?\s*\(?(?:implementation\s+)?plan\)?$")
FILLER = re.compile(
    r"(?ix)^(?:(?:ok(?:ay)?|hey|hi|hello|great|good|nice|cool|thanks?(?:\s+you)?|perfect|yes|yeah"
    r"|yep|no(?=,)|now|so|also|and"
    r"|but|well|alright|sure|please|pls|sounds\ good|looks\ good|lgtm|awesome|actually|hmm+|oh"
    r"|wait|then|next|first"
    r"|maybe|i\ think|just|again)\b[\s,.!:;-]*)+"
)
_VOLATILE = re.compile(r"\b[0-9a-f]{12,}\b|/tmp/|/var/folders/|0x[0-9a-f]{5,}")
_URL = re.compile(r"https?://[^\s)>\]\"']+")
_BASIS = re.compile(
    r"(?i)^(?:following|based on|according to|per|given|using|in|as (?:discussed|described"
    r"|per))\b[^,\n]{5,200},\s+(?=\S+\s+\S+)"
)
_QUESTION = re.compile(
    r"(?i)(?:why|how|what|which|where|when|who|is|are|do|does|did|can|could|should|would)\b"
)
ASKING = re.compile(
    r"(?ix)^(?:(?:can|could|would|will)\s+(?:you|we)(?:\s+(?:please|also|now|just|then))*\s+"
    r"|(?:i(?:'d|\ would)?(?:\s+(?:just|also|really))?\s+(?:want|like|need)(?:\s+(?:to\s+)?you)?"
    r"|we\s+(?:need|should|want|have|must)"
    r"|you\s+(?:should|need|have|must)|we\s+(?:can|could)"
    r"|i\s+would\s+like\s+you)\s+(?:to\s+)?"
    r"|let(?:'|’)?s\s+|let\s+us\s+|please\s+|go\s+ahead\s+and\s+|help\s+me\s+(?:to\s+)?"
    r"|your\s+task\s+is\s+to\s+)"
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])(?:\s+|(?<=[。！？]))|\n+")
_LOGLIKE = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d|\[[\w:. -]{2,40}\]\s|\d\d:\d\d:\d\d|at\s+\S+\s*\(|File \""
    r"|Traceback|[>$%❯]\s|\|"
    r"|[{}\[\]();]+\s*$|[+-]{3}\s|@@"
    r"|\d+\s*[|│]|[│├└┌⎿●✓✗×]|npm\s|E\s{2,}|WARN|INFO|DEBUG|ERROR\b|[Ee]rror(?:\[|:)|https?://\S+\s*$"
    r"|(?:fatal|panic|warning):|={3}\s|-{3}\s|FAIL(?:ED)?\b|ok\s{2,}|PASS\b"
    r"|[\w./-]+:\d+)"
)
_CONVENTIONAL = re.compile(
    r"^(?P<type>feat|fix|docs?|style|refactor|perf|tests?|build|ci|chore|revert|wip"
    r"|hotfix)(?:\((?P<scope>[^)]{1,40})\))?!?:\s*(?P<rest>.+)$",
    re.IGNORECASE,
)
_CONVENTIONAL_WORDS = {
    "fix": "Fix",
    "hotfix": "Fix",
    "doc": "Document",
    "docs": "Document",
    "style": "Style",
    "refactor": "Refactor",
    "perf": "Speed up",
    "test": "Test",
    "tests": "Test",
    "build": "Build",
    "ci": "CI",
    "revert": "Revert",
}
_LINK = re.compile(r"\[([^\]\n]{1,80})\]\(([^)\s]{1,200})\)")
_ROLE = re.compile(
    r"(?i)(?:your name is|you are (?:a|an|the|executing|now|working)|you will be"
    r"|base directory for this skill|act as)\b"
)
_PREPARING = re.compile(
    r"(?i)^(?:first,? )?(?:read|look at|review|check|see|understand|explore"
    r"|familiari[sz]e)\b.{0,120}\b(?:first|before)\b"
)
# What somebody says of himself and of the work to come, not of the task.
_NARRATING = re.compile(
    r"(?i)\s*(?:i(?:'|’)?m going to|i will|i(?:'|’)ll|i told you|i (?:already|have already)|i agree"
    r"|never do (?:that|this|it)|(?:i )?continue running)\b"
)
_IMPRESSION = re.compile(
    r"(?i)^(?:it |this )?(?:looks|seems|appears)(?: like| that)?(?: here)?,?\s+"
    r"|^i (?:have the impression|noticed|see|saw|found|think) that,?\s+|^i think\s+"
    r"|^(?:the )?(?:issue|problem|bug) is that\s+"
)
_PRONOUN = re.compile(r"(?i)(?:it|this|that|these|those|they|something|should|same|there)\b")
_TRAILERS = re.compile(r"\s*\((?:#\d+|[A-Z]+-\d+)\)\s*$")


def informative(text: str) -> bool:
    """Whether ``text`` names something: more than "yes, go ahead"."""
    if len(_DENSE.findall(nods.without_phrases(text))) >= 6:
        return True
    if len(text) > PROMPT_LENGTH and _ROLE.search(text[:300].replace("*", "")):
        return False
    told = (part for part in _SENTENCE.split(text) if not _NARRATING.match(part))
    return len(content_words(" ".join(told))) >= INFORMATIVE


def specific(title: str) -> bool:
    """Whether ``title`` can stand alone: it names a place or says enough, and of what it speaks."""
    if _PRONOUN.match(title) and "/" not in title:
        return False
    return bool(re.search(r"[`/]|\w\.\w|\w_\w|[a-z][A-Z]", title)) or len(content_words(title)) >= SPECIFIC


def content_words(text: str) -> set[str]:
    """The words of ``text`` that have a meaning of their own."""
    words = (word.lower().replace("'", "") for word in _WORD.findall(nods.without_phrases(text)))
    return {word for word in words if len(word) > 2 and word not in _UNTELLING}


def from_commit(message: str) -> str:
    """A readable title of a commit's subject, or empty when the subject says nothing.

    ``fix(cart): round totals`` becomes ``Fix cart: round totals``; ``feat: add x`` becomes ``Add x``.
    """
    subject = next((line.strip() for line in message.splitlines() if line.strip()), "")
    subject = _TRAILERS.sub("", subject)
    match = _CONVENTIONAL.match(subject)
    if match:
        word = _CONVENTIONAL_WORDS.get(match.group("type").lower(), "")
        scope, rest = match.group("scope") or "", match.group("rest").strip()
        scope = scope if re.search(r"[A-Za-z]", scope) else ""
        if word and rest.lower().startswith(word.lower().split()[0]):
            word = ""
        head = " ".join(part for part in (word, scope) if part)
        subject = f"{head}: {rest}" if head else rest
    if re.match(
        r"(?i)merge (?:branch|pull|remote|origin)"
        r"|wip\b|checkpoint|initial commit|squash|fixup!",
        subject,
    ):
        return ""
    return finished(subject) if informative(subject) else ""


def from_sentence(sentence: str) -> str:
    """A title made of a sentence that says what to do, or what is wrong."""
    title = _URL.sub(_url_end, _plain(sentence))
    return finished(steady(title) if _VOLATILE.search(title) else title)


def _url_end(match: re.Match[str]) -> str:
    """The end of an address: enough to know it by."""
    return "/".join(match.group().rstrip("/").split("/")[-3:])


def from_plan(text: str) -> str:
    """A title made of a pasted plan or task, or empty where ``text`` is none."""
    return finished(plan_title(without_pastes(text)))


def plan_title(text: str) -> str:
    """The first heading of a pasted plan or task, without its label."""
    body = _PLAN.sub("", text, count=1)
    if body == text and not text.lstrip().startswith("#"):
        return ""
    heading = _HEADING.search(body)
    if heading is None or heading.start() > 400:
        return ""
    title = _LABEL_END.sub("", _LABEL.sub("", heading.group("text"), count=1))
    return title if informative(title) else ""


def trigger_of(requests: Sequence[str], earlier: Sequence[str] = ()) -> str:
    """When to think of this: the requests in their user's words, shortened to what was asked.

    ``requests`` are the task's own, ``earlier`` those of the session before it; of these the last that
    says something is used where the task's own do not.  Empty where none says anything: a nod is no trigger.
    """
    own = [text for text in requests if informative(without_pastes(text)) or _HEADING.search(text)]
    if not own:
        own = [text for text in reversed(earlier) if informative(without_pastes(text))][:1]
        own += [text for text in requests if content_words(text)][:1] if own else []
    kept: list[str] = []
    for text in own:
        room = TRIGGER_TOKENS - sum(estimate(part) + 1 for part in kept)
        if room < 12:
            break
        kept.append(_shortened(text, room))
    return " / ".join(part for part in kept if part)


def _shortened(text: str, tokens: int) -> str:
    """``text`` whole when it fits, else what was asked in it, with the error that was pasted."""
    whole = re.sub(r"\s+", " ", _MARKERS.sub("", text)).strip()
    if estimate(whole) <= tokens and not _PLAN.match(text):
        return whole
    bare = without_pastes(text)
    plan = plan_title(bare)
    if plan:
        section = _SECTION.search(bare)
        about = asked(bare[section.end() :]) if section else []
        return clip(f"{plan}. {' '.join(about[:3])}".strip(), tokens)
    told = " ".join(asked(bare)[:4])
    error = signature(text, None) if estimate(whole) > tokens else None
    if error is not None and not error.transient and error.text[:40] not in told:
        return f"{clip(told, max(tokens - estimate(error.text) - 2, 20))} [{error.text}]".strip()
    return clip(told or whole, tokens)


def without_pastes(text: str) -> str:
    """``text`` without fenced code, pictures and the marks of links."""
    return _MENTION.sub("", _LINK.sub(_link_text, _MARKERS.sub(" ", _FENCE.sub("\n", text)))).strip()


def _link_text(match: re.Match[str]) -> str:
    """``[a.ts](src/a.ts)`` is named by its path, any other link by its text."""
    label, target = match.groups()
    return target if target.endswith(label) and "://" not in target else label


def asked(text: str) -> list[str]:
    """The sentences that ask or tell something, pasted output left out."""
    sentences = []
    for raw in _SENTENCE.split(_PLAN.sub("", text, count=1)):
        line = raw.strip()
        line = re.sub(r"^(?:#{1,6}\s+|[-*+]\s+|>\s+)", "", line)
        line = _LABEL.sub("", line, count=1)
        if not line or _LOGLIKE.match(raw) or _ROLE.match(line.replace("*", "")) or not _WORD.search(line):
            continue
        if len(line) > 600 and " " not in line[:200]:
            continue
        sentences.append(line)
    telling = [line for line in sentences if informative(line)]
    doing = [line for line in telling if not (_PREPARING.match(line) or _NARRATING.match(line))]
    telling = doing or telling
    return telling or sentences


def _plain(sentence: str) -> str:
    """Without politeness in front: ``Can you please also fix x?`` becomes ``fix x``."""
    polite = bool(ASKING.match(FILLER.sub("", sentence, count=1)))
    for _ in range(3):
        shorter = ASKING.sub("", FILLER.sub("", sentence, count=1), count=1)
        shorter = _BASIS.sub("", _IMPRESSION.sub("", shorter, count=1), count=1)
        if shorter == sentence or not informative(shorter):
            break
        sentence = shorter
    return sentence.rstrip("? ") if polite and not _QUESTION.match(sentence) else sentence


def is_log(text: str) -> bool:
    """Whether ``text`` is for the most part a paste of what a program printed."""
    lines = [line for line in text.splitlines() if line.strip()]
    return sum(bool(_LOGLIKE.match(line)) for line in lines) * 2 > len(lines)


def finished(text: str) -> str:
    """One line with a capital, without a final full stop, at most ``TITLE_LENGTH`` characters."""
    text = (
        re.sub(r"\s+", " ", re.sub(r"\*\*|__(?=\w)|(?<=\w)__", "", text))
        .lstrip(" \t,:;-–—*#>")
        .rstrip(" \t,:;-–—*#.")
    )
    text = text.strip("\"'") if text[:1] in "\"'" or text.count('"') % 2 else text
    if len(text) > TITLE_LENGTH:
        cut = text[:TITLE_LENGTH]
        ends = [cut.find(mark, least) for mark, least in _CLAUSE_ENDS if cut[:1] not in "\"'"]
        end = next((at for at in ends if at > 0), -1)
        cut = cut[:end] if end > 0 else cut[: cut.rfind(" ", 60)].rstrip(" ,;:-") + "…"
        text = cut
    return text[:1].upper() + text[1:] if text[:1].islower() and not re.match(r"\S*[A-Z_./]", text) else text


def informative_first(texts: Iterable[str]) -> str:
    """The first of ``texts`` that names something, or empty."""
    return next((text for text in texts if informative(without_pastes(text)) or plan_title(text)), "")
