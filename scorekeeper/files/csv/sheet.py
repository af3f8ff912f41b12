"""A game as a CSV file holds it, and one row of it: a seat's round."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.game import Round, RoundScore, bids_itself, sides_of
from scorekeeper.rules.penalties import penalty_text
from scorekeeper.rules.rounds import own_scores
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.rules.scoring import SideScore
from scorekeeper.rules.seating import Names, seated


@dataclass(frozen=True)
class Sheet:
    """The facts of a game.

    `started` is ISO 8601 with an offset, or empty; `rules` differ from the rule book `base` by
    house rules; `names` are those of the players who start, in the order of the seats;
    `first_dealer` is a seat, counted from 0. `rounds` is iterated once, so it may be read from a
    file or a database on the way.
    """

    game: str
    started: str
    rules: RuleSet
    base: RuleSet
    names: tuple[str, ...]
    first_dealer: int
    rounds: Iterable[Round]

    @cached_property
    def house_rules(self) -> str:
        """The house rules as `name=value;name=value`."""
        changes = house_rules(self.base, self.rules)
        return ";".join(f"{name}={value}" for name, value in changes.items())

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return sides_of(self.rules, len(self.names))


class SeatRow(NamedTuple):
    """What a row is written from: a game, a scored round, a seat, its player, side and score."""

    sheet: Sheet
    round: RoundScore
    seat: int
    player: str
    side: int
    score: SideScore

    @property
    def bid(self) -> Bid | None:
        """The seat's bid; its tricks in a round that bids itself, None where its partner bids."""
        bid = self.round.bids[self.seat]
        unbid = bid is None and bids_itself(self.sheet.rules, self.round.number)
        return self.tricks if unbid else bid

    @property
    def tricks(self) -> int | None:
        """The seat's tricks; None in a round in which a penalty lost the game."""
        return self.round.tricks[self.seat] if self.round.tricks else None

    @property
    def total(self) -> int:
        """The seat's total after the round where every player has one, else its side's."""
        kept = self.round.after.kept
        return kept[self.seat % len(kept)]

    @property
    def notes(self) -> str:
        """The penalties of the seat, and whether the round is the last, as `key=value` pairs."""
        penalties, is_last = self.round.penalties, self.round.last_round
        if not (penalties or is_last):
            return ""
        notes = [f"penalty={penalty_text(one)}" for one in penalties if one.seat == self.seat]
        return ";".join([*notes, "last_round=yes"] if is_last else notes)

    @property
    def outcome(self) -> str:
        """`won` or `lost` in the last round of a game, else empty."""
        if self.round.winner is None:
            return ""
        return "won" if self.round.winner == self.side else "lost"


def seat_rows(sheet: Sheet, scored: RoundScore, names: Names) -> list[SeatRow]:
    """Return what the rows of a round are written from, in the order of the seats.

    `names` are those of the players who sit there in this round; an empty seat has no row.
    """
    sides, scores = len(scored.scores), own_scores(sheet.rules, scored)
    return [
        SeatRow(sheet, scored, seat, names[seat], seat % sides, scores[seat])
        for seat in scored.after.seats.taken
    ]


def with_names(
    rounds: Iterable[tuple[Sheet, RoundScore]],
) -> Iterator[tuple[Sheet, RoundScore, Names]]:
    """Yield each round of some games, beside its game, with who sits where in it."""
    names: Names = ()
    for sheet, scored in rounds:
        before = sheet.names if scored.number == 1 else names
        names = seated(before, [scored.substitutes])
        yield sheet, scored, names
