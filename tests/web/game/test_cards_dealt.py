"""A round that is dealt other cards than the list of the rules says."""

import io
from typing import Any, ClassVar

import pytest

from scorekeeper.files.csv_reader import read_games
from scorekeeper.files.json import games_of_json
from scorekeeper.store.check import faults
from tests.web.checklist import VersionChecklist
from tests.web.play import Table, page_of


class TestCards(VersionChecklist):
    __test__ = True
    fields: ClassVar = {"cards": "3"}

    @classmethod
    def prepare(cls, table: Table) -> None:
        table.new_game("kachufool")

    def address(self, table: Table) -> str:
        return table.round_path("cards", 1)


@pytest.fixture
def kachufool(table: Table) -> Table:
    """A game whose first round has one card."""
    table.new_game("kachufool")
    return table


def deal(table: Table, cards: object, number: int = 1) -> Any:
    return table.post(table.round_path("cards", number), table.fresh(cards=str(cards)))


def test_bids_and_tricks_are_those_of_the_cards_that_were_dealt(kachufool: Table) -> None:
    assert "1 card" in page_of(kachufool.get(kachufool.path)).text
    assert deal(kachufool, 3).status_code == 303
    assert "3 cards" in page_of(kachufool.get(kachufool.path)).text
    assert kachufool.bid(4).status_code == 422
    kachufool.play_round((1, 1, 0, 2), (1, 1, 0, 1))
    assert kachufool.state.standing.totals == (11, 11, 10, 0)
    assert kachufool.state.round_rules.tricks == 2  # the list goes on
    assert not [*faults(kachufool.store)]


def test_bids_are_removed_and_the_number_of_the_list_is_none(kachufool: Table) -> None:
    deal(kachufool, 3)
    kachufool.bid(2)
    deal(kachufool, 1)
    assert kachufool.game.round(1) == kachufool.game.empty_round
    kachufool.undo()
    assert kachufool.game.round(1).notes.cards == 3
    assert 2 in kachufool.game.round(1).bids
    kinds = [row["kind"] for row in kachufool.store.db.query("SELECT kind FROM changes")]
    assert kinds.count("cards") == 2
    assert "3 cards dealt" in page_of(kachufool.get(f"{kachufool.path}/changes")).text


@pytest.mark.parametrize("cards", [0, 14, "", "x", "-1"])
def test_what_cannot_be_dealt_is_refused(kachufool: Table, cards: object) -> None:
    before = kachufool.everything()
    answer = deal(kachufool, cards)
    assert answer.status_code in (400, 422)
    assert kachufool.everything() == before


def test_a_scored_round_and_rules_without_a_list_have_their_cards(table: Table) -> None:
    table.new_game("cutthroat")
    assert "same cards here" in page_of(deal(table, 5)).alerts
    table.new_game("kachufool")
    table.play_round((0, 0, 0, 0), (1, 0, 0, 0))
    assert "already scored" in page_of(deal(table, 5)).alerts


def test_files_bring_the_cards_again(kachufool: Table) -> None:
    deal(kachufool, 3)
    kachufool.play_round((1, 1, 0, 2), (1, 1, 0, 1))
    text = kachufool.get(f"{kachufool.path}.csv").get_data()
    sheets = [one.notes.cards for sheet in read_games(io.BytesIO(text)) for one in sheet.rounds]
    [record] = games_of_json(io.BytesIO(kachufool.get(f"{kachufool.path}.json").get_data()))
    assert sheets == [one.notes.cards for one in record.rounds] == [3]
    assert all(line.rstrip().endswith(b",3,,,") for line in text.splitlines()[1:])


def test_programs_send_and_read_the_cards(kachufool: Table) -> None:
    facts = kachufool.get(f"{kachufool.path}/phone.json").get_json()["game"]
    assert "cards" not in (facts["rounds"] or [{}])[0]
    deal(kachufool, 3)
    facts = kachufool.get(f"{kachufool.path}/phone.json").get_json()["game"]
    assert facts["rounds"][0]["cards"] == 3
