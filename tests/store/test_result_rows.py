"""Result rows follow from the facts, whatever was corrected, taken back and brought back."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.cli.main import main
from scorekeeper.rules.bidding import Nil
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP
from scorekeeper.rules.round import Round
from scorekeeper.rules.ruleset import with_house_rules
from scorekeeper.store.check import check
from scorekeeper.store.database import Store
from scorekeeper.store.player_games import expected, expected_outcome
from tests.properties import examples
from tests.rules.test_properties import tables
from tests.store.disagreements import disagreements
from tests.store.play import CROWD, Keeper, everything, next_round

some = examples(50)
ROUND = Round((3, 2, Nil.NIL, 4), (3, 4, 0, 3))
ANOTHER = Round((1, 1, 1, 1), (1, 1, 1, 7))


@some
@given(st.data())
def test_rows_are_what_the_fold_expects_after_every_change(
    busy_store: Store, data: st.DataObject
) -> None:
    keeper = Keeper(busy_store)
    rules, players, dealer = data.draw(tables())
    game = keeper.begin(rules, CROWD[:players], dealer)
    for _ in range(data.draw(st.integers(1, 16))):
        step = data.draw(st.sampled_from(["change"] * 4 + ["undo", "redo"]))
        change = data.draw(next_round(game)) if step == "change" else None
        if change is not None:
            game = keeper.put(game, *change)
        elif step == "undo":
            game = keeper.undo(game)
        else:
            game = keeper.redo(game)
        rows = "SELECT * FROM results WHERE game_id = ? ORDER BY round, seat"
        assert keeper.db.execute(rows, [game.id]).fetchall() == list(expected(game))
        outcome = "SELECT table_id, game_id, round, reason, side FROM outcomes WHERE game_id = ?"
        assert keeper.db.execute(outcome, [game.id]).fetchone() == expected_outcome(game)


def test_after_all_those_games_nothing_disagrees(busy_store: Store) -> None:
    assert disagreements(busy_store.db) == []
    out = io.StringIO()
    assert check(busy_store.path.parent, out) == 0, out.getvalue()


def totals(keeper: Keeper, column: str = "total") -> list[int]:
    rows = keeper.db.execute(f"SELECT {column} FROM results ORDER BY round, seat").fetchall()
    return [value for (value,) in rows]


def test_a_round_has_a_row_for_each_seat(keeper: Keeper) -> None:
    keeper.put(keeper.begin(), 1, ROUND)
    assert totals(keeper) == [30, 22, 50, -40]
    assert totals(keeper, "bags") == [0, 2, 0, 0]


def test_partners_have_the_same_points_and_their_own_bids(keeper: Keeper) -> None:
    keeper.put(keeper.begin(PARTNERSHIP), 1, Round((3, 2, 2, 4), (4, 2, 3, 4)))
    assert totals(keeper) == [52, 60, 52, 60]
    assert totals(keeper, "bid") == ["3", "2", "2", "4"]


def test_a_corrected_round_rescores_every_round_after_it(keeper: Keeper) -> None:
    game = keeper.put(keeper.put(keeper.begin(), 1, ROUND), 2, ANOTHER)
    assert totals(keeper)[4:] == [40, 32, 60, -35]
    game = keeper.put(game, 1, ROUND._replace(tricks=(2, 4, 1, 3)), "corrected")
    assert totals(keeper)[4:] == [-20, 32, -39, -35]
    assert totals(keeper)[4:] == list(game.state.standing.totals)
    keeper.undo(game)
    assert totals(keeper)[4:] == [40, 32, 60, -35]


def test_rounds_after_the_end_have_no_rows(keeper: Keeper) -> None:
    rules = with_house_rules(CUTTHROAT_LITE, {"target": "60"})
    game = keeper.put(keeper.put(keeper.begin(rules), 1, ROUND), 2, ANOTHER._replace(bids=(1,) * 4))
    assert game.state.phase == "over"
    ended = keeper.put(game, 1, Round((3, 2, Nil.NIL, 7), (1, 1, 0, 8)), "corrected")
    assert (len(ended.state.rounds), ended.state.uncounted) == (1, 1)
    assert len(totals(keeper)) == 4
    assert keeper.db.execute("SELECT round FROM outcomes").fetchall() == [(1,)]


def test_a_round_that_bids_itself_stores_its_tricks_as_bids(keeper: Keeper) -> None:
    rules = with_house_rules(CUTTHROAT_LITE, {"first_round_bids_itself": "yes"})
    keeper.put(keeper.begin(rules), 1, Round((None,) * 4, (3, 4, 0, 3)))
    assert totals(keeper, "bid") == ["3", "4", "0", "3"]


# The command that looks after them

SPOILED = {
    "a total": "UPDATE results SET total = total + 1 WHERE seat = 2",
    "a point": "UPDATE results SET points = 0 WHERE seat = 0",
    "a bid": "UPDATE results SET bid = '9' WHERE seat = 1",
    "a row taken away": "DELETE FROM results WHERE seat = 3",
    "a row too many": "INSERT INTO results SELECT table_id, game_id, 9, seat, side, dealer, bid,"
    " tricks, nil_points, contract_points, overtrick_points, bag_penalty, points, overtricks,"
    " bags, total, made, bonus_points FROM results WHERE seat = 0",
    "a winner": "INSERT INTO outcomes VALUES ('{table}', '{game}', 1, 'target', 0, '')",
}


@pytest.mark.parametrize("statement", SPOILED.values(), ids=SPOILED.keys())
def test_the_check_finds_a_changed_result_and_mends_it(
    keeper: Keeper, data: Path, statement: str
) -> None:
    game = keeper.put(keeper.begin(), 1, ROUND)
    sound = everything(keeper.db)
    with keeper.store.write() as db:
        db.execute(statement.format(table=game.table_id, game=game.id))
    found, mended, after = io.StringIO(), io.StringIO(), io.StringIO()
    assert check(data, found) == 1
    assert f"Game {game.id}" in found.getvalue()
    assert "Checked 1 game, 1 with errors." in found.getvalue()
    assert disagreements(keeper.db) == [(keeper.table_id, game.id)]
    assert check(data, mended, rebuild=True) == 0
    assert check(data, after) == 0
    assert after.getvalue().startswith("Checked 1 game, 0 with errors.\n")
    assert everything(keeper.db) == sound


def test_the_check_of_a_sound_store_says_how_many_games_it_saw(keeper: Keeper, data: Path) -> None:
    for _ in range(3):
        keeper.put(keeper.begin(), 1, ROUND)
    out = io.StringIO()
    assert check(data, out) == 0
    assert out.getvalue().startswith("Checked 3 games, 0 with errors.\n")


@pytest.mark.sqlite
def test_the_check_of_a_damaged_store_says_so(data: Path) -> None:
    (data / "scorekeeper.db").write_bytes(b"no database at all" * 100)
    out = io.StringIO()
    assert check(data, out) == 1
    assert "is damaged." in out.getvalue()


def test_the_command_looks_into_the_folder_it_is_given(
    keeper: Keeper, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keeper.put(keeper.begin(), 1, ROUND)
    monkeypatch.setenv("SCOREKEEPER_DATA", str(data))
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith("Checked 1 game, 0 with errors.\n")
    with keeper.store.write() as db:
        db.execute(SPOILED["a total"])
    assert main(["check"]) == 1
    assert main(["check", "--rebuild"]) == 0
    assert main(["check"]) == 0
