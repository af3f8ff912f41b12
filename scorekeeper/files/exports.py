"""Games as CSV and JSON files in pieces, statistics, and a scored CSV file."""

import csv
import io
import shutil
import sys
import tempfile
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from itertools import chain, islice, pairwise, repeat
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from scorekeeper.clock import day_in
from scorekeeper.files.csv_columns import (
    COLUMNS,
    LEFT,
    Sheet,
    SheetError,
    Tell,
    escape_formula,
    excerpt,
    tell_nobody,
    told_first,
)
from scorekeeper.files.csv_reader import read_scored
from scorekeeper.files.json import json_of
from scorekeeper.i18n import gettext as _
from scorekeeper.rules.game import (
    GameState,
    RoundScore,
    bids_itself,
    is_given_up,
    own_scores,
    score_next,
)
from scorekeeper.rules.luck import Luck
from scorekeeper.rules.payments import shares, stake_balances
from scorekeeper.rules.penalties import charge_of, penalty_text
from scorekeeper.rules.presets import PRESETS
from scorekeeper.store.connection import Database
from scorekeeper.store.database import Store
from scorekeeper.store.games import Game, load_game
from scorekeeper.store.history import Search, search
from scorekeeper.store.journal import game_record
from scorekeeper.store.player_games import Sums
from scorekeeper.store.statistics import EVERYTHING, Counts, Selection, Standing, everybody
from scorekeeper.store.tables import zone_of_table

Read = TypeVar("Read")
ScoredRound = tuple[Sheet, RoundScore]
BATCH = 100  # rounds or games; a server that streams them stays responsive to others


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


def in_pieces(rounds: Iterable[ScoredRound], separator: str = ",") -> Iterator[bytes]:
    """Yield scored rounds as the bytes of a CSV file, under a header."""
    return _written(COLUMNS, rows_of(rounds), separator)


