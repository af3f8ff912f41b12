"""A round of a CSV file as JSON, and whether its scores are those of its bids and tricks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.files.csv_columns import (
    BLANKS,
    LEFT,
    SheetError,
    at_line,
    excerpt,
    whole_number,
    without_fraction,
)
from scorekeeper.files.csv_rows import RoundRows, Row, SeatRows
from scorekeeper.files.strict_json import InvalidValue, Json
from scorekeeper.free_text import one_line
from scorekeeper.i18n import MINUS, isolate_sign, plain_digits
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bid, calls, check_bids, zero_as_nil
from scorekeeper.rules.entry import WAITS, listed_or_other, no_counts
from scorekeeper.rules.game import RoundScore, bids_itself, own_scores, sides_of
from scorekeeper.rules.penalties import Penalty, parse_penalty
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Substitutes
from scorekeeper.rules.sentence import Refusal, minus

# The scores of a bid that do not depend on the bags before it.
PARTS = ("nil_points", "contract_points", "overtrick_points")


@dataclass(frozen=True, slots=True)
class SheetRound:
    """A round of a game: its number, and its rows by seats; an empty seat has none.

    `rules` are those of the game at a table of so many `players`. What reads a cell raises
    `SheetError` with the line of the first that is wrong.
    """

    rules: RuleSet
    players: int
    number: int
    rows: SeatRows

    def as_json(self, substitutes: Substitutes) -> Json:
        """Return the round as `RoundsReader` reads it; `substitutes` take or leave their seats.

        A bid that cannot be read is missing, which is refused there.
        """
        penalties, last_round = self._penalties()
        cards, trump = self._cards(), self._of_round("trump")
        tricks = None if self._is_unplayed(penalties) else self._tricks()
        bids = self._bids(tricks)
        remark, game_remark = self._remarks()
        start, start_bags = self._starts()
        notes = {
            "penalties": [one._asdict() | {"seat": one.seat + 1} for one in penalties],
            "last_round": last_round or None,
            "substitutes": [{"seat": seat + 1, "player": player} for seat, player in substitutes],
            "remark": remark,
            "game_remark": game_remark,
            "cards": cards,
            "start": start,
            "start_bags": start_bags,
            "trump": trump and trump.read("trump"),
        }
        noted = {name: one for name, one in notes.items() if one or one == 0}  # 0 cards are refused
        return {"bids": bids, "tricks": tricks} | noted

    def error(self, wrong: InvalidValue) -> SheetError:
        """Return what is wrong with the round as JSON as an error of the line it came from."""
        row = self._of_round("cards") if wrong.member == "cards" else None
        if wrong.seat is not None:
            row = self.rows[wrong.seat]
            if wrong.member == "bids" and _bid(row, self.rules) is None:
                return no_bid(row, self.rules)
        line = row.line if row else min(one.line for one in self.rows.values())
        return SheetError(line, str(wrong))

    def no_tricks(self) -> SheetError:
        """Return the error of a round whose tricks are missing."""
        return no_count(next(iter(self.rows.values())), self._round_rules)

    @property
    def _round_rules(self) -> RuleSet:
        return self.rules.in_round(self.number, self.players, self._cards())

    def _of_round(self, name: str) -> Row | None:
        """Return a row that says something of the whole round in a column, if one does.

        Others may leave it out, but no two may differ.
        """
        first: Row | None = None
        for row in self.rows.values():
            if not row.cell(name).strip(BLANKS):
                continue
            first = first or row
            if row.read(name) != first.read(name):
                sentence = _("Round {round} has {first} and {cell} in “{name}”. Keep one.")
                cells = {"first": excerpt(first.cell(name)), "cell": excerpt(row.cell(name))}
                words = sentence.format(round=self.number, name=name, **cells)
                raise SheetError(row.line, words)
        return first

    def _cards(self) -> int | None:
        """Return the cards of the round where they are not those of the rules."""
        row = self._of_round("cards")
        return row and listed_or_other(
            self.rules, self.number, self.players, row.read("cards") or 0
        )

    def _tricks(self) -> list[int]:
        """Return every seat's tricks; who has no row, or a partner who has, took none."""
        return [
            self._count(self.rows[seat])
            if seat in self.rows and (self.rows[seat].cell("tricks").strip(BLANKS) or count is None)
            else 0
            for seat, count in enumerate(no_counts(self.rules, self.players))
        ]

    def _count(self, row: Row) -> int:
        count: int | None = row.read("tricks")
        if count is None:
            raise no_count(row, self._round_rules)
        return count

    def _is_unplayed(self, penalties: Sequence[Penalty]) -> bool:
        """Return whether a penalty lost the game in a round that has no tricks."""
        is_lost = any(one.kind == "lost" for one in penalties)
        return is_lost and not any(row.cell("tricks").strip(BLANKS) for row in self.rows.values())

    def _bids(self, tricks: Sequence[int] | None) -> list[Bid | None]:
        """Return every seat's bid, whether or not the rules allow it, and None where it has none.

        In a round that bids itself a cell is empty or repeats the tricks.
        """
        bids: list[Bid | None] = [None] * self.players
        needed = calls(self.rules, self.players) if tricks else 0
        for seat, row in self.rows.items():
            if not row.cell("bid").strip(BLANKS):
                continue
            if not bids_itself(self.rules, self.number):
                bids[seat] = _bid(row, self.rules)
                if bids[seat] is None and seat >= needed:
                    raise no_bid(row, self.rules)
            elif whole_number(row.cell("bid")) != (tricks[seat] if tricks else None):
                sentence = _("There’s no bidding in this round, so leave the bid empty.")
                raise SheetError(row.line, sentence)
        return bids

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
        return tuple(penalties), is_last

    def _remarks(self) -> tuple[str, str]:
        """Return the notes on the round and on the game, in the first row of its first round."""
        first, *others = (row.read("remark") for row in self.rows.values())
        own = others if self.number == 1 else [first, *others]
        remark = " ".join(dict.fromkeys(filter(None, own)))
        return remark, first if self.number == 1 else ""

    def _starts(self) -> tuple[list[int], list[int]]:
        """Return the totals and bags that a game began with, from the rows of its first round.

        Partners have the same ones, or one of them has none.
        """
        sides = len(sides_of(self.rules, self.players))
        start = self._by_side("start", self.players if self.rules.totals_by == "seat" else sides)
        bags = self._by_side("start_bags", sides)
        return start or [0] * (sides if bags else 0), bags

    def _by_side(self, name: str, sides: int) -> list[int]:
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
        return [found.get(side, 0) for side in range(sides)] if any(found.values()) else []

    def refused_bids(self, scored: RoundScore) -> list[Refusal]:
        """Return the bids of the round that the rules refuse, as it was scored.

        None is where the rows hold exactly the scores that follow from the bids, as the rules were
        changed after they were made.
        """
        if bids_itself(self.rules, self.number):
            return []
        rules = self.rules.in_round(self.number, self.players, scored.notes.cards)
        refusals = check_bids(scored.before.table(rules), scored.bids)
        if not scored.tricks:
            refusals = [one for one in refusals if one.code not in WAITS]
        if refusals and "total" in next(iter(self.rows.values())).cells:
            # Once a blind Nil stands, correcting a round before it can move the scores.
            refusals = [one for one in refusals if one.code != "blind_nil_deficit"]
        return [] if refusals and self._has_same_scores(scored) else refusals

    def _has_same_scores(self, scored: RoundScore) -> bool:
        """Return whether the rows hold the scores that follow from their bids and tricks."""
        scores = own_scores(self.rules, scored)
        return all(
            without_fraction(row.read(name)) == str(getattr(scores[seat], name))
            for seat, row in self.rows.items()
            for name in PARTS
        )

    def other_score(self, scored: RoundScore) -> str:
        """Return in words where rows hold other points than their bids and tricks make, or nothing.

        Most likely one of these cells was changed, or the sheet was scored by other rules.
        """
        scores, totals = own_scores(self.rules, scored), scored.after.kept
        for seat, row in self.rows.items():
            made = {"points": scores[seat].points, "total": totals[seat % len(totals)]}
            for name, value in made.items():
                cell = row.cell(name)
                said = value if cell == str(value) else _points(cell, self.rules)
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
                if (cell := row.cell(name)) and _points(cell, self.rules) is None:
                    sentence = _(
                        "“{cell}” in “{name}” isn’t a whole number, so it wasn’t compared."
                    )
                    yield at_line(row.line, sentence.format(cell=excerpt(cell), name=name))


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


