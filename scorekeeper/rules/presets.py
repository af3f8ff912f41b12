"""The rule books, each a small difference from another.

The names in brackets are the texts that the values come from.
"""

from dataclasses import replace

from scorekeeper.rules.ruleset import RuleSet

CUTTHROAT_LITE = RuleSet(  # [Cutthroat Spades LITE]
    key="cutthroat-lite",
    name="Cutthroat Spades LITE",
    players=(3, 4, 5),
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
    players=(4,),
    target=500,
    tricks=13,
    overtrick_cap=None,
    bag_limit=5,
    bag_penalty=50,
    bids_may_equal_tricks=False,
    first_dealer="random",
)

PARTNERSHIP = replace(  # [Spades Cheat Sheet]
    CUTTHROAT,
    key="partnership",
    name="Partnership Spades",
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

PRESETS: dict[str, RuleSet] = {
    rules.key: rules
    for rules in (
        CUTTHROAT_LITE,
        CUTTHROAT,
        PARTNERSHIP,
        PARTNERSHIP_SANDBAGS,
        PARTNERSHIP_500,
        PARTNERSHIP_250,
    )
}
DEFAULT = CUTTHROAT_LITE
