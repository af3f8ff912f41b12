"""How many taps and keystrokes the first round takes, and each one after it."""

from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import CAST, Table
from tests.browser.player import Player, choose, ready

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

FOUR = CAST[:4]
# The browser itself counts the taps and keystrokes: clicks of a finger, as a touch on a key that is
# just drawn anew is tried again.
REPORT = """
addEventListener("click", ({ pointerType }) => pointerType === "touch" && fingers("tap"), true);
addEventListener("keydown", (event) => event.isTrusted && fingers("key"), true);
"""


@pytest.fixture
def fingers(phone: Page) -> Counter[str]:
    """Counts of taps and keystrokes on that phone."""
    counted: Counter[str] = Counter()
    phone.context.expose_binding("fingers", lambda _source, what: counted.update([what]))
    phone.context.add_init_script(REPORT)
    return counted


def test_a_round_of_four_takes_eight_taps_and_no_key(
    table: Table, player: Player, fingers: Counter[str]
) -> None:
    player.open(table.begin().path)
    player.bid(3, 2, Nil.NIL, 4)
    player.take(3, 4, 0)
    player.score()
    assert player.totals() == [30, 22, 50, -40]
    assert fingers["tap"] <= 8
    assert fingers["key"] == 0


def test_a_round_of_two_sides_takes_four_taps_and_no_key(
    table: Table, player: Player, fingers: Counter[str]
) -> None:
    game = table.begin(rules="partnership", bid_by="side", tricks_by="side")
    player.open(game.path)
    assert player.seats() == [" & ".join(FOUR[0::2]), " & ".join(FOUR[1::2])]
    player.bid(7, 6)
    player.take(8)
    player.score()
    assert player.totals() == [71, -60]
    assert fingers["tap"] <= 4
    assert fingers["key"] == 0


def test_the_first_score_from_an_empty_phone_takes_eleven_taps_and_the_names(
    table: Table, player: Player, fingers: Counter[str]
) -> None:
    player.page.context.clear_cookies()
    player.open(table.link())
    player.button("Join").tap()
    player.page.get_by_role("link", name="New game").tap()
    type_names(player.page)
    player.button("Start game").tap()
    player.bid(3, 2, Nil.NIL, 4)
    player.take(3, 4, 0)
    player.score()
    assert player.totals() == [30, 22, 50, -40]
    assert fingers["tap"] <= 11
    assert fingers["key"] == len("".join(FOUR)) + len(FOUR)  # Enter after each name


def test_a_game_with_known_names_needs_no_keys(
    table: Table, player: Player, fingers: Counter[str]
) -> None:
    table.begin(("South", "West", "North"), target="30").play((3, 3, 3), (3, 3, 4))
    table.begin(("Centre", "East", "Norther"), target="30").play((3, 3, 3), (3, 3, 4))
    player.open("/")
    player.page.get_by_role("link", name="New game").tap()
    for seat in (1, 2, 3):
        player.page.locator(f"#player-{seat}").fill("")
    choose(player.page, "seats", "4")
    fingers.clear()
    for name in FOUR:
        player.button(name).tap()
    player.button("Start game").tap()
    player.bid(3, 2, Nil.NIL, 4)
    assert player.seats() == list(FOUR)
    player.take(3, 4, 0)
    player.score()
    assert player.totals() == [30, 22, 50, -40]
    assert fingers == {"tap": len(FOUR) + 9}


def test_the_players_of_the_last_game_start_the_next_with_two_taps(
    table: Table, player: Player, fingers: Counter[str]
) -> None:
    table.begin()
    player.open("/")
    player.page.get_by_role("link", name="New game").tap()
    player.button("Start game").tap()
    expect(player.page.locator("#entry")).to_be_visible()
    assert fingers == {"tap": 2}


def test_another_number_of_seats_keeps_every_name(table: Table, player: Player) -> None:
    table.begin(CAST)
    page = player.open("/games/new").page
    choose(page, "seats", "3")
    expect(page.locator("#player-4")).to_be_hidden()
    choose(page, "rules", "partnership")
    expect(page.locator("#player-4")).to_have_value("West")
    expect(page.locator("#player-4")).to_be_visible()
    choose(page, "rules", "cutthroat-lite")
    expect(page.locator("#player-4")).to_be_hidden()
    choose(page, "seats", "5")
    expect(page.locator(".place input:visible")).to_have_count(5)
    expect(page.locator("#player-5")).to_have_value("Centre")
    choose(page, "seats", "3")
    player.button("Start game").tap()
    expect(page.locator(".seat")).to_have_count(3)


def test_a_missing_name_is_asked_for(table: Table, player: Player) -> None:
    page = player.open("/games/new").page
    page.locator("#player-1").fill("North")
    player.button("Name seat 2 to start").tap()
    expect(page.locator("#player-2")).to_be_focused()


def test_play_again_takes_one_tap(table: Table, player: Player, fingers: Counter[str]) -> None:
    stored_game = table.begin(target="30").play((3, 2, 2, 2), (4, 2, 2, 2))
    player.open(stored_game.path)
    player.button("Rematch Same seats · West deals").tap()
    expect(player.page.locator("h1")).to_have_text("Round 1 · West deals")
    assert player.seats() == list(FOUR)
    assert fingers == {"tap": 1}


def type_names(page: Page) -> None:
    """Type four names, with Enter after each, as the keyboard of a phone offers.

    This types faster than anybody, so it waits for the script, without which Enter is an answer of
    the server.
    """
    page.wait_for_url("**/games/new")
    expect(page.locator("#player-1")).to_be_focused()
    for name in FOUR:
        page.keyboard.type(name)
        page.keyboard.press("Enter")


