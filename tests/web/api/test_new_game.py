"""POST /api/games: starting a game."""

from typing import Any

import pytest

from tests.web.api.caller import NEW_GAME, Caller, details
from tests.web.play import CENTRE, EAST, NORTH, PLAYERS, SOUTH, WEST


def test_the_answer_is_the_game_and_says_where_it_is(nobody: Caller) -> None:
    answer = nobody.start()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/api/games/{answer.json['id']}" == answer.json["url"]
    assert answer.headers["ETag"] == '"1"'
    assert nobody.call("GET", answer.headers["Location"]).json == answer.json


def test_a_new_game_waits_for_the_first_bid(nobody: Caller) -> None:
    nobody.start(stake="2.50", house_rules={"target": 200, "mercy": -100})
    game = nobody.game
    assert game["players"] == [NORTH, EAST, SOUTH, WEST]
    assert (game["phase"], game["round"], game["version"]) == ("bidding", 1, 1)
    assert (game["first_dealer"], game["dealer"], game["bidding_order"]) == (4, 4, [1, 2, 3, 4])
    assert (game["totals"], game["bags"], game["rounds"]) == ([0] * 4, [0] * 4, [])
    assert game["house_rules"] == {"target": 200, "mercy": -100}
    assert (game["rules"]["values"]["target"], game["rules"]["values"]["mercy"]) == (200, -100)
    assert (game["stake"], game["outcome"]) == ("2.50", None)


def test_the_page_of_the_game_shows_it_too(nobody: Caller) -> None:
    nobody.start()
    nobody.table.join()
    nobody.table.game_id = nobody.game_id
    assert NORTH in nobody.table.page().text


def test_what_was_shown_can_be_sent_again(nobody: Caller) -> None:
    nobody.start(house_rules={"target": 200, "bag_limit": None, "bids_may_equal_tricks": False})
    game = nobody.game
    sent = {name: game[name] for name in ("house_rules", "players", "first_dealer", "stake")}
    nobody.start(rules=game["rules"]["key"], **sent)
    assert nobody.game["rules"] == game["rules"]
    assert nobody.game["house_rules"] == game["house_rules"]


@pytest.mark.parametrize(
    ("value", "name", "kept"),
    [
        (200, "target", 200),
        (None, "overtrick_cap", None),
        (True, "first_round_bids_itself", True),
        (False, "bids_may_equal_tricks", False),
        ("kept", "bag_remainder", "kept"),
        ("random", "first_dealer", "random"),
    ],
    ids=repr,
)
def test_a_house_rule_is_a_number_a_word_or_a_switch(
    nobody: Caller, value: object, name: str, kept: object
) -> None:
    assert nobody.start(house_rules={name: value}).status_code == 201
    assert nobody.game["rules"]["values"][name] == kept


@pytest.mark.parametrize(
    ("stake", "kept"),
    [(5, "5"), ("5", "5"), ("2.50", "2.50"), ("2,5", "2.50"), (0, None), ("0", None), (None, None)],
    ids=repr,
)
def test_a_stake_is_an_amount(nobody: Caller, stake: object, kept: str | None) -> None:
    assert nobody.start(stake=stake).status_code == 201
    assert nobody.game["stake"] == kept


def test_members_that_are_null_are_as_if_they_were_not_there(nobody: Caller) -> None:
    nobody.start(house_rules=None, first_dealer=None, stake=None)
    assert nobody.game["first_dealer"] == 4


def test_the_first_dealer_can_be_chosen(nobody: Caller) -> None:
    nobody.start(rules="partnership", first_dealer=2)
    assert (nobody.game["dealer"], nobody.game["bidding_order"]) == (2, [3, 4, 1, 2])
    assert nobody.game["sides"] == [[1, 3], [2, 4]]


def test_where_the_book_draws_the_first_dealer_one_is_drawn(nobody: Caller) -> None:
    drawn = {nobody.start(rules="cutthroat").json["first_dealer"] for _ in range(60)}
    assert drawn == {1, 2, 3, 4}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_table_can_have_any_size_the_book_allows(nobody: Caller, players: int) -> None:
    assert nobody.start(players=list(PLAYERS[:players])).status_code == 201
    assert nobody.game["first_dealer"] == players


def test_every_rule_book_takes_house_rules(nobody: Caller) -> None:
    answer = nobody.start(rules="partnership", house_rules={"target": 300})
    assert answer.status_code == 201
    assert nobody.game["house_rules"] == {"target": 300}


def test_six_get_as_many_cards_as_the_deck_has(nobody: Caller) -> None:
    assert nobody.start(players=[*PLAYERS, "Sixth"]).status_code == 201
    assert nobody.game["house_rules"] == {"tricks": 8}
    rows = "".join(f"1,{name},1,{8 if name == NORTH else 0}\n" for name in [*PLAYERS, "Sixth"])
    sheet = f"round,player,bid,tricks\n{rows}".encode()
    answer = nobody.call("POST", "import", data=sheet, headers={"Content-Type": "text/csv"})
    assert answer.status_code == 200


