"""CSV rows as games, round by round as they are asked for."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import BinaryIO

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import Round, bids_itself
from scorekeeper.rules.sentence import minus
from scorekeeper.scoresheet.books import Book, asked_for, named_in_file
from scorekeeper.scoresheet.cells import BLANKS, SheetError, as_meant, shown, whole_number
from scorekeeper.scoresheet.facts import Facts
from scorekeeper.scoresheet.rows import Group, Places, Rows
from scorekeeper.scoresheet.seating import Seating
from scorekeeper.scoresheet.tally import Tally
from scorekeeper.scoresheet.writing import Sheet

LONGEST_ID = 1000  # characters


def read_games(
    source: BinaryIO, rules_key: str | None = None, changes: Mapping[str, str] | None = None
) -> Iterator[Sheet]:
    """Yield the games of a file, each with rounds that are read when they are asked for.

    The rules are those of `rules_key` with `changes`; where neither is given, those that the file
    names for each game. Every round is legal, and comes before the end of its game. Raises
    `SheetError` at the first line that is not so, also where nobody asked for its round.
    """
    asked = asked_for(rules_key, changes or {})
    rows = Rows(source)
    ahead = _Ahead(rows.groups())
    if ahead.group is None:
        raise SheetError(None, _("The file has no rounds: nothing stands below its first line."))
    while ahead.group is not None:
        game = _Game(rows.at, asked, ahead.group)
        rounds = game.rounds(ahead)
        yield game.sheet(rounds)
        for _unasked in rounds:
            pass


class _Ahead:
    """The rows of rounds, of which the next can be looked at before it is taken."""

    def __init__(self, groups: Iterator[Group]):
        self._groups = groups
        self.group = next(groups, None)

    def step(self) -> None:
        self.group = next(self._groups, None)


class _Game:
    """A game that is being read: who sits where, by which rules, and the standing so far."""

    def __init__(self, at: Places, asked: Book | None, first: Group):
        self._at, self._first = at, first
        self._id = self._cell(first.rows[0], "game")
        self._check_number(first, 1)
        self._book_is_asked_for = asked is not None
        self._book = asked or self._book_named(first.lines[0], first.rows[0])
        rules = self._book.rules
        self._seating = Seating(at, first, rules)
        self._facts = Facts(at, rules, self._seating.names)
        self._tally = Tally(rules, len(self._seating.names))

    def sheet(self, rounds: Iterator[Round]) -> Sheet:
        line, row = self._first.lines[0], self._first.rows[0]
        if len(self._id) > LONGEST_ID:
            sentence = _("The cell “game” is longer than {most} characters: shorten it.")
            raise SheetError(line, sentence.format(most=LONGEST_ID))
        return Sheet(
            game=as_meant(self._id),
            started=_time(line, self._cell(row, "started").strip(BLANKS)),
            rules=self._book.rules,
            base=self._book.base,
            names=self._seating.names,
            first_dealer=self._seating.first_dealer,
            rounds=rounds,
        )

    def rounds(self, ahead: _Ahead) -> Iterator[Round]:
        while ahead.group and self._cell(ahead.group.rows[0], "game") == self._id:
            yield self._round(ahead.group)
            ahead.step()

    def _round(self, group: Group) -> Round:
        number = self._tally.number + 1
        self._check_number(group, number)
        self._check_book(group)
        group = self._seating.in_order(group, number)
        tricks = self._facts.tricks(group, number)
        if bids_itself(self._book.rules, number):
            bids = self._facts.no_bids(group, tricks)
        else:
            bids = self._facts.bids(group, number, self._tally.totals)
        self._tally.add(bids, tricks)
        return Round(bids, tricks)

    def _check_number(self, group: Group, due: int) -> None:
        line, cell = group.lines[0], group.rows[0][self._at["round"]]
        number = whole_number(cell, digits=9)
        if number is None:
            sentence = _("“{cell}” is no round: number the rounds 1, 2, 3 and so on.")
            raise SheetError(line, sentence.format(cell=shown(cell)))
        if due > 1 and self._tally.winner is not None and number == due:
            raise SheetError(line, self._was_over())
        if number == 1 and due > 1:
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
        tally, names = self._tally, self._seating.names
        assert tally.outcome is not None
        assert tally.outcome.winner is not None
        if tally.outcome.reason == "target":
            option = self._book.with_option("target", "…")
            sentence = _(
                "The game was over after round {round}: {names} had {total}. If the table played "
                "on, raise the target with {option}."
            )
        else:
            option = self._book.with_option("mercy", "off")
            sentence = _(
                "The game was over after round {round} by mercy: {names} had {total}. If the table "
                "played on, switch mercy off with {option}."
            )
        winner = tally.outcome.winner
        return sentence.format(
            round=tally.number,
            names=", ".join(names[seat] for seat in tally.sides[winner]),
            total=minus(tally.totals[winner]),
            option=option,
        )

    def _check_book(self, group: Group) -> None:
        """Refuse rows that name other rules than the first row of their game."""
        if self._book_is_asked_for:
            return
        for name in ("rules", "house_rules"):
            cell = self._cell(self._first.rows[0], name)
            for line, row in zip(*group, strict=True):
                if self._cell(row, name) != cell:
                    sentence = _("“{name}” differs from the first row of this game.")
                    raise SheetError(line, sentence.format(name=name))

    def _book_named(self, line: int, row: list[str]) -> Book:
        try:
            return named_in_file(self._cell(row, "rules"), self._cell(row, "house_rules"))
        except SheetError as error:
            raise SheetError(line, error.message) from error

    def _cell(self, row: list[str], name: str) -> str:
        return row[self._at[name]] if name in self._at else ""


def _time(line: int, text: str) -> str:
    try:
        if text and not (
            re.fullmatch("[-+:.0-9TZ ]{1,40}", text) and datetime.fromisoformat(text).tzinfo
        ):
            raise ValueError
    except ValueError as error:
        sentence = _(
            "“{text}” is no time: write it as 2025-11-21T19:30:00+01:00, or leave it empty."
        )
        raise SheetError(line, sentence.format(text=shown(text))) from error
    return text
