"""A penalty that loses the game ends it at once; a round without tricks does not score."""

import pytest

from scorekeeper.rules.game import GameState, fold
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import CUTTHROAT, PARTNERSHIP
from scorekeeper.rules.result import alternatives, awards
from scorekeeper.rules.round import Round
from tests.rules.tables import rounds

PLAYED = "4/4/2/3 : 4/4/2/3"  # 60 to 70
LOST = "{seat}:lost:1:nobody:renege"


def played(text: str) -> GameState:
    return fold(PARTNERSHIP, 4, 3, rounds(text))


@pytest.mark.parametrize(
    ("facts", "winner", "number", "totals"),
    [
        ("/// ! 1:lost:1:nobody:renege", 1, 1, (0, 0)),
        ("4/4// ! 2:lost:1:nobody:renege", 0, 1, (0, 0)),
        (f"{PLAYED} ; 4/4/2/3 ! 4:lost:1:nobody:renege", 0, 2, (60, 70)),
        (f"{PLAYED} ! 2:lost:1:nobody:renege", 0, 1, (60, 70)),
        (f"{PLAYED} ; 4/4/2/3 ! 1:lost:1:nobody:renege 2:lost:1:nobody:renege", 1, 2, (60, 70)),
    ],
)
def test_the_other_side_wins_at_once(
    facts: str, winner: int, number: int, totals: tuple[int, ...]
) -> None:
    state = played(facts)
    assert state.phase == "over"
    assert state.outcome is not None
    assert (state.outcome.reason, state.outcome.winner) == ("penalty", winner)
    assert (state.number, state.standing.totals) == (number, totals)
    assert [round_.number for round_ in state.rounds] == list(range(1, facts.count(" : ") + 1))
    assert alternatives(state) == []
    assert all(winner_seat in range(4) for one in awards(state) for [winner_seat, _] in one.seats)


def test_a_lost_game_wins_over_the_target() -> None:
    facts = " ; ".join([PLAYED] * 8)
    assert played(facts).outcome == ("target", 1, ())
    lost = played(f"{facts} ! 2:lost:1:nobody:renege")
    assert lost.outcome == ("penalty", 0, ())


def test_where_both_lose_at_equal_totals_they_play_on() -> None:
    both = (Penalty(0, "lost", 1, "nobody", "renege"), Penalty(1, "lost", 1, "nobody", "renege"))
    open_ = Round((4, 4, 2, 3)).noted(penalties=both)
    assert fold(PARTNERSHIP, 4, 3, [open_]).phase == "playing"
    scored = fold(PARTNERSHIP, 4, 3, [open_._replace(tricks=(4, 4, 2, 3))])
    assert scored.outcome == ("penalty", 1, ())


def test_who_plays_alone_leaves_the_win_to_the_best_of_the_others() -> None:
    first = Round((4, 3, 2, 3), (4, 4, 2, 3))
    lost = Round((None,) * 4).noted(penalties=(Penalty(0, "lost", 1, "nobody", "renege"),))
    state = fold(CUTTHROAT, 4, 3, [first, lost])
    assert state.standing.totals == (40, 31, 20, 30)
    assert state.outcome == ("penalty", 1, ())