def test_names_are_kept_as_people_write_them(nobody: Caller) -> None:
    nobody.start(players=["Zoë", "  Ana  María ", "محمد", "♠"])
    assert nobody.game["players"] == ["Zoë", "Ana María", "محمد", "♠"]


REFUSED: list[tuple[dict[str, Any], list[tuple[int | None, str]]]] = [
    ({"rules": "whist"}, [(None, "rules")]),
    ({"players": [NORTH]}, [(None, "players")]),
    ({"players": []}, [(None, "players")]),
    ({"players": [*PLAYERS, "Sixth"], "house_rules": {"tricks": 10}}, [(None, "tricks")]),
    ({"players": list("ABCDEFGH")}, [(None, "players")]),
    ({"players": [NORTH, EAST, SOUTH, "north"]}, [(4, "player")]),
    ({"players": [NORTH, "\u202eEast", SOUTH, "\x00"]}, [(2, "player"), (4, "player")]),
    ({"rules": "partnership", "players": list(PLAYERS)}, [(None, "players")]),
    ({"first_dealer": 5}, [(None, "first_dealer")]),
    ({"first_dealer": 0}, [(None, "first_dealer")]),
    ({"first_dealer": -1}, [(None, "first_dealer")]),
    ({"stake": -5}, [(None, "stake")]),
    ({"stake": "much"}, [(None, "stake")]),
    ({"stake": 100_000}, [(None, "stake")]),
    ({"house_rules": {"target": 0}}, [(None, "target")]),
    ({"house_rules": {"target": None}}, [(None, "target")]),
    ({"house_rules": {"target": True}}, [(None, "target")]),
    ({"house_rules": {"mercy": 5}}, [(None, "mercy")]),
    ({"house_rules": {"bids_may_equal_tricks": 1}}, [(None, "bids_may_equal_tricks")]),
    ({"house_rules": {"bag_penalty": None}}, [(None, "bag_penalty")]),
    ({"house_rules": {"tricks": 18}}, [(None, "tricks")]),
    ({"players": list(PLAYERS), "house_rules": {"tricks": 11}}, [(None, "tricks")]),
    ({"house_rules": {"players": [2, 3]}}, [(None, "players")]),
    ({"house_rules": {"players": [3, 2]}}, [(None, "players")]),
    (
        {"rules": "whist", "players": [NORTH], "first_dealer": 9, "stake": "x"},
        [(None, "rules"), (None, "first_dealer"), (None, "stake")],
    ),
]


@pytest.mark.parametrize(("members", "faults"), REFUSED, ids=[str(m) for m, _ in REFUSED])
def test_what_the_rules_do_not_allow_is_422_with_every_fault(
    refused: Caller, members: dict[str, Any], faults: list[tuple[int | None, str]]
) -> None:
    before = refused.everything()
    answer = refused.start(**members)
    assert answer.status_code == 422
    assert answer.json["type"] == "/api#refused"
    assert details(answer) == faults
    assert all(one["detail"].endswith(".") for one in answer.json["errors"])
    assert refused.everything() == before


MALFORMED: list[tuple[dict[str, Any], str]] = [
    ({"rules": None}, "rules"),
    ({"rules": 7}, "rules"),
    ({"rules": ""}, "rules"),
    ({"rules": "x" * 41}, "rules"),
    ({"players": None}, "players"),
    ({"players": {}}, "players"),
    ({"players": "North"}, "players"),
    ({"players": [NORTH, EAST, SOUTH, 4]}, "Seat 4 in “players” must be a name of 1 to 40"),
    ({"players": [NORTH, EAST, SOUTH, None]}, "Seat 4 in “players”"),
    ({"players": [NORTH, "", SOUTH]}, "Seat 2 in “players”"),
    ({"players": [NORTH, EAST, SOUTH, WEST, "  "]}, "Seat 5 in “players”"),
    ({"players": [NORTH, EAST, SOUTH, "W" * 41]}, "Seat 4 in “players”"),
    ({"first_dealer": "1"}, "first_dealer"),
    ({"first_dealer": True}, "first_dealer"),
    ({"first_dealer": [1]}, "first_dealer"),
    ({"stake": True}, "stake"),
    ({"stake": ""}, "stake"),
    ({"stake": [5]}, "stake"),
    ({"house_rules": []}, "house_rules"),
    ({"house_rules": "target=200"}, "house_rules"),
    ({"house_rules": {"target": [200]}}, "“target” must be a whole number from 1"),
    ({"house_rules": {"target": {}}}, "“target” must be a whole number"),
    ({"house_rules": {"target": "2" * 41}}, "“target” must be a whole number"),
    (
        {"house_rules": {"bag_limit": ""}},
        "“bag_limit” must be a whole number from 1 to 1000, or off.",
    ),
    ({"house_rules": {"bag_limit": "  "}}, "“bag_limit” must be a whole number"),
    ({"house_rules": {"bag_remainder": ""}}, "“bag_remainder” must be one of: dropped, kept."),
    ({"house_rules": {"bag_remainder": " kept"}}, "spaces around it"),
    ({"house_rules": {"target": "200"}}, "“target” must be a whole number"),
    ({"house_rules": {"overtrick_cap": "off"}}, "“overtrick_cap” must be a whole number"),
    ({"house_rules": {"bids_may_equal_tricks": "no"}}, "bids_may_equal_tricks"),
    ({"house_rules": {"targte": 200}}, "Unknown member “targte”"),
    ({"house_rules": {"": 1, "player-2": 2}}, "Unknown members “”, “player-2”"),
    ({"house_rule": {"target": 200}}, "Unknown member “house_rule”"),
    ({"Players": [CENTRE]}, "Unknown member “Players”"),
    ({"a": 1, "b": 2}, "Unknown members “a”, “b”"),
]


