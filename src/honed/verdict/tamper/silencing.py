"""Tables of silence in test code: how a failing assertion is caught, a report rewritten, a comparison"
" faked."""

from __future__ import annotations

import re

_DROPPED = "a failure of the test is caught and dropped"

SWALLOWED: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "an AssertionError is caught",
        re.compile(
            r"except\s*\(?[^:\n]{0,120}\bAssertionError\b[^:\n]{0,120}:(?!\s*raise)|except\s+AssertionError\b"
        ),
    ),
    (
        _DROPPED,
        re.compile(
            r"except(?:\s+\(?(?:Base)?Exception\)?(?:\s+as\s+\w+)?)?\s*:\s*"
            r"(?:pass|return|continue|\.\.\.|print\([^\n]*\)|log\w*\.\w+\([^\n]*\))[ \t]*(?:\n|$)"
        ),
    ),
    (
        "failures are suppressed",
        re.compile(r"\bsuppress\s*\(\s*(?:AssertionError|Exception|BaseException)\b"),
    ),
    (
        _DROPPED,
        re.compile(
            r"\bcatch\s*(?:\(\s*[^()]*\))?\s*\{\s*(?:(?://[^\n]*|/\*[^*]*\*/|console\.\w+\([^\n]*\);?"
            r"|System\.out[^\n]*|Console\.\w+\([^\n]*\);?|e\.printStackTrace\(\);?|return;?)\s*)*\}"
        ),
    ),
    (
        _DROPPED,
        re.compile(
            r"\brescue\s+(?:=>\s*\w+\s*$|Minitest::Assertion|RSpec::Expectations|Exception"
            r"|StandardError)[^\n]*\n"
            r"\s*(?:nil|#[^\n]*|puts[^\n]*)?\s*end",
            re.M,
        ),
    ),
    (
        "the promise's failure is dropped",
        re.compile(r"\.catch\s*\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|null|undefined|true)\s*\)"),
    ),
    ("an AssertionError is caught", re.compile(r"rescue\s+(?:\w+\s+in\s+)?(?:ExUnit\.)?AssertionError\b")),
    ("a failure of the test is caught", re.compile(r"\brunCatching\s*\{[^}]*\bassert[^}]*\}")),
    ("a panic is recovered", re.compile(r"defer\s+func\s*\(\s*\)\s*\{\s*(?:_\s*=\s*)?recover\(\)\s*\}")),
)
CATCHES = re.compile(r"\b(?:except|catch|rescue|suppress|recover|runCatching)\b")
"""A word that is in everything that swallows a failure."""
ASSERTING = re.compile(r"(?i)\bassert|\bexpect\s*\(|\bEXPECT_|\.should\b|\bt\.(?:Error|Fatal)|\bverify\(")
_STAND_IN = r"(?:lambda\b|\(?\.*\w*\)?\s*=>|function|Mock|MagicMock|jest\.fn|vi\.fn)"
FAKED = (
    re.compile(r"assert(?<!\wassert)\w+\s*=\s*" + _STAND_IN),
    re.compile(r"expect(?<!\wexpect)\s*=\s*" + _STAND_IN),
    re.compile(r"def\s+__eq__\s*\([^)]*\)[^:]*:\s*return\s+True"),
    re.compile(r"def\s+==\s*\(\w+\)\s*\n?\s*true"),
)
"""A comparison that holds whatever is compared.  Each begins with a fixed word, which is fast to look for."""

SUPPORT_RULES: tuple[tuple[str, str, tuple[str, ...], re.Pattern[str]], ...] = (
    (
        "failure_ignored",
        "test reports are rewritten as passed",
        (".outcome", ".wasxfail", "excinfo"),
        re.compile(r"\.outcome\s*=\s*['\"](?:passed|skipped)['\"]|\.wasxfail\s*=|\bexcinfo\s*=\s*None"),
    ),
    (
        "failure_ignored",
        "the exit status is set to success",
        ("exit", "Exit"),
        re.compile(
            r"\bexitstatus\s*=\s*(?:0\b|pytest\.ExitCode\.OK|ExitCode\.OK)|\bos\._exit\s*\(\s*0?\s*\)"
            r"|\bsys\.exit\s*\(\s*0?\s*\)|pytest\.exit\([^)]*returncode\s*=\s*0"
            r"|process\.exit(?:Code\s*=\s*0|\s*\(\s*0\s*\))|\bos\.Exit\s*\(\s*0\s*\)"
            r"|at_exit\s*\{\s*exit!?\s*\(?0"
        ),
    ),
    (
        "test_skipped",
        "tests are marked as skipped or expected to fail while they are collected",
        (".add_marker",),
        re.compile(r"\.add_marker\s*\(\s*(?:pytest\.mark\.)?(?:skip|xfail)\w*"),
    ),
    (
        "tests_narrowed",
        "tests are left out while they are collected",
        ("collect", "items", "deselected", "filter_run_excluding", "ExUnit."),
        re.compile(
            r"\bcollect_ignore(?:_glob)?\s*(?:\+?=|\.)|\bitems\s*\[\s*:\s*\]\s*=\s*(?!sorted)"
            r"|\bitems\.(?:clear|remove)\s*\(|\bdef\s+pytest_ignore_collect|pytest_deselected"
            r"|filter_run_excluding|ExUnit\.(?:start|configure)\([^)\n]*\bexclude:"
        ),
    ),
)
"""(kind, what is done, literals of which it holds one, how it looks) in set-up that the tests run in."""
GUARDED = re.compile(
    r"(?i)getoption|addoption|--run-?\w+|keywords|get_closest_marker|argv|environ|platform|version|which\("
    r"|import"
)
"""What leaves tests out only if it is told to."""
