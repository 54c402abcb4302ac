"""Words in which users of seven languages ask for weaker tests, or forbid them.

English deeds stand in the forms of a wish ("skip", "skipping", "should be skipped"), not of a description
("skips"); the other languages (de, ru, fr, es, pt, zh, in this order) as stems.
"""

from __future__ import annotations

import re


def _any(*patterns: str) -> str:
    return "|".join(patterns)


def _wish(verbs: str) -> str:
    """The wish forms of English verbs: ``drop`` also as ``dropping`` and ``be dropped``."""
    forms = []
    for verb in verbs.split():
        stem = verb.removesuffix("e")
        doubled = re.fullmatch(r"(?:[a-z]*[^aeiou])?[aeiou]([bdgmnprt])", verb)
        stem += doubled.group(1) if doubled else ""
        forms.append(rf"{verb}|{stem}ing|(?:be|as|are|get) {stem}ed")
    return rf"\b(?:{'|'.join(forms)})\b"


SKIP = _any(
    _wish("skip ignore disable xfail exclude deactivate quarantine mute park omit"),
    r"\bturn(?:ing)? off|\bcomment(?:ing)? out|\bexpected to fail|\bleave out|\bfocus on",
    r"überspring|deaktivier|auslass|weglass|abschalt|ausschalt|ausklammer|auskommentier|\bschalte?\b.*\bab\b",
    r"пропус|отключ|игнорир|скипн|заскип|выключ|исключ|закомментир",
    r"désactiv|\bsaute[rz]?\b|\bexclu[ets]|\bomet",
    r"\bomit[aei]|\bsalt[ae]|\bdeshabilit|\bdesactiv|\bcoment[ae]\b",
    r"\bpul[ea]\b|\bpular\b|\bdesativ|\bdesabilit",
    r"跳过|忽略|禁用|停用|关闭|屏蔽|排除|注释掉",
)
DELETE = _any(
    _wish(
        "delete remove drop prune kill retire discard strip purge merge consolidate dedupe deduplicate"
        " simplify"
        " replace migrate rewrite collapse reduce trim shorten fold extract split convert clean"
    ),
    r"\bget(?:ting)? rid|\brip(?:ping)? out|\bobsolete|\boutdated|\bredundant|\bduplicated?\b|\bunused",
    r"\bpoint of|\bpointless|\buseless|\bunnecessary|\breally need|\bno longer need|\bgrown too",
    r"\blösch|\bentfern|\bstreich|aufräum|\bersetz|veraltet|überflüss|\bzusammenf",
    r"удал[иея]|убер|убрат|выкин|снес|почист|устаревш|замен[ия]|перенес|объедин|выпил",
    r"\bsupprim|\benlève|\benlever|\beffac|\bélimin|\bremplac|\bobsolèt",
    r"\belimin[ae]|\bborra|\bquita|\bsuprim|\breemplaz",
    r"\bremov[ae]|\bapag[au]|\bsubstitu",
    r"删除|移除|去掉|清理|删掉|删去|替换|合并|迁移|过时|废弃",
)
LOOSEN = _any(
    _wish("loosen relax weaken tolerate approximate soften widen"),
    r"\bless strict|\blenient|\btoleran|\bonly check|\bjust check|\bbrittle",
    r"locker|abschwäch|weniger streng",
    r"ослаб|смягч|менее строг|допус|погрешн",
    r"assoupl|relâch|tolér|moins strict",
    r"\brelaj|flexibil|menos estrict",
    r"\bafroux|menos rígid",
    r"放宽|放松|宽松|容差",
)
RENEW = _any(
    _wish(
        "update regenerate refresh accept rewrite adjust adapt record rerecord renew approve change fix"
        " correct"
    ),
    r"aktualisier|erneuer|anpass|passe\b.*\ban\b|neu erzeug|korrigier",
    r"обнов|перегенер|поправ|исправ|перезапиш",
    r"mets? à jour|mettre à jour|mettez à jour|régénér|actualis|corrig",
    r"actualiz|regener|arregl",
    r"atualiz|corrij|ajust",
    r"更新|重新生成|刷新|修正|调整",
)
LOWER = _any(
    _wish("lower reduce decrease drop relax set change allow raise increase disable remove loosen bump"),
    r"\bsenk|reduzier|herab|\bsetze|entfern",
    r"сниз|пониз|уменьш|поставь|увелич|убер",
    r"baiss|abaiss|rédui|diminu",
    r"\bbaj[ae]|\breduc|disminu|\bquit",
    r"\bbaix|reduz",
    r"降低|调低|减少|设为|改成|下调",
)
MOCK = _any(
    _wish("mock stub fake simulate"), r"\bmocken", r"\bмок|заглуш|подмен", r"\bsimul[ae]", r"模拟|打桩|伪造"
)
TOLERATE = _any(
    r"\b(?:may|can|might|allowed? to) fail|\ballow\w*.{0,30}\bfail|\bnon-?blocking|\bnot block",
    r"\bcontinue[- ]on[- ]error|\bbest[- ]effort|\binformational|\badvisory|\|\| ?true|\ballow_failure",
    r"(?:\bdo not|\bdon'?t|\bnever|\bshouldn'?t|\bshould not|\bwithout) (?:\w+ ){0,2}(?:fail|break"
    r"|block)(?:ing)?\b",
    r"\bpass ?with ?no ?tests|(?:no|without) tests|\bignor(?:e|ing) (?:\w+ ){0,3}(?:fail|error|exit)",
    r"darf.{0,40}fehlschlag|nicht (?:blockier|abbrech|scheiter)",
    r"не (?:падал|блокир|ломал|валил)|может (?:упасть|падать)|необязат",
    r"peut échouer|ne (?:doit|devrait) pas (?:bloquer|échouer)|non bloquant",
    r"puede fallar|no (?:bloque|falle|rompa)",
    r"pode falhar|não (?:bloque|falhe|quebre)",
    r"允许失败|不阻塞|不要失败",
)
RENAME = _any(
    _wish("rename"), r"\bumbenenn|\bbenenne\b", r"переимен", r"\brenomm", r"\brenombr|\brenome", r"重命名"
)
ONLY = _any(
    r"\bonly run|\brun only|\bjust run|\b(?:split|separate)\b.{0,20}(?:unit|integration|e2e|slow)",
    r"\bnur\b",
    r"только",
    r"\bseulement|\bsolo\b|\bapenas\b",
    r"只运行|只跑",
)

