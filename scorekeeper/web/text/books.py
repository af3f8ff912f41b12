"""How card players call each rule book, and the one fact that tells it from the others."""

from collections.abc import Mapping

from scorekeeper.i18n import translate
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.rules.sentence import N_, Sentence

NAMES: Mapping[str, Sentence] = {
    "cutthroat-lite": N_("Cutthroat Spades LITE"),
    "cutthroat": N_("Cutthroat Spades"),
    "partnership": N_("Partnership Spades"),
    "partnership-sandbags": N_("Partnership with sandbags"),
    "partnership-500": N_("Partnership to 500"),
    "partnership-250": N_("Partnership to 250"),
    "cookout": N_("Cookout Spades"),
    "convention": N_("Eight hands"),
    "timed": N_("Bar game to 350"),
    "call-break": N_("Call Break"),
    "call-bridge": N_("Call Bridge"),
    "forty-one": N_("41"),
    "spades-pair": N_("Spades for two"),
    "spades-three": N_("Spades for three"),
    "spades-six": N_("Spades for six"),
    "oh-hell": N_("Oh Hell"),
    "kachufool": N_("Kachufool (Judgement)"),
    "wizard": N_("Wizard"),
    "skull-king": N_("Skull King"),
}
FACTS: Mapping[str, Sentence] = {
    "cutthroat-lite": N_("A short game: first to 125"),
    "cutthroat": N_("To 500, and every 5 bags cost 50"),
    "partnership": N_("Bags cost nothing"),
    "partnership-sandbags": N_("Every 10 bags cost 100, blind Nil pays 200"),
    "partnership-500": N_("Every 10 bags cost 100, without blind Nil"),
    "partnership-250": N_("A short game, Nil pays 50"),
    "cookout": N_("At least 4 per team, no Nil"),
    "convention": N_("Over after 8 rounds"),
    "timed": N_("Three sets lose, or two in a row"),
    "call-break": N_("Five rounds, overtricks count a tenth"),
    "call-bridge": N_("Call Break with calls of 2 and more"),
    "forty-one": N_("Hearts are trump, to 41"),
    "spades-pair": N_("Each draws a hand from the deck"),
    "spades-three": N_("17 cards each"),
    "spades-six": N_("Three pairs, two decks"),
    "oh-hell": N_("Exact bids pay 10 more, from 10 cards to 1 and back"),
    "kachufool": N_("Only exact bids pay, one card more each round"),
    "wizard": N_("Wizards, jesters, and a price for each trick off"),
    "skull-king": N_("Pirates, mermaids, and ten rounds"),
}


def book_name(rules: RuleSet) -> str:
    """Return the name of a rule book as players say it here, or that of own rules as it is."""
    preset = PRESETS.get(rules.key)
    is_own = preset is None or rules.name != preset.name
    return rules.name if is_own else translate(NAMES[rules.key])


def book_fact(rules: RuleSet) -> str:
    """Return the one fact that tells a rule book from the others."""
    return translate(FACTS[rules.key])


def book_names() -> dict[str, str]:
    """Return the names of rule books that have another one here, by the names that games keep."""
    names = {rules.name: book_name(rules) for rules in PRESETS.values()}
    return {kept: name for kept, name in names.items() if name != kept}


def own_values(rules: RuleSet) -> Mapping[str, str]:
    """Return the values in which own rules differ from their book, as text by name."""
    return house_rules(PRESETS[rules.key], rules)


TEMPLATE_WORDS = {"book_name": book_name, "book_fact": book_fact, "own_values": own_values}
