"""Games as a CSV file."""

import csv
import io
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice, pairwise

from scorekeeper.files.csv.columns import COLUMNS
from scorekeeper.files.csv.formulas import escape_formula
from scorekeeper.files.csv.sheet import LEFT, Sheet
from scorekeeper.rules.game import bids_itself
from scorekeeper.rules.penalties import penalty_text
from scorekeeper.rules.rounds import RoundScore, is_given_up, own_scores, score_next

_Scored = tuple[Sheet, RoundScore]
BATCH = 100  # rounds; a server that streams them stays responsive to others


def csv_of(sheets: Iterable[Sheet], excel: str = "") -> Iterator[bytes]:
    """Yield games as a CSV file, in pieces to be sent one by one.

    The header comes first, then a row for each seat of each round that counts, in UTF-8 without a
    byte order mark and with CRLF. Rounds after the end of a game are not written, nor is one that
    is still being played; one in which a penalty lost the game has no tricks.

    `excel` is the separator that Excel expects, if it shall open the file by a double click: the
    file then begins with a byte order mark, as it would not be read as UTF-8 without one.
    """
    if excel:
        yield BOM_UTF8
    rounds = ((sheet, scored) for sheet in sheets for scored in _scored(sheet))
    yield from in_pieces(rounds, excel or ",")


def in_pieces(rounds: Iterable[_Scored], separator: str = ",") -> Iterator[bytes]:
    """Yield scored rounds as the bytes of a CSV file, under a header."""
    ahead = pairwise(chain(rounds, [None]))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator)
    writer.writerow(COLUMNS)
    while piece := text.getvalue():
        yield piece.encode()
        text.seek(0)
        text.truncate()
        for this, following in islice(ahead, BATCH):
            assert this is not None
            writer.writerows(_rows(*this, _leaving(this, following)))


def _scored(sheet: Sheet) -> Iterator[RoundScore]:
    last: RoundScore | None = None
    for round_ in sheet.rounds:
        is_played = round_.tricks is not None
        if (last and last.winner is not None) or not (is_played or is_given_up(round_)):
            return
        last = score_next(sheet.rules, sheet.names, sheet.first_dealer, last, round_)
        if is_played or last.winner is not None:
            yield last


def _leaving(this: _Scored, following: _Scored | None) -> set[int]:
    """Return the seats that somebody leaves or takes before the following round of the game."""
    if following is None or following[0] is not this[0]:
        return set()
    return {seat for seat, _player in following[1].substitutes}


def _rows(sheet: Sheet, scored: RoundScore, leaving: Collection[int]) -> list[list[object]]:
    """Return the rows of a round, in the order of the seats and of `COLUMNS`.

    An empty seat has no row, and the players of seats `leaving` have a note. A round that bids
    itself has the tricks for bids; one in which a penalty lost the game has no tricks. Totals are
    the seats' own where they have any.
    """
    players, sides, after = len(scored.bids), len(scored.scores), scored.after
    names, totals, winner = after.seats.names, after.kept, scored.winner
    bids, tricks = scored.bids, scored.tricks or (None,) * players
    if bids_itself(sheet.rules, scored.number):
        bids = tuple(n if bid is None else bid for bid, n in zip(bids, tricks, strict=True))
    has_notes = bool(scored.penalties or leaving) or scored.last_round
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
            _notes(scored, seat, leaving) if has_notes else "",
            sheet.day,
        ]
        for seat, score in enumerate(own_scores(sheet.rules, scored))
        if seat not in after.seats.empty
    ]


def _notes(scored: RoundScore, seat: int, leaving: Collection[int]) -> str:
    """Return the notes of a seat as `key=value` pairs: its penalties, the last round, its end."""
    notes = [f"penalty={penalty_text(one)}" for one in scored.penalties if one.seat == seat]
    notes += ["last_round=yes"] if scored.last_round else []
    return ";".join([*notes, LEFT] if seat in leaving else notes)
