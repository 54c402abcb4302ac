"""Verdicts of tasks, told as sessions."""

from __future__ import annotations

import pytest

from tests.verdict.telling import FAILED, FOLDER, PASSED, Told


def test_a_pass_after_the_last_change_verifies() -> None:
    verdict = Told().asked().changes().tests().verdict()
    assert (verdict.kind, verdict.authority, verdict.fail_to_pass) == ("verified", "both", False)
    assert verdict.check == "pytest"


def test_a_check_that_failed_before_the_change_and_passed_after_it_is_the_strongest_proof() -> None:
    assert Told().asked().tests(passed=False).changes().tests().verdict().fail_to_pass


def test_what_could_not_be_imported_before_the_change_proved_nothing_by_failing() -> None:
    told = Told().asked()
    told.shell("pytest -q", "E   ModuleNotFoundError: No module named 'x'\n1 error in 0.2s", 2)
    assert not told.changes().tests().verdict().fail_to_pass


def test_a_change_after_the_pass_makes_it_stale() -> None:
    told = Told().asked("speed up the report").changes().tests().changes()
    told.says("All done, everything works and the tests pass.")
    verdict = told.verdict()
    assert verdict.kind == "stale"
    assert "shop/cart.py" in verdict.reason


def test_documentation_after_the_pass_changes_nothing() -> None:
    told = Told().asked().changes().tests()
    told.edits("README.md", "old", "new")
    assert told.kind() == "verified"


def test_a_comment_after_the_pass_changes_nothing_but_code_does() -> None:
    told = Told().asked().changes().tests()
    told.edits("shop/cart.py", "# old words\nx = 1", "# new words\nx = 1")
    assert told.kind() == "verified"
    told.edits("shop/cart.py", "x = 1", "x = 2")
    assert told.kind() == "stale"


def test_scratch_outside_the_project_changes_nothing() -> None:
    told = Told().asked().changes().tests()
    told.shell("cat > /tmp/try.py <<'EOF'\nprint(1)\nEOF")
    assert told.kind() == "verified"


def test_a_project_that_lies_in_a_temporary_folder_is_no_scratch() -> None:
    told = Told()
    told._folder = "/tmp/work/shop"
    assert told.asked().changes().tests().changes().kind() == "stale"


@pytest.mark.parametrize(
    "command",
    [
        "sed -i 's/a/b/' shop/cart.py",
        "perl -pi -e 's/a/b/' shop/cart.py",
        "echo 'x = 1' > shop/cart.py",
        "cat >> shop/cart.py <<'EOF'\nx = 1\nEOF",
        "mv shop/cart.py shop/basket.py",
        "rm shop/cart.py",
        "git apply fix.patch",
        "git revert HEAD --no-edit",
        "git cherry-pick abc123",
        "python - <<'EOF'\nopen('shop/cart.py', 'w').write('x')\nEOF",
        f"cd {FOLDER}/shop && sed -i 's/a/b/' cart.py",
    ],
)
def test_a_shell_that_writes_after_the_pass_makes_it_stale(command: str) -> None:
    assert Told().asked().changes().tests().shell(command).kind() == "stale"


@pytest.mark.parametrize(
    "command",
    [
        "git status --short",
        "git add -A && git commit -m 'Round totals'",
        "git push",
        "grep -rn total shop > /dev/null",
        "ruff format shop",
        "gofmt -w .",
        "npm run lint:fix",
        "git pull --rebase",
        "go build -o app.exe ./...",
        "pytest --collect-only -q",
    ],
)
def test_what_writes_no_code_of_the_task_leaves_the_pass_standing(command: str) -> None:
    assert Told().asked().changes().tests().shell(command).kind() == "verified"


def test_a_write_before_the_tests_of_the_same_line_is_covered_and_one_after_them_is_not() -> None:
    covered = Told().asked().shell("sed -i 's/a/b/' shop/cart.py && pytest -q", PASSED)
    assert covered.kind() == "verified"
    open_change = Told().asked().shell("pytest -q && sed -i 's/a/b/' shop/cart.py", PASSED)
    assert open_change.kind() == "stale"
    later = Told().asked().changes().shell("pytest -q && sed -i 's/a/b/' shop/cart.py", PASSED)
    assert later.kind() == "stale"


def test_a_fault_that_was_injected_and_taken_out_again_spoils_nothing() -> None:
    told = Told().asked().changes().shell("git commit -am x").tests()
    told.edits("shop/cart.py", "if x:", "if not x:")
    told.tests(passed=False)
    told.shell("git checkout -- shop/cart.py")
    assert told.kind() == "verified"


