"""Access rights: every address and method, requested by every kind of visitor.

`RIGHTS` has one row for each method of each route; a new route fails here until it has its rows.
"""

from dataclasses import replace

import pytest
from flask import Flask

from scorekeeper.store.tables import random_word
from tests.web.play import Table
from tests.web.visitors import NEW_GAME, VISITORS, Row, Visitors


def open_to_all(status: int = 200) -> tuple[int, ...]:
    """Return the statuses of what everybody may see."""
    return (status,) * len(VISITORS)


def of_table(status: int = 200) -> tuple[int, ...]:
    """Return the statuses of a page of the table: for all but its phones there is no such page."""
    return (404, status, 404, 404, 404, 404, 404)


def of_phones(status: int = 200) -> tuple[int, ...]:
    """Return the statuses of what each phone has for its own table, a guest for the guest's."""
    return (404, status, status, 404, 404, 404, 404)


def of_programs(status: int, foreign: int = 401) -> tuple[int, ...]:
    """Return the statuses of the API, where a cookie is worth nothing."""
    return (*(foreign,) * (len(VISITORS) - 1), status)


# Of a link of a club night, which phones have but not whoever has another link.
BY_LINK = (404, 200, 200, 200, 404, 404, 404)
GAME, ROUND = "/games/<game_id>", "/games/<game_id>/rounds/<round:number>"
PLAYER, NIGHT = "/players/<player_id>", "/club/<night_id>"
NIGHT_TABLE = NIGHT + "/matches/<round:match>/tables/<round:number>"
SLIP = NIGHT + "/tables/<int:number>"
# What belongs to a table, by ids that none has.
IDS = {
    "<game_id>": "0000000000",
    "<rules_id>": "0000000000",
    "<night_id>": "0000000000",
    "<player_id>": "987654",
    "<other_id>": "987655",
    "<short>": "0" * 12,
}
TRICKS = {f"tricks-{n}": count for n, count in enumerate((3, 2, 1, 4), 1)}
BIDS = {f"bid-{n}": bid for n, bid in enumerate((3, 2, 1, 3), 1)}
TAPS = '[{"bids": [3, 2, 1, 3], "tricks": [3, 2, 1, 4]}]'
PENALTY = {"seat": 1, "what": "points:nobody", "size": 30, "reason": "renege"}
FINE = "0:points:30:nobody:renege"
NEW = {"rules": "cutthroat-lite", **{f"player-{n}": f"Player {n}" for n in range(1, 5)}}
NEW_NIGHT = {
    "format": "swiss",
    "book": "partnership-250",
    "length": "rounds",
    "rounds": "6",
    "ties": "points",
}
RULES = {"rules": "cutthroat", "name": "Sunday rules", "target": 99}
NEW_RULES = {"name": "Friday night", "rules": "cutthroat-lite", "house_rules": {"target": 200}}
BIDS_ALONE = {"bids": [3, 2, 1, 4], "tricks": None}

