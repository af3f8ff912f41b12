"""Starting a game: rule book, players, dealer, stake, house rules."""

from dataclasses import replace

import pytest

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES
from tests.web.page import Form, Page, text_of
from tests.web.play import CENTRE, EAST, NORTH, PLAYERS, SOUTH, WEST, Table, page_of

FOUR = (NORTH, EAST, SOUTH, WEST)


def test_a_good_form_leads_to_the_game(table: Table) -> None:
    answer = table.new_game()
    assert (answer.status_code, answer.location) == (303, table.path)
    assert table.game.names == FOUR
    assert table.game.rules == PRESETS["cutthroat-lite"]
    assert table.game.version == 1


def test_every_rule_book_can_be_played(table: Table) -> None:
    for key, rules in PRESETS.items():
        assert table.new_game(key, SEVEN[: max(rules.table_sizes)]).status_code == 303, key
        assert table.game.rules == rules


SEVEN = (*PLAYERS, "Sixth", "Seventh")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_lite_is_for_two_to_five_with_ten_cards(table: Table, players: int) -> None:
    assert table.new_game(players=PLAYERS[:players]).status_code == 303
    assert table.game.first_dealer == players - 1


@pytest.mark.parametrize(("seats", "tricks"), [(4, 13), (5, 10), (6, 8), (7, 7)])
def test_more_players_are_dealt_fewer_cards(table: Table, seats: int, tricks: int) -> None:
    assert table.new_game("cutthroat", SEVEN[:seats], seats=seats).status_code == 303
    assert (len(table.game.names), table.game.rules.tricks) == (seats, tricks)
    assert not table.page("/games/new").form("new-game").fields["tricks"]


def test_cards_that_were_typed_are_never_fewer(still: Table) -> None:
    page = page_of(still.new_game("cutthroat", SEVEN, seats=7, tricks=13))
    assert "13 cards each for 7 players is more" in page.error_of("tricks")


@pytest.mark.parametrize("method", ["get", "head", "put", "delete"])
def test_only_a_post_starts_a_game(still: Table, method: str) -> None:
    before = still.everything()
    fields = {"rules": "cutthroat-lite", **{f"player-{n}": p for n, p in enumerate(FOUR, 1)}}
    getattr(still.client, method)("/games/new", query_string=fields)
    assert still.everything() == before


def test_a_missing_token_is_refused(still: Table) -> None:
    before = still.everything()
    answer = still.new_game(csrf_token=None)
    assert answer.status_code == 400
    assert "reload it and try again" in page_of(answer).alerts
    assert still.everything() == before


def test_a_phone_that_has_not_joined_gets_404(stranger: Table) -> None:
    assert stranger.get("/games/new").status_code == 404
    answer = stranger.post("/games/new", {"csrf_token": stranger.token(), "rules": "cutthroat"})
    assert answer.status_code == 404


def test_a_double_tap_starts_one_game(table: Table) -> None:
    form = table.page("/games/new").form("new-game")
    names = {f"player-{n}": name for n, name in enumerate(FOUR, 1)}
    first, second = (table.send(form, **names) for _ in range(2))
    assert first.location == second.location
    assert table.count("games") == 1


def test_a_double_tap_starts_one_game_where_the_dealer_is_drawn(table: Table) -> None:
    first, second = (table.new_game("cutthroat").location for _ in range(2))
    assert first == second


def test_the_same_players_with_another_dealer_are_another_game(table: Table) -> None:
    first, second = (table.new_game(first_dealer=seat).location for seat in (1, 2))
    assert first != second


def test_once_a_bid_is_noted_the_same_form_starts_another_game(table: Table) -> None:
    first = table.new_game().location
    table.bid(3)
    assert table.new_game().location != first


def opened_form(table: Table) -> tuple[Form, dict[str, str]]:
    """Return a page of the form, and the names to fill in."""
    form = table.page("/games/new").form("new-game")
    return form, {f"player-{n}": name for n, name in enumerate(FOUR, 1)}


