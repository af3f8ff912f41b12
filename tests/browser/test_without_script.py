"""A whole game without JavaScript: rounds are entered in a form."""

import csv
import io
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from scorekeeper.rules.bidding import Bid, Nil
from scorekeeper.rules.game import fold
from scorekeeper.rules.presets import CUTTHROAT_LITE, PRESETS, at_table
from scorekeeper.rules.round import Round
from scorekeeper.web.text.wording import minus
from tests.browser.app_server import CAST, Table
from tests.browser.test_whole_games import whole_game

MAX_STEPS = 60
NAMES = ("North", "East", "South", "West")
ROUNDS = [
    Round((3, 2, Nil.NIL, 4), (3, 4, 0, 3)),
    Round((1, 3, 4, 2), (1, 5, 4, 0)),
    Round((3, 2, 4, 1), (3, 1, 5, 1)),
]
CORRECTED = Round((1, 3, 4, 2), (1, 4, 4, 1))
PARTNERS = [Round((4, 3, Nil.NIL, 4), (5, 4, 0, 4)), Round((5, Nil.NIL, 2, 5), (5, 1, 2, 5))]


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "java_script_enabled": False}


def test_an_evening_without_script(phone: Page, table: Table) -> None:
    begin(phone)
    for number, round_ in enumerate(ROUNDS, 1):
        play(phone, number, round_)
    won(phone, ROUNDS)
    phone.get_by_role("button", name="Undo").tap()
    expect(phone.locator("h1")).to_contain_text("Round 3")
    correct(phone, 2, CORRECTED)
    tap(phone, phone.get_by_role("link", name="Enter round 3"))
    choose(phone, "tricks", (3, 1, 5))
    expect(phone.locator("main")).to_contain_text("All 10 counted · West took the other 1")
    tap(phone, phone.get_by_role("button", name="Score round 3"))
    rounds = [ROUNDS[0], CORRECTED, ROUNDS[2]]
    won(phone, rounds)
    matches(csv_of(phone), rounds)


# Games of each kind with their players, and a seed that brings failed Nils and kept ones.
EVENINGS = [
    ("cutthroat-lite", 3, 4),
    ("cutthroat-lite", 5, 4),
    ("partnership-sandbags", 4, 126),
    ("oh-hell", 7, 2),
    ("wizard", 6, 2),
]
ENTERED = 2  # rounds of a game in the form; what it has before them is stored


@pytest.mark.parametrize(
    ("key", "players", "seed"), EVENINGS, ids=[f"{a}-{b}" for a, b, _ in EVENINGS]
)
def test_other_games_to_the_winner_by_forms(
    phone: Page, table: Table, key: str, players: int, seed: int
) -> None:
    names = [*CAST, "Sixth", "Seventh"][:players]
    rounds = whole_game(at_table(PRESETS[key], players), players, seed)
    stored_game = table.begin(names, key)
    for round_ in rounds[:-ENTERED]:
        stored_game.play(round_.bids, round_.tricks or ())
    phone.goto(stored_game.path)
    for number, round_ in enumerate(rounds[-ENTERED:], len(rounds) - ENTERED + 1):
        play(phone, number, round_)
    assert list(stored_game.game.rounds) == rounds
    state = stored_game.game.state
    assert state.winners
    won_by = [names[seat] for side in state.winners for seat in state.sides[side]]
    for name in won_by:
        expect(phone.locator("#winner")).to_contain_text(name)
    for side, total in enumerate(state.standing.totals):
        shown = minus(total, state.rules.shown_as)
        expect(phone.locator(f"#side-{side} .total")).to_have_text(shown)


