"""Rounds as a phone sends them: each as a whole."""

from datetime import datetime

from scorekeeper.rules.entry import enter_with_tally, misdeal, with_substitutes
from scorekeeper.rules.game import Round
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.journal import check_cells, replace_round


def store_entry(
    db: Database,
    game: Game,
    number: int,
    sent: Round,
    seen: int,
    phone_id: str,
    at: datetime,
    *,
    misdealt: bool = False,
) -> Game:
    """Store a round as a phone sends it, and return the game after it.

    `seen` is the version that the phone has. A round that is stored already changes nothing, and an
    empty one at the end is removed. Raises `EditConflict` where a
    cell that would change has changed since then, and `Refused` for what the rules forbid.
    """
    before = game.round(number)
    if sent == before:
        return game
    check_cells(db, game, number, sent, seen)
    nothing, newest = Round((None,) * len(game.starters)), number >= len(game.rounds)
    is_empty = sent == nothing
    if misdealt and sent[:3] == nothing[:3]:
        return replace_round(db, game, number, misdeal(before), "misdeal", phone_id, at)
    if is_empty and newest:
        return replace_round(db, game, number, None, "removed", phone_id, at)
    seated = with_seats(game, number, before, sent)
    round_ = enter_with_tally(game.state, number, seated, sent, newest=newest)
    return replace_round(db, game, number, round_, entry_kind(before, round_), phone_id, at)


def with_seats(game: Game, number: int, round_: Round, sent: Round) -> Round:
    """Return a round with the substitutes that are sent. Raises `Refused` as `take_seat` does."""
    seats = [one.substitutes for one in game.rounds]
    seats[number - 1 : number] = [sent.substitutes]
    return with_substitutes(game.rules, game.starters, seats, round_, sent.substitutes)


def entry_kind(before: Round, round_: Round) -> str:
    """Return what the journal calls a change of a round."""
    if before.tricks:
        return "corrected"
    if round_.tricks:
        return "scored"
    if round_[:3] == before[:3]:
        return note_kind(before, round_)
    return "tally" if round_.bids == before.bids else "bid"


def note_kind(before: Round, after: Round) -> str:
    """Return what the journal calls a change of the notes of a round."""
    if after.substitutes != before.substitutes:
        return "substitute"
    return "last_round" if after.last_round != before.last_round else "penalty"
