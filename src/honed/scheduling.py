"""Jobs that the system starts by itself: maintenance every day, an export every week.

honed needs none of them (everything is caught up on use); they are for who works seldom and wants the copy.
Four systems are told the same two jobs, each in its own words: systemd's user timers, cron, launchd, the task
scheduler of Windows.  What is written is made of the home and the jobs alone, so installing twice changes
nothing, and taking it out leaves every foreign byte as it was.

Sources of the formats: systemd.timer(5), systemd.service(5), crontab(5), launchd.plist(5), schtasks /?.
"""

from __future__ import annotations

import contextlib
import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from honed.agents.shim import program
from honed.errors import HonedError, UsageError

SYSTEMS = ("systemd", "cron", "launchd", "schtasks")
SECONDS = 30
"""The longest that a scheduler is waited for."""


INSTEAD = (
    "honed needs no scheduler: it catches up whenever it is used. Where something else starts programs, let"
    " it run `honed decay` once a day"
)


class ScheduleError(HonedError):
    """The system's scheduler did not take what it was told; the message says what it said."""


class NoSchedulerError(ScheduleError):
    """This machine has no such scheduler, so nothing can be installed there and nothing is."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something that runs by itself: ``words`` of honed's command line, at ``hour:minute`` each day, or of
    one day of the week (0 is Sunday)."""

    name: str
    words: tuple[str, ...]
    hour: int
    minute: int
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What a system is told about one home: files to write, and commands that make them hold."""

    files: Mapping[Path, str]
    on: tuple[tuple[str, ...], ...] = ()
    off: tuple[tuple[str, ...], ...] = ()


Run = Callable[[Sequence[str], str | None], "subprocess.CompletedProcess[str]"]


def jobs(home: str) -> tuple[Job, ...]:
    """The two jobs of a home; the export is a folder ``vault`` in it."""
    vault = os.path.join(home, "vault")
    return (
        Job("maintenance", ("decay",), 4, 15),
        Job("export", ("export", vault), 4, 30, weekday=0),
    )


def name_of(job: Job, home: str) -> str:
    """A job's name in the system; each home has its own."""
    return f"honed-{job.name}-{_tag(home)}"


def _tag(home: str) -> str:
    return f"{crc32(os.fsencode(home)):08x}"


def command_of(job: Job, home: str) -> list[str]:
    """The argument list that runs a job: by honed's shim, which finds an interpreter by itself."""
    path, words = program(home)
    return [path, *words[:-1], *job.words]


# What each system is told


def systemd_told(home: str, config: Path) -> Told:
    """Two files a job in the user's folder; missed times are made up for (``Persistent``)."""
    folder = config / "systemd" / "user"
    days = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
    files: dict[Path, str] = {}
    timers = []
    for job in jobs(home):
        name = name_of(job, home)
        words = " ".join(map(_systemd_word, _systemd_words(command_of(job, home))))
        day = "" if job.weekday is None else f"{days[job.weekday]} "
        files[folder / f"{name}.service"] = (
            f"[Unit]\nDescription=honed: {job.name}\n\n[Service]\nType=oneshot\nNice=19\nExecStart={words}\n"
        )
        files[folder / f"{name}.timer"] = (
            f"[Unit]\nDescription=honed: {job.name}\n\n"
            f"[Timer]\nOnCalendar={day}*-*-* {job.hour:02d}:{job.minute:02d}:00\n"
            "Persistent=true\nRandomizedDelaySec=10m\n\n"
            "[Install]\nWantedBy=timers.target\n"
        )
        timers.append(f"{name}.timer")
    ask = ("systemctl", "--user")
    return Told(
        files,
        on=((*ask, "daemon-reload"), (*ask, "enable", "--now", *timers)),
        off=((*ask, "disable", "--now", *timers), (*ask, "daemon-reload")),
    )


def _systemd_words(words: list[str]) -> list[str]:
    """The words of ``ExecStart``.  A program's own path holds no quote or backslash there, and of what
    stands first ``$`` is not expanded: such a path is handed to the shell as any other word."""
    plain = not set("\"'\\$%") & set(words[0])
    return words if plain else ["/bin/sh", "-c", 'exec "$0" "$@"', *words]


