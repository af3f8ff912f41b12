"""Rows of the table: what was measured, and whether it is what it should be."""

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from scorekeeper.store.connection import sqlite3
from tests.bench.bench import Bench, Figure

RESULTS = Path(__file__).with_name("results.md")
PACKAGES = ("flask", "werkzeug", "jinja2", "flask-wtf", "sqlite-utils", "waitress", "gunicorn")


@dataclass(frozen=True)
class Aim:
    """What one figure of a row should be; without a bound it is only told."""

    unit: str = ""
    most: float | None = None
    least: float | None = None

    def __str__(self) -> str:
        if self.most is None and self.least is None:
            return "told"
        if self.least is None:
            return f"at most {self.write(self.most or 0)}"
        return f"at least {self.write(self.least)}"

    def is_held(self, value: float) -> bool:
        """Return whether a figure is within the bounds."""
        return (self.most is None or value <= self.most) and (
            self.least is None or value >= self.least
        )

    def write(self, value: float) -> str:
        """Return a figure with its unit."""
        if abs(value) >= 1000:
            text = f"{value:,.0f}".replace(",", " ")
        else:
            text = f"{value:.3g}" if abs(value) >= 10 else f"{value:.2f}"
        return f"{text} {self.unit}".rstrip()


def at_most(value: float, unit: str = "") -> Aim:
    """Return the aim of a figure that should be low."""
    return Aim(unit, most=value)


def at_least(value: float, unit: str = "") -> Aim:
    """Return the aim of a figure that should be high."""
    return Aim(unit, least=value)


@dataclass(frozen=True)
class Row:
    """A row: its name, the first version's figures, the aim of each figure, how it is measured."""

    name: str
    first: str
    aims: Sequence[Aim]
    measure: Callable[[Bench], Sequence[Figure]]
    yardstick: str


@dataclass
class Measured:
    """A row with its figures, or the reason why there are none."""

    row: Row
    figures: Sequence[Figure] = ()
    left_out: str = ""

    @property
    def is_held(self) -> bool:
        pairs = zip(self.row.aims, self.figures, strict=True)
        return all(aim.is_held(figure.value) and figure.is_right for aim, figure in pairs)

    def cells(self) -> list[str]:
        """Return the cells of the row in the table."""
        aims = "; ".join(dict.fromkeys(str(aim) for aim in self.row.aims))
        if self.left_out:
            return [self.row.name, self.row.first, aims, self.left_out, "–"]
        now = "; ".join(
            aim.write(figure.value) + (f" ({figure.note})" if figure.note else "")
            for aim, figure in zip(self.row.aims, self.figures, strict=True)
        )
        return [self.row.name, self.row.first, aims, now, "yes" if self.is_held else "**no**"]


def document(rows: Sequence[Measured]) -> str:
    """Return the rows as Markdown, with what each is measured against."""
    head = ["row", "first version", "aim", "now", "held"]
    lines = [head, ["---"] * len(head), *(row.cells() for row in rows)]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    how = "\n".join(f"- **{row.row.name}**: {row.row.yardstick}" for row in rows)
    return f"# Speed\n\n{machine()}\n\n{table}\n\n## How the rows are measured\n\n{how}\n"


def machine() -> str:
    """Return on what the figures were measured."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES)
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {os.cpu_count()} × "
        f"{names[0] if names else platform.machine()}, {platform.system()} "
        f"{platform.release()}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, {versions}"
    )
