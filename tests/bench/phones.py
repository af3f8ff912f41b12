"""Sixteen phones that save at once, each as fast as it is answered."""

import threading
import time
from collections.abc import Iterator
from statistics import median

from tests.bench.bench import Bench
from tests.bench.play import Caller
from tests.bench.rows import Row, percentile

PHONES, SEATS = 16, 5


def at_once(bench: Bench) -> Iterator[Row]:
    """Every phone plays a game of its own: five bids, the score, the next round."""
    tails, shares, seen = [], [], []
    table = bench.table(played=(PHONES, 3))
    seconds, how_often = (1.0, 1) if bench.quick else (4.0, 5)
    with bench.both(table.folder) as (ours, _bare):
        phones = [Phone(ours.address, table.cookie, one) for one in table.games["played"]]
        for _ in range(how_often):
            took = _play(phones, seconds)
            counts = [len(one) for one in took]
            every = [each for one in took for each in one]
            tails.append(percentile(every, 99) / median(every))
            shares.append(min(counts) / max(counts))
            seen.append(sum(counts) / seconds)
    errors = sum(phone.errors for phone in phones)
    told = f"{median(seen):.0f} saved a second, {errors} errors"
    yield Row("16 phones saving at once: p99 to p50", "itself", None, 3, tails, seen=told)
    yield Row("the slowest of them to the fastest", "itself", 0.7, None, shares, seen=told)


class Phone:
    """A phone that plays a game on, and counts what was not saved."""

    def __init__(self, address: str, cookie: str, game_id: str) -> None:
        self.caller, self.path = Caller(address, cookie), f"/games/{game_id}"
        self.caller.learn_token(self.path)
        self.number, self.version, self.errors = 4, 4, 0

    def play(self, until: float, took: list[float]) -> None:
        while True:
            at = f"{self.path}/rounds/{self.number}"
            for seat in range(1, SEATS + 1):
                if not self._save(f"{at}/bids", {"seat": seat, "bid": 2}, took):
                    return
            counts = {f"tricks-{seat}": 2 for seat in range(1, SEATS + 1)}
            if not self._save(f"{at}/tricks", counts, took):
                return
            self.number += 1
            if time.perf_counter() > until:
                return

    def _save(self, path: str, fields: dict[str, object], took: list[float]) -> bool:
        sent = self.caller.sending(path, {"version": self.version, **fields})
        start = time.perf_counter()
        answer = self.caller.line.ask(sent)
        took.append(time.perf_counter() - start)
        self.version += 1
        self.errors += answer.status != 303
        return answer.status == 303


def _play(phones: list[Phone], seconds: float) -> list[list[float]]:
    until = time.perf_counter() + seconds
    took: list[list[float]] = [[] for _ in phones]
    threads = [
        threading.Thread(target=phone.play, args=(until, mine))
        for phone, mine in zip(phones, took, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took
