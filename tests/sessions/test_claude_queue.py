"""What was typed while the agent of a Claude Code session worked."""

from __future__ import annotations

from tests.sessions.build_claude import SESSION, Transcript, notification, read, read_from


def test_a_prompt_typed_ahead_that_comes_back_as_a_record_is_told_once() -> None:
    transcript = (
        Transcript().user("one").queue("enqueue", "two").bash("t1", "ls").queue("dequeue").user("two")
    )
    told = read(transcript)
    assert told.texts == ["one", "two"]


def test_a_prompt_taken_in_the_middle_of_a_turn_comes_back_as_an_attachment() -> None:
    transcript = Transcript().user("one").attachment("skill_listing").queue("enqueue", "two").queue("remove")
    transcript.bash("t1", "ls").attachment("queued_command", prompt="two", commandMode="prompt")
    told = read(transcript.bash("t2", "ls"))
    assert told.texts == ["one", "two"]
    assert told.requests[1].id.startswith(SESSION[:8])
    assert [step.started > told.requests[1].ordinal for step in told.steps] == [False, True]


def test_attachments_before_the_queue_says_so_are_told_once_too() -> None:
    transcript = Transcript().user("one").attachment("skill_listing")
    transcript.queue("enqueue", "two").queue("enqueue", "three")
    transcript.attachment("queued_command", prompt="two", commandMode="prompt").queue("remove")
    transcript.bash("t1", "ls").queue("dequeue").user("three")
    assert read(transcript).texts == ["one", "two", "three"]


def test_an_old_version_says_nothing_more_of_a_prompt_taken_in_the_middle_of_a_turn() -> None:
    transcript = Transcript(version="2.1.42").user("one").bash("t1", "ls")
    transcript.queue("enqueue", "two").call("t2", "Bash", {"command": "ls"}).queue("remove").result("t2", "")
    data = transcript.bash("t3", "ls").data()
    told = read(data)
    assert told.texts == ["one", "two"]
    assert [step.finished < told.requests[1].ordinal for step in told.steps] == [True, True, False]
    resumed = read_from(data, told.requests[1])
    place = told.events.index(told.requests[1])
    assert resumed.events[1:-1] == told.events[place:-1]


def test_a_prompt_taken_back_is_no_request() -> None:
    transcript = Transcript(version="2.1.42").user("one").queue("enqueue", "two").queue("popAll", "two")
    transcript.queue("enqueue", "three").queue("remove")
    assert read(transcript.bash("t1", "ls").bash("t2", "ls")).texts == ["one", "three"]


def test_a_prompt_recorded_before_the_queue_says_that_it_left_is_not_taken_for_the_next() -> None:
    transcript = Transcript(version="2.1.42").user("one").queue("enqueue", "two").queue("enqueue", "three")
    transcript.user("two").queue("remove").bash("t1", "ls").queue("remove").bash("t2", "ls")
    told = read(transcript)
    assert told.texts == ["one", "two", "three"]
    assert [step.started > told.requests[2].ordinal for step in told.steps] == [False, True]


def test_a_notice_in_the_queue_is_no_request() -> None:
    text = notification("b1", "completed", 'Background command "x" completed (exit code 0)')
    transcript = Transcript(version="2.1.42").user("one").queue("enqueue", text).queue("remove")
    assert read(transcript.bash("t1", "ls")).texts == ["one"]
