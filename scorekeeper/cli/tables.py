"""Rows of scores and statistics: tables for people, CSV and JSON for programs."""

import csv
import io
import json
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from scorekeeper.files.csv_columns import COLUMNS, unescape_formula
from scorekeeper.files.exports import STATISTICS, ScoredRound, in_pieces, rows_of, statistics_rows
from scorekeeper.i18n import gettext as _
from scorekeeper.i18n import translate
from scorekeeper.rules.sentence import POINTS, minus
from scorekeeper.store.connection import Database
from scorekeeper.store.statistics import Selection, Standing, everybody

ESCAPED = ("game", "player")  # columns of a CSV file whose texts could be formulas


def scores(rounds: Iterable[ScoredRound], form: str) -> Iterator[bytes]:
    """Yield scored rounds as a `table`, as `csv` or as `json`, in pieces."""
    if form == "csv":
        yield from in_pieces(rounds)
    elif form == "json":
        yield from _json_array(_members(row) for rows in rows_of(rounds) for row in rows)
    else:
        for number, (_game, of_game) in enumerate(groupby(rounds, _game_of)):
            yield (b"\n" if number else b"") + _score_table(list(of_game)).encode()


def statistics(db: Database, table_id: str, wanted: Selection, form: str) -> Iterator[bytes]:
    """Yield the statistics of a table's players over the chosen games.

    A `table` has what the page of players compares, `csv` and `json` all numbers: a row for each
    player, rule book and number of sides.
    """
    found = everybody(db, table_id, wanted)
    if form == "table":
        yield _statistics_table(found).encode()
        return
    rows = statistics_rows(found)
    if form == "json":
        yield from _json_array(dict(zip(STATISTICS, row, strict=True)) for row in rows)
    else:
        text = io.StringIO()
        csv.writer(text).writerows([STATISTICS, *rows])
        yield text.getvalue().encode()


def _members(row: Sequence[Any]) -> dict[str, object]:
    """Return a row of a CSV file as a JSON object: numbers, texts as entered, null for nothing."""
    found = dict(zip(COLUMNS, row, strict=True))
    found |= {name: unescape_formula(found[name]) for name in ESCAPED}
    return {name: None if cell == "" else cell for name, cell in found.items()}


def _json_array(objects: Iterable[object]) -> Iterator[bytes]:
    """Yield a JSON array with an object on each line."""
    opening = "["
    for one in objects:
        yield f"{opening}\n{json.dumps(one, ensure_ascii=False)}".encode()
        opening = ","
    yield b"[]\n" if opening == "[" else b"\n]\n"


def _game_of(scored: ScoredRound) -> tuple[int, str]:
    return scored[0].line, scored[0].game


def _score_table(rounds: Sequence[ScoredRound]) -> str:
    """Return the rounds of a game as a table, under the name of the rules and of the game."""
    sheet = rounds[0][0]
    header = [
        _("Round"),
        _("Player"),
        _("Bid"),
        _("Tricks"),
        translate(POINTS),
        _("Bags"),
        _("Total"),
        "",
    ]
    lines = [
        _score_line(row, sheet.rules.shown_as, is_first=place == 0)
        for rows in rows_of(rounds)
        for place, row in enumerate(rows)
    ]
    title = " · ".join(filter(None, [sheet.rules.name, sheet.game]))
    return f"{title}\n{table([header, *lines], texts=(1, 7))}"


def _score_line(row: Sequence[Any], shown_as: str, *, is_first: bool) -> list[str]:
    cells = {name: "" if cell is None else str(cell) for name, cell in _members(row).items()}
    points, total = (minus(int(cells[name]), shown_as) for name in ("points", "total"))
    winner = _("Winner") if cells["outcome"] == "won" else ""
    number = cells["round"] if is_first else ""
    return [
        number,
        cells["player"],
        cells["bid"],
        cells["tricks"],
        points,
        cells["bags"],
        total,
        winner,
    ]


def _statistics_table(found: Sequence[Standing]) -> str:
    # with Flask, which files do not need
    from scorekeeper.web.players.comparison import columns, group_of, rows

    shown = columns(group_of(found))
    header = [_("Player"), *(column.name for column in shown)]
    lines = [[row.player.name, *row.cells] for row in rows(found, "", shown)]
    return table([header, *lines], texts=(0,))


def table(rows: Sequence[Sequence[str]], texts: Collection[int]) -> str:
    """Return rows under a header as lines of columns; those of `texts` are aligned to the left."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    rule = ["─" * width for width in widths]
    return "".join(
        "  ".join(
            cell + gap if place in texts else gap + cell
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            for gap in [" " * (width - _width(cell))]
        ).rstrip()
        + "\n"
        for row in (rows[0], rule, *rows[1:])
    )


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    seen = [one for one in text if unicodedata.category(one) not in ("Mn", "Me", "Cf")]
    return len(seen) + sum(unicodedata.east_asian_width(one) in "WF" for one in seen)
