"""Requests that are wrong in some way, drawn by a seeded generator from good ones."""

import json
import random
from typing import Any, NamedTuple

from tests.web.api.caller import BIDS, NEW_GAME, TRICKS

METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]
KINDS = [None, "", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=x"]
WORDS = [
    *(None, True, False, 0, 1, 2, 3, 4, 7, 10, 11, -1, 999_999_999, 1.0, 1e300, float("nan")),
    *("", " ", "0", "3", "٣", "nil", "blind nil", "Nil", "off", "yes", "cutthroat", "random"),
    *("\x00", "\u202e", "\ud800", "\ufeff", "é" * 41, "😀" * 50, "a" * 5000, "=1+1", "<script>"),
    *("'; DROP TABLE games;--", "../..", "{{7*7}}", [], {}, [[]], [1] * 4, ["nil"] * 4, [None] * 4),
    *({"target": 30}, {"bag_limit": None}, {"target": "x"}, {"": 1}, [TRICKS], BIDS, TRICKS),
]
BROKEN = [
    b"",
    b"null",
    b"\xff\xfe",
    b"{",
    b'{"bids":',
    b'{"bids": 1, "bids": 2}',
    b"[" * 20_000,
    b'{"a":' * 9000,
    b"9" * 5000,
    b'"\\ud800"',
    b"\xef\xbb\xbf{}",
    b"{}" + b" " * 70_000,
]
TAGS = ["", "*", "2", '"', '"x"', 'W/"', '"1", "2"', '"' + "9" * 400 + '"', "\xff", '"-1"', '"0"']
KEYS = ["", "Bearer", "Basic dTpw", "Bearer x", "Bearer " + "0" * 26, "\xff", "bearer a=b"]


class Request(NamedTuple):
    """A request, ready for a test client; the key and the present version are filled in later."""

    method: str
    path: str
    headers: dict[str, str]
    options: dict[str, Any]


class Junk:
    """Draws requests to every address of a table with a game in it."""

    def __init__(self, dice: random.Random, game_id: str, elsewhere: str) -> None:
        self._dice = dice
        ids = [game_id] * 6 + [elsewhere, "0000000000", "x", "%00", "%ED%A0%80", "é", "a" * 3000]
        self._ids = ids

    def draw(self, version: int, key: str) -> Request:
        """Return the next request."""
        headers = (
            {"Authorization": f"Bearer {key}"}
            if self._mostly()
            else self._one_of({}, {"Authorization": self._one_of(*KEYS)})
        )
        if self._mostly():
            headers["If-Match"] = f'"{version}"'
        elif self._mostly():
            headers["If-Match"] = self._one_of(*TAGS, *[f'"{version - 1}"'] * 9, f'W/"{version}"')
        if not self._mostly():
            headers["If-None-Match"] = self._one_of(*TAGS, *[f'"{version}"'] * 9)
        method, path, body = self._address()
        if not self._mostly():
            method = self._one_of(*METHODS)
        return Request(method, path + self._query(), headers, self._body(body))

    def _address(self) -> tuple[str, str, dict[str, Any] | None]:
        game = f"/api/games/{self._one_of(*self._ids)}"
        round_ = (
            f"{game}/rounds/{self._one_of(1, 2, 2, 3, 0, 200, 9999, 10**5, '01', '-1', '٢', 'x')}"
        )
        entry = {"bids": BIDS, "tricks": self._one_of(TRICKS, None)}
        return self._one_of(
            ("GET", "/api/games", None),
            ("GET", game, None),
            ("GET", "/api/openapi.json", None),
            ("POST", "/api/tables", None),
            ("POST", "/api/games", NEW_GAME),
            ("POST", "/api/games", NEW_GAME),
            ("PUT", round_, entry),
            ("PUT", round_, entry),
            ("PUT", round_, entry),
            ("DELETE", round_, None),
            ("POST", f"{game}/undo", None),
            ("POST", f"{game}/redo", None),
            ("GET", self._one_of("/api/", "/api/x", "/api/games/", "/api/%00", f"{game}/y"), None),
        )

    def _query(self) -> str:
        return self._one_of(
            *[""] * 12, "?limit=0", "?limit=5", "?after=x", "?limit=٣", "?x=1", "?after=%ED%A0%80"
        )

    def _body(self, good: dict[str, Any] | None) -> dict[str, Any]:
        if good is None and self._mostly():
            return {}
        kind = "application/json" if self._mostly() else self._one_of(*KINDS)
        if not self._mostly():
            return {"data": self._one_of(*BROKEN), "content_type": kind}
        body = self._spoiled(good or {})
        return {"data": json.dumps(body).encode(), "content_type": kind}

    def _spoiled(self, value: Any) -> Any:
        """Return a value with something in it replaced, added or taken away."""
        if not self._mostly():
            return self._one_of(*WORDS)
        if isinstance(value, dict) and value:
            changed = dict(value)
            name = self._one_of(*changed)
            changed[name] = self._spoiled(changed[name])
            if not self._mostly():
                changed[self._one_of("house_rules", "stake", "first_dealer", "x", "")] = (
                    self._one_of(*WORDS)
                )
            if not self._mostly():
                del changed[name]
            return changed
        if isinstance(value, list) and value:
            place = self._dice.randrange(len(value))
            middle = [] if not self._mostly() else [self._spoiled(value[place])]
            return [*value[:place], *middle, *value[place + 1 :]]
        return self._one_of(*WORDS)

    def _mostly(self) -> bool:
        return self._dice.random() < 0.8

    def _one_of(self, *values: Any) -> Any:
        return self._dice.choice(values)
