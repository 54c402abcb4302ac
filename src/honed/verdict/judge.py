"""The judge: from runs and states to one verdict.

Pure.  The rules, each with its reason, are in docs/verdict.md; the words in docs/design.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from honed.verdict.interpret import covers, same_check
from honed.verdict.model import Authority, Run, RunResult, Verdict
from honed.verdict.tree import WILD, State, differing


@dataclass(frozen=True, slots=True)
class Proof:
    """A run and the state of the work tree that it ran on."""

    run: Run
    state: State
    blind: frozenset[str] = frozenset()
    """Files that the run did not build, so that it says nothing of them (verdict/build_tags.py)."""

    @property
    def passed(self) -> bool:
        """Whether the tests passed, by whichever voice."""
        return self.run.result.outcome in ("pass", "weak")

    @property
    def in_words_only(self) -> bool:
        """Whether a pass is known from words alone ("all done"), without status or count."""
        result = self.run.result
        return result.outcome == "weak" and result.authority is None and result.reason.startswith("it said ")

    @property
    def failed(self) -> bool:
        """Whether any test failed."""
        return self.run.result.outcome == "fail"


def decide(
    proofs: Sequence[Proof], *, initial: State, final: State, changed: bool, commented: int | None = None
) -> Verdict:
    """The verdict over one task.

    ``proofs`` are the task's runs in order of their starts; ``initial`` and ``final`` the states of
    the work tree at its ends; ``changed`` whether anything that weighs as code was changed at all;
    ``commented`` the ordinal of the last edit of comments or white space in code, ``None`` without one.
    """
    if not changed and commented is None:
        return Verdict("none", "nothing but documentation was changed, so there is nothing to prove")
    if changed and initial == final:
        return Verdict("none", "every change was taken back")
    speaking = [proof for proof in proofs if proof.passed or proof.failed]
    if not changed:
        speaking = [proof for proof in speaking if proof.run.started > (commented or 0)]
        if not speaking:
            return Verdict("none", "only comments or white space were changed, and no test ran after it")
    if not speaking:
        return Verdict("none", _why_silent(proofs))
    changes = frozenset(differing(initial, final))
    current = [p for p in speaking if p.state == final and (p.failed or not p.blind & changes)]
    if not current:
        return _outdated(speaking, final, changes)
    last = current[-1]
    if last.failed:
        return _verdict("failed", last, f"the last test run failed: {last.run.result.reason}")
    open_failure = _unresolved(speaking, proofs, initial=initial, final=final)
    if open_failure is not None:
        why = "a wider test run failed after the change and was not repeated"
        if open_failure.state == final:
            why = "another test run failed on the same files"
        return _verdict("failed", open_failure, f"{why}: {open_failure.run.result.reason}")
    if last.in_words_only:
        counted = [proof for proof in current if proof.passed and not proof.in_words_only]
        if not counted:
            return Verdict("none", f"no count of tests was seen: {last.run.result.reason}")
        last = counted[-1]
    return _verified(speaking, last)


def _why_silent(proofs: Sequence[Proof]) -> str:
    outcomes = {proof.run.result.outcome for proof in proofs}
    if "unknown" in outcomes:
        return "tests were started, but how they ended cannot be told: " + _last_reason(proofs, "unknown")
    if "nothing" in outcomes:
        return "a test command ran no test: " + _last_reason(proofs, "nothing")
    return "no test ran"


def _last_reason(proofs: Sequence[Proof], outcome: str) -> str:
    return [proof.run.result.reason for proof in proofs if proof.run.result.outcome == outcome][-1]


def _outdated(speaking: Sequence[Proof], final: State, changes: frozenset[str]) -> Verdict:
    """No run saw the files as they are now."""
    last = speaking[-1]
    if last.passed and last.state == final:
        unseen = ", ".join(sorted(last.blind & changes)[:3])
        return _verdict("stale", last, f"{unseen} needs build tags that no test run was given")
    paths = differing(last.state, final)
    named = ", ".join(path for path in paths[:3] if path != WILD) or "files"
    if last.failed:
        return _verdict(
            "failed", last, f"the last test run failed, and nothing ran after {named} changed again"
        )
    return _verdict("stale", last, f"{named} changed after the last test run")


def _unresolved(
    speaking: Sequence[Proof], everything: Sequence[Proof], *, initial: State, final: State
) -> Proof | None:
    """The latest failure that no passing run answers, or ``None``.

    A failure before the first change of the task is not its doing.  One after it stands until the same
    or a wider run passes, or a run of just the failing tests after another change.  A fault that was
    injected on purpose, into files that had passed and are that way again, is no failure.
    """
    for failure in reversed(speaking):
        if not failure.failed or failure.state == initial:
            continue
        if any(_answers(proof, failure) for proof in speaking):
            continue
        if _taken_back(speaking, failure, final):
            continue
        if _failed_before(everything, failure, initial):
            continue
        return failure
    return None


def _taken_back(speaking: Sequence[Proof], failure: Proof, final: State) -> bool:
    """Whether the files had passed as they are now, before what failed was tried."""
    return failure.state != final and any(
        proof.passed and proof.state == final and proof.run.started < failure.run.started
        for proof in speaking
    )


def _answers(proof: Proof, failure: Proof) -> bool:
    """Whether ``proof`` shows that what failed in ``failure`` passes now."""
    if not proof.passed or proof.run.started <= failure.run.started:
        return False
    if _same_ground(proof, failure) or _as_wide_by_count(proof, failure):
        return True
    failing, selection = failure.run.result.failing, proof.run.result.selection
    if not failing or not selection or proof.state == failure.state:
        return False
    wanted = [_bare(name) for name in failing]
    chosen = " ".join(selection)
    return proof.run.result.runner == failure.run.result.runner and all(name in chosen for name in wanted)


WRAPPERS = frozenset({"mise", "npm", "pnpm", "yarn", "bun run", "make", "just", "task", "script", "git"})
"""Runners that only start others: which tests a failing gate of theirs ran, nobody said."""


def _as_wide_by_count(proof: Proof, failure: Proof) -> bool:
    """Whether a run of everything, or of the same files, ran about as many tests as the one that failed.

    The runner's own count is trusted over the words of a command line: a commit hook and a gate are the
    same suite under other names.  A run that broke down counted nothing, so any full run answers it.
    """
    ours, theirs = proof.run.result, failure.run.result
    if not ours.counts.passed or (ours.selection and not _same_files(ours, theirs)):
        return False
    if ours.runner != theirs.runner and theirs.runner not in WRAPPERS:
        return False
    return ours.counts.passed >= 0.9 * (theirs.counts.passed or 0)


def _same_files(ours: RunResult, theirs: RunResult) -> bool:
    """Whether our run chose the same files as theirs, seen from another folder or through another launcher.

    Where theirs was narrowed further by an option (``-g name``), ours is the wider one.
    """

    def alike(a: str, b: str) -> bool:
        return a == b or a.endswith("/" + b) or b.endswith("/" + a)

    return (
        bool(ours.selection)
        and all(any(alike(a, b) for b in theirs.selection) for a in ours.selection)
        and all(b.startswith("-") or any(alike(a, b) for a in ours.selection) for b in theirs.selection)
    )


def _bare(name: str) -> str:
    """The part of a failing test's name that a selection would hold: ``a/b.py::C::t[1]`` -> ``t``."""
    return name.split("::")[-1].split("/")[-1].split("[")[0].split(" ")[0]


