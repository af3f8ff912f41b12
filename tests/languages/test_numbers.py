"""Numbers, dates and plural forms in each language."""

import datetime
import gettext
from collections.abc import Iterator

import pytest
from babel import Locale
from babel.dates import format_date
from babel.messages import Message
from babel.numbers import format_decimal

from scorekeeper import i18n
from scorekeeper.web.players.figures import mean
from scorekeeper.web.text.wording import day, decimal, money
from tests.languages.catalogue import GAP, TRANSLATED, read, template

LOCALES = {language: language for language in i18n.LANGUAGES} | {"en": "en_GB"}
# In Arabic a verb before its subject stays in the singular; the Hindi texts put a noun instead.
INFLECTED = ("de", "es", "fr")

# Texts in which no verb goes with the names.
NOT_COUNTED = {
    "Round {round} has no row for {names}.",
    "Bags cost {names} {n} point.",
    "The entries differ for {names}.",
    "The pot of {pot} goes to {names}.",
    "{name} isn’t in this game. Players: {names}.",
    "{names} {old} → {new}",
    "{names}’s evening",
    "Entered twice: {names}. Add a letter to tell them apart.",
    "{names} share the lead.",  # two or more
}


@pytest.fixture(params=LOCALES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.set_language(request.param)
    yield request.param
    i18n.set_language("en")


@pytest.mark.parametrize("month", range(1, 13))
def test_a_day_is_written_as_the_language_writes_it(language: str, month: int) -> None:
    on = datetime.date(2026, month, 22)
    assert day(f"{on}T12:00:00+00:00") == format_date(on, "medium", LOCALES[language])


def test_a_fraction_is_written_as_the_language_writes_it(language: str) -> None:
    shown = format_decimal(2.5, locale=LOCALES[language], numbering_system="latn")
    assert (decimal("2.5"), mean(5, 2)) == (shown, shown)
    assert money(250) == f"{shown}0"
    assert (money(200), mean(-5, 2)) == ("2", i18n.isolate_sign(f"{i18n.MINUS}{shown}"))


def first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def test_every_text_with_names_takes_their_number() -> None:
    named = [message for message in template() if message.id and "{names}" in first(message)]
    single = {first(message) for message in named if isinstance(message.id, str)}
    assert single - NOT_COUNTED == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_plural_forms_are_those_that_browsers_choose_from(language: str) -> None:
    form = gettext.c2py(read(language).plural_expr)
    forms = {(Locale(language).plural_form(n), form(n)) for n in range(200)}
    assert len(forms) == len(dict(forms)) == read(language).num_plurals


@pytest.mark.parametrize("language", INFLECTED, indirect=True)
def test_a_verb_goes_with_one_name_or_with_several(language: str) -> None:
    texts = {first(message): message.string for message in read(language) if message.id}
    alike = {
        text
        for text, said in texts.items()
        if "{names}" in GAP.findall(text) and not isinstance(said, str) and said[0] == said[1]
    }
    # French says of a body that something lacks to it.
    assert alike <= {"The body is missing {names}.", "{n} more than {names}"}


@pytest.mark.parametrize(
    ("tricks", "said"),
    [
        *((1, "أكلة واحدة"), (2, "أكلتين"), (3, "3 أكلات"), (10, "10 أكلات"), (11, "11 أكلة")),
        *((13, "13 أكلة"), (100, "100 أكلة"), (103, "103 أكلات")),
    ],
)
def test_tricks_are_counted_as_arabic_counts(tricks: int, said: str) -> None:
    i18n.set_language("ar")
    text = i18n.ngettext("{taken} of {n} trick", "{taken} of {n} tricks", tricks)
    i18n.set_language("en")
    assert text.format(taken=1, n=tricks) == f"1 من {said}"
