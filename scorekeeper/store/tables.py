"""Tables, their join keys, the phones that have joined them, and the rules they saved.

Also who sees a single game: watch links, which show it to watchers, and the seats that phones have
claimed. A key is a secret: only its hash is stored, by which it is found.
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from scorekeeper.clock import day_in, now, stamp
from scorekeeper.free_text import name_key
from scorekeeper.rules.presets import PRESETS, apply_house_rules
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.store.connection import Database, StoreError, scalar
from scorekeeper.store.damage import advice
from scorekeeper.store.database import Store, StoreRefused
from scorekeeper.store.games import ALPHABET, Game

KEY_LENGTH = 26  # 130 bits
SERVER_LINK = "printed at the start"  # label of the key of the server's own table
NOBODY = NO_LINK = ""  # made a key, and brought a phone; NULL where that was before version 14
MAX_LINKS = 100  # a table, open at once
MAX_LISTED = 200  # phones on a page
END = "9999"  # later than every moment
FEED = "feed-"  # begins the stored hash of a feed key, so that it opens nothing else
SHORT = 12  # characters of a hash or an id, which identify it within its table
# What a phone of a table is not: one that only keeps score of one table of a club night.
KEEPS_ONE = (
    "EXISTS (SELECT 1 FROM club_keepers WHERE club_keepers.table_id = phones.table_id "
    "AND phone_id = phones.id)"
)


class Phone(NamedTuple):
    """A phone that joined a table; `zone` names the time zone of the table, if it has one.

    `table_name` is empty where the table has none, and `seen` the stored time of its last entry.
    One that keeps score of a single table of a club night has its own table as `home`.
    """

    id: str
    table_id: str
    label: str
    zone: str | None = None
    table_name: str = ""
    seen: str = ""
    home: str = ""

    @property
    def short(self) -> str:
        """The start of its id, by which pages name it, as the whole id is a secret."""
        return self.id[:SHORT]


class Link(NamedTuple):
    """A join link, which is an API key too, or the address of a feed.

    It has the start of its hash, its label, and when it was made.

    `made_by` is the start of the id of the phone that made it, and `maker` that phone's label.
    Nobody is named for links of the server and the API, and None where it is not known.
    """

    short: str
    label: str
    since: str
    made_by: str | None
    maker: str | None

    @property
    def is_feed(self) -> bool:
        """Whether it is the address of a feed for spreadsheets, by which nobody joins."""
        return self.short.startswith(FEED)


class JoinedPhone(NamedTuple):
    """A phone in a list: the start of its id, its label, when it joined and by which link.

    `joined_by` is the start of the link's hash, empty for none, None where it is not known. `seen`
    is when it last entered something, None where that was before data version 18.
    """

    short: str
    label: str
    since: str
    joined_by: str | None
    seen: str | None

    def made(self, link: Link) -> bool:
        """Return whether a link ends with this phone, which made it."""
        return link.made_by == self.short

    def came_by(self, link: Link) -> bool:
        """Return whether it joined with a link, which ends with it too."""
        return link.short == self.joined_by


def make_table(db: Database, at: datetime) -> str:
    """Insert a table and return its id."""
    table_id = random_word(10)
    db.execute("INSERT INTO tables (id, made) VALUES (?, ?)", [table_id, stamp(at)])
    return table_id


def make_join_key(
    db: Database, table_id: str, label: str, at: datetime, made_by: str = NOBODY
) -> str:
    """Insert a join key for a table, made by a phone, and return it; only its hash is stored."""
    key = random_word(KEY_LENGTH)
    _insert_key(db, table_id, (hash_of(key), label), at, made_by)
    return key


def make_feed_key(db: Database, table_id: str, label: str, at: datetime, made_by: str) -> str:
    """Insert the key of a feed, which a phone makes, and return it; it is listed as a link."""
    key = random_word(KEY_LENGTH)
    _insert_key(db, table_id, (FEED + hash_of(key), label), at, made_by)
    return key


def _insert_key(
    db: Database, table_id: str, key: tuple[str, str], at: datetime, made_by: str
) -> None:
    """Insert a key, given by its hash and its label."""
    db.execute(
        "INSERT INTO keys VALUES (?, ?, ?, ?, NULL, ?)", [table_id, *key, stamp(at), made_by]
    )


def table_of_feed_key(db: Database, key: str) -> str | None:
    """Return the table of a feed key, or None for a key that is unknown or has ended."""
    query = "SELECT table_id FROM keys WHERE hash = ? AND ended IS NULL"
    return scalar(db, query, [FEED + hash_of(key)])


def table_of_join_key(db: Database, key: str) -> str | None:
    """Return the table of a join key, or None for a key that is unknown or has ended."""
    return scalar(db, "SELECT table_id FROM keys WHERE hash = ? AND ended IS NULL", [hash_of(key)])


def label_of_join_key(db: Database, key: str) -> str:
    """Return the label of a join key; empty for that of the server's own table."""
    label = scalar(db, "SELECT label FROM keys WHERE hash = ?", [hash_of(key)])
    return "" if label is None or label == SERVER_LINK else label


