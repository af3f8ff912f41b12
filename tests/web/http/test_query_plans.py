"""Query plans of taps, new games and pages: none scans a whole table."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from sqlite_utils import Database

from scorekeeper.store import open_file as opening
from scorekeeper.store.change_events import allowed_followers, newest_claims, newest_versions
from scorekeeper.store.database import Store
from scorekeeper.store.sqlite import connect
from tests.conftest import server
from tests.web.api.caller import BIDS, TRICKS, Caller
from tests.web.game.test_rematch import finished, play_again
from tests.web.game.test_seats import claim_seat
from tests.web.offline.test_sync import begin
from tests.web.page_tour import visit_every_page
from tests.web.play import Table
from tests.web.taps import OTHER, SCORED, report, send

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sqlite,
]  # PostgreSQL reads small tables whole, whatever their indexes

PLANNED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
# Neither constant rows are tables, nor what a statement has made of them or of JSON.
WHOLE_TABLE = re.compile(
    r"SCAN (?!(\d+ )?CONSTANT ROW|finished|followed|followers|seated|(latest|played)$|\(subquery"
    r"|\w+ VIRTUAL TABLE)"
)


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch, data: Path) -> Iterator[tuple[Flask, set[str]]]:
    """A server, and every statement that it has run, with its values."""
    statements: set[str] = set()

    def connect_traced(path: Path) -> Database:
        db = connect(path)
        db.conn.set_trace_callback(statements.add)
        return db

    monkeypatch.setattr(opening, "connect", connect_traced)
    with server(data) as app:
        statements.clear()
        yield app, statements


def whole_tables_read(store: Store, statements: set[str]) -> set[tuple[str, str]]:
    """Return the steps that go through a whole table or index, each with its statement."""
    found = set()
    for statement in list(statements):
        if statement.lstrip().startswith(PLANNED):
            plan = store.db.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
            steps = [step[3] for step in plan if WHOLE_TABLE.match(step[3])]
            found |= {(step, " ".join(statement.split())) for step in steps}
    return found


def test_no_page_and_no_tap_reads_a_whole_table(traced: tuple[Flask, set[str]]) -> None:
    app, statements = traced
    visit_every_page(app)
    table = Table(app)
    table.join()
    finished(table)
    play_again(table)
    claim_seat(table.second_phone(), 2)
    for facts in (SCORED, OTHER):
        assert send(table, 1, **facts).status_code == 200
    assert report(table.second_phone(), 1, **SCORED).status_code == 200
    assert table.get(table.path).status_code == 200
    assert begin(table).status_code == 200
    written = {word for s in statements if s.startswith("INSERT") for word in s.split()[:5]}
    assert written >= {
        "changes", "conflicts", "games", "outcomes", "player_games", "players", "results", "claims",
    }  # fmt: skip
    assert whole_tables_read(app.extensions["store"], statements) == set()


def test_no_program_reads_a_whole_table(traced: tuple[Flask, set[str]]) -> None:
    app, statements = traced
    program = Caller(app)
    assert program.start().status_code == 201
    program.play((BIDS, TRICKS), (BIDS, TRICKS))
    for answer in (program.delete(2), program.walk("undo"), program.walk("redo")):
        assert answer.status_code == 200
    assert any(statement.startswith("INSERT INTO results") for statement in statements)
    assert whole_tables_read(app.extensions["store"], statements) == set()


def test_no_look_at_followed_games_reads_a_whole_table(traced: tuple[Flask, set[str]]) -> None:
    app, statements = traced
    table = Table(app)
    table.join()
    finished(table)
    statements.clear()
    phone, key = table.session["phone"], (table.id, table.game_id)
    keys = [key, ("another", "game")]
    assert newest_versions(table.store.db, keys) == {key: table.game.version}
    assert newest_claims(table.store.db, keys).keys() == {*keys}
    assert allowed_followers(table.store.db, [phone, "another"]) == {phone}
    assert len([statement for statement in statements if statement.startswith("WITH")]) == 3
    assert whole_tables_read(app.extensions["store"], statements) == set()
