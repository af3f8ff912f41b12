"""Players: their statistics as a page tells them, and their names."""

import re
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
    return table.send(table.page(path_of(table, old)).form("/name"), name=new)


def test_figures_with_the_number_of_games(played: Table) -> None:
    assert "2 games, 1 finished, 4 rounds" in played.page(path_of(played, SOUTH)).text
    south, east = figures(played, SOUTH), figures(played, EAST)
    assert (south["Won"], south["Average finish"]) == ("100%1 of 1", "1.0")
    assert (south["Nil made"], south["Contracts made"]) == ("100%4 of 4", "–")
    assert (east["Contracts made"], east["Made exactly"]) == ("100%4 of 4", "0%0 of 4")
    assert (east["Average bid"], east["Average tricks"]) == ("2.0", "4.0")
    assert (east["Bags per round"], east["Bag penalties"]) == ("2.0", "1")


def test_somebody_who_was_set(played: Table) -> None:
    west = figures(played, WEST)
    assert (west["Set"], west["Contracts made"]) == ("100%4 of 4", "0%0 of 4")
    assert west["Points per round"] == "−40.0"


def test_exact_bids_stand_in_place_of_contracts_where_only_they_count(table: Table) -> None:
    table.new_game("oh-hell", cards="3", tricks="3")
    table.play_round((1, 1, 0, 2), (1, 0, 0, 2))
    query = "?rules=oh-hell"
    north, east = figures(table, NORTH, query), figures(table, EAST, query)
    assert (north["Exact bids"], east["Exact bids"]) == ("100%1 of 1", "0%0 of 1")
    assert not {"Contracts made", "Made exactly", "Set", "Nil made"} & north.keys()
    keys = table.page(path_of(table, NORTH) + query).all("ul[@class='key-figures']//span")
    assert "Exact bids" in [one.text for one in keys]
    heads = table.page("/players" + query).all("table[@id='players']//th/a[@class='tap']")
    names = ["Games", "Won", "Place", "Points per round", "Exact", "Bid", "Tricks taken"]
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


def test_points_over_all_rules_leave_out_those_of_call_break_and_41(table: Table) -> None:
    for rules in ("call-break", "partnership-500"):
        table.new_game(rules, rounds=1)
        table.play_round((4, 3, 2, 3), (4, 3, 2, 4))
    of_all = table.page(path_of(table, NORTH)).text
    sentence = "Call Break, Call Bridge and 41, which score on a different scale."
    assert figures(table, NORTH)["Points per round"] == "60.0"
    assert sentence in of_all
    assert sentence in table.page("/players").text
    assert sentence not in table.page("/players?rules=call-break").text


def test_a_comeback_of_call_break_is_shown_with_one_decimal(table: Table) -> None:
    table.new_game("call-break", rounds=2)
    table.play_round((4, 3, 2, 4), (4, 2, 2, 5))
    table.play_round((4, 8, 2, 3), (2, 8, 2, 1))
    assert figures(table, EAST, "?rules=call-break")["Best comeback"] == "7.1"
    assert figures(table, EAST)["Best comeback"] == "0"


@pytest.mark.parametrize("rules", ["call-break", "forty-one", "partnership"])
def test_bags_are_no_figure_where_they_cost_nothing(table: Table, rules: str) -> None:
    table.new_game(rules, rounds=1)
    table.play_round((4, 3, 2, 3), (4, 3, 2, 4))
    shown = figures(table, NORTH, f"?rules={rules}")
    assert "Points per round" in shown
    assert not {name for name in shown if "Bag" in name}
    assert "Bags per round" not in table.page(f"/players?rules={rules}").text
    assert "Bags per round" in figures(table, NORTH)


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
    assert names == [
        "Won",
        "Average finish",
        "Points per round",
        "Nil made",
        "Longest winning streak",
    ]
    assert page.texts("ol[@class='form']/li") == ["1"]
    assert "Biggest round 1×" in page.texts("ul[@class='given']/li")
    assert page.texts("*[@class='result-title']") == ["Round 2 in progress", "South won with 150"]
    west = played.page(path_of(played, WEST))
    assert west.texts("ol[@class='form']/li") == ["4"]
    assert "Biggest dreamer 1×" in west.texts("ul[@class='given']/li")


