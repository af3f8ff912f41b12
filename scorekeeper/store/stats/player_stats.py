"""The statistics of each player in one game, computed from its state."""

from typing import NamedTuple

from scorekeeper.rules.bidding import Bid, Nil, contract
from scorekeeper.rules.game import GameState
from scorekeeper.rules.rounds import RoundScore, own_scores


class Sums(NamedTuple):
    """Sums over rounds.

    Points, bags, contracts and penalties are those of the side, or where every player has a total
    those of the player.

    `bids` counts the bids of a number, `bid_tricks` and `taken` are the tricks bid and taken in
    those rounds, `made` and `exact` count the contracts made in them. The one bid of a side counts
    for both partners, and so do tricks that are counted for the side.
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


class Seating(NamedTuple):
    """The ids of the players of a game: who sat where in each round, and in the end.

    `players` are all of them: first those who started, seat by seat, then others as they came.
    """

    players: tuple[int, ...]
    rounds: tuple[tuple[int | None, ...], ...] = ()  # none where nobody came or left

    def seat_in(self, number: int, player_id: int) -> int | None:
        """Return where a player sat in a round, or None."""
        seats: tuple[int | None, ...] = self.rounds[number - 1] if self.rounds else self.players
        return seats.index(player_id) if player_id in seats else None


def player_stats(state: GameState, seating: Seating, first_round: int = 1) -> list[PlayerStats]:
    """Return the statistics of the players of a game, in the order of `seating.players`.

    Their sums are those of the rounds from `first_round` on in which they sat at the table. The
    place is that of the seat, for those who had one in the last round that was scored.
    """
    return [
        _share(state, seating, player_id, _sums(state, seating, player_id, first_round))
        for player_id in seating.players
    ]


def _share(state: GameState, seating: Seating, player_id: int, sums: Sums) -> PlayerStats:
    is_over = state.phase == "over" and state.rounds  # a game lost in round 1 counts for nobody
    seat = seating.seat_in(len(state.rounds), player_id) if is_over else None
    if seat is None:
        return PlayerStats(player_id, None, 0, sums)
    side = state.side_of(seat)
    return PlayerStats(player_id, state.places[side], _comeback(state, side), sums)


def _sums(state: GameState, seating: Seating, player_id: int, first_round: int) -> Sums:
    counts = dict.fromkeys(Sums._fields, 0)
    for round_ in state.rounds[first_round - 1 :]:
        seat = seating.seat_in(round_.number, player_id)
        if seat is None:
            continue
        bid, tricks = _played(state, round_, seat)
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
            counts["bid_tricks"] += contract([bid])
            counts["taken"] += tricks
            counts["made"] += score.made is True
            counts["exact"] += score.made is True and score.overtricks == 0
    return Sums(**counts)


def _played(state: GameState, round_: RoundScore, seat: int) -> tuple[Bid | None, int]:
    """Return the bid and tricks of a seat, or of its side where partners share one of them."""
    rules, seats = state.rules, state.sides[state.side_of(seat)]
    bid, tricks = round_.bids[seat], round_.tricks[seat]
    if rules.bid_by == "side":
        bid = round_.bids[seats[0]]
    if "side" in (rules.bid_by, rules.tricks_by):
        tricks = sum(round_.tricks[one] for one in seats)
    return bid, tricks


def _comeback(state: GameState, side: int) -> int:
    """Return how far behind the leader a side was at worst before it won, or 0 where it lost."""
    if state.outcome is None or state.outcome.winner != side:
        return 0
    played = [round_.after for round_ in state.rounds if side in round_.after.playing]
    return max(max(now.totals[one] for one in now.playing) - now.totals[side] for now in played)
