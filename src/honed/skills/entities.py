"""Exact things in a text: paths, files, symbols, commands, errors, codes.

An entity matches structurally, not by words: a path by its suffix, a symbol in whatever way its name
is written, a command by its first words.  Skill and query go through the same functions.  Each
entity is a ``(kind, value)`` pair; kinds: ``path file symbol command error code phrase``.
"""

from __future__ import annotations

from itertools import islice

from honed.patterns import compiled
from honed.skills.failures import VALUE_LIMIT, code_values, error_key, error_values
from honed.skills.words import UNSPACED, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from honed.skills.words import Word

ENTITY_LIMIT = 160
"""Entities kept of one skill; those of its typed fields come first."""
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
    nix cmake mk bazel bzl dockerfile properties plist xcconfig prisma csproj fsproj vbproj vcxproj sln cabal
    svg wasm thrift avsc ejs hbs erb haml slim pug jinja j2 twig mdc
    """.split()
_FILE = rf"(?i)(?<![\w./\\@+-])\.?[\w+-][\w.+-]*\.(?:{'|'.join(_EXTENSIONS)})\b(?![\w/\\]|\.\w|\()"
_DOT_FILE = r"(?<![^\s`'\"(\[,:=])\.[a-z][\w-]+(?:\.[\w-]+)*(?![\w/\\(])"
_PATH = (
    r"(?<![\w:/\\.@+-])(?:[A-Za-z]:|~|\.{1,2})?[\\/]{0,4}[\w.@+-]+"
    r"(?:[\\/]+(?:[\w.@+\[\]$-]+|\([\w.-]+\)(?=[\\/])))+"
)
_URL = r"(?i)\b[a-z][a-z0-9+.-]*://\S+"
_FILE_URL = (
    r"(?i)\b(?:(?:file|vscode[a-z-]*|cursor|windsurf|zed)://(?:file(?=/))?(?:/(?=[a-z]:))?"
    r"|https?://[^\s?#]+?/(?:blob|blame|raw|edit)/[^/\s]+/)"
)
"""What stands before the path in the address of a file: an editor's, or a forge's with the branch."""
_GLUED = rf"(?<=[!-~])(?=[{UNSPACED}])|(?<=[{UNSPACED}])(?=[!-~])"
"""Where a name begins or ends in Chinese, Japanese, Korean or Thai text, which leaves no space there."""
_BARE_FILES = frozenset(
    """
    dockerfile makefile justfile procfile gemfile rakefile vagrantfile jenkinsfile brewfile pipfile codeowners
    gradlew go.mod go.sum
    """.split()
)

_SYMBOL = r"(?<![\w./\\-])(?:[^\W\d]|\$)[\w$]*(?:(?:\.|::|\#)(?:[^\W\d]|\$)[\w$]*)*(?:\(\))?(?![\w/\\])"
_LOOKS_SYMBOL = (
    r"[a-z0-9][A-Z]|[^\W_]_[^\W_]|\(\)$|::|^__\w+__$|[A-Z][a-z]+[A-Z]|[A-Z]{2}[a-z]{2}"
    r"|[A-Z]\w+[.\#]\w\w|[a-z]\.[A-Z]\w|[\u0430-\u045f][\u0400-\u042f]"
)
_GENERICS = r"(?<=\w)(?:::)?<[\w\s,:&'.*?\[\]]{0,80}>"
_RECEIVER = r"\(\*?(\w+)\)(?=\.\w)"

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
    python3 node ruby java pre-commit golangci-lint buf protoc docker-compose podman pip3
    """.split()
)
_VALUED = {
    # program: its options that take the next word, where they may stand before what it is told to do
    program: frozenset(options.split())
    for programs, options in (
        ("git", "-C -c --git-dir --work-tree"),
        ("npm", "--prefix -w --workspace"),
        ("pnpm", "--filter -F -C --dir"),
        ("yarn bun", "--cwd --filter"),
        ("make", "-C -f --directory --file"),
        ("kubectl helm", "-n --namespace --context --kubeconfig --kube-context"),
        ("docker docker-compose podman", "-f --file -p --project-name --context -H --profile --env-file"),
        ("cargo", "--manifest-path -p --package -C"),
        ("poetry", "-C --directory -P --project"),
        ("go", "-C"),
        ("pytest", "-n -p -c -k -m -o --rootdir"),
        ("gradle gradlew", "-p --project-dir"),
        ("mvn mvnw", "-f --file -pl -s"),
        ("aws gcloud az", "--profile --region --project --subscription"),
        ("just", "-f --justfile -d --working-directory"),
    )
    for program in programs.split()
}
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
    name = _without_generics(name).removesuffix("()")
    pieces = [piece for piece in compiled(r"\.|::|->|#|\\|\s+").split(name) if piece]
    spelled = [joined for piece in pieces if (joined := compiled(r"[\W_]+").sub("", piece.lower()))]
    if not spelled:
        return []
    return list(dict.fromkeys((".".join(spelled), spelled[-1])))


