"""Exact things in a text: paths, files, symbols, commands, errors, codes.

An entity matches structurally, not by words: a path by its suffix, a symbol in whatever way its name
is written, a command by its first words.  Skill and query go through the same functions.  Each
entity is a ``(kind, value)`` pair; kinds: ``path file symbol command error code phrase``.
"""

from __future__ import annotations

from itertools import islice

from honed.patterns import compiled
from honed.skills.words import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from honed.skills.words import Word

ENTITY_LIMIT = 160
"""Entities kept of one skill; those of its typed fields come first."""
VALUE_LIMIT = 120
"""Characters of a value."""
TYPED_ONLY = ("symbol", "command")
"""Kinds taken from a skill's typed fields alone: what its prose happens to name says less than its words
do (measured: docs/recall.md)."""
LINE_LIMIT = 4000
"""Characters of one line of a body that are searched for entities."""
PATH_DEPTH = 4
"""Components of the longest path suffix kept."""

_EXTENSIONS = """
    py pyi ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro go rs java kt kts scala groovy gradle rb
    php cs fs vb c h cc cpp cxx hpp hh m mm swift dart ex exs erl hrl clj cljs hs ml mli lua pl pm r jl
    nim zig sol sh bash zsh fish ps1 bat cmd sql html htm css scss sass less xml json jsonc json5 jsonl
    toml yaml yml ini cfg conf env lock txt md mdx rst adoc tex csv tsv proto graphql gql tf tfvars hcl
    nix cmake mk bazel bzl dockerfile properties plist xcconfig
    """.split()
_FILE = rf"(?i)(?<![\w./\\@+-])[\w+-][\w.+-]*\.(?:{'|'.join(_EXTENSIONS)})\b(?![\w/\\]|\.\w|\()"
_PATH = r"(?<![\w:/\\.@+-])(?:[A-Za-z]:|~|\.{1,2})?[\\/]?[\w.@+-]+(?:[\\/][\w.@+\[\]-]+)+"
_URL = r"(?i)\b[a-z][a-z0-9+.-]*://\S+"
_BARE_FILES = frozenset(
    "dockerfile makefile justfile procfile gemfile rakefile vagrantfile jenkinsfile brewfile".split()
)

_SYMBOL = r"(?<![\w./\\-])[A-Za-z_$][\w$]*(?:(?:\.|::|\#)[A-Za-z_$][\w$]*)*(?:\(\))?(?![\w/\\])"
_LOOKS_SYMBOL = r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|\(\)$|::|^__\w+__$|[A-Z][a-z]+[A-Z]"

_ERROR_ENDS = ("Error", "Exception", "Warning", "Panic", "Fault", "Failure", "Interrupt", "Timeout")
_ERROR_TYPE = rf"(?<![A-Za-z0-9])([A-Z][A-Za-z0-9]*(?:{'|'.join(_ERROR_ENDS)}))\b"
_ERROR_LINE = r"(?i)\b(?:error|fatal|panic(?:ked)?|failed|exception|cannot|undefined|not found)\b"
_NAMED_CODE = r"\b(ERR_[A-Z0-9_]+|E[A-Z]{4,12}|SIG[A-Z]{3,5}|SQLSTATE\[?\w{5})\b"
"""The only one of the codes in which no digit need stand."""
_CODES = (
    (r"(?i)\b(?:HTTP(?:/[\d.]+)?|status(?: code)?|response)[ :=]{1,2}([1-5]\d\d)\b", "http {}"),
    (
        r"(?i)\b([45]\d\d) (?:error|not found|forbidden|bad gateway|unauthorized|internal)",
        "http {}",
    ),
    (
        r"(?i)\b(?:exit(?:ed)?(?: with)?(?: code| status)?|returncode)[ :=]{1,2}(\d{1,3})\b",
        "exit {}",
    ),
    (
        r"\b((?:E|TS|CS|SC|LNK|MSB|NU|CA|NETSDK|AADSTS|ORA-|CVE-\d{4}-|PL[CERW]|RUF|SIM|DJ)\d{3,6})\b",
        "{}",
    ),
    (r"\b([A-Z]{1,3}\d{3,4})\b", "{}"),
    (r"\b((?:e|ts)\d{4})\b", "{}"),
    (_NAMED_CODE, "{}"),
    (r"(?i)\bRFC ?(\d{3,5})\b", "rfc {}"),
)
_NOT_ERRNO = frozenset(
    "error errors empty enable enabled exists every event events expected either ensure".split()
)

