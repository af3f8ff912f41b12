"""Rounds scored, and folded into a game: totals, bags, dealer, phase, and the outcome."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import add
from typing import Literal, NamedTuple

from scorekeeper.rules.bidding import Bids, Table, are_made, bidding_order, sides_of, thrown_in
from scorekeeper.rules.outcome import Outcome, Standing, move_along, outcome_of, start, take_seats
from scorekeeper.rules.penalties import books_moved, charge_of, sides_lost
from scorekeeper.rules.round import Notes, Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import NOTHING, Hand, SideScore, score_seats, score_side, tie_break
from scorekeeper.rules.seating import Names, Seats
from scorekeeper.rules.sentence import Refusal


class RoundScore(NamedTuple):
    """A scored round: the facts, each side's score, and the standing before and after.

    One without tricks was not played to its end: a penalty lost the game, and nobody scores.
    """

    number: int
    dealer: int
    round: Round
    scores: tuple[SideScore, ...]
    before: Standing
    after: Standing
    outcome: Outcome | None

    @property
    def bids(self) -> Bids:
        """The bids of the seats."""
        return self.round.bids

    @property
    def tricks(self) -> tuple[int, ...]:
        """The tricks of the seats; empty where the round was not played to its end."""
        return self.round.tricks or ()

    @property
    def notes(self) -> Notes:
        """The notes of the round."""
        return self.round.notes

    @property
    def taken(self) -> tuple[int, ...]:
        """The tricks of each side, as they were played."""
        sides = len(self.scores)
        return tuple(sum(self.tricks[side::sides]) for side in range(sides))

    @property
    def moved(self) -> tuple[int, ...]:
        """The books that each side gains, or loses, by penalties."""
        return books_moved(self.notes.penalties, self.taken)

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that have won the game with this round."""
        return self.outcome.winners if self.outcome else ()


def next_dealer(rules: RuleSet, seats: Seats, first_dealer: int, last: RoundScore | None) -> int:
    """Return the seat that deals the round after `last`, or the first; empty seats are skipped."""
    step = 1 if rules.clockwise else -1
    dealer = last.dealer + step if last else first_dealer
    players = len(seats.names)
    while dealer % players in seats.empty:
        dealer += step
    return dealer % players


def is_given_up(round_: Round) -> bool:
    """Return whether a penalty loses the game in a round that has no tricks yet."""
    return round_.tricks is None and any(one.kind == "lost" for one in round_.notes.penalties)


def advance(
    rules: RuleSet, before: Standing, round_: Round
) -> tuple[tuple[SideScore, ...], Standing]:
    """Score one round on top of a standing; return each side's score and the standing after it.

    `rules` are those of the round. Its substitutes take their seats first. Raises `ValueError` for
    a round without tricks, unless a penalty in it loses the game: nobody scores then.
    """
    bids, tricks, penalties = round_.bids, round_.tricks, round_.notes.penalties
    before = take_seats(rules, before, round_.notes.substitutes)
    sides = len(before.bags)  # partners sit opposite, so a side's seats are so many seats apart
    lost = before.lost
    if penalties:
        lost = tuple(sorted({*lost, *sides_lost(penalties, sides)}))
    if is_given_up(round_):
        return tuple(NOTHING._replace(bags=n) for n in before.bags), before._replace(lost=lost)
    if tricks is None:
        raise ValueError("a round is scored when its tricks are known")
    played = tuple([sum(tricks[side::sides]) for side in range(sides)])
    moved = books_moved(penalties, played)
    seats = range(len(bids))
    totals = totals_for_score(rules, before)
    scores = tuple(
        [
            NOTHING._replace(bags=before.bags[side])
            if side in before.seats.empty
            else score_side(
                rules,
                Hand(
                    bids[side::sides],
                    tricks[side::sides],
                    before.bags[side],
                    totals[side::sides],
                    charge_of(penalties, seats[side::sides], moved[side]),
                ),
            )
            for side in range(sides)
        ]
    )
    own: tuple[SideScore, ...] = ()
    if before.seat_totals:
        own = score_seats(rules, bids, tricks, totals, charge_of(penalties, seats))
    is_set = [score.made is False for score in scores]
    return scores, Standing(
        _sums(before.totals, [score.points for score in scores]),
        tuple([score.bags for score in scores]),
        _sums(before.seat_totals, [score.points for score in own]),
        _sums(before.tie_break, [tie_break(rules, score) for score in scores]),
        _sums(before.sets, is_set),
        tuple([n + 1 if is_set[side] else 0 for side, n in enumerate(before.sets_in_a_row)]),
        before.first_tricks or _sums(played, moved),
        before.time_is_up or round_.notes.last_round,
        lost,
        before.seats,
    )


