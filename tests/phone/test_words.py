"""A code and its values become the very sentence that the server says, in every language."""

from collections.abc import Iterator

import pytest

from scorekeeper import i18n
from scorekeeper.rules.examples import EXAMPLES
from scorekeeper.rules.explain import LINES
from scorekeeper.rules.hands import OUTCOMES
from scorekeeper.rules.outlook import NOTICES
from scorekeeper.rules.pack import DECK
from scorekeeper.rules.readings import READINGS
from scorekeeper.rules.refusals import REFUSALS
from scorekeeper.rules.sentence import Sentence, minus, signed
from scorekeeper.web.phrases import phrases
from tests.phone.conftest import Ask

NOTICED = {code: notice.sentence for code, notice in NOTICES.items()}
RULES_PAGE = {**READINGS, **DECK, **EXAMPLES, **OUTCOMES}
SENTENCES: dict[str, Sentence] = {**REFUSALS, **NOTICED, **LINES, **RULES_PAGE}
GAPS = ("n", "points", "low", "high", "tricks", "deficit", "behind", "board", "bid", "floor")
MORE_GAPS = ("before", "after", "limit", "left", "penalty", "rank", "cards", "high")
EXAMPLE_GAPS = ("others", "sum", "first", "second")
EVERY_COUNT = range(250)


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.speak(request.param)
    yield request.param
    i18n.speak("en")


def test_each_code_is_one_sentence() -> None:
    tables = (REFUSALS, NOTICED, LINES, READINGS, DECK, EXAMPLES, OUTCOMES)
    assert len(SENTENCES) == sum(map(len, tables))
    assert len({sentence.text for sentence in SENTENCES.values()}) == len(SENTENCES)
    assert set(phrases()) == set(SENTENCES)


def test_every_sentence_is_said_as_the_server_says_it(language: str, ask: Ask) -> None:
    words = phrases()
    said = [
        (code, sentence.about(**dict.fromkeys((*GAPS, *MORE_GAPS, *EXAMPLE_GAPS), 3)))
        for code, sentence in SENTENCES.items()
    ]
    asked = [[words, {"code": code, "values": filled.values}, language] for code, filled in said]
    assert ask("say", asked) == [i18n.say(filled) for _, filled in said]


@pytest.mark.parametrize("code", [code for code, text in SENTENCES.items() if text.plural])
def test_every_number_has_its_own_plural(code: str, language: str, ask: Ask) -> None:
    words = {code: phrases()[code]}
    counted = [SENTENCES[code].about(n=n, points=signed(-n)) for n in EVERY_COUNT]
    asked = [[words, {"code": code, "values": filled.values}, language] for filled in counted]
    assert ask("say", asked) == [i18n.say(filled) for filled in counted]


def test_points_are_written_as_on_the_server(ask: Ask) -> None:
    numbers = [-1_000_000, -10, -1, 0, 1, 10, 1_000_000]
    assert ask("call", [["minus", n] for n in numbers]) == [minus(n) for n in numbers]
    assert ask("call", [["signed", n] for n in numbers]) == [signed(n) for n in numbers]
