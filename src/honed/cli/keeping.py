"""Commands about the memory itself: verify, rebuild, backup, restore-backup."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from honed.cli.command import Command, Output
from honed.counted import several
from honed.memory import Memory


def _verify_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--strict", action="store_true", help="also compare every index row and read every page"
    )


def _verify(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, readonly=True) as memory:
        faults = memory.verify(strict=options.strict)
        events = memory.stats().events
    rows = [{"code": fault.code, "where": fault.where, "detail": fault.detail} for fault in faults]
    output.json({"events": events, "ok": not faults, "broken": rows})
    for fault in faults:
        output.text(f"{fault.code} at {fault.where}: {fault.detail}")
    if faults:
        from honed.doctor import mended_by

        output.text(f"{several(len(faults), 'fault')} in {several(events, 'event')}: {mended_by(faults)}.")
        return 1
    output.text(f"{several(events, 'event')}, all in order.")
    return 0


def _rebuild(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, existing=True) as memory:
        events = memory.rebuild()
    output.json({"events": events, "ok": True})
    output.text(f"Rebuilt from {several(events, 'event')}.")
    return 0


def _backup_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="?", metavar="FILE", help="where to (default: the memory's own backups folder)"
    )


def _backup(options: Namespace, output: Output) -> int:
    with Memory.open(options.home, readonly=True) as memory:
        path = memory.backup(options.path)
        size = os.path.getsize(path)
    output.json({"path": path, "bytes": size})
    output.text(f"Backup stored: {path} ({several(size, 'byte')}).")
    return 0


def _restore_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a backup that `honed backup` made")


def _restore(options: Namespace, output: Output) -> int:
    replaced = Memory.restore_backup(options.path, home=options.home)
    output.json({"restored": options.path, "replaced": replaced})
    output.text(f"Restored {options.path}." + (f" What was there is kept as {replaced}." if replaced else ""))
    return 0


COMMANDS = {
    "verify": Command(
        _verify,
        _verify_arguments,
        description=(
            "Hold the ledger against everything made from it. Exit 1 if anything is wrong; changes nothing."
        ),
        example="honed verify --strict",
    ),
    "rebuild": Command(
        _rebuild,
        description="Make skills and index anew from the ledger, after a backup.",
        example="honed rebuild",
    ),
    "backup": Command(
        _backup,
        _backup_arguments,
        description="Copy the memory, checked and on disk.",
        example="honed backup /mnt/usb/honed.db",
    ),
    "restore-backup": Command(
        _restore,
        _restore_arguments,
        description=(
            "Put a backup in the memory's place, also where that is damaged. What was there is kept. "
            "What was forgotten since stays forgotten."
        ),
        example="honed restore-backup ~/.local/share/honed/backups/honed-20260504T090000.db",
    ),
}
