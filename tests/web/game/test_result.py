"""The end of a game told: what would have changed it, and the result to send to others."""

import unicodedata
import xml.etree.ElementTree as Xml
from collections.abc import Sequence
from itertools import pairwise

import pytest
from flask import Flask

from scorekeeper import i18n
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP, PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.store.games import Game
from scorekeeper.web.game.card import card
from scorekeeper.web.game.charts import LINE, race
from scorekeeper.web.game.result import picture, plain, summary, turn_lines
from scorekeeper.web.text.svg_text import wrapped
from tests.web.http.test_hostile_names import FOURS
from tests.web.page import Page
from tests.web.play import PLAYERS, Table

SVG = "{http://www.w3.org/2000/svg}"
TO_30 = with_house_rules(CUTTHROAT_LITE, {"target": "30"})
CLOSE = Round((3, 3, 1, 1), (3, 2, 3, 2))
LONG = "Wolfeschlegelsteinhausenbergerdorffvonde"


def game_of(*rounds: Round, rules: RuleSet = TO_30, names: Sequence[str] = PLAYERS[:4]) -> Game:
    """Return a game as the store would."""
    day = "2026-01-03T20:15:00+00:00"
    return Game("g", "t", rules, tuple(names), len(names) - 1, None, day, 9, day, rounds)


SENTENCES = [
    pytest.param(
        [CLOSE],
        ["If East had taken one of North’s tricks in round 1, East would have won, 30 to 12."],
        id="a trick",
    ),
    pytest.param(
        [Round((3, 3, 3, 2), (3, 4, 2, 1))],
        [
            "If North had taken one of East’s tricks in round 1, North would have won, 31 to 30.",
            "If East had bid 2 instead of 3 in round 1, North would have won, 30 to 22.",
        ],
        id="a trick and a bid",
    ),
    pytest.param(
        [Round((3, 2, 2, 2), (2, 2, 3, 3)), Round((1, 4, 3, 3), (1, 6, 1, 2))],
        [
            (
                "If North had taken one of East’s tricks in round 1, North would have "
                "won in round 1, 30 to 21."
            ),
            (
                "If South had bid 3 instead of 2 in round 1, South would have won in "
                "round 1, 30 to 21."
            ),
        ],
        id="an earlier end",
    ),
    pytest.param(
        [Round((3, 2, 1, 1), (3, 3, 2, 2))],
        ["If East had taken one of North’s tricks in round 1, the game would have gone on."],
        id="no end yet",
    ),
    pytest.param(
        [Round((2, 3, 1, 1), (4, 4, 1, 1))],
        ["If East had bid 2 instead of 3 in round 1, the game would have gone on."],
        id="a bid, and no end yet",
    ),
    pytest.param([Round((5, 1, 1, 1), (7, 1, 1, 1))], [], id="nothing small"),
]


@pytest.mark.parametrize(("rounds", "sentences"), SENTENCES)
def test_what_would_have_changed_it_is_told(rounds: list[Round], sentences: list[str]) -> None:
    assert [plain(line) for line in turn_lines(game_of(*rounds))] == sentences


def test_partners_would_have_won_together() -> None:
    rules = with_house_rules(PARTNERSHIP, {"target": "30"})
    game = game_of(Round((3, 3, Nil.NIL, 3), (7, 3, 0, 3)), rules=rules)
    assert [plain(line) for line in turn_lines(game)] == [
        (
            "If South had taken one of North’s tricks in round 1, East and West "
            "would have won, 60 to −66."
        )
    ]


def test_the_result_as_text() -> None:
    assert summary(game_of(CLOSE)).splitlines() == [
        "North wins",
        "30 points, 18 ahead of South",
        "Cutthroat Spades LITE · 3 Jan 2026 · 1 round",
        "",
        "1. North 30 (30)",
        "2. South 12 (12)",
        "3. West 11 (11)",
        "4. East −30 (−30)",
        "",
        "Biggest round: North (+30 in one round)",
        "",
        "If East had taken one of North’s tricks in round 1, East would have won, 30 to 12.",
    ]


