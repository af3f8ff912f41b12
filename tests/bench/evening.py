"""An evening of many tables on PostgreSQL, over two app processes.

    python -m tests.bench.evening [--tables 10000] [--playing 1000] [--minutes 5]

Without options it is a small one, to see whether everything works. As many tables as are named are
in the database, some of them play: one phone taps every three seconds, three follow. In the end the
sheet of every sampled game is compared with a recount of its journal, which must have what the
phone was told last. The status is 1 where anything was wrong.
"""

import argparse
import json
import random
import re
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from scorekeeper.rules.round import Round
from scorekeeper.store.check import faults
from scorekeeper.store.opening import open_postgresql
from scorekeeper.store.restore import move
from tests.bench.bench import Bench, Figure, LeftOut, mebibytes
from tests.bench.play import ENDLESS, DataFolder
from tests.bench.servers import processor_seconds
from tests.bench.tables import EACH, Load, Seen, seed_tables
from tests.bench.wire import Line, request
from tests.deployed import PUBLIC, Deployed, printed
from tests.faults.keeper import Played
from tests.faults.ledger import Line as JournalLine
from tests.faults.ledger import kept_of, lines_of, recount
from tests.postgresql import BINARIES, Cluster

TABLES, PLAYING, MINUTES = 200, 20, 0.4
WHOLE = (10_000, 1_000, 5.0)
SAMPLE = 100  # games
MINUTE = 60.0  # seconds
SETTLES = 3.0  # seconds after all tables have begun
GROWTH = 1.1  # of p95 from the first minute to the last
SECRET = "the same key on every machine, of course"


class Evening:
    """A database with many tables, and two processes that serve some of them."""

    def __init__(self, scratch: Path, cluster: Cluster, tables: int, playing: int) -> None:
        self._scratch, self._cluster = scratch, cluster
        self._tables, self._playing = tables, playing
        self.wrong: list[str] = []

    def play(self, minutes: float) -> float:
        """Seed, play, print figures, and collect what was wrong; return how p95 has grown."""
        seeded = self._seed()
        seeds = self._scratch / "tables.json"
        seeds.write_text(json.dumps(seeded))
        folder = self._scratch / "app"
        folder.mkdir()
        settings = {"SCOREKEEPER_DATABASE": self._cluster.url, "SCOREKEEPER_SECRET": SECRET}
        with (
            Deployed(folder, self._scratch / "log", **settings) as server,
            Load(server.address, seeds) as load,
        ):
            empty = sum(map(mebibytes, server.pids))
            load.phase(self._playing, 2 + self._playing / 100, SETTLES)
            before = self._used(server)
            length = min(MINUTE, MINUTE * minutes)
            seen, logged = [], [self._logged()]
            for _minute in range(max(1, round(minutes))):
                seen.append(load.phase(self._playing, 0, length))
                logged.append(self._logged())
            taken = sum(one["taps"] for one in seen)
            app, database = (
                1e3 * (now - then) / taken
                for now, then in zip(self._used(server), before, strict=True)
            )
            memory = sum(map(mebibytes, server.pids)) - empty
            growth = self._judge(seen, [now - then for then, now in pairwise(logged)])
            self._look(server.address, seeded, seen[-1]["revisions"])
        print(
            f"processor of a tap and of telling three: apps {app:.2f}, PostgreSQL {database:.2f} "
            f"ms; memory of a phone {1024 * memory / self._playing / EACH:.0f} KiB"
        )
        return growth

    def _seed(self) -> list[dict[str, Any]]:
        """Make the tables in a file, which is quick, and move them to PostgreSQL."""
        folder = self._scratch / "seed"
        with DataFolder(folder, BASE_URL=PUBLIC, SECRET_KEY=SECRET) as data_folder:
            seeded = seed_tables(data_folder, self._playing)
            seed_tables(data_folder, self._tables - self._playing, followers=0)
            with open_postgresql(self._cluster.url, folder, waits_long=True) as target:
                move(data_folder.store, target)
        # As in a database that has been there for long: its rows are vacuumed, and few pages are
        # new since the last checkpoint, after which each is written to the log as a whole once.
        self._cluster.execute("VACUUM ANALYZE")
        self._cluster.execute("CHECKPOINT")
        print(f"{self._tables} tables, {self._playing} of which play, on one PostgreSQL")
        return seeded

    def _used(self, server: Deployed) -> tuple[float, float]:
        """Return the processor seconds of the apps and of PostgreSQL so far."""
        return processor_seconds(server.pids), processor_seconds(self._cluster.pids)

    def _logged(self) -> int:
        """Return how many bytes PostgreSQL has written to its log so far."""
        ((written,),) = self._cluster.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")
        return int(str(written))

    def _judge(self, seen: list[Seen], logged: list[int]) -> float:
        for minute, (one, written) in enumerate(zip(seen, logged, strict=True), 1):
            print(
                f"minute {minute}: {one['taps']} taps, saved p95 {one['saved_p95']:.0f}, p99 "
                f"{one['saved_p99']:.0f}, shown p99 {one['shown_p99']:.0f} ms, "
                f"{written / 1024 / one['taps']:.1f} KiB of PostgreSQL's log each"
            )
            for what in ("errors", "missed", "refused"):
                if one[what]:
                    self.wrong.append(f"minute {minute}: {one[what]} {what}")
        growth = seen[-1]["saved_p95"] / seen[0]["saved_p95"]
        print(f"p95 of the last minute / of the first: {growth:.2f}")
        if growth > GROWTH:
            self.wrong.append(f"p95 has grown {growth:.2f} times")
        return growth

    def _look(self, address: str, seeded: list[dict[str, Any]], revisions: list[str]) -> None:
        """Compare sheets with recounts, and the journal with what phones were told."""
        played = [*zip(seeded, revisions, strict=True)]
        sample = random.Random(4).sample(played, min(SAMPLE, len(played)))
        folder = self._scratch
        with (
            open_postgresql(self._cluster.url, folder, waits_long=True) as store,
            Line(address) as line,
        ):
            for table, revision in sample:
                game_id = table["game"]
                asked = request(PUBLIC, f"/games/{game_id}.csv", None, table["cookies"][0])
                sheet = kept_of(line.ask(asked).text)
                kept = lines_of(store.db, game_id)
                if sheet != (due := recount(_played(game_id, kept))):
                    self.wrong.append(f"{game_id}: the sheet says {sheet}, a recount {due}")
                if int(revision.partition("-")[0]) not in (len(kept), len(kept) - 1):
                    self.wrong.append(f"{game_id}: {revision} was told, of {len(kept)} lines")
            self.wrong += map(str, faults(store))
        print(f"{len(sample)} sheets compared with recounts, and all of the database checked")


