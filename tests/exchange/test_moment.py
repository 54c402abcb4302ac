"""An export is of one moment, whatever others write meanwhile."""

from __future__ import annotations

from pathlib import Path

from honed.exchange.vault import MANIFEST, export_vault
from honed.store.sqlite import SqliteStore
from tests.store.making import OTHER_PROJECT, draft, evidence, hand, keep, learned


def vault(store: SqliteStore, folder: Path) -> dict[str, bytes]:
    """The files of an export, without the manifest."""
    export_vault(store, str(folder))
    found = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.md"))}
    assert (folder / MANIFEST).exists()
    return found


def test_an_export_is_of_one_moment(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    with SqliteStore.open(home) as store, SqliteStore.open(home) as other:
        (first, second) = keep(store, learned(), learned(draft("second"), slug="second"))
        before = vault(store, tmp_path / "before")
        written: list[str] = []

        def write(statement: str) -> None:
            if statement.startswith("SELECT") and "skill_evidence" in statement and not written:
                written.append(statement)
                keep(
                    other,
                    evidence(first.subject, "s1"),
                    evidence(second.subject, "s1"),
                    hand("pinned", second.subject),
                    learned(draft("third"), slug="third", project=OTHER_PROJECT),
                )

        store._connection.set_trace_callback(write)
        during = vault(store, tmp_path / "during")
        store._connection.set_trace_callback(None)
        assert written
        assert during == before
        assert len(vault(store, tmp_path / "after")) == 3
