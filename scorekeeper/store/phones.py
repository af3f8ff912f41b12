"""What becomes of a phone after it has joined: its name, when it was seen, its return."""

from datetime import datetime, timedelta
from typing import NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.store.connection import Database, scalar
from scorekeeper.store.tables import SHORT, JoinedPhone, Phone

UNDO = timedelta(minutes=10)  # in which a removal can be taken back
SELDOM = timedelta(minutes=10)  # between two times that are stored


MAX_WATCHED = 20  # live links on a page


def find_joined_phone(db: Database, table_id: str, short: str) -> JoinedPhone | None:
    """Return a phone of a table by the start of its id, or None where it has none or not now."""
    row = db.execute(
        "SELECT substr(id, 1, ?), label, joined, substr(joined_by, 1, ?), seen FROM phones "
        "WHERE table_id = ? AND removed IS NULL AND substr(id, 1, ?) = ?",
        [SHORT, SHORT, table_id, SHORT, short],
    ).fetchone()
    return row and JoinedPhone(*row)


def rename_phone(db: Database, table_id: str, short: str, label: str) -> bool:
    """Name a phone, which the journal then calls so, and return whether the table has it."""
    named = db.execute(
        "UPDATE phones SET label = ? WHERE table_id = ? AND removed IS NULL "
        "AND substr(id, 1, ?) = ?",
        [label, table_id, SHORT, short],
    )
    return named.rowcount > 0


def name_table(db: Database, table_id: str, name: str) -> None:
    """Name a table; an empty name takes it away."""
    db.execute("UPDATE tables SET name = ? WHERE id = ?", [name or None, table_id])


def name_of_table(db: Database, table_id: str) -> str:
    """Return the name of a table, empty where it has none."""
    return scalar(db, "SELECT name FROM tables WHERE id = ?", [table_id]) or ""


def must_store_seen(phone: Phone, at: datetime) -> bool:
    """Return whether the time when a phone was seen is so old that a new one is worth a write."""
    return phone.seen < stamp(at - SELDOM)


def store_seen(db: Database, phone: Phone, at: datetime) -> None:
    """Store that a phone was seen."""
    query = "UPDATE phones SET seen = ? WHERE table_id = ? AND id = ?"
    db.execute(query, [stamp(at), phone.table_id, phone.id])


def restore_phone(db: Database, table_id: str, short: str, at: datetime) -> bool:
    """Let a phone return that was removed a moment ago, with the links that ended with it.

    Return whether there is one; its seats in games and its invitations do not return.
    """
    query = "SELECT removed FROM phones WHERE table_id = ? AND substr(id, 1, ?) = ?"
    removed = scalar(db, query, [table_id, SHORT, short])
    if removed is None or removed < stamp(at - UNDO):
        return False
    db.execute(
        "UPDATE phones SET removed = NULL WHERE table_id = ? AND substr(id, 1, ?) = ?",
        [table_id, SHORT, short],
    )
    db.execute("UPDATE keys SET ended = NULL WHERE table_id = ? AND ended = ?", [table_id, removed])
    return True


def restore_link(db: Database, table_id: str, short: str, at: datetime) -> bool:
    """Open a link again that was removed a moment ago, and return whether there is one."""
    opened = db.execute(
        "UPDATE keys SET ended = NULL WHERE table_id = ? AND substr(hash, 1, ?) = ? AND ended >= ?",
        [table_id, SHORT, short, stamp(at - UNDO)],
    )
    return opened.rowcount > 0


class WatchLink(NamedTuple):
    """A live link that is open: the game that it shows, and when it was made."""

    game_id: str
    since: str


def open_watch_links(db: Database, table_id: str) -> list[WatchLink]:
    """Return the live links of a table that are open, newest first, a page at most."""
    rows = db.execute(
        "SELECT game_id, made FROM watch_links WHERE table_id = ? AND ended IS NULL "
        "ORDER BY made DESC LIMIT ?",
        [table_id, MAX_WATCHED],
    )
    return [WatchLink(*row) for row in rows.fetchall()]
