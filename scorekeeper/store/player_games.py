"""The rows derived from a game: one for each round and seat, its outcome, one for each player.

They follow from the facts of the game and are replaced in the transaction that changes these: the
results from the changed round on, the rows of its players as a whole.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from scorekeeper.clock import day_in
from scorekeeper.rules.bidding import Bid, Nil, contract, number_bid
from scorekeeper.rules.game import GameState, RoundScore, own_scores
from scorekeeper.rules.scoring import SideScore
from scorekeeper.store.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.players import find_player_id
from scorekeeper.store.tables import zone_of_table


class Sums(NamedTuple):
    """Sums over the rounds of a player.

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


class Tried(NamedTuple):
    """How often a number was bid, how often it was made, and the tricks above it in all.

    `over` is negative where fewer tricks were taken than bid. Where the tricks of partners are
    counted together, it is what these are above the bids of both.
    """

    times: int = 0
    made: int = 0
    over: int = 0

    def plus(self, other: "Tried") -> "Tried":
        """Return both together."""
        return Tried(*map(sum, zip(self, other, strict=True)))


COLUMNS = ("table_id", "player_id", "started", "game_id", "rules", "side", "sides", "place",
           "comeback", *Sums._fields, "by_number")  # fmt: skip
INSERT_PLAYER_GAME = (
    f"INSERT INTO player_games ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
)


class Turn(NamedTuple):
    """What a player did in a round: bid and tricks, those due for the bid, and the score.

    They are those of the side where partners share one of them.
    """

    bid: Bid | None
    tricks: int
    due: int
    score: SideScore


class Seating(NamedTuple):
    """The ids of the players of a game: who sat where in each round.

    `players` are all of them: first those who started, seat by seat, then others as they came.
    """

    players: tuple[int, ...]
    rounds: tuple[tuple[int | None, ...], ...] = ()  # none where nobody came or left

    def seat_in(self, number: int, player_id: int) -> int | None:
        """Return where a player sat in a round, or None."""
        seats: tuple[int | None, ...] = self.rounds[number - 1] if self.rounds else self.players
        return seats.index(player_id) if player_id in seats else None


def begin(db: Database, table_id: str, game_id: str) -> None:
    """Insert the rows of a game that has just begun."""
    db.execute(
        "INSERT INTO player_games (table_id, player_id, started, game_id, rules) "
        "SELECT games.table_id, player_id, started, games.id, rules FROM games JOIN seats "
        "ON seats.table_id = games.table_id AND game_id = games.id "
        "WHERE games.table_id = ? AND games.id = ?",
        [table_id, game_id],
    )


def replace(db: Database, game: Game) -> None:
    """Replace the rows of a game by those that follow from its facts."""
    delete(db, game)
    db.executemany(INSERT_PLAYER_GAME, player_rows(game, seating_of(db, game)))


def delete(db: Database, game: Game) -> None:
    """Delete the rows of a game, as when it is removed."""
    db.execute(
        "DELETE FROM player_games WHERE table_id = ? AND game_id = ?", [game.table_id, game.id]
    )


def seating_of(db: Database, game: Game) -> Seating:
    """Return who sits where in the rounds of a game as it is stored."""
    if not any(round_.notes.substitutes for round_ in game.rounds):
        return Seating(game.player_ids)
    seated = [
        (number, seat, None if name is None else find_player_id(db, game.table_id, name))
        for number, round_ in enumerate(game.rounds, 1)
        for seat, name in round_.notes.substitutes
    ]
    return seating(game, seated)


def seating(game: Game, substitutes: Sequence[tuple[int, int, int | None]]) -> Seating:
    """Return who sits where in the rounds of a game; substitutes by round, seat and player."""
    if not substitutes:
        return Seating(game.player_ids)
    seats: list[int | None] = [*game.player_ids]
    everybody = dict.fromkeys([*seats, *(player_id for _n, _seat, player_id in substitutes)])
    rounds = []
    for number in range(1, max(game.state.number, substitutes[-1][0]) + 1):
        for _n, seat, player_id in (row for row in substitutes if row[0] == number):
            seats[seat] = player_id
        rounds.append(tuple(seats))
    return Seating(tuple(one for one in everybody if one is not None), tuple(rounds))


def player_rows(game: Game, seating: Seating) -> Iterator[tuple[Any, ...]]:
    """Yield the row of each player of a game, as in `COLUMNS`.

    The sums are those of the rounds in which the player sat at the table. Side and place are None
    until the game is over, and for those who did not sit there in its last round.
    """
    state = game.state
    sides = len({side for round_ in state.rounds for side in round_.after.playing})
    scores = [own_scores(state.rules, round_) for round_ in state.rounds]
    for player_id in seating.players:
        turns = [*_turns(state, seating, player_id, scores)]
        yield (
            game.table_id,
            player_id,
            game.started,
            game.id,
            game.rules.key,
            *_ending(state, seating, player_id, sides),
            *_sums(turns),
            _by_number(turns),
        )


