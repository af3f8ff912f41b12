"""Invitations: keys for joining a table that a phone signs, so that nothing is stored for them.

An invitation names the phone that made it and when, and is signed with the secret of the server.
It opens for `HOURS`, as often as it is used; not after its maker was removed, nor once another
phone was removed after it was made, as that phone may know it. It is no key of the API and of
feeds, which are found by their stored hashes.
"""

import base64
import hashlib
import hmac
import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from scorekeeper.clock import stamp
from scorekeeper.store.connection import Database
from scorekeeper.store.games import ALPHABET
from scorekeeper.store.tables import SHORT, Phone

HOURS = 24
SIGN = "i"  # begins an invitation; no other key has this letter
TIME = 9  # digits of the milliseconds since 1970, five bits each
SIGNATURE = 22  # characters, 110 bits
LENGTH = len(SIGN) + SHORT + TIME + SIGNATURE
FORM = re.compile(f"{SIGN}[{ALPHABET}]{{{SHORT + TIME}}}[a-z2-7]{{{SIGNATURE}}}")


class Invitation(NamedTuple):
    """An invitation as it was signed: the phone that made it, its table, until when it opens.

    Where the removal of a phone has made it void, `void_since` is when the last one did.
    """

    maker: str
    table_id: str
    until: datetime
    void_since: str | None = None

    def is_open(self, at: datetime) -> bool:
        """Return whether it opens its table at a moment."""
        return self.void_since is None and at < self.until


def make_invitation(phone: Phone, secret: str, at: datetime) -> str:
    """Return a key by which others join the table of a phone; nothing is stored."""
    word = phone.short + _digits(int(at.timestamp() * 1000))
    return SIGN + word + _signature(word, phone.id, phone.table_id, secret)


def signed_invitation(db: Database, key: str, secret: str) -> Invitation | None:
    """Return what an invitation says, or None where no phone that ever joined here has signed it.

    It may be void, or no longer open.
    """
    if not FORM.fullmatch(key):
        return None
    short, digits = key[1 : 1 + SHORT], key[1 + SHORT : 1 + SHORT + TIME]
    found = db.execute(
        "SELECT phones.id, table_id, removed, invites_since FROM phones "
        "JOIN tables ON tables.id = table_id WHERE phones.id >= ? AND phones.id < ?",
        [short, f"{short}~"],
    ).fetchall()
    for phone_id, table_id, removed, since in found:
        expected = _signature(short + digits, phone_id, table_id, secret)
        if hmac.compare_digest(key[-SIGNATURE:], expected):
            made = _moment(digits)
            is_void = (since or "") >= stamp(made)
            void_since = removed or (since if is_void else None)
            return Invitation(phone_id, table_id, made + timedelta(hours=HOURS), void_since)
    return None


def _signature(word: str, phone_id: str, table_id: str, secret: str) -> str:
    message = f"invitation:{table_id}:{phone_id}:{word}".encode()
    digest = hmac.new(secret.encode(), message, hashlib.sha256).digest()
    return base64.b32encode(digest).decode().lower()[:SIGNATURE]


def _digits(number: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(TIME)))


def _moment(digits: str) -> datetime:
    number = sum(ALPHABET.index(d) << 5 * place for place, d in enumerate(reversed(digits)))
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=number)
