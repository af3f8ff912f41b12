"""Sentences of the rules for scripts, in the current language."""

from scorekeeper.i18n import gettext, ngettext
from scorekeeper.rules.deck import DECK
from scorekeeper.rules.hints import HINTS
from scorekeeper.rules.penalties import PENALTY_REASONS
from scorekeeper.rules.refusals import REFUSALS
from scorekeeper.rules.score_reasons import SCORE_REASONS
from scorekeeper.rules.sentence import Sentence

Phrase = str | dict[str, str]

# One number for each plural category of `Intl.PluralRules`. Arabic has all six; a language with
# fewer never looks up the others.
PLURAL_EXAMPLES = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}


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
    "penalty_to",
    "penalty_seat_books",
    "seated",
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
    hints = {code: hint.sentence for code, hint in HINTS.items()}
    return _phrases({**refusals, **hints})


def phrases() -> dict[str, Phrase]:
    """Return every sentence of the rules that phones write themselves, by its code."""
    return game_phrases() | _phrases({**REFUSALS, **PENALTY_REASONS, **SCORE_REASONS, **DECK})


def _phrases(sentences: dict[str, Sentence]) -> dict[str, Phrase]:
    return {code: phrase_of(sentence) for code, sentence in sentences.items()}


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
