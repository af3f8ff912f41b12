"""DELETE /api/games/<id>/rounds/<n>: taking the newest round away."""

import pytest

from tests.store.disagreements import disagreements
from tests.web.api.caller import BIDS, TRICKS, Caller, details


def test_the_newest_round_goes(one_round: Caller) -> None:
    answer = one_round.delete(1)
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"3"')
    assert answer.json == one_round.game
    assert (answer.json["rounds"], answer.json["totals"]) == ([], [0] * 4)
    assert disagreements(one_round.table.store.db) == []


def test_undo_brings_it_back_and_redo_takes_it_again(one_round: Caller) -> None:
    before = one_round.game["rounds"]
    one_round.delete(1)
    assert one_round.walk("undo").json["rounds"] == before
    assert one_round.walk("redo").json["rounds"] == []
    assert disagreements(one_round.table.store.db) == []


def test_another_round_can_take_its_place(one_round: Caller) -> None:
    one_round.delete(1)
    assert one_round.put(1, BIDS, [3, 2, 1, 4]).json["totals"] == [30, 20, -49, 40]
    one_round.walk("undo")
    assert one_round.walk("undo").json["totals"] == [30, 22, 50, -40]


def test_a_round_on_the_way_goes_too(one_round: Caller) -> None:
    one_round.put(2, [3, None, None, None])
    answer = one_round.delete(2)
    assert len(answer.json["rounds"]) == 1


def test_the_end_of_a_game_can_be_taken_away(nobody: Caller) -> None:
    nobody.start(house_rules={"target": 30})
    nobody.play((BIDS, TRICKS))
    answer = nobody.delete(1)
    assert (answer.json["phase"], answer.json["outcome"]) == ("bidding", None)
    assert disagreements(nobody.table.store.db) == []


def test_an_older_round_stays(api: Caller) -> None:
    api.play((BIDS, TRICKS), (BIDS, TRICKS))
    before = api.everything()
    assert details(api.delete(1)) == [(None, "newest")]
    assert api.everything() == before


def test_on_an_old_version_it_is_412_with_the_game(api: Caller) -> None:
    api.play((BIDS, TRICKS), (BIDS, TRICKS))
    before = api.everything()
    for number in (1, 2):
        answer = api.delete(number, version=2)
        assert answer.status_code == 412
        assert answer.json["game"] == api.game
    assert api.everything() == before


@pytest.mark.parametrize("number", [2, 9999, 0, "x"])
def test_a_round_that_is_not_there_is_404(one_round: Caller, number: int | str) -> None:
    assert one_round.delete(number).status_code == 404


def test_sent_again_it_is_404(one_round: Caller) -> None:
    one_round.delete(1, version=2)
    after = one_round.everything()
    assert one_round.delete(1, version=2).status_code == 404
    assert one_round.everything() == after


def test_without_if_match_it_is_428(one_round: Caller) -> None:
    assert one_round.call("DELETE", f"{one_round.path}/rounds/1").status_code == 428


def test_a_body_is_not_expected(one_round: Caller) -> None:
    path = f"{one_round.path}/rounds/1"
    assert one_round.call("DELETE", path, version=2, json={"all": True}).status_code == 400
    assert one_round.call("DELETE", path, version=2, data="all").status_code == 415
    assert one_round.call("DELETE", path, version=2, json={}).status_code == 200


def test_the_journal_says_so(one_round: Caller) -> None:
    one_round.delete(1)
    phone = one_round.table
    phone.join()
    text = phone.page(f"/games/{one_round.game_id}/changes").text
    assert "round removed" in text
