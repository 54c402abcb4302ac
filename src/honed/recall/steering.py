"""Requests that steer a session and ask for nothing: "stop", "y", "why?", "done?", "2".

One word of one skill is all that such a request can have in common with memory, and in a memory of hundreds a
word that few have looks telling.  Nothing is told of them unasked; a search finds what there is.
On the hot path.
"""

from __future__ import annotations

from honed.skills.terms import is_stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from honed.recall.query import Query

MOST_WORDS = 4
"""Words of the longest request that is looked at."""
WORDS = frozenset(
    """
    abort again ahead ah alright awesome bye cancel cancelled continue cool correct done enough exactly exit
    finished go good great halt hello hey hi hm hmm k later lgtm lol mind more nah never nevermind next nice
    no nope nvm oh ok okay pause perfect please pls proceed quit ready redo repeat resume retry right skip
    sorry stop sure thank thanks thx ty undo wait why wow wrong yeah yep yes yup
    ага да давай дальше готово еще зачем круто нет ок окей отлично отмена отмени подожди почему правильно
    привет продолжай продолжить снова спасибо стоп супер угу хватит хорошо
    abbrechen danke fertig genau gut hallo ja nein nochmal prima stopp super warte warum weiter wieso
    annule arrete attends bien encore fini merci non oui parfait pourquoi salut
    alto bien cancela continua dale espera gracias hola listo perfecto sigue si vale
    bom nao obrigada obrigado ola pare pronto sim
    """.split()
)
"""Folded, in the languages whose words are written apart."""
WHOLE = frozenset(
    """
    好 好的 可以 是 是的 不 不是 不用 对 停 停止 取消 继续 等等 谢谢 为什么 完成了吗 你好
    はい いいえ 続けて 止めて やめて 待って なぜ ありがとう 完了
    네 아니요 계속 멈춰 중지 취소 왜 고마워 감사합니다 안녕
    """.split()
)
"""Whole requests in languages whose words are not."""
_MARKS = " \t\r\n.,!?;:~…。、！？，"


def steers(query: Query) -> bool:
    """Whether ``query`` is nothing but words that steer, stop words, single letters and short numbers."""
    if query.text.strip(_MARKS) in WHOLE:
        return True
    words = query.phrase.split()
    return 0 < len(words) <= MOST_WORDS and all(_says_nothing(word, query.language) for word in words)


def _says_nothing(word: str, language: str) -> bool:
    if word.isascii() and (len(word) == 1 or (word.isdigit() and len(word) == 2)):
        return True
    return word in WORDS or is_stop(word, language)
