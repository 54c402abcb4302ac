"""The shim: what client configurations name, so that what they name never changes.

``<home>/bin/honed-hook`` is a POSIX shell script (and ``honed-hook.cmd`` for Windows).  It always ends with
status 0, because status 2 from a hook blocks prompts and tools (docs/clients.md), and it finds an interpreter
by itself: those recorded at ``honed init`` first, then what is on ``PATH``, then a ``honed`` command.  Where
there is none it is silent.  What it starts is ``<home>/bin/hook.py``, which knows where the package is.

Events after which a transcript is read are handed on in the background, so that a client's exit waits for
nothing, however slowly an interpreter starts.
"""

from __future__ import annotations

import ntpath
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from honed._version import __version__

FOLDER = "bin"
SHIM, WINDOWS_SHIM, LAUNCHER = "honed-hook", "honed-hook.cmd", "hook.py"
PROGRAM, PROGRAM_LAUNCHER = "honed", "honed.py"
"""The whole command line by the same way: what MCP registrations name."""
FILES = (SHIM, WINDOWS_SHIM, LAUNCHER, PROGRAM, PROGRAM_LAUNCHER)
"""All that stands in the folder."""
UNFIT = 97
"""Status of the launcher where the interpreter is too old or the package is gone: try another one."""
FALLBACKS = ("python3", "python3.14", "python3.13", "python3.12", "python3.11", "/usr/bin/python3")

_SHIM = """\
#!/bin/sh
# Written by `honed init` ({version}); `honed uninstall` takes it away. Called by coding agents as
#   honed-hook EVENT --agent NAME (for notify with the client's JSON behind it)
# It ends with status 0 whatever happens: any other could block the agent.
launcher={launcher}
home={home}
run() {{
  for python in {interpreters}; do
    command -v "$python" >/dev/null 2>&1 || continue
    "$python" -I -S "$launcher" "$@" 2>/dev/null
    status=$?
    case $status in
      0) return 0 ;;
      126|127|{unfit}) ;;
      *) return 0 ;;
    esac
  done
  command -v honed >/dev/null 2>&1 && honed hook "$@" --home "$home" 2>/dev/null
  return 0
}}
case "$1" in
  stop|subagent-stop|session-end)
    payload=$(head -c {limit} 2>/dev/null)
    trap '' HUP TERM INT
    (printf '%s' "$payload" | run "$@") </dev/null >/dev/null 2>&1 &
    ;;
  notify)
    trap '' HUP TERM INT
    (run "$@") </dev/null >/dev/null 2>&1 &
    ;;
  *)
    run "$@"
    ;;
esac
exit 0
"""

_PROGRAM = """\
#!/bin/sh
# Written by `honed init` ({version}): honed's command line for this home, however its environment moves.
launcher={launcher}
for python in {interpreters}; do
  command -v "$python" >/dev/null 2>&1 && exec "$python" -I -S "$launcher" "$@"
done
echo "honed: no Python 3.11 or newer was found; install honed again and run honed init" >&2
exit 1
"""

_PROGRAM_LAUNCHER = """\
# Written by `honed init` ({version}): where the package and its memory are.
import os
import sys

sys.path += {paths}
os.environ["HONED_HOME"] = {home}
try:
    from honed.__main__ import main
except ImportError as error:
    sys.exit(f"honed: {{error}}; install honed again and run honed init")
sys.exit(main())
"""

_WINDOWS_SHIM = """\
@echo off
rem Written by `honed init` ({version}). Ends with status 0 whatever happens.
setlocal
for %%P in ({interpreters}) do (
  if exist %%P (
    %%P -I -S "{launcher}" %* 2>nul
    if not errorlevel {unfit} exit /b 0
  )
)
py -3 -I -S "{launcher}" %* 2>nul
exit /b 0
"""

_LAUNCHER = """\
# Written by `honed init` ({version}): where the package is.
import gc
import os
import sys

gc.disable()
if sys.version_info < (3, 11):
    sys.exit({unfit})
sys.path += {paths}
try:
    from honed import quick_imports

    quick_imports.use()
    from honed.hooks.entry import main
except ImportError:
    sys.exit({unfit})
os._exit(main(sys.argv[1:], {home}))  # everything is written: nothing need be torn down
"""


