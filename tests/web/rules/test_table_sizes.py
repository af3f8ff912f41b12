"""How many cards each player gets at a table of a size: every way in says the same."""

import io
import re
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.files.csv_columns import SheetError
from scorekeeper.files.csv_reader import read_scored
from scorekeeper.rules import PRESETS, RuleSet, ScoreRefused, score
from scorekeeper.web.game.new_game_form import NewGame
from scorekeeper.web.phrases import phone_words
from tests.web.offline.conftest import Ask, ask, node
from tests.web.play import Table

NAMES = ("North", "East", "South", "West", "Centre", "Fay", "Gus", "Hal")
SIZES = range(2, 9)
NO = 0  # the rules are not for so many, or the deck has too few cards
ONLY_FOUR = [NO, NO, 13, NO, NO, NO, NO]

# The cards of every round, or of the largest, for two to eight players.
CARDS = {
    "cutthroat-lite": [10, 10, 10, 10, 8, 7, NO],
    "cutthroat": [13, 13, 13, 10, 8, 7, NO],
    "partnership": ONLY_FOUR,
    "partnership-sandbags": ONLY_FOUR,
    "partnership-500": ONLY_FOUR,
    "partnership-250": ONLY_FOUR,
    "oh-hell": [NO, 10, 10, 10, 8, 7, NO],
    "kachufool": [NO, 17, 13, 10, 8, 7, NO],
    "wizard": [NO, 20, 15, 12, 10, NO, NO],
    "skull-king": [10, 10, 10, 10, 10, 10, 8],
    "cookout": ONLY_FOUR,
    "convention": ONLY_FOUR,
    "timed": ONLY_FOUR,
    "spades-pair": [13, NO, NO, NO, NO, NO, NO],
    "spades-three": [NO, 17, NO, NO, NO, NO, NO],
    "spades-six": [NO, NO, NO, NO, 17, NO, NO],
    "call-break": [13, 13, 13, 10, 8, 7, NO],
    "call-bridge": [13, 13, 13, 10, 8, 7, NO],
    "forty-one": ONLY_FOUR,
}
# A number of cards that somebody set stands, at every size of a table.
SET = {10: [10, 10, 10, 10, NO, NO, NO], 8: [8, 8, 8, 8, 8, NO, NO], 13: [13, 13, 13, *[NO] * 4]}

House = dict[str, str]
OF_BOOKS: list[tuple[str, House, list[int]]] = [(key, {}, cards) for key, cards in CARDS.items()]
OF_HOUSE: list[tuple[str, House, list[int]]] = [
    ("cutthroat-lite", {"tricks": str(n)}, cards) for n, cards in SET.items()
]
EVERY = pytest.mark.parametrize(
    ("key", "house", "cards"),
    [*OF_BOOKS, *OF_HOUSE],
    ids=[*CARDS, *(f"lite with {n} cards" for n in SET)],
)


def test_every_book_has_its_line() -> None:
    assert list(CARDS) == list(PRESETS)


def largest(rules: RuleSet, players: int) -> int:
    return max(rules.plan(players))


@EVERY
@pytest.mark.parametrize("is_chosen", [True, False], ids=["form", "API"])
def test_a_new_game(key: str, house: House, cards: list[int], *, is_chosen: bool) -> None:
    """The form says how many play, the API does not."""
    found = []
    for n in SIZES:
        seats = str(n) if is_chosen else ""
        game = NewGame(key, list(NAMES[:n]), seats=seats, house=dict(house))
        is_right = game.check() and len(game.names) == n  # a form for four shows four seats
        found.append(largest(game.rules, n) if is_right else NO)
        assert {*game.errors} <= {"seats", "tricks"}
    assert found == cards


@EVERY
@pytest.mark.parametrize("is_named", [False, True], ids=["command score", "import"])
def test_a_sheet(key: str, house: House, cards: list[int], *, is_named: bool) -> None:
    """The command is told the rules, an imported sheet names them."""
    options = (None, {}) if is_named else (key, house)
    found, refusals = [], []
    for n, dealt in zip(SIZES, cards, strict=True):
        source = sheet(key, house, n, dealt or 10, is_named=is_named)
        try:
            ((game, _round),) = read_scored(source, *options)
            found.append(largest(game.rules, n))
        except SheetError as refused:
            refusals.append(refused.message)
            found.append(NO)
    assert found == cards
    assert all(re.search("is for .* players|more than a full deck", one) for one in refusals)