def _systemd_word(word: str) -> str:
    """A word of ``ExecStart``: quoted as C does it, ``%`` and ``$`` doubled."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"'


def launchd_told(home: str, agents: Path, user: int) -> Told:
    """One property list a job in the user's LaunchAgents."""
    files: dict[Path, str] = {}
    on, off = [], []
    for job in jobs(home):
        label = f"dev.{name_of(job, home)}"
        when = {"Hour": job.hour, "Minute": job.minute}
        when |= {} if job.weekday is None else {"Weekday": job.weekday}
        value = {
            "Label": label,
            "ProgramArguments": command_of(job, home),
            "StartCalendarInterval": when,
            "ProcessType": "Background",
            "LowPriorityIO": True,
        }
        path = agents / f"{label}.plist"
        files[path] = plistlib.dumps(value).decode("utf-8")
        on += [
            ("launchctl", "bootout", f"gui/{user}/{label}"),
            ("launchctl", "bootstrap", f"gui/{user}", str(path)),
        ]
        off.append(("launchctl", "bootout", f"gui/{user}/{label}"))
    return Told(files, tuple(on), tuple(off))


def schtasks_told(home: str) -> Told:
    """One task a job, made and deleted by ``schtasks``."""
    days = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
    on, off = [], []
    for job in jobs(home):
        name = name_of(job, home)
        every = ("DAILY",) if job.weekday is None else ("WEEKLY", "/D", days[job.weekday])
        words = subprocess.list2cmdline(command_of(job, home))
        start = f"{job.hour:02d}:{job.minute:02d}"
        on.append(("schtasks", "/Create", "/F", "/TN", name, "/SC", *every, "/ST", start, "/TR", words))
        off.append(("schtasks", "/Delete", "/F", "/TN", name))
    return Told({}, tuple(on), tuple(off))


def cron_block(home: str) -> str:
    """The lines of a home in a crontab, between two marks by which they are found again."""
    begin, end = _marks(home)
    lines = [begin]
    for job in jobs(home):
        day = "*" if job.weekday is None else str(job.weekday)
        words = " ".join(map(shlex.quote, command_of(job, home))).replace("%", "\\%")
        lines.append(f"{job.minute} {job.hour} * * {day} {words} >/dev/null 2>&1")
    return "\n".join([*lines, end, ""])


def _marks(home: str) -> tuple[str, str]:
    begin = f"# honed schedule {_tag(home)}"
    return f"{begin}: do not edit, `honed schedule remove` takes it out", f"{begin} end"


def with_block(crontab: str, home: str) -> str:
    """A crontab with the lines of a home, everything else as it was."""
    rest = without_block(crontab, home)
    joint = "" if not rest or rest.endswith("\n") else "\n"
    return rest + joint + cron_block(home)


def without_block(crontab: str, home: str) -> str:
    """A crontab without the lines of a home, everything else as it was."""
    begin, end = map(re.escape, _marks(home))
    return re.sub(rf"(?m)^{begin}\n(?:.*\n)*?{end}(?:\n|\Z)", "", crontab)


# Doing it


