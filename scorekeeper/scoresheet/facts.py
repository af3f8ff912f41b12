"""Bids and tricks of a round, as its cells say, and whether the rules allow them."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import say
from scorekeeper.rules.bidding import Bid, Bids, Nil, check_bids, check_tricks, parse_bid, sides_of
from scorekeeper.rules.ruleset import PACK, RuleSet
from scorekeeper.scoresheet.cells import BLANKS, SheetError, shown, whole_number
from scorekeeper.scoresheet.rows import Group, Places

Tricks = tuple[int, ...]

COUNTS = {str(count): count for count in range(PACK + 1)}
BIDS: dict[str, Bid] = {str(bid): bid for bid in range(1, PACK + 1)} | {nil: nil for nil in Nil}


class Facts:
    """Reads the rounds of a game: rows in the order of the seats in, bids and tricks out."""

    def __init__(self, at: Places, rules: RuleSet, names: Sequence[str]):
        self._at_bid, self._at_tricks = at["bid"], at["tricks"]
        self._rules, self._names = rules, names
        self._is_legal_at_any_score = _legal_at_any_score(rules, len(names))

    def tricks(self, group: Group, number: int) -> Tricks:
        """Return every seat's tricks; raises `SheetError` where they cannot have been taken."""
        cells = [row[self._at_tricks] for row in group.rows]
        try:
            tricks = tuple([COUNTS[cell] for cell in cells])
        except KeyError:
            tricks = tuple(map(self._count, group.lines, cells))
        if sum(tricks) != self._rules.tricks:
            wrong = check_tricks(self._rules, tricks)[0]
            line = min(group.lines) if wrong.seat is None else group.lines[wrong.seat]
            raise SheetError(line, self._in_round(number, wrong.seat, say(wrong.sentence)))
        return tricks

    def bids(self, group: Group, number: int, totals: Sequence[int]) -> Bids:
        """Return every seat's bid; raises `SheetError` where the rules refuse one.

        `totals` are every side's before the round.
        """
        cells = [row[self._at_bid] for row in group.rows]
        try:
            bids: Bids = tuple([BIDS[cell] for cell in cells])
        except KeyError:
            bids = tuple(map(self._bid, group.lines, cells))
        if self._is_legal_at_any_score(bids):
            return bids
        for wrong in check_bids(self._rules, bids, totals):
            line = min(group.lines) if wrong.seat is None else group.lines[wrong.seat]
            raise SheetError(line, self._in_round(number, wrong.seat, say(wrong.sentence)))
        return bids

    def no_bids(self, group: Group, tricks: Tricks) -> Bids:
        """Return the bids of a round that bids itself, where a cell may repeat the tricks."""
        for line, row, count in zip(*group, tricks, strict=True):
            cell = row[self._at_bid]
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
            bid = parse_bid(" ".join(cell.lower().split()))
        except ValueError as error:
            sentence = _("“{cell}” is no bid: write a number, nil or blind nil.")
            raise SheetError(line, sentence.format(cell=shown(cell))) from error
        if bid == 0:
            sentence = _("“{cell}” is no bid: write nil for no tricks at all.")
            raise SheetError(line, sentence.format(cell=shown(cell)))
        return bid

    def _in_round(self, number: int, seat: int | None, reason: str) -> str:
        if seat is None:
            return _("Round {round}: {reason}").format(round=number, reason=reason)
        words = _("Round {round}, {name}: {reason}")
        return words.format(round=number, name=self._names[seat], reason=reason)


@lru_cache(maxsize=16)
def _legal_at_any_score(rules: RuleSet, players: int) -> Callable[[Bids], bool]:
    """Return whether bids are legal whatever the score, remembered, as the same ones come again.

    Being behind only ever allows more, so what is legal at a level score always is.
    """
    level = (0,) * len(sides_of(rules, players))

    @lru_cache(maxsize=1 << 15)
    def is_legal(bids: Bids) -> bool:
        return not check_bids(rules, bids, level)

    return is_legal
