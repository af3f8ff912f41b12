"""Firefox restores the fields of a page that is reloaded: none of these pages may let it.

Between the page and the server stands the worker, as on a phone that has been at the table before.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from tests.browser.app_server import AppServer, StoredGame, Table
from tests.browser.firefox import Firefox, program, until

MISSING = "There is no Firefox here: install it (on Debian `apt-get install firefox-esr`)."
FIRST = ((3, 2, 1, 4), (3, 4, 0, 3))
CORRECTED = ((3, 2, 1, 4), (4, 3, 0, 3))
CHOOSE_PARTNERSHIP = """
  const card = document.querySelector("[name=rules][value=partnership]");
  if (card) card.checked = true;
  else document.getElementById("rules").value = "partnership";
"""
FIELDS = """
  const fields = document.querySelectorAll("main :is(input, select)");
  const isKept = ({ name, type, checked }) =>
    !["csrf_token", "request_key"].includes(name) && (type !== "radio" || checked);
  return Object.fromEntries([...fields].filter(isKept).map(({ name, value }) => [name, value]));
"""


@pytest.fixture(scope="module")
def browser_window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    path = program()
    if path is None:
        pytest.skip(MISSING)
    with Firefox(path, tmp_path_factory.mktemp("profile")) as window:
        yield window


@pytest.fixture(autouse=True)
def complaints() -> None:
    """No Chromium is needed here."""


@pytest.fixture
def firefox(browser_window: Firefox, server: AppServer, table: Table) -> Firefox:
    """Firefox as a phone of the table, whose worker is in charge."""
    browser_window.open(f"{server.address}/robots.txt")
    browser_window.add_cookie(table.cookie["name"], table.cookie["value"])
    browser_window.open(f"{server.address}/")
    browser_window.wait_for("return navigator.serviceWorker.controller !== null")
    return browser_window


def round_page(firefox: Firefox, server: AppServer, table: Table) -> StoredGame:
    """Open the page of a round, which another phone then corrects."""
    stored_game = table.begin().play(*FIRST)
    firefox.open(f"{server.address}{stored_game.path}/rounds/1")
    return stored_game


def cells(firefox: Firefox) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the bids and tricks that the form holds."""
    fields = firefox.evaluate(FIELDS)
    bids, tricks = ([int(fields[f"{what}-{n}"]) for n in range(1, 5)] for what in ("bid", "tricks"))
    return tuple(bids), tuple(tricks)


def values(firefox: Firefox, name: str) -> list[str]:
    """Return what the fields hold whose name begins so."""
    found = "return [...document.querySelectorAll(`[name^=${arguments[0]}]`)].map((f) => f.value)"
    return list(firefox.evaluate(found, name))


def correct(firefox: Firefox) -> None:
    firefox.evaluate("window.isOld = true")
    firefox.evaluate("document.getElementById('round').submit()")  # though nothing was changed
    firefox.wait_for("return !window.isOld && document.readyState === 'complete'")


def test_a_round_reloaded_after_a_correction_holds_what_is_recorded(
    firefox: Firefox, server: AppServer, table: Table
) -> None:
    stored_game = round_page(firefox, server, table)
    assert cells(firefox) == FIRST
    stored_game.score(1, CORRECTED[1], CORRECTED[0])
    firefox.reload()
    assert cells(firefox) == CORRECTED
    correct(firefox)
    assert stored_game.game.rounds[0].tricks == CORRECTED[1]


def test_a_round_to_which_one_goes_back_stores_nothing_old(
    firefox: Firefox, server: AppServer, table: Table
) -> None:
    stored_game = round_page(firefox, server, table)
    firefox.open(f"{server.address}{stored_game.path}/sheet")
    stored_game.score(1, CORRECTED[1], CORRECTED[0])
    firefox.back()
    correct(firefox)
    assert stored_game.game.rounds[0].tricks == CORRECTED[1]


class Restoring:
    """The app as a browser would see it that takes no notice of `autocomplete`."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        environ.pop("HTTP_ACCEPT_ENCODING", None)
        page = b"".join(self.inner(environ, start_response))
        return [page.replace(b'autocomplete="off"', b'autocomplete="on" ')]


def test_cells_that_a_browser_restores_all_the_same_are_refused(
    firefox: Firefox, server: AppServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.app, "wsgi_app", Restoring(server.app.wsgi_app))
    stored_game = round_page(firefox, server, table)
    stored_game.score(1, CORRECTED[1], CORRECTED[0])
    firefox.reload()
    assert cells(firefox) == FIRST
    correct(firefox)
    assert stored_game.game.rounds[0].tricks == CORRECTED[1]
    assert firefox.evaluate("return document.querySelectorAll('table.conflict td').length") == 8


def test_a_game_page_reloaded_after_other_entries_holds_the_newest_version(
    firefox: Firefox, server: AppServer, table: Table
) -> None:
    stored_game = table.begin().play(*FIRST)
    firefox.open(f"{server.address}{stored_game.path}")
    shown = "return document.getElementById('game')?.dataset.version === arguments[0]"
    for bid in (3, 2, 1):
        stored_game.bid(bid)  # by which the hidden fields of the page are changed
        firefox.wait_for(shown, str(stored_game.game.version))
    stored_game.bid(4)
    firefox.reload()
    firefox.wait_for(shown, str(stored_game.game.version))
    assert set(values(firefox, "version")) == {stored_game.game.revision}
    stored_game.take(3, 4, 0)
    firefox.wait_for(shown, str(stored_game.game.version))
    stored_game.take(4, 3)
    firefox.reload()
    firefox.wait_for(shown, str(stored_game.game.version))
    assert set(values(firefox, "version")) == {stored_game.game.revision}


class Refusing:
    """The app, but a script is refused as often as `times` says."""

    def __init__(self, inner: Any, script: str, times: int) -> None:
        self.inner, self.script, self.times = inner, script, times

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not environ["PATH_INFO"].endswith(self.script) or not self.times:
            return self.inner(environ, start_response)
        self.times -= 1
        start_response("503 Service Unavailable", [("Content-Length", "0")])
        return [b""]


def test_taps_are_sent_although_the_script_that_sends_them_did_not_come_at_first(
    browser_window: Firefox, server: AppServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = browser_window
    address = server.address.replace("127.0.0.1", "localhost")  # where there is no worker yet
    refusing = Refusing(server.app.wsgi_app, "/js/model/online.js", times=1)
    monkeypatch.setattr(server.app, "wsgi_app", refusing)
    stored_game = table.begin()
    window.open(f"{address}/robots.txt")
    window.add_cookie(table.cookie["name"], table.cookie["value"])
    window.open(f"{address}{stored_game.path}")
    window.wait_for("return document.getElementById('game').dataset.unsent === '0'")
    window.click("#pad .key[value='3']")
    window.wait_for("return document.querySelectorAll('.seat.done').length === 1")
    until(lambda: stored_game.game.state.open.bids[0] == 3, "the bid is recorded")
    assert not refusing.times


@pytest.mark.parametrize("path", ["/games/new", "/rules/new"])
def test_the_book_and_the_fields_drawn_for_it_stay_together(
    firefox: Firefox, server: AppServer, path: str
) -> None:
    firefox.open(f"{server.address}{path}")
    before = firefox.evaluate(FIELDS)
    firefox.evaluate(CHOOSE_PARTNERSHIP)
    firefox.reload()
    assert firefox.evaluate(FIELDS) == before
