"""The manifest: one signed text over all that the owner approved.

    <home>/approvals.signed

    honed approvals 1
    owner ow_...                      which owner's word this is; made once, by `honed owner init`
    counter 7                         one more with each signature
    approved 2
    pr_... the-slug sk_... rule 3f..  project ("-": everywhere), slug, skill, kind, content hash
    -      other    sk_... lesson 9a..
    signed U1NIU0lH...                an OpenSSH signature of all lines before, in base64

The lines are sorted and each stands once, so of one set of approvals there is one text.  On the hot path.
"""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64

from honed.signing.sshsig import Signature, SignatureError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NAMESPACE = "honed-approvals"
HEAD = "honed approvals 1"
_SIGNED = b"signed "


def line_of(project: str, slug: str, skill: str, kind: str, content_hash: str) -> str:
    """What the manifest says of one approved text."""
    return f"{project or '-'} {slug} {skill} {kind} {content_hash}"


def text_of(owner: str, counter: int, lines: Iterable[str]) -> bytes:
    """The text that is signed."""
    kept = sorted(set(lines))
    told = [HEAD, f"owner {owner}", f"counter {counter}", f"approved {len(kept)}", *kept]
    return ("\n".join(told) + "\n").encode("utf-8", "surrogatepass")


def signed(text: bytes, signature: bytes) -> bytes:
    """The file of a manifest."""
    return text + _SIGNED + b2a_base64(signature)


class Manifest:
    """A manifest whose signature holds: the ``public`` key of it, its ``owner``, ``counter``, ``lines``."""

    __slots__ = ("counter", "lines", "owner", "public")

    def __init__(self, data: bytes) -> None:
        """Read and check one; raises ``SignatureError`` for one that is not whole, or not its key's."""
        text, mark, rest = data.rpartition(_SIGNED)
        try:
            blob = a2b_base64(rest)
        except Base64Error:
            raise SignatureError("its signature is not whole") from None
        if not mark or signed(text, blob) != data:
            raise SignatureError("it is not written as manifests are")
        signature = Signature(blob)
        if signature.namespace != NAMESPACE:
            raise SignatureError("its signature is for another purpose")
        signature.check(text)
        self.public = signature.public
        head, *lines = text.decode("utf-8", "surrogatepass").split("\n")[:-1]
        try:
            owner, counter, _ = lines[:3]
            self.owner, self.counter = owner.removeprefix("owner "), int(counter.removeprefix("counter "))
        except ValueError:
            raise SignatureError("it is not written as manifests are") from None
        self.lines = frozenset(lines[3:])
        if text_of(self.owner, self.counter, self.lines) != text or head != HEAD:
            raise SignatureError("it is not written as manifests are")
