"""A game of Call Break says call wherever other games say bid."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from scorekeeper.rules.presets import CALL_BOOKS
from tests.languages.catalogue import GAP
from tests.web.page import Page, text_of
from tests.web.play import Table

BID = re.compile(r"\bbid", re.IGNORECASE)
BIDS = {"en": BID, "hi": re.compile("बोल")}  # in the languages that have two words for it
READ_ALOUD = ("aria-label", "title", "placeholder", "alt")
PAGES = ("", "/sheet", "/result", "/changes", "/rules", "/rules/change", "/share", "/rounds/1")


def bids(page: Page, bid: re.Pattern[str] = BID) -> list[str]:
    """Return the texts of a page that say bid; some are only read aloud."""
    aloud = [element.get(name, "") for element in page.root.iter() for name in READ_ALOUD]
    data = [json.loads(script.text or "") for script in page.all("script[@id='phone-words']")]
    texts = [text_of(page.root), *aloud, *strings(data)]
    return [text for text in texts if bid.search(GAP.sub("", text))]


def strings(data: Any) -> Iterator[str]:
    """Yield the texts of phrases, without names of rule values and keys of topics."""
    if isinstance(data, dict):
        yield from strings([text for name, text in data.items() if name != "key"])
    elif isinstance(data, list):
        for one in data:
            yield from strings(one)
    elif isinstance(data, str) and "_" not in data:
        yield data


@pytest.fixture(params=CALL_BOOKS)
def called(table: Table, request: pytest.FixtureRequest) -> Table:
    """A game in its last round but one, whose watch link is on."""
    table.new_game(request.param, rounds=2)
    table.send(table.page(f"{table.path}/share").form("/watching"), on="yes")
    table.play_round((4, 3, 2, 3), (4, 5, 2, 2))
    return table


def watch_path(table: Table) -> str:
    found = re.search(r"/watch/[0-9a-z]+", table.page(f"{table.path}/share").html)
    assert found
    return found[0]


@pytest.mark.parametrize(("language", "bid"), BIDS.items(), ids=BIDS)
def test_no_page_of_the_game_says_bid(called: Table, language: str, bid: re.Pattern[str]) -> None:
    called.client.set_cookie("language", language)
    open_round = called.round_path()
    paths = [*(f"{called.path}{page}" for page in PAGES), watch_path(called), open_round]
    seen = {path: bids(called.page(path), bid) for path in paths}
    called.bid_round(4, 4, 2, 3)
    called.take(5)
    seen |= {f"{path}, playing": bids(called.page(path), bid) for path in paths}
    for count in (4, 2):
        called.take(count)
    called.score()
    assert called.state.phase == "over"
    seen |= {f"{path}, over": bids(called.page(path), bid) for path in paths}
    assert {path: texts for path, texts in seen.items() if texts} == {}


@pytest.mark.parametrize(
    ("bid", "why"),
    [("9", "Call 1 to 8."), ("nil", "Nil isn’t allowed in this game. Call a number.")],
)
def test_a_refused_call_is_told_so(table: Table, bid: str, why: str) -> None:
    table.new_game("call-break")
    answer = table.bid(bid)
    assert answer.status_code == 422
    assert why in Page(answer.get_data(as_text=True)).text


@pytest.mark.parametrize("path", ["/phone/call", "/phone/pieces/en/call"])
def test_a_phone_without_the_server_does_not_say_bid(still: Table, path: str) -> None:
    page = still.page(path)
    assert page.all("script[@id='phone-words']")
    assert bids(page) == []


def test_the_page_names_the_phrases_with_its_word(called: Table) -> None:
    (facts,) = called.page().all("script[@id='game-facts']")
    assert "/phone/pieces/en/call?" in facts.get("data-pieces", "")


def test_the_next_page_says_bid_again(called: Table) -> None:
    assert "Maximum call" in called.page("/rules/call-break").text
    assert "Maximum bid" in called.page("/rules/cutthroat").text


def test_a_language_that_has_one_word_for_both_says_it(called: Table) -> None:
    called.client.set_cookie("language", "fr")
    assert "Annonce maximale" in called.page("/rules/call-break").text
