"""The next game with the same players."""

import secrets
from datetime import timedelta

import pytest
from werkzeug.test import TestResponse

from scorekeeper.clock import now, stamp
from scorekeeper.store.connection import scalar
from tests.web.checklist import Checklist
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
    "the last seat": ("cutthroat-lite", {"first_dealer": 2}, f"Same seats · {WEST} deals"),
    "the next one": (
        "cutthroat-lite",
        {"first_dealer": 1, "rematch_dealer": "next"},
        f"Same seats · {EAST} deals",
    ),
    "drawn": ("cutthroat", {}, "Same seats"),
}


@pytest.mark.parametrize(("book", "fields", "line"), DEALERS.values(), ids=DEALERS.keys())
def test_the_button_says_which_seats_it_starts_and_who_deals(
    table: Table, book: str, fields: dict[str, object], line: str
) -> None:
    table.new_game(book, target=30, **fields)
    tricks = (6, 2, 1, 4) if book == "cutthroat" else (3, 2, 1, 4)
    table.play_round((3, 2, 1, 4), tricks)
    lines = table.page().texts("form[@id='rematch']/button/small")
    assert lines == [line, f"Winner deals · {WEST}", "Shuffle"]


def seats_shown(table: Table, way: str) -> list[str]:
    return table.page().texts(f"form[@id='rematch']//ol[@data-way='{way}']/li")


def test_the_seats_stand_in_the_order_of_the_bids(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 5, 1, 1), (2, 6, 1, 1))
    assert seats_shown(table, "same") == [f"{NORTH} bids first", EAST, SOUTH, f"D {WEST} deals"]
    assert seats_shown(table, "winner") == [f"{SOUTH} bids first", WEST, NORTH, f"D {EAST} deals"]
    assert table.page().texts("p[@data-way='draw']") == ["The seats are drawn when it starts."]


def test_seats_go_the_other_way_where_the_deal_does(table: Table) -> None:
    table.new_game("partnership-500", target=61, first_dealer=3, clockwise="no")
    table.play_round((3, 2, 3, 2), (4, 3, 3, 3))
    assert [name.split()[-1] for name in seats_shown(table, "same")][1:3] == [WEST, SOUTH]


def test_nobody_is_said_to_deal_where_chance_chooses(table: Table) -> None:
    table.new_game("cutthroat", target=30)
    table.play_round((3, 2, 1, 4), (6, 2, 1, 4))
    assert seats_shown(table, "same") == [NORTH, EAST, SOUTH, WEST]


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
    ways = table.page().all("form[@id='rematch']/input[@name='way']")
    assert [way.get("value") for way in ways] == ["same", "winner", "draw"]
    assert [way.get("value") for way in ways if way.get("checked") is not None] == ["same"]


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


def test_seats_that_a_phone_has_drawn_are_started(table: Table) -> None:
    finished(table)
    play_again(table, way="draw", order="3 1 4 2")
    assert table.game.names == (SOUTH, NORTH, WEST, EAST)
    assert table.game.first_dealer == 3


@pytest.mark.parametrize("way", ["same", "winner"])
def test_an_order_is_for_drawn_seats_alone(table: Table, way: str) -> None:
    finished(table)
    play_again(table, way=way, order="3 1 4 2")
    assert table.game.names == (NORTH, EAST, SOUTH, WEST)


@pytest.mark.parametrize("order", ["1 2 3", "1 2 3 3", "1 2 3 5", "0 1 2 3", "a", "٣ 1 2 4", "-1"])
def test_an_order_of_other_seats_is_refused(table: Table, order: str) -> None:
    finished(table)
    before = table.everything()
    answer = table.send(table.page().form("/again"), way="draw", order=order)
    assert answer.status_code == 400
    assert page_of(answer).alerts
    assert table.everything() == before


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


# Where the same players have another game running


def begin_another(table: Table, *rounds: object, names: tuple[str, ...] = PLAYERS[:4]) -> str:
    """Play some rounds of another game, and return its path; the page stays at the first one."""
    over = table.game_id
    table.new_game(players=names, target=200)
    for _round in rounds:
        table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    path, table.game_id = table.path, over
    return path


def rematch_of(table: Table, **fields: object) -> TestResponse:
    return table.send(table.page().form("/again"), **fields)


def games(table: Table) -> int:
    count: int = scalar(table.store.db, "SELECT count(*) FROM games")
    return count


def test_another_game_of_the_same_players_is_asked_about(table: Table) -> None:
    finished(table)
    other = begin_another(table, 1)
    asked = page_of(rematch_of(table))
    assert games(table) == 2
    assert asked.texts("h2") == ["These players have a game open"]
    assert f"Round 2 · {NORTH} 30, {EAST} 20, {SOUTH} 10, {WEST} 40" in asked.text
    assert asked.one("a[@class='button strong']").get("href") == other
    assert "Same seats · West deals · the other stays open" in asked.text


def test_the_rematch_is_started_beside_it_once(table: Table) -> None:
    finished(table)
    other = begin_another(table, 1)
    form = page_of(rematch_of(table, way="draw", order="3 1 4 2")).form("/again")
    starts = {table.send(form).location for _ in range(3)}
    assert games(table) == 3
    (started,) = starts
    assert started != other
    table.game_id = started.rpartition("/")[2]
    assert table.game.names == (SOUTH, NORTH, WEST, EAST)


def test_the_home_page_asks_too(table: Table) -> None:
    finished(table)
    begin_another(table, 1)
    answer = table.send(table.page("/").form("/again"))
    assert page_of(answer).texts("h2") == ["These players have a game open"]


def test_the_rematch_that_others_play_on_is_asked_about_once_it_has_a_round(table: Table) -> None:
    finished(table)
    other = table.second_phone()
    theirs = other.page().form("/again")
    play_again(table)
    table.play_round((1, 1, 1, 1), (1, 1, 1, 7))
    answer = other.send(theirs)
    assert page_of(answer).one("a[@class='button strong']").get("href") == table.path


def test_who_answers_about_a_game_that_another_has_followed_is_asked_again(table: Table) -> None:
    finished(table)
    begin_another(table, 1)
    form = page_of(rematch_of(table)).form("/again")
    newer = begin_another(table, 1, 2)
    asked = page_of(table.send(form))
    assert asked.one("a[@class='button strong']").get("href") == newer


def test_a_game_that_is_not_there_answers_nothing(table: Table) -> None:
    finished(table)
    begin_another(table, 1)
    before = table.everything()
    assert page_of(rematch_of(table, beside="nothing")).texts("h2")
    assert table.everything() == before


def test_a_game_without_an_entry_is_not_asked_about(table: Table) -> None:
    finished(table)
    begin_another(table)
    assert rematch_of(table).status_code == 303


def test_a_game_of_other_players_is_not_asked_about(table: Table) -> None:
    finished(table)
    begin_another(table, names=(NORTH, EAST, SOUTH))
    assert rematch_of(table).status_code == 303


def test_a_game_that_nobody_touched_for_a_day_is_not_asked_about(table: Table) -> None:
    finished(table)
    other = begin_another(table, 1)
    with table.store.write() as db:
        ago = stamp(now() - timedelta(hours=25))
        db.execute("UPDATE games SET changed = ? WHERE id = ?", [ago, other.rpartition("/")[2]])
    assert rematch_of(table).status_code == 303


def test_seats_do_not_matter_for_who_plays(table: Table) -> None:
    finished(table)
    begin_another(table, 1, names=(WEST, EAST, NORTH, SOUTH))
    assert rematch_of(table).status_code == 200
