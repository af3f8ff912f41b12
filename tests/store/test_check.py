"""`check` names the games whose rows do not fit together."""

import io
import random
from pathlib import Path

import pytest
from sqlite_utils import Database

from scorekeeper.store.check import check, faults
from scorekeeper.store.connection import StoreError
from tests.properties import counts
from tests.web.play import Table

pytestmark = pytest.mark.sqlite

FACTS = ("games", "results", "outcomes")
NOTHING_FOUND = "No damage found."


@pytest.fixture
def played(table: Table) -> Table:
    """Two games: one won, one corrected, taken back and still being bid."""
    table.new_game("cutthroat-lite", ("North", "East", "South"), target=60, stake="2.50")
    table.play_round((3, 3, "nil"), (4, 6, 0))
    table.play_round((2, 3, 1), (3, 4, 3))
    assert table.state.phase == "over"
    table.new_game("partnership")
    table.play_round((3, 3, "nil", 4), (4, 4, 1, 4))
    table.correct(1, tricks_1=3, tricks_2=5)
    table.undo()
    table.bid(2)
    return table


def said(folder: Path, **options: bool) -> tuple[int, str]:
    out = io.StringIO()
    return check(folder, out, **options), out.getvalue()


def in_any_order(table: Table) -> dict[str, list[str]]:
    """Return every row, since a row derived anew need not lie where it lay."""
    return {name: sorted(map(str, rows)) for name, rows in table.everything()}


def unguarded(table: Table) -> Database:
    """Return a connection that lets anything be written."""
    db = table.store.db
    for trigger in ("changes_stay", "changes_are_kept"):
        db.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    db.execute("PRAGMA foreign_keys = OFF")
    db.execute("PRAGMA ignore_check_constraints = ON")
    return db


def test_what_was_recorded_is_whole(played: Table, data: Path) -> None:
    assert said(data) == (0, f"Checked 2 games, 0 with errors.\n{NOTHING_FOUND}\n")


def test_a_changed_bid_is_named_with_its_game_and_round(played: Table, data: Path) -> None:
    db = unguarded(played)
    corrupt = "UPDATE games SET rounds = json_set(rounds, '$[0].bids[0]', 5) WHERE id = ?"
    db.execute(corrupt, [played.game_id])
    db.conn.commit()
    status, text = said(data)
    assert status == 1
    assert f"Game {played.game_id}, round 1: its bids and tricks don’t match" in text
    assert "Checked 2 games, 1 with errors." in text


def test_a_line_taken_out_of_the_journal_is_missed(played: Table, data: Path) -> None:
    db = unguarded(played)
    db.execute("DELETE FROM changes WHERE game_id = ? AND version = 3", [played.game_id])
    db.conn.commit()
    status, text = said(data)
    assert status == 1
    assert "entry 3 of its change log is missing" in text


def test_results_that_do_not_follow_are_derived_anew(played: Table, data: Path) -> None:
    before = in_any_order(played)
    db = played.store.db
    db.execute("UPDATE results SET total = total + 1 WHERE round = 1")
    db.conn.commit()
    status, text = said(data)
    assert status == 1
    assert text.count("its results don’t match") == 2
    status, text = said(data, rebuild=True)
    assert status == 0
    assert "have been rebuilt" in text
    assert in_any_order(played) == before


def test_a_damaged_fact_is_not_made_good_by_a_rebuild(played: Table, data: Path) -> None:
    db = unguarded(played)
    db.execute("UPDATE games SET rounds = json_set(rounds, '$[0].tricks[0]', 9)")
    db.conn.commit()
    assert said(data, rebuild=True)[0] == 1
    assert said(data)[0] == 1


@counts("tries", 40, 200)
def test_one_changed_byte_in_any_stored_row_is_found(played: Table, data: Path, tries: int) -> None:
    db, luck = unguarded(played), random.Random(56)
    keys = dict.fromkeys(FACTS, "rowid") | {"results": "game_id || ' ' || round || ' ' || seat"}
    moving = [("results", key) for key in ("game_id", "round", "seat")]
    rows = [
        (name, column.name, row[0])
        for name in FACTS
        for column in db[name].columns
        if (name, column.name) not in moving  # which would move the row
        for row in db.execute(
            f"SELECT {keys[name]} FROM [{name}] WHERE [{column.name}] IS NOT NULL"
        )
    ]
    missed = []
    for table, column, row in luck.choices(rows, k=tries):
        key = f"{keys[table]} = ?"
        (value,) = db.execute(f"SELECT [{column}] FROM [{table}] WHERE {key}", [row]).fetchone()
        where = f"UPDATE [{table}] SET [{column}] = CAST(? AS {_kind(value)}) WHERE {key}"
        try:
            db.execute(where, [_with_a_byte_changed(value, luck), row])
        except StoreError:  # SQLite itself refuses two rows with one key
            db.rollback()
            continue
        db.conn.commit()
        if next(faults(played.store), None) is None:
            missed.append((table, column, value))
        db.execute(where, [value, row])
        db.conn.commit()
    assert missed == []
    assert next(faults(played.store), None) is None


def _kind(value: object) -> str:
    return "INTEGER" if isinstance(value, int) else "TEXT"


def _with_a_byte_changed(value: int | str, luck: random.Random) -> int | bytes:
    if isinstance(value, int):
        return value ^ (1 << luck.randrange(7))
    raw = bytearray(value.encode() or b" ")
    raw[luck.randrange(len(raw))] ^= 1 << luck.randrange(8)
    return bytes(raw)
