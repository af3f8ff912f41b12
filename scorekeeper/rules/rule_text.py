"""The rules of a game as sentences, chosen by the values that score it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from scorekeeper.rules.bidding import Nil, nil_cost, sides_of
from scorekeeper.rules.deck import jokers_can_play
from scorekeeper.rules.presets import tables
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import N_, Sentence, minus, shown
from scorekeeper.rules.value_kinds import worth_of
from scorekeeper.rules.values import BAGS, CONTRACT, DEAL, END, NIL, PACK

# The special cards of a pack, by the number of all its cards.
SPECIAL_CARDS = {60: "wizards", 70: "pirates"}
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
    "cards_by_round": N_(
        "{n} round: each player is dealt {cards} cards.",
        "{n} rounds: each player is dealt {cards} cards, round by round.",
    ),
    "cards_again": N_("After the last of them the list begins again."),
    "cards_most": N_("A further round after a tie has the most cards."),
    "cards_end": N_("The game ends when every number of cards has been played."),
    "tricks_as_cards": N_("Each round has as many tricks as each player has cards."),
    "bids_up_to_cards": N_(
        "Bid how many tricks you’ll take, {low} or more, up to the cards of the round."
    ),
    "bids_up_to_cards_or_nil": N_(
        "Bid how many tricks you’ll take, {low} or more, up to the cards of the round, or Nil: "
        "none."
    ),
    "sum_as_cards_forbidden": N_(
        "The bids can’t total the cards of the round, so the last bidder must choose another "
        "number."
    ),
    "nil_is_zero": N_("Nil counts as 0 here."),
    "sum_free_below": N_("In rounds of fewer than {n} cards, they can."),
    "deal_turns": N_("The deal moves clockwise after each round. The dealer bids last."),
    "deal_turns_at_once": N_(
        "The deal moves clockwise after each round. All bid at the same time."
    ),
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
    "black_trump": N_("The black suit is trump."),
    "pirates_in_pack": N_(
        "Of the 70 cards, 56 are in four suits from 1 to 14. The others are five pirates, five "
        "escapes, two mermaids, the Tigress and the Skull King."
    ),
    "pirates_played": N_(
        "A special card can be played whatever was led. Pirates and mermaids beat every suit. The "
        "Skull King beats pirates, pirates beat mermaids, and a mermaid beats the Skull King, even "
        "beside a pirate. Of two alike, the first one counts."
    ),
    "pirates_escape": N_(
        "An escape takes no trick, unless nothing else is played: then the first one does. The "
        "Tigress is played as a pirate or as an escape."
    ),
    "pirates_led": N_(
        "If a pirate, a mermaid or the Skull King is led, nobody has to follow suit. If an escape "
        "is led, the next card that isn’t one counts as led."
    ),
    "pirates_lost": N_(
        "If you play with the Kraken, nobody gets its trick, nor one of special cards only with "
        "the White Whale."
    ),
    "pirates_bonus": N_(
        "Bonus points for what is in your tricks, added in the menu: 10 for each 14, 20 for the "
        "black one; 20 for a mermaid that a pirate beats, 30 for a pirate that the Skull King "
        "beats, 40 for the Skull King if a mermaid beats him."
    ),
    "wizards_in_pack": N_("Of the 60 cards, four are wizards and four are jesters."),
    "wizard_turned": N_(
        "If a jester is turned over, there’s no trump. If a wizard is, the dealer chooses."
    ),
    "wizards_played": N_(
        "A wizard or a jester can be played whatever was led. The first wizard takes the trick; "
        "a jester never does, unless all are jesters: then the first does."
    ),
    "wizards_led": N_(
        "If a wizard is led, nobody has to follow suit. If a jester is led, the next card that "
        "isn’t a jester sets the suit; if that’s a wizard, nobody has to follow."
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
    "ranks_to_14": N_("In each suit, 14 is high and 1 is low."),
    "leads_first_at_once": N_("The player to the dealer’s left leads to the first trick."),
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
    "bids_range": N_("Bid how many tricks you’ll take, {low} to {high}."),
    "bids_range_or_nil": N_("Bid how many tricks you’ll take, {low} to {high}, or Nil: none."),
    "zero_is_a_bid": N_("0 is a bid like any other."),
    "least_bid_by_total": N_("Once any score reaches {total}, the minimum bid is {n}."),
    "partners_alone": N_(
        "Partners sit opposite each other; each plays for a bid and a score of their own."
    ),
    "partners_add_up": N_("Partners sit opposite each other; their bids add up to one contract."),
    "partners_bid_once": N_("Partners sit opposite each other and make one bid together."),
    "partners_bid_once_or_nil": N_(
        "Partners sit opposite each other and make one bid together: a number, or Nil for both."
    ),
    "side_bid_least": N_("A side must bid at least {n}."),
    "contract_least": N_(
        "Partners must bid at least {n} together; the second bid has to reach it."
    ),
    "sum_forbidden": N_("The bids can’t total {n}, so the last bidder must choose another number."),
    "bids_thrown_in": N_(
        "If all bids total less than {n}, nobody plays: the same dealer deals again."
    ),
    "bids_thrown_in_by_total": N_("Once any score reaches {total}, the bids must total {n}."),
    "worth_counts": N_("What counts here is what the bids are worth."),
    "first_round_unbid": N_("There’s no bidding in round 1: each side’s tricks become its bid."),
    "first_round_unbid_alone": N_(
        "There’s no bidding in round 1: each player’s tricks become their bid."
    ),
    "made_pays": N_("A made contract scores {n} per trick bid."),
    "made_adds": N_("A made contract scores {bonus}, and {n} per trick bid."),
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
    "miss_costs": N_("A set contract loses {n}, whether one trick off or many."),
    "miss_also_costs": N_("Every set contract also loses {n}, whether one trick off or many."),
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
    "overtrick_costs": N_("Each overtrick costs {n}."),
    "overtricks_free": N_("Overtricks score nothing."),
    "overtricks_most": N_("Overtricks score at most {n} points per round."),
    "overtricks_cost_most": N_("Overtricks cost at most {n} points per round."),
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
    "exact_bids_win": N_(
        "In a tie after the last round, whoever made more bids exactly in the whole game wins."
    ),
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
    "equal_bags_play_on": N_("If those tie too, play another round until one is ahead."),
    "other_ties_play_on": N_("In any other tie, play another round until one is ahead."),
    "other_ties_and_equal_bags_play_on": N_(
        "In any other tie, or if those tie too, play another round until one is ahead."
    ),
    "ties_play_on": N_("In a tie, play another round until one is ahead."),
    "most_points_win": N_("The highest score wins."),
    "highest_wins": N_("If several get there in the same round, the highest score wins."),
    "highest_wins_otherwise": N_("If the game ends otherwise, the highest score wins."),
    "most_points_win_side": N_("The higher sum of a side wins."),
    "highest_wins_side": N_("If players of both sides can win, the higher sum of a side wins."),
    "highest_wins_otherwise_side": N_("If the game ends otherwise, the higher sum of a side wins."),
    "stake_by_points": N_(
        "Every player pays each player with more points the stake for each point between them."
    ),
    "stake_by_rank": N_(
        "Second place pays the stake once, third place twice, and so on. The winner gets it all."
    ),
    "negative_pays_double": N_("Whoever finishes below zero pays double the stake."),
    "mercy_ends": N_("It also ends when a side falls to {floor} or lower."),
    "mercy_ends_alone": N_("It also ends when a player falls to {floor} or lower."),
}


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
        ("score", [*_contract(own), *_nil(own), *_overtricks(own)]),
        ("win", end_sentences(own)),
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
    return _if(rules.rematch_dealer == "next", "rematch_passes_deal")


def joins_at(rules: RuleSet) -> list[Sentence]:
    return _if(rules.joins_at == "lowest", "joins_lowest")


def sizes(rules: RuleSet) -> Sentence:
    """Return for how many players the rules are."""
    found = (*tables(rules),)
    shown = ", ".join(map(str, found))
    if len(found) > 2 and found[-1] - found[0] < len(found):
        shown = f"{found[0]}–{found[-1]}"
    return RULE_SENTENCES["players"].about(players=shown)


def deal_turns(rules: RuleSet) -> Sentence:
    return RULE_SENTENCES["deal_turns" + _order_suffix(rules)]


def direction_suffix(rules: RuleSet) -> str:
    """Return how the codes of sentences end that depend on the direction of the deal."""
    return "" if rules.clockwise else "_counterclockwise"


def _order_suffix(rules: RuleSet) -> str:
    """Return the same of sentences that depend on the order of bids too."""
    return "_at_once" if rules.clockwise and _has_pirates(rules) else direction_suffix(rules)


def _has_pirates(rules: RuleSet) -> bool:
    return SPECIAL_CARDS.get(rules.pack) == "pirates"


def _points(rules: RuleSet, code: str, points: int | None) -> list[Sentence]:
    """Return the sentence of a value in points, as people see them; nothing where it is off."""
    return [] if points is None else [RULE_SENTENCES[code].about(n=shown(points, rules.shown_as))]


def _number(code: str, n: int | None) -> list[Sentence]:
    """Return the sentence of a number; nothing where it is off."""
    return [] if n is None else [RULE_SENTENCES[code].about(n=n)]


def _if(condition: object, *codes: str) -> list[Sentence]:
    return [RULE_SENTENCES[code] for code in codes] if condition else []


def _own(rules: RuleSet, code: str) -> str:
    """Return the code for players who have their own scores, as where all play alone, or sides."""
    return f"{code}_alone" if not rules.partnerships or rules.totals_by == "seat" else code


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
    pack = _number("cards_of_pack", rules.pack) if rules.pack != PACK else []
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
    further = _if(rules.tie_at_limit != "shared", "cards_most")
    return [listed, *_if(begins_again, "cards_again"), *further, *pack]


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
        *_if("n" in (rules.trump_order or ""), "no_trump"),
        *_if(special == "wizards" and rules.trump == "turned", "wizard_turned"),
    ]


def _play(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["ranks_to_14" if _has_pirates(rules) else "ranks"],
        RULE_SENTENCES["leads_first" + _order_suffix(rules)],
        *following(rules),
        RULE_SENTENCES["trick_won"],
        *_special_play(rules),
        *trump_leads(rules),
        RULE_SENTENCES["revoke"],
        *_if(rules.partnerships, "no_table_talk"),
    ]


def _special_play(rules: RuleSet) -> list[Sentence]:
    special = SPECIAL_CARDS.get(rules.pack)
    return [
        *_if(special, f"{special}_played"),
        *_if(special == "pirates", "pirates_escape"),
        *_if(special, f"{special}_led"),
        *_if(special == "pirates" and rules.lost_tricks, "pirates_lost"),
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
        *_if(rules.minimum_bid == 0 and zero is None, "zero_is_a_bid"),
        *_by_total("least_bid_by_total", rules.minimum_steps, rules.shown_as),
        *_number("blind_bids_from", rules.blind_bid_from),
        *_points(rules, _own(rules, "blind_bids_behind"), rules.blind_bid_deficit),
        *_if(rules.partnerships, alone if rules.partners_bid else "partners_bid_once" + nil),
        *_number(board, rules.board),
        *_sum_of_bids(rules),
        *_if(rules.first_round_bids_itself, unbid),
    ]


def _sum_of_bids(rules: RuleSet) -> list[Sentence]:
    """Return what the bids may not total, and below which total cards are dealt again."""
    lines = []
    if not rules.bids_may_equal_tricks:
        lines += _number("sum_as_cards_forbidden" if rules.cards else "sum_forbidden", rules.tricks)
        lines += _number("sum_free_below", rules.hook_from if rules.hook_from > 1 else None)
    if rules.bids_at_least is not None:
        lines += _number("bids_thrown_in", rules.bids_at_least)
        lines += _by_total("bids_thrown_in_by_total", rules.bids_at_least_steps, rules.shown_as)
        lines += _if(rules.bids_at_least_counts == "values", "worth_counts")
    return [*lines, *_if(lines and rules.nil_points is not None, "nil_is_zero")]


def _by_total(code: str, steps: tuple[tuple[int, int], ...], shown_as: str) -> list[Sentence]:
    return [
        RULE_SENTENCES[code].about(total=shown(total, shown_as), n=number)
        for total, number in steps
    ]


def _contract(rules: RuleSet) -> list[Sentence]:
    has_ten = {rules.ten_for, rules.ten_made} != {None}
    is_blind = rules.blind_trick_points is not None
    return [
        *_if(rules.made != "at_least", f"made_{rules.made}"),
        _made(rules),
        *_factors(rules),
        *_points(rules, "ten_pays", rules.ten_for),
        *_points(rules, "ten_scores", rules.ten_made),
        *_boston(rules, has_ten=has_ten),
        *_points(rules, "blind_bid_pays", rules.blind_trick_points),
        *_if(is_blind and (has_ten or rules.boston_made is not None), "blind_pays_first"),
        *_set(rules),
        *_fixed_scores(rules),
        *bonus(rules),
        *_if(_has_pirates(rules), "pirates_bonus"),
        *_if(rules.tricks_by == "side", "tricks_of_side"),
        *shown_as(rules),
    ]


def _made(rules: RuleSet) -> Sentence:
    n = shown(rules.trick_points, rules.shown_as)
    if not rules.made_bonus:
        return RULE_SENTENCES["made_pays"].about(n=n)
    return RULE_SENTENCES["made_adds"].about(n=n, bonus=shown(rules.made_bonus, rules.shown_as))


def _boston(rules: RuleSet, *, has_ten: bool) -> list[Sentence]:
    if rules.boston_made is None:
        return []
    points = shown(rules.boston_made, rules.shown_as)
    scores = RULE_SENTENCES["boston_scores"].about(n=points, tricks=rules.tricks)
    return [scores, *_if(rules.tricks >= 10 and has_ten, "boston_first")]


def _set(rules: RuleSet) -> list[Sentence]:
    codes = {
        "zero": "set_is_free",
        "shortfall": "set_costs_missing",
        "difference": "set_costs_difference",
    }
    has_both = None not in (rules.blind_set_points, rules.ten_failed)
    has_others = rules.failed_bid != "zero" or {rules.blind_set_points, rules.ten_failed} != {None}
    lines = [
        *_points(rules, codes.get(rules.failed_bid, "set_costs"), rules.set_points),
        *_points(rules, "set_keeps", rules.failed_trick_points or None),
        *_points(rules, "ten_costs", rules.ten_failed),
        *_points(rules, "blind_bid_costs", rules.blind_set_points),
        *_if(has_both, "blind_costs_first"),
    ]
    if not rules.miss_points:
        return lines
    if has_others:
        return [*lines, *_points(rules, "miss_also_costs", rules.miss_points)]
    return [*_points(rules, "miss_costs", rules.miss_points), *lines[1:]]


def _fixed_scores(rules: RuleSet) -> list[Sentence]:
    lines = []
    for step in rules.worth_steps:
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
    return _if(rules.bonus_counts == "made", _own(rules, "bonus_if_made"))


def _tricks_add_up(rules: RuleSet) -> Sentence:
    return RULE_SENTENCES["tricks_as_cards" if rules.cards else "tricks_add_up"].about(
        n=rules.tricks
    )


def tricks_lost(rules: RuleSet) -> list[Sentence]:
    """Return how many tricks may go to nobody; nothing where all are taken."""
    return _number("tricks_lost", rules.lost_tricks or None)


def shown_as(rules: RuleSet) -> list[Sentence]:
    return _if(rules.shown_as == "tenths", "shown_in_tenths")


def _factors(rules: RuleSet) -> list[Sentence]:
    return [
        RULE_SENTENCES["bids_worth_by_total" if step.total else "bids_worth"].about(
            bids=f"{step.low}" if step.low == step.high else f"{step.low}–{step.high}",
            n=step.factor,
            total=shown(step.total or 0, rules.shown_as),
        )
        for step in rules.call_steps
    ]


def _nil(rules: RuleSet) -> list[Sentence]:
    if rules.nil_points is None and rules.blind_nil_points is None:
        return _if(rules.minimum_bid > 0, "nil_not_played")
    cost = None if rules.nil_points is None else nil_cost(rules, Nil.NIL)
    failed = rules.failed_nil_tricks
    if rules.bid_by == "side" and failed == "contract":
        failed = "overtricks"  # the side has no contract beside its Nil
    return [
        *_points(rules, "nil_pays", rules.nil_points),
        *_points(rules, "nil_costs", cost),
        *_blind_nil(rules),
        *_points(rules, "double_nil_pays", rules.double_nil_points),
        RULE_SENTENCES[f"failed_nil_{failed}"],
        *_if(rules.partners_bid and failed != "ignored", "both_nil_no_contract"),
    ]


def _blind_nil(rules: RuleSet) -> list[Sentence]:
    if rules.blind_nil_points is None:
        return [RULE_SENTENCES["blind_nil_not_played"]]
    is_for_one = rules.partners_bid and rules.blind_nil_partners == "one"
    return [
        *_points(rules, "blind_nil_pays", rules.blind_nil_points),
        *_points(rules, "blind_nil_costs", rules.blind_nil_failed),
        *_points(rules, _own(rules, "blind_nil_behind"), rules.blind_nil_deficit),
        *_if(is_for_one, "blind_nil_one_partner"),
    ]


def _overtricks(rules: RuleSet) -> list[Sentence]:
    if rules.made == "exactly" and rules.nil_points is None:
        return []
    each, most = rules.overtrick_points, rules.overtrick_cap
    lines = [
        *_points(rules, "overtrick_pays" if each > 0 else "overtrick_costs", abs(each)),
        *_points(rules, "overtricks_most" if each > 0 else "overtricks_cost_most", most),
    ]
    if each == 0 or most == 0:
        lines = [RULE_SENTENCES["overtricks_free"]]
    if rules.bag_limit is None:
        return [*lines, RULE_SENTENCES["bags_free"]]
    penalty = shown(rules.bag_penalty or 0, rules.shown_as)
    bags = RULE_SENTENCES[f"bags_{rules.bag_remainder}"]
    return [*lines, bags.about(n=rules.bag_limit, penalty=penalty)]


def end_sentences(rules: RuleSet) -> list[Sentence]:
    lines = _points(rules, _own(rules, "target_ends"), rules.target)
    if rules.rounds is None:
        lines += _if(rules.cards, "cards_end")
    lines += [*_number("rounds_end", rules.rounds), *time_limit(rules)]
    if rules.mercy is not None:
        floor = minus(rules.mercy, rules.shown_as)
        lines.append(RULE_SENTENCES[_own(rules, "mercy_ends")].about(floor=floor))
    return [
        *lines,
        *_number("sets_end", rules.sets_lose),
        *_number("sets_in_a_row_end", rules.sets_in_a_row_lose),
        *_number("sets_not_before", rules.minimum_rounds),
        *_number("first_round_ends", rules.first_round_minimum),
        *_winner(rules),
    ]


def time_limit(rules: RuleSet) -> list[Sentence]:
    return _number("time_limit", rules.minutes)


def _winner(rules: RuleSet) -> list[Sentence]:
    losing = {rules.sets_lose, rules.sets_in_a_row_lose, rules.first_round_minimum} != {None}
    ends_otherwise = {rules.rounds, rules.cards, rules.minutes, rules.mercy} != {None}
    has_target = rules.target is not None
    needed = "partner_needs" if rules.partner_least else "partner_needed"
    of_side = "_side" if rules.totals_by == "seat" else ""
    lines = [
        *_if(losing and len(sides_of(rules, max(rules.players))) > 2, "others_win"),
        *_if(rules.win_needs_partner, needed),
        RULE_SENTENCES[("highest_wins" if has_target else "most_points_win") + of_side],
        *_if(has_target and ends_otherwise, f"highest_wins_otherwise{of_side}"),
        *_ties(rules, only_last=not (has_target or losing or rules.mercy is not None)),
        *_if(rules.stake_by != "winner", f"stake_by_{rules.stake_by}"),
        *_if(rules.negative_doubles, "negative_pays_double"),
    ]
    lowest = minus(rules.partner_least, rules.shown_as)
    return [line.about(n=lowest) for line in lines]


def _ties(rules: RuleSet, *, only_last: bool) -> list[Sentence]:
    """Return what happens in a tie, which may be possible `only_last`: after the last round."""
    if rules.tie_at_limit == "shared":
        return [RULE_SENTENCES["tied_win"], *_if(not only_last, "other_ties_play_on")]
    if rules.tie_at_limit == "another_round":
        return [RULE_SENTENCES["ties_play_on"]]
    equal = "equal_bags_play_on" if only_last else "other_ties_and_equal_bags_play_on"
    return [RULE_SENTENCES[f"{rules.tie_at_limit}_win"], RULE_SENTENCES[equal]]
