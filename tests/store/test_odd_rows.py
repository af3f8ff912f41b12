"""`check` finds rows that no page, program or import could have written, and only those."""

import io
import json
from pathlib import Path

import pytest

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_house_rules
from scorekeeper.store.maintenance.check import check, faults
from scorekeeper.store.saved_rules import save_rules
from tests.store.test_hash_chain import NOTHING_FOUND, unguarded
from tests.web.offline.test_sync import begin
from tests.web.play import Table
from tests.web.taps import fields

pytestmark = pytest.mark.sqlite

# For each way to edit a row by hand: the table, the columns that `check` must name, and the edit.
EDITS = {
    "a key in the clear": ("keys", "hash", "UPDATE keys SET hash = 'abc' WHERE label LIKE 'Ana%'"),
    "a label too long": ("keys", "label", f"UPDATE keys SET label = '{'x' * 41}'"),
    "a key of no day": ("keys", "made", "UPDATE keys SET made = '2026-02-30T20:15:00.000+00:00'"),
    "a key that ended": ("keys", "ended", "UPDATE keys SET ended = 'yesterday'"),
    "a phone's short id": ("phones", "id", "UPDATE phones SET id = 'abc' WHERE label LIKE 'the %'"),
    "a phone of blanks": ("phones", "label", "UPDATE phones SET label = '  '"),
    "a hidden character": ("phones", "label", "UPDATE phones SET label = 'Ana' || char(8238)"),
    "a phone that joined": ("phones", "joined", "UPDATE phones SET joined = ''"),
    "a phone removed": ("phones", "removed", "UPDATE phones SET removed = '1'"),
    "a player's name": ("players", "name", "UPDATE players SET name = name || char(10)"),
    "rules of no book": ("rule_sets", "rules, house_rules", "UPDATE rule_sets SET rules = 'x'"),
    "rules out of range": (
        "rule_sets", "house_rules", """UPDATE rule_sets SET house_rules = '{"target": "-5"}'""",
    ),
    "rules that are no names": (
        "rule_sets", "house_rules", "UPDATE rule_sets SET house_rules = '[1]'",
    ),
    "rules of another name": ("rule_sets", "same_name", "UPDATE rule_sets SET same_name = 'x'"),
    "a request without a key": (
        "requests", "request_key", "UPDATE requests SET request_key = ' ' WHERE content <> ''",
    ),
    "a request of nothing": (
        "requests", "content", "UPDATE requests SET content = '' WHERE content <> ''",
    ),
    "a seat that is none": ("takers", "seat", "UPDATE takers SET seat = 7"),
    "an entry of no game": (
        "conflicts", "round, entry, at",
        """UPDATE conflicts SET round = 201, entry = '{"bids": [3]}', at = ''""",
    ),
    "an entry that is none": ("conflicts", "entry", "UPDATE conflicts SET entry = '7'"),
    "a watch key in the clear": (
        "watches", "hash", "UPDATE watches SET hash = 'abc' WHERE number = 2",
    ),
    "a watch link too many": (
        "watches", "number, ended", "UPDATE watches SET number = 9 WHERE number = 2",
    ),
    "a watch link reopened": (
        "watches", "ended", "UPDATE watches SET ended = NULL WHERE number = 1",
    ),
    "a game's target": (
        "games", "rule_values, house_rules, seats",
        "UPDATE games SET rule_values = json_set(rule_values, '$.target', -1)",
    ),
    "a game's unknown value": (
        "games", "rule_values, house_rules, seats",
        "UPDATE games SET rule_values = json_set(rule_values, '$.luck', 1)",
    ),
    "a game's players": (
        "games", "seats", "UPDATE games SET rule_values = json_set(rule_values, '$.players', "
        "json('[2]'))",
    ),
    "a game's house rules": ("games", "house_rules", "UPDATE games SET house_rules = 'target=7'"),
}  # fmt: skip


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
    waiting = fields((3, 3, 1), (5, 4, 1), csrf_token=table.token(), round=1)
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
            "takers",
            "conflicts",
            "watches",
            "games",
        )
    ]
    assert min(counts) >= 1
    assert list(faults(club.store)) == []
    out = io.StringIO()
    assert check(data, out) == 0
    assert out.getvalue().splitlines()[-1] == NOTHING_FOUND


@pytest.mark.parametrize(("name", "columns", "edit"), EDITS.values(), ids=EDITS.keys())
def test_a_row_that_nobody_could_have_written_is_found(
    club: Table, name: str, columns: str, edit: str
) -> None:
    db = unguarded(club)
    db.execute(edit)
    db.conn.commit()
    found = [str(fault) for fault in faults(club.store)]
    wanted = f"A row of “{name}” ("
    reported = [one for one in found if one.startswith(wanted)]
    assert reported, found
    assert all(
        one.endswith(f"has values that Scorekeeper never writes: {columns}.") for one in reported
    )


@pytest.mark.parametrize(
    ("name", "parent", "edit"),
    [
        ("requests", "games", "UPDATE requests SET table_id = 'elsewhere0'"),
        ("conflicts", "phones", "UPDATE phones SET table_id = 'elsewhere0'"),
        ("takers", "phones", "UPDATE phones SET table_id = 'elsewhere0'"),
        ("seats", "players", "UPDATE seats SET player_id = player_id + 100"),
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


def test_a_character_that_only_a_newer_python_knows_is_let_pass(club: Table) -> None:
    db = unguarded(club)
    db.execute("UPDATE phones SET label = 'Ana ' || char(0x2FE0)")  # not assigned so far
    db.conn.commit()
    assert list(faults(club.store)) == []


def test_values_that_a_game_lacks_are_those_of_an_earlier_version(club: Table) -> None:
    (text,) = club.store.db.execute("SELECT rule_values FROM games LIMIT 1").fetchone()
    kept = {name: value for name, value in json.loads(text).items() if name != "first_dealer"}
    db = unguarded(club)
    db.execute("UPDATE games SET rule_values = ?", [json.dumps(kept)])
    db.conn.commit()
    assert not [one for one in faults(club.store) if "never writes" in str(one)]
