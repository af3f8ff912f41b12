"""A round that two phones entered differently: both entries side by side, or in a few words."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from scorekeeper.clock import now, stamp
from scorekeeper.rules.faces import Face
from scorekeeper.rules.game import fold
from scorekeeper.rules.round import Round
from scorekeeper.rules.seating import Seats
from scorekeeper.store.changes import last_entry
from scorekeeper.store.connection import Database
from scorekeeper.store.entry import Conflict
from scorekeeper.store.games import Game, cells_that_differ
from scorekeeper.web.text.change_lines import entry_text, penalty_line, remark_lines, seat_lines
from scorekeeper.web.text.sentences import say
from scorekeeper.web.text.wording import bdi, clock, day, fill, listed, minus

Pair = tuple[str, str]  # of the stored entry, and of the one that was sent


class EntryCell(NamedTuple):
    """One of the two entries of a row; the entry or the total is empty where there is none."""

    entry: str
    total: str
    differs: bool


class EntryRow(NamedTuple):
    """A player's two entries and totals; or only the totals of a partnership, with no faces."""

    seats: tuple[int, ...]
    faces: tuple[Face, ...]
    names: Markup
    entries: Pair | None
    totals: Pair | None

    @property
    def differs(self) -> bool:
        """Whether the two cells of the row differ."""
        return any(pair and pair[0] != pair[1] for pair in (self.entries, self.totals))

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
    when = say("taken_back_at") if is_gone else say("recorded_at")
    return TwoEntries(
        phone=(change and change.phone) or say("other_phone"),
        recorded=when.format(time=_moment(change.at)) if change else "",
        sent=say("entered_at").format(time=_moment(stamp(now()))),
        names=listed(differ) if differ else Markup(),
        rows=rows,
    )


def _rows(game: Game, number: int, recorded: Round, sent: Round) -> list[EntryRow]:
    names, faces = game.names_in(number), game.faces_in(number)
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
            rows.append(EntryRow((seat,), (faces[seat],), listed([names[seat]]), entries, own))
        if own is None:
            rows.append(EntryRow(seats, (), listed(game.side_names(side, number)), None, totals))
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


class ConflictLines(NamedTuple):
    """A conflict that another phone waits with: what it is, and where the two entries differ."""

    said: Markup
    saved: Markup
    theirs: Markup


def conflict_lines(game: Game, conflict: Conflict) -> ConflictLines:
    """Return a conflict in words: the round as it is saved, and the entry of the phone."""
    phone, number, entry = bdi(conflict.label), conflict.number, conflict.entry
    before, saved = game.seats_in(number - 1), game.round(number)
    ours, theirs = (_entry_lines(before, game.rules.shown_as, one) for one in (saved, entry))
    return ConflictLines(
        fill(say("other_entry"), phone=phone, n=number),
        fill(say("saved_entries"), entries=_other_lines(ours, theirs)),
        fill(say("unsaved_entries"), entries=_other_lines(theirs, ours)),
    )


def _entry_lines(before: Seats, shown_as: str, round_: Round) -> list[Markup]:
    """Return each player's bid and tricks, who comes or leaves, penalties, and the notes."""
    names = before.after(round_.notes.substitutes).names
    return [
        *(Markup("{} {}").format(bdi(name), entry_text(round_, n)) for n, name in enumerate(names)),
        *seat_lines(before, (), round_.notes.substitutes),
        *(penalty_line(names, one, shown_as) for one in round_.notes.penalties),
        *remark_lines(round_, shown_as),
    ]


def _other_lines(lines: Sequence[Markup], others: Sequence[Markup]) -> Markup:
    return Markup(" · ").join(line for line in lines if line not in others)
