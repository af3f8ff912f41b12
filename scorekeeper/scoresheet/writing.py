"""Games as the rows of a CSV file."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scorekeeper.rules.game import Round, dealer_of
from scorekeeper.rules.ruleset import RuleSet, house_rules
from scorekeeper.scoresheet.cells import HEADER, quoted, text_cell
from scorekeeper.scoresheet.tally import Tally

BATCH = 100  # rounds; a server that streams them stays quick for everybody else


@dataclass(frozen=True)
class Sheet:
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
    """Yield games as a CSV file, the header first, then the rows in pieces to be sent one by one.

    UTF-8 without a mark, CRLF, one row for each seat of each round that counts.
    """
    batch = [HEADER]
    for sheet in sheets:
        for rows in rows_of(sheet):
            batch.append(rows)
            if len(batch) >= BATCH:
                yield "".join(batch).encode()
                batch.clear()
    yield "".join(batch).encode()


def rows_of(sheet: Sheet) -> Iterator[str]:
    """Yield each round of a game as its rows, one for each seat, in the order of `COLUMNS`.

    Rounds after the end of the game are not written, nor is one that is still being played.
    """
    players = len(sheet.names)
    tally = Tally(sheet.rules, players)
    sides = len(tally.sides)
    head = _head(sheet)
    seats = [
        (f"{seat + 1},{text_cell(name)},{seat % sides + 1},", seat % sides, seat // sides)
        for seat, name in enumerate(sheet.names)
    ]
    outcomes = [""] * sides
    for round_ in sheet.rounds:
        if round_.tricks is None:
            return
        entries = tally.add(round_.bids, round_.tricks)
        winner = tally.winner
        if winner is not None:
            outcomes = ["won" if side == winner else "lost" for side in range(sides)]
        dealer = dealer_of(players, sheet.first_dealer, tally.number)
        start = f"{head}{tally.number},{dealer + 1},"
        yield "".join(
            [
                f"{start}{who}{entries[side].cells[place]},{tally.totals[side]},{outcomes[side]}\r\n"
                for who, side, place in seats
            ]
        )
        if winner is not None:
            return


def _head(sheet: Sheet) -> str:
    changed = house_rules(sheet.base, sheet.rules)
    cells = (
        text_cell(sheet.game),
        quoted(sheet.started),
        sheet.base.key,
        quoted(";".join(f"{name}={value}" for name, value in changed.items())),
    )
    return "".join(cell + "," for cell in cells)
