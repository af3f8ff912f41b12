"""An imported journal is accepted only where undo and redo can replay all of it."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from scorekeeper.files.csv_columns import FileError
from scorekeeper.files.exports import json_pieces
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store import journal
from scorekeeper.store.changes import changes_of
from scorekeeper.store.check import faults
from scorekeeper.store.games import load_game
from scorekeeper.store.imports import InvalidJournal
from tests.properties import counts
from tests.store.many_games import a_store, exported, play, taken_in
from tests.web.play import AT

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def games() -> list[str]:
    """Games on lines of their own, each with a journal of some length."""
    luck = random.Random(7)
    with a_store() as (store, table_id):
        for day, rules in enumerate(PRESETS.values()):
            play(luck, store, table_id, rules, day)
        lines = exported(store, json_pieces).decode().splitlines()[1:-1]
    return [line for line in (text.rstrip(",") for text in lines) if line.count('"at"') > 6]


def file_of(*games: dict[str, Any]) -> bytes:
    return json.dumps({"scorekeeper": 1, "games": games}).encode()


def test_whole_journals_come_in(games: list[str]) -> None:
    with a_store() as (store, table_id):
        file = file_of(*map(json.loads, games))
        assert taken_in(store, table_id, file) == {"new": len(games)}


def undo_of(lines: Lines) -> dict[str, Any]:
    return {**lines[-1], "kind": "undo", "follows": None, "stands": len(lines)}


def rules_of(lines: Lines, **after: Any) -> dict[str, Any]:
    setup = {name: lines[0]["after"][name] for name in ("house_rules", "rule_values")}
    line = {"kind": "rules", "round": None, "before": setup, "after": {**setup, **after}}
    return {**lines[-1], **line, "stands": len(lines) + 1, "follows": lines[-1]["stands"]}


def dealing_of(lines: Lines, cards: str) -> dict[str, Any]:
    line = rules_of(lines)
    return line | {
        "after": line["after"] | {"rule_values": line["before"]["rule_values"] | {"cards": cards}}
    }


def last_change(lines: Lines) -> Any:
    """Return the last line that is a change, neither an undo nor a redo."""
    return next(line for line in reversed(lines) if line["follows"])


SPOILT: dict[str, Callable[[Lines], Any]] = {
    "a change that stands nowhere": lambda lines: lines[-1].update(stands=40_000),
    "a change that follows none": lambda lines: last_change(lines).update(follows=None),
    "a line left out": lambda lines: lines.pop(1),
    "an undo that takes back nothing": lambda lines: lines.append(undo_of(lines)),
    "a second beginning": lambda lines: lines.append(lines[0]),
    "a beginning from something": lambda lines: lines[0].update(before=lines[0]["after"]),
    "other rules from nothing": lambda lines: lines.append(rules_of(lines) | {"before": None}),
    "rules that are no text": lambda lines: lines.append(rules_of(lines, house_rules=[1])),
    "other rules and a stake": lambda lines: lines.append(rules_of(lines, stake=5)),
    "rules that dealt other cards": lambda lines: lines.append(dealing_of(lines, "1-9")),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT.keys())
def test_what_cannot_be_walked_is_refused(games: list[str], spoil: Callable[[Lines], Any]) -> None:
    game = json.loads(games[0])
    spoil(game["changes"])
    with a_store() as (store, table_id):
        with pytest.raises((InvalidJournal, FileError)):
            taken_in(store, table_id, file_of(game))
        assert store.db.table("games").count == 0


@counts("tries", 10, 30)
def test_whatever_comes_in_can_be_walked_to_its_ends(games: list[str], tries: int) -> None:
    luck, came_in = random.Random(11), 0
    for _try in range(tries):
        game = json.loads(luck.choice(games))
        _spoil(luck, game["changes"])
        with a_store() as (store, table_id):
            try:
                taken_in(store, table_id, file_of(game))
            except (InvalidJournal, FileError):
                continue
            came_in += 1
            (game_id,) = store.db.execute("SELECT id FROM games").fetchone()
            for way in ["undo"] * 40 + ["redo"] * 40:
                with store.write() as db:
                    found = load_game(db, table_id, game_id)
                    assert found is not None
                    journal.undo_or_redo(db, found, way, found.version, journal.Who(None, AT))
            changes_of(store.db, found)
            assert [str(fault) for fault in faults(store)] == []
    assert 0 < came_in < tries


def _spoil(luck: random.Random, lines: Lines) -> None:
    """Change one thing somewhere in a journal."""
    line, other = luck.choice(lines), luck.choice(lines)
    name = luck.choice(("stands", "follows", "before", "after", "kind", "round", "at", "phone"))
    if luck.random() < 0.2:
        lines.remove(line)
    elif luck.random() < 0.2:
        at = luck.randrange(len(lines) - 1)
        lines[at : at + 2] = lines[at + 1], lines[at]
    else:
        line[name] = other[name]
