"""The benchmark measures what people play: its tables are as valid as any other."""

from pathlib import Path

import pytest

from scorekeeper.rules.game import fold, sides_of
from scorekeeper.rules.presets import CUTTHROAT_LITE, PARTNERSHIP_500
from scorekeeper.rules.ruleset import LARGEST, RuleSet, with_house_rules
from scorekeeper.store.games import load_game
from scorekeeper.store.maintenance.check import faults
from tests.bench import engine
from tests.bench.bench import Bench
from tests.bench.play import DataFolder
from tests.bench.rows import Row, table
from tests.bench.seed import many_games


def test_copied_games_are_as_good_as_played_ones(tmp_path: Path) -> None:
    data_folder = DataFolder(tmp_path)
    phone = data_folder.phone()
    made = many_games(data_folder, phone, 30)
    games = [load_game(data_folder.store.db, phone.table_id, one) for one in made]
    assert len(set(made)) == 30
    assert {game.state.phase for game in games if game} == {"over"}
    data_folder.store.backups.end()
    data_folder.close()
    assert list(faults(tmp_path / "scorekeeper.db")) == []


def test_a_table_has_the_games_that_are_asked_for(tmp_path: Path) -> None:
    made = Bench(tmp_path).table(short=(2, 3), long=(1, 30))
    data_folder = DataFolder(made.folder)
    rows = data_folder.store.db.execute("SELECT game_id, max(round) FROM rounds GROUP BY game_id")
    assert dict(rows.fetchall()) == {
        **dict.fromkeys(made.games["short"], 3),
        **dict.fromkeys(made.games["long"], 30),
    }
    data_folder.close()


def test_a_row_says_whether_its_aim_was_held() -> None:
    rows = [
        Row("as fast as can be", "itself", 0.9, None, [0.8, 0.95, 1.0]),
        Row("too slow", "itself", None, 2, [2.5, 1.0, 3.0]),
        Row("not measured", "itself", None, 2, left_out="there is no browser"),
    ]
    assert [line.split(" | ")[2:6] for line in table(rows).splitlines()[2:]] == [
        ["at least 0.90", "0.95", "0.80 – 1.00", "yes"],
        ["at most 2.00", "2.50", "1.00 – 3.00", "**no**"],
        ["at most 2.00", "–", "–", "left out"],
    ]


@pytest.mark.parametrize("book", [CUTTHROAT_LITE, PARTNERSHIP_500])
def test_the_loop_beside_the_rule_books_scores_the_rule_it_knows(book: RuleSet) -> None:
    known = {
        **{"target": str(LARGEST), "mercy": "off", "nil_points": "50", "overtrick_cap": "off"},
        **{"bag_limit": "6", "bag_penalty": "10", "bag_remainder": "dropped"},
    }
    rules, players = with_house_rules(book, known), max(book.players)
    for rounds in engine.random_games(rules, players):
        totals = fold(rules, players, 0, rounds).standing.totals
        assert tuple(engine.straight_line(sides_of(rules, players), rounds)) == totals
