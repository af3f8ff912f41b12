"""Idempotency keys: a request that is sent again leads to the game that it has started."""

import re
from typing import NamedTuple

from scorekeeper.store.database.connection import Database

MAX_KEY_LENGTH = 64


class StartRequest(NamedTuple):
    """A request to start a game: a key chosen by the client, and the hash of its content."""

    key: str
    content: str


class OtherContent(Exception):
    """The key was used for a request with other content."""


def is_key(text: str) -> bool:
    """Return whether a text is a valid key: printable ASCII without blanks, not too long."""
    return re.fullmatch(rf"[!-~]{{1,{MAX_KEY_LENGTH}}}", text) is not None


def game_started(db: Database, table_id: str, request: StartRequest | None) -> str | None:
    """Return the game that a request has started at a table, or None where it is new.

    Raises `OtherContent` where the key was used for another game.
    """
    if request is None:
        return None
    row = db.execute(
        "SELECT game_id, content FROM requests WHERE table_id = ? AND request_key = ?",
        [table_id, request.key],
    ).fetchone()
    if row and row[1] != request.content:
        raise OtherContent
    return row[0] if row else None


def remember(db: Database, table_id: str, request: StartRequest | None, game_id: str) -> None:
    """Store which game a request has started, in place of an earlier one of its key."""
    if request is not None:
        db.execute(
            "INSERT INTO requests VALUES (?, ?, ?, ?) ON CONFLICT (table_id, request_key) "
            "DO UPDATE SET content = excluded.content, game_id = excluded.game_id",
            [table_id, *request, game_id],
        )
