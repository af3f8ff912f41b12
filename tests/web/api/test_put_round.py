"""PUT /api/games/<id>/rounds/<n>: recording a round, and correcting one."""

from collections.abc import Sequence
from copy import copy
from typing import Any

import pytest
from werkzeug.test import TestResponse

from scorekeeper.store.changes import changes_of
from tests.store.disagreements import disagreements
from tests.web.api.caller import BIDS, TRICKS, Caller, details
from tests.web.play import Table

HALF = [3, None, None, None]


def test_bids_and_tricks_at_once_score_the_round(api: Caller) -> None:
    answer = api.put(1, BIDS, TRICKS)
    assert answer.status_code == 200
    assert answer.headers["ETag"] == '"2"'
    assert answer.json == api.game
    assert answer.json["totals"] == [30, 22, 50, -40]
    assert disagreements(api.table.store.db) == []


def test_the_first_round_has_the_totals_that_the_game_begins_with(api: Caller) -> None:
    begun = {"start": [120, -35, 0, 5], "start_bags": [2, 0, 0, 0]}
    answer = api.call(
        "PUT",
        f"games/{api.game_id}/rounds/1",
        version=1,
        json={"bids": [None] * 4, "tricks": None, **begun},
    )
    assert answer.json["totals"] == [120, -35, 0, 5]
    assert {name: answer.json["rounds"][0][name] for name in begun} == begun
    wrong = {"bids": BIDS, "tricks": TRICKS, "start": [1, 2]}
    answer = api.call("PUT", f"games/{api.game_id}/rounds/1", version=2, json=wrong)
    assert answer.status_code == 422


def test_the_suit_that_was_turned_is_a_note_of_the_round(api: Caller) -> None:
    api.start(rules="oh-hell")
    entry = {"bids": [None] * 4, "tricks": None, "trump": "c"}
    address = f"games/{api.game_id}/rounds/1"
    answer = api.call("PUT", address, version=1, json=entry)
    assert answer.status_code == 200
    assert answer.json["rounds"][0]["trump"] == "c"
    answer = api.call("PUT", address, version=2, json={**entry, "trump": None})
    assert "trump" not in (answer.json["rounds"] or [{}])[0]
    answer = api.call("PUT", address, version=3, json={**entry, "trump": "hearts"})
    assert answer.status_code == 422
    answer = api.call("PUT", address, version=3, json={**entry, "trump": 3})
    assert answer.status_code == 400


def test_bids_come_one_by_one(api: Caller) -> None:
    for seat in range(4):
        api.put(1, BIDS[: seat + 1] + [None] * (3 - seat))
        assert api.game["phase"] == ("playing" if seat == 3 else "bidding")
    assert api.put(1, BIDS, TRICKS).json["round"] == 2
    assert api.version == 6


def test_the_same_again_changes_nothing_whatever_the_version(api: Caller) -> None:
    api.play((BIDS, TRICKS), (BIDS, TRICKS))
    before = api.everything()
    for version in (1, 2, 3, 99):
        answer = api.put(1, BIDS, TRICKS, version=version)
        assert (answer.status_code, answer.headers["ETag"]) == (200, '"3"')
    assert api.everything() == before


def test_no_bid_at_all_in_a_new_round_changes_nothing(one_round: Caller) -> None:
    assert one_round.put(2, [None] * 4).headers["ETag"] == '"2"'


def test_a_past_round_is_corrected_and_all_after_it_scored_again(api: Caller) -> None:
    api.play((BIDS, TRICKS), (BIDS, TRICKS), (BIDS, TRICKS))
    answer = api.put(2, BIDS, [3, 2, 1, 4])
    assert answer.json["totals"] == [90, 64, 51, -40]
    assert [one["scores"][3]["total"] for one in answer.json["rounds"]] == [-40, 0, -40]
    assert disagreements(api.table.store.db) == []


def test_a_change_on_an_old_version_is_412_with_the_game_as_it_is(one_round: Caller) -> None:
    before = one_round.everything()
    answer = one_round.put(1, BIDS, [4, 3, 0, 3], version=1)
    assert answer.status_code == 412
    assert answer.json["type"] == "/api#stale"
    assert answer.json["game"] == one_round.game
    assert one_round.everything() == before


