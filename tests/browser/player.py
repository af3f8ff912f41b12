"""A player at a phone: enters everything by touch and reads it from the screen."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from scorekeeper.rules.bidding import Bid, Nil
from scorekeeper.rules.game import GameState
from scorekeeper.rules.round import Round

BREATH = 550  # ms between two taps; what is nearer may be taken for the same touch
TAKES_TAPS = """
() => getComputedStyle(document.body).pointerEvents !== "none"
  && !document.querySelector("[data-settling]")
"""
# What is waited for with every page and tap. `wait_for_function` looks with each frame, where
# `expect` looks twice a second after its first few times.
TAKEN_OVER = "() => /^[0-9]+$/.test(document.querySelector('#game')?.dataset.unsent)"
CHANGED = "(before) => (document.querySelector('#game')?.dataset.version ?? before) !== before"
SAVED = "() => document.querySelector('#game')?.dataset.unsent === '0'"
# Two at once, as each of them is a message to the browser and back.
READY = f"() => ({TAKEN_OVER})() && ({TAKES_TAPS})()"
CHANGED_AND_SAVED = f"(before) => ({CHANGED})(before) && ({SAVED})()"
MINUS = "\N{MINUS SIGN}"
DEFAULT_SEATS = 4


def taken_over(page: Page) -> Page:
    """Wait until the app has taken the page of a game over."""
    page.wait_for_function(TAKEN_OVER)
    return page


def live_link(page: Page) -> str:
    """Return the path of the live link on a page, whose address is that for phones."""
    return urlsplit(page.locator(".link-shown a").get_attribute("href") or "").path


def ready(page: Page) -> Page:
    """Wait until the app has taken the page of a game over, and taps count everywhere on it."""
    page.wait_for_function(READY)
    return page


def settled(page: Page) -> Page:
    """Wait until what has come under the finger takes taps."""
    page.wait_for_function(TAKES_TAPS)
    return page


def wait_until_saved(page: Page) -> None:
    """Wait until the server has everything that this page shows."""
    page.wait_for_function(SAVED)


def choose(page: Page, name: str, value: str) -> None:
    """Choose one of several in the form of a new game, in another group or a fold where needed."""
    check(page, page.locator(f'#new-game [name="{name}"][value="{value}"]'))


def check(page: Page, choice: Locator) -> None:
    """Check a choice of that form, in another group or a fold where needed."""
    choice.wait_for(state="attached")
    for folded in choice.locator("xpath=ancestor::details[not(@open)]/summary").all():
        folded.click()
    for group in choice.locator("xpath=ancestor::*[@data-group]").all():
        page.locator(f'[name="group"][value="{group.get_attribute("data-group")}"]').check()
    choice.check()


def change_cell(page: Page, name: str, key: str) -> None:
    """Change a bid or a count of a past round on its page, with the keys."""
    page.locator(f".cell:has(+ [name={name}])").click()
    page.locator("#dock .pad").get_by_text(key, exact=True).click()


class Player:
    """Drives the pages of one phone.

    Each tap waits until the one before is saved: the clock of the pages is put forward after it,
    as if a breath had been drawn.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        page.clock.install()

    def open(self, path: str) -> "Player":
        """Go to a page."""
        self.page.goto(path)
        return self

    def begin(self, names: Sequence[str], rules: str = "", first_dealer: str = "") -> None:
        """Start a game; the dealer is a seat from 1, unless the rule book shall say."""
        self.open("/games/new")
        if rules:
            choose(self.page, "rules", rules)
        if len(names) != DEFAULT_SEATS:
            choose(self.page, "seats", str(len(names)))
        for seat, name in enumerate(names, 1):
            self.page.locator(f"#player-{seat}").fill(name)
        if first_dealer:
            choose(self.page, "first_dealer", first_dealer)
        self.button("Start game").tap()
        expect(self.page.locator("#entry")).to_be_visible()

    def dealer(self) -> str:
        """Return who deals the round that is being bid."""
        said = self.page.locator("h1").inner_text()
        return said.partition(" · ")[2].removesuffix(" deals")

    def button(self, name: str) -> Locator:
        """Return the button of that name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def key(self, value: Bid | str) -> Locator:
        """Return a key of the pad."""
        return self.page.locator(f'#pad .key[value="{value}"]')

    def bid(self, *bids: Bid) -> None:
        """Tap one bid after another, each for the seat whose turn it is."""
        for bid in bids:
            self._tap_for_active(bid)

    def take(self, *counts: int) -> None:
        """Tap one trick count after another."""
        for count in counts:
            self._tap_for_active(count)

    def score(self) -> None:
        """Confirm the round."""
        self.tap(self.page.locator("#score button"))
        expect(self.page.locator("#score")).to_have_count(0)

    def play(self, state: GameState, round_: Round) -> None:
        """Enter a whole round: every bid, every trick count but the last, and yes."""
        assert round_.tricks is not None
        self.bid(*(bid for seat in state.order if (bid := round_.bids[seat]) is not None))
        self.take(*(round_.tricks[seat] for seat in state.order[:-1]))
        self.score()

    def active(self) -> str:
        """Return the name of the seat that the pad fills."""
        return self.page.locator(".seat.active .seat-name").inner_text()

    def seats(self) -> list[str]:
        """Return the names in the order in which they bid."""
        self.page.locator(".seat-name").first.wait_for()
        return self.page.locator(".seat-name").all_inner_texts()

    def totals(self) -> list[int]:
        """Return every side's total, as it stands in the strip of scores."""
        sides = range(self.page.locator(".side").count())
        texts = [self.page.locator(f"#side-{side} .total").inner_text() for side in sides]
        return [int(text.replace(MINUS, "-")) for text in texts]

    def bags(self) -> list[int]:
        """Return every side's bags, counted on the screen; nothing where bags cost nothing."""
        found = []
        for side in range(self.page.locator(".side").count()):
            for pips in self.page.locator(f"#side-{side} .pips").all():
                full, all_of_them = pips.locator(".on").count(), pips.locator("i").count()
                expect(pips).to_have_accessible_name(f"{full} of {all_of_them} bags")
                found.append(full)
        return found

    def tap(self, button: Locator) -> None:
        """Tap a button of the game, wait until the change is shown and saved, and breathe."""
        main = ready(self.page).locator("#game")
        before = main.get_attribute("data-version") or ""
        button.tap()
        self.page.wait_for_function(CHANGED_AND_SAVED, arg=before)
        self.breathe()

    def breathe(self) -> None:
        """Let time pass until the next tap can be meant."""
        self.page.clock.run_for(BREATH)
        settled(self.page)

    def _tap_for_active(self, value: Bid | str) -> None:
        """Tap a key, wait until the game on the screen is one change further, and breathe."""
        if value is Nil.BLIND:
            ready(self.page).locator("#blind").tap()
            self.key(value).wait_for()
        self.tap(self.key(value))
