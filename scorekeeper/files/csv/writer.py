"""Games as a CSV file."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from scorekeeper.files.csv.columns import HEADER
from scorekeeper.files.csv.ledger import Ledger, Setup
from scorekeeper.files.csv.scores import EntriesUnder, remembered_entries
from scorekeeper.rules.game import Round
from scorekeeper.rules.ruleset import RuleSet

BATCH = 100  # rounds; a server that streams them stays quick for everybody else


class Sheet(NamedTuple):
    """The facts of a game, as a file holds them.

    `started` is ISO 8601 with an offset, or empty; `rules` differ from the rule book `base` by
    house rules; `names` stand in the order of the seats; `first_dealer` is a seat, counted from 0.
    `rounds` is gone through once, so it may come from a file or a database as it is asked for.
    """

    game: str
    started: str
    rules: RuleSet
    base: RuleSet
    names: tuple[str, ...]
    first_dealer: int
    rounds: Iterable[Round]


def csv_of(sheets: Iterable[Sheet]) -> Iterator[bytes]:
    """Yield games as a CSV file, in pieces that can be sent one by one.

    The header comes first, then a row for each seat of each round that counts, in UTF-8 without a
    mark and with CRLF.
    """
    entries_under = remembered_entries()
    return in_pieces(rows for sheet in sheets for rows in rows_of(sheet, entries_under))


def rows_of(sheet: Sheet, entries_under: EntriesUnder | None = None) -> Iterator[str]:
    """Yield each round of a game as its rows, one for each seat, in the order of `COLUMNS`.

    Rounds after the end of the game are not written, nor is one that is still being played.
    """
    setup = Setup(
        sheet.rules,
        sheet.base,
        sheet.names,
        sheet.first_dealer,
        entries_under or remembered_entries(),
    )
    ledger = Ledger(setup, sheet.game, sheet.started)
    for round_ in sheet.rounds:
        if round_.tricks is None or ledger.winner is not None:
            return
        yield ledger.enter(round_.bids, round_.tricks)


def in_pieces(rounds: Iterable[str]) -> Iterator[bytes]:
    """Yield the rows of rounds as the bytes of a file, under a header."""
    rounds = iter(rounds)
    piece = HEADER
    while piece:
        yield piece.encode()
        piece = "".join(islice(rounds, BATCH))
