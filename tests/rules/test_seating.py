"""Who sits where: substitutes of rounds, and what is refused."""

import pytest

from scorekeeper.rules.entry import Refused, take_seat
from scorekeeper.rules.game import Round
from scorekeeper.rules.seating import Substitute, Substitutes, check_seating, seated

TABLE = ("Ana", "Ben", "Cy", "Dana")
EVE, FAY = Substitute(3, "Eve"), Substitute(0, "Fay")
OPEN = Round((None,) * 4)


@pytest.mark.parametrize(
    ("rounds", "names"),
    [
        ([], TABLE),
        ([(), ()], TABLE),
        ([(), (EVE,)], ("Ana", "Ben", "Cy", "Eve")),
        ([(EVE, FAY), ()], ("Fay", "Ben", "Cy", "Eve")),
        ([(EVE,), (Substitute(3, "Gus"),)], ("Ana", "Ben", "Cy", "Gus")),
        ([(EVE,), (Substitute(3, "Dana"),)], TABLE),
        ([(EVE,), (Substitute(0, "Dana"),)], ("Dana", "Ben", "Cy", "Eve")),
    ],
)
def test_who_sits_where_after_some_rounds(rounds: list[Substitutes], names: Substitutes) -> None:
    assert seated(TABLE, rounds) == names
    assert check_seating(TABLE, rounds) == []


@pytest.mark.parametrize(
    "rounds",
    [
        [(Substitute(3, "Ana"),)],
        [(Substitute(0, "Eve"), EVE)],
        [(EVE,), (Substitute(0, "Eve"),)],
        [(Substitute(0, "Ben"), Substitute(1, "Ana"))],
    ],
    ids=["sits elsewhere", "two seats", "two seats later", "a swap"],
)
def test_nobody_sits_twice_or_moves(rounds: list[Substitutes]) -> None:
    assert [refusal.code for refusal in check_seating(TABLE, rounds)] == ["seated"]


@pytest.mark.parametrize(
    ("earlier", "before", "seat", "player", "after"),
    [
        ([], (), 3, "Eve", (EVE,)),
        ([()], (EVE,), 0, "Fay", (FAY, EVE)),
        ([()], (EVE,), 3, "Gus", (Substitute(3, "Gus"),)),
        ([()], (EVE,), 3, "Dana", ()),
        ([(EVE,)], (), 3, "Dana", (Substitute(3, "Dana"),)),
    ],
)
def test_a_player_takes_a_seat(
    earlier: list[Substitutes], before: Substitutes, seat: int, player: str, after: Substitutes
) -> None:
    round_ = OPEN._replace(substitutes=before)
    assert take_seat(TABLE, earlier, round_, seat, player).substitutes == after


@pytest.mark.parametrize(
    ("round_", "player", "code"),
    [
        (OPEN, "Ben", "seated"),
        (OPEN, "Dana", "seated"),
        (Round((3, 3, 3, 3), (4, 3, 3, 3)), "Eve", "substitute"),
    ],
)
def test_what_is_refused(round_: Round, player: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        take_seat(TABLE, [], round_, 3, player)
    assert [one.code for one in refused.value.refusals] == [code]
