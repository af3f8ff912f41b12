"""Every text is translated into every language, with its placeholders and plural forms."""

import re

import pytest
from babel.messages import Catalog, Message

from scorekeeper.i18n import LANGUAGES, RIGHT_TO_LEFT
from tests.languages.catalogue import (
    GAP,
    TRANSLATED,
    compiled,
    is_said,
    po_file,
    read,
    template,
    updated,
    with_other_words,
)

SPACE_AROUND = re.compile(r"^\s*|\s*$")


@pytest.fixture(params=TRANSLATED)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def catalog(language: str) -> Catalog:
    return read(language)


@pytest.fixture(scope="module")
def texts() -> Catalog:
    return template()


def ids(catalog: Catalog) -> set[tuple[str, ...]]:
    """Return every text to translate, a plural with both of its texts."""
    return {_all(message.id) for message in catalog if message.id}


def _all(said: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(said)


def wrong(message: Message) -> list[str]:
    """Return what a translation lost, or holds that nothing fills."""
    asked, said = _all(message.id), _all(message.string or "")
    needed = set(GAP.findall(asked[-1]))
    # The forms for zero, one and two may spell out the number.
    may_lack = {"{n}"} if len(said) > 1 else set()
    found = []
    for form in filter(None, said):
        gaps = set(GAP.findall(form))
        if gaps - needed or needed - gaps - may_lack or form.count("{") != len(GAP.findall(form)):
            found.append(f"{form!r} has the gaps {gaps}, not {needed}")
        if SPACE_AROUND.findall(form) != SPACE_AROUND.findall(asked[0]):
            found.append(f"{form!r} begins or ends with other spaces than {asked[0]!r}")
    return found


def test_everything_is_translated(catalog: Catalog, texts: Catalog) -> None:
    assert ids(texts) - ids(catalog) == set()
    assert [message.id for message in catalog if message.id and not is_said(message)] == []


def test_nothing_is_translated_that_is_not_said(catalog: Catalog, texts: Catalog) -> None:
    assert ids(catalog) - ids(texts) == set()


def test_the_gaps_are_those_of_the_english(catalog: Catalog) -> None:
    assert [fault for message in catalog if message.id for fault in wrong(message)] == []


def test_the_program_reads_what_people_wrote(language: str, catalog: Catalog) -> None:
    assert po_file(language).with_suffix(".mo").read_bytes() == compiled(catalog)


@pytest.mark.parametrize(("language", "words"), with_other_words())
def test_other_words_are_those_of_texts_that_are_said(
    language: str, words: str, texts: Catalog
) -> None:
    catalog = read(language, words)
    assert ids(catalog) - ids(texts) == set()
    assert [message.id for message in catalog if message.id and not is_said(message)] == []
    assert [fault for message in catalog if message.id for fault in wrong(message)] == []
    assert po_file(language, words).with_suffix(".mo").read_bytes() == compiled(catalog)


@pytest.mark.parametrize(
    ("said", "faults"),
    [
        ("{name} bietet {bid}", 0),
        ("{name} bietet", 1),
        ("{name} bietet {gebot}", 1),
        ("{name} bietet {bid} {", 1),
        (" {name} bietet {bid}", 1),
    ],
)
def test_a_lost_gap_is_found(said: str, faults: int) -> None:
    assert len(wrong(Message("{name} bids {bid}", said))) == faults


def test_a_number_may_be_a_word() -> None:
    assert wrong(Message(("{n} bag", "{n} bags"), ("ein Bag", "{n} Bags"))) == []


def catalogue_of(**said: str) -> Catalog:
    """Return a German catalogue with the texts of the names in it."""
    catalog = Catalog(locale="de")
    for name, translation in said.items():
        catalog.add(name.replace("_", " "), translation)
    return catalog


def test_the_translation_of_a_changed_text_is_kept_as_fuzzy() -> None:
    old = catalogue_of(No_games_have_been_played_yet="Noch keine Spiele", Undo="Zurück")
    new = updated(old, catalogue_of(No_game_has_been_played_yet="", Undo=""))
    changed = new.get("No game has been played yet")
    assert changed.string == "Noch keine Spiele"
    assert changed.fuzzy
    assert not is_said(changed)
    assert is_said(new.get("Undo"))


def test_the_translation_of_a_text_that_is_gone_is_kept_as_obsolete() -> None:
    new = updated(catalogue_of(Cut_the_deck="Abheben", Undo="Zurück"), catalogue_of(Undo=""))
    assert [message.string for message in new.obsolete.values()] == ["Abheben"]
    assert "Cut the deck" not in new
    again = updated(new, catalogue_of(Cut_the_deck="", Undo=""))
    assert again.get("Cut the deck").string == "Abheben"
    assert not again.obsolete


def test_a_fuzzy_translation_is_not_shown() -> None:
    catalog = catalogue_of(Undo="Zurück")
    fuzzy = catalogue_of(Undo="Zurück")
    fuzzy.add("Redo", "Zurück", flags=["fuzzy"])
    assert compiled(fuzzy) == compiled(catalog)


def test_every_text_of_a_language_has_a_name_to_choose_it_by() -> None:
    assert set(LANGUAGES) >= RIGHT_TO_LEFT
    assert len(set(LANGUAGES.values())) == len(LANGUAGES)
