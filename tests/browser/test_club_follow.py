"""Desk and slip of a club night keep up with what happens elsewhere, without a tap."""

from typing import Any

from playwright.sync_api import Page, expect

from scorekeeper.clock import now
from scorekeeper.store.club_games import start_match
from scorekeeper.store.club_links import link_key
from scorekeeper.store.games import load_game
from scorekeeper.store.journal import Who
from tests.browser.app_server import Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import settled, wait_until_saved
from tests.browser.scenes_club import evening
from tests.web.club.evening import LOST, WON, begin_night, play_rounds


def start(table: Table, club: Any) -> Any:
    """Start the first match, as another phone of the club does."""
    with table.server.store.write(table.id) as db:
        return start_match(db, club, 1, Who(table.phone.id, now()), club.version)


def test_the_desk_follows_what_is_played_and_what_others_press(table: Table, phone: Page) -> None:
    club = evening(table, 4)
    phone.goto(f"/club/{club.id}")
    settled(phone)
    expect(phone.get_by_role("button", name="Start match 1")).to_be_visible()
    club = start(table, club)
    expect(phone.get_by_role("button", name="Last round")).to_be_visible()
    with table.server.store.write(table.id) as db:
        play_rounds(db, table.id, club.night.matches[0].games[1], WON)
    expect(phone.locator(".club-state").first).to_contain_text("Round 2 of 6")
    with table.server.store.write(table.id) as db:
        play_rounds(db, table.id, club.night.matches[0].games[2], LOST)
    expect(phone.locator(".club-state").nth(1)).to_contain_text("Round 2 of 6")


def test_a_slip_leads_to_the_game_and_offline_play_arrives(table: Table, phone: Page) -> None:
    club_table = Table(table.server)
    with club_table.server.store.write(club_table.id) as db:
        club = begin_night(db, club_table.id, Who(club_table.phone.id, now()))
    key = link_key(club, ("slip", 1), str(table.server.app.config["SECRET_KEY"]))
    phone.goto(f"/club/{club.id}/tables/1/{key}")
    settled(phone)
    phone.get_by_role("button", name="Keep score here").tap()
    expect(phone.get_by_role("status")).to_contain_text("Match 1: not begun")
    game_id = start(club_table, club).night.matches[0].games[1]
    phone.wait_for_url(f"**/games/{game_id}", timeout=20_000)
    offline = OfflinePlayer(phone).load(phone.url)
    offline.cut()
    offline.tap_offline(3, 2, 4, 3)
    offline.mend()
    wait_until_saved(phone)
    with club_table.server.store.borrow() as db:
        game = load_game(db, club_table.id, game_id)
    assert game
    assert sorted(map(str, game.rounds[0].bids)) == ["2", "3", "3", "4"]
    phone.goto("/")
    expect(phone.get_by_role("link", name="To your table at the club night")).to_be_visible()
