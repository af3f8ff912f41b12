"""Desk and wall of a club night hear of everything at its tables by one stream."""

import pytest

from scorekeeper import live as live_module
from scorekeeper.club.events import ClockSet
from scorekeeper.live import CLUB, WALL, Listener, TooManyStreams
from tests.live.room import Room, Stream, eventually, next_version, remove, up_to_date
from tests.web.club.slips import Evening
from tests.web.play import Table
from tests.web.taps import send

BIDS = (3, 2, 4, 3)


@pytest.fixture
def evening(game: Table) -> Evening:
    evening = Evening(game.app)
    evening.start(1)
    return evening


def desk(live: Room, evening: Evening, who: str = "") -> Stream:
    listener = Listener(who or evening.director.session["phone"])
    return live.club_stream(evening.director.id, listener)


def test_a_tap_at_any_table_is_told(evening: Evening, live: Room) -> None:
    stream = up_to_date(desk(live, evening))
    told = [next_version(stream)] if eventually(lambda: live.followed_games.clubs() != []) else []
    for number in (1, 2):
        assert send(evening.keeper(number), 1, bids=BIDS).status_code == 200
        told.append(next_version(stream))
    assert told == sorted(set(told))


def test_what_the_director_does_is_told(evening: Evening, live: Room) -> None:
    stream = up_to_date(desk(live, evening, WALL))
    before = next_version(stream)
    evening.do(ClockSet(1, None, 600))
    assert next_version(stream) > before


def test_what_happens_at_other_tables_is_not_told(
    evening: Evening, game: Table, live: Room
) -> None:
    stream = up_to_date(desk(live, evening))
    before = next_version(stream)
    send(game, 1, bids=BIDS)
    followed = live.followed_games.enter((evening.director.id, CLUB), "a look")
    assert followed.newest == before


def test_some_streams_are_left_for_desks_and_walls(evening: Evening, game: Table) -> None:
    full = Room(game, total=8)
    streams = [full.phone() for _ in range(8)]
    with pytest.raises(TooManyStreams):
        full.phone()
    streams.append(desk(full, evening))
    assert full.open_streams == 9
    assert full.is_full
    with pytest.raises(TooManyStreams):
        desk(full, evening)
    full.end()


def test_where_all_poll_desks_do_too(evening: Evening, game: Table) -> None:
    none = Room(game, total=0)
    with pytest.raises(TooManyStreams):
        desk(none, evening)


def test_the_desks_of_a_table_are_few(evening: Evening, game: Table) -> None:
    room = Room(game, total=800, club=2)
    streams = [desk(room, evening) for _ in range(2)]
    with pytest.raises(TooManyStreams):
        desk(room, evening)
    assert len(streams) == 2
    room.end()


def test_the_desk_of_a_phone_that_is_removed_ends(
    evening: Evening, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "LOOK_AT_ALL", 0.1)
    stream = up_to_date(desk(live, evening))
    remove(evening.director)
    assert len(list(stream)) < 10


def test_the_stream_of_a_keeper_ends_with_its_match(
    evening: Evening, live: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "LOOK_AT_ALL", 0.1)
    keeper = evening.keeper(1)
    listener = Listener(keeper.session["keepers"][0])
    stream = up_to_date(live.stream((keeper.id, evening.game(1)), 1, listener))
    evening.close()
    assert len(list(stream)) < 10
