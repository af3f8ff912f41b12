"""Rounds as phones send them, tap by tap."""

import json
from collections.abc import Sequence
from typing import Any

from werkzeug.test import TestResponse

from tests.web.play import Table

SCORED = {"bids": (3, 2, "nil", 4), "tricks": (3, 4, 0, 3)}
OTHER = {"bids": (3, 2, "nil", 4), "tricks": (4, 3, 0, 3)}
FINE = {"seat": 1, "kind": "points", "size": 10, "to": "nobody", "reason": "renege"}


def tap(bids: Sequence[Any], tricks: Any = None, tally: Any = None, **notes: Any) -> dict[str, Any]:
    """Return a round as it is after a tap; cells of "" are open, and notes may be left out."""
    return {"bids": _cells(bids), "tricks": _cells(tricks), "tally": _cells(tally), **notes}


def _cells(cells: Any) -> Any:
    if not isinstance(cells, tuple):
        return cells
    return [None if cell == "" else cell for cell in cells]


def fields(*taps: dict[str, Any], **others: Any) -> dict[str, Any]:
    """Return the form with which a phone sends some taps of a round, with `others` beside it."""
    return {"rounds": json.dumps([tap(**facts) for facts in taps]), **others}


def older_fields(*bids: int) -> dict[str, Any]:
    """Return a form of bids as the scripts sent it that had a field for each fact of a round."""
    seats = range(1, 5)
    cells = {f"bid-{n}": bids[n - 1] if n <= len(bids) else "" for n in seats}
    names = ("penalties", "last_round", "cards", "remark", "game_remark", "start", "start_bags")
    beside = {**dict.fromkeys(names, ""), "left": "", **{f"substitute-{n}": "" for n in seats}}
    return {**beside, **cells}


def send(table: Table, number: int, version: object = None, **facts: Any) -> TestResponse:
    """Send a round that is based on a version of the game, or on the game as it is."""
    return send_together(table, number, version, facts)


def send_together(
    table: Table, number: int, version: object, *taps: dict[str, Any]
) -> TestResponse:
    """Send a round as it is after each of some taps, in one request."""
    return _post(table, f"rounds/{number}/sent", "seen", version, fields(*taps))


def report(table: Table, number: object = None, **facts: Any) -> TestResponse:
    """Report the entry of a round with which the phone waits for a choice, or that none waits."""
    entry = {} if number is None else fields(facts, round=number)
    return _post(table, "conflict", "seen", None, entry)


def undo_or_redo(table: Table, way: str, line: int, version: object = None) -> TestResponse:
    """Undo or redo a line of the journal, based on a version as in `send`."""
    return _post(table, f"lines/{line}/{way}", "version", version, {})


def facts_of(table: Table) -> dict[str, Any]:
    """Return the facts of the game that a phone fetches."""
    facts: dict[str, Any] = table.get(f"{table.path}/phone.json").get_json()["game"]
    return facts


def _post(
    table: Table, path: str, field: str, version: object, content: dict[str, Any]
) -> TestResponse:
    seen = table.game.version if version is None else version
    return table.post(f"{table.path}/{path}", {"csrf_token": table.token(), field: seen, **content})
