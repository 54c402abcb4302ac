"""What makes text into guidance: trust, untrust, review, owner."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TextIO

from honed.cli.command import Command, Output, here_of, skill_arguments, typed_text
from honed.cli.looking import mutes_told, origin_of
from honed.cli.owning import signer_of
from honed.ledger.history import Version, changes_since, full_text
from honed.memory import Memory, Shown
from honed.presence import answer, at_terminal
from honed.recall.safe import visible
from honed.skills.model import Draft, Skill
from honed.skills.outside import in_words
from honed.store.base import SkillFilter


def _screen(output: Output) -> TextIO:
    """Where the text is shown: beside the answer for scripts, not in it."""
    return sys.stderr if output.as_json else sys.stdout


def _row(skill: Skill, signed: bool) -> dict[str, object]:
    approved = bool(skill.approved_hash)
    by = "owner" if approved else ""
    return {"slug": skill.slug, "approved": approved, "by": by, "signed": approved and signed}


def _trust(options: Namespace, output: Output) -> int:
    screen = _screen(output)
    at_terminal("honed trust", screen, os.environ)
    with Memory.open(options.home, existing=True) as memory:
        shown = memory.show(options.slug, memory.named(options.project, here_of(options)))
        skill = shown.skill
        candidates = memory.candidates(skill)
        signed = memory.approvals().signed
        if not candidates:
            output.json(_row(skill, signed))
            output.text(f"{skill.slug}: approved already, as it stands.")
            return 0
        said = ""
        for number, candidate in enumerate(candidates, 1):
            skill, said = _decided(memory, candidate, shown, screen, f"{number} of {len(candidates)}: ")
            if said in ("approve", "lift", "quit"):
                break
        if said == "approve":
            (skill,) = memory.approve_all([skill], signer_of(memory, screen))
    output.json(_row(skill, signed))
    if said == "lift":
        output.text(f"{skill.slug}: given again.")
        return 0
    if said == "reject":
        output.text(f"{skill.slug}: rejected; what is in use stays.")
        return 0
    if said != "approve":
        output.note(f"honed: {skill.slug} was not approved; nothing was changed")
        return 3
    output.text(f"{skill.slug}: {_approved(skill)}")
    return 0


def _decided(memory: Memory, candidate: Skill, shown: Shown, screen: TextIO, which: str) -> tuple[Skill, str]:
    """The skill after the owner's answer to one text that may be approved, and the answer; what is to be
    approved is the text as it was shown, and is approved by the caller."""
    waits = candidate.version != shown.skill.version
    _show(screen, memory, replace(shown, skill=candidate), waits=waits)
    for line in mutes_told(shown):
        screen.write(f"{visible(line)[0]}\n")
    choices = ("reject to drop it, " if waits else "") + (
        "lift to give it again, " if shown.skill.muted else ""
    )
    said = answer(
        f"{which}type approve to make it guidance, {choices}quit to end; anything else leaves it: ", screen
    )
    if said == "approve":
        return candidate, said
    if said == "lift" and shown.skill.muted:
        return memory.unmute(shown.skill.id, "/"), said
    if said == "reject" and waits:
        return memory.reject(candidate), said
    return shown.skill, said


def _approved(skill: Skill) -> str:
    if skill.archived or skill.state not in ("candidate", "proven"):
        state = "archived" if skill.archived else skill.state
        return f"approved; it is {state}, so nobody is given it."
    first = ", first thing in every session" if skill.draft.kind == "rule" else ""
    return f"approved. Agents are given it as your word{first}, until its text or kind changes."


def _untrust(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        place = memory.named(options.project, here_of(options))
        before = memory.find(options.slug, place)
        skill = memory.disapprove(before.id, place)
        signed = memory.approvals().signed
    output.json(_row(skill, signed))
    said = "no longer approved; agents are given it as data" if before.approved_hash else "was not approved"
    output.text(f"{skill.slug}: {said}.")
    return 0


def _show(screen: TextIO, memory: Memory, shown: Shown, *, waits: bool) -> None:
    """All that an approval covers, each line behind a bar: none of it passes for a line of honed's."""
    skill = shown.skill
    where = "everywhere" if not skill.project else "in its project"
    how = f"{origin_of(skill)} {(skill.updated_at if waits else skill.learned_at)[:10]}"
    head, _ = visible(f"{skill.slug}  [{skill.draft.kind}, {how}, holds {where}]")
    screen.write(f"\n{head}\n")
    if waits:
        (reason,) = (one.why for one in memory.waiting_texts(skill) if one.number == skill.version)
        screen.write(f"Version {skill.version} waits: {reason}.\n")
    if skill.draft.taint:
        screen.write(f"LOOK: before it the agent had read {visible(in_words(skill.draft.taint))[0]}.\n")
    text, escaped = visible(_covered(skill.draft))
    _write_lines(screen, text.splitlines())
    if escaped:
        verb = "character does" if escaped == 1 else "characters do"
        screen.write(
            f"LOOK: {escaped} {verb} not show as what they are; above they are escapes like \\u200b.\n"
        )
    before = memory.approved_before(skill)
    said = "What changed since you approved it:\n"
    if before is None and waits:
        before, said = _used(memory, shown), "What differs from the text in use:\n"
    if before is not None and shown.versions:
        # Made visible before they are compared: a line may hold what other programs break lines at.
        now = next(one for one in shown.versions if one.number == skill.version)
        old, new = (replace(one, text=visible(one.text)[0]) for one in (before, now))
        screen.write(said)
        _write_lines(screen, changes_since(old, new).splitlines())


