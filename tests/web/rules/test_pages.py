"""The rules as they are played here."""

import re

import pytest

from scorekeeper import i18n
from scorekeeper.rules.presets import CALL_BOOKS, PRESETS, at_table, tables
from scorekeeper.rules.ruleset import HOUSE_RULES, value_text
from scorekeeper.web.text.books import FACTS, book_fact
from scorekeeper.web.text.rule_books import value_shown
from tests.web.play import Table, page_of


def values(table: Table, path: str) -> list[str]:
    """Return the right column of the table of values."""
    return table.page(path).texts("td")


def test_the_index_leads_to_every_rule_book(still: Table) -> None:
    links = [link.get("href") for link in still.page("/rules").all("a[@href]")]
    books = [f"/rules/{key}" for key in PRESETS]
    assert sorted(link or "" for link in links if link in books) == sorted(books)


def test_the_index_tells_each_book_from_the_others_and_where_to_start(still: Table) -> None:
    page = still.page("/rules")
    assert page.texts("*[@class='start-here']") == ["Start here"]
    assert "Cutthroat Spades LITE Start here" in page.text
    facts = [book_fact(rules) for rules in PRESETS.values()]
    assert [fact for fact in facts if fact not in page.text] == []
    assert len(set(facts)) == len(PRESETS)


@pytest.mark.parametrize("key", PRESETS)
def test_a_fact_has_the_figures_of_its_book(key: str) -> None:
    rules = PRESETS[key]
    known = set(re.findall(r"\d+", " ".join(value_text(getattr(rules, n)) for n in HOUSE_RULES)))
    assert set(re.findall(r"\d+", FACTS[key].text)) <= known


def test_books_are_called_as_players_do_there(still: Table) -> None:
    for language, name in (("fr", "L’Ascenseur (Oh Hell)"), ("es", "La Pocha (Oh Hell)")):
        header = {"Accept-Language": language}
        assert name in page_of(still.client.get("/rules", headers=header)).text
        assert page_of(still.client.get("/rules/oh-hell", headers=header)).texts("h1") == [name]


def test_a_page_of_rules_begins_with_an_example(still: Table) -> None:
    for key in PRESETS:
        first = still.page(f"/rules/{key}").texts("section[@class='first-example']")[0]
        assert first.startswith("For example: "), key
        assert re.search(r"= [+−\d]", first), key


@pytest.mark.parametrize("key", PRESETS)
def test_every_rule_book_has_empty_sheets_for_its_players(stranger: Table, key: str) -> None:
    (link,) = [
        link.get("href") or ""
        for link in stranger.page(f"/rules/{key}").all("a[@href]")
        if "/rules/sheet/" in (link.get("href") or "")
    ]
    for players in tables(PRESETS[key]):
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


@pytest.mark.parametrize("key", ["spades", "%01x", "x" * 400, "cutthroat-lite/more"])
def test_an_unknown_rule_book_is_404(still: Table, key: str) -> None:
    answer = still.get(f"/rules/{key}", follow_redirects=True)
    assert answer.status_code == 404


@pytest.mark.parametrize("key", ["CUTTHROAT", "cutthroat/"])
def test_a_link_to_a_rule_book_is_found_as_chats_change_it(still: Table, key: str) -> None:
    assert still.get(f"/rules/{key}").location == "/rules/cutthroat"


def test_the_rules_of_a_game_name_its_house_rules(table: Table) -> None:
    table.new_game(target=200, bag_limit="off")
    shown = values(table, f"{table.path}/rules")
    assert "200 house rule; usually 125" in shown
    assert "off house rule; usually 6" in shown


DECKS = {
    3: "3 players: Remove all cards from 2 to 6. Remove 7♣ 7♦.",
    4: "4 players: Remove all 2s, 3s and 4s.",
    5: "5 players: Remove 2♣ 2♦.",
    6: "6 players: Remove all 2s. 48 cards, 8 each.",
}


@pytest.mark.parametrize(("players", "line"), DECKS.items())
def test_the_deck_is_told_to_so_many_players(still: Table, players: int, line: str) -> None:
    text = still.page(f"/rules/cutthroat-lite?seats={players}").text
    assert [one for one in DECKS.values() if one in text] == [line]


# What a page of rules says to so many players.
TOLD = {
    ("cutthroat-lite", 6): [
        "Each player is dealt 8 cards.",
        "Each round has exactly 8 tricks.",
        "Bid how many tricks you’ll take, 1 to 8, or Nil: none.",
        "For 2–7 players.",
    ],
    ("cutthroat", 5): ["Each player is dealt 10 cards.", "The bids can’t total 10,"],
    ("call-break", 7): ["Each round has exactly 7 tricks.", "Call how many tricks", "1 to 7."],
    ("oh-hell", 4): ["19 rounds: each player is dealt 10–1, 2–10 cards, round by round."],
    ("oh-hell", 6): ["15 rounds: each player is dealt 8–1, 2–8 cards, round by round."],
    ("oh-hell", 7): ["13 rounds: each player is dealt 7–1, 2–7 cards, round by round."],
    ("kachufool", 5): ["10 rounds: each player is dealt 1–10 cards, round by round."],
    ("wizard", 6): ["10 rounds: each player is dealt 1–10 cards", "If a wizard is led, nobody has"],
    ("skull-king", 4): [
        "10 rounds: each player is dealt 1–10 cards, round by round.",
        "The black suit is trump.",
        "In each suit, 14 is high and 1 is low.",
        "All bid at the same time.",
        "a mermaid beats the Skull King",
        "A bid of 0 scores 10 per card dealt in all if made.",
        "Bonus points count only if the player makes the bid",
    ],
    ("skull-king", 8): ["10 rounds: each player is dealt 1–8, 8, 8 cards, round by round."],
    ("spades-pair", 2): ["In turn, the dealer last, draw a card"],
}


