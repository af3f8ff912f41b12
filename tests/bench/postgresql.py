"""PostgreSQL beside SQLite: bids, many tables at once, phones at two machines, moving all games.

    python -m tests.bench.postgresql [bid] [taps] [machines] [move]

Both databases are on the same disk, which each commit waits for, and take turns.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path

from scorekeeper.files.exports import json_pieces
from scorekeeper.rules.round import Round
from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game
from scorekeeper.store.opening import is_url, open_postgresql
from scorekeeper.store.restore import move
from tests.bench.bench import percentile
from tests.bench.play import DataFolder
from tests.bench.play import Keeper as Phone
from tests.bench.seed import many_games
from tests.bench.servers import ours
from tests.bench.wire import Line
from tests.faults.machines import Machines
from tests.postgresql import Cluster, schema
from tests.program import CHECKOUT, clean_environment
from tests.store.play import Keeper

TURNS = 5
ROUNDS = 20  # of a turn
PROCESSES, THREADS, TABLES = 2, 8, 200
SECONDS = 8.0  # of a turn
WATCHED, PAUSE = 400, 0.1  # taps whose way to the other machine is timed, and seconds between
GAMES = 5000
SECRET = "the same key on every machine, of course"


class Places:
    """A new folder or schema for each store that is opened."""

    def __init__(self, scratch: Path, cluster: Cluster) -> None:
        self.scratch, self.cluster = scratch, cluster

    @contextmanager
    def both(self) -> Iterator[tuple[str, str]]:
        """Provide a place for SQLite and one for PostgreSQL."""
        with (
            schema(self.cluster.socket) as url,
            tempfile.TemporaryDirectory(dir=self.scratch) as folder,
        ):
            yield folder, url


def bid(places: Places) -> None:
    """Print how long a phone waits for a bid and for a scored round, alone at a server."""
    took: dict[str, list[list[float]]] = {"bid": [[], []], "round": [[], []]}
    with places.both() as (folder, url), ExitStack() as opened:
        with DataFolder(Path(folder), SECRET_KEY=SECRET) as data_folder:
            phone = data_folder.phone()
            (game_id,) = data_folder.games(phone, 1, 1)
            cookie = data_folder.cookie(phone)
            with _store(url) as target:
                move(data_folder.store, target)
        other = opened.enter_context(tempfile.TemporaryDirectory(dir=places.scratch))
        players = []
        for place, settings in ((folder, {}), (other, {"SCOREKEEPER_DATABASE": url})):
            server = ours(Path(place), SCOREKEEPER_SECRET=SECRET, **settings)
            address = opened.enter_context(server).address
            keeper, line = Phone(address, cookie, game_id), opened.enter_context(Line(address))
            line.ask(keeper.asking())
            keeper.learn(line.ask(keeper.facts()))
            players.append((keeper, line))
        for _ in range(TURNS):
            for number, (keeper, line) in enumerate(players):
                for _round in range(ROUNDS):
                    _play_round(keeper, line, took["bid"][number], took["round"][number])
    for name, both_took in took.items():
        # Where others use the machine, the fastest tenth has waited the least for a processor.
        for which, percent in (("median", 50), ("fastest tenth", 10)):
            here, there = (1e3 * percentile(one, percent) for one in both_took)
            ratio = f"{there / here:.2f}"
            print(f"{name}, {which}: SQLite {here:.2f} ms, PostgreSQL {there:.2f} ms, {ratio}")


def _play_round(keeper: Phone, line: Line, bids: list[float], rounds: list[float]) -> None:
    is_over = False
    while not is_over:
        sent = keeper.tap()
        is_over = not keeper.waiting
        begun = time.perf_counter()
        answer = line.ask(sent)
        (rounds if is_over else bids).append(time.perf_counter() - begun)
        keeper.saved(answer)


def taps(places: Places) -> None:
    """Print taps per second of two processes, for tables that tap as fast as they are answered."""
    rates: list[list[float]] = [[], []]
    late: list[list[float]] = [[], []]
    with places.both() as both:
        for _ in range(TURNS):
            for number, place in enumerate(both):
                found = _together(place)
                rates[number].append(len(found) / SECONDS)
                late[number].append(percentile(found, 99) * 1e3)
    for number, name in enumerate(("SQLite", "PostgreSQL")):
        each = ", ".join(f"{rate:.0f}" for rate in rates[number])
        rate, p99 = statistics.median(rates[number]), statistics.median(late[number])
        print(f"taps: {name} {rate:.0f} a second ({each}), p99 {p99:.0f} ms")


def machines(places: Places) -> None:
    """Print when a tap is told to a phone at the other machine, since it was sent and answered."""
    late: list[list[float]] = [[], []]
    with ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory(dir=places.scratch))
        two = opened.enter_context(Machines(Path(folder), places.cluster.url))
        for number in range(WATCHED):
            keeper = two.keepers[number % len(two.keepers)]
            watcher = two.watchers[number % len(two.keepers)]
            time.sleep(PAUSE)
            moments = [time.monotonic()]
            keeper.tap()
            moments.append(time.monotonic())
            version = keeper.game.lines[-1].version
            if version > 1 and not watcher.missed():
                told = watcher.told[keeper.game.id, version]
                for waits, moment in zip(late, moments, strict=True):
                    waits.append(max(0.0, told - moment))
    for since, waits in zip(("sent", "answered"), late, strict=True):
        p50, p99 = (1e3 * percentile(waits, each) for each in (50, 99))
        print(f"machines: told at the other, since it was {since}, p50 {p50:.0f}, p99 {p99:.0f} ms")


def moving(places: Places) -> None:
    """Print how long it takes to move many games to PostgreSQL and back."""
    with places.both() as (folder, url), tempfile.TemporaryDirectory(dir=places.scratch) as back:
        with DataFolder(Path(folder)) as data_folder:
            many_games(data_folder, data_folder.phone(), GAMES)
        with _store(folder) as here, _store(url) as there, _store(back) as again:
            before = _digest(here)
            took = []
            for source, target in ((here, there), (there, again)):
                begun, used = time.monotonic(), time.process_time()
                move(source, target)
                took.append((time.monotonic() - begun, time.process_time() - used))
                source.release()
                target.release()
            same = _digest(there) == _digest(again) == before
            clean = not list(faults(again))
    seconds = " and back ".join(f"{one:.0f} s ({used:.0f} s of processor)" for one, used in took)
    print(f"move: {GAMES} games {seconds}, the same export: {same}, check clean: {clean}")


def play(place: str) -> None:
    """Tap at many tables from several threads, and print how long each tap took."""
    with _store(place) as store:
        store.backups.end()
        keepers = [Keeper(store) for _ in range(TABLES // PROCESSES)]
        games = [keeper.begin() for keeper in keepers]
        store.release()
        print("ready", flush=True)
        sys.stdin.readline()
        until = time.perf_counter() + SECONDS
        took: list[float] = []

        def tap(own: Sequence[int]) -> None:
            now: dict[int, Game] = {n: games[n] for n in own}
            while True:
                for n in own:
                    begun = time.perf_counter()
                    if begun > until:
                        store.release()
                        return
                    round_ = Round((1 + now[n].version % 9, None, None, None))
                    now[n] = keepers[n].tap(now[n], 1, round_, "bid")
                    took.append(time.perf_counter() - begun)

        threads = [
            threading.Thread(target=tap, args=[range(t, len(keepers), THREADS)])
            for t in range(THREADS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(json.dumps(took))


def _together(place: str) -> list[float]:
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench.postgresql", "--play", place],
            cwd=CHECKOUT,
            env=clean_environment(PYTHONPATH=str(CHECKOUT)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return [one for process in processes for one in json.loads(process.communicate()[0])]


def _store(place: str) -> Store:
    if is_url(place):
        return open_postgresql(place, Path(tempfile.gettempdir()), waits_long=True)
    return Store(Path(place))


def _digest(store: Store) -> str:
    digest = sha256()
    for piece in json_pieces(store):
        digest.update(piece)
    store.release()
    return digest.hexdigest()


FIGURES: dict[str, Callable[[Places], None]] = {
    "bid": bid,
    "taps": taps,
    "machines": machines,
    "move": moving,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.postgresql", description=__doc__)
    parser.add_argument(
        "figures", nargs="*", metavar="FIGURE", help=f"some of: {', '.join(FIGURES)}"
    )
    parser.add_argument("--play", metavar="PLACE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        play(options.play)
        return
    with tempfile.TemporaryDirectory() as scratch, Cluster(fsync=True) as cluster:
        for name in options.figures or FIGURES:
            FIGURES[name](Places(Path(scratch), cluster))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
