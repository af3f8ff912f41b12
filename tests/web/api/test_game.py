"""GET /api/games/<id>: a game, and whether it has changed."""

import pytest

from tests.web.api.caller import Caller


def test_a_round_tells_the_facts_and_each_part_of_the_score(one_round: Caller) -> None:
    (round_,) = one_round.game["rounds"]
    assert (round_["round"], round_["dealer"]) == (1, 4)
    entered = (round_["bids"], round_["tricks"], round_["tally"])
    assert entered == ([3, 2, "nil", 4], [3, 4, 0, 3], None)
    north, east, south, west = round_["scores"]
    assert (north["contract_points"], north["made"], north["points"]) == (30, True, 30)
    assert (east["overtrick_points"], east["overtricks"], east["bags"]) == (2, 2, 2)
    assert (south["nil_points"], south["made"], south["contract"]) == (50, None, 0)
    assert (west["contract_points"], west["made"], west["total"]) == (-40, False, -40)
    for score in round_["scores"]:
        parts = ("nil_points", "contract_points", "overtrick_points", "bag_penalty")
        assert sum(score[part] for part in parts) == score["points"]


def test_the_next_round_is_told_too(one_round: Caller) -> None:
    game = one_round.game
    assert (game["phase"], game["round"], game["dealer"]) == ("bidding", 2, 1)
    assert game["bidding_order"] == [2, 3, 4, 1]
    assert (game["totals"], game["bags"]) == ([30, 22, 50, -40], [0, 2, 0, 0])


def test_bids_on_the_way_and_counts_of_a_phone_are_told(api: Caller) -> None:
    api.put(1, [3, 2, "nil", 4])
    phone = api.table
    phone.join()
    phone.game_id = api.game_id
    phone.take(5)
    round_ = api.game["rounds"][0]
    assert api.game["phase"] == "playing"
    assert (round_["tricks"], round_["scores"]) == (None, None)
    assert round_["tally"] == [5, None, None, None]


def test_warnings_are_told_by_sides(api: Caller) -> None:
    api.play(([1, 3, 2, 3], [5, 2, 1, 2]))
    assert {"kind": "danger", "text": "2 bags to −10"} in api.game["warnings"][0]
    assert api.game["warnings"][1] == []


def test_partners_score_together(nobody: Caller) -> None:
    nobody.start(rules="partnership", first_dealer=4)
    nobody.play(([3, 3, 3, 3], [4, 3, 3, 3]))
    game = nobody.game
    assert game["sides"] == [[1, 3], [2, 4]]
    assert game["totals"] == [61, 60]
    assert len(game["rounds"][0]["scores"]) == 2


def test_the_winner_is_told(nobody: Caller) -> None:
    nobody.start(house_rules={"target": 30})
    nobody.play(([3, 2, "nil", 4], [4, 2, 1, 3]))
    game = nobody.game
    assert game["phase"] == "over"
    assert game["outcome"] == {"reason": "target", "winner": 1, "winners": [1], "tied": []}
    assert game["round"] == 1


def test_all_who_share_a_win_are_told(nobody: Caller) -> None:
    nobody.start(house_rules={"rounds": 1, "tie_at_limit": "shared"})
    nobody.play(([3, 3, 3, 1], [3, 3, 3, 1]))
    outcome = {"reason": "rounds", "winner": 1, "winners": [1, 2, 3], "tied": [1, 2, 3]}
    assert nobody.game["outcome"] == outcome


def test_a_tie_plays_on(nobody: Caller) -> None:
    nobody.start(house_rules={"target": 30})
    nobody.play(([3, 3, 3, 1], [3, 3, 3, 1]))
    game = nobody.game
    assert game["phase"] == "bidding"
    assert game["outcome"] == {"reason": "target", "winner": None, "winners": [], "tied": [1, 2, 3]}


def test_a_round_after_the_end_has_no_scores(nobody: Caller) -> None:
    nobody.start(house_rules={"target": 60})
    nobody.play(([3, 2, 1, 4], [3, 2, 1, 4]), ([3, 2, 1, 4], [3, 2, 1, 4]))
    nobody.put(1, [3, 2, 1, 7], [1, 1, 1, 7])
    first, second = nobody.game["rounds"]
    assert first["scores"][3]["total"] == 70
    assert second["scores"] is None


def test_the_tag_is_the_version(one_round: Caller) -> None:
    answer = one_round.call("GET", one_round.path)
    assert answer.headers["ETag"] == f'"{answer.json["version"]}"' == '"2"'


@pytest.mark.parametrize("header", ['"2"', 'W/"2"', '"1", "2"', "*"])
def test_whoever_has_this_version_is_told_nothing_more(one_round: Caller, header: str) -> None:
    answer = one_round.call("GET", one_round.path, headers={"If-None-Match": header})
    assert answer.status_code == 304
    assert answer.data == b""
    assert answer.headers["ETag"] == '"2"'


@pytest.mark.parametrize("header", ['"1"', '"02"', "", "\xff", '"2', ","])
def test_whoever_has_another_version_is_told_the_game(one_round: Caller, header: str) -> None:
    answer = one_round.call("GET", one_round.path, headers={"If-None-Match": header})
    assert answer.status_code == 200
    assert answer.json["version"] == 2


def test_a_head_tells_the_version_alone(one_round: Caller) -> None:
    answer = one_round.call("HEAD", one_round.path)
    assert (answer.status_code, answer.headers["ETag"], answer.data) == (200, '"2"', b"")


def test_names_come_as_they_are(nobody: Caller) -> None:
    nobody.start(players=["<b>", "Zoë", "=1+1", "♠"])
    answer = nobody.call("GET", nobody.path)
    assert answer.content_type == "application/json"
    assert answer.json["players"] == ["<b>", "Zoë", "=1+1", "♠"]
    assert "Zoë" in answer.get_data(as_text=True)


def test_a_long_game_is_sent_compressed(one_round: Caller) -> None:
    answer = one_round.call("GET", one_round.path, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["ETag"] == '"2"'
