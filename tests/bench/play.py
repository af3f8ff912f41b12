"""Tables, phones and games to measure with, put straight into the store."""

import random
import re
from collections.abc import Sequence
from pathlib import Path

from scorekeeper import create_app
from scorekeeper.clock import now
from scorekeeper.rules.game import Round
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import LARGEST, RuleSet, with_house_rules
from scorekeeper.store import journal
from scorekeeper.store.database.store import Store
from scorekeeper.store.games import load_game
from scorekeeper.store.new_games import GameSetup, create_game
from scorekeeper.store.tables import Phone, join, make_table
from tests.bench.wire import Answer, Line, request

CAST = ("North", "East", "South", "West", "Centre")
ENDLESS = with_house_rules(PRESETS["cutthroat-lite"], {"target": str(LARGEST)})


class DataFolder:
    """A folder of games before a server opens it, and the cookies of its phones."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.app = create_app(DATA=folder)
        self.store: Store = self.app.extensions["store"]
        self.store.db.execute("PRAGMA synchronous = OFF")  # what is made here may be made again
        self.chance = random.Random(4)

    def phone(self, table_id: str | None = None) -> Phone:
        """Join a phone to a table, or to one of its own."""
        with self.store.write() as db:
            return join(db, table_id or make_table(db, now()), "a phone", now())

    def cookie(self, phone: Phone) -> str:
        signer = self.app.session_interface.get_signing_serializer(self.app)  # type: ignore[attr-defined]
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
                game_id = create_game(db, phone.table_id, setup, now(), phone.id)
                game = load_game(db, phone.table_id, game_id)
                assert game is not None
                for number in range(1, rounds + 1):
                    round_ = self.deal(len(names), rules.tricks)
                    game = journal.replace_round(
                        db, game, number, round_, "scored", phone.id, now()
                    )
                made.append(game_id)
        return made

    def count_tricks(self, phone: Phone, games: Sequence[str], but: int = 0) -> None:
        """Bid the next round of these games, and count its tricks but for some last seats."""
        with self.store.write() as db:
            for game_id in games:
                game = load_game(db, phone.table_id, game_id)
                assert game is not None
                bids, tricks, _tally = self.deal(len(game.names), game.rules.tricks)
                number = len(game.rounds) + 1
                last = game.state.order[len(bids) - but :]
                tally = (None if seat in last else n for seat, n in enumerate(tricks or ()))
                counted = Round(bids, None, tuple(tally))
                journal.replace_round(db, game, number, counted, "tally", phone.id, now())

    def deal(self, players: int, tricks: int) -> Round:
        """Return a round as people play it."""
        taken = [0] * players
        for _ in range(tricks):
            taken[self.chance.randrange(players)] += 1
        bids = tuple(max(1, count + self.chance.choice((-1, 0, 0, 0, 1))) for count in taken)
        return Round(bids, tuple(taken))

    def close(self) -> None:
        self.store.close()


class Caller:
    """A phone's connection to a server."""

    def __init__(self, address: str, cookie: str) -> None:
        self.address, self.cookie, self.token = address, cookie, ""
        self.line = Line(address)

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for a page; a new cookie takes the place of the old one, as in a browser."""
        answer = self.line.ask(self.asking(path, **headers))
        if changed := answer.header("Set-Cookie"):
            self.cookie = changed.partition(";")[0]
        return answer

    def asking(self, path: str, **headers: str) -> bytes:
        return request(self.address, path, cookie=self.cookie, **headers)

    def learn_token(self, path: str) -> None:
        """Read the token that the forms of a page carry."""
        page = self.get(path, Accept_Encoding="identity").body.decode()
        found = re.search(r'name="csrf_token" value="([^"]+)"', page)
        assert found is not None, page[-500:]
        self.token = found[1]

    def sending(self, path: str, fields: dict[str, object], **headers: str) -> bytes:
        fields = {"csrf_token": self.token, **fields}
        return request(self.address, path, fields, self.cookie, Origin=self.address, **headers)
