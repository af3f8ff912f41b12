"""Extraction of the texts to translate, and the catalogues of the languages."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from scorekeeper.i18n import FOLDER, LANGUAGES, WORDS

ROOT = Path(__file__).resolve().parents[2]
TRANSLATED = [language for language in LANGUAGES if language != "en"]
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None, "by_number": (1, 1)}
# A second extraction finds the plurals of N_, whose second argument may also be a value of a gap.
PLURALS = {"N_": (1, 2)}
GAP = re.compile(r"\{[^{}]*\}")
OPTIONS = {"**.html": {"trimmed": "true"}}
SOURCES = {
    "scorekeeper": [("**.py", "python")],
    "templates": [("**.html", "jinja2.ext:babel_extract")],
}
NO_TIME = datetime(2026, 1, 1, tzinfo=UTC)  # or every extraction would change every file


@cache
def template() -> Catalog:
    """Return every text of the program, with the files that say it."""
    found = Catalog(project="Scorekeeper", charset="utf-8", creation_date=NO_TIME)
    for keywords in (KEYWORDS, PLURALS):
        for text, place in _texts(keywords):
            found.add(text, locations=[(place, 0)])
    return found


def _texts(
    keywords: "dict[str, tuple[int, ...] | None]",
) -> "Iterator[tuple[str | tuple[str, ...], str]]":
    for folder, methods in SOURCES.items():
        for path, _line, text, _comments, _context in extract_from_dir(
            ROOT / folder, methods, OPTIONS, keywords
        ):
            # The second text of N_ is a plural only if it has the gaps of the first.
            if keywords is PLURALS and GAP.findall(text[0]) != GAP.findall(text[1]):
                continue
            if text:
                yield text, f"{folder}/{path}"


def po_file(language: str, domain: str = "messages") -> Path:
    """Return where a language's texts are written by people: all of them, or one of `WORDS`."""
    return FOLDER / language / "LC_MESSAGES" / f"{domain}.po"


def with_other_words() -> list[tuple[str, str]]:
    """Return the languages that have other texts for one of `WORDS`, each with that word."""
    pairs = [(language, words) for language in LANGUAGES for words in WORDS]
    return [pair for pair in pairs if po_file(*pair).exists()]


def read(language: str, domain: str = "messages") -> Catalog:
    """Return what is translated so far; nothing for a language that is begun."""
    path = po_file(language, domain)
    if not path.exists():
        return Catalog(locale=language, project="Scorekeeper", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def is_said(message: Message) -> bool:
    """Return whether a text is translated, in all its plural forms."""
    said = message.string
    return bool(said) and (isinstance(said, str) or all(said)) and not message.fuzzy


def compiled(catalog: Catalog) -> bytes:
    """Return a language's texts as the program reads them."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def updated(catalog: Catalog, texts: Catalog) -> Catalog:
    """Bring a language up to the texts of the program.

    Where a text was changed, its translation stays as a fuzzy one, which counts as missing until
    somebody has looked at it. Translations of texts that are gone stay in the file as obsolete,
    for the day on which the text comes back.
    """
    for message in catalog.obsolete.values():
        catalog[message.id] = message
    catalog.obsolete.clear()
    catalog.update(texts, no_fuzzy_matching=False)
    catalog.fuzzy = False
    catalog.revision_date = catalog.creation_date = NO_TIME
    return catalog


def refresh(language: str) -> Catalog:
    """Bring a language's files up to the texts of the program."""
    catalog = updated(read(language), template())
    catalog.header_comment = f"# Scorekeeper in {LANGUAGES[language]}."
    _write(catalog, po_file(language))
    return catalog


def refresh_words(language: str, words: str) -> Catalog:
    """Compile what a language says otherwise for one of `WORDS`; it may lack any text."""
    catalog = read(language, words)
    catalog.revision_date = catalog.creation_date = NO_TIME
    catalog.header_comment = f"# Scorekeeper in {LANGUAGES[language]}, where a bid is a {words}."
    catalog.fuzzy = False
    _write(catalog, po_file(language, words))
    return catalog


def _write(catalog: Catalog, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=100, sort_output=True, include_lineno=False)
    path.with_suffix(".mo").write_bytes(compiled(catalog))
