"""The sentences of the rules page follow the values of a rule book."""

import pytest

from scorekeeper.rules.deck import DECK, preparation
from scorekeeper.rules.examples import EXAMPLES, OUTCOMES, worked_examples
from scorekeeper.rules.presets import PRESETS, apply_house_rules, tables
from scorekeeper.rules.rule_sentences import RULE_SENTENCES
from scorekeeper.rules.rule_text import rule_sentences, rule_topics
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, with_house_rules
from scorekeeper.rules.sentence import Sentence
from tests.rules.house_values import sample_changes
from tests.rules.tables import pairs

NIL_OFF = "Nil isn’t allowed."
BLIND_NIL_OFF = "Blind Nil isn’t allowed."
CAP = "Overtricks score at most 5 points per round."
OTHERWISE = "If the game ends otherwise, the highest score wins."
OTHERS = "Of the others, the highest score wins."
OVER_TEN = "That counts instead of what a contract of 10 or more scores."

# rule book, house rules, sentences that are told, beginnings of sentences that are not
TOLD = {
    "Nil": ("cutthroat-lite", "", ["Nil, a bid to take no tricks, scores 50 if made."], [NIL_OFF]),
    "Nil off": (
        "cutthroat-lite",
        "nil_points=off",
        [NIL_OFF],
        [
            "Nil, a bid to take no tricks",
            "Taking even one trick",
            "Blind Nil",
            "Tricks from a failed Nil",
        ],
    ),
    "Nil off takes blind Nil along": (
        "partnership",
        "nil_points=off",
        [NIL_OFF],
        ["Blind Nil", "Only a side trailing", "Only one partner", "If both partners"],
    ),
    "blind Nil": (
        "partnership",
        "",
        [
            "Blind Nil, bid before looking at your cards, is worth 200.",
            "Only a side trailing the leader by at least 100 before the round may bid it.",
            "Only one partner may bid it.",
        ],
        [BLIND_NIL_OFF],
    ),
    "blind Nil off": (
        "partnership",
        "blind_nil_points=off",
        [BLIND_NIL_OFF, "Nil, a bid to take no tricks, scores 100 if made."],
        ["Blind Nil, bid", "Only a side trailing", "Only one partner"],
    ),
    "a cap": ("cutthroat-lite", "", ["Each overtrick scores 1.", CAP], []),
    "a cap of nothing": (
        "cutthroat-lite",
        "overtrick_cap=0",
        ["Overtricks score nothing."],
        ["Each overtrick scores", "Overtricks score at most"],
    ),
    "overtricks for nothing": (
        "cutthroat-lite",
        "overtrick_points=0",
        ["Overtricks score nothing."],
        ["Each overtrick scores", "Overtricks score at most"],
    ),
    "bags that start again": (
        "cutthroat-lite",
        "",
        [
            "Each overtrick is a bag. Whoever has 6 bags or more after a round loses 10 points, "
            "and the count starts again at 0."
        ],
        [],
    ),
    "bags that carry over": (
        "cutthroat-lite",
        "bag_remainder=kept",
        ["Each overtrick is a bag. Every 6 bags cost 10 points, and the rest carry over."],
        [],
    ),
    "no cap": ("cutthroat-lite", "overtrick_cap=off", [], ["Overtricks score at most"]),
    "no bags": (
        "cutthroat-lite",
        "bag_limit=off",
        ["Bags have no penalty."],
        ["Each overtrick is a bag"],
    ),
    "ten for": (
        "partnership",
        "ten_for=20",
        ["A contract of 10 or more scores 20 per trick bid."],
        [],
    ),
    "mercy": (
        "partnership-500",
        "mercy=-200",
        [
            "The game ends when a side reaches 500.",
            "It also ends when a side falls to −200 or lower.",
        ],
        ["The game ends when a player", "It also ends when a player"],
    ),
    "players alone": (
        "cutthroat-lite",
        "mercy=-200",
        [
            "The game ends when a player reaches 125.",
            "It also ends when a player falls to −200 or lower.",
            OTHERWISE,
        ],
        ["The game ends when a side"],
    ),
    "every player has a score": (
        "forty-one",
        "",
        ["The game ends when a player reaches 41."],
        ["The game ends when a side", OTHERWISE],
    ),
    "a target and a last round": ("cutthroat-lite", "rounds=8", [OTHERWISE], []),
    "a target and a clock": ("timed", "minutes=40", [OTHERWISE], []),
    "a last round alone": ("call-break", "", ["The game ends after 5 rounds."], [OTHERWISE]),
    "a player who loses": ("cutthroat", "sets_lose=3", [OTHERS], []),
    "a side that loses": ("partnership", "sets_lose=3", [], [OTHERS]),
    "all tricks or ten": ("partnership", "boston_made=200;ten_for=20", [OVER_TEN], []),
    "all tricks alone": ("partnership", "boston_made=200", [], [OVER_TEN]),
    "a price of blind bids, and ten": (
        "partnership",
        "blind_bid_from=6;blind_trick_points=20;ten_made=200;blind_set_points=20;ten_failed=100",
        [
            "With tricks bid blind, a made contract always scores by the trick.",
            "With tricks bid blind, a set contract always loses by the trick.",
        ],
        [],
    ),
    "a price of blind bids alone": (
        "partnership",
        "blind_bid_from=6;blind_trick_points=20;blind_set_points=20",
        [],
        ["With tricks bid blind"],
    ),
    "a player who is behind": (
        "cutthroat",
        "blind_nil_points=100;blind_nil_deficit=100;blind_bid_from=6;blind_bid_deficit=50",
        [
            "Only a player trailing the leader by at least 100 before the round may bid it.",
            "Only a player at least 50 points behind may bid a number blind.",
        ],
        ["Only a side"],
    ),
    "a player’s first round without bids": (
        "cutthroat",
        "first_round_bids_itself=yes",
        ["There’s no bidding in round 1: each player’s tricks become their bid."],
        [],
    ),
    "too many cards": (
        "cutthroat-lite",
        "",
        [
            "If anyone was dealt the wrong number of cards, it’s a misdeal. After a misdeal, the "
            "same dealer deals again."
        ],
        [],
    ),
    "no mercy": ("partnership-500", "", [], ["It also ends"]),
}


