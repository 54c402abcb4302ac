"""Code mode: what a JavaScript program called, read without running it, and what came back of each call."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honed.sessions.codex_bind import bind
from honed.sessions.codex_js import UNKNOWN, Literals, mask
from honed.sessions.codex_program import MAX_RUNS
from honed.sessions.codex_script import read_script
from honed.sessions.model import Step
from tests.sessions.build_codex import APPLIED, FOLDER, OWN_TURN, UPDATE, Rollout, exited, patch, result

PATCH = patch(UPDATE)


def literal(source: str, **names: Any) -> Any:
    return Literals(source, mask(source)).value(0, names)


def commands(source: str) -> list[Any]:
    return [call.argument.get("cmd") for call in read_script(source).calls]


def program(source: str, *items: str, how: str = "completed") -> list[Step]:
    return Rollout().custom("exec", source).printed(*items, how=how).steps()


# -- literals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ('"a\\n\\"b\\""', 'a\n"b"'),
        ("'it\\'s'", "it's"),
        ("`two\nlines \\` ${'x'}`", "two\nlines ` x"),
        ("`\\u{1F600}\\ud83d\\ude00\\x41`", "\U0001f600\U0001f600A"),
        (r"String.raw`a\n${b}`", "a\\nB"),
        ("`a ${unknown.path + 1} b`", "a ${unknown.path + 1} b"),
        ("`a ${`b ${'c'}`}`", "a b c"),
        ('"a" + b + "c"', "aBc"),
        ('"a " + f(1, 2) + " c"', "a ${f(1, 2)} c"),
        ('["a", `b`, b].join("\\n")', "a\nb\nB"),
        ('[1, -2.5, true, null, , "x"]', [1, -2.5, True, None, UNKNOWN, "x"]),
        (
            "{a: 1, 'b c': [b], b, ...rest, [key]: 2, // no\n d: /[\"'`]/g}",
            {"a": 1, "b c": ["B"], "b": "B", "z": 9, "d": UNKNOWN},
        ),
        ("({a: {b: 'x'}}).a.b", "x"),
        ('" x ".trim()', "x"),
        ("1_000", 1000),
        ("call(1)", UNKNOWN),
        ("a ? 1 : 2", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_a_literal_has_its_value(source: str, value: Any) -> None:
    assert literal(source, b="B", rest={"z": 9}) == value


def test_a_mask_keeps_the_length_and_hides_what_only_looks_like_code() -> None:
    source = 'a("tools.x()") /* tools.y() */ + `tools.z(${tools.w()})` // tools.v()\n/tools.u()/.test(q)'
    masked = mask(source)
    assert len(masked) == len(source)
    assert "tools" not in masked
    assert masked.count("\n") == 1


# -- calls --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('const r = await tools.exec_command({"cmd": "make test"}); text(r.output)', ["make test"]),
        ("const cmd = `make ${'test'}`; await tools.exec_command({cmd, workdir})", ["make test"]),
        ('// tools.exec_command({cmd: "no"})\ntext("tools.exec_command({cmd: 1})")', []),
        ("await Promise.all([tools.exec_command({cmd:'a'}), tools.exec_command({cmd:'b'})])", ["a", "b"]),
        ("for (const c of ['a', 'b']) { await tools.exec_command({cmd: `run ${c}`}) }", ["run a", "run b"]),
        ("for (const [n, c] of [['x','a'],['y','b']]) await tools.exec_command({cmd: c});", ["a", "b"]),
        ("for (const {c} of [{c:'a'},{c:'b'}]) await tools.exec_command({cmd: c});", ["a", "b"]),
        ("const all = ['a','b']; await Promise.all(all.map(cmd => tools.exec_command({cmd})))", ["a", "b"]),
        ("['a','b'].map(async (cmd) => { await tools.exec_command({cmd}) })", ["a", "b"]),
        ("const run = cmd => tools.exec_command({cmd}); await run('a'); await run('b')", ["a", "b"]),
        ("async function run(cmd) { return tools.exec_command({cmd}) }\nawait run('a')", ["a"]),
        (
            "const run = (cmd) => tools.exec_command({cmd}); for (const c of ['a','b']) await run(c)",
            ["a", "b"],
        ),
        ("const { exec_command } = tools; await exec_command({cmd: 'a'})", ["a"]),
        ("for (const f of files) await tools.exec_command({cmd: `cat ${f}`})", ["cat ${f}"]),
        ("const base = {workdir: '/x'}; await tools.exec_command({...base, cmd: 'a'})", ["a"]),
        ("for (const t of [{cmd: 'a'}]) await tools.exec_command({cmd: t.cmd})", ["a"]),
        (
            "const l = ['a','b']; for (let i = 0; i < l.length; i++) await tools.exec_command({cmd: l[i]})",
            ["a", "b"],
        ),
        ("await tools?.exec_command?.({cmd: 'a'})", ["a"]),
        (
            "{ const c = 'a'; tools.exec_command({cmd: c}) } { const c = 'b'; tools.exec_command({cmd: c}) }",
            ["a", "b"],
        ),
        ("const cmd = 'a'; list.map(cmd => tools.exec_command({cmd}))", [UNKNOWN]),
        ("const cmd = 'a'; list.filter(Boolean).map(cmd => tools.exec_command({cmd}))", [UNKNOWN]),
        ("const cmd = 'a'; for (const [n, cmd] of list) await tools.exec_command({cmd})", [UNKNOWN]),
        ("const cmd = 'a'; function run(cmd) { return tools.exec_command({cmd}) }", [UNKNOWN]),
        ("let cmd = 'a'; cmd += ' b'; await tools.exec_command({cmd})", [UNKNOWN]),
        ("let cmd = 'a'; if (cmd === 'a') await tools.exec_command({cmd})", ["a"]),
        ("const l = ['a']; l.push(x); for (const cmd of l) await tools.exec_command({cmd})", [UNKNOWN]),
    ],
)
def test_the_calls_of_a_program_are_found(source: str, found: list[str]) -> None:
    assert commands(source) == found


def test_the_calls_of_a_loop_over_much_data_are_bounded() -> None:
    words = ", ".join(f"'{n}'" for n in range(1000))
    assert (
        len(read_script(f"for (const c of [{words}]) await tools.exec_command({{cmd: c}})").calls) == MAX_RUNS
    )


A, B = "exec_command({cmd: 'a'})", "exec_command({cmd: 'b'})"


@pytest.mark.parametrize(
    ("source", "items", "outcomes"),
    [
        (f"const r = await tools.{A}; text(r.output)", ["out"], [("out", None)]),
        (f"const r = await tools.{A}; text(JSON.stringify(r))", [result(3, "out")], [("out", 3)]),
        (f"text(await tools.{A})", [result(0, "out")], [("out", 0)]),
        (
            f"const r = await tools.{A}; text(`exit ${{r.exit_code}}\\n${{r.output}}`)",
            ["exit 3\nout"],
            [("exit 3\nout", 3)],
        ),
        (
            f"const r = await tools.{A}; text(r.output); text('code: ' + r.exit_code)",
            ["out", "code: 3"],
            [("out\ncode: 3", None)],
        ),
        (
            f"const r = await tools.{A}; text(r.output); text('exit code: ' + r.exit_code)",
            ["o", "exit code: 3"],
            [("o\nexit code: 3", 3)],
        ),
        (
            f"const r = await tools.{A}; text(JSON.stringify({{c: r.exit_code, o: 1}}))",
            ['{"c":4,"o":1}'],
            [('{"c":4,"o":1}', 4)],
        ),
        (
            f"const r = await tools.{A}; text(r.output)",
            ['{"exit_code": 1, "output": "own"}'],
            [('{"exit_code": 1, "output": "own"}', None)],
        ),
        (
            f"const [x, y] = await Promise.all([tools.{A}, tools.{B}]); text(y.output); text(x.output)",
            ["from b", "from a"],
            [("from a", None), ("from b", None)],
        ),
        (
            f"const rs = await Promise.all([tools.{A}, tools.{B}]); rs.forEach((r) => text(r))",
            [result(1, "x"), result(0, "y")],
            [("x", 1), ("y", 0)],
        ),
        (
            f"const rs = await Promise.all([tools.{A}, tools.{B}]); text(JSON.stringify(rs))",
            [f"[{result(1, 'x')}, {result(0, 'y')}]"],
            [("x", 1), ("y", 0)],
        ),
        (
            f"const x = await tools.{A}; const y = await tools.{B}; text(JSON.stringify({{x, y}}))",
            [f'{{"x": {result(1, "x")}, "y": {result(0, "y")}}}'],
            [("x", 1), ("y", 0)],
        ),
        (
            "const rs = []; for (const cmd of ['a','b']) rs.push(await tools.exec_command({cmd})); text(rs)",
            [f"[{result(1, 'x')}, {result(0, 'y')}]"],
            [("x", 1), ("y", 0)],
        ),
        (
            "for (const cmd of ['a','b']) {"
            " const r = await tools.exec_command({cmd}); text(`${cmd}: exit ${r.exit_code}`) }",
            ["a: exit 1", "b: exit 0"],
            [("a: exit 1", 1), ("b: exit 0", 0)],
        ),
        (
            f"let r = await tools.{A}; text(r.output); r = await tools.{B}; text(r.output)",
            ["x", "y"],
            [("x", None), ("y", None)],
        ),
        (
            f"const rs = await Promise.all([tools.{A}, tools.{B}]); for (const r of rs) text(r); done()",
            [result(1, "x") + "\n" + result(0, "y")],
            [("x", 1), ("y", 0)],
        ),
        (f"await tools.{A}; await tools.{B}; show()", ["x", "y", "z"], [("x\ny\nz", None)] * 2),
        (f"await tools.{A}", [], [("", None)]),
        (
            f"text(await tools.{A})",
            ['Warning: truncated output\n{"chunk_id":"9f","exit_code":1,"output":"a\\nb…7 tokens truncated…'],
            [("a\nb…7 tokens truncated…", 1)],
        ),
    ],
)
def test_what_was_printed_is_bound_to_its_call(
    source: str, items: list[str], outcomes: list[tuple[str, int | None]]
) -> None:
    assert [(answer.text, answer.exit_code) for answer in bind(read_script(source), items)] == outcomes


# -- steps --------------------------------------------------------------------------------------------


def test_one_command_in_a_program_is_one_step_with_the_programs_id() -> None:
    source = (
        "const r = await tools.exec_command({cmd: 'pytest -q', workdir: '/srv'}); text(JSON.stringify(r))"
    )
    (step,) = program(source, result(1, "1 failed\n"))
    assert (step.id, step.kind, step.tool, step.command) == ("call_1", "shell", "exec_command", "pytest -q")
    assert (step.exit_code, step.output, step.cwd, step.status) == (1, "1 failed\n", "/srv", "failed")


def test_a_command_line_may_be_the_whole_argument() -> None:
    (step,) = program("text(await tools.exec_command('make test'))", result(0, "ok\n"))
    assert (step.command, step.exit_code) == ("make test", 0)


def test_a_command_whose_exit_code_was_not_printed_is_unknown() -> None:
    (step,) = program("text((await tools.exec_command({cmd: 'make'})).output)", "5 passed\n")
    assert (step.status, step.exit_code, step.output, step.cwd) == ("unknown", None, "5 passed\n", FOLDER)


def test_the_calls_of_a_program_start_in_its_order() -> None:
    source = (
        f"await tools.apply_patch(`{PATCH}`); const r = await tools.exec_command({{cmd: 'make'}}); text(r)"
    )
    edit, shell = program(source, result(0, "ok\n"))
    assert (edit.id, shell.id) == ("call_1:1", "call_1:2")
    assert edit.started < shell.started < edit.finished < shell.finished
    assert (edit.kind, edit.status, edit.changes[0].path) == ("edit", "ok", "cart.py")


@pytest.mark.parametrize(
    "source",
    [
        f"const patch = {PATCH!r}; const r = await tools.apply_patch(patch); text(r)",
        f"const p = {PATCH.splitlines()!r}.join('\\n'); text(await tools.apply_patch(p))",
        f"text(await tools.apply_patch({{input: {PATCH!r}}}))",
        f"text(await tools.exec_command({{cmd: `apply_patch <<'EOF'\\n{PATCH}EOF`}}))",
    ],
)
def test_a_patch_in_a_program_is_an_edit(source: str) -> None:
    (step,) = program(source, "{}")
    assert (step.kind, step.tool, step.status) == ("edit", "apply_patch", "ok")
    assert step.changes[0].hunks[0].new == "    return amount"


def test_a_program_that_a_failed_patch_ended_ran_nothing_behind_it() -> None:
    source = f"await tools.{A}; await tools.apply_patch(`{PATCH}`); await tools.{B}"
    error = "Script error:\napply_patch verification failed: Failed to find expected lines in cart.py"
    listed, edit, made = program(source, error, how="failed")
    assert [step.status for step in (listed, edit, made)] == ["unknown", "failed", "never_ran"]
    assert edit.changes == ()


def test_a_program_that_failed_for_no_known_reason_leaves_its_calls_unknown() -> None:
    source = "await tools.exec_command({cmd: 'a'}); await tools.exec_command({cmd: 'b'})"
    assert [s.status for s in program(source, "Script error:\nTypeError: x", how="failed")] == ["unknown"] * 2
    (step,) = program("await tools.exec_command({cmd: 'a'})", 'Rejected("by user")', how="failed")
    assert step.status == "rejected"


def test_what_a_program_printed_before_it_failed_still_counts() -> None:
    source = f"text(await tools.{A}); text(await tools.{B}); text(await tools.exec_command({{cmd: 'c'}}))"
    error = 'Script error:\nexec_command failed: CreateProcess { message: "Rejected(\\"by user\\")" }'
    first, second, third = program(source, result(0, "x"), error, how="failed")
    assert [(s.status, s.exit_code) for s in (first, second, third)] == [
        ("ok", 0),
        ("rejected", None),
        ("never_ran", None),
    ]


def test_a_process_is_found_again_by_the_session_that_a_program_printed_in_words() -> None:
    words = "text(`exit=${r.exit_code ?? ''} session=${r.session_id ?? ''}\\n${r.output}`)"
    rollout = Rollout().custom("exec", f"const r = await tools.{A}; {words}", "c1")
    rollout.printed("exit= session=77\none\n", call_id="c1")
    rollout.custom("exec", f"const r = await tools.write_stdin({{session_id: 77}}); {words}", "c2")
    step = rollout.printed("exit=1 session=\ntwo\n", call_id="c2").step()
    assert (step.command, step.exit_code, step.background) == ("a", 1, True)


def test_a_program_that_was_stopped_was_interrupted() -> None:
    rollout = Rollout().custom("exec", "await tools.exec_command({cmd: 'sleep 90'})")
    rollout.item(type="custom_tool_call_output", call_id="call_1", output="aborted by user after 5.0s")
    assert rollout.step().status == "interrupted"


def test_a_program_that_runs_on_ends_with_the_wait_that_shows_its_end() -> None:
    rollout = Rollout().custom("exec", "const r = await tools.exec_command({cmd: 'make'}); text(r)", "c1")
    rollout.printed(call_id="c1", how="running with cell ID 9")
    rollout.call("exec_command", {"cmd": "ls"}, "c2").output(exited(0, ""), "c2")
    rollout.call("wait", {"cell_id": "9"}, "w1").output(
        "Script running with cell ID 9\nWall time 1 seconds\nOutput:\n", "w1"
    )
    rollout.call("wait", {"cell_id": 9}, "w2").printed(result(0, "done\n"), call_id="w2")
    between, step = rollout.steps()
    assert (step.id, step.line, step.exit_code, step.output) == ("c1", 2, 0, "done\n")
    assert step.started < between.started < between.finished < step.finished


def test_a_process_that_a_program_left_running_is_polled_by_another() -> None:
    polls = "tools.write_stdin({session_id: 7}), tools.write_stdin({session_id: 8})"
    start, poll = (
        f"const rs = await Promise.all([{calls}]); rs.forEach(r => text(r))"
        for calls in (f"tools.{A}, tools.{B}", polls)
    )
    rollout = (
        Rollout()
        .custom("exec", start, "c1")
        .printed(result(None, "1\n", 7), result(None, "2\n", 8), call_id="c1")
    )
    rollout.custom("exec", poll, "c2").printed(result(0, "3\n"), result(1, "4\n"), call_id="c2")
    first, second = rollout.steps()
    assert (first.command, first.exit_code, first.output, first.background) == ("a", 0, "1\n3\n", True)
    assert (second.command, second.exit_code, second.output, second.status) == ("b", 1, "2\n4\n", "failed")


def test_a_poll_inside_the_program_belongs_to_its_command() -> None:
    source = (
        "let r = await tools.exec_command({cmd: 'make', yield_time_ms: 1});\n"
        "while (r.session_id) { r = await tools.write_stdin({session_id: r.session_id}); }\ntext(r)"
    )
    (step,) = program(source, result(0, "done\n"))
    assert (step.command, step.exit_code, step.output) == ("make", 0, "done\n")


def recorded(item_id: str, command: str, code: int, text: str) -> dict[str, Any]:
    return {
        "type": "CommandExecution",
        "id": item_id,
        "command": ["/bin/bash", "-lc", command],
        "cwd": "file:///srv",
        "status": "completed" if code == 0 else "failed",
        "aggregated_output": text,
        "exit_code": code,
    }


def test_the_clients_record_of_a_command_in_a_program_counts_once() -> None:
    rollout = Rollout().custom("exec", "text((await tools.exec_command({cmd: 'make'})).output)")
    rollout.completed(**recorded("exec-1", "make", 2, "all of it\n")).completed(
        **recorded("exec-1", "make", 2, "")
    )
    step = rollout.printed("it\n").step()
    assert (step.id, step.exit_code, step.output, step.status) == ("call_1", 2, "all of it\n", "failed")


def test_records_tell_the_commands_that_the_program_does_not_show() -> None:
    rollout = Rollout().custom("exec", "for (const f of files) await tools.exec_command({cmd: `cat ${f}`})")
    rollout.completed(**recorded("exec-1", "cat a", 0, "A")).completed(**recorded("exec-2", "cat b", 1, "B"))
    steps = rollout.printed().steps()
    assert [(s.id, s.command, s.exit_code, s.cwd) for s in steps] == [
        ("exec-1", "cat a", 0, "/srv"),
        ("exec-2", "cat b", 1, "/srv"),
    ]


def test_records_of_patches_and_mcp_calls_in_a_program_count_once() -> None:
    source = f"await tools.apply_patch({PATCH!r}); await tools.mcp__notes__recall({{query: 'cart'}})"
    changes = {f"{FOLDER}/cart.py": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-a\n+b\n"}}
    rollout = Rollout().custom("exec", source)
    rollout.completed(type="FileChange", id="exec-1", changes=changes, status="completed", stdout=APPLIED)
    content = [{"type": "text", "text": "use make"}]
    rollout.completed(
        type="McpToolCall",
        id="exec-2",
        server="notes",
        tool="recall",
        status="completed",
        result={"content": content},
    )
    edit, mcp = rollout.printed().steps()
    assert (edit.id, edit.status, edit.changes[0].path, edit.output) == ("call_1:1", "ok", "cart.py", APPLIED)
    assert (mcp.id, mcp.kind, mcp.tool, mcp.output) == ("call_1:2", "mcp", "mcp__notes__recall", "use make")


def test_a_search_in_a_program_is_not_told_again_by_its_event() -> None:
    rollout = Rollout().custom("exec", "text(await tools.web__run({search_query: [{q: 'sqlite'}]}))")
    rollout.event(type="web_search_end", call_id="exec-3", query="sqlite", action={"type": "search"})
    step = rollout.printed("found\n").step()
    assert (step.kind, step.tool, step.output) == ("web", "web__run", "found\n")


def test_two_programs_at_once_keep_their_own_records() -> None:
    rollout = Rollout()
    for name in ("a", "b"):
        rollout.custom("exec", f"text(await tools.exec_command({{cmd: '{name}'}}))", name)
    rollout.completed(**recorded("exec-b", "b", 1, "B")).completed(**recorded("exec-a", "a", 0, "A"))
    rollout.printed("B", call_id="b").printed("A", call_id="a")
    assert [(s.id, s.command, s.exit_code) for s in rollout.steps()] == [("b", "b", 1), ("a", "a", 0)]


def test_calls_of_a_program_that_never_came_back_are_running() -> None:
    rollout = Rollout().custom(
        "exec", "await tools.exec_command({cmd: 'a'}); await tools.exec_command({cmd: 'b'})"
    )
    assert [step.status for step in rollout.steps()] == ["running", "running"]
    assert [s.status for s in rollout.event(type="turn_aborted", turn_id=OWN_TURN).steps()] == [
        "interrupted"
    ] * 2


# -- no text raises -----------------------------------------------------------------------------------

BITS = st.sampled_from(
    (
        "tools.exec_command({cmd: |})|text(r)|const r = await |let [a, b] = |Promise.all([|])|`|${|}"
        "|\"|'|/|//"
        "|/*|*/|\\|for (const x of |[|]|(|)|{|} = tools|=>|.map(c => |rs.push(|function f(a) {|f(1)|, |;|\n|+"
        "|.join('')|write_stdin({session_id: r.session_id})|tools.apply_patch(|return /|\\u{|\\ud800|x"
    ).split("|")
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(BITS, max_size=40),
    st.lists(st.sampled_from(["", "{", "[{}]", result(1, "x"), "exit 1"]), max_size=4),
)
def test_no_program_and_no_output_raises(bits: list[str], items: list[str]) -> None:
    source = "".join(bits)
    assert len(mask(source)) == len(source)
    script = read_script(source)
    assert len(bind(script, items)) == len(script.calls)


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=60))
def test_a_string_literal_reads_back_as_its_text(text: str) -> None:
    escaped = text.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${")
    assert literal(f"`{escaped}`") == text
    assert commands(f"await tools.exec_command({{cmd: `{escaped}`}})") == [text]
