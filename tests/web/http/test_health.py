"""/healthz: what a program that watches over the server is told."""

import shutil
import sqlite3
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import pytest

from scorekeeper.store.sqlite import Connection
from scorekeeper.web.http import metrics as health_page
from tests.web.play import Table

Usage = namedtuple("Usage", "total used free")
of_the_file = pytest.mark.sqlite  # PostgreSQL's own failures are in tests/faults


def test_a_server_that_can_keep_games_says_so_and_where(game: Table, database: str) -> None:
    before = game.everything()
    answer = game.app.test_client().get("/healthz")
    where = {"sqlite": "sqlite", "postgresql": "postgresql, primary"}[database]
    assert (answer.status_code, answer.text) == (200, f"ok\ndatabase: {where}\n")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert "Set-Cookie" not in answer.headers
    assert game.everything() == before


@of_the_file
def test_a_lock_that_is_never_free_is_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.store.database.PATIENCE", 0.0)
    monkeypatch.setattr(health_page, "FRESH", 0.0)
    other = sqlite3.connect(table.store.path)
    other.execute("BEGIN IMMEDIATE")
    answer = table.client.get("/healthz")
    other.close()
    assert answer.status_code == 503
    assert "database is locked" in answer.text
    assert table.client.get("/healthz").status_code == 200


@of_the_file
def test_a_lock_that_others_take_every_time_is_no_trouble_while_they_commit(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = sqlite3.connect(table.store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    class Crowded(Connection):
        def begin_writing(self, until: float) -> None:
            other.execute("UPDATE tables SET made = made || '.'")
            other.execute("COMMIT")
            other.execute("BEGIN IMMEDIATE")
            super().begin_writing(until)

    monkeypatch.setattr("scorekeeper.store.database.PATIENCE", 0.0)
    monkeypatch.setattr("scorekeeper.store.database.Connection", Crowded)
    answer = table.client.get("/healthz")
    other.close()
    assert answer.status_code == 200


@of_the_file
@pytest.mark.parametrize(("problem", "status"), [("the disk is full", 503), ("", 200)])
def test_a_write_is_tried_once_for_all_who_ask_within_a_second(
    table: Table, monkeypatch: pytest.MonkeyPatch, problem: str, status: int
) -> None:
    found = [problem]
    monkeypatch.setattr(health_page, "FRESH", 3600.0)
    monkeypatch.setattr(health_page, "storage_problem", lambda _store: found.pop())
    with ThreadPoolExecutor(4) as askers:
        clients = [table.app.test_client() for _ in range(12)]
        codes = askers.map(lambda client: client.get("/healthz").status_code, clients)
    assert set(codes) == {status}


@of_the_file
def test_a_table_that_takes_no_row_is_told(table: Table) -> None:
    refuse = "CREATE TRIGGER no BEFORE INSERT ON tables BEGIN SELECT raise(ABORT, 'not now'); END"
    table.store.db.execute(refuse)
    answer = table.client.get("/healthz")
    assert (answer.status_code, "not now" in answer.text) == (503, True)


@of_the_file
def test_a_disk_without_room_is_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(2**30, 2**30, 2**20))
    answer = table.client.get("/healthz")
    assert answer.status_code == 503
    assert "No space left" in answer.text
    assert str(table.store.path.parent) not in answer.text


@of_the_file
def test_a_file_that_is_gone_is_told(table: Table) -> None:
    for stop in table.app.extensions["on_stop"]:
        stop()  # a thread that opens the file after this would make a new one
    table.get("/")
    table.store.path.rename(table.store.path.with_suffix(".aside"))
    assert table.client.get("/healthz").status_code == 503
    assert not table.store.path.exists()


@of_the_file
def test_files_that_are_gone_are_told_at_once_and_without_their_path(table: Table) -> None:
    assert table.client.get("/healthz").status_code == 200
    table.store.path.unlink()
    answer = table.client.get("/healthz")
    assert answer.status_code == 503
    assert "was deleted, moved or replaced" in answer.text
    assert str(table.store.path.parent) not in answer.text
