"""``schedule``: four systems are told the same two jobs, and every foreign byte stays as it was."""

from __future__ import annotations

import configparser
import os
import plistlib
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed import scheduling
from honed.errors import UsageError
from honed.scheduling import ScheduleError, Scheduler
from tests.doors.conftest import Honed

FOREIGN = '# mine\nMAILTO=""\n5 4 * * 1 /usr/local/bin/backup --at "50%"\n'
CRONTAB = """#!/bin/sh
# A crontab of one file, as cron keeps it for each user.
table={table}
case "$1" in
  -l) [ -f "$table" ] || { echo "no crontab for nobody" >&2; exit 1; }; cat "$table" ;;
  -) cat > "$table" ;;
esac
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's crontab; the program that edits it is the only scheduler on the path."""
    programs = tmp_path / "programs"
    programs.mkdir()
    table = tmp_path / "table"
    script = programs / "crontab"
    script.write_text(CRONTAB.replace("{table}", shlex.quote(str(table))), encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/bin:/usr/bin")
    return table


class Asked:
    """A system's scheduler that takes everything and remembers what it was told."""

    def __init__(self, *failing: str) -> None:
        self.told: list[tuple[str, ...]] = []
        self.given: list[str | None] = []
        self.failing = failing

    def __call__(self, words: Sequence[str], given: str | None) -> subprocess.CompletedProcess[str]:
        self.told.append(tuple(words))
        self.given.append(given)
        bad = any(word in words for word in self.failing)
        return subprocess.CompletedProcess(list(words), int(bad), "", "it will not" if bad else "")


def of(system: str, home: Path, asked: Asked) -> Scheduler:
    return Scheduler(system, str(home), asked, {"HOME": str(home.parent)})


def test_cron_is_told_and_taken_out_again_and_every_other_line_stays(
    honed: Honed, home: Path, table: Path
) -> None:
    table.write_text(FOREIGN, encoding="utf-8")
    assert honed("schedule", "status", "--with", "cron", "--json").json["installed"] is False
    done = honed("schedule", "install", "--with", "cron", "--json").json
    assert (done["system"], done["installed"], done["changed"]) == ("cron", True, ["crontab"])
    lines = table.read_text(encoding="utf-8").removeprefix(FOREIGN).splitlines()
    assert len(lines) == 4
    assert lines[1] == f"15 4 * * * {home}/bin/honed decay >/dev/null 2>&1"
    assert lines[2] == f"30 4 * * 0 {home}/bin/honed export {home}/vault >/dev/null 2>&1"
    assert honed("schedule", "install", "--with", "cron", "--json").json["changed"] == []
    assert honed("schedule", "remove", "--with", "cron", "--json").json["installed"] is False
    assert table.read_text(encoding="utf-8") == FOREIGN
    assert honed("schedule", "remove", "--with", "cron", "--json").json["changed"] == []


def test_what_is_scheduled_runs(honed: Honed, home: Path, table: Path) -> None:
    honed("schedule", "install", "--with", "cron")
    honed("write", "till", "--kind", "lesson", "--title", "Count the till twice", "--body", "Always.")
    for line in table.read_text(encoding="utf-8").splitlines()[1:3]:
        command = line.split(" ", 5)[5].removesuffix(">/dev/null 2>&1")
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, encoding="utf-8", timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
    assert list((home / "vault").rglob("till.md"))


def test_a_crontab_that_somebody_changes_meanwhile_is_not_written(tmp_path: Path) -> None:
    class Changing(Asked):
        def __call__(self, words: Sequence[str], given: str | None) -> subprocess.CompletedProcess[str]:
            super().__call__(words, given)
            return subprocess.CompletedProcess(list(words), 0, f"{len(self.told)} * * * * x\n", "")

    asked = Changing()
    with pytest.raises(ScheduleError, match="changed meanwhile"):
        of("cron", tmp_path, asked).install()
    assert ("crontab", "-") not in asked.told


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\r")), st.sampled_from(["/h", "/a b/%", "/ü'"])
)
def test_any_crontab_is_the_same_after_installing_and_removing(text: str, home: str) -> None:
    there = scheduling.with_block(text, home)
    assert scheduling.with_block(there, home) == there
    assert scheduling.without_block(there, home) in (text, text + "\n")
    assert scheduling.without_block(there, "/other") == there