def _written(
    header: Iterable[str], blocks: Iterator[list[list[object]]], separator: str
) -> Iterator[bytes]:
    """Yield the rows of rounds or games as the bytes of a CSV file, under a header."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator)
    writer.writerow(header)
    while piece := text.getvalue():
        yield piece.encode()
        text.seek(0)
        text.truncate()
        for rows in islice(blocks, BATCH):
            writer.writerows(rows)


def rows_of(rounds: Iterable[ScoredRound]) -> Iterator[list[list[object]]]:
    """Yield the rows of each round, one for each seat in it, with a cell for each of `COLUMNS`."""
    for this, following in pairwise(chain(rounds, [None])):
        assert this is not None
        yield _rows(*this, _leaving(this, following))


def _scored(sheet: Sheet) -> Iterator[RoundScore]:
    last: RoundScore | None = None
    for round_ in sheet.rounds:
        is_played = round_.tricks is not None
        if (last and last.winners) or not (is_played or is_given_up(round_)):
            return
        last = score_next(sheet.rules, sheet.names, sheet.first_dealer, last, round_)
        if is_played or last.winners:
            yield last


def _leaving(this: ScoredRound, following: ScoredRound | None) -> set[int]:
    """Return the seats that somebody leaves or takes before the following round of the game."""
    if following is None or following[0] is not this[0]:
        return set()
    return {seat for seat, _player in following[1].notes.substitutes}


def _rows(sheet: Sheet, scored: RoundScore, leaving: Collection[int]) -> list[list[object]]:
    """Return the rows of a round, in the order of the seats and of `COLUMNS`.

    An empty seat has no row, and the players of seats `leaving` have a note. A round that bids
    itself has the tricks for bids; one in which a penalty lost the game has no tricks. Totals are
    the seats' own where they have any. The note on the game is in its first row, that on a round in
    the first one that is left.
    """
    players, sides, after = len(scored.bids), len(scored.scores), scored.after
    names, totals, winners = after.seats.names, after.kept, scored.winners
    bids, tricks = scored.bids, scored.tricks or (None,) * players
    notes = scored.notes
    if bids_itself(sheet.rules, scored.number):
        bids = tuple(n if bid is None else bid for bid, n in zip(bids, tricks, strict=True))
    given = charge_of(notes.penalties, range(players)).bonus
    has_notes = bool(notes.penalties or leaving) or notes.last_round
    remarks = chain([notes.game_remark] * (scored.number == 1), [notes.remark], repeat(""))
    dealt = sheet.rules.in_round(scored.number, players, scored.notes.cards)
    cards = dealt.tricks if sheet.rules.cards else ""
    start, bags = _start(scored)
    own = enumerate(own_scores(sheet.rules, scored))
    scores = ((seat, score) for seat, score in own if seat not in after.seats.empty)
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
            "" if not winners else "won" if seat % sides in winners else "lost",
            _notes(scored, seat, leaving) if has_notes else "",
            sheet.day,
            (given and sum(given[seat])) or "",
            escape_formula(remark),
            cards,
            start[seat % len(start)],
            bags[seat % len(bags)],
            notes.trump or "",
        ]
        for (seat, score), remark in zip(scores, remarks, strict=False)
    ]


def _start(scored: RoundScore) -> tuple[Sequence[object], Sequence[object]]:
    """Return the totals and bags that a game began with, of the seats in its first round."""
    before, notes = scored.before, scored.notes
    return (before.kept if notes.start else [""]), (before.bags if notes.start_bags else [""])


def _notes(scored: RoundScore, seat: int, leaving: Collection[int]) -> str:
    """Return the notes of a seat as `key=value` pairs: its penalties, the last round, its end."""
    notes = [f"penalty={penalty_text(one)}" for one in scored.notes.penalties if one.seat == seat]
    notes += ["last_round=yes"] if scored.notes.last_round else []
    return ";".join([*notes, LEFT] if seat in leaving else notes)


SMALL = 1 << 20  # bytes; results up to this size are kept in memory, not on disk


def scored_file(
    path: Path, rules_key: str | None, changes: Mapping[str, str], tell: Tell = tell_nobody
) -> Iterator[ScoredRound]:
    """Yield each round of a CSV file, scored; `-` is the standard input.

    Rules, complaints and errors are those of `read_scored`; raises `SheetError` also for a file
    that cannot be read. Memory does not grow with the file, but with a game whose rows are sorted
    by player.
    """
    with _opened(path) as source, told_first(tell) as tell_few:
        yield from read_scored(source, rules_key, changes, tell_few)


def write_whole(pieces: Iterable[bytes], out: BinaryIO) -> None:
    """Write pieces to `out` once the last one has come.

    Until then they are in a temporary file, so that nothing is written when a line is wrong.
    """
    with tempfile.SpooledTemporaryFile(SMALL) as whole:
        whole.writelines(pieces)
        whole.seek(0)
        shutil.copyfileobj(whole, out, SMALL)
    out.flush()


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    if str(path) == "-":
        if sys.stdin is None:
            raise SheetError(None, _("No standard input to read."))
        yield sys.stdin.buffer
        return
    try:
        source = path.open("rb")
    except (OSError, ValueError) as error:
        sentence = _("Can’t read {path}: {reason}.")
        reason = getattr(error, "strerror", None) or error
        message = sentence.format(path=excerpt(str(path), 400), reason=reason)
        raise SheetError(None, message) from error
    with source:
        yield source


def csv_pieces(
    store: Store,
    table_id: str | None = None,
    wanted: Search | None = None,
    excel: str = "",
    *,
    skips_damaged: bool = False,
) -> Iterator[bytes]:
    """Yield the games of a selection as a CSV file, all or but those that are damaged.

    It has a row for each seat of each round. `excel` is as in `csv_of`.
    """
    sheets = _every_game(store, sheet_of, table_id, wanted, skips_damaged=skips_damaged)
    return csv_of(sheets, excel)


def games_csv_pieces(
    store: Store,
    table_id: str | None = None,
    wanted: Search | None = None,
    excel: str = "",
    *,
    skips_damaged: bool = False,
) -> Iterator[bytes]:
    """Yield the same games with a row for each player of each game, as `games_csv_of`."""
    rows = _every_game(store, game_rows, table_id, wanted, skips_damaged=skips_damaged)
    return games_csv_of(rows, excel)


def json_pieces(
    store: Store,
    table_id: str | None = None,
    wanted: Search | None = None,
    *,
    skips_damaged: bool = False,
) -> Iterator[bytes]:
    """Yield the games of a selection as a JSON file that holds everything, as `csv_pieces` does."""
    records = _every_game(store, game_record, table_id, wanted, skips_damaged=skips_damaged)
    return json_of(records)


def csv_rows(
    header: Iterable[str], rows: Iterable[list[object]], excel: str = ""
) -> Iterator[bytes]:
    """Yield rows under a header as a CSV file in pieces; `excel` is as in `csv_of`."""
    if excel:
        yield BOM_UTF8
    yield from _written(header, ([row] for row in rows), excel or ",")


STATISTICS = ("player", "rules", "sides", *Counts(0, Luck(), 0, Sums()).numbers)


def statistics_rows(standings: Iterable[Standing]) -> Iterator[tuple[Any, ...]]:
    """Yield all numbers of players: a row for each player, rule book and number of sides."""
    for one in standings:
        for group, counts in one.totals.groups.items():
            yield one.player.name, *group, *counts.numbers.values()


def statistics_csv(
    db: Database, table_id: str, wanted: Selection = EVERYTHING, excel: str = ""
) -> Iterator[bytes]:
    """Yield the `statistics_rows` of a table as CSV, with the rule books by their names.

    `excel` is as in `csv_of`; where it expects semicolons it expects commas in numbers.
    """
    mark = "," if excel == ";" else "."
    rows: list[list[object]] = [
        [escape_formula(player), PRESETS[key].name, *(_number(one, mark) for one in numbers)]
        for player, key, *numbers in statistics_rows(everybody(db, table_id, wanted))
    ]
    return csv_rows(STATISTICS, rows, excel)


def _number(number: object, mark: str) -> object:
    return str(number).replace(".", mark) if isinstance(number, float) else number


GAME_COLUMNS = ("date", "game", "rules", "player", "side", "place", "points", "won", "stake")
ROWS = ("rounds", "games")  # what a row of a CSV file is


def games_csv_of(games: Iterable[list[list[object]]], excel: str = "") -> Iterator[bytes]:
    """Yield the rows of games as a CSV file in pieces; `excel` is as in `csv_of`.

    Where Excel expects semicolons it expects commas in numbers.
    """
    if excel:
        yield BOM_UTF8
    mark = "," if excel == ";" else "."
    blocks = (
        [
            [str(cell).replace(".", mark) if isinstance(cell, Decimal) else cell for cell in row]
            for row in rows
        ]
        for rows in games
    )
    yield from _written(GAME_COLUMNS, blocks, excel or ",")


def game_rows(db: Database, game: Game) -> list[list[object]]:
    """Return a row of `GAME_COLUMNS` for each player of a game of which a round is scored.

    Points of partners are shared evenly among them, as what they win is, so that a sum counts
    none twice. Who left before the end has no side, and while a game goes on it has no places.
    """
    state = game.state
    if not state.rounds:
        return []
    day = day_in(zone_of_table(db, game.table_id), game.started)
    begins = [day, escape_formula(game.id), escape_formula(game.rules.name)]
    cells: dict[str, list[object]] = dict.fromkeys(game.people, [""] * 5)
    for seat in state.seats.taken:
        cells[game.names[seat]] = _cells_of_seat(game, seat)
    return [[*begins, escape_formula(name), *own] for name, own in cells.items()]


def _cells_of_seat(game: Game, seat: int) -> list[object]:
    """Return side, place, points, whether the game was won, and what was won by stakes."""
    state = game.state
    side, is_over = state.side_of(seat), state.phase == "over"
    stake: object = ""
    if is_over and game.stake is not None:
        stake = Decimal(stake_balances(state, game.stake)[seat]) / 100
    return [
        side + 1,
        state.places[side] if is_over else "",
        _own_points(game.state, seat),
        int(side in state.winners) if is_over else "",
        stake,
    ]


def _own_points(state: GameState, seat: int) -> object:
    """Return the total of a seat, or its share in that of its side."""
    side, totals = state.side_of(seat), state.standing.kept
    if len(totals) == state.players:
        points = totals[seat]
    else:
        partners = [one for one in state.sides[side] if one in state.seats.taken]
        points = shares(totals[side], len(partners))[partners.index(seat)]
    return Decimal(points) / 10 if state.rules.shown_as == "tenths" else points


def _every_game(
    store: Store,
    read: Callable[[Database, Game], Read],
    table_id: str | None = None,
    wanted: Search | None = None,
    *,
    skips_damaged: bool = False,
) -> Iterator[Read]:
    """Yield what `read` returns for the games of a table that a search finds, or of every table.

    Tables come in the order in which they were made, of each the newest game first. Games are read
    page by page, each in a transaction of its own, so that neither memory use nor a lock grows with
    their number, and a slow consumer holds no connection. Raises `DamagedGame` at one that cannot
    be read, unless it `skips_damaged` ones.
    """
    for one in [table_id] if table_id else _every_table(store):
        after: str | None = ""
        while after is not None:
            with store.borrow() as db:
                db.begin_snapshot()
                found = search(db, one, wanted or Search(), after)
                if found and found.damaged and not skips_damaged:
                    load_game(db, one, found.damaged[0])
                games = [read(db, game) for game in found.games] if found else []
            yield from games
            after = found.after if found else None


def _every_table(store: Store) -> list[str]:
    with store.borrow() as db:
        return [row[0] for row in db.execute("SELECT id FROM tables ORDER BY made, id")]


def sheet_of(db: Database, game: Game) -> Sheet:
    """Return the facts of a game for a CSV file."""
    return Sheet(
        game=game.id,
        started=game.started,
        rules=game.rules,
        base=PRESETS[game.rules.key],
        names=game.starters,
        first_dealer=game.first_dealer,
        rounds=game.rounds,
        zone=zone_of_table(db, game.table_id),
    )
