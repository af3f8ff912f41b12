"""Rounds as they are stored: each seat's bid, its tricks, and its count during play.

The notes of a round hold its penalties and whether it is the last, as JSON.
"""

import json
from datetime import datetime
from functools import lru_cache
from typing import Any

from scorekeeper.clock import stamp
from scorekeeper.rules.bidding import parse_bid
from scorekeeper.rules.game import Round
from scorekeeper.rules.penalties import Penalty
from scorekeeper.store.database.connection import Database

MAX_ROUNDS = 200  # of a game, whether played or imported


def load_rounds(
    db: Database, table_id: str, game_id: str, number: int | None = None
) -> dict[int, Round]:
    """Return the rounds of a game by number, or only the round of that number if it exists."""
    one, key = ("", []) if number is None else ("AND round = ? ", [number])
    facts = db.execute(
        "SELECT round, bid, tricks, tally FROM bids WHERE table_id = ? AND game_id = ? "
        f"{one}ORDER BY round, seat",
        [table_id, game_id, *key],
    )
    cells: dict[int, list[tuple[Any, ...]]] = {}
    for at, *cell in facts:
        cells.setdefault(at, []).append(tuple(cell))
    noted = db.execute(
        "SELECT round, notes FROM rounds WHERE table_id = ? AND game_id = ? "
        f"{one}AND notes IS NOT NULL",
        [table_id, game_id, *key],
    )
    notes = {at: json.loads(text) for at, text in noted}
    return {
        at: with_notes(_round(*zip(*seats, strict=True)), notes.get(at, {}))
        for at, seats in cells.items()
    }


def notes_of(round_: Round) -> dict[str, Any]:
    """Return the notes of a round, empty for most."""
    notes: dict[str, Any] = {}
    if round_.penalties:
        notes["penalties"] = [one._asdict() for one in round_.penalties]
    if round_.last_round:
        notes["last_round"] = True
    return notes


def with_notes(round_: Round, notes: dict[str, Any]) -> Round:
    """Return a round with the notes that are among some facts."""
    penalties = tuple(Penalty(**one) for one in notes.get("penalties", ()))
    return round_._replace(penalties=penalties, last_round=notes.get("last_round", False))


def store_round(
    db: Database,
    table_id: str,
    game_id: str,
    number: int,
    round_: Round | None,
    at: datetime,
    stored: Round | None = None,
) -> None:
    """Replace a round as it is `stored`; None removes it."""
    scored = stamp(at) if round_ and round_.tricks is not None else None
    if round_ is None:
        db.execute(
            "DELETE FROM rounds WHERE table_id = ? AND game_id = ? AND round = ?",
            [table_id, game_id, number],
        )
        return
    notes = json.dumps(notes_of(round_)) if notes_of(round_) else None
    if stored is None:
        db.execute(
            "INSERT INTO rounds (table_id, game_id, round, scored, notes) VALUES (?, ?, ?, ?, ?)",
            [table_id, game_id, number, scored, notes],
        )
    elif scored or stored.tricks is not None or notes_of(stored) != notes_of(round_):
        db.execute(
            "UPDATE rounds SET scored = ?, notes = ? "
            "WHERE table_id = ? AND game_id = ? AND round = ?",
            [scored, notes, table_id, game_id, number],
        )
    before = _cells(stored) if stored else []
    db.executemany(
        "INSERT INTO bids VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (table_id, game_id, round, seat) DO UPDATE "
        "SET bid = excluded.bid, tricks = excluded.tricks, tally = excluded.tally",
        [
            (table_id, game_id, number, seat, *cells)
            for seat, cells in enumerate(_cells(round_))
            if not before or cells != before[seat]
        ],
    )


def _cells(round_: Round) -> list[tuple[str | None, int | None, int | None]]:
    """Return bid, tricks and count of each seat, as columns of the table."""
    bids, tricks, tally = round_[:3]
    nothing = (None,) * len(bids)
    texts = [None if bid is None else str(bid) for bid in bids]
    return list(zip(texts, tricks or nothing, tally or nothing, strict=True))


def _round(
    bids: tuple[str | None, ...], tricks: tuple[int | None, ...], tally: tuple[int | None, ...]
) -> Round:
    return Round(
        tuple(None if bid is None else _bid(bid) for bid in bids),
        tuple(count for count in tricks if count is not None) if None not in tricks else None,
        tally if any(count is not None for count in tally) else None,
    )


_bid = lru_cache(maxsize=64)(parse_bid)  # key: the text
