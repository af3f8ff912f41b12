"""Links of a club night: its wall, its poster, and slips by which a phone keeps score at a table.

No key is stored: each follows from the server's secret, the evening and how many of its kind have
ended before it.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from scorekeeper.clock import stamp
from scorekeeper.store.club import ClubNight, find_night, load_night
from scorekeeper.store.connection import Database
from scorekeeper.store.tables import KEY_LENGTH, Phone, join

Kind = Literal["slip", "wall", "poster"]
Where = tuple[Kind, int]  # and the number of a table, for a slip; else 0


def link_key(club: ClubNight, where: Where, secret: str) -> str:
    """Return the key of a link, of 26 characters; another one once it has ended."""
    ended = club.night.links.get(where, 0)
    message = ":".join(["club", *club.key, where[0], str(where[1]), str(ended)])
    digest = hmac.new(secret.encode(), message.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode().lower()[:KEY_LENGTH]


def night_of_link(
    db: Database, night_id: str, where: Where, key: str, secret: str
) -> ClubNight | None:
    """Return the evening whose link has a key, or None where it has ended or is none of it."""
    for table_id in find_night(db, night_id):
        club = load_night(db, table_id, night_id)
        if club and hmac.compare_digest(
            link_key(club, where, secret).encode(), key.encode("utf-8", "surrogatepass")
        ):
            return club
    return None


def join_as_keeper(db: Database, club: ClubNight, number: int, label: str, at: datetime) -> Phone:
    """Insert a phone that keeps score at a table number; its id goes into a cookie."""
    phone = join(db, club.table_id, label, at)
    row = [club.table_id, phone.id, club.id, number]
    db.execute("INSERT INTO club_keepers VALUES (?, ?, ?, ?)", row)
    return phone


def end_keepers(db: Database, club: ClubNight, number: int, at: datetime) -> None:
    """Remove the phones that keep score at a table number."""
    db.execute(
        "UPDATE phones SET removed = ? WHERE table_id = ? AND removed IS NULL AND id IN "
        "(SELECT phone_id FROM club_keepers WHERE table_id = ? AND night_id = ? AND number = ?)",
        [stamp(at), club.table_id, *club.key, number],
    )


def keeps_at(db: Database, phone_ids: Sequence[str]) -> list[tuple[str, str, int]]:
    """Return table, evening and table number of the phones that keep score somewhere, newest first.

    Those of evenings that are over are among them.
    """
    if not phone_ids:
        return []
    places = ", ".join("?" * len(phone_ids))
    query = (
        "SELECT phones.table_id, night_id, number FROM phones JOIN club_keepers "
        "ON club_keepers.table_id = phones.table_id AND phone_id = phones.id "
        f"WHERE phones.id IN ({places}) AND removed IS NULL ORDER BY joined DESC"
    )
    return [(row[0], row[1], row[2]) for row in db.execute(query, [*phone_ids]).fetchall()]
