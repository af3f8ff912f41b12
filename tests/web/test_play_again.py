"""The next game with the same players."""

from tests.web.checklist import Checklist
from tests.web.play import Table


class TestAddress(Checklist):
    __test__ = True

    def address(self, table: Table) -> str:
        return f"{table.path}/again"


def finished(table: Table, **fields: object) -> None:
    table.new_game(target=30, **fields)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))


def play_again(table: Table) -> None:
    """Tap "Play again" and go where it leads."""
    answer = table.send(table.page().form("/again"))
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
