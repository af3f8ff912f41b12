"""A club night against the server: forty tables of one group, their phones, a desk and a wall.

`python -m tests.faults.night --tables 40 --matches 8` plays it with the clock cut short. The
director presses the buttons of the desk, and everybody else is a phone: one at each table keeps
score by its slip, three more look at their own page. What must be: no tap lost, the desk right
whenever it is looked at, the wall right within a second.
"""

import argparse
import http.client
import random
import re
import sys
import tempfile
import threading
import time
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from scorekeeper.clock import now
from scorekeeper.club.events import Entered, Plan
from scorekeeper.club.games import dealer_at, rules_of
from scorekeeper.club.next_match import pair_next
from scorekeeper.store.club import ClubNight, create_night, load_night, record
from scorekeeper.store.club_links import link_key
from scorekeeper.store.database import Store
from scorekeeper.store.journal import Who
from scorekeeper.store.opening import open_store
from scorekeeper.store.tables import make_join_key, make_table
from scorekeeper.web.text.wording import minus
from tests.faults.club import milliseconds
from tests.faults.hosted import Hosted
from tests.faults.keeper import Keeper
from tests.faults.kills import SERVER
from tests.faults.ledger import Tale, lines_of
from tests.faults.phone import PATIENCE, Phone, Unanswered, token_in
from tests.postgresql import Cluster
from tests.program import CHECKOUT, Program
from tests.web.page import Page, text_of

SECRET = "a club night needs thirty-two signs"
PLAYERS = 3  # of a table, who look at their own pages
LOOK = 1.0  # seconds between two looks of the desk
POLL = 7.5  # seconds between two looks of a player
BESIDE = 4  # threads for all players
TRIES = 10  # of a tap at a busy server
SOONEST = 0.3  # seconds between two looks of the wall, as follow.js


@dataclass(frozen=True)
class Size:
    """How large an evening is: its tables and matches, and how long each of them takes."""

    tables: int = 40
    matches: int = 8
    clock: float = 40.0  # seconds until the last round is called
    pace: float = 2.0  # seconds between a table's taps


@dataclass
class Figures:
    """What was measured, in seconds, and what went wrong."""

    size: Size
    saves: list[float] = field(default_factory=list)
    desk: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    players: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)  # until the wall shows what was entered
    starts: list[float] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)
    closes: list[float] = field(default_factory=list)
    looks: int = 0
    busy: int = 0
    rounds: int = 0
    errors: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = {
            "taps": self.saves,
            "desk": self.desk,
            "wall": self.wall,
            "players' pages": self.players,
            "until the wall shows a tap": self.shown,
            "start of a match": self.starts,
            "last round at a table": self.calls,
            "close and pair": self.closes,
        }
        lines = [
            f"{self.size.tables} tables, {len(self.closes)} matches, {self.rounds} rounds scored, "
            f"the desk right {self.looks} times, taps sent again to a busy server: {self.busy}",
            *(
                f"{name}: {len(took)}, p50 {milliseconds(took, 50)}, p95 {milliseconds(took, 95)}, "
                f"p99 {milliseconds(took, 99)}, longest {milliseconds(took, 100)}"
                for name, took in kinds.items()
            ),
            f"errors: {len(self.errors)}",
            *(f"    {error}" for error in sorted(set(self.errors))[:10]),
        ]
        return "\n".join(lines)


