"""MuscleMemory through its own functions.

Recognition and outcome: its hook queue is told a Claude Code session of one edit and one shell command, and
says at ``Stop`` whether that turn is verified.  Ranking: rows in its own database as they stand once a skill
passed two checks and was kept by a person, then ``hybrid_candidates`` and ``rank_candidates`` with its bar
(``min_match``) at nothing.  Its model needs a hub; its own hash vectors stand in.
"""

from __future__ import annotations

import dataclasses
import importlib
import os
from typing import Any

from bench.peers.workers.serving import Library, serve

TENANT = "bench"
ENDS = {"verified": "passed", "failed": "failed"}
"""What its word for the end of a turn comes to."""


def room(name: str) -> Any:
    """One of its modules."""
    return importlib.import_module(f"musclememory.{name}")


class Procedures:
    """Its database, with every document as a procedure that is ready to be given."""

    def __init__(self) -> None:
        self._artifacts, self._retrieval, self._storage = (
            room("artifacts"),
            room("retrieval"),
            room("storage"),
        )
        self._signature = room("compiler").signature
        self._profile = room("core").RuntimeProfile(agent_name="claude")
        self._settings = dataclasses.replace(room("config").Settings.from_env(), min_match=0.0)
        os.makedirs(os.environ["MM_HOME"], mode=0o700, exist_ok=True)
        self._database = self._storage.Database(
            "sqlite:///" + os.path.join(os.environ["MM_HOME"], "bench.db")
        )
        self._storage.Base.metadata.create_all(self._database.engine)
        self._embeddings = self._retrieval.Embeddings(self._settings)

    def keep(self, document: dict[str, Any]) -> None:
        """Store one."""
        definition = self._definition(document)
        vector = self._embeddings.embed(self._artifacts.semantic_document(definition))
        now = self._storage.utcnow()
        where = {"tenant": TENANT, "procedure_token": document["key"]}
        with self._database.session() as session:
            session.add(
                self._storage.Procedure(
                    **where, namespace=document["group"] or "all", lifecycle="active", reviewed_at=now
                )
            )
            session.flush()
            session.add(
                self._storage.Revision(
                    **where,
                    version=1,
                    definition=definition,
                    search_text=self._artifacts.search_document(definition),
                    embedding=vector,
                    embedding_dimensions=len(vector),
                    embedding_space=self._embeddings.space,
                    successes=2,
                    validation_status="validated",
                    validated_at=now,
                )
            )
            session.commit()

    def _definition(self, document: dict[str, Any]) -> dict[str, Any]:
        # No written files: they would arm its gate on paths, which costs it more hits than its exact
        # matches bring (dev), and the texts name the files anyway.
        proposal = {"trigger": {"text": document["description"]}, "principle": {"text": document["text"]}}
        return {
            "title": document["title"],
            "intent_signature": self._signature(f"{document['title']} {document['description']}"),
            "steps": [],
            "required_capabilities": [],
            "required_permissions": [],
            "environment_requirements": {},
            "provenance": {"learning": {"proposal": {**proposal, "steps": []}}},
            "experience": {
                "reads": [],
                "writes": [],
                "commands": [],
                "verification_commands": [],
            },
        }

    def search(self, text: str, group: str, limit: int) -> list[str]:
        """Procedure tokens, the best first."""
        vector, space = self._embeddings.embed(text), self._embeddings.space
        with self._database.session() as session:
            found = self._retrieval.hybrid_candidates(
                session, TENANT, group or "all", text, vector, space, self._settings.candidate_limit
            )
            ranked = self._retrieval.rank_candidates(
                found, text, vector, self._profile, self._settings, space
            )
        return [str(row["procedure_token"]) for row in ranked[:limit]]


class Turns:
    """Its hook queue, told one turn a case."""

    def __init__(self) -> None:
        hooks = room("client_hooks")
        self._tools = hooks.DEFAULT_TOOLS["claude"]
        self._profile = room("core").RuntimeProfile(agent_name="claude")
        self._folder = os.path.join(os.environ["HOME"], "project")
        os.makedirs(self._folder, exist_ok=True)
        self._queue = hooks.HookQueue(os.path.join(os.environ["MM_HOME"], "state"), TENANT)
        self._number = 0

    def outcomes(self, request: dict[str, Any]) -> list[str]:
        """For each run what the turn comes to."""
        return [self._turn(row["command"], row["exit"], row["output"]) for row in request["rows"]]

    def _turn(self, command: str, code: int | None, output: str) -> str:
        self._number += 1
        self._tell("UserPromptSubmit", prompt="Correct the total.")
        change = {"file_path": os.path.join(self._folder, "cart.py"), "old_string": "a", "new_string": "b"}
        self._call("Edit", change, {"success": True}, "")
        error = f"Exit code {code}\n{output}" if code else ""
        answer = {"stdout": output, "stderr": "", "interrupted": False}
        self._call("Bash", {"command": command}, answer, error)
        return ENDS.get(self._tell("Stop"), "")

    def _call(self, tool: str, given: dict[str, Any], answer: dict[str, Any], error: str) -> None:
        call = {"tool_name": tool, "tool_use_id": f"{tool}-{self._number}", "tool_input": given}
        self._tell("PreToolUse", **call)
        if error:
            self._tell("PostToolUseFailure", **call, error=error)
        else:
            self._tell("PostToolUse", **call, tool_response=answer)

    def _tell(self, event: str, **about: Any) -> str:
        payload = {"hook_event_name": event, "session_id": f"s{self._number}", "cwd": self._folder, **about}
        return str(self._queue.handle("claude", payload, self._tools, self._profile, "default")[1])


def recognised(request: dict[str, Any]) -> list[bool]:
    """Whether it takes each of ``commands`` for a test run."""
    test_command = room("artifacts").test_command
    return [test_command(command) is not None for command in request["commands"]]


if __name__ == "__main__":
    procedures, turns = Procedures(), Turns()
    library = Library(procedures.keep, procedures.search).answers()
    version = importlib.import_module("importlib.metadata").version("thewariend-musclememory")
    serve(library | {"recognise": recognised, "outcomes": turns.outcomes}, {"version": version})