def test_the_very_form_sent_again_after_a_bid_leads_to_its_game(table: Table) -> None:
    form, names = opened_form(table)
    first = table.send(form, **names).location
    table.game_id = first.rpartition("/")[2]
    table.bid(3)
    assert table.send(form, **names).location == first
    assert table.count("games") == 1


def test_a_form_that_was_left_open_and_changed_starts_another_game(table: Table) -> None:
    form, names = opened_form(table)
    first = table.send(form, **names).location
    other = table.send(form, **{**names, "player-2": CENTRE}).location
    assert other != first
    assert table.send(form, **{**names, "player-2": CENTRE}).location == other


def test_a_form_left_open_until_its_game_was_over_starts_the_next(table: Table) -> None:
    form, names = opened_form(table)
    first = table.send(form, **names, target="50").location
    table.game_id = first.rpartition("/")[2]
    table.play_round((7, 1, 1, 1), (7, 1, 1, 1))
    assert table.state.phase == "over"
    assert table.send(form, **names, target="50").location != first


def test_a_key_that_no_page_of_ours_sends_is_as_none(table: Table) -> None:
    form, names = opened_form(table)
    assert table.send(form, **names, request_key="é" * 99).status_code == 303
    assert table.count("requests") == 0


# Names

SAME = {
    "exactly": (NORTH, NORTH),
    "case": (NORTH, "nORTH"),
    "spaces around": (NORTH, "  North "),
    "blanks between": ("North A", "North  A"),
    "a blank that does not break": ("North A", "North\u00a0A"),
    "width": (NORTH, "Ｎｏｒｔｈ"),
    "composed": ("José", "Jose\u0301"),
    "a ligature": ("finn", "ﬁnn"),
    "a sharp s": ("Straße", "STRASSE"),
    "the Greek end": ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    "the Angstrom sign": ("Åsa", "Åsa"),
    "a hidden joiner": (NORTH, "Nor\u200dth"),
    "the colour of a suit": ("North ♠", "North ♠\ufe0f"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME.keys())
def test_a_name_twice_is_refused_beside_the_second(still: Table, one: str, other: str) -> None:
    before = still.everything()
    answer = still.new_game(players=(one, EAST, other, WEST))
    assert answer.status_code == 422
    assert page_of(answer).error_of("player-3") == (
        "Seat 1 already has this name. Add a letter to tell them apart."
    )
    assert still.everything() == before


ALIKE = {
    "cyrillic": ("Anna", "Аnna"),
    "l and I": ("Ilya", "llya"),
    "zero and O": ("Bob0", "BobO"),
    "one and l": ("Team 1", "Team l"),
    "a dotless i": ("ıan", "ian"),
}


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE.keys())
def test_names_that_only_look_alike_may_both_play(table: Table, one: str, other: str) -> None:
    assert table.new_game(players=(one, other, SOUTH, WEST)).status_code == 303


HOW_MANY = {
    "nobody": ("cutthroat-lite", (), "Cutthroat Spades LITE is for 2 to 7 players."),
    "one": ("cutthroat-lite", FOUR[:1], "Cutthroat Spades LITE is for 2 to 7 players."),
    "three for four": (
        "partnership",
        FOUR[:3],
        "Partnership Spades is for 4 players. Enter all the names.",
    ),
    "five for four": ("partnership", PLAYERS, "Partnership Spades is for 4 players."),
}


@pytest.mark.parametrize(("rules", "players", "sentence"), HOW_MANY.values(), ids=HOW_MANY.keys())
def test_the_number_of_players_must_fit_the_book(
    still: Table, rules: str, players: tuple[str, ...], sentence: str
) -> None:
    before = still.everything()
    answer = still.new_game(rules, players)
    assert answer.status_code == 422
    assert sentence in page_of(answer).texts("p[@id='seats-error']")
    assert still.everything() == before


