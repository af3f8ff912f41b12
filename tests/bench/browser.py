"""What a phone on a bad line waits for: a tap to be shown and saved, the first paint, the bytes."""

import importlib.util
import json
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from statistics import median
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin

from tests.bench.bench import Bench, Figure, LeftOut, ratio
from tests.bench.servers import bare, ours
from tests.bench.slow_line import ROUND_TRIP, SlowLine

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

SLOWER = 4  # times, the processor
FAR = 0.4  # seconds, a round trip
READY = 8000  # ms after which a page has everything
PACE = 500  # ms between two taps
BIDS, COUNTS = (2, 3, 2, 2), (4, 3, 2)  # of a round; the last count fills itself in
KINDS = ("bid", "bid", "bid", "last bid", "count", "count", "count", "Score")  # of their taps
TIMELINE = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
STYLED = ("UpdateLayoutTree", "RecalculateStyle")  # events, by the version of Chromium
# A tap is timed from the lift of the finger to the frame after the seats on the page have changed,
# or Score is drawn pressed.
WATCH = """() => {
    const rows = () => document.querySelector(".seats")?.textContent.replace(/\\s+/g, " ");
    const seen = () => rows() + (document.querySelector("#score .pressed") ? " scored" : "");
    let before, lifted, tell;
    const look = () => {
        if (!tell || lifted === undefined || seen() === before) return;
        const [told, from] = [tell, lifted];
        tell = undefined;
        requestAnimationFrame(() => requestAnimationFrame(() => told(performance.now() - from)));
    };
    new MutationObserver(look).observe(document, {
        subtree: true, childList: true, attributes: true, characterData: true});
    addEventListener("pointerdown", () => { before = seen(); lifted = undefined; }, true);
    addEventListener("pointerup", ({ timeStamp }) => { lifted = timeStamp; look(); }, true);
    window.watchTap = () => {
        lifted = undefined; // of the tap before, whose answer may change the page now
        window.tapShown = new Promise((resolve) => {
            tell = resolve;
            setTimeout(() => resolve(20000), 20000);
        });
    };
    const sent = () => performance.getEntriesByType("resource")
        .filter(({ name }) => /\\/rounds\\/\\d+\\/\\w+$/.test(name)).at(-1);
    window.tapSaved = async () => {
        while (!(sent()?.startTime > lifted)) await new Promise((next) => setTimeout(next, 50));
        return sent().responseEnd - lifted;
    };
}"""
BUTTON = """<meta name="viewport" content="width=device-width">
<p class="seats">0<p><button onclick="document.querySelector('p').textContent += 1">1</button>"""
QUIET = "() => !document.documentElement.dataset.moment"
PAINTED = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0"""
# The app marks the game that it has taken over.
APP = "[data-generation]"
WHEN_READY = f"""new MutationObserver(() => {{
    if (document.querySelector("{APP}")) window.readyAt ??= performance.now();
}}).observe(document, {{subtree: true, childList: true, attributes: true}})"""
BYTES = """() => {
    const [page] = performance.getEntriesByType("navigation");
    const all = performance.getEntriesByType("resource");
    const sum = (some) => some.reduce((size, one) => size + one.transferSize, page.transferSize);
    const ready = window.readyAt ?? page.loadEventEnd;
    return [
        sum(all.filter((one) => one.renderBlockingStatus === "blocking")),
        sum(all.filter((one) => one.responseEnd < ready)),
    ];
}"""


def shown(bench: Bench) -> list[Figure]:
    """Return the milliseconds until taps are shown on a far line, and on one that hangs.

    Beside the first stands what a page of one button takes: the least that this browser can.
    """
    figures = []
    table = bench.table(played=(2, 5))
    with _browser() as browser, ours(table.folder) as server:
        least = f"one button {median(_button_taps(browser)):.0f} ms"
        for game, hangs in zip(table.games["played"], (False, True), strict=True):
            line = SlowLine(server.address, FAR)
            with _phone(browser, f"{line.address}/games/{game}", table.cookie) as page:
                _wait_until_ready(page)
                line.hangs = hangs
                took = list(_taps(page, 1 if bench.quick else 3))
            note = "" if hangs else least
            figures += [Figure(median(took), note), Figure(max(took), f"worst of {len(took)}")]
            line.close()
    return figures


def over_a_button(bench: Bench) -> list[Figure]:
    """Return how much longer taps take to be shown than on a page of one button, by their kinds.

    Each tap has one of the other page beside it.
    """
    table = bench.table(played=(1, 5))
    address = f"/games/{table.games['played'][0]}"
    taken: dict[str, list[float]] = {kind: [] for kind in KINDS}
    least: dict[str, list[float]] = {kind: [] for kind in KINDS}
    with _browser() as browser, ours(table.folder) as server:
        line = SlowLine(server.address, FAR)
        with (
            _phone(browser, line.address + address, table.cookie) as page,
            _phone(browser, f"data:text/html,{quote(BUTTON)}", "") as other,
        ):
            _wait_until_ready(page)
            page.wait_for_timeout(READY)  # with its moments, which come last
            other.evaluate(WATCH)
            beside = _timed(other, [other.locator("button")] * 8 * 3)
            rounds = 1 if bench.quick else 3
            for kind, took in zip(KINDS * rounds, _taps(page, rounds), strict=True):
                taken[kind].append(took)
                least[kind].append(next(beside))
        line.close()
    return [
        Figure(ratio(taken[kind], least[kind]), f"{kind}: worst {max(taken[kind]):.0f} ms")
        for kind in taken
    ]


def restyled(bench: Bench) -> list[Figure]:
    """Return for how many elements the browser works out a style with a tap, by its kind."""
    counts: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for kind, events in _traced(bench):
        styled = [one["args"] for one in events if one["name"] in STYLED and "args" in one]
        counts[kind].append(sum(one.get("elementCount", 0) for one in styled))
    return [Figure(median(counts[kind]), kind) for kind in counts]


def longest_task(bench: Bench) -> list[Figure]:
    """Return the ms of processor time of the longest task of a moment, by its tap."""
    longest: dict[str, list[float]] = {kind: [] for kind in ("last bid", "Score")}
    for kind, events in _traced(bench):
        if kind in longest:
            longest[kind].append(_longest_in(events))
    return [
        Figure(median(longest[kind]), f"{kind}: worst {max(longest[kind]):.0f} ms")
        for kind in longest
    ]


def _longest_in(events: list[dict[str, Any]]) -> float:
    """Return the ms of the longest task since the click, on the thread that it came to."""
    clicks = [one for one in events if one["name"] == "EventDispatch"]
    click = next(one for one in clicks if one["args"]["data"]["type"] == "click")
    here = [one for one in events if (one["pid"], one["tid"]) == (click["pid"], click["tid"])]
    tasks = [one for one in here if one["name"] == "RunTask" and one["ts"] > click["ts"]]
    return max(float(one.get("tdur", 0)) for one in tasks) / 1e3


def _traced(bench: Bench) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Play rounds by touch; yield the kind of each tap, and the events of its trace."""
    table = bench.table(played=(1, 5))
    with _browser() as browser, ours(table.folder) as server:
        address = f"{server.address}/games/{table.games['played'][0]}"
        with _phone(browser, address, table.cookie) as page:
            _wait_until_ready(page)
            page.wait_for_timeout(READY)
            rounds = 1 if bench.quick else 3
            for kind, place in zip(KINDS * rounds, _places(page, rounds), strict=True):
                browser.start_tracing(page=page, categories=TIMELINE)
                place.tap(timeout=30_000)
                _wait_for_moment(page)
                yield kind, json.loads(browser.stop_tracing())["traceEvents"]


