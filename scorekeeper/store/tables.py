"""Tables, the keys that open them, and the phones that keep score for them.

A key is a secret: only its hash is stored, and it is looked up by that hash.
"""

import hashlib
import secrets
from datetime import datetime
from typing import NamedTuple

from sqlite_utils import Database

from scorekeeper.store.connection import Store
from scorekeeper.store.times import now, stamp

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i l o u: it can be read out and typed
KEY_LENGTH = 26  # 130 bits
HOUSE_LINK = "printed at the start"


class Phone(NamedTuple):
    """A phone that joined a table."""

    id: str
    table_id: str
    label: str


def make_table(db: Database, at: datetime) -> str:
    """Make a table and return its id."""
    table_id = random_word(10)
    db.execute("INSERT INTO tables VALUES (?, ?)", [table_id, stamp(at)])
    return table_id


def make_key(db: Database, table_id: str, label: str, at: datetime) -> str:
    """Make a join key for a table and return it; it cannot be read back later."""
    key = random_word(KEY_LENGTH)
    db.execute(
        "INSERT INTO keys VALUES (?, ?, ?, ?, NULL)", [hash_of(key), table_id, label, stamp(at)]
    )
    return key


def table_of_key(db: Database, key: str) -> str | None:
    """Return the table a join key opens, or None for a key that is unknown or ended."""
    rows = list(
        db.query("SELECT table_id FROM keys WHERE hash = ? AND ended IS NULL", [hash_of(key)])
    )
    return str(rows[0]["table_id"]) if rows else None


def join(db: Database, table_id: str, label: str, at: datetime) -> Phone:
    """Let a phone keep score for a table; its id goes into a signed cookie."""
    phone = Phone(random_word(KEY_LENGTH), table_id, label)
    db.execute("INSERT INTO phones VALUES (?, ?, ?, ?, NULL)", [*phone, stamp(at)])
    return phone


def find_phone(db: Database, phone_id: str) -> Phone | None:
    """Return a phone that joined and was not removed since."""
    rows = db.query(
        "SELECT id, table_id, label FROM phones WHERE id = ? AND removed IS NULL", [phone_id]
    )
    return next((Phone(**row) for row in rows), None)


def fresh_house_link(store: Store) -> str:
    """Return a new join key for the table of the house, made at the first start.

    The key printed at the last start ends; phones that joined with it stay joined.
    """
    at = now()
    with store.write() as db:
        rows = list(db.query("SELECT table_id FROM keys WHERE label = ? LIMIT 1", [HOUSE_LINK]))
        table_id = rows[0]["table_id"] if rows else make_table(db, at)
        db.execute(
            "UPDATE keys SET ended = ? WHERE label = ? AND ended IS NULL", [stamp(at), HOUSE_LINK]
        )
        return make_key(db, table_id, HOUSE_LINK, at)


def random_word(length: int) -> str:
    """Return random lower-case letters and digits, five bits each."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def hash_of(key: str) -> str:
    """Return what is kept of a key, by which it is found again."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