@pytest.mark.parametrize("version", [1, 3, 0, 999_999_999])
def test_any_version_but_the_present_one_is_old(one_round: Caller, version: int) -> None:
    assert one_round.put(2, HALF, version=version).status_code == 412


def test_of_two_programs_that_bid_for_different_seats_the_second_must_look(api: Caller) -> None:
    api.put(1, HALF, version=1)
    answer = api.put(1, [None, 2, None, None], version=1)
    assert answer.status_code == 412
    assert answer.json["game"]["rounds"][0]["bids"] == HALF


def test_without_if_match_it_is_428(one_round: Caller) -> None:
    before = one_round.everything()
    body = {"bids": BIDS, "tricks": TRICKS}
    answer = one_round.call("PUT", f"{one_round.path}/rounds/2", json=body)
    assert answer.status_code == 428
    assert answer.json["detail"] == "Send the ETag in If-Match."
    assert one_round.everything() == before


@pytest.mark.parametrize(
    "header", ["2", "*", '"2', '"x"', '"1", "2"', '"-1"', '""', '"٢"', '"1234567890"', 'w/"2"']
)
def test_a_malformed_if_match_is_400(refused: Caller, header: str) -> None:
    options = {"json": {"bids": BIDS, "tricks": TRICKS}, "headers": {"If-Match": header}}
    answer = refused.call("PUT", f"{refused.path}/rounds/1", **options)
    assert answer.status_code == 400
    assert "If-Match" in answer.json["detail"]


def test_a_tag_made_weak_on_the_way_counts(one_round: Caller) -> None:
    options = {"json": {"bids": BIDS, "tricks": TRICKS}, "headers": {"If-Match": 'W/"2"'}}
    answer = one_round.call("PUT", f"{one_round.path}/rounds/2", **options)
    assert answer.headers["ETag"] == '"3"'


REFUSED: list[tuple[str, list[Any], list[int] | None, list[tuple[int | None, str]]]] = [
    ("cutthroat-lite", [0, 2, 3, 4], None, [(1, "range")]),
    ("cutthroat-lite", [11, 2, -3, 99_999_999], None, [(1, "range"), (3, "range"), (4, "range")]),
    ("cutthroat-lite", [11, None, None, None], None, [(1, "range")]),
    ("cutthroat-lite", ["blind nil", 2, 3, 4], None, [(1, "blind_nil")]),
    ("cutthroat-lite", [None, 2, 3, 4], TRICKS, [(1, "missing")]),
    ("cutthroat-lite", [None] * 4, TRICKS, [(seat, "missing") for seat in (1, 2, 3, 4)]),
    ("cutthroat-lite", BIDS, [3, 4, 0, 2], [(None, "sum")]),
    ("cutthroat-lite", BIDS, [3, 4, -1, 4], [(3, "tricks_range")]),
    ("cutthroat-lite", BIDS, [11, 0, 0, 0], [(1, "tricks_range")]),
    ("cutthroat-lite", [0, 2, 3, 4], [3, 4, 0, 2], [(1, "range"), (None, "sum")]),
    ("cutthroat", [3, 3, 3, 4], None, [(4, "hook")]),
    ("cutthroat", [3, 3, 3, 4], [3, 3, 3, 4], [(4, "hook")]),
    ("partnership", ["blind nil", None, None, None], None, [(1, "blind_nil_deficit")]),
    ("partnership", ["blind 6", None, None, None], None, [(1, "blind_bid")]),
    ("partnership-sandbags", [14, 14, 1, 1], None, [(1, "range"), (2, "range")]),
]


@pytest.mark.parametrize(("rules", "bids", "tricks", "faults"), REFUSED, ids=repr)
def test_what_the_rules_refuse_is_422_seat_by_seat(
    refused: Caller,
    rules: str,
    bids: list[Any],
    tricks: list[int] | None,
    faults: list[tuple[int | None, str]],
) -> None:
    program = copy(refused)
    program.start(rules=rules)
    before = program.everything()
    answer = program.put(1, bids, tricks)
    assert answer.status_code == 422
    assert answer.json["type"] == "/api#refused"
    assert details(answer) == faults
    assert program.everything() == before


