"""Thousands of malformed requests: each is answered, and none leaves anything behind.

What a request may leave behind is what its answer says: 303 is a change, all else is none.
"""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from scorekeeper.store.games import load_game
from scorekeeper.store.tables import make_join_key
from tests.properties import counts
from tests.store.disagreements import disagreements
from tests.web.play import AT, Table

SEED = 20260103
CANARY = "<script>alert(1)</script>"
FIELDS = [
    *(
        "seat",
        "original",
        "score",
        "rounds",
        "version",
        "rules",
        "stake",
        "first_dealer",
        "move",
        "label",
    ),
    *(f"player-{n}" for n in range(1, 7)),
    *(f"{what}-{n}" for what in ("bid", "tricks", "tally") for n in range(1, 7)),
    *("target", "mercy", "bag_limit", "board", "on", "csrf_token", "unknown", "id"),
]
VALUES = [
    *("", " ", "0", "1", "2", "3", "10", "11", "-1", "+1", "1.5", "1e3", "99", "9" * 400),
    *("nil", "blind nil", "NIL", "yes", "off", "cutthroat-lite", "partnership", "draw"),
    *(
        "٣",
        "３",
        "²",
        "1_0",
        "0x1",
        "NaN",
        "None",
        "null",
        "true",
        "[]",
        "{}",
        "[{}]",
        '[{"bids":[1]}]',
        "1:2",
        ":",
        "5:up",
    ),
    *(
        CANARY,
        '"><img src=x onerror=alert(1)>',
        "{{7*7}}",
        "=1+1",
        "@SUM(A1)",
        "'; DROP TABLE x;--",
    ),
    *(
        "\x00",
        "\x7f",
        "\r\n",
        "\u202e",
        "\ufeff",
        "\ud7ff",
        "é" * 41,
        "😀" * 50,
        "a" * 5000,
        "../x",
    ),
]


@pytest.fixture
def dice() -> random.Random:
    return random.Random(SEED)


@pytest.fixture
def addresses(app: Flask, game: Table) -> list[str]:
    """Every address that takes a form, with ids that fit and ids that do not."""
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.bid(3)
    ids = {"game_id": [game.game_id, "x", "0"], "number": ["1", "2", "3", "0", "99999"]}
    ids |= {"key": [game.key, "x"], "short": ["x"], "player_id": ["1", "2"], "other_id": ["1", "3"]}
    found = []
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and not rule.rule.startswith("/api"):
            found += list(_filled(rule.rule, ids))
    return sorted(found)


def _filled(rule: str, ids: dict[str, list[str]]) -> Iterator[str]:
    gap = re.search(r"<(?:\w+:)?(\w+)>", rule)
    if gap is None:
        yield rule
        return
    for value in ids.get(gap[1], ["x"]):
        yield from _filled(rule.replace(gap[0], value, 1), ids)


def _fields(dice: random.Random, game: Table, token: str) -> dict[str, str]:
    fields = {name: dice.choice(VALUES) for name in dice.sample(FIELDS, dice.randint(0, 9))}
    if dice.random() < 0.9:
        fields["csrf_token"] = token
    if dice.random() < 0.7:
        fields["version"] = str(game.game.version)
    return fields


@counts("requests", 150, 600)
def test_no_malformed_form_breaks_anything(
    game: Table, addresses: list[str], dice: random.Random, requests: int
) -> None:
    token = game.token()
    for _ in range(requests):
        address, before = dice.choice(addresses), _written(game)
        fields = _fields(dice, game, token)
        answer = game.client.post(address, data=fields)
        request = f"{address} {fields}"
        text = answer.get_data(as_text=True)
        is_of_older_script = answer.status_code == 503 and "Scorekeeper has been updated" in text
        assert answer.status_code < 500 or is_of_older_script, request
        assert CANARY not in text, request
        assert "Traceback" not in text, request
        if answer.status_code not in (200, 303):
            assert _written(game) == before, request
            # A phone that sends what waited is told why not, or the game as it is now.
            assert "<h1" in text or answer.get_json().keys() & {"sentence", "game"}, request
        if "phone" not in game.session:  # it ended its own link or itself: sit down again
            pytest.fail(f"thrown out by {request}")
        if game.session["phone"] not in _phones(game):
            game.key = _new_key(game)
            game.join()
            token = game.token()
        if load_game(game.store.db, game.id, game.game_id) is None:  # removed: bring it back
            game.post(f"/history/removed/{game.game_id}", {"csrf_token": token})
    assert disagreements(game.store.db) == []


@counts("requests", 100, 300)
def test_no_malformed_body_or_address_breaks_anything(
    game: Table, addresses: list[str], dice: random.Random, requests: int
) -> None:
    before = game.everything()
    bodies = [b"", b"\x00" * 50, b"a=" + b"%ff" * 30, b"&" * 900, b"=" * 900, b"{" * 5000, b"\xff"]
    kinds = ["application/x-www-form-urlencoded", "multipart/form-data", "application/json", "x/y"]
    for _ in range(requests):
        options: dict[str, Any] = {"data": dice.choice(bodies), "content_type": dice.choice(kinds)}
        path = dice.choice(addresses) + dice.choice(
            ["", "/", "%00", "?round=" + "9" * 50, "/../.."]
        )
        answer = game.client.open(path, method=dice.choice(["POST", "GET", "PUT"]), **options)
        assert answer.status_code < 500, f"{path} {options}"
    assert game.everything() == before
    assert load_game(game.store.db, game.id, game.game_id) is not None


def _written(game: Table) -> Any:
    """Return what every write changes: how many rows were, or on PostgreSQL all that there are."""
    db = game.store.db
    return db.conn.total_changes if game.store.is_file else game.everything()


def _phones(game: Table) -> set[str]:
    return {row["id"] for row in game.store.db.query("SELECT id FROM phones WHERE removed IS NULL")}


def _new_key(game: Table) -> str:
    with game.store.write() as db:
        return make_join_key(db, game.id, "again", AT)
