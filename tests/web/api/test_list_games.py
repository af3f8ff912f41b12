"""GET /api/games: the table's games in parts."""

from itertools import chain
from typing import Any

import pytest

from tests.web.api.caller import BIDS, TRICKS, Caller


def told(api: Caller, path: str) -> list[str]:
    """Return the ids of the whole list from an address on."""
    return list(chain.from_iterable(pages(api, path)))


@pytest.fixture
def seven(nobody: Caller) -> list[str]:
    """Seven games, the oldest first, each begun at a minute of its own."""
    ids = [nobody.start().json["id"] for _ in range(7)]
    with nobody.table.store.write() as db:
        for minute, game_id in enumerate(ids):
            began = f"2026-01-03T20:{minute:02d}:00.000+00:00"
            db.execute("UPDATE games SET started = ? WHERE id = ?", [began, game_id])
            rows = "UPDATE player_games SET started = ? WHERE game_id = ?"
            db.execute(rows, [began, game_id])
    return ids


def pages(api: Caller, path: str) -> list[list[str]]:
    """Return the ids of every part of the list from an address on."""
    found = []
    following: Any = path
    while following:
        answer = api.call("GET", following).json
        found.append([game["id"] for game in answer["games"]])
        following = answer["next"]
    return found


def test_the_newest_game_comes_first(nobody: Caller, seven: list[str]) -> None:
    assert pages(nobody, "games") == [seven[::-1]]


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 8, 100])
def test_the_parts_together_are_the_whole_list(
    nobody: Caller, seven: list[str], limit: int
) -> None:
    parts = pages(nobody, f"games?limit={limit}")
    assert [len(part) for part in parts[:-1]] == [limit] * (len(parts) - 1)
    assert list(chain.from_iterable(parts)) == seven[::-1]


def test_a_part_holds_twenty_games_unless_told_otherwise(nobody: Caller) -> None:
    for _ in range(21):
        nobody.start()
    assert [len(part) for part in pages(nobody, "games")] == [20, 1]


def test_a_game_keeps_its_place_while_others_are_started_and_played(
    nobody: Caller, seven: list[str]
) -> None:
    first = nobody.call("GET", "games?limit=3").json
    nobody.start()
    nobody.game_id = seven[0]
    nobody.play((BIDS, TRICKS))
    assert told(nobody, first["next"]) == seven[3::-1]


def test_games_that_began_at_the_same_moment_are_all_told_once(
    nobody: Caller, seven: list[str]
) -> None:
    with nobody.table.store.write() as db:
        db.execute("UPDATE games SET started = '2026-01-03T20:15:00.000+00:00'")
    assert sorted(told(nobody, "games?limit=2")) == sorted(seven)


def test_a_place_stays_when_its_game_is_removed(nobody: Caller, seven: list[str]) -> None:
    following = nobody.call("GET", "games?limit=3").json["next"]
    with nobody.table.store.write() as db:
        db.execute("UPDATE games SET removed = started WHERE id = ?", [seven[4]])
    assert told(nobody, following) == seven[3::-1]


def test_each_game_is_told_in_short(nobody: Caller) -> None:
    nobody.start(house_rules={"target": 30}, stake="2.50")
    nobody.play((BIDS, TRICKS))
    (short,) = nobody.call("GET", "games").json["games"]
    whole = nobody.game
    assert short["rules"] == {"key": "cutthroat-lite", "name": "Cutthroat Spades LITE"}
    assert {name: whole[name] for name in short if name != "rules"} == {
        name: value for name, value in short.items() if name != "rules"
    }
    assert short["outcome"] == {"reason": "target", "winner": 3, "winners": [3], "tied": []}


@pytest.mark.parametrize(
    ("query", "there"),
    [
        ("since=2026-01-03&until=2026-01-03", True),
        ("since=2026-01-04", False),
        ("until=2026-01-02", False),
        ("until=9999-12-31&since=0001-01-01", True),
        ("rules=cutthroat-lite", True),
        ("rules=partnership", False),
        ("player=1", True),
        ("player=987654", False),
        ("player=1&rules=cutthroat-lite&since=2026-01-03", True),
    ],
)
def test_games_are_chosen_by_day_player_and_rule_book(
    nobody: Caller, seven: list[str], query: str, there: bool
) -> None:
    assert told(nobody, f"games?limit=3&{query}") == (seven[::-1] if there else [])
    days = nobody.call("GET", f"games.json?{query}").json["games"]
    assert sorted(game["id"] for game in days) == (sorted(seven) if there else [])


def test_statistics_are_those_of_the_games_of_some_days(nobody: Caller, seven: list[str]) -> None:
    player = nobody.call("GET", "players?since=2026-01-03&until=2026-01-03").json["players"][0]
    assert player["statistics"]["begun"] == 7
    assert nobody.call("GET", "players?since=2026-01-04").json["players"] == []
    for days, begun in (("since=2026-01-03", 7), ("until=2026-01-02", 0)):
        one = nobody.call("GET", f"players/{player['id']}?{days}").json
        assert one["statistics"]["begun"] == begun


def test_another_table_sees_none_of_it(nobody: Caller, guest: Caller, seven: list[str]) -> None:
    assert guest.call("GET", "games").json == {"games": [], "next": None}
    assert guest.call("GET", f"games?after={seven[3]}").status_code == 400


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=",
        "limit=ten",
        "limit=1.0",
        "limit=01",
        "limit=%D9%A3",
        "limit=999999999999",
        "limit=1&limit=2",
        "after=",
        "after=0000000000",
        "after=%00",
        "after=%ED%A0%80",
        "after=x&after=y",
        "afer=x",
        "limit[]=1",
        "=1",
    ],
)
def test_a_query_that_is_not_understood_is_400(nobody: Caller, query: str) -> None:
    assert nobody.call("GET", f"games?{query}").status_code == 400


@pytest.mark.sqlite
def test_the_list_is_read_by_its_index(nobody: Caller) -> None:
    plan = nobody.table.store.db.execute(
        "EXPLAIN QUERY PLAN SELECT * FROM games WHERE table_id = ? AND removed IS NULL "
        "AND (started, id) < (?, ?) ORDER BY started DESC, id DESC LIMIT ?",
        ["", "", "", 20],
    ).fetchall()
    assert [row[3] for row in plan] == [
        "SEARCH games USING INDEX games_by_start (table_id=? AND (started,id)<(?,?))"
    ]
