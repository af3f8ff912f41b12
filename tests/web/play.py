"""A table of players at its phone: most actions read the page first, as a browser does."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Self

from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper.clock import now
from scorekeeper.rules.game import GameState
from scorekeeper.rules.presets import CUTTHROAT_LITE
from scorekeeper.store.database import Store
from scorekeeper.store.entry import GameSetup, create_game
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.journal import Who
from scorekeeper.store.migrations import TABLES
from scorekeeper.store.tables import join, make_join_key, make_table
from tests.web.page import Fields, Form, Page

NORTH, EAST, SOUTH, WEST, CENTRE = PLAYERS = ("North", "East", "South", "West", "Centre")
NEW_GAME: Fields = {}  # the fields of its form, read once as they are the same in every test
AT = datetime(2026, 1, 3, 20, 15, tzinfo=UTC)


class Table:
    """One phone of a table, its actions and what it sees.

    Actions give the answer; `game` and `state` are what is stored, `page` what is shown.
    """

    def __init__(self, app: Flask, table_id: str | None = None) -> None:
        self.app, self.client = app, app.test_client()
        self.store: Store = app.extensions["store"]
        self.game_id = ""
        self._token: tuple[object, str] = (None, "")  # with what the session held
        with self.store.write() as db:
            self.id = table_id or make_table(db, AT)
            self.key = make_join_key(db, self.id, "a link", AT)

    def second_phone(self) -> Self:
        """Return another phone of this table, joined, with the same game before it."""
        other = type(self)(self.app, self.id)
        other.sit_down("the other phone")
        other.game_id = self.game_id
        return other

    # Sending

    def get(self, path: str, **options: Any) -> TestResponse:
        """Ask for a page."""
        return _sound(self.client.get(path, **options))

    def send(self, form: Form, /, **fields: object) -> TestResponse:
        """Send a form as it stands, with some fields filled in; a field of None is left out."""
        return self.post(form.action, {**form.fields, **fields})

    def post(self, path: str, fields: dict[str, Any], **options: Any) -> TestResponse:
        """Send just these fields."""
        kept = {name: value for name, value in fields.items() if value is not None}
        return _sound(self.client.post(path, data=kept, **options))

    def token(self) -> str:
        """Return the token that this phone's pages carry, read once in a session."""
        if self._token[0] is None or self._token[0] != self.session.get("csrf_token"):
            token = self.page("/language").form("/language").fields["csrf_token"]
            self._token = (self.session.get("csrf_token"), token)
        return self._token[1]

    def fresh(self, **fields: object) -> dict[str, Any]:
        """Return fields with this phone's token and the game's version."""
        return {"csrf_token": self.token(), "version": self.game.version, **fields}

    @property
    def session(self) -> dict[str, Any]:
        """What the phone's cookie holds."""
        with self.client.session_transaction() as session:
            return dict(session)

    # Sitting down

    def join(self, label: str = "Kim's phone") -> TestResponse:
        """Join this phone to the table by its link."""
        return self.send(self.page(f"/join/{self.key}").form(self.key), label=label)

    def sit_down(self, label: str = "Kim's phone") -> None:
        """Have joined, without any page."""
        with self.store.write() as db:
            phone = join(db, self.id, label, now())
        self.store.release()  # as a request does at its end
        with self.client.session_transaction() as session:
            session.permanent = True
            session["phone"] = phone.id

    def begin(self) -> None:
        """Have started a game of Cutthroat Spades LITE, without any page; West deals."""
        with self.store.write() as db:
            setup = GameSetup(CUTTHROAT_LITE, PLAYERS[:4], 3)
            self.game_id = create_game(db, self.id, setup, Who(self.session["phone"], now()))
        self.store.release()

    def new_game(
        self,
        rules: str = "cutthroat-lite",
        players: Sequence[str] = (NORTH, EAST, SOUTH, WEST),
        **fields: object,
    ) -> TestResponse:
        """Start a game; the answer to a good form leads to it, and it becomes the one played."""
        if not NEW_GAME:
            NEW_GAME.update(dict.fromkeys(self.page("/games/new").form("new-game").fields, ""))
        names = {f"player-{seat}": name for seat, name in enumerate(players, 1)}
        sent = {**NEW_GAME, "csrf_token": self.token(), "rules": rules, **names, **fields}
        answer = self.post("/games/new", sent)
        if answer.status_code == 303:
            self.game_id = answer.location.rpartition("/")[2]
        return answer

    # Playing

    @property
    def path(self) -> str:
        """The address of the game."""
        return f"/games/{self.game_id}"

    def round_path(self, what: str = "", number: int | None = None) -> str:
        """Return an address under a round, the one being played unless another is named."""
        at = self.state.number if number is None else number
        return f"{self.path}/rounds/{at}" + (f"/{what}" if what else "")

    def round_form(self, ending: str = "round") -> Form:
        """Return the form of the round that is played, or another one on its page."""
        return self.page(self.round_path()).form(ending)

    def bid(self, bid: object, seat: int | None = None) -> TestResponse:
        """Enter one bid in the form of the round, for the next seat or for seat 1, 2, …"""
        return self._enter_one("bid", seat or self._next(self.state.open.bids), bid)

    def take(self, tricks: object, seat: int | None = None) -> TestResponse:
        """Enter one trick count, for the next seat or for seat 1, 2, …"""
        return self._enter_one("tricks", seat or self._next(self.state.open.tally or ()), tricks)

    def score(self, *tricks: object) -> TestResponse:
        """Confirm the round, with the counts shown or with counts of one's own by seats."""
        counts = {f"tricks-{seat}": count for seat, count in enumerate(tricks, 1)}
        return self.send(self.round_form(), **counts, score="yes")

    def _enter_one(self, what: str, seat: int, value: object) -> TestResponse:
        return self.send(self.round_form(), **{f"{what}-{seat}": value})

    def _next(self, entries: Sequence[object]) -> int:
        """Return the number of the next seat that has no entry yet."""
        waiting = [seat for seat in self.state.asked if not entries or entries[seat] is None]
        return waiting[0] + 1

    def enter(
        self, bids: Sequence[object], tricks: Sequence[object] = (), **fields: object
    ) -> TestResponse:
        """Send the form of the round that is played, with bids and tricks by seats."""
        form = self.round_form()
        entered = {
            f"{what}-{seat}": value
            for what, values in (("bid", bids), ("tricks", tricks))
            for seat, value in enumerate(values, 1)
            if f"{what}-{seat}" in form.fields
        }
        return self.send(form, **entered, **fields)

    def bid_round(self, *bids: object) -> None:
        """Enter everybody's bid, given by seats."""
        assert self.enter(bids).status_code == 303

    def play_round(self, bids: Sequence[object], tricks: Sequence[object]) -> TestResponse:
        """Play one round from the first bid to its score, given by seats."""
        answer = self.enter(bids, tricks)
        assert answer.status_code == 303
        return answer

    def play_one_by_one(self, bids: Sequence[object], tricks: Sequence[object]) -> TestResponse:
        """Play one round with a request for each bid and each count, given by seats."""
        for seat in self.state.asked:
            assert self.bid(bids[seat]).status_code == 303
        for seat in self.state.asked[:-1]:
            assert self.take(tricks[seat]).status_code == 303
        return self.score()

    def undo(self) -> TestResponse:
        """Take the last change back."""
        return self.send(self.page().form("/undo"))

    def redo(self) -> TestResponse:
        """Bring back what was taken back."""
        return self.send(self.page().form("/redo"))

    def misdeal(self) -> TestResponse:
        """Call the deal off."""
        return self.send(self.page().form("/misdeal"))

    def correct(self, number: int, **fields: object) -> TestResponse:
        """Send the correction form of a past round with some fields changed."""
        form = self.page(self.round_path(number=number)).form(f"rounds/{number}")
        return self.send(form, **{name.replace("_", "-"): value for name, value in fields.items()})

    # Looking

    def page(self, path: str = "") -> Page:
        """Return the page of the game, or of another address."""
        return page_of(self.get(path or self.path))

    @property
    def game(self) -> Game:
        """The game as it is stored."""
        game = load_game(self.store.db, self.id, self.game_id)
        assert game is not None
        return game

    @property
    def state(self) -> GameState:
        """The state that follows from what is stored."""
        return self.game.state

    @property
    def totals(self) -> tuple[int, ...]:
        """Every side's total."""
        return self.state.standing.totals

    def count(self, name: str) -> int:
        """Return how many rows a table of the database has."""
        return int(self.store.db.execute(f"SELECT count(*) FROM {name}").fetchone()[0])

    def everything(self) -> list[Any]:
        """Return every row of every table, to see that nothing at all has changed."""
        db = self.store.db
        return [(name, sorted(db.query(f"SELECT * FROM {name}"), key=str)) for name in TABLES]


def page_of(answer: TestResponse) -> Page:
    """Return the page in an answer."""
    return Page(answer.get_data(as_text=True))


def _sound(answer: TestResponse) -> TestResponse:
    assert answer.status_code < 500, answer.get_data(as_text=True)[-2000:]
    return answer


__all__ = [
    "AT",
    "CENTRE",
    "EAST",
    "NORTH",
    "PLAYERS",
    "SOUTH",
    "WEST",
    "Fields",
    "Table",
    "page_of",
]
