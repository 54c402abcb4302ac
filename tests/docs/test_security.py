"""The page on security claims nothing that no test holds."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def _claims() -> list[tuple[str, str]]:
    """The rows of the tables whose second column is headed "held by"."""
    rows: list[tuple[str, str]] = []
    held = False
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            held = False
        elif cells == ["claim", "held by"]:
            held = True
        elif held and len(cells) == 2 and not cells[0].startswith("---"):
            rows.append((cells[0], cells[1]))
    return rows


def test_every_claim_names_a_test() -> None:
    claims = _claims()
    assert len(claims) >= 25
    assert [claim for claim, tests in claims if not re.search(r"`test_\w+`", tests)] == []


def test_every_test_that_the_page_names_exists() -> None:
    there = set[str]()
    for path in (ROOT / "tests").rglob("test_*.py"):
        there.update(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`(test_\w+)`", PAGE)) - there == set()


def test_nothing_of_honeds_listens_on_the_network_or_a_socket() -> None:
    servers = {"http.server", "socketserver", "xmlrpc.server", "wsgiref", "aiohttp", "uvicorn", "starlette"}
    opening = {"listen", "bind", "create_server", "start_server", "start_unix_server", "serve_forever"}
    found = []
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: set[str] = set()
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names} & servers
            elif isinstance(node, ast.ImportFrom):
                names = {node.module or ""} & servers
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                names = {node.func.attr} & opening
            found += [(path.name, name) for name in names]
    assert found == []
