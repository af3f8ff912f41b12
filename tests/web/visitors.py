"""Every kind of visitor, and the requests that each of them sends."""

from dataclasses import dataclass, field, replace
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from itsdangerous import URLSafeTimedSerializer

from scorekeeper.club.events import LinkEnded
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.store.club import record
from scorekeeper.store.club_links import Kind, link_key
from scorekeeper.store.entry import Entry
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import (
    SHORT,
    end_link,
    end_watch_link,
    hash_of,
    make_join_key,
    make_watch_link,
    random_word,
    remove_phone,
    save_rules,
)
from tests.store.play import put_round
from tests.web.club.evening import begin_night
from tests.web.play import AT, Table

VISITORS = ("nobody", "phone", "guest", "removed", "ended", "watch", "bearer")
"""Who asks, one column of the table each.

nobody   a phone that has no key at all and guesses
phone    a phone of this table
guest    a phone of another table
removed  a phone that was of this table, with a link that it made
ended    a phone with links that have ended, for joining and for looking on
watch    a phone that looks on by the game's watch link
bearer   a program that sends a key of the table with each request, and no cookie
"""


NEW_GAME = {"rules": "cutthroat-lite", "players": ["North", "East", "South", "West"]}
SCORED = Entry(1, Round((3, 2, 1, 4), (3, 2, 1, 4)), "scored")


@dataclass(frozen=True)
class Row:
    """One method of one route: the status for each visitor, None where the column says nothing."""

    method: str
    rule: str
    expected: tuple[int | None, ...]
    fields: dict[str, Any] = field(default_factory=dict)
    json: dict[str, Any] | None = None
    number: int = 1


CLUB_LINKS: dict[str, Kind] = {"/wall/": "wall", "/players/<key>": "poster"}


