"""A rule changed in the middle of a game: asked for, shown before and after, then confirmed."""

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.store.check import faults
from scorekeeper.store.entry import GameSetup, create_game
from scorekeeper.store.journal import Who
from tests.web.checklist import VersionChecklist
from tests.web.page import Page
from tests.web.play import AT, NORTH, Table, page_of

ROUND = ((3, 2, "nil", 1), (3, 0, 0, 7))  # West takes six bags, which cost ten points
NO_PENALTY = {"bag_limit": "off", "bag_penalty": "off"}


@pytest.fixture
def played(game: Table) -> Table:
    """A game of Cutthroat Spades LITE after a round with a bag penalty."""
    game.play_round(*ROUND)
    return game


def asked(table: Table, **fields: object) -> Any:
    """Fill in the form and ask what changes."""
    return table.send(table.page(f"{table.path}/rules/change").form("rules"), **fields)


def confirmed(table: Table, shown: Any, **fields: object) -> Any:
    """Press the button that plays by the rules shown."""
    return table.send(page_of(shown).form("confirm"), step="confirm", **fields)


def rows(page: Page) -> list[str]:
    """Return a line for each side: its names, points and bags."""
    cells = page.texts("tbody/tr/*")
    return [" | ".join(cells[at : at + 3]) for at in range(0, len(cells), 3)]


def test_the_form_holds_the_rules_that_are_played(table: Table) -> None:
    table.new_game(target=200, bag_limit="off")
    fields = table.page(f"{table.path}/rules/change").form("rules").fields
    assert (fields["target"], fields["bag_limit"], fields["nil_points"]) == ("200", "off", "50")
    assert "first_dealer" not in fields


def test_the_menu_and_the_rules_of_the_game_lead_to_it(game: Table) -> None:
    for path in (game.path, f"{game.path}/rules"):
        links = [link.get("href") for link in game.page(path).all("a")]
        assert f"{game.path}/rules/change" in links


def test_before_and_after_are_shown_seat_by_seat(played: Table) -> None:
    before = played.everything()
    answer = asked(played, **NO_PENALTY)
    page = page_of(answer)
    assert answer.status_code == 200
    assert page.texts("*[@id='values']/li") == [
        "Bags per penalty 6 → off",
        "Bag penalty 10 → off",
    ]
    assert rows(page)[0] == "North | 30 | 0"
    assert rows(page)[3] == "West | before 5 → after 15 | before 0 → after 6"
    assert page.texts("*[@id='rounds']/li") == ["Round 1: West +5 → +15"]
    assert played.everything() == before


def test_blind_nil_can_follow_nil_before_the_change_is_confirmed(table: Table) -> None:
    table.new_game("partnership-sandbags")
    shown = asked(table, nil_points="50")
    hint = "Blind Nil stays at 200. Change it too if your table doubles Nil."
    assert page_of(shown).texts("p[@class='hint']")[0] == hint
    again = table.send(page_of(shown).form("blind-nil"), blind_nil_points="100")
    assert hint not in page_of(again).texts("p[@class='hint']")
    confirmed(table, again)
    assert (table.game.rules.nil_points, table.game.rules.blind_nil_points) == (50, 100)


def test_blind_nil_stays_where_only_nil_is_changed(table: Table) -> None:
    table.new_game("partnership-sandbags")
    confirmed(table, asked(table, nil_points="50"))
    assert (table.game.rules.nil_points, table.game.rules.blind_nil_points) == (50, 200)


@pytest.mark.parametrize(
    ("book", "fields"),
    [
        ("partnership-sandbags", {"nil_points": "off"}),
        ("partnership-sandbags", {"target": "300"}),
        ("partnership-sandbags", {"nil_points": "50", "blind_nil_points": "100"}),
        ("partnership-500", {"nil_points": "50"}),
    ],
)
def test_nothing_is_said_of_blind_nil_where_it_does_not_stay(
    table: Table, book: str, fields: dict[str, str]
) -> None:
    table.new_game(book)
    assert "Blind Nil stays" not in page_of(asked(table, **fields)).text


def test_once_confirmed_every_round_is_scored_again(played: Table) -> None:
    answer = confirmed(played, asked(played, **NO_PENALTY))
    assert (answer.status_code, answer.location) == (303, played.path)
    assert played.totals == (30, -20, 50, 15)
    assert (played.game.rules.bag_limit, played.game.rules.bag_penalty) == (None, None)
    assert list(faults(played.store)) == []


