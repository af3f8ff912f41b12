"""A game in memory is always what is stored, whoever changed it and whatever was taken back."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from scorekeeper.rules.round import Round
from scorekeeper.store import games, journal
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game, LRUCache, load_game
from scorekeeper.store.history import bring_back, remove_game
from scorekeeper.store.opening import open_store
from scorekeeper.store.players import find_player, rename
from tests.properties import examples
from tests.store.play import Keeper, next_round

FIRST = Round((3, 2, 3, 1), (3, 4, 2, 1))
OTHER = Round((2, 2, 2, 2), (1, 2, 3, 4))


class Refused(Exception):
    """What ends a transaction without keeping anything."""


def both(keeper: Keeper, game: Game) -> tuple[Game | None, Game | None]:
    """Return the game as it is read now, and as one reads it who has never read it before."""
    found = load_game(keeper.db, keeper.table_id, game.id)
    with pytest.MonkeyPatch.context() as anew:
        anew.setattr(games, "_scored", LRUCache(1))
        stored = load_game(keeper.db, keeper.table_id, game.id)
        assert stored is None or stored.state
    return found, stored


@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_after_any_change_the_game_in_memory_is_the_stored_one(
    keeper: Keeper, data: st.DataObject
) -> None:
    game = keeper.begin()
    for _ in range(data.draw(st.integers(1, 12))):
        what = data.draw(st.sampled_from(("put", "put", "put", "undo", "redo", "two at once")))
        for _ in range(2 if what == "two at once" else 1):
            change = data.draw(next_round(game))
            if what in ("put", "two at once") and change:
                game = keeper.put(game, *change)
            elif what != "put":
                game = keeper.undo(game) if what == "undo" else keeper.redo(game)
        found, stored = both(keeper, game)
        assert found == stored
        assert found is not None
        assert found.state == game.state


def test_a_round_that_did_not_change_is_the_very_same(keeper: Keeper) -> None:
    game = keeper.put(keeper.begin(), 1, FIRST)
    assert game.state.number == 2
    one, other = (keeper.load(game.id) for _ in range(2))
    assert one.rounds[0] is other.rounds[0]
    assert one.state is other.state


def test_what_was_taken_back_before_it_was_kept_is_not_remembered(keeper: Keeper) -> None:
    game = keeper.begin()
    with suppress(Refused), keeper.store.write() as db:
        journal.replace_round(
            db, game, 1, FIRST, journal.Action("scored", journal.Who(keeper.phone.id, keeper.now()))
        )
        seen = load_game(db, keeper.table_id, game.id)
        assert seen is not None
        assert seen.rounds == (FIRST,)
        raise Refused
    keeper.put(game, 1, OTHER)
    found, stored = both(keeper, game)
    assert found == stored
    assert found is not None
    assert found.rounds == (OTHER,)


def test_what_another_program_records_is_seen(keeper: Keeper, data: Path) -> None:
    game = keeper.put(keeper.begin(), 1, FIRST)
    both(keeper, game)
    beside = open_store(data)
    other = Keeper(beside, "the other phone", keeper.table_id)
    other.put(game, 1, OTHER, kind="corrected")
    beside.close()
    found, stored = both(keeper, game)
    assert found == stored
    assert found is not None
    assert found.rounds == (OTHER,)


def test_a_new_spelling_is_seen(keeper: Keeper) -> None:
    game = keeper.put(keeper.begin(), 1, FIRST)
    both(keeper, game)
    (player,) = keeper.db.execute("SELECT id FROM players WHERE name = 'North'").fetchone()
    with keeper.store.write() as db:
        found_player = find_player(db, keeper.table_id, player)
        assert found_player is not None
        rename(db, keeper.table_id, found_player, "Nora")
    found, stored = both(keeper, game)
    assert found == stored
    assert found is not None
    assert found.names[0] == "Nora"


def test_a_removed_game_is_not_there_until_it_is_brought_back(keeper: Keeper) -> None:
    game = keeper.put(keeper.begin(), 1, FIRST)
    both(keeper, game)
    with keeper.store.write() as db:
        remove_game(db, game, keeper.phone.id, keeper.now())
    assert both(keeper, game) == (None, None)
    removed = load_game(keeper.db, keeper.table_id, game.id, removed=True)
    assert removed is not None
    with keeper.store.write() as db:
        bring_back(db, removed, keeper.phone.id, keeper.now())
    found, stored = both(keeper, game)
    assert found == stored
    assert found is not None


def test_a_game_is_found_at_its_own_table_alone(keeper: Keeper, store: Store) -> None:
    game = keeper.begin()
    both(keeper, game)
    assert load_game(store.db, Keeper(store, "another").table_id, game.id) is None
