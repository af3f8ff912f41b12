"""Requests that carry a key of their own: sent again, they find the game they started."""

import re
from typing import NamedTuple

from sqlite_utils import Database

LONGEST_KEY = 64


class Request(NamedTuple):
    """A request to start a game: a key that the sender chose, and a hash of what is asked for."""

    key: str
    content: str


class OtherContent(Exception):
    """A key that came with something else before."""


def is_key(text: str) -> bool:
    """Return whether a text can be a key: printable ASCII, no blanks inside, and not too long."""
    return re.fullmatch(rf"[!-~]{{1,{LONGEST_KEY}}}", text) is not None


def game_started(db: Database, table_id: str, request: Request | None) -> str | None:
    """Return the game that a request started at a table, or None where it is new here.

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


def remember(db: Database, table_id: str, request: Request | None, game_id: str) -> None:
    """Keep which game a request started; a key used before then leads to this one."""
    if request is not None:
        db.execute(
            "INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?)", [table_id, *request, game_id]
        )
