"""A game saved as CSV."""

import csv
import io

import pytest

from scorekeeper.rules.game import GameState
from tests.web.play import PLAYERS, Table

COLUMNS = (
    "game,started,rules,house_rules,round,dealer,seat,player,side,bid,tricks,nil_points,"
    "contract_points,overtrick_points,bag_penalty,penalty_points,points,bags,total,outcome,notes,date"
    ",bonus_points,remark,cards,start,start_bags,trump"
)


def sheet(table: Table) -> list[dict[str, str]]:
    """Return the rows of the game's CSV."""
    text = table.get(f"{table.path}.csv").get_data().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def folded(table: Table) -> list[dict[str, str]]:
    """Return what cells of the rows must be, by the fold."""
    state: GameState = table.state
    rows = []
    for round_ in state.rounds:
        for seat in range(state.players):
            side = state.side_of(seat)
            score, won = round_.scores[side], round_.outcome and round_.outcome.winner
            outcome = "" if won is None else "won" if won == side else "lost"
            bid = round_.bids[seat]
            cells = {
                "bid": round_.tricks[seat] if bid is None else bid,
                "tricks": round_.tricks[seat],
                "nil_points": score.nil_points,
                "contract_points": score.contract_points,
                "overtrick_points": score.overtrick_points,
                "bag_penalty": score.bag_penalty,
                "penalty_points": score.penalty_points,
                "points": score.points,
                "bags": score.bags,
                "total": round_.after.totals[side],
                "outcome": outcome,
                "notes": "",
                "bonus_points": "",
                "remark": "",
                "cards": "",
                "start": "",
                "start_bags": "",
                "trump": "",
            }
            rows.append({name: str(cell) for name, cell in cells.items()})
    return rows


def test_the_header_is_exactly_this(game: Table) -> None:
    text = game.get(f"{game.path}.csv").get_data(as_text=True)
    assert text == f"\ufeff{COLUMNS}\r\n"


def test_the_answer_is_a_file_with_a_name_of_our_own(game: Table) -> None:
    answer = game.get(f"{game.path}.csv")
    assert answer.content_type == "text/csv; charset=utf-8"
    disposition = answer.headers["Content-Disposition"]
    assert disposition == (
        f'attachment; filename="cutthroat-lite-{game.game.started[:10]}-{game.game_id}.csv"'
    )


def test_every_seat_of_every_round_has_a_row(game: Table) -> None:
    game.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    game.play_round((1, 1, 1, 1), (1, 1, 1, 7))
    rows = sheet(game)
    assert [(row["round"], row["dealer"], row["seat"], row["player"]) for row in rows] == [
        (str(number), dealer, str(seat), name)
        for number, dealer in ((1, "4"), (2, "1"))
        for seat, name in enumerate(PLAYERS[:4], 1)
    ]
    assert {row["game"] for row in rows} == {game.game_id}
    assert {row["started"] for row in rows} == {game.game.started}


@pytest.mark.parametrize(
    ("rules", "rounds"),
    [
        ("cutthroat-lite", [((3, 2, "nil", 4), (3, 4, 0, 3)), ((1, 1, 1, 1), (0, 1, 2, 7))]),
        ("cutthroat", [((3, 2, "nil", 4), (3, 4, 1, 5))]),
        ("partnership", [((6, 4, "nil", 3), (6, 2, 1, 4)), ((3, 3, 3, 3), (3, 3, 3, 4))]),
        ("partnership-250", [((6, "nil", "nil", 3), (6, 0, 1, 6))]),
    ],
)
def test_the_numbers_are_those_of_the_fold(table: Table, rules: str, rounds: list) -> None:
    table.new_game(rules, first_dealer=4)
    for bids, tricks in rounds:
        table.play_round(bids, tricks)
    for row, cells in zip(sheet(table), folded(table), strict=True):
        assert cells.items() <= row.items()


def test_the_last_rows_of_a_game_say_who_won(table: Table) -> None:
    table.new_game(target=30)
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    assert [row["outcome"] for row in sheet(table)] == ["lost", "lost", "lost", "won"]


def test_house_rules_are_named(table: Table) -> None:
    table.new_game(target=200, bag_limit="off")
    table.play_round((3, 2, 1, 4), (3, 2, 1, 4))
    assert {row["house_rules"] for row in sheet(table)} == {
        "target=200;bag_limit=off;bag_penalty=off"
    }


def test_a_round_that_is_still_on_is_not_in_it(game: Table) -> None:
    game.bid_round(3, 2, "nil", 4)
    assert sheet(game) == []


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", '=1,"2"', "=HYPERLINK(1)"]


@pytest.mark.parametrize("name", FORMULAS)
def test_no_name_is_run_as_a_formula(table: Table, name: str) -> None:
    table.new_game(players=(name, *PLAYERS[1:4]))
    table.play_round((3, 2, "nil", 4), (3, 4, 0, 3))
    assert sheet(table)[0]["player"] == "'" + name
