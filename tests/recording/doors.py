"""Evenings at other doors: devices, offline games, the API, errors, an open server, commands."""

import contextlib
import gc
import io
import re
import runpy
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from tests.recording import fixed
from tests.recording.play import PLAYERS, Game
from tests.recording.recorder import Phone, Server
from tests.recording.tables import BIDS, SHEET, TRICKS, played_by_program

NEW_GAME: dict[str, Any] = {"rules": "cutthroat-lite", "players": list(PLAYERS[:4])}


def devices(server: Server) -> None:
    """Links made, ended and mistyped; phones that join twice, are removed, and come back."""
    stranger = Phone(server, "stranger")
    for path in ("/", "/history", "/games/new", "/players", "/table", "/phone.json", "/join/zz"):
        stranger.get(path)
    stranger.post("/this-computer")
    stranger.post("/tables")
    phone = server.first_phone()
    phone.post("/this-computer")
    for label in ("\u202e", "x" * 90, "printed at the start", "", "Kim’s phone"):
        phone.post("/table/links", label=label)
    other = server.another_phone()
    for label in ("\u202e", "x" * 90, "again"):
        other.post(f"/join/{server.key}", label=label)
    page = phone.get("/table").get_data(as_text=True)
    links = re.findall(r"/table/links/\w+/remove", page)
    phone.post(links[0])
    phone.post(links[0])
    phone.post("/table/links/zz/remove")
    for action in re.findall(r"/table/phones/\w+/remove", page)[:1]:
        phone.post(action)
    for path in ("/", "/phone.json", "/table"):
        other.get(path)
    phone.post("/table/others/remove")
    Phone(server, "late phone").get(f"/join/{server.key}")
    phone.get("/table")


def offline(server: Server) -> None:
    """Games that phones start without the server, sent late, twice, and by another phone."""
    phone, other = server.first_phone(), server.another_phone()
    snapshot = phone.get("/phone.json")
    owner = snapshot.get_json()["owner"]
    phone.get("/phone.json", headers={"If-None-Match": snapshot.headers["ETag"]})
    fields = {f"player_{n}": name for n, name in enumerate(PLAYERS[:4], 1)}
    good = {**fields, "rules": "cutthroat-lite", "owner": owner, "first_dealer": "2",
            "request_key": "b" * 26, "age": "600"}  # fmt: skip
    for sent in (
        good, good, {**good, "player_1": "Other"}, {**good, "request_key": "c" * 26, "age": "x"},
        {**good, "request_key": "d" * 26, "first_dealer": "draw"}, {**good, "owner": "zz"},
        {**good, "request_key": "e" * 26, "player_2": "north"},
        {**good, "request_key": "f" * 26, "target": "90", "rules_name": "Friday night rules"},
        {**good, "request_key": "g" * 26, "first_dealer_rule": "random", "rules": "partnership"},
        {**good, "request_key": "h" * 26, "game_id": "hhhhhhhhhh"},
        {**good, "request_key": "i" * 26, "game_id": "hhhhhhhhhh"}, {"rules": "zz"},
    ):  # fmt: skip
        phone.post("/phone/games", **sent)
    other.post("/phone/games", **good)
    other.get("/games/hhhhhhhhhh/phone.json?seen=3-aaaaaaaaaaaa")
    other.get("/games/hhhhhhhhhi/phone.json")
    for path in ("/phone.json", "/", "/play-on", "/history", "/phone"):
        other.get(path)
    Phone(server, "stranger").get("/play-on")