def has_most_links(db: Database, table_id: str) -> bool:
    """Return whether a table has as many open join links as one that makes another may have."""
    query = "SELECT count(*) FROM keys WHERE table_id = ? AND ended IS NULL"
    return (scalar(db, query, [table_id]) or 0) >= MAX_LINKS


def open_links(db: Database, table_id: str) -> list[Link]:
    """Return every join link and feed of a table that has not ended, newest first."""
    rows = db.execute(
        "SELECT substr(hash, 1, ?), keys.label, made, substr(made_by, 1, ?), phones.label "
        "FROM keys LEFT JOIN phones ON phones.table_id = keys.table_id AND phones.id = made_by "
        "WHERE keys.table_id = ? AND ended IS NULL ORDER BY made DESC, hash",
        [SHORT, SHORT, table_id],
    )
    return [Link(*row) for row in rows.fetchall()]


def joined_phones(
    db: Database, table_id: str, after: str = "", *, keepers: bool = False
) -> list[JoinedPhone]:
    """Return a page of the phones that have joined a table, newest first: those after one.

    Those that keep score of one table of a club night are listed apart, as `keepers`.

    It has one phone more than `MAX_LISTED` where another page follows.
    """
    place = db.execute(
        "SELECT joined, id FROM phones WHERE table_id = ? AND substr(id, 1, ?) = ?",
        [table_id, SHORT, after],
    ).fetchone()
    rows = db.execute(
        "SELECT substr(id, 1, ?), label, joined, substr(joined_by, 1, ?), seen FROM phones "
        "WHERE table_id = ? AND removed IS NULL AND (joined, id) < (?, ?) "
        f"AND {'' if keepers else 'NOT '}{KEEPS_ONE} ORDER BY joined DESC, id DESC LIMIT ?",
        [SHORT, SHORT, table_id, *(place or (END, "")), MAX_LISTED + 1],
    )
    return [JoinedPhone(*row) for row in rows.fetchall()]


def count_phones(db: Database, table_id: str) -> int:
    """Return how many phones keep score for a table."""
    query = (
        f"SELECT count(*) FROM phones WHERE table_id = ? AND removed IS NULL AND NOT {KEEPS_ONE}"
    )
    return int(scalar(db, query, [table_id]) or 0)


def end_link(db: Database, table_id: str, short: str, at: datetime) -> bool:
    """End a join link of a table and return whether the table has it."""
    ended = db.execute(
        "UPDATE keys SET ended = coalesce(ended, ?) WHERE table_id = ? AND substr(hash, 1, ?) = ?",
        [stamp(at), table_id, SHORT, short],
    )
    return ended.rowcount > 0


def remove_phone(
    db: Database, table_id: str, short: str, at: datetime, *, keeps_links: bool = False
) -> bool:
    """Remove a phone from a table and return whether the table had it.

    Unless it `keeps_links`, its owner must not join again: the links that it made and the one that
    it joined with end at the same moment, and every invitation of the table is void.
    """
    row = db.execute(
        "SELECT id, joined_by, removed FROM phones WHERE table_id = ? AND substr(id, 1, ?) = ?",
        [table_id, SHORT, short],
    ).fetchone()
    if row is None:
        return False
    phone_id, joined_by, removed = row
    if removed is None:
        query = "UPDATE phones SET removed = ? WHERE table_id = ? AND id = ?"
        db.execute(query, [stamp(at), table_id, phone_id])
    if not keeps_links:
        db.execute(
            "UPDATE keys SET ended = ? WHERE table_id = ? AND ended IS NULL "
            "AND (made_by = ? OR hash = ?)",
            [stamp(at), table_id, phone_id, joined_by],
        )
        _void_invitations(db, table_id, at)
    _clear_claims(db, table_id)
    return True


def _void_invitations(db: Database, table_id: str, at: datetime) -> None:
    """Let no invitation open a table that was made until now."""
    db.execute("UPDATE tables SET invites_since = ? WHERE id = ?", [stamp(at), table_id])


