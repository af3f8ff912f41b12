"""A database of version 1 of the schema is brought up to date with nothing lost or changed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.rules.round import Round
from scorekeeper.store.changes import is_in_history
from scorekeeper.store.check import faults
from scorekeeper.store.database import FILE, Store
from scorekeeper.store.games import load_game
from scorekeeper.store.restore import restore
from scorekeeper.store.tables import find_phone
from tests.store.play import START, Keeper
from tests.store.test_schema import schema_of

pytestmark = pytest.mark.sqlite

VERSION_1 = Path(__file__).with_name("version_1.sql")
PUBLISHED = "SELECT id, table_id, version FROM games WHERE table_id NOT LIKE 'import-%' ORDER BY id"
RENAMED = {"takers": "claims", "watches": "watch_links"}  # in version 16


@pytest.fixture
def old(data: Path) -> Iterator[sqlite3.Connection]:
    """A database of version 1: games, one of them removed, players merged, a killed import."""
    with closing(sqlite3.connect(data / FILE)) as db:
        db.executescript(VERSION_1.read_text("utf-8"))
        db.row_factory = sqlite3.Row
        yield db


def test_every_published_row_is_there_with_its_table(old: sqlite3.Connection, data: Path) -> None:
    games = [tuple(row) for row in old.execute(PUBLISHED)]
    ids = ", ".join(f"'{game[0]}'" for game in games)
    kept = {
        RENAMED.get(name, name):
        old.execute(f"SELECT count(*) FROM {name} WHERE game_id IN ({ids})").fetchone()[0]
        for name in ("seats", "takers", "watches", "rounds", "bids", "changes", "results",
                     "outcomes", "player_games", "requests")
    }  # fmt: skip
    with Store(data) as store:
        assert [tuple(row) for row in store.db.execute(PUBLISHED)] == games
        for name, count in kept.items():
            assert count > 0
            rows = store.db.execute(
                f"SELECT count(*) FROM {name} JOIN games "
                f"ON games.table_id = {name}.table_id AND games.id = game_id"
            )
            assert rows.fetchone() == (count,), name
        assert list(faults(store)) == []


def test_the_journal_keeps_its_hashes_and_grows(old: sqlite3.Connection, data: Path) -> None:
    lines = old.execute("SELECT * FROM changes ORDER BY id").fetchall()
    with Store(data) as store:
        for row in lines:
            game = load_game(store.db, _table_of(store, row["game_id"]), row["game_id"])
            if game is not None:
                assert is_in_history(store.db, game, row["version"], row["hash"])
        open_game = old.execute(
            "SELECT game_id, phone_id FROM changes WHERE kind = 'bid' ORDER BY id DESC"
        ).fetchone()
        phone = find_phone(store.db, open_game["phone_id"])
        assert phone is not None
        keeper = Keeper(store, table_id=phone.table_id)
        keeper.moment = START.replace(year=2027)
        game = keeper.load(open_game["game_id"])
        for step in (keeper.undo, keeper.redo):
            game = step(game)
        keeper.put(game, len(game.rounds), Round((3, 2, 1, 4), (3, 3, 1, 3)))
        keeper.begin()
        assert list(faults(store)) == []


def test_the_schema_is_the_same_as_a_new_one(
    old: sqlite3.Connection, data: Path, tmp_path: Path
) -> None:
    with Store(data) as store, Store(tmp_path) as new:
        assert schema_of(store.db) == schema_of(new.db)


def test_a_backup_of_it_can_be_restored(
    old: sqlite3.Connection, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "new").mkdir()
    assert restore(tmp_path / "new", data / FILE).startswith("Restored 4 games")
    with Store(tmp_path / "new") as store:
        assert list(faults(store)) == []


def _table_of(store: Store, game_id: str) -> str:
    row = store.db.execute("SELECT table_id FROM games WHERE id = ?", [game_id]).fetchone()
    return str(row[0]) if row else ""
