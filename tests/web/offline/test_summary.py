"""At the end of a game the phone draws the same race and gives the same awards as the server."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from scorekeeper import i18n
from scorekeeper.i18n import translate
from scorekeeper.rules.payments import payments, stake_balances
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.result import (
    PRIZES,
    Alternative,
    BidChange,
    TrickChange,
    alternatives,
    awards,
)
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.games import Game
from scorekeeper.web.game.charts import race
from scorekeeper.web.phrases import phone_words
from scorekeeper.web.text.svg_text import width
from tests.rules.test_what_if import EXAMPLES as TURNS
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import facts
from tests.web.offline.luck import Luck

NAMES = (
    "North",
    "Maximiliana-Konstantinopolitana W",
    "ليلى بنت عبد الرحمن",
    "王小明王小明王小明",
    "Zoë 👨\u200d👩\u200d👧 & <i>",
    *("Fay", "Gus", "Hal", "Ida", "Jo"),
)
GAMES = 100
ROUNDED = 0.11  # units of the picture: each side rounds a half to a tenth in its own way
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
SEATS_CLOSE = [Round((3, 3, 2, 2), (3, 3, 2, 2)), Round((3, 3, 2, 2), (3, 3, 2, 2))]
MANY = [Round((2, 3, 1, 1), (1, 3, 3, 3))] * 150  # so many that some points are left out
ENDLESS = replace(PRESETS["cutthroat-lite"], target=9000)


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.set_language(request.param)
    yield request.param
    i18n.set_language("en")


def question(game: Game) -> list[Any]:
    values = facts(game.rules, len(game.names), game.first_dealer, game.rounds)
    return [phone_words(), {**values, "names": game.names, "starters": game.starters}]


def game_of(
    key: str, rounds: list[Round], rules: RuleSet, players: int = 4, dealer: int = 3
) -> Game:
    return Game(key, "t", rules, NAMES[:players], dealer, None, "", 1, "", (*rounds,))


@cache
def games_of_chance() -> list[Game]:
    cases = [Luck(seed).case() for seed in range(GAMES)]
    return [
        game_of(f"end-{seed}", case.rounds, case.rules, case.players, case.first_dealer)
        for seed, case in enumerate(cases)
    ]


EXAMPLES = {
    "no round": [],
    "labels that would lie on each other": SEATS_CLOSE,
    "more rounds than there are points for": MANY,
}


def test_the_race_is_the_picture_of_the_server(language: str, ask: Ask) -> None:
    games = [game_of(f"race-{name}", rounds, ENDLESS) for name, rounds in EXAMPLES.items()]
    # The picture is the same in each language, but for its words.
    games += games_of_chance()[: GAMES if language == "en" else 10]
    for game, drawn in zip(games, ask("drawnRace", list(map(question, games))), strict=True):
        assert_same_picture(ElementTree.fromstring(drawn), ElementTree.fromstring(race(game)))


def assert_same_picture(phone: ElementTree.Element, server: ElementTree.Element) -> None:
    """The same elements with the same attributes and texts; numbers may be rounded otherwise."""
    assert phone.tag.partition("}")[2] == server.tag
    assert phone.text == server.text or not (phone.text or server.text)
    assert list(phone.attrib) == list(server.attrib)
    for name, value in server.attrib.items():
        assert NUMBER.sub("0", phone.attrib[name]) == NUMBER.sub("0", value)
        assert numbers(phone.attrib[name]) == pytest.approx(numbers(value), abs=ROUNDED)
    for one, other in zip(phone, server, strict=True):
        assert_same_picture(one, other)


def numbers(value: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(value)]


def test_letters_are_as_wide_as_on_the_server(ask: Ask) -> None:
    # Letters that every version of Unicode knows, as browser and Python may have different ones.
    known = [chr(code) for code in range(0x20, 0x30000)]
    known = [one for one in known if unicodedata.ucd_3_2_0.category(one) not in ("Cn", "Cs", "Co")]
    different = {
        one
        for one, found in zip(known, ask("widthOf", known), strict=True)
        if found != pytest.approx(width(one, 1))
    }
    assert different == set()


def test_the_awards_are_those_of_the_server(language: str, ask: Ask) -> None:
    games = [game for game in games_of_chance() if game.state.phase == "over"]
    games = games if language == "en" else games[:10]
    found = ask("prizes", list(map(question, games)))
    expected = [
        [
            {
                "title": translate(one.title),
                "seats": list(map(list, one.seats)),
                "why": translate(one.why),
            }
            for one in awards(game.state)
        ]
        for game in games
    ]
    assert found == expected
    given = {award["title"] for awards in expected for award in awards}
    assert given == {translate(title) for title, _why in PRIZES.values()} or language != "en"


def test_the_same_would_have_changed_a_game_as_on_the_server(ask: Ask) -> None:
    games = [game for game in games_of_chance() if game.state.phase == "over"]
    found = ask("turns", [question(game)[1] for game in games])
    assert found == [[told(one) for one in alternatives(game.state)] for game in games]
    assert {type(one.change) for game in games for one in alternatives(game.state)} == {
        TrickChange,
        BidChange,
    }


@pytest.mark.parametrize(("rules", "rounds", "expected"), TURNS)
def test_a_turning_point_is_that_of_the_examples(
    rules: RuleSet, rounds: list[Round], expected: list[Alternative], ask: Ask
) -> None:
    game = game_of("turn", rounds, rules)
    assert ask("turns", [question(game)[1]]) == [[told(one) for one in expected]]


@pytest.mark.parametrize("stake_by", ["winner", "points", "rank"])
def test_stakes_are_settled_as_on_the_server(stake_by: str, ask: Ask) -> None:
    games = [game for game in games_of_chance() if game.state.phase == "over"]
    games = [replace(one, rules=replace(one.rules, stake_by=stake_by)) for one in games]
    found = ask("stakes", [[question(game)[1], 100 + at] for at, game in enumerate(games)])
    balances = [stake_balances(game.state, 100 + at) for at, game in enumerate(games)]
    expected = [[list(one), [list(due) for due in payments(one)]] for one in balances]
    assert found == expected


def told(one: Alternative) -> dict[str, Any]:
    """Return a change of a game as the phone has it."""
    change = {
        name.replace("instead_of", "insteadOf"): value
        for name, value in one.change._asdict().items()
    }
    return {
        **one._asdict(),
        "change": change,
        "winners": list(one.winners),
        "totals": list(one.totals),
    }
