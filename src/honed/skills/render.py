"""A skill as Markdown: what ``show`` prints and an export holds below its front matter."""

from __future__ import annotations

from honed.skills.model import Draft, FileRef, Skill


def markdown(skill: Skill | Draft) -> str:
    """The body of ``skill``: title, trigger, steps, files, check, pitfalls, outcome, free text.

    Ends with a newline.  The same draft always gives the same text.
    """
    draft = skill.draft if isinstance(skill, Skill) else skill
    parts = [f"# {draft.title}"]
    if draft.trigger and draft.trigger != draft.title:
        parts.append(f"**When:** {draft.trigger}")
    if draft.steps:
        parts.append("## Steps\n\n" + "\n".join(f"{n}. {step}" for n, step in enumerate(draft.steps, 1)))
    if draft.files:
        parts.append("## Files\n\n" + "\n".join(_file(ref) for ref in draft.files))
    if draft.check:
        parts.append(f"**Check:** `{draft.check}`")
    if draft.pitfalls:
        lines = [
            f"- `{pitfall.signature}`"
            + (f" (from `{pitfall.command}`)" if pitfall.command else "")
            + f": {pitfall.resolution}"
            for pitfall in draft.pitfalls
        ]
        parts.append("## Pitfalls\n\n" + "\n".join(lines))
    if draft.outcome:
        parts.append(f"**Outcome:** {draft.outcome}")
    if draft.body:
        parts.append(_without_title(draft.body.strip(), draft.title))
    return "\n\n".join(parts) + "\n"


def _without_title(body: str, title: str) -> str:
    """A text that begins with its title, as many a note does, without it: it stands above already."""
    first, _, rest = body.partition("\n")
    is_title = first.startswith("#") and first.strip("# \t\r") == title.strip("# \t")
    return rest.strip() if is_title and rest.strip() else body


def _file(ref: FileRef) -> str:
    symbols = ", ".join(f"`{anchor.symbol}`" for anchor in ref.anchors if anchor.symbol)
    role = "" if ref.role == "changed" else f" ({ref.role})"
    return f"- `{ref.path}`{role}" + (f": {symbols}" if symbols else "")
