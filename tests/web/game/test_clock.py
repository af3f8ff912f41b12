"""The clock of a timed game, on the pages of the server."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.store.games import Game
from scorekeeper.web.game import screen, watch
from scorekeeper.web.game.scoreboard import clock_of
from tests.web.page import text_of
from tests.web.play import EAST, NORTH, SOUTH, WEST, Table, page_of

STARTED = "2026-01-03T20:15:00Z"
TIMED = replace(PRESETS["timed"], minutes=40)
OVER = Round((3, 3, 3, 3), (3, 4, 3, 3)).noted(last_round=True)


def game_of(*rounds: Round, minutes: int | None = 40) -> Game:
    rules, names = replace(TIMED, minutes=minutes), (NORTH, EAST, SOUTH, WEST)
    return Game("id", "t", rules, names, 3, None, STARTED, 1, STARTED, rounds, "ab" * 20)


def link(table: Table) -> str:
    """Turn on the live link of the game, and return it."""
    table.send(table.page(f"{table.path}/share").form("/watching"), on="yes")
    found = re.search(r"/watch/[0-9a-z]+", table.page(f"{table.path}/share").html)
    assert found is not None
    return found[0]


def after(minutes: float) -> datetime:
    return datetime.fromisoformat(STARTED) + timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("minutes", "shown", "warns", "proposes"),
    [
        (-525_600, "40 min", False, False),
        (-1440, "40 min", False, False),
        (0, "40 min", False, False),
        (0.01, "40 min", False, False),
        (30, "10 min", False, False),
        (34.99, "6 min", False, False),
        (35, "5 min", True, False),
        (39.99, "1 min", True, False),
        (40, "Time’s up", True, True),
        (99, "Time’s up", True, True),
        (100, "", False, False),
        (1440, "", False, False),
        (525_600, "", False, False),
    ],
)
def test_the_time_left(minutes: float, shown: str, warns: bool, proposes: bool) -> None:
    clock = clock_of(game_of(), after(minutes))
    assert clock is not None
    assert (clock.shown, clock.is_short, clock.is_up) == (shown, warns, proposes)
    assert clock.end == after(min(minutes, 0) + 40).timestamp() * 1000


def test_a_game_without_minutes_and_one_that_is_over_have_no_clock() -> None:
    assert clock_of(game_of(minutes=None), after(1)) is None
    assert clock_of(game_of(OVER, OVER), after(1)) is None


@pytest.mark.parametrize("minutes", ["0", "-1", "0.5", "601", "10000", "๔๐", "forty"])
def test_a_form_with_other_minutes_is_refused(table: Table, minutes: str) -> None:
    answer = table.new_game("timed", minutes=minutes)
    assert answer.status_code == 422
    sentence = "“Minutes on the clock” must be a whole number from 1 to 600, or off."
    assert sentence in page_of(answer).text


def test_minutes_are_chosen_for_a_game_and_kept_for_the_next(table: Table) -> None:
    table.new_game("timed", minutes=40)
    assert table.game.rules == TIMED
    form = table.page("/games/new").form("new-game")
    assert form.fields["minutes"] == "40"


def test_rules_of_the_table_keep_their_name_with_minutes(table: Table) -> None:
    form = table.page("/rules/new?rules=partnership").form("house-rules")
    own = table.send(form, name="Friday", target="300").location.rpartition("/")[2]
    table.new_game(own, minutes=40)
    assert (table.game.rules.name, table.game.rules.minutes) == ("Friday", 40)
    again = table.page("/games/new")
    assert again.one("input[@name='rules'][@checked]").get("value") == own
    assert again.form("new-game").fields["minutes"] == "40"


def test_the_page_proposes_the_last_round_once_time_is_up(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.new_game("timed", minutes=40)
    began = datetime.fromisoformat(table.game.started)
    sentence = "Time’s up. Make this the last round?"
    monkeypatch.setattr(screen, "now", lambda: began + timedelta(minutes=38, seconds=1))
    page = table.page()
    assert page.texts("span[@role='timer']") == ["2 min"]
    assert page.one("form[@class='message tie time-up']").get("hidden")
    monkeypatch.setattr(screen, "now", lambda: began + timedelta(minutes=41))
    form = table.page().one("form[@class='message tie time-up']")
    assert form.get("hidden") is None
    assert sentence in text_of(form)
    table.send(table.page().form("/last"))
    assert table.game.round(1).notes.last_round
    assert sentence not in table.page().text


def test_watchers_without_scripts_see_another_page_every_minute(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.new_game("timed", minutes=40)
    path, began = link(table), datetime.fromisoformat(table.game.started)
    for minutes, shown in ((0, "40 min"), (1, "39 min"), (41, "Time’s up")):
        then = began + timedelta(minutes=minutes)
        for module in (watch, screen):
            monkeypatch.setattr(module, "now", lambda then=then: then)
        assert shown in table.page(path).texts("span[@role='timer']")


def test_scripts_of_watchers_count_by_themselves(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.new_game("timed", minutes=40)
    path, began = f"{link(table)}?part=1", datetime.fromisoformat(table.game.started)
    tags = []
    for minutes in (0, 1):
        monkeypatch.setattr(watch, "now", lambda n=minutes: began + timedelta(minutes=n))
        tags.append(table.get(path).headers["ETag"])
    assert tags[0] == tags[1]
