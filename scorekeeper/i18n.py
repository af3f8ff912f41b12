"""Words in the language of whoever reads them; English stands in the code itself."""

import gettext as catalogues
from contextvars import ContextVar

from scorekeeper.rules.sentence import Sentence

ENGLISH = catalogues.NullTranslations()
current: ContextVar[catalogues.NullTranslations] = ContextVar("translations", default=ENGLISH)


def gettext(text: str) -> str:
    """Return a text in the current language."""
    return current.get().gettext(text)


def ngettext(text: str, plural: str, n: int) -> str:
    """Return a text or its plural in the current language."""
    return current.get().ngettext(text, plural, n)


def say(sentence: Sentence) -> str:
    """Return a sentence of the rules in the current language, its gaps filled."""
    if sentence.plural is None:
        template = gettext(sentence.text)
    else:
        template = ngettext(sentence.text, sentence.plural, int(sentence.values["n"]))
    return template.format(**sentence.values)