def saved(bench: Bench) -> list[Figure]:
    """Return the round trips from a tap to its answer."""
    table = bench.table(played=(1, 5))
    with _browser() as browser, ours(table.folder) as server:
        line = SlowLine(server.address)
        path = f"/games/{table.games['played'][0]}"
        with _phone(browser, line.address + path, table.cookie) as page:
            _wait_until_ready(page)
            taps = _taps(page, 1 if bench.quick else 3)
            took = [float(page.evaluate("() => window.tapSaved()")) / 1e3 for _shown in taps]
    return [Figure(median(took) / ROUND_TRIP, f"{median(took) * 1e3:.0f} ms")]


def first_paint(bench: Bench) -> list[Figure]:
    """Return how much later a game is painted than an empty page."""
    here, there = _painted(bench)
    firsts = [[first for first, _second in each] for each in (here, there)]
    return [Figure(ratio(*firsts), f"{median(firsts[0]):.0f} and {median(firsts[1]):.0f} ms")]


def second_view(bench: Bench) -> list[Figure]:
    """Return the same for the second view of a phone."""
    here, there = _painted(bench)
    seconds = [[second for _first, second in each] for each in (here, there)]
    return [Figure(ratio(*seconds), f"{median(seconds[0]):.0f} and {median(seconds[1]):.0f} ms")]


