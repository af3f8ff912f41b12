"""Tables that play: one phone taps every three seconds, three follow, as a process of its own.

    python -m tests.bench.load ADDRESS NAME TABLES.json

ADDRESS is where the server listens, NAME the address that phones use, and the file a list of
`{"game", "cookies"}`. Each line of the input is a phase, `{"tables", "ramp", "seconds"}`: so many
tables play, reached in `ramp` seconds, and are measured from then on. Figures are the answer.

People go on tapping, so a tap is timed from the moment at which it is due, and waits on its phone
while another one is on its way. Those of a round are then sent together, and where more than `MOST`
wait, the rounds as they are now, as in `facts.js`. Taps that are not answered when a phase ends
count as long as they have waited. A follower whose stream is refused polls ever more slowly, as in
`stream.js`.
"""

import gc
import heapq
import itertools
import json
import math
import random
import re
import resource
import selectors
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from scorekeeper.rules.round import Round
from tests.bench.bench import percentile
from tests.bench.play import Keeper
from tests.bench.wire import Answer

EVERY = 3.0  # seconds between two taps of a table
SETTLE, GRACE = 2.0, 1.0  # seconds before measuring, and in which the last events may come
AGAIN = 1.0  # seconds until a tap that was not saved is sent again
MOST = 12  # taps that wait by themselves on a phone
SLOW = 0.1  # seconds at p99: nobody waits for less
POLL_MIN, POLL_MAX, POLL_GROWTH = 2.0, 10.0, 1.5  # seconds between two polls, without jitter
STREAM_RETRY = 30.0  # seconds until a refused stream is asked for again
EVENT = re.compile(rb"^id: (\d+)\n", re.MULTILINE)


@dataclass
class Figures:
    """What was seen since the phase began."""

    until: float = math.inf  # taps that are due later are not measured
    saved: list[tuple[float, float]] = field(default_factory=list)  # when it was due, how long
    requests: int = 0  # that saved them
    shown: list[float] = field(default_factory=list)
    expected: int = 0  # events
    errors: int = 0  # taps that were answered with something else
    reopened: int = 0  # connections that the server closed


class Load:
    """All tables in one loop."""

    def __init__(self, address: str, name: str, seeded: list[dict[str, Any]]) -> None:
        parts = urlsplit(address)
        self.server = (parts.hostname, parts.port)
        self.name, self.seeded = name, seeded
        self.tables: list[Table] = []
        self.selector = selectors.DefaultSelector()
        self.figures = Figures()
        self.refused = 0  # streams, since the number of tables changed
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._count = itertools.count()

    def at(self, when: float, what: Callable[[], None]) -> None:
        """Call something later."""
        heapq.heappush(self._due, (when, next(self._count), what))

    def run(self, seconds: float) -> None:
        """Let all tables play for some time."""
        end = time.perf_counter() + seconds
        while (now := time.perf_counter()) < end:
            while self._due and self._due[0][0] <= now:
                heapq.heappop(self._due)[2]()
            until = min(end, self._due[0][0]) if self._due else end
            for key, events in self.selector.select(max(0.0, until - time.perf_counter())):
                key.data.ready(events)

    def phase(self, tables: int, ramp: float, seconds: float) -> dict[str, Any]:
        """Play with so many tables, and return the figures once they have settled."""
        while len(self.tables) > tables:
            self.tables.pop().close()
        self.refused = 0
        began = len(self.tables)
        for n in range(began, tables):
            table = Table(self, n, self.seeded[n])
            self.tables.append(table)
            start = time.perf_counter() + ramp * (n - began) / (tables - began)
            self.at(start, table.keep.begin)
        self.run(ramp + SETTLE if ramp else 0)
        start, used = time.perf_counter(), time.process_time()
        self.figures = figures = Figures(until=start + seconds)
        for table in self.tables:
            table.sent.clear()
        self.run(seconds)
        used = (time.process_time() - used) / (time.perf_counter() - start)
        self.run(GRACE)
        end = time.perf_counter()
        due = [tap.due for table in self.tables for tap in table.taps if tap.due < figures.until]
        late = [(one, end - one) for one in due]
        saved = figures.saved + late
        times = [each for _due, each in saved]
        return {
            "taps": len(saved),
            "requests": figures.requests,
            "saved_p50": _ms(times, 50),
            "saved_p95": _ms(times, 95),
            "saved_p99": _ms(times, 99),
            "shown_p50": _ms(figures.shown, 50),
            "shown_p99": _ms(figures.shown, 99),
            "missed": figures.expected - len(figures.shown),
            "errors": figures.errors,
            "reopened": figures.reopened,
            "refused": self.refused,
            "following": sum(f.follows for table in self.tables for f in table.followers),
            "load": 100 * used,
            "revisions": [table.keeper.revision for table in self.tables],
        }