def shim_path(home: str) -> str:
    """Where the shim of a home is."""
    return _in_bin(home, SHIM, windows=os.name == "nt")


def _in_bin(home: str, name: str, *, windows: bool) -> str:
    if windows:
        return ntpath.join(ntpath.abspath(home) if os.name == "nt" else home, FOLDER, name)
    return os.path.join(os.path.abspath(home), FOLDER, name)


def interpreters() -> list[str]:
    """This interpreter, and the one it is a link to: that stays when an environment is deleted."""
    found = [sys.executable, os.path.realpath(sys.executable), getattr(sys, "_base_executable", "")]
    return [path for path in dict.fromkeys(found) if path]


def import_paths() -> list[str]:
    """The folders that hold honed and what it needs."""
    from importlib.util import find_spec

    found = [str(Path(__file__).resolve().parent.parent.parent)]
    for name in ("snowballstemmer", "yaml"):
        spec = find_spec(name)
        if spec is not None and spec.origin:
            found.append(str(Path(spec.origin).resolve().parent.parent))
    return list(dict.fromkeys(found))


def texts(
    home: str, pythons: Sequence[str], paths: Sequence[str], *, windows: bool = os.name == "nt"
) -> Iterator[tuple[str, str]]:
    """Name and text of every file in ``<home>/bin``.

    Scripts for ``sh`` are written on Windows too: there Claude Code runs hooks by Git's bash.
    """
    launcher, program_launcher = (
        _in_bin(home, name, windows=windows) for name in (LAUNCHER, PROGRAM_LAUNCHER)
    )
    place = ntpath.dirname(ntpath.dirname(launcher)) if windows else os.path.abspath(home)
    made = {"version": __version__, "unfit": UNFIT}
    yield PROGRAM_LAUNCHER, _PROGRAM_LAUNCHER.format(**made, paths=ascii(list(paths)), home=ascii(place))
    yield (
        PROGRAM,
        _PROGRAM.format(
            **made,
            launcher=_word(program_launcher, windows),
            interpreters=" ".join(_word(path, windows) for path in pythons),
        ),
    )
    yield LAUNCHER, _LAUNCHER.format(**made, paths=ascii(list(paths)), home=ascii(place))
    yield (
        SHIM,
        _SHIM.format(
            **made,
            launcher=_word(launcher, windows),
            home=_word(place, windows),
            interpreters=" ".join(_word(path, windows) for path in dict.fromkeys((*pythons, *FALLBACKS))),
            limit=1024 * 1024 + 1,
        ),
    )
    if windows:
        yield WINDOWS_SHIM, windows_shim(launcher, pythons)


def _word(path: str, windows: bool) -> str:
    """A path as one word of ``sh``; Git's bash takes Windows paths with slashes."""
    return shlex.quote(path.replace("\\", "/") if windows else path)


def windows_shim(launcher: str, pythons: Sequence[str]) -> str:
    """The text of ``honed-hook.cmd``; a percent sign in a path is doubled, as batch files want it."""
    quoted = " ".join('"' + path.replace("%", "%%") + '"' for path in pythons)
    text = _WINDOWS_SHIM.format(
        version=__version__, launcher=launcher.replace("%", "%%"), interpreters=quoted, unfit=UNFIT
    )
    return text.replace("\n", "\r\n")


def write_shim(home: str) -> bool:
    """Write the shim and its launcher; ``True`` if anything changed.  Raises ``OSError``."""
    folder = Path(home, FOLDER)
    Path(home).mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    changed = False
    for name, text in texts(home, interpreters(), import_paths()):
        path = folder / name
        data = text.encode("utf-8", "surrogateescape")
        if path.is_file() and path.read_bytes() == data:
            continue
        changed = True
        new = path.with_name(f"{name}.{os.getpid()}.new")
        new.write_bytes(data)
        new.chmod(0o600 if name.endswith(".py") else 0o700)
        new.replace(path)
    return changed


def remove_shim(home: str) -> bool:
    """Take the shim away; ``True`` if there was one."""
    folder = Path(home, FOLDER)
    found = False
    for name in FILES:
        path = folder / name
        found = found or path.exists()
        path.unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
    return found


def installed_at(home: str) -> float:
    """When honed was installed into clients, in epoch seconds; now where it never was."""
    import time

    try:
        return Path(home, FOLDER).stat().st_ctime
    except OSError:
        return time.time()


