"""Which cards are taken out of the deck for a number of players."""

from collections.abc import Mapping

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import N_, Sentence

DECK: Mapping[str, Sentence] = {
    "deck_all": N_("Deal all {n} cards, {tricks} each."),
    "deck_rank": N_("Remove all {rank}s."),
    "deck_ranks_2": N_("Remove all {low}s and {high}s."),
    "deck_ranks_3": N_("Remove all {low}s, {second}s and {high}s."),
    "deck_ranks": N_("Remove all cards from {low} to {high}."),
    "deck_cards": N_("Remove {cards}."),
    "deck_left": N_("{n} cards, {tricks} each."),
    "deck_drawn": N_(
        "Put the {n} cards face down. In turn, the dealer last, draw a card: keep it and lay the "
        "next one aside unseen, or lay it aside and keep the next, until both have {tricks}."
    ),
    "deck_list": N_("Use all {n} cards. Put those that aren’t dealt aside."),
    "deck_aside": N_("Remove {n} card.", "Remove {n} cards."),
    "deck_jokers": N_("With two jokers: also remove {cards}."),
}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS_IN_ORDER_OF_LEAVING = ("♣", "♦", "♥", "♠")
PACK_OF_SUITS = len(RANKS) * len(SUITS_IN_ORDER_OF_LEAVING)


def cards_to_take_out(rules: RuleSet, players: int) -> list[str]:
    """Return the cards left out of packs of 52: lowest ranks first, clubs and diamonds before
    hearts and spades.

    Cutthroat Spades LITE: five players 2♣ 2♦, four all twos to fours, three all twos to sixes
    with 7♣ and 7♦.

    >>> from scorekeeper.rules.presets import CUTTHROAT_LITE
    >>> cards_to_take_out(CUTTHROAT_LITE, 5)
    ['2♣', '2♦']
    """
    surplus = 0 if rules.deal == "drawn" else rules.pack - rules.tricks * players
    packs = rules.pack // PACK_OF_SUITS
    low_to_high = (
        rank + suit for rank in RANKS for suit in SUITS_IN_ORDER_OF_LEAVING for _ in range(packs)
    )
    return [card for card, _ in zip(low_to_high, range(surplus), strict=False)]


def jokers_can_play(rules: RuleSet) -> bool:
    """Return whether two jokers can take the place of two low cards, at any number of players."""
    if rules.cards or rules.pack != PACK_OF_SUITS or rules.deal == "drawn":
        return False
    every_card = any(not cards_to_take_out(rules, n) for n in rules.table_sizes)
    return every_card and not rules.partnerships and rules.clockwise


def preparation(rules: RuleSet, players: int) -> list[Sentence]:
    """Return how to prepare the pack: whole ranks and single cards to take out, and jokers."""
    if rules.cards:
        return [DECK["deck_list"].about(n=rules.pack)]
    if rules.deal == "drawn":
        return [DECK["deck_drawn"].about(n=rules.pack, tricks=rules.tricks)]
    surplus = rules.pack - rules.tricks * players
    left = DECK["deck_left"].about(n=rules.pack - surplus, tricks=rules.tricks)
    if surplus and rules.pack % PACK_OF_SUITS:
        return [DECK["deck_aside"].about(n=surplus), left]
    if surplus and rules.pack > PACK_OF_SUITS:
        cards = " ".join(cards_to_take_out(rules, players))
        return [DECK["deck_cards"].about(cards=cards), left]
    out = cards_to_take_out(rules, players)
    if not out:
        lines = [DECK["deck_all"].about(n=rules.pack, tricks=rules.tricks)]
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
    return [*lines, left]
