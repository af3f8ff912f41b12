"""The sentences that rules are explained with, by code."""

from collections.abc import Mapping

from scorekeeper.rules.sentence import N_, Sentence

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
    "deal_turns": N_("The deal moves clockwise after each round. The dealer bids last."),
    "deal_turns_counterclockwise": N_(
        "Deal, bids and play move counterclockwise. The dealer bids last."
    ),
    "spades_trump": N_("Spades are trump."),
    "hearts_trump": N_("Hearts are trump."),
    "jokers_out": N_("The jokers aren’t used."),
    "jokers_high": N_(
        "If you add the two jokers, they rank above the ace of trumps; agree on which is higher."
    ),
    "misdeal_allowed": N_(
        "If anyone was dealt another number of cards, it’s a misdeal. You can call a misdeal until "
        "the round is scored: the bids are cleared and the same dealer redeals."
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
    "opening_lead_free": N_("The first card of the round can be any card, even a trump."),
    "any_lead": N_("You can lead any card at any time, even a trump."),
    "revoke": N_("Not following suit when you could is a renege. The penalty is up to your table."),
    "no_table_talk": N_("Partners don’t talk about their cards or signal."),
    "bids_range": N_("Bid {low} to {high} tricks."),
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
    "made_pays": N_("A made contract scores {n} points per trick bid."),
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
        "A set contract loses {n} points per missing trick, or per trick bid if a penalty sets it."
    ),
    "set_costs": N_("A set contract loses {n} points per trick bid."),
    "shown_in_tenths": N_("Scores have one decimal; files hold them in tenths."),
    "tricks_add_up": N_("Each round has exactly {n} tricks."),
    "tricks_of_side": N_("Partners’ tricks are counted together."),
    "ten_pays": N_("A contract of 10 or more scores {n} points per trick bid."),
    "ten_scores": N_("A made contract of 10 or more scores {n}, whatever the number."),
    "ten_costs": N_("A set contract of 10 or more loses {n}, whatever the number."),
    "blind_bids_from": N_(
        "A bid of {n} or more can be made blind, that is, before looking at your cards."
    ),
    "blind_bids_behind": N_("Only a side at least {n} points behind may bid a number blind."),
    "blind_bids_behind_alone": N_(
        "Only a player at least {n} points behind may bid a number blind."
    ),
    "blind_bid_pays": N_("Of a made contract, each trick bid blind scores {n} points."),
    "blind_bid_costs": N_("Of a set contract, each trick bid blind loses {n} points."),
    "boston_scores": N_("Bidding and taking all {tricks} tricks scores {n}."),
    "boston_first": N_("That counts instead of what a contract of 10 or more scores."),
    "blind_pays_first": N_("With tricks bid blind, a made contract always scores by the trick."),
    "blind_costs_first": N_("With tricks bid blind, a set contract always loses by the trick."),
    "nil_not_played": N_("Nil isn’t allowed."),
    "nil_pays": N_("Nil, a bid to take no tricks, scores {n} if made."),
    "nil_costs": N_("Taking even one trick costs {n}."),
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
    "sides_compared": N_("If players of both sides can win, the higher sum of a side wins."),
    "most_points_win": N_(
        "The highest score wins. If several tie, play another round until one is ahead."
    ),
    "negative_pays_double": N_("Whoever finishes below zero pays the stake twice."),
    "highest_wins": N_(
        "If several get there in the same round, the highest score wins. If they tie, play "
        "another round until one is ahead."
    ),
    "highest_wins_otherwise": N_("If the game ends otherwise, the highest score wins."),
    "mercy_ends": N_("It also ends when a side falls to {floor} or lower."),
    "mercy_ends_alone": N_("It also ends when a player falls to {floor} or lower."),
}