def test_a_home_with_odd_letters_is_one_word_for_cron_and_systemd(tmp_path: Path) -> None:
    home = str(tmp_path / "a b'c %d $e")
    line = scheduling.cron_block(home).splitlines()[1]
    words = shlex.split(line.split(" ", 5)[5].replace("\\%", "%"))
    assert words[:2] == [f"{home}/bin/honed", "decay"]
    told = scheduling.systemd_told(home, tmp_path)
    service = next(
        text for path, text in told.files.items() if "maintenance" in path.name and path.suffix == ".service"
    )
    start = service.split("ExecStart=")[1].splitlines()[0]
    escaped = home.replace("%", "%%").replace("$", "$$")
    assert start == f'"/bin/sh" "-c" "exec \\"$$0\\" \\"$$@\\"" "{escaped}/bin/honed" "decay"'


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not on this machine")
@pytest.mark.parametrize("name", ["home", "a b'c %d $e", 'q"\\x'])
def test_systemd_itself_finds_nothing_wrong_with_what_it_is_told(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "honed").write_text("#!/bin/sh\n", encoding="utf-8")
    (home / "bin" / "honed").chmod(0o755)
    told = scheduling.systemd_told(str(home), tmp_path / "config")
    for path, text in told.files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", *map(str, told.files)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)},
    )
    assert [line for line in done.stderr.splitlines() if "honed" in line] == []


def test_systemd_is_told_in_files_and_forgets_them_again(tmp_path: Path) -> None:
    home, asked = tmp_path / "home", Asked()
    system = of("systemd", home, asked)
    system.install()
    folder = tmp_path / ".config" / "systemd" / "user"
    timers = {path.name: path for path in folder.glob("*.timer")}
    assert len(timers) == 2
    for name, when in (("honed-maintenance", "*-*-* 04:15:00"), ("honed-export", "Sun *-*-* 04:30:00")):
        path = next(path for key, path in timers.items() if key.startswith(name))
        unit = configparser.ConfigParser(interpolation=None)
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read_string(path.read_text(encoding="utf-8"))
        assert dict(unit["Timer"]) == {"OnCalendar": when, "Persistent": "true", "RandomizedDelaySec": "10m"}
        assert dict(unit["Install"]) == {"WantedBy": "timers.target"}
        assert path.with_suffix(".service").is_file()
    assert asked.told == [
        ("systemctl", "--user", "daemon-reload"),
        ("systemctl", "--user", "enable", "--now", *timers_in_order(timers)),
    ]
    assert system.is_installed()
    system.remove()
    assert list(folder.iterdir()) == []
    assert not system.is_installed()
    assert asked.told[2][:4] == ("systemctl", "--user", "disable", "--now")


def timers_in_order(timers: dict[str, Path]) -> list[str]:
    return sorted(timers, reverse=True)


def test_launchd_is_told_in_property_lists(tmp_path: Path) -> None:
    home, asked = tmp_path / "home", Asked("bootout")
    system = of("launchd", home, asked)
    system.install()
    lists = [plistlib.loads(path.read_bytes()) for path in (tmp_path / "Library" / "LaunchAgents").iterdir()]
    whens = {one["ProgramArguments"][1]: one["StartCalendarInterval"] for one in lists}
    assert whens == {"decay": {"Hour": 4, "Minute": 15}, "export": {"Hour": 4, "Minute": 30, "Weekday": 0}}
    assert all(one["Label"].startswith("dev.honed-") for one in lists)
    assert [words[1] for words in asked.told] == ["bootout", "bootstrap"] * 2
    system.remove()
    assert list((tmp_path / "Library" / "LaunchAgents").iterdir()) == []