def test_eleven_players_are_refused_and_all_stay_typed(still: Table) -> None:
    before = still.everything()
    answer = still.new_game(players=(*SEVEN, *"ABCD"))
    assert answer.status_code == 422
    page = page_of(answer)
    assert "for 2 to 7 players" in page.text
    assert page.form("new-game").fields["player-11"] == "D"
    assert still.everything() == before


def test_house_rules_can_make_the_table_smaller(table: Table) -> None:
    answer = table.new_game(tricks=17)
    assert answer.status_code == 422
    assert "17 cards each for 4 players is more" in page_of(answer).error_of("tricks")
    assert table.new_game(players=FOUR[:3], tricks=17).status_code == 303


def test_a_seat_left_empty_is_passed_over(table: Table) -> None:
    table.new_game(players=(NORTH, "", SOUTH, WEST, CENTRE))
    assert table.game.names == (NORTH, SOUTH, WEST, CENTRE)


# The dealer


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_any_player_can_deal_first(table: Table, seat: int) -> None:
    assert table.new_game(first_dealer=seat).status_code == 303
    assert table.game.first_dealer == seat - 1


def test_the_dealer_is_the_one_named_at_that_seat(table: Table) -> None:
    table.new_game(players=(NORTH, "", SOUTH, WEST, CENTRE), first_dealer=3)
    assert table.game.names[table.game.first_dealer] == SOUTH


@pytest.mark.parametrize("key", ["cutthroat-lite", "cutthroat"])
def test_a_dealer_can_be_drawn(table: Table, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda players: players - 2)
    table.new_game(key, first_dealer="draw")
    assert table.game.first_dealer == 2


def test_a_dealer_is_drawn_where_the_book_says_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda players: players - 3)
    table.new_game("cutthroat")
    assert table.game.first_dealer == 1


@pytest.mark.parametrize(
    "dealer", ["5", "6", "0", "-1", "1.0", "x", "٢", "２", "01", "9" * 400], ids=lambda d: d[:4]
)
def test_a_dealer_who_does_not_play_is_refused(still: Table, dealer: str) -> None:
    before = still.everything()
    answer = still.new_game(first_dealer=dealer)
    assert answer.status_code == 422
    assert page_of(answer).error_of("first_dealer") == ("Choose a player as first dealer.")
    assert still.everything() == before


def test_an_empty_seat_cannot_deal(still: Table) -> None:
    answer = still.new_game(players=(NORTH, "", SOUTH, WEST, CENTRE), first_dealer=2)
    assert answer.status_code == 422


# The stake


STAKES = [
    *[("", None), ("5", 500), ("2.50", 250), ("2,50", 250), ("0.05", 5), (" 5 ", 500), ("0", None)],
    *[("٢٫٥٠", 250), ("۵", 500), ("३", 300)],  # as phones in Arabic, Persian and Hindi type them
]


@pytest.mark.parametrize(("typed", "hundredths"), STAKES)
def test_a_stake_is_kept_in_hundredths(table: Table, typed: str, hundredths: int | None) -> None:
    assert table.new_game(stake=typed).status_code == 303
    assert table.game.stake == hundredths


def test_the_pot_is_shown(table: Table) -> None:
    table.new_game(stake="2,50")
    assert "pot 10" in table.page().text


NO_STAKES = ["-5", "5.", ".5", "5.555", "1e3", "5 €", "€5", "๕", "５", "1_000", "free", "5,5,5"]


def test_the_next_game_is_asked_for_with_the_stake_of_the_last(table: Table) -> None:
    for stake in ("2,50", ""):
        table.new_game(stake=stake)
        shown = table.page("/games/new").form("new-game").fields["stake"]
        assert shown == stake.replace(",", ".")


@pytest.mark.parametrize("stake", [*NO_STAKES, "123456", "9" * 400], ids=lambda s: s[:8])
def test_what_is_no_amount_is_refused(still: Table, stake: str) -> None:
    before = still.everything()
    answer = still.new_game(stake=stake)
    assert answer.status_code == 422
    page = page_of(answer)
    assert page.error_of("stake") == "Enter a stake such as 5 or 2.50, or leave it empty."
    assert page.form("new-game").fields["stake"] == stake
    assert still.everything() == before


