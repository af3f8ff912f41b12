"""The moments of a game: what lies over its page for a second, and that no tap waits for it."""

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from scorekeeper.rules.bidding import Nil
from tests.browser.app_server import Table
from tests.browser.player import BREATH, Player, ready
from tests.browser.test_every_page import OPTIONS

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

MOVING = pytest.mark.browser_context_args(reduced_motion="no-preference")
LONGER = 4000  # ms than any moment
DEAF = 500  # ms and more, in which a moment takes no tap


STANDING = pytest.mark.browser_context_args(reduced_motion="reduce")


def open_game(player: Player, path: str, switched: str = "on") -> Page:
    """Open a game, and wait until its moments can be shown; then its clock stands still."""
    page = player.page
    page.add_init_script(f"localStorage['sense.moments'] = '{switched}'")
    player.open(path)
    page.clock.run_for(1500)
    expect(page.locator("html[data-kept][data-keys][data-stage]")).to_have_count(1)
    ready(page)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    return page


def shown_of_the_page_before(page: Page) -> list[str]:
    """Return which parts of the copy of the page before can be seen now."""
    session = page.context.new_cdp_session(page)
    found = session.send("DOM.getDocument", {"depth": -1, "pierce": True})
    assert found
    shown: list[str] = []

    def look(node: dict[str, Any]) -> None:
        attributes = node.get("attributes", [])
        classes = dict(zip(attributes[::2], attributes[1::2], strict=True)).get("class", "")
        if {"held-part", "held-whole"} & set(classes.split()):
            shown.append(classes.split()[0])
        for one in [*node.get("children", []), *node.get("shadowRoots", [])]:
            look(one)

    look(found["root"])
    return shown


@MOVING
def test_the_last_bid_says_what_all_bids_add_up_to(table: Table, player: Player) -> None:
    stored_game = table.begin().bid(3, 2, 2)
    page = open_game(player, stored_game.path)
    player.bid(1)
    felt = page.locator(".moment-felt")
    expect(felt).to_contain_text("8 of 10 · 2 tricks are loose")
    assert shown_of_the_page_before(page) == ["bar-title", "seats", "dock"]
    expect(page.locator("#entry")).to_have_css("opacity", "0")
    page.clock.run_for(LONGER)
    expect(felt).to_have_count(0)
    player.button("+1 trick for North").tap()
    expect(page.locator(".seat-count").first).to_have_text("1")


@MOVING
def test_a_tap_on_the_felt_ends_it_and_is_no_other_tap(table: Table, player: Player) -> None:
    stored_game = table.begin().bid(3, 2, 2)
    page = open_game(player, stored_game.path)
    player.bid(1)
    page.clock.run_for(DEAF)
    page.locator(".moment-felt").tap()
    expect(page.locator(".moment-felt")).to_have_count(0)
    assert stored_game.game.state.open.tally is None
    player.tap(page.locator("#undo"))
    player.bid(1)
    expect(page.locator(".moment-felt")).to_have_count(1)
    page.clock.run_for(LONGER)
    expect(page.locator(".moment-felt")).to_have_count(0)


# Texts of tickets of which a part is not seen.
CUT = """
() => [...document.querySelectorAll(".ticket-said, .ticket-how, .ticket .cards")]
  .filter((one) => {
    const [line, box] = [one.parentElement, one].map((each) => each.getBoundingClientRect());
    const isSeen = box.top < line.bottom;
    return isSeen && (one.scrollWidth > one.clientWidth + 1 || box.right > line.right + 1);
  })
  .map((one) => one.textContent)
"""

TICKETS = [
    "Northbid 3, took 3 · exact+303 × 10",
    "Eastbid 2, took 4 +222 × 10 + 2 bags",
    "Southbid Nil, took 0 Nil!+50Nil made",
    "Westbid 4, took 3 · set−40−4 × 10",
]


