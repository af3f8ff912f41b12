"""The taps that wait for the server's answer: each a line of the journal."""

from typing import Any

import pytest

from tests.web.offline.conftest import Ask
from tests.web.offline.test_sync_rules import Told, bid, counted, scored

ONE = ["enter", 1, bid(3)]
TWO = ["enter", 1, bid(3, 2)]

# What happens on the phone; what waits in the end, and the lines that undo and redo act on.
QUEUES: dict[str, tuple[list[Any], list[Any] | None, list[Any], list[Any]]] = {
    "each tap waits by itself": ([ONE, TWO], [["enter", 1], ["enter", 1]], [None, None], []),
    "an answer names the line": ([ONE, ["send"], ["answer", "2-b"]], [], [2], []),
    "what has waited is sent together": (
        [ONE, TWO, ["send"], ["answer", "3-c", [2, 3]]], [], [2, 3], [],
    ),
    "the rest of it is sent again": (
        [ONE, TWO, ["send"], ["answer", "2-b"], ["send"], ["answer", "3-c"]], [], [2, 3], [],
    ),
    "what is tapped meanwhile waits for the answer": (
        [ONE, ["send"], TWO, ["answer", "2-b"]], [["enter", 1]], [2, None], [],
    ),
    "a line comes before the answer to more": (
        [ONE, TWO, ["send"],
         ["line", {"revision": "2-b", "after": "1-a", "round": 1, "kind": "bid", "line": 2,
                   "facts": bid(3)}]],
        [["enter", 1]], [2, None], [],
    ),
    "the answer to all of them was lost": (
        [ONE, TWO, ["send"], ["undo"],
         ["facts", {"version": 3, "revision": "3-c", "rounds": [bid(3, 2)]}]],
        [["undo", 1, 3]], [2], [3],
    ),
    "only the first of them had arrived": (
        [ONE, TWO, ["send"], ["facts", {"version": 2, "revision": "2-b", "rounds": [bid(3)]}]],
        [["enter", 1]], [2, None], [],
    ),
    "what was not sent is simply dropped": ([ONE, ["undo"]], [], [], [None]),
    "facts that came late leave it to redo": (
        [ONE, ["undo"], ["facts", {"version": 1, "revision": "1-a", "rounds": []}]], [], [], [None],
    ),
    "facts that came late leave what waits to redo": (
        [ONE, ["send"], ["undo"], ["facts", {"version": 1, "revision": "1-a", "rounds": []}]],
        [["enter", 1], ["undo", 1, None]], [], [None],
    ),
    "facts of a later version do not": (
        [ONE, ["undo"], ["facts", {"version": 9, "revision": "9-a", "rounds": []}]], [], [], [],
    ),
    "and comes back as a tap": ([ONE, ["undo"], ["redo"]], [["enter", 1]], [None], []),
    "what was sent is undone by its line": (
        [ONE, ["send"], ["answer", "2-b"], ["undo"]], [["undo", 1, 2]], [], [2],
    ),
    "what is on its way is undone after it": (
        [ONE, ["send"], ["undo"]], [["enter", 1], ["undo", 1, None]], [], [None],
    ),
    "also where the answer was lost": (
        [ONE, ["send"], ["undo"], ["facts", {"version": 2, "revision": "2-b", "rounds": [bid(3)]}]],
        [["undo", 1, 2]], [], [2],
    ),
    "by the line that its answer names": (
        [ONE, ["send"], ["undo"], ["answer", "2-b"]], [["undo", 1, 2]], [], [2],
    ),
    "an undo that was not sent is dropped by redo": (
        [ONE, ["send"], ["answer", "2-b"], ["undo"], ["redo"]], [], [2], [],
    ),
    "one that was sent is redone by the same line": (
        [ONE, ["send"], ["answer", "2-b"], ["undo"], ["send"], ["answer", "3-c"], ["redo"]],
        [["redo", 1, 2]], [2], [],
    ),
    "a new tap ends redo": (
        [ONE, ["send"], ["answer", "2-b"], ["undo"], ["enter", 1, bid(4)]],
        [["undo", 1, 2], ["enter", 1]], [None], [],
    ),
    "a line of this phone comes before its answer": (
        [ONE, ["send"], ["line", {"revision": "2-b", "after": "1-a", "round": 1, "kind": "bid",
                                  "line": 2, "facts": bid(3)}]],
        [], [2], [],
    ),
    "a line of another phone can be undone": (
        [["line", {"revision": "2-b", "after": "1-a", "round": 1, "kind": "bid", "line": 2,
                   "facts": bid(3)}]],
        [], [2], [],
    ),
    "an undo of another phone can be redone": (
        [["line", {"revision": "2-b", "after": "1-a", "round": 1, "kind": "bid", "line": 2,
                   "facts": bid(3)}],
         ["line", {"revision": "3-c", "after": "2-b", "round": 1, "kind": "undo", "line": 1,
                   "facts": None}]],
        [], [], [2],
    ),
    "a line that does not follow is not merged": (
        [["line", {"revision": "9-b", "after": "8-a", "round": 1, "kind": "bid", "line": 9,
                   "facts": bid(3)}]],
        [], [], [],
    ),
    "many taps are sent as whole rounds": (
        [["enter", 1, bid(n % 9 + 1)] for n in range(13)], None, [None] * 13, [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("entries", "queue", "undo", "redo"), QUEUES.values(), ids=QUEUES)
def test_taps_wait_in_order(
    ask: Ask, entries: list[Any], queue: list[Any] | None, undo: list[Any], redo: list[Any]
) -> None:
    found = ask("taps", [{"base": [], "entries": entries}])[0][-1]
    assert (found["queue"], found["undo"], found["redo"]) == (queue, undo, redo)


def test_a_tap_of_another_phone_meanwhile_keeps_both(ask: Ask) -> None:
    other: Told = {"revision": "2-b", "after": "1-a", "round": 1, "kind": "bid", "line": 2}
    entries = [ONE, ["line", {**other, "facts": bid(None, 5)}]]
    found = ask("taps", [{"base": [], "entries": entries}])[0][-1]
    assert found["rounds"][0][0] == [3, 5, None, None]
    assert found["waiting"] == [1]
    assert found["clashes"] == []


def test_taps_that_wait_do_not_take_back_what_another_phone_entered(ask: Ask) -> None:
    other: Told = {"revision": "2-b", "after": "1-a", "round": 1, "kind": "bid", "line": 2}
    entries = [ONE, TWO, ["line", {**other, "facts": bid(None, None, None, 5)}]]
    found = ask("taps", [{"base": [], "entries": entries}])[0][-1]
    assert found["bids"] == [[3, None, None, 5], [3, 2, None, 5]]


# An undo or redo behind a tap whose answer was lost, after which another phone entered a bid; then
# the bids that remain.
LOST: dict[str, tuple[list[Any], Told, list[int | None]]] = {
    "undo of a bid": ([ONE, ["send"], ["undo"]], bid(3, 5), [None, 5, None, None]),
    "undo of the second bid": (
        [ONE, ["send"], ["answer", "2-b"], TWO, ["send"], ["undo"]],
        bid(3, 2, 6), [3, None, 6, None],
    ),
    "redo of a bid": (
        [ONE, ["send"], ["answer", "2-b"], ["undo"], ["send"], ["redo"]],
        bid(None, 5), [3, 5, None, None],
    ),
    "undo of what never arrived": ([ONE, ["send"], ["undo"]], bid(None, 5), [None, 5, None, None]),
    "nothing": ([ONE, ["send"]], bid(3, 5), [3, 5, None, None]),
    "nothing, of two bids": ([ONE, TWO, ["send"]], bid(3, 2, 5), [3, 2, 5, None]),
    "undo of the second of two": ([ONE, TWO, ["send"], ["undo"]], bid(3, 2, 5), [3, None, 5, None]),
}  # fmt: skip


@pytest.mark.parametrize(("entries", "there", "bids"), LOST.values(), ids=LOST)
def test_an_undo_behind_a_lost_answer_counts(
    ask: Ask, entries: list[Any], there: Told, bids: list[int | None]
) -> None:
    told = {"version": 9, "revision": "9-x", "rounds": [there]}
    found = ask("taps", [{"base": [], "entries": [*entries, ["facts", told]]}])[0][-1]
    assert found["rounds"][0][0] == bids
    assert found["clashes"] == []
    assert found["waiting"] == ([] if bids == there["bids"] else [1])


def test_the_same_cell_is_asked_about(ask: Ask) -> None:
    other: Told = {"revision": "2-b", "after": "1-a", "round": 1, "kind": "bid", "line": 2}
    entries = [ONE, ["line", {**other, "facts": bid(5)}]]
    found = ask("taps", [{"base": [], "entries": entries}])[0][-1]
    assert found["clashes"] == [1]


def test_nothing_is_unsent_once_everything_is_answered(ask: Ask) -> None:
    steps = [bid(3, 2, 1, 4), counted(3), scored(3, 2, 1, 4)]
    entries: list[Any] = [["enter", 1, one] for one in steps]
    for version in (2, 3, 4):
        entries += [["send"], ["answer", f"{version}-x"]]
    found = ask("taps", [{"base": [], "entries": entries}])[0]
    assert [one["unsent"] for one in found] == [1] * 8 + [0]
