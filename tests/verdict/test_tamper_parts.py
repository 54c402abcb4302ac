"""The parts of the tamper check one by one: files, what stands, assertions, what was asked for."""

from __future__ import annotations

import pytest

from honed.sessions.model import FileChange, Hunk, Request, Step
from honed.verdict.tamper.asked import (
    asked_for,
    forbids_test_changes,
    keeps_behaviour,
    speaks_of_tests,
)
from honed.verdict.tamper.assertion_words import COUNT, EXACT, PARTIAL, PRESENT, TRUE, VACUOUS
from honed.verdict.tamper.assertions import Assertion, assertions_in
from honed.verdict.tamper.comparing import looser_bound, related
from honed.verdict.tamper.rewriting import is_append, replacements
from honed.verdict.tamper.source_text import code_lines
from honed.verdict.tamper.standing import FileStory, standing
from honed.verdict.test_files import role_of

ROOT = "/home/dev/project"


# -- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("tests/test_cart.py", "test"),
        ("pkg/cart_test.go", "test"),
        ("src/cart.test.tsx", "test"),
        ("src/__tests__/cart.ts", "test"),
        ("cypress/e2e/cart.cy.js", "test"),
        ("src/test/java/a/CartTest.java", "test"),
        ("spec/models/cart_spec.rb", "test"),
        ("tests/CartTest.php", "test"),
        ("tests/CartTests.cs", "test"),
        ("test/cart_test.exs", "test"),
        ("tests/conftest.py", "support"),
        ("tests/helpers.py", "support"),
        ("jest.setup.ts", "support"),
        ("src/lib.rs", "mixed"),
        ("src/__snapshots__/a.test.ts.snap", "snapshot"),
        ("cmd/testdata/help.golden", "snapshot"),
        ("tests/expected/a.csv", "snapshot"),
        ("package.json", "gate"),
        ("pyproject.toml", "gate"),
        ("Makefile", "gate"),
        (".github/workflows/ci.yml", "gate"),
        ("scripts/check.sh", "gate"),
        ("app/contest.py", "source"),
        ("src/latest.ts", "source"),
        ("README.md", "prose"),
    ],
)
def test_a_file_has_its_role_by_its_path(path: str, role: str) -> None:
    assert role_of(path) == role


# -- what stands -----------------------------------------------------------------------------------


def _edit(path: str, old: str, new: str, number: int, *, tool: str = "Edit", action: str = "update") -> Step:
    change = FileChange(f"{ROOT}/{path}", action, (Hunk(old, new),))  # type: ignore[arg-type]
    return Step(f"s{number}", "edit", tool, "ok", number, number, number, cwd=ROOT, changes=(change,))


def _run(command: str, number: int, output: str = "") -> Step:
    return Step(
        f"s{number}", "shell", "Bash", "ok", number, number, number, command=command, cwd=ROOT, output=output
    )


def _stories(*steps: Step) -> dict[str, FileStory]:
    return {story.path: story for story in standing(steps, ROOT)}


def _sides(story: FileStory) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(stretch.old, stretch.new) for stretch in story.stretches]


def test_edits_of_the_same_place_are_composed() -> None:
    stories = _stories(_edit("a.py", "x = 1", "x = 2", 1), _edit("a.py", "x = 2", "x = 3", 2))
    assert _sides(stories["a.py"]) == [(("x = 1",), ("x = 3",))]


def test_a_later_edit_around_an_earlier_one_takes_it_in() -> None:
    stories = _stories(_edit("a.py", "b", "B", 1), _edit("a.py", "a\nB\nc", "z", 2))
    assert _sides(stories["a.py"]) == [(("a", "b", "c"), ("z",))]


def test_what_both_sides_share_is_no_change() -> None:
    stories = _stories(_edit("a.py", "a\nb\nc", "a\nB\nc", 1))
    (stretch,) = stories["a.py"].stretches
    assert (stretch.old, stretch.new, stretch.above, stretch.below) == (("b",), ("B",), ("a",), ("c",))


def test_what_git_took_back_never_was() -> None:
    steps = (_edit("a.py", "a", "b", 1), _edit("b.py", "a", "b", 2), _run("git checkout -- a.py", 3))
    assert list(_stories(*steps)) == ["b.py"]


def test_a_commit_is_what_a_later_restore_brings_back() -> None:
    steps = (
        _edit("a.py", "a", "b", 1),
        _run("git commit -qam x", 2),
        _edit("a.py", "b", "c", 3),
        _run("git restore .", 4),
    )
    assert _sides(_stories(*steps)["a.py"]) == [(("a",), ("b",))]


