"""Paths as a skill names them: relative to the project's root, with forward slashes."""

from __future__ import annotations

import posixpath
import re

_DRIVE = re.compile(r"^([A-Za-z]):/")
_UNIX_DRIVE = re.compile(r"^/([a-z])/(?=[^/])")
_TEST_PATH = re.compile(
    r"(?i)(?:^|/)(?:tests?|__tests__|specs?|e2e|testdata|integration_tests?|fixtures)/"
    r"|(?:^|/)(?:test_[^/]+|conftest)\.py$|[._-](?:test|tests|spec|e2e|cy)\.[a-z]+$|_(?:test|spec)\.[a-z]+$"
    r"|(?:^|/)[^/]+Tests?\.(?:java|kt|cs|swift|scala|php)$"
)
_DOCUMENTS = re.compile(
    r"(?i)\.(?:md|mdx|rst|adoc|txt|png|jpe?g|gif|svg|pdf)$|(?:^|/)(?:changelog|readme|license)\b"
)


_SETTINGS = re.compile(
    r"(?i)\.(?:json5?|jsonc|ya?ml|toml|ini|cfg|conf|env|xml|properties|lock)$|(?:^|/)\.[^/]*rc$"
)
_LOCKS = re.compile(
    r"(?i)(?:^|/)(?:go\.sum|cargo\.lock|uv\.lock|poetry\.lock|pdm\.lock|pipfile\.lock"
    r"|package-lock\.json|npm-shrinkwrap\.json"
    r"|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|composer\.lock|gemfile\.lock|mix\.lock|pubspec\.lock"
    r"|flake\.lock|deno\.lock)$"
)


def is_lock(path: str) -> bool:
    """Whether a package manager writes ``path`` by itself."""
    return bool(_LOCKS.search(path))


def is_test(path: str) -> bool:
    """Whether ``path`` looks like a test or something that only tests use."""
    return bool(_TEST_PATH.search(path))


def is_settings(path: str) -> bool:
    """Whether ``path`` holds settings or data rather than code."""
    return bool(_SETTINGS.search(path))


def is_document(path: str) -> bool:
    """Whether ``path`` is prose or a picture."""
    return bool(_DOCUMENTS.search(path)) and not path.lower().endswith("requirements.txt")


def slashed(path: str) -> str:
    """``path`` with '/', and ``/d/x`` as ``D:/x`` where it is a drive of Git Bash."""
    path = path.replace("\\", "/")
    return _DRIVE.sub(lambda m: f"{m.group(1).upper()}:/", path)


def is_absolute(path: str) -> bool:
    """Whether ``path`` starts at a root, a drive or a home."""
    return path.startswith(("/", "~")) or bool(_DRIVE.match(path))


def relative(path: str, *, cwd: str | None, root: str | None) -> str | None:
    """``path`` (as a step gave it, perhaps relative to ``cwd``) relative to ``root``.

    ``None`` when it lies outside.  Without a ``root``, ``cwd`` is taken for it.
    """
    base = slashed(root or cwd or "").rstrip("/")
    here = slashed(cwd or root or "").rstrip("/")
    path = slashed(path)
    if not is_absolute(path):
        path = posixpath.join(here, path) if here else path
    path = posixpath.normpath(path)
    for candidate in (path, _UNIX_DRIVE.sub(lambda m: f"{m.group(1).upper()}:/", path)):
        if not base:
            return None if is_absolute(candidate) or candidate.startswith("..") else candidate
        if candidate.casefold().startswith(base.casefold() + "/"):
            return candidate[len(base) + 1 :]
    return None


def shortened(command: str, *, cwd: str | None, root: str | None) -> str:
    """``command`` with the project's own folder taken out of it: ``cd ROOT/api && x`` -> ``cd api && x``."""
    for folder in {slashed(root or ""), slashed(cwd or "")} - {""}:
        folder = folder.rstrip("/")
        for spelled in (folder, _DRIVE.sub(lambda m: f"/{m.group(1).lower()}/", folder)):
            if len(spelled) > 2:
                command = re.sub(rf"cd [\"']?{re.escape(spelled)}/?[\"']? && ", "", command)
                command = re.sub(rf"(?<![\w/]){re.escape(spelled)}/", "", command)
    return re.sub(r"(?:(?<![\w.~])|\b[A-Za-z]:)/(?:home|Users)/[\w.@-]+(?=/)", "~", command)
