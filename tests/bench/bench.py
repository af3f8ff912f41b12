"""What the groups of rows share: where they may write, how long they may take, the big table."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tests.bench.play import DataFolder
from tests.bench.seed import many_games
from tests.bench.servers import Server


@dataclass(frozen=True)
class Table:
    """A folder of games, the cookie of a phone that keeps score there, and its games by kind."""

    folder: Path
    cookie: str
    games: dict[str, list[str]]


@dataclass
class Bench:
    """One run. `quick` looks whether everything works; its figures mean little."""

    scratch: Path
    quick: bool = False
    made: int = field(default=0)

    def folder(self) -> Path:
        """Return a new folder."""
        self.made += 1
        return self.scratch / str(self.made)

    def table(self, **games: tuple[int, int]) -> Table:
        """Make a table with games by their kinds: how many, and how many rounds of each."""
        data_folder = DataFolder(self.folder())
        phone = data_folder.phone()
        made = {kind: data_folder.games(phone, *amount) for kind, amount in games.items()}
        cookie = data_folder.cookie(phone)
        data_folder.close()
        return Table(data_folder.folder, cookie, made)

    @cached_property
    def big(self) -> Table:
        """A table that has played 100,000 games of about ten rounds, and goes on with ten."""
        return self.full_table(2_000 if self.quick else 100_000)

    def full_table(self, how_many: int) -> Table:
        """Make a table with so many games that are over, and ten that go on."""
        data_folder = DataFolder(self.folder())
        phone = data_folder.phone()
        over = many_games(data_folder, phone, how_many)
        made = {"over": over, "open": data_folder.games(phone, 10, 5)}
        cookie = data_folder.cookie(phone)
        data_folder.close()
        return Table(data_folder.folder, cookie, made)

    @contextmanager
    def both(self, folder: Path) -> Iterator[tuple[Server, Server]]:
        """Start the program on a folder of games, and a bare server beside it."""
        with Server("ours", folder) as ours, Server("bare", self.folder()) as bare:
            yield ours, bare
