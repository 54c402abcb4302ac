"""Whether the user asked for just that: a test skipped, a threshold lowered, snapshots renewed.

Words of seven languages, by kind; a clause must name the deed and its object, and not forbid it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from honed.sessions.model import Request
from honed.verdict.test_files import words_of

REQUEST_LIMIT = 40_000
"""Characters of one request that are read."""
REACH = 60
"""How many characters a deed and its object may stand apart."""

_SKIP = (
    r"\bskip|\bignor|\bdisabl|\bxfail|\bexclud|\bdeactivat|\bquarantin|turn(?:ed)? off|\bmut(?:e|ing)\b|expected to fail|expected fail|\bpark\b|\bfocus"
    r"|überspr|deaktivier|auslass|weglass|abschalt|ausschalt|ausklammer|\bschalte?\b.*\bab\b"
    r"|пропус|отключ|игнор|скип|выключ|исключ|заскип"
    r"|désactiv|\bsaut|\bpasse[rz]? outre|\bexclu|\bomit|\bomet|\bsalt|\bdeshabilit|\bdesactiv|\bpul[ea]|\bdesativ|\bdesabilit"
    r"|跳过|忽略|禁用|停用|关闭|屏蔽|排除|注释掉|\bcomment(?:ed|ing)? out|auskommentier|закомментир|\bcoment[ae]|\bcomment(?:e|er|ez)\b"
)
_DELETE = (
    r"\bdelet|\bremov|\bdrop|get rid|\bclean|\bprun|\bkill|\bretir|\bdeprecat|\bdiscard|\bobsolete|\boutdated|\bmerg|\bconsolidat|\bdedup|\bduplicat|\bredundan"
    r"|\bsimplif|\brip out|\bstrip|\bpurg|\bunused|point of|\bpointless|\buseless|\bunnecessar|really need|\breplac|\bmigrat|\brewrit|\bcollaps|\breduc|\bfewer|\btrim|\bno longer|\bextract|\bsplit|\bmov(?:e|ing)\b"
    r"|\blösch|\bentfern|\bstreich|aufräum|\bersetz|veraltet|überflüss|\braus\b|\bzusammen"
    r"|удал|убер|убрат|убира|выкин|снес|почист|устаревш|замен|перенес|объедин|выпил"
    r"|\bsupprim|\benlev|\bretir|\beffac|\bélimin|\bremplac|\bobsolèt|\belimin|\bborr|\bquit[ae]|\bsuprim|\breemplaz|\bremov|\bapag|\bexclu|\btir[ea]|\bsubstitu"
    r"|删除|移除|去掉|清理|删掉|删去|替换|合并|迁移|过时|废弃"
)
_LOOSEN = (
    r"\bloosen|\brelax|\bweaken|less strict|\btoleran|\bapproximat|\bsoften|\blenient|\bwiden|only check|just check|\bbrittle"
    r"|locker|abschwäch|weniger streng|ослаб|смягч|менее строг|допус|погрешн|assoupl|relâch|tolér|moins strict"
    r"|\brelaj|flexibil|menos estrict|\bafroux|menos rígid|放宽|放松|宽松|容差"
)
_RENEW = (
    r"\bupdat|\bregenerat|\brefresh|\baccept|\brewrit|\badjust|\badapt|\brecord|\bre-?record|\brenew|\bre-?baseline|\bapprov"
    r"|(?:\bfix|\bcorrect|\bchang)\w* (?:\w+ ){0,3}(?=test|spec|snap|expect|golden|assert)"
    r"|aktualisier|erneuer|anpass|neu erzeug|korrigier|обнов|перегенер|поправ|исправ|перезапиш|mets? à jour|mettre à jour|mettez à jour|régénér|actualis|corrig"
    r"|actualiz|regener|arregl|atualiz|corrij|ajust|更新|重新生成|刷新|修正|调整"
)
_LOWER = (
    r"\blower|\breduc|\bdecreas|\bdrop|\brelax|\bset\b|\bdown\b|\bchang|\ballow|\braise|\bincreas|\bdisabl|\bremov|\bloosen|\bbump"
    r"|\bsenk|reduzier|herab|\bsetze|entfern|сниз|пониз|уменьш|поставь|увелич|убер|baiss|abaiss|rédui|diminu|\bbaj|\breduc|disminu|\bbaix|reduz|\bquit"
    r"|降低|调低|减少|设为|改成|下调"
)
_MOCK = r"\bmock|\bstub|\bfak(?:e|ing)|\bpatch|\bspy|\bsimulat|мок|заглуш|подмен|simul|fing|模拟|打桩|伪造"
_TOLERATE = (
    r"may fail|can fail|allow\w*.{0,40}\bfail|non-?blocking|not block|continue[- ]on[- ]error|best[- ]effort|(?:don'?t|not|never|shouldn'?t|without) (?:\w+ ){0,3}(?:fail|break|block)|ignor|toler|\|\| ?true"
    r"|optional|informational|advisory|swallow|suppress|exit 0|allow_failure|pass ?with ?no ?tests|no tests"
    r"|darf.{0,40}fehlschlag|nicht (?:blockier|abbrech|scheiter)|ignorier|не (?:падал|блокир|ломал|валил)|может (?:упасть|падать)|игнор|необязат"
    r"|peut échouer|ne (?:doit|devrait) pas (?:bloquer|échouer)|non bloquant|puede fallar|no (?:bloque|falle|rompa)|pode falhar|não (?:bloque|falhe|quebre)|允许失败|不阻塞|不要失败|忽略"
)

_TEST = r"\btest|\bspec\b|\bspecs\b|\bsuite|\bcase|\bassert|\bcheck|\bexpect|prüf|тест|провер|ассерт|\bprueba|\bteste|\bessai|测试|断言|用例|检查|期望|\bit\(|\bdescribe\("
_SNAPSHOT = r"snapshot|\bsnap\b|golden|baseline|expected|fixture|cassette|reference|approved|снапшот|снимк|эталон|instantán|快照|基准|\btest|тест|测试|prueba|teste"
_THRESHOLD = r"coverage|threshold|\bcov\b|fail[_-]under|\blimit|warning|minimum|\bbar\b|percent|%|abdeckung|schwell|grenz|warnung|покрыт|порог|предупрежд|couverture|seuil|avertissement|cobertura|umbral|limite|límite|avis|aviso|覆盖率|阈值|警告|门槛"
_GATE = r"\bci\b|\btest|\bscript|\bstep|\bjob|\bworkflow|\bpipeline|\bbuild|\blint|\bmake|\bhook|\bcheck|\bcommand|тест|скрипт|шаг|сборк|линт|schritt|étape|paso|etapa|prueba|teste|测试|脚本|步骤|流水线|构建"
_ANY = r""

ASKING: dict[str, tuple[tuple[str, str], ...]] = {
    "assertion_removed": ((_DELETE, _TEST), (_LOOSEN, _TEST), (_SKIP, _TEST)),
    "assertion_loosened": ((_LOOSEN, _TEST), (_DELETE, r"\bassert|\bexpect|ассерт|断言")),
    "expectation_rewritten": ((_RENEW, _TEST), (_RENEW, _SNAPSHOT), (_LOOSEN, _TEST)),
    "test_deleted": ((_DELETE, _TEST), (_SKIP, _TEST)),
    "test_skipped": ((_SKIP, _TEST), (_DELETE, _TEST)),
    "test_disabled": (
        (_SKIP, _TEST),
        (_DELETE, _TEST),
        (r"\brenam|umbenenn|переимен|renomm|renombr|renome|重命名", _TEST),
    ),
    "tests_narrowed": (
        (_SKIP, _TEST),
        (_DELETE, _TEST),
        (
            r"\bonly\b|\bsplit|\bseparate|\bmov(?:e|ing)|\bmarker|\bunit\b.*\bintegration|\bselect|\bnur\b|только|seulement|solo|apenas|只|拆分",
            _TEST,
        ),
    ),
    "threshold_lowered": ((_LOWER, _THRESHOLD),),
    "snapshot_rewritten": ((_RENEW, _SNAPSHOT),),
    "result_mocked": ((_MOCK, _ANY),),
    "failure_ignored": ((_TOLERATE, _ANY), (_DELETE, _TEST)),
}
"""By kind: pairs of (words for the deed, words for its object) that a clause must hold."""

_CLAUSES = re.compile(r"[.;!?](?=\s|$)\s*|[。；！？\n]+\s*|,?\s+(?:but|aber|но|mais|pero|mas)\s+|，但")
_NOT = re.compile(
    r"(?i)\b(?:do not|don'?t|dont|never|without|not|no|avoid|must not|mustn'?t|cannot|can'?t|shouldn'?t|rather than|kein\w*|nicht|ohne|nie|sans|ne|n'|sin|ni|nunca|sem|não|nem)\b|\b(?:не|без|нельзя|никогда|ни)\b|不要|不能|不得|不许|别|勿|禁止|避免|无需|不"
)
_NOT_AFTER = re.compile(r"(?i)\b(?:nicht|keine?[nrsm]?|pas)\b")
_TOUCH = re.compile(
    r"(?i)\bchang|\bmodif|\btouch|\bedit|\balter|\bweaken|\bupdat|\badjust|\bänder|anfass|anrühr|\bverändere|трог|меня|измен|правь|редактир|\btouche|\bcambi|\btoc|\balter|\bmud|\bmex|改|动|修改|更改|碰"
)
_KEEPS = re.compile(
    r"(?i)\brefactor|(?:must|should|may|do(?:es)?|will) ?n[o']t change|(?:no|without)(?: any)?(?: \w+)? chang\w*|unchanged|stays? the same|(?:keep|preserv)\w* (?:the )?(?:\w+ )?(?:behaviou?r|output|markup|rendering|api|format)|behaviou?r[- ]preserving"
    r"|pure(?:ly)? (?:mechanical|refactor)|refaktor|unverändert|gleich bleib|рефактор|не (?:должн\w+ )?(?:измен|меня)|без изменени|refactor|refatora|sans changer|sin cambiar|sem mudar|重构|保持不变|不改变"
)
_COMMANDS = re.compile(r"```.*?```|`[^`\n]*`", re.S)


def asked_for(requests: Iterable[Request], kind: str, path: str, names: Iterable[str] = ()) -> bool:
    """Whether a request asks for this kind of change; ``names`` are the tests (or values) it is about.

    Deleting is also asked for by a clause that deletes what the tests are about: a word of the file's or
    the test's name with a word for removing.
    """
    subject = frozenset().union(*(words_of(name) for name in names), words_of(path.rpartition("/")[2]))
    return any(
        _clause_asks(clause, kind, subject) for request in requests for clause in _clauses(request.text)
    )


def _clause_asks(clause: str, kind: str, subject: frozenset[str]) -> bool:
    for deed, thing in _PATTERNS[kind]:
        for match in deed.finditer(clause):
            near = clause[max(0, match.start() - REACH) : match.end() + REACH]
            if not _negated(clause, match.start(), match.end()) and thing.search(near):
                return True
    if kind in ("test_deleted", "assertion_removed"):
        deleting = _DELETING.search(clause)
        if deleting and not _negated(clause, deleting.start(), deleting.end()):
            return bool((subject - words_of(deleting.group())) & _words_in(clause))
    return False


_PATTERNS = {
    kind: tuple((re.compile(deed, re.IGNORECASE), re.compile(thing, re.IGNORECASE)) for deed, thing in pairs)
    for kind, pairs in ASKING.items()
}
_DELETING = re.compile(
    r"\b(?:delet(?:e|ing|ion)|remov(?:e|ing|al)|drop(?:ping)?|get(?:ting)? rid|clean(?:ing)? ?(?:up|out)|prun(?:e|ing)|kill|retir(?:e|ing)|deprecat(?:e|ed|ing)|discard(?:ing)?"
    r"|obsolete|outdated|unused|no longer|rip(?:ping)? out|strip(?:ping)?|purg(?:e|ing)|dead code)\b"
    r"|\blösch|\bentfern|\bstreiche|veraltet|überflüss|удал|убер[иеё]|убрать|выкин|снес|выпил|устаревш"
    r"|\bsupprim|\benlève|\benlever|\bretire[rz]?\b|\bélimin|obsolèt|\belimin[ae]|\bborra|\bquita|\bsuprim|\bremov[ae]|\bapag[au]|删除|移除|去掉|删掉|废弃",
    re.IGNORECASE,
)


def _words_in(clause: str) -> frozenset[str]:
    words = words_of(clause)
    return frozenset(word for word in words if len(word) > 2) | {
        w.removesuffix("s") for w in words if len(w) > 3
    }


def _negated(clause: str, start: int, end: int) -> bool:
    before, after = clause[max(0, start - 32) : start], clause[end : end + 48]
    return bool(_NOT.search(before) or _NOT_AFTER.search(after))


@lru_cache(maxsize=64)
def _clauses(text: str) -> tuple[str, ...]:
    return tuple(clause for clause in _CLAUSES.split(text[:REQUEST_LIMIT]) if clause.strip())


def forbids_test_changes(requests: Iterable[Request]) -> bool:
    """Whether a request says that the tests must stay as they are."""
    for request in requests:
        for clause in _clauses(request.text):
            if not _TESTS.search(clause):
                continue
            for match in _TOUCH.finditer(clause):
                before, after = (
                    clause[max(0, match.start() - 24) : match.start()],
                    clause[match.end() : match.end() + 24],
                )
                near = clause[max(0, match.start() - 40) : match.end() + 60]
                if (_NOT.search(before) or _NOT_AFTER.search(after)) and _TESTS.search(near):
                    return True
    return False


_TESTS = re.compile(
    r"(?i)\btests?\b|\bspecs?\b|\bassertion|\bsnapshot|\bтест|\bprueba|\btestes?\b|测试|断言|\btestdatei"
)


def keeps_behaviour(requests: Iterable[Request]) -> bool:
    """Whether a request says that what the program does must stay as it is."""
    return any(_KEEPS.search(request.text[:REQUEST_LIMIT]) for request in requests)


def speaks_of_tests(requests: Iterable[Request]) -> bool:
    """Whether a request is about tests, or says too little to tell (a bare "yes", no request at all)."""
    texts = [request.text[:REQUEST_LIMIT] for request in requests]
    return not any(len(text.split()) > 3 for text in texts) or any(_ABOUT.search(text) for text in texts)


_ABOUT = re.compile(
    r"(?i)\btest|\bspec|\bexpect|\bassert|\bsnapshot|\bsuite\b|\bci\b|\bfixture|\bgolden|\breview|\bcomment|\bcoverage|\bbuild\b|\bgreen\b|\bred\b|\bpass(?:es|ing)?\b|\bplan\b|тест|провер|ожида|prüf|erwart|essai|attend|prueba|espera|teste|测试|断言|期望"
)
