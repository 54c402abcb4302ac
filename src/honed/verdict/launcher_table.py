"""The programs that start other programs, one row each.

``words`` are the program and its subcommand.  Options are skipped in front of, between and behind
them; those in ``values`` take the next word with them.  Sources: each program's ``--help`` or manual.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StatusRule = Literal["own", "translated", "idle", "hidden"]
"""Whose status a launcher gives back: the command's ("own"), 0 for 0 but another code for a failure
("translated": ``xargs``), 0 also without having run it ("idle": ``xargs -r``), or something else's
("hidden": ``docker run -d``, ``watch``)."""

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Launcher:
    """One row.

    ``operands`` words stand between the options and the command (``timeout 60``, ``docker run image``);
    ``optional_operand``: one more if it looks like a version.  ``env``: ``NAME=VALUE`` words stand
    there.  ``after``: the command stands behind one of these (``--``, ``-c``), with ``after_only`` not
    elsewhere.  ``scripts``: options whose value is a text for a shell (with ``anywhere`` also behind
    operands: ``su me -c TEXT``); ``joined``: all remaining words are such a text, for ``dialect``.
    ``modules``, ``cwd``, ``program``: options whose value is a Python module, the directory, the
    program.  ``stops``: options with which nothing is started.  ``status`` and what changes it:
    ``idle``, ``hidden``.  ``only``: the words that may follow, if not all.  ``versioned``:
    ``name@1.2`` is ``name``.  ``python``: a following ``x.py`` is run by Python.  ``tasks``: the next
    word may be the name of a task.
    """

    words: tuple[str, ...]
    values: frozenset[str] = _NONE
    operands: int = 0
    optional_operand: bool = False
    env: bool = False
    after: frozenset[str] = _NONE
    after_only: bool = False
    scripts: frozenset[str] = _NONE
    anywhere: bool = False
    joined: bool = False
    dialect: Literal["bash", "powershell", "cmd"] = "bash"
    modules: frozenset[str] = _NONE
    cwd: frozenset[str] = _NONE
    program: frozenset[str] = _NONE
    stops: frozenset[str] = _NONE
    status: StatusRule = "own"
    idle: frozenset[str] = _NONE
    hidden: frozenset[str] = _NONE
    only: frozenset[str] = _NONE
    container: bool = False
    versioned: bool = False
    python: bool = False
    tasks: bool = False


_SETS = ("values", "after", "scripts", "modules", "cwd", "program", "stops", "idle", "hidden", "only")


def _row(names: str, **more: object) -> list[Launcher]:
    """Rows for ``"a|b run|exec"``: every program with every subcommand.  Option lists are one string each."""
    sets = {key: frozenset(str(more.pop(key)).split()) for key in _SETS if key in more}
    # An option with any meaning takes its value along.
    for key in ("scripts", "modules", "cwd", "program"):
        sets["values"] = sets.get("values", _NONE) | sets.get(key, _NONE)
    spellings: list[tuple[str, ...]] = [()]
    for alternatives in names.split():
        spellings = [(*before, word) for before in spellings for word in alternatives.split("|")]
    return [Launcher(spelling, **sets, **more) for spelling in spellings]  # type: ignore[arg-type]


_DOCKER_RUN = (
    "-v --volume -e --env --env-file -w --workdir -u --user -p --publish --name --network"
    " --net --entrypoint --mount"
    " --platform -m --memory --memory-swap --cpus --gpus -l --label --add-host --shm-size"
    " --cap-add --cap-drop"
    " --security-opt --ulimit --tmpfs -h --hostname --ip --dns --device --restart --pull --pid"
    " --ipc --userns --link"
    " --log-driver --log-opt --volumes-from --runtime --stop-timeout --index --detach-keys"
    " --cidfile -a --attach"
)
_DOCKER_GLOBAL = " -H --host --context -c --config --log-level"
_COMPOSE_GLOBAL = " -f --file --profile --project-name --project-directory --ansi --parallel"
_UV = (
    "--with --with-requirements --with-editable -p --python --extra --group --only-group"
    " --no-group --package --project"
    " --env-file --index --default-index --index-url -i --extra-index-url --find-links -f --refresh-package"
    " --reinstall-package --upgrade-package -P --cache-dir --config-file --color --resolution"
    " --prerelease -C --link-mode"
    " --from -w"
)
_NODE_RUN = (
    "--package -p --registry --cache --userconfig -w --workspace --prefix --filter -F --loglevel"
    " --node-options"
)
_PNPM = "--filter -F --workspace-concurrency --reporter --loglevel --filter-prod --test-pattern --shell-mode"

SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "mksh", "ash", "fish"})
POWERSHELLS = frozenset({"powershell", "pwsh"})

ROWS: tuple[Launcher, ...] = tuple(
    row
    for rows in (
        # The system's own.
        _row("env", values="-u --unset -S --split-string --block-signal", cwd="-C --chdir", env=True),
        _row(
            "sudo|doas",
            values="-u --user -g --group -h --host -p --prompt -C -T -r -t -U --other-user",
            cwd="-D --chdir",
            env=True,
            stops="-l --list -v --validate -k -K -V --version -e --edit",
        ),
        _row("nice", values="-n --adjustment"),
        _row("ionice", values="-c --class -n --classdata -p"),
        _row("chrt|taskset|arch|setarch|linux64|linux32", values="-p --pid -T -P -D"),
        _row("time|gtime", values="-f --format -o --output"),
        _row("timeout|gtimeout", values="-k --kill-after -s --signal", operands=1),
        _row("command|builtin", stops="-v -V"),
        _row("exec", values="-a"),
        _row("nohup|setsid|noglob|nocorrect|unbuffer|catchsegv|fakeroot|eatmydata|winpty"),
        _row("stdbuf", values="-i -o -e --input --output --error"),
        _row("caffeinate", values="-t -w"),
        _row(
            "xvfb-run",
            values=(
                "-n --server-num -s --server-args -e --error-file -f --auth-file -w --wait -p"
                " --xauth-protocol"
            ),
        ),
        _row("dbus-run-session", values="--config-file --dbus-daemon"),
        _row("faketime", values="-f -p --date-based-on", operands=1),
        _row(
            "flock",
            values="-w --timeout -E --conflict-exit-code",
            operands=1,
            scripts="-c --command",
            anywhere=True,
        ),
        _row("chroot", values="--userspec --groups", operands=1, container=True),
        _row("gosu|su-exec", operands=1),
        _row("su|runuser", values="-s --shell -g -G -w", scripts="-c --command", anywhere=True),
        _row(
            "systemd-run",
            values="-u --unit -p --property -E --setenv -M --machine",
            cwd="--working-directory",
        ),
        _row("strace|ltrace", values="-e -o -p -s -u -P -E -a -O -S"),
        _row("valgrind"),
        _row("perf stat|record", values="-e -o -p -C -r -F"),
        _row("rr record"),
        _row("prlimit|unshare|firejail|proot|bwrap|numactl"),
        _row(
            "xargs",
            values=(
                "-n --max-args -I -i -P --max-procs -L --max-lines -d --delimiter -s"
                " --max-chars -a --arg-file -E -J -R -S"
                " --process-slot-var"
            ),
            status="translated",
            idle="-r --no-run-if-empty",
        ),
        _row(
            "parallel",
            values="-j --jobs -a --arg-file -S --timeout --joblog -N -n -I --delay --retries",
            status="idle",
        ),
        _row("find", after="-exec -execdir -ok", after_only=True, status="hidden"),
        _row("watch|gwatch", values="-n --interval", joined=True, status="hidden"),
        _row(
            "script",
            values="-T -O -I -B -E -m -o",
            scripts="-c --command -qc -qec -qefc",
            operands=1,
            anywhere=True,
        ),
        _row(
            "ssh",
            values=("-i -p -l -o -F -J -L -R -D -b -c -e -E -I -m -O -Q -S -w -W"),
            operands=1,
            joined=True,
            container=True,
        ),
        _row("eval", joined=True),
        _row(
            "wsl",
            values="-d --distribution -u --user",
            cwd="--cd",
            after="-e --exec --",
            stops="-l --list --status --shutdown",
        ),
        _row("cmd", after="/c /k /C /K", after_only=True, joined=True, dialect="cmd"),
        _row("vagrant ssh", scripts="-c --command", anywhere=True, container=True),
        _row("busybox"),
        # Containers.
        _row(
            "docker|podman|nerdctl|finch exec|run",
            values=_DOCKER_RUN + _DOCKER_GLOBAL,
            operands=1,
            program="--entrypoint",
            container=True,
            hidden="-d --detach",
        ),
        _row(
            "docker|podman|nerdctl container exec|run",
            values=_DOCKER_RUN + _DOCKER_GLOBAL,
            operands=1,
            program="--entrypoint",
            container=True,
            hidden="-d --detach",
        ),
        _row(
            "docker|podman|nerdctl compose exec|run",
            values=_DOCKER_RUN + _DOCKER_GLOBAL + _COMPOSE_GLOBAL,
            operands=1,
            program="--entrypoint",
            container=True,
            hidden="-d --detach",
        ),
        _row(
            "docker-compose|podman-compose exec|run",
            values=_DOCKER_RUN + _COMPOSE_GLOBAL,
            operands=1,
            program="--entrypoint",
            container=True,
            hidden="-d --detach",
        ),
        _row(
            "kubectl|oc exec",
            values="-n --namespace -c --container --context --kubeconfig -f --pod-running-timeout",
            after="--",
            after_only=True,
            container=True,
        ),
        _row("lxc|incus exec", values="--env --cwd --user", after="--", after_only=True, container=True),
        _row("singularity|apptainer exec", values="-B --bind --pwd --env", operands=1, container=True),
        _row("distrobox enter", values="-n --name", after="--", after_only=True, container=True),
        _row("toolbox run", values="-c --container -d --distro -r --release", container=True),
        _row(
            "devcontainer exec",
            values="--workspace-folder --config --container-id --remote-env",
            container=True,
        ),
        _row("ddev exec", values="-s --service -d --dir", container=True),
        _row("heroku run", values="-a --app -s --size", container=True),
        # Python.
        _row("uv run", values=_UV, cwd="--directory", modules="-m --module", python=True),
        _row("uvx", values=_UV + " --with", cwd="--directory", versioned=True),
        _row("uv tool|x run", values=_UV, versioned=True),
        _row("pipx run", values="--spec --python --pip-args --index-url", versioned=True),
        _row("poetry run", values="-P --project", cwd="-C --directory"),
        _row("pipenv run", values="--python", tasks=True),
        _row("pdm run", values="-s --site-packages --venv", cwd="-p --project", tasks=True),
        _row("hatch run", values="-e --env -p --project -i --include -x --exclude", tasks=True),
        _row("hatch env run", values="-e --env -i --include -x --exclude -f --filter", after="--"),
        _row("rye run", values="-p --pyproject", tasks=True),
        _row("pixi run", values="-e --environment --manifest-path --color -p --platform", tasks=True),
        _row("pixi exec", values="-s --spec -c --channel -p --platform"),
        _row("conda|mamba|micromamba run", values="-n --name -p --prefix -r --root-prefix", cwd="--cwd"),
        _row("tox exec", values="-e -c -x", after="--", after_only=True),
        _row(
            "coverage|coverage3 run",
            values="--rcfile --source --omit --include --data-file --concurrency --context",
            modules="-m --module",
            python=True,
        ),
        _row("pyenv|rbenv|nodenv|plenv|goenv|asdf exec"),
        _row("pew in", operands=1),
        # JavaScript.
        _row("npx|pnpx|bunx", values=_NODE_RUN, scripts="-c --call", versioned=True),
        _row("npm exec|x", values=_NODE_RUN, scripts="-c --call", cwd="-C", versioned=True),
        _row("pnpm exec|dlx", values=_PNPM + " --package --allow-build", cwd="-C --dir", versioned=True),
        _row("yarn exec|dlx", values="-p --package", cwd="--cwd", versioned=True),
        _row("yarn workspace exec", values="-p", cwd="--cwd"),
        _row("bun x", values="-p --package", cwd="--cwd", versioned=True),
        _row("corepack", only="pnpm yarn npm npx pnpx yarnpkg"),
        _row("lerna exec", values="--scope --ignore --concurrency --since", after="--", after_only=True),
        _row(
            "nyc",
            values=(
                "-r --reporter -t --temp-dir --report-dir -n --include -x --exclude -e --extension"
                " -i --require"
            ),
            cwd="--cwd",
            stops="report check-coverage merge instrument",
        ),
        _row(
            "c8",
            values="-r --reporter -o --reports-dir -n --include -x --exclude --src -e --extension",
            stops="report check-coverage",
        ),
        _row("cross-env", env=True),
        _row("cross-env-shell", env=True, joined=True),
        _row("env-cmd", values="-f --file -e --environments -r --rc-file"),
        _row("dotenv", values="-e -f --file -c -v -p -q", after="-- run"),
        _row("dotenvx run", values="-f --env-file -e --env -fv", after="--"),
        _row(
            "nodemon",
            values="-w --watch -e --ext -i --ignore -d --delay",
            scripts="-x --exec",
            status="hidden",
        ),
        # Ruby, PHP, Elixir, and version managers.
        _row("bundle|bundler exec", values="--gemfile"),
        _row("foreman|overmind|hivemind run", values="-e --env -f --procfile"),
        _row("composer exec", values="-d --working-dir", after="--"),
        _row("symfony php|console", only=""),
        _row("rvm do", operands=0),
        _row("chruby-exec", operands=1, after="--"),
        _row(
            "mise|rtx exec|x",
            values="-C --cd -j --jobs -E --env",
            after="--",
            after_only=True,
            scripts="-c --command",
        ),
        _row("fnm exec", values="--using --fnm-dir --arch --log-level", after="--"),
        _row("nvm exec", values="", optional_operand=True),
        _row("volta run", values="--node --npm --yarn --pnpm --env"),
        _row("direnv exec", operands=1),
        _row("aqua exec", after="--"),
        _row(
            "nix develop|shell",
            values="--override-input --profile --keep -k --unset -u -I --option --arg --argstr -f --file",
            after="-c --command",
            after_only=True,
        ),
        _row(
            "nix-shell",
            values="-p --packages -A --attr -I --arg --argstr -E --expr --keep",
            scripts="--run --command",
        ),
        _row("devbox run", values="-c --config -e --env --env-file", after="--", tasks=True),
        _row("devenv shell", after="--"),
        _row("flox activate", values="-d --dir -r --remote", after="--", after_only=True),
        _row(
            "op|doppler|infisical|dopplerx run",
            values=(
                "--env-file --env -p --project -c --config -t --token --path --account"
                " --name-transformer --projectId"
            ),
            scripts="--command",
            after="--",
            after_only=True,
        ),
        _row("aws-vault|chamber exec", values="-d --duration --region", operands=1, after="--"),
        _row("teller run", values="-c --config", after="--", after_only=True),
        _row("summon", values="-f -p -e --environment -D"),
    )
    for row in rows
)
