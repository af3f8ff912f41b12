"""A load test: many tables play whole games at once with watchers, and every total is right.

`python -m tests.faults.club --tables 40 --minutes 10` plays an evening in ten minutes.
"""

import argparse
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from scorekeeper.clock import now
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.database import Store
from scorekeeper.store.tables import make_join_key, make_table
from tests.faults.follower import Follower
from tests.faults.keeper import Keeper
from tests.faults.kills import SERVER
from tests.faults.ledger import Tale, kept_of, recount
from tests.faults.phone import Answer, Phone, Unanswered
from tests.program import CHECKOUT, Program

WATCHERS = 3
FOUR = [key for key, rules in PRESETS.items() if 4 in rules.players]


@dataclass
class Day:
    """What was measured: seconds of every save and page, and what went wrong."""

    tables: int
    saves: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    streams: Counter[str] = field(default_factory=Counter)
    games: int = 0
    over: int = 0
    rounds: int = 0

    def __str__(self) -> str:
        lines = [
            f"{self.tables} tables, {self.games} games begun, {self.over} over, "
            f"{self.rounds} rounds scored",
            *(
                f"{name}: {len(took)}, p50 {milliseconds(took, 50)}, p95 {milliseconds(took, 95)}, "
                f"p99 {milliseconds(took, 99)}, longest {milliseconds(took, 100)}"
                for name, took in (
                    ("saves", self.saves),
                    ("pages", self.pages),
                    ("until a watcher sees it", self.delays),
                )
            ),
            f"phones told by a stream: {self.streams['stream']}, that poll: {self.streams['poll']}",
            f"errors: {len(self.errors)}",
            *(f"    {error}" for error in sorted(set(self.errors))[:10]),
        ]
        return "\n".join(lines)


class Table:
    """A table of the club: one phone keeps score, it and the watchers are told of changes."""

    def __init__(self, number: int, address: str, key: str, pace: float) -> None:
        self.keeper = Keeper(Phone(address), number, FOUR[number % len(FOUR)])
        self.keeper.phone.join(f"{address}/join/{key}", f"table {number}")
        self.pace, self.dice = pace, random.Random(number)
        self.saves: list[Answer] = []
        self.errors: list[str] = []
        self.acknowledged: dict[tuple[str, int], float] = {}
        own = Phone(address)
        own.cookie = self.keeper.phone.cookie
        self.followers = [Follower(own), *(Follower(Phone(address)) for _ in range(WATCHERS))]

    def play(self, end: float) -> None:
        """Play until a moment, game after game, as fast as the table is."""
        try:
            self._sit_down()
            while time.monotonic() < end:
                time.sleep(self.dice.uniform(0.5, 1.5) * self.pace)
                if self.keeper.is_over:
                    self._sit_down()
                else:
                    self._tap()
        except (AssertionError, Unanswered) as wrong:
            self.errors.append(f"table {self.keeper.number}: {wrong}")

    def _sit_down(self) -> None:
        phone = self.keeper.phone
        self.keeper.begin()
        game = f"/games/{self.keeper.game.id}"
        shared = phone.post(f"{game}/watching", on="yes")
        assert shared.status == 303, shared.said
        link = phone.get(f"{game}/share").text.partition("/watch/")[2][:26]
        for follower in self.followers:
            own = follower is self.followers[0]
            follower.follow(game if own else f"/watch/{link}", self.keeper.game.id)

    def _tap(self) -> None:
        self.keeper.tap()
        line, moment = self.keeper.game.lines[-1], time.monotonic()
        self.saves.append(self.keeper.answers[-1])
        self.followers[0].knows(line.version)
        self.acknowledged[(self.keeper.game.id, line.version)] = moment


def spend(folder: Path, tables: int, seconds: float, pace: float) -> Day:
    """Let the tables of a club play for some seconds, a tap each `pace` seconds at every table."""
    day = Day(tables)
    keys = _furnish(folder, tables)
    environment = {"SCOREKEEPER_DATA": str(folder), "PYTHONPATH": str(CHECKOUT)}
    command = [*SERVER, "--host", "127.0.0.1", "--port", "0"]
    with Program(command, CHECKOUT, **environment) as program, ExitStack() as at_end:
        seated = [Table(n, program.address, key, pace) for n, key in enumerate(keys, 1)]
        end = time.monotonic() + seconds
        players = [threading.Thread(target=table.play, args=[end]) for table in seated]
        followers = [follower for table in seated for follower in table.followers]
        for thread in [*players, *followers]:
            thread.start()
        for player in players:
            player.join()
        for follower in followers:
            follower.stop()
        for table in seated:
            at_end.callback(table.keeper.phone.close)
            _count(day, table)
        _look(day, [table.keeper for table in seated])
        if program.stop() != 0 or program.complained:
            day.errors.append(f"the server complained: {program.complained[-500:]}")
        for follower in followers:
            follower.join()
    tale = Tale("club")
    tale.compare(folder, [table.keeper for table in seated])
    tale.check(folder)
    day.errors += tale.lost + tale.doubled + tale.wrong
    return day


def _furnish(folder: Path, tables: int) -> list[str]:
    store = Store(folder)
    with store.write() as db:
        keys = [make_join_key(db, make_table(db, now()), "club", now()) for _ in range(tables)]
    store.close()
    return keys


def _count(day: Day, table: Table) -> None:
    day.saves += [answer.seconds for answer in table.saves]
    day.games += len(table.keeper.games)
    day.over += sum(game.state.phase == "over" for game in table.keeper.games)
    day.rounds += sum(len(game.state.rounds) for game in table.keeper.games)
    day.errors += table.errors
    for follower in table.followers:
        day.pages += follower.pages
        day.errors += follower.errors
        day.streams["stream" if follower.is_told else "poll"] += 1
    for follower in table.followers[1:]:
        for shown in follower.shown:
            if acknowledged := table.acknowledged.get(shown[:2]):
                day.delays.append(max(0.0, shown[2] - acknowledged))


def _look(day: Day, keepers: Sequence[Keeper]) -> None:
    """Compare the CSV of every game of every table with a recount of what its phone was told."""
    for keeper in keepers:
        for game in keeper.games:
            sheet = keeper.phone.get(f"/games/{game.id}.csv")
            if sheet.status != 200 or kept_of(sheet.text) != recount(game):
                day.errors.append(f"table {keeper.number}, game {game.id}: {sheet.said}")


def milliseconds(took: Sequence[float], percent: int) -> str:
    """Return a percentile of some seconds."""
    if len(took) < 2:
        return "-"
    value = max(took) if percent == 100 else statistics.quantiles(took, n=100)[percent - 1]
    return f"{1000 * value:.0f} ms"


def main() -> int:
    """Spend a day at a club and print what was measured; 1 where anything was not right."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.club", description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between a table's taps")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="club-") as folder:
        day = spend(Path(folder), options.tables, 60 * options.minutes, options.pace)
    print(day)
    return 1 if day.errors else 0


if __name__ == "__main__":
    sys.exit(main())
