"""Merging what a phone recorded offline with the server's state, and what players must decide."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.offline.conftest import Ask

Told = dict[str, Any]
Meet = Callable[[str, Told], Any]
OPEN = [None] * 4


@pytest.fixture
def meet(ask: Ask) -> Meet:
    """Return a function that merges the states of phone and server."""
    return lambda how, case: ask(how, [case])[0]


def bid(*bids: int | None) -> Told:
    """Return a round that is being bid."""
    return {"bids": [*bids, *OPEN][:4]}


def counted(*tally: int | None) -> Told:
    """Return a round of which tricks are being counted."""
    return {**bid(3, 2, 1, 4), "tally": [*tally, *OPEN][:4]}


def scored(*tricks: int) -> Told:
    """Return a round that is scored."""
    return {**bid(3, 2, 1, 4), "tricks": list(tricks)}


ALL = {"bids": [10, 1, 1, 1], "tricks": [10, 0, 0, 0]}  # 100 of the 125 points to win
ONE, OTHER, THIRD = scored(3, 2, 1, 4), scored(4, 2, 1, 3), scored(1, 2, 3, 4)


def cells(round_: Told) -> list[Any]:
    return [round_["bids"], round_.get("tricks"), round_.get("tally")]


FINE = {"seat": 0, "kind": "points", "size": 10, "to": "nobody", "reason": "renege"}


def test_a_note_here_and_a_penalty_there_are_both_kept(meet: Meet) -> None:
    own, there = {**ONE, "remark": "Great hands"}, {**ONE, "penalties": [FINE]}
    met = meet("meet", {"base": [ONE], "own": [own], "there": [there]})
    assert (met["waiting"], met["clashes"]) == ([1], [])
    other = {**ONE, "remark": "Bad luck"}
    met = meet("meet", {"base": [ONE], "own": [own], "there": [other]})
    assert met["clashes"] == [1]


# What both knew, what the phone has now, what the server has now; what comes of it, and what waits.
TOGETHER = {
    "nothing happened": ([ONE], [ONE], [ONE], [ONE], []),
    "only the phone went on": ([ONE], [ONE, OTHER], [ONE], [ONE, OTHER], [2]),
    "only the server went on": ([ONE], [ONE], [ONE, OTHER], [ONE, OTHER], []),
    "both recorded the same": ([], [ONE], [ONE], [ONE], []),
    "the phone corrected": ([ONE], [OTHER], [ONE], [OTHER], [1]),
    "the server corrected": ([ONE], [ONE], [OTHER], [OTHER], []),
    "the phone took a round back": ([ONE, OTHER], [ONE], [ONE, OTHER], [ONE], [2]),
    "the phone took two rounds back": ([ONE, OTHER], [], [ONE, OTHER], [], [2, 1]),
    "the phone took a round back and began the one before": (
        [ONE, OTHER], [counted(3)], [ONE, OTHER], [counted(3)], [2, 1],
    ),
    "the server took a round back": ([ONE, OTHER], [ONE, OTHER], [ONE], [ONE], []),
    "each bid for another seat": ([], [bid(3)], [bid(None, 2)], [bid(3, 2)], [1]),
    "each counted another seat": (
        [bid(3, 2, 1, 4)], [counted(3)], [counted(None, 2)], [counted(3, 2)], [1],
    ),
    "the phone scored what the server counts": (
        [bid(3, 2, 1, 4)], [ONE], [counted(3, 2)], [ONE], [1],
    ),
    "the server scored what the phone counts": (
        [bid(3, 2, 1, 4)], [counted(3, 2)], [ONE], [ONE], [],
    ),
    "different rounds were corrected": (
        [ONE, ONE], [OTHER, ONE], [ONE, THIRD], [OTHER, THIRD], [1],
    ),
    "a correction on the server ends the game before a round that is bid": (
        [ALL, ONE, bid(3)], [ALL, ONE, bid(3)], [ALL, ALL, bid(3)], [ALL, ALL, bid(3)], [],
    ),
    "and the bids that only the phone has go": (
        [ALL, ONE, bid(3)], [ALL, ONE, bid(3, 2)], [ALL, ALL, bid(3)], [ALL, ALL, bid(3)], [],
    ),
    "as does the whole round where only the phone has it": (
        [ALL, ONE], [ALL, ONE, bid(3)], [ALL, ALL], [ALL, ALL], [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("base", "own", "there", "rounds", "waits"), TOGETHER.values(), ids=TOGETHER
)
def test_what_does_not_clash_comes_together(
    meet: Meet, base: list[Told], own: list[Told], there: list[Told], rounds: list[Told],
    waits: list[int],
) -> None:  # fmt: skip
    found = meet("meet", {"base": base, "own": own, "there": there})
    assert found == {"rounds": [cells(one) for one in rounds], "waiting": waits, "clashes": []}


# The same, the round of which there are two, and what the table gets by keeping the server's.
CLASHES = {
    "one deal, seen otherwise": ([], [ONE], [OTHER], 1, [OTHER]),
    "both corrected": ([ONE], [OTHER], [THIRD], 1, [THIRD]),
    "one seat, two bids": ([], [bid(3)], [bid(4)], 1, [bid(4)]),
    "one seat, two counts": ([bid(3, 2, 1, 4)], [counted(3)], [counted(4)], 1, [counted(4)]),
    "scored, and counted otherwise": (
        [bid(3, 2, 1, 4)], [ONE], [counted(4)], 1, [counted(4)],
    ),
    "corrected here, taken back there": ([ONE], [OTHER], [], 1, []),
    "corrected there, taken back here": ([ONE], [], [OTHER], 1, [OTHER]),
    "reopened here, played on there": (
        [ONE], [counted(3, 2, 1)], [ONE, bid(None, 5)], 1, [ONE],
    ),
    "taken back here, played on there": ([ONE], [], [ONE, bid(None, 5)], 1, [ONE]),
    "bid here, scored otherwise and played on there": (
        [], [bid(4)], [ONE, bid(None, 5)], 1, [ONE],
    ),
    "counted here, a bid taken back there": (
        [bid(3, 2, 1, 4)], [counted(3)], [bid(3, 2, 1)], 1, [bid(3, 2, 1)],
    ),
    "scored here, a bid taken back there": (
        [bid(3, 2, 1, 4)], [ONE], [bid(3, 2, 1)], 1, [bid(3, 2, 1)],
    ),
    "rounds follow here": ([], [ONE, THIRD], [OTHER], 1, [OTHER, THIRD]),
    "rounds follow one taken back there": (
        [ONE, OTHER], [ONE, ONE, THIRD], [ONE], 2, [ONE, THIRD],
    ),
    "reopened there, played on here": (
        [ONE, OTHER], [ONE, OTHER, bid(3)], [ONE, counted(3)], 2, [ONE, counted(3)],
    ),
    "taken back there, played on here": ([ONE], [ONE, bid(3)], [], 1, [bid(3)]),
}  # fmt: skip


@pytest.mark.parametrize(("base", "own", "there", "n", "kept"), CLASHES.values(), ids=CLASHES)
def test_of_two_entries_the_table_chooses(
    meet: Meet, base: list[Told], own: list[Told], there: list[Told], n: int, kept: list[Told]
) -> None:
    case = {"base": base, "own": own, "there": there}
    found = meet("meet", case)
    assert found["clashes"] == [n]
    assert found["rounds"] == [cells(one) for one in own]
    theirs = meet("meet", {**case, "choices": [[n, False]]})
    assert theirs["rounds"] == [cells(one) for one in kept]
    ours = meet("meet", {**case, "choices": [[n, True]]})
    assert ours["rounds"] == [cells(one) for one in own]
    assert ours["waiting"][0] == n


def test_what_this_phone_sent_itself_is_no_other_entry(meet: Meet) -> None:
    case = {"base": [], "own": [OTHER], "there": [ONE], "tried": {"1": [ONE]}}
    assert meet("meet", case) == {"rounds": [cells(OTHER)], "waiting": [1], "clashes": []}


def test_a_round_that_arrived_and_was_taken_back_meanwhile_goes(meet: Meet) -> None:
    case = {"base": [], "own": [], "there": [ONE], "tried": {"1": [ONE]}}
    assert meet("meet", case) == {"rounds": [], "waiting": [1], "clashes": []}


def test_undo_and_redo_go_step_by_step(meet: Meet) -> None:
    entries = [
        ["enter", 1, bid(3)],
        ["enter", 1, bid(3, 2)],
        ["undo"],
        ["undo"],
        ["undo"],
        ["redo"],
    ]
    steps = meet("steps", {"entries": entries})
    assert steps == [
        [cells(bid(3))], [cells(bid(3, 2))], [cells(bid(3))], [], [], [cells(bid(3))],
    ]  # fmt: skip


def test_a_new_entry_ends_what_could_be_brought_back(meet: Meet) -> None:
    entries = [["enter", 1, bid(3)], ["undo"], ["enter", 1, bid(4)], ["redo"]]
    assert meet("steps", {"entries": entries})[-1] == [cells(bid(4))]


# What both knew, what the phone has, what a restored server has; then what waits, what the phone
# has, of what there are two entries, and whether the table is asked before anything goes out.
RESTORED = {
    "two rounds are missing": ([ONE, ONE, ONE], [ONE, ONE, ONE], [ONE], [2, 3], 3, [], True),
    "two rounds and one of the phone's own": (
        [ONE, ONE, ONE], [ONE, ONE, ONE, OTHER], [ONE], [2, 3, 4], 4, [], False,
    ),
    "nothing is missing": ([ONE, ONE], [ONE, ONE], [ONE, ONE], [], 2, [], False),
    "only bids were saved": ([ONE], [ONE], [bid(3, 2)], [1], 1, [], True),
    "only counts were saved": ([ONE], [ONE], [counted(3)], [1], 1, [], True),
    "a correction is missing": ([ONE, OTHER], [ONE, OTHER], [ONE, ONE], [2], 2, [2], True),
    "bids of the round that is on are missing": (
        [ONE, bid(3, 2)], [ONE, bid(3, 2)], [ONE], [2], 2, [], True,
    ),
    "another phone went on from the backup": (
        [ONE, ONE], [ONE, ONE], [ONE, OTHER, THIRD], [2], 3, [2], True,
    ),
    "the phone scored what was bid there": (
        [bid(3, 2, 1, 4)], [ONE], [], [1], 1, [], False,
    ),
    "the phone corrected what is there": ([ONE], [OTHER], [ONE], [1], 1, [], False),
    "the phone took a round back that is there": (
        [ONE, OTHER], [ONE], [ONE, OTHER], [2], 1, [], False,
    ),
    "the phone knows nothing of it": ([], [], [ONE], [], 1, [], False),
}  # fmt: skip


@pytest.mark.parametrize(
    ("base", "own", "there", "waits", "rounds", "clashes", "asked"), RESTORED.values(), ids=RESTORED
)
def test_a_restored_server_takes_nothing_from_the_phone(
    meet: Meet, base: list[Told], own: list[Told], there: list[Told], waits: list[int],
    rounds: int, clashes: list[int], asked: bool,
) -> None:  # fmt: skip
    found = meet("restored", {"base": base, "own": own, "there": there})
    assert found["waiting"] == waits
    assert len(found["rounds"]) == rounds
    assert found["rounds"][: len(own)] == [cells(one) for one in own]
    assert found["clashes"] == clashes
    assert found["asked"] is asked


def test_the_table_may_keep_what_the_restored_server_has(meet: Meet) -> None:
    case = {"base": [ONE, ONE, ONE], "own": [ONE, ONE, ONE], "there": [ONE, OTHER]}
    assert meet("restored", {**case, "answer": "again"})["asked"] is False
    found = meet("restored", {**case, "answer": "keep"})
    assert found["rounds"] == [cells(ONE), cells(OTHER)]
    assert (found["waiting"], found["clashes"], found["had"]) == ([], [], [2, 3])


def test_nobody_is_asked_once_another_phone_has_sent_the_same(meet: Meet) -> None:
    case = {"base": [ONE, OTHER], "own": [ONE, OTHER], "there": [ONE], "then": [ONE, OTHER]}
    found = meet("settled", case)
    assert (found["waiting"], found["asked"], found["told"]) == ([], False, None)


def test_a_game_that_the_server_has_lost_is_begun_again_as_it_was(meet: Meet) -> None:
    found = meet("gone", {"base": [ONE, OTHER], "own": [ONE, OTHER]})
    assert (found["waiting"], found["asked"]) == ([1, 2], True)
    begin = found["begin"]
    assert (begin["game_id"], begin["player-4"], begin["first_dealer"]) == ("g", "West", 4)
    assert begin["stake"] == "2.50"


def test_a_game_that_is_begun_again_keeps_its_house_rules_and_its_dealer(meet: Meet) -> None:
    house = {"target": "300", "first_dealer": "random"}
    begin = meet("gone", {"base": [ONE], "own": [ONE], "house": house})["begin"]
    assert (begin["target"], begin["first_dealer_rule"]) == ("300", "random")
    assert begin["first_dealer"] == 4, "the seat of this game, not the house rule"


COUNTED = counted(3, 2, 1)
BACK = [[1, None], [1, bid(3, 2, 1)], [1, COUNTED]]  # the last steps of a round that was scored


def test_undo_goes_on_over_what_the_server_had(meet: Meet) -> None:
    entries = [["enter", 2, bid(5)], *[["undo"]] * 5, *[["redo"]] * 5]
    steps = meet("steps", {"entries": entries, "base": [ONE], "undo": BACK})
    back = [[ONE], [COUNTED], [bid(3, 2, 1)], [], []]
    again = [[bid(3, 2, 1)], [COUNTED], [ONE], [ONE, bid(5)], [ONE, bid(5)]]
    expected = [[ONE, bid(5)], *back, *again]
    assert steps == [[cells(one) for one in rounds] for rounds in expected]


def test_what_the_server_has_is_undone_by_its_journal(meet: Meet) -> None:
    entries = [["undo"], ["meet", [COUNTED], [*BACK, [1, ONE]]], ["undo"]]
    steps = meet("steps", {"entries": entries, "base": [ONE], "undo": BACK})
    assert steps[-1] == [cells(ONE)]


# What happens meanwhile, and what the next undo leads to.
MEANWHILE = {
    "the server went on": (["meet", [ONE, bid(5)], [*BACK, [2, None]]], [ONE]),
    "the server corrected": (["meet", [OTHER], [*BACK, [1, ONE]]], [ONE]),
    "rules changed": (["meet", [ONE], [], {"target": "90"}], [ONE]),
}


@pytest.mark.parametrize(("entry", "rounds"), MEANWHILE.values(), ids=MEANWHILE)
def test_the_steps_are_those_of_the_server_where_it_moved(
    meet: Meet, entry: list[Any], rounds: list[Told]
) -> None:
    steps = meet("steps", {"entries": [entry, ["undo"]], "base": [ONE], "undo": BACK})
    assert steps[-1] == [cells(one) for one in rounds]


def test_undo_waits_where_the_server_moved_and_something_waits_here(meet: Meet) -> None:
    entries = [["enter", 2, bid(5)], ["meet", [OTHER], [*BACK, [1, ONE]]], ["undo"]]
    steps = meet("steps", {"entries": entries, "base": [ONE], "undo": BACK})
    assert steps[-1] == [cells(OTHER), cells(bid(5))]
