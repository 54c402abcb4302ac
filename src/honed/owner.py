"""Which commands are the owner's alone."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

OWNER_ONLY = (
    "trust", "untrust", "review", "owner", "edit", "pin", "unpin", "unmute", "archive", "restore", "undo",
    "forget", "scrub", "duplicates merge", "distill", "projects link", "projects split", "merge", "import",
    "packs add", "packs update", "packs rm", "packs release", "config set",
    "restore-backup", "uninstall", "experiment on", "experiment off", "schedule install", "schedule remove",
)  # fmt: skip
"""They approve, delete, put out of use, take in what another home decided or a vault says in the owner's
name, spend what a model costs, have the system start something, or widen what agents get
(docs/contract.md).  `write` and `learn` are not among them: they change no text that is there, `--force`
neither, and what they add is data until it is approved."""


AGENTS = {
    "CLAUDECODE": "Claude Code",
    "CODEX_SANDBOX": "Codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "CODEX_CI": "Codex",
    "CURSOR_AGENT": "Cursor",
    "GEMINI_CLI": "Gemini CLI",
    "OPENCODE": "opencode",
    "COPILOT_CLI": "Copilot",
    "PI_CODING_AGENT": "pi",
    "AI_AGENT": "an agent",
}
"""Variables that clients set for what their agents start: a client's own before the one that several set.
Codex has one of its sandbox on macOS, another on Linux, and outside the sandbox only those of the thread."""


def opened_by_agent(environ: Mapping[str, str]) -> str:
    """The client whose agent started this process, as far as it says so; empty for none."""
    return next((title for name, title in AGENTS.items() if environ.get(name)), "")


def owners_command(command: str, action: str) -> str:
    """The owner's command that ``command`` with its ``action`` (empty for none) is, empty for any other one.

    To look how approvals are protected is everybody's.
    """
    if (command, action) == ("owner", "status"):
        return ""
    return next((name for name in (command, f"{command} {action}") if name in OWNER_ONLY), "")


def denied_commands() -> tuple[str, ...]:
    """Those of them that there are: what clients are told to refuse an agent.

    Accident protection only: an agent with a shell has other ways.
    """
    from honed.cli.run import TABLE

    there = {name for name, _, _ in TABLE}
    return tuple(words for words in OWNER_ONLY if words.partition(" ")[0] in there)
