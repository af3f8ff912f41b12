"""From the start of the program to the first page, and the memory that it takes then."""

from statistics import median

from tests.bench.bench import Bench, Figure, Table, mebibytes, ratio, turns
from tests.bench.play import Keeper
from tests.bench.servers import bare, first_page, ours
from tests.bench.wire import Line, request, seconds_of

GAMES = 12_000  # which make a file of 150 MB


def start(bench: Bench) -> list[Figure]:
    """Return how much longer the start takes with a file of 150 MB than with an empty one."""
    many = bench.full_table(500 if bench.quick else GAMES)
    empty = bench.table()
    here, there = turns(
        lambda: seconds_of(lambda: _start(many)),
        lambda: seconds_of(lambda: _start(empty)),
        2 if bench.quick else 9,
    )
    size = (many.folder / "scorekeeper.db").stat().st_size / 1e6
    return [Figure(ratio(here, there), f"{median(here):.2f} s, {size:.0f} MB")]


def _start(table: Table) -> None:
    with ours(table.folder) as server:
        first_page(server)


def memory(bench: Bench) -> list[Figure]:
    """Return the MiB after 50 pages beyond those of a plain application."""
    table = bench.table(played=(1, 20))
    with (
        ours(table.folder) as server,
        bare(bench.folder()) as plain,
        Line(server.address) as line,
        Line(plain.address) as other,
    ):
        keeper = Keeper(server.address, table.cookie, table.games["played"][0])
        for _ in range(50):
            assert line.ask(keeper.asking()).status == 200
            assert other.ask(request(plain.address, "/")).status == 200
        here, there = mebibytes(server.process.pid), mebibytes(plain.process.pid)
    return [Figure(here - there, f"{here:.1f} and {there:.1f}")]
