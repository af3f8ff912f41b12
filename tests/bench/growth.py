"""What a table that has played for years costs, and a game that never ends."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from statistics import median

from scorekeeper.rules.round import Round
from tests.bench.bench import Bench, Figure, Table, ratio, turns
from tests.bench.play import CAST, Keeper
from tests.bench.servers import ours
from tests.bench.wire import Answer, Line, request

DEALT = Round((2, 2, 2, 2), (4, 3, 2, 1)), Round((2, 2, 2, 2), (1, 2, 3, 4))


class Visitor:
    """A phone that uses the games of a table in turn; each method returns seconds."""

    def __init__(self, line: Line, address: str, table: Table, kind: str) -> None:
        self.line = line
        self.keepers = [Keeper(address, table.cookie, game) for game in table.games[kind]]
        for keeper in self.keepers:
            keeper.learn(self.line.ask(keeper.facts()))
        self._turn = cycle(self.keepers)
        self._deals = cycle(DEALT[n] for n in (0, 1) for _ in self.keepers)
        self._begun = 0

    def record(self) -> float:
        """Correct the newest round of a game."""
        keeper = next(self._turn)
        took, answer = self._time(keeper.sending(keeper.number, next(self._deals)), 200)
        keeper.saved(answer)
        return took

    def show(self) -> float:
        """Look at a game that has just changed."""
        self.record()
        return self._time(next(self._turn).asking(), 200)[0]

    def newest(self) -> float:
        return self._look("/")

    def history(self) -> float:
        return self._look("/history")

    def statistics(self) -> float:
        return self._look("/players")

    def begin(self) -> float:
        """Start a game; its stake tells it from the others."""
        keeper = self.keepers[0]
        self._begun += 1
        fields: dict[str, object] = {"csrf_token": keeper.token, "rules": "cutthroat-lite"}
        fields |= {f"player-{n}": name for n, name in enumerate(CAST, 1)}
        fields |= {"first_dealer": 1, "stake": self._begun}
        headers = {"Origin": keeper.address}
        sent = request(keeper.address, "/games/new", fields, keeper.cookie, **headers)
        return self._time(sent, 303)[0]

    def _look(self, path: str) -> float:
        keeper = self.keepers[0]
        return self._time(request(keeper.address, path, None, keeper.cookie), 200)[0]

    def _time(self, sent: bytes, status: int) -> tuple[float, Answer]:
        start = time.perf_counter()
        answer = self.line.ask(sent)
        took = time.perf_counter() - start
        assert answer.status == status, (answer.status, answer.text[-2000:])
        return took, answer


Act = Callable[[Visitor], float]


def begin(bench: Bench) -> list[Figure]:
    """Return how much longer starting a game takes with 100,000 games than with ten."""
    with _two_tables(bench) as (many, few):
        return [_compared(bench, Visitor.begin, many, few)]


def games(bench: Bench) -> list[Figure]:
    """Return how much longer each request takes with 100,000 games than with ten."""
    acts = Visitor.record, Visitor.show, Visitor.newest, Visitor.history, Visitor.statistics
    with _two_tables(bench) as (many, few):
        return [_compared(bench, act, many, few) for act in acts]


def rounds(bench: Bench) -> list[Figure]:
    """Return how much longer recording and showing take with 200 rounds than with ten."""
    table = bench.table(short=(5, 10), long=(5, 50 if bench.quick else 200))
    with ours(table.folder) as server, Line(server.address) as line:
        long, short = (Visitor(line, server.address, table, kind) for kind in ("long", "short"))
        return [_compared(bench, act, long, short) for act in (Visitor.record, Visitor.show)]


@contextmanager
def _two_tables(bench: Bench) -> Iterator[list[Visitor]]:
    with ExitStack() as stack:
        visitors = []
        for table in (bench.big, bench.full_table(10)):
            address = stack.enter_context(ours(table.folder)).address
            line = stack.enter_context(Line(address))
            visitors.append(Visitor(line, address, table, "open"))
        yield visitors


def _compared(bench: Bench, act: Act, many: Visitor, few: Visitor) -> Figure:
    times, how_often = (3, 2) if bench.quick else (12, 9)
    here, there = turns(
        lambda: median(act(many) for _ in range(times)),
        lambda: median(act(few) for _ in range(times)),
        how_often,
    )
    return Figure(ratio(here, there), f"{median(here) * 1e3:.1f} ms")
