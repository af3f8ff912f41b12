"""Databases of version 16 and older: what became of the bids of each number is counted again."""

import random
from pathlib import Path

from scorekeeper.rules.bidding import Nil, blind_bid
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import RuleSet, with_house_rules
from scorekeeper.rules.seating import Substitute
from scorekeeper.store.check import faults
from scorekeeper.store.database import Store
from scorekeeper.store.history import remove_game
from scorekeeper.store.opening import open_store
from scorekeeper.store.players import merge
from tests.store.many_games import play
from tests.store.play import Keeper, everything
from tests.store.test_faces import player
from tests.store.test_older_versions import make
from tests.store.test_version_14 import rows_then

NAMES = ("North", "East", "South", "West")
SHARED = {"bid_by": "side", "tricks_by": "side"}


def partners(**values: str) -> RuleSet:
    return with_house_rules(PRESETS["partnership-500"], values)


def play_of_before(keeper: Keeper) -> None:
    """Play what a program of version 16 knew: bids of sides, blind ones, substitutes, merged."""
    for rules, bids, tricks in (
        (partners(**SHARED), (7, 5, None, None), (6, 7, 0, 0)),
        (partners(bid_by="side"), (Nil.NIL, 5, None, None), (0, 6, 1, 6)),
        (partners(tricks_by="side", nil_points="off"), (4, 2, 4, 3), (8, 5, 0, 0)),
        (partners(), (4, 2, Nil.NIL, 1), (5, 3, 2, 3)),
        (partners(blind_bid_from="6"), (blind_bid(6), 2, 3, 1), (5, 3, 4, 1)),
        (partners(first_round_bids_itself="yes"), (None,) * 4, (5, 3, 4, 1)),
    ):
        keeper.put(keeper.begin(rules=rules, names=NAMES), 1, Round(bids, tricks))
    game = keeper.put(keeper.begin(names=NAMES), 1, Round((3, 2, 1, 4), (3, 3, 1, 3)))
    keeper.put(keeper.begin(names=("Ana", "Ben", "Cy")), 1, Round((3, 2, 1), (3, 3, 4)))
    coming = Round((3, 2, 1, 4), (3, 3, 1, 3)).noted(substitutes=(Substitute(1, "Eve"),))
    keeper.put(game, 2, coming)


def test_bids_by_number_are_counted_again(tmp_path: Path, data: Path, database: str) -> None:
    (tmp_path / "before").mkdir()
    chance = random.Random(17)
    with Store(tmp_path / "before") as store:
        keeper = Keeper(store)
        play_of_before(keeper)
        for day, book in enumerate(PRESETS.values()):
            play(chance, store, keeper.table_id, book, day)
        gone = keeper.put(keeper.begin(names=NAMES), 1, Round((3, 2, 1, 4), (3, 3, 1, 3)))
        with store.write() as db:
            remove_game(db, gone, keeper.phone.id, keeper.now())
            eve, ana = (player(keeper, name) for name in ("Eve", "Ana"))
            merge(db, keeper.table_id, eve, ana, "Ana")
        rows = everything(store.db)["player_games"]
        make(data, database, 13, rows_then(store, 13))
    assert sum(row[-1] != "{}" for row in rows) > 50
    with open_store(data) as store:
        assert everything(store.db)["player_games"] == rows
        assert [*faults(store)] == []