_OPERATORS = r"&&|\|\||[;|\n]|(?<![<>&\d])&(?![>&])"
_ASSIGNMENT = r"[A-Za-z_]\w*="
_PLAIN = r"[\w@][\w:.@/+-]*\Z"
_QUOTED = r"(?m)`+([^`\n]{2,200})`+|^\s*(?:\$|%|>)\s+(\S.*)$"

_WRAPPERS: dict[str, tuple[str, ...]] = {
    # program: words of which one must follow it before the wrapped command; () for none
    **dict.fromkeys("sudo env time nohup exec command npx bunx uvx timeout nice xvfb-run dotenv".split(), ()),
    **dict.fromkeys("uv poetry pipenv pdm hatch rye pixi conda".split(), ("run",)),
    **dict.fromkeys(("bundle", "direnv", "mise"), ("exec",)),
    **dict.fromkeys(("pnpm", "yarn"), ("exec", "dlx")),
}
_SCRIPTS = frozenset("npm pnpm yarn bun deno npm-run-all turbo nx".split())
_TOOLS = frozenset(
    """
    pytest unittest tox nox cargo rustc clippy gradle gradlew mvn mvnw jest vitest mocha bun npm pnpm yarn
    npx deno tsc eslint prettier ruff mypy black flake8 pyright docker kubectl helm terraform git gh uv uvx
    poetry pip pipenv pdm hatch rye pixi conda dotnet swift xcodebuild flutter dart mix rspec rake bundle
    rails phpunit composer php artisan cmake ctest bazel make just task mise turbo nx playwright cypress
    alembic django-admin manage.py sqlx diesel psql sqlite3 redis-cli aws gcloud az ansible go python
    python3 node ruby java pre-commit golangci-lint buf protoc
    """.split()
)
_AMBIGUOUS = frozenset("make go just task node python python3 java ruby php swift black git mix".split())


def path_suffixes(path: str) -> list[tuple[str, str]]:
    """``(kind, value)`` of each suffix of a path, the file name first, at most ``PATH_DEPTH`` components."""
    parts = [part for part in path.replace("\\", "/").lower().split("/") if part not in ("", ".", "..", "~")]
    if parts and parts[0].endswith(":"):
        del parts[0]
    depths = range(1, min(PATH_DEPTH, len(parts)) + 1)
    return [("file" if depth == 1 else "path", "/".join(parts[-depth:])) for depth in depths]


def symbol_values(name: str) -> list[str]:
    """How a symbol is looked up: the whole qualified name and its last part, in one spelling."""
    pieces = [piece for piece in compiled(r"\.|::|#|\s+").split(name.removesuffix("()")) if piece]
    spelled = [joined for piece in pieces if (joined := compiled(r"[\W_]+").sub("", piece.lower()))]
    if not spelled:
        return []
    return list(dict.fromkeys((".".join(spelled), spelled[-1])))


def command_values(command: str) -> list[str]:
    """The first words of each command of a shell line, with and without what merely wraps it."""
    found: list[str] = []
    for segment in compiled(_OPERATORS).split(command)[:8]:
        words = segment.replace("\\", "/").split()
        for _ in range(4):
            while words and (
                compiled(_ASSIGNMENT).match(words[0]) or words[0] in ("(", "{", "!", "then", "do")
            ):
                del words[0]
            if not words:
                break
            found += _first_words(words)
            rest = _unwrapped(words)
            if rest is None:
                break
            words = rest
    return list(dict.fromkeys(value[:VALUE_LIMIT] for value in found))


