"""Denial of service by strangers on a public server, beside tables that play.

`python -m tests.faults.strangers` prints how long taps take while nobody disturbs, and during each
attack, from its third second on: paths full of dots, uploads full of faults, forms with long names,
thousands of streams on one watch link, and what `readers.py` asks for again and again. `--only
links` tries one attack beside that of health checks, which is what the others are compared with;
`--proxy nginx` or `--proxy caddy` puts a proxy before the server, as `scorekeeper deploy` prints
it.
"""

import argparse
import http.client
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from scorekeeper.clock import now
from scorekeeper.store.database import Store
from scorekeeper.store.tables import make_join_key, make_table
from tests.faults.databases import caddy, nginx
from tests.faults.hosted import Hosted
from tests.faults.keeper import Keeper
from tests.faults.phone import Phone, token_in
from tests.faults.readers import PATIENCE, READING, STRANGER, Attack, connect
from tests.program import CHECKOUT, clean_environment

DOTS, PATHS = 4000, 8
UPLOADS, LINES = 4, 1990
FORMS, FORM_PAUSE = 4, 0.25  # tables of strangers; seconds, within their limit of changes
MARKS = "\u0315\u0300" * 15_000  # an order that normalizing has to change, 60 kB
STREAMS = 2200
START = 3.0  # seconds: a process starts in one of them
PAUSE = 0.3  # seconds between two taps of a table, within its limit of changes
REQUESTS = 100  # a second from one address, as nginx is set up
MULTIPART = "multipart/form-data; boundary=sheet"
# Where strangers send them, in which field, and how many times as long.
LONG_FIELDS = (
    ("/games/new", "player-1", 1),
    ("/table/links", "label", 1),
    ("/rules/new", "name", 1),
    ("/phone/games", "rules_name", 1),
    ("/import", "name-1", 4),
)
SMALL = "round,player,bid,tricks\n1,A,3,3\n"
SHEET = "game,round,player,bid,tricks\n" + "".join(f"g{n},1,A,3,3\n" for n in range(LINES))


def dots(address: str, _key: str, _watch: str) -> None:
    """Ask for long paths, several at once."""
    paths = [f"/{'.' * DOTS}"] * PATHS
    with ThreadPoolExecutor(PATHS) as crew:
        list(crew.map(lambda path: _fetch(address, path), paths))


def uploads(address: str, key: str, _watch: str) -> None:
    """Look through sheets in which every game is wrong, several at once, at a table of its own."""
    phone = Phone(address)
    phone.join(f"/join/{key}", "stranger")
    fields = {"csrf_token": phone.token, "rules": "partnership-500", "file": SHEET}
    body = _multipart(fields)
    headers = {"Cookie": phone.cookie, "Content-Type": MULTIPART}

    def upload(_number: int) -> None:
        _fetch(address, "/import", body, headers)

    with ThreadPoolExecutor(UPLOADS) as crew:
        list(crew.map(upload, range(UPLOADS)))
    phone.close()


def forms(address: str, _key: str, _watch: str) -> None:
    """Send long names from several tables, which their strangers open, again and again."""

    def at_a_table(number: int) -> None:
        phone = Phone(address)
        phone.token = token_in(phone.get("/").text)
        assert phone.post("/tables").status == 303
        phone.token = token_in(phone.get("/games/new").text)
        headers = {"Cookie": phone.cookie, "Content-Type": MULTIPART}
        for turn in count(number):
            path, field, times = LONG_FIELDS[turn % len(LONG_FIELDS)]
            fields = {"csrf_token": phone.token, "file": SMALL, "was-1": "A", field: MARKS * times}
            with suppress(OSError, http.client.HTTPException):  # a worker may be gone
                _fetch(address, path, _multipart(fields), headers)
            time.sleep(FORM_PAUSE)

    with ThreadPoolExecutor(FORMS) as crew:
        list(crew.map(at_a_table, range(FORMS)))


def streams(address: str, _key: str, watch: str) -> None:
    """Open streams on a watch link as fast as they are taken, and hold what is held."""
    host, _, port = urlsplit(address).netloc.partition(":")
    request = f"GET {watch}/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    selector = selectors.DefaultSelector()
    held: list[socket.socket] = []
    for _ in range(STREAMS):
        stream = socket.create_connection((host, int(port)), PATIENCE, source_address=STRANGER)
        stream.sendall(request)
        selector.register(stream, selectors.EVENT_READ)
        held.append(stream)
    waiting, until = set(held), time.monotonic() + PATIENCE
    while waiting and time.monotonic() < until:
        for key, _events in selector.select(1.0):
            stream = key.fileobj
            assert isinstance(stream, socket.socket)
            selector.unregister(stream)
            waiting.discard(stream)
    for stream in held:
        stream.close()


