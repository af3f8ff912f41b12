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
    r"(end this|revoke) link": "Remove",
    r"last start|link .*has ended": "Earlier links no longer work",
    r"make a join link": "Make a link",
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


GLOSSARY = (CHECKOUT / "docs" / "words.md").read_text("utf-8")
HEAD, *ROWS = (
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in re.findall(r"^\|[^`\n]*\|$", GLOSSARY, re.MULTILINE)
    if line.count("|") == 7 and "---" not in line
)
CODES = {"Deutsch": "de", "Español": "es", "Français": "fr", "العربية": "ar", "हिन्दी": "hi"}
CROSSED_OUT = re.compile(r"~~(.*?)~~")
WORDS = [
    pytest.param(row[0], CODES[language], cell, id=f"{row[0]} {CODES[language]}")
    for row in ROWS
    for language, cell in zip(HEAD[1:], row[1:], strict=True)
]


def said_of(english: str, language: str) -> list[str]:
    """Return a language's texts where the English one has a word."""
    word = re.compile(rf"\b{re.escape(english)}(?:s|es)?\b", re.IGNORECASE)
    return [
        text
        for message in read(language)
        if word.search(" ".join(texts_of(message.id)))
        for text in texts_of(message.string)
    ]


def test_the_glossary_has_forty_words() -> None:
    assert len(ROWS) == 40
    assert list(CODES) == HEAD[1:]


@pytest.mark.parametrize(("english", "language", "cell"), WORDS)
def test_a_thing_has_one_name_in_a_language(english: str, language: str, cell: str) -> None:
    texts = said_of(english, language)
    said = CROSSED_OUT.sub("", cell).strip().casefold()
    assert any(said in text.casefold() for text in texts)
    for other in CROSSED_OUT.findall(cell):
        assert [text for text in texts if re.search(rf"\b{other}", text, re.IGNORECASE)] == []


GAP = re.compile(r"\{[^{}]*\}")


def test_no_two_languages_say_a_sentence_in_the_same_words() -> None:
    by_text: dict[str, set[str]] = {}
    for language in CODES.values():
        for message in read(language):
            for text in {*texts_of(message.string)} - {*texts_of(message.id)}:  # names stay
                if len(re.findall(r"[^\W\d_]{2,}", GAP.sub("", text))) > 1:
                    by_text.setdefault(text, set()).add(language)
    same = {text for text, languages in by_text.items() if len(languages) > 1}
    assert sorted(same) == []


def texts_of(forms: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (forms,) if isinstance(forms, str) else tuple(forms)
