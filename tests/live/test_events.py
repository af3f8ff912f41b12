"""What an event tells of a change."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import pytest

from scorekeeper.clock import now
from scorekeeper.store import change_events
from scorekeeper.store.changes import changes_of
from scorekeeper.store.games import revision_of
from scorekeeper.store.journal import Who, change_rules
from tests.live.room import Room, next_events, up_to_date
from tests.web.play import Table
from tests.web.taps import SCORED, send


def play(table: Table, steps: str) -> None:
    """Make changes: bids, undo and redo, other rules, a misdeal, a round scored, a removal."""
    actions: dict[str, Callable[[], Any]] = {
        "undo": table.undo,
        "redo": table.redo,
        "misdeal": table.misdeal,
        "rules": lambda: change_target(table),
        "score": lambda: send(table, 1, **SCORED),
        "empty": lambda: send(table, 1, bids=("",) * 4),
    }
    for step in steps.split():
        actions.get(step, partial(table.bid, step))()


def bids(*bids: object) -> dict[str, Any]:
    return {"bids": [*bids, *[None] * (4 - len(bids))], "tricks": None, "tally": None}


SCORE = {"bids": [3, 2, "nil", 4], "tricks": [3, 4, 0, 3], "tally": None}
# What happens, and the newest event: its round, facts, kind, and the line that undo acts on then.
EVENTS: dict[str, tuple[str, tuple[int, Any, str, int | None] | None]] = {
    "a bid": ("3", (1, bids(3), "bid", 2)),
    "another": ("3 2", (1, bids(3, 2), "bid", 3)),
    "undo": ("3 2 undo", (1, bids(3), "undo", 2)),
    "undo of the first bid": ("3 undo", (1, None, "undo", None)),
    "redo": ("3 undo redo", (1, bids(3), "redo", 2)),
    "a misdeal": ("3 misdeal", (1, None, "misdeal", 3)),
    "a round scored": ("score", (1, SCORE, "scored", 2)),
    "a round removed": ("score empty", (1, None, "removed", 3)),
    "other rules": ("3 rules", None),
    "other rules undone": ("3 rules undo", None),
    "a bid by other rules": ("rules 3", (1, bids(3), "bid", 3)),
}


@pytest.mark.parametrize("is_late", [False, True], ids=["at once", "missed"])
@pytest.mark.parametrize(("steps", "event"), EVENTS.values(), ids=EVENTS)
def test_an_event_tells_the_changed_round(
    game: Table, live: Room, steps: str, event: Any, is_late: bool
) -> None:
    stream = live.phone() if is_late else up_to_date(live.phone())
    play(game, steps)
    events = next_events(stream)
    while events[-1][0] < game.game.version:
        events = next_events(stream)
    newest = events[-1][1]
    rows = game.store.db.execute("SELECT version, hash FROM changes ORDER BY version").fetchall()
    based_on, revision = (revision_of(*row) for row in rows[-2:])
    assert newest["revision"] == revision
    if event is None:
        assert set(newest) == {"revision"}
        return
    assert newest["after"] == based_on
    assert tuple(newest[name] for name in ("round", "facts", "kind", "line")) == event
    change = changes_of(game.store.db, game.game)[-1]
    assert (newest["at"], newest["phone"]) == (change.at, change.phone)


def change_target(table: Table) -> None:
    """Score the game by other rules."""
    with table.store.write() as db:
        rules = replace(table.game.rules, target=300)
        change_rules(db, table.game, rules, table.game.version, Who(None, now()))


@pytest.mark.parametrize("seen", [0, 1, 99], ids=["nothing", "too little", "another history"])
def test_a_phone_that_has_missed_too_much_is_told_only_the_revision(
    game: Table, live: Room, monkeypatch: pytest.MonkeyPatch, seen: int
) -> None:
    monkeypatch.setattr(change_events, "MOST_MISSED", 2)
    play(game, "3 2 1")
    assert next_events(live.phone(seen)) == [(4, {"revision": game.game.revision})]


def test_a_phone_of_another_history_is_told_only_the_revision(game: Table, live: Room) -> None:
    revision = game.game.revision
    game.bid(3)
    events = [next_events(live.phone(1, hash_=hash_))[0][1] for hash_ in ("", revision[2:], "0123")]
    assert ["round" in event for event in events] == [True, True, False]


def test_watchers_are_told_only_the_newest_version(game: Table, live: Room) -> None:
    play(game, "3 2")
    stream = live.phone(is_watcher=True)
    assert list(islice(stream, 2))[1] == b"id: 3\ndata: 3\n\n"
    game.bid(1)
    assert next_events(stream) == [(4, 4)]
