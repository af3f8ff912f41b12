"""Rule sets that a table has saved: a preset, and the values that differ from it."""

import json
from dataclasses import replace
from typing import Any, NamedTuple

from scorekeeper.player_names import name_key
from scorekeeper.rules.house_rules import apply_house_rules
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.store.database.connection import Database
from scorekeeper.store.tables import random_word

ID_LENGTH = 10
MAX_SAVED_RULES = 100  # a table


class NameTaken(Exception):
    """The table has saved other rules of that name; `saved` are those."""

    def __init__(self, saved: "SavedRules"):
        super().__init__(saved.rules.name)
        self.saved = saved


class TooMany(Exception):
    """The table has saved as many rule sets as it may."""


class SavedRules(NamedTuple):
    """A saved rule set; `version` grows with every change."""

    id: str
    version: int
    rules: RuleSet


def save_rules(db: Database, table_id: str, rules: RuleSet) -> str:
    """Save rules under their name and return their id; equal ones are saved once.

    Raises `NameTaken` where other rules have the name, and `TooMany`.
    """
    saved = list_saved_rules(db, table_id)
    if named := _named(saved, rules.name):
        if named.rules != rules:
            raise NameTaken(named)
        return named.id
    if len(saved) >= MAX_SAVED_RULES:
        raise TooMany
    made = random_word(ID_LENGTH)
    db.execute(
        "INSERT INTO rule_sets VALUES (?, ?, ?, ?, ?, ?, 1)", [table_id, made, *_cells(rules)]
    )
    return made


def change_saved_rules(db: Database, table_id: str, saved: SavedRules, rules: RuleSet) -> None:
    """Replace saved rules; games that were started with them keep their own.

    Raises `NameTaken` where a third set has the name.
    """
    others = [one for one in list_saved_rules(db, table_id) if one.id != saved.id]
    if named := _named(others, rules.name):
        raise NameTaken(named)
    db.execute(
        "UPDATE rule_sets SET name = ?, same_name = ?, rules = ?, house_rules = ?, "
        "version = version + 1 WHERE table_id = ? AND id = ?",
        [*_cells(rules), table_id, saved.id],
    )


def remove_saved_rules(db: Database, table_id: str, rules_id: str) -> None:
    db.execute("DELETE FROM rule_sets WHERE table_id = ? AND id = ?", [table_id, rules_id])


def list_saved_rules(db: Database, table_id: str) -> list[SavedRules]:
    """Return the saved rules of a table, by name."""
    rows = db.query("SELECT * FROM rule_sets WHERE table_id = ? ORDER BY same_name", [table_id])
    return [_saved(row) for row in rows if row["rules"] in PRESETS]


def find_saved_rules(db: Database, table_id: str, rules_id: str) -> SavedRules | None:
    """Return saved rules of a table by id, or None."""
    return next((one for one in list_saved_rules(db, table_id) if one.id == rules_id), None)


def _saved(row: dict[str, Any]) -> SavedRules:
    # Values that are refused today are left out, so that the page can be shown.
    rules, _refused = apply_house_rules(PRESETS[row["rules"]], json.loads(row["house_rules"]))
    return SavedRules(row["id"], row["version"], replace(rules, name=row["name"]))


def _named(saved: list[SavedRules], name: str) -> SavedRules | None:
    return next((one for one in saved if name_key(one.rules.name) == name_key(name)), None)


def _cells(rules: RuleSet) -> list[str]:
    changes = house_rules(PRESETS[rules.key], rules)
    return [rules.name, name_key(rules.name), rules.key, json.dumps(changes)]
