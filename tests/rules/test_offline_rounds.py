"""Which rounds a game has a place for, when they come from a phone that played on by itself."""

import pytest

from scorekeeper.rules.game import Round, fold
from scorekeeper.rules.offline_rounds import has_place_for
from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.rules.ruleset import with_house_rules

SHORT = with_house_rules(CUTTHROAT_LITE, {"target": "30"})
NOBODY = Round((None, None, None))
BIDS = Round((2, 2, 2))
PLAYED = Round((2, 2, 2), (2, 2, 6))
WON = Round((3, 3, 3), (3, 3, 4))


@pytest.mark.parametrize(
    ("rounds", "number", "sent", "place"),
    [
        pytest.param([], 1, BIDS, True, id="the first round"),
        pytest.param([], 2, PLAYED, False, id="a round after one that was never played"),
        pytest.param([PLAYED], 2, PLAYED, True, id="the next round"),
        pytest.param([PLAYED], 1, WON, True, id="a correction"),
        pytest.param([PLAYED, BIDS], 2, PLAYED, True, id="the round that is open"),
        pytest.param([PLAYED, BIDS], 3, PLAYED, False, id="a round after one that is open"),
        pytest.param([PLAYED, WON], 3, PLAYED, True, id="one played after the end"),
        pytest.param([PLAYED, WON], 3, BIDS, False, id="only bids after the end"),
        pytest.param([PLAYED, WON], 4, PLAYED, False, id="one further after the end"),
        pytest.param([PLAYED, WON, BIDS], 3, PLAYED, True, id="one left open after the end"),
        pytest.param([PLAYED, WON, BIDS], 4, PLAYED, False, id="one after it"),
        pytest.param([PLAYED, WON], 2, NOBODY, True, id="the last round, taken back"),
    ],
)
def test_a_game_has_a_place_for(rounds: list[Round], number: int, sent: Round, place: bool) -> None:
    board = fold(SHORT, 3, 2, rounds)
    assert has_place_for(board, rounds, number, sent) is place
