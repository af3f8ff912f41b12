"""Two players change seats after the start, from a round on."""

from typing import ClassVar

import pytest

from scorekeeper.store.check import faults
from tests.web.checklist import VersionChecklist
from tests.web.play import EAST, NORTH, SOUTH, WEST, Table, page_of

BIDS, TRICKS = (3, 2, 2, 3), (3, 2, 2, 3)


class TestSwap(VersionChecklist):
    __test__ = True
    fields: ClassVar = {"seat": ["1", "2"]}

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.play_round(BIDS, TRICKS)

    def address(self, table: Table) -> str:
        return table.round_path("swap", 2)


def swap(table: Table, *seats: object) -> int:
    fields = table.fresh(seat=[str(seat) for seat in seats])
    return table.post(table.round_path("swap"), fields).status_code


def test_partners_sat_down_wrongly_and_nothing_is_scored(table: Table) -> None:
    table.new_game("partnership")
    assert swap(table, 2, 3) == 303
    assert table.game.names == (NORTH, SOUTH, EAST, WEST)
    assert [table.game.side_names(side) for side in (0, 1)] == [[NORTH, EAST], [SOUTH, WEST]]
    table.play_round((3, 3, 3, 3), (3, 4, 3, 3))
    assert not [*faults(table.store)]


def test_what_is_scored_stays_with_who_played_it(game: Table) -> None:
    game.play_round(BIDS, TRICKS)
    before = dict(zip(game.game.names, game.totals, strict=True))
    game.bid(3, seat=1)
    assert swap(game, 1, 4) == 303
    assert game.game.names == (WEST, EAST, SOUTH, NORTH)
    assert dict(zip(game.game.names, game.totals, strict=True)) == before
    assert game.state.open.bids == (None, None, None, 3)
    game.undo()
    assert game.game.names == (NORTH, EAST, SOUTH, WEST)
    assert game.state.open.bids == (3, None, None, None)
    game.redo()
    assert game.game.names == (WEST, EAST, SOUTH, NORTH)
    assert not [*faults(game.store)]


def test_the_phone_goes_with_the_player_for_whom_it_plays(game: Table) -> None:
    game.play_round(BIDS, TRICKS)
    game.post(f"{game.path}/seat", game.fresh(seat=1))
    query = "SELECT seat FROM claims"
    assert game.store.db.execute(query).fetchall() == [(0,)]
    swap(game, 1, 4)
    assert game.store.db.execute(query).fetchall() == [(3,)]
    game.undo()
    assert game.store.db.execute(query).fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("seats", "status"),
    [(("1",), 422), (("1", "1"), 422), (("1", "2", "3"), 422), (("1", "9"), 422), (("x",), 422)],
)
def test_what_is_no_swap_is_refused_with_a_sentence(
    game: Table, seats: tuple[str, ...], status: int
) -> None:
    before = game.everything()
    answer = game.post(game.round_path("swap"), game.fresh(seat=list(seats)))
    assert answer.status_code == status
    assert page_of(answer).alerts
    assert game.everything() == before


def test_the_page_of_a_round_has_the_form_without_scripts(game: Table) -> None:
    form = game.round_form("/swap")
    assert form.action.endswith("/rounds/1/swap")
