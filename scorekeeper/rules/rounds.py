"""One round: its bids and tricks, and what it makes of every side's total and bags."""

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import Bids, sides_of
from scorekeeper.rules.call_values import depends_on_total
from scorekeeper.rules.penalties import Penalty, books_moved, fines, hands_set, sides_lost
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import NOTHING, SideScore, score_seats, score_side
from scorekeeper.rules.seating import Names, Seats, Substitutes


class Round(NamedTuple):
    """The facts of one round, seat by seat: bids, and tricks once they are scored.

    `tally` holds trick counts that are still being entered; they score nothing. `last_round` says
    that time is up: the game ends with this round, or in a tie after it. `substitutes` take or
    leave their seats from this round on. An empty seat has no bid, and takes 0 tricks.
    """

    bids: Bids
    tricks: tuple[int, ...] | None = None
    tally: tuple[int | None, ...] | None = None
    penalties: tuple[Penalty, ...] = ()
    last_round: bool = False
    substitutes: Substitutes = ()


class Standing(NamedTuple):
    """What is known of every side between two rounds: its total, and its bags toward a penalty.

    `seat_totals` are kept only where each player has a total. `overtricks` are those of the whole
    game; `sets` and `sets_in_a_row` count failed contracts; `first_tricks` are those of round 1.
    `time_is_up` is true after the round that was called the last. `lost` are the sides that lost
    the game by a penalty. `seats` are those of the round.
    """

    totals: tuple[int, ...]
    bags: tuple[int, ...]
    seat_totals: tuple[int, ...] = ()
    overtricks: tuple[int, ...] = ()
    sets: tuple[int, ...] = ()
    sets_in_a_row: tuple[int, ...] = ()
    first_tricks: tuple[int, ...] = ()
    time_is_up: bool = False
    lost: tuple[int, ...] = ()
    seats: Seats = Seats(())

    @property
    def playing(self) -> tuple[int, ...]:
        """The sides that play. Where seats are empty everybody is a side."""
        sides, empty = range(len(self.totals)), self.seats.empty
        return tuple(side for side in sides if side not in empty) if empty else tuple(sides)

    @property
    def kept(self) -> tuple[int, ...]:
        """The totals that the rules compare: those of players where each has one, else of sides."""
        return self.seat_totals or self.totals

    def kept_of(self, side: int) -> tuple[int, ...]:
        """Return the totals of a side's players where each has one, else its own."""
        return self.kept[side :: len(self.totals)]


Reason = Literal["target", "mercy", "rounds", "last_round", "sets", "first_round", "penalty"]


class Outcome(NamedTuple):
    """Whether a game is over, and why.

    `reason` is what ends it: the target or mercy is reached, the rounds are played, the last round
    was called, or a side has lost by a penalty, its sets or its first round. `winner` is a side, or
    None while the `tied` sides share the lead and play on.
    """

    reason: Reason
    winner: int | None
    tied: tuple[int, ...] = ()


class RoundScore(NamedTuple):
    """A scored round: the facts, each side's score, and the standing before and after.

    One without tricks was not played to its end: a penalty lost the game, and nobody scores.
    """

    number: int
    dealer: int
    bids: Bids
    tricks: tuple[int, ...]
    scores: tuple[SideScore, ...]
    before: Standing
    after: Standing
    outcome: Outcome | None
    penalties: tuple[Penalty, ...] = ()
    last_round: bool = False
    substitutes: Substitutes = ()

    @property
    def facts(self) -> Round:
        """What was entered, without the score."""
        notes = self.penalties, self.last_round, self.substitutes
        return Round(self.bids, self.tricks or None, None, *notes)

    def is_of(self, round_: Round) -> bool:
        """Return whether this is the score of a round, whatever its counts during play."""
        bids, tricks, _tally, *notes = round_
        return (bids, tricks) == (self.bids, self.tricks or None) and notes == [
            self.penalties,
            self.last_round,
            self.substitutes,
        ]

    @property
    def taken(self) -> tuple[int, ...]:
        """The tricks of each side, as they were played."""
        sides = len(self.scores)
        return tuple(sum(self.tricks[side::sides]) for side in range(sides))

    @property
    def moved(self) -> tuple[int, ...]:
        """The books that each side gains, or loses, by penalties."""
        return books_moved(self.penalties, self.taken)

    @property
    def winner(self) -> int | None:
        """The side that has won the game with this round."""
        return self.outcome.winner if self.outcome else None


def start(rules: RuleSet, starters: Names) -> Standing:
    """Return the standing before the first round."""
    players = len(starters)
    zeros = (0,) * len(sides_of(rules, players))
    seats = (0,) * players if rules.totals_by == "seat" else ()
    return Standing(zeros, zeros, seats, zeros, zeros, zeros, seats=Seats(starters))


