"""Entering a round: whether it is open, and storing what its page sends.

The page of a game, the API and offline sync ask here whether a round is open.
"""

from collections.abc import Callable
from typing import Literal

from flask import abort

from scorekeeper.clock import now
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import Round
from scorekeeper.store import journal
from scorekeeper.store.games import Game
from scorekeeper.store.round_entry import entry_kind
from scorekeeper.web.http import rate_limits
from scorekeeper.web.http.current import find_in, require_phone, store
from scorekeeper.web.http.form_fields import Malformed
from scorekeeper.web.http.restored import seen_version

Edit = Callable[[Game, Round], Round]  # from the stored facts of a round to new ones
Closed = Literal["over", "not reached"]


def why_closed(game: Game, number: int, sent: Round | None = None) -> Closed | None:
    """Return why a round cannot be entered now, or None where it can.

    After the end of a game its rounds can be corrected, but no other round can be entered. A phone
    that was offline may not have known of the end, so a round that it has `sent` is stored if it
    is scored, though it does not count, or empty, which removes a round.
    """
    last, state = len(game.rounds), game.state
    if state.phase != "over" or not len(state.rounds) < number <= last + 1:
        return "not reached" if number > max(last, state.number) else None
    if sent is None:
        is_open = game.round(number).tricks is not None
    elif number > last:
        is_open = None not in (sent.tricks, game.rounds[-1].tricks)
    else:
        is_open = sent.tricks is not None or sent == Round((None,) * state.players)
    return None if is_open else "over"


def record_entry(game_id: str, number: int, kind: str | None, edit: Edit) -> Game:
    """Check an entry against the stored game and store it in one transaction; return the game.

    Without a `kind` the journal calls it what it changes.

    Raises `EditConflict`, `Malformed`, what `edit` raises, or 404 for a round that is not reached.
    """
    phone = require_phone()
    with store().write(phone.table_id) as db:
        game = find_in(db, phone.table_id, game_id) or abort(404)
        seen = seen_version(db, game)
        _check_open(game, number, seen)
        rate_limits.another_round(number)
        before = game.round(number)
        round_ = edit(game, before)
        kind = kind or entry_kind(before, round_)
        return journal.record(db, game, number, round_, kind, seen, phone.id, now())


def kind_of_tap(before: Round, sent: Round, *, misdealt: bool = False) -> str:
    """Return the kind under which metrics count a round that is sent."""
    is_same = (before.bids, before.tricks, before.tally) == (sent.bids, sent.tricks, sent.tally)
    if misdealt or before.tricks or is_same:
        return "other"
    return "round" if sent.tricks else "tricks" if sent.tally else "bid"


def _check_open(game: Game, number: int, seen: int) -> None:
    """Raise `EditConflict`, `Malformed` or 404 for a round that cannot be entered now."""
    why = why_closed(game, number)
    if why and number > len(game.rounds) and seen < game.version:
        raise journal.EditConflict(game)  # at that version the round may have been open
    if why == "over":
        sentence = _("The game ended after round {n}. Undo the last round to continue.")
        raise Malformed(sentence.format(n=len(game.state.rounds)))
    if why:
        abort(404)
