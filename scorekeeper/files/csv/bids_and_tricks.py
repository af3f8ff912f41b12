"""Bids and tricks of a round, as its cells say, and whether the rules allow them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from scorekeeper.files.csv.columns import BLANKS, SheetError, shown, whole_number
from scorekeeper.files.csv.rows import Group, Places
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import say
from scorekeeper.rules.bidding import (
    Bid,
    Bids,
    check_bids,
    check_tricks,
    parse_bid,
    sides_of,
)
from scorekeeper.rules.refusals import Refusal
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.scoring import score_side

Tricks = tuple[int, ...]
Value = TypeVar("Value")

# What a bid scores, whatever bags there are.
PARTS = ("nil_points", "contract_points", "overtrick_points")
MOST_REMEMBERED = 1 << 16  # rounds, about a quarter of a kilobyte each


class Known(NamedTuple):
    """Cells of whole rounds that were read before: bids legal at any score, and tricks.

    They belong to one set of rules and one number of players.
    """

    bids: dict[tuple[str, ...], Bids]
    tricks: dict[tuple[str, ...], Tricks]


class Facts:
    """Reads the rounds of a game: rows in the order of the seats in, bids and tricks out.

    `known` may be looked into first; what it does not hold is read cell by cell.
    """

    def __init__(self, at: Places, rules: RuleSet, names: Sequence[str], known: Known):
        self._at, self._at_bid, self._at_tricks = at, at["bid"], at["tricks"]
        self._rules, self._names = rules, names
        self._was_scored = "total" in at
        self._level = (0,) * len(sides_of(rules, len(names)))
        self.known = known

    def tricks(self, group: Group, number: int) -> Tricks:
        """Return every seat's tricks; raises `SheetError` where they cannot have been taken."""
        cells = group.columns[self._at_tricks]
        if cells in self.known.tricks:
            return self.known.tricks[cells]
        tricks = tuple(map(self._count, group.lines, cells))
        self._refuse(group, number, check_tricks(self._rules, tricks))
        _remember(self.known.tricks, cells, tricks)
        return tricks

    def bids(self, group: Group, number: int, totals: Sequence[int]) -> Bids:
        """Return every seat's bid; raises `SheetError` where the rules refuse one.

        `totals` are every side's before the round.
        """
        cells = group.columns[self._at_bid]
        if cells in self.known.bids:
            return self.known.bids[cells]
        bids: Bids = tuple(map(self._bid, group.lines, cells))
        # Being behind only ever allows more, so what is legal at a level score always is.
        if check_bids(self._rules, bids, self._level):
            refusals = check_bids(self._rules, bids, totals)
            if self._was_scored:
                # Once a blind Nil stands, correcting a round before it can move the scores.
                refusals = [one for one in refusals if one.code != "blind_nil_deficit"]
            if refusals and not self._was_played_so(group, number, bids):
                self._refuse(group, number, refusals)
        else:
            _remember(self.known.bids, cells, bids)
        return bids

    def _was_played_so(self, group: Group, number: int, bids: Bids) -> bool:
        """Return whether the scores beside bids are what they come to by these very rules.

        Then the rules of the game have changed in the middle of it, and these bids were made
        before. No rules allow a bid above the tricks.
        """
        if not set(PARTS) <= set(self._at):
            return False
        if any(type(bid) is int and bid > self._rules.tricks for bid in bids):
            return False
        tricks = self.tricks(group, number)
        for seats in sides_of(self._rules, len(bids)):
            of_side = (tuple(bids[seat] for seat in seats), tuple(tricks[seat] for seat in seats))
            score = score_side(self._rules, *of_side, 0)
            for name in PARTS:
                cells = group.columns[self._at[name]]
                if any(cells[seat].strip(BLANKS) != str(getattr(score, name)) for seat in seats):
                    return False
        return True

    def no_bids(self, group: Group, tricks: Tricks) -> Bids:
        """Return the bids of a round that bids itself, where a cell may repeat the tricks."""
        cells = group.columns[self._at_bid]
        for line, cell, count in zip(group.lines, cells, tricks, strict=True):
            if cell.strip(BLANKS) and whole_number(cell) != count:
                sentence = _(
                    "Nobody bids in this round, its tricks are the bids: leave the bid empty."
                )
                raise SheetError(line, sentence)
        return (None,) * len(tricks)

    def _count(self, line: int, cell: str) -> int:
        count = whole_number(cell)
        if count is None:
            sentence = _("“{cell}” is no number of tricks: write 0 to {most}.")
            raise SheetError(line, sentence.format(cell=shown(cell), most=self._rules.tricks))
        return count

    def _bid(self, line: int, cell: str) -> Bid:
        try:
            bid = _read_bid(cell)
        except ValueError as error:
            sentence = _("“{cell}” is no bid: write a number, nil or blind nil.")
            raise SheetError(line, sentence.format(cell=shown(cell))) from error
        if bid == 0:
            sentence = _("“{cell}” is no bid: write nil for no tricks at all.")
            raise SheetError(line, sentence.format(cell=shown(cell)))
        return bid

    def _refuse(self, group: Group, number: int, refusals: list[Refusal]) -> None:
        for seat, _code, sentence in refusals:
            values = {"round": number, "reason": say(sentence)}
            if seat is None:
                raise SheetError(min(group.lines), _("Round {round}: {reason}").format(**values))
            words = _("Round {round}, {name}: {reason}").format(name=self._names[seat], **values)
            raise SheetError(group.lines[seat], words)


@lru_cache(maxsize=1 << 8)  # key: the cell
def _read_bid(cell: str) -> Bid:
    return parse_bid(" ".join(cell.lower().split()))


def _remember(known: dict[tuple[str, ...], Value], cells: tuple[str, ...], value: Value) -> None:
    """Keep what cells mean, and forget everything once it is too much: memory stays the same."""
    if len(known) >= MOST_REMEMBERED:
        known.clear()
    known[cells] = value