@pytest.mark.parametrize(("key", "players"), TOLD)
def test_a_page_is_for_the_number_of_players(still: Table, key: str, players: int) -> None:
    text = still.page(f"/rules/{key}?seats={players}").text
    assert [line for line in TOLD[key, players] if line not in text] == []
    tricks = at_table(PRESETS[key], players).tricks
    if PRESETS[key].tricks != tricks:
        assert not re.search(rf"\b{PRESETS[key].tricks} (cards|tricks)\b", text)


def test_the_numbers_of_the_text_itself_are_marked(stranger: Table) -> None:
    page = stranger.page("/rules/cutthroat-lite?seats=5")
    links = page.all("nav[@class='deck-sizes']/a")
    assert [one.get("href") for one in links] == [
        f"/rules/cutthroat-lite?seats={n}#deal" for n in range(2, 8)
    ]
    assert [n for n, one in enumerate(links, 2) if one.get("class") == "written"] == [3, 4, 5]
    assert [n for n, one in enumerate(links, 2) if one.get("aria-current")] == [5]
    assert "The original rules are for 3 to 5 players." in page.text


def test_another_number_is_kept_in_the_address_of_a_link(stranger: Table) -> None:
    page = stranger.page("/rules/link?rules=cutthroat-lite&target=200&seats=6")
    assert "The game ends when a player reaches 200." in page.text
    assert "Each player is dealt 8 cards." in page.text
    (first, *_more) = page.all("nav[@class='deck-sizes']/a")
    assert first.get("href") == "/rules/link?rules=cutthroat-lite&target=200&seats=2#deal"
    other = stranger.page(first.get("href") or "")
    assert "Each player is dealt 10 cards." in other.text


@pytest.mark.parametrize("sent", ["99", "0", "x", "", "6.5", "٦" * 400])
def test_a_page_is_for_four_where_so_many_cannot_play(stranger: Table, sent: str) -> None:
    page = stranger.page(f"/rules/cutthroat-lite?seats={sent}")
    assert "Each player is dealt 10 cards." in page.text
    assert len(stranger.app.extensions["shared_pages"]) <= 1


def test_the_page_of_a_game_is_for_its_players(table: Table) -> None:
    table.new_game(players=("A", "B", "C", "D", "E", "F", "G"), seats="7")
    page = table.page(f"{table.path}/rules")
    assert "Each player is dealt 7 cards." in page.text
    (last,) = page.all("nav[@class='deck-sizes']/a[@aria-current]")
    assert last.get("href") == f"{table.path}/rules?seats=7#deal"
    assert "house rule" not in page.text


NIL_BOOKS = [key for key, rules in PRESETS.items() if rules.nil_points is not None]


@pytest.mark.parametrize("key", PRESETS)
def test_nil_is_named_where_it_can_be_bid(still: Table, key: str) -> None:
    (section,) = still.page(f"/rules/{key}").all("section[@id='bid']")
    text = " ".join("".join(section.itertext()).split())
    assert ("or Nil: none." in text) == (key in NIL_BOOKS)
    assert ("Nil" in text) == (key in NIL_BOOKS)


def test_the_bonus_of_a_contract_stands_in_its_row(still: Table) -> None:
    page = still.page("/rules/oh-hell")
    rows = dict(zip(page.texts("dt"), page.texts("dd"), strict=True))
    assert rows == {"Contract made and 1 per trick bid": "+10"}


def test_a_topic_of_house_rules_tells_all_of_it(table: Table) -> None:
    summaries = table.page("/rules/new?rules=cutthroat-lite").texts("summary")
    (bags,) = [one for one in summaries if one.startswith("Overtricks and bags")]
    assert "Whoever has 6 bags or more after a round loses 10 points" in bags


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


@pytest.mark.parametrize(("players", "out"), [(2, 32), (3, 22), (4, 12), (5, 2), (6, 4), (7, 3)])
def test_cards_that_are_left_out_are_struck_in_the_deck(
    still: Table, players: int, out: int
) -> None:
    page = still.page(f"/rules/cutthroat-lite?seats={players}")
    (drawn,) = page.all("div[@class='drawn']")
    assert len(drawn.findall(".//i[@class='out']")) == out


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_rules_cannot_be_sent(still: Table, method: str) -> None:
    answer = still.client.open("/rules", method=method, data={"csrf_token": still.token()})
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
