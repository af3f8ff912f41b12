"""A game written down round by round: its running sums, and its rows as they stand in a file."""

from scorekeeper.rules.bidding import Bids
from scorekeeper.rules.game import Outcome, sides_of
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.scoresheet.cells import quoted, text_cell

Tricks = tuple[int, ...]
MOST_REMEMBERED = 1 << 15


class Setup:
    """Who plays, by which rules, and who deals first: what the games of an evening share.

    `rules` differ from the rule book `base` by house rules; `names` stand in the order of the
    seats; `first_dealer` is a seat, counted from 0.
    """

    def __init__(self, rules: RuleSet, base: RuleSet, names: tuple[str, ...], first_dealer: int):
        self.rules, self.base, self.names, self.first_dealer = rules, base, names, first_dealer
        self.players = len(names)
        self.sides = sides_of(rules, self.players)
        changes = house_rules(base, rules)
        self.rules_cells = f"{base.key}," + quoted(
            ";".join(f"{name}={value}" for name, value in changes.items())
        )
        self.seat_cells = [
            f"{seat + 1},{text_cell(name)},{seat % len(self.sides) + 1}"
            for seat, name in enumerate(names)
        ]


class Ledger:
    """Every side's total and bags after the rounds entered so far, and who has won."""

    def __init__(self, setup: Setup, game: str, started: str):
        self.setup = setup
        self.number = 0
        self.totals = [0] * len(setup.sides)
        self.bags = [0] * len(setup.sides)
        self.outcome: Outcome | None = None
        self._head = f"{text_cell(game)},{quoted(started)},{setup.rules_cells}"
        self._carried = [...]

    @property
    def winner(self) -> int | None:
        """The side that has won, or None while the game is on."""
        return self.outcome and self.outcome.winner

    def enter(self, bids: Bids, tricks: Tricks) -> str:
        """Score a round and return its rows, one for each seat, with their line ends."""
