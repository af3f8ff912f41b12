"""A database of version 3, which has no substitutes, is brought up to date on both databases."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from scorekeeper.rules.game import Round
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.database.migrations import SCHEMA_VERSION, TABLES, steps
from scorekeeper.store.database.store import FILE, Store, StoreRefused
from scorekeeper.store.maintenance.check import faults
from scorekeeper.store.opening import open_postgresql, open_store
from tests import postgresql
from tests.store.play import Keeper, everything

WIN = Round((10, 1, 1, 1), (10, 0, 0, 0))
Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def played(tmp_path: Path) -> Keeper:
    """A finished game and one that goes on, as their rows are in version 3."""
    (tmp_path / "before").mkdir()
    with Store(tmp_path / "before") as store:
        keeper = Keeper(store)
        keeper.put(keeper.put(keeper.begin(), 1, WIN), 2, WIN)
        keeper.put(keeper.begin(), 1, Round((3, 2, 1, 4), (3, 3, 1, 3)))
    return keeper


@pytest.fixture
def old(played: Keeper, data: Path, database: str) -> Rows:
    """A database of version 3, and the rows in it."""
    rows = everything(played.db)
    played.store.close()
    assert not rows.pop("substitutes") + rows.pop("conflicts")
    (_on_sqlite if database == "sqlite" else _on_postgresql)(data, rows)
    return rows


def _rows_then(rows: Rows) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the rows of version 3: those of players had streaks and no side, tables no zone."""
    then = {
        "player_games": lambda row: row[:5] + row[6:9] + (0, 0) + row[9:],
        "tables": lambda row: row[:2],
    }
    for name in rows:
        for row in rows[name]:
            yield name, then.get(name, tuple)(row)


def _on_sqlite(data: Path, rows: Rows) -> None:
    with closing(Database(data / FILE)) as db:
        steps.apply(db, stop_before="substitutes")
        for name, row in _rows_then(rows):
            db.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
        db.execute("PRAGMA user_version = 3")


def _on_postgresql(data: Path, rows: Rows) -> None:
    import psycopg

    from scorekeeper.store.database.postgresql.schema import SCHEMA

    url = os.environ["SCOREKEEPER_DATABASE"]
    postgresql.remake(url)
    with psycopg.connect(url) as connection:
        connection.execute(SCHEMA.encode())
        connection.execute("INSERT INTO schema_version VALUES (3)")
        for name, row in _rows_then(rows):
            places = ", ".join(["%s"] * len(row))
            connection.execute(f"INSERT INTO {name} VALUES ({places})".encode(), row)
        connection.execute(
            "SELECT setval(pg_get_serial_sequence('changes', 'sequence'), max(sequence)) "
            "FROM changes"
        )


@pytest.fixture
def store(old: Rows, data: Path) -> Iterator[Store]:
    with open_store(data) as store:
        yield store


def test_nothing_is_lost_or_changed(old: Rows, store: Store) -> None:
    assert everything(store.db) == {**old, "substitutes": [], "conflicts": []}
    assert list(faults(store)) == []
    assert [*old, "substitutes", "conflicts"] == [*TABLES]


def test_players_can_change_in_an_old_game(old: Rows, store: Store, played: Keeper) -> None:
    keeper = Keeper(store, table_id=played.table_id)
    keeper.moment = played.moment
    (game_id,) = {row[1] for row in old["games"]} - {row[1] for row in old["outcomes"]}
    round_ = Round((3, 2, 1, 4), (3, 3, 1, 3), substitutes=(Substitute(1, "Ana"),))
    keeper.put(keeper.load(game_id), 2, round_)
    sheet = store.db.execute("SELECT round, player FROM score_sheet WHERE game_id = ? "
                             "AND seat = 2 ORDER BY round", [game_id])  # fmt: skip
    assert sheet.fetchall() == [(1, "East"), (2, "Ana")]
    assert list(faults(store)) == []


def test_it_is_migrated_once(old: Rows, data: Path) -> None:
    for _start in range(2):
        with open_store(data) as store:
            Keeper(store).begin()
            assert list(faults(store)) == []


@pytest.mark.postgresql
@pytest.mark.parametrize("version", [2, SCHEMA_VERSION + 1])
def test_a_version_that_postgresql_never_had_is_refused(
    postgresql_server: Path, tmp_path: Path, version: int
) -> None:
    import psycopg

    with postgresql.schema(postgresql_server) as url:
        open_postgresql(url, tmp_path).close()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE schema_version SET version = %s", [version])
            for _start in range(2):
                with pytest.raises(StoreRefused, match=f"data version {version};"):
                    open_postgresql(url, tmp_path)
            assert connection.execute("SELECT version FROM schema_version").fetchone() == (version,)
