"""Of all that the club's table has, a keeper reaches the game at its own table alone."""

from dataclasses import replace

import pytest
from flask import Flask

from scorekeeper.clock import now
from scorekeeper.store.club import load_night
from scorekeeper.store.club_links import join_as_keeper
from scorekeeper.store.journal import Who
from scorekeeper.web.http.requests import KEPT
from tests.store.play import start_match
from tests.web.http.test_rights import RIGHTS
from tests.web.visitors import Row, Visitors

# Where one that keeps score is no stranger, beside its game.
OWN = {"/", "/phone.json", "/club/tonight"}


@pytest.fixture
def visitors(app: Flask) -> Visitors:
    """All visitors, and one that keeps score at table 1 of the club night."""
    visitors = Visitors(app)
    table = visitors.table
    with table.store.write() as db:
        who = Who(table.session["phone"], now())
        start_match(db, visitors.night, 1, who)
        keeper = join_as_keeper(db, visitors.night, 1, "Table 1", now())
    phone = app.test_client()
    with phone.session_transaction() as session:
        session["keepers"] = [keeper.id]
    visitors.phones["keeper"] = phone
    visitors.keys["keeper"] = visitors.keys["nobody"]
    night = load_night(table.store.db, *visitors.night.key)
    assert night
    visitors.night = night
    return visitors


def endpoint(app: Flask, row: Row) -> set[str]:
    """Return the names by which rights are given to the view of a row."""
    adapter = app.url_map.bind("localhost")
    found, _values = adapter.match(
        row.rule.replace("<game_id>", "0" * 10)
        .replace("<round:number>", "1")
        .replace("<line:line>", "1"),
        method=row.method,
    )
    return {found, found.partition(".")[0]}


ABOUT_GAMES = [row for row in RIGHTS if "<game_id>" in row.rule]


def test_a_keeper_is_a_stranger_everywhere_else(visitors: Visitors) -> None:
    games = visitors.night.night.matches[0].games
    before = visitors.table.everything()
    for game_id in (visitors.table.game_id, games[2]):
        visitors.table.game_id = game_id
        for row in RIGHTS:
            if row.rule in OWN or row.expected[0] in (200, 303):
                continue
            asked = [visitors.ask(who, row, row.method) for who in ("nobody", "keeper")]
            assert asked[0] == asked[1], f"{row.method} {row.rule}"
    assert visitors.table.everything() == before


def test_a_keeper_reaches_what_its_game_needs(app: Flask, visitors: Visitors) -> None:
    visitors.table.game_id = visitors.night.night.matches[0].games[1]
    before = visitors.table.everything()
    for row in ABOUT_GAMES:
        is_kept = bool(endpoint(app, row) & KEPT)
        if not is_kept or row.method == "GET":
            due = visitors.ask("phone" if is_kept else "nobody", row, row.method)
            assert visitors.ask("keeper", row, row.method) == due, row.rule
    assert visitors.table.everything() == before
    for row in ABOUT_GAMES:
        if endpoint(app, row) & KEPT and row.method != "GET":
            status = visitors.ask("keeper", replace(row, number=1), row.method)
            assert status in (200, 303, 400, 409, 422), row.rule
