"""Starting a game: its rules, its players, and the first line of its journal."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store import journal
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import GAME_ID_LENGTH, house_rules_text
from scorekeeper.store.player_ids import player_of_name
from scorekeeper.store.tables import random_word


class GameSetup(NamedTuple):
    """What is agreed before a game; `stake` is in hundredths, `first_dealer` counts from 0."""

    rules: RuleSet
    names: Sequence[str]
    first_dealer: int
    stake: int | None = None


def create_game(
    db: Database,
    table_id: str,
    setup: GameSetup,
    at: datetime,
    phone_id: str | None = None,
    *,
    label: str | None = None,
    game_id: str | None = None,
) -> str:
    """Store a new game at version 1 and return its id, a random one unless it is given.

    Players of the table are found by name and keep their first spelling. The journal names the
    phone that started the game, or the `label` of a program's key.
    """
    players = [player_of_name(db, table_id, name) for name in setup.names]
    game_id = game_id or random_word(GAME_ID_LENGTH)
    insert_game(db, game_id, table_id, setup, players, at)
    journal.begin(db, table_id, game_id, journal.Action("begin", journal.Who(phone_id, at, label)))
    return game_id


def insert_game(
    db: Database,
    game_id: str,
    table_id: str,
    setup: GameSetup,
    players: Sequence[int],
    at: datetime,
) -> None:
    """Insert the row of a new game, without rounds and without a journal."""
    rules, _names, first_dealer, stake = setup
    row = {
        "table_id": table_id,
        "id": game_id,
        "rules": rules.key,
        "house_rules": house_rules_text(rules),
        "rule_values": json.dumps(rules.values),
        "first_dealer": first_dealer,
        "stake": stake,
        "started": stamp(at),
        "version": 1,
        "changed": stamp(at),
        "seats": json.dumps(players),
        "rounds": "[]",
    }
    db.execute(
        f"INSERT INTO games ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
        [*row.values()],
    )
