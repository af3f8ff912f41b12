"""Rows of the table: what was measured, against what, and whether it is what it should be."""

import os
import platform
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from scorekeeper.sqlite import sqlite3

RESULTS = Path(__file__).with_name("results.md")
PACKAGES = ("flask", "werkzeug", "jinja2", "flask-wtf", "sqlite-utils", "waitress")


@dataclass
class Row:
    """One figure. `ratios` holds one for each turn; a row that was left out says why instead."""

    name: str
    against: str
    least: float | None = None
    most: float | None = None
    ratios: Sequence[float] = ()
    unit: str = ""
    seen: str = ""
    left_out: str = ""

    @property
    def measured(self) -> float:
        return statistics.median(self.ratios)

    @property
    def holds(self) -> bool:
        return (self.least is None or self.measured >= self.least) and (
            self.most is None or self.measured <= self.most
        )

    def cells(self) -> list[str]:
        bounds = [f"at least {_short(self.least)}"] if self.least is not None else []
        bounds += [f"at most {_short(self.most)}"] if self.most is not None else []
        aim = " and ".join(bounds) + (f" {self.unit}" if self.unit and bounds else "")
        if self.left_out:
            return [self.name, self.against, aim, "–", "–", "left out", self.left_out]
        figure = f"{_short(self.measured)}{' ' + self.unit if self.unit else ''}"
        spread = f"{_short(min(self.ratios))} – {_short(max(self.ratios))}"
        said = "" if not bounds else "yes" if self.holds else "**no**"
        return [self.name, self.against, aim, figure, spread, said, self.seen]


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


def quotients(here: Sequence[float], there: Sequence[float]) -> list[float]:
    """Return the ratio of each turn."""
    return [one / other for one, other in zip(here, there, strict=True)]


def percentile(figures: Sequence[float], percent: float) -> float:
    """Return the figure below which so many percent of them lie."""
    return sorted(figures)[min(len(figures) - 1, int(len(figures) * percent / 100))]


def table(rows: Sequence[Row]) -> str:
    """Return the rows as Markdown."""
    head = ["what", "against", "aim", "median", "turns", "held", "seen"]
    lines = [head, ["---"] * len(head), *(row.cells() for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def machine() -> str:
    """Return on what the figures were measured."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES)
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {processors()}, {platform.system()} "
        f"{platform.release()}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, {versions}"
    )


def processors() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} × {names[0] if names else platform.machine()}"


def _short(figure: float | None) -> str:
    if figure is None:
        return ""
    if abs(figure) >= 1000:
        return f"{figure:,.0f}".replace(",", " ")
    return f"{figure:.3g}" if abs(figure) >= 10 else f"{figure:.2f}"
