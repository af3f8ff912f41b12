"""A game ends with what is scored, before the first bid of the next round."""

import pytest
from flask import Flask

from tests.web.page import text_of
from tests.web.play import Table

FOUR = ("North", "East", "South", "West")
FIRST = ((3, 2, 1, 3), (3, 2, 1, 4))
LEVEL = ((2, 2, 2, 2), (2, 2, 3, 3))


@pytest.fixture
def table(app: Flask) -> Table:
    table = Table(app)
    table.join()
    table.new_game(players=FOUR, target=300)
    return table


def offered(table: Table) -> list[str]:
    forms = table.page().all("form")
    return [
        text_of(one.find(".//small")) for one in forms if (one.get("action") or "").endswith("/end")
    ]


def end(table: Table, number: int = 2) -> int:
    path = table.round_path("end", number)
    return table.post(path, table.fresh()).status_code


def test_it_says_who_wins_ends_the_game_and_one_undo_takes_it_back(table: Table) -> None:
    table.play_round(*FIRST)
    assert offered(table) == ["West wins with 31."]
    before = table.game.rounds
    assert end(table) == 303
    assert table.state.phase == "over"
    assert table.state.winners == (3,)
    table.undo()
    assert table.game.rounds == before
    assert table.state.phase == "bidding"


def test_it_is_not_offered_before_a_round_is_scored(table: Table) -> None:
    assert offered(table) == []
    assert end(table, 1) == 422


def test_it_is_not_offered_once_somebody_has_bid(table: Table) -> None:
    table.play_round(*FIRST)
    table.bid(3)
    assert offered(table) == []
    assert end(table) == 422
    assert table.state.phase == "bidding"


def test_only_the_newest_round_can_end_the_game(table: Table) -> None:
    table.play_round(*FIRST)
    table.play_round(*FIRST)
    assert end(table, 2) == 422


def test_in_a_tie_that_plays_on_it_is_not_offered(table: Table) -> None:
    table.play_round(*LEVEL)
    assert offered(table) == []


def test_in_a_tie_that_is_shared_all_who_lead_win(table: Table) -> None:
    table.new_game(players=FOUR, target=300, tie_at_limit="shared")
    table.play_round(*LEVEL)
    assert offered(table) == ["South and West win with 21."]
    assert end(table) == 303
    assert table.state.winners == (2, 3)
