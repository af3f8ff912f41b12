"""The views that people read say what the program reads from the row of each game."""

import random
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.clock import day_in
from scorekeeper.rules.faces import FACES
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import NOTHING
from scorekeeper.store import statistics
from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game, recent_games
from scorekeeper.store.player_games import Sums
from scorekeeper.store.players import Player, find_player_id, merge, player_of_name
from scorekeeper.store.tables import set_zone_of_table
from tests.store.many_games import play
from tests.store.play import Keeper

Rows = list[tuple[Any, ...]]
IN_ORDER = {
    "seats": "seat",
    "rounds": "round",
    "bids": "round, seat",
    "substitutes": "round, seat",
    "score_sheet": "round, seat",
    "game_results": "side",
}


@pytest.fixture
def played(store: Store) -> tuple[Keeper, list[Game]]:
    """A table with random games of every rule book, and a player merged into another."""
    keeper, luck = Keeper(store), random.Random(8)
    for day, rules in enumerate(PRESETS.values()):
        play(luck, store, keeper.table_id, rules, day)
        play(luck, store, keeper.table_id, rules, day)
    keeper.begin(names=("Ana", "Ben", "Cy", "Dana"))
    with store.write(keeper.table_id) as db:
        ben, bo = (
            Player(player_of_name(db, keeper.table_id, name), name, FACES[0])
            for name in ("Ben", "Bo")
        )
        merge(db, keeper.table_id, ben, bo, "Bo")
    return keeper, recent_games(store.db, keeper.table_id, 100)


def shown(keeper: Keeper, view: str, columns: str, game: Game) -> Rows:
    rows = keeper.db.execute(
        f"SELECT {columns} FROM {view} WHERE table_id = ? AND game_id = ? ORDER BY "
        + IN_ORDER[view],
        [keeper.table_id, game.id],
    )
    return rows.fetchall()


def test_every_game_is_as_its_views_say(played: tuple[Keeper, list[Game]]) -> None:
    keeper, games = played
    assert len(games) == 2 * len(PRESETS) + 1
    assert sum(bool(one.notes.substitutes) for game in games for one in game.rounds) > 3
    assert list(faults(keeper.store)) == []
    for game in games:
        numbered = [*enumerate(game.rounds, 1)]
        nothing = (None,) * len(game.starters)
        assert shown(keeper, "seats", "seat, player_id", game) == [*enumerate(game.player_ids)]
        assert shown(keeper, "bids", "round, seat, bid, tricks, tally", game) == [
            (n, seat, None if bid is None else str(bid), tricks, tally)
            for n, one in numbered
            for seat, (bid, tricks, tally) in enumerate(
                zip(one.bids, one.tricks or nothing, one.tally or nothing, strict=True)
            )
        ]
        assert shown(keeper, "substitutes", "round, seat, player_id", game) == [
            (n, seat, name and find_player_id(keeper.db, keeper.table_id, name.casefold()))
            for n, one in numbered
            for seat, name in one.notes.substitutes
        ]
        rounds = shown(keeper, "rounds", "round, scored IS NOT NULL, notes IS NOT NULL", game)
        assert [tuple(map(bool, row)) for row in rounds] == [
            (
                True,
                one.tricks is not None,
                replace(one.notes, substitutes=()) != NOTHING,
            )
            for _n, one in numbered
        ]


def test_the_score_sheet_and_results_are_those_of_the_game(
    played: tuple[Keeper, list[Game]],
) -> None:
    keeper, games = played
    for game in games:
        state = game.state
        columns = "round, seat - 1, player, side - 1, total, outcome = 'won'"
        sheet = shown(keeper, "score_sheet", columns, game)
        assert [row[:5] for row in sheet] == [
            (one.number, seat, one.after.seats.names[seat], side, one.after.totals[side])
            for one in state.rounds
            for seat in one.after.seats.taken
            for side in [state.side_of(seat)]
        ]
        won = {row[3] for row in sheet if row[5]}
        assert won == set(state.winners if state.rounds else ())
        is_over = state.phase == "over" and bool(state.rounds)
        seated = {state.side_of(seat) for seat in state.seats.taken} if is_over else ()
        assert shown(keeper, "game_results", "side - 1, place, total, rounds", game) == [
            (side, state.places[side], state.standing.totals[side], len(state.rounds))
            for side in sorted(seated)
        ]


def test_the_sums_of_players_are_those_of_their_pages(played: tuple[Keeper, list[Game]]) -> None:
    keeper, _games = played
    rows = [*keeper.db.query("SELECT * FROM player_stats")]
    assert len(rows) > len(PRESETS)
    for row in rows:
        wanted = statistics.Selection(row["rules"])
        totals = statistics.totals_of(keeper.db, keeper.table_id, row["player_id"], wanted)
        counts = totals.groups.values()
        for name in Sums._fields:
            assert row[name] == sum(getattr(one.sums, name) for one in counts)
        assert (row["begun"], row["games"]) == (totals.begun, totals.luck.games)
        assert row["wins"] >= totals.luck.wins


def test_results_name_the_day_and_all_who_won(played: tuple[Keeper, list[Game]]) -> None:
    keeper, games = played
    with keeper.store.write(keeper.table_id) as db:
        set_zone_of_table(db, keeper.table_id, "Pacific/Auckland")
    seen = 0
    for game in games:
        state = game.state
        if state.phase != "over" or not state.rounds:
            continue
        rows = shown(keeper, "game_results", "day, winner", game)
        winners = [game.names[seat] for side in state.winners for seat in state.sides[side]]
        assert {row[0] for row in rows} == {day_in("Pacific/Auckland", game.started)}
        assert {"".join(sorted(row[1])) for row in rows} <= {"".join(sorted(", ".join(winners)))}
        seen += bool(winners)
    assert seen > 5
