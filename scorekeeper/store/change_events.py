"""The changes of a game as events for the phones that follow it."""

import json
from typing import Any, NamedTuple

from scorekeeper.store.database.connection import Database
from scorekeeper.store.games import revision_of
from scorekeeper.store.player_ids import with_names

MOST_MISSED = 20  # changes; a phone that has missed more fetches the game
LINES = """
SELECT version, hash, round, after, kind, stands, at, coalesce(changes.label, phones.label)
FROM changes LEFT JOIN phones ON phones.table_id = changes.table_id AND phones.id = phone_id
WHERE changes.table_id = ? AND game_id = ? AND version >= ? ORDER BY version LIMIT ?
"""


class ChangeEvent(NamedTuple):
    """A change of a game as JSON: the new facts of a round, or only the revision."""

    version: int
    content: str


def events_since(
    db: Database, table_id: str, game_id: str, seen: int, hash_: str = ""
) -> list[ChangeEvent]:
    """Return the changes of a game after a version whose hash begins with `hash_`, oldest first.

    Where they are more than `MOST_MISSED`, or that version is not in the journal, only the newest
    revision is told.
    """
    game = [table_id, game_id]
    rows = db.execute(LINES, [*game, seen, MOST_MISSED + 2]).fetchall()
    first, *lines = rows or [(None, "")]
    if first[0] != seen or not first[1].startswith(hash_) or len(lines) > MOST_MISSED:
        newest = db.execute(
            "SELECT version, hash FROM changes WHERE table_id = ? AND game_id = ? "
            "ORDER BY version DESC LIMIT 1",
            game,
        ).fetchone()
        return [_event(newest[0], revision=revision_of(*newest))]
    before = [revision_of(*line[:2]) for line in (first, *lines)]
    named = [(*line[:3], with_names(db, table_id, line[3]), *line[4:]) for line in lines]
    return [_of_line(line, after) for line, after in zip(named, before, strict=False)]


def _of_line(line: tuple[Any, ...], based_on: str) -> ChangeEvent:
    """Return what a line tells that follows the revision `based_on`."""
    version, hash_, number, after, kind, stands, at, phone = line
    revision = revision_of(version, hash_)
    if number is None:  # of the rules, or a removal
        return _event(version, revision=revision)
    facts = after and {"bids": None, "tricks": None, "tally": None, **json.loads(after)}
    return _event(
        version,
        revision=revision,
        after=based_on,
        round=number,
        facts=facts,
        kind=kind,
        line=stands if stands > 1 else None,  # the first line cannot be undone
        at=at,
        phone=phone,
    )


def _event(version: int, **content: Any) -> ChangeEvent:
    return ChangeEvent(version, json.dumps(content, separators=(",", ":")))
