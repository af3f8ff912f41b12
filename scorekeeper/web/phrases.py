"""Phrases of the interface that scripts need while the phone is offline."""

from functools import lru_cache
from typing import Any

from scorekeeper import i18n
from scorekeeper.i18n import gettext, ngettext
from scorekeeper.rules.deck import DECK
from scorekeeper.rules.explain import SCORE_REASONS
from scorekeeper.rules.hints import HINTS
from scorekeeper.rules.penalties import PENALTY_REASONS
from scorekeeper.rules.presets import CALL_BOOKS, PRESETS
from scorekeeper.rules.result import PRIZES
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.rules.sentence import N_, REFUSALS, Sentence
from scorekeeper.web.game.result import TURNS
from scorekeeper.web.http.requests import use_words_of
from scorekeeper.web.text.rule_books import PhoneText, phone_text, value_name, value_words
from scorekeeper.web.text.wording import DAYS, WEEKDAYS

Phrase = str | dict[str, str]  # a text, or its forms by plural category

# What the game page needs beside its pieces to take and show taps.
GAME_WORDS: dict[str, Sentence] = {
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
    "wins_with": N_("{names} wins with {total}.", "{names} win with {total}."),
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
    "tricks_missing": N_("{n} trick missing", "{n} tricks missing"),
    "tricks_over": N_("{n} trick too many", "{n} tricks too many"),
    "all_in": N_("{n} counted", "All {n} counted"),
    "gets_none": N_("{counted} · none for {name}"),
    "gets_last": N_(
        "{counted} · {name} took the other {n}", "{counted} · {name} took the other {n}"
    ),
    "bid": N_("bid {bid}"),
    "nil": N_("Nil"),
    "blind nil": N_("blind Nil"),
    "blind": N_("blind {n}"),
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
WORDS: dict[str, Sentence] = {
    **GAME_WORDS,
    # the connection
    "sign_in": N_("Something in front of the server wants you to sign in."),
    "sign_in_link": N_("Sign in"),
    # the deal and the seats
    "deal_each": N_("Deal {n} card each.", "Deal {n} cards each."),
    "no_trump": N_("No trump."),
    "trump_now": N_("Trump: {suit}"),
    "bid_of": N_("{name}’s bid"),
    "tricks_of": N_("{name}’s tricks"),
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
    # moments of a round
    "tricks_loose": N_(
        "{bids} of {tricks} · {n} trick is loose", "{bids} of {tricks} · {n} tricks are loose"
    ),
    "tricks_claimed": N_("{bids} of {tricks} · every trick is claimed"),
    "tricks_beyond": N_("{bids} of {tricks} · {n} too many", "{bids} of {tricks} · {n} too many"),
    "round_scored": N_("Round {n} is scored"),
    "exact": N_("exact"),
    "was_set": N_("set"),
    "nil_made": N_("Nil made"),
    "nil_broken": N_("Nil broken"),
    "takes_lead": N_("{names} takes the lead.", "{names} take the lead."),
    "share_lead": N_("{names} share the lead."),
    "see_game": N_("Tap to see the game"),
    "sound_offer": N_("Hear cards, knocks and a bell?"),
    "sound_on": N_("Sounds on"),
    # notes of rounds
    "misdealt": N_("Misdeal: {name} deals again. Undo takes that back."),
    "is_last_round": N_("Last round"),
    "back_online": N_("Back online."),
    "penalty_of": N_("{name} – {what}"),
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
    **{f"award_{code}": title for code, (title, _why) in PRIZES.items()},
    **{f"award_{code}_for": why for code, (_title, why) in PRIZES.items()},
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
    **{f"day_{month}": sentence for month, sentence in enumerate(DAYS, 1)},
    **{f"weekday_{day}": sentence for day, sentence in enumerate(WEEKDAYS, 1)},
    # a new game
    "two_pairs": N_("Two teams"),
    "three_pairs": N_("Three teams"),
    "pairs": N_("Teams"),
    "everyone_alone": N_("Solo"),
    "cards": N_("{n} card", "{n} cards"),
    "up_to_cards": N_("up to {n} card", "up to {n} cards"),
    "bags_cost_points": N_("every {n} bag costs {points}", "every {n} bags cost {points}"),
    "to_target": N_("to {target}"),
    "waiting": N_("{n} round not saved", "{n} rounds not saved"),
    "players_needed": N_("{rules} is for {n} players."),
    "full_deck": N_(
        "{tricks} cards each for {players} players is more than a full deck. Deal fewer."
    ),
    "from_to": N_("{first} to {last}"),
    "same_name": N_("Two players have the same name. Add a letter to tell them apart."),
    "choose_dealer": N_("Choose a player as first dealer."),
    "with_house_rules": N_("{rules} with house rules"),
    "number_or_off": N_("{name} must be a whole number from {low} to {high}, or off."),
    "start_numbers": N_("Enter totals and bags as numbers, or leave them empty."),
    "stake_amount": N_("Enter a stake such as 5 or 2.50, or leave it empty."),
    # the rules
    "own_rules": N_("This game uses your own rules, “{name}”."),
    "house_rules_marked": N_(
        "{book} with {n} house rule, marked below.", "{book} with {n} house rules, marked below."
    ),
    "house_rule": N_("house rule; usually {usual}"),
}


def game_words() -> dict[str, Any]:
    """Return what the game page says at first on a phone, in the language and words used here."""
    return {**_spoken(), "words": _words(GAME_WORDS), "phrases": game_phrases()}


def phone_words() -> dict[str, Any]:
    """Return everything that the phone's scripts say, in the language spoken here."""
    return {
        **_spoken(),
        "calls": CALL_BOOKS,
        "words": _words(WORDS) | _turns(),
        "phrases": phrases(),
        "value_names": [(name, value_name(name)) for name in HOUSE_RULES],  # in this order
        "value_words": value_words(),
        "rule_texts": _rule_texts(),
    }


def _rule_texts() -> dict[str, PhoneText]:
    """Return the texts of the rule books by key; beside another word for a bid, of its own."""
    keys = PRESETS if i18n.words() == "bid" else CALL_BOOKS
    return {key: rules_text_of(PRESETS[key]) for key in keys}


def rules_text_of(rules: RuleSet) -> PhoneText:
    """Return the text of rules in this language and the words of their book."""
    return _text_in(i18n.language(), rules)


# A text takes some 3 ms. Each page lets its phone ask for those of its table, at most a hundred.
@lru_cache(maxsize=128)
def _text_in(_language: str, rules: RuleSet) -> PhoneText:
    before = i18n.words()
    use_words_of(rules)
    text = phone_text(rules)
    i18n.use_words(before)
    return text


def _spoken() -> dict[str, Any]:
    """Return the language and the word for a bid."""
    return {"lang": i18n.language(), "bid": i18n.words()}


def _words(sentences: dict[str, Sentence]) -> dict[str, Phrase]:
    return {key: phrase_of(sentence) for key, sentence in sentences.items()}


def _turns() -> dict[str, Phrase]:
    """Return what would have changed a game; the round is `number`, as `n` chooses the plural."""
    return {
        code: {form: text.replace("{n}", "{number}") for form, text in phrase.items()}
        if isinstance(phrase, dict)
        else phrase.replace("{n}", "{number}")
        for code, phrase in _words(TURNS).items()
    }


# Refusals of forms that the page of a game loads later, and of what it has no key for.
LATER = (
    "missing",
    "side_bid",
    "range",
    "range_no_nil",
    "nil",
    "blind_nil",
    "bids_itself",
    "bids_missing",
    "tricks_range",
    "sum",
    "empty",
    "misdeal",
    "blind_bid",
    "blind_bid_from",
    "penalties",
    "penalty_books",
    "penalty_points",
    "penalty_reason",
    "remark",
    "game_remark",
    "cards_fixed",
    "cards_dealt",
    "start_first",
    "start_sides",
    "start_points",
    "start_bags",
    "penalty_to",
    "penalty_seat_books",
    "seated",
    "two_seats",
    "first_round",
    "last_round",
    "table_size",
    "substitute",
    "tricks",
)


def game_phrases() -> dict[str, Phrase]:
    """Return the sentences of the rules that the page of a game needs, by their codes.

    A sentence with a plural has one form for each plural category.
    """
    refusals = {code: refusal for code, refusal in REFUSALS.items() if code not in LATER}
    return _phrases(refusals)


def phrases() -> dict[str, Phrase]:
    """Return every sentence of the rules that phones write themselves, by its code."""
    hints = {code: hint.sentence for code, hint in HINTS.items()}
    return _phrases({**REFUSALS, **hints, **PENALTY_REASONS, **SCORE_REASONS, **DECK})


def _phrases(sentences: dict[str, Sentence]) -> dict[str, Phrase]:
    return {code: phrase_of(sentence) for code, sentence in sentences.items()}


# One number for each plural category of `Intl.PluralRules`. Arabic has all six; a language with
# fewer never looks up the others.
PLURAL_EXAMPLES = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}


def phrase_of(sentence: Sentence) -> Phrase:
    """Return a translated sentence with its placeholders.

    Of its forms only those that differ from "other" are listed; if none does, it is a plain text.
    """
    text, plural, _ = sentence
    if plural is None:
        return gettext(text)
    forms = {name: ngettext(text, plural, n) for name, n in PLURAL_EXAMPLES.items()}
    other = forms["other"]
    different = {name: form for name, form in forms.items() if form != other}
    return {**different, "other": other} if different else other