def test_an_edit_that_is_taken_back_by_hand_spoils_nothing() -> None:
    told = Told().asked().changes().tests()
    told.edits("shop/cart.py", "if x:", "if not x:")
    told.edits("shop/cart.py", "if not x:", "if x:")
    assert told.kind() == "verified"


def test_everything_taken_back_is_nothing_to_prove() -> None:
    told = Told().asked()
    told.edits("shop/cart.py", "if x:", "if not x:")
    told.tests()
    told.edits("shop/cart.py", "if not x:", "if x:")
    assert told.kind() == "none"


def test_a_failure_at_the_end_is_a_failure() -> None:
    assert Told().asked().changes().tests().changes().tests(passed=False).kind() == "failed"


def test_a_failure_and_then_a_change_that_nobody_ran_is_a_failure() -> None:
    assert Told().asked().changes().tests(passed=False).changes().kind() == "failed"


def test_a_narrower_rerun_does_not_erase_a_wider_failure() -> None:
    told = Told().asked().changes().tests(passed=False).changes()
    told.tests(command="pytest -q tests/test_other.py")
    assert told.kind() == "failed"


def test_a_rerun_of_just_the_failing_tests_after_a_change_answers_them() -> None:
    told = Told().asked().changes()
    told.shell("pytest -q", "FAILED tests/test_cart.py::test_total - assert 1 == 2\n" + FAILED, 1)
    told.changes().tests(command="pytest -q tests/test_cart.py::test_total")
    assert told.kind() == "verified"


def test_a_failure_from_before_the_change_is_not_the_tasks() -> None:
    told = Told().asked()
    told.shell("pytest -q", "FAILED tests/test_old.py::test_old - x\n" + FAILED, 1)
    told.changes().tests(command="pytest -q tests/test_cart.py")
    assert told.kind() == "verified"


def test_another_suite_failing_on_the_same_files_is_a_failure() -> None:
    told = Told().asked().changes()
    told.shell("npx jest", "Tests: 2 failed, 10 passed, 12 total", 1)
    told.tests()
    assert told.kind() == "failed"


@pytest.mark.parametrize("answer", ["npx jest", "make test", "pytest -q tests/test_greeting.py"])
def test_a_failure_is_not_answered_by_a_run_of_something_else(answer: str) -> None:
    output = "Tests: 3 passed, 3 total" if "jest" in answer else PASSED
    told = Told().asked().changes("shop/tax.py").tests(passed=False, command="pytest -q tests/test_tax.py")
    told.changes("shop/basket.py").shell(answer, output if "make" not in answer else "3 good")
    assert told.kind() == "failed"


def test_a_full_run_after_another_change_answers_a_gate_that_failed() -> None:
    told = Told().asked().changes().shell("mise run check", "Tests: 1 failed, 3 passed, 4 total", 1)
    assert told.changes().shell("npx jest", "Tests: 4 passed, 4 total").kind() == "verified"


def test_a_failure_that_is_there_with_the_change_stashed_away_is_not_the_changes() -> None:
    red = "FAILED tests/test_old.py::test_old - x\n" + FAILED
    told = Told().asked().changes().shell("pytest -q", red, 1)
    told.shell("git stash && pytest -q; git stash pop", red, 0)
    told.changes().tests(command="pytest -q tests/test_cart.py")
    assert told.kind() == "verified"


def test_the_same_command_failing_and_then_passing_without_a_change_is_no_such_proof() -> None:
    verdict = Told().asked().changes().tests(passed=False).tests().verdict()
    assert (verdict.kind, verdict.fail_to_pass) == ("verified", False)
    assert "failed before on the same files" in verdict.reason


def test_a_piped_run_verifies_by_its_summary_only() -> None:
    verdict = Told().asked().changes().shell("pytest -q | tail -3", PASSED).verdict()
    assert (verdict.kind, verdict.authority) == ("verified", "summary")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest -q || true", FAILED),
        ("pytest -q; echo done", FAILED + "\ndone"),
        ("pytest -q | tail -1", FAILED),
    ],
)
def test_a_hidden_failure_is_a_failure(command: str, output: str) -> None:
    assert Told().asked().changes().shell(command, output).kind() == "failed"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest --version", "pytest 9.2.0"),
        ("pytest --collect-only -q", "12 tests collected in 0.1s"),
        ("pytest -q tests/none", "no tests ran in 0.01s"),
        ("echo '12 passed in 0.1s'", "12 passed in 0.1s"),
        ("cat test.log", PASSED),
        ("git log -3", "12 passed in 0.1s"),
        ("ruff check . && mypy src", "All checks passed!"),
    ],
)
def test_what_runs_no_test_proves_nothing(command: str, output: str) -> None:
    assert Told().asked().changes().shell(command, output).kind() == "none"


