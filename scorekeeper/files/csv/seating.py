"""Who sits where in a game, and who deals first, as its first round says."""

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

from scorekeeper.files.csv.columns import BLANKS, SheetError, as_meant, shown, whole_number
from scorekeeper.files.csv.rows import Group, Places
from scorekeeper.i18n import gettext as _
from scorekeeper.player_names import NameRefused, name_key, normalize_name
from scorekeeper.rules.ruleset import PACK, RuleSet


class Seating:
    """The names in the order of the seats, and the first dealer's seat, counted from 0.

    Seats come from the `seat` column where it is filled in, else from the order of the rows; the
    dealer from the `dealer` column, else the last seat deals. Raises `SheetError` for names that
    cannot be taken, and for a table that the rules do not allow.
    """

    def __init__(self, at: Places, group: Group, rules: RuleSet):
        named = [
            _named(line, cell)
            for line, cell in zip(group.lines, group.columns[at["player"]], strict=True)
        ]
        _refuse_twice(group.lines, [name for name, _key in named], [key for _name, key in named])
        _check_players(group.lines[0], len(named), rules)
        seats = _seats(at, group)
        self.names = tuple(named[seats.index(seat)][0] for seat in range(len(seats)))
        self.first_dealer = _first_dealer(at, group)
        self._at = at
        self._keys = [named[seats.index(seat)][1] for seat in range(len(seats))]
        self._in_order = list(range(len(seats)))
        self._who = itemgetter(*[at[name] for name in ("player", "seat") if name in at])
        self._known = {self._who(row): seat for seat, row in zip(seats, group.rows, strict=True)}

    def isolate_sign(self, group: Group, number: int) -> Group:
        """Return the rows of a round in the order of the seats, one for each.

        Raises `SheetError` where a player is missing, unknown, twice, or at another seat.
        """
        known, who = self._known, self._who
        try:
            seats = [known[who(row)] for row in group.rows]
        except KeyError:
            seats = [
                self._seat(line, row) for line, row in zip(group.lines, group.rows, strict=True)
            ]
        if seats == self._in_order:
            return group
        names = [self.names[seat] for seat in seats]
        _refuse_twice(group.lines, names, seats, number)
        if missing := [name for seat, name in enumerate(self.names) if seat not in seats]:
            sentence = _("Round {round} has no row for {names}.")
            names_missing = ", ".join(missing)
            raise SheetError(group.lines[0], sentence.format(round=number, names=names_missing))
        order = [seats.index(seat) for seat in self._in_order]
        rows = [group.rows[i] for i in order]
        return Group([group.lines[i] for i in order], rows, list(zip(*rows, strict=True)))

    def refuse_more(self, group: Group, number: int) -> None:
        """Refuse rows that come on top of the rows of a round, one for each player."""
        line = group.lines[0]
        name = self.names[self._seat(line, group.rows[0])]
        raise SheetError(line, _twice(name, number))

    def _seat(self, line: int, row: Sequence[str]) -> int:
        name, key = _named(line, row[self._at["player"]])
        if key not in self._keys:
            sentence = _("{name} does not play in this game. Its players are {names}.")
            raise SheetError(line, sentence.format(name=name, names=", ".join(self.names)))
        seat = self._keys.index(key)
        cell = row[self._at["seat"]] if "seat" in self._at else ""
        if cell.strip(BLANKS) and whole_number(cell) != seat + 1:
            sentence = _("{name} sits at seat {seat} in this game, not at “{cell}”.")
            raise SheetError(line, sentence.format(name=name, seat=seat + 1, cell=shown(cell)))
        return seat


def _named(line: int, cell: str) -> tuple[str, str]:
    try:
        return _read_name(cell)
    except NameRefused as refused:
        raise SheetError(line, str(refused)) from refused


@lru_cache(maxsize=1024)  # key: the cell
def _read_name(cell: str) -> tuple[str, str]:
    """Return a name as it is kept, and what it has in common with its other spellings."""
    name = normalize_name(as_meant(cell.strip(BLANKS)))
    return name, name_key(name)


def _refuse_twice(
    lines: Sequence[int], names: list[str], keys: list[str] | list[int], number: int = 1
) -> None:
    if len(set(keys)) == len(keys):
        return
    at = next(i for i, key in enumerate(keys) if key in keys[:i])
    raise SheetError(lines[at], _twice(names[at], number))


def _twice(name: str, number: int) -> str:
    sentence = _(
        "{name} stands twice in round {round}: a player has one row in each round, and a name "
        "that nobody else has."
    )
    return sentence.format(name=name, round=number)


def _check_players(line: int, players: int, rules: RuleSet) -> None:
    if players not in rules.players:
        sentence = _("{book} is for {allowed} players, but round 1 has {n}.")
        allowed = ", ".join(map(str, rules.players))
        raise SheetError(line, sentence.format(book=rules.name, allowed=allowed, n=players))
    if players * rules.tricks > PACK:
        sentence = _("{tricks} cards for {players} players are more than a pack holds: deal fewer.")
        raise SheetError(line, sentence.format(tricks=rules.tricks, players=players))


def _seats(at: Places, group: Group) -> list[int]:
    """Return the seat of each row, counted from 0."""
    in_order = list(range(len(group.rows)))
    cells = group.columns[at["seat"]] if "seat" in at else ()
    if not any(cell.strip(BLANKS) for cell in cells):
        return in_order
    seats: list[int] = []
    for line, cell in zip(group.lines, cells, strict=True):
        seat = whole_number(cell)
        if seat is None or seat - 1 not in in_order or seat - 1 in seats:
            sentence = _("“{cell}” is no seat: number the seats from 1 to {n}, each once.")
            raise SheetError(line, sentence.format(cell=shown(cell), n=len(cells)))
        seats.append(seat - 1)
    return seats


def _first_dealer(at: Places, group: Group) -> int:
    players = len(group.rows)
    cells = group.columns[at["dealer"]] if "dealer" in at else ()
    given = [(line, cell.strip(BLANKS)) for line, cell in zip(group.lines, cells, strict=False)]
    given = [(line, cell) for line, cell in given if cell]
    dealer = players
    for line, cell in given:
        dealer = whole_number(cell) or 0
        if not 1 <= dealer <= players:
            sentence = _("“{cell}” is no dealer: write the number of a seat, from 1 to {n}.")
            raise SheetError(line, sentence.format(cell=shown(cell), n=players))
        if cell != given[0][1]:
            sentence = _("Round 1 has two dealers, {first} and {cell}: write one of them.")
            raise SheetError(line, sentence.format(first=given[0][1], cell=cell))
    return dealer - 1
