"""What scripts say: the sentences of the rules in the language of whoever reads them."""

from scorekeeper.i18n import gettext, ngettext
from scorekeeper.rules.deck import DECK
from scorekeeper.rules.examples import EXAMPLES
from scorekeeper.rules.hints import NOTICES
from scorekeeper.rules.refusals import REFUSALS
from scorekeeper.rules.rule_text import READINGS
from scorekeeper.rules.sample_hands import OUTCOMES
from scorekeeper.rules.score_reasons import LINES
from scorekeeper.rules.sentence import Sentence

Phrase = str | dict[str, str]

# A number for each way of counting that a browser tells apart: Arabic knows all six, and a language
# with fewer never asks for the others.
COUNTED = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}


def phrases() -> dict[str, Phrase]:
    """Return every sentence that the rules say, by its code and with its gaps open.

    A sentence with a plural has a form for each way of counting.
    """
    notices = {code: notice.sentence for code, notice in NOTICES.items()}
    rules_page = {**READINGS, **DECK, **EXAMPLES, **OUTCOMES}
    sentences = {**REFUSALS, **notices, **LINES, **rules_page}
    return {code: phrase_of(sentence) for code, sentence in sentences.items()}


def phrase_of(sentence: Sentence) -> Phrase:
    """Return a sentence with its gaps open."""
    text, plural, _ = sentence
    if plural is None:
        return gettext(text)
    return {name: ngettext(text, plural, n) for name, n in COUNTED.items()}
