"""The keypad on which tricks are counted and rounds are scored, and that of a phone with a seat."""

from dataclasses import replace

import pytest

from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.round import Round
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.tables import OwnSeat
from tests.web.offline.conftest import Ask
from tests.web.offline.keypad import (
    CALL_BREAK,
    EAST,
    FORTY_ONE,
    LITE,
    NIL,
    NORTH,
    NUMBERS,
    OPEN,
    PARTNERS,
    SCORED,
    SIDES,
    SOUTH,
    TOO_LOW,
    WEST,
    Keypad,
    Row,
    bid,
    counted,
    drawn,
)
from tests.web.play import Table

COUNTED_BY_SIDE = replace(
    PARTNERS, tricks_by="side", nil_points=None, blind_nil_points=None, blind_nil_deficit=None
)

ONE_LOST = replace(LITE, lost_tricks=1)

COUNTING = {
    "Once all have bid the tricks are counted in the same order": Row(
        [bid(3, 2, NIL, 4)],
        {
            "asked": 1,
            "pad": "North’s tricks",
            "counts": ["?", "", "", ""],
            "seat_contract": ["bid 3", "bid 2", "bid Nil", "bid 4"],
            "marks": ["○○○", "○○", "", "○○○○"],
            "counted": ["0 of 10 tricks Count 4 more players"],
        },
    ),
    "A key shows the points that its count makes": Row(
        [counted(3)],
        {
            "keys": [
                *("0 −20", "1 −20", "2 +20"),
                *(f"{n} +{18 + n}" for n in range(3, 8)),
                *("8", "9", "10"),
            ],
            "disabled": dict.fromkeys(("8", "9", "10"), "Only 7 tricks left."),
        },
    ),
    "A partner’s key shows no points while the other is not counted": Row(
        [bid(3, 2, 4, 2)], {"keys": [*map(str, range(14))]}, PARTNERS
    ),
    "A partner’s key shows points once the other is counted": Row(
        [counted(3, 2, bids=(3, 2, 4, 2))],
        {
            "keys": [
                *(f"{n} −70" for n in range(4)),
                *(f"{n} +{66 + n}" for n in range(4, 9)),
                *map(str, range(9, 14)),
            ]
        },
        PARTNERS,
    ),
    "Where books are moved points are shown once all are counted": Row(
        [
            Round((3, 2, 4, 2), None, (3, 2, None, None)).noted(
                penalties=(Penalty(1, "books", 3, "others", "renege"),)
            )
        ],
        {"keys": [*map(str, range(14))]},
        PARTNERS,
    ),
    "Where every player has a total a key shows those points": Row(
        [Round((3, 2, 4, 4), None, (3, None, None, None))],
        {
            "keys": [
                *(f"{n} −4" for n in range(4)),
                *(f"{n} +4" for n in range(4, 11)),
                "11",
                "12",
                "13",
            ]
        },
        FORTY_ONE,
    ),
    "Where every player has a total the points stand at each": Row(
        [Round((3, 2, 4, 4), None, (3, 3, 3, None))],
        {
            "seat_name": ["South", "East", "North", "West"],
            "seat_points": ["−4 → −4", "+2 → 2", "+3 → 3", "+4 → 4"],
        },
        FORTY_ONE,
    ),
    "Call Break shows tenths": Row(
        [Round((3, 4, 2, 2), None, (3, None, None, None))],
        {
            "keys": [
                "0 −2.0",
                "1 −2.0",
                *(f"{n} +2.{n - 2}" for n in range(2, 11)),
                *("11", "12", "13"),
            ]
        },
        CALL_BREAK,
    ),
    "A half counted round asks for the next seat": Row(
        [counted(3, 4)],
        {
            "asked": 3,
            "counts": ["3", "4", "?", ""],
            "marks": ["●●●", "●●++", "", "○○○○"],
            "done": ["North", "East"],
            "slots": "1112222···",
            "counted": ["7 of 10 tricks South and West to count"],
        },
    ),
    "A Nil that takes tricks fails": Row(
        [counted(3, 4, 2)], {"marks": ["●●●", "●●++", "××", "●○○○"]}
    ),
    "The last count fills itself in and the round can be scored": Row(
        [counted(3, 4, 0)],
        {
            "asked": 4,
            "counts": ["3", "4", "0", "3"],
            "filled": ["3"],
            "counted": ["Score round 1 All 10 counted · West took the other 3"],
            "seat_points": ["+30 → 30", "+22 → 22", "+50 → 50", "−40 → −40"],
            "score": "Score round 1",
            "one_more": [],
            "slots": "1112222444",
            "places": "○○○●" + "○" * 7,
        },
    ),
    "Nothing is left for the last seat": Row(
        [counted(3, 4, 3)],
        {"counted": ["Score round 1 All 10 counted · none for West"], "filled": ["0"]},
    ),
    "Points of partners stand at their side, not in their rows": Row(
        [counted(3, 2, 4, bids=(3, 2, 4, 2))],
        {"seat_points": ["", "", "", ""]},
        PARTNERS,
    ),
    "Each seat takes one more trick with a tap": Row(
        [bid(3, 2, NIL, 4)], {"one_more": ["1:1", "2:1", "3:1", "4:1"]}
    ),
    "After a tap it is the trick after that": Row(
        [counted(0, 2, 0, 1)], {"one_more": ["1:1", "2:3", "3:1", "4:2"]}
    ),
    "While bids are missing no trick is counted": Row([bid(3, 2, 1)], {"one_more": []}),
    "Once all tricks are taken there is no other": Row([counted(5, 5, 0, 0)], {"one_more": []}),
    "A seat is counted again": Row(
        [counted(3, 4, 0)],
        {
            "asked": 2,
            "keys": [
                *("0 −20", "1 −20", "2 +20"),
                *(f"{n} +{18 + n}" for n in range(3, 8)),
                "8",
                "9",
                "10",
            ],
        },
        chosen=EAST,
    ),
    "The button says how many players are not counted": Row(
        [bid(3, 2, NIL, 4)], {"score": "(Count 4 more players)"}
    ),
    "After one count three are missing": Row([counted(3)], {"score": "(Count 3 more players)"}),
    "After two counts two are missing": Row(
        [counted(3, 4)], {"score": "(South and West to count)"}
    ),
    "The button says how many tricks are missing": Row(
        [counted(3, 4, 1, 0)], {"score": "(2 tricks missing)"}
    ),
    "One trick is missing": Row([counted(3, 4, 1, 1)], {"score": "(1 trick missing)"}),
    "The button says how many tricks are too many": Row(
        [counted(3, 6, 1, 2)], {"score": "(2 tricks too many)"}
    ),
    "Where a trick may go to nobody the last count is asked for": Row(
        [counted(3, 4, 1)],
        {
            "asked": 4,
            "counts": ["3", "4", "1", "?"],
            "score": "(West to count)",
            "one_more": ["1:4", "2:5", "3:2", "4:1"],
        },
        ONE_LOST,
    ),
    "The last count is certain where no trick is left": Row(
        [counted(3, 4, 3)],
        {"filled": ["0"], "score": "Score round 1", "one_more": []},
        ONE_LOST,
    ),
    "The round can be scored where the last trick is nobody’s": Row(
        [counted(3, 4, 1, 1)],
        {
            "counted": ["Score round 1 9 of 10 tricks"],
            "score": "Score round 1",
            "one_more": ["1:4", "2:5", "3:2", "4:2"],
            "seat_points": [],
        },
        ONE_LOST,
    ),
    "A second trick cannot be nobody’s": Row(
        [counted(3, 4, 0, 1)], {"score": "(1 trick missing)"}, ONE_LOST
    ),
    "Three counts score the round": Row([counted(3, 4, 1)], {"score": "Score round 1"}),
    "Partners who are counted as one have one count": Row(
        [Round((7, 6, None, None), None, (8, None, 0, 0))],
        {
            "counts": ["8", "5"],
            "seat_contract": ["bid 7", "bid 6"],
            "seat_points": ["", ""],
            "score": "Score round 1",
        },
        SIDES,
    ),
    "Two players of a side are not counted": Row(
        [Round((7, 6, None, None))],
        {"score": "(Count 4 more players)", "pad": "North & South’s tricks"},
        SIDES,
    ),
    "Partners who are counted as one have one contract": Row(
        [Round((4, 3, 3, 3))],
        {"seat_contract": ["bid 7", "bid 6"], "marks": ["○" * 7, "○" * 6]},
        COUNTED_BY_SIDE,
    ),
    "An empty seat takes no trick": Row(
        [SCORED, Round((3, None, 2, 4)).noted(substitutes=(Substitute(EAST, None),))],
        {
            "seat_name": ["South", "West", "North"],
            "one_more": ["3:1", "4:1", "1:1"],
            "score": "(Count 3 more players)",
        },
    ),
    "A round without an empty seat is complete": Row(
        [
            SCORED,
            Round((3, None, 2, 4), None, (3, None, 2, None)).noted(
                substitutes=(Substitute(EAST, None),)
            ),
        ],
        {"counts": ["2", "5", "3"], "score": "Score round 2"},
    ),
}