def program(server: Server) -> None:
    """The API: a whole game, lists, undo, and everything that it refuses."""
    server.first_phone()
    call = server.program()
    path = played_by_program(server, "partnership", list(PLAYERS[:4]), 5)
    for what in ("", "?limit=2", "?limit=0", "?limit=x", "?after=zz", "?after=zz&after=y", "?x=1"):
        call.get(f"/api/games{what}")
    tag = call.get(path).headers["ETag"]
    call.get(path, headers={"If-None-Match": tag})
    for way in ("undo", "redo", "redo", "undo", "undo"):
        tag = call.get(path).headers["ETag"]
        call.ask("POST", f"{path}/{way}", headers={"If-Match": tag})
    call.ask("POST", f"{path}/undo", headers={"If-Match": '"1"'})
    call.ask("POST", f"{path}/undo", headers={"If-Match": "1"})
    call.ask("POST", f"{path}/undo")
    call.ask("POST", f"{path}/undo", json={"x": 1}, headers={"If-Match": tag})
    _start_badly(call)
    _put_rounds(call)
    for n in range(4):
        played_by_program(server, "cutthroat", list(PLAYERS[:4]), n)
    following = "/api/games?limit=2"
    while following:
        following = call.get(following).get_json()["next"]
    for key in ("", "zz", "x" * 26):
        Phone(server, "wrong program", Authorization=f"Bearer {key}").get("/api/games")
    nobody = Phone(server, "nobody")
    for address in ("/api/games", path, f"{path}/events", "/api/nowhere"):
        nobody.get(address)
    nobody.ask("POST", "/api/tables")
    for method in ("PATCH", "DELETE", "PUT"):
        call.ask(method, path)
    call.ask("OPTIONS", path)
    call.ask("HEAD", path)


def _start_badly(call: Phone) -> None:
    for members in (
        {}, {"rules": "zz"}, {"players": ["A", "B"]}, {"players": ["A", "a", "B", "C"]},
        {"players": ["A", 1, "B", "C"]}, {"players": "ABCD"}, {"first_dealer": 9},
        {"first_dealer": "1"}, {"stake": "2.50"}, {"stake": 3}, {"stake": True}, {"x": 1},
        {"house_rules": {"target": 90}}, {"house_rules": {"target": "x"}},
        {"house_rules": {"jokers": 2}}, {"house_rules": {"target": None, "rounds": 3}},
        {"house_rules": {"bag_limit": 0}}, {"house_rules": {"bids_may_equal_tricks": False}},
        {"house_rules": []}, {"rules": None},
    ):  # fmt: skip
        call.ask("POST", "/api/games", json={**NEW_GAME, **members})
    for key in ("one", "one", "", "x" * 300):
        call.ask("POST", "/api/games", json=NEW_GAME, headers={"Idempotency-Key": key})
    other = {**NEW_GAME, "stake": 5}
    call.ask("POST", "/api/games", json=other, headers={"Idempotency-Key": "one"})
    for body in (b"", b"{", b"[]", b"{}", b'{"rules": 1, "rules": 2}', b"\xff", b" " * 70_000):
        call.ask("POST", "/api/games", body, content_type="application/json")
    call.ask("POST", "/api/games", b"x=1", content_type="application/x-www-form-urlencoded")


def _put_rounds(call: Phone) -> None:
    path = call.ask("POST", "/api/games", json=NEW_GAME).get_json()["url"]
    for number, body in (
        (1, {"bids": [3, None, None, None], "tricks": None}),
        (1, {"bids": BIDS, "tricks": None}),
        (1, {"bids": BIDS, "tricks": [9, 9, 9, 9]}),
        (1, {"bids": BIDS, "tricks": TRICKS}),
        (1, {"bids": BIDS, "tricks": TRICKS}),
        (2, {"bids": BIDS, "tricks": TRICKS, "last_round": True}),
        (1, {"bids": BIDS, "tricks": [4, 3, 0, 3]}),
        (1, {"bids": [99, 2, 3, 4], "tricks": TRICKS}),
        (1, {"bids": BIDS}),
        (1, {"bids": BIDS[:3], "tricks": None}),
        (1, {"bids": ["zz", 1, 1, 1], "tricks": None}),
        (1, {"bids": [1.5, 1, 1, 1], "tricks": None}),
        (9, {"bids": BIDS, "tricks": None}),
        (1, {"bids": BIDS, "tricks": TRICKS, "x": 1}),
        (1, {"bids": BIDS, "tricks": TRICKS, "last_round": 1}),
        (1, {"bids": BIDS, "tricks": TRICKS, "penalties": [
            {"seat": 1, "kind": "points", "size": 10, "to": "nobody", "reason": "other"}]}),
        (1, {"bids": BIDS, "tricks": TRICKS, "penalties": [{"seat": 1}]}),
        (1, {"bids": BIDS, "tricks": TRICKS, "penalties": []}),
        (2, {"bids": BIDS, "tricks": TRICKS, "substitutes": [{"seat": 1, "player": "Robin"}]}),
        (2, {"bids": BIDS, "tricks": TRICKS, "substitutes": [{"seat": 9, "player": "Robin"}]}),
    ):  # fmt: skip
        tag = call.get(path).headers["ETag"]
        call.ask("PUT", f"{path}/rounds/{number}", json=body, headers={"If-Match": tag})
    good = {"bids": BIDS, "tricks": [4, 3, 0, 3]}
    for headers in ({}, {"If-Match": '"1"'}, {"If-Match": "x"}, {"If-Match": 'W/"2"'}):
        call.ask("PUT", f"{path}/rounds/1", json=good, headers=headers)
    for number in (1, 2, 9, 2):
        tag = call.get(path).headers["ETag"]
        call.ask("DELETE", f"{path}/rounds/{number}", headers={"If-Match": tag})


