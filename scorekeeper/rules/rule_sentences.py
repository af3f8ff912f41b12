"""The sentences of which the rules of a game are told, and how they are filled in and chosen."""

from collections.abc import Mapping

from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.sentence import N_, Sentence, shown

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


def direction_suffix(rules: RuleSet) -> str:
    """Return how the codes of sentences end that depend on the direction of the deal."""
    return "" if rules.clockwise else "_counterclockwise"


def order_suffix(rules: RuleSet) -> str:
    """Return the same of sentences that depend on the order of bids too."""
    return "_at_once" if rules.clockwise and has_pirates(rules) else direction_suffix(rules)


def has_pirates(rules: RuleSet) -> bool:
    return SPECIAL_CARDS.get(rules.pack) == "pirates"


def points_line(rules: RuleSet, code: str, points: int | None) -> list[Sentence]:
    """Return the sentence of a value in points, as people see them; nothing where it is off."""
    return [] if points is None else [RULE_SENTENCES[code].about(n=shown(points, rules.shown_as))]


def number_line(code: str, n: int | None) -> list[Sentence]:
    """Return the sentence of a number; nothing where it is off."""
    return [] if n is None else [RULE_SENTENCES[code].about(n=n)]


def lines_if(condition: object, *codes: str) -> list[Sentence]:
    return [RULE_SENTENCES[code] for code in codes] if condition else []


def own_code(rules: RuleSet, code: str) -> str:
    """Return the code for players who have their own scores, as where all play alone, or sides."""
    return f"{code}_alone" if not rules.partnerships or rules.totals_by == "seat" else code


def lines_by_total(code: str, steps: tuple[tuple[int, int], ...], shown_as: str) -> list[Sentence]:
    return [
        RULE_SENTENCES[code].about(total=shown(total, shown_as), n=number)
        for total, number in steps
    ]
