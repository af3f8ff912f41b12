"""Texts use the words that people know from other apps."""

import re
from pathlib import Path

import pytest

from tests.languages.catalogue import read, template

CHECKOUT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "CHANGELOG.md", "scorekeeper/web/api/openapi.json")
# Words and phrases that earlier texts had, each with what is said instead.
AVOIDED = {
    r"somebody|everybody|anybody": "a player, everyone, anyone",
    r"may stay empty": "(optional)",
    r"look(s|ing)? on\b": "follow, watch",
    r"tak(e|es|en|ing) in\b(?! recent)": "import",
    r"show to others": "Share live",
    r"what was changed": "Change log",
    r"save as (csv|json)": "Export CSV",
    r"remove this game": "Delete game",
    r"change a rule": "Edit rules",
    r"misdeal: deal again": "Misdeal",
    r"\bplay on\b|played on": "Continue",
    r"play again\b": "Rematch",
    r"who keeps score": "Devices",
    r"as the (rule )?book says": "Default",
    r"\bdraw(n)? (one|seats)": "Random, Shuffle seats",
    r"stake a player": "Stake per player",
    r"see below": "Check the highlighted fields",
    r"filled in for|gets the rest": "… took the other 3",
    r"take out\b|cards stay": "Remove all …",
    r"add up to \d|may not add up": "Bids can’t total …",
    r"call another": "Choose another",
    r"of the evening": "Biggest round",
    r"scored again|score (it|all rounds) again": "rescored, recalculated",
    r"by these rules": "With these rules",
    r"\bthe pack\b": "deck",
    r"\bleast\b (bid|contract)": "minimum bid",
    r"score that (wins|loses)": "Winning score, Losing score",
    r"points a (trick|round)": "points per trick",
    r"(may|can) add up": "Bids can total the tricks",
    r"bids itself": "No bidding in round 1",
    r"beyond the limit|however far": "Whoever has 6 bags or more after a round loses 10 points",
    r"(keep|send) these rules": "Save rules, Share rules",
    r"keep the rules": "Cancel",
    r"is counted": "How these are counted",
    r"until the penalty": "Bags per penalty",
    r"bring back|brought back|taken back": "Restore, redone, undone",
    r"winning run\b": "winning streak",
    r"one person": "Merge A and B?",
    r"end this link": "Revoke link",
    r"last start|link .*has ended": "Earlier links no longer work",
    r"make a join link": "Invite a scorekeeper",
    r"was begun|begin a new": "started, start a new",
    r"not done\b": "Not saved, Page not found",
    r"look whether|tap is recorded": "Check your last tap",
    r"just now\b": "right now",
    r"wait(s)? to be sent": "will be sent later",
}


@pytest.mark.parametrize(("avoided", "instead"), AVOIDED.items(), ids=AVOIDED.values())
def test_a_text_is_worded_as_in_other_apps(avoided: str, instead: str) -> None:
    texts = [
        text
        for message in template()
        for text in (message.id if isinstance(message.id, tuple) else (message.id,))
    ]
    found = [text for text in texts if re.search(avoided, text, re.IGNORECASE)]
    assert not found, f"Say {instead}"


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize(("avoided", "instead"), AVOIDED.items(), ids=AVOIDED.values())
def test_a_document_is_worded_like_the_pages(document: str, avoided: str, instead: str) -> None:
    text = (CHECKOUT / document).read_text("utf-8")
    found = [line for line in text.splitlines() if re.search(avoided, line, re.IGNORECASE)]
    assert not found, f"Say {instead}"


# Of each language what a thing is not called, by the English word for it: one word for one thing.
ONE_WORD = {
    ("de", r"\bbids?\b|contract"): "ansag",  # Gebot, Kontrakt
    ("de", r"\bsides?\b"): r"\bseiten?\b",  # Partei
    ("de", "failed"): "gefallen",  # verfehlt, of a Nil
    ("de", r"phone"): "telefon|smartphone",  # Handy
    ("es", r"\bbids?\b"): "apuesta",  # petición
    ("es", r"\bsides?\b"): r"\blados?\b",  # bando
    ("es", "deck"): "mazo",  # baraja
    ("es", "phone"): "móvil|celular",  # teléfono
    ("es", "penalt"): "sanción",  # penalización
    ("fr", r"\bbids?\b"): "enchère|pari|mise",  # annonce
    ("fr", r"\bsides?\b"): "côté",  # camp
    ("ar", "trick"): "لمّة",  # أكلة
    ("ar", r"\bsides?\b"): "طرف",  # فريق
    ("ar", "penalt"): "غرام|جزاء",  # عقوبة
    ("hi", r"\bsides?\b"): "पक्ष",  # टीम
    ("hi", "penalt"): "दंड|जुर्मान",  # पेनल्टी
}


@pytest.mark.parametrize(("where", "other"), ONE_WORD.items(), ids=map(" ".join, ONE_WORD))
def test_a_thing_has_one_name_in_a_language(where: tuple[str, str], other: str) -> None:
    language, english = where
    found = [
        text
        for message in read(language)
        if re.search(english, " ".join(texts_of(message.id)), re.IGNORECASE)
        for text in texts_of(message.string)
        if re.search(other, text, re.IGNORECASE)
    ]
    assert not found


def texts_of(forms: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (forms,) if isinstance(forms, str) else tuple(forms)
