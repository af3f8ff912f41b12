"""The games of a club night: begun with a match, gathered at its end, ended in time, and the keys
by which phones keep score of them.
"""

from contextlib import AbstractContextManager

import pytest

from scorekeeper.club.events import ClockSet, Closed, LinkEnded, Plan, Reported, Started
from scorekeeper.club.match import Match, Result
from scorekeeper.club.next_match import pair_next
from scorekeeper.store.check import faults
from scorekeeper.store.club_games import (
    begin_games,
    end_in_time,
    heard,
    still_playing,
    tables_now,
)
from scorekeeper.store.club_links import (
    Where,
    end_keepers,
    join_as_keeper,
    keeps_at,
    link_key,
    night_of_link,
)
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.history import remove_game
from scorekeeper.store.phones import find_keeper
from scorekeeper.store.tables import KEY_LENGTH, Phone, find_phone
from tests.store.play import Keeper, start_match
from tests.store.test_club import CAST, Director

Bids = tuple[int, ...]
PLAN = Plan(format="swiss", seed=51, rules="partnership", house_rules=(("target", "100"),))
SECRET = "thirty-two characters of a server"
WON, EVEN = ((8, 1, 2, 1), (8, 1, 2, 2)), ((3, 3, 3, 3), (4, 3, 3, 3))


@pytest.fixture
def director(keeper: Keeper) -> Director:
    director = Director(keeper, PLAN).enter()
    return director.do(pair_next(director.now.night))


@pytest.fixture
def begun(director: Director) -> Director:
    with writing(director) as db:
        start_match(db, director.now, 1, director.who())
    return director


def writing(director: Director) -> AbstractContextManager[Database]:
    return director.keeper.store.write(director.keeper.table_id)


def match_of(director: Director) -> Match:
    return director.now.night.matches[-1]


def play(director: Director, number: int, *rounds: tuple[Bids, Bids]) -> Game:
    """Let a table play rounds of its game."""
    keeper = director.keeper
    game = keeper.load(match_of(director).games[number])
    for bids, tricks in rounds:
        round_ = game.round(game.state.number)._replace(bids=bids, tricks=tricks)
        game = keeper.put(game, game.state.number, round_)
    return game


def gathered(director: Director) -> Director:
    return director.do(*heard(director.keeper.db, director.now, match_of(director)))


def test_a_match_begins_with_an_ordinary_game_at_each_table(begun: Director) -> None:
    match = match_of(begun)
    assert match.state == "running"
    tables = tables_now(begun.keeper.db, begun.now, match)
    assert [table.number for table in tables] == [1, 2]
    assert [table.game and table.game.names for table in tables] == [one.names for one in tables]
    assert {name for table in tables for name in table.names} == {n for two in CAST for n in two}
    assert [table.game and table.game.rules.target for table in tables] == [100, 100]
    assert len(still_playing(tables)) == 2


def test_starting_is_one_act(begun: Director) -> None:
    begun.undo()
    assert (match_of(begun).state, match_of(begun).games) == ("paired", {})
    begun.redo()
    assert (match_of(begun).state, sorted(match_of(begun).games)) == ("running", [1, 2])


def begin_one(director: Director) -> None:
    """Let one table begin its game, and no more, as where the server ends meanwhile."""
    with writing(director) as db:
        next(begin_games(db, director.now, 1, director.who()))


def begin_all(director: Director) -> None:
    with writing(director) as db:
        assert len([*begin_games(db, director.now, 1, director.who())]) <= len(CAST) // 2


def test_a_start_that_was_interrupted_goes_on_and_begins_no_game_twice(director: Director) -> None:
    director.do(Started(1))
    begin_one(director)
    first = match_of(director).games
    assert (match_of(director).waiting, list(first)) == ([2], [1])
    assert list(faults(director.keeper.store)) == []
    begin_all(director)
    games = match_of(director).games
    assert (games[1], sorted(games), match_of(director).waiting) == (first[1], [1, 2], [])
    begin_all(director)
    assert match_of(director).games == games
    assert director.keeper.db.execute("SELECT count(*) FROM games").fetchone() == (2,)


def test_what_happens_between_two_games_is_an_act_of_its_own(director: Director) -> None:
    director.do(Started(1))
    begin_one(director)
    director.do(ClockSet(1, None, 60))
    begin_all(director)
    director.undo()  # the clock, which was set last
    assert (match_of(director).clock, sorted(match_of(director).games)) == (None, [1, 2])
    director.undo()
    assert (match_of(director).state, match_of(director).games) == ("paired", {})
    director.redo()
    assert sorted(match_of(director).games) == [1, 2]


def test_no_game_begins_where_the_start_was_taken_back_or_a_result_is_there(
    director: Director,
) -> None:
    director.do(Started(1), Reported(1, 1, Result((1, 2)), by_hand=True))
    begin_all(director)
    assert list(match_of(director).games) == [2]
    director.undo()
    director.undo()
    begin_all(director)
    assert (match_of(director).state, match_of(director).games) == ("paired", {})