def command(home: str, event: str, agent: str, *, windows: bool = os.name == "nt") -> str:
    """The command line that a client's configuration holds for an event.

    It passes any path whole through ``/bin/sh``, and cannot fail even where the shim is gone.  On Windows
    Claude Code runs it by Git's bash, so it is the same there (``cmd /c`` would not do: that bash takes
    ``/c`` for a path); Codex by ``cmd``, and its line is one that PowerShell reads alike.
    """
    arguments = f"{event} --agent {agent.replace('_', '-')}"
    if not windows or agent == "claude_code":
        return f"{_word(_in_bin(home, SHIM, windows=windows), windows)} {arguments} 2>/dev/null || true"
    shim = _in_bin(home, WINDOWS_SHIM, windows=True)
    # Behind `call` the line does not begin with a quote, so cmd takes none of the quotes away.
    return f"{shim} {arguments}" if _PLAIN.fullmatch(shim) else f'cmd /d /c call "{shim}" {arguments}'


def notifier(home: str, agent: str, *, windows: bool = os.name == "nt") -> list[str]:
    """The program that a client starts after each turn, with one argument of JSON behind these words.

    It is started without a shell, and on Windows no batch file takes that argument whole: there it is the
    interpreter.
    """
    told = ["notify", "--agent", agent.replace("_", "-")]
    if windows:
        return [sys.executable, "-I", "-S", _in_bin(home, LAUNCHER, windows=True), *told]
    return [_in_bin(home, SHIM, windows=False), *told]


def is_own_notifier(words: object) -> bool:
    """Whether such a program is honed's, of whatever home."""
    if not isinstance(words, list):
        return False
    names = [re.split(r"[/\\]", str(word))[-1] for word in words]
    return any(one in (SHIM, LAUNCHER) and after == "notify" for one, after in pairwise(names))


_PLAIN = re.compile(r"[A-Za-z]:[\w\\.-]+", re.ASCII)
_READ_BY_SHELLS = re.compile(r'[%^!$`"\n]')


def home_trouble(home: str, *, windows: bool = os.name == "nt") -> str:
    """Why no command line can name ``home``; empty if one can.

    ``sh`` can be told any path.  ``cmd`` and PowerShell read some letters inside quotes too.
    """
    found = _READ_BY_SHELLS.search(home) if windows else None
    if found is None:
        return ""
    return f"{home!r} holds {found.group()!r}, which Windows shells read as their own; name another --home"


def program(home: str, *, windows: bool = os.name == "nt") -> tuple[str, tuple[str, ...]]:
    """The program that an MCP registration names, and its arguments.

    Clients start it without a shell, and only a shell starts scripts on Windows: there it is the interpreter.
    """
    if windows:
        return sys.executable, ("-I", "-S", _in_bin(home, PROGRAM_LAUNCHER, windows=True), "mcp")
    return _in_bin(home, PROGRAM, windows=False), ("mcp",)


def spellings(home: str, *, windows: bool = os.name == "nt") -> tuple[tuple[str, ...], ...]:
    """The ways in which an agent may start the command line of a home, each as its words."""
    path = _in_bin(home, PROGRAM, windows=windows)
    return ((PROGRAM,), (path.replace("\\", "/") if windows else path,), *_BY_PYTHON)


_BY_PYTHON = (("python", "-m", PROGRAM), ("python3", "-m", PROGRAM))
_OWN = re.compile(rf"[/\\]{SHIM}(?:\.cmd)?['\"]*\s|(?:^| -m )honed hook ")


def is_own(text: str) -> bool:
    """Whether a hook command is one of honed's, of whatever home."""
    return _OWN.search(text) is not None


def is_own_program(command: str, arguments: Sequence[str]) -> bool:
    """Whether an MCP registration starts honed, of whatever home."""
    words = [re.split(r"[/\\]", word)[-1] for word in (command, *arguments)]
    return any(one in _PROGRAMS and after == "mcp" for one, after in pairwise(words))


_PROGRAMS = (PROGRAM, f"{PROGRAM}.exe", PROGRAM_LAUNCHER)
"""By which names honed is started; ``python -m honed`` and ``uvx honed`` are among them."""