def test_the_task_scheduler_is_told_by_commands(tmp_path: Path) -> None:
    asked = Asked()
    changed = of("schtasks", tmp_path / "home", asked).install()
    assert len(changed) == 2
    first, second = asked.told
    assert first[:3] == ("schtasks", "/Create", "/F")
    assert first[5:9] == ("/SC", "DAILY", "/ST", "04:15")
    assert second[5:11] == ("/SC", "WEEKLY", "/D", "SUN", "/ST", "04:30")
    assert first[9] == "/TR"
    assert first[10].endswith("decay")


def test_a_scheduler_that_refuses_is_an_error_that_says_what_it_said(tmp_path: Path) -> None:
    with pytest.raises(ScheduleError, match="it will not"):
        of("systemd", tmp_path / "home", Asked("enable")).install()


@pytest.mark.parametrize("named", [(), ("--with", "cron"), ("--with", "schtasks")])
def test_where_nothing_schedules_it_says_so_and_what_to_do_instead(
    honed: Honed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    told = honed("schedule", "install", *named)
    assert told.code == 1
    assert "honed decay" in told.err
    assert "Errno" not in told.err
    for action in ("status", "remove"):
        told = honed("schedule", action, *named)
        assert told.code == 0, "that nothing is there is an answer"
        assert told.out.startswith("Nothing of this home is scheduled: ")
        assert "let it run `honed decay` once a day" in told.out
        assert "Errno" not in told.out + told.err
        value = honed("schedule", action, *named, "--json").json
        assert (value["system"], value["installed"]) == (named[-1] if named else None, False)
        assert [job["name"] for job in value["jobs"]] == ["maintenance", "export"]


def test_an_unknown_scheduler_is_a_wrong_call() -> None:
    with pytest.raises(UsageError, match="systemd, cron, launchd, schtasks"):
        scheduling.scheduler("/h", "at", {})


def test_what_systemd_was_told_goes_although_systemctl_is_gone(tmp_path: Path) -> None:
    def gone(words: Sequence[str], given: str | None) -> subprocess.CompletedProcess[str]:
        raise FileNotFoundError(f"{words[0]} is gone {given or ''}")

    of("systemd", tmp_path / "home", Asked()).install()
    system = Scheduler("systemd", str(tmp_path / "home"), gone, {"HOME": str(tmp_path)})
    assert system.is_installed()
    assert system.remove()
    assert not system.is_installed()


def test_the_machine_s_own_scheduler_is_found(tmp_path: Path) -> None:
    (tmp_path / "systemctl").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "systemctl").chmod(0o755)
    (tmp_path / "crontab").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "crontab").chmod(0o755)
    path = {"PATH": str(tmp_path)}
    assert scheduling.system_here(Asked(), path, "linux") == "systemd"
    assert scheduling.system_here(Asked("show-environment"), path, "linux") == "cron"
    assert scheduling.system_here(Asked(), {"PATH": "/nowhere"}, "linux") == ""
    assert scheduling.system_here(Asked(), {}, "darwin") == "launchd"
    assert scheduling.system_here(Asked(), {}, "win32") == "schtasks"


def test_uninstalling_takes_the_jobs_out_too(honed: Honed, table: Path) -> None:
    table.write_text(FOREIGN, encoding="utf-8")
    honed("schedule", "install", "--with", "cron")
    assert table.read_text(encoding="utf-8") != FOREIGN
    assert honed("uninstall").code == 0
    assert table.read_text(encoding="utf-8") == FOREIGN


def test_a_system_that_does_not_answer_stops_no_uninstalling(tmp_path: Path) -> None:
    def gone(words: Sequence[str], given: str | None) -> subprocess.CompletedProcess[str]:
        raise OSError(f"{words[0]} is gone {given or ''}")

    assert scheduling.forget(str(tmp_path), {"PATH": "/bin", "HOME": str(tmp_path)}, gone, "win32") == ()
