"""Whether a signature is right: Ed25519 (RFC 8032) and ECDSA over P-256 (FIPS 186-5), verification only.

Pure Python, for the hot path: a library for it would take longer to load than this takes to run (about 2 ms).
Nothing here knows a secret, so nothing has to take the same time whatever it is given.  Signing is a
library's or a hardware key's.
"""

from __future__ import annotations

from honed.signing.digests import sha256, sha512

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Point = tuple[int, int, int, int]
    Jacobian = tuple[int, int, int]

# Ed25519: RFC 8032, section 5.1

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
BASE_Y = 4 * pow(5, -1, P) % P
_WIDTH = 5


def ed25519_holds(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether ``signature`` (64 bytes) is that of ``message`` by the key ``public`` (32 bytes)."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key = _point(public)
    s = int.from_bytes(signature[32:], "little")
    if key is None or s >= L:
        return False
    base = _point(BASE_Y.to_bytes(32, "little"))
    if base is None:
        return False
    h = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % L
    x, y, z, t = key
    found = _sum(s, base, h, (P - x, y, z, P - t))
    return _encoded(found) == signature[:32]


def _point(encoded: bytes) -> Point | None:
    """The point that 32 bytes say, ``None`` where they say none (RFC 8032, section 5.1.3)."""
    whole = int.from_bytes(encoded, "little")
    sign, y = whole >> 255, whole & ((1 << 255) - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * ROOT % P
    if (v * x * x - u) % P or (not x and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def _encoded(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _add(one: Point, other: Point) -> Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * D * t1 % P * t2, 2 * z1 * z2
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def _double(point: Point) -> Point:
    x, y, z, _ = point
    a, b = x * x % P, y * y % P
    h = a + b
    e, g = h - (x + y) * (x + y), a - b
    f = 2 * z * z % P + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def _digits(number: int) -> list[int]:
    """The non-adjacent form of a number, the lowest digit first: odd digits, with zeros between."""
    found, half, whole = list[int](), 1 << (_WIDTH - 1), 1 << _WIDTH
    while number:
        digit = 0
        if number & 1:
            digit = number & (whole - 1)
            digit -= whole if digit >= half else 0
            number -= digit
        found.append(digit)
        number >>= 1
    return found


def _odd_multiples(point: Point) -> Sequence[Point]:
    twice, found = _double(point), [point]
    for _ in range((1 << (_WIDTH - 2)) - 1):
        found.append(_add(found[-1], twice))
    return found


def _sum(a: int, one: Point, b: int, other: Point) -> Point:
    """``a`` times one point and ``b`` times the other, both at once (Straus)."""
    parts = [(_digits(a), _odd_multiples(one)), (_digits(b), _odd_multiples(other))]
    total: Point = (0, 1, 1, 0)
    for at in reversed(range(max(len(digits) for digits, _ in parts))):
        total = _double(total)
        for digits, multiples in parts:
            digit = digits[at] if at < len(digits) else 0
            if digit:
                x, y, z, t = multiples[abs(digit) >> 1]
                total = _add(total, (x, y, z, t) if digit > 0 else (P - x, y, z, P - t))
    return total


# P-256: SEC 2, section 2.4.2; Jacobian coordinates

Q = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
GX = 0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296
GY = 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5


def p256_holds(public: bytes, r: int, s: int, message: bytes) -> bool:
    """Whether ``(r, s)`` is the signature of ``message`` (by SHA-256) by the key ``public`` (65 bytes)."""
    if len(public) != 65 or public[0] != 4 or not (0 < r < N and 0 < s < N):
        return False
    x, y = int.from_bytes(public[1:33], "big"), int.from_bytes(public[33:], "big")
    if x >= Q or y >= Q or (y * y - x * x * x + 3 * x - B) % Q:
        return False
    inverse = pow(s, -1, N)
    digest = int.from_bytes(sha256(message).digest(), "big")
    found = _jacobian_sum(digest * inverse % N, (GX, GY, 1), r * inverse % N, (x, y, 1))
    if not found[2]:
        return False
    return found[0] * pow(found[2], -2, Q) % Q % N == r


def _jacobian_double(point: Jacobian) -> Jacobian:
    x, y, z = point
    if not y or not z:
        return 0, 1, 0
    delta, gamma = z * z % Q, y * y % Q
    beta, alpha = x * gamma % Q, 3 * (x - delta) * (x + delta) % Q
    x3 = (alpha * alpha - 8 * beta) % Q
    return x3, (alpha * (4 * beta - x3) - 8 * gamma * gamma) % Q, ((y + z) * (y + z) - gamma - delta) % Q


def _jacobian_add(one: Jacobian, other: Jacobian) -> Jacobian:
    if not one[2]:
        return other
    if not other[2]:
        return one
    (x1, y1, z1), (x2, y2, z2) = one, other
    z11, z22 = z1 * z1 % Q, z2 * z2 % Q
    u1, u2, s1, s2 = x1 * z22 % Q, x2 * z11 % Q, y1 * z22 * z2 % Q, y2 * z11 * z1 % Q
    h, r = (u2 - u1) % Q, (s2 - s1) % Q
    if not h:
        return (0, 1, 0) if r else _jacobian_double(one)
    hh = h * h % Q
    hhh, v = h * hh % Q, u1 * hh % Q
    x3 = (r * r - hhh - 2 * v) % Q
    return x3, (r * (v - x3) - s1 * hhh) % Q, h * z1 * z2 % Q


def _jacobian_sum(a: int, one: Jacobian, b: int, other: Jacobian) -> Jacobian:
    parts = []
    for number, point in ((a, one), (b, other)):
        twice, multiples = _jacobian_double(point), [point]
        for _ in range((1 << (_WIDTH - 2)) - 1):
            multiples.append(_jacobian_add(multiples[-1], twice))
        parts.append((_digits(number), multiples))
    total: Jacobian = (0, 1, 0)
    for at in reversed(range(max(len(digits) for digits, _ in parts))):
        total = _jacobian_double(total)
        for digits, multiples in parts:
            digit = digits[at] if at < len(digits) else 0
            if digit:
                x, y, z = multiples[abs(digit) >> 1]
                total = _jacobian_add(total, (x, y, z) if digit > 0 else (x, Q - y, z))
    return total