def test_a_hooked_number_is_free_while_others_have_not_bid(nobody: Caller) -> None:
    nobody.start(rules="cutthroat")
    assert nobody.put(1, [None, 9, 4, None]).status_code == 200


def test_a_round_that_bids_itself_takes_tricks_alone(nobody: Caller) -> None:
    nobody.start(house_rules={"first_round_bids_itself": True})
    assert details(nobody.put(1, HALF)) == [(None, "bids_itself")]
    assert details(nobody.put(1, BIDS, TRICKS)) == [(None, "bids_itself")]
    assert nobody.put(1, [None] * 4, TRICKS).json["totals"] == [30, 40, 0, 30]
    assert nobody.put(2, BIDS, TRICKS).status_code == 200


def test_a_round_without_tricks_again_is_being_played(one_round: Caller) -> None:
    answer = one_round.put(1, BIDS)
    assert (answer.json["phase"], answer.json["round"]) == ("playing", 1)
    assert answer.json["totals"] == [0] * 4
    assert one_round.walk("undo").json["totals"] == [30, 22, 50, -40]


def test_a_round_under_others_keeps_its_tricks(api: Caller) -> None:
    api.play((BIDS, TRICKS), (BIDS, TRICKS))
    before = api.everything()
    assert details(api.put(1, BIDS)) == [(None, "tricks")]
    api.put(3, HALF)
    assert details(api.put(2, BIDS)) == [(None, "tricks")]
    api.walk("undo")
    assert api.game["round"] == 3
    assert len(api.everything()) == len(before)


def test_taking_every_bid_back_is_a_misdeal(api: Caller) -> None:
    api.put(1, BIDS)
    answer = api.put(1, [None] * 4)
    assert (answer.json["phase"], answer.json["dealer"]) == ("bidding", 4)
    assert changes_of(api.table.store.db, api.stored)[-1].kind == "misdeal"


def test_counts_of_a_phone_stay_until_a_bid_is_taken_back(api: Caller) -> None:
    api.put(1, BIDS)
    phone = a_phone(api)
    phone.take(5)
    assert api.put(1, [4, 2, "nil", 4]).json["rounds"][0]["tally"] == [5, None, None, None]
    assert api.put(1, [4, 2, "nil", None]).json["rounds"][0]["tally"] is None


def test_after_the_end_no_round_can_be_recorded(nobody: Caller) -> None:
    nobody.start(house_rules={"target": 30})
    nobody.play((BIDS, TRICKS))
    before = nobody.everything()
    answer = nobody.put(2, BIDS, TRICKS)
    assert details(answer) == [(None, "over")]
    assert "ended after round 1" in answer.json["errors"][0]["detail"]
    assert nobody.everything() == before


@pytest.mark.parametrize("number", [2, 3, 200, 9999])
def test_a_round_that_is_not_reached_yet_is_404(refused: Caller, number: int) -> None:
    before = refused.everything()
    assert refused.put(number, BIDS, TRICKS).status_code in (404, 422)
    assert refused.put(number).status_code in (404, 422)
    assert refused.everything() == before


@pytest.mark.parametrize("key", ["partnership", "partnership-sandbags", "partnership-500"])
def test_partners_may_send_nil_as_0(api: Caller, key: str) -> None:
    api.start(rules=key)
    assert api.put(1, [4, 0, 3, 5], [4, 0, 4, 5]).json["rounds"][0]["bids"] == [4, "nil", 3, 5]


def test_a_number_is_bid_blind_where_the_rules_have_it(api: Caller) -> None:
    golden = {"blind_bid_from": 6, "blind_trick_points": 20, "blind_set_points": 10}
    api.start(rules="partnership", house_rules=golden, first_dealer=4)
    answer = api.put(1, ["blind 6", 3, "blind 06", 1], [6, 3, 3, 1])
    assert answer.json["rounds"][0]["bids"] == ["blind 6", 3, "blind 6", 1]
    assert answer.json["totals"] == [-120, 40]
    assert details(api.put(2, ["blind 5", None, None, None])) == [(1, "blind_bid_from")]


