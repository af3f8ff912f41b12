"""Games started offline, and games that the server has lost."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.clock import now
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.store.games import recent_games
from scorekeeper.store.tables import SHORT, remove_phone, save_rules
from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import check, choose
from tests.browser.scenes import won
from tests.browser.test_taps import expect_names_to_be_replaced


def games_of(table: Table) -> list[StoredGame]:
    """Return the games of a table that are stored, newest first."""
    return [StoredGame(table, game.id) for game in recent_games(table.server.store.db, table.id, 9)]


def game_after(last: StoredGame) -> StoredGame:
    """Return the other game of a table with two; pages put forward make it look the older one."""
    [new] = [game for game in games_of(last.table) if game.id != last.id]
    return new


def new_game_page(phone: Page) -> OfflinePlayer:
    """Return the player of a phone without a server, on the page of a new game."""
    offline = OfflinePlayer(phone).load("/")
    offline.cut()
    offline.open("/games/new")
    return offline


def test_a_game_with_known_players_is_begun_and_sent_once(table: Table, phone: Page) -> None:
    last = won(table)
    offline = new_game_page(phone)
    expect(phone.locator("#player-4")).to_have_value("West")
    phone.locator("#player-4").fill("Centre")
    choose(phone, "first_dealer", "2")
    offline.button("Start game").tap()
    expect(offline.line()).to_contain_text("The new game will be sent later")
    offline.play_offline((3, 2, Nil.NIL, 4), (3, 4, 0, 3), (2, 3, 0, 1))
    assert len(games_of(table)) == 1

    phone.reload()
    expect(offline.line()).to_contain_text("1 round will be sent later")
    offline.mend()
    offline.wait_until_saved()
    new = game_after(last)
    assert new.path == phone.url.removeprefix(table.server.address)
    assert new.game.names == ("North", "East", "South", "Centre")
    assert new.game.first_dealer == 1
    assert new.journal() == [("scored", 1)]


def test_a_round_of_a_game_begun_offline_is_corrected(table: Table, phone: Page) -> None:
    last = won(table)
    offline = new_game_page(phone)
    offline.button("Start game").tap()
    offline.play_offline((3, 2, Nil.NIL, 4), (3, 4, 0, 3), (0, 1, 2, 3))
    offline.correct_offline(1, {"tricks-1": 4, "tricks-2": 3})
    offline.mend()
    offline.wait_until_saved()
    assert game_after(last).game.rounds[0].tricks == (4, 3, 0, 3)


def test_names_are_replaced_offline_as_they_are_online(table: Table, phone: Page) -> None:
    table.begin()
    new_game_page(phone)
    expect_names_to_be_replaced(phone)
    seats = phone.locator(".new-game-seats")
    expect(seats).to_have_accessible_name("Players, clockwise")
    check(phone, phone.get_by_role("radio", name="Partners", exact=True, include_hidden=True))
    expect(seats).to_have_accessible_name(
        "Players, clockwise – Partners sit opposite: seats 1 and 3 against 2 and 4."
    )


def test_what_is_typed_stays_when_another_page_saves(table: Table, phone: Page) -> None:
    stored_game = table.begin()
    offline = new_game_page(phone)
    phone.locator("#player-4").fill("Centre")
    other = OfflinePlayer(phone.context.new_page())
    other.open(stored_game.path)
    other.tap_offline(3)
    phone.bring_to_front()
    offline.button("Start game").tap()
    expect(offline.line()).to_contain_text("sent later")
    expect(phone.locator("#game")).to_contain_text("Centre")


def test_a_game_by_rules_of_the_tables_own_keeps_their_name(table: Table, phone: Page) -> None:
    last = won(table)
    with table.server.store.write() as db:
        save_rules(db, table.id, replace(CUTTHROAT_LITE, name="Friday", target=170))
    offline = new_game_page(phone)
    check(phone, phone.get_by_label("Friday"))
    offline.button("Start game").tap()
    expect(offline.line()).to_contain_text("The new game will be sent later")
    offline.mend()
    offline.wait_until_saved()
    new = game_after(last)
    assert (new.game.rules.name, new.game.rules.target) == ("Friday", 170)


def test_a_game_is_played_to_its_winner_and_another_one_begun(table: Table, phone: Page) -> None:
    stored_game = table.begin(target="50")
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.play_offline((5, 1, 1, 1), (6, 2, 1, 1), (0, 1, 2, 3))
    expect(phone.get_by_role("heading", name="North wins")).to_be_visible()
    expect(phone.get_by_role("region", name="Game over")).to_be_focused()
    offline.button("Rematch Same seats · West deals").tap()
    expect(phone.locator("#pad")).to_be_visible()
    offline.tap_offline(2)
    offline.mend()
    offline.wait_until_saved()
    again = game_after(stored_game)
    assert stored_game.game.state.phase == "over"
    assert again.game.state.open.bids == (2, None, None, None)
    assert again.game.rules.target == 50


@pytest.mark.parametrize("way", ["Winner deals", "Shuffle"])
def test_the_next_game_is_begun_as_the_table_goes_on(table: Table, phone: Page, way: str) -> None:
    stored_game = table.begin(target="50", stake=250, first_dealer=1)
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.play_offline((1, 1, 5, 1), (1, 1, 6, 2), (2, 3, 0, 1))
    phone.get_by_role("radio", name=way).tap()
    order = phone.locator(".seating:visible bdi").all_text_contents()
    phone.locator("#rematch > .strong").tap()
    expect(phone.locator(".deck")).to_have_text("Remove all 2s, 3s and 4s. 40 cards, 10 each.")
    expect(phone.locator("h1")).to_contain_text("pot 10")
    offline.tap_offline(2)
    offline.mend()
    offline.wait_until_saved()
    new = game_after(stored_game)
    assert (new.game.rules, new.game.stake) == (stored_game.game.rules, 250)
    assert sorted(new.game.names) == sorted(stored_game.game.names)
    assert [new.game.names[seat] for seat in new.game.state.order] == order
    if way == "Winner deals":
        assert (new.game.names, new.game.first_dealer) == (stored_game.game.names, 2)


def test_the_stake_of_the_last_game_can_be_changed(table: Table, phone: Page) -> None:
    table.begin(stake=250)
    offline = new_game_page(phone)
    stake = phone.locator("#stake")
    phone.locator("#options > summary").click()
    expect(stake).to_have_value("2.50")
    stake.fill("five")
    offline.button("Start game").tap()
    expect(phone.get_by_role("alert")).to_contain_text("Enter a stake such as 5 or 2.50")
    expect(stake).to_have_value("five")
    offline.breathe()
    stake.fill("0,75")
    offline.button("Start game").tap()
    expect(phone.locator("h1")).to_contain_text("pot 3")
    offline.mend()
    offline.wait_until_saved()
    assert {game.game.stake for game in games_of(table)} == {250, 75}


def test_the_stake_is_asked_for_as_the_rules_pay_it(table: Table, phone: Page) -> None:
    table.begin(stake_by="points")
    new_game_page(phone)
    expect(phone.locator("label[for=stake]")).to_have_text("Stake per point (optional)")


def test_a_game_from_paper_is_continued(table: Table, phone: Page) -> None:
    stored_game = table.begin()
    offline = new_game_page(phone)
    phone.locator("#options > summary").click()
    phone.get_by_text("Continue from paper").click()
    totals = phone.locator("[name^=start-]:visible")
    expect(totals).to_have_count(4)
    totals.nth(1).fill("85")
    totals.nth(3).fill("many")
    offline.button("Start game").tap()
    expect(phone.get_by_role("alert")).to_contain_text("Enter totals and bags as numbers")
    offline.breathe()
    totals.nth(3).fill("-35")
    offline.button("Start game").tap()
    expect(phone.locator(".note")).to_contain_text("Start totals: 0 · 85 · 0 · −35")
    offline.mend()
    offline.wait_until_saved()
    (new,) = [one for one in games_of(table) if one.game.id != stored_game.game.id]
    assert new.game.state.standing.totals == (0, 85, 0, -35)


def test_the_rules_that_are_chosen_are_told(table: Table, phone: Page) -> None:
    own = replace(CUTTHROAT_LITE, name="Friday", target=170, first_dealer="random")
    with table.server.store.write() as db:
        save_rules(db, table.id, own)
    table.begin(rules="partnership")
    offline = new_game_page(phone)
    phone.locator("#options > summary").tap()
    phone.locator("#book summary").tap()
    rules_text = phone.locator("#book-text")
    expect(rules_text).to_contain_text("Partners sit opposite each other")
    phone.locator("#options > summary").tap()
    check(phone, phone.get_by_label("Friday"))
    phone.locator("#options > summary").tap()
    expect(rules_text).to_contain_text("Cutthroat Spades LITE with 2 house rules, marked below.")
    expect(rules_text.locator("tr")).to_have_text(
        [
            "Winning score170 house rule; usually 125",
            "First dealerrandom house rule; usually last seat",
        ]
    )
    expect(rules_text).to_contain_text(
        "The first dealer is chosen at random unless the table picks one."
    )
    offline.button("Start game").tap()
    expect(offline.line()).to_contain_text("The new game will be sent later")
    offline.mend()
    offline.wait_until_saved()
    assert own in [game.game.rules for game in games_of(table)]


def test_a_phone_that_was_removed_keeps_its_rounds_and_lets_them_be_saved(
    table: Table, phone: Page, server: AppServer
) -> None:
    stored_game = table.begin()
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.play_offline((3, 2, Nil.NIL, 4), (3, 4, 0, 3), (0, 1, 2, 3))
    with server.store.write() as db:
        remove_phone(db, table.id, table.phone.id[:SHORT], now())
    offline.mend()
    offline.ask_until(offline.line().get_by_text("Its rounds are still here – export them."))
    with phone.expect_download() as saved:
        offline.line().get_by_role("button", name="Export CSV").tap()
    rows = saved.value.path().read_text("utf-8").splitlines()
    columns = "game,started,rules,house_rules,round,dealer,seat,player,bid,tricks,notes,date"
    assert rows[0] == f"\ufeff{columns},bonus_points,remark,cards,start,start_bags,trump"
    assert rows[3].startswith(f"{stored_game.id},{now():%Y-%m-%dT}")
    assert ",cutthroat-lite,,1,4,3,South,nil,0,," in rows[3]
    assert len(rows) == 5


def test_a_page_that_is_open_stops_at_another_table_and_lets_its_taps_be_saved(
    table: Table, phone: Page, server: AppServer
) -> None:
    stored_game = table.begin().play((3, 2, Nil.NIL, 4), (3, 4, 0, 3))
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    offline.play_offline((1, 3, 4, 2), (1, 5, 4, 0), (1, 2, 3, 0))
    version = stored_game.game.version
    phone.context.add_cookies([Table(server).cookie])
    offline.mend()
    offline.ask_until(offline.line().get_by_text("Its rounds are still here – export them."))
    with phone.expect_download() as saved:
        offline.line().get_by_role("button", name="Export CSV").tap()
    saved_rows = saved.value.path().read_text().splitlines()
    assert [row for row in saved_rows if ",cutthroat-lite,,2,1,4,West,2,0," in row]
    assert stored_game.game.version == version


def test_a_game_begun_for_one_table_is_not_sent_to_another(
    table: Table, phone: Page, server: AppServer
) -> None:
    won(table)
    offline = new_game_page(phone)
    offline.button("Start game").tap()
    offline.tap_offline(3)
    other = Table(server)
    phone.context.add_cookies([other.cookie])
    offline.mend()
    offline.ask_until(offline.line().get_by_text("Its rounds are still here – export them."))
    assert games_of(other) == []


def test_a_phone_that_was_removed_forgets_games_of_which_nothing_waits(
    table: Table, phone: Page, server: AppServer
) -> None:
    offline = OfflinePlayer(phone).load(table.begin().path)
    with server.store.write() as db:
        remove_phone(db, table.id, table.phone.id[:SHORT], now())
    offline.open("/")
    expect(phone.locator("html")).to_have_attribute("data-kept", "")
    offline.cut()
    offline.open("/")
    expect(phone.get_by_text("No games saved on this phone yet")).to_be_visible()


def test_two_pages_of_one_phone_send_what_waits_once(table: Table, phone: Page) -> None:
    stored_game = table.begin()
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.play_offline((3, 2, Nil.NIL, 4), (3, 4, 0, 3), (0, 1, 2, 3))
    other = OfflinePlayer(phone.context.new_page()).open(stored_game.path)
    expect(other.line()).to_contain_text("1 round will be sent later")
    offline.mend()
    other.wait_until_saved()
    offline.wait_until_saved()
    assert stored_game.journal() == [*[("bid", 1)] * 4, *[("tally", 1)] * 3, ("scored", 1)]


def test_a_rematch_beside_another_game_is_asked_about(table: Table, phone: Page) -> None:
    last = won(table)
    offline = OfflinePlayer(phone).load("/")
    running = table.begin().play((1, 1, 1, 1), (3, 3, 3, 1))
    offline.load(running.path).open(last.path)
    offline.cut()
    phone.reload()
    phone.locator("#rematch > .strong").tap()
    asked = phone.locator("#rematch-asked")
    expect(asked).to_contain_text("Round 2 · North ")
    asked.get_by_role("link", name="Cancel").tap()
    expect(asked).not_to_be_visible()
    offline.breathe()
    phone.locator("#rematch > .strong").tap()
    asked.get_by_role("button", name="Start the rematch").tap()
    expect(phone.locator("#pad")).to_be_visible()
    offline.tap_offline(3)
    offline.mend()
    offline.wait_until_saved()
    [new] = [one for one in games_of(table) if one.id not in (last.id, running.id)]
    assert new.game.names == last.game.names
    assert new.game.state.open.bids[0] == 3


def test_a_rematch_is_begun_from_the_list(table: Table, phone: Page) -> None:
    last = won(table)
    offline = OfflinePlayer(phone).load("/")
    offline.cut()
    offline.open("/")
    expect(phone.locator(".result")).to_have_count(1)
    offline.button("Rematch").tap()
    offline.tap_offline(3)
    offline.mend()
    offline.wait_until_saved()
    new = game_after(last)
    assert new.game.names == last.game.names
    assert new.game.state.open.bids[0] == 3
