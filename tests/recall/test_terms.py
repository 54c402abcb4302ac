"""Which words of a long request are looked up."""

from __future__ import annotations

import pytest

from honed.recall.query import TERM_LIMIT, analyse

CHINESE = (
    "请帮我看看为什么在持续集成环境里面运行这些单元测试的时候总是会超时然后失败并且没有任何有用的日志输出"
)
THAI = "ช่วยดูหน่อยว่าทำไมการทดสอบนี้ถึงล้มเหลวเมื่อรันบนเซิร์ฟเวอร์ทุกครั้งโดยไม่มีข้อความใดเลย"


@pytest.mark.parametrize("text", [CHINESE, THAI])
def test_names_in_a_sentence_without_spaces_are_looked_up_wherever_they_stand(text: str) -> None:
    half = len(text) // 2
    words = [term.word for term in analyse(f"{text[:half]} playwright retry_budget {text[half:]}").terms]
    assert {"playwright", "retry", "budget"} <= set(words)
    assert len(words) == TERM_LIMIT


def test_of_many_words_the_first_and_the_last_are_looked_up() -> None:
    names = [f"name{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(60)]
    words = [term.word for term in analyse(" ".join(names)).terms]
    assert len(words) == TERM_LIMIT
    assert words == names[: TERM_LIMIT - 6] + names[-6:]


def test_a_sentence_without_spaces_alone_fills_the_room() -> None:
    assert len(analyse(CHINESE).terms) == TERM_LIMIT
