"""The rules offline: the deck before the first bid, and the rules page of a game."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.presets import CUTTHROAT
from scorekeeper.store.tables import save_rules
from tests.browser.app_server import CAST, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import check

GAMES = {
    "a book as it is": {"rules": "partnership"},
    "house rules": {"rules": "cutthroat", "target": "170", "bag_limit": "off", "tricks": "12"},
    "six players": {"names": (*CAST, "Fay"), "rules": "cutthroat"},
    "a list of cards": {"names": CAST, "rules": "oh-hell"},
    "five players": {"names": CAST, "mercy": "-100", "stake": 250},
    "another word for a bid": {"rules": "call-break"},
}
IN_ARABIC = ("house rules", "another word for a bid")
RULES_TEXT = ".topic h2, .score-rows div, .topic-lines li, .why p, .values td, .values th"
EVERY_TEXT = f"{RULES_TEXT}, .page > .lead, h1"
# The table as a version before stored it, which wrote the texts on the phone.
FORGET_TEXTS = """
() => new Promise((resolve) => {
  const request = indexedDB.open("scorekeeper");
  request.onsuccess = () => {
    const writing = request.result.transaction("kept", "readwrite");
    const store = writing.objectStore("kept");
    store.get("table").onsuccess = ({ target: { result: { texts, ...table } } }) =>
      store.put({ ...table, tag: "older" }, "table");
    writing.oncomplete = () => resolve(request.result.close());
  };
})
"""


def texts(page: Page, what: str) -> list[str]:
    """Return the texts of a page without blanks, as room between lines may come from styles."""
    return ["".join(text.split()) for text in page.locator(what).all_text_contents()]


ARABIC = pytest.mark.browser_context_args(locale="ar")


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(begun, id=name, marks=[ARABIC] if name in IN_ARABIC else [])
        for name, begun in GAMES.items()
    ],
)
def test_deck_and_rules_are_told_as_on_the_server(
    table: Table, phone: Page, begun: dict[str, object]
) -> None:
    stored_game = table.begin(**begun)
    phone.goto(f"{stored_game.path}/rules")
    with_server = texts(phone, EVERY_TEXT)
    offline = OfflinePlayer(phone).load(stored_game.path)
    deck = texts(phone, ".deck")
    offline.cut()
    phone.reload()
    expect(offline.line()).to_be_visible()
    assert texts(phone, ".deck") == deck
    offline.rules_offline()
    assert texts(phone, EVERY_TEXT) == with_server
    phone.goto(f"{stored_game.path}/rules")  # the way that the server's own page leads
    expect(phone.locator("#game table.values")).to_be_visible()
    assert texts(phone, EVERY_TEXT) == with_server
    phone.locator("[data-action=back]").tap()
    expect(phone.locator("#pad")).to_be_visible()


def begin_offline(offline: OfflinePlayer, minutes: str = "") -> None:
    """Start a game without the server by the rules that the table saved."""
    phone = offline.page
    offline.open("/games/new")
    check(phone, phone.get_by_label("Friday"))
    phone.locator("#options > summary").tap()
    phone.locator("#minutes").fill(minutes)
    phone.locator("#start").tap()
    expect(phone.locator("#pad")).to_be_visible()


@pytest.fixture
def saved_rules(table: Table, phone: Page) -> list[str]:
    """Rules that the table saved, as the server's page tells them, in the phone's language."""
    table.begin()  # by other rules; its players are those of the next game
    own = replace(CUTTHROAT, name="Friday", target=170, tricks=12, overtrick_points=2)
    with table.server.store.write() as db:
        rules_id = save_rules(db, table.id, own)
    phone.goto(f"/rules/{rules_id}")
    return texts(phone, RULES_TEXT)


def test_a_game_begun_offline_has_the_rules_of_the_table(
    saved_rules: list[str], phone: Page
) -> None:
    offline = OfflinePlayer(phone).load("/")
    offline.cut()
    begin_offline(offline)
    offline.rules_offline()
    assert texts(phone, RULES_TEXT) == saved_rules


@ARABIC
def test_minutes_that_were_set_offline_are_told_once_the_server_has_them(
    table: Table, saved_rules: list[str], phone: Page
) -> None:
    offline = OfflinePlayer(phone).load("/")
    offline.cut()
    begin_offline(offline, "45")
    offline.rules_offline()
    expect(phone.locator(".topic, .why")).to_have_count(0)
    assert texts(phone, ".values td").count("45") == 0
    expect(phone.locator(".page > .hint")).to_have_count(2)
    phone.locator("[data-action=back]").tap()
    offline.mend()
    offline.wait_until_saved()
    path = phone.url
    phone.goto(f"{path}/rules")
    told = texts(phone, EVERY_TEXT)
    offline.load(path)
    offline.cut()
    phone.goto(f"{path}/rules")
    expect(phone.locator("#game table.values")).to_be_visible()
    assert texts(phone, EVERY_TEXT) == told


def test_what_a_version_before_has_kept_is_completed(table: Table, phone: Page) -> None:
    stored_game = table.begin(target="170")
    phone.goto(f"{stored_game.path}/rules")
    told = texts(phone, EVERY_TEXT)
    offline = OfflinePlayer(phone).load(stored_game.path)
    phone.evaluate(FORGET_TEXTS)
    offline.cut()
    phone.reload()
    offline.rules_offline()
    expect(phone.locator(".topic, .why")).to_have_count(0)
    assert set(texts(phone, ".values td")) < set(told)
    offline.mend()
    offline.load(stored_game.path)
    offline.cut()
    phone.reload()
    offline.rules_offline()
    assert texts(phone, EVERY_TEXT) == told
