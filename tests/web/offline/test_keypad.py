"""The keypad that the phone draws: the seats, the keys, and what scores the round.

Each row of the tables shows a part of the page after some rounds. Seats stand in bidding order:
West deals the first round, so that North bids first.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import pytest
from flask import Flask, render_template

from scorekeeper import i18n
from scorekeeper.rules.bidding import Nil, blind_bid, blind_bids, possible_bids, refusal
from scorekeeper.rules.game import Round, fold
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.games import Game
from scorekeeper.store.watch_links import OwnSeat
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import page_facts
from tests.web.page import EMPTY, Page, text_of
from tests.web.play import PLAYERS, Table

AT = "2026-01-03T20:15:00Z"
NIL, OPEN = Nil.NIL, (None,) * 4
LITE, PARTNERS, FORTY_ONE = (PRESETS[key] for key in ("cutthroat-lite", "partnership", "forty-one"))
CUTTHROAT, CALL_BREAK = PRESETS["cutthroat"], PRESETS["call-break"]
SIDES = replace(PARTNERS, bid_by="side", tricks_by="side", double_nil_points=None)
COUNTED_BY_SIDE = replace(
    PARTNERS, tricks_by="side", nil_points=None, blind_nil_points=None, blind_nil_deficit=None
)
GOLDEN = replace(PARTNERS, blind_bid_from=6, blind_trick_points=20, blind_set_points=10)
ITSELF = replace(LITE, first_round_bids_itself=True)
SCORED = Round((3, 2, NIL, 4), (3, 4, 0, 3))
TOO_LOW = Round((2, 2, 3, 3))
NORTH, EAST, SOUTH, WEST = range(4)
ODD = ("North", "{n} <i>&", "ليلى", 'Maximiliana "W"')


def bid(*bids: Any) -> Round:
    """Return a round that is being bid."""
    return Round((*bids, *OPEN)[:4])


def counted(*tally: int | None, bids: tuple[Any, ...] = (3, 2, NIL, 4)) -> Round:
    """Return a round whose tricks are being counted."""
    return Round(bids, None, (*tally, *OPEN)[:4])


class Keypad:
    """The parts of the keypad on a page."""

    def __init__(self, html: str) -> None:
        self.page = Page(re.sub(f"</({'|'.join(EMPTY)})>", "", html))

    def keys(self) -> list[str]:
        """What the keys say, each with what is written below it."""
        return [text_of(key) for key in self._keys()]

    def labels(self) -> list[str]:
        """What the keys enter."""
        return [key.get("value", "") for key in self._keys()]

    def likely(self) -> list[str]:
        """The keys that are larger."""
        return [text_of(key) for key in self._keys() if "likely" in key.get("class", "").split()]

    def disabled(self) -> dict[str, str]:
        """Why keys are disabled."""
        off = [key for key in self._keys() if key.get("aria-disabled") == "true"]
        assert all("disabled" in key.get("class", "") for key in off)
        return {key.get("value", ""): key.get("title", "") for key in off}

    def asked(self) -> int:
        """The seat that the keys fill, from 1; 0 for none."""
        seat = self.page.one("form[@id='entry']/input[@name='seat']").get("value", "")
        active = [row.get("id") for row in self.page.all("li") if "active" in _classes(row)]
        assert active == ([f"seat-row-{int(seat) - 1}"] if seat != "0" else [])
        return int(seat)

    def pad(self) -> str:
        """What a screen reader calls the keypad."""
        return self.page.one("div[@id='pad']").get("aria-label", "")

    def one_more(self) -> list[str]:
        """The buttons beside the seats, each a seat with its next count."""
        return [button.get("value", "") for button in self.page.all("button[@name='one']")]

    def score(self) -> str:
        """The button that scores the round; in brackets where it cannot yet."""
        (button,) = self.page.all("form[@id='score']/button")
        off = button.get("aria-disabled") == "true"
        return f"({text_of(button)})" if off else text_of(button)

    def scores(self) -> str:
        """The counts that are scored."""
        fields = self.page.all("form[@id='score']/input")
        return "/".join(
            field.get("value", "") for field in fields if "tricks" in field.get("name", "")
        )

    def slots(self) -> str:
        """The cards below the seats, each with the number of the seat that bid or took it."""
        cards = self.page.all("div[@class='foot']/span[@class='cards']/i")
        return "".join(card.get("class", "·")[-1] for card in cards)

    def marks(self) -> list[str]:
        """The marks at each seat: bid, taken, overtrick, or a Nil that failed."""
        signs = {"": "○", "on": "●", "bag": "+", "miss": "×"}
        rows = self.page.all("span[@class='seat-notes']")
        cards = [row.findall("span[@class='cards']/i") for row in rows]
        return ["".join(signs[card.get("class", "")] for card in row) for row in cards]

    def done(self) -> list[str]:
        """The seats that are finished with."""
        return [_name(row) for row in self.page.all("li") if "done" in _classes(row)]

    def filled(self) -> list[str]:
        """The counts that nobody entered."""
        return self.page.texts("b[@class='seat-count filled']")

    def blind(self) -> str:
        """The button for blind bids, in brackets while it is pressed."""
        return " ".join(
            f"({text_of(link)})" if link.get("aria-current") == "true" else text_of(link)
            for link in self.page.all("a[@id='blind']")
        )

    def notes(self) -> list[str]:
        """What stands below the names: what the round has brought, and hints."""
        rows = self.page.all("span[@class='seat-notes']")
        return [
            " · ".join(text_of(note) for note in row if note.get("class") != "cards")
            for row in rows
        ]

    def error(self) -> list[str]:
        return self.page.texts("p[@id='message']")

    def deck(self) -> str:
        return " ".join(self.page.texts("div[@class='deck']"))

    def again(self) -> list[str]:
        return self.page.texts("form[@id='again']/button")

    def counts(self) -> list[str]:
        rows = [row for row in self.page.all("b[@class]") if "seat-count" in _classes(row)]
        return [text_of(row) for row in rows]

    def __getattr__(self, part: str) -> Callable[[], list[str]]:
        """Return what the elements of a class say, such as `seat_bid`."""
        return lambda: self.page.texts(f"*[@class='{part.replace('_', '-')}']")

    def _keys(self) -> list[Element]:
        return self.page.all("button[@form='entry']")


def _classes(element: Element) -> list[str]:
    return element.get("class", "").split()


def _name(row: Element) -> str:
    return text_of(row.findall(".//span[@class='seat-name']")[0])


class Row(NamedTuple):
    """The rounds of a game, and what the parts of the keypad then say."""

    rounds: list[Round]
    shown: Mapping[str, Any]
    rules: RuleSet = LITE
    chosen: int | None = None
    own: OwnSeat | None = None
    blind: bool = False
    error: str = ""
    names: tuple[str, ...] = PLAYERS[:4]


NUMBERS = [*map(str, range(1, 11))]
IN_LITE = "Remove all 2s, 3s and 4s. 40 cards, 10 each."
FAR_BEHIND = [Round((6, 4, 4, 3), (6, 2, 4, 1))]  # North and South 100, East and West −70

BIDDING = {
    "The keys are the bids of the rule book": Row([], {"keys": ["Nil", *NUMBERS], "disabled": {}}),
    "The likely bids have larger keys": Row([], {"likely": ["Nil", "1", "2", "3", "4", "5"]}),
    "With blind Nil two more bids are likely": Row(
        [], {"likely": ["Nil", "blind Nil", "1", "2", "3", "4", "5", "6"]}, PARTNERS
    ),
    "The seat to the left of the dealer bids first": Row(
        [],
        {
            "seat_title": ["North to bid", "East", "South", "West D"],
            "seat_bid": ["?", "", "", ""],
            "asked": 1,
            "pad": "North’s bid",
            "done": [],
            "counted": ["0 of 10 bid"],
            "slots": "·" * 10,
        },
    ),
    "After a bid the next seat clockwise is asked": Row(
        [bid(3, NIL)],
        {
            "seat_title": ["North", "East", "South to bid", "West D"],
            "seat_bid": ["3", "Nil", "?", ""],
            "asked": 3,
            "done": ["North", "East"],
            "counted": ["3 of 10 bid"],
            "slots": "111·······",
        },
    ),
    "A seat that another phone skipped is asked first": Row([bid(3, None, 2)], {"asked": 2}),
    "Rows stand in bidding order with what each seat has": Row(
        [SCORED],
        {
            "seat_name": ["East", "South", "West", "North"],
            "seat_title": ["East to bid", "South", "West", "North D"],
            "seat_total": ["22", "50", "−40", "30"],
            "asked": 2,
        },
    ),
    "Until the first bid each row tells what the round has brought": Row(
        [SCORED], {"notes": ["+22", "+50 · 75 short of 125", "−40", "+30 · 95 short of 125"]}
    ),
    "The first bid ends what the round has brought": Row(
        [SCORED, bid(None, 2)], {"notes": ["", "75 short of 125", "", "95 short of 125"]}
    ),
    "A seat that was tapped is asked": Row(
        [bid(3)],
        {"asked": 1, "seat_title": ["North to bid", "East", "South", "West D"]},
        chosen=NORTH,
    ),
    "A refused bid keeps the seat it was meant for": Row(
        [], {"asked": 3, "error": ["Bid 1 to 10."]}, chosen=SOUTH, error="Bid 1 to 10."
    ),
    "The number that makes the bids equal the tricks is disabled for the last bidder": Row(
        [bid(3, 3, 3)],
        {
            "disabled": {"4": "Bids can’t total 13. Choose another."},
            "keys": ["Nil", "1", "2", "3", "4 makes 13", *map(str, range(5, 14))],
        },
        CUTTHROAT,
    ),
    "Nobody before the last bidder is hooked": Row([bid(3, 3)], {"disabled": {}}, CUTTHROAT),
    "Who is not far enough behind has no blind Nil": Row(
        [], {"disabled": {"blind nil": "Blind Nil: must trail by 100, trails by 0."}}, PARTNERS
    ),
    "Who is far enough behind has blind Nil": Row(FAR_BEHIND, {"disabled": {}}, PARTNERS),
    "Only one partner has blind Nil": Row(
        [*FAR_BEHIND, bid(None, Nil.BLIND)],
        {"disabled": {"blind nil": "Only one partner may bid blind Nil."}},
        PARTNERS,
        chosen=WEST,
    ),
    "A call is no bid": Row(
        [], {"keys": [*map(str, range(1, 9))], "counted": ["0 of 13 bid"]}, CALL_BREAK
    ),
    "A round that bids itself is counted at once": Row(
        [],
        {
            "asked": 1,
            "keys": ["0 0", *(f"{n} +{n}0" for n in range(1, 11))],
            "pad": "North’s tricks",
        },
        ITSELF,
    ),
    "Partners who bid as one have one row": Row(
        [],
        {
            "seat_name": ["North & South", "East & West"],
            "seat_title": ["North & South to bid", "East & West D"],
            "pad": "North & South’s bid",
            "asked": 1,
        },
        SIDES,
    ),
    "The side to the left of the dealer bids first": Row(
        [Round((7, 6, None, None), (8, 5, 0, 0))],
        {"seat_name": ["East & West", "North & South"], "asked": 2},
        SIDES,
    ),
    "A partner without a bid stands for the side": Row([], {"asked": 1}, SIDES, chosen=SOUTH),
    "An empty seat is not asked": Row(
        [SCORED, Round(OPEN, None, None, (), False, (Substitute(EAST, None),))],
        {"seat_name": ["South", "West", "North"], "asked": 3},
    ),
}

DECK = {
    "Before the first bid the cards are told": Row([], {"deck": IN_LITE}),
    "After the first bid the cards are not told": Row([bid(3)], {"deck": ""}),
    "After a misdeal of the first round they are told again": Row([Round(OPEN)], {"deck": IN_LITE}),
    "In later rounds they are not told": Row([SCORED], {"deck": ""}),
}

HINTS = {
    "A side is warned before the bag that costs": Row(
        [Round((1, 1, 1, 1), (6, 1, 1, 2))],
        {"notes": ["+10", "+10", "+11", "+15 · 1 bag to −10"]},
    ),
    "A side is told what its bags have cost": Row(
        [Round((1, 1, 1, 1), (7, 1, 1, 1))], {"notes": ["+10", "+10", "+10", "+5 · bags: −10"]}
    ),
    "The next bid ends what bags have cost": Row(
        [Round((1, 1, 1, 1), (7, 1, 1, 1)), bid(None, 2)], {"notes": ["", "", "", ""]}
    ),
    "A side is told what reaches the target": Row(
        [SCORED],
        {
            "notes": [
                "+22 · reaches 60 by making 4 without a bag penalty",
                "+50 · reaches 60 by making 1 without a bag penalty",
                "−40 · 100 short of 60",
                "+30 · reaches 60 by making 3 without a bag penalty",
            ]
        },
        replace(LITE, target=60),
    ),
}

BLIND = {
    "One tap more bids blind": Row([], {"blind": "Bid blind"}, GOLDEN),
    "Blind bids have keys of their own": Row(
        [],
        {
            "blind": "(Bid blind)",
            "labels": [f"blind {n}" for n in range(6, 14)],
            "keys": [*map(str, range(6, 14))],
        },
        GOLDEN,
        blind=True,
    ),
    "The next seat begins with the usual bids": Row(
        [bid(blind_bid(6))], {"labels": ["nil", "blind nil", *map(str, range(1, 14))]}, GOLDEN
    ),
    "A blind bid is shown as such": Row(
        [bid(blind_bid(6))], {"seat_bid": ["blind 6", "?", "", ""]}, GOLDEN
    ),
    "Who is not behind bids no number blind": Row(
        [], {"blind": ""}, replace(GOLDEN, blind_bid_deficit=50)
    ),
    "Who is behind may bid a number blind": Row(
        FAR_BEHIND, {"blind": "Bid blind"}, replace(GOLDEN, blind_bid_deficit=50), chosen=EAST
    ),
    "Who leads has the usual keys though others may bid blind": Row(
        FAR_BEHIND,
        {"blind": "", "labels": ["nil", "blind nil", *map(str, range(1, 14))]},
        replace(GOLDEN, blind_bid_deficit=50),
        chosen=NORTH,
        blind=True,
    ),
    "Games without blind bids have no such keys": Row(
        [], {"blind": "", "keys": ["Nil", *NUMBERS]}, blind=True
    ),
}

COUNTING = {
    "Once all have bid the tricks are counted in the same order": Row(
        [bid(3, 2, NIL, 4)],
        {
            "asked": 1,
            "pad": "North’s tricks",
            "counts": ["?", "", "", ""],
            "seat_contract": ["bid 3", "bid 2", "bid Nil", "bid 4"],
            "marks": ["○○○", "○○", "", "○○○○"],
            "counted": ["0 of 10 tricks"],
            "scores": "0/0/0/0",
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
            "disabled": dict.fromkeys(("8", "9", "10"), "Only 7 tricks are left."),
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
            Round(
                (3, 2, 4, 2),
                None,
                (3, 2, None, None),
                (Penalty(1, "books", 3, "others", "renege"),),
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
            "counted": ["7 of 10 tricks"],
        },
    ),
    "A Nil that takes tricks fails": Row(
        [counted(3, 4, 2)], {"marks": ["●●●", "●●++", "××", "●○○○"]}
    ),
    "The last count fills itself in and the round can be scored": Row(
        [counted(3, 4, 0)],
        {
            "asked": 4,
            "scores": "3/4/0/3",
            "counts": ["3", "4", "0", "3"],
            "filled": ["3"],
            "counted": ["All 10 tricks in · West gets the last 3"],
            "seat_points": ["+30 → 30", "+22 → 22", "+50 → 50", "−40 → −40"],
            "score": "Score round 1",
            "one_more": [],
            "slots": "",
        },
    ),
    "Nothing is left for the last seat": Row(
        [counted(3, 4, 3)], {"counted": ["All 10 tricks in · none for West"], "filled": ["0"]}
    ),
    "Points of partners stand at the last of their rows": Row(
        [counted(3, 2, 4, bids=(3, 2, 4, 2))],
        {"seat_points": ["", "", "+70 → 70", "+42 → 42"]},
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
    "After two counts two are missing": Row([counted(3, 4)], {"score": "(Count 2 more players)"}),
    "The button says how many tricks are missing": Row(
        [counted(3, 4, 1, 0)], {"score": "(2 tricks missing)"}
    ),
    "One trick is missing": Row([counted(3, 4, 1, 1)], {"score": "(1 trick missing)"}),
    "The button says how many tricks are too many": Row(
        [counted(3, 6, 1, 2)], {"score": "(2 tricks too many)"}
    ),
    "Three counts score the round": Row([counted(3, 4, 1)], {"score": "Score round 1"}),
    "Partners who are counted as one have one count": Row(
        [Round((7, 6, None, None), None, (8, None, 0, 0))],
        {
            "counts": ["8", "5"],
            "seat_contract": ["bid 7", "bid 6"],
            "seat_points": ["+71 → 71", "−60 → −60"],
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
        [SCORED, Round((3, None, 2, 4), None, None, (), False, (Substitute(EAST, None),))],
        {
            "seat_name": ["South", "West", "North"],
            "one_more": ["3:1", "4:1", "1:1"],
            "score": "(Count 3 more players)",
        },
    ),
    "A round without an empty seat is complete": Row(
        [
            SCORED,
            Round((3, None, 2, 4), None, (3, None, 2, None), (), False, (Substitute(EAST, None),)),
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
        {"keys": [], "waits": ["the other phone plays for North now. Change seat"]},
        own=OwnSeat(NORTH, "the other phone"),
    ),
    "Nor does it count tricks": Row(
        [bid(3, 2, NIL, 4)],
        {"keys": [], "one_more": [], "waits": ["the other phone plays for North now. Change seat"]},
        own=OwnSeat(NORTH, "the other phone"),
    ),
    "A phone whose player has left enters for nobody": Row(
        [SCORED, Round(OPEN, None, None, (), False, (Substitute(EAST, None),))],
        {"keys": [], "waits": ["South is bidding. This phone plays for East. Change seat"]},
        own=OwnSeat(EAST),
    ),
    "A phone plays for the player who comes to its seat": Row(
        [SCORED, Round((None, 3, None, None), None, None, (), False, (Substitute(EAST, "Fay"),))],
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

NAMED = {
    "Names stand there as they were typed": Row(
        [bid(3)], {"seat_title": ["North", f"{ODD[1]} to bid", ODD[2], f"{ODD[3]} D"]}, names=ODD
    ),
    "A screen reader is told them so": Row([bid(3)], {"pad": f"{ODD[1]}’s bid"}, names=ODD),
    "Whoever waits is told them so": Row(
        [],
        {"waits": [f"Ana’s <phone> plays for {ODD[2]} now. Change seat"]},
        names=ODD,
        own=OwnSeat(SOUTH, "Ana’s <phone>"),
    ),
}

ROWS = {**NAMED, **BIDDING, **DECK, **HINTS, **BLIND, **COUNTING, **THROWN_IN, **OWN_SEAT}


def game_of(row: Row) -> Game:
    rounds, rest = tuple(row.rounds), (WEST, None, AT, 7, AT)
    return Game("g", "t", row.rules, row.names, *rest, rounds, "ab12" * 10)


def drawn(app: Flask, ask: Ask, rows: Mapping[str, Row]) -> dict[str, Keypad]:
    """Return the keypads that the phone draws, by the sentences of the rows."""
    with app.test_request_context():
        pieces = render_template("offline/shell.html")
    questions = []
    for row in rows.values():
        facts = page_facts(game_of(row), row.own)
        view = {"chosen": row.chosen, "error": row.error, "known": [], "blind": row.blind, "at": 0}
        questions.append([pieces, facts, {**view, "everyRound": False}])
    return dict(zip(rows, map(Keypad, ask("gamePageOf", questions)), strict=True))


@pytest.fixture(scope="module")
def keypads(still: Table, ask: Ask) -> dict[str, Keypad]:
    """The keypad of each row."""
    return drawn(still.app, ask, ROWS)


@pytest.mark.parametrize("sentence", ROWS)
def test_the_keypad(keypads: dict[str, Keypad], sentence: str) -> None:
    keypad, shown = keypads[sentence], ROWS[sentence].shown
    assert {part: getattr(keypad, part)() for part in shown} == shown


def test_the_keys_of_every_book_are_its_bids_and_the_others_are_disabled(
    still: Table, ask: Ask
) -> None:
    rows = {key: Row([], {}, rules) for key, rules in PRESETS.items() if 4 in rules.players}
    rows["blind"] = Row([], {}, GOLDEN, blind=True)
    for key, keypad in drawn(still.app, ask, rows).items():
        rules = rows[key].rules
        bids = blind_bids(rules) if rows[key].blind else possible_bids(rules)
        totals = fold(rules, 4, WEST, ()).standing.totals
        wrong = [one for one in bids if refusal(rules, OPEN, NORTH, one, totals)]
        assert keypad.labels() == [*map(str, bids)], key
        assert [*keypad.disabled()] == [*map(str, wrong)], key


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_the_keypad_speaks_the_language_of_the_phone(still: Table, ask: Ask, language: str) -> None:
    rows = {"bids": Row([bid(3)], {}), "thrown in": Row([TOO_LOW], {}, FORTY_ONE)}
    rows |= {"tricks": Row([counted(3)], {}), "complete": Row([counted(3, 4, 0)], {})}
    i18n.set_language(language)
    more = i18n.ngettext("Count {n} more player", "Count {n} more players", 3).format(n=3)
    expected = [
        i18n.gettext("{name}’s bid").format(name="East"),
        i18n.gettext("Deal again"),
        i18n.gettext("{name}’s tricks").format(name="East"),
        f"({more})",
        i18n.gettext("Score round {n}").format(n=1),
    ]
    seen = drawn(still.app, ask, rows)
    i18n.set_language("en")
    bids, again, tricks, complete = seen.values()
    said = [bids.pad(), *again.again(), tricks.pad(), tricks.score(), complete.score()]
    assert said == expected