def _ending(
    state: GameState, seating: Seating, player_id: int, sides: int
) -> tuple[int | None, int, int | None, int]:
    """Return a player's side, the number of sides, the place and the comeback."""
    is_over = state.phase == "over" and state.rounds  # a game lost in round 1 counts for nobody
    seat = seating.seat_in(len(state.rounds), player_id) if is_over else None
    if seat is None:
        return None, sides, None, 0
    side = state.side_of(seat)
    return side, sides, state.places[side], _comeback(state, seating, player_id, side)


def _comeback(state: GameState, seating: Seating, player_id: int, side: int) -> int:
    """Return how far behind the leader a side was at worst before it won, or 0 where it lost.

    A player who plays alone and has changed seats was behind with the total of the former one.
    """
    if side not in state.winners:
        return 0
    worst = 0
    for round_ in state.rounds:
        now, seat = round_.after, seating.seat_in(round_.number, player_id)
        own = side if seat is None or len(now.totals) < state.players else seat
        if own in now.playing:
            worst = max(worst, max(now.totals[one] for one in now.playing) - now.totals[own])
    return worst


def _turns(
    state: GameState, seating: Seating, player_id: int, scores: list[tuple[SideScore, ...]]
) -> Iterator[Turn]:
    """Yield the rounds in which a player sat at the table."""
    for round_, own in zip(state.rounds, scores, strict=True):
        seat = seating.seat_in(round_.number, player_id)
        if seat is not None:
            yield Turn(*_played(state, round_, seat), own[seat])


def _sums(turns: Sequence[Turn]) -> Sums:
    counts = dict.fromkeys(Sums._fields, 0)
    for bid, tricks, _due, score in turns:
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


def _by_number(turns: Sequence[Turn]) -> str:
    """Return the bids of each number as JSON: `{"3": [times, made, over]}`, the least first."""
    found: dict[int, Tried] = {}
    for bid, tricks, due, score in turns:
        number = number_bid(bid)
        if number is not None:
            one = Tried(1, int(score.made is True), tricks - due)
            found[number] = found.get(number, Tried()).plus(one)
    return json.dumps(dict(sorted(found.items())), separators=(",", ":"))


def _played(state: GameState, round_: RoundScore, seat: int) -> tuple[Bid | None, int, int]:
    """Return the bid and tricks of a seat, or of its side where partners share one of them.

    Last come the tricks that are due: the bid, or all bids of the side whose tricks these are.
    """
    rules, seats = state.rules, state.sides[state.side_of(seat)]
    bid, tricks = round_.bids[seat], round_.tricks[seat]
    if rules.bid_by == "side":
        bid = round_.bids[seats[0]]
    if "side" in (rules.bid_by, rules.tricks_by):
        tricks = sum(round_.tricks[one] for one in seats)
        return bid, tricks, contract([round_.bids[one] for one in seats])
    return bid, tricks, contract([bid])


INSERT_RESULT = f"INSERT INTO results VALUES ({', '.join('?' * 18)})"
INSERT_OUTCOME = "INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?)"


def derive(db: Database, game: Game, first_round: int = 1, before: GameState | None = None) -> None:
    """Replace the result rows of a game from a round on, its outcome, and its players' rows.

    With the state `before` the change, nothing is deleted where that had no such rows.
    """
    if before is None or before.phase == "over" or len(before.rounds) >= first_round:
        _delete(db, game, first_round)
    db.executemany(INSERT_RESULT, expected(game, first_round))
    if outcome := expected_outcome(game):
        day = day_in(zone_of_table(db, game.table_id), game.started)
        db.execute(INSERT_OUTCOME, [*outcome, day])
        if before is None or before.phase != "over":
            db.changes.ended_a_game = True
    replace(db, game)


def exclude(db: Database, game: Game) -> None:
    """Delete the results of a game that is removed, and its players' rows."""
    _delete(db, game, 1)
    delete(db, game)


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
                score.bonus_points,
            )


def expected_outcome(game: Game) -> tuple[Any, ...] | None:
    """Return the row of the outcome but for its day, or None while the game is not over."""
    state = game.state
    if state.phase != "over" or state.outcome is None:
        return None
    reason, winner = state.outcome.reason, state.outcome.winner
    return (game.table_id, game.id, len(state.rounds), reason, winner)