def remove_others(db: Database, phone: Phone, at: datetime) -> None:
    """Remove every other phone from the table of a phone, and end its join links."""
    db.execute(
        "UPDATE keys SET ended = ? WHERE table_id = ? AND ended IS NULL",
        [stamp(at), phone.table_id],
    )
    db.execute(
        "UPDATE phones SET removed = ? WHERE table_id = ? AND removed IS NULL AND id <> ?",
        [stamp(at), phone.table_id, phone.id],
    )
    _void_invitations(db, phone.table_id, at)
    _clear_claims(db, phone.table_id)


def join(db: Database, table_id: str, label: str, at: datetime, key: str = "") -> Phone:
    """Insert a phone of a table, which came by a join key or none; its id goes into a cookie."""
    phone_id = random_word(KEY_LENGTH)
    joined_by = hash_of(key) if key else NO_LINK
    db.execute(
        "INSERT INTO phones (table_id, id, label, joined, joined_by) VALUES (?, ?, ?, ?, ?)",
        [table_id, phone_id, label, stamp(at), joined_by],
    )
    return Phone(phone_id, table_id, label, zone_of_table(db, table_id), seen=stamp(at))


def zone_of_table(db: Database, table_id: str) -> str | None:
    """Return the name of the time zone of a table, or None where it has none yet."""
    zone: str | None = scalar(db, "SELECT zone FROM tables WHERE id = ?", [table_id])
    return zone


def set_first_zone(db: Database, table_id: str, zone: str | None) -> None:
    """Set the time zone of a table that has none yet, where a phone has told one."""
    if zone and zone_of_table(db, table_id) is None:
        set_zone_of_table(db, table_id, zone)


def set_zone_of_table(db: Database, table_id: str, zone: str) -> None:
    """Set the time zone of a table, one of `clock.zone_names`, and the days of its results."""
    db.execute("UPDATE tables SET zone = ? WHERE id = ?", [zone, table_id])
    began = db.execute(
        "SELECT started, games.id, day FROM outcomes JOIN games "
        "ON games.table_id = outcomes.table_id AND games.id = game_id WHERE games.table_id = ?",
        [table_id],
    ).fetchall()
    db.executemany(
        "UPDATE outcomes SET day = ? WHERE table_id = ? AND game_id = ?",
        [
            (day_in(zone, at), table_id, game_id)
            for at, game_id, day in began
            if day_in(zone, at) != day
        ],
    )


def find_phone(db: Database, phone_id: str) -> Phone | None:
    """Return a phone that has joined a table and was not removed."""
    row = db.execute(
        "SELECT phones.id, table_id, label, zone, coalesce(name, ''), coalesce(seen, joined) "
        "FROM phones JOIN tables ON tables.id = table_id "
        f"WHERE phones.id = ? AND removed IS NULL AND NOT {KEEPS_ONE}",
        [phone_id],
    ).fetchone()
    return row and Phone(*row)


def was_phone(db: Database, phone_id: str) -> bool:
    """Return whether a phone has ever joined a table, even if it was removed."""
    return scalar(db, "SELECT 1 FROM phones WHERE id = ?", [phone_id]) is not None


def new_server_link(store: Store, show: Callable[[str], object] | None = None) -> str:
    """Return a new join key for the server's own table, which the first start inserts.

    The key printed at the last start ends; phones that joined with it stay joined. Where `show`
    raises, the new key is not stored and the last one stays. Raises `StoreRefused` where it cannot
    be stored.
    """
    at = now()
    try:
        with store.write() as db:
            table_id = server_table(db, at)
            db.execute(
                "UPDATE keys SET ended = ? WHERE table_id = ? AND label = ? AND ended IS NULL",
                [stamp(at), table_id, SERVER_LINK],
            )
            key = make_join_key(db, table_id, SERVER_LINK, at)
            if show:
                show(key)
        return key
    except StoreError as error:
        raise StoreRefused(advice(store.path, error)) from error


def find_server_table(db: Database) -> str | None:
    """Return the server's own table, or None where it has not been started."""
    query = "SELECT table_id FROM keys WHERE label = ? ORDER BY made LIMIT 1"
    table_id: str | None = scalar(db, query, [SERVER_LINK])
    return table_id


def server_table(db: Database, at: datetime) -> str:
    """Return the server's own table, known by its key's label; inserted where it is missing."""
    table_id = find_server_table(db)
    if table_id is None:
        table_id = make_table(db, at)
        make_join_key(db, table_id, SERVER_LINK, at)
    return table_id


