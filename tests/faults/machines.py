"""Two app machines on one PostgreSQL, and phones at both that tap while its server fails."""

import re
import socket
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from itertools import pairwise
from pathlib import Path
from typing import Self

from scorekeeper.clock import now
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.tables import make_join_key, make_table
from tests.faults.hosted import Hosted
from tests.faults.keeper import Keeper
from tests.faults.ledger import Tale
from tests.faults.phone import Phone, Unanswered

PHONES = 4
WORKERS = 1  # of each: two of one machine have no more in common than two machines
PATIENCE = 60.0  # seconds; a busy machine is slow
AGAIN = 0.05  # seconds until a tap that was refused is sent again
SETTLES = 3.0  # seconds after which a proxy asks a server again that was away
RECONNECT = 1.0  # seconds until a lost stream is opened again, as in a browser
SECRET = "the same key on every machine, of course"
EVENT = re.compile(rb"\nid: (\d+)\n")
SENTENCES = ("save right now", "lost its database", "server is busy")
TABLE_SEES = "“The server can’t save right now, so nothing was saved. Keep this page open”"


class Machines:
    """Two servers of a database, phones that keep score, and one that looks on at each game.

    The phones are at both servers in turn, and who looks on is at the other; with `proxies` before
    the servers, they are at the two addresses of these.
    """

    def __init__(
        self,
        folder: Path,
        url: str,
        phones: int = PHONES,
        proxies: Callable[[list[str]], AbstractContextManager[list[str]]] | None = None,
        **settings: str,
    ) -> None:
        settings = {"SCOREKEEPER_SECRET": SECRET, "SCOREKEEPER_DATABASE": url, **settings}
        direct_url = settings.get("SCOREKEEPER_DATABASE_DIRECT", "")
        self._at_end = ExitStack()
        with ExitStack() as opened:
            self.store = opened.enter_context(
                open_postgresql(url, folder, direct_url=direct_url, waits_long=True)
            )
            with self.store.write() as db:
                self.keys = [
                    make_join_key(db, make_table(db, now()), "club", now()) for _ in range(phones)
                ]
            self._folder, self._settings = folder, settings
            self.servers = [opened.enter_context(self._server(n)) for n in (0, 1)]
            addresses = [server.address for server in self.servers]
            if proxies:
                addresses = opened.enter_context(proxies(addresses))
            self.keepers: list[Keeper] = []
            self.watchers: list[Watcher] = []
            for number, key in enumerate(self.keys):
                here, there = addresses[number % 2], addresses[1 - number % 2]
                keeper = Keeper(Phone(here), number + 1)
                opened.callback(keeper.phone.close)
                keeper.phone.join(f"{here}/join/{key}", f"phone {number}")
                keeper.begin()
                self.keepers.append(keeper)
                self.watchers.append(opened.enter_context(Watcher(keeper, there)))
            self._at_end = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._at_end.close()

    def play_through(self, fault: Callable[[], object], tale: Tale, after: float = 0.1) -> "Gap":
        """Let all phones tap before, during and after a fault; then compare what is kept.

        The fault comes `after` so many seconds, and has passed when the function returns.
        """
        gap = Gap()
        for keeper in self.keepers:
            keeper.phone.close()  # connections that were idle may have ended
        threads = [
            threading.Thread(target=_play, args=[keeper, gap, tale]) for keeper in self.keepers
        ]
        for thread in threads:
            thread.start()
        time.sleep(after)
        try:
            fault()
        finally:
            gap.over = time.monotonic()
            for thread in threads:
                thread.join()
        for watcher in self.watchers:
            if wrong := watcher.missed():
                tale.wrong.append(wrong)
        tale.compare(self.store, self.keepers)
        tale.look(self.keepers)
        self.store.release()
        tale.times += 1
        return gap

    def restart(self) -> None:
        """Restart one server after the other, as for a new version."""
        for number, server in enumerate(self.servers):
            server.process.terminate()
            server.end()
            port = int(server.address.rpartition(":")[2])
            self.servers[number] = self._at_end.enter_context(self._server(number, port))
            time.sleep(SETTLES)

    def _server(self, number: int, port: int = 0) -> Hosted:
        folder = self._folder / f"machine {number}"
        return Hosted(folder, port=port, workers=WORKERS, **self._settings)

    def sum_up(self, tale: Tale) -> None:
        """Compare and count again at the end."""
        tale.compare(self.store, self.keepers)
        tale.check(self.store)
        self.store.release()
        tale.acknowledged += sum(keeper.acknowledged for keeper in self.keepers)
        tale.sees = TABLE_SEES