def _without_generics(text: str) -> str:
    """``text`` with ``Foo<Bar<T>>::new`` and ``(*Foo).new`` as ``Foo::new`` and ``Foo.new``."""
    while "<" in text and (shorter := compiled(_GENERICS).sub("", text)) != text:
        text = shorter
    return compiled(_RECEIVER).sub(r"\1", text) if ")." in text else text


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
    program = _program(words[0])
    if not program or program in ("cd", "echo", "export", "set", "source", "."):
        return []
    found = [program]
    plain = [word.strip("'\"") for word in _told(program, words) if not word.startswith(("-", "+"))]
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


def _program(word: str) -> str:
    name = word.lower().rsplit("/", 1)[-1].strip("'\"()")
    return compiled(r"(?<=\w)\.(?:exe|cmd|bat)\Z").sub("", name) if name.endswith(("e", "d", "t")) else name


def _told(program: str, words: list[str]) -> list[str]:
    """The three words after a program, its options with their values passed over."""
    valued = _VALUED.get(program)
    if valued is None or valued.isdisjoint(words[1:4]):
        return words[1:4]
    rest = iter(words[1:12])
    return [word for word in rest if word not in valued or not next(rest, "")][:3]


def _unwrapped(words: list[str]) -> list[str] | None:
    program = _program(words[0])
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


def pitfall_key(command: str) -> str:
    """How a command that went wrong is looked up: as it stands, with single spaces."""
    return " ".join(command.split())[:VALUE_LIMIT]


def phrase_value(text: str) -> str:
    """A whole request as one value: equal for the same words in the same order."""
    return phrase_of(cut(text))


def phrase_of(words: Iterable[Word]) -> str:
    """The same of a text that was cut already."""
    return " ".join([word.whole for word in islice(words, VALUE_LIMIT)])[:VALUE_LIMIT]


def entities_of_text(text: str) -> Iterator[tuple[str, str]]:
    """The entities that stand in a free text: a request, a title, a line of a body."""
    bare = text
    if "://" in text:
        bare = compiled(_URL).sub(" ", compiled(_FILE_URL).sub(" ", text))
    spread = bare if text.isascii() else compiled(_GLUED).sub(" ", bare)
    for spelled in (spread,) if spread == bare else (spread, bare):
        yield from _files_in(spelled)
    for match in compiled(_SYMBOL).finditer(_without_generics(spread)):
        name = match.group()
        if name.lower() in _BARE_FILES:
            yield ("file", name.lower())
        elif compiled(_LOOKS_SYMBOL).search(name) and not ("." in name and compiled(_FILE).fullmatch(name)):
            for value in symbol_values(name):
                yield ("symbol", value)
    yield from _commands_in(text if spread == bare else compiled(_GLUED).sub(" ", text))
    for value in error_values(text):
        yield ("error", value)
    for value in code_values(text):
        yield ("code", value)


def _files_in(text: str) -> Iterator[tuple[str, str]]:
    if "/" in text or "\\" in text:
        for match in compiled(_PATH).finditer(text):
            path = match.group().rstrip(".")
            yield from path_suffixes(path.removeprefix("@"))  # how clients write a file that is meant
            if path.startswith("@"):
                yield from path_suffixes(path)  # a folder of packages
    if any(after[:1].isalnum() for after in text.split(".")[1:]):
        for match in compiled(_FILE).finditer(text):
            yield ("file", match.group().lower())
        for match in compiled(_DOT_FILE).finditer(text):
            yield ("file", match.group().lower())


def _commands_in(text: str) -> Iterator[tuple[str, str]]:
    for match in compiled(_QUOTED).finditer(text) if any(mark in text for mark in "`$%>") else ():
        quoted = match.group(1) or match.group(2)
        if " " in quoted or quoted.lower() in _TOOLS:
            for value in command_values(quoted):
                yield ("command", value)
        elif "/" not in quoted and not compiled(_FILE).fullmatch(quoted):
            for value in symbol_values(quoted):
                yield ("symbol", value)
    words = text.split()
    for i, raw in enumerate(words):
        word = raw.strip("`'\"(),;").lower().replace("\\", "/")
        if word.startswith("./") or "bin/" in word or "scripts/" in word:
            word = _program(word)
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
