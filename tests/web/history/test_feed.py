"""The secret address from which a spreadsheet reads the games of a table."""

import csv
import io
import re

import pytest
from werkzeug.test import TestResponse

from scorekeeper.rules.payments import stake_balances
from scorekeeper.store.tables import FEED, open_links
from tests.web.play import Table


def made(table: Table) -> str:
    """Make an address and return its path."""
    page = table.post("/history/feed", table.fresh()).get_data(as_text=True)
    found = re.search(r"/feed/[0-9a-z]{26}\.csv", page)
    assert found
    return found[0]


def rows(answer: TestResponse) -> list[dict[str, str]]:
    assert answer.status_code == 200
    assert answer.content_type == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.get_data(as_text=True))))


@pytest.fixture
def played(table: Table) -> Table:
    table.new_game("partnership", stake="2.50", target=50)
    table.play_round((4, 3, 3, 2), (4, 3, 4, 2))
    return table


def test_a_spreadsheet_reads_a_row_for_each_player_and_game(played: Table) -> None:
    stranger = played.app.test_client()
    game, told = played.game, rows(stranger.get(made(played)))
    assert [row["player"] for row in told] == list(game.names)
    assert {row["rules"] for row in told} == {game.rules.name}
    assert {row["date"] for row in told} == {game.started[:10]}
    totals = game.state.standing.totals
    assert sum(int(row["points"]) for row in told) == sum(totals)
    assert game.state.phase == "over"
    assert [int(row["won"]) for row in told] == [1, 0, 1, 0]
    balances = stake_balances(game.state, game.stake or 0)
    assert [round(100 * float(row["stake"])) for row in told] == list(balances)


def test_rounds_are_those_of_the_export(played: Table) -> None:
    told = rows(played.app.test_client().get(f"{made(played)}?rows=rounds"))
    exported = played.get("/history.csv").get_data(as_text=True).lstrip("\ufeff")
    assert told == list(csv.DictReader(io.StringIO(exported)))


def test_what_has_not_changed_is_not_sent_again(played: Table) -> None:
    path, client = made(played), played.app.test_client()
    tag = client.get(path).headers["ETag"]
    again = {"If-None-Match": tag}
    assert client.get(path, headers=again).status_code == 304
    assert client.get(f"{path}?rows=rounds", headers=again).status_code == 200
    played.undo()
    assert client.get(path, headers=again).status_code == 200


def test_it_is_listed_in_devices_and_ends_there(played: Table) -> None:
    path = made(played)
    (link,) = [one for one in open_links(played.store.db, played.id) if one.is_feed]
    assert link.short.startswith(FEED)
    assert link.made_by == played.session["phone"][:12]
    assert played.post(f"/table/links/{link.short}/remove", played.fresh()).status_code == 303
    assert played.app.test_client().get(path).status_code == 404


def test_it_ends_with_the_phone_that_made_it(played: Table) -> None:
    other = played.second_phone()
    path = made(other)
    played.post(f"/table/phones/{other.session['phone'][:12]}/remove", played.fresh())
    assert played.app.test_client().get(path).status_code == 404


def test_its_key_opens_nothing_else_and_no_other_key_opens_it(played: Table) -> None:
    key = made(played)[6:-4]
    stranger = played.app.test_client()
    assert stranger.get(f"/join/{key}").status_code == 404
    headers = {"Authorization": f"Bearer {key}"}
    assert stranger.get("/api/games", headers=headers).status_code == 401
    assert stranger.get(f"/feed/{played.key}.csv").status_code == 404


def test_other_rows_are_refused(played: Table) -> None:
    assert played.app.test_client().get(f"{made(played)}?rows=days").status_code == 400


def test_an_address_that_fetches_too_often_waits(played: Table) -> None:
    path, client = made(played), played.app.test_client()
    played.app.config["OPEN"] = True
    statuses = [client.get(path).status_code for _ in range(61)]
    assert (statuses[0], statuses[-1]) == (200, 429)
