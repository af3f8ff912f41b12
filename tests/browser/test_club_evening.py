"""An evening as its club has it: two directors, two tables by touch, and what goes wrong."""

import re
import socket
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from scorekeeper.store.check import faults
from scorekeeper.store.database import FILE, Store
from tests.browser.conftest import WITHOUT_MOMENTS
from tests.browser.offline import RETRY_INTERVAL, OfflinePlayer
from tests.browser.player import settled
from tests.program import Program
from tests.web.club.evening import TEAMS

LAPTOP = {"viewport": {"width": 1280, "height": 800}, "has_touch": False, "is_mobile": False}
ROUND = (3, 2, 4, 3, 4, 3, 2)  # bids, and the tricks of all but the last
SLIP = re.compile(r"/club/\w+/tables/\d/[a-z2-7]{26}")


class Club:
    """A server of its own, which is killed and comes back at its address, and the club's devices.

    Its join link is that of the first start.
    """

    def __init__(self, folder: Path, browser: Browser, args: dict[str, Any]) -> None:
        self.folder, self._browser, self._at_end = folder, browser, ExitStack()
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self._port = str(free.getsockname()[1])
        self._args = {**args, "base_url": f"http://127.0.0.1:{self._port}"}
        self.start()
        self._link = self.program.join_link

    def start(self) -> None:
        """Start the server."""
        command = [sys.executable, "-m", "scorekeeper", "--host", "127.0.0.1", "--port", self._port]
        settings = {"SCOREKEEPER_DATA": str(self.folder), "SCOREKEEPER_URL": self._args["base_url"]}
        self.program = self._at_end.enter_context(Program(command, **settings))

    def page(self, **args: Any) -> Page:
        """Open a page of a device that has not been here."""
        context = self._browser.new_context(**{**self._args, **args})
        context.add_init_script(WITHOUT_MOMENTS)
        self._at_end.callback(context.close)
        return context.new_page()

    def director(self, **args: Any) -> Page:
        """Open a page of a device that joins the club's table."""
        page = self.page(**args)
        page.goto(self._link)
        press(page, "Join")
        page.wait_for_url("**/")
        return page

    def keeper(self, slip: str) -> OfflinePlayer:
        """Return who keeps score at the table of a slip."""
        player = OfflinePlayer(self.page()).open(slip)
        press(player.page, "Keep score here")
        expect(player.page.get_by_text("The game opens here")).to_be_visible()
        return player

    def end(self) -> None:
        """End everything; the games must be as they should."""
        self._at_end.close()
        with Store(self.folder) as store:
            assert [*faults(store)] == []
            count = "SELECT count(*), count(DISTINCT match || number) FROM club_matches"
            games, tables = store.db.execute(f"{count} WHERE game_id IS NOT NULL").fetchone()
            assert games == tables == store.db.execute("SELECT count(*) FROM games").fetchone()[0]


@pytest.fixture
def club(tmp_path: Path, browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Club]:
    club = Club(tmp_path / "club", browser, browser_context_args)
    yield club
    club.end()


def press(page: Page, name: str, role: Any = "button") -> None:
    """Press what has a name that begins so."""
    settled(page).get_by_role(role, name=name).first.click()


def set_up(page: Page) -> None:
    """Set an evening of two matches of one round up, from home to its desk."""
    press(page, "Club night", "link")
    press(page, "rounds", "radio")
    page.get_by_label("Rounds in a match").fill("1")
    page.get_by_label("Matches").fill("2")
    press(page, "Who plays?")
    page.get_by_label("One team a line").fill("\n".join(TEAMS))
    press(page, "Seat everyone")
    expect(page.locator(".club-tables li")).to_have_count(2)


def finish(player: OfflinePlayer) -> None:
    """Play the only round of a game."""
    player.tap_offline(*ROUND)
    player.confirm_offline()
    expect(player.page.locator("#won")).to_be_visible()


