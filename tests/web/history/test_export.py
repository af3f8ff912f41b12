"""The page of files to save: games, rounds, statistics, everything."""

import csv
import io
import json
import re
from collections import defaultdict

import pytest

from scorekeeper.files.exports import GAME_COLUMNS
from tests.web.page import Page
from tests.web.play import Table, page_of


@pytest.fixture
def other(table: Table) -> Table:
    """A phone of another table on the same server."""
    other = Table(table.app)
    other.join()
    return other


@pytest.fixture
def played(table: Table) -> Table:
    """A table with a partnership game that is over and one round of another."""
    table.new_game("partnership", stake="2.50", target=50)
    table.play_round((4, 3, 3, 2), (4, 3, 4, 2))
    table.new_game("cutthroat-lite")
    table.play_round((3, 3, 2, 1), (4, 5, 1, 0))
    return table


def shown(table: Table, query: str = "") -> Page:
    answer = table.get(f"/export{query}")
    assert answer.status_code == 200
    return page_of(answer)


def paths(page: Page) -> list[str]:
    return [link.get("href", "") for link in page.all("ul[@id='files']/li/a")]


def rows(table: Table, path: str) -> list[dict[str, str]]:
    answer = table.get(path)
    assert answer.status_code == 200
    assert answer.content_type == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["Content-Disposition"]
    text = answer.get_data().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("page", ["/history", "/players", "/settings"])
def test_every_page_of_the_past_leads_to_it(played: Table, page: str) -> None:
    assert 'href="/export"' in played.get(page).text


def test_sizes_are_those_of_the_files(played: Table) -> None:
    page = shown(played)
    sizes = page.texts("ul[@id='files']//small[@class='file-size']")
    games, rounds, _statistics, _everything = paths(page)
    assert sizes[:3] == ["8 rows", "8 rows", "4 players"]
    assert [len(rows(played, path)) for path in (games, rounds)] == [8, 8]


def test_the_files_are_those_of_the_days_and_the_rule_book(played: Table) -> None:
    page = shown(played, "?rules=partnership")
    games, rounds, statistics, everything = paths(page)
    assert {row["rules"] for row in rows(played, games)} == {"Partnership Spades"}
    assert {row["rules"] for row in rows(played, rounds)} == {"partnership"}
    assert {row["rules"] for row in rows(played, statistics)} == {"Partnership Spades"}
    assert len(json.loads(played.get(everything).text)["games"]) == 2
    later = shown(played, "?from=2999-01-01")
    assert later.texts("ul[@id='files']//small[@class='file-size']")[:3] == [
        "0 rows",
        "0 rows",
        "0 players",
    ]
    assert all(rows(played, path) == [] for path in paths(later)[:3])


def test_partners_are_not_counted_twice_in_the_file_of_games(played: Table) -> None:
    games = rows(played, paths(shown(played, "?rules=partnership"))[0])
    assert [*games[0]] == list(GAME_COLUMNS)
    totals: dict[str, int] = defaultdict(int)
    for row in games:
        assert re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", row["date"])
        totals[row["side"]] += int(row["points"])
    stored = played.store.db.execute(
        "SELECT DISTINCT side + 1, total FROM results WHERE game_id = ?", [games[0]["game"]]
    ).fetchall()
    assert {int(side): total for side, total in totals.items()} == dict(stored)


def test_statistics_are_those_of_the_players(played: Table) -> None:
    found = rows(played, paths(shown(played))[2])
    stored = played.store.db.execute(
        "SELECT player, rules, begun, rounds, points FROM player_stats ORDER BY player, rules"
    ).fetchall()
    names = {"Partnership Spades": "partnership"}
    told = sorted(
        (
            row["player"],
            names.get(row["rules"], "cutthroat-lite"),
            *(int(row[name]) for name in ("begun", "rounds", "points")),
        )
        for row in found
    )
    assert told == stored


def test_a_search_of_the_history_goes_along(played: Table) -> None:
    page = shown(played, "?player=North&rules=partnership")
    assert "player=North" in paths(page)[0]
    assert "North" in page.texts("p[@class='hint']")[0]
    assert page.texts("ul[@id='files']//small[@class='file-size']")[0] == ""
    assert "player=" not in paths(page)[2]


def test_wrong_days_are_said_at_their_field(played: Table) -> None:
    answer = played.get("/export?from=tomorrow")
    assert answer.status_code == 422
    assert "Enter a date like 2026-01-31." in answer.text
    assert played.get("/statistics.csv?from=tomorrow").status_code == 422
    assert played.get("/history.csv?rows=cards").status_code == 422


def test_another_table_sees_nothing(played: Table, other: Table) -> None:
    assert rows(other, "/statistics.csv") == []
    sizes = shown(other).texts("ul[@id='files']//small[@class='file-size']")
    assert sizes[:3] == ["0 rows", "0 rows", "0 players"]
