"""The one exception tree.

    HonedError
    |-- UsageError            wrong words in a call               exit 2
    |   |-- AmbiguousSlugError     one slug, several projects     exit 2
    |   `-- AmbiguousProjectError  one name, several projects     exit 2
    |-- RefusedError          the owner must act                  exit 3
    |   `-- DuplicateError    names the record it collides with   exit 3
    |-- NotFoundError         no such record                      exit 4
    |-- NoModelError          no embedding model: by words only   exit 1
    |-- FaultError            a mistake of honed's own            exit 1
    `-- UnavailableError      locked, damaged, disk full, newer,  exit 5
        |                     settings that cannot be read
        |-- DamagedError      the file is not a sound database    exit 5
        `-- OutdatedError     an older honed's; writing mends it  exit 5

Every message says what, where and what to do.  The doors translate once: exit code, MCP
``isError``, HTTP status.
"""

from __future__ import annotations


class HonedError(Exception):
    """Something honed was asked to do could not be done; ``exit_code`` says of what sort."""

    exit_code = 1


class UsageError(HonedError):
    """The call itself is wrong: an unknown option, a malformed slug, an unreadable argument."""

    exit_code = 2


class AmbiguousSlugError(UsageError):
    """A slug names records of several projects; ``choices`` lists them as ``project/slug``."""

    def __init__(self, message: str, choices: tuple[str, ...]) -> None:
        super().__init__(message)
        self.choices = choices


class AmbiguousProjectError(UsageError):
    """A name that several projects, or a folder and a project, have; ``choices`` are ways to say which."""

    def __init__(self, message: str, choices: tuple[str, ...]) -> None:
        super().__init__(message)
        self.choices = choices


class RefusedError(HonedError):
    """Only the owner may do this, or it would destroy something; nothing was changed."""

    exit_code = 3


class DuplicateError(RefusedError):
    """The text is already known; ``slug`` names the record it collides with."""

    def __init__(self, message: str, slug: str) -> None:
        super().__init__(message)
        self.slug = slug


class NotFoundError(HonedError):
    """The named record does not exist (or is a tombstone)."""

    exit_code = 4


class FaultError(HonedError):
    """Honed itself failed on some input; the message says where, and holds nothing of the input."""

    @classmethod
    def of(cls, error: Exception) -> FaultError:
        """The same, said for people: which error, and where in honed."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = f" in {trace.tb_frame.f_globals.get('__name__')}, line {trace.tb_lineno}" if trace else ""
        return cls(f"honed failed on it ({type(error).__name__}{where}); please report this")


class NoModelError(HonedError):
    """The embedding model that the owner set cannot be used; recall goes on by words alone."""


class UnavailableError(HonedError):
    """Memory cannot be read or written now.  Never to be reported as "nothing found"."""

    exit_code = 5


class DamagedError(UnavailableError):
    """The database file is damaged; the message names the last good backup."""


class OutdatedError(UnavailableError):
    """The database has the schema of an older honed; who opens it for writing brings it up to date."""

    @classmethod
    def of(cls, path: str, version: int) -> OutdatedError:
        """The error for the database at ``path`` with the schema ``version``."""
        return cls(
            f"{path} was written by an older honed (schema {version}); the next command that writes brings it"
            " up to date"
        )
