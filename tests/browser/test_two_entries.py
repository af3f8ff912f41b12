"""Conflicting entries for a round, on the offline pages: what differs, from whom and when."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.clock import now
from scorekeeper.rules.bidding import Nil
from scorekeeper.store.tables import join
from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import settled
from tests.browser.scenes import SCENES
from tests.browser.test_settings import LISTEN

FIRST = ((2, 2, 2, 2, 2), (0, 3, 2, 3, 2))
BIDS = (3, Nil.NIL, 3, 2, 1)
HERE, THERE = (3, 1, 2, 2, 2), (3, 0, 3, 2, 2)
CLOCK = re.compile(r"\d\d:\d\d$")


def recorded_twice(table: Table, page: Page) -> tuple[OfflinePlayer, StoredGame]:
    """Let this phone, without the server, and Dana's phone record the same round."""
    with table.server.store.write() as db:
        other = join(db, table.id, "Dana’s phone", now())
    stored_game = table.begin(CAST).play(*FIRST)
    offline = OfflinePlayer(page).load(stored_game.path)
    offline.cut()
    page.add_init_script(LISTEN)
    page.reload()
    offline.play_offline(BIDS, HERE, [1, 2, 3, 4, 0])
    table.phone = other
    stored_game.play(BIDS, THERE)
    offline.mend()
    offline.ask_until(page.get_by_role("heading", name="Round 2: two entries"))
    return offline, stored_game


def different(page: Page) -> list[str]:
    """Return the cells that are marked as different."""
    cells = page.locator(".conflict-cell.different")
    assert cells.get_by_role("img", name="differs").count() == cells.count()
    return [" ".join(text.split()) for text in cells.all_inner_texts()]


@pytest.mark.parametrize(
    ("choice", "tricks"), [("Keep the saved entry", THERE), ("Use this phone’s entry", HERE)]
)
def test_the_table_sees_what_differs_and_chooses(
    table: Table, phone: Page, choice: str, tricks: tuple[int, ...]
) -> None:
    offline, stored_game = recorded_twice(table, phone)
    heading = phone.get_by_role("heading", name="Round 2: two entries")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    expect(heading).to_have_accessible_description(
        "Two phones recorded this round. The entries differ for East and South. "
        "Nothing is lost. Choose together which entry counts."
    )
    said = "Another phone recorded this round differently. Choose which entry counts."
    phone.wait_for_function("(said) => heard.includes(said)", arg=said)
    assert phone.evaluate("heard").count(said) == 1
    assert different(phone) == [
        "bid Nil, took 0 total 71",
        "bid Nil, took 1 total −28",
        "bid 3, took 3 total 50",
        "bid 3, took 2 total −10",
    ]
    heads = [
        " ".join(text.split()) for text in phone.locator(".conflict thead th").all_inner_texts()
    ]
    assert [CLOCK.sub("…", head) for head in heads[1:]] == [
        "Dana’s phone recorded at …",
        "This phone entered at …",
    ]
    expect(phone.locator(".strip .side")).to_have_count(5)
    theirs = phone.get_by_role("button", name="Keep the saved entry")
    ours = phone.get_by_role("button", name="Use this phone’s entry")
    expect(theirs).to_have_accessible_name("Keep the saved entry East 71 South 50")
    expect(ours).to_have_accessible_name("Use this phone’s entry East −28 South −10")

    at = 1 if choice.startswith("Keep") else 2
    shown = phone.locator(f".conflict tbody td:nth-of-type({at}) small").all_inner_texts()
    phone.get_by_role("button", name=choice).tap()
    offline.wait_until_saved()
    assert stored_game.game.rounds[1].tricks == tricks
    assert [int(text.rpartition(" ")[2].replace("−", "-")) for text in shown] == offline.totals()


def test_the_round_can_be_entered_again(table: Table, phone: Page) -> None:
    offline, stored_game = recorded_twice(table, phone)
    offline.button("Re-enter the round").tap()
    expect(phone.get_by_role("heading", name="Edit round")).to_be_visible()
    for seat, count in enumerate((3, 0, 2, 3, 2), 1):
        select(phone, seat).select_option(str(count))
    settled(phone)  # the button lies where the one before was tapped
    offline.button("Save").tap()
    expect(phone.locator("#pad")).to_be_visible()
    offline.wait_until_saved()
    assert stored_game.game.rounds[1].tricks == (3, 0, 2, 3, 2)


def select(page: Page, seat: int) -> Locator:
    return page.locator(f"[name=tricks-{seat}]")


@pytest.mark.parametrize("scene", ["two entries at the table", "two corrections"])
def test_on_pages_of_the_server_they_take_the_focus_too(
    table: Table, phone: Page, scene: str
) -> None:
    SCENES[scene](table, phone)
    expect(phone.get_by_role("heading", name="Round 1: two entries")).to_be_focused()
