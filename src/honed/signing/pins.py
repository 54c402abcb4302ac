"""Where the owner's key is pinned: outside honed's home, in the user's configuration.

    ~/.config/honed/owner.json    $XDG_CONFIG_HOME/honed where that is set, %APPDATA%\\honed on Windows

It says of each home which key signs its approvals, and the counter of the newest manifest, so an older one is
refused.  The file is the user's alone (0600, in a folder of 0700); one that others can write is not believed.
On the hot path.
"""

from __future__ import annotations

import os

from honed.quick_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FILE = "owner.json"
KEY = "owner.key"
SETTING = "owner.key:"
"""What the settings begin with that keep the owners' keys: ``owner.key:ow_..`` is ``{public}``."""
MANIFEST = "approvals.signed"
"""The manifest's file, in honed's home."""


class PinError(Exception):
    """Why what is pinned cannot be believed, in words."""


class Pin:
    """What is pinned for one home: the ``owner``, the ``public`` key (base64 of its blob) and the ``first``
    one that the owner had, the ``counter`` of the newest manifest, the ``grade`` in words, the ``file`` of a
    hardware key, and the lines of that manifest that were taken back since: that takes no key."""

    __slots__ = ("counter", "file", "first", "grade", "owner", "public", "taken_back")

    def __init__(
        self,
        owner: str,
        public: str,
        counter: int,
        grade: str,
        *,
        first: str = "",
        file: str = "",
        taken_back: Sequence[str] = (),
    ) -> None:
        self.owner = owner
        self.public = public
        self.counter = counter
        self.grade = grade
        self.first = first or public
        self.file = file
        self.taken_back = list(taken_back)

    def body(self) -> dict[str, object]:
        """As it is kept."""
        return {name: getattr(self, name) for name in self.__slots__}


def is_signed(home: str, keys: Mapping[str, object]) -> bool:
    """Whether approvals of a home are signed: any trace of it says so (see ``approvals``).

    ``keys`` are those that the ledger knows, by owner.
    """
    if keys or os.path.lexists(os.path.join(home, MANIFEST)):
        return True
    try:
        return pin_of(home) is not None
    except PinError:
        return True


def folder() -> str:
    """Where the owner's key is pinned."""
    base = os.environ.get("XDG_CONFIG_HOME") or ""
    if not base and os.name == "nt":
        base = os.environ.get("APPDATA") or ""
    return os.path.join(os.path.abspath(base or os.path.expanduser("~/.config")), "honed")


def path() -> str:
    """The file with the pins."""
    return os.path.join(folder(), FILE)


def key_path(owner: str) -> str:
    """The file with the encrypted key of an owner that signs by a passphrase."""
    return os.path.join(folder(), f"{owner}.{KEY}")


def pin_of(home: str) -> Pin | None:
    """What is pinned for a home, ``None`` if nothing is; raises ``PinError`` for what cannot be believed."""
    found = all_pins().get(os.path.realpath(home))
    if found is None:
        return None
    owner, public, counter = found.get("owner"), found.get("public"), found.get("counter")
    if not (isinstance(owner, str) and isinstance(public, str) and isinstance(counter, int)):
        raise PinError(f"{path()} is not whole")
    told = {name: str(found.get(name, "")) for name in ("grade", "first", "file")}
    back = found.get("taken_back", [])
    if not isinstance(back, list):
        raise PinError(f"{path()} is not whole")
    return Pin(
        owner,
        public,
        counter,
        told["grade"],
        first=told["first"],
        file=told["file"],
        taken_back=[str(line) for line in back],
    )


def all_pins() -> dict[str, dict[str, object]]:
    """What is pinned, by home; raises ``PinError``."""
    where = path()
    try:
        with open(where, encoding="utf-8") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o022:
                raise PinError(f"{where} can be written by others (chmod 600 it, after a look at it)")
            value = loads(file.read())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise PinError(f"{where} cannot be read ({error})") from error
    homes = value.get("homes") if isinstance(value, dict) else None
    if not isinstance(homes, dict):
        raise PinError(f"{where} is not whole")
    return {str(home): pin for home, pin in homes.items() if isinstance(pin, dict)}
