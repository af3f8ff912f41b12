"""Version 17: the rows of players have what became of their bids of each number, as JSON."""

import json
from itertools import groupby
from operator import itemgetter
from typing import Any

from scorekeeper.store.connection import AnyDatabase

Seats = list[int | None]


def bids_by_number(db: AnyDatabase) -> None:
    """Bring a database up to this version, the same on both."""
    db.execute("ALTER TABLE player_games ADD COLUMN by_number TEXT NOT NULL DEFAULT '{}'")
    merged = {
        (table_id, player_id): into
        for table_id, player_id, into in db.execute(
            "SELECT table_id, id, merged_into FROM players WHERE merged_into IS NOT NULL"
        ).fetchall()
    }
    keys = "SELECT table_id, id FROM games WHERE removed IS NULL"
    for table_id, game_id in db.execute(keys).fetchall():
        for player_id, bids in _bids_of(db, table_id, game_id).items():
            text = json.dumps(dict(sorted(bids.items())), separators=(",", ":"))
            db.execute(
                "UPDATE player_games SET by_number = ? "
                "WHERE table_id = ? AND game_id = ? AND player_id = ?",
                [text, table_id, game_id, merged.get((table_id, player_id), player_id)],
            )


def _bids_of(db: AnyDatabase, table_id: str, game_id: str) -> dict[int, dict[int, list[int]]]:
    """Return times, made and tricks above the bid by player and number bid."""
    values, seats, rounds = db.execute(
        "SELECT rule_values, seats, rounds FROM games WHERE table_id = ? AND id = ?",
        [table_id, game_id],
    ).fetchone()
    results = db.execute(
        "SELECT round, seat, side, made FROM results WHERE table_id = ? AND game_id = ? "
        "ORDER BY round, seat",
        [table_id, game_id],
    ).fetchall()
    facts = json.loads(rounds)
    seated, rules = _seated(json.loads(seats), facts), json.loads(values)
    found: dict[int, dict[int, list[int]]] = {}
    for number, rows in groupby(results, key=itemgetter(0)):
        for seat, bid, made, over in _turns(rules, facts[number - 1], [*rows]):
            player_id = seated[number - 1][seat]
            if player_id is not None:
                counts = found.setdefault(player_id, {}).setdefault(bid, [0, 0, 0])
                counts[:] = counts[0] + 1, counts[1] + made, counts[2] + over
    return found


def _seated(seats: Seats, facts: list[dict[str, Any]]) -> list[Seats]:
    """Return who sits where in each round."""
    found, now = [], list(seats)
    for one in facts:
        for substitute in one.get("substitutes", ()):
            now[substitute["seat"]] = substitute["player"]
        found.append(list(now))
    return found


def _turns(
    rules: dict[str, Any], facts: dict[str, Any], rows: list[tuple[Any, ...]]
) -> list[tuple[int, int, int, int]]:
    """Return the seat of each bid of a number, the number, whether it was made, and tricks above.

    Partners who share bids or tricks have those of their side.
    """
    bids, tricks = [_number(bid) for bid in facts["bids"]], facts["tricks"]
    found = []
    for _round, seat, side, made in rows:
        own = [other for _r, other, of_side, _made in rows if of_side == side]
        bid = bids[seat]
        if rules.get("bid_by") == "side":
            bid = next((bids[one] for one in own if facts["bids"][one] is not None), None)
        shared = "side" in (rules.get("bid_by"), rules.get("tricks_by"))
        counted = own if shared else [seat]
        if bid is not None:
            due = sum(bids[one] or 0 for one in counted)
            over = sum(tricks[one] for one in counted) - due
            found.append((seat, bid, made or 0, over))
    return found


def _number(bid: int | str | None) -> int | None:
    """Return the number of a bid; None for a Nil, or no bid."""
    if isinstance(bid, str):
        number = bid.removeprefix("blind ")
        return int(number) if number.isdecimal() else None
    return bid