@pytest.mark.parametrize("bid", ["blind", "blind 0", "blind  6", "blind 100", "blind ٦"])
def test_what_is_no_blind_bid_is_400(api: Caller, bid: str) -> None:
    api.start(rules="partnership", house_rules={"blind_bid_from": 1})
    assert api.put(1, [bid, None, None, None]).status_code == 400


@pytest.mark.parametrize(("key", "high"), [("cutthroat-lite", 10), ("cutthroat", 13)])
def test_0_is_refused_to_a_player_alone_with_the_hint(api: Caller, key: str, high: int) -> None:
    api.start(rules=key)
    answer = api.put(1, [3, 0, None, None])
    assert answer.status_code == 422
    [error] = answer.json["errors"]
    assert error["detail"] == f"Bid 1 to {high}, or Nil for no tricks at all."


@pytest.mark.parametrize("number", [0, "-1", "01", "x", "1.0", "10000", "٢", "9" * 400, "9" * 5000])
def test_what_is_no_round_is_404(refused: Caller, number: str) -> None:
    assert refused.put(number, BIDS, TRICKS).status_code == 404


MALFORMED: list[tuple[Any, Any, str]] = [
    ({}, None, "bids"),
    ("3", None, "bids"),
    (7, None, "bids"),
    (BIDS[:3], None, "needs 4 entries, one per seat, but has 3"),
    ([*BIDS, 1], None, "has 5"),
    ([], None, "has 0"),
    ([True, 2, 3, 4], None, "A bid is"),
    (["3", 2, 3, 4], None, "A bid is"),
    (["Nil", 2, 3, 4], None, "A bid is"),
    (["", 2, 3, 4], None, "A bid is"),
    ([[3], 2, 3, 4], None, "A bid is"),
    ([{}, 2, 3, 4], None, "A bid is"),
    (BIDS, {}, "tricks"),
    (BIDS, False, "tricks"),
    (BIDS, [3, 4, 0], "has 3"),
    (BIDS, [3, 4, 0, None], "“tricks” must be a whole number"),
    (BIDS, [3, 4, False, 3], "“tricks” must be a whole number"),
    (BIDS, [3, 4, "0", 3], "“tricks” must be a whole number"),
    (BIDS, [[], 4, 0, 3], "“tricks” must be a whole number"),
]


@pytest.mark.parametrize(("bids", "tricks", "sentence"), MALFORMED, ids=repr)
def test_what_is_malformed_is_400_and_named(
    refused: Caller, bids: Any, tricks: Any, sentence: str
) -> None:
    before = refused.everything()
    answer = refused.put(1, bids, tricks)
    assert answer.status_code == 400
    assert sentence in answer.json["detail"]
    assert refused.everything() == before


def test_tricks_must_be_said_even_when_there_are_none_yet(api: Caller) -> None:
    answer = api.call("PUT", f"{api.path}/rounds/1", version=1, json={"bids": BIDS})
    assert answer.status_code == 400
    assert "is missing “tricks”" in answer.json["detail"]


def test_the_journal_tells_what_a_program_did(one_round: Caller) -> None:
    one_round.put(1, BIDS, [4, 3, 0, 3])
    text = a_phone(one_round).page(f"/games/{one_round.game_id}/changes").text
    assert "scored; North bid 3" in text
    assert "North took 4, not 3; East took 3, not 4" in text
    assert "None" not in text


def a_phone(api: Caller) -> Table:
    """Return a phone that has joined the table and looks at the game."""
    phone = api.table
    phone.join()
    phone.game_id = api.game_id
    return phone


def put_with_substitutes(
    api: Caller, *substitutes: dict[str, object], bids: Sequence[object] = (None,) * 4
) -> TestResponse:
    body = {"bids": bids, "tricks": None, "substitutes": substitutes}
    return api.call("PUT", f"{api.path}/rounds/2", version=api.version, json=body)


def test_a_player_takes_a_seat_and_its_total(one_round: Caller) -> None:
    before = one_round.game
    answer = put_with_substitutes(one_round, {"seat": 4, "player": "Eve"})
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["players"] == [*before["players"][:3], "Eve"]
    assert answer.json["starters"] == before["players"]
    assert answer.json["totals"] == before["totals"]
    assert answer.json["rounds"][1]["substitutes"] == [{"seat": 4, "player": "Eve"}]
    one_round.put(2, BIDS, TRICKS)
    assert one_round.game["players"][3] == "Eve"
    assert disagreements(one_round.table.store.db) == []


