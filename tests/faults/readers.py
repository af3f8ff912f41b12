"""Pages that strangers and phones ask for again and again, on eight connections of one address."""

import http.client
import itertools
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from urllib.parse import urlencode, urlsplit

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import HOUSE_RULES, RulesRefused, with_house_rules
from scorekeeper.store.games import MAX_ROUNDS
from tests.faults.phone import Phone

READERS = 8
PATIENCE = 120.0  # seconds that a stranger waits
STRANGER = ("127.0.0.2", 0)  # another address of this computer: limits count by address
LONG_PAGES = ("/api", "/phone")
TRIED = (
    "yes",
    "no",
    "on",
    "off",
    "3, 4",
    *map(str, (1, 2, 3, 5, 7, 10, 20, 50, 90, 150)),
)  # as values of house rules
Attack = Callable[[str, str, str], None]


def connect(address: str) -> http.client.HTTPConnection:
    """Return a connection of a stranger to a server."""
    host = urlsplit(address).netloc
    return http.client.HTTPConnection(host, timeout=PATIENCE, source_address=STRANGER)


@cache
def house_rules() -> str:
    """Return the query of the longest link that the program makes: every rule that can differ."""
    book, found = PRESETS["partnership"], dict[str, str]()
    for name, rule in HOUSE_RULES.items():
        for text in (*getattr(rule, "words", ()), *TRIED):
            with suppress(RulesRefused):
                rules = with_house_rules(book, {**found, name: text})
                if getattr(rules, name) != getattr(book, name):
                    found[name] = text
                    break
    return urlencode({"rules": book.key, **found})


def read_on(address: str, paths: Iterator[str], cookie: str = "") -> None:
    """Ask for one path after the other on eight connections, whatever is answered."""

    def read(_number: int) -> None:
        connection = connect(address)
        while True:
            headers = {"Accept-Encoding": "gzip", **({"Cookie": cookie} if cookie else {})}
            try:
                connection.request("GET", next(paths), headers=headers)
                connection.getresponse().read()
            except (OSError, http.client.HTTPException):  # a proxy may end a connection
                connection.close()

    with ThreadPoolExecutor(READERS) as crew:
        list(crew.map(read, range(READERS)))


def health(address: str, _key: str, _watch: str) -> None:
    """Ask how the server is: what every attack is compared with."""
    read_on(address, itertools.cycle(["/healthz"]))


def pages(address: str, _key: str, _watch: str) -> None:
    """Ask for the longest pages."""
    read_on(address, itertools.cycle(LONG_PAGES))


def links(address: str, _key: str, _watch: str) -> None:
    """Open links with every house rule, each with another name."""
    read_on(address, _numbered(f"/rules/link?{house_rules()}&name="))


def typing(address: str, key: str, _watch: str) -> None:
    """Ask as a phone what house rules change, each time with another name."""
    paths = _numbered(f"/rules/new?part=1&{house_rules()}&name=")
    read_on(address, paths, _joined(address, key).cookie)


def sheets(address: str, key: str, _watch: str) -> None:
    """Ask as a phone for the change log and the score sheet of the longest game."""
    lines = "".join(f"{n},{who},3,3\n" for n in range(1, MAX_ROUNDS + 1) for who in "AB")
    sheet = f"round,player,bid,tricks\n{lines}"
    connection = connect(address)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "text/csv"}
    rules = urlencode({"rules": "cutthroat-lite"})
    connection.request("POST", f"/api/import?{rules}", sheet.encode(), headers)
    said = connection.getresponse().read()
    assert json.loads(said).get("imported") == 1, said
    connection.request("GET", "/api/games", headers=headers)
    game = json.loads(connection.getresponse().read())["games"][0]["id"]
    paths = [f"/games/{game}/changes", f"/games/{game}/sheet"]
    read_on(address, itertools.cycle(paths), _joined(address, key).cookie)


def _numbered(path: str) -> Iterator[str]:
    # No generator, which threads cannot ask at once.
    return map(path.__add__, map(str, itertools.count()))


def _joined(address: str, key: str) -> Phone:
    phone = Phone(address)
    phone.join(f"/join/{key}", "stranger")
    return phone


READING: dict[str, Attack] = {
    "health": health,
    "pages": pages,
    "links": links,
    "typing": typing,
    "sheets": sheets,
}
