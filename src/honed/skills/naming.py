"""What a task is called and when to think of it.

The title comes from the commit made in the task, else from the request that brought the change
(``skills.sayings``), else from the work itself: the names and files that changed.  Never from what an agent
said.  The trigger is what was asked, whatever the title is made of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from honed.sessions.model import Request
from honed.skills import places, titles
from honed.skills.sayings import telling_sentence, wants
from honed.skills.signatures import signature
from honed.skills.stemming import stem
from honed.skills.steps import changed_symbols, new_symbols, symbols, usage
from honed.skills.terms import plain
from honed.skills.tokens import clip
from honed.skills.work import FileWork, changed_code
from honed.verdict.model import Task

_ERROR_TOKENS = 20
"""Tokens of an error in a title."""
_TALKED_OVER = 8
"""Requests before a task that may have brought it."""
_TOLD = 1000
"""Characters of each that are compared."""
_NAMED = 2
"""Names of things in a title."""
_WEIGHTS = ((places.is_test, 0.1), (places.is_settings, 0.4))
"""What a task is mostly about is seldom its tests, or a file of settings."""


@dataclass(frozen=True, slots=True)
class Name:
    """What a task is called and when to think of it; ``said``: somebody said what it was about."""

    title: str
    trigger: str
    said: bool


def named(task: Task, works: Sequence[FileWork], earlier: Sequence[str]) -> Name:
    """The name of ``task``, which left ``works``; ``earlier`` are the session's requests before it."""
    texts = [_spoken(request) for request in task.requests]
    first = min((work.at for work in works), default=0)
    own = [text for _, text in sorted(_by_nearness(task, first))]
    before = _carrier(earlier, works)
    trigger = titles.trigger_of(texts, [before] if before else earlier)
    committed = _commit_title(task, first)
    about = titles.informative_first([*own, before, *reversed(earlier)])
    title = committed or _asked_title(own if titles.informative_first(own) else [before])
    if not title:
        title = work_title(works, _pasted_error(about))
    elif not titles.specific(title):
        title = f"{title} ({main_work(works).path})"
    return Name(title, trigger or title, bool(committed or about))


def _by_nearness(task: Task, first: int) -> list[tuple[tuple[bool, int], str]]:
    """The requests: the last one before the work began, those before it, then what came later."""
    return [
        ((request.ordinal > first, abs(first - request.ordinal)), _spoken(request))
        for request in task.requests
    ]


def _spoken(request: Request) -> str:
    """The request as it was typed: a slash command stands in front of its arguments."""
    return f"{request.command} {request.text}".strip() if request.command else request.text


def _carrier(earlier: Sequence[str], works: Sequence[FileWork]) -> str:
    """Of the session's last requests before a task the one that the work answers, or empty.

    A plan is talked over before somebody says "go ahead": what was said last may be a detail of it.  So the
    one counts that has most words in common with the names of what came, and of equals the last.  What an
    earlier task has done is not looked at: an empty text stands behind its requests.
    """
    last = len(earlier) - next((at for at, text in enumerate(reversed(earlier)) if not text), len(earlier))
    told = [text for text in earlier[last:][-_TALKED_OVER:] if titles.informative_first([text])]
    told = [text for text in told if wants(text)] or told
    done = _stems(" ".join((*(work.path for work in works), *symbols(works))))
    return max(reversed(told), key=lambda text: len(_stems(text[:_TOLD]) & done), default="")


def _stems(text: str) -> set[str]:
    return {stem(word, "en") for word in plain(text)}


def _asked_title(texts: Sequence[str]) -> str:
    return next((title for text in texts if (title := title_of_request(text))), "")


def title_of_request(text: str) -> str:
    """A title made of what a request asks for or reports; empty where it names no work."""
    return titles.from_plan(text) or titles.from_sentence(telling_sentence(text))


def _commit_title(task: Task, first: int) -> str:
    """The subject of the first telling commit after the work began; further ones are joined to it."""
    subjects = []
    for change in task.changes:
        if change.weight == "commit" and change.at >= first and change.detail:
            subject = titles.from_commit(change.detail)
            if subject and subject not in subjects:
                subjects.append(subject)
    if not subjects:
        return ""
    joined = "; ".join(subjects)
    return joined if len(joined) <= titles.TITLE_LENGTH + 20 else subjects[0]


def _pasted_error(text: str) -> str:
    """The error that was pasted, where it can be read and is more than the name of a test."""
    error = signature(text, None) if text else None
    if error is None or error.transient or re.search(r"<hash>|\(<time>\)|^\S+$", error.text):
        return ""
    return clip(error.text.replace("`", ""), _ERROR_TOKENS)


def work_title(works: Sequence[FileWork], error: str = "") -> str:
    """A title made of what was touched, where nobody said what it was about; ``error`` was pasted."""
    main = main_work(works)
    new = [name for name in new_symbols(main) if " " not in name][:_NAMED]
    changed = [name for name in changed_symbols(main) if " " not in name][:_NAMED]
    if main.created:
        return f"Create {_listed(new)} in {main.path}" if new else f"Create {main.path}"
    if new:
        return f"Add {_listed(new)} to {main.path}"
    if error:
        return f"Fix `{error}` in {main.path}"
    if changed:
        return f"Change {_listed(changed)} in {main.path}"
    used = usage(main, ())
    return f"Change {main.path}: {used}" if used else f"Change {main.path}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def main_work(works: Sequence[FileWork]) -> FileWork:
    """The file that was changed most; tests and settings count less."""
    return max(changed_code(works) or tuple(works), key=_size)


def _size(work: FileWork) -> float:
    size = 1.0 + sum(len(hunk.new) + len(hunk.old) for hunk in work.hunks)
    for is_less, weight in _WEIGHTS:
        size *= weight if is_less(work.path) else 1
    return size