def take_seats(rules: RuleSet, standing: Standing, substitutes: Substitutes) -> Standing:
    """Return the standing once substitutes have taken or left their seats.

    Somebody new on an empty seat begins with the total that `joins_at` says, and without bags.
    """
    if not substitutes:
        return standing
    seats = standing.seats.after(substitutes)
    new = {one.seat for one in substitutes if standing.seats.joins(one)}
    lowest = min(standing.totals[side] for side in standing.playing)
    total = lowest if rules.joins_at == "lowest" else 0

    def begin(counts: tuple[int, ...], value: int = 0) -> tuple[int, ...]:
        return tuple(value if side in new else n for side, n in enumerate(counts))

    return standing._replace(
        totals=begin(standing.totals, total),
        bags=begin(standing.bags),
        overtricks=begin(standing.overtricks),
        sets=begin(standing.sets),
        sets_in_a_row=begin(standing.sets_in_a_row),
        seats=seats,
    )


def next_dealer(rules: RuleSet, seats: Seats, first_dealer: int, last: RoundScore | None) -> int:
    """Return the seat that deals the round after `last`, or the first; empty seats are skipped."""
    step = 1 if rules.clockwise else -1
    dealer = last.dealer + step if last else first_dealer
    players = len(seats.names)
    while dealer % players in seats.empty:
        dealer += step
    return dealer % players


def outcome_of(rules: RuleSet, standing: Standing, number: int) -> Outcome | None:
    """Return the outcome of a game after a round; None while the game goes on.

    These end it, in this order: a loss by a penalty, by the first round or by sets; the target;
    mercy; the last round. Of the sides that play and have not lost, the one with the highest total
    wins. After a tie another round is played.
    """
    sides = standing.playing
    for reason, lost in _losses(rules, standing, number):
        if lost:
            return _led_by(standing, reason, [side for side in sides if side not in lost] or sides)
    if reached := _at_target(rules, standing):
        return _led_by(standing, "target", reached)
    if rules.mercy is not None and min(_totals_playing(standing)) <= rules.mercy:
        return _led_by(standing, "mercy", sides)
    is_at_limit = rules.rounds is not None and number >= rules.rounds
    if is_at_limit or standing.time_is_up:
        limit: Reason = "rounds" if is_at_limit else "last_round"
        outcome = _led_by(standing, limit, sides)
        if outcome.tied and rules.tie_at_limit == "fewer_bags":
            fewest = min(standing.overtricks[side] for side in outcome.tied)
            fewer = [side for side in outcome.tied if standing.overtricks[side] == fewest]
            return _led_by(standing, limit, fewer)
        return outcome
    return None


def _losses(rules: RuleSet, standing: Standing, number: int) -> Iterator[tuple[Reason, list[int]]]:
    """Yield the sides that lose whatever their totals."""
    yield "penalty", list(standing.lost)
    if rules.first_round_minimum is not None:
        taken = enumerate(standing.first_tricks)
        few = [side for side, n in taken if n < rules.first_round_minimum]
        yield "first_round", [side for side in few if side in standing.playing]
    counts_sets = rules.sets_lose is not None or rules.sets_in_a_row_lose is not None
    if counts_sets and number >= (rules.minimum_rounds or 1):
        counted = enumerate(zip(standing.sets, standing.sets_in_a_row, strict=True))
        yield (
            "sets",
            [
                side
                for side, (sets, in_a_row) in counted
                if side in standing.playing
                and (
                    sets >= (rules.sets_lose or math.inf)
                    or in_a_row >= (rules.sets_in_a_row_lose or math.inf)
                )
            ],
        )


def _at_target(rules: RuleSet, standing: Standing) -> Sequence[int]:
    """Return the sides that the target lets win; without totals of seats all, if one is there."""
    if rules.target is None or max(_totals_playing(standing)) < rules.target:
        return ()
    sides = standing.playing
    if not standing.seat_totals:
        return sides
    least = 0 if rules.win_needs_partner else -math.inf
    own = [sorted(standing.kept_of(side)) for side in sides]
    return [side for side in sides if own[side][-1] >= rules.target and own[side][0] >= least]


def _totals_playing(standing: Standing) -> tuple[int, ...]:
    """Return the totals to compare, without those of seats that are empty."""
    if not standing.seats.empty:
        return standing.kept
    return tuple(standing.totals[side] for side in standing.playing)


def _led_by(standing: Standing, reason: Reason, sides: Sequence[int]) -> Outcome:
    best = max(standing.totals[side] for side in sides)
    leaders = tuple(side for side in sides if standing.totals[side] == best)
    return Outcome(reason, leaders[0]) if len(leaders) == 1 else Outcome(reason, None, leaders)