class Visitors:
    """A table with a game on, and everybody who might try to reach it."""

    def __init__(self, app: Flask) -> None:
        self.app, self.table, self.guest = app, Table(app), Table(app)
        self.table.sit_down("the owner")
        with self.table.store.write() as db:  # the guest's table has no player of such an id
            db.execute(
                "INSERT INTO players VALUES (?, 100, 'Zoe', 'zoe', NULL, 1, 1)", [self.table.id]
            )
        self._begin_game(self.table)
        self.guest.sit_down("the guest")
        self.watch_key = self._watch_link(self.table)
        with self.table.store.write() as db:
            friday = replace(PRESETS["cutthroat"], name="Friday night rules")
            self.rules = save_rules(db, self.table.id, friday)
            self.night = begin_night(db, self.table.id, Who(self.table.session["phone"], AT))
            self.ended_keys = {kind: self._club_key(kind) for kind in CLUB_LINKS.values()}
            for kind in CLUB_LINKS.values():
                who = Who(self.table.session["phone"], AT)
                self.night = record(db, self.night, LinkEnded(kind), who)
        self.phones = {visitor: app.test_client() for visitor in VISITORS}
        self.phones |= {"phone": self.table.client, "guest": self.guest.client}
        self.phones["removed"], removed_key = self._removed()
        self.keys = dict.fromkeys(VISITORS, (self.table.key, self.watch_key))
        self.keys["nobody"] = (random_word(26), random_word(26))
        self.keys["removed"] = (removed_key, self.watch_key)
        self.keys["ended"] = self._ended()
        # A key of one kind is none of the other.
        self.keys |= {"watch": (self.watch_key,) * 2, "bearer": (self.table.key,) * 2}

    def ask(self, visitor: str, row: Row, method: str) -> int:
        """Send the request of a row as one of the visitors and return the status."""
        key = self.table.key if visitor == "bearer" else ""
        return self.send(visitor, row, method, self.path(visitor, row), key)[0]

    def send(
        self, visitor: str, row: Row, method: str, path: str, key: str = ""
    ) -> tuple[int, bytes]:
        """Send the request of a row to an address; return status and body."""
        own = {"<rules_id>": 1, "<night_id>": self.night.version}
        version = next((own[gap] for gap in own if gap in row.rule), self.table.game.version)
        headers = {"If-Match": f'"{version}"'}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        body: dict[str, Any] = {}
        if row.json is not None:
            body["json"] = row.json
        elif method == "POST" and not row.rule.startswith("/api/"):
            token = self._token(self.phones[visitor])
            body["data"] = {"csrf_token": token, "version": version, **row.fields}
        answer = self.phones[visitor].open(path, method=method, headers=headers, **body)
        told = b"" if answer.is_streamed and answer.status_code == 200 else answer.data
        answer.close()
        return answer.status_code, told

    def path(self, visitor: str, row: Row) -> str:
        """Return the address of a row as a visitor would write it."""
        join_key, watch_key = self.keys[visitor]
        words = {
            "club": random_word(26),
            "join": join_key,
            "watch": watch_key,
            "rules": "cutthroat",
            "feed": join_key,
        }
        rows = self.table.store.db.query(
            "SELECT id FROM players WHERE table_id = ? AND id > 100 ORDER BY id", [self.table.id]
        )
        player, other, *_rest = (str(row["id"]) for row in rows)
        link, phone = hash_of(self.table.key), self.table.session["phone"]
        gaps = {
            "<rules_id>": self.rules,
            "<night_id>": self.night.id,
            "<round:match>": "1",
            "<key>": self._key_of(visitor, row.rule) or words.get(row.rule.split("/")[1], ""),
            "<int:entry>": "1",
            "<any(standings, results):what>": "results",
            "<game_id>": self.table.game_id,
            "<round:number>": str(row.number),
            "<int:seats>": "4",
            "<int:number>": "1",
            "<line:line>": "2",  # the scored round
            "<player_id>": player,
            "<other_id>": other,
            "<path:filename>": "icon.svg",
            "<language>": "en",
            "<words>": "call",
            "<any(call):words>": "call",
            "<short>": (link if "/links/" in row.rule else phone)[:SHORT],
        }
        path = row.rule
        for gap, value in gaps.items():
            path = path.replace(gap, value)
        assert "<" not in path, f"say what stands in {path}"
        return path

    def _key_of(self, visitor: str, rule: str) -> str:
        """Return the key that a visitor has for an address of a club night."""
        kind = next((kind for part, kind in CLUB_LINKS.items() if part in rule), None)
        if kind is None:
            return ""
        if visitor in ("nobody", "watch", "bearer", "keeper"):
            return self.keys[visitor][1]
        return self.ended_keys[kind] if visitor == "ended" else self._club_key(kind)

    def _club_key(self, kind: Kind) -> str:
        return link_key(self.night, (kind, 0), str(self.app.config["SECRET_KEY"]))

    def _begin_game(self, table: Table) -> None:
        """Begin a game of which one round is scored."""
        table.begin()
        with table.store.write() as db:
            put_round(db, table.game, SCORED, Who(table.session["phone"], AT))

    def _removed(self) -> tuple[FlaskClient, str]:
        phone = self.table.second_phone()
        with phone.store.write() as db:
            key = make_join_key(db, phone.id, "for later", AT, phone.session["phone"])
            remove_phone(db, phone.id, phone.session["phone"][:SHORT], AT)
        return phone.client, key

    def _ended(self) -> tuple[str, str]:
        with self.table.store.write() as db:
            key = make_join_key(db, self.table.id, "ended", AT)
            end_link(db, self.table.id, hash_of(key)[:SHORT], AT)
        self._begin_game(self.guest)
        watch_key = self._watch_link(self.guest)
        with self.guest.store.write() as db:
            end_watch_link(db, self.guest.game, AT)
        return key, watch_key

    def _watch_link(self, table: Table) -> str:
        with table.store.write() as db:
            return make_watch_link(db, table.game, str(self.app.config["SECRET_KEY"]), AT)

    def _token(self, client: FlaskClient) -> str:
        """Return a token that is good for this client, so that the token decides nothing here."""
        with client.session_transaction() as session:
            raw = session.setdefault("csrf_token", "0" * 40)
        secret = self.app.config["SECRET_KEY"]
        return str(URLSafeTimedSerializer(secret, salt="wtf-csrf-token").dumps(raw))
