"""The next game on the phone: the dealer is the one that the server would choose."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from scorekeeper.rules.game import fold
from scorekeeper.rules.result import rematch_dealer
from scorekeeper.web.game.rematch import seating
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import plain
from tests.web.offline.luck import STARTERS, Luck
from tests.web.offline.test_random_games import SEED

GAMES = 200


def dealers(case: Any) -> list[int | None]:
    """Return who deals next: the winner, where the deal moves on, or by the rules of the case."""
    state = fold(case.rules, case.players, case.first_dealer, case.rounds)
    names = STARTERS[: case.players]
    last: Any = SimpleNamespace(names=names, rules=case.rules, state=state)
    passes: Any = SimpleNamespace(
        names=names, rules=replace(case.rules, rematch_dealer="next"), state=state
    )
    return [
        seating(last, "winner").dealer,
        *(rematch_dealer(one.rules, one.state) for one in (passes, last)),
    ]


def test_the_next_dealer_is_the_same_as_on_the_server(ask: Ask) -> None:
    cases = [Luck(SEED * GAMES + n).case() for n in range(GAMES)]
    asked = [[c.rules, c.players, c.first_dealer, c.rounds] for c in cases]
    assert ask("nextDealers", plain(asked)) == [dealers(case) for case in cases]