@MOVING
def test_the_felt_and_the_rows_say_what_it_takes(table: Table, player: Player) -> None:
    stored_game = table.begin(target="60").play((3, 2, 4, 1), (3, 2, 4, 1)).bid(3, 2, 2)
    page = open_game(player, stored_game.path)
    takes = page.locator("#takes")
    expect(takes).to_be_hidden()
    player.bid(1)
    expect(takes).to_have_text("South wins with 2 to 7")
    expect(page.locator(".moment-line")).to_have_text("South wins with 2 to 7")
    expect(page.locator(".felt-below")).to_have_text("8 of 10 · 2 tricks are loose")
    expect(page.locator("#news")).to_contain_text("South wins with 2 to 7")
    page.clock.run_for(LONGER)
    for count in (3, 2, 2):
        expect(takes).to_be_visible()
        player.take(count)
    expect(takes).to_be_hidden()  # all tricks are in


@MOVING
def test_a_scored_round_turns_into_tickets_that_say_why(table: Table, player: Player) -> None:
    stored_game = table.begin(target="300").bid(3, 2, Nil.NIL, 4).take(3, 4, 0)
    page = open_game(player, stored_game.path)
    player.score()
    assert texts(page, ".ticket") == TICKETS
    assert shown_of_the_page_before(page) == ["bar-title", "strip", "seats", "dock"]
    assert player.totals() == [30, 22, 50, -40]
    expect(page.locator(".stage .delta")).to_have_text(
        ["+30", "+22", "+50", "−40"], use_inner_text=False
    )
    page.clock.run_for(LONGER)
    expect(page.locator(".stage")).to_have_count(0)
    expect(page.locator(".deltas > .delta")).to_have_text(["+30", "+22", "+50", "−40"])
    player.bid(1)
    expect(page.locator(".delta")).to_have_count(0)


def texts(page: Page, selector: str) -> list[str]:
    """Return what elements say."""
    found = page.locator(selector).all_text_contents()
    return [" ".join(one.split()) for one in found]


@pytest.mark.parametrize(
    ("rules", "bids", "tricks", "said"),
    [
        (
            "partnership",
            (5, 4, Nil.NIL, 3),
            (5, 4, 0, 4),
            ["+505 × 10", "with West", "+100Nil made", "+717 × 10 + 1"],
        ),
        ("forty-one", (3, 4, 2, 3), (3, 4, 2, 4), ["+33 × 1", "+44 × 1", "+22 × 1", "+33 × 1"]),
    ],
)
@MOVING
def test_partners_see_why_too(
    table: Table, player: Player, rules: str, bids: Any, tricks: Any, said: list[str]
) -> None:
    stored_game = table.begin(rules=rules).bid(*bids).take(*tricks)
    page = open_game(player, stored_game.path)
    player.score()
    assert texts(page, ".ticket-end") == said


@pytest.mark.parametrize(
    "_motion",
    [
        pytest.param("moving", marks=MOVING),
        pytest.param("standing", marks=STANDING),
    ],
)
def test_the_round_just_scored_is_shown_again(table: Table, player: Player, _motion: str) -> None:
    stored_game = table.begin(target="300").bid(3, 2, Nil.NIL, 4).take(3, 4, 0)
    player.page.add_init_script("localStorage['sense.sound'] ??= 'off'")  # it is not offered
    page = open_game(player, stored_game.path)
    player.score()
    page.clock.run_for(LONGER)
    again = player.button("Round 1 again")
    again.tap()
    expect(page.get_by_role("group", name="Round 1, once more")).to_be_visible()
    assert texts(page, ".ticket") == TICKETS
    assert page.evaluate(CUT) == []
    page.clock.run_for(LONGER)  # it waits in its last frame
    player.button("Sound: off").tap()
    expect(player.button("Sound: on")).to_be_visible()
    player.button("Back to round 2").tap()
    expect(page.locator(".stage")).to_have_count(0)
    assert page.evaluate("document.activeElement.textContent") == "Round 1 again"
    page.clock.run_for(DEAF)  # until taps where it lay count
    player.bid(1)
    expect(again).to_have_count(0)
    assert player.totals() == [30, 22, 50, -40]


