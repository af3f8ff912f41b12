"""A file of a club night in which something was changed is refused, or its evening is shown."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from scorekeeper.club.events import ClockSet, Penalised
from scorekeeper.club.standings import Penalty
from scorekeeper.files.club import read_night
from scorekeeper.files.strict_json import InvalidValue
from scorekeeper.store.club import add_night
from tests.web.club.links import SINGLES, Evening

JUNK = (None, True, -1, 0, 1, 3, 10**8, "", "x", "Ana", [], {}, [[0]], "2026-01-01T00:00:00+00:00")
ALONE = {"format": "change_partners", "alone": True, "rules": "cutthroat"}
TRIES = 80


@pytest.fixture(params=["swiss", "knock_out", "alone"])
def evening(request: pytest.FixtureRequest, app: Flask) -> Evening:
    is_alone = request.param == "alone"
    evening = Evening(app, SINGLES, **ALONE) if is_alone else Evening(app, format=request.param)
    tables = evening.start().match.seating.tables
    evening.close(*(tuple(50 * at + 7 for at in range(len(table))) for table in tables))
    evening.do(Penalised(Penalty(0, 1, "points", 5, "late")))
    return evening.start().do(ClockSet(2, None, 60))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where in a JSON value there is something, as paths."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield (*path, key)
        if isinstance(value[key], dict | list):
            yield from places(value[key], (*path, key))


def damaged(document: Any, dice: random.Random) -> Any:
    """Return a document in which one to three places are something else, or missing."""
    changed = copy.deepcopy(document)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        *path, last = dice.choice([*places(changed)])
        inner = changed
        for key in path:
            inner = inner[key]
        if dice.random() < 0.2:
            del inner[last]
        else:
            inner[last] = copy.deepcopy(dice.choice(JUNK))
    return changed


def test_a_damaged_file_is_refused_or_shown(evening: Evening) -> None:
    document = json.loads(evening.table.get(f"/club/{evening.id}.json").data)
    dice, table, refused = random.Random(51), evening.table, 0
    for _ in range(TRIES):
        try:
            found = read_night(json.dumps(damaged(document, dice)).encode())
        except InvalidValue:
            refused += 1
            continue
        with table.store.write(table.id) as db:
            evening.id = add_night(db, table.id, found, evening.who).id
        for page in ("", "/results", "/links", "/plan", "/entries", ".json", "/results.csv"):
            assert table.get(f"/club/{evening.id}{page}").status_code == 200
        for screen in range(3):
            evening.seen("wall", f"?screen={screen}")
        for entry in evening.now.night.entries:
            evening.seen("poster", f"/{entry}?you=0")
    assert TRIES / 2 < refused < TRIES
