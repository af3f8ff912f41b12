"""A game written down round by round: its running sums, and its rows as they stand in a file."""

from collections.abc import Callable
from operator import itemgetter

from scorekeeper.files.csv.columns import quoted, text_cell
from scorekeeper.files.csv.scores import EntriesUnder, Key
from scorekeeper.rules.bidding import Bids
from scorekeeper.rules.game import Outcome, dealer_of, outcome_of, sides_of
from scorekeeper.rules.ruleset import RuleSet, house_rules

Tricks = tuple[int, ...]
Seat = tuple[int, str, Callable[[Key], Key]]


class Setup:
    """Who plays, by which rules, and who deals first: what the games of an evening share.

    `rules` differ from the rule book `base` by house rules; `names` stand in the order of the
    seats; `first_dealer` is a seat, counted from 0.
    """

    def __init__(
        self,
        rules: RuleSet,
        base: RuleSet,
        names: tuple[str, ...],
        first_dealer: int,
        entries_under: EntriesUnder,
    ):
        self.rules, self.base, self.names, self.first_dealer = rules, base, names, first_dealer
        self.players = len(names)
        self.sides = sides_of(rules, self.players)
        changes = house_rules(base, rules).items()
        house = quoted(";".join(f"{name}={to}" for name, to in changes))
        self.rules_cells = f"{base.key},{house},"
        self.outcomes = [
            ["won" if seat in winners else "lost" for seat in range(self.players)]
            for winners in self.sides
        ]
        self.seats = [self._seat(seat) for seat in range(self.players)]
        self.entries = [
            entries_under(rules, seat // len(self.sides)) for seat in range(self.players)
        ]

    def _seat(self, seat: int) -> Seat:
        """Return a seat, its cells that stay, and what picks its side's facts from a round's."""
        side, seats = next((at, seats) for at, seats in enumerate(self.sides) if seat in seats)
        facts = itemgetter(*seats, *(self.players + mate for mate in seats))
        return seat, f"{seat + 1},{text_cell(self.names[seat])},{side + 1},", facts


class Ledger:
    """The sums of a game after the rounds entered so far, and how it stands.

    Each seat keeps the sums of its side, so partners keep the same ones.
    """

    def __init__(self, setup: Setup, game: str, started: str):
        self.setup = setup
        self.number = 0
        self.outcome: Outcome | None = None
        self.winner: int | None = None
        self._totals = [0] * setup.players
        self._bags = [0] * setup.players
        self._carried = list(setup.entries)
        self._head = f"{text_cell(game)},{quoted(started)},{setup.rules_cells}"

    @property
    def totals(self) -> list[int]:
        """Every side's total."""
        return self._totals[: len(self.setup.sides)]

    def enter(self, bids: Bids, tricks: Tricks) -> str:
        """Score a round and return its rows, one for each seat, with their line ends."""
        setup, totals, bags, carried = self.setup, self._totals, self._bags, self._carried
        facts = bids + tricks
        self.number += 1
        dealer = dealer_of(setup.players, setup.first_dealer, self.number) + 1
        start = f"{self._head}{self.number},{dealer},"
        between = f"\r\n{start}"
        rows = []
        for seat, seat_cells, facts_of_side in setup.seats:
            points, more_bags, carried[seat], cells = carried[seat][facts_of_side(facts)]
            total = totals[seat] = totals[seat] + points
            bag = bags[seat] = bags[seat] + more_bags
            rows.append(f"{seat_cells}{cells}{bag},{total},")
        self.outcome = outcome_of(setup.rules, totals[: len(setup.sides)])
        if self.outcome is None or self.outcome.winner is None:
            return f"{start}{between.join(rows)}\r\n"
        self.winner = self.outcome.winner
        rows = list(map(str.__add__, rows, setup.outcomes[self.winner]))
        return f"{start}{between.join(rows)}\r\n"
