"""Two entries for one round, the stored one and that of an outdated page, and the choice shown."""

from collections.abc import Callable
from typing import NamedTuple

from flask import render_template, request
from markupsafe import Markup

from scorekeeper.clock import now, stamp
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import Round, fold
from scorekeeper.store.changes import last_entry
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.journal import EditConflict, UnknownRevision
from scorekeeper.store.round_entry import why_closed
from scorekeeper.store.rounds import cells_that_differ
from scorekeeper.web.game.page import Answer, answer
from scorekeeper.web.game.scoreboard import score_rows
from scorekeeper.web.http.current import database
from scorekeeper.web.http.restored import not_recorded
from scorekeeper.web.text.change_lines import entry_text
from scorekeeper.web.text.dates import clock, day
from scorekeeper.web.text.numbers import minus
from scorekeeper.web.text.wording import listed

Pair = tuple[str, str]  # of the stored entry, and of the one that was sent
Edit = Callable[[Game, Round], Round]  # from the stored facts of a round to new ones


class EntryCell(NamedTuple):
    """One of the two entries of a row; the entry or the total is empty where there is none."""

    entry: str
    total: str
    differs: bool


class EntryRow(NamedTuple):
    """A player's two entries and totals; or only the totals of a partnership."""

    seats: tuple[int, ...]
    names: Markup
    entries: Pair | None
    totals: Pair | None

    @property
    def differs(self) -> bool:
        """Whether the two cells of the row differ."""
        return any(pair and pair[0] != pair[1] for pair in (self.entries, self.totals))

    @property
    def symbols(self) -> tuple[int, ...]:
        """The seat whose symbol is shown; none beside the totals of a partnership."""
        return self.seats if self.entries else ()

    @property
    def cells(self) -> list[EntryCell]:
        pairs = zip(self.entries or ("", ""), self.totals or ("", ""), strict=True)
        return [EntryCell(entry, total, self.differs) for entry, total in pairs]


class TwoEntries(NamedTuple):
    """Both entries side by side.

    `phone` and `recorded` say who stored the cells that differ and when, `sent` when the other
    entry arrived. `names` are the players whose entries differ.
    """

    phone: str
    recorded: str
    sent: str
    names: Markup
    rows: list[EntryRow]


def two_entries(db: Database, game: Game, number: int, sent: Round) -> TwoEntries:
    """Return the stored entry of a round beside the one sent, with the totals of each."""
    recorded = game.round(number)
    change = last_entry(db, game, number, cells_that_differ(recorded, sent))
    rows = _rows(game, number, recorded, sent)
    names = game.names_in(number)
    differ = [names[row.seats[0]] for row in rows if row.entries and len({*row.entries}) > 1]
    is_gone = number > len(game.rounds)
    when = _("undone at {time}") if is_gone else _("recorded at {time}")
    return TwoEntries(
        phone=(change and change.phone) or _("Another phone"),
        recorded=when.format(time=_moment(change.at)) if change else "",
        sent=_("entered at {time}").format(time=_moment(stamp(now()))),
        names=listed(differ) if differ else Markup(),
        rows=rows,
    )


def conflict_answer(conflict: EditConflict, number: int, edit: Edit, **fields: str) -> Answer:
    """Answer 409: with both entries for a choice, or with the page if there is nothing to choose.

    `fields` are values of the form that take the place of those that were sent.
    """
    game = conflict.game
    if isinstance(conflict, UnknownRevision):
        return answer(game, 409, not_recorded())
    if why_closed(game, number):
        sentence = _(
            "Round {n} is already closed, so nothing was saved. Check the game, then tap again."
        )
        return answer(game, 409, sentence.format(n=number))
    sent = request.form.to_dict() | fields
    sent.pop("csrf_token", None)
    sent.pop("version", None)
    page = render_template(
        "game/conflict.html",
        game=game,
        state=game.state,
        screen={"score_rows": score_rows(game)},
        number=number,
        entries=two_entries(database(), game, number, edit(game, game.round(number))),
        sent=sent,
    )
    return page, 409


def _rows(game: Game, number: int, recorded: Round, sent: Round) -> list[EntryRow]:
    either_way = [_totals(game, number, round_) for round_ in (recorded, sent)]
    rows = []
    for side, seats in enumerate(game.state.sides):
        recorded_total, sent_total = (
            minus(totals[side], game.rules.shown_as) for totals in either_way
        )
        totals = recorded_total, sent_total
        own = totals if len(seats) == 1 else None
        for seat in seats:
            entries = entry_text(recorded, seat), entry_text(sent, seat)
            rows.append(EntryRow((seat,), listed([game.names_in(number)[seat]]), entries, own))
        if own is None:
            rows.append(EntryRow(seats, listed(game.side_names(side, number)), None, totals))
    return rows


def _totals(game: Game, number: int, round_: Round) -> tuple[int, ...]:
    """Return every side's total if a round were stored like this."""
    rounds = [*game.rounds]
    rounds[number - 1 : number] = [round_]
    players = len(game.starters)
    state = fold(game.rules, players, game.first_dealer, rounds, starters=game.starters)
    return state.standing.totals


def _moment(at: str) -> str:
    """Return a time of day, with the day unless that is today."""
    is_today = day(at) == day(stamp(now()))
    return clock(at) if is_today else f"{day(at)} {clock(at)}"
