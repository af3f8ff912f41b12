"""Rows with values that this program never writes."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from scorekeeper.clock import stamp
from scorekeeper.player_names import NameRefused, name_key, normalize_name
from scorekeeper.rules.house_rules import apply_house_rules
from scorekeeper.rules.presets import PRESETS, restore
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, value_text
from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import GAME_ID_LENGTH
from scorekeeper.store.idempotency import is_key
from scorekeeper.store.imports import UNFINISHED
from scorekeeper.store.round_json import read_round
from scorekeeper.store.rounds import MAX_ROUNDS
from scorekeeper.store.saved_rules import ID_LENGTH
from scorekeeper.store.tables import ALPHABET, KEY_LENGTH

HASH = re.compile("[0-9a-f]{64}")
REMATCH = re.compile(f"after-[{ALPHABET}]{{{GAME_ID_LENGTH}}}")
VALUES = {spec.name for spec in fields(RuleSet)}
Row = dict[str, Any]
# What reading damaged rows may raise; RuntimeError is a StopIteration within a generator.
UNREADABLE = (
    ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError,
    RuntimeError,
)  # fmt: skip


def odd_rows(db: Database) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the table, the start of the key and the faulty columns of each such row."""
    for table, (query, check) in CHECKS.items():
        for row in db.query(query):
            if columns := [name for name, is_right in check(row).items() if not is_right]:
                yield table, str(next(iter(row.values())))[:12], columns


def _key(row: Row) -> dict[str, bool]:
    return {
        "hash": _is_hash(row["hash"]),
        "label": _is_name(row["label"]),
        "made": _is_moment(row["made"]),
        "ended": row["ended"] is None or _is_moment(row["ended"]),
    }


def _phone(row: Row) -> dict[str, bool]:
    return {
        "id": _is_word(row["id"], KEY_LENGTH),
        "label": _is_name(row["label"]),
        "joined": _is_moment(row["joined"]),
        "removed": row["removed"] is None or _is_moment(row["removed"]),
    }


def _request(row: Row) -> dict[str, bool]:
    if row["request_key"].startswith(UNFINISHED):
        return {"content": _is_moment(row["content"])}
    rematch = row["content"] == "" and REMATCH.fullmatch(row["request_key"])
    return {
        "request_key": is_key(row["request_key"]),
        "content": _is_hash(row["content"]) or bool(rematch),
    }


def _seat_claim(row: Row) -> dict[str, bool]:
    return {"seat": row["seat"] < row["seats"]}


def _conflict(row: Row) -> dict[str, bool]:
    """Check an entry in conflict, which has a bid for each seat of its game."""
    return {
        "round": row["round"] <= MAX_ROUNDS,
        "entry": _is_entry(row["entry"], row["seats"]),
        "at": _is_moment(row["at"]),
    }


def _is_entry(text: str, seats: int) -> bool:
    try:
        round_ = read_round(text)
        assert round_ is not None
        counts = [one for one in (round_.tricks, round_.tally) if one is not None]
        return all(len(one) == seats for one in (round_.bids, *counts))
    except UNREADABLE:
        return False


def _watch_link(row: Row) -> dict[str, bool]:
    """Check a watch link; those of a game are numbered, and only the newest can be open."""
    return {
        "hash": _is_hash(row["hash"]),
        "number": row["number"] <= row["links"],
        "made": _is_moment(row["made"]),
        "ended": row["number"] == row["links"]
        if row["ended"] is None
        else _is_moment(row["ended"]),
    }


def _rule_set(row: Row) -> dict[str, bool]:
    return {
        "id": _is_word(row["id"], ID_LENGTH),
        "name": _is_name(row["name"]),
        "same_name": row["same_name"] == name_key(row["name"]),
        "rules": row["rules"] in PRESETS,
        "house_rules": _can_be_played(row["rules"], row["house_rules"]),
    }


def _can_be_played(key: str, house_rules: str) -> bool:
    try:
        _rules, refused = apply_house_rules(PRESETS[key], json.loads(house_rules))
    except UNREADABLE:
        return False
    return not refused


def _game(row: Row) -> dict[str, bool]:
    rules = _rules_of(row["rule_values"])
    return {
        "rule_values": rules is not None and rules.key == row["rules"],
        "house_rules": rules is not None and _agree(row["house_rules"], rules),
        "seats": rules is not None and row["seats"] in rules.table_sizes,
    }


def _rules_of(text: str) -> RuleSet | None:
    """Return the stored rules of a game, or None for rules that no game can have."""
    try:
        values = json.loads(text)
        rules = restore(values)
        base = PRESETS[rules.key]
        fits = values.keys() <= VALUES and _is_name(rules.name) and bool(rules.table_sizes)
    except UNREADABLE:
        return None
    return rules if fits and rules.partnerships is base.partnerships else None


def _agree(house_rules: str, rules: RuleSet) -> bool:
    """Return whether the house rules shown with a game are those by which it is scored."""
    shown = dict(pair.partition("=")[::2] for pair in house_rules.split(";") if pair)
    return all(
        name in HOUSE_RULES and text == value_text(getattr(rules, name))
        for name, text in shown.items()
    )


def _is_hash(text: str) -> bool:
    return HASH.fullmatch(text) is not None


def _is_word(text: str, length: int) -> bool:
    return len(text) == length and set(text) <= set(ALPHABET)


def _is_moment(text: str) -> bool:
    try:
        return stamp(datetime.fromisoformat(text)) == text
    except (ValueError, OverflowError):
        return False


def _is_name(text: str) -> bool:
    try:
        return normalize_name(text) == text
    except NameRefused:
        # A newer Python, on which it was written, may know characters that this one does not.
        return any(unicodedata.category(character) == "Cn" for character in text)


CHECKS: dict[str, tuple[str, Callable[[Row], dict[str, bool]]]] = {
    "keys": ("SELECT hash, label, made, ended FROM keys", _key),
    "phones": ("SELECT id, label, joined, removed FROM phones", _phone),
    "players": ("SELECT id, name FROM players", lambda row: {"name": _is_name(row["name"])}),
    "rule_sets": ("SELECT id, name, same_name, rules, house_rules FROM rule_sets", _rule_set),
    "requests": ("SELECT * FROM requests", _request),
    "takers": (
        "SELECT game_id, seat, (SELECT count(*) FROM seats WHERE seats.table_id = takers.table_id "
        "AND seats.game_id = takers.game_id) AS seats FROM takers",
        _seat_claim,
    ),
    "conflicts": (
        "SELECT game_id, round, entry, at, (SELECT count(*) FROM seats WHERE "
        "seats.table_id = conflicts.table_id AND seats.game_id = conflicts.game_id) AS seats "
        "FROM conflicts",
        _conflict,
    ),
    "watches": (
        "SELECT hash, number, made, ended, (SELECT count(*) FROM watches AS all_of_it "
        "WHERE table_id = watches.table_id AND game_id = watches.game_id) AS links FROM watches",
        _watch_link,
    ),
    "games": (
        "SELECT id, rules, house_rules, rule_values, (SELECT count(*) FROM seats "
        "WHERE seats.table_id = games.table_id AND game_id = games.id) AS seats FROM games",
        _game,
    ),
}