def _first_words(words: list[str]) -> list[str]:
    program = words[0].lower().rsplit("/", 1)[-1].strip("'\"()")
    if not program or program in ("cd", "echo", "export", "set", "source", "."):
        return []
    found = [program]
    plain = [word.strip("'\"") for word in words[1:4] if not word.startswith("-")]
    if plain and compiled(_PLAIN).match(plain[0]):
        first = plain[0].lower()
        found.append(f"{program} {first}")
        if (
            len(plain) > 1
            and first in ("run", "exec", "test", "compose")
            and compiled(_PLAIN).match(plain[1])
        ):
            found.append(f"{program} {first} {plain[1].lower()}")
            if program in _SCRIPTS and first == "run":
                found.append(plain[1].lower())
        if "/" in first or "." in first:
            found.append(first.rsplit("/", 1)[-1])
    return found


def _unwrapped(words: list[str]) -> list[str] | None:
    program = words[0].lower().rsplit("/", 1)[-1]
    if compiled(r"(?:python|py)[\d.]*").fullmatch(program):
        if "-m" in words[1:4]:
            return words[words.index("-m") + 1 :]
        return None
    if program not in _WRAPPERS:
        return None
    follow = _WRAPPERS[program]
    rest = words[1:]
    if follow:
        if not rest or rest[0] not in follow:
            return None
        del rest[0]
    while rest and (rest[0].startswith("-") or compiled(r"[\d.]+[smhd]?").fullmatch(rest[0])):
        takes_value = rest[0] in (
            "-n",
            "--name",
            "-p",
            "--package",
            "--with",
            "--group",
            "--extra",
            "-u",
            "--python",
        )
        del rest[0]
        if takes_value and len(rest) > 1:
            del rest[0]
    return rest or None


def error_values(text: str) -> list[str]:
    """What an error message is looked up by: its type, and the whole line without volatile parts."""
    found: list[str] = []
    for line in text.splitlines()[:200]:
        start = None
        if any(end in line for end in _ERROR_ENDS):
            types = [match.group(1) for match in compiled(_ERROR_TYPE).finditer(line)]
            found += [name.lower() for name in types]
            start = compiled(_ERROR_TYPE).search(line)
        if start and ":" in line[start.end() : start.end() + 1]:
            found.append(error_key(line[start.start(1) :]))
        elif compiled(_ERROR_LINE).search(line) and 12 <= len(line.strip()) <= 300:
            found.append(error_key(line))
    return list(dict.fromkeys(value for value in found if value))


def error_key(line: str) -> str:
    """One spelling of an error line: words only, numbers and addresses as ``0``, folders dropped."""
    line = compiled(r"(?:[\w.@+-]*[\\/])+(?=[\w.@+-])").sub("", line[:400])
    line = compiled(r"0x[0-9a-f]+|\d+").sub("0", line.lower())
    return " ".join(word.whole for word in cut(line))[:VALUE_LIMIT]


def pitfall_key(command: str) -> str:
    """How a command that went wrong is looked up: as it stands, with single spaces."""
    return " ".join(command.split())[:VALUE_LIMIT]


def code_values(text: str) -> list[str]:
    """Codes of compilers, linters, HTTP, processes and standards, in lower case."""
    found = []
    numbered = any(char.isdigit() for char in text)
    for pattern, form in _CODES:
        if not numbered and pattern is not _NAMED_CODE:
            continue
        for match in compiled(pattern).finditer(text):
            value = match.group(1).lower()
            if value not in _NOT_ERRNO:
                found.append(form.format(value))
    return list(dict.fromkeys(found))


def phrase_value(text: str) -> str:
    """A whole request as one value: equal for the same words in the same order."""
    return phrase_of(cut(text))


