"""One dock: keys, Undo and where the round stands keep their places in every phase."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Page

from scorekeeper.rules.bidding import Bid, Nil
from tests.browser.app_server import CAST, Table
from tests.browser.player import ready, taken_over
from tests.browser.scenes import settle

# Tests without the service worker skip its installation, which caches some thirty files.
pytestmark = pytest.mark.browser_context_args(service_workers="block")

# The places of the keypad with the numbers that they enter, of Undo and of where the round stands.
PLACES = """
() => Object.fromEntries([
  ...[...document.querySelectorAll(".pad > *")].map((one, n) => [n, one]),
  ["undo", document.querySelector("#undo")],
  ["slots", document.querySelector(".stand .cards")],
  ["stand", document.querySelector(".stand")],
].filter(([, one]) => one).map(([name, one]) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [name, [x, y, width, height].map((px) => Math.round(px * 8) / 8)];
}))
"""
NUMBERS = """
() => [...document.querySelectorAll(".pad > *")]
  .map((one, n) => [n, one.querySelector("span")?.textContent])
  .filter(([n, label]) => /^[0-9]/.test(label) && Number(label) !== n)
"""
Places = dict[str, list[float]]

GAMES: dict[str, tuple[int, str, tuple[Bid, ...], tuple[int, ...]]] = {
    "LITE with three": (3, "cutthroat-lite", (3, Nil.NIL, 4), (3, 1, 6)),
    "LITE with four": (4, "cutthroat-lite", (3, 2, Nil.NIL, 4), (3, 3, 0, 4)),
    "LITE with five": (5, "cutthroat-lite", (2, 2, Nil.NIL, 2, 2), (2, 2, 1, 2, 3)),
    "partners": (4, "partnership", (3, 4, Nil.NIL, 4), (3, 5, 0, 5)),
    "Oh Hell with seven": (7, "oh-hell", (1, 0, 2, 0, 1, 0, 1), (1, 0, 2, 0, 1, 0, 3)),
    "cutthroat": (4, "cutthroat", (3, 3, 3, 2), (3, 3, 3, 4)),
}
SIZES = {"usual": (390, 844), "small": (360, 640), "low": (568, 320), "tablet": (820, 1180)}
LISTED = {"390x844": (390, 844), "360x640": (360, 640), "320x568": (320, 568)}
# Where each key lies, in CSS pixels, while bids and tricks are entered and corrected.
TABLE = Path(__file__).with_name("dock_places.csv")
PHASES = ("bid", "bid corrected", "count", "count corrected", "all counted", "past round")


def places(page: Page) -> Places:
    """Return the places of the dock, each number of a key being in its own."""
    page.wait_for_function("() => document.querySelector('.pad > button')")
    assert page.evaluate(NUMBERS) == []
    found: Places = page.evaluate(PLACES)
    return found


def at_all_sizes(page: Page, sizes: dict[str, tuple[int, int]]) -> dict[str, Places]:
    """Return the places of the dock on screens of these sizes, without loading the page again."""
    settle(page)
    found = {}
    for size, (width, height) in sizes.items():
        page.set_viewport_size({"width": width, "height": height})
        found[size] = places(page)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_no_key_moves_between_the_phases(table: Table, phone: Page, name: str) -> None:
    players, rules, bids, tricks = GAMES[name]
    names = [*CAST, "Sixth", "Seventh"][:players]
    stored_game = table.begin(names, rules=rules).bid(bids[0])
    phases = {}
    for phase in ("bid", "count", "score", "next round"):
        if phase == "count":
            stored_game.bid(*bids[1:])
        if phase == "score":
            stored_game.take(*tricks[:-1])
        if phase == "next round":
            stored_game = table.begin(names, rules=rules).play(bids, tricks).bid(1)
        phone.goto(stored_game.path)
        phases[phase] = at_all_sizes(phone, SIZES)
    for phase, found in phases.items():
        for size in SIZES:
            assert found[size] == phases["bid"][size], (phase, size)


@pytest.mark.parametrize(
    "name", ["LITE with three", "LITE with four", "LITE with five", "partners"]
)
def test_keys_lie_where_the_table_says(table: Table, phone: Page, name: str) -> None:
    due: dict[str, Places] = {size: {} for size in LISTED}
    with TABLE.open(newline="") as lines:
        for row in csv.DictReader(lines):
            if row["game"] == name:
                place = [float(row[one]) for one in ("x", "y", "width", "height")]
                due[row["size"]][row["part"]] = place
    for phase in PHASES:
        show_phase(table, phone, name, phase)
        for size, found in at_all_sizes(phone, LISTED).items():
            if phase == "past round":  # without Undo, and with its button in place of all of that
                found = {part: found[part] for part in due[size] if part.isdigit()}
            shown = [[name, size, part, *place] for part, place in found.items()]
            assert found == {part: due[size][part] for part in found}, (phase, shown)


def show_phase(table: Table, phone: Page, name: str, phase: str) -> None:
    """Show a phase of the second round of a game."""
    players, rules, bids, tricks = GAMES[name]
    stored_game = table.begin([*CAST, "Sixth", "Seventh"][:players], rules=rules)
    stored_game.play(bids, tricks)
    order = stored_game.game.state.order
    stored_game.bid(*(bids[seat] for seat in order[: 1 if phase.startswith("bid") else None]))
    if phase.startswith("count"):
        stored_game.take(tricks[order[0]])
    if phase == "all counted":
        stored_game.take(*(tricks[seat] for seat in order[:-1]))
    phone.goto(stored_game.path + ("/rounds/1" if phase == "past round" else ""))
    if phase.endswith("corrected"):
        ready(phone).locator(f"#seat-row-{order[0]} .seat-who").tap()
        phone.locator(f"#seat-row-{order[0]}.active").wait_for()


def test_a_correction_has_its_keys_where_a_round_is_entered(table: Table, phone: Page) -> None:
    stored_game = table.begin(CAST).play((2, 2, Nil.NIL, 2, 2), (2, 2, 1, 2, 3)).bid(2)
    phone.goto(stored_game.path)
    entered = places(ready(phone))
    phone.goto(f"{stored_game.path}/rounds/1")
    corrected = places(phone)
    numbers = [*map(str, range(11))]
    assert [corrected[n] for n in numbers] == [entered[n] for n in numbers]


def test_keys_are_not_taller_than_wide_on_a_tablet(table: Table, phone: Page) -> None:
    phone.goto(table.begin(CAST).bid(2).path)
    screens = {f"{one}": one for one in ((820, 1180), (1180, 820), (1280, 800), (1024, 1366))}
    for shown in at_all_sizes(ready(phone), screens).values():
        assert [n for n, (_, _, wide, high) in shown.items() if n.isdigit() and high > wide] == []


def test_a_key_that_cannot_be_right_fades_and_says_why(table: Table, phone: Page) -> None:
    phone.goto(table.begin().bid(3, 2, Nil.NIL, 4).take(7).path)
    key = taken_over(phone).locator('#pad .key[value="5"]')
    assert key.get_attribute("aria-disabled") == "true"
    assert key.locator("span").evaluate("(one) => getComputedStyle(one).opacity") == "0.35"
    assert (
        key.locator("span").evaluate("(one) => getComputedStyle(one).textDecorationLine") == "none"
    )
    ready(phone)
    key.tap(force=True)
    phone.locator("#message").wait_for()
