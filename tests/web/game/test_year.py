"""The page of a year, and its picture."""

import random
from collections import defaultdict
from fractions import Fraction
from xml.etree.ElementTree import Element

import pytest

from scorekeeper.clock import evening_of
from scorekeeper.store.records import ended_games
from scorekeeper.store.statistics import EVERYTHING, standings
from scorekeeper.store.year import lucks_of, steps_of
from tests.store.test_statistics import KINDS, Recorder, act
from tests.web.history.test_history import game_of
from tests.web.play import NORTH, SOUTH, Table

NAMES = "p[@id='names']"


def a_year(table: Table, games: int = 5) -> None:
    """Play games on three evenings of January 2026; South wins all of them."""
    for n in range(games):
        game_of(table, rounds=3, day=n % 3)


def said(element: Element) -> str:
    return "".join(element.itertext())


def test_the_last_year_names_the_champion_and_counts_its_games(table: Table) -> None:
    a_year(table)
    game_of(table, rounds=1)
    page = table.page("/year")
    assert page.texts("h2[@id='champion-title']") == [f"{SOUTH} is champion of 2026"]
    assert "5 games · 3 evenings · 15 rounds" in page.text
    assert "Won 5 of 5 games. Luck would give 1.3." in page.text
    text = (page.one("textarea").text or "").splitlines()
    assert text[0] == f"{SOUTH} is champion of 2026"
    assert f"{SOUTH} +3.7 (5 of 5 · luck 1.3)" in text
    assert f"Longest winning streak: {SOUTH}, 5 in a row" in text
    (round_,) = [link for link in page.all("li/a") if "Round of the year" in said(link)]
    assert table.get(str(round_.get("href"))).status_code == 200


def test_a_year_ends_with_the_night_of_new_years_eve(table: Table) -> None:
    game_of(table, rounds=3, day=-0.5)
    game_of(table, rounds=3)
    assert "1 game · 1 evening · 3 rounds" in table.page("/year?year=2025").text
    page = table.page("/year")
    assert "1 game · 1 evening · 3 rounds" in page.text
    assert page.texts("nav[@class='chips']/a") == ["2025"]


def test_few_games_have_no_champion(table: Table) -> None:
    a_year(table, games=4)
    page = table.page("/year")
    assert page.texts("h2[@id='champion-title']") == ["The year 2026"]
    assert "champion" not in table.get("/year/picture.svg").text


def test_the_page_says_which_names_the_picture_has(table: Table) -> None:
    a_year(table)
    assert "The picture shows 4 names:" in said(table.page("/year").one(NAMES))
    picture = table.get("/year/picture.svg")
    assert picture.mimetype == "image/svg+xml"
    assert SOUTH in picture.text
    assert NORTH in picture.text


def test_a_picture_without_names_has_none(table: Table) -> None:
    a_year(table)
    page = table.page("/year?names=no")
    assert said(page.one(NAMES)) == "The picture shows no names."
    address = str(page.one("img[@id='picture']").get("src"))
    assert address.endswith("names=no")
    picture = table.get(address).text
    assert "The champion of 2026" in picture
    assert not [name for name in ("North", "East", "South", "West") if name in picture]


def test_the_best_pair_is_a_moment(table: Table) -> None:
    for _game in range(4):
        table.new_game("partnership", target=60)
        table.play_round((4, 3, 4, 1), (4, 3, 4, 2))
    assert "Pair of the year" in table.page("/year").text


@pytest.mark.parametrize("year", ["x", "26", "1969", "3000", "２０２６", "1" * 400, "-200"])
def test_a_year_that_is_none_is_404(table: Table, year: str) -> None:
    assert table.get(f"/year?year={year}").status_code == 404
    assert table.get(f"/year/picture.svg?year={year}").status_code == 404


def test_a_table_without_games_has_no_year(table: Table) -> None:
    assert table.page("/year").texts("h2") == ["Your year will stand here"]
    assert table.get("/year/picture.svg").status_code == 404
    game_of(table, rounds=1)
    assert table.page("/year").texts("h2") == ["Your year will stand here"]
    other = table.page("/year?year=2001")
    assert other.texts("h2") == ["No games found"]
    assert other.texts("a[@href='/year']") == ["The year 2026"]


@pytest.mark.parametrize("seed", range(3))
def test_the_steps_of_a_year_are_those_of_slow_formulas(table: Table, seed: int) -> None:
    recorder, chance = Recorder(table.store), random.Random(seed)
    recorder.table = table.id
    for _act in range(120):
        act(recorder, chance.choice(KINDS), chance.randrange(2**32))
    due: dict[str, Fraction] = defaultdict(Fraction)
    games = [game for game in map(recorder.game, recorder.games) if game]
    games = [game for game in games if game.state.phase == "over" and game.state.rounds]
    for game in games:
        state = game.state
        for seat, name in enumerate(game.names):
            won = Fraction(seat in state.winning_seats, len(state.winners))
            due[name] += won - Fraction(1, len(state.sides))
    steps = steps_of(ended_games(table.store.db, table.id, EVERYTHING))
    names = {row[0]: row[1] for row in table.store.db.execute("SELECT id, name FROM players")}
    found: dict[str, float] = defaultdict(float)
    for step in steps:
        for player_id, wins in step.ahead.items():
            found[names[player_id]] += wins
    assert found == pytest.approx({name: float(wins) for name, wins in due.items()})
    assert len(steps) == len(games)
    assert sum(step.rounds for step in steps) == sum(len(game.state.rounds) for game in games)
    assert steps == sorted(steps, key=lambda step: step.started)
    assert all(evening_of(step.started) for step in steps)
    every = standings(table.store.db, table.id)
    assert lucks_of(steps) == {one: totals.luck for one, _n, totals in every if totals.luck.games}


def test_in_a_right_to_left_language_each_line_begins_on_the_right(table: Table) -> None:
    a_year(table)
    table.client.set_cookie("language", "ar")
    lines = (table.page("/year").one("textarea").text or "").splitlines()
    assert {line[0] for line in lines if line} == {"\u200f"}
