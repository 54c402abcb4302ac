"""Archives within a pack: never kept and never unpacked to a disk, but looked into, for bombs hide there."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from typing import IO, cast

from honed.errors import RefusedError
from honed.packs.files import RATIO, SMALL, Budget, is_archive

_DEPTH = 1
"""An archive may hold one more archive, which is not looked into but refused if it is larger than it
looks."""
_STEP = 1024 * 1024


def look_into(path: str, data: bytes, budget: Budget, depth: int = 0) -> None:
    """Count what an archive unpacks to.  Raises ``RefusedError`` for a bomb and for archives within archives
    within archives; an archive that cannot be read at all is left as it is, for nobody unpacks it."""
    if not is_archive(data):
        return
    if depth > _DEPTH:
        raise RefusedError(
            f"{path}: an archive within an archive within an archive, as zip bombs are; nothing was taken"
        )
    try:
        if data.startswith(b"PK"):
            _zip(path, data, budget, depth)
        else:
            _stream(path, data, budget, depth)
    except (zipfile.BadZipFile, OSError, EOFError, lzma.LZMAError, zlib.error, ValueError) as error:
        if isinstance(error, RefusedError):
            raise
    except (NotImplementedError, RuntimeError):
        return  # encrypted, or packed in a way that is not known: nobody opens it


def _zip(path: str, data: bytes, budget: Budget, depth: int) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for item in archive.infolist():
            if item.is_dir() or item.flag_bits & 1:
                continue
            inner = f"{path} > {item.filename}"
            with archive.open(item) as stream:
                head = _count(inner, stream, max(1, item.compress_size), budget)
            look_into(inner, head, budget, depth + 1)


def _stream(path: str, data: bytes, budget: Budget, depth: int) -> None:
    packed = unpacking(io.BytesIO(data), data[:6])
    if packed is None:
        return
    with packed as stream:
        head = _count(path, stream, len(data), budget)
    with tarfile.open(fileobj=io.BytesIO(head)) if _is_tar(head) else io.BytesIO() as inner:
        if isinstance(inner, tarfile.TarFile):
            for item in inner:
                file = inner.extractfile(item) if item.isfile() else None
                if file is not None:
                    look_into(f"{path} > {item.name}", file.read(_STEP), budget, depth + 1)
        else:
            look_into(f"{path} > its content", head, budget, depth + 1)


def unpacking(raw: IO[bytes], head: bytes) -> IO[bytes] | None:
    """A stream of what is in ``raw``, by the first bytes of it; ``None`` where nothing is packed."""
    if head.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    if head.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    return lzma.LZMAFile(raw) if head.startswith(b"\xfd7zXZ\x00") else None


def _is_tar(data: bytes) -> bool:
    return data[257:262] == b"ustar"


def _count(path: str, stream: IO[bytes], packed: int, budget: Budget) -> bytes:
    """Unpack ``stream`` without keeping it, but for what an archive in it may take; returns that."""
    kept = io.BytesIO()
    total = 0
    while part := stream.read(_STEP):
        total += len(part)
        budget.spend(len(part), path)
        if total > SMALL and total > RATIO * packed:
            raise RefusedError(
                f"{path}: unpacks to over {RATIO} times its size, as zip bombs do; nothing was taken"
            )
        kept.write(part)
    return kept.getvalue()
