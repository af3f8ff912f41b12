"""A phone whose browser cannot store what is tapped: nothing is lost, and the page says so."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.offline import OfflinePlayer

# Connections can be closed behind the page's back, as iOS does it, and `fail` makes writing fail.
STORAGE = """
window.connections = [];
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...names) {
  if (window.fail === "open") throw new DOMException("no", "UnknownError");
  const request = open.apply(this, names);
  request.addEventListener("success", () => connections.push(request.result));
  return request;
};
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...what) {
  if (window.fail === "put") throw new DOMException("full", "QuotaExceededError");
  const request = put.apply(this, what);
  if (window.fail === "commit") this.transaction.abort();
  return request;
};
"""
NO_STORAGE = {
    "refused": STORAGE + "window.fail = 'open';",
    "missing": "delete window.indexedDB; delete window.IDBKeyRange;",
    "silent": "IDBFactory.prototype.open = () => new EventTarget();",
}
CANNOT_STORE = "This phone can’t store your taps"


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    return table.begin()


@pytest.fixture
def offline(phone: Page, stored_game: StoredGame) -> OfflinePlayer:
    """An offline player, with a browser whose storage can be made to fail."""
    phone.add_init_script(STORAGE)
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.cut()
    phone.reload()
    expect(offline.line()).to_be_visible()
    return offline


def close_connections(page: Page) -> None:
    page.evaluate("connections.splice(0).forEach((db) => db.close())")


def test_a_connection_that_was_closed_is_opened_again(
    offline: OfflinePlayer, stored_game: StoredGame
) -> None:
    offline.tap_offline(3)
    close_connections(offline.page)
    offline.tap_offline(2)
    expect(offline.line()).not_to_contain_text(CANNOT_STORE)
    offline.wait_until_settled()
    offline.page.reload()
    expect(offline.page.locator(".seat-bid")).to_have_text(["3", "2", "?", ""])
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, 2, None, None)


@pytest.mark.parametrize("fault", ["put", "commit", "open"])
def test_what_cannot_be_stored_is_kept_in_the_page_and_sent(
    offline: OfflinePlayer, stored_game: StoredGame, fault: str
) -> None:
    offline.page.evaluate("(fault) => { window.fail = fault; }", fault)
    close_connections(offline.page)
    offline.tap_offline(3, 2, Nil.NIL, 4, 3, 4, 0)
    offline.confirm_offline()
    expect(offline.line()).to_contain_text(CANNOT_STORE)
    expect(offline.line()).to_contain_text("1 round will be sent later")
    offline.undo_offline()
    offline.confirm_offline()
    offline.mend()
    offline.wait_until_saved()
    assert [round_[:2] for round_ in stored_game.game.rounds] == [
        ((3, 2, Nil.NIL, 4), (3, 4, 0, 3))
    ]


def test_what_the_browser_clears_is_stored_again(
    offline: OfflinePlayer, stored_game: StoredGame, server: AppServer
) -> None:
    offline.tap_offline(3)
    session = offline.page.context.new_cdp_session(offline.page)
    session.send(
        "Storage.clearDataForOrigin", {"origin": server.address, "storageTypes": "indexeddb"}
    )
    offline.tap_offline(2)
    expect(offline.line()).not_to_contain_text(CANNOT_STORE)
    offline.wait_until_settled()
    offline.page.reload()
    expect(offline.page.locator(".seat-bid")).to_have_text(["3", "2", "?", ""])
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, 2, None, None)


def test_it_is_stored_when_that_can_be_done_again(
    offline: OfflinePlayer, stored_game: StoredGame
) -> None:
    offline.page.evaluate("window.fail = 'put'")
    offline.tap_offline(3, 2)
    expect(offline.line()).to_contain_text(CANNOT_STORE)
    offline.page.evaluate("window.fail = ''")
    offline.tap_offline(4)
    expect(offline.line()).not_to_contain_text(CANNOT_STORE)
    offline.wait_until_settled()
    offline.page.reload()
    expect(offline.page.locator(".seat-bid")).to_have_text(["3", "2", "4", "?"])


@pytest.mark.parametrize("storage", NO_STORAGE.values(), ids=NO_STORAGE)
def test_a_page_of_the_server_goes_on_alone_without_any_storage(
    phone: Page, stored_game: StoredGame, storage: str
) -> None:
    phone.add_init_script(storage)
    offline = OfflinePlayer(phone).load(stored_game.path)
    offline.bid(3)
    expect(offline.line()).to_have_count(0)
    offline.cut()
    offline.key(2).tap()
    expect(offline.line()).to_contain_text(CANNOT_STORE)
    expect(phone.locator(".seat-bid")).to_have_text(["3", "2", "?", ""])
    offline.mend()
    offline.wait_until_saved()
    assert stored_game.game.state.open.bids == (3, 2, None, None)
