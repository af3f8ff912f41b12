"""The rules of a game as sentences, chosen by the values that score it."""

from collections.abc import Mapping

from scorekeeper.rules.bidding import Nil, nil_cost
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import jokers_can_play
from scorekeeper.rules.sentence import N_, Sentence, minus, shown
from scorekeeper.rules.value_kinds import call_steps, total_steps, worth_steps
from scorekeeper.rules.values import BAGS, CONTRACT, DEAL, END, NIL, PACK

WIZARD_PACK = 60  # cards: a pack of 52 with four wizards and four jesters
SUITS = {"s": "♠", "d": "♦", "c": "♣", "h": "♥", "n": "–"}

RULE_SENTENCES: Mapping[str, Sentence] = {
    "last_deals_first": N_(
        "The last seat deals first, so seat 1 bids first, unless the table picks another dealer."
    ),
    "last_deals_first_counterclockwise": N_(
        "The last seat deals first unless the table picks another dealer."
    ),
    "drawn_deals_first": N_("The first dealer is chosen at random unless the table picks one."),
    "rematch_passes_deal": N_("In a rematch, the deal moves on to the next player."),
    "joins_lowest": N_("A new player in an empty seat starts with the lowest score."),
    "cards_dealt": N_("Each player is dealt {n} card.", "Each player is dealt {n} cards."),
    "players": N_("For {players} players."),
    "hands_drawn": N_("Hands are drawn from the deck, {n} cards each."),
    "cards_of_pack": N_("The deck has {n} cards."),
    "cards_in_turn": N_(
        "Round by round, each player is dealt {cards} cards. Rounds for which the deck is "
        "too small are left out."
    ),
    "cards_again": N_("After the last of them the list begins again."),
    "cards_most": N_("A further round after a tie has the most cards."),
    "cards_end": N_("The game ends when every number of cards has been played."),
    "tricks_as_cards": N_("Each round has as many tricks as each player has cards."),
    "bids_up_to_cards": N_("Bid {low} or more tricks, up to the cards of the round."),
    "sum_as_cards_forbidden": N_(
        "The bids can’t total the cards of the round, so the last bidder must choose another "
        "number."
    ),
    "nil_is_zero": N_("Nil counts as 0 here."),
    "sum_free_below": N_("In rounds of fewer than {n} cards, they can."),
    "deal_turns": N_("The deal moves clockwise after each round. The dealer bids last."),
    "deal_turns_counterclockwise": N_(
        "Deal, bids and play move counterclockwise. The dealer bids last."
    ),
    "spades_trump": N_("Spades are trump."),
    "hearts_trump": N_("Hearts are trump."),
    "turned_trump": N_(
        "After the deal the next card is turned over: its suit is trump. If none is left, "
        "there’s no trump."
    ),
    "in_order_trump": N_("Trump changes with each round, over and over: {suits}."),
    "no_trump": N_("– is a round without trump."),
    "wizards_in_pack": N_("Of the 60 cards, four are wizards and four are jesters."),
    "wizard_turned": N_(
        "If a jester is turned over, there’s no trump. If a wizard is, the dealer chooses."
    ),
    "wizards_played": N_(
        "A wizard or a jester can be played whatever was led. The first wizard takes the trick; "
        "a jester never does, unless all are jesters: then the first does."
    ),
    "jokers_out": N_("The jokers aren’t used."),
    "jokers_high": N_(
        "If you add the two jokers, they rank above the ace of trumps; agree on which is higher."
    ),
    "misdeal_allowed": N_(
        "If anyone was dealt the wrong number of cards, it’s a misdeal. After a misdeal, the same "
        "dealer deals again."
    ),
    "ranks": N_("In each suit, the ace is high, then K, Q, J, 10 and so on down."),
    "leads_first": N_("The player to the dealer’s left bids first and leads to the first trick."),
    "leads_first_counterclockwise": N_(
        "The player to the dealer’s right bids first and leads to the first trick."
    ),
    "follow_suit": N_("Follow the suit led if you can. If you can’t, play any card, even a trump."),
    "follow_or_trump": N_(
        "Follow the suit led if you can. If you can’t, you must play a trump that beats those in "
        "the trick; if you have none, play any card."
    ),
    "trick_won": N_(
        "The highest trump takes the trick. If there’s none, the highest card of the suit led "
        "does. Whoever takes the trick leads the next."
    ),
    "spades_broken": N_(
        "You can’t lead spades until they’re broken, that is, until someone plays one to a trick "
        "led in another suit. If you hold nothing but spades, you may lead them anyway."
    ),
    "hearts_broken": N_(
        "You can’t lead hearts until they’re broken, that is, until someone plays one to a trick "
        "led in another suit. If you hold nothing but hearts, you may lead them anyway."
    ),
    "trumps_broken": N_(
        "You can’t lead trumps until they’re broken, that is, until someone plays one to a trick "
        "led in another suit. If you hold nothing but trumps, you may lead them anyway."
    ),
    "opening_lead_free": N_("The first card of the round can be any card, even a trump."),
    "any_lead": N_("You can lead any card at any time, even a trump."),
    "revoke": N_(
        "Failing to follow suit when you could is a renege. The penalty is up to your table."
    ),
    "no_table_talk": N_("Partners don’t talk about their cards or signal."),
    "bids_range": N_("Bid {low} to {high} tricks."),
    "zero_is_a_bid": N_("0 is a bid like any other."),
    "least_bid_by_total": N_("Once any score reaches {total}, the minimum bid is {n}."),
    "partners_alone": N_(
        "Partners sit opposite each other; each plays for a bid and a score of their own."
    ),
    "partners_add_up": N_("Partners sit opposite each other; their bids add up to one contract."),
    "partners_bid_once": N_(
        "Partners sit opposite each other and make one bid together: a number, or Nil for both."
    ),
    "side_bid_least": N_("A side must bid at least {n}."),
    "contract_least": N_(
        "Partners must bid at least {n} together; the second bid has to reach it."
    ),
    "sum_forbidden": N_(
        "The bids can’t total {n}, so the last bidder must choose another number. Nil counts as "
        "0 here."
    ),
    "bids_thrown_in": N_(
        "If all bids total less than {n}, nobody plays: the same dealer deals again. Nil counts as "
        "0 here."
    ),
    "bids_thrown_in_by_total": N_("Once any score reaches {total}, the bids must total {n}."),
    "worth_counts": N_("What counts here is what the bids are worth."),
    "first_round_unbid": N_("There’s no bidding in round 1: each side’s tricks become its bid."),
    "first_round_unbid_alone": N_(
        "There’s no bidding in round 1: each player’s tricks become their bid."
    ),
    "made_pays": N_("A made contract scores {n} per trick bid."),
    "made_adds": N_("Making a contract scores {n} more, whatever the number."),
    "made_exactly": N_("Only taking exactly the tricks bid makes a contract: more sets it too."),
    "made_below_double": N_("Taking twice the bid or more sets a contract too."),
    "bids_worth": N_(
        "A bid of {bids} counts {n} time.",
        "A bid of {bids} counts {n} times.",
    ),
    "bids_worth_by_total": N_(
        "For a bidder with {total} points or more, a bid of {bids} counts {n} time.",
        "For a bidder with {total} points or more, a bid of {bids} counts {n} times.",
    ),
    "set_is_free": N_("A set contract loses nothing."),
    "set_costs_missing": N_(
        "A set contract loses {n} per missing trick, or per trick bid if a penalty sets it."
    ),
    "set_costs": N_("A set contract loses {n} per trick bid."),
    "set_costs_difference": N_(
        "A set contract loses {n} per trick too few or too many, or per trick bid if a penalty "
        "sets it."
    ),
    "set_keeps": N_("In a set contract, each trick taken scores {n}."),
    "worth_bid": N_("A bid of {bids}"),
    "worth_blind_bid": N_("A blind bid of {bids}"),
    "worth_per_card": N_("{n} per card dealt"),
    "worth_made": N_("{bid} scores {points} in all if made."),
    "worth_exact": N_("{bid} scores {points} in all if made exactly."),
    "worth_failed": N_("{bid} loses {points} in all if set."),
    "bonus_if_made": N_(
        "Bonus points count only if a side makes all its bids; deductions always count."
    ),
    "bonus_if_made_alone": N_(
        "Bonus points count only if the player makes the bid; deductions always count."
    ),
    "shown_in_tenths": N_("Scores have one decimal; files hold them in tenths."),
    "tricks_add_up": N_("Each round has exactly {n} tricks."),
    "tricks_lost": N_(
        "In a round, up to {n} trick may go to nobody.",
        "In a round, up to {n} tricks may go to nobody.",
    ),
    "tricks_of_side": N_("Partners’ tricks are counted together."),
    "ten_pays": N_("A contract of 10 or more scores {n} per trick bid."),
    "ten_scores": N_("A made contract of 10 or more scores {n}, whatever the number."),
    "ten_costs": N_("A set contract of 10 or more loses {n}, whatever the number."),
    "blind_bids_from": N_(
        "A bid of {n} or more can be made blind, that is, before looking at your cards."
    ),
    "blind_bids_behind": N_("Only a side at least {n} points behind may bid a number blind."),
    "blind_bids_behind_alone": N_(
        "Only a player at least {n} points behind may bid a number blind."
    ),
    "blind_bid_pays": N_("In a made contract, each trick bid blind scores {n} points."),
    "blind_bid_costs": N_("In a set contract, each trick bid blind loses {n} points."),
    "boston_scores": N_("Bidding and taking all {tricks} tricks scores {n}."),
    "boston_first": N_("That counts instead of what a contract of 10 or more scores."),
    "blind_pays_first": N_("With tricks bid blind, a made contract always scores by the trick."),
    "blind_costs_first": N_("With tricks bid blind, a set contract always loses by the trick."),
    "nil_not_played": N_("Nil isn’t allowed."),
    "nil_pays": N_("Nil, a bid to take no tricks, scores {n} if made."),
    "nil_costs": N_("Taking even one trick costs {n}."),
    "blind_nil_costs": N_("A failed blind Nil costs {n}."),
    "double_nil_pays": N_("Nil by both partners counts as a double Nil, worth {n}."),
    "failed_nil_overtricks": N_("Tricks from a failed Nil count as overtricks."),
    "failed_nil_contract": N_(
        "Tricks from a failed Nil count toward the partner’s bid; any extra are overtricks."
    ),
    "failed_nil_ignored": N_("Tricks from a failed Nil don’t count."),
    "both_nil_no_contract": N_(
        "If both partners bid Nil there’s no contract: every trick is an overtrick."
    ),
    "blind_nil_not_played": N_("Blind Nil isn’t allowed."),
    "blind_nil_pays": N_("Blind Nil, bid before looking at your cards, is worth {n}."),
    "blind_nil_behind": N_(
        "Only a side trailing the leader by at least {n} before the round may bid it."
    ),
    "blind_nil_behind_alone": N_(
        "Only a player trailing the leader by at least {n} before the round may bid it."
    ),
    "blind_nil_one_partner": N_("Only one partner may bid it."),
    "overtrick_pays": N_("Each overtrick scores {n}."),
    "overtricks_free": N_("Overtricks score nothing."),
    "overtricks_most": N_("Overtricks score at most {n} points per round."),
    "bags_free": N_("Bags have no penalty."),
    "bags_dropped": N_(
        "Each overtrick is a bag. Whoever has {n} bag or more after a round loses {penalty} "
        "points, and the count starts again at 0.",
        "Each overtrick is a bag. Whoever has {n} bags or more after a round loses {penalty} "
        "points, and the count starts again at 0.",
    ),
    "bags_kept": N_(
        "Each overtrick is a bag. Every {n} bag costs {penalty} points, and none carry over.",
        "Each overtrick is a bag. Every {n} bags cost {penalty} points, and the rest carry over.",
    ),
    "target_ends": N_("The game ends when a side reaches {n}."),
    "target_ends_alone": N_("The game ends when a player reaches {n}."),
    "rounds_end": N_("The game ends after {n} round.", "The game ends after {n} rounds."),
    "time_limit": N_(
        "The clock runs for {n} minute. When it’s up, the table can make the round in play the "
        "last one.",
        "The clock runs for {n} minutes. When it’s up, the table can make the round in play the "
        "last one.",
    ),
    "fewer_bags_win": N_("In a tie after the last round, fewer overtricks in the whole game win."),
    "tied_win": N_("In a tie after the last round, all who are tied win."),
    "sets_end": N_(
        "Whoever has been set {n} time loses the game.",
        "Whoever has been set {n} times loses the game.",
    ),
    "sets_in_a_row_end": N_(
        "Whoever is set {n} time in a row loses the game.",
        "Whoever is set {n} times in a row loses the game.",
    ),
    "sets_not_before": N_("Nobody loses by sets before the end of round {n}."),
    "first_round_ends": N_(
        "Whoever takes fewer than {n} trick in round 1 loses the game.",
        "Whoever takes fewer than {n} tricks in round 1 loses the game.",
    ),
    "others_win": N_("Of the others, the highest score wins."),
    "partner_needed": N_("A player whose partner’s score is below zero can’t win."),
    "partner_needs": N_("A player whose partner’s score is below {n} can’t win."),
    "sides_compared": N_("If players of both sides can win, the higher sum of a side wins."),
    "most_points_win": N_(
        "The highest score wins. If several tie, play another round until one is ahead."
    ),
    "stake_by_points": N_(
        "Every player pays each player with more points the stake for each point between them."
    ),
    "stake_by_rank": N_(
        "Second place pays the stake once, third place twice, and so on. The winner gets it all."
    ),
    "negative_pays_double": N_("Whoever finishes below zero pays double the stake."),
    "highest_wins": N_(
        "If several get there in the same round, the highest score wins. If they tie, play "
        "another round until one is ahead."
    ),
    "highest_wins_otherwise": N_("If the game ends otherwise, the highest score wins."),
    "mercy_ends": N_("It also ends when a side falls to {floor} or lower."),
    "mercy_ends_alone": N_("It also ends when a player falls to {floor} or lower."),
}


