"""The benchmark measures what people play: its tables are as valid as any other."""

import json
import math
from pathlib import Path

import pytest

from scorekeeper.rules.round import Round
from scorekeeper.store.check import faults_of_path
from scorekeeper.store.games import load_game
from tests.bench.bench import Bench, Figure
from tests.bench.play import DataFolder, after_each_tap, rounds_text
from tests.bench.rows import Aim, Measured, Row, at_least, at_most, document
from tests.bench.seed import many_games
from tests.bench.table import ROWS

QUICK = ("tap", "follower", "watchers", "begin", "games", "rounds", "tables", "import")


def test_copied_games_are_as_good_as_played_ones(tmp_path: Path) -> None:
    data_folder = DataFolder(tmp_path)
    phone = data_folder.phone()
    made = many_games(data_folder, phone, 30)
    games = [load_game(data_folder.store.db, phone.table_id, one) for one in made]
    assert len(set(made)) == 30
    assert {game.state.phase for game in games if game} == {"over"}
    data_folder.close()
    assert list(faults_of_path(tmp_path / "scorekeeper.db")) == []


def test_a_table_has_the_games_that_are_asked_for(tmp_path: Path) -> None:
    made = Bench(tmp_path).table(short=(2, 3), long=(1, 30))
    data_folder = DataFolder(made.folder)
    rows = data_folder.store.db.execute("SELECT game_id, max(round) FROM rounds GROUP BY game_id")
    assert dict(rows.fetchall()) == {
        **dict.fromkeys(made.games["short"], 3),
        **dict.fromkeys(made.games["long"], 30),
    }
    data_folder.close()


@pytest.mark.parametrize(
    ("aim", "figure", "told"),
    [
        (at_most(2), Figure(1.99), ["at most 2.00", "1.99", "yes"]),
        (at_most(2), Figure(2.5), ["at most 2.00", "2.50", "**no**"]),
        (at_most(50, "ms"), Figure(20, "worst 30"), ["at most 50 ms", "20 ms (worst 30)", "yes"]),
        (
            at_most(25, "ms"),
            Figure(20, "1 missed", False),
            ["at most 25 ms", "20 ms (1 missed)", "**no**"],
        ),
        (at_least(1200), Figure(1199), ["at least 1 200", "1 199", "**no**"]),
        (at_least(0.4), Figure(0.4), ["at least 0.40", "0.40", "yes"]),
        (Aim("kB"), Figure(126), ["told", "126 kB", "yes"]),
    ],
)
def test_a_row_says_whether_its_aim_was_held(aim: Aim, figure: Figure, told: list[str]) -> None:
    row = Row("a row", "3 ms", [aim], lambda _bench: [figure], "itself")
    assert Measured(row, [figure]).cells() == ["a row", "3 ms", *told]


def test_a_row_holds_if_all_of_its_figures_do() -> None:
    row = Row("a row", "3 ms", [at_most(2), at_most(2)], lambda _bench: [], "itself")
    held = [Measured(row, [Figure(1), Figure(second)]).cells()[2:] for second in (2, 3)]
    assert held == [["at most 2.00", "1.00; 2.00", "yes"], ["at most 2.00", "1.00; 3.00", "**no**"]]


def test_a_row_that_is_left_out_says_why(tmp_path: Path) -> None:
    row = Row("a row", "3 ms", [at_most(2)], lambda _bench: [], "itself")
    measured = Measured(row, left_out="there is no browser")
    assert "| a row | 3 ms | at most 2.00 | there is no browser | – |" in document([measured])


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_row_can_be_measured(name: str, tmp_path: Path) -> None:
    row = ROWS[name]
    figures = row.measure(Bench(tmp_path, quick=True))
    assert len(figures) == len(row.aims)
    assert all(math.isfinite(figure.value) for figure in figures)


def test_a_round_is_sent_whole_with_each_tap() -> None:
    sent = json.loads(rounds_text(*after_each_tap(Round((3, 2), (1, 4)))))
    assert [(one["bids"], one["tricks"], one["tally"]) for one in sent] == [
        ([3, None], None, None),
        ([3, 2], None, None),
        ([3, 2], None, [1, None]),
        ([3, 2], [1, 4], None),
    ]
    assert all(one["penalties"] == [] for one in sent)
