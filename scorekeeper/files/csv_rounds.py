"""Who sits where, and the bids, tricks and notes of a round, read from its rows.

The functions take the rows of a round by seats; an empty seat has none.
"""

import re
from collections.abc import Iterator, Sequence

from scorekeeper.files.csv_columns import (
    BLANKS,
    LEFT,
    Sheet,
    SheetError,
    Tell,
    at_line,
    excerpt,
    whole_number,
    without_fraction,
)
from scorekeeper.files.csv_rows import RoundRows, Row, SeatRows
from scorekeeper.free_text import NameRefused, key_for, one_line
from scorekeeper.i18n import MINUS, isolate_sign, number_range, plain_digits, translate
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
from scorekeeper.rules.presets import at_table, tables
from scorekeeper.rules.round import Notes, Round, check_notes
from scorekeeper.rules.ruleset import RuleSet, RulesRefused
from scorekeeper.rules.seating import Names, Seats, Substitute, Substitutes
from scorekeeper.rules.sentence import Refusal, minus


class Seating:
    """The names in the order of the seats, and the first dealer's seat, counted from 0.

    `starters` play the first round by `rules`, those of a table of so many; `names` are those of
    the round that was read last.

    Seats come from the `seat` column where it is filled in, else from the order of the rows; the
    dealer from the `dealer` column, else the last seat deals. Raises `SheetError` for names that
    are refused, and for a number of players that the rules do not allow. `tell` is given a
    sentence about each player who leaves or takes a seat without a note in the row before, as a
    row may have been forgotten or a name misspelled.
    """

    def __init__(self, rows: RoundRows, rules: RuleSet, tell: Tell, *, cards_set: bool):
        names = [_name(row) for row in rows]
        self._key = key_for(names)
        _refuse_duplicates(rows, names, [self._key(name) for name in names], number=1)
        rules = _at_table(rules, rows, cards_set=cards_set)
        seats = _seats(rows)
        self.starters: Names = tuple(names[seats.index(seat)] for seat in range(len(seats)))
        self.rules, self._now, self._tell = rules, Seats(self.starters), tell
        self._left: set[int] = set()  # seats whose last row has the note `LEFT`
        self._known = {self._key(name): name for name in self.names}  # all who have played
        self.first_dealer = _first_dealer(rows)

    @property
    def names(self) -> Names:
        """The player of each seat, or the last one who sat there."""
        return self._now.names

    def in_seat_order(self, rows: RoundRows, number: int) -> tuple[SeatRows, Substitutes]:
        """Return the rows of a round by seats, and who takes or leaves a seat.

        Another player with the number of a seat takes it from this round on. A player without a
        row has left, if the tricks are complete and the rules allow so few players. Raises
        `SheetError` where a player is missing, unknown, listed twice, or on another seat.
        """
        names = [_name(row) for row in rows]
        cells = [row.cell("seat") for row in rows]
        substitutes: Substitutes = ()
        if self._now == Seats(tuple(names)) and _are_in_order(cells):
            by_seat = dict(enumerate(rows))
        else:
            by_seat, substitutes = self._reseated(rows, names, number)
        self._check_notes(by_seat, substitutes, number)
        self._now = self._now.after(substitutes)
        self._known |= {self._key(one.player): one.player for one in substitutes if one.player}
        return by_seat, substitutes

    def _reseated(
        self, rows: RoundRows, names: list[str], number: int
    ) -> tuple[SeatRows, Substitutes]:
        keys = [self._key(name) for name in names]
        names = [self._known.get(key, name) for key, name in zip(keys, names, strict=True)]
        seats = self._told_seats(rows) or [self._seat(row, keys) for row in rows]
        in_order = list(range(len(self.names)))
        _refuse_duplicates(rows, names, seats, number)
        _refuse_duplicates(rows, names, keys, number)
        missing = [self.names[seat] for seat in self._now.taken if seat not in seats]
        if missing and not self._can_leave(rows, number):
            sentence = _("Round {round} has no row for {names}.")
            words = sentence.format(round=number, names=", ".join(missing))
            raise SheetError(rows[0].line, words)
        by_seat = {seat: rows[seats.index(seat)] for seat in in_order if seat in seats}
        new = (
            self._change(seat, names[seats.index(seat)] if seat in seats else None)
            for seat in in_order
        )
        return by_seat, tuple(one for one in new if one)

    def _told_seats(self, rows: RoundRows) -> list[int] | None:
        """Return the seats that the rows name, or None unless each has one of its own."""
        seats = [(row.read("seat") or 0) - 1 for row in rows]
        each_has_one = len({*seats}) == len(seats) and {*seats} <= {*range(len(self.names))}
        return seats if each_has_one else None

    def _check_notes(self, by_seat: SeatRows, substitutes: Substitutes, number: int) -> None:
        """Tell who leaves or takes a seat without a note; refuse one of a player who plays on."""
        changed = [one.seat for one in substitutes]
        for seat in self._left.difference(changed, self._now.empty):
            sentence = _("{name} has a row in round {round}, but {note} in the round before.")
            words = sentence.format(name=self.names[seat], round=number, note=LEFT)
            raise SheetError(by_seat[seat].line, words)
        for seat, player in substitutes:
            if seat not in self._left:
                row = by_seat.get(seat) or next(iter(by_seat.values()))
                self._tell(at_line(row.line, self._told(seat, player, number)))
        for seat, row in by_seat.items():
            (self._left.add if LEFT in row.notes else self._left.discard)(seat)

    def _told(self, seat: int, player: str | None, number: int) -> str:
        """Return in words who leaves or takes a seat, and how to say that it is no mistake."""
        if player is None:
            sentence = _(
                "Round {round} has no row for {other}. If {other} left, write {note} in the notes "
                "of {other}’s row in round {last}."
            )
        elif player == self.names[seat]:
            sentence = _("Round {round}: {name} is back.")
        elif player in self.names and self.names.index(player) not in self._now.empty:
            sentence = _("Round {round}: {name} moves to {other}’s seat.")
        elif seat in self._now.empty:
            sentence = _("Round {round}: {name} takes {other}’s empty seat.")
        else:
            sentence = _(
                "Round {round}: {name} takes {other}’s seat. If that’s right, write {note} in the "
                "notes of {other}’s row in round {last}."
            )
        words = {"name": player, "other": self.names[seat], "note": LEFT}
        return sentence.format(round=number, last=number - 1, **words)

    def _change(self, seat: int, player: str | None) -> Substitute | None:
        is_empty = seat in self._now.empty
        if is_empty == (player is None) and player in (None, self.names[seat]):
            return None
        return Substitute(seat, player)

    def _can_leave(self, rows: RoundRows, number: int) -> bool:
        """Return whether a round is complete without those who have no row."""
        taken = sum(row.read("tricks") or 0 for row in rows)
        cards = [row.read("cards") for row in rows if row.cell("cards").strip(BLANKS)]
        rules = self.rules.in_round(number, len(self.starters), cards[0] if cards else None)
        return len(rows) in self.rules.table_sizes and rules.may_total(taken)

    def refuse_extra(self, row: Row, number: int) -> None:
        """Raise `SheetError` for a row below the complete rows of its round."""
        name = self.names[self._seat(row, [self._key(one) for one in self.names])]
        raise SheetError(row.line, _duplicate(name, number))

    def _seat(self, row: Row, keys: Sequence[str]) -> int:
        """Return the seat of a row's player; `keys` are those of all players of the round."""
        name = _name(row)
        alike = (one for one in self.names if self._key(one) == self._key(name))
        same = name if name in self.names else next(alike, None)
        if same is None:
            seat = (row.read("seat") or 0) - 1
            if 0 <= seat < len(self.names) and self._key(self.names[seat]) not in keys:
                return seat
            sentence = _("{name} isn’t in this game. Players: {names}.")
            raise SheetError(row.line, sentence.format(name=name, names=", ".join(self.names)))
        seat = self.names.index(same)
        cell = row.cell("seat")
        if cell.strip(BLANKS) and row.read("seat") != seat + 1:
            sentence = _("{name} is in seat {seat} in this game, not “{cell}”.")
            raise SheetError(
                row.line, sentence.format(name=name, seat=seat + 1, cell=excerpt(cell))
            )
        return seat


