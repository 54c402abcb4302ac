"""One step at a time: what did it change, what did it prove, on which state of the work tree."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from operator import is_
from typing import NamedTuple

from honed.sessions.model import FileChange, Hunk, Step
from honed.verdict import changes as shell_changes
from honed.verdict import shell
from honed.verdict.build_tags import given_tags, tags_of
from honed.verdict.changes import Write
from honed.verdict.interpret import interpret
from honed.verdict.judge import Proof
from honed.verdict.model import Change, Run, RunResult
from honed.verdict.runners import DEFAULT, Rules
from honed.verdict.status import deduce
from honed.verdict.test_files import watched
from honed.verdict.tree import WorkTree
from honed.verdict.weigh import Weight, weigh, weigh_path

OUTPUT_KEPT = 6000
"""Characters of a step's output that a task keeps: half from its head, half from its tail."""
HUNK_KEPT = 4000
"""Characters of each side of a hunk that a task keeps."""
WATCHED_KEPT = 100_000
"""The same for a file that says what the tests are worth (verdict/test_files.py)."""
NEVER_RAN = frozenset({"rejected", "never_ran"})
READ_ONLY_AGENTS = re.compile(r"(?i)explor|plan\b|review|research|search|audit|analy[sz]|guide|doc")
_DRIVE = re.compile(r"[A-Za-z]:/")
_SAVED_TO = re.compile(r"(?:saved to|written to|output file)[:=]?\s+([^\s<>\"']+)", re.IGNORECASE)


class Observation(NamedTuple):
    """What one step said: the clipped step, its changes, its proof, and earlier proofs it revises.

    ``writes`` is what its command line writes, as far as the line tells.
    """

    step: Step
    changes: tuple[Change, ...] = ()
    proof: Proof | None = None
    revised: tuple[Proof, ...] = ()
    writes: tuple[Write, ...] = ()


