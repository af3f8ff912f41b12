"""Records of a table and its best pairs."""

import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.rules.game import GameState
from scorekeeper.store.games import Game
from scorekeeper.store.records import best_pairs, records_of
from scorekeeper.store.statistics import KINDS as KINDS_OF_BOOKS
from scorekeeper.store.statistics import Selection
from tests.store.test_statistics import KINDS, Recorder, act
from tests.web.history.test_history import game_of
from tests.web.play import NORTH, SOUTH, Table

BOOKS = ("cutthroat-lite", "partnership-500", "call-break", "oh-hell")


def slow_records(games: list[Game], book: str) -> dict[str, int]:
    """Return the records of games in their order, counted one by one."""
    found: dict[str, int] = defaultdict(int)
    runs: dict[str, int] = defaultdict(int)
    leads = []
    for game in games:
        state = game.state
        if game.rules.key == book:
            points = [score.points for one in state.rounds for score in one.scores]
            found["round"] = max([found["round"], *points])
        if state.phase != "over" or not state.rounds:
            continue
        found["longest"] = max(found["longest"], len(state.rounds))
        for seat, name in enumerate(game.names):
            runs[name] = runs[name] + 1 if seat in state.winning_seats else 0
            found["run"] = max(found["run"], runs[name])
        if game.rules.key == book:
            found["comeback"] = max([found["comeback"], *deficits(state)])
            totals = state.rounds[-1].after.totals
            won = [totals[side] for side in state.winners]
            lost = [totals[side] for side in range(len(totals)) if side not in state.winners]
            if won and lost and max(won) >= max(lost):
                leads.append(max(won) - max(lost))
    found["running"] = max(runs.values(), default=0)
    found["closest"] = min(leads, default=0)
    return found


def deficits(state: GameState) -> list[int]:
    """Return how far behind the winners were after each round."""
    return [
        max(one.after.totals) - one.after.totals[side]
        for one in state.rounds
        for side in state.winners
    ]


@pytest.mark.parametrize("seed", range(3))
def test_records_are_those_of_slow_formulas(table: Table, seed: int) -> None:
    chance, recorder = random.Random(seed), Recorder(table.store)
    recorder.table = table.id
    for _act in range(120):
        act(recorder, chance.choice(KINDS), chance.randrange(2**32))
    games = [game for game in map(recorder.game, recorder.games) if game]
    games.sort(key=lambda game: (game.started, game.id))
    compared = 0
    for kind, books in KINDS_OF_BOOKS.items():
        of_kind = [game for game in games if game.rules.key in books]
        for book in set(BOOKS) & set(books):
            found = records_of(table.store.db, table.id, Selection(kind), book)
            due = slow_records(of_kind, book)
            for name in ("round", "longest", "run", "running", "comeback", "closest"):
                least = 2 if name in ("run", "running") else 1
                value = found[name][0].value if name in found else 0
                assert value == (due[name] if due[name] >= least or name == "closest" else 0), name
                compared += 1
            assert table.get(f"/players/records?rules={book}").status_code == 200
    assert compared >= 20


@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_those_of_slow_formulas(table: Table, seed: int) -> None:
    recorder, chance = Recorder(table.store), random.Random(seed)
    recorder.table = table.id
    for _act in range(160):
        act(recorder, chance.choice(KINDS), chance.randrange(2**32))
    due: dict[frozenset[str], list[Fraction]] = defaultdict(list)
    for game in filter(None, map(recorder.game, recorder.games)):
        state = game.state
        if state.phase == "over" and state.rounds:
            for side, seats in enumerate(state.sides):
                if len(seats) == 2:
                    won = Fraction(1, len(state.winners)) if side in state.winners else Fraction(0)
                    names = frozenset(game.names[seat] for seat in seats)
                    due[names].append(won - Fraction(1, len(state.sides)))
    found = best_pairs(table.store.db, table.id, Selection("partners"))
    assert {frozenset(one.name for one in pair.players): pair.luck.ahead for pair in found} == {
        names: sum(parts) for names, parts in due.items() if len(parts) >= 4
    }
    aheads = [pair.luck.ahead for pair in found]
    assert aheads == sorted(aheads, reverse=True)


def test_records_say_who_when_and_lead_to_the_round(table: Table) -> None:
    for day in range(3):
        game_of(table, rounds=3, day=day)
    page = table.page("/players/records")
    rows = {row[0]: row[1:] for row in map(told, page.all("ul[@class='rows records']/li/a"))}
    assert rows["Biggest round"] == (SOUTH, "50")
    assert rows["Longest winning streak"] == (SOUTH, "3")
    assert rows["Winning streak now"] == (SOUTH, "3")
    assert "Best comeback" not in page.text
    links = page.all("ul[@class='rows records']/li/a")
    (link,) = [a.get("href") for a in links if told(a)[0] == "Biggest round"]
    assert str(link).endswith("/rounds/1")
    assert table.get(str(link)).status_code == 200


def told(row: Any) -> tuple[str, str, str]:
    label = (row.findtext("span/small") or "").partition(" ·")[0]
    names = " ".join(name.text or "" for name in row.iter("bdi"))
    return label, names, row.findtext("span[@class='record']/b") or ""


def test_pairs_of_four_games_are_shown_on_both_pages(table: Table) -> None:
    for _game in range(4):
        table.new_game("partnership", target=60)
        table.play_round((4, 3, 4, 1), (4, 3, 4, 2))
    page = table.page("/players/records?rules=partners")
    aheads = page.all("li[@class='pair-row']//span[@class='record']/b")
    assert [(one.text, one.get("class")) for one in aheads] == [
        ("+2.0", "is-ahead"),
        ("−2.0", None),
    ]
    of_south = table.page("/players/3?rules=partners")
    assert of_south.texts("li[@class='pair-row']//bdi") == [NORTH, SOUTH]
    assert table.page("/players/3?rules=alone").all("li[@class='pair-row']") == []


def test_a_table_without_games_has_no_records(table: Table) -> None:
    page = table.page("/players/records")
    assert page.texts("h2") == ["Your records will stand here"]
    assert page.texts("a[@href='/games/new']") == ["New game"]
    chosen = table.page("/players/records?rules=cutthroat")
    assert chosen.texts("h2") == ["No games found"]
    assert "All games" in chosen.texts("a[@href='/players/records']")
