"""Every group and key of the dock has its name in the accessibility tree from its first frame."""

import pytest
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import StoredGame, Table
from tests.browser.player import ready, settled, taken_over

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

Named = list[tuple[str, str]]


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    """A game after a round."""
    return table.begin().play((3, 2, Nil.NIL, 4), (3, 3, 0, 4))


def named(page: Page, part: str) -> Named:
    """Return the role and the name of what can be tapped in a part of the page, and of groups."""
    session = page.context.new_cdp_session(page)
    found = session.send("Runtime.evaluate", {"expression": f"document.querySelector({part!r})"})
    object_id = found["result"]["objectId"]
    return [
        (role, node.get("name", {}).get("value", ""))
        for role in ("group", "button", "link", "switch")
        for node in session.send(
            "Accessibility.queryAXTree", {"objectId": object_id, "role": role}
        )["nodes"]
        if not node["ignored"]
    ]


def has_names(page: Page, group: str, *keys: str) -> None:
    """The keypad has this name, among its keys are these, and nothing of the entry has no name."""
    found = named(page, ".entry")
    assert [role for role, name in found if not name.strip()] == []
    assert ("group", group) in found
    names = [name for role, name in found if role == "button"]
    assert [key for key in keys if key not in names] == []


def test_keys_have_their_names_before_the_views_have_come(
    phone: Page, stored_game: StoredGame
) -> None:
    phone.route("**/views.js*", lambda _route: None)
    phone.goto(stored_game.path)
    has_names(taken_over(phone), "East’s bid", "Nil", "5", "10", "Undo")
    stored_game.bid(2, 3, Nil.NIL, 2)
    phone.goto(stored_game.path)
    has_names(taken_over(phone), "East’s tricks", "2 tricks: +20", "0 tricks: minus 20")
    ready(phone).locator('#pad .key[value="2"]').tap()
    expect(phone.locator("#pad")).to_have_accessible_name("South’s tricks")
    phone.unroute_all()


def test_keys_that_correct_an_open_round_have_theirs(phone: Page, stored_game: StoredGame) -> None:
    phone.goto(stored_game.bid(2, 3).path)
    ready(phone).locator("#seat-row-1 .seat-who").tap()
    expect(phone.locator("#pad")).to_have_accessible_name("East’s bid")
    has_names(phone, "East’s bid", "Nil", "2", "Penalty, points, note")
    stored_game.bid(Nil.NIL, 2).take(2, 3)
    phone.goto(stored_game.path)
    ready(phone).locator("#seat-row-1 .seat-who").tap()
    expect(phone.locator("#pad")).to_have_accessible_name("East’s tricks")
    has_names(phone, "East’s tricks", "2 tricks: +20", "1 trick: minus 20")


def test_keys_that_correct_a_past_round_have_theirs(phone: Page, stored_game: StoredGame) -> None:
    phone.goto(f"{stored_game.path}/rounds/1")
    expect(phone.locator("#dock .pad")).to_have_accessible_name("North’s bid")
    for part in ("table.correct", "#dock"):
        assert [role for role, name in named(phone, part) if not name.strip()] == []
    assert {("group", "North’s bid"), ("button", "Nil")} <= {*named(phone, "#dock")}
    phone.get_by_role("button", name="3: East’s tricks").tap()
    expect(phone.locator("#dock .pad")).to_have_accessible_name("East’s tricks")
    phone.locator("#dock .pad").get_by_text("4", exact=True).tap()
    expect(phone.locator("#effect")).to_contain_text("East’s tricks: 4")


def test_the_parts_of_an_opened_row_have_theirs(phone: Page, stored_game: StoredGame) -> None:
    phone.goto(stored_game.bid(2).path)
    ready(phone).locator("#seat-row-1 .seat-who").tap()
    settled(phone).get_by_role("button", name="Penalty, points, note").tap()
    for tab in ("Penalty", "Points", "Note"):
        settled(phone).get_by_role("button", name=tab, exact=True).tap()
        expect(phone.get_by_role("group", name=f"East, {tab}")).to_be_visible()
        found = named(phone, ".entry")
        assert [role for role, name in found if not name.strip()] == []
