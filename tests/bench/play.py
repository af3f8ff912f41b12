"""Tables, phones and games to measure with, put straight into the store."""

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from scorekeeper import create_app
from scorekeeper.clock import now
from scorekeeper.files.round_json import round_json
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.rules.values import LARGEST
from scorekeeper.store import journal
from scorekeeper.store.database import Store
from scorekeeper.store.entry import GameSetup, create_game
from scorekeeper.store.games import load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.tables import Phone, join, make_table
from tests.bench.wire import Answer, request

CAST = ("North", "East", "South", "West")
ENDLESS = with_house_rules(PRESETS["cutthroat-lite"], {"target": str(LARGEST)})


class DataFolder:
    """A folder of games before a server opens it, and the cookies of its phones."""

    def __init__(self, folder: Path, **config: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.app = create_app(DATA=folder, **config)
        self.store: Store = self.app.extensions["store"]
        self.store.db.execute("PRAGMA synchronous = OFF")  # what is made here may be made again
        self.chance = random.Random(4)

    def phone(self, table_id: str | None = None) -> Phone:
        """Join a phone to a table, or to one of its own."""
        with self.store.write() as db:
            return join(db, table_id or make_table(db, now()), "a phone", now())

    def cookie(self, phone: Phone) -> str:
        signer = self.app.session_interface.get_signing_serializer(self.app)
        kept = signer.dumps({"phone": phone.id, "_permanent": True})
        return f"{self.app.config['SESSION_COOKIE_NAME']}={kept}"

    def games(
        self,
        phone: Phone,
        how_many: int,
        rounds: int,
        rules: RuleSet = ENDLESS,
        names: Sequence[str] = CAST,
    ) -> list[str]:
        """Return games of a phone's table in which some rounds were played."""
        made = []
        with self.store.write() as db:
            for _ in range(how_many):
                setup = GameSetup(rules, names, len(names) - 1)
                game_id = create_game(db, phone.table_id, setup, Who(phone.id, now()))
                game = load_game(db, phone.table_id, game_id)
                assert game is not None
                for number in range(1, rounds + 1):
                    round_ = deal(self.chance, len(names), rules.tricks)
                    game = journal.replace_round(
                        db,
                        game,
                        number,
                        round_,
                        journal.Action("scored", journal.Who(phone.id, now())),
                    )
                made.append(game_id)
        return made

    def close(self) -> None:
        self.store.backups.end()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def deal(chance: random.Random, players: int, tricks: int) -> Round:
    """Return a round as people play it."""
    taken = [0] * players
    for _ in range(tricks):
        taken[chance.randrange(players)] += 1
    bids = tuple(max(1, count + chance.choice((-1, 0, 0, 0, 1))) for count in taken)
    return Round(bids, tuple(taken))


def after_each_tap(deal: Round) -> list[Round]:
    """Return a round as it is after each tap: the bids, the counts but the last, the score."""
    bids, tricks = deal.bids, deal.tricks
    assert tricks is not None
    seats = len(bids)
    none: tuple[None, ...] = (None,) * seats
    bidding = [Round((*bids[:n], *none[n:]), None) for n in range(1, seats + 1)]
    counting = [Round(bids, None, (*tricks[:n], *none[n:])) for n in range(1, seats)]
    return [*bidding, *counting, deal]


def rounds_text(*rounds: Round) -> str:
    """Return a round as it is after each of some taps, as a phone sends it."""
    notes = {"penalties": [], "last_round": False, "substitutes": [], "remark": "", "cards": None}
    return json.dumps([notes | round_json(one) for one in rounds])


class Keeper:
    """A phone that keeps the score of a game: what it sends, on whatever connection."""

    def __init__(self, address: str, cookie: str, game_id: str, **headers: str) -> None:
        self.address, self.cookie, self.path = address, cookie, f"/games/{game_id}"
        self.headers = headers
        self.token = self.revision = ""
        self.number = 0  # of the round that is played
        self.waiting: list[Round] = []  # what the next taps make of it
        self.chance = random.Random(game_id)

    def facts(self) -> bytes:
        """Return the request for the facts of the game, which a phone keeps."""
        return self.asking("/phone.json")

    def learn(self, answer: Answer) -> None:
        """Take over those facts; a new cookie takes the place of the old one, as in a browser."""
        if changed := answer.header("Set-Cookie"):
            self.cookie = changed.partition(";")[0]
        found = json.loads(answer.text)
        game, self.token = found["game"], found["token"]
        self.revision = game["revision"]
        self.number = sum(each["tricks"] is not None for each in game["rounds"])
        self.waiting = []
        self.seats, self.tricks = len(game["names"]), game["rules"]["tricks"]

    def asking(self, path: str = "", **headers: str) -> bytes:
        headers = {**self.headers, **headers}
        return request(self.address, f"{self.path}{path}", None, self.cookie, **headers)

    def tap(self) -> bytes:
        """Return the request of the next tap: the whole round."""
        return self.sending(*self.next_tap())

    def next_tap(self) -> tuple[int, Round]:
        """Return the number of the round that is played, and what the next tap makes of it."""
        if not self.waiting:
            self.waiting = after_each_tap(deal(self.chance, self.seats, self.tricks))
            self.number += 1
        return self.number, self.waiting.pop(0)

    def sending(self, number: int, *rounds: Round) -> bytes:
        """Return the request that saves a round as it is after each of some taps."""
        fields = {"csrf_token": self.token, "seen": self.revision, "rounds": rounds_text(*rounds)}
        path = f"{self.path}/rounds/{number}/sent"
        headers = {**self.headers, "Origin": self.address, "Accept": "*/*"}
        return request(self.address, path, fields, self.cookie, **headers)

    def saved(self, answer: Answer) -> None:
        """Take over the revision that the server answered a tap with."""
        assert answer.status in (200, 409), (answer.status, answer.text[:500])
        found = re.search(r'"revision": ?"([^"]+)"', answer.text)
        assert found is not None
        self.revision = found[1]

    @property
    def version(self) -> int:
        return int(self.revision.partition("-")[0])
