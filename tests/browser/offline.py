"""Scoring on a phone without the server: a real service worker, and a network that can be cut."""

from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from scorekeeper.rules.bidding import Bid
from tests.browser.player import Player

GUARD = 450  # ms after a moment in which taps press nothing

# Writes of one store follow each other, so that this one ends after all that were begun before.
WRITE = """
() => new Promise((resolve, reject) => {
  const request = indexedDB.open("scorekeeper");
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const writing = request.result.transaction("kept", "readwrite");
    writing.oncomplete = () => resolve(request.result.close());
  };
})
"""
KEPT = "() => document.documentElement.dataset.kept === ''"
# How many steps can be undone: a number once the offline page shows a game.
STEPS = "() => document.querySelector('#game')?.dataset.steps"
STEPPED = f"(steps) => ({STEPS})() === String(steps)"
Facts = tuple[Sequence[Bid], Sequence[int]]

RETRY_INTERVAL, ANSWER_TIMEOUT = 10_000, 3_000  # ms
MAX_TRIES = 20


class OfflinePlayer(Player):
    """A player whose phone may be online or offline."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.main = page.locator("#game")

    def load(self, path: str) -> "OfflinePlayer":
        """Open a page of the server, and wait until it can be used offline."""
        self.open(path)
        self.page.wait_for_function(KEPT)
        # The service worker has cached everything once it is active.
        self.page.evaluate("navigator.serviceWorker?.ready.then(() => null)")
        return self

    def cut(self) -> None:
        """Go offline, for the pages and the service worker."""
        self.page.context.set_offline(True)

    def mend(self) -> None:
        """Go online again; the page notices by itself."""
        self.page.context.set_offline(False)

    def line(self) -> Locator:
        """Return the status line."""
        return self.page.locator("#line")

    def play_offline(
        self, bids: Sequence[Bid], tricks: Sequence[int], order: Sequence[int]
    ) -> None:
        """Enter a whole round on the offline page; bids and tricks are listed by seat."""
        self.tap_offline(*(bids[seat] for seat in order), *(tricks[seat] for seat in order[:-1]))
        self.confirm_offline()

    def tap_offline(self, *values: Bid) -> None:
        """Tap keys of the offline keypad, one after the other."""
        for value in values:
            self._step(self.key(value))

    def confirm_offline(self) -> None:
        """Confirm the round."""
        self._step(self.page.locator("#score button"))

    def correct_offline(self, number: int, fields: dict[str, int]) -> None:
        """Correct a round on the offline page."""
        self.page.locator(f"#rounds a[href$='/rounds/{number}']").tap()
        for name, value in fields.items():
            self.page.locator(f"[name={name}]").select_option(str(value))
        self.button("Save").tap()
        expect(self.page.locator("#pad")).to_be_visible()
        self.breathe()

    def wait_until_stored(self) -> None:
        """Wait until the phone has stored every entry; a jump of the clock lets that time out."""
        self.page.evaluate(WRITE)

    def wait_until_settled(self) -> None:
        """Wait until no tap is being shown or stored any more."""
        expect(self.page.locator("html[data-busy]")).to_have_count(0)

    def wait_until_saved(self) -> None:
        """Wait until the server has everything."""
        self.ask_until(self.page.locator("#game[data-unsent='0']"))

    def ask_until(self, shown: Locator) -> None:
        """Let the page try the server, every ten seconds, until an element is visible."""
        for _ in range(MAX_TRIES):
            self.page.clock.fast_forward(RETRY_INTERVAL)
            try:
                expect(shown).to_be_visible(timeout=ANSWER_TIMEOUT)
                return
            except AssertionError:
                pass  # an answer was lost
        expect(shown).to_be_visible()

    def undo_offline(self) -> None:
        """Undo the last entry."""
        before = self._steps()
        self.page.locator("#undo:visible").first.tap()
        self.page.wait_for_function(STEPPED, arg=before - 1)
        self.breathe()

    def redo_offline(self) -> None:
        """Redo the entry that was last undone."""
        before = self._steps()
        if not self.page.locator("#menu[open]").count():
            self.page.locator("#menu > summary").tap()
        self.page.locator("form[action$='/redo'] button").tap()
        self.page.wait_for_function(STEPPED, arg=before + 1)
        self.breathe()

    def rules_offline(self) -> None:
        """Open the rules of the game."""
        if not self.page.locator("#menu[open]").count():
            self.page.locator("#menu > summary").tap()
        self.page.locator("#menu a[href$='/rules']").tap()
        expect(self.page.locator("#game table.values")).to_be_visible()

    def _steps(self) -> int:
        """Return how many steps can be undone, once the offline page shows a game."""
        return int(self.page.wait_for_function(STEPS).json_value())

    def _step(self, button: Locator) -> None:
        before = self._steps()
        if self.page.evaluate("!matchMedia('(prefers-reduced-motion: reduce)').matches"):
            button.tap(trial=True)  # once no moment lies over it
            self.page.wait_for_timeout(GUARD)
        button.tap()
        self.page.wait_for_function(STEPPED, arg=before + 1)
        self.breathe()
