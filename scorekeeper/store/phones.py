"""What becomes of a phone after it has joined: its name, when it was seen, its return.

And what phones keep score of that joined for one table of a club night.
"""

from collections.abc import Sequence
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


def language_of_table(db: Database, table_id: str) -> str:
    """Return the language in which a table shares, empty where it has chosen none."""
    return scalar(db, "SELECT language FROM tables WHERE id = ?", [table_id]) or ""


def set_language_of_table(db: Database, table_id: str, language: str) -> None:
    """Set the language in which a table shares; an empty one takes it away."""
    db.execute("UPDATE tables SET language = ? WHERE id = ?", [language or None, table_id])


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


KEPT = """
FROM phones JOIN tables ON tables.id = phones.table_id
JOIN club_keepers AS keeper ON keeper.table_id = phones.table_id AND phone_id = phones.id
JOIN club_matches AS played ON played.table_id = phones.table_id
    AND played.night_id = keeper.night_id AND played.number = keeper.number
WHERE phones.id IN ({ids}) AND removed IS NULL AND game_id = ?
"""
KEEPER = f"""
SELECT phones.id, phones.table_id, label, zone, coalesce(tables.name, ''), coalesce(seen, joined)
{KEPT} AND (state = 'running' OR (
    state = 'closed'
    AND EXISTS (SELECT 1 FROM club_matches AS other WHERE other.table_id = played.table_id
        AND other.night_id = played.night_id AND other.state <> 'closed')
"""
UNLESS_OVER = """
    AND NOT EXISTS (SELECT 1 FROM outcomes
        WHERE outcomes.table_id = played.table_id AND outcomes.game_id = played.game_id)
"""


def find_keeper(
    db: Database, phone_ids: Sequence[str], game_id: str, *, repeats: bool = False
) -> Phone | None:
    """Return the one of some phones that keeps score of a game: of its table in a running match.

    While the evening goes on it may also send what a table has played without the server, where
    the match was closed with a result by hand; who only `repeats` that, after the game is over too.
    """
    query = f"{KEEPER}{'' if repeats else UNLESS_OVER}))".format(
        ids=", ".join("?" * len(phone_ids))
    )
    row = phone_ids and db.execute(query, [*phone_ids, game_id]).fetchone()
    return Phone(*row) if row else None


def table_kept(db: Database, phone_ids: Sequence[str], game_id: str) -> int | None:
    """Return the table number at which some phones kept score of a game, in whatever match."""
    query = f"SELECT played.number {KEPT}".format(ids=", ".join("?" * len(phone_ids)))
    number: int | None = scalar(db, query, [*phone_ids, game_id]) if phone_ids else None
    return number
