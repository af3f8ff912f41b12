"""A short load test: everybody plays at once, nobody sees an error, and every total is right."""

from pathlib import Path

import pytest

from tests.faults import night
from tests.faults.club import WATCHERS, spend
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
