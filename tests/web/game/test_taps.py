"""What a phone sends tap by tap: rounds, undo and redo."""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.clock import now
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.round import NOTHING
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.changes import changes_of
from scorekeeper.store.journal import Who, change_rules
from tests.web.game.test_round_form import NO_BIDS, NO_COUNTS
from tests.web.play import Table, page_of
from tests.web.taps import (
    FINE,
    OTHER,
    SCORED,
    fields,
    older_fields,
    send,
    send_together,
    undo_or_redo,
)

# Rounds


def test_the_answer_to_a_round_is_the_new_revision(game: Table) -> None:
    answer = send(game, 1, **SCORED)
    assert answer.status_code == 200
    assert answer.get_json() == {"revision": game.game.revision}
    assert game.game.version == 2
    assert game.state.rounds[0].bids == (3, 2, Nil.NIL, 4)


def test_a_phone_that_has_missed_something_gets_the_game(game: Table) -> None:
    send(game, 1, bids=(3, "", "", ""))
    answer = send(game, 1, version=1, bids=(3, 2, "", ""))
    assert answer.get_json()["game"]["rounds"][0]["bids"] == [3, 2, None, None]


@pytest.mark.parametrize("version", [1, 2, "2-"])
def test_sent_again_it_changes_nothing(game: Table, version: object) -> None:
    send(game, 1, **SCORED)
    before = game.everything()
    answer = send(game, 1, version=version, **SCORED)
    assert answer.status_code == 200
    assert ("game" in answer.get_json()) == (version == 1)
    assert game.everything() == before


# Bids that two phones send in turn, each with the version that it is based on; then the status of
# the last request and the bids that are stored.
ORDERS: dict[str, tuple[list[tuple[int, tuple[Any, ...]]], int, tuple[Any, ...]]] = {
    "in order": ([(1, (3,)), (2, (3, 2))], 200, (3, 2)),
    "the first lost": ([(1, (3, 2))], 200, (3, 2)),
    "the first late": ([(1, (3, 2)), (1, (3,))], 409, (3, 2)),
    "the first once more": ([(1, (3,)), (2, (3, 2)), (1, (3,))], 409, (3, 2)),
    "the second once more": ([(1, (3,)), (2, (3, 2)), (2, (3, 2))], 200, (3, 2)),
    "another seat": ([(1, (3,)), (1, ("", 2))], 409, (3,)),
    "the same seat": ([(1, (3,)), (1, (4,))], 409, (3,)),
    "the same seat, seen": ([(1, (3,)), (2, (4,))], 200, (4,)),
    "undone meanwhile": ([(1, (3,)), (2, ("",)), (1, (3,))], 409, ()),
}


@pytest.mark.parametrize(("sent", "status", "bids"), ORDERS.values(), ids=ORDERS)
def test_what_arrives_late_overwrites_nothing(
    game: Table, sent: list[tuple[int, tuple[Any, ...]]], status: int, bids: tuple[Any, ...]
) -> None:
    phones = [game, game.second_phone()]
    for at, (version, cells) in enumerate(sent):
        before = game.everything()
        answer = send(phones[at % 2], 1, version, bids=cells + ("",) * (4 - len(cells)))
    assert answer.status_code == status
    assert game.game.round(1).bids == bids + (None,) * (4 - len(bids))
    if status == 409:
        assert answer.get_json()["game"]["revision"] == game.game.revision
        assert game.everything() == before


