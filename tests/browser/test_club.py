"""A whole small club night by touch: set up, played, closed, ended."""

from playwright.sync_api import Page, expect

from tests.browser.app_server import Table
from tests.browser.player import settled
from tests.web.club.evening import LOST, TEAMS, WON, play_rounds

MOST_TAPS = 25  # from home to the first match, besides names


class Finger:
    """Taps what a page offers, and counts."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, name: str, role: str = "button") -> None:
        settled(self.page)
        self.page.get_by_role(role, name=name).first.tap()  # type: ignore[arg-type]  # a role
        self.taps += 1


def play_all(table: Table) -> None:
    """Play the one round of each game that goes on."""
    with table.server.store.write(table.id) as db:
        query = "SELECT game_id, number FROM club_matches WHERE table_id = ? AND state = 'running'"
        rows = db.execute(query, [table.id])
        for game_id, number in rows.fetchall():
            play_rounds(db, table.id, game_id, WON if number == 1 else LOST)


def test_an_evening_from_home_to_its_end(table: Table, phone: Page) -> None:
    finger = Finger(phone)
    phone.goto("/")
    finger.tap("Club night", "link")
    finger.tap("rounds", "radio")
    phone.get_by_label("Rounds in a match").fill("1")
    phone.get_by_label("Matches").fill("2")
    finger.tap("Who plays?")
    phone.get_by_label("One team a line").fill("\n".join(TEAMS))
    finger.tap("Seat everyone")
    expect(phone.locator(".club-tables li")).to_have_count(2)
    finger.tap("Start match 1")
    assert finger.taps + 3 <= MOST_TAPS
    expect(phone.locator(".club-state").first).to_contain_text("Round 1 of 1")
    finger.tap("Next match")
    expect(phone.get_by_role("alert")).to_contain_text("No result yet at table 1, 2")
    play_all(table)
    expect(phone.locator(".club-over")).to_have_count(2)
    expect(phone.get_by_role("alert")).to_have_count(0)
    expect(phone.locator("#told")).to_contain_text("Table 2: Finished")
    finger.tap("Next match")
    expect(phone.locator(".club-standings li")).to_have_count(4)
    finger.tap("Start match 2")
    expect(phone.locator(".club-state").first).to_contain_text("Round 1 of 1")
    play_all(table)
    expect(phone.locator(".club-over")).to_have_count(2)
    finger.tap("Close the match")
    expect(phone.get_by_role("heading", name="Match 2 is over")).to_be_visible()
    finger.tap("End the evening")
    expect(phone.get_by_role("heading", name="This evening has ended")).to_be_visible()
