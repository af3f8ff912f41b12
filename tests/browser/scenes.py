"""Every page in every state, each reached by the shortest way.

A scene takes a table, where nothing has been played, and a page, and leaves the page to be looked
at. Scenes of a stranger forget that the phone had joined.
"""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import CAST, StoredGame, Table
from tests.browser.player import change_cell, choose, live_link, ready

Scene = Callable[[Table, Page], None]
SCENES: dict[str, Scene] = {}
ROUND = ((3, 2, Nil.NIL, 4), (3, 4, 0, 3))


def scene(show: Scene) -> Scene:
    """Register a scene under the name of its function."""
    SCENES[show.__name__.replace("_", " ")] = show
    return show


def stranger(page: Page) -> Page:
    """Return the page of a phone that has not joined."""
    page.context.clear_cookies()
    return page


def speak(page: Page, table: Table, language: str) -> None:
    """Let a phone choose a language."""
    page.context.add_cookies([{"name": "language", "value": language, "url": table.server.address}])


# The app loads styles once a game being played takes taps.
ALL_STYLES = """
() => {
  const links = [...document.querySelectorAll("link[rel=stylesheet]")];
  const isWhole = document.querySelector("#page-style, #start-style");
  return (isWhole || links.some(({ href }) => href.includes("/css/pages.css")))
    && links.every(({ sheet }) => sheet);
}
"""


def settle(page: Page) -> None:
    """Wait until the app has taken the page over and styled it, if it is that of a game."""
    if page.locator("#game-facts").count():
        ready(page).wait_for_function(ALL_STYLES)


def won(table: Table) -> StoredGame:
    """Return a game that South has won in three rounds."""
    stored_game = table.begin(stake=250)
    stored_game.play(*ROUND)
    stored_game.play((1, 3, 4, 2), (1, 5, 4, 0))
    return stored_game.play((3, 2, 4, 1), (3, 1, 5, 1))


def tied(table: Table) -> StoredGame:
    """Return a game whose first two seats tie at the target."""
    stored_game = table.begin(target="30")
    return stored_game.play((3, 3, 3, 2), (3, 3, 2, 2))


@scene
def a_stranger(table: Table, page: Page) -> None:
    page.context.set_extra_http_headers({"Via": "1.1 proxy"})
    stranger(page).goto("/")
    page.context.set_extra_http_headers({})


@scene
def a_stranger_on_this_computer(table: Table, page: Page) -> None:
    stranger(page).goto("/")


@scene
def a_stranger_on_an_open_server(table: Table, page: Page) -> None:
    config = table.server.app.config
    config["OPEN"] = True
    stranger(page).goto("/")
    config["OPEN"] = False


@scene
def the_invitation(table: Table, page: Page) -> None:
    stranger(page).goto(table.link())


@scene
def the_invitation_with_a_bad_label(table: Table, page: Page) -> None:
    stranger(page).goto(table.link())
    page.locator("summary").click()
    page.locator("#label").fill("a name of far more than the forty characters that are allowed")
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".error")).to_be_visible()


@scene
def the_invitation_once_joined(table: Table, page: Page) -> None:
    page.goto(table.link())


@scene
def the_link_that_ended(table: Table, page: Page) -> None:
    stranger(page).goto("/join/nothing")


@scene
def home_without_a_game(table: Table, page: Page) -> None:
    page.goto("/")


@scene
def home_with_a_game_on(table: Table, page: Page) -> None:
    won(table)
    table.begin(rules="partnership").bid(3)
    page.goto("/")


@scene
def home_after_a_game(table: Table, page: Page) -> None:
    won(table)
    page.goto("/")


@scene
def home_with_long_names(table: Table, page: Page) -> None:
    names = ("Wolfeschlegelsteinhausenbergerdorff", "Maximiliane von Hohenstein", *CAST[2:])
    table.begin(names).play((6, 6, 2, 2, 2), (2, 1, 3, 2, 2)).play((6, 7, 1, 2, 2), (3, 4, 1, 1, 1))
    table.begin(names).play((6, 6, 2, 2, 2), (2, 1, 3, 2, 2)).play((6, 7, 1, 2, 2), (3, 4, 1, 1, 1))
    page.goto("/")


@scene
def the_settings(table: Table, page: Page) -> None:
    page.goto("/settings")


