"""Other house rules in the middle of a game: the whole game is scored by them."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.files.exports import csv_pieces
from scorekeeper.files.imports import games_of_file
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import fold
from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RulesRefused
from scorekeeper.store.changes import changes_of
from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game
from scorekeeper.store.imports import add_new
from scorekeeper.store.journal import EditConflict, Who, game_record
from tests.store.disagreements import disagreements
from tests.store.play import Keeper

LITE = CUTTHROAT_LITE
NO_PENALTY = replace(LITE, bag_limit=None, bag_penalty=None)
ROUND = Round((3, 2, Nil.NIL, 1), (3, 0, 0, 7))  # West takes six bags, which cost ten points
TOTALS, TOTALS_WITHOUT = (30, -20, 50, 5), (30, -20, 50, 15)


@pytest.fixture
def game(keeper: Keeper) -> Game:
    """A game of Cutthroat Spades LITE after a round with a bag penalty."""
    return keeper.put(keeper.begin(), 1, ROUND)


@pytest.fixture(autouse=True)
def all_agrees(keeper: Keeper) -> Any:
    """Whatever a test does, journal, facts, results and sums agree in the end."""
    yield
    assert [str(fault) for fault in faults(keeper.store)] == []
    assert disagreements(keeper.db) == []


def test_every_round_is_scored_again(keeper: Keeper, game: Game) -> None:
    assert game.state.standing.totals == TOTALS
    changed = keeper.change_rules(game, NO_PENALTY)
    assert changed == keeper.load(game.id)
    assert (changed.rules, changed.version) == (NO_PENALTY, game.version + 1)
    assert changed.state.standing.totals == TOTALS_WITHOUT
    rows = keeper.db.execute("SELECT total FROM results ORDER BY seat").fetchall()
    assert tuple(row[0] for row in rows) == TOTALS_WITHOUT


def test_the_game_says_what_differs_from_its_book(keeper: Keeper, game: Game) -> None:
    keeper.change_rules(game, NO_PENALTY)
    (text,) = keeper.db.execute("SELECT house_rules FROM games").fetchone()
    assert text == "bag_limit=off;bag_penalty=off"


def test_the_journal_tells_both_sets_of_rules(keeper: Keeper, game: Game) -> None:
    keeper.change_rules(game, NO_PENALTY)
    change = changes_of(keeper.db, game)[-1]
    assert (change.kind, change.round, change.phone) == ("rules", None, "Kim's phone")
    assert change.rules == (LITE, NO_PENALTY)


def test_undo_and_redo_reach_through_it(keeper: Keeper, game: Game) -> None:
    changed = keeper.bid(keeper.change_rules(game, NO_PENALTY), 0, 4)
    back = keeper.undo(changed)
    assert (back.rules, len(back.rounds)) == (NO_PENALTY, 1)
    back = keeper.undo(back)
    assert (back.rules, back.state.standing.totals) == (LITE, TOTALS)
    assert back == keeper.load(game.id)
    assert keeper.undo(back).rounds == ()
    again = keeper.redo(keeper.redo(keeper.redo(keeper.load(game.id))))
    assert (again.rules, again.rounds) == (changed.rules, changed.rounds)
    assert again.state.standing.totals == TOTALS_WITHOUT


def test_rules_that_are_played_already_change_nothing(keeper: Keeper, game: Game) -> None:
    assert keeper.change_rules(game, LITE) == game
    changed = keeper.change_rules(game, NO_PENALTY)
    assert keeper.change_rules(game, NO_PENALTY, seen=game.version) == changed


def test_a_page_that_is_out_of_date_changes_nothing(keeper: Keeper, game: Game) -> None:
    now = keeper.bid(game, 0, 4)
    with pytest.raises(EditConflict) as stale:
        keeper.change_rules(game, NO_PENALTY, seen=game.version)
    assert stale.value.game == now == keeper.load(game.id)


def test_what_contradicts_the_rounds_is_refused(keeper: Keeper, game: Game) -> None:
    with pytest.raises(RulesRefused, match="10 cards"):
        keeper.change_rules(game, replace(LITE, tricks=9))
    assert keeper.load(game.id) == game


def test_a_lower_target_ends_the_game_where_it_was_reached(keeper: Keeper, game: Game) -> None:
    game = keeper.put(game, 2, ROUND)
    changed = keeper.change_rules(game, replace(LITE, target=50))
    assert (changed.state.phase, changed.state.uncounted) == ("over", 1)
    assert keeper.db.execute("SELECT round, side FROM outcomes").fetchall() == [(1, 2)]
    wins = "SELECT count(*) FROM player_games WHERE place = 1"
    assert keeper.db.execute(wins).fetchone() == (1,)
    higher = keeper.change_rules(changed, LITE)
    assert (higher.state.phase, higher.state.uncounted) == ("bidding", 0)
    assert keeper.db.execute(wins).fetchone() == (0,)


def test_it_goes_with_the_game_to_another_store(keeper: Keeper, game: Game, tmp_path: Path) -> None:
    game = keeper.undo(keeper.change_rules(keeper.change_rules(game, NO_PENALTY), LITE))
    with Store(tmp_path) as store:
        other = Keeper(store)
        add_new(other.store, other.table_id, [game_record(keeper.db, game)], Who(None, other.now()))
        there = other.load(game.id)
        assert (there.rules, there.rounds) == (game.rules, game.rounds)
        assert [c.rules for c in changes_of(other.db, there)] == [
            c.rules for c in changes_of(keeper.db, game)
        ]
        assert other.redo(there).rules == LITE
        assert [str(fault) for fault in faults(other.store)] == []


def test_a_bid_of_the_rules_before_is_read_from_its_sheet(keeper: Keeper, tmp_path: Path) -> None:
    game = keeper.begin(replace(LITE, nil_points=None, minimum_bid=0))
    game = keeper.put(game, 1, Round((3, 2, 0, 1), (3, 1, 0, 6)))
    changed = keeper.change_rules(game, replace(LITE, nil_points=None))
    sheet = b"".join(csv_pieces(keeper.store))
    with Store(tmp_path) as store:
        other = Keeper(store)
        games = games_of_file(io.BufferedReader(io.BytesIO(sheet)))
        add_new(other.store, other.table_id, games, Who(None, other.now()))
        assert other.load(game.id).state.standing == changed.state.standing
        assert b"".join(csv_pieces(other.store)) == sheet


def test_totals_are_the_fold_of_the_facts_by_the_new_rules(keeper: Keeper, game: Game) -> None:
    rules = replace(LITE, nil_points=None, overtrick_cap=None, set_points=20)
    changed = keeper.change_rules(game, rules)
    assert changed.state == fold(rules, 4, game.first_dealer, game.rounds, starters=game.starters)
