"""Commands that meet a game whose rows were edited by hand say so and what to do."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.files.exports import csv_pieces, json_pieces
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP
from scorekeeper.rules.round import Round
from scorekeeper.store.database import Store
from scorekeeper.store.games import UNREADABLE, DamagedGame
from tests.cli.test_commands import Typed
from tests.store.play import Keeper

EDITS = {
    "a seat is missing": "UPDATE games SET seats = json_remove(seats, '$[3]')",
    "every seat is missing": "UPDATE games SET seats = '[]'",
    "a bid is missing": "UPDATE games SET rounds = json_set(rounds, '$[0].bids[1]', NULL)",
    "a bid less": "UPDATE games SET rounds = json_remove(rounds, '$[0].bids[1]')",
    "bids are missing": "UPDATE games SET rounds = json_remove(rounds, '$[0].bids')",
    "rounds are a number": "UPDATE games SET rounds = '7'",
}


def edited(folder: Path, edit: str) -> None:
    """Store a game of each kind, then edit its rows."""
    with Store(folder) as store:
        keeper = Keeper(store)
        for rules in (CUTTHROAT_LITE, PARTNERSHIP):
            tricks = (3, 2, 1, rules.tricks - 6)
            keeper.put(keeper.begin(rules), 1, Round((3, 2, 1, 4), tricks))
        store.db.execute("PRAGMA foreign_keys = OFF")
        with store.write() as db:
            db.execute(edit)


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_check_names_the_game_and_ends_with_status_1(tmp_path: Path, edit: str) -> None:
    edited(tmp_path, edit)
    status, said, why = Typed(tmp_path).run("check")
    assert (status, why) == (1, "")
    assert said.endswith("Checked 2 games, 2 with errors.\n")


@pytest.mark.parametrize("pieces", [csv_pieces, json_pieces])
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_export_is_whole_or_refused(tmp_path: Path, edit: str, pieces: Any) -> None:
    edited(tmp_path, edit)
    with Store(tmp_path) as store, suppress(DamagedGame, *UNREADABLE):
        assert b"".join(pieces(store))


def test_export_names_the_damaged_game_and_what_to_do(tmp_path: Path) -> None:
    edited(tmp_path, EDITS["a bid is missing"])
    status, _said, why = Typed(tmp_path).run("export")
    assert status == 1
    assert why.startswith("Game ")
    assert "move the folder away to start over" in why