def test_the_results_of_games_are_read_as_they_are_now(begun: Director) -> None:
    play(begun, 1, WON)
    one, two = tables_now(begun.keeper.db, begun.now, match_of(begun))
    assert (one.is_over, two.is_over) == (True, False)
    assert one.reports.counted == Result((100, 21), (0, 1))
    assert [game.id for game in still_playing([one, two])] == [match_of(begun).games[2]]


def test_a_match_closes_with_the_results_of_its_games(begun: Director) -> None:
    play(begun, 1, WON)
    play(begun, 2, WON)
    gathered(begun).do(Closed(1))
    assert [match_of(begun).at(number).status for number in (1, 2)] == ["game", "game"]


def test_results_are_gathered_once(begun: Director) -> None:
    play(begun, 1, WON)
    version = gathered(begun).now.version
    assert gathered(begun).now.version == version


def test_the_round_in_play_is_the_last_one_in_time(begun: Director) -> None:
    game = play(begun, 1, EVEN)
    game = begun.keeper.bid(game, game.state.order[0], 3)
    with writing(begun) as db:
        game = end_in_time(db, game, begun.who())
    assert (game.state.phase, game.state.open.notes.last_round) == ("bidding", True)
    with writing(begun) as db:
        assert end_in_time(db, game, begun.who()) == game  # once is enough


def test_between_two_deals_the_game_ends_in_time(begun: Director) -> None:
    game = play(begun, 1, EVEN)
    with writing(begun) as db:
        game = end_in_time(db, game, begun.who())
    assert game.state.phase == "over"
    (one, _two) = tables_now(begun.keeper.db, begun.now, match_of(begun))
    assert one.reports.counted == Result((61, 60), (1, 0))


def test_before_the_first_round_is_scored_it_is_the_last_one(begun: Director) -> None:
    game = play(begun, 1)
    with writing(begun) as db:
        game = end_in_time(db, game, begun.who())
    assert (game.state.phase, game.state.open.notes.last_round) == ("bidding", True)


def test_a_game_that_was_deleted_leaves_its_table_without_a_result(begun: Director) -> None:
    game = play(begun, 1, WON)
    with writing(begun) as db:
        remove_game(db, game, begun.keeper.phone.id, begun.keeper.now())
    (one, _two) = tables_now(begun.keeper.db, begun.now, match_of(begun))
    assert (one.game, one.is_over) == (None, False)


LINKS: list[Where] = [("slip", 1), ("slip", 2), ("wall", 0), ("poster", 0)]


@pytest.mark.parametrize("where", LINKS, ids=str)
def test_a_link_leads_to_its_evening_alone_until_it_ends(begun: Director, where: Where) -> None:
    db, now = begun.keeper.db, begun.now
    key = link_key(now, where, SECRET)
    assert len(key) == KEY_LENGTH
    found = night_of_link(db, now.id, where, key, SECRET)
    assert found
    assert found.key == now.key
    for other in LINKS:
        if other != where:
            assert night_of_link(db, now.id, other, key, SECRET) is None
    begun.do(LinkEnded(*where))
    assert night_of_link(db, now.id, where, key, SECRET) is None
    assert link_key(begun.now, where, SECRET) != key


@pytest.mark.parametrize("key", ["", "a", "\udcff" * 26, "a" * 5000])
def test_a_wrong_key_leads_nowhere(begun: Director, key: str) -> None:
    assert night_of_link(begun.keeper.db, begun.id, ("wall", 0), key, SECRET) is None
    assert night_of_link(begun.keeper.db, "0" * 10, ("wall", 0), key, SECRET) is None


def keep_at(director: Director, number: int) -> Phone:
    with writing(director) as db:
        return join_as_keeper(db, director.now, number, f"Table {number}", director.keeper.now())


def test_a_keeper_has_the_game_of_its_table_while_the_match_runs(begun: Director) -> None:
    db, games = begun.keeper.db, match_of(begun).games
    phone = keep_at(begun, 1)
    found = find_keeper(db, [phone.id], games[1])
    assert found
    assert (found.id, found.table_id, found.label) == (
        phone.id,
        begun.keeper.table_id,
        "Table 1",
    )
    assert find_keeper(db, [phone.id], games[2]) is None
    assert find_keeper(db, [], games[1]) is None
    assert find_phone(db, phone.id) is None  # it is no phone of the table
    assert keeps_at(db, [phone.id]) == [(*begun.now.key, 1)]
    play(begun, 1, WON)
    play(begun, 2, WON)
    gathered(begun).do(Closed(1))
    assert find_keeper(db, [phone.id], games[1]) is None


def test_the_keepers_of_one_table_end_alone(begun: Director) -> None:
    db, games = begun.keeper.db, match_of(begun).games
    one, two = keep_at(begun, 1), keep_at(begun, 2)
    with writing(begun) as write:
        end_keepers(write, begun.now, 1, begun.keeper.now())
    assert find_keeper(db, [one.id, two.id], games[1]) is None
    found = find_keeper(db, [one.id, two.id], games[2])
    assert found
    assert found.id == two.id
