"""What a phone on a bad line waits for: the first paint, and the score after a tap."""

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from tests.bench.bench import Bench, Table
from tests.bench.play import DataFolder
from tests.bench.rows import Row, quotients, turns
from tests.bench.slow_line import ROUND_TRIP, SlowLine

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SLOWER = 4  # times, the processor
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
BROWSER = ("chromium", "chromium-browser", "google-chrome")
PAINTED = """() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return paint ? paint.startTime : 0;
}"""
HEAVY = """() => {
    const [page] = performance.getEntriesByType("navigation");
    const held = performance.getEntriesByType("resource")
        .filter(one => one.renderBlockingStatus === "blocking");
    return [page.transferSize, 1 + held.length];
}"""
SCORED = """() => new Promise((resolve, reject) => {
    const start = performance.now();
    const look = () => document.querySelector("#entry")?.dataset.phase === "bids"
        && resolve(performance.now() - start);
    new MutationObserver(look).observe(document, {
        subtree: true, childList: true, attributes: true});
    setTimeout(() => reject(new Error("the score did not come")), 20000);
    document.querySelector("#score button").click();
})"""


def on_a_bad_line(bench: Bench) -> Iterator[Row]:
    """The game page and the save of a round in Chromium, over slow 4G."""
    program = next(filter(None, map(shutil.which, BROWSER)), None)
    if program is None or importlib.util.find_spec("playwright") is None:
        yield Row(
            "first paint on a bad line",
            "an empty page",
            None,
            1.2,
            left_out="there is no Chromium, or pip install '.[test]' was not run",
        )
        return
    from playwright.sync_api import sync_playwright

    how_often = 2 if bench.quick else 7
    table = _with_counts(bench, 2 * how_often + 1)
    with ExitStack() as stack:
        ours, bare = stack.enter_context(bench.both(table.folder))
        lines = [SlowLine(ours.address), SlowLine(bare.address)]
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        games = {kind: iter(found) for kind, found in table.games.items()}
        path = f"/games/{next(games['counted'])}"
        weight: list[tuple[int, int]] = []
        here, there = turns(
            lambda: _first_paint(browser, lines[0].address + path, table.cookie, weight),
            lambda: _first_paint(browser, lines[1].address + "/"),
            how_often,
        )
        seen = f"{median(here):.0f} and {median(there):.0f} ms"
        yield Row(
            "first contentful paint of a game, slow 4G, 4 × slower processor",
            "an empty HTML page",
            None,
            1.2,
            quotients(here, there),
            seen=seen,
        )
        size, held_up = weight[-1]
        yield Row(
            "bytes before that paint",
            "ten packets",
            None,
            14_600,
            [size],
            "bytes",
            seen=f"in {held_up} request{'s' * (held_up > 1)}",
        )
        for name, most, kind, tap in (
            ("tap Save to confirmed score on that line", 1.5, "nearly", _tap_after_another),
            ("the same as the first tap on a page", None, "counted", _tap),
            ("the same without JavaScript", 4, "counted", _tap_without_script),
        ):
            took = [
                tap(browser, f"{lines[0].address}/games/{next(games[kind])}", table.cookie)
                for _ in range(how_often)
            ]
            yield Row(
                name,
                "one round trip",
                None,
                most,
                [one / ROUND_TRIP for one in took],
                seen=f"{median(took) * 1e3:.0f} ms",
            )
        browser.close()


def _with_counts(bench: Bench, how_many: int) -> Table:
    """Make games in which a round is left to be confirmed, in others one count before that."""
    data_folder = DataFolder(bench.folder())
    phone = data_folder.phone()
    games = {kind: data_folder.games(phone, how_many, 9) for kind in ("counted", "nearly")}
    data_folder.count_tricks(phone, games["counted"])
    data_folder.count_tricks(phone, games["nearly"], but=2)  # the very last fills itself in
    cookie = data_folder.cookie(phone)
    data_folder.close()
    return Table(data_folder.folder, cookie, games)


@contextmanager
def _phone(browser: "Browser", address: str, cookie: str, **more: Any) -> "Iterator[Page]":
    """Open a page on a phone that has never seen it."""
    context = browser.new_context(**PHONE, **more)  # type: ignore[arg-type]  # a mapping of options
    if cookie:
        name, _equals, value = cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": urljoin(address, "/")}])
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="load", timeout=60_000)
    yield page
    context.close()


def _first_paint(
    browser: "Browser", address: str, cookie: str = "", weight: "list[Any] | None" = None
) -> float:
    with _phone(browser, address, cookie) as page:
        painted = _painted(page)
        if weight is not None:
            weight.append(page.evaluate(HEAVY))
    return painted


def _painted(page: "Page") -> float:
    while not (painted := float(page.evaluate(PAINTED))):
        page.wait_for_timeout(50)
    return painted


def _tap(browser: "Browser", address: str, cookie: str) -> float:
    with _phone(browser, address, cookie) as page:
        page.wait_for_timeout(2500)  # until the scripts are there, and the line is quiet
        return float(page.evaluate(SCORED)) / 1e3


def _tap_after_another(browser: "Browser", address: str, cookie: str) -> float:
    """Save as people do: after the last count was tapped."""
    with _phone(browser, address, cookie) as page:
        page.wait_for_timeout(2000)
        page.locator('#pad .key[value="0"]').click()
        page.locator("#score button:not([aria-disabled])").wait_for()
        page.wait_for_timeout(1000)
        return float(page.evaluate(SCORED)) / 1e3


def _tap_without_script(browser: "Browser", address: str, cookie: str) -> float:
    with _phone(browser, address, cookie, java_script_enabled=False) as page:
        page.wait_for_timeout(1000)  # until the line is quiet: the icon comes after the page
        page.locator("#score button").click(no_wait_after=True)
        page.locator("#entry[data-phase=bids]").wait_for()
        return _painted(page) / 1e3  # counted from the tap, redirect and all
