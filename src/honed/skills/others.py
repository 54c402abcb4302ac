"""Whose a file is: the project's own, a dependency's, a plugin's.

By the folders that package managers and people keep the works of others in.  Pure.
"""

from __future__ import annotations

import posixpath
import re

_OTHERS_FOLDERS = (
    "node_modules .venv venv .tox bower_components jspm_packages .pnpm-store .yarn site-packages"
    " dist-packages vendor third_party third-party 3rdparty"
    " Pods Carthage .cargo/registry .cargo/git .rustup/toolchains"
    " pkg/mod .m2/repository .gradle/caches .ivy2 .nuget/packages .gem gems .bundle .pub-cache deps/hex"
)
_PLUGIN_FOLDERS = (
    ".claude/plugins .codex/plugins .cursor/extensions .vscode/extensions"
    " .opencode/plugins .gemini/extensions"
)


def _below(folders: str) -> re.Pattern[str]:
    names = "|".join(re.escape(name).replace("/", r"[/\\]") for name in folders.split())
    return re.compile(rf"(?:^|(?<=[/\\'\"(=:\s]))(?:{names})[/\\]")


_OTHERS = _below(f"{_OTHERS_FOLDERS} {_PLUGIN_FOLDERS}")
_PLUGINS = _below(_PLUGIN_FOLDERS)


def kind_of(path: str, root: str = "") -> str:
    """Whose a file is, where it is not the project's own: a "dependency", or a "pack"'s; else nothing.

    The way to the project's folder ``root`` says nothing: it may lie in one that is called ``vendor``.
    """
    within = path[len(root) :] if root and path.startswith(f"{root.rstrip('/')}/") else path
    if not _OTHERS.search(within):
        return ""
    return "pack" if _PLUGINS.search(within) else "dependency"


def joined(here: str, word: str) -> str:
    return posixpath.normpath(posixpath.join(here, word.replace("\\", "/"))) if word else here


def named(path: str, here: str, root: str) -> tuple[str, str] | None:
    """The kind of the file ``path``, named in the folder ``here``."""
    kind = kind_of(path, root) or kind_of(joined(here, path), root)
    return (kind, path.rstrip("/")) if kind else None
