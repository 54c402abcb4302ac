"""Commands about the memory itself: verify, rebuild, backup, export, import, doctor."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from honed.cli.command import Command, Output
from honed.doctor import examine
from honed.exchange.vault import export_vault, import_vault
from honed.home import default_home
from honed.memory import Memory


def _verify_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--strict", action="store_true", help="also compare every index row and read every page"
    )


def _verify(options: Namespace, output: Output) -> int:
    with Memory.open(options.home) as memory:
        faults = memory.verify(strict=options.strict)
        events = memory.stats().events
    rows = [{"code": fault.code, "where": fault.where, "detail": fault.detail} for fault in faults]
    output.json({"events": events, "ok": not faults, "broken": rows})
    for fault in faults:
        output.text(f"{fault.code} at {fault.where}: {fault.detail}")
    if faults:
        output.text(
            f"{len(faults)} faults in {events} events. `honed rebuild` mends projections; "
            "`honed restore-backup` brings back a good copy."
        )
        return 1
    output.text(f"{events} events, all in order.")
    return 0


def _rebuild(options: Namespace, output: Output) -> int:
    with Memory.open(options.home) as memory:
        events = memory.rebuild()
    output.json({"events": events, "ok": True})
    output.text(f"Rebuilt from {events} events.")
    return 0


def _backup_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="?", metavar="FILE", help="where to (default: the memory's own backups folder)"
    )


def _backup(options: Namespace, output: Output) -> int:
    with Memory.open(options.home) as memory:
        path = memory.backup(options.path)
        size = os.path.getsize(path)
    output.json({"path": path, "bytes": size})
    output.text(f"Backup stored: {path} ({size} bytes).")
    return 0


def _restore_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", help="a backup that `honed backup` made")


def _restore(options: Namespace, output: Output) -> int:
    replaced = Memory.restore_backup(options.path, home=options.home)
    output.json({"restored": options.path, "replaced": replaced})
    output.text(f"Restored {options.path}." + (f" What was there is kept as {replaced}." if replaced else ""))
    return 0


def _export_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="a folder for one Markdown file a skill")


def _export(options: Namespace, output: Output) -> int:
    with Memory.open(options.home) as memory:
        done = export_vault(memory, options.folder)
    output.json(
        {
            "folder": options.folder,
            "written": done.written,
            "same": done.same,
            "removed": done.removed,
            "refused": [{"path": path, "reason": reason} for path, reason in done.refused],
        }
    )
    output.text(f"{options.folder}: {done.written} written, {done.same} unchanged, {done.removed} removed.")
    for path, reason in done.refused:
        output.text(f"Left alone {path}: {reason}")
    return 1 if done.refused else 0


def _import_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a vault, a folder of Markdown notes, or one file")
    parser.add_argument(
        "--project",
        metavar="DIR",
        help="the project they belong to, where a file does not say (default: this folder)",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would happen, storing nothing")


def _import(options: Namespace, output: Output) -> int:
    cwd = os.path.abspath(options.project or os.getcwd())
    with Memory.open(options.home) as memory:
        done = import_vault(memory, options.path, cwd=cwd, dry_run=options.dry_run)
    output.json(
        {
            "new": done.new,
            "same": done.same,
            "changed": done.changed,
            "dry_run": options.dry_run,
            "refused": [{"path": path, "reason": reason} for path, reason in done.refused],
        }
    )
    verb = "would be new" if options.dry_run else "new"
    output.text(
        f"{done.new} {verb}, {done.same} the same, {done.changed} changed, {len(done.refused)} refused."
    )
    for path, reason in done.refused:
        output.text(f"Refused {path}: {reason}")
    return 1 if done.refused else 0


def _doctor(options: Namespace, output: Output) -> int:
    checks = examine(options.home or default_home())
    ok = all(check.status != "broken" for check in checks)
    output.json(
        {
            "ok": ok,
            "checks": [
                {"name": check.name, "status": check.status, "detail": check.detail, "fix": check.fix}
                for check in checks
            ],
        }
    )
    for check in checks:
        output.text(f"{check.status:<8} {check.name}: {check.detail}")
        if check.fix:
            output.text(f"         {check.fix}")
    return 0 if ok else max((check.code for check in checks), default=1)


COMMANDS = (
    Command("verify", "hold the ledger against everything made from it", _verify, _verify_arguments),
    Command("rebuild", "make skills and index anew from the ledger", _rebuild),
    Command("backup", "copy the memory", _backup, _backup_arguments),
    Command("restore-backup", "put a backup in the memory's place", _restore, _restore_arguments),
    Command("export", "write one Markdown file a skill", _export, _export_arguments),
    Command("import", "read a vault or any folder of Markdown notes", _import, _import_arguments),
    Command("doctor", "say what works and what does not", _doctor),
)
