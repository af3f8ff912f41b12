"""`check` finds games that were edited by hand, and nothing in what the program writes."""

import io
import json
from pathlib import Path

import pytest

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_house_rules
from scorekeeper.store.check import check, faults
from scorekeeper.store.tables import save_rules
from tests.store.test_check import NOTHING_FOUND, unguarded
from tests.web.offline.test_sync import begin
from tests.web.play import Table
from tests.web.taps import fields

pytestmark = pytest.mark.sqlite

# Edits of the row of a game by hand, and what `check` names.
EDITS = {
    "a target": (
        "UPDATE games SET rule_values = json_set(rule_values, '$.target', -1)",
        "can’t be read as a game.",
    ),
    "an unknown value": (
        "UPDATE games SET rule_values = json_set(rule_values, '$.luck', 1)",
        "rule_values doesn’t match its change log.",
    ),
    "house rules": ("UPDATE games SET house_rules = 'target=7'", "house_rules doesn’t match"),
    "seats": ("UPDATE games SET seats = '[3, 2, 1]'", "seats doesn’t match its change log."),
    "a seat less": ("UPDATE games SET seats = '[1, 2]'", "can’t be read as a game."),
    "a player of nobody": ("UPDATE games SET seats = '[1, 2, 99]'", "can’t be read as a game."),
    "a stake": ("UPDATE games SET stake = 7", "stake doesn’t match its change log."),
    "rounds that are none": ("UPDATE games SET rounds = '{}'", "bids and tricks don’t match"),
    "a round that is none": ("UPDATE games SET rounds = '[7]'", "can’t be read as a game."),
    "a round less": ("UPDATE games SET rounds = '[]'", "round 1: its bids and tricks don’t match"),
}


@pytest.fixture
def club(table: Table) -> Table:
    """A table that has used everything: links, phones, own rules, rematches, seats, watching."""
    own = with_house_rules(PRESETS["partnership"], {"target": "300", "board": "4"})
    with table.store.write() as db:
        save_rules(db, table.id, own)
    table.second_phone()
    table.new_game("cutthroat-lite", ("North", "East", "South"), target=30)
    table.play_round((3, 3, 1), (4, 5, 1))
    table.post(f"{table.path}/again", {"csrf_token": table.token(), "way": "winner"})
    assert begin(table).status_code == 200
    share = f"{table.path}/watching"
    for on in ("yes", "no", "yes"):
        table.post(share, {"csrf_token": table.token(), "on": on})
    table.post(f"{table.path}/seat", {"csrf_token": table.token(), "seat": 1})
    table.post("/table/links", {"csrf_token": table.token(), "label": "Ana’s"})
    other = {"bids": (3, 3, 1), "tricks": (5, 4, 1)}
    waiting = fields(other, csrf_token=table.token(), round=1)
    assert table.post(f"{table.path}/conflict", waiting).status_code == 200
    return table


def test_whatever_the_program_writes_is_found_right(club: Table, data: Path) -> None:
    counts = [
        club.store.db.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
        for name in (
            "keys",
            "phones",
            "rule_sets",
            "requests",
            "claims",
            "conflicts",
            "watch_links",
            "games",
        )
    ]
    assert min(counts) >= 1
    assert list(faults(club.store)) == []
    out = io.StringIO()
    assert check(data, out) == 0
    assert out.getvalue().splitlines()[-1] == NOTHING_FOUND


@pytest.mark.parametrize(("edit", "sentence"), EDITS.values(), ids=EDITS.keys())
def test_a_game_that_was_edited_by_hand_is_found(club: Table, edit: str, sentence: str) -> None:
    db = unguarded(club)
    db.execute(edit)
    db.conn.commit()
    assert any(sentence in str(fault) for fault in faults(club.store))


@pytest.mark.parametrize(
    ("name", "parent", "edit"),
    [
        ("requests", "games", "UPDATE requests SET table_id = 'elsewhere0'"),
        ("conflicts", "phones", "UPDATE phones SET table_id = 'elsewhere0'"),
        ("claims", "phones", "UPDATE phones SET table_id = 'elsewhere0'"),
    ],
)
def test_a_row_of_another_table_is_found(club: Table, name: str, parent: str, edit: str) -> None:
    db = unguarded(club)
    db.execute(
        "INSERT INTO tables (id, made) VALUES ('elsewhere0', '2026-01-03T20:15:00.000+00:00')"
    )
    db.execute(edit)
    db.conn.commit()
    found = [str(fault) for fault in faults(club.store)]
    assert any(
        one.startswith(f"A row of “{name}” (") and one.endswith(f"no match in “{parent}”.")
        for one in found
    ), found


def test_values_that_a_game_lacks_are_those_of_an_earlier_version(club: Table) -> None:
    (text,) = club.store.db.execute("SELECT rule_values FROM games LIMIT 1").fetchone()
    kept = {name: value for name, value in json.loads(text).items() if name != "first_dealer"}
    db = unguarded(club)
    db.execute("UPDATE games SET rule_values = ?", [json.dumps(kept)])
    db.conn.commit()
    assert "read as a game" not in " ".join(map(str, faults(club.store)))
