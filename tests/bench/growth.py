"""What a table that has played for years costs, and a game that never ends."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from statistics import median

from tests.bench.bench import Bench
from tests.bench.play import Caller
from tests.bench.rows import Row, quotients, turns
from tests.bench.servers import Server

MANY, FEW = "100,000 games", "10 games"


def with_games(bench: Bench) -> Iterator[Row]:
    """The same pages of two tables, one of which has ten thousand times as many games."""
    times, how_often = (3, 2) if bench.quick else (12, 9)
    with ExitStack() as servers:
        tables = [bench.big, bench.full_table(10)]
        keepers = [
            Keeper(
                servers.enter_context(Server("ours", one.folder)).address,
                one.cookie,
                one.games["open"],
                rounds=5,
            )
            for one in tables
        ]
        for name, most, act in (
            ("record a round", 1.1, Keeper.record),
            ("show a game", 1.1, Keeper.show),
            ("list the newest games", 1.1, Keeper.newest),
            ("history", 1.5, Keeper.history),
            ("statistics", 1.5, Keeper.statistics),
        ):
            many, few = (_middle(act, keeper, times) for keeper in keepers)
            here, there = turns(many, few, how_often)
            yield Row(
                f"{name} with {MANY}",
                f"with {FEW}",
                None,
                most,
                quotients(here, there),
                seen=_milliseconds(here, there),
            )


def with_rounds(bench: Bench) -> Iterator[Row]:
    """Games of 10, 20 and 1,000 rounds at one table."""
    times, how_often = (3, 2) if bench.quick else (12, 9)
    table = bench.table(short=(5, 10), evening=(5, 20), endless=(5, 200 if bench.quick else 1000))
    with Server("ours", table.folder) as ours:
        short, evening, endless = (
            Keeper(ours.address, table.cookie, table.games[kind], rounds)
            for kind, rounds in (
                ("short", 10),
                ("evening", 20),
                ("endless", 200 if bench.quick else 1000),
            )
        )
        here, there = turns(
            _middle(Keeper.record, endless, times), _middle(Keeper.record, short, times), how_often
        )
        yield Row(
            "record a round of 1,000",
            "of 10",
            None,
            1.1,
            quotients(here, there),
            seen=_milliseconds(here, there),
        )
        here, there = turns(
            _middle(Keeper.show, endless, times), _middle(Keeper.show, evening, times), how_often
        )
        yield Row(
            "show a game of 1,000 rounds, its newest 20",
            "of 20",
            None,
            1.3,
            quotients(here, there),
            seen=_milliseconds(here, there),
        )


class Keeper:
    """A phone that corrects the newest round of its games in turn, and looks at pages."""

    def __init__(self, address: str, cookie: str, games: list[str], rounds: int) -> None:
        self.caller, self.rounds = Caller(address, cookie), rounds
        self.caller.learn_token(f"/games/{games[0]}")
        self.versions = dict.fromkeys(games, rounds + 1)
        self.cells = {game: self._cells(game) for game in games}
        self._games = games
        self._asked = 0

    def record(self) -> float:
        """Return how long it takes to save a whole round, corrected."""
        game_id = self._games[self._asked % len(self._games)]
        version = self.versions[game_id]
        counts = (4, 3, 2, 1, 0) if version % 2 else (0, 1, 2, 3, 4)
        fields: dict[str, object] = {"version": version, "original": self.cells[game_id]}
        for seat, count in enumerate(counts, 1):
            fields |= {f"bid-{seat}": 2, f"tricks-{seat}": count}
        sent = self.caller.sending(f"/games/{game_id}/rounds/{self.rounds}", fields)
        self.versions[game_id] = version + 1
        self.cells[game_id] = " ".join(f"2/{count}" for count in counts)
        self._asked += 1
        return self._time(sent, 303)

    def show(self) -> float:
        """Return how long a game takes that has just changed, so that it is drawn anew."""
        game_id = self._games[self._asked % len(self._games)]
        self.record()
        return self._look(f"/games/{game_id}")

    def newest(self) -> float:
        return self._look("/")

    def history(self) -> float:
        return self._look("/history")

    def statistics(self) -> float:
        return self._look("/players")

    def _cells(self, game_id: str) -> str:
        """Return what the correction form says that the round's cells are."""
        path = f"/games/{game_id}/rounds/{self.rounds}"
        page = self.caller.get(path, Accept_Encoding="identity").body.decode()
        found = re.search(r'name="original".*<option selected value="([^"]*)"', page)
        assert found is not None, page[-500:]
        return found[1]

    def _look(self, path: str) -> float:
        return self._time(self.caller.asking(path), 200)

    def _time(self, sent: bytes, status: int) -> float:
        start = time.perf_counter()
        answer = self.caller.line.ask(sent)
        took = time.perf_counter() - start
        assert answer.status == status, answer
        return took


def _middle(act: Callable[["Keeper"], float], keeper: "Keeper", times: int) -> Callable[[], float]:
    return lambda: median(act(keeper) for _ in range(times))


def _milliseconds(here: list[float], there: list[float]) -> str:
    return f"{median(here) * 1e3:.1f} and {median(there) * 1e3:.1f} ms"
