"""Translation of texts into the language of their reader; the English is in the code."""

import gettext as catalogues
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from scorekeeper.rules.sentence import N_, Sentence

# Each by its own name, as somebody looks for it who can read no other.
LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "ar": "العربية",
    "hi": "हिन्दी",
}
RIGHT_TO_LEFT = frozenset({"ar"})
# What a rule book calls the tricks that a player names before a round. Each but the first has a
# catalog of the texts that differ, in the languages that have two words for it.
WORDS = ("bid", "call")
COMMA_LANGUAGES = frozenset({"de", "es", "fr"})  # 3,2 instead of 3.2
# Excel takes the list separator of Windows for that of CSV files: a semicolon in all German, French
# and Arabic locales and for Spain, else a comma, but a semicolon again where that is the decimal
# sign. So in Spanish it depends on the country: in these CLDR has a decimal point.
SEMICOLON_LANGUAGES = COMMA_LANGUAGES | {"ar"}
SPANISH_WITH_POINT = frozenset(
    ["419", "BR", "BZ", "CU", "DO", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "SV", "US"]
)
MINUS = "\N{MINUS SIGN}"
TURNING = re.compile(rf"^[+{MINUS}]|[♣♦♥♠]")
TENTHS = re.compile(rf"[+{MINUS}]?[0-9]+\.[0-9]")
ZEROS = (0x660, 0x6F0, 0x966)  # Arabic, Persian, Devanagari; nine more digits follow each
DIGITS = {zero + n: str(n) for zero in ZEROS for n in range(10)} | {0x66B: "."}  # Arabic point
FROM_LEFT, END = "\N{LEFT-TO-RIGHT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
FOLDER = Path(__file__).parent / "translations"
ENGLISH = catalogues.NullTranslations()
current: ContextVar[catalogues.NullTranslations] = ContextVar("translations", default=ENGLISH)
_chosen: ContextVar[str] = ContextVar("language", default="en")
_words: ContextVar[str] = ContextVar("words", default="bid")


def translations(language: str, words: str = "bid") -> catalogues.NullTranslations:
    """Return the words of one of `LANGUAGES`; what is not translated stays English."""
    usual = ENGLISH if language == "en" else _catalog("messages", language)
    if words == "bid":
        return usual
    own = _catalog(words, language)
    own.add_fallback(usual)
    return own


def _catalog(domain: str, language: str) -> catalogues.NullTranslations:
    return catalogues.translation(domain, FOLDER, [language], fallback=True)


def set_language(language: str) -> None:
    """Set the language of this request or thread, one of `LANGUAGES`."""
    _chosen.set(language)
    use_words("bid")


def use_words(words: str) -> None:
    """Set the word for a bid, one of `WORDS`, until the language is set again."""
    _words.set(words)
    current.set(translations(language(), words))


@contextmanager
def speaking(other: str) -> Iterator[None]:
    """Use another language for a block, with the same word for a bid; an empty one changes none."""
    before, own = language(), words()
    set_language(other if other in LANGUAGES else before)
    use_words(own)
    try:
        yield
    finally:
        set_language(before)
        use_words(own)


def words() -> str:
    """Return the current word for a bid, one of `WORDS`."""
    return _words.get()


def language() -> str:
    """Return the current language, a key of `LANGUAGES`."""
    return _chosen.get()


def direction() -> str:
    """Return the writing direction of the current language: `ltr` or `rtl`."""
    return "rtl" if language() in RIGHT_TO_LEFT else "ltr"


def list_separator(tag: str = "") -> str:
    """Return the separator of cells that Excel expects in a CSV file in the current language.

    `tag` names a locale of it, such as `es-MX`, if the reader's is known.
    """
    country = re.split("[-_]", tag.upper())[-1]
    has_comma = language() == "es" and country in SPANISH_WITH_POINT
    return ";" if language() in SEMICOLON_LANGUAGES and not has_comma else ","


def terminal_locale() -> str:
    """Return the locale that the environment asks for, such as `es_MX`, or an empty text."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wished = next((value for name in names if (value := os.environ.get(name))), "")
    return re.split("[:.@]", wished)[0]


def terminal_language() -> str:
    """Return the language that the environment asks for, English where it is none of ours."""
    first = re.split("[-_]", terminal_locale())[0].lower()
    return first if first in LANGUAGES else "en"


def isolate_sign(value: str) -> str:
    """Return a number with its sign kept in front of it, or a card with its suit kept behind.

    In a right-to-left language, a browser would otherwise move them to the other end. Tenths get
    the decimal separator of the language.
    """
    if language() in COMMA_LANGUAGES and TENTHS.fullmatch(value):
        return value.replace(".", ",")
    turns = direction() == "rtl" and TURNING.search(value)
    return f"{FROM_LEFT}{value}{END}" if turns else value


def plain_digits(text: str) -> str:
    """Return a number typed on an Arabic, Persian or Hindi keyboard with the digits 0 to 9."""
    return text.translate(DIGITS)


def gettext(text: str) -> str:
    return current.get().gettext(text)


def ngettext(text: str, plural: str, n: int) -> str:
    return current.get().ngettext(text, plural, n)


def by_number(text: str, n: int) -> str:
    """Return the translation of a text about `n` things that has only one form in English.

    Other languages may inflect the verb for one name or several.
    """
    return ngettext(text, text, n)


FROM_TO = N_("{first} to {last}")


def number_range(numbers: Sequence[int]) -> str:
    """Return ascending numbers as "2 to 7", or one by one if they are few or some are missing."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return translate(FROM_TO.about(first=numbers[0], last=numbers[-1]))
    return ", ".join(map(str, numbers))


def translate(sentence: Sentence) -> str:
    """Return a sentence of the rules in the current language, its gaps filled."""
    if sentence.plural is None:
        template = gettext(sentence.text)
    else:
        template = ngettext(sentence.text, sentence.plural, int(str(sentence.values["n"])))
    return template.format(**{name: _shown(value) for name, value in sentence.values.items()})


def _shown(value: int | str | Sentence) -> str:
    return translate(value) if isinstance(value, Sentence) else isolate_sign(str(value))
