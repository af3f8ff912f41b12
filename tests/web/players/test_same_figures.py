"""Page, command and API tell the same figures, and they are those of slow formulas."""

import csv
import io
import json
import random
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from flask import Flask

from scorekeeper.cli.demo import add_example_games
from scorekeeper.cli.tables import statistics
from scorekeeper.clock import stamp
from scorekeeper.files.exports import games_csv_pieces
from scorekeeper.rules.bidding import number_bid
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.games import Game
from scorekeeper.store.statistics import Selection, Span
from scorekeeper.store.tables import find_server_table
from tests.store.many_games import play
from tests.store.test_statistics import EVENING, KINDS, Recorder, act
from tests.web.play import Table

MINUS = "\N{MINUS SIGN}"
CHOICES = ("rules=all", "rules=alone", "rules=partners", "rules=oh-hell", "rules=alone&sides=4")


class Slow(NamedTuple):
    """What a player has, counted game by game."""

    games: int = 0
    wins: Fraction = Fraction(0)
    luck: Fraction = Fraction(0)
    beaten: Fraction = Fraction(0)


def rounded(number: Fraction) -> Fraction:
    return Fraction((number * 20 + 1) // 2, 10)


def signed(number: Fraction) -> str:
    sign = "+" if number > 0 else MINUS if number < 0 else ""
    return f"{sign}{float(abs(number)):.1f}"


def counted(games: list[Game]) -> dict[str, Slow]:
    """Return what players have of finished games."""
    found: dict[str, Slow] = defaultdict(Slow)
    for game in games:
        state = game.state
        if state.phase != "over" or not state.rounds:
            continue
        for side, seats in enumerate(state.sides):
            place = state.places[side]
            won = Fraction(1, len(state.winners)) if side in state.winners else Fraction(0)
            beaten = Fraction(len(state.sides) - (place or 0), len(state.sides) - 1)
            for seat in seats:
                one = found[game.names[seat]]
                found[game.names[seat]] = Slow(
                    one.games + 1,
                    one.wins + won,
                    one.luck + Fraction(1, len(state.sides)),
                    one.beaten + beaten,
                )
    return found


def chosen(games: list[Game], query: str) -> list[Game]:
    wanted = dict(part.split("=") for part in query.split("&"))
    rules, sides = wanted["rules"], wanted.get("sides")
    return [
        game
        for game in games
        if rules in ("all", game.rules.key)
        or rules == ("partners" if game.rules.partnerships else "alone")
        if sides is None or len(game.state.sides) == int(sides)
        if wanted.get("since", "") <= game.started[:10] <= wanted.get("until", "~")
    ]


def of_page(table: Table, query: str) -> dict[str, tuple[str, str, str]]:
    """Return what the rows of the page of players say: won, luck and the difference."""
    rows = table.page(f"/players?{query}").all("ol[@class='ranks']/li")
    return {
        row.findtext(".//bdi") or "": (
            row.findtext(".//span[@class='rank-who']/small") or "",
            row.findtext(".//span[@class='rank-value']/small") or "",
            row.findtext(".//span[@class='rank-value']/b") or "",
        )
        for row in rows
    }


def shown(one: Slow) -> tuple[str, str, str]:
    wins = str(one.wins) if one.wins.denominator == 1 else f"{float(rounded(one.wins)):.1f}"
    ahead = rounded(one.wins) - rounded(one.luck)
    return f"{wins} of {one.games}", f"luck {float(rounded(one.luck)):.1f}", signed(ahead)


@pytest.mark.parametrize("seed", range(4))
def test_every_door_tells_the_figures_of_slow_formulas(table: Table, seed: int) -> None:
    chance, recorder = random.Random(seed), Recorder(table.store)
    recorder.table = table.id
    for _act in range(120):
        act(recorder, chance.choice(KINDS), chance.randrange(2**32))
    games = [game for game in map(recorder.game, recorder.games) if game]
    days = sorted(game.started[:10] for game in games)
    middle = days[len(days) // 2]
    figures = 0
    for query in (*CHOICES, f"rules=alone&since={middle}", f"rules=all&until={middle}"):
        due = counted(chosen(games, query))
        pages, told = of_page(table, query), of_api(table, query)
        assert {name: shown(due[name]) for name in pages} == pages
        for name, one in told.items():
            slow = due[name]
            ahead = rounded(slow.wins) - rounded(slow.luck)
            mean = round(float(slow.beaten / slow.games), 3) if slow.games else None
            assert one == {
                "games": slow.games,
                "wins": float(rounded(slow.wins)),
                "luck": float(rounded(slow.luck)),
                "ahead": float(ahead),
                "beaten": mean,
            }
            figures += len(one)
        assert due.keys() <= pages.keys() == told.keys()
        assert of_command(table, query) == {
            name: sum(one.games for one in due.values() if due[name] is one) for name in told
        }
    assert figures > 50


def of_api(table: Table, query: str) -> dict[str, dict[str, Any]]:
    headers = {"Authorization": f"Bearer {table.key}"}
    listed = table.client.get(f"/api/players?{query}", headers=headers).get_json()["players"]
    for one in listed:
        alone = table.client.get(f"{one['url']}?{query}", headers=headers).get_json()
        assert {key: alone[key] for key in one} == one
    return {
        one["name"]: {key: n for key, n in one["statistics"].items() if key != "begun"}
        for one in listed
    }


def of_command(table: Table, query: str) -> dict[str, int]:
    """Return the finished games of each player by the command, added up over all rows."""
    wanted = dict(part.split("=") for part in query.split("&"))
    span = Span(
        wanted.get("since", ""),
        stamp(datetime.fromisoformat(wanted["until"]).replace(tzinfo=UTC) + timedelta(days=1))
        if "until" in wanted
        else "~",
    )
    sides = int(wanted["sides"]) if "sides" in wanted else None
    selection = Selection(wanted["rules"], sides, span)
    rows = json.loads(b"".join(statistics(table.store.db, table.id, selection, "json")))
    found: dict[str, int] = defaultdict(int)
    for row in rows:
        found[row["player"]] += row["games"]
    return found


def bids_counted(games: list[Game]) -> dict[str, dict[tuple[str, int, int], list[int]]]:
    """Return times, made and tricks above the bids by player, then rule book, sides and number."""
    found: dict[str, dict[tuple[str, int, int], list[int]]] = defaultdict(dict)
    for game in games:
        state, shares = game.state, game.rules.bid_by == "side"
        sides = len({side for round_ in state.rounds for side in round_.after.playing})
        for round_ in state.rounds:
            for seat, name in enumerate(round_.after.seats.names):
                side = seat % len(state.sides)
                bid = number_bid(round_.bids[side if shares else seat])
                if name is None or bid is None:
                    continue
                own = state.sides[side] if shares else (seat,)
                tricks = sum(round_.tricks[one] for one in own)
                is_own = game.rules.totals_by == "seat"
                made = tricks >= bid if is_own else round_.scores[side].made is True
                key = (game.rules.key, sides, bid)
                counts = found[name].setdefault(key, [0, 0, 0])
                counts[:] = counts[0] + 1, counts[1] + made, counts[2] + tricks - bid
    return found


def bids_of_page(table: Table, player_id: int, query: str) -> dict[str, list[str]]:
    """Return what the page of a player says of the bids of each number."""
    rows = table.page(f"/players/{player_id}?{query}").all("ol[@class='bids-made']/li")
    return {
        row.findtext("b") or "": [row.findtext("strong") or "", row.findtext("small") or ""]
        for row in rows
    }


def bids_shown(bids: dict[tuple[str, int, int], list[int]]) -> list[dict[str, list[str]]]:
    """Return what the page may say: of each group of games."""
    found: dict[tuple[str, int], dict[str, list[str]]] = defaultdict(dict)
    for (rules, sides, bid), (times, made, _over) in sorted(bids.items()):
        counts, percent = f"{made} of {times}", f"{round(100 * made / times)}%"
        found[rules, sides][str(bid)] = [counts, ""] if times < 12 else [percent, counts]
    return [*found.values()]


@pytest.mark.parametrize("seed", range(2))
def test_page_and_api_tell_the_bids_of_a_slow_count(table: Table, seed: int) -> None:
    chance, recorder = random.Random(seed), Recorder(table.store)
    recorder.table = table.id
    for _act in range(120):
        act(recorder, chance.choice(KINDS), chance.randrange(2**32))
    for day, book in enumerate(PRESETS.values()):
        recorder.games.append(play(chance, table.store, table.id, book, day))
    games = [game for game in map(recorder.game, recorder.games) if game]
    headers = {"Authorization": f"Bearer {table.key}"}
    numbers = 0
    for query in ("rules=alone", "rules=partners", "rules=oh-hell"):
        due = bids_counted(chosen(games, query))
        for one in table.client.get(f"/api/players?{query}", headers=headers).get_json()["players"]:
            own = due[one["name"]]
            told = table.client.get(f"{one['url']}?{query}", headers=headers).get_json()["bids"]
            assert {tuple(row.values())[:3]: [*row.values()][3:] for row in told} == own
            shown = bids_of_page(table, one["id"], query)
            by_number = {bid: cells for bid, cells in shown.items() if bid.isdecimal()}
            assert by_number in [*bids_shown(own), {}]
            assert shown or not own
            numbers += len(told)
    assert numbers > 200


@pytest.fixture
def demo(app: Flask) -> Table:
    """The example games."""
    store = app.extensions["store"]
    add_example_games(store, EVENING + timedelta(days=330))
    table = Table(app, find_server_table(store.db))
    table.join()
    return table


def test_players_of_the_demo_are_those_of_its_file_of_games(demo: Table) -> None:
    text = b"".join(games_csv_pieces(demo.store, demo.id)).decode("utf-8-sig")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["place"]]
    of_game = defaultdict(list)
    for row in rows:
        of_game[row["game"], row["date"]].append(row)
    found: dict[bool, dict[str, Slow]] = {False: defaultdict(Slow), True: defaultdict(Slow)}
    for seated in of_game.values():
        sides = len({row["side"] for row in seated})
        won = len({row["side"] for row in seated if row["place"] == "1"})
        of_kind = found[len(seated) > sides]
        for row in seated:
            one = of_kind[row["player"]]
            part = Fraction(1, won) if row["place"] == "1" else Fraction(0)
            of_kind[row["player"]] = Slow(
                one.games + 1, one.wins + part, one.luck + Fraction(1, sides)
            )
    alone, partners = (of_page(demo, f"rules={kind}") for kind in ("alone", "partners"))
    assert alone == {name: shown(one) for name, one in found[False].items()}
    assert partners == {name: shown(one) for name, one in found[True].items()}
    assert [*alone].index("June") == 4
    assert alone["June"] == ("0 of 11", "luck 2.4", f"{MINUS}2.4")
