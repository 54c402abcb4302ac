"""Digests without the package ``hashlib``, which would load all of OpenSSL.  On the hot path."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2b, sha256, sha512
else:
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    try:
        from _sha2 import sha256, sha512  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256
            from _sha512 import sha512
        except ImportError:
            from hashlib import sha256, sha512

__all__ = ["blake2b", "sha256", "sha512"]