@scene
def a_new_game_for_five(table: Table, page: Page) -> None:
    table.begin(CAST)
    page.goto("/games/new")
    page.locator("#player-5").fill("")
    page.locator("#options > summary").click()
    expect(page.get_by_role("button", name="Name seat 5 to start")).to_be_visible()


@scene
def a_new_game_for_two_pairs(table: Table, page: Page) -> None:
    table.begin(rules="partnership", stake=250)
    page.goto("/games/new")


@scene
def a_new_game(table: Table, page: Page) -> None:
    page.goto("/games/new")


@scene
def a_new_game_with_errors(table: Table, page: Page) -> None:
    page.goto("/games/new")
    page.locator("#player-1").fill("North")
    for seat, name in enumerate(("north", "South", "West"), 2):
        page.locator(f"#player-{seat}").fill(name)
    page.locator("#options > summary").click()
    page.locator("#stake").fill("a lot")
    page.get_by_role("button", name="Start game").click()
    expect(page.locator("#player-2-error")).to_be_visible()


@scene
def a_new_game_with_house_rules(table: Table, page: Page) -> None:
    page.goto("/games/new")
    for seat, name in enumerate(CAST[:4], 1):
        page.locator(f"#player-{seat}").fill(name)
    page.locator("#options > summary").click()
    page.locator("summary", has_text="House rules").click()
    page.locator("#bag_limit").fill("7")
    page.locator("#bag_penalty").fill("off")
    page.get_by_role("button", name="Start game").click()
    expect(page.locator("#bag_penalty-error")).to_be_visible()


@scene
def a_new_game_by_another_book(table: Table, page: Page) -> None:
    table.begin(target="60", bag_limit="4")
    page.goto("/games/new")
    choose(page, "rules", "partnership")
    page.locator("#options > summary").click()
    page.locator("#target").fill("300")
    page.locator("#stake").focus()
    expect(page.locator("#house-left")).to_be_visible()


@scene
def the_first_bid(table: Table, page: Page) -> None:
    page.goto(table.begin(stake=250).path)


@scene
def a_later_bid(table: Table, page: Page) -> None:
    page.goto(table.begin().play(*ROUND).bid(3, 2).path)


def a_disabled_key(table: Table, page: Page) -> None:
    page.goto(table.begin(rules="cutthroat").bid(3, 3, 3).path)


@scene
def a_message(table: Table, page: Page) -> None:
    a_disabled_key(table, page)
    settle(page)
    page.locator(".key.disabled").tap(force=True)
    expect(page.locator("#message")).to_be_visible()


@scene
def blind_nil_keys(table: Table, page: Page) -> None:
    page.goto(table.begin(rules="partnership").path)


@scene
def five_players(table: Table, page: Page) -> None:
    names = ("North", "East", "South", "West", "Centre")
    page.goto(table.begin(names).play((2, 2, 2, 2, 2), (2, 2, 2, 2, 2)).bid(1).path)


@scene
def the_cards_are_played(table: Table, page: Page) -> None:
    page.goto(table.begin().play(*ROUND).bid(3, 2, Nil.NIL, 4).path)


@scene
def all_tricks_are_in(table: Table, page: Page) -> None:
    page.goto(table.begin().play(*ROUND).bid(3, 2, Nil.NIL, 4).take(3, 5, 1).path)


@scene
def a_tie(table: Table, page: Page) -> None:
    page.goto(tied(table).path)


@scene
def the_winner(table: Table, page: Page) -> None:
    page.goto(won(table).path)


@scene
def the_winners_of_a_partnership(table: Table, page: Page) -> None:
    stored_game = table.begin(rules="partnership-250", target="100")
    page.goto(stored_game.play((7, 3, 4, 2), (6, 2, 5, 0)).path)


@scene
def the_menu(table: Table, page: Page) -> None:
    page.goto(table.begin().play(*ROUND).bid(3).path)
    settle(page)
    page.locator("#menu > summary").click()
    expect(page.locator(".menu-list")).to_be_visible()


@scene
def why_a_score_is_what_it_is(table: Table, page: Page) -> None:
    page.goto(won(table).path)
    settle(page)
    for summary in page.locator(".side summary").all():
        summary.click()
    expect(page.locator(".why").last).to_be_visible()


@scene
def no_answer_to_a_tap(table: Table, page: Page) -> None:
    page.goto(table.begin().path)
    settle(page)
    page.route("**/sent", lambda route: route.abort())
    page.locator("#pad .key").first.tap()
    expect(page.locator("#line")).to_contain_text("Offline.")


