"""Comparison of what was acknowledged with what is stored: nothing lost, doubled or miscounted."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scorekeeper.store.backup import open_to_read
from scorekeeper.store.check import faults, faults_of_path
from scorekeeper.store.connection import Database
from scorekeeper.store.database import FILE, Store
from scorekeeper.store.games import read_round
from scorekeeper.store.sqlite import SQLiteDatabase
from tests.faults.keeper import Keeper, Line, Played

Sheet = list[tuple[int, str, int, int]]  # round, bid, tricks and total of a seat
Place = Path | Store  # a folder of games, or what is opened already


@dataclass
class Tale:
    """How a fault ended, counted over all the times it was made."""

    fault: str
    times: int = 0
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    sees: str = ""

    @property
    def is_bad(self) -> bool:
        """Whether anything was lost, doubled or wrong; one such thing is enough to stop."""
        return bool(self.lost or self.doubled or self.wrong)

    def compare(self, place: Place, keepers: Iterable[Keeper], until: float = math.inf) -> None:
        """Compare every line that was acknowledged with the journal in a place.

        What a phone has sent and not been told of, until a moment, may stand once, as a whole, or
        not at all.
        """
        with reading(place) as db:
            for keeper in keepers:
                on_its_way = keeper.pending.lines if keeper.pending else []
                for game in keeper.games:
                    last = game is keeper.game
                    self._compare(game, lines_of(db, game.id), on_its_way if last else [], until)
                self._count_games(db, keeper)

    def check(self, place: Place) -> None:
        """Count again what is kept: chain, facts, results and the sums of the players."""
        found = faults(place) if isinstance(place, Store) else faults_of_path(place / FILE)
        self.wrong += map(str, found)

    def look(self, keepers: Iterable[Keeper]) -> None:
        """Compare the sheet that each phone is sent with a recount of what it remembers."""
        for keeper in keepers:
            for game in keeper.games[-1:]:
                sheet = keeper.phone.refresh(f"/games/{game.id}.csv", "")
                found, due = kept_of(sheet.text) if sheet.status == 200 else None, recount(game)
                if found != due:
                    shown = f"{sheet.status} {found}"
                    self.wrong.append(f"{game.id}: the sheet says {shown}, a recount {due}")

    def _compare(
        self, game: Played, kept: Sequence[Line], on_its_way: Sequence[Line], until: float
    ) -> None:
        due = [line for line, at in zip(game.lines, game.acknowledged, strict=True) if at <= until]
        self.lost += [f"{game.id} {line}" for line in due if line not in kept]
        sent = {line.version: line for line in game.lines}
        more = [line for line in kept if sent.get(line.version) != line]
        if more[: len(on_its_way)] == on_its_way:
            more = more[len(on_its_way) :]
        self.doubled += [f"{game.id} {line}" for line in more]

    def _count_games(self, db: Database, keeper: Keeper) -> None:
        kept = db.execute(
            "SELECT count(*) FROM seats JOIN players"
            " ON players.table_id = seats.table_id AND players.id = player_id"
            " WHERE seat = 0 AND name = ?",
            [keeper.names[0]],
        ).fetchone()[0]
        # A game whose start was not answered may be there already; it is the one found then.
        if kept > len(keeper.games) + (1 if keeper.games and keeper.is_over else 0):
            self.doubled.append(f"{kept} games of {keeper.names[0]}")


@contextmanager
def reading(place: Place) -> Iterator[Database]:
    """Provide a connection for a block that reads."""
    if isinstance(place, Store):
        with place.borrow() as db:
            yield db
    else:
        with closing(SQLiteDatabase(open_to_read(place / FILE))) as db:
            yield db


def lines_of(db: Database, game_id: str) -> list[Line]:
    """Return the journal of a game as it is kept."""
    rows = db.execute(
        "SELECT version, kind, round, after FROM changes WHERE game_id = ? ORDER BY version",
        [game_id],
    )
    return [
        Line(version, kind, number, read_round(after) if number else None)
        for version, kind, number, after in rows
    ]


def recount(game: Played) -> Sheet:
    """Return the score sheet that follows from a phone's memory."""
    state = game.state
    return [
        (
            scored.number,
            str(scored.bids[seat]),
            scored.tricks[seat],
            scored.after.totals[state.side_of(seat)],
        )
        for scored in state.rounds
        for seat in range(state.players)
    ]


def kept_of(sheet: str) -> Sheet:
    """Return what a score sheet says of the rounds that are scored."""
    rows = csv.DictReader(io.StringIO(sheet.removeprefix("\ufeff")))
    return [
        (int(row["round"]), row["bid"], int(row["tricks"]), int(row["total"]))
        for row in rows
        if row["tricks"]
    ]
