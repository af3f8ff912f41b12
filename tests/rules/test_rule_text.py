"""The sentences of the rules page follow the values of a rule book."""

import pytest

from scorekeeper.rules.deck import DECK, preparation
from scorekeeper.rules.examples import EXAMPLES, worked_examples
from scorekeeper.rules.house_rules import apply_house_rules
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.rule_sentences import RULE_SENTENCES
from scorekeeper.rules.rule_text import rule_sentences
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet, with_house_rules
from scorekeeper.rules.sample_hands import OUTCOMES
from scorekeeper.rules.sentence import Sentence
from tests.rules.house_values import sample_changes
from tests.rules.tables import pairs

NIL_OFF = "Nil isn’t allowed."
BLIND_NIL_OFF = "Blind Nil isn’t allowed."
CAP = "Overtricks score at most {n} points per round, but each one still counts as a bag."

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
    "a cap": ("cutthroat-lite", "", [CAP.format(n=5)], []),
    "a cap of nothing": ("cutthroat-lite", "overtrick_cap=0", [CAP.format(n=0)], []),
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
        ["A contract of 10 or more scores 20 points per trick bid."],
        [],
    ),
    "mercy": (
        "partnership-500",
        "mercy=-200",
        ["It also ends when a player or side falls to −200 or lower."],
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
    assert differ, f"the rules page does not tell {name}: add a sentence to rules/rule_text.py"


@pytest.mark.parametrize("key", PRESETS)
def test_a_rule_book_is_told_from_the_deal_to_the_end(key: str) -> None:
    sentences = [str(sentence) for sentence in rule_sentences(PRESETS[key])]
    assert sentences[0].startswith("Each player is dealt")
    assert sentences[-1].startswith(("If several get there", "The highest score wins"))
    assert len(set(sentences)) == len(sentences)


MORE_CHANGES: list[dict[str, str]] = [
    {"call_values": "5-6:1@30"},
    {"tricks": "12"},
    {"tricks": "11"},
]


def told_of(rules: RuleSet) -> list[Sentence]:
    """Return everything that the page of rules says."""
    decks = [line for players in rules.table_sizes for line in preparation(rules, players)]
    examples = worked_examples(rules)
    lines = [line for one in examples for line in (one.title, *one.explanation.lines)]
    return [*decks, *rule_sentences(rules), *lines]


def test_every_sentence_is_told_of_some_rules() -> None:
    changes = [*MORE_CHANGES, *(one for name in HOUSE_RULES for one in sample_changes(name))]
    sets = {apply_house_rules(preset, one)[0] for preset in PRESETS.values() for one in changes}
    told = {line.text for rules in sets for line in told_of(rules)}
    sentences = {**RULE_SENTENCES, **DECK, **EXAMPLES, **OUTCOMES}
    assert not [code for code, sentence in sentences.items() if sentence.text not in told]
