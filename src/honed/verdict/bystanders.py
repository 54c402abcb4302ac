"""Programs that run no tests: what they print about tests was said by somebody else."""

from __future__ import annotations

import re
from functools import lru_cache

from honed.verdict.launchers import NAMES

READERS = frozenset(
    "cat bat tac nl tail head less more sed awk gawk grep egrep fgrep zgrep rg ag ack fd find ls tree wc "
    "sort uniq cut"
    " tr jq yq xxd od strings diff cmp column comm fold cat-file zcat bzcat xzcat type stat file curl "
    "wget http gh glab"
    " hub tig journalctl dmesg man info tldr history fc ps top df du env printenv which where whereis "
    "pbpaste xsel open"
    " xdg-open claude codex gemini opencode aider llm ollama copilot cursor-agent pi amp qwen get-content "
    "gc select-string"
    " sls get-childitem gci dir findstr select-object format-table format-list out-string measure-object "
    "entire bd br"
    " sqlite3 psql mysql redis-cli mongosh aws gcloud az kubectl oc stern ansible vim nvim nano "
    "emacs code"
    " csvlook glow mdcat pandoc".split()
)
"""Programs that show text which somebody else wrote: a summary in it is not a run."""

PRINTERS = frozenset("echo printf print write-output write-host write echo.".split())
"""Programs that print their arguments."""

QUIET = frozenset(
    "cd pushd popd export set unset source . eval true false : sleep wait mkdir rm rmdir cp mv ln touch "
    "chmod chown test"
    " [ [[ read shift trap exit return local declare alias ulimit umask kill pkill pwd date whoami "
    "hostname uname id"
    " nvm fnm sync tee xargs cls clear new-item remove-item copy-item move-item set-location set-content "
    "add-content"
    " get-location start-sleep get-process stop-process test-path join-path resolve-path".split()
)
"""Programs that run no tests and say little."""

INSTALLERS = frozenset(
    "install add remove uninstall update upgrade show info search list download use i rm un link view why "
    "outdated"
    " which where man help edit open cd ls cat new create init".split()
)
"""Subcommands behind which the name of a runner is only a name."""

LINTERS = frozenset(
    "ruff mypy pyright black isort flake8 pylint tsc eslint prettier biome oxfmt oxlint ultracite stylelint"
    " gofmt goimports golangci-lint staticcheck shellcheck shfmt yamllint markdownlint rubocop clang-format"
    " clang-tidy rustfmt dprint ktlint swiftlint credo dialyzer hadolint actionlint codespell".split()
)
"""Checkers that run no tests."""

MANAGERS = frozenset(
    "brew apt apt-get dnf yum pacman zypper apk choco winget scoop port nix snap gem pipx helm asdf volta "
    "sdk rustup"
    " pyenv rbenv fnm nvm conda mamba git gh docker podman kubectl systemctl service".split()
)
"""Programs whose words are never a command of their own."""


def may_be_proxy(words: tuple[str, ...]) -> bool:
    """Whether unknown words in front of a runner may only pass it on (``rtk go test``)."""
    first, *others = words
    if (
        first in MANAGERS
        or first in READERS
        or first in PRINTERS
        or first in QUIET
        or first.startswith("pip")
    ):
        return False
    return not any(word in INSTALLERS for word in (first, *others))


_SHOWS = (READERS | PRINTERS | QUIET) - NAMES - {"source", ".", "eval", "true", "false", "make"}
_GIT_SHOWS = frozenset(
    "status diff log show branch remote fetch add rev-parse ls-files ls-tree ls-remote blame config tag"
    " describe merge-base rev-list cat-file grep shortlog reflog stash checkout switch restore reset clone"
    " init".split()
)
HEADS = re.compile(r"(?:^|[;&|\n])[ \t]*([^\s;&|\n]+)(?:[ \t]+([^\s;&|\n]+))?")
_STARTERS = ("$(", "`", "-exec", "-ok", "xargs", "<(", "<<")
PLAIN_QUOTES = re.compile(r"'[^'\n]*'|\"(?:[^\"$`\\\n]|\\[^\"$`\n])*\"")
"""Quoted text in which nothing is run; what is not closed on its line is left alone."""


@lru_cache(maxsize=16)
def without_quotes(command: str) -> str:
    """The line with every plain quoted text blotted out; several ask for it, one after the other."""
    return PLAIN_QUOTES.sub("\0", command)


def only_shows(command: str) -> bool:
    """Cheap and cautious: whether each command of the line visibly does nothing but show something."""
    if any(starter in command for starter in _STARTERS):
        return False
    for head in HEADS.finditer(without_quotes(command)):
        first, second = head.groups("")
        if first in _SHOWS or first[0] in "#12" or first == "find" or (first, second) == ("command", "-v"):
            continue
        if first != "git" or second not in _GIT_SHOWS:
            return False
    return True
