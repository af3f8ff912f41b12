"""The rule books, each a small difference from another, and house rules applied to them.

The names in brackets are the texts that the values come from, and pages of organisers.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from scorekeeper.rules.ruleset import (
    FULL_DECK,
    HOUSE_RULES,
    RuleSet,
    RulesRefused,
    with_house_rules,
)
from scorekeeper.rules.sentence import N_
from scorekeeper.rules.values import PAIRED, UNSCORED

ALONE = (2, 3, 4, 5, 6, 7)  # players, as far as the pack goes

CUTTHROAT_LITE = RuleSet(  # [Cutthroat Spades LITE]
    key="cutthroat-lite",
    name="Cutthroat Spades LITE",
    players=ALONE,
    target=125,
    tricks=10,
    trick_points=10,
    set_points=10,
    nil_points=50,
    overtrick_points=1,
    overtrick_cap=5,
    bag_limit=6,
    bag_penalty=10,
    bag_remainder="dropped",
    minimum_bid=1,
    first_dealer="last",
)

CUTTHROAT = replace(  # [Cutthroat Spades]
    CUTTHROAT_LITE,
    key="cutthroat",
    name="Cutthroat Spades",
    target=500,
    tricks=13,
    overtrick_cap=None,
    bag_limit=5,
    bag_penalty=50,
    bids_may_equal_tricks=False,
    first_dealer="random",
    trump_lead="opening",
)

PARTNERSHIP = replace(  # [Spades Cheat Sheet]
    CUTTHROAT,
    key="partnership",
    name="Partnership Spades",
    players=(4,),
    partnerships=True,
    nil_points=100,
    blind_nil_points=200,
    blind_nil_deficit=100,
    blind_nil_partners="one",
    failed_nil_tricks="contract",
    bag_limit=None,
    bag_penalty=None,
    bag_remainder="kept",
    bids_may_equal_tricks=True,
    trump_lead="broken",
)

PARTNERSHIP_SANDBAGS = replace(  # [Spades with sandbags]
    PARTNERSHIP,
    key="partnership-sandbags",
    name="Partnership with sandbags",
    blind_nil_deficit=None,
    blind_nil_partners="both",
    bag_limit=10,
    bag_penalty=100,
)

PARTNERSHIP_500 = replace(  # [Spades to 500]
    PARTNERSHIP_SANDBAGS,
    key="partnership-500",
    name="Partnership to 500",
    blind_nil_points=None,
    rematch_dealer="next",
)

PARTNERSHIP_250 = replace(  # [Spades to 250]
    PARTNERSHIP_500,
    key="partnership-250",
    name="Partnership to 250",
    target=250,
    nil_points=50,
    bag_limit=5,
    bag_penalty=50,
)

COOKOUT = replace(  # [Cookout Spades, a tournament]
    PARTNERSHIP,
    key="cookout",
    name="Cookout Spades",
    target=350,
    board=4,
    nil_points=None,
    blind_nil_points=None,
    blind_nil_deficit=None,
    ten_made=150,
    ten_failed=150,
    boston_made=200,
    sets_lose=2,
)

CONVENTION = replace(  # [The Spades Connection, a tournament]
    PARTNERSHIP_500,
    key="convention",
    name="Eight hands",
    target=None,
    rounds=8,
    tie_at_limit="fewer_bags",
    rematch_dealer="as_first",
)

TIMED = replace(  # [Open partner tournament, 40 minutes]
    PARTNERSHIP,
    key="timed",
    name="Bar game to 350",
    target=350,
    blind_nil_points=None,
    blind_nil_deficit=None,
    sets_lose=3,
    sets_in_a_row_lose=2,
    minimum_rounds=3,
)

CALL_BREAK = replace(  # South Asia; counted in tenths of a point
    CUTTHROAT,
    key="call-break",
    name="Call Break",
    target=None,
    rounds=5,
    nil_points=None,
    bag_limit=None,
    bag_penalty=None,
    maximum_bid=8,
    bids_may_equal_tricks=True,
    clockwise=False,
    trump_lead="anytime",
    must_trump=True,
    shown_as="tenths",
)

CALL_BRIDGE = replace(CALL_BREAK, key="call-bridge", name="Call Bridge", minimum_bid=2)

FORTY_ONE = replace(  # Lebanon and Syria, also called 400
    PARTNERSHIP,
    key="forty-one",
    name="41",
    target=41,
    trick_points=1,
    set_points=1,
    call_values="1-6:1,7-13:2",
    nil_points=None,
    blind_nil_points=None,
    blind_nil_deficit=None,
    overtrick_points=0,
    bids_at_least=11,
    bids_at_least_by_total="30:12,40:13,50:14",
    bids_at_least_counts="values",
    totals_by="seat",
    win_needs_partner=True,
    clockwise=False,
    trump="hearts",
    trump_lead="anytime",
)

SPADES_PAIR = replace(
    CUTTHROAT,
    key="spades-pair",
    name="Spades for two",
    players=(2,),
    deal="drawn",
    nil_points=100,
    bag_limit=10,
    bag_penalty=100,
    bag_remainder="kept",
    bids_may_equal_tricks=True,
    trump_lead="broken",
)

SPADES_THREE = replace(
    SPADES_PAIR,
    key="spades-three",
    name="Spades for three",
    players=(3,),
    tricks=17,
    deal="reduced",
    blind_nil_points=200,
)

SPADES_SIX = replace(  # three pairs, two packs
    PARTNERSHIP_500,
    key="spades-six",
    name="Spades for six",
    players=(6,),
    pack=104,
    tricks=17,
)

OH_HELL = replace(  # also Oh Pshaw, Blackout, Up and Down the River
    CUTTHROAT,
    key="oh-hell",
    name="Oh Hell",
    players=(3, 4, 5, 6, 7),
    target=None,
    tricks=10,
    cards="10-1,2-10",
    tie_at_limit="shared",
    trick_points=1,
    made="exactly",
    made_bonus=10,
    failed_bid="zero",
    set_points=0,
    failed_trick_points=1,
    minimum_bid=0,
    nil_points=None,
    overtrick_points=0,
    bag_limit=None,
    bag_penalty=None,
    trump="turned",
    trump_lead="anytime",
)

KACHUFOOL = replace(  # India, also called Judgement
    OH_HELL,
    key="kachufool",
    name="Kachufool (Judgement)",
    tricks=17,
    cards="1-17",
    failed_trick_points=0,
    trump="in_order",
    trump_order="s,d,c,h",
)

WIZARD = replace(  # Ken Fisher; 52 cards, four wizards and four jesters
    OH_HELL,
    key="wizard",
    name="Wizard",
    players=(3, 4, 5, 6),
    pack=60,
    tricks=20,
    cards="1-20",
    trick_points=10,
    made_bonus=20,
    failed_bid="difference",
    set_points=10,
    failed_trick_points=0,
    bids_may_equal_tricks=True,
)

SKULL_KING = replace(  # Grandpa Beck's Games; four suits to 14 and fourteen special cards
    WIZARD,
    key="skull-king",
    name="Skull King",
    players=(2, 3, 4, 5, 6, 7, 8),
    pack=70,
    tricks=10,
    cards="1-10,8,8",  # eight players are dealt 8 cards in the last three rounds
    rounds=10,
    lost_tricks=2,
    trick_points=20,
    made_bonus=0,
    worth="0:10c/10c",
    bonus_counts="made",
    trump="spades",
)

PRESETS: dict[str, RuleSet] = {
    rules.key: rules
    for rules in (
        CUTTHROAT_LITE,
        CUTTHROAT,
        PARTNERSHIP,
        PARTNERSHIP_SANDBAGS,
        PARTNERSHIP_500,
        PARTNERSHIP_250,
        OH_HELL,
        KACHUFOOL,
        WIZARD,
        SKULL_KING,
        COOKOUT,
        CONVENTION,
        TIMED,
        SPADES_PAIR,
        SPADES_THREE,
        SPADES_SIX,
        CALL_BREAK,
        CALL_BRIDGE,
        FORTY_ONE,
    )
}
# The numbers of players that the text of a rule book is for, where the book is for more.
WRITTEN_FOR: Mapping[str, tuple[int, ...]] = {
    CUTTHROAT_LITE.key: (3, 4, 5),
    CUTTHROAT.key: (4,),
    CALL_BREAK.key: (4,),
    CALL_BRIDGE.key: (4,),
}
# Rule books whose players call instead of bidding.
CALL_BOOKS = (CALL_BREAK.key, CALL_BRIDGE.key)
DEFAULT = CUTTHROAT_LITE


def restore(values: Mapping[str, Any]) -> RuleSet:
    """Return the rules kept beside a game; values unknown when it was stored take their default.

    Those that score nothing take the rule book's value. Raises `RulesRefused` where the values
    contradict one another.
    """
    known = {spec.name for spec in fields(RuleSet)}
    kept = {name: value for name, value in values.items() if name in known}
    if book := PRESETS.get(values["key"]):
        kept = {name: getattr(book, name) for name in UNSCORED} | kept
        kept["players"] = players_of(values, book)
    return RuleSet(**{**kept, "players": tuple(kept["players"])})


def players_of(values: Mapping[str, Any], book: RuleSet) -> Sequence[int]:
    """Return the numbers of players in stored values, as they are stored.

    Before they could be chosen, they were those of the book, which is for more today.
    """
    return values["players"] if "deal" in values else book.players


@lru_cache(maxsize=256)  # asked for each game of a file
def tables(rules: RuleSet, *, cards_set: bool = False) -> Mapping[int, RuleSet]:
    """Return the rules by number of players, with fewer cards each where the pack is not enough.

    A number of cards that somebody set stands: with `cards_set` any, else one that is not that of
    the rule book. Whoever cannot be dealt so many then cannot play.
    """
    book = PRESETS.get(rules.key, rules)
    stands = cards_set or rules.cards is not None or rules.tricks != book.tricks
    found = {}
    for players in rules.players:
        most = rules.pack // players
        with suppress(RulesRefused):
            has_fewer = most < rules.tricks and not stands
            own = with_house_rules(rules, {"tricks": str(most)}) if has_fewer else rules
            if players in own.table_sizes:
                found[players] = own
    return found


def at_table(rules: RuleSet, players: int, *, cards_set: bool = False) -> RuleSet:
    """Return the rules of a table of so many players, as `tables` has them.

    Every way to start a game, to read one or to show its rules asks here. Raises `RulesRefused`
    for `tricks` where the deck has too few cards, and for `players` where the rules are for others.

    >>> at_table(CUTTHROAT_LITE, 6).tricks
    8
    >>> at_table(CUTTHROAT_LITE, 6, cards_set=True)
    Traceback (most recent call last):
    scorekeeper.rules.ruleset.RulesRefused: 10 cards each for 6 players is more than a full deck. \
