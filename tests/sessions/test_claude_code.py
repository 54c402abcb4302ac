"""What was asked and what was done in a Claude Code session."""

from __future__ import annotations

import json
from typing import Any

import pytest

from honed.sessions.claude_code import recognises
from tests.sessions.build_claude import CART, SESSION, Told, Transcript, read


def asked(content: Any, **fields: Any) -> Told:
    return read(Transcript().user(content, **fields))


# -- the session


def test_the_start_says_which_session_it_is() -> None:
    start = asked("fix it").start
    assert (start.id, start.client, start.kind, start.parent) == (SESSION, "claude_code", "main", None)
    assert (start.version, start.cwd, start.branch) == ("2.1.100", "/home/dev/shop", "main")
    assert start.at == "2026-05-04T10:00:01.000Z"


def test_a_fork_is_named_by_its_file_and_knows_its_parent() -> None:
    told = read(Transcript().user("fix it"), name="aaaaaaaa-0000-4000-8000-000000000009.jsonl")
    assert told.start.id == "aaaaaaaa-0000-4000-8000-000000000009"
    assert told.start.parent == SESSION


def test_a_request_copied_into_a_fork_keeps_its_id() -> None:
    original = Transcript().user("fix it", uuid="u-1")
    copy = Transcript("bbbbbbbb-0000-4000-8000-000000000002").user("fix it", uuid="u-1")
    assert read(original).requests[0].id == read(copy).requests[0].id == "u-1"


def test_a_record_repeated_in_the_file_is_told_once() -> None:
    transcript = Transcript().user("fix it", uuid="u-1").bash("t1", "ls")
    transcript.user("fix it", uuid="u-1").bash("t1", "ls").user("now commit")
    told = read(transcript)
    assert told.texts == ["fix it", "now commit"]
    assert len(told.steps) == 1


def test_a_file_without_conversation_is_recognised_and_empty() -> None:
    told = read(b'{"type":"summary","summary":"Fixing carts","leafUuid":"x"}\n{"type":"mode"}\n')
    assert told.requests == []
    assert told.end.records == 2


@pytest.mark.parametrize(
    "head",
    [
        [{"type": "session_meta", "payload": {"id": "x"}}],
        [{"type": "user", "message": {"role": "user", "parts": [{"text": "hi"}]}, "sessionId": "s"}],
        [{"type": "system", "sessionId": "s", "uuid": "u", "parentUuid": None, "subtype": "ui_telemetry"}],
        [{"type": "message", "message": {"role": "user", "content": []}}],
        [{"type": "user.message", "data": {"content": "hi"}}],
        [{"role": "user", "message": {"content": []}}],
        [{"type": "user", "content": "hi", "id": "x"}],
    ],
    ids=["codex", "qwen", "qwen_system", "pi", "copilot", "cursor", "gemini"],
)
def test_other_clients_records_are_not_taken_for_its_own(head: list[dict[str, Any]]) -> None:
    assert not recognises(head)


def test_stream_json_is_read_as_well() -> None:
    transcript = Transcript(sessionId=..., timestamp=..., session_id=SESSION)
    transcript.record("system", subtype="init", cwd="/home/dev/shop", tools=["Bash"])
    transcript.call("t1", "Bash", {"command": "pytest"}).result("t1", "3 passed")
    transcript.call("t2", "Read", {"file_path": CART}, parent_tool_use_id="task1")
    transcript.result("t2", "text", parent_tool_use_id="task1").record("result", subtype="success")
    told = read(transcript, name="output.jsonl")
    assert told.start.id == SESSION
    assert [(step.kind, step.actor, step.exit_code) for step in told.steps] == [
        ("shell", "agent", 0),
        ("read", "subagent", None),
    ]
    assert told.boundaries == ["turn_end"]


# -- who speaks


