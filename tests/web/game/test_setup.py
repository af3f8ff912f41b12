"""The form of a new game: rule books as cards, as many seats as play, seats shuffled."""

import pytest

from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.text import rule_books
from tests.web.play import CENTRE, EAST, NORTH, PLAYERS, SOUTH, WEST, Table, page_of

SEATS = {
    "as many as are chosen": ("cutthroat-lite", "3", 3),
    "all of them": ("cutthroat-lite", "5", 5),
    "as many as the rules are for": ("partnership", "3", 4),
    "all where nothing is chosen": ("cutthroat-lite", "", 5),
}


@pytest.mark.parametrize(("rules", "seats", "playing"), SEATS.values(), ids=SEATS.keys())
def test_only_the_chosen_seats_play(table: Table, rules: str, seats: str, playing: int) -> None:
    assert table.new_game(rules, PLAYERS, seats=seats).status_code == 303
    assert table.game.names == PLAYERS[:playing]


def test_a_number_that_the_rules_are_not_for_is_refused(still: Table) -> None:
    answer = still.new_game("cutthroat-lite", PLAYERS[:4], seats="9")
    assert answer.status_code == 422
    page = page_of(answer)
    assert page.texts("p[@id='seats-error']") == ["Cutthroat Spades LITE is for 2 to 7 players."]
    fields = page.form("new-game").fields
    assert (fields["seats"], fields["player-4"]) == ("9", WEST)


def test_a_seat_without_a_name_is_asked_for_where_so_many_were_chosen(still: Table) -> None:
    before = still.everything()
    answer = still.new_game("cutthroat-lite", PLAYERS[:4], seats="5", stake="2")
    assert answer.status_code == 422
    page = page_of(answer)
    assert page.texts("p[@id='seats-error']") == ["Name seat 5 to start"]
    fields = page.form("new-game").fields
    assert (fields["seats"], fields["player-4"], fields["stake"]) == ("5", WEST, "2")
    assert still.everything() == before


def test_names_beyond_the_chosen_seats_stay_typed(still: Table) -> None:
    answer = still.new_game(players=PLAYERS, seats="3", stake="?")
    fields = page_of(answer).form("new-game").fields
    assert (fields["seats"], fields["player-4"], fields["player-5"]) == ("3", WEST, CENTRE)


def test_a_seat_beyond_the_chosen_ones_cannot_deal(still: Table) -> None:
    answer = still.new_game(players=PLAYERS, seats="3", first_dealer=4)
    assert page_of(answer).error_of("first_dealer") == "Choose a player as first dealer."


def test_house_rules_for_fewer_players_drop_no_name(still: Table) -> None:
    answer = still.new_game(tricks=17, seats="4")
    assert answer.status_code == 422
    assert "17 cards each for 4 players is more than a full deck" in page_of(answer).text


def test_the_form_has_as_many_seats_as_the_last_game(table: Table) -> None:
    assert table.page("/games/new").form("new-game").fields["seats"] == "4"
    table.new_game(players=PLAYERS[:3])
    assert table.page("/games/new").form("new-game").fields["seats"] == "3"


def test_seats_are_shuffled_among_those_who_play(
    still: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("random.SystemRandom.shuffle", lambda _self, seats: seats.reverse())
    players = (NORTH, "", SOUTH, WEST, CENTRE)
    answer = still.new_game(players=players, seats="4", move="shuffle", stake="5")
    fields = page_of(answer).form("new-game").fields
    assert [fields[f"player-{n}"] for n in range(1, 6)] == [WEST, "", SOUTH, NORTH, CENTRE]
    assert fields["stake"] == "5"


STAKES = {"winner": "per player", "points": "per point", "rank": "per place"}


@pytest.mark.parametrize(("by", "label"), STAKES.items())
def test_a_stake_is_asked_for_as_the_rules_pay_it(still: Table, by: str, label: str) -> None:
    page = page_of(still.new_game(stake="?", stake_by=by))
    assert page.texts("label[@for='stake']") == [f"Stake {label} (optional)"]


def test_a_stake_is_asked_for_as_the_tables_own_rules_pay_it(table: Table) -> None:
    table.new_game(stake_by="points")
    assert "Stake per point (optional)" in table.page("/games/new").text


ENTER = {
    "the next": ((NORTH, "", "", ""), "player-2"),
    "one left out": ((NORTH, " ", SOUTH, WEST), "player-2"),
    "the first": (("", EAST, SOUTH, WEST), "player-1"),
}


@pytest.mark.parametrize(("players", "focused"), ENTER.values(), ids=ENTER.keys())
def test_enter_moves_the_focus_to_an_empty_seat(
    still: Table, players: tuple[str, ...], focused: str
) -> None:
    answer = still.new_game(players=players, seats="4", next="seat", stake="5")
    page = page_of(answer)
    assert answer.status_code == 200
    assert page.form("new-game").fields["stake"] == "5"
    assert page.one("input[@autofocus]").get("id") == focused


def test_enter_starts_the_game_once_every_seat_has_a_name(table: Table) -> None:
    assert table.new_game(players=PLAYERS, seats="4", next="seat").status_code == 303
    assert table.game.names == PLAYERS[:4]


LINES = {
    "cutthroat-lite": "Solo · 10 cards · to 125",
    "cutthroat": "Solo · 13 cards · to 500",
    "partnership": "Two teams · blind Nil · to 500",
    "partnership-sandbags": "Two teams · blind Nil · every 10 bags cost 100 · to 500",
    "partnership-500": "Two teams · every 10 bags cost 100 · to 500",
    "partnership-250": "Two teams · every 5 bags cost 50 · to 250",
}


@pytest.mark.parametrize(("key", "line"), LINES.items())
def test_a_rule_book_is_told_in_one_line(key: str, line: str) -> None:
    assert rule_books.book_line(PRESETS[key]) == line


@pytest.mark.parametrize("title", ["Partners", "Oh Hell & Wizard"])
def test_rule_books_of_a_group_have_lines_of_their_own(title: str) -> None:
    books = [rules for rules in PRESETS.values() if rule_books.group_of(rules) == title]
    assert len({rule_books.book_line(rules) for rules in books}) == len(books) > 1


@pytest.mark.parametrize("chosen", ["cutthroat-lite", "partnership-250", "forty-one"])
def test_the_form_opens_with_the_group_of_the_chosen_rules_which_come_first(
    table: Table, chosen: str
) -> None:
    table.new_game(chosen, PLAYERS[:4])
    page = table.page("/games/new")
    (group,) = page.all("input[@name='group'][@checked]")
    first, *_others = page.all(f"div[@data-group='{group.get('value')}']/label/input")
    assert (first.get("value"), first.get("checked")) == (chosen, "checked")


def test_every_rule_book_is_in_one_group(table: Table) -> None:
    books = [book.get("value", "") for book in table.page("/games/new").all("input[@name='rules']")]
    assert sorted(books) == sorted(PRESETS)


def test_a_phone_is_told_the_groups(table: Table) -> None:
    books = table.get("/phone.json").json["books"]
    grouped = {book["key"] for book in books if book["group"] == "Tournament"}
    assert grouped == {"cookout", "convention", "timed"}


def test_names_of_earlier_games_are_offered(table: Table) -> None:
    table.new_game(players=(NORTH, EAST, SOUTH))
    names = [chip.get("value") for chip in table.page("/games/new").all("button[@class='chip']")]
    assert names == [NORTH, EAST, SOUTH]
