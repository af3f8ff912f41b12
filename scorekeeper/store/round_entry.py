"""Rounds as a phone sends them: each as a whole, and entries that wait for a choice."""

from datetime import datetime
from typing import NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.rules.entry import enter_with_tally, misdeal, with_substitutes
from scorekeeper.rules.game import Round
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import Game
from scorekeeper.store.journal import check_cells, replace_round
from scorekeeper.store.rounds import read_round, write_round


class Conflict(NamedTuple):
    """An entry of a phone, by its id and label, for a round that another phone entered otherwise.

    It waits on that phone until the players choose.
    """

    phone_id: str
    label: str
    number: int
    entry: Round


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


def conflicts_of(db: Database, game: Game) -> list[Conflict]:
    """Return the entries that wait for a choice, oldest first.

    One that agrees with the game by now is among them until its phone says that it has learnt that.
    """
    rows = db.execute(
        "SELECT phone_id, label, round, entry FROM conflicts JOIN phones "
        "ON phones.table_id = conflicts.table_id AND phones.id = phone_id "
        "WHERE conflicts.table_id = ? AND game_id = ? ORDER BY at, phone_id",
        [game.table_id, game.id],
    )
    return [Conflict(phone, label, n, _read(entry)) for phone, label, n, entry in rows.fetchall()]


def store_conflict(
    db: Database, game: Game, phone_id: str, conflict: tuple[int, Round] | None, at: datetime
) -> bool:
    """Store the entry of a phone that waits for a choice, by its round, in place of the one before.

    None says that none waits. Return whether that is new.
    """
    key = [game.table_id, game.id, phone_id]
    of_phone = "table_id = ? AND game_id = ? AND phone_id = ?"
    row = db.execute(f"SELECT round, entry FROM conflicts WHERE {of_phone}", key).fetchone()
    if conflict == (row and (row[0], _read(row[1]))):
        return False
    db.execute(f"DELETE FROM conflicts WHERE {of_phone}", key)
    if conflict:
        number, entry = conflict
        values = [*key, number, write_round(entry), stamp(at)]
        db.execute("INSERT INTO conflicts VALUES (?, ?, ?, ?, ?, ?)", values)
    return True


def _read(entry: str) -> Round:
    round_ = read_round(entry)
    assert round_ is not None
    return round_