class Table:
    """A table number: the phone that keeps score there, match after match."""

    def __init__(self, number: int, pace: float, address: str) -> None:
        self.keeper = Keeper(Phone(address), number)
        self.pace, self.dice = pace, random.Random(number)
        self.lock = threading.RLock()
        self.plays, self.is_done = threading.Event(), threading.Event()
        self.errors: list[str] = []
        self.moments: list[float] = []  # at which a tap was acknowledged
        self.busy = 0  # taps that had to be sent again

    def scan(self, slip: str) -> None:
        """Scan the slip of the table."""
        phone = self.keeper.phone
        phone.token = token_in(phone.get(slip).text)
        joined = phone.post(slip)
        assert joined.status == 303, joined.said

    def run(self, is_over: threading.Event) -> None:
        """Play whatever begins at the table, until the evening is over."""
        while not is_over.is_set():
            if not self.plays.wait(0.1):
                continue
            try:
                self._play()
            except (AssertionError, Unanswered) as wrong:
                self.errors.append(f"table {self.keeper.number}: {wrong}")
            self.plays.clear()
            self.is_done.set()

    def _play(self) -> None:
        self.keeper.phone.refresh(f"/games/{self.keeper.game.id}", "")
        while True:
            time.sleep(self.dice.uniform(0.5, 1.5) * self.pace)
            with self.lock:
                if self.keeper.is_over:
                    return
                self._tap()

    @property
    def seen(self) -> tuple[str, int]:
        """The game that is played, and how many of its rounds are scored."""
        games = self.keeper.games
        return (games[-1].id, len(games[-1].state.rounds)) if games else ("", 0)

    def totals_since(self, game_id: str, rounds: int) -> list[list[str]]:
        """Return what a page may show that is loaded now, sorted, if the same game is still on."""
        with self.lock:  # once a tap is acknowledged that may be on its way
            game = self.keeper.games[-1] if self.keeper.games else None
        if game is None or game.id != game_id:
            return []
        known = [(0, 0), *(one.after.totals for one in game.state.rounds)]
        return [sorted(map(minus, totals)) for totals in known[rounds:]]

    def call_last_round(self, director: Phone, store: Store) -> float:
        """Let the director call the last round, of which this phone is told by its stream."""
        with self.lock:
            if self.keeper.is_over:
                return 0
            if self.keeper.pending or self.keeper.game.lines[-1].kind == "undo":
                self._tap()
            game = self.keeper.game
            path = f"/games/{game.id}/rounds/{game.state.number}/last"
            for _again in range(TRIES):
                answer = director.post(path, version=game.lines[-1].version)
                if answer.status != 503:
                    break
            assert answer.status == 303, answer.said
            with store.borrow() as db:
                for line in lines_of(db, game.id)[len(game.lines) :]:
                    game.keep(line)
            return answer.seconds

    def _tap(self) -> None:
        """Make a tap; what a busy server refuses is sent again, as a phone does."""
        for _again in range(TRIES):
            try:
                self.keeper.tap()
            except AssertionError as refused:
                if not str(refused).startswith("503 "):
                    raise
                self.busy += 1
            else:
                self.moments.append(time.monotonic())
                return


class Evening:
    """A club night in a database, and what its director does."""

    def __init__(self, store: Store, size: Size) -> None:
        self.store, self.size = store, size
        with store.write() as db:
            self.table_id = make_table(db, now())
            self.key = make_join_key(db, self.table_id, "the director", now())
            plan = Plan(format="swiss", seed=7, rules="partnership", matches=size.matches)
            club = create_night(db, self.table_id, plan, self.who)
            for entry in range(2 * size.tables):
                names = (f"Ana {entry}", f"Ben {entry}")
                club = record(db, club, Entered(entry, names), self.who)
            self.id = record(db, club, pair_next(club.night), self.who).id

    @property
    def who(self) -> Who:
        return Who(None, now(), "the director")

    @property
    def now(self) -> ClubNight:
        """The evening as it is stored."""
        with self.store.borrow() as db:
            club = load_night(db, self.table_id, self.id)
        assert club
        return club

    def path(self, kind: str, number: int = 0) -> str:
        """Return the address of one of its links."""
        if kind == "slip":
            return f"/club/{self.id}/tables/{number}/{link_key(self.now, ('slip', number), SECRET)}"
        key = link_key(self.now, ("wall" if kind == "wall" else "poster", 0), SECRET)
        return f"/club/{self.id}/{'wall' if kind == 'wall' else 'players'}/{key}"

    def act(self, phone: Phone, name: str, number: int) -> float:
        """Let the director press a button of the desk; return how long it took."""
        seen = re.findall(r'name="version" value="(\d+)"', phone.refresh(self.desk, "").text)
        answer = phone.post(self.desk, act=name, match=number, version=seen[0])
        assert answer.status == 303, answer.said
        return answer.seconds

    @property
    def desk(self) -> str:
        """The address of the desk."""
        return f"/club/{self.id}"

    def sit_down(self, tables: Sequence[Table]) -> None:
        """Let every table begin the game of the match that has started."""
        club = self.now
        match = club.night.matches[-1]
        for table in tables:
            table.keeper.rules = rules_of(club.night.plan)
            at = table.keeper.number
            table.keeper.sit(match.games[at], dealer_at(club.night, match, at))
            table.is_done.clear()
            table.plays.set()


