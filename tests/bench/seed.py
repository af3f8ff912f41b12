"""A table with as many games as an experiment needs: a few are played, the rest are their copies.

Every copy has its own id, moment and journal with hashes of its own, so that `scorekeeper check`
finds nothing wrong with it.
"""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from sqlite_utils import Database

from scorekeeper.clock import now, stamp
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_house_rules
from scorekeeper.store import journal
from scorekeeper.store.changes import INSERT, LINE, hash_after
from scorekeeper.store.entry import GameSetup, create_game
from scorekeeper.store.games import load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.player_games import Sums
from scorekeeper.store.tables import Phone, random_word
from tests.bench.play import DataFolder, deal

PEOPLE = ("Ana", "Ben", "Cy", "Dana", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")
PLAYED = 12  # games that are really played
RULES = with_house_rules(PRESETS["cutthroat-lite"], {"target": "215"})  # about ten rounds
COPIED = {
    "games": (
        "table_id, copies.id, rules, house_rules, rule_values, first_dealer, stake, "
        "copies.started, version, changed, removed, seats, rounds, remarks",
        "id",
    ),
    "results": (
        "table_id, copies.id, round, seat, side, dealer, bid, tricks, nil_points, "
        "contract_points, overtrick_points, bag_penalty, points, overtricks, bags, total, made, "
        "bonus_points",
        "game_id",
    ),
    "outcomes": (
        "table_id, copies.id, round, reason, side, substr(copies.started, 1, 10)",
        "game_id",
    ),
    "player_games": (
        "table_id, player_id, copies.started, copies.id, rules, side, sides, place, comeback, "
        f"{', '.join(Sums._fields)}, by_number",
        "game_id",
    ),
}


def many_games(data_folder: DataFolder, phone: Phone, how_many: int) -> list[str]:
    """Give a phone's table so many finished games, and return their ids."""
    with data_folder.store.write() as db:
        played = [_play(data_folder, db, phone, n) for n in range(min(PLAYED, how_many))]
        return played + _copy(db, played, how_many - len(played))


def _play(data_folder: DataFolder, db: Database, phone: Phone, n: int) -> str:
    names = [PEOPLE[(n + 2 * seat + n // 6) % len(PEOPLE)] for seat in range(4)]
    game_id = create_game(db, phone.table_id, GameSetup(RULES, names, n % 4), Who(phone.id, now()))
    game = load_game(db, phone.table_id, game_id)
    assert game is not None
    while game.state.phase != "over":
        round_ = deal(data_folder.chance, len(names), RULES.tricks)
        number = len(game.rounds) + 1
        game = journal.replace_round(
            db, game, number, round_, journal.Action("scored", journal.Who(phone.id, now()))
        )
    return game_id


def _copy(db: Database, played: list[str], how_many: int) -> list[str]:
    begun = datetime.fromisoformat(
        db.execute("SELECT started FROM games WHERE id = ?", [played[0]]).fetchone()[0]
    )
    copies = [
        (random_word(10), played[n % len(played)], stamp(begun - timedelta(minutes=n + 1)))
        for n in range(how_many)
    ]
    # In the order of their ids, since that is the order of every index.
    copies.sort()
    db.execute("CREATE TEMP TABLE copies (id TEXT PRIMARY KEY, source TEXT, started TEXT)")
    db.conn.executemany("INSERT INTO copies VALUES (?, ?, ?)", copies)
    for table, (columns, key) in COPIED.items():
        order = ", ".join(["copies.id", *(c for c in ("round", "seat") if f" {c}," in columns)])
        db.execute(
            f"INSERT INTO {table} SELECT {columns} FROM temp.copies AS copies "
            f"CROSS JOIN {table} ON {table}.{key} = copies.source ORDER BY {order}"
        )
    db.conn.executemany(INSERT, list(_lines(db, copies)))
    db.execute("DROP TABLE temp.copies")
    return [game_id for game_id, _source, _started in copies]


def _lines(db: Database, copies: list[tuple[str, str, str]]) -> Iterator[list[Any]]:
    """Yield the journal of each copy, as its game would have written it."""
    journals: dict[str, list[dict[str, Any]]] = {}
    for game_id, source, started in copies:
        if source not in journals:
            rows = db.query("SELECT * FROM changes WHERE game_id = ? ORDER BY version", [source])
            journals[source] = list(rows)
        previous = ""
        for line in journals[source]:
            whole = line | {"game_id": game_id}
            if line["version"] == 1:
                whole["after"] = json.dumps(json.loads(line["after"]) | {"started": started})
            columns = [whole["table_id"], *(whole[name] for name in LINE)]
            previous = hash_after(previous, columns)
            yield [*columns, previous]