def test_a_stash_is_put_aside_until_it_comes_back() -> None:
    put_aside = (_edit("a.py", "a", "b", 1), _run("git stash", 2))
    assert _stories(*put_aside) == {}
    assert list(_stories(*put_aside, _run("git stash pop", 3))) == ["a.py"]


def test_a_file_made_and_removed_again_leaves_nothing() -> None:
    assert _stories(_edit("t.py", "", "x", 1, tool="Write", action="create"), _run("rm t.py", 2)) == {}


def test_a_file_moved_away_and_back_was_not_moved() -> None:
    assert _stories(_run("mv a.py b.py", 1), _run("mv b.py a.py", 2)) == {}


def test_a_file_moved_into_a_folder_keeps_its_name() -> None:
    stories = _stories(_run("git mv tests/test_a.py tests/unit/", 1))
    assert stories["tests/unit/test_a.py"].old_path == "tests/test_a.py"


def test_a_file_that_was_read_before_it_was_overwritten_is_known() -> None:
    steps = (_run("cat a.py", 1, "one\ntwo\n"), _run("cat > a.py <<'EOF'\none\nEOF", 2))
    assert _sides(_stories(*steps)["a.py"]) == [(("two",), ())]


def test_a_file_overwritten_unseen_says_so() -> None:
    (story,) = _stories(_run("cat > a.py <<'EOF'\none\nEOF", 1)).values()
    assert story.unseen
    assert _sides(story) == [((), ("one",))]


def test_a_step_that_failed_changed_nothing() -> None:
    failed = Step(
        "s", "edit", "Edit", "failed", 1, 1, 1, cwd=ROOT, changes=_edit("a.py", "a", "b", 1).changes
    )
    assert _stories(failed) == {}


@pytest.mark.parametrize(
    ("command", "pairs"),
    [
        ("sed -i 's/a == 1/a/' t.py", [("a == 1", "a")]),
        ("sed -i -e 's|x/y|z|g' t.py", [("x/y", "z")]),
        ("sed -i '/assert x/d' t.py", [("assert x", "")]),
        (r"perl -pi -e 's/f\(1\)/f(2)/' t.py", [("f(1)", "f(2)")]),
        ("python -c \"p.write_text(s.replace('a', 'b'))\"", [("a", "b")]),
        ('node -e "x.replace(\\"it(\'a\'\\", \\"it.skip(\'a\'\\")"', [("it('a'", "it.skip('a'")]),
        ("python - <<'E'\nold = 'a'\nnew = 'b'\ns = s.replace(old, new)\nE", [("a", "b")]),
        ("echo 's/a/b/'", []),
        ("ls src/test/s/a", []),
    ],
)
def test_a_command_says_what_it_replaces(command: str, pairs: list[tuple[str, str]]) -> None:
    assert list(replacements(command)) == pairs


def test_an_append_is_told_from_an_overwrite() -> None:
    assert is_append("echo x >> conftest.py", "/p/conftest.py")
    assert is_append("echo x | tee -a a/conftest.py", "/p/a/conftest.py")
    assert not is_append("echo x > conftest.py", "/p/conftest.py")


# -- assertions --------------------------------------------------------------------------------------


def asserted(text: str, language: str) -> list[Assertion]:
    return assertions_in("\n".join(code_lines(text.split("\n"), language)), language)


