"""A game whose row makes no sense is named, and the other games go on."""

import json

import pytest
from werkzeug.test import TestResponse

from tests.web.play import Table, page_of

EDITS = {  # of the row of a game, of which the rounds are given as a list
    "no players": "UPDATE games SET seats = '[]' WHERE id = ?",
    "seats that are no list": "UPDATE games SET seats = '7' WHERE id = ?",
    "a player of no table": "UPDATE games SET seats = '[1, 2, 3, 99]' WHERE id = ?",
    "a player beyond all numbers": (
        "UPDATE games SET seats = '[1, 2, 3, 99999999999999999999]' WHERE id = ?"
    ),
    "a player who is a text": "UPDATE games SET seats = '[1, 2, 3, \"4\"]' WHERE id = ?",
    "no bids": "UPDATE games SET rounds = '[\n{}\n]' WHERE id = ?",
    "bids of nobody": "UPDATE games SET rounds = '[\n{\"bids\": [null]}\n]' WHERE id = ?",
    "a bid that is none": (
        'UPDATE games SET rounds = \'[\n{"bids": ["x", 2, 1, 4], "tricks": [3, 2, 1, 4]}\n]\' '
        "WHERE id = ?"
    ),
    "rules that are none": "UPDATE games SET rule_values = '{}' WHERE id = ?",
}


@pytest.fixture(params=EDITS)
def damaged(game: Table, request: pytest.FixtureRequest) -> str:
    """The id of a damaged game of a table, which plays another one."""
    game.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    other = game.game_id
    game.new_game()
    game.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    with game.store.write() as db:
        db.execute(EDITS[request.param], [other])
    return other


def shown(answer: TestResponse) -> str:
    return page_of(answer).text


def test_its_page_says_what_to_do(game: Table, damaged: str) -> None:
    for end in ("", ".csv", "/sheet", "/rules", "/rounds/1", "/result"):
        answer = game.client.get(f"/games/{damaged}{end}")
        assert answer.status_code == 503
        assert "can’t be read: its data is damaged" in shown(answer)
        assert "scorekeeper restore" in shown(answer)
    assert game.client.get(f"/games/{damaged}/phone.json").status_code == 503


def test_the_other_games_go_on(game: Table, damaged: str) -> None:
    for path in ("/", "/history", "/players", "/games/new", "/phone.json", game.path):
        answer = game.get(path)
        assert answer.status_code == 200, path
    page = game.page("/history")
    assert page.texts("p[@class='error']") == ["A game here can’t be read. What to do"]
    assert page.all(f"a[@href='/games/{damaged}']")
    assert game.play_round((3, 2, 1, 4), (3, 2, 1, 4)).status_code == 303


def test_the_other_games_are_exported(game: Table, damaged: str) -> None:
    sheet = game.get("/history.csv").get_data(as_text=True)
    assert game.game_id in sheet
    assert damaged not in sheet
    games = json.loads(game.get("/history.json").data)["games"]
    assert [one["id"] for one in games] == [game.game_id]
