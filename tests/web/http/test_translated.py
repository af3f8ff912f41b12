"""Every word on a page is translatable: with translations in brackets, none is outside them."""

import gettext
import re
from collections.abc import Iterator

import pytest
from flask import Flask

from scorekeeper import i18n
from scorekeeper.clock import zone_names
from scorekeeper.rules.presets import PRESETS
from scorekeeper.version import __version__
from scorekeeper.web.table import SAMPLE_NAMES
from tests.web.page import Page, seen_texts
from tests.web.page_tour import TYPED, visit_every_page

SPOKEN = ("aria-label", "aria-description", "aria-roledescription", "title", "placeholder", "alt")
OWN_NAMES = [*(rules.name for rules in PRESETS.values()), *i18n.LANGUAGES.values()]
AS_TYPED = [rules.worth for rules in PRESETS.values() if rules.worth]  # in the form of rules
UNTRANSLATED = sorted([*TYPED, *OWN_NAMES, *AS_TYPED, __version__], key=len, reverse=True)
CARD = r"(?:10|[2-9JQKA])[♣♦♥♠]"
ADDRESS = r"https?://\S+"
CUT_SHORT = [name[:n] + "…" for name in TYPED for n in range(len(name), 0, -1)]  # in a chart
GAP = r"\{\w+\}"  # in a template that a script fills
KEY = r"(?m:^[BNRU]$)"  # of the keyboard
RANK = r"(?m:^[AKQJ]$)"  # of a card in the deck that is drawn
ZONES = sorted(zone_names(), key=len, reverse=True)  # as they are called everywhere
NAMES = (*CUT_SHORT, *UNTRANSLATED, *SAMPLE_NAMES, *ZONES)
NO_WORDS = re.compile("|".join([ADDRESS, CARD, KEY, RANK, GAP, *map(re.escape, NAMES)]))
WORD = re.compile(r"[^\W\d_½]+")
BRACKET = re.compile("([⟦⟧])")


class Brackets(gettext.NullTranslations):
    """A language that says everything in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


@pytest.fixture
def brackets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(i18n, "translations", lambda *_: Brackets())
    i18n.set_language("en")
    yield
    monkeypatch.undo()
    i18n.set_language("en")


def outside_brackets(text: str) -> str:
    """Return what stands outside of all brackets; they may lie in each other."""
    depth, outside = 0, []
    for part in BRACKET.split(text):
        if part in ("⟦", "⟧"):
            depth += 1 if part == "⟦" else -1
            outside.append("\n")
        elif depth == 0:
            outside.append(part)
    assert depth == 0, text
    return "".join(outside)


def bare_words(page: Page) -> list[str]:
    """Return the words that people see or hear without a translation."""
    texts = ["\n".join(seen_texts(page.root))]
    for element in page.root.iter():
        texts += [element.get(name, "") for name in SPOKEN]
        if element.tag == "input" and element.get("type") in ("submit", "button"):
            texts.append(element.get("value", ""))
    outside = [text for text in map(outside_brackets, texts) if WORD.search(text)]
    return [word for text in outside for word in WORD.findall(NO_WORDS.sub("", text))]


@pytest.mark.slow
@pytest.mark.usefixtures("brackets")
def test_no_page_of_an_evening_shows_a_word_that_cannot_be_translated(app: Flask) -> None:
    found = {
        (seen.endpoint, word)
        for seen in visit_every_page(app)
        for word in bare_words(Page(seen.html.replace('lang="en"', "")))
    }
    assert found == set()


@pytest.mark.parametrize(
    "html",
    [
        "<p>Deal</p>",
        "<p>⟦Round⟧ over</p>",
        "<p>⟦Round⟧<b>over</b>⟦.⟧</p>",
        '<button aria-label="More">⋯</button>',
        '<input placeholder="Name">',
        "<option>off</option>",
        "<svg><title>Totals</title></svg>",
        "<p>Éа</p>",
    ],
)
def test_a_bare_word_is_found_wherever_it_stands(html: str) -> None:
    assert bare_words(Page(html)) != []


@pytest.mark.parametrize(
    "html",
    [
        '<p>⟦Round <b>3</b>: <bdi translate="no">North</bdi> bids⟧ · 4 → 7</p>',
        "<p>2♣ J♦ −40</p>",
        "<td>Cutthroat Spades LITE</td>",
        "<style>p { color: red }</style>",
        "<a href='/games/new'>♠</a>",
        "<p>⟦{⟦Nil⟧} kept⟧</p>",
    ],
)
def test_numbers_signs_names_and_cards_need_no_translation(html: str) -> None:
    assert bare_words(Page(html)) == []
