"""Task runners: what they run is up to the project, so the target's name and the printed summary decide.

Sources: each tool's help and documentation.
"""

from __future__ import annotations

from honed.verdict.runners_model import Runner, runner

_CHOOSING = (
    "-t -k -g --grep --testNamePattern --testPathPattern --testPathPatterns --test-name-pattern --filter"
    " -run --run --tests --spec --project"
)
_NOISE = (
    "--silent -s --color --no-color --verbose -v -q --quiet --reporter=* --coverage* --watch=false "
    "--watchAll=false"
    " --ci --no-watch --bail --if-present --no-cache --runInBand -i --workers=* --maxWorkers=* --run --force"
    " --output-logs=* --ui=* --no-daemon --keep-going -k"
)


def _task(name: str, calls: str, target: str, **more: str) -> Runner:
    lists = more.pop("lists", "")
    narrows = more.pop("narrows", _CHOOSING)
    noise = more.pop("noise", _NOISE)
    return runner(
        name,
        calls,
        kind="task",
        target=target,  # type: ignore[arg-type]
        lists=lists,
        narrows=narrows,
        noise=noise,
        **more,  # type: ignore[arg-type]
    )


ROWS = (
    _task("npm", "npm test/t/tst/it/install-test", ""),
    _task("npm", "npm run/run-script/rum/urn | npm-run-all | run-s | run-p | wireit", "first"),
    _task("pnpm", "pnpm test/t", ""),
    _task("pnpm", "pnpm run/run-script | pnpm recursive run | pnpm multi run | pnpm node --run", "first"),
    _task("pnpm", "pnpm", "first"),
    _task(
        "yarn",
        "yarn run | yarn workspaces run | yarn workspaces foreach run | yarn workspaces foreach",
        "first",
    ),
    _task("yarn", "yarn", "first"),
    _task("bun", "bun run", "first"),
    _task("node", "node --run", "first"),
    _task("deno", "deno task", "first"),
    _task(
        "turbo",
        "turbo run | turbo",
        "all",
        narrows=_CHOOSING + " -F",
        lists="--dry --dry-run --dry=json --graph",
    ),
    _task(
        "nx",
        "nx run-many/affected",
        "",
        narrows="-p --projects --exclude --base --head",
        values="-t --target --targets",
    ),
    _task("nx", "nx run | nx", "first", lists="graph list report show"),
    _task("lerna", "lerna run | rush | rushx | moon run | ultra | lage | wsrun | preconstruct", "first"),
    _task(
        "make",
        "make | gmake | mingw32-make | nmake | bmake | remake",
        "all",
        lists="-n --dry-run --just-print --recon -q --question -p --print-data-base -t --touch",
        values="-f --file -C --directory -I -o -W",
        noise="-s --silent --quiet -k --keep-going -j* -B --no-print-directory -w",
        noise_values="-j --jobs",
        narrows="",
    ),
    _task(
        "just",
        "just",
        "first",
        lists="-l --list --summary -n --dry-run --show -s --evaluate",
        values="-f --justfile -d --set",
    ),
    _task("mise", "mise run/r | mise tasks/task run | mise | rtx run", "first", lists="ls tasks"),
    _task("task", "task | go-task", "first", lists="-l --list -a --list-all -n --dry --summary --status"),
    _task("rake", "rake | bin/rake | rails", "first", lists="-T -D -P -n --dry-run --tasks", narrows=""),
    _task("composer", "composer run/run-script | composer", "first", lists="-l --list"),
    _task(
        "poe",
        "poe | invoke | inv | fab | doit | taskipy | pypyr | duty | pyinvoke | hatch run | pdm run | uv "
        "run poe",
        "first",
        lists="-l --list",
    ),
    _task("ninja", "ninja | samu | scons | waf | xmake | premake", "all", lists="-n -t", narrows=""),
    _task("cargo", "cargo xtask | cargo make | cargo run-script | cargo hakari", "first"),
    _task(
        "earthly",
        "earthly | dagger call | dagger run | tilt ci | garden test | skaffold test | mage | magefile | "
        "bake | gulp | grunt | jake | cake | nuke | fake | psake | invoke-build | phing | robo",
        "first",
        lists="-l --list",
    ),
    _task("nix", "nix flake check | nix-build *~test", ""),
)
