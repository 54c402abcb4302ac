"""Which files hold tests, and which decide what the tests are worth: tables by language and one reader.

Paths are '/'-separated and relative to the project where that is known.  The patterns are those by which the
usual runners collect (pytest ``python_files``, jest ``testMatch``, ``go test``'s ``_test.go``, surefire's
includes, rspec, phpunit, ExUnit, xunit projects by custom).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Role = Literal["test", "mixed", "support", "snapshot", "gate", "source", "prose"]
"""What a file is to the tests.

``test``      collected by a runner.      ``mixed``   source that may hold tests of its own (Rust, Zig).
``support``   set-up that the tests run in (conftest.py, setup files, helpers in test folders).
``snapshot``  recorded output.            ``gate``    configuration, script or CI that starts or bounds tests.
``source``    everything else that is code.           ``prose``   documentation, which proves nothing.
"""

LANGUAGES: dict[str, str] = {
    suffix: language
    for language, suffixes in (
        ("python", ".py .pyi"),
        ("javascript", ".js .jsx .ts .tsx .mjs .cjs .mts .cts .vue .svelte"),
        ("go", ".go"),
        ("rust", ".rs"),
        ("java", ".java .kt .kts .scala .groovy"),
        ("ruby", ".rb"),
        ("php", ".php"),
        ("csharp", ".cs .fs .vb"),
        ("elixir", ".ex .exs"),
        ("swift", ".swift"),
        ("dart", ".dart"),
        ("cpp", ".c .cc .cpp .cxx .h .hh .hpp .m .mm"),
        ("shell", ".sh .bash .bats .zsh"),
        ("lua", ".lua"),
        ("clojure", ".clj .cljs .cljc"),
        ("r", ".r .rmd"),
        ("julia", ".jl"),
        ("haskell", ".hs"),
    )
    for suffix in suffixes.split()
}

# By language: the names (and folders) of files that its runners collect.
COLLECTED: dict[str, re.Pattern[str]] = {
    "python": re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests)\.py$"),
    "javascript": re.compile(
        r"(?i)[._-](?:tests?|spec|cy|e2e|bench)\.[cm]?[jt]sx?$|(?:^|/)__tests__/(?:.*/)?[^/]+\.[cm]?[jt]sx?$"
        r"|(?:^|/)tests?\.[cm]?[jt]sx?$|(?:^|/)test/(?:.*/)?(?!helper|util|setup|fixture"
        r"|mock)[^/]+\.[cm]?[jt]sx?$"
    ),
    "go": re.compile(r"_test\.go$"),
    "rust": re.compile(r"(?:^|/)tests/(?:.*/)?[^/]+\.rs$|(?:^|/)(?:tests?|[^/]*_tests?|test_[^/]*)\.rs$"),
    "java": re.compile(
        r"(?:^|/)(?:[^/]*(?:Tests?|TestCase|Spec|Suite|IT)|Test[A-Z][^/]*)\.(?:java|kts?|scala|groovy)$"
    ),
    "ruby": re.compile(r"_(?:spec|test)\.rb$|(?:^|/)test_[^/]*\.rb$"),
    "php": re.compile(
        r"(?:Test|Cest|Spec)\.php$|(?:^|/)tests/(?:.*/)?(?:Feature|Unit)/[^/]+\.php$|_test\.php$"
    ),
    "csharp": re.compile(
        r"(?:Tests?|Specs?|Facts)\.(?:cs|fs|vb)$|(?i:[./]tests?/(?:.*/)?[^/]*tests?[^/]*\.(?:cs|fs|vb)$)"
    ),
    "elixir": re.compile(r"_test\.exs$"),
    "swift": re.compile(r"(?:Tests?|Spec)\.swift$"),
    "dart": re.compile(r"_test\.dart$"),
    "cpp": re.compile(
        r"(?i)(?:^|/)(?:tests?[_-][^/]*|[^/]*[_-]?(?:unit)?tests?)\.(?:c|cc|cpp|cxx|mm?)$"
        r"|(?:^|/)(?:unit_?)?tests?/(?:[\w-]+/)*(?![^/]*(?:helper|util|mock|fake|stub|support|main))[^/]+\.(?:cc|cpp|cxx)$"
    ),
    "lua": re.compile(r"_(?:spec|test)\.lua$|(?:^|/)test_[^/]*\.lua$"),
    "clojure": re.compile(r"_test\.clj[cs]?$|(?:^|/)test/(?:.*/)?test_[^/]*\.clj[cs]?$"),
    "r": re.compile(r"(?i)(?:^|/)testthat/test[^/]*\.r$"),
    "julia": re.compile(r"(?:^|/)test/(?:.*/)?[^/]+\.jl$"),
    "haskell": re.compile(r"(?:Spec|Tests?|Props?)\.hs$"),
    "shell": re.compile(
        r"\.bats$|(?:^|/)(?:test[_-][^/]*|[^/]*[_-]test)\.(?:sh|bash|zsh)$|(?:^|/)t/[^/]+\.sh$"
    ),
}
MIXED = frozenset({".rs", ".zig"})

SNAPSHOT = re.compile(
    r"(?i)(?:^|/)(?:__snapshots__|__image_snapshots__|__snapshot__|snapshots|golden|goldens|goldenfiles)/"
    r"|\.(?:snap|snap\.new|snapshot|golden|ambr|approved\.[a-z]+|snap\.[a-z]+)$"
    r"|(?:^|/)testdata/.*(?:golden|expected|want)[^/]*$|(?:^|/)tests?/(?:.*/)?(?:expected|baselines?"
    r"|cassettes)/[^/]+$"
    r"|[-_.](?:golden|expected)\.[a-z]+$"
)
SUPPORT = re.compile(
    r"(?i)(?:^|/)(?:conftest|pytest_plugins?|sitecustomize)\.py$"
    r"|(?:^|/)(?:jest|vitest|test|mocha)?[._-]?(?:setup|global-?setup)(?:[._-]?(?:tests?|jest|vitest|files"
    r"|after-?env))?\.[cm]?[jt]sx?$"
    r"|(?:^|/)(?:spec_helper|rails_helper|test_helper)\.(?:rb|exs)$|(?:^|/)(?:main_test|testmain_test)\.go$"
    r"|(?:^|/)tests?/bootstrap\.php$"
)
TEST_FOLDER = re.compile(
    r"(?i)(?:^|/)(?:tests?|specs?|__tests__|__mocks__|testing|testutils?|e2e|[a-z.]+\.(?:unit"
    r"|integration)?tests?|src/test|it)/"
)
GATE = re.compile(
    r"(?i)(?:^|/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.(?:ini|toml)|\.pytest\.ini"
    r"|noxfile\.py|\.coveragerc"
    r"|makefile|gnumakefile|[^/]+\.mk|justfile|\.justfile|taskfile\.ya?ml|mise\.toml|\.mise\.toml|rakefile"
    r"|gruntfile\.\w+"
    r"|(?:jest|vitest|vite|karma|playwright|cypress|ava|nyc|c8|wdio|stryker|babel"
    r"|web-test-runner)\.?[\w-]*\.(?:config|conf|workspace)(?:\.[\w-]+)?\.[cm]?[jt]s(?:on)?"
    r"|(?:jest|vitest|karma|playwright|cypress|mocha|nyc|c8|stryker)[\w.-]*\.(?:[cm]?[jt]s|jsonc?|ya?ml)"
    r"|\.(?:nycrc|c8rc|mocharc|taprc)(?:\.\w+)?|deno\.jsonc?|bunfig\.toml|turbo\.json|nx\.json|project\.json"
    r"|lerna\.json"
    r"|cargo\.toml|\.cargo/config\.toml|nextest\.toml|pom\.xml|build\.gradle(?:\.kts)?|build\.sbt"
    r"|phpunit\.xml(?:\.dist)?|composer\.json"
    r"|\.rspec|\.simplecov|mix\.exs|\.?codecov\.ya?ml|\.coveralls\.ya?ml|sonar-project\.properties"
    r"|directory\.build\.props|[^/]+\.(?:csproj|runsettings|testplan)"
    r"|cmakelists\.txt|ctesttestfile\.cmake|meson\.build|build\.bazel|\.bazelrc|dune|pubspec\.yaml"
    r"|dart_test\.yaml"
    r"|\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines\.yml|bitbucket-pipelines\.yml|jenkinsfile"
    r"|appveyor\.yml|\.pre-commit-config\.yaml|lefthook\.yml)$"
    r"|(?:^|/)\.gitlab/.*\.ya?ml$|(?:^|/)\.github/(?:workflows|actions)/.*\.ya?ml$|(?:^|/)\.(?:circleci"
    r"|buildkite|woodpecker|drone)/.*\.ya?ml$"
    r"|(?:^|/)\.husky/[^/]+$|(?:^|/)(?:scripts?|bin|ci|tools|hack|build|\.ci)/[^/]+\.(?:sh|bash|zsh|ps1|cmd"
    r"|bat|mk)$|(?:^|/)[^/]+\.(?:sh|bash|bats|ps1|cmd|bat)$"
)
PROSE = re.compile(r"(?i)\.(?:md|mdx|rst|adoc|txt|org|log)$")
SCRATCH = re.compile(
    r"(?i)(?:^|/)(?:tmp|temp|scratch|scratchpad)(?:/|$)|(?:^|/)(?:zz_)?(?:test[_-]?)?(?:tmp|temp|scratch"
    r"|repro|debug|throwaway|playground|verify|quick|demo)"
    r"(?=[_.\d-]|$)[^/]*$|[_.-](?:tmp|temp|scratch|repro|debug|throwaway|quick)(?:[_.-][^/]*)?$"
)
"""Names by which agents call a test that was never meant to stay."""


def language_of(path: str) -> str:
    """The language by the suffix; empty if it is in no table."""
    name = path.rpartition("/")[2]
    return LANGUAGES.get(name[name.rfind(".") :].lower(), "") if "." in name else ""


def is_collected(path: str) -> bool:
    """Whether a runner finds tests in this file by its usual name patterns."""
    pattern = COLLECTED.get(language_of(path))
    return bool(pattern and pattern.search(path)) and not SUPPORT.search(path)


@lru_cache(maxsize=1024)
def role_of(path: str) -> Role:
    """What the file is to the tests, by its path alone."""
    if SNAPSHOT.search(path) and not is_collected(path):
        return "snapshot"
    if SUPPORT.search(path):
        return "support"
    if GATE.search(path) and not is_collected(path):
        return "gate"
    if is_collected(path):
        return "test"
    language = language_of(path)
    if "." not in path.rpartition("/")[2]:
        if SNAPSHOT.search(path + "/"):
            return "snapshot"
        if TEST_FOLDER.search(path + "/"):
            return "support"
    if language and TEST_FOLDER.search(path):
        return "support"
    if any(path.endswith(suffix) for suffix in MIXED):
        return "mixed"
    return "prose" if PROSE.search(path) else "source"


def watched(path: str) -> bool:
    """Whether the whole text of a change of this file is needed to judge the tests."""
    return role_of(path) not in ("source", "prose")


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_EMPTY_WORDS = frozenset(
    "test tests spec specs it should when then given the and for with from has have not are is can does"
    " works unit integration e2e"
    " returns return get set new to of in on as by an be or if".split()
)


def words_of(name: str) -> frozenset[str]:
    """The words of an identifier or a sentence, in lower case, without those that any test has."""
    return frozenset(word.lower() for word in _WORD.findall(name)) - _EMPTY_WORDS