Deal fewer.
    """
    sizes = tables(rules, cards_set=cards_set)
    if players in sizes:
        return sizes[players]
    if players in rules.players and not rules.plan(players):
        wrong = FULL_DECK.about(tricks=rules.tricks, players=players)
        raise RulesRefused("tricks", wrong)
    needed = ", ".join(map(str, sizes))
    raise RulesRefused("players", PLAYERS_NEEDED.about(rules=rules.name, n=needed))


PLAYERS_NEEDED = N_("{rules} is for {n} players.")


def as_chosen(rules: RuleSet, players: int) -> RuleSet:
    """Return the rules of a game as they were chosen: fewer cards for so many are no house rule."""
    book = PRESETS.get(rules.key, rules)
    with suppress(RulesRefused):
        usual = replace(rules, tricks=book.tricks)
        if usual != rules and tables(usual).get(players) == rules:
            return usual
    return rules


Refusals = dict[str, RulesRefused]


def apply_house_rules(base: RuleSet, changes: Mapping[str, str]) -> tuple[RuleSet, Refusals]:
    """Return the rules with every valid change, and why the others are refused.

    The refusals are keyed by the names of the changes that were left out.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> rules, refused = apply_house_rules(CUTTHROAT_LITE, {"target": "200", "board": "4"})
    >>> rules.target, list(refused)
    (200, ['board'])
    """
    kept, refused = dict(changes), Refusals()
    while True:
        try:
            return with_house_rules(base, kept), refused
        except RulesRefused as why:
            culprit = why.field if why.field in kept else PAIRED.get(why.field, "")
            culprit = culprit if culprit in kept else next(reversed(kept))
            refused[culprit] = why
            del kept[culprit]


def is_malformed(name: str, text: str) -> bool:
    """Return whether a text is not a value of a house rule, whatever the other values are."""
    kind = HOUSE_RULES.get(name)
    return kind is None or not kind.accepts(kind.read(text.strip()))
