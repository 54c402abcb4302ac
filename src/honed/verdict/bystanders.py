"""Programs that run no tests: what they print about tests was said by somebody else."""

from __future__ import annotations

READERS = frozenset(
    "cat bat tac nl tail head less more sed awk gawk grep egrep fgrep zgrep rg ag ack fd find ls tree wc sort uniq cut"
    " tr jq yq xxd od strings diff cmp column comm fold cat-file zcat bzcat xzcat type stat file curl wget http gh glab"
    " hub tig journalctl dmesg man info tldr history fc ps top df du env printenv which where whereis pbpaste xsel open"
    " xdg-open claude codex gemini opencode aider llm ollama copilot cursor-agent pi amp qwen get-content gc select-string"
    " sls get-childitem gci dir findstr select-object format-table format-list out-string measure-object entire bd br"
    " sqlite3 psql mysql redis-cli mongosh aws gcloud az kubectl oc stern terraform ansible vim nvim nano emacs code"
    " csvlook glow mdcat pandoc".split()
)
"""Programs that show text which somebody else wrote: a summary in it is not a run."""

PRINTERS = frozenset("echo printf print write-output write-host write echo.".split())
"""Programs that print their arguments."""

QUIET = frozenset(
    "cd pushd popd export set unset source . eval true false : sleep wait mkdir rm rmdir cp mv ln touch chmod chown test"
    " [ [[ read shift trap exit return local declare alias ulimit umask kill pkill pwd date whoami hostname uname id"
    " nvm fnm sync tee xargs cls clear new-item remove-item copy-item move-item set-location set-content add-content"
    " get-location start-sleep get-process stop-process test-path join-path resolve-path".split()
)
"""Programs that run no tests and say little."""

INSTALLERS = frozenset(
    "install add remove uninstall update upgrade show info search list download use i rm un link view why outdated"
    " which where man help edit open cd ls cat new create init".split()
)
"""Subcommands behind which the name of a runner is only a name."""


def may_be_proxy(words: tuple[str, ...]) -> bool:
    """Whether unknown words in front of a runner may only pass it on (``rtk go test``)."""
    return not any(
        word in READERS or word in PRINTERS or word in QUIET or word in INSTALLERS or word.startswith("pip")
        for word in words
    )
