"""A program that keeps score by the API, and what it must be told when something is wrong."""

import json
from collections.abc import Sequence
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.store.games import Game, load_game
from tests.web.api.document import check_answer
from tests.web.play import PLAYERS, Table

Json = dict[str, Any]
NEW_GAME: Json = {"rules": "cutthroat-lite", "players": list(PLAYERS[:4])}
NEW_RULES: Json = {
    "name": "Friday night",
    "rules": "cutthroat-lite",
    "house_rules": {"target": 200},
}
SHEET = "round,player,bid,tricks\n1,Ana,3,4\n1,Ben,3,3\n1,Cy,3,3\n"
BIDS: list[Any] = [3, 2, "nil", 4]
TRICKS = [3, 4, 0, 3]


class Caller:
    """A program with the key of a table. `game_id` is the game it started last."""

    def __init__(self, app: Flask) -> None:
        self.app, self.client = app, app.test_client()
        self.table = Table(app)
        self.key = self.table.key
        self.game_id = ""

    def call(
        self,
        method: str,
        path: str,
        *,
        version: object = None,
        key: str | None = "",
        client: FlaskClient | None = None,
        **options: Any,
    ) -> TestResponse:
        """Send a request with the table's key, or another one; check the answer by the document.

        `version` goes into If-Match in quotation marks.
        """
        headers = {**options.pop("headers", {})}
        if key is not None:
            headers.setdefault("Authorization", f"Bearer {key or self.key}")
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        address = path if path.startswith("/api") else f"/api/{path}".rstrip("/")
        answer = (client or self.client).open(address, method=method, headers=headers, **options)
        check_answer(answer)
        if answer.status_code >= 400 and method != "HEAD":
            problem_of(answer)
        return answer

    def start(self, **members: Any) -> TestResponse:
        """Start a game of four players by Cutthroat Spades LITE; West deals, North bids first."""
        answer = self.call("POST", "games", json={**NEW_GAME, **members})
        if answer.status_code == 201:
            self.game_id = answer.json["id"]
        return answer

    @property
    def stored(self) -> Game:
        """The game as it is stored."""
        game = load_game(self.table.store.db, self.table.id, self.game_id)
        assert game is not None
        return game

    @property
    def path(self) -> str:
        """The address of the game."""
        return f"games/{self.game_id}"

    def put(
        self,
        number: int | str,
        bids: object = None,
        tricks: object = None,
        version: object = None,
    ) -> TestResponse:
        """Send a round, made on the game as it is now unless another version is named."""
        body = {"bids": [None] * 4 if bids is None else bids, "tricks": tricks}
        seen = self.version if version is None else version
        return self.call("PUT", f"{self.path}/rounds/{number}", version=seen, json=body)

    def play(self, *rounds: tuple[Sequence[object], Sequence[int]]) -> None:
        """Record rounds from the first one on."""
        for number, (bids, tricks) in enumerate(rounds, 1):
            assert self.put(number, bids, tricks).status_code == 200

    def delete(self, number: int | str, version: object = None) -> TestResponse:
        """Take a round away."""
        seen = self.version if version is None else version
        return self.call("DELETE", f"{self.path}/rounds/{number}", version=seen)

    def walk(self, way: str, version: object = None) -> TestResponse:
        """Undo or redo."""
        seen = self.version if version is None else version
        return self.call("POST", f"{self.path}/{way}", version=seen)

    @property
    def game(self) -> Json:
        """The game as the API shows it."""
        answer = self.call("GET", self.path)
        assert answer.status_code == 200
        found: Json = answer.json
        return found

    @property
    def version(self) -> int:
        """The version of the game."""
        return int(self.game["version"])

    def everything(self) -> list[Any]:
        """Return every row of every table, to see that nothing at all has changed."""
        return self.table.everything()


def problem_of(answer: TestResponse) -> Json:
    """Return the problem document of an error, after a look whether it is a good one."""
    assert answer.content_type == "application/problem+json", answer.get_data(as_text=True)[:500]
    assert answer.headers["Cache-Control"] == "no-store"
    problem: Json = json.loads(answer.get_data())
    assert problem["status"] == answer.status_code
    assert problem["type"] == "about:blank" or problem["type"].startswith("/api#")
    assert problem["title"]
    assert problem["detail"].endswith((".", "”"))
    return problem


def details(answer: TestResponse) -> list[tuple[int | None, str]]:
    """Return what the rules refuse: the seat and the code of each fault."""
    return [(one["seat"], one["code"]) for one in problem_of(answer)["errors"]]


def operations() -> list[tuple[str, str, Json]]:
    """Return every address that needs a key: method, path and a good request's options."""
    return [
        ("GET", "games", {}),
        ("POST", "games", {"json": NEW_GAME}),
        ("GET", "events", {}),
        ("GET", "games/{game}", {}),
        ("GET", "games/{game}/events", {}),
        (
            "PUT",
            "games/{game}/rounds/2",
            {"version": 2, "json": {"bids": BIDS, "tricks": TRICKS}},
        ),
        ("DELETE", "games/{game}/rounds/1", {"version": 2}),
        ("POST", "games/{game}/undo", {"version": 2}),
        ("POST", "games/{game}/redo", {"version": 2}),
        ("POST", "games/{game}/end", {"version": 2}),
        ("DELETE", "games/{game}", {"version": 2}),
        ("POST", "games/{game}/restore", {}),
        ("POST", "import", {"data": SHEET, "content_type": "text/csv"}),
        ("GET", "rules", {}),
        ("POST", "rules", {"json": NEW_RULES}),
        ("GET", "rules/1", {}),
        ("PUT", "rules/1", {"version": 1, "json": NEW_RULES}),
        ("DELETE", "rules/1", {"version": 1}),
        ("GET", "games.csv", {}),
        ("GET", "games.json", {}),
        ("GET", "players", {}),
        ("GET", "players/1", {}),
    ]
