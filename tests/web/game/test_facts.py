"""The facts of a game that a phone goes on from."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from scorekeeper.clock import now
from scorekeeper.store import changes
from scorekeeper.store.changes import changes_of
from scorekeeper.store.journal import Who, change_rules
from tests.web.page import Page
from tests.web.play import EAST, NORTH, SOUTH, WEST, Table
from tests.web.taps import facts_of, fields, undo_or_redo


def test_a_phone_is_told_the_facts_of_its_game(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.bid(5)
    facts = facts_of(game)
    assert facts["names"] == [NORTH, EAST, SOUTH, WEST]
    assert facts["first_dealer"] == 3
    assert facts["version"] == game.game.version
    assert facts["rules"] == json.loads(json.dumps(game.game.rules.values))
    assert facts["rounds"] == [
        {"bids": [3, 2, "nil", 4], "tricks": [3, 4, 0, 3], "tally": None},
        {"bids": [None, 5, None, None], "tricks": None, "tally": None},
    ]


def steps_of(table: Table, way: str) -> list[Any]:
    """Return the steps that a phone is told, the one that comes first in front."""
    steps: list[Any] = facts_of(table)[way]
    return steps[::-1]


def rounds_of(table: Table) -> list[Any]:
    rounds: list[Any] = facts_of(table)["rounds"]
    return rounds


def walked(rounds: list[Any], steps: list[Any]) -> list[list[Any]]:
    """Return the rounds after each step."""
    found = []
    for number, facts, _line in steps:
        rounds = [*rounds[: number - 1], *([facts] if facts else []), *rounds[number:]]
        found.append(rounds)
    return found


def play_and_change(table: Table) -> None:
    """Play with a misdeal, a correction, and something taken back in the middle."""
    table.bid(3)
    table.misdeal()
    table.play_one_by_one((3, 2, "nil", 4), (3, 4, 0, 3))
    table.bid(5)
    table.undo()
    table.bid(4)
    table.correct(1, **{"tricks-1": 4, "tricks-2": 3})
    table.bid(2)


def test_a_phone_is_told_the_steps_that_undo_and_redo_make(game: Table) -> None:
    play_and_change(game)
    for way in ("undo", "redo"):
        steps = steps_of(game, way)
        assert len(steps) == 13
        for (_number, _facts, line), rounds in zip(
            steps, walked(rounds_of(game), steps), strict=True
        ):
            assert undo_or_redo(game, way, line).status_code == 200
            assert rounds_of(game) == rounds
        assert steps_of(game, way) == []


# What happens; then the lines of the journal that undo and redo act on, the next one first; and
# whether the server can go on from there. A phone is told three lines, of which the first is 1.
STEPS: dict[str, tuple[str, list[int], list[int], tuple[bool, bool]]] = {
    "nothing": ("", [], [], (False, False)),
    "a bid": ("3", [2], [], (False, False)),
    "a bid undone": ("3 undo", [], [2], (False, False)),
    "a bid undone, and another": ("3 undo 4", [4], [], (False, False)),
    "a bid redone": ("3 undo redo", [2], [], (False, False)),
    "other rules": ("3 rules", [], [], (True, False)),
    "a bid by other rules": ("3 rules 2", [4], [], (True, False)),
    "other rules undone": ("3 rules undo", [2], [], (False, True)),
    "other rules undone, and a bid": ("3 rules undo undo", [], [], (False, True)),
    "as many bids as are told": ("3 2", [3, 2], [], (False, False)),
    "more bids than are told": ("3 2 1 4", [5, 4, 3], [], (True, False)),
    "more undone than is told": ("3 2 1 4 undo undo undo", [], [], (True, True)),
}


@pytest.mark.parametrize(("done", "undo", "redo", "more"), STEPS.values(), ids=STEPS)
def test_each_step_names_its_line_and_the_server_knows_what_follows(
    game: Table,
    monkeypatch: pytest.MonkeyPatch,
    done: str,
    undo: list[int],
    redo: list[int],
    more: tuple[bool, bool],
) -> None:
    monkeypatch.setattr(changes, "MAX_STEPS", 3)
    actions: dict[str, Callable[[], Any]] = {
        "undo": game.undo,
        "redo": game.redo,
        "rules": lambda: change_target(game),
    }
    for action in done.split():
        actions.get(action, partial(game.bid, action))()
    lines = {way: [line for *_step, line in steps_of(game, way)] for way in ("undo", "redo")}
    assert lines == {"undo": undo, "redo": redo}
    facts = facts_of(game)
    assert (facts["can_undo"], facts["can_redo"]) == more


def change_target(table: Table) -> None:
    """Score the game by other rules."""
    with table.store.write() as db:
        rules = replace(table.game.rules, target=300)
        change_rules(db, table.game, rules, table.game.version, Who(None, now()))


def test_the_page_of_a_game_holds_what_the_first_tap_needs(game: Table) -> None:
    game.bid(3)
    other = game.second_phone()
    other.post(f"{other.path}/seat", other.fresh(seat=2))
    for phone, seat in ((game, None), (other, 1)):
        facts = phone.get(f"{phone.path}/phone.json").get_json()
        assert facts["game"]["own_seat"] == seat
        assert json.loads(facts_on(phone.page())) == facts
        two = {"bids": (3, 2, "", "")}
        sent = fields(two, seen=facts["game"]["revision"], csrf_token=facts["token"])
        assert phone.post(f"{phone.path}/rounds/1/sent", sent).status_code == 200


def test_a_name_cannot_end_the_facts_on_the_page(table: Table) -> None:
    names = ("</script><b>a", "<!--b", "&amp;c", 'd\'s "e"')
    table.new_game(players=names)
    assert json.loads(facts_on(table.page()))["game"]["names"] == list(names)


def facts_on(page: Page) -> str:
    return page.one("script[@id='game-facts']").text or ""


def test_a_phone_is_told_who_entered_each_round_last_and_when(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    other = game.second_phone()
    other.bid(5)
    entries = facts_of(game)["entries"]
    assert {n: entry["phone"] for n, entry in entries.items()} == {
        "1": "Kim's phone",
        "2": "the other phone",
    }
    newest = changes_of(game.store.db, game.game)[-1]
    assert entries["2"]["at"] == newest.at
    game.undo()
    entries = facts_of(game)["entries"]
    assert entries["2"]["phone"] == "Kim's phone"
