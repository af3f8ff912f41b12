"""The rules as they are played here."""

import re

import pytest

from scorekeeper import i18n
from scorekeeper.rules.presets import CALL_BOOKS, PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES
from scorekeeper.web.text.rule_books import value_shown
from tests.web.play import Table


def values(table: Table, path: str) -> list[str]:
    """Return the right column of the table of values."""
    return table.page(path).texts("td")


def test_the_index_leads_to_every_rule_book(still: Table) -> None:
    links = [link.get("href") for link in still.page("/rules").all("a[@href]")]
    books = [f"/rules/{key}" for key in PRESETS]
    assert sorted(link or "" for link in links if link in books) == sorted(books)


@pytest.mark.parametrize("key", PRESETS)
def test_every_rule_book_has_empty_sheets_for_its_players(stranger: Table, key: str) -> None:
    (link,) = [
        link.get("href") or ""
        for link in stranger.page(f"/rules/{key}").all("a[@href]")
        if "/rules/sheet/" in (link.get("href") or "")
    ]
    for players in PRESETS[key].by_players:
        page = stranger.page(re.sub(r"sheet/\d+", f"sheet/{players}", link))
        shapes = page.all("table//th/span[@class='line']")
        assert len(shapes) == players
    assert stranger.get(re.sub(r"sheet/\d+", "sheet/11", link)).status_code == 404


def test_an_empty_sheet_says_who_deals_and_what_scores(stranger: Table) -> None:
    page = stranger.page("/rules/sheet/3?rules=cutthroat-lite")
    dealers = [use.get("href") for use in page.all("tbody/tr/th/small/svg/use")]
    assert dealers[:4] == ["#seat-3", "#seat-1", "#seat-2", "#seat-3"]
    assert len(dealers) == 14
    assert "6 bags −10" in " ".join(page.texts("dt"))
    assert len(page.all("tr[@class='rings']/td/i")) == 18


@pytest.mark.parametrize("key", PRESETS)
def test_every_value_of_a_rule_book_is_printed(still: Table, key: str) -> None:
    i18n.use_words("call" if key in CALL_BOOKS else "bid")  # until the next request
    expected = [value_shown(getattr(PRESETS[key], name)) for name in HOUSE_RULES]
    assert values(still, f"/rules/{key}") == expected


@pytest.mark.parametrize("key", ["spades", "CUTTHROAT", "%00", "x" * 400, "cutthroat-lite/"])
def test_an_unknown_rule_book_is_404(still: Table, key: str) -> None:
    assert still.get(f"/rules/{key}").status_code == 404


def test_the_rules_of_a_game_name_its_house_rules(table: Table) -> None:
    table.new_game(target=200, bag_limit="off")
    shown = values(table, f"{table.path}/rules")
    assert "200 house rule; usually 125" in shown
    assert "off house rule; usually 6" in shown


def test_the_pack_is_told_for_every_size_of_table(stranger: Table) -> None:
    text = stranger.page("/rules/cutthroat-lite").text
    assert "5 players: Remove 2♣ 2♦." in text
    assert "4 players: Remove all 2s, 3s and 4s." in text
    assert "3 players: Remove all cards from 2 to 6. Remove 7♣ 7♦." in text


def test_the_score_is_a_table(still: Table) -> None:
    page = still.page("/rules/cutthroat-lite")
    rows = dict(zip(page.texts("dt"), page.texts("dd"), strict=True))
    assert rows == {
        "Contract made per trick bid": "+10",
        "Contract set per trick bid": "−10",
        "Nil made a bid to take no tricks": "+50",
        "Nil failed": "−50",
        "Each overtrick": "+1",
        "6 bags then the count starts again at 0": "−10",
    }


def test_the_page_tells_what_is_played_alone(still: Table) -> None:
    text = still.page("/rules/cutthroat-lite").text
    assert "The jokers" not in text
    assert "Blind Nil isn’t allowed." not in text


def test_cards_that_are_left_out_are_struck_in_the_deck(still: Table) -> None:
    page = still.page("/rules/cutthroat-lite")
    drawn = [deck.findall(".//i[@class='out']") for deck in page.all("div[@class='drawn']")]
    assert [len(out) for out in drawn] == [32, 22, 12, 2, 4, 3]  # of two to seven players


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_rules_cannot_be_sent(still: Table, method: str) -> None:
    answer = still.client.open("/rules", method=method, data={"csrf_token": still.token()})
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
