"""The fold of what is no skill: tasks, projects, settings (see ``fold``)."""

from __future__ import annotations

from collections.abc import Iterable

from honed.ledger.model import Recorded
from honed.ledger.order import in_order, number_in, text_in
from honed.ledger.rows import Alias, AliasState, ProjectRow, SettingRow, TaskRow

# Tasks


def fold_task(events: Iterable[Recorded]) -> TaskRow | None:
    """The verdict of the ``judged`` event that saw most of the task; of equals, the later one."""
    verdicts = [e for e in in_order(events) if e.entry.kind == "judged" and e.body is not None]
    if not verdicts:
        return None
    best = max(enumerate(verdicts), key=lambda pair: (number_in(pair[1].body, "seen_to"), pair[0]))[1]
    body = best.body
    return TaskRow(
        id=best.entry.subject,
        project=text_in(body, "project"),
        session=text_in(body, "session"),
        client=text_in(body, "client"),
        verdict=text_in(body, "verdict"),
        reason=text_in(body, "reason"),
        authority=text_in(body, "authority"),
        step=text_in(body, "step"),
        check=text_in(body, "check"),
        seen_to=number_in(body, "seen_to"),
        at=best.entry.at,
    )


# Projects


def fold_project(events: Iterable[Recorded]) -> ProjectRow | None:
    """A project with its aliases.  What the owner linked or split, a later sight does not change."""
    ordered = [e for e in in_order(events) if e.body is not None]
    seen = [e for e in ordered if e.entry.kind in ("project_seen", "project_linked")]
    if not seen:
        return None
    aliases: dict[tuple[str, str], Alias] = {}
    for event in ordered:
        if event.entry.kind == "project_seen":
            for kind, value in _pairs((event.body or {}).get("aliases")):
                aliases.setdefault((kind, value), Alias(kind, value, "seen", event.entry.at))
        elif event.entry.kind in ("project_linked", "project_split"):
            key = (text_in(event.body, "kind"), text_in(event.body, "value"))
            state: AliasState = "linked" if event.entry.kind == "project_linked" else "split"
            aliases[key] = Alias(*key, state, event.entry.at)
    names = [name for name in (text_in(e.body, "name") for e in seen) if name]
    return ProjectRow(
        id=seen[0].entry.subject,
        name=names[0] if names else "",
        seen=seen[0].entry.at,
        aliases=tuple(sorted(aliases.values(), key=lambda a: (a.kind, a.value))),
    )


def _pairs(value: object) -> list[tuple[str, str]]:
    pairs = value if isinstance(value, list) else []
    return [(str(p[0]), str(p[1])) for p in pairs if isinstance(p, list) and len(p) == 2]


# Settings


def fold_settings(events: Iterable[Recorded]) -> tuple[SettingRow, ...]:
    """The owner's settings by key; the last word holds, ``None`` puts the default back."""
    rows: dict[str, SettingRow] = {}
    for event in in_order(events):
        if event.entry.kind == "configured" and event.entry.actor == "owner" and event.body is not None:
            key = text_in(event.body, "key")
            rows[key] = SettingRow(key, event.body.get("value"), event.entry.at)
    return tuple(rows[key] for key in sorted(rows) if rows[key].value is not None)
