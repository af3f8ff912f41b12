"""A round of a CSV file: its bids, tricks and notes, and whether they are as its scores say."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.files.csv_columns import (
    BLANKS,
    LEFT,
    Sheet,
    SheetError,
    at_line,
    excerpt,
    whole_number,
    without_fraction,
)
from scorekeeper.files.csv_rows import RoundRows, Row, SeatRows
from scorekeeper.free_text import one_line
from scorekeeper.i18n import MINUS, isolate_sign, plain_digits, translate
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bid, Bids, calls, check_bids, check_tricks, zero_as_nil
from scorekeeper.rules.entry import (
    WAITS,
    check_cards,
    check_stored_start,
    listed_or_other,
    no_counts,
)
from scorekeeper.rules.game import RoundScore, bids_itself, own_scores, sides_of
from scorekeeper.rules.penalties import Penalty, check_stored_penalties, parse_penalty
from scorekeeper.rules.round import Notes, Round, check_notes
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Substitutes
from scorekeeper.rules.sentence import Refusal, minus

# The scores of a bid that do not depend on the bags before it.
PARTS = ("nil_points", "contract_points", "overtrick_points")


@dataclass(frozen=True, slots=True)
class SheetRound:
    """A round of a game: its number, and its rows by seats; an empty seat has none.

    `sheet` has the names of those who sit there in this round. What reads a cell raises
    `SheetError` with the line of the first that is wrong.
    """

    sheet: Sheet
    number: int
    rows: SeatRows

    @property
    def _rules(self) -> RuleSet:
        return self.sheet.rules

    @property
    def _players(self) -> int:
        return len(self.sheet.names)

    def read(self, substitutes: Substitutes) -> Round:
        """Return the round, in which `substitutes` take or leave their seats.

        Its bids are read whether or not the rules allow them, which `check` looks at.
        """
        penalties, last_round = self._penalties()
        cards = self._cards()
        tricks = None if self._is_unplayed(penalties) else self.tricks(cards)
        bids = self._bids(tricks)
        remark, game_remark = self._remarks()
        start, start_bags = self._starts()
        notes = Notes(
            penalties=penalties,
            last_round=last_round,
            substitutes=substitutes,
            remark=remark,
            game_remark=game_remark,
            cards=cards,
            start=start,
            start_bags=start_bags,
            trump=self._of_round("trump")[0],
        )
        round_ = Round(bids, tricks, None, notes)
        wrong = check_stored_start(self._rules, self._players, round_)
        self._refuse(wrong or check_notes(self.number, notes))
        return round_

    def _of_round(self, name: str) -> tuple[Any, int]:
        """Return what a column says of the whole round, and a line that does; None where none does.

        Rows may leave it out, but no two may differ.
        """
        found: dict[Any, Row] = {}
        for row in self.rows.values():
            if row.cell(name).strip(BLANKS):
                found.setdefault(row.read(name), row)
        if not found:
            return None, 0
        (value, first), *others = found.items()
        for _other, row in others:
            sentence = _("Round {round} has {first} and {cell} in “{name}”. Keep one.")
            cells = {"first": excerpt(first.cell(name)), "cell": excerpt(row.cell(name))}
            raise SheetError(row.line, sentence.format(round=self.number, name=name, **cells))
        return value, first.line

    def _cards(self) -> int | None:
        """Return the cards of the round where they are not those of the rules."""
        cards, line = self._of_round("cards")
        if not line:
            return None
        dealt = listed_or_other(self._rules, self.number, self._players, cards or 0)
        if wrong := check_cards(self._rules, self._players, dealt):
            raise SheetError(line, translate(wrong[0].sentence))
        return dealt

    def tricks(self, cards: int | None) -> tuple[int, ...]:
        """Return every seat's tricks; raises `SheetError` where they cannot have been taken."""
        rules = self._rules.in_round(self.number, self._players, cards)
        tricks = tuple(
            _count(self.rows[seat], rules)
            if seat in self.rows and (self.rows[seat].cell("tricks").strip(BLANKS) or count is None)
            else count or 0
            for seat, count in enumerate(no_counts(rules, self._players))
        )
        self._refuse(check_tricks(rules, tricks))
        return tricks

    def _is_unplayed(self, penalties: Sequence[Penalty]) -> bool:
        """Return whether a penalty lost the game in a round that has no tricks."""
        is_lost = any(one.kind == "lost" for one in penalties)
        return is_lost and not any(row.cell("tricks").strip(BLANKS) for row in self.rows.values())

    def _bids(self, tricks: Sequence[int] | None) -> Bids:
        """Return every seat's bid, whether or not the rules allow it.

        An empty seat has None. A round that bids itself has None for each; there a cell is empty
        or repeats the tricks. Without tricks a bid may be missing.
        """
        if not bids_itself(self._rules, self.number):
            callers = calls(self._rules, self._players)
            bids = {
                seat: _bid(row, self._rules, bids=seat < callers)
                for seat, row in self.rows.items()
                if tricks is not None or row.cell("bid").strip(BLANKS)
            }
            return tuple(bids.get(seat) for seat in range(self._players))
        for seat, row in self.rows.items():
            count = tricks[seat] if tricks else None
            if row.cell("bid").strip(BLANKS) and whole_number(row.cell("bid")) != count:
                sentence = _("There’s no bidding in this round, so leave the bid empty.")
                raise SheetError(row.line, sentence)
        return (None,) * self._players

    def _penalties(self) -> tuple[tuple[Penalty, ...], bool]:
        """Return the penalties, and whether the round is called the last."""
        penalties: list[Penalty] = []
        is_last = False
        for seat, row in self.rows.items():
            for note in row.notes:
                name, _equals, value = note.partition("=")
                if name == "penalty":
                    penalties.append(_penalty(row, seat, value))
                elif note == "last_round=yes":
                    is_last = True
                elif note != LEFT:
                    sentence = _(
                        "“{note}” isn’t a note. Use penalty=…, last_round=yes or left=yes."
                    )
                    raise SheetError(row.line, sentence.format(note=excerpt(note)))
            penalties += _bonus(row, seat, penalties)
        self._refuse(check_stored_penalties(self._rules, penalties))
        return tuple(penalties), is_last

    def _remarks(self) -> tuple[str, str]:
        """Return the notes on the round and on the game, in the first row of its first round."""
        first, *others = (row.read("remark") for row in self.rows.values())
        own = others if self.number == 1 else [first, *others]
        remark = " ".join(dict.fromkeys(filter(None, own)))
        return remark, first if self.number == 1 else ""

    def _starts(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the totals and bags that a game began with, from the rows of its first round.

        Partners have the same ones, or one of them has none.
        """
        sides = len(sides_of(self._rules, self._players))
        start = self._by_side("start", self._players if self._rules.totals_by == "seat" else sides)
        bags = self._by_side("start_bags", sides)
        return start or (0,) * (sides if bags else 0), bags

    def _by_side(self, name: str, sides: int) -> tuple[int, ...]:
        """Return the numbers in a column by side; none where all cells are empty."""
        found: dict[int, int] = {}
        for seat, row in self.rows.items():
            if not row.cell(name).strip(BLANKS):
                continue
            value = row.read(name)
            if value is None or found.setdefault(seat % sides, value) != value:
                sentence = _("“{cell}” in “{name}” isn’t a number, or isn’t the partner’s.")
                words = sentence.format(cell=excerpt(row.cell(name)), name=name)
                raise SheetError(row.line, words)
        return tuple(found.get(side, 0) for side in range(sides)) if any(found.values()) else ()

    def check(self, scored: RoundScore) -> None:
        """Raise `SheetError` where the rules refuse a bid of the round, as it was scored.

        Such a bid is accepted where the rows hold exactly the scores that follow from the bids, as
        the rules were changed after it was made. A bid above the number of tricks never is.
        """
        if bids_itself(self._rules, self.number):
            return
        rules = self._rules.in_round(self.number, self._players, scored.notes.cards)
        refusals = check_bids(scored.before.table(rules), scored.bids)
        if not scored.tricks:
            refusals = [one for one in refusals if one.code not in WAITS]
        if refusals and "total" in next(iter(self.rows.values())).cells:
            # Once a blind Nil stands, correcting a round before it can move the scores.
            refusals = [one for one in refusals if one.code != "blind_nil_deficit"]
        if not refusals:
            return
        possible = all(type(bid) is not int or bid <= rules.tricks for bid in scored.bids)
        if not (possible and self._has_same_scores(scored)):
            self._refuse(refusals)

    def _has_same_scores(self, scored: RoundScore) -> bool:
        """Return whether the rows hold the scores that follow from their bids and tricks."""
        scores = own_scores(self._rules, scored)
        return all(
            without_fraction(row.read(name)) == str(getattr(scores[seat], name))
            for seat, row in self.rows.items()
            for name in PARTS
        )

    def other_score(self, scored: RoundScore) -> str:
        """Return in words where rows hold other points than their bids and tricks make, or nothing.

        Most likely one of these cells was changed, or the sheet was scored by other rules.
        """
        scores, totals = own_scores(self._rules, scored), scored.after.kept
        for seat, row in self.rows.items():
            made = {"points": scores[seat].points, "total": totals[seat % len(totals)]}
            for name, value in made.items():
                cell = row.cell(name)
                said = value if cell == str(value) else _points(cell, self._rules)
                if said is None or said == value:
                    continue
                sentence = _(
                    "“{name}” is {cell} here, but by the bids, tricks and rules it’s {value}."
                )
                values = {"cell": isolate_sign(minus(said)), "value": isolate_sign(minus(value))}
                return at_line(row.line, sentence.format(name=name, **values))
        return ""

    def unread_scores(self) -> Iterator[str]:
        """Yield in words which points and totals are no numbers that could be compared."""
        for row in self.rows.values():
            for name in ("points", "total"):
                if (cell := row.cell(name)) and _points(cell, self._rules) is None:
                    sentence = _(
                        "“{cell}” in “{name}” isn’t a whole number, so it wasn’t compared."
                    )
                    yield at_line(row.line, sentence.format(cell=excerpt(cell), name=name))

    def _refuse(self, refusals: Sequence[Refusal]) -> None:
        for seat, _code, sentence in refusals:
            values = {"round": self.number, "reason": translate(sentence)}
            if seat is None:
                line = min(row.line for row in self.rows.values())
                raise SheetError(line, _("Round {round}: {reason}").format(**values))
            words = _("Round {round}, {name}: {reason}").format(
                name=self.sheet.names[seat], **values
            )
            raise SheetError(self.rows[seat].line, words)


def _points(cell: str, rules: RuleSet) -> int | None:
    """Return the points in a cell, or None where that is no number of points.

    Where points are shown in tenths, 3.2 is 32 and so is 32, as the program writes it.
    """
    text = plain_digits(cell).replace(MINUS, "-").removeprefix("+")
    if rules.shown_as != "tenths":
        text = without_fraction(text)
    elif re.fullmatch("-?[0-9]{1,5}[.,][0-9]", text, re.ASCII):
        text = text.replace(",", ".").replace(".", "")
    return int(text) if re.fullmatch("-?[0-9]{1,6}", text, re.ASCII) else None


def _count(row: Row, rules: RuleSet) -> int:
    count: int | None = row.read("tricks")
    if count is None:
        raise _no_count(row, rules)
    return count


def _no_count(row: Row, rules: RuleSet) -> SheetError:
    sentence = _("“{cell}” isn’t a number of tricks. Use 0 to {most}.")
    words = sentence.format(cell=excerpt(row.cell("tricks")), most=rules.tricks)
    return SheetError(row.line, words)


def _bonus(row: Row, seat: int, noted: Sequence[Penalty]) -> list[Penalty]:
    """Return the points by hand of a row that its notes do not have; there they have a reason."""
    points = row.read("bonus_points")
    if points is None:
        sentence = _("“{cell}” isn’t a number of points. Use a whole number such as 20 or -20.")
        raise SheetError(row.line, sentence.format(cell=excerpt(row.cell("bonus_points"))))
    given = [one.size for one in noted if (one.seat, one.kind) == (seat, "bonus")]
    if not given:
        return [Penalty(seat, "bonus", points, "nobody", "")] if points else []
    if row.cell("bonus_points").strip(BLANKS) and points != sum(given):
        sentence = _("“bonus_points” is {points} here, but the notes have {noted}. Change one.")
        values = {"points": isolate_sign(minus(points)), "noted": isolate_sign(minus(sum(given)))}
        raise SheetError(row.line, sentence.format(**values))
    return []


def _penalty(row: Row, seat: int, text: str) -> Penalty:
    try:
        found = parse_penalty(seat, text)
        return found._replace(reason=one_line(found.reason))
    except ValueError:
        sentence = _("“{text}” isn’t a penalty. Use the form books:3:others:renege.")
        raise SheetError(row.line, sentence.format(text=excerpt(text))) from None


def _bid(row: Row, rules: RuleSet, *, bids: bool) -> Bid | None:
    if not bids and not row.cell("bid").strip(BLANKS):
        return None
    bid = zero_as_nil(rules, row.read("bid"))
    # With its points, 0 may be a bid of the rules that the game had before, as `check` finds out.
    if bid is None or (bid == 0 < rules.minimum_bid and not row.cell("points").strip(BLANKS)):
        raise _no_bid(row, rules, bid)
    return bid


def _no_bid(row: Row, rules: RuleSet, bid: Bid | None) -> SheetError:
    sentence = _("“{cell}” isn’t a bid. Use a number, nil or blind nil.")
    if bid is not None and rules.nil_points is None:
        sentence = _("“{cell}” isn’t a bid, as this game has no Nil. Use a number from 1.")
    elif bid is not None:
        sentence = _("“{cell}” isn’t a bid. Use nil for a bid of no tricks.")
    return SheetError(row.line, sentence.format(cell=excerpt(row.cell("bid"))))


def wrong_cells(rows: RoundRows, rules: RuleSet) -> Iterator[SheetError]:
    """Yield the errors of cells of a round that are no bids or tricks, whoever sits where."""
    counts = [row.cell("tricks").strip(BLANKS) for row in rows]
    all_counted = rules.tricks_by != "side" and any(counts)
    for row, count in zip(rows, counts, strict=True):
        if row.cell("bid").strip(BLANKS) and row.read("bid") is None:
            yield _no_bid(row, rules, None)
        if (count or all_counted) and row.read("tricks") is None:
            yield _no_count(row, rules)