def test_a_game_that_is_on_has_a_standing_too() -> None:
    level = Round((2, 2, 2, 2), (3, 3, 2, 2))
    lines = summary(game_of(level, rules=CUTTHROAT_LITE)).splitlines()
    assert (lines[0], lines[3:]) == (
        "After round 1",
        ["1. North 21 (21)", "1. East 21 (21)", "3. South 20 (20)", "3. West 20 (20)"],
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [("North", "North"), ("<b>N</b>", "<b>N</b>"), ("&lt;", "&lt;"), ("נועה", "\u2068נועה\u2069")],
)
def test_a_name_in_the_text_is_as_it_was_typed(name: str, written: str) -> None:
    assert summary(game_of(CLOSE, names=(name, *PLAYERS[1:4]))).startswith(f"{written} wins\n")


def test_an_arabic_result_runs_from_the_right_and_keeps_its_date_and_names_in_one_piece() -> None:
    i18n.set_language("ar")
    try:
        lines = summary(game_of(CLOSE)).splitlines()
    finally:
        i18n.set_language("en")
    assert [line for line in lines if line and not line.startswith("\u200f")] == []
    assert "\u2068سبيدز فردي LITE\u2069 · \u20683" in lines[2]
    assert lines[4].startswith("\u200f1. \u2068North\u2069 30")


# The page and the picture


@pytest.fixture(scope="module")
def house(still: Table) -> Table:
    """A table that plays one game after the other."""
    table = Table(still.app)
    table.join()
    return table


def finished(table: Table, names: Sequence[str] = PLAYERS[:4], **fields: object) -> Table:
    assert table.new_game(players=names, target=30, **fields).status_code == 303
    players = len(names)
    table.bid_round(*(3, 3, 1, 1, 1)[:players])
    tricks = (3, 2, 2, 2, 1) if players == 5 else (3, 2, 3, 2)
    assert table.score(*tricks[:players]).status_code == 303
    return table


def picture_of(table: Table) -> Xml.Element:
    answer = table.get(f"{table.path}/picture.svg")
    assert answer.content_type == "image/svg+xml; charset=utf-8"
    return Xml.fromstring(answer.get_data())


def texts(picture: Xml.Element) -> list[str]:
    return ["".join(text.itertext()).strip("\u2068\u2069") for text in picture.iter(f"{SVG}text")]


def test_the_game_s_page_tells_it_and_leads_to_the_result(house: Table) -> None:
    page = finished(house).page()
    assert "If East had taken one of North’s tricks in round 1" in page.text
    assert f"{house.path}/result" in [link.get("href") for link in page.all("a[@href]")]


def test_the_result_page_holds_the_text_and_the_picture(house: Table) -> None:
    page = finished(house).page(f"{house.path}/result")
    field = page.one("textarea[@id='summary']")
    assert field.get("readonly") is not None
    assert field.text == summary(house.game)
    image = page.one("img")
    assert image.get("src") == f"{house.path}/picture.svg"
    assert "North wins: North 30, South 12" in image.get("alt", "")


def test_the_picture_shows_who_won_and_everybody_s_total(house: Table) -> None:
    shown = texts(picture_of(finished(house)))
    assert shown[0] == "North wins"
    for text in ("South", "West", "East", "30", "12", "11", "−30"):
        assert text in shown


def test_the_chart_in_the_picture_has_numbers_and_the_winner_in_white(house: Table) -> None:
    picture = picture_of(finished(house))
    assert texts(picture)[-4:] == ["0", "30", "1", "East needed 30, bid 3 and took 2."]
    lines = [line.get("stroke") for line in picture.iter(f"{SVG}polyline")]
    assert lines.index("#fff") == lines.count("#fff") + 2 == 3  # on top of the others


