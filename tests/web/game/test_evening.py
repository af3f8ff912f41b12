"""The page of an evening."""

from datetime import date

import pytest

from scorekeeper.clock import evening_of, evening_span
from tests.web.history.test_history import game_of
from tests.web.play import SOUTH, Table


def test_an_evening_lasts_from_six_to_six() -> None:
    since, until = evening_span(date(2026, 1, 31))
    assert evening_of(since) == date(2026, 1, 31)
    assert evening_of(until) == date(2026, 2, 1)


def test_the_last_evening_says_who_won_and_can_be_sent_as_text(table: Table) -> None:
    game_of(table, rounds=3)
    game_of(table, rounds=3, day=4)
    game_of(table, rounds=1, day=4)
    page = table.page("/evening")
    assert page.texts("h2[@id='first-title']") == [f"The evening of {SOUTH}"]
    assert len(page.all("ul[@class='results']/li")) == 2
    text = page.one("textarea").text or ""
    assert text.splitlines()[0] == f"The evening of {SOUTH}"
    assert "2 games" in text
    assert f"{SOUTH} wins" in text


def test_an_evening_has_its_highest_bid_and_the_turning_point_of_the_closest_game(
    table: Table,
) -> None:
    for bid in (4, 5):
        table.new_game(target=30)
        table.play_round((bid, 2, 2, 2), (bid, 2, 2, 10 - bid - 4))
    page = table.page("/evening")
    (row,) = page.all("ul[@class='rows records']/li/a")
    assert row.findtext("span[@class='record']/b") == "5"
    assert table.get(str(row.get("href"))).status_code == 200
    assert "Highest bid made" in page.text
    assert "The turning point" in page.text


def test_another_evening_is_chosen_by_its_day(table: Table) -> None:
    game_of(table, rounds=3)
    assert "1 Jan 2026" in table.page("/evening?day=2026-01-01").text
    assert "No games found." in table.page("/evening?day=2026-01-02").text


@pytest.mark.parametrize("day", ["x", "2026-02-30", "0001-01-01", "1" * 400])
def test_a_day_that_is_none_is_404(table: Table, day: str) -> None:
    assert table.get(f"/evening?day={day}").status_code == 404


def test_money_is_settled_over_the_whole_evening(table: Table) -> None:
    for _game in range(2):
        table.new_game(stake="1", target=30)
        table.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    page = table.page("/evening")
    assert "Who pays whom" in page.text
    assert "pays" in (page.one("textarea").text or "")


def test_a_table_without_games_has_no_evening(table: Table) -> None:
    assert "No games found." in table.page("/evening").text