def _sums(counts: Sequence[int], more: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(add, counts, more))


def totals_for_score(rules: RuleSet, before: Standing) -> tuple[int, ...]:
    """Return the totals that scores depend on, as `Standing.kept`; none where they do not."""
    return before.kept if rules.asks_totals else ()


def own_scores(rules: RuleSet, round_: RoundScore) -> tuple[SideScore, ...]:
    """Return the score of each seat: its own where every player has a total, else its side's.

    In a round without tricks nobody scores.
    """
    players, sides = len(round_.bids), len(round_.scores)
    if not round_.before.seat_totals or not round_.tricks:
        return round_.scores * (players // sides)
    return score_seats(
        rules.in_round(round_.number, players, round_.notes.cards),
        round_.bids,
        round_.tricks,
        totals_for_score(rules, round_.before),
        charge_of(round_.notes.penalties, range(players)),
    )


def next_standing(
    rules: RuleSet, starters: Names, last: RoundScore | None, round_: Round
) -> Standing:
    """Return the standing before a round that follows `last`, once its seats are taken."""
    before = (
        last.after if last else start(rules, starters, round_.notes.start, round_.notes.start_bags)
    )
    return take_seats(rules, before, round_.notes.substitutes)


def score_next(
    rules: RuleSet, starters: Names, first_dealer: int, last: RoundScore | None, round_: Round
) -> RoundScore:
    """Score the round that follows `last`, or the first round where that is None.

    Raises `ValueError` as `advance` does.
    """
    number = last.number + 1 if last else 1
    before = next_standing(rules, starters, last, round_)
    in_round = rules.in_round(number, len(starters), round_.notes.cards)
    scores, after = advance(in_round, before, round_)
    return RoundScore(
        number,
        next_dealer(rules, before.seats, first_dealer, last),
        round_._replace(tally=None),
        scores,
        before,
        after,
        outcome_of(rules, after, number),
    )


Phase = Literal["bidding", "playing", "over"]
__all__ = [
    "GameState",
    "Outcome",
    "Phase",
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
    def round_rules(self) -> RuleSet:
        """The rules of the round to be played: those of the game, with its cards."""
        return self.rules_in(self.number)

    def rules_in(self, number: int, round_: Round | RoundScore | None = None) -> RuleSet:
        """Return the rules of a round, past or present, as it is or with other facts."""
        if round_ is None:
            round_ = self.rounds[number - 1] if number <= len(self.rounds) else self.open
        return self.rules.in_round(number, self.players, round_.notes.cards)

    @property
    def table(self) -> Table:
        """What a bid of the round to be played is judged by."""
        return self.standing.table(self.round_rules)

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
    def winners(self) -> tuple[int, ...]:
        """The sides that have won, as of a tie several can; none while the game goes on."""
        return self.outcome.winners if self.outcome else ()

    @property
    def winning_seats(self) -> tuple[int, ...]:
        """The seats of all who have won."""
        return tuple(seat for side in self.winners for seat in self.sides[side])

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each side, the winner's being 1.

        Ties share the better place; sides that have left come last.
        """
        won, playing = self.winners, self.standing.playing
        ranks = [
            (side in won, side in playing, total) for side, total in enumerate(self.standing.totals)
        ]
        return tuple(1 + sum(other > own for other in ranks) for own in ranks)

    @property
    def as_seated(self) -> "GameState":
        """This state with its rounds in the order of the present seats, to show them.

        Where all play alone, what players did before they changed seats stands under their names.
        The tricks of partners and their scores stay where they were.
        """
        have_moved = any(one.notes.substitutes for one in self._entered)
        if len(self.sides) < self.players or not have_moved:
            return self
        former = [*range(self.players)]  # seats in the round, by those of now
        rounds, later = [], self.open.notes.substitutes if self.phase != "over" else ()
        for round_ in reversed(self.rounds):
            moves = round_.after.seats.moves(later)
            former = [moves.get(seat, seat) for seat in former]
            rounds.append(_reseated(round_, former))
            later = round_.notes.substitutes
        return self._replace(rounds=tuple(reversed(rounds)))

    @property
    def _entered(self) -> tuple[Round | RoundScore, ...]:
        return *self.rounds, self.open

    def asked_for(self, seat: int) -> int:
        """Return the seat that is asked on behalf of a seat: itself, or its partner."""
        return seat if seat in self.asked else seat % len(self.sides)

    def side_of(self, seat: int) -> int:
        """Return the side a seat plays for."""
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    @property
    def asks_trump(self) -> bool:
        """Whether the suit that was turned is asked for: until the first entry of the round."""
        is_begun = self.open.tally or any(bid is not None for bid in self.open.bids)
        return self.rules.trump == "turned" and not is_begun

    @property
    def is_last_round(self) -> bool:
        """Whether the game ends with the round to be played, unless a tie plays on."""
        last = self.rules.length(self.players)
        is_called = self.standing.time_is_up or self.open.notes.last_round
        return is_called or (last is not None and self.number >= last)

    @property
    def thrown_in(self) -> Refusal | None:
        """Why the round is dealt again after all bids were made, or None."""
        if self.bids_itself or self.phase == "over":
            return None
        return thrown_in(self.standing.table(self.rules), self.open.bids)

    @property
    def bids_itself(self) -> bool:
        """Whether the round to be played takes its bids from its tricks."""
        return bids_itself(self.rules, self.number)


def _reseated(round_: RoundScore, former: Sequence[int]) -> RoundScore:
    """Return the score of a round in which all play alone by other seats."""
    moves = {seat: before for seat, before in enumerate(former) if seat != before}
    if not moves:
        return round_
    before, after = (move_along(one, moves) for one in (round_.before, round_.after))
    names, empty = round_.after.seats
    seats = Seats(
        tuple([names[seat] for seat in former]), tuple(sorted(former.index(one) for one in empty))
    )
    penalties = [one._replace(seat=former.index(one.seat)) for one in round_.notes.penalties]
    facts = Round(
        tuple([round_.bids[seat] for seat in former]),
        tuple([round_.tricks[seat] for seat in former]) if round_.tricks else None,
        notes=replace(round_.notes, penalties=tuple(penalties)),
    )
    return round_._replace(
        dealer=former.index(round_.dealer),
        round=facts,
        scores=tuple([round_.scores[seat] for seat in former]),
        before=before._replace(seats=seats),
        after=after._replace(seats=seats),
    )


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

    Nothing is checked: the facts are those that were entered. Other programs call `score` of
    `scorekeeper.rules`, which refuses texts for bids, tricks that do not add up, and the like.
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
                over = bool(given_up.winners)
                last = given_up if over else last
            continue
        known = next(reusable, None)
        if known and known.round == round_:
            last = known
        else:
            reusable = iter(())
            last = score_next(rules, names, first_dealer, last, round_)
        scored.append(last)
        over = bool(last.winners)
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
    seats = Seats(names).after(first.notes.substitutes)
    same = earlier.rules, first.before.seats, first.dealer
    is_same = same == (rules, seats, next_dealer(rules, seats, first_dealer, None))
    return earlier.rounds if is_same else ()


def _phase(rules: RuleSet, number: int, unfinished: Round, standing: Standing, over: bool) -> Phase:
    if over:
        return "over"
    if bids_itself(rules, number):
        return "playing"
    if not are_made(rules, unfinished.bids, standing.seats.empty):
        return "bidding"
    if thrown_in(standing.table(rules), unfinished.bids):
        return "bidding"
    return "playing"