@STANDING
def test_the_round_is_shown_again_after_a_reload_and_from_the_menu(
    table: Table, player: Player
) -> None:
    stored_game = table.begin(target="300").play((3, 2, Nil.NIL, 4), (3, 4, 0, 3))
    page = open_game(player, stored_game.path)
    player.bid(1)
    expect(page.locator(".again")).to_have_count(0)
    page.locator("#menu > summary").tap()
    player.button("Round 1 again").tap()
    assert texts(page, ".ticket") == TICKETS
    expect(page.get_by_role("group", name="Round 1, once more")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".stage")).to_have_count(0)
    expect(page.locator("#menu > summary")).to_be_focused()
    assert player.totals() == [30, 22, 50, -40]
    assert stored_game.game.state.open.bids == (None, 1, None, None)


@MOVING
@pytest.mark.parametrize("key", ["Escape", " ", "Enter"])
def test_a_key_ends_a_moment_and_is_no_entry(table: Table, player: Player, key: str) -> None:
    stored_game = table.begin().bid(3, 2, 2)
    page = open_game(player, stored_game.path)
    page.locator('#pad .key[value="1"]').focus()
    player.bid(1)
    expect(page.locator(".moment-felt")).to_have_count(1)
    page.clock.run_for(DEAF)
    page.keyboard.press(key)
    expect(page.locator(".moment-felt")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('#game') !== null")
    player.breathe()
    assert stored_game.game.state.open.tally is None


PRESSED_FIRST = """
() => {
  window.order = [];
  const shown = () => document.querySelector(".active .seat-bid")?.textContent ?? "score";
  const note = ({ target }) => target.classList.contains("pressed") && order.push(shown());
  const options = { subtree: true, attributes: true, attributeFilter: ["class"] };
  new MutationObserver((changes) => changes.forEach(note)).observe(document, options);
  document.addEventListener("drawing", () => order.push("drawn"));
}
"""


@MOVING
def test_the_last_bid_and_score_are_seen_first(table: Table, player: Player) -> None:
    page = open_game(player, table.begin(target="300").bid(3, 2, 2).path)
    page.evaluate(PRESSED_FIRST)
    player.bid(1)
    assert page.evaluate("order.slice(0, 2)") == ["1", "drawn"]
    page.clock.run_for(LONGER)
    player.take(3, 2, 2)
    page.evaluate("order.length = 0")
    player.score()
    assert page.evaluate("order.slice(0, 2)") == ["score", "drawn"]
    expect(page.locator(".pressed")).to_have_count(0)


SCENES = {
    "bids": ({}, (3, 2, 2), None),
    "scored": ({"target": "300"}, (3, 2, Nil.NIL, 4), (3, 4, 0)),
    "winner": ({"target": "30"}, (3, 3, 1, 1), (3, 2, 3)),
}


def show_moment(table: Table, player: Player, scene: str) -> Page:
    """Play until a moment has come."""
    rules, bids, tricks = SCENES[scene]
    stored_game = table.begin(**rules).bid(*bids)
    page = open_game(player, (stored_game.take(*tricks) if tricks else stored_game).path)
    if tricks:
        player.score()
    else:
        player.bid(1)
    expect(page.locator("html")).to_have_attribute("data-moment", scene)
    return page


@STANDING
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scene", SCENES)
def test_axe_finds_nothing_while_a_moment_stands(
    table: Table, player: Player, scene: str, scheme: Literal["light", "dark"]
) -> None:
    player.page.emulate_media(color_scheme=scheme)
    page = show_moment(table, player, scene)
    page.evaluate(Axe().axe_script)
    page.evaluate(
        "(options) => { axe.run(options).then((found) => (window.found = found)); }", OPTIONS
    )
    while not page.evaluate("window.found"):
        page.clock.run_for(1)  # it waits for timers, and the moment must not end
    assert page.evaluate("found.violations.map(({ help }) => help)") == []
    expect(page.locator(".stage")).to_have_count(1)


PROPERTIES = """
() => {
  const others = ["offset", "computedOffset", "easing", "composite"];
  const frames = document.getAnimations().flatMap(({ effect }) => effect.getKeyframes());
  return [...new Set([...frames, ...window.frames_of_scripts].flatMap(Object.keys))]
    .filter((name) => !others.includes(name)).sort();
}
"""
NOTE_FRAMES = """
window.frames_of_scripts = [];
const { animate } = Element.prototype;
Element.prototype.animate = function (frames, ...how) {
  frames_of_scripts.push(...[frames].flat());
  return animate.call(this, frames, ...how);
};
"""
# Without a new layout, and a figure that counts in its place.
MOVABLE = {"opacity", "transform", "translate", "scale", "rotate", "--figure"}


@MOVING
@pytest.mark.parametrize("scene", SCENES)
def test_nothing_moves_but_by_transform_and_opacity(
    table: Table, player: Player, scene: str
) -> None:
    player.page.add_init_script(NOTE_FRAMES)
    page = show_moment(table, player, scene)
    moved = set(page.evaluate(PROPERTIES))
    assert {"opacity", "transform"} <= moved <= MOVABLE


@MOVING
def test_the_lead_changes(table: Table, player: Player) -> None:
    stored_game = table.begin(target="300").play((3, 2, 2, 2), (3, 2, 2, 3))
    page = open_game(player, stored_game.bid(4, 2, 2, 2).take(4, 2, 2).path)
    player.score()
    expect(page.locator(".moment-line")).to_have_text("East takes the lead.")
    expect(page.locator("#news")).to_contain_text("East takes the lead.")
    expect(page.locator(".crown")).to_have_count(1)


@MOVING
def test_the_winner_fills_the_screen_once(table: Table, player: Player) -> None:
    page = open_game(player, table.begin(target="30").bid(3, 3, 1, 1).take(3, 2, 3, 2).path)
    player.score()
    expect(page.locator(".win-name")).to_have_text("North wins")
    expect(page.locator(".win-score")).to_have_text("30")
    assert shown_of_the_page_before(page) == ["game"]  # nothing tells it before
    page.clock.run_for(DEAF)
    page.locator(".moment-win").tap(position={"x": 200, "y": 200})
    expect(page.locator(".moment-win")).to_have_count(0)
    expect(page.locator("#winner")).to_be_visible()
    page.reload()
    ready(page)
    expect(page.locator(".moment-win")).to_have_count(0)


@MOVING
def test_moments_can_be_switched_off(table: Table, player: Player) -> None:
    page = open_game(player, table.begin().bid(3, 2, 2).path, "off")
    player.bid(1)
    expect(page.locator(".moment-felt")).to_have_count(0)
    player.take(3, 2, 2)
    player.score()
    expect(page.locator(".delta")).to_have_text(["+30", "+20", "+20", "+12"])


MOVES = "document.querySelector('.stage').getAnimations({subtree: true}).length"


@STANDING
def test_less_motion_shows_what_bids_add_up_to_without_motion(table: Table, player: Player) -> None:
    page = open_game(player, table.begin().bid(3, 2, 2).path)
    player.bid(1)
    expect(page.locator(".moment-felt")).to_contain_text("2 tricks are loose")
    expect(page.locator(".moment-felt")).to_contain_text("Tap to count")
    assert page.evaluate(MOVES) == 0
    page.clock.run_for(2000 - BREATH - 100)
    expect(page.locator(".moment-felt")).to_have_count(1)
    page.clock.run_for(200)
    expect(page.locator(".moment-felt")).to_have_count(0)


@STANDING
def test_less_motion_shows_tickets_without_flight(table: Table, player: Player) -> None:
    stored_game = table.begin(target="300").bid(3, 2, Nil.NIL, 4).take(3, 4, 0)
    player.page.set_viewport_size({"width": 370, "height": 844})
    page = open_game(player, stored_game.path)
    player.score()
    assert texts(page, ".ticket") == TICKETS
    assert page.evaluate(CUT) == []
    expect(page.locator(".rising")).to_have_count(0)
    expect(page.locator(".deltas > .delta").last).to_be_visible()  # in the first frame
    assert page.evaluate(MOVES) == 0
    page.clock.run_for(3100)
    expect(page.locator(".stage")).to_have_count(0)


@STANDING
def test_less_motion_shows_the_winner_for_a_moment(table: Table, player: Player) -> None:
    page = open_game(player, table.begin(target="30").bid(3, 3, 1, 1).take(3, 2, 3, 2).path)
    player.score()
    expect(page.locator(".win-name")).to_have_text("North wins")
    assert page.evaluate(MOVES) == 0
    page.clock.run_for(1300)
    expect(page.locator(".stage")).to_have_count(0)


HEARD = """
window.heard = [];
for (const type of [OscillatorNode, AudioBufferSourceNode]) {
  const start = type.prototype.start;
  type.prototype.start = function (...when) {
    heard.push(type.name);
    return start.apply(this, when);
  };
}
"""


def test_sounds_are_offered_in_the_menu_and_heard_from_then_on(
    table: Table, player: Player
) -> None:
    player.page.add_init_script(HEARD)
    made = ((3, 2, 2, 3), (3, 2, 2, 3))
    page = open_game(player, table.begin(target="300").play(*made).play(*made).path)
    expect(page.locator(".toast")).to_have_count(0)
    ready(page).locator("#menu > summary").tap()
    player.breathe()
    with page.expect_response("**/js/game/sounds.js"):
        page.get_by_role("button", name="Hear cards, knocks and a bell?").tap()
    page.wait_for_function("heard.length === 1")  # a card
    expect(page.locator("#sound-offer")).to_be_hidden()
    page.locator("#menu > summary").tap()
    player.breathe()
    player.bid(2)
    page.wait_for_function("heard.length === 2")
    page.reload()
    ready(page)
    assert page.evaluate("localStorage.getItem('sense.sound')") == "on"


@pytest.mark.parametrize("setting", ["sense.sound", "sense.voice"])
def test_sounds_are_not_offered_to_who_has_chosen(
    table: Table, player: Player, setting: str
) -> None:
    player.page.add_init_script(f"localStorage.setItem('{setting}', 'on')")
    player.page.add_init_script(HEARD)
    made = ((3, 2, 2, 3), (3, 2, 2, 3))
    page = open_game(player, table.begin(target="300").play(*made).play(*made).path)
    ready(page).locator("#menu > summary").tap()
    expect(page.locator(".menu-list")).to_be_visible()
    expect(page.locator("#sound-offer")).to_be_hidden()


def test_a_made_round_a_set_one_and_a_bid_are_felt_apart(table: Table, player: Player) -> None:
    player.page.add_init_script(
        "window.felt = []; navigator.vibrate = (pattern) => felt.push(pattern);"
        "localStorage.setItem('sense.buzz', 'on')"
    )
    page = open_game(player, table.begin(target="900").bid(3, 2, 2, 3).take(3, 2, 2).path, "off")
    player.score()
    for bid in (2, 2, 2, 2):
        player.bid(bid)
    player.take(1, 3, 3)
    player.score()
    felt = page.evaluate("felt")
    assert felt[0] == [10, 60, 10]
    assert felt[1:-1] == [10] * 7
    assert felt[-1] == 90


def test_partners_see_their_contract_and_what_it_makes(table: Table, player: Player) -> None:
    page = open_game(player, table.begin(rules="partnership").bid(5, 4).path, "off")
    lines = page.locator(".side-line")
    assert lines.all_inner_texts() == ["bid 5", "bid 4"]
    player.bid("nil", 3)
    assert lines.all_inner_texts() == ["bid 5 + Nil", "bid 7"]
    player.take(5, 4, 0)
    assert lines.all_inner_texts() == ["+150 → 150", "+71 → 71"]
    player.score()
    assert lines.all_inner_texts() == ["+150", "+71"]
