"""What a phone without the server says after each change is what the server's page would say."""

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper import i18n
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet
from scorekeeper.rules.seating import Substitute
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
COUNTING = Round((3, 2, 1, 3))
TIED = [Round((3, 3, 1, 1), (3, 3, 2, 2))] * 2
BOOKS = Penalty(1, "books", 3, "nobody", "renege")
# The rounds, what is said, what is heard, and the newest round before the change.
NEWS: dict[str, tuple[list[Round], str, str, Round | None]] = {
    "a game begins": ([], "Round 1: North bids.", "", None),
    "a bid is made": ([Round((3, *OPEN[1:]))], "North bid 3. East bids.", "", None),
    "Nil is bid": ([Round((Nil.NIL, *OPEN[1:]))], "North bid Nil. East bids.", "", None),
    "a bid is corrected": (
        [Round((4, 3, None, None))],
        "North bid 4. South bids.",
        "",
        Round((2, 3, None, None)),
    ),
    "a bid is made out of turn": (
        [Round((2, None, None, 9))],
        "West bid 9. East bids.",
        "",
        Round((2, *OPEN[1:])),
    ),
    "all have bid": (
        [Round((3, 2, 1, 4))],
        "Bids total 10 of 10. How many tricks did North take?",
        "",
        None,
    ),
    "tricks are counted": (
        [COUNTING._replace(tally=(3, None, None, None))],
        "3 of 10 tricks. How many tricks did East take?",
        "",
        None,
    ),
    "one more trick is counted": (
        [COUNTING._replace(tally=(0, 1, 0, 0))],
        "East took 1 · 1 of 10 tricks. How many tricks did West take?",
        "",
        COUNTING,
    ),
    "no trick is counted": (
        [COUNTING._replace(tally=(3, 0, None, None))],
        "East took 0 · 3 of 10 tricks. How many tricks did South take?",
        "",
        COUNTING._replace(tally=(3, None, None, None)),
    ),
    "all tricks are counted": (
        [Round((3, 2, 1, 4), None, (3, 2, 1, None))],
        "Round 1 is ready to score: All 10 counted · West took the other 4.",
        "",
        None,
    ),
    "a round is scored": (
        [Round((3, 2, 1, 4), (3, 2, 1, 4))],
        "Round 1 is scored: North 30, East 20, South 10, West 40. North deals, East bids first.",
        "",
        None,
    ),
    "bags are paid for": (
        [Round((3, 1, 1, 1), (3, 7, 0, 0))],
        (
            "Round 1 is scored: North 30, East 5, South −10, West −10. Bags cost "
            "East 10 points. North deals, East bids first."
        ),
        "penalty",
        None,
    ),
    "two are tied at the target": (
        TIED,
        (
            "Round 2 is scored: North 60, East 60, South 22, West 22. "
            "North and East are tied at 60. Play another round. East deals, South bids first."
        ),
        "",
        None,
    ),
    "somebody wins": (
        [Round((5, 1, 1, 1), (7, 1, 1, 1)), Round((5, 1, 1, 1), (7, 1, 1, 1))],
        "North wins with 104. Round 2 is scored: North 104, East 20, South 20, West 20.",
        "winner",
        None,
    ),
}
NOTED: dict[str, tuple[list[Round], str, str, Round]] = {  # of which the phone shows the line
    "a penalty is given": (
        [Round((2, *OPEN[1:])).noted(penalties=(BOOKS,))],
        "East – Renege: 3 tricks taken away · North bid 2. East bids.",
        "penalty",
        Round((2, *OPEN[1:])),
    ),
    "one of them leaves": (
        [*TIED, Round(OPEN).noted(substitutes=(Substitute(0, None),))],
        "North leaves · Round 3: South bids.",
        "",
        Round(OPEN),
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


def answer(game: Game, before: Round | None = None) -> list[str]:
    """Return what the page of the server says, after a change of the newest round."""
    said = announce(game, open_round(game, None), before)
    return [html.unescape(re.sub("<[^>]*>", "", said.text)), said.news]


def game_of(rules: RuleSet, players: int, dealer: int, rounds: list[Round], name: str) -> Game:
    names = CAST[:players]
    return Game(name, "t", rules, names, dealer, None, AT, len(rounds), AT, tuple(rounds))


@pytest.mark.parametrize("case", NEWS)
def test_phone_and_server_say_what_has_happened_and_who_is_next(case: str, ask: Ask) -> None:
    rounds, said, kind, before = NEWS[case]
    rules = replace(PRESETS["cutthroat-lite"], target=60)
    game = game_of(rules, 4, 3, rounds, f"news-{case}")
    words, stored, chosen = question(game)
    if before is not None:
        stored["undo"] = [[len(rounds), round_facts(before)]]
    assert ask("news", [[words, stored, chosen]]) == [[said, kind]]
    assert answer(game, before) == [said, kind]


@pytest.mark.parametrize("case", NOTED)
def test_the_server_says_what_is_noted(case: str) -> None:
    rounds, said, kind, before = NOTED[case]
    game = game_of(replace(PRESETS["cutthroat-lite"], target=60), 4, 3, rounds, f"news-{case}")
    assert answer(game, before) == [said, kind]


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


def test_it_is_what_the_server_says_in_every_language(language: str, ask: Ask) -> None:
    games = []
    for seed in range(GAMES_OF_CHANCE):
        one = Luck(seed).case()
        name = f"chance-{language}-{seed}"
        games.append(game_of(one.rules, one.players, one.first_dealer, one.rounds, name))
    assert ask("news", [question(game) for game in games]) == [answer(game) for game in games]
    assert {answer(game)[1] for game in games} >= {"", "winner"}