def test_the_changes_tell_it_in_words(played: Table) -> None:
    confirmed(played, asked(played, **NO_PENALTY))
    played.undo()
    older, newest = played.page(f"{played.path}/changes").texts("ol/li")[-2:]
    words = "Bags per penalty {} → {}; Bag penalty {} → {} Kim's phone"
    assert older.partition(" ")[2] == "rules changed; " + words.format(6, "off", 10, "off")
    assert newest.partition(" ")[2] == "undone; " + words.format("off", 6, "off", 10)


def test_undo_and_redo_walk_over_it(played: Table) -> None:
    confirmed(played, asked(played, **NO_PENALTY))
    played.undo()
    assert (played.game.rules, played.totals) == (CUTTHROAT_LITE, (30, -20, 50, 5))
    played.redo()
    assert played.totals == (30, -20, 50, 15)


def test_everybody_who_looks_at_the_game_sees_it(played: Table) -> None:
    path = f"{played.path}/phone.json"
    tag = played.get(path).headers["ETag"]
    confirmed(played, asked(played, **NO_PENALTY))
    assert played.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_the_csv_and_the_paper_sheet_carry_the_final_rules(played: Table) -> None:
    confirmed(played, asked(played, **NO_PENALTY))
    sheet = played.get(f"{played.path}.csv").get_data(as_text=True)
    assert "bag_limit=off;bag_penalty=off" in sheet
    assert ",15," in sheet.splitlines()[4]


ENDS = {
    "a target reached already": (
        {"target": "40"},
        ["With these rules South won in round 1 and the game is over."],
    ),
    "a target nobody has reached": ({"target": "60"}, []),
}


@pytest.mark.parametrize(("fields", "lines"), ENDS.values(), ids=ENDS.keys())
def test_an_end_that_moves_is_said(played: Table, fields: dict[str, str], lines: list[str]) -> None:
    assert page_of(asked(played, **fields)).texts("p[@class='lead']") == lines


def test_rounds_after_the_new_end_are_said_not_to_count(played: Table) -> None:
    played.play_round((3, 2, "nil", 1), (3, 2, 0, 5))
    page = page_of(asked(played, target="40"))
    assert page.texts("p[@class='lead']") == [
        "With these rules South won in round 1 and the game is over.",
        "Round 2 came after the end, so it doesn’t count.",
    ]
    assert page.texts("*[@id='rounds']/li") == []


def test_rounds_that_count_again_are_told_with_their_points(played: Table) -> None:
    played.play_round((3, 2, "nil", 1), (3, 2, 0, 5))
    played.play_round((3, 2, "nil", 1), (3, 2, 0, 5))
    confirmed(played, asked(played, target="40"))
    page = page_of(asked(played, target="60"))
    assert page.texts("*[@id='rounds']/li") == [
        "Round 2 now counts: North +30, East +20, South +50, West +14"
    ]
    assert page.texts("p[@class='lead']") == [
        "With these rules South won in round 2, not in round 1.",
        "Round 3 came after the end, so it doesn’t count.",
    ]


def test_a_game_that_was_over_can_go_on_and_end_elsewhere(played: Table) -> None:
    confirmed(played, asked(played, target="40"))
    page = page_of(asked(played, target="60"))
    assert page.texts("p[@class='lead']") == [
        "With these rules the game isn’t over. It continues with round 2."
    ]
    page = page_of(asked(played, target="40", nil_points="5"))
    assert "the game isn’t over" in page.texts("p[@class='lead']")[0]
    page = page_of(asked(played, target="30", nil_points="10"))
    assert page.texts("p[@class='lead']") == [
        f"With these rules {NORTH} won in round 1, not South in round 1."
    ]
    page = page_of(asked(played, target="41"))
    assert page.texts("p[@class='lead']") == ["South won in round 1, as before."]


REFUSED = {
    "other cards": ({"tricks": "9"}, "tricks", "dealt 10 cards each"),
    "bids in a round that bids itself": (
        {"first_round_bids_itself": "yes"},
        "first_round_bids_itself",
        "Round 1 already has bids",
    ),
    "a limit without a penalty": ({"bag_penalty": "off"}, "bag_penalty", "needs a penalty"),
    "a word": ({"target": "many"}, "target", "whole number"),
}


