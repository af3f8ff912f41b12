"""Tables as a file names them: who sits where and plays by which rules, shared by their games."""

from collections.abc import Mapping
from operator import itemgetter

from scorekeeper.i18n import gettext as _
from scorekeeper.scoresheet.books import Book, asked_for, named_in_file
from scorekeeper.scoresheet.cells import SheetError
from scorekeeper.scoresheet.facts import Facts
from scorekeeper.scoresheet.ledger import Setup
from scorekeeper.scoresheet.rows import Columns, Group, Places
from scorekeeper.scoresheet.seating import Seating

MOST_REMEMBERED = 1000


class Table:
    """What the games of one table share: the book, the seats, and how their rounds are read."""

    def __init__(self, at: Places, book: Book, group: Group):
        self.book = book
        self.seating = Seating(at, group, book.rules)
        self.is_in_order = self.seating.in_order(group, 1) is group
        names = self.seating.names
        self.setup = Setup(book.rules, book.base, names, self.seating.first_dealer)
        self.facts = Facts(at, book.rules, names)


class Tables:
    """Finds the table of a game, by options or by the cells of its first round."""

    def __init__(self, at: Places, rules_key: str | None, changes: Mapping[str, str]):
        self._at = at
        self._asked = asked_for(rules_key, changes)
        self._naming = [name for name in ("rules", "house_rules") if name in at and not self._asked]
        stays = [at[name] for name in ("game", "player", "seat", *self._naming) if name in at]
        tells = [at[name] for name in ("player", "seat", "dealer", *self._naming) if name in at]
        self.stays = itemgetter(*stays)  # of the columns, what no round of a game may change
        self._tells = itemgetter(*tells)
        self._met: dict[object, Table] = {}

    def of(self, group: Group, columns: Columns) -> Table:
        """Return the table that a first round names, the same one as long as its cells are the same.

        Raises `SheetError` for rules that are unknown, and for players who cannot sit like this.
        """
        cells = self._tells(columns)
        table = self._met.get(cells)
        if table is None:
            if len(self._met) >= MOST_REMEMBERED:
                self._met.clear()
            table = self._met[cells] = Table(self._at, self._book(group), group)
        return table

    def check_book(self, group: Group, first: Group) -> None:
        """Refuse rows that name other rules than the first row of their game."""
        for name in self._naming:
            for line, row in zip(*group, strict=True):
                if row[self._at[name]] != first.rows[0][self._at[name]]:
                    sentence = _("The cell “{name}” differs from the first row of this game.")
                    raise SheetError(line, sentence.format(name=name))

    def _book(self, group: Group) -> Book:
        if self._asked:
            return self._asked
        self.check_book(group, group)
        cells = {name: group.rows[0][self._at[name]] for name in self._naming}
        try:
            return named_in_file(cells.get("rules", ""), cells.get("house_rules", ""))
        except SheetError as error:
            raise SheetError(group.lines[0], error.message) from error