def is_given_up(round_: Round) -> bool:
    """Return whether a penalty loses the game in a round that has no tricks yet."""
    return round_.tricks is None and any(one.kind == "lost" for one in round_.penalties)


def advance(
    rules: RuleSet, before: Standing, round_: Round
) -> tuple[tuple[SideScore, ...], Standing]:
    """Score one round on top of a standing; return each side's score and the standing after it.

    Its substitutes take their seats first. Raises `ValueError` for a round without tricks, unless
    a penalty in it loses the game: nobody scores then.
    """
    bids, tricks = round_.bids, round_.tricks
    before = take_seats(rules, before, round_.substitutes)
    sides = len(before.bags)  # partners sit opposite, so a side's seats are so many seats apart
    lost = before.lost
    if round_.penalties:
        lost = tuple(sorted({*lost, *sides_lost(round_.penalties, sides)}))
    if is_given_up(round_):
        return tuple(NOTHING._replace(bags=n) for n in before.bags), before._replace(lost=lost)
    if tricks is None:
        raise ValueError("a round is scored when its tricks are known")
    played = tuple(sum(tricks[side::sides]) for side in range(sides))
    moved, fined = books_moved(round_.penalties, played), fines(round_.penalties, len(bids))
    failed = hands_set(round_.penalties, len(bids))
    scores = tuple(
        NOTHING._replace(bags=before.bags[side])
        if side in before.seats.empty
        else score_side(
            rules,
            bids[side::sides],
            tricks[side::sides],
            before.bags[side],
            totals_for_score(rules, before, side),
            moved[side],
            sum(fined[side::sides]),
            failed[side::sides],
        )
        for side in range(sides)
    )
    return scores, Standing(
        tuple(total + score.points for total, score in zip(before.totals, scores, strict=True)),
        tuple(score.bags for score in scores),
        _seat_totals(rules, before, round_),
        tuple(n + score.overtricks for n, score in zip(before.overtricks, scores, strict=True)),
        tuple(n + (score.made is False) for n, score in zip(before.sets, scores, strict=True)),
        tuple(
            n + 1 if score.made is False else 0
            for n, score in zip(before.sets_in_a_row, scores, strict=True)
        ),
        before.first_tricks or tuple(n + more for n, more in zip(played, moved, strict=True)),
        before.time_is_up or round_.last_round,
        lost,
        before.seats,
    )


def totals_for_score(rules: RuleSet, before: Standing, side: int) -> tuple[int, ...]:
    """Return the totals that a side's score depends on; none where it depends on none."""
    return before.kept_of(side) if depends_on_total(rules.call_values) else ()


def own_scores(rules: RuleSet, round_: RoundScore) -> tuple[SideScore, ...]:
    """Return the score of each seat: its own where every player has a total, else its side's."""
    if round_.before.seat_totals:
        return _seat_scores(rules, round_.before, round_.facts)
    sides = len(round_.scores)
    return tuple(round_.scores[seat % sides] for seat in range(len(round_.bids)))


def _seat_scores(rules: RuleSet, before: Standing, round_: Round) -> tuple[SideScore, ...]:
    players = len(round_.bids)
    return score_seats(
        rules,
        round_.bids,
        round_.tricks or (),
        before.seat_totals if depends_on_total(rules.call_values) else (),
        hands_set(round_.penalties, players),
        fines(round_.penalties, players),
    )


def _seat_totals(rules: RuleSet, before: Standing, round_: Round) -> tuple[int, ...]:
    if not before.seat_totals:
        return ()
    scores = _seat_scores(rules, before, round_)
    return tuple(n + score.points for n, score in zip(before.seat_totals, scores, strict=True))


def next_standing(
    rules: RuleSet, starters: Names, last: RoundScore | None, round_: Round
) -> Standing:
    """Return the standing before a round that follows `last`, once its seats are taken."""
    before = last.after if last else start(rules, starters)
    return take_seats(rules, before, round_.substitutes)


def score_next(
    rules: RuleSet, starters: Names, first_dealer: int, last: RoundScore | None, round_: Round
) -> RoundScore:
    """Score the round that follows `last`, or the first round where that is None.

    Raises `ValueError` as `advance` does.
    """
    number = last.number + 1 if last else 1
    before = next_standing(rules, starters, last, round_)
    scores, after = advance(rules, before, round_)
    return RoundScore(
        number=number,
        dealer=next_dealer(rules, before.seats, first_dealer, last),
        bids=round_.bids,
        tricks=round_.tricks or (),
        scores=scores,
        before=before,
        after=after,
        outcome=outcome_of(rules, after, number),
        penalties=round_.penalties,
        last_round=round_.last_round,
        substitutes=round_.substitutes,
    )
