"""Errors that come again, and what is never taken for one."""

from __future__ import annotations

import pytest

from honed.skills.compile import compile_task
from honed.skills.passing import LANGUAGES
from honed.skills.recurring import Sighting, recurring
from honed.skills.signatures import is_transient, signature
from tests.skills.making import ROOT, Story

STALE = "ValueError: schema cache is stale: run the generator"
TRACEBACK = (
    f'Traceback (most recent call last):\n  File "/home/u/a.py", line 3, in <module>\n    run()\n{STALE}\n'
)


def seen(story: Story) -> tuple[Sighting, ...]:
    return compile_task(story.task(), root=ROOT).seen


def mended(path: str = "shop/schema.py") -> Story:
    """A test failed with the error, a file was changed, and it passed."""
    story = Story().ask("Add a column for the tax").edit("shop/cart.py", "a = 1", "a = 2")
    story.test("uv run pytest -q", "fail", TRACEBACK)
    return story.edit(path, "VERSION = 1", "VERSION = 2").test("uv run pytest -q", passed=3)


def test_an_error_that_was_gone_after_a_change_is_seen_with_the_files() -> None:
    assert seen(mended()) == (Sighting(STALE, "uv run pytest -q", "", ("shop/schema.py",)),)


@pytest.mark.parametrize(
    "output",
    [
        "E       assert total == 4\n",
        TRACEBACK.replace(STALE, "NameError: name 'x' is not defined"),
        "make: *** [Makefile:3: test] Error 2",
        TRACEBACK.replace(STALE, "requests.exceptions.ConnectionError: connection reset by peer"),
        TRACEBACK.replace(STALE, "OSError: [Errno 28] Auf dem Gerät ist kein Speicherplatz mehr verfügbar"),
    ],
)
def test_slips_bare_assertions_and_what_passes_are_not_seen(output: str) -> None:
    story = Story().ask("Add a column").edit("shop/cart.py", "a = 1", "a = 2")
    story.test("uv run pytest -q", "fail", output)
    assert seen(story.edit("shop/schema.py", "V = 1", "V = 2").test("uv run pytest -q", passed=3)) == ()


def test_an_error_that_was_there_before_anything_was_changed_is_the_task_itself() -> None:
    story = Story().ask("Fix the schema").test("uv run pytest -q", "fail", TRACEBACK)
    assert seen(story.edit("shop/schema.py", "V = 1", "V = 2").test("uv run pytest -q", passed=3)) == ()


def test_an_error_that_is_still_there_is_not_resolved() -> None:
    story = Story().ask("Add a column").edit("shop/cart.py", "a = 1", "a = 2")
    story.test("uv run pytest -q", "fail", TRACEBACK).edit("shop/schema.py", "V = 1", "V = 2")
    assert (
        seen(story.test("uv run pytest -q", "fail", TRACEBACK).test("npm test", passed=1, runner="npm")) == ()
    )


def one(*files: str, remedy: str = "") -> Sighting:
    return Sighting(STALE, "uv run pytest -q", remedy, files)


@pytest.mark.parametrize(
    ("here", "before", "told"),
    [
        (one("a.py", "b.py"), [("s2", one("b.py", "c.py"))], "Change `b.py`"),
        (one("a.py"), [("s2", one("b.py"))], ""),
        (one("a.py"), [("s1", one("a.py"))], ""),
        (one("a.py"), [], ""),
        (
            one(remedy="Run `make gen` first"),
            [("s2", one(remedy="Run `make gen` first"))],
            "Run `make gen` first",
        ),
        (one(remedy="Run `make gen` first"), [("s2", one(remedy="Use `tox`"))], ""),
        (one("a.py"), [("s2", one("b.py")), ("s3", one("a.py"))], "Change `a.py`"),
    ],
)
def test_what_two_sessions_did_about_it_is_told_and_nothing_else(
    here: Sighting, before: list[tuple[str, Sighting]], told: str
) -> None:
    found = recurring([here], {STALE: before}, session="s1", task="tk_1")
    assert [draft.steps[0] for draft in found] == ([told] if told else [])
    for draft in found:
        assert draft.pitfalls[0].signature == STALE
        assert draft.source_task == "tk_1"


PHRASES = {
    "de": ["mkdir: x: Keine Berechtigung", "Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
           "Die Wartezeit für die Verbindung ist abgelaufen", "Das Netzwerk ist nicht erreichbar"],
    "fr": ["Permission non accordée", "Aucun espace disponible sur le périphérique",
           "Connexion terminée par expiration du délai d'attente", "Le réseau n'est pas accessible"],
    "es": ["Permiso denegado", "No queda espacio en el dispositivo", "Expiró el tiempo de conexión",
           "La red es inaccesible"],
    "pt": ["Permissão negada", "Não há espaço disponível no dispositivo", "Tempo esgotado para conexão"],
    "it": ["Permesso negato", "Spazio esaurito sul device", "Connessione scaduta",
           "La rete non è raggiungibile"],
    "pl": ["Brak dostępu", "Brak miejsca na urządzeniu", "Upłynął limit czasu połączenia"],
    "ru": ["Отказано в доступе", "На устройстве не осталось свободного места",
           "Время ожидания соединения истекло", "Сеть недоступна"],
    "zh": ["权限不够", "设备上没有空间", "连接超时", "网络不可达"],
    "ja": ["許可がありません", "デバイスに空き領域がありません", "接続がタイムアウトしました",
           "ネットワークに届きません"],
    "ko": ["허가 거부", "장치에 남은 공간이 없음", "연결 시간 초과"],
    "en": ["No space left on device", "Connection timed out", "HTTP 429 Too Many Requests",
           "API rate limit exceeded", "Access is denied.", "Read timed out",
           "temporary failure in name resolution"],
}  # fmt: skip


