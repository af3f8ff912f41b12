"""Tables as a file names them: who sits where and plays by which rules, shared by their games."""

from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from scorekeeper.files.csv.bids_and_tricks import Facts, Known
from scorekeeper.files.csv.columns import SheetError
from scorekeeper.files.csv.ledger import Setup
from scorekeeper.files.csv.rows import Group, Places, Stays
from scorekeeper.files.csv.rule_choice import Book, asked_for, named_in_file
from scorekeeper.files.csv.scores import remembered_entries
from scorekeeper.files.csv.seating import Seating
from scorekeeper.i18n import gettext as _

MOST_REMEMBERED = 100


class Table(NamedTuple):
    """What the games of one table share: the book, the seats, and how their rounds are read.

    `stays` are the columns that no round may change, beside the name of the game; there are none
    where the rows of the first round do not stand in the order of the seats.
    """

    book: Book
    seating: Seating
    setup: Setup
    facts: Facts
    stays: Stays


class Tables:
    """Finds the table of a game, by options or by the cells of its first round."""

    def __init__(self, at: Places, rules_key: str | None, changes: Mapping[str, str]):
        self.at = at
        self._asked = asked_for(rules_key, changes)
        self._naming = [name for name in ("rules", "house_rules") if name in at and not self._asked]
        tells = [at[name] for name in ("player", "seat", "dealer", *self._naming) if name in at]
        self._tells = itemgetter(*tells)
        self._met: dict[object, Table] = {}  # key: all cells that a table is read from
        self._entries_under = remembered_entries()
        # Key: rules and players; a file has one of these, and in it one place for each column.
        self._known = lru_cache(maxsize=16)(lambda _rules, _players: Known({}, {}))

    def of(self, group: Group) -> Table:
        """Return the table that a first round names, the same for rounds that name it alike.

        Raises `SheetError` for rules that are unknown, and for players who cannot sit like this.
        """
        cells = self._tells(group.columns)
        table = self._met.get(cells)
        if table is None:
            if len(self._met) >= MOST_REMEMBERED:
                self._met.clear()
            table = self._met[cells] = self._table(group)
        return table

    def check_book(self, group: Group, first: Group) -> None:
        """Refuse rows that name other rules than the first row of their game."""
        for name in self._naming:
            cells = group.columns[self.at[name]]
            for line, cell in zip(group.lines, cells, strict=True):
                if cell != first.rows[0][self.at[name]]:
                    sentence = _("The cell “{name}” differs from the first row of this game.")
                    raise SheetError(line, sentence.format(name=name))

    def _table(self, group: Group) -> Table:
        book = self._book(group)
        seating = Seating(self.at, group, book.rules)
        names, dealer = seating.names, seating.first_dealer
        known = self._known(book.rules, len(names))
        return Table(
            book=book,
            seating=seating,
            setup=Setup(book.rules, book.base, names, dealer, self._entries_under),
            facts=Facts(self.at, book.rules, names, known),
            stays=self._stays(group) if seating.isolate_sign(group, 1) is group else [],
        )

    def _stays(self, group: Group) -> Stays:
        names = ("player", "seat", *self._naming)
        return [(self.at[name], group.columns[self.at[name]]) for name in names if name in self.at]

    def _book(self, group: Group) -> Book:
        if self._asked:
            return self._asked
        self.check_book(group, group)
        cells = {name: group.rows[0][self.at[name]] for name in self._naming}
        try:
            return named_in_file(cells.get("rules", ""), cells.get("house_rules", ""))
        except SheetError as error:
            raise SheetError(group.lines[0], error.message) from error
