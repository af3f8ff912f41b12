"""POST /api/games/<id>/end."""

from tests.web.api.caller import BIDS, Caller, details


def test_the_game_ends_with_its_newest_scored_round(one_round: Caller) -> None:
    one_round.put(2, BIDS, None)
    answer = one_round.walk("end")
    assert answer.status_code == 200
    assert (answer.json["outcome"]["reason"], len(answer.json["rounds"])) == ("last_round", 1)
    assert one_round.walk("undo").json["rounds"][1]["bids"] == BIDS


def test_a_tie_that_would_play_on_is_shared(api: Caller) -> None:
    api.play(([2, 2, 2, 2], [2, 2, 3, 3]))
    assert api.walk("end").json["outcome"]["winners"] == [3, 4]
    assert api.walk("undo").json["outcome"] is None


def test_the_same_again_changes_nothing(one_round: Caller) -> None:
    version = one_round.version
    first = one_round.walk("end")
    assert one_round.walk("end", version=version).json == first.json


def test_without_a_scored_round_it_is_refused(api: Caller) -> None:
    answer = api.walk("end")
    assert answer.status_code == 422
    assert details(answer) == [(None, "end_now")]


def test_on_an_old_version_it_is_412(one_round: Caller) -> None:
    version = one_round.version
    one_round.put(2, BIDS, None)
    assert one_round.walk("end", version=version).status_code == 412