def test_a_tap_selects_a_name_and_enter_goes_to_the_next_seat(table: Table, player: Player) -> None:
    table.begin()
    page = player.open("/games/new").page
    expect_names_to_be_replaced(page)
    expect(player.button("Start game")).to_be_visible()
    assert page.url.endswith("/games/new")


def expect_names_to_be_replaced(page: Page) -> None:
    """Tap the second of four seats that have names, and type new ones to the last."""
    page.locator("#player-2").tap()
    page.keyboard.type("Zoe")
    page.keyboard.press("Enter")
    expect(page.locator("#player-3")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("Will")
    page.keyboard.press("Enter")
    expect(page.locator(".place input:focus")).to_have_count(0)
    for seat, name in enumerate(("North", "Zoe", "South", "Will"), 1):
        expect(page.locator(f"#player-{seat}")).to_have_value(name)
    hints = page.locator(".place input").evaluate_all("all => all.map((one) => one.enterKeyHint)")
    assert hints[:4] == ["next", "next", "next", "done"]


def test_enter_goes_from_the_last_seat_to_one_that_is_empty(table: Table, player: Player) -> None:
    table.begin()
    page = player.open("/games/new").page
    page.locator("#player-1").fill("")
    page.locator("#player-4").tap()
    page.keyboard.press("Enter")
    expect(page.locator("#player-1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#player-2")).to_be_focused()


def test_a_tap_in_a_name_that_is_being_typed_places_the_cursor(player: Player) -> None:
    page = player.open("/games/new").page
    seat = page.locator("#player-1")
    seat.tap()
    page.keyboard.type("Nrth")
    seat.tap(position={"x": 70, "y": 20})
    expect(seat).to_be_focused()
    page.keyboard.type("s")
    expect(seat).to_have_value("Nrths")


def test_a_tap_selects_the_name_of_a_player_who_is_renamed(table: Table, player: Player) -> None:
    table.begin()
    page = player.open("/players").page
    page.get_by_role("link", name="East").first.tap()
    page.get_by_role("link", name="Edit East").tap()
    page.get_by_label("Name in all games").tap()
    page.keyboard.type("Zoe")
    expect(page.get_by_label("Name in all games")).to_have_value("Zoe")


@pytest.mark.parametrize(("rules", "said"), [("cutthroat-lite", False), ("partnership", True)])
def test_partners_are_spoken_of_only_where_there_are_any(
    table: Table, player: Player, rules: str, said: bool
) -> None:
    page = player.open("/games/new").page
    choose(page, "rules", rules)
    seats = page.locator(".new-game-seats")
    name = "Players, clockwise" + " – Partners sit opposite: seats 1 and 3 against 2 and 4." * said
    expect(seats).to_have_accessible_name(name)


def test_nothing_moves_from_under_a_finger_when_a_name_is_left(
    table: Table, player: Player
) -> None:
    table.begin()
    page = player.open("/games/new").page
    page.locator("#player-4").fill("Norma")
    options = page.locator("#options > summary")
    before = options.bounding_box()
    page.locator("#player-4").blur()
    assert options.bounding_box() == before


def test_a_second_tap_picks_a_player_up_to_swap_seats(table: Table, player: Player) -> None:
    table.begin()
    page = player.open("/games/new").page
    east, west = page.locator("#player-2"), page.locator("#player-4")
    east.tap()
    expect(east).to_be_focused()
    east.tap()
    expect(page.locator("#seats-said")).to_have_text("Now tap the seat to swap with East")
    west.tap()
    expect(east).to_have_value("West")
    expect(west).to_have_value("East")
    expect(page.locator(".below-seats [role=status]")).to_have_text("West and East swapped.")


def test_a_tap_on_a_seat_makes_it_deal_first(table: Table, player: Player) -> None:
    table.begin()
    page = player.open("/games/new").page
    expect(page.locator("#options-chosen")).to_contain_text("West deals")
    page.locator(".place.deals .dealer").tap()
    page.locator("#player-2").tap()
    expect(page.locator("#options-chosen")).to_contain_text("East deals")
    page.locator("#player-3").dispatch_event("pointerdown")
    page.clock.run_for(600)
    expect(page.locator("#options-chosen")).to_contain_text("South deals")


def test_nothing_moves_with_another_kind_of_game(player: Player) -> None:
    page = player.open("/games/new").page
    page.locator("#what > summary").tap()
    counts = page.locator(".seat-counts")
    before = counts.bounding_box()
    for group in page.locator("[name=group]").all():
        group.check()
        expect(page.locator(".books:visible [name=rules]").first).to_be_checked()
        assert counts.bounding_box() == before


def test_who_is_new_sees_names_and_start_first(player: Player) -> None:
    page = player.open("/games/new").page
    expect(page.locator("#what > summary")).to_contain_text("players")
    expect(page.locator(".book-groups")).to_be_hidden()
    expect(page.locator("#player-1")).to_be_in_viewport(ratio=1)
    expect(page.locator("#start")).to_be_in_viewport(ratio=1)
    choose(page, "seats", "3")
    expect(page.locator("#what > summary")).to_contain_text("3 players")


def test_eleven_taps_lead_to_the_first_score(player: Player) -> None:
    page = player.open("/").page
    page.evaluate("window.name = '0'")
    page.add_init_script(
        "addEventListener('click', ({ isTrusted, detail }) => {"
        " if (isTrusted && detail) window.name = Number(window.name) + 1; }, true)"
    )
    page.reload()
    page.get_by_role("link", name="New game").tap()
    page.locator("#player-1").tap()
    for name in CAST[:4]:
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    page.locator("#start").tap()
    ready(page)
    player.bid(3, 2, 2, 2)
    player.take(3, 2, 2)
    player.score()
    assert int(page.evaluate("window.name")) <= 11