class Observer:
    """Follows one session; ``root`` is the folder in which it began, or ``None``."""

    def __init__(self, root: str | None, rules: Rules = DEFAULT) -> None:
        self.tree = WorkTree()
        self._rules = rules
        self._root = root.rstrip("/\\") if root else None
        self._busy_agents: set[str] = set()
        self._waiting: dict[str, Proof] = {}
        self._tags: dict[str, frozenset[str]] = {}
        self._seen: set[str] = set()

    def observe(self, step: Step) -> Observation:
        """Take the next step, in the order in which steps finished."""
        if step.actor == "subagent" and step.agent_id:
            self._busy_agents.add(step.agent_id)
        changes: list[Change] = []
        proof: Proof | None = None
        revised: tuple[Proof, ...] = ()
        writes: tuple[Write, ...] = ()
        if step.status not in NEVER_RAN:
            changes += self._edits(step)
            if step.kind == "shell" and step.command:
                if not step.changes:
                    writes = shell_changes.shell_writes(step.command, cwd=step.cwd or self._root)
                proof, more = self._shell(step, writes)
                changes += more
            elif step.kind == "agent":
                changes += self._agent(step)
            if step.kind in ("shell", "read"):
                revised = self._linked(step)
            if step.reads:
                self._read(step)
        return Observation(clipped(step), tuple(changes), proof, revised, writes)

    # -- edits -----------------------------------------------------------------------------------

    def _read(self, step: Step) -> None:
        """Remember which files are known to be there, and which a plain test run does not build."""
        paths = [self.relative(path, step.cwd) for path in step.reads]
        self._seen.update(paths)
        if step.kind == "read" and len(paths) == 1:
            self._tagged(paths[0], step.output)

    def _tagged(self, path: str, text: str) -> None:
        if path.endswith(".go") and (tags := tags_of(text)):
            self._tags[path] = tags

    def _edit(self, file: FileChange, at: int) -> None:
        """Take one edit of a tool into the tree."""
        if file.action == "create":
            self.tree.create(file.path, at, file.hunks)
        elif file.action == "delete":
            self.tree.delete(file.path, at)
        else:
            self.tree.edit(file.path, at, file.hunks)
        self._seen.add(file.path)
        if file.action == "create" and file.hunks:
            self._tagged(file.path, file.hunks[0].new)

    def _edits(self, step: Step) -> list[Change]:
        """The changes a tool (or somebody outside) reported; a shell's come from its command line."""
        if not step.changes:
            return []
        via = "outside" if step.actor == "outside" else "tool"
        found = []
        for weight, files in self._by_weight(step):
            if weight == "code":
                for file in files:
                    self._edit(file, step.started)
                    if file.old_path:
                        self.tree.edit(self.relative(file.old_path, step.cwd), step.started)
            kept = tuple(clipped_change(file) for file in files)
            detail = f"{step.tool} {', '.join(file.path for file in files[:3])}"
            found.append(
                Change(step.id, step.line, step.started, kept, via, weight, detail)  # type: ignore[arg-type]
            )
        return found

    def _by_weight(self, step: Step) -> Iterable[tuple[Weight, list[FileChange]]]:
        groups: dict[Weight, list[FileChange]] = {}
        for file in step.changes:
            path = self.relative(file.path, step.cwd)
            placed = file if path == file.path else FileChange(path, file.action, file.hunks, file.old_path)
            groups.setdefault(weigh(placed), []).append(placed)
        return groups.items()

    def relative(self, path: str, cwd: str | None) -> str:
        """``path`` relative to the session's folder when it lies inside it, '/'-separated."""
        path = path.replace("\\", "/")
        absolute = path.startswith(("/", "~", "$")) or _DRIVE.match(path) is not None
        root = (self._root or "").replace("\\", "/")
        if not absolute and cwd:
            here = cwd.replace("\\", "/").rstrip("/")
            if here != root:
                path, absolute = f"{here}/{path}", True
        if absolute and root and (path == root or path.startswith(root + "/")):
            path = path[len(root) + 1 :]
        while path.startswith("./"):
            path = path[2:]
        return path

    # -- shell -----------------------------------------------------------------------------------

    def _shell(self, step: Step, writes: tuple[Write, ...]) -> tuple[Proof | None, list[Change]]:
        command = step.command or ""
        result = self._interpreted(command, step.exit_code, step)
        before, after = _around(command, writes, result)
        found = [change for write in before if (change := self._write(step, write))]
        proof = None
        if result.outcome != "not_a_test":
            proof = self._proof(step, result, moved=bool(before))
        found += [change for write in after if (change := self._write(step, write))]
        return proof, found

    def _interpreted(self, command: str, exit_code: int | None, step: Step) -> RunResult:
        """What ``command`` says of the tests by the output of ``step``."""
        return interpret(
            command,
            exit_code,
            step.output,
            truncated=step.truncated,
            rules=self._rules,
            cwd=step.cwd or self._root,
        )

    def _proof(self, step: Step, result: RunResult, *, moved: bool) -> Proof:
        run = Run(step.id, step.line, step.command or "", step.cwd, step.started, step.finished, result)
        late = step.finished > step.started + 1 and not moved
        state = self.tree.state_at(step.started) if late else self.tree.state
        proof = Proof(run, state, self._blind(step))
        if result.outcome == "unknown":
            for path in _SAVED_TO.findall(step.output)[:4]:
                self._waiting[path.rstrip(".,;)")] = proof
            for write in shell_changes.shell_writes(step.command or "", cwd=step.cwd or self._root):
                if write.how == "redirect" and write.path:
                    self._waiting[write.path] = proof
            while len(self._waiting) > 64:
                self._waiting.pop(next(iter(self._waiting)))
        return proof

    def _blind(self, step: Step) -> frozenset[str]:
        """The files that this run did not build."""
        given = given_tags(step.command or "", step.output) if self._tags else None
        if given is None:
            return frozenset()
        return frozenset(path for path, tags in self._tags.items() if not tags <= given)

    def _linked(self, step: Step) -> tuple[Proof, ...]:
        """Earlier runs whose hidden output this step shows: the saved file is read, so they speak now."""
        if not self._waiting:
            return ()
        text = " ".join(step.reads) + " " + (step.command or "")
        revised = []
        for path, proof in list(self._waiting.items()):
            if proof.run.step_id == step.id or path not in text:
                continue
            result = self._interpreted(proof.run.command, None, step)
            revision = replace(proof, run=replace(proof.run, result=result))
            if revision.passed or revision.failed:
                revised.append(revision)
                del self._waiting[path]
        return tuple(revised)

    def _write(self, step: Step, write: Write) -> Change | None:
        """Apply one effect of a command line to the tree and say what it weighs."""
        at, how = step.started, write.how
        path = self.relative(write.path, step.cwd) if write.path else None
        if how == "git_commit":
            return self._committed(step, write)
        if how in ("formatter", "install"):
            return self._changed(step, path, "formatting", how)
        if how == "git_restore":
            return self._restored(step, write, path)
        if how == "git_tree":
            if path is None and write.text in TREE_MOVES:
                return None
            if path is None:
                self.tree.edit_unknown(at)
            else:
                self.tree.edit(path, at)
            return self._changed(step, path, "code", f"git {write.text or ''}".strip())
        if not write.certain and (path is None or _did_not_run(step, write)):
            return None
        weight: Weight = weigh_path(path) if path else "code"
        if weight == "code":
            self._written(path, write, at)
        return self._changed(step, path, weight, how)

    def _written(self, path: str | None, write: Write, at: int) -> None:
        """Take what a command line wrote into the tree."""
        hunks = (Hunk("", write.text),) if write.text else ()
        if path is None:
            self.tree.edit_unknown(at)
        elif write.how == "delete":
            self.tree.delete(path, at)
        elif write.how == "heredoc" and path not in self._seen:
            self.tree.create(path, at, hunks)
        else:
            self.tree.edit(path, at, hunks)
        if path is not None:
            self._seen.add(path)

    def _committed(self, step: Step, write: Write) -> Change | None:
        """What is staged or committed is what a later ``git checkout -- file`` brings back."""
        if step.status in ("failed", "interrupted", "running"):
            return None
        self.tree.commit()
        if write.text is None:
            return None
        return Change(step.id, step.line, step.started, (), "shell", "commit", write.text)

    def _restored(self, step: Step, write: Write, path: str | None) -> Change:
        what = write.text or ""
        if what == "stash":
            self.tree.stash(step.started)
        elif what == "stash pop":
            self.tree.unstash(step.started)
        else:
            self.tree.restore(path, step.started)
        files = (FileChange(path, "update"),) if path else ()
        return Change(step.id, step.line, step.started, files, "shell", "revert", f"git {what or 'restore'}")

    def _changed(self, step: Step, path: str | None, weight: Weight, how: str) -> Change:
        action = "delete" if how == "delete" else "update"
        files = (FileChange(path, action),) if path else ()  # type: ignore[arg-type]
        return Change(step.id, step.line, step.started, files, "shell", weight, how)

    # -- agents ----------------------------------------------------------------------------------

    def _agent(self, step: Step) -> list[Change]:
        """A call of another agent may write until it is done, unless we see what it did or it only reads."""
        if step.status in ("failed", "interrupted") or not may_write(step):
            return []
        if step.agent_id and step.agent_id in self._busy_agents:
            return []
        self.tree.edit_unknown(step.finished)
        return [
            Change(step.id, step.line, step.finished, (), "agent", "code", f"{step.tool} may have written")
        ]