class Gap:
    """A fault in the course of play: when it was over, and what the phones saw."""

    def __init__(self) -> None:
        self.over = float("inf")
        self.taken: list[float] = []  # when each tap was acknowledged
        self.longest = 0.0  # seconds until an answer
        self.refused = 0

    @property
    def seconds(self) -> float:
        """How long no tap was taken at most."""
        taken = sorted(self.taken)
        return max((b - a for a, b in pairwise(taken)), default=0.0)


class Watcher:
    """A phone at another machine that follows a game by a stream, and again where it is lost."""

    def __init__(self, keeper: Keeper, address: str) -> None:
        host, _, port = address.rpartition("/")[2].partition(":")
        self._address = (host, int(port))
        self._keeper = keeper
        self.told: dict[tuple[str, int], float] = {}
        self._moved = False  # to the next game, whose stream is opened at once
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._thread.join()

    def missed(self, within: float = 15.0) -> str:  # on a machine that others use, too
        """Return what was not told within some seconds of the last tap; empty if all is well."""
        game = self._keeper.game
        key = (game.id, game.lines[-1].version)
        until = game.acknowledged[-1] - time.time() + time.monotonic() + within
        while key not in self.told and key[1] > 1 and time.monotonic() < until:
            time.sleep(0.02)
        return "" if key in self.told or key[1] == 1 else f"{key} was not told in {within} s"

    def _follow(self) -> None:
        while not self._ended.is_set():
            with suppress(OSError), socket.create_connection(self._address, timeout=1) as line:
                self._listen(line, self._keeper.game.id)
            if not self._moved:
                self._ended.wait(RECONNECT)

    def _listen(self, line: socket.socket, game_id: str) -> None:
        self._moved = False
        seen = max((version for game, version in self.told if game == game_id), default=1)
        path = f"/games/{game_id}/events?seen={seen}"
        cookie = self._keeper.phone.cookie
        # A refusal, too, ends the connection, so that the stream is asked for again.
        head = f"Host: localhost\r\nCookie: {cookie}\r\nConnection: close\r\n"
        line.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
        line.settimeout(0.1)
        received = b""
        while not self._ended.is_set():
            try:
                part = line.recv(1 << 16)
                if not part:
                    return
            except TimeoutError:
                if self._keeper.game.id != game_id:
                    self._moved = True
                    return
                continue
            received += part
            for version in EVENT.findall(received):
                self.told.setdefault((game_id, int(version)), time.monotonic())
            received = received[received.rfind(b"\n") :]


def _play(keeper: Keeper, gap: Gap, tale: Tale) -> None:
    """Tap until a tap was taken that was sent after a fault."""
    while True:
        sent = time.monotonic()
        if sent > gap.over + PATIENCE:
            tale.wrong.append(f"no tap was taken in {PATIENCE} seconds")
            return
        try:
            keeper.tap()
        except Unanswered as lost:
            tale.wrong.append(str(lost))
            return
        except AssertionError as refused:
            gap.refused += 1
            gap.longest = max(gap.longest, time.monotonic() - sent)
            if not _is_refusal(str(refused)):
                tale.wrong.append(str(refused))
                return
            time.sleep(AGAIN)
            continue
        gap.taken.append(time.monotonic())
        gap.longest = max(gap.longest, time.monotonic() - sent)
        if sent > gap.over:
            return


def _is_refusal(said: str) -> bool:
    """Return whether an answer says to try again; a proxy says no more than the status."""
    if re.match(r"502 |503 <main( after|$)", said):
        return True
    return said.startswith("503 ") and any(sentence in said for sentence in SENTENCES)
