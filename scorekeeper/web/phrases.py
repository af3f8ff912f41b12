"""Phrases of the interface that scripts need while the phone is offline."""

from collections.abc import Mapping
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
from scorekeeper.rules.round import note_refusals
from scorekeeper.rules.ruleset import HOUSE_RULES, RuleSet
from scorekeeper.rules.sentence import REFUSALS, Sentence
from scorekeeper.web.game.result import TURNS
from scorekeeper.web.http.requests import use_words_of
from scorekeeper.web.text.books import book_names
from scorekeeper.web.text.rule_books import PhoneText, phone_text, value_name, value_words
from scorekeeper.web.text.sentences import GAME_SENTENCES, SENTENCES
from scorekeeper.web.text.wording import DAYS, WEEKDAYS

Phrase = str | dict[str, str]  # a text, or its forms by plural category

# What scripts load later, for what stands beside the keypad and for other pages without the server.
WORDS: dict[str, Sentence] = {
    **SENTENCES,
    **{f"award_{code}": title for code, (title, _why) in PRIZES.items()},
    **{f"award_{code}_for": why for code, (_title, why) in PRIZES.items()},
    **{f"day_{month}": sentence for month, sentence in enumerate(DAYS, 1)},
    **{f"weekday_{day}": sentence for day, sentence in enumerate(WEEKDAYS, 1)},
}


def game_words() -> dict[str, Any]:
    """Return what the game page says at first on a phone, in the language and words used here."""
    return {**_spoken(), "words": _words(GAME_SENTENCES), "phrases": game_phrases()}


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
    """Return the language, the word for a bid, and rule books that have another name in it."""
    names = book_names()
    spoken = {"lang": i18n.language(), "bid": i18n.words()}
    return {**spoken, "book_names": names} if names else spoken


def _words(sentences: Mapping[str, Sentence]) -> dict[str, Phrase]:
    return {key: phrase_of(sentence) for key, sentence in sentences.items()}


def _turns() -> dict[str, Phrase]:
    """Return what would have changed a game; the round is `number`, as `n` chooses the plural."""
    return {
        code: {form: text.replace("{n}", "{number}") for form, text in phrase.items()}
        if isinstance(phrase, dict)
        else phrase.replace("{n}", "{number}")
        for code, phrase in _words(TURNS).items()
    }


# Refusals beside those of notes that the page of a game loads later, or has no key for.
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
    "cards_fixed",
    "start_sides",
    "penalty_to",
    "penalty_seat_books",
    "seated",
    "two_seats",
    "first_round",
    "last_round",
    "end_now",
    "table_size",
    "substitute",
    "tricks",
)


def game_phrases() -> dict[str, Phrase]:
    """Return the sentences of the rules that the page of a game needs, by their codes.

    A sentence with a plural has one form for each plural category.
    """
    later = {*LATER, *note_refusals()}
    return _phrases({code: one for code, one in REFUSALS.items() if code not in later})


def phrases() -> dict[str, Phrase]:
    """Return every sentence of the rules that phones write themselves, by its code."""
    hints = {code: hint.sentence for code, hint in HINTS.items()}
    short = {f"{code}_short": hint.short for code, hint in HINTS.items() if hint.short}
    return _phrases({**REFUSALS, **hints, **short, **PENALTY_REASONS, **SCORE_REASONS, **DECK})


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
