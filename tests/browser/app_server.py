"""Tables and games set up without a browser, so that a test starts at the page it is about."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask

from scorekeeper import create_app
from scorekeeper.clock import now
from scorekeeper.free_text import normalize_name
from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.entry import count_tricks, score_round, take_seat
from scorekeeper.rules.faces import Face
from scorekeeper.rules.game import GameState
from scorekeeper.rules.presets import PRESETS, tables
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import with_house_rules
from scorekeeper.rules.seating import Substitute
from scorekeeper.store import journal
from scorekeeper.store.changes import changes_of
from scorekeeper.store.database import Store
from scorekeeper.store.entry import Entry, GameSetup, create_game
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.players import find_player, find_player_id, give_face
from scorekeeper.store.restore import restore
from scorekeeper.store.tables import join, make_join_key, make_table
from tests.rules.tables import with_bid
from tests.store.play import put_round

CAST = ("North", "East", "South", "West", "Centre")


class AppServer:
    """The app as a test sees it. `delay` is how many seconds each tap takes to be answered."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.address = ""
        self.delay = 0.0
        self._answers = threading.Event()
        self._answers.set()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "POST":
            time.sleep(self.delay)
        self._answers.wait()
        return self.app(environ, start_response)

    @contextmanager
    def hang(self) -> Iterator[None]:
        """Answer nothing until the end of the block, then everything that was asked meanwhile."""
        self._answers.clear()
        try:
            yield
        finally:
            self._answers.set()

    @property
    def store(self) -> Store:
        store: Store = self.app.extensions["store"]
        return store

    def stop(self) -> None:
        """End the streams and close the database, as a server that stops does."""
        for let_go in self.app.extensions["on_stop"]:
            let_go()
        self.store.close()

    def restore(self, backup: Path, folder: Path) -> None:
        """Stop, and start again with a backup, which is restored in a new folder."""
        self.stop()
        folder.mkdir()
        restore(folder, backup)
        kept = {name: self.app.config[name] for name in ("SECRET_KEY", "BASE_URL", "OPEN")}
        self.app = create_app(DATA=folder, **kept)


class Table:
    """A table with one phone that keeps score for it."""

    def __init__(self, server: AppServer) -> None:
        self.server = server
        with server.store.write() as db:
            self.id = make_table(db, now())
            self.phone = join(db, self.id, "the phone of the table", now())

    def another_phone(self) -> "Table":
        """Return the same table for a second phone that joins now."""
        other = copy(self)
        with self.server.store.write() as db:
            other.phone = join(db, self.id, "another phone", now())
        return other

    @property
    def cookie(self) -> dict[str, str]:
        """The session cookie of the phone."""
        app = self.server.app
        signer = app.session_interface.get_signing_serializer(app)
        return {
            "name": app.config["SESSION_COOKIE_NAME"],
            "value": signer.dumps({"phone": self.phone.id, "_permanent": True}),
            "url": self.server.address,
        }

    def link(self) -> str:
        """Return a link by which another phone joins."""
        with self.server.store.write() as db:
            key = make_join_key(db, self.id, "for a test", now())
        return f"{self.server.address}/join/{key}"

    def begin(
        self,
        names: Sequence[str] = CAST[:4],
        rules: str = "cutthroat-lite",
        first_dealer: int | None = None,
        stake: int | None = None,
        **house_rules: str,
    ) -> "StoredGame":
        """Begin a game; unless told otherwise the last seat deals first."""
        names = [normalize_name(name) for name in names]
        chosen = with_house_rules(PRESETS[rules], house_rules)
        played = tables(chosen).get(len(names), chosen)
        dealer = len(names) - 1 if first_dealer is None else first_dealer
        setup = GameSetup(played, names, dealer, stake)
        with self.server.store.write() as db:
            game_id = create_game(db, self.id, setup, Who(self.phone.id, now()))
        return StoredGame(self, game_id)

    def give_face(self, name: str, face: Face) -> None:
        """Give a player of the table another shape and color."""
        with self.server.store.write() as db:
            player_id = find_player_id(db, self.id, name)
            assert player_id is not None
            player = find_player(db, self.id, player_id)
            assert player is not None
            give_face(db, self.id, player, face)


Change = Callable[[GameState, int, Round], Round]


@dataclass(frozen=True)
class StoredGame:
    """A game of that table, which can be played on behind a browser's back."""

    table: Table
    id: str

    @property
    def path(self) -> str:
        return f"/games/{self.id}"

    @property
    def game(self) -> Game:
        """What is stored now."""
        found = load_game(self.table.server.store.db, self.table.id, self.id)
        assert found is not None
        return found

    def journal(self) -> list[tuple[str, int | None]]:
        """Return what was changed since the game was begun: the kind of change, and the round."""
        lines = changes_of(self.table.server.store.db, self.game)
        return [(line.kind, line.round) for line in lines[1:]]

    def bid(self, *bids: Bid) -> "StoredGame":
        """Let the next seats bid, in their order."""
        for bid in bids:
            open_round = self.game.state.open
            seat = next(seat for seat in self.game.state.order if open_round.bids[seat] is None)
            self._enter("bid", lambda *round_, seat=seat, bid=bid: with_bid(round_[-1], seat, bid))
        return self

    def take(self, *counts: int) -> "StoredGame":
        """Note how many tricks the seats took, in bidding order, without scoring them."""
        for seat, count in zip(self.game.state.order, counts, strict=False):
            self._enter(
                "tally",
                lambda *round_, seat=seat, count=count: count_tricks(*round_, seat, count),
            )
        return self

    def play(self, bids: Sequence[Bid], tricks: Sequence[int]) -> "StoredGame":
        """Play the next round to its end; both lists go by seat."""
        self.bid(*(bids[seat] for seat in self.game.state.order))
        return self.score(self.game.state.number, tricks, bids)

    def score(self, number: int, tricks: Sequence[int], bids: Sequence[Bid]) -> "StoredGame":
        """Score a round, or correct it."""
        entered = Round(tuple(bids), tuple(tricks))
        self._enter("scored", lambda state, at, _round: score_round(state, at, entered), number)
        return self

    def substitute(self, seat: int, player: str | None) -> "StoredGame":
        """Let another player take a seat, from 0, from the round that is played on, or leave it."""
        game = self.game
        earlier = [one.notes.substitutes for one in game.rounds]
        self._enter(
            "substitute",
            lambda _state, _number, round_: take_seat(
                game.rules, game.starters, earlier, round_, Substitute(seat, player)
            ),
        )
        return self

    def _enter(self, kind: str, change: Change, number: int | None = None) -> None:
        table = self.table
        with table.server.store.write() as db:
            game = load_game(db, table.id, self.id)
            assert game is not None
            number = number or game.state.number
            round_ = change(game.state, number, game.round(number))
            put_round(db, game, Entry(number, round_, kind), journal.Who(table.phone.id, now()))