def errors(server: Server) -> None:
    """Requests that nobody should send, each answered with a sentence and the right status."""
    phone = server.first_phone()
    game = Game(phone, "cutthroat-lite")
    Phone(server, "stranger").get(game.path)
    for path in (
        "/nowhere", "/rules/nothing", "/join/nothing", "/games/0000000000", "/watch/nothing",
        f"{game.path}/rounds/0", f"{game.path}/rounds/99999", "/games/%00", f"/games/{'x' * 400}",
        "/static/../pyproject.toml", "/static/nothing.js", "/history?player=%00",
        f"/rules?{'x' * 9000}", "/players/٣", "/favicon.ico", "/metrics", "/healthz",
    ):  # fmt: skip
        phone.get(path)
    for method in ("DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"):
        phone.ask(method, game.path)
        phone.ask(method, game.round())
    bid = {"bid-1": "3", "original": "open,,,,,,,,", "version": phone.revision}
    path = game.round()
    good = {**bid, "csrf_token": phone.token}
    for fields, headers in (
        (bid, {}), ({**bid, "csrf_token": "zz"}, {}), ({**good, "bid-1": "\x00"}, {}),
        ({**good, "bid-1": "9" * 5000}, {}), ({**good, "bid-1": "9" * 70_000}, {}),
        (good, {"Origin": "https://elsewhere.invalid"}), (good, {"Sec-Fetch-Site": "cross-site"}),
        (good, {"Host": "elsewhere.invalid"}), ({f"x{n}": "1" for n in range(1500)}, {}),
        ({**good, "original": ""}, {}), ({**good, "version": "9" * 400}, {}), ({}, {}),
    ):  # fmt: skip
        phone.send(path, fields, headers=headers)
    phone.ask("POST", path, b"{}", content_type="application/json")
    phone.ask("POST", path, b"x", headers={"Transfer-Encoding": "chunked"})
    phone.get("/", headers={"Accept-Encoding": "gzip"})
    phone.get(game.path, headers={"Scorekeeper-Seen": "7-aaaaaaaaaaaa"})


def open_server(server: Server) -> None:
    """A server on which anybody starts a table, until there are too many of them."""
    with fixed.nothing_refilled():
        for n in range(12):
            phone = Phone(server, f"phone {n}")
            phone.get("/")
            phone.post("/tables")
        for n in range(24):
            Phone(server, f"guesser {n}").get(f"/join/guess{n}")
    made = Phone(server, "program")
    made.ask("POST", "/api/tables", environ_base={"REMOTE_ADDR": "10.0.0.7"})
    made.ask("POST", "/api/tables", json={"x": 1})


