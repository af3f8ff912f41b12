"""Rounds as they are stored: each seat's bid, its tricks, and its count during play.

Substitutes have rows of their own, so that queries find who sat where.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple, cast

from scorekeeper.clock import stamp
from scorekeeper.rules.bidding import parse_bid
from scorekeeper.rules.game import Round
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.database.connection import Cursor, Database, Statement
from scorekeeper.store.player_ids import player_of_name
from scorekeeper.store.round_json import notes_of, with_notes

MAX_ROUNDS = 200  # of a game, whether played or imported
Cell = tuple[str, int]  # "bid", "tricks" or "tally", and the seat; or "notes" and 0


class RoundRows(NamedTuple):
    """The rows of some rounds of a game, by round: cells by seat; when scored, and notes; members.

    Substitutes come by seat, player and name.
    """

    cells: dict[int, dict[int, tuple[Any, ...]]]
    notes: dict[int, tuple[str | None, str | None]]
    substitutes: dict[int, list[tuple[int, int, str]]]


def load_rounds(
    db: Database, table_id: str, game_id: str, number: int | None = None
) -> dict[int, Round]:
    """Return the rounds of a game by number, or only the round of that number if it exists."""
    return rounds_of(read_rows(*ask_rows(db, table_id, game_id, number)))


def ask_rows(
    db: Database, table_id: str, game_id: str, number: int | None = None
) -> tuple[Cursor, Cursor]:
    """Query the rows of all rounds of a game, or of one; `read_rows` reads the answers."""
    one, key = ("", []) if number is None else ("AND round = ? ", [number])
    facts = db.execute(
        "SELECT round, seat, bid, tricks, tally FROM bids WHERE table_id = ? AND game_id = ? "
        f"{one}ORDER BY round, seat",
        [table_id, game_id, *key],
    )
    noted = db.execute(
        "SELECT round, NULL, NULL, notes, scored FROM rounds WHERE table_id = ? AND game_id = ? "
        f"{one}"
        "UNION ALL SELECT round, seat, player_id, name, NULL FROM substitutes LEFT JOIN players "
        "ON players.table_id = substitutes.table_id AND players.id = player_id "
        f"WHERE substitutes.table_id = ? AND game_id = ? {one}",
        [table_id, game_id, *key] * 2,
    )
    return facts, noted


def read_rows(facts: Iterable[tuple[Any, ...]], noted: Iterable[tuple[Any, ...]]) -> RoundRows:
    """Return the rows that were asked for."""
    found = RoundRows(defaultdict(dict), {}, {})
    cells = found.cells
    for at, seat, bid, tricks, tally in facts:
        cells[at][seat] = (bid, tricks, tally)
    for at, seat, player_id, text, scored in noted:
        if seat is None:
            found.notes[at] = (scored, text)
        else:
            found.substitutes.setdefault(at, []).append((seat, player_id, text))
            found.substitutes[at].sort()
    return found


def rounds_of(rows: RoundRows) -> dict[int, Round]:
    """Return the rounds that some rows are of, by number."""
    return {number: _round_of(rows, number) for number in rows.cells}


def _round_of(rows: RoundRows, number: int) -> Round:
    round_ = _round(*zip(*rows.cells[number].values(), strict=True))
    _scored, text = rows.notes.get(number, (None, None))
    if text:
        round_ = with_notes(round_, json.loads(text))
    if seated := rows.substitutes.get(number):
        members = tuple(Substitute(seat, name) for seat, _player_id, name in seated)
        round_ = round_._replace(substitutes=members)
    return round_


def cells_that_differ(one: Round, other: Round) -> set[Cell]:
    """Return the cells in which two states of a round differ."""
    seats = range(len(one.bids))
    nothing = (None,) * len(one.bids)
    notes = {("notes", 0)} if notes_of(one) != notes_of(other) else set()
    return notes | {
        (what, seat)
        for what, here, there in (
            ("bid", one.bids, other.bids),
            ("tricks", one.tricks or nothing, other.tricks or nothing),
            ("tally", one.tally or nothing, other.tally or nothing),
        )
        for seat in seats
        if here[seat] != there[seat]
    }


def store_round(
    db: Database, table_id: str, game_id: str, number: int, round_: Round, at: datetime
) -> None:
    """Store a round that is not stored yet."""
    db.execute_together(*round_rows(table_id, game_id, number, round_, at))
    store_substitutes(db, table_id, game_id, number, round_)


def round_rows(
    table_id: str,
    game_id: str,
    number: int,
    round_: Round | None,
    at: datetime,
    stored: Round | None = None,
) -> list[Statement]:
    """Return statements that replace the facts of a round as it is `stored`; None removes it.

    Its substitutes are not among them.
    """
    key = (table_id, game_id, number)
    if round_ is None:
        return [("DELETE FROM rounds WHERE table_id = ? AND game_id = ? AND round = ?", key)]
    statements: list[Statement] = []
    scored = stamp(at) if round_.tricks is not None else None
    noted = notes_of(round_._replace(substitutes=()))
    notes = json.dumps(noted) if noted else None
    if stored is None:
        insert = (
            "INSERT INTO rounds (table_id, game_id, round, scored, notes) VALUES (?, ?, ?, ?, ?)"
        )
        statements.append((insert, (*key, scored, notes)))
    elif scored or stored.tricks is not None or notes_of(stored) != notes_of(round_):
        update = (
            "UPDATE rounds SET scored = ?, notes = ? "
            "WHERE table_id = ? AND game_id = ? AND round = ?"
        )
        statements.append((update, (scored, notes, *key)))
    before = _cells(stored) if stored else []
    rows = [
        (*key, seat, *cells)
        for seat, cells in enumerate(_cells(round_))
        if not before or cells != before[seat]
    ]
    if rows:
        places = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(rows))
        insert = (
            f"INSERT INTO bids VALUES {places} "
            "ON CONFLICT (table_id, game_id, round, seat) DO UPDATE "
            "SET bid = excluded.bid, tricks = excluded.tricks, tally = excluded.tally"
        )
        statements.append((insert, [*chain.from_iterable(rows)]))
    return statements


def store_substitutes(
    db: Database,
    table_id: str,
    game_id: str,
    number: int,
    round_: Round,
    stored: Round | None = None,
) -> None:
    """Replace the substitutes of a round as it is `stored`."""
    if round_.substitutes == (stored.substitutes if stored else ()):
        return
    db.execute(
        "DELETE FROM substitutes WHERE table_id = ? AND game_id = ? AND round = ?",
        [table_id, game_id, number],
    )
    db.executemany(
        "INSERT INTO substitutes VALUES (?, ?, ?, ?, ?)",
        [
            (table_id, game_id, number, seat, player and player_of_name(db, table_id, player))
            for seat, player in round_.substitutes
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
        tuple([None if bid is None else parse_bid(bid) for bid in bids]),
        cast("tuple[int, ...]", tricks) if None not in tricks else None,
        tally if tally.count(None) < len(tally) else None,
    )
