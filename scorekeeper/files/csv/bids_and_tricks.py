"""The bids, tricks and notes of a round, read from its rows and checked by the rules.

The functions take the rows of a round by seats; an empty seat has none.
"""

from collections.abc import Sequence

from scorekeeper.files.csv.columns import (
    BLANKS,
    SheetError,
    excerpt,
    whole_number,
    without_fraction,
)
from scorekeeper.files.csv.rows import Row, SeatRows
from scorekeeper.files.csv.sheet import LEFT, Sheet
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.bidding import Bid, Bids, calls, check_bids, check_tricks, zero_as_nil
from scorekeeper.rules.entry import WAITS, no_counts
from scorekeeper.rules.game import RoundScore, bids_itself
from scorekeeper.rules.penalties import Penalty, check_stored_penalties, parse_penalty
from scorekeeper.rules.refusals import Refusal
from scorekeeper.rules.rounds import own_scores
from scorekeeper.rules.ruleset import RuleSet

Tricks = tuple[int, ...]

# The scores of a bid that do not depend on the bags before it.
PARTS = ("nil_points", "contract_points", "overtrick_points")


def read_tricks(sheet: Sheet, rows: SeatRows, number: int) -> Tricks:
    """Return every seat's tricks; raises `SheetError` where they cannot have been taken."""
    counts = no_counts(sheet.rules, len(sheet.names))
    tricks = tuple(
        _count(rows[seat], sheet.rules)
        if seat in rows and (rows[seat].cell("tricks").strip(BLANKS) or count is None)
        else count or 0
        for seat, count in enumerate(counts)
    )
    _refuse(sheet, rows, number, check_tricks(sheet.rules, tricks))
    return tricks


def is_unplayed(rows: SeatRows, penalties: Sequence[Penalty]) -> bool:
    """Return whether a penalty lost the game in a round that has no tricks."""
    is_lost = any(one.kind == "lost" for one in penalties)
    return is_lost and not any(row.cell("tricks").strip(BLANKS) for row in rows.values())


def read_bids(sheet: Sheet, rows: SeatRows, number: int, tricks: Tricks | None) -> Bids:
    """Return every seat's bid, whether or not the rules allow it.

    An empty seat has None. A round that bids itself has None for each; there a cell is empty or
    repeats the tricks. Without tricks a bid may be missing. Raises `SheetError` for a cell that is
    no bid.
    """
    if not bids_itself(sheet.rules, number):
        callers = calls(sheet.rules, len(sheet.names))
        bids = {
            seat: _bid(row, sheet.rules, bids=seat < callers)
            for seat, row in rows.items()
            if tricks is not None or row.cell("bid").strip(BLANKS)
        }
        return tuple(bids.get(seat) for seat in range(len(sheet.names)))
    for seat, row in rows.items():
        count = tricks[seat] if tricks else None
        if row.cell("bid").strip(BLANKS) and whole_number(row.cell("bid")) != count:
            sentence = _("There’s no bidding in this round, so leave the bid empty.")
            raise SheetError(row.line, sentence)
    return (None,) * len(sheet.names)


def read_notes(sheet: Sheet, rows: SeatRows, number: int) -> tuple[tuple[Penalty, ...], bool]:
    """Return the penalties of a round, and whether it is called the last.

    Raises `SheetError` for a cell with anything else, and for penalties that cannot be given.
    """
    penalties: list[Penalty] = []
    is_last = False
    for seat, row in rows.items():
        for note in row.notes:
            name, _equals, value = note.partition("=")
            if name == "penalty":
                penalties.append(_penalty(row, seat, value))
            elif note == "last_round=yes":
                is_last = True
            elif note != LEFT:
                sentence = _("“{note}” isn’t a note. Use penalty=…, last_round=yes or left=yes.")
                raise SheetError(row.line, sentence.format(note=excerpt(note)))
    _refuse(sheet, rows, number, check_stored_penalties(sheet.rules, penalties))
    return tuple(penalties), is_last


def check_round(sheet: Sheet, rows: SeatRows, scored: RoundScore) -> None:
    """Raise `SheetError` where the rules refuse a bid of a scored round.

    Such a bid is accepted where the rows hold exactly the scores that follow from the bids, as
    the rules were changed after it was made. A bid above the number of tricks never is.
    """
    if bids_itself(sheet.rules, scored.number):
        return
    empty = scored.before.seats.empty
    refusals = check_bids(sheet.rules, scored.bids, scored.before.kept, empty)
    if not scored.tricks:
        refusals = [one for one in refusals if one.code not in WAITS]
    if refusals and "total" in next(iter(rows.values())).cells:
        # Once a blind Nil stands, correcting a round before it can move the scores.
        refusals = [one for one in refusals if one.code != "blind_nil_deficit"]
    if not refusals:
        return
    possible = all(type(bid) is not int or bid <= sheet.rules.tricks for bid in scored.bids)
    if not (possible and _has_same_scores(sheet, rows, scored)):
        _refuse(sheet, rows, scored.number, refusals)


def _has_same_scores(sheet: Sheet, rows: SeatRows, scored: RoundScore) -> bool:
    """Return whether the rows hold the scores that are worked out from their bids and tricks."""
    scores = own_scores(sheet.rules, scored)
    return all(
        without_fraction(row.read(name)) == str(getattr(scores[seat], name))
        for seat, row in rows.items()
        for name in PARTS
    )


def _count(row: Row, rules: RuleSet) -> int:
    count: int | None = row.read("tricks")
    if count is None:
        sentence = _("“{cell}” isn’t a number of tricks. Use 0 to {most}.")
        cell = excerpt(row.cell("tricks"))
        raise SheetError(row.line, sentence.format(cell=cell, most=rules.tricks))
    return count


def _penalty(row: Row, seat: int, text: str) -> Penalty:
    try:
        return parse_penalty(seat, text)
    except ValueError:
        sentence = _("“{text}” isn’t a penalty. Use the form books:3:others:renege.")
        raise SheetError(row.line, sentence.format(text=excerpt(text))) from None


def _bid(row: Row, rules: RuleSet, *, bids: bool) -> Bid | None:
    if not bids and not row.cell("bid").strip(BLANKS):
        return None
    bid = zero_as_nil(rules, row.read("bid"))
    if bid is None or bid == 0:
        no_bid = _("“{cell}” isn’t a bid. Use a number, nil or blind nil.")
        zero = _("“{cell}” isn’t a bid. Use nil for a bid of no tricks.")
        no_nil = _("“{cell}” isn’t a bid, as this game has no Nil. Use a number from 1.")
        sentence = no_bid if bid is None else zero if rules.nil_points is not None else no_nil
        raise SheetError(row.line, sentence.format(cell=excerpt(row.cell("bid"))))
    return bid


def _refuse(sheet: Sheet, rows: SeatRows, number: int, refusals: Sequence[Refusal]) -> None:
    for seat, _code, sentence in refusals:
        values = {"round": number, "reason": translate(sentence)}
        if seat is None:
            line = min(row.line for row in rows.values())
            raise SheetError(line, _("Round {round}: {reason}").format(**values))
        words = _("Round {round}, {name}: {reason}").format(name=sheet.names[seat], **values)
        raise SheetError(rows[seat].line, words)
