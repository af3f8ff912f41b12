"""What the rows share: where they may write, how long they may take, figures, the big table."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.play import DataFolder
from tests.bench.seed import many_games


class Figure(NamedTuple):
    """A measured figure; one with errors beside it, as its note says, is not right."""

    value: float
    note: str = ""
    is_right: bool = True


class LeftOut(Exception):
    """A row cannot be measured here; the message says what is missing."""


@dataclass(frozen=True)
class Table:
    """A folder of games, the cookie of a phone that keeps score there, and its games by kind."""

    folder: Path
    cookie: str
    games: dict[str, list[str]]


@dataclass(eq=False)
class Bench:
    """One run. `quick` looks whether everything works; its figures mean little."""

    scratch: Path
    quick: bool = False
    made: int = field(default=0)

    def folder(self) -> Path:
        """Return a new folder."""
        self.made += 1
        folder = self.scratch / str(self.made)
        folder.mkdir()
        return folder

    def table(self, **games: tuple[int, int]) -> Table:
        """Make a table with games by their kinds: how many, and how many rounds of each."""
        with DataFolder(self.folder()) as data_folder:
            phone = data_folder.phone()
            made = {kind: data_folder.games(phone, *amount) for kind, amount in games.items()}
            return Table(data_folder.folder, data_folder.cookie(phone), made)

    @cached_property
    def big(self) -> Table:
        """A table that has played 100,000 games of about ten rounds, and goes on with ten."""
        return self.full_table(200 if self.quick else 100_000)

    def full_table(self, how_many: int) -> Table:
        """Make a table with so many games that are over, and ten that go on."""
        with DataFolder(self.folder()) as data_folder:
            phone = data_folder.phone()
            over = many_games(data_folder, phone, how_many) if how_many else []
            made = {"over": over, "open": data_folder.games(phone, 10, 5)}
            return Table(data_folder.folder, data_folder.cookie(phone), made)


def turns(
    ours: Callable[[], float], yardstick: Callable[[], float], how_many: int
) -> tuple[list[float], list[float]]:
    """Measure both in turns, each first as often as second, and return both lists of figures."""
    ours(), yardstick()  # the first of each is slower and counts nothing
    here, there = [], []
    for turn in range(how_many):
        if turn % 2:
            there.append(yardstick())
            here.append(ours())
        else:
            here.append(ours())
            there.append(yardstick())
    return here, there


def ratio(here: Sequence[float], there: Sequence[float]) -> float:
    """Return the median of the ratios of each turn."""
    return median(one / other for one, other in zip(here, there, strict=True))


def percentile(figures: Sequence[float], percent: float) -> float:
    """Return the figure below which so many percent of them lie."""
    return sorted(figures)[min(len(figures) - 1, int(len(figures) * percent / 100))]


def mebibytes(pid: int) -> float:
    """Return the proportional set size of a process: its own memory, and its share of the rest."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024