def phrase_of(words: Iterable[Word]) -> str:
    """The same of a text that was cut already."""
    return " ".join([word.whole for word in islice(words, VALUE_LIMIT)])[:VALUE_LIMIT]


def entities_of_text(text: str) -> Iterator[tuple[str, str]]:
    """The entities that stand in a free text: a request, a title, a line of a body."""
    bare = compiled(_URL).sub(" ", text) if "://" in text else text
    if "/" in bare or "\\" in bare:
        for match in compiled(_PATH).finditer(bare):
            yield from path_suffixes(match.group().rstrip("."))
    if any(after[:1].isalnum() for after in bare.split(".")[1:]):
        for match in compiled(_FILE).finditer(bare):
            yield ("file", match.group().lower())
    for match in compiled(_SYMBOL).finditer(bare):
        name = match.group()
        if name.lower() in _BARE_FILES:
            yield ("file", name.lower())
        elif compiled(_LOOKS_SYMBOL).search(name):
            for value in symbol_values(name):
                yield ("symbol", value)
    yield from _commands_in(text)
    for value in error_values(text):
        yield ("error", value)
    for value in code_values(text):
        yield ("code", value)


def _commands_in(text: str) -> Iterator[tuple[str, str]]:
    for match in compiled(_QUOTED).finditer(text) if any(mark in text for mark in "`$%>") else ():
        quoted = match.group(1) or match.group(2)
        if " " in quoted or quoted.lower() in _TOOLS:
            for value in command_values(quoted):
                yield ("command", value)
        else:
            for value in symbol_values(quoted):
                yield ("symbol", value)
    words = text.split()
    for i, raw in enumerate(words):
        word = raw.strip("`'\"(),;").lower()
        if word in _TOOLS:
            rest = [word, *(item.strip("`'\"(),;.?!") for item in words[i + 1 : i + 4])]
            for value in command_values(" ".join(rest)):
                if value not in _AMBIGUOUS:
                    yield ("command", value)


def entities_of_skill(
    title: str,
    trigger: str,
    aliases: Sequence[str],
    body_lines: Sequence[str],
    files: Sequence[str],
    check: str,
    symbols: Sequence[str],
    signatures: Sequence[str],
    failing: Sequence[str] = (),
    subjects: Sequence[tuple[str, str]] = (),
) -> tuple[tuple[str, str], ...]:
    """All entities of a skill without repeats: ``subjects`` and typed fields first, then what its text names.

    Commands that went wrong (``failing``) have a kind of their own, ``pitfall``, which no request names:
    a hook looks them up before a command is run.
    """
    found = dict.fromkeys((kind, value[:VALUE_LIMIT]) for kind, value in subjects)
    for command in failing:
        found.setdefault(("pitfall", pitfall_key(command)))
    for kind, value in _typed(title, trigger, aliases, files, check, symbols, signatures):
        found.setdefault((kind, value[:VALUE_LIMIT]))
    for text in (title, trigger, *aliases, *body_lines):
        if len(found) >= ENTITY_LIMIT:
            break
        for kind, value in entities_of_text(text[:LINE_LIMIT]):
            if kind in TYPED_ONLY:
                continue
            found.setdefault((kind, value[:VALUE_LIMIT]))
    return tuple(pair for pair in list(found)[:ENTITY_LIMIT] if pair[1])


def _typed(
    title: str,
    trigger: str,
    aliases: Sequence[str],
    files: Iterable[str],
    check: str,
    symbols: Iterable[str],
    signatures: Iterable[str],
) -> Iterator[tuple[str, str]]:
    for text in (title, trigger, *aliases):
        yield ("phrase", phrase_value(text))
    for path in files:
        yield from path_suffixes(path)
    for name in symbols:
        for value in symbol_values(name):
            yield ("symbol", value)
    for value in command_values(check):
        yield ("command", value)
    for signature in signatures:
        yield ("error", error_key(signature))
        for value in error_values(signature):
            yield ("error", value)
        for value in code_values(signature):
            yield ("code", value)
