"""A penalty and the last round are entered from the menu, offline too."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_server import Table
from tests.browser.offline import OfflinePlayer
from tests.browser.player import ready, settled, wait_until_saved


@pytest.fixture
def offline(phone: Page) -> OfflinePlayer:
    """A player with that phone, who can go offline."""
    return OfflinePlayer(phone)


# Notes each element that moves from now on, and by which properties.
WATCH_MOVES = """
() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    window.moved.push([this.id, ...Object.keys(frames)]);
    return animate.call(this, frames, timing);
  };
}
"""


def unfold_penalty(page: Page) -> None:
    """Open the menu, and its form of a penalty."""
    page.locator("#menu > summary").tap()
    page.locator("#penalty > summary").tap()


def test_the_menu_opens_folded_each_time(table: Table, offline: OfflinePlayer) -> None:
    page = offline.page
    offline.load(table.begin().path)
    unfold_penalty(page)
    expect(page.locator("#menu details[open]")).to_have_count(1)
    settled(page).locator("#menu > summary").tap()
    expect(page.locator("#menu details[open]")).to_have_count(0)
    settled(page).locator("#menu > summary").tap()
    expect(page.locator("#penalty form")).to_be_hidden()
    page.locator("#seats > summary").tap()
    expect(page.locator("#seats form").first).to_be_visible()


def test_a_penalty_names_who_sat_there(table: Table, offline: OfflinePlayer) -> None:
    page = offline.page
    offline.load(table.begin().path)
    unfold_penalty(page)
    page.get_by_role("button", name="Add penalty").tap()
    expect(page.locator(".note")).to_contain_text("North – Renege")
    page.locator("#menu > summary").tap()
    page.locator("#seats > summary").tap()
    page.locator("#seats input[name='name']").fill("Eve")
    page.get_by_role("button", name="Swap in").tap()
    expect(page.locator(".note").last).to_contain_text("Eve – Renege")
    wait_until_saved(page)
    page.reload()
    expect(ready(page).locator(".note").last).to_contain_text("Eve – Renege")


def test_both_are_kept_offline_and_recorded_later(table: Table, offline: OfflinePlayer) -> None:
    stored_game = table.begin(rules="partnership")
    page = offline.page
    offline.load(stored_game.path)
    offline.cut()
    unfold_penalty(page)
    page.locator("#penalty select[name='seat']").select_option("2")
    page.get_by_role("button", name="Add penalty").tap()
    expect(page.locator(".now")).to_contain_text("East – Renege: 3 tricks to the other side")
    page.locator("#menu > summary").tap()
    page.get_by_role("button", name="Last round").tap()
    expect(page.locator(".now")).to_contain_text("Last round")
    offline.play_offline((3, 3, 3, 3), (3, 4, 3, 3), [0, 1, 2, 3])
    expect(page.locator("#winner")).to_have_text("North and South win")
    offline.mend()
    offline.wait_until_saved()
    game = stored_game.game
    assert game.state.standing.totals == (63, -60)
    assert game.rounds[0].notes.last_round
    assert [kind for kind, _round in stored_game.journal()][-1] == "scored"


@pytest.mark.browser_context_args(service_workers="block")
def test_the_page_shows_a_penalty_before_the_views_are_there(
    table: Table, offline: OfflinePlayer
) -> None:
    stored_game = table.begin(rules="partnership")
    page = offline.page
    offline.open(stored_game.path)
    unfold_penalty(ready(page))
    page.get_by_role("button", name="Add penalty").tap()
    note = page.locator(".note", has_text="North – Renege: 3 tricks to the other side")
    expect(note).to_be_visible()
    wait_until_saved(page)
    for later in ("**/phone", "**/js/draw/views.js"):
        page.route(later, lambda route: None)  # it never comes
    offline.open(stored_game.path)
    expect(ready(page).locator("#rounds")).to_have_count(0)
    expect(note).to_be_visible()
    offline.bid(3)
    expect(page.locator(".seat-bid").first).to_have_text("3")
    expect(note).to_be_visible()


def test_a_hand_that_counts_as_set_asks_for_no_size(table: Table, offline: OfflinePlayer) -> None:
    page = offline.page
    offline.open(table.begin(rules="partnership").path)
    unfold_penalty(page)
    size = page.locator("#penalty input[name='size']")
    expect(size).to_be_visible()
    page.locator("#penalty select[name='what']").select_option("set:nobody")
    expect(size).to_be_hidden()
    page.get_by_role("button", name="Add penalty").tap()
    expect(page.locator(".now")).to_contain_text("contract counts as set")


def test_a_game_lost_offline_is_over_and_recorded_later(
    table: Table, offline: OfflinePlayer
) -> None:
    stored_game = table.begin(rules="partnership")
    page = offline.page
    offline.load(stored_game.path)
    offline.cut()
    offline.tap_offline(4)
    unfold_penalty(page)
    page.locator("#penalty select[name='seat']").select_option("2")
    page.locator("#penalty select[name='what']").select_option("lost:nobody")
    expect(page.locator("#penalty input[name='size']")).to_be_hidden()
    page.get_by_role("button", name="Add penalty").tap()
    expect(page.locator("#winner")).to_have_text("North and South win")
    expect(page.locator(".now")).to_contain_text("East – Renege: game lost")
    offline.mend()
    offline.wait_until_saved()
    state = stored_game.game.state
    assert state.outcome == ("penalty", 0, ())
    assert state.open.bids == (4, None, None, None)
    offline.undo_offline()
    offline.wait_until_saved()
    assert stored_game.game.state.phase == "bidding"


def give_points(page: Page, seat: int, size: str, sign: str = "+", reason: str = "") -> None:
    """Give points by hand from the menu."""
    settled(page).locator("#menu > summary").tap()
    page.locator("#points > summary").tap()
    page.locator("#points select[name='seat']").select_option(str(seat))
    page.locator("#points select[name='sign']").select_option(sign)
    page.locator("#points input[name='size']").fill(size)
    page.locator("#points input[name='reason']").fill(reason)
    page.get_by_role("button", name="Add points").tap()


def test_points_are_given_by_hand_offline_and_recorded_later(
    table: Table, offline: OfflinePlayer
) -> None:
    stored_game = table.begin(rules="partnership")
    page = offline.page
    offline.load(stored_game.path)
    offline.cut()
    give_points(page, 2, "20", "-", "Lost a wager; 5:0")
    expect(page.locator(".note")).to_contain_text("East – \u2068Lost a wager; 5:0\u2069: −20")
    give_points(page, 1, "50")
    expect(page.locator(".note").first).to_contain_text("North – Bonus: +50")
    offline.play_offline((3, 3, 3, 3), (3, 4, 3, 3), [0, 1, 2, 3])
    offline.mend()
    offline.wait_until_saved()
    game = stored_game.game
    assert game.state.standing.totals == (110, 41)
    assert [one.reason for one in game.rounds[0].notes.penalties] == ["", "Lost a wager; 5:0"]
    assert [kind for kind, _round in stored_game.journal()][:2] == ["penalty", "penalty"]


def test_points_out_of_range_are_refused_with_a_sentence(
    table: Table, offline: OfflinePlayer
) -> None:
    offline.load(table.begin().path)
    give_points(offline.page, 1, "1000001")
    expect(offline.page.locator("#message")).to_have_text("Choose 1 to 1000000 points.")


def test_points_that_are_refused_twice_are_so_with_a_sentence_each_time(
    table: Table, phone: Page
) -> None:
    phone.goto(table.begin().path)
    ready(phone)
    for _ in range(2):
        give_points(phone, 1, "1000001")
        expect(phone.locator("#message")).to_be_visible()
        expect(phone.locator(".menu-list")).to_be_hidden()


def test_points_refused_on_the_page_of_a_round_stay_beside_the_reason(
    table: Table, phone: Page
) -> None:
    phone.goto(f"{table.begin().path}/rounds/1")
    phone.locator("summary", has_text="Points").tap()
    phone.get_by_label("Points", exact=True).fill("many")
    phone.get_by_role("button", name="Add points").tap()
    expect(phone.get_by_role("alert")).to_have_text("Enter points such as 20.")
    expect(phone.get_by_label("Points", exact=True)).to_be_focused()
    expect(phone.get_by_label("Points", exact=True)).to_have_value("many")
    phone.get_by_label("Points", exact=True).fill("20")
    phone.get_by_role("button", name="Add points").tap()
    expect(ready(phone).locator(".note")).to_contain_text("+20")


def test_tricks_are_taken_at_the_row_of_who_reneged(table: Table, phone: Page) -> None:
    stored_game = table.begin().bid(3, 2, 2, 3).take(4)
    phone.goto(stored_game.path)
    ready(phone).locator("#seat-row-0 .seat-who").tap()
    settled(phone).get_by_role("button", name="Penalty, points, note").tap()
    settled(phone)
    expect(phone.locator("#panel-row-0")).to_contain_text("North – Renege: 3 tricks taken away")
    phone.locator('[data-name="size"][value="2"]').tap()
    phone.get_by_role("button", name="Take 2 tricks away").tap()
    chip = phone.locator("#seat-row-0 .row-chip")
    expect(chip.locator("[aria-hidden]")).to_have_text("−2 tricks")
    expect(phone.locator("#news")).to_contain_text("North – Renege: 2 tricks taken away")
    expect(phone.locator(".now > .note")).to_have_count(0)  # nothing is pushed down
    wait_until_saved(phone)
    (penalty,) = stored_game.game.state.open.notes.penalties
    assert penalty == (0, "books", 2, "nobody", "renege")


def test_a_contract_that_counts_as_set_is_entered_at_the_row_and_a_lost_game_too(
    table: Table, phone: Page
) -> None:
    stored_game = table.begin().bid(3, 2, 2, 3).take(3, 2, 2)
    phone.goto(stored_game.path)
    open_row(ready(phone), 0)
    kinds = phone.locator('.open-row [data-name="to"]')
    expect(kinds).to_have_count(0)  # until the reason is another
    phone.get_by_role("button", name="Other reason").tap()
    expect(kinds).to_have_text(["tricks taken away", "contract counts as set", "game lost"])
    settled(phone).get_by_role("button", name="contract counts as set").tap()
    expect(phone.locator("#dock .pad, .opened .pad")).to_have_count(0)
    settled(phone).get_by_role("button", name="Renege").tap()
    said = "North – Renege: contract counts as set −30 instead of +30."
    expect(phone.locator(".open-effect")).to_have_text(said)
    settled(phone).get_by_role("button", name="Add penalty").tap()
    expect(phone.locator("#seat-row-0 .row-chip [aria-hidden]")).to_have_text("set")
    wait_until_saved(phone)
    open_row(phone, 1)
    phone.get_by_role("button", name="Other reason").tap()
    settled(phone).get_by_role("button", name="game lost").tap()
    settled(phone).get_by_role("button", name="Add penalty").tap()
    expect(phone.locator("#seat-row-1 .row-chip [aria-hidden]")).to_have_text("game lost")
    wait_until_saved(phone)
    given = stored_game.game.state.open.notes.penalties
    assert [one[1:] for one in given] == [
        ("set", 1, "nobody", "renege"),
        ("lost", 1, "nobody", "other"),
    ]


def test_players_with_totals_of_their_own_have_penalties_at_their_row_too(
    table: Table, phone: Page
) -> None:
    phone.goto(table.begin(rules="forty-one").bid(3).path)
    open_row(ready(phone), 1)
    kinds = phone.locator('.open-row [data-name="to"]')
    expect(kinds).to_have_text(["contract counts as set", "game lost"])


@pytest.mark.browser_context_args(reduced_motion="no-preference")
def test_a_row_opens_and_folds_by_moving_what_is_there(table: Table, phone: Page) -> None:
    phone.goto(table.begin().bid(3, 2).path)
    open_row(ready(phone), 1)
    phone.locator("html[data-kept]").wait_for()
    settled(phone).get_by_role("button", name="Cancel").tap()
    settled(phone)
    phone.evaluate(WATCH_MOVES)
    open_row(phone, 0)
    settled(phone).get_by_role("button", name="Cancel").tap()
    settled(phone)
    for row in ("panel-row-1", "seat-row-1"):  # below it
        phone.wait_for_function("(row) => window.moved.some(([id]) => id === row)", arg=row)
    moved = phone.evaluate("window.moved")
    assert {name for _id, *names in moved for name in names} <= {"translate", "opacity", "scale"}


def test_keys_show_what_is_true_after_a_penalty(table: Table, phone: Page) -> None:
    stored_game = table.begin().bid(3, 2, 2, 3)
    phone.goto(stored_game.path)
    ready(phone).locator("#menu > summary").tap()
    settled(phone).locator(".menu-tiles").get_by_role("button", name="Penalty").tap()
    expect(phone.locator("#panel-row-0 button")).to_be_visible()
    settled(phone).locator("#panel-row-0 button").tap()
    expect(phone.get_by_role("button", name="Take 3 tricks away")).to_be_visible()
    settled(phone).get_by_role("button", name="Take 3 tricks away").tap()
    ready(phone)
    expect(phone.locator('#pad .key[value="3"] small')).to_have_text("−30")
    expect(phone.locator('#pad .key[value="6"] small')).to_have_text("+30")


def test_points_are_typed_in_the_row_of_who_gets_them(table: Table, phone: Page) -> None:
    stored_game = table.begin().bid(3)
    phone.goto(stored_game.path)
    ready(phone).locator("#seat-row-1 .seat-who").tap()
    settled(phone).get_by_role("button", name="Penalty, points, note").tap()
    settled(phone).get_by_role("button", name="Points", exact=True).tap()
    phone.locator('.open-points [value="-"]').tap()
    phone.locator(".open-points input").fill("20")
    phone.get_by_role("button", name="Subtract points").tap()
    expect(phone.locator("#seat-row-1 .row-chip [aria-hidden]")).to_have_text("−20")
    wait_until_saved(phone)
    assert stored_game.game.state.open.notes.penalties[0][:3] == (1, "bonus", -20)
    expect(phone.locator("#seat-row-1")).to_have_class("seat tint-2 active")


def test_an_opened_row_is_closed_without_a_trace(table: Table, phone: Page) -> None:
    phone.goto(table.begin().bid(3).path)
    ready(phone).locator("#seat-row-1 .seat-who").tap()
    settled(phone).get_by_role("button", name="Penalty, points, note").tap()
    settled(phone).get_by_role("button", name="Cancel").tap()
    expect(phone.locator('#pad .key[value="3"]')).to_be_visible()
    expect(phone.locator(".row-chip")).to_have_count(0)


def open_row(page: Page, seat: int) -> None:
    """Open the row of a seat, from 0, to give it something."""
    settled(page).locator(f"#seat-row-{seat} .seat-who").tap()
    settled(page).get_by_role("button", name="Penalty, points, note").tap()
    settled(page)


def test_what_was_given_is_taken_back_at_its_chip(table: Table, phone: Page) -> None:
    stored_game = table.begin().bid(3, 2, 2, 3)
    phone.goto(stored_game.path)
    open_row(ready(phone), 1)
    phone.get_by_role("button", name="Take 3 tricks away").tap()
    wait_until_saved(phone)
    for tab, taken in (("Penalty", 1), ("Points", 1)):
        if tab == "Points":
            open_row(phone, 1)
            phone.get_by_role("button", name=tab, exact=True).tap()
            phone.locator(".open-points input").fill("20")
            phone.get_by_role("button", name="Add points").tap()
        chips = phone.locator("#seat-row-1 .row-chip")
        expect(chips).to_have_count(taken)
        settled(phone)
        chips.first.tap()
        row = phone.get_by_role("group", name=f"East, {tab}")
        expect(row.locator(".open-given")).to_have_count(taken)
        settled(row.page)
        row.get_by_role("button", name="Take back").tap()
        expect(phone.locator(".row-chip")).to_have_count(0)
        expect(phone.locator("#news")).to_contain_text("Removed: East – ")
        wait_until_saved(phone)
        assert stored_game.game.state.open.notes.penalties == ()


def test_a_note_is_taken_back_at_its_chip(table: Table, phone: Page) -> None:
    stored_game = table.begin().bid(3)
    phone.goto(stored_game.path)
    open_row(ready(phone), 0)
    phone.get_by_role("button", name="Note", exact=True).tap()
    phone.locator(".open-row textarea").fill("A joker was missing.")
    phone.get_by_role("button", name="Save note").tap()
    settled(phone)
    phone.locator("#seat-row-3 .row-chip").tap()
    settled(phone).get_by_role("button", name="Take back").tap()
    expect(phone.locator("#seat-row-3")).to_be_visible()
    expect(phone.locator(".row-chip")).to_have_count(0)
    wait_until_saved(phone)
    assert stored_game.game.state.open.notes.remark == ""


def test_an_opened_row_takes_the_focus_and_escape_gives_it_back(table: Table, phone: Page) -> None:
    phone.goto(table.begin().bid(3).path)
    open_row(ready(phone), 1)
    expect(phone.get_by_role("button", name="Penalty", exact=True)).to_be_focused()
    phone.keyboard.press("Escape")
    expect(phone.locator("#seat-row-1 .seat-who")).to_be_focused()


# Words in an opened row that are broken, or that stand on others.
BROKEN = """
() => [...document.querySelectorAll(".opened :is(.chip, .acts > *)")].filter((one) => {
  const range = new Range();
  range.selectNodeContents(one);
  const isWord = !one.textContent.trim().includes(" ");
  return one.scrollWidth > one.clientWidth || (isWord && range.getClientRects().length > 1);
}).map((one) => one.textContent)
"""


def test_a_long_name_and_all_words_are_whole_in_an_opened_row(table: Table, phone: Page) -> None:
    long = "Bartholomew Featherstonehaugh-Cholmondeley"[:40]
    stored_game = table.begin((long, "East", "South", "West", "Centre")).bid(3)
    session = phone.context.new_cdp_session(phone)
    for size in (16, 24):  # px; of the larger text rows have no "+1"
        session.send("Page.setFontSizes", {"fontSizes": {"standard": size}})
        phone.goto(stored_game.path)
        phone.locator("html[data-kept]").wait_for()
        open_row(ready(phone), 0)
        name = phone.locator(".open-row .seat-name bdi")
        assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        assert phone.evaluate(BROKEN) == []