def test_charts_have_a_title_and_no_style_of_their_own(played: Table) -> None:
    game_of(played, rounds=3, day=3)
    page = played.page(path_of(played, NORTH))
    charts = page.all("svg[@role='img']")
    assert len(charts) == 3
    titles = {title.get("id"): title.text for title in page.all("title")}
    assert all(titles[chart.get("aria-labelledby")] for chart in charts)
    assert not page.all("*[@style]")
    numbers = re.findall(
        r"[0-9.]+,[0-9.]+", page.one("polyline[@class='line-2 tint-2']").get("points") or ""
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
        "place": [SOUTH, NORTH, EAST, WEST],
        "points": [SOUTH, NORTH, EAST, WEST],
        "took": [EAST, NORTH, WEST, SOUTH],
        "nonsense": list(FOUR),
    }.items():
        page = played.page(f"/players?by={by}")
        assert page.texts("table[@id='players']/tbody//th") == order, by
    assert not played.page("/players?rules=partnership").all("table")


RANKS = {
    "won": (["1 South", "2 North", "2 East"], "100%"),
    "points": (["1 South", "2 North", "3 East"], "50.0"),
    "nil": (["1 South"], "100%"),
    "exact": (["1 North", "2 East", "2 West"], "100%"),
    "nonsense": (["1 South", "2 North", "2 East"], "100%"),
}


@pytest.mark.parametrize(("by", "first", "best"), [(by, *due) for by, due in RANKS.items()])
def test_the_first_three_stand_on_a_podium(
    played: Table, by: str, first: list[str], best: str
) -> None:
    page = played.page(f"/players?rank={by}")
    steps = page.all("ol[@class='felt podium']/li")
    names = page.texts("ol[@class='felt podium']//a")
    ranks = [(step.get("class") or "").removeprefix("step-") for step in steps]
    assert [f"{rank} {name}" for rank, name in zip(ranks, names, strict=True)] == first
    assert page.texts("ol[@class='felt podium']//b")[0] == best
    below = page.texts("ol[@class='ranks']//b/bdi")
    assert sorted(below + names) == sorted(FOUR)


def test_players_are_not_ranked_by_what_a_rule_book_does_not_have(table: Table) -> None:
    game_of(table, rules="oh-hell")
    page = table.page("/players?rules=oh-hell&rank=nil")
    assert page.texts("nav[@class='sorts']/a") == ["Won", "Points", "Exact"]
    assert page.texts("nav[@class='sorts']/a[@aria-current]") == ["Won"]


def test_who_played_too_few_games_stands_below_the_podium(played: Table) -> None:
    for day in range(2, 7):
        game_of(played, (NORTH, EAST, WEST, CENTRE), rounds=3, day=day)
    page = played.page("/players")
    assert SOUTH not in page.texts("ol[@class='felt podium']//a")
    assert page.texts("ol[@class='ranks']//small")[-1] == "too few games"
    assert page.texts("ol[@class='ranks']//b/bdi")[-1] == SOUTH


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
    assert page_of(answer).error_of("name")
    assert played.everything() == before


def test_a_name_can_change_its_spelling(played: Table) -> None:
    rename(played, SOUTH, "SOUTH")
    assert played.page(path_of(played, "SOUTH")).texts("h1") == ["SOUTH"]


def test_hostile_names_are_shown_as_they_are(played: Table) -> None:
    rename(played, SOUTH, '<i>"&')
    for path in ("/players", "/players/3", "/players/1", "/history", "/players/3/merge/1"):
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
    page = played.page(path_of(played, SOUTH))
    form = page.form("/face")
    assert (form.fields["shape"], form.fields["color"]) == ("3", "3")
    assert page.all("form//span[@data-taken='2']")
    played.send(form, shape="2", color="2")
    played.send(form, shape="2", color="2")
    again = played.page(path_of(played, SOUTH))
    assert "Triangle, in use in color 2" in again.text
    assert played.page("/players").html.count('<use href="#seat-2"/>') >= 2


def test_a_shape_or_color_that_no_page_has_is_refused(played: Table) -> None:
    path = f"{path_of(played, SOUTH)}/face"
    for wrong in ({"shape": "11", "color": "1"}, {"shape": "0", "color": "1"}, {"shape": "x"}, {}):
        assert played.post(path, {"csrf_token": played.token(), **wrong}).status_code == 400
