"""What a phone without the server says after each change is what the server's page would say."""

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper import i18n
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.store.games import Game
from scorekeeper.web.game.announcement import announce
from scorekeeper.web.game.open_round import open_round
from scorekeeper.web.game.screen import round_facts
from scorekeeper.web.phrases import phone_words
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import facts
from tests.web.offline.luck import Luck

CAST = ("North", "East", "South", "West", "{n} <i>&", "Sixth")
AT = "2026-01-03T20:15:00Z"
GAMES_OF_CHANCE = 20
OPEN = (None,) * 4
SCORED = Round((3, 2, Nil.NIL, 4), (3, 4, 0, 3))
NEWS = {
    "a game begins": ([], "Round 1: North bids.", ""),
    "a bid is made": ([Round((3, *OPEN[1:]))], "North bid 3. East bids.", ""),
    "Nil is bid": ([Round((Nil.NIL, *OPEN[1:]))], "North bid Nil. East bids.", ""),
    "all have bid": (
        [Round((3, 2, 1, 4))],
        "Bids total 10 of 10. How many tricks did North take?",
        "",
    ),
    "tricks are counted": (
        [Round((3, 2, 1, 4), None, (3, None, None, None))],
        "3 of 10 tricks. How many tricks did East take?",
        "",
    ),
    "all tricks are counted": (
        [Round((3, 2, 1, 4), None, (3, 2, 1, None))],
        "Round 1 is ready to score: All 10 counted · West took the other 4.",
        "",
    ),
    "a round is scored": (
        [Round((3, 2, 1, 4), (3, 2, 1, 4))],
        "Round 1 is scored: North 30, East 20, South 10, West 40. North deals, East bids first.",
        "",
    ),
    "bags are paid for": (
        [Round((3, 1, 1, 1), (3, 7, 0, 0))],
        (
            "Round 1 is scored: North 30, East 5, South −10, West −10. Bags cost "
            "East 10 points. North deals, East bids first."
        ),
        "penalty",
    ),
    "somebody wins": (
        [Round((5, 1, 1, 1), (7, 1, 1, 1)), Round((5, 1, 1, 1), (7, 1, 1, 1))],
        "North wins with 104. Round 2 is scored: North 104, East 20, South 20, West 20.",
        "winner",
    ),
}


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.set_language(request.param)
    yield request.param
    i18n.set_language("en")


def question(game: Game, chosen: int | None = None) -> list[Any]:
    """Return what the phone is asked about a game, and a seat that was tapped."""
    values = facts(game.rules, len(game.names), game.first_dealer, game.rounds)
    return [phone_words(), {**values, "names": game.names, "starters": game.starters}, chosen]


def answer(game: Game) -> list[str]:
    """Return what the page of the server says."""
    said = announce(game, open_round(game, None))
    return [html.unescape(re.sub("<[^>]*>", "", said.text)), said.news]


def game_of(rules: RuleSet, players: int, dealer: int, rounds: list[Round], name: str) -> Game:
    names = CAST[:players]
    return Game(name, "t", rules, names, dealer, None, AT, len(rounds), AT, tuple(rounds))


@pytest.mark.parametrize(("rounds", "said", "kind"), NEWS.values(), ids=NEWS)
def test_the_phone_says_what_has_happened_and_who_is_next(
    rounds: list[Round], said: str, kind: str, ask: Ask
) -> None:
    rules = replace(PRESETS["cutthroat-lite"], target=100)
    game = game_of(rules, 4, 3, rounds, f"news-{said}")
    assert ask("news", [question(game)]) == [[said, kind]] == [answer(game)]


def test_a_deal_that_is_thrown_in_is_told(ask: Ask) -> None:
    game = game_of(PRESETS["forty-one"], 4, 3, [Round((2, 2, 3, 3))], "thrown-in")
    said = "Bids total 10, but at least 11 are needed. Deal again."
    assert ask("news", [question(game)]) == [[said, ""]] == [answer(game)]


@pytest.mark.parametrize(
    ("bids", "chosen", "rules"),
    [((3, *OPEN[1:]), 0, "cutthroat-lite"), ((2, 2, 3, 3), 1, "forty-one")],
    ids=["a bid", "a deal that is thrown in"],
)
def test_a_seat_that_is_tapped_bids(
    bids: tuple[Any, ...], chosen: int, rules: str, ask: Ask
) -> None:
    game = game_of(PRESETS[rules], 4, 3, [Round(bids)], f"tapped-{rules}")
    assert ask("news", [question(game, chosen)]) == [[f"Round 1: {CAST[chosen]} bids.", ""]]


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (Round((2, 3, None, None)), Round((4, 3, None, None)), "North bid 4. South bids."),
        (Round((2, None, None, None)), Round((2, None, None, 9)), "West bid 9. East bids."),
        (
            Round((3, 2, 1, 3)),
            Round((3, 2, 1, 3), None, (0, 1, 0, 0)),
            "East took 1 · 1 of 10 tricks. How many tricks did West take?",
        ),
        (
            Round((3, 2, 1, 3), None, (3, None, None, None)),
            Round((3, 2, 1, 3), None, (3, 0, None, None)),
            "East took 0 · 3 of 10 tricks. How many tricks did South take?",
        ),
    ],
    ids=["a corrected bid", "a bid out of turn", "one more trick", "no trick"],
)
def test_the_newest_entry_is_named(before: Round, now: Round, said: str, ask: Ask) -> None:
    game = game_of(PRESETS["cutthroat-lite"], 4, 3, [now], f"newest-{said}")
    words, stored, chosen = question(game)
    asked = [words, {**stored, "undo": [[1, round_facts(before)]]}, chosen]
    heard = announce(game, open_round(game, None), before)
    assert ask("news", [asked]) == [[said, ""]]
    assert html.unescape(re.sub("<[^>]*>", "", heard.text)) == said


def test_it_is_what_the_server_says_in_every_language(language: str, ask: Ask) -> None:
    games = []
    for seed in range(GAMES_OF_CHANCE):
        one = Luck(seed).case()
        name = f"chance-{language}-{seed}"
        games.append(game_of(one.rules, one.players, one.first_dealer, one.rounds, name))
    assert ask("news", [question(game) for game in games]) == [answer(game) for game in games]
    assert {answer(game)[1] for game in games} >= {"", "winner"}
