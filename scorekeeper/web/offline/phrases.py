"""Phrases of the interface that scripts need while the phone is offline."""

from typing import Any

from scorekeeper import i18n
from scorekeeper.rules.awards import PRIZES
from scorekeeper.rules.sentence import N_, Sentence
from scorekeeper.web.game.summary import TURNS
from scorekeeper.web.text.dates import DAYS
from scorekeeper.web.text.rule_values import value_names, value_words
from scorekeeper.web.text.sentences import Phrase, game_phrases, phrase_of, phrases

# What the game page needs beside its pieces.
GAME_WORDS: dict[str, Sentence] = {
    # connection and sync
    "not_saved": N_("Not saved yet"),
    "alone": N_("No connection: this phone goes on."),
    "waits": N_("{n} round waits to be sent.", "{n} rounds wait to be sent."),
    "game_waits": N_("A new game waits to be sent."),
    "choose_first": N_("Another phone recorded a round otherwise: choose which entry counts."),
    "refused": N_("Round {n} was not taken: {sentence}"),
    "game_refused": N_("This game was not taken: {sentence}"),
    "gone": N_(
        "This phone no longer belongs to the table of this game, or the game was removed. "
        "Its rounds stay here: save them."
    ),
    "moved": N_("The game has moved on: look, then tap again."),
    "unsaved": N_(
        "This phone cannot store what you tap: keep this page open until everything is sent."
    ),
    "restored": N_(
        "The server went back to an earlier state: choose what happens to this phone’s rounds."
    ),
    "rounds_lost": N_(
        "The server went back to an earlier state, perhaps a backup. {n} round of this phone is "
        "missing or different there.",
        "The server went back to an earlier state, perhaps a backup. {n} rounds of this phone are "
        "missing or different there.",
    ),
    "game_lost": N_(
        "The server went back to an earlier state, perhaps a backup, and no longer has this game. "
        "This phone still has it."
    ),
    "rules_restored": N_(
        "The rules of this game went back too: change them again under “Change a rule”."
    ),
    "not_kept": N_("This game is not on this phone. It comes back with the network."),
    # the game
    "round": N_("Round {n}"),
    "deals": N_("{name} deals"),
    "tricks_word": N_("tricks"),
    "wins": N_("{names} wins", "{names} win"),
    "some_and_last": N_("{some} and {last}"),
    "bids_now": N_("Round {n}: {name} bids."),
    "bid_next": N_("{last} bid {bid}. {name} bids."),
    "bids_first": N_("{dealer} deals, {name} bids first."),
    "bids_add_up": N_("The bids add up to {n} of {tricks}. How many tricks did {name} take?"),
    "counted_next": N_("{counted}. How many tricks did {name} take?"),
    "can_score": N_("Round {n} can be scored: {counted}."),
    "is_scored": N_("Round {n} is scored: {totals}."),
    "bags_cost": N_("The bags cost {names} {n} point.", "The bags cost {names} {n} points."),
    "wins_with": N_("{names} wins with {total}.", "{names} win with {total}."),
    "series": N_(", "),
    "of_bid": N_("{n} of {tricks} bid"),
    "of_tricks": N_("{taken} of {n} trick", "{taken} of {n} tricks"),
    "waits_for_bid": N_("{name} bids now; this phone is for {own}."),
    "waits_for_tricks": N_("This phone is for {own}."),
    "minutes": N_("{n} minute", "{n} minutes"),
    "filled_in": N_("{counted} · filled in for {name}"),
    "bid": N_("bid {bid}"),
    "took": N_("took {n}"),
    "bid_took": N_("bid {bid}, took {n}"),
    "nil": N_("Nil"),
    "blind nil": N_("blind Nil"),
    "bid_of": N_("Bid of {name}"),
    "tricks_of": N_("Tricks of {name}"),
    "only_left": N_("Only {n} trick is left.", "Only {n} tricks are left."),
    "after_rounds": N_("after {n} round", "after {n} rounds"),
    "with_total": N_(
        "with {total}, {n} point ahead of {second}", "with {total}, {n} points ahead of {second}"
    ),
    "ends_at_target": N_("The game ends when somebody reaches {target}; the highest score wins."),
    "ends_at_mercy": N_("The game ends when somebody falls to {floor}; the highest score wins."),
    "the_pot": N_("The pot is {pot}."),
    "decimal": N_("{whole}.{fraction}"),
    "tie": N_(
        "{names} tie at {total}: play another round.",
        "{names} tie at {total}: play another round.",
    ),
    "uncounted": N_(
        "{n} round played after the end does not count.",
        "{n} rounds played after the end do not count.",
    ),
    "clash": N_("Two phones recorded this round."),
    "clash_names": N_("The entries differ for {names}."),
    "clash_choose": N_("Nothing is lost: choose together which entry counts."),
    "other_phone": N_("Another phone"),
    "recorded_at": N_("recorded at {time}"),
    "taken_back_at": N_("taken back at {time}"),
    "entered_at": N_("entered at {time}"),
    "race_after": N_("The race after round {n}: {scores}"),
    "had": N_("Round {n}, as this phone had it: {entries}"),
    "total": N_("total {total}"),
    "bags_after": N_("Bags after round {n}: {bags}"),
    **{f"award_{code}": title for code, (title, _why) in PRIZES.items()},
    **{f"award_{code}_for": why for code, (_title, why) in PRIZES.items()},
}
# What the other pages of a phone without the server need as well.
WORDS: dict[str, Sentence] = {
    **GAME_WORDS,
    # games of this phone
    **{f"day_{month}": sentence for month, sentence in enumerate(DAYS, 1)},
    "over": N_("over"),
    "in_round": N_("in round {n}"),
    "rules_and_round": N_("{rules}, round {n}"),
    "waiting": N_("{n} round waits", "{n} rounds wait"),
    "seat": N_("Seat {n}"),
    "players": N_("{players} players"),
    "players_needed": N_("{rules} is for {n} players."),
    "same_name": N_("Two players have the same name: add a letter to tell them apart."),
    "choose_dealer": N_("Choose one of the players as the first dealer."),
    "with_house_rules": N_("{rules}, house rules"),
    "stake_amount": N_("A stake is an amount such as 5 or 2.50, or nothing at all."),
    # the rules
    "own_rules": N_("This game is played by the table’s own rules “{name}”."),
    "house_rules_marked": N_(
        "{book} with {n} house rule, marked below.", "{book} with {n} house rules, marked below."
    ),
    "deck_for": N_("{n} players:"),
    "together": N_("together {points}"),
    "bags_before": N_("{n} bag before", "{n} bags before"),
    "house_rule": N_("house rule; the book says {usual}"),
}


def game_words() -> dict[str, Any]:
    """Return what the game page says on a phone, in the language spoken here."""
    words = _words(GAME_WORDS) | _turns()
    return {"lang": i18n.language(), "words": words, "phrases": game_phrases()}


def phone_words() -> dict[str, Any]:
    """Return everything that the phone's scripts say, in the language spoken here."""
    return {
        "lang": i18n.language(),
        "words": _words(WORDS) | _turns(),
        "phrases": phrases(),
        "value_names": [*value_names().items()],  # in this order
        "value_words": value_words(),
    }


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