@pytest.mark.parametrize(("members", "word"), MALFORMED, ids=[str(m) for m, _ in MALFORMED])
def test_what_is_malformed_is_400_and_named(
    refused: Caller, members: dict[str, Any], word: str
) -> None:
    before = refused.everything()
    answer = refused.start(**members)
    assert answer.status_code == 400
    assert word in answer.json["detail"]
    assert refused.everything() == before


@pytest.mark.parametrize("missing", ["rules", "players"])
def test_a_missing_member_is_named(refused: Caller, missing: str) -> None:
    body = {name: value for name, value in NEW_GAME.items() if name != missing}
    answer = refused.call("POST", "games", json=body)
    assert answer.status_code == 400
    assert f"“{missing}”" in answer.json["detail"]


def test_sent_twice_it_is_two_games(nobody: Caller) -> None:
    assert nobody.start().json["id"] != nobody.start().json["id"]


# Sent again

ASKED = {"Idempotency-Key": "f3a9-the-first-of-the-evening"}


def test_the_same_key_and_body_start_one_game(nobody: Caller) -> None:
    first, second = (
        nobody.call("POST", "games", json=NEW_GAME, headers=ASKED) for _time in range(2)
    )
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.headers["Location"] == second.headers["Location"]
    assert nobody.table.count("games") == 1


def test_the_answer_to_the_second_shows_the_game_as_it_is_now(nobody: Caller) -> None:
    nobody.game_id = nobody.call("POST", "games", json=NEW_GAME, headers=ASKED).json["id"]
    nobody.put(1, [3, 2, "nil", 4])
    again = nobody.call("POST", "games", json=NEW_GAME, headers=ASKED)
    assert again.json == nobody.game
    assert again.headers["ETag"] == '"2"'


def test_without_a_key_each_request_starts_a_game(nobody: Caller) -> None:
    assert len({nobody.start().headers["Location"] for _time in range(2)}) == 2


def test_another_table_may_use_the_same_key(nobody: Caller, guest: Caller) -> None:
    one, other = (c.call("POST", "games", json=NEW_GAME, headers=ASKED) for c in (nobody, guest))
    assert one.headers["Location"] != other.headers["Location"]


def test_the_same_key_with_another_body_is_refused(nobody: Caller) -> None:
    nobody.call("POST", "games", json=NEW_GAME, headers=ASKED)
    before = nobody.everything()
    answer = nobody.call("POST", "games", json={**NEW_GAME, "stake": 5}, headers=ASKED)
    assert answer.status_code == 422
    assert answer.json["errors"][0]["code"] == "idempotency_key"
    assert "Use a new one" in answer.json["detail"]
    assert nobody.everything() == before


def test_a_game_removed_since_is_not_started_again(nobody: Caller) -> None:
    nobody.game_id = nobody.call("POST", "games", json=NEW_GAME, headers=ASKED).json["id"]
    nobody.table.join()
    nobody.table.game_id = nobody.game_id
    nobody.table.send(nobody.table.page(f"{nobody.table.path}/removal").form("/removal"))
    answer = nobody.call("POST", "games", json=NEW_GAME, headers=ASKED)
    assert answer.status_code == 422
    assert answer.json["errors"][0]["code"] == "removed"


@pytest.mark.parametrize("key", ["", "two words", "é", "x" * 65, "a\tb"])
def test_a_key_that_is_none_is_refused(refused: Caller, key: str) -> None:
    before = refused.everything()
    answer = refused.call("POST", "games", json=NEW_GAME, headers={"Idempotency-Key": key})
    assert answer.status_code == 400
    assert refused.everything() == before
