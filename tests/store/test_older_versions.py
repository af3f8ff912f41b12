"""Databases of earlier versions are brought up to date.

Version 3, which only SQLite had, has no substitutes. Version 7 has a row for each seat and bid.
"""

import os
import random
import re
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest
import sqlite_utils

from scorekeeper.files.exports import csv_pieces, json_pieces
from scorekeeper.rules.faces import FACES, SHAPES
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.seating import Substitute
from scorekeeper.store import statistics
from scorekeeper.store.check import faults
from scorekeeper.store.connection import Database, StoreError
from scorekeeper.store.database import FILE, Store, StoreRefused
from scorekeeper.store.entry import store_conflict
from scorekeeper.store.games import load_game, recent_games
from scorekeeper.store.history import remove_game
from scorekeeper.store.migrations import SCHEMA_VERSION, TABLES, steps
from scorekeeper.store.opening import open_postgresql, open_store
from scorekeeper.store.players import Player, merge, player_of_name
from tests import postgresql
from tests.store import many_games
from tests.store.many_games import a_store, exported, play
from tests.store.play import START, Keeper, everything

WIN = Round((10, 1, 1, 1), (10, 0, 0, 0))
# The columns that tables had before version 14, players' games before 17.
THEN = {"keys": 5, "phones": 5, "outcomes": 5, "player_games": 22, "tables": 3}
# The names that tables had before version 16.
OLD_NAMES = {"claims": "takers", "watch_links": "watches"}
Rows = dict[str, list[tuple[Any, ...]]]
FACES_IN_FILE = re.compile(rb',"faces":\[[^]]*\]')


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
def old(played: Keeper, data: Path) -> Rows:
    """A database of version 3, and the rows in it."""
    rows = everything(played.db)
    then = rows_of_version_7(played.db)
    played.store.close()
    assert not then.pop("substitutes") + then.pop("conflicts")
    # They had streaks in place of the side.
    then["player_games"] = [row[:5] + row[6:9] + (0, 0) + row[9:] for row in then["player_games"]]
    make(data, "sqlite", 3, then)
    return rows


def rows_of_version_7(db: Database, killed: Collection[str] = ()) -> Rows:
    """Return the rows of a database as they were when a game was not one row yet.

    Some games are `killed`: of an import that was killed, which had made them removed ones.
    """
    rows = everything(db)
    for view in ("seats", "rounds", "bids", "substitutes"):
        rows[view] = db.execute(f"SELECT * FROM {view}").fetchall()
    for name, columns in THEN.items():
        rows[name] = [row[:columns] for row in rows[name]]
    without_faces = [row[:5] for row in rows["players"]]
    merged_last = sorted(without_faces, key=lambda row: row[-1] is not None)
    games = [
        (*row[:-4], *(("2026", "killed") if row[1] in killed else (row[-4], None)))
        for row in rows["games"]
    ]
    without_zones = [row[:2] for row in rows["tables"]]
    rows["results"] = [row[:-1] for row in rows["results"]]  # without points by hand
    return rows | {"games": games, "players": merged_last, "tables": without_zones}


def _without_links(rows: Rows) -> Rows:
    """Return rows without who made a link and who came by which, which nobody knows of before."""
    return rows | {name: [row[:5] for row in rows[name]] for name in ("keys", "phones")}


def make(data: Path, database: str, version: int, rows: Rows) -> None:
    """Make a database of an earlier version with some rows."""
    inserts = [
        (f"INSERT INTO {OLD_NAMES.get(name, name)} VALUES ({', '.join('?' * len(row))})", row)
        for name in rows
        for row in rows[name]
    ]
    if database == "postgresql":
        _make_on_postgresql(version, inserts)
        return
    with closing(sqlite_utils.Database(data / FILE)) as db:
        steps.apply(db, stop_before={3: "substitutes", 7: "game_rows", 13: "one_name"}[version])
        for insert, row in inserts:
            db.execute(insert, row)
        db.execute(f"PRAGMA user_version = {version}")


