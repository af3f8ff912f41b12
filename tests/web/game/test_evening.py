"""The page of an evening."""

from datetime import date

import pytest

from scorekeeper.clock import evening_of, evening_span
from tests.web.history.test_history import game_of
from tests.web.play import NORTH, SOUTH, Table


def a_stake_each(table: Table) -> None:
    """Play two games for a stake of 1."""
    for _game in range(2):
        table.new_game(stake="1", target=30)
        table.play_round((3, 2, "nil", 4), (3, 4, 0, 3))


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
    nothing = table.page("/evening?day=2026-01-02")
    assert nothing.texts("h2") == ["No games found"]
    assert nothing.texts("a[@href='/evening']") == ["The last evening"]


def test_the_text_has_the_highest_bid_and_the_turning_point(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((5, 2, 2, 2), (5, 2, 2, 1))
    page = table.page("/evening")
    text = page.one("textarea").text or ""
    assert f"Highest bid made: {NORTH}, 5" in text.splitlines()
    assert f"The turning point: {NORTH} wins" in text.splitlines()
    (turning,) = [
        part for part in page.all("section") if part.find(".//h2").text == "The turning point"
    ]
    assert "".join(turning.findall("p")[0].itertext()) in text.splitlines()


def test_the_page_says_which_names_the_picture_has(table: Table) -> None:
    game_of(table, rounds=3)
    page = table.page("/evening")
    note = "".join(page.one("p[@id='names']").itertext())
    assert note.startswith("The picture shows 4 names:")
    picture = table.get(str(page.one("img[@id='picture']").get("src")))
    assert picture.mimetype == "image/svg+xml"
    assert f"The evening of {SOUTH}" in picture.text
    assert "Wins against luck" in picture.text
    assert NORTH in picture.text


def test_a_picture_without_names_has_none(table: Table) -> None:
    a_stake_each(table)
    page = table.page("/evening?names=no")
    assert page.texts("p[@id='names']") == ["The picture shows no names."]
    address = str(page.one("img[@id='picture']").get("src"))
    assert address.endswith("names=no")
    picture = table.get(address).text
    assert "An evening" in picture
    assert "Who pays whom" in picture
    assert "→" in picture
    assert not [name for name in ("North", "East", "South", "West") if name in picture]


def test_a_picture_has_six_games_and_says_that_there_are_more_payments(table: Table) -> None:
    for game in range(8):
        players = [f"{name} {game % 3}" for name in "ABCD"]
        table.new_game(players=players, stake="1", target=30)
        table.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    page = table.page("/evening")
    picture = table.get("/evening/picture.svg").text
    assert picture.count('<rect width="466"') == 6
    assert picture.count("→") == 4
    assert "…</text>" in picture
    note = "".join(page.one("p[@id='names']").itertext())
    names = [f"{name} {game}" for name in "ABCD" for game in range(3)]
    assert [name for name in names if name in note] == [name for name in names if name in picture]


@pytest.mark.parametrize("day", ["x", "2026-02-30", "0001-01-01", "1" * 400])
def test_a_day_that_is_none_is_404(table: Table, day: str) -> None:
    assert table.get(f"/evening?day={day}").status_code == 404
    assert table.get(f"/evening/picture.svg?day={day}").status_code == 404


def test_money_is_settled_over_the_whole_evening(table: Table) -> None:
    a_stake_each(table)
    page = table.page("/evening")
    assert "Who pays whom" in page.text
    assert "pays" in (page.one("textarea").text or "")


def test_a_table_without_games_has_no_evening(table: Table) -> None:
    page = table.page("/evening")
    assert page.texts("h2") == ["Your evenings will stand here"]
    assert page.texts("a[@href='/games/new']") == ["New game"]
    assert table.get("/evening/picture.svg").status_code == 404
