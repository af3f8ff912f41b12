"""Who sits where in a CSV file, round by round, and which rows are theirs."""

from collections.abc import Sequence

from scorekeeper.files.csv_columns import BLANKS, LEFT, SheetError, Tell, at_line, excerpt
from scorekeeper.files.csv_rows import RoundRows, Row, SeatRows
from scorekeeper.free_text import NameRefused, key_for
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import number_range, translate
from scorekeeper.rules.presets import at_table, tables
from scorekeeper.rules.ruleset import RuleSet, RulesRefused
from scorekeeper.rules.seating import Names, Seats, Substitute, Substitutes


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
