"""Games as a CSV file."""

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice

from scorekeeper.files.csv.columns import COLUMNS
from scorekeeper.files.csv.sheet import Sheet, seat_rows, with_names
from scorekeeper.rules.rounds import RoundScore, is_given_up, score_next

BATCH = 100  # rounds; a server that streams them stays responsive to others
WRITE = [column.write for column in COLUMNS.values()]


def csv_of(sheets: Iterable[Sheet]) -> Iterator[bytes]:
    """Yield games as a CSV file, in pieces to be sent one by one.

    The header comes first, then a row for each seat of each round that counts, in UTF-8 without a
    byte order mark and with CRLF. Rounds after the end of a game are not written, nor is one that
    is still being played; one in which a penalty lost the game has no tricks.
    """
    return in_pieces((sheet, scored) for sheet in sheets for scored in _scored(sheet))


def in_pieces(rounds: Iterable[tuple[Sheet, RoundScore]]) -> Iterator[bytes]:
    """Yield scored rounds as the bytes of a CSV file, under a header."""
    named = with_names(rounds)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    while piece := text.getvalue():
        yield piece.encode()
        text.seek(0)
        text.truncate()
        for one in islice(named, BATCH):
            writer.writerows([write(row) for write in WRITE] for row in seat_rows(*one))


def _scored(sheet: Sheet) -> Iterator[RoundScore]:
    last: RoundScore | None = None
    for round_ in sheet.rounds:
        is_played = round_.tricks is not None
        if (last and last.winner is not None) or not (is_played or is_given_up(round_)):
            return
        last = score_next(sheet.rules, sheet.names, sheet.first_dealer, last, round_)
        if is_played or last.winner is not None:
            yield last