class Wall(threading.Thread):
    """The screen on the wall: told by one stream of the whole table, it loads its page again."""

    def __init__(self, phone: Phone, path: str, is_over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.phone, self.path, self.is_over = phone, path, is_over
        self.loads: list[tuple[float, float]] = []  # when each began and ended
        self.errors: list[str] = []

    def run(self) -> None:
        """Follow until the evening is over."""
        while not self.is_over.is_set():
            try:
                self._follow()
            except (Unanswered, OSError, http.client.HTTPException) as wrong:
                self.errors.append(f"wall: {wrong!r}")

    def _follow(self) -> None:
        stream = http.client.HTTPConnection(self.phone.host, timeout=PATIENCE)
        with closing(stream):
            stream.request("GET", f"{self.path}/events", headers={"Cookie": self.phone.cookie})
            with stream.getresponse() as answer:
                assert answer.status == 200, answer.status
                self._load()
                while not self.is_over.is_set() and (line := answer.readline()):
                    if line.startswith(b"data:"):
                        self._load()
                        time.sleep(SOONEST)

    def _load(self) -> None:
        begun = time.monotonic()
        answer = self.phone.refresh(self.path, "")
        self.loads.append((begun, time.monotonic()))
        if answer.status != 200:
            self.errors.append(f"wall: {answer.said}")

    def delays(self, moments: Sequence[float]) -> list[float]:
        """Return how long after each moment a load that began after it was there."""
        begun = [load[0] for load in self.loads]
        at = [(moment, bisect_left(begun, moment)) for moment in moments]
        return [self.loads[n][1] - moment for moment, n in at if n < len(begun)]


def server(folder: Path, database: str = "", workers: int = 0) -> Program | Hosted:
    """Return the server in the box, or gunicorn with workers, with its database in a folder.

    The database may be elsewhere.
    """
    settings = {"SCOREKEEPER_SECRET": SECRET}
    settings |= {"SCOREKEEPER_DATABASE": database} if database else {}
    if workers:
        return Hosted(folder, workers=workers, **settings)
    command = [*SERVER, "--host", "127.0.0.1", "--port", "0"]
    settings |= {"SCOREKEEPER_DATA": str(folder), "PYTHONPATH": str(CHECKOUT)}
    return Program(command, CHECKOUT, **settings)


def spend(folder: Path, size: Size, database: str = "", workers: int = 0) -> Figures:
    """Play an evening at a server, as `server` has it."""
    figures = Figures(size)
    with ExitStack() as at_end:
        program = at_end.enter_context(server(folder, database, workers))
        store = open_store(folder, url=database or None)
        at_end.callback(store.close)
        evening = Evening(store, size)
        numbers = range(1, size.tables + 1)
        tables = [Table(number, size.pace, program.address) for number in numbers]
        for table in tables:
            at_end.callback(table.keeper.phone.close)
            table.scan(evening.path("slip", table.keeper.number))
        _play(figures, evening, tables, program.address)
        figures.saves += [one.seconds for table in tables for one in table.keeper.answers]
        figures.busy = sum(table.busy for table in tables)
        program.process.terminate()
        if program.end() != 0 or (program.complained and not figures.busy):
            figures.errors.append(f"the server complained: {program.complained[-500:]}")
        tale = Tale("club night")
        keepers = [table.keeper for table in tables]
        tale.compare(store if database else folder, keepers)
        tale.check(store if database else folder)
        figures.errors += tale.lost + tale.doubled + tale.wrong
    figures.rounds = sum(len(g.state.rounds) for table in tables for g in table.keeper.games)
    return figures


def _play(figures: Figures, evening: Evening, tables: Sequence[Table], address: str) -> None:
    """Play all matches, with a desk, a wall and all players looking on."""
    is_over = threading.Event()
    wall = Wall(Phone(address), evening.path("wall"), is_over)
    director, desk = Phone(address), Phone(address)
    director.join(f"{address}/join/{evening.key}", "the director")
    desk.cookie = director.cookie
    beside = [
        threading.Thread(target=_watch_desk, args=[figures, evening.desk, tables, desk, is_over]),
        *(
            threading.Thread(target=_look_on, args=[figures, evening, (address, at), is_over])
            for at in range(BESIDE)
        ),
        *(threading.Thread(target=table.run, args=[is_over]) for table in tables),
        wall,
    ]
    for thread in beside:
        thread.daemon = True  # so that they end with an evening that went wrong
        thread.start()
    for number in range(1, figures.size.matches + 1):
        figures.starts.append(evening.act(director, "start", number))
        evening.sit_down(tables)
        _wait(figures.size.clock, tables)
        director.refresh(evening.desk, "")  # as the server has closed its connection meanwhile
        calls = [table.call_last_round(director, evening.store) for table in tables]
        figures.calls += [seconds for seconds in calls if seconds]
        evening.act(director, "last", number)
        for table in tables:
            if not table.is_done.wait(PATIENCE * 10 * max(1.0, figures.size.pace)):
                figures.errors.append(f"table {table.keeper.number} did not end match {number}")
        if any(table.errors for table in tables):
            break
        figures.closes.append(evening.act(director, "close", number))
    is_over.set()
    for thread in beside:
        thread.join(PATIENCE)
    for phone in (director, desk, wall.phone):
        phone.close()
    figures.errors += wall.errors + [error for table in tables for error in table.errors]
    figures.wall += [ended - began for began, ended in wall.loads]
    figures.shown += wall.delays([moment for table in tables for moment in table.moments])


def _wait(seconds: float, tables: Sequence[Table]) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not all(table.is_done.is_set() for table in tables):
        time.sleep(0.05)


def _watch_desk(
    figures: Figures, path: str, tables: Sequence[Table], phone: Phone, is_over: threading.Event
) -> None:
    """Look at the desk again and again: it must say of each table what was played there."""
    while not is_over.wait(LOOK):
        before = [table.seen for table in tables]
        answer = phone.refresh(path, "")
        figures.desk.append(answer.seconds)
        if answer.status != 200:
            figures.errors.append(f"desk: {answer.said}")
            continue
        match = re.findall(r'name="match" value="(\d+)"', answer.text)
        for row in Page(answer.text).all("ol[@class='club-tables']/li"):
            number = text_of(row.findall(".//b[@class='club-number']")[0])
            table = tables[int(number.split()[-1]) - 1]
            shown = [text_of(one) for one in row.findall(".//span[@class='club-sides']/b")]
            if str(len(table.keeper.games)) != match[0]:
                continue  # which begins just now
            if due := table.totals_since(*before[table.keeper.number - 1]):
                figures.looks += 1
                if sorted(shown) not in due:
                    figures.errors.append(f"desk: {table.keeper.number}: {shown}, not {due}")


def _look_on(
    figures: Figures, evening: Evening, who: tuple[str, int], is_over: threading.Event
) -> None:
    """Let some of the players look at their pages in turn, each every few seconds."""
    address, at = who
    count = PLAYERS * figures.size.tables // BESIDE
    poster = evening.path("poster")
    phones = [Phone(address) for _ in range(count)]
    for nth, phone in cycle(enumerate(phones)):
        if is_over.wait(POLL / count):
            break
        entry = (nth * BESIDE + at) % (2 * figures.size.tables)
        answer = phone.refresh(f"{poster}/{entry}", "")
        figures.players.append(answer.seconds)
        if answer.status != 200:
            figures.errors.append(f"player: {answer.said}")
    for phone in phones:
        phone.close()


def main() -> int:
    """Play an evening and print what was measured; 1 where anything was not right."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.night", description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--matches", type=int, default=8)
    parser.add_argument("--clock", type=float, default=40.0, help="seconds until the last round")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between a table's taps")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--workers", type=int, default=0, help="of gunicorn, in place of our own")
    options = parser.parse_args()
    size = Size(options.tables, options.matches, options.clock, options.pace)
    with ExitStack() as at_end:
        folder = at_end.enter_context(tempfile.TemporaryDirectory(prefix="night-"))
        url = at_end.enter_context(Cluster(fsync=True)).url if options.postgresql else ""
        figures = spend(Path(folder), size, url, options.workers)
    print(figures)
    return 1 if figures.errors else 0


if __name__ == "__main__":
    sys.exit(main())
