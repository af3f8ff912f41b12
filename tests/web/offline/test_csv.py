"""A game that a phone saves as CSV."""

import csv
import io
from typing import Any

import pytest

from scorekeeper.files.csv_columns import escape_formula
from scorekeeper.files.csv_reader import read_games
from scorekeeper.i18n import LANGUAGES
from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP
from tests.web.offline.conftest import Ask
from tests.web.offline.facts import plain
from tests.web.play import Table

NAMES = (
    "=1+1",
    "＝1+1",
    "Ana;=1",
    "Ben,\t＠Cy",
    "'＋Di",
    "Ana;'\u00a0=1",
    "'=1;\"-2",
    "Ben",
    'C;"D"',
)


STARTED = "2025-11-24T07:30:00.000+00:00"


def saved(ask: Ask, *names: str, language: str = "en") -> str:
    game: dict[str, Any] = {"id": "g1", "house": {}, "rules": plain(CUTTHROAT_LITE)}
    game |= {"first_dealer": 0, "names": names, "started": STARTED, "day": "2025-11-23"}
    game["rounds"] = [{"bids": [5, 3, 2], "tricks": [5, 3, 2]}]
    [text] = ask("csv", [[game, language]])
    return str(text)


@pytest.mark.parametrize("first", range(0, len(NAMES), 3))
def test_names_are_marked_as_the_server_marks_them(ask: Ask, first: int) -> None:
    names = NAMES[first : first + 3]
    text = saved(ask, *names).removeprefix("\ufeff")
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    assert [row["player"] for row in rows] == [escape_formula(name) for name in names]


def test_an_import_reads_the_names_as_they_were(ask: Ask) -> None:
    names = ("＝1+1", "Ana;=1", '＠Ben;"-2')
    [game] = read_games(io.BytesIO(saved(ask, *names).encode()))
    assert game.names == names


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_as_the_server_sends_it_in_each_language(
    game: Table, ask: Ask, language: str
) -> None:
    game.new_game(target=200, bag_limit="off", players=("Ben,\t＠Cy", 'C;"D"', "=1", "Ana"))
    game.play_round((3, 2, 1, 3), (3, 2, 1, 4))
    headers = {"Accept-Language": language}
    sent = game.get(f"{game.path}.csv", headers=headers).get_data().decode()
    facts = game.get(f"{game.path}/phone.json", headers=headers).get_json()["game"]
    [text] = ask("csv", [[facts, language]])
    separator = ";" if language in ("de", "es", "fr", "ar") else ","
    ours, theirs = (
        list(csv.DictReader(io.StringIO(one, newline=""), delimiter=separator, strict=True))
        for one in (sent, text)
    )
    assert text[0] == sent[0] == "\ufeff"
    assert [*theirs[0]][-1] == [*ours[0]][-1] == "trump"
    assert theirs == [{name: row[name] for name in theirs[0]} for row in ours]


def test_a_game_that_the_server_lacks_does_not_say_when_it_started(ask: Ask) -> None:
    game: dict[str, Any] = {"id": "new-1", "house": {}, "rules": plain(CUTTHROAT_LITE)}
    game |= {"first_dealer": 0, "names": ("Ana", "Ben", "Cy"), "started": STARTED, "begin": {}}
    game |= {"day": "2025-11-23", "rounds": [{"bids": [5, 3, 2], "tricks": [5, 3, 2]}]}
    [text] = ask("csv", [[game]])
    told: list[str] = []
    [read] = read_games(io.BytesIO(text.encode()), tell=told.append)
    assert (read.started, told) == ("", [])


def test_who_leaves_a_seat_has_a_note_so_that_an_import_asks_nothing(ask: Ask) -> None:
    game: dict[str, Any] = {"id": "g1", "house": {}, "rules": plain(CUTTHROAT_LITE)}
    game |= {"first_dealer": 0, "names": ("Ana", "Ben", "Cy", "Dee", "Eve")}
    game |= {"started": STARTED, "day": "2025-11-23"}
    left, came, back = ({"seat": 1, "player": name} for name in (None, "Fay", "Ben"))
    game["rounds"] = [
        {"bids": [2, 2, 2, 2, 2], "tricks": [2, 2, 2, 2, 2]},
        {"bids": [2, None, 2, 2, 2], "tricks": [4, 0, 2, 2, 2], "substitutes": [left]},
        {"bids": [2, 2, 2, 2, 2], "tricks": [2, 2, 2, 2, 2], "substitutes": [came]},
        {"bids": [2, 2, 2, 2, 2], "tricks": [2, 2, 2, 2, 2], "substitutes": [back]},
    ]
    [text] = ask("csv", [[game]])
    told: list[str] = []
    [rounds] = [
        list(read.rounds) for read in read_games(io.BytesIO(text.encode()), tell=told.append)
    ]
    assert [len(one.notes.substitutes) for one in rounds] == [0, 1, 1, 1]
    assert told == []


def test_a_round_that_lost_the_game_comes_back_without_tricks(ask: Ask) -> None:
    lost = {"seat": 1, "kind": "lost", "size": 1, "to": "nobody", "reason": "renege"}
    game: dict[str, Any] = {"id": "g1", "house": {}, "rules": PARTNERSHIP.values}
    game |= {"first_dealer": 3, "names": ("Ana", "Ben", "Cy", "Dee")}
    game |= {"started": STARTED, "day": "2025-11-23"}
    game["rounds"] = [
        {"bids": [4, 4, 2, 3], "tricks": [4, 4, 2, 3]},
        {"bids": [4, None, None, None], "tricks": None, "penalties": [lost]},
    ]
    [text] = ask("csv", [[game]])
    [rounds] = [list(sheet.rounds) for sheet in read_games(io.BytesIO(text.encode()))]
    first, last = rounds
    assert first.tricks == (4, 4, 2, 3)
    assert (last.bids, last.tricks) == ((4, None, None, None), None)
    assert last.notes.penalties == (Penalty(**lost),)