@pytest.mark.parametrize(
    ("content", "text", "images"),
    [
        ("fix the total", "fix the total", 0),
        ([{"type": "text", "text": "fix the total"}], "fix the total", 0),
        ([{"type": "text", "text": "fix"}, {"type": "text", "text": "it"}], "fix\nit", 0),
        ([{"type": "text", "text": "as here"}, {"type": "image", "source": {}}], "as here", 1),
        ([{"type": "image", "source": {}}, {"type": "image", "source": {}}], "", 2),
        ("<system-reminder>\nbe brief\n</system-reminder>\nfix it", "fix it", 0),
        (
            [
                {"type": "text", "text": "<ide_opened_file>x</ide_opened_file>"},
                {"type": "text", "text": "fix"},
            ],
            "fix",
            0,
        ),
        ("<system_instruction>\nuse the folder\n</system_instruction>\n\nfix it", "fix it", 0),
        ("Implement the following plan:\n\n# Totals", "Implement the following plan:\n\n# Totals", 0),
    ],
)
def test_a_persons_words_are_a_request(content: Any, text: str, images: int) -> None:
    told = asked(content)
    assert [(request.text, request.images) for request in told.requests] == [(text, images)]


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("expansion of a command", {"isMeta": True}),
        ([{"type": "text", "text": "Base directory for this skill: /x"}], {"isMeta": True}),
        ("Base directory for this skill: /x", {}),
        ("<local-command-stdout>Set model</local-command-stdout>", {}),
        ("<local-command-caveat>Caveat: x</local-command-caveat>", {}),
        ("Caveat: The messages below were generated by the user while running local commands.", {}),
        ("<system-reminder>be brief</system-reminder>", {}),
        ("<ci-monitor-event>failed</ci-monitor-event>", {}),
        ('<teammate-message teammate_id="lead">do it</teammate-message>', {}),
        ("This session is being continued from a previous conversation that ran out", {}),
        ("the summary", {"isCompactSummary": True, "isVisibleInTranscriptOnly": True}),
        ("wake up and look again", {"promptSource": "system"}),
        ("look at the build", {"origin": {"kind": "cron"}}),
        ("Operation stopped by hook: another session", {}),
        ("", {}),
        ([], {}),
        (None, {}),
    ],
)
def test_what_no_person_wrote_is_no_request(content: Any, fields: dict[str, Any]) -> None:
    assert asked(content, **fields).requests == []


def test_prompts_of_a_person_through_the_sdk_are_requests() -> None:
    told = asked("fix it", promptSource="sdk", origin={"kind": "human"})
    assert told.texts == ["fix it"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<command-name>/greet</command-name>\n<command-args>bob</command-args>", ("/greet", "bob")),
        ("<command-message>greet</command-message>\n<command-name>/greet</command-name>", ("/greet", "")),
        ("<command-message>r is running</command-message><command-name>r</command-name>", ("/r", "")),
        ("<command-name>/plan</command-name><command-args>totals</command-args>", ("/plan", "totals")),
    ],
)
def test_a_slash_command_that_asks_for_work_is_a_request(content: str, expected: tuple[str, str]) -> None:
    told = read(Transcript().user(content).user([{"type": "text", "text": "its body"}], isMeta=True))
    assert [(request.command, request.text) for request in told.requests] == [expected]


@pytest.mark.parametrize(
    "name", ["clear", "model", "compact", "config", "login", "mcp", "cost", "exit", "plan"]
)
def test_a_slash_command_that_the_client_answers_is_no_request(name: str) -> None:
    arguments = "" if name == "plan" else "keep the bug"
    told = asked(f"<command-name>/{name}</command-name><command-args>{arguments}</command-args>")
    assert told.requests == []


def test_words_said_while_refusing_a_call_are_a_request() -> None:
    refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    transcript = Transcript().user("fix it").call("t1", "Bash", {"command": "rm -rf build"})
    transcript.result(
        "t1", refusal + "To tell you how to proceed, the user said:\nuse make clean", error=True
    )
    transcript.call("t2", "Bash", {"command": "rm x"})
    said = refusal + "the user said:\nno\n\nNote: The user's next message may contain a correction."
    transcript.result("t2", said, error=True)
    told = read(transcript)
    assert told.texts == ["fix it", "use make clean", "no"]
    assert [step.status for step in told.steps] == ["rejected", "rejected"]


