"""Rounds as they are stored: each seat's bid, its tricks, and its count during play.

Substitutes have rows of their own, so that queries find who sat where.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple, cast

from scorekeeper.clock import stamp
from scorekeeper.rules.bidding import parse_bid
from scorekeeper.rules.game import Round
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.database.connection import Cursor, Database, Statement
from scorekeeper.store.player_ids import player_of_name
from scorekeeper.store.round_json import notes_of, with_notes

MAX_ROUNDS = 200  # of a game, whether played or imported
GameKey = tuple[str, str]  # of a game: the table and the id
Rows = list[tuple[Any, ...]]
Cell = tuple[str, int]  # "bid", "tricks" or "tally", and the seat; or "notes" and 0


class Where(NamedTuple):
    """What a WHERE says of `table_id`, `game_id` and maybe `round`, and its parameters."""

    condition: str
    values: list[Any]


class RoundRows(NamedTuple):
    """The rows of some rounds of a game, by round: cells by seat; when scored, and notes; members.

    Substitutes come by seat, player and name.
    """

    cells: dict[int, dict[int, tuple[Any, ...]]]
    notes: dict[int, tuple[str | None, str | None]]
    substitutes: dict[int, list[tuple[int, int, str]]]


def of_games(table_id: str, game_ids: Sequence[str]) -> Where:
    """Return the condition of all rows of some games of a table."""
    places = ", ".join("?" * len(game_ids))
    return Where(f"table_id = ? AND game_id IN ({places})", [table_id, *game_ids])


def load_round(db: Database, table_id: str, game_id: str, number: int) -> Round | None:
    """Return a round of a game, or None where it is not stored."""
    condition, values = of_games(table_id, [game_id])
    asked = ask_rows(db, Where(f"{condition} AND round = ?", [*values, number]))
    return rounds_of(read_rows(*asked)[table_id, game_id]).get(number)


def by_game(rows: Iterable[tuple[Any, ...]], game_id: int = 1) -> Mapping[GameKey, Rows]:
    """Return rows by their games: the table is the first column, `game_id` is the place of the id.

    A game without any has an empty list.
    """
    found: defaultdict[GameKey, Rows] = defaultdict(list)
    for row in rows:
        found[row[0], row[game_id]].append(row)
    return found


def ask_rows(db: Database, where: Where) -> tuple[Cursor, Cursor]:
    """Query the rows of some rounds; `read_rows` reads the answers."""
    condition, values = where
    facts = db.execute(
        "SELECT table_id, game_id, round, seat, bid, tricks, tally FROM bids "
        f"WHERE {condition} ORDER BY table_id, game_id, round, seat",
        values,
    )
    noted = db.execute(
        "SELECT table_id, game_id, round, NULL, NULL, notes, scored FROM rounds "
        f"WHERE {condition} "
        "UNION ALL SELECT seated.table_id, game_id, round, seat, player_id, name, NULL "
        f"FROM (SELECT * FROM substitutes WHERE {condition}) AS seated LEFT JOIN players "
        "ON players.table_id = seated.table_id AND players.id = player_id",
        [*values, *values],
    )
    return facts, noted


def read_rows(
    facts: Iterable[tuple[Any, ...]], noted: Iterable[tuple[Any, ...]]
) -> Mapping[GameKey, RoundRows]:
    """Return the rows that were asked for, by game; a game without any has empty ones."""
    found: defaultdict[GameKey, RoundRows] = defaultdict(
        lambda: RoundRows(defaultdict(dict), {}, {})
    )
    for key, rows in groupby(facts, key=itemgetter(0, 1)):
        cells = found[key].cells
        for _table, _game, at, seat, bid, tricks, tally in rows:
            cells[at][seat] = (bid, tricks, tally)
    for table_id, game_id, at, seat, player_id, text, scored in noted:
        of_game = found[table_id, game_id]
        if seat is None:
            of_game.notes[at] = (scored, text)
        else:
            of_game.substitutes.setdefault(at, []).append((seat, player_id, text))
            of_game.substitutes[at].sort()
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
