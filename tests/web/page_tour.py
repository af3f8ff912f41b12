"""One evening that visits every page and every refusal."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from flask import Flask, Response, request

from scorekeeper.rules.presets import PRESETS
from tests.web.club.evening import TEAMS
from tests.web.club.slips import Evening
from tests.web.play import PLAYERS, Table, page_of

A_FEW = 2  # pages that one link leads to, of which there may be hundreds
LABEL, LINK, OTHER = "Kim's phone", "a link", "the other phone"
CLUB = "Friday at the Anchor"
FRIDAY = "Friday night rules"


class Seen(NamedTuple):
    """A page that somebody saw: which address gave it, with which status."""

    endpoint: str
    status: int
    html: str


def visit_every_page(app: Flask) -> list[Seen]:
    """Play, look at everything, make every mistake, and return the pages in their order."""
    with _watching(app) as seen:
        table = Table(app)
        _arrive(table)
        _sit_down(table)
        _make_rules(table)
        _play_lite(table)
        _change_rules(table)
        _play_partnership(table)
        _look_on(table)
        _hand_out_links(table)
        _take_in(table)
        _run_a_club_night(table)
        _tidy_up(table)
        _keep_score_at_a_club(table)
        _follow_every_link(table)
        _go_astray(table)
    return seen


@contextmanager
def _watching(app: Flask) -> Iterator[list[Seen]]:
    seen: list[Seen] = []

    def keep(response: Response) -> Response:
        if response.mimetype == "text/html" and response.status_code not in (302, 303, 308):
            html = response.get_data(as_text=True)
            seen.append(Seen(request.endpoint or "", response.status_code, html))
        return response

    app.after_request(keep)
    yield seen


def _arrive(table: Table) -> None:
    table.get("/")
    table.app.config["OPEN"] = True
    table.get("/")
    table.app.config["OPEN"] = False
    table.get(f"/join/{table.key}")
    table.join("\u202e")
    table.join(LABEL)
    table.get(f"/join/{table.key}")
    table.get("/")
    table.get("/history")


def _sit_down(table: Table) -> None:
    for key in PRESETS:
        table.get(f"/rules/{key}")
    table.get("/rules")
    table.get("/language")
    table.get("/settings")
    table.send(table.page("/settings/zone").form("other-zone"), zone="?")
    table.send(table.page("/settings/zone").form("other-zone"), zone="Asia/Kolkata")
    table.get("/settings")
    table.get("/phone")
    table.new_game("?", ("North", "north", "", "E" * 41, "\u200b"), first_dealer=9, stake="?")
    table.new_game(players=PLAYERS[:2])
    table.new_game("partnership", PLAYERS[:3])
    table.new_game(move="1:down")
    for mistake in (
        {"target": "x"}, {"mercy": "3"}, {"bag_penalty": "off"}, {"bag_limit": "x"},
        {"tricks": 18}, {"board": 4}, {"minimum_bid": 11}, {"nil_points": "x"},
        {"bag_remainder": "x"}, {"bids_may_equal_tricks": "x"}, {"double_nil_points": 200},
    ):  # fmt: skip
        table.new_game(**mistake)


def _make_rules(table: Table) -> None:
    form = table.page("/rules/new?rules=partnership").form("house-rules")
    changes = {
        "target": 99, "mercy": "-50", "minimum_bid": 2, "bag_limit": 3, "bag_penalty": 10,
        "nil_points": 50, "blind_nil_points": "off", "board": 6, "failed_nil_tricks": "ignored",
        "tricks": 10, "first_round_bids_itself": "yes", "double_nil_points": 200, "ten_for": 20,
    }  # fmt: skip
    table.send(form, show=1, **changes)
    table.send(form, bag_penalty="off", bag_limit=3)
    table.send(form, rules="cutthroat", board=4, name=FRIDAY)
    made = table.send(form, name=FRIDAY, **changes).location
    table.send(form, name=FRIDAY)
    table.get("/rules")
    table.get(made)
    old = table.page(f"{made}/change").form("house-rules")
    table.send(old, bids_may_equal_tricks="no", blind_nil_points=200, blind_nil_deficit=50)
    table.send(old, overtrick_cap=1, overtrick_points=2)
    table.send(old, version="x", set_points=20)
    table.get(made)
    table.new_game(made.rpartition("/")[2])
    table.get(f"{table.path}/rules")
    table.new_game(made.rpartition("/")[2], rendered_for="cutthroat", target=50)
    for link in ("", "rules=poker", "jokers=2", "rules=cutthroat&target=x", "target=1&target=2"):
        table.get(f"/rules/link?{link}")
    table.get(f"/rules/link?rules=cutthroat-lite&overtrick_cap=off&name={FRIDAY}")
    table.send(table.page(made).form("/remove"))


def _play_lite(table: Table) -> None:
    table.new_game(target=110, stake="2.50")
    for bid in (11, "blind nil", "zz", ""):
        table.bid(bid)
    old = table.round_form()
    table.bid_round(3, 2, "nil", 4)
    table.send(old, **{"bid-1": 5})
    for count in (3, 9, "zz"):
        table.take(count)
    table.take(4)
    table.score(1, 1, 1, 1)
    table.take(0)
    table.get(table.path)
    late = table.round_form()
    table.score()
    table.get(table.path)
    table.send(late, **{"tricks-1": 4, "tricks-2": 3})
    table.undo()
    table.redo()
    table.bid(3)
    table.misdeal()
    table.play_round((1, 1, 1, 1), (1, 5, 1, 3))
    _correct(table)
    table.play_round((4, 1, 1, 1), (5, 1, 1, 3))
    table.play_round((4, 1, 1, 1), (4, 1, 1, 4))
    assert table.state.phase == "over"
    table.get(table.path)
    for page in ("changes", "rules", "sheet", "result"):
        table.get(f"{table.path}/{page}")
    table.post(table.round_path("", 5), table.fresh(**{"bid-1": 1}))
    table.correct(1, bid_3="7", tricks_3=7, tricks_1=1, tricks_2=1, tricks_4=1)
    table.get(table.path)
    table.get(table.round_path(number=4))
    table.get("/")


def _change_rules(table: Table) -> None:
    table.new_game()
    path = f"{table.path}/rules/change"
    table.play_round((4, 1, 1, 1), (5, 1, 1, 3))
    table.play_round((4, 1, 1, 1), (4, 1, 1, 4))
    form = table.page(path).form("rules")
    for fields in ({}, {"tricks": 9}, {"target": "x"}, {"first_round_bids_itself": "yes"}):
        table.send(form, **fields)
    shown = page_of(table.send(form, target="30", overtrick_points="2")).form("confirm")
    table.bid(3)
    table.send(shown, step="confirm")
    table.send(shown, step="edit")
    table.send(shown, step="confirm", version=table.game.version)
    table.get(path)
    table.get(f"{table.path}/changes")
    for target in (31, 41, 90):
        table.send(form, target=target, overtrick_points="2")
    table.undo()


def _correct(table: Table) -> None:
    path = table.round_path(number=1)
    old = table.page(path).form("rounds/1")
    table.correct(1, bid_1="11", tricks_2="zz")
    table.correct(1, bid_1="11", bid_2="99")
    table.correct(1, tricks_2=9)
    table.correct(1, bid_1="4", tricks_1=4, tricks_2=3)
    table.get(path)
    table.send(old, **{"bid-1": "nil", "tricks-1": 2, "tricks-2": 5})
    table.get(path)


def _play_partnership(table: Table) -> None:
    table.new_game(
        "partnership-sandbags", mercy=-500, double_nil_points=200, board=3, ten_for=20,
        bag_limit=3, blind_nil_deficit=50, first_dealer=4, target=400,
    )  # fmt: skip
    table.get(f"{table.path}/rules")
    table.bid("nil")
    table.bid("nil", seat=3)
    table.bid(2, seat=2)
    table.bid(1, seat=4)
    table.misdeal()
    table.play_round(("nil", 3, "nil", 3), (0, 6, 1, 6))
    table.play_round(("nil", 6, 3, 6), (3, 5, 2, 3))
    table.get(table.round_path(number=1))
    table.bid("blind nil", seat=2)
    table.bid("blind nil", seat=1)
    table.get(table.path)
    table.get("/")
    table.new_game("cutthroat", first_dealer=4, first_round_bids_itself="yes", target=50)
    table.score(5, 5, 2, 1)
    table.get(table.path)
    table.get(table.round_path(number=1))
    for bid in (3, 3, 3, 4):
        table.bid(bid)
    table.get(table.path)
    table.new_game(players=PLAYERS, tricks=9)
    table.play_round((1, 2, 3, "nil", 1), (1, 2, 3, 0, 3))


def _look_on(table: Table) -> None:
    table.get(f"{table.path}/share")
    other = Table(table.app, table.id)
    other.join(OTHER)
    other.game_id = table.game_id
    other.send(other.page(f"{table.path}/share").form("/seat"), seat=2)
    other.get(table.path)
    table.post(f"{table.path}/seat", table.fresh(seat=9))
    table.send(table.page(f"{table.path}/share").form("/watching"), on="yes")
    page = table.page(f"{table.path}/share")
    link = next(text for text in page.html.split() if "/watch/" in text)
    key = link.partition("/watch/")[2][:26]
    for _ in range(2):
        Table(table.app).get(f"/watch/{key}")
        table.bid_round(1, 2, 3, "nil", 1)
        table.take(1)
        Table(table.app).get(f"/watch/{key}")
        Table(table.app).get(f"/watch/{key}/overlay")
        Table(table.app).get(f"/watch/{key}/compact")
        table.misdeal()
    Table(table.app).get("/watch/nothing")
    Table(table.app).get("/watch/nothing/overlay")
    Table(table.app).get("/watch/nothing/compact")


def _hand_out_links(table: Table) -> None:
    page = table.page("/table")
    table.send(page.form("/table/links"), label="\u202e")
    table.send(page.form("/table/links"), label=LINK)
    table.send(table.page("/export").form("/history/feed"))
    guest = table.second_phone()
    for own in (True, False):
        phone = (table if own else guest).session["phone"][:12]
        table.send(table.page(f"/table/phones/{phone}").form("rename"), label="")
    table.post(f"/table/phones/{phone}/remove", {"csrf_token": table.token()})
    table.get("/table")
    table.post(
        f"/table/phones/{table.session['phone'][:12]}/restore", {"csrf_token": table.token()}
    )
    table.send(table.page("/settings/table").form("table-name"), name="\u202e")
    table.get("/settings/language")
    for zone in ("Louisville", "zz"):
        table.send(table.page("/settings/zone").form("other-zone"), zone=zone)
    table.get("/settings")


def _take_in(table: Table) -> None:
    good = "round,player,bid,tricks\n1,North,3,3\n1,East,2,4\n1,South,nil,0\n1,West,4,3\n"
    for sheet in ("", "zz", good.replace("4,3", "4,5"), good.replace("nil", "zz"), good):
        form = table.page("/import").form("choose")
        form.fields.pop("file")
        answer = table.send(form, file=(io.BytesIO(sheet.encode()), "sheet.csv"))
    shown = table.send(page_of(answer).form("/import/all")).location
    page = table.page(shown)
    for state in ("running", "undoing", "done"):
        with table.store.write(table.id) as db:
            db.execute("UPDATE imports SET state = ? WHERE table_id = ?", [state, table.id])
        table.get(shown.replace("done", "progress"))
    table.send(page.form("/import/undo"))
    table.get(shown)


def _run_a_club_night(table: Table) -> None:
    table.get("/club")
    form = table.page("/club/new").form("/club/new")
    for mistake in (
        {"book": "cutthroat"},
        {"length": "rounds", "rounds": "zz"},
        {"how-many": "99"},
    ):
        table.send(form, **mistake)
    made = table.send(form, length="minutes", calls_last_round="yes", name=CLUB).location
    path = made.removesuffix("/entries")
    teams = "\n".join(f"Player {n} & Partner {n}" for n in range(1, 6))

    def enter(typed: str, **fields: object) -> None:
        table.send(table.page(made).form("/entries"), typed=typed, **fields)

    def act(name: str, **fields: object) -> None:
        table.send(table.page(path).form("acts"), act=name, **fields)

    enter("Kim\nBen & Ben\nLou + ?\n\u202e")
    enter("Kim", pairs="yes")
    enter("Player 1 & Partner 1")
    enter(teams)
    table.get(f"{path}/plan")
    for name in ("start", "pause", "run", "more", "last", "close", "undo", "redo", "end"):
        act(name)
    act("run", version=1)
    enter("Player 9 & Partner 9")
    enter("Player 1 & Partner 9")
    table.send(table.page(made).form("/entries"), leaves=1)
    for number in (1, 2):
        result = table.page(f"{path}/matches/1/tables/{number}").form(f"tables/{number}")
        for points in (["x", "1"], ["200", "100"]):
            table.send(result, points=points, what="result")
        table.get(f"{path}/matches/1/tables/{number}")
    table.send(result, what="penalty", entry="99", kind="match", points="0")
    act("close")
    table.get(path)
    act("reopen", match=1)
    act("close", match=1)
    act("knock_out", best=4)
    act("knock_out", best=32)
    table.get(f"{path}/removal")
    _show_a_club_night(table, path)
    act("end")
    _show_a_club_night(table, path)
    for page in ("", "/entries", "/plan"):
        table.get(path + page)
    table.get("/club")


def _show_a_club_night(table: Table, path: str) -> None:
    """Look at an evening as everybody sees it."""
    links = table.get(f"{path}/links").text
    wall, poster = (re.findall(rf"{path}/{kind}/\w+", links)[0] for kind in ("wall", "players"))
    for shown in (
        *(f"{wall}?screen={n}" for n in range(4)),
        *(poster, f"{poster}?name=zz", f"{poster}/results", f"{wall}x"),
        *(f"{poster}/{entry}?you=1" for entry in range(1, 6)),
    ):
        table.get(shown)
    table.get(f"{path}/results")
    table.send(table.page("/club/import").form("choose"))


def _tidy_up(table: Table) -> None:
    table.send(table.page(f"{table.path}/removal").form("/removal"))
    table.get("/history/removed")
    table.send(table.page("/history/removed").form(table.game_id))
    links = [link.get("href", "") for link in table.page("/players").all("a[@href]")]
    one, other = [link.partition("?")[0] for link in links if re.match("/players/[0-9]", link)][:2]
    renaming = table.page(f"{one}/edit").form("/name")
    table.send(renaming, name="zz" * 21)
    table.send(renaming, name="North")
    table.get(f"{one}/merge/{other[9:]}")
    table.send(table.page(f"{one}/edit").form("/face"), shape="4", color="7")
    for path in (
        "/players?since=zz",
        f"{one}?since=zz",
        "/players/find?name=zz",
        "/players/find?name=Nort",
    ):
        table.get(path)
    table.get("/history?from=zz&player=zz&rules=zz&outcome=zz")


def _keep_score_at_a_club(table: Table) -> None:
    evening = Evening(table.app)
    evening.start(1)
    Table(table.app).get(evening.slip(1))
    keeper = evening.keeper(1)
    keeper.get(keeper.path)
    evening.director.get("/table")
    evening.director.get(f"/club/{evening.id}")
    evening.close()
    for path in (evening.slip(1), evening.slip(9), evening.slip(1)[:-1]):
        keeper.get(path)
    evening.keeper(1, other := table.second_phone())
    other.get("/")
    evening.start(2)
    evening.end()
    keeper.get(evening.slip(1))


def _follow_every_link(table: Table) -> None:
    """Follow the links of pages from the first one on, a few to each address."""
    found, asked = ["/"], Counter[str]()
    adapter = table.app.url_map.bind("localhost")
    for path in found:
        endpoint, _values = adapter.match(path.partition("?")[0])
        asked[endpoint] += 1
        if asked[endpoint] > A_FEW or endpoint == "static" or "." in path:
            continue
        for link in page_of(table.get(path)).all("a[@href]"):
            target = link.get("href", "").partition("#")[0]
            if target.startswith("/") and target not in found:
                found.append(target)


def _go_astray(table: Table) -> None:
    table.get("/nowhere")
    table.get("/rules/nothing")
    table.get("/join/nothing")
    table.client.delete("/rules")
    table.post("/games/new", {})
    table.post("/games/new", {"stake": "9" * 70_000})
    table.post("/games/new", {}, headers={"Origin": "https://elsewhere.invalid"})
    table.post(f"{table.path}/undo", table.fresh(version="x"))
    table.post(f"{table.path}/undo", table.fresh(version=1))


# What somebody has typed, which is shown again as it is.
NAMES = [name for team in TEAMS for name in team.split(" & ")]
TYPED = (
    *PLAYERS,
    *NAMES,
    LABEL,
    LINK,
    OTHER,
    FRIDAY,
    CLUB,
    "the director",
    "Player",
    "Partner",
    "Kim",
    "Lou",
    "north",
    "E" * 41,
    "zz",
)
