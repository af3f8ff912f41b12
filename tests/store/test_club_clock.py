"""The last round of a match is called by itself: in time, once, whatever is open."""

import time
from dataclasses import replace
from datetime import timedelta

import pytest

from scorekeeper.clock import now, stamp
from scorekeeper.club.events import ClockSet, Closed, LastRoundCalled, Reported
from scorekeeper.club.match import Result
from scorekeeper.club.next_match import pair_next
from scorekeeper.store.club import begun_lately
from scorekeeper.store.club_clock import LastRounds, call_in_time
from scorekeeper.store.club_games import end_in_time
from tests.store.play import START, Keeper, start_match
from tests.store.test_club import Director
from tests.store.test_club_games import EVEN, PLAN, match_of, play, writing

IN_TIME = START + timedelta(hours=1)
TIMED = replace(PLAN, minutes=40, calls_last_round=True)
DEADLINE = 20.0  # seconds


@pytest.fixture
def director(keeper: Keeper) -> Director:
    """A director whose match runs at two tables, until `IN_TIME`."""
    director = Director(keeper, TIMED).enter()
    director.do(pair_next(director.now.night))
    with writing(director) as db:
        start_match(db, director.now, 1, director.who())
    return director.do(ClockSet(1, stamp(IN_TIME)))


def look(director: Director, seconds: int = 0) -> int | None:
    """Look at the clock so many seconds after its end."""
    at = IN_TIME + timedelta(seconds=seconds)
    left = call_in_time(director.keeper.store, director.now.key, at)
    director.keeper.store.release()
    return left


def called_at(director: Director) -> list[bool]:
    """Return at which tables the round in play is the last one, or the game is over."""
    games = [director.keeper.load(game) for game in match_of(director).games.values()]
    return [one.state.phase == "over" or one.state.open.notes.last_round for one in games]


def test_it_is_called_at_all_tables_when_the_time_is_up(director: Director) -> None:
    play(director, 1, EVEN)
    assert look(director, -61) == 61
    assert called_at(director) == [False, False]
    assert look(director) is None
    assert called_at(director) == [True, True]
    assert director.keeper.load(match_of(director).games[1]).state.phase == "over"
    assert match_of(director).is_last_round


def test_it_is_called_once_also_if_it_was_taken_back(director: Director) -> None:
    look(director)
    version = director.now.version
    assert look(director, 1) is None
    assert director.now.version == version
    director.undo()
    assert not match_of(director).is_last_round
    assert look(director, 2) is None
    assert not match_of(director).is_last_round


def test_a_call_that_was_interrupted_goes_on(director: Director) -> None:
    with writing(director) as db:
        game = director.keeper.load(match_of(director).games[1])
        end_in_time(db, game, director.who())
    assert (called_at(director), match_of(director).is_last_round) == ([True, False], False)
    look(director, 60)
    assert (called_at(director), match_of(director).is_last_round) == ([True, True], True)


def test_a_clock_that_stands_or_was_given_minutes_waits(director: Director) -> None:
    director.do(ClockSet(1, None, 30))
    assert look(director, 60) is None
    director.do(ClockSet(1, stamp(IN_TIME + timedelta(minutes=5))))
    assert look(director, 60) == 240
    assert called_at(director) == [False, False]


def test_it_is_left_to_the_director_where_that_was_chosen(keeper: Keeper) -> None:
    director = Director(keeper, replace(TIMED, calls_last_round=False)).enter()
    director.do(pair_next(director.now.night))
    with writing(director) as db:
        start_match(db, director.now, 1, director.who())
    director.do(ClockSet(1, stamp(IN_TIME)))
    assert look(director) is None
    assert called_at(director) == [False, False]


def test_a_match_that_is_closed_is_left_alone(director: Director) -> None:
    results = [Reported(1, at, Result((100, 0)), by_hand=True) for at in (1, 2)]
    director.do(*results, Closed(1))
    assert look(director) is None
    assert called_at(director) == [False, False]


def test_a_server_calls_it_by_itself(director: Director) -> None:
    clocks = LastRounds(director.keeper.store)
    director.do(ClockSet(1, stamp(now() + timedelta(seconds=0.2))))
    clocks.watch([director.now.key])
    assert_called(director, clocks)


def test_a_server_that_starts_later_calls_it_too(director: Director) -> None:
    clocks = LastRounds(director.keeper.store)
    clocks.watch(begun_lately(director.keeper.db, IN_TIME))
    assert_called(director, clocks)


def assert_called(director: Director, clocks: LastRounds) -> None:
    until = time.monotonic() + DEADLINE
    while not match_of(director).is_last_round and time.monotonic() < until:
        director.keeper.store.release()
        time.sleep(0.02)
    clocks.end()
    assert called_at(director) == [True, True]


def test_what_the_director_has_called_is_not_called_again(director: Director) -> None:
    director.do(LastRoundCalled(1))
    assert look(director) is None
    assert called_at(director) == [False, False]