THROWN_IN = {
    "Bids that are too low together are dealt again": Row(
        [TOO_LOW],
        {
            "counted": ["Bids total 10, but at least 11 are needed. Deal again."],
            "keys": [],
            "again": ["Deal again"],
            "asked": 0,
            "slots": "",
        },
        FORTY_ONE,
    ),
    "A bid that was too low can be raised instead": Row(
        [TOO_LOW], {"again": [], "asked": 2, "pad": "East’s bid"}, FORTY_ONE, chosen=EAST
    ),
    "A phone with a seat may deal again too": Row(
        [TOO_LOW],
        {"again": ["Deal again"], "keys": [], "waits": ["This phone plays for East. Change seat"]},
        FORTY_ONE,
        own=OwnSeat(EAST),
    ),
    "A phone of the side that bid too low may deal again": Row(
        [Round((5, 4, None, None))],
        {
            "again": ["Deal again"],
            "keys": [],
            "waits": ["This phone plays for East & West. Change seat"],
        },
        replace(SIDES, bids_at_least=10),
        own=OwnSeat(WEST),
    ),
    "Tricks are counted once enough is bid": Row(
        [bid(4, 2, 3, 3)], {"again": [], "asked": 3, "pad": "South’s tricks"}, FORTY_ONE
    ),
}