def sheet(key: str, house: House, n: int, dealt: int, *, is_named: bool) -> io.BytesIO:
    """Return a sheet of one round, in which the first player takes all tricks."""
    book = PRESETS[key]
    bid, tricks = (0, book.cards_of(1, n)) if book.cards else (3, dealt)
    lines = [
        "round,player,bid,tricks",
        *(f"1,{name},{bid},{0 if at else tricks}" for at, name in enumerate(NAMES[:n])),
    ]
    if is_named:
        named = ";".join(f"{name}={value}" for name, value in house.items())
        lines = [f"rules,house_rules,{lines[0]}", *(f"{key},{named},{one}" for one in lines[1:])]
    return io.BytesIO("\n".join(lines).encode())


@pytest.mark.parametrize(("key", "cards"), CARDS.items(), ids=CARDS)
def test_the_function_for_programs(key: str, cards: list[int]) -> None:
    found = []
    for n in SIZES:
        try:
            found.append(largest(score(key, n, []).rules, n))
        except ScoreRefused:
            found.append(NO)
    assert found == cards


@pytest.mark.parametrize(("key", "cards"), CARDS.items(), ids=CARDS)
def test_the_page_of_the_rules(still: Table, key: str, cards: list[int]) -> None:
    shown = {n: dealt for n, dealt in zip(SIZES, cards, strict=True) if dealt}
    for n, dealt in shown.items():
        page = still.page(f"/rules/{key}?seats={n}")
        offered = [int(text.split()[0]) for text in page.texts("nav[@class='deck-sizes']/a")]
        assert offered == ([*shown] if len(shown) > 1 else [])
        (first, *_more) = page.texts("ul[@class='topic-lines']/li")
        assert max(map(int, re.findall("[0-9]+", first.rpartition("rounds:")[2]))) == dealt
        (link,) = (one for one in page.all("a[@href]") if "/sheet/" in str(one.get("href")))
        assert f"/sheet/{n}?" in str(link.get("href"))
    path = f"/rules/sheet/{{}}?rules={key}"
    assert [n for n in SIZES if still.get(path.format(n)).status_code == 200] == [*shown]


def test_the_form_offers_the_same_numbers_as_a_phone(still: Table) -> None:
    expected = {
        key: [n for n, dealt in zip(SIZES, cards, strict=True) if dealt]
        for key, cards in CARDS.items()
    }
    form = still.page("/games/new").all("input[@name='rules']")
    assert {
        str(one.get("value")): [*map(int, str(one.get("data-sizes")).split())] for one in form
    } == expected
    assert {one["key"]: one["sizes"] for one in books_of(still)} == expected


def books_of(table: Table) -> list[dict[str, Any]]:
    return [one for one in table.get("/phone.json").get_json()["books"] if not one["house"]]


def typed(at: int, players: int) -> dict[str, Any]:
    names = {f"player-{seat}": name for seat, name in enumerate(NAMES[:players], 1)}
    rest = dict.fromkeys(("first_dealer", "stake", "minutes"), "")
    return {"rules": at, "seats": players, **names, **rest}


def test_a_phone_without_the_server(still: Table, ask: Ask) -> None:
    facts = still.get("/phone.json").get_json()
    books = list(enumerate(facts["books"]))
    forms = [typed(at, n) for at, _book in books for n in SIZES]
    with still.app.test_request_context():
        words = phone_words()
    (answers,) = ask("dealt", [[words, facts, forms]])
    found: dict[str, list[int]] = {key: [] for key in CARDS}
    for form, answer in zip(forms, answers, strict=True):
        key, n = facts["books"][form["rules"]]["key"], form["seats"]
        is_refused = isinstance(answer, str)
        found[key].append(NO if is_refused else largest(replace(PRESETS[key], tricks=answer), n))
    assert found == CARDS


def test_six_play_the_book_itself(table: Table) -> None:
    """Fewer cards for six are no house rule, wherever the next game or its rules are shown."""
    table.new_game(players=NAMES[:6], seats="6")
    assert table.state.rules.tricks == 8
    page = table.page(f"{table.path}/rules")
    assert "house rule" not in page.text
    assert "Each player is dealt 8 cards." in page.text
    form = table.page(f"{table.path}/rules/change")
    assert "1 change" not in form.text
    assert form.all("input[@id='tricks']")[0].get("value") == "8"
    (book,) = [one for one in books_of(table) if one["last"]]
    assert (book["key"], book["tricks"]) == ("cutthroat-lite", 10)


__all__ = ["ask", "node"]
