"""A phone whose browser cannot store what is tapped: nothing is lost, and the page says so."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.house import Evening, Table
from tests.browser.offline import Cellar

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
CANNOT_STORE = "This phone cannot store what you tap"


@pytest.fixture
def evening(table: Table) -> Evening:
    return table.begin()


@pytest.fixture
def cellar(phone: Page, evening: Evening) -> Cellar:
    """Somebody in the cellar, with a browser that can be made to fail."""
    phone.add_init_script(STORAGE)
    cellar = Cellar(phone).load(evening.path)
    cellar.cut()
    phone.reload()
    expect(cellar.line()).to_be_visible()
    return cellar


def close_connections(page: Page) -> None:
    page.evaluate("connections.splice(0).forEach((db) => db.close())")


def test_a_connection_that_was_closed_is_opened_again(cellar: Cellar, evening: Evening) -> None:
    cellar.tap_alone(3)
    close_connections(cellar.page)
    cellar.tap_alone(2)
    expect(cellar.line()).not_to_contain_text(CANNOT_STORE)
    cellar.page.reload()
    expect(cellar.page.locator(".seat-bid")).to_have_text(["3", "2", "?"])
    cellar.mend()
    cellar.back_at_the_server()
    assert evening.game.board.open.bids == (3, 2, None, None)


@pytest.mark.parametrize("fault", ["put", "commit", "open"])
def test_what_cannot_be_stored_is_kept_in_the_page_and_sent(
    cellar: Cellar, evening: Evening, fault: str
) -> None:
    cellar.page.evaluate("(fault) => { window.fail = fault; }", fault)
    close_connections(cellar.page)
    cellar.tap_alone(3, 2, Nil.NIL, 4, 3, 4, 0)
    cellar.confirm_alone()
    expect(cellar.line()).to_contain_text(CANNOT_STORE)
    expect(cellar.line()).to_contain_text("1 round waits to be sent")
    cellar.undo_alone()
    cellar.confirm_alone()
    cellar.mend()
    cellar.back_at_the_server()
    assert [round_[:2] for round_ in evening.game.rounds] == [((3, 2, Nil.NIL, 4), (3, 4, 0, 3))]


def test_it_is_stored_when_that_can_be_done_again(cellar: Cellar, evening: Evening) -> None:
    cellar.page.evaluate("window.fail = 'put'")
    cellar.tap_alone(3, 2)
    expect(cellar.line()).to_contain_text(CANNOT_STORE)
    cellar.page.evaluate("window.fail = ''")
    cellar.tap_alone(4)
    expect(cellar.line()).not_to_contain_text(CANNOT_STORE)
    cellar.page.reload()
    expect(cellar.page.locator(".seat-bid")).to_have_text(["3", "2", "4", "?"])


def test_a_page_of_the_server_goes_on_alone_without_any_storage(
    phone: Page, evening: Evening
) -> None:
    phone.add_init_script(STORAGE + "window.fail = 'open';")
    cellar = Cellar(phone).load(evening.path)
    cellar.bid(3)
    cellar.cut()
    cellar.key(2).tap()
    expect(cellar.line()).to_contain_text(CANNOT_STORE)
    expect(phone.locator(".seat-bid")).to_have_text(["3", "2", "?"])
    cellar.mend()
    cellar.back_at_the_server()
    assert evening.game.board.open.bids == (3, 2, None, None)