def test_every_language_of_the_table_is_tried() -> None:
    assert set(PHRASES) == {*LANGUAGES, "en"}


@pytest.mark.parametrize("phrase", [phrase for row in PHRASES.values() for phrase in row])
def test_what_passes_by_itself_is_quarantined_in_any_language(phrase: str) -> None:
    assert is_transient(phrase)
    found = signature(f"tool: {phrase}", 1)
    assert found is not None
    assert found.transient
    story = Story().ask("Add a column").test("uv run pytest -q", "fail", f"tool: {phrase}")
    story.edit("shop/cart.py", "a = 1", "a = 2").test("python -m pytest -q", passed=3)
    compiled = compile_task(story.task(), root=ROOT)
    assert compiled.seen == ()
    assert [draft for draft in compiled.drafts if draft.kind == "recipe"] == []
    assert not any(draft.pitfalls for draft in compiled.drafts)


@pytest.mark.parametrize(
    "line",
    [
        "ValueError: kein Wert", "error: espace de noms inconnu", "Fehler: Datei nicht gefunden",
        "TypeError: permission must be a string", "Ошибка: нет такого файла", "错误: 找不到文件",
        "AssertionError: timeouts differ", "KeyError: 'delay'",
    ],
)  # fmt: skip
def test_what_stays_is_not_taken_for_passing(line: str) -> None:
    assert not is_transient(line)


def test_a_missing_right_does_not_make_another_form_the_one_that_works() -> None:
    story = Story().ask("Add a column").test("uv run pytest -q", "nothing", "mkdir: /x: Permission denied")
    story.edit("shop/cart.py", "a = 1", "a = 2").test("python -m pytest -q", passed=3)
    compiled = compile_task(story.task(), root=ROOT)
    assert [draft for draft in compiled.drafts if draft.kind == "recipe"] == []
    assert not any(draft.pitfalls for draft in compiled.drafts)


def test_a_program_that_may_not_be_run_is_no_passing_thing() -> None:
    story = Story().ask("Add a column")
    story.test("./gradlew test", "nothing", "bash: ./gradlew: Permission denied", runner="gradle")
    story.edit("shop/Cart.java", "a = 1", "a = 2").test("sh gradlew test", passed=3, runner="gradle")
    (recipe,) = [draft for draft in compile_task(story.task(), root=ROOT).drafts if draft.kind == "recipe"]
    assert recipe.steps == ("Use `sh gradlew test`",)


def test_a_command_that_ended_an_error_is_seen_where_nothing_was_changed() -> None:
    story = Story().ask("Add a column for the tax").edit("shop/cart.py", "a = 1", "a = 2")
    story.test("uv run pytest -q", "fail", TRACEBACK).shell("cat docs/schema.md").shell("make relink", "done")
    found = seen(story.test("uv run pytest -q", passed=3))
    assert found == (Sighting(STALE, "uv run pytest -q", "Run `make relink` first"),)


def test_what_made_ready_is_told_with_the_folder_in_which_it_ran() -> None:
    story = Story().ask("Fix the mail").test("cd services/mail && npm test", "fail", "sh: 1: jest: not found")
    story.shell("cd services/mail && npm ci", "done").edit("services/mail/a.js", "a = 1", "a = 2")
    story.test("cd services/mail && npm test", passed=3, check="cd services/mail && npm test")
    recipes = [draft for draft in compile_task(story.task(), root=ROOT).drafts if draft.kind == "recipe"]
    assert [draft.pitfalls[0].resolution for draft in recipes] == ["Run `cd services/mail && npm ci` first"]


def test_of_several_commands_nobody_knows_which_it_was() -> None:
    story = Story().ask("Add a column for the tax").edit("shop/cart.py", "a = 1", "a = 2")
    story.test("uv run pytest -q", "fail", TRACEBACK).shell("make relink", "done").shell("make all", "done")
    assert seen(story.test("uv run pytest -q", passed=3)) == ()


def test_a_form_that_is_not_there_is_ended_by_another_form_and_not_by_what_ran_meanwhile() -> None:
    story = (
        Story().ask("Add a column").test("poetry run pytest", "nothing", "bash: poetry: command not found")
    )
    story.edit("shop/cart.py", "a = 1", "a = 2").shell("make generate", "done")
    story.test("uv run pytest", passed=3, runner="pytest")
    pitfalls = [one for draft in compile_task(story.task(), root=ROOT).drafts for one in draft.pitfalls]
    assert {one.resolution for one in pitfalls} == {"Use `uv run pytest`"}


def test_an_error_is_not_gone_because_another_form_failed_otherwise() -> None:
    missing = "ModuleNotFoundError: No module named 'shop.schema_pb'"
    story = Story().ask("Add a column").edit("shop/cart.py", "a = 1", "a = 2")
    story.test("pytest", "fail", missing).test("tox", "nothing", "bash: tox: command not found")
    story.shell("make generate", "done").test("pytest", passed=3)
    recipes = [draft for draft in compile_task(story.task(), root=ROOT).drafts if draft.kind == "recipe"]
    assert "Run `make generate` before `pytest`" in [draft.title for draft in recipes]
