"""A short load test: everybody plays at once, nobody sees an error, and every total is right.

Also a server that is killed while a match of a club night starts.
"""

import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.opening import open_store
from tests.faults import night
from tests.faults.club import WATCHERS, spend
from tests.faults.phone import Phone, Unanswered
from tests.postgresql import Cluster, needs_postgresql

TABLES, SECONDS, PACE = 6, 5.0, 0.05


def test_every_table_of_a_club_has_the_sheet_that_a_recount_gives(tmp_path: Path) -> None:
    day = spend(tmp_path, TABLES, SECONDS, PACE)
    assert day.errors == []
    assert day.games >= TABLES
    assert day.rounds > 0
    assert len(day.saves) > TABLES
    assert len(day.pages) > WATCHERS  # on a slow machine one page shows several changes
    assert len(day.delays) > WATCHERS


SHORT = night.Size(tables=4, matches=2, clock=2.0, pace=0.1)


def is_right(figures: night.Figures) -> None:
    """Assert that a short evening was played, and nothing in it was wrong."""
    assert figures.errors == []
    assert figures.rounds > SHORT.tables * SHORT.matches
    assert len(figures.closes) == SHORT.matches
    assert len(figures.saves) > figures.rounds
    assert figures.looks
    assert figures.shown
    assert figures.players


@pytest.mark.slow
def test_an_evening_of_one_club_loses_no_tap(tmp_path: Path) -> None:
    is_right(night.spend(tmp_path, SHORT))


@pytest.mark.slow
def test_an_evening_of_one_club_loses_no_tap_on_postgresql(tmp_path: Path) -> None:
    needs_postgresql()
    with Cluster() as cluster:
        is_right(night.spend(tmp_path, SHORT, cluster.url))


MANY = night.Size(tables=24)
KILLED_AT = 9  # games that have begun


def start_and_kill(folder: Path, store: Store, database: str = "") -> None:
    """Kill the server while it starts a match; the same button then begins what is left."""
    evening, director = night.Evening(store, MANY), Phone("http://nowhere.invalid")

    def begun() -> int:
        return len(evening.now.night.matches[0].games)

    def press() -> None:
        with suppress(Unanswered):
            evening.act(director, "start", 1)

    found = []
    for stop in (KILLED_AT, MANY.tables):
        with night.server(folder, database) as program:
            director.move(program.address)
            if not director.cookie:
                director.join(f"{program.address}/join/{evening.key}", "the director")
            assert 'value="start"' in director.get(evening.desk).text
            pressing = threading.Thread(target=press)
            pressing.start()
            while begun() < stop:
                time.sleep(0.001)
            if stop < MANY.tables:
                program.kill()
            pressing.join()
            if stop == MANY.tables:
                assert 'value="start"' not in director.get(evening.desk).text
                program.process.terminate()
                assert program.end() == 0
        found.append(begun())
        assert list(faults(store)) == []
        count = store.db.execute("SELECT count(*) FROM games").fetchone()[0]
        store.release()
        assert count == begun()
    director.close()
    assert KILLED_AT <= found[0] < MANY.tables


@pytest.mark.slow
def test_a_server_killed_while_a_match_starts_begins_each_game_once(tmp_path: Path) -> None:
    with closing(open_store(tmp_path)) as store:
        start_and_kill(tmp_path, store)


@pytest.mark.slow
def test_the_same_on_postgresql(tmp_path: Path) -> None:
    needs_postgresql()
    with Cluster() as cluster, closing(open_store(tmp_path, url=cluster.url)) as store:
        start_and_kill(tmp_path, store, cluster.url)
