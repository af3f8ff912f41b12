"""Another player takes a seat in the middle of a game."""

from typing import ClassVar

import pytest

from scorekeeper.rules.seating import Substitute
from tests.web.checklist import VersionChecklist
from tests.web.play import Table, page_of

EVE = {"seat": 4, "name": "Eve"}
HAND = (3, 2, "nil", 4), (3, 4, 0, 3)


class TestSeats(VersionChecklist):
    __test__ = True
    fields: ClassVar = EVE

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.bid(3)

    def address(self, table: Table) -> str:
        return table.round_path("seats", 1)


@pytest.fixture
def replaced(game: Table) -> Table:
    """A game in which Eve plays for West from round 2 on."""
    game.play_round(*HAND)
    game.send(game.round_form("/seats"), **EVE)
    return game


def test_the_total_goes_on_and_the_page_says_who_sits_there(replaced: Table) -> None:
    assert replaced.game.names == ("North", "East", "South", "Eve")
    assert "Eve takes the seat of West" in replaced.page().text
    replaced.play_round(*HAND)
    assert replaced.totals == (60, 44, 100, -80)
    assert replaced.game.names_in(1)[3] == "West"


def test_pages_of_rounds_say_who_sat_there_then(replaced: Table) -> None:
    replaced.play_round(*HAND)
    first, second = (replaced.page(f"{replaced.path}/rounds/{n}").text for n in (1, 2))
    assert "West took" in first
    assert "Eve took" not in first
    assert "Eve" in second
    assert "Round 2: Eve takes the seat of West" in replaced.page(f"{replaced.path}/sheet").text


def test_it_is_in_the_change_log_undone_and_redone(replaced: Table) -> None:
    assert "Eve takes the seat of West" in replaced.page(f"{replaced.path}/changes").text
    replaced.undo()
    assert replaced.game.names[3] == "West"
    replaced.send(replaced.page().form("/redo"))
    assert replaced.game.round(2).notes.substitutes == (Substitute(3, "Eve"),)


def test_a_known_name_is_one_tap(game: Table) -> None:
    game.new_game("cutthroat-lite", ("Ana", "Ben", "Cy", "Dana"))
    assert {"player": "North"} in game.round_form("/seats").buttons
    game.send(game.round_form("/seats"), seat=1, player="North")
    assert game.game.names == ("North", "Ben", "Cy", "Dana")


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"seat": 4, "name": "east"}, 422, "This player already sits at the table."),
        ({"seat": 4, "name": "West"}, 422, "This player already sits at the table."),
        ({"seat": 4, "name": ""}, 422, "Enter a name"),
        ({"seat": 5, "name": "Eve"}, 422, ""),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(
    game: Table, fields: dict[str, object], status: int, sentence: str
) -> None:
    answer = game.post(game.round_path("seats", 1), game.fresh(**fields))
    assert answer.status_code == status
    assert sentence in page_of(answer).alerts
    assert not game.game.rounds


def test_a_rematch_starts_with_those_who_sat_there_in_the_end(replaced: Table) -> None:
    replaced.send(replaced.page().form("/last"))
    replaced.play_round(*HAND)
    assert replaced.state.phase == "over"
    answer = replaced.send(replaced.page().form("/again"))
    replaced.game_id = answer.location.rpartition("/")[2]
    assert replaced.game.starters == ("North", "East", "South", "Eve")