def count_games(db: Database, table_id: str, most: int) -> int:
    """Return how many games a table has, counted no further than `most`."""
    counted = db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM games WHERE table_id = ? LIMIT ?) AS counted",
        [table_id, most],
    )
    return int(counted.fetchone()[0])


def random_word(length: int) -> str:
    """Return random lower-case letters and digits, five bits each."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def hash_of(key: str) -> str:
    """Return the hash of a key, which is stored in its place."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _clear_claims(db: Database, table_id: str) -> None:
    """Release the seats of phones that were removed, and drop their entries in conflict."""
    for name in ("claims", "conflicts"):
        db.execute(
            f"DELETE FROM {name} WHERE table_id = ? AND phone_id IN "
            "(SELECT id FROM phones WHERE table_id = ? AND removed IS NOT NULL)",
            [table_id, table_id],
        )


ID_LENGTH = 10
MAX_SAVED_RULES = 100  # a table


class NameTaken(Exception):
    """The table has saved other rules of that name; `saved` are those."""

    def __init__(self, saved: "SavedRules"):
        super().__init__(saved.rules.name)
        self.saved = saved


class TooMany(Exception):
    """The table has saved as many rule sets as it may."""


class SavedRules(NamedTuple):
    """A saved rule set; `version` grows with every change."""

    id: str
    version: int
    rules: RuleSet


def save_rules(db: Database, table_id: str, rules: RuleSet) -> str:
    """Save rules under their name and return their id; equal ones are saved once.

    Raises `NameTaken` where other rules have the name, and `TooMany`.
    """
    saved = list_saved_rules(db, table_id)
    if named := _named(saved, rules.name):
        if named.rules != rules:
            raise NameTaken(named)
        return named.id
    if len(saved) >= MAX_SAVED_RULES:
        raise TooMany
    made = random_word(ID_LENGTH)
    db.execute(
        "INSERT INTO rule_sets VALUES (?, ?, ?, ?, ?, ?, 1)", [table_id, made, *_cells(rules)]
    )
    return made


def change_saved_rules(db: Database, table_id: str, saved: SavedRules, rules: RuleSet) -> None:
    """Replace saved rules; games that were started with them keep their own.

    Raises `NameTaken` where a third set has the name.
    """
    others = [one for one in list_saved_rules(db, table_id) if one.id != saved.id]
    if named := _named(others, rules.name):
        raise NameTaken(named)
    db.execute(
        "UPDATE rule_sets SET name = ?, same_name = ?, rules = ?, house_rules = ?, "
        "version = version + 1 WHERE table_id = ? AND id = ?",
        [*_cells(rules), table_id, saved.id],
    )


def remove_saved_rules(db: Database, table_id: str, rules_id: str) -> None:
    db.execute("DELETE FROM rule_sets WHERE table_id = ? AND id = ?", [table_id, rules_id])


def list_saved_rules(db: Database, table_id: str) -> list[SavedRules]:
    """Return the saved rules of a table, by name."""
    rows = db.query("SELECT * FROM rule_sets WHERE table_id = ? ORDER BY same_name", [table_id])
    return [_saved(row) for row in rows if row["rules"] in PRESETS]


def find_saved_rules(db: Database, table_id: str, rules_id: str) -> SavedRules | None:
    """Return saved rules of a table by id, or None."""
    return next((one for one in list_saved_rules(db, table_id) if one.id == rules_id), None)


def _saved(row: dict[str, Any]) -> SavedRules:
    # Values that are refused today are left out, so that the page can be shown.
    rules, _refused = apply_house_rules(PRESETS[row["rules"]], json.loads(row["house_rules"]))
    return SavedRules(row["id"], row["version"], replace(rules, name=row["name"]))


def _named(saved: list[SavedRules], name: str) -> SavedRules | None:
    return next((one for one in saved if name_key(one.rules.name) == name_key(name)), None)


def _cells(rules: RuleSet) -> list[str]:
    changes = house_rules(PRESETS[rules.key], rules)
    return [rules.name, name_key(rules.name), rules.key, json.dumps(changes)]


class OwnSeat(NamedTuple):
    """The seat that a phone has claimed, from 0, and the label of a phone that took it over."""

    seat: int
    taken_by: str | None = None


class SeatClaim(NamedTuple):
    """A phone that plays for a seat, by its id and label; claims are numbered in each game."""

    phone_id: str
    label: str
    number: int


def watch_key(db: Database, game: Game, secret: str) -> str | None:
    """Return the key of the game's watch link, or None where it has none.

    The key is derived from the server's secret, so it can be shown again although only its hash
    is stored.
    """
    number = _link_number(db, game)
    return None if number is None else _derive(game.id, number, secret)