def no_count(row: Row, rules: RuleSet) -> SheetError:
    """Return the error of a cell that holds no number of tricks; `rules` are those of its round."""
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


def _bid(row: Row, rules: RuleSet) -> Bid | None:
    """Return a bid, or None where a cell holds none."""
    bid = zero_as_nil(rules, row.read("bid"))
    # With its points, 0 may be a bid of the rules that the game had before.
    if bid is None or (bid == 0 < rules.minimum_bid and not row.cell("points").strip(BLANKS)):
        return None
    return bid


def no_bid(row: Row, rules: RuleSet) -> SheetError:
    """Return the error of a cell that holds no bid of a game by these rules."""
    sentence = _("“{cell}” isn’t a bid. Use a number, nil or blind nil.")
    if row.read("bid") is not None:
        sentence = _("“{cell}” isn’t a bid. Use nil for a bid of no tricks.")
        if rules.nil_points is None:
            sentence = _("“{cell}” isn’t a bid, as this game has no Nil. Use a number from 1.")
    return SheetError(row.line, sentence.format(cell=excerpt(row.cell("bid"))))


def unread_cells(rows: RoundRows, rules: RuleSet) -> Iterator[SheetError]:
    """Yield the errors of cells of a round that are no bids or tricks, whoever sits where."""
    is_counted = [bool(row.cell("tricks").strip(BLANKS)) for row in rows]
    all_counted = rules.tricks_by != "side" and any(is_counted)
    for row, has_count in zip(rows, is_counted, strict=True):
        if row.cell("bid").strip(BLANKS) and row.read("bid") is None:
            yield no_bid(row, rules)
        if (has_count or all_counted) and row.read("tricks") is None:
            yield no_count(row, rules)
