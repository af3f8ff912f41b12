"""A game: rounds folded into a state with totals, bags, dealer, phase, and the outcome."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import Bids, are_made, bidding_order, sides_of, thrown_in
from scorekeeper.rules.outcome import Outcome, outcome_of
from scorekeeper.rules.refusals import Refusal
from scorekeeper.rules.rounds import (
    Round,
    RoundScore,
    advance,
    is_given_up,
    next_dealer,
    next_standing,
    score_next,
)
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Names, Seats
from scorekeeper.rules.standing import Standing

Phase = Literal["bidding", "playing", "over"]
__all__ = [
    "GameState",
    "Outcome",
    "Phase",
    "Round",
    "RoundScore",
    "Standing",
    "advance",
    "fold",
    "outcome_of",
    "sides_of",
]


class GameState(NamedTuple):
    """Everything that follows from the facts of a game.

    `number`, `dealer` and `order` are those of the round to be played, or of the last one once the
    game is over. `open` is the round to be played, with its bids so far. If a penalty in it loses
    the game it stays open, and is not among the scored `rounds`. `uncounted` rounds come after the
    end of the game, as a correction can move that; they score nothing.
    """

    rules: RuleSet
    players: int
    sides: tuple[tuple[int, ...], ...]
    rounds: tuple[RoundScore, ...]
    standing: Standing
    number: int
    dealer: int
    phase: Phase
    open: Round
    outcome: Outcome | None
    uncounted: int

    @property
    def order(self) -> tuple[int, ...]:
        """Seats in bidding order, without those that are empty."""
        order = bidding_order(self.players, self.dealer, clockwise=self.rules.clockwise)
        return tuple(seat for seat in order if seat not in self.seats.empty)

    @property
    def seats(self) -> Seats:
        """Who sits where in the round to be played, or sat there at the end."""
        return self.standing.seats

    @property
    def just_scored(self) -> bool:
        """Whether a round has been scored and nobody has bid since."""
        return bool(self.rounds) and all(bid is None for bid in self.open.bids)

    @property
    def bidders(self) -> tuple[int, ...]:
        """Seats that bid, in turn; of a side with one bid, that is its first seat."""
        return self._in_turn(self.rules.bid_by)

    @property
    def asked(self) -> tuple[int, ...]:
        """Seats whose bids, or then tricks, are asked for, in turn."""
        return self.bidders if self.phase == "bidding" else self._in_turn(self.rules.tricks_by)

    def _in_turn(self, by: str) -> tuple[int, ...]:
        if by == "seat":
            return self.order
        return tuple(dict.fromkeys(seat % len(self.sides) for seat in self.order))

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each side, the winner's being 1.

        Ties share the better place; sides that have left come last.
        """
        won = self.outcome.winner if self.outcome else None
        playing = self.standing.playing
        ranks = [
            (side == won, side in playing, total) for side, total in enumerate(self.standing.totals)
        ]
        return tuple(1 + sum(other > own for other in ranks) for own in ranks)

    def asked_for(self, seat: int) -> int:
        """Return the seat that is asked on behalf of a seat: itself, or its partner."""
        return seat if seat in self.asked else seat % len(self.sides)

    def side_of(self, seat: int) -> int:
        """Return the side a seat plays for."""
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    @property
    def thrown_in(self) -> Refusal | None:
        """Why the round is dealt again after all bids were made, or None."""
        if self.bids_itself or self.phase == "over":
            return None
        return thrown_in(self.rules, self.open.bids, self.standing.kept, self.seats.empty)

    @property
    def bids_itself(self) -> bool:
        """Whether the round to be played takes its bids from its tricks."""
        return bids_itself(self.rules, self.number)


def bids_itself(rules: RuleSet, number: int) -> bool:
    """Return whether a round has no bidding, its tricks being its bids."""
    return rules.first_round_bids_itself and number == 1


def fold(
    rules: RuleSet,
    players: int,
    first_dealer: int,
    rounds: Iterable[Round],
    earlier: GameState | None = None,
    starters: Names = (),
) -> GameState:
    """Return the state that follows from the rounds, of which the last may be unfinished.

    `earlier` may be any state: the scored rounds that both have in common at the beginning are
    reused. The names of the `starters` tell who returns to a seat; without them nobody does.
    Raises `ValueError` for an unfinished round with bids that is not the last, and for a number
    of players the rules are not for.
    """
    if players not in rules.players:
        raise ValueError(f"{rules.key} is not for {players} players")
    names = starters or ("",) * players
    reusable = iter(_scored_alike(earlier, rules, first_dealer, names))
    nobody: Bids = (None,) * players
    scored: list[RoundScore] = []
    last: RoundScore | None = None
    unfinished, over, uncounted = Round(nobody), False, 0
    for round_ in rounds:
        if over:
            uncounted += 1
            continue
        if unfinished.bids != nobody:
            raise ValueError("only the last round can be unfinished")
        if round_.tricks is None:
            unfinished = round_
            if is_given_up(round_):
                given_up = score_next(rules, names, first_dealer, last, round_)
                over = given_up.winner is not None
                last = given_up if over else last
            continue
        known = next(reusable, None)
        if known and known.is_of(round_):
            last = known
        else:
            reusable = iter(())
            last = score_next(rules, names, first_dealer, last, round_)
        scored.append(last)
        over = last.winner is not None
    number = last.number if over and last else len(scored) + 1
    standing = last.after if over and last else next_standing(rules, names, last, unfinished)
    return GameState(
        rules=rules,
        players=players,
        sides=sides_of(rules, players),
        rounds=tuple(scored),
        standing=standing,
        number=number,
        dealer=last.dealer
        if over and last
        else next_dealer(rules, standing.seats, first_dealer, last),
        phase=_phase(rules, number, unfinished, standing, over),
        open=unfinished,
        outcome=last.outcome if last else None,
        uncounted=uncounted,
    )


def _scored_alike(
    earlier: GameState | None, rules: RuleSet, first_dealer: int, names: Names
) -> tuple[RoundScore, ...]:
    """Return the scored rounds of a state that has the same rules, players and dealer."""
    if earlier is None or not earlier.rounds:
        return ()
    first = earlier.rounds[0]
    seats = Seats(names).after(first.substitutes)
    same = earlier.rules, first.before.seats, first.dealer
    is_same = same == (rules, seats, next_dealer(rules, seats, first_dealer, None))
    return earlier.rounds if is_same else ()


def _phase(rules: RuleSet, number: int, unfinished: Round, standing: Standing, over: bool) -> Phase:
    if over:
        return "over"
    if bids_itself(rules, number):
        return "playing"
    empty = standing.seats.empty
    if not are_made(rules, unfinished.bids, empty):
        return "bidding"
    if thrown_in(rules, unfinished.bids, standing.kept, empty):
        return "bidding"
    return "playing"