class Connection:
    """A connection that is opened when something is sent, and again after the server closed it."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self._line: socket.socket | None = None
        self._unsent = self.data = b""
        self._waits = 0  # for which the selector waits

    def send(self, data: bytes) -> None:
        self.data, self._unsent = b"", data
        if self._line is None:
            self._line = socket.socket()
            self._line.setblocking(False)
            self._line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._line.connect_ex(self.load.server)
            self._waits = selectors.EVENT_WRITE
            self.load.selector.register(self._line, self._waits, self)
        else:
            self._flush()

    def ready(self, events: int) -> None:
        """Go on where the socket can be written or read."""
        if self._line is None:
            return  # closed by what came just before
        if events & selectors.EVENT_WRITE:
            self._flush()
            return
        try:
            data = self._line.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.data += data
            self.received()
        else:
            self.close()
            self.lost()

    def _flush(self) -> None:
        assert self._line is not None
        try:
            self._unsent = self._unsent[self._line.send(self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self.close()
            self.load.at(time.perf_counter() + AGAIN, self.lost)
            return
        waits = selectors.EVENT_WRITE if self._unsent else selectors.EVENT_READ
        if waits != self._waits:
            self.load.selector.modify(self._line, waits, self)
            self._waits = waits

    def close(self) -> None:
        if self._line is not None:
            self.load.selector.unregister(self._line)
            self._line.close()
            self._line = None

    def answer(self) -> Answer | None:
        """Return the answer that has come, once it is whole."""
        head, found, body = self.data.partition(b"\r\n\r\n")
        if not found:
            return None
        answer = Answer(int(head[9:12]), head.decode("latin-1") + "\r\n", body)
        if answer.status in (204, 304):
            return answer
        length = answer.header("Content-Length")
        return answer if length and len(body) >= int(length) else None

    def received(self) -> None:
        raise NotImplementedError

    def lost(self) -> None:
        raise NotImplementedError


class Keep(Connection):
    """The phone that taps."""

    def __init__(self, table: "Table") -> None:
        super().__init__(table.load)
        self.table, self.asked, self.is_again = table, b"", False

    def begin(self) -> None:
        """Fetch the facts; then the table plays."""
        if not self.table.is_over:
            self._ask(self.table.keeper.facts())

    def send_next(self) -> None:
        """Send the taps that wait, those of one round."""
        taps = self.table.sending()
        rounds = [tap.round for tap in taps]
        self._ask(self.table.keeper.sending(taps[0].number, *rounds))

    def _ask(self, asked: bytes) -> None:
        self.asked, self.is_again = asked, False
        self.send(asked)

    def received(self) -> None:
        if (answer := self.answer()) is None:
            return
        # Taps that stand already are answered with the game as it is.
        if answer.status != 200 and not (answer.status == 409 and self.is_again):
            self.load.figures.errors += 1
            self.load.at(time.perf_counter() + AGAIN, self.lost)
        elif self.table.keeper.revision:
            self.table.keeper.saved(answer)
            self.table.saved()
        else:
            self.table.keeper.learn(answer)
            self.table.play()

    def lost(self) -> None:
        """Send again what was not answered, as phones do."""
        self.load.figures.reopened += 1
        if self.asked and not self.table.is_over:
            self.is_again = True
            self.send(self.asked)


class Follow(Connection):
    """A phone that follows the game."""

    def __init__(self, table: "Table", cookie: str) -> None:
        super().__init__(table.load)
        self.table = table
        self._keeper = Keeper(table.load.name, cookie, table.game, **table.headers)
        self.follows = self.polls = False
        self.since = 0.0  # when the stream was opened
        self.retry_at, self.delay, self.tag = 0.0, POLL_MIN, ""

    def begin(self) -> None:
        if not self.table.is_over:
            seen = self.table.keeper.revision
            self.send(self._keeper.asking(f"/events?seen={seen}", Accept="text/event-stream"))

    def received(self) -> None:
        if self.polls:
            self._polled()
            return
        if not self.follows:
            head, found, events = self.data.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 200 " not in head[:16]:
                if self.answer():
                    self._refused()
                return
            self.data = events
            self.follows, self.since, self.delay = True, time.perf_counter(), POLL_MIN
        for version in EVENT.findall(self.data):
            self.table.shown(int(version), self.since)
        self.data = self.data[self.data.rfind(b"\n") + 1 :]

    def _refused(self) -> None:
        self.load.refused += 1
        self.retry_at = time.perf_counter() + STREAM_RETRY
        self._poll()

    def _poll(self) -> None:
        if not self.table.is_over:
            self.polls = True
            seen = self.table.keeper.revision
            path = f"/phone.json?seen={seen}"
            self.send(self._keeper.asking(path, Accept="*/*", If_None_Match=self.tag))

    def _polled(self) -> None:
        if (answer := self.answer()) is None:
            return
        self.polls, self.tag = False, answer.header("ETag") or self.tag
        when = time.perf_counter() + self.delay * random.uniform(1, 1.5)
        self.delay = min(POLL_GROWTH * self.delay, POLL_MAX)
        self.load.at(when, self._poll if when < self.retry_at else self.begin)

    def lost(self) -> None:
        self.follows = self.polls = False
        self.load.at(time.perf_counter() + AGAIN, self.begin)


class Tap(NamedTuple):
    """A tap that is not saved yet: when it was due, and the round as it is after it."""

    due: float
    number: int
    round: Round


class Table:
    """A game that is played."""

    def __init__(self, load: Load, number: int, seeded: dict[str, Any]) -> None:
        self.load, self.game = load, seeded["game"]
        first, *others = seeded["cookies"]
        # What a proxy in front tells: every table is at home elsewhere.
        self.headers = {"X_Forwarded_For": f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"}
        self.keeper = Keeper(load.name, first, self.game, **self.headers)
        self.keep = Keep(self)
        self.followers = [Follow(self, cookie) for cookie in others]
        self.sent: dict[int, tuple[float, float]] = {}  # by version: when it was sent, and due
        self.taps: list[Tap] = []  # in order; so many of them are on their way
        self.on_its_way = 0
        self.next = 0.0
        self.is_over = False

    def play(self) -> None:
        for follower in self.followers:
            follower.begin()
        self.next = time.perf_counter() + random.uniform(0, EVERY)
        self.load.at(self.next, self.tap)

    def tap(self) -> None:
        if self.is_over:
            return
        self.taps.append(Tap(self.next, *self.keeper.next_tap()))
        self.next += EVERY
        self.load.at(self.next, self.tap)
        if not self.on_its_way:
            self.keep.send_next()

    def sending(self) -> list[Tap]:
        """Return the taps of the oldest round that waits, or the last of them, to send them now."""
        taps = [tap for tap in self.taps if tap.number == self.taps[0].number]
        self.on_its_way = len(taps)
        if len(self.taps) > MOST:
            taps = taps[-1:]
        for version, tap in enumerate(taps, self.keeper.version + 1):
            if tap.due < self.load.figures.until:
                self.sent[version] = time.perf_counter(), tap.due
                self.load.figures.expected += sum(one.follows for one in self.followers)
        return taps

    def saved(self) -> None:
        now, figures = time.perf_counter(), self.load.figures
        saved = [tap.due for tap in self.taps[: self.on_its_way] if tap.due < figures.until]
        figures.saved += [(due, now - due) for due in saved]
        figures.requests += bool(saved)
        del self.taps[: self.on_its_way]
        self.on_its_way = 0
        self.keep.asked = b""
        if self.taps:
            self.keep.send_next()

    def shown(self, version: int, since: float) -> None:
        sent, due = self.sent.get(version, (0.0, 0.0))
        if sent > since:
            self.load.figures.shown.append(time.perf_counter() - due)

    def close(self) -> None:
        self.is_over = True
        for one in (self.keep, *self.followers):
            one.close()


def _ms(figures: list[float], percent: float) -> float:
    return percentile(figures, percent) * 1e3 if figures else 0.0


def main() -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    address, name, tables = sys.argv[1:]
    load = Load(address, name, json.loads(Path(tables).read_text()))
    gc.disable()
    for line in sys.stdin:
        print(json.dumps(load.phase(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