NEAR = [
    pytest.param([CLOSE], "East needed 30, bid 3 and took 2.", id="set short of the target"),
    pytest.param(
        [Round((3, 2, 1, 1), (3, 3, 2, 2))],
        "If East had taken one of North’s tricks in round 1, the game would have gone on.",
        id="what would have changed it",
    ),
    pytest.param([Round((5, 1, 1, 1), (7, 1, 1, 1))], "", id="nothing small"),
]


@pytest.mark.parametrize(("rounds", "sentence"), NEAR)
def test_the_picture_says_how_it_was_decided(rounds: list[Round], sentence: str) -> None:
    lines = [line.text.strip("\u2068\u2069") for line in picture(game_of(*rounds)).quote]
    assert " ".join(lines) == sentence


def test_the_cards_of_eight_players_stand_in_two_rows(house: Table) -> None:
    rules = with_house_rules(PRESETS["skull-king"], {"target": "20"})
    bids, tricks = (1, 0, 0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0, 0, 0)
    shown = picture(game_of(Round(bids, tricks), rules=rules, names="ABCDEFGH"))
    assert len({row.y for row in shown.rows}) == 2
    assert max(row.y for row in shown.rows) + 168 < shown.frame.top


def test_the_picture_needs_no_style_and_nothing_from_elsewhere(house: Table) -> None:
    for element in picture_of(finished(house)).iter():
        assert element.tag not in (f"{SVG}style", f"{SVG}script", f"{SVG}image")
        for name, value in element.attrib.items():
            assert name not in ("style", "src")
            assert not name.startswith("on")
            assert "href" not in name or value.startswith("#seat-")


@pytest.mark.parametrize("names", FOURS, ids=", ".join)
def test_the_picture_of_any_names_is_sound(house: Table, names: tuple[str, ...]) -> None:
    picture = picture_of(finished(house, (*names, f"{names[0][:39]}5")))
    title = picture.find(f"{SVG}title")
    assert title is not None
    for kept in house.game.names:
        assert kept in (title.text or "")
    assert {element.tag for element in picture.iter()} <= {
        f"{SVG}{tag}"
        for tag in (
            *("svg", "title", "symbol", "circle", "path", "rect", "text", "use", "g", "line"),
            "polyline",
        )
    }


def test_everything_lies_inside_the_picture(house: Table) -> None:
    names = [f"{LONG[:39]}{n}" for n in range(5)]
    picture = picture_of(finished(house, names))
    for text in picture.iter(f"{SVG}text"):
        assert 60 <= float(text.get("x", 0)) <= 1020
        assert 60 <= float(text.get("y", 0)) <= 1340
    heights = [
        float(text.get("y", 0)) for text in picture.iter(f"{SVG}text") if text.get("x") == "64"
    ]
    assert heights == sorted(heights)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Bartholomewfitzwilli", ["Bartholomewfitzwilli", "wins"]),
        ("Bartholomew Fitzwilliam-Hamilton", ["Bartholomew", "Fitzwilliam-Hamilton", "wins"]),
        ("चन्द्रशेखरवेंकटरमनसिंह", ["चन्द्रशेखरवेंकटरमनसिंह", "wins"]),
        ("م" * 20, ["م" * 20, "wins"]),
    ],
)
def test_a_winner_s_long_name_is_made_smaller_rather_than_broken(
    name: str, lines: list[str]
) -> None:
    game = game_of(Round((5, 1, 1, 1), (7, 1, 1, 1)), names=(name, *PLAYERS[1:4]))
    for shown in (picture(game), card(game)):
        assert [line.text.strip("\u2068\u2069") for line in shown.winner] == lines


@pytest.mark.parametrize("name", ["सा" * 20, "e\u0301" * 20])
def test_a_word_that_is_broken_keeps_marks_with_their_letters(name: str) -> None:
    lines = [line.strip("\u2068\u2069") for line in wrapped(name, 200, 60, 3)]
    assert len(lines) == 3
    assert all(unicodedata.category(line[0]).startswith("L") for line in lines)


