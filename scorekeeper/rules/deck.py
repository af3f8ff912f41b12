"""Which cards come out of the pack, so that everybody is dealt the same number."""

from collections.abc import Mapping

from scorekeeper.rules.ruleset import PACK, RuleSet
from scorekeeper.rules.sentence import N_, Sentence

DECK: Mapping[str, Sentence] = {
    "deck_all": N_("Deal all {n} cards, {tricks} each."),
    "deck_rank": N_("Remove all {rank}s."),
    "deck_ranks_2": N_("Remove all {low}s and {high}s."),
    "deck_ranks_3": N_("Remove all {low}s, {second}s and {high}s."),
    "deck_ranks": N_("Remove all cards from {low} to {high}."),
    "deck_cards": N_("Remove {cards}."),
    "deck_left": N_("{n} cards, {tricks} each."),
    "deck_jokers": N_("With two jokers: also remove {cards}."),
}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS_IN_ORDER_OF_LEAVING = ("♣", "♦", "♥", "♠")


def cards_to_take_out(rules: RuleSet, players: int) -> list[str]:
    """Return the cards left out of a pack of 52: lowest ranks first, clubs and diamonds before
    hearts and spades.

    Cutthroat Spades LITE: five players 2♣ 2♦, four all twos to fours, three all twos to sixes
    with 7♣ and 7♦.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> cards_to_take_out(CUTTHROAT_LITE, 5)
    ['2♣', '2♦']
    """
    surplus = PACK - rules.tricks * players
    low_to_high = (rank + suit for rank in RANKS for suit in SUITS_IN_ORDER_OF_LEAVING)
    return [card for card, _ in zip(low_to_high, range(surplus), strict=False)]


def jokers_can_play(rules: RuleSet) -> bool:
    """Return whether two jokers can take the place of two low cards, at any number of players."""
    every_card = any(not cards_to_take_out(rules, n) for n in rules.table_sizes)
    return every_card and not rules.partnerships and rules.clockwise


def preparation(rules: RuleSet, players: int) -> list[Sentence]:
    """Return how to prepare the pack: whole ranks and single cards to take out, and jokers."""
    out = cards_to_take_out(rules, players)
    if not out:
        lines = [DECK["deck_all"].about(n=PACK, tricks=rules.tricks)]
        jokers = DECK["deck_jokers"].about(cards="2♣ 2♦")
        return [*lines, jokers] if jokers_can_play(rules) else lines
    whole, single = RANKS[: len(out) // 4], out[len(out) // 4 * 4 :]
    lines = []
    if len(whole) == 1:
        lines.append(DECK["deck_rank"].about(rank=whole[0]))
    elif whole:
        line = DECK.get(f"deck_ranks_{len(whole)}", DECK["deck_ranks"])
        lines.append(line.about(low=whole[0], second=whole[1], high=whole[-1]))
    if single:
        lines.append(DECK["deck_cards"].about(cards=" ".join(single)))
    return [*lines, DECK["deck_left"].about(n=PACK - len(out), tricks=rules.tricks)]