# The rule book and the house rules


@pytest.mark.parametrize("key", ["", "spades", "CUTTHROAT", "../partnership", "x" * 400])
def test_an_unknown_rule_book_is_refused(still: Table, key: str) -> None:
    before = still.everything()
    answer = still.new_game(key)
    assert answer.status_code == 422
    assert "Unknown rules" in page_of(answer).text
    assert still.everything() == before


HOUSE = {
    "target": ("200", 200),
    "tricks": ("8", 8),
    "nil_points": ("off", None),
    "overtrick_cap": ("off", None),
    "bag_limit": ("3", 3),
    "bag_remainder": ("kept", "kept"),
    "failed_nil_tricks": ("ignored", "ignored"),
    "bids_may_equal_tricks": ("no", False),
    "first_round_bids_itself": ("yes", True),
    "mercy": ("-١٠٠", -100),
    "minimum_bid": ("2", 2),
    "ten_for": ("20", 20),
}


@pytest.mark.parametrize(
    ("name", "typed", "value"), [(n, *v) for n, v in HOUSE.items()], ids=HOUSE.keys()
)
def test_a_house_rule_is_played(table: Table, name: str, typed: str, value: object) -> None:
    assert table.new_game(**{name: typed}).status_code == 303
    assert getattr(table.game.rules, name) == value


def test_there_is_a_field_for_every_house_rule(still: Table) -> None:
    assert set(HOUSE_RULES) <= set(still.page("/games/new").form("new-game").fields)


CONTRADICTIONS = {
    "a limit without a penalty": ({"bag_penalty": "off"}, "bag_penalty", "needs a penalty"),
    "a bid above the tricks": (
        {"minimum_bid": "11"},
        "minimum_bid",
        "more than 10, the tricks in a round",
    ),
    "a floor above zero": ({"mercy": "5"}, "mercy", "The losing score must be below zero"),
    "blind Nil without Nil": (
        {"nil_points": "off", "blind_nil_points": "100"},
        "blind_nil_points",
        "needs Nil",
    ),
    "a deficit without blind Nil": (
        {"blind_nil_deficit": "100"},
        "blind_nil_deficit",
        "Blind Nil is off",
    ),
    "two Nils without partners": (
        {"double_nil_points": "200"},
        "double_nil_points",
        "Double Nil needs partnerships",
    ),
    "a board without partners": (
        {"board": "4"},
        "board",
        "The minimum partnership bid needs partnerships",
    ),
    "more cards than a pack": ({"tricks": "18"}, "tricks", "more than a full deck"),
    "no end": ({"target": "off"}, "target", "a winning score or a number of rounds"),
    "a target of nothing": ({"target": "0"}, "target", "a whole number from 1"),
    "digits of no keyboard here": ({"target": "๒๐๐"}, "target", "a whole number from 1"),
    "wide digits": ({"target": "２００"}, "target", "a whole number from 1"),
    "400 digits": ({"target": "9" * 400}, "target", "a whole number from 1"),
    "a fraction": ({"nil_points": "50.5"}, "nil_points", "a whole number from 1"),
    "an underscore": ({"target": "1_000"}, "target", "a whole number from 1"),
    "a word nobody knows": ({"bag_remainder": "halved"}, "bag_remainder", "must be one of"),
    "neither yes nor no": ({"bids_may_equal_tricks": "maybe"}, "bids_may_equal_tricks", "yes or"),
}


@pytest.mark.parametrize(
    ("typed", "name", "sentence"), CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys()
)
def test_house_rules_that_cannot_be_played_are_refused_beside_their_field(
    still: Table, typed: dict[str, str], name: str, sentence: str
) -> None:
    before = still.everything()
    answer = still.new_game(**typed)
    assert answer.status_code == 422
    page = page_of(answer)
    assert sentence in page.error_of(name)
    assert page.alerts == "Check the highlighted fields."
    assert page.all("details[@open]")
    assert still.everything() == before