def test_penalties_points_and_notes_are_given_and_taken_back_by_forms(
    phone: Page, table: Table
) -> None:
    stored_game = table.begin(NAMES).bid(3, 2, Nil.NIL, 4)
    phone.goto(f"{stored_game.path}/rounds/1")
    for fold_, button in (
        ("Penalty", "Add penalty"),
        ("Points", "Add points"),
        ("Note", "Save note"),
    ):
        phone.locator("summary", has_text=fold_).tap()
        form = phone.locator(f"#{fold_.lower()} form").first
        if fold_ == "Points":
            form.locator("[name=size]").fill("20")
        if fold_ == "Note":
            form.locator("textarea").fill("A joker was missing.")
        tap(phone, form.get_by_role("button", name=button))
        phone.goto(f"{stored_game.path}/rounds/1")
    notes = stored_game.game.state.open.notes
    assert [(one.kind, one.size) for one in notes.penalties] == [("books", 3), ("bonus", 20)]
    assert notes.remark == "A joker was missing."
    tap(phone, phone.get_by_role("button", name="Remove penalty", exact=True))
    phone.goto(f"{stored_game.path}/rounds/1")
    tap(phone, phone.get_by_role("button", name="Remove points"))
    assert stored_game.game.state.open.notes.penalties == ()


def test_who_is_to_be_counted_is_named(phone: Page, table: Table) -> None:
    stored_game = table.begin(NAMES).bid(3, 2, Nil.NIL, 4)
    phone.goto(f"{stored_game.path}/rounds/1")
    expect(phone.locator("#round .hint")).to_have_text(
        "0 of 10 tricks · North, East, South and West to count"
    )
    choose(phone, "tricks", (3, 2))
    expect(phone.locator("#round .hint")).to_have_text("5 of 10 tricks · South and West to count")


def test_what_is_refused_without_script_is_said_and_kept(phone: Page, table: Table) -> None:
    phone.goto("/games/new")
    for seat, name in enumerate(("North", "East", "north"), 1):
        phone.locator(f"#player-{seat}").fill(name)
    phone.get_by_role("button", name="Start game").tap()
    expect(phone.locator("#player-3-error")).to_contain_text("Seat 1 already")
    expect(phone.locator("#player-2")).to_have_value("East")
    phone.goto(table.begin(rules="cutthroat").bid(3, 3, 3).path)
    tap(phone, phone.get_by_role("link", name="Enter round 1"))
    phone.locator("[name=bid-4]").select_option("4")
    tap(phone, phone.get_by_role("button", name="Save"))
    expect(phone.locator("#bid-4-error")).to_contain_text("can’t total 13")
    expect(phone.locator("[name=bid-4]")).to_have_value("4")


def test_five_seats_with_four_names_are_refused_and_kept(phone: Page, table: Table) -> None:
    phone.goto("/games/new")
    phone.locator("#what > summary").tap()
    phone.locator("[name=seats][value='5']").check()
    for seat, name in enumerate(NAMES, 1):
        phone.locator(f"#player-{seat}").fill(name)
    phone.get_by_role("button", name="Start game").tap()
    expect(phone.locator("#seats-error")).to_have_text("Name seat 5 to start")
    expect(phone.locator("#player-4")).to_have_value("West")
    expect(phone.locator("[name=seats][value='5']")).to_be_checked()


def test_enter_in_a_name_moves_on_to_the_next_empty_seat(phone: Page, table: Table) -> None:
    phone.goto("/games/new")
    for seat, name in enumerate(NAMES, 1):
        expect(phone.locator(f"#player-{seat}")).to_be_focused()
        phone.keyboard.type(name)
        phone.keyboard.press("Enter")
    expect(phone.locator("h1")).to_contain_text("Round 1")


def test_a_phone_joins_without_script(context: BrowserContext, page: Page, table: Table) -> None:
    page.goto(table.link())
    page.locator("summary").tap()
    page.locator("#label").fill("Kim’s phone")
    page.get_by_role("button", name="Join").tap()
    expect(page.locator("h1")).to_have_text("Scorekeeper")


def test_an_evening_by_keyboard_in_the_form_of_a_round(phone: Page, table: Table) -> None:
    stored_game = table.begin(NAMES, "partnership", target="200")
    phone.goto(stored_game.path)
    for number, round_ in enumerate(PARTNERS, 1):
        press(phone, phone.get_by_role("link", name=f"Enter round {number}"))
        order = stored_game.game.state.order
        enter(phone, "bid", [(seat, round_.bids[seat]) for seat in order])
        if number % 2:  # the others are sent as a whole
            press(phone, phone.get_by_role("button", name="Save"))
            expect(phone.locator(f"[name=tricks-{order[0] + 1}]")).to_be_focused()
        assert round_.tricks is not None
        counts = [(seat, round_.tricks[seat]) for seat in order]
        enter(phone, "tricks", counts[:-1] if number % 2 else counts)
        press(phone, phone.get_by_role("button", name="Save"))
        if number % 2:
            expect(phone.get_by_role("button", name=f"Score round {number}")).to_be_focused()
            press(phone, phone.get_by_role("button", name=f"Score round {number}"))
    state = stored_game.game.state
    assert list(stored_game.game.rounds) == PARTNERS
    assert state.outcome is not None
    expect(phone.locator("#winner")).to_contain_text("win")
    shown = [phone.locator(f"#side-{side} .total").inner_text() for side in range(len(state.sides))]
    assert shown == [minus(total, state.rules.shown_as) for total in state.standing.totals]


