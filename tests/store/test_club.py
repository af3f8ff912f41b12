"""Club nights in the store, on both databases: journal, undo, rows that follow, export, check."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.club.events import (
    FORMATS,
    Closed,
    Entered,
    Event,
    Format,
    GameBegun,
    Left,
    Paired,
    Plan,
    Reported,
    SetUp,
    Started,
)
from scorekeeper.club.match import Result
from scorekeeper.club.next_match import pair_next
from scorekeeper.club.night import NightRefused, games_of, standings_of
from scorekeeper.store import club
from scorekeeper.store.backup import back_up
from scorekeeper.store.check import faults
from scorekeeper.store.club import ClubNight, NightConflict
from scorekeeper.store.club_links import join_as_keeper
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store
from scorekeeper.store.journal import Who
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.restore import move, restore
from tests import postgresql
from tests.club.evenings import Evening
from tests.store.play import Keeper, everything, start_match

PLAN = Plan(format="swiss", seed=51, name="Friday at the Anchor")
CAST = (("Ana", "Ben"), ("Cy", "Dana"), ("Eve", "Fay"), ("Gus", "Hal"))
WIN, LOSS = Result((300, 100), (2, 0)), Result((100, 300))


class Director:
    """A phone that runs an evening."""

    def __init__(self, keeper: Keeper, plan: Plan = PLAN) -> None:
        self.keeper = keeper
        with keeper.store.write(keeper.table_id) as db:
            self.id = club.create_night(db, keeper.table_id, plan, self.who()).id

    def who(self) -> Who:
        return Who(self.keeper.phone.id, self.keeper.now())

    @property
    def now(self) -> ClubNight:
        """The evening as it is stored."""
        found = club.load_night(self.keeper.db, self.keeper.table_id, self.id)
        assert found is not None
        return found

    def do(self, *events: Event, seen: int | None = None) -> "Director":
        """Let something happen."""
        for event in events:
            with self.keeper.store.write(self.keeper.table_id) as db:
                club.record(db, self.now, event, self.who(), seen)
        return self

    def enter(self) -> "Director":
        """Let the cast enter."""
        return self.do(*map(Entered, range(len(CAST)), CAST))

    def start(self) -> "Director":
        """Pair and start the next match."""
        return self.do(pair_next(self.now.night), Started(self.now.night.next_number))

    def undo(self) -> None:
        with self.keeper.store.write(self.keeper.table_id) as db:
            club.undo(db, self.now, self.who(), self.now.version)

    def redo(self) -> None:
        with self.keeper.store.write(self.keeper.table_id) as db:
            club.redo(db, self.now, self.who(), self.now.version)

    def rows(self, table: str) -> list[tuple[object, ...]]:
        """Return the rows of a table, without the ids that they begin with."""
        found = self.keeper.db.execute(f"SELECT * FROM {table}").fetchall()
        return sorted(tuple(row[2:]) for row in found)


@pytest.fixture
def director(keeper: Keeper) -> Director:
    return Director(keeper)


def test_an_evening_is_stored_with_what_happens(director: Director) -> None:
    director.enter().start().do(Reported(1, 1, WIN), Reported(1, 2, LOSS), Closed(1))
    night = director.now.night
    assert night.plan == PLAN
    assert [entry.names for entry in night.entries.values()] == [*CAST]
    assert [row.place for row in standings_of(night)] == [1, 1, 3, 3]
    assert club.night_ids(director.keeper.db, director.keeper.table_id) == [director.id]


def test_rows_of_teams_and_matches_follow(director: Director) -> None:
    game = director.keeper.begin()
    director.enter().do(Left(3)).do(pair_next(director.now.night))
    assert director.rows("club_teams")[3] == (3, '["Gus", "Hal"]', 1)
    director.do(Started(1), GameBegun(1, 1, game.id))
    assert director.rows("club_matches") == [(1, 1, "[[0], [1]]", "running", game.id)]
    assert director.now.night.matches[0].seating.byes == (2,)


def test_what_follows_is_undone_with_what_it_followed_from(director: Director) -> None:
    director.enter().do(pair_next(director.now.night))
    before, version = director.now.night, director.now.version
    director.do(Left(2))
    assert sorted(director.now.night.matches[0].seating.entries) == [0, 1, 3]
    assert director.now.version == version + 2  # lines of one act
    director.undo()
    assert director.now.night == before
    director.redo()
    assert sorted(director.now.night.matches[0].seating.entries) == [0, 1, 3]


def test_undo_goes_back_to_the_set_up_and_redo_comes_all_the_way(director: Director) -> None:
    director.enter()
    full = director.now.night
    seen = []
    for _act in range(5):
        seen.append(len(director.now.night.entries))
        director.undo()
    assert seen == [4, 3, 2, 1, 0]
    for _act in range(5):
        director.redo()
    assert director.now.night == full
    assert len(director.rows("club_changes")) == 5 + 4 + 4  # each undo and redo is a line too


def test_nothing_is_redone_once_something_else_has_happened(director: Director) -> None:
    director.enter().undo()
    director.do(Entered(3, ("Ida", "Jo")))
    before = director.now
    director.redo()
    assert director.now == before


def test_two_directors_do_not_overwrite_each_other(director: Director) -> None:
    director.enter()
    seen = director.now.version
    director.do(Left(0), seen=seen)
    with pytest.raises(NightConflict) as conflict:
        director.do(Left(1), seen=seen)
    assert conflict.value.club.night.entries[0].has_left
    assert not director.now.night.entries[1].has_left


def test_what_is_refused_is_not_stored(director: Director) -> None:
    before = everything(director.keeper.db)
    with pytest.raises(NightRefused, match="no_entry"):
        director.do(Left(7))
    assert everything(director.keeper.db) == before


def test_a_changed_name_is_that_of_the_row(director: Director) -> None:
    director.do(SetUp(Plan(format="halves", seed=51, name="Saturday")))
    ((name, *_rest),) = director.rows("club_nights")
    assert name == "Saturday"


@pytest.mark.parametrize("format_", FORMATS)
def test_a_random_evening_comes_back_and_goes_out_and_in(keeper: Keeper, format_: Format) -> None:
    evening = Evening(3, format_, 12).play()
    director = Director(keeper, evening.plan)
    for event in evening.events[1:]:
        if not isinstance(event, Paired) or event.match > len(director.now.night.matches):
            director.do(event)
    assert director.now.night == evening.night
    assert [*faults(keeper.store)] == []
    document = json.loads(json.dumps(club.night_document(director.now)))
    other = Keeper(keeper.store)
    with other.store.write(other.table_id) as db:
        added = club.add_night(db, other.table_id, document, Who(other.phone.id, other.now()))
    assert (added.id, added.night) == (director.id, evening.night)


def test_an_import_twice_adds_nothing_and_another_evening_gets_another_id(
    director: Director,
) -> None:
    director.enter()
    document, keeper = club.night_document(director.now), director.keeper
    director.do(Left(1))
    for _time in range(2):
        with keeper.store.write(keeper.table_id) as db:
            added = club.add_night(db, keeper.table_id, document, director.who())
    assert len(club.night_ids(keeper.db, keeper.table_id)) == 2
    assert not added.night.entries[1].has_left
    assert director.now.night.entries[1].has_left


def test_games_that_a_table_does_not_have_are_left_out(director: Director) -> None:
    game = director.keeper.begin()
    director.enter().start().do(GameBegun(1, 2, game.id), Reported(1, 2, WIN))
    other = Keeper(director.keeper.store)
    with other.store.write(other.table_id) as db:
        document = club.night_document(director.now)
        match = club.add_night(
            db, other.table_id, document, Who(other.phone.id, other.now())
        ).night.matches[0]
    assert (match.games, match.at(2).counted) == ({}, WIN)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"club_night": "../etc", "events": []},
        {"club_night": "0123456789", "events": []},
        {"club_night": "0123456789", "events": [{"at": "today", "event": "Ended"}]},
        {"club_night": "0123456789", "events": [{"at": "2026-11-28T18:00:00Z", "event": "Ended"}]},
    ],
)
def test_other_documents_are_no_evening(keeper: Keeper, document: dict[str, object]) -> None:
    before = everything(keeper.db)
    with (
        pytest.raises((ValueError, TypeError, LookupError)),
        keeper.store.write(keeper.table_id) as db,
    ):
        club.add_night(db, keeper.table_id, document, Who(keeper.phone.id, keeper.now()))
    assert everything(keeper.db) == before


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("DELETE FROM club_changes WHERE version = 3", "can’t be read"),
        ("UPDATE club_changes SET event = '[]' WHERE version = 1", "can’t be read"),
        ("DELETE FROM club_changes WHERE version = 6", "don’t match"),
        ("DELETE FROM club_teams WHERE entry = 2", "don’t match"),
        ("UPDATE club_matches SET state = 'closed'", "don’t match"),
        ("UPDATE club_nights SET name = ''", "don’t match"),
        ("UPDATE club_nights SET version = 4", "don’t match"),
    ],
)
def test_check_knows_evenings(director: Director, damage: str, sentence: str) -> None:
    director.enter().do(pair_next(director.now.night))
    assert [*faults(director.keeper.store)] == []
    with director.keeper.store.write() as db:
        db.execute(damage)
    (fault,) = faults(director.keeper.store)
    assert str(fault).startswith(f"Club night {director.id}: its ")
    assert sentence in str(fault)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Director]:
    """An evening in a file whose first match runs: with games, and a phone that keeps score."""
    (tmp_path / "here").mkdir()
    with Store(tmp_path / "here") as store:
        director = Director(Keeper(store)).enter()
        director.do(pair_next(director.now.night))
        with store.write(director.keeper.table_id) as db:
            now = start_match(db, director.now, 1, director.who())
            join_as_keeper(db, now, 1, "Table 1", director.keeper.now())
        yield director


def unguarded(director: Director) -> Database:
    """Return a connection that lets anything be written to a file."""
    db = director.keeper.db
    for trigger in ("changes_stay", "changes_are_kept"):
        db.execute(f"DROP TRIGGER {trigger}")
    db.execute("PRAGMA foreign_keys = OFF")
    return db


OF_A_TABLE = "SELECT game_id FROM club_matches WHERE number = 1"


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("UPDATE club_keepers SET night_id = 'nowhere000'", "“club_keepers” (1) has no match in"),
        ("DELETE FROM phones WHERE label = 'Table 1'", "“club_keepers” (1) has no match in “pho"),
        (f"DELETE FROM games WHERE id IN ({OF_A_TABLE})", "“club_matches” (3) has no match in “ga"),
        ("DELETE FROM club_nights", "“club_changes” (1) has no match in “club_nights”"),
        ("UPDATE club_matches SET game_id = NULL", "teams or matches don’t match its change log"),
        ("DELETE FROM club_changes WHERE version = 8", "teams or matches don’t match its change"),
        ("UPDATE club_changes SET version = 20 WHERE version = 9", "don’t match its change log"),
    ],
)
def test_check_finds_what_was_taken_out_by_hand(kept: Director, damage: str, sentence: str) -> None:
    assert [*faults(kept.keeper.store)] == []
    unguarded(kept).execute(damage)
    assert any(sentence in str(fault) for fault in faults(kept.keeper.store))


def test_a_backup_brings_an_evening_back(kept: Director, tmp_path: Path) -> None:
    store, before, now = kept.keeper.store, everything(kept.keeper.db), kept.now
    back_up(store.path, tmp_path / "copy.db")
    kept.do(Left(2))
    store.close()
    restore(store.path.parent, tmp_path / "copy.db")
    with Store(store.path.parent) as again:
        assert everything(again.db) == before
        assert club.load_night(again.db, *now.key) == now
        assert [*faults(again)] == []


@pytest.mark.postgresql
def test_evenings_move_to_postgresql_and_back(
    kept: Director, tmp_path: Path, postgresql_server: Path
) -> None:
    (tmp_path / "there").mkdir()
    with (
        postgresql.schema(postgresql_server) as url,
        open_postgresql(url, tmp_path) as target,
        Store(tmp_path / "there") as back,
    ):
        move(kept.keeper.store, target)
        assert club.load_night(target.db, *kept.now.key) == kept.now
        with target.write(kept.keeper.table_id) as db:  # it goes on there
            club.record(db, kept.now, Left(2), kept.who())
        target.release()
        move(target, back)
        moved = club.load_night(back.db, *kept.now.key)
        assert moved
        assert moved.night.entries[2].has_left
        assert games_of(moved.night) == games_of(kept.now.night)
        rows = [
            store.db.execute("SELECT * FROM club_keepers") for store in (kept.keeper.store, back)
        ]
        assert rows[0].fetchall() == rows[1].fetchall()
        assert [*faults(back)] == []
