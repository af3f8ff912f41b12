"""The text of the rules: the phone tells any house rules in the very sentences of the server."""

from typing import Any

from scorekeeper.rules.deck import DECK, preparation
from scorekeeper.rules.examples import EXAMPLES, worked_examples
from scorekeeper.rules.rule_sentences import RULE_SENTENCES
from scorekeeper.rules.rule_text import rule_sentences
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sample_hands import OUTCOMES
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import differences, plain
from tests.web.offline.luck import Luck
from tests.web.offline.test_random_games import SEED, codes

RULE_SETS = 1500


def told(rules: RuleSet) -> dict[str, Any]:
    """Return what the server says of rules."""
    decks = [[players, preparation(rules, players)] for players in rules.table_sizes]
    examples = worked_examples(rules)
    return plain({"decks": decks, "sentences": rule_sentences(rules), "examples": examples})


def test_the_rules_are_told_alike(ask: Ask) -> None:
    sets = [Luck(SEED * RULE_SETS + n).rules() for n in range(RULE_SETS)]
    seen: set[str] = set()
    for rules, phone in zip(sets, ask("ruleText", plain(sets)), strict=True):
        server = told(rules)
        assert not differences(phone, server), rules
        examples = [[one["title"], one["explanation"]["lines"]] for one in server["examples"]]
        seen.update(codes([server["decks"], server["sentences"], examples]))
    assert seen >= {*RULE_SENTENCES, *DECK, *EXAMPLES, *OUTCOMES}
