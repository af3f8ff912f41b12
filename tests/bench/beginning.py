"""From the start of the program to the first page, and the memory that it takes then."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.bench import Bench
from tests.bench.memory import mebibytes
from tests.bench.play import Caller
from tests.bench.rows import Row, quotients, turns
from tests.bench.servers import Server
from tests.bench.wire import Line, request, seconds_of


def first_page(bench: Bench) -> Iterator[Row]:
    """A folder with one game in it, opened again and again, and a bare application."""
    table = bench.table(played=(1, 20))
    bare = bench.folder()
    here, there = turns(
        lambda: seconds_of(lambda: _start("ours", table.folder)),
        lambda: seconds_of(lambda: _start("bare", bare)),
        2 if bench.quick else 9,
    )
    yield Row(
        "start to first page",
        "bare Flask on the same server",
        None,
        None,
        quotients(here, there),
        seen=f"{median(here):.2f} and {median(there):.2f} s",
    )
    with bench.both(table.folder) as (ours, plain):
        caller, line = Caller(ours.address, table.cookie), Line(plain.address)
        for _ in range(50):
            game = caller.asking(f"/games/{table.games['played'][0]}")
            assert caller.line.ask(game).status == 200
            assert line.ask(request(plain.address, "/")).status == 200
        more = mebibytes(ours.process.pid), mebibytes(plain.process.pid)
    yield Row(
        "memory after 50 pages, more than",
        "bare Flask on the same server",
        None,
        10,
        [more[0] - more[1]],
        "MiB",
        seen=f"{more[0]:.1f} and {more[1]:.1f} MiB",
    )


def first_page_of_many(bench: Bench) -> Iterator[Row]:
    """The start does not wait until the whole file is looked through."""
    many, few = bench.big.folder, bench.full_table(10).folder
    here, there = turns(
        lambda: seconds_of(lambda: _start("ours", many)),
        lambda: seconds_of(lambda: _start("ours", few)),
        2 if bench.quick else 9,
    )
    yield Row(
        "start to first page with 100,000 games",
        "with 10 games",
        None,
        1.5,
        quotients(here, there),
        seen=f"{median(here):.2f} and {median(there):.2f} s",
    )


def _start(kind: str, folder: Path) -> None:
    with Server(kind, folder) as server:
        line = Line(server.address)
        assert line.ask(request(server.address, "/", Connection="close")).status in (200, 404)
        line.close()
