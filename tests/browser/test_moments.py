"""The moments of a game: what lies over its page for a second, and that no tap waits for it."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import Table
from tests.browser.player import Player, ready

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

MOVING = pytest.mark.browser_context_args(reduced_motion="no-preference")
LONGER = 3000  # ms than any moment


def open_game(player: Player, path: str) -> Page:
    """Open a game, and wait until its moments can be shown; then its clock stands still."""
    page = player.page
    with page.expect_response("**/css/moments.css"):
        player.open(path)
    page.clock.run_for(1500)
    expect(page.locator("html[data-kept][data-keys]")).to_have_count(1)
    ready(page)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    return page


@MOVING
def test_the_last_bid_says_what_all_bids_add_up_to(table: Table, player: Player) -> None:
    stored_game = table.begin().bid(3, 2, 2)
    page = open_game(player, stored_game.path)
    player.bid(1)
    felt = page.locator(".moment-felt")
    expect(felt).to_contain_text("8 of 10 · 2 tricks are loose")
    assert page.locator(".moment-bid").all_inner_texts() == ["3", "2", "2", "1"]
    page.get_by_role("button", name="One more trick for North").tap()  # nothing waits for it
    expect(felt).to_have_count(0)
    expect(page.locator(".seat-count").first).to_have_text("1")


@MOVING
def test_a_tap_on_the_felt_ends_it_and_is_no_other_tap(table: Table, player: Player) -> None:
    stored_game = table.begin().bid(3, 2, 2)
    page = open_game(player, stored_game.path)
    player.bid(1)
    page.locator(".moment-felt").tap()
    expect(page.locator(".moment-felt")).to_have_count(0)
    assert stored_game.game.state.open.tally is None
    player.tap(page.locator("#undo"))
    player.bid(1)
    expect(page.locator(".moment-felt")).to_have_count(1)
    page.clock.run_for(LONGER)
    expect(page.locator(".moment-felt")).to_have_count(0)


@MOVING
def test_the_felt_and_the_rows_say_what_it_takes(table: Table, player: Player) -> None:
    stored_game = table.begin(target="60").play((3, 2, 4, 1), (3, 2, 4, 1)).bid(3, 2, 2)
    page = open_game(player, stored_game.path)
    takes = page.locator("#takes")
    expect(takes).to_be_hidden()
    player.bid(1)
    expect(takes).to_have_text("South wins with 2 to 7")
    expect(page.locator(".moment-line")).to_have_text("South wins with 2 to 7")
    expect(page.locator(".felt-below")).to_have_text("8 of 10 · 2 tricks are loose")
    expect(page.locator("#news")).to_contain_text("South wins with 2 to 7")
    page.clock.run_for(LONGER)
    for count in (3, 2, 2):
        expect(takes).to_be_visible()
        player.take(count)
    expect(takes).to_be_hidden()  # all tricks are in


@MOVING
def test_a_scored_round_turns_into_tickets(table: Table, player: Player) -> None:
    stored_game = table.begin(target="300").bid(3, 2, Nil.NIL, 4).take(3, 4, 0)
    page = open_game(player, stored_game.path)
    player.score()
    expect(page.locator(".ticket-back")).to_have_text(
        [
            "Northbid 3, took 3+30exact",
            "Eastbid 2, took 4+22",
            "Southbid Nil, took 0Nil!+50Nil made",
            "Westbid 4, took 3−40set",
        ]
    )
    assert player.totals() == [30, 22, 50, -40]
    expect(page.locator(".delta")).to_have_text(["+30", "+22", "+50", "−40"])
    page.clock.run_for(LONGER)
    expect(page.locator(".tickets, .moment-felt, .flights")).to_have_count(0)
    player.bid(1)
    expect(page.locator(".delta")).to_have_count(0)


@MOVING
def test_the_lead_changes(table: Table, player: Player) -> None:
    stored_game = table.begin(target="300").play((3, 2, 2, 2), (3, 2, 2, 3))
    page = open_game(player, stored_game.bid(4, 2, 2, 2).take(4, 2, 2).path)
    player.score()
    expect(page.locator(".moment-line")).to_have_text("East takes the lead.")
    expect(page.locator("#news")).to_contain_text("East takes the lead.")
    expect(page.locator(".crown")).to_have_count(1)


@MOVING
def test_the_winner_fills_the_screen_once(table: Table, player: Player) -> None:
    page = open_game(player, table.begin(target="30").bid(3, 3, 1, 1).take(3, 2, 3, 2).path)
    player.score()
    expect(page.locator(".win-name")).to_have_text("North wins")
    expect(page.locator(".win-score")).to_have_text("30")
    # On a slow computer its animation, which no clock of the page holds, has ended by now.
    page.locator(".moment-win").tap(position={"x": 200, "y": 200}, force=True)
    expect(page.locator(".moment-win")).to_have_count(0)
    expect(page.locator("#winner")).to_be_visible()
    page.reload()
    ready(page)
    expect(page.locator(".moment-win")).to_have_count(0)


@MOVING
def test_moments_can_be_switched_off(table: Table, player: Player) -> None:
    player.page.add_init_script("localStorage.setItem('sense.moments', 'off')")
    page = open_game(player, table.begin().bid(3, 2, 2).path)
    player.bid(1)
    expect(page.locator(".moment-felt")).to_have_count(0)


def test_without_a_wish_for_motion_there_are_none(table: Table, player: Player) -> None:
    page = open_game(player, table.begin().bid(3, 2, 2).path)
    player.bid(1)
    expect(page.locator(".moment-felt")).to_have_count(0)


HEARD = """
window.heard = [];
for (const type of [OscillatorNode, AudioBufferSourceNode]) {
  const start = type.prototype.start;
  type.prototype.start = function (...when) {
    heard.push(type.name);
    return start.apply(this, when);
  };
}
"""


def test_sounds_are_offered_once_and_heard_from_then_on(table: Table, player: Player) -> None:
    player.page.add_init_script(HEARD)
    page = open_game(player, table.begin(target="300").bid(3, 2, 2, 3).take(3, 2, 2).path)
    player.score()
    page.clock.run_for(LONGER)
    expect(page.locator(".toast")).to_contain_text("Hear cards, knocks and a bell?")
    with page.expect_response("**/js/game/sounds.js"):
        page.get_by_role("button", name="Sounds on").tap()
    page.wait_for_function("heard.length === 1")  # a card
    expect(page.locator(".toast")).to_have_count(0)
    player.bid(2)
    page.wait_for_function("heard.length === 2")
    page.reload()
    ready(page)
    assert page.evaluate("localStorage.getItem('sense.sound')") == "on"


@pytest.mark.parametrize("setting", ["sense.sound", "sense.voice"])
def test_sounds_are_not_offered_to_who_has_chosen(
    table: Table, player: Player, setting: str
) -> None:
    player.page.add_init_script(f"localStorage.setItem('{setting}', 'on')")
    player.page.add_init_script(HEARD)
    page = open_game(player, table.begin(target="300").bid(3, 2, 2, 3).take(3, 2, 2).path)
    player.score()
    page.clock.run_for(LONGER)
    expect(page.locator(".toast")).to_have_count(0)


def test_a_made_round_a_set_one_and_a_bid_are_felt_apart(table: Table, player: Player) -> None:
    player.page.add_init_script(
        "window.felt = []; navigator.vibrate = (pattern) => felt.push(pattern);"
        "localStorage.setItem('sense.buzz', 'on')"
    )
    page = open_game(player, table.begin(target="900").bid(3, 2, 2, 3).take(3, 2, 2).path)
    player.score()
    for bid in (2, 2, 2, 2):
        player.bid(bid)
    player.take(1, 3, 3)
    player.score()
    felt = page.evaluate("felt")
    assert felt[0] == [10, 60, 10]
    assert felt[1:-1] == [10] * 7
    assert felt[-1] == 90


def test_partners_see_their_contract_and_what_it_makes(table: Table, player: Player) -> None:
    page = open_game(player, table.begin(rules="partnership").bid(5, 4).path)
    lines = page.locator(".side-line")
    assert lines.all_inner_texts() == ["bid 5", "bid 4"]
    player.bid("nil", 3)
    assert lines.all_inner_texts() == ["bid 5 + Nil", "bid 7"]
    player.take(5, 4, 0)
    assert lines.all_inner_texts() == ["+150 → 150", "+71 → 71"]
    player.score()
    assert lines.all_inner_texts() == ["+150", "+71"]
