"""A phone that goes on without the server: a real worker, a line that can be cut or spoiled."""

import re
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from scorekeeper.rules.bidding import Bid
from tests.browser.player import BREATH, Player

Facts = tuple[Sequence[Bid], Sequence[int]]


KEPT = re.compile("^[0-9]*$")  # the version of the game, or nothing on other pages

ASKS_EVERY, ANSWERED_WITHIN = 10_000, 3_000  # ms
MOST_TRIES = 20


class Cellar(Player):
    """Somebody who keeps score on that phone, with the server or without."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.alone = page.locator("#phone")

    def load(self, path: str) -> "Cellar":
        """Open a page with the server, and wait until the phone is ready to do without it."""
        self.open(path)
        expect(self.page.locator("html")).to_have_attribute("data-kept", KEPT)
        # The worker has everything once it is in charge.
        self.page.evaluate("navigator.serviceWorker?.ready.then(() => null)")
        return self

    def cut(self) -> None:
        """Cut the network, for the pages and the worker alike."""
        self.page.context.set_offline(True)

    def mend(self) -> None:
        """Restore the network; the phone finds out by itself."""
        self.page.context.set_offline(False)

    def line(self) -> Locator:
        """Return the line that says how things stand."""
        return self.page.locator("#line")

    def play_alone(self, bids: Sequence[Bid], tricks: Sequence[int], order: Sequence[int]) -> None:
        """Enter a whole round on the phone's own page; both lists go by seat."""
        self.tap_alone(*(bids[seat] for seat in order), *(tricks[seat] for seat in order[:-1]))
        self.confirm_alone()

    def tap_alone(self, *values: Bid) -> None:
        """Tap keys of the phone's own pad, one after the other."""
        for value in values:
            self._step(self.key(value))

    def confirm_alone(self) -> None:
        """Confirm the round."""
        self._step(self.page.locator("#score"))

    def correct_alone(self, number: int, fields: dict[str, int]) -> None:
        """Correct a round on the phone's own page."""
        self.page.locator(f"#rounds [data-round='{number}']").tap()
        for name, value in fields.items():
            self.page.locator(f"[name={name}]").select_option(str(value))
        self.button("Correct").tap()
        expect(self.page.locator("#pad")).to_be_visible()
        self.page.clock.fast_forward(BREATH)

    def back_at_the_server(self) -> None:
        """Wait until the phone is back on the server's page."""
        self.ask_until(self.page.locator("#game"))

    def ask_until(self, shown: Locator) -> None:
        """Let the phone ask the server, every ten seconds, until it shows something."""
        for _ in range(MOST_TRIES):
            self.page.clock.fast_forward(ASKS_EVERY)
            try:
                expect(shown).to_be_visible(timeout=ANSWERED_WITHIN)
                return
            except AssertionError:
                pass  # an answer was lost
        expect(shown).to_be_visible()

    def undo_alone(self) -> None:
        """Take the last entry back."""
        before = self._steps()
        self.page.locator("[data-action=undo]:visible").first.tap()
        expect(self.alone).to_have_attribute("data-steps", str(before - 1))
        self.page.clock.fast_forward(BREATH)

    def redo_alone(self) -> None:
        """Bring the entry back that was last taken back."""
        before = self._steps()
        if not self.page.locator("#menu[open]").count():
            self.page.locator("#menu summary").tap()
        self.page.locator("[data-action=redo]").tap()
        expect(self.alone).to_have_attribute("data-steps", str(before + 1))
        self.page.clock.fast_forward(BREATH)

    def rules_alone(self) -> None:
        """Go to the rules of the game."""
        self.page.locator("#menu summary").tap()
        self.page.locator("[data-action=rules]").tap()
        expect(self.page.locator("#phone table.values")).to_be_visible()

    def _steps(self) -> int:
        """Return how many steps can be taken back, once the phone's own page shows a game."""
        expect(self.alone).to_have_attribute("data-steps", KEPT)
        return int(self.alone.get_attribute("data-steps") or 0)

    def _step(self, button: Locator) -> None:
        before = self._steps()
        button.tap()
        expect(self.alone).to_have_attribute("data-steps", str(before + 1))
        self.page.clock.fast_forward(BREATH)
