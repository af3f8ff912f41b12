"""Imports in one transaction and in many short ones, which are finished by importing again."""

import io
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.rules.round import Round
from scorekeeper.store import database, imports
from scorekeeper.store.changes import changes_of
from scorekeeper.store.check import check, faults
from scorekeeper.store.database import Store
from scorekeeper.store.history import Search, remove_game, search
from scorekeeper.store.imports import InvalidJournal, add_in_steps, add_new, classify, unfinished
from scorekeeper.store.journal import GameRecord, Who, game_record
from scorekeeper.store.opening import open_store
from scorekeeper.store.players import find_player, merge, players_called
from tests.conftest import server
from tests.store.disagreements import disagreements
from tests.store.play import Keeper

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
    monkeypatch.setattr(database, "time", slow)


def rows_of(store: Store) -> dict[str, int]:
    return {name: store.db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in TABLES}


def bring(keeper: Keeper, games: list[GameRecord]) -> dict[str, int]:
    return dict(add_new(keeper.store, keeper.table_id, games, Who(keeper.phone.id, keeper.now())))


def bring_in_steps(keeper: Keeper, games: list[GameRecord]) -> dict[str, int]:
    return dict(add_in_steps(keeper.store, keeper.table_id, games, keeper.now(), "evening.csv"))


def kill(monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord], at: int) -> None:
    """Import in steps, and end the program after so many of them."""
    left = itertools.count(1 - at)

    def maybe() -> None:
        if next(left) >= 0:
            raise Killed

    with monkeypatch.context() as patch:
        in_every_step(patch, maybe)
        with pytest.raises(Killed):
            bring_in_steps(keeper, games)


def equal_games(many: int) -> list[GameRecord]:
    """Return games of a sheet in which the same was played, without names and times."""
    game = GameRecord("", "", CUTTHROAT_LITE, NAMES, 0, None, (WIN,))
    return [game] * many