def commands(server: Server) -> None:
    """What people type: help, scores of a sheet, exports, imports, checks, backups."""
    folder, phone = server.folder, server.first_phone()
    for rules in ("cutthroat-lite", "partnership", "call-break"):
        Game(phone, rules).enter_round()
    run = _Commands(server, folder)
    run("--version")
    run("--help")
    run("zz")
    for command in (
        "serve", "score", "export", "import", "check", "backup", "restore", "link", "move",
        "demo", "deploy",
    ):  # fmt: skip
        run(command, "--help")
    for what in ("systemd", "nginx", "caddy", "container", "pgbouncer", "standby", "environment"):
        run("deploy", what, "--domain", "spades.example.net", "--venv", "/opt/venv")
    _score_sheets(run, folder)
    _beside_the_server(run, folder)
    _without_a_server(_Commands(server, folder / "other"), folder)
    phone.get("/history")
    phone.get("/players")


def _score_sheets(run: "_Commands", folder: Path) -> None:
    """Score sheets of ten and of thirteen tricks by several rules, and sheets with mistakes."""
    for name, text in (
        ("ten", SHEET), ("thirteen", SHEET.replace("4,3", "4,6")), ("wrong", "zz"), ("empty", ""),
        ("calls", SHEET.replace("4,3", "4,6").replace("nil", "1")),
    ):  # fmt: skip
        sheet = folder / f"{name}.csv"
        sheet.write_text(text, "utf-8")
        for rules in ("cutthroat-lite", "cutthroat", "partnership", "call-break", "forty-one"):
            run("score", sheet, "--rules", rules)
    for changes in (["target=50"], ["target=50", "tricks=10"], ["target=x"], ["zz=1"], ["zz"]):
        run("score", folder / "ten.csv", *(word for one in changes for word in ("--set", one)))
    run("score", folder / "ten.csv", "--rules", "zz")
    run("score", folder / "nothing.csv")


def _beside_the_server(run: "_Commands", folder: Path) -> None:
    """Commands on the folder of a server that runs."""
    for kind in ("csv", "json"):
        run("export", f"--{kind}")
        run("export", f"--{kind}", folder / f"games.{kind}")
        run("import", folder / f"games.{kind}")
        run("export", f"--{kind}", folder / "no" / "folder")
    for options in ([], [], ["--rules", "zz"], ["--table", "zz"], ["--rules", "partnership"]):
        run("import", folder / "ten.csv", *options)
    run("import", folder / "wrong.csv")
    run("check")
    run("backup", folder / "copy.db")
    run("restore", folder / "copy.db")


def _without_a_server(run: "_Commands", folder: Path) -> None:
    """Commands on a folder of their own, which the first import creates."""
    for command in ("check", "export", "backup", "restore"):
        run(command, *([folder / "nothing.db"] if command == "restore" else []))
    for name in ("games.json", "games.csv", "ten.csv", "thirteen.csv"):
        run("import", folder / name)
    run("check")
    run("check", "--rebuild")
    run("backup", folder / "second.db")
    run("import", folder / "thirteen.csv", "--rules", "cutthroat")
    run("restore", folder / "second.db")
    run("restore", folder / "ten.csv")
    run("move", "zz://")
    run("move", folder / "moved")
    run("move", folder / "moved")
    run("export")


class _Commands:
    """The command line, run within this process, as its clock and luck are fixed."""

    def __init__(self, server: Server, folder: Path) -> None:
        self._evening, self._folder = server.evening, folder

    def __call__(self, *words: object) -> None:
        """Run a command and write its status, what it prints, and what it complains about."""
        self._evening.next()
        out, wrong = _Stream(), _Stream()
        typed = ["scorekeeper", *map(str, words)]
        settings = {"SCOREKEEPER_DATA": str(self._folder), "COLUMNS": "80"}
        with (
            mock.patch.dict("os.environ", settings),
            mock.patch.object(sys, "argv", typed),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(wrong),
        ):
            status = _status_of_program()
        gc.collect()  # closes what the end of a process would close
        self._evening.write(" ".join(typed), f"{status}\n{out.text}\n{wrong.text}")


class _Stream(io.TextIOWrapper):
    """A standard stream in memory."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        super().__init__(self._bytes, "utf-8")

    @property
    def text(self) -> str:
        """What was written."""
        self.flush()
        return self._bytes.getvalue().decode()


def _status_of_program() -> object:
    try:
        runpy.run_module("scorekeeper", run_name="__main__")
    except SystemExit as ended:
        return ended.code
    return 0
