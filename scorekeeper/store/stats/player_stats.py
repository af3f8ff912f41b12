"""The statistics of each player in one game, computed from its state."""

from collections.abc import Sequence
from typing import NamedTuple

from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.game import GameState
from scorekeeper.rules.rounds import own_scores


class Sums(NamedTuple):
    """Sums over rounds.

    Points, bags, contracts and penalties are those of the side, or where every player has a total
    those of the player.

    `bids` counts the bids of a number, `bid_tricks` and `taken` are the tricks bid and taken in
    those rounds, `made` and `exact` count the contracts made in them.
    """

    rounds: int = 0
    points: int = 0
    bags: int = 0
    bids: int = 0
    bid_tricks: int = 0
    taken: int = 0
    made: int = 0
    exact: int = 0
    nils: int = 0
    nils_made: int = 0
    blind_nils: int = 0
    blind_nils_made: int = 0
    penalties: int = 0


class PlayerStats(NamedTuple):
    """The statistics of a player in one game. `place` is None until the game is over."""

    player_id: int
    place: int | None
    comeback: int
    sums: Sums


def player_stats(
    state: GameState, player_ids: Sequence[int], first_round: int = 1
) -> list[PlayerStats]:
    """Return the statistics of the players of a game, seat by seat.

    Their sums are those of the rounds from `first_round` on.
    """
    return [
        _share(state, seat, player_id, _sums(state, seat, first_round))
        for seat, player_id in enumerate(player_ids)
    ]


def _share(state: GameState, seat: int, player_id: int, sums: Sums) -> PlayerStats:
    if state.phase != "over":
        return PlayerStats(player_id, None, 0, sums)
    side = state.side_of(seat)
    return PlayerStats(player_id, state.places[side], _comeback(state, side), sums)


def _sums(state: GameState, seat: int, first_round: int) -> Sums:
    counts = dict.fromkeys(Sums._fields, 0)
    for round_ in state.rounds[first_round - 1 :]:
        bid, tricks = round_.bids[seat], round_.tricks[seat]
        score = own_scores(state.rules, round_)[seat]
        counts["rounds"] += 1
        counts["points"] += score.points
        counts["bags"] += score.overtricks
        counts["penalties"] += score.bag_penalty != 0
        if isinstance(bid, Nil):
            kind = "nils" if bid is Nil.NIL else "blind_nils"
            counts[kind] += 1
            counts[f"{kind}_made"] += tricks == 0
        elif bid is not None:
            counts["bids"] += 1
            counts["bid_tricks"] += bid
            counts["taken"] += tricks
            counts["made"] += score.made is True
            counts["exact"] += score.made is True and score.overtricks == 0
    return Sums(**counts)


def _comeback(state: GameState, side: int) -> int:
    """Return how far behind the leader a side was at worst before it won, or 0 where it lost."""
    if state.outcome is None or state.outcome.winner != side:
        return 0
    return max(max(r.after.totals) - r.after.totals[side] for r in state.rounds)
