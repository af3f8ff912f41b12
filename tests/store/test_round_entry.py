"""Which rounds can be entered: as a page asks, and as a phone asks that was offline."""

import pytest

from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.rules.ruleset import with_house_rules
from scorekeeper.store.games import Game
from scorekeeper.store.round_entry import why_closed

SHORT = with_house_rules(CUTTHROAT_LITE, {"target": "30"})
NAMES = ("North", "East", "South")
EMPTY = Round((None, None, None))
BIDS = Round((2, 2, 2))
PLAYED = Round((2, 2, 2), (2, 2, 6))
WON = Round((3, 3, 3), (3, 3, 4))
LATE = "not reached"


def game_of(*rounds: Round) -> Game:
    return Game("g", "t", SHORT, NAMES, 2, None, "", 1, "", rounds)


@pytest.mark.parametrize(
    ("rounds", "number", "why"),
    [
        pytest.param([], 1, None, id="the first round"),
        pytest.param([], 2, LATE, id="a round after one that was never played"),
        pytest.param([PLAYED], 1, None, id="a correction"),
        pytest.param([PLAYED], 2, None, id="the next round"),
        pytest.param([PLAYED, BIDS], 2, None, id="the round that is open"),
        pytest.param([PLAYED, BIDS], 3, LATE, id="a round after one that is open"),
        pytest.param([PLAYED, WON], 2, None, id="a correction after the end"),
        pytest.param([PLAYED, WON], 3, "over", id="a round after the end"),
        pytest.param([PLAYED, WON], 4, LATE, id="one further after the end"),
        pytest.param([PLAYED, WON, BIDS], 3, "over", id="one left open after the end"),
        pytest.param([PLAYED, WON, PLAYED], 3, None, id="one scored after the end"),
    ],
)
def test_on_a_page(rounds: list[Round], number: int, why: str | None) -> None:
    assert why_closed(game_of(*rounds), number) == why


@pytest.mark.parametrize(
    ("rounds", "number", "sent", "why"),
    [
        pytest.param([], 1, BIDS, None, id="the first round"),
        pytest.param([], 2, PLAYED, LATE, id="a round after one that was never played"),
        pytest.param([PLAYED], 2, PLAYED, None, id="the next round"),
        pytest.param([PLAYED], 1, WON, None, id="a correction"),
        pytest.param([PLAYED, BIDS], 2, PLAYED, None, id="the round that is open"),
        pytest.param([PLAYED, BIDS], 3, PLAYED, LATE, id="a round after one that is open"),
        pytest.param([PLAYED, WON], 3, PLAYED, None, id="one played after the end"),
        pytest.param([PLAYED, WON], 3, BIDS, "over", id="only bids after the end"),
        pytest.param([PLAYED, WON], 4, PLAYED, LATE, id="one further after the end"),
        pytest.param([PLAYED, WON, BIDS], 3, PLAYED, None, id="one left open after the end"),
        pytest.param([PLAYED, WON, BIDS], 3, EMPTY, None, id="the same, taken back"),
        pytest.param([PLAYED, WON, BIDS], 4, PLAYED, "over", id="one after it"),
        pytest.param([PLAYED, WON], 2, EMPTY, None, id="the last round, taken back"),
    ],
)
def test_from_a_phone_that_was_offline(
    rounds: list[Round], number: int, sent: Round, why: str | None
) -> None:
    assert why_closed(game_of(*rounds), number, sent) == why
