"""An import in many short transactions is invisible before its end, and all or nothing."""

import io
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from scorekeeper.files.exports import csv_pieces
from scorekeeper.rules.game import Round
from scorekeeper.store import duplicates
from scorekeeper.store.abandoned_imports import CleanUp, abandoned, delete_abandoned
from scorekeeper.store.changes import changes_of
from scorekeeper.store.database import batches
from scorekeeper.store.database.errors import StoreError
from scorekeeper.store.database.store import Store
from scorekeeper.store.game_record import GameRecord, game_record
from scorekeeper.store.history import Search, remove_game, search
from scorekeeper.store.imports import InvalidJournal, add_new
from scorekeeper.store.maintenance.check import check, faults
from scorekeeper.store.maintenance.restore import restore
from scorekeeper.store.opening import open_store
from scorekeeper.store.staging import ImportRunning
from scorekeeper.store.stats.players import (
    BothPlayed,
    find_player,
    game_of_both,
    merge,
    namesake,
    players_called,
)
from scorekeeper.store.stats.queries import players_of
from tests.store.disagreements import disagreements
from tests.store.many_games import exported
from tests.store.play import Keeper
from tests.store.test_hash_chain import NOTHING_FOUND

NAMES = ("North", "East", "South", "West")
WIN = Round((10, 1, 1, 1), (10, 0, 0, 0))
TABLES = (
    "tables",
    "players",
    "games",
    "seats",
    "rounds",
    "bids",
    "changes",
    "results",
    "outcomes",
    "player_games",
)


class Killed(BaseException):
    """The end of a program in the middle of a step."""


@pytest.fixture
def games(tmp_path: Path) -> list[GameRecord]:
    """Three games of another house: two are over, and in the last a bid was corrected."""
    (tmp_path / "elsewhere").mkdir()
    store = Store(tmp_path / "elsewhere")
    store.backups.end()
    other = Keeper(store)
    for names in (NAMES, ("North", "East", "Ana", "Ben")):
        other.put(other.put(other.begin(names=names), 1, WIN), 2, WIN)
    game = other.put(other.begin(), 1, WIN)
    other.put(game, 1, Round((9, 1, 1, 1), (10, 0, 0, 0)), "corrected")
    ids = [row[0] for row in store.db.execute("SELECT id FROM games ORDER BY started")]
    whole = [game_record(store.db, other.load(game_id)) for game_id in ids]
    store.close()
    return whole


