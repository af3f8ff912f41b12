"""What the page of a game shows, worked out for its template."""

from typing import NamedTuple

from markupsafe import Markup, escape
from sqlite_utils import Database

from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import ngettext
from scorekeeper.rules.bidding import contract
from scorekeeper.rules.deck import preparation
from scorekeeper.rules.entry import Tally, fill_last_count
from scorekeeper.rules.sentence import Sentence
from scorekeeper.store.changes import can_redo, can_undo
from scorekeeper.store.games import Game
from scorekeeper.web.game.announcement import Announcement, announce
from scorekeeper.web.game.keypad import Key, Seat, keys, seats
from scorekeeper.web.game.scoreboard import ScoreRow, score_rows
from scorekeeper.web.text.wording import bdi, fill, listed, tie_line


class Screen(NamedTuple):
    """The whole page."""

    game: Game
    title: Markup
    who: Markup
    said: Announcement
    message: str
    tie: Markup | None
    score_rows: list[ScoreRow]
    seats: list[Seat]
    keys: list[Key]
    active: int | None
    chosen: int | None
    waits: Markup | None
    counted: Markup
    complete: bool
    counts: Tally
    pack: list[Sentence]
    can_undo: bool
    can_redo: bool


def build_screen(
    db: Database,
    game: Game,
    *,
    message: str = "",
    chosen: int | None = None,
    own: int | None = None,
) -> Screen:
    """Return what the page of a game shows, with an error `message` if there is one.

    `chosen` is the seat that was tapped, `own` the seat that the phone has claimed: it shows the
    keypad only when that seat's turn has come.
    """
    state = game.state
    counts = fill_last_count(state.open.tally, state.players, game.rules.tricks)
    active = _active(game, chosen, own)
    waits = _waits(game, active, own)
    complete = state.phase == "playing" and sum(c or 0 for c in counts) == game.rules.tricks
    complete = complete and None not in counts
    counted = _counted(game, counts)
    return Screen(
        game=game,
        title=title_of(game),
        who=_who(game),
        said=announce(game, active, counted, complete),
        message=message,
        tie=tie_line(game),
        score_rows=score_rows(game),
        seats=[] if state.phase == "over" else seats(game, counts, active, complete),
        keys=[] if active is None or waits else keys(game, active),
        active=active,
        chosen=None if chosen is None else chosen + 1,
        waits=waits,
        counted=counted,
        complete=complete,
        counts=counts,
        pack=[] if game.rounds else preparation(game.rules, len(game.names)),
        can_undo=can_undo(db, game),
        can_redo=can_redo(db, game),
    )


def _active(game: Game, chosen: int | None, own: int | None) -> int | None:
    state = game.state
    if state.phase == "over":
        return None
    if chosen is not None:
        return chosen
    entered = state.open.bids if state.phase == "bidding" else state.open.tally
    waiting = [seat for seat in state.order if entered is None or entered[seat] is None]
    if state.phase == "playing" and own in waiting:
        return own
    return waiting[0] if waiting else state.order[-1]


def _waits(game: Game, active: int | None, own: int | None) -> Markup | None:
    """Return whom a phone that has claimed a seat waits for, unless its turn has come."""
    if own is None or active is None or active == own:
        return None
    if game.state.phase == "bidding":
        sentence = _("{name} bids now; this phone is for {own}.")
        return fill(sentence, name=bdi(game.names[active]), own=bdi(game.names[own]))
    return fill(_("This phone is for {own}."), own=bdi(game.names[own]))


def title_of(game: Game) -> Markup:
    """Return the title of a game: who won, or the number of the round."""
    state = game.state
    if state.phase == "over" and state.outcome and state.outcome.winner is not None:
        names = game.side_names(state.outcome.winner)
        return fill(ngettext("{names} wins", "{names} win", len(names)), names=listed(names))
    return fill(_("Round {n}"), n=state.number)


def _who(game: Game) -> Markup:
    if game.state.phase == "bidding":
        return fill(_("{name} deals"), name=bdi(game.names[game.state.dealer]))
    return escape(_("tricks"))


def _counted(game: Game, counts: Tally) -> Markup:
    state, tricks = game.state, game.rules.tricks
    if state.phase == "bidding":
        return fill(_("{n} of {tricks} bid"), n=contract(state.open.bids), tricks=tricks)
    sentence = ngettext("{taken} of {n} trick", "{taken} of {n} tricks", tricks)
    text = fill(sentence, taken=sum(c or 0 for c in counts), n=tricks)
    raw = state.open.tally or counts
    for seat, count in enumerate(counts):
        if raw[seat] is None and count is not None:
            name = bdi(game.names[seat])
            return fill(_("{counted} · filled in for {name}"), counted=text, name=name)
    return text