def _are_in_order(cells: Sequence[str]) -> bool:
    """Return whether the cells of the `seat` column are those of all seats, or empty."""
    return not any(cells) or all(cell == str(seat) for seat, cell in enumerate(cells, 1))


def _name(row: Row) -> str:
    try:
        name: str = row.read("player")
    except NameRefused as refused:
        raise SheetError(row.line, str(refused)) from refused
    return name


def _refuse_duplicates(
    rows: RoundRows, names: Sequence[str], keys: Sequence[object], number: int
) -> None:
    for at, key in enumerate(keys):
        if key in keys[:at]:
            raise SheetError(rows[at].line, _duplicate(names[at], number))


def _duplicate(name: str, number: int) -> str:
    sentence = _(
        "{name} appears twice in round {round}. Each player needs one row per round and a "
        "unique name."
    )
    return sentence.format(name=name, round=number)


def _at_table(rules: RuleSet, rows: RoundRows, *, cards_set: bool) -> RuleSet:
    """Return the rules of so many players as the first round has rows."""
    line, players = rows[0].line, len(rows)
    try:
        return at_table(rules, players, cards_set=cards_set)
    except RulesRefused as refused:
        if refused.field == "tricks":
            raise SheetError(line, translate(refused.sentence)) from refused
    allowed = (*tables(rules, cards_set=cards_set),)
    sentence = _("{book} is for {allowed} players, but round 1 has {n}.")
    wrong = sentence.format(book=rules.name, allowed=number_range(allowed), n=players)
    if players < min(allowed):
        hint = _("If its other rows are further down, sort the sheet by game and round.")
        wrong = f"{wrong} {hint}"
    raise SheetError(line, wrong)


