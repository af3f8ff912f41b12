"""Watch links, which show one game to watchers, and the seats that phones have claimed."""

import base64
import hashlib
import hmac
from datetime import datetime
from typing import NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.games import Game
from scorekeeper.store.tables import KEY_LENGTH, hash_of


class OwnSeat(NamedTuple):
    """The seat that a phone has claimed, from 0, and the label of a phone that took it over."""

    seat: int
    taken_by: str | None = None


class SeatClaim(NamedTuple):
    """A phone that plays for a seat, by its id and label; claims are numbered in each game."""

    phone_id: str
    label: str
    number: int


def watch_key(db: Database, game: Game, secret: str) -> str | None:
    """Return the key of the game's watch link, or None where it has none.

    The key is derived from the server's secret, so it can be shown again although only its hash
    is stored.
    """
    number = _link_number(db, game)
    return None if number is None else _derive(game.id, number, secret)


def is_shared(db: Database, game: Game) -> bool:
    """Return whether a watch link shows the game."""
    return _link_number(db, game) is not None


def _link_number(db: Database, game: Game) -> int | None:
    query = "SELECT number FROM watches WHERE table_id = ? AND game_id = ? AND ended IS NULL"
    return scalar(db, query, [game.table_id, game.id])


def make_watch_link(db: Database, game: Game, secret: str, at: datetime) -> str:
    """Make a watch link, unless there is one, and return its key; a key is never used again."""
    key = watch_key(db, game, secret)
    if key is not None:
        return key
    query = "SELECT count(*) FROM watches WHERE table_id = ? AND game_id = ?"
    number = (scalar(db, query, [game.table_id, game.id]) or 0) + 1
    key = _derive(game.id, number, secret)
    db.execute(
        "INSERT INTO watches VALUES (?, ?, ?, ?, ?, NULL)",
        [game.table_id, game.id, number, hash_of(key), stamp(at)],
    )
    return key


def end_watch_link(db: Database, game: Game, at: datetime) -> None:
    db.execute(
        "UPDATE watches SET ended = ? WHERE table_id = ? AND game_id = ? AND ended IS NULL",
        [stamp(at), game.table_id, game.id],
    )


def watched_game(db: Database, key: str) -> tuple[str, str] | None:
    """Return table and game of a watch key, or None for a key that is unknown or has ended."""
    row = db.execute(
        "SELECT table_id, game_id FROM watches WHERE hash = ? AND ended IS NULL", [hash_of(key)]
    ).fetchone()
    return (row[0], row[1]) if row else None


def claim_seat(db: Database, game: Game, seat: int, phone_id: str) -> None:
    """Give a seat to a phone; it loses any other seat. A phone that had it is told so."""
    release_seat(db, game, phone_id)
    query = "SELECT max(number) FROM takers WHERE table_id = ? AND game_id = ?"
    number = (scalar(db, query, [game.table_id, game.id]) or 0) + 1
    db.execute(
        "INSERT INTO takers VALUES (?, ?, ?, ?, ?)",
        [game.table_id, game.id, phone_id, seat, number],
    )


def release_seat(db: Database, game: Game, phone_id: str) -> None:
    """Release the seat of a phone, which then keeps score for everybody."""
    db.execute(
        "DELETE FROM takers WHERE table_id = ? AND game_id = ? AND phone_id = ?",
        [game.table_id, game.id, phone_id],
    )


def move_claims(db: Database, before: Game, after: Game) -> None:
    """Let the phones that play for players who change seats go with them."""
    old, new = before.names, after.names
    moves = {seat: new.index(name) for seat, name in enumerate(old) if name in new}
    if cases := [f"WHEN {seat} THEN {now}" for seat, now in moves.items() if seat != now]:
        db.execute(
            f"UPDATE takers SET seat = CASE seat {' '.join(cases)} ELSE seat END "
            "WHERE table_id = ? AND game_id = ?",
            [after.table_id, after.id],
        )


def own_seat(db: Database, game: Game, phone_id: str) -> OwnSeat | None:
    """Return the seat that a phone has claimed in a game, or None."""
    seat = scalar(
        db,
        "SELECT seat FROM takers WHERE table_id = ? AND game_id = ? AND phone_id = ?",
        [game.table_id, game.id, phone_id],
    )
    if seat is None:
        return None
    holder = seat_claims(db, game)[seat]
    return OwnSeat(seat, None if holder.phone_id == phone_id else holder.label)


def seat_claims(db: Database, game: Game) -> dict[int, SeatClaim]:
    """Return the phone that plays for each seat that was claimed: the one that claimed it last."""
    rows = db.query(
        "SELECT seat, phone_id, label, number FROM takers JOIN phones "
        "ON phones.table_id = takers.table_id AND phones.id = phone_id "
        "WHERE takers.table_id = ? AND game_id = ? ORDER BY number",
        [game.table_id, game.id],
    )
    return {row["seat"]: SeatClaim(row["phone_id"], row["label"], row["number"]) for row in rows}


def _derive(game_id: str, number: int, secret: str) -> str:
    message = f"watch:{game_id}:{number}".encode()
    digest = hmac.new(secret.encode(), message, hashlib.sha256).digest()
    return base64.b32encode(digest).decode().lower()[:KEY_LENGTH]