def _used(memory: Memory, shown: Shown) -> Version | None:
    """The text in use beside which one waits."""
    used = memory.find(shown.skill.id, "/")
    return next((one for one in shown.versions if one.number == used.version), None)


def _covered(draft: Draft) -> str:
    """Every field that an approval is bound to, in plain lines; not where the text comes from."""
    bare = replace(draft, origin="derived", fingerprint="", source_task="", authority="", taint="")
    return full_text(replace(bare, fail_to_pass=False))


def _write_lines(screen: TextIO, lines: list[str]) -> None:
    for line in lines:
        screen.write(f"  | {line}\n")


def _review_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--learned", action="store_true", help="what honed learned from sessions too")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--project",
        metavar="PROJECT",
        type=typed_text,
        help="of this project: a folder of it, its name or its id (default: that of this folder)",
    )
    where.add_argument("--all", action="store_true", help="of every project")


def _review(options: Namespace, output: Output) -> int:
    screen = _screen(output)
    at_terminal("honed review", screen, os.environ)
    with Memory.open(options.home, existing=True) as memory:
        done = list(_walk(memory, _waiting(memory, options), screen))
        signed = memory.approvals().signed
        chosen = [skill for skill, said in done if said == "approve"]
        if chosen:
            after = iter(memory.approve_all(chosen, signer_of(memory, screen)))
            done = [(next(after) if said == "approve" else skill, said) for skill, said in done]
    output.json([_row(skill, signed) for skill, _ in done])
    counts = Counter(said for _, said in done)
    left = len(done) - counts["approve"] - counts["reject"]
    rejected = f", {counts['reject']} rejected" if counts["reject"] else ""
    output.text(
        f"{counts['approve']} approved{rejected}, {left} left as they are." if done else "Nothing waits."
    )
    return 0


def _waiting(memory: Memory, options: Namespace) -> list[Skill]:
    if options.all:
        skills = memory.skills(SkillFilter())
    else:
        skills = memory.skills_here(memory.named(options.project, here_of(options)), SkillFilter())
    return memory.waiting(skills, learned=options.learned)


def _walk(memory: Memory, waiting: list[Skill], screen: TextIO) -> Iterator[tuple[Skill, str]]:
    """Each text that waits, as the skill is after the owner's answer, with the answer; what comes after
    `quit` is left, and so are other texts of a skill of which one is to be approved."""
    said, chosen = "", set[str]()
    texts = [candidate for skill in waiting for candidate in _worth_asking(memory, skill)]
    for number, candidate in enumerate(texts, 1):
        skill = candidate
        if said != "quit":
            shown = memory.show(candidate.id, "/")
            still = [one for one in memory.candidates(shown.skill) if one.version == candidate.version]
            if not still or candidate.id in chosen:
                continue  # the owner's answer to another text of it decided this one too
            skill, said = _decided(memory, still[0], shown, screen, f"{number} of {len(texts)}: ")
            chosen |= {skill.id} if said == "approve" else set()
        yield skill, said if said in ("approve", "reject") else ""


def _worth_asking(memory: Memory, skill: Skill) -> list[Skill]:
    """The texts of a skill that wait: what was only learned, and that nobody changed, does not by itself."""
    found = memory.candidates(skill)
    if skill.waiting and skill.draft.origin == "derived" and not memory.approved_before(skill):
        return [one for one in found if one.version != skill.version]
    return found


COMMANDS = {
    "trust": Command(
        _trust,
        skill_arguments,
        description=(
            "Approve a text: it is shown with every character, and you type `approve`. Agents are given it "
            "as your guidance from then on, until its text or kind changes. Only on a terminal, and never by "
            "an agent, an import or a hook."
        ),
        example="honed trust no-force-push",
    ),
    "untrust": Command(
        _untrust,
        skill_arguments,
        description="Take an approval back: agents are given the text as data again.",
        example="honed untrust no-force-push",
    ),
    "review": Command(
        _review,
        _review_arguments,
        description=(
            "Go through what waits for you: what agents muted, and for your approval what changed since you "
            "approved it, with the changes, your own rules and texts, what agents wrote and what was "
            "imported. Only on a terminal."
        ),
        example="honed review --all   # of every project",
    ),
}