def test_nothing_is_proven_where_nothing_was_changed() -> None:
    assert Told().asked().tests().kind() == "none"


def test_a_run_whose_output_went_to_a_file_speaks_when_the_file_is_read() -> None:
    told = Told().asked().changes()
    told.shell("pytest -q > /tmp/run.log 2>&1; tail -0 /tmp/run.log", "")
    assert told.kind() == "none"
    told.shell("tail -3 /tmp/run.log", PASSED)
    assert told.kind() == "verified"


def test_a_write_behind_or_counts_unless_the_status_says_that_it_was_passed_over() -> None:
    told = Told().asked().changes().tests()
    assert told.shell("grep -q x a.py || sed -i 's/a/b/' shop/cart.py").kind() == "stale"
    told = Told().asked().changes().tests()
    assert told.shell("true && false || exit 3; exit 0").kind() == "verified"
    told = Told().asked().changes().tests()
    told.shell("if [ -f x ]; then rm shop/cart.py; fi")
    assert told.kind() == "stale"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("make test", "make: Nothing to be done for 'test'."),
        ("make test", "make: 'test' is up to date."),
        ("npm test", "> shop@1.0.0 test\n> echo no tests && exit 0\n\nno tests"),
        ("npm test --if-present", ""),
    ],
)
def test_a_target_that_did_nothing_proves_nothing(command: str, output: str) -> None:
    assert Told().asked().changes().shell(command, output).kind() == "none"


KEYLESS = "    repo_test.go:52: commit: cannot sign: no key"


def gone_wrong(*names: str) -> str:
    """The output of a Go run in which these tests failed for want of a key."""
    return (
        "\n".join(f"{KEYLESS}\n--- FAIL: {name} (0.00s)" for name in names)
        + "\nFAIL\nFAIL\texample/repo\t0.1s"
    )


def test_a_failure_for_causes_that_are_there_without_the_change_is_not_the_changes() -> None:
    told = (
        Told()
        .asked()
        .changes("repo/a.go")
        .shell("go test ./repo | tail", gone_wrong("TestA", "TestB", "TestC"))
    )
    told.shell("git stash && go test ./repo -run TestA | tail && git stash pop", gone_wrong("TestA"))
    told.shell("go test ./repo -run TestNew", "ok  \texample/repo\t0.1s")
    assert told.kind() == "verified"


def test_a_failure_of_which_not_every_cause_is_known_stands() -> None:
    hidden = gone_wrong("TestA") + "\n--- FAIL: TestB (0.00s)\n--- FAIL: TestC (0.00s)"
    told = Told().asked().changes("repo/a.go").shell("go test ./repo | tail", hidden)
    told.shell("git stash && go test ./repo -run TestA | tail && git stash pop", gone_wrong("TestA"))
    told.shell("go test ./repo -run TestNew", "ok  \texample/repo\t0.1s")
    assert told.kind() == "failed"


def test_a_comment_that_is_all_that_was_changed_is_proven_by_the_run_after_it() -> None:
    told = Told().asked().tests()
    told.edits("shop/cart.py", "# old words\nx = 1", "# new words\nx = 1")
    assert told.kind() == "none"
    assert told.tests().kind() == "verified"


def test_a_comment_and_then_a_failing_run_is_a_failure() -> None:
    told = Told().asked()
    told.edits("shop/cart.py", "# old words\nx = 1", "# new words\nx = 1")
    assert told.tests(passed=False).kind() == "failed"


def test_documentation_alone_is_proven_by_no_run() -> None:
    told = Told().asked()
    told.edits("README.md", "old words", "new words")
    assert told.tests().kind() == "none"


def test_a_scratch_file_that_was_made_and_deleted_spoils_nothing() -> None:
    told = Told().asked().changes().tests()
    told.edits("tests/test_try.py", "", "def test_try():\n    assert True\n")
    told.tests(command="pytest -q tests/test_try.py").shell("rm tests/test_try.py")
    assert told.kind() == "verified"


def test_a_scratch_file_of_the_shell_that_was_deleted_spoils_nothing_either() -> None:
    told = Told().asked().changes().tests().shell("cat > try.py <<'E'\nprint(1)\nE\npython try.py", "1")
    assert told.kind() == "stale"
    assert told.shell("rm -f try.py").kind() == "verified"