def test_an_import_in_steps_adds_what_one_in_one_transaction_does(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    in_every_step(monkeypatch, lambda: None)
    assert bring_in_steps(keeper, games) == {"new": 3}
    assert unfinished(keeper.db) == []
    assert bring(keeper, games) == {"same": 3}
    for game in games:
        assert game_record(keeper.db, keeper.load(game.id)) == game
    assert disagreements(keeper.db) == []
    assert list(faults(keeper.store)) == []


@pytest.mark.parametrize("at", [1, 2, 3])
def test_an_import_that_was_killed_is_told_and_finished_by_another(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    keeper: Keeper,
    data: Path,
    games: list[GameRecord],
    at: int,
) -> None:
    kill(monkeypatch, keeper, games, at)
    assert rows_of(keeper.store)["games"] == at
    (left,) = unfinished(keeper.db)
    assert str(left).startswith("The import of evening.csv, started 20")
    out = io.StringIO()
    assert check(data, out) == 0
    assert str(left) in out.getvalue()
    with server(data):
        assert str(left) in caplog.messages
    assert bring_in_steps(keeper, games) == dict(+Counter(new=3 - at, same=at))
    assert unfinished(keeper.db) == []
    assert {game.id for game in games} == {
        row[0] for row in keeper.db.execute("SELECT id FROM games")
    }
    assert disagreements(keeper.db) == []
    assert list(faults(keeper.store)) == []


@pytest.mark.parametrize("at", [1, 2])
def test_equal_games_of_a_file_are_all_added_and_none_twice(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, at: int
) -> None:
    kill(monkeypatch, keeper, equal_games(3), at)
    assert bring_in_steps(keeper, equal_games(3)) == {"new": 3 - at, "same": at}
    assert bring(keeper, equal_games(3)) == {"same": 3}
    assert bring(keeper, equal_games(4)) == {"new": 1, "same": 3}
    found = classify(keeper.db, keeper.table_id, equal_games(6))
    assert [match for _game, match in found] == ["same"] * 4 + ["new"] * 2


def test_a_game_without_a_time_does_not_take_the_place_of_one_with_its_own(keeper: Keeper) -> None:
    (game,) = equal_games(1)
    file = [game, game._replace(started="2020-01-01T20:00:00+00:00")]
    assert bring(keeper, file) == {"new": 2}
    assert bring(keeper, file) == {"same": 2}


def test_a_game_found_by_its_id_does_not_stand_for_an_equal_one(keeper: Keeper) -> None:
    bring(keeper, equal_games(1))
    (stored,) = keeper.db.execute("SELECT id FROM games").fetchone()
    (game,) = equal_games(1)
    another = game._replace(rounds=(WIN, WIN))
    file = [another, game._replace(id=stored), game]
    assert bring(keeper, file) == {"same": 1, "new": 2}


def test_of_equal_games_the_one_that_is_listed_is_found_first(keeper: Keeper) -> None:
    bring(keeper, equal_games(2))
    first = keeper.db.execute("SELECT id FROM games ORDER BY id DESC").fetchone()[0]
    with keeper.store.write() as db:
        remove_game(db, keeper.load(first), None, keeper.now())
    assert bring(keeper, equal_games(1)) == {"same": 1}
    assert bring(keeper, equal_games(2)) == {"same": 1, "removed": 1}


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
        assert bring_in_steps(keeper, games) == {"new": 3}
    assert len(own) > 3
    assert disagreements(keeper.db) == []
    assert list(faults(keeper.store)) == []


def test_what_a_phone_recorded_meanwhile_is_not_added_again(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    sheets = [game._replace(id="", started="", lines=()) for game in games]
    once = iter([True])

    def record() -> None:
        if next(once, None):
            keeper.put(keeper.put(keeper.begin(names=sheets[1].starters), 1, WIN), 2, WIN)

    with monkeypatch.context() as patch:
        in_every_step(patch, record)
        assert bring_in_steps(keeper, sheets) == {"new": 2, "same": 1}
    assert rows_of(keeper.store)["games"] == 3
    assert bring(keeper, sheets) == {"same": 3}
    assert list(faults(keeper.store)) == []


def test_a_player_who_came_meanwhile_is_the_same_person(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    begin = iter([lambda: keeper.begin(names=("Ana", "Ben", "North", "Kim"))])
    with monkeypatch.context() as patch:
        in_every_step(patch, lambda: next(begin, int)() and None)
        assert bring_in_steps(keeper, games) == {"new": 3}
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
        if next(wait) == 1:
            with keeper.store.write() as db:
                merge(db, keeper.table_id, called["South"], called["Souht"], "Souht")

    with monkeypatch.context() as patch:
        in_every_step(patch, join_them)
        assert bring_in_steps(keeper, games) == {"new": 3}
    assert find_player(keeper.db, keeper.table_id, called["South"].id) is None
    assert disagreements(keeper.db) == []
    assert list(faults(keeper.store)) == []


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
        raise PermissionError

    with pytest.raises(PermissionError):
        add_new(keeper.store, keeper.table_id, games, Who(None, keeper.now()), allow=allow)
    assert asked == [3]
    assert rows_of(keeper.store) == before


def test_two_phones_with_the_same_file_add_it_once(data: Path, games: list[GameRecord]) -> None:
    keeper = Keeper(open_store(data))
    imported = []

    def bring_too() -> None:
        store = open_store(data)
        imported.append(dict(add_new(store, keeper.table_id, games, Who(None, keeper.now()))))
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


def test_others_can_write_between_games_that_are_there_already(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper
) -> None:
    bring(keeper, equal_games(5))
    rests: list[bool] = []
    in_every_step(monkeypatch, lambda: rests.append(keeper.db.in_transaction))
    assert bring_in_steps(keeper, equal_games(5)) == {"same": 5}
    assert rests == [False] * 6


@pytest.mark.sqlite
def test_one_backup_follows_an_import_and_none_its_steps(
    monkeypatch: pytest.MonkeyPatch, keeper: Keeper, games: list[GameRecord]
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(keeper.store.backups, "ask", lambda: asked.append(keeper.db.in_transaction))
    in_every_step(monkeypatch, lambda: None)
    bring_in_steps(keeper, games)
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
    load = imports.load_game
    monkeypatch.setattr(imports, "load_game", lambda *a, **k: read.append(a) or load(*a, **k))
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
        database.in_steps(keeper.store, work())
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
