"""Club nights in the store, on both databases: journal, undo, rows that follow, export, check."""

import json
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
from scorekeeper.club.night import NightRefused, standings_of
from scorekeeper.store import club
from scorekeeper.store.check import faults
from scorekeeper.store.club import ClubNight, NightConflict
from scorekeeper.store.database import Store
from scorekeeper.store.journal import Who
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.restore import move
from tests import postgresql
from tests.club.evenings import Evening
from tests.store.play import Keeper, everything

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


@pytest.mark.postgresql
def test_evenings_move_to_postgresql(tmp_path: Path, postgresql_server: Path) -> None:
    (tmp_path / "here").mkdir()
    with (
        Store(tmp_path / "here") as source,
        postgresql.schema(postgresql_server) as url,
        open_postgresql(url, tmp_path) as target,
    ):
        director = Director(Keeper(source)).enter().start()
        move(source, target)
        moved = club.load_night(target.db, director.keeper.table_id, director.id)
        assert moved == director.now
