"""Databases of version 13 and older: names that only a keyboard tells apart, notes, links, days."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.free_text import spelling_key
from scorekeeper.rules.game import Round
from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.games import searchable
from scorekeeper.store.opening import open_store
from scorekeeper.store.players import player_of_name
from scorekeeper.store.tables import join, make_join_key, set_zone_of_table
from tests.store.play import START, Keeper, everything
from tests.store.test_older_versions import THEN, Rows, make, rows_of_version_7

TYPED, CURLY = "O'Neil", "O\u2019Neil"
OTHERS = ("East", "South", "West")
WIN = Round((10, 1, 1, 1), (10, 0, 0, 0)).noted(remark="It\u2019s North\u2019s")


@pytest.fixture(params=[7, 13])
def old(request: pytest.FixtureRequest, tmp_path: Path, data: Path, database: str) -> Keeper:
    """Who played before: two players whose names a keyboard tells apart, in a game each and in one.

    The phone made a link, and a game has a note, of which version 7 knew nothing yet.
    """
    (tmp_path / "before").mkdir()
    with Store(tmp_path / "before") as store:
        keeper = Keeper(store)
        with store.write() as db:
            player_of_name(db, keeper.table_id, TYPED)
            player_of_name(db, keeper.table_id, CURLY, exact=True)
            make_join_key(db, keeper.table_id, "Ben", keeper.now(), keeper.phone.id)
            set_zone_of_table(db, keeper.table_id, "Pacific/Auckland")
        for names in ((TYPED, *OTHERS), (CURLY, *OTHERS), (TYPED, "East", CURLY, "West")):
            noted = WIN if request.param == 13 else WIN.noted(remark="")
            keeper.put(keeper.put(keeper.begin(names=names), 1, noted), 2, WIN.noted(remark=""))
        rows = rows_then(store, request.param)
    make(data, database, request.param, rows)
    return keeper


def rows_then(store: Store, version: int) -> Rows:
    """Return the rows of a store as a program of that version wrote them."""
    rows = rows_of_version_7(store.db) if version == 7 else everything(store.db)
    rows |= {name: [row[:n] for row in rows[name]] for name, n in THEN.items()}
    rows["players"] = [(*row[:3], spelling_key(row[2]), *row[4:]) for row in rows["players"]]
    if version == 13:
        rows["games"] = [(*row[:-1], row[-1].replace("'", "\u2019")) for row in rows["games"]]
    return rows


@pytest.fixture
def store(old: Keeper, data: Path) -> Iterator[Store]:
    with open_store(data) as store:
        yield store


def test_twins_stay_two_players_and_each_is_found(old: Keeper, store: Store) -> None:
    keys = store.db.execute("SELECT id, name, same_name FROM players ORDER BY id").fetchall()
    assert keys[:2] == [(1, TYPED, "o'neil"), (2, CURLY, "o'neil")]
    keeper = Keeper(store, table_id=old.table_id)
    for name, player_id in ((TYPED, 1), (CURLY.upper(), 2), ("O`Neil", 1), ("o\u2032neil", 1)):
        game = keeper.begin(names=(name, *OTHERS))
        assert game.player_ids[0] == player_id, name
    assert list(faults(store)) == []


def test_notes_are_found_with_every_apostrophe(old: Keeper, store: Store) -> None:
    games = store.db.execute("SELECT id, remarks FROM games").fetchall()
    keeper = Keeper(store, table_id=old.table_id)
    assert games
    for game_id, remarks in games:
        assert remarks == searchable(keeper.load(game_id).rounds)
        assert remarks in ("", "it's north's")


def test_nobody_knows_who_made_old_links(old: Keeper, store: Store) -> None:
    assert store.db.execute("SELECT label, made_by FROM keys").fetchall() == [("Ben", None)]
    assert store.db.execute("SELECT DISTINCT joined_by FROM phones").fetchall() == [(None,)]
    with store.write() as db:
        key = make_join_key(db, old.table_id, "Eve", START, old.phone.id)
        assert join(db, old.table_id, "Eve's phone", START, key).table_id == old.table_id


def test_results_have_the_day_at_the_table_and_the_winner(old: Keeper, store: Store) -> None:
    query = "SELECT DISTINCT game_id, started, day, winner FROM game_results ORDER BY started"
    rows = store.db.execute(query).fetchall()
    assert [row[-1] for row in rows] == [TYPED, CURLY, TYPED]
    assert {row[1][:10] for row in rows} == {"2026-01-03"}
    zone = store.db.execute("SELECT zone FROM tables").fetchone()[0]
    if zone:  # of which version 7 knew nothing
        assert {row[2] for row in rows} == {"2026-01-04"}
    with store.write() as db:
        set_zone_of_table(db, old.table_id, "America/Lima")
    assert {row[2] for row in store.db.execute(query).fetchall()} == {"2026-01-03"}