def weight(bench: Bench) -> list[Figure]:
    """Return the kB before the paint, until the app is there, and after that."""
    table = bench.table(played=(1, 9))
    with _browser() as browser, ours(table.folder) as server:
        line = SlowLine(server.address)
        path = f"/games/{table.games['played'][0]}"
        with _phone(browser, line.address + path, table.cookie, WHEN_READY) as page:
            _wait_until_ready(page)
            page.wait_for_timeout(READY)
            before, ready = page.evaluate(BYTES)
        line.close()
    return [Figure(size / 1e3) for size in (before, ready, line.received - ready)]


Views = list[tuple[float, float]]


@cache
def _painted(bench: Bench) -> tuple[Views, Views]:
    """Return the milliseconds of first and second paints of a game, and of an empty page."""
    here: Views = []
    there: Views = []
    table = bench.table(played=(1, 9))
    path = f"/games/{table.games['played'][0]}"
    with _browser() as browser, ours(table.folder) as server, bare(bench.folder()) as plain:
        for turn in range(1 if bench.quick else 8):
            line, other = SlowLine(server.address), SlowLine(plain.address)
            ways = [(here, line.address + path, table.cookie), (there, f"{other.address}/", "")]
            for took, address, cookie in ways if turn % 2 else reversed(ways):
                with _phone(browser, address, cookie) as page:
                    first = _paint_time(page)
                    page.wait_for_timeout(READY)
                    page.goto("about:blank")
                    page.goto(address, wait_until="load")
                    took.append((first, _paint_time(page)))
            line.close()
            other.close()
    return here, there


def _wait_until_ready(page: "Page") -> None:
    """Wait until a page shows taps by itself, or until it had the time for it."""
    from playwright.sync_api import Error

    with suppress(Error):
        page.wait_for_selector(APP, state="attached", timeout=READY)
    page.wait_for_timeout(PACE)


def _paint_time(page: "Page") -> float:
    while not (painted := float(page.evaluate(PAINTED))):
        page.wait_for_timeout(50)
    return painted


def _taps(page: "Page", rounds: int) -> Iterator[float]:
    """Play rounds by touch; yield the milliseconds until each tap was shown."""
    page.evaluate(WATCH)
    yield from _timed(page, _places(page, rounds))


def _places(page: "Page", rounds: int) -> "list[Locator]":
    """Return what is tapped to play rounds: the keys of the bids and counts, and Score."""
    pad, score = page.locator("#pad"), page.locator("#score button, button#score")
    keys = [pad.get_by_text(re.compile(rf"^\s*{value}\s*$")).first for value in (*BIDS, *COUNTS)]
    return [*keys, score] * rounds


def _button_taps(browser: "Browser") -> list[float]:
    """Return the milliseconds until taps on a page of one button were shown."""
    with _phone(browser, f"data:text/html,{quote(BUTTON)}", "") as page:
        page.evaluate(WATCH)
        return list(_timed(page, [page.locator("button")] * 16))


def _wait_for_moment(page: "Page") -> None:
    """Wait until no moment of a game lies over what is tapped next."""
    page.wait_for_timeout(PACE)
    page.wait_for_function(QUIET)
    page.wait_for_timeout(PACE)


def _timed(page: "Page", places: "Iterable[Locator]") -> Iterator[float]:
    """Tap places; yield the milliseconds until each tap was shown."""
    for place in places:
        page.evaluate("() => window.watchTap()")
        place.tap(timeout=30_000)
        yield float(page.evaluate("() => window.tapShown"))
        _wait_for_moment(page)


@contextmanager
def _phone(browser: "Browser", address: str, cookie: str, script: str = "") -> "Iterator[Page]":
    """Open a page on a phone that has never seen it."""
    size = {"width": 390, "height": 844}
    context = browser.new_context(viewport=size, is_mobile=True, has_touch=True)
    if cookie:
        name, _equals, value = cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": urljoin(address, "/")}])
    if script:
        context.add_init_script(script)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="load", timeout=60_000)
    yield page
    context.close()


@contextmanager
def _browser() -> "Iterator[Browser]":
    program = find_browser()
    if program is None or importlib.util.find_spec("playwright") is None:
        raise LeftOut("there is no Chromium, or pip install '.[test]' was not run")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        yield browser
        browser.close()


def find_browser() -> str | None:
    """Return the path of Chromium, or None where it is not installed."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)
