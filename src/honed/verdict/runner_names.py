"""What the name of a target or a file says: does it test?"""

from __future__ import annotations

import re

TEST_WORDS = frozenset(
    "test tests testing spec specs check checks ci verify e2e unit integration unittest unittests smoke"
    " acceptance regression gate pytest jest vitest mocha playwright cypress runtests testall".split()
)
"""Words in the name of a target that say that it runs tests."""

GATE_WORDS = frozenset("check checks ci verify gate smoke regression acceptance".split())
"""Words that promise a gate, which may hold tests or only linters: their status alone proves nothing."""

OTHER_WORDS = frozenset(
    "lint linting format fmt formatting prettier eslint style stylelint types type typecheck typing"
    " typings tsc mypy build compile bundle install setup prepare seed fixtures fixture data"
    " generate gen clean update upgrade deploy publish release start serve dev docs doc list help"
    " report migrate migration deps dependencies links spelling spell license licenses audit size"
    " env teardown cleanup create init down up logs stop watch image clippy vet syntax knip circular"
    " unused outdated versions version secrets codegen schema config".split()
)
"""Words that say that the target does something else, unless it does both (``lint-and-test``)."""

PROPS = frozenset(
    "lint types type typecheck format fmt setup data fixtures fixture env teardown cleanup report list help"
    " update generate config helper helpers util utils db image watch".split()
)
"""What a name that begins with "test" may also be the test's of: ``test-data``, ``test:types``."""

SCRIPT_WORDS = frozenset("test tests spec specs e2e unittest unittests runtests testsuite testall".split())
_SCRIPT_WHOLE = frozenset(
    "run all full ci check verify test tests local quick fast every everything the".split()
)
_SCRIPT_DIRECTORIES = frozenset("test tests t spec specs e2e".split())
_SCRIPT_MAINS = frozenset("run run_all run-all all runner main index runtests".split())
INTERPRETERS = frozenset(
    "python python3 python2 pypy pypy3 perl ruby node nodejs tsx ts-node bun deno php bash sh zsh dash "
    "ksh fish pwsh"
    " powershell rscript julia lua luajit elixir escript groovy racket guile sbcl swipl octave tclsh dart "
    "swift".split()
)
SHELLS = frozenset("bash sh zsh dash ksh fish pwsh powershell".split())
SOURCES = tuple(
    ".sh .bash .zsh .py .rb .pl .t .js .mjs .cjs .ts .mts .ps1 .bat .cmd .php .lua .jl .r .exs .groovy .dart"
    " .swift .out .exe".split()
)
"""Endings of files that can be run."""

WORDS = re.compile(r"e2e|[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def names_tests(name: str) -> bool:
    """Whether a target's name (``test:e2e``, ``run-ci``, ``:app:testDebugUnitTest``) says it runs tests."""
    words = [word.lower() for word in WORDS.findall(name)]
    return bool(TEST_WORDS.intersection(words)) and _is_about_tests(words)


def _is_about_tests(words: list[str]) -> bool:
    """``test-install`` tests the installation, ``install-tests`` and ``test-data`` do not test."""
    other = PROPS if words[0] in ("test", "tests") else OTHER_WORDS
    return not other.intersection(words) or "and" in words


def promises_tests(name: str) -> bool:
    """Whether a target's name leaves no doubt that tests run in it (``test:e2e``, not ``check``)."""
    words = {word.lower() for word in WORDS.findall(name)}
    return bool(words & (TEST_WORDS - GATE_WORDS)) and names_tests(name)


def is_test_file(path: str) -> bool:
    """Whether a file that is run tests by its name: ``run_tests.sh``, ``t/a.t``, ``tests/run.py``."""
    *folders, base = path.split("/")
    stem, dot, ending = base.rpartition(".")
    stem = stem if dot and stem else base
    if dot and ending == "t":
        return True
    if dot and ending.lower() in (
        "json",
        "yml",
        "yaml",
        "txt",
        "md",
        "toml",
        "log",
        "xml",
        "html",
        "csv",
        "sql",
        "env",
    ):
        return False
    listed = [word.lower() for word in WORDS.findall(stem)]
    words = set(listed)
    if words & SCRIPT_WORDS and _is_about_tests(listed):
        return True
    if words & {"ci", "check", "verify"} and words <= _SCRIPT_WHOLE:
        return True
    return bool(folders) and folders[-1] in _SCRIPT_DIRECTORIES and stem.lower() in _SCRIPT_MAINS
