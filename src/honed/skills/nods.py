"""What people say yes with: words and phrases that go on with something and name nothing.

English ones are among the general words of ``titles``; these are the other languages that honed knows.
"""

from __future__ import annotations

import re

WORDS = frozenset(
    """
    ja mach mache weiter weitermachen genau gerne gern passt super perfekt danke klar richtig los stimmt
    nochmal bitte einverstanden
    oui vas-y vasy continuer continuez parfait merci accord d'accord daccord allez allons-y fais
    sí adelante sigue seguimos continúa continua continúe perfecto gracias hazlo dale vale bien genial claro
    continuar seguir sim prossiga prossegue siga pode perfeito obrigado obrigada beleza faça certo isso
    да ага угу окей давай давайте продолжай продолжайте продолжи продолжать дальше хорошо сделай сделайте
    делай делайте делаем верно отлично спасибо супер класс поехали согласен согласна конечно пожалуйста
    """.split()
)
"""In lower case, of languages that write words apart."""

_PHRASES = re.compile(
    "はい|ええ|続けて(?:ください|くれ)?|続行(?:して(?:ください)?)?|進めて(?:ください)?|お願い(?:します|いたします)?"
    "|(?:それで)?(?:いいです(?:ね|よ)?|大丈夫です|問題ありません)|了解(?:です|しました)?|そのまま|ありがとう(?:ございます)?"
    "|(?:请)?(?:继续|繼續)(?:吧|下去)?|好的?(?:吧|啊)?|可以(?:的|了)?|是的|没问题|沒問題|就这样|就這樣|没错|谢谢|謝謝|同意|确认"
    "|(?:네|예|응)(?=[\\s,.!]|$)|계속(?:\\s*(?:해\\s?줘|해\\s?주세요|하세요|진행))*|진행\\s*(?:해\\s?줘|해\\s?주세요|하세요)"
    "|좋(?:아요?|습니다)|알겠(?:어요?|습니다)|부탁(?:해요?|드립니다|합니다)|감사합니다|그렇게\\s*(?:해\\s?줘|해\\s?주세요|하세요)"
)


def without_phrases(text: str) -> str:
    """``text`` of a language that writes no words apart, without what only says yes or go on."""
    return _PHRASES.sub("", text)
