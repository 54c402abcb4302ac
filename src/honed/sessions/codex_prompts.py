"""What a person asked Codex, taken out of what the client sent.

The desktop and editor clients put what was attached (files, findings, editor state) in front of the words;
saved prompts are sent in full in place of the line that was typed; reviews and delegated threads send
prompts that nobody wrote.  Pure functions of the text.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from honed.sessions.text import is_machine_made, without_injected

REQUEST_HEADING = re.compile(r"^##? My request for Codex:[ \t]*\n?", re.MULTILINE)
"""The heading that closes everything the desktop and editor clients put in front."""

MACHINE_PROMPTS = (
    "## Code review guidelines:",
    "Review the code changes against the base branch '",
    "Review the current code changes (staged, unstaged, and untracked files)",
    "Review the code changes introduced by commit ",
    "Another language model started to solve this problem",
    "<user_action>",
    "<user_shell_command>",
    "<recommended_plugins>",
    "<hook_prompt",
    "<skill>",
    "<goal_context",
    "<codex_internal",
)
"""How prompts begin that the client composed itself, beside those that all clients share."""

SAVED_PROMPT_SAYS = 300
"""Characters of a saved prompt that stand for it where the user typed nothing behind its name."""

_IMAGE_MARKS = re.compile(r"</?image(?:\s[^>]*)?>|\[Image #\d+\]")
_SAVED_PROMPTS: tuple[tuple[re.Pattern[str], str], ...] = (
    # A saved prompt that quotes what was typed behind its name, and sometimes says that name.
    (
        re.compile(
            r"\A\s*## User Input\s+```(?:text)?\n(?P<text>.*?)\n?```\s"
            r".*?(?:typed after `/(?P<command>[\w.:-]+)`|\Z)",
            re.DOTALL,
        ),
        "prompt",
    ),
    # A saved prompt whose heading is its name.
    (re.compile(r"\A\s*# /(?P<command>[\w.:-]+)\b(?P<text>)"), "prompt"),
)
"""Saved prompts sent in full: which part was typed (``text``), and as which command."""

_SHELL = re.compile(
    r"\A\s*<user_shell_command>\s*<command>\n?(?P<command>.*?)\n?</command>\s*"
    r"<result>\n?(?P<result>.*?)\n?</result>",
    re.DOTALL,
)


def asked(raw: str) -> tuple[str, str | None] | None:
    """The words a person typed in ``raw`` and their slash command; ``None`` if nobody typed any."""
    text = without_injected(raw)
    heading = REQUEST_HEADING.search(text)
    if heading:
        text = text[heading.end() :]
    text = _IMAGE_MARKS.sub("", text).strip()
    if is_machine_made(text) or text.startswith(MACHINE_PROMPTS):
        return None
    for pattern, default in _SAVED_PROMPTS:
        match = pattern.match(text)
        if match:
            return match["text"].strip() or _says(text), match["command"] or default
    return (text, None) if text else None


_HEADING_OR_RULE = re.compile(r"\s*(?:#|```|You \*\*MUST\*\* consider the user input|$)")


def _says(prompt: str) -> str:
    """The first paragraph of a saved prompt to which nothing was typed: what it asks for, in one line."""
    paragraph: list[str] = []
    for line in prompt.splitlines():
        if not _HEADING_OR_RULE.match(line):
            paragraph.append(line.strip())
        elif paragraph:
            break
    return " ".join(paragraph)[:SAVED_PROMPT_SAYS]


def shell_typed(raw: str) -> tuple[str, str] | None:
    """Command and result of a ``!`` line, which the client tells the model in a message of its own."""
    match = _SHELL.match(raw)
    return (match["command"].strip(), match["result"]) if match else None


def digest(*parts: str) -> str:
    """An id for a record that has none, from what every copy of it shares."""
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=12).hexdigest()
