"""A verified task becomes what is worth telling: no more, no praise, no patch."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.sessions.model import SessionStart
from honed.skills.compile import Compiled, compile_task
from honed.skills.model import SKILL_TOKEN_LIMIT, Anchor, Draft, FileRef, Pitfall
from honed.skills.redact import Redactor
from honed.skills.render import markdown
from honed.skills.tokens import estimate
from honed.verdict.model import Task
from tests.skills.making import ROOT, Story

OLD = "def total(cart):\n    return sum_prices(cart)"
NEW = "def total(cart):\n    return round_half_up(sum_prices(cart))"


def rounding() -> Story:
    """The user asks, one function is changed, a test added, the tests pass."""
    return (
        Story()
        .ask("Can you please round the cart total to cents?")
        .test("pytest -q", "fail", "E       AssertionError: assert 1.005 == 1.01")
        .edit(f"{ROOT}/shop/cart.py", OLD, NEW, "class Cart:")
        .edit(
            f"{ROOT}/tests/test_cart.py",
            "x = 1",
            "x = 1\ndef test_rounds_half_up():\n    pass",
            "import cart",
        )
        .test("pytest -q", passed=14)
    )


def only(compiled: Compiled) -> Draft:
    """The one draft of ``compiled``."""
    assert len(compiled.drafts) == 1
    return compiled.drafts[0]


def compiled(story: Story, **more: object) -> Compiled:
    """What the task of ``story`` teaches."""
    return compile_task(story.task(), root=ROOT, **more)  # type: ignore[arg-type]


def test_a_verified_task_becomes_a_procedure_with_everything_one_needs() -> None:
    draft = only(compile_task(rounding().task(fail_to_pass=True), root=ROOT))
    assert draft == Draft(
        kind="procedure",
        title="Round the cart total to cents",
        trigger="Can you please round the cart total to cents?",
        steps=(
            "In `shop/cart.py`: change `Cart` (use `round_half_up`)",
            "Add tests to `tests/test_cart.py`: `test_rounds_half_up`",
        ),
        files=(
            FileRef("shop/cart.py", (Anchor("Cart", "class Cart:"),), "changed"),
            FileRef("tests/test_cart.py", (Anchor("", "import cart"),), "test"),
        ),
        check="pytest -q",
        outcome="`pytest -q`: 14 passed; it failed before the change",
        symbols=("Cart", "test_rounds_half_up"),
        fingerprint=draft.fingerprint,
        source_task="tk_1",
        fail_to_pass=True,
        authority="both",
    )


@pytest.mark.parametrize("kind", ["failed", "stale", "tampered", "none"])
def test_nothing_is_learned_from_a_task_that_is_not_verified(kind: str) -> None:
    assert compile_task(rounding().task(kind), root=ROOT) == Compiled(refused=f"{kind}: as told")


def test_a_subagents_file_teaches_nothing_by_itself() -> None:
    story = rounding()
    story.session = SessionStart(id="s", client="claude_code", cwd=ROOT, kind="subagent")
    assert not compiled(story).drafts


def test_the_commit_names_the_work() -> None:
    story = rounding().commit("fix(cart): round totals half up\n\nCo-Authored-By: someone")
    assert only(compiled(story)).title == "Fix cart: round totals half up"


def test_a_commit_of_earlier_work_names_nothing() -> None:
    story = Story().ask("round the cart total in checkout").commit("feat: add coupon codes")
    story.edit("shop/cart.py", OLD, NEW).test("pytest -q", passed=3)
    assert only(compiled(story)).title == "Round the cart total in checkout"


def test_where_nobody_says_what_it_is_about_the_files_do() -> None:
    story = Story().ask("yes do it").edit("shop/cart.py", OLD, NEW, "class Cart:").test("pytest -q", passed=3)
    assert only(compiled(story)).title == "Change `Cart` in shop/cart.py"
    before = only(compiled(story, earlier=("how should the cart total be rounded?", "ok")))
    assert before.title == "Change `Cart` in shop/cart.py", "a question names no work"
    assert before.trigger == "how should the cart total be rounded?"
    assert before.fingerprint == only(compiled(story)).fingerprint


def test_a_plan_that_was_talked_over_is_named_by_the_request_that_the_work_answers() -> None:
    story = Story().ask("go ahead").edit("shop/cart.py", OLD, NEW, "class Cart:").test("pytest -q", passed=3)
    earlier = (
        "Rotate the keys of the vault",
        "Round the total of a cart",
        "ok",
        "write it in British English",
    )
    draft = only(compiled(story, earlier=earlier))
    assert (draft.title, draft.trigger) == (
        "Round the total of a cart (shop/cart.py)",
        "Round the total of a cart",
    )
    other = ("Rotate the keys of the vault", "Tidy the printing of labels")
    assert only(compiled(story, earlier=other)).title.startswith("Tidy the printing of labels")
    done = only(compiled(story, earlier=(*earlier, "")))
    assert (done.title, done.trigger) == ("Change `Cart` in shop/cart.py", "write it in British English")


def test_what_was_taken_back_is_no_step() -> None:
    story = (
        Story()
        .ask("round the cart total to cents")
        .edit("shop/tax.py", "a = rate()", "a = other_rate()")
        .edit("shop/tax.py", "a = other_rate()", "a = rate()")
        .edit("shop/debug.py", "", "print(1)")
        .delete("shop/debug.py")
        .edit("shop/guess.py", "b = guess()", "b = better_guess()")
        .revert("git checkout", "shop/guess.py")
        .edit("shop/cart.py", OLD, NEW)
        .test("pytest -q", passed=14)
    )
    assert [ref.path for ref in only(compiled(story)).files] == ["shop/cart.py"]


def test_stashed_work_counts_when_it_comes_back() -> None:
    story = Story().ask("round the cart total to cents").edit("shop/cart.py", OLD, NEW)
    story.revert("git stash").test("pytest -q", "fail").revert("git stash pop").test("pytest -q", passed=2)
    assert [ref.path for ref in only(compiled(story)).files] == ["shop/cart.py"]


def test_files_outside_the_project_and_by_others_are_left_out() -> None:
    story = rounding().edit("/tmp/x/scratch.py", "", "def f(): pass", weight="scratch")
    story.edit("/home/dev/other/a.py", "def f():\n  one()", "def f():\n  two()").test("pytest -q", passed=14)
    assert [ref.path for ref in only(compiled(story)).files] == ["shop/cart.py", "tests/test_cart.py"]


def test_reading_and_searching_are_no_steps_and_a_generator_is() -> None:
    story = Story().ask("add coupon codes to the api schema").shell("cat shop/cart.py").shell("git status")
    story.edit("schema.json", '"a": 1', '"a": 1, "coupon_code": 2').shell("npm run generate:types")
    story.test("npm test", passed=4, runner="vitest")
    assert only(compiled(story)).steps == (
        "In `schema.json`: use `coupon_code`",
        "Run `npm run generate:types`",
    )


def test_too_many_requests_or_files_give_no_procedure() -> None:
    story = rounding()
    for number in range(3):
        story.ask(f"and the total of page {number} too")
    story.test("pytest -q", passed=14)
    assert compiled(story).refused == "4 requests in one task: too much for one procedure"
    wide = Story().ask("rename the cart package everywhere")
    for number in range(13):
        wide.edit(f"shop/m{number}.py", "import cart_old", "import cart_new")
    wide.test("pytest -q", passed=2)
    assert compiled(wide).refused == "13 changed files: too much for one procedure"


def test_a_change_that_nobody_named_teaches_nothing() -> None:
    story = Story().ask("yes do it").edit("VERSION", "1", "2").test("pytest", passed=1)
    refused = "a small change that nobody named: the repository shows it by itself"
    assert compiled(story) == Compiled(refused=refused)
    named = Story().ask("speed up the report query").edit("report.py", "a", "b").test("pytest", passed=1)
    assert only(compiled(named)).title == "Speed up the report query (report.py)"


def test_a_resolved_merge_is_no_work() -> None:
    story = (
        Story().ask("resolve the conflicts of the cart").edit("shop/cart.py", "<<<<<<< HEAD\na_b()", "a_b()")
    )
    assert compiled(story.test("pytest", passed=1)).refused == "no file of the project was left changed"


def test_the_same_work_in_other_words_has_the_same_fingerprint() -> None:
    again = rounding()
    again.requests = [replace(again.requests[0], text="cents are wrong in the basket, please repair")]
    again.runs[-1] = replace(again.runs[-1], result=replace(again.runs[-1].result, reason="15 passed in 2 s"))
    first, second = only(compiled(rounding())), only(compiled(again))
    assert first.title != second.title
    assert first.fingerprint == second.fingerprint


def test_other_names_make_it_other_work() -> None:
    other = Story().ask("round").edit("shop/cart.py", OLD, NEW.replace("round_half_up", "floor_to_cents"))
    assert (
        only(compiled(other.test("pytest -q", passed=1))).fingerprint
        != only(compiled(rounding())).fingerprint
    )


def test_secrets_never_get_into_a_draft() -> None:
    story = Story().ask(
        "deploy fails with\nDATABASE_URL=postgres://admin:Winter99!x@10.0.0.5:5432/prod\nfix settings"
    )
    story.edit("app/settings.py", "def load():\n  a_b()", "def load():\n  c_d()").test("pytest -q", passed=2)
    draft = only(compiled(story, redactor=Redactor({})))
    assert "postgres://admin:[redacted:password]@10.0.0.5:5432/prod" in draft.trigger
    assert "Winter99" not in repr(draft)


def test_compiling_is_deterministic() -> None:
    assert compiled(rounding()) == compiled(rounding())


# -- recipes -----------------------------------------------------------------------------------------


def failing_first(
    bad: str, output: str, good: str, *between: str, runner: str = "pytest", **how: object
) -> Story:
    """A form of the test command fails for ``output``, another passes."""
    story = Story().ask("round the cart total to cents").edit("shop/cart.py", OLD, NEW, "class Cart:")
    story.test(bad, "nothing", output, runner=runner)
    for command in between:
        story.shell(command)
    return story.test(good, passed=14, runner=runner, **how)  # type: ignore[arg-type]


def test_the_form_that_works_here_is_a_recipe() -> None:
    story = failing_first("pytest", "ModuleNotFoundError: No module named 'shop'", "uv run pytest")
    procedure, recipe = compiled(story).drafts
    assert (recipe.kind, recipe.title) == ("recipe", "Run the tests with `uv run pytest`")
    assert recipe.trigger == "Run the tests here; `pytest` fails: ModuleNotFoundError: No module named 'shop'"
    assert recipe.check == "uv run pytest"
    assert recipe.pitfalls == (
        Pitfall("ModuleNotFoundError: No module named 'shop'", "Use `uv run pytest`", "pytest"),
    )
    assert procedure.pitfalls == recipe.pitfalls


def test_a_recipe_is_told_without_the_tests_that_were_chosen() -> None:
    story = failing_first(
        "pytest tests/test_cart.py",
        "bash: pytest: command not found",
        "uv run pytest tests/test_cart.py",
        selection=("tests/test_cart.py",),
    )
    assert compiled(story).drafts[1].title == "Run the tests with `uv run pytest`"


def test_what_had_to_be_run_first_is_a_recipe() -> None:
    story = failing_first(
        "npm test", "Error: Cannot find module 'vitest'", "npm test", "npm ci", "ls", runner="vitest"
    )
    recipe = compiled(story).drafts[1]
    assert recipe.title == "Run `npm ci` before `npm test`"
    assert recipe.steps == ("First run `npm ci`", "Then run `npm test`")


def test_the_folder_is_part_of_the_form() -> None:
    story = failing_first(
        "go test ./...",
        "go: go.mod file not found in current directory",
        "go test ./...",
        check="go test ./...",
        runner="go",
        cwd=f"{ROOT}/backend",
    )
    assert compiled(story).drafts[1].title == "Run the tests with `cd backend && go test ./...`"


def test_a_sandbox_that_forbids_is_told() -> None:
    story = failing_first("pnpm test", "Error: listen EPERM: operation not permitted 127.0.0.1", "pnpm test")
    assert compiled(story).drafts[1].title == "Run `pnpm test` outside the sandbox"


@pytest.mark.parametrize(
    "output",
    [
        "Error: connect ETIMEDOUT 10.0.0.1:443",
        "OSError: [Errno 28] No space left on device",
        "HTTP 429 Too Many Requests",
        "This command requires approval",
        "AssertionError: assert 1 == 2",
    ],
)
def test_what_passes_by_itself_or_was_the_code_is_no_recipe(output: str) -> None:
    drafts = compiled(failing_first("pytest", output, "uv run pytest")).drafts
    assert [draft.kind for draft in drafts] == ["procedure"]
    assert drafts[0].pitfalls == ()


def test_a_form_that_never_passed_is_no_recipe() -> None:
    story = Story().ask("round the cart total to cents").edit("shop/cart.py", OLD, NEW)
    story.test("pytest", "nothing", "bash: pytest: command not found").test("uv run pytest", "fail", "boom")
    story.test("make check", passed=3, runner="make")
    assert [draft.kind for draft in compiled(story).drafts] == ["procedure"]


def test_a_task_too_large_for_a_procedure_still_gives_its_recipe() -> None:
    story = failing_first("pytest", "bash: pytest: command not found", "uv run pytest")
    for _ in range(4):
        story.ask("and now the other pages")
    found = compiled(story)
    assert [draft.kind for draft in found.drafts] == ["recipe"]
    assert found.refused


# -- pitfalls ----------------------------------------------------------------------------------------

SNAPSHOT = "FAILED tests/test_export.py::test_snapshot - KeyError: 'total'"


def test_a_failure_that_another_file_resolved_is_a_pitfall() -> None:
    story = (
        Story()
        .ask("round the cart total to cents")
        .edit("shop/cart.py", OLD, NEW)
        .test("pytest -q", "fail", "E       KeyError: 'total'\n" + SNAPSHOT)
        .edit("shop/export.py", "def rows():\n  old_key()", "def rows():\n  new_key()")
        .test("pytest -q", passed=14)
    )
    assert only(compiled(story)).pitfalls == (
        Pitfall("KeyError: 'total'", "Change `shop/export.py` too", "pytest -q"),
    )


def test_a_bare_assertion_is_told_by_the_name_of_its_test() -> None:
    story = (
        Story()
        .ask("round the cart total to cents")
        .edit("shop/cart.py", OLD, NEW)
        .test("pytest -q", "fail", "E       assert 1 == 2", failing=("tests/test_export.py::test_snapshot",))
        .edit("shop/export.py", "def rows():\n  old_key()", "def rows():\n  new_key()")
        .test("pytest -q", passed=14)
    )
    assert only(compiled(story)).pitfalls[0].signature == "tests/test_export.py::test_snapshot"


def test_a_test_written_first_and_a_slip_in_the_same_file_are_no_pitfalls() -> None:
    first = (
        Story()
        .ask("round the cart total to cents, tests first")
        .edit("tests/test_cart.py", "import cart", "import cart\ndef test_cents(): round_it()")
        .test("pytest -q", "fail", "E       NameError: name 'round_it' is not defined")
        .edit("shop/cart.py", OLD, NEW)
        .test("pytest -q", passed=14)
    )
    slip = (
        Story()
        .ask("round the cart total to cents")
        .edit("shop/cart.py", OLD, "def total(cart):\n    retrun 1")
        .test("pytest -q", "fail", "E       SyntaxError: invalid syntax")
        .edit("shop/cart.py", "def total(cart):\n    retrun 1", NEW)
        .test("pytest -q", passed=14)
    )
    assert only(compiled(first)).pitfalls == ()
    assert only(compiled(slip)).pitfalls == ()


# -- any task ----------------------------------------------------------------------------------------

TEXT = st.text(max_size=200)


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """A task of arbitrary texts."""
    story = Story()
    for text in draw(st.lists(TEXT, min_size=1, max_size=3)):
        story.ask(text)
    for _ in range(draw(st.integers(0, 12))):
        story.edit(
            draw(st.sampled_from(["a/b.py", "c.ts", "tests/d.go", "e.md", "../f.py"])), draw(TEXT), draw(TEXT)
        )
        if draw(st.booleans()):
            story.test(draw(TEXT), draw(st.sampled_from(["pass", "fail", "nothing"])), draw(TEXT))
    return story.test("pytest", passed=1).task()


@given(tasks(), st.integers(1, 60))
def test_any_task_compiles_the_same_twice_and_fits(task: Task, times: int) -> None:
    long = replace(task, requests=tuple(replace(r, text=r.text * times) for r in task.requests))
    once = compile_task(long, root=ROOT)
    assert once == compile_task(long, root=ROOT)
    for draft in once.drafts:
        assert draft.title
        assert draft.fingerprint
        assert estimate(markdown(draft)) <= SKILL_TOKEN_LIMIT