TREE_MOVES = frozenset({"pull", "merge", "rebase", "checkout", "switch", "fetch", "worktree", "clone"})
"""Git commands that bring in what others made, or go to it: no work of the task's, so they make no proof of
it stale.  Conflicts are resolved by edits, and those count."""


def may_write(step: Step) -> bool:
    """Whether this agent call can have changed files, as far as its tool and kind of agent tell."""
    kinds = step.tool.partition(":")[2]
    return not kinds or not all(READ_ONLY_AGENTS.search(kind) for kind in kinds.split("+"))


def _did_not_run(step: Step, write: Write) -> bool:
    """Whether the line's exit status says that the command behind ``||`` or in a branch was passed over."""
    script, commands = shell.parsed(step.command or "")
    written = next((found for found in commands if found.path == write.at), None)
    return written is not None and deduce(script, written, step.exit_code).state == "not_run"


def _around(
    command: str, writes: tuple[Write, ...], result: RunResult
) -> tuple[tuple[Write, ...], tuple[Write, ...]]:
    """The writes before the test command of the same line, and those after it."""
    if result.order is None or not writes:
        return writes, ()
    _, found = shell.parsed(command)
    tested = found[result.order].path if result.order < len(found) else ()
    before = tuple(write for write in writes if write.at < tested)
    return before, tuple(write for write in writes if write.at >= tested)


def clipped(step: Step) -> Step:
    """The step with no more text than a task keeps."""
    output = step.output
    if len(output) > OUTPUT_KEPT:
        half = OUTPUT_KEPT // 2
        output = f"{output[:half]}\n[...]\n{output[-half:]}"
    changes = tuple(map(clipped_change, step.changes)) if step.changes else ()
    if output is step.output and len(step.query) <= OUTPUT_KEPT:
        if all(map(is_, changes, step.changes)):
            return step
    return replace(step, output=output, changes=changes, query=step.query[:OUTPUT_KEPT])


def clipped_change(change: FileChange) -> FileChange:
    """The change with at most 40 hunks of at most ``HUNK_KEPT`` characters a side.

    Tests, and what starts them, are kept whole up to a higher limit: a part cannot be told from a loss.
    """
    if _fits(change, HUNK_KEPT, 40):
        return change  # Most do, whatever the file is: to tell that costs more.
    kept, count = (WATCHED_KEPT, 400) if watched(change.path) else (HUNK_KEPT, 40)
    if _fits(change, kept, count):
        return change
    hunks = tuple(
        Hunk(hunk.old[:kept], hunk.new[:kept], hunk.heading[:200], hunk.below[:1000])
        for hunk in change.hunks[:count]
    )
    return replace(change, hunks=hunks)


def _fits(change: FileChange, kept: int, count: int) -> bool:
    """Whether nothing of the change has to be cut to ``count`` hunks of ``kept`` characters a side."""
    return len(change.hunks) <= count and all(
        len(hunk.old) <= kept
        and len(hunk.new) <= kept
        and len(hunk.heading) <= 200
        and len(hunk.below) <= 1000
        for hunk in change.hunks
    )
