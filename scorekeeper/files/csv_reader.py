"""CSV rows as games, round by round as they are asked for."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import BinaryIO, NamedTuple

from scorekeeper.files.csv_columns import (
    BLANKS,
    Faults,
    Sheet,
    SheetError,
    Tell,
    TwoDays,
    at_line,
    excerpt,
    local_time,
    tell_nobody,
)
from scorekeeper.files.csv_rounds import SheetRound, unread_cells
from scorekeeper.files.csv_rows import RoundRows, merged, no_round, read_rounds
from scorekeeper.files.csv_seating import Seating
from scorekeeper.files.round_json import RoundsReader
from scorekeeper.files.strict_json import InvalidValue
from scorekeeper.i18n import by_number, translate
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import RoundScore, score_next
from scorekeeper.rules.presets import DEFAULT, PRESETS
from scorekeeper.rules.ruleset import RuleSet, RulesRefused, house_rules, nearest, read_house_rules
from scorekeeper.rules.sentence import minus


class ChosenRules(NamedTuple):
    """The rules of a game, the rule book they differ from, and whether a file named them.

    `cards_set` is whether they say how many cards each player gets, at a table of any size.
    """

    rules: RuleSet
    base: RuleSet
    from_file: bool
    cards_set: bool

    def with_change(self, name: str, value: str) -> str:
        """Return in words how to score by these rules with one value changed."""
        if not self.from_file:
            return f"--set {name}={value}"
        changes = house_rules(self.base, self.rules) | {name: value}
        values = ";".join(f"{changed}={to}" for changed, to in changes.items())
        return _("“{values}” in a “house_rules” column").format(values=values)


def rules_of_options(key: str | None, changes: Mapping[str, str]) -> ChosenRules | None:
    """Return the rules given by options, or None where none are given.

    Raises `SheetError` without a line for an unknown rule book or a refused house rule.
    """
    if key is None and not changes:
        return None
    base = DEFAULT if key is None else rule_book(key)
    return _chosen(base, changes, from_file=False)


@lru_cache(maxsize=64)  # 0.16 ms, and the same few in the thousands of games of a file
def rules_of_file(key_cell: str, house_rules_cell: str, default: RuleSet) -> ChosenRules:
    """Return the rules that a file names for a game; those of `default` where it names no book.

    Raises `SheetError` without a line, as `rules_of_options` does.
    """
    changes: dict[str, str] = {}
    for part in filter(None, map(str.strip, house_rules_cell.split(";"))):
        name, equals, value = part.partition("=")
        if not equals or name in changes:
            sentence = _(
                "“{part}” isn’t a house rule. Write each once as name=value, separated by ;."
            )
            raise SheetError(None, sentence.format(part=excerpt(part)))
        changes[name.strip()] = value
    key = key_cell.strip()
    base = rule_book(key) if key else default
    return _chosen(base, changes, from_file=True)


def rule_book(key: str) -> RuleSet:
    """Return the rule book of a key; raises `SheetError` without a line for an unknown one."""
    base = PRESETS.get(key)
    if base is None:
        if meant := nearest(key, PRESETS):
            sentence = _("Unknown rules “{key}”. Did you mean {keys}?")
            raise SheetError(None, sentence.format(key=excerpt(key), keys=", ".join(meant)))
        sentence = _("Unknown rules “{key}”. Choose one of: {keys}.")
        raise SheetError(None, sentence.format(key=excerpt(key), keys=", ".join(PRESETS)))
    return base


def _chosen(base: RuleSet, changes: Mapping[str, str], *, from_file: bool) -> ChosenRules:
    try:
        rules = read_house_rules(base, changes)
    except RulesRefused as refused:
        raise SheetError(None, excerpt(translate(refused.sentence), 400)) from refused
    return ChosenRules(rules, base, from_file, cards_set="tricks" in changes)


Options = Mapping[str, str]


def read_games(
    source: BinaryIO,
    rules_key: str = DEFAULT.key,
    tell: Tell = tell_nobody,
    faults: Faults | None = None,
) -> Iterator[Sheet]:
    """Yield the games of a file, each with rounds that are read when they are asked for.

    The rules are those that the file names for each game, with its house rules; where it names no
    rule book, those of `rules_key`. Every round is legal, and comes before the end of its game.
    Raises `SheetError` at the first line that is not so, also where nobody asked for its round.
    With `faults` for more than one the next games are read too; of one with an error come only the
    rounds before it, and it is searched for cells that no game can have.
    `tell` is given a sentence about each player who leaves or takes a seat without a note, and
    about the first points in each game that are others than the bids and tricks make.
    """
    rounds = _scored_rounds(source, None, rule_book(rules_key), tell, faults or Faults())
    for game, of_game in groupby(rounds, key=itemgetter(0)):
        yield replace(game.sheet, rounds=(one.round for _game, one in of_game))


def read_scored(
    source: BinaryIO, rules_key: str | None, changes: Options, tell: Tell = tell_nobody
) -> Iterator[tuple[Sheet, RoundScore]]:
    """Yield each round of a file, scored, beside its game; raises and tells as `read_games` does.

    The rules are those of `rules_key` with `changes`, whatever the file says; where neither is
    given, those that it names. The games come without their `rounds`.
    """
    asked = rules_of_options(rules_key, changes)
    for game, scored in _scored_rounds(source, asked, DEFAULT, tell, Faults()):
        yield game.sheet, scored


def _scored_rounds(
    source: BinaryIO, asked: ChosenRules | None, default: RuleSet, tell: Tell, faults: Faults
) -> Iterator[tuple["_Game", RoundScore]]:
    game: _Game | None = None
    for rows in read_rounds(source, tell, faults):
        name = rows[0].cell("game")
        if name not in faults.games:
            try:
                if game is None or not game.holds(rows):
                    game = _Game(rows, asked, default, tell)
                scored = game.next_round(rows)
            except SheetError as error:
                faults.add(error, name)
            else:
                yield game, scored
                continue
        for wrong in game.unread_cells(rows) if game and game.holds(rows) else ():
            faults.add(wrong, name)
    if game is None and not faults.games:
        raise SheetError(None, _("The file has no rounds: there’s nothing below the header."))


# The rule that ended a game, and a value with which it would have gone on.
ENDS = {
    "rounds": ("rounds", "off"),
    "sets": ("sets_lose", "off"),
    "first_round": ("first_round_minimum", "off"),
}
# A note that ended it.
NOTED = {"last_round": "last_round=yes", "penalty": "penalty=lost"}


class _Game:
    """A game that is being read: what its first rows say, and the round that was scored last."""

    def __init__(self, rows: RoundRows, asked: ChosenRules | None, default: RuleSet, tell: Tell):
        self._first = rows[0]
        self._tell = tell
        self._merged: set[str] = set()  # columns whose empty cells have been told
        has_scores = "points" in rows[0].cells or "total" in rows[0].cells
        self._compares = asked is None and has_scores  # as a file has rules of its own
        self._last: RoundScore | None = None
        # Columns that name the rules of a game: the same in all of its rows.
        naming = [] if asked else ["rules", "house_rules"]
        self._naming = [name for name in naming if name in self._first.cells]
        self._check_number(rows)
        self._check_rules(rows)
        self._book = asked or _named_rules(rows, default)
        self._seating = Seating(rows, self._book.rules, tell, cards_set=self._book.cards_set)
        self.sheet = Sheet(
            game=self._first.read("game"),
            started=self._started(),
            rules=self._seating.rules,
            base=self._book.base,
            names=self._seating.starters,
            first_dealer=self._seating.first_dealer,
            rounds=(),
            line=self._first.line,
        )
        self._reader = RoundsReader(self.sheet.rules, self.sheet.names)

    def holds(self, rows: RoundRows) -> bool:
        return rows[0].cell("game") == self._first.cell("game")

    def next_round(self, rows: RoundRows) -> RoundScore:
        """Read, check and score the next round; raises `SheetError` where it is wrong."""
        number = self._next_number
        self._check_number(rows)
        self._check_rules(rows)
        by_seat, substitutes = self._seating.in_seat_order(rows, number)
        rules, starters = self.sheet.rules, self.sheet.names
        one = SheetRound(rules, len(starters), number, by_seat)
        try:
            round_ = self._reader.read(one.as_json(substitutes))
            scored = score_next(rules, starters, self.sheet.first_dealer, self._last, round_)
            if round_.tricks is None and not scored.winners:
                raise one.no_tricks()  # a tie goes on
            self._reader.refuse("bids", one.refused_bids(scored))
        except InvalidValue as wrong:
            raise one.error(wrong) from None
        self._compare(one, scored)
        self._last = scored
        return scored

    def _compare(self, one: SheetRound, scored: RoundScore) -> None:
        """Tell where the rows have other points than their bids and tricks make."""
        if not self._compares:
            return
        for sentence in one.unread_scores():
            self._tell(sentence)
        if other := one.other_score(scored):
            self._compares = False  # the totals below it are others too
            self._tell(other)

    def unread_cells(self, rows: RoundRows) -> Iterator[SheetError]:
        """Yield the errors of cells in a round of a game that is wrong."""
        rules = self.sheet.rules.in_round(rows[0].read("round") or 1, len(self.sheet.names))
        return unread_cells(rows, rules)

    @property
    def _next_number(self) -> int:
        return self._last.number + 1 if self._last else 1

    def _check_rules(self, rows: RoundRows) -> None:
        for name in self._naming:
            for row in rows:
                if row.cell(name) == self._first.cell(name):
                    continue
                if row.cell(name).strip(BLANKS):
                    sentence = _("“{name}” differs from this game’s first row.")
                    raise SheetError(row.line, sentence.format(name=name))
                if name not in self._merged:
                    self._merged.add(name)
                    self._tell(merged(row.line, name))

    def _check_number(self, rows: RoundRows) -> None:
        row, due = rows[0], self._next_number
        number = row.read("round")
        if number == due and (self._last is None or not self._last.winners):
            return
        if number is None:
            raise no_round(row)
        if number == due and self._last:
            raise SheetError(row.line, self._was_over(self._last))
        if number == due - 1 and due > 1:
            self._seating.refuse_extra(row, number)
        if number == 1 < due:
            sentence = _(
                "Expected round {due} here, not round 1. If another game starts here, give each "
                "game its own name in a “game” column."
            )
            raise SheetError(row.line, sentence.format(due=due))
        sentence = _(
            "Expected round {due} here, not round {number}. Rounds must be in order, with all "
            "rows of a round together."
        )
        raise SheetError(row.line, sentence.format(due=due, number=number))

    def _was_over(self, last: RoundScore) -> str:
        """Return how a game ended before its last row, and how to say that it went on."""
        assert last.outcome is not None
        winners = [
            self._seating.names[seat] for side in last.winners for seat in self.sheet.sides[side]
        ]
        if last.outcome.reason == "target":
            option = self._book.with_change("target", "...")
            sentence = by_number(
                "The game ended after round {round}: {names} had {total}. If play continued, "
                "raise the winning score with {option}.",
                len(winners),
            )
        elif last.outcome.reason == "mercy":
            option = self._book.with_change("mercy", "off")
            sentence = by_number(
                "The losing score ended the game after round {round}: {names} won with {total}. "
                "If play continued, turn it off with {option}.",
                len(winners),
            )
        elif last.outcome.reason in NOTED:
            option = NOTED[last.outcome.reason]
            sentence = by_number(
                "The game ended after round {round}: {names} won with {total}. If play continued, "
                "remove {option} there.",
                len(winners),
            )
        else:
            option = self._book.with_change(*ENDS[last.outcome.reason])
            sentence = by_number(
                "The game ended after round {round}: {names} won with {total}. If play continued, "
                "change that with {option}.",
                len(winners),
            )
        return sentence.format(
            round=last.number,
            names=", ".join(winners),
            total=minus(last.after.totals[last.winners[0]], self.sheet.rules.shown_as),
            option=option,
        )

    def _started(self) -> str:
        """Return when the game began as ISO 8601 with an offset, or an empty text."""
        text: str = self._first.read("started")
        if not text or _is_time(text):
            return text
        try:
            at = local_time(text)
        except TwoDays as refused:
            raise SheetError(self._first.line, str(refused)) from refused
        except ValueError as error:
            sentence = _(
                "“{text}” isn’t a valid time. Use the form 2025-11-21T19:30:00+01:00, or leave "
                "it empty."
            )
            message = sentence.format(text=excerpt(text))
            raise SheetError(self._first.line, message) from error
        sentence = _("“{text}” is read as {time}.")
        self._tell(at_line(self._first.line, sentence.format(text=text, time=at)))
        return at


def _named_rules(rows: RoundRows, default: RuleSet) -> ChosenRules:
    try:
        return rules_of_file(rows[0].cell("rules"), rows[0].cell("house_rules"), default)
    except SheetError as error:
        raise SheetError(rows[0].line, error.message) from error


def _is_time(text: str) -> bool:
    """Return whether a text is ISO 8601 with an offset."""
    try:
        return bool(
            re.fullmatch("[-+:.0-9TZ ]{1,40}", text) and datetime.fromisoformat(text).tzinfo
        )
    except ValueError:
        return False