def is_shared(db: Database, game: Game) -> bool:
    """Return whether a watch link shows the game."""
    return _link_number(db, game) is not None


def _link_number(db: Database, game: Game) -> int | None:
    query = "SELECT number FROM watch_links WHERE table_id = ? AND game_id = ? AND ended IS NULL"
    return scalar(db, query, [game.table_id, game.id])


def make_watch_link(db: Database, game: Game, secret: str, at: datetime) -> str:
    """Make a watch link, unless there is one, and return its key; a key is never used again."""
    key = watch_key(db, game, secret)
    if key is not None:
        return key
    query = "SELECT count(*) FROM watch_links WHERE table_id = ? AND game_id = ?"
    number = (scalar(db, query, [game.table_id, game.id]) or 0) + 1
    key = _derive(game.id, number, secret)
    db.execute(
        "INSERT INTO watch_links VALUES (?, ?, ?, ?, ?, NULL)",
        [game.table_id, game.id, number, hash_of(key), stamp(at)],
    )
    return key


def end_watch_link(db: Database, game: Game, at: datetime) -> None:
    db.execute(
        "UPDATE watch_links SET ended = ? WHERE table_id = ? AND game_id = ? AND ended IS NULL",
        [stamp(at), game.table_id, game.id],
    )


def watched_game(db: Database, key: str) -> tuple[str, str] | None:
    """Return table and game of a watch key, or None for a key that is unknown or has ended."""
    row = db.execute(
        "SELECT table_id, game_id FROM watch_links WHERE hash = ? AND ended IS NULL", [hash_of(key)]
    ).fetchone()
    return (row[0], row[1]) if row else None


def claim_seat(db: Database, game: Game, seat: int, phone_id: str) -> None:
    """Give a seat to a phone; it loses any other seat. A phone that had it is told so."""
    release_seat(db, game, phone_id)
    query = "SELECT max(number) FROM claims WHERE table_id = ? AND game_id = ?"
    number = (scalar(db, query, [game.table_id, game.id]) or 0) + 1
    db.execute(
        "INSERT INTO claims VALUES (?, ?, ?, ?, ?)",
        [game.table_id, game.id, phone_id, seat, number],
    )


def release_seat(db: Database, game: Game, phone_id: str) -> None:
    """Release the seat of a phone, which then keeps score for everybody."""
    db.execute(
        "DELETE FROM claims WHERE table_id = ? AND game_id = ? AND phone_id = ?",
        [game.table_id, game.id, phone_id],
    )


def move_claims(db: Database, before: Game, after: Game) -> None:
    """Let the phones that play for players who change seats go with them."""
    old, new = before.names, after.names
    moves = {seat: new.index(name) for seat, name in enumerate(old) if name in new}
    if cases := [f"WHEN {seat} THEN {now}" for seat, now in moves.items() if seat != now]:
        db.execute(
            f"UPDATE claims SET seat = CASE seat {' '.join(cases)} ELSE seat END "
            "WHERE table_id = ? AND game_id = ?",
            [after.table_id, after.id],
        )


def own_seat(db: Database, game: Game, phone_id: str) -> OwnSeat | None:
    """Return the seat that a phone has claimed in a game, or None."""
    seat = scalar(
        db,
        "SELECT seat FROM claims WHERE table_id = ? AND game_id = ? AND phone_id = ?",
        [game.table_id, game.id, phone_id],
    )
    if seat is None:
        return None
    holder = seat_claims(db, game)[seat]
    return OwnSeat(seat, None if holder.phone_id == phone_id else holder.label)


def seat_claims(db: Database, game: Game) -> dict[int, SeatClaim]:
    """Return the phone that plays for each seat that was claimed: the one that claimed it last."""
    rows = db.query(
        "SELECT seat, phone_id, label, number FROM claims JOIN phones "
        "ON phones.table_id = claims.table_id AND phones.id = phone_id "
        "WHERE claims.table_id = ? AND game_id = ? ORDER BY number",
        [game.table_id, game.id],
    )
    return {row["seat"]: SeatClaim(row["phone_id"], row["label"], row["number"]) for row in rows}


def _derive(game_id: str, number: int, secret: str) -> str:
    message = f"watch:{game_id}:{number}".encode()
    digest = hmac.new(secret.encode(), message, hashlib.sha256).digest()
    return base64.b32encode(digest).decode().lower()[:KEY_LENGTH]


def owner_of(phone: Phone) -> str:
    """Return the id of a phone's table for use on the phone, from which no key can be derived."""
    return hash_of(f"table:{phone.home or phone.table_id}")[:SHORT]
