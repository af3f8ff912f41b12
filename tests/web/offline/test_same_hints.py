"""The phone gives the same hints as the server near the end of a game of every rule book."""

import random

from scorekeeper.rules.hints import HINTS, hints
from scorekeeper.rules.presets import PRESETS
from tests.properties import counts
from tests.rules.certain import positions
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import plain

# Those of house rules are among the random games.
OF_BOOKS = {*HINTS} - {"may_blind_nil", "mercy", "set_may_lose", "tied", "bags_paid"}
FEW, MANY = 3, 60


@counts("number", FEW, MANY)
def test_positions_of_rule_books_have_the_same_hints(ask: Ask, number: int) -> None:
    seen: set[str] = set()
    for key, book in PRESETS.items():
        dice = random.Random(key)
        states = [state for _ in range(number) for state in positions(book, dice)]
        asked = [(state, side) for state in states for side in range(len(state.sides))]
        phone = ask("call", [["hints", plain(state), side] for state, side in asked])
        for (state, side), told in zip(asked, phone, strict=True):
            expected = plain(hints(state, side))
            assert told == expected, f"{side} of {state}"
            seen.update(one["code"] for one in expected)
    assert seen >= OF_BOOKS or number == FEW