def _seats(rows: RoundRows) -> list[int]:
    """Return the seat of each row, counted from 0."""
    in_order = list(range(len(rows)))
    if not any(row.cell("seat").strip(BLANKS) for row in rows):
        return in_order
    seats: list[int] = []
    for row in rows:
        seat = row.read("seat")
        if seat is None or seat - 1 not in in_order or seat - 1 in seats:
            sentence = _("“{cell}” isn’t a seat. Number seats 1 to {n}, each once.")
            raise SheetError(row.line, sentence.format(cell=excerpt(row.cell("seat")), n=len(rows)))
        seats.append(seat - 1)
    return seats


def _first_dealer(rows: RoundRows) -> int:
    players = dealer = len(rows)
    first = ""
    for row in rows:
        cell = row.cell("dealer").strip(BLANKS)
        if not cell:
            continue
        first = first or cell
        dealer = row.read("dealer") or 0
        if not 1 <= dealer <= players:
            sentence = _("“{cell}” isn’t a dealer. Use a seat number from 1 to {n}.")
            raise SheetError(row.line, sentence.format(cell=excerpt(cell), n=players))
        if cell != first:
            sentence = _("Round 1 has two dealers, {first} and {cell}. Keep one.")
            raise SheetError(row.line, sentence.format(first=first, cell=cell))
    return dealer - 1


Tricks = tuple[int, ...]

# The scores of a bid that do not depend on the bags before it.
PARTS = ("nil_points", "contract_points", "overtrick_points")


def read_cards(sheet: Sheet, rows: SeatRows, number: int) -> int | None:
    """Return the cards of a round where they are not those of the rules.

    Rows may leave them out. Raises `SheetError` where two differ, or nobody can deal so many.
    """
    found: dict[int | None, Row] = {}
    for row in rows.values():
        if row.cell("cards").strip(BLANKS):
            found.setdefault(row.read("cards"), row)
    if not found:
        return None
    (cards, first), *others = found.items()
    for _cards, row in others:
        sentence = _("Round {round} has two numbers of cards, {first} and {cell}. Keep one.")
        cells = {"first": excerpt(first.cell("cards")), "cell": excerpt(row.cell("cards"))}
        raise SheetError(row.line, sentence.format(round=number, **cells))
    dealt = listed_or_other(sheet.rules, number, len(sheet.names), cards or 0)
    if wrong := check_cards(sheet.rules, len(sheet.names), dealt):
        raise SheetError(first.line, translate(wrong[0].sentence))
    return dealt


def read_tricks(sheet: Sheet, rows: SeatRows, number: int, cards: int | None) -> Tricks:
    """Return every seat's tricks; raises `SheetError` where they cannot have been taken."""
    rules = sheet.rules.in_round(number, len(sheet.names), cards)
    counts = no_counts(rules, len(sheet.names))
    tricks = tuple(
        _count(rows[seat], rules)
        if seat in rows and (rows[seat].cell("tricks").strip(BLANKS) or count is None)
        else count or 0
        for seat, count in enumerate(counts)
    )
    _refuse(sheet, rows, number, check_tricks(rules, tricks))
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
        penalties += _bonus(row, seat, penalties)
    _refuse(sheet, rows, number, check_stored_penalties(sheet.rules, penalties))
    return tuple(penalties), is_last