@pytest.mark.parametrize(("fields", "name", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_played_is_refused_beside_its_field(
    played: Table, fields: dict[str, str], name: str, why: str
) -> None:
    before = played.everything()
    answer = asked(played, **fields, set_points="20")
    page = page_of(answer)
    assert answer.status_code == 422
    assert why in page.error_of(name)
    assert "Not saved" in page.alerts
    kept = page.form("rules").fields
    assert {**fields, "set_points": "20"}.items() <= kept.items()
    assert played.everything() == before


def test_rules_that_are_played_already_are_said_to_be(played: Table) -> None:
    page = page_of(asked(played))
    assert "already playing with these rules" in page.text
    assert page.form("rules")


def test_a_round_recorded_meanwhile_is_looked_at_before_it_is_scored_again(played: Table) -> None:
    shown = asked(played, **NO_PENALTY)
    played.play_round(*ROUND)
    before = played.everything()
    answer = confirmed(played, shown)
    page = page_of(answer)
    assert answer.status_code == 409
    assert (
        "The game has changed, so nothing was saved. Check it again, then confirm."
    ) in page.alerts
    assert rows(page)[3] == "West | before 10 → after 30 | before 0 → after 12"
    assert played.everything() == before
    assert confirmed(played, answer).status_code == 303
    assert played.totals[3] == 30


def test_what_came_to_contradict_the_rules_meanwhile_is_refused(game: Table) -> None:
    shown = asked(game, tricks="9")
    game.bid(3)
    answer = confirmed(game, shown)
    assert answer.status_code == 422
    assert "10 cards" in page_of(answer).error_of("tricks")
    assert game.game.rules.tricks == 10


def test_one_can_go_back_and_change_something_else(played: Table) -> None:
    shown = asked(played, **NO_PENALTY)
    page = page_of(played.send(page_of(shown).form("confirm"), step="edit"))
    assert page.form("rules").fields["bag_limit"] == "off"


def test_play_again_plays_by_the_rules_as_changed(played: Table) -> None:
    confirmed(played, asked(played, target="40"))
    again = played.send(played.page().form("/again"))
    played.game_id = again.location.rpartition("/")[2]
    assert played.game.rules.target == 40


def test_the_first_dealer_of_the_rules_stays_as_it_was(played: Table) -> None:
    assert played.game.rules.first_dealer == "last"
    confirmed(played, asked(played, first_dealer="random", target="40"))
    assert (played.game.rules.first_dealer, played.game.first_dealer) == ("last", 3)


class TestConfirming(VersionChecklist):
    """What holds for every address that changes a game."""

    __test__ = True
    fields: ClassVar[dict[str, Any]] = {"target": "200", "step": "confirm"}

    def address(self, table: Table) -> str:
        return f"{table.path}/rules/change"


# What was bid before the rules changed


def test_a_round_bid_by_the_old_rules_can_still_be_scored(played: Table) -> None:
    played.bid_round(1, 2, "nil", 1)
    confirmed(played, asked(played, minimum_bid="2", nil_points="off"))
    assert played.score(1, 4, 1, 4).status_code == 303
    assert played.totals == (40, 2, 1, 18)


def test_a_past_round_bid_by_the_old_rules_can_still_be_corrected(played: Table) -> None:
    confirmed(played, asked(played, minimum_bid="2", nil_points="off"))
    assert played.correct(1, tricks_1=4, tricks_4=6).status_code == 303
    answer = played.correct(1, bid_1=1)
    assert answer.status_code == 422
    assert "The minimum bid is 2" in page_of(answer).text


def test_the_next_bid_is_made_by_the_new_rules(played: Table) -> None:
    confirmed(played, asked(played, minimum_bid="2"))
    assert played.bid(1).status_code == 422
    assert played.bid(2).status_code == 303


def test_rules_with_a_name_of_their_own_lose_it_where_they_change(game: Table) -> None:
    with game.store.write() as db:
        named = replace(game.game.rules, name="Friday")
        begun = create_game(db, game.id, GameSetup(named, game.game.names, 3), Who(None, AT))
    game.game_id = begun
    assert "already playing with these rules" in page_of(asked(game)).text
    shown = asked(game, target="200")
    assert page_of(shown).texts("*[@id='values']/li") == [
        "Rules Friday → Cutthroat Spades LITE",
        "Winning score 125 → 200",
    ]
    confirmed(game, shown)
    assert game.game.rules.name == "Cutthroat Spades LITE"
    game.undo()
    assert game.game.rules == named