@pytest.mark.parametrize(
    ("language", "text", "strength"),
    [
        ("python", "assert total(x) == 3", EXACT),
        ("python", 'assert f("a == b") in (1, 2)', PARTIAL),
        ("python", "assert [x for x in xs] == [1]", EXACT),
        ("python", "assert len(xs) == 3", COUNT),
        ("python", "assert xs", TRUE),
        ("python", "assert x == True", TRUE),
        ("python", "assert x is not None", PRESENT),
        ("python", "assert hasattr(x, 'y')", PRESENT),
        ("python", "assert True", VACUOUS),
        ("python", "assert f() == 1 or True", VACUOUS),
        ("python", "assert x == x", VACUOUS),
        ("python", "self.assertEqual(\n    f(1),\n    [1, 2],\n)", EXACT),
        ("python", "self.assertEqual(len(xs), 2)", COUNT),
        ("python", "self.assertTrue(a == b)", EXACT),
        ("python", "self.assertTrue(True)", VACUOUS),
        ("python", "with pytest.raises(ValueError, match='x'):", PARTIAL + 1),
        ("python", "with pytest.raises(ValueError):", PARTIAL),
        ("python", "with pytest.raises(Exception):", PRESENT),
        ("python", "np.testing.assert_allclose(a, b)", EXACT),
        ("javascript", "expect(f(1)).toEqual({ a: 1 });", EXACT),
        ("javascript", "expect(\n  f(1)\n)\n  .not\n  .toBe(2);", PARTIAL),
        ("javascript", "expect(xs).toHaveLength(2)", COUNT),
        ("javascript", "expect(xs.length).toBe(2)", COUNT),
        ("javascript", "expect(x).toBe(true)", TRUE),
        ("javascript", "expect(x).toBeDefined()", PRESENT),
        ("javascript", "expect(x).not.toBeNull()", PRESENT),
        ("javascript", "expect(f).not.toThrow()", PRESENT),
        ("javascript", "expect(f).toThrow('full')", PARTIAL),
        ("javascript", "expect(f).toThrow()", TRUE),
        ("javascript", "expect(x).toEqual(expect.anything())", PRESENT),
        ("javascript", "expect(true).toBe(true)", VACUOUS),
        ("javascript", "  .toBeTruthy()", TRUE),
        ("javascript", "await request(app).get('/').expect(200)", EXACT),
        ("javascript", "expect(a.b).to.equal('x')", EXACT),
        ("javascript", "assert.strictEqual(a, 'x')", EXACT),
        ("go", 'if got != want {\n\tt.Fatalf("x")\n}', EXACT),
        ("go", "if err != nil {\n\tt.Fatal(err)\n}", TRUE),
        ("go", 'if len(got) == 0 {\n\tt.Error("x")\n}', PRESENT),
        ("go", "assert.Equal(t, 1, got)", EXACT),
        ("go", "require.NotNil(t, got)", PRESENT),
        ("go", "if got != want {", EXACT),
        ("rust", "assert_eq!(f(1), 2);", EXACT),
        ("rust", "assert!(f(1).is_ok());", TRUE),
        ("rust", "assert!(matches!(f(1), Ok(2)));", EXACT),
        ("rust", '#[should_panic(expected = "x")]', PARTIAL + 1),
        ("java", "assertThat(x).isEqualTo(2);", EXACT),
        ("java", "assertThat(x).isNotNull();", PRESENT),
        ("java", "assertThrows(Exception.class, () -> f());", PRESENT),
        ("java", "x.items shouldBe listOf(1)", EXACT),
        ("ruby", "expect(x).to eq([1])", EXACT),
        ("ruby", "expect(x).not_to be_empty", PRESENT),
        ("ruby", "expect { run }.to change { Order.count }.by(1)", PARTIAL),
        ("ruby", "assert_equal 3, total", EXACT),
        ("php", "$this->assertSame(1, f());", EXACT),
        ("php", "expect(f())->toBe(1);", EXACT),
        ("csharp", "Assert.NotNull(x);", PRESENT),
        ("csharp", "count.Should().Be(3);", EXACT),
        ("csharp", "count.ShouldBe(3);", EXACT),
        ("elixir", "assert {:ok, 1} = f()", EXACT),
        ("swift", "XCTAssertEqual(a, 2)", EXACT),
        ("dart", "expect(f(1), isNotNull);", PRESENT),
        ("cpp", "EXPECT_EQ(f(1), 2);", EXACT),
    ],
)
def test_an_assertion_demands_as_much_as_it_says(language: str, text: str, strength: int) -> None:
    (found,) = asserted(text, language)
    assert found.strength == strength


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "# assert x == 1"),
        ("javascript", "// expect(x).toBe(1)"),
        ("go", "/* t.Fatal() */"),
        ("python", "total = sum(xs)"),
        ("javascript", "t.step('x')"),
    ],
)
def test_a_comment_or_plain_code_asserts_nothing(language: str, text: str) -> None:
    assert asserted(text, language) == []


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("assert total(x) == 3", "assert total(x) > 0", True),
        ("assert total(x) == 3", "assert subtotal(x) > 0", False),
        ("assert post.slug == 'a'", "assert post", True),
        ("assert r.json() == 1", "assert r.ok", False),
        ("assert x == 3", "assert max(a) == 3", False),
    ],
)
def test_two_assertions_speak_of_the_same_thing(old: str, new: str, same: bool) -> None:
    (first,), (second,) = asserted(old, "python"), asserted(new, "python")
    assert related(first, second) is same


