"""What things cost the scripted agent.  Fixed, and committed, before anything was run or tuned by it.

Tokens are those that are read anew or written, each text once, as in docs/experiment.md; what a cache would
give back is left out, and so is the system prompt, which is the same in every arm.
"""

from __future__ import annotations

from dataclasses import dataclass

CALL = 150
"""Tokens that the model writes and reads for one call itself: a sentence, the call, its frame."""
CHARACTERS = 4
"""Characters of a token in what tools print, and in notes."""
MOST_SHOWN = 8000
"""Characters of a result that are shown; clients cut there or before."""
MOST_CALLS = 60
"""Calls after which the agent gives up: the task has failed."""
HARM_TOKENS = 1.05
"""A task is harmed that fails where it succeeds without memory, that needs more calls, or more tokens than
this many times those without memory."""


@dataclass(slots=True)
class Bill:
    """What a task cost so far."""

    calls: int = 0
    tokens: int = 0

    def call(self, given: str, shown: str) -> None:
        """One call of a tool with what it was given and what it showed."""
        self.calls += 1
        self.tokens += CALL + _tokens(given) + _tokens(shown[:MOST_SHOWN])

    def told(self, text: str) -> None:
        """A text that was put before the model: the request, or a note."""
        self.tokens += _tokens(text)


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS)
