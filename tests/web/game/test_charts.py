"""The lines of a chart."""

import pytest

from scorekeeper.web.game.charts import APART, Frame, mark_of, spread

EXAMPLES = {
    "nothing in common": ([[0, 5], [1, 6]], [[0, 5], [1, 6]]),
    "one shared point": ([[0, 5, 9], [1, 5, 8]], [[0, 5, 9], [1, 5, 8]]),
    "two the same": (
        [[0, 5, 9], [0, 5, 8]],
        [[-APART / 2, 5 - APART / 2, 9], [APART / 2, 5 + APART / 2, 8]],
    ),
    "three the same": ([[1, 1]] * 3, [[1 - APART] * 2, [1, 1], [1 + APART] * 2]),
    "before the first round": ([[0], [0]], [[0], [0]]),
}


@pytest.mark.parametrize(("lines", "expected"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_lines_that_coincide_are_drawn_side_by_side(
    lines: list[list[float]], expected: list[list[float]]
) -> None:
    assert spread(lines) == expected


@pytest.mark.parametrize(("rounds", "mark"), [(1, "mark"), (15, "mark"), (16, "")])
def test_each_round_has_the_shape_of_its_seat_until_there_are_too_many(
    rounds: int, mark: str
) -> None:
    assert mark_of(Frame(0, 1, 0, 1, rounds, 0, 1), "mark") == mark