def test_a_number_typed_into_a_house_rule_stays_typed(still: Table) -> None:
    page = page_of(still.new_game(target="2oo", mercy="5"))
    fields = page.form("new-game").fields
    assert (fields["target"], fields["mercy"]) == ("2oo", "5")


def test_a_refusal_calls_a_value_as_the_page_does(still: Table) -> None:
    answer = still.new_game(bag_limit="x")
    assert page_of(answer).error_of("bag_limit") == (
        "“Bags per penalty” must be a whole number from 1 to 1000, or off."
    )


def told(page: Page) -> list[str]:
    """Return what the page says of house rules under the rule book."""
    return [
        text_of(line)
        for line in page.all("div[@id='house-status']/p")
        if "hidden" not in line.attrib
    ]


def test_house_rules_that_are_filled_in_are_told_under_their_book(table: Table) -> None:
    assert told(table.page("/games/new")) == []
    table.new_game(target=60, bag_limit=4)
    page = table.page("/games/new")
    assert told(page) == ["House rules Bags per penalty: 4 · Winning score: 60"]


def test_house_rules_belong_to_the_book_they_were_made_for(table: Table) -> None:
    table.new_game(target=60, bag_limit=4)
    before = table.everything()
    form = table.page("/games/new").form("new-game")
    answer = table.send(form, rules="partnership")
    assert answer.status_code == 422
    page = page_of(answer)
    assert told(page) == [
        (
            "Dropped, because they were set for Cutthroat Spades LITE Bags per "
            "penalty: 4 · Winning score: 60"
        )
    ]
    assert page.alerts == "Check the highlighted fields."
    fields = page.form("new-game").fields
    assert (fields["rules"], fields["target"], fields["bag_limit"]) == ("partnership", "", "")
    assert table.everything() == before
    table.game_id = table.send(page.form("new-game")).location.rpartition("/")[2]
    assert table.game.rules == PRESETS["partnership"]


def test_what_is_typed_for_another_book_stays_and_is_told(table: Table) -> None:
    table.new_game(target=60, bag_limit=4)
    form = table.page("/games/new").form("new-game")
    page = page_of(table.send(form, rules="partnership", target=300))
    assert told(page) == [
        "House rules Winning score: 300",
        "Dropped, because they were set for Cutthroat Spades LITE Bags per penalty: 4",
    ]
    table.game_id = table.send(page.form("new-game")).location.rpartition("/")[2]
    assert table.game.rules == replace(PRESETS["partnership"], target=300)


def test_what_is_typed_and_does_not_fit_the_other_book_is_told(table: Table) -> None:
    form = table.page("/games/new").form("new-game")
    page = page_of(table.send(form, rules="cutthroat", board=4, target="2oo"))
    assert told(page) == [
        (
            "“Minimum partnership bid” was dropped because it doesn’t work with "
            "Cutthroat Spades: The minimum partnership bid needs partnerships. For "
            "single players, use the minimum bid."
        ),
    ]
    fields = page.form("new-game").fields
    assert (fields["board"], fields["target"]) == ("", "2oo")


def test_a_change_of_seats_does_not_make_house_rules_those_of_another_book(table: Table) -> None:
    table.new_game(target=60)
    form = table.page("/games/new").form("new-game")
    moved = page_of(table.send(form, rules="partnership", move="2:up"))
    assert table.send(moved.form("new-game")).status_code == 422


def test_house_rules_belong_to_the_book_chosen_while_something_else_was_wrong(table: Table) -> None:
    form = table.page("/games/new").form("new-game")
    wrong = page_of(table.send(form, rules="cutthroat", target=300, stake="zwei"))
    assert told(wrong) == ["House rules Winning score: 300"]
    page = page_of(table.send(wrong.form("new-game"), stake="", rules="partnership"))
    assert told(page) == ["Dropped, because they were set for Cutthroat Spades Winning score: 300"]