def test_a_player_leaves(one_round: Caller) -> None:
    answer = put_with_substitutes(one_round, {"seat": 4, "player": None})
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["left"] == [4]
    assert answer.json["bidding_order"] == [2, 3, 1]
    assert answer.json["rounds"][1]["substitutes"] == [{"seat": 4, "player": None}]
    one_round.put(2, [*BIDS[:3], None], [4, 3, 3, 0])
    assert one_round.game["totals"][3] == answer.json["totals"][3]
    assert disagreements(one_round.table.store.db) == []


def test_counts_go_where_a_player_leaves_as_the_cards_are_dealt_again(one_round: Caller) -> None:
    one_round.put(2, BIDS)
    a_phone(one_round).take(5)
    assert one_round.game["rounds"][1]["tally"] == [None, 5, None, None]
    answer = put_with_substitutes(one_round, {"seat": 4, "player": None}, bids=[*BIDS[:3], None])
    assert answer.json is not None
    assert answer.json["rounds"][1]["tally"] is None


def test_the_same_penalties_in_another_order_change_nothing(one_round: Caller) -> None:
    one, other = (
        {"seat": seat, "kind": "points", "size": 10, "to": "nobody", "reason": "table_talk"}
        for seat in (1, 2)
    )
    answers = [
        one_round.call(
            "PUT",
            f"{one_round.path}/rounds/1",
            version=one_round.version,
            json={"bids": BIDS, "tricks": TRICKS, "penalties": penalties},
        )
        for penalties in ([one, other], [other, one])
    ]
    assert [answer.headers["ETag"] for answer in answers] == ['"3"', '"3"']


def put_bonus(game: Caller, **changes: object) -> Any:
    """Enter the tricks of round 1 with points by hand for the second seat."""
    bonus = {"seat": 2, "kind": "bonus", "size": -25, "to": "nobody", "reason": "Lost a wager"}
    body = {"bids": BIDS, "tricks": TRICKS, "penalties": [bonus | changes]}
    return game.call("PUT", f"{game.path}/rounds/1", version=game.version, json=body)


def test_points_by_hand_are_a_part_of_the_score(one_round: Caller) -> None:
    before = one_round.game["rounds"][0]["scores"][1]
    [round_] = put_bonus(one_round).json["rounds"][:1]
    assert round_["penalties"][0]["reason"] == "Lost a wager"
    assert round_["scores"][1]["bonus_points"] == -25
    assert round_["scores"][1]["points"] == before["points"] - 25
    assert round_["scores"][1]["total"] == before["total"] - 25


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"size": 0}, 422),
        ({"size": 1_000_000}, 200),
        ({"size": 1_000_001}, 422),
        ({"to": "others"}, 422),
        ({"reason": ""}, 200),
        ({"reason": "x" * 61}, 422),
        ({"reason": "x" * 2000}, 422),
        ({"reason": "x" * 2001}, 400),
        ({"reason": None}, 400),
    ],
    ids=str,
)
def test_points_by_hand_have_limits(
    one_round: Caller, changes: dict[str, object], status: int
) -> None:
    assert put_bonus(one_round, **changes).status_code == status


def test_nobody_sits_twice(one_round: Caller) -> None:
    name = one_round.game["players"][0]
    answer = put_with_substitutes(one_round, {"seat": 4, "player": name})
    assert answer.status_code == 422


def test_a_side_that_bids_once_leaves_its_other_seat_empty(api: Caller) -> None:
    by_side = {"bid_by": "side", "tricks_by": "side"}
    api.start(rules="partnership", house_rules=by_side, first_dealer=4)
    assert api.game["bidding_order"] == [1, 2]
    assert api.put(1, [7, None, None, None]).json["phase"] == "bidding"
    assert api.put(1, [7, 6, None, None]).json["phase"] == "playing"
    assert api.put(1, [7, 6, None, None], [8, 5, 0, 0]).json["totals"] == [71, -60]
    answer = api.put(2, [7, 6, 3, None])
    assert (answer.status_code, details(answer)[0][0]) == (422, 3)
