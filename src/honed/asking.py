"""What fits now: a home's memory, asked in the way that its owner set it up.

The one way from a request to a note, for the command line, hooks and servers alike.  It only reads, so it
works in a read-only home and while another process writes; but a memory of an older honed is brought up to
date first, unless a hook asks.  On the hot path (docs/decisions/0004).
"""

from __future__ import annotations

from honed.config import Config
from honed.errors import NoModelError, OutdatedError
from honed.recall import recall as rooms
from honed.store.place import absolute, locate
from honed.store.reading import open_readonly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from honed.recall.recall import Recalled
    from honed.recall.semantic import Sense
    from honed.store.place import Place
    from honed.store.reading import Reader


def recall(
    home: str,
    query: str,
    *,
    cwd: str | Place,
    limit: int = 5,
    explain: bool = False,
    now: str = "",
    given: Mapping[str, int] | None = None,
    most: int | None = None,
    project: str | None = None,
    everywhere: bool = False,
    upgrade: bool = True,
    patience: float | None = None,
) -> Recalled:
    """What an agent in the folder ``cwd`` is given for ``query``: at most ``limit`` skills.

    ``now`` is the time as ISO-8601 UTC (the clock's by default), ``given`` what the session was given
    already (by id and version), ``most`` the tokens that it may still be given; ``project`` names another
    place than ``cwd`` (a folder, or a project's name or id, see ``store.naming``); ``everywhere`` looks at
    all projects where ``cwd`` is none; without ``upgrade`` a memory of an older honed is left as it is.
    ``patience`` is how many seconds the embedding model may take to load, if one is set: in vain, or where it
    is ``None``, words alone decide.
    Raises ``NotFoundError`` where there is no memory, ``UnavailableError`` where it cannot be read: never an
    empty answer instead.
    """
    with _opened(home, upgrade=upgrade) as reader:
        config = Config.load(home, reader.settings())
        budget = int(config.number("note.tokens"))
        return rooms.recall(
            reader,
            query,
            _place(reader, cwd, project),
            limit=limit,
            explain=explain,
            bar=config.number("recall.bar"),
            budget=budget if most is None else min(budget, most),
            deliver=str(config["deliver"]),
            now=now,
            given=given,
            everywhere=everywhere,
            sense=_sense(home, config, patience),
        )


def search(
    home: str,
    query: str,
    *,
    cwd: str | Place,
    limit: int = 10,
    explain: bool = False,
    recaps: bool = False,
    now: str = "",
    project: str | None = None,
    everywhere: bool = False,
    patience: float | None = None,
) -> Recalled:
    """Everything that matches ``query`` where ``cwd`` is; what is below the bar is marked weak.

    Arguments and errors as in ``recall``; ``recaps`` takes in recaps of sessions.
    """
    with _opened(home, upgrade=True) as reader:
        config = Config.load(home, reader.settings())
        return rooms.search(
            reader,
            query,
            _place(reader, cwd, project),
            limit=limit,
            explain=explain,
            bar=config.number("recall.bar"),
            recaps=recaps,
            now=now,
            everywhere=everywhere,
            sense=_sense(home, config, patience),
        )


def _sense(home: str, config: Config, patience: float | None) -> Sense | None:
    setting = str(config["semantic.model"])
    if patience is None or setting == "none":
        return None
    from honed.embedding.choice import chosen  # hooks have no patience

    name = chosen(setting)
    if not name:
        return None
    from honed.embedding.providers import model_soon

    try:
        model = model_soon(name, patience)
    except NoModelError:
        return None  # `honed doctor` says why
    if model is None:
        return None
    from honed.recall.semantic import sense_of

    return sense_of(home, model)


def _opened(home: str, *, upgrade: bool) -> Reader:
    try:
        return open_readonly(home)
    except OutdatedError:
        if not upgrade:
            raise
    from honed.store.sqlite import SqliteStore  # only the first read after an upgrade pays for it

    SqliteStore.open(home).close()
    return open_readonly(home)


def _place(reader: Reader, cwd: str | Place, project: str | None) -> Place:
    if not isinstance(cwd, str):
        return cwd
    return locate(absolute(cwd)) if project is None else reader.named(project, cwd)