def rule_sentences(rules: RuleSet) -> list[Sentence]:
    """Return the sentences of a rule book, in the order of an evening."""
    return [sentence for _topic, sentences in rule_topics(rules) for sentence in sentences]


def rule_topics(rules: RuleSet) -> list[tuple[str, list[Sentence]]]:
    """Return the sentences of a rule book by topic, in the order of an evening."""
    return [
        ("deal", _deal(rules)),
        ("bid", bid_sentences(rules)),
        ("play", _play(rules)),
        ("score", [*_contract(rules), *_nil(rules), *_overtricks(rules)]),
        ("win", end_sentences(rules)),
    ]


def group_sentences(rules: RuleSet) -> Mapping[str, list[Sentence]]:
    """Return what each group of values means, by the English title of the group."""
    return {
        CONTRACT.text: _contract(rules),
        NIL.text: _nil(rules),
        BAGS.text: _overtricks(rules),
        DEAL.text: bid_sentences(rules),
        END.text: end_sentences(rules),
    }


def first_dealer(rules: RuleSet) -> Sentence:
    if rules.first_dealer == "last":
        return RULE_SENTENCES["last_deals_first" + direction_suffix(rules)]
    return RULE_SENTENCES["drawn_deals_first"]


def rematch_dealer(rules: RuleSet) -> list[Sentence]:
    passes = rules.rematch_dealer == "next"
    return [RULE_SENTENCES["rematch_passes_deal"]] if passes else []