TEST = _any(
    r"\btests?\b|\btest_\w|\w+[._]test\b|\bspecs?\b|\btest ?suites?\b|\btest ?cases?\b|\bassert",
    r"\bexpect(?:ation|s|ed)?\b|\bit\(|\bdescribe\(",
    r"\bprüf|\w*test(?:s|fälle|datei\w*)?\b",
    r"тест|ассерт",
    r"\bessais?\b",
    r"\bprueba|\btestes?\b",
    r"测试|断言|用例|期望",
)
ASSERTION = r"\bassert|\bexpect|\bchecks?\b|ассерт|провер|断言|检查|期望"
SNAPSHOT = _any(
    r"snapshot|\bsnaps?\b|\bgolden|\bbaselines?\b|\bexpected\b|\bfixtures?\b|\bcassettes?\b",
    r"снапшот|снимк|эталон",
    r"instantán|快照|基准",
    TEST,
)
THRESHOLD = _any(
    r"coverage|threshold|\bcov\b|fail[_-]under|max-?warnings|\bwarnings\b|\bminimum\b|\bbar\b",
    r"abdeckung|schwell|\bgrenz|warnungen",
    r"покрыт|порог|предупрежд",
    r"couverture|seuil|avertissement",
    r"cobertura|umbral|\blímite|\bavisos?\b",
    r"覆盖率|阈值|警告|门槛",
)
GATE = _any(
    r"\bci\b|\btests?\b|\bscript|\bstep|\bjob|\bworkflow|\bpipeline|\bbuild\b|\blint|\bmake\b|\bhook"
    r"|\bchecks?\b",
    r"\bnightly|\bbeta\b|schritt",
    r"тест|скрипт|шаг|сборк|линт",
    r"étape|\bpaso\b|\betapa|prueba|teste",
    r"测试|脚本|步骤|流水线|构建",
)
ANYTHING = ""