OWN_SEAT = {
    "A phone with a seat waits for its turn": Row(
        [],
        {"keys": [], "waits": ["North is bidding. This phone plays for East. Change seat"]},
        own=OwnSeat(EAST),
    ),
    "The keys come with the turn": Row(
        [bid(3)], {"keys": ["Nil", *NUMBERS], "waits": [], "asked": 2}, own=OwnSeat(EAST)
    ),
    "After its bid the phone waits again": Row(
        [bid(3, 2)],
        {"keys": [], "waits": ["South is bidding. This phone plays for East. Change seat"]},
        own=OwnSeat(EAST),
    ),
    "Each phone counts the tricks of its seat out of turn": Row(
        [bid(3, 2, NIL, 4)],
        {"asked": 2, "pad": "East’s tricks", "waits": [], "one_more": ["2:1"]},
        own=OwnSeat(EAST),
    ),
    "A phone whose seat is counted waits": Row(
        [counted(None, 4)],
        {"keys": [], "waits": ["This phone plays for East. Change seat"]},
        own=OwnSeat(EAST),
    ),
    "A phone whose seat was taken over enters for nobody": Row(
        [],
        {"keys": [], "waits": ["the other phone now plays for North. Change seat"]},
        own=OwnSeat(NORTH, "the other phone"),
    ),
    "Nor does it count tricks": Row(
        [bid(3, 2, NIL, 4)],
        {"keys": [], "one_more": [], "waits": ["the other phone now plays for North. Change seat"]},
        own=OwnSeat(NORTH, "the other phone"),
    ),
    "A phone whose player has left enters for nobody": Row(
        [SCORED, Round(OPEN).noted(substitutes=(Substitute(EAST, None),))],
        {"keys": [], "waits": ["South is bidding. This phone plays for East. Change seat"]},
        own=OwnSeat(EAST),
    ),
    "A phone plays for the player who comes to its seat": Row(
        [SCORED, Round((None, 3, None, None)).noted(substitutes=(Substitute(EAST, "Fay"),))],
        {"keys": [], "waits": ["South is bidding. This phone plays for Fay. Change seat"]},
        own=OwnSeat(EAST),
    ),
    "A partner’s phone enters for the side": Row(
        [], {"asked": 1, "waits": [], "pad": "North & South’s bid"}, SIDES, own=OwnSeat(SOUTH)
    ),
    "A phone of the other side waits": Row(
        [],
        {
            "keys": [],
            "waits": ["North & South is bidding. This phone plays for East & West. Change seat"],
        },
        SIDES,
        own=OwnSeat(WEST),
    ),
}

ROWS = {**COUNTING, **THROWN_IN, **OWN_SEAT}


@pytest.fixture(scope="module")
def keypads(still: Table, ask: Ask) -> dict[str, Keypad]:
    """The keypad of each row."""
    return drawn(still.app, ask, ROWS)


@pytest.mark.parametrize("sentence", ROWS)
def test_the_keypad(keypads: dict[str, Keypad], sentence: str) -> None:
    keypad, shown = keypads[sentence], ROWS[sentence].shown
    assert {part: getattr(keypad, part)() for part in shown} == shown
