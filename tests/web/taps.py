"""Rounds as phones send them, tap by tap."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from werkzeug.test import TestResponse

from tests.web.play import Table

SCORED = {"bids": (3, 2, "nil", 4), "tricks": (3, 4, 0, 3)}
OTHER = {"bids": (3, 2, "nil", 4), "tricks": (4, 3, 0, 3)}


def fields(
    bids: Sequence[Any] = (),
    tricks: Sequence[Any] = (),
    tally: Sequence[Any] = (),
    **others: Any,
) -> dict[str, Any]:
    """Return a round as a phone sends it, with `others` beside it."""
    entries = {"bid": bids, "tricks": tricks, "tally": tally}
    cells = {f"{name}-{n}": cell for name in entries for n, cell in enumerate(entries[name], 1)}
    return {**cells, **others}


def send(table: Table, number: int, version: object = None, **facts: Any) -> TestResponse:
    """Send a round that is based on a version of the game, or on the game as it is."""
    return _post(table, f"rounds/{number}/sent", version, fields(**facts))


def send_together(
    table: Table, number: int, version: object, first: dict[str, Any], *then: dict[str, Any]
) -> TestResponse:
    """Send a round as it is after each of some taps, in one request."""
    later = " ".join(urlencode(fields(**facts)) for facts in then)
    return send(table, number, version, **first, then=later)


def report(table: Table, number: object = None, **facts: Any) -> TestResponse:
    """Report the entry of a round with which the phone waits for a choice, or that none waits."""
    entry = fields(**facts) if number is None else fields(**facts, round=number)
    return _post(table, "conflict", None, entry)


def undo_or_redo(table: Table, way: str, line: int, version: object = None) -> TestResponse:
    """Undo or redo a line of the journal, based on a version as in `send`."""
    return _post(table, f"lines/{line}/{way}", version, {})


def facts_of(table: Table) -> dict[str, Any]:
    """Return the facts of the game that a phone fetches."""
    facts: dict[str, Any] = table.get(f"{table.path}/phone.json").get_json()["game"]
    return facts


def _post(table: Table, path: str, version: object, content: dict[str, Any]) -> TestResponse:
    seen = table.game.version if version is None else version
    return table.post(
        f"{table.path}/{path}", {"csrf_token": table.token(), "version": seen, **content}
    )