@pytest.mark.parametrize(
    ("old", "new", "looser"),
    [
        ("assert_allclose(a, b, rtol=1e-6)", "assert_allclose(a, b, rtol=0.1)", True),
        ("assert_allclose(a, b, rtol=0.1)", "assert_allclose(a, b, rtol=1e-6)", False),
        ("assertAlmostEqual(a, b, places=7)", "assertAlmostEqual(a, b, places=1)", True),
        ("assert score > 0.9", "assert score > 0.5", True),
        ("assert score > 0.5", "assert score > 0.9", False),
        ("assert errors < 3", "assert errors < 30", True),
        ("assert elapsed < 1", "assert elapsed < 30", False),
        ("expect(x).toBeGreaterThan(9)", "expect(x).toBeGreaterThan(1)", True),
    ],
)
def test_a_bound_that_lets_more_pass_is_looser(old: str, new: str, looser: bool) -> None:
    assert looser_bound(old, new) is looser


# -- what was asked for --------------------------------------------------------------------------------


def _asks(text: str) -> tuple[Request, ...]:
    return (Request("r", text, 0, 0),)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("test_skipped", "Skip test_sync for now"),
        ("test_skipped", "please mark the flaky test as skipped"),
        ("test_skipped", "Überspringe den Test test_sync"),
        ("test_skipped", "Отключи тест синхронизации"),
        ("test_skipped", "Désactive le test test_sync"),
        ("test_skipped", "Omite la prueba test_sync"),
        ("test_skipped", "Desative o teste test_sync"),
        ("test_skipped", "先跳过这个测试"),
        ("test_deleted", "Delete the outdated tests of the old API"),
        ("test_deleted", "Lösche die alten Tests"),
        ("test_deleted", "Удали устаревшие тесты"),
        ("test_deleted", "Supprime les tests obsolètes"),
        ("test_deleted", "Elimina las pruebas viejas"),
        ("test_deleted", "Remova os testes antigos"),
        ("test_deleted", "删除旧的测试"),
        ("test_deleted", "Remove the sync command"),
        ("snapshot_rewritten", "update the snapshots"),
        ("snapshot_rewritten", "Bitte die Snapshots aktualisieren"),
        ("snapshot_rewritten", "Обнови снапшоты"),
        ("snapshot_rewritten", "更新快照"),
        ("threshold_lowered", "Lower the coverage threshold to 80"),
        ("threshold_lowered", "Понизь порог покрытия"),
        ("assertion_loosened", "relax the assertion on the message"),
        ("failure_ignored", "the nightly job may fail"),
        ("failure_ignored", "don't fail the build when the linter complains"),
    ],
)
def test_a_wish_is_heard(kind: str, text: str) -> None:
    assert asked_for(_asks(text), kind, "tests/test_sync.py")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("test_skipped", "Do not skip any tests"),
        ("test_skipped", "the runner skips tests that are slow, why?"),
        ("test_skipped", "Überspringe keine Tests"),
        ("test_skipped", "не пропускай тесты"),
        ("test_skipped", "不要跳过测试"),
        ("test_deleted", "Fix the import. Do not delete any tests."),
        ("test_deleted", "Remove the banner and add tests"),
        ("test_deleted", "Remove the banner"),
        ("test_deleted", "drop support in `test_sync` parsing of `rm -rf tests`"),
        ("snapshot_rewritten", "fix the rendering so that the snapshot tests pass"),
        ("threshold_lowered", "raise an error when the disk is full"),
        ("assertion_loosened", "update the tests"),
        ("failure_ignored", "the upload fails on CI"),
    ],
)
def test_what_was_not_wished_is_not_heard(kind: str, text: str) -> None:
    assert not asked_for(_asks(text), kind, "tests/test_export.py")


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("Do not change the tests.", True),
        ("make it pass without touching the tests", True),
        ("ändere die Tests nicht", True),
        ("не меняй тесты", True),
        ("sin modificar las pruebas", True),
        ("不要修改测试", True),
        ("change the tests", False),
        ("don't change the API; update the tests", False),
    ],
)
def test_a_request_can_forbid_to_touch_the_tests(text: str, forbidden: bool) -> None:
    assert forbids_test_changes(_asks(text)) is forbidden


def test_a_refactoring_keeps_what_the_program_does() -> None:
    assert keeps_behaviour(_asks("Refactor the parser"))
    assert not keeps_behaviour(_asks("Add a parser"))


def test_a_bare_yes_says_too_little_to_tell_what_it_is_about() -> None:
    assert speaks_of_tests(_asks("yes"))
    assert speaks_of_tests(_asks("the test of the parser is wrong, I think"))
    assert not speaks_of_tests(_asks("the shipping cost of heavy parcels is wrong"))
