"""The rules of a game as sentences, chosen by the values that score it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from scorekeeper.rules.bidding import sides_of
from scorekeeper.rules.deck import jokers_can_play
from scorekeeper.rules.presets import tables
from scorekeeper.rules.rule_sentences import (
    RULE_SENTENCES,
    SPECIAL_CARDS,
    SUITS,
    direction_suffix,
    has_pirates,
    lines_by_total,
    lines_if,
    number_line,
    order_suffix,
    own_code,
    points_line,
)
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.score_text import contract_sentences, nil_sentences, overtrick_sentences
from scorekeeper.rules.sentence import Sentence, minus
from scorekeeper.rules.value_kinds import worth_of
from scorekeeper.rules.values import BAGS, CONTRACT, DEAL, END, NIL, PACK


def rule_sentences(rules: RuleSet) -> list[Sentence]:
    """Return the sentences of a rule book, in the order of an evening."""
    return [sentence for _topic, sentences in rule_topics(rules) for sentence in sentences]


def rule_topics(rules: RuleSet, players: int | None = None) -> list[tuple[str, list[Sentence]]]:
    """Return the sentences of a rule book by topic, in the order of an evening.

    With a number of players they are those of such a table: its cards, tricks, bids and rounds.
    """
    own = rules if players is None else tables(rules).get(players, rules)
    return [
        ("deal", [*cards(own, players), sizes(rules), *_deal(own)]),
        ("bid", bid_sentences(own)),
        ("play", _play(own)),
        ("score", [*contract_sentences(own), *nil_sentences(own), *overtrick_sentences(own)]),
        ("win", end_sentences(own)),
    ]


def group_sentences(rules: RuleSet) -> Mapping[str, list[Sentence]]:
    """Return what each group of values means, by the English title of the group."""
    return {
        CONTRACT.text: contract_sentences(rules),
        NIL.text: nil_sentences(rules),
        BAGS.text: overtrick_sentences(rules),
        DEAL.text: bid_sentences(rules),
        END.text: end_sentences(rules),
    }


def first_dealer(rules: RuleSet) -> Sentence:
    if rules.first_dealer == "last":
        return RULE_SENTENCES["last_deals_first" + direction_suffix(rules)]
    return RULE_SENTENCES["drawn_deals_first"]


def rematch_dealer(rules: RuleSet) -> list[Sentence]:
    return lines_if(rules.rematch_dealer == "next", "rematch_passes_deal")


def joins_at(rules: RuleSet) -> list[Sentence]:
    return lines_if(rules.joins_at == "lowest", "joins_lowest")


def sizes(rules: RuleSet) -> Sentence:
    """Return for how many players the rules are."""
    found = (*tables(rules),)
    shown = ", ".join(map(str, found))
    if len(found) > 2 and found[-1] - found[0] < len(found):
        shown = f"{found[0]}–{found[-1]}"
    return RULE_SENTENCES["players"].about(players=shown)


def deal_turns(rules: RuleSet) -> Sentence:
    return RULE_SENTENCES["deal_turns" + order_suffix(rules)]


def _deal(rules: RuleSet) -> list[Sentence]:
    return [
        _tricks_add_up(rules),
        *tricks_lost(rules),
        *_special_cards(rules),
        first_dealer(rules),
        deal_turns(rules),
        *rematch_dealer(rules),
        *joins_at(rules),
        *trump(rules),
        RULE_SENTENCES["misdeal_allowed"],
    ]


def _special_cards(rules: RuleSet) -> list[Sentence]:
    if special := SPECIAL_CARDS.get(rules.pack):
        return [RULE_SENTENCES[f"{special}_in_pack"]]
    return [RULE_SENTENCES["jokers_high" if jokers_can_play(rules) else "jokers_out"]]


def cards(rules: RuleSet, players: int | None = None) -> list[Sentence]:
    """Return how many cards are dealt, in all rounds or round by round, and of what pack.

    Of a list of cards the rounds that so many players are dealt are told.
    """
    pack = number_line("cards_of_pack", rules.pack) if rules.pack != PACK else []
    if rules.deal == "drawn":
        return [RULE_SENTENCES["hands_drawn"].about(n=rules.tricks), *pack]
    if rules.cards is None:
        return [RULE_SENTENCES["cards_dealt"].about(n=rules.tricks), *pack]
    walks = rules.cards.replace("-", "–").replace(",", ", ")
    listed = RULE_SENTENCES["cards_in_turn"].about(cards=walks)
    begins_again = bool(rules.rounds)
    if players:
        rounds, plan = rules.length(players) or 0, rules.plan(players)
        listed = RULE_SENTENCES["cards_by_round"].about(n=rounds, cards=_walks(plan[:rounds]))
        begins_again = rounds > len(plan)
    further = lines_if(rules.tie_at_limit != "shared", "cards_most")
    return [listed, *lines_if(begins_again, "cards_again"), *further, *pack]


def _walks(numbers: Sequence[int]) -> str:
    """Return numbers of cards with those that count up or down by one as `10–1`.

    >>> _walks([8, 7, 6, 2, 3, 3])
    '8–6, 2–3, 3'
    """
    walks: list[list[int]] = []
    for number in numbers:
        walk = walks[-1] if walks else []
        steps = {after - before for before, after in pairwise([*walk, number])}
        if walk and steps in ({1}, {-1}):
            walk.append(number)
        else:
            walks.append([number])
    return ", ".join(f"{one[0]}–{one[-1]}" if len(one) > 1 else f"{one[0]}" for one in walks)


def trump(rules: RuleSet) -> list[Sentence]:
    """Return which suit is trump, in all rounds or round by round."""
    suits = " ".join(SUITS[suit] for suit in (rules.trump_order or "").split(",") if suit)
    special = SPECIAL_CARDS.get(rules.pack)
    is_black = special == "pirates" and rules.trump == "spades"
    return [
        RULE_SENTENCES["black_trump" if is_black else f"{rules.trump}_trump"].about(suits=suits),
        *lines_if("n" in (rules.trump_order or ""), "no_trump"),
        *lines_if(special == "wizards" and rules.trump == "turned", "wizard_turned"),
    ]


def _play(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["ranks_to_14" if has_pirates(rules) else "ranks"],
        RULE_SENTENCES["leads_first" + order_suffix(rules)],
        *following(rules),
        RULE_SENTENCES["trick_won"],
        *_special_play(rules),
        *trump_leads(rules),
        RULE_SENTENCES["revoke"],
        *lines_if(rules.partnerships, "no_table_talk"),
    ]


def _special_play(rules: RuleSet) -> list[Sentence]:
    special = SPECIAL_CARDS.get(rules.pack)
    return [
        *lines_if(special, f"{special}_played"),
        *lines_if(special == "pirates", "pirates_escape"),
        *lines_if(special, f"{special}_led"),
        *lines_if(special == "pirates" and rules.lost_tricks, "pirates_lost"),
    ]


def following(rules: RuleSet) -> list[Sentence]:
    return [RULE_SENTENCES["follow_or_trump" if rules.must_trump else "follow_suit"]]


def trump_leads(rules: RuleSet) -> list[Sentence]:
    has_suit = rules.trump in ("spades", "hearts")
    broken = RULE_SENTENCES[f"{rules.trump}_broken" if has_suit else "trumps_broken"]
    return {
        "anytime": [RULE_SENTENCES["any_lead"]],
        "opening": [RULE_SENTENCES["opening_lead_free"], broken],
        "broken": [broken],
    }[rules.trump_lead]


def bid_sentences(rules: RuleSet) -> list[Sentence]:
    up_to_cards = rules.cards is not None and rules.maximum_bid is None
    nil = "" if rules.nil_points is None else "_or_nil"
    bids = RULE_SENTENCES["bids_up_to_cards" + nil if up_to_cards else "bids_range" + nil]
    alone = "partners_alone" if rules.totals_by == "seat" else "partners_add_up"
    board = "contract_least" if rules.partners_bid else "side_bid_least"
    unbid = "first_round_unbid" if rules.partnerships else "first_round_unbid_alone"
    zero = worth_of(rules.worth_steps, 0, is_blind=False)
    return [
        bids.about(low=rules.minimum_bid, high=rules.highest_bid),
        *lines_if(rules.minimum_bid == 0 and zero is None, "zero_is_a_bid"),
        *lines_by_total("least_bid_by_total", rules.minimum_steps, rules.shown_as),
        *number_line("blind_bids_from", rules.blind_bid_from),
        *points_line(rules, own_code(rules, "blind_bids_behind"), rules.blind_bid_deficit),
        *lines_if(rules.partnerships, alone if rules.partners_bid else "partners_bid_once" + nil),
        *number_line(board, rules.board),
        *_sum_of_bids(rules),
        *lines_if(rules.first_round_bids_itself, unbid),
    ]


def _sum_of_bids(rules: RuleSet) -> list[Sentence]:
    """Return what the bids may not total, and below which total cards are dealt again."""
    lines = []
    if not rules.bids_may_equal_tricks:
        lines += number_line(
            "sum_as_cards_forbidden" if rules.cards else "sum_forbidden", rules.tricks
        )
        lines += number_line("sum_free_below", rules.hook_from if rules.hook_from > 1 else None)
    if rules.bids_at_least is not None:
        lines += number_line("bids_thrown_in", rules.bids_at_least)
        lines += lines_by_total(
            "bids_thrown_in_by_total", rules.bids_at_least_steps, rules.shown_as
        )
        lines += lines_if(rules.bids_at_least_counts == "values", "worth_counts")
    return [*lines, *lines_if(lines and rules.nil_points is not None, "nil_is_zero")]


def _tricks_add_up(rules: RuleSet) -> Sentence:
    return RULE_SENTENCES["tricks_as_cards" if rules.cards else "tricks_add_up"].about(
        n=rules.tricks
    )


def tricks_lost(rules: RuleSet) -> list[Sentence]:
    """Return how many tricks may go to nobody; nothing where all are taken."""
    return number_line("tricks_lost", rules.lost_tricks or None)


def end_sentences(rules: RuleSet) -> list[Sentence]:
    lines = points_line(rules, own_code(rules, "target_ends"), rules.target)
    if rules.rounds is None:
        lines += lines_if(rules.cards, "cards_end")
    lines += [*number_line("rounds_end", rules.rounds), *time_limit(rules)]
    if rules.mercy is not None:
        floor = minus(rules.mercy, rules.shown_as)
        lines.append(RULE_SENTENCES[own_code(rules, "mercy_ends")].about(floor=floor))
    return [
        *lines,
        *number_line("sets_end", rules.sets_lose),
        *number_line("sets_in_a_row_end", rules.sets_in_a_row_lose),
        *number_line("sets_not_before", rules.minimum_rounds),
        *number_line("first_round_ends", rules.first_round_minimum),
        *_winner(rules),
    ]


def time_limit(rules: RuleSet) -> list[Sentence]:
    return number_line("time_limit", rules.minutes)


def _winner(rules: RuleSet) -> list[Sentence]:
    losing = {rules.sets_lose, rules.sets_in_a_row_lose, rules.first_round_minimum} != {None}
    ends_otherwise = {rules.rounds, rules.cards, rules.minutes, rules.mercy} != {None}
    has_target = rules.target is not None
    needed = "partner_needs" if rules.partner_least else "partner_needed"
    of_side = "_side" if rules.totals_by == "seat" else ""
    lines = [
        *lines_if(losing and len(sides_of(rules, max(rules.players))) > 2, "others_win"),
        *lines_if(rules.win_needs_partner, needed),
        RULE_SENTENCES[("highest_wins" if has_target else "most_points_win") + of_side],
        *lines_if(has_target and ends_otherwise, f"highest_wins_otherwise{of_side}"),
        *_ties(rules, only_last=not (has_target or losing or rules.mercy is not None)),
        *lines_if(rules.stake_by != "winner", f"stake_by_{rules.stake_by}"),
        *lines_if(rules.negative_doubles, "negative_pays_double"),
    ]
    lowest = minus(rules.partner_least, rules.shown_as)
    return [line.about(n=lowest) for line in lines]


def _ties(rules: RuleSet, *, only_last: bool) -> list[Sentence]:
    """Return what happens in a tie, which may be possible `only_last`: after the last round."""
    if rules.tie_at_limit == "shared":
        return [RULE_SENTENCES["tied_win"], *lines_if(not only_last, "other_ties_play_on")]
    if rules.tie_at_limit == "another_round":
        return [RULE_SENTENCES["ties_play_on"]]
    equal = "equal_bags_play_on" if only_last else "other_ties_and_equal_bags_play_on"
    return [RULE_SENTENCES[f"{rules.tie_at_limit}_win"], RULE_SENTENCES[equal]]