def test_the_picture_of_a_story_is_as_high_as_a_phone(house: Table) -> None:
    page = finished(house).page(f"{house.path}/result?format=story")
    address = page.one("img").get("src", "")
    assert address == f"{house.path}/picture.svg?format=story"
    for path, height in ((address, "1920"), (f"{house.path}/picture.svg", "1350")):
        assert Xml.fromstring(house.get(path).get_data()).get("height") == height


def test_nobody_else_sees_it(house: Table) -> None:
    finished(house)
    guest = Table(house.app)
    guest.join()
    for path in ("result", "picture.svg"):
        assert guest.get(f"{house.path}/{path}").status_code == 404
        assert Table(house.app).get(f"{house.path}/{path}").status_code == 404


# Charts


def test_the_bags_of_a_game_are_drawn_over_their_table(house: Table) -> None:
    page: Page = finished(house).page()
    fold = page.one("details[@id='bags']")
    assert [title.text for title in fold.iter("title")] == [
        "Bags after round 1: North 0, East 0, South 2, West 1"
    ]
    assert len(list(fold.iter("polyline"))) == 4


def test_a_chart_names_partners_whole_one_below_the_other() -> None:
    names = ("Maya", "Konstantin", "Nora", "Bartholomew")
    game = game_of(Round((4, 3, 4, 2), (4, 3, 4, 2)), rules=PARTNERSHIP, names=names)
    found = Xml.fromstring(race(game)).iter("text")
    shown = [(one.text, float(one.get("y", ""))) for one in found if one.get("class") != "axis"]
    isolated = [f"\u2068{name}\u2069" for name in ("Maya", "Nora", "Konstantin", "Bartholomew")]
    first, second = f"{isolated[0]} 80", f"{isolated[2]} 50"
    assert [text for text, _y in shown] == [first, isolated[1], second, isolated[3]]
    heights = sorted(y for _text, y in shown)
    assert all(low - high >= LINE for high, low in pairwise(heights))


def test_a_penalty_is_marked_by_the_shape_of_the_seat(house: Table) -> None:
    assert house.new_game(target=20, bag_limit=2, bag_penalty=5).status_code == 303
    house.play_round((3, 3, 1, 1), (3, 2, 3, 2))
    fold = house.page().one("details[@id='bags']")
    chart = fold.find(".//svg[@role='img']")
    assert chart is not None
    assert [mark.get("href") for mark in chart.iter("use")] == ["#seat-3"]
    assert "−5" in [loss.text for loss in fold.findall(".//*[@class='loss']")]


@pytest.mark.parametrize("rules", [{"bag_limit": "off", "bag_penalty": "off"}, {}])
def test_without_bags_there_is_no_chart_of_them(house: Table, rules: dict[str, str]) -> None:
    assert house.new_game(target=30, **rules).status_code == 303
    tricks = (3, 3, 3, 1) if not rules else (3, 2, 3, 2)
    house.play_round((3, 3, 3, 1) if not rules else (3, 3, 1, 1), tricks)
    assert not house.page().all("details[@id='bags']")


def test_each_player_of_41_has_a_score_in_the_result(app: Flask) -> None:
    rules = with_house_rules(PRESETS["forty-one"], {"target": "21"})
    rounds = [Round((3, 4, 2, 7), (3, 4, 0, 6)), Round((2, 7, 3, 7), (1, 4, 1, 7))]
    rounds += [Round((2, 7, 2, 7), (1, 4, 1, 7))]
    with app.test_request_context():
        game = game_of(*rounds, rules=rules)
        shown = summary(game).splitlines()
        rows = [row.names.strip("\u2068\u2069") for row in picture(game).rows]
    totals = game.state.standing.seat_totals
    names = [
        f"{name} {total}".replace("-", "−") for name, total in zip(PLAYERS[:4], totals, strict=True)
    ]
    told = [f"{names[1]} and {names[3]}", f"{names[0]} and {names[2]}"]
    assert sorted(rows) == sorted(told)
    assert all(any(one in line for line in shown) for one in told)
