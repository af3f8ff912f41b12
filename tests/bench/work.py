"""What a tap costs the server, as phones send it: the whole round, on a connection that is kept."""

import time
from functools import cache
from statistics import median
from urllib.parse import parse_qsl

from tests.bench.bench import Bench, Figure, ratio
from tests.bench.play import Keeper
from tests.bench.servers import bare, ours
from tests.bench.wire import Line, request

ROUNDS, TAPS = 12, 8  # rounds played before, as in the middle of a game; taps of a round


def tap(bench: Bench) -> list[Figure]:
    """Return the milliseconds of a bid or a count, and their ratio to one row stored durably."""
    taps, _scores, rows = _played(bench)
    each = [[median(one) for one in took] for took in (taps, rows)]
    in_ms = [median(one) * 1e3 for one in each]
    return [Figure(in_ms[0]), Figure(ratio(*each), f"{in_ms[1]:.2f} ms")]


def score(bench: Bench) -> list[Figure]:
    """Return the milliseconds of the tap that scores a round."""
    _taps, scores, _rows = _played(bench)
    return [Figure(median(median(one) for one in scores) * 1e3)]


@cache
def _played(bench: Bench) -> tuple[list[list[float]], list[list[float]], list[list[float]]]:
    """Play rounds in several games and return the seconds of taps, scores and plain rows by turn.

    Between two taps the other server stores the same form as a row.
    """
    how_many = 4 if bench.quick else 60
    table = bench.table(played=(how_many, ROUNDS))
    taps, scores, rows = [], [], []
    with (
        ours(table.folder) as server,
        bare(bench.folder()) as plain,
        Line(server.address) as line,
        Line(plain.address) as yardstick,
    ):
        for game_id in table.games["played"]:
            keeper = Keeper(server.address, table.cookie, game_id)
            line.ask(keeper.asking())
            keeper.learn(line.ask(keeper.facts()))
            took: list[float] = []
            beside: list[float] = []
            for _ in range(TAPS):
                sent = keeper.tap()
                start = time.perf_counter()
                answer = line.ask(sent)
                took.append(time.perf_counter() - start)
                keeper.saved(answer)
                form = parse_qsl(sent.partition(b"\r\n\r\n")[2].decode(), keep_blank_values=True)
                same = request(plain.address, "/row", dict(form))
                start = time.perf_counter()
                yardstick.ask(same)
                beside.append(time.perf_counter() - start)
            taps.append(took[:-1])
            scores.append(took[-1:])
            rows.append(beside)
    return taps, scores, rows
