"""Sentences that pages and phones share, each by its code."""

from collections.abc import Mapping

from scorekeeper.free_text import SAME_NAME
from scorekeeper.i18n import FROM_TO, gettext, ngettext
from scorekeeper.rules.penalties import PENALTY_REASONS
from scorekeeper.rules.presets import PLAYERS_NEEDED
from scorekeeper.rules.ruleset import FULL_DECK
from scorekeeper.rules.sentence import BAGS, N_, POINTS, Sentence
from scorekeeper.rules.value_kinds import NUMBER_OR_OFF
from scorekeeper.rules.values import NIL

# What the game page needs beside its pieces to take and show taps.
GAME_SENTENCES: Mapping[str, Sentence] = {
    # connection and sync
    "not_saved": N_("Not saved yet"),
    "alone": N_("Offline. Keep playing; this phone keeps everything."),
    "waits": N_("{n} round will be sent later.", "{n} rounds will be sent later."),
    "moved": N_("The game has changed. Check it, then tap again."),
    "unsaved": N_(
        "This phone can’t store your taps. Keep this page open until everything is saved."
    ),
    # the game
    "deals": N_("{name} deals"),
    "cards_each": N_("{n} card", "{n} cards"),
    "some_and_last": N_("{some} and {last}"),
    "bids_now": N_("Round {n}: {name} bids."),
    "bid_next": N_("{last} bid {bid}. {name} bids."),
    "bids_first": N_("{dealer} deals, {name} bids first."),
    "bids_add_up": N_("Bids total {n} of {tricks}. How many tricks did {name} take?"),
    "counted_next": N_("{counted}. How many tricks did {name} take?"),
    "can_score": N_("Round {n} is ready to score: {counted}."),
    "is_scored": N_("Round {n} is scored: {totals}."),
    "bags_cost": N_("Bags cost {names} {n} point.", "Bags cost {names} {n} points."),
    "series": N_(", "),
    "of_bid": N_("{n} of {tricks} bid"),
    "bids_over": N_("bids {n} over"),
    "bids_under": N_("bids {n} under"),
    "bids_even": N_("bids even"),
    "of_tricks": N_("{taken} of {n} trick", "{taken} of {n} tricks"),
    "waits_for_bid": N_("{name} is bidding. This phone plays for {own}."),
    "waits_for_tricks": N_("This phone plays for {own}."),
    "taken_over": N_("{phone} now plays for {own}."),
    "score_round": N_("Score round {n}"),
    "count_more": N_("Count {n} more player", "Count {n} more players"),
    "to_count": N_("{names} to count", "{names} to count"),
    "tricks_missing": N_("{n} trick missing", "{n} tricks missing"),
    "tricks_over": N_("{n} trick too many", "{n} tricks too many"),
    "all_in": N_("{n} counted", "All {n} counted"),
    "gets_none": N_("{counted} · none for {name}"),
    "gets_last": N_(
        "{counted} · {name} took the other {n}", "{counted} · {name} took the other {n}"
    ),
    "bid": N_("bid {bid}"),
    "nil": NIL,
    "blind nil": N_("blind Nil"),
    "blind": N_("blind {n}"),
    # what keys say to who listens
    "bid_of": N_("{name}’s bid"),
    "tricks_of": N_("{name}’s tricks"),
    "key_makes": N_("{n} trick: {points}", "{n} tricks: {points}"),
    "minus": N_("minus {n}"),
    "none_left": N_("No tricks left."),
    "only_left": N_("Only {n} trick left.", "Only {n} tricks left."),
    "makes": N_("makes {n}"),
    "decimal": N_("{whole}.{fraction}"),
    "tie": N_(
        "{names} are tied at {total}. Play another round.",
        "{names} are tied at {total}. Play another round.",
    ),
}
# What it loads later, for what stands beside the keypad and for other pages without the server.
SENTENCES: Mapping[str, Sentence] = {
    **GAME_SENTENCES,
    # the connection
    "sign_in": N_("Something in front of the server wants you to sign in."),
    "sign_in_link": N_("Sign in"),
    # the deal and the seats
    "deal_each": N_("Deal {n} card each.", "Deal {n} cards each."),
    "no_trump": N_("No trump."),
    "trump_now": N_("Trump: {suit}"),
    # the menu, and games that the server does not have
    "on": N_("on"),
    "off": N_("off"),
    "game_waits": N_("The new game will be sent later."),
    "game_refused": N_("This game wasn’t saved: {sentence}"),
    "not_kept": N_("This game isn’t saved on this phone. You’ll see it again once you’re online."),
    "round": N_("Round {n}"),
    "bid_of_name": N_("{name} bid {new}"),
    "took_of_name": N_("{name} took {new}"),
    "has_left": N_("{name} (left)"),
    "drops_bids": N_("Drops {n} bid.", "Drops {n} bids."),
    "drops_round": N_("Drops what was entered in round {n}."),
    # a row that is opened
    "panel_opens": N_("Penalty, points, note"),
    "panel_who": N_("Who is it about?"),
    "panel_penalty": PENALTY_REASONS["other"],
    "panel_points": POINTS,
    "panel_note": N_("Note"),
    "panel_misdeal": N_("Misdeal"),
    "panel_other": N_("Other reason"),
    "panel_drops": N_("Bids of this round are removed."),
    "panel_to_others": N_("tricks to the other side"),
    "panel_to_nobody": N_("tricks taken away"),
    "panel_to_set": N_("contract counts as set"),
    "panel_changes": N_("{new} instead of {old}."),
    "panel_take_tricks": N_("Take {n} trick away", "Take {n} tricks away"),
    "panel_add": N_("Add penalty"),
    "panel_give": N_("Add points"),
    "panel_take": N_("Subtract points"),
    "panel_save_note": N_("Save note"),
    "chip_tricks": N_("−{n} trick", "−{n} tricks"),
    "chip_set": N_("set"),
    "chip_lost": N_("game lost"),
    # moments of a round
    "tricks_loose": N_(
        "{bids} of {tricks} · {n} trick is loose", "{bids} of {tricks} · {n} tricks are loose"
    ),
    "tricks_claimed": N_("{bids} of {tricks} · every trick is claimed"),
    "tricks_beyond": N_("{bids} of {tricks} · {n} too many", "{bids} of {tricks} · {n} too many"),
    "loose": N_("{n} loose", "{n} loose"),
    "too_many": N_("{n} too many", "{n} too many"),
    "tap_to_count": N_("Tap to count"),
    "round_scored": N_("Round {n} is scored"),
    "is_now_scored": N_("scored"),
    "tap_to_go_on": N_("Tap to go on"),
    "round_again": N_("Round {n} again"),
    "once_more": N_("again"),
    "round_once_more": N_("Round {n}, once more"),
    "back_to_round": N_("Back to round {n}"),
    "pause": N_("Pause"),
    "go_on": N_("Go on"),
    "sound_is_on": N_("Sound: on"),
    "sound_is_off": N_("Sound: off"),
    "bags_more": BAGS,
    "with_partner": N_("with {name}"),
    "exact": N_("exact"),
    "was_set": N_("set"),
    "nil_made": N_("Nil made"),
    "nil_broken": N_("Nil broken"),
    "takes_lead": N_("{names} takes the lead.", "{names} take the lead."),
    "share_lead": N_("{names} share the lead."),
    "see_game": N_("Tap to see the game"),
    "wins_with": N_("{names} wins with {total}.", "{names} win with {total}."),
    # what it takes to win, once all have bid: who, and how
    "takes_sure": N_("{names} wins in any case", "{names} win in any case"),
    "takes_if": N_("{names} wins {how}", "{names} win {how}"),
    "takes_otherwise": N_(
        "{names} wins {how}, otherwise {others}", "{names} win {how}, otherwise {others}"
    ),
    "takes_or": N_(
        "{names} wins {how}, {others} {how_others}", "{names} win {how}, {others} {how_others}"
    ),
    "takes_unless": N_(
        "{names} wins {how}, unless {others} wins {how_others}",
        "{names} win {how}, unless {others} win {how_others}",
    ),
    "takes_unless_nil": N_(
        "{names} wins {how}, unless {others} makes Nil",
        "{names} win {how}, unless {others} make Nil",
    ),
    "with_nil": N_("with Nil"),
    "with_nil_and": N_("with Nil and {low}"),
    "with_at_least": N_("with {low}"),
    "with_exactly": N_("with exactly {low}"),
    "with_at_most": N_("with {high} at most"),
    "with_between": N_("with {low} to {high}"),
    "sound_offer": N_("Hear cards, knocks and a bell?"),
    "sound_on": N_("Sounds on"),
    # notes of rounds
    "misdealt": N_("Misdeal: {name} deals again. Undo takes that back."),
    "is_last_round": N_("Last round"),
    "back_online": N_("Back online."),
    "penalty_of": N_("{name} – {what}"),
    "taken_back": N_("Removed: {what}"),
    "takes_seat": N_("{name} takes the seat of {old}"),
    "leaves_table": N_("{name} leaves"),
    "joins_table": N_("{name} joins"),
    "cards_dealt_line": N_("{cards} dealt"),
    "remark_line": N_("Note: {text}"),
    "start_totals_line": N_("Start totals: {totals}"),
    "start_bags_line": N_("Bags at the start: {bags}"),
    "game_remark_line": N_("Note on the game: {text}"),
    "note_of_round": N_("Note on round {n}"),
    "note_of_game": N_("Note on the game"),
    # the clock
    "minutes_left": N_("{n} min"),
    "time_up": N_("Time’s up"),
    "minutes_warning": N_("{n} minute left.", "{n} minutes left."),
    # past rounds
    "took": N_("took {n}"),
    "bid_took": N_("bid {bid}, took {n}"),
    "had": N_("Round {n} on this phone: {entries}"),
    "total": N_("total {total}"),
    # conflicts, and games that the server has lost or refused
    "refused": N_("Round {n} wasn’t saved: {sentence}"),
    "choose_first": N_("Another phone recorded this round differently. Choose which entry counts."),
    "gone": N_(
        "This phone was removed from the table, or the game was deleted. Its rounds are still "
        "here – export them."
    ),
    "restored": N_(
        "The server was reset to an earlier state. Choose what to do with this phone’s rounds."
    ),
    # a server that was restored, and entries in conflict
    "rounds_lost": N_(
        "The server was reset to an earlier state, probably from a backup. {n} round on this "
        "phone is missing or different there.",
        "The server was reset to an earlier state, probably from a backup. {n} rounds on this "
        "phone are missing or different there.",
    ),
    "game_lost": N_(
        "The server was reset to an earlier state, probably from a backup, and no longer has "
        "this game. This phone still does."
    ),
    "rules_restored": N_(
        "The rules of this game were reset too. Change them again under “Edit rules”."
    ),
    "clash": N_("Two phones recorded this round."),
    "clash_names": N_("The entries differ for {names}."),
    "clash_choose": N_("Nothing is lost. Choose together which entry counts."),
    "other_phone": N_("Another phone"),
    "recorded_at": N_("recorded at {time}"),
    "taken_back_at": N_("undone at {time}"),
    "entered_at": N_("entered at {time}"),
    "other_entry": N_("For round {n}, {phone} has another entry."),
    "saved_entries": N_("Saved: {entries}"),
    "unsaved_entries": N_("Not saved: {entries}"),
    # the end of a game
    "wins": N_("{names} wins", "{names} win"),
    "ahead": N_("{n} ahead of {second}", "{n} ahead of {second}"),
    "behind_loser": N_("{n} behind {second}", "{n} behind {second}"),
    "ends_at_target": N_("First to {target}, highest score wins."),
    "ends_at_target_seat": N_("A player reached {target}, and the higher sum of a side wins."),
    "ends_at_mercy": N_("The game ends at {floor}, highest score wins."),
    "ends_at_rounds": N_("The game ends after round {n}, highest score wins."),
    "ends_at_last_round": N_("The game ends with the last round, highest score wins."),
    "ends_at_sets": N_("The game ends because a side was set too often."),
    "ends_at_first_round": N_("The game ends because a side took too few tricks in round 1."),
    "ends_at_penalty": N_("The game ends because of a penalty."),
    "everyone_won": N_("for everyone"),
    "rematch_same": N_("Same seats"),
    "rematch_winner": N_("Winner deals"),
    "rematch_draw": N_("Shuffle"),
    "other_stays_open": N_("the other stays open"),
    "pot_goes": N_("The pot of {pot} goes to {names}."),
    "pot_split": N_("The pot of {pot} is split: {shares}."),
    "stakes": N_("Stakes: {shares}."),
    "pays": N_("{payer} pays {payee} {amount}."),
    "uncounted": N_(
        "{n} round after the end doesn’t count.",
        "{n} rounds after the end don’t count.",
    ),
    "race_after": N_("Scores after round {n}: {scores}"),
    "bags_after": N_("Bags after round {n}: {bags}"),
    # cards of games
    "today": N_("Today, {time}"),
    "yesterday": N_("Yesterday, {time}"),
    "rounds": N_("{n} round", "{n} rounds"),
    "rounds_to": N_("{n} round · to {target}", "{n} rounds · to {target}"),
    "rounds_of": N_("{played} of {n} round", "{played} of {n} rounds"),
    "most_after": N_("Rounds to play: {rounds}, highest score wins."),
    "leads_by": N_("{names} leads by {gap}.", "{names} lead by {gap}."),
    "first_to": N_("The first to reach {target} wins."),
    "tied_at": N_("{names} are tied at {total}.", "{names} are tied at {total}."),
    "leads": N_(
        "{names} leads by {gap}, {missing} short of {target}.",
        "{names} lead by {gap}, {missing} short of {target}.",
    ),
    "won_with": N_("{names} won with {total}", "{names} won with {total}"),
    "goes_on": N_("{round} in progress"),
    "round_of": N_("Round {n} of {rounds}"),
    # games of this phone
    # a new game
    "two_pairs": N_("Two teams"),
    "three_pairs": N_("Three teams"),
    "pairs": N_("Teams"),
    "everyone_alone": N_("Solo"),
    "up_to_cards": N_("up to {n} card", "up to {n} cards"),
    "bags_cost_points": N_("every {n} bag costs {points}", "every {n} bags cost {points}"),
    "to_target": N_("to {target}"),
    "waiting": N_("{n} round not saved", "{n} rounds not saved"),
    "players_needed": PLAYERS_NEEDED,
    "full_deck": FULL_DECK,
    "from_to": FROM_TO,
    "same_name": SAME_NAME,
    "choose_dealer": N_("Choose a player as first dealer."),
    "with_house_rules": N_("{rules} with house rules"),
    "number_or_off": NUMBER_OR_OFF,
    "start_numbers": N_("Enter totals and bags as numbers, or leave them empty."),
    "stake_amount": N_("Enter a stake such as 5 or 2.50, or leave it empty."),
    # the rules
    "own_rules": N_("This game uses your own rules, “{name}”."),
    "house_rules_marked": N_(
        "{book} with {n} house rule, marked below.", "{book} with {n} house rules, marked below."
    ),
    "house_rule": N_("house rule; usually {usual}"),
}


def say(code: str, n: int = 1) -> str:
    """Return a sentence in the current language, with its gaps, in its form for `n` things."""
    text, plural, _values = SENTENCES[code]
    return gettext(text) if plural is None else ngettext(text, plural, n)