def _failed_before(proofs: Sequence[Proof], failure: Proof, initial: State) -> bool:
    """Whether the same tests failed without the change: before it was made, or with it stashed away."""
    for proof in proofs:
        before = proof.state == initial and proof.failed
        if not before and not _failed_aside(proof):
            continue
        # A run of all of it names what was red already; one of less can only show the causes.
        same = _same_ground(proof, failure)
        if _as_red(proof, failure) if same else _for_the_same_causes(proof, failure):
            return True
    return False


def _failed_aside(proof: Proof) -> bool:
    """Whether the run failed with the change stashed away."""
    result = proof.run.result
    return "git stash" in result.reason and bool(result.counts.failed or result.failing)


def _for_the_same_causes(proof: Proof, failure: Proof) -> bool:
    """Whether every message of ``failure`` was there in ``proof`` too, though other tests were chosen."""
    ours, theirs = proof.run.result, failure.run.result
    return bool(theirs.causes) and ours.runner == theirs.runner and set(theirs.causes) <= set(ours.causes)


def _as_red(proof: Proof, failure: Proof) -> bool:
    """Whether all that failed in ``failure`` failed in ``proof`` too: by name, or by number without names."""
    ours, theirs = proof.run.result, failure.run.result
    if ours.failing or not theirs.failing:
        return set(theirs.failing) <= set(ours.failing)
    return (ours.counts.failed or 0) >= (theirs.counts.failed or 1)


def _verified(speaking: Sequence[Proof], last: Proof) -> Verdict:
    earlier = [proof for proof in speaking if proof.failed and proof.run.started < last.run.started]
    related = [proof for proof in earlier if _same_ground(last, proof)]
    fail_to_pass = any(proof.state != last.state and not _broke_down(proof) for proof in related)
    retried = any(proof.state == last.state for proof in related)
    reason = last.run.result.reason
    if retried and not fail_to_pass:
        reason += "; it had failed before on the same files, so the first failure was not the change's"
    return _verdict("verified", last, reason, fail_to_pass=fail_to_pass)


def _broke_down(proof: Proof) -> bool:
    """Whether the run failed before any test did: what could not be imported proved nothing by failing."""
    counts = proof.run.result.counts
    return bool(counts.errors) and not counts.failed


def _same_ground(last: Proof, earlier: Proof) -> bool:
    return same_check(last.run.result, earlier.run.result) or covers(last.run.result, earlier.run.result)


def _verdict(kind: str, proof: Proof, reason: str, *, fail_to_pass: bool = False) -> Verdict:
    result = proof.run.result
    # What a filter would have let through, or a wrapper's "Finished", is the word of an output, too.
    authority: Authority | None = result.authority or ("summary" if result.outcome == "weak" else None)
    return Verdict(
        kind=kind,  # type: ignore[arg-type]
        reason=reason,
        step_id=proof.run.step_id,
        line=proof.run.line,
        command=proof.run.command,
        check=result.check,
        authority=authority,
        fail_to_pass=fail_to_pass,
    )