def _make_on_postgresql(version: int, inserts: list[tuple[str, Any]]) -> None:
    import psycopg

    from scorekeeper.store.postgresql.store import Translator, make_schema

    url = os.environ["SCOREKEEPER_DATABASE"]
    postgresql.remake(url)
    with psycopg.connect(url) as connection:
        make_schema(Translator(connection.execute), version)
        for insert, row in inserts:
            connection.execute(insert.replace("?", "%s").encode(), row)
        connection.execute(
            "SELECT setval(pg_get_serial_sequence('changes', 'sequence'), max(sequence)) "
            "FROM changes"
        )


@pytest.fixture
def store(old: Rows, data: Path) -> Iterator[Store]:
    with open_store(data) as store:
        yield store


@pytest.mark.sqlite
def test_nothing_is_lost_or_changed(old: Rows, store: Store) -> None:
    assert _without_links(everything(store.db)) == _without_links(old)
    assert list(faults(store)) == []
    assert [*old] == [*TABLES]


@pytest.mark.sqlite
def test_players_can_change_in_an_old_game(old: Rows, store: Store, played: Keeper) -> None:
    keeper = Keeper(store, table_id=played.table_id)
    keeper.moment = played.moment
    (game_id,) = {row[1] for row in old["games"]} - {row[1] for row in old["outcomes"]}
    round_ = Round((3, 2, 1, 4), (3, 3, 1, 3)).noted(substitutes=(Substitute(1, "Ana"),))
    keeper.put(keeper.load(game_id), 2, round_)
    sheet = store.db.execute("SELECT round, player FROM score_sheet WHERE game_id = ? "
                             "AND seat = 2 ORDER BY round", [game_id])  # fmt: skip
    assert sheet.fetchall() == [(1, "East"), (2, "Ana")]
    assert list(faults(store)) == []


@pytest.mark.sqlite
def test_it_is_migrated_once(old: Rows, data: Path) -> None:
    for _start in range(2):
        with open_store(data) as store:
            Keeper(store).begin()
            assert list(faults(store)) == []


class Known(NamedTuple):
    """What people and phones know of the games of a store, and its rows."""

    files: list[bytes]
    revisions: list[tuple[str, str, str]]
    conflicts: list[tuple[Any, ...]]
    statistics: list[Any]
    rows: Rows

    @classmethod
    def of(cls, store: Store, table_id: str) -> Self:
        db, rows = store.db, everything(store.db)
        found = db.execute("SELECT id, removed FROM games ORDER BY id").fetchall()
        games = [load_game(db, table_id, one, removed=gone is not None) for one, gone in found]
        players = db.execute("SELECT id FROM players ORDER BY id").fetchall()
        return cls(
            [FACES_IN_FILE.sub(b"", exported(store, json_pieces)), exported(store, csv_pieces)],
            [(game.id, game.revision, replace(game, faces={}).tag) for game in games if game],
            db.execute("SELECT * FROM conflicts ORDER BY game_id").fetchall(),
            [
                read(db, table_id, player_id)
                for (player_id,) in players
                for read in (statistics.totals_of, statistics.last_games, statistics.pairs_of)
            ],
            # Rounds have players by the ids that they had; they and notes are in the files. Players
            # had no faces.
            _without_links(rows)
            | {"games": [row[:-2] for row in rows["games"]]}
            | {"players": [row[:5] for row in rows["players"]]},
        )


