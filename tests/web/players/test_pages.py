"""Players: their statistics as a page tells them, and their names."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from tests.store.disagreements import disagreements
from tests.web.history.test_history import FOUR, game_of
from tests.web.play import CENTRE, EAST, NORTH, SOUTH, WEST, Table, page_of


@pytest.fixture
def played(table: Table) -> Table:
    """A game that South won after three rounds, and one that is on."""
    game_of(table, rounds=3)
    game_of(table, rounds=1, day=1)
    return table


def id_of(table: Table, name: str) -> int:
    row = table.store.db.execute(
        "SELECT id FROM players WHERE name = ? AND table_id = ?", [name, table.id]
    ).fetchone()
    return int(row[0])


def path_of(table: Table, name: str) -> str:
    return f"/players/{id_of(table, name)}"


def figures(table: Table, name: str, query: str = "") -> dict[str, str]:
    """Return what the page of a player says, figure by figure."""
    page = table.page(path_of(table, name) + query)
    rows = page.all("table[@id='figures']/tbody/tr")
    return {(row.findtext("th") or ""): "".join(row.find("td").itertext()) for row in rows}


def rename(table: Table, old: str, new: str) -> Any:
    return table.send(table.page(f"{path_of(table, old)}/edit").form("/name"), name=new)


def test_figures_with_the_number_of_games(played: Table) -> None:
    assert "2 games, 1 finished, 4 rounds" in played.page(path_of(played, SOUTH)).text
    south, east = figures(played, SOUTH), figures(played, EAST)
    assert (south["Won"], south["Others beaten"]) == ("100%1 of 1", "100%")
    assert (south["Wins against luck"], east["Wins against luck"]) == (
        "+0.7luck 0.3",
        "−0.3luck 0.3",
    )
    assert (south["Nil made"], south["Contracts made"]) == ("100%4 of 4", "–")
    assert (east["Contracts made"], east["Made exactly"]) == ("100%4 of 4", "0%0 of 4")
    assert (east["Average bid"], east["Average tricks"]) == ("2.0", "4.0")
    assert (east["Bags per round"], east["Bag penalties"]) == ("2.0", "1")


def test_somebody_who_was_set(played: Table) -> None:
    west = figures(played, WEST)
    assert (west["Set"], west["Contracts made"]) == ("100%4 of 4", "0%0 of 4")
    assert west["Points per round"] == "−40.0"


OF_GAMES = ["Games", "Won", "Luck", "Against luck", "Others beaten"]


def test_exact_bids_stand_in_place_of_contracts_where_only_they_count(table: Table) -> None:
    table.new_game("oh-hell", cards="3", tricks="3")
    table.play_round((1, 1, 0, 2), (1, 0, 0, 2))
    query = "?rules=oh-hell"
    north, east = figures(table, NORTH, query), figures(table, EAST, query)
    assert (north["Exact bids"], east["Exact bids"]) == ("100%1 of 1", "0%0 of 1")
    assert not {"Contracts made", "Made exactly", "Set", "Nil made"} & north.keys()
    heads = table.page("/players" + query).all("table[@id='players']//th/a[@class='tap']")
    names = [*OF_GAMES, "Points per round", "Exact", "Bid", "Tricks taken"]
    assert [one.text for one in heads] == names


def test_points_of_call_break_are_shown_with_one_decimal(table: Table) -> None:
    for _game in range(2):
        table.new_game("call-break", rounds=2)
        table.play_round((3, 4, 2, 3), (5, 5, 2, 1))
        table.play_round((3, 4, 2, 3), (5, 5, 2, 1))
    query = "?rules=call-break"
    assert figures(table, NORTH, query)["Points per round"] == "3.2"
    page = table.page(path_of(table, NORTH) + query)
    [first, _second] = page.all("table[@id='games']/tbody/tr")
    assert ["".join(cell.itertext()) for cell in first.findall("td")][1:3] == ["6.4", "3.2"]
    assert "3.2" in table.page("/players" + query).text


def test_points_are_not_added_over_rule_books_or_numbers_of_players(table: Table) -> None:
    for rules in ("partnership-sandbags", "partnership-500"):
        table.new_game(rules, rounds=1)
        table.play_round((4, 3, 2, 3), (4, 3, 2, 4))
    game_of(table, rounds=3, day=1)
    table.new_game("cutthroat-lite", FOUR[:3])
    table.play_round((3, 2, 4), (3, 2, 5))
    sentence = "within one rule book and one number of players"
    for query in ("?rules=partners", "?rules=alone", "?rules=cutthroat-lite"):
        assert "Points per round" not in figures(table, NORTH, query)
        assert sentence in table.page(path_of(table, NORTH) + query).text
        page = table.page(f"/players{query}")
        assert sentence in page.text
        assert page.texts("table[@id='players']//th/a[@class='tap']") == OF_GAMES
    for query in ("?rules=partnership-500", "?rules=alone&sides=3"):
        assert "Points per round" in figures(table, NORTH, query)
        assert sentence not in table.page(f"/players{query}").text


def test_a_comeback_of_call_break_is_shown_with_one_decimal(table: Table) -> None:
    table.new_game("call-break", rounds=2)
    table.play_round((4, 3, 2, 4), (4, 2, 2, 5))
    table.play_round((4, 8, 2, 3), (2, 8, 2, 1))
    assert figures(table, EAST, "?rules=call-break")["Best comeback"] == "7.1"
    assert "Best comeback" not in figures(table, EAST, "?rules=alone")


@pytest.mark.parametrize("rules", ["call-break", "forty-one", "partnership"])
def test_bags_are_no_figure_where_they_cost_nothing(table: Table, rules: str) -> None:
    table.new_game(rules, rounds=1)
    table.play_round((4, 3, 2, 3), (4, 3, 2, 4))
    shown = figures(table, NORTH, f"?rules={rules}")
    assert "Points per round" in shown
    assert not {name for name in shown if "Bag" in name}
    assert "Bags per round" not in table.page(f"/players?rules={rules}").text


def test_every_figure_is_explained(played: Table) -> None:
    page = played.page(path_of(played, SOUTH))
    rows = page.all("table[@id='figures']/tbody/tr")
    assert rows
    assert all(row.findtext("th/small") for row in rows)


def test_rule_books_are_counted_apart(played: Table) -> None:
    game_of(played, rules="partnership-500", rounds=1, day=2)
    lite = played.page(path_of(played, SOUTH) + "?rules=cutthroat-lite").text
    assert "2 games, 1 finished, 4 rounds" in lite
    assert (
        "1 game, 0 finished, 1 round"
        in played.page(path_of(played, SOUTH) + "?rules=partnership-500").text
    )
    assert played.get(path_of(played, SOUTH) + "?rules=whist").status_code == 404


def test_head_to_head_and_the_last_games(played: Table) -> None:
    page = played.page(path_of(played, SOUTH))
    cells = [
        ["".join(cell.itertext()) for cell in row]
        for row in page.all("table[@id='pairs']/tbody/tr")
    ]
    assert cells == [[name, "1", "", "0"] for name in (NORTH, EAST, WEST)]
    bars = page.all("table[@id='pairs']//rect")
    assert [bar.get("width") for bar in bars] == ["49.0%", "0.0%"] * 3
    games = [
        ["".join(cell.itertext()) for cell in row]
        for row in page.all("table[@id='games']/tbody/tr")
    ]
    assert games == [
        ["2 Jan 2026", "–", "50", "50.0", "–", "–"],
        ["1 Jan 2026", "1 of 4", "150", "50.0", "–", "–"],
    ]


def test_what_matters_stands_first(played: Table) -> None:
    page = played.page(path_of(played, SOUTH))
    names = page.texts("ul[@class='key-figures']/li/span")
    assert names == ["Wins against luck", "Others beaten, on average", "Nil made"]
    assert page.texts("ul[@class='key-figures']/li/b") == ["+0.7", "100%", "4 of 4"]
    assert "Won 1 of 1 game. Luck would give 0.3." in page.text
    assert page.texts("ol[@class='form']/li/a") == ["1of 4"]
    assert "Biggest round 1×" in page.texts("ul[@class='given']/li")
    assert page.texts("*[@class='result-title']") == ["Round 2 in progress", "South won with 150"]
    west = played.page(path_of(played, WEST))
    (tile,) = west.all("ol[@class='form']/li/a")
    assert ("".join(tile.itertext()), tile.get("class")) == ("4of 4", "last")
    assert "Biggest dreamer 1×" in west.texts("ul[@class='given']/li")


def test_who_is_behind_luck_is_not_shown_in_green(played: Table) -> None:
    for name, due in ((SOUTH, "is-ahead"), (WEST, None)):
        first = played.page(path_of(played, name)).all("ul[@class='key-figures']/li/b")[0]
        assert first.get("class") == due


def test_charts_have_a_title_and_no_style_of_their_own(played: Table) -> None:
    game_of(played, rounds=3, day=3)
    page = played.page(path_of(played, NORTH))
    charts = page.all("svg[@role='img']")
    assert len(charts) == 2
    titles = {title.get("id"): title.text for title in page.all("title")}
    assert all(titles[chart.get("aria-labelledby")] for chart in charts)
    assert not page.all("*[@style]")
    numbers = re.findall(
        r"[0-9.]+,[0-9.]+", page.one("polyline[@class='line-1 tint-1 broken']").get("points") or ""
    )
    assert len(numbers) == 3


def test_one_game_draws_no_chart(table: Table) -> None:
    game_of(table, rounds=3)
    assert not table.page(path_of(table, NORTH)).all("svg[@role='img']")


def test_somebody_who_has_only_sat_down(table: Table) -> None:
    game_of(table)
    assert "1 game, 0 finished, 0 rounds" in table.page(path_of(table, NORTH)).text


def test_players_are_compared_and_put_in_order(played: Table) -> None:
    assert played.page("/players").texts("table[@id='players']/tbody//th") == list(FOUR)
    for by, order in {
        "won": [SOUTH, NORTH, EAST, WEST],
        "ahead": [SOUTH, NORTH, EAST, WEST],
        "beaten": [SOUTH, NORTH, EAST, WEST],
        "points": [SOUTH, NORTH, EAST, WEST],
        "took": [EAST, NORTH, WEST, SOUTH],
        "nonsense": list(FOUR),
    }.items():
        page = played.page(f"/players?by={by}")
        assert page.texts("table[@id='players']/tbody//th") == order, by
    assert not played.page("/players?rules=partnership").all("table")


def won_by(table: Table, names: Sequence[str], day: int) -> None:
    """Play a game that the third of the names wins."""
    game_of(table, names, rounds=3, day=day)


def test_players_stand_on_the_podium_by_wins_against_luck(table: Table) -> None:
    for day in range(4):
        won_by(table, FOUR, day)
    won_by(table, (SOUTH, EAST, NORTH, WEST), 5)
    page = table.page("/players")
    assert page.texts("h2[@id='first-title']") == ["South is 2.7 wins ahead of luck"]
    assert "Won 4 of 5 games. Luck would give 1.3." in page.text
    steps = page.all("ol[@class='podium']/li")
    assert [step.get("class") for step in steps] == ["step-1"]
    rows = page.all("ol[@class='ranks']/li")
    assert [" ".join(row.itertext()).split() for row in rows] == [
        ["1", "South", "4", "of", "5", "+2.7", "luck", "1.3"],
        ["2", "North", "1", "of", "5", "−0.3", "luck", "1.3"],
        ["3=", "East", "0", "of", "5", "−1.3", "luck", "1.3"],
        ["3=", "West", "0", "of", "5", "−1.3", "luck", "1.3"],
    ]


def test_those_who_are_equal_stand_on_one_step(table: Table) -> None:
    for day in range(6):
        names = FOUR if day % 2 else (SOUTH, EAST, NORTH, WEST)
        won_by(table, names, day)
    page = table.page("/players")
    assert page.texts("h2[@id='first-title']")[0].endswith("are 1.5 wins ahead of luck")
    (step,) = page.all("ol[@class='podium']/li")
    assert {one.text for one in step.iter("bdi")} == {NORTH, SOUTH}
    assert page.texts("ol[@class='ranks']//span[@class='rank']") == ["1=", "1=", "3=", "3="]


def test_players_of_under_five_games_have_no_place(played: Table) -> None:
    page = played.page("/players")
    assert page.texts("h2[@id='first-title']") == ["No places yet"]
    assert page.all("ol[@class='podium']") == []
    assert page.texts("ol[@class='ranks']//span[@class='rank']") == ["–"] * 4
    for day in range(2, 7):
        won_by(played, (NORTH, EAST, WEST, CENTRE), day)
    page = played.page("/players")
    assert page.texts("ol[@class='podium']//bdi") == [WEST]
    assert page.texts("ol[@class='ranks']//b/bdi")[-1] == SOUTH


def test_the_page_opens_on_what_is_played_most_and_keeps_the_choice(played: Table) -> None:
    def chosen() -> list[str]:
        page = played.page("/players")
        return page.texts("nav[@class='sorts kinds']/a[@aria-current]")

    assert chosen() == ["Alone 1"]
    for _game in range(2):
        played.new_game("partnership", target=60)
        played.play_round((4, 3, 4, 1), (4, 3, 4, 2))
    assert chosen() == ["Partners 2"]
    played.get("/players?rules=alone")
    assert chosen() == ["Alone 1"]


def test_only_games_of_the_chosen_days_count(played: Table) -> None:
    for query, games in (
        ("since=2026-01-01&until=2026-01-01", ["1", "1", "1", "1"]),
        ("since=2026-01-02", ["1", "1", "1", "1"]),
        ("until=2026-01-02", ["2", "2", "2", "2"]),
        ("until=2025-12-31", []),
    ):
        page = played.page(f"/players?{query}")
        cells = [row.findtext("td") for row in page.all("table[@id='players']/tbody/tr")]
        assert cells == games, query
        assert all(query in str(a.get("href")) for a in page.all("ol[@class='ranks']//a"))


@pytest.mark.parametrize(
    ("query", "field"),
    [("since=31.1.2026", "since"), ("since=2026-02-02&until=2026-02-01", "until")],
)
def test_days_that_cannot_be_are_said_at_the_field(played: Table, query: str, field: str) -> None:
    for path in ("/players", path_of(played, SOUTH)):
        answer = played.get(f"{path}?{query}")
        assert answer.status_code == 422
        page = page_of(answer)
        assert page.error_of(field)
        assert page.one("input[@name='since']").get("value") == query[6:16].rstrip("&")


@pytest.mark.parametrize("query", ["rules=whist", "sides=x", "sides=1", "sides=11", "sides=٣"])
def test_a_choice_that_is_none_is_404(played: Table, query: str) -> None:
    assert played.get(f"/players?{query}").status_code == 404


def test_players_are_found_by_a_part_of_their_name(played: Table) -> None:
    assert played.page("/players/find").texts("ul[@class='found']//bdi") == sorted(FOUR)
    assert played.page("/players/find?name=out").texts("ul[@class='found']//bdi") == [SOUTH]
    page = played.page("/players/find?name=Suoth")
    assert page.error_of("name") == "No player is called Suoth."
    assert page.one("input[@name='name']").get("value") == "Suoth"
    (offer,) = [a for a in page.all("a[@class='button']") if SOUTH in "".join(a.itertext())]
    assert played.page(str(offer.get("href"))).texts("ul[@class='found']//bdi") == [SOUTH]


def test_many_players_come_page_by_page(table: Table) -> None:
    for n in range(23):
        game_of(table, [f"Player {n * 5 + seat}" for seat in range(5)], day=n)
    seen: list[str] = []
    path = "/players"
    while path:
        page = table.page(path)
        seen += page.texts("table[@id='players']/tbody//th")
        following = page.all("a[@rel='next']")
        path = str(following[0].get("href")) if following else ""
    assert len(seen) == 115
    assert len(set(seen)) == 115


@pytest.mark.parametrize("unknown", ["999", "0", "-1", "x", "1" * 30, "01", "٣"])
def test_an_unknown_player_is_404(played: Table, unknown: str) -> None:
    assert played.get(f"/players/{unknown}").status_code == 404
    assert played.get(f"/players/1/merge/{unknown}").status_code == 404
    assert played.get(f"/players?after={unknown}").status_code == 404


def test_players_of_another_table_are_404(played: Table) -> None:
    guest, stranger = Table(played.app), Table(played.app)
    guest.join()
    for phone in (guest, stranger):
        fields = {"csrf_token": phone.token(), "name": "Nobody"}
        assert phone.get("/players/1").status_code == 404
        assert phone.post("/players/1/name", fields).status_code == 404
        assert phone.post("/players/1/merge/2", fields).status_code == 404
    assert stranger.get("/players").status_code == 404
    assert not guest.page("/players").all("table")
    assert figures(played, SOUTH)["Won"] == "100%1 of 1"


def test_a_new_name_stands_in_every_game(played: Table) -> None:
    path = path_of(played, SOUTH)
    assert rename(played, SOUTH, "  Suzy ").location == path
    assert played.page("/history").text.count("Suzy") == 2
    assert SOUTH not in played.page("/history").text
    assert played.page(path).texts("h1") == ["Suzy"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\u202eb", "\u200d"])
def test_a_name_that_cannot_be_is_said_beside_the_field(played: Table, name: str) -> None:
    before = played.everything()
    answer = rename(played, SOUTH, name)
    assert answer.status_code == 422
    page = page_of(answer)
    assert page.error_of("name")
    assert page.one("input[@name='name']").get("value") == name
    if not name.strip():
        assert page.error_of("name") == "Enter a name."
    assert played.everything() == before


def test_a_name_can_change_its_spelling(played: Table) -> None:
    rename(played, SOUTH, "SOUTH")
    assert played.page(path_of(played, "SOUTH")).texts("h1") == ["SOUTH"]


def test_hostile_names_are_shown_as_they_are(played: Table) -> None:
    rename(played, SOUTH, '<i>"&')
    for path in (
        "/players",
        "/players/3",
        "/players/1",
        "/history",
        "/players/3/merge/1",
        "/players/3/edit",
        "/players/find",
    ):
        assert '<i>"&' in played.page(path).texts("bdi"), path


# Two spellings of one person


@pytest.fixture
def twice(played: Table) -> Table:
    """South sat down once more, misspelt."""
    game_of(played, [NORTH, EAST, "Souht"], day=5)
    return played


def test_merging_asks_first_and_says_how_many_games(twice: Table) -> None:
    before = twice.everything()
    question = rename(twice, "Souht", "south").location
    page = twice.page(question)
    assert page.texts("h1") == ["Merge Souht and South?"]
    assert "1 game played as Souht will be added to south, who has 2." in page.text
    assert twice.everything() == before


def test_merged_they_are_one_player_with_all_games(twice: Table) -> None:
    old = path_of(twice, "Souht")
    question = rename(twice, "Souht", SOUTH).location
    twice.send(twice.page(question).forms()[0])
    assert "3 games" in twice.page(path_of(twice, SOUTH)).text
    assert "Souht" not in twice.page("/history").text
    assert twice.get(old).location == path_of(twice, SOUTH)
    assert disagreements(twice.store.db) == []


def test_the_spelling_that_was_typed_stays(twice: Table) -> None:
    question = rename(twice, "Souht", "SOUTH").location
    twice.send(twice.page(question).forms()[0])
    assert twice.page("/history").text.count("SOUTH") == 3


def test_merging_twice_changes_nothing_more(twice: Table) -> None:
    form = twice.page(rename(twice, "Souht", SOUTH).location).forms()[0]
    twice.send(form)
    before = twice.everything()
    assert twice.send(form).status_code == 303
    assert twice.everything() == before


def test_two_who_sat_in_one_game_stay_two(twice: Table) -> None:
    before = twice.everything()
    question = rename(twice, SOUTH, NORTH).location
    page = twice.page(question)
    assert "both played in the game on 1 Jan 2026" in page.alerts
    assert not page.forms()
    answer = twice.post(question.partition("?")[0], {"csrf_token": twice.token()})
    assert answer.status_code == 422
    assert twice.everything() == before


def test_merging_needs_the_token_and_a_post(twice: Table) -> None:
    before = twice.everything()
    path = f"{path_of(twice, 'Souht')}/merge/{id_of(twice, SOUTH)}"
    assert twice.post(path, {}).status_code == 400
    assert twice.get(path).status_code == 200
    assert twice.get(f"{path_of(twice, SOUTH)}/name").status_code == 405
    assert twice.everything() == before


def test_a_phone_is_told_a_new_name_when_it_asks_again(played: Table) -> None:
    played.game_id = played.store.db.execute("SELECT id FROM games LIMIT 1").fetchone()[0]
    path = f"{played.path}/phone.json"
    tag = played.get(path).headers["ETag"]
    assert played.get(path, headers={"If-None-Match": tag}).status_code == 304
    rename(played, SOUTH, "Sue")
    again = played.get(path, headers={"If-None-Match": tag})
    assert again.status_code == 200
    assert "Sue" in again.get_json()["game"]["names"]


def test_a_player_gets_another_shape_and_color(played: Table) -> None:
    page = played.page(f"{path_of(played, SOUTH)}/edit")
    form = page.form("/face")
    assert (form.fields["shape"], form.fields["color"]) == ("3", "3")
    assert page.all("form//span[@data-taken='2']")
    played.send(form, shape="2", color="2")
    played.send(form, shape="2", color="2")
    again = played.page(f"{path_of(played, SOUTH)}/edit")
    assert "Triangle, in use in color 2" in again.text
    assert played.page("/players").html.count('<use href="#seat-2"/>') >= 2


def test_a_shape_or_color_that_no_page_has_is_refused(played: Table) -> None:
    path = f"{path_of(played, SOUTH)}/face"
    for wrong in ({"shape": "11", "color": "1"}, {"shape": "0", "color": "1"}, {"shape": "x"}, {}):
        assert played.post(path, {"csrf_token": played.token(), **wrong}).status_code == 400