ASKING: dict[str, tuple[tuple[str, str], ...]] = {
    "assertion_removed": ((DELETE, TEST), (DELETE, ASSERTION), (LOOSEN, TEST)),
    "assertion_loosened": ((LOOSEN, TEST), (LOOSEN, ASSERTION), (DELETE, ASSERTION)),
    "expectation_rewritten": ((RENEW, SNAPSHOT), (LOOSEN, TEST)),
    "test_deleted": ((DELETE, TEST), (SKIP, TEST)),
    "test_skipped": ((SKIP, TEST), (DELETE, TEST)),
    "test_disabled": ((SKIP, TEST), (DELETE, TEST), (RENAME, TEST)),
    "tests_narrowed": ((SKIP, TEST), (DELETE, TEST), (ONLY, TEST)),
    "threshold_lowered": ((LOWER, THRESHOLD),),
    "snapshot_rewritten": ((RENEW, SNAPSHOT),),
    "result_mocked": ((MOCK, ANYTHING),),
    "failure_ignored": ((TOLERATE, GATE), (SKIP, TEST)),
}
"""By kind: pairs of (words for the deed, words for its object) that a clause must hold."""

BETWEEN = re.compile(
    r"(?i)\b(?:add|adds|write|update|fix|make|create|run|keep|verify|ensure|with|by|so that|to|using|before"
    r"|after"
    r"|until|then|via|from|new|when|if|in|for|on|into)\b|[:|→]"
)
"""A word between a deed and the tests by which the tests belong to another deed."""
DELETING = _any(
    _wish("delete remove drop prune kill retire deprecate discard strip purge clean"),
    r"\b(?:deletion|removal|get(?:ting)? rid|rip(?:ping)? out|obsolete|outdated|unused|no longer"
    r"|dead code)\b",
    r"\blösch|\bentfern|\bstreiche|veraltet|überflüss",
    r"удал|убер[иеё]|убрать|выкин|снес|выпил|устаревш",
    r"\bsupprim|\benlève|\benlever|\bretire[rz]?\b|\bélimin|obsolèt",
    r"\belimin[ae]|\bborra|\bquita|\bsuprim",
    r"\bremov[ae]|\bapag[au]",
    r"删除|移除|去掉|删掉|废弃",
)
"""Deeds that take the tests of what they delete with them."""
NOT = _any(
    r"\b(?:do not|don'?t|dont|never|without|not|no|avoid|must not|mustn'?t|cannot|can'?t|shouldn'?t"
    r"|rather than)\b",
    r"\b(?:instead of|kein\w*|nicht|ohne|nie)\b",
    r"\b(?:не|без|нельзя|никогда|ни)\b",
    r"\b(?:sans|ne|n'|sin|ni|nunca|sem|não|nem)\b",
    r"不要|不能|不得|不许|别|勿|禁止|避免|无需|不",
)
NOT_AFTER = r"\b(?:nicht|keine?[nrsm]?|pas)\b"
"""German and French deny behind the verb."""
TOUCH = _any(
    r"\bchang|\bmodif|\btouch|\bedit|\balter|\bweaken|\bupdat|\badjust",
    r"\bänder|anfass|anrühr|\bverändere",
    r"трог|меня|измен|правь|редактир",
    r"\btouche|\bcambi|\btoc|\bmud|\bmex",
    r"改|动|修改|更改|碰",
)
TESTS = r"\btests?\b|\bspecs?\b|\bassertion|\bsnapshot|\btestdatei|тест|\bprueba|\btestes?\b|测试|断言"
KEEPS = _any(
    r"\brefactor|(?:must|should|may|do(?:es)?|will) ?n[o']t change|(?:no|without)(?: any)?(?: \w+)? chang\w*",
    r"\bnothing (?:may|must|should|will) change|unchanged|stays? the same|behaviou?r[- ]preserving",
    r"(?:keep|preserv)\w* (?:the )?(?:\w+ )?(?:behaviou?r|output|markup|rendering|api|format)"
    r"|purely mechanical",
    r"refaktor|unverändert|gleich bleib",
    r"рефактор|не (?:должн\w+ )?(?:измен|меня)|без изменени",
    r"refatora|sans changer|sin cambiar|sem mudar",
    r"重构|保持不变|不改变",
)
ABOUT_TESTS = _any(
    r"\btest|\bspec|\bexpect|\bassert|\bsnapshot|\bsuite\b|\bci\b|\bfixture|\bgolden|\breview|\bcomment"
    r"|\bcoverage",
    r"\bbuild\b|\bgreen\b|\bred\b|\bpass(?:es|ing)?\b|\bplan\b",
    r"prüf|erwart",
    r"тест|провер|ожида",
    r"essai|attend|prueba|espera|teste",
    r"测试|断言|期望",
)
