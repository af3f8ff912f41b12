"""House rules on a phone: a change shows at once what it means; without scripts a button does."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from scorekeeper.rules.presets import PRESETS
from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.player import choose

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")


def unfold(page: Page) -> Page:
    """Open every topic of the house rules."""
    for topic in page.locator(".topic-fold:not([open]) > summary").all()[::-1]:
        topic.click()
    return page


def test_a_changed_value_shows_at_once_what_it_means(table: Table, phone: Page) -> None:
    phone.goto("/rules/new?rules=cutthroat-lite")
    unfold(phone)
    help_text = phone.locator("#overtrick_points-help")
    expect(help_text).to_be_empty()
    phone.locator("#overtrick_points").fill("0")
    expect(help_text).to_contain_text("bid 3, took 5: 32 → 30")
    phone.locator("#overtrick_points").fill("1")
    expect(help_text).to_be_empty()


def test_a_contradiction_shows_at_once_and_goes_again(table: Table, phone: Page) -> None:
    phone.goto("/rules/new?rules=cutthroat-lite")
    field = unfold(phone).locator("#bag_penalty")
    phone.locator("#bag_penalty-on").uncheck()
    expect(field).to_be_hidden()
    expect(phone.locator("#bag_penalty-help")).to_contain_text("needs a penalty")
    expect(field).to_have_attribute("aria-invalid", "true")
    phone.locator("#bag_penalty-on").check()
    field.fill("20")
    expect(phone.locator("#bag_penalty-help")).to_contain_text("limit 6 reached: −20")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()


def test_a_stepper_and_a_switch_change_a_number(table: Table, phone: Page) -> None:
    phone.goto("/rules/new?rules=cutthroat-lite")
    field = unfold(phone).locator("#bag_limit")
    stepper = phone.locator(".number-stepper:has(#bag_limit)")
    stepper.get_by_text("+").click()
    expect(field).to_have_value("7")
    field.press("ArrowDown")
    field.press("ArrowDown")
    expect(field).to_have_value("5")
    expect(phone.locator("#bag_limit-help")).to_contain_text("limit 5 reached")
    phone.locator("#bag_limit-on").uncheck()
    expect(stepper).to_be_hidden()
    expect(field).to_have_value("off")
    phone.locator("#bag_limit-on").check()
    expect(field).to_have_value("5")


def test_another_rule_book_brings_its_own_fields(table: Table, phone: Page) -> None:
    phone.goto("/rules/new?rules=cutthroat-lite")
    unfold(phone).locator("#target").fill("300")
    phone.locator("#rules").select_option("partnership")
    expect(phone.locator("#board")).to_have_value("off")
    expect(phone.locator("#nil_points")).to_have_value("100")
    expect(phone.locator("#target")).to_have_value("300")


def test_rules_are_made_kept_and_played(table: Table, phone: Page) -> None:
    phone.goto("/rules")
    phone.get_by_role("link", name="Create house rules").click()
    phone.locator("#name").fill("Friday night rules")
    unfold(phone).locator("#set_points").fill("20")
    expect(phone.locator("#set_points-help")).to_contain_text("−40 → −80")
    expect(phone.get_by_role("button", name="Preview")).to_be_hidden()
    phone.get_by_role("button", name="Save rules").click()
    expect(phone.locator("h1")).to_have_text("Friday night rules")
    phone.get_by_role("link", name="Play with these rules").click()
    expect(phone.locator(".book:has(:checked) b")).to_have_text("Friday night rules")


@pytest.fixture
def plain(browser: Browser, server: AppServer, table: Table) -> Iterator[Page]:
    """A phone of the table that runs no scripts."""
    context = browser.new_context(java_script_enabled=False, base_url=server.address)
    context.add_cookies([table.cookie])
    yield context.new_page()
    context.close()


def test_without_scripts_a_button_shows_what_it_means(plain: Page) -> None:
    plain.goto("/rules/new?rules=cutthroat-lite")
    unfold(plain).locator("#overtrick_points").fill("0")
    plain.get_by_role("button", name="Preview").click()
    expect(plain.locator("#overtrick_points-help")).to_contain_text("32 → 30")
    plain.locator("#overtrick_points").press("Enter")
    expect(plain.locator("#overtrick_points-help")).to_contain_text("32 → 30")


def test_house_rules_go_and_come_back_with_their_book(table: Table, phone: Page) -> None:
    table.begin(target="60", bag_limit="4")
    phone.goto("/games/new")
    kept, left = phone.locator("#house-kept span"), phone.locator("#house-left span")
    expect(kept).to_contain_text("60")
    phone.locator("#what > summary").click()  # unfolds the rules
    expect(kept).to_be_visible()
    rules_60_and_4 = kept.inner_text()
    expect(left).to_be_hidden()
    choose(phone, "rules", "partnership")
    expect(kept).to_be_hidden()
    expect(left).to_have_text(rules_60_and_4)
    expect(phone.locator("#house-left b")).to_contain_text("Cutthroat Spades LITE")
    expect(phone.locator("#target")).to_have_value("")
    choose(phone, "rules", "cutthroat-lite")
    expect(phone.locator("#target")).to_have_value("60")
    expect(kept).to_have_text(rules_60_and_4)
    expect(left).to_be_hidden()


def test_the_stake_is_asked_for_as_the_rules_pay_it(table: Table, phone: Page) -> None:
    table.begin(stake_by="points")
    phone.goto("/games/new")
    label = phone.locator("label[for=stake]")
    expect(label).to_have_text("Stake per point (optional)")
    choose(phone, "rules", "partnership")
    expect(label).to_have_text("Stake per player (optional)")
    choose(phone, "rules", "cutthroat-lite")
    expect(label).to_have_text("Stake per point (optional)")
    phone.locator("#options > summary").click()
    phone.locator("#stake_by").select_option("rank")
    expect(label).to_have_text("Stake per place (optional)")


def test_the_new_game_of_another_book_is_played_by_that_book(table: Table, phone: Page) -> None:
    table.begin(target="60", bag_limit="4")
    phone.goto("/games/new")
    choose(phone, "rules", "partnership")
    phone.locator("#options > summary").click()
    phone.locator("#target").fill("300")
    phone.locator("#stake").focus()
    expect(phone.locator("#house-kept span")).to_have_text("Winning score: 300")
    phone.get_by_role("button", name="Start game").last.click()
    expect(phone.locator("#entry")).to_be_visible()
    game = StoredGame(table, phone.url.rpartition("/")[2]).game
    assert game.rules == replace(PRESETS["partnership"], target=300)


def test_without_scripts_the_server_leaves_house_rules_of_another_book_out(
    plain: Page, table: Table
) -> None:
    table.begin(target="60", bag_limit="4")
    plain.goto("/games/new")
    choose(plain, "rules", "partnership")
    plain.get_by_role("button", name="Start game").last.click()
    expect(plain.locator("#house-left")).to_contain_text("Winning score: 60")
    plain.get_by_role("button", name="Start game").last.click()
    expect(plain.locator("#entry")).to_be_visible()
    game = StoredGame(table, plain.url.rpartition("/")[2]).game
    assert game.rules == PRESETS["partnership"]


def test_the_topic_in_sight_is_marked_in_the_list_of_topics(phone: Page) -> None:
    phone.goto("/rules/cutthroat-lite")
    marked = """(topic) => [...document.querySelectorAll(".jump a")]
      .filter((one) => getComputedStyle(one).color !== getComputedStyle(document.body).color)
      .map((one) => one.textContent).join() === topic"""
    phone.wait_for_function(marked, arg="Deal")
    for topic in ("Score", "Bid"):
        phone.locator(".jump").get_by_role("link", name=topic).tap()
        phone.wait_for_function(marked, arg=topic)
