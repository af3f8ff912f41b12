"""Rounds as programs send them: whole, and made on the very version of the game that is stored."""

from typing import Any

from werkzeug.exceptions import NotFound

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.entry import Refused, enter_round, with_notes
from scorekeeper.rules.game import Round
from scorekeeper.rules.refusals import Refusal
from scorekeeper.rules.sentence import N_
from scorekeeper.store import journal
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.round_entry import note_kind, with_seats
from scorekeeper.web.api.request import round_of
from scorekeeper.web.game.entry import why_closed
from scorekeeper.web.http import rate_limits


def put(db: Database, game: Game, number: int, body: dict[str, Any], seen: int, label: str) -> Game:
    """Replace a round by the bids and tricks of a body; the same ones change nothing.

    Raises `BadRequest` for a list of the wrong length, `NotFound` for a round not reached
    yet, `Refused` for one against the rules, and `EditConflict` where the game is not at `seen`.
    """
    before = game.round(number)
    sent = round_of(body, game.rules, before, game.table_id)
    why_not = _why_not_on(game, number)
    if why_not is None and sent == before._replace(tally=None):
        return game
    journal.check_version(game, seen)
    rate_limits.another_round(number)
    if why_not is not None:
        raise why_not
    newest = number >= len(game.rounds)
    seated = with_seats(game, number, before, sent)
    round_ = enter_round(game.state, number, seated, sent.bids, sent.tricks, newest=newest)
    round_ = with_notes(game.state, round_, sent)
    kind = _kind(before, round_)
    return journal.replace_round(db, game, number, round_, kind, None, now(), label)


def remove(db: Database, game: Game, number: int, seen: int, label: str) -> Game:
    """Remove the newest round. Raises `NotFound`, `EditConflict`, or `Refused` for an older one."""
    if number > len(game.rounds):
        raise NotFound
    journal.check_version(game, seen)
    if number < len(game.rounds):
        newest = len(game.rounds)
        sentence = N_("Only the latest round, round {n}, can be deleted.", n=newest)
        raise Refused([Refusal(None, "newest", sentence)])
    return journal.replace_round(db, game, number, None, "removed", None, now(), label)


def _why_not_on(game: Game, number: int) -> Exception | None:
    """Return why a round cannot be played: it comes after the end, or is not reached yet."""
    why = why_closed(game, number)
    if why == "over":
        counted = len(game.state.rounds)
        sentence = N_("The game ended after round {n}. Undo to continue.", n=counted)
        return Refused([Refusal(None, "over", sentence)])
    return why and NotFound(_("Round {n} hasn’t started yet.").format(n=number))


def _kind(before: Round, after: Round) -> str:
    """Return what the journal calls a change."""
    if before.tricks is not None:
        return "corrected"
    if after.tricks is not None:
        return "scored"
    if after[3:] != before[3:]:
        return note_kind(before, after)
    return "misdeal" if after.bids == (None,) * len(after.bids) else "bid"