def read_remarks(sheet: Sheet, rows: SeatRows, number: int) -> tuple[str, str]:
    """Return the notes on a round and on the game.

    That on the game is in the first row of its first round. Raises `SheetError` for a long one.
    """
    first, *others = (row.read("remark") for row in rows.values())
    own = others if number == 1 else [first, *others]
    remark = " ".join(dict.fromkeys(filter(None, own)))
    game_remark = first if number == 1 else ""
    notes = Notes(remark=remark, game_remark=game_remark)
    _refuse(sheet, rows, number, check_notes(number, notes))
    return remark, game_remark


def read_start(
    sheet: Sheet, rows: SeatRows, number: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the totals and bags that a game began with, from the rows of its first round.

    Partners have the same ones, or one of them has none. Raises `SheetError` where two differ, or
    for others that no game can begin with.
    """
    players = len(sheet.names)
    sides = len(sides_of(sheet.rules, players))
    start = _start_cells(rows, "start", players if sheet.rules.totals_by == "seat" else sides)
    bags = _start_cells(rows, "start_bags", sides)
    start = start or (0,) * (sides if bags else 0)
    round_ = Round(()).noted(start=start, start_bags=bags)
    wrong = check_stored_start(sheet.rules, players, round_) or check_notes(number, round_.notes)
    _refuse(sheet, rows, number, wrong)
    return start, bags


def _start_cells(rows: SeatRows, name: str, sides: int) -> tuple[int, ...]:
    """Return the numbers in a column by side; none where all cells are empty."""
    found: dict[int, int] = {}
    for seat, row in rows.items():
        if not row.cell(name).strip(BLANKS):
            continue
        value = row.read(name)
        if value is None or found.setdefault(seat % sides, value) != value:
            sentence = _("“{cell}” in “{name}” isn’t a number, or isn’t the partner’s.")
            raise SheetError(row.line, sentence.format(cell=excerpt(row.cell(name)), name=name))
    return tuple(found.get(side, 0) for side in range(sides)) if any(found.values()) else ()


def check_round(sheet: Sheet, rows: SeatRows, scored: RoundScore) -> None:
    """Raise `SheetError` where the rules refuse a bid of a scored round.

    Such a bid is accepted where the rows hold exactly the scores that follow from the bids, as
    the rules were changed after it was made. A bid above the number of tricks never is.
    """
    if bids_itself(sheet.rules, scored.number):
        return
    empty = scored.before.seats.empty
    rules = sheet.rules.in_round(scored.number, len(scored.bids), scored.notes.cards)
    refusals = check_bids(rules, scored.bids, scored.before.kept, empty)
    if not scored.tricks:
        refusals = [one for one in refusals if one.code not in WAITS]
    if refusals and "total" in next(iter(rows.values())).cells:
        # Once a blind Nil stands, correcting a round before it can move the scores.
        refusals = [one for one in refusals if one.code != "blind_nil_deficit"]
    if not refusals:
        return
    possible = all(type(bid) is not int or bid <= rules.tricks for bid in scored.bids)
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


def other_score(sheet: Sheet, rows: SeatRows, scored: RoundScore) -> str:
    """Return in words where rows hold other points than their bids and tricks make, or nothing.

    Most likely one of these cells was changed, or the sheet was scored by other rules.
    """
    scores, totals = own_scores(sheet.rules, scored), scored.after.kept
    for seat, row in rows.items():
        made = {"points": scores[seat].points, "total": totals[seat % len(totals)]}
        for name, value in made.items():
            cell = row.cell(name)
            said = value if cell == str(value) else _points(cell, sheet.rules)
            if said is None or said == value:
                continue
            sentence = _("“{name}” is {cell} here, but by the bids, tricks and rules it’s {value}.")
            values = {"cell": isolate_sign(minus(said)), "value": isolate_sign(minus(value))}
            return at_line(row.line, sentence.format(name=name, **values))
    return ""


def unread_scores(sheet: Sheet, rows: SeatRows) -> Iterator[str]:
    """Yield in words which points and totals are no numbers that could be compared."""
    for row in rows.values():
        for name in ("points", "total"):
            if (cell := row.cell(name)) and _points(cell, sheet.rules) is None:
                sentence = _("“{cell}” in “{name}” isn’t a whole number, so it wasn’t compared.")
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


def _count(row: Row, rules: RuleSet) -> int:
    count: int | None = row.read("tricks")
    if count is None:
        sentence = _("“{cell}” isn’t a number of tricks. Use 0 to {most}.")
        cell = excerpt(row.cell("tricks"))
        raise SheetError(row.line, sentence.format(cell=cell, most=rules.tricks))
    return count


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
    if bid is None or (bid == 0 and rules.minimum_bid > 0):
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
