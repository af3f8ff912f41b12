"""A short load test: everybody plays at once, nobody sees an error, and every total is right."""

from pathlib import Path

from tests.faults.club import WATCHERS, spend

TABLES, SECONDS, PACE = 6, 5.0, 0.05


def test_every_table_of_a_club_has_the_sheet_that_a_recount_gives(tmp_path: Path) -> None:
    day = spend(tmp_path, TABLES, SECONDS, PACE)
    assert day.errors == []
    assert day.games >= TABLES
    assert day.rounds > 0
    assert len(day.saves) > TABLES
    assert len(day.pages) > WATCHERS  # on a slow machine one page shows several changes
    assert len(day.delays) > WATCHERS