def enter(page: Page, what: str, values: list[tuple[int, Bid | int | None]]) -> None:
    """Choose what some seats bid or took, with the keys that a list takes."""
    for seat, value in values:
        field = page.locator(f"[name={what}-{seat + 1}]")
        reach(page, field)
        page.keyboard.type(str(value))
        expect(field).to_have_value(str(value))


def press(page: Page, target: Locator) -> None:
    """Press Enter on a link or button, and wait for the page that follows."""
    reach(page, target)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def reach(page: Page, target: Locator) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(MAX_STEPS):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached")


def begin(page: Page) -> None:
    """Start a game with two neighbours who change seats before the deal."""
    page.goto("/games/new")
    for seat, name in enumerate(("East", "North", "South", "West"), 1):
        page.locator(f"#player-{seat}").fill(name)
    page.locator("#options > summary").tap()
    page.get_by_role("button", name="Swap seat 2 with the previous seat").tap()
    expect(page.locator("#player-1")).to_have_value("North")
    page.get_by_role("button", name="Start game").tap()


def play(page: Page, number: int, round_: Round) -> None:
    """Enter a round: first the bids, then the tricks."""
    tap(page, page.get_by_role("link", name=f"Enter round {number}"))
    choose(page, "bid", round_.bids)
    choose(page, "tricks", round_.tricks or ())


def choose(page: Page, what: str, values: Sequence[object]) -> None:
    """Choose what each seat bid or took, and save it."""
    for seat, value in enumerate(values, 1):
        page.locator(f"[name={what}-{seat}]").select_option(str(value))
    tap(page, page.get_by_role("button", name="Save"))


def tap(page: Page, target: Locator) -> None:
    """Tap and wait for the page that follows."""
    with page.expect_navigation():
        target.tap()


def correct(page: Page, number: int, round_: Round) -> None:
    """Correct the tricks of a past round."""
    page.get_by_role("link", name=f"{number}: round details and edit").tap()
    for seat, count in enumerate(round_.tricks or (), 1):
        page.locator(f"[name=tricks-{seat}]").select_option(str(count))
    tap(page, page.get_by_role("button", name="Save"))


def won(page: Page, rounds: list[Round]) -> None:
    """The winner is announced, and every total is that of the fold."""
    state = fold(CUTTHROAT_LITE, len(NAMES), len(NAMES) - 1, rounds)
    assert state.outcome is not None
    assert state.outcome.winner is not None
    expect(page.locator("#winner")).to_have_text(f"{NAMES[state.outcome.winner]} wins")
    for side, total in enumerate(state.standing.totals):
        shown = page.locator(f"#side-{side} .total")
        expect(shown).to_have_text(str(total).replace("-", "\N{MINUS SIGN}"))


def csv_of(page: Page) -> list[dict[str, str]]:
    """Return the rows of the file that the menu leads to."""
    page.locator("#menu > summary").tap()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Export CSV", exact=True).tap()
    text = saved.value.path().read_text("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def matches(rows: list[dict[str, str]], rounds: list[Round]) -> None:
    """The file holds every bid, trick and total of the game."""
    state = fold(CUTTHROAT_LITE, len(NAMES), len(NAMES) - 1, rounds)
    assert [(row["player"], row["bid"], row["tricks"], row["total"]) for row in rows] == [
        (
            name,
            str(score.bids[seat]),
            str(score.tricks[seat]),
            str(score.after.totals[seat]),
        )
        for score in state.rounds
        for seat, name in enumerate(NAMES)
    ]
