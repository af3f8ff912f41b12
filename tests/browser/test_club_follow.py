"""Desk and slip of a club night keep up with what happens elsewhere, without a tap."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.clock import now
from scorekeeper.store.club_links import link_key
from scorekeeper.store.games import load_game
from scorekeeper.store.journal import Who
from tests.browser.app_server import Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import ready, settled, wait_until_saved
from tests.browser.scenes_club import evening
from tests.store.play import start_match
from tests.web.club.evening import LOST, WON, begin_night, play_rounds


def start(table: Table, club: Any) -> Any:
    """Start the first match, as another phone of the club does."""
    with table.server.store.write(table.id) as db:
        return start_match(db, club, 1, Who(table.phone.id, now()))


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
    expect(phone.locator("#told")).to_have_text("")
    with table.server.store.write(table.id) as db:
        play_rounds(db, table.id, club.night.matches[0].games[2], *[WON, LOST] * 2, WON)
    expect(phone.locator("#told")).to_have_text("Table 1: Slow. Table 2: Finished")


def keep_score(table: Table, phone: Page, rounds: int) -> None:
    """Let a phone keep score at table 1 of another club."""
    club_table = Table(table.server)
    with club_table.server.store.write(club_table.id) as db:
        who = Who(club_table.phone.id, now())
        club = begin_night(db, club_table.id, who, rounds=rounds)
        club = start_match(db, club, 1, who)
    key = link_key(club, ("slip", 1), str(table.server.app.config["SECRET_KEY"]))
    phone.goto(f"/club/{club.id}/tables/1/{key}")
    settled(phone)
    phone.get_by_role("button", name="Keep score here").tap()
    phone.wait_for_url("**/games/*")


def is_at_the_end_of_a_match(phone: Page) -> None:
    """Expect what one that keeps score may do at the end, and nothing else."""
    back = phone.get_by_role("link", name="Back to table 1")
    expect(back).to_have_attribute("href", "/club/tonight?number=1")
    expect(phone.locator("#rematch")).to_have_count(0)
    expect(phone.get_by_text("Today’s games")).to_have_count(0)
    settled(phone).locator("#menu > summary").tap()
    expect(phone.locator("#menu").get_by_text("Change log")).to_be_visible()
    for name in ("Share live", "Edit rules", "Export CSV", "Delete game"):
        expect(phone.locator("#menu").get_by_text(name)).to_have_count(0)
    settled(phone).locator("#menu > summary").tap()
    expect(phone.locator("#menu[open]")).to_have_count(0)


@pytest.mark.parametrize("is_online", [True, False], ids=["online", "offline"])
def test_at_the_end_of_a_match_there_is_no_rematch_but_the_way_back(
    table: Table, phone: Page, is_online: bool
) -> None:
    keep_score(table, phone, 1)
    player = OfflinePlayer(phone).load(phone.url)
    if not is_online:
        player.cut()
    player.tap_offline(3, 2, 4, 3, 3, 3, 4)
    player.confirm_offline()
    expect(phone.locator("#won")).to_be_visible()
    is_at_the_end_of_a_match(phone)
    if not is_online:
        phone.get_by_role("link", name="Back to table 1").tap()
        expect(phone.get_by_role("heading", name="Saved on this phone")).to_be_visible()
        expect(phone.get_by_role("button", name="Rematch")).to_have_count(0)
        player.mend()
        expect(phone.get_by_role("heading", name="Table 1")).to_be_visible(timeout=20_000)
        return
    wait_until_saved(phone)
    phone.reload()
    ready(phone)
    is_at_the_end_of_a_match(phone)
    phone.get_by_role("link", name="Back to table 1").tap()
    expect(phone.get_by_role("heading", name="Table 1")).to_be_visible()


def test_a_phone_of_the_club_has_no_rematch_of_a_match_offline(table: Table, phone: Page) -> None:
    game = start(table, evening(table, 4, rounds=1)).night.matches[0].games[1]
    with table.server.store.write(table.id) as db:
        play_rounds(db, table.id, game, WON)
    player = OfflinePlayer(phone).load(f"/games/{game}")
    player.cut()
    phone.reload()
    expect(phone.get_by_role("link", name="Back to table 1")).to_be_visible()
    phone.goto("/phone")
    expect(phone.get_by_role("heading", name="Saved on this phone")).to_be_visible()
    expect(phone.locator(f"a[href$='/games/{game}']").first).to_be_visible()
    expect(phone.get_by_role("button", name="Rematch")).to_have_count(0)


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
    phone.context.add_cookies([club_table.cookie])  # it joins the club
    phone.goto(f"/games/{game_id}")
    settled(phone).locator("#menu > summary").tap()
    expect(phone.locator("#menu").get_by_text("Share live")).to_be_visible()