@scene
def a_past_round(table: Table, page: Page) -> None:
    page.goto(f"{won(table).path}/rounds/2")


@scene
def a_past_round_with_errors(table: Table, page: Page) -> None:
    stored_game = table.begin(rules="cutthroat").play((3, 3, 3, 3), (4, 3, 3, 3))
    page.goto(f"{stored_game.path}/rounds/1")
    change_cell(page, "bid-4", "4")
    change_cell(page, "tricks-4", "4")
    page.evaluate("document.getElementById('round').submit()")  # as without scripts
    expect(page.locator("#bid-4-error")).to_be_visible()


@scene
def two_entries_at_the_table(table: Table, page: Page) -> None:
    stored_game = table.begin()
    # This phone hears nothing of the other until then.
    news = re.compile(r"/(events|phone\.json)\b")
    page.route(news, lambda _route: None)
    page.goto(stored_game.path)
    settle(page)
    stored_game.bid(5)
    page.locator("#key-4").tap()
    page.unroute(news)
    expect(page.get_by_text("two entries")).to_be_visible()


@scene
def two_corrections(table: Table, page: Page) -> None:
    stored_game = table.begin().play(*ROUND)
    page.goto(f"{stored_game.path}/rounds/1")
    stored_game.score(1, (4, 3, 0, 3), ROUND[0])
    change_cell(page, "tricks-1", "2")
    change_cell(page, "tricks-2", "5")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("two entries")).to_be_visible()


@scene
def two_corrections_of_partners(table: Table, page: Page) -> None:
    stored_game = table.begin(rules="partnership").play((3, 4, 3, 2), (3, 4, 3, 3))
    page.goto(f"{stored_game.path}/rounds/1")
    stored_game.score(1, (4, 4, 3, 2), (3, 4, 3, 2))
    change_cell(page, "tricks-1", "2")
    change_cell(page, "tricks-4", "4")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("two entries")).to_be_visible()


@scene
def what_was_changed(table: Table, page: Page) -> None:
    page.goto(f"{won(table).path}/changes")


def showing_to_others(table: Table, page: Page) -> None:
    page.goto(f"{won(table).path}/share")


@scene
def a_link_for_others(table: Table, page: Page) -> None:
    showing_to_others(table, page)
    page.get_by_role("button", name="Create live link").click()
    expect(page.locator(".code-card")).to_be_visible()


@scene
def waiting_for_ones_turn(table: Table, page: Page) -> None:
    page.goto(f"{table.begin().play(*ROUND).path}/share")
    page.get_by_role("button", name="South").click()
    expect(page.locator("p.waits")).to_be_visible()


@scene
def looking_on(table: Table, page: Page) -> None:
    a_link_for_others(table, page)
    stranger(page).goto(live_link(page))


@scene
def looking_on_at_the_bids(table: Table, page: Page) -> None:
    page.goto(f"{table.begin().play(*ROUND).bid(3, 2).path}/share")
    page.get_by_role("button", name="Create live link").click()
    stranger(page).goto(live_link(page))


@scene
def the_score_sheet(table: Table, page: Page) -> None:
    page.goto(f"{won(table).path}/sheet")


@scene
def the_result_to_share(table: Table, page: Page) -> None:
    page.goto(f"{won(table).path}/result")
    expect(page.locator("#copy-text")).to_be_visible()


@scene
def the_bags_of_a_game(table: Table, page: Page) -> None:
    page.goto(won(table).path)
    settle(page)
    page.locator("#bags summary").click()
    expect(page.locator("#bags table")).to_be_visible()


@scene
def who_keeps_score(table: Table, page: Page) -> None:
    table.link()
    page.goto("/table")
    for summary in page.locator("summary").all():
        summary.click()


@scene
def a_join_link(table: Table, page: Page) -> None:
    page.goto("/table")
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator(".code-card")).to_be_visible()


@scene
def sound_screen_and_keys(table: Table, page: Page) -> None:
    page.goto("/settings/sound")
    expect(page.get_by_role("switch").first).to_be_visible()


@scene
def sound_screen_and_keys_over_a_game(table: Table, page: Page) -> None:
    with page.expect_response("**/js/table/shortcuts.js"):
        page.goto(table.begin().path)
    page.get_by_label("More").click()
    page.get_by_role("link", name="Sound & display").click()
    expect(page.get_by_role("dialog")).to_be_visible()


