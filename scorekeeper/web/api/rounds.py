"""Rounds as programs send them: whole, and made on the very version of the game that is stored."""

from typing import Any

from werkzeug.exceptions import NotFound

from scorekeeper.i18n import gettext as _
from scorekeeper.rules.entry import Refused, kept_tally
from scorekeeper.rules.game import Round
from scorekeeper.rules.refusals import Refusal
from scorekeeper.rules.sentence import N_
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.journal import Who, check_version
from scorekeeper.store.round_entry import Entry, RoundClosed, enter, note_kind
from scorekeeper.web.api.request import round_of
from scorekeeper.web.http import rate_limits


def put(db: Database, game: Game, number: int, body: dict[str, Any], seen: int, who: Who) -> Game:
    """Replace a round by the bids and tricks of a body; the same ones change nothing.

    Raises `BadRequest` for a list of the wrong length, `NotFound` for a round not reached
    yet, `Refused` for one against the rules, and `EditConflict` where the game is not at `seen`.
    """
    before = game.round(number)
    sent = round_of(body, game.rules, before, game.table_id)
    if sent.tricks is None:
        sent = sent._replace(tally=kept_tally(game.state, number, before, sent))
    if sent != before:
        check_version(game, seen)
        rate_limits.another_round(number)
    try:
        return enter(db, game, Entry(number, sent, _kind(before, sent)), seen, who)
    except RoundClosed as closed:
        raise _refusal(game, number, closed) from None


def remove(db: Database, game: Game, number: int, seen: int, who: Who) -> Game:
    """Remove the newest round. Raises `NotFound`, `EditConflict`, or `Refused` for an older one."""
    newest = len(game.rounds)
    if number > newest:
        raise NotFound
    check_version(game, seen)
    if number < newest:
        sentence = N_("Only the latest round, round {n}, can be deleted.", n=newest)
        raise Refused([Refusal(None, "newest", sentence)])
    return enter(db, game, Entry(number, game.empty_round, "removed", late=True), seen, who)


def _refusal(game: Game, number: int, closed: RoundClosed) -> Exception:
    """Return what is answered for a round that cannot be played."""
    if closed.why == "not reached":
        return NotFound(_("Round {n} hasn’t started yet.").format(n=number))
    counted = len(game.state.rounds)
    sentence = N_("The game ended after round {n}. Undo to continue.", n=counted)
    return Refused([Refusal(None, "over", sentence)])


def _kind(before: Round, sent: Round) -> str | None:
    """Return what the journal calls a change that the round alone does not tell."""
    if before.tricks or sent.tricks:
        return None
    if sent.notes != before.notes:
        return note_kind(before, sent)
    return "misdeal" if sent.bids == (None,) * len(sent.bids) else None
