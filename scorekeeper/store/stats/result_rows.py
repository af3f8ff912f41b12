"""Result rows, one for each scored round and seat, and the outcome of each finished game.

They are derived from the facts in the same transaction, from the changed round on, and the rows of
the players with them.
"""

from collections.abc import Iterator
from typing import Any

from scorekeeper.rules.game import GameState
from scorekeeper.rules.rounds import own_scores
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.stats import player_games

INSERT = f"INSERT INTO results VALUES ({', '.join('?' * 17)})"
INSERT_OUTCOME = "INSERT INTO outcomes VALUES (?, ?, ?, ?, ?)"


def derive(db: Database, game: Game, first_round: int = 1, before: GameState | None = None) -> None:
    """Replace the result rows of a game from a round on, its outcome, and its players' rows.

    With the state `before` the change, nothing is deleted where that had no such rows.
    """
    if before is None or before.phase == "over" or len(before.rounds) >= first_round:
        _delete(db, game, first_round)
    db.executemany(INSERT, expected(game, first_round))
    if outcome := expected_outcome(game):
        db.execute(INSERT_OUTCOME, outcome)
        if before is None or before.phase != "over":
            db.changes.ended_a_game = True
    player_games.replace(db, game)


def exclude(db: Database, game: Game) -> None:
    """Delete the results of a game that is removed, and its players' rows."""
    _delete(db, game, 1)
    player_games.delete(db, game)


def _delete(db: Database, game: Game, first_round: int) -> None:
    key = [game.table_id, game.id]
    db.execute(
        "DELETE FROM results WHERE table_id = ? AND game_id = ? AND round >= ?", [*key, first_round]
    )
    db.execute("DELETE FROM outcomes WHERE table_id = ? AND game_id = ?", key)


def expected(game: Game, first_round: int = 1) -> Iterator[tuple[Any, ...]]:
    """Yield the result rows that follow from the facts of a game."""
    state = game.state
    for round_ in state.rounds[first_round - 1 :]:
        scores = own_scores(game.rules, round_)
        for seat in round_.after.seats.taken:
            bid, tricks = round_.bids[seat], round_.tricks[seat]
            side, score = state.side_of(seat), scores[seat]
            yield (
                game.table_id,
                game.id,
                round_.number,
                seat,
                side,
                round_.dealer,
                str(tricks if bid is None else bid),
                tricks,
                score.nil_points,
                score.contract_points,
                score.overtrick_points,
                score.bag_penalty,
                score.points,
                score.overtricks,
                round_.after.bags[side],
                round_.after.totals[side],
                None if score.made is None else int(score.made),
            )


def expected_outcome(game: Game) -> tuple[Any, ...] | None:
    """Return the row of the outcome, or None while the game is not over."""
    state = game.state
    if state.phase != "over" or state.outcome is None:
        return None
    reason, winner = state.outcome.reason, state.outcome.winner
    return (game.table_id, game.id, len(state.rounds), reason, winner)