def in_every_step(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Let others act wherever a long piece of work may be interrupted."""
    clock = itertools.count()
    slow = SimpleNamespace(monotonic=lambda: next(clock), sleep=lambda _seconds: act())
    monkeypatch.setattr(batches, "time", slow)


def rows_of(store: Store) -> dict[str, int]:
    return {name: store.db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in TABLES}


def bring(keeper: Keeper, games: list[GameRecord]) -> dict[str, int]:
    return dict(add_new(keeper.store, keeper.table_id, games, keeper.phone.id, keeper.now()))


def kill(monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord], at: int) -> None:
    """Import, and end the program before a step; what it would tidy up stays."""
    left = itertools.count(-at)

    def maybe() -> None:
        if next(left) >= 0:
            raise Killed

    with monkeypatch.context() as patch:
        in_every_step(patch, maybe)
        patch.setattr("scorekeeper.store.staging.delete_abandoned", lambda _store: None)
        with pytest.raises(Killed):
            bring(keeper, games)


def test_what_others_see_changes_only_at_the_end(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    own = keeper.put(keeper.begin(names=("North", "Kim", "South", "West")), 1, WIN)
    (north,) = players_called(keeper.db, keeper.table_id, "North", 2)
    before = exported(keeper.store, csv_pieces), players_of(keeper.db, keeper.table_id)
    seen = []

    def look() -> None:
        seen.append(keeper.db.execute("SELECT count(*) FROM results").fetchone()[0])
        assert (
            exported(keeper.store, csv_pieces),
            players_of(keeper.db, keeper.table_id),
        ) == before
        found = search(keeper.db, keeper.table_id, Search(players=([north.id],)))
        assert found is not None
        assert [game.id for game in found.games] == [own.id]
        assert players_called(keeper.db, keeper.table_id, "Ana", 2) == []
        assert disagreements(keeper.db) == []
        assert list(faults(keeper.store)) == []

    with monkeypatch.context() as patch:
        in_every_step(patch, look)
        # The last steps only tidy up.
        patch.setattr("scorekeeper.store.staging.delete_abandoned", lambda _store: None)
        assert bring(keeper, games) == {"new": 3}
    assert len(seen) > 12
    assert len(set(seen)) > 3, "nobody looked while there was something to see"
    delete_abandoned(keeper.store)
    assert exported(keeper.store, csv_pieces).count(b"\n") == before[0].count(b"\n") + 5 * 4
    assert disagreements(keeper.db) == []
    assert list(faults(keeper.store)) == []


def test_phones_record_in_between_and_the_journals_hold(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    begin = partial(keeper.begin, names=("Kim", "East", "Ana", "West"))
    own = [begin()]

    def tap() -> None:
        game = own[-1]
        own.append(
            begin() if game.state.phase == "over" else keeper.put(game, len(game.rounds) + 1, WIN)
        )

    with monkeypatch.context() as patch:
        in_every_step(patch, tap)
        assert bring(keeper, games) == {"new": 3}
    assert len(own) > 12
    assert disagreements(keeper.db) == []
    assert list(faults(keeper.store)) == []


def test_what_a_phone_recorded_meanwhile_is_not_added_again(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    sheets = [game._replace(id="", started="", lines=()) for game in games]
    once = iter([True])

    def record() -> None:
        if next(once, None):
            keeper.put(keeper.put(keeper.begin(), 1, WIN), 2, WIN)

    with monkeypatch.context() as patch:
        in_every_step(patch, record)
        assert bring(keeper, sheets) == {"new": 2, "same": 1}
    assert rows_of(keeper.store)["games"] == 3
    assert bring(keeper, sheets) == {"same": 3}
    assert list(faults(keeper.store)) == []


def test_a_player_who_came_meanwhile_is_the_same_person(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    begin = iter([lambda: keeper.begin(names=("Ana", "Ben", "North", "Kim"))])
    with monkeypatch.context() as patch:
        in_every_step(patch, lambda: next(begin, int)() and None)
        assert bring(keeper, games) == {"new": 3}
    names = "SELECT name FROM players WHERE merged_into IS NULL ORDER BY name"
    assert [row[0] for row in keeper.db.execute(names)] == [
        "Ana", "Ben", "East", "Kim", "North", "South", "West",
    ]  # fmt: skip
    (ana,) = players_called(keeper.db, keeper.table_id, "Ana", 2)
    found = search(keeper.db, keeper.table_id, Search(players=([ana.id],)))
    assert found is not None
    assert len(found.games) == 2
    assert disagreements(keeper.db) == []
    assert list(faults(keeper.store)) == []


def test_players_merged_meanwhile_stay_merged(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    keeper.begin(names=("North", "Souht", "East", "West"))
    keeper.begin(names=("South", "Kim", "East", "West"))
    called = {
        name: players_called(keeper.db, keeper.table_id, name, 2)[0] for name in ("South", "Souht")
    }
    wait = itertools.count()

    def join_them() -> None:
        if next(wait) == 9:
            with keeper.store.write() as db:
                merge(db, keeper.table_id, called["South"], called["Souht"], "Souht")

    with monkeypatch.context() as patch:
        in_every_step(patch, join_them)
        assert bring(keeper, games) == {"new": 3}
    assert find_player(keeper.db, keeper.table_id, called["South"].id) is None
    assert disagreements(keeper.db) == []
    assert list(faults(keeper.store)) == []


def test_a_player_cannot_become_another_of_the_same_game(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    keeper.begin()
    (east,) = players_called(keeper.db, keeper.table_id, "East", 2)
    refused = []

    def call_her_ana() -> None:
        ana = namesake(keeper.db, keeper.table_id, east, "Ana")
        if ana and game_of_both(keeper.db, keeper.table_id, east, ana):
            with pytest.raises(BothPlayed), keeper.store.write() as db:
                merge(db, keeper.table_id, east, ana, "Ana")
            refused.append(ana)

    with monkeypatch.context() as patch:
        in_every_step(patch, call_her_ana)
        assert bring(keeper, games) == {"new": 3}
    assert refused
    assert list(faults(keeper.store)) == []


@pytest.mark.parametrize("at", [1, 2, 4, 8, 12, 16])
def test_nothing_is_left_of_an_import_that_was_killed(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord], at: int
) -> None:
    keeper.put(keeper.begin(), 1, WIN)
    before, sheet = rows_of(keeper.store), exported(keeper.store, csv_pieces)
    kill(monkeypatch, keeper, games, at)
    assert abandoned(keeper.db)
    assert list(faults(keeper.store)) == []
    assert exported(keeper.store, csv_pieces) == sheet
    store = open_store(keeper.store.path.parent)
    cleaning = CleanUp(store)
    cleaning.wait()
    cleaning.end()
    assert rows_of(store) == before
    with pytest.raises(StoreError, match="only ever appended"):
        store.db.execute("DELETE FROM changes")
    store.close()
    assert list(faults(keeper.store)) == []


def test_an_import_tidies_up_after_one_that_was_killed(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    kill(monkeypatch, keeper, games, 15)
    assert bring(keeper, games) == {"new": 3}
    assert abandoned(keeper.db) == []
    assert rows_of(keeper.store)["games"] == 3
    assert {game.id for game in games} == {
        row[0] for row in keeper.db.execute("SELECT id FROM games")
    }


def test_a_start_leaves_an_import_alone_that_is_running(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    kill(monkeypatch, keeper, games, 10)
    left = rows_of(keeper.store)
    running = keeper.store.hold_imports()
    assert running is not None
    cleaning = CleanUp(keeper.store)
    cleaning.wait()
    assert rows_of(keeper.store) == left
    running.release()


def test_a_server_that_ends_does_not_wait_until_all_is_tidy(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    kill(monkeypatch, keeper, games, 15)
    cleaning = CleanUp(keeper.store)
    cleaning.end()
    assert cleaning.wait(0)
    delete_abandoned(keeper.store)
    assert list(faults(keeper.store)) == []


@pytest.mark.sqlite
def test_a_backup_made_meanwhile_can_be_restored(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord], tmp_path: Path
) -> None:
    keeper.put(keeper.begin(), 1, WIN)
    kill(monkeypatch, keeper, games, 15)
    keeper.store.db.execute("VACUUM INTO ?", [str(tmp_path / "backup.db")])
    (tmp_path / "new").mkdir()
    assert restore(tmp_path / "new", tmp_path / "backup.db").startswith("Restored 1 game")
    out = io.StringIO()
    assert check(tmp_path / "new", out) == 0
    assert out.getvalue() == f"Checked 1 game, 0 with errors.\n{NOTHING_FOUND}\n"


def test_a_game_at_fault_leaves_nothing_of_the_others(
    keeper: Keeper, games: list[GameRecord]
) -> None:
    before = rows_of(keeper.store)
    forged = games[-1]._replace(rounds=games[-1].rounds[:-1])
    with pytest.raises(InvalidJournal):
        bring(keeper, [*games[:2], forged])
    assert rows_of(keeper.store) == before


def test_what_is_refused_at_the_end_leaves_nothing(keeper: Keeper, games: list[GameRecord]) -> None:
    before, asked = rows_of(keeper.store), []

    def allow(db: object, new: int) -> None:
        asked.append(new)
        if keeper.db.in_transaction:
            raise PermissionError

    with pytest.raises(PermissionError):
        add_new(keeper.store, keeper.table_id, games, None, keeper.now(), allow=allow)
    assert asked[-1] == 3
    assert rows_of(keeper.store) == before


def test_two_phones_with_the_same_file_add_it_once(data: Path, games: list[GameRecord]) -> None:
    keeper = Keeper(open_store(data))
    imported = []

    def bring_too() -> None:
        store = open_store(data)
        imported.append(dict(add_new(store, keeper.table_id, games, None, keeper.now())))
        store.backups.end()
        store.close()

    threads = [Thread(target=bring_too) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(imported, key=str) == [{"new": 3}, {"same": 3}, {"same": 3}]
    assert list(faults(keeper.store)) == []
    keeper.store.backups.end()
    keeper.store.close()


def test_an_import_waits_no_longer_than_it_is_told(keeper: Keeper, games: list[GameRecord]) -> None:
    running = keeper.store.hold_imports()
    assert running is not None
    with pytest.raises(ImportRunning):
        add_new(keeper.store, keeper.table_id, games, None, keeper.now(), patience=0)
    running.release()
    assert bring(keeper, games) == {"new": 3}


@pytest.mark.sqlite
def test_one_backup_follows_an_import_and_none_its_steps(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(keeper.store.backups, "ask", lambda: asked.append(keeper.db.in_transaction))
    in_every_step(monkeypatch, lambda: None)
    bring(keeper, games)
    assert asked == [False]


def test_games_that_may_be_the_same_are_read_once(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper
) -> None:
    game = game_record(keeper.db, keeper.put(keeper.begin(), 1, WIN))
    sheets = [
        game._replace(id="", started="", lines=(), starters=("North", f"East {n}", "South", "West"))
        for n in range(20)
    ]
    assert bring(keeper, sheets) == {"new": 20}
    read = []
    load = duplicates.load_game
    monkeypatch.setattr(duplicates, "load_game", lambda *a, **k: read.append(a) or load(*a, **k))
    assert bring(keeper, sheets) == {"same": 20}
    assert len(read) < 5 * 21, "each game of the file was compared with each of the table"


def test_results_are_put_right_while_phones_record(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, data: Path
) -> None:
    for names in (NAMES, ("Ana", "Ben", "Cy", "Dana"), NAMES):
        keeper.put(keeper.put(keeper.begin(names=names), 1, WIN), 2, WIN)
    with keeper.store.write() as db:
        db.execute("DELETE FROM player_games WHERE player_id % 2 = 1")
        db.execute("UPDATE results SET total = total + 1 WHERE seat = 2")
    others = iter([lambda: keeper.put(keeper.begin(), 1, WIN)] * 3)
    in_every_step(monkeypatch, lambda: next(others, int)() and None)
    assert check(data, io.StringIO(), rebuild=True) == 0
    monkeypatch.undo()
    assert next(others, None) is None
    assert disagreements(keeper.db) == []
    assert list(faults(keeper.store)) == []


def test_a_step_that_fails_is_undone_alone(monkeypatch: pytest.MonkeyPatch, keeper: Keeper) -> None:
    def work() -> Iterator[None]:
        for n in range(3):
            keeper.db.execute("INSERT INTO tables (id, made) VALUES (?, '')", [f"{n}"])
            yield
        raise ZeroDivisionError

    before = rows_of(keeper.store)["tables"]
    in_every_step(monkeypatch, lambda: None)
    with pytest.raises(ZeroDivisionError):
        batches.in_steps(keeper.store, work())
    assert rows_of(keeper.store)["tables"] == before + 3


def test_the_journal_of_what_came_in_has_its_own_lines_alone(
    keeper: Keeper, games: list[GameRecord]
) -> None:
    bring(keeper, games)
    for game in games:
        assert len(changes_of(keeper.db, keeper.load(game.id))) == len(game.lines)
    with keeper.store.write() as db:
        remove_game(db, keeper.load(games[0].id), None, keeper.now())
    assert bring(keeper, games) == {"removed": 1, "same": 2}
