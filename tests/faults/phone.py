"""A phone as the server knows it: one connection, one cookie, one tap after the other."""

import http.client
import math
import re
import time
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

FORM = "application/x-www-form-urlencoded"
PATIENCE = 30.0  # seconds; a busy machine is slow, a server that hangs never answers


class Unanswered(Exception):
    """The server was gone before it answered: nobody at the table knows what stands.

    `sent` is when all of the request was on its way.
    """

    def __init__(self, why: str, sent: float) -> None:
        super().__init__(why)
        self.sent = sent


class Answer(NamedTuple):
    """What came back: where to go from there, the tag of the page, how many seconds it took."""

    status: int
    text: str
    location: str
    tag: str
    seconds: float

    @property
    def said(self) -> str:
        """What the page says, its status first."""
        shown = self.text.partition("<main")[2] or self.text
        return f"{self.status} {' '.join(re.sub('<[^>]*>', ' ', '<main' + shown).split())}"[:500]

    @property
    def version(self) -> int:
        """The version of the game that the page shows, or the answer to a tap names."""
        return int(re.findall(r'(?:data-version="|"revision":")(\d+)', self.text)[0])


class Phone:
    """A phone that can join a table and send forms as the page's own script does."""

    def __init__(self, address: str) -> None:
        self.cookie = self.token = ""
        self.host = urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)

    def move(self, address: str) -> None:
        """Go on at another address, as after a restart."""
        self.close()
        self.host = urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)

    def join(self, link: str, label: str) -> None:
        """Join the table of a link."""
        path = urlsplit(link).path
        self.token = token_in(self.get(path).text)
        joined = self.post(path, label=label)
        assert joined.status == 303, joined.said
        self.token = token_in(self.get("/games/new").text)

    def get(self, path: str) -> Answer:
        """Ask for a page."""
        return self._ask("GET", path, None, {})

    def refresh(self, path: str, tag: str) -> Answer:
        """Ask for a page, if it is not the one with a tag."""
        headers = {"If-None-Match": tag} if tag else {}
        try:
            return self._ask("GET", path, None, headers)
        except Unanswered:  # a connection that was idle has ended; browsers ask again by themselves
            return self._ask("GET", path, None, headers)

    def post(self, path: str, **fields: object) -> Answer:
        """Send a form."""
        body = urlencode({"csrf_token": self.token, **fields})
        return self._ask("POST", path, body, {"Content-Type": FORM})

    def close(self) -> None:
        """Put the phone away."""
        self._connection.close()

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        begun, sent = time.monotonic(), math.inf
        try:
            self._connection.request(method, path, body, {"Cookie": self.cookie, **headers})
            sent = time.monotonic()
            answer = self._connection.getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise Unanswered(f"{method} {path}: {error!r}", sent) from error
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            self.cookie = cookie.partition(";")[0]
        location, tag = (answer.headers.get(name, "") for name in ("Location", "ETag"))
        return Answer(answer.status, text, location, tag, time.monotonic() - begun)


def token_in(page: str) -> str:
    """Return the token that the forms of a page carry."""
    return re.findall(r'name="csrf_token" value="([^"]+)"', page)[0]
