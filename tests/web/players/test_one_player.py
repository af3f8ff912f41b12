"""One person, two keyboards: every door finds the player whom another spelling means."""

import csv
import io
import json
from collections.abc import Callable

import pytest

from scorekeeper.files.exports import json_pieces
from scorekeeper.store.players import player_of_name
from tests.spellings import OTHERS, SAME
from tests.store.many_games import a_store, exported, taken_in
from tests.store.play import Keeper
from tests.web.page import Fields
from tests.web.play import Table, page_of

FOUR = ("Ben", "Cy", "Dana")


def form(table: Table, name: str) -> None:
    table.new_game(**{f"player-{n}": one for n, one in enumerate((name, *FOUR), 1)})


def api(table: Table, name: str) -> None:
    body = {"rules": "cutthroat-lite", "players": [name, *FOUR]}
    headers = {"Authorization": f"Bearer {table.key}"}
    assert table.client.post("/api/games", json=body, headers=headers).status_code == 201


def offline(table: Table, name: str) -> None:
    fields: Fields = {f"player-{n}": one for n, one in enumerate((name, *FOUR), 1)}
    fields |= {"rules": "cutthroat-lite", "first_dealer": "2", "csrf_token": table.token()}
    count = table.count("games")
    assert table.post("/phone/games", fields | {"request_key": f"k{count}" * 9}).status_code == 200


def sheet(table: Table, name: str) -> None:
    """Import a sheet in which the name changes its spelling from the first round to the second."""
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["game", "round", "player", "bid", "tricks"])
    first = table.store.db.execute("SELECT name FROM players LIMIT 1").fetchone()
    for number, one in ((1, name), (2, first[0] if first else name)):
        rows.writerows([[name, number, player, 2, 2 + 2 * (n == 0)]
                        for n, player in enumerate((one, *FOUR))])  # fmt: skip
    headers = {"Authorization": f"Bearer {table.key}", "Content-Type": "text/csv"}
    answer = table.client.post("/api/import", data=text.getvalue(), headers=headers)
    assert answer.status_code == 200, answer.text


def backup(table: Table, name: str) -> None:
    """Import games that another server had with this spelling."""
    with a_store() as (store, table_id):
        Keeper(store, table_id=table_id).begin(names=(name, *FOUR))
        data = exported(store, json_pieces)
    headers = {"Authorization": f"Bearer {table.key}", "Content-Type": "application/json"}
    answer = table.client.post("/api/import", data=data, headers=headers)
    assert answer.status_code == 200, answer.text


def seat(table: Table, name: str) -> None:
    """Let the player take a seat of a game."""
    table.new_game(**{f"player-{n}": one for n, one in enumerate(("Eve", *FOUR), 1)})
    changes = {"seat": 1, "name": name}
    fields = table.fresh(**changes)
    assert table.post(table.round_path("seats", number=1), fields).status_code == 303


DOORS = (form, api, offline, sheet, backup, seat)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("spellings", SAME.values(), ids=SAME)
def test_the_spelling_first_used_stays(
    table: Table, door: Callable[[Table, str], None], spellings: tuple[str, ...]
) -> None:
    for spelling in (spellings[0], spellings[-1]):
        door(table, spelling)
    names = [name for (name,) in table.store.db.execute("SELECT name FROM players").fetchall()]
    assert sorted({*names} - {*FOUR, "Eve"}) == [spellings[0]]
    assert len(names) == len({*names})


@pytest.mark.parametrize("spellings", SAME.values(), ids=SAME)
def test_the_search_finds_every_spelling(table: Table, spellings: tuple[str, ...]) -> None:
    form(table, spellings[0])
    for spelling in spellings:
        page = page_of(table.get("/history", query_string={"player": spelling}))
        assert table.path in [a.get("href") for a in page.all("a")], spelling


@pytest.mark.parametrize("names", OTHERS.values(), ids=OTHERS)
def test_other_people_stay_other_people(table: Table, names: tuple[str, ...]) -> None:
    for name in names:
        form(table, name)
    assert table.count("players") == len(names) + len(FOUR)


def test_both_spellings_in_a_new_game_are_refused(table: Table) -> None:
    headers = {"Authorization": f"Bearer {table.key}"}
    body = {"rules": "cutthroat-lite", "players": ["O'Neil", "O\u2019Neil", "Ben", "Cy"]}
    answer = table.client.post("/api/games", json=body, headers=headers)
    assert answer.status_code == 422
    assert "Seat 1 already has this name" in answer.text
    assert table.count("games") == 0


def twins(table: Table) -> None:
    """Two players as earlier versions made them of one person, with a game each."""
    with table.store.write() as db:
        player_of_name(db, table.id, "O'Neil")
        player_of_name(db, table.id, "O\u2019Neil", exact=True)
    for name in ("O'Neil", "O\u2019Neil"):
        form(table, name)


def test_twins_are_offered_for_merging(table: Table) -> None:
    twins(table)
    page = table.page("/players")
    (offer,) = page.all("p[@class='twins']")
    (link,) = offer.iter("a")
    asked = table.page(link.get("href", ""))
    assert "Merge O\u2019Neil and O'Neil?" in asked.text
    assert table.send(asked.form("/1")).status_code == 303
    assert table.page("/players").all("p[@class='twins']") == []
    names = table.store.db.execute("SELECT name FROM players WHERE merged_into IS NULL").fetchall()
    assert sorted(name for (name,) in names) == ["Ben", "Cy", "Dana", "O'Neil"]


def test_twins_who_played_in_one_game_are_two_people_also_elsewhere(table: Table) -> None:
    with a_store() as (store, table_id):
        keeper = Keeper(store, table_id=table_id)
        with store.write() as db:
            player_of_name(db, table_id, "O'Neil")
            player_of_name(db, table_id, "O\u2019Neil", exact=True)
        keeper.begin(names=("O'Neil", "Ben", "O\u2019Neil", "Cy"))
        data = exported(store, json_pieces)
        assert len(json.loads(data)["games"]) == 1
    assert taken_in(table.store, table.id, data) == {"new": 1}
    assert taken_in(table.store, table.id, data) == {"same": 1}
    assert table.count("players") == 4
    assert table.page("/players").all("p[@class='twins']") == []


def test_a_twin_can_be_spelt_otherwise_and_is_asked_to_merge(table: Table) -> None:
    twins(table)
    page = table.page("/players/2/edit")
    answer = table.send(page.form("/name"), name="O\u2019NEIL")
    assert answer.location == "/players/2"
    answer = table.send(table.page("/players/2/edit").form("/name"), name="O'Neil")
    assert "/players/2/merge/1" in answer.location
