"""A backup is restored while phones have newer rounds: they say so, and nothing is lost."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scorekeeper.clock import now
from scorekeeper.rules.bidding import Bid, Nil
from scorekeeper.store.backup import back_up
from scorekeeper.store.tables import make_watch_link
from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.conftest import WITHOUT_MOMENTS
from tests.browser.offline import OfflinePlayer

Facts = tuple[Sequence[Bid], Sequence[int]]
WENT_BACK = "The server was reset to an earlier state, probably from a backup"
ROUNDS: list[Facts] = [
    ((3, 2, Nil.NIL, 4), (3, 4, 0, 3)),
    ((1, 3, 4, 2), (1, 5, 4, 0)),
    ((2, 2, 2, 2), (4, 2, 2, 2)),
    ((4, Nil.NIL, 3, 1), (5, 1, 3, 1)),
    ((2, 3, 3, 2), (2, 3, 3, 2)),
]
ORDERS = [[(n + step) % 4 for step in range(4)] for n in range(5)]  # the last seat deals first


class Backup:
    """A backup of the server, made at some moment and restored later."""

    def __init__(self, server: AppServer, folder: Path) -> None:
        self.server, self.folder, self.file = server, folder, folder / "backup.db"

    def make(self) -> None:
        """Make the backup."""
        back_up(self.server.store.path, self.file)

    def restore(self) -> None:
        """Stop the server, restore the backup and start again."""
        self.server.restore(self.file, self.folder / "restored")


@pytest.fixture
def backup(server: AppServer, tmp_path_factory: pytest.TempPathFactory) -> Backup:
    # The folder outlives the test, as the server of the later ones goes on in it.
    return Backup(server, tmp_path_factory.mktemp("backup"))


@pytest.fixture
def stored_game(table: Table) -> StoredGame:
    return table.begin(target="300")


@pytest.fixture
def offline(phone: Page) -> OfflinePlayer:
    return OfflinePlayer(phone)


@pytest.fixture
def other(
    browser: Browser, browser_context_args: dict[str, Any]
) -> Iterator[Callable[[Table | None], Page]]:
    """More phones: of a table, or of nobody."""
    contexts: list[BrowserContext] = []

    def open_phone(table: Table | None) -> Page:
        contexts.append(browser.new_context(**browser_context_args))
        contexts[-1].add_init_script(WITHOUT_MOMENTS)
        if table:
            contexts[-1].add_cookies([table.cookie])
        return contexts[-1].new_page()

    yield open_phone
    for context in contexts:
        context.close()


def two_more_than_the_backup(
    stored_game: StoredGame, backup: Backup, offline: OfflinePlayer
) -> None:
    """Play two rounds, make a backup, and play two more, which the phone keeps."""
    stored_game.play(*ROUNDS[0]).play(*ROUNDS[1])
    backup.make()
    stored_game.play(*ROUNDS[2]).play(*ROUNDS[3])
    offline.load(stored_game.path)


def recorded(stored_game: StoredGame) -> list[Any]:
    return [round_[:2] for round_ in stored_game.game.rounds]


def the_question(page: Page) -> Any:
    return page.get_by_role("heading", name="Server restored")


def test_rounds_3_to_5_go_out_again_in_order(
    stored_game: StoredGame, backup: Backup, offline: OfflinePlayer
) -> None:
    two_more_than_the_backup(stored_game, backup, offline)
    offline.cut()
    offline.page.reload()
    offline.play_offline(*ROUNDS[4], ORDERS[4])
    shown = offline.totals()
    backup.restore()
    assert recorded(stored_game) == ROUNDS[:2]
    offline.mend()
    offline.wait_until_saved()
    assert recorded(stored_game) == ROUNDS
    assert offline.totals() == shown
    assert stored_game.journal()[-3:] == [("scored", 3), ("scored", 4), ("scored", 5)]
    note = offline.page.get_by_role("region", name="Server restored")
    expect(note).to_contain_text(WENT_BACK.partition(" server ")[2])
    note.get_by_role("button", name="Dismiss").tap()
    expect(note).to_have_count(0)
    offline.load(stored_game.path)
    expect(note).to_have_count(0)


def test_where_both_differ_the_table_is_asked(
    stored_game: StoredGame, backup: Backup, offline: OfflinePlayer
) -> None:
    two_more_than_the_backup(stored_game, backup, offline)
    stored_game.score(2, (2, 4, 4, 0), ROUNDS[1][0])  # corrected, after the backup
    offline.load(stored_game.path)
    offline.cut()
    offline.page.reload()
    offline.play_offline(*ROUNDS[4], ORDERS[4])
    backup.restore()
    offline.mend()
    offline.ask_until(offline.page.get_by_role("heading", name="Round 2: two entries"))
    assert recorded(stored_game) == ROUNDS[:2]
    offline.page.get_by_role("button", name="Use this phone’s entry").tap()
    offline.wait_until_saved()
    corrected = (ROUNDS[1][0], (2, 4, 4, 0))
    assert recorded(stored_game) == [ROUNDS[0], corrected, *ROUNDS[2:]]


def test_an_open_page_says_what_happened_and_offers_to_send_again(
    stored_game: StoredGame, backup: Backup, offline: OfflinePlayer
) -> None:
    two_more_than_the_backup(stored_game, backup, offline)
    shown = offline.totals()
    backup.restore()
    expect(the_question(offline.page)).to_be_visible(timeout=20_000)
    assert offline.totals() == shown  # never fewer rounds without a word
    alert = offline.page.get_by_role("alert").filter(has_text="2 rounds on this phone")
    expect(alert).to_contain_text(WENT_BACK)
    assert recorded(stored_game) == ROUNDS[:2]
    offline.button("Send again").tap()
    offline.wait_until_saved()
    assert recorded(stored_game) == ROUNDS[:4]
    assert offline.totals() == shown


def test_a_page_that_is_opened_again_offers_it_too(
    stored_game: StoredGame, backup: Backup, offline: OfflinePlayer
) -> None:
    two_more_than_the_backup(stored_game, backup, offline)
    shown = offline.totals()
    context = offline.page.context
    offline.page.close()
    backup.restore()
    again = OfflinePlayer(context.new_page()).open(stored_game.path)
    expect(the_question(again.page)).to_be_visible(timeout=20_000)
    assert again.totals() == shown
    again.button("Keep the server’s version").tap()
    again.wait_until_saved()
    assert recorded(stored_game) == ROUNDS[:2]
    note = again.page.get_by_role("region", name="Replaced entries from this phone")
    expect(note).to_contain_text("Round 4 on this phone: North bid 4, took 5")


def test_a_tap_on_an_open_page_sends_the_rounds_before_it_too(
    stored_game: StoredGame, backup: Backup, offline: OfflinePlayer
) -> None:
    two_more_than_the_backup(stored_game, backup, offline)
    page = offline.page
    page.route("**/events?*", lambda route: route.abort())
    offline.load(stored_game.path)
    page.route("**/phone.json*", lambda route: route.abort())  # nobody tells this page
    backup.restore()
    offline.key(3).tap()
    expect(page.locator(".seat-bid").first).to_have_text("3")
    page.unroute("**/phone.json*")
    offline.wait_until_saved()
    expect(page.get_by_role("region", name="Server restored")).to_be_visible()
    assert recorded(stored_game)[:4] == ROUNDS[:4]
    assert stored_game.game.state.open.bids == (3, None, None, None)


def test_a_form_without_scripts_is_answered_with_the_game_as_it_is(
    stored_game: StoredGame, backup: Backup, browser: Browser, server: AppServer, table: Table
) -> None:
    stored_game.play(*ROUNDS[0])
    backup.make()
    stored_game.play(*ROUNDS[1])
    context = browser.new_context(base_url=server.address, java_script_enabled=False)
    context.add_cookies([table.cookie])
    page = context.new_page()
    page.goto(f"{stored_game.path}/rounds/3")
    backup.restore()
    page.locator("[name=bid-1]").select_option("3")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#message")).to_contain_text(f"{WENT_BACK}, so nothing was saved.")
    expect(page.locator("h1")).to_contain_text("Round 2")
    context.close()


def test_all_phones_may_send_the_same_rounds(
    stored_game: StoredGame,
    backup: Backup,
    offline: OfflinePlayer,
    table: Table,
    other: Callable[..., Page],
) -> None:
    two_more_than_the_backup(stored_game, backup, offline)
    second = OfflinePlayer(other(table)).load(stored_game.path)
    backup.restore()
    for one in (offline, second):
        expect(the_question(one.page)).to_be_visible(timeout=20_000)
    offline.button("Send again").tap()
    offline.wait_until_saved()
    second.wait_until_saved()  # of its own accord: nothing is missing any more
    assert recorded(stored_game) == ROUNDS[:4]
    assert stored_game.journal()[-2:] == [("scored", 3), ("scored", 4)]


def test_a_game_that_began_after_the_backup_is_begun_again(
    table: Table, backup: Backup, offline: OfflinePlayer, other: Callable[..., Page]
) -> None:
    backup.make()
    stored_game = table.begin(target="300", stake=150).play(*ROUNDS[0]).play(*ROUNDS[1])
    offline.load(stored_game.path)
    second = OfflinePlayer(other(table)).load(stored_game.path)
    shown, before = offline.totals(), stored_game.game
    backup.restore()
    for one in (offline, second):
        expect(the_question(one.page)).to_be_visible(timeout=30_000)
        assert one.totals() == shown
        one.button("Send again").tap()
        one.wait_until_saved()
    assert offline.page.url.endswith(stored_game.path)
    assert recorded(stored_game) == ROUNDS[:2]
    now_there = stored_game.game
    assert (now_there.names, now_there.rules, now_there.stake, now_there.first_dealer) == (
        before.names, before.rules, before.stake, before.first_dealer
    )  # fmt: skip
    assert stored_game.journal() == [("scored", 1), ("scored", 2)]


def test_a_watcher_is_told_now_and_when_the_page_is_loaded_again(
    stored_game: StoredGame, backup: Backup, server: AppServer, other: Callable[..., Page]
) -> None:
    with server.store.write() as db:
        key = make_watch_link(db, stored_game.game, server.app.config["SECRET_KEY"], now())
    stored_game.play(*ROUNDS[0])
    backup.make()
    stored_game.play(*ROUNDS[1])
    pages = [other(None), other(None)]
    for page in pages:
        page.goto(f"/watch/{key}")
    pages[1].context.set_offline(True)
    backup.restore()
    expect(pages[0].locator("#restored")).to_be_visible(timeout=20_000)
    expect(pages[0].locator("h1")).to_contain_text("Round 2")
    pages[1].context.set_offline(False)
    pages[1].reload()
    expect(pages[1].locator("#restored")).to_contain_text(WENT_BACK)
    pages[1].reload()
    expect(pages[1].locator("h1")).to_contain_text("Round 2")
    expect(pages[1].locator("#restored")).to_be_hidden()


def test_an_undo_is_no_restore(
    stored_game: StoredGame, offline: OfflinePlayer, table: Table, other: Callable[..., Page]
) -> None:
    stored_game.play(*ROUNDS[0])
    offline.load(stored_game.path)
    second = OfflinePlayer(other(table)).load(stored_game.path)
    second.button("Undo").first.tap()
    expect(offline.page.locator("h1")).to_contain_text("Round 1")
    offline.load(stored_game.path)
    expect(offline.page.locator("#restored")).to_be_hidden()
    expect(offline.page.locator("#game")).to_be_visible()


def test_a_phone_that_joined_after_the_backup_keeps_its_games(
    table: Table, stored_game: StoredGame, backup: Backup, offline: OfflinePlayer, phone: Page
) -> None:
    stored_game.play(*ROUNDS[0])
    backup.make()
    phone.context.clear_cookies()
    phone.context.add_cookies([table.another_phone().cookie])
    stored_game.play(*ROUNDS[1])
    offline.load(stored_game.path)
    offline.open("about:blank")  # as an open page reloads by itself
    backup.restore()
    offline.open("/")
    phone.wait_for_timeout(2000)
    phone.context.clear_cookies()
    phone.context.add_cookies([table.cookie])
    offline.open(stored_game.path)
    expect(the_question(phone)).to_be_visible(timeout=20_000)
