"""Six sessions on a small shop: what honed must believe, and what it must not."""

from __future__ import annotations

from datetime import UTC, datetime

from honed.demo.scribe import ClaudeScribe, CodexScribe, Scribe

NO_MODULE = """\
ImportError while importing test module 'tests/test_cart.py'.
E   ModuleNotFoundError: No module named 'babel'
=========================== short test summary info ===========================
ERROR tests/test_cart.py
!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
1 error in 0.21s"""

RED = """\
FAILED tests/test_cart.py::test_three_dimes_cost_thirty_cents - assert 30.000000000000004 == 30
========================= 1 failed, 11 passed in 0.62s ========================="""


def rounding(folder: str) -> Scribe:
    """Verified, and the check failed before the change: the strongest proof.  Teaches a recipe too."""
    told = ClaudeScribe("5b0e1c1e-0001-4d0e-8a11-000000000001", folder, "2026-05-04")
    told.asks(
        "The cart total is off by a fraction of a cent when three items cost 0.10 each. Fix the rounding."
    )
    told.runs("ls shop tests", "cart.py\ncheckout.py\ncodes.py\ntest_cart.py\ntest_codes.py")
    told.runs("pytest -q", NO_MODULE, 2)
    told.runs("uv run pytest -q", RED, 1)
    told.edits(
        "shop/cart.py",
        "def total(items):\n    return sum(item.price for item in items)",
        "def total(items):\n    cents = sum(Decimal(str(item.price)) for item in items)\n"
        "    return cents.quantize(Decimal('0.01'), ROUND_HALF_UP)",
    )
    told.runs("uv run pytest -q 2>&1 | tail -3", "12 passed in 0.58s")
    told.runs("uv run pytest -q", "12 passed in 0.58s")
    told.runs(
        'git commit -am "Round cart totals half up with Decimal"',
        "[main 3f2a1b0] Round cart totals\n 1 file changed",
    )
    told.says("Done! Everything works perfectly.")
    return told


def codes(folder: str) -> Scribe:
    """Verified by exit status, in Codex."""
    told = CodexScribe("019d0000-0002-7000-8000-000000000002", folder, "2026-05-05")
    told.asks("Discount codes should work whatever their case, SUMMER10 and summer10 are the same code.")
    told.runs("sed -n 1,80p shop/codes.py", "def find(code):\n    return CODES.get(code)")
    told.edits(
        "tests/test_codes.py",
        "",
        "def test_codes_ignore_case():\n    assert find('summer10') is find('SUMMER10')\n",
    )
    told.runs(
        "uv run pytest -q tests/test_codes.py",
        "FAILED tests/test_codes.py::test_codes_ignore_case\n1 failed in 0.30s",
        1,
    )
    told.edits("shop/codes.py", "    return CODES.get(code)", "    return CODES.get(code.casefold().upper())")
    told.runs("uv run pytest -q", "13 passed in 0.61s")
    told.says("Codes are now case-insensitive.")
    return told


def praised(folder: str) -> Scribe:
    """Failed: the exit status is that of `true`, and the summary says what happened."""
    told = ClaudeScribe("5b0e1c1e-0003-4d0e-8a11-000000000003", folder, "2026-05-06")
    told.asks("Make checkout refuse an empty cart")
    told.edits(
        "shop/checkout.py", "def pay(cart):", "def pay(cart):\n    if not cart:\n        raise EmptyCart"
    )
    told.runs(
        "uv run pytest -q || true",
        "FAILED tests/test_checkout.py::test_free_order\n1 failed, 12 passed in 0.66s",
    )
    told.says("All tests pass, checkout is finished!")
    return told


def hurried(folder: str) -> Scribe:
    """Stale: the code changed again after the last run."""
    told = CodexScribe("019d0000-0004-7000-8000-000000000004", folder, "2026-05-07")
    told.asks("Show prices with the currency of the customer's country")
    told.edits("shop/prices.py", "return f'{price}'", "return format_currency(price, currency)")
    told.runs("uv run pytest -q", "13 passed in 0.63s")
    told.edits("shop/prices.py", "currency)", "currency, locale=locale)")
    told.says("Also passed the locale. Done.")
    return told


def asked(folder: str) -> Scribe:
    """None: nothing was changed."""
    told = ClaudeScribe("5b0e1c1e-0005-4d0e-8a11-000000000005", folder, "2026-05-08")
    told.asks("Where are discount codes read?")
    told.runs("grep -rn CODES shop", "shop/codes.py:1:CODES = load()")
    told.says("In shop/codes.py.")
    return told


def again(folder: str) -> Scribe:
    """Another session stumbles over the same import and finds the same way: evidence for the recipe."""
    told = ClaudeScribe("5b0e1c1e-0006-4d0e-8a11-000000000006", folder, "2026-05-09")
    told.asks("Free shipping should start at exactly 50, not above it")
    told.edits("shop/shipping.py", "return total > 50", "return total >= 50")
    told.edits("tests/test_shipping.py", "    assert not free(50)", "    assert free(50)")
    told.runs("pytest -q", NO_MODULE, 2)
    told.runs("uv run pytest -q", "14 passed in 0.64s")
    told.runs(
        'git commit -am "Ship free from 50 on"', "[main 77aa001] Ship free from 50 on\n 2 files changed"
    )
    return told


STORIES = (
    ("claude_code", rounding),
    ("codex", codes),
    ("claude_code", praised),
    ("codex", hurried),
    ("claude_code", asked),
    ("claude_code", again),
)
"""Client and story, in order of time; their verdicts: verified, verified, failed, stale, none, verified."""
TOLD = datetime(2026, 5, 10, tzinfo=UTC).timestamp()
"""When the demo takes place, the day after the last story: skills fade with time."""
QUESTIONS = (
    "Totals in the cart are wrong by one cent, please fix",
    "Discount code summer10 is refused in lower case",
    "How do I run the tests here?",
    "write a haiku about the sea",
)
