"""Optional model help: distill, models."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from honed.cli.command import Command, Output
from honed.counted import several
from honed.memory import Memory
from honed.review.asking import Model
from honed.review.use import used

REFUSED = 3


def _distill_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only show what would be asked")


def _distill(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        model = Model.of(memory.config)
        done = memory.distill(dry_run=options.dry_run)
    value: dict[str, object] = {
        "calls": done.calls,
        "tokens": done.tokens,
        "skipped": [{"slug": slug, "reason": reason} for slug, reason in done.skipped],
        "changed": [{"slug": slug, "title": title} for slug, title in done.changed],
        "asked": list(done.asked),
    }
    if options.dry_run:
        output.json({**value, "model": str(model) if model else "", "prompt": done.prompt})
        if done.asked:
            tokens = several(done.tokens, "token")
            output.text(f"Would ask {model} about {several(len(done.asked), 'skill')}, {tokens}:")
            output.text()
            output.text(done.prompt)
    else:
        output.json(value)
    for slug, title in done.changed:
        output.text(f"{slug}: {title}")
    for slug, reason in done.skipped:
        output.text(f"{slug}: {reason}" if slug else f"{reason[:1].upper()}{reason[1:]}.")
    if not done.asked and not done.skipped:
        output.text("Nothing to distill: a model has answered about each procedure that it may name.")
    failed = any(not slug for slug, _ in done.skipped)
    refused = failed and not done.calls
    return REFUSED if refused else 1 if failed else 0


def _models_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("status",))


def _models(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, readonly=True) as memory:
        model, calls = Model.of(memory.config), memory.model_calls()
        settings = {key: memory.config[f"models.{key}"] for key in ("distill", "calls", "tokens")}
    today = used(calls)
    output.json(
        {
            "model": str(model) if model else "",
            "distill": settings["distill"],
            "calls": today.calls,
            "tokens": today.tokens,
            "most": {"calls": settings["calls"], "tokens": settings["tokens"]},
            "skipped": [{"at": call.at, "reason": call.why} for call in today.skipped],
        }
    )
    if not model:
        output.text("No model is set, so none is asked: `honed config set models.command 'claude -p'`.")
    else:
        when = "in the background, too" if settings["distill"] else "only when you run `honed distill`"
        output.text(f"{model} is asked {when}.")
    output.text(
        f"Today (UTC): {today.calls} of {settings['calls']} calls, "
        f"{today.tokens} of {settings['tokens']} tokens."
    )
    for call in today.skipped:
        output.text(f"  {call.at}  {call.state}: {call.why}")
    return 0


COMMANDS = {
    "distill": Command(
        _distill,
        _distill_arguments,
        description=(
            "Ask the model that you set for a clearer title, a trigger and other names of what was learned: "
            "one call, about eight skills. Steps, checks and files stay as they are; `honed undo` takes a "
            "name back."
        ),
        example="honed distill --dry-run   # what would be asked, and what that takes",
    ),
    "models": Command(
        _models,
        _models_arguments,
        description="Which model is asked, what it took today, and which calls were refused.",
        example="honed models status",
    ),
}