def _played(game_id: str, lines: list[JournalLine]) -> Played:
    """Return a game as its journal has it."""
    rounds: list[Round] = []
    for line in lines:
        if line.round is not None:
            rounds[line.round - 1 : line.round] = [line.after] if line.after else []
    return Played(game_id, ENDLESS, rounds, lines, [])


def settings() -> str:
    """Return when `scorekeeper deploy standby` lets PostgreSQL make checkpoints, as its options."""
    found = re.findall(r"^(checkpoint_\w+|max_wal_size) = (\w+)$", printed("standby"), re.MULTILINE)
    return " ".join(f"-c {name}={value}" for name, value in found)


def grown(bench: Bench) -> list[Figure]:
    """Return p95 of the last minute over that of the first."""
    if not BINARIES:
        raise LeftOut("PostgreSQL is not installed")
    tables, playing, minutes = (TABLES, PLAYING, MINUTES) if bench.quick else WHOLE
    with Cluster(fsync=True, settings=settings()) as cluster:
        evening = Evening(bench.folder(), cluster, tables, playing)
        growth = evening.play(minutes)
    return [Figure(growth, "; ".join(evening.wrong[:3]), not evening.wrong)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.evening", description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--playing", type=int, default=PLAYING)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as scratch,
        Cluster(fsync=True, settings=settings()) as cluster,
    ):
        evening = Evening(Path(scratch), cluster, options.tables, options.playing)
        evening.play(options.minutes)
    for wrong in evening.wrong[:20]:
        print(wrong)
    print("all is well" if not evening.wrong else f"{len(evening.wrong)} things are wrong")
    return 1 if evening.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
