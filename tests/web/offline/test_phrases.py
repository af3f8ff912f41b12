"""The phone makes the server's sentences from their codes and values, in every language."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from scorekeeper import i18n
from scorekeeper.rules.deck import DECK
from scorekeeper.rules.explain import SCORE_REASONS
from scorekeeper.rules.hints import HINTS
from scorekeeper.rules.penalties import PENALTY_REASONS
from scorekeeper.rules.presets import CALL_BOOKS, PRESETS, tables
from scorekeeper.rules.sentence import REFUSALS, Sentence, minus, signed
from scorekeeper.web.phrases import WORDS, phone_words, phrases
from scorekeeper.web.text.rule_books import phone_text, rules_text
from scorekeeper.web.text.sentences import SENTENCES as SHARED
from scorekeeper.web.text.wording import amount, day, money
from tests.languages.catalogue import template
from tests.web.offline.conftest import Ask

HINT_SENTENCES = {code: hint.sentence for code, hint in HINTS.items()}
SENTENCES: dict[str, Sentence] = {
    **REFUSALS, **HINT_SENTENCES, **SCORE_REASONS, **PENALTY_REASONS, **DECK
}  # fmt: skip
GAP = re.compile(r"\{(\w+)\}")
EVERY_COUNT = range(250)

ALSO_TITLES = {"is_last_round", "nil_made"}  # of examples, which the rules have without the pages


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.set_language(request.param)
    yield request.param
    i18n.set_language("en")


def test_each_code_is_one_sentence() -> None:
    tables = (REFUSALS, HINT_SENTENCES, SCORE_REASONS, PENALTY_REASONS, DECK)
    assert len(SENTENCES) == sum(map(len, tables))
    assert len({sentence.text for sentence in SENTENCES.values()}) == len(SENTENCES)
    short = {f"{code}_short" for code, hint in HINTS.items() if hint.short}
    assert set(phrases()) == set(SENTENCES) | short


@pytest.mark.parametrize("code", [code for code in SHARED if code not in ALSO_TITLES])
def test_what_pages_and_phones_say_is_written_once(code: str) -> None:
    found = template().get(SHARED[code].text)
    files = {file for file, _line in found.locations}
    assert len(files) == 1, f'{sorted(files)}: write say("{code}") in all but one'


def test_every_sentence_is_said_as_the_server_says_it(language: str, ask: Ask) -> None:
    words = phrases()
    said = [
        (code, sentence.about(**dict.fromkeys(GAP.findall(sentence.text), 3)))
        for code, sentence in SENTENCES.items()
    ]
    asked = [[words, {"code": code, "values": filled.values}, language] for code, filled in said]
    assert ask("translate", asked) == [i18n.translate(filled) for _, filled in said]


@pytest.mark.parametrize("code", [code for code, text in SENTENCES.items() if text.plural])
def test_every_number_has_its_own_plural(code: str, language: str, ask: Ask) -> None:
    words = {code: phrases()[code]}
    gaps = {"tricks": 13, "reason": "Renege"}
    counted = [SENTENCES[code].about(n=n, points=signed(-n), **gaps) for n in EVERY_COUNT]
    asked = [[words, {"code": code, "values": filled.values}, language] for filled in counted]
    assert ask("translate", asked) == [i18n.translate(filled) for filled in counted]


def test_the_texts_of_rules_come_with_their_word_for_a_bid(language: str) -> None:
    assert set(phone_words()["rule_texts"]) == set(PRESETS)
    i18n.use_words("call")
    assert set(phone_words()["rule_texts"]) == set(CALL_BOOKS)
    assert i18n.words() == "call"


def test_points_are_written_as_on_the_server(ask: Ask) -> None:
    numbers = [-1_000_000, -10, -1, 0, 1, 10, 1_000_000]
    assert ask("call", [["formatPoints", n] for n in numbers]) == [minus(n) for n in numbers]
    assert ask("call", [["formatSigned", n] for n in numbers]) == [signed(n) for n in numbers]


NAMES = ["Ana", "Ben", "Cy", "Dee"]


@pytest.fixture
def words(language: str) -> dict[str, Any]:
    return phone_words()


@pytest.mark.parametrize("month", range(1, 13))
def test_a_day_is_written_as_on_the_server(
    month: int, language: str, words: dict[str, Any], ask: Ask
) -> None:
    assert ask("dayOf", [[words, f"2026-{month:02}-05T12:00:00Z"]]) == [
        day(f"2026-{month:02}-05T12:00:00Z")
    ]


@pytest.mark.parametrize("stake", [5, 50, 250, 10000])
def test_a_stake_is_written_as_on_the_server(
    stake: int, language: str, words: dict[str, Any], ask: Ask
) -> None:
    plain = amount(stake)
    assert ask("decimal", [[words, plain]]) == [money(stake)]


@pytest.mark.parametrize("how_many", range(1, 5))
@pytest.mark.parametrize("code", ["wins", "wins_with", "tie"])
def test_names_take_their_number_as_on_the_server(
    code: str, how_many: int, language: str, words: dict[str, Any], ask: Ask
) -> None:
    values = {"names": ", ".join(NAMES[:how_many]), "n": how_many, "total": "500"}
    said = i18n.translate(WORDS[code].about(**values))
    assert ask("translate", [[words["words"], {"code": code, "values": values}, language]]) == [
        said
    ]


@pytest.mark.parametrize("tricks", [1, 2, 3, 10, 11, 13, 17, 100, 103])
def test_tricks_take_their_number_as_on_the_server(
    tricks: int, language: str, words: dict[str, Any], ask: Ask
) -> None:
    values = {"taken": 3, "n": tricks}
    said = i18n.translate(WORDS["of_tricks"].about(**values))
    asked = [words["words"], {"code": "of_tricks", "values": values}, language]
    assert ask("translate", [asked]) == [said]


@pytest.mark.parametrize("key", PRESETS)
def test_a_phone_tells_the_rules_to_each_number_of_players(app: Flask, key: str) -> None:
    """It lays what differs over the text of one number, as `textOf` in home.js does."""
    rules = PRESETS[key]
    with app.test_request_context():
        text = phone_text(rules)
        for players in tables(rules):
            own, whole = text["sizes"][str(players)], rules_text(rules, players)
            topics = [
                {**topic, "sentences": own["sentences"].get(topic["key"], topic["sentences"])}
                for topic in text["topics"]
            ]
            assert (own["deck"], topics) == (whole["deck"], whole["topics"])
            assert (own["examples"] or text["examples"]) == whole["examples"]