# Nothing typed is lost

TYPED = {
    "rules": "partnership",
    "first_dealer": "3",
    "stake": "zwei",
    "target": "300",
    "bag_remainder": "dropped",
}


def test_everything_typed_stays_when_something_is_wrong(still: Table) -> None:
    answer = still.new_game(players=("<North>", "E" * 41, SOUTH, "\u202eWest"), **TYPED)
    assert answer.status_code == 422
    fields = page_of(answer).form("new-game").fields
    assert {name: fields[name] for name in TYPED} == TYPED
    assert [fields[f"player-{n}"] for n in range(1, 5)] == [
        "<North>",
        "E" * 41,
        SOUTH,
        "\u202eWest",
    ]


@pytest.mark.parametrize(
    ("tap", "order"),
    [
        ("2:up", (EAST, NORTH, SOUTH, WEST, "")),
        ("2:down", (NORTH, SOUTH, EAST, WEST, "")),
        ("4:down", (NORTH, EAST, SOUTH, "", WEST)),
        ("1:up", (NORTH, EAST, SOUTH, WEST, "")),
        ("5:down", (NORTH, EAST, SOUTH, WEST, "")),
    ],
)
def test_neighbours_change_seats_and_everything_typed_stays(
    still: Table, tap: str, order: tuple[str, ...]
) -> None:
    before = still.everything()
    answer = still.new_game(move=tap, **TYPED)
    assert answer.status_code == 200
    page = page_of(answer)
    fields = page.form("new-game").fields
    assert tuple(fields[f"player-{n}"] for n in range(1, 6)) == order
    assert {name: fields[name] for name in TYPED} == TYPED
    assert page.alerts == ""
    assert still.everything() == before


@pytest.mark.parametrize(
    "tap", ["0:up", "6:up", "x:up", "2:left", "2", ":", "٢:up", "9" * 400 + ":up", "-1:up"]
)
def test_a_move_that_is_none_changes_no_seat(still: Table, tap: str) -> None:
    answer = still.new_game(move=tap)
    assert answer.status_code == 200
    fields = page_of(answer).form("new-game").fields
    assert tuple(fields[f"player-{n}"] for n in range(1, 5)) == FOUR


def test_the_form_comes_as_the_last_game_was(table: Table) -> None:
    table.new_game("partnership", target=300)
    fields = table.page("/games/new").form("new-game").fields
    assert fields["rules"] == "partnership"
    assert fields["target"] == "300"
    assert tuple(fields[f"player-{n}"] for n in range(1, 6)) == (*FOUR, "")


def test_names_of_earlier_games_are_suggested_the_latest_first(table: Table) -> None:
    table.new_game(players=FOUR)
    table.new_game(players=(CENTRE, *FOUR[:2]))
    known = [option.get("value") for option in table.page("/games/new").all("datalist/option")]
    assert sorted(known) == sorted(PLAYERS)
    assert set(known[:3]) == {CENTRE, NORTH, EAST}
    chips = table.page("/games/new").all("button[@class='chip']")
    assert [chip.get("value") for chip in chips] == known
    assert len({next(chip.iter("use")).get("href") for chip in chips}) == len(known)


def test_names_of_other_tables_are_not_suggested(table: Table) -> None:
    table.new_game()
    guest = Table(table.app)
    guest.join()
    assert guest.page("/games/new").all("datalist/option") == []


def test_a_known_player_keeps_the_spelling_whoever_types_another(table: Table) -> None:
    table.new_game()
    first = table.game_id
    table.new_game(players=("NORTH", EAST, SOUTH, WEST))
    assert table.game.names == FOUR
    table.game_id = first
    assert table.game.names == FOUR


def test_a_double_tap_with_another_spelling_starts_one_game(table: Table) -> None:
    table.new_game()
    first, second = (table.new_game(players=("NORTH", *FOUR[1:])).location for _ in range(2))
    assert first == second