ATTACKS: dict[str, Attack] = {
    "dots": dots,
    "uploads": uploads,
    "forms": forms,
    "streams": streams,
    **READING,
}


def _multipart(fields: dict[str, str]) -> str:
    named = {"file": '; filename="evening.csv"'}
    parts = "".join(
        f'--sheet\r\nContent-Disposition: form-data; name="{name}"{named.get(name, "")}\r\n\r\n'
        f"{text}\r\n"
        for name, text in fields.items()
    )
    return f"{parts}--sheet--\r\n"


def _fetch(
    address: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
) -> None:
    connection = connect(address)
    connection.request(
        "GET" if body is None else "POST", path, body and body.encode(), headers or {}
    )
    connection.getresponse().read()
    connection.close()


@contextmanager
def attacked(name: str, address: str, key: str, watch: str) -> Iterator[None]:
    """Let strangers of another process attack while the block runs."""
    words = ["--attack", name, "--address", address, "--key", key, "--watch", watch]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.strangers", *words],
        cwd=CHECKOUT,
        env=clean_environment(PYTHONPATH=str(CHECKOUT)),
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


def play(keepers: Sequence[Keeper], seconds: float) -> list[float]:
    """Let every table tap for so long, and return how many seconds each tap took."""

    def at_a_table(keeper: Keeper) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            keeper.tap()
            time.sleep(PAUSE)

    before = [len(keeper.answers) for keeper in keepers]
    with ThreadPoolExecutor(len(keepers)) as crew:
        list(crew.map(at_a_table, keepers))
    counted = zip(keepers, before, strict=True)
    return [answer.seconds for keeper, n in counted for answer in keeper.answers[n:]]


def compare(
    folder: Path, tables: int, seconds: float, attacks: Sequence[str], proxy: str
) -> Iterator[tuple[str, list[float]]]:
    """Yield how long taps take undisturbed, and then during each attack."""
    store = Store(folder)
    with store.write() as db:
        keys = [
            make_join_key(db, make_table(db, now()), "strangers", now())
            for _ in range(tables + len(attacks))
        ]
    store.close()
    settings = {"SCOREKEEPER_OPEN": "1", "SCOREKEEPER_STREAMS": "1000"}
    if proxy:
        settings["SCOREKEEPER_PROXIES"] = "1"
    with Hosted(folder, **settings) as program, ExitStack() as at_end:
        address = program.address
        if proxy == "nginx":
            address = at_end.enter_context(nginx(folder.parent, [address], REQUESTS))
        elif proxy == "caddy":
            address = at_end.enter_context(caddy(folder.parent, [address]))
        keepers = [Keeper(Phone(address), number) for number in range(tables)]
        for keeper, key in zip(keepers, keys, strict=False):
            at_end.callback(keeper.phone.close)
            keeper.phone.join(f"/join/{key}", "keeper")
            keeper.begin()
        game = f"/games/{keepers[0].game.id}"
        keepers[0].phone.post(f"{game}/watching", on="yes")
        watch = "/watch/" + keepers[0].phone.get(f"{game}/share").text.partition("/watch/")[2][:26]
        play(keepers, 2.0)
        yield "undisturbed", play(keepers, seconds)
        for name, key in zip(attacks, keys[tables:], strict=False):
            with attacked(name, address, key, watch):
                play(keepers, START)  # until the strangers are there, and have spent their budget
                yield name, play(keepers, seconds)
            play(keepers, 1.0)  # what was asked for last is answered still


def main() -> int:
    """Print what was measured, in milliseconds."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.strangers", description=__doc__)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--attack", choices=ATTACKS, help="only be the stranger")
    parser.add_argument("--only", choices=ATTACKS, help="one attack instead of all")
    parser.add_argument("--proxy", choices=["nginx", "caddy"], default="", help="before the server")
    for name in ("address", "key", "watch"):
        parser.add_argument(f"--{name}", default="", help="of the server, with --attack")
    options = parser.parse_args()
    if options.attack:
        ATTACKS[options.attack](options.address, options.key, options.watch)
        return 0
    attacks = ["health", options.only, "health"] if options.only else list(ATTACKS)
    print("attack | taps | p50 | p95 | p99 | longest")
    with tempfile.TemporaryDirectory(prefix="strangers-") as folder:
        games = Path(folder) / "games"
        games.mkdir()
        for name, took in compare(games, options.tables, options.seconds, attacks, options.proxy):
            cuts = statistics.quantiles(took, n=100)
            figures = [cuts[49], cuts[94], cuts[98], max(took)]
            shown = [name, str(len(took)), *(f"{1000 * one:.0f}" for one in figures)]
            print(" | ".join(shown), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
