"""The next game with the same players."""

import secrets

import pytest

from tests.web.checklist import Checklist
from tests.web.page import text_of
from tests.web.play import EAST, NORTH, PLAYERS, SOUTH, WEST, Table, page_of

WAYS = ("winner", "draw")


class TestAddress(Checklist):
    __test__ = True

    def address(self, table: Table) -> str:
        return f"{table.path}/again"


def finished(table: Table, **fields: object) -> None:
    table.new_game(target=30, **fields)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))


def play_again(table: Table, **button: str) -> None:
    """Tap "Play again", or a button beside it, and go where it leads."""
    answer = table.send(table.page().form("/again"), **button)
    assert answer.status_code == 303
    table.game_id = answer.location.rpartition("/")[2]


def test_rules_seats_and_stake_are_the_same(table: Table) -> None:
    finished(table, stake="2,50")
    last = table.game
    play_again(table)
    assert table.game.id != last.id
    assert (table.game.rules, table.game.names, table.game.stake) == (
        last.rules,
        last.names,
        last.stake,
    )
    assert table.game.rounds == ()


def test_the_finished_game_stays_as_it_was(table: Table) -> None:
    finished(table)
    before, first = table.game, table.game_id
    play_again(table)
    table.bid(3)
    table.game_id = first
    assert table.game == before


def test_the_last_seat_deals_first_where_the_book_says_so(table: Table) -> None:
    finished(table, first_dealer=2)
    play_again(table)
    assert table.game.first_dealer == 3


@pytest.mark.parametrize("book", ["partnership-500", "partnership-250"])
@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_the_deal_moves_on_where_the_book_says_so(table: Table, book: str, rounds: int) -> None:
    table.new_game(book, target=61 * rounds, first_dealer=2)
    for _round in range(rounds):
        table.play_round((3, 2, 3, 2), (4, 3, 3, 3))
    play_again(table)
    assert table.game.first_dealer == (1 + rounds) % 4


def test_the_deal_moves_on_the_other_way_where_it_is_counterclockwise(table: Table) -> None:
    table.new_game("partnership-500", target=61, first_dealer=2, clockwise="no")
    table.play_round((3, 2, 3, 2), (4, 3, 3, 3))
    play_again(table)
    assert table.game.first_dealer == 0


DEALERS = {
    "the last seat": ("cutthroat-lite", {"first_dealer": 2}, "Rematch West deals"),
    "the next one": (
        "cutthroat-lite",
        {"first_dealer": 1, "rematch_dealer": "next"},
        "Rematch East deals",
    ),
    "drawn": ("cutthroat", {}, "Rematch"),
}


@pytest.mark.parametrize(("book", "fields", "button"), DEALERS.values(), ids=DEALERS.keys())
def test_the_button_says_who_deals(
    table: Table, book: str, fields: dict[str, object], button: str
) -> None:
    table.new_game(book, target=30, **fields)
    tricks = (6, 2, 1, 4) if book == "cutthroat" else (3, 2, 1, 4)
    table.play_round((3, 2, 1, 4), tricks)
    assert text_of(table.page().one("form[@id='rematch']")) == button


def test_a_table_can_choose_the_dealer_of_a_rematch_by_the_book(table: Table) -> None:
    book = {"rematch_dealer": "as_first", "first_dealer": "2"}
    table.new_game("partnership-500", target=61, **book)
    assert table.game.rules.rematch_dealer == "as_first"
    table.new_game("cutthroat-lite", target=30, rematch_dealer="next", first_dealer=1)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    play_again(table)
    assert table.game.first_dealer == 1


def test_the_home_page_offers_it(table: Table) -> None:
    finished(table)
    form = table.page("/").form("/again")
    assert table.send(form).status_code == 303


def test_a_double_tap_starts_one_game(table: Table) -> None:
    finished(table)
    form = table.page().form("/again")
    first, second = table.send(form), table.send(form)
    assert first.location == second.location


def test_another_phone_that_taps_later_comes_to_the_game_that_was_started(table: Table) -> None:
    finished(table)
    other = table.second_phone()
    theirs = other.page().form("/again")
    play_again(table)
    table.bid(3)
    assert other.send(theirs).location == table.path


def test_after_that_game_the_next_one_starts(table: Table) -> None:
    finished(table)
    first = table.game_id
    play_again(table)
    second = table.game_id
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    play_again(table)
    assert table.game_id not in (first, second)


@pytest.fixture
def turned_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let chance turn the seats around."""

    def reverse(_chance: object, names: list[str]) -> None:
        names.reverse()

    monkeypatch.setattr(secrets.SystemRandom, "shuffle", reverse)


def test_the_page_offers_each_way(table: Table) -> None:
    finished(table)
    assert table.page().form("/again").buttons == [{"way": "winner"}, {"way": "draw"}]


def test_the_winner_can_deal(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 5, 1, 1), (2, 6, 1, 1))
    play_again(table, way="winner")
    assert (table.game.first_dealer, table.game.names) == (1, (NORTH, EAST, SOUTH, WEST))


@pytest.mark.parametrize(("dealt_last", "deals"), [(1, 3), (2, 3), (3, 1), (4, 1)])
def test_of_partners_the_one_deals_whose_turn_comes_sooner(
    table: Table, dealt_last: int, deals: int
) -> None:
    table.new_game("partnership", target=30, first_dealer=dealt_last)
    table.play_round((5, 3, 2, 3), (4, 3, 3, 3))
    play_again(table, way="winner")
    assert table.game.first_dealer == deals - 1


@pytest.mark.usefixtures("turned_around")
def test_seats_can_be_drawn(table: Table) -> None:
    finished(table, first_dealer=2)
    play_again(table, way="draw")
    assert table.game.names == (WEST, SOUTH, EAST, NORTH)
    assert table.game.first_dealer == 3


def test_drawn_seats_lose_nobody(table: Table) -> None:
    table.new_game(players=PLAYERS, target=20)
    table.play_round((2, 1, 1, 1, 1), (2, 2, 2, 2, 2))
    play_again(table, way="draw")
    assert sorted(table.game.names) == sorted(PLAYERS)


@pytest.mark.parametrize("way", WAYS)
def test_two_taps_on_a_button_beside_it_start_one_game(table: Table, way: str) -> None:
    finished(table)
    other = table.second_phone()
    form, theirs = table.page().form("/again"), other.page().form("/again")
    places = {table.send(form, way=way).location for _ in range(4)}
    assert places == {other.send(theirs, way="draw").location}


def test_no_other_way_is_known(table: Table) -> None:
    finished(table)
    before = table.everything()
    answer = table.send(table.page().form("/again"), way="nobody")
    assert answer.status_code == 400
    assert page_of(answer).alerts
    assert table.everything() == before