RIGHTS = [
    # For everybody
    Row("GET", "/", open_to_all()),
    Row("GET", "/robots.txt", open_to_all()),
    Row("GET", "/favicon.ico", open_to_all()),
    Row("GET", "/apple-touch-icon.png", open_to_all()),
    Row("GET", "/.well-known/security.txt", open_to_all(404)),  # without a contact
    Row("GET", "/healthz", open_to_all()),
    Row("GET", "/metrics", open_to_all()),  # on this computer; test_metrics.py has the others
    Row("GET", "/static/<path:filename>", open_to_all()),
    Row("GET", "/rules", open_to_all()),
    Row("GET", "/rules/<key>", open_to_all()),
    Row("GET", "/rules/link", open_to_all(422)),  # without rules in it
    Row("GET", "/rules/sheet/<int:seats>", open_to_all(422)),  # as well
    Row("GET", "/settings/sound", open_to_all()),
    Row("GET", "/settings", open_to_all()),
    Row("POST", "/settings/display", open_to_all(303), {"scheme": "dark"}),
    Row("GET", "/language", open_to_all()),
    Row("POST", "/language", open_to_all(303), {"language": "de"}),
    Row("GET", "/phone", open_to_all()),
    Row("GET", "/sign-in", open_to_all(303)),
    Row("GET", "/phone/<any(call):words>", open_to_all()),
    Row("GET", "/phone/pieces/<language>", open_to_all()),
    Row("GET", "/phone/pieces/<language>/<words>", open_to_all()),
    Row("GET", "/sw.js", open_to_all()),
    Row("GET", "/manifest.webmanifest", open_to_all()),
    Row("GET", "/api", open_to_all()),
    Row("GET", "/api/openapi.json", open_to_all()),
    # For whoever has a link
    Row("GET", "/join/<key>", (404, 303, 200, 404, 404, 404, 200)),
    Row("POST", "/join", open_to_all(422), {"link": "nothing"}),
    Row("POST", "/join/<key>", (404, 303, 303, 404, 404, 404, 303), {"label": "Kim"}),
    Row("GET", "/watch/<key>", (404, 200, 200, 200, 404, 200, 404)),
    Row("GET", "/watch/<key>/events", (404, 200, 200, 200, 404, 200, 404)),
    Row("GET", "/watch/<key>/overlay", (404, 200, 200, 200, 404, 200, 404)),
    Row("GET", "/watch/<key>/compact", (404, 200, 200, 200, 404, 200, 404)),
    Row("GET", "/watch/<key>/result.png", open_to_all(404)),  # of a game that is not over
    Row("GET", "/feed/<key>.csv", open_to_all(404)),  # with a join key; test_feed.py has its own
    # Only on a server that is open to all
    Row("POST", "/tables", open_to_all(404)),
    Row("POST", "/api/tables", open_to_all(403)),
    # Only from the computer that runs the server
    Row("POST", "/this-computer", open_to_all(303)),
    # For phones that joined
    Row("GET", "/table", of_phones()),
    Row("POST", "/table/links", of_phones(), {"label": "Ben"}),
    Row("POST", "/table/links/<short>/remove", of_table(303)),
    Row("POST", "/table/links/<short>/restore", of_table(404)),  # it has not been removed
    Row("GET", "/table/phones/<short>", of_table()),
    Row("POST", "/table/phones/<short>/name", of_table(303), {"label": "Ana’s phone"}),
    Row("POST", "/table/phones/<short>/remove", of_table(303)),
    Row("POST", "/table/phones/<short>/restore", of_table(404)),  # as well
    Row("POST", "/table/watching/<game_id>/remove", of_table(303)),
    Row("POST", "/table/others/remove", of_phones(303)),
    Row("GET", "/settings/table", of_phones()),
    Row("POST", "/settings/table", of_phones(303), {"name": "Friday table"}),
    Row("GET", "/settings/language", of_phones()),
    Row("POST", "/settings/language", of_phones(303), {"language": "de"}),
    Row("GET", "/settings/zone", of_phones()),
    Row("POST", "/settings/zone", of_phones(303), {"zone": "Europe/Berlin"}),
    Row("GET", "/games/new", of_phones()),
    Row("POST", "/games/new", of_phones(303), NEW),
    Row("GET", "/rules/new", of_phones()),
    Row("POST", "/rules/new", of_phones(303), RULES),
    Row("GET", "/rules/<rules_id>/change", of_table()),
    Row("POST", "/rules/<rules_id>/change", of_table(303), RULES | {"version": 1}),
    Row("POST", "/rules/<rules_id>/remove", of_table(303)),
    Row("GET", GAME, of_table()),
    Row("GET", "/play-on", of_phones(303)),
    Row("GET", "/phone.json", of_phones()),
    Row("GET", GAME + "/phone.json", of_table()),
    Row("POST", "/phone/games", of_phones(), {**NEW, "first_dealer": 2, "request_key": "k"}),
    Row("POST", ROUND + "/sent", of_table(200), {"rounds": TAPS, "seen": 1}, number=2),
    Row("POST", GAME + "/conflict", of_table(200), {"rounds": TAPS, "round": 2}),
    Row("POST", GAME + "/lines/<line:line>/undo", of_table(200)),
    Row("POST", GAME + "/lines/<line:line>/redo", of_table(409)),  # nothing is undone
    Row("GET", GAME + ".csv", of_table()),
    Row("GET", GAME + "/sheet", of_table()),
    Row("GET", GAME + "/result", of_table()),
    Row("GET", GAME + "/picture.svg", of_table()),
    Row("GET", GAME + "/changes", of_table()),
    Row("GET", GAME + "/rules", of_table()),
    Row("GET", GAME + "/rules/change", of_table()),
    Row("POST", GAME + "/rules/change", of_table(303), {"target": 99, "step": "confirm"}),
    Row("GET", GAME + "/events", of_table()),
    Row("GET", GAME + "/share", of_table()),
    Row("POST", GAME + "/watching", of_table(303), {"on": "yes"}),
    Row("POST", GAME + "/seat", of_table(303), {"seat": 1}),
    Row("POST", GAME + "/undo", of_table(303)),
    Row("POST", GAME + "/redo", of_table(303)),
    Row("POST", GAME + "/again", of_table(303)),
    Row("GET", ROUND, of_table()),
    Row("GET", ROUND + "/preview", of_table()),
    Row("POST", ROUND, of_table(303), {**BIDS, **TRICKS, "original": "scored,3,2,1,4,3,2,1,4"}),
    Row("POST", ROUND + "/misdeal", of_table(303), number=2),
    Row("POST", ROUND + "/penalties", of_table(303), fields=PENALTY, number=2),
    Row("POST", ROUND + "/penalties/remove", of_table(303), {"penalty": FINE}, number=2),
    Row("POST", ROUND + "/cards", of_table(303), fields={"cards": "10"}, number=2),
    Row("POST", ROUND + "/start", of_table(303), fields={"start-1": "20"}, number=1),
    Row("POST", ROUND + "/note", of_table(303), fields={"remark": "Noted"}, number=2),
    Row("POST", ROUND + "/seats", of_table(303), fields={"seat": 1, "name": "Eve"}, number=2),
    Row("POST", ROUND + "/swap", of_table(303), fields={"seat": ["1", "2"]}, number=2),
    Row("POST", ROUND + "/last", of_table(303), number=2),
    Row("POST", ROUND + "/end", of_table(303), number=2),
    Row("GET", ROUND + "/end", of_table(200), number=2),
    # What was played
    Row("GET", "/history", of_phones()),
    Row("GET", "/history/winners", of_phones()),
    Row("GET", "/history/partners", of_phones()),
    Row("GET", "/history/removed", of_phones()),
    Row("POST", "/history/feed", of_phones()),
    Row("GET", GAME + "/removal", of_table()),
    Row("POST", GAME + "/removal", of_table(303)),
    Row("POST", "/history/removed/<game_id>", of_table(303)),
    Row("GET", "/players", of_phones()),
    Row("GET", "/players/find", of_phones()),
    Row("GET", "/players/records", of_phones()),
    Row("GET", "/evening", of_phones()),
    Row("GET", "/evening/picture.svg", of_phones(404)),  # nothing has ended
    Row("GET", "/year", of_phones()),
    Row("GET", "/year/picture.svg", of_phones(404)),  # nothing has ended
    Row("GET", PLAYER, of_table()),
    Row("GET", PLAYER + "/edit", of_table()),
    Row("POST", PLAYER + "/name", of_table(303), {"name": "Anna"}),
    Row("POST", PLAYER + "/face", of_table(303), {"shape": "2", "color": "3"}),
    Row("GET", PLAYER + "/merge/<other_id>", of_table()),
    Row("POST", PLAYER + "/merge/<other_id>", of_table(422)),
    # Club nights
    Row("GET", "/club", (404, 200, 303, 404, 404, 404, 404)),  # a guest has none yet
    Row("GET", "/club/new", of_phones()),
    Row("POST", "/club/new", of_phones(303), NEW_NIGHT),
    Row("GET", NIGHT, of_table()),
    Row("POST", NIGHT, of_table(303), {"act": "start", "match": 1}),
    Row("GET", NIGHT + "/plan", of_table()),
    Row("POST", NIGHT + "/plan", of_table(303), NEW_NIGHT),
    Row("GET", NIGHT + "/entries", of_table()),
    Row("POST", NIGHT + "/entries", of_table(303), {"typed": "Ana & Ben\nKim & Lou"}),
    Row("GET", NIGHT_TABLE, of_table()),
    Row("POST", NIGHT_TABLE, of_table(422), {"what": "game"}),  # the match has not started
    Row("GET", NIGHT + "/removal", of_table()),
    Row("POST", NIGHT + "/removal", of_table(303)),
    Row("GET", NIGHT + "/events", of_table()),
    Row("GET", NIGHT + "/wall/<key>/events", BY_LINK),
    Row("GET", "/club/tonight", open_to_all(303)),
    Row("GET", SLIP + "/<key>", open_to_all(404)),  # test_keeper.py has its own keys
    Row("POST", SLIP + "/<key>", open_to_all(404)),  # as well
    Row("GET", NIGHT + "/results", of_table()),
    Row("GET", NIGHT + "/<any(standings, results):what>.csv", of_table()),
    Row("GET", NIGHT + ".json", of_table()),
    Row("GET", NIGHT + "/links", of_table()),
    Row("POST", NIGHT + "/links", of_table(303), {"kind": "wall"}),
    Row("GET", "/club/import", of_phones()),
    Row("POST", "/club/import", of_phones(422)),  # no file
    Row("GET", NIGHT + "/wall/<key>", BY_LINK),
    Row("GET", NIGHT + "/players/<key>", BY_LINK),
    Row("GET", NIGHT + "/players/<key>/results", BY_LINK),
    Row("GET", NIGHT + "/players/<key>/<int:entry>", BY_LINK),
    # In and out
    Row("GET", GAME + ".json", of_table()),
    Row("GET", "/history.csv", of_phones()),
    Row("GET", "/history.json", of_phones()),
    Row("GET", "/export", of_phones()),
    Row("GET", "/statistics.csv", of_phones()),
    Row("GET", "/import", of_phones()),
    Row("POST", "/import", of_phones(422)),
    Row("POST", "/import/all", of_phones(422)),
    Row("GET", "/import/progress", of_phones(404)),
    Row("GET", "/import/done", of_phones(404)),
    Row("POST", "/import/undo", of_phones(404)),
    # For programs
    Row("GET", "/api/games", of_programs(200)),
    Row("POST", "/api/games", of_programs(201), json=NEW_GAME),
    Row("GET", "/api/events", of_programs(200)),
    Row("GET", "/api" + GAME, of_programs(200)),
    Row("GET", "/api" + GAME + "/events", of_programs(200)),
    Row("PUT", "/api" + ROUND, of_programs(200), json=BIDS_ALONE, number=2),
    Row("DELETE", "/api" + ROUND, of_programs(200)),
    Row("DELETE", "/api" + GAME, of_programs(204)),
    Row("POST", "/api" + GAME + "/restore", of_programs(200)),
    Row("GET", "/api/rules", of_programs(200)),
    Row("POST", "/api/rules", of_programs(201), json=NEW_RULES),
    Row("GET", "/api/rules/<rules_id>", of_programs(200)),
    Row("PUT", "/api/rules/<rules_id>", of_programs(200), json=NEW_RULES),
    Row("DELETE", "/api/rules/<rules_id>", of_programs(204)),
    Row("POST", "/api/import", of_programs(415)),  # no file
    Row("GET", "/api/games.csv", of_programs(200)),
    Row("GET", "/api/games.json", of_programs(200)),
    Row("GET", "/api/players", of_programs(200)),
    Row("GET", "/api" + PLAYER, of_programs(200)),
    Row("POST", "/api" + GAME + "/undo", of_programs(200)),
    Row("POST", "/api" + GAME + "/end", of_programs(200)),
    Row("POST", "/api" + GAME + "/redo", of_programs(200)),
]