@pytest.fixture
def known(data: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Known, str]:
    """A database of version 7 with random games of every rule book, and what is known of them.

    Among them are a removed game, entries in conflict, and a player who was merged into another;
    besides there are games of an import that was killed, of which nobody knows.
    """
    luck = random.Random(database)
    monkeypatch.setattr(many_games, "PENALTIES", many_games.FAULTS)
    monkeypatch.setattr(many_games, "REMARKS", ("",))  # there were no notes then
    with a_store() as (store, table_id):
        books = [book for book in PRESETS.values() if book.minimum_bid]  # 0 was no bid then
        ids = [play(luck, store, table_id, book, day) for day, book in enumerate(books)]
        ids += [play(luck, store, table_id, PRESETS["partnership"], day) for day in range(20, 25)]
        keeper = Keeper(store, table_id=table_id)
        game = keeper.begin()
        left = Round((None,) * 4).noted(substitutes=(Substitute(1, "Eve"), Substitute(2, None)))
        game = keeper.put(keeper.put(game, 1, WIN), 2, left._replace(bids=(3, 3, None, 3)))
        with store.write() as db:
            store_conflict(db, game, keeper.phone.id, (2, left), keeper.now())
            gone = load_game(db, table_id, ids[0])
            assert gone is not None
            remove_game(db, gone, keeper.phone.id, keeper.now())
            eve, ana = (
                Player(player_of_name(db, table_id, name), name, FACES[0])
                for name in ("Eve", "Ana")
            )
            merge(db, table_id, eve, ana, "Ana")
        found = Known.of(store, table_id)
        killed = _import_and_be_killed(keeper)
        make(data, database, 7, rows_of_version_7(store.db, killed))
    return found, table_id


def _import_and_be_killed(keeper: Keeper) -> list[str]:
    """Store games with players whom others have and players of their own; return their ids."""
    new = Round((3, 2, 1, 4), (3, 3, 1, 3)).noted(substitutes=(Substitute(1, "Xia"),))
    games = [
        keeper.put(keeper.begin(names=("Zoe", "Ana", "Yan", name)), 1, new)
        for name in ("North", "Wim")
    ]
    won = keeper.put(keeper.put(keeper.begin(), 1, WIN), 2, WIN)
    return [game.id for game in (*games, won)]


def test_games_of_version_7_are_the_same_in_one_row(
    known: tuple[Known, str], data: Path, database: str
) -> None:
    before, table_id = known
    with open_store(data) as store:
        assert Known.of(store, table_id) == before
        assert list(faults(store)) == []
        backups = [*(data / "backups").glob("*.db")]  # another follows where a game ends
        for statement in ("DELETE FROM changes", "UPDATE changes SET round = 1"):
            with pytest.raises(StoreError, match="only ever appended"), store.write() as db:
                db.execute(statement)
        keeper = Keeper(store, table_id=table_id)
        keeper.moment = START.replace(year=2027)
        for game in recent_games(store.db, table_id, 3):
            keeper.undo(keeper.load(game.id))
            keeper.redo(keeper.load(game.id))
        assert list(faults(store)) == []
    assert len(backups) == (1 if database == "sqlite" else 0)
    for backup in backups:
        with closing(sqlite_utils.Database(backup)) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (7,)
            assert "bids" in db.table_names()


def test_every_player_gets_a_face(known: tuple[Known, str], data: Path) -> None:
    with open_store(data) as store:
        query = "SELECT shape, color FROM players WHERE merged_into IS {} ORDER BY id"
        here, merged = (
            store.db.execute(query.format(state)).fetchall() for state in ("NULL", "NOT NULL")
        )
        assert len(here) > SHAPES
        assert [*here, *merged] == [*FACES[: len(here) + len(merged)]]
        with store.write() as db:
            player_of_name(db, known[1], "Somebody new")
        newest = "SELECT shape, color FROM players ORDER BY id DESC LIMIT 1"
        assert store.db.execute(newest).fetchone() == FACES[len(here)]


@pytest.mark.postgresql
@pytest.mark.parametrize("version", [6, SCHEMA_VERSION + 1])
def test_a_version_that_was_never_used_on_postgresql_is_refused(
    postgresql_server: Path, tmp_path: Path, version: int
) -> None:
    import psycopg

    with postgresql.schema(postgresql_server) as url:
        open_postgresql(url, tmp_path).close()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE schema_version SET version = %s", [version])
            for _start in range(2):
                with pytest.raises(StoreRefused, match=f"data version {version}, Scorekeeper "):
                    open_postgresql(url, tmp_path)
            assert connection.execute("SELECT version FROM schema_version").fetchone() == (version,)
