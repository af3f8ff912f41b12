"""Games go into the store and come out of it as they were."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.game import fold
from scorekeeper.rules.presets import CUTTHROAT_LITE, PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import house_rules, with_house_rules
from scorekeeper.store import games as games_module
from scorekeeper.store.connection import StoreError
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game, known_names, load_game, load_games, recent_games
from scorekeeper.store.history import bring_back, remove_game
from tests.properties import examples
from tests.rules.test_properties import games
from tests.store.play import CROWD, START, Keeper

some = examples(60)
ROUND = Round((3, 2, 1, 4), (3, 4, 0, 3))


@some
@given(games(), st.none() | st.integers(1, 10_000_000))
def test_a_game_comes_out_as_it_went_in(busy_store: Store, game: tuple, stake: int | None) -> None:
    rules, players, dealer, drawn = game
    rounds = [Round(round_.bids, round_.tricks) for round_ in drawn]
    keeper = Keeper(busy_store)
    kept = keeper.begin(rules, CROWD[:players], dealer, stake)
    for number, round_ in enumerate(rounds, 1):
        kept = keeper.put(kept, number, round_)
    loaded = keeper.load(kept.id)
    assert loaded == kept
    assert (loaded.rules, loaded.names) == (rules, CROWD[:players])
    assert (loaded.first_dealer, loaded.stake) == (dealer, stake)
    assert loaded.rounds == tuple(rounds)
    assert loaded.state == fold(rules, players, dealer, rounds, starters=loaded.starters)
    assert loaded.version == 1 + len(rounds)


@pytest.mark.parametrize(
    "round_",
    [
        Round((3, None, None, None)),
        Round((None, None, None, "nil")),
        Round((3, 2, 1, 4), None, (3, None, None, None)),
        Round((3, 2, 1, 4), None, (0, 0, 0, 0)),
        Round((None,) * 4),
    ],
    ids=["one bid", "the dealer's bid", "one count", "counts of nothing", "a misdeal"],
)
def test_a_half_entered_round_comes_back_as_it_was(keeper: Keeper, round_: Round) -> None:
    kept = keeper.put(keeper.begin(), 1, round_, "bid")
    assert keeper.load(kept.id).round(1) == round_


def test_a_game_that_comes_back_while_it_is_looked_for_is_not_damaged(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = keeper.begin()
    with keeper.store.write(keeper.table_id) as db:
        remove_game(db, game, None, keeper.now())
    removed = load_game(keeper.db, keeper.table_id, game.id, removed=True)
    assert removed is not None
    find = games_module.load_games

    def find_too_early(*args: Any, **options: Any) -> list[Game]:
        found = find(*args, **options)
        monkeypatch.undo()
        with keeper.store.write(keeper.table_id) as db:
            bring_back(db, removed, None, keeper.now())
        return found

    monkeypatch.setattr(games_module, "load_games", find_too_early)
    assert keeper.load(game.id).names == game.names


def test_a_new_game_is_at_version_1_with_nothing_recorded(keeper: Keeper) -> None:
    game = keeper.begin()
    assert (game.version, game.rounds) == (1, ())
    assert game.started == game.changed


def test_a_game_belongs_to_its_table(keeper: Keeper) -> None:
    game = keeper.begin()
    guest = Keeper(keeper.store)
    assert load_game(keeper.db, guest.table_id, game.id) is None
    assert load_game(keeper.db, keeper.table_id, "0000000000") is None


def test_a_game_keeps_its_own_rules_when_a_rule_book_changes(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = keeper.begin()
    changed = with_house_rules(CUTTHROAT_LITE, {"target": "300"})
    monkeypatch.setitem(PRESETS, CUTTHROAT_LITE.key, changed)
    assert keeper.load(game.id).rules == CUTTHROAT_LITE


def test_house_rules_are_readable_beside_the_game(keeper: Keeper) -> None:
    rules = with_house_rules(CUTTHROAT_LITE, {"target": "200", "nil_points": "off"})
    game = keeper.begin(rules)
    row = next(keeper.db.query("SELECT rules, house_rules FROM games WHERE id = ?", [game.id]))
    assert row == {"rules": "cutthroat-lite", "house_rules": "target=200;nil_points=off"}
    assert house_rules(CUTTHROAT_LITE, keeper.load(game.id).rules) == {
        "target": "200",
        "nil_points": "off",
    }


def test_ids_are_short_words_that_tell_nothing(keeper: Keeper) -> None:
    ids = [keeper.begin().id for _ in range(50)]
    assert len(set(ids)) == 50
    assert all(len(word) == 10 and word.isalnum() and word.lower() == word for word in ids)


def test_a_player_is_known_by_name_whatever_the_spelling(keeper: Keeper) -> None:
    keeper.begin(names=("Anna", "Bob", "Cy"))
    keeper.begin(names=("ANNA", "Ｂｏｂ", "Dana"))
    assert keeper.db.execute("SELECT count(*) FROM players").fetchone() == (4,)
    assert set(known_names(keeper.db, keeper.table_id)) == {"Anna", "Bob", "Cy", "Dana"}


def test_players_of_two_tables_are_two_people(keeper: Keeper) -> None:
    keeper.begin()
    guest = Keeper(keeper.store)
    guest.begin()
    assert keeper.db.execute("SELECT count(*) FROM players").fetchone() == (8,)
    assert len(known_names(keeper.db, guest.table_id)) == 4


def test_nobody_sits_on_two_seats(keeper: Keeper) -> None:
    with pytest.raises(StoreError):
        keeper.begin(names=("Anna", "Bob", "Anna"))
    assert keeper.db.execute("SELECT count(*) FROM games").fetchone() == (0,)


def test_games_that_are_read_together_are_those_that_are_read_alone(keeper: Keeper) -> None:
    made = [keeper.begin() for _ in range(3)]
    keeper.bid(made[1], 0, 3)
    ids = [made[2].id, "0000000000", made[1].id, made[0].id]
    alone = [load_game(keeper.db, keeper.table_id, game_id) for game_id in ids]
    assert load_games(keeper.db, keeper.table_id, ids) == [game for game in alone if game]
    assert load_games(keeper.db, keeper.table_id, ids, removed=True) == []
    assert load_games(keeper.db, keeper.table_id, []) == []


def test_recent_games_come_with_the_last_changed_first(keeper: Keeper) -> None:
    first, second, third = (keeper.begin() for _ in range(3))
    keeper.put(second, 1, ROUND)
    recent = [game.id for game in recent_games(keeper.db, keeper.table_id, 5)]
    assert recent == [second.id, third.id, first.id]
    assert [g.id for g in recent_games(keeper.db, keeper.table_id, 1)] == [second.id]


def test_moments_are_kept_in_utc_with_their_offset(keeper: Keeper) -> None:
    game = keeper.begin()
    assert game.started == (START + timedelta(seconds=3)).isoformat(timespec="milliseconds")
    assert game.started.endswith("+00:00")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seats", "[1, 2"),
        ("seats", None),
        ("rounds", "no rounds"),
        ("rounds", None),
        ("rule_values", "{"),
        ("first_dealer", -1),
        ("first_dealer", "North"),
        ("stake", 0),
        ("version", 0),
    ],
)
def test_the_database_itself_refuses_what_is_no_game(
    keeper: Keeper, column: str, value: object
) -> None:
    game = keeper.put(keeper.begin(), 1, ROUND)
    with pytest.raises(StoreError), keeper.store.write() as db:
        db.execute(f"UPDATE games SET {column} = ?", [value])
    assert keeper.load(game.id) == game