@scene
def the_page_for_programs(table: Table, page: Page) -> None:
    page.goto("/api")


@scene
def the_history(table: Table, page: Page) -> None:
    won(table)
    page.goto("/history")


@scene
def asking_before_a_game_goes(table: Table, page: Page) -> None:
    page.goto(f"{won(table).path}/removal")


@scene
def games_that_went(table: Table, page: Page) -> None:
    asking_before_a_game_goes(table, page)
    page.locator("main form button").first.click()
    page.goto("/history/removed")


@scene
def the_players(table: Table, page: Page) -> None:
    won(table)
    page.goto("/players")


@scene
def a_player(table: Table, page: Page) -> None:
    the_players(table, page)
    page.locator("main").get_by_role("link", name="South").first.click()


@scene
def a_player_changed(table: Table, page: Page) -> None:
    a_player(table, page)
    page.get_by_role("link", name="Edit South").click()


@scene
def the_records(table: Table, page: Page) -> None:
    the_players(table, page)
    page.goto("/players/records")


@scene
def an_evening(table: Table, page: Page) -> None:
    the_players(table, page)
    page.goto("/evening")


@scene
def a_year(table: Table, page: Page) -> None:
    the_players(table, page)
    page.goto("/year")


@scene
def players_found(table: Table, page: Page) -> None:
    the_players(table, page)
    page.goto("/players/find?name=North")


@scene
def bringing_games_in(table: Table, page: Page) -> None:
    page.goto("/import")


@scene
def the_rule_books(table: Table, page: Page) -> None:
    page.goto("/rules")


@scene
def a_rule_book(table: Table, page: Page) -> None:
    page.goto("/rules/cutthroat-lite")


@scene
def house_rules_being_made(table: Table, page: Page) -> None:
    page.goto("/rules/new?rules=partnership&name=Friday+rules&board=4&ten_for=20&bag_limit=3")
    for topic in page.locator(".topic-fold:not([open]) > summary").all()[::-1]:
        topic.click()
    page.locator("#failed_nil_tricks").select_option("overtricks")
    expect(page.locator("#failed_nil_tricks-help .effect")).to_be_visible()


@scene
def rules_of_the_table(table: Table, page: Page) -> None:
    page.goto("/rules/new?rules=cutthroat-lite&target=200&minimum_bid=2")
    page.locator("#name").fill("Friday night rules")
    page.get_by_role("button", name="Save rules").click()
    expect(page.locator("h1")).to_have_text("Friday night rules")
    for summary in page.locator("main summary").all():
        summary.click()
    expect(page.locator(".code-card")).to_be_visible()


@scene
def the_rules_of_a_link(table: Table, page: Page) -> None:
    stranger(page).goto("/rules/link?rules=cutthroat&overtrick_points=0&name=Friday+rules")


@scene
def the_rules_of_a_game(table: Table, page: Page) -> None:
    house_rules = {"target": "300", "bag_limit": "5", "bag_penalty": "50"}
    page.goto(f"{table.begin(rules='partnership', **house_rules).path}/rules")


def unfolded(page: Page, field: str) -> Locator:
    """Return a field, once what is folded around it is open."""
    for folded in page.locator(f"details:not([open]):has({field}) > summary").all():
        folded.click()
    return page.locator(field)


def changing_a_rule(table: Table, page: Page) -> None:
    page.goto(f"{won(table).path}/rules/change")


@scene
def changing_a_rule_with_errors(table: Table, page: Page) -> None:
    changing_a_rule(table, page)
    unfolded(page, "#tricks").fill("9")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.locator("#tricks-error")).to_be_visible()


@scene
def before_and_after(table: Table, page: Page) -> None:
    changing_a_rule(table, page)
    unfolded(page, "#target").fill("50")
    unfolded(page, "#set_points").fill("20")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.locator("#confirm")).to_be_visible()


@scene
def no_such_page(table: Table, page: Page) -> None:
    page.goto("/games/nothing")


@scene
def a_past_round_that_is_changed(table: Table, page: Page) -> None:
    page.goto(f"{won(table).path}/rounds/2")
    change_cell(page, "bid-1", "Nil")
    expect(page.locator("#effect")).to_contain_text("→")
