"""CSV rows as games, round by round as they are asked for."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import BinaryIO

from scorekeeper.files.csv.columns import BLANKS, SheetError, as_meant, shown, whole_number
from scorekeeper.files.csv.ledger import Ledger, Tricks
from scorekeeper.files.csv.rows import Group, Rows
from scorekeeper.files.csv.tables import Tables
from scorekeeper.files.csv.writer import Sheet
from scorekeeper.i18n import by_number
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.bidding import Bids
from scorekeeper.rules.game import Round, bids_itself
from scorekeeper.rules.sentence import minus

LONGEST_ID = 1000  # characters
Options = Mapping[str, str]


def read_games(
    source: BinaryIO, rules_key: str | None = None, changes: Options | None = None
) -> Iterator[Sheet]:
    """Yield the games of a file, each with rounds that are read when they are asked for.

    The rules are those of `rules_key` with `changes`; where neither is given, those that the file
    names for each game. Every round is legal, and comes before the end of its game. Raises
    `SheetError` at the first line that is not so, also where nobody asked for its round.
    """
    rounds = _rounds(source, rules_key, changes or {})
    for game, rounds_of_game in groupby(rounds, key=itemgetter(0)):
        yield game.sheet(Round(bids, tricks) for _game, bids, tricks, _rows in rounds_of_game)


def read_rows(source: BinaryIO, rules_key: str | None, changes: Options) -> Iterator[str]:
    """Yield each round of a file as its rows, scored; raises `SheetError` as `read_games` does."""
    return map(itemgetter(3), _rounds(source, rules_key, changes))


def _rounds(
    source: BinaryIO, rules_key: str | None, changes: Options
) -> Iterator[tuple["_Game", Bids, Tricks, str]]:
    """Yield each round: its game, its bids and tricks, and its rows."""
    rows = Rows(source)
    tables = Tables(rows.at, rules_key, changes)
    game: _Game | None = None
    while group := rows.group():
        if game is None or not game.holds(group):
            game = _Game(tables, group)
        ledger, players = game.ledger, len(group.rows)
        bids, tricks = game.facts(group)
        yield game, bids, tricks, ledger.enter(bids, tricks)
        if ledger.winner is not None or not game.stays:
            continue
        known_bids, known_tricks = game.known
        for bid_cells, trick_cells in rows.regular(ledger.number + 1, players, game.stays):
            try:
                bids, tricks = known_bids[bid_cells], known_tricks[trick_cells]
            except KeyError:
                bids, tricks = game.facts(rows.latest(players))
            yield game, bids, tricks, ledger.enter(bids, tricks)
            if ledger.winner is not None:
                break
    if game is None:
        raise SheetError(None, _("The file has no rounds: nothing stands below its first line."))


class _Game:
    """A game that is being read."""

    def __init__(self, tables: Tables, first: Group):
        self._tables, self._first = tables, first
        self._at = tables.at
        self._id = self._cell(first, "game")
        if self._cell(first, "round") != "1":
            self._check_number(first, 1)
        self._table = table = tables.of(first)
        self.known = table.facts.known
        self.stays = table.stays
        if "game" in self._at and table.stays:
            self.stays = [(self._at["game"], first.columns[self._at["game"]]), *table.stays]
        self._started = self._cell(first, "started").strip(BLANKS)
        self._check_texts(first.lines[0])
        self.ledger = Ledger(self._table.setup, as_meant(self._id), self._started)

    def holds(self, group: Group) -> bool:
        """Return whether a group of rows is of this game."""
        return self._cell(group, "game") == self._id

    def sheet(self, rounds: Iterator[Round]) -> Sheet:
        setup = self._table.setup
        return Sheet(
            game=as_meant(self._id),
            started=self._started,
            rules=setup.rules,
            base=setup.base,
            names=setup.names,
            first_dealer=setup.first_dealer,
            rounds=rounds,
        )

    def facts(self, group: Group) -> tuple[Bids, Tricks]:
        """Return bids and tricks of the next round; raises `SheetError` where they are wrong."""
        number = self.ledger.number + 1
        table = self._table
        if number > 1:
            self._check_number(group, number)
        self._tables.check_book(group, self._first)
        if group is not self._first or not table.stays:
            group = table.seating.isolate_sign(group, number)
        tricks = table.facts.tricks(group, number)
        if bids_itself(table.book.rules, number):
            return table.facts.no_bids(group, tricks), tricks
        return table.facts.bids(group, number, self.ledger.totals), tricks

    def _check_number(self, group: Group, due: int) -> None:
        line, cell = group.lines[0], self._cell(group, "round")
        number = due if cell == str(due) else whole_number(cell, digits=9)
        if number is None:
            sentence = _("“{cell}” is no round: number the rounds 1, 2, 3 and so on.")
            raise SheetError(line, sentence.format(cell=shown(cell)))
        if number == due > 1 and self.ledger.winner is not None:
            raise SheetError(line, self._was_over())
        if number == due - 1 and due > 1:
            self._table.seating.refuse_more(group, number)
        if number == 1 < due:
            sentence = _(
                "Round {due} should follow here, not round 1. Where another game begins, "
                "give each game a name of its own in a column “game”."
            )
            raise SheetError(line, sentence.format(due=due))
        if number != due:
            sentence = _(
                "Round {due} should stand here, not round {number}: the rounds of a game follow "
                "one another, and the rows of a round stand together."
            )
            raise SheetError(line, sentence.format(due=due, number=number))

    def _was_over(self) -> str:
        ledger, setup = self.ledger, self._table.setup
        assert ledger.outcome is not None
        assert ledger.winner is not None
        winners = [setup.names[seat] for seat in setup.sides[ledger.winner]]
        if ledger.outcome.reason == "target":
            option = self._table.book.with_change("target", "...")
            sentence = by_number(
                "The game was over after round {round}: {names} had {total}. If the table played "
                "on, raise the target with {option}.",
                len(winners),
            )
        else:
            option = self._table.book.with_change("mercy", "off")
            sentence = by_number(
                "The game was over after round {round} by mercy: {names} won with {total}. If the "
                "table played on, switch mercy off with {option}.",
                len(winners),
            )
        return sentence.format(
            round=ledger.number,
            names=", ".join(winners),
            total=minus(ledger.totals[ledger.winner]),
            option=option,
        )

    def _check_texts(self, line: int) -> None:
        if len(self._id) > LONGEST_ID:
            sentence = _("The name of a game has at most {most} characters: shorten it.")
            raise SheetError(line, sentence.format(most=LONGEST_ID))
        if self._started and not _is_time(self._started):
            sentence = _(
                "“{text}” is no time: write it as 2025-11-21T19:30:00+01:00, or leave it empty."
            )
            raise SheetError(line, sentence.format(text=shown(self._started)))

    def _cell(self, group: Group, name: str) -> str:
        return group.rows[0][self._at[name]] if name in self._at else ""


def _is_time(text: str) -> bool:
    """Return whether a text is ISO 8601 with an offset."""
    try:
        return bool(
            re.fullmatch("[-+:.0-9TZ ]{1,40}", text) and datetime.fromisoformat(text).tzinfo
        )
    except ValueError:
        return False