def joins_at(rules: RuleSet) -> list[Sentence]:
    return [RULE_SENTENCES["joins_lowest"]] if rules.joins_at == "lowest" else []


def players(rules: RuleSet) -> Sentence:
    """Return for how many players the rules are."""
    shown = ", ".join(map(str, rules.players))
    if len(rules.players) > 2 and rules.players[-1] - rules.players[0] < len(rules.players):
        shown = f"{rules.players[0]}–{rules.players[-1]}"
    return RULE_SENTENCES["players"].about(players=shown)


def deal_turns(rules: RuleSet) -> Sentence:
    return RULE_SENTENCES["deal_turns" + direction_suffix(rules)]


def direction_suffix(rules: RuleSet) -> str:
    """Return how the codes of sentences end that depend on the direction of the deal."""
    return "" if rules.clockwise else "_counterclockwise"


def told(code: str, *, alone: bool) -> Sentence:
    """Return a sentence as it is for players who have their own scores, or for sides."""
    return RULE_SENTENCES[f"{code}_alone" if alone else code]


def _deal(rules: RuleSet) -> list[Sentence]:
    return [
        *cards(rules),
        players(rules),
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
    if rules.pack == WIZARD_PACK:
        return [RULE_SENTENCES["wizards_in_pack"]]
    return [RULE_SENTENCES["jokers_high" if jokers_can_play(rules) else "jokers_out"]]


def cards(rules: RuleSet) -> list[Sentence]:
    """Return how many cards are dealt, in all rounds or round by round, and of what pack."""
    pack = [RULE_SENTENCES["cards_of_pack"].about(n=rules.pack)] if rules.pack != PACK else []
    if rules.deal == "drawn":
        return [RULE_SENTENCES["hands_drawn"].about(n=rules.tricks), *pack]
    if rules.cards is None:
        return [RULE_SENTENCES["cards_dealt"].about(n=rules.tricks), *pack]
    walks = rules.cards.replace("-", "–").replace(",", ", ")
    lines = [RULE_SENTENCES["cards_in_turn"].about(cards=walks)]
    lines += [RULE_SENTENCES["cards_again"]] if rules.rounds else []
    return [*lines, RULE_SENTENCES["cards_most"], *pack]


def trump(rules: RuleSet) -> list[Sentence]:
    """Return which suit is trump, in all rounds or round by round."""
    suits = " ".join(SUITS[suit] for suit in (rules.trump_order or "").split(",") if suit)
    lines = [RULE_SENTENCES[f"{rules.trump}_trump"].about(suits=suits)]
    if "n" in (rules.trump_order or ""):
        lines.append(RULE_SENTENCES["no_trump"])
    if rules.pack == WIZARD_PACK and rules.trump == "turned":
        lines.append(RULE_SENTENCES["wizard_turned"])
    return lines


def _play(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["ranks"],
        RULE_SENTENCES["leads_first" + direction_suffix(rules)],
        *following(rules),
        RULE_SENTENCES["trick_won"],
        *([RULE_SENTENCES["wizards_played"]] if rules.pack == WIZARD_PACK else []),
        *trump_leads(rules),
        RULE_SENTENCES["revoke"],
        *([RULE_SENTENCES["no_table_talk"]] if rules.partnerships else []),
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
    bids = RULE_SENTENCES["bids_up_to_cards" if up_to_cards else "bids_range"]
    lines = [bids.about(low=rules.minimum_bid, high=rules.highest_bid)]
    if rules.minimum_bid == 0:
        lines.append(RULE_SENTENCES["zero_is_a_bid"])
    lines += _by_total("least_bid_by_total", rules.minimum_by_total, rules.shown_as)
    if rules.blind_bid_from is not None:
        lines.append(RULE_SENTENCES["blind_bids_from"].about(n=rules.blind_bid_from))
    if rules.blind_bid_deficit is not None:
        behind = shown(rules.blind_bid_deficit, rules.shown_as)
        lines.append(told("blind_bids_behind", alone=_own_totals(rules)).about(n=behind))
    if rules.partnerships:
        alone = "partners_alone" if rules.totals_by == "seat" else "partners_add_up"
        lines.append(RULE_SENTENCES[alone if rules.partners_bid else "partners_bid_once"])
    if rules.board is not None:
        least = "contract_least" if rules.partners_bid else "side_bid_least"
        lines.append(RULE_SENTENCES[least].about(n=rules.board))
    if not rules.bids_may_equal_tricks:
        forbidden = RULE_SENTENCES["sum_as_cards_forbidden" if rules.cards else "sum_forbidden"]
        lines.append(forbidden.about(n=rules.tricks))
        if rules.cards and rules.nil_points is not None:
            lines.append(RULE_SENTENCES["nil_is_zero"])
        if rules.hook_from > 1:
            lines.append(RULE_SENTENCES["sum_free_below"].about(n=rules.hook_from))
    if rules.bids_at_least is not None:
        lines.append(RULE_SENTENCES["bids_thrown_in"].about(n=rules.bids_at_least))
        lines += _by_total("bids_thrown_in_by_total", rules.bids_at_least_by_total, rules.shown_as)
        if rules.bids_at_least_counts == "values":
            lines.append(RULE_SENTENCES["worth_counts"])
    if rules.first_round_bids_itself:
        lines.append(told("first_round_unbid", alone=not rules.partnerships))
    return lines


def _by_total(code: str, steps: str | None, shown_as: str) -> list[Sentence]:
    return [
        RULE_SENTENCES[code].about(total=shown(total, shown_as), n=number)
        for total, number in total_steps(steps)
    ]


def _contract(rules: RuleSet) -> list[Sentence]:
    lines = [
        *_made(rules),
        RULE_SENTENCES["made_pays"].about(n=shown(rules.trick_points, rules.shown_as)),
        *_made_bonus(rules),
        *_factors(rules),
    ]
    if rules.ten_for is not None:
        lines.append(RULE_SENTENCES["ten_pays"].about(n=shown(rules.ten_for, rules.shown_as)))
    if rules.ten_made is not None:
        lines.append(RULE_SENTENCES["ten_scores"].about(n=shown(rules.ten_made, rules.shown_as)))
    if rules.boston_made is not None:
        lines.append(
            RULE_SENTENCES["boston_scores"].about(
                n=shown(rules.boston_made, rules.shown_as), tricks=rules.tricks
            )
        )
        if rules.tricks >= 10 and {rules.ten_for, rules.ten_made} != {None}:
            lines.append(RULE_SENTENCES["boston_first"])
    if rules.blind_trick_points is not None:
        blind = shown(rules.blind_trick_points, rules.shown_as)
        lines.append(RULE_SENTENCES["blind_bid_pays"].about(n=blind))
        if not {rules.ten_for, rules.ten_made, rules.boston_made} <= {None}:
            lines.append(RULE_SENTENCES["blind_pays_first"])
    lines += _set(rules)
    if rules.ten_failed is not None:
        lines.append(RULE_SENTENCES["ten_costs"].about(n=shown(rules.ten_failed, rules.shown_as)))
    if rules.blind_set_points is not None:
        blind = shown(rules.blind_set_points, rules.shown_as)
        lines.append(RULE_SENTENCES["blind_bid_costs"].about(n=blind))
        if rules.ten_failed is not None:
            lines.append(RULE_SENTENCES["blind_costs_first"])
    return [*lines, *_fixed_scores(rules), *bonus(rules), *_tricks_of_side(rules), *shown_as(rules)]


def _made(rules: RuleSet) -> list[Sentence]:
    return [] if rules.made == "at_least" else [RULE_SENTENCES[f"made_{rules.made}"]]


def _made_bonus(rules: RuleSet) -> list[Sentence]:
    if not rules.made_bonus:
        return []
    return [RULE_SENTENCES["made_adds"].about(n=shown(rules.made_bonus, rules.shown_as))]


def _set(rules: RuleSet) -> list[Sentence]:
    codes = {
        "zero": "set_is_free",
        "shortfall": "set_costs_missing",
        "difference": "set_costs_difference",
    }
    code = codes.get(rules.failed_bid, "set_costs")
    lines = [RULE_SENTENCES[code].about(n=shown(rules.set_points, rules.shown_as))]
    if rules.failed_trick_points:
        each = shown(rules.failed_trick_points, rules.shown_as)
        lines.append(RULE_SENTENCES["set_keeps"].about(n=each))
    return lines


def _fixed_scores(rules: RuleSet) -> list[Sentence]:
    lines = []
    for step in worth_steps(rules.worth):
        bids = f"{step.low}" if step.low == step.high else f"{step.low}–{step.high}"
        bid = RULE_SENTENCES["worth_blind_bid" if step.is_blind else "worth_bid"].about(bids=bids)
        made = "worth_exact" if step.is_exact else "worth_made"
        for code, points, by_card in (
            (made, step.made, step.made_by_card),
            ("worth_failed", step.failed, step.failed_by_card),
        ):
            if points is not None:
                n = shown(points, rules.shown_as)
                worth = RULE_SENTENCES["worth_per_card"].about(n=n) if by_card else n
                lines.append(RULE_SENTENCES[code].about(bid=bid, points=worth))
    return lines


def bonus(rules: RuleSet) -> list[Sentence]:
    """Return when points by hand count; nothing where they always do."""
    if rules.bonus_counts == "always":
        return []
    return [told("bonus_if_made", alone=_own_totals(rules))]


def _tricks_add_up(rules: RuleSet) -> Sentence:
    return RULE_SENTENCES["tricks_as_cards" if rules.cards else "tricks_add_up"].about(
        n=rules.tricks
    )


def tricks_lost(rules: RuleSet) -> list[Sentence]:
    """Return how many tricks may go to nobody; nothing where all are taken."""
    n = rules.lost_tricks
    return [RULE_SENTENCES["tricks_lost"].about(n=n)] if n else []


def _tricks_of_side(rules: RuleSet) -> list[Sentence]:
    return [RULE_SENTENCES["tricks_of_side"]] if rules.tricks_by == "side" else []


def shown_as(rules: RuleSet) -> list[Sentence]:
    return [RULE_SENTENCES["shown_in_tenths"]] if rules.shown_as == "tenths" else []


def _factors(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["bids_worth_by_total" if step.total else "bids_worth"].about(
            bids=f"{step.low}" if step.low == step.high else f"{step.low}–{step.high}",
            n=step.factor,
            total=shown(step.total or 0, rules.shown_as),
        )
        for step in call_steps(rules.call_values)
    ]


def _nil(rules: RuleSet) -> list[Sentence]:
    if rules.nil_points is None and rules.blind_nil_points is None:
        return [] if rules.minimum_bid == 0 else [RULE_SENTENCES["nil_not_played"]]
    lines = []
    if rules.nil_points is not None:
        lines.append(RULE_SENTENCES["nil_pays"].about(n=shown(rules.nil_points, rules.shown_as)))
        cost = shown(nil_cost(rules, Nil.NIL), rules.shown_as)
        lines.append(RULE_SENTENCES["nil_costs"].about(n=cost))
    lines += _blind_nil(rules)
    if rules.double_nil_points is not None:
        lines.append(
            RULE_SENTENCES["double_nil_pays"].about(
                n=shown(rules.double_nil_points, rules.shown_as)
            )
        )
    failed = rules.failed_nil_tricks
    if rules.bid_by == "side" and failed == "contract":
        failed = "overtricks"  # the side has no contract beside its Nil
    lines.append(RULE_SENTENCES[f"failed_nil_{failed}"])
    if rules.partners_bid and rules.failed_nil_tricks != "ignored":
        lines.append(RULE_SENTENCES["both_nil_no_contract"])
    return lines


def _blind_nil(rules: RuleSet) -> list[Sentence]:
    if rules.blind_nil_points is None:
        return [RULE_SENTENCES["blind_nil_not_played"]]
    lines = [
        RULE_SENTENCES["blind_nil_pays"].about(n=shown(rules.blind_nil_points, rules.shown_as))
    ]
    if rules.blind_nil_failed is not None:
        cost = shown(rules.blind_nil_failed, rules.shown_as)
        lines.append(RULE_SENTENCES["blind_nil_costs"].about(n=cost))
    if rules.blind_nil_deficit is not None:
        lines.append(
            told("blind_nil_behind", alone=_own_totals(rules)).about(
                n=shown(rules.blind_nil_deficit, rules.shown_as)
            )
        )
    if rules.partners_bid and rules.blind_nil_partners == "one":
        lines.append(RULE_SENTENCES["blind_nil_one_partner"])
    return lines


def _overtricks(rules: RuleSet) -> list[Sentence]:
    if rules.made == "exactly" and rules.nil_points is None:
        return []
    each, most = rules.overtrick_points, rules.overtrick_cap
    if each == 0 or most == 0:
        lines = [RULE_SENTENCES["overtricks_free"]]
    else:
        lines = [RULE_SENTENCES["overtrick_pays"].about(n=shown(each, rules.shown_as))]
        if most is not None:
            lines.append(RULE_SENTENCES["overtricks_most"].about(n=shown(most, rules.shown_as)))
    if rules.bag_limit is None:
        return [*lines, RULE_SENTENCES["bags_free"]]
    penalty = shown(rules.bag_penalty or 0, rules.shown_as)
    bags = RULE_SENTENCES[f"bags_{rules.bag_remainder}"]
    return [*lines, bags.about(n=rules.bag_limit, penalty=penalty)]


def end_sentences(rules: RuleSet) -> list[Sentence]:
    lines = []
    if rules.target is not None:
        target = shown(rules.target, rules.shown_as)
        lines.append(told("target_ends", alone=_own_totals(rules)).about(n=target))
    if rules.rounds is not None:
        lines.append(RULE_SENTENCES["rounds_end"].about(n=rules.rounds))
    elif rules.cards is not None:
        lines.append(RULE_SENTENCES["cards_end"])
    lines += time_limit(rules)
    if rules.mercy is not None:
        floor = minus(rules.mercy, rules.shown_as)
        lines.append(told("mercy_ends", alone=_own_totals(rules)).about(floor=floor))
    for code, n in (
        ("sets_end", rules.sets_lose),
        ("sets_in_a_row_end", rules.sets_in_a_row_lose),
        ("sets_not_before", rules.minimum_rounds),
        ("first_round_ends", rules.first_round_minimum),
    ):
        if n is not None:
            lines.append(RULE_SENTENCES[code].about(n=n))
    return [*lines, *_winner(rules)]


def _own_totals(rules: RuleSet) -> bool:
    """Return whether every player has a score, as where all play alone."""
    return not rules.partnerships or rules.totals_by == "seat"


def time_limit(rules: RuleSet) -> list[Sentence]:
    return [] if rules.minutes is None else [RULE_SENTENCES["time_limit"].about(n=rules.minutes)]


def _winner(rules: RuleSet) -> list[Sentence]:
    loses_alone = not rules.partnerships and {
        rules.sets_lose,
        rules.sets_in_a_row_lose,
        rules.first_round_minimum,
    } != {None}
    ends_otherwise = {rules.rounds, rules.cards, rules.minutes, rules.mercy} != {None}
    codes = []
    lowest = minus(rules.partner_least, rules.shown_as)
    if loses_alone:
        codes.append("others_win")
    if rules.win_needs_partner:
        codes.append("partner_needs" if rules.partner_least else "partner_needed")
    if rules.totals_by == "seat":
        codes.append("sides_compared")
    if rules.tie_at_limit != "another_round":
        codes.append({"fewer_bags": "fewer_bags_win", "shared": "tied_win"}[rules.tie_at_limit])
    if rules.stake_by != "winner":
        codes.append(f"stake_by_{rules.stake_by}")
    if rules.negative_doubles:
        codes.append("negative_pays_double")
    codes.append("most_points_win" if rules.target is None else "highest_wins")
    if rules.target is not None and ends_otherwise:
        codes.append("highest_wins_otherwise")
    return [RULE_SENTENCES[code].about(n=lowest) for code in codes]
