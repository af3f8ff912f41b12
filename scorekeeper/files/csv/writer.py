"""Games as a CSV file."""

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice

from scorekeeper.files.csv.columns import COLUMNS
from scorekeeper.files.csv.formulas import escape_formula
from scorekeeper.files.csv.sheet import Sheet
from scorekeeper.rules.game import bids_itself
from scorekeeper.rules.penalties import penalty_text
from scorekeeper.rules.rounds import RoundScore, is_given_up, own_scores, score_next

BATCH = 100  # rounds; a server that streams them stays responsive to others


def csv_of(sheets: Iterable[Sheet]) -> Iterator[bytes]:
    """Yield games as a CSV file, in pieces to be sent one by one.

    The header comes first, then a row for each seat of each round that counts, in UTF-8 without a
    byte order mark and with CRLF. Rounds after the end of a game are not written, nor is one that
    is still being played; one in which a penalty lost the game has no tricks.
    """
    return in_pieces((sheet, scored) for sheet in sheets for scored in _scored(sheet))


def in_pieces(rounds: Iterable[tuple[Sheet, RoundScore]]) -> Iterator[bytes]:
    """Yield scored rounds as the bytes of a CSV file, under a header."""
    ahead = iter(rounds)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    while piece := text.getvalue():
        yield piece.encode()
        text.seek(0)
        text.truncate()
        for sheet, scored in islice(ahead, BATCH):
            writer.writerows(_rows(sheet, scored))


def _scored(sheet: Sheet) -> Iterator[RoundScore]:
    last: RoundScore | None = None
    for round_ in sheet.rounds:
        is_played = round_.tricks is not None
        if (last and last.winner is not None) or not (is_played or is_given_up(round_)):
            return
        last = score_next(sheet.rules, sheet.names, sheet.first_dealer, last, round_)
        if is_played or last.winner is not None:
            yield last


def _rows(sheet: Sheet, scored: RoundScore) -> list[list[object]]:
    """Return the rows of a round, in the order of the seats and of `COLUMNS`.

    An empty seat has no row. A round that bids itself has the tricks for bids; one in which a
    penalty lost the game has no tricks. Totals are the seats' own where they have any.
    """
    players, sides, after = len(scored.bids), len(scored.scores), scored.after
    names, totals, winner = after.seats.names, after.kept, scored.winner
    bids, tricks = scored.bids, scored.tricks or (None,) * players
    if bids_itself(sheet.rules, scored.number):
        bids = tuple(n if bid is None else bid for bid, n in zip(bids, tricks, strict=True))
    has_notes = bool(scored.penalties) or scored.last_round
    return [
        [
            *sheet.cells,
            scored.number,
            scored.dealer + 1,
            seat + 1,
            escape_formula(names[seat]),
            seat % sides + 1,
            bids[seat],
            tricks[seat],
            score.nil_points,
            score.contract_points,
            score.overtrick_points,
            score.bag_penalty,
            score.penalty_points,
            score.points,
            after.bags[seat % sides],
            totals[seat % len(totals)],
            "" if winner is None else "won" if winner == seat % sides else "lost",
            _notes(scored, seat) if has_notes else "",
        ]
        for seat, score in enumerate(own_scores(sheet.rules, scored))
        if seat not in after.seats.empty
    ]


def _notes(scored: RoundScore, seat: int) -> str:
    """Return the penalties of a seat, and whether the round is the last, as `key=value` pairs."""
    notes = [f"penalty={penalty_text(one)}" for one in scored.penalties if one.seat == seat]
    return ";".join([*notes, "last_round=yes"] if scored.last_round else notes)