@pytest.mark.parametrize(("key", "house", "told", "not_told"), TOLD.values(), ids=TOLD.keys())
def test_the_rules_are_told_as_they_are_played(
    key: str, house: str, told: list[str], not_told: list[str]
) -> None:
    rules = with_house_rules(PRESETS[key], pairs(house) if house else {})
    sentences = [str(sentence) for sentence in rule_sentences(rules)]
    assert set(told) <= set(sentences)
    assert not [one for one in sentences if one.startswith(tuple(not_told))]


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_every_house_rule_is_told(name: str) -> None:
    told = [
        {
            tuple(map(str, rule_sentences(apply_house_rules(preset, changes)[0])))
            for changes in sample_changes(name)
        }
        for preset in PRESETS.values()
    ]
    differ = max(map(len, told)) > 1
    assert differ, f"the rules page does not tell {name}: add a sentence to rules/rule_sentences.py"


@pytest.mark.parametrize("key", PRESETS)
def test_a_rule_book_is_told_from_the_deal_to_the_end(key: str) -> None:
    sentences = [str(sentence) for sentence in rule_sentences(PRESETS[key])]
    starts = ("Each player is dealt", "Round by round", "Hands are drawn")
    assert sentences[0].startswith(starts)
    assert sentences[-1].startswith(("In a tie", "If those tie"))
    assert len(set(sentences)) == len(sentences)


MORE_CHANGES: list[dict[str, str]] = [
    {"call_values": "5-6:1@30"},
    {"tricks": "12"},
    {"tricks": "11"},
    {"boston_made": "200", "ten_for": "20"},
    {"blind_bid_from": "6", "blind_trick_points": "20", "ten_made": "200"},
    {"blind_bid_from": "6", "blind_set_points": "20", "ten_failed": "100"},
    {"blind_bid_from": "6", "worth": "1:50/50=,b6:100/100,2:10c"},
    {"nil_points": "off", "minimum_bid": "0", "made": "exactly"},
    {"trump": "in_order", "trump_order": "s,n"},
    {"trump": "turned", "trump_lead": "broken"},
]


def told_of(rules: RuleSet) -> list[Sentence]:
    """Return everything that pages of rules say, to any number of players."""
    decks = [line for n, own in tables(rules).items() for line in preparation(own, n)]
    told = [one for n in tables(rules) for _topic, lines in rule_topics(rules, n) for one in lines]
    examples = worked_examples(rules)
    lines = [line for one in examples for line in (one.title, *one.explanation.lines)]
    return [*decks, *told, *rule_sentences(rules), *lines]


def test_every_sentence_is_told_of_some_rules() -> None:
    changes = [*MORE_CHANGES, *(one for name in HOUSE_RULES for one in sample_changes(name))]
    sets = {apply_house_rules(preset, one)[0] for preset in PRESETS.values() for one in changes}
    lines = [line for rules in sets for line in told_of(rules)]
    parts = [one for line in lines for one in line.values.values() if isinstance(one, Sentence)]
    told = {line.text for line in (*lines, *parts)}
    sentences = {**RULE_SENTENCES, **DECK, **EXAMPLES, **OUTCOMES}
    assert not [code for code, sentence in sentences.items() if sentence.text not in told]