# What is stored, what is sent after that, and the kind of change that the journal has for it.
COMPLETE = (3, 2, 1, 4)
NONE = ("",) * 4
KINDS: dict[str, tuple[list[dict[str, Any]], dict[str, Any], str]] = {
    "a bid": ([], {"bids": (3, "", "", "")}, "bid"),
    "another bid": ([{"bids": (3, "", "", "")}], {"bids": (3, 2, "", "")}, "bid"),
    "a count": ([{"bids": COMPLETE}], {"bids": COMPLETE, "tally": (3, "", "", "")}, "tally"),
    "a bid and a count": (
        [{"bids": COMPLETE}], {"bids": (2, 2, 1, 4), "tally": (3, "", "", "")}, "bid",
    ),
    "the tricks": ([{"bids": COMPLETE}], {"bids": COMPLETE, "tricks": COMPLETE}, "scored"),
    "other tricks": ([SCORED], OTHER, "corrected"),
    "no tricks any more": ([SCORED], {"bids": COMPLETE}, "corrected"),
    "nothing any more": ([{"bids": COMPLETE}], {"bids": ("",) * 4}, "removed"),
    "a misdeal": ([{"bids": COMPLETE}], {"bids": ("",) * 4, "kind": "misdeal"}, "misdeal"),
    "bids after a misdeal": (
        [{"bids": COMPLETE}, {"bids": ("",) * 4, "kind": "misdeal"}], {"bids": COMPLETE}, "bid",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("stored", "sent", "kind"), KINDS.values(), ids=KINDS)
def test_the_journal_says_what_kind_of_change_it_was(
    game: Table, stored: list[dict[str, Any]], sent: dict[str, Any], kind: str
) -> None:
    for facts in [*stored, sent]:
        assert send(game, 1, **facts).status_code == 200
    assert changes_of(game.store.db, game.game)[-1].kind == kind


def test_a_misdeal_after_the_score_is_422(game: Table) -> None:
    send(game, 1, **SCORED)
    assert send(game, 1, bids=("",) * 4, kind="misdeal").status_code == 422
    assert game.totals == (30, 22, 50, -40)


def test_bids_and_counts_on_their_way_arrive_too(game: Table) -> None:
    send(game, 1, bids=(3, 2, "", ""))
    assert game.game.rounds[0].bids == (3, 2, None, None)
    send(game, 1, bids=(3, 2, "nil", 4), tally=("", 4, 0, ""))
    assert game.game.rounds[0].tally == (None, 4, 0, None)
    send(game, 1, bids=(3, 2, "nil", 4))
    assert game.game.rounds[0].tally is None


def test_what_another_phone_recorded_meanwhile_is_409_with_the_game_as_it_is(game: Table) -> None:
    game.second_phone().play_round(*OTHER.values())
    before = game.everything()
    answer = send(game, 1, version=1, **SCORED)
    assert answer.status_code == 409
    assert answer.get_json()["game"]["rounds"][0]["tricks"] == [4, 3, 0, 3]
    assert game.everything() == before
    seen = answer.get_json()["game"]["version"]
    assert send(game, 1, version=seen, **SCORED).status_code == 200
    assert game.state.rounds[0].tricks == (3, 4, 0, 3)


def test_a_round_taken_back_on_the_phone_goes(game: Table) -> None:
    send(game, 1, **SCORED)
    send(game, 2, **OTHER)
    assert send(game, 2, bids=("", "", "", "")).status_code == 200
    assert len(game.game.rounds) == 1
    assert send(game, 1, bids=("", "", "", "")).status_code == 200
    assert game.game.rounds == ()


def test_a_round_after_the_end_stands_there_and_does_not_count(table: Table) -> None:
    table.new_game(target=20)
    send(table, 1, **SCORED)
    assert table.state.phase == "over"
    assert send(table, 2, **OTHER).status_code == 200
    assert table.state.uncounted == 1
    assert send(table, 3, bids=(3, "", "", "")).status_code == 400


REFUSED = {
    "tricks that do not add up": {"bids": (3, 2, 1, 4), "tricks": (1, 1, 1, 1)},
    "a bid that cannot be": {"bids": (11, 2, 1, 4), "tricks": (3, 4, 0, 3)},
    "a bid that is missing": {"bids": (3, 2, 1, ""), "tricks": (3, 4, 0, 3)},
    "counts before all bids": {"bids": (3, 2, 1, ""), "tally": (3, "", "", "")},
    "too many counts": {"bids": (3, 2, 1, 4), "tally": (9, 9, "", "")},
}


@pytest.mark.parametrize("facts", REFUSED.values(), ids=REFUSED)
def test_what_the_rules_refuse_is_422_with_a_sentence(still: Table, facts: Any) -> None:
    before = still.everything()
    answer = send(still, 1, **facts)
    assert answer.status_code == 422
    assert answer.get_json()["sentence"].endswith(".")
    assert still.everything() == before


MALFORMED = {
    **{f"{name}, as a bid": {"bids": (bid, 2, 1, 4)} for name, bid in NO_BIDS.items()},
    **{
        f"{name}, as a count": {"bids": COMPLETE, "tally": (n, "", "", "")}
        for name, n in NO_COUNTS.items()
    },
    "no bid at all": {"bids": (" ", 2, 1, 4)},
    "half the tricks": {"bids": (3, 2, 1, 4), "tricks": (3, 2, "", "")},
    "not a number": {"bids": (3, 2, 1, 4), "tricks": (3, 2, 1, "x")},
}


@pytest.mark.parametrize("facts", MALFORMED.values(), ids=MALFORMED)
def test_what_makes_no_round_is_400_with_a_sentence(still: Table, facts: Any) -> None:
    before = still.everything()
    answer = send(still, 1, **facts)
    assert answer.status_code == 400
    assert answer.get_json()["sentence"].endswith(".")
    assert still.everything() == before


@pytest.mark.parametrize("number", [2, 9, 200])
def test_a_round_that_is_not_reached_is_refused(still: Table, number: int) -> None:
    before = still.everything()
    answer = send(still, number, **SCORED)
    assert answer.status_code == 400
    assert "hasn’t started yet" in answer.get_json()["sentence"]
    assert still.everything() == before


def test_a_round_after_one_that_was_reopened_meanwhile_is_409_with_the_game(game: Table) -> None:
    send(game, 1, **SCORED)
    seen = game.game.version
    undo_or_redo(game.second_phone(), "undo", seen)
    before = game.everything()
    answer = send(game, 2, version=seen, bids=(3, "", "", ""))
    assert answer.status_code == 409
    assert answer.get_json()["game"]["revision"] == game.game.revision
    assert game.everything() == before
    assert send(game, 2, bids=(3, "", "", "")).status_code == 400


def test_a_round_without_a_token_is_refused(still: Table) -> None:
    answer = still.post(f"{still.path}/rounds/1/sent", fields(SCORED, seen=1))
    assert answer.status_code == 400
    assert "reload it and try again" in page_of(answer).alerts


def test_what_is_refused_before_it_is_read_is_a_page_with_a_sentence(still: Table) -> None:
    answer = still.post(f"{still.path}/rounds/1/sent", {"rounds": "3" * 70_000})
    assert answer.status_code == 413
    assert "That’s more than" in page_of(answer).alerts


# Notes of a round


def test_notes_that_a_phone_does_not_name_stay_and_others_go(game: Table) -> None:
    send(game, 1, bids=COMPLETE, remark="Great hands", penalties=[FINE], last_round=True)
    send(game, 1, bids=COMPLETE, last_round=False)
    notes = game.game.round(1).notes
    assert (notes.remark, len(notes.penalties), notes.last_round) == ("Great hands", 1, False)
    send(game, 1, bids=COMPLETE, remark="", penalties=[])
    assert game.game.round(1).notes == NOTHING


def test_a_note_and_a_penalty_of_two_phones_do_not_meet(game: Table) -> None:
    seen = game.game.version
    send(game, 1, seen, bids=NONE, remark="Great hands")
    assert send(game.second_phone(), 1, seen, bids=NONE, penalties=[FINE]).status_code == 200
    notes = game.game.round(1).notes
    assert (notes.remark, len(notes.penalties)) == ("Great hands", 1)


def test_two_notes_of_two_phones_do(game: Table) -> None:
    seen = game.game.version
    send(game, 1, seen, bids=NONE, remark="Great hands")
    assert send(game.second_phone(), 1, seen, bids=NONE, remark="Bad luck").status_code == 409


def test_players_who_take_a_seat_are_spelt_as_the_table_spells_them(game: Table) -> None:
    send(game, 1, bids=NONE, substitutes=[{"seat": 2, "player": "Zoë  Adams"}])
    send(game, 1, bids=NONE, substitutes=[])
    send(game, 1, bids=NONE, substitutes=[{"seat": 2, "player": "zoë adams"}])
    assert game.game.round(1).notes.substitutes == (Substitute(1, "Zoë Adams"),)


WRONG: dict[str, tuple[dict[str, Any], int]] = {
    "a note that is not known": ({"weather": "rain"}, 400),
    "a kind that is not known": ({"kind": "deal"}, 400),
    "a penalty that is text": ({"penalties": ["0:points:10:nobody:renege"]}, 400),
    "a seat that is none": ({"penalties": [{**FINE, "seat": 0}]}, 400),
    "a name that is none": ({"substitutes": [{"seat": 1, "player": ""}]}, 400),
    "a penalty that is too large": ({"penalties": [{**FINE, "size": 99_999_999}]}, 422),
    "a note that is too long": ({"remark": "x" * 501}, 422),
    "a start in a game that has none": ({"start": [99_999_999, 0, 0, 0]}, 422),
}


@pytest.mark.parametrize(("notes", "status"), WRONG.values(), ids=WRONG)
def test_wrong_notes_are_refused_as_programs_are_told_it(
    still: Table, notes: dict[str, Any], status: int
) -> None:
    before = still.everything()
    answer = send(still, 1, bids=NONE, **notes)
    assert answer.status_code == status
    assert answer.get_json()["sentence"].endswith(".")
    assert still.everything() == before


# What is sent as `rounds` that is no list of them.
NO_ROUNDS = ("", "[]", "{}", "x", "[", "null", "[null]", "[[]]", '[{"bids": [1e99]}]', "[" * 9999)


@pytest.mark.parametrize("text", NO_ROUNDS, ids=[text[:9] for text in NO_ROUNDS])
def test_what_is_no_list_of_rounds_is_400_with_a_sentence(still: Table, text: str) -> None:
    before = still.everything()
    sent = {"csrf_token": still.token(), "seen": still.game.version, "rounds": text}
    for path, beside in (("rounds/1/sent", {}), ("conflict", {"round": 1})):
        answer = still.post(f"{still.path}/{path}", {**sent, **beside})
        assert answer.status_code == 400
        assert answer.get_json()["sentence"].endswith(".")
    assert still.everything() == before


@pytest.mark.parametrize("path", ["rounds/1/sent", "conflict"])
def test_scripts_of_an_earlier_version_are_told_to_wait_and_keep_what_they_have(
    still: Table, path: str
) -> None:
    before = still.everything()
    sent = {"csrf_token": still.token(), "version": still.game.version, "round": 1}
    answer = still.client.post(f"{still.path}/{path}", data={**sent, **older_fields(3, 2)})
    assert answer.status_code == 503  # after which they try again; all else ends the tap
    assert "Reload this page to save what you entered." in answer.text
    assert still.everything() == before


# Taps that have waited, in one request

ALL = {"bids": COMPLETE}
WAITED = [{"bids": (3, "", "", "")}, {"bids": (3, 2, "", "")}, ALL]

# What comes together; then the kinds of the lines that it makes.
TOGETHER: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "bids": (WAITED, ["bid", "bid", "bid"]),
    "up to the score": (
        [*WAITED, {**ALL, "tally": (3, "", "", "")}, {**ALL, "tricks": COMPLETE}],
        ["bid", "bid", "bid", "tally", "scored"],
    ),
    "a misdeal and new bids": (
        [ALL, {"bids": ("",) * 4, "kind": "misdeal"}, {"bids": (4, "", "", "")}],
        ["bid", "misdeal", "bid"],
    ),
    "a bid and its correction": (
        [{"bids": (3, "", "", "")}, {"bids": (4, "", "", "")}], ["bid", "bid"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("sent", "kinds"), TOGETHER.values(), ids=TOGETHER)
def test_taps_that_have_waited_are_a_line_each(
    game: Table, sent: list[dict[str, Any]], kinds: list[str]
) -> None:
    answer = send_together(game, 1, 1, *sent)
    assert answer.status_code == 200
    lines = [*range(2, 2 + len(sent))]
    assert answer.get_json() == {"revision": game.game.revision, "lines": lines}
    assert [change.kind for change in changes_of(game.store.db, game.game)][1:] == kinds


def test_each_of_them_can_be_undone_by_itself(game: Table) -> None:
    send_together(game, 1, 1, *WAITED)
    undo_or_redo(game, "undo", 4)
    assert game.game.round(1).bids == (3, 2, None, None)
    undo_or_redo(game, "undo", 3)
    assert game.game.round(1).bids == (3, None, None, None)


def test_sent_again_together_they_change_nothing(game: Table) -> None:
    send_together(game, 1, 1, *WAITED)
    before = game.everything()
    answer = send_together(game, 1, 1, *WAITED)
    assert answer.status_code == 409
    assert answer.get_json()["game"]["revision"] == game.game.revision
    assert game.everything() == before


def test_what_others_have_changed_since_is_told_before_the_second_is_stored(game: Table) -> None:
    send(game.second_phone(), 1, **SCORED)
    seen = game.game.version
    send(game.second_phone(), 1, **OTHER)
    answer = send_together(game, 2, seen, *WAITED)
    assert answer.get_json()["game"]["rounds"][0]["tricks"] == [4, 3, 0, 3]
    assert game.game.round(2).bids == (3, None, None, None)


# What comes after two bids, which are stored nevertheless.
STOPS: dict[str, dict[str, Any]] = {
    "the rules refuse it": {"bids": (3, 2, 99, "")},
    "counts before all bids": {"bids": (3, 2, 1, ""), "tally": (3, "", "", "")},
    "it makes no round": {"bids": ("x", 2, 1, 4)},
    "it has what nothing can hold": {"bids": ("\0", 2, 1, 4)},
    "it is none": {"bids": {}},
    "a name with what nothing can hold": {
        "bids": (3, 2, 1, ""), "substitutes": [{"seat": 1, "player": "\0"}],
    },
}  # fmt: skip


@pytest.mark.parametrize("stop", STOPS.values(), ids=STOPS)
def test_the_first_that_cannot_be_stored_ends_them(game: Table, stop: dict[str, Any]) -> None:
    answer = send_together(game, 1, 1, *WAITED[:2], stop, ALL)
    assert answer.get_json() == {"revision": game.game.revision, "lines": [2, 3]}
    assert game.game.round(1).bids == (3, 2, None, None)


def test_where_the_first_is_refused_nothing_is_stored(still: Table) -> None:
    before = still.everything()
    answer = send_together(still, 1, 1, {"bids": (99, "", "", "")}, *WAITED)
    assert answer.status_code == 422
    assert still.everything() == before


def test_more_than_a_phone_sends_are_left_for_the_next_request(game: Table) -> None:
    bids = [{"bids": (1 + n % 2, "", "", "")} for n in range(30)]
    assert len(send_together(game, 1, 1, *bids).get_json()["lines"]) == 12
    assert game.game.version == 13


# Undo and redo of a line of the journal


# What both phones do: a bid, or "undo 2" for a line, with the version that it is based on where
# that is not the newest; then the status of the last step and the bids after it.
LINES: dict[str, tuple[list[str], int, tuple[int, ...]]] = {
    "undo": (["3", "2", "undo 3"], 200, (3,)),
    "undo of the first bid": (["3", "undo 2"], 200, ()),
    "redo": (["3", "undo 2", "redo 2"], 200, (3,)),
    "undo after redo": (["3", "undo 2", "redo 2", "undo 2"], 200, ()),
    "undo, its answer lost": (["3", "2", "undo 3", "undo 3 of 3"], 200, (3,)),
    "undo of what is undone, as the phone has seen": (["3", "2", "undo 3", "undo 3"], 409, (3,)),
    "redo of what is in force": (["3", "2", "redo 2"], 409, (3, 2)),
    "redo, its answer lost": (["3", "undo 2", "redo 2", "redo 2 of 3"], 200, (3,)),
    "undo on two phones": (["3", "2", "undo 3", "other undo 3 of 3"], 200, (3,)),
    "redo on two phones": (["3", "undo 2", "redo 2", "other redo 2 of 3"], 200, (3,)),
    "undo that another phone redid": (
        ["3", "undo 2", "other redo 2", "undo 2 of 2"], 200, (3,),
    ),
    "redo that another phone took back": (
        ["3", "undo 2", "redo 2", "other undo 2", "redo 2 of 3"], 200, (),
    ),
    "undo of what another phone undid and redid": (
        ["3", "other undo 2", "other redo 2", "undo 2 of 2"], 200, (),
    ),
    "undo of what another phone built upon": (["3", "other 2", "undo 2 of 2"], 409, (3, 2)),
    "undo in the wrong order": (["3", "2", "undo 2"], 409, (3, 2)),
    "redo in the wrong order": (["3", "2", "undo 3", "undo 2", "redo 3"], 409, ()),
    "redo after something new": (["3", "undo 2", "4", "redo 2"], 409, (4,)),
    "undo of the beginning": (["undo 1"], 409, ()),
    "undo of an undo": (["3", "undo 2", "undo 3"], 409, ()),
    "redo of an undo": (["3", "undo 2", "redo 3"], 409, ()),
    "undo of a line to come": (["3", "undo 9"], 409, (3,)),
    "redo of the beginning": (["redo 1"], 409, ()),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "status", "bids"), LINES.values(), ids=LINES)
def test_undo_and_redo_act_on_the_line_they_name_and_only_once(
    game: Table, steps: list[str], status: int, bids: tuple[int, ...]
) -> None:
    other = game.second_phone()
    for step in steps:
        phone = other if step.startswith("other ") else game
        action, *rest = step.removeprefix("other ").split()
        before = game.game.version
        if rest:
            version = rest[2] if rest[1:] else None
            answer = undo_or_redo(phone, action, int(rest[0]), version)
        else:
            made = [bid for bid in phone.game.round(1).bids if bid is not None]
            made.append(int(action))
            answer = send(phone, 1, bids=(*made, *(None,) * (4 - len(made))))
    assert answer.status_code == status
    assert game.game.round(1).bids == (*bids, *(None,) * (4 - len(bids)))
    answered = answer.get_json()
    if status == 409 or (version and int(version) < before):
        assert answered["game"]["revision"] == game.game.revision
    else:
        assert answered == {"revision": game.game.revision}


def test_undo_and_redo_are_journalled_as_on_the_page(game: Table) -> None:
    game.bid(3)
    undo_or_redo(game, "undo", 2)
    undo_or_redo(game, "redo", 2)
    changes = changes_of(game.store.db, game.game)
    assert [change.kind for change in changes] == ["begin", "bid", "undo", "redo"]
    assert {change.phone for change in changes} == {"Kim's phone"}


def test_undo_of_a_line_brings_the_old_rules_back(game: Table) -> None:
    rules = game.game.rules
    with game.store.write() as db:
        change_rules(db, game.game, replace(rules, target=300), 1, Who(None, now()))
    assert undo_or_redo(game, "undo", 2).status_code == 200
    assert game.game.rules == rules
    assert undo_or_redo(game, "redo", 2).status_code == 200
    assert game.game.rules.target == 300


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 400])
def test_undo_with_a_malformed_version_is_400(still: Table, version: str) -> None:
    answer = undo_or_redo(still, "undo", 1, version)
    assert answer.status_code == 400
    assert answer.get_json()["sentence"].endswith(".")


@pytest.mark.parametrize("line", ["0", "-1", "01", "x", "1" * 10, "1.0"])
def test_what_names_no_line_is_404(still: Table, line: str) -> None:
    assert still.post(f"{still.path}/lines/{line}/undo", still.fresh()).status_code == 404
