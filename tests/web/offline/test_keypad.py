"""The keypad on which bids are entered: seats, keys, and what is told beside them."""

from dataclasses import replace

import pytest

from scorekeeper import i18n
from scorekeeper.rules.bidding import Nil, blind_bid, blind_bids, possible_bids, refusal
from scorekeeper.rules.game import fold
from scorekeeper.rules.presets import PRESETS
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

CUTTHROAT = PRESETS["cutthroat"]
GOLDEN = replace(PARTNERS, blind_bid_from=6, blind_trick_points=20, blind_set_points=10)
ITSELF = replace(LITE, first_round_bids_itself=True)
ODD = ("North", "{n} <i>&", "ليلى", 'Maximiliana "W"')

IN_LITE = "Remove all 2s, 3s and 4s. 40 cards, 10 each."
FAR_BEHIND = [Round((6, 4, 4, 3), (6, 2, 4, 1))]  # North and South 100, East and West −70

BIDDING = {
    "The keys are the bids of the rule book": Row([], {"keys": ["Nil", *NUMBERS], "disabled": {}}),
    "Nil has the place of 0": Row([], {"places": "○" * 11}),
    "Where neither may be bid its place is empty": Row(
        [], {"places": "·" + "○" * 8 + "·" * 5}, CALL_BREAK
    ),
    "The bid of a seat that is asked again is marked": Row(
        [bid(3)], {"places": "○○○●" + "○" * 7}, chosen=NORTH
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
    "A player far behind is told what the target needs": Row(
        [SCORED], {"notes": ["", "needs 75", "", "needs 95"]}
    ),
    "The first bid ends what the round has brought": Row(
        [SCORED, bid(None, 2)], {"notes": ["", "needs 75", "", "needs 95"]}
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
    "Who is not far enough behind has no blind Nil": Row([], {"blind": ""}, PARTNERS),
    "Who is far enough behind has blind Nil": Row(FAR_BEHIND, {"blind": "Bid blind"}, PARTNERS),
    "Blind Nil takes one tap more": Row(
        FAR_BEHIND, {"labels": ["blind nil"], "places": "○" + "·" * 13}, PARTNERS, blind=True
    ),
    "Only one partner has blind Nil": Row(
        [*FAR_BEHIND, bid(None, Nil.BLIND)], {"blind": ""}, PARTNERS, chosen=WEST
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
        [SCORED, Round(OPEN).noted(substitutes=(Substitute(EAST, None),))],
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
        {"notes": ["", "", "", "1 bag to −10"]},
    ),
    "A side is told what its bags have cost": Row(
        [Round((1, 1, 1, 1), (7, 1, 1, 1))], {"notes": ["", "", "", "bags: −10"]}
    ),
    "The next bid ends what bags have cost": Row(
        [Round((1, 1, 1, 1), (7, 1, 1, 1)), bid(None, 2)], {"notes": ["", "", "", ""]}
    ),
    "A side is told what reaches the target": Row(
        [SCORED],
        {
            "notes": [
                "60 with 5 or Nil",
                "60 with 2 or Nil",
                "needs 100",
                "60 with 4 or Nil",
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
            "labels": ["blind nil", *(f"blind {n}" for n in range(6, 14))],
            "keys": ["blind Nil", *map(str, range(6, 14))],
        },
        GOLDEN,
        blind=True,
    ),
    "The next seat begins with the usual bids": Row(
        [bid(blind_bid(6))], {"labels": ["nil", *map(str, range(1, 14))]}, GOLDEN
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
        {"blind": "", "labels": ["nil", *map(str, range(1, 14))]},
        replace(GOLDEN, blind_bid_deficit=50),
        chosen=NORTH,
        blind=True,
    ),
    "Games without blind bids have no such keys": Row(
        [], {"blind": "", "keys": ["Nil", *NUMBERS]}, blind=True
    ),
}

NAMED = {
    "Names stand there as they were typed": Row(
        [bid(3)], {"seat_title": ["North", f"{ODD[1]} to bid", ODD[2], f"{ODD[3]} D"]}, names=ODD
    ),
    "A screen reader is told them so": Row([bid(3)], {"pad": f"{ODD[1]}’s bid"}, names=ODD),
    "Whoever waits is told them so": Row(
        [],
        {"waits": [f"Ana’s <phone> now plays for {ODD[2]}. Change seat"]},
        names=ODD,
        own=OwnSeat(SOUTH, "Ana’s <phone>"),
    ),
}

ROWS = {**NAMED, **BIDDING, **DECK, **HINTS, **BLIND}


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
        rules = rows[key].rules.in_round(1, 4)
        nils = [one for one in possible_bids(rules) if one is Nil.BLIND]
        usual = [one for one in possible_bids(rules) if one is not Nil.BLIND]
        bids = [*nils, *blind_bids(rules)] if rows[key].blind else usual
        before = fold(rules, 4, WEST, ()).table
        wrong = [one for one in bids if refusal(before, OPEN, NORTH, one)]
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
