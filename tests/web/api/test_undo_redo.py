"""POST /api/games/<id>/undo and /redo."""

import pytest

from scorekeeper.store.changes import changes_of
from scorekeeper.store.tables import new_server_link, table_of_join_key
from tests.store.disagreements import disagreements
from tests.web.api.caller import BIDS, TRICKS, Caller

BOTH = pytest.mark.parametrize("way", ["undo", "redo"])


def test_undo_takes_the_last_change_back_and_redo_brings_it_again(one_round: Caller) -> None:
    scored = one_round.game["rounds"]
    answer = one_round.walk("undo")
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"3"')
    assert answer.json["rounds"] == []
    answer = one_round.walk("redo")
    assert (answer.json["version"], answer.json["rounds"]) == (4, scored)
    assert disagreements(one_round.table.store.db) == []


def test_all_the_way_back_and_forth(api: Caller) -> None:
    api.play((BIDS, TRICKS), ([1, 2, 3, 3], [1, 2, 3, 4]), (BIDS, TRICKS))
    api.put(1, BIDS, [4, 3, 0, 3])
    end = api.game["rounds"]
    for _ in range(4):
        api.walk("undo")
    assert api.game["rounds"] == []
    for _ in range(4):
        api.walk("redo")
    assert api.game["rounds"] == end


@BOTH
def test_with_nothing_left_nothing_changes(api: Caller, way: str) -> None:
    before = api.everything()
    answer = api.walk(way)
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"1"')
    assert api.everything() == before


@BOTH
def test_on_an_old_version_it_is_412_with_the_game(one_round: Caller, way: str) -> None:
    one_round.walk("undo")
    before = one_round.everything()
    answer = one_round.walk(way, version=2)
    assert answer.status_code == 412
    assert answer.json["game"] == one_round.game
    assert one_round.everything() == before


@BOTH
def test_without_if_match_it_is_428(one_round: Caller, way: str) -> None:
    assert one_round.call("POST", f"{one_round.path}/{way}").status_code == 428


@BOTH
def test_a_body_is_not_expected(one_round: Caller, way: str) -> None:
    path = f"{one_round.path}/{way}"
    before = one_round.everything()
    assert one_round.call("POST", path, version=2, json={"steps": 2}).status_code == 400
    assert one_round.call("POST", path, version=2, data={"steps": 2}).status_code == 415
    assert one_round.everything() == before


@BOTH
def test_looking_at_it_changes_nothing(one_round: Caller, way: str) -> None:
    before = one_round.everything()
    for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH"):
        answer = one_round.call(method, f"{one_round.path}/{way}", version=2)
        assert answer.status_code == 405
        assert "POST" in answer.headers["Allow"]
    assert one_round.everything() == before


def test_a_change_on_a_phone_is_undone_too(one_round: Caller) -> None:
    phone = one_round.table
    phone.join()
    phone.game_id = one_round.game_id
    phone.bid(3)
    assert len(one_round.walk("undo").json["rounds"]) == 1


def test_the_changes_say_by_which_key_they_were_made(one_round: Caller) -> None:
    one_round.walk("undo")
    one_round.walk("redo")
    one_round.delete(1)
    one_round.table.join()
    page = one_round.table.page(f"/games/{one_round.game_id}/changes")
    assert page.texts("li/small") == ["a link"] * 5


def test_a_program_with_the_printed_link_is_told_as_a_program(api: Caller) -> None:
    store = api.table.store
    api.key = new_server_link(store)
    api.table.id = table_of_join_key(store.db, api.key) or ""
    assert api.start().status_code == 201
    change = changes_of(store.db, api.stored)[0]
    assert change.phone == "API"
