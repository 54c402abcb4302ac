"""Definitions, places and names are read from changed lines of any language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honed.sessions.model import Hunk
from honed.skills import anchors

DEFINITIONS = [
    ("def total(cart):", "total"),
    ("    async def fetch(self) -> None:", "fetch"),
    ("class Cart(Base):", "Cart"),
    ("export async function loadCart(id: string) {", "loadCart"),
    ("export const useCart = () => {", "useCart"),
    ("  const round = useCallback((x) => x)", "round"),
    ("export interface CartProps {", "CartProps"),
    ("export type Money = number", "Money"),
    ("  private getTotal(cart: Cart): number {", "getTotal"),
    ("func (c *Cart) Total() int {", "Total"),
    ("type Cart struct {", "Cart"),
    ("pub(crate) async fn total(&self) -> u64 {", "total"),
    ("impl<T> Display for Money {", "Money"),
    ("  def total?", "total?"),
    ("defmodule Shop.Cart do", "Shop"),
    ("public static void main(String[] args) {", "main"),
    ("    public <T> Map<String, List<T>> byKey(List<T> all) throws IOException {", "byKey"),
    ("int Cart::total(const std::vector<int>& items) const {", "total"),
    ("static char *name_of(int n) {", "name_of"),
    ("    private async Task<int> Load(string url) {", "Load"),
    ("} else if (total(x)) {", ""),
    ("else if (total(x)) {", ""),
    ("for item in total(x) {", ""),
    ("foreach (var item in total(x)) {", ""),
    ("fun total(cart: Cart): Int =", "total"),
    ('  it("rounds to cents", () => {', "rounds to cents"),
    ('\tt.Run("rounds to cents", func(t *testing.T) {', "rounds to cents"),
    ("CREATE TABLE IF NOT EXISTS carts (", "carts"),
    ("    if (x) {", ""),
    ("return total(cart)", ""),
    ("# def commented(out):", ""),
]


@pytest.mark.parametrize(("line", "name"), DEFINITIONS)
def test_a_line_that_defines_something_names_it(line: str, name: str) -> None:
    assert anchors.definition(line) == name


@pytest.mark.parametrize(
    ("path", "line", "name"),
    [
        (".github/workflows/ci.yml", "  build:", "build"),
        ("pyproject.toml", "[tool.ruff]", "tool.ruff"),
        ("styles.css", ".cart-row {", ".cart-row"),
        ("package.json", '  "scripts": {', "scripts"),
        ("settings.py", "RATE_LIMIT = 5", "RATE_LIMIT"),
        ("view.tsx", "  cursor: pointer", ""),
    ],
)
def test_a_file_that_defines_nothing_has_places(path: str, line: str, name: str) -> None:
    assert anchors.place_name(line, path) == name


def test_the_anchor_of_a_hunk_is_the_symbol_around_it_and_a_line_above() -> None:
    place = anchors.anchor(Hunk("  return x", "  return round(x)", heading="def total(cart):"))
    assert (place.symbol, place.context) == ("total", "def total(cart):")


def test_a_hunk_that_brings_its_own_context_is_placed_by_it() -> None:
    place = anchors.anchor(Hunk("def total(cart):\n    return x", "def total(cart):\n    return round(x)"))
    assert place.symbol == "total"


def test_names_that_came_and_went_are_told_over_all_hunks() -> None:
    hunks = [
        Hunk("return sum_prices(cart)", "return scratch_name(cart)"),
        Hunk("return scratch_name(cart)", "return round_half_up(cart)"),
    ]
    assert anchors.names_changed(hunks) == (["round_half_up"], ["sum_prices"])


def test_words_of_comments_and_sentences_are_no_names() -> None:
    hunk = Hunk(
        "", '# rounding strategy\nraise ValueError("cannot round that")  // because reasons\nfoo_bar()'
    )
    assert anchors.names_changed([hunk])[0] == ["ValueError", "foo_bar"]


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=5))
def test_changes_that_are_undone_leave_nothing(pairs: list[tuple[str, str]]) -> None:
    there = [Hunk(old, new) for old, new in pairs]
    back = [Hunk(new, old) for old, new in reversed(pairs)]
    assert anchors.taken_back([*there, *back])
    assert anchors.names_changed([*there, *back]) == ([], [])