def test_a_deleted_file_that_was_there_before_counts() -> None:
    told = Told().asked().changes().tests().shell("rm shop/old.py")
    assert told.kind() == "stale"


def test_a_file_that_was_made_committed_and_deleted_counts() -> None:
    told = Told().asked().changes()
    told.edits("shop/new.py", "", "x = 1\n")
    told.shell("git add -A && git commit -m more").tests().shell("rm shop/new.py")
    assert told.kind() == "stale"


@pytest.mark.parametrize("output", ["All tests passed!", "\u2728 All tests passed! Ready to use."])
def test_a_banner_without_a_count_is_no_proof(output: str) -> None:
    assert Told().asked().changes().shell("bun run test 2>&1 | tail -3", output).kind() == "none"


def test_a_banner_takes_no_counted_pass_away() -> None:
    told = Told().asked().changes().tests().shell("bun run test 2>&1 | tail -3", "All tests passed!")
    assert told.verdict().command == "pytest -q"


TAGGED = "//go:build integration\n\npackage integration\n"


def test_a_file_behind_a_build_tag_is_proven_by_a_run_with_that_tag_only() -> None:
    told = Told().asked().changes("cart/cart.go")
    told.edits("cart/integration_test.go", "", TAGGED + "func TestAll(t *testing.T) {}\n")
    told.shell("go test ./...", "ok  \texample/cart\t0.1s")
    assert told.kind() == "stale"
    assert "cart/integration_test.go needs build tags" in told.verdict().reason
    assert told.shell("go test -tags=integration ./...", "ok  \texample/cart\t0.1s").kind() == "verified"


def test_a_gate_that_does_not_print_what_it_runs_may_have_given_the_tags() -> None:
    told = Told().asked()
    told.edits("cart/integration_test.go", "", TAGGED + "func TestAll(t *testing.T) {}\n")
    assert told.shell("make test", "ok  \texample/cart\t0.1s").kind() == "verified"


def test_the_same_file_tested_through_another_launcher_answers_a_failure() -> None:
    red = "  1 failed\n    [chromium] \u203a tests/share.spec.ts:40:3 \u203a Share\n  3 passed (2s)"
    told = Told().asked().changes("web/a.ts")
    told.shell("cd e2e && npx playwright test tests/share.spec.ts -g twice", red, 1).changes("web/b.ts")
    told.shell("pnpm --filter e2e test -- e2e/tests/share.spec.ts", "> playwright test\n\n  4 passed (2s)")
    assert told.kind() == "verified"


def test_another_file_answers_no_failure() -> None:
    red = "  1 failed\n    [chromium] \u203a tests/share.spec.ts:40:3 \u203a Share\n  3 passed (2s)"
    told = (
        Told()
        .asked()
        .changes("web/a.ts")
        .shell("npx playwright test tests/share.spec.ts", red, 1)
        .changes("web/b.ts")
    )
    assert told.shell("npx playwright test tests/login.spec.ts", "  4 passed (2s)").kind() == "failed"


def test_a_task_that_only_renews_recorded_output_is_tampered_unless_it_was_asked_for() -> None:
    output = "Snapshot Summary\n 3 snapshots updated.\nTests:       12 passed, 12 total"
    verdict = Told().asked("why is the table test red? fix it").shell("npx jest -u", output).verdict()
    assert verdict.kind == "tampered"
    assert [found.kind for found in verdict.tampering] == ["snapshot_rewritten"]
    assert Told().asked("please update the snapshots").shell("npx jest -u", output).kind() == "none"


def test_another_test_that_fails_for_an_old_cause_is_the_changes_where_it_passed_before() -> None:
    message = "E   OperationalError: no such table orders"
    told = Told().asked().changes()
    told.shell("pytest -q", f"{message}\nFAILED tests/test_new.py::test_new\n1 failed, 3 passed in 0.1s", 1)
    red = f"{message}\nFAILED tests/test_old.py::test_old\n1 failed, 3 passed in 0.1s"
    told.shell("git stash && pytest -q; git stash pop", red)
    assert told.tests(command="pytest -q tests/test_cart.py").kind() == "failed"


def test_a_task_that_changed_nothing_at_all_says_so_and_one_of_documents_only_says_that() -> None:
    nothing = "nothing was changed, so there is nothing to prove"
    assert Told().asked("where?").shell("grep -rn x .", "a").verdict().reason == nothing
    assert Told().asked("are they green?").tests().verdict().reason == nothing
    documents = Told().asked("explain it").changes("README.md").verdict()
    assert (documents.kind, "nothing but documentation was changed" in documents.reason) == ("none", True)
