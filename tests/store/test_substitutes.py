"""A player who takes a seat is kept by id: renamed, merged, undone and redone."""

import pytest

from scorekeeper.rules.faces import FACES
from scorekeeper.rules.round import Round
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.change_events import events_since
from scorekeeper.store.check import faults
from scorekeeper.store.games import Game, known_names
from scorekeeper.store.players import BothPlayed, Player, merge, players_called, rename
from tests.store.play import Keeper

HAND = Round((3, 2, 1, 4), (3, 4, 0, 3))


@pytest.fixture
def game(keeper: Keeper) -> Game:
    """A game in which Eve plays for West from round 2 on."""
    game = keeper.put(keeper.begin(), 1, HAND)
    round_ = Round((None,) * 4).noted(substitutes=(Substitute(3, "Eve"),))
    return keeper.put(game, 2, round_, "substitute")


def player_called(keeper: Keeper, name: str) -> Player:
    (player,) = players_called(keeper.db, keeper.table_id, name, 1)
    return player


def fault_lines(keeper: Keeper) -> list[str]:
    return [str(fault) for fault in faults(keeper.store)]


def test_a_substitute_is_a_player_of_the_table(keeper: Keeper, game: Game) -> None:
    assert keeper.load(game.id).names == ("North", "East", "South", "Eve")
    assert "Eve" in known_names(keeper.db, keeper.table_id)
    assert fault_lines(keeper) == []


def test_a_new_name_holds_for_what_is_undone_and_redone(keeper: Keeper, game: Game) -> None:
    keeper.undo(game)
    with keeper.store.write(keeper.table_id) as db:
        (eve_id,) = db.execute("SELECT id FROM players WHERE name = 'Eve'").fetchone()
        rename(db, keeper.table_id, Player(eve_id, "Eve", FACES[0]), "Evelyn")
    assert keeper.redo(game).names[3] == "Evelyn"
    assert keeper.load(game.id).round(2).notes.substitutes == (Substitute(3, "Evelyn"),)
    assert fault_lines(keeper) == []


def test_a_game_read_before_has_the_new_name_at_once(keeper: Keeper, game: Game) -> None:
    assert keeper.load(game.id).state.seats.names[3] == "Eve"
    with keeper.store.write(keeper.table_id) as db:
        rename(db, keeper.table_id, player_called(keeper, "Eve"), "Evelyn")
    assert keeper.load(game.id).names[3] == "Evelyn"
    assert keeper.load(game.id).state.seats.names[3] == "Evelyn"


def test_a_merged_player_keeps_the_seat(keeper: Keeper, game: Game) -> None:
    keeper.begin(names=("Ann", "Ben", "Cy", "Evi"))
    eve, evi = (player_called(keeper, name) for name in ("Eve", "Evi"))
    with keeper.store.write(keeper.table_id) as db:
        merge(db, keeper.table_id, eve, evi, "Evi")
    assert keeper.undo(game).names[3] == "West"
    assert keeper.redo(game).names[3] == "Evi"
    assert fault_lines(keeper) == []


def test_players_of_one_game_are_not_merged(keeper: Keeper, game: Game) -> None:
    eve, west = (player_called(keeper, name) for name in ("Eve", "West"))
    with keeper.store.write(keeper.table_id) as db, pytest.raises(BothPlayed):
        merge(db, keeper.table_id, eve, west, "West")


def test_an_empty_seat_is_stored_undone_and_redone(keeper: Keeper, game: Game) -> None:
    left = Round((None,) * 4).noted(substitutes=(Substitute(1, None), Substitute(3, "Eve")))
    left_game = keeper.put(game, 2, left, "substitute")
    without = left._replace(bids=(3, None, 1, 4), tricks=(3, 0, 3, 4))
    played = keeper.put(left_game, 2, without, "scored")
    assert keeper.load(game.id).round(2) == without
    assert keeper.load(game.id).state.seats.empty == (1,)
    assert fault_lines(keeper) == []
    undone = keeper.undo(keeper.undo(played))
    assert undone.state.seats.empty == ()
    assert keeper.redo(undone).round(2) == left
    assert fault_lines(keeper) == []


def test_phones_are_told_the_name(keeper: Keeper, game: Game) -> None:
    (event,) = events_since(keeper.db, keeper.table_id, game.id, game.version - 1)
    assert '"substitutes":[{"seat":3,"player":"Eve"}]' in event.content