def aged(club: Club, minutes: int) -> None:
    """Let the newest games look as if they had been changed some minutes before they were."""
    with closing(sqlite3.connect(club.folder / FILE)) as db:
        db.execute(
            "UPDATE games SET changed = strftime('%Y-%m-%dT%H:%M:%f+00:00', changed, ?)",
            [f"{-minutes} minutes"],
        )
        db.commit()


def test_an_evening_with_all_that_goes_wrong(club: Club) -> None:
    phone, laptop = club.director(), club.director(**LAPTOP)
    set_up(phone)
    desk = phone.url
    laptop.goto(f"{desk}/links")
    one, two = (club.keeper(slip) for slip in sorted({*SLIP.findall(laptop.content())}))
    laptop.goto(desk)
    press(phone, "Start match 1")
    expect(laptop.get_by_role("button", name="Last round")).to_be_visible()

    # Table 2 loses its network for the whole match; the director enters what it calls across.
    for player in (one, two):
        player.page.reload()
        player.page.wait_for_url("**/games/*")
        player.load(player.page.url)
    first = {player: player.page.url for player in (one, two)}
    two.cut()
    finish(one)
    finish(two)
    expect(laptop.locator(".club-state").first).to_contain_text("Finished")
    aged(club, 4)
    laptop.reload()
    expect(laptop.locator(".club-state").nth(1)).to_contain_text("4 min ago")
    aged(club, -4)
    laptop.locator(".club-tables a").nth(1).click()
    expect(laptop.get_by_role("heading", name="Table 2")).to_be_visible()
    laptop.get_by_role("textbox").first.fill("150")
    laptop.get_by_role("textbox").nth(1).fill("-20")
    press(laptop, "Save the result")
    expect(laptop.locator(".club-state").nth(1)).to_contain_text("By hand")

    # Two directors press the same button at once.
    expect(phone.locator(".club-state").nth(1)).to_contain_text("By hand")
    for page in (laptop, phone):
        page.get_by_role("button", name="Next match").evaluate("(button) => button.click()")
    for page in (laptop, phone):
        expect(page.get_by_role("button", name="Start match 2")).to_be_visible()

    # A late pair, and a server that is killed while match 2 starts.
    press(phone, "Who plays", "link")
    phone.get_by_label("Who comes late").fill("Jo & Kim")
    press(phone, "Add")
    phone.goto(desk)
    expect(phone.get_by_text("Sitting out")).to_be_visible()
    laptop.reload()
    settled(laptop).get_by_role("button", name="Start match 2").evaluate("(one) => one.click()")
    club.program.kill()
    club.program.process.wait()
    club.start()
    laptop.goto(desk)
    if (start := laptop.get_by_role("button", name="Start match 2")).is_visible():
        start.click()
    expect(laptop.get_by_role("button", name="Last round")).to_be_visible()
    expect(laptop.locator(".club-state").get_by_text("Round 1 of 1")).to_have_count(2)

    # Table 2 is back: what it played questions the result by hand, which is corrected. Both phones
    # go on to the game of match 2 by themselves.
    two.mend()
    for player in (one, two):
        two.page.clock.fast_forward(RETRY_INTERVAL)
        expect(player.page).not_to_have_url(first[player])
        player.page.wait_for_url("**/games/*")
    laptop.goto(f"{desk}/matches/1/tables/2")
    expect(laptop.get_by_text("Game: 52 : −70 · By hand: 150 : −20")).to_be_visible()
    press(laptop, "Take the result of the game")
    expect(laptop.get_by_text("Match 1 was corrected")).to_be_in_viewport()

    for player in (one, two):
        finish(player.load(player.page.url))
    expect(phone.locator(".club-over")).to_have_count(2)
    press(phone, "Close the match")
    press(phone, "End the evening")
    expect(laptop.get_by_role("heading", name="This evening has ended")).to_be_visible()
    laptop.goto(f"{desk}/results")
    expect(laptop.locator(".club-table tbody tr")).to_have_count(5)
