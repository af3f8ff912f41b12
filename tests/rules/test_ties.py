"""What the rules page says about a tie is what the fold does, for all rule books and values."""

from collections.abc import Iterator

import pytest

from scorekeeper.rules.bidding import sides_of
from scorekeeper.rules.outcome import Outcome, Standing, outcome_of
from scorekeeper.rules.presets import PRESETS, apply_house_rules
from scorekeeper.rules.rule_sentences import RULE_SENTENCES
from scorekeeper.rules.rule_text import rule_sentences
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Seats
from tests.rules.house_values import sample_texts

# Everything that pages say about a tie: after the last round, there where nothing decides, else.
ALL, FIRST, ON = "all who are tied win", "who has more of what decides", "another round"
SAID = {
    ("ties_play_on",): (ON, ON, ON),
    ("tied_win",): (ALL, ALL, None),
    ("tied_win", "other_ties_play_on"): (ALL, ALL, ON),
    ("fewer_bags_win", "equal_bags_play_on"): (FIRST, ON, None),
    ("fewer_bags_win", "other_ties_and_equal_bags_play_on"): (FIRST, ON, ON),
    ("exact_bids_win", "equal_bags_play_on"): (FIRST, ON, None),
    ("exact_bids_win", "other_ties_and_equal_bags_play_on"): (FIRST, ON, ON),
}
ABOUT_TIES = {code for codes in SAID for code in codes}
MORE: list[dict[str, str]] = [
    {},
    {"rounds": "4"},
    {"target": "off", "rounds": "4"},
    {"mercy": "-50"},
    {"sets_lose": "2"},
    {"first_round_minimum": "3"},
    {"cards": "3-1,2-3"},
    {"target": "60", "cards": "3-1,2-3"},
]
RULES = {
    f"{key} {tie}": [apply_house_rules(book, {"tie_at_limit": tie, **more})[0] for more in MORE]
    for key, book in PRESETS.items()
    for tie in sample_texts("tie_at_limit")
}


def said(rules: RuleSet) -> tuple[str, ...]:
    """Return the codes of what is said about ties, in the order of the page."""
    codes = {sentence.text: code for code, sentence in RULE_SENTENCES.items()}
    told = [codes[sentence.text] for sentence in rule_sentences(rules)]
    return tuple(code for code in told if code in ABOUT_TIES)


@pytest.mark.parametrize("sets", RULES.values(), ids=RULES.keys())
def test_a_tie_ends_as_it_is_said(sets: list[RuleSet]) -> None:
    for rules in sets:
        last, last_of_equals, earlier = SAID[said(rules)]
        for number, tied in ties(rules):
            outcome = outcome_of(rules, tied, number)
            assert outcome, f"{rules.key} does not end at {tied.totals}"
            is_last = tied.time_is_up or number == rules.length(len(tied.seats.names))
            at_last = last if tied.tie_break[0] > tied.tie_break[1] else last_of_equals
            assert done(outcome) == (at_last if is_last else earlier)


def ties(rules: RuleSet) -> Iterator[tuple[int, Standing]]:
    """Yield standings after a round, in which the first two sides are tied and the game ends."""
    for second in (-3, -5):
        for number, standing in even_totals(rules):
            others = standing.tie_break[2:]
            yield number, standing._replace(tie_break=(-3, second, *others))


def even_totals(rules: RuleSet) -> Iterator[tuple[int, Standing]]:
    players = rules.table_sizes[-1]
    sides = len(sides_of(rules, players))
    last = rules.length(players)
    even = tie(rules, players, sides, rules.target or 40)
    if last:
        yield last, even
    yield 2, even._replace(time_is_up=True)
    if rules.target is not None:
        yield 2, even
    if rules.mercy is not None:
        yield 2, tie(rules, players, sides, rules.mercy)
    if sides > 2 and rules.sets_lose is not None:
        number = rules.minimum_rounds or 2
        yield number, even._replace(sets=(0,) * (sides - 1) + (rules.sets_lose,))


def tie(rules: RuleSet, players: int, sides: int, total: int) -> Standing:
    own = (total, total, *[total - 20] * (sides - 2))
    totals = own if rules.totals_by == "side" else tuple(total * 2 for total in own)
    seats = own * (players // sides) if rules.totals_by == "seat" else ()
    zeros = (0,) * sides
    first = (3,) * sides
    return Standing(totals, zeros, seats, zeros, zeros, zeros, first, seats=Seats(("",) * players))


def done(outcome: Outcome) -> str:
    if len(outcome.winners) == 2:
        return ALL
    return FIRST if outcome.winners == (0,) else ON


def test_a_further_round_is_told_where_there_can_be_one() -> None:
    further = RULE_SENTENCES["cards_most"]
    with_cards = [rules for sets in RULES.values() for rules in sets if rules.cards]
    assert with_cards
    for rules in with_cards:
        can_follow = ON in SAID[said(rules)][:2]
        assert (further in rule_sentences(rules)) == can_follow


def test_nothing_else_on_the_page_speaks_of_ties() -> None:
    others = [
        code
        for code, sentence in RULE_SENTENCES.items()
        if code not in ABOUT_TIES and (" tie" in sentence.text or "another round" in sentence.text)
    ]
    assert others == ["cards_most"]
    assert set(sample_texts("tie_at_limit")) == {
        "another_round",
        "shared",
        "fewer_bags",
        "exact_bids",
    }
