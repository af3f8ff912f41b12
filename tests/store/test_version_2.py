"""A database of version 2, which has no notes of rounds, is brought up to date."""

from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from scorekeeper.rules.penalties import Penalty
from scorekeeper.rules.round import Round
from scorekeeper.store.check import faults
from scorekeeper.store.database import FILE, Store
from scorekeeper.store.migrations import steps
from tests.store.play import Keeper

FINE = Penalty(0, "points", 30, "nobody", "renege")


def test_rounds_get_their_notes(tmp_path: Path) -> None:
    with closing(Database(tmp_path / FILE)) as db:
        steps.apply(db, stop_before="notes_of_rounds")
        db.execute("CREATE VIEW score_sheet AS SELECT * FROM results")  # without notes
        db.execute("PRAGMA user_version = 2")
    for _start in range(2):
        with Store(tmp_path) as store:
            keeper = Keeper(store)
            round_ = Round((3, 2, 1, 4), (3, 3, 1, 3)).noted(penalties=(FINE,), last_round=True)
            game = keeper.put(keeper.begin(), 1, round_)
            assert keeper.load(game.id).rounds == (round_,)
            rows = store.db.execute("SELECT points, penalty_points FROM score_sheet WHERE seat = 1")
            assert set(rows.fetchall()) == {(0, -30)}
            assert list(faults(store)) == []