@pytest.fixture(scope="module")
def visitors(still: Table) -> Visitors:
    """Visitors whose requests change nothing, for all tests of this file."""
    visitors = Visitors(still.app)
    visitors.phones["watch"].get(f"/watch/{visitors.watch_key}")
    return visitors


def test_every_method_of_every_route_has_its_row(app: Flask) -> None:
    there = {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    rows = [(row.method, row.rule) for row in RIGHTS]
    assert sorted(rows) == sorted(set(rows)), "a row stands twice"
    assert there == set(rows), (
        f"say who may reach {sorted(there - set(rows))}; gone are {sorted(set(rows) - there)}"
    )


READS = [row for row in RIGHTS if row.method == "GET"]


@pytest.mark.parametrize("row", READS, ids=lambda row: row.rule)
def test_everybody_sees_what_is_theirs_and_nothing_else(visitors: Visitors, row: Row) -> None:
    before = visitors.table.everything()
    for visitor, expected in zip(VISITORS, row.expected, strict=True):
        if expected is not None:
            assert visitors.ask(visitor, row, "GET") == expected, visitor
    assert visitors.ask("phone", row, "HEAD") == row.expected[VISITORS.index("phone")]
    assert visitors.table.everything() == before


@pytest.mark.parametrize(
    "row", [row for row in RIGHTS if row not in READS], ids=lambda row: f"{row.method} {row.rule}"
)
def test_everybody_changes_what_is_theirs_and_nothing_else(
    app: Flask, visitors: Visitors, row: Row
) -> None:
    before = visitors.table.everything()
    granting = None  # a table where what is granted changes something
    for visitor, expected in zip(VISITORS, row.expected, strict=True):
        if expected is None:
            continue
        if expected < 400:
            if granting is None or row.expected != open_to_all(expected):
                granting = Visitors(app)
            assert granting.ask(visitor, row, row.method) == expected, visitor
        else:
            assert visitors.ask(visitor, row, row.method) == expected, visitor
    assert visitors.table.everything() == before


# Which methods a route has is told by the rows; how the others are answered is the same for all.
@pytest.mark.parametrize("rule", ["/", "/games/new", GAME, ROUND, "/api" + ROUND, "/phone.json"])
def test_no_other_method_does_anything(visitors: Visitors, rule: str) -> None:
    rows = [row for row in RIGHTS if row.rule == rule]
    methods = {row.method for row in rows}
    taken = methods | ({"HEAD"} if "GET" in methods else set())
    before = visitors.table.everything()
    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT"} - taken:
        assert visitors.ask("phone", rows[0], method) == 405, method
    assert visitors.ask("phone", rows[0], "OPTIONS") == 200
    assert visitors.table.everything() == before


@pytest.mark.parametrize(
    "row",
    [row for row in RIGHTS if any(gap in row.rule for gap in IDS) and "<key>" not in row.rule],
    ids=lambda row: f"{row.method} {row.rule}",
)
def test_another_table_is_not_told_what_there_is(visitors: Visitors, row: Row) -> None:
    there = visitors.path("guest", row)
    nowhere = row.rule
    for gap, unknown in IDS.items():
        nowhere = nowhere.replace(gap, unknown)
    nowhere = visitors.path("guest", replace(row, rule=nowhere))
    assert there != nowhere
    visitors.phones["guest"].get("/settings")  # the first request of a day sets the cookie anew
    key = visitors.guest.key if row.rule.startswith("/api/") else ""
    status, told = visitors.send("guest", row, row.method, there, key)
    assert status == 404
    assert told
    assert (status, told) == visitors.send("guest", row, row.method, nowhere, key)


@pytest.mark.parametrize("kind", ["join", "watch"])
def test_links_that_open_nothing_look_alike(visitors: Visitors, kind: str) -> None:
    join_key, watch_key = visitors.keys["ended"]
    wrong = [
        random_word(26),
        join_key,
        visitors.keys["removed"][0],
        watch_key,
        "x",
        "x" * 400,
        visitors.table.game_id,
    ]
    wrong += [visitors.watch_key if kind == "join" else visitors.table.key]
    answers = [visitors.phones["nobody"].get(f"/{kind}/{key}") for key in wrong]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.get_data() for answer in answers}) == 1


@pytest.mark.parametrize("visitor", ["removed", "ended"])
def test_a_link_that_ended_is_no_key_of_the_api(visitors: Visitors, visitor: str) -> None:
    join_key, _watch_key = visitors.keys[visitor]
    for row in (row for row in RIGHTS if row.expected[:-1] == of_programs(0)[:-1]):
        path = visitors.path("bearer", row)
        assert visitors.send("nobody", row, row.method, path, join_key)[0] == 401, row


def test_an_open_server_lets_anybody_begin_a_table(app: Flask) -> None:
    app.config["OPEN"] = True
    for row in (row for row in RIGHTS if row.rule in ("/tables", "/api/tables")):
        statuses = {Visitors(app).ask(visitor, row, "POST") for visitor in ("nobody", "guest")}
        assert statuses == {303 if row.rule == "/tables" else 201}