@dataclass(frozen=True, slots=True)
class Scheduler:
    """One system's scheduler for one home; ``run`` starts a program (an argument list, standard input)."""

    system: str
    home: str
    run: Run
    environ: Mapping[str, str]

    def install(self) -> tuple[str, ...]:
        """Tell the system the jobs; returns the files and commands by which it was told.

        Raises ``ScheduleError``; what was written until then a later ``remove`` takes away.
        """
        if self.system == "cron":
            return self._edit_crontab(with_block)
        told = self._told()
        for path, text in told.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        for words in told.on:
            self._must(words, may_fail="bootout" in words)
        return (*map(str, told.files), *(() if told.files else map(shlex.join, told.on)))

    def remove(self) -> tuple[str, ...]:
        """Take the jobs out again; returns the files and commands by which that was done."""
        if self.system == "cron":
            return self._edit_crontab(without_block)
        if not self.is_installed():
            return ()
        told = self._told()
        for words in told.off:
            self._must(words, may_fail=True)
        for path in told.files:
            path.unlink(missing_ok=True)
        return (*map(str, told.files), *(() if told.files else map(shlex.join, told.off)))

    def is_installed(self) -> bool:
        """Whether the system was told the jobs of this home."""
        if self.system == "cron":
            return cron_block(self.home) in self._crontab()
        told = self._told()
        if told.files:
            return all(path.is_file() for path in told.files)
        names = (name_of(job, self.home) for job in jobs(self.home))
        return all(not self._ask(("schtasks", "/Query", "/TN", name)).returncode for name in names)

    def _told(self) -> Told:
        user = Path(self.environ.get("HOME") or os.path.expanduser("~"))
        if self.system == "systemd":
            return systemd_told(self.home, Path(self.environ.get("XDG_CONFIG_HOME") or user / ".config"))
        if self.system == "launchd":
            return launchd_told(self.home, user / "Library" / "LaunchAgents", getattr(os, "getuid", int)())
        return schtasks_told(self.home)

    def _edit_crontab(self, change: Callable[[str, str], str]) -> tuple[str, ...]:
        """Change the user's crontab; not where somebody else changed it between looking and writing."""
        before = self._crontab()
        after = change(before, self.home)
        if after == before:
            return ()
        if self._crontab() != before:
            raise ScheduleError("the crontab changed meanwhile; nothing was written, try again")
        self._must(("crontab", "-"), given=after)
        return ("crontab",)

    def _crontab(self) -> str:
        done = self._ask(("crontab", "-l"))
        if not done.returncode:
            return done.stdout
        if "no crontab" in done.stderr.lower():
            return ""
        raise ScheduleError(f"crontab -l: {done.stderr.strip() or f'ended with {done.returncode}'}")

    def _must(self, words: Sequence[str], *, given: str | None = None, may_fail: bool = False) -> None:
        try:
            done = self._ask(words, given)
        except NoSchedulerError:
            if may_fail:
                return
            raise
        if done.returncode and not may_fail:
            said = (done.stderr or done.stdout).strip() or f"ended with {done.returncode}"
            raise ScheduleError(f"{shlex.join(words)}: {said}")

    def _ask(self, words: Sequence[str], given: str | None = None) -> subprocess.CompletedProcess[str]:
        try:
            return self.run(words, given)
        except FileNotFoundError as error:
            raise NoSchedulerError(
                f"{self.system} is not on this machine: there is no program {words[0]}. {INSTEAD}"
            ) from error
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ScheduleError(f"{words[0]} cannot be run: {error}") from error


def run(words: Sequence[str], given: str | None) -> subprocess.CompletedProcess[str]:
    """Start a program of the system and wait for it.  Raises ``OSError``, ``TimeoutExpired``."""
    return subprocess.run(
        list(words),
        input=given if given is not None else "",
        capture_output=True,
        timeout=SECONDS,
        check=False,
        encoding="utf-8",
        errors="surrogateescape",
        env={**os.environ, "LC_ALL": "C"},
    )


def system_here(run: Run, environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The scheduler that this machine has; empty where none answers."""
    if platform == "darwin":
        return "launchd"
    if platform == "win32":
        return "schtasks"
    path = environ.get("PATH")
    if shutil.which("systemctl", path=path):
        try:
            if not run(("systemctl", "--user", "show-environment"), None).returncode:
                return "systemd"
        except (OSError, subprocess.TimeoutExpired):
            pass
    return "cron" if shutil.which("crontab", path=path) else ""


def forget(
    home: str, environ: Mapping[str, str], run: Run = run, platform: str = sys.platform
) -> tuple[str, ...]:
    """Take the jobs of a home out wherever they are; returns by what.  Who does not answer is passed over."""
    systems = {"darwin": ("launchd",), "win32": ("schtasks",)}.get(platform, ("systemd", "cron"))
    done: list[str] = []
    for system in systems:
        if system != "cron" or shutil.which("crontab", path=environ.get("PATH")):
            with contextlib.suppress(ScheduleError):
                done += Scheduler(system, home, run, environ).remove()
    return tuple(done)


def scheduler(
    home: str, named: str | None, environ: Mapping[str, str] = os.environ, run: Run = run
) -> Scheduler:
    """The scheduler ``named``, or the one that this machine has.

    Raises ``UsageError`` for an unknown one, ``NoSchedulerError`` where there is none.
    """
    if named is not None and named not in SYSTEMS:
        raise UsageError(f"no scheduler is called {named!r}; there are {', '.join(SYSTEMS)}")
    system = named or system_here(run, environ)
    if not system:
        raise NoSchedulerError(f"neither systemd's user timers nor cron answer here. {INSTEAD}")
    return Scheduler(system, home, run, environ)