def test_an_interrupt_is_a_boundary() -> None:
    told = asked([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    assert (told.boundaries, told.requests) == (["interrupt"], [])


def test_a_compaction_is_told_once_and_its_summary_never() -> None:
    transcript = Transcript().user("fix it").record("system", subtype="compact_boundary", content="Compacted")
    transcript.user("This session is being continued from", isCompactSummary=True)
    transcript.assistant({"type": "text", "text": "going on"})
    transcript.user("a summary alone", isCompactSummary=True)
    told = read(transcript)
    assert told.boundaries == ["compaction", "compaction"]
    assert told.texts == ["fix it"]


def test_the_end_of_a_turn_is_told_once() -> None:
    transcript = Transcript().user("fix it").assistant({"type": "text", "text": "done"})
    transcript.record("system", subtype="stop_hook_summary").record("system", subtype="turn_duration")
    transcript.user("more").record("system", subtype="turn_duration")
    assert read(transcript).boundaries == ["turn_end", "turn_end"]


def test_a_member_of_a_team_has_no_requests() -> None:
    transcript = Transcript(teamName="cart", agentName="tester")
    transcript.user('<teammate-message teammate_id="lead">test it</teammate-message>')
    transcript.user("You test the cart.").bash("t1", "pytest", "1 passed")
    transcript.user("stop now", promptSource="typed")
    told = read(transcript)
    assert told.start.kind == "team"
    assert told.texts == ["stop now"]
    assert len(told.steps) == 1


def test_the_lead_of_a_team_is_talked_to_by_a_person() -> None:
    told = read(Transcript(teamName="cart", agentName="team-lead").user("build a team"))
    assert (told.start.kind, told.texts) == ("main", ["build a team"])


# -- shells


@pytest.mark.parametrize(
    ("content", "error", "told", "expected"),
    [
        ("2 passed", False, {}, ("ok", 0, "2 passed")),
        ("2 passed", None, {}, ("ok", 0, "2 passed")),
        ("(Bash completed with no output)", False, {}, ("ok", 0, "")),
        ("", False, {"returnCodeInterpretation": "No matches found"}, ("ok", 1, "")),
        ("2 passed", False, {"exitCode": 0}, ("ok", 0, "2 passed")),
        ("2 failed", False, {"exitCode": 1}, ("failed", 1, "2 failed")),
        ("half", False, {"interrupted": True}, ("interrupted", None, "half")),
        ("Exit code 1\n1 failed", True, {}, ("failed", 1, "1 failed")),
        ("Exit code 127", True, {}, ("failed", 127, "")),
        (
            "Exit code 143\nCommand timed out after 2m 0s",
            True,
            {},
            ("interrupted", 143, "Command timed out after 2m 0s"),
        ),
        ("strange words", True, {}, ("failed", None, "strange words")),
    ],
)
def test_a_shell_says_how_it_ended(
    content: str, error: bool | None, told: dict[str, Any], expected: tuple[str, int | None, str]
) -> None:
    transcript = Transcript().user("run").call("t1", "Bash", {"command": "pytest -q"})
    step = read(transcript.result("t1", content, error=error, told=told)).step
    assert (step.status, step.exit_code, step.output) == expected
    assert (step.kind, step.command, step.cwd, step.line) == ("shell", "pytest -q", "/home/dev/shop", 2)


@pytest.mark.parametrize(
    ("content", "fields", "status"),
    [
        ("The user doesn't want to proceed with this tool use.", {}, "rejected"),
        ("The user doesn't want to take this action right now.", {}, "rejected"),
        ("Permission to use Bash with command rm has been denied.", {}, "rejected"),
        ("Claude requested permissions to use Bash, but you haven't granted it yet.", {}, "rejected"),
        ("This command requires approval", {}, "rejected"),
        ("This Bash command contains multiple operations. The following require approval: x", {}, "rejected"),
        ("PreToolUse:Bash hook error: [guard.sh]: not here", {}, "rejected"),
        ("anything at all", {"toolDenialKind": "permission-rule"}, "rejected"),
        ("anything at all", {"permissionDecision": {"decision": "reject"}}, "rejected"),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", {}, "never_ran"),
        ("<tool_use_error>Cancelled: parallel tool call Bash(ls) errored</tool_use_error>", {}, "never_ran"),
        ("<tool_use_error>InputValidationError: Bash failed</tool_use_error>", {}, "never_ran"),
        ("<tool_use_error>Error: No such tool available: Bash</tool_use_error>", {}, "never_ran"),
        ("[Request interrupted by user for tool use]", {}, "interrupted"),
    ],
)
def test_a_call_that_never_ran_is_told_apart_from_one_that_failed(
    content: str, fields: dict[str, Any], status: str
) -> None:
    transcript = (
        Transcript().call("t1", "Bash", {"command": "rm x"}).result("t1", content, error=True, **fields)
    )
    step = read(transcript).step
    assert (step.status, step.exit_code) == (status, None)


@pytest.mark.parametrize(
    ("output", "truncated"),
    [
        (
            "<persisted-output>\nOutput too large (54KB). Full output saved to: /tmp/x/abc.txt\n\nPreview",
            True,
        ),
        ("start\n\n... [120 lines truncated] ...\n\nend", True),
        ("start\n... [12,000 characters truncated] ...\nend", True),
        ("we truncated the list", False),
    ],
)
def test_a_clipped_output_is_marked_and_keeps_the_path_of_the_whole(output: str, truncated: bool) -> None:
    step = read(Transcript().bash("t1", "pytest", output)).step
    assert (step.truncated, step.output) == (truncated, output)


def test_calls_that_ran_in_parallel_are_told_as_they_finish() -> None:
    transcript = Transcript().call("t1", "Bash", {"command": "a"}).call("t2", "Bash", {"command": "b"})
    told = read(transcript.result("t2", "").result("t1", ""))
    assert [(step.id, step.started, step.finished) for step in told.steps] == [("t2", 1, 2), ("t1", 0, 3)]


def test_a_call_without_a_result_is_running() -> None:
    told = read(Transcript().user("go").call("t1", "Edit", {"file_path": CART, "old_string": "a"}))
    assert (told.step.status, told.step.changes) == ("running", ())


def test_what_a_person_runs_is_a_step_of_theirs() -> None:
    transcript = Transcript().user("<bash-input>make test</bash-input>", uuid="h1")
    transcript.user("<bash-stdout>3 passed</bash-stdout><bash-stderr>a warning</bash-stderr>")
    transcript.user("<bash-input>make lint</bash-input>", uuid="h2")
    told = read(transcript)
    assert [(s.id, s.actor, s.kind, s.command, s.status, s.exit_code, s.output) for s in told.steps] == [
        ("h1", "human", "shell", "make test", "unknown", None, "3 passed\na warning"),
        ("h2", "human", "shell", "make lint", "running", None, ""),
    ]
    assert told.requests == []


def test_a_memory_file_that_the_client_brought_by_itself_is_read() -> None:
    path = "/w/shop/vendor/x/CLAUDE.md"
    transcript = Transcript().user("fix it").attachment("nested_memory", path=path, content={"path": path})
    told = read(transcript)
    assert [(step.kind, step.reads, step.status) for step in told.steps] == [("read", (path,), "ok")]
    assert told.texts == ["fix it"]


# -- notes


def test_a_note_in_injected_text_is_told_and_is_no_request() -> None:
    note = '<honed-note ids="sk_ab sk_cd">Run pytest -q.</honed-note>'
    transcript = Transcript().user("fix it")
    transcript.attachment(
        "hook_success",
        hookEvent="UserPromptSubmit",
        content="",
        stdout='{"a": "' + note.replace('"', '\\"') + '"}',
    )
    transcript.attachment("hook_additional_context", hookEvent="UserPromptSubmit", content=[note])
    transcript.bash("t1", "ls")
    transcript.user('<honed-note id="sk_ef" trust="data">x</honed-note>', isMeta=True)
    transcript.user([{"type": "text", "text": f"you said {note} why?"}])
    told = read(transcript)
    assert told.notes == [("sk_ab", "sk_cd"), ("sk_ef",)]
    assert told.texts == ["fix it", "you said  why?"]


def test_a_note_is_found_in_what_a_hook_printed() -> None:
    printed = json.dumps({"additionalContext": '<honed-note ids="sk_ab">x</honed-note>'})
    assert read(Transcript().attachment("hook_success", content="", stdout=printed)).notes == [("sk_ab",)]


def test_a_note_that_a_tool_printed_was_not_given() -> None:
    assert read(Transcript().bash("t1", "cat x", '<honed-note ids="sk_a">x</honed-note>')).notes == []


def test_the_same_words_are_one_request_until_something_was_done_for_them() -> None:
    refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    refusal += "To tell you how to proceed, the user said:\nuse the same milestone"
    transcript = Transcript().user("open the three issues")
    for call in ("t1", "t2", "t3"):
        transcript.call(call, "mcp__tracker__create", {"title": call}).result(call, refusal, error=True)
    assert read(transcript).texts == ["open the three issues", "use the same milestone"]
    transcript.bash("t4", "make issues").user("use the same milestone")
    assert read(transcript).texts[-2:] == ["use the same milestone", "use the same milestone"]


def test_a_prompt_that_a_hook_stopped_and_that_is_sent_again_is_one_request() -> None:
    transcript = Transcript().user("Implement the plan").user("Operation stopped by hook: another session")
    assert read(transcript.user("Implement the plan")).texts == ["Implement the plan"]


def test_a_short_answer_may_be_given_twice() -> None:
    assert read(Transcript().user("1").user("1")).texts == ["1", "1"]
